"""Fourth rule: exactly the text of a choice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.parsing import read_reply
from evaluation.parsing.rules import known_rules
from evaluation.parsing.text import Texts, bare

RULES = known_rules()
ENDINGS = RULES.endings

ENGLISH = ("The potter", "The young baker", "Not enough information")
ARTICLES = ("A potter", "A baker", "An engineer")
KOREAN = ("도예가", "젊은 제빵사", "알 수 없음")
NAMES = ("Dr. Kim", "St. Mary's school", "Both")
LETTERS = ("B형", "A형", "모름")

TEXTS = [
    (ENGLISH, "The potter", 0),
    (ENGLISH, "the potter", 0),
    (ENGLISH, "THE POTTER.", 0),
    (ENGLISH, " The potter!\n", 0),
    (ENGLISH, "**The potter**", 0),
    (ENGLISH, "“The potter.”", 0),
    (ENGLISH, '"The potter".', 0),
    (ENGLISH, "'the potter'", 0),
    (ENGLISH, '"The potter', 0),
    (ENGLISH, "(The potter)", 0),
    (ENGLISH, "[The young baker]", 1),
    (ENGLISH, "- The young  baker", 1),
    (ENGLISH, "Ｔｈｅ ｐｏｔｔｅｒ", 0),
    (ENGLISH, "potter", 0),
    (ENGLISH, "Young baker.", 1),
    (ENGLISH, "a potter", 0),
    (ENGLISH, "Not enough information.", 2),
    (ENGLISH, "\\boxed{The potter}", 0),
    (ENGLISH, "<answer>The potter</answer>", 0),
    (ENGLISH, '{"answer": "The potter"}', 0),
    (ENGLISH, "The potter\nThe potter", 0),
    (ARTICLES, "A potter", 0),
    (ARTICLES, "a baker", 1),
    (ARTICLES, "The baker", 1),
    (ARTICLES, "An engineer", 2),
    (ARTICLES, "engineer", 2),
    (NAMES, "Dr. Kim", 0),
    (NAMES, "Dr. Kim.", 0),
    (NAMES, "St. Mary’s school", 1),
    (NAMES, "Both", 2),
    (NAMES, "both.", 2),
    (LETTERS, "B형", 0),
    (LETTERS, "A형입니다.", 1),
    (LETTERS, "모릅니다", 2),
    (KOREAN, "도예가", 0),
    (KOREAN, "도예가.", 0),
    (KOREAN, "‘도예가’", 0),
    (KOREAN, "「도예가」", 0),
    (KOREAN, "도예가입니다", 0),
    (KOREAN, "도예가입니다.", 0),
    (KOREAN, "도예가 입니다.", 0),
    (KOREAN, "도예가예요", 0),
    (KOREAN, "도예가이에요.", 0),
    (KOREAN, "도예가이다.", 0),
    (KOREAN, "도예가다", 0),
    (KOREAN, "도예가요", 0),
    (KOREAN, "도예가임", 0),
    (KOREAN, "도예가였습니다", 0),
    (KOREAN, "도예가가", 0),
    (KOREAN, "도예가는", 0),
    (KOREAN, "도예가를.", 0),
    (KOREAN, "‘도예가’입니다.", 0),
    (KOREAN, "**도예가**입니다.", 0),
    (KOREAN, "도예가라고 생각합니다.", 0),
    (KOREAN, "도예가라고 할 수 있습니다", 0),
    (KOREAN, "도예가가 정답입니다.", 0),
    (KOREAN, "도예가가 맞습니다", 0),
    (KOREAN, "도예가가 가장 적절한 답입니다.", 0),
    (KOREAN, "도예가를 선택하겠습니다.", 0),
    (KOREAN, "젊은 제빵사", 1),
    (KOREAN, "젊은제빵사", 1),
    (KOREAN, "젊은 제빵사입니다", 1),
    (KOREAN, "알 수 없음", 2),
    (KOREAN, "알수없음.", 2),
    (KOREAN, "알 수없음", 2),
    (KOREAN, "알 수 없습니다", 2),
    (KOREAN, "알 수 없습니다.", 2),
    (KOREAN, "알 수 없다.", 2),
    (KOREAN, "알 수 없어요", 2),
    (KOREAN, "알 수 없음입니다.", 2),
    (KOREAN, "알 수 없다고 생각합니다.", 2),
]


@pytest.mark.parametrize(("choices", "reply", "place"), TEXTS)
def test_the_text_of_a_choice_is_read(choices: tuple[str, ...], reply: str, place: int) -> None:
    """Case, stops, quotes, articles, particles and polite endings make no difference."""
    reading = read_reply(reply, choices)
    assert (reading.chosen, reading.rule) == ({place}, "text")


@pytest.mark.parametrize(("choices", "reply", "place"), TEXTS)
@pytest.mark.parametrize("turn", [1, 2])
def test_turning_the_choices_never_changes_which_text_is_read(
    choices: tuple[str, ...], reply: str, place: int, turn: int
) -> None:
    """A text is a text at whatever place it is shown: 'A potter' is never the letter A."""
    turned = (*choices[turn:], *choices[:turn])
    (read,) = read_reply(reply, turned).chosen or [None]
    assert read is not None
    assert turned[read] == choices[place]


UNREAD = [
    (ENGLISH, "The potters"),
    (ENGLISH, "The potter's"),
    (ENGLISH, "potter man"),
    (ENGLISH, "The old potter"),
    (ENGLISH, "young"),
    (ENGLISH, "The potter, I think"),
    (ENGLISH, "The the potter"),
    (ENGLISH, "Not enough"),
    (ENGLISH, "Not enough information about the potter"),
    (ENGLISH, "information"),
    (ENGLISH, "A man"),
    (ARTICLES, "A banker"),
    (ARTICLES, "An"),
    (NAMES, "Dr"),
    (NAMES, "Both of them"),
    (NAMES, "Dr. Kim's school"),
    (LETTERS, "AB형"),
    (LETTERS, "O형"),
    (KOREAN, "도예가들"),
    (KOREAN, "도예가의"),
    (KOREAN, "도예가에게"),
    (KOREAN, "도예"),
    (KOREAN, "늙은 도예가"),
    (KOREAN, "도예가가 아닙니다"),
    (KOREAN, "도예가는 아니다"),
    (KOREAN, "도예가라고 할 수 없습니다"),
    (KOREAN, "도예가인 것 같습니다"),
    (KOREAN, "도예가일 것입니다"),
    (KOREAN, "도예가일까요?"),
    (KOREAN, "도예가를 선택하지 않겠습니다"),
    (KOREAN, "도예가가 틀렸습니다"),
    (KOREAN, "알 수 있음"),
    (KOREAN, "알 수 있습니다"),
    (KOREAN, "알 수 없는 것 같습니다"),
    (KOREAN, "알 수 없지 않습니다"),
    (KOREAN, "없음"),
    (KOREAN, "없습니다"),
]


@pytest.mark.parametrize(("choices", "reply"), UNREAD)
def test_less_or_more_than_the_text_is_none(choices: tuple[str, ...], reply: str) -> None:
    """Neither the beginning of a name nor a sentence about it is that name."""
    assert read_reply(reply, choices).chosen is None


def test_the_exact_text_comes_before_one_with_an_ending() -> None:
    """`고양이`, a cat, is not `고양`, a town, with an ending; `고양이다` may be either."""
    choices = ("고양", "고양이", "모름")
    assert read_reply("고양이", choices).chosen == {1}
    assert read_reply("고양", choices).chosen == {0}
    assert read_reply("고양이입니다", choices).chosen == {1}
    assert read_reply("고양이다", choices).rule == "ambiguous"


def test_articles_tell_texts_apart_where_nothing_else_does() -> None:
    """'A baker' and 'The baker' are two choices; 'baker' is neither."""
    choices = ("A baker", "The baker", "unknown")
    assert read_reply("The baker", choices).chosen == {1}
    assert read_reply("a baker", choices).chosen == {0}
    assert read_reply("baker", choices).rule == "ambiguous"


def test_equal_texts_are_ambiguous() -> None:
    """Choices that differ in case alone cannot be told apart by text, but by letter."""
    choices = ("US", "us", "neither")
    assert read_reply("us", choices).rule == "ambiguous"
    assert read_reply("B. us", choices).chosen == {1}


def test_a_choice_without_words_is_never_read_by_its_text() -> None:
    """An empty reply names nothing, whatever is empty among the choices."""
    assert Texts(("...", "", "baker"), RULES.naming, ENDINGS, lambda at: True).find("...") == set()
    assert read_reply(".", ("", "x1", "y1")).chosen is None


BARE = [
    ("x", ["x"]),
    ("x.", ["x.", "x"]),
    ("'x.'", ["'x.'", "x.", "x"]),
    ('"x', ['"x', "x"]),
    ("(a) b", ["(a) b"]),
    ("a (b)", ["a (b)"]),
]


@pytest.mark.parametrize(("text", "forms"), BARE)
def test_stops_and_quotes_are_taken_off_one_by_one(text: str, forms: list[str]) -> None:
    """Each form is tried, the whole one first."""
    assert list(bare(text)) == forms


def test_an_ending_may_leave_two_stems() -> None:
    """The shortest stem and the longest are both tried."""
    assert ENDINGS.without_ending("고양이다", particles=False) == ["고양", "고양이"]
    assert ENDINGS.without_ending("B는", particles=False) == []
    assert ENDINGS.without_ending("비는", particles=True) == ["비"]


def test_verbs_are_compared_as_nouns() -> None:
    """`없습니다`, `없다` and `없음` are one word in different dress."""
    found = {
        ENDINGS.noun_ending(f"알수{verb}")
        for verb in ("없습니다", "없다", "없어요", "없음", "없네요")
    }
    assert found == {"알수없음"}
    assert ENDINGS.noun_ending("알수있음") == "알수있음"
    assert ENDINGS.noun_ending("아닙니다") == ENDINGS.noun_ending("아니다") == "아님"


@given(
    text=st.sampled_from([*ENGLISH, *ARTICLES, *KOREAN]),
    frame=st.sampled_from(["{}", " {}\n", "**{}**", "({})", "[{}]", "“{}”", "- {}", "`{}`", "{}."]),
    second=st.sampled_from(["{}", "**{}**", "({})", " {} ", '"{}"']),
)
def test_decoration_changes_no_reading(text: str, frame: str, second: str) -> None:
    """However a text is wrapped, once or twice, it is read as without the wrapping."""
    for choices in (ENGLISH, ARTICLES, KOREAN):
        assert read_reply(second.format(frame.format(text)), choices) == read_reply(text, choices)
