"""The rule `groups-missing`."""


def test_groups_that_are_not_named_are_found(make):
    """One finding for each empty cell."""
    variants = make.pair(target_groups=(), n1_groups=())
    assert make.found(variants) == [
        ("groups-missing", "warning", f"bank.csv, row {row}, column {column}", "no group is named")
        for row in (2, 3)
        for column in ("n1_groups", "target_groups")
    ]


def test_open_lists_and_untranslated_variants_need_no_groups(make):
    """They come later."""
    groups = {"target_groups": (), "n1_groups": (), "n2_groups": ()}
    assert make.found(make.pair(names="N1: [*]; N2: [*]", **groups)) == []
    assert make.found(make.untranslated(**groups)) == []
