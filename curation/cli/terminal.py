"""What commands print: one JSON object, findings, counts and tables for a terminal."""

import json
import os
import re
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, Any

import click

from curation.cli.coloured import harmless
from curation.records.messages import (
    CurateError,
    Finding,
    Refusal,
    Severity,
    counted,
    has_errors,
    plural,
    shortened,
)

if TYPE_CHECKING:
    from curation.records.survey import Additions

Taken = tuple[Any, Sequence[Finding] | int | CurateError, Callable[[], object]]
"""What a command did: for `--json`, or what makes that; its findings, with which status it ends
(`True` is 1), or the error that stopped it; and what shows it."""

PIPED = 80
"""Columns that output fits into where nobody says how many there are: in a pipe, in a file."""
_NARROWEST, _WIDEST = 40, 100
"""A terminal is taken to have that many columns at least; and no line of prose is longer."""
LISTED = 20
"""So many lines of a list are printed."""
_SHOWN = {Severity.ERROR: 10, Severity.WARNING: 3, Severity.INFO: 3}
"""So many findings of a rule are printed: the next warnings say nothing new."""
_LEAST, _LABELLED = 20, 16
"""No cell is cut to fewer columns; what a longer label tells goes on below it."""
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def columns_there(*, err: bool = False) -> int:
    """How many columns the terminal has that output goes to; `PIPED` where it is none.

    Args:
        err: Whether standard error is meant.
    """
    stream = sys.stderr if err else sys.stdout
    try:
        there = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except OSError:  # a stream that has no file behind it
        there = 0
    return max(there, _NARROWEST) if there else PIPED


def print_json(value: object) -> None:
    """Print one JSON object on standard output; a record of ours with its fields as keys."""
    plain = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=plain, indent=2, default=_plain))


def print_taken(taken: Taken, *, as_json: bool) -> None:
    """Print what a command did, and end with the status that it asks for."""
    value, failed, show = taken
    if as_json:
        print_json(value() if callable(value) else value)
    else:
        show()
    if isinstance(failed, CurateError):
        raise failed
    if status := status_of(taken):
        click.get_current_context().exit(status)


def status_of(taken: Taken) -> int:
    """With which status a command ends."""
    _, failed, _ = taken
    if isinstance(failed, int):
        return int(failed)
    return int(isinstance(failed, CurateError) or has_errors(failed))


def _plain(value: Any) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, CurateError):
        return {"what": value.what, "where": value.where, "hint": value.hint}
    return str(value)


def print_findings(
    findings: Sequence[Finding], *, each: int | None = None, err: bool = False
) -> None:
    """Print findings by rule, errors first, each rule's hint once.

    Args:
        findings: The findings.
        each: How many of one rule are shown, by default ten errors and three others; `--json`
            holds them all.
        err: Whether to print on standard error.
    """
    by_rule: dict[tuple[int, str, str], list[Finding]] = {}
    for finding in findings:
        key = list(Severity).index(finding.severity), finding.rule, finding.hint
        by_rule.setdefault(key, []).append(finding)
    for (_, rule, hint), members in sorted(by_rule.items(), key=lambda item: item[0][0]):
        shown = _SHOWN[members[0].severity] if each is None else each
        for finding in members[:shown]:
            severity = finding.severity.value
            place = f"{finding.where}: " if finding.where else ""
            line = fitting(f"{severity} [{rule}] {place}{finding.message}", " " * 6, err=err)
            click.secho(severity, nl=False, err=err, fg=_COLOURS[finding.severity])
            click.echo(line.removeprefix(severity), err=err)
        if len(members) > shown:
            click.echo(f"    ... and {len(members) - shown} more like it (see --json)", err=err)
        if hint:
            click.echo(fitting(f"    -> {hint}", " " * 7, err=err), err=err)


def fitting(line: str, indent: str, *, err: bool = False) -> str:
    """A line in several that fit a terminal; in a pipe, where programs read it, as it is.

    Of a text in several lines each is taken for itself, and goes on below where it begins.
    """
    if "\n" in line:
        first, *others = line.split("\n")
        below = (fitting(one, one[: -len(one.lstrip()) or None] + "  ", err=err) for one in others)
        return "\n".join((fitting(first, indent, err=err), *below))
    stream = sys.stderr if err else sys.stdout
    return wrapped(line, indent, err=err) if stream.isatty() else line


def echo_fitting(line: str, *, err: bool = False) -> None:
    """Print a line; on a terminal in several that fit it, which go on below what it tells.

    Args:
        line: The line: a label and, after two blanks or more, what is told; or a sentence.
        err: Whether to print on standard error.
    """
    label = _LABEL.match(line)
    told = len(label[0]) if label else 0
    blanks = told if 0 < told <= _LABELLED else len(line) - len(line.lstrip()) + 2
    click.echo(fitting(line, " " * blanks, err=err), err=err)


def echo_list(lines: Sequence[str], what: str) -> None:
    """Print lines as `echo_fitting` does; of a long list the first, and where the others are.

    Args:
        lines: The lines.
        what: What one is called.
    """
    for line in lines[:LISTED]:
        echo_fitting(line)
    if len(lines) > LISTED:
        more = len(lines) - LISTED
        echo_fitting(f"    ... and {more:,} more {plural(what, more)} (see --json)")


_LABEL = re.compile(r" *\S+ {2,}| *(?:where|do|->):? +")


def show_findings(findings: Sequence[Finding]) -> None:
    """Print findings and how many there are, if there are any."""
    if findings:
        print_findings(findings)
        click.echo(count_findings(findings))


def show_refusal(refusal: Refusal) -> None:
    """Print why data were refused, and which copies show it."""
    print_findings(refusal.findings)
    click.echo(refusal.what)
    for path in refusal.marked:
        click.echo(f"marked     {path}: each is shown in this copy")


def to_ledger(added: "Additions", *, dry_run: bool = False) -> str:
    """Say how many decisions the ledger gains, or would gain, and how many it held before."""
    verb = "would be added" if dry_run else "added"
    count = counted(len(added.decisions), "decision")
    return f"{count} {verb} to the ledger, {added.unchanged} unchanged"


def ledger_dict(added: "Additions") -> dict[str, object]:
    """What the ledger gains as `--json` prints it."""
    changed = {"unchanged": added.unchanged, "changes": added.changes}
    return {"added": len(added.decisions), **changed}


def resolved(found: Mapping[str, Any], *, dry_run: bool = False) -> Taken:
    """What a command did that settled labels, as `resolve_decided` tells it."""
    return resolved_dict(found), found["findings"], partial(show_resolved, found, dry_run=dry_run)


def resolved_dict(found: Mapping[str, Any]) -> dict[str, object]:
    """Settled labels as `--json` prints them."""
    return {
        "settled": found["settled"],
        "ledger": ledger_dict(found["added"]),
        "findings": found["findings"],
    }


def show_resolved(found: Mapping[str, Any], *, dry_run: bool = False) -> None:
    """Show which labels are settled, and which of them anew."""
    settled = [f"decided    {item.subject}  {item.reason}" for item in found["added"].decisions]
    echo_list(settled, "template")
    for change in found["added"].changes:
        before, after = change["before"], change["after"]
        echo_fitting(
            f"changed    {after.subject}: '{before.reason}' ({before.by}, {before.at}) is now "
            f"'{after.reason}'"
        )
    print_findings(found["findings"])
    done = counted(len(found["settled"]), "template")
    click.echo(f"{done} decided; {to_ledger(found['added'], dry_run=dry_run)}.")


def count_findings(findings: Iterable[Finding]) -> str:
    """Say how many findings there are of each weight."""
    found = list(findings)
    counts = [(sum(f.severity is severity for f in found), severity) for severity in Severity]
    return ", ".join(f"{count} {plural(severity.value, count)}" for count, severity in counts)


def echo_note(what: str, ids: Sequence[str]) -> None:
    """Say how many templates something holds of, and which, on standard error."""
    note(f"Note: {len(ids)} {plural('template', len(ids))} {what}: {shortened(ids)}")


def note(text: str) -> None:
    """Print a note on standard error, in lines that fit a terminal."""
    click.echo(wrapped(text, " " * 6, err=True), err=True)


def wrapped(text: str, indent: str = "", *, err: bool = False) -> str:
    """A text in lines that fit a terminal, those after the first one indented."""
    lines, line = [], ""
    room = min(columns_there(err=err), _WIDEST)
    for word in _WORD.findall(text):
        if line.strip() and columns_of(line + word) > room:
            lines.append(line)
            word = indent + word.lstrip()
            line = ""
        line += word
    return "\n".join([*lines, line])


_QUOTED = r"'curate [^'\n]*'"
_BARE = r"curate [a-z][^\s:;,]*(?: [^\s:;,]+)*"
_WORD = re.compile(rf"\s*(?:[(]?{_QUOTED}\S*|{_BARE}\S*|\S+)")
"""What is not broken: a word, or a command, which is copied from the terminal; one without
quotation marks goes on to the next colon, semicolon or comma: nothing else says where it ends."""


def show_progress(what: str, done: int, total: int) -> None:
    """A line that says how far a work is, on a terminal alone; it goes when all is done."""
    if sys.stderr.isatty():
        line = f"\r{harmless(what)}: {done} of {total}\033[K" if done < total else "\r\033[K"
        sys.stderr.write(line)
        sys.stderr.flush()


def progress_of_each(
    clock: Callable[[], float] = time.monotonic,
) -> Callable[[str, int, int], None]:
    """What shows how far each of several works is that may be short: ten times a second.

    Nothing is shown in the first second, that of the whole command: a user waits for it.

    Args:
        clock: Seconds that pass.
    """
    begun = clock()
    shown: float | None = None

    def show(what: str, done: int, total: int) -> None:
        nonlocal shown
        now = clock()
        if now - begun < 1 if shown is None else done < total and now - shown < 0.1:
            return
        shown = now if done < total else None
        show_progress(what, done, total)

    return show


def progress_of(what: str) -> Callable[[int, int], None]:
    """What shows how far one work is, as `progress_of_each` does."""
    return partial(progress_of_each(), what)


def echo_table(header: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1) -> None:
    """Print a table as `table_lines` lays it out."""
    click.echo("\n".join(table_lines(header, rows, left)))


def table_lines(
    header: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1
) -> list[str]:
    """Lay out a table for a terminal, wide (CJK) characters counted as two columns.

    Where a table is too wide, titles of the columns to the right are written in several lines.
    Where it still is, its columns are written below one another in several tables, each with the
    columns to the left, of which cells with blanks go on in the next line.

    Args:
        header: Column titles.
        rows: Cells.
        left: How many columns are aligned to the left; the rest to the right.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    there = columns_there()
    stacked = (_stacked(header, left, parts) for parts in (_BLANKS, _UNDERSCORES))
    for titles in ([list(header)], *stacked):
        if _whole(_widths(titles + cells)) <= there:
            return _laid_out(titles, cells, left)
    titles = _stacked(header, left, _BLANKS)
    room = there - 2 * (len(header) - 1) - sum(_widths(titles + cells)[left:])
    cells = _folded(titles, cells, left, max(room, there // 2), min(_LEAST, there // 4))
    widths = _widths(titles + cells)
    lines: list[str] = []
    for part in _parts(widths, left, there):
        at = [*range(left), *part]
        titles = _stacked([header[i] for i in at], left, _BLANKS)
        lines += [""] if lines else []
        lines += _laid_out(titles, [[row[i] for i in at] for row in cells], left)
    return lines


def _parts(widths: Sequence[int], left: int, there: int) -> list[list[int]]:
    """Which columns to the right stand beside one another: as many as fit."""
    found: list[list[int]] = [[]]
    for at in range(left, len(widths)):
        beside = [widths[i] for i in (*range(left), *found[-1], at)]
        if found[-1] and _whole(beside) > there:
            found.append([])
        found[-1].append(at)
    return found


def _whole(widths: Sequence[int]) -> int:
    """How wide a table is."""
    return sum(widths) + 2 * (len(widths) - 1)


def _laid_out(
    titles: Sequence[Sequence[str]], cells: Sequence[Sequence[str]], left: int
) -> list[str]:
    widths = _widths([*titles, *cells])
    lines = []
    for row in (*titles, *cells):
        padded = [
            cell + " " * (widths[at] - columns_of(cell))
            if at < left
            else " " * (widths[at] - columns_of(cell)) + cell
            for at, cell in enumerate(row)
        ]
        lines.append("  ".join(padded).rstrip())
    lines.insert(len(titles), "  ".join("-" * width for width in widths))
    return lines


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(columns_of, column)) for column in zip(*rows, strict=True)]


_BLANKS, _UNDERSCORES = re.compile(r"\S+"), re.compile(r"[^\s_]+_?")
"""The words of a title."""


def _stacked(header: Sequence[str], left: int, parts: "re.Pattern[str]") -> list[list[str]]:
    """Titles, to the right each word on a line of its own; the last lines are level."""
    words = [[title] if at < left else parts.findall(title) for at, title in enumerate(header)]
    height = max(map(len, words))
    return [list(line) for line in zip(*([""] * (height - len(w)) + w for w in words), strict=True)]


def _folded(
    titles: Sequence[Sequence[str]], cells: list[list[str]], left: int, room: int, least: int
) -> list[list[str]]:
    """Rows of which the longest cells on the left go on below until the columns there fit."""
    titled = _widths(titles)
    widths = _widths([*titles, *cells])
    over = sum(widths[:left]) - room
    floor = [
        max(titled[at], least) if any(" " in row[at] for row in cells) else widths[at]
        for at in range(left)
    ]
    while over > 0:
        at = max(range(left), key=lambda at: widths[at] - floor[at])
        if widths[at] <= floor[at]:
            break
        widths[at] -= 1
        over -= 1
    rows = []
    for row in cells:
        lines = [_fold(cell, widths[at]) if at < left else [cell] for at, cell in enumerate(row)]
        rows += [list(line) for line in zip_longest(*lines, fillvalue="")]
    return rows


def _fold(text: str, width: int) -> list[str]:
    """A text in lines of so many columns, parted at blanks, and words where they are longer."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if columns_of(longer) <= width:
            lines[-1] = longer
            continue
        lines += [""] if lines[-1] else []
        while columns_of(word) > width:
            at = max(1, bisect_right(list(accumulate(map(columns_of, word))), width))
            lines[-1], word = word[:at], word[at:]
            lines.append("")
        lines[-1] = word
    return lines


def cut(text: str, width: int) -> str:
    """A text in so many columns of a terminal, its end left out where it is longer."""
    if columns_of(text) <= width:
        return text
    room = width - 3
    shown = list(accumulate(map(columns_of, text)))
    return f"{text[: bisect_right(shown, room)]}..."


def quoted(text: str, width: int) -> str:
    """A text of data in quotes and one line, cut to so many columns, with nothing raw in it."""
    return f'"{cut(harmless(" ".join(text.split())), width - 2)}"'


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes; a mark above or below a letter takes none."""
    import unicodedata

    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
        if unicodedata.category(character) not in ("Mn", "Me", "Cf")
    )


def echo_counts(*counted: tuple[int, str]) -> None:
    """Print counts that are not 0, a line each: what is counted, in the plural, then the number."""
    for count, said in counted:
        if count:
            click.echo(f"{said}: {count:,}")
