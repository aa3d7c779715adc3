"""The rule `release-reference-modified`."""

from curation.model.bank import Label


def test_a_modified_target_that_nothing_documents_is_said(found, make):
    """It does not stop a release."""
    (item,) = found(make.pair(label=Label.TARGET_MODIFIED))
    assert item[:3] == (
        *("release-reference-modified", "warning"),
        "bank.csv, row 2, column reference",
    )
    assert "the target of craft-001 was changed" in item[3]


def test_a_survey_among_all_groups_documents_it(found, make):
    """And so does a reference."""
    modified = make.pair(label=Label.TARGET_MODIFIED)
    assert found(modified, surveyed=frozenset({"craft-001"})) == []
    assert found(make.pair(label=Label.TARGET_MODIFIED, reference="A book")) == []
