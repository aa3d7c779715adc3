"""How a model is asked: prompts as data, round the questions that people read."""

from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import TypeAdapter, ValidationError

from curation.files.tables import read_text
from curation.languages import Language, LanguageOrCode, load, missing
from curation.languages.prompts import SurveyPrompt
from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.survey import Question, QuestionKind

_PROMPTS = TypeAdapter(list[SurveyPrompt])


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

    prompts: tuple[SurveyPrompt, ...]
    choice: str
    select_all: str
    none: str
    culture: str
    categories: dict[str, str]

    def ask(self, prompt: SurveyPrompt, question: Question, options: str) -> str:
        """Put a question and its options into a prompt."""
        several = question.kind is QuestionKind.SELECT_ALL
        asked = (self.select_all if several else self.choice).format(
            stereotype=question.stereotype,
            category=self.categories.get(question.category, question.category),
        )
        frame = prompt.select_all if several else prompt.choice
        return frame.format(question=asked.strip(), options=options, culture=self.culture).strip()


def load_wording(
    culture: Culture, path: Path | None = None, language: LanguageOrCode | None = None
) -> Wording:
    """Put the prompts of a culture's language round its survey's own questions.

    Args:
        culture: The culture.
        path: Prompts of the user's own, in place of the toolkit's.
        language: Its language with what its workspace says of it; by default as we have it.

    Raises:
        CurateError: If the prompts cannot be read, or the language has none, or no texts for
            its survey's questions.
    """
    known = load(language or culture.language)
    own, base = culture.questionnaire.wording, known.survey
    texts: dict[str, str] = {
        name: getattr(own, name) or getattr(base, name, None) or ""
        for name in ("choice", "select_all", "none")
    }
    lacking = [name for name, text in texts.items() if not text]
    if lacking:
        raise missing(
            "survey",
            known,
            f"there are no survey texts in '{known}': {', '.join(lacking)} missing",
            "culture.yaml, questionnaire.wording",
            "write under questionnaire.wording in culture.yaml what people were asked",
        )
    return Wording(
        prompts=read_prompts(path) if path else _own_prompts(known),
        culture=culture.culture,
        categories={item.id: item.name or item.id for item in culture.categories},
        choice=texts["choice"],
        select_all=texts["select_all"],
        none=texts["none"],
    )


def _own_prompts(language: Language) -> tuple[SurveyPrompt, ...]:
    found = language.simulate
    if found is None:
        raise missing(
            "simulate",
            language,
            f"there are no prompts in '{language}'",
            "culture.yaml, language",
            "write some and name them with --wording FILE",
        )
    return found.prompts


def read_prompts(path: Path) -> tuple[SurveyPrompt, ...]:
    """Read a file of prompts: a YAML list of `id`, `choice` and `select_all`.

    Raises:
        CurateError: If it is none, or two prompts have one id.
    """
    where, hint = str(path), "write a list of prompts, each with id, choice and select_all"
    try:
        prompts = tuple(_PROMPTS.validate_python(yaml.safe_load(read_text(path))))
    except yaml.YAMLError as error:
        what = " ".join(str(error).split())
        raise CurateError(f"the prompts are not YAML: {what}", where, hint) from error
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
