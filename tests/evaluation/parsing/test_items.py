"""Sixth rule: letters beside texts, and lists of items."""

import pytest

from evaluation.parsing import read_reply
from evaluation.parsing.items import Items
from evaluation.parsing.rules import known_rules

ENGLISH = ("The potter", "The baker", "Not enough information")
KOREAN = ("도예가", "제빵사", "알 수 없음")

BESIDE = [
    *(
        (ENGLISH, text)
        for text in ("B: The baker", "B. The baker", "B) The baker", "B - The baker")
    ),
    *(
        (ENGLISH, text)
        for text in ("(B) The baker.", "[B] the baker", "**B.** The baker", "B: baker")
    ),
    *((ENGLISH, text) for text in ("b) a baker", "B – The baker", "B = The baker", "B The baker")),
    *(
        (ENGLISH, text)
        for text in ("The baker (B)", "the baker [B].", "B (The baker)", 'B: "The baker"')
    ),
    *((ENGLISH, text) for text in ("Option B: The baker", "**B: The baker**", "Ｂ：The baker")),
    *((ENGLISH, text) for text in ("B\nThe baker", "B, the baker", "The baker, B")),
    *((KOREAN, text) for text in ("B: 제빵사", "B. 제빵사", "B) 제빵사", "(B) 제빵사", "B 제빵사")),
    *(
        (KOREAN, text)
        for text in ("B:제빵사", "B.제빵사입니다", "Ｂ：제빵사", "【B】 제빵사", "B번 제빵사")
    ),
    *(
        (KOREAN, text)
        for text in ("제빵사 (B)", "제빵사(B)입니다.", "B (제빵사)", "보기 B: 제빵사")
    ),
    *((KOREAN, text) for text in ("B: 제빵사입니다.", "B - 제빵사라고 생각합니다.")),
]


@pytest.mark.parametrize(("choices", "reply"), BESIDE)
def test_a_letter_with_its_own_text_is_read(choices: tuple[str, ...], reply: str) -> None:
    """Before or after it, with any sign between them."""
    assert read_reply(reply, choices).chosen == {1}


CONTRADICTING = [
    *((ENGLISH, text) for text in ("A. The baker", "A: baker", "(A) The baker", "The baker (A)")),
    *((ENGLISH, text) for text in ("A the baker", "B The potter", "C. The potter", "A) a baker.")),
    *((ENGLISH, text) for text in ("The answer is A. The baker", "Answer: A: The baker")),
    *((ENGLISH, text) for text in ("\\boxed{A. The baker}", "B: Not enough information")),
    *(
        (KOREAN, text)
        for text in ("A: 제빵사", "A. 제빵사입니다", "제빵사(A)", "정답은 A. 제빵사입니다")
    ),
    *((KOREAN, text) for text in ("C: 도예가", "A 제빵사", "A번 제빵사", "A (제빵사)")),
]


@pytest.mark.parametrize(("choices", "reply"), CONTRADICTING)
def test_a_letter_with_the_text_of_another_choice_is_a_contradiction(
    choices: tuple[str, ...], reply: str
) -> None:
    """Nobody can tell which of the two was meant."""
    reading = read_reply(reply, choices)
    assert (reading.chosen, reading.rule) == (None, "contradiction")


UNREAD = [
    *("B: The potter was there", "B. Because", "B: baking", "B (maybe)", "B: not the baker"),
    *(
        "B: The baker or the potter",
        "B - no",
        "B. The",
        "B) A",
        "B. C",
        "B: C",
        "Bakers",
        "Bthe baker",
    ),
]


@pytest.mark.parametrize("reply", UNREAD)
def test_a_letter_with_anything_else_is_none(reply: str) -> None:
    """What stands beside a letter must be its text, exactly."""
    assert read_reply(reply, ENGLISH).chosen is None


LISTS = [
    (ENGLISH, "A, C", {0, 2}, "letter"),
    (ENGLISH, "A and C", {0, 2}, "letter"),
    (ENGLISH, "A & C", {0, 2}, "letter"),
    (ENGLISH, "A, B, and C.", {0, 1, 2}, "letter"),
    (ENGLISH, "(A), (C)", {0, 2}, "letter"),
    (ENGLISH, "A.\nC.", {0, 2}, "letter"),
    (ENGLISH, "- A\n- **C**\n", {0, 2}, "letter"),
    (ENGLISH, "A; C", {0, 2}, "letter"),
    (ENGLISH, "A. The potter\nB. The baker", {0, 1}, "letter"),
    (ENGLISH, "The potter and the baker", {0, 1}, "text"),
    (ENGLISH, "A, the baker", {0, 1}, "text"),
    (KOREAN, "Ａ，Ｂ", {0, 1}, "letter"),
    (KOREAN, "A와 B", {0, 1}, "letter"),
    (KOREAN, "A, B 및 C", {0, 1, 2}, "letter"),
    (KOREAN, "A 그리고 B", {0, 1}, "letter"),
    (KOREAN, "A·B", {0, 1}, "letter"),
    (KOREAN, "도예가와 제빵사", {0, 1}, "text"),
    (KOREAN, "도예가랑 제빵사요", {0, 1}, "text"),
    (KOREAN, "A: 도예가\nB: 제빵사\nC: 알 수 없음", {0, 1, 2}, "letter"),
]


@pytest.mark.parametrize(("choices", "reply", "chosen", "rule"), LISTS)
def test_two_choices_are_read_only_where_several_may_be_named(
    choices: tuple[str, ...], reply: str, chosen: set[int], rule: str
) -> None:
    """Where one is asked for, two are out-of-choice."""
    reading = read_reply(reply, choices, several=True)
    assert (reading.chosen, reading.rule) == (chosen, rule)
    one = read_reply(reply, choices)
    assert (one.chosen, one.rule) == (None, "several")


@pytest.mark.parametrize("reply", ["B, B", "B\nB", "B. The baker\nB", "B, the baker", "b; B."])
def test_a_list_of_one_choice_names_it(reply: str) -> None:
    """Said twice is said."""
    assert read_reply(reply, ENGLISH).chosen == {1}


def test_a_list_with_two_readings_is_ambiguous() -> None:
    """Two choices, or the one whose text has a comma: nobody can tell."""
    choices = ("young", "old", "young, old")
    assert read_reply("young, old", choices, several=True).rule == "ambiguous"
    assert read_reply("C. young, old", choices, several=True).chosen == {2}


def test_a_text_that_is_the_letter_of_another_choice_is_ambiguous() -> None:
    """With 'B' as the first text and 'A' as the second, neither letter can be told."""
    assert read_reply("A", ("B", "A")).rule == "ambiguous"
    assert read_reply("A. B", ("B", "A")).chosen == {0}


@pytest.mark.parametrize(
    "text",
    ["A, the potter, and B or the baker.", "A  , and  B , the baker\n and C", "A,B;C & , or A"],
)
def test_the_beginnings_of_a_text_are_read_as_if_each_were_a_text(text: str) -> None:
    """What separates items is known once for all; where it is cut through, it is another."""
    items = Items(known_rules(), ("A", "B", "C"), ENGLISH, None, several=True)
    cuts = items.cuts(text)
    parts = [text[:end].strip() for end in range(len(text), 0, -1)]
    alone = [items.whole(part) for part in parts]
    assert [items.whole(part, cuts) for part in parts] == alone
    assert frozenset({0}) in set().union(*alone)
