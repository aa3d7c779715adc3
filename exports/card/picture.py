"""The picture of a dataset card: what became of the templates, category by category.

It is a PNG, for the Hugging Face hub does not show every SVG in a card.
"""

from typing import TYPE_CHECKING, NamedTuple

from curation.bank.stats import CategoryCounts
from exports.card.facts import Facts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE = "templates.png"
"""The picture's name, beside the card."""
_LONGEST = 28  # characters of a category's name that have room
_KINDS = (("#1f6f8b", "retained"), ("#c8553d", "dropped"), ("#94a3b8", "removed before the survey"))
_WIDTH, _ROW, _TOP = 7.2, 0.28, 0.7  # inches


class _Counts(NamedTuple):
    """Templates of a category, or of all: in the order of `_KINDS`."""

    retained: int
    dropped: int
    removed: int


class Bar(NamedTuple):
    """A category: its name as it is shown, and its templates."""

    name: str
    counts: _Counts


def _counts(row: CategoryCounts) -> _Counts:
    return _Counts(row.templates, row.templates_before_survey - row.templates, row.sample_removed)


def alternative(facts: Facts) -> str:
    """What the picture shows, for who does not see it: the numbers of all templates."""
    total = _counts(facts.total)
    told = ", ".join(
        f"{number:,} {name}" for (_, name), number in zip(_KINDS, total, strict=True) if number
    )
    return f"What became of the {sum(total):,} templates by category: {told or 'none'}"


def bars(facts: Facts) -> list[Bar]:
    """A bar a category; a name that no font of this machine has gives way to the category's id."""
    from curation.report.figures import drawable

    found = []
    for row in facts.categories[:-1]:
        name = facts.names.get(row.category, "") or row.category
        name = name if drawable(name) else row.category
        shown = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
        found.append(Bar(shown, _counts(row)))
    return found


def picture(facts: Facts) -> bytes:
    """Draw it as PNG: a bar a category, as long as it has templates, with their numbers."""
    from curation.report.figures import draw

    drawn = bars(facts)

    def paint(figure: "Figure") -> None:
        axes = figure.add_subplot()
        start = [0] * len(drawn)
        for at, (colour, name) in enumerate(_KINDS):
            widths = [bar.counts[at] for bar in drawn]
            axes.barh(range(len(drawn)), widths, left=start, color=colour, label=name)
            start = [one + wide for one, wide in zip(start, widths, strict=True)]
        most = max(start, default=0) or 1
        for place, (bar, end) in enumerate(zip(drawn, start, strict=True)):
            numbers = " / ".join(f"{number:,}" for number in bar.counts)
            axes.text(end + most / 60, place, numbers, va="center")
        axes.set_yticks(range(len(drawn)), [bar.name for bar in drawn])
        axes.tick_params(length=0)
        axes.invert_yaxis()
        axes.set_xlim(0, most * 1.25)
        axes.get_xaxis().set_visible(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        figure.legend(loc="outside upper left", ncols=len(_KINDS), frameon=False)

    return draw("templates", alternative(facts), (_WIDTH, _TOP + _ROW * len(drawn)), paint).png
