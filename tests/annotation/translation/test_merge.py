"""What holds where translations come back: of several people, rows, and times, and of the bank."""

from dataclasses import replace

import pytest
from openpyxl import load_workbook

from curation.annotation.translation.collect import _reword, collect_translations
from curation.annotation.translation.handed import make_translation_sheets
from curation.annotation.translation.merge import Merged, Offer, as_versions, put_translations
from curation.annotation.translation.units import (
    Place,
    Translated,
    read_translated,
    row_of,
    translations_file,
    units_of,
    write_translated,
)
from curation.bank.rewording import StatedWording, worded
from curation.files.bank import write_bank
from curation.files.workspace import Workspace
from curation.records.bank import Bank, Label, Texts, Variant, VariantId, VariantVersion
from curation.records.messages import CurateError

SOURCE = Texts(biased_question="Who hums?", names="N1: [potter, baker]")
CULTURE = (
    "culture: Nowhere\nlanguage: ko\nunknown: 모름\ncategories: [{id: Craft, question: choice}]\n"
)
NOW = "2026-01-02T00:00:00Z"
EARLIER, LATER = "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z"


def made(folder, text="", names="", machine=""):
    """A workspace of two variants with one question and one list."""
    rows = [
        Variant(
            VariantId.parse(f"craft-001{letter}"),
            "Craft",
            Label.SIMPLY_TRANSFERRED,
            texts=Texts(biased_question=text, names=names),
            source_texts=SOURCE,
            machine_texts=Texts(biased_question=machine),
        )
        for letter in "ab"
    ]
    (folder / "templates_src").mkdir()
    (folder / "culture.yaml").write_text(CULTURE, encoding="utf-8")
    write_bank(folder / "templates_src" / "bank.csv", Bank(tuple(rows)))
    return Workspace(folder)


def unit(workspace, text="Who hums?"):
    units, _ = units_of(workspace, every=True)
    return next(unit for unit in units if unit.text == text)


def offer(workspace, by, text, **how):
    how = {"at": LATER, "confirmed": by, "origin": by} | how
    found = unit(workspace, how.pop("source", "Who hums?"))
    before = frozenset(how.pop("seen", ()))
    return Offer(unit=found, text=text, by=by, before=before, **how)


def merged(workspace, offers, row=None, by=""):
    """What a merge comes to, and the row of the question then."""
    table = {}
    if row is not None:
        first = row_of({}, unit(workspace))
        earlier = {"template_id": first.template_id, "unit": first.unit, "source": first.source}
        table[first.key] = Translated(**earlier, **{"at": NOW, **row})
    found = Merged(workspace, table, offers, NOW, by)
    return found, row_of(found.table, unit(workspace))


MINA = {"text": "가", "by": "Mina", "confirmed": "Mina"}


@pytest.mark.parametrize(
    ("bank", "row", "offers", "by", "text", "rules"),
    [
        ("", None, [("Jun", "나", {})], "", "나", []),
        ("", None, [("Jun", "나", {}), ("Mina", "나", {})], "", "나", []),
        ("", None, [("Jun", "나", {}), ("Mina", "가", {})], "", "", ["disagreement"]),
        ("", None, [("Jun", "나", {}), ("Mina", "가", {})], "mina", "가", []),
        ("", None, [("Jun", "나", {}), ("jun", "가", {})], "Jun", "", ["disagreement"]),
        ("", None, [("Jun", "나", {"touched": False}), ("Mina", "가", {})], "", "가", []),
        ("", None, [("Jun", "나", {"rank": 1}), ("Mina", "가", {})], "", "나", []),
        ("가", MINA, [("Jun", "나", {})], "", "가", ["disagreement"]),
        ("가", MINA, [("Jun", "나", {})], "Jun", "나", []),
        ("가", MINA, [("Jun", "나", {"seen": ["가"]})], "", "나", []),
        ("가", MINA, [("Jun", "나", {"touched": False})], "", "가", []),
        ("가", MINA, [(" MINA", "나", {})], "", "나", []),
        ("가", MINA, [("Mina", "나", {"at": EARLIER})], "", "가", []),
        ("가", MINA, [("Mina", "나", {"at": NOW})], "", "나", []),
        ("가", MINA | {"over": ("나",)}, [("Jun", "나", {})], "", "가", []),
        ("가", MINA | {"over": ("나",)}, [("Jun", "나", {}), ("Mina", "가", {})], "", "가", []),
        ("가", MINA | {"over": ("나",)}, [("Jun", "다", {})], "", "가", ["disagreement"]),
        ("", MINA, [("Jun", "나", {})], "", "가", ["disagreement"]),
        ("다", MINA, [("Jun", "나", {})], "", "다", ["bank-changed"]),
        ("다", MINA, [("Jun", "나", {})], "Jun", "다", ["bank-changed"]),
        ("다", None, [("Jun", "나", {})], "", "다", ["bank-changed"]),
        ("다", MINA, [("Mina", "가", {})], "", "다", ["bank-changed info"]),
        ("기", {"text": "기", "by": "Mina"}, [("Jun", "나", {})], "", "나", []),
        (
            "기",
            {"text": "기", "by": "Mina", "confirmed": "Mina"},
            [("Jun", "나", {})],
            "",
            "기",
            ["disagreement"],
        ),
        ("기", None, [("Jun", "나", {})], "", "나", []),
    ],
)
def test_which_text_holds(tmp_path, bank, row, offers, by, text, rules):
    """Touched before untouched, for one before for all, a person's later one, else nobody's."""
    workspace = made(tmp_path, bank, machine="기")
    found, now = merged(
        workspace, [offer(workspace, *one[:2], **one[2]) for one in offers], row, by
    )
    texts = {variant.texts.biased_question for variant in found.bank.variants}
    assert texts == {text}
    said = [
        item.said(0).rule.removeprefix("translation-") + (" info" if item.known else "")
        for item, _ in found.listed()
    ]
    assert said == list(rules)
    if not rules:
        assert (now.text, by == "" or "나" in (text, *now.over)) == (text, True)


def test_what_is_recorded(tmp_path):
    """A confirmation holds while the text stays; what was not chosen is kept; remarks too."""
    workspace = made(tmp_path, "기", machine="기")
    first, row = merged(workspace, [offer(workspace, "Jun", "기", remark="so")])
    assert (row.text, row.by, row.at, row.confirmed) == ("기", "Jun", NOW, "Jun")
    assert (row.machine, row.remark) == ("기", "so")
    assert first.confirmed == {("craft-001", "Jun"): 1}
    again = {"text": "기", "by": "Jun", "confirmed": "Jun"}
    second, row = merged(workspace, [offer(workspace, "Mina", "기")], again)
    assert (row.by, row.confirmed, second.confirmed, second.fresh) == ("Jun", "Jun", {}, {})
    for person, earlier, count in [
        ("Jun", again, 1),
        ("Jun", again | {"confirmed": ""}, 0),  # nobody has looked at what the machine wrote
        ("Jun", {"text": "다", "by": "Jun"}, 1),
        ("Mina", again | {"confirmed": ""}, 0),
    ]:
        found, row = merged(workspace, [offer(workspace, person, "나", seen=["기"])], earlier)
        assert (row.text, row.confirmed, len(found.replaced)) == ("나", person, count)


def test_what_is_known_of_a_text_stays_with_the_version_that_takes_it_over(tmp_path):
    """Who confirmed it, of all variants or one, and fillers that wait; the other has none yet."""
    workspace = made(tmp_path, "기", machine="기")
    rows = [
        Translated("craft-001", name, source, "", text=text, by="Jun", confirmed="Jun")
        for name, source, text in [
            ("plain", "They hum", "흥"),
            ("text", "Who hums?", "기"),
            ("text.b", "Who hums?", "나"),
            ("filler", "potter", "옹기장이"),
        ]
    ]
    table = {row.key: row for row in rows}
    versions = VariantVersion.MASCULINE, VariantVersion.FEMININE
    bank = worded(workspace.bank, StatedWording("craft-001", versions=versions), untie=False)
    found = as_versions(workspace, table, bank)
    assert {(row.unit, row.text, row.confirmed) for row in found.values()} == {
        ("plain", "흥", "Jun"),
        ("text.m", "기", "Jun"),
        ("text.m.b", "나", "Jun"),
        ("filler.m", "옹기장이", "Jun"),
    }
    assert all(row.key == key for key, row in found.items())
    assert as_versions(workspace, table, workspace.bank) == table


def test_a_template_is_told_as_worded_anew_where_it_is(tmp_path):
    """A workbook that is collected again says how it is worded already."""
    workspace = made(tmp_path)
    same, other = StatedWording("craft-001"), StatedWording("craft-001", separate=True)
    before = Merged(workspace, {}, [], NOW)
    assert [len(_reword(workspace, before, [(None, it)])) for it in (same, other)] == [0, 1]


def test_a_filler_waits_for_the_others_of_its_list(tmp_path):
    """It is kept in the table until the list is complete, whoever brings the rest."""
    workspace = made(tmp_path)
    first = Merged(workspace, {}, [offer(workspace, "Jun", "옹기장이", source="potter")], NOW)
    assert (first.counts["written"], first.counts["open"]) == (0, 2)
    second = Merged(
        workspace, first.table, [offer(workspace, "Mina", "제빵사", source="baker")], NOW
    )
    assert {v.texts.names for v in second.bank.variants} == {"N1: [옹기장이, 제빵사]"}
    longer = made_again(workspace, "N1: [하나]")
    assert {one.text for one in units_of(longer)[0]} == {"Who hums?"}  # nobody is asked for it
    third = Merged(longer, {}, [offer(longer, "Jun", "제빵사", source="baker")], NOW)
    assert [(item.said(0).rule, item.now) for item in third.conflicts.values()] == [
        ("translation-bank-changed", "N1: [하나]")
    ]
    assert (third.table, third.counts["written"]) == ({}, 0)


def made_again(workspace, names):
    path = workspace.bank_file
    path.unlink()
    path.parent.rmdir()
    return made(workspace.root, names=names)


def test_a_filler_that_stands_in_a_list_with_more_of_them_is_confirmed(tmp_path):
    workspace = made(tmp_path, names="N1: [옹기장이, 제빵사, 누구]")
    offers = [offer(workspace, "Mina", "옹기장이", source="potter")]
    found, _ = merged(workspace, offers)
    assert (found.bank, found.conflicts) == (workspace.bank, {})
    assert row_of(found.table, unit(workspace, "potter")).confirmed == "Mina"


def test_a_conflict_says_who_has_what_and_where(tmp_path):
    """Once for all variants; nobody's name stands for what was written in the bank."""
    workspace = made(tmp_path, "다")
    place = "craft-001, biased_question (a, b)"
    jun = offer(workspace, "Jun", "나", place="j.xlsx, row 2")
    for row, offers, people, said, hint in (
        (
            {"text": "다", "by": "Mina", "confirmed": "Mina"},
            [jun],
            "Mina, Jun",
            f"{place}: Mina has returned '다', Jun has '나'; the first is kept",
            "agree on one",
        ),
        (
            None,
            [offer(workspace, "", "나")],
            "",
            f"{place}: somebody has written '다' in the bank since, this workbook has '나'; the "
            "first is kept",
            "compare the two",
        ),
        (
            None,
            [jun, offer(workspace, "", "가")],
            "Jun, a workbook",
            f"{place}: translators differ, so none is collected: Jun '나' (j.xlsx, row 2), a "
            "workbook '가'",
            "agree on one",
        ),
    ):
        found, _ = merged(workspace, offers, row)
        [(conflict, more)] = found.listed()
        finding = conflict.said(more)
        assert (conflict.people, finding.message) == (people, said)
        assert finding.hint.startswith(hint)


def test_a_text_for_one_template_replaces_that_of_several_and_nobody_s_own(tmp_path):
    """What somebody wrote for one alone since the workbook was made stays, and is named."""

    def written(*questions):
        rows = [
            Variant(
                VariantId.parse(f"craft-{at:03d}a"),
                "Craft",
                Label.SIMPLY_TRANSFERRED,
                texts=Texts(biased_question=question),
                source_texts=Texts(ambiguous_context=f"Hall {at}.", biased_question="Who hums?"),
            )
            for at, question in enumerate(questions, start=1)
        ]
        write_bank(workspace.bank_file, Bank(tuple(rows)))
        return Workspace(tmp_path)

    workspace = made(tmp_path)
    (sheet,) = make_translation_sheets(written("가", "가", "가"))["sheets"]
    book = load_workbook(sheet["file"])
    for row, scene in ((2, "Hall 1."), (3, "Hall 2.")):
        for column, text in enumerate((scene, "Who hums?", "다"), start=1):
            book["other texts"].cell(row, column).value = text
    book.save(sheet["file"])
    edited = written("나", "가", "가")
    (left,) = collect_translations(edited, [sheet["file"]])["disagreements"]
    assert (left["template_id"], left["texts"][""]) == ("craft-001", "나")
    questions = [row.texts.biased_question for row in Workspace(tmp_path).bank.variants]
    assert questions == ["나", "다", "가"]


def test_what_nobody_translates_comes_along(tmp_path):
    """A bare slot where nobody has written another text, and lists that are left to the survey."""
    source = Texts(biased_question="Who?", biased_answer="[N1]", names="N1: [*]", words="W1: [a]")
    key = VariantId.parse("craft-001a")
    for own, answer, names in (
        (Texts(), "[N1]", "N1: [*]"),
        (Texts(biased_answer="[N1] 쪽", names="N1: [*]"), "[N1] 쪽", "N1: [*]"),
    ):
        row = Variant(key, "Craft", Label.SIMPLY_TRANSFERRED, texts=own, source_texts=source)
        done, _, _ = put_translations(Bank((row,)), {Place(key, "biased_question"): "누구?"})
        texts = done.variants[0].texts
        assert (texts.biased_question, texts.biased_answer) == ("누구?", answer)
        assert (texts.names, texts.words) == (names, "")


def test_the_table_is_read_as_it_was_written(tmp_path):
    """Line breaks and quotation marks too; a source text that was edited is refused."""
    workspace = made(tmp_path)
    row = Translated(
        *(
            "age-001",
            "text",
            'Who "hums"?',
            row_of({}, replace(unit(workspace), text='Who "hums"?')).source_hash,
            "m",
            "pseudo",
            "누가\n?",
            "Mina",
        ),
        over=('"누가", 누가?', ""),
    )
    assert read_translated(workspace) == {}
    write_translated(workspace, [row])
    assert read_translated(workspace) == {row.key: row}
    path = translations_file(workspace)
    text = path.read_text(encoding="utf-8")
    for old, new, said in (
        ("hums", "sings", "its hash is another"),
        ('"[""', '"[[""', "JSON list"),
    ):
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(CurateError, match=said):
            read_translated(workspace)
    write_translated(workspace, [row, row])
    with pytest.raises(CurateError, match="two translations"):
        read_translated(workspace)
