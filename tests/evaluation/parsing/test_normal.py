"""Second rule: what only decorates says nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.parsing.normal import (
    STATED_CLOSE,
    STATED_OPEN,
    unmarked,
)
from evaluation.parsing.rules import known_rules

NORMAL = known_rules().normal

CASES = [
    ("B", "B"),
    ("  B \n\n", "B"),
    ("Ｂ", "B"),
    ("Ⓑ", "B"),
    ("ⓑ", "b"),
    ("🅑", "B"),
    ("🅱", "B"),
    ("𝐁", "B"),
    ("⒝", "(b)"),
    ("②", "2"),
    ("❷", "2"),
    ("（Ｂ）", "(B)"),
    ("Ｂ．", "B."),
    ("**B**", "B"),
    ("*B*", "B"),
    ("__B__", "B"),
    ("_B_", "B"),
    ("***B***", "B"),
    ("`B`", "B"),
    ("```\nB\n```", "B"),
    ("```json\nB\n```", "B"),
    ("<b>B</b>", "B"),
    ("<p>B</p>", "B"),
    ("# B", "B"),
    ("### B", "B"),
    ("> B", "B"),
    ("- B", "B"),
    ("• B", "B"),
    ("- **B**", "B"),
    ("✅ B", "B"),
    ("👉 B", "B"),
    ("=> B", "B"),
    ("$B$", "B"),
    ("\\(B\\)", "B"),
    ("\\text{B}", "B"),
    ("“B”", '"B"'),
    ("it’s", "it's"),
    ("A – B", "A - B"),
    ("A\u200bB", "AB"),
    ("a\t b", "a b"),
    ("a\r\nb", "a\nb"),
    # what is more than decoration stays
    ("❌ B", "❌ B"),
    ("~~B~~", "~~B~~"),
    ("A * B * C", "A * B * C"),
    ("snake_case_name", "snake_case_name"),
    ("$5 and $7", "$5 and $7"),
    ("not B", "not B"),
]


@pytest.mark.parametrize(("text", "plain"), CASES)
def test_decoration_is_taken_off(text: str, plain: str) -> None:
    """Width, type, bullets, fences and blanks go; characters that mean something stay."""
    assert NORMAL.normalised(text) == plain


MARKED = [
    ("\\boxed{B}", "B"),
    ("$\\boxed{B}$", "B"),
    ("$$\\boxed{\\text{B}}$$", "B"),
    ("\\boxed{\\mathbf{B}}", "B"),
    ("<answer>B</answer>", "B"),
    ("<ANSWER> B </ANSWER>", " B "),
    ('{"answer": "B"}', "B"),
    ('{"answer": 2}', "2"),
    ('{"reason": "A is old", "Answer": "B"}', "B"),
    ('{"정답": "B"}', "B"),
    ('```json\n{"answer": "B"}\n```', "B"),
]


@pytest.mark.parametrize(("text", "inner"), MARKED)
def test_boxes_tags_and_objects_mark_an_answer(text: str, inner: str) -> None:
    """What stands in them is kept between two characters, for the rule of stated answers."""
    assert NORMAL.normalised(text) == f"{STATED_OPEN}{inner}{STATED_CLOSE}"
    assert unmarked(NORMAL.normalised(text)) == inner


UNMARKED = [
    '{"reason": "B"}',
    '{"answer": true}',
    '{"answer": ["B"]}',
    '["B"]',
    '{"answer": "B"',
    "<answer>B",
    f"{STATED_OPEN}B{STATED_CLOSE}",
]


@pytest.mark.parametrize("text", UNMARKED)
def test_nothing_else_is_marked(text: str) -> None:
    """No answer is guessed, and the characters themselves cannot be smuggled in."""
    assert STATED_OPEN not in NORMAL.normalised(text)


KEYS = [
    ("The Potter.", "the potter"),
    ("the  potter", "the potter"),
    ("**The potter**", "the potter"),
    ("할아버지", "할아버지"),
    ("알 수 없음", "알수없음"),
    ("알 수없음.", "알수없음"),
    ("Dr. Kim", "dr. kim"),
    ("", ""),
    ("...", ""),
]


@pytest.mark.parametrize(("text", "key"), KEYS)
def test_texts_are_compared_by_what_they_share(text: str, key: str) -> None:
    """Case and final stops make no difference; in Korean neither do blanks."""
    assert NORMAL.key(text) == key


def test_an_article_is_taken_off_a_key() -> None:
    """Of English alone, and only where a word follows."""
    found = [NORMAL.without_article(key) for key in ("the potter", "an oven", "a", "thea", "anna")]
    assert found == ["potter", "oven", "a", "thea", "anna"]


@given(st.text())
def test_normalising_twice_is_normalising_once_for_plain_words(text: str) -> None:
    """Any text is taken, and bold type around a line of it changes nothing."""
    plain = "".join(sign for sign in text if sign.isalnum() or sign == " ")
    assert NORMAL.normalised(f"**{plain}**") == NORMAL.normalised(plain)
    NORMAL.normalised(text)
