"""Prompts by which models are asked to continue stories, as data."""

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from string import Formatter

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from curation.io.tables import read_text
from curation.model.errors import CurateError

PLACE = "story"
"""What a layout must hold, and nothing else."""
_ID = re.compile(r"[A-Za-z0-9_]+")
_HINT = "each prompt has an id and a layout with {story}"


class ContinuationPrompt(BaseModel):
    """One way to ask for a continuation.

    Attributes:
        id: What request ids name it by.
        layout: All that the model reads, with `{story}`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    id: str
    layout: str

    @field_validator("id")
    @classmethod
    def _plain(cls, value: str) -> str:
        if not _ID.fullmatch(value):
            raise ValueError("an id holds letters, digits and _ alone")
        return value

    @field_validator("layout")
    @classmethod
    def _place(cls, value: str) -> str:
        parsed = list(Formatter().parse(value))
        used = [place for _, place, _, _ in parsed if place is not None]
        if PLACE not in used:
            raise ValueError(f"the layout lacks {{{PLACE}}}")
        strange = [place for place in used if place != PLACE]
        if strange or any(spec or conversion for _, _, spec, conversion in parsed):
            what = strange[0] if strange else "a format"
            raise ValueError(f"the layout has {{{what}}}, which nothing fills in")
        return value

    def text(self, story: str) -> str:
        """Give what the model reads; nothing in the story is taken for a place of the layout."""
        return self.layout.format(story=story)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    prompts: tuple[ContinuationPrompt, ...] = Field(min_length=1)


def continuation_prompts(
    language: str, path: Path | None = None, ids: Sequence[str] = ()
) -> tuple[ContinuationPrompt, ...]:
    """Give the prompts of a language, or those of a user's own file.

    Args:
        language: ISO 639-1 code.
        path: A YAML file with `prompts`, in place of the toolkit's own.
        ids: Only these; all by default.

    Raises:
        CurateError: If there are none, the file cannot be read, or there is none of an id.
    """
    found = _bundled(language) if path is None else _parsed(read_text(path), str(path))
    known = {prompt.id: prompt for prompt in found}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise CurateError(
            f"there is no prompt '{unknown[0]}'", hint=f"there are {', '.join(known)}"
        )
    return tuple(known[name] for name in dict.fromkeys(ids)) if ids else found


def _bundled(language: str) -> tuple[ContinuationPrompt, ...]:
    folder = resources.files(__package__)
    name = language.split("-")[0].lower()
    files = [item.name for item in folder.iterdir() if item.name.endswith(".yaml")]
    known = sorted(item.removesuffix(".yaml") for item in files)
    if name not in known:
        raise CurateError(
            f"there are no prompts for continuations in '{language}'",
            "culture.yaml, language",
            f"write some and name them with --prompts FILE; there are some in {', '.join(known)}",
        )
    return _parsed(folder.joinpath(f"{name}.yaml").read_text(encoding="utf-8"), f"{name}.yaml")


def _parsed(text: str, where: str) -> tuple[ContinuationPrompt, ...]:
    try:
        prompts = _File.model_validate(yaml.safe_load(text)).prompts
    except yaml.YAMLError as error:
        raise CurateError(f"the file is no YAML: {' '.join(str(error).split())}", where) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        message = first["msg"].removeprefix("Value error, ")
        what = f"the prompts cannot be read: {place}: {message}"
        raise CurateError(what, where, _HINT) from error
    ids = [prompt.id for prompt in prompts]
    doubled = next((name for name in ids if ids.count(name) > 1), None)
    if doubled is not None:
        raise CurateError(f"two prompts have the id '{doubled}'", where, "rename one")
    return prompts
