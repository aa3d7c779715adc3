"""What is known of codes: `codes.csv`, `texts.csv`, a codebook sheet, mappings of built forms."""

from collections.abc import Mapping as Map
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from curation.files.tables import Row, read_table, refuse_problems
from curation.languages import LanguageOrCode, received_words
from curation.records.culture import Culture, SurveySettings
from curation.records.errors import CurateError
from survey.attributes import used_attributes
from survey.building.wording import shown_attention, shown_attributes
from survey.mapping import ROW, Mapping, QuestionPart, ReadPart, RespondentPart, load_mapping
from survey.platforms.panel import is_codebook
from survey.platforms.recognise import Described, Recognised
from survey.readers.frames import plain
from survey.readers.opening import Opened

_VARIABLE, _TEXT = received_words("codebook_variables"), received_words("codebook_texts")
_CODE, _LABEL = received_words("codebook_codes"), received_words("codebook_labels")


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
    values: Map[str, str]


@dataclass(frozen=True, slots=True)
class About:
    """What a workspace knows of respondents.

    Attributes:
        traits: What quotas and weights go by.
        check: The attention check as respondents read it.
        passes: By its options, as they are shown, `passed` or `failed`.
        used: The attributes that quality checks, quotas or weights go by.
        settings: With the words of a list of respondents and of quality checks.
    """

    traits: Sequence[Trait] = ()
    check: str = ""
    passes: Map[str, str] = field(default_factory=dict)
    used: Set[str] = frozenset()
    settings: SurveySettings = field(default_factory=SurveySettings)

    @classmethod
    def of(cls, culture: Culture, language: LanguageOrCode) -> "About":
        """What the settings of a workspace say, in its language."""
        check, passes = shown_attention(culture, language)
        return cls(
            traits=[Trait(*words) for words in shown_attributes(culture, language)],
            check=check,
            passes=passes,
            used=used_attributes(culture),
            settings=culture.survey,
        )


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known of codes.

    Attributes:
        codes: By column, the rows of `codes.csv` that say what its values stand for.
        forms: By form, its columns.
        texts: By question id, the question as respondents read it.
        labels: By variable, its label in a codebook.
        values: By variable, the labels of its values.
        missing: By variable, the values that the file itself declares missing.
    """

    codes: Map[str, Sequence[Row]] = field(default_factory=dict)
    forms: Map[str, frozenset[str]] = field(default_factory=dict)
    texts: Map[str, str] = field(default_factory=dict)
    labels: Map[str, str] = field(default_factory=dict)
    values: Map[str, Map[str, str]] = field(default_factory=dict)
    missing: Map[str, tuple[str, ...]] = field(default_factory=dict)


def gather(opened: Opened, form: str, forms: Path) -> Hints:
    """Gather what is known.

    Args:
        opened: The survey file.
        form: What `codes.csv` calls the forms of its platform.
        forms: The folder of the forms that were built.

    Raises:
        CurateError: If a table is damaged.
    """
    codes, columns = codes_of(forms, form)
    source = opened.source
    labels, values = dict(source.labels), {k: dict(v) for k, v in source.value_labels.items()}
    for sheet in source.sheets:
        if is_codebook(sheet) and sheet != source.sheet:
            rows = zip(*(opened.sheet(sheet).cells or ()), strict=True)
            more_labels, more_values = read_codebook([row for row in rows if any(row)])
            labels |= more_labels
            values |= more_values
    texts = question_texts(forms / "texts.csv")
    return Hints(codes, columns, texts, labels, values, source.missing)


def codes_of(folder: Path, platform: str) -> tuple[dict[str, list[Row]], dict[str, frozenset[str]]]:
    """The rows of `codes.csv` by column, and the columns of each form, of a platform's forms.

    Raises:
        CurateError: If the table is damaged.
    """
    path = folder / "codes.csv"
    if not path.exists():
        return {}, {}
    wanted = ("platform", "form", "column", "code", "question_id", "option")
    table = read_table(path, required=wanted, escaped=True)
    refuse_problems(table)
    found: dict[str, list[Row]] = {}
    forms: dict[str, set[str]] = {}
    for row in table.rows:
        if row["platform"] == platform:
            found.setdefault(plain(row["column"]), []).append(row)
            forms.setdefault(f"{platform}/{row['form']}", set()).add(plain(row["column"]))
    return found, {form: frozenset(columns) for form, columns in forms.items()}


def question_texts(path: Path) -> dict[str, str]:
    """The questions as they were asked, by id, from `texts.csv` of the forms if it is there.

    Raises:
        CurateError: If it cannot be read.
    """
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
        variable, code = _at(names, _VARIABLE), _at(names, _CODE)
        if variable >= 0 and code >= 0:
            places = variable, _at(names[:code], _TEXT), code, _at(names, _LABEL, after=code)
            return _coded(rows[number + 1 :], *places)
    return {}, {}


def _at(names: Sequence[str], wanted: Sequence[str], after: int = -1) -> int:
    """The column that is called by the first of some names; -1 for none."""
    found = (
        at for name in wanted for at, there in enumerate(names) if there == name and at > after
    )
    return next(found, -1)


def _coded(
    rows: Sequence[Sequence[str]], variable: int, text: int, code: int, label: int
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    labels: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    name = ""
    for row in (list(map(plain, cells)) for cells in rows):
        name = row[variable] or name
        if name and 0 <= text != variable and row[text]:
            labels.setdefault(name, row[text])
        if name and row[code] and label >= 0 and row[label]:
            values.setdefault(name, {})[row[code]] = row[label]
    return labels, values


_FORM = "form"
_JOINT = "all.mapping.yaml"
"""How one file with the answers to all forms is read."""


@dataclass(frozen=True, slots=True)
class Built:
    """Mappings of forms that a file answers.

    Attributes:
        paths: The mappings that read it: one, or several of which a person has to choose.
        forms: The forms that it answers, as far as it tells.
        beside: Mappings of the forms in other sheets of the workbook.
        mapping: The one that reads it, for this file; None where it is not there or not told.
        lacking: Columns of the form that the file lacks.
    """

    paths: tuple[Path, ...] = ()
    forms: tuple[str, ...] = ()
    beside: tuple[Path, ...] = ()
    mapping: Mapping | None = None
    lacking: tuple[str, ...] = ()


def built_mapping(
    described: Described,
    recognised: Recognised,
    read: ReadPart,
    hints: Hints,
    folder: Path,
    respondent: RespondentPart,
    sheets: Sequence[str] = (),
) -> Built:
    """Find what was written with the forms that a file answers.

    Args:
        described: The columns.
        recognised: The platform.
        read: How the file was read.
        hints: What is known of the forms that were built.
        folder: The folder of the built forms.
        respondent: Who answered by the platform, where the mapping names a column of another.
        sheets: All sheets of a workbook.
    """
    there = set(described.titles)
    whole = {name: columns for name, columns in hints.forms.items() if columns <= there}
    names = _answered(described, read, hints.forms, whole) or _nearly(described, hints.forms)
    if not names:
        return Built(tuple(_existing(folder, sorted(_largest(whole)))))
    folders = {name.rpartition("/")[0] for name in names}
    stem = f"{folders.pop()}/{_JOINT}" if len(names) > 1 else f"{names[0]}.mapping.yaml"
    path = folder / stem
    mapping = _loaded(path)
    lacking = hints.forms[names[0]] - there if len(names) == 1 else frozenset[str]()
    if mapping is None or (lacking and not _reads_without(mapping, lacking, there)):
        return Built(tuple(_existing(folder, names)))
    forms = tuple(name.rpartition("/")[2] for name in names)
    asked = tuple(part for part in mapping.questions if _is_there(part, forms, there))
    own = {"preset": recognised.preset, "read": read, "questions": asked}
    if lacking:
        own["questions"] = tuple(part for part in asked if lacking.isdisjoint(part.places()))
        own["attention"] = tuple(part for part in mapping.attention if part.column in there)
        told = mapping.attributes.items()
        own["attributes"] = {name: part for name, part in told if part.column in there}
    if not {ROW, *there} & {mapping.respondent.id}:
        own["respondent"] = mapping.respondent.model_copy(update={"id": respondent.id})
    # A file without the columns of forms that nobody answered is read by the rest of it alone.
    paths = (path,) if len(asked) == len(mapping.questions) and not lacking else ()
    platform = names[0].rpartition("/")[0]
    others = [f"{platform}/{sheet}" for sheet in sheets if sheet != read.sheet]
    beside = _existing(folder, [name for name in others if name in hints.forms])
    found = mapping.model_copy(update=own)
    return Built(paths, forms, tuple(beside), found, tuple(sorted(lacking)))


def _is_there(part: QuestionPart, forms: Sequence[str], there: set[str]) -> bool:
    """Say whether a question is one of some forms, or has its columns in the file at least."""
    return not set(part.asked.get(_FORM, forms)).isdisjoint(forms) or set(part.places()) <= there


def _answered(
    described: Described,
    read: ReadPart,
    every: Map[str, frozenset[str]],
    whole: Map[str, frozenset[str]],
) -> list[str]:
    """The forms that a file answers: by its sheet, by its column, or by all its columns."""
    by_name = {name.rpartition("/")[2]: name for name in every}
    if read.sheet in by_name and by_name[read.sheet] in whole:
        return [by_name[read.sheet]]
    if _FORM in described.titles:
        stated = [value for value in described.values(_FORM) if value]
        named = [by_name.get(value, "") for value in sorted(stated)]
        return named if all(name in whole for name in named) else []
    return _largest(whole) if len(_largest(whole)) == 1 else []


def _nearly(described: Described, every: Map[str, frozenset[str]]) -> list[str]:
    """The one form of which a file has the most columns, and more than half: others were deleted.

    A form is told apart by a column of its own, such as the attention check that names it; where
    the file names forms, it is the only one that it names.
    """
    there, stated = (
        set(described.titles),
        described.values(_FORM) if _FORM in described.titles else None,
    )
    counts = {
        name: len(columns & there)
        for name, columns in every.items()
        if stated is None or {name.rpartition("/")[2]} == {*stated}
    }
    most = max(counts.values(), default=0)
    best = [name for name, count in counts.items() if count == most]
    return best if len(best) == 1 and 2 * most > len(every[best[0]]) else []


def _reads_without(mapping: Mapping, lacking: Set[str], there: set[str]) -> bool:
    """Say whether a form's mapping reads a file that lacks some of its columns.

    It does not where the file cannot tell which rows are the form's, or lacks options of a
    question: who chose only these would be lost.
    """
    places = [set(part.places()) for part in mapping.questions]
    return there.issuperset(mapping.keep) and not any(
        each & lacking and each - lacking for each in places
    )


def _largest(forms: Map[str, frozenset[str]]) -> list[str]:
    """The forms none of which is a part of another."""
    return [
        name
        for name, columns in forms.items()
        if not any(columns < others for others in forms.values())
    ]


def _existing(folder: Path, names: Sequence[str]) -> list[Path]:
    paths = [folder / f"{name}.mapping.yaml" for name in names]
    return [path for path in paths if path.exists()]


def _loaded(path: Path) -> Mapping | None:
    """Read a mapping; None where there is none, or somebody has spoilt it."""
    if not path.exists():
        return None
    try:
        return load_mapping(path)
    except CurateError:
        return None
