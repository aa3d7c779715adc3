"""`curate init`: a new workspace."""

import json
import uuid
from pathlib import Path

import click

from curation.cli.common import json_option, print_json
from curation.io.atomic import atomic_text
from curation.io.bank import write_bank, write_groups
from curation.io.culture import parse_culture
from curation.io.workspace import Workspace
from curation.model.bank import Bank
from curation.model.errors import CurateError

_UNKNOWN = {"ko": "알 수 없음", "en": "Cannot be known from the text"}

_CULTURE = """\
# Settings of this adaptation. Every key is explained in the documentation.
culture: {culture}
language: "{language}"        # ISO 639-1 code of the culture's language
source_language: en   # of the templates that you adapt
version: "0.1"
unknown: "{unknown}"   # the third choice of every sample

# Categories are added by 'curate import'. To merge source categories into one:
#   - {{id: Home_region, name: Home region, sources: [Nationality, Race_ethnicity]}}
# 'question: select_all' lets respondents choose all groups that a stereotype is about;
# 'renamed_groups: {{new: [old]}}' keeps what the survey ruled on a group that was renamed since.
categories: []

# What the survey decides by; these are the published thresholds (Jin et al. 2024).
survey:
  target_multiple: 2          # a target group has at least 2 equal shares
  non_target_multiple: 1/2    # a non-target group at most half of one
  equal_share: respondents
  stereotype_share: 2/3       # more than 2/3 of those naming a group name the target
  no_stereotype_limit: 1/2    # drop when more than half say that none exists
  comprehension_share: 1/2    # drop when fewer than half answer correctly
  min_respondents: 1

samples:
  seed: 42                    # of the test set

# What the published benchmark says of itself; 'curate check --release' says what is missing.
release:
  canary: {canary}   # keeps the data out of training sets; never change it
"""

_IGNORE = ".curate/\nannotations/people.csv\nannotations/raw/\n"


@click.command("init")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--language", default="ko", show_default=True, help="ISO 639-1 code of the culture's language."
)
@click.option("--culture", help="Name of the culture [default: the folder's name].")
@json_option
def command(folder: Path, language: str, culture: str | None, as_json: bool) -> None:
    """Make a new workspace in DIR, which may exist but must hold none yet."""
    workspace = Workspace(folder)
    if workspace.culture_file.exists():
        raise CurateError(
            "there is a workspace already",
            str(workspace.culture_file),
            "choose another folder; 'curate check' looks at this one",
        )
    unknown = _UNKNOWN.get(language.split("-")[0], "unknown")
    name = culture or folder.resolve().name or "culture"
    quoted = json.dumps(name, ensure_ascii=False)  # a JSON text is a YAML one
    text = _CULTURE.format(culture=quoted, language=language, unknown=unknown, canary=uuid.uuid4())
    parse_culture(text, workspace.culture_file)  # a wrong language is refused before any writing
    try:
        for part in (workspace.sources_folder, workspace.responses_folder, folder / "annotations"):
            part.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CurateError(f"cannot make {folder}: {error.strerror}", str(folder)) from error
    if not workspace.bank_file.exists():
        write_bank(workspace.bank_file, Bank())
    if not workspace.groups_file.exists():
        write_groups(workspace.groups_file, [])
    if not (folder / ".gitignore").exists():
        with atomic_text(folder / ".gitignore") as stream:
            stream.write(_IGNORE)
    with atomic_text(workspace.culture_file) as stream:
        stream.write(text)
    if as_json:
        print_json({"folder": str(folder), "culture": name, "language": language})
        return
    click.echo(f"Made a workspace for '{name}' ({language}) in {folder}.")
    if unknown == "unknown":
        click.echo("Write your language's expression for 'cannot be known' in culture.yaml.")
    click.echo(f"Next: curate import bbq FILE ... -w {folder}")
