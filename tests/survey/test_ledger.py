"""What a new set of decisions adds to the ledger, and the ledger's file."""

from dataclasses import replace

import pytest

from curation.files.codec import DECISIONS
from curation.files.workspace import Workspace
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError
from curation.records.survey import Decision, Outcome, Rule, Stage, additions, drops
from survey.rules import decide

AT, LATER = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def decision(rule=Rule.TWO_THIRDS, outcome=Outcome.KEEP, **more):
    return replace(Decision("q-1", Stage.SURVEY, rule, outcome), **more)


def test_another_outcome_supersedes_and_is_told(make):
    """The change names what was decided before, by whom, and what is decided now."""
    ledger = additions([], [decision()], "a", AT).decisions
    dropped = decision(outcome=Outcome.DROP, reason="below")
    found = additions(ledger, [dropped], "b", LATER)
    assert found.decisions == (replace(dropped, by="b", at=LATER),)
    assert found.changes == ({"before": ledger[0], "after": found.decisions[0]},)
    assert additions(found.decisions, [decision()], "a", AT).decisions[0].at == LATER


def test_the_latest_decision_holds_however_rows_were_sorted(tmp_path):
    """A spreadsheet sorts them by any column; of one time the order of the file stays."""
    workspace, dropped = Workspace(tmp_path), decision(outcome=Outcome.DROP)
    rows = [replace(dropped, at=LATER), decision(at=AT), decision(at=LATER)]
    DECISIONS.append(workspace.ledger_file, rows)
    assert workspace.decisions == [rows[1], rows[0], rows[2]]
    other, mixed = Workspace(tmp_path / "a"), [replace(dropped, at="29.11.2025"), *rows]
    DECISIONS.append(other.ledger_file, mixed)
    assert other.decisions == mixed  # one time is written as the spreadsheet has it
    assert additions(mixed, [dropped], "a", AT).decisions[0].at == LATER


def test_drops_come_in_the_order_of_the_rules():
    """The first of them is where a template that falls by several is counted."""
    rules = [Rule.COMPREHENSION, Rule.NO_STEREOTYPE, Rule.MIN_RESPONDENTS, Rule.TWO_THIRDS]
    found = [decision(rule, Outcome.DROP) for rule in rules]
    kept = [decision(Rule.TARGET_SELECTION), decision(Rule.TARGET_SELECTION, Outcome.MODIFY)]
    assert [item.rule for item in drops([*kept, *found])] == [
        *(Rule.MIN_RESPONDENTS, Rule.TWO_THIRDS, Rule.NO_STEREOTYPE, Rule.COMPREHENSION)
    ]


# The file.


def decisions(make, **thresholds):
    tallies = [
        make.tally(make.choice(), 65, 32, 3),
        make.tally(make.select_all("A", "B", "C"), 70, 30, 4, 3, respondents=90),
        make.tally(make.select_all("A", "B", id="q-3"), 0, 0, 9),
        make.tally(make.comprehension(), 10, 49, 41),
    ]
    settings = SurveySettings(**thresholds)
    return [item for tally in tallies for item in decide(tally, settings)]


def test_the_ledger_gives_back_every_figure(make, tmp_path):
    """A decision that was read equals the one that was made, so that a second run adds nothing."""
    path = tmp_path / "decisions.csv"
    made = additions([], decisions(make), "curate", AT).decisions
    DECISIONS.append(path, made)
    assert DECISIONS.read(path) == list(made)
    assert additions(DECISIONS.read(path), decisions(make), "x", LATER).decisions == ()


def test_appending_keeps_what_stands_there_to_the_byte(make, tmp_path):
    """Byte-order mark, quotes and line ends of a spreadsheet stay, and a lacking one is added."""
    path = tmp_path / "decisions.csv"
    header = ",".join(f'"{name}"' for name in DECISIONS.columns)
    row = '"q-1",survey,two_thirds,keep,"",,,,,,,,,curate,' + AT
    old = f"\ufeff{header}\r\n{row}".encode()
    path.write_bytes(old)
    DECISIONS.append(path, [decision(Rule.NO_STEREOTYPE, by="curate", at=LATER)])
    assert path.read_bytes() == old + (
        f"\nq-1,survey,no_stereotype,keep,,,,,,,,,,curate,{LATER}\n".encode()
    )
    assert [item.rule for item in DECISIONS.read(path)] == [Rule.TWO_THIRDS, Rule.NO_STEREOTYPE]


def test_nothing_is_appended_by_commas_to_a_ledger_of_semicolons(make, tmp_path):
    """It is read as a spreadsheet wrote it, and left as it is."""
    path = tmp_path / "decisions.csv"
    row = f"q-1;survey;two_thirds;keep;;;;;;;;;;curate;{AT}"
    path.write_text(f"{';'.join(DECISIONS.columns)}\n{row}\n", encoding="utf-8")
    before = path.read_bytes()
    assert [item.subject for item in DECISIONS.read(path)] == ["q-1"]
    with pytest.raises(CurateError, match="separated by semicolons"):
        DECISIONS.append(path, [decision(Rule.NO_STEREOTYPE, by="curate", at=LATER)])
    assert path.read_bytes() == before


DAMAGE = [
    ("subject,", "id,", 1),
    ("subject,stage,", "stage,subject,", 1),
    (",at\n", ",at,why\n", 1),
    (",two_thirds,", ",three_quarters,", 3),
    (",survey,two", ",later,two", 3),
    (",two_thirds,keep", ",two_thirds,stay", 3),
    (",65,97,", ",65.5,97,", 3),
    (",0.670103,", ",n/a,", 3),
    (",0.670103,", ",nan,", 3),
    (",true,curate", ",perhaps,curate", 3),
    (",two_thirds,", ",", 3),
    (",two_thirds,", ',"two_thirds,', 3),
]


def test_a_damaged_ledger_is_one_clear_error(make, tmp_path):
    """It is neither read in part nor appended to."""
    path = tmp_path / "decisions.csv"
    DECISIONS.append(path, additions([], decisions(make), "curate", AT).decisions)
    text = path.read_text()
    for old, new, row in DAMAGE:
        assert old in text
        path.write_text(text.replace(old, new, 1))
        before = path.read_bytes()
        for attempt in (DECISIONS.read, lambda file: DECISIONS.append(file, [decision()])):
            with pytest.raises(CurateError) as refused:
                attempt(path)
            assert f"{path}, row {row}" in refused.value.where, new
        assert path.read_bytes() == before
