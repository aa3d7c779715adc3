"""What a report says of the respondents: who they are, whom to doubt, how they are weighted."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt

from curation.model.culture import Culture, SurveySettings
from curation.model.errors import CurateError
from curation.model.rounding import half_up
from curation.model.survey import Tally
from survey.answers import RESERVED_ATTRIBUTES, Answers
from survey.comparison import effects, kept_rows, weighted
from survey.counting import count_answers
from survey.quality import RULES, Flags, durations
from survey.report.records import (
    ExclusionLine,
    Material,
    People,
    QualityLine,
    QuotaCell,
    Respondents,
    Weighting,
)
from survey.report.words import quality_rule
from survey.thresholds import rounded
from survey.weights import kish, rake

_ONE = Fraction(1)


def counts_agree(people: People, settings: SurveySettings, tallies: Sequence[Tally]) -> bool:
    """Say whether the answers are those that the counts come from.

    Args:
        people: The answers.
        settings: The settings that the counts were made with.
        tallies: The counts; other files may have brought some of them.
    """
    rows = kept_rows(people.answers, people.flagged, settings.exclude)
    counted, _ = count_answers(people.answers, rows)
    known = {tally.question.id: (tally.respondents, tally.votes) for tally in tallies}
    return all(
        known.get(tally.question.id) == (tally.respondents, tally.votes) for tally in counted
    )


def respondents_part(people: People, culture: Culture, settings: SurveySettings) -> Respondents:
    """Tell who answered, and by the quotas' attributes how many of each kind.

    Args:
        people: The answers.
        culture: For the quotas.
        settings: For who is left out.
    """
    counted = _counted(people, settings)
    seconds = durations(people.answers)[counted]
    known = seconds[~np.isnan(seconds)]
    attributes = {
        name: _counts(values, counted)
        for name, values in people.answers.attributes.items()
        if name not in RESERVED_ATTRIBUTES
    }
    quotas = culture.questionnaire.quotas
    dimensions = tuple(name for name in quotas if any(attributes.get(name, {})))
    return Respondents(
        total=len(counted),
        counted=int(counted.sum()),
        median_minutes=_minutes(known) if known.size else None,
        attributes=attributes,
        dimensions=dimensions,
        unknown=tuple(name for name in quotas if name not in dimensions),
        cells=_cells(people.answers, counted, {name: quotas[name] for name in dimensions}),
        stated="quotas" in culture.questionnaire.model_fields_set,
    )


def _minutes(seconds: npt.NDArray[np.float64]) -> float:
    """Give the median in minutes, to a tenth."""
    return float(half_up(float(np.median(seconds)) / 60, 1))


def _counted(people: People, settings: SurveySettings) -> Flags:
    """Tell of each respondent whether no excluding rule flags him."""
    counted = np.ones(len(people.answers.respondents), dtype=bool)
    for rule, flags in people.flagged.flags.items():
        if rule in settings.exclude:
            counted &= ~flags
    return counted


def _counts(values: Sequence[str], counted: Flags) -> dict[str, int]:
    """Count the values of those who are counted, by their names."""
    mine = [value for value, one in zip(values, counted, strict=True) if one]
    return {value: mine.count(value) for value in sorted(set(mine))}


def _cells(
    answers: Answers, counted: Flags, quotas: Mapping[str, Mapping[str, Fraction]]
) -> tuple[QuotaCell, ...]:
    """Count people by combination, first those of the plan, then those that it does not have."""
    if not quotas:
        return ()
    columns = [answers.attributes[name] for name in quotas]
    people = [
        values for values, one in zip(zip(*columns, strict=True), counted, strict=True) if one
    ]
    shares = [dict(values) for values in quotas.values()]
    planned = {
        cell: rounded(prod(map(dict.__getitem__, shares, cell), start=_ONE))
        for cell in product(*quotas.values())
    }
    others = sorted(set(people) - set(planned))
    return tuple(
        QuotaCell(cell, planned.get(cell), people.count(cell)) for cell in (*planned, *others)
    )


def quality_part(material: Material) -> tuple[QualityLine, ...]:
    """Tell by rule who was left out or flagged, and which rulings hang on it."""
    settings, people = material.settings, material.people
    by_rule: dict[str, list[ExclusionLine]] = {}
    for line in material.exclusions:
        by_rule.setdefault(line.rule, []).append(line)
    turned = {}
    if people is not None:
        found = effects(people.answers, people.flagged, settings.exclude, settings)
        turned = {effect.rule: effect.turns for effect in found}
    quality = [rule.name for rule in RULES]
    order = [name for name in quality if name in by_rule]
    order += [name for name in by_rule if name not in quality]
    return tuple(
        QualityLine(
            rule=name,
            what=quality_rule(name, settings),
            respondents=_people(by_rule[name]),
            records=len(by_rule[name]),
            excluded=any(line.excluded for line in by_rule[name]),
            turns=turned.get(name),
        )
        for name in order
    )


def _people(lines: Iterable[ExclusionLine]) -> int:
    return len({line.respondent for line in lines if line.respondent})


def weighting_part(people: People, settings: SurveySettings) -> Weighting | None:
    """Rule on weighted counts beside the plain ones, where margins are set.

    Margins that cannot be met are a problem of the result: the rest of a report stands
    without weights.
    """
    if not settings.margins:
        return None
    counted = _counted(people, settings)
    answers = people.answers
    mine = {
        name: tuple(value for value, one in zip(values, counted, strict=True) if one)
        for name, values in answers.attributes.items()
    }
    try:
        raked = rake(mine, settings.margins)
    except CurateError as error:
        hint = f" ({error.hint})" if error.hint else ""
        return Weighting(settings.margins, problem=f"{error.what}{hint}")
    weights: npt.NDArray[np.float64] = np.zeros(len(counted))
    weights[counted] = raked
    rows = kept_rows(answers, people.flagged, settings.exclude)
    return Weighting(
        margins=settings.margins,
        respondents=int(counted.sum()),
        effective=rounded(kish(raked)),
        lightest=rounded(float(raked.min())),
        heaviest=rounded(float(raked.max())),
        rulings=tuple(weighted(answers, rows, weights, settings)),
    )
