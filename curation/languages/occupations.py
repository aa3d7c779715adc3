"""How the occupation tasks are asked in a language: personas, instructions and pronouns."""

from pydantic import ConfigDict, Field, model_validator

from curation.languages.general import Part
from curation.languages.prompts import Asked, places_of, refuse_doubled
from curation.records.errors import CurateError


class _Texts(Part):
    model_config = ConfigDict(coerce_numbers_to_str=True)


class Instruction(Asked):
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


class Task(_Texts):
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
        refuse_doubled(self.instructions, "instructions")
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
    found, formatted = places_of(text)
    used = set(found)
    strange = sorted(used - allowed)
    if strange or formatted:
        raise ValueError(
            f"{what} has {{{strange[0] if strange else 'a format'}}}, which the toolkit does not "
            "fill in"
        )
    return used


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
    tasks: dict[str, Task]

    def task(self, name: str) -> Task:
        """The task of a name.

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
