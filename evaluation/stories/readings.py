"""`readings.csv`: how each continuation of a story was read, and the pairs of its two versions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.io.tables import read_columns, row_numbers
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity

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
CATEGORY_COLUMN = "category"
"""Optional: the template's category, where its id names none."""

_OPTIONAL = (*SEED_COLUMNS, *PROMPT_COLUMNS, FILLING_COLUMN, CATEGORY_COLUMN)
_VERSIONS = {"a": ("ab", 0), "b": ("ab", 1), "c": ("cd", 0), "d": ("cd", 1)}
_CATEGORY = re.compile(r"(?P<category>.+)-\d+")
_NAMED = 5

Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pairs:
    """The two versions of each story, held against each other; arrays run over pairs.

    Attributes:
        models: Names of the models, sorted.
        templates: Ids of the templates, sorted.
        categories: The category of each template; empty where its id names none.
        runs: Names of the runs, one for each seed and prompt that occurs; one nameless run
            where the readings tell neither.
        has_runs: Whether the readings tell seed or prompt.
        model: Position of the pair's model.
        template: Position of its template.
        run: Position of its run.
        kind: Position in `PAIR_KINDS`, or `PAIR_OUT`.
        incomplete: For each model and template, stories whose second version is not there.
        findings: What is to be said of the file.
    """

    models: tuple[str, ...]
    templates: tuple[str, ...]
    categories: tuple[str, ...]
    runs: tuple[str, ...]
    has_runs: bool
    model: Codes
    template: Codes
    run: Codes
    kind: Codes
    incomplete: npt.NDArray[np.int64]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as positions in its distinct values, which are sorted."""

    values: tuple[str, ...]
    codes: Codes


def read_pairs(path: Path, *, allow_incomplete: bool = False) -> Pairs:
    """Read readings and pair the two versions of each story and question.

    A pair is one model, template, question and, where those columns are there, seed, prompt and
    filling. The versions `a` and `b` belong together, and `c` and `d`; other
    names may be used where the file holds two of them.

    Args:
        path: The file.
        allow_incomplete: Leave stories out, counted, whose second version is not there.

    Raises:
        CurateError: If the file cannot be read, a cell is empty or holds no reading, a version
            cannot be paired, a reading stands twice, or a story lacks its second version.
    """
    encoded = (*READING_COLUMNS, *_OPTIONAL)
    table = read_columns(path, READING_COLUMNS, encoded=encoded, optional=_OPTIONAL)
    if not table.num_rows:
        raise CurateError("there is no reading in the file", str(path), "see the header alone")
    columns = {name: _column(table, name, path) for name in table.column_names}
    readings = _reading_codes(columns["reading"], path)
    pair_set, side = _sides(columns["version"], path)
    keys = [columns["model"], columns["template_id"], columns["question"], pair_set]
    seed, prompt = _first(columns, SEED_COLUMNS), _first(columns, PROMPT_COLUMNS)
    run = _joined([item for item in (seed, prompt) if item is not None], table.num_rows)
    keys += [run, *([columns[FILLING_COLUMN]] if FILLING_COLUMN in columns else [])]
    story = _numbered([item.codes for item in keys])
    first = _first_positions(story)
    slots = _paired(story, side, readings, path)
    whole: Mask = np.logical_and(slots[:, 0] >= 0, slots[:, 1] >= 0)
    findings = list(_incomplete(columns, first, whole, path, allow_incomplete))
    categories, strange = _categories(columns, path)
    findings += _without_category(strange, path)
    return Pairs(
        models=columns["model"].values,
        templates=columns["template_id"].values,
        categories=categories,
        runs=run.values,
        has_runs=seed is not None or prompt is not None,
        model=columns["model"].codes[first][whole],
        template=columns["template_id"].codes[first][whole],
        run=run.codes[first][whole],
        kind=_KINDS[slots[whole, 0], slots[whole, 1]],
        incomplete=_counted(columns, first[~whole]),
        findings=tuple(findings),
    )


def _kinds() -> Codes:
    """Give the kind of a pair by its two readings, either order."""
    kinds = np.full((len(READINGS), len(READINGS)), PAIR_OUT, dtype=np.int64)
    for at, kind in enumerate(PAIR_KINDS):
        one, other = (READINGS.index(letter.upper()) for letter in kind)
        kinds[one, other] = kinds[other, one] = at
    return kinds


_KINDS = _kinds()


def _column(table: Any, name: str, path: Path) -> _Column:
    """Read a column, blanks around cells taken off; no cell may be empty."""
    import pyarrow as pa

    column = table.column(name).combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    raw = [str(value).strip() for value in column.dictionary.to_pylist()]
    codes = column.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    values = sorted({raw[at] for at in np.unique(codes)})
    position = {value: at for at, value in enumerate(values)}
    codes = np.array([position.get(value, -1) for value in raw], dtype=np.int64)[codes]
    if "" in position:
        _refuse_cell(path, codes, position[""], name, "the cell is empty", "fill it in")
    return _Column(tuple(values), codes)


def _refuse_cell(path: Path, codes: Codes, code: int, column: str, what: str, hint: str) -> None:
    """Refuse the first cell that holds a value, with its row.

    Raises:
        CurateError: Always.
    """
    at = np.flatnonzero(codes == code)
    more = f", and {len(at) - 1} more like it" if len(at) > 1 else ""
    row = row_numbers(path, [int(at[0])])[0]
    raise CurateError(what + more, f"{path}, row {row}, column {column}", hint)


def _reading_codes(column: _Column, path: Path) -> Codes:
    for code, value in enumerate(column.values):
        if value not in READINGS:
            what = f"'{value}' is no reading"
            _refuse_cell(path, column.codes, code, "reading", what, f"use {', '.join(READINGS)}")
    return np.array([READINGS.index(value) for value in column.values])[column.codes]


def _sides(column: _Column, path: Path) -> tuple[_Column, Codes]:
    """Tell which pair of versions each row is of, and which of the two it is."""
    if set(column.values) <= set(_VERSIONS):
        sets = sorted({_VERSIONS[value][0] for value in column.values})
        codes = np.array([sets.index(_VERSIONS[value][0]) for value in column.values])
        sides = np.array([_VERSIONS[value][1] for value in column.values])
        return _Column(tuple(sets), codes[column.codes]), sides[column.codes]
    if len(column.values) > 2:
        raise CurateError(
            f"the versions {', '.join(column.values[:_NAMED])} cannot be paired",
            f"{path}, column version",
            "name the two versions of a story a and b (c and d for its second list of names)",
        )
    return _Column(("",), np.zeros_like(column.codes)), column.codes


def _first(columns: dict[str, _Column], names: Sequence[str]) -> _Column | None:
    return next((columns[name] for name in names if name in columns), None)


def _joined(columns: Sequence[_Column], rows: int) -> _Column:
    """Join columns into one whose values are theirs, one after the other."""
    if not columns:
        return _Column(("",), np.zeros(rows, dtype=np.int64))
    numbers = _numbered([column.codes for column in columns])
    first = _first_positions(numbers)
    names = [" ".join(item.values[item.codes[at]] for item in columns) for at in first]
    return _Column(tuple(names), numbers)


def _numbered(columns: Sequence[Codes]) -> Codes:
    """Number the distinct combinations of some columns from 0, in their order."""
    numbers = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        numbers = numbers * (int(codes.max()) + 1) + codes
        numbers = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return numbers


def _first_positions(numbers: Codes) -> Codes:
    """Give the position of the first row of each number."""
    return np.unique(numbers, return_index=True)[1].astype(np.int64)


def _paired(story: Codes, side: Codes, readings: Codes, path: Path) -> Codes:
    """Put the readings of the two versions side by side, -1 where there is none."""
    places = story * 2 + side
    counts = np.bincount(places, minlength=2 * (int(story.max()) + 1))
    doubled = np.flatnonzero(counts > 1)
    if len(doubled):
        first, second = row_numbers(path, np.flatnonzero(places == doubled[0])[:2].tolist())
        raise CurateError(
            f"{len(doubled)} readings stand twice; the first in rows {first} and {second}",
            f"{path}, row {second}",
            "keep one row for each model, template, question and version; tell several runs "
            "apart by the columns seed, prompt_id and filling",
        )
    slots = np.full(len(counts), -1, dtype=np.int64)
    slots[places] = readings
    return slots.reshape(-1, 2)


def _incomplete(
    columns: dict[str, _Column], first: Codes, whole: Mask, path: Path, allow: bool
) -> Sequence[Finding]:
    """Say which stories lack their second version.

    Raises:
        CurateError: If they are not allowed.
    """
    alone = first[~whole]
    if not len(alone):
        return ()
    named = []
    for at in alone[:_NAMED]:
        parts = [columns[name].values[columns[name].codes[at]] for name in READING_COLUMNS[:4]]
        named.append("{1} ({0}, {2}, version {3} alone)".format(*parts))
    count = f"{len(alone)} {'story lacks its' if len(alone) == 1 else 'stories lack their'}"
    message = f"{count} second version: {', '.join(named)}{', ...' if len(alone) > _NAMED else ''}"
    row = row_numbers(path, [int(alone[0])])[0]
    if not allow:
        hint = "ask for what is missing, or leave such stories out with --allow-incomplete"
        raise CurateError(message, f"{path}, row {row}", hint)
    hint = "they are left out, and counted in n_incomplete"
    return (
        Finding("story-incomplete", Severity.WARNING, str(path), row, "version", message, hint),
    )


def _counted(columns: dict[str, _Column], rows: Codes) -> npt.NDArray[np.int64]:
    model, template = columns["model"], columns["template_id"]
    counts = np.zeros((len(model.values), len(template.values)), dtype=np.int64)
    np.add.at(counts, (model.codes[rows], template.codes[rows]), 1)
    return counts


def _categories(columns: dict[str, _Column], path: Path) -> tuple[tuple[str, ...], list[str]]:
    """Give the category of each template, and the templates whose id names none.

    Raises:
        CurateError: If a template is told to be of two categories.
    """
    template, told = columns["template_id"], columns.get(CATEGORY_COLUMN)
    if told is None:
        matches = [_CATEGORY.fullmatch(value) for value in template.values]
        strange = [v for v, match in zip(template.values, matches, strict=True) if match is None]
        return tuple(match["category"] if match else "" for match in matches), strange
    found = told.codes[_first_positions(template.codes)]
    apart = np.flatnonzero(told.codes != found[template.codes])
    if len(apart):
        at = int(apart[0])
        name, row = template.values[template.codes[at]], row_numbers(path, [at])[0]
        raise CurateError(
            f"{name} is of two categories",
            f"{path}, row {row}, column {CATEGORY_COLUMN}",
            "a template has one category: mend the one that is wrong",
        )
    return tuple(told.values[code] for code in found), []


def _without_category(strange: Sequence[str], path: Path) -> Sequence[Finding]:
    if not strange:
        return ()
    more = ", ..." if len(strange) > _NAMED else ""
    message = f"{len(strange)} templates have ids that name no category: "
    message += ", ".join(strange[:_NAMED]) + more
    hint = "ids are {category}-{number}, such as age-001; or add a column category"
    place = (str(path), None, "template_id")
    return (Finding("story-category", Severity.WARNING, *place, message, hint),)
