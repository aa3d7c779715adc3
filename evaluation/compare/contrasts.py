"""What is compared after a test of several groups: pairs, and each group with all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.compare.values import Values
from evaluation.qa.score import Row
from evaluation.ranks import settled

OVERALL = "overall"
"""What a row calls all groups together."""


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Differences of means, as weights of the groups' means.

    Attributes:
        names: The two sides of each; the second may be `OVERALL`.
        weights: Of the shape contrasts x groups; each row adds up to 0.
        means: By group its mean, and that of all values as `OVERALL`.
    """

    names: tuple[tuple[str, str], ...]
    weights: Values
    means: Mapping[str, float]

    @classmethod
    def of(cls, samples: Mapping[str, Values], *, overall: bool) -> "Contrasts":
        """All pairs of groups and, where wanted, each group with all values.

        Args:
            samples: By group its values.
            overall: Whether groups are compared with all values too. A group is a part of these,
                which the weights take into account.
        """
        groups = list(samples)
        names = list(combinations(groups, 2))
        units = np.eye(len(groups))
        whole = np.array([len(found) for found in samples.values()], np.float64)
        sides = {name: units[at] for at, name in enumerate(groups)}
        if overall:
            names += [(name, OVERALL) for name in groups]
            sides[OVERALL] = whole / whole.sum()
        means = {name: settled(float(found.mean())) for name, found in samples.items()}
        means[OVERALL] = settled(float(np.concatenate(list(samples.values())).mean()))
        weights = np.array([sides[one] - sides[two] for one, two in names])
        return cls(tuple(names), weights, means)

    def row(self, at: int) -> Row:
        """The columns that say what is compared, and the difference of the means."""
        one, two = self.names[at]
        return {
            "group_1": one,
            "group_2": two,
            "mean_1": self.means[one],
            "mean_2": self.means[two],
            "difference": settled(self.means[one] - self.means[two]),
        }
