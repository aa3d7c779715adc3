"""Agreement of a form with its filler."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.slots import Filler, parse_fillers
from curation.slots.agreement import agreement_for
from curation.slots.agreement.english import EnglishAgreement, starts_with_vowel_sound
from curation.slots.agreement.korean import KoreanAgreement, final_sound

KOREAN, ENGLISH = agreement_for("ko"), agreement_for("en")
assert isinstance(KOREAN, KoreanAgreement)
assert isinstance(ENGLISH, EnglishAgreement)
SYLLABLES = st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣"))


@pytest.mark.parametrize(
    ("pair", "after_consonant", "after_vowel", "after_rieul"),
    [
        ("은/는", "학생은", "가수는", "서울은"),
        ("이/가", "학생이", "가수가", "서울이"),
        ("을/를", "학생을", "가수를", "서울을"),
        ("과/와", "학생과", "가수와", "서울과"),
        ("으로/로", "학생으로", "가수로", "서울로"),
        ("으로부터/로부터", "학생으로부터", "가수로부터", "서울로부터"),
        ("으로서/로서", "학생으로서", "가수로서", "서울로서"),
        ("이랑/랑", "학생이랑", "가수랑", "서울이랑"),
        ("이나/나", "학생이나", "가수나", "서울이나"),
        ("이라는/라는", "학생이라는", "가수라는", "서울이라는"),
        ("이었다/였다", "학생이었다", "가수였다", "서울이었다"),
        ("이에요/예요", "학생이에요", "가수예요", "서울이에요"),
        ("아/야", "학생아", "가수야", "서울아"),
        ("이여/여", "학생이여", "가수여", "서울이여"),
    ],
)
def test_a_particle_follows_the_final_sound(
    pair: str, after_consonant: str, after_vowel: str, after_rieul: str
) -> None:
    """A final ㄹ counts as a vowel for 으로 and its compounds only; the order is free."""
    expected = {"학생": after_consonant, "가수": after_vowel, "서울": after_rieul}
    for written in (pair, "/".join(reversed(pair.split("/"))), pair.replace("/", " / ")):
        assert {name: KOREAN.form(Filler(name), written) for name in expected} == expected


@pytest.mark.parametrize(
    ("name", "final"),
    [
        ("가", 0),
        ("서울", 8),
        ("밭", 25),
        ("힣", 27),
        ("'서울'", 8),
        ("「나무」", 0),
        (" 나무 ", 0),
        ("John", None),
        ("20", None),
        ("서울(수도)", None),
        ("ㄱ", None),
        ("", None),
        (unicodedata.normalize("NFD", "서울"), None),
    ],
)
def test_the_final_sound_is_read_from_hangul_alone(name: str, final: int | None) -> None:
    """Letters, digits and loose jamo are read in more than one way, and so in none."""
    assert final_sound(name) == final


@given(st.text(SYLLABLES, min_size=1, max_size=4))
def test_every_hangul_name_has_one_particle(name: str) -> None:
    """It is the first of the pair exactly when the last syllable is closed."""
    closed = len(unicodedata.normalize("NFD", name[-1])) == 3
    assert KOREAN.form(Filler(name), "은/는") == name + ("은" if closed else "는")


@pytest.mark.parametrize(
    "written", ["은", "은/은", "은/는/가", "의/의", "a/an", "", "/", "이/", "은/가"]
)
def test_what_is_no_pair_of_particles_is_refused(written: str) -> None:
    """A wrong pair would go unnoticed in every sentence."""
    with pytest.raises(ValueError, match="is not a pair of Korean particles"):
        KOREAN.pair(written)


FIRST_SOUND = {
    True: "apple umbrella hour honest heir honour hourly onion onerous Oneida oboe usher utter "
    "urban urgent uncle unaware unidentified unimportant uninsured Uzbek Urdu ugly Italian "
    "Afghan Ethiopian old elderly Iranian un-American I",
    False: "bus university uniform union useful usual user utensil Utah utopian uterus Ukrainian "
    "Ugandan Uruguayan urologist unanimous European eulogy ewe one one-eyed once hotel Hispanic "
    "historian Yemeni youth year woman ubiquitous ukulele",
    None: "18-year-old FBI-agent NASA X-ray U.S. Émile 김 ytterbium -",
}


@pytest.mark.parametrize(("vowel", "names"), FIRST_SOUND.items())
def test_the_article_follows_the_first_sound(vowel: bool | None, names: str) -> None:
    """Sound, not letter; what may be read in two ways is not read at all."""
    found = {name: starts_with_vowel_sound(name) for name in names.split()}
    assert found == dict.fromkeys(names.split(), vowel)


@pytest.mark.parametrize(
    ("name", "reading", "alternatives", "form"),
    [
        ("Iranian", None, "a/an", "an Iranian"),
        ("Kenyan", None, "A/An", "A Kenyan"),
        ("'old' man", None, " a / an ", "an 'old' man"),
        ("FBI agent", None, "a/an", None),
        ("FBI agent", "eff bee eye", "a/an", "an FBI agent"),
        ("18-year-old", "eighteen", "A/An", "An 18-year-old"),
    ],
)
def test_an_article_stands_before_the_name(
    name: str, reading: str | None, alternatives: str, form: str | None
) -> None:
    """A reading tells the sound where the spelling does not, and the name stays as written."""
    assert ENGLISH.form(Filler(name, reading), alternatives) == form


@pytest.mark.parametrize(
    ("language", "filler", "alternatives", "form"),
    [
        ("es", "nieto {gender: m}", "un/una", "un nieto"),
        ("es", "nieta {gender: f}", "El/La", "La nieta"),
        ("es", "nietas {gender: f, number: p}", "el/la/los/las", "las nietas"),
        ("es", "nieta {gender: f}", "=cansado/cansada", "cansada"),
        ("ca", "home {gender: m}", "el/la", "l'home"),
        ("ca", "neta {gender: f}", "el/la", "la neta"),
        ("fr", "homme {gender: m}", "Le/La", "L'homme"),
        ("fr", "héros {gender: m}", "le/la", "le héros"),
        ("fr", "voisins {gender: m, number: p}", "le/la/les", "les voisins"),
        ("de", "Enkelin {gender: f}", "dem/der", "der Enkelin"),
        ("de", "Kind {gender: n}", "der/die/das", "das Kind"),
        ("de", "Nachbarn {gender: m, number: p}", "dem/der/dem/den", "den Nachbarn"),
        ("nl", "meisje {gender: n}", "de/het", "het meisje"),
        ("hi", "पोती {gender: f}", "=गया/गई", "गई"),
        ("ar", "حفيدة {gender: f}", "=وصل/وصلت", "وصلت"),
        ("tr", "çömlekçi", "-(y)i", "çömlekçiyi"),
        ("tr", "çömlekçi", "-(y)le", "çömlekçiyle"),
        ("tr", "kitapçı", "-(n)in", "kitapçının"),
        ("tr", "kitapçı", "-de", "kitapçıda"),
        ("tr", "doktor", "-dir", "doktordur"),
        ("tr", "torun", "-ler", "torunlar"),
        ("tr", "gözlük", "-de", "gözlükte"),
        ("tr", "kitap {stem: kitab}", "-(y)i", "kitabı"),
        ("tr", "Ahmet", "-(y)i", "Ahmet’i"),
        ("tr", "Ahmet", "-den", "Ahmet’ten"),
        ("tr", "Ahmet", "-ler", "Ahmetler"),
        ("tr", "Ayşe", "-(n)in", "Ayşe’nin"),
        ("tr", "IŞIL", "-(y)e", "IŞIL’a"),
        ("tr", "DJ|dicey", "-(y)e", "DJ’e"),
        ("tr", "Hasan", "-lik", "Hasanlık"),
        ("tr", "general", "-(y)i", "generali"),
        ("tr", "üniversite öğrencisi {possessive: yes}", "-de", "üniversite öğrencisinde"),
        ("tr", "üniversite öğrencisi {possessive: yes}", "-(y)le", "üniversite öğrencisiyle"),
        ("tr", "taksi şoförü {possessive: yes}", "-(y)i", "taksi şoförünü"),
        ("tr", "genç kapıcı {possessive: no}", "-(y)i", "genç kapıcıyı"),
        ("tr", "Ayşe Kulu", "-(y)i", "Ayşe Kulu’yu"),
        ("es", "ama de casa {gender: f}", "el/la", "el ama de casa"),
        ("fr", "voisines {number: p}", "le/la/les", "les voisines"),
        ("hi", "पोतियाँ {gender: f, number: p}", "=का/के/की", "की"),
    ],
)
def test_a_word_follows_what_the_list_says_of_a_name(
    language: str, filler: str, alternatives: str, form: str
) -> None:
    """Gender, number and case of articles; suffixes by vowel harmony and final sound."""
    agreement = agreement_for(language)
    assert agreement is not None
    assert agreement.form(*parse_fillers(f"[{filler}]"), alternatives) == form


@pytest.mark.parametrize(
    ("language", "filler", "alternatives", "hint"),
    [
        ("es", "nieta", "un/una", "nieta {gender: f}"),
        ("de", "Kind {gender: x}", "der/die/das", "gender: f"),
        ("tr", "kitap", "-(y)i", "kitap {stem: ...}"),
        ("tr", "20", "-de", "20|reading"),
        ("tr", "ev hanımı", "-(y)i", "ev hanımı {possessive: yes} or {possessive: no}"),
        ("tr", "ev hanımı {possessive: yes}", "-ler", "list the forms"),
        ("tr", "su", "-(n)in", "list the forms"),
        ("es", "nietas {gender: f, number: p}", "un/una", "un/una/unos/unas"),
    ],
)
def test_what_is_not_known_is_asked_for(
    language: str, filler: str, alternatives: str, hint: str
) -> None:
    """Nothing is guessed; the hint is what can be written."""
    agreement = agreement_for(language)
    assert agreement is not None
    (known,) = parse_fillers(f"[{filler}]")
    assert agreement.form(known, alternatives) is None
    assert hint in agreement.hint(known)


@pytest.mark.parametrize(
    ("language", "alternatives", "message"),
    [
        ("es", "un/una/unos", "there must be 2 or 4, such as un/una"),
        ("es", "un/", "there must be 2 or 4"),
        ("de", "der", "has 1 alternatives; there must be 2 or 3 or 4"),
        ("tr", "-xyz", "is not one of the suffixes -(y)i, -(n)in, -(y)e"),
        ("tr", "-yi", "is not one of the suffixes -(y)i"),
        ("es", "una/un", "has the wrong order: write un/una"),
    ],
)
def test_alternatives_that_a_language_has_no_rule_for(
    language: str, alternatives: str, message: str
) -> None:
    """The message shows one that it has."""
    agreement = agreement_for(language)
    assert agreement is not None
    with pytest.raises(ValueError, match=re.escape(message)):
        agreement.form(Filler("x"), alternatives)
