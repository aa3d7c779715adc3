"""How far a group has written the file of its language: one section a part, texts that are open.

A value that is nothing (`title:`) is a text that nobody has written yet; an empty list or `""` says
that there is none. A part counts as written when all texts that it must have are.

A line that is taken over from a related language has a mark at its end, a remark of YAML. Taking
the mark away says that the line was reviewed. No tool writes a file again that has texts, so a mark
is kept until a person takes it away.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from curation.languages.general import PAGE
from curation.records.messages import CurateError, own_yaml
from curation.records.settings import (
    WrongValue,
    inner_of,
    key_of,
    model_in,
    parse_yaml,
    setting_error,
)


@dataclass(frozen=True, slots=True)
class LanguageFile:
    """One part of a language.

    Attributes:
        name: What its file, or its section in a file of a workspace, is called.
        needed_for: What cannot be done, or is done otherwise, without it.
        required: The texts that it must have, besides those that its class asks for; without them
            it is open.
        everywhere: Whether every language needs it.
        note: What to know before writing it.
        own: What no language takes over from another, by its keys: names, and rules by which texts
            are changed; `*` is all.
    """

    name: str
    needed_for: str
    required: Sequence[str] = ()
    everywhere: bool = True
    note: str = ""
    own: Sequence[str] = ()


_SAID = own_yaml((Path(__file__).parent / "parts.yaml").read_text(encoding="utf-8"))
PARTS = {name: LanguageFile(name, **said) for name, said in _SAID.items()}
"""Every part that a group may write, by its name, in the order of writing.

Words of published samples and of survey platforms (`samples`, `received`) are the toolkit's alone:
in a workspace the mapping of a survey file tells them.
"""


_NULL, _MAP = "tag:yaml.org,2002:null", "tag:yaml.org,2002:map"
FILLED_IN = ("id", "language")
"""Keys that a new file has filled in: no text of a person."""
_MARK = "# {code}: not reviewed"
_MARKED = re.compile(r"^(?!\s*#).*# ([\w-]+): not reviewed\s*$", re.MULTILINE)
_Data = dict[str, Any]
_Place = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What a group's file says of one part.

    Attributes:
        part: Its name.
        value: The part; None where it is open, or has an error.
        open: The texts that it must have and has not, by their keys.
        left: Other texts that the file has a place for and nobody has written.
        errors: What is wrong with it.
        unreviewed: Lines that are taken over from a related language, and not reviewed.
    """

    part: str
    value: BaseModel | None
    open: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    errors: tuple[CurateError, ...] = ()
    unreviewed: int = 0


def mark_of(language: object) -> str:
    """What stands behind a line that is taken over from a language, until it is reviewed."""
    return _MARK.format(code=language)


def unreviewed_lines(text: str) -> Counter[str]:
    """How many lines of a file are taken over and not reviewed, by the code of their language."""
    return Counter(_MARKED.findall(text))


_nodes = lru_cache(maxsize=4)(parse_yaml)
"""The same file is read for each of its parts; nobody changes the nodes."""


@lru_cache(maxsize=64)
def sections(text: str, path: Path) -> tuple[str, ...]:
    """The parts that a file has a section of, in its order.

    Raises:
        CurateError: If it is no YAML, or has a section that is no part of a language.
    """
    root, data = _nodes(text, path)
    if data is None:
        return ()
    if not isinstance(data, dict) or not isinstance(root, yaml.MappingNode):
        raise CurateError(f"{path.name} holds no texts", str(path), "write 'key: value' lines")
    strange = next((key for key in data if key not in PARTS), None)
    if strange is not None:
        fields: dict[str, Any] = dict.fromkeys(PARTS, (object, None))
        model = create_model("Parts", __config__=ConfigDict(extra="forbid"), **fields)
        item = {"type": "extra_forbidden", "loc": (strange,)}
        raise setting_error(item, model, data, root, path, PAGE)
    return tuple(data)


@lru_cache(maxsize=64)
def read_part(text: str, path: Path, name: str, model: type[BaseModel]) -> Written | None:
    """What a file says of a part; None where it says nothing of it, or no text is written.

    Args:
        text: What the file says.
        path: The file.
        name: The part.
        model: What it holds.

    Raises:
        CurateError: If it is no YAML, or has a section that is no part of a language.
    """
    if name not in sections(text, path):
        return None
    root, _ = _nodes(text, path)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    key, node = next(pair for pair in pairs if pair[0].value == name)
    nothing: list[_Place] = []
    kept = _kept(node, model, (name,), nothing)
    if kept is None:
        return None
    fields: dict[str, Any] = {name: (model, ...)}
    section = yaml.MappingNode(_MAP, [(key, kept)], node.start_mark, node.end_mark)
    found = _read(name, path, create_model(name, **fields), nothing, section)
    lines = text.splitlines()[key.start_mark.line : node.end_mark.line]
    return replace(found, unreviewed=unreviewed_lines("\n".join(lines)).total())


def _read(
    part: str, path: Path, model: type[BaseModel], nothing: list[_Place], root: yaml.MappingNode
) -> Written:
    """Read one section, in which places without a text are left out already.

    Args:
        part: Its part.
        path: The file.
        model: What a file with this section alone holds.
        nothing: The places without a text.
        root: The section.
    """
    data: _Data = yaml.SafeLoader("").construct_document(root)
    required: list[_Place] = [(part, key) for key in PARTS[part].required if key not in data[part]]
    errors: list[CurateError] = []
    value = None
    try:
        value = getattr(model.model_validate(data), part)
    except ValidationError as error:
        found = error.errors()
        # A list whose items lack texts is also said to be too short.
        found = [item for item in found if item["type"] != "too_short" or len(found) == 1]
        absent = [item["loc"] for item in found if _is_open(nothing, item)]
        wrong = (item for item in found if item["loc"] not in absent)
        errors = [setting_error(item, model, data, root, path, PAGE) for item in wrong]
        required = [*absent, *required]
    inner = [it for place in required for it in (*_below(nothing, place),) or (place,)]
    keys = dict.fromkeys(key_of(place, data) for place in inner)
    left = dict.fromkeys(key_of(place, data) for place in nothing)
    others = tuple(key for key in left if key not in keys)
    return Written(part, None if required else value, tuple(keys), others, tuple(errors))


def _is_open(nothing: Sequence[_Place], item: Mapping[str, Any]) -> bool:
    """Whether an error is that of a text which nobody has written yet."""
    if item["type"] == "missing":
        return True
    if item["type"] != "value_error" or isinstance(item["ctx"]["error"], WrongValue):
        return False  # one that names its value is of what is written
    return any(_below(nothing, item["loc"]))


def _below(nothing: Sequence[_Place], place: _Place) -> Iterator[_Place]:
    """The places without a text in one; numbers differ where items before are left out."""
    for other in nothing:
        pairs = list(zip(place, other, strict=False))
        if len(other) > len(place) and all(
            a == b or (isinstance(a, int) and isinstance(b, str)) for a, b in pairs
        ):
            yield other


def _kept(
    node: yaml.Node, annotation: Any, place: _Place, nothing: list[_Place]
) -> yaml.Node | None:
    """A node without what nobody has written; None where nothing is left of it.

    Args:
        node: The node.
        annotation: What it holds.
        place: Where it is.
        nothing: Gets the places without a text.
    """
    if isinstance(node, yaml.ScalarNode):
        if node.tag == _NULL:
            nothing.append(place)
        return None if node.tag == _NULL else node
    marks = node.start_mark, node.end_mark
    if isinstance(node, yaml.SequenceNode):
        each = [(item, _id_of(item) or number) for number, item in enumerate(node.value)]
        inner = inner_of(annotation)
        kept = [_kept(item, inner, (*place, name), nothing) for item, name in each]
        items = [item for item in kept if item is not None]
        return yaml.SequenceNode(node.tag, items, *marks) if items or not each else None
    model = model_in(annotation)
    written: list[tuple[Any, yaml.Node]] = []
    for key, value in node.value:
        at = (*place, str(key.value))
        field = model.model_fields.get(key.value) if model is not None else None
        is_blank = isinstance(value, yaml.ScalarNode) and not str(value.value).strip()
        if model is not None and field is None:
            written.append((key, value))  # a misspelt key is told before anybody writes its text
        elif is_blank and field is not None and (field.is_required() or field.default is None):
            nothing.append(at)  # where there is a default, it takes the place of an empty text
        else:
            item = _kept(value, field.annotation if field else inner_of(annotation), at, nothing)
            written += [(key, item)] if item is not None else []
    is_open = all(key.value in FILLED_IN and isinstance(it, yaml.ScalarNode) for key, it in written)
    return None if is_open and node.value else yaml.MappingNode(node.tag, written, *marks)


def _id_of(node: yaml.Node) -> str | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((str(value.value) for key, value in pairs if key.value == "id"), None)
