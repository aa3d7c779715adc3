"""The picture of a dataset card: what became of the templates, category by category."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from curation.bank.stats import CategoryCounts
from exports.card.facts import Facts

PICTURE = "templates.svg"
"""The picture's name, beside the card."""
_WIDTH, _LEFT, _ROOM, _ROW, _TOP = 720, 230, 410, 26, 44
_LONGEST = 28  # characters of a category's name that have room
_STYLE = (
    "text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans CJK KR',"
    "sans-serif;fill:#1f2937}.k{fill:#1f6f8b}.d{fill:#c8553d}.r{fill:#94a3b8}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.k{fill:#4fa3c0}.d{fill:#e2806a}"
    ".r{fill:#66758a}}"
)
_KINDS = (("k", "retained"), ("d", "dropped"), ("r", "removed before the survey"))


class _Counts(NamedTuple):
    """Templates of a category, or of all: in the order of `_KINDS`."""

    retained: int
    dropped: int
    removed: int


def _counts(row: CategoryCounts) -> _Counts:
    return _Counts(row.templates, row.templates_before_survey - row.templates, row.sample_removed)


def alternative(facts: Facts) -> str:
    """What the picture shows, for who does not see it: the numbers of all templates."""
    total = _counts(facts.total)
    told = ", ".join(
        f"{number:,} {name}" for (_, name), number in zip(_KINDS, total, strict=True) if number
    )
    return f"What became of the {sum(total):,} templates by category: {told or 'none'}"


def picture(facts: Facts) -> str:
    """Draw it as SVG: a bar a category, as long as it has templates, with their numbers.

    It names no font of its own, loads nothing, and follows the reader's light or dark mode.
    """
    rows = facts.categories[:-1]
    height = _TOP + _ROW * len(rows) + 8
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img">',
        f"<title>{escape(alternative(facts))}</title>",
        f"<style>{_STYLE}</style>",
        *_legend(),
        *_bars(facts),
        "</svg>",
    ]
    return "\n".join((*lines, ""))


def _legend() -> Iterator[str]:
    for at, (kind, name) in enumerate(_KINDS):
        x = 8 + at * 130
        yield f'<rect class="{kind}" x="{x}" y="10" width="14" height="14"/>'
        yield f'<text x="{x + 20}" y="22">{name}</text>'


def _bars(facts: Facts) -> Iterator[str]:
    rows = facts.categories[:-1]
    most = max((sum(_counts(row)) for row in rows), default=0) or 1
    for at, row in enumerate(rows):
        y = _TOP + _ROW * at
        name = facts.names.get(row.category, "") or row.category
        shown = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
        yield f'<text x="{_LEFT - 10}" y="{y + 15}" text-anchor="end">{escape(shown)}</text>'
        x = float(_LEFT)
        for (kind, _), number in zip(_KINDS, _counts(row), strict=True):
            wide = _ROOM * number / most
            if number:
                yield f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{wide:.1f}" height="20"/>'
            x += wide
        numbers = " / ".join(f"{number:,}" for number in _counts(row))
        yield f'<text x="{x + 8:.1f}" y="{y + 15}">{numbers}</text>'
