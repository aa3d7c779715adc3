"""`curate evaluate stories agreement`: how far readers agree, and the evaluator with them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import click

from curation.cli.clock import now
from curation.cli.common import (
    finding_dict,
    json_option,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.evaluate_stories_passages import asked_file
from curation.cli.sheets import findings_of, mark_copies, say_refused
from curation.io.annotations import AnnotationsFolder, keep_raw
from curation.io.workbooks import FilledSheet, OpenBook, open_workbook, read_sheet
from curation.io.workspace import Workspace
from curation.model.annotation import person_key
from curation.model.errors import CurateError
from curation.model.findings import Finding, has_errors
from curation.stages.agreement import Pair, Ratings, pair
from evaluation.requests import REQUESTS
from evaluation.stories.passages import (
    PASSAGES,
    READ_BY_PEOPLE,
    PersonReading,
    draw_passages,
    evaluator_readings,
    passage_sheet,
    person_reading,
    read_people,
    write_people,
)
from evaluation.stories.reading import FOLDER
from evaluation.stories.readings import READINGS


@dataclass(frozen=True, slots=True)
class _Returned:
    """What was returned; nothing is written yet."""

    books: tuple[tuple[OpenBook, FilledSheet], ...]
    readings: tuple[PersonReading, ...]
    findings: tuple[Finding, ...]


@click.command("agreement")
@workspace_option
@click.argument(
    "files", nargs=-1, type=click.Path(dir_okay=False, path_type=Path), metavar="[FILE]..."
)
@click.option(
    "--requests",
    type=click.Path(path_type=Path),
    help=f"What the evaluator was asked [default: exports/{FOLDER}/{REQUESTS}].",
)
@click.option(
    "--readings",
    type=click.Path(path_type=Path),
    help="How the evaluator read them: readings.csv of 'stories readings'.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    files: tuple[Path, ...],
    requests: Path | None,
    readings: Path | None,
    as_json: bool,
) -> None:
    """Read the workbooks that readers returned, and give Cohen's kappa for every two.

    What is read goes to annotations/stories_readers.csv, in the place of what the same readers
    returned earlier; without FILE what was read before is shown again. With --readings the
    evaluator is one of those who are held against each other. Kappa is taken over the passages
    that both read; it is undefined where both gave one answer alone. Nothing is written when a
    workbook has an error: a marked copy is.

    \b
    Example: curate evaluate stories agreement returned/*.xlsx --readings judged/readings.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    path = AnnotationsFolder(workspace.root).folder / READ_BY_PEOPLE
    returned = _read(workspace, files, requests)
    if has_errors(returned.findings):
        copies = mark_copies(workspace, returned.books)
        if as_json:
            findings = [finding_dict(item) for item in returned.findings]
            print_json({"findings": findings, "marked": [str(copy) for copy in copies]})
        else:
            print_findings(returned.findings)
            say_refused(returned.findings, copies)
        ctx.exit(1)
    if files:
        for book, _ in returned.books:
            folder = AnnotationsFolder(workspace.root)
            keep_raw(folder.raw(book.path.name, book.data), book.data)
        write_people(path, read_people(path), returned.readings)
    people = read_people(path)
    if not people:
        raise CurateError(
            "no reading by people was returned yet",
            workspace.shown(path),
            "name the workbooks: curate evaluate stories agreement FILE...",
        )
    ratings, names, evaluator = _ratings(people, readings)
    pairs = [pair(ratings, one, other, READINGS) for one, other in combinations(names, 2)]
    _tell(pairs, names, evaluator, ratings, returned.findings, as_json=as_json)


def _read(workspace: Workspace, files: Sequence[Path], requests: Path | None) -> _Returned:
    books: dict[str, tuple[OpenBook, FilledSheet]] = {}
    readings: list[PersonReading] = []
    at = now()
    folder = AnnotationsFolder(workspace.root)
    for path in files:
        book = open_workbook(path, PASSAGES)
        reader = " ".join(book.about.get("reader", "").split())
        if not reader or person_key(reader) in books:
            what = f"two workbooks are by '{reader}'" if reader else "the workbook names no reader"
            raise CurateError(what, str(path), "name one workbook for each reader")
        passages = draw_passages(asked_file(workspace, requests), *_draw_of(book))
        filled = read_sheet(book, passage_sheet(passages))
        by_id = {item.request_id: item for item in passages}
        source = workspace.shown(folder.raw(book.path.name, book.data))
        found = [
            person_reading(row, by_id[row.key], reader, source, at)
            for row in filled.rows
            if row.filled
        ]
        readings += [item for item in found if item is not None]
        if not any(found) and not filled.has_errors:
            what = f"{reader} has answered no passage"
            filled.mark(None, "", "passages-empty", what, "send the workbook back")
        books[person_key(reader)] = book, filled
    findings = [item for _, filled in books.values() for item in findings_of(filled.marks)]
    return _Returned(tuple(books.values()), tuple(readings), tuple(findings))


def _draw_of(book: OpenBook) -> tuple[int, int]:
    """Give how the passages of a workbook were drawn.

    Raises:
        CurateError: If the workbook does not say.
    """
    try:
        return int(book.about["count"]), int(book.about["seed"])
    except (KeyError, ValueError) as error:
        what = "the workbook does not say how its passages were drawn"
        raise CurateError(what, str(book.path), "make it anew") from error


def _ratings(
    people: Sequence[PersonReading], readings: Path | None
) -> tuple[Ratings, list[str], str | None]:
    """Give who read each passage how, the names, and that of the evaluator."""
    ratings: dict[str, dict[str, str]] = {}
    for item in people:
        ratings.setdefault(item.request_id, {})[item.reader] = item.reading
    names = sorted({item.reader for item in people})
    if readings is None:
        return ratings, names, None
    evaluator, found = evaluator_readings(readings, ratings)
    if not found:
        raise CurateError(
            f"{evaluator} read none of the passages that people read",
            str(readings),
            "name the readings of the same requests",
        )
    name = evaluator if evaluator not in names else f"{evaluator} (evaluator)"
    for request, reading in found.items():
        ratings[request][name] = reading
    return ratings, [*names, name], name


def _tell(
    pairs: Sequence[Pair],
    names: Sequence[str],
    evaluator: str | None,
    ratings: Ratings,
    findings: Sequence[Finding],
    *,
    as_json: bool,
) -> None:
    read = {name: sum(name in unit for unit in ratings.values()) for name in names}
    if as_json:
        print_json(
            {
                "passages": len(ratings),
                "evaluator": evaluator,
                "read": read,
                "pairs": [asdict(item) for item in pairs],
                "findings": [finding_dict(item) for item in findings],
            }
        )
        return
    if findings:
        print_findings(findings)
    click.echo(f"{len(ratings)} passages, read by " + ", ".join(f"{n} ({read[n]})" for n in names))
    rows = [
        [
            f"{item.first} - {item.second}",
            item.kappa.units,
            "-" if not item.kappa.units else f"{item.agree / item.kappa.units:.1%}",
            "undefined" if item.kappa.value is None else f"{item.kappa.value:.3f}",
        ]
        for item in pairs
    ]
    if rows:
        click.echo("\n".join(table_lines(["readers", "both read", "agree", "kappa"], rows)))
    for item in pairs:
        if item.kappa.reason:
            click.echo(f"{item.first} - {item.second}: {item.kappa.reason}.")
