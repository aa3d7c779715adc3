"""Settings in YAML: how they are read, which values are wrong, and codes of languages."""

import datetime
import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ValidationError

from curation.records.messages import CurateError, finding, given_name, own_yaml, refusal


class WrongValue(ValueError):
    """A value that a setting cannot have.

    Args:
        what: What is wrong with it.
        hint: What to write instead.
        at: The keys that lead to it from where it was found out.
    """

    def __init__(self, what: str, hint: str, at: tuple[str | int, ...] = ()) -> None:
        super().__init__(f"{what}: {hint}")
        self.what = what
        self.hint = hint
        self.at = at


def wrong(key: str, *at: str | int, **words: object) -> WrongValue:
    """A wrong value in the words of `findings.yaml`.

    Args:
        key: The key of what is said.
        at: As `WrongValue` has it.
        words: What stands in braces.
    """
    told = finding("curation", key, "", **words)  # type: ignore[arg-type]
    return WrongValue(told.message, told.hint, at)


def shaped(kind: str) -> AfterValidator:
    """A validator of texts that have a form, or are empty.

    Args:
        kind: Its key under `forms` in `settings.yaml`.
    """

    def check(text: str) -> str:
        form = _texts()["forms"][kind]
        if text and not re.fullmatch(form["pattern"], text):
            raise WrongValue(f"'{text}' is {form['not']}", form["hint"])
        return text

    return AfterValidator(check)


def in_one_line(text: str) -> str:
    """A name or title, in single spaces.

    Raises:
        WrongValue: If it holds a character that cannot be seen.
    """
    try:
        return given_name(text)
    except CurateError as error:
        raise WrongValue(error.what, error.hint) from error


Name = Annotated[str, shaped("name for programs")]
"""A name for programs, or nothing."""


def _day(value: object) -> object:
    """Read a day as it is written, and nothing that merely resembles one."""
    if value is None or type(value) is datetime.date:
        return value
    text = value.strip() if isinstance(value, str) else ""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
            return datetime.date.fromisoformat(text)
    except ValueError:
        pass  # such as 2026-02-30
    raise WrongValue(
        f"{shown(value)} is not a day", "write year, month and day, such as 2026-03-31"
    )


Day = Annotated[datetime.date | None, BeforeValidator(_day)]
"""A day, or nothing."""


_FORM = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@cache
def _texts() -> Any:
    """What `settings.yaml` says, which lies beside this module."""
    return own_yaml(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))


_ANY = "write its ISO 639-1 code in lower-case letters, such as ko, en or zh-Hant"


def check_code(text: str) -> str:
    """Give a code of a language: of two letters as in ISO 639-1, or of three; with its variety.

    Raises:
        WrongValue: With the nearest code, if it is none.
    """
    first, languages = text.partition("-")[0], _texts()["languages"]
    is_known = first not in _texts()["meant"] and (len(first) > 2 or first in languages)
    if _FORM.fullmatch(text) and is_known:
        return text
    near = near_code(text)
    meant = f"did you mean {near} ({languages[near]})? " if near else ""
    raise WrongValue(
        f"'{text}' is not a code of a language" if text else "it is empty", f"{meant}{_ANY}"
    )


def listed_name(code: str) -> str:
    """What ISO 639-1 calls a language in English, without its variety; empty if it lists none."""
    return str(_texts()["languages"].get(code.partition("-")[0], ""))


def near_code(text: str) -> str:
    """The code that was probably meant, or nothing: of `ko_KR`, `Korean` or `KO`, and of `jp`."""
    plain = text.strip().lower().replace("_", "-")
    first, languages, meant = plain.partition("-")[0], _texts()["languages"], _texts()["meant"]
    if first in meant:
        return str(meant[first])
    if first in languages:
        return first
    names = {name.lower(): code for code, name in languages.items()}
    found = difflib.get_close_matches(plain, names, n=1, cutoff=0.75)
    return names[found[0]] if found else ""


LanguageCode = Annotated[str, AfterValidator(check_code)]
"""The code of a language."""


Model = TypeVar("Model", bound=BaseModel)
_Place = tuple[int | str, ...]
_LISTED = "correct it; {page} describes the file"
_QUOTES = "put texts with : # [ or { in quotes, close what is open, and indent with spaces"


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # either
    """Reads every value as the text that is written, so that the settings say what it is.

    To YAML `no` is false, `1.10` is 1.1 and `12:30` is 750; here `no` may be Norwegian.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012  # as the class has it
        first: [(tag, pattern) for tag, pattern in resolvers if tag.endswith((":null", ":merge"))]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def load_yaml(text: str) -> Any:
    """Read YAML of lists, maps and texts; a number or a truth value is the text that is written.

    Raises:
        yaml.YAMLError: If it is no YAML.
    """
    return _read(text)[1]


def parse_settings(
    text: str,
    model: type[Model],
    path: Path,
    page: str = "docs/formats.md",
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
        errors = error.errors()
        # A key that is misspelt says more than the one that is missing for it.
        first = min(errors, key=lambda item: item["type"] not in _STRANGE)
        said = setting_error(first, model, data, root, path, page)
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise CurateError(f"{said.what}{more}", said.where, said.hint) from error


def parse_yaml(text: str, path: Path) -> tuple[yaml.Node | None, object]:
    """Read a YAML text: its nodes, which know their lines, and what it says.

    Args:
        text: The text.
        path: The file, for messages.

    Raises:
        CurateError: If it is no YAML, or a key occurs twice.
    """
    try:
        root, data = _read(unicodedata.normalize("NFC", text))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        if re.search("flow|quoted", getattr(error, "context", None) or ""):
            mark = vars(error)["context_mark"]  # where what is not closed begins
        line = f", line {mark.line + 1}" if mark else ""
        why = getattr(error, "problem", "") or getattr(error, "reason", error)
        what = f"{path.name} is not valid YAML: {why}"
        raise CurateError(what, f"{path}{line}", _QUOTES) from error
    _refuse_doubled_keys(root, path)
    return root, data


def _read(text: str) -> tuple[yaml.Node | None, Any]:
    """The nodes of a YAML text, and what it says."""
    loader = _Loader(text)
    root = loader.get_single_node()
    return root, None if root is None else loader.construct_document(root)


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


def overridden(settings: Model, others: Mapping[str, object]) -> Model:
    """Settings for one run: those of the workspace, with others in place of some of them.

    Args:
        settings: The settings of the workspace.
        others: Others by their keys; one that is None stays as it is.

    Raises:
        SettingError: If there is no such setting, or a value is not possible.
    """
    given = {key: value for key, value in others.items() if value is not None}
    for key in given:
        if key not in type(settings).model_fields:
            raise SettingError(
                key, f"there is no such setting ({', '.join(type(settings).model_fields)})"
            )
    try:
        # What nobody set stays unset: a count of respondents that nobody stated is no answer.
        stated = settings.model_dump(exclude_unset=True)
        return type(settings).model_validate({**stated, **given})
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0]) if first["loc"] else ""
        raise SettingError(key, "; ".join(filter(None, in_words(first)))) from error


def in_words(item: Mapping[str, Any], page: str = "docs/formats.md") -> tuple[str, str]:
    """Say one error of pydantic's: what is wrong, and what to write where that is known."""
    kind, given, context = item["type"], shown(item.get("input")), item.get("ctx", {})
    said = context.get("error")
    if isinstance(said, WrongValue):
        return said.what, said.hint
    if kind in ("literal_error", "enum"):
        allowed = [*filter(None, re.findall(r"'([^']*)'", context["expected"]))]
        near = difflib.get_close_matches(str(item.get("input")), allowed, n=1)
        hint = f"did you mean {near[0]}?" if near else "write one of them"
        return f"{given} is not possible here; it is one of {', '.join(allowed)}", hint
    if kind == "string_type" and item.get("input") is None:
        kind = "empty"
    if kind not in _texts()["wrong"]:
        return item["msg"].removeprefix("Value error, "), ""
    words = {**context, "given": given, "page": page}
    what, hint = (text.format(**words) for text in _texts()["wrong"][kind])
    return what, hint


_STRANGE = ("extra_forbidden", "invalid_key")


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
    place = tuple(part for part in item["loc"] if part != "[key]")
    if item["type"] in _STRANGE:
        what, hint = "there is no such setting", _no_such(model, place, page)
    else:
        what, hint = in_words(item, page)
    said = item.get("ctx", {}).get("error")
    if isinstance(said, WrongValue):
        place += said.at
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
                raise refusal(
                    "curation", "key-twice", f"{path}, line {line}", name=name, line=seen[name]
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


def shown(value: object) -> str:
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
    """Write the path of a setting: keys joined by dots, an item of a list by its id."""
    parts: list[str] = []
    for part in place:
        is_item = isinstance(data, list) and isinstance(part, int)
        try:
            data = data[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            data = None
        if is_item:
            named = data.get("id") if isinstance(data, dict) else None
            parts.append(str(named) if named else f"item {int(part) + 1}")
        else:
            parts.append(str(part))
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
            found = node.value[part] if part < len(node.value) else None
            line = found.start_mark.line + 1 if found else line
        if found is None:
            break
        node = found
    return line


def _no_such(model: type[BaseModel], place: _Place, page: str) -> str:
    """Suggest the key of the same place that is written alike, or list them all."""
    *above, last = place
    there = list(_fields(_model_at(model, above)))
    near = difflib.get_close_matches(str(last), there, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"the keys here are {', '.join(there)}" if there else _LISTED.format(page=page)


def _fields(model: type[BaseModel] | None) -> Mapping[str, Any]:
    return model.model_fields if model is not None else {}


def _model_at(model: type[BaseModel], place: Sequence[int | str]) -> type[BaseModel] | None:
    annotation: Any = model
    for part in place:
        fields = _fields(model_in(annotation))
        annotation = fields[str(part)].annotation if str(part) in fields else inner_of(annotation)
    return model_in(annotation)


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The class that a type is, or is if it is not None."""
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(item for item in get_args(annotation) if item is not NoneType)
    is_model = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return annotation if is_model else None


def inner_of(annotation: Any) -> Any:
    """The type of the values of a list or map."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return inner_of(args[0])
    if origin in (Union, UnionType):
        return inner_of(next(item for item in args if item is not NoneType))
    return (args[1] if origin is dict else args[0]) if args else None
