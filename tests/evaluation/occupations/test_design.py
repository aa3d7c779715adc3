"""Which groups a task compares, and what it cannot do without."""

from dataclasses import replace

import pytest

from curation.records.messages import CurateError
from evaluation.occupations.scores import ALONE, designs


def test_an_occupation_without_a_ratio_is_refused_by_name(items, ratios):
    """With the row of an item, and the spelling that was meant."""
    others = (ratios[0], replace(ratios[1], occupation="Guard"), ratios[2])
    with pytest.raises(CurateError) as refused:
        designs(items, others, file="items.csv")
    assert refused.value.what == "1 occupation has no ratio of 'w': guard"
    assert refused.value.where == "items.csv, row 2, column options"
    assert "it has one of 'Guard'" in refused.value.hint


@pytest.mark.parametrize(
    ("groups", "known"), [("ww", "w"), ("mm", "w"), ("wm", "x"), ("wm", "wm"), ("wmx", "w")]
)
def test_two_groups_are_needed_one_of_them_with_ratios(items, ratios, groups, known):
    """A group with no item, and ratios that do not say which group is g1, are refused."""
    asked = tuple(replace(item, group=groups[at % len(groups)]) for at, item in enumerate(items))
    ratios = tuple(replace(item, group=group) for item in ratios for group in known)
    with pytest.raises(CurateError, match="task craft"):
        designs(asked, ratios, file="items.csv")


@pytest.mark.parametrize(("group", "other"), [("w", "m"), ("m", "w")])
def test_an_occupation_with_items_of_one_group_alone_is_said(items, ratios, group, other):
    """Its score is undefined, and its items have no counterparts; the others have theirs."""
    kept = tuple(item for item in items if "pilot" not in item.options or item.group == group)
    (design,), (finding,) = designs(kept, ratios, file="items.csv")
    assert (len(design.item), (design.unit == ALONE).sum()) == (6, 2)
    assert finding.rule == "occupations-group"
    assert finding.message.startswith(
        f"task craft: no item of '{other}' has pilot among its options"
    )
