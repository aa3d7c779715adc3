"""The stories of a workspace: what its bank gives, with what editors changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.cli.final import filler_groups, load_final, refuse_unfinished
from curation.io.annotations import AnnotationsFolder
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.stages.generate import Filling, draw_index, expand, prepare
from evaluation.stories.checks import Checker
from evaluation.stories.languages import StoryLanguage, story_language
from evaluation.stories.overrides import OVERRIDES, read_overrides, resolve
from evaluation.stories.records import Story, story_rows
from evaluation.stories.versions import StoryPair, story_pairs


@dataclass(frozen=True, slots=True)
class Made:
    """The stories of a workspace.

    Attributes:
        pairs: The stories, with what editors changed.
        findings: What is to be said of them and of the changes.
        waiting: Ids of templates that give no samples yet, and so no stories.
    """

    pairs: tuple[StoryPair, ...]
    findings: tuple[Finding, ...]
    waiting: tuple[str, ...]

    def without_faults(self) -> tuple[tuple[StoryPair, ...], list[str]]:
        """Give the stories that can be told, and the names of those that cannot."""
        faulty = {
            pair.name
            for pair in self.pairs
            for item in self.findings
            if item.severity is Severity.ERROR and concerns(item, pair)
        }
        kept = tuple(pair for pair in self.pairs if pair.name not in faulty)
        return kept, sorted(faulty)


def concerns(finding: Finding, pair: StoryPair) -> bool:
    """Say whether a finding is about a story."""
    names = (pair.name, *(str(version.variant.id) for version in pair.versions))
    return any(finding.message.startswith(f"{name}: ") for name in names)


def overrides_file(workspace: Workspace) -> Path:
    """Give where editors' changes are kept."""
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
    final = load_final(workspace)
    refuse_unfinished(final)
    if not final.fillable:
        raise CurateError(
            "no template of the bank can be filled, so there are no stories",
            workspace.shown(workspace.bank_file),
            "see 'curate status'",
        )
    code = workspace.culture.language
    language = story_language(code, workspace.culture.stories)
    plain = story_pairs(final.fillable, code, language, {}, published=published)
    pairs = plain
    said: list[Finding] = []
    if edited:
        path = overrides_file(workspace)
        made = {str(v.variant.id): v.made.printed for pair in plain for v in pair.versions}
        texts, said = resolve(read_overrides(path), made, workspace.shown(path))
        pairs = story_pairs(final.fillable, code, language, texts, published=published)
    findings = (*said, *checker(workspace, language).check(pairs))
    return Made(tuple(pairs), findings, tuple(str(item.id) for item in final.open))


def checker(workspace: Workspace, language: StoryLanguage) -> Checker:
    """Give what checks the stories of a workspace."""
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
    workspace: Workspace, pairs: Sequence[StoryPair], seeds: Sequence[int]
) -> Iterator[Story]:
    """Yield the rows of evaluation sets: for each seed one filling of each story.

    The filling is the one that the test set of that seed has.

    Raises:
        CurateError: If a variant cannot be filled, or the two of a story differ in their number
            of fillings.
    """
    code = workspace.culture.language
    prepared = [
        (pair, [prepare(version.variant, code) for version in pair.versions]) for pair in pairs
    ]
    for pair, fillings in prepared:
        _refuse_unequal(pair, fillings)
    groups = filler_groups(workspace.groups)
    unknown = workspace.culture.unknown
    for seed in seeds:
        for pair, fillings in prepared:
            index = draw_index(str(pair.template.id), pair.pair, seed, fillings[0].count)
            for version, filling in zip(pair.versions, fillings, strict=True):
                samples = list(expand(filling, unknown, groups, [index]))
                at = filling.indices(index)
                yield from story_rows(version, samples, filling.order, at, code, seed)


def _refuse_unequal(pair: StoryPair, fillings: Sequence[Filling]) -> None:
    counts = [filling.count for filling in fillings]
    if len(set(counts)) > 1:
        raise CurateError(
            f"{pair.name}: the variants have {' and '.join(map(str, counts))} fillings, so no "
            "index fits both",
            str(pair.template.id),
            "make their lists equally long",
        )
