"""Phrases whose notation cannot be read, or that would be searched for endlessly, are refused."""

from pathlib import Path

import pytest

from curation.languages.general import Replies
from curation.records.messages import CurateError
from curation.records.settings import parse_settings


def read(text):
    return parse_settings(text, Replies, Path("replies.yaml"), "docs/languages.md")


@pytest.mark.parametrize(
    ("phrase", "what"),
    [
        ("(the ]answer", "closes with ] a bracket that was not opened"),
        ("([one|other) is]", "closes with ) a bracket that was not opened"),
        ("the (answer", "opens ( and does not close it"),
        ("one|other", "has | outside of brackets"),
        ("-", "is empty"),
        (" ", "is empty"),
        ("(a|b)", "is empty"),
        ("x" * 400, "is too long"),
        ("the (answer )[so|thus]-", ""),
    ],
)
def test_a_phrase_is_named_with_what_is_wrong(phrase, what):
    """With its line, its list and its place there; what can be searched for is taken."""
    text = f"negations: [not]\nanswers:\n  - it is\n  - '{phrase}'\n"
    if not what:
        assert read(text).answers[1] == phrase
        return
    with pytest.raises(CurateError) as caught:
        read(text)
    assert what in caught.value.what and caught.value.hint
    assert caught.value.what.startswith("answers.item 2: the phrase ")
    assert caught.value.where == f"replies.yaml, line {len(text.splitlines())}"


def test_a_script_that_is_no_list_of_letters_is_refused():
    """By file, line and key."""
    with pytest.raises(CurateError, match="is not a list of letters: bad char") as caught:
        read("script: 'z-a'\n")
    assert caught.value.where == "replies.yaml, line 1"
