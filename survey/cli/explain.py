"""`curate explain`: every decision behind a template, a stereotype or a sample."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from curation.cli import options, terminal
from curation.files.outcomes import TemplateOutcome, describe
from curation.files.workspace import Workspace
from curation.records.bank import Template, Texts, Variant
from curation.records.messages import CurateError
from curation.records.survey import Tally
from curation.report.texts import environment
from curation.slots.grammar import Filler, SlotList, few_names, is_open, parse_lists, print_fillers
from survey.bank import FinalBank, undecided_hints
from survey.explaining import Gone, conditions_of, explain
from survey.outcomes import reason_of


def _ids(context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the ids of templates to the shell."""
    workspace = context.params.get("workspace") or Workspace(Path())
    try:
        ids = dict.fromkeys(str(item.id) for item in workspace.bank.templates())
    except CurateError:  # the shell is no place to say so; the command itself will
        return []
    return [name for name in ids if name.startswith(incomplete)]


@options.curate_command("explain")
@click.argument("subject", shell_complete=_ids)
def command(workspace: Workspace, subject: str) -> terminal.Taken:
    """Show all decisions on SUBJECT, with the numbers that they are based on.

    SUBJECT is a template (age-001), a stereotype as it is written in the bank, a question of the
    survey (q-age-1a2b3c4d) or a sample (age-001a-002-amb-bsd). Former ids of templates, and deleted
    templates, are found too.
    """
    found = explain(workspace, subject)
    final = found.final
    pairs = [(item, found.former.get(str(item.template.id), ())) for item in found.templates]
    untied = workspace.untied
    value = {
        "subject": subject,
        "sample": found.sample,
        "templates": [
            {**_template_dict(item, final, ids), "untied": str(item.template.id) in untied}
            for item, ids in pairs
        ],
        "gone": [_gone_dict(item) for item in found.gone],
    }

    def show() -> None:
        shown = environment(__package__).get_template("explain.txt.j2")
        text = shown.render(
            sample=found.sample,
            templates=pairs,
            gone=found.gone,
            final=final,
            source=_source,
            people_lines=_people_lines,
            untied=untied,
            tally_of=_tally,
            describe=describe,
            reason_of=reason_of,
            hints=undecided_hints(workspace, final),
        )
        for line in text.rstrip("\n").split("\n"):
            terminal.echo_fitting(line)

    return value, False, show


def _tally(item: TemplateOutcome, final: FinalBank) -> Tally | None:
    if item.question is None:
        return None
    return next((t for t in final.tallies if t.question.id == item.question.id), None)


def _source(template: Template) -> str:
    first = template.first
    if not first.source_id:
        return first.source or "written for this culture"
    return f"{first.source} {first.source_category} {first.source_id}".strip()


def _shown(template: Template, final: FinalBank) -> tuple[Variant, Texts]:
    """The first variant with what the survey made of it, and its wording."""
    now = next((item for item in final.templates if item.id == template.id), template)
    return now.first, now.first.source_texts if now.first.texts.is_empty else now.first.texts


def _people_lines(template: Template, final: FinalBank) -> list[str]:
    """Show the groups and names, and say where they come from the survey."""
    first, texts = _shown(template, final)
    surveyed = "  (from the survey)" if str(template.id) in final.modified else ""
    source = first.source_texts
    lines = [
        f"  target        {_groups(texts, texts.target_groups, source.target_groups)}{surveyed}"
    ]
    for name, groups, in_source in (
        ("N1", texts.n1_groups, source.n1_groups),
        ("N2", texts.n2_groups, source.n2_groups),
    ):
        lists = parse_lists(texts.names)
        names = _names(lists[name]) if name in lists else ""
        if groups or names:
            said = _groups(texts, groups, in_source)
            lines.append(f"  {name} ({first.id.short})        {said}: {names}")
    written, left = conditions_of(texts)
    if written:
        lines.append(f"  conditions    {'; '.join(written)}{left}")
    return lines


def _groups(texts: Texts, groups: Sequence[str], in_source: Sequence[str]) -> str:
    """Groups as a wording states them, and why it states none."""
    if groups:
        return ", ".join(groups)
    if is_open(texts):
        return "to be chosen by the survey"
    if in_source:
        return f"no group named yet ({', '.join(in_source)} in the source)"
    return "no group named"


def _names(listed: SlotList) -> str:
    """The fillers of a list with their attributes; of a long one a few names."""
    few, more = few_names(listed)
    shown = few if more else listed
    return ", ".join(map(_filler, shown.fillers)) + more


def _filler(filler: Filler) -> str:
    """A filler, with its attributes where it has some."""
    return print_fillers([filler])[1:-1] if filler.features else filler.text


def _template_dict(
    item: TemplateOutcome, final: FinalBank, former: Iterable[str]
) -> dict[str, object]:
    """Where a template stands as `--json` prints it."""
    template, tally = item.template, _tally(item, final)
    return {
        "template_id": str(template.id),
        "former_ids": list(former),
        "status": item.status.value,
        "reason": item.reason,
        "category": template.category,
        "label": template.label,
        "stereotype": template.stereotype,
        "variants": [variant.id.short for variant in template.variants],
        "source": template.first.source,
        "source_id": template.first.source_id,
        "source_category": template.first.source_category,
        "reference": template.first.reference,
        "modified": str(template.id) in final.modified,
        "conditions": conditions_of(_shown(template, final)[1])[0],
        "question": _question_dict(tally),
        "decisions": item.decisions,
    }


def _gone_dict(gone: Gone) -> dict[str, object]:
    """What is known of a subject that left the bank as `--json` prints it."""
    return {
        **{name: gone[name] for name in ("subject", "kind")},
        "question": _question_dict(gone["tally"]),
        "decisions": gone["decisions"],
        "see_also": [str(item.template.id) for item in gone["namesakes"]],
    }


def _question_dict(tally: Tally | None) -> dict[str, object] | None:
    if tally is None:
        return None
    return {
        "question_id": tally.question.id,
        "kind": tally.question.kind.value,
        "respondents": tally.respondents,
        "votes": [
            {"group": option.label or None, "role": option.role.value, "votes": votes}
            for option, votes in zip(tally.question.options, tally.votes, strict=True)
        ],
    }
