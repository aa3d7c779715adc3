"""Machine text that a person has left as it was: whether somebody has confirmed it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from curation.annotation.translation.returned import (
    UNKNOWN,
    YES,
    Put,
    Returned,
    confirmed,
    read_returned,
    recorded,
    returned_file,
    save_taken,
)
from curation.annotation.translation.rows import is_to_write
from curation.annotation.translation.units import (
    Kind,
    Unit,
    UnitKey,
    Variants,
    choice_of,
    text_at,
    units_of,
)
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.errors import CurateError
from curation.slots import SlotError, parse_text
from curation.slots.grammar import print_text
from curation.slots.proposals import propose
from curation.slots.protection import has_words

BY_COMMAND = "curate translate collect --accept-unchanged"


class Review(StrEnum):
    """Whether an unchanged machine text in the bank was confirmed, and by which person.

    `confirmed`: somebody has said that it holds. `unconfirmed`: nobody has. `unknown`: it was
    collected before anybody was asked.
    """

    CONFIRMED = "confirmed"
    UNCONFIRMED = "unconfirmed"
    UNKNOWN = "unknown"


@lru_cache(maxsize=100_000)
def machine_forms(text: str, kind: Kind, language: LanguageOrCode) -> frozenset[str]:
    """A machine's text as it came, and as a workbook proposes it; none where there is none."""
    if not text or kind is not Kind.TEXT:
        return frozenset([text] if text else [])
    try:
        found, _ = propose(parse_text(text), language)
    except SlotError:
        return frozenset([text])
    return frozenset([text, print_text(found)])


def unchanged_text(unit: Unit, variants: Variants, language: LanguageOrCode) -> str:
    """The unchanged machine text in the bank; empty if there is none.

    A text without words, such as a number, is not the machine's.
    """
    if not has_words(unit.parsed):
        return ""
    for place in unit.places:
        variant = variants[place.variant]
        text = text_at(variant.texts, place)
        machine = text_at(variant.machine_texts, place)
        if text and text in machine_forms(machine, unit.kind, language):
            return text
    return ""


def review_of(
    unit: Unit, variants: Variants, taken: Mapping[UnitKey, Returned], language: LanguageOrCode
) -> Review | None:
    """What is known of a text as the machine wrote it; None for one that a person has written.

    Args:
        unit: The text.
        variants: The bank's variants.
        taken: What was put into the bank.
        language: Of the translation.
    """
    text = unchanged_text(unit, variants, language)
    if not text:
        return None
    found = recorded(taken, unit)
    if found is None or found.translation != text:
        return Review.UNCONFIRMED
    if not found.confirmed:  # a person has written it, and the machine then wrote the same
        return None
    known = {YES: Review.CONFIRMED, UNKNOWN: Review.UNKNOWN}
    return known.get(found.confirmed, Review.UNCONFIRMED)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The unchanged machine texts of a bank, with their confirmations.

    Attributes:
        counts: By template, how many texts are of each kind; templates without any are left out.
        texts: By template, how many texts it has.
    """

    counts: Mapping[str, Mapping[Review, int]]
    texts: Mapping[str, int]

    def total(self, review: Review) -> int:
        """How many texts of all templates are of a kind; a text of two templates counts twice."""
        return sum(count[review] for count in self.counts.values())

    def templates(self, review: Review) -> dict[str, int]:
        """The templates with texts of a kind, and how many."""
        return {name: count[review] for name, count in self.counts.items() if count[review]}


def reviewed_texts(workspace: Workspace) -> Reviewed:
    """Find the unchanged machine texts of a workspace's bank, with their confirmations.

    Raises:
        CurateError: If the bank, or the table of what was collected, cannot be read.
    """
    variants = {variant.id: variant for variant in workspace.bank.variants}
    texts: Counter[str] = Counter()
    counts: dict[str, Counter[Review]] = {}
    if any(not variant.machine_texts.is_empty for variant in variants.values()):
        taken = read_returned(returned_file(workspace.root))
        for unit in units_of(workspace, choice_of(workspace, unlabelled=True))[0]:
            texts[str(unit.template)] += is_to_write(unit)
            review = review_of(unit, variants, taken, workspace.language)
            if review is not None:
                counts.setdefault(str(unit.template), Counter())[review] += 1
    return Reviewed(counts, texts)


@dataclass(frozen=True, slots=True)
class Accepted:
    """Texts that were confirmed as the machine wrote them.

    Attributes:
        texts: How many; a text of two templates counts twice.
        templates: In which templates.
        by: Who confirmed them.
    """

    texts: int
    templates: tuple[str, ...]
    by: str


def accept_unchanged(workspace: Workspace, by: str) -> Accepted:
    """Confirm all unchanged machine texts of the bank.

    Args:
        workspace: The workspace.
        by: Who has looked at them.

    Raises:
        CurateError: If nobody is named, or a file cannot be read or written.
    """
    name = " ".join(by.split())
    if not name:
        raise CurateError(
            "the name of the person who confirms the texts is empty", "--by", "write who it is"
        )
    with writing(workspace, "curate translate collect"):
        bank = workspace.bank
        variants = {variant.id: variant for variant in bank.variants}
        taken = read_returned(returned_file(workspace.root))
        at = now()
        found = []
        for unit in units_of(workspace, choice_of(workspace, unlabelled=True))[0]:
            if review_of(unit, variants, taken, workspace.language) in (None, Review.CONFIRMED):
                continue
            text = unchanged_text(unit, variants, workspace.language)
            earlier = recorded(taken, unit)
            if earlier is None or earlier.translation != text:
                earlier = Returned(*unit.key, text, collected_at=at)
            template, version, variant, kind, source = unit.key
            one = replace(
                earlier,
                template_id=template,
                version=version,
                variant=variant,
                kind=kind,
                source=source,
            )
            found.append((unit, confirmed(one, name, BY_COMMAND, at)))
        save_taken(workspace, Put(bank, 0, 0, (), 0), taken, found)
    templates = dict.fromkeys(str(unit.template) for unit, _ in found)
    return Accepted(len(found), tuple(templates), name)
