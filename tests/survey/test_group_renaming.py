"""Groups that a survey asked about, and groups that get another name."""

from curation.records.culture import Category, Culture
from curation.records.survey import Option, Question, QuestionKind, Role, Standing, TargetRow
from survey.group_renaming import asked_groups
from survey.outcomes import Renaming


def standing(category: str, group: str) -> TargetRow:
    """The standing of a group."""
    kind = QuestionKind.SELECT_ALL
    return TargetRow(category, "They hum", kind, group, 1, 2, 0, 2, 1.0, Standing.TARGET)


def test_names_of_questions_and_standings_are_given_as_they_were_asked() -> None:
    """By the category's name of now; a name that only looks like a list is one name."""
    culture = Culture(
        culture="X",
        language="en",
        unknown="U",
        categories=(Category(id="Work", sources=("Craft",)), Category(id="Age")),
    )
    options = (
        Option("1", ("Bakers", "Millers"), Role.TARGET),
        Option("2", ("Potters",), Role.NON_TARGET),
        Option("none", (), Role.NONE),
    )
    questions = [
        Question("q-1", QuestionKind.CHOICE, "Craft", "They hum", options),
        Question(
            "q-2", QuestionKind.CHOICE, "Age", "They hum", (Option("1", ("Old",), Role.TARGET),)
        ),
    ]
    targets = [
        standing("Craft", "Dyers, Weavers"),
        standing("Work", "[Smiths"),
        standing("Age", "Young"),
    ]
    renaming = Renaming(culture, frozenset({"Work", "Age"}))
    assert asked_groups("Work", questions, targets, renaming) == {
        *("Bakers", "Millers", "Potters"),
        *("Dyers, Weavers", "Dyers", "Weavers", "[Smiths"),
    }
    assert asked_groups("Age", questions, targets, renaming) == {"Old", "Young"}
