"""How pictures are drawn: the same look, bytes and formats for all of them."""

import base64
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LATIN = "DejaVu Sans"
# What shows Korean, on the systems that people have; the first one that is there.
_KOREAN = (
    *("Noto Sans CJK KR", "Noto Sans KR", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo"),
    *("Noto Sans CJK JP", "Noto Serif CJK KR", "UnDotum", "Baekmuk Gulim"),
)
COLOURS = ("#1f6f8b", "#c8553d", "#5b8c2a", "#7a4fa3", "#b8860b", "#00727a", "#a8325e", "#4d5a6a")
"""One for each model; they begin again where there are more."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""With the colours, so that no picture needs colour to be read."""


def style() -> dict[str, Any]:
    """Give the settings under which a picture is drawn."""
    return {
        "font.family": list(_fonts()),
        "svg.fonttype": "none",  # text stays text: searched, read aloud, in the reader's font
        "svg.hashsalt": "curate",  # the same scores give the same bytes
        "axes.unicode_minus": False,
        "text.parse_math": False,  # a name with $ in it is no formula
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }


def _fonts() -> Iterator[str]:
    from matplotlib import font_manager

    there = {font.name for font in font_manager.fontManager.ttflist}
    yield _LATIN
    yield from [name for name in _KOREAN if name in there][:1]
    yield "sans-serif"  # where an SVG is shown, the reader's own


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn picture.

    Attributes:
        name: Name of its files, without ending.
        alt: What it shows, for who cannot see it.
        svg: As SVG.
        png: As PNG.
    """

    name: str
    alt: str
    svg: bytes
    png: bytes

    @property
    def address(self) -> str:
        """Give the SVG as an address that a page can hold."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.svg).decode()}"


def draw(
    name: str, alt: str, size: tuple[float, float], paint: Callable[["Figure"], None]
) -> Picture:
    """Draw a picture in both formats.

    Args:
        name: Name of its files.
        alt: What it shows.
        size: Width and height in inches.
        paint: Puts everything on the figure.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    settings: Any = style()
    with mpl.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        paint(figure)
        made = {}
        for ending, extra in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 150})):
            stream = io.BytesIO()
            figure.savefig(stream, format=ending, **extra)
            made[ending] = stream.getvalue()
    return Picture(name, alt, made["svg"], made["png"])
