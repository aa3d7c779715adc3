"""The rule `pair-groups`."""


def test_another_target_is_found(make):
    """One question of the survey cannot be about both."""
    variants = [make.variant(), make.variant("craft-001b", target_groups=("Bakers",))]
    found = [item for item in make.found(variants) if item[0] != "variant-role"]
    assert found == [
        (
            "pair-groups",
            "error",
            "bank.csv, row 3, column target_groups",
            "target 'Bakers', in craft-001a 'Potters'",
        )
    ]


def test_people_of_other_groups_are_found(make):
    """The two people are the same two in both variants."""
    variants = [make.variant(), make.variant("craft-001b", n2_groups=("Weavers",))]
    assert make.found(variants, make.groups(make.group("Weavers", "[Eve]"))) == [
        (
            "pair-groups",
            "error",
            "bank.csv, row 3, column n1_groups",
            "people 'Potters' and 'Weavers', in craft-001a 'Bakers' and 'Potters'",
        )
    ]


def test_groups_that_are_not_written_do_not_differ(make):
    """That they are missing is another rule's matter."""
    variants = [make.variant(), make.variant("craft-001b", n1_groups=(), target_groups=())]
    assert {item[0] for item in make.found(variants)} == {"groups-missing"}


def test_the_order_of_several_groups_is_free(make):
    """A list of groups is a set."""
    groups = make.groups(make.group("Weavers", "[Eve]"))
    one, other = ("Potters", "Weavers"), ("Weavers", "Potters")
    variants = [
        make.variant(target_groups=one, n2_groups=other),
        make.variant("craft-001b", target_groups=other, n1_groups=one),
    ]
    assert make.found(variants, groups) == []


def test_people_without_groups_do_not_differ_from_people_with_groups(make):
    """Whichever variant lacks them."""
    for letters in ("ab", "ba"):
        variants = [
            make.variant(f"craft-001{letters[0]}", n1_groups=(), n2_groups=(), target_groups=()),
            make.variant(f"craft-001{letters[1]}"),
        ]
        assert {item[0] for item in make.found(variants)} == {"groups-missing"}
