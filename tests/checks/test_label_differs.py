"""The rule `label-differs`."""

from curation.model.bank import Label


def test_another_label_in_one_variant_is_found(make):
    """The finding stands at the variant that differs from the first."""
    variants = [make.variant(), make.variant("craft-001b", label=Label.TARGET_MODIFIED)]
    assert make.found(variants) == [
        (
            "label-differs",
            "error",
            "bank.csv, row 3, column label",
            "craft-001b is TM, craft-001a is ST",
        )
    ]


def test_a_template_that_is_classified_in_part_is_found(make):
    """The missing label is one that differs."""
    variants = [make.variant(), make.variant("craft-001b", label=None)]
    assert [item[3] for item in make.found(variants)] == [
        "craft-001b is not classified, craft-001a is ST"
    ]


def test_two_templates_may_differ(make):
    """Labels are a template's own."""
    other = make.pair("craft-002", biased_question="Who?", label=Label.TARGET_MODIFIED)
    assert make.found([*make.pair(), *other]) == []


def test_a_classified_variant_of_an_unclassified_template_is_found(make):
    """The first variant may be the one without label."""
    found = make.found([make.variant(label=None), make.variant("craft-001b")])
    assert [item[3] for item in found if item[0] == "label-differs"] == [
        "craft-001b is ST, craft-001a is not classified"
    ]
