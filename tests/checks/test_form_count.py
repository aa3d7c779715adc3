"""The rule `form-count`."""


def test_a_missing_form_is_found(make):
    """Fewer forms than fillers."""
    variants = make.pair(ambiguous_context="[N1: old Ann] and [N2] waited at the [W1].")
    assert make.found(variants) == [
        (
            "form-count",
            "error",
            f"bank.csv, row {row}, column ambiguous_context",
            "slot N1 lists 1 form for 2 fillers (1 too few)",
        )
        for row in (2, 3)
    ]


def test_forms_too_many_are_found(make):
    """More forms than fillers, at each slot of a cell."""
    context = "[N1: a, b, c, d] and [N2: a, b, c] waited at the [W1: bus station, fish market]."
    found = make.found([make.variant(ambiguous_context=context), make.variant("craft-001b")])
    assert found == [
        (
            "form-count",
            "error",
            "bank.csv, row 2, column ambiguous_context",
            f"slot {name} lists {forms} forms for 2 fillers ({forms - 2} too many)",
        )
        for name, forms in (("N1", 4), ("N2", 3))
    ]


def test_source_texts_are_looked_at(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(biased_answer="[N1: young one]"))
    assert [item[:3] for item in found] == [
        ("form-count", "error", "bank.csv, row 2, column biased_answer_source"),
        ("form-count", "error", "bank.csv, row 3, column biased_answer_source"),
    ]


def test_as_many_forms_as_fillers_are_right(make):
    """One form for each filler."""
    context = "[N1: one, other] and [N2] waited at the [W1: bus station, fish market]."
    assert make.found(make.pair(ambiguous_context=context)) == []


def test_forms_of_an_open_list_are_not_counted(make):
    """How many fillers there will be, the survey says."""
    context = "[N1: one, other] and [N2] waited at the [W1]."
    assert make.found(make.pair(names="N1: [*]; N2: [*]", ambiguous_context=context)) == []
