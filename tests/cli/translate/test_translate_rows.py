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


def test_equal_texts_of_templates_are_one_row(curate: Curate, source_bank: Path) -> None:
    """They are written at every place; a bare slot is no row and comes along."""
    sheet = make(curate, source_bank)
    assert sheet.cell(SHARED, "template_id").value == "craft-001, craft-002"
    assert sheet.cell(SHARED, "where").value == f"{FIELD} (a, b)"
    assert sheet.rows("[N1]") == []
    found = collect(curate, source_bank, sheet.only(**{SHARED: "Q?"}).save())
    assert (found["accepted"], found["findings"]) == (1, [])
    wanted = {"craft-001a": "Q?", "craft-001b": "Q?", "craft-002a": "Q?"}
    assert {key: text for key, text in cells(source_bank).items() if text} == wanted
    assert cells(source_bank, "biased_answer")["craft-002a"] == "[N1]"
    assert {key for key in taken(source_bank) if key[1] == SHARED} == {
        ("craft-001", SHARED),
        ("craft-002", SHARED),
    }


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


def test_one_template_can_have_another_text(curate: Curate, source_bank: Path) -> None:
    """It keeps it: in the next workbook it has a row of its own."""
    sheet = make(curate, source_bank).only(**{SHARED: "Q?"})
    path = sheet.apart("craft-002", SHARED, "Other?").save()
    found = collect(curate, source_bank, path)
    assert (found["accepted"], found["findings"]) == (2, [])
    texts = cells(source_bank)
    assert [texts[key] for key in ("craft-001a", "craft-001b", "craft-002a")] == [
        *("Q?", "Q?", "Other?")
    ]
    assert collect(curate, source_bank, path)["cells"] == 0
    fresh = make(curate, source_bank, "Jun")
    numbers = fresh.rows(SHARED)
    shown = [
        tuple(fresh.sheet.cell(n, fresh.at[name]).value for name in ("template_id", "translation"))
        for n in numbers
    ]
    assert shown == [("craft-001", "Q?"), ("craft-002", "Other?")]
    fresh.sheet.cell(numbers[0], fresh.at["translation"]).value = "New?"
    fresh.sheet.cell(numbers[1], fresh.at["translation"]).value = "Newer?"
    assert collect(curate, source_bank, fresh.save())["findings"] == []
    texts = cells(source_bank)
    assert (texts["craft-001b"], texts["craft-002a"]) == ("New?", "Newer?")


@pytest.mark.parametrize(
    ("row", "rule", "said"),
    [
        (("craft-009", SHARED, "x"), "translation-place-unknown", "no template craft-009 is"),
        (("craft-002", "Who?", "x"), "translation-place-unknown", "craft-002 has no text 'Who?'"),
        (("craft-002", SHARED, "[N1]?"), "translation-slots", "[N1] occurs more often"),
        (("craft-002", SHARED, ""), "workbook-value-required", "translation is empty"),
    ],
)
def test_a_text_of_one_template_is_held_to_the_same_rules(
    curate: Curate, source_bank: Path, row: tuple[str, str, str], rule: str, said: str
) -> None:
    """What is wrong is said; the shared text is taken all the same."""
    path = make(curate, source_bank).only(**{SHARED: "Q?"}).apart(*row).save()
    found = collect(curate, source_bank, path, status=1)
    (finding,) = found["findings"]
    assert (finding["rule"], said in finding["message"]) == (rule, True)
    assert "sheet other texts" in finding["file"]
    assert cells(source_bank)["craft-002a"] == "Q?"
    assert found["marked"]


def test_forms_of_several_templates_are_refused(curate: Curate, source_bank: Path) -> None:
    """As many fillers in both do not make them the same ones."""
    path = source_bank / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8").replace("craft-004,a,Craft,,", "craft-004,a,Craft,ST,")
    text = text.replace("[N1] and [N2] met.", "[N1] and [N2] sat in the attic.")
    text = text.replace("[N1] and [N2] sat in the [W1].", "[N1] and [N2] sat in the attic.")
    path.write_text(text.replace("N1: [Ann]; N2: [Bob],,\n", "N1: [Eve]; N2: [Bob],,\n"), "utf-8")
    sheet = make(curate, source_bank)
    source = "[N1] and [N2] sat in the attic."
    path = sheet.only(**{source: "[N1: a] [N2] b"}).save()
    (finding,) = collect(curate, source_bank, path, status=1)["findings"]
    assert finding["rule"] == "translation-forms"
    assert "2 templates, whose fillers differ" in finding["message"]


def test_a_part_is_taken_and_what_is_open_is_counted_by_template(
    curate: Curate, source_bank: Path
) -> None:
    """Another translator's file completes it, and neither stands in the other's way."""
    first, second = (make(curate, source_bank, name) for name in ("Mina", "Jun"))
    total = first.sheet.max_row - 1
    mina = first.only(**{SHARED: "Q?", "They nap": "S"}).save()
    ran = curate("translate", "collect", "-w", source_bank, mina)
    assert ran.code == 0
    assert f"2 texts accepted, {total - 2} still open." in ran.out
    found = collect(curate, source_bank, mina)
    (book,) = found["books"]
    assert found["open"] == book["open"] == total - 2
    by_template = book["open_templates"]
    assert {*by_template} == {"craft-001", "craft-002"}
    assert sum(by_template.values()) == total - 2  # what both have is filled in
    found = collect(curate, source_bank, second.only(**{"Who hums?": "H?"}).save())
    assert (found["accepted"], found["findings"]) == (1, [])
    assert cells(source_bank)["craft-001a"] == "Q?"
    assert cells(source_bank, "biased_question")["craft-001b"] == "H?"


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


def test_what_nobody_has_touched_gives_way(curate: Curate, machine: Path) -> None:
    """Two get the same sheet and each does a half; the machine's text is nobody's word."""
    first, second = make(curate, machine, "Mina"), make(curate, machine, "Jun")
    first.cell(SHARED).value = "Q?"
    second.cell("Who hums?").value = "H?"
    files = first.save(), second.save()
    found = collect(curate, machine, *files)
    assert found["findings"] == []
    assert cells(machine)["craft-002a"] == "Q?"
    assert cells(machine, "biased_question")["craft-001a"] == "H?"
    # One after the other, the other way round.
    third = make(curate, machine, "Ro", "again")
    assert third.cell(SHARED).value == "Q?"
    second.cell("Who slept?").value = "W?"
    found = collect(curate, machine, second.save())
    assert (found["findings"], found["conflicts"]) == ([], 0)
    assert cells(machine, "biased_question")["craft-002a"] == "W?"
    assert cells(machine)["craft-002a"] == "Q?"


def counts(curate: Curate, workspace: Path) -> tuple[int, int, int]:
    """What is known of the machine's texts in the bank."""
    total = curate("translate", "status", "-w", workspace, "--json").json["total"]
    return total["confirmed"], total["unconfirmed"], total["unknown"]


def test_machine_text_that_nobody_touched_has_to_be_confirmed(
    curate: Curate, machine: Path
) -> None:
    """By yes in its row; what a person has written needs none. It is in the ledger."""
    sheet = make(curate, machine)
    total = sheet.sheet.max_row - 1
    sheet.cell("Who hums?").value = "H?"
    sheet.cell(SHARED, "confirmed").value = "yes"
    path = sheet.save()
    found = collect(curate, machine, path)
    assert (found["accepted"], found["machine"], found["unconfirmed"]) == (
        *(total, total - 1, total - 2),
    )
    assert counts(curate, machine) == (1, total - 2, 0)
    row = taken(machine)["craft-002", SHARED]
    assert (row["confirmed"], row["confirmed_by"]) == ("yes", "Mina")
    assert row["confirmed_in"].startswith("annotations/raw/")
    assert row["confirmed_at"]
    assert taken(machine)["craft-001", "Who hums?"]["confirmed"] == ""
    assert taken(machine)["craft-002", "Who slept?"]["confirmed"] == "no"
    expected = [(name, "unchanged", "keep", "1", "Mina") for name in ("craft-001", "craft-002")]
    assert decisions(machine) == expected
    again = collect(curate, machine, path)
    assert (again["cells"], decisions(machine)) == (0, expected)


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


def test_what_was_collected_before_anybody_was_asked_is_not_known(
    curate: Curate, machine: Path
) -> None:
    """An older table says nothing; who submitted a page has seen it. All can be accepted later."""
    sheet = make(curate, machine)
    total = sheet.sheet.max_row - 1
    collect(curate, machine, sheet.save())
    path = machine / "annotations" / "translated.csv"
    rows = read_table(path).rows
    kept = [name for name in rows[0].cells if not name.startswith("confirmed")]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(kept)
        for row in rows:
            page = row["source"] == SHARED
            source = "labelstudio:1" if page else row["source_file"]
            values = {**row.cells, "source_file": source}
            writer.writerow([values[name] for name in kept])
    (machine / "decisions.csv").unlink(missing_ok=True)
    assert counts(curate, machine) == (1, 0, total - 1)
    ran = curate("translate", "status", "-w", machine)
    assert f"{total - 1} collected before anybody was asked." in ran.out
    ran = curate("translate", "collect", "-w", machine, "--accept-unchanged", "--by", "Jun")
    assert ran.code == 0
    assert ran.out.startswith("Jun confirms")
    assert "of 2 templates." in ran.out
    assert counts(curate, machine) == (total, 0, 0)
    assert taken(machine)["craft-002", "Who slept?"]["confirmed_by"] == "Jun"
    assert taken(machine)["craft-002", SHARED]["confirmed_by"] == "Mina"


def test_a_confirmation_wants_a_text_and_a_name(curate: Curate, machine: Path) -> None:
    """An empty row that is confirmed is an error; a workbook of nobody asks who it is."""
    (made,) = curate("translate", "sheet", "-w", machine, "--json").json["sheets"]
    sheet = Sheet(Path(made["file"]))
    sheet.cell(SHARED, "confirmed").value = "yes"
    sheet.cell("Who slept?").value = None
    sheet.cell("Who slept?", "confirmed").value = "YES"
    path = sheet.save()
    found = collect(curate, machine, path, status=1)
    assert {item["rule"] for item in found["findings"]} == {
        *("translation-confirmed-empty", "translation-nobody")
    }
    assert counts(curate, machine)[0] == 0
    collect(curate, machine, path, "--by", "Lee", status=1)
    assert counts(curate, machine)[0] == 1
    assert taken(machine)["craft-002", SHARED]["confirmed_by"] == "Lee"


def test_a_value_that_is_none_is_told_by_its_templates(curate: Curate, machine: Path) -> None:
    """Not by a key that nobody can look up. Such a value confirms nothing."""
    sheet = make(curate, machine)
    total = sheet.sheet.max_row - 1
    sheet.cell(SHARED, "confirmed").value = "ja"
    sheet.cell("Who hums?", "confirmed").value = " Yes "
    found = collect(curate, machine, sheet.save(), status=1)
    (finding,) = [item for item in found["findings"] if item["rule"] == "workbook-value-unknown"]
    assert finding["message"] == "craft-001, craft-002: 'ja' is not one of the values of confirmed"
    assert finding["hint"] == "write yes or nothing"
    assert (found["machine"], found["unconfirmed"]) == (total, total - 1)
    assert counts(curate, machine) == (1, total - 1, 0)
    assert taken(machine)["craft-001", "Who hums?"]["confirmed"] == "yes"
    assert taken(machine)["craft-002", SHARED]["confirmed"] == "no"


def test_an_older_workbook_is_still_collected(curate: Curate, machine: Path) -> None:
    """One that has a row for each template, and no column to confirm in."""
    from curation import open_workspace
    from curation.annotation.sheets import hand_out
    from curation.annotation.translation.sheet import (
        Made,
        Selection,
        entries,
        rows_made,
        translation_book,
    )

    workspace = open_workspace(machine)
    selection = Selection()
    rows, _ = rows_made(workspace, Made(selection, shared=False))
    variants = {variant.id: variant for variant in workspace.bank.variants}
    listed = entries(rows, variants, workspace.language)
    book = translation_book(
        listed, variants, {"translator": "Mina", "selection": selection.to_text()}
    )
    path = machine / "older.xlsx"
    hand_out(path, book, workspace.language)
    sheet = Sheet(path)
    first, second = sheet.rows(SHARED)
    sheet.sheet.cell(first, sheet.at["translation"]).value = "Q?"
    sheet.sheet.cell(second, sheet.at["translation"]).value = "R?"
    sheet.sheet.delete_cols(sheet.at["confirmed"])
    del sheet.book["other texts"]
    about = sheet.book["_curate"]
    for number in range(about.max_row, 0, -1):
        if str(about.cell(number, 1).value).startswith("columns."):
            about.delete_rows(number)
    found = collect(curate, machine, sheet.save())
    assert {item["severity"] for item in found["findings"]} <= {"warning"}
    assert (cells(machine)["craft-001b"], cells(machine)["craft-002a"]) == ("Q?", "R?")
