"""The rule `text-duplicate`."""

from dataclasses import replace

from curation.model.ids import VariantId


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
