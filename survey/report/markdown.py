"""The report as Markdown, for a repository or an appendix."""

from collections.abc import Iterator, Mapping, Sequence

from curation.io.pages.markdown import plain, table
from curation.io.pages.numbers import (
    DASH,
    count,
    decimal,
    decimals,
    percent,
    probability,
    span,
    whole,
)
from curation.io.pages.words import SOURCES
from curation.model.survey import QuestionKind, Role
from survey.report import words
from survey.report.records import QuestionRow, Report, TemplateLine
from survey.report.sections import (
    cross,
    funnels,
    moved_to,
    quota_note,
    sensitivity_tables,
    summary,
)
from survey.report.tables import tables


def markdown(report: Report) -> str:
    """Set a report out as Markdown."""
    parts = (
        _head(report),
        _funnels(report),
        _validation(report),
        _selection(report),
        _comprehension(report),
        _templates(report),
        _respondents(report),
        _quality(report),
        _weights(report),
        _sensitivity(report),
        _words(report),
    )
    lines = [line for part in parts for line in part]
    return "\n".join(lines).rstrip() + "\n"


def _head(report: Report) -> Iterator[str]:
    culture = report.culture
    yield f"# Survey report: {plain(culture.culture)} {plain(culture.version)}"
    yield ""
    yield summary(report)
    yield ""
    ruled = f" Latest ruling in the ledger: {report.ruled_at}." if report.ruled_at else ""
    yield f"Language: {culture.language}.{ruled} Made with curate {report.tool_version}."
    yield ""
    for note in report.notes:
        yield f"> **Please note:** {plain(note)}"
        yield ""


def _funnels(report: Report) -> Iterator[str]:
    yield "## What is left"
    yield ""
    if report.removed:
        yield (
            f"{count(report.removed, 'template')} labelled SR, for a stereotype that does not "
            "exist in this culture, not asked about."
        )
        yield ""
    for funnel in funnels(report):
        rows = [(plain(name), *map(whole, numbers)) for name, numbers in funnel.rows]
        yield from table((funnel.title, *funnel.columns), rows)
        yield funnel.note
        yield ""


def _ruling(row: QuestionRow) -> str:
    near = ", near" if row.near else ""
    reasons = f": {plain('; '.join(row.why))}" if row.why else ""
    return f"{row.ruling}{near}{reasons}"


def _subject(row: QuestionRow) -> str:
    return f"{plain(row.stereotype)} ({plain(row.category)}, {plain(row.id)})"


def _validation(report: Report) -> Iterator[str]:
    rows = report.of_kind(QuestionKind.CHOICE)
    if not rows:
        return
    yield "## Validation"
    yield ""
    header = (
        *("Stereotype", "Target", "Other group", "No such stereotype", "Respondents"),
        *("Share naming the target", "95 % interval", "p", "q", "Ruling"),
    )
    yield from table(header, map(_validated, rows), texts=(0, 1, 2, 9))


def _validated(row: QuestionRow) -> Sequence[str]:
    test = row.certainty
    assert test is not None  # noqa: S101  # every validation question has one
    named = {group.role: f"{plain(group.label)} {group.votes}" for group in row.groups}
    return (
        _subject(row),
        named[Role.TARGET.value],
        named[Role.NON_TARGET.value],
        str(row.none),
        str(row.respondents),
        f"{percent(test.share)} ({test.k} of {test.n})",
        span(test.ci_low, test.ci_high),
        plain(probability(test.p)),
        plain(probability(test.q)),
        _ruling(row),
    )


def _selection(report: Report) -> Iterator[str]:
    rows = report.of_kind(QuestionKind.SELECT_ALL)
    if not rows:
        return
    yield "## Target selection"
    yield ""
    yield "Votes in equal shares, and the group that decides."
    yield ""
    header = (
        *("Stereotype", "Targets", "Non-targets", "Neither", "No such stereotype"),
        *("Respondents", "Equal share", "Decides", "95 % interval", "Ruling"),
    )
    yield from table(header, map(_selected, rows), texts=(0, 1, 2, 3, 7, 9))


def _selected(row: QuestionRow) -> Sequence[str]:
    own = row.decisive
    return (
        _subject(row),
        *(_standing(row, role) for role in ("target", "non_target", "neither")),
        str(row.none),
        str(row.respondents),
        decimal(row.equal_share, 1),
        f"{_deciding(row)} {decimal(own.value)}×" if own else DASH,
        decimals(own.ci_low, own.ci_high) if own else DASH,
        _ruling(row),
    )


def _deciding(row: QuestionRow) -> str:
    return ", ".join(map(plain, row.deciding))


def _standing(row: QuestionRow, role: str) -> str:
    found = [group for group in row.groups if group.role == role]
    return "; ".join(f"{plain(g.label)} {g.votes} ({decimal(g.times)}×)" for g in found) or DASH


def _comprehension(report: Report) -> Iterator[str]:
    rows = report.of_kind(QuestionKind.COMPREHENSION)
    if not rows:
        return
    yield "## Comprehension"
    yield ""
    header = ("Template", "Stereotype", "Correct", "95 % interval", "Ruling")
    yield from table(header, map(_understood, rows), texts=(0, 1, 4))


def _understood(row: QuestionRow) -> Sequence[str]:
    own = row.decisive
    return (
        plain(", ".join(row.templates)),
        plain(row.stereotype),
        f"{percent(own.value)} ({own.k} of {own.n})" if own else DASH,
        span(own.ci_low, own.ci_high) if own else DASH,
        _ruling(row),
    )


def _templates(report: Report) -> Iterator[str]:
    yield from _lines("Undecided templates", report.undecided)
    yield from _lines("Templates decided by a person", report.overridden)
    yield from _lines("Templates with groups taken from the survey", report.modified)


def _lines(title: str, lines: Sequence[TemplateLine]) -> Iterator[str]:
    if not lines:
        return
    yield f"## {title}"
    yield ""
    for line in lines:
        reason = f": {plain(line.reason)}" if line.reason else ""
        by = f", by {plain(line.by)}" if line.by else ""
        yield f"- {line.id} ({plain(line.stereotype)}), {line.status}{by}{reason}"
    yield ""


def _respondents(report: Report) -> Iterator[str]:
    yield "## Respondents"
    yield ""
    people = report.respondents
    if people is None:
        yield "Only counts are known; who the respondents were is not in the workspace."
        yield ""
        return
    yield f"{count(people.total, 'respondent')} in the answers, {people.counted:,} counted."
    yield ""
    if people.median_minutes is not None:
        yield f"The median time was {people.median_minutes} minutes."
        yield ""
    crossed = cross(people)
    if crossed is not None:
        rows = [
            (plain(name), *(f"{number} ({planned})" for number, planned in pairs))
            for name, pairs in crossed.rows
        ]
        corner = plain(crossed.corner.replace("_", " "))
        yield from table((corner, *map(plain, crossed.columns)), rows)
        yield quota_note(people)
        yield ""
    for name, values in people.attributes.items():
        if name not in people.dimensions:
            said = ", ".join(f"{plain(value or 'not known')} {n}" for value, n in values.items())
            yield f"{plain(name)}: {said}"
            yield ""
    if people.unknown:
        yield f"Quotas are set for {', '.join(people.unknown)}, which the answers do not tell."
        yield ""


def _quality(report: Report) -> Iterator[str]:
    yield "### Left out and flagged"
    yield ""
    if not report.quality:
        yield "No rule flags anybody."
        yield ""
        return
    rows = [
        (
            plain(line.rule),
            plain(line.what),
            str(line.respondents or DASH),
            "left out" if line.excluded else "flagged, counted",
            "cannot be told"
            if line.turns is None
            else "; ".join(
                f"{plain(turn.subject)}, {words.RULES[turn.rule]}: {turn.as_set} → {turn.instead}"
                for turn in line.turns
            )
            or "none",
        )
        for line in report.quality
    ]
    header = ("Rule", "Whom", "Respondents", "They are", "Rulings that turn")
    yield from table(header, rows, texts=(0, 1, 3, 4))


def _weights(report: Report) -> Iterator[str]:
    weights = report.weighting
    if weights is None:
        return
    yield "### With weights"
    yield ""
    if weights.problem:
        yield f"There are no weights: {plain(weights.problem)}."
        yield ""
        return
    yield (
        f"{count(weights.respondents, 'respondent')} raked to {_margins(weights.margins)}, "
        f"worth {decimal(weights.effective, 1)} of equal weight (Kish); weights from "
        f"{decimal(weights.lightest)} to {decimal(weights.heaviest)}. The unweighted rulings "
        f"decide; {count(len(weights.turned), 'ruling')} of {len(weights.rulings)} would turn."
    )
    yield ""
    if weights.turned:
        header = ("Subject", "Rule", "As counted", "Ruling", "Weighted", "Ruling", "Effective n")
        yield from table(
            header,
            (
                (
                    plain(row.subject),
                    words.RULES[row.rule],
                    f"{decimal(row.value, 3)} ({decimal(row.threshold, 3)})",
                    row.outcome.value,
                    f"{decimal(row.weighted_value, 3)} ({decimal(row.weighted_threshold, 3)})",
                    row.weighted_outcome.value,
                    decimal(row.effective_n, 1),
                )
                for row in weights.turned
            ),
            texts=(0, 1, 3, 5),
        )


def _margins(margins: Mapping[str, Mapping[str, float]]) -> str:
    """Write the shares that weights were made for."""
    return " and ".join(
        f"{plain(name.replace('_', ' '))} "
        f"({', '.join(f'{plain(value)} {share:g}' for value, share in shares.items())})"
        for name, shares in margins.items()
    )


def _sensitivity(report: Report) -> Iterator[str]:
    yield "## With other thresholds"
    yield ""
    yield (
        "What would be left if one threshold were moved and the others stayed as set; undecided "
        "templates are not among those counted."
    )
    yield ""
    for moved in sensitivity_tables(report):
        header = (moved.title, "Questions", "Stereotypes", "Templates", "Gained", "Lost")
        rows = [
            (
                f"**{moved_to(row.value)} (as set)**" if row.is_set else moved_to(row.value),
                *map(str, (row.questions, row.stereotypes, row.templates)),
                ", ".join(row.gained) or DASH,
                ", ".join(row.lost) or DASH,
            )
            for row in moved.rows
        ]
        yield from table(header, rows, texts=(0, 4, 5))


def _words(report: Report) -> Iterator[str]:
    yield "## Method"
    yield ""
    for title, text in words.method(report):
        yield f"**{title}.** {text}"
        yield ""
    yield "## What this data must not be used for"
    yield ""
    for text in words.USES:
        yield text
        yield ""
    yield "## How to cite"
    yield ""
    for text in (plain(words.citation(report)), *SOURCES):
        yield f"- {text}"
    yield ""
    names = ", ".join(f"`{item.name}.csv`" for item in tables(report))
    yield f"The numbers as tables: `report.xlsx`, {names}."
