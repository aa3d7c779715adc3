"""Where samples come from: what expands to a text is found from the text."""

from dataclasses import replace

import pytest

import curation
from curation import open_workspace, trace
from curation.bank.generate import expand, prepare
from curation.records.bank import Bank, Texts, Variant, VariantId
from curation.sources.published_samples import PublishedSample
from curation.tracing.trace import TracedSample, Tracer, wordings_of

UNKNOWN = "Nobody knows"
TEXTS = Texts(
    ambiguous_context="A [N1] and a [N2] share the [W1].",
    disambiguating_context="The [N2] never sweeps it.",
    biased_question="Who is untidy?",
    counter_biased_question="Who is tidy?",
    biased_answer="The [N2]",
    counter_biased_answer="The [N1]",
    names="N1: [knitter, weaver]; N2: [rower, skater]",
    words="W1: [shed, red shed, barn]",
)


def variant(name, texts, source=None):
    return Variant(VariantId.parse(name), "Hobby", texts=texts, source_texts=source or Texts())


def bank(*variants):
    return list(Bank(variants).templates())


def tracer(*variants):
    """What traces samples among variants, which can all be filled."""
    wordings, untraced = wordings_of(bank(*variants), "en", "en")
    assert untraced == {}
    return Tracer(wordings)


def published(sample, **other):
    """A sample of ours as it is read from a file."""
    made = PublishedSample(
        row=2,
        sample_id=sample.sample_id,
        template_id=sample.template_id,
        category=sample.category,
        context=sample.context,
        question=sample.question,
        choices=sample.choices,
        answer=sample.answer,
        unknown=sample.choices[2],
        context_type=sample.context_type,
        question_type=sample.question_type,
        biased_answer=sample.biased_answer,
        variant="",
        target="",
        undecided="",
        settled_by="",
        also={},
        record={},
    )
    return made._replace(**other)


def samples(item):
    return list(expand(prepare(item, "en"), UNKNOWN, {}))


def said(found):
    return [(item.where, item.kind, item.theirs, item.ours) for item in found.differences]


def test_a_sample_says_its_template_variant_and_filling():
    """Whatever its id; what it does not show is said, too."""
    item = variant("hobby-007a.f", replace(TEXTS, disambiguating_context="So says [X1]."))
    item = replace(item, texts=replace(item.texts, words=f"{TEXTS.words}; X1: [Ada, Eva]"))
    made = next(
        one for one in samples(item) if one.context == "A weaver and a skater share the red shed."
    )
    found = tracer(item).traced(published(made, row=9, sample_id="71"))
    assert found == TracedSample(
        row=9,
        sample_id="71",
        context="A weaver and a skater share the red shed.",
        question="Who is untidy?",
        found=True,
        exact=True,
        template_id="hobby-007",
        variant="a.f",
        index=21,
        our_id="hobby-007a.f-021-amb-bsd",
        context_type="amb",
        question_type="bsd",
        fillers=(("N1", "weaver"), ("N2", "skater"), ("W1", "red shed"), ("X1", "Ada")),
        free=("X1",),
        wording="own",
        same_answer=True,
        same_bias=True,
        others=(),
        differences=(),
    )


def test_of_wordings_that_give_a_sample_its_own_file_decides():
    """By the template that it names; where both questions are the same text, by their type."""
    one, two = variant("hobby-007a", TEXTS), variant("hobby-008a", TEXTS)
    made = next(iter(samples(two)))
    for name in ("hobby-007", "hobby-008"):
        sample = published(made, sample_id="71", template_id=name)
        assert tracer(one, two).traced(sample).template_id == name
        other = variant(name.replace("hobby", "craft") + "a", TEXTS)  # a number of another category
        assert tracer(other, one, two).traced(sample).template_id == name
    alike = variant("hobby-007a", replace(TEXTS, counter_biased_question=TEXTS.biased_question))
    for asked in {one.question_type: one for one in samples(alike)}.values():
        sample = published(asked, sample_id="71", answer="", biased_answer="")
        found = tracer(alike).traced(sample)
        assert found.question_type == asked.question_type


FREE = {
    "white space": {"context": " A  knitter and a rower\nshare the barn. "},
    "letters": {"question": "Who is untidy at the cafe\u0301?"},
    "order": {"choices": ("The rower", UNKNOWN, "The knitter")},
    "unknown": {"choices": ("The rower", "The knitter", "Who knows"), "unknown": "Who knows"},
    "types that the file does not say": {"context_type": "", "question_type": ""},
}


@pytest.mark.parametrize("name", FREE)
def test_what_sets_write_in_their_own_way_is_free(name):
    """It is the same sample of ours, exactly."""
    item = variant("hobby-001b", replace(TEXTS, biased_question="Who is untidy at the caf\xe9?"))
    sample = next(one for one in samples(item) if "knitter and a rower share the barn." in one[6])
    found = tracer(item).traced(published(sample, sample_id="1", **FREE[name]))
    assert (found.found, found.exact, found.our_id) == (True, True, sample.sample_id)


def test_the_wording_of_the_source_is_traced_too():
    """Where the culture's is a translation, or corrects it; ours is the sample of that filling."""
    source = replace(TEXTS, biased_question="Who is an mess?")
    item = variant("hobby-001b", replace(TEXTS, biased_question="Who is a mess?"), source)
    sample = samples(item)[4]
    found = tracer(item).traced(published(sample, sample_id="5", question="Who is an mess?"))
    assert (found.found, found.wording, found.our_id) == (True, "source", sample.sample_id)
    longer = replace(source, names="N1: [knitter, weaver, dyer]; N2: [rower, skater]")
    other = tracer(variant("hobby-001b", item.texts, longer)).traced(
        published(sample, sample_id="5", question="Who is an mess?")
    )
    assert (other.found, other.index, other.our_id) == (True, 2, "")


def test_an_answer_that_is_not_ours_is_told():
    """A label of the published set that our templates contradict."""
    item = variant("hobby-001b", TEXTS)
    sample = samples(item)[2]
    assert (sample.answer, sample.biased_answer) == ("The rower", "The rower")
    found = tracer(item).traced(
        published(sample, answer="The knitter", biased_answer="The knitter")
    )
    assert (found.found, found.same_answer, found.same_bias) == (True, False, False)
    silent = tracer(item).traced(published(sample, biased_answer=""))
    assert (silent.same_answer, silent.same_bias) == (True, None)


def test_a_character_that_shows_nothing_is_passed_over_and_told():
    """In the file or in the bank."""
    item = variant("hobby-001b", replace(TEXTS, counter_biased_answer="The [N1]\x08"))
    sample = samples(item)[0]
    corrected = tuple(choice.strip("\x08") for choice in sample.choices)
    other = published(sample, choices=corrected, question="Who is \u200buntidy?")
    found = tracer(item).traced(other)
    assert (found.found, found.exact, found.our_id) == (True, False, sample.sample_id)
    assert said(found) == [
        ("question", "hidden", "1 x U+200B", ""),
        ("choices", "hidden", "", "1 x U+0008"),
    ]
    assert tracer(item).traced(published(sample)).exact


APART = {
    "a word": (
        {"context": "A knitter and a rower divide the barn now."},
        [("context", "words", "divide", "share"), ("context", "words", "barn now", "[W1]")],
    ),
    "a longer filler": (
        {"context": "A knitter and a rower share the old barn."},
        [("context", "words", "old barn", "[W1]")],
    ),
    "a filler": (
        {"context": "A knitter and a runner share the barn."},
        [("context", "words", "runner", "[N2]")],
    ),
    "the question": (
        {"question": "Who is untidier?"},
        [("question", "words", "untidier", "untidy")],
    ),
    "a choice": (
        {"choices": ("The rower", "The weaver", UNKNOWN)},
        [("choices", "words", "weaver", "knitter")],
    ),
    "a mark": (
        {"context": "A knitter and a rower share the barn ."},
        [("context", "spaces", *(f"A knitter and a rower share the barn{x}" for x in (" .", ".")))],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_a_sample_that_none_gives_has_the_nearest_with_what_differs(name):
    """Words, a slot in brackets where no filler fits; never a template that is quite another."""
    other = replace(TEXTS, ambiguous_context="Many birds sing at dawn, says [N1] to [N2] in [W1].")
    near = variant("hobby-001b", TEXTS)
    sample = next(one for one in samples(near) if "knitter and a rower share the barn." in one[6])
    change, expected = APART[name]
    found = tracer(variant("hobby-002a", other), near).traced(
        published(sample, sample_id="1", **change)
    )
    assert (found.found, found.template_id, found.variant) == (False, "hobby-001", "b")
    assert (found.context_type, found.question_type, found.index) == ("amb", "bsd", None)
    assert said(found) == expected


def test_fillers_that_do_not_go_together_are_told_with_the_condition():
    """Each text is as ours, and no filling gives them all."""
    texts = replace(
        TEXTS,
        names="N1: [knitter {k: x}, weaver {k: y}]; N2: [rower {k: x}, skater {k: y}]; N1.k = N2.k",
    )
    item = variant("hobby-001b", texts)
    sample = samples(item)[0]
    assert "knitter and a rower" in sample.context
    found = tracer(item).traced(
        published(
            sample,
            context="A knitter and a skater share the shed.",
            choices=("The skater", "The knitter", UNKNOWN),
        )
    )
    assert (found.found, found.template_id) == (False, "hobby-001")
    assert said(found) == [
        ("fillers", "condition", "N1: knitter; N2: skater; W1: shed", "N1.k = N2.k")
    ]


@pytest.fixture(scope="module")
def imported(reference, tmp_path_factory):
    made = {}

    def import_once(name, language):
        if name not in made:
            new = curation.init_workspace(tmp_path_factory.mktemp(name) / "ws", language=language)
            templates = {"bbq": "bbq/as_published/templates", "kobbq": "kobbq/templates.tsv"}
            folders = {"esbbq": "esbbq/templates", "bharatbbq": "bharatbbq/templates"}
            path = reference / (templates | folders).get(name, name)
            curation.import_templates(new, name, [path])
            made[name] = open_workspace(new.root)
        return made[name]

    return import_once


PUBLISHED = {
    "bbq/samples/Disability_status.jsonl": ("en", 1556),
    "bbq/samples/Race_x_gender_part.jsonl": ("en", 2000),
    "bbq/samples/SES_part.jsonl": ("en", 2000),
    "esbbq/data_es/Gender.full.csv": ("es", 4832),
    "esbbq/data_es/Nationality.full.csv": ("es", 504),
    "esbbq/data_es/RaceEthnicity.part.csv": ("es", 500),
    "bharatbbq/examples/Caste_examples.csv": ("en", 3864),
    "bharatbbq/examples/AgexGender_examples.csv": ("en", 2880),
    "cbbq/ambiguous/ambiguous.part.csv": ("zh", 600),
    "cbbq/disambiguous/disambiguous.part.csv": ("zh", 600),
}
"""By published file its language and samples; those of other categories are in the scenarios."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if at % 2 else pytest.mark.nightly)
        for at, name in enumerate(PUBLISHED, start=1)
    ],
)
def test_published_samples_are_traced(name, reference, imported):
    """Each to a template of the set as it is published, letter by letter, with its answer."""
    language, count = PUBLISHED[name]
    found = trace(imported(name.split("/")[0], language), reference / name)
    assert (len(found.rows), found.missing, found.untraced) == (count, (), ())
    assert all(item.exact and item.same_answer for item in found.rows)
    categories = {item.template_id.rpartition("-")[0] for item in found.rows}
    assert len(categories) == 1  # each file holds one
