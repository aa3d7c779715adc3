"""SPSS files as numbered rows of texts."""

from pathlib import Path
from typing import Any

from curation.model.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.chunks import Chunks, chunks
from survey.readers.encodings import language_encoding
from survey.readers.sheets import number_text
from survey.readers.source import Source

_EAST_ASIAN = ("cp949", "cp932", "gb18030", "cp950")


def read_sav(path: Path, read: ReadPart, language: str, file: str) -> tuple[Source, Chunks]:
    """Open an SPSS file; the names of its variables are row 1.

    Values that the file calls missing are given as they stand; those that the system calls so
    are empty.

    Raises:
        CurateError: If the library for it is not installed, or the file cannot be read.
    """
    data, meta, encoding, reason = _load(path, read.encoding, language, file)
    columns = [_texts(cells) for cells in data.values()]
    names = list(data)
    labels = {name: label or "" for name, label in zip(names, meta.column_labels, strict=True)}
    values = {
        name: {_text(value): label for value, label in known.items()}
        for name, known in meta.variable_value_labels.items()
    }
    source = Source(
        kind="sav",
        encoding=encoding,
        encoding_reason=reason,
        labels=labels,
        value_labels=values,
    )
    return source, chunks(iter([names, *zip(*columns, strict=True)]), file)


def _load(path: Path, named: str, language: str, file: str) -> tuple[dict[str, Any], Any, str, str]:
    try:
        import pyreadstat
    except ImportError as error:
        raise CurateError(
            f"{path.name} is an SPSS file, which needs pyreadstat",
            file,
            "pip install 'curate-bbq[spss]', or ask for CSV or XLSX",
        ) from error
    faults = (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError)
    tries = _tries(pyreadstat, path, named, language, faults)
    problem: Exception | None = None
    for encoding, reason in tries:
        try:
            data, meta = pyreadstat.read_sav(
                path, encoding=encoding, user_missing=True, output_format="dict"
            )
        except faults as error:
            problem = error
            continue
        return data, meta, encoding or str(meta.file_encoding), reason
    raise CurateError(
        f"{path.name} cannot be read: {problem}",
        file,
        "check that the file is complete; name its encoding in the mapping (read: encoding)",
    ) from problem


def _tries(
    library: Any, path: Path, named: str, language: str, faults: tuple[type[Exception], ...]
) -> list[tuple[str | None, str]]:
    """List the encodings to try, and why each."""
    if named != "auto":
        return [(named, "the mapping says so")]
    stated: tuple[str | None, str] = (None, "the file says so")
    fallback = language_encoding(language)
    if fallback not in _EAST_ASIAN:
        return [stated]
    own = (fallback.upper(), f"the file does not say, and the workspace's language is {language}")
    try:
        _, meta = library.read_sav(path, metadataonly=True)
    except faults:
        return [stated, own]
    # Without a word in the file its reader takes it for the encoding of Western Windows.
    silent = str(meta.file_encoding or "").casefold() in ("", "windows-1252", "us-ascii")
    return [own, stated] if silent else [stated, own]


def _texts(cells: list[Any]) -> list[str]:
    known: dict[Any, str] = {}
    for cell in set(cells):
        known[cell] = _text(cell)
    return [known[cell] for cell in cells]


def _text(cell: Any) -> str:
    if cell is None or cell != cell:  # NaN alone is not itself
        return ""
    if isinstance(cell, float):
        return number_text(cell)
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
