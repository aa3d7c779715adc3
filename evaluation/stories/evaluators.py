"""Which model, asked in which words, reads best: candidates ranked by question answering."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.stories.score_tables import ScoreRow

COLUMNS = ("accuracy_amb", "accuracy_dis", "diff_bias_amb", "diff_bias_dis")
"""The scores that candidates are ranked by."""
OPTIONAL = ("out_of_choice_ratio",)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model with a prompt, as an evaluator of stories; fields are columns.

    Attributes:
        rank: From 1; None where a score is undefined.
        model: The model.
        prompt: The prompt; empty where the scores tell none apart.
        accuracy: Mean of the accuracies in ambiguous and in disambiguated contexts: an evaluator
            must leave open what is open, and take what is told.
        bias: Mean of the two diff-biases without their signs.
        accuracy_amb: Accuracy in ambiguous contexts.
        accuracy_dis: Accuracy in disambiguated ones.
        diff_bias_amb: Diff-bias in ambiguous contexts.
        diff_bias_dis: Diff-bias in disambiguated ones.
        out_of_choice_ratio: Share of replies that could not be read; None where it is not told.
    """

    rank: int | None
    model: str
    prompt: str
    accuracy: float | None
    bias: float | None
    accuracy_amb: float | None
    accuracy_dis: float | None
    diff_bias_amb: float | None
    diff_bias_dis: float | None
    out_of_choice_ratio: float | None


CANDIDATE_COLUMNS = tuple(Candidate.__dataclass_fields__)
"""The columns of the ranking, in order."""


def rank_candidates(rows: Sequence[ScoreRow]) -> list[Candidate]:
    """Rank candidates: by falling accuracy, then by rising bias, then by name.

    Candidates are models with prompts where the rows tell prompts apart, else models. Those
    with an undefined score come last, without a rank; candidates with equal scores share one.
    """
    by_prompt = [row for row in rows if row.group_by == "prompt"]
    used = by_prompt or [row for row in rows if row.group_by == "overall"]
    scored = [_candidate(row) for row in used]
    whole = [item for item in scored if item.accuracy is not None and item.bias is not None]
    keys = sorted({_key(item) for item in whole})
    counts = {key: sum(_key(item) == key for item in whole) for key in keys}
    ranks = {key: 1 + sum(counts[other] for other in keys[:at]) for at, key in enumerate(keys)}
    ranked = sorted(whole, key=lambda item: (_key(item), item.model, item.prompt))
    rest = sorted(
        (item for item in scored if item not in whole), key=lambda item: (item.model, item.prompt)
    )
    return [*(_with_rank(item, ranks[_key(item)]) for item in ranked), *rest]


def _key(item: Candidate) -> tuple[float, float]:
    assert item.accuracy is not None  # noqa: S101  # only those with both are ranked
    assert item.bias is not None  # noqa: S101
    return -item.accuracy, item.bias


def _candidate(row: ScoreRow) -> Candidate:
    scores = {name: row.values[name] for name in COLUMNS}
    return Candidate(
        rank=None,
        model=row.model,
        prompt=row.group if row.group_by == "prompt" else "",
        accuracy=_mean(scores["accuracy_amb"], scores["accuracy_dis"]),
        bias=_mean(_size(scores["diff_bias_amb"]), _size(scores["diff_bias_dis"])),
        **scores,
        out_of_choice_ratio=row.values.get("out_of_choice_ratio"),
    )


def _with_rank(item: Candidate, rank: int) -> Candidate:
    values = {name: getattr(item, name) for name in CANDIDATE_COLUMNS}
    return Candidate(**{**values, "rank": rank})


def _mean(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else round((one + other) / 2, 12)


def _size(value: float | None) -> float | None:
    return None if value is None else abs(value)
