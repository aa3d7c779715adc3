"""The rule `stereotype-spelling`."""

import pytest


def other_template(make, stereotype, **changes):
    """Make a second template with another text."""
    return make.pair("craft-002", biased_question="Who was it?", stereotype=stereotype, **changes)


@pytest.mark.parametrize("spelling", ["forgetting keys", "Forgetting-keys!", "Ｆorgettingkeys"])
def test_another_spelling_is_found(make, spelling):
    """Case, width, white space and punctuation make no other stereotype."""
    assert make.found([*make.pair(), *other_template(make, spelling)]) == [
        (
            "stereotype-spelling",
            "warning",
            "bank.csv, row 4, column stereotype",
            f"'{spelling}' is spelled 'Forgetting keys' in craft-001",
        )
    ]


@pytest.mark.parametrize("stereotype", ["Forgetting keys", "Forgetting a key", "열쇠를 잊는다"])
def test_the_same_spelling_and_other_stereotypes_are_right(make, stereotype):
    """Nothing is guessed about likeness."""
    assert make.found([*make.pair(), *other_template(make, stereotype)]) == []


def test_marks_that_make_another_word_are_not_dropped(make):
    """Vowel signs are marks, not punctuation."""
    variants = [*make.pair(stereotype="कि"), *other_template(make, "की")]
    assert make.found(variants) == []
