"""Contractions, elisions and capitals of named forms."""

import pytest

from curation.slots import compile_text, parse_lists, parse_text
from curation.slots.joining import joining_of


def filled(text: str, fillers: str, language: str) -> list[str]:
    """Fill a text with each filler of N1; N2 is always Ana."""
    lists = parse_lists(f"N1: [{fillers}]; N2: [ana {{def: la ana}}]")
    compiled = compile_text(parse_text(text), lists, tuple(lists), language)
    return [compiled.render((at, 0)) for at in range(len(lists["N1"].fillers))]


FORMS = "nieto {def: el nieto}, nieta {def: la nieta}, SV {def: El Salvador}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Es de [N1.def].", ["Es del nieto.", "Es de la nieta.", "Es de El Salvador."]),
        ("A [N1.def], no.", ["Al nieto, no.", "A la nieta, no.", "A El Salvador, no."]),
        ("Sade [N1.def]", ["Sade el nieto", "Sade la nieta", "Sade El Salvador"]),
        ("de  [N1.def]", ["del nieto", "de  la nieta", "de  El Salvador"]),
        ("de [N1: el a, el b, el c]", ["de el a", "de el b", "de el c"]),
        ("de [N1]", ["de nieto", "de nieta", "de SV"]),
        (
            "de [N2.def] y de [N1.def]",
            [f"de la ana y {x}" for x in ("del nieto", "de la nieta", "de El Salvador")],
        ),
    ],
)
def test_a_contraction_joins_a_word_and_a_named_form(text: str, expected: list[str]) -> None:
    """Only those forms that contract; a name keeps its capital, and listed forms are as listed."""
    assert filled(text, FORMS, "es") == expected


@pytest.mark.parametrize(
    ("language", "text", "form", "expected"),
    [
        ("ca", "consells de", "els avis", "consells dels avis"),
        ("ca", "Per", "el carter", "Pel carter"),
        ("ca", "consells de", "l'avi", "consells de l'avi"),
        ("ca", "la veu de", "un avi", "la veu d'un avi"),
        ("ca", "la veu de", "homes", "la veu d'homes"),
        ("ca", "prop de", "iogurts", "prop de iogurts"),
        ("fr", "près de", "les voisins", "près des voisins"),
        ("fr", "À", "le voisin", "Au voisin"),
        ("fr", "vis-à-vis de", "un voisin", "vis-à-vis d'un voisin"),
        ("fr", "près de", "hommes", "près d'hommes"),
        ("fr", "près de", "héros", "près de héros"),
        ("fr", "plus de", "onze voisins", "plus de onze voisins"),
        ("fr", "près de", "l'homme", "près de l'homme"),
        ("it", "vicino a", "l'amica", "vicino all'amica"),
        ("it", "vicino a", "l\u2019amica", "vicino all\u2019amica"),
        ("it", "vicino a", "gli amici", "vicino agli amici"),
        ("it", "vicino a", "gliommeri", "vicino a gliommeri"),
        ("pt", "perto de", "a vizinha", "perto da vizinha"),
        ("pt", "perto de", "ana", "perto de ana"),
        ("pt", "Em", "o bairro", "No bairro"),
        ("de", "Komm zu", "der Nachbarin", "Komm zur Nachbarin"),
        ("de", "Komm zu", "den Nachbarn", "Komm zu den Nachbarn"),
        ("en", "next to", "the neighbour", "next to the neighbour"),
        ("xx", "de", "el", "de el"),
    ],
)
def test_languages_say_what_they_contract(
    language: str, text: str, form: str, expected: str
) -> None:
    """A language of which nothing is known joins nothing."""
    before, (joined,) = joining_of(language).join(f"{text} ", [form])
    assert before + joined == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[N1.def] vino.", "El nieto vino."),
        (" ¿[N1.def]?", "¿El nieto?"),
        ("“[N1.def]” vino.", "“El nieto” vino."),
        ("Vino. [N1.def] no.", "Vino. El nieto no."),
        ("¿Vino? ¡[N1.def]!", "¿Vino? ¡El nieto!"),
        ("«Sí.» [N1.def] no.", "«Sí.» El nieto no."),
        ("Vino; [N1.def] no.", "Vino; el nieto no."),
        ("El Sr. [N1.def]", "El Sr. el nieto"),
        ("Son 3.[N1.def]", "Son 3.el nieto"),
        ("[N2.def] [N1.def]", "La ana el nieto"),
        ("[N2.def]. [N1.def]", "La ana. El nieto"),
        ("[N1] y [N1.base]", "nieto y nieto"),
        ("[N1.base] y [N1]", "Nieto y nieto"),
        ("[N1: el nieto]", "el nieto"),
    ],
)
def test_a_named_form_that_begins_a_sentence_has_a_capital(text: str, expected: str) -> None:
    """At the start of the field or after a full stop; no other form changes."""
    assert filled(text, "nieto {def: el nieto}", "es") == [expected]


@pytest.mark.parametrize(
    ("language", "form", "expected"),
    [
        ("tr", "işçi", "İşçi"),
        ("tr", "ığdır", "Iğdır"),
        ("tr", "istanbul", "İstanbul"),
        ("tr", "i\u0307zmir", "İzmir"),  # what small letters made by a program are
        ("en", "istanbul", "Istanbul"),
        ("nl", "ijsmaker", "IJsmaker"),
        ("nl", "ijJ", "IJJ"),
        ("nl", "islam", "Islam"),
        ("en", "(the) baker", "(The) baker"),
        ("ca", "l'avi", "L'avi"),
        ("en", "3 bakers", "3 bakers"),
        ("en", "", ""),
        ("ko", "나", "나"),
    ],
)
def test_a_capital_is_that_of_the_language(language: str, form: str, expected: str) -> None:
    """The first letter, or the letters that the language takes for one."""
    assert joining_of(language).capital(form) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[N1.def] geldi. [N1.def], dedi",
            "Ilgazlı geldi. Ilgazlı, dedi|İnebolulu geldi. İnebolulu, dedi",
        ),
        ("Bu [N1.def].", "Bu ılgazlı.|Bu inebolulu."),
        (
            "[N1|-de] otur, [N1|-de] kal.",
            "Ilgazda otur, ılgazda kal.|İneboluda otur, ineboluda kal.",
        ),
        ("[N1] geldi.", "ılgaz geldi.|inebolu geldi."),
    ],
)
def test_a_turkish_sentence_begins_with_its_own_capital(text: str, expected: str) -> None:
    """With and without a dot, as the small letter is; the name alone stays as its list has it."""
    names = "ılgaz {def: ılgazlı}, inebolu {def: inebolulu}"
    assert filled(text, names, "tr") == expected.split("|")
