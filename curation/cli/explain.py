"""`curate explain`: every decision behind a template, a stereotype or a sample."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from curation.cli.common import json_option, print_json, workspace_option
from curation.cli.explain_shown import (
    Gone,
    gone_dict,
    gone_lines,
    sample_lines,
    template_dict,
    template_lines,
)
from curation.cli.explain_unknown import unknown_subject
from curation.cli.final import Final, filler_groups, load_final, variant_of
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.ids import SampleId
from curation.model.sample import Sample
from curation.model.survey import Decision, Rule, Tally
from curation.stages.generate import Filling, expand, prepare
from survey.ledger import current
from survey.outcome import Status, TemplateOutcome


@dataclass(frozen=True, slots=True)
class _Found:
    """What a subject names: templates, one sample of one, or what has left the bank."""

    templates: tuple[TemplateOutcome, ...] = ()
    sample: dict[str, object] | None = None
    gone: tuple[Gone, ...] = ()


def _ids(context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the ids of templates to the shell."""
    workspace = context.params.get("workspace") or Workspace(Path())
    try:
        ids = dict.fromkeys(str(item.id) for item in workspace.bank.templates())
    except CurateError:  # the shell is no place to say so; the command itself will
        return []
    return [name for name in ids if name.startswith(incomplete)]


@click.command("explain")
@workspace_option
@click.argument("subject", shell_complete=_ids)
@json_option
def command(workspace: Workspace, subject: str, as_json: bool) -> None:
    """Show every decision behind SUBJECT.

    SUBJECT is a template (age-001), a stereotype as it is written in the bank, a question
    of the survey (q-age-1a2b3c4d) or a sample (age-001a-002-amb-bsd). Templates are found by
    ids that they had before, and what was taken out of the bank by its rulings.
    """
    final = load_final(workspace)
    found = _find(final, workspace, subject)
    former: dict[str, list[str]] = {}
    for old, new in workspace.renamed.items():
        former.setdefault(new, []).append(old)
    pairs = [(item, former.get(str(item.template.id), [])) for item in found.templates]
    if as_json:
        print_json(
            {
                "subject": subject,
                "sample": found.sample,
                "templates": [template_dict(item, final, ids) for item, ids in pairs],
                "gone": [gone_dict(item) for item in found.gone],
            }
        )
        return
    if found.sample is not None:
        click.echo("\n".join(sample_lines(found.sample)))
        click.echo()
    parts = [template_lines(item, final, ids) for item, ids in pairs]
    parts += [gone_lines(item) for item in found.gone]
    click.echo("\n\n".join("\n".join(lines) for lines in parts))


def _find(final: Final, workspace: Workspace, asked: str) -> _Found:
    """Find what a subject names.

    Raises:
        CurateError: If it names nothing, now or before.
    """
    subject = _latest(workspace, asked)
    by_id = {str(item.template.id): item for item in final.outcomes}
    owner = by_id.get(_template_of(subject))
    if owner is not None:
        names = [str(owner.template.id), *(str(item.id) for item in owner.template.variants)]
        if subject in names:
            return _Found((owner,))
        try:
            sample_id = SampleId.parse(subject)
        except CurateError:
            raise unknown_subject(final, workspace, asked) from None
        return _Found((owner,), _sample(final, workspace, sample_id, owner))
    found = _by_question(final, subject)
    gone = () if found else tuple(_gone(final, workspace, subject))
    if not found and not gone:
        raise unknown_subject(final, workspace, asked)
    return _Found(found, None, gone)


_ID = re.compile(r"(\w+-\d+)([a-d](-\d+-(amb|dis)-(bsd|cnt))?)?")
"""A template's id, alone or in that of a variant or a sample."""


def _template_of(subject: str) -> str:
    match = _ID.fullmatch(subject)
    return match[1] if match else ""


def _latest(workspace: Workspace, subject: str) -> str:
    """Give the id that a template, variant or sample has now, where it once had another."""
    before = _template_of(subject)
    return workspace.renamed.get(before, before) + subject.removeprefix(before)


def _by_question(final: Final, subject: str) -> tuple[TemplateOutcome, ...]:
    """Find templates by their question, its stereotype, or their question of comprehension."""
    understood = {tally.question.id: tally.question.template_id for tally in final.tallies}
    wanted = _plain(subject)
    return tuple(
        item
        for item in final.outcomes
        if (wanted and wanted == _plain(item.template.stereotype))
        or (item.question is not None and item.question.id == subject)
        or understood.get(subject) == str(item.template.id)
    )


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _gone(final: Final, workspace: Workspace, subject: str) -> Iterator[Gone]:
    """Find what the survey or a person ruled on, and the bank no longer has."""
    rulings: dict[str, tuple[Decision, ...]] = {}
    for ruling in current(workspace.rulings).values():
        rulings[ruling.subject] = (*rulings.get(ruling.subject, ()), ruling)
    understood = {tally.question.template_id: tally for tally in final.tallies}
    template = _ruled_template(final, subject, rulings)
    if template and (template in rulings or template in understood):
        yield Gone(template, "template", understood.get(template), rulings.get(template, ()))
        return
    asked = {tally.question.id: tally for tally in final.tallies if _asks(tally, subject)}
    for name in asked or [subject] * (subject in rulings):
        tally = asked.get(name)
        stereotype = _plain(tally.question.stereotype) if tally else ""
        same = (i for i in final.outcomes if stereotype == _plain(i.template.stereotype) != "")
        yield Gone(name, "question", tally, rulings.get(name, ()), tuple(same))


_OF_QUESTIONS = (Rule.MIN_RESPONDENTS, Rule.TWO_THIRDS, Rule.NO_STEREOTYPE)
"""Rules that rule on questions alone."""


def _ruled_template(final: Final, subject: str, rulings: Mapping[str, Sequence[Decision]]) -> str:
    """Tell which template a subject names, for a question may have an id that looks like one."""
    of_question = {tally.question.id: tally.question.template_id for tally in final.tallies}
    if subject in of_question:
        return of_question[subject]
    if any(ruling.rule in _OF_QUESTIONS for ruling in rulings.get(subject, ())):
        return ""
    return _template_of(subject)


def _asks(tally: Tally, subject: str) -> bool:
    question = tally.question
    by_text = bool(subject.strip()) and _plain(question.stereotype) == _plain(subject)
    return question.id == subject or by_text


def _sample(
    final: Final, workspace: Workspace, sample_id: SampleId, item: TemplateOutcome
) -> dict[str, object]:
    """Make one sample again and say how it came about."""
    if item.status in (Status.DROPPED, Status.REMOVED):
        return {"sample_id": str(sample_id), "in_benchmark": False}
    templates = {template.id: template for template in final.fillable}
    template = templates.get(sample_id.variant.template)
    variant = variant_of(template, sample_id.variant.letter.value) if template else None
    if variant is None:
        raise CurateError(f"there is no variant {sample_id.variant} that can be filled")
    culture = workspace.culture
    filling = prepare(variant, culture.language)
    if sample_id.index > filling.count:
        raise CurateError(
            f"{sample_id.variant} has {filling.count} fillings, none is {sample_id.index}"
        )
    groups = filler_groups(workspace.groups)
    made = expand(filling, culture.unknown, groups, [sample_id.index])
    sample = next(item for item in made if item.sample_id == str(sample_id))
    return {
        "in_benchmark": True,
        **sample._asdict(),
        "filling": _filling(filling, sample_id.index, sample),
    }


def _filling(filling: Filling, index: int, sample: Sample) -> dict[str, dict[str, str]]:
    at = filling.indices(index)
    people = {"N1": sample.n1_group, "N2": sample.n2_group}
    return {
        name: {"filler": filling.filler(name, at).text, "group": people.get(name, "")}
        for name in filling.lists
    }
