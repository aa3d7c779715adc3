"""How pictures are drawn: the same look, formats and bytes for the same content.

An SVG holds both looks: where it is shown in the dark, its colours are those for the dark. A PNG
is on white. Letters come from the first font of this machine that has them.
"""

import base64
import io
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from math import ceil, nan
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from curation.files.atomic import write_file
from curation.records.messages import own_yaml
from curation.report.texts import DASH, between, decimal, needed_digits, resource, same_start

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAPER, INK, SOFT, LINE, AREA = "#ffffff", "#1b1e24", "#565d69", "#d5d9e0", "#e6e9ef"
"""Ground, text, lesser text, thin lines, and areas."""
FIRST, SECOND = "#0b5c9e", "#b3470a"
"""Blue and vermilion: told apart with every kind of colour blindness, as are their shapes."""
_OTHERS = ("#5b8c2a", "#7a4fa3", "#b8860b", "#00727a", "#a8325e", "#4d5a6a")
_COLOURS = (FIRST, SECOND, *_OTHERS)
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DARK: Mapping[str, str] = {
    PAPER: "#14161a",
    INK: "#e8eaee",
    SOFT: "#a9b0bc",
    LINE: "#363b45",
    AREA: "#2a2f38",
    FIRST: "#6cb6ff",
    SECOND: "#ff9d5c",
    **dict(
        zip(
            _OTHERS, ("#9ccc65", "#c39bea", "#e6b94a", "#4fc3cb", "#f48fb1", "#a9b5c6"), strict=True
        )
    ),
}
"""By colour what stands for it in the dark."""

_LATIN = "DejaVu Sans"
_HAN = {"ko": "KR", "ja": "JP", "zh": "SC"}
_UNSEEN = frozenset({"Cc", "Cf", "Mn"})
"""Categories of characters that have no form of their own: controls, and marks on letters."""
_JAPANESE = frozenset({"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"})


def look(at: int) -> tuple[str, str]:
    """The colour and the marker of a model by its place, so that colour alone is not needed.

    There are seven markers to eight colours: 56 models look different.
    """
    return _COLOURS[at % len(_COLOURS)], _MARKERS[at % len(_MARKERS)]


def _style() -> dict[str, Any]:
    coloured = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.titlecolor")
    return {
        "font.family": [_LATIN, "sans-serif"],  # the latter is the reader's own
        "font.sans-serif": [_LATIN],
        "svg.fonttype": "none",  # text stays text: searched, read aloud, in the reader's font
        "pdf.fonttype": 42,  # letters that can be searched, and that journals take
        "svg.hashsalt": "curate",  # the same content gives the same bytes
        "axes.unicode_minus": True,
        "text.parse_math": False,  # a name with $ in it is no formula
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": SOFT,
        "axes.facecolor": "none",
        "figure.facecolor": "none",
        **dict.fromkeys(coloured, INK),
    }


@dataclass(frozen=True)
class Picture:
    """A drawn picture.

    Attributes:
        name: Name of its files, without ending.
        alt: What it shows, for who cannot see it.
        figure: The drawing, which is written in a format when that is asked for.
        phone: The drawing for a phone; None where the one picture serves both.
        unshown: Letters that no font here has, each with the name of a font that would have it.
    """

    name: str
    alt: str
    figure: "Figure" = field(repr=False, compare=False)
    phone: "Figure | None" = field(default=None, repr=False, compare=False)
    unshown: tuple[tuple[str, str], ...] = ()

    @cached_property
    def svg(self) -> bytes:
        """The picture as SVG."""
        return written(self.figure, "svg")

    @property
    def address(self) -> str:
        """The SVG as an address that a page can hold."""
        return _address(self.svg)

    @property
    def narrow_address(self) -> str:
        """The SVG for a phone as an address; empty where there is none."""
        return _address(written(self.phone, "svg")) if self.phone else ""

    def save(self, folder: Path, formats: Iterable[str] = ("svg", "png")) -> list[Path]:
        """Write it as SVG, PNG or PDF, in which its fonts are; gives the files.

        Raises:
            CurateError: If a file cannot be written.
        """
        files = []
        for ending in formats:
            files.append(folder / f"{self.name}.{ending}")
            write_file(files[-1], self.svg if ending == "svg" else written(self.figure, ending))
        return files


def _address(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def draw(
    name: str,
    alt: str,
    size: tuple[float, float],
    paint: Callable[["Figure"], None],
    *,
    language: str = "",
    narrow: tuple[tuple[float, float], Callable[["Figure"], None]] | None = None,
) -> Picture:
    """Draw a picture.

    Args:
        name: Name of its files.
        alt: What it shows.
        size: Width and height in inches.
        paint: Puts everything on the figure.
        language: Of the texts, where it is known: Chinese characters differ by it.
        narrow: Size and painting for a phone.
    """
    figure, unshown = _drawn(size, paint, language)
    phone = _drawn(*narrow, language)[0] if narrow else None
    return Picture(name, alt, figure, phone, unshown)


@contextmanager
def _styled() -> Iterator[None]:
    import matplotlib as mpl

    settings: Any = _style()
    with mpl.rc_context(settings), warnings.catch_warnings():
        # letters that no font has are told by `unshown`; the SVG is right wherever it is read
        warnings.filterwarnings("ignore", r"Glyph .* missing from", UserWarning)
        yield


def _drawn(
    size: tuple[float, float], paint: Callable[["Figure"], None], language: str
) -> tuple["Figure", tuple[tuple[str, str], ...]]:
    """Draw a figure; gives also the letters that no font here has."""
    from matplotlib.figure import Figure

    with _styled():
        figure = Figure(figsize=size, layout="constrained")
        paint(figure)
        return figure, _letter(figure, language)


def written(figure: "Figure", ending: str) -> bytes:
    """A figure as SVG, PNG or PDF; what the first one laid out stays, and costs nothing again."""
    stream = io.BytesIO()
    with _styled():
        if ending == "svg":
            from matplotlib.backends.backend_svg import FigureCanvasSVG

            # without the trial run of `savefig`, which takes as long as the drawing
            canvas: Any = FigureCanvasSVG(figure)
            canvas.print_svg(stream, metadata={"Date": None})
        else:
            undated: dict[str, Any] = {"pdf": {"metadata": {"CreationDate": None}}}
            further = undated.get(ending, {"dpi": 150})
            figure.savefig(stream, format=ending, facecolor=PAPER, **further)
    figure.set_layout_engine("none")
    return _for_both(stream.getvalue()) if ending == "svg" else stream.getvalue()


_TAG = re.compile(r"<[^>]+>")
_METADATA = re.compile(r"<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
_UNTURNED = re.compile(r' transform="rotate\(-?0 [^)]*\)"')
_GROUP = re.compile(r'<g id="[^"]*">')
_DECIMALS = re.compile(r"((?<![^0-9]0)\.[0-9]|\.[0-9]{2})[0-9]+")
_BREAK = re.compile(r"\s*\n\s*")
_LOOK = re.compile(r'style="([^"]*)"')
_COLOUR = re.compile("#[0-9a-f]{6}")


def _for_both(svg: bytes) -> bytes:
    """Say each look once, and in the dark; leave out what nobody sees."""
    text = _METADATA.sub("", svg.decode("utf-8"))
    text = _BREAK.sub(" ", _TAG.sub(_shorter, text))
    looks: dict[str, str] = {}
    text = _LOOK.sub(lambda it: f'class="{looks.setdefault(it[1], f"s{len(looks)}")}"', text)
    rules = "".join(f".{name}{{{look}}}" for look, name in looks.items())
    dark = _COLOUR.sub(lambda it: DARK.get(it[0], it[0]), rules)
    style = f"<style>{rules}@media screen and (prefers-color-scheme:dark){{{dark}}}</style>"
    head, mark, rest = text.partition("<defs>")
    return f"{head}{style}{mark}{rest}\n".encode()


def _shorter(found: re.Match[str]) -> str:
    """A tag with numbers to a tenth of a point; those below 1, as an opacity, to a hundredth."""
    tag = _GROUP.sub("<g>", _UNTURNED.sub("", found[0]))
    return _DECIMALS.sub(r"\1", tag)


def _letter(figure: "Figure", language: str) -> tuple[tuple[str, str], ...]:
    """Give every text fonts that have its letters; returns those that none has."""
    from matplotlib.text import Text

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            axis.get_ticklabels()  # they are made only when they are asked for
    unshown: dict[tuple[str, str], None] = {}
    for text in figure.findobj(Text):
        fonts, lacking = fonts_for(text.get_text(), language)
        if len(fonts) > 1:
            text.set_fontfamily([*fonts, "sans-serif"])
        unshown |= dict.fromkeys((_wanted(it, language)[0], it) for it in lacking)
    return tuple(unshown)


def fonts_for(text: str, language: str = "") -> tuple[list[str], str]:
    """The fonts of this machine that have a text's letters, and the letters that none has.

    Args:
        text: The text.
        language: Its language, where it is known.
    """
    fonts, lacking = [_LATIN], ""
    for character in dict.fromkeys(text):
        is_seen = not character.isspace() and unicodedata.category(character) not in _UNSEEN
        if not is_seen or any(character in _letters(font) for font in fonts):
            continue
        wanted = (font for font in _wanted(character, language) if character in _letters(font))
        found = next(wanted, None) or _any_font(character)
        if found is None:
            lacking += character
        else:
            fonts.append(found)
    return fonts, lacking


def missing_fonts(pictures: Iterable[Picture]) -> Iterator[str]:
    """Yield a line for each font that is missing: PNG and PDF pictures show boxes in its place."""
    found: dict[str, str] = {}
    for font, character in dict.fromkeys(pair for it in pictures for pair in it.unshown):
        found[font] = found.get(font, "") + character
    for font, characters in found.items():
        shown = characters if len(characters) <= 8 else f"{characters[:8]}…"
        yield (
            f"No font of this machine has {shown}: PNG and PDF pictures show boxes there, SVG "
            f"pictures are right wherever there is one. Install '{font}'."
        )


def _wanted(character: str, language: str) -> Sequence[str]:
    """The fonts in which a letter is looked for first; the first is the one to install."""
    script = unicodedata.name(character, "SYMBOLS").split()[0]
    if script in _JAPANESE:
        return _known()["JP"]
    if script in ("CJK", "IDEOGRAPHIC", "FULLWIDTH"):
        first = _HAN.get(language.split("-")[0].lower(), "SC")
        return [font for part in (first, "SC", "JP", "KR") for font in _known()[part]]
    return _known().get(script, [f"Noto Sans {script.title()}"])


@cache
def _known() -> Mapping[str, Sequence[str]]:
    """By script the fonts that people have; every other script is looked for by its name."""
    found: Mapping[str, Sequence[str]] = own_yaml(resource(__package__, "fonts.yaml"))
    return found


@cache
def _here() -> frozenset[str]:
    """The fonts of this machine."""
    from matplotlib import font_manager

    return frozenset(font.name for font in font_manager.fontManager.ttflist)


@cache
def _letters(font: str) -> frozenset[str]:
    """The characters that a font has; none where it is not here."""
    from matplotlib import font_manager

    if font not in _here():
        return frozenset()
    path = font_manager.findfont(font_manager.FontProperties(family=[font]))
    return frozenset(map(chr, font_manager.get_font(path).get_charmap()))


@cache
def _any_font(character: str) -> str | None:
    """Any font that has a letter; symbols stand in fonts that no script leads to."""
    symbols = [name for name in _here() if "Symbol" in name or name.startswith("Noto Sans")]
    return next((font for font in sorted(symbols) if character in _letters(font)), None)


WIDTH, NARROW = 9.0, 4.1
"""Inches of a picture on a desk and on a phone."""
LOOKS = ((FIRST, "o"), (SECOND, "s"))
"""Colour and marker of a first and of a second series."""
ENDS = 6
"""Rows of each end that are shown of a table of many, and told of a picture of many."""
_LONGEST, _NARROW_NAME = 40, 28  # characters of a name, and of one on a phone
_ROW, _NARROW_ROW = 0.235, 0.36  # inches
_HEAD = 0.75  # inches of title and axis
_KEY = 0.3  # inches of the key
_FEW_BESIDE = 2
"""Panels beside each other that have room for as many marks of an axis as one likes."""
_PAD = 0.05  # of the range, beside the outermost point
_FEW = "hollow: fewer than 20 templates"


@dataclass(frozen=True, slots=True)
class Dot:
    """A score as it is drawn.

    Attributes:
        value: The score.
        low: Lower end of its interval; None without one.
        high: The upper end.
        is_few: Whether the interval is from too few templates to be trusted.
        bound: How far from 0 the score can lie; None where it is not known.
    """

    value: float
    low: float | None = None
    high: float | None = None
    is_few: bool = False
    bound: float | None = None

    @property
    def said(self) -> str:
        """The score with its interval, in words."""
        if self.low is None or self.high is None:
            return decimal(self.value, 3)
        digits = max(3, self.digits)
        ends = between(self.low, self.high, digits)
        few = ", few templates" if self.is_few else ""
        return f"{decimal(self.value, digits)} ({ends}{few})"

    def shown(self, digits: int) -> str:
        """The same as short as in a table, with so many decimals."""
        if self.low is None or self.high is None:
            return decimal(self.value, digits)
        ends = f"[{decimal(self.low, digits)}, {decimal(self.high, digits)}]"
        return f"{decimal(self.value, digits)} {ends}{'*' if self.is_few else ''}"

    @property
    def digits(self) -> int:
        """As many decimals as its interval needs."""
        return 3 if self.low is None or self.high is None else needed_digits(self.low, self.high)


def dot(row: Mapping[str, Any], name: str, bound: float | None = None) -> Dot | None:
    """A row's score; None where it is undefined.

    Args:
        row: A row of scores.
        name: Which of its scores.
        bound: How far from 0 it can lie.
    """
    value, low, high = (row.get(key) for key in (name, f"{name}_low", f"{name}_high"))
    if value is None:
        return None
    if low is None or high is None:
        return Dot(float(value), bound=bound)
    # ends rounded to twelve decimals may lie on the wrong side of the score
    ends = min(float(low), float(value)), max(float(high), float(value))
    return Dot(float(value), *ends, bool(row.get("interval_note")), bound)


@dataclass(frozen=True, slots=True)
class Panel:
    """A column of points.

    Attributes:
        title: What stands above it.
        across: What its axis is.
        series: One or several, each with a dot a row; None where there is nothing to draw.
        looks: Colour and marker of each series.
        span: The range that the score can have, beyond which no axis goes.
    """

    title: str
    across: str
    series: Sequence[Sequence[Dot | None]]
    looks: Sequence[tuple[str, str]] = LOOKS
    span: tuple[float, float] = (-1.0, 1.0)

    @property
    def dots(self) -> list[Dot]:
        """All that is to be drawn."""
        return [it for dots in self.series for it in dots if it is not None]


def forest(
    name: str,
    alt: str,
    rows: Sequence[str],
    panels: Sequence[Panel],
    *,
    language: str = "",
    bounded: str = "",
    columns: int = 0,
    names: Sequence[str] = (),
) -> Picture:
    """Draw panels beside each other, on a phone below each other; one series has its numbers.

    Panels have one axis where their scores have one range.

    Args:
        name: Name of the files.
        alt: What the picture shows.
        rows: Names of the rows, from top to bottom.
        panels: The panels, all with as many series.
        language: Of the names, where it is known.
        bounded: What the grey area behind points is; empty for none.
        columns: How many panels stand beside each other; 0 for all.
        names: What the series are, where they are several.
    """
    rows, several = told_apart(rows), len(panels[0].series)
    beside = columns or len(panels)
    paint = partial(_paint, panels=panels, bounded=bounded, names=names)
    tall = _ROW if several == 1 else 0.04 + 0.07 * several
    below = _KEY * ceil(max(len(names), 1) / 3)
    wide = WIDTH, (_HEAD + tall * len(rows)) * ceil(len(panels) / beside) + below
    row = _NARROW_ROW if several == 1 else tall
    across = 1 if several == 1 else min(2, beside)
    short = [shortened(row, _NARROW_NAME if several == 1 else 16) for row in rows]
    narrow = NARROW, (_HEAD + row * len(rows)) * ceil(len(panels) / across) + below
    return draw(
        name,
        alt,
        wide,
        partial(paint, rows=[*map(shortened, rows)], beside=beside, is_narrow=False),
        language=language,
        narrow=(narrow, partial(paint, rows=short, beside=across, is_narrow=True)),
    )


def shortened(name: str, most: int = _LONGEST) -> str:
    """A name that fits beside a row: of a long one both ends, by which names are told apart."""
    end = most // 2
    return name if len(name) <= most else f"{name[: most - end - 1]}…{name[-end:]}"


def told_apart(names: Sequence[str]) -> list[str]:
    """Names without what all begin with, where they would be alike once they are shortened."""
    if len({shortened(name, _NARROW_NAME) for name in names}) == len({*names}):
        return [*names]
    first, last = min(names), max(names)
    word = len(re.sub(r"[^-/_. ]*$", "", first[: same_start(first, last)]))  # which is not broken
    return [f"…{name[word:]}" for name in names] if word else [*names]


def limits(dots: Sequence[Dot], span: tuple[float, float] = (-1.0, 1.0)) -> tuple[float, float]:
    """The part of an axis that holds all points, their intervals, and 0.

    On a side of 0 where there is a point it goes as far as a point of that axis can lie.

    Args:
        dots: The points.
        span: The range beyond which no axis goes.
    """
    ends = [end for it in dots for end in (it.value, it.low, it.high) if end is not None]
    if span[0] < 0:
        ends.append(0.0)
    bounds = [it.bound for it in dots if it.bound is not None]
    if bounds:
        sides = (side for side in (-1, 1) if any(it.value * side > 0 for it in dots))
        ends += [side * max(bounds) for side in sides]
    low, high = min(ends, default=span[0]), max(ends, default=span[1])
    room = max((high - low) * _PAD, 0.01)
    reach = (span[1] - span[0]) * 0.02  # a point on the end of the range is drawn whole
    return max(low - room, span[0] - reach), min(high + room, span[1] + reach)


def _paint(
    figure: "Figure",
    rows: Sequence[str],
    panels: Sequence[Panel],
    bounded: str,
    names: Sequence[str],
    beside: int,
    is_narrow: bool,
) -> None:
    grid = figure.subplots(ceil(len(panels) / beside), beside, squeeze=False).ravel()
    every = [it for panel in panels for it in panel.dots]
    is_shared = len({panel.span for panel in panels}) == 1
    for at, (axes, panel) in enumerate(zip(grid, panels, strict=False)):
        is_told = len(panel.series) == 1
        axes.set_xlim(*limits(every if is_shared else panel.dots, panel.span))
        _frame(axes, rows if at % beside == 0 else [], len(rows))
        step = 0.72 / len(panel.series)
        for series, dots in enumerate(panel.series):
            shift, height = (series - (len(panel.series) - 1) / 2) * step, 0.76
            if is_told and is_narrow:
                shift, height = 0.1, 0.36  # below the name on a phone
            places = {row + shift: it for row, it in enumerate(dots) if it is not None}
            if bounded:
                _bands(axes, places, height)
            _points(axes, places, *panel.looks[series], size=5 if is_told else 3.2)
        axes.set_xlabel(panel.across, fontsize=9)
        title = "\n".join(wrap(panel.title.replace("_", " "), 40 if is_told else 19)[:2])
        axes.set_title(title, loc="left", fontsize=10 if is_told else 9, fontweight="bold")
        if not is_told:
            axes.tick_params(labelsize=7.5)
        else:
            _tell(axes, rows, panel, is_narrow)
            if beside > _FEW_BESIDE:  # the numbers leave little room
                axes.locator_params(axis="x", nbins=3)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    looks = [
        {"label": name, "color": look[0], "marker": look[1], "markersize": 5}
        for name, look in zip(names, panels[0].looks, strict=False)
    ]
    _key(figure, looks, bounded, is_few=any(it.is_few for it in every))


def _tell(axes: "Axes", rows: Sequence[str], panel: Panel, is_narrow: bool) -> None:
    """Write the numbers beside the points; on a phone above them, with the names."""
    digits = max((it.digits for it in panel.dots), default=3)
    where = axes.get_yaxis_transform()
    for at, (row, it) in enumerate(zip(rows, panel.series[0], strict=True)):
        said = DASH if it is None else it.shown(digits)
        if not is_narrow:
            axes.text(1.02, at, said, transform=where, va="center", fontsize=8, color=INK)
            continue
        place: dict[str, Any] = {"y": at - 0.31, "va": "center", "fontsize": 8.5}
        axes.text(0.03, s=row, ha="left", transform=where, **place)  # right of the line of 0
        axes.text(1.0, s=said, ha="right", color=SOFT, transform=where, **place)
    if is_narrow:
        axes.set(yticks=[])
        axes.set_ylim(len(rows) - 0.6, -0.62)


@dataclass(frozen=True, slots=True)
class Scatter:
    """A panel of points over two axes.

    Attributes:
        title: What stands above it.
        across: What the axis across is.
        up: What the other one is.
        named: By name the points that are named, where there is room for it.
        others: Points without a name, which are softer.
        look: Colour and marker.
        line: Slope and intercept of a regression.
        slopes: The ends of the interval of its slope, which are drawn as a band.
        ideal: Slope and intercept of what is compared with it.
        bound: Places across, and how far from 0 a point can lie there.
        xlim: The ends of the axis across.
        ylim: Those of the other one.
    """

    title: str
    across: str
    up: str
    named: Mapping[str, tuple[float, float]]
    others: Sequence[tuple[float, float]] = ()
    look: tuple[str, str] = LOOKS[0]
    line: tuple[float, float] | None = None
    slopes: tuple[float, float] | None = None
    ideal: tuple[float, float] | None = None
    bound: tuple[Sequence[float], Sequence[float]] | None = None
    xlim: tuple[float, float] | None = None
    ylim: tuple[float, float] | None = None


def scatters(
    name: str,
    alt: str,
    panels: Sequence[Scatter],
    *,
    columns: int = 2,
    language: str = "",
    key_of: Mapping[str, str] = MappingProxyType({}),
) -> Picture:
    """Draw panels of points beside each other, on a phone below each other.

    Args:
        name: Name of the files.
        alt: What the picture shows.
        panels: The panels.
        columns: How many stand beside each other.
        language: Of the names, where it is known.
        key_of: What is drawn: of `named`, `others`, `line`, `ideal` and `bound`.
    """
    beside = min(columns, len(panels))
    rows = ceil(len(panels) / beside)
    paint = partial(_scatter, panels=panels, key_of=key_of)
    wide, narrow = (WIDTH, 3.5 * rows + _KEY), (NARROW, 3.3 * len(panels) + _KEY)
    phone = narrow, partial(paint, beside=1)
    return draw(name, alt, wide, partial(paint, beside=beside), language=language, narrow=phone)


def _scatter(
    figure: "Figure", panels: Sequence[Scatter], key_of: Mapping[str, str], beside: int
) -> None:
    grid = figure.subplots(ceil(len(panels) / beside), beside, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        axes.set(xlabel=panel.across, ylabel=panel.up)
        axes.locator_params(axis="x", nbins=6)
        if panel.xlim and panel.ylim:
            axes.set(xlim=panel.xlim, ylim=panel.ylim)
        size = 8 if "\n" in panel.title else 10
        axes.set_title(panel.title, loc="left", fontsize=size, fontweight="bold")
        look: dict[str, Any] = {"marker": panel.look[1], "clip_on": False, "zorder": 3}
        if panel.others:
            axes.scatter(*zip(*panel.others, strict=True), s=11, color=SOFT, zorder=2)
        if panel.named:
            look |= {"color": panel.look[0], "s": 22}
            axes.scatter(*zip(*panel.named.values(), strict=True), **look)
        ends = np.array(axes.get_xlim())
        if panel.bound:
            places, bound = map(np.asarray, panel.bound)
            axes.fill_between(places, -bound, bound, color=AREA, zorder=0, linewidth=0)
            for side in (-bound, bound):
                axes.plot(places, side, color=SOFT, linewidth=1.0, zorder=1)
        if panel.ideal:
            slope, start = panel.ideal
            axes.plot(ends, slope * ends + start, "--", color=SOFT, linewidth=1, zorder=1)
        if panel.line:
            _regression(axes, panel, ends)
        axes.set_xlim(*ends)
        if axes.get_ylim()[0] < 0 < axes.get_ylim()[1]:
            axes.axhline(0, color=SOFT, linewidth=0.9, zorder=1)
        names = (shortened(name, _NARROW_NAME) for name in told_apart([*panel.named]))
        named = dict(zip(names, panel.named.values(), strict=True))
        _name(axes, named, panel.others, 72 * figure.get_figwidth() / beside - 66)
        axes.grid(color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    colour, marker = panels[0].look
    looks: dict[str, dict[str, Any]] = {
        "named": {"color": colour, "marker": marker, "linestyle": "none"},
        "others": {"color": SOFT, "marker": "o", "linestyle": "none", "markersize": 4},
        "line": {"color": SECOND},
        "ideal": {"color": SOFT, "linestyle": "--"},
    }
    told = [{"label": key_of[part], **look} for part, look in looks.items() if part in key_of]
    _key(figure, told, key_of.get("bound", ""))


def _regression(axes: "Axes", panel: Scatter, ends: Any) -> None:
    """Draw the line through the middle of the points, with the band of its slope."""
    assert panel.line is not None  # noqa: S101  # asked before
    slope, start = panel.line
    axes.plot(ends, slope * ends + start, color=SECOND, linewidth=1.4, zorder=1)
    places = [x for x, _ in panel.others or panel.named.values()]
    if panel.slopes and places:
        middle = sum(places) / len(places)
        across = np.linspace(ends[0], ends[1], 50)
        sides: Any = [slope * middle + start + end * (across - middle) for end in panel.slopes]
        limits_up = axes.get_ylim()
        axes.fill_between(across, np.minimum(*sides), np.maximum(*sides), color=SECOND, alpha=0.15)
        axes.set_ylim(*limits_up)


_PLACES = ((5, 0), (-5, 0), (0, 7), (0, -7), (5, 6), (-5, 6), (5, -6), (-5, -6), (5, 10), (-5, 10))
"""Where a name can stand beside its point, in points, the best first."""


def _name(
    axes: "Axes",
    named: Mapping[str, tuple[float, float]],
    others: Sequence[tuple[float, float]],
    width: float,
) -> None:
    """Write each name where it hides the fewest points and names; none where it would hide one.

    Of places that are as good it is the one that hides the fewest of the points without names.
    The panel is so many points wide, roughly.
    """
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    scale = width / (right - left), 180 / (top - bottom)
    taken, small = (
        [((x - left) * scale[0], y * scale[1], 2.0) for x, y in them]
        for them in (named.values(), others)
    )
    for own, (name, at) in enumerate(named.items()):
        half = 2.4 * len(name) + 1
        x, y = (at[0] - left) * scale[0], at[1] * scale[1]
        found = []
        for rank, place in enumerate(_PLACES):
            side = (place[0] > 0) - (place[0] < 0)
            middle, level = x + place[0] + half * side, y + place[1]
            hidden, over = (
                sum(
                    max(0.0, 1 - abs(middle - a) / (half + other))
                    * max(0.0, 1 - abs(level - b) / 10)
                    for a, b, other in them
                )
                for them in (taken[:own] + taken[own + 1 :], small)
            )
            outside = max(0.0, half - middle, middle + half - width)
            found.append((round(hidden, 3) + outside, over, rank, side, middle, level))
        crowd, _, rank, side, middle, level = min(found)
        if crowd > 0.2:
            continue
        taken.append((middle, level, half))
        axes.annotate(
            name,
            at,
            xytext=_PLACES[rank],
            textcoords="offset points",
            ha=("center", "left", "right")[side],
            va="center",
            fontsize=8,
            color=INK,
        )


def _frame(axes: "Axes", rows: Sequence[str], count: int) -> None:
    """Name the rows, of which there may be some without names, and mark 0."""
    low, high = axes.get_xlim()
    if low < 0 < high:
        axes.axvline(0, color=SOFT, linewidth=0.9, zorder=1)
    axes.set(yticks=range(len(rows)), yticklabels=rows) if rows else axes.set(yticks=[])
    axes.set_ylim(count - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.locator_params(axis="x", nbins=6)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)


def _points(
    axes: "Axes", there: Mapping[float, Dot], colour: str, marker: str, size: float
) -> None:
    """Draw points with their intervals; of few templates they are hollow."""
    across, heights = segments(
        [(it.low, at), (it.high, at)]
        for at, it in there.items()
        if it.low is not None and it.high is not None
    )
    axes.plot(across, heights, color=colour, linewidth=1.3, zorder=2, scaley=False)
    for is_few, face in ((False, colour), (True, PAPER)):
        part = [(it.value, at) for at, it in there.items() if it.is_few is is_few]
        if part:
            look: dict[str, Any] = {"color": colour, "marker": marker, "markersize": size}
            look |= {"markerfacecolor": face, "markeredgewidth": 1.1, "clip_on": False}
            axes.plot(*zip(*part, strict=True), linestyle="none", zorder=3, **look)


def segments(lines: Iterable[Sequence[tuple[Any, Any]]]) -> tuple[list[float], list[float]]:
    """The places of lines as of one line with gaps, which is quick to draw and small."""
    found = [place for line in lines for place in (*line, (nan, nan))]
    return [x for x, _ in found], [y for _, y in found]


def _bands(axes: "Axes", there: Mapping[float, Dot], height: float) -> None:
    """Draw behind each point how far from 0 it can lie, as far as the axis shows it."""
    low, high = axes.get_xlim()
    bounded = {at: it.bound for at, it in there.items() if it.bound is not None}
    lefts = [max(-bound, low) for bound in bounded.values()]
    ends = zip(lefts, bounded.values(), strict=True)
    widths = [min(bound, high) - left for left, bound in ends]
    axes.barh(list(bounded), widths, left=lefts, height=height, color=AREA, zorder=0)
    half = height / 2
    edges = segments(
        [(end, at - half), (end, at + half)]
        for at, bound in bounded.items()
        for end in (-bound, bound)
        if low < end < high
    )
    axes.plot(*edges, color=SOFT, linewidth=1.0, zorder=1, scalex=False, scaley=False)


def _key(
    figure: "Figure", looks: Iterable[Mapping[str, Any]], bounded: str, *, is_few: bool = False
) -> None:
    """Say below the picture what lines, points, areas and hollow points are."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Line2D([], [], **look) for look in looks]
    if bounded:
        handles.append(Patch(facecolor=AREA, edgecolor=SOFT, linewidth=0.8, label=bounded))
    if is_few:
        look: dict[str, Any] = {"marker": "o", "markerfacecolor": PAPER, "markeredgecolor": INK}
        handles.append(Line2D([], [], linestyle="none", label=_FEW, **look))
    if handles:
        columns = 1 if figure.get_figwidth() <= NARROW else min(len(handles), 3)
        figure.legend(
            handles=handles, loc="outside lower left", ncols=columns, frameon=False, fontsize=8
        )


def told(rows: Sequence[str], dots: Sequence[Dot | None]) -> list[str]:
    """The numbers of rows in words, for who cannot see them; of many the first and last."""
    pairs = zip(rows, dots, strict=True)
    said = [f"{row} {'undefined' if it is None else it.said}" for row, it in pairs]
    between = len(said) - 2 * ENDS
    return said if between <= 0 else [*said[:ENDS], f"{between} between", *said[-ENDS:]]
