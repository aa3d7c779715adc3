"""What models made of stories, put behind them."""

import json

import pytest

from curation.records.messages import CurateError
from evaluation.stories.asking import AskedStory, Continued, _evaluator, read_continuations

SEEDS = {
    (name, "1"): [AskedStory(name, "1", "age-001", "a", "1", f"{name} sat.", "bsd", *"?", (), "")]
    for name in ("one", "two", "six")
}


def test_a_continuation_follows_its_seed_without_thoughts(tmp_path):
    """A seed that is told again is there once; what is all thoughts, failed or strange is said."""
    asked = {name: Continued(name, "1", "p", 1) for name, _ in SEEDS}
    replies = {
        "m": {"one": "<think>?</think> Then  it rained.", "two": "two sat. \nIt was.", "six": None},
        "b": {"six": "It was six.", "one": "<think>hm", "ten": "Hi."},
    }
    path = tmp_path / "replies.jsonl"
    lines = [
        {"request_id": name, "model": model, "reply": text}
        for model, texts in replies.items()
        for name, text in texts.items()
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    continued, findings = read_continuations([path], asked, SEEDS)
    assert [(item.model, item.story_id, item.text) for item in continued] == [
        ("b", "six", "six sat. It was six."),
        ("m", "one", "one sat. Then  it rained."),
        ("m", "two", "two sat. It was."),
    ]
    assert [item.rule for item in findings] == ["evaluate-missing", "evaluate-unknown-request"]
    assert ": one, two; m: 1 of 3 " in findings[0].message


@pytest.mark.parametrize("wanted", [None, "a", "c"])
@pytest.mark.parametrize("models", [["a"], ["a", "b"]])
def test_the_evaluator_is_named_where_there_are_several(models, wanted):
    """And is one of those that replied."""
    if wanted == "a" or (wanted is None and len(models) == 1):
        assert _evaluator(models, wanted, "r.jsonl") == "a"
        return
    with pytest.raises(CurateError):
        _evaluator(models, wanted, "r.jsonl")
