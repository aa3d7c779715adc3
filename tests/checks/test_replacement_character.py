"""The rule `replacement-character`."""


def test_a_lost_letter_is_found(make):
    """What stood there cannot be told."""
    assert make.found(make.pair(biased_question="Who forg\ufffdts things?")) == [
        (
            "replacement-character",
            "error",
            f"bank.csv, row {row}, column biased_question",
            "lost letter U+FFFD at position 9",
        )
        for row in (2, 3)
    ]


def test_a_question_mark_is_no_lost_letter(make):
    """It may be one, but nobody can say."""
    assert make.found(make.pair(biased_question="Who forgets? Which one?")) == []
