"""A language: its folder, and the parts of it that are written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel

from curation.languages.general import (
    PAGE,
    AgreementTexts,
    AnnotationTexts,
    ControlNames,
    General,
    Received,
    Replies,
    SampleWords,
)
from curation.languages.prompts import (
    PromptFile,
    QuestionPrompts,
    SecondReader,
    StoryTexts,
    SuggestTexts,
    SurveyPrompts,
)
from curation.records.culture import Wording
from curation.records.messages import CurateError, counted, own_yaml, shortened
from curation.records.settings import listed_name, parse_settings

if TYPE_CHECKING:
    from curation.languages.written import LanguageFile, Written

_HERE = Path(__file__).parent
_NAMED = 6  # open texts that a message names
_Part = TypeVar("_Part", bound=BaseModel)


class _Read(Generic[_Part]):
    """A part of a language, which is read when it is first asked for."""

    def __init__(self, part: str, model: type[_Part]) -> None:
        self.part, self.model = part, model

    def __set_name__(self, _owner: type, name: str) -> None:
        self.name = name

    def __get__(self, language: "Language", _owner: type) -> _Part | None:
        found = language.part(self.part, self.model)
        language.__dict__[self.name] = found  # where it is looked for first
        return found


@dataclass(frozen=True)
class Language:
    """What is said and read in one language; a part that nobody has written is None.

    Attributes:
        code: Its code, as culture.yaml names it; empty where nobody says which language it is.
        folder: Where the toolkit's files of it are; None where there are none.
        file: The file of a workspace for it, which need not be there. A section of it stands in
            place of our file of that part; one in which nothing is written does not.
        text: What this file says.
        asked: What prompts and settings of a culture call the choice that nobody can know.
    """

    code: str
    folder: Path | None
    file: Path | None = None
    text: str = field(default="", repr=False)
    asked: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((self.code, self.text, self.asked))

    def __str__(self) -> str:
        return self.code

    def written(self, part: str) -> "Written | None":
        """What the file of the workspace says of a part; None where it says nothing of it.

        Raises:
            CurateError: If the file is no YAML, or has a section that is no part of a language.
        """
        if self.file is None or not self.text:
            return None
        from curation.languages.written import read_part

        return read_part(self.text, self.file, part, model_of(part))

    general = _Read("language", General)
    """What it is called, and its unknown expression."""
    agreement = _Read("agreement", AgreementTexts)
    """How forms agree with names."""
    replies = _Read("replies", Replies)
    """The words by which replies of models are read."""
    annotation = _Read("annotation", AnnotationTexts)
    """What annotators, translators and editors read."""
    received = _Read("received", Received)
    """How files of surveys call their columns and values."""
    samples = _Read("samples", SampleWords)
    """The words by which published samples are read."""
    survey = _Read("survey", Wording)
    """What respondents read."""
    prompts = _Read("prompts", QuestionPrompts)
    """How models are asked questions."""
    stories = _Read("stories", StoryTexts)
    """How stories leave open who is who, and how models are asked to continue them."""
    occupations = _Read("occupations", PromptFile)
    """How models are asked about occupations."""
    control = _Read("control", ControlNames)
    """Names of people of no particular group."""
    simulate = _Read("simulate", SurveyPrompts)
    """How models are asked the questions of a survey."""
    suggest = _Read("suggest", SuggestTexts)
    """What is said of suggested labels, and how a model is asked for them."""
    second_reader = _Read("second_reader", SecondReader)
    """How a model is asked which choice a reply names."""

    @property
    def missing_parts(self) -> "tuple[LanguageFile, ...]":
        """The parts that neither the toolkit nor the workspace's file has, in order of writing.

        None where the toolkit has all that every language needs: some need no agreement.
        """
        from curation.languages.written import PARTS

        parts = [
            part
            for part in PARTS.values()
            if self.written(part.name) is None and not self.has_file_of(part.name)
        ]
        return tuple(parts) if any(part.everywhere for part in parts) else ()

    def has_file_of(self, part: str) -> bool:
        """Say whether the toolkit has a file of a part."""
        return self._file_of(part) is not None

    def source_of(self, part: str) -> str:
        """The toolkit's file of a part as it is written; empty where there is none."""
        path = self._file_of(part)
        return path.read_text(encoding="utf-8") if path is not None else ""

    def _file_of(self, part: str) -> Path | None:
        path = self.folder / f"{part}.yaml" if self.folder else None
        return path if path is not None and path.is_file() else None

    def part(self, name: str, model: type[_Part]) -> _Part | None:
        """A part, from the file of the workspace or else from ours; None where it is not written.

        Args:
            name: What its file is called.
            model: What it holds.

        Raises:
            CurateError: If it has an error.
        """
        own = self.written(name)
        if own is not None:
            if own.errors:
                raise own.errors[0]
            return own.value if isinstance(own.value, model) else None
        path = self._file_of(name)
        if path is None:
            return None
        return parse_settings(path.read_text(encoding="utf-8"), model, path, PAGE)


def model_of(part: str) -> type[BaseModel]:
    """The class that says what a part holds."""
    reads = (item for item in vars(Language).values() if isinstance(item, _Read))
    return next(item.model for item in reads if item.part == part)


LanguageOrCode = Language | str
"""A language of a workspace, or a code, which means what the toolkit has of it."""


def load(language: LanguageOrCode) -> Language:
    """The language of a code; without a folder for `zh-Hant` that of `zh`.

    A language that nobody has written anything of has no parts; one that is given as such, with
    what its workspace says of it, is given back.
    """
    return language if isinstance(language, Language) else _bundled(language)


@lru_cache(maxsize=64)
def _bundled(code: str) -> Language:
    known = available()
    exact, plain = code.lower(), code.split("-")[0].lower()
    names = {name.lower(): name for name in known}
    name = names.get(exact, names.get(plain))
    return Language(code, _HERE / name if name else None)


@lru_cache(maxsize=1)
def available() -> tuple[str, ...]:
    """The codes of all languages with at least one file."""
    return tuple(sorted(item.parent.name for item in _HERE.glob("*/language.yaml")))


def missing(part: str, language: LanguageOrCode, lacking: CurateError) -> CurateError:
    """The error of a language without a part that is needed.

    Args:
        part: The part, as `Language` names it.
        language: The language.
        lacking: What there is not, what asks for it and what to do; the languages that have the
            part are added, and for a workspace what is to be written in its file.
    """
    found, what, hint = load(language), lacking.what, lacking.hint
    own = found.written(part)
    if own is not None:
        count = counted(len(own.open), "text is", "texts are")
        return CurateError(
            f"{what.partition(':')[0]}: in the section {part} {count} open, "
            f"{shortened(own.open, _NAMED)}",
            str(found.file),
            f"write them there, or {hint}; 'curate language' lists all that are open",
        )
    have = ", ".join(name for name in available() if getattr(load(name), part) is not None)
    if found.file is not None:
        there = "" if found.text else " ('curate language' writes it, with all texts to write)"
        hint = f"write the section {part} of {found.file}{there}, or {hint}"
    return CurateError(what, lacking.where, f"{hint}; there are some in {have}")


_UNWRITTEN = own_yaml((_HERE / "unwritten.yaml").read_text(encoding="utf-8"))


def is_rtl(language: LanguageOrCode) -> bool:
    """Say whether a language is written from right to left, by the script if its code has one."""
    found = load(language)
    scripts = re.findall(r"-([a-z]{4})\b", found.code.lower())
    if scripts and getattr(found.general, "direction", None) is None:
        return scripts[0] in _UNWRITTEN["scripts"]
    return _is_written(found, "direction", "rtl")


def has_spaces(language: LanguageOrCode) -> bool:
    """Say whether spaces stand between the words of a language."""
    return not _is_written(language, "spaces", False)


def has_suffixes(language: LanguageOrCode) -> bool:
    """Say whether a language writes endings to a name."""
    return _is_written(language, "suffixes", True)


def _is_written(language: LanguageOrCode, key: str, value: object) -> bool:
    """Whether what is written of a language says so, or else our list of such languages."""
    found = load(language)
    said = getattr(found.general, key, None)
    listed = found.code.split("-")[0].lower() in _UNWRITTEN[key]
    return listed if said is None else bool(said == value)


def name_in_english(language: LanguageOrCode) -> str:
    """What a language is called in English, `Korean`; its code where no list has it."""
    found = load(language)
    named = found.general.name if found.general is not None else listed_name(found.code)
    return named or found.code


def name_and_code(language: LanguageOrCode) -> str:
    """What a language is called in English, with its code: `Korean (ko)`; else the code alone."""
    name = name_in_english(found := load(language))
    return f"{name} ({found})" if name != found.code else name


def between_sentences(language: LanguageOrCode) -> str:
    """What stands between two sentences of a language; a space where nothing else is known."""
    general = load(language).general
    return general.between_sentences if general is not None else " "


@lru_cache(maxsize=64)
def received_words(name: str) -> tuple[str, ...]:
    """What files of surveys call something in any language, English first.

    Args:
        name: What, by its key in English's file.
    """
    codes = sorted(available(), key=lambda code: (code != "en", code))
    parts = (load(code).received for code in codes)
    return tuple(word for part in parts if part is not None for word in part.root.get(name, ()))


def calling_unknown(own: Language | None, texts: Iterable[str]) -> Language | None:
    """A language in which some texts, too, are known to say that nobody can know.

    Args:
        own: The language of a workspace; None where nobody says which one it is.
        texts: What prompts or settings call the choice that says so.
    """
    known = own.asked if own is not None else ()
    asked = tuple(dict.fromkeys((*known, *(text for text in texts if text.strip()))))
    return own if asked == known else replace(own or Language("", None), asked=asked)


def asked_unknown(own: Language | None = None) -> tuple[str, ...]:
    """What prompts and settings call the choice that nobody can know, beside the words of packs.

    Args:
        own: The language of a workspace, as `calling_unknown` gives it.
    """
    return own.asked if own is not None else ()


def reply_words(own: Language | None) -> tuple[Replies, ...]:
    """The words that replies are read by: English ones, which models write everywhere, and more.

    What a language's own prompts call the choice that nobody can know is one of its words for it.

    Args:
        own: The language of a workspace, whose words are the others; None, or one without a code,
            for those of all.
    """
    known = {"en": load("en")}
    if own is None or not own.code:
        known |= {code: load(code) for code in available()}
    else:
        known[own.folder.name if own.folder else own.code] = own
    return tuple(words for language in known.values() if (words := _reply_words(language)))


@lru_cache(maxsize=64)
def _reply_words(language: Language) -> Replies | None:
    """The words of one language, with what its prompts, samples and settings call the unknown."""
    words = language.replies
    if words is None:
        return None
    prompts = language.prompts.prompts if language.prompts else ()
    published = language.samples.unknown if language.samples else ()
    named = language.general.unknown if language.general else None
    asked = (*(prompt.unknown for prompt in prompts), *published, named or "")
    more = (text.lower() for text in asked if text)
    return words.model_copy(update={"unknown": (*words.unknown, *more)})


@lru_cache(maxsize=64)
def sample_words(language: LanguageOrCode | None, name: str) -> tuple[str, ...]:
    """What published samples call something, in a language or in all.

    Args:
        language: One language; None for all.
        name: What, as `SampleWords` names it.
    """
    these = available() if language is None else (language,)
    parts = (load(item).samples for item in these)
    return tuple(word for part in parts if part is not None for word in getattr(part, name))
