"""How a model is asked: prompts as data, round the questions that people read."""

import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Formatter

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, field_validator

from curation.io.tables import read_text
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.survey import Question, QuestionKind
from survey.building.wording import default_wording

_NEEDED = ("question", "options")
_ALLOWED = (*_NEEDED, "culture")
_ID = re.compile(r"[A-Za-z0-9_]+")


class Prompt(BaseModel):
    """One way to ask, with `{question}`, `{options}` and, if wanted, `{culture}`.

    Attributes:
        id: What request ids name it by.
        choice: For a question of validation: one option is to be named.
        select_all: For one of target selection: all that apply.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    choice: str
    select_all: str

    @field_validator("id")
    @classmethod
    def _plain(cls, value: str) -> str:
        if not _ID.fullmatch(value):
            raise ValueError("an id holds letters, digits and _ alone")
        return value

    @field_validator("choice", "select_all")
    @classmethod
    def _placeholders(cls, value: str) -> str:
        used = [place for _, place, _, _ in Formatter().parse(value) if place is not None]
        missing = [place for place in _NEEDED if place not in used]
        if missing:
            raise ValueError(f"it lacks {{{missing[0]}}}")
        strange = [place for place in used if place not in _ALLOWED]
        if strange:
            raise ValueError(f"it has {{{strange[0]}}}, which nothing fills in")
        return value


_PROMPTS = TypeAdapter(list[Prompt])


@dataclass(frozen=True, slots=True)
class Wording:
    """All words that a model reads.

    Attributes:
        prompts: The ways to ask.
        choice: What people were asked in validation, with `{stereotype}`.
        select_all: What they were asked in target selection.
        none: The option that no such stereotype exists, where a question has no text for it.
        culture: The culture's name.
        categories: The categories' names as people read them.
    """

    prompts: tuple[Prompt, ...]
    choice: str
    select_all: str
    none: str
    culture: str
    categories: dict[str, str]

    def ask(self, prompt: Prompt, question: Question, options: str) -> str:
        """Put a question and its options into a prompt."""
        several = question.kind is QuestionKind.SELECT_ALL
        asked = (self.select_all if several else self.choice).format(
            stereotype=question.stereotype,
            category=self.categories.get(question.category, question.category),
        )
        frame = prompt.select_all if several else prompt.choice
        return frame.format(question=asked.strip(), options=options, culture=self.culture).strip()


def load_wording(culture: Culture, path: Path | None = None) -> Wording:
    """Put the prompts of a culture's language round its survey's own questions.

    Args:
        culture: The culture.
        path: Prompts of the user's own, in place of the toolkit's.

    Raises:
        CurateError: If the prompts cannot be read, or the language has none, or no texts for
            its survey's questions.
    """
    own, base = culture.questionnaire.wording, default_wording(culture.language)
    texts: dict[str, str] = {
        name: getattr(own, name) or getattr(base, name, None) or ""
        for name in ("choice", "select_all", "none")
    }
    missing = [name for name, text in texts.items() if not text]
    if missing:
        raise CurateError(
            f"there are no survey texts in '{culture.language}': {', '.join(missing)} missing",
            "culture.yaml, questionnaire.wording",
            "write there what people were asked",
        )
    return Wording(
        prompts=read_prompts(path) if path else _own_prompts(culture.language),
        culture=culture.culture,
        categories={item.id: item.name or item.id for item in culture.categories},
        choice=texts["choice"],
        select_all=texts["select_all"],
        none=texts["none"],
    )


def _own_prompts(language: str) -> tuple[Prompt, ...]:
    folder = resources.files(__package__).joinpath("prompts")
    name = language.split("-")[0]
    known = sorted(item.name.removesuffix(".yaml") for item in folder.iterdir())
    if name not in known:
        raise CurateError(
            f"there are no prompts in '{language}'",
            "culture.yaml, language",
            f"write some and name them with --wording FILE; there are some in {', '.join(known)}",
        )
    path = folder.joinpath(f"{name}.yaml")
    return _parsed(path.read_text(encoding="utf-8"), path.name)


def read_prompts(path: Path) -> tuple[Prompt, ...]:
    """Read a file of prompts: a YAML list of `id`, `choice` and `select_all`.

    Raises:
        CurateError: If it is none, or two prompts have one id.
    """
    return _parsed(read_text(path), str(path))


def _parsed(text: str, where: str) -> tuple[Prompt, ...]:
    hint = "write a list of prompts, each with id, choice and select_all"
    try:
        prompts = tuple(_PROMPTS.validate_python(yaml.safe_load(text)))
    except yaml.YAMLError as error:
        what = " ".join(str(error).split())
        raise CurateError(f"the prompts are no YAML: {what}", where, hint) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ", ".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        raise CurateError(f"the prompts cannot be read: {place}: {message}", where, hint) from error
    ids = [prompt.id for prompt in prompts]
    doubled = sorted({name for name in ids if ids.count(name) > 1})
    if doubled or not prompts:
        what = f"two prompts have the id '{doubled[0]}'" if doubled else "there is no prompt"
        raise CurateError(what, where, hint)
    return prompts
