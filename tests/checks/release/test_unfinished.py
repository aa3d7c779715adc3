"""The rule `release-unfinished`."""

from curation.model.errors import CurateError


def test_what_cannot_be_worked_out_stops_a_release(found):
    """In the words of the error, at its place."""
    error = CurateError("the list of slot N1 is empty", "bank, row 2, craft-001a", "fill it")
    assert found(problems=(error,)) == [
        (
            "release-unfinished",
            "error",
            "bank, row 2, craft-001a",
            "the list of slot N1 is empty",
        )
    ]
