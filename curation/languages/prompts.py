"""How models are asked in a language: questions, stories, the questions of the survey."""

import re
from collections.abc import Sequence
from string import Formatter
from typing import Annotated, Generic, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, field_validator, model_validator

from curation.languages.general import Part
from curation.records.messages import refusal

PLACES = ("context", "question", "a", "b", "c")
"""What the layout of a question must hold; `{instruction}` may stand in it too."""
PLACE = "story"
"""What the layout of a continuation must hold, and nothing else."""
SUGGEST_PLACES = ("culture", "template", "groups")
"""What the question for the label of a template must hold, and nothing else."""
NO_CHOICE = "NONE"
"""What a second reader writes of a reply that names no choice, in every language."""
_ID = re.compile(r"[A-Za-z0-9_]+")


def check_places(
    text: str, needed: Sequence[str], allowed: Sequence[str] = (), what: str = "the layout"
) -> str:
    """A text that has the places that it needs, and none that nothing fills in.

    Args:
        text: The text.
        needed: The places that it needs.
        allowed: Those that it may have besides.
        what: What it is called in messages.

    Raises:
        ValueError: If it lacks one, or has another or one with a format.
    """
    found = [part[1:] for part in Formatter().parse(text) if part[1] is not None]
    used = [place for place, _, _ in found]
    missing = [place for place in needed if place not in used]
    if missing:
        raise ValueError(f"{what} lacks {{{missing[0]}}}")
    strange = [place or "" for place in used if place not in (*needed, *allowed)]
    if strange or any(spec or conversion for _, spec, conversion in found):
        place = strange[0] if strange else "a format"
        raise ValueError(f"{what} has {{{place}}}, which the toolkit does not fill in")
    return text


def _needs(*needed: str, allowed: Sequence[str] = (), what: str = "the layout") -> AfterValidator:
    """What checks the places of a setting."""
    return AfterValidator(lambda text: check_places(text, needed, allowed, what))


def _with(*needed: str) -> AfterValidator:
    """What checks them where the setting is written."""
    return AfterValidator(lambda text: text and check_places(text, needed))


def _naming(*words: str) -> AfterValidator:
    """What checks that a model is told what to write."""

    def check(text: str) -> str:
        for word in words:
            if word not in text:
                raise ValueError(f"it does not say when to write {word}")
        return text

    return AfterValidator(check)


_SURVEY = _needs("question", "options", allowed=("culture",), what="it")


class _Texts(Part):
    model_config = ConfigDict(coerce_numbers_to_str=True)


class PromptTexts(_Texts):
    """One way to ask.

    Attributes:
        id: What request ids name it by.
    """

    id: str

    @field_validator("id")
    @classmethod
    def _plain(cls, value: str) -> str:
        if not _ID.fullmatch(value):
            raise ValueError("an id has only letters, digits and _")
        return value


Way = TypeVar("Way", bound=PromptTexts)


class Prompt(PromptTexts):
    """One way to ask.

    Attributes:
        instruction: What the model is told to do.
        layout: All that the model reads, with `{instruction}`, `{context}`, `{question}` and the
            choices `{a}`, `{b}`, `{c}`.
        letters: What the choices are called in it.
        unknown: The third choice, in place of the samples' own unknown expression.
    """

    instruction: str = ""
    layout: Annotated[str, _needs(*PLACES, allowed=("instruction",))]
    letters: tuple[str, str, str] = ("A", "B", "C")
    unknown: str = Field(min_length=1)

    @field_validator("letters")
    @classmethod
    def _distinct(cls, value: tuple[str, str, str]) -> tuple[str, str, str]:
        if len({letter.casefold() for letter in value}) < 3 or not all(value):
            raise ValueError("there must be three different letters")
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


class ContinuationPrompt(PromptTexts):
    """One way to ask for a continuation.

    Attributes:
        layout: All that the model reads, with `{story}`.
    """

    layout: Annotated[str, _needs(PLACE)]

    def text(self, story: str) -> str:
        """Give what the model reads; nothing in the story is taken for a place of the layout."""
        return self.layout.format(story=story)


class SurveyPrompt(PromptTexts):
    """One way to ask, with `{question}`, `{options}` and, if wanted, `{culture}`.

    Attributes:
        choice: For a question of validation: one option is to be named.
        select_all: For one of target selection: all that apply.
    """

    choice: Annotated[str, _SURVEY]
    select_all: Annotated[str, _SURVEY]


def refuse_doubled(prompts: Sequence[PromptTexts], what: str = "prompts") -> None:
    """Refuse prompts of which two have one id.

    Raises:
        ValueError: Naming it.
    """
    ids = [prompt.id for prompt in prompts]
    doubled = next((name for name in ids if ids.count(name) > 1), None)
    if doubled is not None:
        raise ValueError(f"two {what} have the id '{doubled}'")


class Prompts(Part, Generic[Way]):
    """Ways to ask, of which no two have one id."""

    prompts: tuple[Way, ...] = Field(min_length=1)

    @field_validator("prompts")
    @classmethod
    def _distinct(cls, value: tuple[Way, ...]) -> tuple[Way, ...]:
        refuse_doubled(value)
        return value


class QuestionPrompts(Prompts[Prompt]):
    """How models are asked the questions of samples.

    Attributes:
        answer_letter: The sentence that asks for a letter alone, with `{letters}`; it is the second
            turn of a question in two turns, too.
        answer_json: The sentence that asks for JSON, with `{letters}` and `{form}`, which is
            `{"answer": "X"}`.
    """

    answer_letter: Annotated[str, _with("letters")] = ""
    answer_json: Annotated[str, _with("letters", "form")] = ""


SurveyPrompts = Prompts[SurveyPrompt]
"""How models are asked the questions of a survey."""


class SuggestTexts(Part):
    """What is said of labels that the toolkit suggests.

    Attributes:
        title: What annotators read above a suggestion.
        judge: What they are told beside it.
        all_stand: Why `ST`, with `{there}`: the groups that are groups of the culture.
        some_stand: Why `TM`, with `{there}` and `{missing}`: some are, and some are not.
        others_stand: Why `TM`, with `{missing}`: none is, but others of the category are.
        none_stand: Why `SR`, with `{missing}`: the culture has no group of the category.
        prompt: How a model is asked for a label, with `{culture}`, `{template}` and `{groups}`. It
            writes the label in the first line, and why in the second.
    """

    title: str
    judge: str
    all_stand: Annotated[str, _needs("there")]
    some_stand: Annotated[str, _needs("there", "missing")]
    others_stand: Annotated[str, _needs("missing")]
    none_stand: Annotated[str, _needs("missing")]
    prompt: Annotated[str, _needs(*SUGGEST_PLACES), _naming("ST", "TM", "SR")]


class SecondReader(Part):
    """How a model is asked which choice a reply names.

    Attributes:
        prompt: All that it reads, with `{choices}` and `{reply}`. It is to write a letter, or NONE.
    """

    prompt: Annotated[str, _needs("choices", "reply"), _naming(NO_CHOICE)]

    def text(self, choices: str, reply: str) -> str:
        """Give what the model reads; nothing in the texts is taken for a place of the prompt."""
        return self.prompt.format(choices=choices, reply=reply)


class Instruction(PromptTexts):
    """One way to ask, with `{sentence}`, `{options}` and, in coreference, `{pronoun}`.

    Attributes:
        text: All that the model reads.
    """

    text: str


class Survey(_Texts):
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


class TaskPrompts(_Texts):
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
    def _whole(self) -> "TaskPrompts":
        if bool(self.groups) == bool(self.pronouns):
            raise ValueError("a task has either groups with personas or pronouns")
        names = self.groups or self.pronouns
        if len(names) != 2 or not all(names.values()):
            raise ValueError("there must be two groups, and something to name each")
        if len({len(personas) for personas in self.groups.values()}) > 1:
            raise ValueError("the two groups must have as many personas")
        refuse_doubled(self.instructions, "instructions")
        needed = ["options", *(["pronoun"] if self.pronouns else []), "sentence"]
        for item in self.instructions:
            check_places(item.text, needed, what=f"instruction {item.id}")
        for persona in (text for texts in self.groups.values() for text in texts):
            check_places(persona, (), ("country",), f"persona '{persona}'")
        return self

    @property
    def group_names(self) -> tuple[str, ...]:
        """The two groups."""
        return tuple(self.groups or self.pronouns)


class PromptFile(_Texts):
    """The prompts of a language.

    Attributes:
        language: ISO 639-1 code.
        country: Where the personas live, unless the command says.
        unknown: The option that it cannot be known.
        reply_survey: What people read who are asked which reply of a model they object to least.
        tasks: The tasks by name.
    """

    language: str
    country: str
    unknown: str = Field(min_length=1)
    reply_survey: Survey | None = None
    tasks: dict[str, TaskPrompts]

    def task(self, name: str) -> TaskPrompts:
        """The task of a name.

        Raises:
            CurateError: If the language has no prompts for it.
        """
        if name not in self.tasks:
            told = {"task": name, "language": self.language, "tasks": [*self.tasks]}
            raise refusal("curation", "prompts-lacking", f"task {name}", **told)
        return self.tasks[name]


class Case(Part):
    """The placeholders for the two people in another grammatical case.

    Attributes:
        articles: The articles of the case, by gender, `p` for all plurals: `m: [dem, einem]`.
        named: What lists of names call their forms of the case: `[gen, acc]`.
        placeholders: What stands for the two; nothing where it is the usual.
    """

    articles: dict[str, tuple[str, ...]] = {}
    named: tuple[str, ...] = ()
    placeholders: tuple[str, str] | None = None


class StoryTexts(Prompts[ContinuationPrompt]):
    """How one language leaves open who is who.

    Attributes:
        placeholders: What stands for the person who is mentioned first, and for the other one.
        features: The features of the placeholders, which words without a name agree with
            (`[N1|=a/b]`): `{gender: m}`.
        cases: How a language that has cases declines the placeholders.
        prefixes: What stands for the two where an article or a preposition is written to the name,
            by what is written to it.
        adjectives: What stands for them before a noun, where a name describes it; the same as
            `placeholders` if there are none.
        describing: Words between a name that describes a noun, and the noun.
        attributive: What a name that describes a noun may end in.
        descriptive: What makes any name before it describe the noun after it.
        impersonal: Particles that no person takes.
        plural: What makes the plural of a noun.
        closing: Particles that nothing is joined to.
        honorifics: By particle that shows respect the one that does not, or a pair of them.
        articles: Words before a person that go with the name.
        possessives: Endings that a form keeps.
        beginnings: What may be written before a word without making another one of it.
        endings: What may follow a word without making another one of it.
        whole_words: Whether spaces stand between words; else a word is found anywhere.
        abbreviations: Words after which a full stop ends no sentence.
        feminine: Words that tell a woman.
        masculine: Words that tell a man.
        neutral: Words that hold one of these and tell neither.
        prompts: How models are asked for a continuation of some sentences.
        free_prompts: How they are asked for one of any length.
    """

    placeholders: tuple[str, str] | None = None
    features: dict[str, str] = {}
    cases: tuple[Case, ...] = ()
    prefixes: dict[str, tuple[str, str]] = {}
    adjectives: tuple[str, str] | None = None
    describing: tuple[str, ...] = ()
    attributive: tuple[str, ...] = ()
    descriptive: tuple[str, ...] = ()
    impersonal: tuple[str, ...] = ()
    plural: str = ""
    closing: tuple[str, ...] = ()
    honorifics: dict[str, str] = {}
    articles: tuple[str, ...] = ()
    possessives: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    whole_words: bool = True
    abbreviations: tuple[str, ...] = ()
    feminine: tuple[str, ...] = ()
    masculine: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    prompts: tuple[ContinuationPrompt, ...] = ()
    free_prompts: tuple[ContinuationPrompt, ...] = ()
