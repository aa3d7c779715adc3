"""Releases of a workspace: those that were made, and the facts that a new one is checked by."""

import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from curation.annotation.translation.units import reviewed_texts
from curation.checks import release as rules_of_release
from curation.checks.settings import settings_changed
from curation.checks.subject import CULTURE_FILE, Cell, ReleaseFacts, Remark, stale_input
from curation.checks.workspace import check
from curation.files.atomic import write_file
from curation.files.codec import DECISIONS, Codec
from curation.files.culture import found_files
from curation.files.sources import INDEX, changed_sources, read_terms
from curation.files.tables import (
    SUSPECT,
    read_bytes,
    read_table,
    read_text,
    separator,
    table_rows,
    unescape_formula,
    write_csv,
)
from curation.files.workspace import Workspace
from curation.records.bank import Bank
from curation.records.culture import Release
from curation.records.licences import Licence, Terms, conflict, terms_of
from curation.records.messages import (
    CurateError,
    Progress,
    Results,
    Severity,
    has_errors,
    refuse_findings,
    silent,
)
from curation.records.survey import Decision, QuestionKind, Status
from exports.edition import Edition, open_edition
from survey.attributes import RESPONDENTS
from survey.bank import FinalBank, decided_with, reworded, stale_inputs

RELEASES = "releases.csv"
"""The list's name, in the workspace."""
KEPT = "releases"
"""The folder of the workspace that keeps what each version was made from."""
_INPUTS = (rules_of_release.stale, rules_of_release.comprehension, rules_of_release.unconfirmed)
OF_INPUTS = tuple(rule.id for rule in (settings_changed, *_INPUTS))
"""The rules on what a benchmark is made from, which every published folder obeys."""


RELEASED = Codec(Release, "undo the edit: only 'curate export package' writes it")
"""The table `releases.csv`, the latest release last."""


def before(releases: Sequence[Release], version: str) -> Release | None:
    """The release that a version follows: the last one before it was first recorded."""
    earlier = list(takewhile(lambda release: release.version != version, releases))
    return earlier[-1] if earlier else None


_PEOPLE = (
    ("annotations/people.csv", "annotator"),
    ("annotations/classify.csv", "annotator"),
    ("annotations/judgements.csv", "annotator"),
    ("templates_src/translations.csv", "by"),
    ("templates_src/translations.csv", "confirmed"),
    ("annotations/comments.csv", "by"),
    ("decisions.csv", "by"),
)
"""Tables that name people, with the column."""
_CODE = re.compile(r"\W*(?:\w?|[^\W\u3040-\ud7a3]{2})\d*\W*")
"""Names that are none: initials and codes such as A1; two letters of Chinese or Korean are one."""


def release_check(
    workspace: Workspace,
    rules: Sequence[str] = (),
    *,
    facts: ReleaseFacts | None = None,
    templates: Collection[str] = (),
    every_template: bool = False,
    progress: Progress = silent,
) -> Results:
    """Check a workspace before a release, with all rules, including those for releases.

    Args:
        workspace: The workspace.
        rules: Ids of the rules to apply; all by default.
        facts: What the rules of a release look at, where it has been gathered already.
        templates: Ids or categories of which alone something is said; by default all.
        every_template: Whether what is said of templates that are not used, and what was
            confirmed, is among the findings too.
        progress: Called with the progress of making samples and applying rules.

    Raises:
        CurateError: If a file as a whole cannot be read.
    """
    unread = (*workspace.bank_and_findings[1], *workspace.groups_and_findings[1])
    if has_errors(unread):  # what cannot be read alone stops a release
        facts = None
    elif facts is None:
        facts = release_facts(workspace, progress=progress)
    return check(
        workspace,
        rules,
        decided_with=decided_with(workspace),
        release=facts,
        templates=templates,
        every_template=every_template,
        progress=progress,
    )


def release_facts(
    workspace: Workspace,
    edition: Edition | None = None,
    *,
    progress: Progress = silent,
) -> ReleaseFacts:
    """What the rules of a release look at, gathered from a workspace.

    What cannot be worked out is a problem among the facts, so that the other rules can speak.

    Args:
        workspace: The workspace.
        edition: Its benchmark, where it is known already.
        progress: Told how far that is, where no benchmark is given.

    Raises:
        CurateError: If the list of releases or sources, or the respondents, cannot be read.
    """
    problems: list[CurateError] = []
    digest = None
    try:
        edition = edition or open_edition(workspace, progress)
        faults = edition.faults((None, edition.seed))
        problems += [CurateError(item.message, item.where, item.hint) for item in faults]
        digest = edition.digest() if not faults else None
    except CurateError as error:
        problems.append(error)
    releases = tuple(RELEASED.read(workspace.root / RELEASES))
    return replace(
        input_facts(workspace, edition.final if edition else None),
        sources=read_terms(workspace.sources_folder),
        outgoing=tuple(_outgoing(workspace)),
        annotators=_people(workspace.root),
        respondents=frozenset(_cells(workspace.responses_folder / RESPONDENTS, "respondent_id")),
        releases=releases,
        canary_before=_canary_before(workspace, releases),
        problems=tuple(problems),
        digest=digest,
    )


def input_facts(workspace: Workspace, final: FinalBank | None = None) -> ReleaseFacts:
    """Whether what a benchmark is made from goes together; quick, for no sample is made.

    Args:
        workspace: The workspace.
        final: Its final bank; None where that cannot be worked out.

    Raises:
        CurateError: If a file cannot be read.
    """
    facts = ReleaseFacts(
        unconfirmed=reviewed_texts(workspace)["unconfirmed"],
        stale=(*stale_inputs(workspace), *_stale_sources(workspace)),
    )
    if final is None:
        return facts
    return replace(
        facts,
        undecided={
            str(item.template.id): item.reason for item in final.with_status(Status.UNDECIDED)
        },
        retained=frozenset(str(template.id) for template in final.templates),
        waiting=tuple(str(template.id) for template in final.open),
        # Whose target groups people chose among all groups of the category.
        surveyed=frozenset(
            str(item.template.id)
            for item in final.outcomes
            if item.question is not None and item.question.kind is QuestionKind.SELECT_ALL
        ),
        has_survey=bool(final.tallies),
        untested=final.untested,
        reworded=reworded(workspace, final.templates),
    )


def refuse_stale(workspace: Workspace, final: FinalBank) -> None:
    """Refuse to publish what does not go together: stale files, texts nobody answers for.

    Args:
        workspace: The workspace.
        final: Its final bank.

    Raises:
        CurateError: Naming everything that is stale, with what to do.
    """
    found = release_check(workspace, OF_INPUTS, facts=input_facts(workspace, final)).findings
    errors = [item for item in found if item.severity is Severity.ERROR and item.rule in OF_INPUTS]
    refuse_findings(errors, "problems prevent publishing", "'curate check --release' lists them")


def _stale_sources(workspace: Workspace) -> Iterator[Remark]:
    """Yield the published files that are not what was imported."""
    folder = workspace.sources_folder
    for name in changed_sources(folder):
        source = name.partition("/")[0]
        yield stale_input(
            workspace.shown(folder / name),
            "has changed",
            "curate import",
            f"put the published file back: the templates of '{source}' were read from it",
        )


def _people(root: Path) -> frozenset[str]:
    """The names of who worked on a benchmark."""
    found = {name for of, column in _PEOPLE for name in _cells(root / of, column)}
    return frozenset(it for it in found if not (_CODE.fullmatch(it) or _OURS.fullmatch(it)))


def _outgoing(workspace: Workspace) -> Iterator[Cell]:
    """Yield the texts that people wrote beside the templates and that the package holds."""
    release = workspace.culture.release
    for number, line in enumerate(read_text(workspace.culture_file).splitlines(), start=1):
        for own in (release.canary, release.contact):
            line = line.replace(own, "") if own else line
        yield Cell(CULTURE_FILE, number, "", line)
    bank = workspace.shown(workspace.bank_file)
    for variant in workspace.bank.variants:
        cells = (("reference", variant.reference), ("note", variant.note), *variant.extra)
        for column, text in cells:
            if text:
                yield Cell(bank, variant.row or None, column, text)
    # Names of received files: of the published sets, and of the survey's answers.
    index, tallies = workspace.sources_folder / INDEX, workspace.tallies_file
    for number, line in enumerate(read_text(index).splitlines() if index.exists() else (), start=1):
        yield Cell(workspace.shown(index), number, "", line)
    for name in sorted(_cells(tallies, "source")):
        yield Cell(workspace.shown(tallies), None, "source", name)
    ledger = workspace.shown(workspace.ledger_file)
    for number, decision in enumerate(workspace.decisions, start=2):
        if decision.reason:
            yield Cell(ledger, number, "reason", decision.reason)


def _canary_before(workspace: Workspace, releases: Sequence[Release]) -> str:
    """The canary of the last release that the workspace has kept."""
    for release in reversed(releases):
        kept = Workspace(workspace.root / KEPT / release.version)
        if kept.culture_file.exists():
            return kept.culture.release.canary
    return ""


def _cells(path: Path, column: str) -> set[str]:
    """The values of a column of a table; none where there is no such table or column."""
    if not path.exists():
        return set()
    table = read_table(path)
    if column not in table.columns:
        return set()
    return {" ".join(row[column].split()) for row in table.rows} - {""}


WORKSPACE = "workspace"
"""The folder of a package that is a workspace."""


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
        workspace.tallies_file,
        workspace.annotations.renamed,
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
            text = read_text(path)
            lines = io.StringIO(text, newline="")
            rows = [  # also those that have too many or too few cells
                list(map(unescape_formula, cells))
                for cells in table_rows(lines, separator(text), str(path))
            ]
            if any(cell[:1] in SUSPECT for row in rows for cell in row):
                write_csv(folder / name, (), rows, escaped=True)
                continue
        write_file(folder / name, read_bytes(path))
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


_OURS = re.compile(r"curate \d.*")
