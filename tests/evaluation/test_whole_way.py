"""Question answering from samples to a report: all tables that are written on the way."""

from hashlib import sha256

import pandas as pd
import pytest
from benchmark import benchmark, write_replies, write_samples

from curation.files.workspace import Workspace
from evaluation import batch, compare
from evaluation.compare import Normalised, PairedUnit
from evaluation.qa.metrics import SetKind
from evaluation.qa.prepare import prepare
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.replies.merging import merge
from evaluation.replies.rows import parse_replies
from evaluation.reporting.report import report
from evaluation.runner.asking import plan_run
from evaluation.runner.backend import BackendSettings

TEMPLATES = (*(f"hobby-{at:03d}" for at in range(1, 8)), *(f"job-{at:03d}" for at in range(1, 7)))
PROMPTS = """\
prompts:
  - {id: "1", layout: "{context} {question}\\nA: {a}\\nB: {b}\\nC: {c}", unknown: Not known}
  - {id: "2", layout: "{context} {question}\\n1) {a}\\n2) {b}\\n3) {c}", unknown: Unclear,
     letters: ["1", "2", "3"]}
"""
FORMS = ("{letter}", "{letter}. {text}", "The answer is {letter}.", "**{letter}**", "{text}")
LEANINGS = {"fair": 200, "leaning": 110, "poor": 40}
"""By model in how many of 256 replies it is right; else it is biased, twice as often as not."""
SAMPLES = {item.sample_id: item for item in benchmark(TEMPLATES)}


def answers(model):
    """Give a model's replies: drawn by the request, said in several ways, one in 17 not at all."""

    def answer(request):
        sample = SAMPLES[request["sample_id"]]
        draw, form, lean = sha256(f"{model} {request['request_id']}".encode()).digest()[:3]
        if form % 17 == 0:
            return "Both of them."
        texts = dict(zip(("first", "second"), sample.choices, strict=False))
        unknown = next(text for text in request["choices"] if text not in sample.choices[:2])
        other = next(text for text in texts.values() if text != sample.biased_answer)
        right = unknown if sample.context_type == "amb" else sample.answer
        wrong = (sample.biased_answer, sample.biased_answer, other)[lean % 3]
        text = right if draw < LEANINGS[model] else wrong
        letter = ("123" if request["prompt_id"] == "2" else "ABC")[request["choices"].index(text)]
        return FORMS[form % len(FORMS)].format(letter=letter, text=text)

    return answer


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "culture.yaml").write_text("culture: Nowhere\nlanguage: en\nunknown: Not known\n")
    (folder / "prompts.yaml").write_text(PROMPTS)
    write_samples(folder / "samples.csv", SAMPLES.values())
    return folder


@pytest.mark.slow
def test_from_samples_to_a_report(work, as_written, monkeypatch):
    """Three models in two prompts and three orders, and a batch for a fourth."""
    ws = Workspace(work)
    samples, prompts = work / "samples.csv", work / "prompts.yaml"
    asked = prepare(ws, samples, prompts=prompts).file
    for model in LEANINGS:
        write_replies(work.parent / f"{model}.jsonl", asked, answers(model), model)
    parts = [work.parent / f"{model}.jsonl" for model in LEANINGS]
    merged = merge(parts, work / "replies.jsonl", asked)
    parse_replies(asked, [merged.file]).save(work / "rows.csv")
    parse_replies(asked, [merged.file], mode="kobbq").save(work / "rows_kobbq.csv")
    wanted = ScoreInputs(samples, prompts, replies=(merged.file,))
    score(ws, wanted).save(work / "scores")
    score(ws, ScoreInputs(samples, prompts, replies=(merged.file,), kind=SetKind.ALL)).save(
        work / "averaged"
    )
    compare.models(work / "scores").save(work / "models")
    monkeypatch.setattr("evaluation.compare.comparing.means_of_groups", lambda *_, **__: None)
    for unit in PairedUnit:
        compare.groups(work / "scores", unit=unit).save(work / f"groups_{unit}")
    for way in Normalised:
        compare.groups(work / "scores", pooled=way).save(work / f"pooled_{way}")
    compare.benchmarks(work / "scores", work / "averaged").save(work / "benchmarks")
    report(ws, wanted, out=work / "report")
    monkeypatch.setattr(batch, "MOST", 500)
    monkeypatch.setattr(batch, "LARGEST", 10**6)
    settings = BackendSettings("new", {"max_tokens": 4})
    batch.write(plan_run(ws, "openai", settings, replies=work / "none.jsonl"))
    assert len(pd.read_csv(work / "rows.csv")) == 3 * 2 * 3 * len(SAMPLES)
    as_written("way.txt")
