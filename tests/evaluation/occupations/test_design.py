"""Which groups a task compares, and what it cannot do without."""

from dataclasses import replace

import numpy as np
import pytest

from curation.records.errors import CurateError
from evaluation.occupations.design import designs
from evaluation.occupations.records import Item, Ratio

Items = tuple[Item, ...]
Ratios = tuple[Ratio, ...]


def test_a_task_is_put_into_numbers(items: Items, ratios: Ratios) -> None:
    """The group of the ratios is g1, wherever it comes."""
    (design,), findings = designs(items[::-1], ratios, file="items.csv")
    assert findings == ()
    assert (design.task, design.groups) == ("craft", ("w", "m"))
    assert design.occupations == ("baker", "guard", "pilot")
    assert design.ratio.tolist() == [0.8, 0.2, 0.4]
    assert design.instructions == ("2", "1")
    assert design.group.tolist() == [1, 1, 0, 0] * 2
    assert design.unknown.tolist() == [0, 0, 2, 2] * 2
    assert design.occupation[:3].tolist() == [[-1, 2, 0], [-1, 1, 0], [0, 2, -1]]


def test_tasks_may_differ_in_the_number_of_options(items: Items, ratios: Ratios) -> None:
    """What an item lacks is no occupation."""
    few = replace(items[0], options=("unknown", "guard"))
    (design,), _ = designs((few, *items[1:]), ratios, file="items.csv")
    assert design.occupation[0].tolist() == [-1, 1, -1]
    assert design.unknown[0] == 0


def test_each_task_takes_the_ratios_of_its_own_group(items: Items, ratios: Ratios) -> None:
    """One file of ratios may serve several tasks."""
    ages = tuple(
        replace(
            item,
            item_id=f"x{item.item_id}",
            task="age",
            group={"w": "old", "m": "young"}[item.group],
        )
        for item in items
    )
    young = tuple(Ratio(item.occupation, "young", 1 - item.ratio) for item in ratios)
    tasks, _ = designs(items + ages, ratios + young, file="items.csv")
    assert [(task.task, task.groups) for task in tasks] == [
        ("age", ("young", "old")),
        ("craft", ("w", "m")),
    ]
    assert tasks[0].ratio == pytest.approx(np.array([0.2, 0.8, 0.6]))
    assert tasks[0].item.tolist() == list(range(8, 16))


def test_an_occupation_without_a_ratio_is_refused_by_name(items: Items, ratios: Ratios) -> None:
    """With the row of an item, and the spelling that was meant."""
    others = (ratios[0], replace(ratios[1], occupation="Guard"), ratios[2])
    with pytest.raises(CurateError) as refused:
        designs(items, others, file="items.csv")
    assert refused.value.what == "an occupation has no ratio of 'w': guard"
    assert refused.value.where == "items.csv, row 2, column options"
    assert "it has one of 'Guard'" in refused.value.hint


def test_all_occupations_without_a_ratio_are_counted(items: Items, ratios: Ratios) -> None:
    """One error tells of them all."""
    with pytest.raises(CurateError) as refused:
        designs(items, ratios[:1], file="items.csv")
    assert refused.value.what == "2 occupations have no ratio of 'w': guard, pilot"


@pytest.mark.parametrize(
    ("groups", "with_ratios", "what"),
    [
        ("ww", "w", "task craft has items of only one group, w"),
        ("mm", "w", "task craft has no item of a group that has ratios (w); its items are of m"),
        ("wm", "x", "task craft has no item of a group that has ratios (x); its items are of w, m"),
        ("wm", "wm", "both groups of task craft have ratios: w, m"),
        ("wmx", "w", "task craft has items of 3 groups: w, m, x"),
    ],
)
def test_two_groups_are_needed_one_of_them_with_ratios(
    items: Items, ratios: Ratios, groups: str, with_ratios: str, what: str
) -> None:
    """A group with no item, and ratios that do not say which group is g1, are refused."""
    asked = tuple(replace(item, group=groups[at % len(groups)]) for at, item in enumerate(items))
    known = tuple(replace(item, group=group) for item in ratios for group in with_ratios)
    with pytest.raises(CurateError) as refused:
        designs(asked, known, file="items.csv")
    assert refused.value.what == what


def test_an_occupation_with_items_of_one_group_alone_is_said(items: Items, ratios: Ratios) -> None:
    """Its score is undefined; the others have theirs."""
    kept = tuple(item for item in items if "pilot" not in item.options or item.group == "w")
    (design,), (finding,) = designs(kept, ratios, file="items.csv")
    assert len(design.item) == 6
    assert finding.rule == "occupations-group"
    assert finding.message.startswith("task craft: no item of 'm' has pilot among its options")
