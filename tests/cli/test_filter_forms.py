"""Reading the toolkit's own forms, several to a survey."""

from pathlib import Path

from curation.io.tables import read_table
from tests.cli.conftest import Curate

HEADER = "respondent_id,question_id,kind,option,state,position,duration_s"


def test_answers_are_never_written_over_by_fewer(curate: Curate, demo: Path) -> None:
    """A second run with part of the survey is refused where it would lose answers."""
    folder = demo / "responses"
    received = (folder / "responses.csv").read_bytes()
    people = (folder / "respondents.csv").read_bytes()
    few = demo / "few.csv"
    lines = received.decode().splitlines()
    few.write_text("\n".join([lines[0], *lines[1:400]]) + "\n", encoding="utf-8")
    (demo / "few.yaml").write_text(
        "preset: normal\nrespondent: {id: respondent_id}\n", encoding="utf-8"
    )
    result = curate("filter", "-w", demo, "--survey", few, "--mapping", demo / "few.yaml")
    assert result.code == 1
    assert (folder / "responses.csv").read_bytes() == received
    assert (folder / "respondents.csv").read_bytes() == people
    assert not (demo / "decisions.csv").exists()


def test_rules_that_leave_nobody_are_refused(curate: Curate, demo: Path) -> None:
    """Nothing is decided, and nothing written, where every respondent is left out."""
    path = demo / "responses" / "respondents.csv"
    rows = read_table(path).rows
    path.write_text(
        "respondent_id,attention\n" + "".join(f"{row['respondent_id']},failed\n" for row in rows),
        encoding="utf-8",
    )
    result = curate("filter", "-w", demo, "--survey", demo / "responses" / "responses.csv")
    assert result.code == 1
    assert "nobody of 120 respondents is left" in result.err
    assert not (demo / "decisions.csv").exists()
