"""Which model, asked in which words, reads best: candidates ranked by question answering."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.lock import writing_results
from curation.files.tables import Row, read_table, refuse_problems
from curation.files.workspace import Workspace
from curation.files.writers.cells import unescape_formula
from curation.records.errors import CurateError
from curation.records.frames import frame
from evaluation.folders import write_rows

if TYPE_CHECKING:
    import pandas as pd

_KEYS = ("model", "group_by", "group")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One row.

    Attributes:
        model: The model.
        group_by: What the row is about: `overall`, `category`, ...
        group: Which of them; empty overall.
        values: By column the score; None where it is undefined.
    """

    model: str
    group_by: str
    group: str
    values: dict[str, float | None]


def read_scores(
    path: Path, columns: Sequence[str], wanted: Sequence[str], optional: Sequence[str] = ()
) -> list[ScoreRow]:
    """Read rows of some groupings.

    Args:
        path: The table (CSV).
        columns: Scores that must be there.
        wanted: The groupings to read; rows of others are passed over.
        optional: Scores that are read where they are there.

    Raises:
        CurateError: If the table cannot be read, lacks a column, holds what is no number, has
            two rows of one model and group, or none of the groupings.
    """
    table = read_table(path, required=(*_KEYS, *columns))
    refuse_problems(table)
    read = [*columns, *(name for name in optional if name in table.columns)]
    found: dict[tuple[str, str, str], ScoreRow] = {}
    for row in table.rows:
        model, group_by, group = (unescape_formula(row[name]).strip() for name in _KEYS)
        if group_by not in wanted:
            continue
        where = f"{table.file}, row {row.number}"
        if not model:
            raise CurateError("the cell is empty", f"{where}, column model", "name the model")
        if (model, group_by, group) in found:
            what = f"{model} has two rows of {group_by} {group}".strip()
            raise CurateError(what, where, "keep one of the two")
        values = dict(numbers_of(row, read, where))
        found[model, group_by, group] = ScoreRow(model, group_by, group, values)
    if not found:
        raise CurateError(
            f"{path.name} has no row of {' or '.join(wanted)}",
            str(path),
            "name the scores.csv that a 'score' command wrote with --out",
        )
    return list(found.values())


def numbers_of(row: Row, columns: Sequence[str], where: str) -> Iterator[tuple[str, float | None]]:
    """Yield columns of a row with their numbers; None where a cell is empty.

    Raises:
        CurateError: If a cell holds what is no number.
    """
    for name in columns:
        cell = row[name].strip()
        try:
            value = float(cell) if cell else None
        except ValueError:
            value = float("nan")
        if value is not None and not isfinite(value):
            what = f"'{cell}' is not a number"
            raise CurateError(what, f"{where}, column {name}", "leave undefined scores empty")
        yield name, value


COLUMNS = ("accuracy_amb", "accuracy_dis", "diff_bias_amb", "diff_bias_dis")
"""The scores that candidates are ranked by."""
OPTIONAL = ("out_of_choice_ratio",)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model with a prompt, as an evaluator of stories; fields are columns.

    Attributes:
        rank: From 1; None where a score is undefined.
        model: The model.
        prompt: The prompt; empty where the scores are not by prompt.
        accuracy: Mean of the accuracies in ambiguous and in disambiguated contexts: an evaluator
            must leave open what is open, and use what is told.
        bias: Mean of the absolute values of the two diff-biases.
        accuracy_amb: Accuracy in ambiguous contexts.
        accuracy_dis: Accuracy in disambiguated ones.
        diff_bias_amb: Diff-bias in ambiguous contexts.
        diff_bias_dis: Diff-bias in disambiguated ones.
        out_of_choice_ratio: Share of replies that could not be parsed; None where it is not known.
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


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates, the best one first."""

    rows: tuple[Candidate, ...]

    def to_frame(self) -> "pd.DataFrame":
        """The candidates: `rank` Int64, model and prompt object, scores float64."""
        scores = dict.fromkeys(CANDIDATE_COLUMNS[3:], "float64")
        return frame(self.rows, Candidate, rank="Int64", **scores)


def evaluators(
    scores: Path, out: Path | None = None, *, workspace: Workspace | None = None
) -> Ranking:
    """Rank models and prompts by how well they read the benchmark itself.

    Args:
        scores: Scores of question answering, as `curate evaluate score` writes them.
        out: A file for the ranking (CSV).
        workspace: The workspace; its `wait` says how long to wait for other commands.

    Raises:
        CurateError: If the scores cannot be read, or the file cannot be written.
    """
    ranked = rank_candidates(read_scores(scores, COLUMNS, ("overall", "prompt"), OPTIONAL))
    if out is not None:
        with writing_results(out.parent, "curate evaluate stories score", workspace):
            write_rows(out, Candidate, ranked)
    return Ranking(tuple(ranked))


def rank_candidates(rows: Sequence[ScoreRow]) -> list[Candidate]:
    """Rank candidates: by falling accuracy, then by rising bias, then by name.

    Candidates are models with prompts where the rows tell prompts apart, else models. Those
    with an undefined score come last, without a rank; candidates with equal scores share one.
    """
    by_prompt = [row for row in rows if row.group_by == "prompt"]
    used = by_prompt or [row for row in rows if row.group_by == "overall"]
    scored = [_candidate(row) for row in used]
    whole = [item for item in scored if item.accuracy is not None and item.bias is not None]
    ranked = sorted(whole, key=lambda item: (_key(item), item.model, item.prompt))
    keys = [_key(item) for item in ranked]
    rest = sorted(
        (item for item in scored if item not in whole), key=lambda item: (item.model, item.prompt)
    )
    return [*(replace(item, rank=keys.index(_key(item)) + 1) for item in ranked), *rest]


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


def _mean(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else round((one + other) / 2, 12)


def _size(value: float | None) -> float | None:
    return None if value is None else abs(value)
