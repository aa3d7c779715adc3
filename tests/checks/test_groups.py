"""The rules on groups."""

from curation.records.bank import Group

# group-unknown


def test_a_group_that_is_not_listed_is_found_once(make):
    """At the first cell that names it, with their number."""
    assert make.found(make.pair(), make.groups()[:1]) == [
        (
            "group-unknown",
            "error",
            "bank.csv, row 2, column target_groups",
            "group 'Potters' is not listed in Craft (in 4 cells)",
        )
    ]


def test_a_group_of_another_category_is_not_listed(make):
    """Groups belong to a category."""
    groups = [make.groups()[0], Group("Trade", "Potters", fillers="[Bob]")]
    found = make.found(make.pair(), groups, categories=({"id": "Craft"}, {"id": "Trade"}))
    assert [item[0] for item in found] == ["group-unknown"]


def test_groups_of_source_texts_need_not_be_listed(make):
    """They are named in another language."""
    assert make.found(make.untranslated(target_groups=("Töpfer",))) == []


def test_one_cell_is_one_cell(make):
    """The number of cells is said in words that fit."""
    found = make.found([make.variant(n1_groups=("Bakers", "Dyers")), make.variant("craft-001b")])
    messages = [item[3] for item in found if item[0] == "group-unknown"]
    assert messages == ["group 'Dyers' is not listed in Craft (in 1 cell)"]


# group-duplicate


def test_a_group_that_is_listed_twice_is_found(make):
    """The first row is named, the second is where the finding stands."""
    groups = make.groups(make.group("Bakers", "[Eve]"))
    assert make.found(make.pair(), groups) == [
        (
            "group-duplicate",
            "error",
            "groups.csv, row 4, column group",
            "'Bakers' is already in row 2",
        )
    ]


def test_two_categories_may_have_a_group_of_one_name(make):
    """Groups belong to a category."""
    groups = make.groups(Group("Trade", "Bakers", fillers="[Eve]"))
    categories = ({"id": "Craft"}, {"id": "Trade"})
    assert make.found(make.pair(), groups, categories=categories) == []


# group-parent


def test_a_parent_that_is_not_listed_is_found(make):
    """Each group with it is named."""
    groups = make.groups(make.group("Weavers", "[Eve]", parent="Cloth"))
    assert make.found(make.pair(), groups) == [
        (
            "group-parent",
            "error",
            "groups.csv, row 4, column parent",
            "parent 'Cloth' is not listed in Craft",
        )
    ]


def test_a_parent_of_another_category_is_not_listed(make):
    """Groups belong to a category."""
    groups = make.groups(
        make.group("Weavers", "[Eve]", parent="Cloth"), Group("Trade", "Cloth", fillers="[Eva]")
    )
    found = make.found(make.pair(), groups, categories=({"id": "Craft"}, {"id": "Trade"}))
    assert [item[0] for item in found] == ["group-parent"]


def test_a_parent_may_stand_after_its_group(make):
    """The order of rows is free."""
    groups = make.groups(
        make.group("Weavers", "[Eve]", parent="Cloth"), make.group("Cloth", "[Eva]")
    )
    assert make.found(make.pair(), groups) == []


# group-cycle


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
            "the parents form a circle: Weavers > Cloth > Spinners > Weavers",
        )
    ]


def test_a_group_that_is_its_own_parent_is_found(make):
    """The smallest circle."""
    groups = make.groups(make.group("Weavers", "[Eve]", parent="Weavers"))
    assert [item[3] for item in make.found(make.pair(), groups)] == [
        "the parents form a circle: Weavers > Weavers"
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


# group-comma


def test_a_comma_in_a_name_is_found(make):
    """Lists of groups are written with commas."""
    groups = make.groups(make.group("Weavers, dyers", "[Eve]"))
    assert make.found(make.pair(), groups) == [
        (
            "group-comma",
            "error",
            "groups.csv, row 4, column group",
            "the name 'Weavers, dyers' has a comma",
        )
    ]


def test_a_comma_within_brackets_parts_nothing(make):
    """A name may say whom it leaves out."""
    groups = make.groups(make.group("non-(Weavers, dyers)", "[Eve]"))
    assert make.found(make.pair(), groups) == []


def test_a_name_that_looks_like_a_list_is_found(make):
    """It would be read as one."""
    groups = make.groups(make.group("[weavers, (dyers, spinners)", "[Eve]"))
    assert [item[0] for item in make.found(make.pair(), groups)] == ["group-comma"]


def test_a_name_in_brackets_without_comma_is_right(make):
    """Only commas part."""
    assert make.found(make.pair(), make.groups(make.group("[weavers]", "[Eve]"))) == []


def test_other_signs_are_free(make):
    """Names of groups are words of a language."""
    assert make.found(make.pair(), make.groups(make.group("Weavers/dyers · 직조공", "[Eve]"))) == []
