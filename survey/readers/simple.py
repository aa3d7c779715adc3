"""Simple tables, as a person makes them: recognised by their headings, which make their mapping.

Three shapes are known, in any case and in the languages of the packs: rows of respondent, question
and answer; a row for each respondent and a column for each question; counts by question and option.
Rows may have the state, position and duration of the normal form too.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, NoReturn

import numpy as np

from curation.languages import received_words
from curation.records.messages import CurateError, Finding
from curation.records.survey import Question, QuestionKind, Tally
from survey.answers import STATES, Answers, Codes
from survey.attributes import compared
from survey.mapping import (
    ROW,
    SIMPLE,
    AttributePart,
    LongPart,
    Mapping,
    QuestionPart,
    RespondentPart,
)
from survey.readers.frames import Column, Frame, plain, refusal
from survey.readers.normalise import Received, holds, normalised, refuse_kinds, unread_finding
from survey.readers.opening import Opened
from survey.readers.options import QuestionNames, unaccented
from survey.readers.people import started_and_ended
from survey.readers.placing import SHOWN_WORDS, About, Hints, lists_shown
from survey.readers.traits import Traits

Shape = Literal["rows", "columns", "counts"]
Read = tuple[Mapping, Received | CurateError]
"""A mapping, and what reading by it gives."""

_ANSWERS = ("answer", "option", "group")
_STATE = {"state": "state", "position": "position", "duration s": "duration", "kind": "kind"}
"""Columns of the normal form, as headings are compared, beside respondent, question and option."""
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


def title_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many rows of a title or remarks stand above the headings of a simple table."""
    counts = [sum(bool(plain(cell)) for cell in row) for row in rows]
    headings = (
        at
        for at, row in enumerate(rows[1:], start=1)
        if shape_of(row) is not None and max(counts[:at]) < min(3, counts[at])
    )
    return next(headings, 0)


def refuse_title(opened: Opened) -> None:
    """Refuse a table below a title that is not read there.

    Raises:
        CurateError: If it is one.
    """
    at = title_rows([cells for _, cells in opened.head(_LOOKED_AT)])
    if at:
        above = "row 1" if at == 1 else f"rows 1 to {at}"
        raise refusal("title-above", f"{opened.file}, row 1", row=str(at + 1), above=above)


def other_sheets(opened: Opened, names: QuestionNames) -> Iterator[str]:
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
            yield f"sheet '{other}': not read"


@dataclass(slots=True)
class _Table:
    """A table of which the columns are recognised one after the other; those that were.

    Attributes:
        frame: The table.
        names: The questionnaire.
        about: What is known of respondents.
        hints: What is known of codes.
        listed: The column with the ids of a list of people beside the file; empty for none.
        shared: What `shared_ids` gives of all files.
        taken: The columns that were recognised.
        again: Those that say again what another says of respondents.
    """

    frame: Frame
    names: QuestionNames
    about: About
    hints: Hints = field(default_factory=Hints)
    listed: str = ""
    shared: Set[str] | None = None
    taken: set[int] = field(default_factory=set)
    again: list[str] = field(default_factory=list)

    def column(self, at: int) -> Column:
        """A column."""
        return self.frame.columns[at]

    def take(self, at: int) -> str:
        """Note that a column was recognised; give its name."""
        self.taken.add(at)
        return self.frame.titles[at]

    def called(self, *roles: str) -> list[int]:
        """The columns of some roles that are nothing else yet: those that are filled, if any."""
        found = [at for role in roles for at in columns_called(self.frame.titles, role)]
        left = [at for at in found if at not in self.taken]
        return [at for at in left if holds(self.column(at))] or left

    def refuse_two(self, what: str, columns: Sequence[int]) -> NoReturn:
        """Refuse two columns that may be the same thing.

        Raises:
            CurateError: Always.
        """
        one, other = (f"'{self.frame.titles[at]}'" for at in columns[:2])
        raise refusal("two-columns", f"{self.frame.file}, row 1", what=what, one=one, other=other)

    def attributes(self) -> Iterator[tuple[str, AttributePart]]:
        """The columns that say something of respondents."""
        traits = Traits(
            frame=self.frame,
            about=self.about,
            hints=self.hints,
            missing=(),
            by_hand=True,
            doubt=self._refuse,
        )
        titles = enumerate(self.frame.titles)
        left = [at for at, title in titles if title and at not in self.taken]
        for name, at, values in traits.told(left):
            column = self.take(at)
            if name:
                yield name, AttributePart(column=column, values=values)
            else:
                self.again.append(column)

    def _refuse(self, key: str, at: int, /, **words: object) -> None:
        """Refuse what is in doubt: a column, or a cell of it.

        Raises:
            CurateError: Always.
        """
        if "cell" not in words:
            raise refusal(key, f"{self.frame.file}, row 1", **words)
        column = self.column(at)
        which = np.array([text == words["cell"] for text in column.texts])[column.codes]
        self.frame.view().refuse(key, which, self.frame.titles[at], **words)

    def refuse_doubled(self) -> None:
        """Refuse two columns of one name of which one was recognised.

        Raises:
            CurateError: If there are such.
        """
        named = [compared(title) for title in self.frame.titles]
        twice = [at for at in sorted(self.taken) if named[at] and named.count(named[at]) > 1]
        if twice:
            title = self.frame.titles[twice[0]]
            raise refusal("heading-twice", f"{self.frame.file}, row 1", title=title)


def read_simple(
    frame: Frame,
    names: QuestionNames,
    about: About,
    hints: Hints,
    listed: str = "",
    shared: Set[str] | None = None,
) -> Read:
    """Read the answers of a simple table by the mapping that its headings make.

    Args:
        frame: The table.
        names: The questionnaire.
        about: What is known of respondents.
        hints: What is known of codes.
        listed: The column with the ids of a list of people beside the file; empty for none.
        shared: What `shared_ids` gives of all files.

    Returns:
        The mapping; and what it reads, or why it reads the cells not.

    Raises:
        CurateError: If it is not clear what a column is.
    """
    table = _Table(frame, names, about, hints, listed, shared)
    who, others = _people(table)
    if shape_of(frame.titles) == "rows":
        return _rows(table, who, others)
    mapping = _mapping(table, who, tuple(_questions(table)), others)
    table.refuse_doubled()
    try:
        return mapping, normalised(frame, mapping, names)
    except CurateError as error:
        return mapping, error


def _people(table: _Table) -> tuple[str, tuple[str, ...]]:
    """The column that names respondents, and others that tell the same people apart.

    Raises:
        CurateError: If two columns name them, and one tells two people apart that are one in
            another.
    """
    titles, columns = table.frame.titles, table.frame.columns
    found = table.called("respondent")
    exact = [at for at in found if compared(titles[at]) == "respondent id"]
    first = set(map(compared, received_words("simple_respondent")))
    better = [at for at in found if compared(titles[at]) in first]
    best = exact or better or found
    in_all = [at for at in found if table.shared is not None and _id(titles[at]) in table.shared]
    if table.listed in {titles[at] for at in found}:
        (who,) = (at for at in found if titles[at] == table.listed)
        best = [at for at in best if at == who or _same_people(columns[who], columns[at])]
    elif len(best) > 1 and table.shared is not None and not in_all:
        where, (one, other) = f"{table.frame.file}, row 1", (titles[at] for at in best[:2])
        raise refusal("people-of-files", where, one=one, other=other)
    else:
        called = [at for at in in_all or best if _id(titles[at]) == "respondent"]
        whole = [at for at in in_all or (*best, *found) if "" not in columns[at].distinct()]
        who = next(iter((*called, *whole, *in_all, *best)))
        differ = [at for at in best if not _same_people(columns[who], columns[at])]
        if differ:
            table.refuse_two("respondents", [who, *differ])
    return table.take(who), tuple(table.take(at) for at in best if at != who)


def _same_people(one: Column, other: Column) -> bool:
    """Say whether two columns tell the same people apart."""
    pairs = one.codes.astype(np.int64) * len(other.values) + other.codes
    return len(np.unique(pairs)) == len(one.used) == len(other.used)


def _id(title: str) -> str:
    """What a heading calls respondents, with or without "id"."""
    return compared(title).removesuffix(" id")


def shared_ids(heads: Iterable[Sequence[str]]) -> frozenset[str] | None:
    """What the columns with respondents are called in all of some files; None for one file."""
    each = [{_id(head[at]) for at in columns_called(head, "respondent")} for head in heads]
    named = [names for names in each if names]
    return frozenset(set.intersection(*named)) if len(named) > 1 else None


def _questions(table: _Table) -> Iterator[QuestionPart]:
    """The columns that are called as questions, with those that list their options as shown."""
    orders = _orders(table)
    asked: dict[int, int] = {}
    for at, title in enumerate(table.frame.titles):
        places = table.names.places(title) if at not in table.taken else []
        if len(places) > 1:
            names = [table.names.questions[place].id for place in places]
            where = f"{table.frame.file}, row 1, column {title}"
            raise refusal("heading-of-two", where, title=title, names=names)
        for place in places:
            question, order = table.names.questions[place], orders.get(place)
            if asked.setdefault(place, at) != at:
                table.refuse_two(f"question {question.id}", [asked[place], at])
            yield QuestionPart(
                id=question.id,
                kind=question.kind,
                column=table.take(at),
                order=None if order is None else table.take(order),
                missing=(),
            )


def _orders(table: _Table) -> dict[int, int]:
    """By question the column that lists its options as they were shown: `q-1 shown`."""
    headed = re.compile(rf"(.+?)[\s_:.\-(\[]+(?:{SHOWN_WORDS})[)\]]?", re.IGNORECASE)
    found: dict[int, int] = {}
    for at, title in enumerate(table.frame.titles):
        match = None if table.names.places(title) else headed.fullmatch(title)
        for place in table.names.places(match[1]) if match else ():
            if found.setdefault(place, at) != at:
                name = table.names.questions[place].id
                table.refuse_two(f"the order of question {name}", [found[place], at])
    return found


def _rows(table: _Table, who: str, ignored: tuple[str, ...] = ()) -> Read:
    """Read rows of respondent, question and answer; of columns that may hold one, all must agree.

    Raises:
        CurateError: If two of them differ.
    """
    titles = table.frame.titles
    named = {key: at for at in range(len(titles)) if (key := _normal(table, at))}
    listed = [at for at, name in enumerate(titles) if lists_shown(name, table.column(at))]
    if len(listed) > 1 or (listed and "position" in named):
        table.refuse_two("where options were shown", [*listed, *named.values()])
    questions = table.called("question")
    table.taken |= set(questions)
    answers = table.called(*_ANSWERS)
    table.taken |= {*named.values(), *listed, *questions, *answers}  # no attributes of respondents
    mapping = _mapping(table, who, (), ignored)
    table.refuse_doubled()
    fit: list[tuple[int, int, Mapping, Received]] = []
    problem: CurateError | None = None
    for asked in questions:
        for answer in answers:
            long = LongPart(
                question=titles[asked],
                answer=titles[answer],
                row="option",
                order=titles[listed[0]] if listed else None,
                missing=(),
                **{key: titles[at] for key, at in named.items() if key != "kind"},
            )
            made = mapping.model_copy(update={"long": long})
            try:
                fit.append((asked, answer, made, normalised(table.frame, made, table.names)))
            except CurateError as error:
                problem = problem or error
    if not fit:
        assert problem is not None  # noqa: S101  # a table of the shape has such columns
        return made, problem
    asked, answer, made, received = fit[0]
    for other, again, _, reading in fit[1:]:
        if not _same(received.answers, reading.answers):
            columns = [answer, again] if again != answer else [asked, other]
            table.refuse_two("questions" if again == answer else "answers", columns)
    read = {at for one, two, _, _ in fit for at in (one, two)}
    table.taken -= {*questions, *answers} - read
    if who != ROW:
        _refuse_flags(table, who, asked)
    if "kind" in named:
        refuse_kinds(table.frame, named["kind"], received.answers)
    others = read - {asked, answer} | ({named["kind"]} if "kind" in named else set())
    same = tuple(titles[at] for at in sorted(others))
    left = tuple(title for title in received.unread if title not in same)
    ignored = (*mapping.ignored, *same)
    return made.model_copy(update={"ignored": ignored}), replace(received, unread=left)


def _same(one: Answers, other: Answers) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("question", "option", "row")
    )


def _normal(table: _Table, at: int) -> str:
    """Which column of the normal form it is: one that is called so and holds a value of it."""
    name = _STATE.get(compared(table.frame.titles[at]), "")
    cells = {compared(cell) for cell in table.column(at).distinct() if name} - {""}
    known = {
        "state": not cells.isdisjoint(state.value for state in STATES),
        "kind": not cells.isdisjoint(kind.value for kind in QuestionKind),
        "position": any(map(str.isdecimal, cells)),
        "duration": bool(cells),
    }
    return name if known.get(name) else ""


def _refuse_flags(table: _Table, who: str, asked: int) -> None:
    """Refuse rows with a column that nothing reads and that may say which options were chosen.

    What is the same in all rows of a respondent and question says nothing of options.
    """
    titles = table.frame.titles
    people, question = table.column(titles.index(who)), table.column(asked)
    each = people.codes.astype(np.int64) * len(question.values) + question.codes
    rows = np.unique(each, return_inverse=True)[1].astype(np.int64)
    for at in sorted({*range(len(titles))} - table.taken):
        column, title = table.column(at), titles[at]
        cells = {compared(cell) for cell in column.distinct()} - {""}
        if not cells or not (cells <= _FLAGS or compared(title) in _STATE):
            continue
        if len(np.unique(rows * len(column.values) + column.codes)) > len(np.unique(rows)):
            name = str(title or at + 1)
            where = f"{table.frame.file}, row 1, column {name}"
            raise refusal("flags", where, title=name, cells=sorted(cells))


def _mapping(
    table: _Table, who: str, questions: tuple[QuestionPart, ...], ignored: tuple[str, ...]
) -> Mapping:
    """A mapping of what a table says of its respondents.

    Args:
        table: The table.
        who: The column that names respondents.
        questions: The columns of questions, where each respondent has a row of their own: else a
            row may have the time of one question.
        ignored: Columns that say the same again.
    """
    person, titles = RespondentPart(id=who), table.frame.titles
    attributes = {} if who == ROW else dict(table.attributes())
    people = None if who == ROW else table.column(titles.index(who))
    if questions and people is not None and "duration_s" not in attributes:
        left = [at for at in range(len(titles)) if at not in table.taken]
        found = started_and_ended([titles[at] for at in left], [table.column(at) for at in left])
        if found is not None and len(people.used) == len(people):
            person = RespondentPart(id=who, started=found[0], submitted=found[1])
            table.taken |= set(map(titles.index, found))
    return Mapping(
        preset=SIMPLE,
        respondent=person,
        attributes=attributes,
        questions=questions,
        ignored=(*ignored, *table.again),
    )


Counted = tuple[tuple[Tally, ...], tuple[Finding, ...], tuple[str, ...]]
"""A table of counts as read: the counts, what a person should know, and what was recognised, a line
a column, below one of the file."""


def read_counts(opened: Opened, names: QuestionNames, about: About) -> Counted:
    """Read a table of counts: each row as if it were a respondent's, with its votes beside.

    Args:
        opened: The file.
        names: The questionnaire.
        about: With the settings that say how many people answered, where no column does.

    Raises:
        CurateError: If a row does not name one option of one question, or numbers do not fit.
    """
    others = list(other_sheets(opened, names))
    frame, settings = opened.frame(), about.settings
    table = _Table(frame, names, about)
    said: dict[str, str] = {}
    numbers: list[Codes | None] = []
    for role, what in (("votes", "votes"), ("people", "respondents")):
        found = table.called(role)
        if len(found) > 1:
            table.refuse_two(what, found)
        title = table.take(found[0]) if found else ""
        said |= {title: what} if found else {}
        numbers.append(
            _whole_numbers(frame, table.column(found[0]), title, what) if found else None
        )
    votes, stated = numbers
    mapping, received = _rows(table, ROW)
    if isinstance(received, CurateError):
        raise received
    answers = received.answers
    if len(answers) != len(frame) or votes is None:
        left = set(frame.rows.tolist()) - set(answers.row.tolist())
        row = min(left or set(frame.rows[1:].tolist()))
        raise refusal("counts-row", f"{frame.file}, row {row}")
    setting = settings.respondents if "respondents" in settings.model_fields_set else None
    tallies = tuple(_tallies(frame, answers, votes, stated, setting))
    several = any(tally.question.kind is QuestionKind.SELECT_ALL for tally in tallies)
    if several and stated is None:
        others.append(f"respondents of target selection: {setting}, by survey.respondents")
    said |= dict.fromkeys(mapping.ignored, "says the same again")
    if mapping.long is not None:
        said |= {mapping.long.question: "questions", mapping.long.answer: "options"}
    taken = []
    for at, (title, column) in enumerate(zip(frame.titles, frame.columns, strict=True)):
        unread = "not read" if holds(column) else "empty"
        taken.append(f"column '{title or at + 1}': {said.get(title, unread)}")
    lines = (
        f"{frame.file}: counts by question and option",
        *(f"  {line}" for line in (*taken, *others)),
    )
    names_left = [title for title in received.unread if title not in said]
    findings = (*received.findings, *unread_finding(frame.file, names_left, mapped=False))
    return tallies, findings, lines


def _tallies(
    frame: Frame, answers: Answers, votes: Codes, stated: Codes | None, setting: int | None
) -> Iterator[Tally]:
    """Count the votes of each question that a table holds.

    Args:
        frame: The table.
        answers: The question and the option that each row names.
        votes: For each row its votes.
        stated: For each row the number of respondents, -1 where it says none.
        setting: The respondents of target selection by the workspace's settings, if these say it.

    Raises:
        CurateError: If an option is there twice or not at all, or numbers contradict each other.
    """
    in_file = np.argsort(answers.row)
    question, option = answers.question[in_file], answers.option[in_file]
    for at in dict.fromkeys(question.tolist()):
        rows = np.flatnonzero(question == at)
        asked, where = answers.questions[at], f"{frame.file}, row {int(frame.rows[rows[0]])}"
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


def _whole_numbers(frame: Frame, column: Column, title: str, what: str) -> Codes:
    """Read a column of whole numbers; -1 where it is empty.

    Args:
        frame: The table.
        column: The column.
        title: Its name.
        what: What it counts: `votes`, of which no cell may be empty, or `respondents`.

    Raises:
        CurateError: If a cell is no such number.
    """

    def number(text: str) -> int | None:
        if text.isascii() and text.isdecimal() and len(text) < 10:
            return int(text)
        return None if text or what == "votes" else -1

    return frame.view().read(title, column, number, "counts-no-number", of=what).astype(np.int64)


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
