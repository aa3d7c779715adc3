"""The report's tables, as CSV."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from curation.files.tables import write_csv
from evaluation.compare.anova import ANOVA_COLUMNS, PERMUTATION_COLUMNS, TUKEY_COLUMNS
from evaluation.compare.templates import DRIVER_COLUMNS
from evaluation.compare.wilcoxon import MODEL_COLUMNS
from evaluation.qa.score import POSITION_COLUMNS, SCORE_COLUMNS, Row, cells
from evaluation.reporting.families import OCCUPATION_COLUMNS, STORY_COLUMNS
from evaluation.reporting.records import EvaluationReport

RULE_COLUMNS = ("model", "rule", "replies")
"""The columns of `rules.csv`."""
RANKING_COLUMNS = ("measure", "family", "ideal", "model", "value", "rank")
"""The columns of `rankings.csv`."""
AGREEMENT_COLUMNS = (
    *("measure_1", "measure_2", "models", "tau", "pairs", "opposed", "furthest", "difference"),
)
"""The columns of `agreement.csv`."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its name, which is that of its file.

    Attributes:
        name: In small letters.
        columns: The header.
        rows: The records.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def tables(report: EvaluationReport) -> list[Table]:
    """The tables of a report: those of every report, and further ones that have rows."""
    empty: tuple[Row, ...] = ()
    stories = report.stories.rows if report.stories is not None else empty
    occupations = report.occupations.rows if report.occupations is not None else empty
    always = [
        Table("scores", SCORE_COLUMNS, report.rows),
        Table("positions", POSITION_COLUMNS, report.positions),
        Table("anova", ANOVA_COLUMNS, report.tests.anova),
        Table("tukey", TUKEY_COLUMNS, report.tests.tukey),
        Table("permutation", PERMUTATION_COLUMNS, report.tests.permutation),
        Table("rules", RULE_COLUMNS, tuple(_rules(report))),
    ]
    further = [
        Table("drivers", DRIVER_COLUMNS, report.drivers),
        Table("models", MODEL_COLUMNS, report.differences),
        Table("stories", STORY_COLUMNS, stories),
        Table("occupations", OCCUPATION_COLUMNS, occupations),
        Table("rankings", RANKING_COLUMNS, tuple(_rankings(report))),
        Table("agreement", AGREEMENT_COLUMNS, tuple(_agreement(report))),
    ]
    return [*always, *(table for table in further if table.rows)]


def write_tables(folder: Path, found: list[Table]) -> None:
    """Write tables as CSV.

    Raises:
        CurateError: If one cannot be written.
    """
    for table in found:
        path = folder / f"{table.name}.csv"
        write_csv(path, table.columns, cells(table.rows, table.columns))


def _fields(item: object, names: Iterable[str]) -> Row:
    return {name: getattr(item, name) for name in names}


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


def _agreement(report: EvaluationReport) -> Iterator[Row]:
    for item in report.agreements:
        yield {
            "measure_1": item.first.name,
            "measure_2": item.second.name,
            "models": len(item.models),
            **_fields(item, AGREEMENT_COLUMNS[3:]),
        }
