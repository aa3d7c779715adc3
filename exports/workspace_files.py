"""The part of a workspace that is passed on with its benchmark."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from curation.files.annotations import AnnotationsFolder
from curation.files.atomic import atomic_path
from curation.files.codec import DECISIONS
from curation.files.culture import found_files
from curation.files.sources import INDEX
from curation.files.tables import SUSPECT, read_bytes, read_table, write_csv
from curation.files.workspace import Workspace
from curation.records.bank import Bank
from curation.records.licences import Licence, Terms, conflict, terms_of
from curation.records.survey import Decision
from survey.bank import TALLIES

WORKSPACE = "workspace"
"""The folder of a package that is a workspace."""
_OURS = re.compile(r"curate \d.*")


def workspace_places(workspace: Workspace) -> tuple[Path, ...]:
    """Where a workspace has the files that are passed on with its benchmark, there or not.

    There is no file among them that holds answers of respondents, work of single annotators, or
    published files of others.
    """
    return (
        workspace.culture_file,
        workspace.bank_file,
        workspace.groups_file,
        workspace.categories_file,
        workspace.sources_folder / INDEX,
        workspace.ledger_file,
        workspace.questionnaire_file,
        workspace.targets_file,
        workspace.responses_folder / TALLIES,
        AnnotationsFolder(workspace.root).renamed,
        *found_files(workspace.languages_folder),
    )


def workspace_files(workspace: Workspace) -> dict[str, Path]:
    """The files of a workspace that a package holds, by their path in it."""
    files = (path for path in workspace_places(workspace) if path.exists())
    return {path.relative_to(workspace.root).as_posix(): path for path in files}


def write_workspace(
    workspace: Workspace, folder: Path, retained: Collection[str], sources: Mapping[str, Licence]
) -> int:
    """Write the part of a workspace that is passed on with the benchmark.

    Files are copied to the byte, with three exceptions: in tables nothing is a formula to a
    spreadsheet, templates that are out and whose source may not be passed on are taken out of the
    bank, and people in the ledger get numbers for names, unless they are authors of the release.

    Args:
        workspace: The workspace.
        folder: Where to write.
        retained: Ids of the retained templates.
        sources: The terms of sources, by name.

    Returns:
        How many templates were taken out of the bank.

    Raises:
        CurateError: If a file cannot be read or written.
    """
    for name, path in workspace_files(workspace).items():
        if path.suffix == ".csv":
            table = read_table(path, escaped=True)
            rows = [list(row.cells.values()) for row in table.rows]
            is_plain = all(cell[:1] not in SUSPECT for row in rows for cell in row)
            if not (is_plain or table.problems):
                write_csv(folder / name, table.columns, rows, escaped=True)
                continue
        with atomic_path(folder / name) as beside:
            beside.write_bytes(read_bytes(path))
    terms = terms_of(workspace.culture.release.licence)
    kept = [
        variant
        for variant in workspace.bank.variants
        if str(variant.template_id) in retained or _may_pass(variant.source.strip(), sources, terms)
    ]
    place = folder / workspace.bank_file.relative_to(workspace.root)
    if len(kept) < len(workspace.bank.variants):
        workspace.write_bank(place, Bank(tuple(kept)), escaped=True)
    authors = {author.shown for author in workspace.culture.release.authors}
    decisions = DECISIONS.read(workspace.ledger_file)
    unnamed = list(without_names(decisions, authors))
    if unnamed != decisions:
        path = folder / workspace.ledger_file.relative_to(workspace.root)
        path.unlink()
        DECISIONS.append(path, unnamed)
    stay = {variant.template_id for variant in kept}
    return len({variant.template_id for variant in workspace.bank.variants} - stay)


def _may_pass(source: str, sources: Mapping[str, Licence], release: Terms | None) -> bool:
    """Say whether templates of a source that are out may be passed on with the others."""
    terms = terms_of(sources[source].name) if source in sources else None
    return not source or (terms is not None and not conflict(terms, release or terms))


def without_names(decisions: Sequence[Decision], authors: Collection[str]) -> Iterator[Decision]:
    """Number the people who decided, in the order of their first one; authors keep their names."""
    numbers: dict[str, str] = {}
    for decision in decisions:
        by = decision.by
        if not by or by in authors or _OURS.fullmatch(by):
            yield decision
        else:
            number = numbers.setdefault(by, f"person {len(numbers) + 1}")
            yield replace(decision, by=number)
