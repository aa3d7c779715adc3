"""Texts with their slots filled: forms, contractions, elisions and capitals (`joining.yaml`)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import own_yaml
from curation.slots.agreement import agreement_for, joining_of
from curation.slots.fill import FillError, compile_text, form_of, generalise
from curation.slots.grammar import Filler, Slot, parse_lists, parse_text

TABLES = own_yaml(Path(__file__).with_name("joining.yaml").read_text("utf-8"))
FILLERS = [Filler("서울"), Filler("부산")]


def filled(text, fillers, language):
    """Fill a text with each filler of N1; N2 is always Ana."""
    lists = parse_lists(f"N1: [{fillers}]; N2: [ana {{def: la ana}}]")
    compiled = compile_text(parse_text(text), lists, tuple(lists), language)
    return [compiled.render((at, 0)) for at in range(len(lists["N1"].fillers))]


def test_texts_are_filled():
    """Only named forms contract and take capitals; a name and listed forms stay as they are."""
    for case in TABLES["filled"]:
        language, fillers = case["fillers"]
        for text, expected in case["texts"]:
            assert filled(text, fillers, language) == expected.split(" | "), text


def test_languages_say_what_they_contract():
    """A language of which nothing is known joins nothing."""
    for language, text, form, expected in TABLES["joined"]:
        before, (joined,) = joining_of(language).join(f"{text} ", [form])
        assert before + joined == expected


def test_a_capital_is_that_of_the_language():
    """The first letter, or the letters that the language takes for one."""
    for language, form, expected in TABLES["capitals"]:
        assert joining_of(language).capital(form) == expected


def test_a_filler_without_a_form_is_refused():
    """Nothing is guessed, and it is said what would help."""
    for slot, filler, index, language, what in [
        (Slot("N1", forms=("a",)), "b", 1, "en", "slot N1 lists 1 forms, none for 'b'"),
        (Slot("N1", agreement="은/는"), "John", 0, "ko", "the form of 'John' cannot be known"),
        (Slot("N1", agreement="의/의"), "서울", 0, "ko", "'의/의' is not a pair of Korean"),
        (Slot("N1", agreement="el/la"), "a", 0, "qaa", "no agreement is known for language 'qaa'"),
        (Slot("N1", agreement="the"), "a", 0, "en", "'the' is not a/an or A/An"),
        (Slot("N1", named="def"), "nieta", 0, "es", "'nieta' has no form 'def' for [N1.def]"),
    ]:
        with pytest.raises(FillError) as refused:
            form_of(slot, Filler(filler), index, language)
        assert refused.value.what.startswith(what)
        assert refused.value.hint


def test_listed_forms_are_generalised_only_where_a_rule_gives_them_all():
    """One form that differs, or another number of forms, and there is no rule."""
    table = {
        ("서울", "부산"): Slot("N1"),
        ("서울은", "부산은"): Slot("N1", agreement="은/는"),
        ("서울로", "부산으로"): Slot("N1", agreement="으로/로"),
        ("서울이에요", "부산이에요"): Slot("N1", agreement="이에요/예요"),
    }
    none = ("서울으로 부산으로", "서울은 부산는", "부산 서울", "서울은", "서울은 부산은 대구는")
    table |= dict.fromkeys(tuple(forms.split()) for forms in none)
    for forms, general in table.items():
        assert generalise(Slot("N1", forms=forms), FILLERS, "ko") == general
    assert generalise(Slot("N1"), FILLERS, "ko") == Slot("N1")
    assert generalise(Slot("N1", forms=("a",)), [], "ko") is None
    assert generalise(Slot("N1", forms=("a는",)), [Filler("a")], "de") is None
    assert generalise(Slot("N1", forms=("a",)), [Filler("a")], "de") == Slot("N1")


@given(
    st.lists(st.sampled_from(["서울", "부산", "대구", "길", "나", "밭"]), min_size=1, unique=True),
    st.sampled_from(["", *(agreement_for("ko").common)]),
)
def test_what_a_rule_made_is_generalised_to_a_rule_that_makes_it(names, pair):
    """Forms made by an agreement give back an agreement that makes the same forms."""
    fillers = [Filler(name) for name in names]
    slot = Slot("N1", agreement=pair or None)
    forms = tuple(form_of(slot, filler, 0, "ko") for filler in fillers)
    general = generalise(Slot("N1", forms=forms), fillers, "ko")
    assert general is not None
    assert tuple(form_of(general, filler, 0, "ko") for filler in fillers) == forms
