"""The questions that a bank asks."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.files.bank import GroupBook
from curation.files.outcomes import Questions
from curation.files.questionnaire import option_rows
from curation.records.bank import Label
from curation.records.culture import Category
from curation.records.messages import Severity, has_errors
from curation.records.survey import QuestionKind
from survey.building.questions import REFERENCE_COLUMN

SELECT, CHOICE, COMPREHENSION = (
    QuestionKind.SELECT_ALL,
    QuestionKind.CHOICE,
    QuestionKind.COMPREHENSION,
)


def of_kind(questions, kind):
    return [question for question in questions if question.kind is kind]


def test_shared_stereotype_is_asked_once(crafts):
    """Templates with one stereotype and one set of options share a question."""
    second = crafts.template(2, "They  hum at work ")
    built = crafts.build(crafts.template(1), second, crafts.template(3, other=("Weavers",)))
    assert len(of_kind(built.questions, CHOICE)) == 2
    assert len(of_kind(built.questions, COMPREHENSION)) == 3
    assert built.saved == 1
    assert set(built.subjects.values()) == {("craft", "They hum at work")}


def test_kind(crafts):
    """Label and category decide the kind, unless the reference names the non-targets too."""
    for label, question, flag, kind in [
        (Label.SIMPLY_TRANSFERRED, CHOICE, None, CHOICE),
        (Label.SIMPLY_TRANSFERRED, CHOICE, "false", CHOICE),
        (Label.TARGET_MODIFIED, CHOICE, None, SELECT),
        (Label.NEWLY_CREATED, SELECT, None, SELECT),
        (Label.NEWLY_CREATED, SELECT, "yes", CHOICE),
        (Label.TARGET_MODIFIED, CHOICE, "true", CHOICE),
    ]:
        extra = () if flag is None else ((REFERENCE_COLUMN, flag),)
        culture = crafts.culture.model_copy(
            update={"categories": (Category(id="Craft", question=question),)}
        )
        built = crafts.build(crafts.template(label=label, extra=extra), culture=culture)
        assert [item.kind for item in built.questions] == [kind, COMPREHENSION]
        assert not built.findings


def test_target_selection_needs_two_groups_of_which_one_counts(crafts):
    """Of two, one is a target only with the votes of everybody: a warning names the templates."""
    for size, rules in ((1, ["options"]), (2, ["kind", "few-options"]), (None, ["kind"])):
        both = crafts.open(), crafts.template(2, "They rise early")
        built = crafts.build(*both, groups=crafts.groups[:size])
        told = [item for item in built.findings if item.rule != "questionnaire-group-unknown"]
        assert [item.rule.removeprefix("questionnaire-") for item in told][-len(rules) :] == rules
        assert len(of_kind(built.questions, SELECT)) == (size != 1)
        if "few-options" in rules:
            assert "(craft-001, craft-002)" in told[-1].message
            assert told[-1].severity is Severity.WARNING


def variants(template, **changes):
    first, second = template.variants
    changed = replace(second, texts=replace(second.texts, **changes))
    return replace(template, variants=(first, changed))


def flagged(template, *cells):
    """A template with a column of the curators' own, one cell a variant."""
    pairs = zip(template.variants, cells, strict=True)
    marked = (replace(item, extra=((REFERENCE_COLUMN, cell),)) for item, cell in pairs)
    return replace(template, variants=tuple(marked))


REFUSED = {
    "says nothing": (
        "reference",
        lambda c: [flagged(c.template(label=Label.TARGET_MODIFIED), "maybe", "maybe")],
    ),
    "says two things": (
        "reference",
        lambda c: [flagged(c.template(label=Label.TARGET_MODIFIED), "true", "false")],
    ),
    "no stereotype": ("stereotype", lambda c: [c.template(stereotype=" ")]),
    "slots": ("slots", lambda c: [c.template(stereotype="[N1] hums")]),
    "no groups": ("groups", lambda c: [c.template(target=(), other=())]),
    "one side": ("groups", lambda c: [c.template(other=("Bakers",))]),
    "target of nobody": ("groups", lambda c: [c.template(target_groups=("Weavers",))]),
    "variants differ": ("groups", lambda c: [variants(c.template(), n2_groups=("Weavers",))]),
    "unknown group": ("group-unknown", lambda c: [c.template(other=("Smiths",))]),
    "unknown among all": (
        "group-unknown",
        lambda c: [c.template(other=("Smiths",), label=Label.TARGET_MODIFIED)],
    ),
    "exchanged": (
        "sides",
        lambda c: [c.template(1), c.template(2, target=("Potters",), other=("Bakers",))],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(crafts, name):
    """What cannot be asked about is an error that names the template and its row."""
    rule, make = REFUSED[name]
    found = crafts.build(*make(crafts)).findings
    assert {item.rule for item in found} == {f"questionnaire-{rule}"}
    assert has_errors(found)
    assert found[0].row and found[0].message.startswith("craft-00")


NAMES = st.sampled_from(["Bakers", "Potters", "Glaziers", "Weavers"])
SIDES = st.lists(NAMES, min_size=2, max_size=4, unique=True).flatmap(
    lambda names: st.integers(1, len(names) - 1).map(lambda cut: (names[:cut], names[cut:]))
)
LABELS = st.sampled_from([Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.NEWLY_CREATED])
ROWS = st.lists(
    st.tuples(st.sampled_from(["hum", "sing", "whistle"]), SIDES, LABELS), min_size=1, max_size=8
)


@settings(max_examples=30, deadline=None)
@given(rows=ROWS, order=st.randoms(use_true_random=False))
def test_permuting_the_bank(crafts, rows, order):
    """The order of the bank's rows changes nothing, and every template has exactly its question."""
    templates = [
        crafts.template(number, f"They {what}", target, other, label)
        for number, (what, (target, other), label) in enumerate(rows, start=1)
    ]
    mixed = order.sample(templates, len(templates))
    built, again = crafts.build(*templates), crafts.build(*mixed)
    first, second = (
        [option_rows(question, GroupBook()) for question in item.questions]
        for item in (built, again)
    )
    assert first == second
    assert len({item.id for item in built.questions}) == len(built.questions)
    if not has_errors(built.findings):
        book = Questions(built.questions)
        matches = [book.match(template)[0] for template in templates]
        assert None not in matches
        asked = {item.id for item in built.questions if item.kind is not COMPREHENSION}
        assert {item.id for item in matches if item} == asked
