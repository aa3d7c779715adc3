"""The report's tables: written as CSV, and the sheets of the workbook."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeAlias

from curation.io.tables import write_csv
from curation.io.writers.cells import escape_formula, json_list
from curation.model.rounding import significant
from curation.model.survey import QuestionKind, Role
from survey.filtering import FunnelRow
from survey.ledger import DROPPING_ORDER
from survey.report.records import QuestionRow, Report, TemplateLine

Value: TypeAlias = str | int | float | bool | tuple[str, ...] | None
"""What stands in a cell; None where there is no number."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its name, which is that of its file and its sheet.

    Attributes:
        name: In small letters.
        columns: The header.
        rows: Records with a value for each column.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


QUESTION_COLUMNS = (
    "question_id",
    "kind",
    "category",
    "stereotype",
    "templates",
    "target",
    "non_target",
    "respondents",
    "no_stereotype",
    "equal_share",
    "k",
    "n",
    "share",
    "value",
    "threshold",
    "margin",
    "ci_low",
    "ci_high",
    "p",
    "q",
    "ruling",
    "reasons",
    "near",
)
"""The columns of `questions.csv`. From `k` to `ci_high` they are those of the ledger for the rule
that is the kind's own: for target selection from `value` on in equal shares. `share` is `k / n`."""
GROUP_COLUMNS = (
    "question_id",
    "kind",
    "category",
    "stereotype",
    "group",
    "counts",
    "votes",
    "respondents",
    "share",
    "times",
    "ci_low",
    "ci_high",
    "role",
    "near",
)
"""The columns of `groups.csv`; `times` and the interval are in equal shares."""
FUNNEL_COLUMNS = (
    "of",
    "part",
    "before",
    *(rule.value for rule in DROPPING_ORDER),
    "manual",
    "undecided",
    "after",
)
"""The columns of `funnel.csv`. A question may fall by several rules, a stereotype or template is
counted at the first; what is undecided is among those after."""
SENSITIVITY_COLUMNS = (
    "setting",
    "value",
    "as_set",
    "questions",
    "stereotypes",
    "templates",
    "gained",
    "lost",
)
"""The columns of `sensitivity.csv`."""
EXCLUSION_COLUMNS = ("rule", "what", "respondents", "records", "excluded", "turns", "turned")
"""The columns of `exclusions.csv`; `turns` is empty where it cannot be told."""
TEMPLATE_COLUMNS = tuple(item.name for item in fields(TemplateLine))
"""The columns of `templates.csv`."""
WEIGHT_COLUMNS = (
    "subject",
    "rule",
    "outcome",
    "value",
    "threshold",
    "weighted_outcome",
    "weighted_value",
    "weighted_threshold",
    "effective_n",
    "turned",
)
"""The columns of `weighted.csv`."""


def tables(report: Report) -> list[Table]:
    """Give all tables of a report; those without a record too, but for weights."""
    found = [
        Table("questions", QUESTION_COLUMNS, tuple(map(_question, report.questions))),
        Table("groups", GROUP_COLUMNS, tuple(_groups(report))),
        Table("funnel", FUNNEL_COLUMNS, tuple(_funnel(report))),
        Table("sensitivity", SENSITIVITY_COLUMNS, tuple(_sensitivity(report))),
        Table("templates", TEMPLATE_COLUMNS, tuple(_templates(report))),
        Table("exclusions", EXCLUSION_COLUMNS, tuple(_exclusions(report))),
        _quotas(report),
    ]
    if report.weighting is not None and not report.weighting.problem:
        found.append(Table("weighted", WEIGHT_COLUMNS, tuple(_weighted(report))))
    return found


def _question(row: QuestionRow) -> tuple[Value, ...]:
    own, test = row.decisive, row.certainty
    k, n = (own.k, own.n) if own else (None, None)
    return (
        row.id,
        row.kind.value,
        row.category,
        row.stereotype,
        row.templates,
        _named(row, Role.TARGET.value),
        _named(row, Role.NON_TARGET.value),
        row.respondents,
        row.none,
        row.equal_share,
        k,
        n,
        k / n if k is not None and n else None,
        own.value if own else None,
        own.threshold if own else None,
        own.margin if own else None,
        own.ci_low if own else None,
        own.ci_high if own else None,
        test.p if test else None,
        test.q if test else None,
        row.ruling.value,
        tuple(f"{item.rule}: {item.reason}" for item in row.rulings if item.reason),
        row.near,
    )


def _named(row: QuestionRow, role: str) -> tuple[str, ...]:
    if row.kind is QuestionKind.COMPREHENSION:
        return ()
    return tuple(group.label for group in row.groups if group.role == role)


def _groups(report: Report) -> Iterator[tuple[Value, ...]]:
    for row in report.questions:
        for group in row.groups:
            yield (
                row.id,
                row.kind.value,
                row.category,
                row.stereotype,
                group.label,
                group.counts,
                group.votes,
                row.respondents,
                group.votes / row.respondents if row.respondents else None,
                group.times,
                group.ci_low,
                group.ci_high,
                group.role,
                group.near,
            )


def _funnel(report: Report) -> Iterator[tuple[Value, ...]]:
    for line in report.question_funnel:
        dropped = [line.dropped[rule] for rule in DROPPING_ORDER]
        after = line.kept + line.unanswered
        yield ("questions", line.kind.value, line.asked, *dropped, 0, line.unanswered, after)
    yield from _funnel_rows("stereotypes", report.stereotype_funnel)
    yield from _funnel_rows("templates", report.template_funnel)


def _funnel_rows(name: str, rows: Iterable[FunnelRow]) -> Iterator[tuple[Value, ...]]:
    for row in rows:
        dropped = [row.dropped[rule] for rule in DROPPING_ORDER]
        yield (name, row.category, row.before, *dropped, row.manual, row.undecided, row.after)


def _sensitivity(report: Report) -> Iterator[tuple[Value, ...]]:
    for row in report.sensitivity:
        counts = (row.questions, row.stereotypes, row.templates)
        yield (row.setting, str(row.value), row.is_set, *counts, row.gained, row.lost)


def _templates(report: Report) -> Iterator[tuple[Value, ...]]:
    lines = dict.fromkeys((*report.undecided, *report.overridden, *report.modified))
    for line in lines:
        yield tuple(getattr(line, name) for name in TEMPLATE_COLUMNS)


def _exclusions(report: Report) -> Iterator[tuple[Value, ...]]:
    for line in report.quality:
        turned = [f"{turn.subject}, {turn.rule}: {turn.instead}" for turn in line.turns or ()]
        turns = None if line.turns is None else len(turned)
        counts = (line.respondents, line.records)
        yield (line.rule, line.what, *counts, line.excluded, turns, tuple(turned))


def _quotas(report: Report) -> Table:
    people = report.respondents
    dimensions = people.dimensions if people else ()
    rows = tuple(
        (
            *cell.values,
            cell.planned,
            None if cell.planned is None else cell.planned * people.counted,
            cell.answered,
            cell.answered / people.counted if people.counted else None,
        )
        for cell in (people.cells if people else ())
        if people
    )
    columns = (*dimensions, "planned_share", "planned", "answered", "answered_share")
    return Table("quotas", columns, rows)


def _weighted(report: Report) -> Iterator[tuple[Value, ...]]:
    for row in report.weighting.rulings if report.weighting else ():
        yield (
            row.subject,
            row.rule.value,
            row.outcome.value,
            row.value,
            row.threshold,
            row.weighted_outcome.value,
            row.weighted_value,
            row.weighted_threshold,
            row.effective_n,
            row.outcome is not row.weighted_outcome,
        )


def write_tables(folder: Path, found: Iterable[Table]) -> list[Path]:
    """Write tables as CSV, one file each.

    Raises:
        CurateError: If one cannot be written.
    """
    written = []
    for table in found:
        path = folder / f"{table.name}.csv"
        write_csv(path, table.columns, (list(map(text, row)) for row in table.rows))
        written.append(path)
    return written


def text(value: Value) -> str:
    """Write a value as a cell of text: numbers to six digits, lists as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{significant(value):.6g}"
    if isinstance(value, tuple):
        return json_list(value)
    return escape_formula(value) if isinstance(value, str) else str(value)
