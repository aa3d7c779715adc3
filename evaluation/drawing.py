"""Pictures: fonts, style, and files that are the same for the same content."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.io.atomic import atomic_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LATIN = "DejaVu Sans"
# What shows Korean, on the systems that people have; the first one that is there.
_KOREAN = (
    *("Noto Sans CJK KR", "Noto Sans KR", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo"),
    *("Noto Sans CJK JP", "Noto Serif CJK KR", "UnDotum", "Baekmuk Gulim"),
)
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",  # text stays text: searched, read aloud, shown in the reader's font
    "svg.hashsalt": "curate",  # the same content gives the same bytes
    "axes.unicode_minus": False,
    "text.parse_math": False,  # a name with $ in it is no formula
    "font.size": 9,
}


@contextmanager
def figure(width: float, height: float) -> "Iterator[Figure]":
    """Give a figure in the toolkit's style; draw and save it within the block.

    Args:
        width: Inches.
        height: Inches.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    style: Any = {**_STYLE, "font.family": list(_fonts())}
    with mpl.rc_context(style):
        made = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(made)
        yield made


def save(drawn: "Figure", stem: Path) -> list[Path]:
    """Save a figure as SVG and PNG; gives the files.

    Args:
        drawn: The figure.
        stem: Path of the files without their endings.

    Raises:
        CurateError: If a file cannot be written.
    """
    files = []
    for ending, extra in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 150})):
        path = stem.with_name(f"{stem.name}.{ending}")
        with atomic_path(path) as beside:
            drawn.savefig(beside, format=ending, **extra)
        files.append(path)
    return files


def _fonts() -> Iterator[str]:
    from matplotlib import font_manager

    there = {font.name for font in font_manager.fontManager.ttflist}
    yield _LATIN
    yield from [name for name in _KOREAN if name in there][:1]
    yield "sans-serif"  # where an SVG is shown, the reader's own
