"""What the survey asked, in the names of now."""

from typing import Any

import pytest

from curation.records.culture import Culture
from curation.records.errors import CurateError
from survey.outcomes import Renaming


def culture(**renamed: list[str]) -> Culture:
    """A culture whose category Work was Craft, with renamed groups."""
    category = {"id": "Work", "sources": ["Craft"], "renamed_groups": renamed}
    settings = {"culture": "N", "language": "en", "unknown": "?", "categories": [category]}
    return Culture.model_validate(settings)


def test_questions_keep_their_ids_and_get_the_names_of_now(make: Any) -> None:
    """Of categories, groups and templates; votes stay with their options."""
    renaming = Renaming(culture(Confectioners=["Bakers"]), (), {"craft-001": "work-007"})
    asked = make.tally(make.choice("Bakers, Smiths", "Potters"), 5, 4, 3)
    understood = make.tally(make.comprehension(), 1, 2, 3)
    found, read = renaming.tallies([asked, understood])
    assert (found.question.id, found.votes, found.question.category) == ("q-1", (5, 4, 3), "Work")
    assert [option.groups for option in found.question.options] == [
        *(("Confectioners", "Smiths"), ("Potters",), ())
    ]
    assert (read.question.id, read.question.template_id) == ("c-craft-001", "work-007")


def test_groups_that_people_chose_between_are_not_one(make: Any) -> None:
    """Joining them would count votes for either as votes for both."""
    asked = make.tally(make.select_all("Bakers", "Smiths", "Potters"), 5, 4, 3, 2, respondents=9)
    with pytest.raises(CurateError, match="q-2 asks about Bakers and Smiths as different") as error:
        Renaming(culture(Makers=["Bakers", "Smiths"])).tallies([asked])
    assert error.value.where == "culture.yaml, categories.Work.renamed_groups, Makers"
