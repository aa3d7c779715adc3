"""The questions that a bank asks."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.records.bank import Group, Label, Template
from curation.records.culture import Category
from curation.records.findings import Severity, has_errors
from curation.records.survey import Option, Question, QuestionKind, Role, question_id
from survey.building.questions import REFERENCE_COLUMN, build_questions, ordered_groups
from survey.building.tables import questionnaire_rows
from survey.outcomes import Questions

SELECT, CHOICE, COMPREHENSION = (
    QuestionKind.SELECT_ALL,
    QuestionKind.CHOICE,
    QuestionKind.COMPREHENSION,
)


def of_kind(questions: tuple[Question, ...], kind: QuestionKind) -> list[Question]:
    """The questions of one kind."""
    return [question for question in questions if question.kind is kind]


def test_choice_options(crafts: Any) -> None:
    """A template asks about its target first, then the others, then 'no stereotype'."""
    built = crafts.build(crafts.template(target=("Bakers", "Weavers"), other=("Potters",)))
    (question,) = of_kind(built.questions, CHOICE)
    assert question.options == (
        Option("1", ("Bakers", "Weavers"), Role.TARGET, True, "Bakers, Weavers"),
        Option("2", ("Potters",), Role.NON_TARGET, True, "Potters"),
        Option("none", (), Role.NONE, False, "There is none"),
    )
    groups = [("Bakers", "Weavers"), ("Potters",)]
    assert question.id == question_id(CHOICE, "Craft", "They hum at work", groups)


def test_target_person_of_some_target_groups(crafts: Any) -> None:
    """Where the target person is of some of the target groups, those are the option."""
    template = crafts.template(target_groups=("Weavers", "Bakers"))
    (question,) = of_kind(crafts.build(template).questions, CHOICE)
    assert [option.groups for option in question.options] == [("Bakers",), ("Potters",), ()]


def test_select_all_options(crafts: Any) -> None:
    """Target selection offers every group, a part behind its parent, and copies what counts."""
    built = crafts.build(crafts.open())
    (question,) = of_kind(built.questions, SELECT)
    assert [(option.code, option.text, option.counts) for option in question.options] == [
        ("1", "Bakers", True),
        ("2", "Potters", True),
        ("3", "Glaziers", False),
        ("4", "Weavers", True),
        ("none", "There is none", False),
    ]


def test_shared_stereotype_is_asked_once(crafts: Any) -> None:
    """Templates with one stereotype and one set of options share a question."""
    second = crafts.template(2, "They  hum at work ")
    built = crafts.build(crafts.template(1), second, crafts.template(3, other=("Weavers",)))
    assert len(of_kind(built.questions, CHOICE)) == 2
    assert len(of_kind(built.questions, COMPREHENSION)) == 3
    assert built.saved == 1
    assert set(built.subjects.values()) == {("craft", "They hum at work")}


@pytest.mark.parametrize(
    ("label", "question", "flag", "kind"),
    [
        (Label.SIMPLY_TRANSFERRED, CHOICE, None, CHOICE),
        (Label.SIMPLY_TRANSFERRED, CHOICE, "false", CHOICE),
        (Label.TARGET_MODIFIED, CHOICE, None, SELECT),
        (Label.NEWLY_CREATED, SELECT, None, SELECT),
        (Label.NEWLY_CREATED, SELECT, "yes", CHOICE),
        (Label.TARGET_MODIFIED, CHOICE, "true", CHOICE),
    ],
)
def test_kind(
    crafts: Any, label: Label, question: QuestionKind, flag: str | None, kind: QuestionKind
) -> None:
    """Label and category decide the kind, unless the reference names the non-targets too."""
    extra = () if flag is None else ((REFERENCE_COLUMN, flag),)
    culture = crafts.culture.model_copy(
        update={"categories": (Category(id="Craft", question=question),)}
    )
    built = crafts.build(crafts.template(label=label, extra=extra), culture=culture)
    assert [item.kind for item in built.questions] == [kind, COMPREHENSION]
    assert not built.findings


def test_select_all_goes_before_choice(crafts: Any) -> None:
    """A stereotype that one template asks with all groups is asked so for the others too."""
    built = crafts.build(crafts.template(1), crafts.template(2, label=Label.TARGET_MODIFIED))
    assert [item.kind for item in built.questions] == [SELECT, COMPREHENSION, COMPREHENSION]
    assert [(item.rule, item.severity) for item in built.findings] == [
        ("questionnaire-kind", Severity.INFO)
    ]


def test_comprehension(crafts: Any) -> None:
    """A question of comprehension has the wrong answer, the right one and the unknown."""
    built = crafts.build(crafts.template())
    question = built.questions[-1]
    assert (question.id, question.template_id) == ("c-craft-001", "craft-001")
    assert [(option.code, option.text, option.role.value) for option in question.options] == [
        ("1", "Bob", "wrong"),
        ("2", "Ann", "correct"),
        ("3", "Unknown", "wrong"),
    ]
    assert built.subjects["c-craft-001"] == ("craft", "They hum at work")


def test_removed_is_not_asked(crafts: Any) -> None:
    """A template labelled SR asks nothing."""
    built = crafts.build(crafts.template(1, label=Label.SAMPLE_REMOVED), crafts.template(2))
    assert [item.template_id for item in built.questions if item.template_id] == ["craft-002"]


def variants(template: Template, **changes: Any) -> Template:
    """Change the texts of the second variant alone."""
    first, second = template.variants
    changed = replace(second, texts=replace(second.texts, **changes))
    return replace(template, variants=(first, changed))


REFUSED: dict[str, tuple[str, Callable[[Any], Any]]] = {
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
def test_refused(crafts: Any, name: str) -> None:
    """What cannot be asked about is an error that names the template and its row."""
    rule, make = REFUSED[name]
    found = crafts.build(*make(crafts)).findings
    assert {item.rule for item in found} == {f"questionnaire-{rule}"}
    assert has_errors(found)
    assert found[0].row and found[0].message.startswith("craft-00")


def from_source(template: Template, **own: Any) -> Template:
    """A translated template: its groups are the source's, the culture's own are given."""
    empty = {"target_groups": (), "n1_groups": (), "n2_groups": ()}
    parts = (
        replace(item, source_texts=item.texts, texts=replace(item.texts, **{**empty, **own}))
        for item in template.variants
    )
    return replace(template, variants=tuple(parts))


@pytest.mark.parametrize(
    ("own", "left"),
    [
        ({}, "Bakers, Potters"),
        ({"target_groups": ("Confiseurs",), "n1_groups": ("Bakers",)}, "Bakers, Potters"),
    ],
)
def test_groups_of_the_source_are_to_be_renamed(
    crafts: Any, own: dict[str, Any], left: str
) -> None:
    """Where groups have the source's names alone, the command that gives them others is told."""
    found = crafts.build(from_source(crafts.template(), **own)).findings
    assert [item.rule for item in found] == ["questionnaire-groups"]
    assert found[0].message == (
        "craft-001: it states no two sides to ask about: groups of the source have no name here "
        f"({left})"
    )
    assert found[0].hint == (
        "give each its name: curate groups rename Craft Bakers NEW_NAME --from-source"
    )


def test_unclear_sides_of_the_source_are_no_matter_of_names(crafts: Any) -> None:
    """Where nothing was renamed and every cell is there, the groups themselves are to be fixed."""
    template = crafts.template(target_groups=("Weavers",))
    same = (replace(item, source_texts=item.texts) for item in template.variants)
    (found,) = crafts.build(replace(template, variants=tuple(same))).findings
    assert found.message == "craft-001: it states no two sides to ask about"
    assert found.hint.startswith("the groups of one person must be in target_groups")


@pytest.mark.parametrize(("first", "second"), [("maybe", "maybe"), ("true", "false")])
def test_unclear_reference(crafts: Any, first: str, second: str) -> None:
    """A column of the curators' own that says nothing, or two things, is refused."""
    template = crafts.template(label=Label.TARGET_MODIFIED)
    cells = zip(template.variants, (first, second), strict=True)
    marked = [replace(item, extra=((REFERENCE_COLUMN, cell),)) for item, cell in cells]
    found = crafts.build(replace(template, variants=tuple(marked))).findings
    assert [item.rule for item in found if item.severity is Severity.ERROR] == [
        "questionnaire-reference"
    ]


@pytest.mark.parametrize(
    "groups",
    [
        (),
        (Group("Craft", "Bakers"),),
        (Group("Craft", "Bakers", counts=False), Group("Craft", "Potters", counts=False)),
    ],
)
def test_too_few_groups(crafts: Any, groups: tuple[Group, ...]) -> None:
    """Target selection needs two groups to choose from, one of which counts."""
    found = crafts.build(crafts.open(), groups=groups).findings
    assert [item.rule for item in found] == ["questionnaire-options"]


def test_answers_alike(crafts: Any) -> None:
    """A question of comprehension whose answers read alike is refused."""
    same = replace(crafts.understanding("craft-001"), wrong="Ann ")
    built = build_questions(
        [crafts.template()], crafts.culture, crafts.groups, {"craft-001": same}, "None"
    )
    assert [item.rule for item in built.findings] == ["questionnaire-answers"]


def test_control_characters(crafts: Any) -> None:
    """A stereotype with a character that nobody sees is refused: forms could not hold it."""
    found = crafts.build(crafts.template(stereotype="They\x08hum")).findings
    assert [item.rule for item in found] == ["questionnaire-characters"]


def test_unlabelled_is_said(crafts: Any) -> None:
    """A template that nobody has classified is asked about, with a warning."""
    built = crafts.build(crafts.template(label=None))
    assert [item.rule for item in built.findings] == ["questionnaire-label"]
    assert not has_errors(built.findings)


def test_groups_in_a_circle() -> None:
    """Groups that are each other's parents are listed once, all of them."""
    groups = [
        Group("Craft", "A", parent="B"),
        Group("Craft", "B", parent="A"),
        Group("Craft", "C", parent="C"),
        Group("Craft", "D", parent="Nowhere"),
    ]
    assert sorted(item.group for item in ordered_groups(groups, "Craft")) == ["A", "B", "C", "D"]


NAMES = st.sampled_from(["Bakers", "Potters", "Glaziers", "Weavers"])
SIDES = st.lists(NAMES, min_size=2, max_size=4, unique=True).flatmap(
    lambda names: st.integers(1, len(names) - 1).map(lambda cut: (names[:cut], names[cut:]))
)
LABELS = st.sampled_from([Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.NEWLY_CREATED])
ROWS = st.lists(
    st.tuples(st.sampled_from(["hum", "sing", "whistle"]), SIDES, LABELS), min_size=1, max_size=8
)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, order=st.randoms(use_true_random=False))
def test_permuting_the_bank(crafts: Any, rows: list[Any], order: Any) -> None:
    """The order of the bank's rows changes nothing, and every template has exactly its question."""
    templates = [
        crafts.template(number, f"They {what}", target, other, label)
        for number, (what, (target, other), label) in enumerate(rows, start=1)
    ]
    mixed = order.sample(templates, len(templates))
    built, again = crafts.build(*templates), crafts.build(*mixed)
    assert list(questionnaire_rows(built.questions)) == list(questionnaire_rows(again.questions))
    assert len({item.id for item in built.questions}) == len(built.questions)
    if not has_errors(built.findings):
        book = Questions(built.questions)
        matches = [book.match(template).question for template in templates]
        assert None not in matches
        asked = {item.id for item in built.questions if item.kind is not COMPREHENSION}
        assert {item.id for item in matches if item} == asked
