"""What changed between two states of a benchmark: templates, samples, groups and settings.

Templates are few and are compared cell by cell. Samples may be a million: they are compared
column by column, so that no more than two columns of them are looked at at one time.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.records.frames import frame
from curation.records.ids import split_variant
from exports.states import Cells, State, state_of
from exports.zipping import opened

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Record:
    """A record that is there on one side only.

    Attributes:
        id: Its id.
        category: Its category.
        title: What it is about.
        reason: Why it is gone, where that is known.
    """

    id: str
    category: str
    title: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """A record that is there on both sides, and differs.

    Attributes:
        id: Its id.
        category: Its category now.
        columns: By column, the cell before and after.
    """

    id: str
    category: str
    columns: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RecordChanges:
    """What became of the records of a table."""

    added: tuple[Record, ...]
    removed: tuple[Record, ...]
    changed: tuple[Changed, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


@dataclass(frozen=True)
class SampleChanges:
    """What became of the samples.

    Attributes:
        before: How many there were.
        after: How many there are.
        added: By category, how many are new.
        removed: By category, how many are gone.
        changed: By category, how many differ.
        columns: By column, in how many samples it differs.
        templates: By id of a template, how many samples are new, gone and different.
        added_ids: Ids of the new samples, a `pyarrow.Array`.
        removed_ids: Ids of those that are gone.
        pairs: The samples that differ: before and after, row by row, two `pyarrow.Table`s.
    """

    before: int
    after: int
    added: Mapping[str, int]
    removed: Mapping[str, int]
    changed: Mapping[str, int]
    columns: Mapping[str, int]
    templates: Mapping[str, tuple[int, int, int]]
    added_ids: Any
    removed_ids: Any
    pairs: tuple[Any, Any]

    def __bool__(self) -> bool:
        return bool(len(self.added_ids) or len(self.removed_ids) or self.pairs[0].num_rows)

    def differing(self, limit: int | None = None) -> Iterator[Changed]:
        """Yield the samples that differ, in their order, at most so many."""
        first, second = (table.slice(0, limit).to_pydict() for table in self.pairs)
        for at, name in enumerate(second.get("sample_id", ())):
            columns = {
                column: (first[column][at], second[column][at])
                for column in second
                if first[column][at] != second[column][at]
            }
            category = second["category"][at] if "category" in second else ""
            yield Changed(name, category, columns)


@dataclass(frozen=True, slots=True)
class TestChanges:
    """Changes of the test set: ids that were added and removed."""

    before: int
    after: int
    added: tuple[str, ...]
    removed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


@dataclass(frozen=True, slots=True)
class CategoryChanges:
    """How many templates and samples of a category were added, removed and changed."""

    category: str
    templates_added: int
    templates_removed: int
    templates_changed: int
    samples_added: int
    samples_removed: int
    samples_changed: int


@dataclass(frozen=True)
class Differences:
    """What changed; parts that one side does not know are None.

    Attributes:
        before: Name of the first state.
        after: Name of the second.
        templates: The templates, variant by variant.
        samples: The samples.
        test: The test set.
        groups: The groups.
        settings: By key, the value before and after; nothing where a key is not there.
    """

    before: str
    after: str
    templates: RecordChanges | None
    samples: SampleChanges | None
    test: TestChanges | None
    groups: RecordChanges | None
    settings: Mapping[str, tuple[str | None, str | None]] | None

    def __bool__(self) -> bool:
        return any((self.templates, self.samples, self.test, self.groups, self.settings))

    @property
    def categories(self) -> tuple[CategoryChanges, ...]:
        """What changed by category, the sum of all last.

        A template counts once, whatever becomes of its variants: as changed where some stay.
        """
        counts: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
        for category, place in template_kinds(self.templates).values():
            counts[category][place] += 1
        if self.samples is not None:
            of_samples = self.samples.added, self.samples.removed, self.samples.changed
            for place, of in enumerate(of_samples, start=3):
                for category, count in of.items():
                    counts[category][place] += count
        total = [sum(row[at] for row in counts.values()) for at in range(6)]
        rows = [(category, counts[category]) for category in sorted(counts)]
        return tuple(CategoryChanges(name, *row) for name, row in [*rows, ("Total", total)])

    def to_frame(self) -> "pd.DataFrame":
        """The changes by category, the total last: category as text, counts as int64."""
        numbers = dict.fromkeys(CategoryChanges.__slots__[1:], "int64")
        return frame(self.categories, CategoryChanges, **numbers)

    @property
    def unknown(self) -> list[str]:
        """What could not be compared, as one side does not hold it."""
        parts = ("templates", "samples", "test", "groups", "settings")
        return [name for name in parts if getattr(self, name) is None]


def diff(before: Path, after: Path) -> Differences:
    """Find what changed between two states of a benchmark.

    Args:
        before: A package (a folder or ZIP file), a workspace, or a folder of exported samples, of
            the exported bank, or as it is put on the hub.
        after: The other state, in one of the same forms.

    Raises:
        CurateError: If one of them holds nothing that can be compared, or cannot be read.
    """
    with opened(before) as first, opened(after) as second:
        return compare(state_of(first, before), state_of(second, after))


def compare(before: State, after: State) -> Differences:
    """Find what changed between two states of a benchmark."""
    return Differences(
        before=before.name,
        after=after.name,
        templates=_templates(before, after),
        samples=None
        if before.samples is None or after.samples is None
        else compare_samples(before.samples, after.samples),
        test=_test(before.test, after.test),
        groups=None
        if before.groups is None or after.groups is None
        else _records(before.groups, after.groups, "group"),
        settings=_settings(before.settings, after.settings),
    )


def template_kinds(changes: RecordChanges | None) -> dict[str, tuple[str, int]]:
    """The category of each template, and whether it was added, removed or changed: 0, 1, 2."""
    kinds: dict[str, tuple[str, set[int]]] = {}
    tables: tuple[Sequence[Record | Changed], ...] = ()
    if changes is not None:
        tables = (changes.added, changes.removed, changes.changed)
    for place, members in enumerate(tables):
        for item in members:
            template = split_variant(item.id)[0]
            kinds.setdefault(template, (item.category, set()))[1].add(place)
    return {
        name: (category, places.pop() if len(places) == 1 else 2)
        for name, (category, places) in kinds.items()
    }


def _templates(before: State, after: State) -> RecordChanges | None:
    if before.templates is None or after.templates is None:
        return None
    found = _records(before.templates, after.templates, "stereotype")
    statuses = after.statuses or {}
    removed = []
    for item in found.removed:
        template = before.templates[item.id]["template_id"]
        status, reason = statuses.get(template, ("", ""))
        why = f"{status}: {reason}" if status else "no longer in the bank" if statuses else ""
        removed.append(Record(item.id, item.category, item.title, why))
    return RecordChanges(found.added, tuple(removed), found.changed)


def _records(before: Mapping[str, Cells], after: Mapping[str, Cells], title: str) -> RecordChanges:
    def record(name: str, cells: Cells) -> Record:
        return Record(name, cells.get("category", ""), cells.get(title, ""))

    changed = []
    for name, now in after.items():
        if name in before:
            was = before[name]
            columns = {
                column: (was.get(column, ""), now.get(column, ""))
                for column in dict.fromkeys((*now, *was))
                if was.get(column, "") != now.get(column, "")
            }
            if columns:
                changed.append(Changed(name, now.get("category", ""), columns))
    return RecordChanges(
        added=tuple(record(name, now) for name, now in after.items() if name not in before),
        removed=tuple(record(name, was) for name, was in before.items() if name not in after),
        changed=tuple(changed),
    )


def _test(before: Sequence[str] | None, after: Sequence[str] | None) -> TestChanges | None:
    if before is None or after is None:
        return None
    was, now = frozenset(before), frozenset(after)
    return TestChanges(
        before=len(before),
        after=len(after),
        added=tuple(name for name in after if name not in was),
        removed=tuple(name for name in before if name not in now),
    )


def _settings(
    before: Mapping[str, str] | None, after: Mapping[str, str] | None
) -> dict[str, tuple[str | None, str | None]] | None:
    if before is None or after is None:
        return None
    keys = dict.fromkeys((*before, *after))
    return {
        key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)
    }


def compare_samples(before: Any, after: Any) -> SampleChanges:
    """Find what became of samples.

    Args:
        before: A `pyarrow.Table` of texts, `sample_id` among its columns, each once.
        after: Another one; columns that only one of them has are not compared.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    first, second = (table.column("sample_id").combine_chunks() for table in (before, after))
    place = pc.index_in(second, value_set=first)
    new = pc.is_null(place)
    gone = pc.is_null(pc.index_in(first, value_set=second))
    here = pc.indices_nonzero(pc.invert(new))
    there = place.filter(pc.invert(new))
    names = [name for name in after.column_names if name in before.column_names]
    differs = pa.repeat(False, len(here))
    columns: dict[str, int] = {}
    for name in names:
        if name == "sample_id":
            continue
        one, two = before.column(name).take(there), after.column(name).take(here)
        other = pc.not_equal(one, two).combine_chunks()
        count = pc.sum(other).as_py() or 0
        if count:
            columns[name] = count
            differs = pc.or_(differs, other)
    changed_then, changed_now = there.filter(differs), here.filter(differs)
    pairs = (before.select(names).take(changed_then), after.select(names).take(changed_now))
    added, removed = after.filter(new), before.filter(gone)
    return SampleChanges(
        before=before.num_rows,
        after=after.num_rows,
        added=_counts(added, "category"),
        removed=_counts(removed, "category"),
        changed=_counts(pairs[1], "category"),
        columns=columns,
        templates=_by_template(added, removed, pairs[1]),
        added_ids=added.column("sample_id").combine_chunks(),
        removed_ids=removed.column("sample_id").combine_chunks(),
        pairs=pairs,
    )


def _by_template(*tables: Any) -> dict[str, tuple[int, int, int]]:
    found = [_counts(table, "template_id") for table in tables]
    names = sorted({name for counts in found for name in counts})
    added, removed, changed = found
    return {
        name: (added.get(name, 0), removed.get(name, 0), changed.get(name, 0)) for name in names
    }


def _counts(table: Any, column: str) -> dict[str, int]:
    import pyarrow.compute as pc

    if column not in table.column_names:
        return {"": table.num_rows} if table.num_rows else {}
    counted: Counter[str] = Counter()
    for item in pc.value_counts(table.column(column)).to_pylist():
        counted[item["values"]] += item["counts"]
    return dict(sorted(counted.items()))
