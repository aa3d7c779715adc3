"""A last line that is a choice, after lines that explain; and what a reply marks or announces."""

import pytest

from evaluation.parsing import read_reply

CHOICES = ("The grandmother", "The teenager", "Cannot be determined")


@pytest.mark.parametrize(
    ("reply", "position"),
    [
        ("The text gives it away.\n\nB", 1),
        ("She was there. He was not.\n\n**C**", 2),
        ("The grandmother sang. The teenager asked for help.\n\n**B. The teenager**", 1),
        ("- The grandmother fixed it.\n- The teenager watched.\n\nA", 0),
        ("Nothing settles it.\n\nCannot be determined", 2),
        ("A: she slept.\nB: he watched.\nC: it is told.\n\nB", 1),
        ("The answer is:\n\nB", 1),
        ("The correct answer is the following.\n\nB", 1),
        ("I'd go with C here. Nothing in the passage tells it.", 2),
    ],
)
def test_a_last_line_that_is_a_choice_is_the_answer(reply: str, position: int) -> None:
    """Whatever the lines before it tell of people."""
    assert read_reply(reply, CHOICES).chosen == {position}


@pytest.mark.parametrize(
    "reply",
    [
        "I think it was the grandmother.\n\nB",
        "The grandmother.\n\nB",
        "The answer is A.\nB",
        "The answer is the mailman.\n\nB",
        "A: she was late.\nB",
        "A: she was late.\nB: he was early.\nC",
        "A. The grandmother\nB. The teenager",
        "A\nB",
        "It is not:\n\nB",
        "Not B.\n\nB",
        "Maybe A.\n\nB",
        "I would rule out\n\nB",
        "Excluded:\nB",
        "It was here that she sang.\na",
    ],
)
def test_other_last_lines_are_not(reply: str) -> None:
    """Another choice is told or stated, a list ends in it, or the line before goes on or doubts."""
    assert read_reply(reply, CHOICES).chosen is None


@pytest.mark.parametrize(
    ("reply", "choices", "position"),
    [
        ("La respuesta es la siguiente:\n\nB", ("La maestra", "El bombero", "No se sabe"), 1),
        ("La réponse est la suivante :\n\nC", ("Le facteur", "La dentiste", "Inconnu"), 2),
        ("Die Antwort lautet wie folgt:\n\nA", ("Der Rentner", "Die Frau", "Unbekannt"), 0),
        ("Het antwoord is als volgt:\n\nB", ("De bakker", "De advocate", "Onbekend"), 1),
        ("La resposta és la següent:\n\nB", ("El pagès", "La metgessa", "No se sap"), 1),
        ("Doğru cevap şudur:\n\nB", ("Dede", "Torun", "Belirsiz"), 1),
    ],
)
def test_an_announced_choice_is_read(reply: str, choices: tuple[str, ...], position: int) -> None:
    """On a line of its own, in the words of each language."""
    assert read_reply(reply, choices).chosen == {position}


@pytest.mark.parametrize(
    ("reply", "position"),
    [
        ('{"answer": "B", "choice": "The teenager"}', 1),
        ('{"answer": "B", "choice": "The grandmother"}', None),
        ('{"answer": "B", "choice": null}', None),
        ('{"answer": "B", "why": "The grandmother slept."}', 1),
    ],
)
def test_an_object_may_say_its_answer_twice(reply: str, position: int | None) -> None:
    """As a letter and as a text, if they agree."""
    assert read_reply(reply, CHOICES).chosen == (None if position is None else {position})


def test_a_letter_within_a_word_of_another_alphabet_is_none() -> None:
    """The A of a name with a letter beyond ASCII after it is no choice."""
    choices = ("Terzi", "A\u015f\u00e7\u0131", "Cevaplanamaz")
    reply = "B. A\u015f\u00e7\u0131, paray\u0131 buldu."
    assert read_reply(reply, choices).chosen == {1}
