"""`curate translate sheet`, `collect` and `status`."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ods import save_ods
from openpyxl import load_workbook

from curation.files.tables import read_table
from curation.records.bank import SLOT_TEXT_FIELDS

Curate = Callable[..., Any]
Server = Callable[..., Any]

KOREAN = {
    "At the shop": "가게에",
    "and": "과",
    "came in.": "가 들어왔다.",
    "The": "",
    "hummed while the": "은(는) 흥얼거렸고",
    "did not.": "은(는) 아니었다.",
}


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


def test_a_row_tells_a_translator_all(sheet: Filled) -> None:
    """Each text of a template once, with slots and fillers, names, remarks and machine text."""
    source = "The [N1] hummed while the [N2] did not."
    assert sheet.cell(source, "where").value == "disambiguating_context (a)"
    assert sheet.cell(source, "slots").value == "[N1] = potter\n[N2] = baker, miller"
    assert sheet.cell(source, "machine").value == sheet.cell(source).value
    assert sheet.cell(source, "note").value == "Kiln & Co. is a shop"
    assert sheet.cell("baker", "where").value == "filler of N2 (a)\nfiller of N1 (b)"
    assert sheet.cell("Who hums?", "where").value == "biased_question (a, b)"
    assert sheet.cell("Ann", "names").value == "Ann"


def test_clean_text_is_filled_in_and_the_other_is_left_open(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """With the agreement that the machine's text seems to ask for."""
    deepl_server(translate=lambda text: KOREAN.get(text, text))
    curate("translate", "run", "-w", source_bank)
    made = curate("translate", "sheet", "-w", source_bank, "--json").json["sheets"][0]
    sheet = Filled(Path(made["file"]))
    machine = "[N1] 은(는) 흥얼거렸고 [N2] 은(는) 아니었다."
    source = "The [N1] hummed while the [N2] did not."
    assert sheet.cell(source, "machine").value.strip() == machine
    assert sheet.cell("Who hums?").value is None
    assert sheet.cell("Who hums?", "look_at").value == "equals the source"
    assert made["flagged"] > 0


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


def test_what_comes_back_goes_into_the_persons_columns(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """At every place of a text; lists are put together; a reading is kept."""
    sheet.fill(
        **{"Who hums?": "누가 흥얼거렸나?", "potter": "옹기장이|옹기", "miller": "방아\\, 꾼"}
    )
    ran = curate("translate", "collect", "-w", translated, sheet.save("back.xlsx"))
    assert ran.code == 0
    found = bank(translated)
    assert found["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
    assert found["craft-001b"]["biased_question"] == "누가 흥얼거렸나?"
    assert found["craft-001a"]["names"] == "N1: [옹기장이|옹기]; N2: [⟦bákéř⟧, 방아\\, 꾼]".replace(
        "ř", "r"
    )
    assert found["craft-002a"]["biased_answer"] == "[N1]"
    assert found["craft-001a"]["label"] == "ST"


def test_collecting_again_changes_nothing(
    curate: Curate, translated: Path, sheet: Filled, listing: Callable[[Path], dict[str, str]]
) -> None:
    """Not a byte, even when the workbook was sorted and columns were moved."""
    sheet.fill()
    back = sheet.save("back.xlsx")
    first = collect(curate, translated, back)
    before = listing(translated)
    second = collect(curate, translated, back)
    assert listing(translated) == before
    assert (second["cells"], second["unchanged"]) == (0, first["cells"])
    assert second["findings"] == []


def test_rows_may_be_sorted_and_columns_moved(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """Rows are found by their keys, columns by their headers."""
    sheet.fill(**{"Who hums?": "누가?"})
    rows = [[cell.value for cell in row][::-1] for row in sheet.sheet.iter_rows()]
    name = sheet.sheet.title
    at = sheet.book.sheetnames.index(name)
    sheet.book.remove(sheet.sheet)
    again = sheet.book.create_sheet(name, at)
    for row in [rows[0], *sorted(rows[1:], key=str)]:
        again.append(row)
    found = collect(curate, translated, sheet.save("sorted.xlsx"))
    assert found["findings"] == []
    assert bank(translated)["craft-001a"]["biased_question"] == "누가?"


WRONG = {
    "deleted": ("[N1]은 흥얼거렸다.", "translation-slots", "[N2] is missing"),
    "doubled": ("[N1] [N1] [N2]", "translation-slots", "[N1] occurs more often than in the source"),
    "unknown": ("[N1] [N2] [W9]", "translation-slots", "[W9] occurs more often than in the source"),
    "broken": ("[N1 [N2]", "translation-unreadable", "slot N1 is followed by"),
    "forms": ("[N1: 가, 나]는 [N2]", "translation-forms", "2 forms for 1 filler"),
    "particle": ("[N1|콩/팥] [N2]", "translation-agreement", "not a pair of Korean particles"),
    "tags": ('[N1] [N2] <x id="1"/>', "translation-markup", "tags or entities"),
    "formula": ("=A1", "workbook-formula", "the cell holds a formula"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_comes_back_marked_and_the_rest_is_taken(
    curate: Curate, translated: Path, sheet: Filled, name: str
) -> None:
    """The cell carries a comment; corrected and collected again, it is taken."""
    text, rule, said = WRONG[name]
    source = "The [N1] hummed while the [N2] did not."
    sheet.fill(**{source: text, "Who hums?": "누가?"})
    found = collect(curate, translated, sheet.save("back.xlsx"))
    (finding,) = found["findings"]
    assert (finding["rule"], said.split(" for ")[0] in finding["message"]) == (rule, True)
    assert bank(translated)["craft-001a"]["disambiguating_context"] == ""
    assert bank(translated)["craft-001a"]["biased_question"] == "누가?"
    (copy,) = found["marked"]
    marked = Filled(Path(copy))
    assert said in marked.cell(source).comment.text
    marked.cell(source).value = "[N1|은/는] 흥얼거렸고 [N2|은/는] 아니었다."
    again = collect(curate, translated, marked.save("corrected.xlsx"))
    assert (again["findings"], again["cells"]) == ([], 1)


def test_forms_need_fillers_that_are_the_same_everywhere(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """A text that stands in two variants with other fillers has agreement instead."""
    source = "At the shop [N1|a/an] and [N2|a/an] came in."
    assert sheet.cell(source, "where").value == "ambiguous_context (a, b)"
    sheet.fill(**{source: "[N1: 옹기장이가]와 [N2]"})
    found = collect(curate, translated, sheet.save("back.xlsx"))
    assert found["findings"][0]["rule"] == "translation-forms"
    assert "variants a, b" in found["findings"][0]["message"]


def test_two_fillers_in_the_place_of_one_are_refused(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """Their lists would no longer fit; the list waits."""
    sheet.fill(miller="방앗간, 주인")
    found = collect(curate, translated, sheet.save("back.xlsx"))
    assert [item["rule"] for item in found["findings"]] == ["translation-filler"]
    assert found["open_lists"] == 2
    assert bank(translated)["craft-001a"]["names"] == ""


def test_lists_that_the_survey_fills_stay_open(curate: Curate, source_bank: Path) -> None:
    """Nobody translates them, and the texts need them."""
    path = source_bank / "templates_src" / "bank.csv"
    content = path.read_text(encoding="utf-8").replace("N1: [Ann]; N2: [Bob]", "N1: [*]; N2: [*]")
    path.write_text(content, encoding="utf-8")
    curate("translate", "run", "-w", source_bank, "--engine", "pseudo")
    made = curate("translate", "sheet", "-w", source_bank, "--json").json["sheets"]
    file = Path(made[0]["file"])
    assert collect(curate, source_bank, file)["findings"] == []
    row = bank(source_bank)["craft-002a"]
    assert (row["names"], row["words"]) == ("N1: [*]; N2: [*]", "W1: [⟦áttíç⟧, ⟦çéllár⟧]")
    assert bank(source_bank)["craft-004a"]["names"] == ""
    found = collect(curate, source_bank, file)
    assert (found["cells"], found["conflicts"], found["open_lists"]) == (0, 0, 0)


def test_empty_and_deleted_rows_are_open(curate: Curate, translated: Path, sheet: Filled) -> None:
    """They are counted, not refused."""
    sheet.fill()
    sheet.cell("Who hums?").value = None
    sheet.sheet.delete_rows(sheet.row("Who slept?"))
    found = collect(curate, translated, sheet.save("back.xlsx"))
    assert found["open"] == 2
    assert [item["rule"] for item in found["findings"]] == ["workbook-row-missing"]


def test_what_somebody_wrote_meanwhile_is_left(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """A finding says so; what the same translator sent before may be written over."""
    path = translated / "templates_src" / "bank.csv"
    sheet.fill(**{"Who hums?": "누가 노래했나?"})
    collect(curate, translated, sheet.save("back.xlsx"))
    sheet.cell("Who hums?").value = "누가 흥얼거렸나?"
    sheet.cell("Who slept?").value = "누가 졸았나?"
    text = path.read_text(encoding="utf-8")
    assert collect(curate, translated, sheet.save("back.xlsx"))["findings"] == []
    path.write_text(
        path.read_text(encoding="utf-8").replace("누가 졸았나?", "누가 잤나?"), encoding="utf-8"
    )
    found = collect(curate, translated, sheet.save("back.xlsx"))
    (finding,) = found["findings"]
    assert finding["rule"] == "translation-bank-changed"
    assert found["conflicts"] == 1
    assert bank(translated)["craft-002a"]["biased_question"] == "누가 잤나?"
    assert bank(translated)["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
    assert text != path.read_text(encoding="utf-8")


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


def test_what_was_returned_is_kept_raw_and_in_normal_form(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """With who sent it."""
    sheet.fill(**{"Who hums?": "누가?"})
    sheet.cell("Who hums?", "remark").value = "short"
    back = sheet.save("back.xlsx")
    collect(curate, translated, back)
    rows = read_table(translated / "annotations" / "translated.csv").rows
    (row,) = [row for row in rows if row["source"] == "Who hums?"]
    assert (row["translation"], row["remark"], row["kind"]) == ("누가?", "short", "text")
    assert (translated / row["source_file"]).read_bytes() == back.read_bytes()


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


def test_a_sheet_that_may_be_filled_in_is_not_written_over(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """The same one may be made again."""
    assert curate("translate", "sheet", "-w", translated).code == 0
    sheet.fill()
    sheet.save("translate.xlsx")
    assert curate("translate", "sheet", "-w", translated).code == 1


@pytest.mark.parametrize(
    ("args", "status", "said"),
    [
        (["sheet", "--category", "Sport"], 2, "there is no category 'Sport'"),
        (["sheet", "--translator", " "], 2, "a name is empty"),
        (["sheet", "--translator", "A", "--translator", "a"], 2, "occurs twice"),
        (["collect", "nowhere.xlsx"], 1, "there is no file nowhere.xlsx"),
        (["collect"], 2, "Missing argument"),
        (["statsu"], 2, "Did you mean 'status'?"),
    ],
)
def test_wrong_usage_is_said(
    curate: Curate, translated: Path, args: list[str], status: int, said: str
) -> None:
    """In one line, without a traceback."""
    ran = curate("translate", args[0], "-w", translated, *args[1:])
    assert ran.code == status
    assert said in ran.err


def test_another_workbook_is_refused(curate: Curate, translated: Path, sheet: Filled) -> None:
    """One without the hidden sheet."""
    sheet.book.remove(sheet.book["_curate"])
    ran = curate("translate", "collect", "-w", translated, sheet.save("other.xlsx"))
    assert ran.code == 1
    assert "is not a workbook made by curate" in ran.err


def test_nothing_to_translate_is_said(curate: Curate, source_bank: Path) -> None:
    """With what to do."""
    path = source_bank / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8").replace(",ST,", ",,").replace(",TM,", ",,")
    path.write_text(text, encoding="utf-8")
    ran = curate("translate", "sheet", "-w", source_bank)
    assert ran.code == 1
    assert "--unlabelled" in ran.err


def test_the_status_counts_each_text(curate: Curate, source_bank: Path) -> None:
    """Waiting, by machine, flagged, collected."""

    def total() -> dict[str, int]:
        counts: dict[str, int] = curate("translate", "status", "-w", source_bank, "--json").json[
            "total"
        ]
        return counts

    before = total()
    assert before["waiting"] == before["texts"] > 0
    curate("translate", "run", "-w", source_bank, "--engine", "pseudo")
    machine = total()
    assert (machine["machine"], machine["waiting"]) == (before["texts"], 0)
    assert (machine["flagged"], machine["collected"]) == (0, 0)
    path = source_bank / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8").replace("⟦Whó húmš?⟧", "Who hums?")
    path.write_text(text, encoding="utf-8")
    assert total()["flagged"] == 1
    curate("translate", "sheet", "-w", source_bank)
    sheet = Filled(source_bank / "annotations" / "sheets" / "translate.xlsx")
    sheet.fill()
    collect(curate, source_bank, sheet.save("back.xlsx"))
    assert total()["collected"] == before["texts"]
    ran = curate("translate", "status", "-w", source_bank)
    *_, last, reviews = ran.out.splitlines()
    assert last.startswith("Total")
    words = before["texts"] - 1  # one was written by hand
    assert reviews == f"{words} unchanged machine texts: 0 confirmed, {words} not."


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


def test_an_open_document_is_collected(curate: Curate, translated: Path, sheet: Filled) -> None:
    """With the texts that stand for one template alone."""
    sheet.fill()
    path = save_ods(sheet.book, sheet.path.with_name("back.ods"))
    told = collect(curate, translated, path)
    assert told["findings"] == [] and told["open"] == 0
    again = collect(curate, translated, sheet.save("back.xlsx"))
    assert (again["accepted"], again["cells"]) == (told["accepted"], 0)


def test_a_sheet_for_other_texts_that_was_renamed_or_taken_out(
    curate: Curate, translated: Path, sheet: Filled
) -> None:
    """Renamed, it is found; taken out, that is said."""
    sheet.fill()
    sheet.book["other texts"].title = "mine"
    told = collect(curate, translated, sheet.save("renamed.xlsx"))
    assert [item["rule"] for item in told["findings"]] == ["workbook-sheet-renamed"]
    del sheet.book["mine"]
    told = collect(curate, translated, sheet.save("gone.xlsx"))
    assert [item["rule"] for item in told["findings"]] == ["translation-sheet-gone"]
