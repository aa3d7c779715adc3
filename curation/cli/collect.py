"""`curate collect`: whatever people returned, by what each file says that it is.

Also `curate groups` and `curate new`: the workbooks that need no command of their own to be read.
"""

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.annotation import exported
from curation.annotation.drafts import DRAFTS, collect_judgements, hand_out_drafts
from curation.annotation.groups import collect_groups, make_groups_sheet
from curation.annotation.newtemplates import collect_new_templates, make_new_sheet
from curation.annotation.translation import bilingual
from curation.cli import options, terminal
from curation.cli.group import LazyGroup
from curation.files.tables import read_bytes
from curation.files.workbooks.opening import kind_of
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Refusal, counted, decider, has_errors

Refused = tuple[Sequence[Path], CurateError]
"""Files that were not taken, and why."""

COMMENTS = "comments"
_ACCEPTED = ("changed", "unchanged")
PULLED = "pulled texts"
READERS = {
    "classify": "curation.cli.classify:collected",
    "agenda": "curation.cli.classify:decided",
    "translate": "curation.cli.translate:collected",
    PULLED: "curation.cli.translate:pulled",
    "new": f"{__name__}:collected_new",
    DRAFTS: f"{__name__}:collected_drafts",
    "groups": f"{__name__}:collected_groups",
    "stories-edit": "evaluation.cli.stories:edits",
    "stories-passages": "evaluation.cli.stories:readings_of",
    COMMENTS: "exports.cli.browse:collected",
}
"""By kind of file, as the hidden sheet of a workbook names it, where the function is that collects.

It takes the workspace, the files and, by keyword, those options of the command that it knows.
"""
_TABLES = {"classify.csv": "classify", "translate.csv": PULLED, "comments.csv": COMMENTS}
_ALONE = ("new", "groups", "agenda")
"""Kinds of which each file is collected by itself."""


@options.curate_command("collect")
@click.argument(
    "files", nargs=-1, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE..."
)
@click.option(
    "--by",
    metavar="NAME",
    help="Who decides. Labels: record those that all annotators gave, or the meeting's agenda "
    "has, under this name. "
    "Translations: use the text of this translator where several differ; who filled in a workbook "
    "that names nobody; who confirms with --accept unchanged. Comments: record the proposals.",
)
@click.option(
    "--at-least",
    type=click.IntRange(1),
    default=2,
    help="Labels, new templates: least number of annotators who agree on one that is recorded.",
)
@click.option(
    "--accept",
    multiple=True,
    type=click.Choice(_ACCEPTED),
    help="changed: labels and comments on templates that changed after the file was made, and "
    "comments of a page made before the workspace's canary or name changed. unchanged: confirm "
    "unchanged machine texts in the name of --by: those of FILE, or without FILE all in the bank. "
    "May be given twice.",
)
@options.templates_option
@options.flag_option(
    "--dry-run", help="Check, and write nothing. Not for translations and stories."
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    files: tuple[Path, ...],
    accept: tuple[str, ...],
    **given: Any,
) -> terminal.Taken:
    """Read the files that people returned, and write what they hold to the workspace.

    FILE is a workbook of 'classify sheet', 'translate sheet', 'new sheet', 'groups sheet' or of
    'evaluate stories', the agenda of a meeting on labels, or a file of comments that was saved on
    the page of 'curate browse'. The file itself says what it is. Labels may also be a table (.csv,
    .tsv) with the columns template_id, annotator and label, or an export of Label Studio (JSON,
    JSON-MIN, CSV), doccano (.jsonl, .zip) or Argilla (.json, .jsonl), translations XLIFF or PO.
    Also annotations/classify.csv and annotations/comments.csv, which are looked at again, and
    annotations/translate.csv of 'curate pull translate', whose texts are written to the bank; only
    of these does --template choose.

    Errors are marked in a copy of the workbook: correct them there, and collect the copy. A file
    with errors does not stop the others; it is named, and the exit status is 1. Only of
    translations is what is correct taken from a file with errors. Collecting the same file again
    changes nothing.

    A label replaces an earlier one of its annotator and template. Where a workbook has none any
    more, the earlier one stays and is named. It is shown how far the annotators agree.
    With --by, labels that all annotators gave are written to the ledger and the bank. The other
    templates are written to annotations/agenda.xlsx, .csv and .md for a meeting. The filled-in
    agenda is collected with --by; its labels are decisions.

    Comments go to annotations/comments.csv, and what is open to annotations/comments_agenda.md and
    .csv for a meeting. With --by, proposals to keep or exclude that nobody contradicts become
    overrides, as with 'curate override'. A proposal stays on the agenda if the template has changed
    or has a new decision since, or if it is about a single sample.

    Before a release, an unchanged machine text must be confirmed: by 'yes' in the column confirmed
    of the workbook, or with --accept unchanged --by NAME.

    \b
    Example: curate collect returned/*.xlsx argilla.json mina.xlf
             curate collect returned/classify-*.xlsx --by Mina
             curate collect returned/mina.xlsx --accept unchanged --by Mina
             curate pull translate && curate collect annotations/translate.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    given |= {f"accept_{what}": what in accept for what in _ACCEPTED}
    _check(files, given)
    given["by"] = " ".join((given["by"] or "").split())
    refused: list[Refused] = []
    groups = _groups(workspace, files, refused)
    _check_known(ctx, groups, given)
    results = []
    for kind, paths in groups:
        taken, bad = _collect(kind, workspace, paths, given)
        refused += bad
        if taken is not None:
            left = [path for path in paths if all(path not in named for named, _ in bad)]
            results.append((kind, left, taken))
    value = {
        "collected": [
            {"kind": kind, "files": paths, **result} for kind, paths, (result, _, _) in results
        ],
        "refused": [_refused_dict(paths, error) for paths, error in refused],
    }
    failed = bool(refused) or any(map(terminal.status_of, (taken for _, _, taken in results)))
    headed = len(results) + len(refused) > 1
    return value, failed, partial(_show, results, refused, headed=headed)


def _check(files: Sequence[Path], given: Mapping[str, Any]) -> None:
    """Refuse options that do not go together."""
    if given["by"] is not None:
        decider(given["by"])
    if given["accept_unchanged"] and given["by"] is None:
        raise click.UsageError("--accept unchanged needs --by NAME: who has looked at the texts")
    if not files and not given["accept_unchanged"]:
        raise click.UsageError("Missing argument 'FILE...'.")


def _groups(
    workspace: Workspace, files: Sequence[Path], refused: list[Refused]
) -> list[tuple[str, list[Path]]]:
    """The files that are collected together, by kind; those of no kind are refused."""
    if not files:
        return [("translate", [])]
    found: dict[tuple[str, Path | None], list[Path]] = {}
    for path in dict.fromkeys(files):
        try:
            kind = _kind(workspace, path)
        except CurateError as error:
            refused.append(([path], error))
        else:
            found.setdefault((kind, path if kind in _ALONE else None), []).append(path)
    return [(kind, paths) for (kind, _), paths in found.items()]


def _kind(workspace: Workspace, path: Path) -> str:
    """What a file is.

    Raises:
        CurateError: If it is nothing that is collected.
    """
    if _is_own(workspace, path):
        return _TABLES[path.name]
    suffix = path.suffix.lower()
    if suffix in bilingual.SUFFIXES:
        return "translate"
    opens = read_bytes(path).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if suffix in exported.SUFFIXES and not (suffix == ".json" and opens == b"{"):
        return "classify"
    if opens == b"{":
        return COMMENTS
    kind = kind_of(path)
    if kind not in READERS:
        other = "it is read by another command: curate evaluate replies --filled FILE"
        hint = other if kind == "unreadable" else "make a fresh workbook"
        raise CurateError(f"{path.name} is a sheet for '{kind}'", str(path), hint)
    return kind


def _is_own(workspace: Workspace, path: Path) -> bool:
    """Whether a file is a table of the workspace, not one of the same name that somebody sent."""
    own = workspace.annotations.folder.resolve()
    return path.name in _TABLES and path.resolve().parent == own


def _reader(kind: str) -> Callable[..., terminal.Taken]:
    module, _, name = READERS[kind].partition(":")
    reader: Callable[..., terminal.Taken] = getattr(importlib.import_module(module), name)
    return reader


def _knows(kind: str) -> frozenset[str]:
    return frozenset(inspect.signature(_reader(kind)).parameters)


def _check_known(
    ctx: click.Context, groups: Sequence[tuple[str, Sequence[Path]]], given: Mapping[str, Any]
) -> None:
    """Refuse options that say nothing of these files, and a dry run of what would be written."""
    known = [_knows(kind) for kind, _ in groups]
    for name in given:
        is_accepted = name.startswith("accept_") and given[name]
        typed = ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if not (typed or is_accepted):
            continue
        option = "--" + name.replace("_", " " if is_accepted else "-").removesuffix("s")
        if known and not any(name in knows for knows in known):
            kinds = ", ".join(dict.fromkeys(kind for kind, _ in groups))
            raise click.UsageError(f"{option} says nothing of these files ({kinds})")
    strict = [kind for kind, _ in groups if "dry_run" not in _knows(kind)]
    if given["dry_run"] and strict:
        raise click.UsageError(f"--dry-run cannot be had of such a file ({strict[0]})")


def _collect(
    kind: str, workspace: Workspace, files: Sequence[Path], given: Mapping[str, Any]
) -> tuple[terminal.Taken | None, list[Refused]]:
    """Collect files of one kind; those with errors are left out, and the others collected."""
    reader, knows = _reader(kind), _knows(kind)
    wanted = {name: value for name, value in given.items() if name in knows}
    # A table of the workspace stands for what was collected before.
    own = [path for path in files if _is_own(workspace, path)]
    rest = [path for path in files if path not in own]
    refused: list[Refused] = []
    while True:
        if "left_out" in knows:
            wanted["left_out"] = bool(refused)
        try:
            return reader(workspace, rest, **wanted), refused
        except CurateError as error:
            bad = [path for path in rest if _is_of(error, path)] or rest or files
            refused.append((bad, error))
            rest, before = [path for path in rest if path not in bad], rest
            if not before or not (rest or own):
                return None, refused


def _is_of(error: CurateError, path: Path) -> bool:
    """Whether an error is one of a file."""
    if isinstance(error, Refusal):
        wrong = [item.file for item in error.findings if has_errors([item])]
        sheet = f"{path.name}, sheet "
        return any(file in (path.name, str(path)) or file.startswith(sheet) for file in wrong)
    return error.where == str(path)


def _refused_dict(paths: Sequence[Path], error: CurateError) -> dict[str, object]:
    said: dict[str, object] = {"what": error.what, "where": error.where, "hint": error.hint}
    if isinstance(error, Refusal):
        said = {"what": error.what, "findings": error.findings, "marked": error.marked}
    return {"files": paths, **said}


def _show(
    results: Sequence[tuple[str, Sequence[Path], terminal.Taken]],
    refused: Sequence[Refused],
    *,
    headed: bool,
) -> None:
    from curation.cli.main import show_error

    for number, (kind, paths, (_, _, show)) in enumerate(results):
        if headed:
            names = ", ".join(map(str, paths)) or "collected before"
            click.secho(f"{'' if number == 0 else chr(10)}{kind}: {names}", bold=True)
        show()
    for paths, error in refused:
        if headed:
            click.secho(f"\nNot taken: {', '.join(map(str, paths))}", bold=True)
        if isinstance(error, Refusal):
            terminal.show_refusal(error)
        else:
            show_error(error)


_GROUPS = {"sheet": (f"{__name__}:groups_sheet", "Make a workbook of the groups.")}
_NEW = {"sheet": (f"{__name__}:new_sheet", "Make a workbook for new templates.")}


@click.group("groups", cls=LazyGroup, lazy=_GROUPS)
def groups() -> None:
    """Edit groups.csv in a workbook, and move templates to other categories."""


@options.curate_command("sheet")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def groups_sheet(workspace: Workspace, file: Path | None) -> terminal.Taken:
    """Make a workbook to edit the groups, to add new ones, and to move templates.

    FILE is where it is written [default: annotations/sheets/groups.xlsx].

    It has the name of each group, its parent, whether it counts, and its fillers. To remove a
    group, write yes in its column 'remove': a group whose row is deleted from the sheet is kept.

    A group gets another name in its column 'group'. Nothing else is rewritten: files hold its key,
    which does not change. Templates whose groups are named only in the columns of the source get
    the new name too. To merge a group into another, name that one in 'same_as', with a reason and
    your name: the ledger records them. Groups that a survey asked about apart are not merged.

    In the sheet 'templates', 'move_to' moves a template to the category that culture.yaml merges
    its own into (these are filled in), to a new category, or back to where it came from. A template
    keeps its number, or gets the next free number. Its former id is recorded in
    annotations/renamed.csv, and a new category in templates_src/categories.csv, so decisions,
    survey questions and later imports still find it.

    \b
    Example: curate groups sheet
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = make_groups_sheet(workspace, out=file)
    options.note_language(workspace)
    said = f"{made['file']}: {counted(made['groups'], 'group')}."
    return made, False, partial(click.echo, f"{said}\nWhen you have edited it: curate collect FILE")


def collected_groups(
    workspace: Workspace, files: Sequence[Path], *, dry_run: bool
) -> terminal.Taken:
    """Check an edited workbook of groups, and write its groups to groups.csv."""
    found = collect_groups(workspace, files[0], dry_run=dry_run)
    moved = [f"{old} > {new}" for old, new in found["moved"].items()]

    def show() -> None:
        gone = [f"{key}: it was removed already" for key in found["gone"]]
        words = ("changed", "new", "removed", "gone", "merged", "moved")
        named = (found["changed"], found["added"], found["removed"], gone, found["merged"], moved)
        for word, keys in zip(words, named, strict=True):
            for key in keys:
                click.echo(f"{word:10} {key}")
        terminal.print_findings(found["findings"])
        count = f", {counted(len(moved), 'template')} moved" if moved else ""
        end = " (nothing written)." if dry_run else "."
        changed, new, removed = (len(found[name]) for name in ("changed", "added", "removed"))
        click.echo(f"{changed} changed, {new} new, {removed} removed{count}{end}")

    return found, found["findings"], show


@click.group("new", cls=LazyGroup, lazy=_NEW)
def new() -> None:
    """Write new templates (NC) about stereotypes that the source does not have."""


@options.curate_command("sheet")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--draft",
    "model",
    metavar="MODEL",
    help="With FILE: this model writes the rows that have no texts, on a server with OpenAI's "
    "protocol.",
)
@options.people_option("--annotator", "With FILE: name of an annotator who judges")
def new_sheet(
    workspace: Workspace, file: Path | None, model: str | None, annotators: list[str]
) -> terminal.Taken:
    """Make a workbook for new templates, or workbooks in which those of FILE are judged.

    Without FILE it is annotations/sheets/new-templates.xlsx. It offers the categories of
    culture.yaml, and lists the groups. A row is variant a: 'curate collect' makes variant b by
    exchanging the two people, and gives new templates the label NC.

    FILE is a table (CSV) with columns of this workbook, a stereotype in each row. Each annotator
    gets a workbook in which they accept or refuse the templates; nothing in it says who wrote
    which. With --draft, a model writes the contexts and questions of the rows without any, at the
    address in OPENAI_BASE_URL, with the key in OPENAI_API_KEY. Replies are stored in
    .curate/suggestions.sqlite, so no reply is paid for twice; translation.budget is kept. Drafts in
    which rules find a fault are not shown. annotations/drafts.csv has all of them, and says who or
    what wrote each. 'curate collect' takes what all accept, and counts both kinds.

    \b
    Example: curate new sheet
             curate new sheet stereotypes.csv --draft MODEL --annotator Mina --annotator Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    if file is None:
        if model is not None or annotators:
            raise click.UsageError("--draft and --annotator need FILE: the stereotypes")
        path = make_new_sheet(workspace)
        options.note_language(workspace)
        said = f"Made {path}.\nWhen you have filled it in: curate collect FILE"
        return {"file": path}, False, partial(click.echo, said)
    if not annotators:
        raise click.UsageError("FILE needs --annotator NAME: who judges its templates")
    listener = options.listener("Stereotypes asked about")
    made = hand_out_drafts(workspace, file, annotators, model or "", listener)
    options.note_language(workspace)
    return made, False, partial(_show_drafts, made)


def _show_drafts(made: Mapping[str, Any]) -> None:
    for name, path in made["sheets"].items():
        click.echo(f"{name}: {path}")
    if made["drafted"]:
        refused = sum(made["refused"].values())
        why = ", ".join(f"{name} {count}" for name, count in made["refused"].items())
        drafts = counted(made["drafted"], "draft")
        click.echo(f"{drafts}, {refused} refused by rules{f': {why}' if why else ''}.")
    count = counted(made["templates"], "template")
    click.echo(f"{count} in each workbook. When they are filled in: curate collect FILE...")


def collected_new(workspace: Workspace, files: Sequence[Path], *, dry_run: bool) -> terminal.Taken:
    """Check the new templates of a workbook, and add them to the bank as pairs of variants."""
    found = collect_new_templates(workspace, files[0], dry_run=dry_run)

    def show() -> None:
        for word, items in (("new", found["added"]), ("known", found["known"])):
            for item in items:
                click.echo(f"{word:10} {item['template_id']}  {item['stereotype']}")
        terminal.print_findings(found["findings"])
        count = counted(len({item["template_id"] for item in found["added"]}), "template")
        verb = "would be added" if dry_run else "added"
        click.echo(f"{count} {verb} to the bank, each as variants a and b.")

    return found, found["findings"], show


def collected_drafts(
    workspace: Workspace, files: Sequence[Path], *, at_least: int, dry_run: bool
) -> terminal.Taken:
    """Collect what people say of new templates, and add those that all accept to the bank."""
    found = collect_judgements(workspace, files, at_least=at_least, dry_run=dry_run)

    def show() -> None:
        terminal.print_findings(found["findings"])
        for item in found["added"]:
            click.echo(f"new        {item['template_id']}  {item['stereotype']}")
        header = ["Written by", "refused by rules", "judged", "accepted by all", "share", "alpha"]
        rows = [
            [
                item["writer"],
                f"{sum(item['refused'].values())} of {item['written']}",
                *(item["judged"], item["accepted"], item["share"].shown, item["alpha"].shown),
            ]
            for item in found["acceptance"]
        ]
        terminal.echo_table(header, rows)
        verb = "would be added" if dry_run else "added"
        click.echo(f"{counted(len(found['added']), 'template')} {verb} to the bank.")

    return found, found["findings"], show
