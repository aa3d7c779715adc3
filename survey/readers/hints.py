"""What the workspace and the file tell of codes: `codes.csv`, `texts.csv`, a codebook sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curation.io.tables import read_table, refuse_problems
from survey.mapping import Preset
from survey.readers.header import plain
from survey.readers.panel import is_codebook
from survey.readers.sheets import sheet_rows
from survey.readers.source import Source

_PLATFORM = {"panel": "csv", "spss": "csv", "generic": "csv"}
"""The name in `codes.csv` of the form that a preset's file answers, where it is another."""

_VARIABLE = (
    "variable",
    "column",
    "var",
    "name",
    "question",
    "q",
    "변수",
    "변수명",
    "컬럼",
    "문항번호",
)
_TEXT = (
    "label",
    "text",
    "question text",
    "description",
    "변수 설명",
    "설명",
    "문항",
    "질문",
    "문항내용",
)
_CODE = ("code", "value", "값", "코드", "보기번호", "응답코드", "코드값")
_LABEL = (
    *("value label", "label", "option", "text", "값 설명", "보기", "보기내용", "레이블", "라벨"),
    "응답내용",
)


@dataclass(frozen=True, slots=True)
class Coded:
    """What a column or a value of it stands for, by the forms that were built."""

    question_id: str
    option: str
    code: str


@dataclass(frozen=True, slots=True)
class Trait:
    """An attribute of respondents that quotas or weights go by.

    Attributes:
        name: Its name.
        text: The question about it, as respondents read it.
        values: Its values, each with the text that it is shown by.
    """

    name: str
    text: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known of codes.

    Attributes:
        codes: By column, what its values stand for.
        forms: By form, its columns.
        texts: By question id, the question as respondents read it.
        labels: By variable, its label in a codebook.
        values: By variable, the labels of its values.
    """

    codes: Mapping[str, tuple[Coded, ...]] = field(default_factory=dict)
    forms: Mapping[str, frozenset[str]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def gather(path: Path, source: Source, preset: Preset, forms: Path) -> Hints:
    """Gather what is known.

    Args:
        path: The survey file.
        source: How it is read.
        preset: Its platform.
        forms: The folder of the forms that were built.

    Raises:
        CurateError: If a table is damaged.
    """
    codes, columns = _codes(forms / "codes.csv", _PLATFORM.get(preset, preset))
    labels, values = dict(source.labels), {k: dict(v) for k, v in source.value_labels.items()}
    for sheet in source.sheets:
        if is_codebook(sheet) and sheet != source.sheet:
            more_labels, more_values = read_codebook(sheet_rows(path, sheet, str(path)))
            labels |= more_labels
            values |= more_values
    return Hints(codes, columns, _texts(forms / "texts.csv"), labels, values)


def _codes(
    path: Path, platform: str
) -> tuple[dict[str, tuple[Coded, ...]], dict[str, frozenset[str]]]:
    if not path.exists():
        return {}, {}
    wanted = ("platform", "form", "column", "code", "question_id", "option")
    table = read_table(path, required=wanted)
    refuse_problems(table)
    found: dict[str, dict[Coded, None]] = {}
    forms: dict[str, set[str]] = {}
    for row in table.rows:
        if row["platform"] == platform:
            coded = Coded(row["question_id"], row["option"], row["code"])
            found.setdefault(plain(row["column"]), {})[coded] = None
            forms.setdefault(f"{platform}/{row['form']}", set()).add(plain(row["column"]))
    return (
        {column: tuple(codes) for column, codes in found.items()},
        {form: frozenset(columns) for form, columns in forms.items()},
    )


def _texts(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    table = read_table(path, required=("question_id", "text"))
    refuse_problems(table)
    return {row["question_id"]: plain(row["text"]) for row in table.rows if row["text"].strip()}


def read_codebook(
    rows: Sequence[Sequence[str]],
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Read a codebook: a row a value, the variable going on where its cell is empty.

    Returns:
        The labels of variables, and those of their values; nothing where the columns are not
        called as such columns are.
    """
    for number, row in enumerate(rows[:5]):
        names = [plain(cell).casefold() for cell in row]
        variable = _at(names, _VARIABLE)
        code = _at(names, _CODE)
        if variable is None or code is None:
            continue
        label = _at(names, _LABEL, after=code)
        text = _at(names, _TEXT, before=code)
        return _read_codebook(rows[number + 1 :], variable, text, code, label)
    return {}, {}


def _at(
    names: Sequence[str], wanted: Sequence[str], after: int = -1, before: int | None = None
) -> int | None:
    for name in wanted:
        for at, there in enumerate(names):
            if there == name and at > after and (before is None or at < before):
                return at
    return None


def _read_codebook(
    rows: Sequence[Sequence[str]], variable: int, text: int | None, code: int, label: int | None
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    labels: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    name = ""
    for row in rows:
        name = plain(row[variable]) or name
        if not name:
            continue
        if text is not None and text != variable and plain(row[text]):
            labels.setdefault(name, plain(row[text]))
        if plain(row[code]) and label is not None and plain(row[label]):
            values.setdefault(name, {})[plain(row[code])] = plain(row[label])
    return labels, values
