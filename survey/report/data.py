"""Work out what a report says, from the counts, the ledger and the answers."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from curation import __version__
from curation.model.culture import SurveySettings
from curation.model.survey import Decision, QuestionKind, Role, Rule, Tally
from survey.certainty import Certainty, certainties, sensitivity
from survey.filtering import stereotype_funnel, template_funnel
from survey.ledger import DROPPING_ORDER, current, drops
from survey.outcome import Status, TemplateOutcome
from survey.report.people import quality_part, respondents_part, weighting_part
from survey.report.records import (
    GroupVotes,
    Material,
    QuestionFunnel,
    QuestionRow,
    Report,
    Ruling,
    TemplateLine,
)
from survey.report.words import why
from survey.rules import equal_share, standing
from survey.thresholds import compare, rounded

_OWN_RULE = {
    QuestionKind.SELECT_ALL: Rule.TARGET_SELECTION,
    QuestionKind.CHOICE: Rule.TWO_THIRDS,
    QuestionKind.COMPREHENSION: Rule.COMPREHENSION,
}
_APPLIED = {
    QuestionKind.SELECT_ALL: (Rule.MIN_RESPONDENTS, Rule.TARGET_SELECTION, Rule.NO_STEREOTYPE),
    QuestionKind.CHOICE: (Rule.MIN_RESPONDENTS, Rule.TWO_THIRDS, Rule.NO_STEREOTYPE),
    QuestionKind.COMPREHENSION: (Rule.COMPREHENSION,),
}


def build(material: Material) -> Report:
    """Work out everything that a report says.

    Raises:
        CurateError: If a question of target selection has no option that counts.
    """
    people, settings = material.people, material.settings
    rows = tuple(_question_rows(material))
    templates = [item.template for item in material.outcomes]
    return Report(
        culture=material.culture,
        settings=settings,
        tool_version=__version__,
        ruled_at=max((ruling.at for row in rows for ruling in row.rulings), default=""),
        notes=material.notes,
        questions=rows,
        question_funnel=tuple(_question_funnel(rows)),
        stereotype_funnel=tuple(stereotype_funnel(material.outcomes)),
        template_funnel=tuple(template_funnel(material.outcomes)),
        asked=sum(
            item.question is not None and item.status is not Status.REMOVED
            for item in material.outcomes
        ),
        removed=sum(item.status is Status.REMOVED for item in material.outcomes),
        undecided=_lines(i for i in material.outcomes if i.status is Status.UNDECIDED),
        overridden=_lines(
            item
            for item in material.outcomes
            if item.decisive is not None and item.decisive.rule is Rule.OVERRIDE
        ),
        modified=_lines(i for i in material.outcomes if str(i.template.id) in material.modified),
        respondents=respondents_part(people, material.culture, settings) if people else None,
        quality=quality_part(material),
        weighting=weighting_part(people, settings) if people else None,
        sensitivity=tuple(sensitivity(material.tallies, templates, settings, material.ledger)),
    )


def _question_rows(material: Material) -> Iterable[QuestionRow]:
    settings = material.settings
    standing_rulings = current(material.ledger)
    tests = {
        item.question_id: item for item in certainties(material.tallies, settings.stereotype_share)
    }
    stereotypes = {str(i.template.id): i.template.stereotype for i in material.outcomes}
    hanging: dict[str, list[str]] = {}
    for item in material.outcomes:
        if item.question is not None and item.status is not Status.REMOVED:
            hanging.setdefault(item.question.id, []).append(str(item.template.id))
    for tally in material.tallies:
        template = tally.question.template_id
        yield _question_row(
            tally,
            settings,
            standing_rulings,
            tests.get(tally.question.id),
            [template] if template else hanging.get(tally.question.id, []),
            tally.question.stereotype or stereotypes.get(template, ""),
        )


def _question_row(
    tally: Tally,
    settings: SurveySettings,
    ledger: Mapping[tuple[str, Rule], Decision],
    certainty: Certainty | None,
    templates: Sequence[str],
    stereotype: str,
) -> QuestionRow:
    question = tally.question
    understood = question.kind is QuestionKind.COMPREHENSION
    subject = question.template_id if understood else question.id
    rulings = tuple(
        ledger[subject, rule]
        for rule in _APPLIED[question.kind]
        if tally.respondents and (subject, rule) in ledger
    )
    falling = drops(rulings)
    ruling = Ruling.DROPPED if falling else Ruling.KEPT if rulings else Ruling.UNDECIDED
    own = [item for item in rulings if item.rule is _OWN_RULE[question.kind]]
    selects = question.kind is QuestionKind.SELECT_ALL
    return QuestionRow(
        id=question.id,
        kind=question.kind,
        category=question.category,
        stereotype=stereotype,
        respondents=tally.respondents,
        source=tally.source,
        groups=tuple(_groups(tally, settings)),
        none=None if understood else tally.votes_of(Role.NONE),
        equal_share=rounded(equal_share(tally, settings)) if selects else None,
        decisive=own[0] if own else None,
        rulings=rulings,
        ruling=ruling,
        why=tuple(why(item, settings) for item in falling),
        near=any(item.near for item in rulings),
        certainty=certainty,
        templates=tuple(templates),
    )


def _groups(tally: Tally, settings: SurveySettings) -> Iterable[GroupVotes]:
    """Give the options but for 'no stereotype', with their standing."""
    selects = tally.question.kind is QuestionKind.SELECT_ALL
    share = equal_share(tally, settings) if selects else Fraction(0)
    for option, votes in zip(tally.question.options, tally.votes, strict=True):
        if option.role is Role.NONE:
            continue
        if not selects:
            label = option.label or option.text or option.code
            yield GroupVotes(label, votes, counts=True, role=option.role.value)
            continue
        unit = share / tally.respondents if tally.respondents else None
        top = compare(votes, tally.respondents, settings.target_multiple, unit)
        low = compare(votes, tally.respondents, settings.non_target_multiple, unit)
        yield GroupVotes(
            label=option.label,
            votes=votes,
            counts=option.counts,
            role=standing(votes, share, settings).value,
            times=top.value,
            ci_low=top.ci_low,
            ci_high=top.ci_high,
            near=bool(top.near or low.near),
        )


def _question_funnel(rows: Sequence[QuestionRow]) -> Iterable[QuestionFunnel]:
    for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL, QuestionKind.COMPREHENSION):
        mine = [row for row in rows if row.kind is kind]
        if not mine:
            continue
        falling = [item.rule for row in mine for item in drops(row.rulings)]
        yield QuestionFunnel(
            kind=kind,
            asked=len(mine),
            unanswered=sum(row.ruling is Ruling.UNDECIDED for row in mine),
            dropped={rule: falling.count(rule) for rule in DROPPING_ORDER},
            kept=sum(row.ruling is Ruling.KEPT for row in mine),
        )


def _lines(found: Iterable[TemplateOutcome]) -> tuple[TemplateLine, ...]:
    return tuple(
        TemplateLine(
            id=str(item.template.id),
            category=item.template.category,
            label=item.template.label.value if item.template.label else "",
            stereotype=item.template.stereotype,
            status=item.status.value,
            reason=item.reason,
            by=item.decisive.by if item.decisive else "",
        )
        for item in found
    )
