"""How a received survey file is read: `mapping.yaml`, which leaves nothing to guess.

`curate filter --draft` writes a draft of it, `curate survey build` one for every form that it
writes, and `curate filter --mapping` follows it to the letter.
"""

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_serializer, model_validator

from curation.files.atomic import write_file
from curation.files.tables import read_text
from curation.records.settings import parse_settings
from curation.records.survey import QuestionKind
from survey.readers.frames import plain, refusal

NORMAL = "normal"
"""The preset of the normal form, which no mapping is needed for."""
SIMPLE = "simple"
"""The preset of simple tables: cells call options as the questionnaire does, and only what was
chosen is there."""
ROW = "#row"
"""As `respondent.id`: nobody is named, each row is a respondent of its own."""
LABEL = "label"
"""Among the values of `selected`: the option's own text."""
CODE = "code"
"""Among the values of `selected`: what stands for `{code}` in the column's name."""
UNPLACED = "?"
"""Stands in a draft where a person has to write something; a file is not read until it is gone."""
TO_DO = "TO DO"
"""Begins the comments of a draft that say what is left to a person."""


_PAGE = "docs/survey.md"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


class ReadPart(_Part):
    """How the file becomes rows and columns of text.

    Attributes:
        encoding: `auto` (byte-order mark, UTF-8, the language's own) or a name.
        delimiter: `auto`, or the character; `tab` for a tab.
        header_rows: Rows before the first record.
        header: Which of them names the columns, from 1.
        sheet: Sheet of a workbook; the first by default.
        rows: Records that the platform says there are; another number is refused.
    """

    encoding: str = "auto"
    delimiter: str = "auto"
    header_rows: int = Field(default=1, ge=1)
    header: int = Field(default=1, ge=1)
    sheet: str | None = None
    rows: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _header_among_them(self) -> "ReadPart":
        if self.header > self.header_rows:
            raise ValueError(f"'header' is {self.header} of {self.header_rows} header rows")
        return self


class RespondentPart(_Part):
    """Who answered.

    Attributes:
        id: Column that names the respondent; `#row` where none does.
        person: Column that is the same in all rows of one person, such as an e-mail address: its
            cells are compared, and neither shown nor written. Such rows are of one respondent, who
            is called by the first of them.
        prefix: Goes before every name: files of several forms may each count from 1.
        form: The form that every row answers, where no column says it.
        duration: Column with the seconds that the whole survey took.
        started: Column with the time when the survey was begun; without `duration`, the seconds
            from it to `submitted` are the duration; the year must come first.
        submitted: Column with the time when it was sent, which tells the first answer of a
            respondent from the last.
        duplicates: What to do with a respondent who is there twice: `first` and `last` go by
            `submitted`, or by the order of rows without it; `complete` keeps what answers
            most questions, the first of equals; `join` makes one row of all, as of trials of which
            each answers other questions.
    """

    id: str
    person: str | None = None
    prefix: str = ""
    form: str | None = None
    duration: str | None = None
    started: str | None = None
    submitted: str | None = None
    duplicates: Literal["error", "first", "last", "complete", "join"] = "error"

    @model_validator(mode="after")
    def _has_an_end(self) -> "RespondentPart":
        if self.started is not None and self.submitted is None:
            raise ValueError("'started' needs 'submitted', the column with the time of the end")
        return self

    @property
    def times(self) -> tuple[str, str] | None:
        """The columns with the times of the beginning and the end, if it names both."""
        if self.started is None or self.submitted is None:
            return None
        return self.started, self.submitted

    def columns(self) -> tuple[str, ...]:
        """The columns that it names."""
        named = (self.id, self.person, self.duration, self.started, self.submitted)
        return tuple(name for name in named if name is not None)


class RespondentsPart(_Part):
    """A list of the people who answered, such as a panel's, in the folder of their answers.

    Attributes:
        file: Its name.
        id: Column with the ids that the answers have.
        keep: Columns with the values of people who count, in all of the columns; the answers of
            others are left out and counted. Of Prolific's list those do not count whose
            submission was returned, rejected or timed out.
    """

    file: str = "respondents.csv"
    id: str
    keep: dict[str, tuple[str, ...]] = {}


class AttentionPart(_Part):
    """A column that only an inattentive respondent fills otherwise.

    Attributes:
        column: The column.
        expect: The answers that pass.
    """

    column: str
    expect: tuple[str, ...]

    @model_validator(mode="before")
    @classmethod
    def _one_or_more(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("expect"), str | int):
            return {**data, "expect": (str(data["expect"]),)}
        return data


class AttributePart(_Part):
    """The columns of an attribute of respondents.

    Attributes:
        column: The column.
        values: What the file writes, to the value that quotas and weights know; nothing to
            an empty one. Without it cells are taken as they are, with it any other is refused.
    """

    column: str
    values: dict[str, str] = {}

    @model_validator(mode="before")
    @classmethod
    def _column_alone(cls, data: Any) -> Any:
        return {"column": str(data)} if isinstance(data, str | int) else data

    @model_serializer
    def _short(self) -> str | dict[str, Any]:
        whole = {"column": self.column, "values": dict(self.values)}
        return whole if self.values else self.column


class QuestionPart(_Part):
    """The columns with the answers to one question.

    Attributes:
        id: The question's id in `questionnaire.csv`.
        kind: Its kind.
        column: The one column of a choice, or of a multi-select whose options are joined. In a
            file with one row for each respondent and question: what stands in the column
            `long.question`, the id itself by default.
        columns: Pattern of one column an option, with `{code}` for the key in `options`.
        mentions: The columns of the first, the second, ... option that somebody named, each with
            what stands for it in `options`.
        joined: What joins several options in one column.
        other: What the file writes for an answer in somebody's own words: a text, or the code of a
            column, as in `options`. Such texts are named and counted, and are no vote.
        sum: Column that says again what `columns` say: the options joined, or how many were chosen.
            It is compared with them in each row.
        order: Column, or pattern with `{code}`, that tells where an option was shown.
        shown: By form, the options' codes in the questionnaire as all who answer it see them,
            where no column tells it. Delete it if the platform shuffles the options.
        duration: Column with the seconds that the question took.
        selected: Values that say 'chosen' in a column of its own; `label` stands for the
            option's own text, `code` for its key in `options`, or for its number among these
            where they are texts.
        not_selected: Values that say 'shown and not chosen' there; an empty cell among them
            is written as "".
        missing: Values that say 'asked and not answered'. A cell that is empty says it only
            where "" is among them; else the question was not shown.
        asked: Columns with the values of a row that was asked, in all of the columns, such as
            the form. In other rows the question was not shown, whatever is empty there.
        options: Value in the file, or code of the column, to the option in the questionnaire:
            its code, its text or its groups: exactly one must fit. Without it, the
            questionnaire's codes and texts.
    """

    id: str
    kind: QuestionKind
    column: str | None = None
    columns: str | None = None
    mentions: tuple[str, ...] = ()
    joined: str | None = None
    other: tuple[str, ...] = ()
    sum: str | None = None
    order: str | None = None
    shown: dict[str, tuple[str, ...]] = {}
    duration: str | None = None
    selected: tuple[str, ...] = ("1", "label")
    not_selected: tuple[str, ...] = ("0", "")
    missing: tuple[str, ...] = ("-99",)
    asked: dict[str, tuple[str, ...]] = {}
    options: dict[str, str] = {}

    @model_validator(mode="after")
    def _one_place(self) -> "QuestionPart":
        if sum((self.column is not None, self.columns is not None, bool(self.mentions))) > 1:
            raise ValueError("give one of 'column', 'columns' and 'mentions'")
        if self.mentions and self.kind is not QuestionKind.SELECT_ALL:
            raise ValueError(f"'mentions' go with select_all, the question is of kind {self.kind}")
        if self.joined is not None and self.column is None and self.has_columns:
            raise ValueError("'joined' goes with 'column'")
        if self.joined is not None and self.kind is not QuestionKind.SELECT_ALL:
            raise ValueError(f"'joined' goes with select_all, the question is of kind {self.kind}")
        if self.sum is not None and self.columns is None:
            raise ValueError("'sum' goes with 'columns', which it is compared with")
        for name, among in (
            ("selected", self.not_selected),
            ("selected", self.missing),
            ("other", (*self.options, *self.missing)),
        ):
            both = sorted(set(getattr(self, name)) & set(among))
            if both:
                raise ValueError(f"'{both[0]}' is in '{name}', and is something else too")
        if self.shown and self.order is not None:
            raise ValueError("give either 'order', which a column tells, or 'shown'")
        if self.columns is not None and "{code}" not in self.columns:
            raise ValueError("'columns' needs {code} in place of the option's code")
        return self

    @property
    def has_columns(self) -> bool:
        """Whether its answers stand in several columns."""
        return self.columns is not None or bool(self.mentions)

    def places(self) -> list[str]:
        """Name the columns of the answers; in a long file, what the question is called."""
        if self.columns is not None:
            return [self.columns.replace("{code}", key) for key in (*self.options, *self.other)]
        if self.mentions:
            return list(self.mentions)
        return [self.column if self.column is not None else self.id]


class LongPart(_Part):
    """Columns of a file with one row for each respondent and question.

    Attributes:
        question: Column with the question's id, or that leads to it by `questions`.
        answer: Column with the answer.
        row: What a row holds: the answer to a question, or one chosen option of a multi-select.
        joined: What joins several options in one answer.
        order: Column that lists the options in the order in which they were shown.
        state: Column that says of the option that the row names whether it was `selected`, `shown`
            or `missing`.
        position: Column with the place where the option that the row names was shown, from 1.
        duration: Column with the seconds that the question took.
        missing: Answers that say 'asked and not answered'.
    """

    question: str
    answer: str
    row: Literal["question", "option"] = "question"
    joined: str | None = None
    order: str | None = None
    state: str | None = None
    position: str | None = None
    duration: str | None = None
    missing: tuple[str, ...] = ("", "-99")


class Mapping(_Part):
    """All that is to be known to read one survey file.

    Attributes:
        preset: The platform, for what no other key can say: LimeSurvey's unquoted cells,
            SurveyMonkey's two header rows (columns are called `question [option]`), Mechanical
            Turk's JSON. In a `simple` table cells call options as the questionnaire does, where
            `options` does not say otherwise, and only what was chosen is there.
        read: How the file becomes rows.
        respondent: Who answered.
        respondents: A list of them beside the file; `respondents.csv` by default, if it is there.
        keep: Columns with the values that a row must have to count (previews, tests out), in
            all of the columns; `*` is any value.
        finished: Columns with the values that a completed answer has, in all of the columns. It
            gives the attribute `status`, as `screened_out` does, and excludes nobody.
        screened_out: Columns with the values of a respondent who was screened out, in any.
        attention: Attention checks. They give the attribute `attention`: `passed`, `failed`.
        attributes: Attributes of respondents, each by its column.
        long: Set for files with one row for each respondent and question.
        questions: Where each question stands.
        ignored: Columns that are known and not needed, `text_*` all that begin so; with
            `long`, also questions.
    """

    preset: str = "generic"
    read: ReadPart = ReadPart()
    respondent: RespondentPart
    respondents: RespondentsPart | None = None
    keep: dict[str, tuple[str, ...]] = {}
    finished: dict[str, tuple[str, ...]] = {}
    screened_out: dict[str, tuple[str, ...]] = {}
    attention: tuple[AttentionPart, ...] = ()
    attributes: dict[str, AttributePart] = {}
    long: LongPart | None = None
    questions: tuple[QuestionPart, ...] = ()
    ignored: tuple[str, ...] = ()

    def columns(self) -> set[str]:
        """The columns that it reads; of a pattern for the order of options, none."""
        found: set[str | None] = {*self.respondent.columns(), *self.keep, *self.finished}
        found |= {*self.screened_out, *(part.column for part in self.attention)}
        found |= {part.column for part in self.attributes.values()}
        if (long := self.long) is not None:
            found |= {long.question, long.answer, long.order, long.state}
            found |= {long.position, long.duration}
        for part in self.questions if long is None else ():
            found |= {*part.places(), *part.asked, part.order, part.sum, part.duration}
        return {name for name in found if name is not None and "{code}" not in name}

    @model_validator(mode="after")
    def _each_question_once(self) -> "Mapping":
        ids = [question.id for question in self.questions]
        doubled = next((name for name in ids if ids.count(name) > 1), None)
        if doubled is not None:
            raise ValueError(f"question {doubled} occurs twice")
        places: dict[str, str] = {}
        for question in self.questions:
            for place in question.places():
                other = places.setdefault(plain(place), question.id)
                if other != question.id:
                    raise ValueError(f"questions {other} and {question.id} are both in '{place}'")
            if self.long is None and question.column is None and not question.has_columns:
                raise ValueError(f"question {question.id}: give 'column', 'columns' or 'mentions'")
            of_columns = ("mentions", "columns", "asked", "order", "duration")
            for name in of_columns if self.long is not None else ():
                if getattr(question, name):
                    raise ValueError(f"question {question.id}: '{name}' does not go with 'long'")
        elsewhere = {
            "status": bool(self.finished or self.screened_out),
            "attention": bool(self.attention),
            "duration_s": bool(self.respondent.duration or self.respondent.times),
        }
        taken = next((name for name in self.attributes if elsewhere.get(name)), None)
        if taken is not None:
            raise ValueError(f"attributes: another key of the mapping gives '{taken}' too")
        if self.respondent.form is not None and "form" in self.attributes:
            raise ValueError("respondent: form: 'attributes' has a column for the form")
        told = self.respondent.form is not None or "form" in self.attributes
        shown = next((question.id for question in self.questions if question.shown), None)
        if shown is not None and not told:
            raise ValueError(
                f"question {shown}: 'shown' depends on the form, but the form of a row is "
                "not known: name it in 'respondent' (form), or its column in 'attributes' (form)"
            )
        return self


def load_mapping(path: Path) -> Mapping:
    """Read a mapping.

    Raises:
        CurateError: If there is none, it is no YAML, a key is wrong or unknown, or it is a draft
            in which something is still to be written.
    """
    mapping = parse_settings(read_text(path), Mapping, path, _PAGE)
    refuse_unfinished(mapping, str(path))
    return mapping


def refuse_unfinished(mapping: Mapping, file: str) -> None:
    """Refuse a draft in which something is still to be written.

    Args:
        mapping: The draft.
        file: The file that it stands in, as messages show it.

    Raises:
        CurateError: If a value still leads to `?`.
    """
    if mapping.respondent.id == UNPLACED:
        raise refusal("draft-without-people", f"{file}, respondent", row=ROW)
    places = [(f"question {part.id}", part.options) for part in mapping.questions]
    places += [(f"attribute {name}", part.values) for name, part in mapping.attributes.items()]
    left = {
        place: [value for value, meant in values.items() if meant == UNPLACED]
        for place, values in places
        if UNPLACED in values.values()
    }
    if not left:
        return
    first, *others = left
    told = {"place": first, "values": left[first]}
    more = f"; the same in {', '.join(others[:3])}" if others else ""
    more += f" and {len(others) - 3} more" if len(others) > 3 else ""
    raise refusal("draft-unfinished", f"{file}, {first}", more=more, **told)


def to_do(path: Path) -> list[tuple[int, str]]:
    """What a draft's comments leave to a person: the line's number and what it says.

    Raises:
        CurateError: If the file cannot be read.
    """
    lines = enumerate(read_text(path).splitlines(), start=1)
    said = ((number, line.lstrip("# \t")) for number, line in lines if line.startswith("#"))
    return [
        (number, text.removeprefix(TO_DO).lstrip(": "))
        for number, text in said
        if text.startswith(TO_DO)
    ]


def save_mapping(path: Path, mapping: Mapping, heading: str = "") -> None:
    """Write a mapping in place of `path`, what has its default left out.

    Args:
        path: The file.
        mapping: The mapping.
        heading: Comment lines to begin with, each with its `#`.

    Raises:
        CurateError: If it cannot be written.
    """
    data = mapping.model_dump(mode="json", exclude_defaults=True)
    said = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100)
    write_file(path, f"{heading}{said}")
