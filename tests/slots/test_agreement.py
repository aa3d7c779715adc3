"""Agreement of a form with its filler: tables by hand in `agreement.yaml`."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import own_yaml
from curation.slots.agreement import agreement_for, final_sound, starts_with_vowel_sound
from curation.slots.grammar import Filler, parse_fillers

TABLES = own_yaml(Path(__file__).with_name("agreement.yaml").read_text("utf-8"))
SYLLABLES = st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣"))


def rules(language):
    found = agreement_for(language)
    assert found is not None
    return found


def test_a_particle_follows_the_final_sound():
    """A final ㄹ counts as a vowel for 으로 and its compounds only; the order is free."""
    for pair, *expected in TABLES["particles"]:
        for written in (pair, "/".join(reversed(pair.split("/"))), pair.replace("/", " / ")):
            names = ("학생", "가수", "서울")
            assert [rules("ko").form(Filler(name), written) for name in names] == expected


def test_the_final_sound_is_read_from_hangul_alone():
    """Letters, digits and loose jamo are read in more than one way, and so in none."""
    known = {"가": 0, "서울": 8, "밭": 25, "힣": 27, "'서울'": 8, "「나무」": 0, " 나무 ": 0}
    unknown = ("John", "20", "서울(수도)", "ㄱ", "", unicodedata.normalize("NFD", "서울"))
    for name, final in {**known, **dict.fromkeys(unknown)}.items():
        assert final_sound(name) == final, name


@given(st.text(SYLLABLES, min_size=1, max_size=4))
def test_every_hangul_name_has_one_particle(name):
    """It is the first of the pair exactly when the last syllable is closed."""
    closed = len(unicodedata.normalize("NFD", name[-1])) == 3
    assert rules("ko").form(Filler(name), "은/는") == name + ("은" if closed else "는")


FIRST_SOUND = {
    True: "apple umbrella hour honest heir honour hourly onion onerous Oneida oboe usher utter "
    "urban urgent uncle unaware unidentified unimportant uninsured Uzbek Urdu ugly Italian "
    "Afghan Ethiopian old elderly Iranian un-American I",
    False: "bus university uniform union useful usual user utensil Utah utopian uterus Ukrainian "
    "Ugandan Uruguayan urologist unanimous European eulogy ewe one one-eyed once hotel Hispanic "
    "historian Yemeni youth year woman ubiquitous ukulele",
    None: "18-year-old FBI-agent NASA X-ray U.S. Émile 김 ytterbium -",
}


def test_the_article_follows_the_first_sound():
    """Sound, not letter; what may be read in two ways is not read at all."""
    for vowel, names in FIRST_SOUND.items():
        for name in names.split():
            assert starts_with_vowel_sound(name) is vowel, name


def test_a_word_follows_what_the_list_says_of_a_name():
    """Gender, number and case; suffixes by vowel harmony; a reading where the spelling is mute."""
    for language, filler, alternatives, form in TABLES["forms"]:
        found = rules(language).form(*parse_fillers(f"[{filler}]"), alternatives)
        assert found == form, (language, filler)


def test_what_is_not_known_is_asked_for():
    """Nothing is guessed; the hint is what can be written."""
    for language, filler, alternatives, hint in TABLES["hints"]:
        (known,) = parse_fillers(f"[{filler}]")
        assert rules(language).form(known, alternatives) is None, (language, filler)
        assert hint in rules(language).hint(known), (language, filler)


def test_alternatives_that_a_language_has_no_rule_for():
    """The message shows one that it has; a wrong pair would go unnoticed in every sentence."""
    for language, alternatives, message in TABLES["refused"]:
        with pytest.raises(ValueError, match=r"there must be|is not|write") as refused:
            rules(language).form(Filler("x"), alternatives)
        assert message in str(refused.value)
