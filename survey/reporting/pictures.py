"""The picture of the report: the share of every validation question, with its interval."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from curation.records.survey import QuestionKind
from curation.report.figures import FIRST, INK, LINE, PAPER, SECOND, WIDTH, Picture, draw, segments
from curation.report.texts import count, percent
from survey.reporting.records import QuestionDecision, Report
from survey.reporting.words import fraction

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LOOKS = ((QuestionDecision.KEPT, FIRST, "o"), (QuestionDecision.DROPPED, SECOND, "X"))


def pictures(report: Report) -> Iterator[Picture]:
    """Draw the validation questions by their share; nothing where none was answered."""
    tested = [
        (test.share, test.ci_low or 0.0, test.ci_high or 0.0, row.decision)
        for row in report.of_kind(QuestionKind.CHOICE)
        if (test := row.certainty) is not None and test.share is not None
    ]
    if not tested:
        return
    tested.sort()
    limit = float(report.settings.stereotype_share)
    said = fraction(report.settings.stereotype_share)

    def paint(figure: "Figure") -> None:
        axes = figure.add_subplot()
        axes.axhline(limit, color=INK, linewidth=1.0)
        for decision, colour, marker in _LOOKS:
            mine = [(at, *row[:3]) for at, row in enumerate(tested) if row[3] is decision]
            ends = segments(((at, low), (at, high)) for at, _, low, high in mine)
            axes.plot(*ends, color=colour, linewidth=1.0, alpha=0.6)
            where, shares = [at for at, *_ in mine], [share for _, share, *_ in mine]
            look: dict[str, Any] = {"color": colour, "edgecolors": PAPER, "s": 24, "zorder": 3}
            axes.scatter(where, shares, marker=marker, label=decision.value, **look)
        ticks = {0.0: "0", 0.25: "25 %", 0.5: "50 %", 0.75: "75 %", 1.0: "100 %"}
        axes.set(ylim=(-0.02, 1.02), xlim=(-0.8, len(tested) - 0.2), xticks=[])
        axes.set_yticks(list(ticks), list(ticks.values()))
        axes.set(xlabel="questions, by their share", ylabel="named the target")
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.text(1.005, limit, said, transform=axes.get_yaxis_transform(), va="center")
        figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=8)

    shares = [row[0] for row in tested]
    alt = (
        f"Share of those naming a group who named the target, for {count(len(tested), 'question')} "
        f"from {percent(shares[0])} to {percent(shares[-1])}, with 95 % intervals and the "
        f"threshold of {said}. The table has the numbers."
    )
    yield draw("validation", alt, (WIDTH, 2.7), paint)
