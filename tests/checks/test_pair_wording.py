"""The rule `pair-wording`."""


def test_other_words_in_the_second_variant_are_found(make):
    """The finding shows where the texts part."""
    context = "[N1] and [N2] waited for long at the [W1]."
    variants = [make.variant(), make.variant("craft-001b", ambiguous_context=context)]
    assert make.found(variants) == [
        (
            "pair-wording",
            "warning",
            "bank.csv, row 3, column ambiguous_context",
            "differs from craft-001a: '...[N2] waited for long at ...' against "
            "'...[N2] waited at the [W1].'",
        )
    ]


def test_a_text_that_ends_earlier_differs_from_there_on(make):
    """The end counts as a difference."""
    variants = [make.variant(), make.variant("craft-001b", biased_question="Who forgets things")]
    assert [item[3] for item in make.found(variants)] == [
        "differs from craft-001a: '...rgets things' against '...rgets things?'"
    ]


def test_forms_and_exchanged_people_are_no_difference(make):
    """Only the words around the slots are compared."""
    context = "[N2: one, other] and [N1] waited at the [W1: stop, fair]."
    variants = [make.variant(), make.variant("craft-001b", ambiguous_context=context)]
    assert make.found(variants) == []


def test_questions_are_compared_and_answers_are_not(make):
    """Answers may call the people by other words."""
    changes = {"counter_biased_question": "Who remembers?", "biased_answer": "Old [N1]"}
    found = make.found([make.variant(), make.variant("craft-001b", **changes)])
    assert [item[2] for item in found] == ["bank.csv, row 3, column counter_biased_question"]


def test_a_text_that_cannot_be_read_is_not_compared(make):
    """Neither as the first nor as the second of a pair."""
    for letters in ("ab", "ba"):
        variants = [
            make.variant(f"craft-001{letters[0]}", biased_question="Who [forgets?"),
            make.variant(f"craft-001{letters[1]}"),
        ]
        assert [item[0] for item in make.found(variants)] == ["slot-syntax"]
