"""`curate trace`: where published samples come from."""

from collections.abc import Sequence
from pathlib import Path

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import counted, shortened
from curation.tracing.trace import Trace, TracedSample, trace
from survey.bank import final_bank

_SHOWN = 10
_MISSING = ("row", "sample_id", "context", "question", "template_id", "variant")
"""What is told of a sample that no template gives."""
_TRACED = (
    *("row", "sample_id", "template_id", "variant", "index", "our_id", "context_type"),
    *("question_type", "fillers", "free", "wording", "exact", "differs", "same_answer"),
    *("same_biased_answer", "others"),
)
"""What is told of one that a template gives."""
_NUMBERS = 22
"""Columns that the numbers of a table take."""


@options.curate_command("trace")
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
)
@options.file_option(
    "--mapping",
    help="File that says which columns say what: 'curate import samples --draft' writes it.",
)
def command(workspace: Workspace, files: tuple[Path, ...], mapping: Path | None) -> terminal.Taken:
    """Find the template, variant and filling of each sample in files.

    FILE has samples of this toolkit, published samples of a set of the BBQ family, or samples in
    any layout with --mapping. Their texts are compared with the templates of the bank, filled with
    the groups that the survey found. White space, the order of the choices and the wording of the
    unknown choice may differ. A sample without a template is listed with the most similar template
    and the words that differ; the exit status is then 1, as it is if the template gives a sample
    another answer. --json gives every row; of several files it has the list `files`.
    """
    shown = terminal.progress_of("Rows traced")
    every = final_bank(workspace).every
    found = [trace(workspace, file, every, mapping=mapping, progress=shown) for file in files]
    differs = any(
        not item.found or False in (item.same_answer, item.same_bias)
        for result in found
        for item in result.rows
    )

    def value() -> dict[str, object]:
        told = [*map(_as_dict, found)]
        return told[0] if len(told) == 1 else {"files": told}

    def show() -> None:
        for result in found:
            _show(result)
        click.echo(
            "To see every row with its filling: --json, or curation.trace(...).to_frame() in "
            "Python."
        )

    return value, differs, show


def _as_dict(result: Trace) -> dict[str, object]:
    found = result.found
    return {
        "file": str(result.file),
        "layout": result.layout,
        "rows": len(result.rows),
        "found": len(found),
        "exact": sum(item.exact for item in found),
        "other_answer": sum(item.same_answer is False for item in found),
        "other_biased_answer": sum(item.same_bias is False for item in found),
        "missing": [
            {name: getattr(item, name) for name in _MISSING} | {"differs": item.differences}
            for item in result.missing
        ],
        "traced": [_row(item) for item in found],
        "untraced": [{"variant": name, "problem": error} for name, error in result.untraced],
    }


def _row(item: TracedSample) -> dict[str, object]:
    said = {
        "fillers": dict(item.fillers),
        "differs": item.differences,
        "same_biased_answer": item.same_bias,
    }
    return {name: said[name] if name in said else getattr(item, name) for name in _TRACED}


def _show(result: Trace) -> None:
    found, missing = result.found, result.missing
    samples = counted(len(result.rows), "sample")
    click.echo(terminal.wrapped(f"{samples} of {result.file.name} (layout {result.layout}):"))
    templates = counted(len({item.template_id for item in found}), "template")
    click.echo(f"  found    {len(found):8,}  in {templates} of the bank")
    for what, count in (
        ("with small differences: see 'differs'", sum(not item.exact for item in found)),
        ("with a different right answer", sum(item.same_answer is False for item in found)),
        ("with a different biased answer", sum(item.same_bias is False for item in found)),
    ):
        if count:
            click.echo(f"           {count:8,}  of these: {what}")
    click.echo(f"  missing  {len(missing):8,}")
    if missing:
        click.echo()
        _show_missing(missing)
    if result.untraced:
        names = [name for name, _ in result.untraced]
        terminal.note(
            f"Note: {counted(len(names), 'variant')} cannot be filled, so nothing was compared "
            f"with them: {shortened(names)}"
        )


def _show_missing(missing: Sequence[TracedSample]) -> None:
    by_nearest: dict[str, list[TracedSample]] = {}
    for item in missing:
        by_nearest.setdefault(f"{item.template_id}{item.variant}", []).append(item)
    ranked = sorted(by_nearest.items(), key=lambda pair: -len(pair[1]))
    room = terminal.columns_there() - _NUMBERS - max(len(name) for name, _ in ranked[:_SHOWN])
    rows = (
        (name or "none is similar", _first_difference(it[0], room), len(it), it[0].row)
        for name, it in ranked[:_SHOWN]
    )
    header = ("nearest template", "differs in the first row", "rows", "first row")
    terminal.echo_table(header, rows, left=2)
    if len(ranked) > _SHOWN:
        click.echo(f"... and {len(ranked) - _SHOWN} more (see --json)")


def _first_difference(item: TracedSample, room: int) -> str:
    if not item.differences:
        return ""
    first = item.differences[0]
    each = (room - len(first.where) - 5) // 2  # beside ": " and " / "
    sides = (
        terminal.cut(side, max(each, 8)) if side else "nothing"
        for side in (first.theirs, first.ours)
    )
    return f"{first.where}: {' / '.join(sides)}"
