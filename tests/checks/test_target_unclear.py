"""The rule `target-unclear`."""


def test_a_target_that_is_neither_of_the_people_is_found(make):
    """Both are named."""
    groups = make.groups(make.group("Weavers", "[Eve]"))
    assert make.found(make.pair(target_groups=("Weavers",)), groups) == [
        (
            "target-unclear",
            "error",
            f"bank.csv, row {row}, column target_groups",
            f"target 'Weavers' is neither N1 ('{one}') nor N2 ('{other}')",
        )
        for row, one, other in ((2, "Bakers", "Potters"), (3, "Potters", "Bakers"))
    ]


def test_a_target_that_is_both_people_is_found(make):
    """Who is the other person cannot be told."""
    found = make.found(make.pair(n1_groups=("Potters",), n2_groups=("Potters",)))
    assert [item[3] for item in found] == ["target 'Potters' is the group of both people"] * 2


def test_the_person_may_be_of_some_of_the_target_groups(make):
    """The stereotype is about more groups than the template names people of."""
    groups = make.groups(make.group("Weavers", "[Eve]"))
    assert make.found(make.pair(target_groups=("Potters", "Weavers")), groups) == []


def test_a_person_of_other_groups_too_is_not_the_target(make):
    """Some of the names would then not be of the target."""
    groups = make.groups(make.group("Weavers", "[Eve]"))
    people = ("Potters", "Weavers")
    variants = [make.variant(n2_groups=people), make.variant("craft-001b", n1_groups=people)]
    assert {item[0] for item in make.found(variants, groups)} == {"target-unclear"}


def test_open_lists_are_skipped(make):
    """The survey will say who the people are."""
    changes = {"names": "N1: [*]; N2: [*]", "target_groups": (), "n1_groups": (), "n2_groups": ()}
    assert make.found(make.pair(**changes)) == []
    found = make.found(make.pair(names="N1: [*]; N2: [*]", n1_groups=("Potters",)))
    assert "target-unclear" not in {item[0] for item in found}


def test_missing_groups_are_another_rules_matter(make):
    """Whichever is missing."""
    for field in ("target_groups", "n1_groups", "n2_groups"):
        assert {item[0] for item in make.found(make.pair(**{field: ()}))} == {"groups-missing"}


def test_source_texts_are_not_looked_at(make):
    """Their targets are as they were published."""
    assert make.found(make.untranslated(target_groups=("Weavers",))) == []
