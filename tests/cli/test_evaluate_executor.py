"""`--executor dask`: the same files and numbers from the workers of a cluster."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parents[2] / "exports" / "demo" / "samples"
DEMO = Path(__file__).parents[2] / "templates_src" / "demo"


@pytest.mark.parametrize("command", ["run", "score"])
@pytest.mark.parametrize(
    "options", [("--executor", "dask"), ("--scheduler", "tcp://x:1")], ids=["dask", "scheduler"]
)
def test_executor_and_scheduler_go_together(
    curate: Any, tmp_path: Path, command: str, options: tuple[str, str]
) -> None:
    """One without the other is wrong usage."""
    given = ("--replies", tmp_path / "r.jsonl", "--model", "m")
    ran = curate("evaluate", command, "-w", tmp_path, *given, *options)
    assert ran.code == 2
    assert "--executor dask and --scheduler ADDRESS go together" in ran.err


def test_servers_are_asked_from_here(curate: Any, tmp_path: Path) -> None:
    """A cluster would only stand between; what to do is said."""
    ran = curate(
        *("evaluate", "run", "-w", tmp_path, "--model", "m"),
        *("--executor", "dask", "--scheduler", "tcp://x:1"),
    )
    assert ran.code == 2
    assert "servers need no cluster" in ran.err
    assert "--backend hf" in ran.err


@pytest.mark.parametrize("command", ["run", "score"])
def test_without_the_extra_the_command_that_installs_it_is_said(
    curate: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """In place of a traceback."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    backend = ("--backend", "uniform") if command == "run" else ()
    ran = curate(
        *("evaluate", command, "-w", tmp_path, "--replies", tmp_path / "r.jsonl", *backend),
        *("--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"),
    )
    assert ran.code == 1
    assert ran.err == (
        "Error: a Dask cluster needs distributed\n"
        "  where: the extra 'distributed' is not installed\n"
        "  do:    pip install 'curate-bbq[distributed]'\n"
    )


@pytest.mark.server
def test_a_benchmark_is_run_and_scored_on_a_cluster_as_it_is_here(
    curate: Any, tmp_path: Path
) -> None:
    """Replies byte for byte, and every score, interval and file of scores, for both sets."""
    pytest.importorskip("distributed", reason="the extra 'distributed' is not installed")
    from two_workers import two_workers

    folder = tmp_path / "demo"
    samples = folder / "exports" / "samples" / "test_samples.csv"
    shutil.copytree(DEMO, folder)
    samples.parent.mkdir(parents=True)
    shutil.copy(SAMPLES / samples.name, samples)
    assert curate("evaluate", "prepare", "-w", folder, "--prompt", "1", "--prompt", "2").code == 0
    with two_workers(tmp_path) as cluster:
        there = ("--executor", "dask", "--scheduler", cluster.address)
        counted = []
        for name, options in (("here", ()), ("there", there)):
            ran = curate(
                *("evaluate", "run", "-w", folder, "--backend", "uniform", "--seed", "5"),
                *("--replies", folder / f"{name}.jsonl", "--json", *options),
            )
            assert (ran.code, ran.err) == (0, "")
            counted.append({**ran.json, "replies_file": ""})
        assert counted[0] == counted[1]
        assert counted[1]["answered"] == 1584
        replies = (folder / "here.jsonl").read_bytes()
        assert (folder / "there.jsonl").read_bytes() == replies
        ran = curate(
            *("evaluate", "run", "-w", folder, "--backend", "uniform", "--dry-run", "--json"),
            *("--replies", folder / "none.jsonl", *there),
        )
        assert (ran.code, ran.json["to_ask"]) == (0, 1584)
        for kind in ("test", "all"):
            scored = [
                curate(
                    *("evaluate", "score", "-w", folder, "--replies", folder / "here.jsonl"),
                    *("--prompt", "1", "--prompt", "2"),
                    *("--samples", samples),
                    *("--set", kind, "--draws", "200", "--json", *options),
                    *("--out", folder / name / kind),
                )
                for name, options in (("here", ()), ("there", there))
            ]
            assert [ran.code for ran in scored] == [0, 0]
            assert scored[0].out == scored[1].out
            assert scored[1].json["rows"][0]["accuracy_amb_low"] is not None
            for path in (folder / "here" / kind).iterdir():
                if path.name != "manifest.json":
                    assert path.read_bytes() == (folder / "there" / kind / path.name).read_bytes()
