"""The rules on contexts, questions and answers."""

from dataclasses import replace

from curation.records.ids import VariantId

# text-missing


def test_an_empty_cell_beside_written_ones_is_found(make):
    """A cell of white space is empty."""
    found = make.found([make.variant(biased_question=" "), make.variant("craft-001b")])
    assert [item for item in found if item[0] == "text-missing"] == [
        (
            "text-missing",
            "error",
            "bank.csv, row 2, column biased_question",
            "the cell is empty, others of the variant are not",
        )
    ]


def test_an_empty_cell_of_the_source_texts_is_found(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(counter_biased_question=""))
    assert [item[:3] for item in found] == [
        ("text-missing", "error", "bank.csv, row 2, column counter_biased_question_source"),
        ("text-missing", "error", "bank.csv, row 3, column counter_biased_question_source"),
    ]


def test_a_variant_that_waits_for_its_translation_is_no_defect(make):
    """Nothing at all is written."""
    assert make.found(make.untranslated()) == []


def test_answers_that_are_not_written_are_not_said_to_be_equal(make):
    """One fault is said once."""
    found = make.found(make.pair(biased_answer="", counter_biased_answer=""))
    assert [item[::2] for item in found] == [
        ("text-missing", f"bank.csv, row {row}, column {column}")
        for row in (2, 3)
        for column in ("biased_answer", "counter_biased_answer")
    ]


# text-duplicate


def test_a_template_with_the_text_of_another_is_found_once(make):
    """Fillers, forms, case and white space are not compared."""
    first = make.pair()
    second = make.pair(
        "craft-002", ambiguous_context="[N1: one, other]  and [N2] Waited at the [W1]."
    )
    found = make.found([*first, *second])
    assert [item for item in found if item[0] != "white-space"] == [
        (
            "text-duplicate",
            "warning",
            "bank.csv, row 4, column ambiguous_context",
            "craft-002 has the contexts and question of craft-001",
        )
    ]


def test_the_same_contexts_with_another_question_are_no_duplicate(make):
    """A scene may serve two stereotypes."""
    first = make.pair()
    second = make.pair("craft-002", biased_question="Who was careless?")
    assert make.found([*first, *second]) == []


def test_texts_that_are_not_written_or_cannot_be_read_are_no_duplicates(make):
    """Nothing is guessed of them."""
    for question in ("", "Who [forgets?"):
        found = make.found(
            [
                *make.pair(biased_question=question),
                *make.pair("craft-002", biased_question=question),
            ]
        )
        assert "text-duplicate" not in {item[0] for item in found}


def test_source_texts_are_not_compared(make):
    """Two templates may be made of one source."""
    first = make.untranslated()
    other = [
        replace(item, id=VariantId.parse(f"craft-002{letter}"))
        for item, letter in zip(first, "ab", strict=True)
    ]
    assert make.found([*first, *other]) == []


# answers-equal


def test_a_name_in_both_lists_makes_equal_answers(make):
    """Answers are compared as filled, without case."""
    variants = [
        make.variant(names="N1: [ANN, Ada]; N2: [Bob, Ann]"),
        make.variant("craft-001b", names="N1: [Bob, Ann]; N2: [ANN, Ada]"),
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


# answer-unknown


def test_an_answer_that_is_the_unknown_expression_is_found(make):
    """Compared as filled, without case."""
    answer = "Cannot be [W1: seen, known]"
    assert make.found(make.pair(counter_biased_answer=answer), unknown="cannot be known") == [
        (
            "answer-unknown",
            "error",
            f"bank.csv, row {row}, column counter_biased_answer",
            "the answer is the unknown expression 'cannot be known'",
        )
        for row in (2, 3)
    ]


def test_an_answer_that_holds_the_expression_among_others_differs(make):
    """Only the whole answer counts."""
    answer = "[N2], who cannot be known"
    assert make.found(make.pair(counter_biased_answer=answer), unknown="Cannot be known") == []


def test_answers_of_source_texts_are_not_compared_with_the_unknown_expression(make):
    """The unknown expression is in the culture's language."""
    assert make.found(make.untranslated(biased_answer="Cannot be known")) == []


def test_answers_that_conditions_keep_apart_are_not_equal(make):
    """Both lists may hold the same names where no filling takes one twice."""
    names = "N1: [Ann, Bob]; N2: [Bob, Ann]; N1 {} N2"
    for operator, rules in (("!=", set()), ("=", {"answers-equal"})):
        variants = [make.variant(f"craft-001{at}", names=names.format(operator)) for at in "ab"]
        assert {item[0] for item in make.found(variants)} - {"pair-lists"} == rules
