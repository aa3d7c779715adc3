"""What rules look at, and what they have in common."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from curation.model.bank import (
    GROUP_FIELDS,
    SLOT_TEXT_FIELDS,
    TEXT_FIELDS,
    Bank,
    Group,
    Template,
    Texts,
    Variant,
)
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.ids import VariantId
from curation.slots import (
    CompiledText,
    Filler,
    SlotError,
    SlotList,
    SlotText,
    compile_text,
    declared_lists,
    parse_fillers,
    parse_lists,
    parse_text,
)

if TYPE_CHECKING:
    from curation.checks.release.facts import ReleaseFacts

CULTURE_FILE = "culture.yaml"
"""The settings' path as findings show it."""
LIST_FIELDS = ("names", "words")
"""The fields of `Texts` that hold slot lists."""


@dataclass(frozen=True)
class Wording:
    """One variant in one language, its cells parsed once.

    Attributes:
        variant: The variant.
        texts: Its cells in this language.
        suffix: What the names of their columns end in: nothing, or `_source`.
        language: ISO 639-1 code.
    """

    variant: Variant
    texts: Texts
    suffix: str
    language: str

    def column(self, field: str) -> str:
        """Give the column of a field of `Texts`."""
        return f"{field}{self.suffix}"

    @cached_property
    def _read(self) -> "_Read":
        read = _Read({}, [], [])
        for field in SLOT_TEXT_FIELDS:
            try:
                read.parsed[field] = parse_text(getattr(self.texts, field))
            except SlotError as error:
                read.unreadable.append((field, error))
        for field in LIST_FIELDS:
            try:
                lists = parse_lists(getattr(self.texts, field))
                read.listed.extend((field, item) for item in lists.values())
            except SlotError as error:
                read.unreadable.append((field, error))
        return read

    @property
    def parsed(self) -> Mapping[str, SlotText]:
        """The slot texts that can be read, by field; empty ones too."""
        return self._read.parsed

    @property
    def listed(self) -> Sequence[tuple[str, SlotList]]:
        """The lists of the cells that can be read, each with its field."""
        return self._read.listed

    @property
    def unreadable(self) -> Sequence[tuple[str, SlotError]]:
        """The fields whose slots or lists cannot be read, and why."""
        return self._read.unreadable

    @cached_property
    def lists(self) -> Mapping[str, SlotList] | None:
        """All declared lists by slot; None when they cannot be read."""
        try:
            return declared_lists(self.texts.names, self.texts.words)
        except CurateError:
            return None

    @cached_property
    def used(self) -> frozenset[str]:
        """The slots that stand in texts."""
        return frozenset(name for text in self.parsed.values() for name in text.names)

    @property
    def is_open(self) -> bool:
        """Whether the survey has yet to fill one of the lists."""
        return any(item.open for _, item in self.listed)

    @cached_property
    def fillings(self) -> int | None:
        """The number of fillings; None when lists cannot be read or are still open."""
        if self.lists is None or self.is_open:
            return None
        return math.prod(len(item.fillers) for item in self.lists.values())

    def compiled(self, field: str) -> CompiledText | None:
        """Resolve the slots of a text, in declared order; None when that cannot be done."""
        if self.lists is None or field not in self.parsed:
            return None
        try:
            return compile_text(self.parsed[field], self.lists, tuple(self.lists), self.language)
        except CurateError:
            return None


@dataclass(frozen=True, slots=True)
class _Read:
    """What can and what cannot be read of a wording."""

    parsed: dict[str, SlotText]
    listed: list[tuple[str, SlotList]]
    unreadable: list[tuple[str, SlotError]]


@dataclass(frozen=True, slots=True)
class Cell:
    """One text of the bank or of the groups, with its place."""

    file: str
    row: int | None
    column: str
    text: str


@dataclass(frozen=True)
class Subject:
    """What rules look at.

    Attributes:
        culture: The settings.
        bank: The templates.
        groups: The demographic groups.
        bank_file: The bank's path as findings show it.
        groups_file: The groups' path as findings show it.
        decided_with: The settings of the survey that its decisions were made with, by name;
            None where that is not looked at.
        release: What the rules of a release look at; None where none is checked.
    """

    culture: Culture
    bank: Bank
    groups: tuple[Group, ...]
    bank_file: str
    groups_file: str
    decided_with: Mapping[str, object] | None = None
    release: "ReleaseFacts | None" = None

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        """The templates, in order of their first row."""
        return tuple(self.bank.templates())

    @cached_property
    def started(self) -> tuple[Wording, ...]:
        """The variants in both languages, as far as any cell is written."""
        culture = self.culture
        both = (
            (
                Wording(item, item.texts, "", culture.language),
                Wording(item, item.source_texts, "_source", culture.source_language),
            )
            for item in self.bank.variants
        )
        return tuple(item for pair in both for item in pair if not item.texts.is_empty)

    @cached_property
    def wordings(self) -> tuple[Wording, ...]:
        """The variants in both languages, as far as contexts, questions or answers are written."""
        return tuple(item for item in self.started if item.texts.has_body)

    @cached_property
    def texts(self) -> tuple[Wording, ...]:
        """The variants whose texts are written in the culture's language."""
        return tuple(item for item in self.wordings if not item.suffix)

    @cached_property
    def pairs(self) -> tuple[tuple[Wording, Wording], ...]:
        """The pairs `a`, `b` and `c`, `d` whose two texts are written in the culture's language."""
        by_id = {item.variant.id: item for item in self.texts}
        pairs = []
        for key, item in by_id.items():
            twin = by_id.get(VariantId(key.template, key.letter.twin))
            if twin is not None and not key.letter.is_biased:
                pairs.append((item, twin))
        return tuple(pairs)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every written text of the bank, in both languages, and of the groups."""
        return (*self._bank_cells(), *self._group_cells())

    @cached_property
    def group_fillers(self) -> tuple[tuple[Group, tuple[Filler, ...]], ...]:
        """The groups whose fillers can be read, with them."""
        found = []
        for group in self.groups:
            try:
                found.append((group, parse_fillers(group.fillers)))
            except SlotError:
                continue
        return tuple(found)

    def _bank_cells(self) -> Iterator[Cell]:
        for variant in self.bank.variants:
            for texts, suffix in ((variant.texts, ""), (variant.source_texts, "_source")):
                for field in TEXT_FIELDS:
                    value = getattr(texts, field)
                    for text in value if field in GROUP_FIELDS else (value,):
                        if text:
                            yield Cell(self.bank_file, variant.row or None, field + suffix, text)

    def _group_cells(self) -> Iterator[Cell]:
        for group in self.groups:
            for column in ("group", "parent", "fillers"):
                if text := getattr(group, column):
                    yield Cell(self.groups_file, group.row or None, column, text)


class Check(Protocol):
    """A rule.

    Attributes:
        rule: Stable id, words joined by hyphens.
        severity: Weight of its findings.
        title: What it finds, one line.
        hint: What to do about it, one line.
    """

    rule: str
    severity: Severity
    title: str
    hint: str

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield what the rule finds."""
        ...


def in_bank(
    check: Check, subject: Subject, variant: Variant, column: str, message: str, hint: str = ""
) -> Finding:
    """Make a finding on a cell of the bank, with the rule's hint unless another is given."""
    return Finding(
        check.rule,
        check.severity,
        subject.bank_file,
        variant.row or None,
        column,
        message,
        hint or check.hint,
    )


def in_groups(check: Check, subject: Subject, group: Group, column: str, message: str) -> Finding:
    """Make a finding on a cell of the groups."""
    return Finding(
        check.rule,
        check.severity,
        subject.groups_file,
        group.row or None,
        column,
        message,
        check.hint,
    )


def in_cell(check: Check, cell: Cell, message: str) -> Finding:
    """Make a finding on a text."""
    return Finding(
        check.rule, check.severity, cell.file, cell.row, cell.column, message, check.hint
    )
