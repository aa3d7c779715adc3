"""The workbook in which the demographic groups are edited."""

import hashlib
from collections.abc import Sequence
from dataclasses import astuple

from curation.io.workbooks import Book, Column, Sheet, SheetRow
from curation.model.bank import Group

GROUPS = "groups"
"""The kind of the workbook."""
EDITED = ("parent", "level", "counts", "fillers")
"""What can be changed of a group that there is."""
_FLAGS = ("true", "false")

_INSTRUCTIONS = (
    "# Groups",
    "The sheet 'groups' lists the groups that respondents can choose from. parent: the group that "
    "it is part of, such as a country's region. counts: false for a group that may be chosen but "
    "that the equal share is not divided by. fillers: the names that stand for it, [baker, cook]. "
    "remove: yes takes it out.",
    "New groups go to the sheet 'new groups'. A name has no comma. Names of groups that there are "
    "cannot be changed here, for templates hold them: 'curate groups rename' does that.",
    "",
    "# 집단",
    "'groups' 시트에는 응답자가 고를 수 있는 집단이 있습니다. parent는 그 집단이 속한 상위 집단, "
    "counts는 균등 몫을 나눌 때 세는지(true/false), fillers는 집단을 나타내는 이름 목록입니다. "
    "remove에서 yes를 고르면 지웁니다.",
    "새 집단은 'new groups' 시트에 적습니다. 이름에는 쉼표를 쓰지 않습니다. 이미 있는 집단의 "
    "이름은 템플릿이 쓰고 있으므로 여기서 바꿀 수 없고, 'curate groups rename'으로 바꿉니다.",
)


def group_key(group: Group) -> str:
    """Name a group's row."""
    return f"{group.category} / {group.group}"


def groups_id(groups: Sequence[Group]) -> str:
    """Hash the groups, so that a sheet tells which ones it was made of."""
    content = repr([astuple(group)[:-1] for group in groups])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def edited_sheet(groups: Sequence[Group]) -> Sheet:
    """Give the sheet of the groups that there are."""
    names = tuple(dict.fromkeys(group.group for group in groups))
    columns = (
        Column("category", 20),
        Column("group", 26),
        Column("parent", 26, editable=True, choices=names, note="The group it is part of."),
        Column("level", 14, editable=True, note="A word of your own, such as region."),
        Column("counts", 10, editable=True, choices=_FLAGS, required=True),
        Column("fillers", 60, editable=True, note="Names that stand for it: [baker, cook]"),
        Column("remove", 10, editable=True, choices=("yes",), note="yes takes it out."),
    )
    rows = tuple(
        SheetRow(
            group_key(item),
            {
                "category": item.category,
                "group": item.group,
                "parent": item.parent,
                "level": item.level,
                "counts": "true" if item.counts else "false",
                "fillers": item.fillers,
            },
        )
        for item in groups
    )
    return Sheet("groups", columns, rows)


def added_sheet(categories: Sequence[str], rows: int) -> Sheet:
    """Give the sheet of new groups, empty."""
    columns = (
        Column("category", 20, editable=True, choices=tuple(categories), required=True),
        Column("group", 26, editable=True, required=True, note="Its name, without comma."),
        Column("parent", 26, editable=True, note="The group it is part of."),
        Column("level", 14, editable=True),
        Column("counts", 10, editable=True, choices=_FLAGS, note="true unless false is chosen."),
        Column("fillers", 60, editable=True, note="Names that stand for it: [baker, cook]"),
    )
    return Sheet("new groups", columns, blank=rows)


def groups_book(groups: Sequence[Group], categories: Sequence[str], rows: int) -> Book:
    """Give the workbook."""
    sheets = (edited_sheet(groups), added_sheet(categories, rows))
    return Book(GROUPS, sheets, _INSTRUCTIONS, {"groups": groups_id(groups)})
