"""What annotators are shown of a template."""

from dataclasses import replace

import rows

from curation.annotation.labels import classify_hashes, classify_sheet, shown, with_names
from curation.annotation.sheets import english_for
from curation.bank.rewording import StatedWording, worded
from curation.records.bank import Bank, Texts, VariantVersion


def fillers(names, words=""):
    texts = Texts(ambiguous_context="[N1] met [N2].", names=names, words=words)
    return shown(rows.template(rows.variant(own=texts)))["fillers"]


def test_lists_are_shown_as_names():
    """What the names are known for, and conditions, are no matter of annotators."""
    for names, seen in [
        ("N1: [baker, cook]; N2: [potter]", "N1: [baker, cook]; N2: [potter]"),
        ("N1: [*]; N2: [potter]", "N1: [*]; N2: [potter]"),
        ("N1: [baker | ba-ker]", "N1: [baker | ba-ker]"),
        ("N1: [nieta {gender: f}]; N2: [*]; N1 != N2", "N1: [nieta]; N2: [*]"),
        ("N1: [baker", "N1: [baker"),
    ]:
        assert fillers(names, "W1: [spring]") == f"{seen}\nW1: [spring]"


def template(names):
    first, second = names.split("; ")
    other = f"N1: {second.removeprefix('N2: ')}; N2: {first.removeprefix('N1: ')}"
    own = (Texts(ambiguous_context="[N1].", names=lists) for lists in (names, other))
    pair = (
        rows.variant(f"craft-001{it}", None, own=one) for it, one in zip("ab", own, strict=True)
    )
    return rows.template(*pair)


def test_a_long_list_is_whole_in_a_sheet_of_its_own():
    """Once for all slots that it fills, with what is known of the names, in parts to be seen."""
    names = [f"Ann{at} {{home: hill}}" for at in range(400)]
    long = [template(f"N1: [{', '.join(names)}]; N2: [Bo]")]
    found = with_names(classify_sheet(long), long)[1].rows
    assert {(row.cells["slot"], row.cells["count"]) for row in found} == {("N1 (a), N2 (b)", "400")}
    assert [row.cells["part"] for row in found] == [f"{at} / {len(found)}" for at in (1, 2, 3, 4)]
    assert [row.key for row in found] == [f"craft-001/1/{at}" for at in (1, 2, 3, 4)]
    assert ", ".join(row.cells["names"] for row in found) == ", ".join(names)
    assert max(len(row.cells["names"]) for row in found) < 2500


def test_versions_of_the_translation_are_no_matter_of_annotators():
    """Labels are of the source: they go stale when its text changes, in any version."""
    both = VariantVersion.MASCULINE, VariantVersion.FEMININE
    plain = Bank(
        tuple(replace(row, source_texts=row.texts) for row in template("N1: [a]; N2: [b]").variants)
    )
    said = worded(plain, StatedWording("craft-001", versions=both), untie=False)
    assert [row.id.short for row in said.variants] == ["a.m", "a.f", "b.m", "b.f"]
    assert classify_hashes(said.templates()) == classify_hashes(plain.templates())
    *others, last = said.variants
    changed = replace(last, source_texts=replace(last.source_texts, names="N1: [c]; N2: [a]"))
    (seen,) = (shown(item) for item in Bank((*others, changed)).templates())
    assert seen["fillers"] == ("a: N1: [a]; N2: [b]\nb.f: N1: [c]; N2: [a]\nb.m: N1: [b]; N2: [a]")


def test_annotators_read_english_where_their_language_has_no_texts():
    assert ["'xx'" in english_for("xx"), english_for("ko")] == [True, ""]
