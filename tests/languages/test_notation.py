"""Phrases whose notation cannot be read, or that would be searched for endlessly, are refused."""

from pathlib import Path

import pytest

from curation.languages.general import AgreementTexts, Replies
from curation.records.messages import CurateError
from curation.records.settings import parse_settings


def read(text, model=Replies):
    return parse_settings(text, model, Path("replies.yaml"), "docs/languages.md")


@pytest.mark.parametrize(
    ("phrase", "what"),
    [
        ("(the ]answer", "has a bracket without the other one"),
        ("([one|other) is]", "has a bracket without the other one"),
        ("the (answer", "has a bracket without the other one"),
        ("one|other", "has a bracket without the other one, or | outside"),
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


TURKISH = "algorithm: turkish\ncommon: [-de]\n"
FEATURES = "algorithm: features\ncommon: [=a/b]\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("script: 'z-a'", "is not a list of letters: bad char"),
        ("common: []\nalgorithm: english", "fewer than 1 item"),
        (FEATURES, "needs features, which is empty"),
        (f"features: {{2: [{{v: A}}, {{v: b}}]}}\n{FEATURES}", "'A' is written in small letters"),
        (TURKISH, "needs harmony, which is empty"),
        (f"{TURKISH.replace('-de', '-(y)')}harmony: {{i: [e, i]}}", "is no suffix"),
        (f"{TURKISH}harmony: {{i: [e, i]}}\nfront: {{e: [saat]}}", "follows 'e', a vowel"),
    ],
)
def test_what_nothing_can_be_found_by_is_refused(text, what):
    """By file, line and key."""
    with pytest.raises(CurateError, match=what) as caught:
        read(text, Replies if text.startswith("script") else AgreementTexts)
    of_several = what.startswith(("needs", "follows", "is no suffix"))
    assert caught.value.where == ("replies.yaml" if of_several else "replies.yaml, line 1")
