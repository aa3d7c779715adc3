"""What is known of a file beside its cells."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from curation.io.tables import read_bytes, refuse_binary
from curation.model.errors import CurateError

Place: TypeAlias = tuple[int, int]
"""Row as a spreadsheet numbers it, and column from 0."""
Kind = Literal["text", "workbook", "sav"]

_UTF_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


@dataclass(frozen=True, slots=True)
class Source:
    """How a file was read, and what it tells about its columns.

    Attributes:
        kind: What it is.
        encoding: Encoding of a text file, or of an SPSS file's texts.
        encoding_reason: Why that one was taken.
        guessed: Whether the encoding is the language's, which nothing in the file confirms.
        delimiter: Delimiter of a text file.
        delimiter_reason: Why that one was taken.
        ends_open: Whether the last line has no line end.
        lost: Whether a text file holds U+FFFD.
        tells_void: Whether an empty cell that was not quoted is told from a quoted one.
        sheet: Sheet of a workbook.
        sheets: All of its sheets.
        labels: Label of each variable of an SPSS file.
        value_labels: Labels of its values.
        suspects: Cells that do not hold what a person entered, and why.
    """

    kind: Kind
    encoding: str = ""
    encoding_reason: str = ""
    guessed: bool = False
    delimiter: str = ""
    delimiter_reason: str = ""
    ends_open: bool = False
    lost: bool = False
    tells_void: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    suspects: Mapping[Place, str] = field(default_factory=dict)


def file_kind(path: Path) -> Kind:
    """Tell by its first bytes what a file is, whatever its name ends in.

    Raises:
        CurateError: If it cannot be read, or is nothing that holds a survey.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError:
        read_bytes(path)  # says in words why it cannot be read
        raise
    if head.startswith(b"PK\x03\x04"):
        return "workbook"
    if head.startswith((b"$FL2", b"$FL3")):
        return "sav"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise CurateError(
            f"{path.name} is an old XLS workbook, or one with a password",
            str(path),
            "open it and save it as XLSX, without a password",
        )
    if not head.startswith(_UTF_MARKS):
        # Single NUL signs are refused later, with their line; only signatures matter here.
        refuse_binary(head.replace(b"\x00", b""), path)
    return "text"
