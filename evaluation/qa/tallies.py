"""`tallies.csv`: the counts behind scores, from which models and benchmarks are compared."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.manifest import read_manifest
from curation.files.tables import read_columns
from curation.files.writers.cells import unescape_formula
from curation.records.errors import CurateError
from curation.records.wording import natural
from evaluation.qa.answers import Tallies
from evaluation.qa.grid import Grid
from evaluation.qa.measured import Measured, measured_of
from evaluation.qa.metrics import CELLS, EVERY_CELL, OPEN_CELLS, SetKind
from evaluation.qa.score import Row

TALLIES = "tallies.csv"
"""The file's name in a folder of scores."""
_KEYS = ("model", "template_id", "category", "label", "prompt", "order")
_NAMES = _KEYS[:5]
_EPOCH = "epoch"
TALLY_COLUMNS = (*_KEYS, *CELLS, "missing", *OPEN_CELLS, _EPOCH)
"""The columns: one row for each model, template, prompt, order and epoch."""
_HINT = "write the folder again with 'curate evaluate score --out'"


def tally_rows(model: str, grid: Grid, tallies: Tallies, missing: Tallies) -> Iterator[Row]:
    """Yield a model's counts, with the columns of `TALLY_COLUMNS`."""
    for at, unit in enumerate(grid.samples.units):
        for prompt, name in enumerate(grid.prompts):
            for order in range(3 * grid.epochs):
                counts = tallies[at, prompt, order].tolist()
                yield {
                    "model": model,
                    "template_id": unit.template_id,
                    "category": unit.category,
                    "label": unit.label,
                    "prompt": name,
                    "order": order % 3,
                    **dict(zip(CELLS, counts, strict=False)),
                    "missing": int(missing[at, prompt, order]),
                    **dict(zip(OPEN_CELLS, counts[len(CELLS) :], strict=True)),
                    _EPOCH: order // 3 + 1,
                }


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
    measured: Measured = field(default_factory=Measured)

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
