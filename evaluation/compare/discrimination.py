"""Which templates tell models apart, which all models answer alike, and which say the same twice.

Models are the units, for what one model replies to one template is much alike, whatever the prompt
and the order. So nothing is said of fewer than ten models.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from curation.intervals import Values
from evaluation.compare.testing import PERMUTATIONS
from evaluation.folders import Row
from evaluation.qa.metrics import METRICS, Context, readable
from evaluation.qa.score import counts_by
from evaluation.qa.surveyed import FEWEST, correlated
from evaluation.statistics import EQUAL, ranked

ACCURACIES = ("accuracy_amb", "accuracy_dis")
"""The scores that say which answers are right."""
DISCRIMINATION_COLUMNS = (
    *("template_id", "category", "metric", "models", "right", "least", "most"),
    *("discrimination", "low", "high", "p", "twin", "likeness", "twin_p"),
)
"""One row for each template and accuracy. `right` is the mean of the models' shares of right
answers, `least` and `most` are the smallest and the largest. `discrimination` is the rank
correlation, over models, of this share with the mean share in all other templates; `likeness` that
of what is peculiar to this template and to its `twin`, the template most like it."""
TWIN_LEVEL = 0.01
"""The level at which two templates are said to be answered alike."""
_SEED = 2024
_NEAR_ENDS = 0.05  # a template beyond it is answered by too few models in another way


def discrimination_rows(frame: pd.DataFrame) -> list[Row]:
    """Tell of each template whether it tells models apart, and which is answered like it.

    Args:
        frame: The counts of all models, with the columns of `TALLY_COLUMNS`.

    Returns:
        With `DISCRIMINATION_COLUMNS`; none of fewer than `FEWEST` models. A template without a
        score of each model is left out.
    """
    keys, found = counts_by(frame, ["template_id", "category", "model"])
    used = readable(found, *Context).astype(bool)  # without those who answered nothing at all
    used = keys["model"].isin(keys["model"][used]).to_numpy()
    keys, found = keys[used], found[used]
    models, names = pd.factorize(keys["model"])
    if len(names) < FEWEST:
        return []
    templates, told = pd.factorize(pd.MultiIndex.from_frame(keys[["template_id", "category"]]))
    counts = np.zeros((len(told), len(names), found.shape[1]), np.int64)
    counts[templates, models] = found
    rows: list[Row] = []
    for metric in ACCURACIES:
        sizes = readable(counts, *METRICS[metric].over)
        there = np.flatnonzero(sizes.all(axis=1))
        shares = METRICS[metric](counts[there])
        of_others, of_twins = discriminations(shares), twins(shares, sizes[there])
        for at, (template, category) in enumerate(told[there]):
            twin = of_twins[at]["twin"]
            rows.append(
                {
                    "template_id": template,
                    "category": category,
                    "metric": metric,
                    "models": len(names),
                    "right": round(float(shares[at].mean()), 12),
                    "least": float(shares[at].min()),
                    "most": float(shares[at].max()),
                    "discrimination": of_others[at].pop("rho"),
                    **of_others[at],
                    **of_twins[at],
                    "twin": "" if twin is None else told[there[int(twin)]][0],
                }
            )
    return rows


def discriminations(shares: Values) -> list[Row]:
    """Correlate the share of right answers in each template with that in the others, over models.

    The rank form of the corrected item-total correlation (Henrysson 1963). p is the share of
    permutations of each template's models in which the largest correlation of any template is as
    far from 0 (Westfall and Young 1993).

    Args:
        shares: Templates x models.

    Returns:
        `rho`, `low`, `high` and `p` of each template; None where its shares or those of the others
        are all equal, or there are fewer than `FEWEST` models.
    """
    rest = (shares.sum(axis=0) - shares) / max(len(shares) - 1, 1)
    found = [correlated(own, others) for own, others in zip(shares, rest, strict=True)]
    at = [place for place, row in enumerate(found) if row["rho"] is not None]
    if at:
        own, others = _standard(shares[at]), _standard(rest[at])
        reached = np.abs([float(found[place]["rho"] or 0) for place in at])
        ps = _adjusted(own, lambda drawn: np.abs((drawn * others).sum(axis=1)).max(), reached)
        for place, p in zip(at, ps, strict=True):
            found[place]["p"] = p
    return found


def _standard(values: Values) -> Values:
    """The ranks of each row, with a mean of 0 and a sum of squares of 1."""
    ranks = np.array([ranked(row) for row in values])
    apart = ranks - ranks.mean(axis=1, keepdims=True)
    return np.asarray(apart / np.sqrt((apart**2).sum(axis=1, keepdims=True)))


def _adjusted(own: Values, largest: Callable[[Values], float], reached: Values) -> Iterator[float]:
    """Yield the share of draws, the observed one among them, whose largest value is as large."""
    random = np.random.default_rng(_SEED)
    drawn = [largest(random.permuted(own, axis=1)) for _ in range(PERMUTATIONS)]
    for value in reached:
        yield float(1 + (np.array(drawn) >= value - EQUAL).sum()) / (1 + PERMUTATIONS)


def twins(shares: Values, sizes: Values) -> list[Row]:
    """Find the template that is most like each: whose peculiar answers go with its own.

    Models differ in level and templates in difficulty and in slope, and this alone makes answers
    alike. So from the log-odds of right answers the means of models and of templates and the first
    component of what is left are taken away (Gollob 1968). Of the rest ranks are correlated over
    models, and p is the share of permutations of each template's models in which the largest
    correlation of any two is as large (Westfall and Young 1993).

    Args:
        shares: Of right answers: templates x models.
        sizes: Of how many replies each is.

    Returns:
        `twin`, the place of the template most like each, with `likeness` and `twin_p`; None where
        hardly any answer differs: more than half of the models have one share, or the mean is
        within .05 of 0 or 1.
    """
    found: list[Row] = [dict.fromkeys(("twin", "likeness", "twin_p")) for _ in shares]
    mean = shares.mean(axis=1)
    commonest = [np.unique(row, return_counts=True)[1].max() for row in shares]
    used = np.array(commonest) <= shares.shape[1] / 2
    at = np.flatnonzero(used & (mean > _NEAR_ENDS) & (mean < 1 - _NEAR_ENDS))
    if len(at) < FEWEST:
        return found
    right = shares[at] * sizes[at]
    odds = np.log((right + 0.5) / (sizes[at] - right + 0.5))
    odds = odds - odds.mean(axis=1, keepdims=True)
    left, scale, up = np.linalg.svd(odds - odds.mean(axis=0), full_matrices=False)
    own = _standard((left[:, 1:] * scale[1:]) @ up[1:])
    pairs = _pairs(own)
    likeness = pairs.max(axis=1)
    ps = _adjusted(own, lambda drawn: float(_pairs(drawn).max()), likeness)
    for place, twin, rho, p in zip(at, at[pairs.argmax(axis=1)], likeness, ps, strict=True):
        found[place] = {"twin": int(twin), "likeness": round(float(rho), 12), "twin_p": p}
    return found


def _pairs(own: Values) -> Values:
    """Correlate every two rows; a row and itself do not count."""
    pairs = own @ own.T
    np.fill_diagonal(pairs, -1.0)
    return np.asarray(pairs)
