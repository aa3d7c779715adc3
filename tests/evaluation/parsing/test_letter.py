"""Third rule: a letter alone, in whatever form."""

import pytest

from evaluation.parsing import choice_letters, read_reply
from evaluation.parsing.rules import known_rules

ENGLISH = ("the potter", "the baker", "cannot be known")
KOREAN = ("도예가", "제빵사", "알 수 없음")

B = [
    *("B", "b", "Ｂ", "ｂ", "Ⓑ", "ⓑ", "🅑", "🅱", "𝐁", "𝑩", "⒝", "\nB\n", " B "),
    *("(B)", "[B]", "{B}", "<B>", "【B】", "（Ｂ）", "「B」", "((B))", "B)", "(B"),
    *("B.", "B。", "Ｂ．", "B!", "B:", "(B).", "B).", "B..."),
    *('"B"', "'B'", "“B”", "‘B’", '"B".'),
    *("**B**", "*B*", "***B***", "__B__", "`B`", "**B.**", "**(B)**", "<b>B</b>", "# B", "- B"),
    *("\\boxed{B}", "$\\boxed{B}$", "\\boxed{\\text{B}}", "<answer>B</answer>", '{"answer": "B"}'),
    *("Option B", "option b", "(Option B)", "Choice B.", "choice (B)", "Letter B", "option: B"),
    *("보기 B", "보기B", "선택지 B", "보기 (B)", "보기: B"),
    *("B번", "B 번", "B번.", "(B)번", "보기 B번"),
    *("B입니다", "B입니다.", "B 입니다", "(B)입니다.", "B번입니다.", "B예요", "B이에요.", "B다"),
    *("B이다.", "B요", "B임", "B임.", "B죠", "B이네요", "B였습니다", "B번이에요"),
    *("B라고 생각합니다.", "B라고 봅니다", "B라고 할 수 있습니다.", "B라고 판단됩니다."),
    *("B가 정답입니다.", "B가 답입니다", "B번이 정답입니다", "B가 맞습니다.", "B가 적절합니다."),
    *("B가 가장 적절합니다.", "B가 올바른 답입니다.", "보기 B가 맞아요"),
    *("B를 선택합니다.", "B를 선택하겠습니다.", "B를 고르겠습니다", "B를 정답으로 선택합니다."),
    *("B로 하겠습니다", "B로 답하겠습니다."),
]


@pytest.mark.parametrize("reply", B)
@pytest.mark.parametrize("choices", [ENGLISH, KOREAN])
def test_one_letter_is_read(choices: tuple[str, ...], reply: str) -> None:
    """Of any case and width, in brackets, bold, called an option, with a polite ending."""
    reading = read_reply(reply, choices)
    assert (reading.chosen, reading.rule) == ({1}, "letter")


NONE = [
    # words and names that begin with a letter
    *("Both", "But we do not know", "Could not tell", "Bob", "Anna", "Cathy", "Clearly not", "Be"),
    *("Because", "Cannot say", "About", "Ah", "BB", "ABC", "B2", "2B", "B-", "B+", "B2B"),
    # other letters, and what looks like one
    *("D", "d.", "(E)", "8", "ß", "β", "ㅂ", "비", "에이", "1", "②"),
    # two of them
    *("AB", "A B", "A/B", "A|B", "B A", "A-B", "A+B", "A.B", "AとB", "A나 B", "A B C", "A-C"),
    # cut off where a negation may follow
    *("B는", "B가", "B은", "B를", "B의", "B도", "B만"),
    # more than a letter
    *("B, because", "B because he said so", "B since", "B 왜냐하면", "B이며", "B인", "B라면"),
    *("B and so on", "B etc", "Sure! B", "Yes, B", "No, B", "네 B", "음 B", "B-student", "B급"),
    *("A banker", "A man", "a person", "A potter and so on", "B팀", "B형", "A급 제빵사"),
    # decoration that means something
    *("❌ B", "~~B~~", "B ❌", "B (X)", "B (no)", "B: no", "B = false", "!B", "-B-", "B?"),
]


@pytest.mark.parametrize("reply", NONE)
@pytest.mark.parametrize("choices", [ENGLISH, KOREAN])
def test_no_letter_is_read_into_other_words(choices: tuple[str, ...], reply: str) -> None:
    """A word that merely begins with A, B or C, two letters, or a letter and more, is none."""
    assert read_reply(reply, choices).chosen is None


LABELLED = [
    (("1", "2", "3"), "2", 1),
    (("1", "2", "3"), "2.", 1),
    (("1", "2", "3"), "(2)", 1),
    (("1", "2", "3"), "②", 1),
    (("1", "2", "3"), "❷", 1),
    (("1", "2", "3"), "２번", 1),
    (("1", "2", "3"), "2번입니다.", 1),
    (("1", "2", "3"), "정답은 2번입니다.", 1),
    (("1", "2", "3"), "The answer is 3.", 2),
    (("1", "2", "3"), "Option 1", 0),
    (("1", "2", "3"), "2: the baker", 1),
    (("1", "2", "3"), '{"answer": 2}', 1),
    (("1", "2", "3"), "B", None),
    (("1", "2", "3"), "12", None),
    (("1", "2", "3"), "1, 2", None),
    (("1", "2", "3"), "2 people", None),
    (("1", "2", "3"), "2024", None),
    (("a", "b", "c"), "B", 1),
    (("a", "b", "c"), "b)", 1),
    (("(a)", "(b)", "(c)"), "b", 1),
    (("(A)", "(B)", "(C)"), "(B)", 1),
    (("A.", "B.", "C."), "B", 1),
    (("①", "②", "③"), "2", 1),
    (("①", "②", "③"), "③", 2),
    (("가", "나", "다"), "나", 1),
    (("가", "나", "다"), "(나)", 1),
    (("가", "나", "다"), "㉯", 1),
    (("가", "나", "다"), "나입니다.", 1),
    (("가", "나", "다"), "나는 모른다", None),
    (("가", "나", "다"), "B", None),
    (("I", "II", "III"), "II", 1),
    (("I", "II", "III"), "III.", 2),
    (("I", "II", "III"), "ii", None),
    (("X", "Y", "Z"), "y", 1),
    (("X", "Y", "Z"), "A", None),
    (("", "B", "C"), "B", 1),
]


@pytest.mark.parametrize(("labels", "reply", "place"), LABELLED)
def test_labels_are_read_as_they_were_shown(
    labels: tuple[str, ...], reply: str, place: int | None
) -> None:
    """A prompt may call its choices otherwise; only what it shows is read."""
    reading = read_reply(reply, ENGLISH, labels=labels)
    assert reading.chosen == (None if place is None else {place})


def test_labels_are_one_for_each_choice() -> None:
    """Anything else is a fault of the caller."""
    with pytest.raises(ValueError, match="there are 3 choices and 2 labels"):
        read_reply("A", ENGLISH, labels=("A", "B"))


def test_letters_run_on_as_the_columns_of_a_spreadsheet() -> None:
    """After Z come AA, AB; they are read as they are shown, and not as words."""
    letters = choice_letters(703)
    assert [letters[at] for at in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        *("A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA")
    ]
    choices = [f"group {at}" for at in range(40)]
    assert read_reply("Z, AB", choices, several=True).chosen == {25, 27}
    assert read_reply("ah", choices, several=True).chosen is None


def test_two_labels_that_differ_in_case_alone_name_both() -> None:
    """Nobody can tell which is meant, so both are found and the reply is ambiguous."""
    assert known_rules().letters(("a", "A")).alone("A") == {0, 1}
    assert read_reply("A", ("x1", "y1"), labels=("a", "A")).rule == "ambiguous"


@pytest.mark.parametrize("quotes", ["「」", "『』", "【】", "《》", "〈〉", "()", '""', "''"])
def test_a_text_in_quotes_directly_behind_its_letter_is_read(quotes: str) -> None:
    """As Japanese and Chinese write it; the letter of another choice is a contradiction."""
    choices = ("月見町の人", "不明", "杉原町の人")
    for at, letter in enumerate("ABC"):
        said = f"{letter}{quotes[0]}{choices[at]}{quotes[1]}"
        for reply in (said, f"正解は{said}です。"):
            assert read_reply(reply, choices).chosen == {at}
    wrong = f"A{quotes[0]}{choices[2]}{quotes[1]}"
    assert read_reply(wrong, choices).rule == "contradiction"
