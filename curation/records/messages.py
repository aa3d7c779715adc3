"""What users are told: errors that end a command, findings that do not, counts and progress.

Here are the words of counts, lists of names and rounded numbers, too, findings as a table, and what
a function did as facts by key.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import Enum, StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # this is loaded before any command, which is to start at once
    import pandas as pd


def plural(word: str, count: int) -> str:
    """A word in the number that a count asks for."""
    if count == 1 or word == "info":
        return word
    return re.sub(r"(?<=[^aeiou])y$", "ie", word) + "s"


def counted(count: int, one: str, several: str = "") -> str:
    """A count and what is counted, with a verb where one follows: `1 row is`, `2 rows are`.

    Args:
        count: The count.
        one: What one of them is called.
        several: What several are called; without it the plural of `one`, which is a word then.
    """
    return f"{count:,} {one if count == 1 else several or plural(one, count)}"


def shortened(names: Sequence[str], shown: int = 8) -> str:
    """A few names, and a note if there are more."""
    return ", ".join(names[:shown]) + (", ..." if len(names) > shown else "")


def and_more(count: int, what: str) -> str:
    """How many more there are than the one that is named: `, and 2 more errors`."""
    return f", and {counted(count - 1, what)}" if count > 1 else ""


UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, ends of lines, and marks that turn the direction of what follows."""
MARKS = re.compile("[\u061c\u200e\u200f]")
"""What keyboards of right-to-left scripts put beside a name."""


def composed(text: str) -> str:
    """A text whose letters are each one character where there is one (Unicode form NFC).

    File names and tables of some systems hold Hangul, Devanagari and accents in parts: they look
    the same, and are not equal. A text that has no such parts stays as it is, to the character:
    NFC itself takes some letters of Devanagari apart.
    """
    if text.isascii():
        return text
    found = unicodedata.normalize("NFC", text)
    return found if len(found) < len(text) else text


def given_name(text: str, where: str = "") -> str:
    """A name that somebody gave, of a person, a model or a work, with single spaces.

    The marks that keyboards of right-to-left scripts put beside a name are left out, and its
    letters are as tables are read: `composed`.

    Names are printed, compared, and written into tables and pages: what cannot be seen would
    colour, hide or reorder what stands beside them.

    Args:
        text: The name.
        where: Where it was given.

    Raises:
        CurateError: If it holds one of `UNSEEN`.
    """
    name = composed(MARKS.sub("", text)).strip()
    if unseen := UNSEEN.search(name):
        shown = UNSEEN.sub(lambda match: ascii(match[0])[1:-1], name)
        raise refusal("curation", "name-unseen", where, shown=shown, unseen=ascii(unseen[0])[1:-1])
    return " ".join(name.split())


def decider(by: str) -> str:
    """The name of the person who decides, as `given_name` gives it.

    Raises:
        CurateError: If it is empty, or no name.
    """
    return _filled(given_name(by, "--by"), "the name of the person who decides")


def given_reason(text: str) -> str:
    """A reason that somebody gave, with single spaces.

    Raises:
        CurateError: If it is empty.
    """
    return _filled(" ".join(text.split()), "the reason")


def _filled(text: str, what: str) -> str:
    if not text:
        raise CurateError(f"{what} is empty", hint="write it")
    return text


def printable(text: str) -> str:
    """A text in which what cannot be seen or printed is written out."""
    return "".join(
        it if it.isprintable() and not UNSEEN.match(it) else ascii(it)[1:-1] for it in text
    )


_DIGITS = re.compile(r"([0-9]+)")


def natural(names: Iterable[str]) -> list[str]:
    """Names in the order in which people look for them: `model-2` before `model-10`."""
    return sorted(names, key=_natural)


def _natural(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """Parts of a name, numbers by their size; small and large letters stand together."""
    parts = _DIGITS.split(name.casefold())
    found = [(1, int(part), "") if at % 2 else (0, 0, part) for at, part in enumerate(parts)]
    return found, name


def ended(text: str) -> str:
    """A text with its full stop, which dots at its end are already."""
    return text if text.endswith(".") else f"{text}."


_SIGNIFICANT = 6


def half_up(value: float, digits: int, *, times: int = 1) -> str:
    """Write a number with so many decimals.

    Args:
        value: The number, taken as it is written.
        digits: How many decimals.
        times: What it is multiplied by first: 100 for percent.
    """
    exact = Decimal(repr(float(value))) * times
    rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded if rounded else abs(rounded):f}"


def significant(value: float) -> float:
    """A number with the six digits that tables hold."""
    exact = Context(prec=_SIGNIFICANT, rounding=ROUND_HALF_UP)
    return float(exact.create_decimal(repr(float(value))))


class CurateError(Exception):
    """An error that a user has to correct: what is wrong, where, and what to do.

    Args:
        what: What is wrong, one line.
        where: File, row and column, or the option or subject; empty if there is no place.
        hint: What to do about it, one line.
        code: The kind of failure, for callers that need it; messages may change.
    """

    def __init__(self, what: str, where: str = "", hint: str = "", *, code: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint
        self.code = code

    def __str__(self) -> str:
        return "\n".join(line for line in (self.what, self.where, self.hint) if line)


class CellError(CurateError):
    """A cell that cannot be read, so that its row cannot either.

    Args:
        column: Its column.
        what: What is wrong, one line.
        hint: What to do about it, one line.
    """

    def __init__(self, column: str, what: str, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.column = column


_MOST_NAMES = 40


def refuse_unknown(what: str, given: str, known: Collection[str]) -> None:
    """Refuse a name that is not one of the known names.

    Args:
        what: What it names, as `format`.
        given: The name.
        known: Those that there are.

    Raises:
        CurateError: With the nearest name, and all of them where they can be read at a glance.
    """
    if given in known:
        return
    import difflib  # only for a mistake

    near = difflib.get_close_matches(str(given), known, n=1)
    hints = [f"did you mean '{near[0]}'?"] if near else []
    if len(known) <= _MOST_NAMES:
        hints.append(f"there are {', '.join(known)}")
    raise CurateError(f"there is no {what} '{given}'", hint=" ".join(hints))


def frame(records: Iterable[Any], of: type[Any], **dtypes: str) -> "pd.DataFrame":
    """A table with a row a record and a column a field.

    Args:
        records: Instances of a dataclass or of a named tuple.
        of: Their type, which names the columns where there is no record.
        dtypes: The type of columns that are not text, as pandas names it; `Int64` and `Float64`
            hold a gap where the field is None.

    Returns:
        The table. Other columns have the dtype `object`: texts, or tuples of texts.
    """
    import pandas as pd  # takes longer to load than most commands take to run

    names = list(getattr(of, "_fields", ())) or [field.name for field in fields(of)]
    rows = [[_plain(getattr(record, name)) for name in names] for record in records]
    return pd.DataFrame(rows, columns=names, dtype=object).astype(dtypes)


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


Table = tuple[Sequence[str], Sequence[Any]]
"""A table: its columns and rows, by name or records."""
_SCORES = {"scores": "rows"}
_MAY_LACK = frozenset({"rank", "respondents", "row", "runs"})
"""Columns of whole numbers that may be undefined."""


@dataclass(frozen=True, slots=True)
class Results(Mapping[str, Any]):
    """What a function did or found, each part by its key, as `--json` prints it, and as attribute.

    Attributes:
        values_by_key: What there is to know.
        columns: By key of the parts that are tables their columns; the first is the main one. The
            rows of `scores` are called `rows`.
        save: Where it is written on request, what writes it to a folder, with a manifest; of a
            workspace that is given too, it waits for other commands.
    """

    values_by_key: Mapping[str, Any]
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    save: Any = field(default=None, compare=False)

    def __getitem__(self, key: str) -> Any:  # whatever JSON has
        return self.values_by_key[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self.values_by_key:
            raise AttributeError(name)
        return self.values_by_key[name]

    def __dir__(self) -> list[str]:  # what a notebook completes
        return [*object.__dir__(self), *self.values_by_key]

    def __repr__(self) -> str:  # what a notebook shows: the parts may have thousands of rows
        return f"Results({', '.join(self)})"

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_key)

    def __len__(self) -> int:
        return len(self.values_by_key)

    @property
    def tables(self) -> dict[str, Table]:
        """By name the columns and rows of the parts that are tables."""
        keys = {name: _SCORES.get(name, name) for name in self.columns}
        return {name: (self.columns[name], self[key]) for name, key in keys.items()}

    @property
    def rows(self) -> Sequence[Any]:
        """The rows of the main table."""
        return self.tables[self._main()][1]

    def _main(self) -> str:
        for name in self.columns:
            return name
        raise AttributeError("it has no table")

    @property
    def told(self) -> dict[str, Any]:
        """What there is to know beside the tables."""
        rows = {_SCORES.get(name, name) for name in self.columns}
        return {key: it for key, it in self.values_by_key.items() if key not in rows}

    def to_frame(self, name: str | None = None) -> "pd.DataFrame":
        """A table, the main one where none is named; see `table_frame`."""
        return table_frame(*self.tables[name or self._main()])


def results(
    tables: Mapping[str, Table],
    findings: Sequence["Finding"] = (),
    told: Mapping[str, Any] | None = None,
) -> Results:
    """Tables, then what else there is to know, and what is to be said.

    Args:
        tables: By name the columns and rows.
        findings: What is to be said.
        told: What else there is to know.
    """
    rows = {_SCORES.get(name, name): rows for name, (_, rows) in tables.items()}
    columns = {name: columns for name, (columns, _) in tables.items()}
    return Results({**rows, **(told or {}), "findings": findings}, columns)


def table_frame(columns: Sequence[str], rows: Sequence[Any]) -> "pd.DataFrame":
    """Rows as a pandas table: texts object (`str` from pandas 3 on), numbers float64 or int64.

    Whole numbers that may be undefined are Int64, whether or not one is. Of a list there is how
    many it holds; the parts of a mapping, such as how often each label was given, are columns.
    """
    import pandas as pd

    known = [_flat(one) for one in rows]
    frame = pd.DataFrame(known, columns=list(columns))
    undefined = frame.columns[frame.isna().all()] if known else ()
    types = dict.fromkeys(undefined, "float64")
    return frame.astype(types | dict.fromkeys(_MAY_LACK.intersection(columns), "Int64"))


def _flat(row: Any) -> Any:
    """A row whose mappings are columns of it; one that is no mapping and no record as it is."""
    if is_dataclass(row) and not isinstance(row, type):
        row = asdict(row)
    if not isinstance(row, Mapping):
        return row
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            found |= value
        else:
            found[name] = len(value) if isinstance(value, list) else value
    return found


_SHOWN = 20
_MOST_HINTS = 2


class Severity(StrEnum):
    """How much a finding weighs: an error stops a release, a warning is to be looked at."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check: a rule, a place and a message.

    Attributes:
        rule: Stable id of the rule, for example `form-count`.
        severity: Weight of the finding.
        file: Path as shown to the user.
        row: Row number as in a spreadsheet, where the header is row 1; None for the whole file.
        column: Column name, or empty.
        message: What is wrong.
        hint: What to do.
    """

    rule: str
    severity: Severity
    file: str
    row: int | None
    column: str
    message: str
    hint: str = ""

    @property
    def where(self) -> str:
        """The place in words, with file, row and column as far as they are known."""
        parts = [self.file] if self.file else []
        if self.row is not None:
            parts.append(f"row {self.row}")
        if self.column:
            parts.append(f"column {self.column}")
        return ", ".join(parts)


FINDINGS = {"findings": tuple(item.name for item in fields(Finding))}
"""The table of findings, for results whose table it is."""


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether any of the findings is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


class _Count(int):
    """A count in a text: `{count:task}` is `1 task` or `2 tasks`, `{count:is/are}` the verb too."""

    def __format__(self, spec: str) -> str:
        return counted(int(self), *spec.split("/")) if spec else f"{int(self):,}"


_NAMED = 5


class _Names(tuple[object, ...]):
    """Names in a text: all of them, for somebody looks one up there; `{names:'}` quotes each.

    Of `{names:~}` a few are told, and how many more there are: where any of them is an example.
    """

    def __format__(self, spec: str) -> str:
        quote, few = spec.removeprefix("~"), spec.startswith("~") and len(self) > _NAMED
        more = f" and {len(self) - _NAMED:,} more" if few else ""
        named = self[:_NAMED] if few else self
        return ", ".join(f"{quote}{name}{quote}" for name in named) + more


def _worded(word: object) -> object:
    if type(word) in (list, tuple):  # a named tuple says itself what it is called
        return _Names(word)  # type: ignore[arg-type]
    return _Count(word) if isinstance(word, int) else word


def filled_in(text: str, words: Mapping[str, object]) -> str:
    """A text with words for what stands in braces, as `findings.yaml` has it."""
    return text.format(**{key: _worded(word) for key, word in words.items()})


def own_yaml(text: str) -> Any:
    """Read a file of the toolkit's own, by libyaml where it is there: ten times as fast."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)  # noqa: S506  # safe


@cache
def _texts(package: str) -> dict[str, dict[str, Any]]:
    from importlib.resources import files

    found = own_yaml((files(package) / "findings.yaml").read_text(encoding="utf-8"))
    return found  # type: ignore[no-any-return]


def finding(
    package: str | None,
    key: str,
    /,
    file: str,
    *,
    way: str = "",
    severity: str | None = None,
    **words: object,
) -> Finding:
    """A finding on a whole file in the words of `findings.yaml`, which lies in a package.

    There stand by key `what` is wrong, in several ways where there are some, and the `hint`, if
    any; the `severity`, where it is no error; the `rule`, where it is not the key; the `column`.

    Args:
        package: The package.
        key: The rule, or the key of another text of it.
        file: Path as shown to the user.
        way: Which of several ways.
        severity: In place of the one that is listed.
        words: What stands in braces.
    """
    known = _texts(package or "")[key]
    what = known["what"][way] if way else known["what"]
    weight = Severity(severity or known.get("severity", Severity.ERROR))
    message, hint = (filled_in(text, words) for text in (what, known.get("hint", "")))
    return Finding(
        known.get("rule", key), weight, file, None, known.get("column", ""), message, hint
    )


def refusal(
    package: str | None, key: str, where: str | Path = "", /, **words: object
) -> CurateError:
    """An error in the words of `findings.yaml`, as `finding` reads them; a path gives `name`.

    Of the words `code` is the kind of failure.
    """
    code = str(words.pop("code", ""))
    if isinstance(where, Path):
        words["name"] = where.name
    told = finding(package, key, str(where), **words)  # type: ignore[arg-type]
    return CurateError(told.message, told.file, told.hint, code=code)


def cell_refusal(package: str | None, key: str, column: str, /, **words: object) -> CellError:
    """A cell that cannot be read, in the words of `findings.yaml`, as `finding` reads them."""
    told = finding(package, key, "", **words)  # type: ignore[arg-type]
    return CellError(column, told.message, told.hint)


def warning(
    rule: str, file: str, message: str, hint: str, column: str = "", row: int | None = None
) -> Finding:
    """A warning about a file, or a row of it."""
    return Finding(rule, Severity.WARNING, file, row, column, message, hint)


def listed(
    rule: str, file: str, names: Sequence[str], what: str, hint: str, column: str = ""
) -> list[Finding]:
    """A warning that tells how many there are of something, and some of them; none of nothing."""
    if not names:
        return []
    return [warning(rule, file, f"{len(names)} {what}: {shortened(names, 5)}", hint, column)]


class Refusal(CurateError):
    """Data that was refused because of errors in it; nothing was collected.

    Args:
        findings: The findings, including the errors.
        marked: Copies of the workbooks that show what is wrong.
    """

    def __init__(self, findings: Sequence[Finding], marked: Sequence[Path] = ()) -> None:
        errors = [item for item in findings if item.severity is Severity.ERROR]
        count = f"{len(errors)} {plural('error', len(errors))}"
        super().__init__(f"Not collected: {count}.", errors[0].where, errors[0].message)
        self.findings = tuple(findings)
        self.marked = tuple(marked)


def refuse_findings(findings: Sequence[Finding], what: str, more: str, also: str = "") -> None:
    """Refuse what findings say, in one error; nothing where there are none.

    Args:
        findings: The findings.
        what: What there are several of, as `templates cannot be filled`.
        more: What lists all of them, as `'curate check' lists them`.
        also: Another thing to do, where there are several.

    Raises:
        CurateError: Naming all of them, or as many as can be looked through.
    """
    if not findings:
        return
    if len(findings) == 1:
        raise CurateError(findings[0].message, findings[0].where, findings[0].hint)
    shown = [f"    {item.message} ({item.where})" for item in findings[:_SHOWN]]
    if len(findings) > _SHOWN:
        shown.append(f"    ... and {len(findings) - _SHOWN} more: {more}")
    hints = list(dict.fromkeys(item.hint for item in findings if item.hint))
    known = "; ".join(hints) if 0 < len(hints) <= _MOST_HINTS else more
    raise CurateError("\n".join((f"{len(findings)} {what}:", *shown)), "", f"{known}{also}")


Progress = Callable[[str, int, int], None]
"""Told what is worked on, how many are done, and how many there are."""
_Item = TypeVar("_Item")


def silent(_what: str, _done: int, _total: int, /) -> None:
    """Tell nobody."""


def watched(items: Sequence[_Item], what: str, progress: Progress) -> Generator[_Item]:
    """Yield items, and tell before each how many are done; at the end, or where it ends early, all.

    Args:
        items: What is worked on, one after another.
        what: What they are called.
        progress: Who is told.
    """
    total = len(items)
    try:
        for done, item in enumerate(items):
            progress(what, done, total)
            yield item
    finally:
        progress(what, total, total)
