"""`curate override`: a person keeps or drops templates, whatever the survey says."""

from collections.abc import Sequence
from dataclasses import dataclass

import click

from curation.cli.clock import now
from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.explain_unknown import unknown_subject
from curation.cli.final import TALLIES, Final, finalize, load_final
from curation.io.ledger import append_decisions
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.survey import Decision, Outcome, Rule, Stage
from survey.ledger import Additions, additions
from survey.outcome import Status, TemplateOutcome
from survey.tallies import read_tallies


@dataclass(frozen=True, slots=True)
class _Turned:
    """Where a template stood, and where it stands by the override."""

    template_id: str
    before: TemplateOutcome
    after: TemplateOutcome


@click.command("override")
@workspace_option
@click.argument("templates", metavar="TEMPLATE...", nargs=-1, required=True)
@click.option(
    "--keep/--drop", "keep", default=None, help="What becomes of them; one of the two is needed."
)
@click.option("--reason", required=True, metavar="TEXT", help="Why, for every later reader.")
@click.option("--by", required=True, metavar="NAME", help="Who answers for it.")
@click.option("--dry-run", is_flag=True, help="Show what would be turned and write nothing.")
@json_option
def command(
    workspace: Workspace,
    templates: tuple[str, ...],
    keep: bool | None,
    reason: str,
    by: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Keep or drop templates by a person's ruling, which goes before those of the survey.

    For a template that no survey decided, or that has to go for a reason that no survey
    knows. The ruling is appended to decisions.csv, and 'curate explain', the data card and
    every export tell it with its reason. The same again adds nothing; another one later takes
    its place. Rulings of the survey stand beside it as they were.

    \b
    Example: curate override occupation-009 --drop --by Mina --reason "it was not asked about"
    """  # noqa: D301  # \b keeps click from wrapping the example
    if keep is None:
        raise click.UsageError("say what becomes of them: --keep or --drop")
    why, who = " ".join(reason.split()), " ".join(by.split())
    if not why or not who:
        raise click.UsageError(f"{'--reason' if not why else '--by'} is empty")
    before = load_final(workspace)
    subjects = _subjects(workspace, before, templates)
    outcome = Outcome.KEEP if keep else Outcome.DROP
    rulings = [Decision(name, Stage.MANUAL, Rule.OVERRIDE, outcome, why) for name in subjects]
    added = additions(workspace.rulings, rulings, who, now())
    tallies = read_tallies(workspace.responses_folder / TALLIES)
    ledger = [*workspace.decisions, *added.decisions]
    after = finalize(workspace, tallies, ledger, workspace.targets)
    turned = _turned(subjects, before, after)
    if not dry_run:
        append_decisions(workspace.ledger_file, added.decisions)
    if as_json:
        print_json(_as_dict(turned, added))
    else:
        _show(turned, added, dry_run=dry_run)


def _subjects(workspace: Workspace, final: Final, asked: Sequence[str]) -> list[str]:
    """Give the ids of templates that stand in the bank, each once, by former ids too.

    Raises:
        CurateError: If one is not there, or a label has removed it.
    """
    standing = {str(item.template.id): item for item in final.outcomes}
    found: dict[str, None] = {}
    for name in asked:
        subject = workspace.renamed.get(name, name)
        item = standing.get(subject)
        if item is None:
            raise unknown_subject(final, workspace, name)
        if item.status is Status.REMOVED:
            raise CurateError(
                f"{subject} is labelled SR, which no override takes back",
                workspace.shown(workspace.bank_file),
                "give it another label: curate classify resolve --template "
                f"{subject} --label ST --by NAME --why TEXT",
            )
        found[subject] = None
    return list(found)


def _turned(subjects: Sequence[str], before: Final, after: Final) -> list[_Turned]:
    first = {str(item.template.id): item for item in before.outcomes}
    then = {str(item.template.id): item for item in after.outcomes}
    return [_Turned(name, first[name], then[name]) for name in subjects]


def _as_dict(turned: Sequence[_Turned], added: Additions) -> dict[str, object]:
    return {
        "added": len(added.decisions),
        "unchanged": added.unchanged,
        "templates": [
            {
                "template_id": item.template_id,
                "before": item.before.status.value,
                "before_reason": item.before.reason,
                "after": item.after.status.value,
            }
            for item in turned
        ],
    }


def _show(turned: Sequence[_Turned], added: Additions, *, dry_run: bool) -> None:
    for item in turned:
        was, now_is = item.before.status.value, item.after.status.value
        why = f" ({item.before.reason})" if item.before.reason else ""
        click.echo(f"{item.template_id}: {now_is}, before {was}{why}")
    count = len(added.decisions)
    verb = "would be added" if dry_run else "added"
    click.echo(
        f"{count} {plural('ruling', count)} {verb} to the ledger, {added.unchanged} as before."
    )
