"""How many people a survey needs, who they should be, how long it takes and what it costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod

from curation.model.questionnaire import QuestionnaireSettings, Seconds
from curation.model.survey import Question, QuestionKind
from survey.building.forms import Form


@dataclass(frozen=True, slots=True)
class FormPlan:
    """One form and the people who are to answer it.

    Attributes:
        form: The form's id.
        questions: Its questions by kind.
        minutes: What one respondent needs.
        respondents: How many people.
        cells: How many of each cell of the quotas, in the plan's order; they add up to
            `respondents`.
        cost: Price of all their answers; None without a price.
    """

    form: str
    questions: Mapping[QuestionKind, int]
    minutes: int
    respondents: int
    cells: tuple[int, ...]
    cost: Fraction | None

    @property
    def answers(self) -> int:
        """Answers that the form brings in."""
        return self.respondents * sum(self.questions.values())


@dataclass(frozen=True, slots=True)
class Plan:
    """What a survey needs.

    Attributes:
        dimensions: The attributes that have quotas.
        cells: Their combinations, the last attribute changing fastest; one empty cell where
            there are no quotas.
        forms: The forms.
    """

    dimensions: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    forms: tuple[FormPlan, ...]

    @property
    def respondents(self) -> int:
        """People over all forms; each answers one."""
        return sum(form.respondents for form in self.forms)

    @property
    def answers(self) -> int:
        """Answers over all forms."""
        return sum(form.answers for form in self.forms)

    @property
    def cost(self) -> Fraction | None:
        """Price of all answers."""
        prices = [form.cost for form in self.forms if form.cost is not None]
        return sum(prices, Fraction(0)) if len(prices) == len(self.forms) else None

    def cell_total(self, at: int) -> int:
        """People of one cell over all forms."""
        return sum(form.cells[at] for form in self.forms)


def plan_survey(forms: Sequence[Form], settings: QuestionnaireSettings) -> Plan:
    """Work out what a survey needs.

    Args:
        forms: Its forms.
        settings: Sizes, quotas, seconds and price.
    """
    quotas = settings.quotas
    cells = tuple(product(*(tuple(shares) for shares in quotas.values())))
    wanted = [
        prod(
            (quotas[name][value] for name, value in zip(quotas, cell, strict=True)),
            start=Fraction(1),
        )
        for cell in cells
    ]
    people = settings.respondents_per_form or settings.respondents_per_question
    counts = share_out(people, wanted, len(forms))
    return Plan(
        dimensions=tuple(quotas),
        cells=cells,
        forms=tuple(
            _form_plan(form, people, cells_of, settings)
            for form, cells_of in zip(forms, counts, strict=True)
        ),
    )


def _form_plan(
    form: Form, people: int, cells: tuple[int, ...], settings: QuestionnaireSettings
) -> FormPlan:
    kinds = [question.kind for question in form.questions]
    price = settings.price
    return FormPlan(
        form=form.id,
        questions={kind: kinds.count(kind) for kind in QuestionKind if kind in kinds},
        minutes=minutes_of(form.questions, len(settings.quotas), settings.seconds),
        respondents=people,
        cells=cells,
        cost=None if price is None else price * people * len(kinds),
    )


def minutes_of(questions: Sequence[Question], attributes: int, seconds: Seconds) -> int:
    """Give the minutes that a form takes, rounded up; the attention check is one question more."""
    taken = sum(int(getattr(seconds, question.kind.value)) for question in questions)
    return ceil(Fraction(taken + (attributes + 1) * seconds.other, 60))


def share_out(people: int, shares: Sequence[Fraction], times: int) -> list[tuple[int, ...]]:
    """Share whole people out among cells, several times over.

    Each time by largest remainder; what rounding gave a cell too much or too little is owed to
    the next time, so that the totals do not drift from the shares.

    Args:
        people: How many there are each time.
        shares: The share of each cell; they add up to 1.
        times: How many times.

    Returns:
        For each time the people of each cell, which add up to `people`.
    """
    owed = [Fraction(0)] * len(shares)
    result = []
    for _ in range(times):
        wanted = [people * share + debt for share, debt in zip(shares, owed, strict=True)]
        given = largest_remainder(people, wanted)
        owed = [want - got for want, got in zip(wanted, given, strict=True)]
        result.append(tuple(given))
    return result


def largest_remainder(people: int, wanted: Sequence[Fraction]) -> list[int]:
    """Round wanted numbers to whole ones from 0 that add up to `people` (Hamilton's method).

    Args:
        people: What they add up to.
        wanted: What each cell should have; they add up to `people`, and one may be a little
            below 0.
    """
    given = [max(0, floor(want)) for want in wanted]
    while sum(given) < people:
        at = max(range(len(given)), key=lambda cell: (wanted[cell] - given[cell], -cell))
        given[at] += 1
    while sum(given) > people:
        cells = [cell for cell, count in enumerate(given) if count]
        at = min(cells, key=lambda cell: (wanted[cell] - given[cell], cell))
        given[at] -= 1
    return given
