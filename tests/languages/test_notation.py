"""Phrases whose notation cannot be read, or that would be searched for endlessly, are refused."""

from pathlib import Path

import pytest

from curation.languages.replies import Replies
from curation.records.errors import CurateError
from curation.records.settings_errors import parse_settings


def read(text: str) -> Replies:
    """Read the words of replies from a file."""
    return parse_settings(text, Replies, Path("replies.yaml"), "docs/languages.md")


@pytest.mark.parametrize(
    ("phrase", "what"),
    [
        ("(the ]answer", "closes with ] a bracket that was not opened"),
        ("([one|other) is]", "closes with ) a bracket that was not opened"),
        ("the (answer", "opens ( and does not close it"),
        ("one|other", "has | outside of brackets"),
        ("{nothing} is", "names the part {nothing}"),
        ("{round} is", "names the part {round}"),
        ("* _ *", ""),
        ("**", "has two of * and _ side by side"),
        ("a * b * c * d * e", "has more than 3 words that may be any"),
        ("a ... b ... c ... d", "has more than 2 gaps"),
        ("(a )" * 30 + "b", "has too many parts that may be missing"),
        ("{many}{many} b", "has too many parts that may be missing"),
        ("-", "is empty"),
        (" ", "is empty"),
        ("{known} (is )[so|thus]", ""),
    ],
)
def test_a_phrase_is_named_with_what_is_wrong(phrase: str, what: str) -> None:
    """With its line, its list and its place there; what can be searched for is taken."""
    parts = "parts:\n  known: the answer\n" + ("  round: so {round}\n" if "round" in phrase else "")
    if "many" in phrase:
        parts += f"  many: '{'(a )' * 20}'\n"
    text = f"{parts}negation: [not]\nstatements:\n  - it is\n  - '{phrase}'\n"
    if not what:
        assert read(text).statements[1] == phrase
        return
    with pytest.raises(CurateError) as caught:
        read(text)
    assert what in caught.value.what and caught.value.hint
    if "round" not in phrase:
        assert caught.value.what.startswith("statements.item 2: the phrase ")
        assert caught.value.where == f"replies.yaml, line {len(text.splitlines())}"


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("letters: 'z-a'\n", "letters: 'z-a' is not a list of letters: bad character range", 1),
        ("none: [x]\nstatments: [the answer]\n", "statments: there is no such setting", 2),
        ("none:\n  - x\nparts: {a: '(b'}\n", "parts.a: the phrase '(b' opens ( and", 3),
        ("none: x\n", "none: 'x' is not a list", 1),
    ],
)
def test_a_language_with_a_wrong_or_strange_key(text: str, what: str, where: int) -> None:
    """The file, the line and the key are named."""
    with pytest.raises(CurateError) as caught:
        read(text)
    assert caught.value.what.startswith(what)
    assert caught.value.where == f"replies.yaml, line {where}"


def test_ends_of_expressions_are_texts() -> None:
    """A bracket or plus in them is that character, whatever it is to a pattern."""
    from evaluation.parsing.text import Endings

    pack = Replies.model_validate(
        {"letters": "a-z", "endings": ["x"], "nouns": [{"endings": ["(a+)+b"], "noun": "n"}]}
    )
    assert Endings([pack]).noun_ending("c(a+)+b") == "cn"
    assert Endings([pack]).noun_ending("aaab") == "aaab"
