"""The report's tables, as CSV."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from curation.files.tables import write_csv
from evaluation.compare.anova import ANOVA_COLUMNS, PERMUTATION_COLUMNS, TUKEY_COLUMNS
from evaluation.compare.templates import DRIVER_COLUMNS
from evaluation.compare.wilcoxon import MODEL_COLUMNS
from evaluation.qa.score import POSITION_COLUMNS, SCORE_COLUMNS, Row, cells
from evaluation.reporting.families import AGREEMENT_COLUMNS, OCCUPATION_COLUMNS, STORY_COLUMNS
from evaluation.reporting.records import EvaluationReport

RULE_COLUMNS = ("model", "rule", "replies")
"""The columns of `rules.csv`."""
RANKING_COLUMNS = ("measure", "family", "ideal", "model", "value", "rank")
"""The columns of `rankings.csv`."""

Table = tuple[Sequence[str], Sequence[Row]]
"""A table: its columns and rows."""


def tables(report: EvaluationReport) -> dict[str, Table]:
    """The tables of a report by name: those of every report, and further ones that have rows."""
    always: dict[str, Table] = {
        "scores": (SCORE_COLUMNS, report.rows),
        "positions": (POSITION_COLUMNS, report.positions),
        "anova": (ANOVA_COLUMNS, report.tests["anova"]),
        "tukey": (TUKEY_COLUMNS, report.tests["tukey"]),
        "permutation": (PERMUTATION_COLUMNS, report.tests["permutation"]),
        "rules": (RULE_COLUMNS, list(_rules(report))),
    }
    if not report.rows:
        always = {}
    further: dict[str, Table] = {
        "drivers": (DRIVER_COLUMNS, report.drivers),
        "models": (MODEL_COLUMNS, report.differences),
        "stories": (STORY_COLUMNS, report.stories or ()),
        "occupations": (OCCUPATION_COLUMNS, report.occupations or ()),
        "rankings": (RANKING_COLUMNS, list(_rankings(report))),
        "agreement": (AGREEMENT_COLUMNS, report.agreements),
    }
    return always | {name: table for name, table in further.items() if table[1]}


def write_tables(folder: Path, found: Mapping[str, Table]) -> None:
    """Write tables as CSV.

    Raises:
        CurateError: If one cannot be written.
    """
    for name, (columns, rows) in found.items():
        write_csv(folder / f"{name}.csv", columns, cells(rows, columns))


def _rules(report: EvaluationReport) -> Iterator[Row]:
    for item in report.read_as:
        for rule, count in item.rules.items():
            yield {"model": item.model, "rule": rule, "replies": count}


def _rankings(report: EvaluationReport) -> Iterator[Row]:
    for item in report.rankings:
        for model, rank in item.ranks.items():
            yield {
                "measure": item.measure.name,
                "family": item.measure.family,
                "ideal": item.measure.ideal,
                "model": model,
                "value": item.values[model],
                "rank": rank,
            }
