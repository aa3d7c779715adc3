"""Whether an export is still what was written."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from curation.checks.settings import settings_changed
from curation.checks.subject import ReleaseFacts
from curation.checks.workspace import check
from curation.files.codec import followed
from curation.files.manifest import BYTECODE, MANIFEST, Manifest, read_manifest, verify_manifest
from curation.files.questionnaire import read_tallies
from curation.files.tables import read_bytes, read_text, sha256
from curation.files.workspace import Workspace
from curation.records.messages import (
    FINDINGS,
    CurateError,
    Finding,
    Results,
    Severity,
    finding,
    refusal,
)
from curation.records.survey import current
from curation.report.numbers import stated
from exports.browse.chunks import read_chunk
from exports.card.citation import known
from exports.differences import changes
from exports.edition import open_edition
from exports.folders import EXPORT, opened
from exports.package_files import PACKAGE, write_package
from exports.releases import RELEASED, RELEASES, WORKSPACE, release_facts
from survey.bank import decided_settings, decided_with
from survey.rules import decide_survey


def verify(
    path: Path,
    workspace: Workspace | None = None,
    *,
    sha256_expected: str | None = None,
    contents: bool = False,
    paper: Path | None = None,
) -> Results:
    """Compare an export with its manifest, and on request with a workspace and a published hash.

    Args:
        path: An exported folder, or a ZIP file.
        workspace: Also compare what it was made from with this workspace, and its manifest with
            the releases that the workspace recorded.
        sha256_expected: What the hash of its manifest has to be.
        contents: Also make samples, card, page and tasks of a package again from the bank in it,
            and its decisions from the survey in it, and compare.
        paper: Also find the numbers of this text in the tables of the export.

    Returns:
        - `path`, the export, and how many `files` its manifest lists;
        - `manifest_sha256`: the hash of its manifest, and `manifest_known`: whether that was
          compared with one that was published or recorded: a manifest proves nothing of itself, for
          who changes a file can change it too;
        - `findings`: every file that is missing, added or changed, and what else is wrong;
        - `numbers`: the numbers of the paper, where one is given.

    Raises:
        CurateError: If it has no manifest, a file cannot be read, or it cannot be made again.
    """
    with opened(path) as folder:
        # No program puts its own into a ZIP file, and bytecode there would be run unseen.
        findings = [*verify_manifest(folder, everything=not path.is_dir())]
        compiled = sorted(it for it in folder.rglob("*.pyc") if it.is_file() and path.is_dir())
        if compiled:  # it is run in place of the program that was checked
            place, count = compiled[0].relative_to(folder).as_posix(), len(compiled)
            words: dict[str, Any] = {"count": count, "bytecode": BYTECODE}
            findings.append(finding(__package__, "manifest-bytecode", place, **words))
        manifest, digest = read_manifest(folder), sha256(folder / MANIFEST)
        known = sha256_expected is not None
        if sha256_expected is not None and digest != sha256_expected.strip().lower():
            findings.append(_other_manifest(digest, "the one that was given"))
        if manifest.settings.get("draft"):
            findings.append(finding(__package__, "release-draft", MANIFEST))
        if workspace is not None:
            found, recorded = _against(workspace, manifest, digest)
            findings += found
            known = known or recorded
        if contents:
            findings += compare_contents(folder, manifest)
        numbers = stated(paper, folder) if paper else ()
    return Results(
        {
            "path": path,
            "files": len(manifest.files),
            "manifest_sha256": digest,
            "manifest_known": known,
            "findings": tuple(findings),
            "numbers": numbers,
        },
        FINDINGS,
    )


def _other_manifest(digest: str, which: str) -> Finding:
    return finding(__package__, "manifest-other", MANIFEST, digest=digest, which=which)


def _against(workspace: Workspace, manifest: Manifest, digest: str) -> tuple[list[Finding], bool]:
    """Compare with a workspace; says too whether the workspace has recorded the manifest."""
    workspace.culture  # noqa: B018  # a folder that is no workspace is refused
    found = compare_inputs(manifest, workspace)
    if manifest.settings.get(EXPORT) != PACKAGE or manifest.settings.get("draft"):
        return found, False
    version = str(manifest.settings.get("version"))
    releases = RELEASED.read(workspace.root / RELEASES)
    hashes = [item.manifest_sha256 for item in releases if item.version == version]
    if not hashes:
        found.append(
            finding(__package__, "release-unknown", RELEASES, releases=RELEASES, version=version)
        )
    elif digest not in hashes:
        found.append(_other_manifest(digest, f"that of version {version} in {RELEASES}"))
    return found, digest in hashes


def compare_inputs(manifest: Manifest, workspace: Workspace) -> list[Finding]:
    """Compare what an export was made from with the files of a workspace.

    Raises:
        CurateError: If a file cannot be read.
    """
    found = []
    for name, record in sorted(manifest.inputs.items()):
        path = workspace.root / name
        what, message = "missing", "is not in the workspace"
        if path.is_file():
            what, message = "changed", "has changed in the workspace since"
            if sha256(path) == record.sha256:
                continue
        hint = "give the workspace as it was at the release, or export again"
        text = f"{name}, which it was made from, {message}"
        found.append(Finding(f"input-{what}", Severity.ERROR, name, None, "", text, hint))
    return found


_SHOWN = 5
_FIELDS = ("outcome", "reason", "k", "n", "near")
_NUMBERS = ("value", "threshold", "margin", "ci_low", "ci_high")
"""What a decision says; the ledger has numbers with six decimals."""


def compare_contents(folder: Path, manifest: Manifest) -> Iterator[Finding]:
    """Make a package again from the files in it, and yield what differs.

    Args:
        folder: The package.
        manifest: Its manifest.

    Raises:
        CurateError: If it is no package, or cannot be made again.
    """
    if manifest.settings.get(EXPORT) != PACKAGE:
        raise refusal(__package__, "package-strange", str(folder))
    workspace = Workspace(folder / WORKSPACE)
    draft = () if manifest.settings.get("draft") else None
    yield from compare_decisions(workspace, None if draft == () else ReleaseFacts())
    said = {name: manifest.settings.get(name) for name in ("per_template", "proper_names")}
    bounds: dict[str, Any] = {name: it for name, it in said.items() if isinstance(it, int)}
    edition = open_edition(workspace, keeps=True, **bounds)
    facts = release_facts(workspace, edition)
    if facts.digest is None:
        raise facts.problems[0] if facts.problems else CurateError("nothing can be made again")
    with TemporaryDirectory(prefix="curate-") as name:
        made = Path(name)
        write_package(made, edition, facts, draft)
        yield from _files(folder, made, manifest, read_manifest(made))


def compare_decisions(
    workspace: Workspace, release: ReleaseFacts | None = None
) -> Iterator[Finding]:
    """Yield the decisions and the target groups that the counts of a released survey contradict.

    And each setting that the decisions were not made with: a warning, and of a release an error.

    Args:
        workspace: What was released.
        release: Whether it is a release.

    Raises:
        CurateError: If a file cannot be read.
    """
    tallies = read_tallies(workspace.tallies_file, workspace.book)
    if not tallies:
        return
    settings = decided_settings(workspace)
    templates = list(workspace.bank.templates())
    decisions, targets, _ = decide_survey(
        tallies, templates, settings, workspace.book, workspace.renaming
    )
    standing = current(followed(workspace.decisions, workspace.renamed))
    file = f"{WORKSPACE}/{workspace.shown(workspace.ledger_file)}"
    for item in followed(decisions, workspace.renamed):
        found = standing.get((item.subject, item.rule))
        if found is None:
            yield _other(file, f"{item.subject}: the survey decides by {item.rule}, the ledger not")
        for name in (*_FIELDS, *_NUMBERS) if found else ():
            ours, theirs = getattr(item, name), getattr(found, name)
            is_near = name in _NUMBERS and None not in (ours, theirs) and abs(ours - theirs) < 1e-5
            if ours != theirs and not is_near:
                told = f"{item.subject}, {item.rule}: {name} is {theirs}, the survey gives {ours}"
                yield _other(file, told)
    file = f"{WORKSPACE}/{workspace.shown(workspace.targets_file)}"
    differing = {*targets} ^ {*workspace.targets}
    for row in sorted(differing, key=lambda it: (it.stereotype, it.group, it in targets)):
        which = "lacks what" if row in targets else "is not what"
        told = f"{row.stereotype}, {row.group}: the file {which} the survey gives: {row.role}, "
        yield _other(file, f"{told}{row.votes} votes")
    made_with = decided_with(workspace)
    changed = check(workspace, [settings_changed.id], decided_with=made_with, release=release)
    for one in changed.findings:
        yield replace(one, file=f"{WORKSPACE}/{one.file}")


def _files(folder: Path, made: Path, first: Manifest, second: Manifest) -> Iterator[Finding]:
    same_version = first.tool_version == second.tool_version
    if not same_version:
        text = f"it was made with version {first.tool_version}, this is {second.tool_version}"
        yield _other(MANIFEST, f"{text}: pages and programs may be others", Severity.WARNING)
    for name in sorted({*first.files, *second.files}):
        how = _compared(name)
        if how == "none" or first.files.get(name) == second.files.get(name):
            continue
        if name not in second.files:
            yield _other(name, "the file is not made of the package's bank and survey")
        elif name not in first.files:
            yield _other(name, "the file is missing")
        elif how == "rows":
            yield from _rows(name, folder / name, made / name)
        elif how == "lines":
            yield from _lines(name, folder / name, made / name)
        elif how == "hashes":  # those of this package's own files, of the same names
            of = (line[66:] for line in read_text(made / name).splitlines())
            ours = {f"{first.files[it].sha256}  {it}" for it in of if it in first.files}
            for line in sorted(ours ^ {*read_text(folder / name).splitlines()}):
                yield _other(name, f"its hash of {line[66:]} is not that of the file")
        elif how == "bytes" or _page(folder / name) != _page(made / name):
            severity = Severity.ERROR if same_version else Severity.WARNING
            yield _other(name, "it is different when it is made again", severity)
    for part in ("counts", "settings"):
        given, ours = getattr(first, part), getattr(second, part)
        for key in ours:
            if given.get(key) != ours[key]:
                what = f"{part}.{key} is {given.get(key)}, the contents give {ours[key]}"
                yield _other(MANIFEST, what)


def _compared(name: str) -> str:
    """How a file of a package is compared, as the list of its files says."""
    every = known()["files"].items()
    hows = (said.get("compared") for pattern, said in every if fnmatchcase(name, pattern))
    return next(hows, None) or "bytes"


def _rows(name: str, given: Path, made: Path) -> Iterator[Finding]:
    """Yield the rows of a table that differ, by their id."""
    first, second = _keyed(given), _keyed(made)
    differ = changes(first, second)
    more, fewer = (
        [f"the column {name}" for name in one.column_names if name not in other.column_names]
        for one, other in ((first, second), (second, first))
    )
    found = [f"{it} is not made of the bank" for it in (*more, *differ.ids["removed"])]
    found += [f"{it} is missing" for it in (*fewer, *differ.ids["added"])]
    found += [
        f"{key}: {column} is {theirs}, the contents give {ours}"
        for key, cells in differ.differing()
        for column, (theirs, ours) in cells.items()
    ]
    if not found and first.column(0) != second.column(0):
        found = ["its rows are in another order"]
    yield from (_other(name, text) for text in islice(found, _SHOWN))
    if len(found) > _SHOWN:
        yield _other(name, f"and {len(found) - _SHOWN:,} more")


def _keyed(path: Path) -> Any:
    """A table as texts, with its first column as key; with its rows where that is shared."""
    import pandas as pd
    import pyarrow as pa

    frame = pd.read_parquet(path).map(str)
    keys = list(frame.iloc[:, 0])
    if len({*keys}) < len(keys):
        keys = [f"row {number} ({key})" for number, key in enumerate(keys, start=1)]
    columns = {"": keys, **frame}
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})


def _page(path: Path) -> Any:
    """What a chunk of the page holds, without what annotators said, which no package holds."""
    try:
        found = read_chunk(path)
    except (CurateError, ValueError, EOFError, OSError, zlib.error):
        return read_bytes(path)
    templates = found.get("templates") if isinstance(found, dict) else None
    for template in templates.values() if isinstance(templates, dict) else ():
        if isinstance(template, dict):  # the index has columns and rows
            template.pop("annotations", None)
    return found


def _lines(name: str, given: Path, made: Path) -> Iterator[Finding]:
    """Yield the lines that the contents make and a text does not say, and what it says besides."""
    parts, of_people = _of_people()
    first, second = (
        dict.fromkeys(parts.sub("", line.rstrip(", ")) for line in read_text(path).splitlines())
        for path in (given, made)
    )
    for lines, others, what, who in (
        (second, first, "lacks", "give"),
        (first, second, "says", "do not give"),
    ):
        for line in lines:
            if line not in others and not of_people.fullmatch(line):
                yield _other(name, f"it {what} '{line.strip()}', which the contents {who}")


def _of_people() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What alone cards and metadata say that were made with people's answers: parts, and lines."""
    from survey.reporting.data import TEXTS  # a report, which others do without

    order = next(part["text"] for part in TEXTS.known["method"] if part.get("needs") == "order")
    told = known()["of_people"]
    lines = "|".join(told["lines"]).replace("{order}", re.escape(order.strip()))
    return re.compile("|".join(told["parts"])), re.compile(rf'\s*(?:- )?"?(?:{lines})"?')


def _other(name: str, message: str, severity: Severity = Severity.ERROR) -> Finding:
    hint = "the release contradicts itself: get it from its publisher again, with its hash"
    return Finding("contents-changed", severity, name, None, "", message, hint)
