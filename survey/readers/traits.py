"""Which columns of a file say something of respondents, and what their cells stand for.

One rule for every file: a column is an attribute by the codes of the forms that were built, by the
name that quotas and weights have for it, by the question above it, or by a word for attributes.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation.languages import received_words
from curation.records.culture import QUALITY_VALUES
from survey.attributes import quality_value
from survey.building.wording import Attribute
from survey.readers.frames import FileColumn, Frame, compared
from survey.readers.placing import About, Hints

_ATTRIBUTES = re.compile("|".join(received_words("attributes")), re.IGNORECASE)
ATTENTION = re.compile("|".join(received_words("attention")), re.IGNORECASE)
_CHECK = re.compile(
    "|".join(word.strip("^$") for word in received_words("attention")), re.IGNORECASE
)
"""The same wherever it stands in a heading that a person wrote."""
_BAND = re.compile(r"(\d{1,3})\s*[-\u2013\u2014~]\s*(\d{1,3})|(\d{1,3})\s*\+")
"""A band of ages, as quotas name it: `19-29`, `60+`."""

Told = tuple[str, int, dict[str, str]]
"""An attribute, its column, and what its cells stand for where these are not the values. Without a
name the column says again what another does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Finds the columns that say something of respondents.

    Attributes:
        frame: The file.
        about: What is known of respondents.
        hints: What is known of codes.
        missing: What says that a question was not answered.
        by_hand: Whether a person wrote the headings: then what quality checks, quotas and weights
            go by is called as they call it, and cells that are not known stay as they are.
        doubt: Says what is in doubt, by a key of `findings.yaml` and the column.
    """

    frame: Frame
    about: About
    hints: Hints
    missing: Sequence[str]
    by_hand: bool
    doubt: Callable[..., None]

    def named(self, at: int) -> tuple[str, Attribute | None]:
        """What the attribute that a column holds is called, and what is known of it."""
        title, above = self.frame.titles[at], (self.frame.titles[at], *self.frame.texts_of(at))
        coded = {row["question_id"] for row in self.hints.codes.get(title, ())}
        said = {compared(text) for text in above} - {""}
        for trait in self.about.traits:
            if trait.name in coded or {compared(trait.name), compared(trait.text)} & said:
                return trait.name, trait
        if self.by_hand:
            used = {compared(word): "form" for word in received_words("simple_form")}
            used |= {compared(name): name for name in self.about.used}
            if compared(title) in used:
                return used[compared(title)], None
            if compared(title) == compared(self.about.check) or _CHECK.search(title):
                return "attention", None
        elif compared(title) == "status":
            words = filter(None, self.frame.columns[at].distinct())
            told = [quality_value("status", word, self.about.settings) for word in words]
            return ("status" if told and None not in told else ""), None
        if not _ATTRIBUTES.fullmatch(compared(title)):
            return "", None
        cells = {*map(compared, self.frame.columns[at].distinct())} - {
            "",
            *map(compared, self.missing),
        }
        enough = len(cells) // 2 + 1 if self.by_hand else max(len(cells), 1)
        traits = self.about.traits
        fit = [trait for trait in traits if len(cells & shown_values(trait).keys()) >= enough]
        if len(fit) == 1:
            return fit[0].name, fit[0]
        return title if self.by_hand else title.casefold(), None

    def told(self, places: Iterable[int]) -> Iterator[Told]:
        """The attributes in some columns; those that two columns tell otherwise are in doubt."""
        first: dict[str, int] = {}
        for at in places:
            name, trait = self.named(at)
            column = self.frame.columns[at]
            cells = [cell for cell in column.distinct() if cell and cell not in self.missing]
            if not name or (name in first and not cells):
                continue
            if name not in first:
                first[name] = at
                yield name, at, self._values(at, name, trait, cells)
                continue
            other = self.frame.columns[first[name]]
            if not _same_cells(other, column, shown_values(trait) if trait else {}):
                one, two = (f"'{self.frame.titles[place]}'" for place in (first[name], at))
                self.doubt("two-columns", at, what=name, one=one, other=two)
            yield "", at, {}

    def _values(
        self, at: int, name: str, trait: Attribute | None, cells: Sequence[str]
    ) -> dict[str, str]:
        """What stands for each value; nothing where the file writes the values themselves."""
        title = self.frame.titles[at]
        if trait is None:
            return self._passes(at, cells) if name == "attention" != compared(title) else {}
        known, labels = shown_values(trait), self.hints.values.get(title, {})
        found = {row["code"]: row["option"] for row in self.hints.codes.get(title, ())}
        for code in (*cells, *labels):
            if code not in found and compared(labels.get(code, code)) in known:
                found[code] = known[compared(labels.get(code, code))]
        found |= _bands(trait, [cell for cell in cells if cell not in found])
        strange = [cell for cell in cells if cell not in found]
        if strange and not self.by_hand:
            told = {"cells": strange, "values": list(trait.values), "first": strange[0]}
            self.doubt("draft-attribute", at, name=name, column=title, **told)
            return {}
        if not strange and all(code == value for code, value in found.items()):
            return {}  # a next wave may have other cells, which the mapping would not know
        if self.by_hand:
            found = {cell: found.get(cell, cell) for cell in cells} | found
        there = self.frame.columns[at].distinct()
        left = (cell for cell in self.missing if cell and cell in there)
        return {**found, **dict.fromkeys(left, "")}

    def _passes(self, at: int, cells: Sequence[str]) -> dict[str, str]:
        """What the cells of an attention check say: its own options, or words for passed."""
        title = self.frame.titles[at]
        if compared(title) == compared(self.about.check):
            passes = {compared(text): value for text, value in self.about.passes.items()}
            return {cell: passes.get(compared(cell), cell) for cell in cells}
        for cell in cells:
            if quality_value("attention", cell, self.about.settings) is None:
                words = " nor ".join(QUALITY_VALUES["attention"])
                self.doubt("check-words", at, title=title, cell=cell, words=words)
        return {}


def shown_values(trait: Attribute) -> dict[str, str]:
    """The values by what says them, as it is compared: themselves, and texts that are theirs."""
    texts = [compared(text) for text in trait.values.values()]
    pairs = zip(trait.values, texts, strict=True)
    found = {text: value for value, text in pairs if text and texts.count(text) == 1}
    return found | {compared(value): value for value in trait.values}


def _same_cells(one: FileColumn, other: FileColumn, known: Mapping[str, str]) -> bool:
    def value(text: str) -> str:
        return known.get(compared(text), compared(text))

    pairs = zip(one.codes.tolist(), other.codes.tolist(), strict=True)
    texts = ((one.texts[here], other.texts[there]) for here, there in dict.fromkeys(pairs))
    return all(value(here) == value(there) for here, there in texts)


def _bands(trait: Attribute, cells: Sequence[str]) -> dict[str, str]:
    """The bands of ages in years, where all values are bands and all cells lie in one."""
    bands = {value: match for value in trait.values if (match := _BAND.fullmatch(value))}
    if len(bands) < len(trait.values) or not all(cell.isdecimal() for cell in cells):
        return {}
    found = {}
    for cell in cells:
        for value, (low, high, over) in ((v, m.groups()) for v, m in bands.items()):
            if int(over or low) <= int(cell) <= int(high or 150):
                found[cell] = value
    return found
