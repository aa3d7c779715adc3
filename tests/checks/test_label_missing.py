"""The rule `label-missing`."""


def test_templates_that_are_not_classified_are_counted(make):
    """One finding for the whole bank."""
    other = make.pair("craft-002", biased_question="Who?", label=None)
    third = make.pair("craft-003", biased_question="Who, then?", label=None)
    assert make.found([*make.pair(), *other, *third]) == [
        (
            "label-missing",
            "info",
            "bank.csv, column label",
            "2 of 3 templates are not yet classified",
        )
    ]


def test_a_classified_bank_has_none(make):
    """Nothing is said."""
    assert make.found(make.pair()) == []
