"""From templates to samples."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from curation.bank.generate import draw_index, expand, prepare
from curation.bank.planning import plan, refuse_faults
from curation.records.bank import Label, SampleId, Template, TemplateId, Texts, Variant, VariantId
from curation.records.culture import SampleSettings
from curation.records.messages import CurateError
from curation.records.sample import Sample

TEXTS = Texts(
    stereotype="They forget keys",
    ambiguous_context="[N1: Old Ann, Old Ada] and [N2] waited at the [W1].",
    disambiguating_context="[N1] had no key for [X1], [N2] one for [X2].",
    biased_question="Who forgot the key to [X1]?",
    counter_biased_question="Who had one?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    names="N1: [Ann, Ada]; N2: [Bob, Ben, Bo]",
    words="W1: [bus, tram]; X1: [a car]; X2: [a shed, a barn]",
    n1_groups=("women", "girls"),
    n2_groups=("men",),
)
GROUPS = {("Home life", "Ann"): ["women"], ("Home life", "Ada"): ["people", "girls", "all"]}
UNKNOWN = "Unknown"


def samples(templates, language, unknown, groups, seed=None):
    """The samples of templates, or with a seed their test set; what cannot be filled is refused."""
    settings = SampleSettings() if seed is None else SampleSettings(seed=seed)
    made = plan(templates, language, unknown, groups, settings, test_set=seed is not None)
    refuse_faults(made.faults)
    return made.samples()


def variant(letter="a", name="home_life-012", **texts):
    """A variant; b and d hold the lists of N1 and N2, X1 and X2 exchanged."""
    wording = TEXTS
    if letter in "bd":
        wording = replace(
            wording,
            ambiguous_context="[N1] and [N2: Old Ann, Old Ada] waited at the [W1].",
            names="N1: [Bob, Ben, Bo]; N2: [Ann, Ada]",
            words="W1: [bus, tram]; X1: [a shed, a barn]; X2: [a car]",
            n1_groups=wording.n2_groups,
            n2_groups=wording.n1_groups,
        )
    return Variant(
        VariantId.parse(f"{name}{letter}"),
        "Home life",
        Label.NEWLY_CREATED,
        replace(wording, **texts),
        source_id="3",
        source_category="Age",
        row=4,
    )


def made(item, indices=None):
    return list(expand(prepare(item, "en"), UNKNOWN, GROUPS, indices))


def template(letters="ab", name="home_life-012", **texts):
    variants = tuple(variant(letter, name, **texts) for letter in letters)
    return Template(TemplateId.parse(name), variants)


def test_a_filling_gives_four_samples():
    """Two contexts by two questions, every field by its value."""
    common = {
        "template_id": "home_life-012",
        "variant": "a",
        "category": "Home life",
        "label": "NC",
        "stereotype": "They forget keys",
        "choices": ("Ann", "Bob", "Unknown"),
        "n1_group": "women",
        "n2_group": "men",
        "source_id": "3",
        "source_category": "Age",
    }
    ambiguous = "Old Ann and Bob waited at the bus."
    contexts = {
        "amb": ambiguous,
        "dis": f"{ambiguous} Ann had no key for a car, Bob one for a barn.",
    }
    questions = {"bsd": "Who forgot the key to a car?", "cnt": "Who had one?"}
    own = {"bsd": "Ann", "cnt": "Bob"}
    other = {"bsd": "Bob", "cnt": "Ann"}
    assert made(variant(), [2]) == [
        Sample(
            sample_id=f"home_life-012a-002-{context}-{question}",
            context=contexts[context],
            question=questions[question],
            context_type=context,
            question_type=question,
            biased_answer=other[question],
            answer=UNKNOWN if context == "amb" else own[question],
            **common,  # names and values of fields
        )
        for context, question in product(contexts, questions)
    ]


def test_the_biased_answer_is_the_target_when_asked_with_bias():
    """In b and d the asked question's own answer is biased, in a and c the other one."""
    for letter in "abcd":
        biased = {"bsd": "N1", "cnt": "N2"} if letter in "bd" else {"bsd": "N2", "cnt": "N1"}
        for sample in made(variant(letter)):
            people = dict(zip(("N1", "N2"), sample.choices[:2], strict=True))
            assert sample.biased_answer == people[biased[sample.question_type]]
            assert sample.choices[2] == UNKNOWN


def test_fillings_come_in_row_major_order_of_the_declared_slots():
    """The last slot turns fastest; the index counts from 1 in three digits."""
    filled = made(variant())[::4]
    expected = list(
        product(["Ann", "Ada"], ["Bob", "Ben", "Bo"], ["bus", "tram"], ["a car"], ["shed", "barn"])
    )
    assert len(filled) == len(expected) == 24
    for number, (sample, values) in enumerate(zip(filled, expected, strict=True), start=1):
        assert sample.sample_id == f"home_life-012a-{number:03d}-amb-bsd"
        assert sample.choices[:2] == values[:2]
        assert sample.context.endswith(f"at the {values[2]}.")
    contexts = [sample.context for sample in made(variant())[2::4]]
    assert [text.rsplit(" ", 1)[1] for text in contexts] == ["shed.", "barn."] * 12


PLAIN = {
    "ambiguous_context": "[N1] and [N2].",
    "disambiguating_context": "[N1], not [N2].",
    "biased_question": "Who?",
}


GROUPED = [
    (("women",), "Zoe", "", {"women"}),
    (("women", "girls"), "Ada", "", {"girls"}),
    (("all", "people"), "Ada", "", {"people"}),
    (("women", "girls"), "Zoe", "", {"women, girls"}),
    (("women", "old"), "Ada", "", {"women, old"}),
    (("women", "Zoe"), "Zoe", "", {"Zoe"}),
    ((), "Zoe", "", {""}),
    (("old-sea", "old-hill", "young-sea"), "Ann {home: sea, age: old}", "", {"old-sea"}),
    (("old-sea", "young-sea", "old-hill"), "Ann {home: sea}", "", {"old-sea, young-sea"}),
    (("old-sea", "young-sea"), "Ann {home: sea}", "car {age: old}", {"old-sea"}),
    (("old-sea", "young-sea"), "Ann", "car", {"old-sea, young-sea"}),
    (
        ("old-sea", "young-sea", "old-hill", "young-hill"),
        "sea {home: sea}, hill {home: hill}",
        "car {age: old}, van {age: young}",
        {"old-sea", "young-sea", "old-hill", "young-hill"},
    ),
]


def test_a_person_is_of_a_declared_group():
    """Which of several, groups.csv tells, or features of it and of what goes with it."""
    for declared, name, bound, expected in GROUPED:
        words = f"X1: [{bound}]" if bound else ""
        item = variant(names=f"N1: [{name}]; N2: [Bob]", words=words, n1_groups=declared, **PLAIN)
        assert {sample.n1_group for sample in made(item)} == expected, (declared, name)


RENAMED = [
    (("seniors", "juniors"), ("old-sea", "young-sea"), {"seniors", "juniors"}),
    (("seniors", "young-sea"), ("old-sea", "young-sea"), {"seniors", "young-sea"}),
    # In another order, or as other groups altogether, nothing is known of the renamed ones.
    (("young-sea", "seniors"), ("old-sea", "young-sea"), {"young-sea"}),
    (("young-sea", "old-sea"), ("old-sea", "young-sea"), {"young-sea", "old-sea"}),
    (("seniors", "juniors"), ("old-sea",), {"seniors, juniors"}),
    (("seniors", "juniors"), (), {"seniors, juniors"}),
]


def test_features_tell_a_renamed_group_by_its_name_in_the_source():
    """It stands at the same place there; features keep the words that they were imported with."""
    words = "X1: [car {age: old}, van {age: young}]"
    for declared, source, expected in RENAMED:
        item = variant(
            names="N1: [Ann {home: sea}]; N2: [Bob]", words=words, n1_groups=declared, **PLAIN
        )
        item = replace(item, source_texts=Texts(n1_groups=source))
        assert {sample.n1_group for sample in made(item)} == expected


# The test set.


def test_the_test_set_draws_one_filling_for_each_pair():
    """Variants a and b have the same index, c and d one of their own."""
    seeds = range(40)
    drawn = []
    for seed in seeds:
        found = list(samples([template("abcd")], "en", UNKNOWN, GROUPS, seed))
        assert len(found) == 16
        index = {item.variant: SampleId.parse(item.sample_id).index for item in found}
        assert index["a"] == index["b"]
        assert index["c"] == index["d"]
        drawn.append((index["a"], index["c"]))
    assert any(one != other for one, other in drawn)
    assert len({one for one, _ in drawn}) > 10


def test_the_draw_does_not_change_between_versions():
    """A published test set can be drawn again: these indices are on record."""
    drawn = [
        draw_index(f"age-{at:03d}", pair, 42, 100) for at in range(1, 6) for pair in ("ab", "cd")
    ]
    assert drawn == [80, 72, 1, 74, 47, 86, 65, 5, 40, 61]


# Templates that give no sample twice.


def once(**texts):
    """A template marked so, whose c and d mention the people in the other order."""
    made = []
    for letter in "abcd":
        item = variant(letter, **texts)
        if letter in "cd":
            ambiguous = "[N2] and [N1] waited at the [W1]."
            wording = replace(item.texts, ambiguous_context=ambiguous)
            item = replace(item, texts=wording)
        elif "ambiguous_context" not in texts:
            wording = replace(item.texts, ambiguous_context="[N1] and [N2] waited at the [W1].")
            item = replace(item, texts=wording)
        made.append(replace(item, extra=(("samples_once", "true"),)))
    return Template(TemplateId.parse("home_life-012"), tuple(made))


SAME_QUESTION = {"biased_question": "Who forgot the key?"}


def test_a_marked_template_asks_each_question_about_each_context_once():
    """Order and role vary apart: c and d add disambiguated samples, X1 and X2 no ambiguous ones."""
    found = list(samples([once(**SAME_QUESTION)], "en", UNKNOWN, GROUPS))
    pairs, words, barns = 2 * 3, 2, 2
    assert Counter((item.variant, item.context_type) for item in found) == {
        ("a", "amb"): pairs * words * 2,
        ("b", "amb"): pairs * words * 2,
        **{(letter, "dis"): pairs * words * barns * 2 for letter in "abcd"},
    }
    asked = [(item.context, item.question) for item in found]
    assert len(set(asked)) == len(asked)
    unmarked = [
        replace(item, extra=(("samples_once", cell),))
        for item, cell in zip(once(**SAME_QUESTION).variants, ("", "false", "", ""), strict=True)
    ]
    every = Template(TemplateId.parse("home_life-012"), tuple(unmarked))
    twice = list(samples([every], "en", UNKNOWN, GROUPS))
    assert len(twice) == 4 * 24 * 4
    assert {(item.context, item.question) for item in twice} == set(asked)


def test_the_rows_number_says_which_of_equal_samples_stays():
    """The lowest stays, whatever its letter; rows without a number come first."""
    numbers = dict(zip("abcd", ("3", "", "4", "2"), strict=True))
    variants = tuple(
        replace(item, extra=(("samples_once", numbers[item.letter.value]),))
        for item in once(**SAME_QUESTION).variants
    )
    marked = Template(TemplateId.parse("home_life-012"), variants)
    found = list(samples([marked], "en", UNKNOWN, GROUPS))
    ambiguous = {item.variant for item in found if item.context_type == "amb"}
    assert ambiguous == {"b", "d"}
    same = {
        (item.context, item.question) for item in samples([once(**SAME_QUESTION)], "en", "", {})
    }
    assert {(item.context, item.question) for item in found} == same


def test_the_test_set_of_a_marked_template_has_one_filling_whole():
    """Twelve samples: two ambiguous contexts, four disambiguated ones, two questions each."""
    item = once(**SAME_QUESTION)
    every = list(samples([item], "en", UNKNOWN, GROUPS))
    for seed in range(30):
        drawn = list(samples([item], "en", UNKNOWN, GROUPS, seed))
        assert [sample for sample in every if sample in drawn] == drawn
        assert Counter((one.variant, one.context_type) for one in drawn) == {
            ("a", "amb"): 2,
            ("b", "amb"): 2,
            **{(letter, "dis"): 2 for letter in "abcd"},
        }
        assert len({frozenset(one.choices) for one in drawn}) == 1


def test_a_pair_whose_variants_differ_in_size_has_no_index():
    """The whole set can be made all the same; drawing names the template."""
    first, second = template().variants
    texts = replace(second.texts, words="W1: [bus]; X1: [a shed, a barn]; X2: [a car]")
    odd = Template(first.template_id, (first, replace(second, texts=texts)))
    assert len(list(samples([odd], "en", UNKNOWN, GROUPS))) == 4 * (24 + 12)
    with pytest.raises(CurateError) as refused:
        list(samples([odd], "en", UNKNOWN, GROUPS, 5))
    assert refused.value.what == (
        "home_life-012: the variants a and b have 24 and 12 fillings, so no index fits both"
    )


# Faults.


REFUSED = {
    "the list of slot N2 is still to be filled by the survey": {"names": "N1: [Ann]; N2: [*]"},
    "the list of slot N2 is empty": {"names": "N1: [Ann]; N2: []"},
    "slot N2 has no list of fillers": {"names": "N1: [Ann]"},
    "slot N1 has a list in names and one in words": {"words": "N1: [x]"},
    "',' or ']' was expected in a list (line 1, column 9)": {"names": "N1: [Ann"},
    "slot N1 lists 1 forms, none for 'Ada'": {"biased_answer": "[N1: Ann]"},
    "'은/는' is not a/an or A/An": {"biased_answer": "[N1|은/는]"},
    "']' was expected after slot N1 (line 1, column 4)": {"counter_biased_question": "[N1"},
    "condition 'W1 = W2': slot W2 has no list of fillers": {
        "words": f"{TEXTS.words}; N1 = N2; W1 = W2"
    },
    "no filling meets N1 = N2": {"words": f"{TEXTS.words}; N1 = N2"},
    "'Ann' has no form 'def' for [N1.def]": {"biased_answer": "[N1.def]"},
}


def test_a_variant_that_cannot_be_filled_names_its_row():
    for what, texts in REFUSED.items():
        with pytest.raises(CurateError) as refused:
            prepare(variant(**texts), "en")
        assert (refused.value.what, refused.value.where) == (what, "bank, row 4, home_life-012a")
        assert refused.value.hint
