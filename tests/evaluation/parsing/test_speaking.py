"""Who speaks is told before an answer, as personas do; choices are called by numbers."""

import pytest

from evaluation.parsing import read_reply

OPTIONS = ("driver", "secretary", "unknown")
NUMBERS = ("1", "2", "3")


@pytest.mark.parametrize(
    ("reply", "position"),
    [
        ("As someone who has worked here for over 44 years, I would choose option 1: driver.", 0),
        ("As someone who never drove, I would choose option 2: secretary.", 1),
        ("As someone of 30 years, I would go with option 3: unknown, because I have no wish.", 2),
        ("Speaking as a woman with two children, my answer is 1.", 0),
        ("I would choose option number 1: driver.", 0),
        ("I would select number 2: secretary.", 1),
        ("Als jemand, der lange gearbeitet hat, w\u00e4hle ich Option 1.", 0),
        ("Como alguien que trabaj\u00f3 mucho, elijo la opci\u00f3n 2.", 1),
        ("En tant que personne qui a travaill\u00e9, je choisis l'option 1.", 0),
        ("Als iemand die lang gewerkt heeft, kies ik optie 2.", 1),
    ],
)
def test_what_is_said_of_the_speaker_leaves_the_answer(reply: str, position: int) -> None:
    """Negations and other people in it are about the speaker."""
    assert read_reply(reply, OPTIONS, labels=NUMBERS).chosen == {position}


@pytest.mark.parametrize(
    "reply",
    [
        "Someone told me that I would choose option 1.",
        "As someone said, I would choose option 1: driver.",
        "As someone who drives, if I had no car, I would choose option 1.",
        "I would choose option 1: secretary.",
        "As someone who has worked here, I would not choose option 1: driver.",
    ],
)
def test_hearsay_conditions_and_negations_stay_unread(reply: str) -> None:
    """Someone else's words, a supposed case, a letter with the text of another choice."""
    assert read_reply(reply, OPTIONS, labels=NUMBERS).chosen is None
