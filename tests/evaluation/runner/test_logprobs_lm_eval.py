"""Log-probabilities of a local model beside those of lm-evaluation-harness, item by item."""

import json

import pytest

pytest.importorskip("torch", reason="the extra 'hf' (torch) is not installed")
pytest.importorskip("transformers", reason="the extra 'hf' (transformers) is not installed")
pytest.importorskip("lm_eval", reason="lm-evaluation-harness is not installed")
pytest.importorskip("accelerate", reason="lm-evaluation-harness lacks its extra 'hf'")
from tiny_model import save_model

from evaluation.replies.reply import logprobs_text, read_logprobs
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.hf import LocalModel

pytestmark = pytest.mark.server
COUNT = 60


def asked(number):
    """Make a request with three choices in one of three orders."""
    names = ["Ann", "Bob", "Unknown"]
    choices = names[number % 3 :] + names[: number % 3]
    shown = "\n".join(f"{label}: {name}" for label, name in zip("ABC", choices, strict=True))
    hall = " Two people sat in the hall." * (number % 4)
    text = f"Passage: {number}.{hall} Question: who sang?\n{shown}\nAnswer:"
    return Request(f"r{number}", ({"role": "user", "content": text},), tuple(choices))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_each_item_is_scored_as_by_multiple_choice(tmp_path, monkeypatch, kind):
    """The same log-probabilities of the three letters, and the same answer, for a random model."""
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    import lm_eval
    from lm_eval.tasks import TaskManager

    folder = save_model(tmp_path / kind, kind)
    requests = [asked(number) for number in range(COUNT)]
    data = tmp_path / "items.jsonl"
    rows = [{"text": item.messages[0]["content"], "gold": 0} for item in requests]
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    task = {
        "task": "letters",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(data)}},
        "test_split": "test",
        "output_type": "multiple_choice",
        "doc_to_text": "{{text}}",
        "doc_to_choice": ["A", "B", "C"],
        "doc_to_target": "gold",
        "metric_list": [{"metric": "acc"}],
    }
    given = f"pretrained={folder},dtype=float32,device=cpu"
    found = lm_eval.simple_evaluate(
        model="hf",
        model_args=given,
        tasks=[task],
        task_manager=TaskManager(include_defaults=False),
        log_samples=True,
        bootstrap_iters=0,
    )
    theirs = {
        sample["doc"]["text"]: [float(one[0][0]) for one in sample["resps"]]
        for sample in found["samples"]["letters"]
    }
    options = {"path": str(folder), "device": "cpu"}
    outcomes = LocalModel(BackendSettings("tiny", options=options)).ask_many(requests)
    assert len(theirs) == COUNT
    answers = set()
    for request, outcome in zip(requests, outcomes, strict=True):
        scores = theirs[request.messages[0]["content"]]
        assert list(outcome.logprobs.values()) == pytest.approx(scores, abs=2e-4)
        read = read_logprobs(logprobs_text(outcome.logprobs), 3)
        assert read == (scores.index(max(scores)), "logprob")
        assert outcome.text == "ABC"[read[0] or 0]
        answers.add(outcome.text)
    assert len(answers) > 1
