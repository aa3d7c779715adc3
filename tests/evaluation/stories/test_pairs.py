"""Readings of continued stories, and the pairs of their two versions."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from evaluation.measures import PAIR_KINDS
from evaluation.stories.asking import READINGS, read_pairs

HEADER = "model,template_id,question,version,reading"
PAIR = ["m,age-001,bsd,a,B", "m,age-001,bsd,b,C"]


def write(folder, *rows, header=HEADER):
    path = folder / "readings.csv"
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return path


def kinds(pairs):
    names = (*PAIR_KINDS, "out")
    return dict(Counter(names[kind] for kind in pairs.stories["kind"]))


@pytest.mark.parametrize(("one", "other"), [*combinations_with_replacement(READINGS, 2)])
def test_every_two_readings_make_one_unordered_pair(tmp_path, one, other):
    """Either order is the same kind of pair; a reading out-of-choice takes its pair out."""
    kind = "out" if "out" in other else "".join(sorted(one + other)).lower()
    for readings in ((one, other), (other, one)):
        rows = (f"m,age-001,bsd,{at},{it}" for at, it in zip("ab", readings, strict=True))
        assert kinds(read_pairs(write(tmp_path, *rows))) == {kind: 1}


def test_the_second_list_of_names_makes_pairs_of_its_own(tmp_path):
    """`a` goes with `b` and `c` with `d`, of one template and question."""
    rows = [f"m,age-001,bsd,{version},{item}" for version, item in zip("abcd", "BCUU", strict=True)]
    pairs = read_pairs(write(tmp_path, *rows))
    assert kinds(pairs) == {"bc": 1, "uu": 1}
    assert set(pairs.stories["template_id"]) == {"age-001"}
    assert set(pairs.stories["category"]) == {"age"}


@pytest.mark.parametrize("column", ["seed", "set", "prompt_id", "prompt", "filling"])
def test_runs_of_one_story_are_told_apart(tmp_path, column):
    """Seed, prompt and filling make stories of their own; seed and prompt make runs."""
    rows = [f"{row},{run}" for run in "12" for row in PAIR]
    pairs = read_pairs(write(tmp_path, *rows, header=f"{HEADER},{column}"))
    assert kinds(pairs) == {"bc": 2}
    assert pairs.runs == (2 if column != "filling" else None)
