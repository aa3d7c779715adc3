"""The published rules: each takes counts and gives one ruling (Jin et al. 2024, section 3.4)."""

from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction

from curation.model.culture import SurveySettings
from curation.model.errors import CurateError
from curation.model.survey import (
    Decision,
    Outcome,
    QuestionKind,
    Role,
    Rule,
    Stage,
    Standing,
    Tally,
    TargetRow,
)
from survey.thresholds import Comparison, above, below, compare, rounded


def decide(tally: Tally, settings: SurveySettings) -> Iterator[Decision]:
    """Yield the ruling of every rule that applies to a question; none where nobody answered."""
    if tally.respondents == 0:
        return
    if tally.question.kind is QuestionKind.COMPREHENSION:
        yield comprehension(tally, settings)
        return
    yield min_respondents(tally, settings)
    if tally.question.kind is QuestionKind.SELECT_ALL:
        yield target_selection(tally, settings)
    else:
        yield two_thirds(tally, settings)
    yield no_stereotype(tally, settings)


def equal_share(tally: Tally, settings: SurveySettings) -> Fraction:
    """Give the equal share of a question of target selection.

    That is the respondents who did not choose 'no stereotype exists', or with
    `equal_share: votes` the votes of groups, divided by the options that count.

    Raises:
        CurateError: If no option counts.
    """
    options = counting_options(tally)
    if options == 0:
        raise CurateError(
            f"no option of '{tally.question.stereotype}' counts for the equal share",
            tally.source,
            "set counts to true for at least one of its groups in groups.csv",
        )
    if settings.equal_share == "votes":
        return Fraction(tally.votes_of(Role.GROUP, Role.TARGET, Role.NON_TARGET), options)
    return Fraction(tally.respondents - tally.votes_of(Role.NONE), options)


def counting_options(tally: Tally) -> int:
    """Count the options that the equal share is divided by; of a validation question, both."""
    every = tally.question.kind is QuestionKind.CHOICE
    return sum(
        option.role is not Role.NONE and (every or option.counts)
        for option in tally.question.options
    )


def standing(votes: int, share: Fraction, settings: SurveySettings) -> Standing:
    """Tell where a group stands; neither where the equal share is 0, for nobody named a group."""
    if share == 0:
        return Standing.NEITHER
    if votes >= settings.target_multiple * share:
        return Standing.TARGET
    if votes <= settings.non_target_multiple * share:
        return Standing.NON_TARGET
    return Standing.NEITHER


def target_rows(tally: Tally, settings: SurveySettings) -> list[TargetRow]:
    """Give the standing of every group of a question, in the order of its options.

    For target selection it follows from the multiples of the equal share; for validation the
    asked-about target stands where the two-thirds rule keeps it.
    """
    question = tally.question
    share = equal_share(tally, settings)
    validated = (
        question.kind is QuestionKind.CHOICE and two_thirds(tally, settings).outcome is Outcome.KEEP
    )
    asked = {Role.TARGET: Standing.TARGET, Role.NON_TARGET: Standing.NON_TARGET}
    rows = []
    for option, votes in zip(question.options, tally.votes, strict=True):
        if option.role is Role.NONE:
            continue
        if question.kind is QuestionKind.SELECT_ALL:
            role = standing(votes, share, settings)
        else:
            role = asked[option.role] if validated else Standing.NEITHER
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

    The ruling shows the group that decides it: for `no_target` the group with the most
    votes, for `no_non_target` the one with the fewest, and for a question that is kept
    whichever of the two stands closer to its threshold.
    """
    share = equal_share(tally, settings)
    pairs = zip(tally.question.options, tally.votes, strict=True)
    votes = [count for option, count in pairs if option.role is not Role.NONE]
    standings = {standing(count, share, settings) for count in votes}
    unit = share / tally.respondents
    top = compare(max(votes), tally.respondents, settings.target_multiple, unit)
    low = compare(min(votes), tally.respondents, settings.non_target_multiple, unit)
    if Standing.TARGET not in standings:
        return _ruling(tally, Rule.TARGET_SELECTION, top, "no_target")
    if Standing.NON_TARGET not in standings:
        return _ruling(tally, Rule.TARGET_SELECTION, low, "no_non_target")
    closer = min((top, low), key=lambda side: abs((side.margin or 0) / side.threshold))
    return _ruling(tally, Rule.TARGET_SELECTION, closer)


def two_thirds(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether strictly more than the share of those who named a group named the target."""
    k, others = tally.votes_of(Role.TARGET), tally.votes_of(Role.NON_TARGET)
    n = k + others
    comparison = compare(k, n, settings.stereotype_share)
    if above(k, n, settings.stereotype_share):
        return _ruling(tally, Rule.TWO_THIRDS, comparison)
    return _ruling(
        tally, Rule.TWO_THIRDS, comparison, "majority_non_target" if others > k else "below"
    )


def no_stereotype(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether too many respondents said that no stereotype exists."""
    k, n = tally.votes_of(Role.NONE), tally.respondents
    too_many = above(k, n, settings.no_stereotype_limit)
    comparison = compare(k, n, settings.no_stereotype_limit)
    return _ruling(tally, Rule.NO_STEREOTYPE, comparison, "above" if too_many else "")


def comprehension(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether too few respondents understood a template."""
    k, n = tally.votes_of(Role.CORRECT), tally.respondents
    too_few = below(k, n, settings.comprehension_share)
    comparison = compare(k, n, settings.comprehension_share)
    return _ruling(tally, Rule.COMPREHENSION, comparison, "below" if too_few else "")


def min_respondents(tally: Tally, settings: SurveySettings) -> Decision:
    """Rule whether enough respondents answered a question for any other ruling."""
    n, wanted = tally.respondents, settings.min_respondents
    comparison = Comparison(
        k=None,
        n=n,
        value=float(n),
        threshold=float(wanted),
        margin=float(n - wanted),
        ci_low=None,
        ci_high=None,
        near=None,
    )
    return _ruling(tally, Rule.MIN_RESPONDENTS, comparison, "too_few" if n < wanted else "")


def _ruling(tally: Tally, rule: Rule, comparison: Comparison, reason: str = "") -> Decision:
    """Write a ruling: one with a reason drops its subject."""
    question = tally.question
    understood = question.kind is QuestionKind.COMPREHENSION
    return Decision(
        subject=question.template_id if understood else question.id,
        stage=Stage.COMPREHENSION if understood else Stage.SURVEY,
        rule=rule,
        outcome=Outcome.DROP if reason else Outcome.KEEP,
        reason=reason,
        **asdict(comparison),
    )
