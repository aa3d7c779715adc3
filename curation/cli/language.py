"""`curate language`: the file in which a group writes its language."""

from pathlib import Path

import click

from curation.cli.group import LazyGroup
from curation.cli.options import (
    file_option,
    json_option,
    language_lines,
    workspace_option,
)
from curation.cli.terminal import finding_dict, fitting, print_json
from curation.files.workspace import Workspace
from curation.language_files import check_language, new_language_file
from curation.records.errors import CurateError
from curation.records.wording import plural
from evaluation.replies.listed import read_listed

_COMMANDS = {
    "new": (f"{__name__}:new", "Write a language file with a place for each text."),
    "check": (f"{__name__}:check", "Check a language file, and list its open texts."),
}
_NAMED = 4  # open texts that a row names


@click.group("language", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Add a language that the toolkit does not have, in languages/CODE.yaml of the workspace."""


@click.command("new")
@workspace_option
@click.argument("code", required=False)
@json_option
def new(workspace: Workspace, code: str | None, as_json: bool) -> None:
    """Write languages/CODE.yaml with a place for every text that the language lacks.

    CODE is the ISO 639-1 code of the language [default: the language of the culture]. Each place
    shows the English text and what it is for. Texts that the toolkit already has are not in the
    file. An existing file is never overwritten.
    """
    found = new_language_file(workspace, code)
    if as_json:
        print_json(found)
        return
    for line in language_lines(found, workspace.root):
        click.echo(line)


@click.command("check")
@workspace_option
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@file_option(
    "--replies",
    "replies",
    help="Test replies (YAML): the choices, then A, B, C and none, each with a list of replies "
    "that mean it to a person. Replies that the toolkit parses differently are listed.",
)
@json_option
def check(workspace: Workspace, file: Path | None, replies: Path | None, as_json: bool) -> None:
    """Check a language file: list errors by line and key, and the texts that are not written yet.

    FILE is the language file [default: the workspace's file for its language].

    \b
    Example: curate language check languages/pt.yaml --replies replies.yaml
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = check_language(file or _own_file(workspace))
    listed = read_listed(replies, found.file) if replies else None
    is_wrong = bool(found.findings or (listed is not None and listed.misread))
    if as_json:
        print_json(
            {
                "file": found.file,
                "language": found.language,
                "parts": found.parts,
                "findings": [finding_dict(item) for item in found.findings],
                "replies": listed,
            }
        )
        click.get_current_context().exit(int(is_wrong))
    for item in found.findings:
        line = f", line {item.row}" if item.row else ""
        what = f"{item.column}: {item.message}" if item.column else item.message
        click.echo(f"{found.file}{line}: {what}")
        click.echo(f"    -> {item.hint}")
    width = max((len(part.part) for part in found.parts), default=0) + 2
    for part in found.parts:
        texts = part.open or part.left
        named = ", ".join(key.partition(".")[2] or key for key in texts[:_NAMED])
        more = ", ..." if len(texts) > _NAMED else ""
        click.echo(f"{part.part:{width}}{_status(part.status, len(part.open), len(part.left))}")
        if texts and part.status in ("open", "written"):
            _echo_below(f"{named}{more}", width)
        elif part.status == "empty":
            _echo_below(f"needed for {part.needed_for}", width)
    if listed is not None:
        for reply in listed.misread:
            click.echo(
                f"misread: '{reply.reply}' is parsed as {reply.read}, but means {reply.meant}"
            )
        count = len(listed.misread)
        misread = f"{count} parsed differently from their meaning"
        click.echo(
            f"{listed.replies} test {'reply' if listed.replies == 1 else 'replies'}: {misread}."
        )
    click.get_current_context().exit(int(is_wrong))


def _echo_below(text: str, indent: int) -> None:
    blanks = " " * indent
    click.echo(fitting(f"{blanks}{text}", blanks))


def _status(status: str, open_: int, left: int) -> str:
    rest = f"; {left} that may stay empty {'is' if left == 1 else 'are'} not" if left else ""
    count = plural("text", open_)
    return {
        "written": f"written{rest}",
        "open": f"open: {open_} {count} to write",
        "wrong": "wrong: correct the errors before you use it",
        "empty": "nothing is written yet",
        "ours": "the toolkit's own",
    }[status]


def _own_file(workspace: Workspace) -> Path:
    language = workspace.language
    if language.file is None or not language.text:
        raise CurateError(
            f"the workspace has no file for its language '{language}'",
            str(language.file),
            "'curate language new' writes one with all that is missing; or name a FILE",
        )
    return language.file
