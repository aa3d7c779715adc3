"""The bank and its samples with the columns of KoBBQ's published tables."""

import csv
from dataclasses import replace

import pytest

from curation.bank.planning import plan
from curation.records.bank import (
    PARTICLE_COLUMNS,
    SAMPLE_COLUMNS,
    Bank,
    Label,
    Texts,
    Variant,
    VariantId,
)
from curation.records.messages import CurateError
from curation.records.sample import Sample
from curation.sources import table
from exports.data_files import TEMPLATE_COLUMNS, published_sample_rows, published_template_rows

TEXTS = Texts(
    stereotype="시끄러움",
    target_groups=("강아지파",),
    ambiguous_context="[N1: 고양이와, 송골매와] [N2: 강아지가, 곰이] 마당에 있었습니다.",
    disambiguating_context="[N2: 강아지는, 곰은] 짖었고 [N1: 고양이의, 송골매의] 잠을 깨웠습니다.",
    biased_question="누가 시끄러웠습니까?",
    counter_biased_question="누가 자고 있었습니까?",
    biased_answer="[N2: 강아지, 곰]",
    counter_biased_answer="[N1: 고양이, 송골매]",
    names="N1: [고양이, 송골매]; N2: [강아지, 곰]",
    n1_groups=("고양이파", "새파"),
    n2_groups=("강아지파",),
)
SOURCE = Texts(
    stereotype="Noisy",
    ambiguous_context="[N1] and [N2] were in the yard.",
    names="N1: [the cat, the falcon]; N2: [the dog, the bear]",
)
VARIANT = Variant(
    id=VariantId.parse("pet_lovers-007b"),
    category="Pet lovers",
    label=Label.TARGET_MODIFIED,
    texts=TEXTS,
    source_texts=SOURCE,
    source_id="12",
    source_category="Age",
    reference="a book",
    row=5,
)


def rows_of(*variants, counts=None, language="ko"):
    rows = published_template_rows(Bank(variants), language, "en", counts)
    return [dict(zip(TEMPLATE_COLUMNS, row, strict=True)) for row in rows]


def with_texts(**texts):
    return replace(VARIANT, texts=replace(TEXTS, **texts))


def test_a_variant_fills_all_the_published_columns():
    """Every column is filled from the variant, particles from its forms."""
    (row,) = rows_of(VARIANT, counts={"pet_lovers-007": {"강아지파": 71, "no_stereo": 9}})
    assert set(row) == set(TEMPLATE_COLUMNS)
    assert {column: cell for column, cell in row.items() if cell} == {
        "Category": "Pet lovers",
        "ID": "7",
        "version": "b",
        "Label_annotation": "TM",
        "Stereotype": "시끄러움",
        "Stereotype_translated": "Noisy",
        "Ambiguous_context": TEXTS.ambiguous_context,
        "Ambiguous_context_translated": SOURCE.ambiguous_context,
        "Disambiguating_context": TEXTS.disambiguating_context,
        "Names": TEXTS.names,
        "Names_translated": SOURCE.names,
        "Biased_question": TEXTS.biased_question,
        "Counter-biased_question": TEXTS.counter_biased_question,
        "Biased_question_answer": TEXTS.biased_answer,
        "Counter-biased_question_answer": TEXTS.counter_biased_answer,
        "N1_info": "고양이파, 새파",
        "N2_info": "강아지파",
        "N1_amb_post": "과",
        "N2_amb_post": "이",
        "N1_dis_post": "의",
        "N2_dis_post": "은",
        "Target_group": "강아지파",
        "Reference": "a book",
        "BBQ_id": "12",
        "BBQ_category": "Age",
        "Survey_stats": "{'강아지파': 71, 'no_stereo': 9}",
    }


@pytest.mark.parametrize(
    ("written", "published"),
    [
        ("[N1|은/는] 잤다.", "[N1: 고양이는, 송골매는] 잤다."),
        ("[N2|이/가] 짖었다.", "[N2: 강아지가, 곰이] 짖었다."),
        ("[N1] 옆에", "[N1: 고양이, 송골매] 옆에"),
        ("[W1]에서", "[W1: 마당, 뜰]에서"),
        ("[N1:고양이,  송골매] 옆", "[N1:고양이,  송골매] 옆"),
        ("[N1: 고양이도, 송골매도] [N2|을/를]", "[N1: 고양이도, 송골매도] [N2: 강아지를, 곰을]"),
        (r"[N1: 큰 \; 고양이, 새] \| \\", "[N1: 큰 ; 고양이, 새] | \\"),
    ],
)
def test_every_slot_is_written_with_its_forms(written, published):
    """Agreement and bare slots become lists of forms; what has them is left to the letter."""
    (row,) = rows_of(with_texts(disambiguating_context=written, words="W1: [마당, 뜰]"))
    assert row["Disambiguating_context"] == published


def test_readings_are_dropped_and_used():
    """A reading after a bar chooses the particle and is not published."""
    texts = {
        "names": "N1: [Kim|김, K|케이]; N2: [강아지, 곰]",
        "disambiguating_context": "[N1|은/는] 잤다.",
        "words": r"W1: [a\|b, c]",
    }
    (row,) = rows_of(with_texts(**texts))
    assert row["Names"] == "N1: [Kim, K]; N2: [강아지, 곰]"
    assert row["Disambiguating_context"] == "[N1: Kim은, K는] 잤다."
    assert row["Lexical_diversity"] == "W1: [a|b, c]"


def test_named_forms_are_written_out_and_attributes_dropped():
    """With the capital and the contraction that each place gives them, in both languages."""
    texts = Texts(
        ambiguous_context="[N1.def] vino. Soy de [N1.def].",
        names="N1: [nieto {def: el nieto, age: young}, nieta {def: la nieta, age: young}]",
    )
    row = rows_of(replace(VARIANT, texts=texts, source_texts=texts), language="es")[0]
    assert row["Ambiguous_context"] == (
        "[N1: El nieto, La nieta] vino. Soy [N1: del nieto, de la nieta]."
    )
    assert row["Names"] == row["Names_translated"] == "N1: [nieto, nieta]"
    assert row["Ambiguous_context_translated"] == (
        "[N1: El nieto, La nieta] vino. Soy de [N1: el nieto, la nieta]."
    )


REFUSED = (
    ({"words": "W1: [a, b]; N1 ~ W1"}, "words"),  # there is no place for conditions
    ({"biased_question": "[N1.def]"}, "biased_question"),
    ({"biased_answer": r"[N2: 크\, 고 작은, 곰]"}, "biased_answer"),
    ({"biased_answer": r"[N2: 강\[1\], 곰]"}, "biased_answer"),
    ({"biased_question": r"누가 \[그\]?"}, "biased_question"),
    ({"names": r"N1: [a\, b, c]"}, "names"),
    ({"words": r"W1: [a\; b, c]"}, "words"),
    ({"n1_groups": ("a, b",)}, "n1_groups"),
    ({"names": "N1: [*]; N2: [곰]"}, "names"),
    ({"biased_question": "[W1]에서 누가?"}, "biased_question"),
    ({"biased_question": "[N1|은/를]"}, "biased_question"),
    ({"biased_question": "[N1"}, "biased_question"),
    ({"words": "N1: [a, b]"}, "names"),  # in both columns
)


def test_what_the_format_cannot_hold_is_refused_with_its_place():
    """Nothing is written that would be read as something else, in the source's columns either."""
    for texts, column in REFUSED:
        with pytest.raises(CurateError) as refused:
            rows_of(with_texts(**texts))
        assert refused.value.where == f"bank, row 5, pet_lovers-007b, column {column}"
        assert refused.value.hint
    source = Texts(biased_answer=r"[N1: big\, old cat]", names="N1: [x]")
    with pytest.raises(CurateError) as refused:
        rows_of(replace(VARIANT, source_texts=source, row=0))
    assert refused.value.where == "pet_lovers-007b, column biased_answer_source"


@pytest.mark.parametrize(
    ("context", "particle"),
    [
        ("[N1: 고양이와, 송골매와] 함께", "과"),
        ("[N1: 고양이과, 송골매와] 함께", ""),
        ("[N1|으로/로] 갔다", "으로"),
        ("[N1: 고양이에게, 송골매에게]", "에게"),
        ("[N1: 고양이는, 송골매는] [N1: 고양이를, 송골매를] [N1|을/를]", "은, 을"),
        ("[N1: 고양이 있는, 송골매 있는] 집", ""),
        ("[N1: 작은 고양이는, 송골매는] 잤다", ""),
        ("[N1: 고양이는] 잤다", ""),
        ("[N1] 옆", ""),
        ("[N2|은/는] 짖었다", ""),
    ],
)
def test_particles_are_those_after_a_consonant(context, particle):
    """A particle is named where all forms are the name and one particle, else nothing."""
    (row,) = rows_of(with_texts(ambiguous_context=context))
    assert row["N1_amb_post"] == particle


def test_published_particles_are_kept():
    """Particles that came with the template stand before what its forms show, even if empty."""
    extra = (("N1_amb_post", "하고"), ("N2_amb_post", ""), ("our_remark", "x"))
    (row,) = rows_of(replace(VARIANT, extra=extra))
    assert (row["N1_amb_post"], row["N2_amb_post"], row["N2_dis_post"]) == ("하고", "", "은")


def test_samples_have_the_published_columns():
    """Choices are a Python-style list, the source id a float, the prediction empty."""
    choices = ("it's", 'he said "it\'s"', "모름")
    usual = {name: f"the {name}" for name in Sample._fields}
    sample = Sample(**usual | {"choices": choices, "source_id": "7"})
    (row,) = published_sample_rows([sample])
    assert dict(zip(SAMPLE_COLUMNS, row, strict=True)) == {
        "sample_id": "the sample_id",
        "label_annotation": "the label",
        "context": "the context",
        "question": "the question",
        "choices": "[\"it's\", 'he said \"it\\'s\"', '모름']",
        "biased_answer": "the biased_answer",
        "answer": "the answer",
        "bbq_id": "7.0",
        "bbq_category": "the source_category",
        "prediction": "",
    }


def read_published(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, delimiter="\t"))


def differences(columns, ours, theirs):
    """Give first cell, column, our cell and theirs wherever two tables differ."""
    return [
        (own[0], column, cell, other_cell)
        for own, other in zip(ours, theirs, strict=True)
        for column, cell, other_cell in zip(columns, own, other, strict=True)
        if cell != other_cell
    ]


def test_published_templates_come_out_as_they_came_in(reference):
    """All 38 columns of all 346 published rows are written back cell by cell."""
    path = reference / "kobbq" / "templates.tsv"
    imported = table.published("kobbq", [path])
    counts = {item["template_id"]: item["survey_stats"] for item in imported.counts}
    header, *published = read_published(path)
    ours = list(published_template_rows(Bank(imported.variants), "ko", "en", counts))
    assert tuple(header) == TEMPLATE_COLUMNS
    assert len(ours) == 346
    assert differences(TEMPLATE_COLUMNS, ours, published) == []


def test_derived_particles_agree_with_published_ones_where_forms_show_them(reference):
    """Four of five published cells follow from the forms alone.

    The others describe words around the slot, or give the particle after a vowel.
    """
    path = reference / "kobbq" / "templates.tsv"
    bank = Bank(
        tuple(replace(item, extra=()) for item in table.published("kobbq", [path]).variants)
    )
    _, *published = read_published(path)
    found = differences(TEMPLATE_COLUMNS, published_template_rows(bank, "ko", "en"), published)
    wrong = [item for item in found if item[1] in PARTICLE_COLUMNS]
    assert len(wrong) == 381
    after_vowel = {("은", "는"), ("을", "를"), ("이", "가"), ("과", "와")}
    assert sum((ours, theirs) in after_vowel for _, _, ours, theirs in wrong) == 129


def test_published_test_samples_come_out_of_the_templates(reference):
    """All cells of the 1,384 published rows but 14, whose answers hold a backspace."""
    header, *published = read_published(reference / "kobbq" / "test_samples.tsv")
    bank = Bank(table.published("kobbq", [reference / "kobbq" / "templates.tsv"]).variants)
    wanted = {row[0] for row in published}
    filled = plan(bank.templates(), "ko", "알 수 없음", {}).samples()
    ours = sorted(published_sample_rows(item for item in filled if item.sample_id in wanted))
    assert tuple(header) == SAMPLE_COLUMNS
    assert len(ours) == 1384
    both = ([[" ".join(cell.split()) for cell in row] for row in it] for it in (ours, published))
    found = differences(SAMPLE_COLUMNS, *map(sorted, both))
    assert len(found) == 14
    assert {item[0][:21] for item in found} == {"disability_status-010"}
    for _, _, own, other in found:
        assert own.replace("\\x08", "").replace("\x08", "") == other
