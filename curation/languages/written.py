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
    places = _Places([], [], [])
    kept = places.kept(node, model, (name,))
    if kept is None:
        return None
    fields: dict[str, Any] = {name: (model, ...)}
    section = yaml.MappingNode(_MAP, [(key, kept)], node.start_mark, node.end_mark)
    found = _read(name, path, create_model(name, **fields), places, section)
    lines = text.splitlines()[key.start_mark.line : node.end_mark.line]
    return replace(found, unreviewed=unreviewed_lines("\n".join(lines)).total())


def _read(
    part: str, path: Path, model: type[BaseModel], places: "_Places", root: yaml.MappingNode
) -> Written:
    """Read one section, in which places without a text are left out already.

    Args:
        part: Its part.
        path: The file.
        model: What a file with this section alone holds.
        places: What is left out.
        root: The section.
    """
    data: _Data = yaml.SafeLoader("").construct_document(root)
    must, nothing = PARTS[part].required, places.nothing
    required: list[_Place] = [(part, key) for key in must if key not in data[part]]
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
    if not data[part]:
        required = required or places.spare
    inner = [it for place in required for it in (*_below(nothing, place),) or (place,)]
    keys = dict.fromkeys(key_of(place, data) for place in inner)
    left = dict.fromkeys(key_of(place, data) for place in (*places.spare, *nothing))
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


@dataclass(frozen=True, slots=True)
class _Places:
    """What a section has a place for and nobody has written.

    Attributes:
        nothing: The places without a text.
        lacking: Texts that must be there, as far as what is around them must.
        spare: Such texts of what may be missing as a whole, such as the texts of one workbook.
    """

    nothing: list[_Place]
    lacking: list[_Place]
    spare: list[_Place]

    def kept(self, node: yaml.Node, annotation: Any, place: _Place) -> yaml.Node | None:
        """A node without what nobody has written; None where nothing is left of it."""
        if isinstance(node, yaml.ScalarNode):
            if node.tag == _NULL:
                self.nothing.append(place)
            return None if node.tag == _NULL else node
        marks = node.start_mark, node.end_mark
        if isinstance(node, yaml.SequenceNode):
            if not node.value:
                return node
            each = [(item, _id_of(item) or number) for number, item in enumerate(node.value)]
            inner = inner_of(annotation)
            kept = [self.kept(item, inner, (*place, name)) for item, name in each]
            items = [item for item in kept if item is not None]
            return yaml.SequenceNode(node.tag, items, *marks) if items else None
        model, before, spare = model_in(annotation), len(self.lacking), len(self.spare)
        written: list[tuple[Any, yaml.Node]] = []
        for key, value in node.value:
            item = self._value(str(key.value), value, model, annotation, place)
            written += [(key, item)] if item is not None else []
        is_open = len(written) < len(node.value) and len(self.spare) == spare
        if is_open and all(
            key.value in FILLED_IN and isinstance(value, yaml.ScalarNode) for key, value in written
        ):
            del self.lacking[before:]
            return None
        there = {key.value for key, _ in written}
        fields = model.model_fields.items() if model is not None else ()
        must = [name for name, field in fields if field.is_required() and name not in there]
        self.lacking.extend((*place, name) for name in must)
        return yaml.MappingNode(node.tag, written, *marks)

    def _value(
        self, key: str, value: yaml.Node, model: Any, annotation: Any, place: _Place
    ) -> yaml.Node | None:
        """What is written behind a key."""
        at, before = (*place, key), len(self.lacking)
        field = model.model_fields.get(key) if model is not None else None
        may_lack = field is not None and not field.is_required() and field.default is None
        if model is not None and field is None:
            return value  # a misspelt key is told before anybody writes its text
        is_blank = isinstance(value, yaml.ScalarNode) and not str(value.value).strip()
        # Where there is a default, it takes the place of an empty text.
        if is_blank and field is not None and (field.is_required() or may_lack):
            self.nothing.append(at)
            return None
        kept = self.kept(value, field.annotation if field else inner_of(annotation), at)
        if may_lack and len(self.lacking) > before:
            self.spare.extend(self.lacking[before:])
            del self.lacking[before:]
            return None
        return kept


def _id_of(node: yaml.Node) -> str | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((str(value.value) for key, value in pairs if key.value == "id"), None)
