"""What annotators are shown of a template."""

from curation.annotation.classify_sheets import names_sheet, shown
from curation.records.bank import Template, Texts, Variant
from curation.records.ids import TemplateId, VariantId, VariantLetter


def fillers(names: str, words: str = "") -> str:
    """What is shown of the lists of a template."""
    texts = Texts(ambiguous_context="[N1] met [N2].", names=names, words=words)
    name = TemplateId("craft", 1)
    variant = Variant(VariantId(name, VariantLetter.A), "Craft", texts=texts)
    return shown(Template(name, (variant,)))["fillers"]


def test_lists_are_shown_as_names() -> None:
    """What the names are known for, and conditions, are no matter of annotators."""
    for names, seen in [
        ("N1: [baker, cook]; N2: [potter]", "N1: [baker, cook]; N2: [potter]"),
        ("N1: [*]; N2: [potter]", "N1: [*]; N2: [potter]"),
        ("N1: [nieta {gender: f}]; N2: [*]; N1 != N2", "N1: [nieta]; N2: [*]"),
        ("N1: [baker", "N1: [baker"),
    ]:
        assert fillers(names, "W1: [spring]") == f"{seen}\nW1: [spring]"


def template(names: str) -> Template:
    """A pair whose lists are exchanged."""
    name = TemplateId("craft", 1)
    first, second = names.split("; ")
    other = f"N1: {second.removeprefix('N2: ')}; N2: {first.removeprefix('N1: ')}"
    variants = tuple(
        Variant(
            VariantId(name, letter), "Craft", texts=Texts(ambiguous_context="[N1].", names=lists)
        )
        for letter, lists in ((VariantLetter.A, names), (VariantLetter.B, other))
    )
    return Template(name, variants)


def test_a_long_list_is_whole_in_a_sheet_of_its_own() -> None:
    """Once for all slots that it fills, with what is known of the names, in parts to be seen."""
    names = [f"Ann{at} {{home: hill}}" for at in range(400)]
    rows = names_sheet([template(f"N1: [{', '.join(names)}]; N2: [Bo]")]).rows
    assert {(row.cells["slot"], row.cells["count"]) for row in rows} == {("N1 (a), N2 (b)", "400")}
    assert [row.cells["part"] for row in rows] == [f"{at} / {len(rows)}" for at in (1, 2, 3, 4)]
    assert [row.key for row in rows] == [f"craft-001/1/{at}" for at in (1, 2, 3, 4)]
    assert ", ".join(row.cells["names"] for row in rows) == ", ".join(names)
    assert max(len(row.cells["names"]) for row in rows) < 2500
