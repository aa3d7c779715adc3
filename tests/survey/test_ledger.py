"""What a new set of decisions adds to the ledger, and the ledger's file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.files.ledger import DECISION_COLUMNS, append_decisions, read_decisions
from curation.records.culture import SurveySettings
from curation.records.errors import CurateError
from curation.records.survey import Decision, Outcome, Rule, Stage, additions, current, drops
from survey.rules import decide

AT, LATER = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def decision(
    rule: Rule = Rule.TWO_THIRDS, outcome: Outcome = Outcome.KEEP, **more: Any
) -> Decision:
    """A decision on one question."""
    return replace(Decision("q-1", Stage.SURVEY, rule, outcome), **more)


def test_a_decision_is_signed_when_it_is_added(make: Any) -> None:
    """Who and when are the run's."""
    found = additions([], [decision()], "curate 1", AT)
    assert found.decisions == (decision(by="curate 1", at=AT),)
    assert (found.changes, found.unchanged) == ((), 0)


def test_the_same_decisions_add_nothing(make: Any) -> None:
    """Another day and another tool make no new decision."""
    ledger = additions([], [decision(), decision(Rule.NO_STEREOTYPE)], "curate 1", AT).decisions
    again = additions(ledger, [decision(), decision(Rule.NO_STEREOTYPE)], "curate 2", LATER)
    assert (again.decisions, again.changes, again.unchanged) == ((), (), 2)


def test_another_outcome_supersedes_and_is_told(make: Any) -> None:
    """The change names what was decided before, by whom, and what is decided now."""
    ledger = additions([], [decision()], "a", AT).decisions
    dropped = decision(outcome=Outcome.DROP, reason="below")
    found = additions(ledger, [dropped], "b", LATER)
    assert found.decisions == (replace(dropped, by="b", at=LATER),)
    assert [(item.before, item.after) for item in found.changes] == [
        (ledger[0], found.decisions[0])
    ]


def test_other_figures_with_the_same_outcome_are_added_and_turn_nothing(make: Any) -> None:
    """A new threshold is on record though it changes no template."""
    ledger = additions([], [decision(threshold=0.5)], "a", AT).decisions
    found = additions(ledger, [decision(threshold=0.6)], "a", AT)
    assert len(found.decisions) == 1
    assert found.changes == ()


def test_going_back_is_a_decision_of_its_own(make: Any) -> None:
    """Only the latest decision stands, so that the first one is given anew, not found again."""
    first = additions([], [decision()], "a", AT).decisions
    second = additions(first, [decision(outcome=Outcome.DROP)], "a", AT).decisions
    third = additions([*first, *second], [decision()], "a", LATER)
    assert third.decisions == (decision(by="a", at=LATER),)
    assert third.changes[0].before.outcome is Outcome.DROP


def test_the_latest_decision_of_each_rule_stands() -> None:
    """Rules stand beside one another; of one rule the last counts."""
    decisions = [decision(), decision(Rule.NO_STEREOTYPE), decision(outcome=Outcome.DROP)]
    assert list(current(decisions).values()) == [decisions[2], decisions[1]]


def test_drops_come_in_the_order_of_the_rules() -> None:
    """The first of them is where a template that falls by several is counted."""
    rules = [Rule.COMPREHENSION, Rule.NO_STEREOTYPE, Rule.MIN_RESPONDENTS, Rule.TWO_THIRDS]
    found = [decision(rule, Outcome.DROP) for rule in rules]
    kept = [decision(Rule.TARGET_SELECTION), decision(Rule.TARGET_SELECTION, Outcome.MODIFY)]
    assert [item.rule for item in drops([*kept, *found])] == [
        *(Rule.MIN_RESPONDENTS, Rule.TWO_THIRDS, Rule.NO_STEREOTYPE, Rule.COMPREHENSION)
    ]


# The file.


def decisions(make: Any, **thresholds: Any) -> list[Decision]:
    """Rule on one question of each kind."""
    tallies = [
        make.tally(make.choice(), 65, 32, 3),
        make.tally(make.select_all("A", "B", "C"), 70, 30, 4, 3, respondents=90),
        make.tally(make.select_all("A", "B", id="q-3"), 0, 0, 9),
        make.tally(make.comprehension(), 10, 49, 41),
    ]
    settings = SurveySettings(**thresholds)
    return [item for tally in tallies for item in decide(tally, settings)]


def test_the_ledger_gives_back_every_figure(make: Any, tmp_path: Path) -> None:
    """A decision that was read equals the one that was made, so that a second run adds nothing."""
    path = tmp_path / "decisions.csv"
    made = additions([], decisions(make), "curate", AT).decisions
    append_decisions(path, made)
    assert read_decisions(path) == list(made)
    assert additions(read_decisions(path), decisions(make), "x", LATER).decisions == ()


@given(
    k=st.integers(0, 3000),
    more=st.integers(0, 3000),
    share=st.fractions(0, 1, max_denominator=10_000),
)
def test_any_figures_survive_the_file(
    make: Any, tmp_path_factory: pytest.TempPathFactory, k: int, more: int, share: Any
) -> None:
    """No count and no threshold is so odd that writing it makes another decision of it."""
    path = tmp_path_factory.mktemp("ledger") / "decisions.csv"
    tally = make.tally(make.choice(), k, more, 1)
    settings = SurveySettings(stereotype_share=share, no_stereotype_limit=share)
    made = list(decide(tally, settings))
    append_decisions(path, made)
    assert read_decisions(path) == made


def test_appending_keeps_what_stands_there_to_the_byte(make: Any, tmp_path: Path) -> None:
    """Byte-order mark, quotes and line ends of a spreadsheet stay, and a lacking one is added."""
    path = tmp_path / "decisions.csv"
    header = ",".join(f'"{name}"' for name in DECISION_COLUMNS)
    row = '"q-1",survey,two_thirds,keep,"",,,,,,,,,curate,' + AT
    old = f"\ufeff{header}\r\n{row}".encode()
    path.write_bytes(old)
    append_decisions(path, [decision(Rule.NO_STEREOTYPE, by="curate", at=LATER)])
    assert path.read_bytes() == old + (
        f"\nq-1,survey,no_stereotype,keep,,,,,,,,,,curate,{LATER}\n".encode()
    )
    assert [item.rule for item in read_decisions(path)] == [Rule.TWO_THIRDS, Rule.NO_STEREOTYPE]


def test_nothing_is_appended_by_commas_to_a_ledger_of_semicolons(make: Any, tmp_path: Path) -> None:
    """It is read as a spreadsheet wrote it, and left as it is."""
    path = tmp_path / "decisions.csv"
    row = f"q-1;survey;two_thirds;keep;;;;;;;;;;curate;{AT}"
    path.write_text(f"{';'.join(DECISION_COLUMNS)}\n{row}\n", encoding="utf-8")
    before = path.read_bytes()
    assert [item.subject for item in read_decisions(path)] == ["q-1"]
    with pytest.raises(CurateError, match="separated by semicolons"):
        append_decisions(path, [decision(Rule.NO_STEREOTYPE, by="curate", at=LATER)])
    assert path.read_bytes() == before


def test_nothing_to_append_touches_nothing(tmp_path: Path) -> None:
    """No file appears without decisions."""
    append_decisions(tmp_path / "decisions.csv", [])
    assert not any(tmp_path.iterdir())


DAMAGE = {
    "header renamed": ("subject,", "id,", "the header lacks subject", 1),
    "header reordered": ("subject,stage,", "stage,subject,", "the ledger's header was changed", 1),
    "a column more": (",at\n", ",at,why\n", "the ledger's header was changed", 1),
    "rule": (
        ",two_thirds,",
        ",three_quarters,",
        "'three_quarters' is not allowed in column rule",
        3,
    ),
    "stage": (",survey,two", ",later,two", "'later' is not allowed in column stage", 3),
    "outcome": (",two_thirds,keep", ",two_thirds,stay", "'stay' is not allowed in column outc", 3),
    "count": (",65,97,", ",65.5,97,", "'65.5' is not allowed in column k", 3),
    "figure": (",0.670103,", ",n/a,", "'n/a' is not allowed in column value", 3),
    "no number": (",0.670103,", ",nan,", "'nan' is not allowed in column value", 3),
    "near": (",true,curate", ",perhaps,curate", "'perhaps' is not allowed in column near", 3),
    "ragged": (",two_thirds,", ",", "the row has 14 cells where the header has 15", 3),
    "quote": (",two_thirds,", ',"two_thirds,', "cannot be read", 3),
}


@pytest.mark.parametrize(("old", "new", "what", "row"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_ledger_is_one_clear_error(
    make: Any, tmp_path: Path, old: str, new: str, what: str, row: int
) -> None:
    """It is neither read in part nor appended to."""
    path = tmp_path / "decisions.csv"
    append_decisions(path, additions([], decisions(make), "curate", AT).decisions)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    before = path.read_bytes()
    for attempt in (read_decisions, lambda file: append_decisions(file, [decision()])):
        with pytest.raises(CurateError) as refused:
            attempt(path)
        assert what in refused.value.what
        assert f"{path}, row {row}" in refused.value.where
    assert path.read_bytes() == before


def test_an_empty_ledger_is_damaged(tmp_path: Path) -> None:
    """A file without a header is no ledger without decisions."""
    path = tmp_path / "decisions.csv"
    path.write_text("")
    with pytest.raises(CurateError, match=r"decisions\.csv is empty"):
        read_decisions(path)
