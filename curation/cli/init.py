"""`curate init`: a new workspace; `curate language`: a language that the toolkit lacks."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.initial import check_language, file_of, init_workspace, new_language_file, to_write
from curation.languages import name_and_code
from curation.records.messages import counted, plural, shortened
from evaluation.replies.rows import read_listed


@options.curate_command("init", workspace=False)
@click.argument(
    "folder", metavar="[DIR]", default=".", type=click.Path(file_okay=False, path_type=Path)
)
@click.option("--language", default="ko", help="ISO 639-1 code of the culture's language.")
@click.option("--culture", help="Name of the culture [default: the folder's name].")
def command(folder: Path, language: str, culture: str | None) -> terminal.Taken:
    """Make a new workspace in DIR [default: the current folder].

    DIR may exist, but must not be a workspace yet.
    """
    workspace = init_workspace(folder, language, culture)
    made = workspace.language
    value = {
        "folder": folder,
        "culture": workspace.culture.culture,
        "language": language,
        "language_file": made.file if made.text else None,
        "to_write": [part.name for part in made.missing_parts],
    }
    return value, False, partial(_show, workspace, folder)


def _show(workspace: Workspace, folder: Path) -> None:
    settings, language = workspace.culture, name_and_code(workspace.language)
    elsewhere = options.option_of(folder)
    place = f"in {folder}" if elsewhere else "here"
    click.echo(f"Made a workspace for '{settings.culture}', in {language}, {place}.")
    if workspace.language.text:
        lines = options.language_lines(to_write(workspace.language), folder)
        click.echo("\n".join((f"The toolkit does not have all of {language}.", *lines)))
    click.echo(f"Next: curate import bbq FILE ...{elsewhere}")


_NAMED = 4  # open texts that a row names


@options.curate_command("language")
@click.argument("language", metavar="[CODE|FILE]", required=False)
@options.file_option(
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
def language_command(
    workspace: Workspace, language: str | None, replies: Path | None, like: str | None
) -> terminal.Taken:
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
        return _check(file, replies)
    if replies is not None:
        raise click.UsageError("--replies: the language has no file to check yet")
    found = new_language_file(workspace, language, like)
    said = "\n".join(options.language_lines(found, workspace.root))
    return found, False, partial(click.echo, said)


def _check(file: Path, replies: Path | None) -> terminal.Taken:
    """What is wrong with a file, and what is open."""
    found = check_language(file)
    listed = read_listed(replies, found["file"]) if replies else None
    is_wrong = bool(found["findings"] or (listed and listed["misread"]))
    return found | {"replies": listed}, is_wrong, partial(_show_checked, found, listed)


def _show_checked(found: Mapping[str, Any], listed: Mapping[str, Any] | None) -> None:
    for item in found["findings"]:
        line = f", line {item.row}" if item.row else ""
        what = f"{item.column}: {item.message}" if item.column else item.message
        click.echo(f"{found['file']}{line}: {what}\n    -> {item.hint}")
    width = max((len(part["part"]) for part in found["parts"]), default=0) + 2
    for part in found["parts"]:
        texts = part["open"] or part["left"]
        named = shortened([key.partition(".")[2] or key for key in texts], _NAMED)
        lines = f"; {counted(part['unreviewed'], 'line')} not reviewed" * bool(part["unreviewed"])
        status = _status(part["status"], len(part["open"]), len(part["left"]))
        click.echo(terminal.fitting(f"{part['part']:{width}}{status}{lines}", " " * width))
        below = named if part["status"] in ("open", "written") else ""
        if below := below or f"needed for {part['needed_for']}" * (part["status"] == "empty"):
            click.echo(terminal.fitting(f"{' ' * width}{below}", " " * width))
    if found["parts"]:
        required = sum(part["required"] for part in found["parts"])
        lacking = sum(min(len(part["open"]), part["required"]) for part in found["parts"])
        left = sum(len(part["left"]) for part in found["parts"])
        others = counted(left, "other")
        click.echo(f"{lacking} of {required} required texts are open, and {others}.")
    if listed is not None:
        for item in listed["misread"]:
            click.echo("misread: '{reply}' is parsed as {read}, but means {meant}".format(**item))
        misread = f"{len(listed['misread'])} parsed differently from their meaning"
        click.echo(f"{counted(listed['replies'], 'test reply', 'test replies')}: {misread}.")


def _status(status: str, open_: int, left: int) -> str:
    count = plural("text", open_)
    return {
        "written": "written" + f"; {counted(left, 'other')} open" * bool(left),
        "open": f"open: {open_} {count} to write",
        "wrong": "wrong: correct the errors before you use it",
        "empty": "nothing is written yet",
        "ours": "the toolkit's own",
    }[status]
