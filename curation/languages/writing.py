"""The file in which a group writes its language: every text, with the English beside it.

What each text is for is said where the texts are defined: in the docstrings of their classes. The
texts of a related language may stand in it to begin with, each line with a mark (`written.MARK`)
that whoever reviews the line takes away.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

import yaml
from pydantic import BaseModel

from curation.languages.language import Language, load, model_of, name_and_code, name_in_english
from curation.languages.written import FILLED_IN, PARTS, LanguageFile, mark_of
from curation.records.messages import own_yaml
from curation.records.settings import inner_of, model_in

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


def new_text(language: Language, like: Language | None = None) -> str:
    """The text of a file with a place for all that nobody has written in a language.

    Args:
        language: The language.
        like: A related one, whose texts stand in the places, marked as not yet reviewed.
    """
    parts = language.missing_parts
    lines = list(_comment(_HEAD.format(language=name_and_code(language), code=language)))
    if like is not None:
        lines += _comment(_TAKEN.format(like=name_and_code(like), mark=mark_of(like)))
    for part in parts:
        lines += ["", *_part(part, language, like)]
    return "\n".join(lines) + "\n"


_HEAD = """\
What is said and read in {language}, in this workspace. Write each text behind its key; the \
English stands above it. Begin with the first parts: the later ones are needed by fewer commands. \
A part counts as open until all that is marked (required) is written. What is marked (may stay \
empty) is not needed: the toolkit then does without. The rest is needed where the key above it is \
used. A part in which nothing is written is as if it were not here; 'key: []' says that there is \
none.

Words in braces such as {{context}} are put in by the toolkit: keep them as they are. A text with \
a colon, a quotation mark or a brace stands in quotation marks, "..."; one of several lines below \
|- and indented. A list is written [one, other], or a line each behind a hyphen.

curate language     says what is wrong, with its line, and what is open.
docs/languages.md   explains the parts; phrases of 'replies' have a notation of their own."""
_TAKEN = """\

Lines with '{mark}' at the end are taken over from {like}. They are used as they \
are. Correct each one, and take its mark away: then it counts as reviewed. No rule by which texts \
are changed, such as contractions or agreement, is taken over: write those of your language."""


def needed(name: str) -> tuple[str, ...]:
    """The texts that a part must have, by their keys."""
    fields = model_of(name).model_fields.items()
    must = [key for key, field in fields if field.is_required() and key not in FILLED_IN]
    return tuple(f"{name}.{key}" for key in dict.fromkeys((*must, *PARTS[name].required)))


def _part(part: LanguageFile, language: Language, like: Language | None) -> Iterator[str]:
    theirs = own_yaml((like.source_of(part.name) if like is not None else "") or "{}")
    taken = {key: value for key, value in theirs.items() if not {key, "*"} & {*part.own}}
    example = load(_EXAMPLES.get(part.name, "en"))
    data = own_yaml(example.source_of(part.name) or "{}")
    yield f"# {'-' * 4} {part.name} {'-' * (_WIDTH - 8 - len(part.name))}"
    yield from _comment(f"For {part.needed_for}.")
    if part.note:
        yield from _comment(part.note)
    yield f"{part.name}:"
    known = name_in_english(example)
    mark = mark_of(like) if like is not None else ""
    yield from _Writer(str(language), known, data, taken, mark).mapping(
        data, model_of(part.name), 1, {*part.required}, whole=True, taken=taken
    )


class _Writer:
    """Writes keys with nothing behind them, or what is taken over; above each what it is for.

    Attributes:
        code: The language that is written.
        known: What the language that stands beside it is called.
        data: All that stands beside it.
        taken: All that is taken over from another one.
        mark: What stands behind each line of that.
    """

    def __init__(self, code: str, known: str, data: object, taken: object, mark: str) -> None:
        self.code, self.known, self.mark = code, known, mark
        self._names: dict[int, str] = {}
        counted = Counter(map(id, (*_collections(data), *_collections(taken))))
        self._shared = {name for name, count in counted.items() if count > 1}

    def mapping(
        self,
        data: Mapping[str, Any],
        annotation: Any,
        depth: int,
        required: set[str] | None = None,
        *,
        whole: bool = False,
        taken: Mapping[str, Any] | None = None,
        needed: bool = True,
    ) -> Iterator[str]:
        """The lines of a mapping, required keys first; others of the class as remarks.

        What the class asks for is required only where the mapping itself is needed.
        """
        model, taken = model_in(annotation), taken or {}
        if model is None:
            for key in dict.fromkeys((*data, *taken)):
                value, inner = data.get(key), inner_of(annotation)
                yield from self._entry(str(key), value, inner, depth, "", None, taken.get(key))
            return
        fields, purposes = model.model_fields, purposes_of(model)
        must = {key for key in fields if fields[key].is_required()} | (required or set())
        shown = {*(key for key in data if key not in _REMARKS), *taken}
        keys = [key for key in fields if key in must or key in shown]
        for key in sorted(keys, key=lambda key: key not in must):
            yield from self._entry(
                key,
                data.get(key),
                fields[key].annotation,
                depth,
                purposes.get(key, ""),
                (needed or None) if key in must else None if key in _AS_USED else False,
                taken.get(key),
            )
        others = [key for key in fields if key not in keys]
        if whole and others:
            yield from _comment("Where the language needs them (docs/languages.md):", depth)
            for key in others:
                yield from _comment(f"{key}: {purposes.get(key, '')}", depth)

    def _entry(
        self,
        key: str,
        value: Any,
        annotation: Any,
        depth: int,
        purpose: str,
        must: bool | None,
        taken: Any,
    ) -> Iterator[str]:
        """One key; `must` is None where it depends on what else is used."""
        space = "  " * depth
        subject = value if taken is None else taken
        if key in FILLED_IN and isinstance(subject, str):
            yield f"{space}{key}: " + (self.code if key == "language" else f'"{subject}"')
            return
        model = model_in(annotation) is not None
        nested = isinstance(subject, Mapping) and (model or key in _KEYS)
        ways = isinstance(subject, list) and model_in(inner_of(annotation)) is not None
        said = {True: " (required)", None: "", False: " (may stay empty)"}[must]
        yield from _comment(f"{purpose}{said}".strip(), depth)
        if not nested and not ways:
            yield from self._shown(value, depth)
            yield from [f"{space}{key}:"] if taken is None else self._taken(key, taken, space)
        elif id(subject) in self._names:
            yield f"{space}{key}: *{self._names[id(subject)]}"
        else:
            yield f"{space}{key}:{self._anchor(key, subject)}"
            if nested:
                yield from self.mapping(
                    value or {}, annotation, depth + 1, taken=taken, needed=must is True
                )
            asked = subject[: None if taken else _WAYS] if ways else ()
            needs = chain([must is True], repeat(False))
            for way, beside, first in zip(
                asked, chain(value or (), repeat({})), needs, strict=False
            ):
                inner = inner_of(annotation)
                lines = list(
                    self.mapping(beside, inner, depth + 2, taken=taken and way, needed=first)
                )
                yield f"{space}  -{lines[0][len(space) + 3 :]}"
                yield from lines[1:]

    def _taken(self, key: str, value: Any, space: str) -> Iterator[str]:
        """The lines of what is taken over: a text, or items that have a line each if they are long.

        Each has the mark; of a text with lines below its key, this first one has it.
        """
        whole = f"{space}{key}: {_in_flow(value)}  {self.mark}"
        block = self._block(value)
        if "\n" not in whole and (len(whole) <= _WIDTH or not (block or isinstance(value, list))):
            yield whole
        elif block:
            yield f"{space}{key}: {block[0]}  {self.mark}"
            yield from (f"{space}  {line}".rstrip() for line in block[1:])
        elif any(len(str(item)) > _LONG for item in value):
            yield f"{space}{key}:"
            yield from (f"{space}  - {_in_flow(item)}  {self.mark}" for item in value)
        else:
            yield f"{space}{key}: ["
            text = f"{space}  "
            for item in map(_in_flow, value):
                if len(text) + len(item) > _WIDTH - len(self.mark) and text.strip():
                    yield f"{text} {self.mark}"
                    text = f"{space}  "
                text += f"{item}, "
            yield f"{text} {self.mark}"
            yield f"{space}]"

    @staticmethod
    def _block(value: Any) -> list[str]:
        """A text as a block, the sign of the block first; none where it would not be the same."""
        if not isinstance(value, str):
            return []
        lines = ["|-", *value.split("\n")]
        if "\n" not in value:
            lines = [">-", *textwrap.wrap(value, _WIDTH - 8, break_on_hyphens=False)]
        text = "\n  ".join(["key: " + lines[0], *lines[1:]])
        return lines if own_yaml(text) == {"key": value} else []

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


def _in_flow(value: Any) -> str:
    """A value as it stands in a list, quoted where it must be."""
    return _flow([value])[1:-1]


def _comment(text: str, depth: int = 0) -> Iterator[str]:
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
