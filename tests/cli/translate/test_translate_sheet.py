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
Server = Callable[..., Any]


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


def collect(curate: Curate, workspace: Path, *files: Path) -> Any:
    """Collect, and give what `--json` prints."""
    return curate("translate", "collect", "-w", workspace, "--json", *files).json


def test_proposed_agreement_is_shown_and_filled_in(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """The translator confirms it by sending the sheet back."""
    server = deepl_server()
    server.reply_to = lambda text: (
        '<x id="1"/>은 <x id="2"/>과 만났다.' if 'id="2"' in text else "글"
    )
    curate("translate", "run", "-w", source_bank)
    curate("translate", "sheet", "-w", source_bank)
    sheet = Filled(source_bank / "annotations" / "sheets" / "translate.xlsx")
    source = "At the shop [N1|a/an] and [N2|a/an] came in."
    assert sheet.cell(source, "proposed").value == "[N1]은 → [N1|은/는]\n[N2]과 → [N2|과/와]"
    assert sheet.cell(source).value == "[N1|은/는] [N2|과/와] 만났다."
    collect(curate, source_bank, sheet.save("back.xlsx"))
    row = bank(source_bank)["craft-001a"]
    assert row["ambiguous_context"] == "[N1|은/는] [N2|과/와] 만났다."
    assert row["ambiguous_context_machine"] == "[N1]은 [N2]과 만났다."


def test_a_list_that_somebody_has_changed_is_left(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """One more filler is a change."""
    sheet.fill()
    back = sheet.save("back.xlsx")
    collect(curate, translated, back)
    path = translated / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8")
    assert "N1: [글]; N2: [글]" not in text
    changed = text.replace("W1: [⟦áttíç⟧, ⟦çéllár⟧]", "W1: [⟦áttíç⟧, 마당, ⟦çéllár⟧]")
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    found = collect(curate, translated, back)
    assert found["conflicts"] == 1
    assert bank(translated)["craft-002a"]["words"] == "W1: [⟦áttíç⟧, 마당, ⟦çéllár⟧]"


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
