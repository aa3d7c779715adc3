"""Baselines through the whole way, prepare, run and score, have the scores that they must have."""

import shutil
from pathlib import Path

import pytest

from curation.cli.main import main

SAMPLES = Path(__file__).parents[2] / "exports" / "demo" / "samples"
DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
SCORES = ("accuracy_amb", "diff_bias_amb", "accuracy_dis", "diff_bias_dis")
KNOWN = {
    "oracle": (1, 0, 1, 0),
    "always-biased": (0, 1, 1 / 2, 1),
    "always-counter-biased": (0, -1, 1 / 2, -1),
    "always-unknown": (1, 0, 0, 0),
    "always-first": (round(1 / 3, 12), 0, round(1 / 3, 12), 0),  # as scores are written
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The demo with its exported samples, and the requests of its test set."""
    folder = tmp_path_factory.mktemp("baselines") / "demo"
    shutil.copytree(DEMO, folder)
    shutil.copytree(SAMPLES, folder / "exports" / "samples")
    with pytest.raises(SystemExit) as left:
        main(["evaluate", "prepare", "-w", str(folder)])
    assert left.value.code == 0
    return folder


def scored(curate, folder, name, *options, requests=None):
    """Run a baseline and score it; gives the rows."""
    replies = folder / f"{name}.jsonl"
    asked = () if requests is None else ("--requests", requests)
    ran = curate(
        *("evaluate", "run", "-w", folder, "--backend", name, "--model", name),
        *("--replies", replies, *asked, *options, "--json"),
    )
    assert (ran.code, ran.json["left"], ran.json["input_tokens"]) == (0, 0, 0)
    kind = () if requests is None else ("--set", "all")
    ran = curate(
        *("evaluate", "score", "-w", folder, "--replies", replies, *asked, *kind),
        *("--draws", "0", "--json"),
    )
    assert ran.code == 0
    assert set(ran.json["rules"][name]) == {"letter"}
    return ran.json["rows"]


@pytest.mark.parametrize("name", KNOWN)
def test_a_baseline_scores_exactly_what_it_must(prepared, curate, name):
    """Overall, in every category and label, and with every prompt."""
    rows = scored(curate, prepared, name)
    overall = [row for row in rows if row["group_by"] == "overall"]
    assert [(row["n_amb"], row["n_dis"], row["out_of_choice"]) for row in overall] == [
        (1980, 1980, 0)
    ]
    groups = [row for row in rows if row["group_by"] in ("overall", "category", "label", "prompt")]
    assert len(groups) > 10
    for row in groups:
        assert tuple(row[score] for score in SCORES) == KNOWN[name]


def test_uniform_scores_a_third_in_expectation(prepared, curate):
    """Within four standard deviations, and the same with the same seed."""
    rows = scored(curate, prepared, "uniform", "--option", "seed=5")
    row = rows[0]
    deviation = (2 / 9 / 1980) ** 0.5
    assert row["accuracy_amb"] == pytest.approx(1 / 3, abs=4 * deviation)
    assert row["accuracy_dis"] == pytest.approx(1 / 3, abs=4 * deviation)
    assert row["diff_bias_amb"] == pytest.approx(0, abs=4 * (2 / 3 / 1980) ** 0.5)
    assert row["diff_bias_dis"] == pytest.approx(0, abs=4 * 2 * (2 / 9 / 1980) ** 0.5)
    (prepared / "uniform.jsonl").unlink()
    assert scored(curate, prepared, "uniform", "--seed", "5") == rows
    (prepared / "uniform.jsonl").unlink()
    assert scored(curate, prepared, "uniform", "--option", "seed=6") != rows


@pytest.mark.parametrize("name", ["oracle", "always-biased"])
def test_the_entire_set_is_found_beside_the_test_set(prepared, curate, name):
    """A baseline reads the samples that the test set lacks; templates are averaged."""
    requests = prepared / "entire" / "requests.jsonl"
    if not requests.exists():
        ran = curate(
            *("evaluate", "prepare", "-w", prepared, "--set", "all", "--prompt", "1"),
            *("--out", requests),
        )
        assert ran.code == 0
    (prepared / f"{name}.jsonl").unlink(missing_ok=True)
    row = scored(curate, prepared, name, requests=requests)[0]
    assert (row["n_amb"], row["n_dis"]) == (3168, 3168)
    found = tuple(row[score] for score in SCORES)
    assert found == pytest.approx(KNOWN[name], abs=1e-12)


def test_nothing_is_stored_that_costs_nothing(prepared):
    """There is no store; the lock of those who wrote is all that there is."""
    assert [path.name for path in (prepared / ".curate").iterdir()] == ["lock"]


def test_other_samples_than_those_asked_stop_the_run(prepared, curate, tmp_path):
    """With what to do; nothing is answered by guess."""
    text = (SAMPLES / "test_samples.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    few = tmp_path / "few.csv"
    few.write_text("".join(text[:9]), encoding="utf-8")
    ran = curate(
        *("evaluate", "run", "-w", prepared, "--backend", "oracle", "--model", "few"),
        *("--option", f"samples={few}", "--replies", tmp_path / "replies.jsonl"),
    )
    assert ran.code == 1
    assert f"belongs to no sample of {few}" in ran.err
    assert "name the samples that were asked about: --option samples=FILE" in ran.err


def test_workspaces_without_samples_are_told_how_to_get_them(prepared, curate, tmp_path):
    """And that a file can be named, which is the one way where there is no workspace."""
    args = (
        *("evaluate", "run", "-w", tmp_path / "w", "--backend", "oracle", "--model", "oracle"),
        *("--requests", prepared / "exports" / "evaluation" / "requests.jsonl"),
    )
    ran = curate(*args)
    assert ran.code == 1
    assert "there are no samples that say which answer is right" in ran.err
    assert f"where: {tmp_path / 'w'} is not a workspace\n" in ran.err
    assert "do:    name the file of samples: --option samples=FILE\n" in ran.err
    (tmp_path / "w").mkdir(exist_ok=True)
    (tmp_path / "w" / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: U\n")
    ran = curate(*args)
    assert ran.code == 1
    assert "'curate export samples'" in ran.err
