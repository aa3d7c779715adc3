"""The rule `stereotype-missing`."""


def test_a_written_variant_without_stereotype_is_found(make):
    """The survey would have nothing to ask."""
    found = make.found(make.pair(stereotype="\n"))
    assert [item for item in found if item[0] != "line-break"] == [
        (
            "stereotype-missing",
            "warning",
            f"bank.csv, row {row}, column stereotype",
            "no stereotype is named",
        )
        for row in (2, 3)
    ]


def test_an_untranslated_variant_needs_none(make):
    """It comes with the translation."""
    assert make.found(make.untranslated(stereotype="")) == []
