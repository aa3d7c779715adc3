"""`curate init`: a new workspace; `curate language`: a language that the toolkit lacks."""

from pathlib import Path

import click

from curation.cli.options import (
    file_option,
    json_option,
    language_lines,
    option_of,
    workspace_option,
)
from curation.cli.terminal import fitting, print_json
from curation.files.workspace import Workspace
from curation.initial import check_language, file_of, init_workspace, new_language_file, to_write
from curation.records.culture import UNWRITTEN
from curation.records.messages import counted, plural
from evaluation.replies.rows import read_listed


@click.command("init")
@click.argument(
    "folder", metavar="[DIR]", default=".", type=click.Path(file_okay=False, path_type=Path)
)
@click.option(
    "--language", default="ko", show_default=True, help="ISO 639-1 code of the culture's language."
)
@click.option("--culture", help="Name of the culture [default: the folder's name].")
@json_option
def command(folder: Path, language: str, culture: str | None, as_json: bool) -> None:
    """Make a new workspace in DIR [default: the current folder].

    DIR may exist, but must not be a workspace yet.
    """
    workspace = init_workspace(folder, language, culture)
    settings = workspace.culture
    if as_json:
        made = workspace.language
        file = str(made.file) if made.text else None
        parts = [part.name for part in made.missing_parts]
        print_json(
            {
                "folder": str(folder),
                "culture": settings.culture,
                "language": language,
                "language_file": file,
                "to_write": parts,
            }
        )
        return
    elsewhere = option_of(folder)
    place = f"in {folder}" if elsewhere else "here"
    click.echo(f"Made a workspace for '{settings.culture}' ({language}) {place}.")
    if settings.unknown == UNWRITTEN:
        click.echo(
            "Write your language's expression for 'cannot be known' in culture.yaml (key unknown)."
        )
    if workspace.language.text:
        click.echo(f"The toolkit does not have all of '{language}'.")
        for line in language_lines(to_write(workspace.language), folder):
            click.echo(line)
    click.echo(f"Next: curate import bbq FILE ...{elsewhere}")


_NAMED = 4  # open texts that a row names


@click.command("language")
@workspace_option
@click.argument("language", metavar="[CODE|FILE]", required=False)
@file_option(
    "--replies",
    "replies",
    help="Test replies (YAML): the choices, then A, B, C and none, each with a list of replies "
    "that mean it to a person. Replies that the toolkit parses differently are listed.",
)
@click.option(
    "--like",
    metavar="CODE",
    help="Start the file with the texts of a related language (pt for Galician). Each line of them "
    "is marked as not reviewed.",
)
@json_option
@click.pass_context
def language_command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    language: str | None,
    replies: Path | None,
    like: str | None,
    as_json: bool,
) -> None:
    """Write the file of a language that the toolkit does not have, or check it.

    CODE is the ISO 639-1 code of the language [default: the language of the culture]. Where the
    workspace has no languages/CODE.yaml, it is written, with a place for every text that the
    language lacks. Each place shows the English text and what it is for. Where there is one, or
    with FILE, it is checked: errors are listed by line and key, the texts that are not written yet,
    and how many lines are not reviewed. A file with texts is never overwritten.

    With --like the texts of a related language stand in the places, each line with the mark '# pt:
    not reviewed'. They are used as they are. To review a line, correct it and take its mark away.
    'curate check', the card of a release and commands that use such texts say how many lines are
    left. Rules that change texts, such as contractions and agreement, are not taken over.

    \b
    Example: curate language
             curate language gl --like pt
             curate language languages/pt.yaml --replies replies.yaml
    """  # noqa: D301  # \b keeps click from wrapping the example
    file = file_of(workspace, language) if like is None else None
    if file is not None:
        ctx.exit(_check(file, replies, as_json=as_json))
    if replies is not None:
        raise click.UsageError("--replies: the language has no file to check yet")
    found = new_language_file(workspace, language, like)
    if as_json:
        print_json(found)
        return
    for line in language_lines(found, workspace.root):
        click.echo(line)


def _check(file: Path, replies: Path | None, *, as_json: bool) -> int:
    """Show what is wrong with a file and what is open; gives the exit status."""
    found = check_language(file)
    listed = read_listed(replies, found["file"]) if replies else None
    is_wrong = bool(found["findings"] or (listed and listed["misread"]))
    if as_json:
        print_json(found | {"replies": listed})
        return int(is_wrong)
    for item in found["findings"]:
        line = f", line {item.row}" if item.row else ""
        what = f"{item.column}: {item.message}" if item.column else item.message
        click.echo(f"{found['file']}{line}: {what}")
        click.echo(f"    -> {item.hint}")
    width = max((len(part["part"]) for part in found["parts"]), default=0) + 2
    for part in found["parts"]:
        texts = part["open"] or part["left"]
        named = ", ".join(key.partition(".")[2] or key for key in texts[:_NAMED])
        more = ", ..." if len(texts) > _NAMED else ""
        lines = (
            f"; {counted(part['unreviewed'], 'line')} not reviewed" if part["unreviewed"] else ""
        )
        status = _status(part["status"], len(part["open"]), len(part["left"]))
        click.echo(fitting(f"{part['part']:{width}}{status}{lines}", " " * width))
        if texts and part["status"] in ("open", "written"):
            _echo_below(f"{named}{more}", width)
        elif part["status"] == "empty":
            _echo_below(f"needed for {part['needed_for']}", width)
    if found["parts"]:
        required = sum(part["required"] for part in found["parts"])
        lacking = sum(min(len(part["open"]), part["required"]) for part in found["parts"])
        left = sum(len(part["left"]) for part in found["parts"])
        click.echo(
            f"{lacking} of {required} required texts are open, and {left} that may stay empty."
        )
    if listed is not None:
        for item in listed["misread"]:
            click.echo("misread: '{reply}' is parsed as {read}, but means {meant}".format(**item))
        misread = f"{len(listed['misread'])} parsed differently from their meaning"
        click.echo(f"{counted(listed['replies'], 'test reply', 'test replies')}: {misread}.")
    return int(is_wrong)


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
