"""`curate override`: a person decides on templates, whatever annotators and the survey say."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.annotation.classify import label_templates
from curation.bank.removal import delete_templates, restore_templates, set_aside_templates
from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.annotation import CLASSIFY_LABELS
from curation.records.bank import Label
from curation.records.messages import Results, counted
from survey.explaining import override

_REMOVALS = {
    "set-aside": (set_aside_templates, "set aside"),
    "deleted": (delete_templates, "deleted"),
    "restored": (restore_templates, "back"),
}


@options.curate_command("override")
@click.argument("templates", metavar="TEMPLATE|LABEL|FILE...", nargs=-1, required=True)
@options.flag_option("--keep", help="Keep these templates.")
@options.flag_option("--drop", help="Drop these templates.")
@click.option(
    "--as",
    "becomes",
    type=click.Choice([*map(str, CLASSIFY_LABELS), *_REMOVALS], case_sensitive=False),
    help="Give these templates a label, set them aside, delete them, or restore them.",
)
@click.option(
    "--reason",
    metavar="TEXT",
    help="The reason; it is recorded in the ledger and published. FILE may have one of its own "
    "for each template.",
)
@options.by_option
@options.flag_option("--dry-run", help="Show what would change and write nothing.")
def command(
    workspace: Workspace,
    templates: tuple[str, ...],
    keep: bool,
    drop: bool,
    becomes: str | None,
    reason: str | None,
    by: str,
    dry_run: bool,
) -> terminal.Taken:
    """Decide on templates yourself: whether they are kept, their label, or to take them out.

    Every decision is added to decisions.csv with its reason and who decided, and published. If one
    of the templates is not found, nothing is written.

    --keep and --drop override the survey: for a template without a survey decision, or where you
    have a reason that the survey does not cover. A later override of the same template replaces
    it. Decisions of the survey are kept too.

    --as ST, TM or SR decides the label of templates on which annotators differ, and writes it to
    the bank: ST keeps a template, TM modifies it, SR drops it. The same label again adds nothing,
    and another label replaces the earlier one, with a note. 'curate collect' does so for the agenda
    of a meeting.

    --as set-aside keeps templates in the bank, but leaves them out of survey, samples and exports;
    it overrides all other decisions on them. 'curate check' reports their errors as warnings, which
    do not stop a release. --as deleted moves them from bank.csv to templates_src/deleted.csv; a
    later import does not add them again. --as restored undoes either of the two: the rows are put
    back unchanged, and decisions by the survey and by other people are valid again. For these three
    a label (SR) stands for all templates that have it, and FILE for those of a CSV with the columns
    template_id and reason.

    \b
    Example: curate override occupation-009 --drop --by Mina --reason "it was not asked about"
             curate override age-004 --as SR --by Mina --reason "not known here"
             curate override age-014 --as set-aside --by Mina --reason "to be reworded"
             curate override SR --as deleted --by Mina --reason "no such stereotype here"
    """  # noqa: D301  # \b keeps click from wrapping the example
    if (keep, drop, becomes is not None).count(True) != 1:
        raise click.UsageError("say what becomes of them: one of --keep, --drop and --as")
    named = list(map(_named, templates)) if becomes in _REMOVALS else templates
    if reason is None and not any(isinstance(item, Path) for item in named):
        raise click.UsageError("Missing option '--reason'.")
    wanted: dict[str, Any] = {"reason": reason or "", "by": by, "dry_run": dry_run}
    if becomes is None:
        done = override(workspace, templates, keep=keep, **wanted)
        value = {
            "added": len(done.added.decisions),
            "unchanged": done.added.unchanged,
            "templates": done.templates,
        }
        return value, False, partial(_show, done, dry_run=dry_run)
    if becomes not in _REMOVALS:
        found = label_templates(workspace, templates, Label(becomes), **wanted)
        return terminal.resolved(found, dry_run=dry_run)
    function, what = _REMOVALS[becomes]
    moved = function(workspace, named, **wanted)
    return moved, False, partial(_show_moved, moved, what, dry_run=dry_run)


def _named(text: str) -> str | Label | Path:
    """What one argument names: a template, all of a label, or a table of templates."""
    if text.upper() in list(Label):
        return Label(text.upper())
    return Path(text) if text.lower().endswith(".csv") else text


def _show(done: Results, *, dry_run: bool) -> None:
    terminal.echo_list([_changed(item) for item in done.templates], "template")
    click.echo(f"{terminal.to_ledger(done.added, dry_run=dry_run)}.")


def _changed(item: Mapping[str, str]) -> str:
    why = f" ({item['before_reason']})" if item["before_reason"] else ""
    return f"{item['template_id']}: {item['after']}, before {item['before']}{why}"


def _show_moved(done: Mapping[str, Any], what: str, *, dry_run: bool) -> None:
    already = dict.fromkeys(done["unchanged"], " already, for the same reason")
    is_ = "would be" if dry_run else "is"
    lines = [f"{name} {is_} {what}{already.get(name, '')}." for name in done["templates"]]
    terminal.echo_list(lines, "template")
    rows = f", {counted(done['variants'], 'row')} of the bank" if done["variants"] else ""
    made = counted(done["decisions"], "decision")
    click.echo(f"{counted(len(done['templates']), 'template')}{rows}; {made} for the ledger.")
