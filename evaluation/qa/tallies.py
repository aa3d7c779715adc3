"""`tallies.csv`: the counts behind scores, from which models and benchmarks are compared."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.manifest import read_manifest
from curation.files.tables import read_columns, unescape_formula, write_csv
from curation.records.messages import CurateError, natural
from evaluation.prompts import OWN_PROMPTS
from evaluation.qa.answers import Tallies
from evaluation.qa.grid import Grid
from evaluation.qa.metrics import CELLS, EVERY_CELL, OPEN_CELLS, SetKind

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
            raise CurateError(
                f"{one[0]} and {two[0]} were not measured with the same {name}: "
                f"{first or 'not stated'}, and {second or 'not stated'}",
                where,
                hint,
            )


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
        yield (
            f"{names} were asked with prompts of different texts ({' and '.join(sets)}), "
            "which may change the scores"
        )


def _values(item: Measured) -> dict[str, str]:
    ids = ", ".join(item["prompts"]["sha256"])
    return {"mode": item.get("mode", ""), "orders": item.get("orders", ""), "prompts": ids}


TALLIES = "tallies.csv"
"""The file's name in a folder of scores."""
_KEYS = ("model", "template_id", "category", "label", "prompt", "order")
_NAMES = _KEYS[:5]
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


def write_tallies(folder: Path, frame: pd.DataFrame) -> None:
    """Write counts.

    Raises:
        CurateError: If the file cannot be written.
    """
    rows = frame.itertuples(index=False, name=None)
    write_csv(folder / TALLIES, TALLY_COLUMNS, rows, escaped=True)


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
            raise CurateError(
                f"there are no scores of '{model}'",
                str(self.folder),
                f"there are some of {', '.join(self.models)}",
            )
        return found


def read_scored(folder: Path) -> Scored:
    """Read a folder that `curate evaluate score --out` wrote.

    Raises:
        CurateError: If it is none.
    """
    settings = read_manifest(folder).settings
    path = folder / TALLIES
    frame = read_columns(path, TALLY_COLUMNS, encoded=()).to_pandas()
    numbers = [*EVERY_CELL, "missing", _EPOCH]
    for name in _NAMES:
        frame[name] = frame[name].map(unescape_formula)
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
