"""Filling slots."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.slots import (
    Filler,
    FillError,
    Slot,
    compile_text,
    form_of,
    generalise,
    parse_lists,
    parse_text,
)
from curation.slots.agreement import agreement_for

FILLERS = [Filler("서울"), Filler("부산")]


def filled(text: str, lists: str, language: str = "en") -> list[str]:
    """Fill a text with every combination of two lists' positions that are equal."""
    declared = parse_lists(lists)
    compiled = compile_text(parse_text(text), declared, tuple(declared), language)
    count = min(len(item.fillers) for item in declared.values())
    return [compiled.render([at] * len(declared)) for at in range(count)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[N1] met [N2].", ["Ann met Bob.", "Ivy met Ben."]),
        ("[N1: Miss Ann, Miss Ivy] and [N1]", ["Miss Ann and Ann", "Miss Ivy and Ivy"]),
        ("[N1|A/An] left [N2|a/an]", ["An Ann left a Bob", "An Ivy left a Ben"]),
        (" no slot at all ", ["no slot at all", "no slot at all"]),
        (r"\[[N1]\]", ["[Ann]", "[Ivy]"]),
    ],
)
def test_a_slot_takes_filler_form_or_agreement(text: str, expected: list[str]) -> None:
    """Forms stand in the order of the fillers; blanks at either end go."""
    assert filled(text, "N1: [Ann, Ivy]; N2: [Bob, Ben]") == expected


@pytest.mark.parametrize(
    ("slot", "filler", "index", "language", "what"),
    [
        (Slot("N1", forms=("a",)), "b", 1, "en", "slot N1 lists 1 forms, none for 'b'"),
        (
            Slot("N1", agreement="은/는"),
            "John",
            0,
            "ko",
            "the form of 'John' cannot be known for [N1|은/는]",
        ),
        (
            Slot("N1", agreement="의/의"),
            "서울",
            0,
            "ko",
            "'의/의' is not a pair of Korean particles",
        ),
        (Slot("N1", agreement="el/la"), "a", 0, "pt", "no agreement is known for language 'pt'"),
        (Slot("N1", agreement="the"), "a", 0, "en", "'the' is not a/an or A/An"),
        (Slot("N1", named="def"), "nieta", 0, "es", "'nieta' has no form 'def' for [N1.def]"),
    ],
)
def test_a_filler_without_a_form_is_refused(
    slot: Slot, filler: str, index: int, language: str, what: str
) -> None:
    """Nothing is guessed, and it is said what would help."""
    with pytest.raises(FillError) as refused:
        form_of(slot, Filler(filler), index, language)
    assert refused.value.what.startswith(what)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("forms", "general"),
    [
        (None, Slot("N1")),
        (("서울", "부산"), Slot("N1")),
        (("서울은", "부산은"), Slot("N1", agreement="은/는")),
        (("서울로", "부산으로"), Slot("N1", agreement="으로/로")),
        (("서울이랑", "부산이랑"), Slot("N1", agreement="이랑/랑")),
        (("서울이에요", "부산이에요"), Slot("N1", agreement="이에요/예요")),
        (("서울으로", "부산으로"), None),
        (("서울은", "부산는"), None),
        (("서울 사람", "부산 사람"), None),
        (("부산", "서울"), None),
        (("서울은",), None),
        (("서울은", "부산은", "대구는"), None),
    ],
)
def test_listed_forms_are_generalised_only_where_a_rule_gives_them_all(
    forms: tuple[str, ...] | None, general: Slot | None
) -> None:
    """One form that differs, or another number of forms, and there is no rule."""
    assert generalise(Slot("N1", forms=forms), FILLERS, "ko") == general


def test_forms_without_fillers_follow_no_rule() -> None:
    """An open list has none to compare with."""
    assert generalise(Slot("N1", forms=("a",)), [], "ko") is None
    assert generalise(Slot("N1", forms=("a는",)), [Filler("a")], "de") is None
    assert generalise(Slot("N1", forms=("a",)), [Filler("a")], "de") == Slot("N1")


@given(
    st.lists(st.sampled_from(["서울", "부산", "대구", "길", "나", "밭"]), min_size=1, unique=True),
    st.sampled_from(["", *(agreement_for("ko").common)]),  # type: ignore[union-attr]
)
def test_what_a_rule_made_is_generalised_to_a_rule_that_makes_it(
    names: list[str], pair: str
) -> None:
    """Forms made by an agreement give back an agreement that makes the same forms."""
    fillers = [Filler(name) for name in names]
    slot = Slot("N1", agreement=pair or None)
    forms = tuple(form_of(slot, filler, 0, "ko") for filler in fillers)
    general = generalise(Slot("N1", forms=forms), fillers, "ko")
    assert general is not None
    assert tuple(form_of(general, filler, 0, "ko") for filler in fillers) == forms


@pytest.mark.parametrize(
    ("language", "text", "filler", "filled"),
    [
        (
            "es",
            "[N1|el/la] vino. Luego [N1|el/la] cantó.",
            "nieta {gender: f}",
            "La nieta vino. Luego la nieta cantó.",
        ),
        ("es", "¿[N1|el/la]? Sí.", "nieto {gender: m}", "¿El nieto? Sí."),
        ("tr", "Sustu. [N1|-(y)i] gören sustu.", "dede", "Sustu. Dedeyi gören sustu."),
        ("en", "He left. [N1|a/an] came.", "actor", "He left. an actor came."),
    ],
)
def test_what_agrees_has_a_capital_where_its_slot_names_no_case(
    language: str, text: str, filler: str, filled: str
) -> None:
    """In English the alternatives are a/an and A/An."""
    lists = parse_lists(f"N1: [{filler}]")
    assert compile_text(parse_text(text), lists, ["N1"], language).render([0]) == filled
