"""`curate translate`: by machine, then by translators."""

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.annotation.engines.engine import cost_text
from curation.annotation.engines.services import ENGINES
from curation.annotation.translation import collect
from curation.annotation.translation.handed import make_translation_sheets
from curation.annotation.translation.run import estimate_translation, run_translation
from curation.annotation.translation.units import translation_status
from curation.cli import options, terminal
from curation.cli.group import LazyGroup
from curation.files.workspace import Workspace
from curation.records.messages import counted, ended, shortened

_SHOWN_OPEN = 12
_FRESH = (
    "To translate them, make new workbooks beside the earlier ones: curate translate sheet --out "
    "FOLDER"
)
_NOTHING = (
    "There is nothing to translate: no template in use is labelled ST or TM, or all their texts "
    "are written. translation.unlabelled in culture.yaml includes templates without a label."
)
_REVIEWS = ("confirmed", "unconfirmed")
_COMMANDS = {
    "run": (f"{__name__}:run", "Translate by machine; estimate the cost; show how far it is."),
    "sheet": (f"{__name__}:sheet", "Make workbooks for translators."),
}


@click.group("translate", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Translate templates by machine, then by people.

    Templates labelled ST or TM are translated. The steps: 'run' translates by machine, 'sheet'
    makes workbooks for translators, and 'curate collect' writes their texts to the bank. The
    machine text is kept too, in columns that end in _machine. No text is paid for twice.
    """


def _show_estimate(workspace: Workspace, found: Mapping[str, Any]) -> None:
    terminal.print_findings(found["findings"])
    texts, templates = counted(found["texts"], "text"), counted(found["templates"], "template")
    click.echo(
        f"{texts} of {templates}, {found['distinct']:,} distinct; {found['known']:,} known before."
    )
    cost = cost_text(found["characters"], workspace.culture.translation, free=found["free"])
    click.echo(f"To send to {found['engine']}: {counted(found['to_send'], 'text')}, {cost}.")
    if found["most"] > found["characters"]:
        most = cost_text(found["most"], workspace.culture.translation)
        terminal.echo_fitting(
            f"At most {most}: if slots come back damaged, a text is sent a second time."
        )
    if found["budget"] is not None and not found["free"]:
        click.echo(
            f"Budget: {found['budget']:,} characters, {found['billed_so_far']:,} of them billed so "
            "far."
        )
    if not found["texts"]:
        terminal.echo_fitting(_NOTHING)


@options.curate_command("run")
@options.section("Which texts")
@options.templates_option
@options.flag_option("--missing", help="Only texts whose final column is still empty.")
@options.section("Engine")
@click.option(
    "--engine",
    metavar=f"{'|'.join(ENGINES)}|FILE",
    help="Translation engine, or a table with columns source and translation [default: "
    "translation.engine in culture.yaml].",
)
@options.flag_option(
    "--yes",
    help="Continue without asking when a budget or a quota would be exceeded.",
)
@options.section("Nothing is translated")
@options.flag_option("--estimate", help="Only estimate the cost; no key is needed.")
@options.flag_option("--status", help="Only show how far the translation is, by category.")
def run(
    workspace: Workspace,
    engine: str | None,
    yes: bool,
    estimate: bool,
    status: bool,
    missing: bool,
    templates: tuple[str, ...],
) -> terminal.Taken:
    """Translate by machine the texts not translated yet.

    Machine texts are written to the _machine columns of the bank; texts of people are not changed.
    Slots are sent as tags and checked in the reply. A text with a damaged slot is sent once more,
    then flagged for a person. Each reply is stored at once in .curate/translation.sqlite: if a run
    was interrupted, run it again, and it continues.

    For DeepL, set the key in DEEPL_AUTH_KEY, and its address in DEEPL_SERVER_URL. For a server with
    OpenAI's protocol, set OPENAI_API_KEY and OPENAI_BASE_URL. For LibreTranslate, set
    LIBRETRANSLATE_URL, and LIBRETRANSLATE_API_KEY if the server wants a key.

    --estimate counts the characters of the source texts. Equal texts are counted once. Texts in the
    translation memory, slots and context are free. 'At most' counts texts with slots twice: damaged
    slots are sent a second time.

    --status counts equal texts once in each category. Columns: 'machine' has a machine text;
    'flagged' has a machine text with a problem to look at; 'collected' has its final text;
    'waiting' has no text yet. Below are the unchanged machine texts that were collected:
    'confirmed' by a person, or not confirmed.

    \b
    Example: curate translate run --estimate
             curate translate run
             curate translate run --engine pseudo
             curate translate run --engine machine.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    if status:
        if estimate or engine or missing:
            raise click.UsageError("--status goes with --template alone")
        progress = translation_status(workspace, templates)
        return progress, False, partial(_show_status, progress)
    if estimate:
        costs = estimate_translation(workspace, engine, missing=missing, named=templates)
        return costs, False, partial(_show_estimate, workspace, costs)
    confirm = partial(click.confirm, err=True) if sys.stdin.isatty() else None
    listener = options.listener("Texts translated", confirm)
    found = run_translation(
        workspace, engine, over_budget=yes, listener=listener, missing=missing, named=templates
    )
    stopped = found["problem"] or bool(found["declined"])
    return found, stopped, partial(_show_run, workspace, found)


def _show_run(workspace: Workspace, found: Mapping[str, Any]) -> None:
    terminal.show_findings(found["findings"])
    if not found["distinct"]:
        terminal.echo_fitting(_NOTHING)
        return
    now = found["distinct"] - found["known"] - found["waiting"]
    sent = found["answered"] - found["sent_again"]
    terminal.echo_fitting(
        f"{counted(found['distinct'], 'distinct text')}: {found['known']:,} known before, {now:,} "
        f"translated now, {found['waiting']} not translated."
    )
    if sent < now:
        terminal.echo_fitting(
            f"Sent: {sent}. Texts that differ only in the names of slots are sent once."
        )
    if not found["free"]:
        cost = cost_text(found["billed"], workspace.culture.translation)
        click.echo(f"Billed: {cost}.")
    if found["sent_again"]:
        again = counted(found["sent_again"], "text")
        click.echo(f"{again} sent a second time because of damaged slots.")
    click.echo(f"Machine text written to {counted(found['cells'], 'cell')} of the bank.")
    if found["kept"]:
        click.echo(f"Not to {counted(found['kept'], 'text')} that stand as a machine wrote them.")


@options.curate_command("sheet")
@options.people_option("--translator", "Name of a translator, who gets some of the templates")
@options.templates_option
@options.folder_option("--out", help="Where to write the workbooks [default: annotations/sheets].")
@click.option(
    "--format",
    "form",
    type=click.Choice(["xlsx", "xliff"]),
    default="xlsx",
    help="Workbooks, or XLIFF 1.2 for the translators' own programs.",
)
def sheet(
    workspace: Workspace,
    translators: list[str],
    templates: tuple[str, ...],
    out: Path | None,
    form: str,
) -> terminal.Taken:
    """Make workbooks for translators, with one text in each row and the machine text to start from.

    Equal texts of several templates are one row. A template that needs a different text has it in
    the sheet 'other texts'. In the sheet 'wording' translators say how a template is worded: its
    variants separately, in several versions, or with a stereotype that the source lacks.

    Where the checks found no problem in a machine text, it is already in the translator's column,
    with the slots for agreement that it seems to need. A translator who keeps it confirms it in the
    column beside it. Names that may be unknown in the culture are listed. A workbook that may have
    been filled in is never overwritten.

    \b
    Example: curate translate sheet
             curate translate sheet --translator Mina --translator Jun
             curate translate sheet --translator Mina --format xliff
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = make_translation_sheets(
        workspace,
        translators,
        templates,
        out,
        xliff=form == "xliff",
        progress=terminal.progress_of("Texts written to workbooks"),
    )
    options.note_language(workspace)
    terminal.print_findings(made["findings"], err=True)
    return {"sheets": made["sheets"]}, False, partial(_show_sheets, made["sheets"])


def _show_sheets(sheets: Sequence[Mapping[str, Any]]) -> None:
    for item in sheets:
        click.echo(
            f"{item['translator']}{': ' if item['translator'] else ''}{item['file']}: "
            f"{counted(item['texts'], 'text')}, {item['prefilled']} with a text to start from."
        )
    click.echo("When they are filled in: curate collect FILE...")


def collected(
    workspace: Workspace, files: Sequence[Path], *, by: str, accept_unchanged: bool
) -> terminal.Taken:
    """Write the texts of translators' workbooks to the bank.

    Without a file, unchanged machine texts of the whole bank are confirmed.
    """
    if not files:
        done = collect.accept_unchanged(workspace, by)
        texts = counted(done["texts"], "unchanged machine text")
        templates = counted(len(done["templates"]), "template")
        said = f"{done['by']} confirms {texts} of {templates}."
        return done, (), partial(click.echo, said)
    progress = terminal.progress_of("Steps of collecting")
    found = collect.collect_translations(
        workspace, files, by, accept_unchanged=accept_unchanged, progress=progress
    )
    return found, found["findings"], partial(_show_books, found)


def _show_books(found: Mapping[str, Any], *said: str) -> None:
    terminal.show_findings(found["findings"])
    for line in said:
        click.echo(line)
    for book in found["books"]:
        count = counted(book["accepted"], "text")
        refused = f"{book['refused']} refused, " if book["refused"] else ""
        click.echo(f"{book['file']}: {count} accepted, {refused}{book['open']} still open.")
        if book["open"]:
            by_template = [f"{name} {number}" for name, number in book["open_templates"].items()]
            click.echo(
                terminal.wrapped(f"  Open: {ended(shortened(by_template, _SHOWN_OPEN))}", " " * 8)
            )
    written = counted(found["cells"], "cell")
    click.echo(f"{written} of the bank written, {found['unchanged']} unchanged.")
    if found["open_lists"]:
        lists = counted(found["open_lists"], "list")
        click.echo(f"{lists} of fillers not written yet: a filler is not translated.")
    for one in found["worded"]:
        apart = "separately" if one["separate"] else "together"
        versions = "".join(f", version {name}" for name in one["versions"] if name)
        click.echo(
            f"{one['template_id']}: variants are translated {apart}{versions}; stereotype: "
            f"{one['stereotype'] or '(none)'}"
        )
    if found["worded"]:
        click.echo(_FRESH)
    if found["machine"]:
        texts = counted(found["machine"], "unchanged machine text")
        confirmed = found["machine"] - found["unconfirmed"]
        click.echo(f"{texts}: {confirmed} confirmed, {found['unconfirmed']} not.")
    if found["unconfirmed"]:
        click.echo(
            "Before a release they must be confirmed: by 'yes' in the column confirmed, or with "
            "--accept unchanged --by NAME."
        )
    for path in found["marked"]:
        click.echo(f"The errors are marked in {path}")


def pulled(
    workspace: Workspace, files: Sequence[Path], *, by: str, templates: tuple[str, ...]
) -> terminal.Taken:
    """Write the texts that 'curate pull translate' fetched to the bank."""
    found = collect.collect_pulled(workspace, by, templates)
    said = (
        f"{counted(found['texts'], 'text')} of translators: {found['accepted']} accepted, "
        f"{found['refused']} refused; {len(found['disagreements'])} to be decided."
    )
    return found, found["findings"], partial(_show_books, found, said)


def _show_status(found: Mapping[str, Any]) -> None:
    terminal.print_findings(found["findings"])
    names = [name for name in found["total"] if name not in _REVIEWS]
    lines = [[row["category"], *(row[name] for name in names)] for row in found["rows"]]
    lines.append(["Total", *(found["total"][name] for name in names)])
    terminal.echo_table(["Category", *names], lines)
    yes, no = (found["total"][name] for name in _REVIEWS)
    if yes or no:
        click.echo(f"{counted(yes + no, 'unchanged machine text')}: {yes} confirmed, {no} not.")
    if found["untied"]:
        click.echo(f"Variants are translated separately in {ended(shortened(found['untied'], 10))}")
