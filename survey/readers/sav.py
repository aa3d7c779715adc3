"""SPSS and Stata files as columns of texts."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from survey.mapping import ReadPart
from survey.readers.frames import Source, refusal, written
from survey.readers.text import language_encoding

_EAST_ASIAN = ("cp949", "cp932", "gb18030", "cp950")
_SILENT = ("", "windows-1252", "us-ascii")
"""What the library takes a file for that does not say in what it is written."""


def read_sav(
    path: Path, read: ReadPart, language: str, file: str
) -> tuple[Source, list[list[str]]]:
    """Read an SPSS file; the names of its variables are row 1.

    Values that the file calls missing are given as they stand; those that the system calls so
    are empty.

    Raises:
        CurateError: If the library for it is not installed, or the file cannot be read.
    """
    if find_spec("pyreadstat") is None:
        raise refusal("sav-library", file, name=path.name)
    named = "" if read.encoding == "auto" else read.encoding
    found, reason = _tried(path, named), "the mapping says so" if named else "the file says so"
    own = language_encoding(language)
    unsaid = isinstance(found, str) or str(found[1].file_encoding or "").casefold() in _SILENT
    if not named and own in _EAST_ASIAN and unsaid:
        # Old files do not say, or not truly, in what they are written.
        other = _tried(path, own.upper())
        if not isinstance(other, str):
            reason = f"the file does not say, and the workspace's language is {language}"
            found = other
    if isinstance(found, str):
        raise refusal("sav-unread", file, name=path.name, why=found)
    data, meta = found
    source = Source(
        kind="sav",
        encoding=str(meta.file_encoding or ""),
        encoding_reason=reason,
        labels={name: label or "" for name, label in zip(data, meta.column_labels, strict=True)},
        value_labels={
            name: {written(value): label for value, label in known.items()}
            for name, known in meta.variable_value_labels.items()
        },
        missing={
            name: tuple(sorted({written(cell) for cell in {*data[name]} if _within(cell, ranges)}))
            for name, ranges in meta.missing_ranges.items()
        }
        | {name: tuple(values) for name, values in meta.missing_user_values.items()},
    )
    columns = []
    for name, cells in data.items():
        texts = {cell: written(cell) for cell in set(cells)}
        columns.append([name, *(texts[cell] for cell in cells)])
    return source, columns


def _tried(path: Path, encoding: str) -> tuple[dict[str, list[Any]], Any] | str:
    """The columns and what is known of them, or why they cannot be read."""
    import pyreadstat

    library = pyreadstat.read_dta if path.suffix.casefold() == ".dta" else pyreadstat.read_sav
    options: dict[str, Any] = {"user_missing": True, "output_format": "dict"}
    try:
        data, meta = library(path, encoding=encoding or None, **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError) as error:
        return str(error)
    return {str(name): list(cells) for name, cells in data.items()}, meta


def _within(cell: Any, ranges: Any) -> bool:
    """Whether the file declares a value missing: it lies in one of the ranges."""
    ends = ((known["lo"], known["hi"]) for known in ranges)
    return cell is not None and any(
        isinstance(cell, str) == isinstance(low, str) and low <= cell <= high for low, high in ends
    )
