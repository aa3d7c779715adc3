"""`curate evaluate merge`: parts of a run in one file, shown to be whole."""

import json
import shutil
from pathlib import Path

import pytest

from curation.cli.main import main


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """The demo's requests, answered whole and in three parts."""
    root = Path(__file__).parents[2]
    folder = tmp_path_factory.mktemp("parts")
    samples = root / "exports" / "demo" / "samples" / "test_samples.csv"
    requests = folder / "requests.jsonl"
    culture = folder / "culture.yaml"
    shutil.copy(root / "templates_src" / "demo" / "culture.yaml", culture)

    def run(*args):
        with pytest.raises(SystemExit) as left:
            main(["evaluate", *map(str, args), "-w", str(folder)])
        assert left.value.code == 0

    run("prepare", "--samples", samples, "--out", requests, "--prompt", "1")
    asked = ("run", "--requests", requests, "--backend", "uniform", "--model", "uniform")
    run(*asked, "--replies", folder / "whole.jsonl")
    for part in (1, 2, 3):
        run(*asked, "--shard", f"{part}/3", "--replies", folder / f"part{part}.jsonl")
    return folder


def test_three_parts_are_the_whole_byte_for_byte(parts, curate, tmp_path):
    """Sorted by the order of the requests; the parts have no request in common."""
    out = tmp_path / "all.jsonl"
    files = [parts / f"part{at}.jsonl" for at in (3, 1, 2)]
    ran = curate(
        *("evaluate", "merge", *files, "--requests", parts / "requests.jsonl"),
        *("--out", out, "--json"),
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.json == {
        "file": str(out),
        "written": 792,
        "lines": 792,
        "models": {"uniform": 792},
        "requests": 792,
        "missing": {"uniform": []},
        "doubled": 0,
        "overlap": 0,
        "failures_left_out": 0,
        "findings": [],
    }
    lines = (parts / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    order = {json.loads(line)["request_id"]: at for at, line in enumerate(lines)}
    whole = (parts / "whole.jsonl").read_bytes().splitlines(keepends=True)
    whole.sort(key=lambda line: order[json.loads(line)["request_id"]])
    assert out.read_bytes() == b"".join(whole)


def test_a_part_that_is_missing_is_refused_and_its_requests_are_named(parts, curate, tmp_path):
    """Nothing is written, unless that is allowed."""
    out = tmp_path / "all.jsonl"
    args = ("evaluate", "merge", parts / "part1.jsonl", parts / "part2.jsonl", "--out", out)
    args = (*args, "--requests", parts / "requests.jsonl")
    ran = curate(*args)
    assert ran.code == 1
    third = (parts / "part3.jsonl").read_text().splitlines()
    assert f"uniform: {len(third)} of 792 requests have no reply (0 failed): " in ran.err
    assert "Nothing was written." in ran.err
    assert not out.exists()
    ran = curate(*args, "--json")
    assert ran.code == 1
    missing = {json.loads(line)["request_id"] for line in third}
    assert set(ran.json["missing"]["uniform"]) == missing
    assert ran.json["written"] == 0
    ran = curate(*args, "--allow-incomplete")
    assert ran.code == 0
    assert len(out.read_text().splitlines()) == 792 - len(third)


def test_parts_that_overlap_are_said_and_without_requests_nothing_is_promised(
    parts, curate, tmp_path
):
    """The same part twice under two names."""
    again = shutil.copy(parts / "part1.jsonl", tmp_path / "again.jsonl")
    out = tmp_path / "all.jsonl"
    ran = curate("evaluate", "merge", parts / "part1.jsonl", again, "--out", out)
    count = len(out.read_text().splitlines())
    assert ran.code == 0
    assert ran.out == (
        f"Lines that answer a request that another file answers too: {count}\n"
        f"Duplicate replies, written once: {count}\n"
        f"{count} lines of 1 model in {out}. To check that none is missing, name "
        "--requests.\n"
    )


def test_two_runs_that_differ_are_refused(parts, curate, tmp_path):
    """With the first place."""
    first = (parts / "part1.jsonl").read_text().splitlines()[0]
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({**json.loads(first), "reply": "none"}) + "\n")
    ran = curate("evaluate", "merge", parts / "part1.jsonl", other, "--out", tmp_path / "x")
    assert ran.code == 1
    assert "1 requests have two different replies of one model" in ran.err
    assert f"{other}, line 1" in ran.err
    assert not (tmp_path / "x").exists()
