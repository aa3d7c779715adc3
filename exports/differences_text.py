"""What changed, as Markdown for the readers of a release and as JSON for programs."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from curation.records.bank import split_variant
from exports.differences import (
    CATEGORY_COLUMNS,
    KINDS,
    Cells,
    Changes,
    Differences,
    counted,
    template_kinds,
)

_SHOWN = 20
_LONG = 400
_WHOLE, _AROUND = 60, 15
"""Longer cells are shown in part, with so many characters around what differs."""
_STEPS = {"groups": "group", "sources": "sha256", "votes": "stereotype", "decisions": "outcome"}
_TITLES = {"templates": "stereotype", **_STEPS}
"""By part the column that says what a row is about."""


def as_dict(found: Differences) -> dict[str, object]:
    """Everything as JSON holds it."""
    samples, test = found.parts["samples"], found.parts["test"]
    known: dict[str, object] = dict.fromkeys(("templates", "samples", "test_set", *_STEPS))
    if samples is not None:
        sizes = {"before": samples.before, "after": samples.after, "columns": samples.columns}
        known["samples"] = {**sizes, **_ids(samples), "changed": _changed(samples)}
    if test is not None:
        known["test_set"] = {"before": test.before, "after": test.after, **_ids(test)}
    for part, title in _TITLES.items():
        changes = found.parts[part]
        if changes is not None:
            told = {
                kind: [
                    {
                        "id": row["id"],
                        "category": row.get("category", ""),
                        "title": row.get(title, ""),
                        "reason": _why(found, part, kind, row["id"]),
                    }
                    for row in rows.to_pylist()
                ]
                for kind, rows in islice(changes.each, 2)
            }
            known[part] = {**told, "changed": _changed(changes)}
    return {
        "before": found.before,
        "after": found.after,
        "same": not found,
        "not_compared": found.unknown,
        "categories": found.categories,
        **known,
        "settings": None
        if found.parts["settings"] is None
        else [{"key": key, "before": was, "after": now} for key, was, now in settings(found)],
    }


def _ids(changes: Changes) -> dict[str, list[str]]:
    return {kind: changes.ids[kind] for kind in KINDS[:2]}


def _changed(changes: Changes) -> list[dict[str, object]]:
    named = changes.pairs[1].to_pylist()
    return [
        {"id": key, "category": row.get("category", ""), "columns": cells}
        for row, (key, cells) in zip(named, changes.differing(), strict=True)
    ]


def _why(found: Differences, part: str, kind: str, name: str) -> str:
    return found.why(name) if (part, kind) == ("templates", "removed") else ""


def settings(found: Differences) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the settings that differ: key, value before and after, None where it is not there."""
    changes = found.parts["settings"]
    if changes is None:
        return
    for row in changes.removed.to_pylist():
        yield row["key"], row["value"], None
    for row in changes.added.to_pylist():
        yield row["key"], None, row["value"]
    for key, cells in changes.differing():
        yield key, *cells["value"]


def markdown(found: Differences) -> str:
    """Write the data changelog."""
    return "\n".join(_lines(found)).rstrip() + "\n"


def _lines(found: Differences) -> Iterator[str]:
    yield f"# Changes from {_line(found.before)} to {_line(found.after)}\n"
    if not found:
        yield "Nothing changed in what could be compared.\n"
    else:
        yield f"| Category | Templates {' | '.join(KINDS)} | Samples {' | '.join(KINDS)} |"
        yield "|---|--:|--:|--:|--:|--:|--:|"
        for row in found.categories:
            counts = " | ".join(f"{row[name]:,}" for name in CATEGORY_COLUMNS[1:])
            yield f"| {_line(row['category'])} | {counts} |"
        yield ""
    if found.unknown:
        yield f"Not compared, as one side does not hold it: {', '.join(found.unknown)}.\n"
    yield from _templates(found)
    yield from _samples(found)
    for name in _STEPS:
        yield from _step(name, found.parts[name])
    if found.parts["settings"]:
        yield "## Settings\n"
        for key, was, now in settings(found):
            yield f"- `{key}`: {_cell(was)} → {_cell(now)}"
        yield ""


def _templates(found: Differences) -> Iterator[str]:
    changes = found.parts["templates"]
    if not changes:
        return
    kinds = template_kinds(changes)
    for kind, rows in islice(changes.each, 2):
        shown: dict[str, str] = {}
        for row in rows.to_pylist():
            name, why = split_variant(row["id"])[0], _why(found, "templates", kind, row["id"])
            if kinds[name][1] == kind:
                said = f"- {name}: {_line(row.get('stereotype', ''))}"
                shown.setdefault(name, said + (f" ({_line(why)})" if why else ""))
        if shown:
            yield f"## Templates {kind}\n"
            yield from shown.values()
            yield ""
    if any(kind == "changed" for _, kind in kinds.values()):
        yield "## Templates changed\n"
        yield from _changed_templates(changes, kinds)


def _changed_templates(changes: Changes, kinds: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    lines: dict[str, list[str]] = defaultdict(list)
    for kind in KINDS[:2]:
        for name, variant in map(split_variant, changes.ids[kind]):
            if kinds[name][1] == "changed":
                lines[name].append(f"- variant {variant} {kind}")
    # What changes alike in several variants is said once.
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key, cells in changes.differing():
        name, variant = split_variant(key)
        for column, (was, now) in cells.items():
            alike[name, f"{column}: {_change(was, now)}"].append(variant)
    for (name, text), variants in alike.items():
        lines[name].append(f"- {', '.join(variants)}: {text}")
    for name in sorted(lines):
        yield f"### {name}\n"
        yield from lines[name]
        yield ""


def _samples(found: Differences) -> Iterator[str]:
    samples, test = found.parts["samples"], found.parts["test"]
    if samples:
        yield f"## Samples\n\n{samples.before:,} before, {samples.after:,} now.\n"
        if samples.columns:
            counts = (f"`{name}` in {count:,}" for name, count in samples.columns.items())
            yield f"Columns that differ: {', '.join(counts)}.\n"
        yield "| Template | added | removed | changed |"
        yield "|---|--:|--:|--:|"
        of = [counted(rows, "template_id") for _, rows in samples.each]
        for name in sorted({name for counts in of for name in counts}):
            yield f"| {name} | {' | '.join(f'{counts.get(name, 0):,}' for counts in of)} |"
        yield ""
        yield from _examples(samples)
    if test:
        yield f"## Test set\n\n{test.before:,} samples before, {test.after:,} now.\n"
        for kind in KINDS[:2]:
            if names := test.ids[kind]:
                yield f"- {kind.capitalize()}: {_some(names)}"
        yield ""


def _examples(samples: Changes) -> Iterator[str]:
    shown, every = list(samples.differing(_SHOWN)), samples.pairs[0].num_rows
    if shown:
        some = f"The first {len(shown)} of {every:,} that changed"
        first = some if every > len(shown) else "Changed"
        yield f"{first} (only the part of a text that differs):\n"
        yield from (f"- {key}: {_cells(cells)}" for key, cells in shown)
        yield ""


def steps(found: Differences) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts beside templates, samples and settings that differ, with the rows' keys."""
    for name in _STEPS:
        changes = found.parts[name]
        if changes:
            yield name, [key for keys in changes.ids.values() for key in keys]


def _step(name: str, changes: Changes | None) -> Iterator[str]:
    if not changes:
        return
    yield f"## {name.capitalize()}\n"
    for kind in KINDS[:2]:
        if names := changes.ids[kind]:
            yield f"- {kind.capitalize()}: {_some(names)}"
    every = changes.pairs[0].num_rows
    yield from (f"- {_line(key)}: {_cells(cells)}" for key, cells in changes.differing(_SHOWN))
    yield f"- and {every - _SHOWN:,} more\n" if every > _SHOWN else ""


def _cells(cells: Cells) -> str:
    return "; ".join(f"{name}: {_change(was, now)}" for name, (was, now) in cells.items())


def _some(names: Sequence[str]) -> str:
    more = f", and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(_line(name) for name in names[:_SHOWN]) + more


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
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _line(text: str) -> str:
    return " ".join(str(text).replace("\x1f", " | ").split())
