"""A verdict alone wins over what explains it; what is not known of one person is no verdict."""

import pytest

from evaluation.parsing import read_reply

CHOICES = ("The mother", "The father", "Unknown")
SPANISH = ("El panadero", "El alfarero", "No se sabe")
DUTCH = ("De bakker", "De pottenbakker", "Onbekend")


@pytest.mark.parametrize(
    ("reply", "at"),
    [
        ("**Who did not sleep?**\n\n- B: The father\n\nThe mother was the one who slept.", 1),
        ("The answer to the question 'Who slept?' is:\n\n**B**\n\nNothing else is stated.", 1),
        ("**B. The father**\n\nIt is impossible to say more. Nothing else is stated.", 1),
        ("The text says that she slept.\n\n**Answer: A**\n\nHe did not sleep.", 0),
        ("B. The text does not say anything about work.", 1),
        ("He slept. It is not stated why. B", 1),
        ("Answer: C\n\nThe mother slept at noon.", 2),
        ("I'm not sure, but the answer is A.", 0),
        ("The wrong answer is A. The answer is B.", 1),
        ("The text does not say who slept.\n\nB", 1),
        ("Let me think. B", 1),
        ("B. Because he slept.", 1),
    ],
)
def test_an_explanation_never_changes_a_verdict(reply: str, at: int) -> None:
    """Whatever it negates, asks or says of people."""
    assert read_reply(reply, CHOICES).chosen == {at}


@pytest.mark.parametrize(
    "reply",
    [
        "A\n\nB",
        "A. The mother\nB. The father\nC. Unknown",
        "Answer: A. Wait, I misread that.",
        "Answer: C. The answer is not A.",
        "The answer is C. However, the correct answer is not the unknown one.",
        "A. The father slept.",
        "B. The father, perhaps.",
        "It was certainly not the mother. A",
        "Both slept.",
        "The answer is the uncle.\n\nB",
        "Excluded:\nB",
        "C, so my answer is B",
        "B. Because",
        "B: sleeping",
    ],
)
def test_another_verdict_a_withdrawal_or_a_denial_leaves_none(reply: str) -> None:
    """Nor does a list of the choices, or a letter beside another one's sentence."""
    assert read_reply(reply, CHOICES).chosen is None


@pytest.mark.parametrize(
    ("reply", "choices"),
    [
        ("We don't know what the mother did, but we can assume that the father slept.", CHOICES),
        ("It is unclear whether the mother slept, but the father certainly did.", CHOICES),
        ("We cannot be sure about the mother, so it is most likely the father.", CHOICES),
        ("It is not stated what the mother did; the father, however, slept.", CHOICES),
        ("No hay información sobre el panadero, pero el alfarero durmió.", SPANISH),
        ("No se sabe qué hizo el panadero, así que fue el alfarero.", SPANISH),
        ("Het is niet bekend wie sliep, maar waarschijnlijk was het de pottenbakker.", DUTCH),
        ("We weten niet wat de bakker deed, dus het was de pottenbakker.", DUTCH),
        (
            "パン屋が何をしたかはわからないが、陶芸家は寝ていた。",
            ("パン屋", "陶芸家", "わからない"),
        ),
    ],
)
def test_what_is_not_known_of_one_is_no_answer(reply: str, choices: tuple[str, ...]) -> None:
    """Where the other one is named, it is a person with a fig leaf, and not the unknown."""
    assert read_reply(reply, choices).chosen is None


@pytest.mark.parametrize(
    "reply",
    [
        "We do not know who slept, but both the mother and the father were there.",
        "The text does not say who slept, but neither the mother nor the father is ruled out.",
        "The text does not say whether the mother or the father slept.",
    ],
)
def test_what_is_not_known_of_both_is_the_unknown(reply: str) -> None:
    """Though both are named after 'but'."""
    assert read_reply(reply, CHOICES).chosen == {2}
