"""Files that the last filter read and that have changed since."""

import hashlib
from collections.abc import Iterator

from curation.checks.subject import StaleInput
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.bank import TEXT_FIELDS, Bank
from curation.records.survey import Stage, join_groups

BANK_DIGEST = "bank_sha256"
"""The key of the filter's manifest that holds `bank_digest` of the bank that it read."""
COMMAND = "curate filter"
_FOLDER = "filter"
_AGAIN = "run 'curate filter' again with the survey's files, or undo the edit"
_QUESTIONS = (
    "restore the questionnaire that respondents were asked; if this is the right one, run "
    "'curate filter' again with the survey's files"
)
_UNKNOWN = (
    "restore it, or run 'curate filter' again with the survey's files: without it, nobody knows "
    "whether "
    "these have changed"
)
_COUNTED = (Stage.SURVEY, Stage.COMPREHENSION)


def bank_digest(bank: Bank) -> str:
    """What identifies the part of a bank that decisions rest on: ids, labels, groups and texts.

    Notes, references, sources and columns of one's own are no part of it.

    Returns:
        SHA-256, hexadecimal.
    """
    found = hashlib.sha256()
    for variant in bank.variants:
        label = variant.label.value if variant.label else ""
        texts = [getattr(variant.texts, name) for name in TEXT_FIELDS]
        cells = [item if isinstance(item, str) else join_groups(item) for item in texts]
        row = (str(variant.id), variant.category, label, *cells, "\x1e")
        found.update("\x1f".join(row).encode())
    return found.hexdigest()


def stale_inputs(workspace: Workspace) -> tuple[StaleInput, ...]:
    """The files of a workspace that have changed since the last filter read them.

    Of `culture.yaml` only thresholds matter, which `survey.settings.decided_with` tells. Answers
    that were deleted after they were counted are not stale; a questionnaire that is gone is, and
    so is the filter's manifest where decisions of a survey are in the ledger.

    Args:
        workspace: The workspace.

    Returns:
        The files in the order of the manifest; none where nothing was filtered.

    Raises:
        CurateError: If the manifest of the last filter, or the bank, cannot be read.
    """
    return tuple(_stale(workspace))


def _stale(workspace: Workspace) -> Iterator[StaleInput]:
    folder = workspace.exports_folder / _FOLDER
    if not (folder / MANIFEST).exists():
        if any(item.stage in _COUNTED for item in workspace.decisions):
            name = workspace.shown(folder / MANIFEST)
            yield StaleInput(name, "is gone", COMMAND, _UNKNOWN)
        return
    manifest = read_manifest(folder)
    for name, record in manifest.inputs.items():
        path = workspace.root / name
        asked = path == workspace.questionnaire_file
        if path == workspace.culture_file:
            continue
        if not path.is_file():
            if asked:
                yield StaleInput(name, "is gone", COMMAND, _QUESTIONS)
            continue
        if sha256(path) == record.sha256:
            continue
        known = manifest.settings.get(BANK_DIGEST)
        if path == workspace.bank_file and known == bank_digest(workspace.bank):
            continue
        yield StaleInput(name, "has changed", COMMAND, _QUESTIONS if asked else _AGAIN)
