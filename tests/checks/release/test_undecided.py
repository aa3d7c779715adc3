"""The rule `release-undecided`."""

from curation.checks.release.facts import Undecided


def test_an_undecided_template_stops_a_release(found):
    """With the reason."""
    item = Undecided("craft-001", 2, "its stereotype was not asked about", "ask")
    assert found(undecided=(item,)) == [
        (
            "release-undecided",
            "error",
            "bank.csv, row 2",
            "craft-001 is undecided: its stereotype was not asked about",
        )
    ]


def test_what_is_ready_has_no_findings(found):
    """No rule of a release fires where nothing is wrong."""
    assert found() == []
