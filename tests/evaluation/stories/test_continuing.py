"""Requests for continuations, and the whole stories that come of the replies."""

import json
from pathlib import Path

import pytest

from curation.records.errors import CurateError
from evaluation.requests import write_requests
from evaluation.stories.continuing import (
    Design,
    Stories,
    continuation_prompts,
    continuation_requests,
    read_continuation_requests,
    read_continuations,
)
from evaluation.stories.records import AskedStory

SEED = "A cook met a smith. One hummed."


def asked(story: str, seed: str, question: str, context: str = SEED) -> AskedStory:
    """Give a story's question."""
    choices = ("The cook", "The smith", "Unknown")
    return AskedStory(
        *(story, seed, "craft-001", story[9], "1", context),
        *(question, "Who hums?", choices, "The cook"),
    )


STORIES: Stories = {
    (story, seed): [asked(story, seed, "bsd"), asked(story, seed, "cnt")]
    for seed in ("1", "2")
    for story in ("craft-001a-001", "craft-001b-001")
}


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    """Requests for two stories in two sets, in two wordings."""
    path = tmp_path / "requests.jsonl"
    made = continuation_requests(STORIES, continuation_prompts("en")[:2], Design.CROSSED)
    assert write_requests(path, made) == 8
    return path


def replied(folder: Path, *replies: tuple[str, str, str | None]) -> list[Path]:
    """Write replies: request, model, text."""
    path = folder / "replies.jsonl"
    names = ("request_id", "model", "reply")
    lines = [json.dumps(dict(zip(names, reply, strict=True))) for reply in replies]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [path]


def test_every_story_is_asked_in_every_wording_once(requests: Path) -> None:
    """Whatever the number of its questions."""
    lines = [json.loads(line) for line in requests.read_text(encoding="utf-8").splitlines()]
    assert [line["request_id"] for line in lines[:4]] == [
        "craft-001a-001-s1-p1", "craft-001a-001-s1-p2",
        "craft-001b-001-s1-p1", "craft-001b-001-s1-p2",
    ]  # fmt: skip
    assert len({line["request_id"] for line in lines}) == 8
    assert lines[0]["choices"] == []
    assert lines[0]["messages"][0]["content"].count(SEED) == 1
    read = read_continuation_requests(requests)["craft-001b-001-s2-p1"]
    assert (read.story_id, read.seed, read.prompt_id) == ("craft-001b-001", "2", "1")


def test_a_set_has_a_prompt_of_its_own() -> None:
    """As BBG was run: the sets go through the prompts, and begin again after the last one."""
    sets = "7", "3", "12"
    stories: Stories = {("s", seed): [asked("craft-001a", seed, "bsd")] for seed in sets}
    prompts = continuation_prompts("en")[:2]
    ids = [line["request_id"] for line in continuation_requests(stories, prompts)]
    assert ids == ["s-s7-p1", "s-s3-p2", "s-s12-p1"]
    (alone,) = continuation_requests({("s", "0"): stories["s", "7"]}, prompts)
    assert alone["request_id"] == "s-s0-p1"


def test_a_continuation_stands_behind_its_seed(requests: Path, tmp_path: Path) -> None:
    """Thoughts are no part of it, nor is the seed that a model repeats."""
    paths = replied(
        tmp_path,
        ("craft-001a-001-s1-p1", "m", "  The cook did.\n"),
        ("craft-001a-001-s1-p2", "m", f"<think>One?</think>{SEED}\nThe cook did."),
        ("craft-001b-001-s1-p1", "m", "A cook met  a smith.\nOne hummed. And left."),
        ("craft-001b-001-s1-p2", "m", ""),
    )
    found = read_continuations(paths, read_continuation_requests(requests), STORIES)
    assert [item.text for item in found.stories] == [
        f"{SEED} The cook did.", f"{SEED} The cook did.", f"{SEED} And left.", SEED,
    ]  # fmt: skip
    (finding,) = found.findings
    assert finding.rule == "story-reply-missing"
    assert finding.message.startswith("4 requests have no continuation: craft-001a-001-s2-p1 (m)")


def test_what_is_no_continuation_is_told(requests: Path, tmp_path: Path) -> None:
    """Failed calls, replies cut off within their thoughts, replies to other requests."""
    paths = replied(
        tmp_path,
        ("craft-001a-001-s1-p1", "m", None),
        ("craft-001a-001-s1-p2", "m", "<think>Let me"),
        ("other", "m", "text"),
        *((name, "m", "text") for name in list(read_continuation_requests(requests))[2:]),
    )
    found = read_continuations(paths, read_continuation_requests(requests), STORIES)
    assert len(found.stories) == 6
    assert [(item.rule, item.message.split(" ")[0]) for item in found.findings] == [
        ("story-reply-unknown", "1"), ("story-reply-lost", "2"), ("story-reply-missing", "2"),
    ]  # fmt: skip


def test_replies_to_other_requests_alone_are_refused(requests: Path, tmp_path: Path) -> None:
    """Nothing could be read of them."""
    paths = replied(tmp_path, ("other", "m", "text"))
    with pytest.raises(CurateError, match="no reply continues a story of these requests"):
        read_continuations(paths, read_continuation_requests(requests), STORIES)


def test_requests_about_other_stories_are_refused(requests: Path, tmp_path: Path) -> None:
    """The stories were built anew with other seeds, say."""
    paths = replied(tmp_path, ("craft-001a-001-s1-p1", "m", "text"))
    fewer = {key: value for key, value in STORIES.items() if key[1] == "1"}
    with pytest.raises(CurateError, match="story craft-001a-001 of seed 2, which is not among"):
        read_continuations(paths, read_continuation_requests(requests), fewer)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"request_id": "x"}', "it has no text 'story_id'"),
        ("[]", "the line is not a JSON object"),
        ("{", "the line is not JSON in UTF-8"),
    ],
)
def test_a_damaged_line_is_refused(requests: Path, line: str, message: str) -> None:
    """With its number."""
    with requests.open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
    with pytest.raises(CurateError) as caught:
        read_continuation_requests(requests)
    assert message in caught.value.what
    assert caught.value.where.endswith("line 9")


def test_a_request_that_occurs_twice_is_refused(requests: Path) -> None:
    """It would be answered twice."""
    text = requests.read_text(encoding="utf-8")
    requests.write_text(text + text.splitlines()[0] + "\n", encoding="utf-8")
    with pytest.raises(CurateError, match="request craft-001a-001-s1-p1 occurs twice"):
        read_continuation_requests(requests)
