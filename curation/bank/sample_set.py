"""The samples of a workspace: made one at a time, and counted by category and label."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curation.bank.generate import filler_groups, is_waiting
from curation.bank.planning import Plan, plan, refuse_faults
from curation.bank.removal import in_use
from curation.files.workspace import Workspace
from curation.records.bank import Label, Template
from curation.records.culture import SampleSettings
from curation.records.messages import Progress, frame, silent, watched
from curation.records.sample import Sample
from curation.records.settings import overridden

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class SampleSet:
    """Samples of templates. They are made each time you iterate, because there may be millions.

    Attributes:
        workspace: The workspace.
        templates: The templates that are filled.
        seed: The seed of the test set; None for all fillings, or those that the settings draw.
        settings: How samples are drawn; those of the workspace by default.
    """

    workspace: Workspace
    templates: tuple[Template, ...]
    seed: int | None = None
    settings: SampleSettings | None = None

    def plan(self, progress: Progress = silent) -> Plan:
        """Which samples they are, counted, and which templates cannot be filled.

        Args:
            progress: Told how many templates of how many were planned, and later were written.

        Raises:
            CurateError: If groups or settings cannot be read.
        """
        culture = self.workspace.culture
        settings = self.settings or culture.samples
        if self.seed is not None:
            settings = settings.model_copy(update={"seed": self.seed})
        return plan(
            watched(self.templates, "Templates planned", progress),
            self.workspace.language,
            culture.unknown,
            filler_groups(self.workspace.groups),
            settings,
            test_set=self.seed is not None,
            progress=progress,
        )

    def __iter__(self) -> Iterator[Sample]:
        """The samples in the order of their ids.

        Raises:
            CurateError: If templates cannot be filled, naming all of them.
        """
        made = self.plan()
        refuse_faults(made.faults)
        return made.samples()

    def to_frame(self) -> "pd.DataFrame":
        """All of them, with the columns of `samples.csv`: texts, and `choices` a tuple of three.

        Raises:
            CurateError: If templates cannot be filled, or there are more samples than
                `samples.limit`.
        """
        made = self.plan()
        refuse_faults(made.faults)
        made.refuse_large()
        return frame(made.samples(), Sample)


def samples(
    workspace: Workspace,
    templates: Sequence[Template] | None = None,
    *,
    test_set: bool = False,
    seed: int | None = None,
    per_template: int | None = None,
    proper_names: int | None = None,
) -> SampleSet:
    """The samples of templates.

    Args:
        workspace: The workspace.
        templates: Those to fill, such as `survey.final_bank(workspace).fillable`; by default all
            in use that have texts.
        test_set: Whether to draw one filling for each pair of variants.
        seed: The seed of what is drawn; that of the settings by default.
        per_template: Maximum number of samples of a template; `samples.per_template` by default.
        proper_names: Proper names of each person; `samples.proper_names` by default.

    Raises:
        CurateError: If bank, groups or settings cannot be read.
    """
    if templates is None:
        templates = [item for item in in_use(workspace) if not is_waiting(item)]
    others = {"per_template": per_template, "proper_names": proper_names, "seed": seed}
    settings = overridden(workspace.culture.samples, others)
    drawn = settings.seed if test_set else None
    return SampleSet(workspace, tuple(templates), drawn, settings)


Counts = dict[str, Any]
"""Of a category or a template what it has, by name."""
LARGE = 10_000
"""A template with more samples than this is said to explode: KoBBQ's largest has 3,232."""


COUNTED = (
    *("sample_removed", "target_modified", "simply_transferred", "newly_created", "unlabelled"),
    *("templates_before_survey", "templates", "samples"),
)
"""What is counted of a category."""


def category_counts(
    before: Sequence[Template], after: Iterable[Template], samples: Mapping[str, int]
) -> list[Counts]:
    """Count by category, with the total as last row.

    Labels are those of the templates that are left, except `sample_removed`.

    Args:
        before: The templates before the survey, and those that their label removes.
        after: Those that are left.
        samples: Samples of those that are left, by category.
    """
    left = {template.id for template in after}
    rows: list[Counts] = []
    for category in dict.fromkeys(template.category for template in before):
        mine = [template for template in before if template.category == category]
        kept = [template for template in mine if template.id in left]
        by_label = Counter(template.label for template in kept)
        removed = sum(template.label is Label.SAMPLE_REMOVED for template in mine)
        rows.append(
            {
                "category": category,
                "sample_removed": removed,
                "target_modified": by_label[Label.TARGET_MODIFIED],
                "simply_transferred": by_label[Label.SIMPLY_TRANSFERRED],
                "newly_created": by_label[Label.NEWLY_CREATED],
                "unlabelled": by_label[None],
                "templates_before_survey": len(mine) - removed,
                "templates": len(kept),
                "samples": samples.get(category, 0),
            }
        )
    sums = {name: sum(row[name] for row in rows) for name in COUNTED}
    return [*rows, {"category": "Total", **sums}]
