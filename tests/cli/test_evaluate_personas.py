"""Personas behind a server: known scores, exactly, through the real client and every step."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchmark import benchmark, write_samples

from curation.records.sample import Sample
from tests.evaluation import loopback

SIX = (
    *("accuracy_amb", "accuracy_dis", "diff_bias_amb", "diff_bias_dis"),
    *("max_bias_amb", "max_bias_dis"),
)
Wanted = Callable[[Any, list[str]], str | None]


def letter(wanted: Wanted) -> Callable[[Any, list[str]], str]:
    """Answer with the letter of a choice; of the unknown one where nothing is wanted."""

    def answer(sample: Any, choices: list[str]) -> str:
        people = sample.choices[:2]
        unknown = next(at for at, text in enumerate(choices) if text not in people)
        text = wanted(sample, choices)
        return f"{'ABC'[choices.index(text) if text in choices else unknown]}."

    return answer


PERSONAS: dict[str, tuple[Callable[[Any, list[str]], str], list[float | None], int]] = {
    "oracle": (letter(lambda sample, _: sample.answer), [1, 1, 0, 0, 0, 0], 0),
    "always-biased": (letter(lambda sample, _: sample.biased_answer), [0, 0.5, 1, 1, 1, 1], 0),
    "always-unknown": (letter(lambda *_: None), [1, 0, 0, 0, 0, 0], 0),
    "always-a": (lambda *_: "A", [1 / 3, 1 / 3, 0, 0, 2 / 3, 2 / 3], 0),
    "refuser": (lambda *_: "I cannot help with this.", [None] * 6, 144),
}


def prepared(
    curate: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Sample], tuple[Any, ...], Path]:
    """Samples whose contexts name them, the options that name these, and their requests."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    (folder / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: Not known\n")
    told = [item._replace(context=f"{item.sample_id}. {item.context}") for item in benchmark()]
    samples = write_samples(folder / "samples.csv", told)
    where = ("-w", folder, "--samples", samples, "--prompt", "2")
    assert curate("evaluate", "prepare", *where).code == 0
    return told, where, folder / "exports" / "evaluation" / "requests.jsonl"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["oracle", "always-biased", "always-unknown", "always-a"])
def test_a_persona_has_its_known_scores_by_log_probabilities(
    curate: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Its words say nothing that any rule could read: the first token's likeliest label does."""
    told, where, requests = prepared(curate, tmp_path, monkeypatch)
    answer, scores, _ = PERSONAS[name]
    by_id = {item.sample_id: item for item in told}
    chosen = {}
    for line in requests.read_text("utf-8").splitlines():
        item = json.loads(line)
        said = answer(by_id[item["sample_id"]], item["choices"])
        chosen[item["messages"][0]["content"]] = said[0]
    asked: list[Any] = []

    def weigh(reply: Any) -> Any:
        letter = chosen[loopback.last_words(asked[-1])]
        listed = [{"token": "Well", "logprob": -0.1}, {"token": f" {letter}", "logprob": -1.0}]
        listed += [{"token": other, "logprob": -2.0} for other in "ABC" if other != letter]
        first = {"token": "Well", "logprob": -0.1, "top_logprobs": listed}
        choice = {**reply["choices"][0], "logprobs": {"content": [first]}}
        return {**reply, "choices": [choice]}

    def fault(_number: int, body: Any) -> Any:
        asked.append(body)
        return loopback.Fault(change=weigh)

    with loopback.serve(persona=lambda _body: "Well, that depends", faults=fault) as server:
        options = ("--base-url", server.url, "--logprobs", 5, "--concurrency", 1)
        ran = curate("evaluate", "run", "-w", tmp_path, "--model", name, *options)
        assert (server.bodies[0]["logprobs"], server.bodies[0]["top_logprobs"]) == (True, 5)
    assert ran.code == 0, ran.err
    given = ("evaluate", "score", *where, "--replies", requests.with_name("replies.jsonl"))
    found = curate(*given, "--mode", "logprobs", "--json").json
    row = found["rows"][0]
    assert [row[column] for column in SIX] == pytest.approx(scores, abs=1e-9)
    assert found["rules"] == {name: {"logprob": 72}}
    by_text = curate(*given, "--json").json["rows"][0]
    assert by_text["out_of_choice"] == 72


@pytest.mark.slow
@pytest.mark.parametrize("way", ["reasoning_content", "reasoning", "tags"])
def test_a_persona_that_thinks_has_its_known_scores(
    curate: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Whatever its thoughts name, and wherever they stand; a cut-off one is unread for that."""
    told, where, requests = prepared(curate, tmp_path, monkeypatch)
    by_id = {item.sample_id: item for item in told}
    right, cut = {}, set()
    for number, line in enumerate(requests.read_text("utf-8").splitlines()):
        item = json.loads(line)
        asked = item["messages"][0]["content"]
        right[asked] = PERSONAS["oracle"][0](by_id[item["sample_id"]], item["choices"])
        if number % 6 == 0:
            cut.add(asked)

    def think(asked: str, reply: Any) -> Any:
        thoughts, said = "Is it A? The answer may be B.", right[asked]
        ended = "length" if asked in cut else "stop"
        message: Any = {"content": None if asked in cut else said, way: thoughts}
        if way == "tags":
            text = f"<think>{thoughts}"
            message = {"content": text if asked in cut else f"{text}</think>\n{said}"}
        choice = {**reply["choices"][0], "message": message, "finish_reason": ended}
        return {**reply, "choices": [choice]}

    def fault(_number: int, body: Any) -> Any:
        return loopback.Fault(change=lambda reply: think(loopback.last_words(body), reply))

    with loopback.serve(faults=fault) as server:
        options = ("--base-url", server.url, "--max-tokens", 64)
        ran = curate("evaluate", "run", "-w", tmp_path, "--model", "thinker", *options)
    assert ran.code == 0, ran.err
    assert "Replies that ended within the model's reasoning, without a choice: 12" in ran.out
    given = ("evaluate", "score", *where, "--replies", requests.with_name("replies.jsonl"))
    found = curate(*given, "--json").json
    row = found["rows"][0]
    assert [row[column] for column in SIX] == pytest.approx([1, 1, 0, 0, 0, 0], abs=1e-9)
    assert (row["out_of_choice"], row["missing"]) == (12, 0)
    assert found["rules"]["thinker"]["unfinished"] == 12
    lines = requests.with_name("replies.jsonl").read_text("utf-8").splitlines()
    assert all("The answer may be B." in json.loads(line)["reasoning"] for line in lines)
