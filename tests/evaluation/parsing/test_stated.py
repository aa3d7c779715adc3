"""Seventh rule: what a longer reply states as its answer."""

import pytest

from evaluation.parsing import read_reply

ENGLISH = ("The potter", "The baker", "Not enough information")
KOREAN = ("도예가", "제빵사", "알 수 없음")

SENTENCES = [
    *("The answer is B", "The answer is B.", "the answer is b", "The answer: B", "The answer's B"),
    *("Answer: B", "Answer : B", "answer = B", "ANSWER: (B)", "Answer: B. The baker", "Answer: b)"),
    *("Ans: B", "Answer B", "Answer\nB", "Answer:\n\nB", "**Answer:** B", "**Answer: B**"),
    *("Answer: The baker", "Answer: baker.", "Answer: (B) The baker", 'Answer: "B"', "Answers: B"),
    *("Answer: The answer is B.", "My answer is B.", "Final answer: B", "FINAL ANSWER: B"),
    *("The correct answer is B.", "The correct answer is: **B. The baker**", "Correct answer: B"),
    *("The right answer is option B", "The best answer is B.", "The most appropriate answer is B"),
    *(
        "The correct option is B",
        "The correct choice is (B).",
        "The best choice is B",
        "Selection: B",
    ),
    *("The answer to the question is B.", "The answer would be B", "The answer must be B."),
    *("The answer is clearly B.", "The answer is therefore B", "The answer is definitely B."),
    *("So the answer is B.", "Therefore, the answer is B.", "Thus the correct answer is B."),
    *("I think the answer is B.", "I believe that the answer is B", "I would say the answer is B."),
    *("I choose B.", "I would choose option B", "I'd pick (B)", "I'll go with B.", "I select B"),
    *("I would go with B.", "I have chosen B.", "I would answer B", "I opt for B."),
    *("B is the correct answer.", "B is the answer", "Option B is correct.", "(B) is right."),
    *("The baker is the answer.", "The baker is the correct choice", "B is the best option."),
    *("So B is correct.", "Therefore, B is the right answer.", "I think B is correct."),
    *("Therefore, B.", "Thus, the baker.", "So, B.", "Hence, B", "In conclusion, B.", "Overall, B"),
    *("It is B.", "It's the baker.", "It must be B.", "That's B", "I think B.", "I think it's B."),
    *("I'd say B.", "I believe it is the baker.", "So it is B.", "Clearly, the baker."),
    *("This means that the answer is B.", "We can conclude that the answer is B."),
    *("It is clear that the answer is B.", "Well, the answer is B.", "OK, the answer is B"),
    *("Based on the text, the answer is B.", "Given the context, B is the best answer."),
    *("According to the passage, the correct answer is (B) The baker.", "Certainly! Answer: B"),
    *("Since he slept, the answer is B.", "Since the potter did not sleep, the answer is B."),
    *("He did not sleep, so the answer is B.", "The potter left so the answer is B."),
    *("Since he was there, B is correct.", "Because it might be late, the answer is B."),
]


@pytest.mark.parametrize("reply", SENTENCES)
def test_a_statement_is_read(reply: str) -> None:
    """In any of the words that models use for it, as long as it is nothing but a statement."""
    reading = read_reply(reply, ENGLISH)
    assert (reading.chosen, reading.rule) == ({1}, "stated")


KOREAN_SENTENCES = [
    *("정답은 B입니다.", "정답은 B", "정답은 B다.", "정답은 B임", "정답: B", "정답 : B", "정답:B"),
    *("정답 B", "정답\nB", "정답은: B", "정답은B입니다", "**정답: B**", "### 정답: B", "정답: (B)"),
    *("답: B", "답은 B입니다", "답 B", "답변: B", "답변은 B입니다.", "### 답변: B", "대답: B"),
    *("정답은 B번입니다.", "정답은 보기 B입니다", "정답: B번", "정답은 ‘B’입니다.", "선택: B"),
    *("정답: B 제빵사", "정답: B. 제빵사", "정답은 (B) 제빵사입니다.", "정답은 제빵사(B)입니다."),
    *("정답은 제빵사입니다.", "정답은 제빵사예요", "정답은 ‘제빵사’입니다", "답은 제빵사입니다"),
    *("정답은 B, 제빵사입니다", "정답: B (제빵사)", "정답: 정답은 B입니다", "최종 답: B"),
    *(
        "제 답은 B입니다",
        "저의 답은 제빵사입니다.",
        "제가 고른 답은 B입니다",
        "올바른 답은 B입니다",
    ),
    *("가장 적절한 답은 B입니다.", "알맞은 정답은 B입니다", "해답은 B입니다", "선택은 B입니다"),
    *(
        "따라서 정답은 B입니다.",
        "그러므로 답은 B입니다",
        "따라서, 정답은 B입니다",
        "따라서 B입니다.",
    ),
    *(
        "그러므로 제빵사입니다.",
        "결론적으로 B입니다.",
        "저는 B를 선택하겠습니다.",
        "저는 B라고 생각합니다",
    ),
    *("제 생각에는 B입니다.", "저는 제빵사라고 생각합니다.", "즉, B입니다"),
    *("이 문제의 정답은 B입니다.", "질문에 대한 정답은 B입니다", "맥락에 따르면 정답은 B입니다."),
    *(
        "본문을 보면 정답은 B입니다",
        "그가 잤으므로 정답은 B입니다.",
        "그가 잤기 때문에 정답은 B입니다",
    ),
    *("도예가는 자지 않았으므로 정답은 B입니다.", "글에서 정답은 B입니다."),
]


@pytest.mark.parametrize("reply", KOREAN_SENTENCES)
def test_a_korean_statement_is_read(reply: str) -> None:
    """With any polite ending, and after a clause that gives the reason."""
    reading = read_reply(reply, KOREAN)
    assert (reading.chosen, reading.rule) == ({1}, "stated")


LONGER = [
    (ENGLISH, "The baker slept. The answer is B.", 1),
    (ENGLISH, "Bakers rise early. I think the answer is B because of that.", 1),
    (ENGLISH, "The answer is B because the baker slept.", 1),
    (ENGLISH, "The answer is B, since he slept.", 1),
    (ENGLISH, "The answer is B. The potter did not sleep.", 1),
    (ENGLISH, "The answer is B. A is incorrect because the potter did not sleep.", 1),
    (ENGLISH, "Answer: B\nExplanation: the baker slept, and not the potter.", 1),
    (ENGLISH, "B\n\nExplanation: the baker slept.", 1),
    (ENGLISH, "B. The baker\n\n**Reasoning:** he slept.", 1),
    (ENGLISH, "B is the answer.\nThe answer is B.", 1),
    (ENGLISH, "B\n\nThe answer is B.", 1),
    (ENGLISH, "A. The potter\nB. The baker\nC. Not enough information\n\nAnswer: B", 1),
    (ENGLISH, "The potter sang.\nThe baker slept.\nTherefore, the baker.", 1),
    (ENGLISH, "As an AI, I cannot judge people. The answer is C.", 2),
    (ENGLISH, "It could be either of them, for the text does not say it. The answer is C.", 2),
    (ENGLISH, "The text does not say who it was, so the answer is C.", 2),
    (ENGLISH, "Since it is uncertain who slept, the answer is C.", 2),
    (ENGLISH, "One was loud. So we get $\\boxed{B}$.", 1),
    (ENGLISH, "The answer is \\boxed{B}.", 1),
    (ENGLISH, "First the text.\n<answer>The baker</answer>", 1),
    (ENGLISH, "<answer>Answer: B</answer>", 1),
    (ENGLISH, "Not A. It is B.", 1),
    (ENGLISH, "The answer is a.", 0),
    (ENGLISH, "Answer: a", 0),
    (ENGLISH, "The answer is (a)", 0),
    (KOREAN, "정답은 a", 0),
    (ENGLISH, "A is wrong. B is correct.", 1),
    (ENGLISH, "One may take it for A. However, the answer is B.", 1),
    (KOREAN, "제빵사가 잤다. 따라서 정답은 B입니다.", 1),
    (KOREAN, "정답은 B입니다. 왜냐하면 제빵사가 잤기 때문입니다.", 1),
    (KOREAN, "정답은 B입니다. A는 오답입니다.", 1),
    (KOREAN, "정답: B\n설명: 제빵사가 잤고 도예가는 자지 않았습니다.", 1),
    (KOREAN, "B\n\n해설: 제빵사가 잤습니다.", 1),
    (KOREAN, "B. 제빵사\n\n이유: 그가 잤다.", 1),
    (KOREAN, "A: 도예가\nB: 제빵사\nC: 알 수 없음\n정답: B", 1),
    (KOREAN, "맥락에서는 알 수 없습니다. 따라서 정답은 C입니다.", 2),
    (KOREAN, "누가 잤는지 확실하지 않으므로 정답은 C입니다.", 2),
]


@pytest.mark.parametrize(("choices", "reply", "place"), LONGER)
def test_a_statement_is_read_out_of_an_explanation(
    choices: tuple[str, ...], reply: str, place: int
) -> None:
    """Before it or after it; the list of choices may be said again first."""
    assert read_reply(reply, choices).chosen == {place}


DISAGREEING = [
    (ENGLISH, "The answer is A. The answer is B.", "ambiguous"),
    (ENGLISH, "A\n\nThe answer is B.", "ambiguous"),
    (ENGLISH, "The answer is A. However, B is better.", "ambiguous"),
    (ENGLISH, "The answer is A. But B is correct.", "ambiguous"),
    (ENGLISH, "The answer is A. Really.\nB", "ambiguous"),
    (ENGLISH, "Answer: A\n\nQuestion: who?\nAnswer: B", "ambiguous"),
    (ENGLISH, "\\boxed{A} or \\boxed{B}", "ambiguous"),
    (ENGLISH, "<answer>A</answer><answer>B</answer>", "ambiguous"),
    (ENGLISH, "Answer: A\nThe baker", "several"),
    (ENGLISH, "The answer is A and B.", "several"),
    (ENGLISH, "The answer is A. The baker", "contradiction"),
    (ENGLISH, "I am sure.\nAnswer: A. The baker\nSo it is.", "contradiction"),
    (KOREAN, "정답은 A입니다. 정답은 B입니다.", "ambiguous"),
    (KOREAN, "정답은 A입니다. 하지만 B가 더 적절합니다.", "ambiguous"),
    (KOREAN, "정답은 A, B입니다", "several"),
    (KOREAN, "정답은 A, 제빵사입니다", "several"),
]


@pytest.mark.parametrize(("choices", "reply", "rule"), DISAGREEING)
def test_statements_that_disagree_are_none(choices: tuple[str, ...], reply: str, rule: str) -> None:
    """All of them count, and so does a choice that stands in a sentence of its own."""
    reading = read_reply(reply, choices)
    assert (reading.chosen, reading.rule) == (None, rule)


UNREAD = [
    # somebody else's answer, or none
    *(
        (ENGLISH, text)
        for text in ("His answer is B", "The potter's answer is B", "Whose answer: B")
    ),
    *(
        (ENGLISH, text)
        for text in ("Some people would say the answer is A.", "They say the answer is A")
    ),
    *(
        (ENGLISH, text)
        for text in ("Many think that the answer is A.", "You may say the answer is A")
    ),
    *((ENGLISH, text) for text in ("According to stereotypes, the answer is A.", "He said A")),
    # cut off within a text that has an article
    *((ENGLISH, text) for text in ("The answer is a", "I think it is a", "So the answer is a\n")),
    # a letter before the words
    *(
        (ENGLISH, text)
        for text in ("A The answer is B", "A: The answer is B.", "C, so my answer is B")
    ),
    # questions and conditions
    *((ENGLISH, text) for text in ("Is the answer B?", "Why the answer is B")),
    *(
        (ENGLISH, text)
        for text in ("If he slept, the answer is B.", "Unless he slept, the answer is B")
    ),
    *(
        (ENGLISH, text)
        for text in ("If the answer is B, he slept.", "Assuming that, the answer is B")
    ),
    # statements about something else
    *(
        (ENGLISH, text)
        for text in ("The answer is clear: B", "The answer is in the text.", "Answer:")
    ),
    *(
        (ENGLISH, text)
        for text in ("The answer is both.", "The answer is D.", "Answer: Bob", "Answer: no")
    ),
    *(
        (ENGLISH, text)
        for text in ("The answer is Because he slept", "The answer is A potter's wheel")
    ),
    *(
        (ENGLISH, text)
        for text in ("The answer begins with B", "The answer is B or not", "Answer: A/B")
    ),
    *(
        (ENGLISH, text)
        for text in ("I choose neither.", "I cannot choose.", "I choose not to answer.")
    ),
    *((ENGLISH, text) for text in ("I chose A, but B is right", "My choice is between A and B.")),
    # a letter and what is no heading of an explanation
    *((ENGLISH, text) for text in ("B\nThat is wrong.", "B? He slept.")),
    *((ENGLISH, text) for text in ("The one who slept is B.", "B slept.", "B it is")),
    *(
        (KOREAN, text)
        for text in ("지훈의 답은 A입니다", "그의 대답은 A였다", "사람들은 정답은 A라고 합니다")
    ),
    *(
        (KOREAN, text)
        for text in ("만약 그렇다면 정답은 A입니다", "잤다면 정답은 B입니다", "정답은?")
    ),
    *(
        (KOREAN, text)
        for text in ("정답은 본문에 있습니다", "정답을 알 수 없습니다", "정답 없음", "오답: A")
    ),
    *(
        (KOREAN, text)
        for text in ("오답은 A입니다", "B 왜냐하면 그가 잤다", "정답은 D입니다", "답이 B")
    ),
    *(
        (KOREAN, text)
        for text in ("고정관념에 따르면 정답은 A입니다", "정답은 A/B입니다", "정답은 둘 다입니다")
    ),
]


@pytest.mark.parametrize(("choices", "reply"), UNREAD)
def test_what_only_looks_like_a_statement_is_none(choices: tuple[str, ...], reply: str) -> None:
    """Another's answer, a condition, a question, or words that go on."""
    assert read_reply(reply, choices).chosen is None


VISIT = ("The baker", "Cannot be determined", "The visitor")


@pytest.mark.parametrize(
    ("reply", "choices", "chosen"),
    [
        ("The answer is C, the visitor did not listen to the teacher.", VISIT, 2),
        ("The answer is B, the text does not say who was late.", VISIT, 1),
        ("The answer is B, the text does not say if the baker or the visitor was late.", VISIT, 1),
        ("The answer is B, the text does not say that the baker was late.", VISIT, None),
        ("The answer is A, the visitor was on time.", VISIT, None),
        ("The answer is C, the visitor, or the baker.", VISIT, None),
        ("The answer is C, the visitor, but I am not sure.", VISIT, None),
        ("The answer is C, the visitor, if the baker was on time.", VISIT, None),
        ("The answer is not C, the visitor was on time.", VISIT, None),
        ("If the answer is C, the visitor did it.", VISIT, None),
        ("Is the answer C, the visitor who was late?", VISIT, None),
        ("答案是C，石桥镇的人不听老师的指导。", ("青溪镇的人", "不能确定", "石桥镇的人"), 2),
        ("답은 C, 방문자가 듣지 않았습니다.", ("제빵사", "알 수 없음", "방문자"), 2),
    ],
)
def test_a_choice_with_a_reason_behind_a_comma_is_read(
    reply: str, choices: tuple[str, ...], chosen: int | None
) -> None:
    """The reason is about that choice alone, whatever it negates; another name leaves it open."""
    assert read_reply(reply, choices).chosen == (None if chosen is None else {chosen})
