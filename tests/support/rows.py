"""Rows of a bank as a test needs them."""

from curation.records.bank import Bank, Label, Texts, Variant, VariantId


def variant(key="craft-001a", label=Label.SIMPLY_TRANSFERRED, *, own=None, source="", **texts):
    """A variant with texts of the source; `own` are those of the culture."""
    of_source = Texts(**texts)
    name = VariantId.parse(key)
    return Variant(name, "Craft", label, own or Texts(), source_texts=of_source, source=source)


def template(*variants):
    """The one template of some variants."""
    (found,) = Bank(variants).templates()
    return found
