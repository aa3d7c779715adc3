"""Simple tables, as a person makes them: recognised by their headings, read by a mapping of these.

Three shapes are known, in any case and in the languages of the packs: rows of respondent, question
and answer; a row for each respondent and a column for each question; counts by question and option.
Rows may have the state, position and duration of the normal form too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, NoReturn

import numpy as np
import numpy.typing as npt

from curation.languages import LanguageOrCode, received_words
from curation.records.culture import QUALITY_VALUES, Culture
from curation.records.errors import CurateError
from curation.records.findings import Finding
from curation.records.survey import Question, QuestionKind, Tally
from survey.answers import Answers, Codes
from survey.attributes import compared, quality_value, used_attributes
from survey.building.wording import shown_attention, shown_attributes
from survey.mapping import ROW, AttributePart, LongPart, QuestionPart, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.readers.drafting import ATTRIBUTES
from survey.readers.findings import file_findings, unread_finding
from survey.readers.frames import Column, Frame, filled, first_of, plain, refusal
from survey.readers.naming import QuestionNames, unaccented
from survey.readers.normalise import Received, normalised, refuse_kinds
from survey.readers.opening import Opened
from survey.readers.people import started_and_ended

Shape = Literal["rows", "columns", "counts"]
_ANSWERS = ("answer", "option", "group")
_STATE = {"state": "state", "position": "position", "duration s": "duration", "kind": "kind"}
"""Columns of the normal form, as headings are compared, beside respondent, question and option."""
_TAKEN = {
    "state": "whether the option was selected, shown or missing",
    "position": "positions of the options shown",
    "duration": "seconds that each question took",
    "kind": "kinds of the questions",
}
_SHOWN_WORDS = ("shown", "order")
"""Columns that list the options as they were shown, beside the packs' words for it."""
_SHOWN = re.compile("|".join(received_words("display_order")), re.IGNORECASE)
_FLAGS = frozenset(
    compared(word)
    for word in (
        *("0", "1", "x", "true", "false", "t", "f", "selected", "shown", "missing", "chosen"),
        *received_words("limesurvey_yes"),
        *received_words("limesurvey_no"),
    )
)
"""What may say of an option whether it was chosen."""
_LOOKED_AT = 6
"""Rows among which headings are looked for."""
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple table as read.

    Attributes:
        lines: What was recognised, a line a column, below one of the file.
        findings: What a person should know.
        answers: The answers of respondents; None where the table holds counts.
        tallies: The counts; none where it holds answers.
        unread: Columns that hold something and were recognised as nothing.
    """

    lines: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    answers: Answers | None = None
    tallies: tuple[Tally, ...] = ()
    unread: tuple[str, ...] = ()


@cache
def _words(role: str) -> frozenset[str]:
    lists = {"respondent": ("simple_respondent", "panel_ids")}.get(role, (f"simple_{role}",))
    words = {compared(word) for name in lists for word in received_words(name)}
    return frozenset(words | set(map(unaccented, words)))


def columns_called(heads: Sequence[str], role: str) -> list[int]:
    """The columns whose heading is a word for a role, in any language of the packs."""
    return [at for at, head in enumerate(heads) if compared(head) in _words(role)]


def shape_of(heads: Sequence[str]) -> Shape | None:
    """Tell the shape of a simple table by its headings; None where they are of no such table.

    A table with a column a question is only known by the questions: it is one where something
    names respondents.
    """
    votes, questions = columns_called(heads, "votes"), columns_called(heads, "question")
    answers = [at for role in _ANSWERS for at in columns_called(heads, role)]
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


def read_simple(
    opened: Opened,
    questions: Sequence[Question],
    culture: Culture,
    texts: Mapping[str, str],
    language: LanguageOrCode | None = None,
) -> Simple | None:
    """Read a simple table.

    Args:
        opened: The file.
        questions: The questionnaire.
        culture: Settings of the workspace.
        texts: By question the text that was asked, where it is known.
        language: The culture's language with what its workspace says of it; by default as we have
            it.

    Returns:
        What it holds; None where its headings are of no simple table.

    Raises:
        CurateError: If it cannot be read, or something in it is unknown or has two readings.
    """
    names = QuestionNames(questions, texts)
    heads = [cells for _, cells in opened.head(1)]
    if not heads or not is_simple(heads[0], names):
        _refuse_title(opened)
        return None
    others = list(_other_sheets(opened, names))
    table = _Table(opened.frame(), names, culture, language or culture.language)
    table.refuse_doubled()
    shape = shape_of(table.frame.titles)
    if shape == "counts":
        made = Simple((), tuple(file_findings(table.frame)), tallies=_counts(table))
        what = "counts by question and option"
    else:
        received = _answers(table, "rows" if shape == "rows" else "columns")
        made = Simple((), received.findings, received.answers)
        what = "a row a respondent, a column a question"
        what = "rows of respondent, question and answer" if shape == "rows" else what
    lines = (f"{table.frame.file}: {what}", *others, *table.lines())
    left = tuple(table.unread())
    unread = unread_finding(table.frame.file, left, mapped=False)
    return replace(made, lines=lines, findings=(*made.findings, *unread), unread=left)


def _refuse_title(opened: Opened) -> None:
    """Refuse a simple table whose headings have a title or remarks above them."""
    rows = [cells for _, cells in opened.head(_LOOKED_AT)]
    counts = [sum(bool(plain(cell)) for cell in row) for row in rows]
    for at, row in enumerate(rows[1:], start=1):
        if shape_of(row) is not None and max(counts[:at]) < min(3, counts[at]):
            above = "row 1" if at == 1 else f"rows 1 to {at}"
            raise refusal("title-above", f"{opened.file}, row 1", row=str(at + 1), above=above)


def _other_sheets(opened: Opened, names: QuestionNames) -> Iterator[str]:
    """Name the sheets of a workbook that are not read, for the person to see.

    Raises:
        CurateError: If one of them is a simple table too: its answers would not be counted.
    """
    for other in opened.source.sheets:
        if other == opened.source.sheet:
            continue
        try:
            rows = opened.sheet(other).head(1)
        except CurateError:
            rows = [(1, [])]  # it is not read as a table of answers, and is named all the same
        if any(is_simple(cells, names) for _, cells in rows):
            where, sheet = f"{opened.file}, sheet {other}, row 1", opened.source.sheet
            raise refusal("two-sheets", where, sheet=sheet, other=other)
        if rows:
            yield f"  sheet '{other}': not read"


@dataclass(slots=True)
class _Table:
    """A table of which the columns are recognised one after the other, and what each was."""

    frame: Frame
    names: QuestionNames
    culture: Culture
    language: LanguageOrCode
    said: dict[int, str] = field(default_factory=dict)
    more: str = ""

    def column(self, at: int) -> Column:
        """A column."""
        return self.frame.columns[at]

    def take(self, at: int, what: str) -> str:
        """Note what a column was recognised as; give its name."""
        self.said[at] = what
        return self.frame.titles[at]

    def called(self, role: str) -> list[int]:
        """The columns of a role that are nothing else yet."""
        found = columns_called(self.frame.titles, role)
        return [at for at in found if at not in self.said]

    def refuse_two(self, what: str, columns: Sequence[int]) -> NoReturn:
        """Refuse two columns that may be the same thing.

        Raises:
            CurateError: Always.
        """
        one, other = (f"'{self.frame.titles[at]}'" for at in columns[:2])
        raise refusal("two-columns", f"{self.frame.file}, row 1", what=what, one=one, other=other)

    def refuse_doubled(self) -> None:
        """Refuse two columns of one name.

        Raises:
            CurateError: If there are such.
        """
        named = [compared(title) for title in self.frame.titles]
        twice = next((at for at, name in enumerate(named) if name and name in named[:at]), None)
        if twice is not None:
            title = self.frame.titles[twice]
            raise refusal("heading-twice", f"{self.frame.file}, row 1", title=title)

    def unread(self) -> list[str]:
        """The columns that hold something and were recognised as nothing."""
        left = (at for at in range(len(self.frame.titles)) if at not in self.said)
        return [
            self.frame.titles[at] or f"column {at + 1}"
            for at in left
            if any(map(str.strip, self.column(at).values))
        ]

    def lines(self) -> Iterator[str]:
        """Say what each column was recognised as."""
        unread = set(self.unread())
        for at, title in enumerate(self.frame.titles):
            name = title or f"column {at + 1}"
            what = self.said.get(at) or ("not read" if name in unread else "empty")
            yield f"  column '{title or at + 1}': {what}"
        if self.more:
            yield self.more


def _answers(table: _Table, shape: Literal["rows", "columns"]) -> Received:
    """Read the answers of respondents by a mapping that is made of the headings."""
    who = _respondent(table)
    if shape == "columns":
        questions = tuple(_questions(table))
        mapping = _mapping(table, who, alone=True).model_copy(update={"questions": questions})
        received = normalised(table.frame, mapping, table.names, simple=True)
    else:
        received = _rows(table, who)
    at = table.frame.titles.index(who)
    table.said[at] = f"respondents ({received.respondents:,})"
    return received


def _respondent(table: _Table) -> str:
    titles = table.frame.titles
    found = table.called("respondent")
    exact = [at for at in found if compared(titles[at]) == "respondent id"]
    first = set(map(compared, received_words("simple_respondent")))
    better = [at for at in found if compared(titles[at]) in first]
    best = exact or better or found
    if len(best) > 1:
        table.refuse_two("respondents", best)
    return table.take(best[0], "respondents")


def _questions(table: _Table) -> Iterator[QuestionPart]:
    """The columns that are called as questions, with those that list their options as shown."""
    orders = _orders(table)
    asked: dict[int, int] = {}
    for at, title in enumerate(table.frame.titles):
        places = table.names.places(title) if at not in table.said else []
        if len(places) > 1:
            names = [table.names.questions[place].id for place in places]
            where = f"{table.frame.file}, row 1, column {title}"
            raise refusal("heading-of-two", where, title=title, names=names)
        for place in places:
            question = table.names.questions[place]
            if asked.setdefault(place, at) != at:
                table.refuse_two(f"question {question.id}", [asked[place], at])
            count = int(filled(table.column(at)).sum())
            order = orders.get(place)
            yield QuestionPart(
                id=question.id,
                kind=question.kind,
                column=table.take(at, f"question {question.id} ({count:,} answers)"),
                order=None if order is None else table.take(order, "options in the order shown"),
            )


def _orders(table: _Table) -> dict[int, int]:
    """By question the column that lists its options as they were shown: `q-1 shown`."""
    words = "|".join((*_SHOWN_WORDS, _SHOWN.pattern))
    headed = re.compile(rf"(.+?)[\s_:.\-(\[]+(?:{words})[)\]]?", re.IGNORECASE)
    found: dict[int, int] = {}
    for at, title in enumerate(table.frame.titles):
        match = None if table.names.places(title) else headed.fullmatch(title)
        for place in table.names.places(match[1]) if match else ():
            if found.setdefault(place, at) != at:
                name = table.names.questions[place].id
                table.refuse_two(f"the order of question {name}", [found[place], at])
    return found


def _rows(table: _Table, who: str) -> Received:
    """Read rows of respondent, question and answer; of columns that may hold one, all must agree.

    Raises:
        CurateError: If none can be read, or two of them differ.
    """
    named = {key: at for at, title in enumerate(table.frame.titles) if (key := _normal(title))}
    listed = [at for at, title in enumerate(table.frame.titles) if _is_shown(title)]
    if len(listed) > 1 or (listed and "position" in named):
        table.refuse_two("where options were shown", [*listed, *named.values()])
    questions = table.called("question")
    answers = [at for role in _ANSWERS for at in table.called(role) if at not in questions]
    for key in _TAKEN.keys() & named.keys():
        table.take(named[key], _TAKEN[key])
    for at in listed:
        table.take(at, "options in the order shown")
    table.said |= dict.fromkeys((*questions, *answers), "")  # no attributes of respondents
    mapping = _mapping(table, who, alone=False)
    titles = {key: table.frame.titles[at] for key, at in named.items() if key != "kind"}
    fit: list[tuple[int, int, Received]] = []
    problem: CurateError | None = None
    for asked in questions:
        for answer in answers:
            long = LongPart(
                question=table.frame.titles[asked],
                answer=table.frame.titles[answer],
                row="option",
                order=table.frame.titles[listed[0]] if listed else None,
                missing=(),
                **titles,
            )
            try:
                made = mapping.model_copy(update={"long": long})
                fit.append((asked, answer, normalised(table.frame, made, table.names, simple=True)))
            except CurateError as error:
                problem = problem or error
    if not fit:
        raise problem or AssertionError("a table of the shape has such columns")
    asked, answer, received = fit[0]
    for other, again, reading in fit[1:]:
        if not _same(received.answers, reading.answers):
            columns = [answer, again] if again != answer else [asked, other]
            table.refuse_two("questions" if again == answer else "answers", columns)
    read = {at for one, two, _ in fit for at in (one, two)}
    for at in {*questions, *answers} - read:
        del table.said[at]
    _tell_rows(table, asked, answer, read, counts=who == ROW)
    if who != ROW:
        _refuse_flags(table)
    if "kind" in named:
        refuse_kinds(table.frame, named["kind"], received.answers)
    return received


def _same(one: Answers, other: Answers) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("question", "option", "row")
    )


def _tell_rows(
    table: _Table, asked: int, answer: int, columns: Iterable[int], *, counts: bool
) -> None:
    full = int(filled(table.column(answer)).sum())
    blank = f"; {len(table.frame) - full:,} empty" if full < len(table.frame) else ""
    for at in columns:
        of = asked if at in columns_called(table.frame.titles, "question") else answer
        what = "questions" if of == asked else "options" if counts else "answers"
        table.said[at] = f"{what}, as column '{table.frame.titles[of]}' says"
    named = {tuple(table.names.places(cell)) for cell in table.column(asked).distinct()}
    table.said[asked] = f"questions ({len(named):,})"
    table.said[answer] = "options" if counts else f"answers ({full:,}{blank})"


def _normal(title: str) -> str:
    return _STATE.get(compared(title), "")


def _is_shown(title: str) -> bool:
    return compared(title) in _SHOWN_WORDS or bool(_SHOWN.fullmatch(compared(title)))


def _refuse_flags(table: _Table) -> None:
    """Refuse rows with a column that nothing reads and that may say which options were chosen."""
    for at, title in enumerate(table.frame.titles):
        cells = {compared(cell) for cell in table.column(at).distinct()} - {""}
        if at not in table.said and cells and cells <= _FLAGS:
            name = str(title or at + 1)
            where = f"{table.frame.file}, row 1, column {name}"
            raise refusal("flags", where, title=name, cells=sorted(cells))


def _mapping(table: _Table, who: str, *, alone: bool) -> FileMapping:
    """A mapping of what a table says of its respondents.

    Args:
        table: The table.
        who: The column that names respondents.
        alone: Whether each has a row of their own: else a row may have the time of one question.
    """
    person = RespondentPart(id=who)
    if who == ROW:
        return FileMapping(respondent=person)
    attributes = dict(_attributes(table))
    people = table.column(table.frame.titles.index(who))
    if alone and "duration_s" not in attributes and len(people.used()) == len(people):
        left = [at for at in range(len(table.frame.titles)) if at not in table.said]
        found = started_and_ended(
            [table.frame.titles[at] for at in left], [table.column(at) for at in left]
        )
        if found is not None:
            person = RespondentPart(id=who, started=found[0], submitted=found[1])
            for title, what in zip(found, ("began", "ended"), strict=True):
                table.take(table.frame.titles.index(title), f"when respondents {what}")
    return FileMapping(respondent=person).model_copy(update={"attributes": attributes})


_CHECK = re.compile(
    "|".join(word.strip("^$") for word in received_words("attention")), re.IGNORECASE
)
"""What names an attention check, wherever it stands: other words in such a column are refused."""


def _attributes(table: _Table) -> Iterator[tuple[str, AttributePart]]:
    """The columns that say something of respondents: by name, by what was asked, or by values."""
    used = {compared(word): "form" for word in received_words("simple_form")}
    used |= {compared(name): name for name in used_attributes(table.culture)}
    traits = shown_attributes(table.culture, table.language)
    asked = {compared(text): name for name, text, _ in traits if text}
    values = {
        name: {compared(text): value for value, given in labels.items() for text in (given, value)}
        for name, _, labels in traits
    }
    text, options = shown_attention(table.culture, table.language)
    check, passed = compared(text), {compared(key): value for key, value in options.items()}
    taken: dict[str, int] = {}
    for at, title in enumerate(table.frame.titles):
        if at in table.said or not title:
            continue
        cells = [cell for cell in table.column(at).distinct() if cell]
        called = compared(title)
        name = used.get(called) or asked.get(called, "")
        meanings = values.get(name, {})
        if not name and check and called == check:
            name, meanings = "attention", passed
        elif not name and _CHECK.search(title):
            name = "attention"
            _refuse_other_words(table, at, cells)
        elif not name and ATTRIBUTES.fullmatch(called):
            fit = [key for key, known in values.items() if {*map(compared, cells)} & known.keys()]
            name = fit[0] if len(fit) == 1 else title
            meanings = values.get(name, {})
        if not name:
            continue
        if name in taken:
            table.refuse_two(name, [taken[name], at])
        taken[name] = at
        meant = {cell: meanings.get(compared(cell), cell) for cell in cells} if meanings else {}
        of = "that respondents answered" if name == "form" else "of the respondents"
        unused = "" if name in used.values() else ", which is not used"
        said = _meant(meanings, meant) if meanings else ""
        table.take(at, f"{name} {of}{said}{unused}")
        yield name, AttributePart(column=title, values={**meant, "": ""} if meant else {})


def _meant(known: Mapping[str, str], meant: Mapping[str, str]) -> str:
    """What the cells of an attribute are taken for, where that is not what they say."""
    other = [
        f"{cell} is {value}" if compared(cell) in known else f"{cell} is not known"
        for cell, value in meant.items()
        if known.get(compared(cell)) != cell
    ]
    more = ", ..." if len(other) > _NAMED else ""
    return f" ({', '.join(other[:_NAMED])}{more})" if other else ""


def _refuse_other_words(table: _Table, at: int, cells: Sequence[str]) -> None:
    """Refuse a column that is called as attention checks are, and does not say who passed."""
    for cell in cells:
        if quality_value("attention", cell, table.culture.survey) is None:
            column, title = table.column(at), table.frame.titles[at]
            codes = [code for code in column.used() if plain(column.values[code]) == cell]
            row = int(table.frame.rows[first_of(column.codes == codes[0])])
            where = f"{table.frame.file}, row {row}, column {title}"
            words = " nor ".join(QUALITY_VALUES["attention"])
            raise refusal("check-words", where, title=title, cell=cell, words=words)


def _counts(table: _Table) -> tuple[Tally, ...]:
    """Read a table of counts: each row as if it were a respondent's, with its votes beside.

    Raises:
        CurateError: If a row does not name one option of one question, or numbers do not fit.
    """
    frame, settings = table.frame, table.culture.survey
    numbers: list[Codes | None] = []
    for role, what in (("votes", "votes"), ("people", "respondents")):
        found = table.called(role)
        if len(found) > 1:
            table.refuse_two(what, found)
        title = table.take(found[0], what) if found else ""
        numbers.append(whole_numbers(frame, table.column(found[0]), title, what) if found else None)
    votes, stated = numbers
    answers = _rows(table, ROW).answers
    if len(answers) != len(frame) or votes is None:
        left = set(frame.rows.tolist()) - set(answers.row.tolist())
        row = min(left or set(frame.rows[1:].tolist()))
        raise refusal("counts-row", f"{frame.file}, row {row}")
    setting = settings.respondents if "respondents" in settings.model_fields_set else None
    in_file = np.argsort(answers.row)
    asked, option = answers.question[in_file], answers.option[in_file]
    tallies = tuple(tallies_of(frame, table.names.questions, asked, option, votes, stated, setting))
    several = any(tally.question.kind is QuestionKind.SELECT_ALL for tally in tallies)
    if several and stated is None:
        table.more = f"  respondents of target selection: {setting}, by survey.respondents"
    return tallies


def tallies_of(
    frame: Frame,
    questions: Sequence[Question],
    question: Codes,
    option: Codes,
    votes: Codes,
    stated: Codes | None,
    setting: int | None,
) -> Iterable[Tally]:
    """Count the votes of each question that a table holds.

    Args:
        frame: The table.
        questions: The questionnaire.
        question: For each row its question.
        option: For each row its option.
        votes: For each row its votes.
        stated: For each row the number of respondents, -1 where it says none.
        setting: The respondents of target selection by the workspace's settings, if these say it.

    Raises:
        CurateError: If an option is there twice or not at all, or numbers contradict each other.
    """
    for at in dict.fromkeys(question.tolist()):
        rows = np.flatnonzero(question == at)
        asked, where = questions[at], f"{frame.file}, row {int(frame.rows[rows[0]])}"
        counted: dict[int, int] = {}
        for row in rows.tolist():
            if int(option[row]) in counted:
                where = f"{frame.file}, row {int(frame.rows[row])}"
                name = asked.options[option[row]].code
                raise refusal("counts-option-twice", where, id=asked.id, option=name)
            counted[int(option[row])] = int(votes[row])
        lacking = [item.code for place, item in enumerate(asked.options) if place not in counted]
        if lacking:
            raise refusal("counts-option-lacking", where, id=asked.id, options=lacking)
        known = sorted(set() if stated is None else set(stated[rows].tolist()) - {-1})
        if len(known) > 1:
            raise refusal("counts-two-numbers", where, id=asked.id, one=known[0], other=known[1])
        every = tuple(counted[place] for place in range(len(asked.options)))
        people = _respondents(asked, every, known[0] if known else None, setting, where)
        yield Tally(asked, people, every, frame.file.rpartition("/")[2])


def whole_numbers(frame: Frame, column: Column, title: str, what: str) -> Codes:
    """Read a column of whole numbers; -1 where it is empty.

    Args:
        frame: The table.
        column: The column.
        title: Its name.
        what: What it counts: `votes`, of which no cell may be empty, or `respondents`.

    Raises:
        CurateError: If a cell is no such number.
    """
    values: npt.NDArray[np.int64] = np.full(len(column.values), -1, dtype=np.int64)
    for code in column.used():
        text = plain(column.values[code])
        if text.isascii() and text.isdecimal() and len(text) < 10:
            values[code] = int(text)
        elif text or what == "votes":
            row = int(frame.rows[first_of(column.codes == code)])
            where = f"{frame.file}, row {row}, column {title}"
            raise refusal("counts-no-number", where, text=text, of=what)
    return values[column.codes]


def _respondents(
    question: Question, votes: Sequence[int], stated: int | None, setting: int | None, where: str
) -> int:
    """How many answered a question: who choose one option each are its votes."""
    if question.kind is not QuestionKind.SELECT_ALL:
        if stated is not None and stated != sum(votes):
            told = {"id": question.id, "votes": sum(votes), "stated": stated}
            raise refusal("counts-other-sum", where, **told)
        return sum(votes)
    people = setting if stated is None else stated
    if people is None:
        raise refusal("counts-nobody", where, id=question.id)
    if max(votes) > people:
        raise refusal("counts-too-many", where, id=question.id, votes=max(votes), people=people)
    return people
