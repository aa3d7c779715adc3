"""What a release is held to: its facts, gathered, and its findings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from curation.checks.base import CULTURE_FILE
from curation.checks.release.facts import Outgoing, ReleaseFacts, Undecided
from curation.cli.exporting import final_samples
from curation.cli.final import TALLIES, Final, load_final
from curation.io.annotations import AnnotationsFolder
from curation.io.sources import INDEX, read_terms
from curation.io.tables import read_table, read_text
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.released import Release, SampleDigest
from curation.model.survey import QuestionKind
from curation.publish.digest import digest
from curation.publish.releases import KEPT, RELEASES, read_releases
from survey.outcome import Status, undecided_hint

_PEOPLE = (
    ("people.csv", "annotator"),
    ("classify.csv", "annotator"),
    ("translated.csv", "translator"),
)
"""Tables of `annotations/` that name people, with the column."""
_CODE = re.compile(r"\W*\w{0,2}\d*\W*")
"""Names that are none: initials and codes such as A1."""


def release_facts(workspace: Workspace, final: Final | None = None) -> ReleaseFacts:
    """Gather what the rules of a release look at.

    What cannot be worked out is a problem among the facts, so that the other rules can speak.

    Args:
        workspace: The workspace.
        final: What is left, where it is known already.

    Raises:
        CurateError: If the list of releases or sources, or the respondents, cannot be read.
    """
    releases = read_releases(workspace.root / RELEASES)
    facts = ReleaseFacts(
        sources=read_terms(workspace.sources_folder),
        outgoing=tuple(_outgoing(workspace)),
        annotators=_annotators(workspace),
        respondents=_respondents(workspace),
        releases=releases,
        canary_before=_canary_before(workspace, releases),
    )
    try:
        final = final or load_final(workspace)
    except CurateError as error:
        return replace(facts, problems=(error,))
    facts = replace(
        facts,
        undecided=tuple(
            Undecided(
                str(item.template.id),
                item.template.first.row or None,
                item.reason,
                undecided_hint(item),
            )
            for item in final.with_status(Status.UNDECIDED)
        ),
        left=frozenset(str(template.id) for template in final.templates),
        waiting=tuple(str(template.id) for template in final.open),
        surveyed=_surveyed(final),
        has_survey=bool(final.tallies),
        problems=tuple(CurateError(item.message, item.where, item.hint) for item in final.findings),
    )
    if facts.problems:
        return facts
    try:
        return replace(facts, digest=sample_digest(workspace, final))
    except CurateError as error:
        return replace(facts, problems=(error,))


def sample_digest(workspace: Workspace, final: Final) -> SampleDigest:
    """Count and hash the samples of what is left, and of its test set.

    Raises:
        CurateError: If a template cannot be filled.
    """
    seed = workspace.culture.samples.seed
    count, found = digest(final_samples(workspace, final, None))
    drawn, of_test = digest(final_samples(workspace, final, seed))
    return SampleDigest(count, drawn, found, of_test, seed)


def _surveyed(final: Final) -> frozenset[str]:
    """Give the templates whose target groups people chose among all groups of the category."""
    return frozenset(
        str(item.template.id)
        for item in final.outcomes
        if item.question is not None and item.question.kind is QuestionKind.SELECT_ALL
    )


def _outgoing(workspace: Workspace) -> Iterator[Outgoing]:
    """Yield the texts that people wrote beside the templates and that the package holds."""
    release = workspace.culture.release
    for number, line in enumerate(read_text(workspace.culture_file).splitlines(), start=1):
        for own in (release.canary, release.contact):
            line = line.replace(own, "") if own else line
        yield Outgoing(CULTURE_FILE, number, "", line)
    bank = workspace.shown(workspace.bank_file)
    for variant in workspace.bank.variants:
        cells = (("reference", variant.reference), ("note", variant.note), *variant.extra)
        for column, text in cells:
            if text:
                yield Outgoing(bank, variant.row or None, column, text)
    yield from _named_files(workspace)
    ledger = workspace.shown(workspace.ledger_file)
    for number, ruling in enumerate(workspace.decisions, start=2):
        if ruling.reason:
            yield Outgoing(ledger, number, "reason", ruling.reason)


def _named_files(workspace: Workspace) -> Iterator[Outgoing]:
    """Yield the names of received files: of the published sets, and of the survey's answers."""
    index = workspace.sources_folder / INDEX
    for number, line in enumerate(read_text(index).splitlines() if index.exists() else (), start=1):
        yield Outgoing(workspace.shown(index), number, "", line)
    tallies = workspace.responses_folder / TALLIES
    for name in sorted(_cells(tallies, "source")):
        yield Outgoing(workspace.shown(tallies), None, "source", name)


def _canary_before(workspace: Workspace, releases: Sequence[Release]) -> str:
    """Give the canary of the last release that the workspace has kept."""
    for release in reversed(releases):
        kept = Workspace(workspace.root / KEPT / release.version)
        if kept.culture_file.exists():
            return kept.culture.release.canary
    return ""


def _annotators(workspace: Workspace) -> frozenset[str]:
    """Give the names of who annotated and translated, as far as they are names."""
    folder = AnnotationsFolder(workspace.root).folder
    names: set[str] = set()
    for file, column in _PEOPLE:
        names |= _cells(folder / file, column)
    return frozenset(name for name in names if not _CODE.fullmatch(name))


def _respondents(workspace: Workspace) -> frozenset[str]:
    return frozenset(_cells(workspace.responses_folder / "respondents.csv", "respondent_id"))


def _cells(path: Path, column: str) -> set[str]:
    """Give the values of a column of a table; none where there is no such table."""
    if not path.exists():
        return set()
    table = read_table(path, required=(column,))
    return {" ".join(row[column].split()) for row in table.rows} - {""}
