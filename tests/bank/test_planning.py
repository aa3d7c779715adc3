"""Which samples are written, and how many, before any of them is made."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from curation.bank.generate import is_waiting
from curation.bank.planning import plan, refuse_faults
from curation.languages import Language
from curation.records.bank import Template, TemplateId, Texts, Variant, VariantId
from curation.records.culture import SampleSettings
from curation.records.messages import CurateError

TEXTS = Texts(
    stereotype="They forget keys",
    ambiguous_context="[N1] and [N2] waited at the [W1].",
    disambiguating_context="[N1] had no key for [W2], [N2] one.",
    biased_question="Who forgot the key?",
    counter_biased_question="Who had one?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    names="N1: [Ann, Ada, Amy]; N2: [Bob, Ben]",
    words="W1: [bus, tram]; W2: [a car, a shed, a barn]",
    n1_groups=("women",),
    n2_groups=("men",),
)
EXCHANGED = {"N1: [Ann, Ada, Amy]; N2: [Bob, Ben]": "N1: [Bob, Ben]; N2: [Ann, Ada, Amy]"}
EVERY = 3 * 2 * 2 * 3 * 4


def variant(name, **texts):
    """A variant; b and d name the people the other way round."""
    wording = replace(TEXTS, **texts)
    parsed = VariantId.parse(name)
    if parsed.letter.value in "bd" and wording.names in EXCHANGED:
        wording = replace(
            wording, names=EXCHANGED[wording.names], n1_groups=("men",), n2_groups=("women",)
        )
    return Variant(parsed, "Home life", None, wording)


def template(letters="ab", name="home_life-001", **texts):
    variants = tuple(variant(f"{name}{letter}", **texts) for letter in letters)
    return Template(TemplateId.parse(name), variants)


def test_an_error_in_the_file_of_the_language_is_said_where_it_is():
    """It is none of the first template that asks for agreement."""
    wrong = Language("sv", None, Path("sv.yaml"), "agreement: {algorithm: english, common: []}")
    with pytest.raises(CurateError) as refused:
        plan([template()], wrong, "Unknown", {})
    assert refused.value.where == "sv.yaml, line 1"


def planned(*templates, test_set=False, **settings):
    made = SampleSettings(**settings)
    return plan(templates, "en", "Unknown", {}, made, test_set=test_set)


def ids(made):
    return [sample.sample_id for sample in made.samples()]


def index(sample):
    return int(sample.sample_id.split("-")[-3])


def test_at_most_so_many_samples_of_a_template_are_taken():
    """Both variants have the same fillings, one at least, with the numbers of the full set."""
    for bound, per_variant in [(8, 1), (9, 1), (24, 3), (100, 12), (1, 1), (10_000, 36)]:
        made = planned(template(), template(name="home_life-002"), per_template=bound)
        assert made.taken == len(ids(made)) == 2 * 2 * 4 * per_variant
        assert made.count() == {"Home life": made.taken}
        assert made.possible == 2 * 2 * EVERY
        by_variant = {}
        for sample in made.samples():
            by_variant.setdefault(sample.sample_id[:14], set()).add(index(sample))
        assert by_variant["home_life-001a"] == by_variant["home_life-001b"]
        every = {sample.sample_id: sample for sample in planned(template()).samples()}
        taken = [sample for sample in made.samples() if sample.template_id == "home_life-001"]
        assert [every[sample.sample_id] for sample in taken] == taken


def test_pairs_and_versions_share_the_bound():
    """What one has no room for goes to the others."""
    small = template("cd", names="N1: [Ann]; N2: [Bob]", words="W1: [bus]; W2: [a car]")
    small_pair = tuple(
        replace(item, texts=replace(item.texts, names="N1: [Ann]; N2: [Bob]"))
        for item in small.variants
    )
    both = Template(small.id, (*template().variants, *small_pair))
    made = planned(both, per_template=80)
    assert Counter(item.variant for item in made.samples()) == {"a": 36, "b": 36, "c": 4, "d": 4}


def test_proper_names_are_bounded_where_people_have_them():
    """A version of proper names, or a template whose source says so; the bound holds beside."""
    name = "home_life-001a"
    version = Template(TemplateId.parse("home_life-001"), (variant(name), variant(f"{name}.p")))
    made = planned(version, proper_names=2)
    assert Counter("." in name for name in ids(made)) == {False: EVERY, True: 2 * 2 * 4}
    said = replace(variant(name), extra=(("bbq_proper_nouns_only", "TRUE"),))
    marked = Template(TemplateId.parse("home_life-001"), (said,))
    assert planned(marked, proper_names=2).taken == 2 * 2 * 4
    assert planned(marked, proper_names=2, per_template=12).taken == 12
    assert set(ids(planned(marked, proper_names=2, per_template=12))) < set(
        ids(planned(marked, proper_names=2))
    )


def test_a_filling_of_the_same_fillers_is_not_taken_again():
    """The samples of a list that has a name twice are those of the list without."""
    once = planned(template("a"))
    twice = planned(template("a", names="N1: [Ann, Ada, Amy, Ada]; N2: [Bob, Ben]"))
    assert twice.duplicates == 2 * 2 * 3 * 4
    assert twice.taken == once.taken == len(ids(twice))
    asked = {(item.context, item.question) for item in once.samples()}
    assert asked == {(item.context, item.question) for item in twice.samples()}
    # What is drawn stands for its repetitions: no variant is left out, and the numbers are known.
    same = template(names="N1: [Ann, Ann, Ann, Ann]; N2: [Bob, Bob]", words="W1: [bus]; W2: [car]")
    for settings in ({"test_set": True}, {"per_template": 8}):
        for seed in range(8):
            drawn = ids(planned(same, seed=seed, **settings))
            assert {name[:18] for name in drawn} == {f"home_life-001{it}-001" for it in "ab"}


@pytest.mark.parametrize("settings", [{}, {"once": True}])
@pytest.mark.parametrize("bound", [8, 24, 100])
def test_written_not_drawn_and_repeated_samples_are_all_there_are(settings, bound):
    """What repeats others is the same number whatever is drawn."""
    twice = template("ab", names="N1: [Ann, Ada, Amy, Ada]; N2: [Bob, Ben]")
    every, made = planned(twice, **settings), planned(twice, per_template=bound, **settings)
    there, written = len(ids(every)), len(ids(made))
    assert (every.not_drawn, every.duplicates) == (0, every.possible - there)
    assert made.possible == 2 * 4 * 2 * 2 * 3 * 4
    assert (made.duplicates, made.not_drawn) == (every.duplicates, there - written)
    assert made.count() == {"Home life": written}
    assert 0 < written < there < made.possible


def test_of_a_template_too_large_to_go_through_drawn_repeats_alone_are_counted(monkeypatch):
    """The others count as not drawn, so that all numbers make up what is possible."""
    monkeypatch.setattr("curation.bank.planning._COMPARED", 200)
    made = planned(template("ab"), per_template=144, once=True)
    written = len(ids(made))
    assert made.count() == {"Home life": written}
    assert made.duplicates == made.taken - written > 0
    assert made.not_drawn == made.possible - made.taken


def test_no_template_asks_anything_twice_where_the_settings_say_so():
    """The first of those that ask the same stays; a bounded set is a part of it."""
    made = planned(template("ab"), once=True)
    asked = Counter((item.context, item.question) for item in made.samples())
    assert set(asked.values()) == {1}
    assert made.count() == {"Home life": 2 * (3 * 2 * 2 * 2 + 3 * 2 * 2 * 3 * 2)}
    few = planned(template("ab"), once=True, per_template=24)
    assert set(ids(few)) < set(ids(made))
    assert 2 * 3 * 2 < len(ids(few)) <= 24


def test_every_template_that_cannot_be_filled_is_named():
    """The others are planned all the same; of many, twenty are named and the others counted."""
    bad = template(name="home_life-002", ambiguous_context="[N1] met [N3].")
    worse = template(name="home_life-003", names="N1: [Ann")
    assert not is_waiting(worse)
    made = planned(bad, template(), worse)
    assert [str(item.template.id) for item in made.templates] == ["home_life-001"]
    assert [(item.rule, item.file) for item in made.faults] == [
        ("template-unfillable", "bank"),
        ("template-unfillable", "bank"),
    ]
    refuse_faults(planned(template()).faults)
    every = [template(name=f"home_life-{at:03d}", ambiguous_context="[N3]") for at in range(1, 26)]
    for some, lines, last in (
        (
            [bad, worse],
            3,
            "    home_life-003: ',' or ']' was expected in a list (line 1, column 9) (bank)",
        ),
        (every, 22, "    ... and 5 more: 'curate stats --json' has them all"),
    ):
        with pytest.raises(CurateError) as refused:
            refuse_faults(planned(*some).faults)
        said = refused.value.what.splitlines()
        assert said[0] == f"{len(some)} templates cannot be filled:"
        assert (len(said), said[-1]) == (lines, last)


def test_more_samples_than_the_limit_are_refused_with_the_largest_templates():
    """Before any of them is made, however many there are."""
    names = ", ".join(f"Ann{at}" for at in range(3000))
    huge = template(name="home_life-002", names=f"N1: [{names}]; N2: [{names}]", words=TEXTS.words)
    made = planned(template(), huge, limit=400)
    assert made.taken == 2 * EVERY + 2 * 3000 * 3000 * 6 * 4
    with pytest.raises(CurateError) as refused:
        made.refuse_large()
    assert refused.value.what == (
        "there are 432,000,288 samples, more than the 400 of samples.limit; the largest templates: "
        "home_life-002 (432,000,000), home_life-001 (288)"
    )
    assert refused.value.where == "culture.yaml, samples.limit"
    assert "--per-template N" in refused.value.hint
    planned(template(), limit=288).refuse_large()
    planned(template(), limit=192, once=True).refuse_large()
    with pytest.raises(CurateError, match="there are 192 samples, more than the 191"):
        planned(template(), limit=191, once=True).refuse_large()
    planned(template(), huge, limit=400, per_template=200).refuse_large()
    planned(template(), huge, limit=400, test_set=True).refuse_large()
