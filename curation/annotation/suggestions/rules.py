"""Labels by rules over groups: which of the stereotyped groups are groups of the culture?

The bank names the groups of a template as its source does, `groups.csv` those of the culture. After
an import the two are the same by themselves: such a list says nothing of the culture, so that no
label is suggested by it until people have worked on it, or say that they looked through it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from curation.files.workspace import Workspace
from curation.languages.prompts import SuggestTexts
from curation.records.annotation import person_key
from curation.records.bank import Group, Label, Template, Texts, Variant
from curation.records.survey import join_groups
from curation.slots import print_fillers
from curation.sources.imported import groups_of

_NO_FILLERS = print_fillers(())


class NoRule(StrEnum):
    """Why no rule suggests a label."""

    NO_GROUPS = "it names no stereotyped group"
    AS_IMPORTED = "nobody has changed the groups of its category since they were imported"


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the rules say of a template.

    Attributes:
        label: The label.
        reason: Why.
    """

    label: Label
    reason: str


class GroupRules:
    """The groups of a culture, and what they say of templates.

    Args:
        workspace: The workspace.
        texts: How reasons are worded.
        reviewed: Whether groups count as the culture's that nobody has changed since the import.
    """

    def __init__(self, workspace: Workspace, texts: SuggestTexts, *, reviewed: bool) -> None:
        self._texts = texts
        self._book = workspace.book
        rows: dict[str, list[Group]] = {item.category: [] for item in workspace.groups}
        for item in workspace.groups:
            rows[item.category].append(item)
        published = [item for item in workspace.bank.variants if item.source]
        own = _by_category(published)
        source = _by_category(replace(item, texts=Texts()) for item in published)
        self._groups = rows
        self._reviewed = {
            category
            for category in {**own, **source}
            if workspace.groups
            if reviewed
            or not _is_as_imported(
                rows.get(category, ()), own.get(category, {}), source.get(category, {})
            )
        }
        self._known = {
            category: {
                person_key(name): name
                for item in items
                for name in (item.parent, item.group)
                if name
            }
            for category, items in rows.items()
        }
        self._by_fillers = _renamed(workspace.groups, source)

    def groups(self, category: str) -> tuple[str, ...]:
        """The groups of a category that the culture has; none where that is not known."""
        if category not in self._reviewed:
            return ()
        return tuple(item.group for item in self._groups.get(category, ()))

    def rule(self, template: Template) -> Ruled | NoRule:
        """The label of a template, or why there is none.

        All of its stereotyped groups are groups of the culture: ST. Some are, or others of the
        category are: TM. The culture has no group of the category: SR.
        """
        named = stereotyped(template)
        if not named:
            return NoRule.NO_GROUPS
        if template.category not in self._reviewed:
            return NoRule.AS_IMPORTED
        now = {name: self._now(template.category, name) for name in named}
        there = tuple(dict.fromkeys(found for found in now.values() if found))
        missing = tuple(name for name, found in now.items() if not found)
        places = {"there": join_groups(there), "missing": join_groups(missing)}
        if not missing:
            return Ruled(Label.SIMPLY_TRANSFERRED, self._texts.all_stand.format(**places))
        if there:
            return Ruled(Label.TARGET_MODIFIED, self._texts.some_stand.format(**places))
        if self._groups.get(template.category):
            return Ruled(Label.TARGET_MODIFIED, self._texts.others_stand.format(**places))
        return Ruled(Label.SAMPLE_REMOVED, self._texts.none_stand.format(**places))

    def _now(self, category: str, name: str) -> str:
        """What the culture calls a group; empty where it has none of the name."""
        known = self._known.get(category, {})
        for former in (name, self._book.name(category, name)):
            if person_key(former) in known:
                return known[person_key(former)]
        return self._by_fillers.get((category, name), "")


_Imported = Mapping[str, Mapping[str, str]]
"""By category the groups that an import finds, with their fillers."""


def _by_category(variants: Iterable[Variant]) -> _Imported:
    found: dict[str, dict[str, str]] = {}
    for item in groups_of(variants):
        found.setdefault(item.category, {})[item.group] = item.fillers
    return found


def _is_as_imported(
    rows: Sequence[Group], own: Mapping[str, str], source: Mapping[str, str]
) -> bool:
    """Whether the groups of a category are those that its templates brought along.

    A set that was published in the culture's language brings them in it. Where people have
    translated templates and renamed groups the names may be the same, but not the fillers.
    """
    if any(item.parent or item.level for item in rows):
        return False
    now = {item.group: item.fillers for item in rows}
    if now.keys() == source.keys():
        return True
    return now.keys() == own.keys() and any(
        fillers not in ("", _NO_FILLERS) and own[name] == fillers for name, fillers in now.items()
    )


def _renamed(groups: Sequence[Group], source: _Imported) -> dict[tuple[str, str], str]:
    """Groups that have another name and still the fillers that they were imported with."""
    rows = Counter((item.category, item.fillers) for item in groups)
    now = {
        (item.category, item.fillers): item.group
        for item in groups
        if rows[item.category, item.fillers] == 1
        if item.group not in source.get(item.category, {})
    }
    return {
        (category, name): now[category, fillers]
        for category, named in source.items()
        for name, fillers in named.items()
        if fillers != _NO_FILLERS and (category, fillers) in now
    }


def stereotyped(template: Template) -> tuple[str, ...]:
    """The groups that the stereotype of a template is about.

    They are those of the culture's own column where people have written them, else the source's.
    """
    for side in ("texts", "source_texts"):
        found = (getattr(item, side).target_groups for item in template.variants)
        named = tuple(dict.fromkeys(name for groups in found for name in groups if name.strip()))
        if named:
            return named
    return ()
