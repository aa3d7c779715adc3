"""The distinct texts of each template."""

from dataclasses import replace

from rows import variant

from curation.annotation.engines.engine import TextToSend
from curation.annotation.translation.run import settle_all, wanted_texts
from curation.annotation.translation.units import (
    Kind,
    Place,
    entities,
    is_bare,
    rows_of,
    text_at,
    translation_units,
)
from curation.records.bank import Bank, Texts, VariantId
from curation.slots.grammar import parse_text


def units(*variants, **choice):
    return translation_units(Bank(variants), **choice)[0]  # as a test wants it


def test_a_stereotype_has_no_slots():
    """Its brackets are characters like others, whether they could be slots or not."""
    for text in ("They say [sic]", "They say [N1]"):
        bank = Bank((variant("craft-001a", stereotype=text),))
        found, findings = translation_units(bank)
        assert [(unit.kind, unit.parsed.slots) for unit in found] == [(Kind.PLAIN, ())]
        assert findings == []


def test_what_is_there_already_is_passed_over_where_only_what_lacks_is_wanted():
    """Field by field, lists too; without a text in the source there is nothing to do."""
    source = variant(
        "craft-001a",
        stereotype="They hum",
        biased_question="Who?",
        biased_answer="[N1]",
        names="N1: [Ann]",
        words="W1: [red]",
    )
    own = Texts(stereotype="Sie", biased_answer="[N1]", names="N1: [Anna]")
    row = replace(source, texts=own)
    assert [unit.text for unit in units(row, missing=True)] == ["Who?", "red"]
    assert [unit.text for unit in units(row)] == ["They hum", "Who?", "[N1]", "Ann", "red"]


def test_what_cannot_be_read_is_a_finding():
    """The rest is translated; slots without fillers keep their names in the context."""
    row = variant("craft-001a", biased_question="[N1 ?", ambiguous_context="[N1] sat.")
    bank = Bank((replace(row, row=5),))
    found, findings = translation_units(bank, "bank.csv")
    assert [unit.text for unit in found] == ["[N1] sat."]
    assert found[0].context == "N1 sat. [N1 ?"
    assert [(item.rule, item.row, item.column) for item in findings] == [
        ("translate-source-unreadable", 5, "biased_question_source")
    ]


def test_a_second_question_belongs_to_the_context_of_the_first():
    """And holds a filler in each tag; the better reply of the two is kept."""
    row = variant("craft-001a", ambiguous_context="[N1] sat here.", names="N1: [Ann]")
    wanted = wanted_texts(units(row))
    context = "Ann sat here."
    replies = {('<x id="1"/> sat here.', context): "앉았다."}
    _, questions = settle_all(wanted, lambda *key: replies.get(key), "ko")
    again = TextToSend('<x id="1">Ann</x> sat here.', context, 13)
    assert again in questions
    replies[again.wire, context] = '<x id="1">Ann</x>이 앉았다.'
    settled, _ = settle_all(wanted, lambda *key: replies.get(key), "ko")
    found = settled[parse_text("[N1] sat here.")]
    assert (found.text, found.flags) == (parse_text("[N1]이 앉았다."), ())
    replies[again.wire, context] = ""
    settled, _ = settle_all(wanted, lambda *key: replies.get(key), "ko")
    assert settled[parse_text("[N1] sat here.")].flags


def test_capitalised_names_are_listed():
    """Not the first word of a sentence, not slots; of fillers every one."""
    row = variant(
        "craft-001a",
        ambiguous_context="Today I met [N1] at the Kiln & Wheel's stall. Then Mira Lind left.",
        disambiguating_context="Soon İpek Őri and Đặng saw Ωραία. Եկավ։ Նա տեսավ Անիին։",
        names="N1: [Ann, a smith]",
    )
    found = {unit.text: entities(unit) for unit in units(row)}
    assert found["Ann"] == ("Ann",)
    assert found["a smith"] == ()
    (names,) = (value for key, value in found.items() if key.startswith("Today"))
    assert names == ("Kiln & Wheel", "Mira Lind")
    (names,) = (value for key, value in found.items() if key.startswith("Soon"))
    assert names == ("İpek Őri", "Đặng", "Ωραία", "Անիին")


def test_one_slot_alone_is_nothing_that_anybody_translates():
    """One that lists forms, asks for agreement, or stands with anything else is."""
    texts = ["[N1]", "[N1.def]", "N1", "", "[N1] ", "[N1][N2]", "[N1: a, b]", "[N1|a/an]"]
    assert [text for text in texts if is_bare(parse_text(text))] == ["[N1]", "[N1.def]"]


def test_a_filler_is_found_at_its_place():
    """Without the features that conditions compare; nothing where no filler is."""
    texts = Texts(
        biased_answer="[N1]",
        names="N1: [Ann {town: hill, def: the Ann}]; N2: [Bo {town: x}]; N1.town != N2.town",
    )
    key = VariantId.parse("craft-001a")
    places = [("biased_answer", "", 0), ("names", "N1", 0), ("names", "N1", 1), ("names", "N3", 0)]
    assert [text_at(texts, Place(key, *place)) for place in places] == [
        "[N1]",
        "Ann {def: the Ann}",
        "",
        "",
    ]
    assert text_at(Texts(words="W1: [a"), Place(key, "words", "W1", 0)) == ""


def test_a_text_stands_apart_that_is_translated_otherwise_than_most_of_its_equals():
    """One with two translations counts for neither; the first holds where as many have another."""
    for written, apart in (
        (["가", "나", "나", ""], [0]),
        (["가", "나", "가 나", "가 나"], [1, 2, 3]),
        (["가 나"], []),
        (["가 나", "나 가"], [0, 1]),
    ):
        rows = [
            replace(
                variant(f"craft-{at:03d}{letter}", biased_question="Who?"),
                texts=Texts(biased_question=text),
            )
            for at, texts in enumerate(written)
            for letter, text in zip("ab", texts.split(" "), strict=False)
        ]
        found = rows_of(units(*rows), {row.id: row for row in rows})
        alone = [row for row in found if row.key == row.units[0].short_key]
        assert [row.units[0].template.number for row in alone] == apart
