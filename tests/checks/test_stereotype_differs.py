"""The rule `stereotype-differs`."""


def test_another_stereotype_in_one_variant_is_found(make):
    """One stands for the template, that of the first variant."""
    variants = [make.variant(), make.variant("craft-001b", stereotype="Losing keys")]
    assert make.found(variants) == [
        (
            "stereotype-differs",
            "error",
            "bank.csv, row 3, column stereotype",
            "'Losing keys' in craft-001b, 'Forgetting keys' in craft-001a",
        )
    ]


def test_a_variant_that_waits_for_its_translation_does_not_differ(make):
    """An empty cell says nothing."""
    variants = [make.variant(), make.untranslated()[1]]
    assert make.found(variants) == []
