"""How often the 95 % intervals of agreement hold the true one, and how wide they are."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.annotation.agreement import (
    Ratings,
    Statistic,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)

AIM = 0.9
TEMPLATES = (11, 25, 50, 100)
LABELS = {"even": (0.5, 0.3, 0.2), "uneven": (0.85, 0.10, 0.05), "two": (0.9, 0.1)}
"""Shares of the labels."""
ERRORS = {0.03: 1.0, 0.10: 1.0, 0.30: 2.0}
"""How often an annotator labels at random, by the shares: the mean over templates and the
concentration of its Beta distribution. The agreement is about .96, .86 and .56."""
_SETS = 400
_MANY = 200_000  # templates of which the true agreement is taken


@dataclass(frozen=True, slots=True)
class Cell:
    """What is simulated.

    Attributes:
        statistic: `alpha`, `fleiss` or `cohen`.
        templates: How many.
        annotators: How many.
        labels: Their shares, by name of `LABELS`.
        error: Of `ERRORS`.
    """

    statistic: str
    templates: int
    annotators: int
    labels: str
    error: float


def cells() -> Iterator[Cell]:
    """Of Cohen's kappa two annotators alone."""
    for statistic, people in (("alpha", (2, 3, 4)), ("fleiss", (3,)), ("cohen", (2,))):
        for templates in TEMPLATES:
            for annotators in people:
                for labels in LABELS:
                    for error in ERRORS:
                        yield Cell(statistic, templates, annotators, labels, error)


def covered(cell: Cell, sets: int, seed: int = 1) -> tuple[float, float]:
    """The share of intervals that hold the true agreement, of those defined, and their width."""
    random = np.random.default_rng(
        [seed, cell.templates, cell.annotators, len(cell.labels), int(100 * cell.error)]
    )
    true = _true(cell)
    held = wide = number = 0.0
    for _ in range(sets):
        found = _found(cell, _labelled(random, cell, cell.templates))
        if found.ci_low is not None and found.ci_high is not None:
            held += found.ci_low <= true <= found.ci_high
            wide += found.ci_high - found.ci_low
            number += 1
    return held / number, wide / number


def _labelled(random: np.random.Generator, cell: Cell, templates: int) -> npt.NDArray[np.int64]:
    """Labels, of the shape templates x annotators."""
    shares, much = LABELS[cell.labels], ERRORS[cell.error]
    right = random.choice(len(shares), p=shares, size=templates)
    wrong = random.beta(cell.error * much, (1 - cell.error) * much, templates)
    shape = templates, cell.annotators
    drawn = random.choice(len(shares), p=shares, size=shape)
    return np.where(random.random(shape) < wrong[:, None], drawn, right[:, None])


def _found(cell: Cell, labels: npt.NDArray[np.int64]) -> Statistic:
    rows = labels.tolist()
    if cell.statistic == "cohen":
        return cohen_kappa([(str(one), str(two)) for one, two in rows])
    names = [f"a{at}" for at in range(cell.annotators)]
    ratings: Ratings = {
        f"t{at}": dict(zip(names, map(str, row), strict=True)) for at, row in enumerate(rows)
    }
    return (
        fleiss_kappa(ratings, names) if cell.statistic == "fleiss" else krippendorff_alpha(ratings)
    )


def _true(cell: Cell) -> float:
    """Of very many templates all three are one number: the agreement of two beyond chance."""
    labels = _labelled(np.random.default_rng(0), cell, _MANY)
    counts = (labels[..., None] == np.arange(len(LABELS[cell.labels]))).sum(axis=1)
    people = cell.annotators
    observed = 1 - ((counts * (counts - 1)).sum() / (len(labels) * people * (people - 1)))
    return float(1 - observed / (1 - ((counts.sum(axis=0) / counts.sum()) ** 2).sum()))


def run() -> list[str]:
    """Print for each number of templates and each agreement the lowest coverage, and mean width."""
    lines = ["agreement: templates, error: lowest coverage over labels and annotators, mean width"]
    results = {cell: covered(cell, _SETS) for cell in cells()}
    for statistic in ("alpha", "fleiss", "cohen"):
        for templates in TEMPLATES:
            parts = []
            for error in ERRORS:
                found = [
                    value
                    for cell, value in results.items()
                    if (cell.statistic, cell.templates, cell.error) == (statistic, templates, error)
                ]
                low = min(share for share, _ in found)
                parts.append(f"{error}: {low:.3f} / {np.mean([wide for _, wide in found]):.2f}")
            lines.append(f"{statistic}, {templates}: {'  '.join(parts)}")
    for cell, (share, _) in results.items():
        if share < AIM and cell.error < 0.3 and cell.templates > 11:
            lines.append(f"agreement, {cell}: {share:.3f}  MISSED {AIM}")
    print("\n".join(lines), flush=True)
    return lines
