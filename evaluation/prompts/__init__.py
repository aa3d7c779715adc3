"""Prompts as data: the toolkit's own, a user's YAML, or KoBBQ's published table.

A prompt has a layout that says all that the model reads, in the structure of KoBBQ's: an
instruction, context, question, three choices with their letters, and where the answer goes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Formatter

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from curation.io.tables import read_table, read_text, refuse_problems
from curation.model.errors import CurateError
from evaluation.orders import Orders

PLACES = ("context", "question", "a", "b", "c")
"""What a layout must hold; `{instruction}` may stand in it too."""
_ID = re.compile(r"[A-Za-z0-9_]+")
_TABLE = ("prompt_id", "instruction", "context", "question", "a", "b", "c", "answer", "unknown")
_LETTER = re.compile(r"[A-Za-z0-9](?=[^A-Za-z0-9]*$)")
_HINT = "each prompt has an id, a layout with {context}, {question}, {a}, {b}, {c}, and unknown"


class Prompt(BaseModel):
    """One way to ask.

    Attributes:
        id: What request ids name it by.
        instruction: What the model is told to do.
        layout: All that the model reads, with `{instruction}`, `{context}`, `{question}` and the
            choices `{a}`, `{b}`, `{c}`.
        letters: What the choices are called in it.
        unknown: The third choice, in place of the samples' own unknown expression.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    id: str
    instruction: str = ""
    layout: str
    letters: tuple[str, str, str] = ("A", "B", "C")
    unknown: str = Field(min_length=1)

    @field_validator("id")
    @classmethod
    def _plain(cls, value: str) -> str:
        if not _ID.fullmatch(value):
            raise ValueError("an id holds letters, digits and _ alone")
        return value

    @field_validator("layout")
    @classmethod
    def _places(cls, value: str) -> str:
        parsed = list(Formatter().parse(value))
        used = [place for _, place, _, _ in parsed if place is not None]
        missing = [place for place in PLACES if place not in used]
        if missing:
            raise ValueError(f"the layout lacks {{{missing[0]}}}")
        allowed = (*PLACES, "instruction")
        strange = [place for place in used if place not in allowed]
        if strange or any(spec or conversion for _, _, spec, conversion in parsed):
            what = strange[0] if strange else "a format"
            raise ValueError(f"the layout has {{{what}}}, which nothing fills in")
        return value

    @field_validator("letters")
    @classmethod
    def _distinct(cls, value: tuple[str, str, str]) -> tuple[str, str, str]:
        if len({letter.casefold() for letter in value}) < 3 or not all(value):
            raise ValueError("the letters are three different ones")
        return value

    @model_validator(mode="after")
    def _instructed(self) -> "Prompt":
        if self.instruction and "{instruction}" not in self.layout:
            raise ValueError("there is an instruction, and no {instruction} in the layout")
        return self

    def text(self, context: str, question: str, choices: Sequence[str]) -> str:
        """Give what the model reads; nothing in the texts is taken for a place of the layout."""
        a, b, c = choices
        return self.layout.format(
            instruction=self.instruction, context=context, question=question, a=a, b=b, c=c
        )


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    orders: Orders | None = None
    prompts: tuple[Prompt, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class PromptSet:
    """The prompts of a file.

    Attributes:
        prompts: In their order; no two have one id.
        orders: The orders of choices that the file asks for, if it says.
    """

    prompts: tuple[Prompt, ...]
    orders: Orders | None = None

    def only(self, ids: Sequence[str]) -> "PromptSet":
        """Give the prompts of some ids.

        Raises:
            CurateError: If there is none of an id.
        """
        known = {prompt.id: prompt for prompt in self.prompts}
        unknown = [name for name in ids if name not in known]
        if unknown:
            raise CurateError(
                f"there is no prompt '{unknown[0]}'", hint=f"there are {', '.join(known)}"
            )
        return PromptSet(tuple(known[name] for name in dict.fromkeys(ids)), self.orders)


def read_prompts(path: Path) -> PromptSet:
    """Read prompts: YAML with `prompts` and, if wanted, `orders`, or KoBBQ's published TSV.

    The table's parts (`instruction`, `context`, ..., `answer`) are put together as KoBBQ's
    preprocessing does; its column `prompt` is for people, and differs from them in one prompt.

    Raises:
        CurateError: If the file is none of both, or two prompts have one id.
    """
    if path.suffix.lower() in (".tsv", ".csv"):
        return _distinct(_table(path), None, str(path))
    return _parsed(read_text(path), str(path))


def bundled_prompts(language: str) -> PromptSet:
    """Give the toolkit's own five prompts of a language.

    Raises:
        CurateError: If there are none.
    """
    folder = resources.files(__package__)
    name = language.split("-")[0]
    endings = (item.name for item in folder.iterdir() if item.name.endswith(".yaml"))
    known = sorted(item.removesuffix(".yaml") for item in endings)
    if name not in known:
        raise CurateError(
            f"there are no prompts in '{language}'",
            "culture.yaml, language",
            f"write some and name them with --prompts FILE; there are some in {', '.join(known)}",
        )
    return _parsed(folder.joinpath(f"{name}.yaml").read_text(encoding="utf-8"), f"{name}.yaml")


def _parsed(text: str, where: str) -> PromptSet:
    try:
        value = yaml.safe_load(text)
        found = _File.model_validate(value)
    except yaml.YAMLError as error:
        raise CurateError(f"the file is no YAML: {' '.join(str(error).split())}", where) from error
    except ValidationError as error:
        # a key that is misspelt is also one that is missing: the first says more
        first = min(error.errors(), key=lambda item: item["type"] != "extra_forbidden")
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        message = first["msg"].removeprefix("Value error, ")
        raise CurateError(
            f"the prompts cannot be read: {place}: {message}", where, _HINT
        ) from error
    return _distinct(found.prompts, found.orders, where)


def _distinct(prompts: Sequence[Prompt], orders: Orders | None, where: str) -> PromptSet:
    ids = [prompt.id for prompt in prompts]
    doubled = next((name for name in ids if ids.count(name) > 1), None)
    if doubled is not None:
        raise CurateError(f"two prompts have the id '{doubled}'", where, "rename one")
    return PromptSet(tuple(prompts), orders)


def _table(path: Path) -> list[Prompt]:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    table = read_table(path, required=_TABLE, delimiter=delimiter)
    refuse_problems(table)
    prompts = []
    for row in table.rows:
        try:
            prompts.append(_published({name: row[name] for name in _TABLE}))
        except ValueError as error:
            what = (
                " ".join(str(error).split("\n")[-2:])
                if isinstance(error, ValidationError)
                else error
            )
            raise CurateError(
                f"the prompt cannot be read: {what}", f"{path}, row {row.number}", _HINT
            ) from error
    if not prompts:
        raise CurateError(f"{path.name} holds no prompt", str(path), _HINT)
    return prompts


def _published(cells: dict[str, str]) -> Prompt:
    """Put the parts of a row together as KoBBQ's preprocessing does (its evaluation, step 1)."""
    literal = {name: cell.replace("{", "{{").replace("}", "}}") for name, cell in cells.items()}
    lines = [f"{literal[name]}{{{name}}}" for name in PLACES]
    letters = [_LETTER.search(cells[name]) for name in ("a", "b", "c")]
    if not all(letters):
        raise ValueError("a choice has no letter before it")
    return Prompt(
        id=cells["prompt_id"],
        instruction=cells["instruction"],
        layout="\n".join(("{instruction}\n", *lines, literal["answer"])),
        letters=tuple(match.group() for match in letters if match),
        unknown=cells["unknown"],
    )
