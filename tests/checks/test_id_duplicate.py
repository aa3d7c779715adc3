"""The rule `id-duplicate`."""


def test_a_second_row_of_the_same_variant_is_found(make):
    """The first row is named, the second is where the finding stands."""
    variants = [*make.pair(), make.variant("craft-001b")]
    assert make.found(variants) == [
        (
            "id-duplicate",
            "error",
            "bank.csv, row 4, column template_id",
            "craft-001b stands in row 3 already",
        )
    ]


def test_four_variants_of_a_template_have_ids_of_their_own(make):
    """Letters tell them apart."""
    variants = [make.variant(f"craft-001{letter}") for letter in "abcd"]
    assert make.found(variants) == []
