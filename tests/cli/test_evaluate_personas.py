"""A model that thinks, behind a server: known scores through the real client and every step."""

import json
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


def right(sample: Any, choices: list[str]) -> str:
    """The letter of the right choice; the one that is unknown has no text of the sample."""
    if sample.answer in choices:
        return "ABC"[choices.index(sample.answer)]
    return "ABC"[next(at for at, text in enumerate(choices) if text not in sample.choices[:2])]


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
@pytest.mark.parametrize("way", ["reasoning_content", "reasoning", "tags"])
def test_a_persona_that_thinks_has_its_known_scores(
    curate: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Whatever its thoughts name, and wherever they stand; a cut-off one is unread for that."""
    told, where, requests = prepared(curate, tmp_path, monkeypatch)
    by_id = {item.sample_id: item for item in told}
    answers, cut = {}, set()
    for number, line in enumerate(requests.read_text("utf-8").splitlines()):
        item = json.loads(line)
        asked = item["messages"][0]["content"]
        answers[asked] = right(by_id[item["sample_id"]], item["choices"])
        if number % 6 == 0:
            cut.add(asked)

    def think(asked: str, reply: Any) -> Any:
        thoughts, said = "Is it A? The answer may be B.", answers[asked]
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
