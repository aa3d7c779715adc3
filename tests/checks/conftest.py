"""A small clean bank, and ways to spoil it."""

from dataclasses import dataclass, replace

import pytest

from curation.checks.subject import Subject
from curation.checks.workspace import run
from curation.records.bank import TEXT_FIELDS, Bank, Group, Label, Texts, Variant, VariantId
from curation.records.culture import Category, Culture

BAKERS, POTTERS = "[Ann, Ada]", "[Bob, Ben]"

TEXTS = Texts(
    stereotype="Forgetting keys",
    target_groups=("Potters",),
    ambiguous_context="[N1] and [N2] waited at the [W1].",
    disambiguating_context="Then [N1] had left the key at home, while [N2] had brought one along.",
    biased_question="Who forgets things?",
    counter_biased_question="Who remembers things?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    words="W1: [station, market]",
)


@dataclass(frozen=True)
class Make:
    """Makes records of a clean bank, with changes.

    The people of variants `a` and `c` are a baker and a potter, those of `b` and `d` a potter
    and a baker; the target are the potters.
    """

    def texts(self, letter="a", **changes):
        people = [(BAKERS, ("Bakers",)), (POTTERS, ("Potters",))]
        if letter in "bd":
            people.reverse()
        (first, n1_groups), (second, n2_groups) = people
        texts = replace(
            TEXTS, names=f"N1: {first}; N2: {second}", n1_groups=n1_groups, n2_groups=n2_groups
        )
        return replace(texts, **changes)

    def variant(self, variant_id="craft-001a", **changes):
        """Make a variant; changes are fields of its texts or of the variant itself."""
        parsed = VariantId.parse(variant_id)
        of_texts = {name: value for name, value in changes.items() if name in TEXT_FIELDS}
        others = {name: value for name, value in changes.items() if name not in TEXT_FIELDS}
        variant = Variant(
            id=parsed,
            category="Craft",
            label=Label.SIMPLY_TRANSFERRED,
            texts=self.texts(parsed.letter.value, **of_texts),
            source="invented",
            source_id="C-1",
        )
        return replace(variant, **others)

    def pair(self, template_id="craft-001", **changes):
        """Make variants `a` and `b`, both with the same changes."""
        return [self.variant(f"{template_id}{letter}", **changes) for letter in "ab"]

    def untranslated(self, **changes):
        """Make a pair that is written in the source language only."""
        return [
            self.variant(
                f"craft-001{letter}", texts=Texts(), source_texts=self.texts(letter, **changes)
            )
            for letter in "ab"
        ]

    def group(self, name, fillers="", **changes):
        return Group("Craft", name, fillers=fillers, **changes)

    def groups(self, *others):
        """Make the groups of the clean bank, and others after them."""
        return [self.group("Bakers", BAKERS), self.group("Potters", POTTERS), *others]

    def subject(self, variants, groups=None, **culture):
        """Give records the rows that a file would give them, from row 2 on."""
        settings = {
            "culture": "Nowhere",
            "language": "en",
            "unknown": "Cannot be known",
            "categories": (Category(id="Craft"),),
            **culture,
        }
        rows = self.groups() if groups is None else groups
        made = Culture.model_validate(settings)
        return Subject(
            culture=made,
            language=made.language,
            source_language=made.source_language,
            bank=Bank(tuple(replace(item, row=at) for at, item in enumerate(variants, start=2))),
            groups=tuple(replace(item, row=at) for at, item in enumerate(rows, start=2)),
            bank_file="bank.csv",
            groups_file="groups.csv",
        )

    def found(self, variants, groups=None, **culture):
        """Apply every rule: rule, severity, place and message of what they find."""
        findings = run(self.subject(variants, groups, **culture))
        assert all(finding.hint for finding in findings)
        return [(item.rule, item.severity.value, item.where, item.message) for item in findings]


@pytest.fixture(scope="session")
def make():
    return Make()
