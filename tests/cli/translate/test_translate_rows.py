"""Equal texts as one row, parts that come back, and machine text that somebody confirms."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from curation.files.tables import read_table

Curate = Callable[..., Any]
SHARED = "Who does not?"
FIELD = "counter_biased_question"


class Sheet:
    """A workbook of texts, by source."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.book = load_workbook(path)
        self.sheet = self.book["texts"]
        self.at = {cell.value: cell.column for cell in self.sheet[1]}

    def rows(self, source: str) -> list[int]:
        """The rows of a source text."""
        numbers = range(2, self.sheet.max_row + 1)
        return [n for n in numbers if self.sheet.cell(n, self.at["source"]).value == source]

    def cell(self, source: str, column: str = "translation") -> Any:
        """A cell of the only row of a source text."""
        (number,) = self.rows(source)
        return self.sheet.cell(number, self.at[column])

    def only(self, **texts: str) -> "Sheet":
        """Leave translations of some sources alone in it."""
        for number in range(2, self.sheet.max_row + 1):
            source = self.sheet.cell(number, self.at["source"]).value
            self.sheet.cell(number, self.at["translation"]).value = texts.get(source)
        return self

    def apart(self, *cells: str, row: int = 2) -> "Sheet":
        """Write a text of one template into the sheet for these."""
        other = self.book["other texts"]
        at = {cell.value: cell.column for cell in other[1]}
        for name, value in zip(("template_id", "source", "translation"), cells, strict=True):
            other.cell(row, at[name]).value = value
        return self

    def save(self, name: str = "") -> Path:
        """Save it, under another name where one is given."""
        path = self.path.with_name(name or self.path.name)
        self.book.save(path)
        return path


def make(curate: Curate, workspace: Path, who: str = "Mina", out: str = "") -> Sheet:
    """A fresh workbook of a translator."""
    folder = workspace / (out or f"sheets-{who}")
    args = ("--translator", who, "--out", folder, "--json")
    (made,) = curate("translate", "sheet", "-w", workspace, *args).json["sheets"]
    return Sheet(Path(made["file"]))


def collect(curate: Curate, workspace: Path, *args: object, status: int = 0) -> Any:
    """Collect, and give what `--json` prints."""
    ran = curate("translate", "collect", "-w", workspace, "--json", *args)
    assert ran.code == status, ran.out + ran.err
    return ran.json


def cells(workspace: Path, field: str = FIELD) -> dict[str, str]:
    """A column of the bank, by template and variant."""
    rows = read_table(workspace / "templates_src" / "bank.csv").rows
    return {row["template_id"] + row["variant"]: row.get(field) for row in rows}


def taken(workspace: Path) -> dict[tuple[str, str], dict[str, str]]:
    """What was recorded, by template and source."""
    path = workspace / "annotations" / "translated.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        return {(row["template_id"], row["source"]): row for row in csv.DictReader(stream)}


def decisions(workspace: Path) -> list[tuple[str, ...]]:
    """What the ledger says of translations."""
    path = workspace / "decisions.csv"
    rows = read_table(path).rows if path.exists() else []
    names = ("subject", "rule", "outcome", "k", "by")
    return [tuple(row[name] for name in names) for row in rows if row["stage"] == "translate"]


@pytest.fixture
def machine(curate: Curate, source_bank: Path) -> Path:
    """The small workspace with machine text."""
    assert curate("translate", "run", "-w", source_bank, "--engine", "pseudo").code == 0
    return source_bank


def test_texts_that_differ_in_slots_or_do_other_work_are_not_one_row(
    curate: Curate, source_bank: Path
) -> None:
    """[N1] and [N2] may want other words; a name and a word, an answer and a question differ."""
    path = source_bank / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8")
    # "attic" becomes a word and a name, "They nap" a stereotype and a question.
    text = text.replace("N1: [Ann]; N2: [Bob]", "N1: [attic]; N2: [Bob]")
    path.write_text(text.replace("Who slept?", "They nap"), encoding="utf-8")
    sheet = make(curate, source_bank)
    assert len(sheet.rows("The [N1]")) == len(sheet.rows("The [N2]")) == 1
    for source, places in (
        ("attic", {"filler of N1 (a)", "filler of W1 (a)"}),
        ("They nap", {"stereotype (a)", "biased_question (a)"}),
    ):
        rows = sheet.rows(source)
        found = {sheet.sheet.cell(number, sheet.at["where"]).value for number in rows}
        assert len(rows) in (1, 2)
        assert found <= {*places, "filler of N1 (a)\nfiller of W1 (a)"}
    assert len(sheet.rows("They nap")) == 2


def test_names_are_shared_within_a_category_and_sentences_by_all(
    curate: Curate, source_bank: Path
) -> None:
    """The same word may name another group in another category."""
    path = source_bank / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8")
    other = text.splitlines()[-1].replace("craft-004", "trade-001").replace("Craft,", "Trade,TM")
    text = text.replace("craft-004,a,Craft,,", "craft-004,a,Craft,ST,")
    path.write_text(f"{text}{other}\n", encoding="utf-8")
    culture = source_bank / "culture.yaml"
    settings = culture.read_text(encoding="utf-8")
    one = "  - {id: Craft, question: choice}\n"
    culture.write_text(settings.replace(one, f"{one}  - {{id: Trade}}\n"), encoding="utf-8")
    sheet = make(curate, source_bank)
    templates = {
        source: [
            sheet.sheet.cell(number, sheet.at["template_id"]).value for number in sheet.rows(source)
        ]
        for source in ("Bob", "They knit", "Who knits?", "[N1] and [N2] met.")
    }
    assert templates == {
        "Bob": ["craft-002, craft-004", "trade-001"],
        "They knit": ["craft-004", "trade-001"],
        "Who knits?": ["craft-004, trade-001"],
        "[N1] and [N2] met.": ["craft-004, trade-001"],
    }


def test_two_translations_of_a_text_are_told_with_both(curate: Curate, source_bank: Path) -> None:
    """Of two files together none is taken; of a later one the first stays."""
    mina, jun = (make(curate, source_bank, name) for name in ("Mina", "Jun"))
    files = mina.only(**{SHARED: "Q?"}).save(), jun.only(**{SHARED: "R?"}).save()
    found = collect(curate, source_bank, *files, status=1)
    (finding,) = found["findings"]
    assert (finding["rule"], found["accepted"]) == ("translation-twice", 0)
    for said in ("'Q?' in translate-Mina.xlsx of Mina", "'R?' in translate-Jun.xlsx of Jun"):
        assert said in finding["message"]
    assert not any(cells(source_bank).values())
    collect(curate, source_bank, files[0])
    found = collect(curate, source_bank, files[1], status=1)
    assert {item["rule"] for item in found["findings"]} == {"translation-bank-changed"}
    said = found["findings"][0]["message"]
    assert "Mina has returned 'Q?'" in said
    assert "this file has 'R?'" in said
    assert cells(source_bank)["craft-002a"] == "Q?"


def counts(curate: Curate, workspace: Path) -> tuple[int, int, int]:
    """What is known of the machine's texts in the bank."""
    total = curate("translate", "status", "-w", workspace, "--json").json["total"]
    return total["confirmed"], total["unconfirmed"], total["unknown"]


def test_somebody_may_accept_what_is_unchanged(curate: Curate, machine: Path) -> None:
    """In the workbooks, in his name; once is enough, and a new text is another question."""
    sheet = make(curate, machine)
    total = sheet.sheet.max_row - 1
    path = sheet.save()
    found = collect(curate, machine, path, "--accept-unchanged", "--by", " Lee  Min ")
    assert (found["machine"], found["unconfirmed"]) == (total, 0)
    assert counts(curate, machine) == (total, 0, 0)
    row = taken(machine)["craft-002", SHARED]
    assert (row["confirmed_by"], row["translator"]) == ("Lee Min", "Mina")
    assert row["confirmed_in"].endswith("(--accept-unchanged)")
    assert {(item[0], item[-1]) for item in decisions(machine)} == {
        ("craft-001", "Lee Min"),
        ("craft-002", "Lee Min"),
    }
    assert collect(curate, machine, path)["unconfirmed"] == 0
    assert counts(curate, machine) == (total, 0, 0)
    ran = curate("translate", "collect", "-w", machine, path)
    assert f"{total} unchanged machine texts: {total} confirmed, 0 not." in ran.out
    assert "Before a release" not in ran.out
    bank = machine / "templates_src" / "bank.csv"
    text = bank.read_text(encoding="utf-8")
    bank.write_text(text.replace("⟦Whó húmš?⟧", "⟦Whó?⟧"), encoding="utf-8")
    assert counts(curate, machine) == (total - 1, 1, 0)
