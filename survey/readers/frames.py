"""A survey file as a frame of text: named columns, and rows as a spreadsheet numbers them.

Nothing is taken for a number or a date: `01` keeps its zero and `N/A` is a text. Each column is its
distinct texts and a code for each row, so that what is asked of a column is asked once for each
distinct text.
"""

import difflib
import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from curation.languages import received_words
from curation.records import messages
from curation.records.messages import CurateError, Finding, finding

ANY = "*"
"""Among the values of a mapping's `keep`, `finished`, `screened_out` and `expect`: whatever is not
empty."""
ENDINGS = (".json", ".jsonl", ".ndjson")
"""How names of files of JSON end."""

Codes = npt.NDArray[np.signedinteger]
"""For each cell the position of its text, in as few bytes as will do."""
Records = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Place: TypeAlias = tuple[int, int]
"""Row as a spreadsheet numbers it, and column from 0."""
Kind = Literal["text", "workbook", "sav", "json"]

_BLANKS = re.compile(r"\s+")
_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""What nobody sees and platforms set or drop: places to break a line, and directions of writing."""
_FORMULA_MARK = re.compile("'+[=+\\-@\t\r\n＝＋－＠]")
ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,6}|#x[0-9a-fA-F]{1,5});")
"""A character as web pages write it."""
_SHORT = 100
"""Letters up to which a text is remembered: long ones are many and come once."""


def plain(text: str) -> str:
    """A text for comparison: composed, as it is seen, with single blanks, no formula's mark.

    Characters that stand as in the source of a web page, such as `&amp;`, are these characters;
    what is plain stays so.
    """
    if text.isascii() and text.isalnum():
        return text  # as most cells are
    return _remembered(text) if len(text) <= _SHORT else _plain(text)


def _plain(text: str) -> str:
    text = _UNSEEN.sub("", text)
    if _FORMULA_MARK.match(text):
        text = text[1:]
    if "&" in text:
        read = ENTITY.sub(lambda found: html.unescape(found[0]), text)
        # A text that speaks of such stays as it is.
        text = text if ENTITY.search(read) else _UNSEEN.sub("", read)
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()


_remembered = lru_cache(maxsize=1 << 16)(_plain)
_APOSTROPHES = "\u2018\u2019\u201a\u201b\u02b9\u02bb\u02bc\u02be\u02bf\u05f3\u00b4`\u2032"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u05f4"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u05be"
_JOINING = "\u0640\u034f\u180b\u180c\u180d\u180e\u180f\u200c\u200d\ufe0e\ufe0f"
_FINALS = "\u0d23\u0d28\u0d30\u0d32\u0d33\u0d15"
_AS_TYPED = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_QUOTES, '"')
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_JOINING)
    # Keyboards differ in yeh and kaf, encodings in the wave of Japanese and the comma of Romanian.
    | {"\u064a": "\u06cc", "\u0649": "\u06cc", "\u0643": "\u06a9", "\u301c": "~"}
    | dict(zip("\u015e\u015f\u0162\u0163", "\u0218\u0219\u021a\u021b", strict=True))
    # Final consonants of Bengali and Malayalam are one letter, or a letter and marks.
    | {"\u09ce": "\u09a4\u09cd"}
    | {0x0D7A + at: f"{letter}\u0d4d" for at, letter in enumerate(_FINALS)}
)
_WITHIN = re.compile(r'\s*"\s*')
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=1 << 16)
def typed(text: str) -> str:
    """A text as a plain keyboard types it: small letters, straight apostrophes and quotes, 0 to 9.

    Word processors and forms write curved ones by themselves, and digits of their script; platforms
    and encodings have full-width letters, and letters as one sign or as two.
    """
    small = unicodedata.normalize("NFKC", plain(text).translate(_AS_TYPED)).casefold()
    if not small.isascii():
        small = _DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), small)
    small = small.replace("\u0131", "i").replace("i\u0307", "i")  # the two letters i of Turkish
    return _WITHIN.sub('"', small)


_APART = re.compile(r"[\s_\-]+")


@lru_cache(maxsize=1 << 12)
def compared(word: str) -> str:
    """A word as it is compared: as a plain keyboard types it, with blanks for lines and hyphens."""
    return _APART.sub(" ", typed(word)).strip()


_STROKED = dict(zip("\u0111\u0142\u00f8\u0110\u0141\u00d8", "dloDLO", strict=True))
"""Letters of Vietnamese, Polish and Danish with a stroke, which no accent is to be taken from."""


@lru_cache(maxsize=1 << 12)
def without_accent(character: str) -> str:
    """A Latin letter without its accent; every other character as it is."""
    if not unicodedata.name(character, "").startswith("LATIN"):
        return character
    parts = unicodedata.normalize("NFD", _STROKED.get(character, character))
    return "".join(part for part in parts if not unicodedata.combining(part)) or character


def unaccented(text: str) -> str:
    """A text with Latin letters without their accents."""
    return text if text.isascii() else "".join(map(without_accent, text))


_LISTS = {
    "respondent": ("simple_respondent", "panel_ids"),
    "started": ("started",),
    "ended": ("ended",),
}
"""The lists of words for a role that are not called by it."""


@cache
def _words(*lists: str) -> frozenset[str]:
    words = {compared(word) for name in lists for word in received_words(name)}
    words |= set(map(unaccented, words))
    return frozenset(words | {word.replace(" ", "") for word in words})


def columns_called(heads: Sequence[str], role: str) -> list[int]:
    """The columns whose heading is a word for a role, in any language of the packs.

    Programs write the words of a heading without blanks: `ParticipantId`.
    """
    words = _words(*_LISTS.get(role, (f"simple_{role}",)))
    return [at for at, head in enumerate(heads) if compared(head) in words]


def tell(
    rule: str, file: str, row: int | None = None, column: str = "", /, **words: Any
) -> Finding:
    """A finding on a file, or a place in it, in the words of `findings.yaml`."""
    return replace(finding(__package__, rule, file, **words), row=row, column=column)


def refusal(key: str, where: str, /, **words: Any) -> CurateError:
    """What refuses a file, in the words of `findings.yaml`; `code` is the kind of failure."""
    return messages.refusal(__package__, key, where, **words)


def to_do(key: str, /, **words: Any) -> str:
    """What a draft leaves to a person, in the words of `findings.yaml`."""
    return tell(key, "", **words).message


@dataclass(frozen=True, slots=True)
class FileSource:
    """How a file was read, and what it tells beside its cells.

    Attributes:
        kind: What it is.
        encoding: Encoding of a text file, or of an SPSS file's texts.
        encoding_reason: Why that one was taken.
        guessed: Whether the encoding is the language's, which nothing in the file confirms.
        delimiter: Delimiter of a text file.
        delimiter_reason: Why that one was taken.
        ends_open: Whether the last line has no line end.
        lost: Whether a text file holds U+FFFD.
        quoted: Whether a text file holds a quotation mark.
        skipped: Lines before the header, such as `sep=;`.
        tells_void: Whether cells are quoted, so that an empty one that is not says something else.
        sheet: Sheet of a workbook.
        sheets: All of its sheets.
        labels: Label of each variable of an SPSS file.
        value_labels: Labels of its values.
        missing: The values in each that the file itself declares missing.
        suspects: Cells that do not hold what a person entered, and why.
        hidden: Rows of a sheet that are hidden, by hand or by a filter.
        hidden_columns: Positions of its columns that are hidden.
        merged: Last row of each range of merged cells, and its name.
    """

    kind: Kind
    encoding: str = ""
    encoding_reason: str = ""
    guessed: bool = False
    delimiter: str = ""
    delimiter_reason: str = ""
    ends_open: bool = False
    lost: bool = False
    quoted: bool = False
    skipped: int = 0
    tells_void: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    suspects: Mapping[Place, str] = field(default_factory=dict)
    hidden: tuple[int, ...] = ()
    hidden_columns: tuple[int, ...] = ()
    merged: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class FileColumn:
    """One column of a file.

    Attributes:
        codes: For each record the position of its text in `values`: to be made wider before it is
            reckoned with.
        values: The distinct texts, as they stand.
        void: Position of the empty cell that was *not* quoted, where a file tells it from the
            quoted one; -1 where none is there or files of its kind tell nothing.
    """

    codes: Codes
    values: Sequence[str]
    void: int = -1

    def __len__(self) -> int:
        return len(self.codes)

    def cell(self, record: int) -> str:
        """The text of a record."""
        return self.values[int(self.codes[record])]

    def text(self, record: int) -> str:
        """The text of a record, without needless blanks."""
        return plain(self.cell(record))

    def take(self, records: npt.NDArray[np.int64]) -> "FileColumn":
        """The column of some records alone."""
        return FileColumn(self.codes[records], self.values, self.void)

    @cached_property
    def used(self) -> list[int]:
        """The positions of the values that occur."""
        present = np.zeros(len(self.values), dtype=bool)
        present[self.codes] = True
        return np.flatnonzero(present).tolist()

    @cached_property
    def texts(self) -> list[str]:
        """The distinct texts, without needless blanks: some may be the same so."""
        return list(map(plain, self.values))

    def inverse(self) -> tuple[list[int], Records]:
        """The positions of the values that occur, and for each record which of these it has."""
        place = np.zeros(len(self.values), dtype=np.int64)
        place[self.used] = np.arange(len(self.used))
        return self.used, place[self.codes]

    @cached_property
    def distinct(self) -> list[str]:
        """Each text that occurs once, without needless blanks."""
        return list(dict.fromkeys(self.texts[code] for code in self.used))

    def becomes(self, meanings: Sequence[str]) -> "FileColumn":
        """The column with other texts: for each distinct one what it becomes."""
        found = column_of(meanings)
        return FileColumn(found.codes[self.codes], found.values)


def written(cell: object) -> str:
    """Write what a program keeps as a number or a date as a person would have: 1, not 1.0."""
    if cell is None or cell != cell:  # NaN alone is not itself
        return ""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return str(cell.isoformat()) if hasattr(cell, "isoformat") else str(cell)


def pairs_of(codes: Codes, column: FileColumn) -> Records:
    """A number for each record, the same where two have the same code and text."""
    return codes.astype(np.int64) * len(column.values) + column.codes


def json_text(value: object) -> str:
    """A value of JSON as a cell: a text as it stands, nothing for null, all else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def flat_json(data: Mapping[str, Any], before: str = "", *, deep: bool = True) -> dict[str, str]:
    """The values of an object as cells; those of an object within have names with a dot.

    Args:
        data: The object.
        before: Stands before each name.
        deep: Whether objects within are taken apart too.
    """
    found: dict[str, str] = {}
    for key, value in data.items():
        name = f"{before}{key}"
        if isinstance(value, dict) and deep:
            found |= flat_json(value, f"{name}.", deep=False)
        else:
            found[name] = json_text(value)
    return found


def column_of(texts: Sequence[str]) -> FileColumn:
    """A column of some cells."""
    index: dict[str, int] = {}
    codes = [index.setdefault(text, len(index)) for text in texts]
    return FileColumn(narrow(np.array(codes, dtype=np.int32), len(index)), tuple(index))


def narrow(codes: npt.NDArray[np.signedinteger], size: int) -> Codes:
    """The same codes, all below `size`, in as few bytes as will do."""
    for kind in (np.int8, np.int16):
        if size <= np.iinfo(kind).max:
            return codes.astype(kind)
    return codes.astype(np.int32)


@dataclass(frozen=True, slots=True)
class Frame:
    """A file as read.

    Attributes:
        file: Path as shown to the user.
        source: How it was read, and what it tells beside its cells.
        heads: The header rows, as they stand.
        titles: The names of the columns.
        columns: The columns.
        rows: The row of each record, as a spreadsheet numbers it.
        head_row: The row that names the columns.
        labels: For each column what a codebook calls it; nothing without one.
    """

    file: str
    source: FileSource
    heads: tuple[tuple[str, ...], ...]
    titles: tuple[str, ...]
    columns: tuple[FileColumn, ...]
    rows: npt.NDArray[np.int64]
    head_row: int = 1
    labels: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def named_columns(self) -> Iterator[tuple[str, FileColumn]]:
        """Each column with its name."""
        return zip(self.titles, self.columns, strict=True)

    @property
    def held(self) -> list[str]:
        """The names of the columns that hold something; nothing in place of the others."""
        return [title if holds(column) else "" for title, column in self.named_columns]

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """For each column its header cells and its label, without needless blanks."""
        return tuple(map(self.texts_of, range(len(self.titles))))

    def texts_of(self, at: int) -> tuple[str, ...]:
        """The same of one column."""
        label = self.labels[at] if self.labels else ""
        return (*(plain(head[at]) for head in self.heads), *((label,) if label else ()))

    def first(self, *names: str) -> str | None:
        """The first of some names that a column has."""
        return next((name for name in names if name in self.titles), None)

    def named(self, title: str) -> FileColumn:
        """The column of a name that no other has."""
        return self.columns[self.titles.index(title)]

    def values(self, title: str) -> list[str]:
        """The distinct values of a column, without needless blanks."""
        return self.named(title).distinct

    def __contains__(self, name: str) -> bool:
        return bool(self._places(name))

    def view(self) -> "RowView":
        """All of its records."""
        return RowView(self, np.arange(len(self), dtype=np.int64))

    def find(self, name: str, wanted_by: str) -> int:
        """The position of a column; the second of two columns of one name is `name#2`.

        Args:
            name: Its name.
            wanted_by: The key of the mapping that names it.

        Raises:
            CurateError: If there is no such column, or more than one.
        """
        found = self._places(name)
        where = f"{self.file}, row {self.head_row}"
        if not found:
            names = [title for title in self.titles if title]
            near = difflib.get_close_matches(plain(name), names, n=3, cutoff=0.5)
            key = "column-missing" if near else "column-unlike-all"
            raise refusal(key, where, wanted_by=wanted_by, name=name, names=near or names)
        if len(found) > 1:
            raise refusal("column-twice", where, wanted_by=wanted_by, count=len(found), name=name)
        return found[0]

    def _places(self, name: str) -> list[int]:
        wanted = plain(name)
        stem, mark, number = wanted.rpartition("#")
        found = [at for at, title in enumerate(self.titles) if title and title == wanted]
        if found or not (mark and number.isdecimal()):
            return found
        several = [at for at, title in enumerate(self.titles) if title == stem.rstrip()]
        return several[int(number) - 1 : int(number)] if number.strip("0") else []


@dataclass(frozen=True, slots=True)
class RowView:
    """Some records of a file.

    Attributes:
        frame: The file.
        records: Positions of the records.
        used: Positions of the columns that were asked for; views of one file share it.
    """

    frame: Frame
    records: Records
    used: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.records)

    def __contains__(self, name: str) -> bool:
        return name in self.frame

    def column(self, name: str, wanted_by: str) -> FileColumn:
        """A column of these records.

        Args:
            name: Its name.
            wanted_by: The key of the mapping that names it.

        Raises:
            CurateError: If there is no such column, or more than one.
        """
        at = self.frame.find(name, wanted_by)
        self.used.add(at)
        return self.of(self.frame.columns[at])

    def of(self, column: FileColumn) -> FileColumn:
        """A column of the file, of these records."""
        return column if len(self) == len(self.frame) else column.take(self.records)

    def read(
        self,
        name: str,
        column: FileColumn,
        meaning: Callable[[str], float | None],
        fault: str,
        **words: Any,
    ) -> npt.NDArray[np.float64]:
        """What the texts of a column mean, each distinct one read once.

        Args:
            name: Its name.
            column: The column, of these records.
            meaning: Gives the number that a text means; None where it means none.
            fault: The key of what is wrong then.
            words: What it tells beside the text.

        Raises:
            CurateError: If a text means nothing.
        """
        found = np.zeros(len(column.values))
        for code in column.used:
            value = meaning(column.texts[code])
            if value is None:
                text = column.texts[code]
                self.refuse(fault, column.codes == code, name, text=text, **words)
            found[code] = value
        return found[column.codes]

    def row(self, at: int) -> int:
        """The row of a record of these, as a spreadsheet numbers it."""
        return int(self.frame.rows[self.records[at]])

    def rows(self) -> Records:
        """The rows of all of them."""
        return self.frame.rows[self.records]

    def only(self, which: Flags | Records) -> "RowView":
        """The view of some of these records."""
        return RowView(self.frame, self.records[which], self.used)

    def refuse(self, key: str, at: int | Flags, column: str, /, **words: Any) -> NoReturn:
        """Refuse a cell, or the first of some, in the words of `findings.yaml`.

        Raises:
            CurateError: Always.
        """
        row = self.row(at if isinstance(at, int) else first_of(at))
        where = f"{self.frame.file}, row {row}, column {column}"
        raise refusal(key, where, **words)

    def refuse_suspects(self) -> None:
        """Refuse a cell of a column that was asked for, when no person entered what it holds.

        Raises:
            CurateError: If there is one among these records.
        """
        suspects = self.frame.source.suspects
        if not suspects:
            return
        rows = {row: at for at, row in enumerate(self.rows().tolist())}
        found = sorted(place for place in suspects if place[0] in rows and place[1] in self.used)
        if found:
            row, at = found[0]
            more = f", and {len(found) - 1} more such cells" if len(found) > 1 else ""
            name = self.frame.titles[at] or str(at + 1)
            self.refuse("cell-suspect", rows[row], name, what=suspects[row, at], more=more)


def has_one_of(column: FileColumn, allowed: Iterable[str]) -> Flags:
    """Say for each record whether it has one of the values; `*` is any that is not empty."""
    wanted = {plain(value) for value in allowed}
    says = [text in wanted or (ANY in wanted and bool(text)) for text in column.texts]
    return np.array(says, dtype=bool)[column.codes]


def filled(column: FileColumn) -> Flags:
    """Say for each record whether the cell holds anything."""
    return has_one_of(column, (ANY,))


def holds(column: FileColumn) -> bool:
    """Whether a column holds anything."""
    return any(value.strip() for value in column.values)


def first_of(flags: Flags) -> int:
    """The first record for which it is so; -1 where it is so for none."""
    return int(flags.argmax()) if flags.any() else -1
