"""The rule `invisible-character`."""

import pytest


@pytest.mark.parametrize(
    "sign", ["\u200b", "\ufeff", "\u00ad", "\u2060", "\u200e", "\u202e", "\u3164", "\u115f"]
)
def test_a_sign_without_width_is_named_with_its_position(make, sign):
    """Zero-width spaces, byte-order marks, soft hyphens, marks of direction, fillers."""
    found = make.found(make.pair(biased_question=f"Who{sign} forgets?"))
    assert found == [
        (
            "invisible-character",
            "warning",
            f"bank.csv, row {row}, column biased_question",
            f"invisible character U+{ord(sign):04X} at position 4",
        )
        for row in (2, 3)
    ]


@pytest.mark.parametrize("word", ["me\u200dn", "\u200cmen", "사\u200d람"])
def test_a_joiner_in_a_script_without_joiners_is_found(make, word):
    """Latin letters and Hangul are not joined."""
    found = make.found(make.pair(biased_question=f"Who of the {word}?"))
    assert {item[0] for item in found} == {"invisible-character"}


@pytest.mark.parametrize(
    "word", ["می\u200cشود", "क्\u200dष", "👩\u200d🔧", "❤\ufe0f\u200d🔥"], ids=ascii
)
def test_joiners_that_spelling_asks_for_are_right(make, word):
    """Persian, Indic scripts and emoji are written with them."""
    assert make.found(make.pair(biased_question=f"Who {word}?")) == []
