"""What `curate doctor` sees of a workspace."""

import os
import shutil
from collections.abc import Callable, Iterator

from curation.cli.check import check_workspace
from curation.cli.common import count_findings, plural
from curation.cli.doctor_machine import Seen, State
from curation.cli.final import load_final
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Severity

_PART = "Workspace"
_SMALL = 1 << 30
"""Bytes: with fewer free ones a run of models may fill the disk."""


def look_at_workspace(workspace: Workspace) -> Iterator[Seen]:
    """Look at the files of a workspace, at what the checks find, and at the disk."""
    root = workspace.root.resolve()
    if not workspace.culture_file.exists():
        text = f"none in {root}"
        yield Seen(_PART, "culture.yaml", State.NONE, text, "curate init DIR, or name it with -w")
        return
    looks: tuple[tuple[str, Callable[[Workspace], Seen]], ...] = (
        ("culture.yaml", _culture),
        ("bank and groups", _bank),
        ("rulings", _rulings),
    )
    for name, look in looks:
        try:
            yield look(workspace)
        except CurateError as error:
            where = f" ({error.where})" if error.where else ""
            yield Seen(_PART, name, State.BROKEN, f"{error.what}{where}", error.hint)
            return  # what follows stands on it
    yield _disk(workspace)


def _culture(workspace: Workspace) -> Seen:
    culture = workspace.culture
    text = f"{culture.culture}, {culture.source_language} to {culture.language}"
    return Seen(_PART, "culture.yaml", State.OK, f"{text}, version {culture.version}")


def _bank(workspace: Workspace) -> Seen:
    bank, _ = workspace.bank_and_findings
    findings = check_workspace(workspace)
    templates = len(list(bank.templates()))
    text = f"{templates} {plural('template', templates)}: {count_findings(findings)}"
    if any(item.severity is Severity.ERROR for item in findings):
        return Seen(_PART, "bank and groups", State.BROKEN, text, "curate check")
    if any(item.severity is Severity.WARNING for item in findings):
        return Seen(_PART, "bank and groups", State.WARNING, text, "curate check")
    return Seen(_PART, "bank and groups", State.OK, text)


def _rulings(workspace: Workspace) -> Seen:
    count = len(workspace.decisions)
    if not count:
        return Seen(_PART, "rulings", State.NONE, "none yet; 'curate status' says what comes next")
    final = load_final(workspace)
    text = f"{count:,} {plural('ruling', count)}, {len(final.templates)} of "
    return Seen(_PART, "rulings", State.OK, f"{text}{len(final.outcomes)} templates left")


def _disk(workspace: Workspace) -> Seen:
    if not os.access(workspace.root, os.W_OK):
        return Seen(_PART, "disk", State.BROKEN, "the folder cannot be written to", "chmod u+w")
    free = shutil.disk_usage(workspace.root).free
    text = f"{free / (1 << 30):,.1f} GiB free"
    state = State.WARNING if free < _SMALL else State.OK
    return Seen(_PART, "disk", state, text, "make room" if state is State.WARNING else "")
