"""`curate translate`: by machine, then by translators."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from curation.annotation.engines.engine import ENGINES
from curation.annotation.translation.collect import (
    CollectedTranslations,
    collect_translations,
)
from curation.annotation.translation.collect import (
    accept_unchanged as accept_all_unchanged,
)
from curation.annotation.translation.pulled import collect_pulled
from curation.annotation.translation.run import (
    Listener,
    TranslationEstimate,
    TranslationRun,
    cost_text,
    estimate_translation,
    run_translation,
)
from curation.annotation.translation.sheet import make_translation_sheets
from curation.annotation.translation.status import translation_status
from curation.bank.stereotypes import write_stereotype
from curation.bank.untying import untie_templates
from curation.bank.versions import add_versions
from curation.cli.group import LazyGroup
from curation.cli.options import (
    F,
    json_option,
    names_of,
    note_language,
    workspace_option,
)
from curation.cli.terminal import (
    echo_fitting,
    print_findings,
    print_json,
    progress_of,
    show_findings,
    show_progress,
    table_lines,
    wrapped,
)
from curation.files.workspace import Workspace
from curation.records.findings import Finding, has_errors
from curation.records.ids import VariantVersion
from curation.records.wording import counted, ended, plural, shortened

_SHOWN_OPEN = 12
_NO_PRICE = "For a price, set translation.price in culture.yaml: that of a million characters."
_FRESH = (
    "To translate them, make new workbooks beside the earlier ones: curate translate sheet --out "
    "FOLDER"
)
_REVIEWS = ("confirmed", "unconfirmed")
_COMMANDS = {
    "estimate": (f"{__name__}:estimate", "Estimate what a machine translation costs."),
    "run": (f"{__name__}:run", "Translate by machine the texts not translated yet."),
    "sheet": (f"{__name__}:sheet", "Make workbooks for translators."),
    "collect": (f"{__name__}:collect", "Write the texts of translators to the bank."),
    "untie": (f"{__name__}:untie", "Translate the texts of each variant separately."),
    "versions": (f"{__name__}:versions", "Give templates masculine and feminine wordings."),
    "stereotype": (f"{__name__}:stereotype", "Write a stereotype that the source lacks."),
    "status": (f"{__name__}:status", "Show how far the translation is."),
}


@click.group("translate", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Translate templates by machine, then by people.

    Templates labelled ST or TM are translated. The steps: 'estimate' tells the cost, 'run'
    translates by machine, 'sheet' makes workbooks for translators, 'collect' writes their texts to
    the bank. The machine text is kept too, in columns that end in _machine. No text is paid for
    twice.
    """


def _engine_options(function: F) -> F:
    """Add the options that say what is translated, and by which engine."""
    options: Sequence[Callable[[F], F]] = (
        click.option(
            "--engine",
            type=click.Choice(ENGINES),
            help="Translation engine [default: translation.engine in culture.yaml].",
        ),
        click.option(
            "--file",
            "file",
            type=click.Path(path_type=Path),
            help="Table with columns source and translation, for the engine 'file'.",
        ),
        click.option("--unlabelled", is_flag=True, help="Include templates without a label."),
        click.option(
            "--missing", is_flag=True, help="Only texts whose final column is still empty."
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def _check_engine(engine: str | None, file: Path | None) -> None:
    if file is not None and engine != "file":
        raise click.UsageError("--file belongs to --engine file")


@click.command("estimate")
@workspace_option
@_engine_options
@json_option
def estimate(
    workspace: Workspace,
    engine: str | None,
    file: Path | None,
    unlabelled: bool,
    missing: bool,
    as_json: bool,
) -> None:
    """Estimate what a machine translation costs.

    It counts the characters of the source texts. Equal texts are counted once. Texts in the
    translation memory, slots and context are free. The estimate cannot include texts that are sent
    a second time because their slots came back damaged. No key is needed.

    \b
    Example: curate translate estimate
             curate translate estimate --unlabelled --json
    """  # noqa: D301  # \b keeps click from wrapping the example
    _check_engine(engine, file)
    found = estimate_translation(workspace, engine, file, unlabelled=unlabelled, missing=missing)
    if as_json:
        print_json(found)
    else:
        _show_estimate(workspace, found, unlabelled=unlabelled, missing=missing)


def _show_estimate(
    workspace: Workspace, found: TranslationEstimate, *, unlabelled: bool, missing: bool
) -> None:
    print_findings(found.findings)
    click.echo(
        f"{found.texts} {plural('text', found.texts)} of {found.templates} "
        f"{plural('template', found.templates)}, {found.distinct} distinct; {found.known} "
        "known before."
    )
    cost = cost_text(found.characters, workspace.culture.translation, free=found.free)
    click.echo(
        f"To send to {found.engine}: {found.to_send} {plural('text', found.to_send)}, {cost}."
    )
    if found.price is None and found.to_send and not found.free:
        echo_fitting(_NO_PRICE)
    if found.budget is not None and not found.free:
        click.echo(
            f"Budget: {found.budget:,} characters, {found.billed_so_far:,} of them billed so far."
        )
    if not found.texts:
        _say_nothing(unlabelled=unlabelled, missing=missing)


def _say_nothing(*, unlabelled: bool, missing: bool) -> None:
    """Say why no text is there to be translated."""
    if missing:
        reason = "all final texts of the chosen templates are written, or no template is chosen"
    elif unlabelled:
        reason = "every template is labelled SR or NC"
    else:
        reason = "no template is labelled ST or TM"
    more = "" if unlabelled else " --unlabelled includes templates without a label."
    echo_fitting(f"There is nothing to translate: {reason}.{more}")


@click.command("run")
@workspace_option
@_engine_options
@click.option(
    "--yes",
    is_flag=True,
    help="Continue without asking when a budget or a quota would be exceeded.",
)
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    /,
    workspace: Workspace,
    engine: str | None,
    file: Path | None,
    unlabelled: bool,
    missing: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Translate by machine the texts not translated yet.

    Machine texts are written to the _machine columns of the bank; texts of people are not changed.
    Slots are sent as tags and checked in the reply. A text with a damaged slot is sent once more,
    then flagged for a person. Each reply is stored at once in .curate/translation.sqlite: if a run
    was interrupted, run it again, and it continues.

    For DeepL, set the key in DEEPL_AUTH_KEY, and its address in DEEPL_SERVER_URL. For a server with
    OpenAI's protocol, set OPENAI_API_KEY and OPENAI_BASE_URL.

    \b
    Example: curate translate run
             curate translate run --engine pseudo --unlabelled
    """  # noqa: D301  # \b keeps click from wrapping the example
    _check_engine(engine, file)
    listener = Listener(
        tell=lambda line: click.echo(line, err=True),
        progress=lambda done, total: show_progress(done, total, "Texts translated"),
        confirm=partial(click.confirm, err=True) if sys.stdin.isatty() else None,
    )
    found = run_translation(
        workspace,
        engine,
        file,
        unlabelled=unlabelled,
        missing=missing,
        over_budget=yes,
        listener=listener,
    )
    if as_json:
        print_json(found)
    else:
        _show_run(workspace, found, unlabelled=unlabelled, missing=missing)
    if found.problem is not None:
        raise found.problem
    if found.declined:
        ctx.exit(1)


def _show_run(
    workspace: Workspace, found: TranslationRun, *, unlabelled: bool, missing: bool
) -> None:
    show_findings(found.findings)
    if not found.distinct:
        _say_nothing(unlabelled=unlabelled, missing=missing)
        return
    now = found.distinct - found.known - found.waiting
    sent = found.answered - found.sent_again
    echo_fitting(
        f"{found.distinct} distinct {plural('text', found.distinct)}: {found.known} known before, "
        f"{now} translated now, {found.waiting} not translated."
    )
    if sent < now:
        echo_fitting(f"Sent: {sent}. Texts that differ only in the names of slots are sent once.")
    if not found.free:
        cost = cost_text(found.billed, workspace.culture.translation, free=False)
        click.echo(f"Billed: {cost}.")
    if found.sent_again:
        again = found.sent_again
        click.echo(f"{again} {plural('text', again)} sent a second time because of damaged slots.")
    click.echo(f"Machine text written to {found.cells} {plural('cell', found.cells)} of the bank.")


@click.command("sheet")
@workspace_option
@click.option(
    "--translator",
    "translators",
    multiple=True,
    metavar="NAME",
    help="Name of a translator; may be given several times: the templates are divided among them.",
)
@click.option(
    "--category",
    "categories",
    multiple=True,
    help="Only this category; may be given several times.",
)
@click.option("--unlabelled", is_flag=True, help="Include templates without a label.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the workbooks [default: annotations/sheets].",
)
@json_option
def sheet(
    workspace: Workspace,
    translators: tuple[str, ...],
    categories: tuple[str, ...],
    unlabelled: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make workbooks for translators, with one text in each row and the machine text to start from.

    Equal texts of several templates are one row. A template that needs a different text has it in
    the sheet 'other texts'. Where the checks found no problem in a machine text, it is already in
    the translator's column, with the slots for agreement that it seems to need. A translator who
    keeps it confirms it in the column beside it. Names that may be unknown in the culture are
    listed. A workbook that may have been filled in is never overwritten.

    \b
    Example: curate translate sheet
             curate translate sheet --translator Mina --translator Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    known = {item.id for item in workspace.culture.categories}
    for name in categories:
        if name not in known:
            raise click.UsageError(f"--category: there is no category '{name}'")
    names = names_of(translators, "--translator")
    made = make_translation_sheets(
        workspace,
        names,
        categories,
        out,
        unlabelled=unlabelled,
        progress=progress_of("Texts written to workbooks"),
    )
    note_language(workspace)
    print_findings(made.findings, err=True)
    if as_json:
        print_json({"sheets": made.sheets, "differing": made.differing})
        return
    for item in made.sheets:
        click.echo(
            f"{item.translator + ': ' if item.translator else ''}{item.file}: {item.texts} "
            f"{plural('text', item.texts)}, {item.prefilled} with a text to start from."
        )
    if made.differing:
        count = len(made.differing)
        click.echo(
            f"{count} {plural('template', count)} with names of both genders in a slot of a text "
            f"that two variants share: {ended(shortened(made.differing, 5))} If agreement in the "
            "slot is not enough, translate the texts of each variant separately: curate translate "
            f"untie {made.differing[0]}"
        )
    click.echo("When they are filled in: curate translate collect FILE...")


@click.command("collect")
@workspace_option
@click.argument(
    "files", nargs=-1, type=click.Path(dir_okay=False, path_type=Path), metavar="[FILE]..."
)
@click.option(
    "--labelstudio",
    is_flag=True,
    help="Collect what 'curate pull translate' fetched, instead of workbooks.",
)
@click.option(
    "--by",
    metavar="NAME",
    help="Use the text of this translator where several differ. Also who filled in a workbook "
    "that names no translator, and with --accept-unchanged who confirms.",
)
@click.option(
    "--accept-unchanged",
    is_flag=True,
    help="Confirm unchanged machine texts in the name of --by: those of FILE, or without FILE "
    "all in the bank.",
)
@click.option(
    "--template",
    "templates",
    multiple=True,
    metavar="ID",
    help="With --labelstudio: only this template; may be given several times.",
)
@json_option
@click.pass_context
def collect(
    ctx: click.Context,
    /,
    workspace: Workspace,
    files: tuple[Path, ...],
    labelstudio: bool,
    by: str | None,
    accept_unchanged: bool,
    templates: tuple[str, ...],
    as_json: bool,
) -> None:
    """Write the texts of translators to the bank, from workbooks or from Label Studio.

    Every text must have the slots of its source. Correct texts are written to
    templates_src/translations.csv, and from there to the bank. Errors are marked in a copy of the
    workbook: correct them there and collect the copy. A text that was changed in the bank after
    the workbook was made is not overwritten. Where translators differ, no new text is used and the
    texts are listed: choose one with --by. Texts that are still open are counted; another workbook
    may have them. Collecting the same workbook again changes nothing.

    Before a release, an unchanged machine text must be confirmed: by 'yes' in the column confirmed,
    or with --accept-unchanged --by NAME.

    With --labelstudio, the texts are those of annotations/translate.csv.

    \b
    Example: curate translate collect returned/*.xlsx
             curate translate collect returned/mina.xlsx --accept-unchanged --by Mina
             curate pull translate && curate translate collect --labelstudio
             curate translate collect --labelstudio --by Mina --template age-001
    """  # noqa: D301  # \b keeps click from wrapping the example
    _check_collect(files, by, templates, labelstudio=labelstudio, accept=accept_unchanged)
    name = " ".join((by or "").split())
    findings: Sequence[Finding] = ()
    if labelstudio:
        findings = _collect_pulled(workspace, name, templates, as_json)
    elif files:
        findings = _collect_books(workspace, files, name, as_json, accept=accept_unchanged)
    else:
        _accept(workspace, name, as_json)
    if has_errors(findings):
        ctx.exit(1)


def _check_collect(
    files: Sequence[Path],
    by: str | None,
    templates: Sequence[str],
    *,
    labelstudio: bool,
    accept: bool,
) -> None:
    """Refuse options that do not go together."""
    if labelstudio and files:
        raise click.UsageError("--labelstudio takes no FILE: collect the workbooks by themselves")
    if labelstudio and accept:
        raise click.UsageError(
            "--accept-unchanged does not go with --labelstudio: a page is confirmed when it is "
            "submitted"
        )
    if not (labelstudio or files or accept):
        raise click.UsageError("Missing argument 'FILE...', or --labelstudio")
    if not labelstudio and templates:
        raise click.UsageError("--template belongs to --labelstudio")
    if by is not None and not by.strip():
        raise click.UsageError("--by: a name is empty")
    if accept and by is None:
        raise click.UsageError("--accept-unchanged needs --by NAME: who has looked at the texts")


def _accept(workspace: Workspace, by: str, as_json: bool) -> None:
    found = accept_all_unchanged(workspace, by)
    if as_json:
        print_json(found)
        return
    click.echo(
        f"{found.by} confirms {found.texts} unchanged machine {plural('text', found.texts)} of "
        f"{len(found.templates)} {plural('template', len(found.templates))}."
    )


def _collect_books(
    workspace: Workspace, files: Sequence[Path], by: str, as_json: bool, *, accept: bool
) -> Sequence[Finding]:
    progress = progress_of("Steps of collecting")
    found = collect_translations(workspace, files, by, accept_unchanged=accept, progress=progress)
    if as_json:
        print_json(found)
        return found.findings
    show_findings(found.findings)
    for book in found.books:
        count = f"{book.accepted} {plural('text', book.accepted)}"
        click.echo(f"{book.file}: {count} accepted, {book.open} still open.")
        if book.open:
            by_template = [f"{name} {number}" for name, number in book.open_templates.items()]
            click.echo(wrapped(f"  Open: {ended(shortened(by_template, _SHOWN_OPEN))}", " " * 8))
    _show_put(found)
    if found.machine:
        click.echo(
            f"{found.machine} unchanged machine {plural('text', found.machine)}: "
            f"{found.machine - found.unconfirmed} confirmed, {found.unconfirmed} not."
        )
    if found.unconfirmed:
        click.echo(
            "Before a release they must be confirmed: by 'yes' in the column confirmed, or with "
            "--accept-unchanged --by NAME."
        )
    for path in found.marked:
        click.echo(f"The errors are marked in {path}")
    return found.findings


def _collect_pulled(
    workspace: Workspace, by: str, templates: Sequence[str], as_json: bool
) -> Sequence[Finding]:
    found = collect_pulled(workspace, by, templates)
    if as_json:
        print_json(found)
        return found.findings
    show_findings(found.findings)
    click.echo(
        f"{found.texts} {plural('text', found.texts)} of translators: {found.accepted} accepted, "
        f"{found.refused} refused; {len(found.disagreements)} to be decided."
    )
    _show_put(found)
    return found.findings


def _show_put(found: CollectedTranslations) -> None:
    click.echo(
        f"{found.cells} {plural('cell', found.cells)} of the bank written, {found.unchanged} "
        "unchanged."
    )
    if found.open_lists:
        lists = found.open_lists
        click.echo(
            f"{lists} {plural('list', lists)} of fillers not written yet: a filler is not "
            "translated."
        )


@click.command("untie")
@workspace_option
@click.argument("templates", metavar="[TEMPLATE]...", nargs=-1)
@click.option(
    "--undo", is_flag=True, help="Translate equal texts of variants together again, in one row."
)
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def untie(
    workspace: Workspace, templates: tuple[str, ...], undo: bool, dry_run: bool, as_json: bool
) -> None:
    """Translate the texts of each variant separately.

    By default, a text that is equal in variants a and b is one row in the workbook. Where articles,
    verbs or adjectives agree with the person, as in Spanish or Arabic, two rows may be easier to
    write than agreement in slots. With this command, contexts, questions and answers of a and b
    (and of c and d) get separate rows. Stereotype and fillers stay one row each. Without TEMPLATE,
    it applies to all templates, also to those imported later.

    Existing texts do not change. Workbooks made before can still be collected: a text of one row is
    written to all its variants, with a note. The setting is kept in the column untied of bank.csv,
    or in translation.untie of culture.yaml. To undo it: --undo.

    \b
    Example: curate translate untie age-001 age-004
             curate translate untie
             curate translate untie --undo
    """  # noqa: D301  # \b keeps click from wrapping the example
    done = untie_templates(workspace, templates, undo=undo, dry_run=dry_run)
    if as_json:
        print_json(done)
        return
    verb = "would be" if dry_run else "are"
    what = "translated together again where they are equal" if undo else "translated separately"
    count = len(done.changed)
    names = f": {shortened(done.changed, 10)}" if count else ""
    click.echo(f"The variants of {count} {plural('template', count)} {verb} {what}{ended(names)}")
    if done.unchanged:
        click.echo(
            f"Unchanged, because they were so already: {ended(shortened(done.unchanged, 10))}"
        )
    if done.not_translated:
        click.echo(
            "Not in workbooks, because they are not translated: "
            f"{shortened(done.not_translated, 10)} (labelled SR or NC, or without a source text)."
        )
    if done.everything and not undo:
        click.echo("It also applies to templates that are imported later (translation.untie).")
    if count and not dry_run:
        click.echo(_FRESH)


@click.command("versions")
@workspace_option
@click.argument("templates", metavar="TEMPLATE...", nargs=-1, required=True)
@click.option(
    "--version",
    "versions",
    multiple=True,
    required=True,
    type=click.Choice([item.value for item in VariantVersion if item]),
    help="A wording that the templates get; given several times.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def versions(
    workspace: Workspace,
    templates: tuple[str, ...],
    versions: tuple[str, ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Give templates several wordings, for example a masculine and a feminine one.

    Versions: m masculine, f feminine, p with proper names, pm and pf with proper names of one
    gender. The existing texts become the first version that you name. The other versions have the
    same source, groups and stereotype, and no texts yet. Example: age-001a becomes age-001a.m, and
    age-001a.f is added. Each version has its own rows in the workbooks; the stereotype stays one
    row. Decisions apply to all versions.

    Make new workbooks afterwards: older ones do not know the versions.

    \b
    Example: curate translate versions age-001 age-004 --version m --version f
    """  # noqa: D301  # \b keeps click from wrapping the example
    done = add_versions(workspace, templates, [*map(VariantVersion, versions)], dry_run=dry_run)
    if as_json:
        print_json(done)
        return
    added = "to be added" if dry_run else "added"
    click.echo(
        f"{counted(len(done.templates), 'template')} with versions {', '.join(versions)}; "
        f"{counted(done.variants, 'row')} {added} to the bank."
    )
    if done.unchanged:
        click.echo(
            f"Unchanged, because they were so already: {ended(shortened(done.unchanged, 10))}"
        )
    if done.to_write:
        click.echo(
            f"Without a source text: {ended(shortened(done.to_write, 10))} Write their other "
            "versions in the workbook for new templates, column version: curate new sheet"
        )
    if done.variants and not dry_run:
        click.echo(_FRESH)


@click.command("stereotype")
@workspace_option
@click.argument("template")
@click.argument("text")
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def stereotype(
    workspace: Workspace, template: str, text: str, dry_run: bool, as_json: bool
) -> None:
    """Write the stereotype of a template whose source has none.

    It is written for all variants. Where the source has a stereotype, translators write it in their
    workbooks. To undo it, write another one.

    \b
    Example: curate translate stereotype age-005 "cooks with much pepper"
    """  # noqa: D301  # \b keeps click from wrapping the example
    done = write_stereotype(workspace, template, text, dry_run=dry_run)
    if as_json:
        print_json(done)
        return
    verb = "would be" if dry_run else "is"
    before = f", before '{done.before}'" if done.before not in ("", done.stereotype) else ""
    rows = f"{done.variants} {plural('row', done.variants)} of the bank"
    click.echo(f"The stereotype of {done.template_id} {verb} '{done.stereotype}'{before}: {rows}.")


@click.command("status")
@workspace_option
@click.option("--unlabelled", is_flag=True, help="Include templates without a label.")
@json_option
def status(workspace: Workspace, unlabelled: bool, as_json: bool) -> None:
    """Show how far the translation is, by category.

    Equal texts count once in each category. Columns: 'machine' has a machine text; 'flagged' has a
    machine text with a problem to look at; 'collected' has its final text; 'waiting' has no text
    yet. Below the table are the unchanged machine texts that were collected: 'confirmed' by a
    person, or not confirmed.

    \b
    Example: curate translate status
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = translation_status(workspace, unlabelled=unlabelled)
    if as_json:
        print_json(found)
        return
    print_findings(found.findings)
    names = [name for name in found.total if name not in _REVIEWS]
    lines = [[row.category, *(getattr(row, name) for name in names)] for row in found.rows]
    lines.append(["Total", *(found.total[name] for name in names)])
    click.echo("\n".join(table_lines(["Category", *names], lines)))
    yes, no = (found.total[name] for name in _REVIEWS)
    if yes or no:
        click.echo(f"{counted(yes + no, 'unchanged machine text')}: {yes} confirmed, {no} not.")
    if found.untied:
        click.echo(f"Variants are translated separately in {ended(shortened(found.untied, 10))}")
