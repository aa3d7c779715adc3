"""Eighth rule: what is not so is no answer."""

import pytest

from evaluation.parsing import read_reply
from evaluation.parsing.rules import known_rules

ENGLISH = ("The potter", "The baker", "Not enough information")
KOREAN = ("도예가", "제빵사", "알 수 없음")

NEGATED = [
    *(
        (ENGLISH, text)
        for text in ("not B", "Not B.", "B is wrong", "B is not correct.", "B is incorrect")
    ),
    *((ENGLISH, text) for text in ("It is not B.", "It isn't B", "The answer is not B", "never B")),
    *((ENGLISH, text) for text in ("The answer isn't B.", "The answer is A, not B, or C")),
    *(
        (ENGLISH, text)
        for text in ("Neither A nor B", "Neither.", "The answer is neither A nor B.")
    ),
    *((ENGLISH, text) for text in ("I don't think the answer is B.", "I do not think B is right")),
    *(
        (ENGLISH, text)
        for text in ("It is not true that the answer is B", "The wrong answer is A.")
    ),
    *((ENGLISH, text) for text in ("All except B", "no B")),
    *((ENGLISH, text) for text in ("Not the potter", "The potter (not the baker)")),
    *((ENGLISH, text) for text in ("It's not B", "A is false", "I cannot say A", "I won't say A")),
    *((ENGLISH, text) for text in ("Could not tell", "But we do not know", "Cannot be determined")),
    *(
        (ENGLISH, text)
        for text in ("I don't know", "Not enough info", "The baker is not the answer")
    ),
    *((KOREAN, text) for text in ("B가 아닙니다", "B는 아니다.", "B가 아니에요", "B 아님")),
    *(
        (KOREAN, text)
        for text in ("제빵사가 아닙니다.", "정답은 B가 아닙니다.", "답은 제빵사가 아니에요")
    ),
    *((KOREAN, text) for text in ("B는 틀렸습니다", "B가 아닌 정답은 A")),
    *(
        (KOREAN, text)
        for text in ("틀린 답은 A입니다", "B라고 생각하지 않습니다", "B를 선택하지 않겠습니다")
    ),
    *((KOREAN, text) for text in ("B를 제외한 답", "잘못된 답은 A입니다")),
    *((KOREAN, text) for text in ("아니요, B", "고르지 못하겠습니다 B")),
]


@pytest.mark.parametrize(("choices", "reply"), NEGATED)
def test_a_negation_is_out_of_choice(choices: tuple[str, ...], reply: str) -> None:
    """Wherever it stands, and whatever else is named: nothing is read into it."""
    reading = read_reply(reply, choices)
    assert (reading.chosen, reading.rule) == (None, "negation")


def test_a_choice_may_negate_by_itself() -> None:
    """Its text is its text: 'Not enough information' is no negation of anything else."""
    assert read_reply("Not enough information", ENGLISH).chosen == {2}
    assert read_reply("The answer is: not enough information.", ENGLISH).chosen == {2}
    assert read_reply("not the potter", ("the potter", "not the potter", "unknown")).chosen == {1}


def test_words_that_only_hold_a_negation_do_not_negate() -> None:
    """'Note' and 'nobody' hold letters of 'not' and 'no'."""
    assert [
        known_rules().negation.negates(text)
        for text in ("note", "nobody", "know", "cannot", "won't", "안다")
    ] == [*(False, False, False, True, True, False)]


CONTRASTED = [
    *(
        (ENGLISH, text, 1)
        for text in ("B, not A", "not A but B", "Not the potter, the baker", "B rather than A")
    ),
    *(
        (ENGLISH, text, 0)
        for text in ("It's not B, it's A", "The answer is A, not B", "A and not B or C")
    ),
    *((ENGLISH, text, 2) for text in ("C. Not enough information, not A.", "It is C, not B.")),
    *(
        (KOREAN, text, 1)
        for text in ("A가 아니라 B", "정답은 A가 아니라 B입니다", "A 말고 B", "A는 아니고 B입니다")
    ),
    *((KOREAN, text, 1) for text in ("B입니다. A가 아닙니다.", "도예가가 아니라 제빵사입니다.")),
]


@pytest.mark.parametrize(("choices", "reply", "chosen"), CONTRASTED)
def test_of_a_contrast_the_affirmed_choice_is_read(
    choices: tuple[str, ...], reply: str, chosen: int
) -> None:
    """'B, not A' says B."""
    assert read_reply(reply, choices).chosen == {chosen}


@pytest.mark.parametrize("reply", ["A, not A", "A or B, not C", "A, not B, or perhaps C", "A, not"])
def test_a_contrast_that_leaves_something_open_is_none(reply: str) -> None:
    """What is denied is another choice, and one alone is affirmed."""
    assert read_reply(reply, ENGLISH).chosen is None
