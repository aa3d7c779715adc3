"""All rules together, as surveys of several groups and a choice for none use them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.parsing import READING_RULES, ReplyRule, choice_letters, read_reply

ENGLISH = ("Potters", "Bakers", "Weavers (rural)", "There is no such stereotype.")
KOREAN = ("노인", "청년", "청년, 중년", "그런 고정관념은 없다")
NONE = 3

READ = [
    # letters
    (ENGLISH, "A", {0}, "letter"),
    (ENGLISH, " b. ", {1}, "letter"),
    (ENGLISH, "(B)", {1}, "letter"),
    (ENGLISH, "**C**", {2}, "letter"),
    (ENGLISH, "*C*", {2}, "letter"),
    (ENGLISH, "\\boxed{A}", {0}, "letter"),
    (ENGLISH, "Option A", {0}, "letter"),
    (ENGLISH, "A. Potters", {0}, "letter"),
    (ENGLISH, "C: Weavers (rural)", {2}, "letter"),
    (ENGLISH, "Bakers (B)", {1}, "letter"),
    (ENGLISH, "d. There is no such stereotype", {NONE}, "letter"),
    (KOREAN, "Ａ", {0}, "letter"),
    (KOREAN, "【B】", {1}, "letter"),
    (KOREAN, "（Ｂ）", {1}, "letter"),
    (KOREAN, "B번입니다.", {1}, "letter"),
    (KOREAN, "보기 B", {1}, "letter"),
    (KOREAN, "A) 노인입니다.", {0}, "letter"),
    (KOREAN, "C. 청년, 중년", {2}, "letter"),
    # texts
    (ENGLISH, "potters", {0}, "text"),
    (ENGLISH, '"Bakers".', {1}, "text"),
    (ENGLISH, "There is no such stereotype", {NONE}, "text"),
    (KOREAN, "노인입니다", {0}, "text"),
    (KOREAN, "청년, 중년", {2}, "text"),
    (KOREAN, "‘청년’", {1}, "text"),
    # none
    (ENGLISH, "None", {NONE}, "none"),
    (ENGLISH, "none of the above.", {NONE}, "none"),
    (ENGLISH, "Neither", {NONE}, "none"),
    (KOREAN, "없음", {NONE}, "none"),
    (KOREAN, "해당 없음.", {NONE}, "none"),
    (KOREAN, "둘 다 아닙니다.", {NONE}, "none"),
    # stated
    (ENGLISH, "The answer is B.", {1}, "stated"),
    (ENGLISH, "So, the final answer is: **B**", {1}, "stated"),
    (ENGLISH, "I would choose none.", {NONE}, "stated"),
    (ENGLISH, "Bakers rise early. I think the answer is B because of that.", {1}, "stated"),
    (ENGLISH, "Answer: A\nExplanation: potters hum.", {0}, "stated"),
    (ENGLISH, "Not A. The answer is B.", {1}, "stated"),
    (ENGLISH, "<think>A? The answer is A.</think>\n\nB", {1}, "letter"),
    (KOREAN, "답: A", {0}, "stated"),
    (KOREAN, "정답은 B입니다.", {1}, "stated"),
    (KOREAN, "제 답은 청년입니다.", {1}, "stated"),
]


@pytest.mark.parametrize(("choices", "reply", "chosen", "rule"), READ)
def test_one_choice_is_read_by_a_named_rule(
    choices: tuple[str, ...], reply: str, chosen: set[int], rule: str
) -> None:
    """A letter, an exact text, 'none' or a stated answer is read, decorated or not."""
    for several in (False, True):
        reading = read_reply(reply, choices, several=several, none=NONE)
        assert (reading.chosen, reading.rule) == (chosen, rule)


LISTS = [
    (ENGLISH, "A, C", {0, 2}, "letter"),
    (ENGLISH, "A and C", {0, 2}, "letter"),
    (ENGLISH, "(A), (B), and (C).", {0, 1, 2}, "letter"),
    (ENGLISH, "- A\n- **C**\n", {0, 2}, "letter"),
    (ENGLISH, "A\n\nC", {0, 2}, "letter"),
    (ENGLISH, "A; C", {0, 2}, "letter"),
    (ENGLISH, "A, A, a", {0}, "letter"),
    (ENGLISH, "Potters and Weavers (rural)", {0, 2}, "text"),
    (ENGLISH, "A, Weavers (rural)", {0, 2}, "text"),
    (ENGLISH, "The answers are:\n- A\n- C\nThank you", {0, 2}, "stated"),
    (KOREAN, "Ａ，Ｂ", {0, 1}, "letter"),
    (KOREAN, "A、B", {0, 1}, "letter"),
    (KOREAN, "A와 B입니다.", {0, 1}, "letter"),
    (KOREAN, "A, B 및 C", {0, 1, 2}, "letter"),
    (KOREAN, "청년과 노인", {0, 1}, "text"),
    (KOREAN, "A. 노인, C. 청년, 중년", {0, 2}, "letter"),
    (KOREAN, "노인, 청년, 중년", {0, 2}, "text"),
    (KOREAN, "정답은 A, B입니다.", {0, 1}, "stated"),
]


@pytest.mark.parametrize(("choices", "reply", "chosen", "rule"), LISTS)
def test_lists_are_read_where_several_may_be_named(
    choices: tuple[str, ...], reply: str, chosen: set[int], rule: str
) -> None:
    """Commas, 'and', particles and line ends join; two choices where one is asked for are none."""
    reading = read_reply(reply, choices, several=True, none=NONE)
    assert (reading.chosen, reading.rule) == (chosen, rule)
    if len(chosen) > 1:
        one = read_reply(reply, choices, none=NONE)
        assert (one.chosen, one.rule) == (None, "several")


UNREAD = [
    (ENGLISH, "", "empty"),
    (ENGLISH, " \n ", "empty"),
    (ENGLISH, "<think>hm</think>", "empty"),
    (ENGLISH, "not A", "negation"),
    (ENGLISH, "The answer is not B", "negation"),
    (ENGLISH, "I don't think the answer is B.", "negation"),
    (ENGLISH, "Neither A nor B", "negation"),
    (ENGLISH, "Could not tell", "negation"),
    (ENGLISH, "D, A", "contradiction"),
    (ENGLISH, "A, none", "contradiction"),
    (ENGLISH, "The answer is A. The answer is B.", "ambiguous"),
    (ENGLISH, "Both", "unreadable"),
    (ENGLISH, "Both A and B", "unreadable"),
    (ENGLISH, "A baker", "unreadable"),
    (ENGLISH, "Bakers' sons", "unreadable"),
    (ENGLISH, "B. Potters", "contradiction"),
    (ENGLISH, "E", "unreadable"),
    (ENGLISH, "AC", "unreadable"),
    (ENGLISH, "A or B", "hedge"),
    (ENGLISH, "<think>A", "unfinished"),
    (KOREAN, "A는 아닙니다", "negation"),
    (KOREAN, "오답은 A입니다", "unreadable"),
    (KOREAN, "알려 드릴 수 없는 내용입니다", "unreadable"),
    (KOREAN, "청년층", "unreadable"),
]


@pytest.mark.parametrize(("choices", "reply", "rule"), UNREAD)
def test_anything_else_is_out_of_choice_with_a_reason(
    choices: tuple[str, ...], reply: str, rule: str
) -> None:
    """A negation, a contradiction or words beside the choice leave a reply unread."""
    reading = read_reply(reply, choices, several=True, none=NONE)
    assert (reading.chosen, reading.rule) == (None, rule)
    assert read_reply(reply, choices, none=NONE).chosen is None


def test_words_for_none_mean_nothing_without_such_a_choice() -> None:
    """'None' is out-of-choice where no choice stands for it."""
    assert read_reply("None", ENGLISH[:3]).rule is ReplyRule.UNREADABLE


@pytest.mark.slow
def test_long_replies_are_read_in_time() -> None:
    """Thousands of items, statements or nested ambiguities neither hang nor overflow."""
    choices = [chr(ord("A") + (at + 1) % 20) for at in range(20)]
    begin = time.process_time()
    assert read_reply(", ".join("ABCDEFGHIJKLMNOPQRST"), choices, several=True).chosen is None
    assert read_reply("A, " * 5000 + "A", ENGLISH, several=True).chosen == {0}
    assert read_reply("the answer is A. " * 5000, ENGLISH).chosen == {0}
    for part in (
        "so ",
        "and, ",
        "the answer ",
        "\\boxed{",
        "<think",
        "*a ",
        "_a ",
        "'",
        "가 ",
        "it is ",
    ):
        assert read_reply(part * 20_000, ENGLISH).chosen is None
    assert read_reply("그래서 노인은 앉아 있었다. " * 1000, KOREAN).chosen is None
    assert time.process_time() - begin < 30  # it is some seconds; what is quadratic takes hours


@given(
    order=st.permutations(range(len(ENGLISH) - 1)),
    wanted=st.sets(st.integers(0, len(ENGLISH) - 2), min_size=1),
    by_letter=st.booleans(),
    joint=st.sampled_from([", ", "\n", " and ", "; ", ",\n"]),
    frame=st.sampled_from(["{}", "{}.", "**{}**", "The answer is {}.", "Answer: {}"]),
)
def test_the_order_of_choices_makes_no_difference(
    order: list[int], wanted: set[int], by_letter: bool, joint: str, frame: str
) -> None:
    """Whatever the order and the form of the list, the same texts are named."""
    choices = [*(ENGLISH[at] for at in order), ENGLISH[NONE]]
    letters = choice_letters(len(choices))
    items = [
        letters[place] if by_letter else choices[place]
        for place, at in enumerate(order)
        if at in wanted
    ]
    reading = read_reply(frame.format(joint.join(items)), choices, several=True, none=NONE)
    assert reading.chosen is not None
    assert {choices[at] for at in reading.chosen} == {ENGLISH[at] for at in wanted}


@given(st.text())
def test_any_text_is_read_or_not(reply: str) -> None:
    """No reply raises, and what is read are positions of choices."""
    reading = read_reply(reply, KOREAN, several=True, none=NONE)
    assert reading.chosen is None or reading.chosen <= set(range(len(KOREAN)))


SIGNS = st.text(
    st.sampled_from("ABCabc ().,:*\n'\"-가나다은는이입니답정아니또는orthe answis12<>{}\\$_`#"),
    max_size=60,
)


@given(reply=st.one_of(st.text(), SIGNS))
def test_what_is_read_is_one_choice_by_a_rule_that_reads(reply: str) -> None:
    """Junk raises nothing, and is read only by a rule that is there for reading."""
    for choices in (ENGLISH[:3], KOREAN[:3]):
        reading = read_reply(reply, choices)
        if reading.chosen is None:
            assert reading.rule not in READING_RULES
        else:
            assert reading.rule in READING_RULES
            assert len(reading.chosen) == 1
            assert reading.chosen <= {0, 1, 2}


@given(reply=SIGNS, turn=st.integers(1, 2))
def test_turning_choices_with_their_labels_changes_nothing(reply: str, turn: int) -> None:
    """Where labels move with their choices, the same choice is read of any reply."""
    texts, labels = ("potters", "bakers", "weavers"), ("A", "B", "C")
    first = read_reply(reply, texts, labels=labels)
    second = read_reply(
        reply, (*texts[turn:], *texts[:turn]), labels=(*labels[turn:], *labels[:turn])
    )
    assert first.rule == second.rule
    if first.chosen is not None and second.chosen is not None:
        assert {texts[at] for at in first.chosen} == {
            (*texts[turn:], *texts[:turn])[at] for at in second.chosen
        }


@given(reply=SIGNS, frame=st.sampled_from(["  {}  ", "\n{}\n", "{}\n\n", "<think>x</think>{}"]))
def test_blanks_and_thoughts_around_a_reply_change_nothing(reply: str, frame: str) -> None:
    """Whatever the reply is, white space and a closed thought before it say nothing."""
    plain = reply.replace("<", "").replace("{", "")
    assert read_reply(frame.format(plain), ENGLISH) == read_reply(plain, ENGLISH)


def test_the_choices_come_before_the_words_of_rules() -> None:
    """A choice whose text is a word of negation, doubt or 'none' is read as that choice."""
    choices = ("Never", "Maybe", "Both A and B")
    assert [read_reply(text, choices).chosen for text in ("Never.", "maybe", "both A and B")] == [
        *({0}, {1}, {2})
    ]
