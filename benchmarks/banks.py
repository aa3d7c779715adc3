"""Workspaces to measure on."""

import os
from pathlib import Path

from benchmarks.measure import ROOT
from curation.io.bank import write_bank, write_groups
from curation.io.culture import add_categories
from curation.io.workspace import Workspace
from curation.model.bank import Bank
from curation.sources import kobbq
from curation.stages.merge import merge

_CULTURE = 'culture: bench\nlanguage: ko\nunknown: "알 수 없음"\n'


def reference() -> Path | None:
    """Give the folder of published reference data, if there is one."""
    folder = Path(os.environ.get("CURATE_REFERENCE", ROOT / ".." / "shared" / "reference"))
    return folder.resolve() if folder.is_dir() else None


def published_workspace(folder: Path, reference_folder: Path) -> Workspace:
    """Make a workspace of the published KoBBQ templates."""
    workspace = Workspace(folder)
    folder.mkdir(parents=True, exist_ok=True)
    workspace.culture_file.write_text(_CULTURE, encoding="utf-8")
    imported = kobbq.read([reference_folder / "kobbq" / "templates.tsv"])
    merged = merge(Bank(), [], workspace.culture, imported.variants, imported.groups, ("ko", "en"))
    add_categories(workspace.culture_file, merged.new_categories)
    write_bank(workspace.bank_file, merged.bank)
    write_groups(workspace.groups_file, merged.groups)
    return Workspace(folder)
