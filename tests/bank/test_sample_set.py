"""The samples of a workspace, from Python."""

import csv
from pathlib import Path

import pytest

import curation

ROOT = Path(__file__).parents[2]
EXPORTED = ROOT / "exports" / "demo" / "samples" / "samples.csv"


@pytest.fixture
def demo(tmp_path: Path) -> curation.Workspace:
    """The demo workspace, nothing of it decided."""
    curation.copy_demo(tmp_path / "demo")
    return curation.open_workspace(tmp_path / "demo")


def test_samples_are_those_that_an_export_writes(demo: curation.Workspace) -> None:
    """Of a template that the survey leaves as it is, every cell is the same."""
    with EXPORTED.open(encoding="utf-8", newline="") as stream:
        exported = [row for row in csv.DictReader(stream) if row["template_id"] == "age-001"]
    templates = [item for item in demo.bank.templates() if str(item.id) == "age-001"]
    found = curation.samples(demo, templates).to_frame()
    assert len(found) == len(exported) > 0
    for column in ("sample_id", "context", "question", "answer", "biased_answer", "n1_group"):
        assert list(found[column]) == [row[column] for row in exported]


def test_counts_agree_with_the_samples(demo: curation.Workspace) -> None:
    """The total of the statistics is the number of samples."""
    counted = curation.stats(demo).to_frame()
    assert counted.iloc[-1]["samples"] == sum(1 for _ in curation.samples(demo))
    assert dict(counted.dtypes.astype(str))["samples"] == "int64"
