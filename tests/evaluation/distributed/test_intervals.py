"""Intervals that workers compute are those that are computed here, to the last bit."""

import numpy as np
import pytest

pytest.importorskip("distributed", reason="the extra 'distributed' is not installed")

from evaluation.distributed.intervals import open_intervals
from evaluation.qa.score import Options, SetKind, ends_of

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("cluster")]


def parts():
    """Counts of groups with 0, 1, 2, 40 and 7 templates; the last one has empty cells."""
    rng = np.random.default_rng(7)
    found = [rng.integers(0, 30, size=(count, 12)) for count in (0, 1, 2, 40, 7)]
    found[-1][:, :6] = 0
    return found


@pytest.mark.parametrize("kind", SetKind)
def test_every_end_is_the_same(cluster, kind):
    """For the test set and the entire set; groups that cannot vary have none."""
    options = Options(kind)
    found = open_intervals(cluster.address, pytest.fail)(parts(), options)
    here = [ends_of(part, options) for part in parts()]
    assert [sorted(item) for item in found] == [sorted(item) for item in here]
    assert [len(item) for item in found] == [0, 0, 6, 6, 6]
    for theirs, ours in zip(found, here, strict=True):
        for name, ends in ours.items():
            assert np.array_equal(theirs[name], ends, equal_nan=True)
    low, high = found[3]["accuracy_amb"]
    assert 0 < low < high < 1
