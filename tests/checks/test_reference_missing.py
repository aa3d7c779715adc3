"""The rule `reference-missing`."""

from curation.model.bank import Label


def test_a_new_template_without_reference_is_found_once(make):
    """At its first variant."""
    assert make.found(make.pair(label=Label.NEWLY_CREATED, source_id="", reference=" ")) == [
        (
            "reference-missing",
            "warning",
            "bank.csv, row 2, column reference",
            "craft-001 is newly created and has no reference",
        )
    ]


def test_a_reference_in_one_variant_is_enough(make):
    """It documents the stereotype, which both share."""
    new = {"label": Label.NEWLY_CREATED, "source_id": ""}
    variants = [make.variant(**new), make.variant("craft-001b", reference="A book", **new)]
    assert make.found(variants) == []


def test_a_transferred_template_needs_no_reference(make):
    """Its source has one."""
    assert make.found(make.pair(label=Label.TARGET_MODIFIED)) == []
