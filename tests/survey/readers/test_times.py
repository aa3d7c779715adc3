"""How long respondents took, by the times at which they began and ended."""

from pathlib import Path

import pytest

from curation.records.errors import CurateError
from survey.mapping import Mapping, QuestionPart, ReadPart, RespondentPart
from survey.readers.inspection import inspect_file
from survey.readers.received import read_survey
from survey.readers.simple.reading import read_simple
from tests.survey.readers.platforms import put
from tests.survey.readers.population import QUESTIONS
from tests.survey.readers.test_simple import CULTURE
from tests.survey.readers.test_simple import QUESTIONS as SIMPLE

ASKED = QUESTIONS[1].id
HEADINGS = [
    ("Start time", "Completion time"),
    ("Startzeit", "Fertigstellungszeit"),
    ("\uc2dc\uc791 \uc2dc\uac04", "\uc644\ub8cc \uc2dc\uac04"),
]


@pytest.mark.parametrize(("started", "ended"), HEADINGS)
def test_a_simple_table_gives_the_seconds(tmp_path: Path, started: str, ended: str) -> None:
    """Microsoft Forms call the two columns so; who has no time has no duration."""
    rows = [
        ["ID", started, ended, "q-1"],
        ["1", "2026-01-31 09:00:00", "2026-01-31 09:12:34", "1"],
        ["2", "2026-01-31 23:59:30", "2026-02-01 00:00:15", "2"],
        ["3", "", "2026-02-01 00:00:15", "2"],
    ]
    put(tmp_path / "forms.csv", rows)
    found = read_simple(tmp_path / "forms.csv", SIMPLE, CULTURE, {})
    assert found is not None and found.answers is not None
    assert found.answers.attributes == {"duration_s": ("754", "45", "")}
    assert f"  column '{started}': when respondents began" in found.lines
    assert f"  column '{ended}': when respondents ended" in found.lines


@pytest.mark.parametrize(
    ("began", "ended"),
    [("31/01/2026 09:00", "31/01/2026 09:12"), ("2026-01-31", "2026-01-31")],
)
def test_what_gives_no_seconds_is_not_read(tmp_path: Path, began: str, ended: str) -> None:
    """The day before the month or after it, or no time of day: nobody's seconds are guessed."""
    rows = [["ID", "Start time", "Completion time", "q-1"], ["1", began, ended, "1"]]
    put(tmp_path / "forms.csv", rows)
    found = read_simple(tmp_path / "forms.csv", SIMPLE, CULTURE, {})
    assert found is not None and found.answers is not None
    assert found.answers.attributes == {}


def test_times_of_single_questions_are_not_read(tmp_path: Path) -> None:
    """A row for each answer may say how long that one took: the file is read without them."""
    rows = [
        ["respondent", "question", "answer", "Start time", "Completion time"],
        ["a", "q-1", "1", "2026-01-31 09:00:00", "2026-01-31 09:00:05"],
        ["a", "q-2", "1", "2026-01-31 09:00:05", "2026-01-31 09:00:12"],
    ]
    put(tmp_path / "rows.csv", rows)
    found = read_simple(tmp_path / "rows.csv", SIMPLE, CULTURE, {})
    assert found is not None and found.answers is not None
    assert found.answers.attributes == {}


def mapped(*, started: str | None = "from") -> Mapping:
    """A mapping that names the columns of the times."""
    return Mapping(
        read=ReadPart(),
        respondent=RespondentPart(id="who", started=started, submitted="to"),
        questions=(
            QuestionPart(
                id=ASKED,
                kind="choice",
                column=ASKED,
                options={"1": "1", "2": "2", "none": "none"},
                missing=("",),
            ),
        ),
    )


def test_a_mapping_names_the_two_columns(tmp_path: Path) -> None:
    """Seconds up to the time of submission, also with fractions."""
    rows = [["who", "from", "to", ASKED], ["a", "2026-01-31T09:00Z", "2026-01-31T09:00:01.5Z", ""]]
    put(tmp_path / "a.csv", rows)
    read = read_survey(tmp_path / "a.csv", mapped(), QUESTIONS, "ko")
    assert read.answers.attributes["duration_s"] == ("1.5",)
    without = read_survey(tmp_path / "a.csv", mapped(started=None), QUESTIONS, "ko")
    assert "duration_s" not in without.answers.attributes


@pytest.mark.parametrize(
    ("began", "ended", "message", "column"),
    [
        ("1/2/26 9:00", "2026-01-31 09:00", "'1/2/26 9:00' is not a time from which", "from"),
        (
            "2026-01-31 09:01",
            "2026-01-31 09:00",
            "the survey ended at '2026-01-31 09:00' and was begun later, at '2026-01-31 09:01'",
            "to",
        ),
    ],
)
def test_times_that_cannot_be_are_refused(
    tmp_path: Path, began: str, ended: str, message: str, column: str
) -> None:
    """With row and column, and what to do."""
    put(tmp_path / "a.csv", [["who", "from", "to", ASKED], ["a", began, ended, ""]])
    with pytest.raises(CurateError, match=r"time|ended") as caught:
        read_survey(tmp_path / "a.csv", mapped(), QUESTIONS, "ko")
    assert str(caught.value).startswith(message)
    assert "row 2" in str(caught.value.where) and column in str(caught.value.where)


def test_a_beginning_needs_an_end() -> None:
    """Seconds have two ends."""
    with pytest.raises(ValueError, match="'started' needs 'submitted'"):
        RespondentPart(id="who", started="from")


def test_a_draft_names_them(tmp_path: Path) -> None:
    """`survey inspect` drafts what the headings say."""
    rows = [
        ["respondent_id", "Start time", "Completion time", ASKED],
        ["a", "2026-01-31 09:00:00", "2026-01-31 09:12:34", "\ub178\uc778"],
        ["b", "2026-01-31 09:00:00", "2026-01-31 09:02:34", ""],
    ]
    put(tmp_path / "a.csv", rows)
    found = inspect_file(tmp_path / "a.csv", QUESTIONS, "ko", tmp_path / "forms")
    assert found.draft.mapping.respondent.started == "Start time"
    assert found.draft.mapping.respondent.submitted == "Completion time"
    read = read_survey(tmp_path / "a.csv", found.draft.mapping, QUESTIONS, "ko")
    assert read.answers.attributes["duration_s"] == ("754", "154")
