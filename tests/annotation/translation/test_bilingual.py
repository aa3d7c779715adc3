"""XLIFF and PO: what translators' own programs give back, read as the workbook of it."""

import re
import shutil
from pathlib import Path

import pytest

from curation.annotation.translation.bilingual import Segment, read_bilingual, xliff_text
from curation.annotation.translation.collect import collect_translations
from curation.annotation.translation.handed import make_translation_sheets
from curation.annotation.translation.units import read_translated
from curation.files.workspace import Workspace
from curation.records.messages import CurateError

GIVEN = Path(__file__).parents[2] / "scenarios" / "translate" / "given" / "w"
SOON = "Soon [N1] slept and [N2] did not."
N1, N2 = '<x id="1" equiv-text="[N1]"/>', '<x id="2" equiv-text="[N2]"/>'


@pytest.fixture
def workspace(tmp_path):
    shutil.copytree(GIVEN, tmp_path / "w")
    return Workspace(tmp_path / "w")


def texts(workspace):
    table = read_translated(Workspace(workspace.root))
    return {(row.source, row.text, row.by) for row in table.values() if row.text}


@pytest.mark.parametrize(
    ("target", "kept", "rule"),
    [
        (f"곧 {N1}이 잠들고 {N2}는 아니었다.", "곧 [N1]이 잠들고 [N2]는 아니었다.", ""),
        ('<x id="1"/> 잠, <x id="2"/> 아님.', "[N1] 잠, [N2] 아님.", ""),
        (f"곧 {N1}[N1|이/가] 잠.", "", "translation-slots"),
        (f"곧 {N1} {N2} {N2} 잠.", "", "translation-slots"),
        (f"{N2} 아님, {N1} 잠.", "[N2] 아님, [N1] 잠.", "translation-order"),
        (f'{N1} <x id="9"/> 잠.', "", "translation-unreadable"),
    ],
)
def test_slots_come_back_as_tags(workspace, target, kept, rule):
    """A slot that is lost or doubled is refused with its rule, one that is exchanged is named."""
    file = make_translation_sheets(workspace, ["Mina"], xliff=True)["sheets"][0]["file"]
    text = file.read_text(encoding="utf-8")
    before = f"<source>Soon {N1} slept and {N2} did not.</source>\n<target"
    assert before in text
    found = text.index(before) + len(before)
    end = text.index("</target>", found)
    file.write_text(f"{text[:found]}>{target}{text[end:]}", encoding="utf-8")
    done = collect_translations(workspace, [file])
    assert texts(workspace) == ({(SOON, kept, "Mina")} if kept else set())
    assert [one.rule for one in done["findings"]] == ([rule] if rule else [])
    assert bool(done["marked"]) == (not kept)


UNIT_2 = (
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="ko">'
    '<file id="f"><unit id="u1"><originalData><data id="d">[N1]</data></originalData>'
    '<segment state="final"><source>Soon <ph id="7" dataRef="d"/> slept and '
    '<ph id="8" equiv="[N2]"/> did not.</source><target><mrk id="m">곧</mrk> <ph id="7"/> 잠, '
    '<ph id="8"/> 아님.</target></segment></unit></file></xliff>'
)
PO = """msgid ""
msgstr "Language: ko\\n"

#: bank.csv:3
msgctxt "context"
msgid "Soon [N1] slept "
"and [N2] did not."
msgstr "곧 [N1] 잠, "
"[N2] 아님."

#, fuzzy
msgid "Who hums?"
msgstr "누가?"
"""
OPEN = 'msgctxt "other"\nmsgid "Soon [N1] slept and [N2] did not."\nmsgstr ""\n\n'


LIKE = "<source>Soon it rains.</source><target>\ube44.</target>"
UNIT_1 = (
    "<xliff version='1.2'><file><body><trans-unit id='1'><source>Soon [N1] slept and [N2] did not."
    "</source><target>\uace7 [N1] \uc7a0, [N2] \uc544\ub2d8.</target>"
    f"<alt-trans>{LIKE}</alt-trans></trans-unit></body></file></xliff>"
)
MATCHED = UNIT_2.replace(
    '<unit id="u1">',
    '<unit id="u1"><m:matches xmlns:m="urn:oasis:names:tc:xliff:matches:2.0">'
    f'<m:match ref="#m">{LIKE}</m:match></m:matches>',
)


SPLIT = UNIT_2.replace(
    ' slept and <ph id="8"',
    ' slept</source><target>\uace7 <ph id="7"/> \uc7a0,</target></segment>'
    '<ignorable><source> </source></ignorable><segment state="final"><source>and <ph id="8"',
).replace('<mrk id="m">\uace7</mrk> <ph id="7"/> \uc7a0, ', "")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.xlf", SPLIT),
        ("x.xlf", MATCHED),
        ("x.xliff", UNIT_1),
        ("x.po", PO),
        ("y.po", PO.replace("\n\n", "\n")),
        ("z.po", f"{OPEN}{PO}{OPEN}"),
    ],
)
def test_files_of_others_are_found_by_their_source_texts(workspace, name, content):
    """They have no keys of ours; what is fuzzy or of a memory is not taken."""
    file = workspace.root / name
    file.write_text(content, encoding="utf-8")
    assert collect_translations(workspace, [file], "Jun")["findings"] == ()
    assert texts(workspace) == {(SOON, "곧 [N1] 잠, [N2] 아님.", "Jun")}
    file.write_text(content.replace("곧", "이내"), encoding="utf-8")
    done = collect_translations(workspace, [file])
    assert texts(workspace) == {(SOON, "곧 [N1] 잠, [N2] 아님.", "Jun")}
    (differ,) = done["disagreements"]
    place = f"{name}, sheet texts, row 2"
    texts_of = {"Jun": "곧 [N1] 잠, [N2] 아님.", place: "이내 [N1] 잠, [N2] 아님."}
    assert (differ["source"], differ["texts"]) == (SOON, texts_of)


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("", "", ("곧 [N1] 잠, [N2] 아님.", True)),
        ('state="final"', 'state="initial"', ("곧 [N1] 잠, [N2] 아님.", False)),
        ('곧 <ph id="7"/> 잠,', "", ("", True)),
    ],
)
def test_a_text_in_segments_is_taken_whole(tmp_path, before, after, left):
    """Where one of them is open the text is; it is confirmed where each is."""
    file = tmp_path / "x.xlf"
    file.write_text(SPLIT.replace(before, after, 1), encoding="utf-8")
    (found,) = read_bilingual(file)[1]
    assert (found.target, found.confirmed) == left


@pytest.mark.parametrize("entry", ['msgid "\\a"', 'msgid_plural "x"', "lost"])
def test_a_line_that_no_po_file_has_is_refused_with_its_number(tmp_path, entry):
    """An escape that is not known would else be a wrong letter."""
    file = tmp_path / "x.po"
    file.write_text(f"{PO}\n{entry}\n", encoding="utf-8")
    with pytest.raises(CurateError, match="line 15"):
        read_bilingual(file)


def test_a_clock_that_goes_back_loses_no_text(workspace, monkeypatch):
    """What a person returns last is taken, whatever this machine's clock says of when."""
    file = workspace.root / "x.po"
    for epoch, word in [("2000000000", "곧"), ("1000000000", "이내"), ("999999999", "금방")]:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        file.write_text(PO.replace("곧", word), encoding="utf-8")
        assert collect_translations(workspace, [file], "Jun")["disagreements"] == []
        assert texts(workspace) == {(SOON, f"{word} [N1] 잠, [N2] 아님.", "Jun")}
        table = read_translated(Workspace(workspace.root))
        assert {row.at for row in table.values() if row.text} == {"2033-05-18T03:33:20Z"}


def test_a_slot_that_the_source_lacks_has_the_number_of_none():
    """Programs that keep numbers alone would else make a slot of the source of it."""
    one = Segment("k", "[N1] hums", "[W1] [N1] hums [N1]", "unit k")
    tags = re.findall(r'id="(\d)" equiv-text="\[(..)', xliff_text([one], {}, ("en", "ko")))
    assert tags == [("1", "N1"), ("0", "W1"), ("1", "N1"), ("0", "N1")]


def test_a_text_that_nobody_asked_for_is_named(workspace):
    """It is in no template, so that it has no place."""
    file = workspace.root / "x.po"
    file.write_text('msgid "Nobody."\nmsgstr "아무도."\n', encoding="utf-8")
    (found,) = collect_translations(workspace, [file])["findings"]
    assert found.rule == "translation-place-unknown" and "line 1" in found.message


@pytest.mark.parametrize("text", ["[N1] sat on [W1].", "a < b & 'c' \\[d\\]", "", "[N1|a/b] [N1]"])
def test_what_is_written_is_read(tmp_path, text):
    """Source, target, notes and what the file says of itself are the same afterwards."""
    file = tmp_path / "x.xlf"
    one = Segment('k"1', "[N1] [W1] \\[d\\]", text, 'unit k"1', notes={"in_bank": "a\n<b>"})
    file.write_text(xliff_text([one], {"translator": "Mi & na"}, ("en", "ko")), encoding="utf-8")
    assert read_bilingual(file) == ({"translator": "Mi & na"}, [one])
    assert not re.search(r"\[N1\](?!\")", file.read_text(encoding="utf-8"))
