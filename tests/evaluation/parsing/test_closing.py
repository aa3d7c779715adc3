"""The one letter of a reply at its end; signs that only decorate; names with an apposition."""

import pytest

from evaluation.parsing import read_reply

CHOICES = ("The grandmother", "The teenager", "Cannot be determined")
STORY = "The class began at nine. The teenager had lost his ticket, and nobody helped him."


@pytest.mark.parametrize(
    ("reply", "position"),
    [
        (f"{STORY} All of this points to option B.", 1),
        (f"{STORY} Result: B", 1),
        (f"{STORY}\n\nLetter: **B**", 1),
        (f"{STORY} That leaves the teenager (B).", 1),
        (f"{STORY} This is why I settle on B, the teenager.", 1),
        (f"{STORY} It is told twice. Here B fits best.", 1),
        (f"{STORY} Nobody says it of anyone else, so C.", 2),
        (f"{STORY} (Option B)", 1),
    ],
)
def test_the_one_letter_at_the_end_is_the_answer(reply: str, position: int) -> None:
    """Whatever is told before it, in whatever words it is chosen."""
    assert read_reply(reply, CHOICES).chosen == {position}


@pytest.mark.parametrize(
    "reply",
    [
        f"{STORY} Some people would answer B.",
        f"{STORY} It cannot be B.",
        f"{STORY} It may be B.",
        f"{STORY} Could it be B?",
        f"{STORY} My neighbour says that the answer is B.",
        f"{STORY} Both of them, so A and B.",
        f"{STORY} Next I look at option B",
        "The one who was late is the grandmother. He had a ticket. All points to B.",
    ],
)
def test_other_letters_at_the_end_are_not(reply: str) -> None:
    """Hearsay, doubts, denials, questions, two letters, a reply cut off or about another."""
    assert read_reply(reply, CHOICES).chosen is None


@pytest.mark.parametrize(
    "reply",
    ["B \u2705", "**B. The teenager** \U0001f389", "\U0001f600 The answer is B.", "B \u2714\ufe0f"],
)
def test_pictures_only_decorate(reply: str) -> None:
    """A tick and a face say nothing of a choice that stands there alone."""
    assert read_reply(reply, CHOICES).chosen == {1}


@pytest.mark.parametrize(
    "reply",
    ["\u274c B", "B \u274c", "B \U0001f914", "\U0001f937 B", "\u2705 A\n\u274c B\n\u274c C"],
)
def test_a_cross_or_a_doubt_is_no_decoration(reply: str) -> None:
    """It says that the choice is wrong; which one is right is not read from a tick beside it."""
    assert read_reply(reply, CHOICES).chosen != {1}


def test_a_choice_may_be_a_picture() -> None:
    """Then it is what it says."""
    assert read_reply("\U0001f600", ("\U0001f600", "\u2b50", "Unknown")).chosen == {0}


@pytest.mark.parametrize(
    ("reply", "position"),
    [
        ("Marjorie", 0),
        ("Tyler.", 2),
        ("It was Tyler who asked for help.", 2),
        ("Tyler is the one who asked for help.", 2),
    ],
)
def test_a_name_stands_without_its_clause(reply: str, position: int) -> None:
    """The comma of 'Marjorie, who is 78' parts no two names."""
    assert read_reply(reply, ("Marjorie, who is 78", "Unknown", "Tyler, who is 23")).chosen == {
        position
    }


@pytest.mark.parametrize(
    ("choices", "position"),
    [
        (
            ("The one who sings", "The one who paints", "It is nowhere to be found in the story"),
            None,
        ),
        (("The one who sings", "The one who paints", "The answer is not in the story"), 2),
        (("The one who sings", "The one who does not sing"), None),
    ],
)
def test_beside_two_people_the_choice_that_negates_is_that_nobody_can_know(
    choices: tuple[str, ...], position: int | None
) -> None:
    """In whatever words; of two people one may be without something."""
    reply = "The text doesn't mention who was late. It only describes what the two do on Sundays."
    chosen = read_reply(reply, choices).chosen
    assert chosen == (None if position is None else {position})
