"""Lists of fillers, of slots and of groups."""

import re
from collections import Counter
from collections.abc import Iterator

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject
from curation.records.bank import Label
from curation.records.wording import plural, shortened
from curation.slots import SlotError, parse_fillers, parse_lists

_OPEN, _EQUALS = "(\uff08\uff5b", ":=\uff1a\uff1d"  # full-width parenthesis, brace and signs too
IN_PARENTHESES = re.compile(rf"[{_OPEN}]\s*[a-z\uff41-\uff5a][a-z0-9_\uff41-\uff5a]*\s*[{_EQUALS}]")

_NAMED = 3  # names of the source that a remark shows
_COMMAS = re.compile("[\u060c\u3001\uff0c\uff64]")
"""Commas of Arabic, Chinese and Japanese, and the full-width one."""


@rule
def filler_empty(subject: Subject) -> Iterator[Remark]:
    """Mostly a comma too many; the first of a list is named."""
    for whose, fillers, remark in subject.filler_lists():
        if at := next((at for at, item in enumerate(fillers, start=1) if not item.text), 0):
            yield remark(f"filler {at} of {whose} is empty")


@rule
def filler_parentheses(subject: Subject) -> Iterator[Remark]:
    """They are read as part of the name, which every sample would say."""
    yield from _with(subject, IN_PARENTHESES, "attributes in parentheses")


@rule
def filler_comma(subject: Subject) -> Iterator[Remark]:
    """It separates nothing: what looks like a list is one long name."""
    yield from _with(subject, _COMMAS, "the comma of another script in a filler")


def _with(subject: Subject, pattern: re.Pattern[str], what: str) -> Iterator[Remark]:
    """Name the lists of slots and groups that have fillers with something in their text."""
    for whose, fillers, remark in subject.filler_lists():
        if found := [f"'{item.text}'" for item in fillers if pattern.search(item.text)]:
            yield remark(f"{whose} has {what}: {shortened(found)}")


@rule
def filler_duplicate(subject: Subject) -> Iterator[Remark]:
    """The second one makes the same samples once more.

    Fillers of one name that differ in an attribute are two.
    """
    for whose, fillers, remark in subject.filler_lists():
        counts = Counter((item.text, frozenset(item.features)) for item in fillers if item.text)
        for text in dict.fromkeys(text for (text, _), count in counts.items() if count > 1):
            yield remark(f"'{text}' occurs twice in the list of {whose}")


@rule
def group_fillers_syntax(subject: Subject) -> Iterator[Remark]:
    """The message says line and column within the cell."""
    for group in subject.groups:
        try:
            parse_fillers(group.fillers)
        except SlotError as error:
            yield subject.in_groups(group, "fillers", error.what)


@rule
def group_fillers_missing(subject: Subject) -> Iterator[Remark]:
    """A list that the survey fills takes them from its groups.

    Groups that others are a part of need none.
    """
    parents = {(group.category, group.parent) for group in subject.groups}
    for group, fillers in subject.group_fillers:
        if not fillers and (group.category, group.group) not in parents:
            yield subject.in_groups(group, "fillers", f"'{group.group}' has no fillers")


@rule
def group_fillers_source(subject: Subject) -> Iterator[Remark]:
    """A list that the survey fills takes them from its groups, and not from the translated lists.

    Asked of categories with a translated template labelled TM. A name that a translator kept
    stands in a list of that language too, and is none of the source alone.
    """
    if subject.culture.language == subject.culture.source_language:
        return
    own: dict[str, set[str]] = {}
    theirs: dict[str, set[str]] = {}
    modified: set[str] = set()
    for variant in subject.bank.variants:
        own.setdefault(variant.category, set()).update(_names(variant.texts.names))
        theirs.setdefault(variant.category, set()).update(_names(variant.source_texts.names))
        if variant.label is Label.TARGET_MODIFIED and variant.texts.ambiguous_context:
            modified.add(variant.category)
    for group, fillers in subject.group_fillers:
        if group.category not in modified:
            continue
        names = {filler.text for filler in fillers}
        left = names & theirs[group.category] - own[group.category]
        if left and left == names:
            shown = shortened(sorted(left), _NAMED)
            yield subject.in_groups(
                group, "fillers", f"'{group.group}' has only names of the source language: {shown}"
            )


def _names(lists: str) -> Iterator[str]:
    """The names in lists of slots; none where they cannot be read, which is another finding."""
    try:
        found = parse_lists(lists)
    except SlotError:
        return
    for item in found.values():
        yield from (filler.text for filler in item.fillers)


@rule
def filler_ambiguous(subject: Subject) -> Iterator[Remark]:
    """The name must show the group of a person.

    Said once for each two groups that share fillers, at the later one.
    """
    first: dict[tuple[str, str], str] = {}
    for group, fillers in subject.group_fillers:
        shared: dict[str, dict[str, None]] = {}
        for text in (item.text for item in fillers if item.text):
            known = first.setdefault((group.category, text), group.group)
            if known != group.group:
                shared.setdefault(known, {})[text] = None
        for other, texts in shared.items():
            names = [f"'{text}'" for text in texts]
            what = f"{len(names)} {plural('filler', len(names))} with '{other}'"
            message = f"'{group.group}' shares {what}: {shortened(names)}"
            yield subject.in_groups(group, "fillers", message)
