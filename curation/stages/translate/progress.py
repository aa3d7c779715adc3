"""How far the translation of each category is."""

from collections.abc import Iterable
from dataclasses import dataclass

from curation.model.bank import Bank
from curation.stages.translate.cells import machine_flags, machine_text, own_texts
from curation.stages.translate.units import Unit


@dataclass
class Progress:
    """Counts of the distinct texts of templates.

    Attributes:
        category: Of the templates.
        templates: How many have texts to be translated.
        texts: Their distinct texts.
        machine: Those with machine text.
        flagged: Those of them that a person has to look at.
        collected: Texts that a person has written, wherever they stand.
        waiting: Texts that neither a machine nor a person has written.
    """

    category: str
    templates: int = 0
    texts: int = 0
    machine: int = 0
    flagged: int = 0
    collected: int = 0
    waiting: int = 0


def progress(units: Iterable[Unit], bank: Bank, language: str) -> list[Progress]:
    """Count, by category in the bank's order."""
    variants = {variant.id: variant for variant in bank.variants}
    found: dict[str, Progress] = {}
    templates = set()
    for unit in units:
        row = found.setdefault(unit.category, Progress(unit.category))
        if unit.template not in templates:
            templates.add(unit.template)
            row.templates += 1
        text = machine_text(unit, variants)
        collected = all(own_texts(unit, variants))
        row.texts += 1
        row.machine += bool(text)
        row.flagged += bool(text and machine_flags(unit, text, language))
        row.collected += collected
        row.waiting += not (text or collected)
    return list(found.values())
