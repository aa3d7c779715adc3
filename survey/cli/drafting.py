"""`curate filter --draft`: what a received file is, and a draft of its mapping."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.cli import terminal
from curation.files.workspace import Workspace
from curation.records.messages import counted, plural
from survey.readers.inspection import ROLES, Inspection, Seen, inspect
from survey.readers.opening import delimiter_name

_EACH = 20
_HOW = ("sheet", "encoding", "delimiter")


def draft(
    workspace: Workspace,
    surveys: Sequence[Path],
    mappings: Sequence[Path],
    questionnaire: Path | None,
    read_as: Sequence[str],
) -> terminal.Taken:
    """Say what a file of answers is, and write a draft of its mapping.

    Raises:
        click.UsageError: If there is more than one file, or it is not said how it is read.
    """
    if len(surveys) != 1 or len(mappings) > 1:
        raise click.UsageError("--draft is of one --survey, and of one --mapping to write")
    pairs = [part.partition("=") for part in read_as]
    if wrong := [name for name, _, value in pairs if name not in _HOW or not value]:
        known = ", ".join(f"{name}=..." for name in _HOW)
        raise click.UsageError(f"--read-as: '{wrong[0]}' says nothing; write {known}")
    out = mappings[0] if mappings else None
    how: dict[str, Any] = {name: value for name, _, value in pairs}
    found = inspect(workspace, surveys[0], questionnaire=questionnaire, out=out, **how)
    return _as_dict(found), found.problem is not None, partial(_show, found)


def _show(found: Inspection) -> None:
    for line in _summary(found):
        terminal.echo_fitting(line)
    for role in ROLES:
        members = [seen for seen in found.columns if seen.role == role]
        if members:
            click.echo(f"\n{counted(len(members), 'column')}: {ROLES[role]}")
            header = ("column", "question", "found by", "filled", "distinct", "sample")
            rows = [_cells(seen) for seen in members[:_EACH]]
            lines = terminal.table_lines(header, rows, left=6)
            indent = (
                "  " if max(map(terminal.columns_of, lines)) + 2 <= terminal.columns_there() else ""
            )
            for line in lines:
                click.echo(f"{indent}{line}")
            if len(members) > _EACH:
                click.echo(f"  ... and {len(members) - _EACH} more (see --json)")
    if found.to_do:
        click.echo("\nTo do:")
        for line in found.to_do:
            terminal.echo_fitting(f"  - {line}")
    click.echo("")
    _show_trial(found)
    for line in _last_lines(found):
        terminal.echo_fitting(line)


def _summary(found: Inspection) -> Iterator[str]:
    source, recognised = found.frame.source, found.recognised
    yield f"{found.frame.file}: {recognised.preset}"
    for reason in recognised.reasons:
        yield f"  because {reason}"
    if source.kind != "workbook":
        yield f"  encoding {source.encoding}: {source.encoding_reason}"
    if source.kind == "text":
        yield f"  delimiter {delimiter_name(source.delimiter)}: {source.delimiter_reason}"
    if source.kind == "workbook":
        yield f"  sheet '{source.sheet}' of {', '.join(source.sheets)}"
    rows = recognised.header_rows
    records = counted(len(found.frame), "record")
    yield f"  {rows} header {plural('row', rows)}, {records}"


def _last_lines(found: Inspection) -> Iterator[str]:
    """Say which forms the file answers, what was written to read it, and where the draft is."""
    forms, same = found.built.forms, found.built.mapping == found.draft.mapping
    if forms:
        what = f"form {forms[0]}" if len(forms) == 1 else f"forms {', '.join(forms)}"
        yield f"The file has answers to {what} of 'curate survey build'."
    for path in found.built.paths:
        if forms:
            yield f"Its mapping is {path}; the draft is {'the same' if same else 'another'}."
        else:
            said = "The file has all columns of a form that was built: its mapping"
            yield f"{said} {path} may fit too."
    if found.built.beside:
        yield (
            "Its other sheets are forms too. Give a --mapping for each in the same 'curate filter':"
        )
        yield from (f"  {path}" for path in found.built.beside)
    if found.needs_none:
        yield "The file needs no mapping: 'curate filter --survey FILE' reads it so."
    there = "exists already and was not changed: delete it, or name another file with --mapping."
    yield f"Wrote the draft {found.target}." if found.written else f"{found.target} {there}"


def _cells(seen: Seen) -> tuple[str, ...]:
    numbers = (str(seen.filled), str(seen.distinct))
    return seen.shown_title, seen.place, seen.how, *numbers, " | ".join(seen.sample)


def _show_trial(found: Inspection) -> None:
    trial, problem = found.trial, found.problem
    if trial is not None:
        people, answers = counted(trial.respondents, "respondent"), counted(trial.rows, "answer")
        left = counted(len(trial.excluded), "row")
        terminal.echo_fitting(
            f"With this draft the file has {people} and {answers}; {left} left out."
        )
        terminal.print_findings(trial.findings)
    if problem is not None:
        terminal.echo_fitting(f"With this draft the file cannot be read yet: {problem.what}")
        terminal.echo_fitting(f"  where: {problem.where}")
        terminal.echo_fitting(f"  do:    {problem.hint}")


def _as_dict(found: Inspection) -> dict[str, object]:
    source, trial = found.frame.source, found.trial
    people, rows = (0, 0) if trial is None else (trial.respondents, trial.rows)
    return {
        "file": found.frame.file,
        "preset": found.recognised.preset,
        "reasons": found.recognised.reasons,
        **{name: getattr(source, name) for name in ("encoding", "delimiter", "sheet", "sheets")},
        "header_rows": found.recognised.header_rows,
        "records": len(found.frame),
        "columns": found.columns,
        "to_do": found.to_do,
        "suggested": found.draft.suggested,
        "needs_no_mapping": found.needs_none,
        "forms": [str(path) for path in (*found.built.paths, *found.built.beside)],
        "mapping": found.draft.mapping.model_dump(mode="json", exclude_defaults=True),
        "written": str(found.target) if found.written else None,
        "trial": {
            "respondents": people,
            "answers": rows,
            "excluded": 0 if trial is None else len(trial.excluded),
            "problem": found.problem,
            "findings": () if trial is None else trial.findings,
        },
    }
