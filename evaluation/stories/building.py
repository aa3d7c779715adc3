"""The stories of a workspace, built of its bank with what editors changed in them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from curation.bank.generate import draw_index, expand, filler_groups, prepare
from curation.checks.placeholders import refuse_placeholders
from curation.files.annotations import AnnotationsFolder
from curation.files.codec import Codec
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.files.writers import write_table
from curation.records.errors import CurateError, refuse_unknown
from curation.records.findings import Finding, Severity, has_errors
from curation.records.frames import frame
from evaluation.folders import result_folder
from evaluation.stories.checks import Checker
from evaluation.stories.languages import story_language
from evaluation.stories.records import (
    STORIES,
    STORY_COLUMNS,
    Remark,
    Story,
    StoryPair,
    remark,
    story_pairs,
    story_rows,
)
from survey.bank import TALLIES, final_bank, refuse_unfinished

if TYPE_CHECKING:
    import pandas as pd


OVERRIDES = "stories_overrides.csv"
"""The name of the file in `annotations/` with what editors changed."""
DRAWN, ALL = "drawn", "all"
FILLINGS = (DRAWN, ALL)
"""Which fillings of each story are made: one a seed, or every one."""


@dataclass(frozen=True, slots=True)
class Override:
    """A text that an editor gave; fields are the columns of the file.

    Attributes:
        variant: The variant with this disambiguating part.
        editor: Name of the editor.
        made: The text that it replaces. If the toolkit now makes another one, the entry is stale.
        text: The new text; empty where the editor only wrote a remark.
        remark: The editor's remark.
        source_file: The workbook.
        collected_at: When it was read, ISO 8601.
    """

    variant: str
    editor: str
    made: str
    text: str
    remark: str = ""
    source_file: str = ""
    collected_at: str = ""


OVERRIDE_TABLE = Codec(
    Override,
    "restore the file from version control",
    key=("variant", "editor"),
    order=("variant", "editor"),
)
"""The table of what editors changed."""


def resolve(
    overrides: Sequence[Override], made: Mapping[str, str], file: str
) -> tuple[dict[str, str], list[Remark]]:
    """The text that each variant has by its editors, and remarks on those that are not used.

    A text that changes another one than the toolkit makes today is stale and not used; two
    editors who give two texts are an error, for neither is taken.

    Args:
        overrides: What editors changed.
        made: By variant the text as the toolkit makes it.
        file: The file as findings show it.
    """
    plain = {variant: " ".join(text.split()) for variant, text in made.items()}
    texts: dict[str, dict[str, str]] = {}
    remarks: list[Remark] = []
    for item in overrides:
        text = " ".join(item.text.split())
        if text and " ".join(item.made.split()) == plain.get(item.variant):
            texts.setdefault(item.variant, {})[item.editor] = text
        elif text:
            is_known = item.variant in made
            why = "the story was another one when it was edited"
            why = why if is_known else "no story of the bank has this variant"
            what = f"the text of {item.editor} is not used: {why}"
            hint, place = "hand out the sheet again: curate evaluate stories sheet", "made"
            rule, how = "story-override-stale", Severity.WARNING
            remarks.append(remark(item.variant, rule, how, (file, None, place), what, hint))
    chosen: dict[str, str] = {}
    for variant, by_editor in texts.items():
        text, *others = dict.fromkeys(by_editor.values())
        if others:
            what = f"{' and '.join(by_editor)} give it different texts"
            hint = "let them agree, and collect the sheet of one with the other's text"
            rule, how = "story-override-differs", Severity.ERROR
            remarks.append(remark(variant, rule, how, (file, None, "text"), what, hint))
        elif text != plain[variant]:
            chosen[variant] = text
    return chosen, remarks


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
        return {
            "rows": len(self.stories),
            "stories": len({(item.story_id, item.seed) for item in self.stories}),
            "templates": len({item.template_id for item in self.stories}),
            "edited": len({(i.template_id, i.version) for i in self.stories if i.edited}),
            "left_out": len(self.faulty),
        }

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
        found = Built(
            (), None, (0,) if every else tuple(seeds), faulty, made.waiting, made.findings
        )
        if has_errors(made.findings) and not leave_out_faulty:
            return found
        stories = tuple(filled_stories(workspace, pairs, found.seeds, every=every))
        folder = out or workspace.exports_folder / "stories"
        found = replace(found, stories=stories, folder=folder)
        inputs = (
            *(workspace.culture_file, workspace.bank_file, workspace.groups_file),
            *(workspace.ledger_file, workspace.targets_file),
            *(workspace.responses_folder / TALLIES, overrides_file(workspace)),
        )
        settings = {
            "language": workspace.culture.language,
            "unknown": workspace.culture.unknown,
            "seeds": found.seeds,
            "fillings": fillings,
            "left_out": faulty,
            "as_published": as_published,
        }
        given = (workspace, folder, inputs, found.counts, settings)
        with result_folder(*given, command=command, what="stories") as stage:
            write_table(stage / STORIES, "csv", STORY_COLUMNS, stories)
    return found


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
    language = story_language(workspace.language, workspace.culture.stories)
    plain = story_pairs(final.fillable, language, {}, published=published)
    pairs = plain
    said: list[Remark] = []
    if edited:
        path = overrides_file(workspace)
        made = {str(v.variant.id): v.made.printed for pair in plain for v in pair.versions}
        texts, said = resolve(OVERRIDE_TABLE.read(path), made, workspace.shown(path))
        pairs = story_pairs(final.fillable, language, texts, published=published)
    groups: dict[str, list[str]] = {}
    for group in workspace.groups:
        groups.setdefault(group.category, []).append(group.group)
    checker = Checker(
        language=language,
        repeat_limit=workspace.culture.stories.repeat_limit,
        bank=workspace.shown(workspace.bank_file),
        overrides=workspace.shown(overrides_file(workspace)),
        groups=groups,
    )
    remarks = (*said, *checker.check(pairs))
    return Made(tuple(pairs), remarks, tuple(str(item.id) for item in final.open))


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
        counts = [filling.count for filling in fillings]
        if len(set(counts)) > 1:
            raise CurateError(
                f"{pair.name}: the variants have {' and '.join(map(str, counts))} fillings, so no "
                "index fits both",
                str(pair.template.id),
                "make their lists equally long",
            )
    groups = filler_groups(workspace.groups)
    unknown = workspace.culture.unknown
    rows = 2 * sum(filling.count for _, fillings in prepared for filling in fillings)
    limit = workspace.culture.samples.limit
    if every and rows > limit:
        raise CurateError(
            f"all fillings are {rows:,} rows, more than the {limit:,} of samples.limit",
            "culture.yaml, samples.limit",
            "draw fillings by seeds, shorten the lists, or raise samples.limit",
        )
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
                    yield from story_rows(version, samples, filling.order, at, seed)
