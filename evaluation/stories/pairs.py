"""`readings.csv`: how each continuation of a story was read, and the pairs of its two versions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.tables import read_columns, row_numbers
from curation.files.writers.cells import unescape_formula
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity, listed
from curation.records.ids import VariantVersion

READING_COLUMNS = ("model", "template_id", "question", "version", "reading")
"""The columns that must be there."""
OUT_OF_CHOICE = "out_of_choice"
READINGS = ("B", "C", "U", OUT_OF_CHOICE)
"""Biased, counter-biased, undetermined, and what no single choice can be read from."""
PAIR_KINDS = ("uu", "bc", "bb", "bu", "cu", "cc")
"""The unordered pairs of two readings, in the order of the score's columns."""
PAIR_OUT = len(PAIR_KINDS)
"""The kind of a pair of which at least one reading is out-of-choice."""
SEED_COLUMNS = ("seed", "set")
"""Optional: which evaluation set a story is of, by one of these names."""
PROMPT_COLUMNS = ("prompt_id", "prompt")
"""Optional: which continuation prompt was used, by one of these names."""
FILLING_COLUMN = "filling"
"""Optional: which filling of the template a story has."""
EPOCH_COLUMN = "epoch"
"""Optional: which of several continuations of one story in one run it is."""
CATEGORY_COLUMN = "category"
"""Optional: the template's category, where its id names none."""

_OPTIONAL = (
    *(*SEED_COLUMNS, *PROMPT_COLUMNS),
    *(FILLING_COLUMN, EPOCH_COLUMN, CATEGORY_COLUMN),
)
_VERSIONS = {
    f"{letter}{wording}": (f"{pair}{wording}", side)
    for wording in ("", *(f".{version}" for version in VariantVersion if version))
    for pair in ("ab", "cd")
    for side, letter in enumerate(pair)
}


def pair_and_side(version: str) -> tuple[str, int]:
    """Which pair of versions one is of, and which of the two; other names are alone."""
    return _VERSIONS.get(version, (version, 0))


_CATEGORY = re.compile(r"(?P<category>.+)-\d+")
_NAMED = 5

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The two versions of each story, side by side; arrays run over pairs.

    Attributes:
        models: Names of the models, sorted.
        templates: Ids of the templates, sorted.
        categories: The category of each template; empty where its id names none.
        runs: How many runs there are, one for each seed and prompt that occurs; None where the
            readings tell neither.
        epochs: How many epochs; 1 where the readings tell none.
        model: Position of the pair's model.
        template: Position of its template.
        run: Number of its run, from 0.
        epoch: Number of its epoch, from 0.
        kind: Position in `PAIR_KINDS`, or `PAIR_OUT`.
        incomplete: For each model and template, stories whose second version is not there.
        findings: What is to be said of the file.
    """

    models: tuple[str, ...]
    templates: tuple[str, ...]
    categories: tuple[str, ...]
    runs: int | None
    epochs: int
    model: Codes
    template: Codes
    run: Codes
    epoch: Codes
    kind: Codes
    incomplete: Codes
    findings: tuple[Finding, ...]


def read_pairs(path: Path, *, allow_incomplete: bool = False) -> Pairs:
    """Read readings and pair the two versions of each story and question.

    A pair is one model, template, question and, where those columns are there, seed, prompt,
    filling and epoch. The versions `a` and `b` belong together, and `c` and `d`; other
    names may be used where the file holds two of them.

    Args:
        path: The file.
        allow_incomplete: Leave stories out, counted, whose second version is not there.

    Raises:
        CurateError: If the file cannot be read, a cell is empty or holds no reading, a version
            cannot be paired, a reading occurs twice, or a story lacks its second version.
    """
    encoded = (*READING_COLUMNS, *_OPTIONAL)
    table = read_columns(path, READING_COLUMNS, encoded=encoded, optional=_OPTIONAL)
    if not table.num_rows:
        raise CurateError(
            "there is no reading in the file",
            str(path),
            "the file has only a header: name a file with readings",
        )
    rows = pd.DataFrame({name: _column(table, name, path) for name in table.column_names})
    for value in rows["reading"].cat.categories:
        if value not in READINGS:
            what, hint = f"'{value}' is not a reading", f"use {', '.join(READINGS)}"
            _refuse_cell(path, rows["reading"], value, what, hint)
    readings = _codes(rows["reading"].cat.set_categories(READINGS))
    pair, side = _sides(rows["version"], path)
    named = [[n for n in names if n in rows] for names in (SEED_COLUMNS, PROMPT_COLUMNS)]
    told = [names[0] for names in named if names]
    epochs = [EPOCH_COLUMN] if EPOCH_COLUMN in rows else []
    keys = ["model", "template_id", "question", "pair", *told, *epochs]
    keys += [FILLING_COLUMN] if FILLING_COLUMN in rows else []
    story = _numbered(rows.assign(pair=pair), keys)
    first = _first_positions(story)
    slots = _paired(story, side, readings, path)
    whole = np.asarray((slots >= 0).all(axis=1))
    paired, alone = rows.iloc[first[whole]], rows.iloc[first[~whole]]
    findings = list(_incomplete(alone, path, allow_incomplete))
    run, epoch = (_numbered(rows, names)[first][whole] for names in (told, epochs))
    categories, strange = _categories(rows, path)
    what = "templates have ids that name no category"
    hint = "ids are {category}-{number}, such as age-001; or add a column category"
    findings += listed("story-category", str(path), strange, what, hint, "template_id")
    by_template = alone.groupby(["model", "template_id"], observed=False).size().unstack()
    return Pairs(
        models=tuple(rows["model"].cat.categories),
        templates=tuple(rows["template_id"].cat.categories),
        categories=categories,
        runs=len(rows[told].drop_duplicates()) if told else None,
        epochs=len(rows[epochs].drop_duplicates()) if epochs else 1,
        model=_codes(paired["model"]),
        template=_codes(paired["template_id"]),
        run=run,
        epoch=epoch,
        kind=_KINDS[slots[whole, 0], slots[whole, 1]],
        incomplete=np.asarray(by_template, np.int64),
        findings=tuple(findings),
    )


_KINDS = np.full((len(READINGS), len(READINGS)), PAIR_OUT, np.int64)
"""The kind of a pair by its two readings, either order."""
for _at, _kind in enumerate(PAIR_KINDS):
    _one, _other = (READINGS.index(letter.upper()) for letter in _kind)
    _KINDS[_one, _other] = _KINDS[_other, _one] = _at


def _column(table: Any, name: str, path: Path) -> pd.Series:
    """Read a column as categories, blanks around cells taken off; no cell may be empty."""
    column = table.column(name).combine_chunks().to_pandas().astype("category")
    column = column.cat.remove_unused_categories()
    texts = column.cat.categories.map(unescape_formula)
    places, values = pd.factorize(texts.str.strip(), sort=True)
    column = pd.Series(pd.Categorical.from_codes(places[_codes(column)], values), name=name)
    if "" in values:
        _refuse_cell(path, column, "", "the cell is empty", "fill it in")
    return column


def _codes(column: pd.Series) -> Codes:
    """The position of each cell's category, of which the first in the alphabet is 0."""
    return np.asarray(column.cat.codes, np.int64)


def _refuse_cell(path: Path, column: pd.Series, value: str, what: str, hint: str) -> None:
    """Refuse the first cell that holds a value, with its row.

    Raises:
        CurateError: Always.
    """
    at = np.flatnonzero(column == value)
    more = f", and {len(at) - 1} more like it" if len(at) > 1 else ""
    row = row_numbers(path, [int(at[0])])[0]
    raise CurateError(what + more, f"{path}, row {row}, column {column.name}", hint)


def _sides(column: pd.Series, path: Path) -> tuple[pd.Series, Codes]:
    """Tell which pair of versions each row is of, and which of the two it is."""
    names = column.cat.categories
    if set(names) <= set(_VERSIONS):
        pairs, sides = zip(*(_VERSIONS[name] for name in names), strict=True)
        codes = _codes(column)
        return pd.Series(np.array(pairs, dtype=object)[codes]), np.array(sides)[codes]
    if len(names) > 2:
        raise CurateError(
            f"the versions {', '.join(names[:_NAMED])} cannot be paired",
            f"{path}, column version",
            "name the two versions of a story a and b (c and d for its second list of names)",
        )
    return pd.Series("", index=column.index), _codes(column)


def _numbered(rows: pd.DataFrame, keys: list[str]) -> Codes:
    """Number the distinct combinations of some columns from 0, in their order."""
    if not keys:
        return np.zeros(len(rows), np.int64)
    return np.asarray(rows.groupby(keys, observed=True).ngroup(), np.int64)


def _first_positions(numbers: Codes) -> Codes:
    """The position of the first row of each number."""
    return np.unique(numbers, return_index=True)[1].astype(np.int64)


def _paired(story: Codes, side: Codes, readings: Codes, path: Path) -> Codes:
    """Put the readings of the two versions side by side, -1 where there is none."""
    places = story * 2 + side
    counts = np.bincount(places, minlength=2 * (int(story.max()) + 1))
    doubled = np.flatnonzero(counts > 1)
    if len(doubled):
        first, second = row_numbers(path, np.flatnonzero(places == doubled[0])[:2].tolist())
        raise CurateError(
            f"{len(doubled)} readings occur twice; the first in rows {first} and {second}",
            f"{path}, row {second}",
            "keep one row for each model, template, question and version; tell several runs "
            "apart by the columns seed, prompt_id, filling and epoch",
        )
    slots = np.full(len(counts), -1, dtype=np.int64)
    slots[places] = readings
    return slots.reshape(-1, 2)


def _incomplete(alone: pd.DataFrame, path: Path, allow: bool) -> Sequence[Finding]:
    """Say which stories lack their second version.

    Raises:
        CurateError: If they are not allowed.
    """
    if not len(alone):
        return ()
    cells = alone[list(READING_COLUMNS[:4])].head(_NAMED).itertuples(index=False)
    named = ["{1} ({0}, {2}, version {3} alone)".format(*story) for story in cells]
    count = f"{len(alone)} {'story lacks its' if len(alone) == 1 else 'stories lack their'}"
    message = f"{count} second version: {', '.join(named)}{', ...' if len(alone) > _NAMED else ''}"
    row = row_numbers(path, [int(alone.index[0])])[0]
    if not allow:
        hint = "ask for what is missing, or leave such stories out with --allow-incomplete"
        raise CurateError(message, f"{path}, row {row}", hint)
    hint = "they are left out, and counted in n_incomplete"
    return (
        Finding("story-incomplete", Severity.WARNING, str(path), row, "version", message, hint),
    )


def _categories(rows: pd.DataFrame, path: Path) -> tuple[tuple[str, ...], list[str]]:
    """The category of each template, and the templates whose id names none.

    Raises:
        CurateError: If a template is told to be of two categories.
    """
    names = rows["template_id"].cat.categories
    if CATEGORY_COLUMN not in rows:
        matches = [_CATEGORY.fullmatch(name) for name in names]
        strange = [name for name, match in zip(names, matches, strict=True) if match is None]
        return tuple(match["category"] if match else "" for match in matches), strange
    template, told = _codes(rows["template_id"]), _codes(rows[CATEGORY_COLUMN])
    found = told[_first_positions(template)]
    apart = np.flatnonzero(told != found[template])
    if len(apart):
        at = int(apart[0])
        raise CurateError(
            f"{names[template[at]]} is of two categories",
            f"{path}, row {row_numbers(path, [at])[0]}, column {CATEGORY_COLUMN}",
            "a template has one category: correct the one that is wrong",
        )
    return tuple(rows[CATEGORY_COLUMN].cat.categories[found]), []
