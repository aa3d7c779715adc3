"""How a received survey file is read: `mapping.yaml`, which leaves nothing to guess.

`curate survey inspect` writes a draft of it, `curate survey build` one for every form that it
writes, and `curate filter --mapping` follows it to the letter.
"""

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from curation.io.atomic import atomic_text
from curation.io.tables import read_text
from curation.model.errors import CurateError
from curation.model.survey import QuestionKind

Preset = Literal[
    "normal",
    "workbook",
    "panel",
    "qualtrics",
    "surveymonkey",
    "google_forms",
    "limesurvey",
    "mturk",
    "label_studio",
    "spss",
    "generic",
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


class ReadPart(_Part):
    """How the file becomes rows and columns of text.

    Attributes:
        encoding: `auto` (byte-order mark, UTF-8, the language's own) or a name.
        delimiter: `auto`, or the sign; `tab` for a tab.
        header_rows: Rows before the first record.
        header: Which of them names the columns, from 1.
        sheet: Sheet of a workbook; the first by default.
    """

    encoding: str = "auto"
    delimiter: str = "auto"
    header_rows: int = Field(default=1, ge=1)
    header: int = Field(default=1, ge=1)
    sheet: str | None = None


class RespondentPart(_Part):
    """Who answered.

    Attributes:
        id: Column that names the respondent.
        duration: Column with the seconds that the whole survey took.
        submitted: Column to tell the first answer of a respondent from the last.
        duplicates: What to do with a respondent who is there twice.
    """

    id: str
    duration: str | None = None
    submitted: str | None = None
    duplicates: Literal["error", "first", "last", "complete"] = "error"


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


class QuestionPart(_Part):
    """Where the answers to one question stand.

    Attributes:
        id: The question's id in `questionnaire.csv`.
        kind: Its kind.
        column: The one column of a choice, or of a multi-select whose options are joined.
        columns: Pattern of one column an option, with `{code}` for the key in `options`.
        joined: What joins several options in one column.
        order: Column, or pattern with `{code}`, that tells where an option was shown.
        duration: Column with the seconds that the question took.
        selected: Values that say 'chosen' in a column of its own; `label` stands for the
            option's own text.
        not_selected: Values that say 'shown and not chosen' there; an empty cell among them
            is written as "".
        missing: Values that say 'not answered'.
        options: Value in the file, or code of the column, to the option's code in the
            questionnaire.
    """

    id: str
    kind: QuestionKind
    column: str | None = None
    columns: str | None = None
    joined: str | None = None
    order: str | None = None
    duration: str | None = None
    selected: tuple[str, ...] = ("1", "label")
    not_selected: tuple[str, ...] = ("0", "")
    missing: tuple[str, ...] = ("-99",)
    options: dict[str, str]

    @model_validator(mode="after")
    def _one_place(self) -> "QuestionPart":
        if (self.column is None) == (self.columns is None):
            raise ValueError("give either 'column' or 'columns'")
        if self.columns is not None and "{code}" not in self.columns:
            raise ValueError("'columns' needs {code} where the option's code stands")
        return self


class LongPart(_Part):
    """Columns of a file with one row for each respondent and question.

    Attributes:
        question: Column with the question's id, or that leads to it by `questions`.
        answer: Column with the answer.
    """

    question: str
    answer: str


class Mapping(_Part):
    """All that is to be known to read one survey file.

    Attributes:
        preset: The platform, for what no setting can say (how it marks what was not shown).
        read: How the file becomes rows.
        respondent: Who answered.
        keep: Columns with the values that a row must have to count (previews, tests out).
        finished: Columns with the values that a completed answer has.
        screened_out: Columns with the values of a respondent who was screened out.
        attention: Attention checks.
        attributes: Attributes of respondents by column.
        long: Set for files with one row for each respondent and question.
        questions: Where each question stands.
        ignored: Columns that are known and not needed.
    """

    preset: Preset = "generic"
    read: ReadPart = ReadPart()
    respondent: RespondentPart
    keep: dict[str, tuple[str, ...]] = {}
    finished: dict[str, tuple[str, ...]] = {}
    screened_out: dict[str, tuple[str, ...]] = {}
    attention: tuple[AttentionPart, ...] = ()
    attributes: dict[str, str] = {}
    long: LongPart | None = None
    questions: tuple[QuestionPart, ...] = ()
    ignored: tuple[str, ...] = ()


def load_mapping(path: Path) -> Mapping:
    """Read a mapping.

    Raises:
        CurateError: If there is none, it is no YAML, or a key is wrong or unknown.
    """
    try:
        data = yaml.safe_load(read_text(path))
        return Mapping.model_validate(data)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise CurateError(f"{path.name} is no valid YAML", f"{path}{line}") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "the file"
        raise CurateError(
            f"{key}: {first['msg'].removeprefix('Value error, ')}",
            str(path),
            "mend the key; 'curate survey inspect FILE' writes a draft to start from",
        ) from error


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
    with atomic_text(path) as stream:
        stream.write(heading)
        yaml.safe_dump(data, stream, allow_unicode=True, sort_keys=False, width=100)
