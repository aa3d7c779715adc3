"""Surveys drawn anew: how often they decide the same, and how often chance alone keeps a question.

Both are simulated from a question's own design, with a seed of its own, so that a question has the
same numbers whatever is asked beside it. They decide nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import numpy.typing as npt

from curation.records.culture import SurveySettings
from curation.records.survey import Outcome, QuestionKind, Role, Standing, Tally
from survey.rules import (
    above,
    below,
    counting_options,
    decide,
    group_standing,
    is_non_target,
    is_target,
    named_any,
    rounded,
)

DRAWS = 1000
"""Surveys drawn for each question: the standard error of a rate is at most .016."""
SEED = 42
_Votes = npt.NDArray[np.int64]
_Kept = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Redrawn:
    """What surveys of as many people decide that are drawn from a question's own counts.

    Attributes:
        same: Share of them with the same decision, kept or dropped.
        roles: Of each option that names groups the share in which it has its role again: target,
            non-target or neither. None except for target selection.
        chance: Of target selection: how often surveys keep the question in which all options are
            named equally often, by as many people and as many groups a person. None for other
            kinds, and where nobody named a group.
    """

    same: float
    roles: tuple[float, ...] = ()
    chance: float | None = None


def redrawn(tallies: Iterable[Tally], settings: SurveySettings) -> dict[str, Redrawn]:
    """Draw every question on a stereotype anew, by its id; those that nobody answered are left out.

    The number of those who say that there is no such stereotype is binomial. In validation the
    others name one of two groups. In target selection each group is named by a binomial number of
    the others, independently of the other groups, because counts do not tell who named which
    groups together.

    Args:
        tallies: The counts.
        settings: The thresholds.

    Raises:
        CurateError: If no option of a question of target selection counts.
    """
    draw = {QuestionKind.SELECT_ALL: _selection, QuestionKind.CHOICE: _validation}
    return {
        tally.question.id: draw[tally.question.kind](tally, settings)
        for tally in tallies
        if tally.question.kind in draw and tally.respondents
    }


def _validation(tally: Tally, settings: SurveySettings) -> Redrawn:
    rng, total = _rng(tally), tally.respondents
    none, named = _split(tally, rng)
    k = rng.binomial(named, _part(tally.votes_of(Role.TARGET), named_any(tally)))
    kept = above(k, named, settings.stereotype_share) & _known(none, total, settings)
    return Redrawn(same=_same(tally, kept, settings))


def _selection(tally: Tally, settings: SurveySettings) -> Redrawn:
    rng, total = _rng(tally), tally.respondents
    none, named = _split(tally, rng)
    groups = np.array([option.role is not Role.NONE for option in tally.question.options])
    stated = np.array(tally.votes)[groups]
    shares = [_part(int(votes), named_any(tally)) for votes in stated]
    votes = rng.binomial(named[:, None], shares)
    options = counting_options(tally)
    shared = votes.sum(axis=1) if settings.equal_share == "votes" else named
    kept = selects(votes, shared, named, options, settings) & _known(none, total, settings)
    target = is_target(votes, shared[:, None], options, settings) & ~np.asarray(
        below(votes, named[:, None], settings.target_share)
    )
    other = is_non_target(votes, shared[:, None], options, settings)
    now = {
        Standing.TARGET: target,
        Standing.NON_TARGET: other,
        Standing.NEITHER: ~(target | other),
    }
    roles = [group_standing(tally, int(votes), settings) for votes in stated]
    again = (np.asarray(now[role])[:, at].mean() for at, role in enumerate(roles))
    return Redrawn(
        same=_same(tally, kept, settings),
        roles=tuple(rounded(float(share)) for share in again),
        chance=chance_kept(len(stated), options, named_any(tally), int(stated.sum()), settings)
        if named_any(tally) > 0
        else None,
    )


def selects(
    votes: _Votes, shared: _Votes, named: _Votes, options: int, settings: SurveySettings
) -> _Kept:
    """Say of each of many surveys whether it finds a target and a non-target.

    Args:
        votes: Of each survey (rows) the votes of each group.
        shared: Of each survey what the uniform share divides.
        named: Of each survey those who named a group.
        options: Options that count.
        settings: The thresholds.
    """
    kept = np.asarray(is_target(votes, shared[:, None], options, settings)).any(axis=1)
    kept &= np.asarray(is_non_target(votes, shared[:, None], options, settings)).any(axis=1)
    if settings.target_share:
        kept &= ~np.asarray(below(votes.max(axis=1), named, settings.target_share))
    return np.asarray(kept, dtype=bool)


def chance_kept(
    options: int,
    counting: int,
    named: int,
    votes: int,
    settings: SurveySettings,
    draws: int = DRAWS,
) -> float:
    """How often chance alone keeps a question of target selection whose groups are all equal.

    Args:
        options: Options that name groups.
        counting: Those of them that count for the uniform share.
        named: Respondents who name a group.
        votes: Votes of all groups together.
        settings: The thresholds.
        draws: Surveys drawn.
    """
    rng = np.random.default_rng([SEED, options, counting, named, votes])
    found = equal_votes(options, named, votes, draws, rng)
    people = np.full(draws, named)
    shared = np.full(draws, votes) if settings.equal_share == "votes" else people
    return rounded(float(selects(found, shared, people, counting, settings).mean()))


def equal_votes(
    options: int, named: int, votes: int, draws: int, rng: np.random.Generator
) -> _Votes:
    """Draw the votes of groups that are all named equally often.

    Everybody names as many groups as `votes / named` says, rounded down or up so that the votes
    add up, and any set of so many groups is equally likely. The groups are gone through one after
    the other: who still has `k` to name of `m` groups that are left names the next one with the
    chance `k / m`. So people need not be drawn one by one.

    Returns:
        A row for each survey, a column for each group.
    """
    votes = min(max(votes, named), named * options)  # published counts are rounded
    fewest, more = divmod(votes, named)
    left = np.zeros((fewest + 2, draws), dtype=np.int64)
    left[fewest], left[fewest + 1] = named - more, more
    still = np.arange(fewest + 2)[:, None]
    found = np.empty((draws, options), dtype=np.int64)
    for at in range(options):
        chosen = rng.binomial(left, np.minimum(still / (options - at), 1))
        found[:, at] = chosen.sum(axis=0)
        left -= chosen
        left[:-1] += chosen[1:]
    return found


def _rng(tally: Tally) -> np.random.Generator:
    return np.random.default_rng([SEED, crc32(tally.question.id.encode())])


def _split(tally: Tally, rng: np.random.Generator) -> tuple[_Votes, _Votes]:
    """Draw who says that there is no such stereotype, and who names a group."""
    none = rng.binomial(
        tally.respondents, _part(tally.votes_of(Role.NONE), tally.respondents), size=DRAWS
    )
    return none, tally.respondents - none


def _part(part: int, whole: int) -> float:
    return min(part / whole, 1.0) if whole > 0 else 0.0  # published counts are rounded


def _known(none: _Votes, total: int, settings: SurveySettings) -> _Kept:
    kept = ~np.asarray(above(none, total, settings.no_stereotype_limit))
    return kept & (total >= settings.min_respondents)


def _same(tally: Tally, kept: "_Kept | bool", settings: SurveySettings) -> float:
    drops = any(item.outcome is Outcome.DROP for item in decide(tally, settings))
    return rounded(float(np.mean(np.asarray(kept) != drops)))
