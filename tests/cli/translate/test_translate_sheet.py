"""`curate translate sheet`, `collect` and `status`."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from curation.files.tables import read_table
from curation.records.bank import SLOT_TEXT_FIELDS

Curate = Callable[..., Any]


def bank(workspace: Path) -> dict[str, Any]:
    """Read the bank, by template and variant."""
    rows = read_table(workspace / "templates_src" / "bank.csv").rows
    return {row["template_id"] + row["variant"]: row for row in rows}


class Filled:
    """A workbook that a translator fills in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.book = load_workbook(path)
        self.sheet = self.book["texts"]
        self.columns = {cell.value: cell.column for cell in self.sheet[1]}

    def save(self, name: str) -> Path:
        """Save it under another name, as it comes back."""
        path = self.path.with_name(name)
        self.book.save(path)
        return path


def collect(curate: Curate, workspace: Path, *files: object) -> Any:
    """Collect, and give what `--json` prints."""
    return curate("translate", "collect", "-w", workspace, "--json", *files).json


def test_published_templates_go_the_whole_way(
    curate: Curate, tmp_path: Path, reference: Path
) -> None:
    """Of all four files: imported, translated, handed out, and every slot verified on return."""
    workspace = tmp_path / "bbq"
    curate("init", workspace, "--language", "ko")
    folder = reference / "bbq" / "templates"
    curate("import", "bbq", folder, "-w", workspace)
    files = [path for path in folder.glob("*.csv") if not path.name.startswith("vocabulary")]
    assert len(files) == len({row["source_category"] for row in bank(workspace).values()}) == 4
    run = curate(
        "translate", "run", "-w", workspace, "--unlabelled", "--engine", "pseudo", "--json"
    ).json
    assert run["flagged"] == {}
    made = curate("translate", "sheet", "-w", workspace, "--unlabelled", "--json").json["sheets"][0]
    assert made["texts"] == made["prefilled"] > 900
    back = Filled(Path(made["file"]))
    careless = careless_in_each(back, workspace)
    found = collect(curate, workspace, back.save("back.xlsx"))
    assert (len(careless), found["accepted"], found["open"]) == (4, made["texts"] - 4, 0)
    assert {item["rule"] for item in found["findings"]} == {"translation-slots"}
    said = [item["message"].partition(":")[0] for item in found["findings"]]
    assert sorted(said) == sorted(template for template, _ in careless)
    rules = {
        item["rule"]
        for item in curate("check", "-w", workspace, "--json").json["findings"]
        if not item["column"].endswith("_source")
    }
    assert not rules & {"slot-syntax", "slot-undeclared", "form-count"}
    for row in bank(workspace).values():
        for field in SLOT_TEXT_FIELDS:
            source, own = row[f"{field}_source"], row[field]
            if (row["template_id"], source) in careless:
                assert own == ""
            else:
                assert names_of(own) == names_of(source), (row["template_id"], field)
                assert own


def names_of(text: str) -> Counter[str]:
    """Count the slots of a text."""
    return Counter(re.findall(r"\[(\w+)", text))


def careless_in_each(sheet: Filled, workspace: Path) -> set[tuple[str, str]]:
    """Take a slot out of one text of each source file; gives templates and source texts."""
    rows = {row["template_id"]: row for row in bank(workspace).values()}
    found: dict[str, tuple[str, str]] = {}
    for at in range(2, sheet.sheet.max_row + 1):
        template, _, others = sheet.sheet.cell(at, sheet.columns["template_id"]).value.partition(
            ", "
        )
        if others:
            continue
        cell = sheet.sheet.cell(at, sheet.columns["translation"])
        category = rows[template]["source_category"]
        if category not in found and "[N2]" in str(cell.value):
            found[category] = template, sheet.sheet.cell(at, sheet.columns["source"]).value
            cell.value = cell.value.replace("[N2]", "", 1)
    return set(found.values())
