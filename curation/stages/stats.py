"""Count templates and samples by category and label, as KoBBQ's table 1 does."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.model.bank import Label, Template


@dataclass(frozen=True, slots=True)
class CategoryCounts:
    """A row of the table.

    Attributes:
        category: The category, or `Total`.
        sample_removed: Templates that are removed by their label.
        target_modified: Templates left, by label.
        simply_transferred: Likewise.
        newly_created: Likewise.
        unlabelled: Templates left that nobody has classified.
        templates_before_survey: Templates that the survey was to decide on.
        templates: Templates left.
        samples: Samples of the templates left.
    """

    category: str
    sample_removed: int
    target_modified: int
    simply_transferred: int
    newly_created: int
    unlabelled: int
    templates_before_survey: int
    templates: int
    samples: int


def category_counts(
    before: Sequence[Template], after: Iterable[Template], samples: Mapping[str, int]
) -> list[CategoryCounts]:
    """Count by category, with the total as last row.

    Args:
        before: All templates of the bank.
        after: Those that are left.
        samples: Samples of those that are left, by category.
    """
    left = {template.id for template in after}
    rows = []
    for category in dict.fromkeys(template.category for template in before):
        mine = [template for template in before if template.category == category]
        kept = [template for template in mine if template.id in left]
        by_label = {
            label: sum(template.label is label for template in kept) for label in (*Label, None)
        }
        removed = sum(template.label is Label.SAMPLE_REMOVED for template in mine)
        rows.append(
            CategoryCounts(
                category=category,
                sample_removed=removed,
                target_modified=by_label[Label.TARGET_MODIFIED],
                simply_transferred=by_label[Label.SIMPLY_TRANSFERRED],
                newly_created=by_label[Label.NEWLY_CREATED],
                unlabelled=by_label[None],
                templates_before_survey=len(mine) - removed,
                templates=len(kept),
                samples=samples.get(category, 0),
            )
        )
    return [*rows, _total(rows)]


def _total(rows: Sequence[CategoryCounts]) -> CategoryCounts:
    sums = {
        name: sum(getattr(row, name) for row in rows)
        for name in CategoryCounts.__slots__
        if name != "category"
    }
    return CategoryCounts(category="Total", **sums)
