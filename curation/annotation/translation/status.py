"""How far a translation is: texts that wait, of a machine and of people, by category."""

from collections import Counter
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

from curation.annotation.translation.returned import read_returned, returned_file
from curation.annotation.translation.reviewed import Review, review_of
from curation.annotation.translation.rows import Row, rows_of
from curation.annotation.translation.units import (
    choice_of,
    machine_flags,
    machine_text,
    own_texts,
    units_of,
)
from curation.files.workspace import Workspace
from curation.records.findings import Finding

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of texts; equal texts that are translated once count once.

    Attributes:
        category: Of the templates.
        templates: How many have texts to be translated.
        texts: Their distinct texts.
        machine: Those with machine text.
        flagged: Those of them that a person has to look at.
        collected: Texts that stand in the bank's own columns, wherever they are.
        waiting: Texts that neither a machine nor a person has written.
        confirmed: Collected texts that are as the machine wrote them, and somebody has confirmed.
        unconfirmed: The same that nobody has confirmed.
        unknown: The same that were collected before anybody was asked.
    """

    category: str
    templates: int
    texts: int
    machine: int
    flagged: int
    collected: int
    waiting: int
    confirmed: int
    unconfirmed: int
    unknown: int


@dataclass(frozen=True, slots=True)
class TranslationStatus:
    """How far a translation is.

    Attributes:
        rows: By category, in the bank's order. A text of two categories counts in both.
        total: The counts of all categories, each text once.
        findings: Source texts that cannot be parsed.
        untied: Templates whose variants are texts of their own.
    """

    rows: tuple[Progress, ...]
    total: dict[str, int]
    findings: tuple[Finding, ...]
    untied: tuple[str, ...] = ()

    def to_frame(self) -> "pd.DataFrame":
        """A row a category: `category` (str) and the counts (int64)."""
        import pandas as pd

        return pd.DataFrame(map(asdict, self.rows), columns=["category", *self.total])


def translation_status(workspace: Workspace, *, unlabelled: bool = False) -> TranslationStatus:
    """Count the progress of the translation, by category.

    Args:
        workspace: The workspace.
        unlabelled: Whether templates that nobody has classified count too.

    Raises:
        CurateError: If the bank, or the table of what was collected, cannot be read.
    """
    units, findings = units_of(workspace, choice_of(workspace, unlabelled=unlabelled))
    variants = {variant.id: variant for variant in workspace.bank.variants}
    taken = read_returned(returned_file(workspace.root))
    every = rows_of(units, variants)

    def counted(row: Row) -> Counter[str]:
        unit = row.unit
        text = machine_text(unit, variants)
        collected = all(own_texts(unit, variants))
        reviews = {review_of(one, variants, taken, workspace.language) for one in row.units}
        # One row is confirmed when all its texts are: the least that is known of one counts.
        known = next((r for r in _LEAST_FIRST if r in reviews), None)
        return Counter(
            texts=1,
            machine=bool(text),
            flagged=bool(text and machine_flags(unit, text, workspace.language)),
            collected=collected,
            waiting=not (text or collected),
            confirmed=known is Review.CONFIRMED,
            unconfirmed=known is Review.UNCONFIRMED,
            unknown=known is Review.UNKNOWN,
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
    names = [item.name for item in fields(Progress)][1:]
    apart = workspace.untied
    return TranslationStatus(
        tuple(Progress(name, *(count[n] for n in names)) for name, count in categories.items()),
        {name: total[name] for name in names},
        tuple(findings),
        tuple(str(t.id) for t in workspace.bank.templates() if str(t.id) in apart),
    )


_LEAST_FIRST = (Review.UNCONFIRMED, Review.UNKNOWN, Review.CONFIRMED)
