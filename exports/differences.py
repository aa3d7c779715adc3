"""What changed between two states of a benchmark: templates, samples, test set, groups, settings.

Every part is a table of texts, whose first column is the key of its rows. Samples may be a million:
tables are compared column by column, so that no more than two columns are looked at at one time.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.records.ids import split_variant
from exports.states import PARTS, State, state_of
from exports.zipping import opened

if TYPE_CHECKING:
    import pandas as pd

Cells = dict[str, tuple[str, str]]
"""By column that differs the cell before and after."""
KINDS = ("added", "removed", "changed")
CATEGORY_COLUMNS = (
    "category",
    *(f"{of}_{kind}" for of in ("templates", "samples") for kind in KINDS),
)
"""Of a category, how many templates and samples were added, removed and changed."""


@dataclass(frozen=True)
class Changes:
    """What became of the rows of a part.

    Attributes:
        before: How many rows there were.
        after: How many there are.
        added: The rows that are new, a `pyarrow.Table`.
        removed: Those that are gone.
        pairs: The rows that differ: before and after, row by row, two tables.
        columns: By column, in how many rows it differs.
        stay: The keys that are there before and after; of samples none are kept.
    """

    before: int
    after: int
    added: Any
    removed: Any
    pairs: tuple[Any, Any]
    columns: Mapping[str, int]
    stay: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.added.num_rows or self.removed.num_rows or self.pairs[0].num_rows)

    @property
    def each(self) -> Iterator[tuple[str, Any]]:
        """Each of `KINDS` with its rows; those that differ as they are now."""
        yield from zip(KINDS, (self.added, self.removed, self.pairs[1]), strict=True)

    @property
    def ids(self) -> dict[str, list[str]]:
        """By kind the keys of its rows."""
        return {kind: rows.column(0).to_pylist() for kind, rows in self.each}

    def differing(self, limit: int | None = None) -> Iterator[tuple[str, Cells]]:
        """Yield the rows that differ in their order, at most so many: key, and what differs."""
        then, now = (table.slice(0, limit).to_pylist() for table in self.pairs)
        for was, is_now in zip(then, now, strict=True):
            key = next(iter(is_now.values()))
            differ = (name for name in is_now if was[name] != is_now[name])
            yield key, {name: (was[name], is_now[name]) for name in differ}


@dataclass(frozen=True)
class Differences:
    """What changed.

    Attributes:
        before: Name of the first state.
        after: Name of the second.
        parts: Each of `PARTS`; None where one side does not know it.
        statuses: By id of a template where it stands now and why; None where not known.
    """

    before: str
    after: str
    parts: Mapping[str, Changes | None]
    statuses: Mapping[str, tuple[str, str]] | None

    def __bool__(self) -> bool:
        return any(self.parts.values())

    @property
    def unknown(self) -> list[str]:
        """What could not be compared, as one side does not hold it."""
        return [name for name, found in self.parts.items() if found is None]

    @property
    def categories(self) -> list[dict[str, Any]]:
        """What changed by category, with `CATEGORY_COLUMNS`; the sum of all last.

        A template counts once, whatever becomes of its variants: as changed where some stay.
        """
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for category, kind in template_kinds(self.parts["templates"]).values():
            counts[category][f"templates_{kind}"] += 1
        samples = self.parts["samples"]
        for kind, rows in samples.each if samples is not None else ():
            for category, count in counted(rows, "category").items():
                counts[category][f"samples_{kind}"] += count
        total = sum(counts.values(), Counter[str]())
        return [
            {"category": name, **{column: row[column] for column in CATEGORY_COLUMNS[1:]}}
            for name, row in [*sorted(counts.items()), ("Total", total)]
        ]

    def to_frame(self) -> "pd.DataFrame":
        """The changes by category, the total last: category as text, counts as int64."""
        import pandas as pd

        return pd.DataFrame(self.categories, columns=list(CATEGORY_COLUMNS))

    def why(self, variant: str) -> str:
        """Why a variant is gone, where that is known."""
        status, reason = (self.statuses or {}).get(split_variant(variant)[0], ("", ""))
        if status:
            return f"{status}: {reason}"
        return "no longer in the bank" if self.statuses else ""


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
    both = {name: (before.parts.get(name), after.parts.get(name)) for name in PARTS}
    parts = {
        name: None if one is None or two is None else changes(one, two, shared=name == "samples")
        for name, (one, two) in both.items()
    }
    return Differences(before.name, after.name, parts, after.statuses)


def changes(before: Any, after: Any, *, shared: bool = True) -> Changes:
    """Find what became of the rows of a table.

    Args:
        before: A `pyarrow.Table` of texts, each key of its first column once.
        after: Another one.
        shared: Whether columns that only one of them has are left out, or are empty in the other.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if not shared:
        before, after = _filled(before, after.column_names), _filled(after, before.column_names)
    first, second = (table.column(0).combine_chunks() for table in (before, after))
    place = pc.index_in(second, value_set=first)
    new = pc.is_null(place)
    gone = pc.is_null(pc.index_in(first, value_set=second))
    here = pc.indices_nonzero(pc.invert(new))
    there = place.filter(pc.invert(new))
    names = [name for name in after.column_names if name in before.column_names]
    differs = pa.repeat(False, len(here))
    columns: dict[str, int] = {}
    for name in names[1:]:
        one, two = before.column(name).take(there), after.column(name).take(here)
        other = pc.not_equal(one, two).combine_chunks()
        if count := pc.sum(other).as_py() or 0:
            columns[name] = count
            differs = pc.or_(differs, other)
    pairs = (
        before.select(names).take(there.filter(differs)),
        after.select(names).take(here.filter(differs)),
    )
    added, removed = after.filter(new), before.filter(gone)
    stay = () if shared else second.take(here).to_pylist()
    return Changes(before.num_rows, after.num_rows, added, removed, pairs, columns, stay)


def _filled(table: Any, names: list[str]) -> Any:
    """A table with empty columns for those that it lacks."""
    import pyarrow as pa

    for name in names:
        if name not in table.column_names:
            table = table.append_column(name, pa.repeat("", table.num_rows))
    return table


def counted(table: Any, column: str) -> dict[str, int]:
    """How many rows have each value of a column, in order; all of them "" where it is lacking."""
    if column not in table.column_names:
        return {"": table.num_rows} if table.num_rows else {}
    found = table.column(column).value_counts().to_pylist()
    return dict(sorted((item["values"], item["counts"]) for item in found))


def template_kinds(found: Changes | None) -> dict[str, tuple[str, str]]:
    """The category of each template, and which of `KINDS` it is."""
    kinds: dict[str, tuple[str, set[str]]] = {}
    stay = {split_variant(name)[0] for name in found.stay} if found is not None else set()
    for kind, rows in found.each if found is not None else ():
        for row in rows.to_pylist():
            template = split_variant(row["id"])[0]
            kinds.setdefault(template, (row.get("category", ""), set()))[1].add(kind)
    return {
        name: (category, of.pop() if len(of) == 1 and name not in stay else "changed")
        for name, (category, of) in kinds.items()
    }
