"""Slots on their way through a translation engine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.slots import Slot, SlotText, parse_text, print_text
from curation.slots.protection import Flag, bare, inspect, protect, restore

SENTENCE = "I saw a [N1: a potter, a miller] & [N2|a/an] <3 at [W1]."


def test_each_occurrence_has_a_tag_of_its_own() -> None:
    """Whatever stands in the brackets; three characters are escaped, and no other."""
    sent = protect(parse_text("[N1] \"said\" \\[so\\] of [N1] & [N2: x, y] > 'z'"))
    assert sent.wire == ('<x id="1"/> "said" [so] of <x id="2"/> &amp; <x id="3"/> &gt; \'z\'')
    assert [slot.name for slot in sent.slots] == ["N1", "N1", "N2"]


def test_what_comes_back_whole_is_put_into_bare_slots() -> None:
    """In any order; listed forms and agreement are the source language's."""
    sent = protect(parse_text(SENTENCE))
    reply = '<x id="3"/>에서 <x id="2"></x>와 <x id="1" />를 보았다 &lt;3.'
    assert print_text(restore(sent, reply)) == "[W1]에서 [N2]와 [N1]를 보았다 <3."


def test_a_named_form_comes_back_as_it_was_asked_for() -> None:
    """In whatever order; the plain slot beside it stays plain."""
    sent = protect(parse_text("[N1.def] met [N1] and [N2.def_pl]."))
    assert sent.wire == '<x id="1"/> met <x id="2"/> and <x id="3"/>.'
    reply = '<x id="3"/> y <x id="2"/> con <x id="1"/>.'
    restored = restore(sent, reply)
    assert print_text(restored) == "[N2.def_pl] y [N1] con [N1.def]."
    assert bare(restored) == restored


@pytest.mark.parametrize(
    "reply",
    [
        '<x id="1"/> came.',
        '<x id="1"/> <x id="2"/> <x id="2"/> came.',
        '<x id="1"/> <x id="1"/> came.',
        '<x id="1"/> <x id="3"/> came.',
        '<x id="1">them</x> <x id="2"/> came.',
        '<x id="1"><b/></x> <x id="2"/> came.',
        '<x id="1"/> <y id="2"/> came.',
        '<x id="1"/> <x id="2" class="z"/> came.',
        '<x id="1"/> <x/> came.',
        '<x id="1"/> <x id="2"> came.',
        '<x id="1"/> <x id="２"/> came & went.',
        '<x id="1"/> <x id="²"/> came.',
        '<x id="1"/> <x id="2"/> came.&nbsp;',
    ],
)
def test_what_comes_back_damaged_stays_as_it_came(reply: str) -> None:
    """And is flagged; brackets in it are no slots."""
    source = parse_text("[N1] and [N2] came.")
    text = restore(protect(source), f"{reply} [N1]")
    assert text.slots == ()
    assert parse_text(print_text(text)) == SlotText((f"{reply} [N1]",))
    assert {Flag.MARKUP, Flag.SLOTS} & set(inspect(source, text, "ko"))


@pytest.mark.parametrize(
    ("source", "target", "language", "flags"),
    [
        ("[N1] and [N2] came.", "[N1]과 [N2]가 왔다.", "ko", set()),
        ("[N1] and [N2] came.", "[N1]과[N2]가 왔다.", "ko", {Flag.SPACING}),
        ("[N1] and [N2] came.", "[N1] 은 [N2]가 왔다.", "ko", {Flag.SPACING}),
        ("[N1] and [N2] came.", "[N1] 이 사람과 [N2] 왔다.", "ko", set()),
        ("Then [N1] came.", "Dann kam[N1].", "de", {Flag.SPACING}),
        ("Then [N1] came.", "Dann kam [N1] .", "de", {Flag.SPACING}),
        ("Then [N1] came.", "Dann [N1]kam.", "de", {Flag.SPACING}),
        ("Then [N1] came.", "Dann kam „[N1]“.", "de", set()),
        ("Then [N1] came.", "それから[N1]が来た。", "ja", set()),
        ("At the shop [N1] and [N2] met.", "[N1] [N2] En la tienda se vieron.", "es", {Flag.MOVED}),
        ("At the shop [N1] came.", "[N1] 가게에 왔다.", "ko", {Flag.MOVED}),
        ("At the shop [N1] came.", "[N1]이 가게에 왔다.", "ko", set()),
        ("The [N1] came.", "[N1] vino.", "es", set()),
        ("[N1] rose, [N2] slept.", "[N2] stand auf, [N1] schlief.", "de", {Flag.ORDER}),
        (
            "[N1] met [N2]. [N1] rose, [N2] slept.",
            "[N1] traf [N2]. [N2] stand auf, [N1] schlief.",
            "de",
            {Flag.ORDER},
        ),
        ("[N1] saw [W1] and [W2].", "[W1]和[W2]，[N1]看到了。", "zh", set()),
        ("[N1] saw [W1] and [W2].", "[N1]看到[W2]和[W1]。", "zh", {Flag.ORDER}),
        ("[N1] saw [N2].", "[N1] vio al [N2|=cansado/cansada] y a [N2].", "es", set()),
        ("Who hums?", "Who hums?", "de", {Flag.SAME}),
        ("[N1]", "[N1]", "ko", set()),
        ("Who hums?", "", "ko", {Flag.EMPTY}),
        ("[N1] hums.", "[N1]", "ko", {Flag.EMPTY}),
        ("The [N1]", "[N1]", "ko", set()),
        ("The [N1]", "", "ko", {Flag.EMPTY, Flag.SLOTS}),
        ("[N1] hums.", "[N1] [N1]", "ko", {Flag.EMPTY, Flag.SLOTS}),
        ("Who hums?", "누가 &quot;흥얼&quot;?", "ko", {Flag.MARKUP}),
        ("R&D hums.", "R&D가 흥얼거린다.", "ko", set()),
        ("[N1] came.", "[N2]가 왔다.", "ko", {Flag.SLOTS}),
        ("[N1] came.", "[N1] [N1]가 왔다.", "ko", {Flag.SLOTS}),
        ("[N1] was tired.", "[N1|el/la] estaba [N1|=cansado/cansada].", "es", set()),
        ("[N1] was tired.", "Muy [N1|=cansado/cansada] , [N1|el/la] salió.", "es", set()),
        ("[N1] was tired.", "[N1|el/la] estaba [N1: cansado, cansada].", "es", set()),
        ("[N1] was tired.", "[N1|=cansado/cansada] estaba.", "es", {Flag.SLOTS}),
        ("[N1] was tired.", "[N1|el/la] y [N1|un/una].", "es", {Flag.SLOTS}),
        ("Who was tired?", "¿Quién estaba [N1|=cansado/cansada]?", "es", set()),
    ],
)
def test_what_a_person_has_to_look_at_is_flagged(
    source: str, target: str, language: str, flags: set[Flag]
) -> None:
    """What a language does of itself is not."""
    assert set(inspect(parse_text(source), parse_text(target), language)) == flags


_LITERAL = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]), min_size=1, max_size=12
).filter(lambda text: text.strip() == text)
_PARTS = st.lists(
    st.one_of(_LITERAL, st.sampled_from(["N1", "N2", "W1"]).map(Slot)), min_size=1, max_size=8
)


@given(_PARTS)
def test_an_engine_that_changes_nothing_changes_nothing(parts: list[str | Slot]) -> None:
    """Protected and restored, a text is itself with bare slots."""
    text = parse_text(print_text(SlotText(tuple(parts))))
    assert restore(protect(text), protect(text).wire) == bare(text)
    fillers = {"N1": "Ann <3", "W1": "&"}
    assert restore(protect(text, fillers), protect(text, fillers).wire) == bare(text)
