"""Where evaluation writes requests and results, with a manifest, and finds them again."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from curation.files.jsonl import Line, write_objects
from curation.files.lock import writing_results
from curation.files.manifest import (
    MANIFEST,
    Manifest,
    named_inputs,
    of_part,
    read_manifest,
    staged_results,
)
from curation.files.tables import sha256, write_csv
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Finding, Table, finding, refusal, shortened
from evaluation.requests import REQUESTS


def stale(workspace: Workspace, path: Path) -> Iterator[Finding]:
    """Say which files of a workspace have changed since a file was made from them, and of a part.

    So requests tell of the samples, and samples of the bank and of templates that were chosen.
    `culture.yaml` is left out: it holds much that neither depends on.

    Args:
        workspace: The workspace.
        path: Samples or requests. Of a file without a manifest beside it nothing is known.

    Raises:
        CurateError: If a manifest cannot be read.
    """
    manifest = _beside(path)
    if manifest is None:
        return
    inputs = {
        found: record
        for name, record in manifest.inputs.items()
        if (found := workspace.root / name) != workspace.culture_file and found.is_file()
    }
    changed = [found for found, record in inputs.items() if sha256(found) != record.sha256]
    if changed:
        names = shortened([workspace.shown(found) for found in changed])
        yield finding(
            __package__, "evaluate-stale", workspace.shown(path), name=path.name, names=names
        )
    yield from of_part(path.parent, workspace.shown(path))
    for found in inputs:
        yield from stale(workspace, found)


def made_from(path: Path, source: Path) -> bool:
    """Whether a file was made from another one as this is now.

    Raises:
        CurateError: If the manifest beside it cannot be read.
    """
    manifest = _beside(path)
    if manifest is None:
        return False
    return sha256(source) in {record.sha256 for record in manifest.inputs.values()}


def _beside(path: Path) -> Manifest | None:
    """The manifest of the folder that a file is in, where it lists the file."""
    if not path.is_file() or not (path.parent / MANIFEST).exists():
        return None
    manifest = read_manifest(path.parent)
    return manifest if path.name in manifest.files else None


def said(key: str, /, **words: object) -> str:
    """A sentence about results, in the words of `findings.yaml`."""
    return finding(__package__, key, "", **words).message  # type: ignore[arg-type]


QUESTIONS = "evaluation"
"""The folder of the exports with the requests of question answering, and what becomes of them."""
Values = Mapping[str, object]
Row = dict[str, str | int | float | None]
"""A row of a table by its columns; None is undefined."""
R = TypeVar("R")


@contextmanager
def result_folder(
    workspace: Workspace | None,
    folder: Path,
    inputs: Iterable[Path | None] | Mapping[str, Path],
    counts: Mapping[str, int],
    settings: Values,
    *,
    command: str,
    what: str = "scores",
    kept: Iterable[Path] = (),
) -> Iterator[Path]:
    """A folder to write files to; they are moved to `folder`, with a manifest, in the end.

    Nobody else writes results there meanwhile.

    Args:
        workspace: The workspace that is worked with, which knows how to wait; None for none.
        folder: Where to; what an earlier manifest there lists and is not written again goes.
        inputs: The files that the results come from, by the names that the manifest gives them;
            of a list those that are None or absent are skipped, and files of the workspace are
            named by their paths in it.
        counts: What was counted; the block may add some.
        settings: The settings that shaped the results.
        command: What is done, for those who wait, as `evaluate score`.
        what: What the folder is for, where it is refused.
        kept: Files in the folder that stay there.

    Raises:
        CurateError: If there is a file in its place, it cannot be written, or another command
            writes there for too long.
    """
    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{folder} is not a folder", str(folder), f"name a folder for the {what}")
    if not isinstance(inputs, Mapping):
        paths = [path for path in inputs if path is not None]
        inputs = named_inputs(paths, root=workspace.root if workspace else None)
    with (
        writing_results(folder, f"curate {command}", workspace),
        staged_results(folder, inputs, counts, settings, kept) as stage,
    ):
        yield stage


def save_requests(
    workspace: Workspace,
    requests: Iterable[Values],
    folder: str,
    out: Path | None,
    inputs: Collection[Path | None],
    counts: Mapping[str, int],
    settings: Values,
    *,
    command: str,
) -> tuple[Path, int]:
    """Write requests to a folder of the exports, with a manifest, or to another file without.

    Args:
        workspace: The workspace.
        requests: What models are asked.
        folder: The folder below the exports.
        out: The other file.
        inputs: What the requests come from.
        counts: What was counted, beside the requests.
        settings: What shaped them.
        command: What is done, for those who wait, as `evaluate prepare`.

    Returns:
        The file, and how many requests it holds.

    Raises:
        CurateError: If it cannot be written, or the other file is what the requests come from.
    """
    path = requests_file(workspace, folder, out)
    if path.exists() and any(given and given.exists() and path.samefile(given) for given in inputs):
        raise refusal(__package__, "requests-over-input", str(path))
    if out is not None:
        with writing_results(path.parent, f"curate {command}", workspace):
            return path, write_objects(path, requests)
    counted = dict(counts)
    given = (path.parent, inputs, counted, settings)
    with result_folder(workspace, *given, command=command, what="requests") as stage:
        counted["requests"] = write_objects(stage / path.name, requests)
    return path, counted["requests"]


def requests_file(workspace: Workspace, folder: str, given: Path | None = None) -> Path:
    """Where requests are, unless a file is given: in a folder of the exports."""
    return given or workspace.exports_folder / folder / REQUESTS


def prepared_requests(workspace: Workspace, given: Path | None) -> Path:
    """The requests that 'curate evaluate prepare' wrote, unless a file is given.

    Raises:
        CurateError: If there are none.
    """
    usual = requests_file(workspace, QUESTIONS)
    hint = "write them with 'curate evaluate prepare', or name a file with --requests"
    return present(usual, given, "requests", hint)


def answered_requests(
    workspace: Workspace, given: Path | None, replies: Path, folder: str, command: str
) -> Path:
    """The requests that replies answer: those given, beside the replies, or in the exports.

    Args:
        workspace: The workspace.
        given: The file, if one was named.
        replies: The replies.
        folder: The folder below the exports.
        command: What makes such requests.

    Raises:
        CurateError: If there are none.
    """
    usual = requests_file(workspace, folder)
    for path in (given, replies.with_name(REQUESTS), usual):
        if path is not None and (path == given or path.exists()):
            return path
    raise refusal(__package__, "requests-none", str(usual), requests=REQUESTS, command=command)


def present(path: Path, given: Path | None, what: str, hint: str) -> Path:
    """A file that was given, or the usual one.

    Raises:
        CurateError: If the usual one is not there.
    """
    if given is None and not path.exists():
        raise CurateError(f"there are no {what} yet", str(path), hint)
    return given or path


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Values]) -> Path:
    """Write rows as a table; undefined is an empty cell.

    Texts that a spreadsheet would take for formulas have an apostrophe before them.

    Returns:
        The file.

    Raises:
        CurateError: If it cannot be written.
    """
    found = ([_cell(row[name]) for name in columns] for row in rows)
    write_csv(path, columns, found, escaped=True)
    return path


def save_tables(
    tables: Mapping[str, Table],
    workspace: Workspace | None,
    folder: Path,
    inputs: Iterable[Path | None] | Mapping[str, Path],
    counts: Mapping[str, int],
    settings: Values | None = None,
    *,
    command: str,
    what: str = "scores",
    draw: Callable[[Path], Iterable[Path]] = lambda _stage: (),
    kept: Iterable[Path] = (),
) -> list[Path]:
    """Write tables, with a manifest; see `result_folder`.

    Args:
        tables: By name, as files are called, the columns and rows.
        workspace: The workspace.
        folder: Where to.
        inputs: The files that the results come from.
        counts: What was counted.
        settings: What shaped the results.
        command: What is done, for those who wait.
        what: What the folder is for, where it is refused.
        draw: Writes what is beside them into the folder, such as pictures; gives these files.
        kept: Files in the folder that stay there.

    Returns:
        The files that were written.

    Raises:
        CurateError: If a file cannot be written, or another command writes there for too long.
    """
    given = (workspace, folder, inputs, counts, settings or {})
    with result_folder(*given, command=command, what=what, kept=kept) as stage:
        made = [
            write_rows((stage / name).with_suffix(".csv"), columns, rows)
            for name, (columns, rows) in tables.items()
        ]
        made += draw(stage)
    return [folder / path.name for path in made]


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return " | ".join(map(str, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def requests_by_id(
    path: Path, lines: Iterable[Line], parse: Callable[[Line], R], what: str, hint: str
) -> dict[str, R]:
    """Requests of a file by their ids.

    Args:
        path: The file.
        lines: Its objects.
        parse: Makes a request of an object; raises `ValueError` where it is none.
        what: What the lines should be.
        hint: What to do where they are something else.

    Raises:
        CurateError: If a line is no such request, an id occurs twice, or there is no request.
    """
    found: dict[str, R] = {}
    for line in lines:
        where = f"{path}, line {line.number}"
        try:
            request, name = parse(line), line.text("request_id")
        except ValueError as error:
            raise CurateError(f"the line is not a {what}: {error}", where, hint) from error
        if name in found:
            raise CurateError(f"request {name} occurs twice", where, hint)
        found[name] = request
    if not found:
        raise CurateError(f"{path.name} holds no request", str(path), hint)
    return found
