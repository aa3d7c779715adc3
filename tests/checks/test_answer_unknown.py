"""The rule `answer-unknown`."""


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


def test_source_texts_are_not_looked_at(make):
    """The unknown expression is in the culture's language."""
    assert make.found(make.untranslated(biased_answer="Cannot be known")) == []
