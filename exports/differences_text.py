"""What changed, as Markdown for the readers of a release and as JSON for programs."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from curation.records.bank import split_variant
from curation.report.texts import environment
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
    templates, samples, test = (found.parts[name] for name in ("templates", "samples", "test"))
    whole, changed = _templates(found, templates)
    counts = [counted(rows, "template_id") for _, rows in samples.each] if samples else []
    template = environment(__package__).overlay(autoescape=False).get_template("changes.md.j2")
    text = template.render(
        found=found,
        kinds=KINDS,
        columns=CATEGORY_COLUMNS[1:],
        whole=whole,
        changed=changed,
        samples=samples,
        names=sorted({name for of in counts for name in of}),
        counts=counts,
        examples=list(samples.differing(_SHOWN)) if samples else (),
        test=test,
        steps=_STEPS,
        shown=_SHOWN,
        settings=list(settings(found)),
        line=_line,
        cell=_cell,
        some=_some,
        differing=_cells,
    )
    return f"{text.rstrip()}\n"


def _templates(
    found: Differences, changes: Changes | None
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Lines on templates: by kind on those that are new or gone, by id on those that changed."""
    whole: dict[str, dict[str, str]] = defaultdict(dict)
    lines: dict[str, list[str]] = defaultdict(list)
    if not changes:
        return {}, {}
    kinds = template_kinds(changes)
    for kind, rows in islice(changes.each, 2):
        for row in rows.to_pylist():
            (name, variant), why = (
                split_variant(row["id"]),
                _why(found, "templates", kind, row["id"]),
            )
            if kinds[name][1] == kind:
                said = f"- {name}: {_line(row.get('stereotype', ''))}"
                whole[kind].setdefault(name, said + (f" ({_line(why)})" if why else ""))
            elif kinds[name][1] == "changed":
                lines[name].append(f"- variant {variant} {kind}")
    # What changes alike in several variants is said once.
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key, cells in changes.differing():
        name, variant = split_variant(key)
        for column, (was, now) in cells.items():
            alike[name, f"{column}: {_change(was, now)}"].append(variant)
    for (name, text), variants in alike.items():
        lines[name].append(f"- {', '.join(variants)}: {text}")
    return {kind: list(whole[kind].values()) for kind in KINDS[:2]}, lines


def steps(found: Differences) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts beside templates, samples and settings that differ, with the rows' keys."""
    for name in _STEPS:
        changes = found.parts[name]
        if changes:
            yield name, [key for keys in changes.ids.values() for key in keys]


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
