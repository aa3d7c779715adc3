"""Slots on their way through a translation engine, and agreement that its answer asks for."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from curation.languages import Language
from curation.records.messages import own_yaml
from curation.slots.agreement import agreement_for
from curation.slots.grammar import Filler, Slot, SlotText, parse_text, print_text
from curation.slots.protection import Flag, bare, flagged, inspect, propose, protect, restore

TABLES = own_yaml(Path(__file__).with_name("engines.yaml").read_text("utf-8"))


def test_each_occurrence_has_a_tag_of_its_own():
    """Whatever stands in the brackets; three characters are escaped, and no other."""
    sent = protect(parse_text("[N1] \"said\" \\[so\\] of [N1] & [N2: x, y] > 'z'"))
    assert sent.wire == ('<x id="1"/> "said" [so] of <x id="2"/> &amp; <x id="3"/> &gt; \'z\'')
    assert [slot.name for slot in sent.slots] == ["N1", "N1", "N2"]


def test_what_comes_back_whole_is_put_into_slots():
    """In any order; listed forms and agreement are the source language's, a named form stays."""
    sent = protect(parse_text("I saw a [N1: a potter, a miller] & [N2|a/an] <3 at [W1]."))
    reply = '<x id="3"/>에서 <x id="2"></x>와 <x id="1" />를 보았다 &lt;3.'
    assert print_text(restore(sent, reply)) == "[W1]에서 [N2]와 [N1]를 보았다 <3."
    sent = protect(parse_text("[N1.def] met [N1] and [N2.def_pl]."))
    assert sent.wire == '<x id="1"/> met <x id="2"/> and <x id="3"/>.'
    restored = restore(sent, '<x id="3"/> y <x id="2"/> con <x id="1"/>.')
    assert print_text(restored) == "[N2.def_pl] y [N1] con [N1.def]."
    assert bare(restored) == restored


def test_what_comes_back_damaged_stays_as_it_came():
    """And is flagged; brackets in it are no slots."""
    source = parse_text("[N1] and [N2] came.")
    for reply in TABLES["damaged"]:
        text = restore(protect(source), f"{reply} [N1]")
        assert text.slots == ()
        assert parse_text(print_text(text)) == SlotText((f"{reply} [N1]",))
        assert {Flag.MARKUP, Flag.SLOTS} & set(inspect(source, text, "ko")), reply


def test_what_a_person_has_to_look_at_is_flagged():
    """What a language does of itself is not."""
    for source, target, language, *flags in TABLES["flagged"]:
        found = inspect(parse_text(source), parse_text(target), language)
        assert {flag.name for flag in found} == set(flags), (source, target)


def test_what_a_flag_says_is_said_in_the_language():
    """In one of its variants too, and in English where it has no texts for annotators."""
    assert [flagged(Flag.SAME, code) for code in ("ko", "es-MX", "fi")] == [
        "원문과 같음",
        "igual que el original",
        "equals the source",
    ]
    assert all(flagged(flag) for flag in Flag)


def test_a_language_says_itself_how_names_are_written(tmp_path):
    """Endings after a name, and no spaces, are faults only where the language has none of that."""
    texts = parse_text("Then [N1] came."), parse_text("Kve[N1]ma movida.")
    for said, flags in (
        ("", {Flag.SPACING}),
        ("suffixes: true", {Flag.SPACING}),
        ("spaces: false", set()),
    ):
        (tmp_path / "language.yaml").write_text(f"name: Kvelian\n{said}\n", encoding="utf-8")
        assert set(inspect(*texts, Language("qkv", tmp_path))) == flags
        attached = parse_text("Kve [N1]ma movida.")
        assert set(inspect(texts[0], attached, Language("qkv", tmp_path))) == (
            flags if not said else set()
        )


_LITERAL = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]), min_size=1, max_size=12
).filter(lambda text: text.strip() == text)
_PARTS = st.lists(
    st.one_of(_LITERAL, st.sampled_from(["N1", "N2", "W1"]).map(Slot)), min_size=1, max_size=8
)


@given(_PARTS)
def test_an_engine_that_changes_nothing_changes_nothing(parts):
    """Protected and restored, a text is itself with bare slots."""
    text = parse_text(print_text(SlotText(tuple(parts))))
    assert restore(protect(text), protect(text).wire) == bare(text)
    fillers = {"N1": "Ann <3", "W1": "&"}
    assert restore(protect(text, fillers), protect(text, fillers).wire) == bare(text)


def test_what_stands_beside_a_bare_slot_is_proposed_as_agreement():
    """Particles after it and articles before it; where it is not sure nothing is proposed."""
    for language, text, proposed in TABLES["proposed"]:
        found, count = propose(parse_text(text), language)
        assert (print_text(found), count) == (proposed, proposed.count("|"))
    for language, text in TABLES["unsure"]:
        assert propose(parse_text(text), language) == (parse_text(text), 0), text


def test_every_proposal_is_agreement_that_is_known():
    agreement = agreement_for("ko")
    assert agreement is not None
    for particle in ("은", "가", "을", "와", "로", "랑", "나", "과는", "로서", "라도", "으로써"):
        slot, *_ = propose(parse_text(f"[N1]{particle} 끝"), "ko")[0].parts
        assert agreement.form(Filler("솔"), slot.agreement)
