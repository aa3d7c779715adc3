"""What rules look at, and how they name a place in it."""

import inspect
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import (
    ANSWER_FIELDS,
    GROUP_FIELDS,
    SLOT_TEXT_FIELDS,
    TEXT_FIELDS,
    Bank,
    Group,
    Template,
    Texts,
    Variant,
)
from curation.records.culture import Culture, Release, SampleDigest
from curation.records.licences import Licence
from curation.records.messages import CurateError, Finding, Severity, filled_in
from curation.records.settings import load_yaml
from curation.report.texts import resource
from curation.slots import fill
from curation.slots.grammar import (
    Condition,
    Filler,
    Slot,
    SlotError,
    SlotList,
    SlotText,
    declared_lists,
    fillers_of,
    parse_conditions,
    parse_lists,
    parse_text,
)

CULTURE_FILE = "culture.yaml"
"""The settings' path as findings show it."""
LIST_FIELDS = ("names", "words")
"""The fields of `Texts` that hold slot lists."""


class Remark(NamedTuple):
    """What a rule says of a place: its id and weight come from the rule.

    So do a message and a hint that are not given; `words` are put into the message.
    """

    file: str
    row: int | None
    column: str
    message: str
    hint: str
    words: Mapping[str, object]


def remark(file: str, row: int | None, column: str, /, *said: str, **words: object) -> Remark:
    """Say something of a file, or of a row or a cell of it.

    Args:
        file: The file.
        row: The row.
        column: The column.
        said: A message and a hint, as far as they are not the rule's own.
        words: What is put into the rule's message.
    """
    message, hint = (*said, "", "")[:2]
    return Remark(file, row, column, message, hint, words)


class Cell(NamedTuple):
    """One text with its place."""

    file: str
    row: int | None
    column: str
    text: str

    def remark(self, message: str) -> Remark:
        """Something that is said of the text."""
        return remark(self.file, self.row, self.column, message)


def letters(text: str) -> str:
    """The letters, digits and marks of a text, without case or width."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in plain if unicodedata.category(letter)[0] in "LMN")


def in_settings(key: str, /, *said: str, **words: object) -> Remark:
    """A remark on a key of the settings."""
    return remark(CULTURE_FILE, None, key, *said, **words)


@dataclass(frozen=True)
class ParsedVariant:
    """One variant in one language, its cells parsed once.

    Attributes:
        variant: The variant.
        texts: Its cells in this language.
        suffix: What the names of their columns end in: nothing, or `_source`.
        language: The language, or its ISO 639-1 code.
    """

    variant: Variant
    texts: Texts
    suffix: str
    language: LanguageOrCode

    @cached_property
    def unparsed(self) -> Sequence[tuple[str, SlotError]]:
        """The fields whose slots or lists cannot be parsed, and why."""
        found = []
        for name in (*SLOT_TEXT_FIELDS, *LIST_FIELDS):
            try:
                (parse_lists if name in LIST_FIELDS else parse_text)(getattr(self.texts, name))
            except SlotError as error:
                found.append((name, error))
        return found

    def _readable(self, fields: Sequence[str]) -> dict[str, str]:
        """The cells of some fields that can be parsed."""
        wrong = dict(self.unparsed)
        return {name: getattr(self.texts, name) for name in fields if name not in wrong}

    @cached_property
    def parsed(self) -> Mapping[str, SlotText]:
        """The slot texts without error of syntax, by field; empty ones too."""
        return {name: parse_text(text) for name, text in self._readable(SLOT_TEXT_FIELDS).items()}

    @cached_property
    def listed(self) -> Sequence[tuple[str, SlotList]]:
        """The lists without error of syntax, each with its field."""
        cells = self._readable(LIST_FIELDS).items()
        return [(name, item) for name, text in cells for item in parse_lists(text).values()]

    @cached_property
    def conditioned(self) -> Sequence[tuple[str, Condition]]:
        """The conditions without error of syntax, each with its field."""
        cells = self._readable(LIST_FIELDS).items()
        return [(name, item) for name, text in cells for item in parse_conditions(text)]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions on its lists, as far as they can be parsed."""
        return tuple(condition for _, condition in self.conditioned)

    @cached_property
    def lists(self) -> Mapping[str, SlotList] | None:
        """All declared lists by slot; None when they cannot be parsed."""
        try:
            return declared_lists(self.texts)
        except CurateError:
            return None

    @cached_property
    def used(self) -> frozenset[str]:
        """The slots that occur in texts."""
        return frozenset(name for text in self.parsed.values() for name in text.names)

    @property
    def is_open(self) -> bool:
        """Whether the survey has yet to fill one of the lists."""
        return any(item.open for _, item in self.listed)

    @cached_property
    def numbered(self) -> fill.Fillings | CurateError | None:
        """The fillings, positions being in declared order, or why conditions cannot be judged.

        None when lists cannot be parsed or are still open.
        """
        if self.lists is None or self.is_open:
            return None
        try:
            return fill.number_fillings(self.lists, tuple(self.lists), self.conditions)
        except CurateError as error:
            return error

    @cached_property
    def fillings(self) -> int | None:
        """The number of fillings.

        None when lists cannot be parsed or are still open, or conditions cannot be judged.
        """
        numbered = self.numbered
        return None if numbered is None or isinstance(numbered, CurateError) else numbered.count

    @cached_property
    def asked(self) -> frozenset[tuple[str, str]]:
        """Each slot with the features that conditions compare and the forms that texts name."""
        compared = (
            (slot, one.feature)
            for condition in self.conditions
            for one in condition.alternatives
            for slot in (one.left, one.right)
            if one.feature
        )
        named = (slot for text in self.parsed.values() for slot in text.slots)
        return frozenset((*compared, *((slot.name, slot.named) for slot in named if slot.named)))

    def fillers_of(self, slot: Slot) -> Sequence[Filler]:
        """The fillers of a slot's list; none without a list, or where the survey has to fill it."""
        declared = (self.lists or {}).get(slot.name)
        return declared.fillers if declared else ()

    @cached_property
    def compiled(self) -> Mapping[str, fill.CompiledText | None]:
        """The answers by field, slots resolved in declared order; None where that fails."""
        return {name: self._compiled(name) for name in ANSWER_FIELDS}

    def _compiled(self, name: str) -> fill.CompiledText | None:
        if self.lists is None or name not in self.parsed:
            return None
        try:
            return fill.compile_text(
                self.parsed[name], self.lists, tuple(self.lists), self.language
            )
        except CurateError:
            return None

    def skeleton(self, name: str, renamed: Mapping[str, str] | None = None) -> str | None:
        """The text of a field with each slot's name for its fillers, and single spaces.

        Args:
            name: The field.
            renamed: Other names for slots.

        Returns:
            The text; None when it cannot be parsed.
        """
        if name not in self.parsed:
            return None
        names = renamed or {}
        parts = [
            part if isinstance(part, str) else f"[{names.get(part.name, part.name)}]"
            for part in self.parsed[name].parts
        ]
        return " ".join("".join(parts).split())


class FillerList(NamedTuple):
    """A list of fillers, of a slot or of a group.

    Attributes:
        whose: Whose it is, in words.
        fillers: The fillers.
        remark: Says something of it.
        category: Its category.
        language: Its language.
        slot: The slot; empty for a group's.
        item: The variant of the slot; None for a group's.
    """

    whose: str
    fillers: tuple[Filler, ...]
    remark: Callable[..., Remark]
    category: str
    language: LanguageOrCode
    slot: str = ""
    item: ParsedVariant | None = None


def stale_input(file: str, what: str, since: str, hint: str) -> Remark:
    """A remark on a file that is not what it was when a command read it.

    Args:
        file: Path as shown to the user.
        what: What became of it, such as `has changed`.
        since: The command that read it.
        hint: What to do.
    """
    return remark(file, None, "", f"{file} {what} since the last '{since}'", hint)


@dataclass(frozen=True)
class ReleaseFacts:
    """What is known of a benchmark that is to be released; gathered by the caller.

    Attributes:
        undecided: By id of a template that the survey has not decided, why it has not.
        retained: Ids of the templates that are kept.
        waiting: Ids of those of them that give no samples.
        surveyed: Ids of those whose target groups a survey found or confirmed.
        sources: By name of a source, its terms; sources without a record are missing.
        outgoing: Texts that the package would hold beside those of the templates.
        annotators: Names of who annotated, translated, commented and decided.
        respondents: Ids of the respondents.
        has_survey: Whether answers of a survey were counted.
        problems: Why a retained template cannot be worked out.
        digest: What identifies the samples; None where they cannot be made.
        releases: The releases that were made before.
        canary_before: The canary of the last of them, as far as it was kept.
        unconfirmed: By id of a template, how many of its texts are as the machine wrote them
            without anybody who has confirmed that.
        stale: What is said of files that have changed since a command read them.
        untested: Ids of kept templates of which nobody was asked whether they are understood.
        reworded: Ids of templates that had other words when that was asked.
    """

    undecided: Mapping[str, str] = field(default_factory=dict)
    retained: frozenset[str] = frozenset()
    waiting: tuple[str, ...] = ()
    surveyed: frozenset[str] = frozenset()
    sources: Mapping[str, Licence] = field(default_factory=dict)
    outgoing: tuple[Cell, ...] = ()
    annotators: frozenset[str] = frozenset()
    respondents: frozenset[str] = frozenset()
    has_survey: bool = False
    problems: tuple[CurateError, ...] = ()
    digest: SampleDigest | None = None
    releases: tuple[Release, ...] = ()
    canary_before: str = ""
    unconfirmed: Mapping[str, int] = field(default_factory=dict)
    stale: tuple[Remark, ...] = ()
    untested: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Subject:
    """What rules look at.

    Attributes:
        culture: The settings.
        bank: The templates.
        groups: The demographic groups.
        bank_file: The bank's path as findings show it.
        groups_file: The groups' path as findings show it.
        language: The culture's, with what the workspace says of it.
        source_language: That of the source, in the same way.
        decided_with: The settings of the survey that its decisions were made with, by name;
            empty where that is not looked at.
        release: What the rules of a release look at; empty where none is checked.
    """

    culture: Culture
    bank: Bank
    groups: tuple[Group, ...]
    bank_file: str
    groups_file: str
    language: LanguageOrCode
    source_language: LanguageOrCode
    decided_with: Mapping[str, object] = field(default_factory=dict)
    release: ReleaseFacts = field(default_factory=ReleaseFacts)

    @classmethod
    def of(
        cls,
        workspace: Workspace,
        bank: Bank | None = None,
        groups: Sequence[Group] | None = None,
        decided_with: Mapping[str, object] | None = None,
        release: ReleaseFacts | None = None,
    ) -> "Subject":
        """A workspace, with its own bank and groups unless others are given.

        Rows that cannot be read are left out: reading the files has findings of its own.
        """
        return cls(
            culture=workspace.culture,
            bank=workspace.bank_and_findings[0] if bank is None else bank,
            groups=tuple(workspace.groups_and_findings[0] if groups is None else groups),
            bank_file=workspace.shown(workspace.bank_file),
            groups_file=workspace.shown(workspace.groups_file),
            language=workspace.language,
            source_language=workspace.source_language,
            decided_with=decided_with or {},
            release=release or ReleaseFacts(),
        )

    def in_bank(self, variant: Variant, column: str, /, *said: str, **words: object) -> Remark:
        """A remark on a cell of the bank."""
        return remark(self.bank_file, variant.row or None, column, *said, **words)

    def in_wording(self, item: ParsedVariant, name: str, /, *said: str, **words: object) -> Remark:
        """A remark on a field of a variant in one language."""
        return self.in_bank(item.variant, name + item.suffix, *said, **words)

    def in_groups(self, group: Group, column: str, /, *said: str, **words: object) -> Remark:
        """A remark on a cell of the groups."""
        return remark(self.groups_file, group.row or None, column, *said, **words)

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        """The templates, in order of their first row."""
        return tuple(self.bank.templates())

    @cached_property
    def started(self) -> tuple[ParsedVariant, ...]:
        """The variants in both languages, as far as any cell is written."""
        both = (
            (
                ParsedVariant(item, item.texts, "", self.language),
                ParsedVariant(item, item.source_texts, "_source", self.source_language),
            )
            for item in self.bank.variants
        )
        return tuple(item for pair in both for item in pair if not item.texts.is_empty)

    @cached_property
    def wordings(self) -> tuple[ParsedVariant, ...]:
        """The variants in both languages, as far as contexts, questions or answers are written."""
        return tuple(item for item in self.started if item.texts.has_body)

    @cached_property
    def texts(self) -> tuple[ParsedVariant, ...]:
        """The variants whose texts are written in the culture's language."""
        return tuple(item for item in self.wordings if not item.suffix)

    @cached_property
    def pairs(self) -> tuple[tuple[ParsedVariant, ParsedVariant], ...]:
        """The pairs `a`, `b` and `c`, `d` whose two texts are written in the culture's language.

        The two of a pair have the same version.
        """
        by_id = {item.variant.id: item for item in self.texts}
        pairs = []
        for key, item in by_id.items():
            twin = by_id.get(key.twin)
            if twin is not None and not key.letter.is_biased:
                pairs.append((item, twin))
        return tuple(pairs)

    def slot_texts(self) -> Iterator[tuple[ParsedVariant, str, SlotText]]:
        """Every text with slots, with its variant and field."""
        for item in self.wordings:
            for name, text in item.parsed.items():
                yield item, name, text

    def slots(self) -> Iterator[tuple[ParsedVariant, str, Slot]]:
        """Every slot of a text as it is written there, with its variant and field."""
        for item, name, text in self.slot_texts():
            for slot in dict.fromkeys(text.slots):
                yield item, name, slot

    def bare_slots(self) -> Iterator[tuple[ParsedVariant, str, Slot, str, bool]]:
        """Every slot that is filled as it is, what stands before it, and whether nothing else."""
        for item, name, text in self.slot_texts():
            for at, (before, slot) in enumerate(pairwise(("", *text.parts))):
                if isinstance(before, str) and isinstance(slot, Slot) and slot.is_bare:
                    yield item, name, slot, before, at < 2

    def slot_lists(self) -> Iterator[tuple[ParsedVariant, str, SlotList]]:
        """Every list of fillers of the bank, with its variant and field."""
        for item in self.started:
            for name, declared in item.listed:
                yield item, name, declared

    @cached_property
    def filler_lists(self) -> list[FillerList]:
        """Every list of fillers, of slots and groups."""
        found = []
        for item, name, declared in self.slot_lists():
            said = partial(self.in_wording, item, name)
            of = (item.variant.category, item.language, declared.name, item)
            found.append(FillerList(f"slot {declared.name}", declared.fillers, said, *of))
        for group, fillers in self.group_fillers:
            said = partial(self.in_groups, group, "fillers")
            of_group = (group.category, self.language)
            found.append(FillerList(f"'{group.group}'", fillers, said, *of_group))
        return found

    @cached_property
    def group_fillers(self) -> tuple[tuple[Group, tuple[Filler, ...]], ...]:
        """The groups whose fillers can be parsed, with them."""
        return tuple(fillers_of(self.groups))

    @cached_property
    def known_groups(self) -> frozenset[tuple[str, str]]:
        """Category and name of each group."""
        return frozenset((group.category, group.group) for group in self.groups)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every written text of the bank, in both languages, and of the groups."""
        found = [
            Cell(self.bank_file, variant.row or None, name + suffix, text)
            for variant in self.bank.variants
            for texts, suffix in ((variant.texts, ""), (variant.source_texts, "_source"))
            for name in TEXT_FIELDS
            for value in (getattr(texts, name),)
            for text in (value if name in GROUP_FIELDS else (value,))
        ]
        found += [
            Cell(self.groups_file, group.row or None, column, getattr(group, column))
            for group in self.groups
            for column in ("group", "parent", "fillers")
        ]
        return tuple(cell for cell in found if cell.text)


Look = Callable[[Subject], Iterator[Remark]]
"""A function that yields what there is to say of a subject."""


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A kind of finding.

    Attributes:
        id: Stable id, words joined by hyphens.
        severity: Weight of its findings.
        title: What it finds, one line.
        what: What it says, where it does not say it itself: words in braces are those of a remark.
        hint: What to do about it, one line.
        stops: What its findings stop as errors do: `release`, or nothing.
        look: The function; its docstring says why there is the rule. None for what is said of
            files while they are read, and of templates when they are filled.
    """

    id: str
    severity: Severity
    title: str
    hint: str
    stops: str = ""
    what: str = ""
    look: Look | None = None

    @property
    def why(self) -> str:
        """Why there is the rule; empty where no function looks for it."""
        return (inspect.getdoc(self.look) or "") if self.look else ""

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield what the rule finds."""
        for item in self.look(subject) if self.look else ():
            said = item.message or filled_in(self.what, item.words), item.hint or self.hint
            yield Finding(self.id, self.severity, item.file, item.row, item.column, *said)


SECTIONS = {
    section: {
        name: FindingKind(name, **{**it, "severity": Severity(it["severity"])})
        for name, it in rules.items()
    }
    for section, rules in load_yaml(resource(__package__, "rules.yaml")).items()
}
"""By section of `rules.yaml` and id what is said of each rule."""


def rule(look: Look) -> FindingKind:
    """Make a function the rule of its name; those of a release have its name before theirs."""
    name = look.__name__.replace("_", "-")
    said = SECTIONS["workspace"].get(name) or SECTIONS["release"][f"release-{name}"]
    return replace(said, look=look)
