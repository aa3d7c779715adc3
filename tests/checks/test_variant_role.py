"""The rule `variant-role`."""


def test_the_target_as_biased_answer_of_a_is_found(make):
    """In `a` the other person is in the stereotyped role."""
    answers = {"biased_answer": "[N2]", "counter_biased_answer": "[N1]"}
    assert make.found([make.variant(**answers), make.variant("craft-001b")]) == [
        (
            "variant-role",
            "error",
            "bank.csv, row 2, column biased_answer",
            "the biased answer of variant a is N2, who is the target",
        )
    ]


def test_the_other_person_as_biased_answer_of_d_is_found(make):
    """In `d` the target is in the stereotyped role."""
    answers = {"biased_answer": "[N2: one, other]", "counter_biased_answer": "[N1]"}
    variants = [make.variant("craft-001c"), make.variant("craft-001d", **answers)]
    assert [item[2:] for item in make.found(variants)] == [
        (
            "bank.csv, row 3, column biased_answer",
            "the biased answer of variant d is N2, who is not the target",
        )
    ]


def test_words_that_belong_to_a_person_tell_who_answers(make):
    """`X1` and `X2` are the words of `N1` and `N2`."""
    changes = {
        "biased_answer": "the [X2]",
        "counter_biased_answer": "the [X1]",
        "words": "W1: [station, market]; X1: [tall one]; X2: [small one]",
    }
    found = make.found([make.variant(**changes), make.variant("craft-001b", **changes)])
    assert [item[0] for item in found] == ["variant-role"] * 2


def test_source_texts_are_looked_at(make):
    """By their own groups."""
    answers = {"biased_answer": "[N2]", "counter_biased_answer": "[N1]"}
    assert [item[:3] for item in make.found(make.untranslated(**answers))] == [
        ("variant-role", "error", f"bank.csv, row {row}, column biased_answer_source")
        for row in (2, 3)
    ]


def test_answers_that_name_no_person_or_both_tell_nothing(make):
    """Nothing is guessed."""
    answers = {"biased_answer": "[N1], not [N2]", "counter_biased_answer": "the other"}
    assert make.found(make.pair(**answers)) == []
