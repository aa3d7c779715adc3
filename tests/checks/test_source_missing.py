"""The rule `source-missing`."""

import pytest

from curation.model.bank import Label


@pytest.mark.parametrize("label", [Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED])
def test_a_transferred_template_without_source_is_found(make, label):
    """Once, at the first variant that lacks it."""
    variants = [make.variant(label=label), make.variant("craft-001b", label=label, source_id=" ")]
    assert make.found(variants) == [
        (
            "source-missing",
            "error",
            "bank.csv, row 3, column source_id",
            f"craft-001b is labelled {label} and names no source",
        )
    ]


@pytest.mark.parametrize("label", [Label.NEWLY_CREATED, None])
def test_a_new_or_unclassified_template_needs_no_source(make, label):
    """Nothing was transferred, as far as is known."""
    found = make.found(make.pair(label=label, source_id="", reference="A book"))
    assert "source-missing" not in {item[0] for item in found}


def test_a_transferred_template_with_a_source_is_right(make):
    """Every variant names it."""
    assert make.found(make.pair(label=Label.TARGET_MODIFIED)) == []
