"""Which question of the questionnaire each column of a file belongs to, and why."""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from curation.files.questionnaire import asked_texts
from curation.files.tables import Row, read_table, refuse_problems
from curation.languages import LanguageOrCode, received_words
from curation.records.culture import Culture, SurveySettings
from curation.records.letters import LETTER, in_word
from curation.records.messages import CurateError
from curation.records.survey import Question, QuestionKind
from survey.attributes import used_attributes
from survey.building.wording import Attribute, shown_attention, shown_attributes
from survey.readers.frames import (
    FileColumn,
    Frame,
    columns_called,
    compared,
    plain,
    refusal,
    typed,
)
from survey.readers.opening import Opened
from survey.readers.options import (
    NO_VALUE,
    OptionTable,
    QuestionNames,
    labels_in,
    labels_of,
    names_of,
)

_VARIABLE, _TEXT = received_words("codebook_variables"), received_words("codebook_texts")
_CODE, _LABEL = received_words("codebook_codes"), received_words("codebook_labels")


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

    traits: Sequence[Attribute] = ()
    check: str = ""
    passes: Map[str, str] = field(default_factory=dict)
    used: Set[str] = frozenset()
    settings: SurveySettings = field(default_factory=SurveySettings)

    @classmethod
    def of(cls, culture: Culture, language: LanguageOrCode) -> "About":
        """What the settings of a workspace say, in its language."""
        check, passes = shown_attention(culture, language)
        return cls(
            traits=shown_attributes(culture, language),
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
        if sheet != source.sheet:
            try:
                cells = opened.sheet(sheet).cells or ()
            except CurateError:
                continue  # what cannot be read explains nothing
            rows = [row for row in zip(*cells, strict=True) if any(row)]
            more_labels, more_values = read_codebook(rows)
            labels |= more_labels
            values |= more_values
    texts = question_texts(forms)
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


def question_texts(forms: Path) -> dict[str, str]:
    """The questions as they were asked, by id, in the form in which texts are compared.

    Raises:
        CurateError: If they cannot be read.
    """
    return {name: plain(text) for name, text in asked_texts(forms / "texts.csv").items()}


def read_codebook(
    rows: Sequence[Sequence[str]],
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Read a codebook: a row a value. The variable goes on where its cell is empty.

    Returns:
        The labels of variables, and those of their values; nothing where the columns are not
        called as such columns are.
    """
    for number, row in enumerate(rows[:5]):
        names = [plain(cell).casefold() for cell in row]
        variable, code = _at(names, _VARIABLE), _at(names, _CODE)
        label = _at(names, _LABEL, after=code)
        label = code + 1 if code > label and any(names[code + 1 : code + 2]) else label
        if min(variable, code, label) >= 0:
            text = _at(names[:code], _TEXT)
            return _coded(rows[number + 1 :], variable, text, code, label)
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
    for cells in rows:
        row = list(map(plain, cells))
        name = row[variable] or name
        if name and 0 <= text != variable and row[text]:
            labels.setdefault(name, row[text])
        if name and row[code] and row[label]:
            values.setdefault(name, {})[row[code]] = row[label]
    return labels, values


_ROLES = (
    ("order", re.compile(r"_DO(_.*)?$|^order_|_order$")),
    ("duration", re.compile(r"Time$|_time$|_Page Submit$|_PAGE_SUBMIT$|_duration$")),
    ("text", re.compile(r"_TEXT$|\[(other|comment)\]$", re.IGNORECASE)),
)
"""What a column beside the answers is about, by the part of its name that says so."""
_SHOWN = re.compile("|".join(received_words("display_order")), re.IGNORECASE)
SHOWN_WORDS = "|".join(("shown", "order", _SHOWN.pattern))
"""What people call columns that list the options as they were shown."""
_LISTED = re.compile(r"[;|,\n]")
_IN_NAMES = re.compile(rf"[0-9a-z]+|(?:(?![\x00-\u036f]){LETTER})+")
"""Letters of Latin and what a name has of other scripts, which may be joined to these."""
_NOTHING = frozenset({"", "-99"})
BY_PART = "a stereotype within other words"
"""How a column was found whose title may be another stereotype, of which one is a part."""
BY_CELLS = "its cells"
"""How a column was found that nothing but what it holds speaks for."""
BY_HEADING = "its option"
"""How a column was found that is called as an option of one question alone, and holds that."""
BY_CONTENT = (BY_PART, BY_CELLS, BY_HEADING)
"""How columns were found whose heading names no question."""
_MANY = 60
"""Different cells that are looked at for options that are joined in them."""


Shape = Literal["rows", "columns", "counts"]

ANSWERS = ("answer", "option", "group")
"""What answers are called in a table of rows."""
LOOKED_AT = 6
"""Rows among which headings are looked for."""


def shape_of(heads: Sequence[str]) -> Shape | None:
    """Tell the shape of a simple table by its headings; None where they are of no such table.

    A table with a column a question is only known by the questions: it is one where something
    names respondents.
    """
    votes, questions = columns_called(heads, "votes"), columns_called(heads, "question")
    answers = [at for role in ANSWERS for at in columns_called(heads, role)]
    people = [at for at in columns_called(heads, "respondent") if at not in questions]
    if votes and questions and answers:
        return "counts"
    if people and questions and answers:
        return "rows"
    return "columns" if people else None


def is_simple(heads: Sequence[str], names: QuestionNames) -> bool:
    """Say whether headings are those of a simple table, some questions among them if need be."""
    shape = shape_of(heads)
    return shape is not None and (shape != "columns" or any(map(names.places, heads)))


def holds_counts(opened: Opened) -> bool:
    """Say whether a file is a simple table of counts."""
    return any(shape_of(cells) == "counts" for _, cells in opened.head(1))


def title_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many rows of a title or remarks stand above the headings of a simple table."""
    counts = [sum(bool(plain(cell)) for cell in row) for row in rows]
    headings = (
        at
        for at, row in enumerate(rows[1:], start=1)
        if shape_of(row) is not None and max(counts[:at]) < min(3, counts[at])
    )
    return next(headings, 0)


def refuse_title(opened: Opened, above: int) -> None:
    """Refuse a table below a title.

    Args:
        opened: The file.
        above: How many rows that are not blank stand above the headings.

    Raises:
        CurateError: If there is one.
    """
    if above:
        row = opened.head(above + 1)[above][0]
        told = "row 1" if row == 2 else f"rows 1 to {row - 1}"
        raise refusal("title-above", f"{opened.file}, row 1", row=str(row), above=told)


def other_sheets(opened: Opened, names: QuestionNames) -> Iterator[str]:
    """Name the sheets of a workbook that are not read, for the person to see.

    Raises:
        CurateError: If one of them holds answers too, which would not be counted: it is a simple
            table, or has rows below most of the same headings, as the second sheet of a form that
            was linked twice has, below a title or not.
    """
    own = {cell for _, cells in opened.head(1) for cell in cells} - {""}
    for other in opened.source.sheets:
        if other == opened.source.sheet:
            continue
        try:
            rows = [cells for _, cells in opened.sheet(other).head(LOOKED_AT)]
        except CurateError:
            rows = [[]]  # it is not read as a table of answers, and is named all the same
        if not rows:
            continue
        wide = next((row for row in rows[:-1] if len({*row} - {""}) > 2), [])  # below a title
        is_alike = 2 * len(own.intersection(wide)) > max(len(own), 4)
        if is_alike or is_simple(rows[0], names):
            where, sheet = f"{opened.file}, sheet {other}, row 1", opened.source.sheet
            raise refusal("two-sheets", where, sheet=sheet, other=other)
        yield other


@dataclass(slots=True)
class Placed:
    """A column, and the questions that it may belong to: one where that is settled.

    Attributes:
        column: Position of the column.
        texts: Its name, and what stands above it.
        role: `answer`, `order`, `duration` or `text`.
        stem: Its name without the part that says the role.
        questions: Positions of the questions in the questionnaire.
        option: Position of the option that the column is about; None for all of them.
        how: By what it was found.
        exact: The questions that are called as its heading, whatever its cells decide.
    """

    column: int
    texts: tuple[str, ...]
    role: str
    stem: str
    questions: list[int]
    option: int | None = None
    how: str = ""
    exact: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        """Its name."""
        return self.texts[0]

    @property
    def question(self) -> int | None:
        """The question, where it is settled."""
        return self.questions[0] if len(self.questions) == 1 else None


def place_columns(
    described: Frame,
    names: QuestionNames,
    hints: Hints,
    known: Set[str],
    joined: Sequence[str] = (),
) -> list[Placed]:
    """Place the columns.

    A column is found by its heading, where that is what one question is called, with a word for the
    order of options behind it or without; else by a question's id in its name, by the codes of the
    forms that were built, by the question's text above it, by the stereotype there, or by its
    cells, when they are the options of one question alone. Where several questions remain, options
    above the column, in it or in the columns beside it decide; else it is doubtful.

    Args:
        described: The columns.
        names: The questionnaire.
        hints: What is known of codes.
        known: Columns that are the platform's own.
        joined: Characters that may join several options in one cell.

    Returns:
        The columns that belong to a question, or may belong to several.
    """
    questions = names.questions
    ways = _ways(questions, hints)
    most = max((_MANY, *(len(labels_in(question)) for question in questions)))
    found = []
    for at, (title, above) in enumerate(zip(described.titles, described.texts, strict=True)):
        if title and title not in known:
            texts = (title, *above)
            item = _by_heading(at, texts, names)
            if len(item.exact) != 1 or title in hints.codes:
                item.how, item.questions = next(
                    ((how, places) for how, find in ways if (places := find(texts))), ("", [])
                )
            cells = _cells(described, at, hints, most) if item.role == "answer" else set()
            _narrow(item, cells, questions, joined)
            found.append(item)
    _join(found)
    _drop_parts(found)
    _go_on(found, questions)
    for item in found:
        if item.question is not None:
            item.option = _option(item, questions[item.question], hints)
    return [item for item in found if item.questions]


_HEADED = re.compile(rf"(.+?)[\s_:.\-(\[]+(?:{SHOWN_WORDS})[)\]]?", re.IGNORECASE)
"""A question's name with a word for its options as they were shown: `q-1 shown`."""


def _by_heading(at: int, texts: tuple[str, ...], names: QuestionNames) -> Placed:
    """A column by its heading alone."""
    how, places = names.found(texts[0])
    headed = None if places else _HEADED.fullmatch(texts[0])
    role, stem = role_of(texts)
    if headed is not None:
        how, places = names.found(headed[1])
        role, stem = ("order", headed[1]) if places else (role, stem)
    elif places:
        role, stem = "answer", texts[0]
    return Placed(at, texts, role, stem, places, how=how, exact=tuple(places))


_Stands = Callable[[str, str], bool]
_Finds = Callable[[tuple[str, ...]], list[int]]
_Way = tuple[str, _Finds]


def _ways(questions: Sequence[Question], hints: Hints) -> list[_Way]:
    by_id = {question.id: at for at, question in enumerate(questions)}
    stereotypes = [typed(question.stereotype) for question in questions]

    def by(
        needles: Sequence[str], write: Callable[[str], str], stands: _Stands | None = None
    ) -> _Finds:
        """Finds the questions of whose needles the longest stands in one of some texts."""

        def find(named: tuple[str, ...]) -> list[int]:
            texts = [write(text) for text in named]
            found = [
                at
                for at, needle in enumerate(needles)
                if needle.strip("_")
                and any(needle in text and (not stands or stands(needle, text)) for text in texts)
            ]
            longest = max((len(needles[at]) for at in found), default=0)
            return [at for at in found if len(needles[at]) == longest]

        return find

    def by_codes(named: tuple[str, ...]) -> list[int]:
        names = {item["question_id"] for item in hints.codes.get(named[0], ())}
        return sorted(by_id[name] for name in names if name in by_id)

    asked = [typed(hints.texts.get(question.id, "")) for question in questions]

    return [
        ("question id", by([_name(question.id) for question in questions], _name)),
        ("codes.csv", by_codes),
        ("template id", by([_name(item.template_id) for item in questions], _name)),
        ("question text", by(asked, typed)),
        ("stereotype", by(stereotypes, typed, _stands_alone)),
        (BY_PART, by(stereotypes, typed, _stands_within)),
    ]


def _name(text: str) -> str:
    return f"_{NUMBERED.sub('_', slug(text))}_"


NUMBERED = re.compile(r"(?<=[a-z0-9])r(?=[0-9]{1,2}$)")
"""What stands before the number of an option in names of columns: `Q5r1`."""


def questions_named(
    texts: Sequence[str], questions: Sequence[Question], hints: Hints
) -> list[int | None]:
    """For each text the one question that it names by id, code, text or stereotype."""
    ways = [find for how, find in _ways(questions, hints) if how != BY_PART]
    found = (
        next((places for find in ways if (places := find((plain(text),)))), []) for text in texts
    )
    return [places[0] if len(places) == 1 else None for places in found]


def slug(text: str) -> str:
    """Write a name in small letters, digits and underscores, as platforms make names do.

    Letters of other scripts than Latin stay: without them other names would be the same.
    """
    return "_".join(_IN_NAMES.findall(text.casefold()))


def _stands_alone(needle: str, text: str) -> bool:
    """Say whether a text is a stereotype, or holds it between marks, as a question quotes it."""
    return any(
        not (in_word(before.rstrip()[-1:]) or in_word(after.lstrip()))
        for before, after in _around(needle, text)
    )


def _stands_within(needle: str, text: str) -> bool:
    """Say whether a text holds a stereotype in whole words: maybe another one, which is longer."""
    return any(
        not (_joins(before[-1:], needle[0]) or _joins(needle[-1], after[:1]))
        for before, after in _around(needle, text)
    )


def _around(needle: str, text: str) -> Iterator[tuple[str, str]]:
    at = text.find(needle)
    while at >= 0:
        yield text[:at], text[at + len(needle) :]
        at = text.find(needle, at + 1)


def _joins(one: str, other: str) -> bool:
    """Say whether two characters beside each other are of one word, or the other is a mark on one.

    In scripts that part no words letters are not.
    """
    if in_word(other) and not other.isalnum():
        return True
    return all(in_word(letter) and letter < _FIRST_UNPARTED for letter in (one, other))


_FIRST_UNPARTED = "\u0e00"
"""From Thai on many scripts part no words; what is found within words is asked about anyway."""


def role_of(texts: tuple[str, ...]) -> tuple[str, str]:
    """What a column is about (`answer`, `order`, `duration`, `text`), and its name without that."""
    title = texts[0]
    for role, pattern in _ROLES:
        match = pattern.search(title)
        if match:
            return role, title[: match.start()] or title[match.end() :]
    if any(_SHOWN.search(text) for text in texts):
        return "order", title
    return "answer", title


def lists_shown(title: str, column: FileColumn, *, within: bool = False) -> bool:
    """Whether a column of a file of rows lists options in the order in which they were shown.

    Args:
        title: What it is called.
        column: Its cells.
        within: Whether it may be called by other words too; then all of its cells are lists.
    """
    words = rf"(?:.*\s)?(?:{SHOWN_WORDS})(?:\s.*)?" if within else SHOWN_WORDS
    if not re.fullmatch(words, compared(title), re.IGNORECASE):
        return False
    lists = [bool(_LISTED.search(cell)) for cell in column.distinct if cell]
    return any(lists) and (all(lists) or not within)


def _cells(described: Frame, at: int, hints: Hints, most: int) -> set[str]:
    """What a column holds, by the labels of its values where they are known.

    Of more different cells than `most` it is enough to know that they are more.
    """
    labels = hints.values.get(described.titles[at])
    if labels:
        return set(labels.values())
    column = described.columns[at]
    found: set[str] = set()
    for code in column.used:
        found.add(plain(column.values[code]))
        if len(found) > most + len(_NOTHING):
            break
    return found - _NOTHING


def _narrow(
    item: Placed, cells: set[str], questions: Sequence[Question], joined: Sequence[str]
) -> None:
    """Keep the questions to which an option above the column, or all of its cells, belong."""
    if len(item.questions) == 1:
        return
    among = item.questions or range(len(questions))
    headed = [at for at in among if cells and cells <= _heading(item.texts, questions[at])]
    if headed and not item.questions:
        item.questions, item.how = headed, BY_HEADING
        return
    named = [at for at in item.questions if option_in(item.texts, questions[at]) is not None]
    fit = [at for at in among if len(cells) > 1 and _hold(cells, questions[at])]
    if not fit and 1 < len(cells) <= _MANY:
        fit = [at for at in among if _are_joined(cells, questions[at], joined)]
    if len(named) == 1:
        item.questions = named
    elif len(fit) == 1:
        item.questions, item.how = fit, item.how or BY_CELLS


def _heading(texts: Sequence[str], question: Question) -> set[str]:
    """The option of a multi-select that a column is called by, alone."""
    several = question.kind is QuestionKind.SELECT_ALL
    return {*map(plain, texts)} & labels_in(question) if several else set()


def _hold(cells: set[str], question: Question) -> bool:
    """Say whether cells are options of a question, except for those that say 'not answered'."""
    names = labels_in(question)
    return bool(cells & names) and all(
        cell in names or is_missing(cell, question, cell) for cell in cells
    )


def _are_joined(cells: set[str], question: Question, joined: Sequence[str]) -> bool:
    """Say whether each cell lists options of a question, joined by the same characters."""
    if question.kind is not QuestionKind.SELECT_ALL:
        return False
    labels = labels_in(question)
    rest = [cell for cell in cells if cell not in labels]
    if not rest or not all(any(label in cell for label in labels) for cell in rest):
        return False
    table = OptionTable(question)
    return any(all(table.readings(cell, joiner) for cell in rest) for joiner in joined)


def _join(candidates: Sequence[Placed]) -> None:
    """Let columns of one name beside one another decide together, `Q3`, `Q3_1`, `Q3_DO_1`."""
    answers = [item for item in candidates if item.role == "answer"]
    beside: dict[str, list[Placed]] = {}
    for item in candidates:
        if item.role != "answer":
            beside.setdefault(item.stem, []).append(item)
    for stem, others in beside.items():
        mine = [item for item in answers if begins(item.stem, stem)]
        sets = [set(item.questions) for item in (*mine, *others) if item.questions]
        if not mine or not sets:
            continue
        common = set.intersection(*sets)
        if len(common) == 1:
            for item in (*mine, *others):
                item.how = item.how or f"is next to {mine[0].stem}"
                item.questions = list(common)


def _drop_parts(candidates: Sequence[Placed]) -> None:
    """Take a question from columns whose titles hold it in part, where another has it whole."""
    whole = {
        at
        for item in candidates
        if item.role == "answer" and item.how != BY_PART and len(item.questions) == 1
        for at in item.questions
    }
    for item in candidates:
        if item.how == BY_PART and whole.intersection(item.questions):
            item.questions = []


def _go_on(candidates: Sequence[Placed], questions: Sequence[Question]) -> None:
    """Place columns after one of a multi-select's options that say no more than another option."""
    for before, item in pairwise(candidates):
        at = before.question
        if at is None or item.questions or item.column != before.column + 1:
            continue
        of = questions[at]
        tied = {option_in(one.texts, of) for one in (before, item)}
        if of.kind is QuestionKind.SELECT_ALL and len(tied - {None}) == 2:
            item.questions, item.how = [at], f"follows {before.stem}"


def begins(title: str, stem: str) -> bool:
    """Whether a name is another one, or goes on after it with what is not of its word."""
    return title == stem or (title.startswith(stem) and not in_word(title[len(stem) :]))


def _option(item: Placed, question: Question, hints: Hints) -> int | None:
    """The option that a column is about, by the codes of built forms or by what stands above it."""
    coded = {known["option"] for known in hints.codes.get(item.title, ())}
    codes = [known.code for known in question.options]
    if len(coded) == 1 and coded <= set(codes):
        return codes.index(coded.pop())
    found = option_in(item.texts, question)
    if found is not None or question.kind is not QuestionKind.SELECT_ALL:
        return found
    # A codebook may call a tick by the option.
    labels = {plain(label) for label in hints.values.get(item.title, {}).values()}
    named = [at for at, option in enumerate(question.options) if labels & labels_of(option)]
    return named[0] if len(named) == 1 else None


def option_in(texts: Sequence[str], question: Question) -> int | None:
    """The option whose text ends or begins what stands above a column, if one alone does."""
    best: dict[int, int] = {}
    for at, option in enumerate(question.options):
        for label in labels_of(option):
            if any(ends_in(text, label) or _begins_with(text, label) for text in texts):
                best[at] = max(best.get(at, 0), len(label))
    longest = [at for at in best if best[at] == max(best.values())]
    return longest[0] if len(longest) == 1 else None


_CLOSING = re.compile(r"[\s)\]}>\"'\u201d\u00bb]+$")
_MARK = re.compile(r"[-\u2010-\u2015/=:|>.\[({\"'\u201c\u00ab_]\s*$")
"""What stands before an option's text in a column's name."""


def ends_in(text: str, label: str) -> bool:
    """Say whether a text is a label, or ends in one after a mark: `/label`, `[label]`."""
    both = typed(text), typed(label)
    opened = tuple(_CLOSING.sub("", one) for one in both)
    return any(
        whole == wanted
        or (wanted and whole.endswith(wanted) and _MARK.search(whole.removesuffix(wanted)))
        for whole, wanted in (both, opened)
    )


def _begins_with(text: str, label: str) -> bool:
    """Say whether a label, with a mark, stands before the rest of a text: `label - question`."""
    whole, wanted = typed(text), typed(label)
    return bool(wanted and whole.startswith(wanted) and _RULE.match(whole[len(wanted) :]))


_RULE = re.compile(r"\s*[-\u2010-\u2015:|>]\s*\S")
_NEGATIVE = re.compile(r"-\d+(\.0+)?|\.[a-z]")
_NINES = re.compile(r"(7+|8+|9+|9+[6-8])(\.0+)?")


def is_missing(cell: str, question: Question, label: str = "") -> bool:
    """Whether a code says that a question was not answered: by a minus, its label, or as programs.

    Args:
        cell: The code.
        question: The question, whose own options are answers.
        label: What the file calls the code.
    """
    names = {typed(name) for option in question.options for name in names_of(option)}
    if typed(cell) in names or (label and typed(label) in names):
        return False
    if _NEGATIVE.fullmatch(cell) or cell in NO_VALUE or typed(label or cell) in _unanswered():
        return True
    above = _NINES.fullmatch(cell) and int(float(cell)) > len(question.options)
    return bool(label and above)


@cache
def _unanswered() -> frozenset[str]:
    """What files call an answer that was not given."""
    return frozenset(map(typed, received_words("unanswered")))
