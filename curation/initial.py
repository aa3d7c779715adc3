"""Make a new workspace."""

import json
import uuid
from pathlib import Path

from curation.files.atomic import atomic_text
from curation.files.bank import write_bank, write_groups
from curation.files.culture import parse_culture
from curation.files.lock import locked
from curation.files.workspace import Workspace
from curation.language_files import new_language_file, to_write
from curation.languages import load
from curation.records.bank import Bank
from curation.records.culture import UNWRITTEN
from curation.records.errors import CurateError

_CULTURE = """\
# Settings of this adaptation. Every key is explained in the documentation.
culture: {culture}
language: "{language}"        # ISO 639-1 code of the culture's language
source_language: en   # of the templates that you adapt
version: "0.1"
unknown: "{unknown}"   # the third choice of every sample

# Categories are added by 'curate import'. To merge source categories into one:
#   - {{id: Home_region, name: Home region, sources: [Nationality, Race_ethnicity]}}
# 'question: select_all' lets respondents choose all groups that a stereotype is about.
categories: []

# What the survey decides by; these are the published thresholds (Jin et al. 2024).
survey:
  target_multiple: 2          # a target group has at least 2 uniform shares
  non_target_multiple: 1/2    # a non-target group at most half of one
  equal_share: respondents
  stereotype_share: 2/3       # more than 2/3 of those naming a group name the target
  no_stereotype_limit: 1/2    # drop when more than half say that none exists
  comprehension_share: 1/2    # drop when fewer than half answer correctly
  min_respondents: 30         # drop a question that fewer answered

samples:
  seed: 42                    # of the test set

# What the published benchmark says of itself; 'curate check --release' says what is missing.
release:
  canary: {canary}   # keeps the data out of training sets; never change it
"""

_IGNORE = ".curate/\nannotations/people.csv\nannotations/raw/\n"


def init_workspace(
    folder: Path | str, language: str = "ko", culture: str | None = None
) -> Workspace:
    """Make a new workspace: its settings, an empty bank, empty groups, and its folders.

    If the language is not complete in the toolkit, a language file with all open texts is written.

    Args:
        folder: The folder, which may exist but must hold no workspace yet. Files of a bank that
            it has are kept.
        language: ISO 639-1 code of the culture's language.
        culture: Name of the culture; the folder's name by default.

    Raises:
        CurateError: If there is a workspace, the language is none, or files cannot be written.
    """
    workspace = Workspace(Path(folder))
    if workspace.culture_file.exists():
        raise CurateError(
            "there is a workspace already",
            str(workspace.culture_file),
            "choose another folder; 'curate check' looks at this one",
        )
    root = workspace.root
    general = load(language).general
    text = _CULTURE.format(
        culture=json.dumps(culture or root.resolve().name or "culture", ensure_ascii=False),
        language=language,  # a JSON text is a YAML one
        unknown=(general and general.unknown) or UNWRITTEN,
        canary=uuid.uuid4(),
    )
    parse_culture(text, workspace.culture_file)  # a wrong language is refused before any writing
    try:
        for part in (workspace.sources_folder, workspace.responses_folder, root / "annotations"):
            part.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CurateError(
            f"cannot make {root}: {error.strerror}",
            str(root),
            "name a folder in one that you may write to, or check permissions and free space",
        ) from error
    with locked(root, "curate init"):
        if not workspace.bank_file.exists():
            write_bank(workspace.bank_file, Bank())
        if not workspace.groups_file.exists():
            write_groups(workspace.groups_file, [])
        if not (root / ".gitignore").exists():
            with atomic_text(root / ".gitignore") as stream:
                stream.write(_IGNORE)
        with atomic_text(workspace.culture_file) as stream:
            stream.write(text)
    workspace.refresh()
    if not workspace.language.text and to_write(workspace.language).file is not None:
        new_language_file(workspace)
    return workspace
