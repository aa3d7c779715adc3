"""Results of evaluations: one command at a time writes a folder, and all of a result or nothing."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from benchmark import benchmark, write_replies, write_samples

import evaluation
from curation.files.lock import writing_results
from curation.files.manifest import read_manifest, verify_manifest
from curation.files.tables import read_table
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation import batch, compare, occupations, stories
from evaluation.folders import result_folder, save_requests
from evaluation.qa import scoring
from evaluation.qa.prepare import prepare
from evaluation.qa.scoring import ScoreInputs, Scores, score
from evaluation.replies.merging import merge
from evaluation.replies.rows import parse_replies
from evaluation.reporting.report import report

SAMPLES = list(benchmark())
PROMPTS = """\
prompts:
  - {id: "1", layout: "{context} {question}\\nA: {a}\\nB: {b}\\nC: {c}", unknown: Not known}
"""
ORDER = batch.Order(batch.Format.OPENAI, "m", {"max_tokens": 4})


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    """Samples, requests, replies of two models and their scores, in no workspace."""
    write_samples(tmp_path / "samples.csv", SAMPLES)
    (tmp_path / "prompts.yaml").write_text(PROMPTS)
    place = Workspace(tmp_path, wait=0)
    asked = prepare(place, tmp_path / "samples.csv", prompts=tmp_path / "prompts.yaml").file
    for number, model in enumerate("mn"):
        write_replies(tmp_path / f"{model}.jsonl", asked, lambda _, at=number: "AB"[at], model)
    scored(place).save(tmp_path / "scores")
    return place


def inputs(place: Workspace) -> ScoreInputs:
    """What is scored."""
    replies = [place.root / "m.jsonl", place.root / "n.jsonl"]
    return ScoreInputs(place.root / "samples.csv", place.root / "prompts.yaml", replies=replies)


def scored(place: Workspace) -> Scores:
    """The scores of both models."""
    return score(place, inputs(place))


def asked(place: Workspace) -> Path:
    """The requests."""
    return place.exports_folder / "evaluation" / "requests.jsonl"


def batches(place: Workspace, folder: Path) -> None:
    """Write batches for a model that was asked nothing."""
    batch.write(place, ORDER, folder=folder, replies=place.root / "none.jsonl")


@contextmanager
def somebody_writing(folder: Path) -> Iterator[None]:
    """Another thread writes to the folder as long as the block lasts."""
    began, end = threading.Event(), threading.Event()

    def hold() -> None:
        with writing_results(folder, "curate evaluate score"):
            began.set()
            end.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    began.wait()
    try:
        yield
    finally:
        end.set()
        thread.join()


WRITERS: dict[str, Callable[[Workspace, Path], object]] = {
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
    "occupations ratios": lambda place, out: occupations.ratios(
        out=out / "ratios.csv", workspace=place
    ),
    "a result with a manifest": lambda place, out: saved(place, out),
    "requests": lambda place, out: save_requests(
        place, [{"request_id": "1"}], "x", out / "r.jsonl", [], {}, {}, command="evaluate x"
    ),
}


def saved(place: Workspace, out: Path) -> None:
    """Save a table, as scores and comparisons of stories, occupations and simulations are."""
    with result_folder(place, out, [], {}, {}, command="evaluate x") as stage:
        (stage / "scores.csv").write_text("a\n1\n")


@pytest.mark.parametrize("name", WRITERS)
def test_nobody_writes_beside_another(place: Workspace, tmp_path: Path, name: str) -> None:
    """Who is second waits, here not at all, and has written nothing; then it writes."""
    out = tmp_path / "out"
    with somebody_writing(out):
        with pytest.raises(CurateError, match="writing to this folder: 'curate evaluate score'"):
            WRITERS[name](place, out)
        assert [path.name for path in out.iterdir()] == [".curate-lock.json"]
    WRITERS[name](place, out)
    assert [path for path in out.iterdir() if path.name.startswith(".")] == []
    assert list(out.iterdir())


def test_results_of_batches_are_read_by_one_alone(place: Workspace, tmp_path: Path) -> None:
    """While another command writes to the folder of batches, none is."""
    batches(place, tmp_path / "batches")
    with somebody_writing(tmp_path / "batches"), pytest.raises(CurateError, match="is writing"):
        batch.read(place, [tmp_path / "result.jsonl"], folder=tmp_path / "batches")


def test_requests_and_their_manifest_appear_together(place: Workspace) -> None:
    """In the folder of the exports; the count is that of the requests."""
    rows = [{"request_id": str(number)} for number in range(3)]
    given = ([place.root / "samples.csv"], {"stories": 2}, {"seed": 1})
    file, written = save_requests(place, rows, "asked", None, *given, command="evaluate x")
    assert (file, written) == (place.exports_folder / "asked" / "requests.jsonl", 3)
    assert read_manifest(file.parent).counts == {"requests": 3, "stories": 2}
    before = file.read_text()

    def broken() -> Iterator[dict[str, object]]:
        yield rows[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        save_requests(place, broken(), "asked", None, *given, command="evaluate x")
    assert file.read_text() == before
    assert verify_manifest(file.parent) == []


def test_two_commands_that_score_into_one_folder(
    place: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables and manifest are those of the first, and then those of the second, never of both."""
    out = tmp_path / "both"
    first = scored(place)
    second = score(place, replace(inputs(place), replies=[tmp_path / "n.jsonl"]))
    began, end, write = threading.Event(), threading.Event(), scoring.write_csv

    def slowly(*args: object) -> object:
        began.set()
        end.wait()
        return write(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(scoring, "write_csv", slowly)
    thread = threading.Thread(target=first.save, args=(out,))
    thread.start()
    began.wait()
    monkeypatch.setattr(scoring, "write_csv", write)
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        end.set()

    second.save(out, Workspace(tmp_path, wait=600, on_wait=tell))
    thread.join()
    assert told[0].startswith("Waiting up to 600 seconds for 'curate evaluate score' (process ")
    assert verify_manifest(out) == []
    for name in ("scores.csv", "tallies.csv", "positions.csv"):
        assert {row["model"] for row in read_table(out / name).rows} == {"n"}


def test_what_a_notebook_types_is_taken(place: Workspace, tmp_path: Path) -> None:
    """Paths as text, and one file or name where several may be given."""
    root = str(tmp_path)
    wanted = ScoreInputs(f"{root}/samples.csv", f"{root}/prompts.yaml", "1")
    assert (wanted.samples, wanted.prompts) == (tmp_path / "samples.csv", tmp_path / "prompts.yaml")
    assert wanted.prompt_ids == ("1",)
    wanted = replace(wanted, replies=f"{root}/m.jsonl", filled=(), predictions=())
    assert wanted.replies == (tmp_path / "m.jsonl",)
    found = evaluation.score(place, wanted)
    found.save(f"{root}/text")
    assert {row["model"] for row in found.rows} == {"m"}
    assert compare.groups(f"{root}/scores", "label").folders == (tmp_path / "scores",)
    same = compare.benchmarks(f"{root}/scores", f"{root}/text")
    assert same.notes == (
        "in only one folder, and left out: n",
        "without pairs: no template of both comes from the same one",
    )
    written = batch.write(
        place, ORDER, replies=f"{root}/none.jsonl", folder=f"{root}/batches", requests=asked(place)
    )
    assert written.folder == tmp_path / "batches" / "001"
