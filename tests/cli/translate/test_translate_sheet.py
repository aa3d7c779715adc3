"""`curate translate sheet`, `collect` and `status`."""

import re
from collections import Counter

from csv_rows import bank_rows
from openpyxl import load_workbook

from curation.annotation.translation.handed import scenes_of
from curation.files.workspace import Workspace
from curation.records.bank import SLOT_TEXT_FIELDS


def test_published_templates_go_the_whole_way(curate, tmp_path, reference):
    """Of all four files: imported, translated, handed out, and every slot verified on return."""
    workspace = tmp_path / "bbq"
    curate("init", workspace, "--language", "ko")
    with (workspace / "culture.yaml").open("a", encoding="utf-8") as stream:
        stream.write("translation: {unlabelled: true}\n")
    folder = reference / "bbq" / "templates"
    curate("import", "bbq", folder, "-w", workspace)
    files = [path for path in folder.glob("*.csv") if not path.name.startswith("vocabulary")]
    assert len(files) == len({row["source_category"] for row in bank_rows(workspace).values()}) == 4
    run = curate("translate", "run", "-w", workspace, "--engine", "pseudo", "--json").json
    assert run["flagged"] == {}
    made = curate("translate", "sheet", "-w", workspace, "--json").json["sheets"][0]
    assert made["texts"] == made["prefilled"] > 900
    [found] = curate("collect", "-w", workspace, "--json", made["file"]).json["collected"]
    assert (found["accepted"], found["open"], found["findings"]) == (made["texts"], 0, [])
    rules = {
        item["rule"]
        for item in curate("check", "-w", workspace, "--json").json["findings"]
        if not item["column"].endswith("_source")
    }
    assert not rules & {"slot-syntax", "slot-undeclared", "form-count"}
    for row in bank_rows(workspace).values():
        for field in SLOT_TEXT_FIELDS:
            source, own = row[f"{field}_source"], row[field]
            assert names_of(own) == names_of(source), (row["template_id"], field)
            assert own


def names_of(text):
    return Counter(re.findall(r"\[(\w+)", text))


def test_a_translator_sees_no_id(curate, source_bank):
    """A template is known by its first words: of two that begin alike the id tells them apart."""
    file = source_bank / "templates_src" / "bank.csv"
    curate("translate", "sheet", "-w", source_bank)
    path = source_bank / "annotations" / "sheets" / "translate.xlsx"
    book = load_workbook(path)
    seen = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    shown = [
        str(cell.value)
        for sheet in seen
        for column in sheet.iter_cols()
        for cell in column
        if not sheet.column_dimensions[column[0].column_letter].hidden
        and "key" not in str(column[0].value)
    ]
    assert "At the shop a potter and a baker came in.\nAnn and Bob sat in the attic." in shown
    assert not [text for text in shown if "craft-0" in text]
    choices = [one.formula1 for one in book["other texts"].data_validations.dataValidation]
    assert len(choices) == 1
    path.unlink()
    text = file.read_text("utf-8")
    file.write_text(text.replace("[N1] and [N2] sat in the [W1].", "[N1] and [N2] met."), "utf-8")
    workspace = Workspace(source_bank)
    assert scenes_of(workspace)["craft-002"] == "Ann and Bob met. (craft-002)"
