"""What changed between two states of a benchmark: from its templates to votes and decisions.

It is told as Markdown for the readers of a release and as JSON for programs. Every part is a table
of texts, whose first column is the key of its rows. Samples may be a million:
tables are compared column by column, so that no more than two columns are looked at at one time.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from curation.files.bank import GROUP_COLUMNS, bank_columns, bank_rows
from curation.files.jsonl import stream, text_list
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.sources import read_hashes
from curation.files.tables import json_list, read_table, unescape_formula
from curation.files.workspace import Workspace
from curation.files.writers import DELIMITERS
from curation.records.bank import split_variant
from curation.records.messages import CurateError, Results, printable, refusal
from curation.records.sample import SAMPLE_COLUMNS
from curation.records.survey import current
from curation.report.texts import filled, same_start
from exports import recipe_file as recipes
from exports.card.facts import STATUS_COLUMNS
from exports.edition import Edition, open_edition
from exports.folders import opened
from exports.releases import WORKSPACE
from survey.outcomes import status_rows

if TYPE_CHECKING:
    pass


PARTS = ("templates", "samples", "test", "groups", "settings", "sources", "votes", "decisions")
"""The parts of a state that are compared."""


@dataclass(frozen=True)
class Snapshot:
    """One state of a benchmark, as far as it is known.

    Attributes:
        name: What messages call it: its version where it has one, else its path.
        parts: Of `PARTS` those that are known, each a `pyarrow.Table` of texts whose first column
            is the key: the variants of the templates that are left, the samples, those of the test
            set (`sample_id` alone), the groups, the settings by key with points, the hashes of
            imported files, the votes of the survey, and the decisions that stand.
        statuses: By id of a template, where it stands and why; None where not known.
    """

    name: str
    parts: Mapping[str, Any]
    statuses: Mapping[str, tuple[str, str]] | None = None


_FORMATS = ("parquet", "jsonl", "csv", "tsv")
_SAMPLES = ("samples", "all", "all_samples")
_TEST = ("test_samples", "test")
_AGAIN = "export it again"
_AT_A_TIME = 20_000
_CHOICE = "\x1f"
_LIST = "choices"
_AT = SAMPLE_COLUMNS.index(_LIST)
_DECIDED = ("outcome", "reason", "k", "n", "value", "threshold", "near")
"""What a decision says, whoever decided and when."""
_COUNTED = ("category", "stereotype", "votes", "respondents")
"""What a count says of an option, whatever its groups are called now."""
_STEPS = ("settings", "sources", "votes", "decisions")
_NO_SETTINGS = ("release", "translation", "questionnaire")
"""Parts of the settings that say nothing of how the benchmark came about."""


def _state_at(path: Path) -> Snapshot:
    """Read a recipe, a folder, or a ZIP file."""
    if path.suffix in recipes.RECIPES:
        return _recipe_state(path)
    with opened(path) as folder:
        return state_of(folder, path)


def state_of(folder: Path, given: Path) -> Snapshot:
    """Read a side.

    Args:
        folder: The folder; the one that a ZIP file was unpacked to.
        given: What was named on the command line, for messages.

    Raises:
        CurateError: If nothing that can be compared is there, or it cannot be read.
    """
    if (folder / "culture.yaml").exists():
        return edition_state(open_edition(Workspace(folder), roles_open=True))
    if (folder / WORKSPACE / "culture.yaml").exists():
        return _package_state(folder)
    return _export_state(folder, given)


def edition_state(edition: Edition) -> Snapshot:
    """The state of an edition.

    Raises:
        CurateError: If a template cannot be filled.
    """
    test = ((sample.sample_id,) for sample in edition.samples(edition.seed))
    every = ([*row[:_AT], _CHOICE.join(row.choices), *row[_AT + 1 :]] for row in edition.samples())
    made = {"samples": _of_cells(SAMPLE_COLUMNS, every), "test": _of_cells(("sample_id",), test)}
    return _of_workspace(edition, made)


def _package_state(folder: Path) -> Snapshot:
    """Read a package: its samples as they were published, the rest from its workspace."""
    if (folder / MANIFEST).exists():
        read_manifest(folder)  # refuses what a later version has written
    return _of_workspace(open_edition(Workspace(folder / WORKSPACE)), _samples_in(folder))


def _of_workspace(edition: Edition, made: Mapping[str, Any]) -> Snapshot:
    """The state of a workspace, with its samples."""
    workspace, final = edition.workspace, edition.final
    rows = zip(final.bank.variants, bank_rows(final.bank), strict=True)
    templates = ([str(variant.id), *row] for variant, row in rows)
    groups = (
        [f"{item.category}: {item.group}", *(str(getattr(item, name)) for name in GROUP_COLUMNS)]
        for item in workspace.groups
    )
    culture = workspace.culture
    moved = {old: ("moved", f"it is {new} now") for old, new in workspace.renamed.items()}
    status = status_rows(final.outcomes, final.modified)
    return Snapshot(
        name=f"{culture.release.title or culture.culture} {culture.version}",
        parts={
            "templates": _of_cells(("id", *bank_columns(final.bank)), templates),
            "groups": _of_cells(("id", *GROUP_COLUMNS), groups),
            **_steps(workspace),
            **made,
        },
        statuses=moved | {row[0]: (row[5], row[7]) for row in status},
    )


def _steps(workspace: Workspace) -> dict[str, Any]:
    """How a benchmark came about, as far as it is not in its templates and groups."""
    known = workspace.culture.model_dump(exclude=set(_NO_SETTINGS))
    hashes = read_hashes(workspace.sources_folder)
    counted = workspace.tallies_file
    votes = (
        [f"{row['question_id']}, option {row['option']}", *(row[name] for name in _COUNTED)]
        for row in (read_table(counted, required=_COUNTED).rows if counted.exists() else ())
    )
    decisions = (
        [f"{item.subject}: {item.rule}", *(_cell(getattr(item, name)) for name in _DECIDED)]
        for item in current(workspace.decisions).values()
    )
    settings = (pair for pair in _flat("", known) if pair[1])
    sources = ((name, sha) for name, (_, sha, _) in hashes.items())
    return {
        "settings": _of_cells(("key", "value"), settings),
        "sources": _of_cells(("id", "sha256"), sources),
        "votes": _of_cells(("id", *_COUNTED), votes),
        "decisions": _of_cells(("id", *_DECIDED), decisions),
    }


def _recipe_state(path: Path) -> Snapshot:
    """The state of a recipe: the templates and groups that people touched, and every step."""
    recipe = recipes.read_recipe(path)
    with TemporaryDirectory(prefix="curate-") as name:
        workspace = Workspace(Path(name))
        recipes.write_files(workspace, recipe.files)
        steps = _steps(workspace)
    for part, edits in (("templates", recipe.templates), ("groups", recipe.groups)):
        columns = ("id", *edits.columns, recipes.IMPORTED_AS, recipes.LEFT_OUT)
        steps[part] = _of_rows(columns, recipes.state_rows(edits))
    return Snapshot(recipe.benchmark, steps)


def _of_rows(columns: Sequence[str], rows: Iterable[Mapping[str, str | None]]) -> Any:
    return _of_cells(columns, ([row.get(name) or "" for name in columns] for row in rows))


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _flat(prefix: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{prefix}.{key}" if prefix else str(key), inner)
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        for number, inner in enumerate(value, start=1):
            name = inner.get("id", number) if isinstance(inner, Mapping) else number
            yield from _flat(f"{prefix}.{name}", inner)
    elif isinstance(value, list | tuple):
        yield prefix, ", ".join(str(item) for item in value)
    else:
        yield prefix, _cell(value)


def _export_state(folder: Path, given: Path) -> Snapshot:
    """Read a folder of samples, of the bank, or as it is put on the hub."""
    parts, bank = _samples_in(folder), _bank_in(folder)
    parts |= {} if bank is None else {"templates": bank}
    if not parts:
        words = {"name": given.resolve().name, "formats": ", ".join(_FORMATS)}
        raise refusal(__package__, "compared-nothing", str(given), **words)
    version = ""
    if (folder / MANIFEST).exists():
        settings = read_manifest(folder).settings
        version = f"{settings.get('culture', '')} {settings.get('version', '')}".strip()
    name = f"{version} ({given.name})" if version else given.name
    return Snapshot(name, parts, _statuses_in(folder) if bank is not None else None)


def _file(folder: Path, names: Sequence[str]) -> Path | None:
    """Find a table by its name, in the first format in which it is there."""
    for name in names:
        for form in _FORMATS:
            if (folder / f"{name}.{form}").is_file():
                return folder / f"{name}.{form}"
        parts = sorted((folder / name).glob("*.parquet")) if (folder / name).is_dir() else []
        if parts:
            return parts[0]
    return None


def _samples_in(folder: Path) -> dict[str, Any]:
    """All samples and the ids of the test set, those that are there."""
    wanted = {"samples": (_SAMPLES, SAMPLE_COLUMNS), "test": (_TEST, ("sample_id",))}
    found = {part: (_file(folder, names), columns) for part, (names, columns) in wanted.items()}
    return {part: _read(path, columns) for part, (path, columns) in found.items() if path}


def _read(path: Path, columns: Sequence[str]) -> Any:
    """Read samples as texts, as packages and exports hold them; there may be a million.

    Raises:
        CurateError: If a column is lacking, a cell is none of a sample, or a sample occurs twice.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv, json, parquet

    types = {name: pa.string() for name in columns}
    try:
        if path.suffix == ".parquet":
            table = parquet.ParquetFile(path).read(list(columns))
        elif path.suffix == ".jsonl":
            lists = {_LIST: pa.list_(pa.string())} if _LIST in types else {}
            options = json.ParseOptions(
                pa.schema(types | lists), unexpected_field_behavior="ignore"
            )
            table = json.read_json(path, parse_options=options)
        else:
            parse = csv.ParseOptions(delimiter=DELIMITERS[path.suffix[1:]], newlines_in_values=True)
            convert = csv.ConvertOptions(include_columns=list(columns), column_types=types)
            table = csv.read_csv(path, parse_options=parse, convert_options=convert)
        found = {name: _texts(name, table.column(name), path) for name in columns}
    except (pa.ArrowException, OSError, KeyError, ValueError, RecursionError) as error:
        raise refusal(__package__, "compared-damaged", path, why=printable(str(error))) from error
    if pc.count_distinct(found["sample_id"]).as_py() != table.num_rows:
        raise CurateError(f"{path.name} holds a sample twice", str(path), _AGAIN)
    return pa.table(found)


def _texts(name: str, column: Any, path: Path) -> Any:
    """A column of samples as texts; choices are joined by a separator that no text holds.

    Raises:
        ValueError: If a cell is lacking, or of another kind.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    is_list = pa.types.is_list(column.type)
    column = pc.binary_join(column, _CHOICE) if is_list else column
    if column.null_count or column.type not in (pa.string(), pa.large_string()):
        raise ValueError(f"{name} is lacking in a sample, or is no text")
    is_table = path.suffix[1:] in DELIMITERS
    is_json = name == _LIST and not is_list
    if is_json or (is_table and pc.any(pc.starts_with(column, "'")).as_py()):
        cells = column.combine_chunks().dictionary_encode()  # each text is read once
        texts = [
            _CHOICE.join(text_list(json.loads(it))) if is_json else unescape_formula(it)
            for it in cells.dictionary.to_pylist()
        ]
        column = pa.array(texts, pa.string()).take(cells.indices)
    return column.cast(pa.string())


def _of_cells(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Any:
    """Hold samples as columns of texts."""
    import pyarrow as pa

    schema = pa.schema([(name, pa.string()) for name in columns])
    batches = []
    rows = iter(rows)
    while some := list(islice(rows, _AT_A_TIME)):
        arrays = [pa.array(cells, pa.string()) for cells in zip(*some, strict=True)]
        batches.append(pa.record_batch(arrays, schema=schema))
    return pa.Table.from_batches(batches, schema)


def _bank_in(folder: Path) -> Any:
    path = _file(folder, ("bank",)) or next(iter(sorted(folder.glob("templates/*.parquet"))), None)
    if path is None:
        return None
    rows = _told(path, "template_id", "variant")
    named = {recipes.row_key(row): row for row in rows}
    if len(named) < len(rows):
        raise CurateError(f"{path.name} holds a variant twice", str(path), _AGAIN)
    columns = [name for name in rows[0] if name not in STATUS_COLUMNS] if rows else []
    return _of_rows(("id", *columns), ({"id": key, **row} for key, row in named.items()))


def _statuses_in(folder: Path) -> dict[str, tuple[str, str]] | None:
    path = _file(folder, ("templates",))
    if path is None or path.parent != folder:
        return None
    rows = _told(path, "template_id", "status", "reason")
    return {row["template_id"]: (row["status"], row["reason"]) for row in rows}


def _told(path: Path, *columns: str) -> list[dict[str, Any]]:
    """The records of a table of templates, as texts.

    Raises:
        CurateError: If it cannot be read, or lacks one of the columns.
    """
    records = stream(path, _AGAIN, empty=True)
    write = unescape_formula if records.delimited else _written
    rows = [
        {write(name): None if it is None else write(it) for name, it in record.items()}
        for _, record in records.rows
    ]
    if rows and not {*columns} <= rows[0].keys():
        raise CurateError(f"{path.name} is not a table of templates", str(path), _AGAIN)
    return rows


def _written(value: Any) -> str:
    """A value as a table of texts has it; an empty list as nothing."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return json_list(value) if value else ""
    return str(value)


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


def diff(before: Path, after: Path) -> Results:
    """Find what changed between two states of a benchmark.

    Args:
        before: A package (a folder or ZIP file), a workspace, a folder of exported samples, of
            the exported bank, or as it is put on the hub; or a recipe (`.yaml`).
        after: The other state, in one of the same forms.

    Returns:
        As `compare` gives it.

    Raises:
        CurateError: If one of them holds nothing that can be compared, or cannot be read.
    """
    states = [_state_at(before), _state_at(after)]
    if len({path.suffix in recipes.RECIPES for path in (before, after)}) > 1:
        # A recipe has only what people changed of templates and groups.
        states = [
            replace(one, parts={name: one.parts.get(name) for name in _STEPS}) for one in states
        ]
    return compare(*states)


def compare(before: Snapshot, after: Snapshot) -> Results:
    """Find what changed between two states of a benchmark.

    Returns:
        - `before`, `after`: what the states are called, and `same`, whether nothing differs;
        - `not_compared`: the parts that one side does not hold;
        - `categories`: how many templates and samples of a category were added, removed and
          changed, the sum of all last; a template counts once, as changed where some of it stays;
        - `settings`: key, value before and after, None where it is not there;
        - by name each other part, None where it is not compared: its rows that were `added`,
          `removed` and `changed`, of samples and `test_set` the ids, with how many there were.
    """
    both = {name: (before.parts.get(name), after.parts.get(name)) for name in PARTS}
    parts = {
        name: None if one is None or two is None else changes(one, two, shared=name == "samples")
        for name, (one, two) in both.items()
    }
    told = {
        "test_set" if name == "test" else name: None
        if found is None
        else _told_of(name, found, after.statuses or {})
        for name, found in parts.items()
    }
    found = {
        "before": before.name,
        "after": after.name,
        "same": not any(parts.values()),
        "not_compared": [name for name, it in parts.items() if it is None],
        "categories": _categories(parts),
    }
    return Results(found | told, {"categories": CATEGORY_COLUMNS})


def _categories(parts: Mapping[str, Changes | None]) -> list[dict[str, Any]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for category, kind in template_kinds(parts["templates"]).values():
        counts[category][f"templates_{kind}"] += 1
    samples = parts["samples"]
    for kind, rows in samples.each if samples is not None else ():
        for category, count in counted(rows, "category").items():
            counts[category][f"samples_{kind}"] += count
    total = sum(counts.values(), Counter[str]())
    return [
        {"category": name, **{column: row[column] for column in CATEGORY_COLUMNS[1:]}}
        for name, row in [*sorted(counts.items()), ("Total", total)]
    ]


def _told_of(part: str, found: Changes, statuses: Mapping[str, tuple[str, str]]) -> Any:
    """What became of the rows of a part, as JSON holds it."""
    if part == "settings":
        gone = ((row["key"], row["value"], None) for row in found.removed.to_pylist())
        new = ((row["key"], None, row["value"]) for row in found.added.to_pylist())
        other = ((key, *cells["value"]) for key, cells in found.differing())
        names = ("key", "before", "after")
        return [dict(zip(names, row, strict=True)) for row in (*gone, *new, *other)]
    now = found.pairs[1].to_pylist()
    changed = [
        {"id": key, "category": row.get("category", ""), "columns": cells}
        for row, (key, cells) in zip(now, found.differing(), strict=True)
    ]
    if part in ("samples", "test"):
        ids = {"before": found.before, "after": found.after}
        ids |= {kind: found.ids[kind] for kind in KINDS[:2]}  # type: ignore[misc]  # lists of ids
        if part == "test":
            return ids
        by: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(KINDS, 0))
        for kind, rows in found.each:
            for name, count in counted(rows, "template_id").items():
                by[name][kind] = count
        by_template = dict(sorted(by.items()))
        return {**ids, "changed": changed, "columns": found.columns, "by_template": by_template}
    whole = {
        kind: [
            {
                "id": row["id"],
                "category": row.get("category", ""),
                "title": row.get(_TITLES[part], ""),
                "reason": _why(row["id"], statuses) if (part, kind) == _GONE else "",
            }
            for row in rows.to_pylist()
        ]
        for kind, rows in islice(found.each, 2)
    }
    told = {**whole, "changed": changed}
    if part == "templates":
        return {
            **told,
            "by_template": {it: kind for it, (_, kind) in template_kinds(found).items()},
        }
    return told


_GONE = ("templates", "removed")


def _why(variant: str, statuses: Mapping[str, tuple[str, str]]) -> str:
    """Why a variant is gone, where that is known."""
    status, reason = statuses.get(split_variant(variant)[0], ("", ""))
    if status:
        return f"{status}: {reason}"
    return "no longer in the bank" if statuses else ""


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
    """How many rows have each value of a column, in order."""
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


_SHOWN = 20
_LONG = 400
_WHOLE, _AROUND = 60, 15
"""Longer cells are shown in part, with so many characters around what differs."""
_TITLES = {
    "templates": "stereotype",
    **{"groups": "group", "sources": "sha256", "votes": "stereotype", "decisions": "outcome"},
}
"""By part the column that says what a row is about."""
STEPS = tuple(_TITLES)[1:]
"""The parts beside templates, samples and settings."""


def markdown(found: Results) -> str:
    """Write the data changelog."""
    whole, changed = _templates(found.templates) if found.templates else ({}, {})
    return filled(
        __package__,
        "changes.md.j2",
        found=found,
        kinds=KINDS,
        columns=CATEGORY_COLUMNS[1:],
        whole=whole,
        changed=changed,
        steps=STEPS,
        shown=_SHOWN,
        line=_line,
        cell=_as_code,
        some=_some,
        differing=_differing,
    )


def _templates(
    found: Mapping[str, Any],
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Lines on templates: by kind on those that are new or gone, by id on those that changed."""
    whole: dict[str, dict[str, str]] = {kind: {} for kind in KINDS[:2]}
    lines: dict[str, list[str]] = defaultdict(list)
    for kind, said in whole.items():
        for row in found[kind]:
            name, variant = split_variant(row["id"])
            if found["by_template"][name] == kind:
                why = f" ({_line(row['reason'])})" if row["reason"] else ""
                said.setdefault(name, f"- {name}: {_line(row['title'])}{why}")
            else:
                lines[name].append(f"- variant {variant} {kind}")
    # What changes alike in several variants is said once.
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in found["changed"]:
        name, variant = split_variant(row["id"])
        for column, (was, now) in row["columns"].items():
            alike[name, f"{column}: {_change(was, now)}"].append(variant)
    for (name, text), variants in alike.items():
        lines[name].append(f"- {', '.join(variants)}: {text}")
    return {kind: list(said.values()) for kind, said in whole.items()}, lines


def _differing(cells: Cells) -> str:
    return "; ".join(f"{name}: {_change(was, now)}" for name, (was, now) in cells.items())


def _some(names: Sequence[str]) -> str:
    """Some of the rows, by their keys."""
    more = f", and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(_line(name) for name in names[:_SHOWN]) + more


def _change(was: str, now: str) -> str:
    """Show two cells; of long ones only the part that differs, and what is around it."""
    if was and now and max(len(was), len(now)) > _WHOLE:
        start = same_start(was, now)
        same = same_start(was[start:][::-1], now[start:][::-1])
        was, now = (_part(text, start - _AROUND, len(text) - same + _AROUND) for text in (was, now))
    return f"{_as_code(was)} → {_as_code(now)}"


def _part(text: str, start: int, end: int) -> str:
    before = "…" if start > 0 else ""
    return f"{before}{text[max(start, 0) : end]}{'…' if end < len(text) else ''}"


def _as_code(value: str | None) -> str:
    """Show a cell as code, so that nothing in it is Markdown."""
    if value is None or not value:
        return "(nothing)"
    text = _line(value) if len(value) <= _LONG else f"{_line(value[:_LONG])}…"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _line(text: str) -> str:
    return " ".join(str(text).replace("\x1f", " | ").split())
