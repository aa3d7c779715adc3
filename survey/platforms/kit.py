"""What every platform is given: the forms with all their texts, and nothing of a platform's own.

Forms are written by a module of the platform's name, which holds what `FormWriter` says.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias, cast

from curation.files.atomic import write_file
from curation.files.tables import Row, read_table, write_csv
from curation.languages import LanguageOrCode, is_rtl
from curation.records.culture import Culture, Wording
from curation.records.messages import Progress, silent, watched
from curation.records.sample import Sample
from curation.records.survey import Question, QuestionKind
from curation.report.texts import filled
from survey.building.plan import Form, minutes_of
from survey.building.wording import Attribute, Choice, shown_attribute
from survey.mapping import AttentionPart, AttributePart, QuestionPart, save_mapping
from survey.mapping import Mapping as FileMapping
from survey.platforms import CODE_COLUMNS, Platform, platforms

ATTENTION, FORM, RESPONDENT = "attention", "form", "respondent_id"
"""What the attention check, and the columns of a form and of respondents are called."""
Code: TypeAlias = Callable[[Choice], str]
"""What stands for a choice in a file."""


def code_of(choice: Choice) -> str:
    """The code of a choice; of an attribute it is the value."""
    return choice[1]


def place_of(choice: Choice) -> str:
    """The place of a choice, for files that number them."""
    return str(choice[0])


@dataclass(frozen=True, slots=True)
class FormItem:
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
    def name(self) -> str:
        """What its answers are called."""
        return self.code

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Its options as they are shown."""
        options = self.question.options
        return tuple((at + 1, options[at].code, options[at].text) for at in self.order)

    @property
    def is_multiple(self) -> bool:
        """Whether several options may be chosen."""
        return self.question.kind is QuestionKind.SELECT_ALL

    @property
    def last(self) -> int | None:
        """Position of the option that stays last whatever the order, if one does."""
        fixed = self.question.fixed_last
        return fixed[-1] if fixed else None

    @property
    def numbered(self) -> dict[str, str]:
        """Its options numbered from 1, for platforms whose codes are numbers."""
        return {str(at): option.code for at, option in enumerate(self.question.options, start=1)}

    def part(self, sheets: Iterable["FormTexts"] = (), **more: Any) -> QuestionPart:
        """Say where it stands in a file.

        Args:
            sheets: The forms whose order everybody sees who answers them.
            more: Its columns, and what stands in them; by default a column that is called by its
                code, and the questionnaire's codes of options.
        """
        question, place = self.question, {} if "columns" in more else {"column": self.code}
        shown = {
            sheet.id: tuple(question.options[at].code for at in item.order)
            for sheet in sheets
            for item in sheet.items
            if item.question.id == question.id
        }
        codes = {option.code: option.code for option in question.options}
        told = {"shown": shown, "missing": ("",), "options": codes, **place, **more}
        return QuestionPart(id=question.id, kind=question.kind, **told)


@dataclass(frozen=True, slots=True)
class Instruction:
    """A text before the first question of a kind."""

    kind: QuestionKind
    text: str

    @property
    def name(self) -> str:
        """What it is called."""
        return f"instructions_{self.kind.value}"


@dataclass(frozen=True, slots=True)
class Check:
    """The attention check: choosing the option at `answer` passes."""

    text: str
    options: tuple[str, ...]
    answer: int
    name: ClassVar[str] = ATTENTION
    is_multiple: ClassVar[bool] = False
    last: ClassVar[int | None] = None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Its options as they are shown."""
        return tuple((at, str(at), text) for at, text in enumerate(self.options, start=1))

    def part(self, column: str = ATTENTION, code: Code = code_of) -> AttentionPart:
        """Say what passes: the option's code, or its text if that is no code.

        Args:
            column: Its column.
            code: What stands for an option; its number by default.
        """
        codes = [code(choice) for choice in self.choices]
        right, text = codes[self.answer], self.options[self.answer]
        return AttentionPart(column=column, expect=(right,) if text in codes else (right, text))


Asked: TypeAlias = Attribute | Check | FormItem
Step: TypeAlias = Instruction | FormItem | Check


@dataclass(frozen=True, slots=True)
class FormTexts:
    """One form with its texts.

    Attributes:
        id: The form's id.
        intro: What it is about, and how long it takes.
        items: Its questions in order.
    """

    id: str
    intro: str
    items: tuple[FormItem, ...]


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
    words: Wording
    sheets: tuple[FormTexts, ...]
    attributes: tuple[Attribute, ...]
    check: Check
    respondents: int
    right_to_left: bool = False
    progress: Progress = field(default=silent, repr=False, compare=False)

    def steps(self, sheet: FormTexts) -> Iterator[Step]:
        """A form step by step: instructions where the kind changes, the check half-way."""
        kind = None
        for at, item in enumerate(sheet.items):
            if item.question.kind is not kind:
                kind = item.question.kind
                yield Instruction(kind, self.words.fill(f"instructions_{kind.value}"))
            yield item
            if at == (len(sheet.items) - 1) // 2:
                yield self.check

    def attribute_parts(
        self,
        code: Code = code_of,
        columns: Mapping[str, str] | None = None,
        nothing: Sequence[str] = (),
    ) -> dict[str, AttributePart]:
        """Say where each attribute stands and, where codes are no values, what they stand for.

        Beside a code the text that was shown is understood, so that exports by number and by text
        read alike.

        Args:
            code: What stands for a value in the file; by default the value itself.
            columns: By attribute, its column; its name by default.
            nothing: What the platform writes where nobody answered, beside the empty cell.
        """
        parts = {}
        for attribute in self.attributes:
            codes = {code(choice): choice[1] for choice in attribute.choices}
            column = (columns or {}).get(attribute.name, attribute.name)
            if all(code == value for code, value in codes.items()):
                parts[attribute.name] = AttributePart(column=column)
                continue
            labels = [*attribute.values.values()]
            shown = {
                label: value
                for value, label in attribute.values.items()
                if label not in codes and labels.count(label) == 1
            }
            left = dict.fromkeys(nothing, "")
            parts[attribute.name] = AttributePart(column=column, values={**codes, **shown, **left})
        return parts


class FormWriter(Protocol):
    """What a module of a platform holds that forms are written for.

    One whose files are not of one form each holds `write(folder, kit)` in place of `files`.
    """

    def files(self, kit: Kit, sheet: FormTexts) -> Iterable[tuple[str, str | bytes]]:
        """Give the endings of a form's files, each with what the file holds."""

    def mapping(self, kit: Kit, sheet: FormTexts) -> FileMapping:
        """Say how the answers to a form are read from what the platform exports."""


def write_files(folder: Path, kit: Kit, of: Platform) -> list[Path]:
    """Write the files of all forms of a platform.

    Args:
        folder: The platform's folder.
        kit: The survey.
        of: The platform.
    """
    if hasattr(of.module, "write"):
        return cast(list[Path], of.module.write(folder, kit))
    written = []
    for sheet in watched(kit.sheets, f"Forms for {of.title}", kit.progress):
        for ending, data in of.module.files(kit, sheet):
            written.append(folder / f"{sheet.id}{ending}")
            write_file(written[-1], data)
    return written


def make_kit(
    questions: Sequence[Question],
    forms: Sequence[Form],
    understandings: Mapping[str, Sample],
    words: Wording,
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
    settings, options = culture.questionnaire, words.attention_options or ()
    return Kit(
        language=culture.language,
        words=words,
        sheets=sheets,
        attributes=tuple(
            shown_attribute(words, name, shares) for name, shares in settings.quotas.items()
        ),
        check=Check(
            words.fill("attention", answer=words.attention_answer),
            options,
            options.index(words.attention_answer or ""),
        ),
        respondents=respondents,
        right_to_left=is_rtl(language or culture.language),
        progress=progress,
    )


def _sheet(
    form: Form,
    codes: Mapping[str, str],
    texts: Mapping[str, str],
    words: Wording,
    culture: Culture,
) -> FormTexts:
    attributes, seconds = len(culture.questionnaire.quotas), culture.questionnaire.seconds
    intro = words.fill(
        "intro",
        questions=len(form.questions) + attributes + 1,
        # No language's wording is asked for the singular: nobody is promised less than two minutes.
        minutes=max(2, minutes_of(form.questions, attributes, seconds)),
    )
    items = tuple(
        FormItem(codes[question.id], question, texts[question.id], order)
        for question, order in zip(form.questions, form.orders, strict=True)
    )
    return FormTexts(form.id, intro, items)


def question_texts(
    questions: Sequence[Question],
    understandings: Mapping[str, Sample],
    words: Wording,
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


PLATFORMS = (
    *("qualtrics", "limesurvey", "workbook", "csv", "google", "xlsform", "surveyjs"),
    "label_studio",
)
"""The platforms that forms can be written for."""


CODES = "codes.csv"


def form_platform(name: str) -> Platform:
    """The platform of a name in `PLATFORMS`, whose module writes forms."""
    every = (each for each in platforms().values() if each.steps)
    return next(each for each in every if (each.coded_as or each.name) == name)


def write_forms(
    folder: Path, kit: Kit, names: Sequence[str], *, command: str = "curate filter --survey FILE"
) -> dict[str, dict[str, Any]]:
    """Write the forms for some platforms, each in a folder of its own, and `codes.csv` beside.

    Gives by platform the `files`, in order, and what they `cannot_express`, with what to do.

    Args:
        folder: The folder `responses/forms`.
        kit: The survey.
        names: The platforms.
        command: What reads the answers, as the files say it.

    Raises:
        CurateError: If something cannot be written.
    """
    written = {}
    codes: list[tuple[object, ...]] = []
    for name in names:
        told = form_platform(name)
        module: FormWriter = told.module
        files = write_files(folder / name, kit, told)
        for sheet in watched(kit.sheets, f"Mappings for {told.title}", kit.progress):
            mapping = module.mapping(kit, sheet)
            path = folder / name / f"{sheet.id}.mapping.yaml"
            heading = (
                f"# How the answers to form {sheet.id} are read from what {told.title} gives back."
                "\n# Written by 'curate survey build'; README.txt says how to export them.\n"
            )
            save_mapping(path, mapping, heading)
            files.append(path)
            codes.extend(_codes(name, kit, sheet, mapping))
        files.append(folder / name / "README.txt")
        write_file(files[-1], filled(__package__, "readme.txt.j2", told=told, command=command))
        written[name] = {"files": files, "cannot_express": told.limits}
    kept = _kept_codes(folder / CODES, kit, names)
    write_csv(folder / CODES, CODE_COLUMNS, [*codes, *kept], escaped=True)
    return written


def _kept_codes(path: Path, kit: Kit, names: Sequence[str]) -> list[list[str]]:
    """The codes of platforms that are not written now, whose forms ask and show the same."""
    if not path.exists():
        return []
    asked = {
        (sheet.id, item.question.id, item.question.options[at].code, str(place))
        for sheet in kit.sheets
        for item in sheet.items
        for place, at in enumerate(item.order, start=1)
    }
    rows: dict[str, list[Row]] = {}
    for row in read_table(path, required=CODE_COLUMNS, escaped=True).rows:
        rows.setdefault(row["platform"], []).append(row)
    kept: list[list[str]] = []
    for name, mine in rows.items():
        shown = {(row["form"], row["question_id"], row["option"], row["position"]) for row in mine}
        if name not in names and asked <= shown:
            kept += [[row[column] for column in CODE_COLUMNS] for row in mine]
    return kept


def _codes(
    name: str, kit: Kit, sheet: FormTexts, mapping: FileMapping
) -> Iterator[tuple[object, ...]]:
    """Yield what stands for every option of a form, then for the respondents' attributes."""
    parts = {part.id: part for part in mapping.questions}
    for item in sheet.items:
        question, part = item.question, parts[item.question.id]
        options = {option.code: at for at, option in enumerate(question.options)}
        for code, option in part.options.items():
            at = options[option]
            column = part.column or (part.columns or "").replace("{code}", code)
            text = question.options[at].text
            place = item.order.index(at) + 1
            yield name, sheet.id, column, code, question.id, option, place, text
    for attribute in kit.attributes:
        told, labels = mapping.attributes[attribute.name], attribute.values
        coded = told.values or {value: value for value in labels}
        # The codes come first, then the texts that are understood beside them.
        for place, (code, value) in enumerate(islice(coded.items(), len(labels)), start=1):
            yield name, sheet.id, told.column, code, attribute.name, value, place, labels[value]
    for check in mapping.attention:
        passed = kit.check.options[kit.check.answer]
        yield (
            *(name, sheet.id, check.column, check.expect[0], ATTENTION),
            *("passed", kit.check.answer + 1, passed),
        )
