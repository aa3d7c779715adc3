"""Equal texts of templates as one row: what a translator writes once, and what has to stand apart.

Two texts are one row when they are the same to the letter (`[N1] sat.` and `[N2] sat.` are not) and
do the same work: a question is never one row with a part of a context, nor a word of a list with an
answer. Sentences and words are shared by all categories. Names of people and stereotypes are shared
within a category alone, for the same word may name another group elsewhere. Versions (m, f) and the
variants of untied templates stay apart.

A template that has another translation than the others keeps it: its text is a row of its own.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from curation.annotation.translation.units import Kind, Unit, Variants, is_bare, own_texts


class Role(StrEnum):
    """What work a text does in a template."""

    STEREOTYPE = "stereotype"
    CONTEXT = "context"
    QUESTION = "question"
    ANSWER = "answer"
    NAME = "name"
    WORD = "word"


_OF_ONE_CATEGORY = frozenset({Role.STEREOTYPE, Role.NAME})


def role_of(unit: Unit) -> Role:
    """The kind of a text, by the first field that has it."""
    field = unit.places[0].field
    if unit.kind is Kind.FILLER:
        return Role.NAME if field == "names" else Role.WORD
    return Role(field.rpartition("_")[2])


def is_to_write(unit: Unit) -> bool:
    """Whether a text has to be translated by somebody: a bare slot is taken over as it is."""
    return unit.kind is not Kind.TEXT or not is_bare(unit.parsed)


@dataclass(frozen=True, slots=True)
class Row:
    """Equal texts that are translated once.

    Attributes:
        key: Tells it from every other; it changes with its source text alone.
        units: The texts, one of each template, in the bank's order.
    """

    key: str
    units: tuple[Unit, ...]

    @property
    def unit(self) -> Unit:
        """The first text, with the places of all."""
        places = tuple(place for unit in self.units for place in unit.places)
        return replace(self.units[0], places=places) if len(self.units) > 1 else self.units[0]

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates, each once."""
        return tuple(dict.fromkeys(str(unit.template) for unit in self.units))


def unit_key(unit: Unit) -> str:
    """A short name for a unit that changes with its source text."""
    return _digest(unit.key)


def unit_uid(unit: Unit) -> str:
    """Name a unit where those of all templates lie together, as on a server."""
    return f"{unit.template}-{unit_key(unit)}"


def _digest(parts: Iterable[str]) -> str:
    text = "\x1f".join(filter(None, parts))  # a version is named only where there is one
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def shared_key(unit: Unit) -> str:
    """A short name for a unit that it shares with its equals in other templates."""
    role = role_of(unit)
    category = unit.category if role in _OF_ONE_CATEGORY else ""
    return _digest(("*", role.value, f"version {unit.version.value}", category, unit.text))


def rows_of(
    units: Iterable[Unit], variants: Variants, apart: Collection[str] | None = None
) -> list[Row]:
    """Put equal texts together, in the bank's order; a bare slot is in no row.

    Args:
        units: The texts of templates.
        variants: The bank's variants.
        apart: Keys of the texts (`unit_key`) that stand alone; by default those to which people
            have given another translation than to most of their equals.
    """
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        if is_to_write(unit):
            key = unit_key(unit) if unit.letter else shared_key(unit)
            groups.setdefault(key, []).append(unit)
    found: dict[str, list[Unit]] = {}
    for key, members in groups.items():
        alone = _alone(members, variants) if apart is None else {*apart}
        for unit in members:
            own = unit_key(unit)
            found.setdefault(own if own in alone else key, []).append(unit)
    return [Row(key, tuple(members)) for key, members in found.items()]


def units_by_key(*lists: Iterable[Unit]) -> dict[str, list[Unit]]:
    """The units that are meant by a key of a row: one by its own key, all equals by a shared one.

    Args:
        lists: Units, those of tied and of untied templates perhaps; what is in several counts once.
    """
    found: dict[str, dict[Unit, None]] = {}
    for unit in (unit for units in lists for unit in units):
        found.setdefault(unit_key(unit), {})[unit] = None
        if is_to_write(unit) and not unit.letter:
            found.setdefault(shared_key(unit), {})[unit] = None
    return {key: [*units] for key, units in found.items()}


def _alone(members: list[Unit], variants: Variants) -> set[str]:
    """The keys of texts with another translation than most of their equals."""
    if len(members) == 1:
        return set()
    written = {
        unit_key(unit): {text for text in own_texts(unit, variants) if text} for unit in members
    }
    counts = Counter(next(iter(texts)) for texts in written.values() if len(texts) == 1)
    usual = {max(counts, key=lambda text: counts[text])} if counts else set[str]()
    return {key for key, texts in written.items() if not texts <= usual}
