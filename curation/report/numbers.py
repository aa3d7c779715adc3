"""The numbers of a text, each beside the row of an export's tables that holds it.

A number is held where a cell has its value at the digits with which the text writes it: 0.43 is
held by 0.4349, and 43 % too, as is 43.5 beside another number in per cent. A whole number is held
by the same whole number alone, and what is below a bound (p < .001) by a p-value below it. So a
number that is held may still be of another row: where it was found is said. A number that is in no
table was typed wrong, rounded wrong, or comes from elsewhere.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from unicodedata import decimal, normalize

from curation.files.jsonl import read_json, table_cells
from curation.files.manifest import MANIFEST
from curation.files.tables import read_text
from curation.records.messages import CurateError

ENDINGS = (".tex", ".md", ".txt")
"""Texts that are read."""
_BINARY = 1e-9
"""What a number in binary may be off its digits, as a part of it."""
_NAMES = re.compile(r"(^|_)(id|row|seed|number|index|hash)$")
"""Columns of which the numbers are names."""
_CHANCE = re.compile(r"(^|_)[pq](_|$)")
"""Columns of p-values."""
_SCORES = ("metric", "measure")
"""Columns that say of which score a row is."""
_SINGLE = frozenset(("template_id", "question_id", "subject", "respondent_id", "item", "template"))
"""Columns, and groups of scores, of which a row is about one template, question or answer."""
_DATA = ("data", "samples", "test", "templates", "workspace/templates_src", "lm_eval", "inspect")
"""Folders of an export that hold texts, of which no paper states a cell."""
_TEXTS = ("README.md", "report.md")
"""Texts of an export whose own numbers count as those of a table."""

_MARKS = {
    **dict.fromkeys(map(ord, "\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069")),
    **dict.fromkeys(map(ord, "\u066a\uff05"), "%"),
    **dict.fromkeys(map(ord, "\u2212\uff0d"), "-"),
    **dict.fromkeys(map(ord, "\u066b\uff0e"), "."),
    ord("\u066c"): ",",
    ord("\uff1c"): "<",
}
"""Marks of numbers in other scripts, and of the direction of writing, in those of English."""
_LETTER = r"A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\u052f"
"""What a number may not touch, as in GPT4; scripts that have no spaces put letters beside any."""
_SEPARATORS = "\u2009\u202f\u00a0"
_PERCENT = (
    r"%p\b|%|per ?cent\b|percentage points?\b|pp\b|p\.p\.|prozent\w*|por ?(?:ciento|cento)\b|"
    r"pour ?cent\b|procent\w*|pct\b|\ud37c\uc13c\ud2b8|\u30d1\u30fc\u30bb\u30f3\u30c8"
)
_MAYBE = "\x1f"
"""Stands after a number that may be in per cent; as a space, it is not shown."""
_NUMBER = re.compile(
    rf"(?P<below>[<\u2264]\s?)?(?<![\d{_LETTER}.^])(?<![\d{_LETTER}]-)(?P<sign>[-+])?"
    rf"(?P<digits>\d+(?:[.,'\u2019{_SEPARATORS}]\d+)*|(?<!\d)\.\d+)(?:/(?P<under>\d+))?"
    rf"(?P<power>e[-+]?\d+)?(?P<percent>\s?(?:{_PERCENT}|{_MAYBE}))?(?![\d{_LETTER}/])",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"(?:\b(?:tables?|figs?\.?|figures?|sections?|secs?\.?|appendix|equations?|eqs?\.?|chapters?|"
    r"pages?|pp?\.|steps?|footnotes?|version|tab(?:la|ela|elle|ella|leau)|figura|abb\w*\.?|"
    r"secci\xf3n|se\xe7\xe3o|abschnitt)|\xa7|#|\ud45c|\uadf8\ub9bc|[\u8868\u56f3\u56fe\u5716])\s*[\d.]+"
    r"(?:\s*(?:,|and|to|-|y|e|und|et)\s*[\d.]+)*",
    re.IGNORECASE,
)
_CITED = re.compile(
    r"\bet al\.?,? *\(?(?:19|20)\d\d\b|"
    r"[A-Z\xc0-\xde][\w-]+(?: \((?:19|20)\d\d\)|,? (?:19|20)\d\d(?=[;,)]))"
)
_INTERVAL = (
    r"(?:(?:confidence|credib\w+|bootstrap\w*|wilson)[ -]*)*(?:intervals?|limits|CIs?|KI|IC)\b|"
    r"konfidenzintervall\w*|\uc2e0\ub8b0|\u4fe1\u983c|\u7f6e\u4fe1"
)
_LEVEL = re.compile(
    rf"\b9[059](?:[.,]\d)?[\s-]?(?:{_PERCENT})(?=[\s-]*(?:{_INTERVAL}))|"
    r"(?:\b(?:CI|KI|IC)|intervalos? de confian[z\xe7]a|intervalle de confiance)"
    rf"(?: (?:de|del|\xe0|a|al))?\s?9[059]\s?(?:{_PERCENT})",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?<=[\d%])(?:--|\N{EN DASH}|-|[~\uff5e\u301c]| to )(?=[\d.]+(\s?%)?)")
_PAIR = re.compile(r"(?:(\.\d+),|([.,]\d+)/)(?=[-+]?\d*[.,]\d)")
"""Two decimal numbers with nothing but a mark between them."""
_BEFORE = re.compile(r"(?<![\d\s%])(\s*)%\s?(\d[\d.,]*)(?![\d.,]*\s?%)")
"""A percent mark that stands before its number, as in Turkish and Basque."""
_SPACED = re.compile(r"(?<![\d.,])(?<!\d )\d{1,3}(?: \d{3})+(?![.]?\d| \d)")
"""Thousands parted by spaces; of a row of more numbers none are."""
_SENTENCE = re.compile(r"(?:[^.!?\n\u3002\u0964]|[.!?](?!\s)|\n(?!\s*\n))+")
_DECIMAL = re.compile(rf"\d[.,]\d\d?(?![\d.,]*\d|e[-+]?\d|\s?(?:{_PERCENT}))", re.IGNORECASE)
_UNIT = re.compile(r"(\d\.\d+)(k|x|\xd7)(?!\w)")
"""A decimal number of thousands, or of times."""
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d(?:T[\d:]+Z)?\b|(?:https?:/|data:\w+)/\S+|\b10\.\d{4,}/\S+")
_OUTSIDE = (_DATE, _LEVEL, _CITED, _LABELS)
"""What has digits and is no number: dates, addresses, levels of intervals, years, labels."""
_SILENT = {
    ".md": re.compile(r"`[^`]*`|\]\([^)]*\)|^\s*(?:\d+\.|#+\s*[\d.]+)\s", re.MULTILINE),
    ".tex": re.compile(
        r"\\(?:[a-z]*cite[a-z]*|[a-z]*ref|label|includegraphics|input|include|url|usepackage|begin|end|"
        r"bibliography|bibliographystyle|[vh]space|setlength|c?line|cmidrule|rule|documentclass)\b"
        r"\*?(?:\s*\([^)]*\)|\s*\[[^\]]*\]|\s*\{[^{}]*\})*|\\multi(?:column|row)\s*(?:\{[^{}]*\}){2}|"
        r"\\href\s*\{[^{}]*\}|-?[\d.]+(?:\\[a-z]*(?:width|height|sep)|(?:pt|em|ex|cm|mm|in)\b)",
        re.IGNORECASE,
    ),
}
"""What has digits and is no text, by the ending of a file."""
_UNNAMED = re.compile(
    r"^(?!\\(?:(?:(?:re)?new|provide)command\*?|def)\{?\\[a-zA-Z]+\}?\{[^a-zA-Z#]*\d).+",
    re.MULTILINE,
)
_REFERENCES = re.compile(
    r"\\begin\{thebibliography\}|\\end\{document\}|"
    r"^(?:#+ *|\\section\*?\{)(?:references|bibliography)(?: *$|\})",
    re.IGNORECASE | re.MULTILINE,
)
_RAISED = re.compile("(?<=10)\u207b[\u2070\xb9\xb2\xb3\u2074-\u2079]+")
_POWERS = (
    (re.compile(r"\s*(?:\\(?:times|cdot)|[\xd7\xb7])\s*10\^\{?([-\u2212]?\d+)\}?"), r"e\1"),
    (re.compile(r"(?<!\d)10\^\{?([-\u2212]?\d+)\}?"), r"1e\1"),
)
_TEX = (
    (re.compile(r"(?<!\\)%.*"), ""),
    (re.compile(r"(?<=\d)(?:\\,|\{,\}|~)(?=\d)"), ","),
    (re.compile(r"\\textminus(?:\{\})?|\$-\$|\{-\}"), "-"),
    (re.compile(r"\\(?:leq?|lt)\b"), "<"),
    (re.compile(r"(?:\}\s*\{)?\\(?:%|percent\b)"), "%"),
    (re.compile(r"(?<![\d}])[_^]\{[^{}]*\}|[_^]\{[^{}.]*\}"), " "),
    (re.compile(r"[_^]?[{]|[$}~&]|\\[a-zA-Z]+|\\."), " "),
)


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number that a text states.

    Attributes:
        line: Where, from 1.
        written: As it is written.
        held: Which cell of a table holds it; empty where none does.
        near: Which cell holds it with the other sign or another last digit, where none holds it.
        single: Whether only rows of single templates, questions or answers hold it. There are so
            many of them that a wrong number may be among them.
    """

    line: int
    written: str
    held: str
    near: str = ""
    single: bool = False


class _Cells:
    """The numbers of tables by value, and where each stands."""

    def __init__(self, found: Sequence[tuple[float, str, str]]) -> None:
        ranked = sorted((it[0], at) for at, it in enumerate(found))
        self._values = [value for value, _ in ranked]
        self._ranked = [(at, *found[at][1:]) for _, at in ranked]
        self._last = 0

    def within(self, low: float, high: float, item: "_Number") -> str:
        """Where a value of an interval with both ends stands, from what was found last on.

        A text reads its tables row by row, so that equal numbers of other tables are left; empty
        where no value does, or none that the number may be of.
        """
        first, last = bisect_left(self._values, low), bisect_right(self._values, high)
        there = [it for it in self._ranked[first:last] if item.may_be(*it[1:])]
        if not there:
            return ""
        if item.tables is not None and len(there) > 1:
            return f"one of {len(there)} cells"
        found = min((it[0] < self._last, *it) for it in there)
        self._last = found[1]
        return found[2]


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as a text writes it, and what it can mean: values, each with its last digit.

    `score` is the one that its sentence names last before it; empty for none. `tables` are those
    that it may be of where it is of no such score, and then one cell alone; None for all.
    """

    line: int
    written: str
    readings: tuple[tuple[float, float], ...]
    below: bool
    score: str
    tables: Collection[str] | None = None

    def may_be(self, place: str, score: str) -> bool:
        """Whether it may be of a place, which is of a score or of none."""
        if self.tables is not None:
            column = place.rpartition(", ")[2]
            return place.partition(", ")[0] in self.tables or column == score == self.score
        return not self.score or score in ("", self.score)


def stated(
    paper: Path,
    folder: Path,
    scores: Mapping[str, str] = MappingProxyType({}),
    tables: Sequence[Collection[str]] = (),
) -> tuple[StatedNumber, ...]:
    """Find each number of a text in the tables of a folder.

    Args:
        paper: A text: LaTeX, Markdown or plain.
        folder: An exported folder: its CSV tables, its manifest and its report are looked through.
        scores: By how a sentence may name a score its column: such numbers are of no other score.
        tables: By line the tables that its other numbers are of; none for all tables.

    Raises:
        CurateError: If a file cannot be read, or the text is of another kind.
    """
    if paper.suffix.lower() not in ENDINGS:
        hint = f"give the text that a person writes: a file that ends in {', '.join(ENDINGS)}"
        raise CurateError("numbers are found in LaTeX, Markdown and plain text", str(paper), hint)
    cells = _cells(folder, {*scores.values()})
    return tuple(_found(item, *cells) for item in _numbers(_prose(paper), scores, tables))


# --- the text


def _prose(path: Path) -> list[str]:
    """The lines of a text without what has digits and is no number, such as years and labels."""
    text = _RAISED.sub(lambda found: "^" + normalize("NFKC", found[0]), _body(read_text(path)))
    ending = path.suffix.lower()
    if ending in _SILENT:
        text = _blanked(_SILENT[ending], text)
    for pattern, instead in (*_POWERS, *(_TEX if ending == ".tex" else ())):
        text = pattern.sub(instead, text)
    text = re.sub(r"\d", lambda found: str(decimal(found[0])), text.replace("\\%", "%"))
    text = _BEFORE.sub(r"\1 \2%", text.translate(_MARKS))
    text = _UNIT.sub(lambda found: found[1] + ("e3" if found[2] == "k" else " "), text)
    for pattern in _OUTSIDE:
        text = _blanked(pattern, text)
    text = _PAIR.sub(lambda found: f"{found[0][:-1]} {found[0][-1]} ", text)
    text = _SPACED.sub(lambda found: found[0].replace(" ", "\u202f"), text)
    text = _RANGE.sub(lambda found: f"{found[1] or ''} to ", text)
    return _SENTENCE.sub(_perhaps_in_percent, text).split("\n")


def _perhaps_in_percent(found: re.Match[str]) -> str:
    """A sentence or table with a mark after each decimal number, where one is in per cent.

    Intervals, enumerations and columns have one percent mark for all of their numbers.
    """
    is_marked = re.search(_PERCENT, found[0], re.IGNORECASE)
    return _DECIMAL.sub(rf"\g<0>{_MAYBE}", found[0]) if is_marked else found[0]


def _body(text: str) -> str:
    """What stands before the list of references; of a preamble in LaTeX the numbers with names."""
    start = max(text.find(r"\begin{document}"), 0)
    end = _REFERENCES.search(text, start)
    return _blanked(_UNNAMED, text[:start]) + text[start : end.start() if end else len(text)]


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """The text with blanks for all that a pattern finds; its lines stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _numbers(
    lines: Sequence[str],
    scores: Mapping[str, str] = MappingProxyType({}),
    tables: Sequence[Collection[str]] = (),
) -> Iterator[_Number]:
    for line, text in enumerate(lines, start=1):
        score, last = "", 0
        own = tables[line - 1] if tables else None
        for found in _NUMBER.finditer(text):
            _, end, since = text[last : found.start()].casefold().rpartition(". ")
            last = found.start()
            named = [(since.rfind(it) + len(it), it) for it in scores if it in since]
            if named or end:
                score = scores[max(named)[1]] if named else ""
            if readings := tuple(_readings(found)):
                below = found["below"] is not None
                yield _Number(line, found[0].strip(), readings, below, score, own)


def _readings(found: re.Match[str]) -> Iterator[tuple[float, float]]:
    """Yield what a number can mean: its value, and how far a value may be off that it rounds.

    Separators are those of thousands, or the last one is that of decimals, in any language.
    """
    sign = -1 if found["sign"] == "-" else 1
    power = float(f"1{found['power'] or 'e0'}")
    if found["under"]:
        share = _value(f"{found['digits']}/{found['under']}")
        if found["digits"].isdigit() and share is not None:
            yield sign * share, 0.0
        return
    for plain in _plain(found["digits"]):
        value, digits = sign * float(plain) * power, len(plain.partition(".")[2])
        # Any share rounds to 0 or 1, so that a whole number has to be one.
        half = 0.5 * 10**-digits * power if digits or found["power"] else 0.0
        if found["percent"]:
            yield value / 100, (half or 0.5) / 100
        yield value, half


def _plain(digits: str) -> Iterator[str]:
    """Yield the digits as Python writes them."""
    parts, marks = re.split(r"\D", digits), re.findall(r"\D", digits)
    if not marks or digits[0] == ".":
        yield digits
        return
    if marks[-1] in ".," and marks[-1] not in marks[:-1] and _in_thousands(parts[:-1]):
        yield f"{''.join(parts[:-1])}.{parts[-1]}"
    if len({*marks}) == 1 and _in_thousands(parts):
        yield "".join(parts)


def _in_thousands(parts: Sequence[str]) -> bool:
    first, *rest = parts
    sizes = {len(it) for it in rest[:-1]}  # of two digits they are lakhs and crores
    fits = sizes <= {3} or (sizes == {2} and len(first) < 3)
    return not rest or (1 <= len(first) <= 3 and first[0] != "0" and fits and len(rest[-1]) == 3)


# --- the tables


def _cells(folder: Path, scores: Collection[str]) -> tuple[_Cells, _Cells, _Cells, _Cells]:
    """The numbers of an export, those of its texts, those of single templates, and the p-values."""
    found, said, single, chances = (list[tuple[float, str, str]]() for _ in range(4))
    data = tuple(f"{part}/" for part in _DATA)
    tables = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.csv"))}
    for name, path in sorted(tables.items(), key=lambda pair: pair[1].stat().st_size):
        if name.startswith(data):
            continue
        rows = table_cells(path)
        _, columns = next(rows, (1, []))
        for number, cells in rows:
            row = dict(zip(columns, cells, strict=False))
            own = single if _SINGLE & {*row, row.get("group_by")} else found
            for column, cell in row.items():
                value = _value(cell)
                if value is None or not column or _NAMES.search(column):
                    continue
                of = [it for it in scores if column.startswith(it)]
                of += [row[it] for it in _SCORES if row.get(it) in scores]
                place = (value, f"{name}, row {number}, {column}", "".join(of[:1]))
                own.append(place)
                if _CHANCE.search(column):
                    chances.append(place)
    for path in (folder / MANIFEST, *sorted(folder.rglob("*_results.json"))):
        if path.is_file():
            found += _of_json(read_json(path), path.relative_to(folder).as_posix())
    for name in _TEXTS:
        if (folder / name).is_file():
            for item in _numbers(_prose(folder / name)):
                said += [(value, f"{name}, line {item.line}", "") for value, _ in item.readings]
    return _Cells(found), _Cells(said), _Cells(single), _Cells(chances)


def _value(cell: object) -> float | None:
    """A cell as a number; None where it is none, or says something else too."""
    text = str("" if cell is None else cell).replace(",", "").strip()
    whole = text.removesuffix("%").rstrip()
    with suppress(ValueError, ArithmeticError):
        value = float(Fraction(whole)) if "/" in whole else float(whole)
        if math.isfinite(value):  # the names Nan and Infinity are no numbers
            return value if whole == text else value / 100
    return None


def _of_json(value: object, place: str) -> Iterator[tuple[float, str, str]]:
    """Yield the numbers of a JSON value, each with its keys; hashes and sizes are none."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in ("inputs", "files", "sha256", "size", "seed"):
                yield from _of_json(inner, f"{place}, {name}")
    elif isinstance(value, list):
        for inner in value:
            yield from _of_json(inner, place)
    elif not isinstance(value, bool) and (number := _value(value)) is not None:
        yield number, place, ""


def _found(
    item: _Number, cells: _Cells, said: _Cells, single: _Cells, chances: _Cells
) -> StatedNumber:
    """Look a number up, in tables before texts, then what it may have been."""
    spans = [_around(value, half) for value, half in item.readings]
    if item.below:
        held, of_one = _first(chances, [(0, value) for value, _ in item.readings], item), ""
    else:
        held = _first(cells, spans, item) or _first(said, spans, item)
        of_one = _first(single, spans, item)
    if held or of_one:
        return StatedNumber(item.line, item.written, held or of_one, single=not held)
    other = [(-high, -low) for low, high in spans]
    # Two more of its last digit: rounded the wrong way, or of another digit.
    wider = [_around(value, 3 * half) for value, half in item.readings if half]
    return StatedNumber(item.line, item.written, "", _first(cells, [*other, *wider], item))


def _around(value: float, half: float) -> tuple[float, float]:
    off = half + _BINARY * max(half, abs(value))
    return value - off, value + off


def _first(cells: _Cells, spans: Sequence[tuple[float, float]], item: _Number) -> str:
    return next(filter(None, (cells.within(*span, item) for span in spans)), "")
