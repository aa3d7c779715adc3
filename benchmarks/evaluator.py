"""Scores of stories by an evaluator that errs: plain, and corrected by what people read."""

from functools import partial

import numpy as np
import numpy.typing as npt

from curation.intervals import interval
from evaluation.measures import PAIR_KINDS
from evaluation.statistics import pooled
from evaluation.stories.scores import bias, by_template, corrected, neutrality

_SETS = 1000
_TEMPLATES = 150
_PAIRS = 10
"""Of each template: two questions in five sets."""
_ERROR = 0.2
"""Passages that the evaluator reads as one of the two other readings: a kappa near .69."""
_SIGNS = np.array([1, -1, 0])  # B, C, U
_AIM = 0.93

Codes = npt.NDArray[np.int64]
Ends = tuple[float | None, float | None, float | None]


def run() -> list[str]:
    """Simulate models of three biases, and 25 to 200 pairs that people read."""
    lines = []
    for shares in ((0.36, 0.24, 0.40), (0.30, 0.28, 0.42), (0.50, 0.10, 0.40)):
        lines += [_said(shares, read) for read in (25, 50, 100, 200)]
    return lines


def _said(shares: tuple[float, float, float], read: int) -> str:
    rng = np.random.default_rng(69)
    found = [_one(rng, np.array(shares), read) for _ in range(_SETS)]
    kappa = float(np.mean([item[0] for item in found]))
    text = [f"stories, P(B) {shares[0]}, P(C) {shares[1]}, kappa {kappa:.2f}, {read} pairs read:"]
    missed = False
    for at, name in enumerate(("bias_gen", "ntr_gen"), start=1):
        truth = _truth(shares, name)
        values = np.array([item[at] for item in found])  # plain, low, high, corrected, low, high
        held = (values[:, [1, 4]] <= truth) & (truth <= values[:, [2, 5]])
        error = values[:, [0, 3]].mean(axis=0) - truth
        wide = (values[:, 5] - values[:, 4]).mean()
        missed = missed or held[:, 1].mean() < _AIM
        text.append(
            f"{name} {truth:.3f}, plain off by {error[0]:+.3f} and held in "
            f"{held[:, 0].mean():.3f}, "
            f"corrected off by {error[1]:+.3f} and held in {held[:, 1].mean():.3f}, "
            f"width {wide:.3f};"
        )
    line = " ".join(text).rstrip(";") + (f"  MISSED {_AIM}" if missed else "")
    print(line)
    return line


def _truth(shares: tuple[float, float, float], name: str) -> float:
    """Of the mean template: a template's shares are Dirichlet, with a sum of 6."""
    if name == "bias_gen":
        return shares[0] - shares[1]
    each = np.array(shares) * 6.0
    same = each[2] * (each[2] + 1) + 2 * each[0] * each[1]
    return float(same / (6.0 * 7.0))


def _one(
    rng: np.random.Generator, shares: npt.NDArray[np.float64], read: int
) -> tuple[object, ...]:
    """One model: kappa, and of bias and neutrality the plain and the corrected score with ends."""
    own = rng.dirichlet(shares * 6.0, _TEMPLATES)
    draw = rng.random((_TEMPLATES, _PAIRS, 2, 1))
    human = (draw > own.cumsum(axis=1)[:, None, None, :2]).sum(axis=-1)
    moved = rng.integers(1, 3, human.shape)
    errs = rng.random(human.shape) < _ERROR
    machine = np.where(errs, (human + moved) % 3, human)
    agree = (human == machine).mean()
    both = [np.bincount(part.ravel(), minlength=3) / part.size for part in (human, machine)]
    kappa = (agree - both[0] @ both[1]) / (1 - both[0] @ both[1])
    known = rng.choice(_TEMPLATES * _PAIRS, read, replace=False)
    order = np.unique(known // _PAIRS, return_inverse=True)[1]
    results: list[object] = [float(kappa)]
    for score, span in ((bias, (-1.0, 1.0)), (neutrality, (0.0, 1.0))):
        plain = _plain(machine, score, span)
        mean = partial(_of_pairs, kind="bias" if score is bias else "ntr")
        more = (mean(human) - mean(machine)).reshape(-1)[known]
        sums = by_template(order.astype(np.int64), more, np.ones(read))
        results.append([*plain, *corrected(plain, sums, span)])
    return tuple(results)


def _of_pairs(readings: Codes, kind: str) -> npt.NDArray[np.float64]:
    total = _SIGNS[readings].sum(axis=-1)
    return np.asarray(total / 2 if kind == "bias" else total == 0, np.float64)


def _plain(machine: Codes, score: object, span: tuple[float, float]) -> Ends:
    letters = np.sort(machine, axis=-1)
    kinds = {name: tuple(sorted("bcu".index(letter) for letter in name)) for name in PAIR_KINDS}
    counts = np.stack(
        [
            ((letters[..., 0] == one) & (letters[..., 1] == other)).sum(axis=1)
            for one, other in kinds.values()
        ],
        axis=-1,
    )
    value, moves, number = pooled(counts, score, counts.sum(axis=-1))  # type: ignore[arg-type]
    low, high = interval(value, moves, number, span)
    return float(value), float(low), float(high)
