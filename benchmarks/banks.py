"""Workspaces to measure on."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import ROOT
from curation.bank.generate import prepare
from curation.bank.merge import merge
from curation.files.bank import GroupBook, write_bank, write_groups
from curation.files.culture import CATEGORIES, AddedCategory
from curation.files.workspace import Workspace
from curation.records.bank import Bank, TemplateId, Variant, VariantId
from curation.sources import table

SAMPLES = 76_568
"""The samples of all of KoBBQ."""
_CULTURE = 'culture: bench\nlanguage: ko\nunknown: "알 수 없음"\n'


def reference() -> Path | None:
    """The folder of published reference data, if there is one."""
    folder = Path(os.environ.get("CURATE_REFERENCE", ROOT / ".." / "shared" / "reference"))
    return folder.resolve() if folder.is_dir() else None


def published_workspace(folder: Path, reference_folder: Path) -> Workspace:
    """Make a workspace of the published KoBBQ templates."""
    workspace = Workspace(folder)
    folder.mkdir(parents=True, exist_ok=True)
    workspace.culture_file.write_text(_CULTURE, encoding="utf-8")
    imported = table.published("kobbq", [reference_folder / "kobbq" / "templates.tsv"])
    book = GroupBook(())
    read = imported.variants, imported.groups
    merged = merge(Bank(), book, workspace.culture, *read, ("ko", "en"))
    new = [AddedCategory(item.id, item.question) for item in merged.new_categories]
    CATEGORIES.append(workspace.categories_file, new)
    write_bank(workspace.bank_file, merged.bank)
    write_groups(workspace.groups_file, merged.new_groups)
    return Workspace(folder)


def full_workspace(folder: Path, reference_folder: Path) -> Workspace:
    """Make a workspace of the published templates that has as many samples as all of KoBBQ."""
    workspace = published_workspace(folder, reference_folder)
    write_bank(workspace.bank_file, Bank(tuple(_repeated(workspace))))
    return Workspace(folder)


def _repeated(workspace: Workspace) -> Iterator[Variant]:
    """Repeat the published templates under new numbers until there are enough samples."""
    left, turn = SAMPLES, 0
    while True:
        for template in workspace.bank.templates():
            count = 4 * sum(prepare(row, "ko").count for row in template.variants)
            if count > left and turn:
                continue
            for row in template.variants:
                number = TemplateId(template.id.category, template.id.number + 100 * turn)
                yield replace(row, id=VariantId(number, row.letter))
            left -= count
            if left <= 0:
                return
        turn += 1
        if turn > 5:
            return
