"""What the ledger says now, and what a new set of rulings adds to it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from curation.model.survey import Decision, Outcome, Rule


@dataclass(frozen=True, slots=True)
class Change:
    """A ruling that supersedes an earlier one with another outcome or reason."""

    before: Decision
    after: Decision


@dataclass(frozen=True, slots=True)
class Additions:
    """What a run adds to the ledger.

    Attributes:
        decisions: New rulings, to be appended.
        changes: Those of them that turn an earlier ruling.
        unchanged: How many rulings stand as they were.
    """

    decisions: tuple[Decision, ...]
    changes: tuple[Change, ...]
    unchanged: int


def current(decisions: Iterable[Decision]) -> dict[tuple[str, Rule], Decision]:
    """Give the latest ruling on each subject by each rule."""
    return {(item.subject, item.rule): item for item in decisions}


def additions(
    ledger: Sequence[Decision], rulings: Iterable[Decision], by: str, at: str
) -> Additions:
    """Find the rulings that the ledger does not hold yet; who and when make no difference.

    Args:
        ledger: What was ruled before, in order.
        rulings: The rulings of this run.
        by: Who rules.
        at: When.
    """
    standing = current(ledger)
    new: list[Decision] = []
    changes: list[Change] = []
    unchanged = 0
    for ruling in rulings:
        before = standing.get((ruling.subject, ruling.rule))
        if before is not None and replace(before, by="", at="") == ruling:
            unchanged += 1
            continue
        signed = replace(ruling, by=by, at=at)
        new.append(signed)
        if before is not None and (before.outcome, before.reason) != (
            signed.outcome,
            signed.reason,
        ):
            changes.append(Change(before, signed))
    return Additions(tuple(new), tuple(changes), unchanged)


DROPPING_ORDER = (
    Rule.MIN_RESPONDENTS,
    Rule.TARGET_SELECTION,
    Rule.TWO_THIRDS,
    Rule.NO_STEREOTYPE,
    Rule.COMPREHENSION,
)
"""The order in which a template that falls by several rules is counted once."""


def drops(rulings: Iterable[Decision]) -> list[Decision]:
    """Give the rulings that drop their subject, in the order of the rules."""
    found = [item for item in rulings if item.outcome is Outcome.DROP]
    order = {rule: at for at, rule in enumerate(DROPPING_ORDER)}
    return sorted(found, key=lambda item: order.get(item.rule, len(order)))
