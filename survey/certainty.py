"""How sure the survey's decisions are: exact tests, other thresholds, surveys drawn anew.

The published point rule decides; all of this informs. What is simulated is drawn from a question's
own design, with a seed of its own, so that a question has the same numbers whatever is asked beside
it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal
from zlib import crc32

import numpy as np
import numpy.typing as npt

from curation.files.bank import GroupBook
from curation.files.outcomes import outcomes
from curation.records.bank import Template
from curation.records.culture import SurveySettings
from curation.records.survey import (
    BY_PEOPLE,
    Decision,
    GroupRole,
    Outcome,
    QuestionKind,
    Role,
    Status,
    Tally,
)
from survey.rules import (
    Row,
    above,
    below,
    counting_options,
    decide,
    equal_share,
    group_standing,
    is_non_target,
    is_target,
    named_any,
    rounded,
)

STEREOTYPE_SHARES = (
    *(Fraction(n, 100) for n in (55, 60, 65)),
    Fraction(2, 3),
    *(Fraction(n, 100) for n in (70, 75, 80)),
)
"""Shares of those naming a group, from .55 to .80, that the sensitivity table tries."""
TARGET_MULTIPLES = tuple(Fraction(n, 4) for n in range(6, 13))
"""Multiples of the uniform share, from 1.5 to 3. The multiple of a non-target moves the other way,
so that their product stays as it is set (1 by default: 3 and a third)."""
NO_STEREOTYPE_LIMITS = tuple(Fraction(n, 100) for n in range(30, 75, 5))
"""Limits on 'no stereotype exists', from 30 to 70 %."""


LEVEL = 0.05
"""The level at which a test that cannot succeed is said."""


GROUP_TESTS = ("p_target", "q_target", "p_non_target", "q_non_target")
"""The tests of a group of target selection, which take the uniform share as known.

`p_target` is the chance of at least so many votes if the group's true share were just that which
makes a target, `p_non_target` that of at most so many if it were just that which makes a
non-target; `q_target` and `q_non_target` are the same after Benjamini and Hochberg over all groups.
"""


def validation_tests(tallies: Iterable[Tally], threshold: Fraction) -> dict[str, Row]:
    """Test every validation question in which somebody named a group, by its id.

    Args:
        tallies: The counts; questions of other kinds are passed over.
        threshold: The share that the rule asks for.

    Returns:
        `p`, one-sided and binomial: the chance of at least k of n if the true share were the
        threshold; and `q`, the same after Benjamini and Hochberg over all questions.
    """
    p_values = {
        tally.question.id: upper_tail(tally.votes_of(Role.TARGET), n, threshold)
        for tally in tallies
        if tally.question.kind is QuestionKind.CHOICE
        and (n := tally.votes_of(Role.TARGET, Role.NON_TARGET))
    }
    q_values = benjamini_hochberg([*p_values.values()])
    pairs = zip(p_values.items(), q_values, strict=True)
    return {name: {"p": p, "q": q} for (name, p), q in pairs}


def upper_tail(k: int, n: int, share: Fraction) -> float:
    """The exact chance of at least k of n where each comes with the share (binomial), or all do."""
    from scipy.special import bdtrc

    return float(bdtrc(min(k - 1, n), n, min(float(share), 1.0)))


def lower_tail(k: int, n: int, share: Fraction) -> float:
    """The exact chance of at most k of n where each comes with the share, or all do."""
    from scipy.special import bdtr

    return float(bdtr(min(k, n), n, min(float(share), 1.0)))


_MIDPOINTS = np.mgrid[0.5:100, 0.5:50].reshape(2, -1) / [[100], [50]]
_NOTHING = 1e-9  # a weight, of the largest, beyond which the grid is not needed


def shrunk_shares(tallies: Iterable[Tally], threshold: Fraction) -> dict[str, Mapping[str, float]]:
    """Estimate the shares of validation questions together with the others of their category.

    In a category the true shares are taken to follow a beta distribution with mean `m` and size
    `M`, and the counts to be binomial. `m` is uniform before the survey, and so is `M / (M + n)`,
    the part by which a question of the category's median `n` is drawn towards `m` (Daniels 1999, A
    prior for the variance in hierarchical models). Both are summed out over a grid of midpoints, so
    that the chances include how little a small category tells of them; a second and a third grid
    lie where the one before has any weight, for many answers leave little room for `m`.

    Args:
        tallies: The counts; questions of other kinds, and those in which nobody named a group, are
            passed over.
        threshold: The share that the rule asks for.

    Returns:
        By question id: `shrunk`, the posterior mean of its share of those naming a group who name
        the target; and `above`, the posterior chance that this share is above the threshold.
    """
    from scipy.special import betainc, betaln

    categories: dict[str, list[tuple[str, int, int]]] = {}
    for tally in tallies:
        named = tally.votes_of(Role.TARGET, Role.NON_TARGET)
        if tally.question.kind is QuestionKind.CHOICE and named:
            row = (tally.question.id, tally.votes_of(Role.TARGET), named)
            categories.setdefault(tally.question.category, []).append(row)
    found: dict[str, Mapping[str, float]] = {}
    for rows in categories.values():
        low, high = np.zeros((2, 1)), np.ones((2, 1))
        for _ in range(3):
            means, pulls = grid = low + (high - low) * _MIDPOINTS
            size = float(np.median([n for _, _, n in rows])) * pulls / (1 - pulls)
            a, b = means * size, (1 - means) * size
            logs = -len(rows) * betaln(a, b)
            for _, k, n in rows:
                logs += betaln(a + k, b + n - k)
            weights = np.exp(logs - logs.max())
            there, cell = grid[:, weights > _NOTHING], (high - low) / [[100], [50]]
            low = np.maximum(there.min(axis=1, keepdims=True) - cell, 0)
            high = np.minimum(there.max(axis=1, keepdims=True) + cell, 1)
        weights /= weights.sum()
        for name, k, n in rows:
            below_it = betainc(a + k, b + n - k, float(threshold))
            found[name] = {
                "shrunk": rounded(float(weights @ ((a + k) / (size + n)))),
                "above": rounded(float(weights @ (1 - below_it))),
            }
    return found


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """P values adjusted for many tests (Benjamini and Hochberg 1995), in the given order."""
    # As scipy.stats.false_discovery_control has them, which takes seconds to load.
    order = np.argsort(p_values)[::-1]
    ranks = np.arange(len(order), 0, -1)
    found = np.empty(len(order))
    found[order] = np.minimum.accumulate(np.asarray(p_values)[order] * (len(order) / ranks))
    return [float(q) for q in found.clip(max=1)]


def selection_tests(tallies: Sequence[Tally], settings: SurveySettings) -> dict[str, Row]:
    """Test every question of target selection in which somebody named a group, by its id.

    Args:
        tallies: The counts; questions of other kinds are passed over.
        settings: For the multiples of the uniform share.

    Returns:
        `p`, the chance that there is a target and a non-target: the larger of the two smallest p of
        its groups, each times the number of groups (Bonferroni), for either may be any of them; `q`
        as in validation; `least_p`, the p of a non-target that nobody names: where it is above
        `LEVEL`, no number of votes shows a group to be a non-target; and in `groups`, for each
        option that names groups, `GROUP_TESTS`.

    Raises:
        CurateError: If no option of a question counts.
    """
    pairs: dict[str, list[tuple[float, float]]] = {}
    least: dict[str, float] = {}
    for tally in tallies:
        if tally.question.kind is not QuestionKind.SELECT_ALL or not tally.respondents:
            continue
        unit = equal_share(tally, settings) / tally.respondents
        if not unit:
            continue
        top, low = settings.target_multiple * unit, settings.non_target_multiple * unit
        n = tally.respondents
        least[tally.question.id] = lower_tail(0, n, low)
        pairs[tally.question.id] = [
            (upper_tail(votes, n, top), lower_tail(votes, n, low)) for _, votes in tally.named
        ]
    every = [pair for found in pairs.values() for pair in found]
    tops = iter(benjamini_hochberg([top for top, _ in every]))
    lows = iter(benjamini_hochberg([low for _, low in every]))
    whole = {
        name: min(1.0, len(found) * max(min(p for p, _ in found), min(p for _, p in found)))
        for name, found in pairs.items()
    }
    adjusted = dict(zip(whole, benjamini_hochberg(list(whole.values())), strict=True))
    return {
        name: {
            "p": whole[name],
            "q": adjusted[name],
            "least_p": least[name],
            "groups": [
                dict(zip(GROUP_TESTS, (top, next(tops), low, next(lows)), strict=True))
                for top, low in found
            ],
        }
        for name, found in pairs.items()
    }


BINS = 10
"""Into how many equal parts shares from 0 to 1 are sorted."""


NO_STEREOTYPE_COLUMNS = (
    *("category", "kind", "questions", "mean", "lowest", "quartile_1", "median", "quartile_3"),
    *("highest", "above", *(f"from_{at}0" for at in range(BINS))),
)
"""What is said of 'no such stereotype'. Shares are of the respondents; quartiles are interpolated
linearly. `above` counts questions with a share above the limit, `from_10` those from .1 to below
.2, and so on, `from_90` those from .9 to 1."""


def no_stereotype_shares(tallies: Sequence[Tally], settings: SurveySettings) -> Iterator[Row]:
    """Sum up 'no such stereotype' over all questions, by kind, and by category and kind.

    Args:
        tallies: The counts; questions that nobody answered are passed over.
        settings: For the limit.

    Yields:
        `NO_STEREOTYPE_COLUMNS`; the category or the kind is empty for all of them.
    """
    kinds = (QuestionKind.CHOICE, QuestionKind.SELECT_ALL)
    asked = [item for item in tallies if item.question.kind in kinds and item.respondents]
    present = [kind for kind in kinds if any(item.question.kind is kind for item in asked)]
    if len(present) > 1:
        yield _summed("", "", asked, settings)
    for category in dict.fromkeys(("", *(item.question.category for item in asked))):
        for kind in present:
            mine = [
                item
                for item in asked
                if item.question.kind is kind and category in ("", item.question.category)
            ]
            if mine:
                yield _summed(category, kind.value, mine, settings)


def _summed(category: str, kind: str, asked: Sequence[Tally], settings: SurveySettings) -> Row:
    shares = [Fraction(tally.votes_of(Role.NONE), tally.respondents) for tally in asked]
    tenths = [min(int(share * BINS), BINS - 1) for share in shares]
    ends = np.percentile(list(map(float, shares)), (0, 25, 50, 75, 100))
    above_limit = sum(share > settings.no_stereotype_limit for share in shares)
    cells = (category, kind, len(shares), rounded(sum(shares) / len(shares)), *map(rounded, ends))
    counts = map(tenths.count, range(BINS))
    return dict(zip(NO_STEREOTYPE_COLUMNS, (*cells, above_limit, *counts), strict=True))


EQUAL_SHARES: tuple[Literal["respondents", "votes"], ...] = ("respondents", "votes")
"""What can be shared equally among the options that count."""
TARGET_SHARES = (Fraction(0), *(Fraction(n, 10) for n in (1, 2, 3, 4, 5)))
"""Shares of those naming any group that the sensitivity table tries; 0 is off."""


def sensitivity(
    tallies: Sequence[Tally],
    templates: Sequence[Template],
    settings: SurveySettings,
    overrides: Sequence[Decision] = (),
    book: GroupBook | None = None,
) -> list[Row]:
    """Move each threshold over its range, and count the templates kept.

    Args:
        tallies: The counts.
        templates: The bank's templates.
        settings: The thresholds as set.
        overrides: People's decisions, which hold whatever the thresholds are.
        book: The groups, for categories that were split off others after the survey.

    Returns:
        A row for each value of each `setting`, its key in `culture.yaml`: the `value`, of
        `equal_share` the word; whether it is `as_set`; how many `questions` no rule drops, how many
        `stereotypes` have a template that is kept, and the `templates` kept, without the undecided;
        the ids of those `gained`, which are kept here and dropped as set, and `lost`; and of the
        questions `turned`, whose decision is another than as set.

    Raises:
        CurateError: If a question of target selection has no option that counts.
    """
    by_people = [decision for decision in overrides if decision.rule in BY_PEOPLE]
    questions = [tally.question for tally in tallies]
    answered = {
        tally.question.id
        for tally in tallies
        if tally.question.kind is not QuestionKind.COMPREHENSION and tally.respondents
    }

    def kept_by(decisions: Iterable[Sequence[Decision]]) -> tuple[list[Template], set[str]]:
        """The templates kept, and the questions that no rule drops."""
        every = [decision for of_one in decisions for decision in of_one]
        dropped = {decision.subject for decision in every if decision.outcome is Outcome.DROP}
        found = outcomes(templates, questions, [*every, *by_people], book)
        kept = [item.template for item in found if item.status is Status.KEPT]
        return kept, answered - dropped

    as_set = [tuple(decide(tally, settings)) for tally in tallies]
    kept, stays = kept_by(as_set)
    base = {str(template.id) for template in kept}
    rows = []
    for name, value, moved in _moved(settings):
        decisions = [
            tuple(decide(tally, moved)) if tally.question.kind in MOVES[name] else before
            for tally, before in zip(tallies, as_set, strict=True)
        ]
        kept, stay = kept_by(decisions)
        names = {str(template.id) for template in kept}
        rows.append(
            {
                "setting": name,
                "value": value,
                "as_set": moved == settings,
                "questions": len(stay),
                "stereotypes": len({(it.category, it.stereotype) for it in kept}),
                "templates": len(kept),
                "gained": tuple(sorted(names - base)),
                "lost": tuple(sorted(base - names)),
                "turned": tuple(sorted(stay ^ stays)),
            }
        )
    return rows


MOVES = {
    "stereotype_share": (QuestionKind.CHOICE,),
    "target_multiple": (QuestionKind.SELECT_ALL,),
    "equal_share": (QuestionKind.SELECT_ALL,),
    "target_share": (QuestionKind.SELECT_ALL,),
    "no_stereotype_limit": (QuestionKind.CHOICE, QuestionKind.SELECT_ALL),
}
"""The kinds of question that each threshold concerns."""


def _moved(settings: SurveySettings) -> Iterator[tuple[str, Fraction | str, SurveySettings]]:
    """Yield the values that every threshold may have, the one that is set among them."""
    ranges: Mapping[str, tuple[Fraction, ...]] = {
        "stereotype_share": STEREOTYPE_SHARES,
        "target_multiple": TARGET_MULTIPLES,
        "target_share": TARGET_SHARES,
        "no_stereotype_limit": NO_STEREOTYPE_LIMITS,
    }
    for name, values in ranges.items():
        current = getattr(settings, name)
        for value in sorted({*values, current}):
            changed: dict[str, object] = {name: value}
            if name == "target_multiple":
                changed["non_target_multiple"] = settings.non_target_multiple * current / value
            moved = settings.model_copy(update=changed)
            if moved.non_target_multiple < moved.target_multiple:
                yield name, value, moved
        if name == "target_multiple":
            for shared in EQUAL_SHARES:
                yield "equal_share", shared, settings.model_copy(update={"equal_share": shared})


DRAWS = 1000
"""Surveys drawn for each question: the standard error of a rate is at most .016."""
SEED = 42
_Votes = npt.NDArray[np.int64]
_Kept = npt.NDArray[np.bool_]


def redrawn(tallies: Iterable[Tally], settings: SurveySettings) -> dict[str, Row]:
    """Draw every question on a stereotype anew, by its id; those that nobody answered are left out.

    The number of those who say that there is no such stereotype is binomial. In validation the
    others name one of two groups. In target selection each group is named by a binomial number of
    the others, independently of the other groups, because counts do not tell who named which
    groups together.

    Args:
        tallies: The counts.
        settings: The thresholds.

    Returns:
        `same`, the share of surveys with the same decision, kept or dropped; of target selection
        also `roles`, of each option that names groups the share in which it has its role again,
        target, non-target or neither, and `chance`, how often surveys keep the question in which
        all options are named equally often, by as many people and as many groups a person, or None
        where nobody named a group.

    Raises:
        CurateError: If no option of a question of target selection counts.
    """
    draw = {QuestionKind.SELECT_ALL: _selection, QuestionKind.CHOICE: _validation}
    found = {}
    for tally in tallies:
        question, total = tally.question, tally.respondents
        if question.kind not in draw or not total:
            continue
        rng = np.random.default_rng([SEED, crc32(question.id.encode())])
        none = rng.binomial(total, _part(tally.votes_of(Role.NONE), total), size=DRAWS)
        kept, more = draw[question.kind](tally, total - none, rng, settings)
        kept &= ~np.asarray(above(none, total, settings.no_stereotype_limit))
        kept &= total >= settings.min_respondents
        drops = any(item.outcome is Outcome.DROP for item in decide(tally, settings))
        found[question.id] = {"same": rounded(float(np.mean(kept != drops))), **more}
    return found


def _validation(
    tally: Tally, named: _Votes, rng: "np.random.Generator", settings: SurveySettings
) -> tuple[_Kept, Row]:
    k = rng.binomial(named, _part(tally.votes_of(Role.TARGET), named_any(tally)))
    return np.asarray(above(k, named, settings.stereotype_share)), {}


def _selection(
    tally: Tally, named: _Votes, rng: "np.random.Generator", settings: SurveySettings
) -> tuple[_Kept, Row]:
    stated = np.array([votes for _, votes in tally.named])
    shares = [_part(int(votes), named_any(tally)) for votes in stated]
    votes = rng.binomial(named[:, None], shares)
    options = counting_options(tally)
    shared = votes.sum(axis=1) if settings.equal_share == "votes" else named
    target = is_target(votes, shared[:, None], options, settings) & ~np.asarray(
        below(votes, named[:, None], settings.target_share)
    )
    other = is_non_target(votes, shared[:, None], options, settings)
    now = {
        GroupRole.TARGET: target,
        GroupRole.NON_TARGET: other,
        GroupRole.NEITHER: ~(target | other),
    }
    roles = [group_standing(tally, int(votes), settings) for votes in stated]
    again = (np.asarray(now[role])[:, at].mean() for at, role in enumerate(roles))
    of_chance = (len(stated), options, named_any(tally), int(stated.sum()), settings)
    return selects(votes, shared, named, options, settings), {
        "roles": [rounded(float(share)) for share in again],
        "chance": chance_kept(*of_chance) if named_any(tally) > 0 else None,
    }


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
    options: int, named: int, votes: int, draws: int, rng: "np.random.Generator"
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


def _part(part: int, whole: int) -> float:
    return min(part / whole, 1.0) if whole > 0 else 0.0  # published counts are rounded
