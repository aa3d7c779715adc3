"""Scores of a model on question answering, for every group, and its order bias (KoBBQ, 4.2).

And `tallies.csv`: the counts behind scores, from which models and benchmarks are compared.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.manifest import read_manifest
from curation.files.tables import read_table, refuse_problems, write_csv
from curation.intervals import interval
from curation.records.messages import CurateError, natural, refusal
from evaluation import statistics
from evaluation.folders import Row, said
from evaluation.prompts import OWN_PROMPTS
from evaluation.qa.answers import Answers, ModelAnswers, Tallies, choices_of, positions_of
from evaluation.qa.metrics import (
    AMBIGUOUS,
    ANSWERS,
    BOUNDS,
    CELLS,
    EVERY_CELL,
    INTERVALS,
    KNOWN,
    LEANING,
    MAIN,
    METRICS,
    OPEN_CELLS,
    READABLE,
    RIGHT,
    SETTLED,
    SHARE,
    Answer,
    Context,
    Scores,
    SetKind,
    defined,
    of_templates,
    out_of_choice_share,
    readable,
    scores,
)
from evaluation.qa.prepare import Grid

BOUND_NAMES = tuple(f"{name}_{end}" for name in MAIN for end in ("least", "most"))
"""The columns that hold them."""


def supposed(counts: npt.NDArray[np.int64], answers: Sequence[int]) -> npt.NDArray[np.int64]:
    """Counts as they were if every reply out-of-choice gave some answer.

    Args:
        counts: An array whose last axis has the cells of `evaluation.qa.metrics`.
        answers: For each context the answer.
    """
    found = counts.reshape(*counts.shape[:-1], -1, ANSWERS).copy()
    for context in range(found.shape[-2]):
        found[..., context, answers[context]] += found[..., context, Answer.OUT_OF_CHOICE]
    found[..., Answer.OUT_OF_CHOICE] = 0
    return found.reshape(counts.shape)


Flags = npt.NDArray[np.bool_]
Units = npt.NDArray[np.int64]
"""Counts of the shape templates x cells."""

GROUPINGS = ("overall", "category", "label", "prompt", "order", "template")
"""What scores are given by."""
NAMELESS = "(none)"
"""What the group of templates without a label is called where it is shown."""
SCORE_COLUMNS = (
    *("model", "group_by", "group", "n_amb", "n_dis", "out_of_choice"),
    *INTERVALS,
    *(f"{name}_{end}" for name in INTERVALS for end in ("low", "high")),
    "interval_note",
    *(name for name in METRICS if name not in INTERVALS),
    *("out_of_choice_ratio", "missing", "samples", "bias_samples", "templates"),
    *(f"{name}_templates" for name in MAIN),
    *(f"{name}_{kind}" for name in INTERVALS for kind in ("prompt_mean", "prompt_sd")),
    "epochs",
    *(f"{name}_{kind}" for name in INTERVALS for kind in ("epoch_mean", "epoch_sd")),
    *EVERY_CELL,
    *BOUND_NAMES,
)
"""The columns of `scores.csv`."""


def bias_from(row: Mapping[str, Any]) -> str:
    """From how many samples the bias in a row is; none where no reply about them was parsed."""
    is_parsed = any(row[name] for name in CELLS if name[-1] != "o")  # replies out-of-choice
    return f"{row['bias_samples'] or 0 if is_parsed else 0:,} of {row['samples'] or 0:,}"


class Group(NamedTuple):
    """What one row is about.

    Attributes:
        group_by: One of `GROUPINGS`.
        group: Its name; empty for `overall`.
        flags: Which templates, prompts and orders.
    """

    group_by: str
    group: str
    flags: tuple[Flags, Flags, Flags]

    def part(self, counts: Tallies) -> Tallies:
        """Its counts."""
        return counts[np.ix_(*self.flags)]


def groups(grid: Grid) -> Iterator[Group]:
    """Yield the groups of a benchmark, in the order of `GROUPINGS`."""
    units = grid.samples.units
    asked = (len(units), len(grid.prompts), 3 * grid.epochs)
    whole, prompts, orders = (np.ones(count, np.bool_) for count in asked)
    yield Group("overall", "", (whole, prompts, orders))
    for kind in ("category", "label"):
        yield from _named(kind, [getattr(unit, kind) for unit in units], prompts, orders)
    for at, name in enumerate(grid.prompts):
        yield Group("prompt", name, (whole, np.arange(len(prompts)) == at, orders))
    for at in range(3):
        yield Group("order", str(at), (whole, prompts, np.arange(len(orders)) % 3 == at))
    yield from _named("template", [unit.template_id for unit in units], prompts, orders)


def _named(kind: str, names: Sequence[str], prompts: Flags, orders: Flags) -> Iterator[Group]:
    listed = np.array(names)
    for name in dict.fromkeys(names):
        yield Group(kind, name, (listed == name, prompts, orders))


def score_rows(
    model: str,
    grid: Grid,
    tallies: Tallies,
    missing: Tallies,
    kind: SetKind,
    *,
    intervals: bool = True,
) -> list[Row]:
    """A model's scores, with the columns of `SCORE_COLUMNS`; groups of one size are scored at once.

    Args:
        model: The model.
        grid: What was asked.
        tallies: Its replies, counted.
        missing: Requests without a reply, of the shape templates x prompts x (epochs x 3).
        kind: `test` pools all rows; `all` scores each template and averages over those that have
            data for a score.
        intervals: Whether scores get intervals.
    """
    there, unit = grid.asked.any(axis=(1, 2)), grid.samples.unit
    is_known = there & np.isin(grid.samples.context, (Context.AMBIGUOUS, *KNOWN))
    known, samples = (
        np.bincount(unit[it], minlength=len(grid.samples.units)) for it in (is_known, there)
    )
    every = list(groups(grid))
    alike: dict[tuple[int, ...], list[int]] = {}
    for at, group in enumerate(every):
        size = tuple(int(flags.sum()) for flags in group.flags)
        alike.setdefault(size, []).append(at)
    rows: list[Row] = [{}] * len(every)
    for places in alike.values():
        parts = np.stack([every[at].part(tallies) for at in places])
        columns = _scored(parts, kind, grid.epochs, intervals=intervals)
        for number, at in enumerate(places):
            group = every[at]
            row: Row = {"model": model, "group_by": group.group_by, "group": group.group}
            row |= {name: column[number] for name, column in columns.items()}
            row |= {
                "missing": int(group.part(missing).sum()),
                "samples": int(samples[group.flags[0]].sum()),
                "bias_samples": int(known[group.flags[0]].sum()),
                "templates": int(np.count_nonzero(samples[group.flags[0]])),
                "epochs": grid.epochs,
            }
            rows[at] = {name: row[name] for name in SCORE_COLUMNS}
    return rows


def _scored(parts: Tallies, kind: SetKind, epochs: int, *, intervals: bool) -> dict[str, list[Any]]:
    """The columns of groups of one size.

    Args:
        parts: Counts of the shape groups x templates x prompts x orders x cells.
        kind: See `score_rows`.
        epochs: How many epochs the orders are of.
        intervals: See `score_rows`.
    """
    by_unit = parts.sum(axis=(2, 3))
    total = by_unit.sum(axis=1)
    ambiguous, settled = (readable(total, *contexts) for contexts in (AMBIGUOUS, SETTLED))
    numbers = {
        "n_amb": ambiguous,
        "n_dis": settled,
        "out_of_choice": total[:, READABLE::ANSWERS].sum(axis=1),
        **{name: total[:, at] for at, name in enumerate(EVERY_CELL)},
    }
    for name in MAIN:
        numbers[f"{name}_templates"] = (~np.isnan(METRICS[name](by_unit))).sum(axis=1)
    found = scores(by_unit, kind) | bounds(by_unit, kind)
    undefined = np.full(len(parts), np.nan)
    by_prompt = scores(parts.sum(axis=3).swapaxes(1, 2), kind, INTERVALS)
    # The orders of one epoch stand together, whichever of them the groups have.
    split = parts.reshape(*parts.shape[:3], epochs, -1, parts.shape[-1]).sum(axis=(2, 4))
    by_epoch = scores(split.swapaxes(1, 2), kind, INTERVALS)
    lows = []
    for name in INTERVALS:
        low, high = undefined, undefined
        if intervals and by_unit.shape[1] > 1:  # one template cannot vary
            low, high = score_ends(by_unit, kind, name)
        found[f"{name}_low"], found[f"{name}_high"] = low, high
        lows.append(low)
        for unit, values in (("prompt", by_prompt), ("epoch", by_epoch)):
            mean, sd = statistics.spread(values[name])
            is_known = unit == "prompt" or epochs > 1
            found[f"{name}_{unit}_mean"] = mean if is_known else undefined
            found[f"{name}_{unit}_sd"] = sd
    over = dict.fromkeys(METRICS[name].over for name in INTERVALS)
    counts = np.stack([(readable(by_unit, *it) > 0).sum(axis=1) for it in over], axis=1)
    has_any = (~np.isnan(np.stack(lows))).any(axis=0).tolist()
    notes = [
        statistics.FEW
        if has and min(count for count in of if count > 1) < statistics.FEWEST
        else ""
        for has, of in zip(has_any, counts.tolist(), strict=True)
    ]
    ratios = [None if np.isnan(it) else it for it in out_of_choice_share(total).tolist()]
    columns: dict[str, list[Any]] = {"interval_note": notes, "out_of_choice_ratio": ratios}
    columns |= {name: column.astype(int).tolist() for name, column in numbers.items()}
    return columns | {name: list(map(defined, column)) for name, column in found.items()}


def bounds(by_unit: Units, kind: SetKind) -> dict[str, Scores]:
    """The lowest and the highest value that scores have, whatever the replies out-of-choice mean.

    An accuracy is lowest with all of them wrong and highest with all right, a diff-bias with all
    counter-biased and all biased. Each score grows with the one and falls with the other, so that
    no other supposition gives a value outside.

    Args:
        by_unit: Counts of the shape ... x templates x cells.
        kind: How templates are put together; see `scores`.

    Returns:
        By name of `BOUND_NAMES` the values.
    """
    found = {}
    for name in MAIN:
        weights = np.array([*(RIGHT if METRICS[name].span == SHARE else LEANING).values()])
        for end, chosen in (("least", np.argmin), ("most", np.argmax)):
            counts = supposed(by_unit, chosen(weights, axis=1).tolist())
            found[f"{name}_{end}"] = scores(counts, kind, (name,))[name]
    return found


def score_ends(by_unit: Units, kind: SetKind, name: str) -> tuple[Scores, Scores]:
    """The ends of the interval of a score; diff-bias is bounded by accuracy.

    Args:
        by_unit: Counts of the shape ... x templates x cells.
        kind: Whether templates are pooled or averaged.
        name: One of `INTERVALS`.
    """
    if name not in BOUNDS:
        score, moves, sizes = moved(by_unit, kind, name)
        return interval(score, moves, statistics.effective(sizes), METRICS[name].span)
    metric, bound = METRICS[name], METRICS[BOUNDS[name]]
    if kind is SetKind.TEST:
        return statistics.bounded(by_unit, metric, bound, readable(by_unit, *METRICS[name].over))
    return statistics.averaged(metric(by_unit), bound(by_unit), np.ones(by_unit.shape[:-1]))


def moved(by_unit: Units, kind: SetKind, name: str) -> tuple[Scores, Scores, Scores]:
    """A score, and by how much each template moves it.

    By leaving out one template after the other (the jackknife: Tukey 1958), which for a mean over
    templates is the distance from the mean over their number.

    Args:
        by_unit: Counts of the shape ... x templates x cells.
        kind: Whether templates are pooled or averaged.
        name: The metric; where templates are pooled one of `INTERVALS`.

    Returns:
        The score; and with a last axis of templates what moves it, 0 for those in which it is
        undefined, and how much each counts.
    """
    if kind is SetKind.TEST:
        sizes = readable(by_unit, *METRICS[name].over)
        score, moves, _ = statistics.pooled(by_unit, METRICS[name], sizes)
        return score, moves, sizes
    parts = np.stack(of_templates(by_unit, name), axis=-1)
    sizes = (~np.isnan(parts[..., 0])).astype(np.float64)
    score, moves, _ = statistics.pooled(np.nan_to_num(parts), statistics.quotient(0, 1), sizes)
    return score, moves, sizes


def missing_tallies(grid: Grid, places: npt.NDArray[np.int64]) -> Tallies:
    """Count requests without a reply, of the shape templates x prompts x (epochs x 3)."""
    _, prompts, orders = grid.asked.shape
    sample, prompt, order = np.unravel_index(places, grid.asked.shape)
    flat = (grid.samples.unit.astype(np.int64)[sample] * prompts + prompt) * orders + order
    shape = (len(grid.samples.units), prompts, orders)
    return np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)


POSITION_COLUMNS = (
    *("model", "context_type", "n", "first", "second", "third", "asked_thrice", "consistent"),
)
"""The columns of `positions.csv`.

`first`, `second` and `third` are the shares of the n readable replies that name the choice at
that place: a third each, where every request was asked in all three orders and answers depend on
what is asked alone. `consistent` is the share of the samples, prompts and epochs with readable
replies in all three orders (`asked_thrice`) that were answered with the same choice in all of them.
"""


def position_rows(model: str, grid: Grid, answers: Answers) -> Iterator[Row]:
    """Yield a model's rows, for all contexts and for each type of them."""
    ambiguous = np.isin(grid.samples.context, AMBIGUOUS)
    places, choices = positions_of(grid, answers), choices_of(grid, answers)
    thrice = (len(answers), len(grid.prompts), grid.epochs, 3)
    choices = choices.reshape(thrice)
    asked = np.asarray((answers < Answer.OUT_OF_CHOICE).reshape(thrice).all(axis=3))
    same = np.asarray(asked & (choices == choices[..., :1]).all(axis=3))
    every = np.ones(len(answers), np.bool_)
    for name, chosen in (("all", every), ("amb", ambiguous), ("dis", ~ambiguous)):
        of_chosen = places[chosen]
        counts = np.bincount(of_chosen[of_chosen >= 0], minlength=3)
        n, of = int(counts.sum()), int(asked[chosen].sum())
        row: Row = {"model": model, "context_type": name, "n": n}
        for title, count in zip(("first", "second", "third"), counts.tolist(), strict=True):
            row[title] = round(count / n, 12) if n else None
        row["asked_thrice"] = of
        row["consistent"] = int(same[chosen].sum()) / of if of else None
        yield row


ONE_IN = 50
"""A share above one in so many (2 %), in any type of context or label, is said."""
_CONTEXTS = {"ambiguous": "ad", "disambiguated": "bce"}
"""By type of context the letters that its cells have."""
_RULES = 3
_ENDS = ("", "least", "most")


Rows = tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ModelUnparsed:
    """The replies of a model that could not be parsed.

    Attributes:
        model: The model.
        out_of_choice: How many there are.
        replies: Of how many.
        shares: By `group_by` (`context` or `label`) and `group` how many are `out_of_choice`, of
            how many `replies`, and which `share` that is.
        rules: The reasons that occur most, at most three, each with an example.
        bounds: Of each `score` its `value` over the replies that were parsed, and the `least` and
            the `most` that it can be, whatever the others mean.
    """

    model: str
    out_of_choice: int
    replies: int
    shares: Rows
    rules: Rows
    bounds: Rows

    @property
    def many(self) -> bool:
        """Whether they are more than one in `ONE_IN` of any type of context or label."""
        return any(ONE_IN * item["out_of_choice"] > item["replies"] for item in self.shares)


def model_unparsed(item: ModelAnswers, rows: Sequence[Row]) -> ModelUnparsed:
    """Count what of a model's replies could not be parsed.

    Args:
        item: What it answered.
        rows: Its scores, with the columns of `SCORE_COLUMNS`, those over all replies first.
    """
    overall = rows[0]
    counted = [
        ("context", name, [cell for cell in EVERY_CELL if cell[2] in kinds], overall)
        for name, kinds in _CONTEXTS.items()
    ]
    labels = (row for row in rows if row["group_by"] == "label")
    counted += [("label", str(row["group"]), list(EVERY_CELL), row) for row in labels]
    shares = []
    for group_by, group, cells, row in counted:
        replies = sum(int(row[cell] or 0) for cell in cells)
        unparsed = sum(int(row[cell] or 0) for cell in cells if cell.endswith("o"))
        if replies:
            numbers = {"out_of_choice": unparsed, "replies": replies}
            share = round(unparsed / replies, 12)
            shares.append({"group_by": group_by, "group": group, **numbers, "share": share})
    return ModelUnparsed(
        model=item.model,
        out_of_choice=int(overall["out_of_choice"] or 0),
        replies=sum(int(overall[cell] or 0) for cell in EVERY_CELL),
        shares=tuple(shares),
        rules=item.unparsed[:_RULES],
        bounds=tuple(
            {
                "score": name,
                **{end or "value": overall[f"{name}_{end}".strip("_")] for end in _ENDS},
            }
            for name in MAIN
        ),
    )


Measured = Mapping[str, Any]
"""How models were asked and their replies read, as manifests hold it: `mode`, `orders`, `language`
and `samples_sha256`, of which those lack that are not known; and of `prompts` the `name` of the
set, and by id what identifies the texts of each (`sha256`)."""
_ALIKE = {
    "mode": "score both with the same --mode: strict reads each language by its own rules",
    "orders": "ask both with the same orders",
    "prompts": "score both over the same prompts, named with --requests FILE",
}
"""What must be the same on both sides, with what to do."""


def measured_of(settings: Mapping[str, object], ids: Iterable[str]) -> Measured:
    """Read it from the settings of a manifest of scores.

    Args:
        settings: The settings.
        ids: Of the prompts that the scores are over.
    """
    told = settings.get("prompts")
    prompts = told if isinstance(told, dict) else {}
    hashes = prompts.get("sha256")
    known = hashes if isinstance(hashes, dict) else {}
    names = ("mode", "orders", "language", "samples_sha256")
    texts = {name: str(known.get(name, "")) for name in sorted(ids)}
    return {
        **{name: str(settings[name]) for name in names if settings.get(name)},
        "prompts": {"name": str(prompts.get("name") or ""), "sha256": texts},
    }


def refuse_unlike(one: tuple[str, Measured], two: tuple[str, Measured], where: str) -> None:
    """Refuse to compare scores that were asked for, or read, in ways that change them.

    Args:
        one: What the first is called, and how it was measured.
        two: Likewise the second.
        where: Both places.

    Raises:
        CurateError: If mode, orders or the prompts' ids differ.
    """
    values = [_values(item) for _, item in (one, two)]
    for name, hint in _ALIKE.items():
        first, second = (item[name] for item in values)
        if first != second:
            words = {"one": one[0], "two": two[0], "setting": name, "hint": hint}
            words |= {"first": first or "not stated", "second": second or "not stated"}
            raise refusal("evaluation", "scores-unlike", where, **words)


def unlike(one: tuple[str, Measured], two: tuple[str, Measured]) -> Iterator[str]:
    """Say in what two scores differ besides their samples.

    Prompts are compared by their texts, for ids 1 to 5 are those of every set of prompts. The
    toolkit's own in two languages are one set.

    Args:
        one: What the first is called, and how it was measured.
        two: Likewise the second.
    """
    names = f"{one[0]} and {two[0]}"
    values = [_values(item) | {"language": item.get("language", "")} for _, item in (one, two)]
    for name in values[0]:
        both = [item[name] or "not known" for item in values]
        if both[0] != both[1]:
            yield f"{names} differ in {name}: {' and '.join(both)}"
    first, second = (item["prompts"]["sha256"] for _, item in (one, two))
    sets = [item["prompts"]["name"] or "not known" for _, item in (one, two)]
    own = all(name.startswith(OWN_PROMPTS) for name in sets)
    in_two = values[0]["language"] != values[1]["language"]
    if any(first[it] != second[it] for it in first if it in second) and not (own and in_two):
        yield said("scores-prompts", names=names, sets=" and ".join(sets))


def _values(item: Measured) -> dict[str, str]:
    ids = ", ".join(item["prompts"]["sha256"])
    return {"mode": item.get("mode", ""), "orders": item.get("orders", ""), "prompts": ids}


TALLIES = "tallies.csv"
"""The file's name in a folder of scores."""
_KEYS = ("model", "template_id", "category", "label", "prompt", "order")
_EPOCH = "epoch"
TALLY_COLUMNS = (*_KEYS, *CELLS, "missing", *OPEN_CELLS, _EPOCH)
"""The columns: one row for each model, template, prompt, order and epoch."""
_HINT = "write the folder again with 'curate evaluate score --out'"


def tally_frame(model: str, grid: Grid, tallies: Tallies, missing: Tallies) -> pd.DataFrame:
    """A model's counts, with the columns of `TALLY_COLUMNS`."""
    units = grid.samples.units
    unit, prompt, order = (places.ravel() for places in np.indices(missing.shape))
    counts = tallies.reshape(missing.size, len(EVERY_CELL))
    texts = {
        name: np.array([getattr(item, name) for item in units], object)[unit]
        for name in ("template_id", "category", "label")
    }
    frame = {
        "model": model,
        **texts,
        "prompt": np.array(grid.prompts, object)[prompt],
        "order": order % 3,
        **{name: counts[:, at] for at, name in enumerate(EVERY_CELL)},
        "missing": missing.ravel(),
        _EPOCH: order // 3 + 1,
    }
    return pd.DataFrame(frame, columns=list(TALLY_COLUMNS))


def write_tallies(folder: Path, frame: pd.DataFrame) -> tuple[Path]:
    """Write counts; gives the file.

    Raises:
        CurateError: If the file cannot be written.
    """
    rows = frame.itertuples(index=False, name=None)
    write_csv(folder / TALLIES, TALLY_COLUMNS, rows, escaped=True)
    return (folder / TALLIES,)


@dataclass(frozen=True, slots=True)
class Scored:
    """A folder of scores, as it is compared.

    Attributes:
        folder: Where it is.
        kind: Whether it scores a test set or the entire set.
        frame: The counts, with the columns of `TALLY_COLUMNS`.
        measured: How models were asked and their replies read; empty where it is not known.
    """

    folder: Path
    kind: SetKind
    frame: pd.DataFrame
    measured: Measured = field(default_factory=dict)

    @property
    def models(self) -> list[str]:
        """The models, in natural order."""
        return natural(self.frame["model"].unique())

    def of(self, model: str) -> pd.DataFrame:
        """A model's counts.

        Raises:
            CurateError: If the folder has none.
        """
        found = self.frame[self.frame["model"] == model]
        if not len(found):
            words = {"model": model, "models": self.models}
            raise refusal("evaluation", "scores-none", str(self.folder), **words)
        return found


def read_scored(folder: Path) -> Scored:
    """Read a folder that `curate evaluate score --out` wrote.

    Raises:
        CurateError: If it is none.
    """
    settings = read_manifest(folder).settings
    path = folder / TALLIES
    table = read_table(path, required=TALLY_COLUMNS, escaped=True)
    refuse_problems(table)
    cells = [[row[name] for name in TALLY_COLUMNS] for row in table.rows]
    frame = pd.DataFrame(cells, columns=list(TALLY_COLUMNS))
    numbers = [*EVERY_CELL, "missing", _EPOCH]
    try:
        frame[numbers] = frame[numbers].astype("int64")
        kind = SetKind(str(settings.get("set")))
    except ValueError as error:
        raise CurateError(f"{TALLIES} cannot be read: {error}", str(path), _HINT) from error
    if not len(frame):
        raise CurateError(f"{TALLIES} holds no counts", str(path), _HINT)
    return Scored(folder, kind, frame, measured_of(settings, frame["prompt"].unique()))


def counts_by(
    frame: pd.DataFrame, columns: list[str]
) -> tuple[pd.DataFrame, npt.NDArray[np.int64]]:
    """Sum counts over everything but some columns.

    Returns:
        The columns' values, one row a group in their order, and its counts by cell.
    """
    summed = frame.groupby(columns, sort=False)[list(EVERY_CELL)].sum()
    return summed.index.to_frame(index=False), summed.to_numpy()
