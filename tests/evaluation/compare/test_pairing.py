"""What is said of two sets that are compared: templates of their own."""

from pathlib import Path

import pandas as pd

from evaluation.compare.sides import Pair, Side
from evaluation.qa.samples import Source

AGE, OWN = Source("bbq", "age", "1"), Source("own: X", "age", "7")
OTHER = Source("own: Y", "age", "7")


def side(name, sources):
    frame = pd.DataFrame({"template_id": list(sources), "model": "m"})
    return Side(name, Path(name), Path(name), frame, sources, {}, {}, {}, ())


def test_templates_of_the_culture_are_pairs_in_two_sets_of_one_bank():
    """A control set beside the benchmark has them; another culture's do not go with them."""
    first = side("a", {"age-001": AGE, "age-007": OWN})
    assert Pair.of(first, first).shared == (AGE, OWN)
    assert list(Pair.of(first, first).notes()) == []
    pair = Pair.of(first, side("b", {"age-001": AGE, "age-007": OTHER}))
    assert pair.shared == (AGE,)
    assert list(pair.notes()) == [
        "a: 1 of 2 templates were newly created and are not in b",
        "b: 1 of 2 templates were newly created and are not in a",
    ]
