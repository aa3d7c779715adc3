"""What changed, as Markdown for the readers of a release and as JSON for programs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from curation.publish.changes import Changed, Differences, Record, RecordChanges, SampleChanges

_SHOWN = 20
_LONG = 400
_WHOLE, _AROUND = 60, 15
"""Longer cells are shown in part, with so many signs around what differs."""


def categories(differences: Differences) -> list[tuple[str, tuple[int, ...]]]:
    """Count by category, with the sum of all: added, removed and changed templates and samples.

    A template counts once, whatever becomes of its variants: as changed where some stay.
    """
    counts: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
    templates = differences.templates
    if templates is not None:
        for name, (category, place) in _template_kinds(templates).items():
            del name
            counts[category][place] += 1
    samples = differences.samples
    if samples is not None:
        for place, of in enumerate((samples.added, samples.removed, samples.changed), start=3):
            for category, count in of.items():
                counts[category][place] += count
    rows = [(category, tuple(counts[category])) for category in sorted(counts)]
    total = tuple(sum(row[at] for _, row in rows) for at in range(6))
    return [*rows, ("Total", total)]


def _template_kinds(changes: RecordChanges) -> dict[str, tuple[str, int]]:
    """Say of each template whether it is new, gone or changed: 0, 1, 2."""
    kinds: dict[str, tuple[str, set[int]]] = {}
    tables: tuple[Sequence[Record | Changed], ...] = (
        *(changes.added, changes.removed),
        changes.changed,
    )
    for place, members in enumerate(tables):
        for item in members:
            kinds.setdefault(item.id[:-1], (item.category, set()))[1].add(place)
    return {
        name: (category, places.pop() if len(places) == 1 else 2)
        for name, (category, places) in kinds.items()
    }


def as_dict(differences: Differences) -> dict[str, object]:
    """Give everything as JSON holds it."""
    samples, test = differences.samples, differences.test
    return {
        "before": differences.before,
        "after": differences.after,
        "same": not differences,
        "not_compared": differences.unknown,
        "categories": [
            {
                "category": category,
                **{
                    f"{what}_{how}": row[at * 3 + number]
                    for at, what in enumerate(("templates", "samples"))
                    for number, how in enumerate(("added", "removed", "changed"))
                },
            }
            for category, row in categories(differences)
        ],
        "templates": _records_dict(differences.templates),
        "samples": None if samples is None else _samples_dict(samples),
        "test_set": None
        if test is None
        else {
            "before": test.before,
            "after": test.after,
            "added": list(test.added),
            "removed": list(test.removed),
        },
        "groups": _records_dict(differences.groups),
        "settings": None
        if differences.settings is None
        else [
            {"key": key, "before": was, "after": now}
            for key, (was, now) in differences.settings.items()
        ],
    }


def _records_dict(changes: RecordChanges | None) -> dict[str, object] | None:
    if changes is None:
        return None
    return {
        "added": [_record(item) for item in changes.added],
        "removed": [_record(item) for item in changes.removed],
        "changed": [_changed(item) for item in changes.changed],
    }


def _record(item: Record) -> dict[str, str]:
    found = {"id": item.id, "category": item.category, "title": item.title}
    return {**found, "reason": item.reason} if item.reason else found


def _changed(item: Changed) -> dict[str, object]:
    columns = {name: list(cells) for name, cells in item.columns.items()}
    return {"id": item.id, "category": item.category, "columns": columns}


def _samples_dict(samples: SampleChanges) -> dict[str, object]:
    return {
        "before": samples.before,
        "after": samples.after,
        "columns": dict(samples.columns),
        "added": samples.added_ids.to_pylist(),
        "removed": samples.removed_ids.to_pylist(),
        "changed": [_changed(item) for item in samples.differing()],
    }


def markdown(differences: Differences) -> str:
    """Write the data changelog."""
    return "\n".join(_lines(differences)).rstrip() + "\n"


def _lines(differences: Differences) -> Iterator[str]:
    yield f"# Changes from {_line(differences.before)} to {_line(differences.after)}"
    yield ""
    if not differences:
        yield "Nothing changed in what could be compared."
        yield ""
    else:
        yield from _summary(differences)
    if differences.unknown:
        yield f"Not compared, as one side does not hold it: {', '.join(differences.unknown)}."
        yield ""
    yield from _templates(differences.templates)
    yield from _samples(differences)
    yield from _groups(differences.groups)
    if differences.settings:
        yield "## Settings"
        yield ""
        for key, (was, now) in differences.settings.items():
            yield f"- `{key}`: {_cell(was)} → {_cell(now)}"
        yield ""


def _summary(differences: Differences) -> Iterator[str]:
    yield "| Category | Templates added | removed | changed | Samples added | removed | changed |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for category, row in categories(differences):
        yield f"| {_line(category)} | {' | '.join(f'{count:,}' for count in row)} |"
    yield ""


def _templates(changes: RecordChanges | None) -> Iterator[str]:
    if not changes:
        return
    kinds = _template_kinds(changes)
    for title, members, place in (
        ("Templates added", changes.added, 0),
        ("Templates removed", changes.removed, 1),
    ):
        shown = {
            item.id[:-1]: item for item in reversed(members) if kinds[item.id[:-1]][1] == place
        }
        if shown:
            yield f"## {title}"
            yield ""
            for name, item in reversed(shown.items()):
                why = f" ({_line(item.reason)})" if item.reason else ""
                yield f"- {name}: {_line(item.title)}{why}"
            yield ""
    if 2 in (place for _, place in kinds.values()):
        yield "## Templates changed"
        yield ""
        yield from _changed_templates(changes, kinds)


def _changed_templates(
    changes: RecordChanges, kinds: Mapping[str, tuple[str, int]]
) -> Iterator[str]:
    lines: dict[str, list[str]] = defaultdict(list)
    for what, members in (("added", changes.added), ("removed", changes.removed)):
        for item in members:
            if kinds[item.id[:-1]][1] == 2:
                lines[item.id[:-1]].append(f"- variant {item.id[-1]} {what}")
    # What changes alike in several variants is said once.
    for changed in changes.changed:
        for column, (was, now) in changed.columns.items():
            text = f"{column}: {_change(was, now)}"
            lines[changed.id[:-1]].append(f"- {changed.id[-1]} {text}")
    for name in sorted(lines):
        yield f"### {name}"
        yield ""
        yield from _joined(lines[name])
        yield ""


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Join the lines of variants that say the same."""
    letters: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("- variant "):
            yield line
        else:
            letters.setdefault(line[4:], []).append(line[2])
    for text, of in letters.items():
        yield f"- {', '.join(of)}: {text}"


def _samples(differences: Differences) -> Iterator[str]:
    samples, test = differences.samples, differences.test
    if samples:
        yield "## Samples"
        yield ""
        yield f"{samples.before:,} before, {samples.after:,} now."
        yield ""
        if samples.columns:
            counts = (f"`{name}` in {count:,}" for name, count in samples.columns.items())
            yield f"Columns that differ: {', '.join(counts)}."
            yield ""
        yield "| Template | added | removed | changed |"
        yield "|---|--:|--:|--:|"
        for name, row in samples.templates.items():
            yield f"| {name} | {' | '.join(f'{count:,}' for count in row)} |"
        yield ""
        yield from _examples(samples)
    if test:
        yield "## Test set"
        yield ""
        yield f"{test.before:,} samples before, {test.after:,} now."
        yield ""
        for what, names in (("Added", test.added), ("Removed", test.removed)):
            if names:
                yield f"- {what}: {_some(names)}"
        yield ""


def _examples(samples: SampleChanges) -> Iterator[str]:
    shown = list(samples.differing(_SHOWN))
    if not shown:
        return
    every = samples.pairs[0].num_rows
    first = f"The first {len(shown)} of {every:,} that changed" if every > len(shown) else "Changed"
    yield f"{first} (only the part of a text that differs):"
    yield ""
    for item in shown:
        yield f"- {item.id}: {_cells(item)}"
    yield ""


def _groups(changes: RecordChanges | None) -> Iterator[str]:
    if not changes:
        return
    yield "## Groups"
    yield ""
    for what, members in (("Added", changes.added), ("Removed", changes.removed)):
        if members:
            yield f"- {what}: {_some([f'{item.category}: {item.title}' for item in members])}"
    for changed in changes.changed:
        yield f"- {_line(changed.id)}: {_cells(changed)}"
    yield ""


def _cells(item: Changed) -> str:
    cells = (f"{name}: {_change(was, now)}" for name, (was, now) in item.columns.items())
    return "; ".join(cells)


def _some(names: Sequence[str] | Iterable[str]) -> str:
    listed = list(names)
    more = f", and {len(listed) - _SHOWN:,} more" if len(listed) > _SHOWN else ""
    return ", ".join(_line(name) for name in listed[:_SHOWN]) + more


def _change(was: str, now: str) -> str:
    """Show two cells; of long ones only the part that differs, and what is around it."""
    if was and now and max(len(was), len(now)) > _WHOLE:
        shortest = min(len(was), len(now))
        start = next((at for at in range(shortest) if was[at] != now[at]), shortest)
        end = next((at for at in range(shortest - start) if was[-1 - at] != now[-1 - at]), None)
        same = shortest - start if end is None else end
        was, now = (_part(text, start - _AROUND, len(text) - same + _AROUND) for text in (was, now))
    return f"{_cell(was)} → {_cell(now)}"


def _part(text: str, start: int, end: int) -> str:
    before = "…" if start > 0 else ""
    return f"{before}{text[max(start, 0) : end]}{'…' if end < len(text) else ''}"


def _cell(value: str | None) -> str:
    """Show a cell as code, so that nothing in it is Markdown."""
    if value is None or not value:
        return "(nothing)"
    text = _line(value) if len(value) <= _LONG else f"{_line(value[:_LONG])}…"
    fence = "`" * (1 + max((len(run) for run in _runs(text)), default=0))
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _runs(text: str) -> Iterator[str]:
    import re

    return (match[0] for match in re.finditer("`+", text))


def _line(text: str) -> str:
    return " ".join(str(text).replace("\x1f", " | ").split())


def summary_rows(differences: Differences) -> tuple[Sequence[str], list[Sequence[Any]]]:
    """Give header and rows of the summary for the terminal."""
    header = ("Category", "templates +", "-", "changed", "samples +", "-", "changed")
    return header, [(category, *row) for category, row in categories(differences)]
