"""One person who is there twice: told by an address that is compared and never shown."""

from pathlib import Path

import pytest

from curation.records.errors import CurateError
from survey.mapping import Mapping, QuestionPart, RespondentPart
from survey.readers.received import Received, read_survey
from survey.readers.simple.reading import read_simple
from tests.survey.readers.platforms import put
from tests.survey.readers.test_simple import CULTURE, PAIR

ROWS = [
    ["Timestamp", "Email Address", "q-1"],
    ["2026-03-02 09:00", "Ann@example.org", "Bakers"],
    ["2026-03-02 09:01", "bo@example.org", "Potters"],
    ["2026-03-02 09:02", "n/a", "Potters"],
    ["2026-03-02 09:03", "n/a", "Potters"],
    ["2026-03-02 09:04", "ann@example.org ", "Potters"],
]


def received(folder: Path, **respondent: str) -> Received:
    """Read the rows by a mapping in which each is a respondent."""
    put(folder / "export.csv", ROWS)
    part = QuestionPart(
        id="q-1",
        kind=PAIR.kind,
        column="q-1",
        options={"Bakers": "1", "Potters": "2", "None": "none"},
    )
    mapping = Mapping(
        respondent=RespondentPart.model_validate({"id": "#row", **respondent}), questions=(part,)
    )
    return read_survey(folder / "export.csv", mapping, [PAIR], "en")


def test_rows_with_one_address_are_named(tmp_path: Path) -> None:
    """They still count as two; a word in place of an address is none."""
    found = received(tmp_path)
    assert len(found.answers.respondents) == 5
    (said,) = [item for item in found.findings if item.rule == "survey-same-person"]
    assert (said.row, said.column) == (6, "Email Address")
    assert said.message == (
        "2 respondents may be 1 person: their rows have the same in 'Email Address' (rows 2 and 6)"
    )
    assert not any("example.org" in f"{item.message}{item.hint}" for item in found.findings)


@pytest.mark.parametrize(("which", "votes"), [("first", [0, 1, 1, 1]), ("last", [1, 1, 1, 1])])
def test_a_mapping_says_that_they_are_one_person(
    tmp_path: Path, which: str, votes: list[int]
) -> None:
    """By the column of addresses, of which nothing is written."""
    with pytest.raises(CurateError, match="respondent row-2 answers in rows 2, 6"):
        received(tmp_path, person="Email Address")
    blank = [[*row[:1], "" if row[1] == "n/a" else row[1], *row[2:]] for row in ROWS]
    ROWS[:] = blank
    found = received(tmp_path, person="Email Address", duplicates=which)
    assert found.answers.respondents == ("row-2", "row-3", "row-4", "row-5")
    order = found.answers.respondent.argsort()
    chosen = [int(at) for at in order if found.answers.state[at] == 0]
    assert [int(found.answers.option[at]) for at in chosen] == votes
    assert [item.detail.split(":")[0] for item in found.excluded] == [
        {"first": "row 6", "last": "row 2"}[which]
    ]
    assert "survey-same-person" not in {item.rule for item in found.findings}


def test_ids_that_a_spreadsheet_shortened_are_no_duplicates(tmp_path: Path) -> None:
    """To keep one row of each would delete a person."""
    put(tmp_path / "table.csv", [["id", "q-1"], ["5.00E+23", "Bakers"], ["5.00E+23", "Potters"]])
    with pytest.raises(CurateError, match="has kept only the first digits") as caught:
        read_simple(tmp_path / "table.csv", [PAIR], CULTURE, {})
    assert caught.value.where.endswith("table.csv, row 2, column id")


def test_a_simple_table_is_looked_at_too(tmp_path: Path) -> None:
    """Two ids with one address."""
    rows = [[str(at) if at else "id", *row[1:]] for at, row in enumerate(ROWS)]
    put(tmp_path / "table.csv", rows)
    found = read_simple(tmp_path / "table.csv", [PAIR], CULTURE, {})
    assert found is not None
    (said,) = [item for item in found.findings if item.rule == "survey-same-person"]
    assert "(rows 2 and 6)" in said.message
