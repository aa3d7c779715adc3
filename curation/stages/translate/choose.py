"""Which text of a unit holds, where translators have given several."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from curation.io.labelstudio.results import FROM_SERVER
from curation.io.translation.returned import Returned
from curation.model.annotation import person_key
from curation.stages.translate.units import Unit

Taken = Mapping[tuple[str, str, str], Returned]
"""What was put into the bank, by what it translates."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One translator's text of a unit.

    Attributes:
        unit: What it translates.
        translator: Who it is by.
        text: The translation.
        remark: What the translator has to say.
        source_file: Where it came from.
        at: When it was read first, UTC, ISO 8601.
    """

    unit: Unit
    translator: str
    text: str
    remark: str = ""
    source_file: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The text of a unit that holds, and those of others over which a person chose it."""

    offer: Offer
    over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dispute:
    """A unit of which translators have different texts, and nobody has chosen."""

    unit: Unit
    offers: tuple[Offer, ...]


def choose(
    offers: Iterable[Offer], taken: Taken, by: str = ""
) -> tuple[list[Chosen], list[Dispute]]:
    """Find the text of each unit that holds; where translators differ nothing is guessed.

    A translator's text that was collected from a workbook counts beside those that are offered,
    unless the same person has offered another one since.

    Args:
        offers: The translators' texts, one of each translator and unit.
        taken: What was put into the bank.
        by: Whose texts are chosen where translators differ; nobody's by default.
    """
    by_unit: dict[tuple[str, str, str], list[Offer]] = {}
    for offer in offers:
        by_unit.setdefault(offer.unit.key, []).append(offer)
    chosen, disputes = [], []
    for key, members in by_unit.items():
        earlier = taken.get(key)
        candidates = _with_workbook(members, earlier)
        found = _settled(candidates, earlier, by)
        if found is None:
            disputes.append(Dispute(members[0].unit, tuple(candidates)))
        else:
            chosen.append(found)
    return chosen, disputes


def _with_workbook(offers: list[Offer], earlier: Returned | None) -> list[Offer]:
    """Add the text that somebody returned in a workbook; the later one of one person counts."""
    if earlier is None or earlier.source_file.startswith(FROM_SERVER):
        return offers
    person = person_key(earlier.translator)
    again = next((item for item in offers if person_key(item.translator) == person), None)
    if again is not None and again.at >= earlier.collected_at:
        return offers
    returned = Offer(
        *(offers[0].unit, earlier.translator, earlier.translation, earlier.remark),
        *(earlier.source_file, earlier.collected_at),
    )
    return [returned, *(item for item in offers if item is not again)]


def _settled(offers: list[Offer], earlier: Returned | None, by: str) -> Chosen | None:
    texts = dict.fromkeys(item.text for item in offers)
    standing = earlier if earlier is not None and earlier.translation in texts else None
    over = standing.over if standing else ()
    wanted = next((o for o in offers if by and person_key(o.translator) == person_key(by)), None)
    if wanted is not None and len(texts) > 1:
        return Chosen(wanted, tuple(text for text in texts if text != wanted.text))
    # A choice that was made holds until somebody comes up with another text.
    settled = standing is not None and {*texts} <= {standing.translation, *over}
    if len(texts) > 1 and not settled:
        return None
    text = standing.translation if standing else next(iter(texts))
    return Chosen(next(item for item in offers if item.text == text), over)
