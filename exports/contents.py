"""Whether a release is what its own files make: samples of its bank, decisions of its survey.

A manifest is changed together with a file by who knows how. What is made again from the files that
a package carries is not: a vote, an answer, a sample or a count that somebody changed contradicts
the others.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from curation.files.ledger import followed
from curation.files.manifest import MANIFEST, Manifest, read_manifest
from curation.files.tables import read_bytes, read_text
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.settings_errors import overridden
from curation.records.survey import current
from exports.browse.chunks import DATA, read_chunk
from exports.browse.writing import BROWSE
from exports.edition import Edition
from exports.folders import EXPORT
from exports.package_files import CHANGES, DRAFT, PACKAGE, Making, write_package
from exports.releases import release_facts
from exports.states import WORKSPACE
from survey.bank import TALLIES, final_bank, renaming_of
from survey.rules import decide_survey
from survey.settings import decided_with
from survey.tallies import read_tallies

_TOLD = ("README.md", "croissant.json")
"""Files that say more of the people than a package holds: lines with numbers are compared."""
_NOT_MADE = (DRAFT, CHANGES, "checksums.txt")
"""Files that other things than the package's own are needed for, and hashes of the others."""
_OF_PEOPLE = ("rai:dataCollection", "as the machine wrote")
"""What marks a line with numbers of respondents, annotators and translators: what they answered and
confirmed no package holds."""
_SHOWN = 5
_AROUND = 40
"""So many characters before and after a difference are told."""
_FIELDS = ("outcome", "reason", "k", "n")


def compare_contents(folder: Path, manifest: Manifest) -> Iterator[Finding]:
    """Make a package again from the files in it, and yield what differs.

    Args:
        folder: The package.
        manifest: Its manifest.

    Raises:
        CurateError: If it is no package, or cannot be made again.
    """
    if manifest.settings.get(EXPORT) != PACKAGE:
        what = "it is not a package of 'curate export package'"
        raise CurateError(what, str(folder), "leave out --contents")
    workspace = Workspace(folder / WORKSPACE)
    yield from _decisions(workspace)
    said = {name: manifest.settings.get(name) for name in ("per_template", "proper_names")}
    bounds = {name: value for name, value in said.items() if isinstance(value, int)}
    settings = workspace.culture.samples.with_bounds(**bounds)
    edition = Edition(workspace, final_bank(workspace), keeps=True, settings=settings)
    facts = release_facts(workspace, edition)
    if facts.digest is None:
        raise facts.problems[0] if facts.problems else CurateError("nothing can be made again")
    draft = () if manifest.settings.get("draft") else None
    with TemporaryDirectory(prefix="curate-") as name:
        made = Path(name)
        write_package(Making(edition, facts, draft), made)
        yield from _files(folder, made, manifest, read_manifest(made))


def _decisions(workspace: Workspace) -> Iterator[Finding]:
    """Yield the decisions that the released counts contradict."""
    tallies = read_tallies(workspace.responses_folder / TALLIES, workspace.book)
    if not tallies:
        return
    settings = overridden(workspace.culture.survey, decided_with(workspace))
    templates = list(workspace.bank.templates())
    decided = decide_survey(tallies, templates, settings, workspace.book, renaming_of(workspace))
    standing = current(followed(workspace.decisions, workspace.renamed))
    file = f"{WORKSPACE}/{workspace.shown(workspace.ledger_file)}"
    for item in followed(decided.decisions, workspace.renamed):
        found = standing.get((item.subject, item.rule))
        if found is None:
            yield _other(file, f"{item.subject}: the survey decides by {item.rule}, the ledger not")
            continue
        for name in _FIELDS:
            ours, theirs = getattr(item, name), getattr(found, name)
            if ours != theirs:
                told = f"{item.subject}, {item.rule}: {name} is {theirs}, the survey gives {ours}"
                yield _other(file, told)
    targets = f"{WORKSPACE}/{workspace.shown(workspace.targets_file)}"
    for row in {*decided.targets} ^ {*workspace.targets}:
        which = "lacks what" if row in decided.targets else "is not what"
        told = f"{row.stereotype}, {row.group}: the file {which} the survey gives: {row.role}, "
        yield _other(targets, f"{told}{row.votes} votes")


def _files(folder: Path, made: Path, first: Manifest, second: Manifest) -> Iterator[Finding]:
    same_version = first.tool_version == second.tool_version
    if not same_version:
        text = f"it was made with version {first.tool_version}, this is {second.tool_version}"
        yield _other(MANIFEST, f"{text}: pages and programs may be others", Severity.WARNING)
    for name in sorted({*first.files, *second.files} - {*_NOT_MADE}):
        if first.files.get(name) == second.files.get(name):
            continue
        if name not in second.files:
            yield _other(name, "the file is not made of the package's bank and survey")
        elif name not in first.files:
            yield _other(name, "the file is missing")
        elif name.endswith(".parquet"):
            yield from _rows(name, folder / name, made / name)
        elif name.startswith(f"{BROWSE}/{DATA}/") and _page(folder / name) == _page(made / name):
            continue
        elif name in _TOLD:
            yield from _lines(name, folder / name, made / name)
        else:
            severity = Severity.ERROR if same_version else Severity.WARNING
            yield _other(name, "it is different when it is made again", severity)
    for part, given, ours in (
        ("counts", first.counts, second.counts),
        ("settings", first.settings, second.settings),
    ):
        for key in ours:
            if given.get(key) != ours[key]:
                what = f"{part}.{key} is {given.get(key)}, the contents give {ours[key]}"
                yield _other(MANIFEST, what)


def _rows(name: str, given: Path, made: Path) -> Iterator[Finding]:
    """Yield the rows of a table that differ, by their id."""
    import pandas as pd

    first, second = (_by_id(pd.read_parquet(path)) for path in (given, made))
    found = [f"{key} is not made of the bank" for key in first if key not in second]
    found += [f"{key} is missing" for key in second if key not in first]
    for key, row in second.items():
        for column, value in row.items():
            theirs = first.get(key, row).get(column)
            if theirs != value:
                found.append(f"{key}: {column} is {theirs}, the contents give {value}")
    yield from (_other(name, text) for text in islice(found, _SHOWN))
    if len(found) > _SHOWN:
        yield _other(name, f"and {len(found) - _SHOWN:,} more")


def _by_id(frame: Any) -> dict[str, dict[str, str]]:
    """The rows of a table as texts, by their first column; by their number where that is shared."""
    rows = [{name: str(value) for name, value in row.items()} for row in frame.to_dict("records")]
    first = frame.columns[0]
    keys = [row[first] for row in rows]
    if len({*keys}) < len(keys):
        keys = [f"row {number} ({key})" for number, key in enumerate(keys, start=1)]
    return dict(zip(keys, rows, strict=True))


def _page(path: Path) -> Any:
    """What a chunk of the page holds, without what annotators said, which no package holds."""
    try:
        found = read_chunk(path)
    except (CurateError, ValueError):
        return read_bytes(path)
    templates = found.get("templates") if isinstance(found, dict) else None
    for template in templates.values() if isinstance(templates, dict) else ():
        template.pop("annotations", None)
    return found


def _lines(name: str, given: Path, made: Path) -> Iterator[Finding]:
    """Yield the lines that the contents make and a text does not say."""
    first, second = (read_text(path).splitlines() for path in (given, made))
    for line in second:
        of_people = any(words in line for words in _OF_PEOPLE)
        if line in first or of_people or not any(map(str.isdigit, line)):
            continue
        near = get_close_matches(line, first, 1)
        if not near:
            yield _other(name, f"it lacks '{line.strip()[: 2 * _AROUND]}', which the contents give")
            continue
        pairs = enumerate(zip(line, near[0], strict=False))
        other = next((place for place, (one, two) in pairs if one != two), len(near[0]))
        at = max(other - _AROUND, 0)
        theirs, ours = (text[at : at + 2 * _AROUND].strip() for text in (near[0], line))
        yield _other(name, f"it says '{theirs}', the contents give '{ours}'")


def _other(name: str, message: str, severity: Severity = Severity.ERROR) -> Finding:
    hint = "the release contradicts itself: get it from its publisher again, with its hash"
    return Finding("contents-changed", severity, name, None, "", message, hint)
