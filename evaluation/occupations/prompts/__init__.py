"""How the tasks are asked: personas, instructions and pronouns as data, a file a language."""

import re
from importlib import resources
from pathlib import Path
from string import Formatter

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from curation.io.tables import read_text
from curation.model.errors import CurateError

_ID = re.compile(r"[A-Za-z0-9_]+")
_HINT = "write it as the toolkit's own file is written (docs/evaluation-occupations.md)"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


class Instruction(_Part):
    """One way to ask, with `{sentence}`, `{options}` and, in coreference, `{pronoun}`.

    Attributes:
        id: What items name it by.
        text: All that the model reads.
    """

    id: str
    text: str

    @field_validator("id")
    @classmethod
    def _plain(cls, value: str) -> str:
        if not _ID.fullmatch(value):
            raise ValueError("an id holds letters, digits and _ alone")
        return value


class Survey(_Part):
    """What people read who are asked the same items.

    Attributes:
        title: Title of the form.
        intro: What it is about; may hold `{minutes}` and `{questions}`.
        instructions: How to answer.
        question: The question, with `{stereotype}` where the item's sentence goes.
    """

    title: str
    intro: str
    instructions: str
    question: str


class Task(_Part):
    """One task: personas of two groups, or sentences with a pronoun.

    Attributes:
        groups: By group its personas, which may hold `{country}`.
        pronouns: By group its pronouns, in small letters.
        same_as: For words of the sentences the occupation whose ratio they have.
        instructions: The ways to ask.
        survey: What people read.
    """

    groups: dict[str, tuple[str, ...]] = {}
    pronouns: dict[str, tuple[str, ...]] = {}
    same_as: dict[str, str] = {}
    instructions: tuple[Instruction, ...] = Field(min_length=1)
    survey: Survey

    @model_validator(mode="after")
    def _whole(self) -> "Task":
        if bool(self.groups) == bool(self.pronouns):
            raise ValueError("a task has either groups with personas or pronouns")
        names = self.groups or self.pronouns
        if len(names) != 2 or not all(names.values()):
            raise ValueError("there must be two groups, and something to name each")
        if len({len(personas) for personas in self.groups.values()}) > 1:
            raise ValueError("the two groups must have as many personas")
        ids = [item.id for item in self.instructions]
        doubled = next((name for name in ids if ids.count(name) > 1), None)
        if doubled is not None:
            raise ValueError(f"two instructions have the id '{doubled}'")
        for item in self.instructions:
            _check_places(item, pronoun=bool(self.pronouns))
        for persona in (text for texts in self.groups.values() for text in texts):
            _only(persona, {"country"}, f"persona '{persona}'")
        return self

    @property
    def group_names(self) -> tuple[str, ...]:
        """The two groups."""
        return tuple(self.groups or self.pronouns)


def _check_places(item: Instruction, *, pronoun: bool) -> None:
    needed = {"sentence", "options", *(("pronoun",) if pronoun else ())}
    used = _only(item.text, needed, f"instruction {item.id}")
    missing = sorted(needed - used)
    if missing:
        raise ValueError(f"instruction {item.id} lacks {{{missing[0]}}}")


def _only(text: str, allowed: set[str], what: str) -> set[str]:
    """Give the places of a text, refusing those that nothing fills in."""
    parsed = list(Formatter().parse(text))
    used = {place for _, place, _, _ in parsed if place is not None}
    strange = sorted(used - allowed)
    if strange or any(spec or conversion for _, _, spec, conversion in parsed):
        raise ValueError(
            f"{what} has {{{strange[0] if strange else 'a format'}}}, which nothing fills in"
        )
    return used


class PromptFile(_Part):
    """The prompts of a language.

    Attributes:
        language: ISO 639-1 code.
        country: Where the personas live, unless the command says.
        unknown: The option that it cannot be known.
        tasks: The tasks by name.
    """

    language: str
    country: str
    unknown: str = Field(min_length=1)
    tasks: dict[str, Task]

    def task(self, name: str) -> Task:
        """Give a task.

        Raises:
            CurateError: If the language has no prompts for it.
        """
        if name not in self.tasks:
            raise CurateError(
                f"there are no prompts for {name} in '{self.language}'",
                "--task",
                f"there are some for {', '.join(self.tasks)}; or write your own (--prompts FILE)",
            )
        return self.tasks[name]


def bundled_prompts(language: str) -> PromptFile:
    """Give the toolkit's own prompts of a language.

    Raises:
        CurateError: If there are none.
    """
    folder = resources.files(__package__)
    endings = (item.name for item in folder.iterdir() if item.name.endswith(".yaml"))
    known = sorted(name.removesuffix(".yaml") for name in endings)
    if language not in known:
        raise CurateError(
            f"there are no prompts in '{language}'",
            "--language",
            f"there are some in {', '.join(known)}; or write your own (--prompts FILE)",
        )
    text = folder.joinpath(f"{language}.yaml").read_text(encoding="utf-8")
    return _parsed(text, f"{language}.yaml")


def read_prompts(path: Path) -> PromptFile:
    """Read a file of prompts.

    Raises:
        CurateError: If it is none.
    """
    return _parsed(read_text(path), str(path))


def _parsed(text: str, where: str) -> PromptFile:
    try:
        return PromptFile.model_validate(yaml.safe_load(text))
    except yaml.YAMLError as error:
        what = f"the prompts are no YAML: {' '.join(str(error).split())}"
        raise CurateError(what, where, _HINT) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        message = first["msg"].removeprefix("Value error, ")
        raise CurateError(
            f"the prompts cannot be read: {place}: {message}", where, _HINT
        ) from error
