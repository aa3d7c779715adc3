"""`curate translate sheet`, `collect` and `status`."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
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

    def row(self, source: str) -> int:
        """Find the first row of a source text."""
        column = self.columns["source"]
        rows = range(2, self.sheet.max_row + 1)
        return next(at for at in rows if self.sheet.cell(at, column).value == source)

    def cell(self, source: str, column: str = "translation") -> Any:
        """Give a cell of the first row of a source text."""
        return self.sheet.cell(self.row(source), self.columns[column])

    def fill(self, **texts: str) -> None:
        """Write into every empty cell of translations, and into those that are named."""
        for at in range(2, self.sheet.max_row + 1):
            cell = self.sheet.cell(at, self.columns["translation"])
            cell.value = cell.value or "글"
        for source, text in texts.items():
            self.cell(source).value = text

    def save(self, name: str) -> Path:
        """Save it under another name, as it comes back."""
        path = self.path.with_name(name)
        self.book.save(path)
        return path


@pytest.fixture
def translated(curate: Curate, source_bank: Path) -> Path:
    """The small workspace with pseudo machine text."""
    assert curate("translate", "run", "-w", source_bank, "--engine", "pseudo").code == 0
    return source_bank


@pytest.fixture
def sheet(curate: Curate, translated: Path) -> Filled:
    """Its workbook."""
    ran = curate("translate", "sheet", "-w", translated, "--json")
    (made,) = ran.json["sheets"]
    return Filled(Path(made["file"]))


def collect(curate: Curate, workspace: Path, *files: object) -> Any:
    """Collect, and give what `--json` prints."""
    return curate("translate", "collect", "-w", workspace, "--json", *files).json


def counts(curate: Curate, workspace: Path) -> tuple[int, int, int]:
    """What is known of the machine's texts in the bank."""
    total = curate("translate", "status", "-w", workspace, "--json").json["total"]
    return total["confirmed"], total["unconfirmed"], total["unknown"]


def test_somebody_may_accept_what_is_unchanged(curate: Curate, translated: Path) -> None:
    """In the workbooks, in his name; once is enough, and a new text is another question."""
    args = ("--translator", "Mina", "--json")
    (made,) = curate("translate", "sheet", "-w", translated, *args).json["sheets"]
    total = made["texts"]
    accepted = ("--accept-unchanged", "--by", " Lee  Min ")
    found = collect(curate, translated, made["file"], *accepted)
    assert (found["machine"], found["unconfirmed"]) == (total, 0)
    assert counts(curate, translated) == (total, 0, 0)
    recorded = read_table(translated / "annotations" / "translated.csv").rows
    row = next(row for row in recorded if row["source"] == "Who does not?")
    assert (row["confirmed_by"], row["translator"]) == ("Lee Min", "Mina")
    assert row["confirmed_in"].endswith("(--accept-unchanged)")
    ledger = read_table(translated / "decisions.csv").rows
    assert {(row["subject"], row["by"]) for row in ledger if row["stage"] == "translate"} == {
        ("craft-001", "Lee Min"),
        ("craft-002", "Lee Min"),
    }
    assert collect(curate, translated, made["file"])["unconfirmed"] == 0
    path = translated / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("⟦Whó húmš?⟧", "⟦Whó?⟧"), encoding="utf-8")
    assert counts(curate, translated) == (total - 1, 1, 0)


def test_templates_are_shared_out_among_translators(curate: Curate, translated: Path) -> None:
    """Each row goes to one of them; two texts for one are told with both, and none is taken."""
    curate("translate", "run", "-w", translated, "--engine", "pseudo", "--unlabelled")
    args = ("--translator", "Mina", "--translator", "Jun", "--unlabelled")
    made = curate("translate", "sheet", "-w", translated, *args, "--json").json["sheets"]
    files = [Filled(Path(item["file"])) for item in made]
    shown = [
        {row[0].value for row in one.sheet.iter_rows(min_row=2, min_col=1, max_col=1)}
        for one in files
    ]
    assert all(shown)
    assert shown[0].isdisjoint(shown[1])
    paths = []
    for one in files:
        one.fill()
        paths.append(one.save(f"back-{one.path.name}"))
    assert collect(curate, translated, *paths)["findings"] == []
    before = bank(translated)["craft-002a"]["counter_biased_question"]
    files[0].cell("Who does not?").value = "그가 누구?"
    second = files[0].save("second.xlsx")
    files[0].cell("Who does not?").value = "누구?"
    third = files[0].save("third.xlsx")
    found = collect(curate, translated, second, third)
    (finding,) = found["findings"]
    assert finding["rule"] == "translation-twice"
    assert "'그가 누구?' in second.xlsx of Mina (sheet texts, row" in finding["message"]
    assert "'누구?' in third.xlsx of Mina" in finding["message"]
    assert bank(translated)["craft-002a"]["counter_biased_question"] == before


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
