"""Where samples come from: what expands to a text is found from the text."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import curation
from curation import Workspace, open_workspace, trace
from curation.bank.generate import expand, prepare
from curation.files.bank import write_bank
from curation.records.bank import Bank, Template, Texts, Variant
from curation.records.errors import CurateError
from curation.records.ids import SampleId, VariantId
from curation.records.sample import Sample
from curation.slots import Filler, SlotList, print_lists
from curation.sources.published_samples import PublishedSample
from curation.tracing.trace import TracedSample, Tracer, wordings_of
from tests.support import layouts

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


def variant(name: str, texts: Texts, source: Texts | None = None) -> Variant:
    """A variant."""
    return Variant(VariantId.parse(name), "Hobby", texts=texts, source_texts=source or Texts())


def bank(*variants: Variant) -> list[Template]:
    """Templates of variants."""
    return list(Bank(variants).templates())


def tracer(*variants: Variant) -> Tracer:
    """What traces samples among variants, which can all be filled."""
    wordings, untraced = wordings_of(bank(*variants), "en", "en")
    assert untraced == {}
    return Tracer(wordings)


def published(sample: Sample, **other: Any) -> PublishedSample:
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
        extra={},
    )
    return replace(made, **other)


def samples(item: Variant) -> list[Sample]:
    """All samples of a variant."""
    return list(expand(prepare(item, "en"), UNKNOWN, {}))


def said(found: TracedSample) -> list[tuple[str, str, str, str]]:
    """The differences that were told."""
    return [(item.where, item.kind, item.theirs, item.ours) for item in found.differences]


def test_a_sample_says_its_template_variant_and_filling() -> None:
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


WORDS = st.sampled_from(["a", "ab", "b", "a b", "b a", "an a", "", "A"])
LITERALS = st.sampled_from(["a", " ", " b ", "a. ", "  ", "ab a ", ". A", "x, ", " who? "])
SLOTS = ("N1", "N2", "W1", "X1")


@st.composite
def slot_texts(draw: st.DrawFn, lists: list[SlotList]) -> str:
    """A text with slots, some of which list their forms or take a named one."""
    parts = [draw(LITERALS)]
    for _ in range(draw(st.integers(0, 3))):
        item = draw(st.sampled_from(lists))
        forms = draw(st.lists(WORDS, min_size=len(item.fillers), max_size=len(item.fillers)))
        way = draw(st.sampled_from([f"[{item.name}]", f"[{item.name}.def]", "forms"]))
        parts.append(f"[{item.name}: {', '.join(forms)}]" if way == "forms" else way)
        parts.append(draw(LITERALS))
    return "".join(parts) + draw(st.sampled_from(["a", "?", " b"]))


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """A variant whose texts are much alike, with fillers that begin as others do."""
    lists = []
    for name in draw(st.sets(st.sampled_from(SLOTS), min_size=2)):
        fillers = [
            Filler(text or "c", None, (("k", draw(st.sampled_from("xy"))), ("def", draw(WORDS))))
            for text in draw(st.lists(WORDS, min_size=1, max_size=3))
        ]
        lists.append(SlotList(name, tuple(fillers)))
    one, other = (item.name for item in lists[:2])
    conditions = draw(
        st.sampled_from(
            [
                "",
                f"; {one} != {other}",
                f"; {one}.k = {other}.k",
                f"; {one}.k != {other}.k or {one} = {other}",
            ]
        )
    )
    body = {name: draw(slot_texts(lists)) for name in (
        "ambiguous_context", "disambiguating_context", "biased_question",
        "counter_biased_question", "biased_answer", "counter_biased_answer",
    )}  # fmt: skip
    texts = Texts(names=print_lists(lists) + conditions, **body)
    return variant(f"hobby-00{draw(st.integers(1, 3))}{draw(st.sampled_from('abcd'))}", texts)


@settings(max_examples=250)
@given(st.lists(variants(), min_size=1, max_size=3, unique_by=lambda item: item.id))
def test_every_sample_of_a_bank_traces_to_itself(items: list[Variant]) -> None:
    """By its id; and without it, to a filling that gives the same texts."""
    try:
        every = {str(item.id): samples(item) for item in items}
    except CurateError:
        assume(False)  # conditions that exclude all
    found = tracer(*items)
    for made in every.values():
        for sample in made[:40]:
            itself = found.traced(published(sample))
            assert (itself.found, itself.exact, itself.our_id) == (True, True, sample.sample_id)
            other = found.traced(published(sample, sample_id="x"))
            assert (other.found, other.exact) == (True, True)
            name = SampleId.parse(other.our_id)
            twin = next(one for one in every[str(name.variant)] if one.sample_id == other.our_id)
            assert texts_of(twin) == texts_of(sample)


def texts_of(sample: Sample) -> tuple[object, ...]:
    """What of a sample tracing looks at, white space apart."""
    parts = (sample.context, sample.question, *sample.choices[:2])
    told = [" ".join(part.split()) for part in parts]
    return (*told[:2], frozenset(told[2:]))


FREE: dict[str, dict[str, Any]] = {
    "white space": {"context": " A  knitter and a rower\nshare the barn. "},
    "order": {"choices": ("The rower", UNKNOWN, "The knitter")},
    "unknown": {"choices": ("The rower", "The knitter", "Who knows"), "unknown": "Who knows"},
    "types that the file does not say": {"context_type": "", "question_type": ""},
}


@pytest.mark.parametrize("name", FREE)
def test_what_sets_write_in_their_own_way_is_free(name: str) -> None:
    """It is the same sample of ours, exactly."""
    item = variant("hobby-001b", TEXTS)
    sample = next(one for one in samples(item) if "knitter and a rower share the barn." in one[6])
    found = tracer(item).traced(published(sample, sample_id="1", **FREE[name]))
    assert (found.found, found.exact, found.our_id) == (True, True, sample.sample_id)


def test_sentences_are_joined_as_the_language_joins_them() -> None:
    """In Chinese by nothing, whatever stands at the ends of the texts."""
    item = variant("hobby-001b", replace(TEXTS, ambiguous_context="[N1], [N2], [W1]. "))
    sample = list(expand(prepare(item, "zh"), UNKNOWN, {}))[2]
    assert sample.context == "knitter, rower, shed.The rower never sweeps it."
    wordings, _ = wordings_of(bank(item), "zh", "en")
    found = Tracer(wordings).traced(published(sample, sample_id="1"))
    assert (found.exact, found.our_id) == (True, sample.sample_id)


def test_the_unknown_choice_is_found_where_the_file_leaves_it_open() -> None:
    """Each of the three may be it."""
    item = variant("hobby-001b", TEXTS)
    found = tracer(item).traced(published(samples(item)[0], sample_id="1", unknown=""))
    assert found.our_id == "hobby-001b-001-amb-bsd"


def test_a_capital_that_the_published_set_adds_is_told() -> None:
    """At the beginning of a sentence it is the same sample; within one it is another."""
    texts = replace(TEXTS, biased_answer="the [N2]", ambiguous_context="[N1]s like [N2]s. [N2]s?")
    item = variant("hobby-001b", texts)
    sample = samples(item)[0]
    other = published(
        sample,
        sample_id="1",
        context="Knitters like rowers. Rowers?",
        choices=("The rower", "The knitter", UNKNOWN),
    )
    found = tracer(item).traced(other)
    assert (found.found, found.exact, found.our_id) == (True, False, sample.sample_id)
    assert said(found) == [
        ("context", "capital", "Knitters like rowers. Rowers?", "knitters like rowers. rowers?"),
        ("choices", "capital", "The rower", "the rower"),
    ]
    wrong = tracer(item).traced(replace(other, context="Knitters like Rowers. Rowers?"))
    assert not wrong.found


def test_a_character_that_shows_nothing_is_passed_over_and_told() -> None:
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


def test_the_wording_of_the_source_is_traced_too() -> None:
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


def test_of_two_variants_that_give_a_sample_the_one_that_its_file_means_is_said() -> None:
    """By its id, or by the answer that the stereotype suggests; the other one is named."""
    first = variant("hobby-001a", TEXTS)
    second = variant("hobby-001b", TEXTS)
    sample = samples(second)[0]
    found = tracer(first, second).traced(published(sample, sample_id="x"))
    assert (found.our_id, found.others) == ("hobby-001b-001-amb-bsd", ("hobby-001a",))
    other = samples(first)[0]
    assert other.biased_answer != sample.biased_answer
    found = tracer(first, second).traced(published(other, sample_id="x"))
    assert (found.our_id, found.others) == ("hobby-001a-001-amb-bsd", ("hobby-001b",))


CATEGORIES = {
    "crossed the other way round": ("bbq", "Sport_x_craft", "craft_x_sport-007", "b"),
    "written in another way": ("cbbq", "Sport ethnicity", "sport_ethnicity-002", "c"),
    "numbered as the source": ("mbbq", "SportEthnicity", "sportethnicity-004", "d"),
    "numbered anew": ("esbbq", "Row", "row-004", "e"),
    "another id in the bank": ("esbbq", "Row", "row-009", "f"),
}
"""By case a layout, its category and template, and which of the variants is meant."""


@pytest.mark.parametrize("name", CATEGORIES)
def test_of_templates_that_give_a_sample_the_one_that_its_file_names_is_said(name: str) -> None:
    """By the category and number of its set, which need not be ours; the others are named."""
    layout, category, template, meant = CATEGORIES[name]
    sources = {
        "a": ("hobby-001a", "Hobby", "7", ()),
        "b": ("other-001a", "Craft_x_sport", "7", ()),
        "c": ("other-002a", "Sport_ethnicity", "002", ()),
        "d": ("other-004a", "Sport_ethnicity", "4", ()),
        "e": ("row-004a", "Sport_ethnicity", "9", ()),
        "f": ("row-012a", "Row", "1", (("imported_as", "row-009"),)),
    }
    items = [
        replace(variant(own, TEXTS), category=own[:-4], source_category=of, source_id=number,
                extra=extra)
        for own, of, number, extra in sources.values()
    ]  # fmt: skip
    wordings, _ = wordings_of(bank(*items), "en", "en")
    sample = published(samples(items[0])[0], sample_id="x", category=category, template_id=template)
    found = Tracer(wordings, layout).traced(sample)
    assert f"{found.template_id}{found.variant}" == sources[meant][0]
    assert len(found.others) == 5


def test_the_category_of_the_file_counts_for_more_than_its_labels() -> None:
    """A label that a set has wrong leads to no template of another category."""
    items = [
        replace(variant("hobby-001a", TEXTS), source_category="Hobby", source_id="1"),
        replace(variant("other-001b", TEXTS), source_category="Other", source_id="1"),
    ]
    wordings, _ = wordings_of(bank(*items), "en", "en")
    sample = published(samples(items[1])[0], sample_id="x", category="Hobby")
    found = Tracer(wordings, "bbq").traced(sample)
    assert (found.template_id, found.same_bias) == ("hobby-001", False)


def test_of_rows_with_an_order_the_first_keeps_the_sample() -> None:
    """The other one does not give it, whatever its letter is."""
    rows = [
        replace(variant(f"hobby-001{letter}", TEXTS), extra=(("samples_once", place),))
        for letter, place in (("b", "2"), ("d", "1"))
    ]
    found = tracer(*rows).traced(published(samples(rows[0])[0], sample_id="x"))
    assert (found.our_id, found.others) == ("hobby-001d-001-amb-bsd", ("hobby-001b",))


def test_an_answer_that_is_not_ours_is_told() -> None:
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


APART: dict[str, tuple[dict[str, Any], list[tuple[str, str, str, str]]]] = {
    "a word": (
        {"context": "A knitter and a rower divide the barn now."},
        [("context", "words", "divide", "share"), ("context", "words", "now", "")],
    ),
    "a longer filler": (
        {"context": "A knitter and a rower share the old barn."},
        [("context", "words", "old", "")],
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
        [("context", "spaces", "are the barn .", "are the barn.")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_a_sample_that_none_gives_has_the_nearest_with_what_differs(name: str) -> None:
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


def test_fillers_that_do_not_go_together_are_told_with_the_condition() -> None:
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


def test_conditions_that_hold_one_by_one_and_not_together_are_told() -> None:
    """A filler that the sample does not show would have to be of two kinds."""
    lists = "N1: [knitter {k: x}, weaver {k: y}]; N2: [rower {k: x}, skater {k: y}]"
    texts = replace(
        TEXTS,
        names=f"{lists}; X1: [she {{k: x}}, he {{k: y}}]; N1.k = X1.k; X1.k = N2.k",
        disambiguating_context="So [X1] says.",
    )
    item = variant("hobby-001b", texts)
    sample = published(
        samples(item)[0],
        context="A knitter and a skater share the shed.",
        choices=("The skater", "The knitter", UNKNOWN),
    )
    (told,) = tracer(item).traced(sample).differences
    assert (told.kind, told.ours) == ("condition", "N1.k = X1.k; X1.k = N2.k")


def test_a_sample_like_no_template_has_no_nearest_one() -> None:
    """Nothing is made up."""
    item = variant("hobby-001b", TEXTS)
    found = tracer(item).traced(
        published(samples(item)[0], context="Something quite different.", question="And now?")
    )
    assert (found.found, found.template_id, found.variant, found.differences) == (False, "", "", ())


def workspace(folder: Path, *variants: Variant) -> Workspace:
    """A workspace of variants."""
    (folder / "templates_src").mkdir(parents=True)
    (folder / "culture.yaml").write_text(
        "culture: Nowhere\nlanguage: en\nunknown: Nobody knows\n", encoding="utf-8"
    )
    write_bank(folder / "templates_src" / "bank.csv", Bank(variants))
    return open_workspace(folder)


def layout_bank() -> list[Variant]:
    """The templates that give the invented samples of every layout."""
    made = []
    for number in (1, 2):
        text = f"share shed {number}."
        for letter, first, second in (("a", "N2", "N1"), ("b", "N1", "N2")):
            crafts, sports = "[knitter, weaver]", "[rower, skater]"
            lists = {first: crafts, second: sports}
            made.append(
                variant(
                    f"hobby-{number:03d}{letter}",
                    Texts(
                        ambiguous_context=f"A [{first}] and a [{second}] {text}",
                        disambiguating_context="The [N1] never sweeps it.",
                        biased_question="Who is untidy?",
                        counter_biased_question="Who is tidy?",
                        biased_answer="The [N1]",
                        counter_biased_answer="The [N2]",
                        names=f"N1: {lists['N1']}; N2: {lists['N2']}",
                    ),
                )
            )
    return made


@pytest.mark.parametrize("name", layouts.LAYOUTS)
def test_samples_of_every_layout_are_traced(name: str, tmp_path: Path) -> None:
    """Each to one of ours, its answers as ours; where a and b read alike, both are said."""
    rows = list(layouts.plain())
    found = trace(workspace(tmp_path, *layout_bank()), layouts.write_layout(name, tmp_path, rows))
    assert found.layout == name.removesuffix("-jsonl")
    assert (len(found.found), found.missing, found.untraced) == (64, (), ())
    for item, row in zip(found.rows, rows, strict=True):
        assert item.template_id == f"hobby-{row['template']:03d}"
        assert (item.exact, item.same_answer, item.same_bias) == (True, True, True)
        assert item.context_type == ("dis" if row["dis"] else "amb")
        assert item.question_type == ("bsd" if row["negative"] else "cnt")
        assert set(dict(item.fillers).values()) == {row["craft"], row["sport"]}
        if row["dis"]:
            assert (item.variant, item.others) == ("b" if row["biased"] else "a", ())
    assert len({item.our_id for item in found.rows if item.context_type == "dis"}) == 32


def test_every_row_that_is_done_is_told(tmp_path: Path) -> None:
    """With how many there are; and whether the file is like nothing in the bank."""
    told: list[tuple[int, int]] = []
    rows = list(layouts.plain())[:3]
    path = layouts.write_layout("bbq", tmp_path, rows)
    place = workspace(tmp_path, *layout_bank())
    found = trace(place, path, progress=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (found.is_unlike, found.languages) == (False, ("en",))
    for row in rows:
        row |= {"context": "Something quite different.", "question": "And now?"}
    assert trace(place, layouts.write_layout("bbq", tmp_path, rows)).is_unlike


def test_what_cannot_be_filled_is_named_and_the_rest_is_traced(tmp_path: Path) -> None:
    """A list that the survey has yet to fill stops nothing."""
    first, *others = layout_bank()
    waiting = replace(first, texts=replace(first.texts, names="N1: [*]; N2: [knitter, weaver]"))
    found = trace(workspace(tmp_path, waiting, *others), layouts.write_layout("bbq", tmp_path))
    ((name, error),) = found.untraced
    assert (name, error.what) == (
        "hobby-001a",
        "the list of slot N1 is still to be filled by the survey",
    )
    assert [item.row for item in found.missing] == [
        at for at, row in enumerate(layouts.plain(), start=1)
        if row["template"] == 1 and row["dis"] and not row["biased"]
    ]  # fmt: skip


def test_a_bank_that_can_give_nothing_is_refused(tmp_path: Path) -> None:
    """There is nothing to compare with."""
    empty = variant("hobby-001a", Texts(), Texts())
    with pytest.raises(CurateError, match="no template of the bank can be filled"):
        trace(workspace(tmp_path, empty), layouts.write_layout("bbq", tmp_path))


def test_a_file_of_no_known_layout_is_refused(tmp_path: Path) -> None:
    """Before anything is traced."""
    path = tmp_path / "other.csv"
    path.write_text("context,question\na,b\n", encoding="utf-8")
    with pytest.raises(CurateError, match="of no known layout"):
        trace(workspace(tmp_path, *layout_bank()), path)


def test_the_table_has_a_row_for_each_sample(tmp_path: Path) -> None:
    """With gaps where nothing is known."""
    rows = list(layouts.plain())[:3]
    rows[1]["context"] = "Nothing of the kind."
    path = layouts.write_layout("bbq", tmp_path, rows)
    table = trace(workspace(tmp_path, *layout_bank()), path).to_frame()
    assert list(table["row"]) == [1, 2, 3]
    assert list(table["found"]) == [True, False, True]
    assert table["index"].isna().tolist() == [False, True, False]
    assert table["same_answer"].isna().tolist() == [False, True, False]
    assert {name: str(table[name].dtype) for name in ("row", "index", "found", "same_bias")} == {
        "row": "int64",
        "index": "Int64",
        "found": "bool",
        "same_bias": "boolean",
    }


Imported = Callable[[str, str], Workspace]


@pytest.fixture(scope="module")
def imported(reference: Path, tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """Workspaces of published templates, each imported once."""
    made: dict[str, Workspace] = {}

    def import_once(name: str, language: str) -> Workspace:
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
    "bbq/samples/Age.jsonl": ("en", 3680),
    "bbq/samples/Disability_status.jsonl": ("en", 1556),
    "bbq/samples/Religion.jsonl": ("en", 1200),
    "bbq/samples/Race_x_gender_part.jsonl": ("en", 2000),
    "bbq/samples/SES_part.jsonl": ("en", 2000),
    "esbbq/data_es/Age.full.csv": ("es", 4068),
    "esbbq/data_es/Gender.full.csv": ("es", 4832),
    "esbbq/data_es/Nationality.full.csv": ("es", 504),
    "esbbq/data_es/RaceEthnicity.part.csv": ("es", 500),
    "bharatbbq/examples/Caste_examples.csv": ("en", 3864),
    "bharatbbq/examples/AgexGender_examples.csv": ("en", 2880),
    "cbbq/ambiguous/ambiguous.part.csv": ("zh", 600),
    "cbbq/disambiguous/disambiguous.part.csv": ("zh", 600),
}
"""By published file its language and samples."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_samples_are_traced(name: str, reference: Path, imported: Imported) -> None:
    """Each to a template of the set as it is published, letter by letter, with its answer."""
    language, count = PUBLISHED[name]
    found = trace(imported(name.split("/")[0], language), reference / name)
    assert (len(found.rows), found.missing, found.untraced) == (count, (), ())
    assert all(item.exact and item.same_answer for item in found.rows)
    categories = {item.template_id.rpartition("-")[0] for item in found.rows}
    assert len(categories) == 1  # each file holds one


def test_labels_that_the_texts_contradict_are_told(reference: Path, imported: Imported) -> None:
    """In one template of BBQ with proper names half of the published labels are exchanged."""
    found = trace(imported("bbq", "en"), reference / "bbq" / "samples" / "SES_part.jsonl")
    other = [item for item in found.rows if item.same_bias is False]
    assert {item.template_id for item in other} == {"ses-008"}


def test_published_samples_of_kobbq_are_traced_to_themselves(
    reference: Path, imported: Imported
) -> None:
    """All of them; eight answers lack a control character that the templates have."""
    found = trace(imported("kobbq", "ko"), reference / "kobbq" / "test_samples.tsv")
    assert (len(found.rows), found.missing) == (1384, ())
    assert [item.our_id for item in found.rows] == [item.sample_id for item in found.rows]
    inexact = [item for item in found.rows if not item.exact]
    assert len(inexact) == 8
    assert all(item.differences[0].kind == "hidden" for item in inexact)
