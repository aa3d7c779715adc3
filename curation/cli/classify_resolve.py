"""`curate classify resolve`: a consensus goes to the ledger, and its label to the bank."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from curation.checks.base import Subject
from curation.checks.catalogue import run
from curation.checks.removed_text import RemovedText
from curation.checks.source_missing import SourceMissing
from curation.cli.clock import now
from curation.cli.common import (
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.sheets import findings_of, mark_copies, say_refused
from curation.io.annotations import AnnotationsFolder, read_annotations
from curation.io.bank import write_bank
from curation.io.ledger import append_decisions
from curation.io.workbooks import open_workbook, read_sheet
from curation.io.workspace import Workspace
from curation.model.annotation import CLASSIFY_LABELS
from curation.model.bank import Bank, Label, Template
from curation.model.errors import CurateError
from curation.model.findings import Finding, has_errors
from curation.model.ids import TemplateId
from curation.model.survey import Decision, Rule
from curation.stages.classify import (
    agenda,
    classifiable,
    consensus,
    consensus_label,
    relabel,
    stand,
    unanimous,
)
from curation.stages.classify_sheets import AGENDA, agenda_sheet, classify_hashes
from survey.ledger import Additions, additions, current

_LABELS = [label.value for label in CLASSIFY_LABELS]


@dataclass(frozen=True, slots=True)
class _Given:
    """How the consensus is given: one of a workbook, one template, all that agree."""

    file: Path | None
    template: str | None
    label: str | None
    why: str | None
    unanimous: bool
    at_least: int
    accept_changed: bool


@click.command("resolve")
@workspace_option
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--template", metavar="ID", help="Settle this template alone.")
@click.option("--label", type=click.Choice(_LABELS), help="The label of --template.")
@click.option("--why", metavar="TEXT", help="Why; with --template.")
@click.option("--unanimous", is_flag=True, help="Settle all that every annotator labelled alike.")
@click.option(
    "--at-least",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="With --unanimous: fewer annotators are no consensus.",
)
@click.option("--by", required=True, metavar="NAME", help="Who answers for the consensus.")
@click.option("--accept-changed", is_flag=True, help="Take rows that changed since the agenda.")
@click.option("--dry-run", is_flag=True, help="Show what would be settled and write nothing.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    by: str,
    dry_run: bool,
    as_json: bool,
    **given: object,
) -> None:
    """Settle labels: from the agenda that a meeting filled in, one by one, or where all agree.

    Each consensus is a ruling in decisions.csv (ST keeps the template, TM modifies it, SR drops
    it) and gives the template its label in the bank. The same consensus again adds nothing;
    another one supersedes the earlier, and that is said.

    \b
    Example: curate classify resolve --unanimous --by Mina
             curate classify resolve annotations/agenda.xlsx --by Mina
             curate classify resolve --template age-004 --label SR --by Mina --why "not known here"
    """  # noqa: D301  # \b keeps click from wrapping the example
    wanted = _Given(**given)  # type: ignore[arg-type]  # click gives what the options declare
    _refuse_usage(wanted, by)
    rulings, findings = _rulings(ctx, workspace, wanted, as_json)
    labels = {item.subject: consensus_label(item) for item in rulings}
    bank = relabel(workspace.bank, labels)
    added = additions(workspace.rulings, rulings, " ".join(by.split()), now())
    findings += _checked(workspace, bank, labels)
    if not dry_run:
        append_decisions(workspace.ledger_file, added.decisions)
        if bank != workspace.bank:
            write_bank(workspace.bank_file, bank)
    if as_json:
        print_json(_as_dict(rulings, added, findings))
    else:
        _show(rulings, added, findings, dry_run=dry_run)
    if has_errors(findings):
        ctx.exit(1)


def _refuse_usage(given: _Given, by: str) -> None:
    ways = (given.file is not None, given.template is not None, given.unanimous)
    if sum(ways) != 1:
        raise click.UsageError("give one of FILE, --template and --unanimous")
    if not by.strip():
        raise click.UsageError("--by: a name is empty")
    if given.template is None and (given.label or given.why is not None):
        raise click.UsageError("--label and --why belong to --template")
    if given.template is not None and (not given.label or not (given.why or "").strip()):
        raise click.UsageError("--template needs --label and --why")


def _rulings(
    ctx: click.Context, workspace: Workspace, given: _Given, as_json: bool
) -> tuple[list[Decision], list[Finding]]:
    templates = classifiable(workspace.bank.templates())
    if given.file is not None:
        return _from_file(ctx, workspace, given, templates, as_json)
    if given.template is not None:
        return [_single(given, workspace, templates)], []
    annotations = read_annotations(AnnotationsFolder(workspace.root).classify)
    standing = stand(templates, annotations, classify_hashes(templates))
    if len(standing.annotators) < given.at_least:
        count = len(standing.annotators)
        raise CurateError(
            f"there are labels of {count} {plural('annotator', count)}, "
            f"fewer than {given.at_least}",
            workspace.shown(AnnotationsFolder(workspace.root).classify),
            "collect more workbooks, or lower --at-least",
        )
    known = {
        ruling.subject: ruling.reason
        for (_, rule), ruling in current(workspace.rulings).items()
        if rule is Rule.CONSENSUS
    }
    found = unanimous(standing, given.at_least)
    return [
        consensus(name, label, "unanimous", votes)
        for name, (label, votes) in found.items()
        # What a meeting has settled is not settled again by labels that were given before it.
        if name not in known or known[name].endswith(": unanimous")
    ], []


def _single(given: _Given, workspace: Workspace, templates: Sequence[Template]) -> Decision:
    assert given.template is not None and given.label  # noqa: S101  # see _refuse_usage
    name = str(TemplateId.parse(given.template))
    if name not in {str(item.id) for item in templates}:
        known = any(str(item.id) == name for item in workspace.bank.templates())
        raise CurateError(
            f"{name} is newly created and has no source to classify"
            if known
            else f"the bank has no template {name}",
            workspace.shown(workspace.bank_file),
            "'curate stats' lists what there is",
        )
    return consensus(name, Label(given.label), given.why or "")


def _from_file(
    ctx: click.Context,
    workspace: Workspace,
    given: _Given,
    templates: Sequence[Template],
    as_json: bool,
) -> tuple[list[Decision], list[Finding]]:
    """Read an agenda that was filled in; one with an error is refused and given back marked."""
    assert given.file is not None  # noqa: S101  # see _rulings
    book = open_workbook(given.file, AGENDA)
    annotations = read_annotations(AnnotationsFolder(workspace.root).classify)
    standing = stand(templates, annotations, classify_hashes(templates))
    everything = agenda(templates, standing, every=True)
    filled = read_sheet(book, agenda_sheet(templates, everything))
    # An agenda need not hold what was settled before it, or came up after it.
    filled.marks[:] = [m for m in filled.marks if m.finding.rule != "workbook-row-missing"]
    rulings = [
        consensus(row.key, Label(row.cells["label"].strip()), row.cells["why"])
        for row in filled.rows
        if row.cells["label"].strip() in _LABELS and (given.accept_changed or not row.changed)
    ]
    findings = findings_of(filled.marks)
    if not rulings and not has_errors(findings) and not any(row.changed for row in filled.rows):
        filled.mark(
            None, "label", "agenda-empty", "no template has a label", "fill in column label"
        )
        findings = findings_of(filled.marks)
    if has_errors(findings):
        copies = mark_copies(workspace, [(book, filled)])
        if as_json:
            shown = [finding_dict(item) for item in findings]
            print_json({"findings": shown, "marked": [str(path) for path in copies]})
        else:
            print_findings(findings)
            say_refused(findings, copies)
        ctx.exit(1)
    return rulings, findings


def _checked(workspace: Workspace, bank: Bank, labels: dict[str, Label]) -> list[Finding]:
    """Say what the new labels ask for: an SR template has no texts, ST and TM name a source."""
    subject = Subject(
        culture=workspace.culture,
        bank=Bank(tuple(row for row in bank.variants if str(row.template_id) in labels)),
        groups=(),
        bank_file=workspace.shown(workspace.bank_file),
        groups_file="",
    )
    return run(subject, [RemovedText(), SourceMissing()])


def _as_dict(
    rulings: Sequence[Decision], added: Additions, findings: Sequence[Finding]
) -> dict[str, object]:
    return {
        "settled": [
            {
                "template_id": item.subject,
                "label": consensus_label(item).value,
                "outcome": item.outcome.value,
                "reason": item.reason,
            }
            for item in rulings
        ],
        "ledger": {
            "added": len(added.decisions),
            "unchanged": added.unchanged,
            "changes": [
                {"before": asdict(item.before), "after": asdict(item.after)}
                for item in added.changes
            ],
        },
        "findings": [finding_dict(item) for item in findings],
    }


def _show(
    rulings: Sequence[Decision], added: Additions, findings: Sequence[Finding], *, dry_run: bool
) -> None:
    for item in added.decisions:
        click.echo(f"settled    {item.subject}  {item.reason}")
    for change in added.changes:
        click.echo(
            f"changed    {change.after.subject}: '{change.before.reason}' "
            f"({change.before.by}, {change.before.at}) is now '{change.after.reason}'"
        )
    if findings:
        print_findings(findings)
    count, verb = len(added.decisions), "would be added" if dry_run else "added"
    click.echo(
        f"{len(rulings)} {plural('template', len(rulings))} settled; {count} "
        f"{plural('ruling', count)} {verb} to the ledger, {added.unchanged} unchanged."
    )
