"""The stories of a workspace, built of its bank with what editors changed in them.

What still gives the people of a story away, and what makes it no story, is found; and editors
correct stories in workbooks, which are handed out and collected.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curation.annotation.sheets import Given, collect_rows, hand_out_each
from curation.bank.generate import draw_index, expand, filler_groups, prepare
from curation.bank.planning import refuse_faults
from curation.checks.settings import refuse_placeholders
from curation.files.codec import Codec
from curation.files.lock import writing
from curation.files.workbooks import Column, Sheet, SheetRow
from curation.files.workspace import Workspace
from curation.files.writers import write_table
from curation.records.messages import (
    Finding,
    Results,
    finding,
    has_errors,
    refusal,
    refuse_unknown,
    results,
)
from curation.slots.grammar import Slot, SlotError, parse_text
from evaluation.folders import result_folder
from evaluation.stories import records
from evaluation.stories.placeholders import PEOPLE, StoryLanguage, story_language
from survey.bank import final_bank

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks stories.

    Attributes:
        language: What the language needs.
        repeat_limit: How often a placeholder may occur in a story.
        bank: The bank as findings show it.
        overrides: The file of edited texts as findings show it.
        groups: By category the names of its groups.
    """

    language: StoryLanguage
    repeat_limit: int
    bank: str
    overrides: str
    groups: Mapping[str, Sequence[str]]

    def check(self, pairs: Sequence[records.StoryPair]) -> list[records.Remark]:
        """Remarks on some stories, in their order."""
        return [item for pair in pairs for item in self._pair(pair)]

    def _pair(self, pair: records.StoryPair) -> Iterator[records.Remark]:
        for version in pair.versions:
            for said in self._version(version):
                yield self._say(version, said, str(version.variant.id))
        last = pair.versions[-1]
        for said in self._apart(pair.versions):
            yield self._say(last, said, pair.name)

    def _say(self, version: records.Version, said: Finding, subject: str) -> records.Remark:
        file, row = (self.overrides, None) if version.edited else (self.bank, version.variant.row)
        return subject, replace(said, file=file, row=row, message=f"{subject}: {said.message}")

    def _version(self, version: records.Version) -> Iterator[Finding]:
        """Rules that one version breaks, each with how."""
        neutral, language = version.neutral, self.language
        there = language.whole(neutral.printed, language.written)
        if not there or (not version.edited and not neutral.mentions):
            yield finding(__package__, "story-no-person", "")
        if neutral.unformed:
            yield finding(__package__, "story-form-unknown", "", slot=neutral.unformed[0])
        texts = version.variant.texts
        for slot in () if version.edited else PEOPLE:
            contexts = (texts.ambiguous_context, texts.disambiguating_context)
            slots = [item.name for text in contexts for item in parse_text(text).slots]
            if slots.count(slot) < 2:
                yield finding(__package__, "story-person-once", "", slot=slot)
        names = [part.name for part in neutral.text.parts if isinstance(part, Slot)]
        if any(name[0] == "X" for name in names):
            yield finding(__package__, "story-pair-bound", "")
        yield from self._given_away(version)

    def _texts(self, version: records.Version) -> str:
        """All that the neutral part can read: its text and the words of its slots."""
        parts = [part if isinstance(part, str) else " " for part in version.neutral.text.parts]
        names = [part.name for part in version.neutral.text.parts if isinstance(part, Slot)]
        words = version.fillers(list(dict.fromkeys(names)))
        return " | ".join(("".join(parts), *words))

    def _given_away(self, version: records.Version) -> Iterator[Finding]:
        """Look for names, groups and words of gender that the neutral part still holds."""
        text, language = self._texts(version), self.language
        groups = self.groups.get(version.variant.category, ())
        people = version.fillers(PEOPLE)
        left = language.whole(text, list(dict.fromkeys((*people, *groups))))
        if left:
            yield finding(__package__, "story-person-left", "", words=_listed(left))
        for filler in people:
            words = language.inside(text, filler)
            if words:
                told = {"filler": filler, "words": _listed(words)}
                yield finding(__package__, "story-filler-inside-word", "", **told)
        # Gendered words tell who is who where the two people are of different gender.
        found = [word for words in language.gendered(text) for word in words]
        both = [language.gendered(" | ".join(version.fillers([slot]))) for slot in PEOPLE]
        genders = sorted((bool(feminine), bool(masculine)) for feminine, masculine in both)
        if found and genders == [(False, True), (True, False)]:
            yield finding(__package__, "story-gendered", "", words=_listed(found))
        counts = language.placeholder_counts(text)
        for role, placeholder, count in zip(
            records.ROLES, language.placeholders, counts, strict=True
        ):
            if count > self.repeat_limit:
                told = {"placeholder": placeholder, "role": role, "limit": str(self.repeat_limit)}
                key = "story-placeholder-repeated"
                yield finding(__package__, key, "", count=count, **told)

    def _apart(self, versions: Sequence[records.Version]) -> Iterator[Finding]:
        """Both versions must be there and read alike, in their words of gender too."""
        if len(versions) < 2:
            missing = versions[0].variant.id.twin.short
            yield finding(__package__, "story-version-missing", "", variant=missing)
            return
        first, second = (version.neutral.printed.split() for version in versions)
        if first == second:
            return
        words = [self.language.gendered(self._texts(version)) for version in versions]
        one, other = ({*feminine, *masculine} for feminine, masculine in words)
        if one != other:
            apart = _listed(sorted(one ^ other))
            yield finding(__package__, "story-versions-gendered", "", words=apart)
        yield finding(__package__, "story-versions-differ", "")


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words[:_SHOWN]) + (", ..." if words[_SHOWN:] else "")


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
) -> tuple[dict[str, str], list[records.Remark]]:
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
    remarks: list[records.Remark] = []
    for item in overrides:
        text = " ".join(item.text.split())
        if text and " ".join(item.made.split()) == plain.get(item.variant):
            texts.setdefault(item.variant, {})[item.editor] = text
        elif text:
            words = {"variant": item.variant, "editor": item.editor}
            said = finding(__package__, "story-override-stale", file, **words)
            remarks.append((item.variant, said))
    chosen: dict[str, str] = {}
    for variant, by_editor in texts.items():
        text, *others = dict.fromkeys(by_editor.values())
        if others:
            words = {"variant": variant, "names": " and ".join(by_editor)}
            said = finding(__package__, "story-override-differs", file, **words)
            remarks.append((variant, said))
        elif text != plain[variant]:
            chosen[variant] = text
    return chosen, remarks


def build(
    workspace: Workspace,
    seeds: Iterable[int] = range(1, 6),
    *,
    fillings: str = DRAWN,
    leave_out_faulty: bool = False,
    as_published: bool = False,
    out: Path | None = None,
) -> Results:
    """Build the stories of the final bank. They do not show which of the two people did what.

    They are the `rows`: none, and the `folder` None, where they were refused for their errors.
    `faulty` names those with errors, `without_samples` the templates that give none yet.

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
        made, remarks, waiting = make_stories(workspace, published=as_published)
        wrong = {subject for subject, finding in remarks if has_errors([finding])}
        faulty = {pair.name for pair in made if wrong.intersection(pair.subjects)}
        pairs = [pair for pair in made if pair.name not in faulty]
        findings = tuple(finding for _, finding in remarks)
        every = fillings == ALL
        drawn, names = (0,) if every else tuple(seeds), sorted(faulty)
        refused = bool(wrong) and not leave_out_faulty
        stories = () if refused else tuple(filled_stories(workspace, pairs, drawn, every=every))
        folder = None if refused else out or workspace.exports_folder / "stories"
        counts = {
            "rows": len(stories),
            "stories": len({(item.story_id, item.seed) for item in stories}),
            "templates": len({item.template_id for item in stories}),
            "edited": len({(item.template_id, item.version) for item in stories if item.edited}),
            "left_out": len(names),
        }
        told = {
            "folder": folder,
            "counts": counts,
            "seeds": drawn,
            "faulty": names,
            "without_samples": waiting,
        }
        found = results({"rows": (records.STORY_COLUMNS, stories)}, findings, told)
        if folder is None:
            return found
        inputs = (
            *(workspace.culture_file, workspace.bank_file, workspace.groups_file),
            *(workspace.ledger_file, workspace.targets_file),
            *(workspace.tallies_file, overrides_file(workspace)),
        )
        settings = {
            "language": workspace.culture.language,
            "unknown": workspace.culture.unknown,
            "seeds": drawn,
            "fillings": fillings,
            "left_out": names,
            "as_published": as_published,
        }
        given = (workspace, folder, inputs, counts, settings)
        with result_folder(*given, command=command, what="stories") as stage:
            write_table(stage / records.STORIES, "csv", records.STORY_COLUMNS, stories)
    return found


def overrides_file(workspace: Workspace) -> Path:
    """Where editors' changes are kept."""
    return workspace.annotations.folder / OVERRIDES


def make_stories(
    workspace: Workspace, *, edited: bool = True, published: bool = False
) -> tuple[list[records.StoryPair], list[records.Remark], tuple[str, ...]]:
    """Make the stories of the final bank.

    Args:
        workspace: The workspace.
        edited: Whether what editors changed is put in.
        published: Make them as BBG's own files have them.

    Returns:
        The stories, what is to be said of them and of the changes, and the ids of templates that
        give no samples yet, and so no stories.

    Raises:
        CurateError: If a file cannot be read, the bank lacks surveyed groups, or nothing of it
            can be made into a story.
    """
    final = final_bank(workspace)
    refuse_placeholders(workspace, [item.id for item in final.templates])
    refuse_faults(final.findings)
    if not final.fillable:
        raise refusal(__package__, "stories-unfilled", workspace.shown(workspace.bank_file))
    language = story_language(workspace.language, workspace.culture.stories)
    plain = records.story_pairs(final.fillable, language, {}, published=published)
    pairs = plain
    said: list[records.Remark] = []
    if edited:
        path = overrides_file(workspace)
        made = {str(v.variant.id): v.made.printed for pair in plain for v in pair.versions}
        texts, said = resolve(OVERRIDE_TABLE.read(path), made, workspace.shown(path))
        pairs = records.story_pairs(final.fillable, language, texts, published=published)
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
    remarks = [*said, *checker.check(pairs)]
    return pairs, remarks, tuple(str(item.id) for item in final.open)


def filled_stories(
    workspace: Workspace,
    pairs: Sequence[records.StoryPair],
    seeds: Sequence[int],
    *,
    every: bool = False,
) -> Iterator[records.Story]:
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
            words = {"name": pair.name, "counts": " and ".join(map(str, counts))}
            raise refusal(__package__, "fillings-apart", str(pair.template.id), **words)
    groups = filler_groups(workspace.groups)
    unknown = workspace.culture.unknown
    rows = 2 * sum(filling.count for _, fillings in prepared for filling in fillings)
    limit = workspace.culture.samples.limit
    if every and rows > limit:
        raise refusal(
            __package__, "fillings-many", "culture.yaml, samples.limit", rows=rows, limit=limit
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
                    yield from records.story_rows(version, samples, filling.order, at, seed)


EDIT = "stories-edit"
"""The kind of an editor's workbook."""

_COLUMNS = (
    Column("variant", 18),
    Column("category", 16),
    Column("ambiguous_context", 46),
    Column("disambiguating_context", 46),
    Column("story", 46),
    Column("findings", 40),
    Column("text", 46, editable=True),
    Column("remark", 30, editable=True),
)


def edit_sheet(pairs: Sequence[records.StoryPair], remarks: Sequence[records.Remark]) -> Sheet:
    """The sheet of an editor.

    Args:
        pairs: The stories as the toolkit makes them.
        remarks: On the same.
    """
    rows = tuple(_row(pair, version, remarks) for pair in pairs for version in pair.versions)
    return Sheet("stories", _COLUMNS, rows, key="variant")


def _row(
    pair: records.StoryPair, version: records.Version, remarks: Sequence[records.Remark]
) -> SheetRow:
    name, texts = str(version.variant.id), version.variant.texts
    mine = (item for item in remarks if item[0] in (name, pair.name))
    said = [finding.message.removeprefix(f"{subject}: ") for subject, finding in mine]
    return SheetRow(
        name,
        {
            "variant": name,
            "category": version.variant.category,
            "ambiguous_context": texts.ambiguous_context,
            "disambiguating_context": texts.disambiguating_context,
            "story": version.made.printed,
            "findings": "\n".join(said),
        },
    )


def problem_of(text: str, version: records.Version) -> str:
    """Say why a text cannot stand in the place of a story's; nothing where it can."""
    try:
        names = parse_text(text).names
    except SlotError as error:
        return error.what
    people = [name for name in names if name in PEOPLE]
    if people:
        return f"the text names a person, [{people[0]}]"
    strange = [name for name in names if name not in version.lists]
    return f"there is no slot {strange[0]}" if strange else ""


def sheet(workspace: Workspace, editors: Sequence[str]) -> dict[str, Any]:
    """Make a workbook for each editor: a row a version of each story.

    A workbook that may have been filled in is never written over.

    Args:
        workspace: The workspace.
        editors: Who edits.

    Raises:
        CurateError: If names cannot be told apart, there are no stories, or a workbook is in the
            way.
    """

    def make() -> tuple[int, Sheet]:
        pairs, remarks, _ = make_stories(workspace, edited=False)
        return len(pairs), edit_sheet(pairs, remarks)

    command = "curate evaluate stories sheet"
    return hand_out_each(workspace, editors, "stories", EDIT, "editor", make, command)


def collect(workspace: Workspace, files: Sequence[Path]) -> dict[str, Any]:
    """Collect the workbooks that editors returned; what they have no text for any more stays.

    Args:
        workspace: The workspace.
        files: The workbooks, one for each editor.

    Returns:
        The `file` where it is kept, how many `changes` of texts and `remarks` there are, how many
        texts of the stories are an editor's now (`edited`), and the `findings`.

    Raises:
        Refusal: If a workbook has an error; nothing is collected then, and marked copies are
            written.
        CurateError: If a file cannot be read or written.
    """
    with writing(workspace, "curate collect"):
        plain, remarks, _ = make_stories(workspace, edited=False)
        wanted = edit_sheet(plain, remarks)
        versions = {str(v.variant.id): v for pair in plain for v in pair.versions}

        def override(given: Given) -> Override:
            text, made = (" ".join(given.said[name].split()) for name in ("text", "story"))
            problem = problem_of(text, versions[given.uid]) if text else ""
            if problem:
                given.refuse("text", problem)
            remark = given.text("remark")
            return Override(given.uid, given.person, made, text, remark, given.source, given.at)

        path = overrides_file(workspace)
        _, findings, new, *_ = collect_rows(
            workspace, files, EDIT, OVERRIDE_TABLE, path, lambda _: wanted, override
        )
        pairs, remarks, _ = make_stories(workspace)
    return {
        "file": path,
        "changes": sum(bool(item.text) for item in new),
        "remarks": sum(bool(item.remark) for item in new),
        "edited": sum(version.edited for pair in pairs for version in pair.versions),
        "findings": (*findings, *(finding for _, finding in remarks)),
    }
