"""Labels by rules over groups."""

import rows

from curation.annotation.suggestions import GroupRules, NoRule
from curation.files.workspace import Workspace
from curation.languages import load
from curation.records.bank import Bank, Group, Label, Texts
from curation.records.culture import Culture

TEXTS = load("en").suggest
IMPORTED = {"bakers": "[Bob, baker]", "potters": "[Ann, potter]", "weavers": "[]"}
"""The groups that the source names, as an import lists them."""


def template(number, *targets, own=None):
    """A template of a source about some groups, whose other person is a potter."""
    return rows.template(
        rows.variant(
            f"craft-{number:03d}a",
            None,
            own=own,
            source="demo",
            ambiguous_context="[N1] met [N2].",
            names="N1: [Ann, potter]; N2: [Bob, baker]",
            target_groups=targets,
            n1_groups=("potters",),
            n2_groups=("bakers",),
        )
    )


EVERY = (template(1, "bakers"), template(2, "bakers", "weavers"), template(3, "weavers"))


def rules(tmp_path, groups, templates=EVERY, *, reviewed=False, **category):
    culture = Culture.model_validate(
        {
            **{"culture": "x", "language": "en", "unknown": "?"},
            "groups_reviewed": reviewed,
            "categories": [{"id": "Craft", **category}],
        }
    )
    bank = Bank(tuple(variant for item in templates for variant in item.variants))
    workspace = Workspace(tmp_path)
    # As if it had been read from files.
    workspace.__dict__.update(
        culture=culture, bank_and_findings=(bank, []), group_rows=(list(groups), []), deleted=Bank()
    )
    assert TEXTS is not None
    return GroupRules(workspace, TEXTS)


def named(*names, **fillers):
    return [Group("Craft", name, fillers=fillers.get(name, "[]")) for name in (*names, *fillers)]


def labels(found, templates=EVERY):
    said = [found.rule(item) for item in templates]
    return [item.name if isinstance(item, NoRule) else item[0].value for item in said]


def test_labels_follow_the_groups_of_the_culture(tmp_path):
    """All stand: ST; some, or others of the category: TM; none: SR."""
    assert labels(rules(tmp_path, named("bakers", "smiths"))) == ["ST", "TM", "TM"]
    assert labels(rules(tmp_path, named("smiths"))) == ["TM", "TM", "TM"]
    assert labels(rules(tmp_path, [Group("Hobby", "x")])) == ["SR", "SR", "SR"]


def test_groups_as_they_were_imported_say_nothing(tmp_path):
    """An import lists the groups that the source names: all templates would be ST."""
    as_imported = named(**IMPORTED)
    assert labels(rules(tmp_path, as_imported)) == ["AS_IMPORTED"] * 3
    assert labels(rules(tmp_path, as_imported, reviewed=True)) == ["ST"] * 3
    assert labels(rules(tmp_path, [], reviewed=True)) == ["AS_IMPORTED"] * 3
    other_fillers = named(*IMPORTED)  # as they are where files were imported one after the other
    assert labels(rules(tmp_path, other_fillers)) == ["AS_IMPORTED"] * 3
    parent = [*as_imported[1:], Group("Craft", "bakers", parent="makers")]
    assert labels(rules(tmp_path, parent)) == ["ST"] * 3


def test_a_set_in_the_culture_s_language_brings_its_groups_along(tmp_path):
    """They are as imported too; of translated templates and renamed groups they are not."""
    own = {
        "ambiguous_context": "[N1] [N2].",
        "names": "N1: [Eva]; N2: [Luis]",
        "target_groups": ("panaderos",),
        "n1_groups": ("alfareros",),
        "n2_groups": ("panaderos",),
    }
    every = [template(1, "bakers", own=Texts(**own))]  # its fields
    published = named(panaderos="[Luis]", alfareros="[Eva]")
    assert labels(rules(tmp_path, published, every), every) == ["AS_IMPORTED"]
    renamed = named(panaderos="[Bob, baker]", alfareros="[Ann, potter]")
    assert labels(rules(tmp_path, renamed, every), every) == ["ST"]


def test_a_group_that_was_renamed_stands(tmp_path):
    """By its key, or however it is spelt."""
    every = EVERY[:1]
    told = rules(tmp_path, [Group("Craft", "panaderos", key="bakers"), *named("smiths")])
    assert told.rule(every[0]) == (
        Label.SIMPLY_TRANSFERRED,
        "All groups that the stereotype is about are groups of this culture: panaderos",
    )
    assert labels(rules(tmp_path, named("panaderos", "smiths")), every) == ["TM"]
    assert labels(rules(tmp_path, named(" Bakers", "smiths")), every) == ["ST"]


def test_a_group_of_which_the_culture_has_parts_stands(tmp_path):
    """Its name is that of their parent."""
    parts = [Group("Craft", "rye bakers", parent="bakers")]
    assert labels(rules(tmp_path, parts), EVERY[:1]) == ["ST"]


def test_a_template_without_a_stereotyped_group_has_no_label(tmp_path):
    """There is nothing to look for."""
    for groups in [named("bakers"), named(**IMPORTED)]:
        assert rules(tmp_path, groups).rule(template(4)) is NoRule.NO_GROUPS


def test_groups_of_the_culture_are_told_where_they_are_known(tmp_path):
    """A model is told none that nobody has looked through."""
    assert rules(tmp_path, named("bakers", "smiths")).groups("Craft") == ("bakers", "smiths")
    assert rules(tmp_path, named(**IMPORTED)).groups("Craft") == ()
