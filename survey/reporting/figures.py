"""Where the lines and bars of the report's drawings stand, in the units of their view boxes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from curation.records.culture import SurveySettings
from curation.records.survey import QuestionKind, Role, Rule
from curation.report.texts import DASH, decimal, percent
from survey.reporting.records import GroupVotes, QuestionDecision, QuestionRow

WIDTH = 240
"""Width of a bar's view box."""
_HEADROOM = 1.05


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar with its lines.

    Attributes:
        kind: `target`, `none`, `group` or `correct`.
        label: What it is about; empty where the page has words of its own.
        votes: Respondents.
        role: The option's role.
        fill: Where the bar ends.
        low: Where the interval begins; None without one.
        high: Where it ends.
        marks: Where the thresholds stand.
        text: The figure in words.
        counts: Whether the option counts for the uniform share.
        share: Of a group its part of those who named any, in words.
        equal: Where one uniform share stands.
    """

    kind: str
    label: str
    votes: int
    role: str
    fill: float
    low: float | None
    high: float | None
    marks: tuple[float, ...]
    text: str
    counts: bool = True
    share: str = ""
    equal: float | None = None


def share_bar(row: QuestionRow, settings: SurveySettings) -> list[Bar]:
    """Draw the share of those who named the target, or who answered correctly."""
    validated = row.kind is QuestionKind.CHOICE
    threshold = settings.stereotype_share if validated else settings.comprehension_share
    own = row.decisive
    value = own.value if own else None
    first = _of_role(row.groups, Role.TARGET if validated else Role.CORRECT)
    bars = [
        Bar(
            kind="target" if validated else "correct",
            label=first.label,
            votes=first.votes,
            role=first.role,
            fill=_at(value or 0),
            low=_at(own.ci_low) if own and own.ci_low is not None else None,
            high=_at(own.ci_high) if own and own.ci_high is not None else None,
            marks=(_at(float(threshold)),),
            text=percent(value),
        )
    ]
    return [*bars, *_none_bar(row, settings)]


def _of_role(groups: Iterable[GroupVotes], role: Role) -> GroupVotes:
    return next(group for group in groups if group.role == role.value)


def _none_bar(row: QuestionRow, settings: SurveySettings) -> Iterator[Bar]:
    """Draw the share of respondents who said that there is no such stereotype."""
    if row.none is None:
        return
    decision = next((item for item in row.decisions if item.rule is Rule.NO_STEREOTYPE), None)
    value = row.none / row.respondents if row.respondents else None
    yield Bar(
        kind="none",
        label="",
        votes=row.none,
        role=Role.NONE.value,
        fill=_at(value or 0),
        low=_at(decision.ci_low) if decision and decision.ci_low is not None else None,
        high=_at(decision.ci_high) if decision and decision.ci_high is not None else None,
        marks=(_at(float(settings.no_stereotype_limit)),),
        text=percent(value),
    )


def group_bars(row: QuestionRow, settings: SurveySettings) -> list[Bar]:
    """Draw the votes of each group in uniform shares, all to one scale."""
    lines = float(settings.non_target_multiple), float(settings.target_multiple)
    reach = _reach(row, settings)
    bars = [
        Bar(
            kind="group",
            label=group.label,
            votes=group.votes,
            role=group.role,
            fill=_at((group.times or 0) / reach),
            low=None if group.ci_low is None else _at(group.ci_low / reach),
            high=None if group.ci_high is None else _at(group.ci_high / reach),
            marks=(_at(lines[0] / reach), _at(lines[1] / reach)),
            text=DASH if group.times is None else f"{decimal(group.times)}×",
            counts=group.counts,
            share=percent(group.named_share),
            equal=_at(1 / reach),
        )
        for group in row.groups
    ]
    return [*bars, *_none_bar(row, settings)]


def _reach(row: QuestionRow, settings: SurveySettings) -> float:
    """How many uniform shares the bars of a question of target selection reach to."""
    highest = max(group.ci_high or 0 for group in row.groups)
    return max(float(settings.target_multiple), highest) * _HEADROOM


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis, in percent of its width, with its label."""

    at: float
    label: str


def share_axis(settings: SurveySettings) -> list[Tick]:
    """The axis of shares: its ends, and the two thresholds."""
    marks = {settings.no_stereotype_limit, settings.stereotype_share}
    inner = [Tick(_percent_of(_at(float(mark))), _fraction(mark)) for mark in sorted(marks)]
    return [Tick(_percent_of(0), "0"), *inner, Tick(_percent_of(WIDTH), "100 %")]


def group_axis(row: QuestionRow, settings: SurveySettings) -> list[Tick]:
    """The axis of uniform shares: 0, one, both thresholds, and where the bars reach to."""
    reach = _reach(row, settings)
    multiples = {Fraction(1), settings.non_target_multiple, settings.target_multiple}
    ticks = [Tick(_percent_of(_at(float(one) / reach)), _fraction(one)) for one in multiples]
    most = int(reach)
    if most > settings.target_multiple + 1:
        ticks.append(Tick(_percent_of(_at(most / reach)), f"{most}×"))
    return [Tick(_percent_of(0), "0"), *sorted(ticks, key=lambda tick: tick.at)]


def _fraction(value: Fraction) -> str:
    return str(value) if value.denominator <= 4 else f"{float(value):g}"


_MARGIN = 2  # of a bar's view box, on either side


def _percent_of(place: float) -> float:
    """A place on a bar in percent of what its drawing is wide."""
    return round(100 * (place + _MARGIN) / (WIDTH + 2 * _MARGIN), 1)


def _at(share: float) -> float:
    """The place of a share on a bar, to a tenth of a unit."""
    return round(min(max(share, 0.0), 1.0) * WIDTH, 1)


PLOT_WIDTH = 720
"""Width of the plot of all validation questions."""
PLOT_HEIGHT = 238
"""Its height."""
PLOT_LEFT, PLOT_RIGHT, PLOT_TOP, PLOT_BOTTOM = 46, 694, 12, 214
"""The edges of what it plots."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One validation question in the plot of all of them."""

    x: float
    y: float
    low: float
    high: float
    kept: bool
    title: str


def caterpillar(rows: Sequence[QuestionRow]) -> list[Dot]:
    """Place the questions by their share, the smallest at the left."""
    known = [
        (row, row.certainty)
        for row in rows
        if row.certainty is not None and row.certainty.share is not None
    ]
    known.sort(key=lambda pair: (pair[1].share or 0, pair[0].id))
    step = (PLOT_RIGHT - PLOT_LEFT) / max(len(known), 1)
    return [
        Dot(
            x=round(PLOT_LEFT + (at + 0.5) * step, 1),
            y=plot_y(test.share or 0),
            low=plot_y(test.ci_low or 0),
            high=plot_y(test.ci_high or 0),
            kept=row.decision is QuestionDecision.KEPT,
            title=f"{row.stereotype}: {test.k} of {test.n}, {percent(test.share)}",
        )
        for at, (row, test) in enumerate(known)
    ]


def plot_y(share: float) -> float:
    """The height of a share in the plot."""
    return round(PLOT_BOTTOM - share * (PLOT_BOTTOM - PLOT_TOP), 1)
