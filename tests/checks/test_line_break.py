"""The rule `line-break`."""


def test_a_line_break_is_found_and_is_no_control_character(make):
    """One finding for the cell."""
    assert make.found(make.pair(biased_question="Who forgets\r\nthings?")) == [
        (
            "line-break",
            "warning",
            f"bank.csv, row {row}, column biased_question",
            "line break U+000D at position 12, U+000A at position 13",
        )
        for row in (2, 3)
    ]


def test_separators_of_unicode_are_line_breaks(make):
    """They come from word processors."""
    found = make.found(make.pair(biased_question="Who\u2028forgets\u2029things\x85?"))
    assert {item[0] for item in found} == {"line-break"}


def test_notes_may_have_lines(make):
    """Only what reaches samples or the survey is looked at."""
    assert make.found(make.pair(note="one\ntwo", reference="one\ntwo")) == []
