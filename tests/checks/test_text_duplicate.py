"""The rule `text-duplicate`."""


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
