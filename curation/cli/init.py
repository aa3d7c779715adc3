"""`curate init`: a new workspace."""

from pathlib import Path

import click

from curation.cli.options import json_option, language_lines, option_of
from curation.cli.terminal import print_json
from curation.initial import init_workspace
from curation.language_files import to_write
from curation.languages.writing import missing_parts
from curation.records.culture import UNWRITTEN


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
        parts = [part.name for part in missing_parts(made)]
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
