"""Ninth rule: what is not sure is no answer."""

import pytest

from evaluation.parsing import read_reply
from evaluation.parsing.rules import known_rules

HEDGING = known_rules().hedging

ENGLISH = ("The potter", "The baker", "Not enough information")
KOREAN = ("도예가", "제빵사", "알 수 없음")

HEDGED = [
    *(
        (ENGLISH, text)
        for text in ("maybe A", "Maybe A.", "Perhaps B", "Probably B", "possibly A", "B?")
    ),
    *(
        (ENGLISH, text)
        for text in ("probably B but unsure", "Likely B", "A or B", "A or B.", "either A or B")
    ),
    *(
        (ENGLISH, text)
        for text in ("It might be B.", "It could be the baker.", "It may be A", "B, I guess")
    ),
    *(
        (ENGLISH, text)
        for text in ("The answer is probably B", "The answer might be B", "It seems to be B")
    ),
    *(
        (ENGLISH, text)
        for text in ("The most likely answer is B", "B is the most likely answer", "Maybe, B")
    ),
    *(
        (ENGLISH, text)
        for text in ("The answer is A or B", "The potter or the baker", "Perhaps the baker")
    ),
    *(
        (ENGLISH, text)
        for text in ("It looks like B", "B is possible", "I'm leaning B", "Maybe the answer is B")
    ),
    *((ENGLISH, text) for text in ("Maybe, the answer is B", "Although unsure, the answer is A")),
    *((ENGLISH, text) for text in ("Not sure: B",)),
    *(
        (ENGLISH, text)
        for text in ("The answer is A. But I'm not sure.", "The answer is A. Just a guess.")
    ),
    *(
        (ENGLISH, text)
        for text in ("The answer is A. Wait, it is B.", "Answer: A. Actually, let me look.")
    ),
    *((ENGLISH, text) for text in ("The answer is A. B could also be right.", "Answer: A\nNo, B.")),
    *(
        (ENGLISH, text)
        for text in ("The answer is A. I could be wrong.", "Answer: A\nCorrection: B")
    ),
    *(
        (ENGLISH, text)
        for text in ("The answer is C. If I had to choose, A.", "Answer: A. Or maybe B.")
    ),
    *(
        (KOREAN, text)
        for text in ("아마 A", "아마도 B일 것입니다", "A 또는 B", "A 혹은 B", "A 또는 B입니다")
    ),
    *(
        (KOREAN, text)
        for text in ("B인 것 같습니다", "B일 수도 있습니다", "정답은 B인 것 같습니다", "B일지도")
    ),
    *(
        (KOREAN, text)
        for text in ("제빵사인 것 같습니다", "제빵사인 듯합니다", "도예가 또는 제빵사")
    ),
    *(
        (KOREAN, text)
        for text in ("정답은 A 또는 B입니다", "B라고 추측됩니다", "B일 가능성이 있습니다")
    ),
    *((KOREAN, text) for text in ("B인가요?", "글쎄요, B", "어쩌면 B")),
    *(
        (KOREAN, text)
        for text in ("정답은 A입니다. B도 가능합니다.", "정답은 A입니다. 다시 생각해 보니 B입니다.")
    ),
    *(
        (KOREAN, text)
        for text in ("정답은 A입니다. 확신할 수 없습니다.", "정답은 A입니다. 잠깐, B입니다.")
    ),
]


@pytest.mark.parametrize(("choices", "reply"), HEDGED)
def test_a_hedge_is_out_of_choice(choices: tuple[str, ...], reply: str) -> None:
    """One who is not sure, leaves it at 'or', or takes it back has named no single choice."""
    reading = read_reply(reply, choices)
    assert (reading.chosen, reading.rule) == (None, "hedge")


def test_a_choice_may_hedge_by_itself() -> None:
    """Its text is its text."""
    choices = ("Maybe the baker", "The potter or the baker", "unknown")
    assert read_reply("maybe the baker", choices).chosen == {0}
    assert read_reply("Answer: The potter or the baker", choices).chosen == {1}


def test_weighing_in_an_explanation_is_no_hedge_of_the_answer() -> None:
    """What might be is what the explanation is about; the answer is stated all the same."""
    reply = "The answer is C. It could be either of them, the text does not say it."
    assert read_reply(reply, ENGLISH).chosen == {2}


def test_words_that_only_hold_a_hedge_do_not_hedge() -> None:
    """'For' and 'shift' hold 'or' and 'if'."""
    assert [
        HEDGING.hedges(text) for text in ("for", "shift", "candor", "a or b", "아마추어"[:2])
    ] == [*(False, False, False, True, True)]
    assert [HEDGING.supposes(text) for text in ("if so", "shift", "만약", "그렇다면")] == [
        *(True, False, True, True)
    ]


def test_doubt_before_an_answer_must_be_conceded() -> None:
    """'Not sure, but' hedges the answer; 'not sure who' may be the reason for it."""
    assert HEDGING.doubted("i am not sure, but ", "")
    assert not HEDGING.doubted("i am not sure who, so ", "")
    assert HEDGING.doubted("", "i guess.")
    assert not HEDGING.doubted("", "they guessed.")
