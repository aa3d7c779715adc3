"""What the survey asked, in the names of now."""

import pytest

from curation.files.bank import GroupBook
from curation.files.outcomes import Renaming
from curation.files.questionnaire import MERGED
from curation.records.bank import Group
from curation.records.culture import Culture
from curation.records.messages import CurateError
from survey.counts import read_counts, write_counts

CULTURE = Culture.model_validate(
    {
        **{"culture": "N", "language": "en", "unknown": "?"},
        "categories": [{"id": "Work", "sources": ["Craft"]}],
    }
)


def book(**merged):
    """Groups of the category; Bakers were renamed, and some go into others."""
    groups = [
        Group("Work", "Confectioners", key="Bakers"),
        *(Group("Work", name, same_as=merged.get(name, "")) for name in ("Smiths", "Potters")),
    ]
    return GroupBook(groups, CULTURE)


def counted(tally, path, **merged):
    """Counts that were written before groups were renamed and merged, as they are read now."""
    write_counts(path, [tally])
    (found,) = read_counts(path, CULTURE, book(**merged))
    return found


def test_questions_keep_their_ids_and_get_the_names_of_now(make, tmp_path):
    """Of categories, groups and templates; votes stay with their options."""
    renaming = Renaming(CULTURE, (), {"craft-001": "work-007"})
    asked = make.tally(make.choice("Bakers, Smiths", "Potters"), 5, 4, 3)
    asked = counted(asked, tmp_path / "counts.json")
    understood = make.tally(make.comprehension(), 1, 2, 3)
    found, read = renaming.tallies([asked, understood])
    assert (found.question.id, found.votes, found.question.category) == ("q-1", (5, 4, 3), "Work")
    assert [option.groups for option in found.question.options] == [
        *(("Confectioners", "Smiths"), ("Potters",), ())
    ]
    assert (read.question.id, read.question.template_id) == ("c-craft-001", "work-007")


def test_groups_that_people_chose_between_are_not_one(make, tmp_path):
    """Joining them would count votes for either as votes for both."""
    asked = make.tally(make.select_all("Bakers", "Smiths", "Potters"), 5, 4, 3, 2, respondents=9)
    with pytest.raises(CurateError, match="'Bakers' and 'Smiths' are the same groups") as refused:
        counted(asked, tmp_path / "counts.json", Smiths="Bakers")
    assert refused.value.hint == MERGED
