"""The rule `release-reference`."""

from curation.model.bank import Label

NEW = {"label": Label.NEWLY_CREATED, "source": "", "source_id": ""}


def test_a_new_template_without_reference_stops_a_release(found, make):
    """At its first variant."""
    assert found(make.pair(**NEW)) == [
        (
            "release-reference",
            "error",
            "bank.csv, row 2, column reference",
            "craft-001 is newly created and has no reference",
        )
    ]


def test_a_reference_or_being_out_is_enough(found, make):
    """What fell needs none."""
    assert found(make.pair(**NEW, reference="A book")) == []
    assert found([*make.pair(), *make.pair("craft-002", **NEW)]) == []
