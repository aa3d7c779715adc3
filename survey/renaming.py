"""What the survey asked, in the names that categories, groups and templates have by now.

Survey files keep the names that they were asked with, and questions their ids: rulings are on
those. What hangs on a question is found by today's names.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.survey import Option, Tally, TargetRow, join_groups


@dataclass(frozen=True, slots=True)
class Renaming:
    """Puts former names right.

    Attributes:
        culture: For the merges of categories and `renamed_groups`.
        categories: Categories that the bank still has, and that therefore keep their names.
        templates: By former id of a template, the one that it has now.
    """

    culture: Culture
    categories: Collection[str] = ()
    templates: Mapping[str, str] = field(default_factory=dict)

    def category(self, name: str) -> str:
        """Give the name that a category has now."""
        return name if name in self.categories else self.culture.category_of_source(name)

    def tallies(self, tallies: Iterable[Tally]) -> list[Tally]:
        """Put today's names into the questions of counts.

        Raises:
            CurateError: If two options of a question are, by `renamed_groups`, of one group.
        """
        return [self._tally(tally) for tally in tallies]

    def targets(
        self, targets: Iterable[TargetRow], tallies: Iterable[Tally]
    ) -> tuple[TargetRow, ...]:
        """Put today's names into the standings of groups.

        Args:
            targets: The standings.
            tallies: The counts that they come from, in the names of the survey.
        """
        labels = {
            (tally.question.category, option.label): join_groups(
                self._groups(self.category(tally.question.category), option.groups)
            )
            for tally in tallies
            for option in tally.question.options
        }
        return tuple(
            replace(
                row,
                category=self.category(row.category),
                group=labels.get((row.category, row.group), row.group),
            )
            for row in targets
        )

    def _tally(self, tally: Tally) -> Tally:
        question = tally.question
        category = self.category(question.category)
        self._refuse_one_group_twice(tally, category)
        options = tuple(self._option(category, option) for option in question.options)
        return replace(
            tally,
            question=replace(
                question,
                category=category,
                options=options,
                template_id=self.templates.get(question.template_id, question.template_id),
            ),
        )

    def _option(self, category: str, option: Option) -> Option:
        groups = self._groups(category, option.groups)
        return option if groups == option.groups else replace(option, groups=groups)

    def _groups(self, category: str, groups: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.culture.group_now(category, group) for group in groups)

    def _refuse_one_group_twice(self, tally: Tally, category: str) -> None:
        """Refuse to take two groups that people chose between for one."""
        asked: dict[str, list[str]] = {}
        for old in dict.fromkeys(name for item in tally.question.options for name in item.groups):
            asked.setdefault(self.culture.group_now(category, old), []).append(old)
        for name, former in asked.items():
            if len(former) > 1:
                raise CurateError(
                    f"question {tally.question.id} asks about {' and '.join(former)} as different "
                    "groups, so that they cannot be names of one",
                    f"culture.yaml, categories.{category}.renamed_groups, {name}",
                    "list former names of the same group alone; groups that were joined after the "
                    "survey are to be asked about again",
                )
