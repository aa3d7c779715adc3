"""`curate evaluate compare cultures` and the pairs of `compare benchmarks`, as commands."""

from pathlib import Path
from typing import Any

import pytest
from cultures import answered, biased, right, sourced

NORTH = {"hobby-001": ("Age", "1"), "hobby-002": ("Age", "2"), "job-001": ("", "")}
SOUTH = {"town-004": ("Age", "1"), "town-005": ("Age", "2")}


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """Make the folders of two cultures."""
    answered(tmp_path / "n", sourced(NORTH, {"hobby-002": "TM", "job-001": "NC"}), {"m": biased})
    answered(tmp_path / "s", sourced(SOUTH, {"town-005": "TM"}), {"m": right})
    return tmp_path


def test_tables_are_shown_with_what_is_shared(curate: Any, sets: Path) -> None:
    """In 80 columns; a category that is all that is shared is shown once."""
    ran = curate("evaluate", "compare", "cultures", f"no={sets / 'n'}", f"so={sets / 's'}")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "m, accuracy, ambiguous: no - so"
    titles = ["group", "n", "no", "so", "difference", "95", "%", "interval", "p", "(Holm)"]
    assert lines[1].split() == titles
    assert lines[3].split()[:5] == ["Age", "2", "0.000", "1.000", "-1.000"]
    assert lines[3].split()[6].endswith("]*")
    assert max(map(len, lines)) <= 80
    assert "Note: no and so share 2 templates: 1 ST, 1 TM\n" in ran.err
    assert "Note: * fewer than 20 templates: compare such scores with care\n" in ran.err


def test_benchmarks_of_one_source_are_compared_as_pairs_too(curate: Any, sets: Path) -> None:
    """ST and TM apart; newly created templates have no pair."""
    for name in "ns":
        folder = sets / name
        ran = curate(
            *("evaluate", "score", "--samples", folder / "samples.csv", "--draws", "0"),
            *("--requests", folder / "requests.jsonl", "--replies", folder / "replies.jsonl"),
            *("--out", sets / f"scores-{name}"),
        )
        assert ran.code == 0, ran.err
    found = curate(
        *("evaluate", "compare", "benchmarks", sets / "scores-n", sets / "scores-s", "--json")
    ).json
    pairs = {
        row["label"]: (row["templates"], row["difference"], row["effect"])
        for row in found["pairs"]
        if row["metric"] == "diff_bias_amb"
    }
    assert pairs == {"": (2, 1, 1), "ST": (1, 1, 1), "TM": (1, 1, 1)}
    (whole,) = (
        row for row in found["benchmarks"] if (row["label"], row["metric"]) == ("", "diff_bias_amb")
    )
    assert (whole["values_1"], whole["values_2"], whole["effect"]) == (3, 2, 1)
    assert "pairs: 2 templates of the source are in both" in found["notes"]
    (sets / "scores-s" / "templates.csv").unlink()
    old = curate(
        *("evaluate", "compare", "benchmarks", sets / "scores-n", sets / "scores-s", "--json")
    ).json
    assert old["pairs"] == []
    assert any("without pairs: a folder lacks templates.csv" in note for note in old["notes"])
