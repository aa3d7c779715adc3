"""Whether what people know predicts what models do: shares of a survey, and bias by stereotype."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.workspace import Workspace
from curation.records.survey import QuestionKind, Rule
from evaluation.folders import Row
from evaluation.qa.metrics import BOUNDS, SetKind, scores
from evaluation.qa.samples import sample_paths
from evaluation.qa.score import counts_by
from evaluation.statistics import EQUAL, chance, corrected, spearman

SURVEYED_COLUMNS = (
    *("model", "kind", "metric", "stereotypes", "templates", "rho", "low", "high"),
    *("p", "p_holm"),
)
"""One row for each model, kind of survey question and diff-bias. `rho` is Spearman's rank
correlation of the survey's share of a stereotype and the model's diff-bias in its templates."""
SURVEYED = "surveyed.csv"
"""The file's name in a folder of scores."""
FEWEST = 10
"""Of fewer stereotypes there is no correlation."""
_RULES = {Rule.TWO_THIRDS: QuestionKind.CHOICE, Rule.TARGET_SELECTION: QuestionKind.SELECT_ALL}


class Surveyed(NamedTuple):
    """What a survey says of the stereotype of a template.

    Attributes:
        kind: The kind of its question.
        question: Its question, which several templates may share.
        share: Of those who named a group the share that named the target; of a selection how many
            uniform shares the target has.
    """

    kind: QuestionKind
    question: str
    share: float


Known = Mapping[tuple[str, str], Surveyed]
"""By id and category of a template."""


def surveyed_shares(workspace: Workspace, samples: object) -> Known:
    """What the survey of a workspace, or of a release, says of its templates.

    Args:
        workspace: The workspace.
        samples: The samples that are scored; None for its own. Others have no survey here.

    Raises:
        CurateError: If a file cannot be read.
    """
    home = workspace.root.resolve()
    if home.name == "workspace":  # that of a release, whose samples stand beside it
        home = home.parent
    if not workspace.tallies_file.exists() or not _within(samples, home):
        return {}
    found = {}
    for item in workspace.outcomes:
        template = item.template
        for decision in item.decisions:
            if decision.rule in _RULES and decision.value is not None:
                key = str(template.id), template.variants[0].category
                value = float(decision.value)
                found[key] = Surveyed(_RULES[decision.rule], decision.subject, value)
    return found


def _within(samples: object, home: Path) -> bool:
    if samples is None:
        return True
    paths = sample_paths(samples)
    return bool(paths) and all(path.resolve().is_relative_to(home) for path in paths)


def surveyed_rows(model: str, frame: pd.DataFrame, kind: SetKind, known: Known) -> list[Row]:
    """Correlate the survey's shares with a model's bias, stereotype by stereotype.

    Args:
        model: The model.
        frame: Its counts.
        kind: How the templates of a stereotype are put together.
        known: What the survey says.

    Returns:
        With `SURVEYED_COLUMNS`; Holm's correction is over all of them.
    """
    keys, counts = counts_by(frame, ["template_id", "category"])
    by_question: dict[Surveyed, list[int]] = {}
    for at, key in enumerate(keys.itertuples(index=False, name=None)):
        if key in known:
            by_question.setdefault(known[key], []).append(at)
    rows: list[Row] = []
    for asked in dict.fromkeys(item.kind for item in by_question):
        own = {item: counts[at] for item, at in by_question.items() if item.kind is asked}
        for metric in BOUNDS:
            biases = [float(scores(part, kind, (metric,))[metric]) for part in own.values()]
            there = ~np.isnan(biases)
            shares = np.array([item.share for item in own])[there]
            templates = sum(
                len(part) for part, is_used in zip(own.values(), there, strict=True) if is_used
            )
            rows.append(
                {
                    "model": model,
                    "kind": asked.value,
                    "metric": metric,
                    "stereotypes": len(shares),
                    "templates": templates,
                    **correlated(shares, np.array(biases)[there]),
                }
            )
    return corrected(rows)


def correlated(shares: npt.NDArray[np.float64], biases: npt.NDArray[np.float64]) -> Row:
    """Spearman's rank correlation with its 95 % interval and p; None of fewer than `FEWEST`.

    The interval is Fisher's, `tanh(atanh(r) +- 1.96 sqrt((1 + r^2 / 2) / (n - 3)))` (Bonett and
    Wright 2000); a perfect correlation has none. Where all of one side are equal there is no
    correlation.
    """
    found: Row = dict.fromkeys(("rho", "low", "high", "p"))
    n = len(shares)
    if n < FEWEST or np.ptp(shares) <= EQUAL or np.ptp(biases) <= EQUAL:
        return found
    rho, p = spearman(shares, biases)
    found |= {"rho": round(rho, 12), "p": chance(p)}
    if abs(rho) < 1.0 - EQUAL:
        reach = _NORMAL * np.sqrt((1.0 + rho**2 / 2) / (n - 3))
        low, high = np.tanh(np.arctanh(rho) + np.array([-reach, reach])).tolist()
        found |= {"low": round(low, 12), "high": round(high, 12)}
    return found


_NORMAL = 1.959963984540054  # the 97.5 % quantile
