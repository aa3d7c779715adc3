"""A report as Markdown, and as one self-contained page: no network, no font or image of others.

The page carries a content security policy that admits its own style and script alone, by
their hashes, so that not even a fault in escaping would let a text of others run.
"""

import io
import json
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from curation.files.atomic import write_file
from curation.files.tables import escape_formula, write_rows
from curation.records.messages import own_yaml
from curation.report.figures import ENDS, Picture
from curation.report.texts import (
    DASH,
    base_style,
    between,
    content_policy,
    decimal,
    environment,
    filled,
    needed_digits,
    percent,
    plain,
    probability,
    resource,
    whole,
)

if TYPE_CHECKING:
    from jinja2 import Template

DIGITS = 3
"""Decimals of a score."""
FEW, MOST = 24, 400
"""Rows of a table that is not folded away, and of one that is on the page at all."""
Value = str | int | float | None


class Field(NamedTuple):
    """A column and its values.

    Attributes:
        title: Its title.
        shown: How its values are shown: `text`, `choice` (a text by which rows can be chosen), or
            one of the ways to show numbers.
        key: Of the values in the rows.
        under: What stands over it and its neighbours, such as the type of context.
    """

    title: str
    shown: str = "text"
    key: Hashable = None
    under: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it holds texts; else it holds numbers."""
        return self.shown in ("text", "choice")

    @property
    def whole_title(self) -> str:
        """The title where nothing can stand over it."""
        if not self.under:
            return self.title
        is_short = self.title[1:2].isupper()  # SD, ST: no word
        title = self.title if is_short else f"{self.title[:1].lower()}{self.title[1:]}"
        return f"{self.under}: {title}"


class Bar(NamedTuple):
    """A share as it is drawn in a cell; all places are in percent of the bar's width.

    Attributes:
        kind: What it is a share of, which gives its colour: `target`, `none` or `part`.
        fill: Where the bar ends.
        ends: The ends of its interval; empty without one.
        marks: Where thresholds are.
    """

    kind: str
    fill: float
    ends: tuple[float, ...] = ()
    marks: tuple[float, ...] = ()


def bar(kind: str, value: float | None, *, reach: float = 1.0, **lines: Iterable[Any]) -> Bar:
    """Draw a share.

    Args:
        kind: See `Bar`.
        value: The share.
        reach: What the whole width of the bar is.
        lines: `ends` and `marks`, as shares; those that are None are left out.
    """
    at = {
        name: tuple(_place(float(it), reach) for it in values if it is not None)
        for name, values in lines.items()
    }
    return Bar(kind, _place(value or 0.0, reach), **at)


def _place(value: float, reach: float) -> float:
    return round(100 * min(max(value / reach, 0.0), 1.0), 1)


@dataclass(frozen=True, slots=True)
class Cell:
    """The value of a cell.

    Attributes:
        text: What is read.
        below: What stands below it in small letters: an interval.
        key: What the column is sorted by; None where there is nothing.
        link: Address that it leads to; empty for none.
        bar: Drawn before the text.
        mark: Gives its colour: `kept`, `dropped`, `undecided` or `near`.
        local: Whether it is in the language of the report's subject.
        sign: Stands after the text, and is no part of its value.
        is_best: Whether it is the best of its column.
    """

    text: str
    below: str = ""
    key: Value = None
    link: str = ""
    bar: Bar | None = None
    mark: str = ""
    local: bool = False
    sign: str = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A table as it is shown.

    Attributes:
        name: In small letters, different for each table of a page.
        title: What it shows.
        columns: Its columns.
        rows: Its rows, with a cell for each column; the first one names the row.
        below: What stands below the values of cells.
        note: What else must be known to read it.
        is_long: Whether it is a list of many lines, in which a reader looks for one.
        has_ends: Whether its order means something, so that of many rows both ends are shown first.
        quiet: Places of rows that are not shown first, and not printed.
        strong: Places of rows that stand out, such as a total.
    """

    name: str
    title: str
    columns: tuple[Field, ...]
    rows: tuple[tuple[Cell, ...], ...]
    below: str = ""
    note: str = ""
    is_long: bool = False
    has_ends: bool = False
    quiet: frozenset[int] = frozenset()
    strong: frozenset[int] = frozenset()

    @property
    def cut(self) -> str:
        """What is said of it where only both ends, or what is not quiet, are shown first."""
        every = len(self.rows)
        if self.has_ends and every > 2 * ENDS:
            return f"The first and last {ENDS} of {every} rows are shown."
        return f"{every - len(self.quiet)} of {every} rows are shown." if self.quiet else ""

    @property
    def spans(self) -> list[tuple[str, int]]:
        """What stands over columns, and over how many; nothing where nothing does."""
        found = [(title, len(list(part))) for title, part in groupby(c.under for c in self.columns)]
        return found if any(title for title, _ in found) else []


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a section.

    Attributes:
        paragraphs: What is said before table and picture.
        picture: The name of a picture; empty for none.
        view: A table.
        folded: What the table is called where it is folded away; empty for what is open.
        is_open: Whether only a phone folds it away.
        title: A heading; empty for none.
        name: Its id on the page; empty for none.
        items: A list, below the paragraphs.
        facts: What is stated by name.
        links: Addresses with the words that lead to them, in a line.
    """

    paragraphs: tuple[str, ...] = ()
    picture: str = ""
    view: View | None = None
    folded: str = ""
    is_open: bool = False
    title: str = ""
    name: str = ""
    items: tuple[str, ...] = ()
    facts: Mapping[str, str] | None = None
    links: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the report.

    Attributes:
        name: In small letters, different for each section.
        title: Its heading.
        blocks: What it holds.
        folded: What it is called where it is folded away on a screen; empty for what is open.
    """

    name: str
    title: str
    blocks: tuple[Block, ...]
    folded: str = ""


def named(value: Value) -> Cell:
    """Show a name."""
    text = "" if value is None else str(value)
    return Cell(text or DASH, key=text)


def _float(value: Value) -> float | None:
    return None if value is None else float(value)


def number(value: Value, digits: int = DIGITS) -> Cell:
    """Show a number with decimals."""
    return Cell(decimal(_float(value), digits), key=_float(value))


def size(value: Value) -> Cell:
    """Show a whole number."""
    return Cell(DASH) if value is None else Cell(whole(int(value)), key=int(value))


def share(value: Value, below: str = "", **more: Any) -> Cell:
    """Show a share in percent."""
    return Cell(percent(_float(value)), below, _float(value), **more)


def chance(value: Value) -> Cell:
    """Show a p-value."""
    return Cell(probability(_float(value)), key=_float(value))


def score(row: Mapping[Any, Any], key: str) -> Cell:
    """Show a score with its interval, where it has one, and its sign."""
    cell = _with_ends(row, row[key], row.get(f"{key}_low"), row.get(f"{key}_high"))
    return replace(cell, sign=row.get(f"{key}_sign", ""), is_best=row.get(f"{key}_best", False))


def difference(row: Mapping[Any, Any], key: str) -> Cell:
    """Show a difference with its interval."""
    return _with_ends(row, row[key], row["low"], row["high"])


def _with_ends(row: Mapping[Any, Any], value: Value, low: Value, high: Value) -> Cell:
    there = number(value)
    if there.key is None or low is None or high is None:
        return there
    digits = max(DIGITS, needed_digits(float(low), float(high)))
    ends = between(float(low), float(high), digits)
    text = number(value, digits).text
    return Cell(text, f"{ends}*" if row.get("interval_note") else ends, there.key)


_SHOWN: dict[str, Callable[[Any], Cell]] = {
    "text": named,
    "choice": named,
    "number": number,
    "size": size,
    "share": share,
    "chance": chance,
}
_WITH_INTERVAL = {"score": score, "difference": difference}


def _cell(row: Mapping[Any, Any], shown: str, key: Hashable) -> Cell:
    if shown in _WITH_INTERVAL:
        return _WITH_INTERVAL[shown](row, str(key))
    value = row[key]
    if isinstance(value, Cell):
        return value
    if key in ("category", "group") and value is not None:
        value = str(value).replace("_", " ")  # so that a long one has places to break at
    return _SHOWN[shown](value)


class ReportTexts:
    """What a report says: a YAML file beside its code, whose texts are templates of Jinja.

    Attributes:
        known: All that the file holds. `sections` has their titles, `said` the paragraphs, and
            `tables` what tables are called, and their columns: a title, how values are shown,
            their key, and what stands over the title.
    """

    def __init__(self, package: str, file: str, **always: object) -> None:
        """Read the file.

        Args:
            package: The package that it lies in.
            file: Its name.
            always: What is filled in everywhere.
        """
        self.known: dict[str, Any] = own_yaml(resource(package, file))
        self._always = always

    def fill(self, text: str, **values: object) -> str:
        """Fill a text in; it is empty where there is nothing to say."""
        return _template(text).render(self._always, **values)

    def said(self, name: str, **values: object) -> tuple[str, ...]:
        """What is said in a section, as the paragraphs of a block."""
        text = self.fill(self.known["said"][name], **values)
        return (text,) if text else ()

    def section(self, name: str, *blocks: Block, folded: str = "") -> Section:
        """Put a section together, with its title."""
        return Section(name, self.known["sections"][name], blocks, folded)

    def view(
        self,
        table: str,
        rows: Iterable[Mapping[Any, Any]],
        more: Iterable[Field] = (),
        **values: object,
    ) -> View:
        """Set a table out as the file describes it.

        Args:
            table: Which table.
            rows: By key of a column its value, or the cell where it is shown in another way.
                `quiet` rows are not printed, and `strong` ones stand out.
            more: Columns beside those of the file.
            values: What is filled in.
        """
        told = {"below": "", "note": "", "name": table, "first": [], **self.known["tables"][table]}
        columns = told["first"] + told["columns"]
        fields = [Field(self.fill(title, **values), *rest) for title, *rest in columns]
        fields += more
        every = list(rows)
        return View(
            columns=tuple(fields),
            rows=tuple(tuple(_cell(row, item.shown, item.key) for item in fields) for row in every),
            is_long=told.get("long", False),
            has_ends=told.get("ends", False),
            quiet=frozenset(at for at, row in enumerate(every) if row.get("quiet")),
            strong=frozenset(at for at, row in enumerate(every) if row.get("strong")),
            **{it: self.fill(told[it], **values) for it in ("name", "title", "below", "note")},
        )


@cache
def _template(text: str) -> "Template":
    return environment(__package__).from_string(text)


@dataclass(frozen=True, slots=True)
class Page:
    """A report as it is shown.

    Attributes:
        kind: What it is, such as `Survey report`.
        title: What it is of.
        version: The version of that; empty where it is not known.
        language: The language of names and texts in it; empty where it is not known.
        tool_version: Version of the toolkit.
        answer: What came out, in a few sentences, the most important first.
        sections: The sections.
        notes: What a reader must know first.
        sheet: Whether it is a sheet of details that another page leads to.
    """

    kind: str
    title: str
    version: str
    language: str
    tool_version: str
    answer: tuple[str, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    sheet: bool = False

    @property
    def views(self) -> list[View]:
        """Its tables."""
        return [it.view for section in self.sections for it in section.blocks if it.view]


def html(page: Page, drawn: Sequence[Picture] = ()) -> str:
    """Set a report out as HTML.

    Args:
        page: The report.
        drawn: Its pictures.
    """
    style, script = base_style(), resource(__package__, "page.js")
    template = environment(__package__).get_template("page.html.j2")
    text = template.render(
        page=page,
        drawn_for=lambda name: _drawn_for(drawn, name),
        breakable=_breakable,
        files=lambda rows: _files(page, rows),
        style=Markup(style),  # noqa: S704  # ours, from the package
        script=Markup(script),  # noqa: S704  # ours, from the package
        policy=content_policy(style, script),
    )
    return f"{text.rstrip()}\n"


def markdown(page: Page, drawn: Sequence[Picture] = (), form: str = "md") -> str:
    """Set a report out as Markdown, or for LaTeX; pictures are named in the folder `pictures`.

    Args:
        page: The report.
        drawn: Its pictures.
        form: `md`; or `tex`: without a preamble, and with pictures that are PDF files.
    """
    return filled(
        __package__,
        f"page.{form}.j2",
        page=page,
        drawn_for=lambda name: _drawn_for(drawn, name),
        plain=plain if form == "md" else _in_latex,
        rows_of=lambda view: "".join(_WRITTEN[form](view)),
    )


def _drawn_for(drawn: Sequence[Picture], name: str) -> list[Picture]:
    """The pictures of a name, of which there are several where one would be too tall."""
    return [item for item in drawn if name and re.fullmatch(f"{name}(_[0-9]+)?", item.name)]


def _breakable(name: str) -> Markup:
    """Let a name of more than 24 letters go on in another line after _ and /, or else anywhere."""
    if all(len(word) <= 24 for word in name.split()):
        return escape(name)
    return Markup("<wbr>").join(map(escape, _BREAKS.findall(name)))


_BREAKS = re.compile(r"\S{0,23}?[_/]|\S{16}(?=\S)|\S+\s*|\s+")


def _lines(view: View, written: Callable[[str], str], best: str) -> list[list[str]]:
    """The titles of a table and its rows, with what stands below a value in parentheses."""

    def said(it: Cell) -> str:
        text = written(it.text)
        below = f" ({it.below})" if it.below else ""
        return f"{best % text if it.is_best else text}{written(it.sign + below)}"

    titles = [written(column.whole_title) for column in view.columns]
    return [titles, *(list(map(said, row)) for row in view.rows)]


SHOWN = "shown"
"""The folder of these tables."""
_LATEX = str.maketrans(
    {
        **{one: f"\\{one}" for one in "&%$#_{}"},
        **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
        "\u2020": r"$^{\dagger}$",
        **{"\u2212": "$-$", DASH: "--", "\u00d7": r"$\times$", "\u00a0": "~", "\u202f": "~"},
        **{"\u2264": r"$\leq$", "\u2265": r"$\geq$"},
    }
)
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3})")


def save_shown(
    page: Page, drawn: Sequence[Picture], formats: Iterable[str], folder: Path
) -> list[Path]:
    """Write each table as it is shown, and each picture, for a paper; gives the files.

    Args:
        page: The report.
        drawn: Its pictures.
        formats: Of `SHOWN_FORMATS`; `pdf` and `png` are of pictures, the others are of tables.
        folder: The folder of the report.

    Raises:
        CurateError: If a file cannot be written.
    """
    written = []
    for form in formats:
        if form not in _WRITTEN:
            for picture in drawn:
                written += picture.save(folder / "pictures", [form])
            continue
        for view in page.views:
            written.append(folder / SHOWN / f"{view.name}.{form}")
            write_file(written[-1], "".join(_WRITTEN[form](view)))
    return written


def _files(page: Page, rows: Callable[[View], str]) -> str:
    """The tables in every format, for the page to save: JSON, compressed, in base64.

    By name and format a table is its head, a text for each row, and its end, so that the page can
    leave rows out and put them in another order. Of a table with quiet rows the page also finds
    here all `rows` as HTML: a tenth of what they take where they are read.
    """
    files = {
        view.name: {form: written(view) for form, written in _WRITTEN.items()}
        | ({"rows": rows(view)} if view.quiet else {})
        for view in page.views
    }
    text = json.dumps(files, ensure_ascii=False, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode(), 9)).decode()


def _markdown(view: View) -> list[str]:
    head, *rows = (f"| {' | '.join(line)} |\n" for line in _lines(view, plain, "**%s**"))
    marks = "|".join("---" if column.is_text else "---:" for column in view.columns)
    return [f"{head}|{marks}|\n", *rows, ""]


def _in_latex(text: str) -> str:
    return text.translate(_LATEX)


def _latex(view: View) -> list[str]:
    """With the lines of booktabs."""
    found = _lines(view, _in_latex, r"\textbf{%s}")
    head, *rows = (f"{' & '.join(line)} \\\\\n" for line in found)
    places = "".join("l" if column.is_text else "r" for column in view.columns)
    head = f"\\begin{{tabular}}{{{places}}}\n\\toprule\n{head}\\midrule\n"
    return [head, *rows, "\\bottomrule\n\\end{tabular}\n"]


def _csv(view: View) -> list[str]:
    """For a spreadsheet; what stands below values has a column of its own, with signs."""
    titles = [column.whole_title for column in view.columns]
    small = [any(row[at].below or row[at].sign for row in view.rows) for at in range(len(titles))]

    def line(pairs: Iterable[tuple[str, str]]) -> str:
        parts = zip(pairs, small, strict=True)
        stream = io.StringIO()
        write_rows(stream, [text for pair, has in parts for text in pair[: 1 + has]], ())
        return stream.getvalue()

    def said(text: str, column: Field) -> str:
        if column.is_text:
            return escape_formula(text)
        return _THOUSANDS.sub("", text.replace("\u2212", "-").replace("\u202f", ""))

    rows = (
        line(
            (said(cell.text, column), said(cell.below + cell.sign, column))
            for cell, column in zip(row, view.columns, strict=True)
        )
        for row in view.rows
    )
    return [line((it, f"{it}, below") for it in titles), *rows, ""]


_WRITTEN = {"csv": _csv, "md": _markdown, "tex": _latex}
"""How a table is written: its head, a text for each row, and its end."""


def closing(
    files: Sequence[str], uses: Sequence[str], citation: str, sources: Sequence[str]
) -> tuple[Section, ...]:
    """The sections that every report ends with.

    Args:
        files: The tables in its folder.
        uses: What the data must not be used for.
        citation: How the report is cited.
        sources: What is cited beside it.
    """
    return (
        Section("use", "What this data must not be used for", (Block(tuple(uses)),)),
        Section("cite", "How to cite", (Block(items=(citation, *sources)),)),
        Section("files", "Tables", (Block((f"In this folder: {', '.join(files)}.",)),)),
    )
