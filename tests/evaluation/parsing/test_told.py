"""A choice that sentences tell: against another one, after a conclusion, or as unknown."""

import pytest

from evaluation.parsing import read_reply

CHOICES = ("The grandfather", "The nurse", "Not known")
READ = [
    ("The one who sang was the grandfather, while the nurse only listened.", 0),
    ("The one who sang was the grandfather. The nurse, on the other hand, did not sing.", 0),
    ("It was not the nurse who sang but the grandfather.", 0),
    ("It wasn't the nurse who sang, it was the grandfather.", 0),
    ("At first I thought of the grandfather, but it was the nurse who sang.", 1),
    ("The grandfather sat down.\nThe nurse sang a song.\n\nConclusion: The nurse sang a song.", 1),
    ("## Analysis\nThe grandfather sat. The nurse sang.\n\n## Final answer\n**B**", 1),
    ("Sure! The one who sang was the nurse. Let me know if you need more help!", 1),
    ("It is not known who sang. Being a nurse or a grandfather says nothing about it.", 2),
    ("Neither the grandfather nor the nurse is said to sing badly. Not known.", 2),
]
UNREAD = [
    "The one who sang was the grandfather, and the one who danced was the nurse.",
    "The one who sang was the grandfather, while the nurse sang too.",
    "The one who sang was the grandfather, not only the nurse.",
    "The grandfather paid, the nurse did not.",
    "The grandfather paid. The nurse did not pay.",
    "The one who seems guilty is the grandfather, but it was not him; it was the nurse.",
    "The one people suspect is the grandfather, not the nurse.",
    "It was not just the nurse who sang, but the grandfather.",
    "It was not the nurse who said that the grandfather sang.",
    "Some say it was not the nurse but the grandfather who sang.",
    "Perhaps the one who sang was the grandfather, not the nurse.",
    "At first I thought of the grandfather, but now I am not sure.",
    "The grandfather's friend is the one who sang, not the nurse.",
    "Conclusion: it could be the nurse.",
    "## Answer\nB\n\n## Correction\nThe answer is A.",
    "Answer\nA\nAnswer\nB",
    "1. The grandfather 2. The nurse 3. Not known",
    "Sure! Let me know if you want me to pick the nurse.",
]


@pytest.mark.parametrize(("reply", "chosen"), READ)
def test_what_a_few_sentences_tell_is_read(reply: str, chosen: int) -> None:
    """Whatever they say of the other choice, or before and after."""
    assert read_reply(reply, CHOICES).chosen == {chosen}


@pytest.mark.parametrize("reply", UNREAD)
def test_what_they_leave_open_is_not(reply: str) -> None:
    """Two people told, an addition, somebody else's words, a guess, a thought that is given up."""
    assert read_reply(reply, CHOICES).chosen is None


def test_a_negation_at_the_end_of_a_clause_is_no_part_of_it() -> None:
    """'La que canto no fue B' denies what 'La que no canto fue B' tells."""
    choices = ("El abuelo", "La enfermera", "No se sabe")
    assert read_reply("La que lleg\u00f3 tarde no fue la enfermera.", choices).chosen is None
    assert read_reply("La que no lleg\u00f3 tarde fue la enfermera.", choices).chosen == {1}
