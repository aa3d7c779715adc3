"""Simple tables, as a person makes them, read without a mapping.

Three shapes are known by their headings, in any case and in the languages of the packs: rows of
respondent, question and answer; a row for each respondent and a column for each question; counts by
question and option. Rows may have the state, position and duration of the normal form too.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from curation.languages import received_words
from curation.records.culture import QUALITY_VALUES, Culture
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.survey import Question, QuestionKind, Tally
from curation.records.wording import plural
from survey.answers import (
    SELECTED,
    STATES,
    Answers,
    Codes,
    attributes_beside,
    refuse_doubles,
)
from survey.attributes import compared, quality_value, used_attributes
from survey.building.wording import shown_attributes
from survey.mapping import Mapping, ReadPart, RespondentPart
from survey.readers.columns import View, filled, first_of, unread_finding
from survey.readers.grid import Column, Names, column_names, plain, read_grid, read_head
from survey.readers.naming import (
    Places,
    QuestionNames,
    Spelling,
    option_text,
    options_in_order,
    options_named,
    unaccented,
)
from survey.readers.options import shown
from survey.readers.orders import Order, listed_order, with_orders
from survey.readers.people import Kept, by_respondent, kept_rows, plain_attribute
from survey.readers.received import file_findings
from survey.readers.source import Source
from survey.readers.states import read_seconds

Shape = Literal["rows", "columns", "counts"]
_ANSWER = ("answer", "option", "group")
_NORMAL = {"kind": "kind", "state": "state", "position": "position", "duration s": "duration"}
"""Columns of the normal form, as headings are compared, beside respondent, question and option."""
_NAMED = 5
_SHOWN_WORDS = ("shown", "order")
"""Columns that list the options as they were shown, beside the packs' words for it."""


@cache
def _words(role: str) -> frozenset[str]:
    lists = {
        "respondent": ("simple_respondent", "panel_ids"),
        **{name: (f"simple_{name}",) for name in ("question", "votes", "people", *_ANSWER)},
    }
    words = {compared(word) for name in lists[role] for word in received_words(name)}
    return frozenset(words | set(map(unaccented, words)))


def _titles(heads: Sequence[str], role: str) -> list[int]:
    return [at for at, head in enumerate(heads) if compared(head) in _words(role)]


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple table as read.

    Attributes:
        lines: What was recognised, a line a column, below one of the file.
        findings: What a person should know.
        answers: The answers of respondents; None where the table holds counts.
        tallies: The counts; none where it holds answers.
    """

    lines: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    answers: Answers | None = None
    tallies: tuple[Tally, ...] = ()


def shape_of(heads: Sequence[str]) -> Shape | None:
    """Tell the shape of a simple table by its headings; None where they are of no such table.

    A table with a column a question is only known by the questions: it is one where something
    names respondents.
    """
    votes, questions = _titles(heads, "votes"), _titles(heads, "question")
    answers = [at for role in _ANSWER for at in _titles(heads, role)]
    people = [at for at in _titles(heads, "respondent") if at not in questions]
    if votes and questions and answers:
        return "counts"
    if people and questions and answers:
        return "rows"
    return "columns" if people else None


def is_simple(heads: Sequence[str], names: QuestionNames) -> bool:
    """Say whether headings are those of a simple table, some questions among them if need be."""
    shape = shape_of(heads)
    return shape is not None and (shape != "columns" or any(map(names.places, heads)))


def holds_simple_counts(path: Path, language: str = "en") -> bool:
    """Say whether a file is a simple table of counts."""
    try:
        stat = path.stat()
        return _counts(path, language, stat.st_mtime_ns, stat.st_size)
    except OSError:
        return False


@lru_cache(maxsize=16)
def _counts(path: Path, language: str, changed: int, size: int) -> bool:
    try:
        _, rows = read_head(path, ReadPart(), language, 1)
    except CurateError:
        return False  # it is said when the file is read
    return bool(rows) and shape_of(rows[0]) == "counts"


@dataclass(slots=True)
class _Table:
    """A table with what is known of its columns, and what was recognised.

    `spelled` counts for each column the answers that write an option otherwise than the
    questionnaire, by how they do and what they write.
    """

    path: Path
    view: View
    titles: Sequence[str]
    names: QuestionNames
    culture: Culture
    lines: list[str] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    spelled: dict[int, dict[tuple[Spelling, str], int]] = field(default_factory=dict)

    def column(self, at: int) -> Column:
        """The cells of a column, without needless blanks at their ends."""
        self.used.add(at)
        self.view.used.add(at)
        return self.view.grid.columns[at].take(self.view.records)

    def tell(self, at: int, what: str) -> None:
        """Note what a column was recognised as."""
        self.lines.append(f"  column '{self.titles[at] or at + 1}': {what}")

    def refuse(self, what: str, at: int, column: int, hint: str) -> NoReturn:
        """Refuse a cell.

        Raises:
            CurateError: Always.
        """
        self.view.refuse(what, at, self.titles[column], hint)

    def refuse_two(self, what: str, columns: Sequence[int]) -> NoReturn:
        """Refuse two columns that may be the same thing.

        Raises:
            CurateError: Always.
        """
        one, other = (f"'{self.titles[at]}'" for at in columns[:2])
        raise CurateError(
            f"{what} may stand in column {one} or in column {other}, and they differ",
            f"{self.view.grid.file}, row 1",
            "rename or delete the one that is something else",
        )


def read_simple(
    path: Path,
    questions: Sequence[Question],
    culture: Culture,
    texts: dict[str, str],
    *,
    sheet: str | None = None,
) -> Simple | None:
    """Read a simple table.

    Args:
        path: The file: CSV, TSV or semicolons in UTF-8, UTF-16 or the language's encoding; XLSX or
            ODS.
        questions: The questionnaire.
        culture: Settings of the workspace.
        texts: By question the text that was asked, where it is known.
        sheet: Sheet of a workbook; the first by default.

    Returns:
        What it holds; None where its headings are of no simple table.

    Raises:
        CurateError: If it cannot be read, or something in it is unknown or has two readings.
    """
    read = ReadPart(sheet=sheet)
    source, rows = read_head(path, read, culture.language, 1)
    if not rows or shape_of(rows[0]) is None:
        _refuse_title(path, read, culture.language)
        return None
    _refuse_doubled(rows[0], path)
    grid = read_grid(path, read, culture.language)
    titles = column_names(grid.heads, 1, "generic")
    view = View(grid, Names(titles, grid.file), np.arange(len(grid), dtype=np.int64))
    table = _Table(path, view, titles, QuestionNames(questions, texts), culture)
    shape = shape_of(titles)
    if shape == "columns" and not any(map(table.names.places, titles)):
        return None
    table.lines += _other_sheets(path, source, table.names, culture.language)
    findings = file_findings(grid)
    if shape == "counts":
        made = Simple((), tuple(findings), tallies=tuple(_read_counts(table)))
        what = "counts by question and option"
    else:
        kept = _people(table)
        answers = (_read_rows if shape == "rows" else _read_columns)(table, kept, questions)
        made = Simple((), (*findings, *kept.findings), answers=answers)
        what = (
            "rows of respondent, question and answer"
            if shape == "rows"
            else "a row a respondent, a column a question"
        )
    view.refuse_suspects()
    left = _left(table)
    return replace(
        made,
        lines=(f"{grid.file}: {what}", *table.lines),
        findings=(
            *made.findings,
            *_spelling_findings(table),
            *unread_finding(grid.file, left, mapped=False),
        ),
    )


_SPELT = {
    Spelling.TYPED: (Severity.INFO, "with other capitals, apostrophes or quotation marks"),
    Spelling.UNACCENTED: (Severity.WARNING, "without accents"),
}


def _spelling_findings(table: _Table) -> Iterable[Finding]:
    """Say which answers were read though they write an option otherwise than the questionnaire."""
    for spelling, (severity, how) in _SPELT.items():
        counts: dict[str, int] = {}
        for spelled in table.spelled.values():
            for (kind, what), count in spelled.items():
                if kind is spelling:
                    counts[what] = counts.get(what, 0) + count
        if counts:
            listed = [f"{what} ({count:,})" for what, count in counts.items()]
            more = f" and {len(listed) - _NAMED:,} more" if len(listed) > _NAMED else ""
            total = sum(counts.values())
            what = f"{total:,} {plural('answer', total)} {'is' if total == 1 else 'are'} written"
            yield Finding(
                "survey-spelling",
                severity,
                table.view.grid.file,
                None,
                "",
                f"{what} {how}: {', '.join(listed[:_NAMED])}{more}",
                "each fits one option of its question alone, and is counted for it",
            )


def _other_sheets(path: Path, source: Source, names: QuestionNames, language: str) -> list[str]:
    """Name the sheets of a workbook that are not read, for the person to see.

    Raises:
        CurateError: If one of them is a simple table too: its answers would not be counted.
    """
    lines = []
    for other in source.sheets:
        if other == source.sheet:
            continue
        try:
            _, rows = read_head(path, ReadPart(sheet=other), language, 1)
        except CurateError:
            rows = [[]]  # it is not read as a table of answers, and is named all the same
        heads = rows[0] if rows else []
        if is_simple(heads, names):
            raise CurateError(
                f"sheets '{source.sheet}' and '{other}' both hold answers or counts, and one sheet "
                "is read",
                f"{path}, sheet {other}, row 1",
                "put all rows into one sheet; or save each sheet as a file, and give --survey for "
                "each; or delete the sheet that does not count",
            )
        if rows:
            lines.append(f"  sheet '{other}': not read")
    return lines


_LOOKED_AT = 6
"""Rows among which headings are looked for."""


def _refuse_title(path: Path, read: ReadPart, language: str) -> None:
    """Refuse a simple table whose headings have a title or remarks above them."""
    _, rows = read_head(path, read, language, _LOOKED_AT)
    filled_cells = [sum(bool(plain(cell)) for cell in row) for row in rows]
    for at, row in enumerate(rows[1:], start=1):
        if shape_of(row) is not None and max(filled_cells[:at]) < min(3, filled_cells[at]):
            above = "row 1" if at == 1 else f"rows 1 to {at}"
            raise CurateError(
                f"the headings stand in row {at + 1}, below a title",
                f"{path}, row 1",
                f"delete {above}, so that the headings are the first row",
            )


def _refuse_doubled(heads: Sequence[str], path: Path) -> None:
    named = [compared(head) for head in heads]
    twice = next((at for at, name in enumerate(named) if name and name in named[:at]), None)
    if twice is not None:
        raise CurateError(
            f"column '{plain(heads[twice])}' occurs twice in the header",
            f"{path}, row 1",
            "rename or delete one",
        )


@cache
def _flags() -> frozenset[str]:
    """What may say of an option whether it was chosen."""
    words = ("0", "1", "x", "true", "false", "t", "f", "selected", "shown", "missing", "chosen")
    more = (*received_words("limesurvey_yes"), *received_words("limesurvey_no"))
    return frozenset(map(compared, (*words, *more)))


def _refuse_flags(table: _Table) -> None:
    """Refuse rows with a column that nothing reads and that may say which options were chosen."""
    for at, title in enumerate(table.titles):
        column = table.view.grid.columns[at]
        cells = {compared(column.values[code]) for code in column.used()} - {""}
        if at not in table.used and cells and cells <= _flags():
            raise CurateError(
                f"column '{title or at + 1}' may say which options were chosen: it holds "
                f"{', '.join(sorted(cells))}",
                f"{table.view.grid.file}, row 1, column {title or at + 1}",
                "call it 'state' and write selected, shown or missing; or keep the rows of chosen "
                "options alone, and delete it",
            )


def _left(table: _Table) -> list[str]:
    left = []
    for at, title in enumerate(table.titles):
        if at not in table.used:
            holds = filled(table.view.grid.columns[at]).any()
            table.tell(at, "not read" if holds else "empty")
            left += [title or f"column {at + 1}"] if holds else []
    return left


def _people(table: _Table) -> Kept:
    """Who answered: by the column that names respondents."""
    found = _titles(table.titles, "respondent")
    exact = [at for at in found if compared(table.titles[at]) == "respondent id"]
    better = [at for at in found if compared(table.titles[at]) in _first_names()]
    best = exact or better or found
    if len(best) > 1:
        table.refuse_two("respondents", best)
    at = best[0]
    name = table.titles[at]
    same = [other for other, title in enumerate(table.titles) if title == name]
    if len(same) > 1:
        table.refuse_two("respondents", same)
    table.used.add(at)
    kept = kept_rows(table.view, Mapping(respondent=RespondentPart(id=name)))
    table.tell(at, f"respondents ({len(kept.ids):,})")
    return kept


@cache
def _first_names() -> frozenset[str]:
    return frozenset(map(compared, received_words("simple_respondent")))


def _attributes(table: _Table, kept: Kept) -> dict[str, tuple[str, ...]]:
    """What the table and `respondents.csv` beside it say of the respondents."""
    used = {compared(word): "form" for word in received_words("simple_form")}
    used |= {compared(name): name for name in used_attributes(table.culture)}
    checks = tuple(word.casefold() for word in received_words("attention"))
    shown = _shown_values(table.culture)
    parts: dict[str, str] = {}
    for at, title in enumerate(table.titles):
        name = used.get(compared(title), "")
        if at in table.used or not title:
            continue
        if not name and any(check.strip("^$") in title.casefold() for check in checks):
            name = "attention"
            _refuse_other_words(table, at)
        elif not name and _attribute_words().fullmatch(compared(title)):
            name = _by_values(table, at, shown) or title
        if not name:
            continue
        if name in parts:
            table.refuse_two(name, [table.titles.index(parts[name]), at])
        table.used.add(at)
        parts[name] = title
        goes_by = "" if name in used.values() else ", which nothing goes by"
        of = "that respondents answered" if name == "form" else "of the respondents"
        table.tell(at, f"{name} {of}{_meant(table, at, shown.get(name))}{goes_by}")
    said = {name: plain_attribute(kept.view, title, name) for name, title in parts.items()}
    found = {**attributes_beside(table.path, kept.ids), **by_respondent(kept, said)}
    for name, values in shown.items():
        if name in found:
            found[name] = tuple(values.get(compared(cell), cell) for cell in found[name])
    return found


@cache
def _attribute_words() -> re.Pattern[str]:
    return re.compile("|".join(received_words("attributes")), re.IGNORECASE)


def _shown_values(culture: Culture) -> dict[str, dict[str, str]]:
    """By attribute of quotas and weights, its values by what respondents read for them."""
    return {
        name: {compared(text): value for value, given in labels.items() for text in (given, value)}
        for name, _, labels in shown_attributes(culture, culture.language)
    }


def _by_values(table: _Table, at: int, shown: dict[str, dict[str, str]]) -> str:
    """The one attribute of whose values a column holds some; empty where it is not told."""
    column = table.view.grid.columns[at]
    cells = {compared(column.values[code]) for code in column.used()}
    fit = [name for name, values in shown.items() if cells & values.keys()]
    return fit[0] if len(fit) == 1 else ""


def _meant(table: _Table, at: int, values: dict[str, str] | None) -> str:
    """What the cells of an attribute are taken for, where that is not what they say."""
    if values is None:
        return ""
    column = table.view.grid.columns[at]
    cells = dict.fromkeys(plain(column.values[code]) for code in column.used())
    other = [
        f"{cell} is {values[compared(cell)]}"
        if compared(cell) in values
        else f"{cell} is not known"
        for cell in cells
        if cell and values.get(compared(cell)) != cell
    ]
    more = ", ..." if len(other) > _NAMED else ""
    return f" ({', '.join(other[:_NAMED])}{more})" if other else ""


def _refuse_other_words(table: _Table, at: int) -> None:
    """Refuse a column that is called as attention checks are, and does not say who passed."""
    column = table.view.grid.columns[at]
    for value in column.values:
        if quality_value("attention", plain(value), table.culture.survey) is None:
            table.refuse(
                f"column '{table.titles[at]}' seems to be an attention check, and '{plain(value)}' "
                f"says neither {' nor '.join(QUALITY_VALUES['attention'])}",
                first_of(column.codes == column.values.index(value)),
                at,
                "write 'passed' or 'failed', say in survey.quality.values what stands for them, or "
                "delete the column",
            )


_T = TypeVar("_T")


def _agreeing(
    table: _Table,
    columns: Iterable[int],
    what: str,
    read: Callable[[int], _T],
    same: Callable[[_T, _T], bool],
) -> tuple[int, _T]:
    """Of the columns that may hold a thing the one that can be read; several must agree.

    Raises:
        CurateError: If none can be read, or two of them differ.
    """
    fit: list[tuple[int, _T]] = []
    problem: CurateError | None = None
    for at in dict.fromkeys(columns):
        try:
            fit.append((at, read(at)))
        except CurateError as error:
            problem = problem or error
            table.used.discard(at)
            table.spelled.pop(at, None)
    if not fit:
        assert problem is not None  # noqa: S101  # a table of the shape has such a column
        raise problem
    first, found = fit[0]
    for other, again in fit[1:]:
        if not same(found, again):
            table.refuse_two(what, [first, other])
        table.tell(other, f"{what}, as column '{table.titles[first]}' says")
    return first, found


def _asked(table: _Table) -> Codes:
    """The position of each row's question."""
    at, question = _agreeing(
        table,
        _titles(table.titles, "question"),
        "questions",
        lambda at: _question_places(table, at),
        np.array_equal,
    )
    table.tell(at, f"questions ({len(np.unique(question)):,})")
    return question


def _question_places(table: _Table, at: int) -> Codes:
    column = table.column(at)
    found = np.full(len(column.values), -1, dtype=np.int64)
    for code in column.used():
        text = plain(column.values[code])
        places = table.names.places(text)
        record = first_of(column.codes == code)
        if not places:
            table.refuse(
                f"'{text}' is no question of the questionnaire"
                if text
                else "the row names no question",
                record,
                at,
                "write its id, its text or its stereotype, or give the questionnaire that was "
                "asked (--questionnaire)",
            )
        if len(places) > 1:
            both = " and ".join(table.names.questions[place].id for place in places[:2])
            table.refuse(
                f"'{text}' names two questions, {both}", record, at, "write the questions' ids"
            )
        found[code] = places[0]
    return found[column.codes]


def _read_rows(table: _Table, kept: Kept, questions: Sequence[Question]) -> Answers:
    """Read rows of respondent, question and answer; a row an option where several are chosen."""
    question = _asked(table)
    columns = {name: at for at, title in enumerate(table.titles) if (name := _normal(title))}
    at, chosen = _agreeing(
        table,
        _answers(table),
        "answers",
        lambda at: _chosen(table, at, question, questions),
        _Chosen.equals,
    )
    blank = int((chosen.count == 0).sum())
    table.tell(
        at, f"answers ({len(question) - blank:,}" + (f"; {blank:,} empty)" if blank else ")")
    )
    state = _states(table, columns.get("state"))
    _check_kinds(table, columns.get("kind"), question, questions)
    position, seconds = _numbers(table, columns)
    rows, option = chosen.rows, chosen.option
    order, orders = _shown_lists(table, question, questions, columns)
    if "position" in columns and (chosen.count > 1).any():
        table.refuse(
            "the row has one position for several options",
            first_of(chosen.count > 1),
            columns["position"],
            "write a row for each option",
        )
    made = replace(
        _made(table, kept, questions, kept.respondent[rows], question[rows], option),
        state=state[rows],
        position=position[rows],
        duration=seconds[rows],
        row=table.view.rows()[rows],
    )
    _refuse_flags(table)
    refuse_doubles(table.path, made)
    if not orders:
        return made
    _refuse_two_orders(table, kept.respondent * len(questions) + question, order)
    return with_orders(made, order[rows], orders)


def _is_shown(title: str) -> bool:
    return compared(title) in _SHOWN_WORDS or bool(_shown_words().fullmatch(compared(title)))


@cache
def _shown_words() -> re.Pattern[str]:
    return re.compile("|".join(received_words("display_order")), re.IGNORECASE)


def _shown_lists(
    table: _Table, question: Codes, questions: Sequence[Question], columns: dict[str, int]
) -> tuple[Codes, list[Order]]:
    """For each row which order its options were shown in, by a column that lists them; else -1."""
    found = [at for at, title in enumerate(table.titles) if _is_shown(title)]
    none = np.full(len(question), -1, dtype=np.int64)
    if not found:
        return none, []
    if len(found) > 1:
        table.refuse_two("the order of options", found)
    if "position" in columns:
        table.refuse_two("where options were shown", [columns["position"], found[0]])
    return _listed(table, found[0], question, questions)


def _listed(
    table: _Table, at: int, question: Codes, questions: Sequence[Question]
) -> tuple[Codes, list[Order]]:
    column = table.column(at)
    width = len(column.values)
    pairs, inverse = np.unique(question * width + column.codes, return_inverse=True)
    of_pair = np.full(len(pairs), -1, dtype=np.int64)
    orders: list[Order] = []
    for number, pair in enumerate(pairs.tolist()):
        asked, cell = questions[pair // width], column.values[pair % width]
        if not plain(cell):
            continue
        ways = {
            order
            for options in options_in_order(asked, cell)
            if (order := listed_order(asked, options)) is not None
        }
        if len(ways) != 1:
            known = ", ".join(f"'{shown(option)}'" for option in asked.options[:_NAMED])
            table.refuse(
                f"'{plain(cell)}' {'can be read in two ways' if ways else 'is no list'} of all "
                f"options of question {asked.id}, as they were shown",
                first_of(inverse == number),
                at,
                f"join all of them by | or ; in the order shown: {known}"
                + (", ..." if len(asked.options) > _NAMED else ""),
            )
        of_pair[number] = len(orders)
        orders += ways
    table.tell(at, "options in the order shown")
    return of_pair[inverse], orders


def _refuse_two_orders(table: _Table, pairs: Codes, order: Codes) -> None:
    """Refuse rows of one respondent and question that were shown in two orders."""
    known = np.flatnonzero(order >= 0)
    by_pair = known[np.lexsort((order[known], pairs[known]))]
    same = pairs[by_pair[1:]] == pairs[by_pair[:-1]]
    at = first_of(same & (order[by_pair[1:]] != order[by_pair[:-1]]))
    if at >= 0:
        one, other = sorted((int(by_pair[at]), int(by_pair[at + 1])))
        table.view.refuse(
            f"rows {table.view.row(one)} and {table.view.row(other)} list two orders of one "
            "respondent's question",
            other,
            "",
            "write the order that was shown",
        )


def _answers(table: _Table) -> list[int]:
    return [at for role in _ANSWER for at in _titles(table.titles, role)]


def _normal(title: str) -> str:
    return _NORMAL.get(compared(title), "")


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The options that rows name: one entry an option.

    Attributes:
        rows: The row of each entry.
        option: Position of the option.
        count: For each row how many options it names; 0 for an empty cell.
    """

    rows: Codes
    option: Codes
    count: Codes

    def equals(self, other: "_Chosen") -> bool:
        """Whether two columns name the same options in every row."""
        return np.array_equal(self.rows, other.rows) and np.array_equal(self.option, other.option)


def _chosen(table: _Table, at: int, question: Codes, questions: Sequence[Question]) -> _Chosen:
    column = table.column(at)
    width = len(column.values)
    pairs, inverse = _distinct(question * width + column.codes, len(questions) * width)
    named: list[Places] = [()] * len(pairs)
    spelled: dict[tuple[Spelling, str], int] = {}
    order = np.argsort(pairs // width, kind="stable")
    starts = np.flatnonzero(np.diff(pairs[order] // width, prepend=-1))
    for group in np.split(order, starts[1:]):
        if not len(group):
            continue
        asked = questions[int(pairs[group[0]] // width)]
        cells = {column.values[int(pairs[pair] % width)]: int(pair) for pair in group}
        full = [cell for cell in cells if plain(cell)]

        def refuse(what: str, cell: str, hint: str, cells: dict[str, int] = cells) -> NoReturn:
            table.refuse(what, first_of(inverse == cells[cell]), at, hint)

        meant, spelt = options_named(asked, full, refuse)
        for cell, places in meant.items():
            named[cells[cell]] = places
        for cell, spelling in spelt.items():
            texts = " + ".join(option_text(asked, place) for place in meant[cell])
            key = spelling, f"'{plain(cell)}' for '{texts}'"
            spelled[key] = spelled.get(key, 0) + int((inverse == cells[cell]).sum())
    table.spelled[at] = spelled
    counts = np.array([len(places) for places in named], dtype=np.int64)
    flat = np.array([place for places in named for place in places], dtype=np.int64)
    begin = np.concatenate(([0], np.cumsum(counts)))[:-1]
    count = counts[inverse]
    rows = np.repeat(np.arange(len(inverse), dtype=np.int64), count)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    return _Chosen(rows, flat[begin[inverse][rows] + within] if len(rows) else rows, count)


def _distinct(keys: Codes, size: int) -> tuple[Codes, Codes]:
    """The different keys in order, and for each key its place among them."""
    if size > _DENSE:
        pairs, inverse = np.unique(keys, return_inverse=True)
        return pairs, inverse
    there = np.zeros(size, dtype=bool)
    there[keys] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[keys]


_DENSE = 5_000_000
"""With so many keys or fewer an array of all of them costs less than sorting."""


def _states(table: _Table, at: int | None) -> npt.NDArray[np.int8]:
    """The state of each row: chosen, unless a column says another one."""
    count = len(table.view)
    if at is None:
        return np.full(count, SELECTED, dtype=np.int8)
    column = table.column(at)
    codes = {state.value: code for code, state in enumerate(STATES)}
    found = np.zeros(len(column.values), dtype=np.int8)
    for code in column.used():
        text = plain(column.values[code]).casefold()
        if text not in codes:
            table.refuse(
                f"'{text}' is no state", first_of(column.codes == code), at, ", ".join(codes)
            )
        found[code] = codes[text]
    table.tell(at, "whether the option was selected, shown or missing")
    return found[column.codes]


def _check_kinds(
    table: _Table, at: int | None, question: Codes, questions: Sequence[Question]
) -> None:
    if at is None:
        return
    column = table.column(at)
    kinds = np.array([plain(value).casefold() for value in column.values], dtype=object)
    wanted = np.array([item.kind.value for item in questions], dtype=object)[question]
    other = first_of(kinds[column.codes] != wanted)
    if other >= 0:
        table.refuse(
            f"kind '{plain(column.cell(other))}' where question {questions[question[other]].id} is "
            f"of kind {wanted[other]}",
            other,
            at,
            "fix the file, or give the questionnaire that was asked (--questionnaire)",
        )
    table.tell(at, "kinds of the questions")


def _numbers(
    table: _Table, columns: dict[str, int]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """The position and the seconds of each row; 0 and NaN where they are not known."""
    position = np.zeros(len(table.view), dtype=np.int32)
    at = columns.get("position")
    if at is not None:
        column = table.column(at)
        values = np.zeros(len(column.values), dtype=np.int32)
        for code in column.used():
            text = plain(column.values[code])
            if text and not (text.isascii() and text.isdecimal() and len(text) < 10):
                first = first_of(column.codes == code)
                table.refuse(f"'{text}' is no position", first, at, "write a whole number from 1")
            values[code] = int(text or 0)
        position = values[column.codes]
        table.tell(at, "positions of the options shown")
    at = columns.get("duration")
    if at is None:
        return position, np.full(len(table.view), np.nan)
    table.used.add(at)
    table.tell(at, "seconds that each question took")
    return position, read_seconds(table.view, table.titles[at], "duration_s")


def _made(
    table: _Table,
    kept: Kept,
    questions: Sequence[Question],
    respondent: Codes,
    question: Codes,
    option: Codes,
) -> Answers:
    """Answers that are chosen, at positions that are not known."""
    count = len(option)
    if not count:
        raise CurateError(
            f"{table.path.name} holds no answers", table.view.grid.file, "check the export"
        )
    return Answers(
        source=table.view.grid.file,
        questions=tuple(questions),
        respondents=kept.ids,
        respondent=respondent,
        question=question,
        option=option,
        state=np.full(count, SELECTED, dtype=np.int8),
        position=np.zeros(count, dtype=np.int32),
        duration=np.full(count, np.nan),
        row=np.zeros(count, dtype=np.int64),
        attributes=_attributes(table, kept),
    )


def _read_columns(table: _Table, kept: Kept, questions: Sequence[Question]) -> Answers:
    """Read a row for each respondent and a column for each question."""
    if len(kept.ids) < len(kept.respondent):
        ordered = np.sort(kept.respondent)
        who = int(ordered[1:][ordered[1:] == ordered[:-1]][0])
        rows = np.flatnonzero(kept.respondent == who)[:2].tolist()
        numbers = " and ".join(str(table.view.row(at)) for at in rows)
        raise CurateError(
            f"respondent {kept.ids[who]} has two rows, {numbers}",
            f"{table.view.grid.file}, row {table.view.row(rows[1])}",
            "keep one row of each respondent",
        )
    asked: dict[int, int] = {}
    parts: list[tuple[Codes, ...]] = []
    lists = _columns_of_lists(table)
    orders: list[Order] = []
    for at, title in enumerate(table.titles):
        places = [] if at in table.used else table.names.places(title)
        if not places:
            continue
        if len(places) > 1:
            both = " and ".join(questions[place].id for place in places[:2])
            raise CurateError(
                f"column '{title}' names two questions, {both}",
                f"{table.view.grid.file}, row 1, column {title}",
                "name the columns by the questions' ids",
            )
        place = places[0]
        if place in asked:
            table.refuse_two(f"question {questions[place].id}", [asked[place], at])
        asked[place] = at
        every = np.full(len(table.view), place, dtype=np.int64)
        chosen = _chosen(table, at, every, questions)
        table.tell(at, f"question {questions[place].id} ({(chosen.count > 0).sum():,} answers)")
        order = np.full(len(every), -1, dtype=np.int64)
        if place in lists:
            order, more = _listed(table, lists[place], every, questions)
            order = np.where(order >= 0, order + len(orders), -1)
            orders += more
        of_answer = order[chosen.rows]
        parts.append((chosen.rows, np.full(len(chosen.rows), place), chosen.option, of_answer))
    rows, question, option, order = (np.concatenate([part[i] for part in parts]) for i in range(4))
    made = _made(table, kept, questions, kept.respondent[rows], question, option)
    return with_orders(replace(made, row=table.view.rows()[rows]), order, orders)


def _columns_of_lists(table: _Table) -> dict[int, int]:
    """By question the column that lists its options as they were shown: `q-1 shown`."""
    words = "|".join((*_SHOWN_WORDS, *received_words("display_order")))
    headed = re.compile(rf"(.+?)[\s_:.\-(\[]+(?:{words})[)\]]?", re.IGNORECASE)
    found: dict[int, int] = {}
    for at, title in enumerate(table.titles):
        match = None if table.names.places(title) else headed.fullmatch(plain(title))
        for place in table.names.places(match[1]) if match else ():
            if place in found:
                name = table.names.questions[place].id
                table.refuse_two(f"the order of question {name}", [found[place], at])
            found[place] = at
    return found


def _read_counts(table: _Table) -> Iterable[Tally]:
    """Read counts by question and option."""
    questions = table.names.questions
    question = _asked(table)

    def single(at: int) -> _Chosen:
        found = _chosen(table, at, question, questions)
        one = first_of(found.count != 1)
        if one >= 0:
            table.refuse("the row names no single option", one, at, "write a row for each option")
        return found

    at, chosen = _agreeing(table, _answers(table), "options", single, _Chosen.equals)
    table.tell(at, "options")
    votes = _whole(table, _only(table, "votes"), "votes")
    people = [n for n in _titles(table.titles, "people") if n not in table.used]
    stated = _whole(table, people[0], "respondents") if people else None
    if len(people) > 1:
        table.refuse_two("respondents", people)
    for place in dict.fromkeys(question.tolist()):
        rows = np.flatnonzero(question == place)
        yield _tally(table, questions[place], rows, chosen.option[rows], votes, stated)


def _only(table: _Table, role: str) -> int:
    found = [at for at in _titles(table.titles, role) if at not in table.used]
    if len(found) > 1:
        table.refuse_two(role, found)
    return found[0]


def _whole(table: _Table, at: int, what: str) -> Codes:
    column = table.column(at)
    values = np.full(len(column.values), -1, dtype=np.int64)
    for code in column.used():
        text = plain(column.values[code])
        if text.isascii() and text.isdecimal() and len(text) < 10:
            values[code] = int(text)
        elif text or what == "votes":
            first = first_of(column.codes == code)
            hint = "write a whole number from 0, without separators"
            table.refuse(f"'{text}' is no number of {what}", first, at, hint)
    table.tell(at, what)
    return values[column.codes]


def _tally(
    table: _Table,
    question: Question,
    rows: Codes,
    options: Codes,
    votes: Codes,
    stated: Codes | None,
) -> Tally:
    file = table.view.grid.file
    found: dict[int, int] = {}
    for row, option in zip(rows.tolist(), options.tolist(), strict=True):
        name = question.options[option].code
        if option in found:
            raise CurateError(
                f"question {question.id} has two rows for option '{name}'",
                f"{file}, row {table.view.row(row)}",
                "keep one row of each option",
            )
        found[option] = int(votes[row])
    where = f"{file}, row {table.view.row(int(rows[0]))}"
    lacking = [item.code for at, item in enumerate(question.options) if at not in found]
    if lacking:
        raise CurateError(
            f"question {question.id} has no votes for {', '.join(lacking[:_NAMED])}",
            where,
            "write a row for each option, with 0 where nobody chose it",
        )
    counted = tuple(found[at] for at in range(len(question.options)))
    known = set() if stated is None else set(stated[rows].tolist()) - {-1}
    if len(known) > 1:
        raise CurateError(
            f"question {question.id} has {' and '.join(map(str, sorted(known)[:2]))} respondents",
            where,
            "write the same number in all of its rows",
        )
    people = known.pop() if known else None
    return Tally(
        question, _respondents(table, question, counted, people, where), counted, table.path.name
    )


def _respondents(
    table: _Table, question: Question, votes: Sequence[int], stated: int | None, where: str
) -> int:
    """How many answered a question: who choose one option each are its votes."""
    if question.kind is not QuestionKind.SELECT_ALL:
        if stated is not None and stated != sum(votes):
            raise CurateError(
                f"question {question.id} has {sum(votes)} votes of {stated} respondents, who "
                "choose one option each",
                where,
                "fix the votes or the respondents",
            )
        return sum(votes)
    setting = table.culture.survey.respondents
    people = setting if stated is None else stated
    if max(votes) > people:
        raise CurateError(
            f"question {question.id} has {max(votes)} votes for one option of {people} respondents",
            where,
            "fix the counts"
            if stated is not None
            else "add a column 'respondents', or set survey.respondents in culture.yaml",
        )
    if stated is None and "respondents" not in table.culture.survey.model_fields_set:
        raise CurateError(
            f"nothing says how many people answered question {question.id}",
            where,
            "add a column 'respondents', give --respondents, or set survey.respondents in "
            "culture.yaml",
        )
    if stated is None:
        line = f"  respondents of target selection: {setting}, by survey.respondents"
        table.lines += [] if line in table.lines else [line]
    return people
