"""Names and signs of Qualtrics."""

from dataclasses import replace
from typing import Any

from survey.platforms import qualtrics


def renamed(kit: Any, *ids: str) -> Any:
    """The questions of the first form other ids."""
    sheet = kit.sheets[0]
    items = tuple(
        replace(item, question=replace(item.question, id=name))
        for item, name in zip(sheet.items, ids, strict=True)
    )
    return replace(kit, sheets=(replace(sheet, items=items),))


def test_tags(kit: Any) -> None:
    """A tag is the id with underscores; one that would stand for two questions has its code."""
    made = renamed(kit, "c-나이-001", "c-취미-001", "q-region")
    mapping = qualtrics.mapping(made, made.sheets[0])
    assert [part.column or part.columns for part in mapping.questions] == [
        "c__001_Q001",
        "c__001_Q002_{code}",
        "q_region",
    ]


def test_tag_of_an_attribute(kit: Any) -> None:
    """A question that is named like an attribute or the check is kept apart from it."""
    made = renamed(kit, "region", "attention", "form-1")
    mapping = qualtrics.mapping(made, made.sheets[0])
    assert [part.column or part.columns for part in mapping.questions] == [
        "region_Q001",
        "attention_Q002_{code}",
        "form_1",
    ]
