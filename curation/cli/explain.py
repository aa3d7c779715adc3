"""`curate explain`: every decision behind a template, a stereotype or a sample."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import asdict

import click

from curation.cli.common import json_option, print_json, workspace_option
from curation.cli.final import Final, filler_groups, load_final, variant_of
from curation.io.annotations import AnnotationsFolder, read_renamed
from curation.io.workspace import Workspace
from curation.model.bank import Template
from curation.model.errors import CurateError
from curation.model.ids import SampleId
from curation.model.sample import Sample
from curation.model.survey import Role, Tally
from curation.slots import parse_lists
from curation.stages.generate import Filling, expand, prepare
from survey.outcome import Status, TemplateOutcome, describe


@click.command("explain")
@workspace_option
@click.argument("subject")
@json_option
def command(workspace: Workspace, subject: str, as_json: bool) -> None:
    """Show every decision behind SUBJECT.

    SUBJECT is a template (age-001), a stereotype as it is written in the bank, a question
    of the survey (q-age-1a2b3c4d) or a sample (age-001a-002-amb-bsd).
    """
    final = load_final(workspace)
    found, sample = _find(final, workspace, _latest(final, workspace, subject))
    if as_json:
        templates = [_as_dict(item, final) for item in found]
        print_json({"subject": subject, "sample": sample, "templates": templates})
        return
    if sample is not None:
        click.echo("\n".join(_sample_lines(sample)))
        click.echo()
    click.echo("\n\n".join("\n".join(_lines(item, final)) for item in found))


def _latest(final: Final, workspace: Workspace, subject: str) -> str:
    """Give the id that a template, variant or sample has now, where it once had another."""
    match = re.fullmatch(r"(\w+-\d+)(.*)", subject)
    if match is None or any(str(item.template.id) == match[1] for item in final.outcomes):
        return subject
    renamed = read_renamed(AnnotationsFolder(workspace.root).renamed)
    return renamed.get(match[1], match[1]) + match[2]


def _find(
    final: Final, workspace: Workspace, subject: str
) -> tuple[list[TemplateOutcome], dict[str, object] | None]:
    by_id = {str(item.template.id): item for item in final.outcomes}
    if subject in by_id:
        return [by_id[subject]], None
    try:
        sample_id = SampleId.parse(subject)
    except CurateError:
        pass
    else:
        item = by_id.get(str(sample_id.variant.template))
        if item is None:
            raise _unknown(subject, by_id)
        return [item], _sample(final, workspace, sample_id, item)
    by_variant = {
        str(variant.id): item for item in final.outcomes for variant in item.template.variants
    }
    if subject in by_variant:
        return [by_variant[subject]], None
    understood = {tally.question.id: tally.question.template_id for tally in final.tallies}
    wanted = " ".join(subject.split()).casefold()
    found = [
        item
        for item in final.outcomes
        if (wanted and wanted == " ".join(item.template.stereotype.split()).casefold())
        or (item.question is not None and item.question.id == subject)
        or understood.get(subject) == str(item.template.id)
    ]
    if not found:
        stereotypes = (item.template.stereotype for item in final.outcomes)
        raise _unknown(subject, [*by_id, *by_variant, *understood, *stereotypes])
    return found, None


def _unknown(subject: str, known: Sequence[str] | dict[str, TemplateOutcome]) -> CurateError:
    near = difflib.get_close_matches(subject, list(dict.fromkeys(known)), n=3, cutoff=0.5)
    return CurateError(
        f"the bank has no template, stereotype, question or sample '{subject}'",
        hint=f"did you mean {', '.join(near)}?" if near else "'curate stats' lists what there is",
    )


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


def _sample_lines(sample: dict[str, object]) -> list[str]:
    if not sample["in_benchmark"]:
        return [f"Sample {sample['sample_id']} is not in the benchmark: its template is out."]
    lines = [f"Sample {sample['sample_id']}"]
    filling = sample["filling"]
    assert isinstance(filling, dict)  # noqa: S101  # made by _sample above
    for name, part in filling.items():
        group = f"  ({part['group']})" if part["group"] else ""
        lines.append(f"  {name:9} {part['filler']}{group}")
    for name in ("context", "question", "choices", "answer", "biased_answer"):
        value = sample[name]
        text = " | ".join(value) if isinstance(value, list | tuple) else value
        lines.append(f"  {name:13} {text}")
    return lines


def _tally(item: TemplateOutcome, final: Final) -> Tally | None:
    if item.question is None:
        return None
    return next((t for t in final.tallies if t.question.id == item.question.id), None)


def _lines(item: TemplateOutcome, final: Final) -> list[str]:
    template = item.template
    first = template.first
    letters = ", ".join(variant.letter.value for variant in template.variants)
    lines = [
        f"Template {template.id}: {item.status.value}, {item.reason}",
        f"  category      {template.category}",
        f"  label         {template.label.value if template.label else 'not classified yet'}",
        f"  stereotype    {template.stereotype}",
        f"  variants      {letters}",
        f"  source        {_source(template)}",
    ]
    if first.reference:
        lines.append(f"  reference     {first.reference}")
    if first.note:
        lines.append(f"  note          {first.note}")
    lines += _people_lines(template, final)
    lines += _question_lines(item, final)
    lines.append("  rulings" if item.rulings else "  rulings       none")
    lines += [
        f"    {describe(ruling)}" + (f"  [{ruling.by}, {ruling.at}]" if ruling.by else "")
        for ruling in item.rulings
    ]
    return lines


def _source(template: Template) -> str:
    first = template.first
    if not first.source_id:
        return first.source or "written for this culture"
    return f"{first.source} {first.source_category} {first.source_id}".strip()


def _people_lines(template: Template, final: Final) -> list[str]:
    """Show the groups and names, and say where they come from the survey."""
    shown = next((item for item in final.templates if item.id == template.id), template)
    first = shown.first
    texts = first.source_texts if first.texts.is_empty else first.texts
    surveyed = "  (from the survey)" if str(template.id) in final.modified else ""
    lines = [f"  target        {', '.join(texts.target_groups) or 'left to the survey'}{surveyed}"]
    for name, groups in (("N1", texts.n1_groups), ("N2", texts.n2_groups)):
        lists = parse_lists(texts.names)
        names = ", ".join(filler.text for filler in lists[name].fillers) if name in lists else ""
        if groups or names:
            lines.append(f"  {name} ({shown.first.letter})        {', '.join(groups)}: {names}")
    return lines


def _question_lines(item: TemplateOutcome, final: Final) -> list[str]:
    tally = _tally(item, final)
    if tally is None:
        return []
    question = tally.question
    lines = [
        f"  question      {question.id} ({question.kind}), {tally.respondents} respondents, "
        f"from {tally.source}"
    ]
    for option, votes in zip(question.options, tally.votes, strict=True):
        name = "no stereotype exists" if option.role is Role.NONE else option.label
        aside = (
            ""
            if option.counts or option.role is Role.NONE
            else "  (does not count for the equal share)"
        )
        lines.append(f"    {votes:5}  {name}{aside}")
    return lines


def _as_dict(item: TemplateOutcome, final: Final) -> dict[str, object]:
    template, tally = item.template, _tally(item, final)
    return {
        "template_id": str(template.id),
        "status": item.status.value,
        "reason": item.reason,
        "category": template.category,
        "label": template.label.value if template.label else None,
        "stereotype": template.stereotype,
        "variants": [variant.letter.value for variant in template.variants],
        "source": template.first.source,
        "source_id": template.first.source_id,
        "source_category": template.first.source_category,
        "reference": template.first.reference,
        "modified": str(template.id) in final.modified,
        "question": None
        if tally is None
        else {
            "question_id": tally.question.id,
            "kind": tally.question.kind.value,
            "respondents": tally.respondents,
            "votes": [
                {"group": option.label or None, "role": option.role.value, "votes": votes}
                for option, votes in zip(tally.question.options, tally.votes, strict=True)
            ],
        },
        "decisions": [asdict(ruling) for ruling in item.rulings],
    }
