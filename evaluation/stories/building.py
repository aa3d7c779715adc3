"""The stories of a workspace: built of its bank, edited, and built again."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curation.annotation.sheets import (
    distinct_names,
    findings_of,
    hand_out,
    open_each,
    refuse_marked,
    sheet_paths,
)
from curation.bank.generate import Filling, draw_index, expand, filler_groups, prepare
from curation.checks.placeholders import refuse_placeholders
from curation.files.annotations import AnnotationsFolder, keep_raw
from curation.files.ledger import now
from curation.files.lock import writing, writing_results
from curation.files.workbooks import FilledSheet, OpenBook, read_sheet
from curation.files.workspace import Workspace
from curation.records.errors import CurateError, refuse_unknown
from curation.records.findings import Finding, has_errors
from curation.records.frames import frame
from evaluation.folders import result_folder
from evaluation.stories.checks import Checker
from evaluation.stories.editing import (
    EDIT,
    OVERRIDE_TABLE,
    OVERRIDES,
    Override,
    edit_book,
    edit_sheet,
    merge_overrides,
    override_of,
    resolve,
)
from evaluation.stories.languages import StoryLanguage, story_language
from evaluation.stories.records import (
    STORIES,
    Remark,
    Story,
    StoryPair,
    story_pairs,
    story_rows,
    write_stories,
)
from survey.bank import TALLIES, final_bank, refuse_unfinished

if TYPE_CHECKING:
    import pandas as pd


DRAWN, ALL = "drawn", "all"
FILLINGS = (DRAWN, ALL)
"""Which fillings of each story are made: one a seed, or every one."""


@dataclass(frozen=True, slots=True)
class Made:
    """The stories of a workspace.

    Attributes:
        pairs: The stories, with what editors changed.
        remarks: What is to be said of them and of the changes.
        waiting: Ids of templates that give no samples yet, and so no stories.
    """

    pairs: tuple[StoryPair, ...]
    remarks: tuple[Remark, ...]
    waiting: tuple[str, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the remarks."""
        return tuple(item.finding for item in self.remarks)

    def without_faults(self) -> tuple[tuple[StoryPair, ...], tuple[str, ...]]:
        """The stories that can be told, and the names of those that cannot."""
        wrong = {item.subject for item in self.remarks if has_errors([item.finding])}
        faulty = {pair.name for pair in self.pairs if wrong.intersection(pair.subjects)}
        return (
            tuple(pair for pair in self.pairs if pair.name not in faulty),
            tuple(sorted(faulty)),
        )


@dataclass(frozen=True, slots=True)
class Built:
    """Stories that were built.

    Attributes:
        stories: The rows of `stories.csv`; none where the stories were refused for their errors.
        folder: Where they are; None where they were refused.
        seeds: Of the evaluation sets.
        faulty: Stories that have errors, by the name that findings call them.
        without_samples: Ids of templates that give no samples yet, and so no stories.
        findings: What may still tell who is who, and what makes a story none.
    """

    stories: tuple[Story, ...]
    folder: Path | None
    seeds: tuple[int, ...]
    faulty: tuple[str, ...]
    without_samples: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many rows, stories and templates there are, texts of editors, faulty stories."""
        return _counts(self.stories, self.faulty)

    def to_frame(self) -> "pd.DataFrame":
        """`stories.csv`: `seed` and `filling` int64, `edited` bool, the others object."""
        return frame(self.stories, Story, seed="int64", filling="int64", edited="bool")


def build(
    workspace: Workspace,
    seeds: Iterable[int] = range(1, 6),
    *,
    fillings: str = DRAWN,
    leave_out_faulty: bool = False,
    as_published: bool = False,
    out: Path | None = None,
) -> Built:
    """Build the stories of the final bank. They do not show which of the two people did what.

    Args:
        workspace: The workspace.
        seeds: Of the evaluation sets, with one filling of each story in each.
        fillings: Of `FILLINGS`; `all` is every filling of each story once, with seed 0.
        leave_out_faulty: Leave out stories with errors; else one error refuses all.
        as_published: Write texts as BBG's own files have them, to compare with them.
        out: The folder; by default `stories` in the exports.

    Raises:
        CurateError: If a file cannot be read or written, the bank lacks surveyed groups, nothing
            of it can be made into a story, or all fillings are more rows than `samples.limit`.
    """
    refuse_unknown("choice of fillings", fillings, FILLINGS)
    command = "evaluate stories build"
    with writing(workspace, f"curate {command}", to=out):
        made = make_stories(workspace, published=as_published)
        pairs, faulty = made.without_faults()
        every = fillings == ALL
        numbers, folder = (0,) if every else tuple(seeds), None
        stories: tuple[Story, ...] = ()
        if leave_out_faulty or not has_errors(made.findings):
            stories = tuple(filled_stories(workspace, pairs, numbers, every=every))
            folder = out or workspace.exports_folder / "stories"
            inputs = (
                *(workspace.culture_file, workspace.bank_file, workspace.groups_file),
                *(workspace.ledger_file, workspace.targets_file),
                *(workspace.responses_folder / TALLIES, overrides_file(workspace)),
            )
            settings = {
                "language": workspace.culture.language,
                "unknown": workspace.culture.unknown,
                "seeds": numbers,
                "fillings": fillings,
                "left_out": faulty,
                "as_published": as_published,
            }
            counts = _counts(stories, faulty)
            given = (workspace, folder, inputs, counts, settings)
            with result_folder(*given, command=command, what="stories") as stage:
                write_stories(stage / STORIES, stories)
    return Built(stories, folder, numbers, faulty, made.waiting, made.findings)


def _counts(stories: Sequence[Story], faulty: Sequence[str]) -> dict[str, int]:
    return {
        "rows": len(stories),
        "stories": len({(item.story_id, item.seed) for item in stories}),
        "templates": len({item.template_id for item in stories}),
        "edited": len({(item.template_id, item.version) for item in stories if item.edited}),
        "left_out": len(faulty),
    }


def overrides_file(workspace: Workspace) -> Path:
    """Where editors' changes are kept."""
    return AnnotationsFolder(workspace.root).folder / OVERRIDES


def make_stories(workspace: Workspace, *, edited: bool = True, published: bool = False) -> Made:
    """Make the stories of the final bank.

    Args:
        workspace: The workspace.
        edited: Whether what editors changed is put in.
        published: Make them as BBG's own files have them.

    Raises:
        CurateError: If a file cannot be read, the bank lacks surveyed groups, or nothing of it
            can be made into a story.
    """
    final = final_bank(workspace)
    refuse_placeholders(workspace, [item.id for item in final.templates])
    refuse_unfinished(final)
    if not final.fillable:
        raise CurateError(
            "no template of the bank can be filled, so there are no stories",
            workspace.shown(workspace.bank_file),
            "see 'curate status'",
        )
    code = workspace.language
    language = story_language(code, workspace.culture.stories)
    plain = story_pairs(final.fillable, code, language, {}, published=published)
    pairs = plain
    said: list[Remark] = []
    if edited:
        path = overrides_file(workspace)
        made = {str(v.variant.id): v.made.printed for pair in plain for v in pair.versions}
        texts, said = resolve(OVERRIDE_TABLE.read(path), made, workspace.shown(path))
        pairs = story_pairs(final.fillable, code, language, texts, published=published)
    remarks = (*said, *checker(workspace, language).check(pairs))
    return Made(tuple(pairs), remarks, tuple(str(item.id) for item in final.open))


def checker(workspace: Workspace, language: StoryLanguage) -> Checker:
    """What checks the stories of a workspace."""
    groups: dict[str, list[str]] = {}
    for group in workspace.groups:
        groups.setdefault(group.category, []).append(group.group)
    return Checker(
        language=language,
        repeat_limit=workspace.culture.stories.repeat_limit,
        bank=workspace.shown(workspace.bank_file),
        overrides=workspace.shown(overrides_file(workspace)),
        groups=groups,
    )


def filled_stories(
    workspace: Workspace,
    pairs: Sequence[StoryPair],
    seeds: Sequence[int],
    *,
    every: bool = False,
) -> Iterator[Story]:
    """Yield the rows of evaluation sets: for each seed one filling of each story.

    The filling is the one that the test set of that seed has.

    Args:
        workspace: The workspace.
        pairs: The stories.
        seeds: Of the evaluation sets.
        every: Whether each set has every filling instead.

    Raises:
        CurateError: If a variant cannot be filled, the two of a story differ in their number of
            fillings, or every filling is asked for and there are too many.
    """
    code = workspace.language
    prepared = [
        (pair, [prepare(version.variant, code) for version in pair.versions]) for pair in pairs
    ]
    for pair, fillings in prepared:
        _refuse_unequal(pair, fillings)
    groups = filler_groups(workspace.groups)
    unknown = workspace.culture.unknown
    if every:
        _refuse_too_many(workspace, [fillings for _, fillings in prepared])
    for seed in seeds:
        for pair, fillings in prepared:
            count = fillings[0].count
            chosen: Iterable[int] = range(1, count + 1)
            if not every:
                chosen = [draw_index(str(pair.template.id), pair.pair, seed, count)]
            for index in chosen:
                for version, filling in zip(pair.versions, fillings, strict=True):
                    samples = list(expand(filling, unknown, groups, [index]))
                    at = filling.indices(index)
                    yield from story_rows(version, samples, filling.order, at, code, seed)


def _refuse_too_many(workspace: Workspace, stories: Iterable[Sequence[Filling]]) -> None:
    rows = 2 * sum(filling.count for fillings in stories for filling in fillings)
    limit = workspace.culture.samples.limit
    if rows > limit:
        raise CurateError(
            f"all fillings are {rows:,} rows, more than the {limit:,} of samples.limit",
            "culture.yaml, samples.limit",
            "draw fillings by seeds, shorten the lists, or raise samples.limit",
        )


def _refuse_unequal(pair: StoryPair, fillings: Sequence[Filling]) -> None:
    counts = [filling.count for filling in fillings]
    if len(set(counts)) > 1:
        raise CurateError(
            f"{pair.name}: the variants have {' and '.join(map(str, counts))} fillings, so no "
            "index fits both",
            str(pair.template.id),
            "make their lists equally long",
        )


@dataclass(frozen=True, slots=True)
class EditorSheet:
    """The workbook of one editor."""

    editor: str
    file: Path


@dataclass(frozen=True, slots=True)
class EditorSheets:
    """Workbooks for editors.

    Attributes:
        stories: How many stories each of them holds.
        rows: In how many rows.
        sheets: By editor.
    """

    stories: int
    rows: int
    sheets: tuple[EditorSheet, ...]


def sheet(workspace: Workspace, editors: Sequence[str], out: Path | None = None) -> EditorSheets:
    """Make a workbook for each editor: a row a version of each story.

    A workbook that may have been filled in is never written over.

    Args:
        workspace: The workspace.
        editors: Who edits.
        out: The folder; by default `annotations/sheets`.

    Raises:
        CurateError: If names cannot be told apart, there are no stories, or a workbook is in the
            way.
    """
    names = distinct_names(editors)
    folder = out or AnnotationsFolder(workspace.root).sheets
    with writing_results(folder, "curate evaluate stories sheet", workspace):
        made = make_stories(workspace, edited=False)
        paths = sheet_paths(folder, "stories", names)
        for name, path in zip(names, paths, strict=True):
            book = edit_book(made.pairs, made.remarks, name)
            hand_out(path, book, workspace.language)
    rows = sum(len(pair.versions) for pair in made.pairs)
    return EditorSheets(len(made.pairs), rows, tuple(map(EditorSheet, names, paths)))


@dataclass(frozen=True, slots=True)
class CollectedEdits:
    """What editors returned, and the stories as they are with it.

    Attributes:
        file: Where it is kept.
        changes: How many texts they changed.
        remarks: How many remarks they made.
        edited: How many texts of the stories are an editor's now.
        findings: What is to be said of the workbooks and of the stories.
    """

    file: Path
    changes: int
    remarks: int
    edited: int
    findings: tuple[Finding, ...]


def collect(workspace: Workspace, files: Sequence[Path]) -> CollectedEdits:
    """Collect the workbooks that editors returned, in the place of their earlier ones.

    Args:
        workspace: The workspace.
        files: The workbooks, one for each editor.

    Raises:
        Refusal: If a workbook has an error; nothing is collected then, and marked copies are
            written.
        CurateError: If a file cannot be read or written.
    """
    with writing(workspace, "curate collect"):
        folder, path = AnnotationsFolder(workspace.root), overrides_file(workspace)
        plain = make_stories(workspace, edited=False)
        wanted = edit_sheet(plain.pairs, plain.remarks)
        versions = {str(v.variant.id): v for pair in plain.pairs for v in pair.versions}
        returned: list[tuple[OpenBook, FilledSheet]] = []
        overrides: list[Override] = []
        at = now()
        books, findings = open_each(files, EDIT, "editor")
        for editor, book in books.items():
            filled = read_sheet(book, wanted)
            source = workspace.shown(folder.raw(book.path.name, book.data))
            overrides += [
                override_of(filled, row, versions[row.key], editor, source, at)
                for row in filled.rows
                if row.filled
            ]
            returned.append((book, filled))
        findings += (item for _, filled in returned for item in findings_of(filled.marks))
        refuse_marked(workspace, returned, findings)
        for book, _ in returned:
            keep_raw(folder.raw(book.path.name, book.data), book.data)
        OVERRIDE_TABLE.write(path, merge_overrides(OVERRIDE_TABLE.read(path), overrides))
        made = make_stories(workspace)
    return CollectedEdits(
        file=path,
        changes=sum(bool(item.text) for item in overrides),
        remarks=sum(bool(item.remark) for item in overrides),
        edited=sum(version.edited for pair in made.pairs for version in pair.versions),
        findings=(*findings, *made.findings),
    )
