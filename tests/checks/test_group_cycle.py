"""The rule `group-cycle`."""


def test_a_circle_of_parents_is_found_once(make):
    """At the first of its groups in the file, whatever leads into it."""
    groups = make.groups(
        make.group("Dyers", "[Dan]", parent="Spinners"),
        make.group("Weavers", "[Eve]", parent="Cloth"),
        make.group("Cloth", "[Eva]", parent="Spinners"),
        make.group("Spinners", "[Sam]", parent="Weavers"),
    )
    assert make.found(make.pair(), groups) == [
        (
            "group-cycle",
            "error",
            "groups.csv, row 5, column parent",
            "the parents go in a circle: Weavers > Cloth > Spinners > Weavers",
        )
    ]


def test_a_group_that_is_its_own_parent_is_found(make):
    """The smallest circle."""
    groups = make.groups(make.group("Weavers", "[Eve]", parent="Weavers"))
    assert [item[3] for item in make.found(make.pair(), groups)] == [
        "the parents go in a circle: Weavers > Weavers"
    ]


def test_a_tree_has_no_circle(make):
    """Several groups may share a parent."""
    groups = make.groups(
        make.group("Weavers", "[Eve]", parent="Cloth"),
        make.group("Dyers", "[Dan]", parent="Cloth"),
        make.group("Cloth", "[Eva]", parent="Makers"),
        make.group("Makers", "[Moe]"),
    )
    assert make.found(make.pair(), groups) == []
