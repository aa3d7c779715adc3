"""The file in which a group writes its language: every text, with the English beside it.

What each text is for is said where the texts are defined: in the docstrings of their classes.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import yaml
from pydantic import BaseModel

from curation.languages.language import Language, load, name_and_code
from curation.languages.parts import PARTS, Part, model_of
from curation.languages.written import FILLED_IN, inner_of, model_in

_WIDTH = 98
_WAYS = 2  # of asking that have a place in the file; more may be written
_EXAMPLES = {"agreement": "es"}  # English shows little of it
_REMARKS = ("common", "deepl", "parts", "published")  # of English alone, or what few languages need
_KEYS = (
    "attributes",
    "groups",
    "headings",
    "labels",
    "notes",
    "pronouns",
    "tasks",
)  # of the same keys in all
_AS_USED = ("attributes", "groups", "labels", "pronouns")  # needed as far as they are used
_LONG = 60  # characters from which items of a list have a line each
_FIELD = re.compile(r"^ {4}(\w+): (.*)$")


def missing_parts(language: Language) -> tuple[Part, ...]:
    """The parts that neither the toolkit nor the workspace's file has, in the order of writing.

    None where the toolkit has all that every language needs: some need no agreement.
    """
    parts = [
        part
        for part in PARTS.values()
        if language.written(part.name) is None and not language.has_file_of(part.name)
    ]
    return tuple(parts) if any(part.everywhere for part in parts) else ()


def new_text(language: Language) -> str:
    """The text of a file with a place for all that nobody has written in a language."""
    parts = missing_parts(language)
    name = name_and_code(language) if language.general is not None else f"'{language}'"
    lines = list(_comment(_HEAD.format(language=name, code=language), 0))
    for part in parts:
        lines += ["", *_part(part, language)]
    return "\n".join(lines) + "\n"


_HEAD = """\
What is said and read in {language}, in this workspace. Write each text behind its key; the \
English stands above it. What stays empty counts as open. Begin with the first parts: the later \
ones are needed by fewer commands, and what is marked (may stay empty) is needed by none. A part \
in which nothing is written is as if it were not here; 'key: []' says that there is none.

Words in braces such as {{context}} are put in by the toolkit: keep them as they are. A text with \
a colon, a quotation mark or a brace stands in quotation marks, "..."; one of several lines below \
|- and indented. A list is written [one, other], or a line each behind a hyphen.

curate language     says what is wrong, with its line, and what is open.
docs/languages.md   explains the parts; phrases of 'replies' have a notation of their own."""


def _part(part: Part, language: Language) -> Iterator[str]:
    example = load(_EXAMPLES.get(part.name, "en"))
    data = yaml.safe_load(example.source_of(part.name) or "{}")
    yield f"# {'-' * 4} {part.name} {'-' * (_WIDTH - 8 - len(part.name))}"
    yield from _comment(f"For {part.needed_for}.", 0)
    if part.note:
        yield from _comment(part.note, 0)
    yield f"{part.name}:"
    known = example.general.name if example.general is not None else "English"
    yield from _Writer(str(language), known, data).mapping(
        data, model_of(part.name), 1, {*part.required}, whole=True
    )


class _Writer:
    """Writes keys with nothing behind them, and above each what it is for.

    Attributes:
        code: The language that is written.
        known: What the language that stands beside it is called.
        data: All that stands beside it.
    """

    def __init__(self, code: str, known: str, data: object) -> None:
        self.code, self.known = code, known
        self._names: dict[int, str] = {}
        counted = Counter(map(id, _collections(data)))
        self._shared = {name for name, count in counted.items() if count > 1}

    def mapping(
        self,
        data: Mapping[str, Any],
        annotation: Any,
        depth: int,
        required: set[str] | None = None,
        *,
        whole: bool = False,
    ) -> Iterator[str]:
        """The lines of a mapping, required keys first; others of the class as remarks."""
        model = model_in(annotation)
        if model is None:
            for key, value in data.items():
                yield from self._entry(str(key), value, inner_of(annotation), depth, "", True)
            return
        fields, purposes = model.model_fields, purposes_of(model)
        must = {key for key in fields if fields[key].is_required()} | (required or set())
        keys = [key for key in fields if key in must or (key in data and key not in _REMARKS)]
        for key in sorted(keys, key=lambda key: key not in must):
            value, purpose = data.get(key), purposes.get(key, "")
            yield from self._entry(
                key,
                value,
                fields[key].annotation,
                depth,
                purpose,
                key in must or key in _AS_USED,
            )
        others = [key for key in fields if key not in keys]
        if whole and others:
            yield from _comment("Where the language needs them (docs/languages.md):", depth)
            for key in others:
                yield from _comment(f"{key}: {purposes.get(key, '')}", depth)

    def _entry(
        self, key: str, value: Any, annotation: Any, depth: int, purpose: str, must: bool
    ) -> Iterator[str]:
        space = "  " * depth
        if key in FILLED_IN and isinstance(value, str):
            yield f"{space}{key}: {self.code if key == 'language' else _quoted(value)}"
            return
        nested = isinstance(value, Mapping) and (model_in(annotation) is not None or key in _KEYS)
        ways = isinstance(value, list) and model_in(inner_of(annotation)) is not None
        yield from _comment(f"{purpose}{'' if must else ' (may stay empty)'}".strip(), depth)
        if not nested and not ways:
            yield from self._shown(value, depth)
            yield f"{space}{key}:"
        elif id(value) in self._names:
            yield f"{space}{key}: *{self._names[id(value)]}"
        else:
            yield f"{space}{key}:{self._anchor(key, value)}"
            if nested:
                yield from self.mapping(value, annotation, depth + 1)
            for way in value[:_WAYS] if ways else ():
                lines = list(self.mapping(way, inner_of(annotation), depth + 2))
                yield f"{space}  -{lines[0][len(space) + 3 :]}"
                yield from lines[1:]

    def _anchor(self, key: str, value: Any) -> str:
        """A name for what stands in several places, and is written once."""
        if id(value) not in self._shared:
            return ""
        name = self._names[id(value)] = f"{key}_{len(self._names) + 1}"
        return f" &{name}"

    def _shown(self, value: Any, depth: int) -> Iterator[str]:
        if value is None:
            return
        if isinstance(value, list) and any(len(str(item)) > _LONG for item in value):
            yield from _comment(f"{self.known}:", depth)
            for item in value:
                yield from _comment(f"- {item}", depth)
            return
        text = value if isinstance(value, str) else _flow(value)
        yield from _comment(f"{self.known}: {text.strip()}", depth)


def _collections(data: object) -> Iterator[object]:
    """The lists and mappings of data, as often as they stand there."""
    if isinstance(data, dict | list):
        yield data
        for item in data.values() if isinstance(data, dict) else data:
            yield from _collections(item)


def _flow(value: Any) -> str:
    dumped = yaml.safe_dump(value, allow_unicode=True, default_flow_style=True, width=10**6)
    return str(dumped).strip()


def _quoted(text: str) -> str:
    return f'"{text}"'


def _comment(text: str, depth: int) -> Iterator[str]:
    """Lines of a remark, which keeps the lines of its text."""
    start = f"{'  ' * depth}# "
    for paragraph in text.split("\n") if text else ():
        wrapped = textwrap.wrap(
            paragraph, _WIDTH - len(start), break_long_words=False, break_on_hyphens=False
        )
        for line in wrapped or [""]:
            yield (start + line).rstrip()


@lru_cache(maxsize=64)
def purposes_of(model: type[BaseModel]) -> dict[str, str]:
    """What each field of a class is for: the sentence of it in the docstrings."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        section = (cls.__doc__ or "").partition("Attributes:\n")[2]
        name = ""
        for line in textwrap.dedent(section).splitlines():
            match = _FIELD.match("    " + line)
            if match:
                name = match[1]
                found[name] = match[2]
            elif name and line.strip():
                found[name] += f" {line.strip()}"
            else:
                name = ""
    return found
