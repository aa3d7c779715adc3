"""Results of evaluations: one command at a time writes a folder, and all of a result or nothing."""

import pickle

import pytest
from benchmark import benchmark, write_replies, write_samples

from curation.files.manifest import read_manifest, verify_manifest
from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation import batch, compare, stories
from evaluation.folders import result_folder, save_requests
from evaluation.qa.prepare import prepare
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.replies.merging import merge
from evaluation.replies.rows import parse_replies
from evaluation.reporting.report import report
from evaluation.runner.asking import plan_run
from evaluation.runner.backend import BackendSettings
from tests.files.test_results import another_thread

SAMPLES = list(benchmark())
PROMPTS = """\
prompts:
  - {id: "1", layout: "{context} {question}\\nA: {a}\\nB: {b}\\nC: {c}", unknown: Not known}
"""


@pytest.fixture
def place(tmp_path):
    """Samples, requests, replies of two models and their scores, in no workspace."""
    write_samples(tmp_path / "samples.csv", SAMPLES)
    (tmp_path / "prompts.yaml").write_text(PROMPTS)
    place = Workspace(tmp_path, wait=0)
    asked = prepare(place, tmp_path / "samples.csv", prompts=tmp_path / "prompts.yaml").file
    for number, model in enumerate("mn"):
        write_replies(tmp_path / f"{model}.jsonl", asked, lambda _, at=number: "AB"[at], model)
    scored(place).save(tmp_path / "scores")
    return place


def inputs(place):
    replies = [place.root / "m.jsonl", place.root / "n.jsonl"]
    return ScoreInputs(place.root / "samples.csv", place.root / "prompts.yaml", replies=replies)


def scored(place):
    return score(place, inputs(place))


def asked(place):
    return place.exports_folder / "evaluation" / "requests.jsonl"


def batches(place, folder):
    replies = place.root / "none.jsonl"
    batch.write(plan_run(place, "openai", BackendSettings("m"), replies=replies), folder)


WRITERS = {
    "prepare": lambda place, out: prepare(
        place,
        place.root / "samples.csv",
        prompts=place.root / "prompts.yaml",
        out=out / "requests.jsonl",
    ),
    "merge": lambda place, out: merge(
        [place.root / "m.jsonl", place.root / "n.jsonl"], out / "all.jsonl", workspace=place
    ),
    "score": lambda place, out: scored(place).save(out, place),
    "compare": lambda place, out: compare.models(place.root / "scores").save(out, place),
    "report": lambda place, out: report(place, inputs(place), out=out),
    "replies": lambda place, out: parse_replies(asked(place), [place.root / "m.jsonl"]).save(
        out / "rows.csv", place
    ),
    "batch write": batches,
    "stories evaluators": lambda place, out: stories.evaluators(
        place.root / "scores" / "scores.csv", out / "ranking.csv", workspace=place
    ),
    "a result with a manifest": lambda place, out: saved(place, out),
    "requests": lambda place, out: save_requests(
        place, [{"request_id": "1"}], "x", out / "r.jsonl", [], {}, {}, command="evaluate x"
    ),
}


def saved(place, out):
    """Save a table, as scores and comparisons of stories, occupations and simulations are."""
    with result_folder(place, out, [], {}, {}, command="evaluate x") as stage:
        (stage / "scores.csv").write_text("a\n1\n")


@pytest.mark.parametrize("name", WRITERS)
def test_nobody_writes_beside_another(place, tmp_path, monkeypatch, name):
    """Who is second waits, here not at all, and has written nothing; then it writes."""
    monkeypatch.setattr("evaluation.reporting.report.pictures", lambda _: ())  # they take long
    out = tmp_path / "out"
    with another_thread(out):
        with pytest.raises(CurateError, match="writing to this folder: 'curate evaluate score'"):
            WRITERS[name](place, out)
        assert [path.name for path in out.iterdir()] == [".curate-lock.json"]
    WRITERS[name](place, out)
    assert [path for path in out.iterdir() if path.name.startswith(".")] == []
    assert list(out.iterdir())


def test_requests_and_their_manifest_appear_together(place):
    """In the folder of the exports; the count is that of the requests."""
    rows = [{"request_id": str(number)} for number in range(3)]
    given = ([place.root / "samples.csv"], {"stories": 2}, {"seed": 1})
    file, written = save_requests(place, rows, "asked", None, *given, command="evaluate x")
    assert (file, written) == (place.exports_folder / "asked" / "requests.jsonl", 3)
    assert read_manifest(file.parent).counts == {"requests": 3, "stories": 2}
    before = file.read_text()

    def broken():
        yield rows[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        save_requests(place, broken(), "asked", None, *given, command="evaluate x")
    assert file.read_text() == before
    assert verify_manifest(file.parent) == []


def test_requests_are_not_written_over_what_they_are_made_of(place):
    given = place.root / "samples.csv"
    before = given.read_bytes()
    with pytest.raises(CurateError, match="would be written over it"):
        prepare(place, given, prompts=place.root / "prompts.yaml", out=given)
    assert given.read_bytes() == before


@pytest.mark.parametrize("make", [scored, lambda place: compare.groups(place.root / "scores")])
def test_what_a_notebook_keeps_is_written_when_it_is_read_again(place, tmp_path, make):
    """As programs of the same person keep it, with what writes it and draws its pictures."""
    made = make(place)
    kept = pickle.loads(pickle.dumps(made))  # noqa: S301  # our own
    for name, found in (("plain", made), ("again", kept)):
        found.save(tmp_path / name)
    plain, again = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("plain", "again")
    )
    assert plain == again
