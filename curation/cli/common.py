"""What commands share: options, and how results and findings are shown."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import click

from curation.io.workspace import Workspace
from curation.model.findings import Finding, Severity

F = TypeVar("F", bound=Callable[..., Any])

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def workspace_option(function: F) -> F:
    """Add `-w/--workspace DIR`; the command receives a `Workspace` as `workspace`."""
    return click.option(
        "-w",
        "--workspace",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(),
        callback=lambda _context, _option, path: Workspace(path),
        help="The workspace [default: the current folder].",
    )(function)


def json_option(function: F) -> F:
    """Add `--json`; the command receives a flag as `as_json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
    )(function)


def print_json(value: object) -> None:
    """Print one JSON object on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def finding_dict(finding: Finding) -> dict[str, object]:
    """Give a finding as JSON holds it."""
    return {**asdict(finding), "severity": finding.severity.value}


def print_findings(findings: Sequence[Finding], *, each: int = 10, err: bool = False) -> None:
    """Print findings by rule, errors first, each rule's hint once.

    Args:
        findings: The findings.
        each: How many of one rule are shown; `--json` holds them all.
        err: Whether to print on standard error.
    """
    by_rule: dict[tuple[int, str, str], list[Finding]] = {}
    for finding in findings:
        key = list(Severity).index(finding.severity), finding.rule, finding.hint
        by_rule.setdefault(key, []).append(finding)
    for (_, rule, hint), members in sorted(by_rule.items(), key=lambda item: item[0][0]):
        for finding in members[:each]:
            click.secho(finding.severity.value, nl=False, err=err, fg=_COLOURS[finding.severity])
            place = f"{finding.where}: " if finding.where else ""
            click.echo(f" [{rule}] {place}{finding.message}", err=err)
        if len(members) > each:
            click.echo(f"    ... and {len(members) - each} more like it (see --json)", err=err)
        if hint:
            click.echo(f"    -> {hint}", err=err)


def count_findings(findings: Iterable[Finding]) -> str:
    """Say how many findings there are of each weight."""
    found = list(findings)
    counts = [(sum(f.severity is severity for f in found), severity) for severity in Severity]
    return ", ".join(f"{count} {plural(severity.value, count)}" for count, severity in counts)


def echo_note(what: str, ids: Sequence[str], shown: int = 8) -> None:
    """Say how many templates something holds of, and which, on standard error."""
    more = ", ..." if len(ids) > shown else ""
    click.echo(
        f"Note: {len(ids)} {plural('template', len(ids))} {what}: {', '.join(ids[:shown])}{more}",
        err=True,
    )


def plural(word: str, count: int) -> str:
    """Give a word in the number that a count asks for."""
    return word if count == 1 or word == "info" else f"{word}s"


def table_lines(
    header: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1
) -> list[str]:
    """Lay out a table for the terminal, wide (CJK) signs counted as two columns.

    Args:
        header: Column titles.
        rows: Cells.
        left: How many columns are aligned to the left; the rest to the right.
    """
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(_width(row[at]) for row in cells) for at in range(len(header))]
    lines = []
    for row in cells:
        padded = [
            cell + " " * (widths[at] - _width(cell))
            if at < left
            else " " * (widths[at] - _width(cell)) + cell
            for at, cell in enumerate(row)
        ]
        lines.append("  ".join(padded).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return lines


def _width(text: str) -> int:
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
