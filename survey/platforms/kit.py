"""What every platform is given: the forms with all their texts, and nothing of a platform's own."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from curation.files.atomic import atomic_text
from curation.languages import LanguageOrCode, is_rtl
from curation.records.culture import Culture
from curation.records.messages import Progress, silent, watched
from curation.records.sample import Sample
from curation.records.survey import Question, QuestionKind
from survey.building.plan import Form, fixed_last, minutes_of
from survey.building.wording import Words
from survey.mapping import AttentionPart, AttributePart, QuestionPart
from survey.mapping import Mapping as FileMapping

ATTENTION = "attention"
"""The name of the attention check."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question as a form shows it.

    Attributes:
        code: `Q001`, ... by the questionnaire's order, the same in every form.
        question: The question.
        text: As respondents read it.
        order: The positions of its options as they are shown.
    """

    code: str
    question: Question
    text: str
    order: tuple[int, ...]

    @property
    def is_multiple(self) -> bool:
        """Whether several options may be chosen."""
        return self.question.kind is QuestionKind.SELECT_ALL

    @property
    def last(self) -> int | None:
        """Position of the option that stays last whatever the order, if one does."""
        fixed = fixed_last(self.question)
        return fixed[-1] if fixed else None


@dataclass(frozen=True, slots=True)
class Instruction:
    """A text before the first question of a kind."""

    kind: QuestionKind
    text: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """A question about the respondent: `values` with how each is shown."""

    name: str
    text: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Check:
    """The attention check: choosing the option at `answer` passes."""

    text: str
    options: tuple[str, ...]
    answer: int


Step: TypeAlias = Instruction | Item | Check


@dataclass(frozen=True, slots=True)
class Sheet:
    """One form with its texts.

    Attributes:
        id: The form's id.
        intro: What it is about, and how long it takes.
        items: Its questions in order.
    """

    id: str
    intro: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Kit:
    """A survey ready for any platform.

    Attributes:
        language: ISO 639-1 code.
        words: The texts.
        sheets: The forms.
        attributes: What is asked about respondents.
        check: The attention check, one in each form.
        respondents: People who answer one form.
        right_to_left: Whether the language is written so.
        progress: Told how many forms are written.
    """

    language: str
    words: Words
    sheets: tuple[Sheet, ...]
    attributes: tuple[Attribute, ...]
    check: Check
    respondents: int
    right_to_left: bool = False
    progress: Progress = field(default=silent, repr=False, compare=False)

    def steps(self, sheet: Sheet) -> Iterator[Step]:
        """A form step by step: instructions where the kind changes, the check half-way."""
        kind = None
        for at, item in enumerate(sheet.items):
            if item.question.kind is not kind:
                kind = item.question.kind
                yield Instruction(kind, self.words.fill(f"instructions_{kind.value}"))
            yield item
            if at == (len(sheet.items) - 1) // 2:
                yield self.check


class FormWriter(Protocol):
    """What a module of a platform holds that forms are written for."""

    def write(self, folder: Path, kit: Kit) -> list[Path]:
        """Write the files of all forms."""

    def mapping(self, kit: Kit, sheet: Sheet) -> FileMapping:
        """Say how the answers to a form are read from what the platform exports."""

    def coded(self, kit: Kit) -> Mapping[str, Mapping[str, str]]:
        """The code of each value of an attribute, by column."""


def write_each(
    folder: Path, kit: Kit, title: str, files: Callable[[Kit, Sheet], Iterable[tuple[str, str]]]
) -> list[Path]:
    """Write the files of each form.

    Args:
        folder: The platform's folder.
        kit: The survey.
        title: What people call the platform.
        files: Gives the endings of a form's files, each with what the file holds.
    """
    written = []
    for sheet in watched(kit.sheets, f"Forms for {title}", kit.progress):
        for ending, text in files(kit, sheet):
            written.append(folder / f"{sheet.id}{ending}")
            with atomic_text(written[-1]) as stream:
                stream.write(text)
    return written


def question_part(item: Item, sheets: Iterable[Sheet] = (), **more: Any) -> QuestionPart:
    """Say where a question stands.

    Args:
        item: The question.
        sheets: The forms whose order everybody sees who answers them.
        more: Its columns, and what stands in them; by default a column that is called by its code,
            and the questionnaire's codes of options.
    """
    question = item.question
    place = {} if "columns" in more else {"column": item.code}
    codes = {option.code: option.code for option in question.options}
    shown = shown_in(sheets, question.id)
    told = {"shown": shown, "missing": ("",), "options": codes, **place, **more}
    return QuestionPart(id=question.id, kind=question.kind, **told)


def coded_by(kit: Kit, code: Callable[[int, str, str], str]) -> dict[str, dict[str, str]]:
    """What stands for values of attributes: by the place from 1, the value and the text of each."""
    return {
        attribute.name: {
            code(at, value, label): value
            for at, (value, label) in enumerate(attribute.values, start=1)
        }
        for attribute in kit.attributes
    }


def make_kit(
    questions: Sequence[Question],
    forms: Sequence[Form],
    understandings: Mapping[str, Sample],
    words: Words,
    culture: Culture,
    *,
    respondents: int,
    language: LanguageOrCode | None = None,
    progress: Progress = silent,
) -> Kit:
    """Put the texts into the forms.

    Args:
        questions: All questions, in the order that numbers them.
        forms: The forms.
        understandings: By template id, its question of comprehension.
        words: The texts.
        culture: For the language, the categories' names and the quotas.
        respondents: People who answer one form.
        language: Its language with what its workspace says of it; by default as we have it.
        progress: Told how many forms are written.
    """
    texts = question_texts(questions, understandings, words, culture)
    width = max(3, len(str(len(questions))))
    codes = {question.id: f"Q{at:0{width}d}" for at, question in enumerate(questions, start=1)}
    sheets = tuple(_sheet(form, codes, texts, words, culture) for form in forms)
    settings = culture.questionnaire
    return Kit(
        language=culture.language,
        words=words,
        sheets=sheets,
        attributes=tuple(
            Attribute(name, words.ask(name), tuple((value, words.label(value)) for value in shares))
            for name, shares in settings.quotas.items()
        ),
        check=Check(
            words.fill("attention", answer=words.attention_answer),
            words.attention_options,
            words.attention_options.index(words.attention_answer),
        ),
        respondents=respondents,
        right_to_left=is_rtl(language or culture.language),
        progress=progress,
    )


def _sheet(
    form: Form,
    codes: Mapping[str, str],
    texts: Mapping[str, str],
    words: Words,
    culture: Culture,
) -> Sheet:
    attributes, seconds = len(culture.questionnaire.quotas), culture.questionnaire.seconds
    intro = words.fill(
        "intro",
        questions=len(form.questions) + attributes + 1,
        # No language's wording is asked for the singular: nobody is promised less than two minutes.
        minutes=max(2, minutes_of(form.questions, attributes, seconds)),
    )
    items = tuple(
        Item(codes[question.id], question, texts[question.id], order)
        for question, order in zip(form.questions, form.orders, strict=True)
    )
    return Sheet(form.id, intro, items)


def question_texts(
    questions: Sequence[Question],
    understandings: Mapping[str, Sample],
    words: Words,
    culture: Culture,
) -> dict[str, str]:
    """By question id what respondents read."""
    names = {item.id: item.name or item.id for item in culture.categories}
    texts = {}
    for question in questions:
        if question.kind is QuestionKind.COMPREHENSION:
            item = understandings[question.template_id]
            values = {"context": item.context, "question": item.question}
        else:
            category = names.get(question.category, question.category)
            values = {"stereotype": question.stereotype, "category": category}
        texts[question.id] = words.fill(question.kind.value, **values).strip()
    return texts


def uncovered(sheet: Sheet, mapping: FileMapping) -> list[str]:
    """The questions and options of a form that its mapping leaves out, or invents."""
    parts = {part.id: part for part in mapping.questions}
    asked = {item.question.id for item in sheet.items}
    wrong = [f"{name} is not asked" for name in parts if name not in asked]
    for item in sheet.items:
        part = parts.get(item.question.id)
        codes = sorted(option.code for option in item.question.options)
        if part is None or part.kind is not item.question.kind:
            wrong.append(f"{item.question.id} is missing")
        elif sorted(part.options.values()) != codes:
            wrong.append(f"{item.question.id} has other options")
    return wrong


def numbered(item: Item) -> dict[str, str]:
    """Number a question's options from 1, for platforms whose codes are numbers."""
    return {str(at): option.code for at, option in enumerate(item.question.options, start=1)}


def shown_in(sheets: Iterable[Sheet], question_id: str) -> dict[str, tuple[str, ...]]:
    """By form, the codes of a question's options in the order in which they are written in it."""
    return {
        sheet.id: tuple(item.question.options[at].code for at in item.order)
        for sheet in sheets
        for item in sheet.items
        if item.question.id == question_id
    }


def attribute_parts(
    kit: Kit,
    coded: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, str] | None = None,
    nothing: Sequence[str] = (),
) -> dict[str, AttributePart]:
    """Say where each attribute stands and, where codes are no values, what they stand for.

    Beside a code the text that was shown is understood, so that exports by number and by text
    read alike.

    Args:
        kit: The survey.
        coded: By attribute, what stands for each value.
        columns: By attribute, its column; its name by default.
        nothing: What the platform writes where nobody answered, beside the empty cell.
    """
    parts = {}
    for attribute in kit.attributes:
        codes = dict(coded[attribute.name])
        column = (columns or {}).get(attribute.name, attribute.name)
        if all(code == value for code, value in codes.items()):
            parts[attribute.name] = AttributePart(column=column)
            continue
        labels = [label for _, label in attribute.values]
        shown = {
            label: value
            for value, label in attribute.values
            if label not in codes and labels.count(label) == 1
        }
        left = dict.fromkeys(nothing, "")
        parts[attribute.name] = AttributePart(column=column, values={**codes, **shown, **left})
    return parts


def attention_part(check: Check, column: str, codes: Sequence[str]) -> AttentionPart:
    """Say what passes the attention check: the option's code, or its text if that is no code.

    Args:
        check: The check.
        column: Its column.
        codes: What stands for each of its options.
    """
    code, text = codes[check.answer], check.options[check.answer]
    return AttentionPart(column=column, expect=(code,) if text in codes else (code, text))


def counted(check: Check) -> list[str]:
    """Number the options of the check from 1."""
    return [str(at) for at in range(1, len(check.options) + 1)]
