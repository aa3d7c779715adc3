"""`translations.csv`, the one place of machine and translators' texts; how much is translated."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.annotation.translation.units import (
    Kind,
    Row,
    Unit,
    UnitKey,
    Variants,
    choice_of,
    is_to_write,
    machine_flags,
    machine_text,
    own_texts,
    rows_of,
    text_at,
    units_of,
)
from curation.files.codec import Codec
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.messages import CurateError, Finding
from curation.slots import SlotError, parse_text
from curation.slots.grammar import print_text
from curation.slots.protection import has_words, propose

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Translated:
    """A text of a template with its translations; fields are the columns of `translations.csv`.

    Attributes:
        template_id: The template.
        unit: `text`, `plain` (a stereotype) or `filler` (a name or word of a list), with the
            version of its variants and, where the template is untied, the variant: `text.m.a`.
        source: The source text.
        source_hash: Hash of `source`, by which an edit of that cell is found.
        machine: What the machine wrote.
        engine: Which machine.
        text: The translation that was collected.
        by: Who wrote it, or left it as the machine wrote it.
        at: When it was collected, UTC, ISO 8601.
        confirmed: Who says that it holds; empty where nobody has looked at the machine's text.
        remark: The translator's remark.
        over: Texts of other translators that were not chosen.
    """

    template_id: str
    unit: str
    source: str
    source_hash: str = ""
    machine: str = ""
    engine: str = ""
    text: str = ""
    by: str = ""
    at: str = ""
    confirmed: str = ""
    remark: str = ""
    over: tuple[str, ...] = ()

    @property
    def key(self) -> UnitKey:
        """What it translates."""
        return self.template_id, self.unit, self.source


TRANSLATIONS = Codec(Translated, "undo the edit")
"""The columns of `translations.csv`, and how they are read."""
Translations = Mapping[UnitKey, Translated]
"""The rows of `translations.csv`, by what they translate."""


def translations_file(workspace: Workspace) -> Path:
    """The path of the table: it lies beside the bank."""
    return workspace.bank_file.with_name("translations.csv")


def row_of(table: Translations, unit: Unit) -> Translated:
    """The row of a text, a new one where there is none."""
    template, name, source = unit.key
    return table.get(unit.key) or Translated(template, name, source, _hash(source))


def _hash(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_translated(workspace: Workspace) -> dict[UnitKey, Translated]:
    """Read the table; nothing where there is no file.

    Raises:
        CurateError: If it cannot be read, a source text was edited in it, or a text occurs twice.
    """
    path = translations_file(workspace)
    found: dict[UnitKey, Translated] = {}
    for item in TRANSLATIONS.read(path):
        where = f"{workspace.shown(path)}, {item.template_id}, source '{item.source}'"
        if item.source_hash != _hash(item.source):
            what = "the source text is not the one that was translated: its hash is another"
            raise CurateError(what, where, "undo the edit; change source texts in bank.csv")
        if item.key in found:
            what = f"a text of {item.template_id} has two translations"
            raise CurateError(what, where, "keep one of the two rows")
        found[item.key] = item
    return found


def write_translated(workspace: Workspace, items: Iterable[Translated]) -> None:
    """Write the table in place of the earlier one.

    Raises:
        CurateError: If it cannot be written.
    """
    TRANSLATIONS.write(translations_file(workspace), items)


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
