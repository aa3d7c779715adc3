"""Read `culture.yaml`, and add categories to it without touching what people wrote."""

from collections.abc import Sequence
from pathlib import Path

import yaml
from pydantic import ValidationError

from curation.io.atomic import atomic_text
from curation.io.settings_errors import refuse_doubled_keys, setting_error
from curation.io.tables import read_text
from curation.model.culture import Category, Culture
from curation.model.errors import CurateError


def load_culture(path: Path) -> Culture:
    """Read the settings of a workspace.

    Raises:
        CurateError: If there is no such file, it is no YAML, or a setting is wrong or unknown.
    """
    if not path.exists():
        raise CurateError(
            f"there is no workspace in {path.parent}",
            str(path),
            "make one with 'curate init DIR', or name yours with -w DIR",
        )
    return parse_culture(read_text(path), path)


def parse_culture(text: str, path: Path) -> Culture:
    """Read settings from their text.

    Args:
        text: The text.
        path: The file that it is, or will be, written to; for messages.

    Raises:
        CurateError: If it is no YAML, or a setting is wrong, unknown or written twice.
    """
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:  # a date such as 2026-02-30 is a ValueError
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise CurateError(f"culture.yaml is no valid YAML: {problem}", f"{path}{line}") from error
    if not isinstance(data, dict):
        raise CurateError("culture.yaml holds no settings", str(path), "write 'key: value' lines")
    refuse_doubled_keys(text, path)
    try:
        return Culture.model_validate(data)
    except ValidationError as error:
        raise setting_error(error, Culture, data, text, path) from error


def add_categories(path: Path, categories: Sequence[Category]) -> None:
    """Append categories to `culture.yaml`, keeping every comment and the order of the rest.

    Raises:
        CurateError: If the file cannot be read or written, or its categories are no list.
    """
    if not categories:
        return
    text = read_text(path)
    entries = [_entry(category) for category in categories]
    edited = _insert(text, entries, path)
    try:
        Culture.model_validate(yaml.safe_load(edited))
    except (yaml.YAMLError, ValueError) as error:
        names = ", ".join(category.id for category in categories)
        raise CurateError(
            f"cannot add the categories {names} to culture.yaml",
            str(path),
            "add them to 'categories' by hand, and run the command again",
        ) from error
    with atomic_text(path) as stream:
        stream.write(edited)


def _entry(category: Category) -> str:
    fields: dict[str, object] = {"id": category.id}
    if category.sources:
        fields["sources"] = list(category.sources)
    dumped = yaml.safe_dump(fields, allow_unicode=True, sort_keys=False, default_flow_style=True)
    return f"- {dumped.strip()}"


def _insert(text: str, entries: Sequence[str], path: Path) -> str:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    for key, value in pairs:
        if key.value != "categories":
            continue
        if not isinstance(value, yaml.SequenceNode):
            raise CurateError(
                "categories: is no list", f"{path}, line {key.start_mark.line + 1}", "write a list"
            )
        if value.value and not value.flow_style:
            last = value.value[-1]
            indent = " " * value.start_mark.column
            end = last.end_mark.index
            # A block item ends where the next one begins: go back over what lies between.
            end = len(text[:end].rstrip()) if text[:end].rstrip() else end
            block = "".join(f"\n{indent}{entry}" for entry in entries)
            return _before_comments(text, end, last, block)
        items = [_flow(text, item) for item in value.value] + [entry[2:] for entry in entries]
        block = "".join(f"\n  - {item}" for item in items)
        return text[: value.start_mark.index].rstrip(" ") + block + text[value.end_mark.index :]
    block = "".join(f"  {entry}\n" for entry in entries)
    return f"{text.rstrip()}\ncategories:\n{block}"


def _flow(text: str, node: yaml.Node) -> str:
    return text[node.start_mark.index : node.end_mark.index].strip()


def _before_comments(text: str, end: int, last: yaml.Node, block: str) -> str:
    """Insert after the last item's own lines, before comments that follow the list."""
    lines = text[last.start_mark.index : end].split("\n")
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        end -= len(lines.pop()) + 1
    return text[:end] + block + text[end:]
