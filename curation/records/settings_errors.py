"""Settings in YAML files, and what is wrong with one in words that say what to write instead."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from curation.records.errors import CurateError

Model = TypeVar("Model", bound=BaseModel)
_Place = tuple[int | str, ...]
_LISTED = "fix the setting; {page} lists them all"
_CODE = "write its ISO 639-1 code in small letters, such as ko, en or zh-Hant"


def parse_settings(
    text: str, model: type[Model], path: Path, page: str = "docs/formats.md"
) -> Model:
    """Read settings from the text of a YAML file.

    Args:
        text: The text.
        model: The settings.
        path: The file, for messages.
        page: Where they are documented.

    Raises:
        CurateError: If it is no YAML, or a setting is wrong, unknown or written twice.
    """
    root, data = parse_yaml(text, path)
    if not isinstance(data, dict):
        raise CurateError(f"{path.name} holds no settings", str(path), "write 'key: value' lines")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise _first_error(error, model, data, root, path, page) from error


def parse_yaml(text: str, path: Path) -> tuple[yaml.Node | None, object]:
    """Read a YAML text: its nodes, which know their lines, and what it says.

    Raises:
        CurateError: If it is no YAML, or a key occurs twice.
    """
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        data = None if root is None else loader.construct_document(root)
    except (yaml.YAMLError, ValueError) as error:  # a date such as 2026-02-30 is a ValueError
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise CurateError(f"{path.name} is no valid YAML: {problem}", f"{path}{line}") from error
    _refuse_doubled_keys(root, path)
    return root, data


class SettingError(CurateError):
    """A setting that is stated for one run and cannot be so.

    Args:
        setting: Its key; empty where several contradict one another.
        what: What is wrong with it.
    """

    def __init__(self, setting: str, what: str) -> None:
        super().__init__(f"{setting}: {what}" if setting else what)
        self.setting = setting
        self.problem = what


def overridden(settings: Model, stated: Mapping[str, object]) -> Model:
    """Settings for one run: those of the workspace, with others in place of some of them.

    Args:
        settings: The settings of the workspace.
        stated: Others by their keys; one that is None stays as it is.

    Raises:
        SettingError: If there is no such setting, or a value is not possible.
    """
    given = {key: value for key, value in stated.items() if value is not None}
    for key in given:
        if key not in type(settings).model_fields:
            raise SettingError(
                key, f"there is no such setting ({', '.join(type(settings).model_fields)})"
            )
    try:
        return type(settings).model_validate({**settings.model_dump(), **given})
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0]) if first["loc"] else ""
        raise SettingError(key, "; ".join(filter(None, in_words(first)))) from error


def in_words(item: Mapping[str, Any], page: str = "docs/formats.md") -> tuple[str, str]:
    """Say one error of pydantic's: what is wrong, and what to write where that is known."""
    kind, given, context = item["type"], _shown(item.get("input")), item.get("ctx", {})
    if kind in ("literal_error", "enum"):
        return _none_of(item.get("input"), re.findall(r"'([^']*)'", context["expected"]))
    limit = next((str(context[name]) for name in ("ge", "gt", "le", "lt") if name in context), "")
    words = {
        "missing": ("it is missing", f"write it; {page} says what it means"),
        "string_type": (f"{given} is no text", f'put it in quotes: "{item.get("input")}"'),
        "string_pattern_mismatch": (f"{given} is no code of a language", _CODE),
        "string_too_short": (
            "it is empty",
            "write it, or leave the key out where it has a default",
        ),
        "string_too_long": (
            f"it has more than {context.get('max_length')} characters",
            "shorten it",
        ),
        "too_short": (f"it has fewer than {context.get('min_length')} item", "add one"),
        "too_long": (f"it has more than {context.get('max_length')} items", "take some out"),
        "int_type": (f"{given} is no whole number", "write one such as 10"),
        "int_parsing": (f"{given} is no whole number", "write one such as 10"),
        "int_from_float": (f"{given} is no whole number", "write one such as 10"),
        "float_type": (f"{given} is no number", "write one such as 0.5"),
        "float_parsing": (f"{given} is no number", "write one such as 0.5"),
        "greater_than_equal": (f"{given} is too small", f"write at least {limit}"),
        "greater_than": (f"{given} is too small", f"write more than {limit}"),
        "less_than_equal": (f"{given} is too large", f"write at most {limit}"),
        "less_than": (f"{given} is too large", f"write less than {limit}"),
        "tuple_type": (f"{given} is no list", "write a list, such as [one, other]"),
        "dict_type": (f"{given} is no map", "write 'key: value' lines below the key"),
        "model_type": (f"{given} is no map", "write 'key: value' lines below the key"),
    }
    return words.get(kind, (item["msg"].removeprefix("Value error, "), ""))


def _first_error(
    error: ValidationError,
    model: type[BaseModel],
    data: object,
    root: yaml.Node | None,
    path: Path,
    page: str,
) -> CurateError:
    """Say the first thing that is wrong, and how many more there are."""
    # A key that is misspelt says more than the one that is missing for it.
    first = min(error.errors(), key=lambda item: item["type"] != "extra_forbidden")
    said = setting_error(first, model, data, root, path, page)
    more = error.error_count() - 1
    return CurateError(said.what + (f" (and {more} more)" if more else ""), said.where, said.hint)


def setting_error(
    item: Mapping[str, Any],
    model: type[BaseModel],
    data: object,
    root: yaml.Node | None,
    path: Path,
    page: str = "docs/formats.md",
) -> CurateError:
    """Say one error of pydantic's, with the key and the line.

    Args:
        item: The error.
        model: The settings.
        data: What was given.
        root: Its nodes.
        path: The file.
        page: Where the settings are documented.
    """
    place = item["loc"]
    if item["type"] == "extra_forbidden":
        what, hint = "there is no such setting", _no_such(model, place, page)
    else:
        what, hint = in_words(item, page)
    line = _line_of(root, place)
    return CurateError(
        f"{key_of(place, data)}: {what}",
        f"{path}, line {line}" if line else str(path),
        hint or _LISTED.format(page=page),
    )


def _refuse_doubled_keys(root: yaml.Node | None, path: Path) -> None:
    """Refuse settings in which a key occurs twice, of which YAML would drop the first silently.

    Raises:
        CurateError: Naming the key and its second line.
    """
    for node in _mappings(root):
        seen: dict[str, int] = {}
        for key, _ in node.value:
            line = key.start_mark.line + 1
            name = str(key.value)
            if name in seen:
                raise CurateError(
                    f"{name}: the key occurs twice, in line {seen[name]} and here",
                    f"{path}, line {line}",
                    "write both under one key",
                )
            seen[name] = line


def _mappings(root: yaml.Node | None) -> Iterator[yaml.MappingNode]:
    """Yield every map once, though anchors may lead to it from several places, or from itself."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            yield node
            waiting += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value


def _none_of(given: object, allowed: Sequence[str]) -> tuple[str, str]:
    listed = f"{', '.join(allowed[:-1])} or {allowed[-1]}" if len(allowed) > 1 else allowed[0]
    plain = re.sub(r"[\s-]+", "_", str(given).strip().lower())
    near = difflib.get_close_matches(plain, allowed, n=1)
    hint = f"did you mean {near[0]}?" if near else f"write {listed}"
    return f"{_shown(given)} is not possible here; it is one of {', '.join(allowed)}", hint


def _shown(value: object) -> str:
    """Show a value as YAML writes it, not at length."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a map"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = str(value)
    return f"'{text}'" if len(text) <= 40 else f"'{text[:39]}…'"


def key_of(place: _Place, data: object) -> str:
    """Write where a setting stands: keys joined by dots, an item of a list by its id."""
    parts: list[str] = []
    for part in place:
        try:
            data = data[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            data = None
        if isinstance(part, int):
            named = data.get("id") if isinstance(data, dict) else None
            parts.append(str(named) if named else f"item {part + 1}")
        else:
            parts.append(part)
    return ".".join(parts) or "the file"


def _line_of(node: yaml.Node | None, place: _Place) -> int | None:
    """Find the line of a setting, or of the nearest that there is around it."""
    line = None
    for part in place:
        found: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            pairs = [(key, value) for key, value in node.value if str(key.value) == str(part)]
            key, found = pairs[0] if pairs else (None, None)
            line = key.start_mark.line + 1 if key else line
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            found = node.value[part]
            line = found.start_mark.line + 1
        if found is None:
            break
        node = found
    return line


def _no_such(model: type[BaseModel], place: _Place, page: str) -> str:
    """Suggest the key that was meant: one of the same place, or one of that name elsewhere."""
    *above, last = place
    there = list(_fields(_model_at(model, above)))
    near = difflib.get_close_matches(str(last), there, n=1)
    if near:
        return f"did you mean {near[0]}?"
    elsewhere = [path for path in _paths(model) if path.rpartition(".")[2] == last]
    if elsewhere:
        return f"it goes under another key: {' or '.join(elsewhere)}"
    return f"the keys here are {', '.join(there)}" if there else _LISTED.format(page=page)


def _fields(model: type[BaseModel] | None) -> Mapping[str, Any]:
    return model.model_fields if model is not None else {}


def _model_at(model: type[BaseModel], place: Sequence[int | str]) -> type[BaseModel] | None:
    annotation: Any = model
    for part in place:
        fields = _fields(_as_model(annotation))
        annotation = fields[str(part)].annotation if str(part) in fields else _inner(annotation)
    return _as_model(annotation)


def _as_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return None


def _inner(annotation: Any) -> Any:
    """The type of the values of a list or map."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _inner(args[0])
    if origin in (Union, UnionType):
        return _inner(next(item for item in args if item is not NoneType))
    if origin is dict:
        return args[1]
    return args[0] if args else None


def _paths(model: type[BaseModel], before: str = "") -> Iterator[str]:
    """Yield all keys with the keys above them; those of items of lists only at the list."""
    for name, field in model.model_fields.items():
        yield before + name
        inner = _as_model(field.annotation)
        if inner is not None:
            yield from _paths(inner, f"{before}{name}.")
