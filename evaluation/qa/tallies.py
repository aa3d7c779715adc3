"""`tallies.csv`: the counts behind scores, from which models and benchmarks are compared."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.manifest import read_manifest
from curation.files.tables import read_columns, write_csv
from curation.files.writers.cells import unescape_formula
from curation.records.errors import CurateError
from curation.records.wording import natural
from evaluation.qa.answers import Tallies
from evaluation.qa.grid import Grid
from evaluation.qa.measured import Measured, measured_of
from evaluation.qa.metrics import CELLS, EVERY_CELL, OPEN_CELLS, SetKind

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
