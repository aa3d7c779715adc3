"""The recipe of a benchmark: what was imported, and what people made of it, in one file.

A table that came out of an import is not repeated: of its rows only the cells that people changed
are written, and the rows that they added or took out. Files that are small are in it to the byte.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from curation import DATA_FORMAT
from curation.files.atomic import write_file
from curation.files.tables import read_table, read_text, refuse_problems, sha256
from curation.files.workspace import Workspace
from curation.records.culture import Settings
from curation.records.messages import CurateError, refusal, shortened
from curation.records.settings import parse_settings
from exports.releases import workspace_places

RECIPE = "recipe.yaml"
RECIPES = (".yaml", ".yml")
"""How names of such files end."""
IMPORTED_AS, LEFT_OUT = "imported as", "left out"
"""Of a changed row which id the import gives it, where it has another one now; of an imported one
whether it is in the table, where two recipes are compared."""
_SOURCE = "source"
_ORIGIN = (_SOURCE, "source_category", "source_id", "variant", "version")
"""What tells a published variant, whatever id it has here."""
_BLOCK = frozenset("\r\x85\u2028\u2029")
"""Line ends that a block of YAML would not give back as they are."""
Cells = Mapping[str, str]


class Edits(Settings):
    """What people made of the rows of an imported table.

    Attributes:
        columns: The columns of the table.
        left_out: Keys of imported rows that are not in it.
        changed: By key of a row the cells that are not as imported.
        new: Rows that no import gives; empty cells are not written.
        order: Keys of all rows, where new rows do not follow the imported ones.
    """

    columns: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    changed: dict[str, dict[str, str]] = Field(default_factory=dict)
    new: tuple[dict[str, str], ...] = ()
    order: tuple[str, ...] = ()


class Made(Settings):
    """What one template is, and what it gives.

    Attributes:
        rows: The hash of its rows in the bank.
        samples: How many samples it gives.
        sha256: Their hash.
    """

    rows: str
    samples: int
    sha256: str


class Recipe(Settings):
    """How a benchmark was made.

    Attributes:
        benchmark: What it is called, with its version.
        tool_version: The version of the toolkit that wrote the recipe.
        data_format: The version of the files' shape.
        samples_sha256: The hash of all samples.
        test_samples_sha256: The hash of the test set.
        survey: By name of a file of answers, which is not passed on, its SHA-256.
        files: By path in the workspace a file to the byte: the list of published files with their
            hashes, settings, decisions, counts.
        templates: What people made of the imported templates.
        groups: What they made of the imported groups.
        made: By id of a retained template, what it is and gives.
    """

    benchmark: str
    tool_version: str
    data_format: int
    samples_sha256: str
    test_samples_sha256: str
    survey: dict[str, str] = Field(default_factory=dict)
    files: dict[str, str]
    templates: Edits
    groups: Edits
    made: dict[str, Made]


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are, one line below the other."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text and _BLOCK.isdisjoint(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def write_recipe(path: Path, recipe: Recipe) -> None:
    """Write a recipe in place of a file.

    Raises:
        CurateError: If it cannot be written.
    """
    known = recipe.model_dump(mode="json", exclude_defaults=True)
    text = yaml.dump(known, None, _Dumper, allow_unicode=True, sort_keys=False, width=10**6)
    write_file(path, text)


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises:
        CurateError: If there is no such file, it is no recipe, or a later version wrote it.
    """
    found = parse_settings(read_text(path), Recipe, path, "docs/publishing.md")
    if found.data_format > DATA_FORMAT:
        what = f"the recipe has data format {found.data_format}, this version knows {DATA_FORMAT}"
        raise CurateError(what, str(path), f"use version {found.tool_version} or later")
    return found


def write_files(workspace: Workspace, files: Mapping[str, str]) -> None:
    """Write the files of a recipe.

    Raises:
        CurateError: If one has a name that none of a workspace has, or it cannot be written.
    """
    places = workspace_places(workspace)
    for name, text in files.items():
        path = workspace.root / name
        is_language = path.parent == workspace.languages_folder and path.suffix in RECIPES
        if path not in places and not is_language:
            raise refusal(__package__, "recipe-file", RECIPE, name=name)
        write_file(path, text)


# --- tables


def read_cells(path: Path) -> tuple[tuple[str, ...], dict[str, Cells]]:
    """Read a table of templates or of groups as its file has it.

    Returns:
        The columns, and by key its rows.

    Raises:
        CurateError: If it cannot be read, or two rows have one key.
    """
    if not path.exists():
        return (), {}
    table = read_table(path)
    refuse_problems(table)
    rows = {row_key(row.cells): row.cells for row in table.rows}
    if len(rows) < len(table.rows):
        raise CurateError(f"{path.name} has two rows of one id", str(path), "see 'curate check'")
    return table.columns, rows


def row_key(row: Cells) -> str:
    """What tells a row from the others: the id of a variant, or the key of a group."""
    if "template_id" in row:
        version = row.get("version", "")
        return f"{row['template_id']}{row['variant']}{f'.{version}' if version else ''}"
    return f"{row['category']}: {row.get('key') or row.get('group', '')}"


def edits_of(
    base: Mapping[str, Cells], columns: tuple[str, ...], rows: Mapping[str, Cells]
) -> Edits:
    """Find what people made of imported rows.

    Args:
        base: The imported rows by key.
        columns: The columns of the table.
        rows: Its rows by key.
    """
    origins: dict[tuple[str, ...], str] = {}
    for key, row in base.items():
        origins[_origin(row)] = "" if _origin(row) in origins else key
    changed: dict[str, dict[str, str]] = {}
    new: list[dict[str, str]] = []
    used: set[str] = set()
    for key, row in rows.items():
        was = origins.get(_origin(row), "") if row.get(_SOURCE) else ""
        if key in base and base[key].get(_SOURCE) == row.get(_SOURCE):
            was = key
        if not was or was in used:
            new.append({name: cell for name, cell in row.items() if cell})
            continue
        used.add(was)
        cells = {name: cell for name, cell in row.items() if cell != base[was].get(name, "")}
        if was != key:
            cells[IMPORTED_AS] = was
        if cells:
            changed[key] = cells
    left_out = tuple(key for key in base if key not in used)
    made = Edits(columns=columns, left_out=left_out, changed=changed, new=tuple(new))
    is_ordered = [key for key, _ in _edited(base, made)] == list(rows)
    return made if is_ordered else made.model_copy(update={"order": tuple(rows)})


def _origin(row: Cells) -> tuple[str, ...]:
    return tuple(row.get(name, "") for name in _ORIGIN)


def edited(base: Mapping[str, Cells], edits: Edits) -> list[Cells]:
    """Make a table again: imported rows with what people made of them.

    Args:
        base: The imported rows by key.
        edits: What people made of them.

    Raises:
        CurateError: If it names rows that no import gives.
    """
    wanted = (*edits.left_out, *(row.get(IMPORTED_AS, key) for key, row in edits.changed.items()))
    lacking = [key for key in wanted if key not in base]
    rows = dict(_edited(base, edits)) if not lacking else {}
    lacking = lacking or [key for key in edits.order if key not in rows]
    if lacking:
        raise refusal(__package__, "recipe-rows", names=shortened(lacking))
    return [rows[key] for key in edits.order or rows]


def _edited(base: Mapping[str, Cells], edits: Edits) -> Iterator[tuple[str, Cells]]:
    """Yield the rows: those that were imported in their order, then the new ones."""
    now = {row.get(IMPORTED_AS, key): (key, row) for key, row in edits.changed.items()}
    out = {*edits.left_out}
    for was, row in base.items():
        if was in out:
            continue
        key, cells = now.get(was, (was, {}))
        yield key, {name: cells.get(name, row.get(name, "")) for name in edits.columns}
    for cells in edits.new:
        yield row_key(cells), {name: cells.get(name, "") for name in edits.columns}


# --- published files


def found_by_hash(folder: Path, wanted: Mapping[str, tuple[str, int]]) -> dict[str, Path]:
    """Find files by their hash, wherever they are in a folder and whatever they are called.

    Args:
        folder: The folder.
        wanted: By name of a file its SHA-256, and how many bytes it has.

    Raises:
        CurateError: If one is not there, or has been changed.
    """
    there = [path for path in folder.rglob("*") if path.is_file()] if wanted else []
    sizes = {size for _, size in wanted.values()}
    by_hash = {sha256(path): path for path in there if path.stat().st_size in sizes}
    for name, (digest, _) in wanted.items():
        if digest not in by_hash:
            what = f"no file there has the SHA-256 of {name}, {digest}"
            raise CurateError(what, str(folder), "put the published file there, unchanged")
    return {name: by_hash[digest] for name, (digest, _) in wanted.items()}


def state_rows(edits: Edits) -> Iterator[dict[str, Any]]:
    """Yield a row for each row that people touched, to compare two recipes by.

    A cell that they did not change says so; the category is the one that the id has.
    """
    columns = (*edits.columns, IMPORTED_AS, LEFT_OUT)
    imported = dict.fromkeys(columns, "(as imported)")
    rows = [(key, {**imported, **cells, LEFT_OUT: "no"}) for key, cells in edits.changed.items()]
    rows += [(key, {**imported, LEFT_OUT: "yes"}) for key in edits.left_out]
    rows += [(row_key(row), {**dict.fromkeys(columns, ""), **row}) for row in edits.new]
    for key, row in rows:
        yield {"id": key, **row, "category": re.split(r"-\d|: ", key)[0]}
