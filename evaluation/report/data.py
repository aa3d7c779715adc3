"""From what was read and scored to a report."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from curation.model.findings import Finding
from evaluation.compare.groups import GROUPINGS, group_tests
from evaluation.compare.models import compare_models
from evaluation.compare.values import Unit
from evaluation.report.families import Family
from evaluation.report.rankings import agreements, rankings
from evaluation.report.records import Benchmark, EvaluationReport, Example, ReadAs, Settings
from evaluation.report.words import Known, notes
from evaluation.score import Row
from evaluation.tallies import TALLY_COLUMNS, Scored

_OWN_WORDS = frozenset({"evaluate-missing", "evaluate-no-reply"})
"""Findings that the notes say in their own words."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is made from.

    Attributes:
        benchmark: What is evaluated on.
        settings: How.
        rows: The scores.
        positions: How answers move with the place of a choice.
        tallies: The counts behind the scores, with the columns of `TALLY_COLUMNS`.
        read_as: How replies were read.
        findings: What the scores leave out.
        stories: Scores of continued stories.
        occupations: Scores of occupations.
        examples: Requests with replies.
    """

    benchmark: Benchmark
    settings: Settings
    rows: tuple[Row, ...]
    positions: tuple[Row, ...]
    tallies: Sequence[Row]
    read_as: tuple[ReadAs, ...]
    findings: tuple[Finding, ...]
    stories: Family | None
    occupations: Family | None
    examples: tuple[Example, ...]


def build(material: Material) -> EvaluationReport:
    """Put a report together."""
    settings = material.settings
    models = list(dict.fromkeys(str(row["model"]) for row in material.rows))
    frame = pd.DataFrame(list(material.tallies), columns=list(TALLY_COLUMNS))
    scored = Scored(Path(), settings.kind, frame)
    told = tuple(rankings(material.rows, material.stories, material.occupations))
    ranked = told if len({name for item in told for name in item.values}) > 1 else ()
    known = Known(settings, material.rows, material.read_as, tuple(_others(material, models)))
    differences: tuple[Row, ...] = ()
    if len(models) > 1:
        differences = tuple(compare_models(scored, models, settings.draws, settings.seed))
    return EvaluationReport(
        benchmark=material.benchmark,
        settings=settings,
        rows=material.rows,
        positions=material.positions,
        read_as=material.read_as,
        tests=group_tests(
            {name: scored.of(name) for name in models}, GROUPINGS, Unit.TEMPLATE, settings.kind
        ),
        differences=differences,
        stories=material.stories,
        occupations=material.occupations,
        rankings=ranked,
        agreements=tuple(agreements(ranked)),
        notes=tuple(notes(known)),
        examples=material.examples,
    )


def _others(material: Material, models: Sequence[str]) -> Iterator[str]:
    """Yield what was found wrong with the files, and models that a family has alone."""
    for finding in material.findings:
        if finding.rule not in _OWN_WORDS:
            message = finding.message
            yield f"{message[0].upper()}{message[1:]}." if message else finding.rule
    for name, family in (("stories", material.stories), ("occupations", material.occupations)):
        if family is None:
            continue
        strange = [model for model in family.models if model not in models]
        if strange:
            yield (
                f"{', '.join(strange)}: in the scores of {name}, and not in question answering. "
                "Models are matched by their names."
            )
