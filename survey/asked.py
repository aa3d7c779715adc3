"""Which groups a survey asked about, by the names that it asked with."""

from collections.abc import Iterable

from curation.model.survey import Question, TargetRow, split_groups
from survey.renaming import Renaming


def asked_groups(
    category: str,
    questions: Iterable[Question],
    targets: Iterable[TargetRow],
    renaming: Renaming,
) -> frozenset[str]:
    """Give the names of groups that questions and standings of a category hold.

    Args:
        category: The category, by the name that it has now.
        questions: The questions, in the names that they were asked with.
        targets: The standings of groups, likewise.
        renaming: For categories that had another name then.
    """
    names = {
        group
        for question in questions
        if renaming.category(question.category) == category
        for option in question.options
        for group in option.groups
    }
    for row in targets:
        if renaming.category(row.category) == category:
            names |= {row.group, *_listed(row.group)}
    return frozenset(names)


def _listed(label: str) -> tuple[str, ...]:
    """Give the groups that a standing may list; none of a name that looks like a list only."""
    try:
        return split_groups(label)
    except ValueError:
        return ()
