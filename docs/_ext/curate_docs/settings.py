"""The settings of files that people write in YAML, of the models that read them."""

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from curate_docs.text import attributes, escaped, one_line, summary
from curation.records.culture import Culture, Multiple, Share
from curation.sources.imported import TemplateFormat
from curation.sources.sample_mapping import SampleMapping
from evaluation.runner.asking import ModelsFile
from evaluation.runner.backend import providers
from survey.mapping import Mapping

_INTRO = """\
# Settings

All keys of the files that people write in YAML. A key that there is not, a value that is not
possible, or a key that occurs twice is refused with its line, and with what was probably meant.
The guides say what the keys are for.
"""


@dataclass(frozen=True, slots=True)
class File:
    """A file of settings.

    Attributes:
        name: What it is called.
        model: What it is read into.
        about: What is said of it, as Markdown.
        place: What the places of its keys begin with.
    """

    name: str
    model: type[BaseModel]
    about: str
    place: str


FILES = (
    File(
        "culture.yaml",
        Culture,
        "A share is read as it is written, `2/3` or `0.5`, never as a rounded number. "
        "[Files of a workspace](../formats.md#cultureyaml) has the words on merges and wording.",
        "setting",
    ),
    File(
        "mapping.yaml",
        Mapping,
        "How a file of answers is read ([the survey](../survey.md#mappingyaml)). Everywhere "
        "`name#2` is the second column with the same name. Values are read as text: `01` stays "
        "`01`, and `No` is not a truth value.",
        "mapping",
    ),
    File(
        "samples.yaml",
        SampleMapping,
        "How a file of samples is read ([formats](../formats.md#samples-in-any-layout)).",
        "samples",
    ),
    File(
        "templates.yaml",
        TemplateFormat,
        "How a table of templates is read ([formats](../formats.md#templates-of-any-table)); the "
        "built-in formats are such files.",
        "templates",
    ),
    File(
        "models.yaml",
        ModelsFile,
        "Several models that `curate evaluate run --models` asks "
        "([asking models](../evaluation-running.md#several-models)).",
        "models",
    ),
)


@dataclass(frozen=True, slots=True)
class Key:
    """A key.

    Attributes:
        name: With the keys above it: `survey.exclude`; `categories[].id` of each in a list.
        kind: What it takes, in words.
        default: What it is where it is left out; empty for a key that must be given.
        required: Whether it must be given.
        means: Its sentence.
        model: The model below it; None for a plain value.
    """

    name: str
    kind: str
    default: str
    required: bool
    means: str
    model: type[BaseModel] | None


def anchor(name: str, place: str = "setting") -> str:
    """The place of a key on its page."""
    return f"{place}-" + name.replace("[]", "").replace(".", "-").replace("_", "-")


def all_keys(model: type[BaseModel] = Culture, above: str = "") -> Iterator[Key]:
    """Every key, those below a key after it."""
    means = attributes(model.__doc__)
    for name, field in model.model_fields.items():
        if name not in means:
            raise ValueError(f"{model.__name__}.{name} has no sentence under 'Attributes:'")
        below, listed = _model_of(field.annotation)
        key = f"{above}{name}"
        yield Key(key, _kind(field), _default(field), field.is_required(), means[name], below)
        if below is not None:
            yield from all_keys(below, f"{key}{'[]' if listed else ''}.")


def page() -> str:
    """The page: a table for each part of each file."""
    parts = [_INTRO, *(part for file in FILES for part in _parts(file)), _providers()]
    return "\n\n".join(parts) + "\n"


def _providers() -> str:
    """What `--provider` knows, of the file in which it stands."""
    lines = [
        "### Providers\n",
        "What `provider` and `--provider` know of servers that speak OpenAI's chat completions. "
        "None of them is asked by the toolkit's tests; what has no page was not tried.\n",
    ]
    for name, item in providers().items():
        title = f"[{item.title}]({item.page})" if item.page else item.title
        refused = [f"`{key}`" for key in item.ignores]
        refused += [f"`{key}` above {most:g}" for key, most in item.most.items()]
        lines.append(
            f"- `{name}`: {title}, `{item.base_url or item.address}`. Key: `{item.key_variable}`"
            f"{'' if item.needs_key else ', if there is one'}. Token limit: "
            f"`{item.max_tokens_field}`. Log-probabilities: {item.logprobs}."
            f"{' Refused, because it ignores them: ' + ', '.join(refused) + '.' if refused else ''}"
            f" Note: {escaped(item.note)}."
        )
    return "\n".join(lines)


def _parts(file: File) -> Iterator[str]:
    """Tell a model that several keys hold once, but each part of `culture.yaml` alone."""
    names: dict[object, list[str]] = {}
    members: dict[object, dict[str, Key]] = {}
    holds: dict[str, tuple[object, type[BaseModel]]] = {"": ("", file.model)}
    for key in all_keys(file.model):
        above, _, own = key.name.rpartition(".")
        part = holds[above][0]
        members.setdefault(part, {}).setdefault(own, key)
        if above not in names.setdefault(part, []):
            names[part].append(above)
        if key.model is not None:
            place = f"{key.name}[]" if key.kind.startswith("a list") else key.name
            holds[place] = (place if file.model is Culture else key.model, key.model)
    yield f"## {file.name}\n\n{file.about}"
    for part, keys in members.items():
        title = ", ".join(names[part])
        if title:
            yield f"## {title}" if file.model is Culture else f"### {title} in {file.name}"
            yield escaped(summary(holds[names[part][0]][1].__doc__))
        rows = "\n".join(_row(key, file.place) for key in keys.values())
        yield f"| key | takes | default | means |\n|---|---|---|---|\n{rows}"


def _row(key: Key, place: str) -> str:
    span = f'<span id="{anchor(key.name, place)}"></span>'
    default = "required" if key.required else key.default
    own = key.name.rpartition(".")[2]
    return f"| {span}`{own}` | {key.kind} | {default} | {escaped(one_line(key.means))} |"


def _model_of(annotation: Any) -> tuple[type[BaseModel] | None, bool]:
    """The model that a field holds, and whether it holds a list of them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    for part in typing.get_args(annotation):
        found, listed = _model_of(part)
        if found is not None:
            return found, listed or typing.get_origin(annotation) is tuple
    return None, False


def _kind(field: FieldInfo) -> str:
    bounds = [
        f"{word} {getattr(item, name)}"
        for item in field.metadata
        for name, word in (
            ("ge", "at least"),
            ("gt", "above"),
            ("le", "at most"),
            ("lt", "below"),
        )
        if getattr(item, name, None) is not None
    ]
    most = [
        f"at most {item.max_length}"
        for item in field.metadata
        if getattr(item, "max_length", None) is not None
    ]
    share = _same(field, Share) or _same(field, Multiple)
    kind = share or _words(field.annotation)
    return ", ".join([kind, *(() if share else bounds), *most])


def _same(field: FieldInfo, known: Any) -> str:
    """Say that a field is a share or a multiple, which are plain fractions with conditions."""
    _, *conditions = typing.get_args(known)
    names = {Share: "a share from 0 to 1", Multiple: "a number above 0"}
    wanted = [repr(item) for item in _flat(conditions)]
    return names[known] if [repr(item) for item in field.metadata] == wanted else ""


def _flat(conditions: list[Any]) -> Iterator[Any]:
    for item in conditions:
        yield from item.metadata if isinstance(item, FieldInfo) else [item]


_PLAIN = {str: "text", int: "a whole number", float: "a number", bool: "`true` or `false`"}


def _words(annotation: Any) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _words(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return _words(next(part for part in arguments if part is not type(None)))
    if origin is Literal:
        return ", ".join(f"`{_plain(value)}`" for value in arguments)
    if origin is tuple:
        if Ellipsis not in arguments:
            return f"a list of {len(arguments)}"
        return f"a list: {_words(arguments[0])}"
    if origin is dict:
        return f"by {_words(arguments[0])}: {_words(arguments[1])}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "keys, see below"
    if annotation is Fraction:
        return "a number"
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return ", ".join(f"`{item.value}`" for item in annotation)
    return _PLAIN.get(
        annotation, "a date" if getattr(annotation, "__name__", "") == "date" else "text"
    )


def _plain(value: Any) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    return str(value) or '""'


def _default(field: FieldInfo) -> str:
    value = field.default
    if value is PydanticUndefined or isinstance(value, BaseModel):
        return ""
    if value is None or value in ("", (), {}):
        return "none"
    if isinstance(value, tuple):
        return ", ".join(f"`{_plain(item)}`" for item in value)
    if isinstance(value, dict):
        return "; ".join(
            f"`{name}`: {', '.join(f'{key} {_plain(share)}' for key, share in shares.items())}"
            for name, shares in value.items()
        )
    return f"`{_plain(value)}`"
