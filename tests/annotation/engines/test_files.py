"""Translations, glossaries and returned texts in files."""

from dataclasses import replace

import pytest
from ods import save_ods
from openpyxl import Workbook, load_workbook
from rows import variant

import curation
from curation.annotation.engines.engine import EngineFault, glossary_digest, read_glossary
from curation.annotation.engines.services import read_translations, service_for
from curation.annotation.translation.run import run_translation
from curation.annotation.translation.units import reviewed_texts
from curation.files.bank import write_bank
from curation.files.workspace import Workspace
from curation.records.bank import Bank, Texts
from curation.records.messages import CurateError

TABLE = "source,translation\n[N1] & [N2] sat.,[N2]와 [N1]가 <앉았다>.\nWho?,누구?\nWhere?,\n"


def workbook(path):
    """Write the table as a workbook with a title above it."""
    book = Workbook()
    sheet = book.create_sheet("made elsewhere")
    sheet.append(["Translations"])
    for line in TABLE.splitlines():
        sheet.append([cell or None for cell in line.split(",")])
    book.save(path)
    return path


@pytest.mark.parametrize("kind", ["csv", "xlsx", "ods"])
def test_translations_are_looked_up(tmp_path, kind):
    """By the text as it would be sent; slots may stand in another order."""
    path = tmp_path / f"made.{kind}"
    if kind == "csv":
        path.write_text(TABLE, encoding="utf-8")
    elif kind == "ods":
        save_ods(load_workbook(workbook(tmp_path / "made.xlsx")), path)
    else:
        workbook(path)
    engine = read_translations(path)
    wire = '<x id="1"/> &amp; <x id="2"/> sat.'
    (reply,) = engine.translate([wire], "")
    assert reply.text == '<x id="2"/>와 <x id="1"/>가 &lt;앉았다&gt;.'
    assert engine.is_free
    with pytest.raises(EngineFault):
        engine.translate(["Where?"], "")


@pytest.mark.slow
def test_another_engine_makes_no_machine_text_look_like_a_persons(tmp_path):
    """What stands in the bank as the first one wrote it is still told as a machine's."""
    start = curation.init_workspace(tmp_path / "w", "ko")
    with start.culture_file.open("a", encoding="utf-8") as stream:
        stream.write("translation: {unlabelled: true}\n")
    row = variant(label=None, ambiguous_context="They sat.", biased_question="Who?")
    for number, first in enumerate(("앉았다.", "앉아 있었다.")):
        write_bank(start.bank_file, Bank((row,)))
        table = f"source,translation\nThey sat.,{first}\nWho?,누구{number}?\n"
        engine = tmp_path / f"{number}.csv"
        engine.write_text(table, encoding="utf-8")
        found = run_translation(curation.open_workspace(start.root), str(engine))
        (row,) = curation.open_workspace(start.root).bank.variants
        row = replace(row, texts=Texts(ambiguous_context="앉았다."))
        assert found["kept"] == number
        assert row.machine_texts == Texts(
            ambiguous_context="앉았다.", biased_question=f"누구{number}?"
        )
    write_bank(start.bank_file, Bank((row,)))
    assert reviewed_texts(curation.open_workspace(start.root))["unconfirmed"].total() == 1


def test_slots_that_are_not_the_sources_are_not_made_up(tmp_path):
    """They stay characters, which verification finds."""
    path = tmp_path / "made.csv"
    path.write_text("source,translation\n[N1] sat.,[N3] 앉았다.\n[N2] ate.,[N2 먹었다.\n", "utf-8")
    texts = read_translations(path).texts
    assert texts['<x id="1"/> sat.'] == "[N3] 앉았다."
    assert texts['<x id="1"/> ate.'] == "[N2 먹었다."


def test_a_file_that_will_not_do_is_refused(tmp_path):
    for read, content, said in [
        (read_translations, "source,translation\nWho?,누구?\nWho?,누가?\n", "two translations"),
        (read_translations, "source,translation\nWho?,\n", "holds no translation"),
        (read_translations, "source,target\nWho?,누구?\n", "the header lacks translation"),
        (read_translations, "", "is empty"),
        (read_glossary, "source,target\na,b\na,c\n", "source 'a' has another target above"),
        (read_glossary, "source,target\na,\n", "target is empty"),
        (read_glossary, 'source,target\na,"b\tc"\n', "line break or tab"),
        (read_glossary, "a,b\n", "the header lacks"),
    ]:
        path = tmp_path / "made.csv"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(CurateError, match=said):
            read(path)


def test_a_workbook_without_the_columns_is_refused(tmp_path):
    path = tmp_path / "made.xlsx"
    Workbook().save(path)
    with pytest.raises(CurateError, match="no sheet with columns"):
        read_translations(path)


def test_a_glossary_is_its_content(tmp_path):
    """Whatever the order; an empty one is none."""
    path = tmp_path / "glossary.csv"
    path.write_text("source,target\na,b\nc,d\n", encoding="utf-8")
    first = read_glossary(path)
    path.write_text("target,source,why\nd,c,x\nb,a,y\n", encoding="utf-8")
    second = read_glossary(path)
    path.write_text("source,target\n", encoding="utf-8")
    assert glossary_digest(first) == glossary_digest(second) != ""
    assert glossary_digest(read_glossary(path)) == ""


def test_the_settings_name_a_file_or_the_groups(tmp_path):
    """The names that people gave to groups are sent as a glossary."""
    (tmp_path / "templates_src").mkdir()
    (tmp_path / "g.csv").write_text("source,target\nWho,누구\n", "utf-8")
    (tmp_path / "templates_src" / "groups.csv").write_text(
        "category,key,group\nAge,old,노인\nAge,young,young\n", "utf-8"
    )
    for wanted, entries in [("g.csv", (("Who", "누구"),)), ("groups", (("old", "노인"),))]:
        (tmp_path / "culture.yaml").write_text(
            "{culture: X, language: ko, unknown: 몰라, categories: [{id: Age, question: choice}], "
            f"translation: {{glossary: {wanted}}}}}",
            "utf-8",
        )
        service = service_for("deepl", Workspace(tmp_path))
        assert service.glossary == entries  # DeepL's
