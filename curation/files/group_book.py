"""Groups have a key, which files hold for good, and a name, which people read and may change."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from curation.records.bank import GROUP_FIELDS, Bank, Group, Label, Variant
from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.survey import split_groups
from curation.slots import is_open


class GroupBook:
    """Says what groups are called, and what is known of them.

    The bank, the questionnaire and the counts of a survey hold keys. They are read as names and
    written as keys here, so that whatever is shown between has the names of now.

    Args:
        groups: The rows of `groups.csv`, merged groups too.
        culture: For categories that were merged, or split, after groups were asked about.

    Attributes:
        culture: The same.
    """

    def __init__(self, groups: Iterable[Group] = (), culture: Culture | None = None) -> None:
        self.culture = culture
        rows = list(groups)
        self._by_label: dict[tuple[str, str], Group] = {}
        for group in rows:
            self._by_label.setdefault((group.category, group.key), group)
        for group in rows:
            if group.same_as:
                into = self._by_label[group.category, group.same_as]
                self._by_label[group.category, group.key] = into
        self._doubled = {}
        for group in rows:
            mine = self._by_label[group.category, group.key]
            other = self._by_label.setdefault((group.category, group.group), mine)
            if other is not mine:
                self._doubled[group.category, group.group] = group

    def group(self, category: str, label: str) -> Group | None:
        """The group that a key or a name means; of a merged one, the one that it goes into.

        Args:
            category: Its category, or one that goes into it.
            label: The key or the name.
        """
        found = self._by_label.get((category, label))
        if found is None and self.culture is not None:
            found = self._by_label.get((self.culture.category_of_source(category), label))
        return found

    def known(self, category: str, label: str) -> bool:
        """Say whether the workspace has the group."""
        return self.group(category, label) is not None

    def name(self, category: str, label: str) -> str:
        """What a group is called; a label that is not known stays as it is."""
        group = self.group(category, label)
        return label if group is None else group.group

    def names(self, category: str, labels: Iterable[str]) -> tuple[str, ...]:
        """What groups are called, each once."""
        return tuple(dict.fromkeys(self.name(category, label) for label in labels))

    def keys(self, category: str, labels: Iterable[str]) -> tuple[str, ...]:
        """The keys of groups.

        Raises:
            CurateError: If two groups have one name, so that it is not known which is meant.
        """
        found = [(label, self.group(category, label)) for label in labels]
        for label, _ in found:
            doubled = self._doubled.get((category, label))
            if doubled is not None:
                raise CurateError(
                    f"'{label}' of {category} may be two groups",
                    f"groups.csv, row {doubled.row}, column group",
                    "give each group a name that is no other's name or key, or merge the two",
                )
        return tuple(dict.fromkeys(label if group is None else group.key for label, group in found))

    def counts(self, category: str, groups: Sequence[str]) -> bool:
        """Say whether an option counts for the uniform share: unless its one group does not."""
        if len(groups) != 1:
            return True
        group = self.group(category, groups[0])
        return group is None or group.counts

    def split(self, category: str, label: str) -> tuple[str, ...]:
        """Read an option's label as the names of the groups it lists; a known one is never split.

        Raises:
            ValueError: If it begins as a JSON list and is none.
        """
        labels = (label,) if self.known(category, label) else split_groups(label)
        return self.names(category, labels)

    def named(self, bank: Bank) -> Bank:
        """A bank with the names of groups for their keys.

        Cells that are empty take over the groups of the source where one of these was given
        another name here: the keys are the same in both languages.
        """
        return Bank(tuple(_with(row, self._named_cells(row)) for row in bank.variants))

    def keyed(self, bank: Bank) -> Bank:
        """A bank with the keys of groups for their names.

        Raises:
            CurateError: If two groups have one name, so that it is not known which is meant.
        """
        return Bank(
            tuple(
                _with(
                    row,
                    {
                        field: self.keys(row.category, getattr(row.texts, field))
                        for field in GROUP_FIELDS
                    },
                )
                for row in bank.variants
            )
        )

    def _named_cells(self, row: Variant) -> dict[str, tuple[str, ...]]:
        cells = {}
        for field in GROUP_FIELDS:
            own, source = getattr(row.texts, field), getattr(row.source_texts, field)
            if not own and self._renamed(row.category, source) and _takes_over(row):
                own = source
            cells[field] = self.names(row.category, own)
        return cells

    def _renamed(self, category: str, labels: Iterable[str]) -> bool:
        return any(self.name(category, label) != label for label in labels)


def _with(row: Variant, cells: dict[str, tuple[str, ...]]) -> Variant:
    same = all(getattr(row.texts, field) == groups for field, groups in cells.items())
    changed: dict[str, Any] = dict(cells)
    return row if same else replace(row, texts=replace(row.texts, **changed))


def _takes_over(row: Variant) -> bool:
    """Whether a row has texts, and leaves its groups neither out nor to the survey."""
    if row.label is Label.SAMPLE_REMOVED or not row.texts.has_body:
        return False
    try:
        return not is_open(row.texts.names, row.texts.words)
    except CurateError:  # lists that cannot be read are for the check to say
        return False
