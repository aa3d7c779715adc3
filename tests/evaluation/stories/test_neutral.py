"""Texts in which the two people are 'one' and 'the other'."""

import pytest

from curation.records.culture import StorySettings
from curation.records.errors import CurateError
from curation.slots import parse_lists
from evaluation.stories.languages import StoryLanguage, story_language
from evaluation.stories.neutral import Neutral, neutralise

LISTS = parse_lists("N1: [knitter, quilter]; N2: [climber]; W1: [shed, barn]")


def neutral(text: str, language: StoryLanguage, *, published: bool = False) -> Neutral:
    """Make an English text neutral."""
    return neutralise(text, LISTS, "en", language, published=published)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[N1: The knitter, The quilter] ran, [N2: the climber] sat.", "One ran, the other sat."),
        # The first who is mentioned is one, whichever slot that is.
        ("[N2: The climber] ran after [N1: the knitter, the quilter].", "One ran after the other."),
        # An article before the slot goes with the name.
        ("The [N1] man helped the [N2] one.", "One man helped the other one."),
        ("a [N1] or an [N2]", "One or the other"),
        ("Bathe [N1] and breathe [N2]", "Bathe one and breathe the other"),
        # Sentence beginnings are capitalised again, also after a quotation or a question.
        ("It rained! [N1: the knitter, the quilter] ran.", "It rained! One ran."),
        ('He asked: "why?" [N2: The climber] knew.', 'He asked: "why?" One knew.'),
        ('"[N1: The knitter, The quilter] ran," they said.', '"One ran," they said.'),
        ("So it was: [N1] ran. And [N2] sat.", "So it was: one ran. And the other sat."),
        # A full stop after an abbreviation ends no sentence.
        ("They met Dr. [N1] and [N2].", "They met Dr. one and the other."),
        # A person who is mentioned again is the same.
        ("[N1] met [N2]. [N1] ran.", "One met the other. One ran."),
        # Possessive endings stay, wherever they stand.
        ("[N1]'s dog bit [N2: the climber's] cat.", "One's dog bit the other's cat."),
        ("In the [W1] [N1] sat.", "In the barn one sat."),
    ],
)
def test_english_people_become_placeholders(
    english: StoryLanguage, text: str, expected: str
) -> None:
    """By order of first mention, without their articles."""
    made = neutral(text, english)
    assert made.render(LISTS, ("N1", "N2", "W1"), (0, 0, 1), "en") == expected
    assert made.unformed == ()


def test_the_map_gives_back_what_stood_there(english: StoryLanguage) -> None:
    """By role and placeholder, in the form of the filling."""
    made = neutral("[N2: The climber] ran after [N1: the knitter, the quilter].", english)
    assert made.phrases(LISTS, ("N1", "N2"), (1, 0), "en") == {
        "one": {"one": "The climber"},
        "other": {"the other": "the quilter"},
    }


def test_a_person_named_in_several_ways_has_them_all(english: StoryLanguage) -> None:
    """Capitals alone make no other way, and the last one stands."""
    made = neutral("[N1: The knitter, The quilter] ran. So did [N1: the knitter, the q].", english)
    phrases = made.phrases(LISTS, ("N1",), (0,), "en")
    assert phrases == {"one": {"one": "the knitter"}}
    phrases = made.phrases(LISTS, ("N1",), (1,), "en")
    assert phrases == {"one": {"one": ["The quilter", "the q"]}}


def test_words_that_change_stay_slots(english: StoryLanguage) -> None:
    """What people edit is the story of all fillings."""
    made = neutral("[N1] sweeps the [W1]; [N2] does not.", english)
    assert made.printed == "One sweeps the [W1]; the other does not."
    edited = made.edited("One sweeps a [W1].")
    assert edited.render(LISTS, ("N1", "N2", "W1"), (0, 0, 0), "en") == "One sweeps a shed."
    assert edited.mentions == made.mentions


def test_the_published_way_can_be_had(english: StoryLanguage) -> None:
    """Later sentences begin with small letters, and 'the' goes before every slot."""
    made = neutral("The [N1] ran. All the [W1] fell. I saw the [N2].", english, published=True)
    text = made.render(LISTS, ("N1", "N2", "W1"), (0, 0, 0), "en")
    assert text == "One ran. all shed fell. i saw the other."


NAMED = parse_lists(
    "N1: [knitter {def: the knitter, poss: the knitter's}, quilter {def: the quilter, "
    "poss: the quilter's}]; N2: [climber]"
)


def test_a_named_form_becomes_a_placeholder_as_a_listed_one_does(english: StoryLanguage) -> None:
    """Its article goes, its possessive ending stays, and the map gives the form."""
    made = neutralise("[N2] saw [N1.def]. [N1.poss] dog ran.", NAMED, "en", english)
    assert (
        made.render(NAMED, ("N1", "N2"), (0, 0), "en") == "One saw the other. The other's dog ran."
    )
    assert made.unformed == ()
    assert made.phrases(NAMED, ("N1", "N2"), (1, 0), "en")["other"] == {
        "the other": "the quilter",
        "the other's": "the quilter's",
    }
    lacking = neutralise("[N2.def] ran.", NAMED, "en", english)
    assert (lacking.unformed, lacking.printed) == (("N2",), "One ran.")


KOREAN = parse_lists("N1: [할아버지, 노인]; N2: [산악회 회원]; W1: [책]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[N1|은/는] 늦었고 [N2|이/가] 왔다.", "한 사람은 늦었고 다른 한 사람이 왔다."),
        ("[N1: 할아버지는, 노인은] 늦었다. [N2] 말이다.", "한 사람은 늦었다. 다른 한 사람 말이다."),
        # One form alone shows its particle too: the placeholder takes its own.
        ("[N2: 산악회 회원으로] 보였다. [N1: 할아버지, 노인]", "한 사람으로 보였다. 다른 한 사람"),
        (
            "[N1: 할아버지와의, 노인과의] 약속, [N2: 산악회 회원의] 책",
            "한 사람과의 약속, 다른 한 사람의 책",
        ),
        ("[N1: 그 할아버지에게, 그 노인에게] 주었다.", "한 사람에게 주었다."),
        ("그 [N1|을/를] 보았다.", "한 사람을 보았다."),
        # A form may name somebody more shortly.
        ("[N2: 회원은] [W1|을/를] 읽었다.", "한 사람은 책을 읽었다."),
    ],
)
def test_korean_placeholders_take_their_particles(
    korean: StoryLanguage, text: str, expected: str
) -> None:
    """By their own last sound, whatever that of the names is."""
    made = neutralise(text, KOREAN, "ko", korean)
    assert made.render(KOREAN, ("N1", "N2", "W1"), (0, 0, 0), "ko") == expected
    assert made.unformed == ()


def test_a_cultures_own_placeholders_take_particles_too() -> None:
    """A placeholder that ends in a vowel takes the other side."""
    language = story_language("ko", StorySettings(placeholders=("하나", "둘")))
    made = neutralise("[N1: 할아버지는, 노인은] [N2|으로/로] 갔다.", KOREAN, "ko", language)
    assert made.printed == "하나는 둘로 갔다."
    assert made.phrases(KOREAN, ("N1", "N2"), (1, 0), "ko") == {
        "one": {"하나는": "노인은"},
        "other": {"둘로": "산악회 회원으로"},
    }


def test_forms_without_a_rule_are_told(korean: StoryLanguage) -> None:
    """The bare placeholder stands there, to be edited."""
    made = neutralise("[N1: 영감은, 어르신께서는] 늦었다.", KOREAN, "ko", korean)
    assert (made.unformed, made.printed) == (("N1",), "한 사람 늦었다.")


def test_a_language_without_placeholders_asks_for_them() -> None:
    """They are a setting of the culture."""
    with pytest.raises(CurateError, match="no words are known for 'one'") as caught:
        story_language("eu", StorySettings())
    assert caught.value.where == "culture.yaml, stories"
    language = story_language("eu", StorySettings(placeholders=("bata", "bestea")))
    text = neutralise("[N1] etorri zen. [N2] ez.", LISTS, "eu", language)
    assert text.printed == "Bata etorri zen. Bestea ez."


def test_two_placeholders_alike_are_refused() -> None:
    """They would leave nothing to tell the two apart by."""
    with pytest.raises(ValueError, match="write two different ones"):
        StorySettings(placeholders=("one", "One"))
