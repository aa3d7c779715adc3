"""The rule `group-renamed`."""


def test_names_that_do_not_go_with_the_groups_are_found(make):
    """A former name is no group any more, and the name of now is one."""
    renamed = {"Potters": ["Bakers"], "Weavers": ["Clothiers"]}
    categories = [{"id": "Craft", "renamed_groups": renamed}]
    where = "categories.Craft.renamed_groups"
    assert make.found(make.pair(), categories=categories) == [
        (
            *("group-renamed", "error", "culture.yaml"),
            f"{where}: 'Bakers' is a former name of 'Potters', yet groups.csv has it",
        ),
        (
            *("group-renamed", "error", "culture.yaml"),
            f"{where}: groups.csv has no group 'Weavers'",
        ),
    ]


def test_a_group_with_a_former_name_is_no_finding(make):
    """Nor is one of another category that has the former name."""
    categories = [
        {"id": "Craft", "renamed_groups": {"Potters": ["Pot makers"]}},
        {"id": "Pot makers", "renamed_groups": {}},
    ]
    assert make.found(make.pair(), categories=categories) == []
