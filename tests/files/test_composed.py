"""Letters in parts, as some systems write them, are joined where texts come in."""

import unicodedata

import openpyxl
import pytest

from curation.files.bank import read_groups, write_groups
from curation.files.jsonl import stream
from curation.files.tables import read_table
from curation.records.bank import SampleId, TemplateId, VariantId, category_slug
from evaluation.parsing.verdicts import read_reply

WORDS = ("할머니", "नानी", "ação", "Iğdır", "Ａ")


def parted(text):
    return unicodedata.normalize("NFD", text)


@pytest.mark.parametrize("word", WORDS)
def test_tables_and_workbooks_give_one_text(tmp_path, word):
    """In a cell and in the header, of a CSV and of a workbook."""
    path = tmp_path / "a.csv"
    path.write_text(f"id,{parted(word)}\n1,{parted(word)} x\n", encoding="utf-8")
    table = read_table(path)
    assert (table.columns, table.rows[0][word]) == (("id", word), f"{word} x")
    book = openpyxl.Workbook()
    for row in (["id", parted(word)], ["1", parted(word)]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    assert [row for _, row in stream(tmp_path / "a.xlsx", "").rows] == [{"id": "1", word: word}]


@pytest.mark.parametrize("category", ["나이", "ব\u09af\u09bcস"])
def test_groups_in_parts_are_the_groups_of_the_bank(tmp_path, category):
    """Category, group and fillers; a category also where NFC takes its letters apart."""
    path = tmp_path / "groups.csv"
    written = parted(category).replace("\u09af\u09bc", "\u09df")
    path.write_text(
        f"category,group,parent,level,counts,fillers,ours\n{written},{parted('노인')},,,,"
        f"[{parted('할머니')}],kept\n",
        encoding="utf-8",
    )
    (group,), findings = read_groups(path)
    assert (group.category, group.group, group.fillers) == (category, "노인", "[할머니]")
    assert not findings
    write_groups(path, [group])
    assert ",kept" in path.read_text("utf-8")


def test_ids_in_parts_are_the_ids():
    """As a file name of another system, or a shell, hands them over."""
    assert category_slug(parted("나이")) == "나이"
    for kind, text in ((TemplateId, "나이-001"), (VariantId, "나이-001a")):
        assert kind.parse(parted(text)) == kind.parse(text)
    sample = "나이-001a-001-amb-bsd"
    assert SampleId.parse(parted(sample)) == SampleId.parse(sample)


def test_replies_and_choices_full_width_or_in_parts_are_read():
    """As the letter or the text that they are, and no Turkish name for another."""
    choices = ("할머니", "손자", "알 수 없음")
    for reply in ("Ａ", "（Ａ）", "Ａ．", parted("할머니"), "할머니"):
        assert read_reply(reply, choices).chosen == {0}
    assert read_reply("할머니", (parted("할머니"), parted("नानी"), "x")).chosen == {0}
    for reply, name in (("Iğdır", "Iğdır"), ("IĞDIR", "Iğdır"), ("İSTANBUL", "İstanbul")):
        assert read_reply(reply, (name, "Ankara", "x")).chosen == {0}
    assert read_reply("SARI", ("sarı", "sari", "x")).chosen in (None, frozenset({0}))
