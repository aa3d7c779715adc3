"""`curate status`: where every template stands, and who owes what."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import click

from curation.cli.common import (
    finding_dict,
    json_option,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.final import load_final
from curation.cli.status_people import Owed, People
from curation.cli.status_survey import Survey, verdicts
from curation.io.annotations import AnnotationsFolder
from curation.io.workbooks.glance import Glance, glance_at
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.publish.releases import RELEASES
from curation.stages.status import Step, StepCounts, TemplateStep, count_steps, where_it_stands

_SHOWN = 6
_EMPTY = Owed(*("import", "", 0, "the bank holds no template yet", ()), "curate import bbq FILE...")


@dataclass(frozen=True, slots=True)
class Report:
    """All that the command tells.

    Attributes:
        counts: By category, and in total.
        steps: Where each template stands.
        owed: Who owes what, in the order of the work.
        findings: What could not be looked at.
        released: Whether there was a release.
    """

    counts: tuple[StepCounts, ...]
    steps: tuple[TemplateStep, ...]
    owed: tuple[Owed, ...]
    findings: tuple[Finding, ...]
    released: bool = False

    @property
    def next_commands(self) -> list[str]:
        """The commands that are suggested, each once."""
        found = dict.fromkeys(item.do for item in self.owed if item.do.startswith("curate "))
        if not found and not self.owed and any(row.step is Step.KEPT for row in self.steps):
            first = [] if self.released else ["curate export samples --set all,test"]
            return [*first, "curate check --release"]
        return list(found)


@click.command("status")
@workspace_option
@json_option
def command(workspace: Workspace, as_json: bool) -> None:
    """Show where every template stands, who owes what, and what comes next.

    Each template is counted once: imported (nobody has classified it), classified (not
    translated), translated (in machine text alone), reviewed (written by people, no survey has
    ruled on it), surveyed (kept, but it gives no samples yet), kept, dropped by a ruling,
    removed by its label SR, or undecided: the survey does not hold its question.

    \b
    Example: curate status
             curate status --json
    """  # noqa: D301  # \b keeps click from wrapping the example
    report = look(workspace)
    if as_json:
        print_json(_as_dict(report))
    else:
        _show(report)


def look(workspace: Workspace) -> Report:
    """Find out where everything stands.

    Raises:
        CurateError: If a file of the workspace cannot be read.
    """
    final = load_final(workspace)
    ruled = verdicts(final)
    templates = [item.template for item in final.outcomes]
    steps = [where_it_stands(item, ruled.get(str(item.id))) for item in templates]
    sheets, findings = _sheets(workspace)
    people, survey = People(workspace, templates, steps, sheets), Survey(workspace, final, steps)
    empty = () if templates else (_EMPTY,)
    return Report(
        counts=tuple(count_steps(steps)),
        steps=tuple(steps),
        owed=(*empty, *people.owed(), *survey.owed()),
        findings=(*findings, *survey.notes()),
        released=(workspace.root / RELEASES).exists(),
    )


def _sheets(workspace: Workspace) -> tuple[list[Glance], list[Finding]]:
    """Look at the workbooks that were handed out; one that cannot be opened is said."""
    sheets: list[Glance] = []
    findings = []
    for found in glance_at(AnnotationsFolder(workspace.root).sheets):
        if isinstance(found, CurateError):
            place = found.where
            findings.append(
                Finding("status-sheet", Severity.WARNING, place, None, "", found.what, found.hint)
            )
        else:
            sheets.append(found)
    return sheets, findings


def _as_dict(report: Report) -> dict[str, object]:
    return {
        "categories": [
            {
                "category": row.category,
                "templates": row.templates,
                **{step.value: count for step, count in row.steps.items()},
            }
            for row in report.counts
        ],
        "templates": [
            {
                "template_id": row.template_id,
                "category": row.category,
                "label": row.label.value if row.label else None,
                "step": row.step.value,
                "reason": row.reason,
            }
            for row in report.steps
        ],
        "undecided": [row.template_id for row in report.steps if row.step is Step.UNDECIDED],
        "owed": [asdict(item) for item in report.owed],
        "next": report.next_commands,
        "findings": [finding_dict(item) for item in report.findings],
    }


def _show(report: Report) -> None:
    click.echo("\n".join(_table(report.counts)))
    if report.owed:
        click.secho("\nOwed", bold=True)
    for item in report.owed:
        who = f"{item.who}: " if item.who else ""
        more = ", ..." if len(item.items) > _SHOWN else ""
        which = f" ({', '.join(item.items[:_SHOWN])}{more})" if item.items else ""
        click.echo(f"  {who}{item.text}{which}")
        click.echo(f"    -> {item.do}")
    if report.findings:
        click.echo()
        print_findings(report.findings)
    for command_line in report.next_commands[:1]:
        click.echo(f"\nNext: {command_line}")


def _table(counts: Sequence[StepCounts]) -> list[str]:
    """Lay out the counts; steps at which nothing stands are left out."""
    shown = [step for step in Step if counts[-1].steps[step]]
    header = ["Category", "templates", *(step.value for step in shown)]
    rows = [[row.category, row.templates, *(row.steps[step] for step in shown)] for row in counts]
    return table_lines(header, rows)
