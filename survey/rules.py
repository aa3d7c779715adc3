"""The rules of the method: counts to decisions (Jin et al. 2024, section 3.2.5).

This is the one place where a count is compared with a threshold, and it is compared exactly.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from curation.files.bank import GroupBook
from curation.files.outcomes import Renaming, unasked_questions
from curation.records.bank import Template
from curation.records.culture import SurveySettings
from curation.records.messages import Finding, finding, refusal
from curation.records.survey import (
    Decision,
    GroupRole,
    Outcome,
    QuestionKind,
    Role,
    Rule,
    Stage,
    Tally,
    TargetRow,
    options_cell,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Row: TypeAlias = dict[str, Any]
"""A row of what a survey's analysis gives, by column."""
_Z95 = 1.959963984540054  # the 97.5 % point of the standard normal distribution
_DIGITS = 6


def wilson(k: float, n: float) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share (Wilson 1927).

    Args:
        k: Successes, from 0 to n; of weighted counts no whole number.
        n: Trials, at least 1.

    Raises:
        ValueError: If k is not within 0 and n, or n is 0: no data has no interval.
    """
    if n < 1 or not 0 <= k <= n:
        raise ValueError(f"no interval for {k} of {n}")
    share, z2 = k / n, _Z95 * _Z95
    centre = share + z2 / (2 * n)
    half = _Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    scale = 1 + z2 / n
    low, high = (centre - half) / scale, (centre + half) / scale
    return (0.0 if k == 0 else max(0.0, low)), (1.0 if k == n else min(1.0, high))


def compare(k: int, n: int, threshold: Fraction, unit: Fraction | None = Fraction(1)) -> Row:
    """Compare k of n with a threshold, with the interval: what a decision has of it.

    Args:
        k: Respondents on one side.
        n: Respondents counted.
        threshold: In units.
        unit: The share of n that is one unit: 1 for plain shares, the uniform share divided by
            n for multiples of it. None or 0 where the unit itself is undefined.
    """
    if n < 1 or not unit:
        return {"k": k, "n": n, "threshold": rounded(threshold)}
    value = Fraction(k, n) / unit
    low, high = (Fraction(end) / unit for end in wilson(k, n))
    return {
        "k": k,
        "n": n,
        "value": rounded(value),
        "threshold": rounded(threshold),
        "margin": rounded(value - threshold),
        "ci_low": rounded(low),
        "ci_high": rounded(high),
        "near": bool(low <= threshold <= high),
    }


def rounded(value: Fraction | float) -> float:
    """Round to the digits that the ledger holds."""
    return round(float(value), _DIGITS)


Counts: TypeAlias = "int | npt.NDArray[np.int64]"
"""A count, or that of each of many surveys."""
Found: TypeAlias = "bool | npt.NDArray[np.bool_]"
"""How a count compares, or that of each of many surveys."""


def above(k: Counts, n: Counts, limit: Fraction) -> Found:
    """Say whether k of n is strictly more than a limit; in integers, so exactly."""
    return k * limit.denominator > n * limit.numerator


def below(k: Counts, n: Counts, limit: Fraction) -> Found:
    """Say whether k of n is strictly fewer than a limit; in integers, so exactly."""
    return k * limit.denominator < n * limit.numerator


def is_target(votes: Counts, shared: Counts, options: int, settings: SurveySettings) -> Found:
    """Say whether a group has at least the votes of a target.

    Args:
        votes: Its votes.
        shared: What the uniform share divides: respondents who named a group, or votes.
        options: Among how many options that is divided.
        settings: For the multiple.
    """
    limit = settings.target_multiple
    return (shared > 0) & (votes * options * limit.denominator >= shared * limit.numerator)


def is_non_target(votes: Counts, shared: Counts, options: int, settings: SurveySettings) -> Found:
    """Say whether a group has at most the votes of a non-target; arguments as of `is_target`."""
    limit = settings.non_target_multiple
    return (shared > 0) & (votes * options * limit.denominator <= shared * limit.numerator)


OWN_RULES = {
    QuestionKind.SELECT_ALL: Rule.TARGET_SELECTION,
    QuestionKind.CHOICE: Rule.TWO_THIRDS,
    QuestionKind.COMPREHENSION: Rule.COMPREHENSION,
}
"""The rule of each kind that decides on every question that anybody answered."""


def decide(tally: Tally, settings: SurveySettings) -> Iterator[Decision]:
    """Yield the decision of every rule that applies to a question; none where nobody answered."""
    if tally.respondents == 0:
        return
    if tally.question.kind is QuestionKind.COMPREHENSION:
        yield comprehension(tally, settings)
        return
    yield min_respondents(tally, settings)
    if tally.question.kind is QuestionKind.SELECT_ALL:
        yield target_selection(tally, settings)
        if settings.target_share:
            yield target_share(tally, settings)
    else:
        yield two_thirds(tally, settings)
    yield no_stereotype(tally, settings)


def equal_share(tally: Tally, settings: SurveySettings) -> Fraction:
    """The uniform share of a question of target selection.

    That is the respondents who did not choose 'no stereotype exists', or with
    `equal_share: votes` the votes of groups, divided by the options that count. The first is what
    each option would have if everybody who named a group named exactly one, and all options were
    named equally often; the second what it has if all are, however many groups people name.

    Raises:
        CurateError: If no option counts.
    """
    options = counting_options(tally)
    if options == 0:
        raise refusal(
            "survey", "no-option-counts", tally.source, stereotype=tally.question.stereotype
        )
    if settings.equal_share == "votes":
        return Fraction(tally.votes_of(Role.GROUP, Role.TARGET, Role.NON_TARGET), options)
    return Fraction(tally.respondents - tally.votes_of(Role.NONE), options)


def counting_options(tally: Tally) -> int:
    """Count the options that the uniform share is divided by; of a validation question, both."""
    every = tally.question.kind is QuestionKind.CHOICE
    return sum(
        option.role is not Role.NONE and (every or option.counts)
        for option in tally.question.options
    )


def standing(votes: int, share: Fraction, settings: SurveySettings) -> GroupRole:
    """Tell where a group stands; neither where the uniform share is 0, for nobody named a group."""
    if is_target(votes, share.numerator, share.denominator, settings):
        return GroupRole.TARGET
    if is_non_target(votes, share.numerator, share.denominator, settings):
        return GroupRole.NON_TARGET
    return GroupRole.NEITHER


def named_any(tally: Tally) -> int:
    """Count the respondents of a question who named any group."""
    return tally.respondents - tally.votes_of(Role.NONE)


def named_per_person(tally: Tally) -> Fraction | None:
    """How many groups that count a respondent named who named any; None where nobody did.

    That is also the mean of these groups in uniform shares, by `equal_share: respondents`.
    """
    people = named_any(tally)
    groups = sum(votes for option, votes in tally.named if option.counts)
    return Fraction(groups, people) if people > 0 else None


def group_standing(tally: Tally, votes: int, settings: SurveySettings) -> GroupRole:
    """Tell where a group of target selection stands, a target by `target_share` too."""
    found = standing(votes, equal_share(tally, settings), settings)
    if found is GroupRole.TARGET and below(votes, named_any(tally), settings.target_share):
        return GroupRole.NEITHER
    return found


def target_rows(tally: Tally, settings: SurveySettings) -> list[TargetRow]:
    """The standing of every group of a question, in the order of its options.

    For target selection it follows from the multiples of the uniform share; for validation the
    asked-about target stands where the two-thirds rule keeps it.
    """
    question = tally.question
    share = equal_share(tally, settings)
    validated = (
        question.kind is QuestionKind.CHOICE and two_thirds(tally, settings).outcome is Outcome.KEEP
    )
    asked = {Role.TARGET: GroupRole.TARGET, Role.NON_TARGET: GroupRole.NON_TARGET}
    rows = []
    for option, votes in tally.named:
        if question.kind is QuestionKind.SELECT_ALL:
            role = group_standing(tally, votes, settings)
        else:
            role = asked[option.role] if validated else GroupRole.NEITHER
        rows.append(
            TargetRow(
                category=question.category,
                stereotype=question.stereotype,
                kind=question.kind,
                group=option.label,
                votes=votes,
                respondents=tally.respondents,
                no_stereotype=tally.votes_of(Role.NONE),
                options=counting_options(tally),
                equal_share=rounded(share),
                role=role,
            )
        )
    return rows


def target_selection(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether a question has a target and a non-target group.

    The decision shows the group that decides it: for `no_target` the group with the most
    votes, for `no_non_target` the one with the fewest, and for a question that is kept
    whichever of the two stands closer to its threshold.
    """
    share = equal_share(tally, settings)
    votes = [count for _, count in tally.named]
    standings = {standing(count, share, settings) for count in votes}
    unit = share / tally.respondents
    top = compare(max(votes), tally.respondents, settings.target_multiple, unit)
    low = compare(min(votes), tally.respondents, settings.non_target_multiple, unit)
    if GroupRole.TARGET not in standings:
        return _decision(tally, Rule.TARGET_SELECTION, top, "no_target")
    if GroupRole.NON_TARGET not in standings:
        return _decision(tally, Rule.TARGET_SELECTION, low, "no_non_target")
    closer = min((top, low), key=lambda side: abs(side["margin"] / side["threshold"]))
    return _decision(tally, Rule.TARGET_SELECTION, closer)


def target_share(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether any group was named by enough of those who named one.

    The group with the most votes decides: a target by its multiple alone is none where even that
    group has too few.
    """
    k = max(count for _, count in tally.named)
    n = named_any(tally)
    too_few = n == 0 or below(k, n, settings.target_share)
    # Published counts are rounded percentages, of which one may be more than the rest allow.
    comparison = compare(min(k, n), n, settings.target_share)
    return _decision(tally, Rule.TARGET_SHARE, comparison, "below" if too_few else "")


def two_thirds(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether strictly more than the share of those who named a group named the target."""
    k, others = tally.votes_of(Role.TARGET), tally.votes_of(Role.NON_TARGET)
    n = k + others
    comparison = compare(k, n, settings.stereotype_share)
    if above(k, n, settings.stereotype_share):
        return _decision(tally, Rule.TWO_THIRDS, comparison)
    return _decision(
        tally, Rule.TWO_THIRDS, comparison, "majority_non_target" if others > k else "below"
    )


def no_stereotype(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether too many respondents said that no stereotype exists."""
    k, n = tally.votes_of(Role.NONE), tally.respondents
    too_many = above(k, n, settings.no_stereotype_limit)
    comparison = compare(k, n, settings.no_stereotype_limit)
    return _decision(tally, Rule.NO_STEREOTYPE, comparison, "above" if too_many else "")


def comprehension(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether too few respondents understood a template."""
    k, n = tally.votes_of(Role.CORRECT), tally.respondents
    too_few = below(k, n, settings.comprehension_share)
    comparison = compare(k, n, settings.comprehension_share)
    return _decision(tally, Rule.COMPREHENSION, comparison, "below" if too_few else "")


def min_respondents(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether enough respondents answered a question for any other decision."""
    n, wanted = tally.respondents, settings.min_respondents
    told = {"value": float(n), "threshold": float(wanted), "margin": float(n - wanted)}
    return _decision(tally, Rule.MIN_RESPONDENTS, {"n": n, **told}, "too_few" if n < wanted else "")


def _decision(tally: Tally, rule: Rule, comparison: Row, reason: str = "") -> Decision:
    """Write a decision: one with a reason drops its subject."""
    question = tally.question
    understood = question.kind is QuestionKind.COMPREHENSION
    return Decision(
        subject=question.subject,
        stage=Stage.COMPREHENSION if understood else Stage.SURVEY,
        rule=rule,
        outcome=Outcome.DROP if reason else Outcome.KEEP,
        reason=reason,
        **comparison,
    )


_FEW = 30  # with fewer respondents a question is named, whatever is set


def decide_survey(
    tallies: Sequence[Tally],
    templates: Sequence[Template],
    settings: SurveySettings,
    book: GroupBook,
    renaming: Renaming | None = None,
) -> tuple[tuple[Decision, ...], tuple[TargetRow, ...], tuple[Finding, ...]]:
    """Apply every rule to every question, in their order.

    Besides the decisions it gives where each group of each question stands, and what is to be said
    of the survey itself.

    Args:
        tallies: The counts, one of each question.
        templates: The bank's templates.
        settings: The thresholds.
        book: The workspace's groups.
        renaming: What puts the survey's names right for the templates.

    Raises:
        CurateError: If a question of target selection has no option that counts, or a
            question has the id of a template.
    """
    _refuse_shared_ids(tallies, templates)
    decisions = tuple(decision for tally in tallies for decision in decide(tally, settings))
    targets = tuple(
        replace(row, key=options_cell(book.keys(row.category, book.split(row.category, row.group))))
        for tally in tallies
        if tally.question.kind is not QuestionKind.COMPREHENSION and tally.respondents
        for row in target_rows(tally, settings)
    )
    called = renaming.tallies(tallies) if renaming else tallies
    findings = (
        *_unknown_groups(tallies, book),
        *_unknown_subjects(called, templates, book),
        *_few_respondents(tallies, settings),
    )
    return decisions, targets, findings


def _refuse_shared_ids(tallies: Sequence[Tally], templates: Sequence[Template]) -> None:
    """Refuse a question that has a template's id: the ledger would mix them up."""
    ids = {str(template.id) for template in templates}
    ids.update(tally.question.template_id for tally in tallies)
    for tally in tallies:
        if tally.question.kind is not QuestionKind.COMPREHENSION and tally.question.id in ids:
            raise refusal("survey", "question-id-of-template", tally.place, id=tally.question.id)


def _unknown_groups(tallies: Sequence[Tally], book: GroupBook) -> Iterator[Finding]:
    unknown: dict[tuple[str, str], list[Tally]] = {}
    for tally in tallies:
        for option in tally.question.options:
            for group in option.groups:
                if not book.known(tally.question.category, group):
                    unknown.setdefault((tally.question.category, group), []).append(tally)
    for (category, group), found in unknown.items():
        yield finding(
            "survey",
            "survey-unknown-group",
            found[0].place,
            group=group,
            category=category,
            count=len(found),
        )


def _unknown_subjects(
    tallies: Sequence[Tally], templates: Sequence[Template], book: GroupBook
) -> Iterator[Finding]:
    by_question = {tally.question.id: tally for tally in tallies}
    asked = [tally.question for tally in tallies]
    for question in unasked_questions(asked, templates, book):
        yield finding(
            "survey",
            "survey-not-in-bank",
            by_question[question.id].place,
            stereotype=question.stereotype,
            category=question.category,
            question=question.id,
        )
    known = {str(template.id) for template in templates}
    for tally in tallies:
        template_id = tally.question.template_id
        if template_id and template_id not in known:
            key, name = "survey-template-not-in-bank", tally.question.id
            yield finding("survey", key, tally.place, template=template_id, question=name)


def _few_respondents(tallies: Sequence[Tally], settings: SurveySettings) -> Iterator[Finding]:
    """Say of each question with few respondents that it is dropped, or decided all the same."""
    for tally in tallies:
        n, wanted = tally.respondents, settings.min_respondents
        understood = tally.question.kind is QuestionKind.COMPREHENSION
        key, way = "survey-few-respondents", "few" if n else "none"
        if n and n < wanted and not understood:
            key, way = "survey-few-respondents-dropped", ""
        elif n >= _FEW:
            continue
        question, place = tally.question.id, tally.place
        yield finding("survey", key, place, way=way, question=question, count=n, wanted=wanted)


def surveyed_sides(
    tally: Tally, targets: Sequence[TargetRow]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The surveyed target and non-target groups of a question, in the options' order.

    The same stereotype can be asked about several sets of options, so that a row is the
    question's own only where its counts are too.
    """
    question = tally.question
    own = (question.category, question.stereotype, question.kind, tally.respondents)
    own_counts = tally.votes_of(Role.NONE), counting_options(tally)
    standing = {
        (row.group, row.votes): row.role
        for row in targets
        if (row.category, row.stereotype, row.kind, row.respondents) == own
        and (row.no_stereotype, row.options) == own_counts
    }
    sides: dict[GroupRole | None, dict[str, None]] = {}
    for option, votes in zip(question.options, tally.votes, strict=True):
        side = sides.setdefault(standing.get((option.label, votes)), {})
        side.update(dict.fromkeys(option.groups))
    return tuple(sides.get(GroupRole.TARGET, ())), tuple(sides.get(GroupRole.NON_TARGET, ()))
