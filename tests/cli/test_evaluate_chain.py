"""Commands of one chain take the prepared requests, and say what is older than its source."""

import json

import pytest
from benchmark import benchmark, write_samples

from curation.files.manifest import write_manifest


@pytest.fixture
def prepared(curate, tmp_path):
    """A workspace in which one prompt was prepared and two models replied."""
    (tmp_path / "culture.yaml").write_text(
        "culture: X\nlanguage: en\nunknown: Not known\n", "utf-8"
    )
    bank = tmp_path / "templates_src" / "bank.csv"
    bank.parent.mkdir()
    bank.write_text("template_id\nhobby-001\n", "utf-8")
    folder = tmp_path / "exports" / "samples"
    folder.mkdir(parents=True)
    write_samples(folder / "test_samples.csv", benchmark(("hobby-001", "hobby-002")))
    write_manifest(folder, {"templates_src/bank.csv": bank}, {}, {})
    ran = curate("evaluate", "prepare", "-w", tmp_path, "--prompt", "1")
    assert ran.code == 0, ran.err
    for backend in ("always-first", "uniform"):
        ran = curate("evaluate", "run", "-w", tmp_path, "--backend", backend)
        assert ran.code == 0, ran.err
        assert "older" not in ran.err
    return tmp_path


def replies(folder):
    """The file of replies."""
    return folder / "exports" / "evaluation" / "replies.jsonl"


@pytest.mark.parametrize("command", ["score", "report", "view"])
def test_what_was_prepared_is_what_was_asked(curate, prepared, command):
    """One prompt of five was asked, and no reply is missing."""
    ran = curate("evaluate", command, "-w", prepared, "--replies", replies(prepared))
    assert ran.code == 0, ran.err
    assert "no reply" not in ran.err
    assert "evaluate-missing" not in ran.out + ran.err


def test_scores_say_what_was_asked(curate, prepared):
    """The toolkit's prompt by its text, language and samples, in the manifests of both."""
    out = prepared / "scores"
    ran = curate("evaluate", "score", "-w", prepared, "--replies", replies(prepared), "--out", out)
    assert ran.code == 0, ran.err
    scored = json.loads((out / "manifest.json").read_text("utf-8"))["settings"]
    asked = prepared / "exports" / "evaluation" / "manifest.json"
    told = json.loads(asked.read_text("utf-8"))["settings"]
    assert scored["prompts"] == told["prompts"]
    assert (scored["prompts"]["name"], list(scored["prompts"]["sha256"])) == ("toolkit, en", ["1"])
    assert (scored["language"], scored["orders"], scored["mode"]) == ("en", "cyclic", "strict")
    assert len(scored["samples_sha256"]) == 64


def test_what_is_named_counts_more_than_what_was_prepared(curate, prepared):
    """All prompts: four fifths lack a reply, and one warning says it of both models."""
    ran = curate(
        *("evaluate", "score", "-w", prepared, "--replies", replies(prepared)),
        *("--prompt", "1", "--prompt", "2"),
    )
    assert ran.code == 1
    assert ran.err.count("evaluate-missing") == 1
    assert "always-first, uniform: 48 of 96 requests have no reply" in ran.err


def test_requests_of_other_samples_are_not_taken(curate, prepared):
    """They were prepared from what is no longer there."""
    file = prepared / "exports" / "samples" / "test_samples.csv"
    write_samples(file, benchmark(("hobby-001",)))
    ran = curate("evaluate", "score", "-w", prepared, "--replies", replies(prepared))
    assert "evaluate-missing" in ran.err  # all five prompts are expected again


@pytest.mark.parametrize("command", ["prepare", "run", "score"])
def test_samples_that_are_older_than_the_bank_are_said(curate, prepared, command):
    """Before anything is asked, and with the scores."""
    bank = prepared / "templates_src" / "bank.csv"
    bank.write_text("template_id\nhobby-002\n", "utf-8")
    options = {"prepare": (), "run": ("--backend", "uniform")}
    given = options.get(command, ("--replies", replies(prepared)))
    ran = curate("evaluate", command, "-w", prepared, *given)
    assert ran.code == 0, ran.err
    said = "test_samples.csv is older than what it was made from: templates_src/bank.csv changed"
    assert " ".join(ran.err.split()).count(said) == 1
