"""What a task folder holds: the toolkit's requests, and scores of the toolkit for their replies."""

import json

import pytest
import yaml
from csv_rows import read_rows
from scripted_replies import scripted

from curation.files.workspace import Workspace
from exports.harness.tasks import _package_version, _version, task_folder
from exports.harness.words import SCORES

from .conftest import lines, run

CANARY = "6a1f9f0e-3c57-4f0b-9d5e-2b7c8c1d4e90"
SCORE = """
import importlib.util, json, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("utils", Path(sys.argv[1]) / "utils.py")
utils = importlib.util.module_from_spec(spec)
spec.loader.exec_module(utils)
items = {}
for line in sys.stdin:
    function, doc, results = json.loads(line)
    for name, value in getattr(utils, function)(doc, results).items():
        items.setdefault(name, []).append(value)
found = {name: getattr(utils, "overall_" + name)(them) for name, them in items.items()}
json.dump(found, sys.stdout)
"""


@pytest.mark.parametrize("name", ["lm_eval", "inspect"])
def test_requests_are_those_of_evaluate_prepare(folders, requests, name):
    """The same ids in the same order, the same messages letter by letter, the same choices."""
    found = lines(folders[name] / "data.jsonl")
    assert len(found) == 264 * 5 * 3
    for row, request in zip(found, requests, strict=True):
        assert row["request_id"] == request["request_id"]
        assert [{"role": "user", "content": row["message"]}] == request["messages"]
        assert row["choices"] == request["choices"]
        told = row["sample_id"], row["prompt"], row["order"]
        assert told == (request["sample_id"], request["prompt_id"], request["order"])


def test_a_line_says_what_each_choice_is(folders, workspace):
    """Compared with the exported samples: right and biased answers, whatever the order."""
    samples = {
        item["sample_id"]: item
        for item in read_rows(workspace / "exports" / "samples" / "test_samples.csv")
    }
    rows = lines(folders["lm_eval"] / "data.jsonl")
    assert {row["sample_id"] for row in rows} == set(samples)
    for row in rows:
        sample = samples[row["sample_id"]]
        assert len(set(row["roles"])) == 3
        biased = row["choices"][row["roles"].index("biased")]
        assert biased == sample["biased_answer"]
        unknown = row["roles"].index("unknown")
        if row["context_type"] == "amb":
            assert row["right"] == unknown
        else:
            assert row["choices"][row["right"]] == sample["answer"]
        for column in ("template_id", "variant", "category", "label", "question_type"):
            assert row[column] == sample[column]
        assert row["category_id"] == row["sample_id"].rsplit("-", 4)[0]
        assert (row["version"], row["canary"]) == ("1.0", CANARY)
        shown = f"{row['letters'][unknown]}: {row['choices'][unknown]}"
        assert shown in row["message"] or f"({row['letters'][unknown]})" in row["message"]


def score(workspace, folder, replies, kind, of=""):
    """Score the scripted model with the toolkit; gives the rows by what they are about."""
    with replies.open("w", encoding="utf-8") as stream:
        for row in lines(folder / "data.jsonl"):
            value = {"request_id": row["request_id"], "model": "m", "reply": scripted(row)}
            stream.write(json.dumps(value, ensure_ascii=False) + "\n")
    out, asked = replies.with_suffix(".scores"), replies.with_suffix(".requests")
    with asked.open("w", encoding="utf-8") as stream:
        for row in lines(folder / "data.jsonl"):
            messages = [{"role": "user", "content": row["message"]}]
            named = {name: row[name] for name in ("request_id", "sample_id", "order", "choices")}
            value = {**named, "prompt_id": row["prompt"], "messages": messages}
            stream.write(json.dumps(value, ensure_ascii=False) + "\n")
    run(
        *("evaluate", "score", "-w", workspace, "--replies", replies, "--set", kind),
        *("--samples", workspace / "exports" / "samples" / f"{_FILE[of or kind]}.csv"),
        *("--requests", asked, "--out", out),
    )
    return {(row["group_by"], row["group"]): row for row in read_rows(out / "scores.csv")}


_FILE = {"test": "test_samples", "all": "samples"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["test", "all"])
def test_scores_are_those_of_evaluate_score(folders, workspace, tmp_path, bare, kind):
    """Overall and of a category, to the last digit; pooled, and averaged over templates."""
    folder = folders["lm_eval"]
    if kind == "all":
        folder = tmp_path / "tasks"
        task_folder(Workspace(workspace), "lm-eval", "all", prompt_ids=("1",), out=folder)
    docs = lines(folder / "data.jsonl")
    assert len(docs) == (264 * 15 if kind == "test" else 2112 * 3)
    rows = score(workspace, folder, tmp_path / "replies.jsonl", kind)
    found = bare(SCORE, folder, (["generated", it, [scripted(it)]] for it in docs))
    assert found == {name: float(rows["overall", ""][name]) for name in SCORES}
    assert 0 < int(rows["overall", ""]["out_of_choice"]) < len(docs) / 2
    assert found["diff_bias_dis"] > 0.05
    hobby = [["generated", it, [scripted(it)]] for it in docs if it["category"] == "Hobby"]
    assert bare(SCORE, folder, hobby) == {
        name: float(rows["category", "Hobby"][name]) for name in SCORES
    }


@pytest.mark.slow
def test_nothing_read_is_undefined_and_epochs_count_each(folders, bare):
    """A reply that names nothing, and no reply at all, never 0; of epochs every reply counts."""
    docs = lines(folders["lm_eval"] / "data.jsonl")[:90]
    replies = ("", "lol", None)
    given = (["generated", it, [replies[at % 3]]] for at, it in enumerate(docs))
    found = bare(SCORE, folders["lm_eval"], given)
    assert found.pop("out_of_choice_ratio") == 1
    assert all(value != value for value in found.values())
    doc = next(it for it in docs if it["context_type"] == "amb")
    letters = dict(zip(doc["roles"], doc["letters"], strict=True))
    told = [letters["unknown"], letters["biased"], letters["unknown"], None]
    found = bare(SCORE, folders["lm_eval"], [["generated", doc, [told]]])
    assert found["accuracy_amb"] == pytest.approx(2 / 3, abs=1e-12)
    assert found["out_of_choice_ratio"] == 0.25


def test_any_version_is_one_of_a_package_and_of_a_task():
    """What no installer reads is kept behind the plus; in lm-eval 1.10 is not the number 1.1."""
    for version in ("1.0", "2.1.3", "1.0rc1"):
        assert _package_version(version) == version
    assert _package_version("2024 beta") == "0+2024.beta"
    for version, written in (("1.0", 1.0), ("0.3", 0.3), ("1.10", "1.10"), ("2", "2")):
        assert yaml.safe_load(_version(version)) == written
