"""What annotators are shown of a template."""

import pytest

from curation.annotation.classify_sheets import shown
from curation.records.bank import Template, Texts, Variant
from curation.records.ids import TemplateId, VariantId, VariantLetter
from curation.slots import MOST_NAMED


def fillers(names: str, words: str = "") -> str:
    """What is shown of the lists of a template."""
    texts = Texts(ambiguous_context="[N1] met [N2].", names=names, words=words)
    name = TemplateId("craft", 1)
    variant = Variant(VariantId(name, VariantLetter.A), "Craft", texts=texts)
    return shown(Template(name, (variant,)))["fillers"]


@pytest.mark.parametrize(
    ("names", "seen"),
    [
        ("N1: [baker, cook]; N2: [potter]", "N1: [baker, cook]; N2: [potter]"),
        ("N1: [*]; N2: [potter]", "N1: [*]; N2: [potter]"),
        ("N1: [nieta {gender: f}]; N2: [*]; N1 != N2", "N1: [nieta]; N2: [*]"),
        ("N1: [baker", "N1: [baker"),
    ],
)
def test_lists_are_shown_as_names(names: str, seen: str) -> None:
    """What the names are known for, and conditions, are no matter of annotators."""
    assert fillers(names, "W1: [spring]") == f"{seen}\nW1: [spring]"


def test_of_a_long_list_some_names_of_all_its_parts_are_shown() -> None:
    """A cell of thousands of names is read by nobody, and too much for a workbook."""
    text = fillers(f"N1: [{', '.join(f'Ann{at}' for at in range(400))}]; N2: [Bo]")
    assert text.startswith("N1: [Ann0, Ann20, Ann40, ")
    assert text.endswith(f", Ann380] (and {400 - MOST_NAMED} more); N2: [Bo]")
