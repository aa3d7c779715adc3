"""Requests for readings, and what an evaluator's replies say."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from curation.records.errors import CurateError
from evaluation.prompts import bundled_prompts
from evaluation.requests import write_requests
from evaluation.stories.continuing import Asked, Continued
from evaluation.stories.reading import (
    TABLE_COLUMNS,
    read_reading_requests,
    read_table,
    reading_requests,
)
from evaluation.stories.records import AskedStory

PROMPTS = bundled_prompts("en").prompts


def story(number: int, version: str, question: str) -> AskedStory:
    """Give a question; what is biased depends on the version, as in a benchmark."""
    choices = ("The cook", "The smith", "Unknown")
    return AskedStory(
        *(f"craft-{number:03d}{version}-001", "1", f"craft-{number:03d}", version, "1", "Seed."),
        *(question, "Who hums?", choices, choices[version == "b"]),
    )


STORIES = {
    (f"craft-{number:03d}{version}-001", "1"): [
        story(number, version, question) for question in ("bsd", "cnt")
    ]
    for number in range(1, 61)
    for version in "ab"
}
CONTINUED = [
    Continued(model, Asked(story_id, seed, "3"), f"Whole {story_id}.")
    for model in ("org/m", "n")
    for story_id, seed in STORIES
]


def lines(seed: int = 1, prompt: int = 0) -> list[dict[str, Any]]:
    """Make the requests."""
    return list(reading_requests(CONTINUED, STORIES, PROMPTS[prompt], seed))


def test_both_questions_are_asked_about_every_whole_story() -> None:
    """In question answering's own words, with its own unknown expression."""
    made = lines()
    assert len(made) == 2 * 2 * 120
    assert len({line["request_id"] for line in made}) == len(made)
    first = made[0]
    assert {key: first[key] for key in ("model", "template_id", "question", "version")} == {
        "model": "org/m", "template_id": "craft-001", "question": "bsd", "version": "a",
    }  # fmt: skip
    assert sorted(first["choices"]) == sorted(["The cook", "The smith", PROMPTS[0].unknown])
    text = PROMPTS[0].text("Whole craft-001a-001.", "Who hums?", first["choices"])
    assert first["messages"] == [{"role": "user", "content": text}]


def test_ids_go_into_batch_files() -> None:
    """Letters, digits, hyphens and underscores, 64 at most, whatever the model is called."""
    for line in lines():
        assert len(line["request_id"]) <= 64
        assert line["request_id"].replace("-", "").replace("_", "").isalnum()


def test_each_choice_stands_at_each_place_about_as_often() -> None:
    """The order is drawn for each request, and the same seed draws the same."""
    made = lines()
    for place in range(3):
        counts = Counter(line["roles"][place] for line in made)
        assert all(110 < counts[role] < 210 for role in "BCU")
    orders = {"".join(line["roles"]) for line in made}
    assert orders == {"BCU", "CUB", "UBC", "CBU", "BUC", "UCB"}
    assert lines() == made
    assert lines(seed=2) != made


def test_roles_go_with_the_choices() -> None:
    """B is the biased answer of the version."""
    for line in lines():
        biased = "The smith" if line["version"] == "b" else "The cook"
        assert line["choices"][line["roles"].index("B")] == biased
        assert line["choices"][line["roles"].index("U")] == PROMPTS[0].unknown


def test_a_prompts_unknown_expression_may_be_no_choice() -> None:
    """No reply could tell which is meant."""
    prompt = PROMPTS[0].model_copy(update={"unknown": "the cook"})
    with pytest.raises(CurateError, match="'the cook', is a choice of a sample"):
        list(reading_requests(CONTINUED, STORIES, prompt, 1))


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    """A file of the requests about one story."""
    path = tmp_path / "requests.jsonl"
    write_requests(path, [line for line in lines() if line["template_id"] == "craft-001"])
    return path


def replied(folder: Path, rows: list[tuple[str, str, str | None]]) -> list[Path]:
    """Write replies: request, model, text."""
    path = folder / "replies.jsonl"
    names = ("request_id", "model", "reply")
    text = "\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows)
    path.write_text(text + "\n", encoding="utf-8")
    return [path]


def test_replies_become_readings(requests: Path, tmp_path: Path) -> None:
    """By letter or text; what names no single choice is out_of_choice."""
    asked = read_reading_requests(requests)
    replies: list[tuple[str, str, str | None]] = []
    expected = []
    for at, (name, item) in enumerate(asked.items()):
        role = "BCU"[at % 3]
        place = item.roles.index(role)
        text = ["ABC"[place], item.choices[place], "Both of them"][at % 3 if at < 6 else 0]
        replies.append((name, "judge", text))
        expected.append("out_of_choice" if text == "Both of them" else role)
    table = read_table(replied(tmp_path, replies), asked, None)
    assert [row[TABLE_COLUMNS.index("reading")] for row in table.rows] == expected
    assert expected[:4] == ["B", "C", "out_of_choice", "B"]
    assert table.evaluator == "judge"
    assert table.findings == ()
    assert table.counts["n"] == dict(sorted(Counter(expected[4:]).items()))
    first = dict(zip(TABLE_COLUMNS, table.rows[0], strict=True))
    assert first == {
        "model": "org/m", "template_id": "craft-001", "question": "bsd", "version": "a",
        "reading": "B", "seed": "1", "prompt_id": "3", "filling": "1",
        "story_id": "craft-001a-001", "evaluator": "judge", "rule": "letter",
        "request_id": next(iter(asked)), "epoch": "1",
    }  # fmt: skip


def test_what_has_no_reply_has_no_reading(requests: Path, tmp_path: Path) -> None:
    """Failed calls and missing ones are told, and replies to other requests."""
    asked = read_reading_requests(requests)
    names = list(asked)
    paths = replied(tmp_path, [(names[0], "j", "A"), (names[1], "j", None), ("x", "j", "A")])
    table = read_table(paths, asked, None)
    assert len(table.rows) == 1
    assert [(item.rule, item.message.split(":")[0]) for item in table.findings] == [
        ("story-reply-unknown", "1 replies are to no request of these"),
        ("story-reply-missing", "7 requests have no reply"),
    ]


def test_of_several_models_one_must_be_the_evaluator(requests: Path, tmp_path: Path) -> None:
    """Nothing is guessed."""
    asked = read_reading_requests(requests)
    name = next(iter(asked))
    paths = replied(tmp_path, [(name, "j", "A"), (name, "k", "B")])
    with pytest.raises(CurateError, match="the replies are of 2 models: j, k"):
        read_table(paths, asked, None)
    assert read_table(paths, asked, "k").rows[0][TABLE_COLUMNS.index("evaluator")] == "k"
    with pytest.raises(CurateError, match="there is no reply of z"):
        read_table(paths, asked, "z")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"roles": ["B", "C", "C"]}, "its roles are not B, C and U, one for each choice"),
        ({"choices": ["a", "b"]}, "its roles are not B, C and U, one for each choice"),
        ({"model": ""}, "it has no text 'model'"),
    ],
)
def test_a_line_that_is_no_such_request_is_refused(
    requests: Path, change: dict[str, object], message: str
) -> None:
    """With its number."""
    text = requests.read_text(encoding="utf-8")
    line = json.loads(text.splitlines()[0])
    requests.write_text(json.dumps({**line, **change}) + "\n", encoding="utf-8")
    with pytest.raises(CurateError) as caught:
        read_reading_requests(requests)
    assert caught.value.what == f"the line is not a request for a reading: {message}"
    assert caught.value.where.endswith("line 1")
