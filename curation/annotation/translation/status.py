"""How far a translation is: what waits, what a machine wrote, and whether people confirmed it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from curation.annotation.translation.rows import Row, is_to_write, rows_of
from curation.annotation.translation.table import Translations, read_translated, row_of
from curation.annotation.translation.units import (
    Kind,
    Unit,
    Variants,
    choice_of,
    machine_flags,
    machine_text,
    own_texts,
    text_at,
    units_of,
)
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.findings import Finding
from curation.slots import SlotError, parse_text
from curation.slots.grammar import print_text
from curation.slots.proposals import propose
from curation.slots.protection import has_words

if TYPE_CHECKING:
    import pandas as pd


class Review(StrEnum):
    """Whether somebody has confirmed an unchanged machine text in the bank."""

    CONFIRMED = "confirmed"
    UNCONFIRMED = "unconfirmed"


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
    unit: Unit, variants: Variants, table: Translations, language: LanguageOrCode
) -> Review | None:
    """What is known of a text as the machine wrote it; None for one that a person has written."""
    text = unchanged_text(unit, variants, language)
    if not text:
        return None
    rows = (row_of(table, unit), row_of(table, unit.of_all))
    known = any(row.text == text and row.confirmed for row in rows)
    return Review.CONFIRMED if known else Review.UNCONFIRMED


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The unchanged machine texts of a bank, with their confirmations.

    Attributes:
        counts: By template, how many texts are of each kind; templates without any are left out.
        texts: By template, how many texts it has.
    """

    counts: Mapping[str, Mapping[Review, int]]
    texts: Mapping[str, int]

    def templates(self, review: Review) -> dict[str, int]:
        """The templates with texts of a kind, and how many."""
        return {name: count[review] for name, count in self.counts.items() if count[review]}


def reviewed_texts(workspace: Workspace) -> Reviewed:
    """Find the unchanged machine texts of a workspace's bank, with their confirmations.

    Raises:
        CurateError: If the bank, or the table of translations, cannot be read.
    """
    variants = {variant.id: variant for variant in workspace.bank.variants}
    texts: Counter[str] = Counter()
    counts: dict[str, Counter[Review]] = {}
    if any(not variant.machine_texts.is_empty for variant in variants.values()):
        table = read_translated(workspace)
        for unit in units_of(workspace, choice_of(workspace, unlabelled=True))[0]:
            texts[str(unit.template)] += is_to_write(unit)
            review = review_of(unit, variants, table, workspace.language)
            if review is not None:
                counts.setdefault(str(unit.template), Counter())[review] += 1
    return Reviewed(counts, texts)


_COUNTS = (
    *("templates", "texts", "machine", "flagged", "collected", "waiting"),
    *("confirmed", "unconfirmed"),
)


@dataclass(frozen=True, slots=True)
class TranslationStatus:
    """How far a translation is.

    Attributes:
        rows: Of each `category`, in the bank's order, how many `templates` have texts to be
            translated, and how many distinct `texts` they have: with `machine` text, `flagged` of
            these, `collected` in the bank's own columns, `waiting` for both; and of those collected
            as the machine wrote them, how many somebody has `confirmed`, and `unconfirmed`. A text
            of two categories counts in both.
        total: The counts of all categories, each text once.
        findings: Source texts that cannot be parsed.
        untied: Templates whose variants are texts of their own.
    """

    rows: tuple[dict[str, Any], ...]
    total: dict[str, int]
    findings: tuple[Finding, ...]
    untied: tuple[str, ...] = ()

    def to_frame(self) -> "pd.DataFrame":
        """A row a category: `category` (str) and the counts (int64)."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=["category", *self.total])


def translation_status(workspace: Workspace, *, unlabelled: bool = False) -> TranslationStatus:
    """Count the progress of the translation, by category.

    Args:
        workspace: The workspace.
        unlabelled: Whether templates that nobody has classified count too.

    Raises:
        CurateError: If the bank, or the table of translations, cannot be read.
    """
    units, findings = units_of(workspace, choice_of(workspace, unlabelled=unlabelled))
    variants = {variant.id: variant for variant in workspace.bank.variants}
    table = read_translated(workspace)
    every = rows_of(units, variants)

    def counted(row: Row) -> Counter[str]:
        unit = row.unit
        text = machine_text(unit, variants)
        collected = all(own_texts(unit, variants))
        reviews = {review_of(one, variants, table, workspace.language) for one in row.units}
        return Counter(
            texts=1,
            machine=bool(text),
            flagged=bool(text and machine_flags(unit, text, workspace.language)),
            collected=collected,
            waiting=not (text or collected),
            # One row is confirmed when all its texts are.
            confirmed=Review.CONFIRMED in reviews and Review.UNCONFIRMED not in reviews,
            unconfirmed=Review.UNCONFIRMED in reviews,
        )

    categories = {unit.category: Counter[str]() for unit in units}
    templates: dict[str, set[str]] = {name: set() for name in categories}
    total: Counter[str] = Counter()
    for unit in units:
        templates[unit.category].add(str(unit.template))
    for row in every:
        count = counted(row)
        total += count
        for name in {unit.category for unit in row.units}:
            categories[name] += count
    for name, ids in templates.items():
        categories[name]["templates"] = len(ids)
        total["templates"] += len(ids)
    apart = workspace.untied
    return TranslationStatus(
        tuple(
            {"category": name, **{n: count[n] for n in _COUNTS}}
            for name, count in categories.items()
        ),
        {name: total[name] for name in _COUNTS},
        tuple(findings),
        tuple(str(t.id) for t in workspace.bank.templates() if str(t.id) in apart),
    )
