"""The verdict of a reply decides, and what explains it never does."""

import pytest

from curation.languages import Language, load
from evaluation.parsing.thoughts import CUT_OFF
from evaluation.parsing.verdicts import ReplyRule, read_reply

CHOICES = ("The potter", "The baker", "Not known")
UNKNOWN = Language("xx", None)
"""A language that nobody has written a word of."""

WHOLE = [
    ("B", ReplyRule.LETTER),
    ("b", ReplyRule.LETTER),
    ("(\U0001f151)", ReplyRule.LETTER),
    ("B \u2705", ReplyRule.LETTER),
    ("B.", ReplyRule.LETTER),
    ("\uff22", ReplyRule.LETTER),
    ("Option B", ReplyRule.LETTER),
    ("the baker", ReplyRule.TEXT),
    ("A baker.", ReplyRule.TEXT),
    ("'The baker'", ReplyRule.TEXT),
    ("B. The baker", ReplyRule.LETTER),
    ("The baker (B)", ReplyRule.LETTER),
    ("**(B) the baker**", ReplyRule.LETTER),
    ("\\boxed{B}", ReplyRule.LETTER),
    ("$\\boxed{\\text{The baker}}$", ReplyRule.TEXT),
    ("<answer>B</answer>", ReplyRule.LETTER),
    ('{"answer": "B"}', ReplyRule.LETTER),
    ('```json\n{"final_answer": "The baker"}\n```', ReplyRule.TEXT),
    ('{"answer": "B",}', ReplyRule.LETTER),
    ("$B$", ReplyRule.LETTER),
    ("\\(B\\)", ReplyRule.LETTER),
    ("$\\boxed{\\mathbf{\\text{B}}}$", ReplyRule.LETTER),
    ("\\boxed{\\boxed{B}}", ReplyRule.LETTER),
    ("\\boxed{\\color{red}{B}}", ReplyRule.LETTER),
    ("\\fbox{B}", ReplyRule.LETTER),
    ("<B>", ReplyRule.LETTER),
    ("<p><b>B</b>", ReplyRule.LETTER),
]

STATED = [
    "The answer is B.",
    "B\n\nConfidence: A 10 %, B 90 %",
    "A: 0.1\nB: 0.9\n\nB.",
    "The answer is, by the last line, B.",
    "the correct answer is (B) The baker.",
    'The answer to the question "Who slept?" is: **B. The baker**',
    "Who slept? The baker",
    "**Answer:** B",
    "## Answer\n\nB",
    "## Answer\n\nB: she slept.",
    "### Final answer:\n\n**B. The baker**\n\nThe text says so.",
    "The potter did not.\n\nThe right answer is:\n\n- **B: The baker**\n\nThe baker said so.",
    "He slept. Therefore, the answer is B.",
    "Since the text does not say who came first, the answer is B.",
    "I cannot be certain, but the answer is (B).",
    "There is nothing else to say, so the answer is B.",
    "B is the correct answer.",
    "Option B is correct.",
    "The baker is the answer.",
    "It was the baker.",
    "So it must be the baker.",
    "B, because she slept.",
    "B\u2014she slept.",
    "B, the text shows that the potter worked while the baker slept.",
    "B. She slept.",
    "B. The baker\n\nThe text does not say that the potter slept.",
    "B. The baker slept.",
    "The answer is B, not A.",
    "The answer is B. The others are wrong.",
    "Based on the text, the baker. We do not know more.",
    "The answer is A. Wait, the answer is B.",
    "A. No, sorry, B.",
    "The one who slept is B.",
    "\u2192 B",
    '{"reason": "A is at work", "answer": "B", "confidence": 0.4}',
    '{"name": "answer", "arguments": "{\\"answer\\": \\"B\\"}"}',
    '{"wrong_answer": "A", "answer": "B"}',
    "A. The potter\nB. The baker\nC. Not known\n\nB",
    "Who slept?\n\nThe potter\nThe baker\nNot known\n\nThe baker",
    "| A | The potter |\n| B | The baker |\n| C | Not known |\n\n| Answer | B |",
    "Neither A nor C but B",
    "Neither A nor C, B.",
    "B)",
    "**B)**\n\nNothing says that the potter slept.",
    "Option B:",
    "The obvious answer is A, but B is correct.",
    "Neither A nor C: B.",
    "Not A, not C, but B.",
    "The answer is not A but B.",
    "The correct option is not A, but B.",
    "A: wrong\nB: correct\nC: wrong",
    "A: no\nB: yes\nC: no",
    "As it could be A or C, the answer is B.",
    "Could be A or C, so B.",
    "In my opinion, B.",
    "A is wrong, B.",
    "B rather than A",
    "The potter worked, the baker lay in bed. \\boxed{B}",
    "A) The potter worked.\nB) The baker slept.\nC) Not known does not fit.\n\nThe answer is B.",
    "Looking at the options:\n- A: worked\n- B: slept\n- C: no\n\n**B**",
    "**Who did not work?**\n- B: The baker\n\nThe potter was the one who did.",
    "Here is what the text tells us:\n**B. The baker**\nShe lay in bed.",
    "Definitely B.",
    "Without any doubt, it can only be B.",
    "That leaves us with B.",
    "The one who slept was the baker (option B). The text says so.",
    "The potter worked.\n\nConclusion:\n**B. The baker** lay in bed.",
    "The baker. (Answer B)",
    "The answer is B. Had the potter slept, she would have said so.",
    "Answer B is what I mark.",
    "The text says that she slept. \u2234 B",
    "My answer: \U0001f171",
    "Option B is the only one supported by the passage.",
    "Final: B (the baker).",
    "B, though many would jump to A.",
    "The answer is B, although A fits too.",
    "Not the potter but the baker.",
    "It was the baker and not the potter.",
    "The baker rather than the potter.",
    "| A | worked | \u274c |\n| B | slept | \u2705 |\n| C | no | \u274c |",
]

NEGATED = [
    "not B",
    "B is wrong",
    "Answer: B - incorrect",
    "The answer is not B.",
    "The baker is not the answer.",
    "I do not think that the answer is B.",
    "Neither A nor B",
    "Option A is not right. Option B is wrong.",
    "B. The baker: wrong, she worked.",
    "The answer that is wrong is B.",
    "There is no option A without B.",
    "It is not A because B.",
    "Not only A but also B.",
    "B is stated by the text as wrong.",
    '{"incorrect_answer": "B"}',
    '{"answer_is_not": "B"}',
]

HEDGED = [
    "maybe B",
    "A or B",
    "B?",
    "Is the answer B?",
    "The answer is probably B.",
    "The answer is B, but maybe A.",
    "Many would say that the answer is B.",
    "The answer is B. Or A.",
    "The answer is B. Wait, let me think again.",
    "B\n\nSorry, I misread the text.",
    "Some might say it was the baker.",
    "B... or is it A?",
    "B... or maybe A. Hard to tell.",
    "A - but possibly B.",
    "A: but maybe B.",
    "B is as right as A.",
    "Because it could be A or C, the answer might be B.",
    "As it could be A, the answer is B.",
    "As it may be A or B, the answer is B.",
    "It could be A or C, maybe B.",
    "If it is neither A nor C, the answer is B.",
    "B, though A is right too.",
    "B, not A, or C",
    "If it is not A, it is B.",
    "Perhaps not A but B",
    "The answer is B, had the potter not slept.",
    "The answer is B. Had the potter not slept.",
    "It is not known from the text that the potter slept, but she did.",
    "It is not known from the text whether the potter slept, but the baker did.",
    "A was confirmed by the text as asleep.",
    "It's as much A as it is B.",
    "The answer is A, but B is right.",
    "The answer is A. But on closer reading B also fits.",
    "A is correct, but on closer reading B is just as correct.",
    "A is correct, but B is right.",
]

NEITHER = [
    "It is not known from the text that the potter slept, because it does not say so.",
    "It is not known from the text that the potter slept, maybe she did not.",
    "It is not known from the text that the potter slept, the baker may have.",
]

NOTHING = [
    ("", ReplyRule.EMPTY),
    ("<think>B</think>", ReplyRule.EMPTY),
    ("The answer is B. " * 6_000, ReplyRule.LONG),
    ("Both", ReplyRule.UNREADABLE),
    ("AB", ReplyRule.UNREADABLE),
    ("A \u2192 B", ReplyRule.UNREADABLE),
    ("The answer is A, then B.", ReplyRule.UNREADABLE),
    ("A never met B", ReplyRule.NEGATION),
    ("A, B", ReplyRule.SEVERAL),
    ("The potter and the baker", ReplyRule.SEVERAL),
    ("B. The potter", ReplyRule.CONTRADICTION),
    ("The answer is B: the potter.", ReplyRule.CONTRADICTION),
    ("The answer is A. The answer is B.", ReplyRule.AMBIGUOUS),
    ("The baker. (Answer A)", ReplyRule.AMBIGUOUS),
    ("The potter. Answer B is what I mark.", ReplyRule.AMBIGUOUS),
    ("A\n\nThe answer is B.", ReplyRule.AMBIGUOUS),
    ("\\boxed{A} \\boxed{B}", ReplyRule.AMBIGUOUS),
    ("A. The potter\nB. The baker\nC. Not known", ReplyRule.AMBIGUOUS),
    ("1. The potter worked.\n2. The baker", ReplyRule.UNREADABLE),
    ("It is not known who slept, but it was probably the baker.", ReplyRule.HEDGE),
    ("We don't know what the potter did, but the baker certainly slept.", ReplyRule.UNREADABLE),
    ("The baker's sister.", ReplyRule.UNREADABLE),
    ("It was the baker's sister.", ReplyRule.UNREADABLE),
    ("The baker is right.", ReplyRule.UNREADABLE),
    ("A potter and a baker met.", ReplyRule.UNREADABLE),
    ("I considered option B.", ReplyRule.UNREADABLE),
    ("It was not the potter but the baker. So the potter fell.", ReplyRule.NEGATION),
    ("- The potter: possible.\n- The baker: possible.", ReplyRule.HEDGE),
    ("Answer options:\nA. The potter\nB. The baker", ReplyRule.AMBIGUOUS),
    ("Conclusion:\nA. The potter worked.\nB. The baker slept.", ReplyRule.UNREADABLE),
    ("Clearly B is a person, and so is A.", ReplyRule.UNREADABLE),
    ("The text tells us of the baker", ReplyRule.UNREADABLE),
    ("They met at noon. The baker", ReplyRule.UNREADABLE),
    ("They met at noon\u3002 The baker", ReplyRule.UNREADABLE),
    ("A, although B is correct.", ReplyRule.HEDGE),
    ("A, although B is right as well.", ReplyRule.HEDGE),
    ("The answer is A, although B is also the right one.", ReplyRule.HEDGE),
    ("A, although B is the answer as well.", ReplyRule.AMBIGUOUS),
    ("A: 40 %, B: 60 %", ReplyRule.UNREADABLE),
    ("The answer is A: he worked, B: he slept.", ReplyRule.UNREADABLE),
    ("The potter is B. The baker", ReplyRule.UNREADABLE),
    ("A: 50%; B: 50%.", ReplyRule.UNREADABLE),
    ("B: falsch", ReplyRule.UNREADABLE),
    ("Sure! 1. A 2. B 3. C", ReplyRule.UNREADABLE),
    ("As nobody knows, A. The potter\nB. The baker is a baker", ReplyRule.UNREADABLE),
    ("Vitamin D The potter", ReplyRule.CONTRADICTION),
    ("Answer choices: A. The potter B. The baker C. Not known", ReplyRule.UNREADABLE),
    ("\u274c B", ReplyRule.NEGATION),
    ("A, ali mo\u017eda B.", ReplyRule.HEDGE),
    ("A - ali mo\u017eda B.", ReplyRule.HEDGE),
    ("A. Ne, izvini, B.", ReplyRule.UNREADABLE),
    ("A-t nem v\u00e1lasztan\u00e1m.", ReplyRule.UNREADABLE),
    ("A:ta en valitsisi.", ReplyRule.UNREADABLE),
    ("B\u037e", ReplyRule.HEDGE),
    ("~~B~~", ReplyRule.NEGATION),
]

CUT = [  # each by a limit on its length
    ("B", 1),
    ("(B)", 1),
    ("B: The ba", 1),
    ("The answer is B", 1),
    ("Answer: B. The", 1),
    ("**Answer: B**\n\nThe baker slept whi", 1),
    ('{"answer": "B", "reason": "The bak', 1),
    ("B. The baker\n\nThe text says that", None),
    ("Let us see:\n\nB. The baker: the text says that", None),
    ("Option B\n\nThe text says that", None),
    ("Options:\nB. The baker", None),
    ("The baker", None),
    ("The baker. He slept", None),
    ("By the text, B", None),
    ("<think>The answer is B", None),
]


@pytest.mark.parametrize(("reply", "chosen"), CUT)
def test_what_was_cut_off_is_read_where_its_verdict_is_said_to_be_one(reply, chosen):
    """What would follow is not known: a choice at the beginning may be the first of a walk."""
    reading = read_reply(reply + CUT_OFF, CHOICES)
    assert reading.chosen == (None if chosen is None else {chosen})
    assert chosen is not None or reading.rule is ReplyRule.UNFINISHED


@pytest.mark.parametrize(("reply", "rule"), WHOLE)
@pytest.mark.parametrize("own", [load("en"), UNKNOWN, None], ids=["en", "xx", "none"])
def test_a_reply_that_is_nothing_else_is_that_choice(reply, rule, own):
    """In whatever markup, in a language without a word of its own, too."""
    reading = read_reply(reply, CHOICES, own=own)
    assert (reading.chosen, reading.rule) == ({1}, rule)


@pytest.mark.parametrize("reply", STATED)
def test_a_verdict_is_read(reply):
    """After words of an answer, in a box, alone at an end, after a withdrawal."""
    assert read_reply(reply, CHOICES).chosen == {1}


@pytest.mark.parametrize("reply", NEITHER)
def test_ignorance_of_one_person_is_of_both_where_it_is_only_explained(reply):
    """A reason, a guess or the other person after a comma tells of nobody who did it."""
    assert read_reply(reply, CHOICES).chosen == {2}


@pytest.mark.parametrize(
    ("replies", "rule"), [(NEGATED, ReplyRule.NEGATION), (HEDGED, ReplyRule.HEDGE)]
)
def test_a_verdict_that_is_denied_or_left_open_is_none(replies, rule):
    """At the verdict itself, or where it is taken back."""
    found = {reply: read_reply(reply, CHOICES) for reply in replies}
    assert {reply: it for reply, it in found.items() if it.chosen is not None} == {}
    assert [it.rule for it in found.values()].count(rule) >= len(replies) - 3


@pytest.mark.parametrize(("reply", "rule"), NOTHING)
def test_what_states_no_choice_is_not_read(reply, rule):
    """Two verdicts, lists, prose, and thoughts that were cut off."""
    reading = read_reply(reply, CHOICES)
    assert (reading.chosen, reading.rule) == (None, rule)


def test_a_reply_is_read_with_the_words_of_its_language_and_english_ones():
    """The Spanish 'o' is no 'or' in Portuguese; the script tells it where nobody says it."""
    german = ("Der B\u00e4cker", "Der T\u00f6pfer", "Unbekannt")
    assert read_reply("Antwort: B", german, own=load("de")).chosen == {1}
    assert read_reply("Answer: B", german, own=load("de")).chosen == {1}
    assert read_reply("Die Antwort ist B", german, own=load("fr")).chosen is None
    assert read_reply("A T\u00f6pfer", german, own=load("de")).chosen is None
    assert read_reply("정답은 B입니다.", ("도예가", "제빵사", "알 수 없음")).chosen == {1}


def test_several_choices_are_read_where_they_are_asked_for():
    """Joined by commas, 'and' or lines; a word for none means the choice that stands for it."""
    groups = ("Potters", "Bakers", "Millers", "No group")
    for reply in ("A, C", "A and C", "A\nC", "Potters and millers", "The answer is A, C."):
        assert read_reply(reply, groups, several=True).chosen == {0, 2}, reply
    assert read_reply("A or C", groups, several=True).chosen is None
    assert read_reply("None.", groups, several=True, none=3).chosen == {3}
    assert read_reply("None.", groups, several=True).chosen is None


@pytest.mark.parametrize(
    ("labels", "reply", "at"),
    [
        (("1", "2", "3"), "2", 1),
        (("1", "2", "3"), "The answer is 2.", 1),
        (("1", "2", "3"), "1. He slept.\n2. She did not.", None),
        (("1", "2", "3"), "Answer: 2. The baker", 1),
        (("ans0", "ans1", "ans2"), "**ans1: The baker**", 1),
        (("ans0", "ans1", "ans2"), "Answer: ANS1", 1),
        (("ans0", "ans1", "ans2"), "The answer is ans1: The bread maker", 1),
        (("a", "b", "c"), "B", 1),
        (("가", "나", "다"), "정답은 나입니다.", None),
    ],
)
def test_other_labels(labels, reply, at):
    """Figures, words and small letters; without a language its words are not known."""
    reading = read_reply(reply, CHOICES, labels=labels)
    assert reading.chosen == (None if at is None else {at})


def test_there_is_a_label_for_each_choice():
    """Else somebody has mixed up two lists."""
    with pytest.raises(ValueError, match="there are 3 choices and 2 labels"):
        read_reply("A", CHOICES, labels=("A", "B"))


def test_two_choices_of_one_text_are_not_told_apart_by_it():
    twice = ("the baker", "The baker.", "Not known")
    assert read_reply("the baker", twice).chosen is None
    assert read_reply("B", twice).chosen == {1}


def test_small_labels_are_read_as_capital_ones():
    """A task folder is told 'a, b, c' where a request's labels are looked for in its text."""
    replies = [reply for reply, _ in (*WHOLE, *NOTHING)] + STATED + NEGATED + HEDGED
    for reply in (*replies, *(reply.lower() for reply in replies), "It is b here", "a, b"):
        small = read_reply(reply, CHOICES, labels=("a", "b", "c"))
        assert small == read_reply(reply, CHOICES), reply


@pytest.mark.parametrize(
    ("code", "labels", "reply", "read"),
    [
        ("ko", "\u3131\u3134\u3137", "\uc815\ub2f5\uc740 \u3134\uc785\ub2c8\ub2e4.", {1}),
        ("ko", "\u3131\u3134\u3137", "\u3131 \ub610\ub294 \u3134", None),
        ("hi", "123", "\u0909\u0924\u094d\u0924\u0930: \u0968", {1}),
        ("ru", "\u0410\u0411\u0412", "\u041e\u0442\u0432\u0435\u0442: \u0412", {2}),
        ("ru", "\u0410\u0411\u0412", "\u0412 \u0442\u0435\u043a\u0441\u0442\u0435.", None),
        ("ru", "ABC", "\u0412", None),
    ],
)
def test_labels_of_other_scripts_are_words_of_their_own(code, labels, reply, read):
    """Endings are written on to them, other words are not; one that only looks alike is none."""
    assert read_reply(reply, CHOICES, labels=tuple(labels), own=load(code)).chosen == read


@pytest.mark.parametrize(("count", "reply"), [(8, "I would choose B."), (26, "The answer is B.")])
def test_a_label_that_was_not_offered_is_no_word(count, reply):
    """The one after H is the English I, and none follows Z."""
    choices = [f"number {at}" for at in range(count)]
    assert read_reply(reply, choices).chosen == {1}
