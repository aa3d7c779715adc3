"""The status of every template after the survey, in words, tables and counts."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from curation.files.outcomes import TemplateOutcome
from curation.records.messages import finding
from curation.records.survey import (
    BY_PEOPLE,
    DROPPING_ORDER,
    OUT_BEFORE,
    Decision,
    QuestionKind,
    Rule,
    Status,
    Tally,
    drops,
)
from curation.report.texts import NARROW, decimal, percent
from survey.rules import Row

STATUS_COLUMNS = (
    "template_id",
    "category",
    "label",
    "stereotype",
    "question_id",
    "status",
    "modified",
    "reason",
)
"""The columns of the table of where every template stands, `templates.csv`."""


def status_rows(
    found: Iterable[TemplateOutcome], modified: Collection[str]
) -> Iterator[tuple[str, ...]]:
    """Yield the status of every template, in the order of `STATUS_COLUMNS`.

    Args:
        found: The templates.
        modified: Ids of those whose groups the survey replaced.
    """
    for item in found:
        template = item.template
        yield (
            str(template.id),
            template.category,
            template.label.value if template.label else "",
            template.stereotype,
            item.question.id if item.question else "",
            item.status.value,
            "true" if str(template.id) in modified else "false",
            item.reason,
        )


def fraction(value: Fraction) -> str:
    """Write a threshold as people say it: `2/3`, `1/2`, `2`, `0.7`."""
    return str(value) if value.denominator <= 4 else f"{float(value):g}"


_FINEST = 1000  # a threshold is stored with six decimals


def why(decision: Decision) -> str:
    """Say by what fact a decision drops its subject."""
    needed = fraction(Fraction(decision.threshold or 0).limit_denominator(_FINEST))
    told = {
        "needed": needed,
        "share": f"exactly {needed}" if decision.margin == 0 else percent(decision.value),
        "value": decimal(decision.value),
        "people": str(decision.n),
    }
    try:
        is_named = decision.value is not None or decision.k is None
        way = f"{decision.rule}-{decision.reason}" if is_named else "nobody"
        return finding("survey", "dropped", "", way=way, **told).message
    except KeyError:  # people write decisions, too
        return f"{decision.rule} {decision.reason}".strip()


def reason_of(item: TemplateOutcome) -> str:
    """Say why a template has its status; of one that a rule drops, by what fact."""
    found = item.decisive
    if found is None or item.status is not Status.DROPPED or found.rule not in DROPPING_ORDER:
        return item.reason
    counts = "" if found.k is None else f" ({found.k} of {found.n})"
    return f"{why(found).replace(NARROW, ' ')}{counts}{', borderline' * found.borderline}"


NOT_APPLIED = "not_applied"
"""The reason of a decision that takes back an earlier one, whose rule is applied no more."""


def decisions_of(
    tally: Tally, standing: Mapping[tuple[str, Rule], Decision]
) -> tuple[Decision, ...]:
    """The latest decision of each rule that is applied to a question; none where nobody answered.

    Args:
        tally: Its counts.
        standing: The latest decision of each rule on each subject.
    """
    understood = tally.question.kind is QuestionKind.COMPREHENSION
    rules = (Rule.COMPREHENSION,) if understood else DROPPING_ORDER
    found = (standing.get((tally.question.subject, rule)) for rule in rules)
    return tuple(it for it in found if it and it.reason != NOT_APPLIED and tally.respondents)


def template_funnel(found: Iterable[TemplateOutcome]) -> list[Row]:
    """Count templates by category, without those that were out before the survey.

    Returns:
        Of each `category` how many there were (`before`), each rule drops (`dropped`) or a person
        (`manual`), are `undecided`, and are retained (`after`). A template that several rules drop
        is counted at the first, so that a row adds up.
    """
    members: dict[str, list[TemplateOutcome]] = {}
    for item in found:
        mine = members.setdefault(item.template.category, [])
        mine += [item] * (item.status not in OUT_BEFORE)
    return [_funnel_row(category, mine) for category, mine in members.items()]


def stereotype_funnel(found: Iterable[TemplateOutcome]) -> list[Row]:
    """Count stereotypes by category: one is retained while any of its templates is.

    A stereotype none of whose templates is retained is counted at the rule that drops the first.
    """
    order = (Status.KEPT, Status.UNDECIDED, Status.DROPPED)
    best: dict[str, dict[str, TemplateOutcome]] = {}
    for item in found:
        if item.status not in OUT_BEFORE:
            mine = best.setdefault(item.template.category, {})
            known = mine.setdefault(item.template.stereotype, item)
            if order.index(item.status) < order.index(known.status):
                mine[item.template.stereotype] = item
    return [_funnel_row(category, mine.values()) for category, mine in best.items()]


def _funnel_row(category: str, members: Collection[TemplateOutcome]) -> Row:
    dropped = [item for item in members if item.status is Status.DROPPED]
    by_rule = Counter(item.decisive.rule for item in dropped if item.decisive)
    statuses = Counter(item.status for item in members)
    return {
        "category": category,
        "before": len(members),
        "dropped": {rule: by_rule[rule] for rule in DROPPING_ORDER},
        "manual": sum(count for rule, count in by_rule.items() if rule not in DROPPING_ORDER),
        "undecided": statuses[Status.UNDECIDED],
        "after": statuses[Status.KEPT] + statuses[Status.UNDECIDED],
    }


_SHARED_RULES = (Rule.NO_STEREOTYPE, Rule.MIN_RESPONDENTS)
_PARTS: tuple[tuple[tuple[QuestionKind, ...], tuple[Rule, ...]], ...] = (
    ((QuestionKind.SELECT_ALL,), (Rule.TARGET_SELECTION, Rule.TARGET_SHARE)),
    ((QuestionKind.CHOICE,), (Rule.TWO_THIRDS,)),
    ((QuestionKind.SELECT_ALL,), _SHARED_RULES),
    ((QuestionKind.CHOICE,), _SHARED_RULES),
    ((QuestionKind.SELECT_ALL, QuestionKind.CHOICE), _SHARED_RULES),
    ((QuestionKind.COMPREHENSION,), (Rule.COMPREHENSION,)),
)
"""Kinds of question, each of which is asked, with rules that they have."""


def rule_drops(
    tallies: Iterable[Tally],
    found: Iterable[TemplateOutcome],
    standing: Mapping[tuple[str, Rule], Decision],
) -> Iterator[Row]:
    """Count what each rule drops, by kind of question; a rule that decided nothing is left out.

    Args:
        tallies: The counts.
        found: Where every template stands.
        standing: The latest decision of each rule on each subject.

    Yields:
        The `kind` of question, empty for those rules that both about a stereotype have, and the
        `rule`; the `questions` that somebody answered, of which those about a stereotype are as
        many as the stereotypes, each with the options that it was asked with; how many of them the
        rule has `dropped`, and `alone`, without another rule; the `templates` linked to such a
        question, except those that a person decided, and `templates_dropped`, whose question the
        rule drops; and each as a share, None where no template is linked. Several rules may drop
        one question, so that the rules need not add up.
    """
    linked: dict[str, int] = {}
    for item in found:
        if item.status in OUT_BEFORE or (item.decisive and item.decisive.rule in BY_PEOPLE):
            continue
        own = (item.question.id,) if item.question else ()
        for subject in (*own, str(item.template.id)):
            linked[subject] = linked.get(subject, 0) + 1
    asked = [tally for tally in tallies if tally.respondents]
    decided = {tally.question.subject: decisions_of(tally, standing) for tally in asked}
    by_rule = {name: {item.rule for item in drops(made)} for name, made in decided.items()}
    for kinds, rules in _PARTS:
        if not {*kinds} <= {tally.question.kind for tally in asked}:
            continue
        subjects = [tally.question.subject for tally in asked if tally.question.kind in kinds]
        for rule in rules:
            if not any(item.rule is rule for name in subjects for item in decided[name]):
                continue
            dropped = [subject for subject in subjects if rule in by_rule[subject]]
            if rule is Rule.MIN_RESPONDENTS and not dropped:
                continue
            alone = sum(not by_rule[subject] - {rule} for subject in dropped)
            templates, gone = (
                sum(linked.get(subject, 0) for subject in some) for some in (subjects, dropped)
            )
            yield {
                "kind": "" if kinds[1:] else kinds[0].value,
                **{"rule": rule, "questions": len(subjects)},
                **{"dropped": len(dropped), "alone": alone},
                **{"templates": templates, "templates_dropped": gone},
                "share": len(dropped) / len(subjects),
                "alone_share": alone / len(subjects),
                "templates_share": gone / templates if templates else None,
            }
