"""The rule `release-without-samples`."""


def test_a_template_that_waits_stops_a_release(found):
    """Only where it is left."""
    assert found(waiting=("craft-001", "craft-002")) == [
        (
            "release-without-samples",
            "error",
            "bank.csv, row 2, column names",
            "craft-001 is not translated, or waits for surveyed groups",
        )
    ]


def test_nothing_cannot_be_released(found):
    """Where no template is left."""
    assert found(left=frozenset()) == [
        (
            "release-without-samples",
            "error",
            "bank.csv",
            "no template is left, so there is nothing to release",
        )
    ]
