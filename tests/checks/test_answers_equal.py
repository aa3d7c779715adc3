"""The rule `answers-equal`."""


def test_a_name_in_both_lists_makes_equal_answers(make):
    """Answers are compared as filled, without case."""
    variants = [
        make.variant(names="N1: [Ann, Ada]; N2: [Bob, ann]"),
        make.variant("craft-001b", names="N1: [Bob, ann]; N2: [Ann, Ada]"),
    ]
    assert make.found(variants) == [
        (
            "answers-equal",
            "error",
            f"bank.csv, row {row}, column counter_biased_answer",
            "both answers are 'ann'",
        )
        for row in (2, 3)
    ]


def test_forms_are_compared_within_one_filling(make):
    """Answers that share a slot are equal only where the same filler makes them so."""
    equal = {"biased_answer": "the [W1: one, two]", "counter_biased_answer": "the [W1: two, two]"}
    assert [item[::3] for item in make.found(make.pair(**equal))] == [
        ("answers-equal", "both answers are 'the two'")
    ] * 2
    crossed = {"biased_answer": "the [W1: one, two]", "counter_biased_answer": "the [W1: two, one]"}
    assert make.found(make.pair(**crossed)) == []


def test_answers_without_slots_are_compared_in_source_texts(make):
    """The column is that of the source language."""
    variants = make.untranslated(biased_answer="He", counter_biased_answer="he ")
    found = [item for item in make.found(variants) if item[0] == "answers-equal"]
    assert [item[2] for item in found] == [
        "bank.csv, row 2, column counter_biased_answer_source",
        "bank.csv, row 3, column counter_biased_answer_source",
    ]


def test_several_equal_answers_are_counted(make):
    """One is shown."""
    lists = "N1: [Ann, Ada]; N2: [Ada, Ann]"
    assert [
        item[3] for item in make.found(make.pair(names=lists)) if item[0] == "answers-equal"
    ] == ["both answers are 'ada', and 1 more"] * 2


def test_an_answer_with_very_many_fillings_is_left_out(make):
    """The check stays quick whatever a cell holds."""
    many = ", ".join(f"w{at}" for at in range(200))
    words = f"W1: [{many}]; W2: [{many}]"
    answers = {"biased_answer": "[W1] [W2]", "counter_biased_answer": "[W2] [W1]"}
    assert make.found(make.pair(words=words, **answers)) == []


def test_answers_that_cannot_be_filled_are_not_compared(make):
    """Why they cannot, another rule says."""
    same = {"biased_answer": "the [W2]", "counter_biased_answer": "the [W2]"}
    assert {item[0] for item in make.found(make.pair(**same))} == {"slot-undeclared"}
    unread = {"biased_answer": "the [W1", "counter_biased_answer": "the [W1"}
    found = {item[0] for item in make.found(make.pair(words="W1: [one]", **unread))}
    assert "answers-equal" not in found
