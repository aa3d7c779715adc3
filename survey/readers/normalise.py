"""Any survey file in normal form: what each respondent did with each option, as its mapping says.

Not shown, not chosen and not answered are three things. A question that a respondent never saw
leaves nothing; one that was seen and not answered leaves each option `missing`, and so does a
multi-select of which nothing was chosen; one that was answered leaves each option `selected` or
`shown`. In a simple table only what was chosen is there, and the other options where the order is
known in which they were shown.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.survey import Question, QuestionKind
from curation.records.wording import counted, plural
from survey.answers import MISSING, SELECTED, SHOWN, STATES, Answers, Exclusion
from survey.mapping import ANY, QuestionPart
from survey.mapping import Mapping as FileMapping
from survey.platforms.recognise import framed
from survey.readers.findings import file_findings, naming_findings, unread_columns
from survey.readers.frames import (
    Column,
    Flags,
    Frame,
    Records,
    View,
    filled,
    first_of,
    has_one_of,
    plain,
)
from survey.readers.naming import Note, QuestionNames, options_named
from survey.readers.opening import Opened
from survey.readers.options import (
    NOT_SHOWN,
    OptionTable,
    States,
    own_words,
    read_marks,
    refuse_other_sum,
    shown,
)
from survey.readers.orders import (
    Positions,
    listed_orders,
    orders_in_columns,
    orders_of_forms,
    read_places,
)
from survey.readers.people import (
    Kept,
    attributes_of,
    form_of,
    kept_rows,
    personal_ids,
    read_seconds,
    rows_of_tests,
    same_people,
)
from survey.readers.times import instant

_SHOWN = 5
_DENSE = 5_000_000
"""With so many keys or fewer an array of all of them costs less than sorting."""
_FIX = "fix the file, or give the questionnaire that was asked (--questionnaire)"
_FEW = 100_000
"""Different cells of a column in which its heading is looked for."""
_IGNORED = -1
_UNKNOWN = -2
_FIELDS: Mapping[str, type[np.generic]] = {
    "respondent": np.int64,
    "question": np.int64,
    "option": np.int64,
    "state": np.int8,
    "position": np.int32,
    "duration": np.float64,
    "row": np.int64,
}
"""The columns of answers."""


@dataclass(frozen=True, slots=True)
class Received:
    """A survey file in normal form.

    Attributes:
        answers: The answers; none where they were only to be counted.
        respondents: How many people.
        rows: Answers, a row for each respondent, question and option.
        excluded: Every row that is not among them, and why.
        findings: What a person should know of the reading.
        unread: Columns that hold something and that the mapping neither reads nor ignores.
    """

    answers: Answers
    respondents: int
    rows: int
    excluded: tuple[Exclusion, ...]
    findings: tuple[Finding, ...]
    unread: tuple[str, ...] = ()


def read_survey(
    opened: Opened,
    mapping: FileMapping,
    questions: Sequence[Question],
    *,
    keep: bool = True,
) -> Received:
    """Read a survey file.

    Args:
        opened: The file, opened as the mapping says.
        mapping: How it is to be read, to the letter.
        questions: The questionnaire that was asked.
        keep: Whether answers are kept; else they are counted, for of a large file they take many
            times its size.

    Returns:
        The answers and what is left out: each row of the file is in one of the two.

    Raises:
        CurateError: If anything in the file is not as the mapping says.
    """
    if mapping.preset == "normal":
        raise CurateError(
            "a file in normal form needs no mapping",
            opened.file,
            "give it to 'curate filter --survey' without --mapping",
        )
    if not mapping.questions and mapping.long is None:
        raise CurateError(
            "the mapping names no question", "mapping", "fill in 'questions', or 'long'"
        )
    frame = framed(opened, mapping.preset, mapping.read)
    _refuse_other_file(frame, mapping)
    _refuse_pasted_headings(frame)
    return normalised(frame, mapping, QuestionNames(questions, {}), keep=keep)


def _refuse_other_file(frame: Frame, mapping: FileMapping) -> None:
    """Refuse a mapping most of whose columns the file lacks.

    Raises:
        CurateError: If it is so.
    """
    if mapping.long is not None:
        return
    names = [name for part in mapping.questions for name in part.places()]
    lacking = [name for name in names if name not in frame]
    if 2 * len(lacking) > len(names) > 2:  # of few columns each is named
        raise CurateError(
            f"the mapping is for another file: {len(lacking)} of the {len(names)} columns that it "
            f"names are not in this one, such as '{lacking[0]}'",
            f"{frame.file}, row {frame.head_row}",
            "give the mapping of this file, or draft one",
        )


def _refuse_pasted_headings(frame: Frame) -> None:
    """Refuse a row that repeats the headings: two files were put into one.

    Raises:
        CurateError: If there is one.
    """
    repeats = []
    for head, column in zip(frame.heads[0], frame.columns, strict=True):
        if plain(head) and len(column.values) <= _FEW:
            repeats.append(has_one_of(column, {plain(head)} - {ANY}))
    # The first column is no option's, whose heading may be what its cells hold.
    at = first_of(repeats[0] & (2 * sum(repeats) > len(repeats))) if repeats else -1
    if at >= 0:
        row = int(frame.rows[at])
        raise CurateError(
            f"row {row} repeats the headings, so this is more than one file",
            f"{frame.file}, row {row}",
            "delete the row if the columns below it are the same, or read each file for itself",
        )


def normalised(
    frame: Frame,
    mapping: FileMapping,
    names: QuestionNames,
    *,
    keep: bool = True,
    simple: bool = False,
    exact: bool = False,
) -> Received:
    """Bring a frame into normal form.

    Args:
        frame: The file.
        mapping: How it is to be read, to the letter.
        names: The questionnaire that was asked.
        keep: Whether answers are kept; else they are counted.
        simple: Whether it is a simple table: cells call options as the questionnaire does, and
            only what was chosen is there.
        exact: Whether cells call questions, options and states by their codes alone.

    Raises:
        CurateError: If anything in the file is not as the mapping says.
    """
    view = View(frame, np.arange(len(frame), dtype=np.int64))
    kept = kept_rows(view, mapping)
    reader = _Reader(mapping, names, frame.file, keep, simple, exact)
    left = (reader.read_wide if mapping.long is None else reader.read_long)(kept)
    attributes = attributes_of(left, mapping)
    kept.view.refuse_suspects()
    excluded = (*kept.excluded, *reader.excluded)
    # Nobody is dropped silently: each row of the file is read, or among those left out.
    assert len(left.view) + len(excluded) == len(frame)  # noqa: S101  # a fault of ours
    said = (
        *file_findings(frame),
        *personal_ids(view, mapping),
        *same_people(kept, mapping.respondent.id),
        *rows_of_tests(kept, [name for part in mapping.questions for name in part.places()]),
        *kept.findings,
        *reader.findings,
        *reader.own_findings(),
        *naming_findings(frame.file, reader.notes),
    )
    answers = reader.answers(kept.ids, attributes)
    return Received(
        answers,
        len(kept.ids),
        reader.count,
        excluded,
        said,
        () if simple else unread_columns(view, mapping),
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as it is read: its place in the questionnaire, its part of the mapping, options.

    Without a table of options a cell calls them as the questionnaire does.
    """

    at: int
    part: QuestionPart
    question: Question
    table: OptionTable | None


class _Refuse(Protocol):
    """Refuses one of some cells: which one, what is wrong, what to do."""

    def __call__(self, which: int, what: str, hint: str) -> NoReturn:
        """Refuse it."""


@dataclass(slots=True)
class _Reader:
    """Reads the rows that count, and gathers the answers.

    Attributes:
        excluded: Rows that were left out.
        findings: What a person should know.
        notes: By what there is to know of cells and what is said of them, how many answers.
        count: How many answers.
        own: By question the answers in somebody's own words, each with its rows.
    """

    mapping: FileMapping
    names: QuestionNames
    file: str
    keep: bool
    simple: bool
    exact: bool
    excluded: list[Exclusion] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: Counter[tuple[Note, str]] = field(default_factory=Counter)
    count: int = 0
    own: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    _parts: dict[str, list[npt.NDArray[Any]]] = field(
        default_factory=lambda: {name: [] for name in _FIELDS}
    )

    def answers(self, ids: tuple[str, ...], attributes: Mapping[str, Sequence[str]]) -> Answers:
        """All that was read; each list of parts is forgotten when it is joined."""
        joined = {}
        for name, kind in _FIELDS.items():
            joined[name] = np.concatenate([np.empty(0, kind), *self._parts.pop(name)], dtype=kind)
        questions = tuple(self.names.questions)
        return Answers(
            source=self.file,
            questions=questions,
            respondents=ids,
            attributes=attributes,
            **joined,
        )

    def _add(
        self,
        question: Records | int,
        respondent: Records,
        rows: Records,
        states: States,
        positions: Positions | None,
        seconds: npt.NDArray[np.float64] | None,
    ) -> None:
        """Add a row for each option that was not `NOT_SHOWN`."""
        if self.simple and positions is not None:
            known = (positions > 0).any(axis=1) & (states == SELECTED).any(axis=1)
            states = np.where(known[:, None] & (positions > 0) & (states < 0), SHOWN, states)
        there = states != NOT_SHOWN
        self.count += int(np.count_nonzero(there))
        if not self.keep:
            return
        at, option = np.nonzero(there)
        found = {
            "respondent": respondent[at],
            "question": np.broadcast_to(question, len(rows))[at],
            "option": option,
            "state": states[at, option],
            "position": np.zeros(len(at), np.int32) if positions is None else positions[at, option],
            "duration": np.full(len(at), np.nan) if seconds is None else seconds[at],
            "row": rows[at],
        }
        for name, values in found.items():
            self._parts[name].append(values)

    def _asked(self) -> list[_Asked]:
        """The questions of the mapping, or all of the questionnaire.

        Raises:
            CurateError: If the questionnaire has no such question, or one of another kind.
        """
        questions, long = self.names.questions, self.mapping.long
        silent = {"missing": ()} if self.simple else {}
        parts = self.mapping.questions or tuple(
            QuestionPart(id=question.id, kind=question.kind, **silent) for question in questions
        )
        by_id = {question.id: at for at, question in enumerate(questions)}
        found = []
        for part in parts:
            at = by_id.get(part.id, -1)
            if at < 0:
                raise CurateError(
                    f"question {part.id} of the mapping is not in the questionnaire",
                    self.file,
                    "give the questionnaire that was asked, or fix the mapping",
                )
            question = questions[at]
            if question.kind is not part.kind:
                raise CurateError(
                    f"question {part.id} is of kind {question.kind} in the questionnaire and "
                    f"{part.kind} in the mapping",
                    self.file,
                    "fix the mapping",
                )
            if long is not None:
                several = part.kind is QuestionKind.SELECT_ALL
                joined = part.joined or (long.joined if several else None)
                missing = (*part.missing, *long.missing)
                part = part.model_copy(update={"joined": joined, "missing": missing})
            called = None
            if not self.simple or self.exact:
                called = OptionTable(question, part.options, part.other)
            found.append(_Asked(at, part, question, called))
        return found

    def read_wide(self, kept: Kept) -> Kept:
        """Read a file with one row for each respondent; give the rows that were read."""
        asked = self._asked()
        stays = self._settled(
            kept.view,
            kept.respondent,
            lambda at: (kept.ids[kept.respondent[at]], ""),
            lambda: _answered(kept.view, self.mapping),
        )
        view, respondent = kept.view.only(stays), kept.respondent[stays]
        for item in asked:
            part = item.part
            rows_asked = np.ones(len(view), dtype=bool)
            for name, allowed in part.asked.items():
                rows_asked &= has_one_of(view.column(name, f"question {part.id}, asked"), allowed)
            if part.columns is not None:
                table = item.table or OptionTable(item.question)
                states, partial = read_marks(view, part, table)
                self._note_partial(view, part, partial & rows_asked)
                self._note_own_columns(view, part)
                if part.sum is not None:
                    refuse_other_sum(view, part, table, states)
            elif part.mentions:
                states = self._mentions(view, item)
            else:
                states = self._cells(view, str(part.column), f"question {part.id}, column", [item])
            states = _where_asked(view, part, states, rows_asked)
            key = f"question {part.id}, duration"
            seconds = read_seconds(view, part.duration, key) if part.duration else None
            self._add(
                item.at, respondent, view.rows(), states, self._positions(view, item), seconds
            )
        return Kept(view, respondent, kept.ids, (), ())

    def _positions(self, view: View, item: _Asked) -> Positions | None:
        """Where each option was shown: by columns of the file, else by the form that it answers."""
        part, table = item.part, item.table or OptionTable(item.question)
        if part.order is None:
            return orders_of_forms(form_of(view, self.mapping), part, table) if part.shown else None
        key = f"question {part.id}, order"
        if "{code}" in part.order:
            return orders_in_columns(view, part.order, table, key)
        return self._lists(view, part.order, key, [item])

    def read_long(self, kept: Kept) -> Kept:
        """Read a file with a row for each respondent and question, or for each option of one."""
        long = self.mapping.long
        assert long is not None  # noqa: S101  # the caller asks for it only then
        asked = self._asked()
        question = self._questions(kept.view, long.question, asked)
        kept, question = self._without_ignored(kept, long.question, question)
        keys = kept.respondent * len(asked) + question
        one_row = np.array(
            [item.part.kind is not QuestionKind.SELECT_ALL and not self.simple for item in asked]
        )
        if long.row == "question" or one_row.any():
            # Of a multi-select, rows that name different options are one answer.
            own = one_row[question] | (long.row == "question")
            stays = self._settled(
                kept.view,
                np.where(own, keys, -1 - np.arange(len(keys))),
                lambda at: (kept.ids[kept.respondent[at]], asked[question[at]].part.id),
                lambda: np.zeros(len(keys), dtype=np.int64),
            )
            if not stays.all():
                left, question, keys = kept.view.only(stays), question[stays], keys[stays]
                kept = Kept(left, kept.respondent[stays], kept.ids, (), ())
        view, respondent = kept.view, kept.respondent
        states = self._cells(view, long.answer, "long: answer", asked, question)
        if long.state is not None:
            states = _stated(view, long.state, states, exact=self.exact)
        positions = self._long_positions(view, asked, question, states)
        seconds = read_seconds(view, long.duration, "long: duration") if long.duration else None
        rows = view.rows()
        if self.simple and long.order is None:
            self._refuse_again(view, keys, states, asked)
        elif long.row == "option":
            first, states, positions = self._joined(view, keys, states, positions, asked)
            respondent, question, rows = respondent[first], question[first], rows[first]
            seconds = None if seconds is None else seconds[first]
        places = np.array([item.at for item in asked], dtype=np.int64)
        self._add(places[question], respondent, rows, states, positions, seconds)
        return kept

    def _without_ignored(self, kept: Kept, name: str, question: Records) -> tuple[Kept, Records]:
        """Leave out the rows of questions that the mapping ignores."""
        ignored = question == _IGNORED
        if not ignored.any():
            return kept, question
        column = kept.view.column(name, "long: question")
        for at in np.flatnonzero(ignored).tolist():
            said = f"row {kept.view.row(at)}: {name} is '{plain(column.cell(at))}'"
            who = kept.ids[kept.respondent[at]]
            self.excluded.append(Exclusion("ignored", who, "", said))
        left = kept.view.only(~ignored)
        return Kept(left, kept.respondent[~ignored], kept.ids, (), ()), question[~ignored]

    def _questions(self, view: View, name: str, asked: Sequence[_Asked]) -> Records:
        """For each row the position in `asked` of its question."""
        column = view.column(name, "long: question")
        known: dict[str, int] = {}
        for at, item in enumerate(asked):
            called = plain(item.part.column or item.part.id)
            if known.setdefault(called, at) != at:
                what = f"'{called}' is the name of two questions"
                raise CurateError(what, "mapping", "fix 'column'")
        known = {**{plain(ignored): _IGNORED for ignored in self.mapping.ignored}, **known}
        found = np.full(len(column.values), _UNKNOWN, dtype=np.int64)
        for code in column.used():
            text = plain(column.values[code])
            places = [known[text]] if text in known else []
            if not places and not self.mapping.questions and not self.exact:
                places = self.names.places(text)
            if len(places) != 1:
                what = f"'{text}' is not a question of the questionnaire"
                if places:
                    both = " and ".join(self.names.questions[place].id for place in places[:2])
                    what = f"'{text}' names two questions, {both}"
                view.refuse(
                    what if text else "the row names no question",
                    first_of(column.codes == code),
                    name,
                    _FIX
                    if self.exact
                    else "write its id, its text or its stereotype, or give the questionnaire that "
                    "was asked (--questionnaire); a mapping names it as 'column' of its question, "
                    "or in 'ignored'",
                )
            found[code] = places[0]
        return found[column.codes]

    def _long_positions(
        self, view: View, asked: Sequence[_Asked], question: Records, states: States
    ) -> Positions | None:
        long = self.mapping.long
        assert long is not None  # noqa: S101  # the caller asks for it only then
        if long.order is not None:
            return self._lists(view, long.order, "long: order", asked, question)
        if long.position is not None:
            several = first_of((states != NOT_SHOWN).sum(axis=1) > 1)
            if several >= 0:
                view.refuse(
                    "the row has one position for several options",
                    several,
                    long.position,
                    "write a row for each option",
                )
            place = read_places(view, long.position, "long: position")
            return np.where(states != NOT_SHOWN, place[:, None], 0).astype(np.int32)
        if not any(item.part.shown for item in asked):
            return None
        found = np.zeros(states.shape, np.int32)
        form = form_of(view, self.mapping)
        for at, item in enumerate(asked):
            if item.part.shown:
                table = item.table or OptionTable(item.question)
                places = orders_of_forms(form, item.part, table)
                mine = question == at
                found[mine, : places.shape[1]] = places[mine]
        return found

    def _joined(
        self,
        view: View,
        keys: Records,
        states: States,
        positions: Positions | None,
        asked: Sequence[_Asked],
    ) -> tuple[Records, States, Positions | None]:
        """Join the rows of each answer: an option is chosen when one of them names it.

        Returns:
            The first row of each answer, its states and its positions.

        Raises:
            CurateError: If two rows name one option, list two orders, or one of them says that
                nothing was answered.
        """
        if _are_distinct(keys):
            return np.arange(len(keys)), states, positions
        found, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
        self._refuse_again(view, keys, states, asked)
        answered = np.zeros(len(found), dtype=bool)
        answered[of_row[(states == SELECTED).any(axis=1)]] = True
        silent = first_of((states == MISSING).any(axis=1) & answered[of_row])
        if silent >= 0 and not self.simple:
            view.refuse(
                f"question {asked[keys[silent] % len(asked)].part.id}: another row of this "
                "respondent names an option, and this one says that nothing was answered",
                silent,
                str(self.mapping.long and self.mapping.long.answer),
                "fix the file: each row names one chosen option",
            )
        none = np.int8(127)  # above all states, of which the lowest is 'selected'
        joined = np.full((len(found), states.shape[1]), none, dtype=np.int8)
        np.minimum.at(joined, of_row, np.where(states == NOT_SHOWN, none, states))
        joined[joined == none] = NOT_SHOWN
        if positions is not None:
            most = np.zeros((len(found), states.shape[1]), dtype=np.int32)
            np.maximum.at(most, of_row, positions)
            other = first_of(((positions > 0) & (positions != most[of_row])).any(axis=1))
            if other >= 0:
                rows = np.flatnonzero(of_row == of_row[other])
                raise CurateError(
                    f"rows {view.row(int(rows[0]))} and {view.row(int(rows[-1]))} list two orders "
                    "of one respondent's question",
                    f"{self.file}, row {view.row(int(rows[-1]))}",
                    "write the order that was shown",
                )
            positions = most
        return first, joined, positions

    def _refuse_again(
        self, view: View, keys: Records, states: States, asked: Sequence[_Asked]
    ) -> None:
        """Refuse rows of one respondent that name one option twice."""
        at, option = np.nonzero(states != NOT_SHOWN if self.simple else states == SELECTED)
        cells = keys[at] * states.shape[1] + option
        if self.mapping.respondent.duplicates != "error" or _are_distinct(cells):
            return
        order = np.argsort(cells, kind="stable")
        again = np.flatnonzero(cells[order][1:] == cells[order][:-1])
        one = again[int(order[again + 1].argmin())]
        first, second = int(at[order[one]]), int(at[order[one + 1]])
        question = asked[int(keys[second]) % len(asked)].question
        name = question.options[int(option[order[one]])].code
        others = f"; {counted(len(again) - 1, 'more answer is')} given twice"
        raise CurateError(
            f"option '{name}' of question {question.id} is named twice by one respondent, in rows "
            f"{view.row(first)} and {view.row(second)}{others if len(again) > 1 else ''}",
            f"{self.file}, row {view.row(second)}",
            "keep one answer of each respondent",
        )

    def _mentions(self, view: View, item: _Asked) -> States:
        """Read a question whose columns hold one option each: the first that was named, the second.

        Raises:
            CurateError: If a column is missing, a cell holds what is not declared, or two columns
                name one option.
        """
        part = item.part
        states = np.full((len(view), len(item.question.options)), NOT_SHOWN, np.int8)
        for name in part.mentions:
            found = self._cells(view, name, f"question {part.id}, mentions", [item])
            again = (states == SELECTED) & (found == SELECTED)
            at = first_of(again.any(axis=1))
            if at >= 0:
                option = item.question.options[int(again[at].argmax())]
                view.refuse(
                    f"question {part.id}: '{shown(option)}' is named twice",
                    at,
                    name,
                    "correct the row, or check that 'mentions' lists the columns of one question",
                )
            answered = (found == SELECTED).any(axis=1, keepdims=True)
            states = np.where(answered & (states != SELECTED), found, states)
            silent = (states == NOT_SHOWN).all(axis=1, keepdims=True)
            states = np.where(silent, found, states)
        return states

    def _cells(
        self,
        view: View,
        name: str,
        key: str,
        asked: Sequence[_Asked],
        question: Records | None = None,
    ) -> States:
        """Read answers from cells: each distinct one of a question is understood once.

        Args:
            view: The rows.
            name: The column.
            key: What names it, for messages.
            asked: The questions.
            question: For each row its question; the first by default.

        Raises:
            CurateError: If a cell holds what is not declared, or can be read in two ways.
        """
        column = view.column(name, key)
        inverse, groups = _distinct_cells(column, asked, question)
        width = max(len(item.question.options) for item in asked)
        states = np.full((int(inverse.max()) + 1, width), NOT_SHOWN, np.int8)
        tells_void = view.frame.source.tells_void
        for item, places, cells, void in groups:

            def refuse(which: int, what: str, hint: str, places: Records = places) -> NoReturn:
                told = _FIX if self.exact else hint
                view.refuse(what, first_of(inverse == places[which]), name, told)

            if item.table is None:
                meant, notes = _named(item.question, cells, refuse)
                for at, options in meant.items():
                    states[places[at], list(options)] = SELECTED
                for note, at, said in notes:
                    self.notes[note, said] += int((inverse == places[at]).sum())
                continue
            for at, cell in enumerate(cells):
                if at != void:
                    found, own = _meant(
                        item.part, item.table, cell, at, refuse, tells_void=tells_void
                    )
                    if own:
                        rows = view.rows()[inverse == places[at]]
                        self._note_own(item.part.id, own, rows)
                    if self.simple:
                        found[found == SHOWN] = NOT_SHOWN
                    states[places[at], : len(found)] = found
        return states[inverse]

    def _lists(
        self,
        view: View,
        name: str,
        key: str,
        asked: Sequence[_Asked],
        question: Records | None = None,
    ) -> Positions:
        """Read where options were shown from cells that list them."""
        column = view.column(name, key)
        inverse, groups = _distinct_cells(column, asked, question)
        width = max(len(item.question.options) for item in asked)
        found = np.zeros((int(inverse.max()) + 1, width), np.int32)
        for item, places, cells, _ in groups:
            for at, cell in enumerate(cells):
                ways = listed_orders(item.question, item.table, cell) if plain(cell) else {()}
                if len(ways) != 1:
                    known = ", ".join(f"'{shown(option)}'" for option in item.question.options)
                    view.refuse(
                        f"'{plain(cell)}' {'can be read in two ways' if ways else 'is not a list'} "
                        f"of the options of question {item.part.id}, as they were shown",
                        first_of(inverse == places[at]),
                        name,
                        f"join all of them by | or ; in the order shown: {known}",
                    )
                (order,) = ways
                found[places[at], : len(order)] = order
        return found[inverse]

    def _settled(
        self,
        view: View,
        keys: Records,
        named: Callable[[int], tuple[str, str]],
        answered: Callable[[], Records],
    ) -> Flags:
        """Keep one row of each key, as the mapping says; give the rows that stay.

        Args:
            view: The rows.
            keys: Rows of one key answer the same.
            named: Gives a row's respondent and, where a row holds one question, its id.
            answered: Gives for each row how many questions it answers.

        Raises:
            CurateError: If the mapping wants no doubles, or their times cannot be ordered.
        """
        stays = np.ones(len(view), dtype=bool)
        if _are_distinct(keys):
            return stays
        order = np.argsort(keys, kind="stable")
        changes = np.flatnonzero(keys[order][1:] != keys[order][:-1]) + 1
        groups = [group for group in np.split(order, changes) if len(group) > 1]
        policy = self.mapping.respondent.duplicates
        if policy == "error":
            first = min(groups, key=lambda group: int(group[1]))
            rows = [str(view.row(at)) for at in first[:_SHOWN].tolist()]
            who, question = named(int(first[0]))
            what = f" question {question}" if question else ""
            others = f"; {len(groups) - 1} more occur twice" if len(groups) > 1 else ""
            raise CurateError(
                f"respondent {who} answers{what} in rows {', '.join(rows)}{others}",
                f"{self.file}, row {rows[1]}",
                "keep one row of each respondent"
                if self.simple
                else "say in the mapping which to keep (respondent: duplicates: first, last or "
                "complete)",
            )
        counts = answered() if policy == "complete" else np.zeros(len(view), dtype=np.int64)
        left = 0
        for group in groups:
            ordered = self._earliest_first(view, group)
            best = ordered[-1] if policy == "last" else max(ordered, key=lambda at: counts[at])
            for at in (at for at in ordered if at != best):
                stays[at] = False
                left += 1
                detail = f"row {view.row(at)}: row {view.row(best)} is kept ({policy})"
                self.excluded.append(Exclusion("duplicate", *named(at), detail))
        self.findings.append(
            Finding(
                "survey-duplicates",
                Severity.WARNING,
                self.file,
                None,
                self.mapping.respondent.id,
                f"{left:,} {plural('row', left)} left out: {'its' if left == 1 else 'their'} "
                f"{plural('respondent', left)} answered more than once",
                f"'duplicates: {policy}' in the mapping says so",
            )
        )
        return stays

    def _earliest_first(self, view: View, rows: Records) -> list[int]:
        """Order some rows by when they were submitted, or by where they stand without that."""
        name = self.mapping.respondent.submitted
        if name is None:
            return sorted(rows.tolist())
        column = view.column(name, "respondent: submitted")
        times = {}
        for at in rows.tolist():
            time = instant(plain(column.cell(at)))
            if time is None:
                view.refuse(
                    f"'{plain(column.cell(at))}' is not a time that can be ordered",
                    at,
                    name,
                    "the year must come first (2026-01-31 09:00); without 'submitted' in the "
                    "mapping the order of rows decides",
                )
            times[at] = time
        return sorted(times, key=lambda at: (times[at], at))

    def _note_own(self, question: str, texts: Sequence[str], rows: Records) -> None:
        """Note answers in somebody's own words, and the rows that give them."""
        noted = self.own.setdefault(question, {})
        for text in texts:
            noted.setdefault(text, []).extend(rows.tolist())

    def _note_own_columns(self, view: View, part: QuestionPart) -> None:
        """Note what columns of own words hold; of a mere mark, what the column is called."""
        which = own_words(view, part)
        marks = {plain(value) for value in part.selected}
        for at in np.flatnonzero(which >= 0).tolist():
            name = str(part.columns).replace("{code}", part.other[which[at]])
            text = plain(view.column(name, "other").cell(at))
            row = view.rows()[at : at + 1]
            self._note_own(part.id, [part.other[which[at]] if text in marks else text], row)

    def own_findings(self) -> Iterator[Finding]:
        """Name each answer in somebody's own words, which is no vote."""
        for question, noted in self.own.items():
            rows = sorted({row for found in noted.values() for row in found})
            said = [
                f"'{text}' ({plural('row', len(rows))} {', '.join(map(str, rows[:_SHOWN]))})"
                for text, rows in noted.items()
            ]
            more = f" and {len(said) - _SHOWN} more" if len(said) > _SHOWN else ""
            yield Finding(
                "survey-own-words",
                Severity.WARNING,
                self.file,
                rows[0],
                "",
                f"question {question}: {counted(len(rows), 'answer is', 'answers are')} in "
                f"somebody's own words and counted for no option: {', '.join(said[:_SHOWN])}{more}",
                "write the option's code under 'options' in the mapping where one is meant",
            )

    def _note_partial(self, view: View, part: QuestionPart, partial: Flags) -> None:
        count = int(partial.sum())
        if count:
            self.findings.append(
                Finding(
                    "survey-partial-answer",
                    Severity.WARNING,
                    self.file,
                    view.row(int(partial.argmax())),
                    str(part.columns),
                    f"question {part.id}: {counted(count, 'respondent')} chose an option while the "
                    "cell of another is neither 'selected' nor 'not selected'; that one is taken "
                    "as not answered",
                    "add the empty cell to 'not_selected' in the mapping if it says 'not chosen'",
                )
            )


def _are_distinct(keys: Records) -> bool:
    """Whether no two of some keys are equal."""
    least, most = int(keys.min(initial=0)), int(keys.max(initial=0))
    if most - least < 10 * _DENSE:
        there = np.zeros(most - least + 1, dtype=bool)
        there[keys - least] = True
        return int(np.count_nonzero(there)) == len(keys)
    ordered = np.sort(keys)
    return not (ordered[1:] == ordered[:-1]).any()


def _distinct_cells(
    column: Column, asked: Sequence[_Asked], question: Records | None
) -> tuple[Records, list[tuple[_Asked, Records, list[str], int]]]:
    """The different cells of each question.

    Args:
        column: The cells.
        asked: The questions.
        question: For each row its question; the first by default.

    Returns:
        For each row the place of its cell among all of them; and for each question the places of
        its cells, these, and which of them is the empty one that says 'not shown', or -1.
    """
    count = len(column.values)
    keys = column.codes.astype(np.int64)
    keys = keys if question is None else question * count + keys
    if len(asked) * count > _DENSE:
        pairs, inverse = np.unique(keys, return_inverse=True)
    else:
        there = np.zeros(len(asked) * count, dtype=bool)
        there[keys] = True
        pairs, inverse = np.flatnonzero(there), (np.cumsum(there) - 1)[keys]
    changes = np.flatnonzero(np.diff(pairs // count)) + 1
    groups = []
    for places in np.split(np.arange(len(pairs)), changes):
        codes = (pairs[places] % count).tolist()
        cells = [column.values[code] for code in codes]
        void = codes.index(column.void) if column.void in codes else -1
        groups.append((asked[int(pairs[places[0]] // count)], places, cells, void))
    return inverse, groups


def _named(
    question: Question, cells: Sequence[str], refuse: _Refuse
) -> tuple[dict[int, tuple[int, ...]], list[tuple[Note, int, str]]]:
    """The options of a question that cells call as it does, and what is to be said of it."""
    full = {cell: at for at, cell in enumerate(cells) if plain(cell)}

    def refuse_cell(what: str, cell: str, hint: str) -> NoReturn:
        refuse(full[cell], what, hint)

    meant, notes = options_named(question, list(full), refuse_cell)
    return (
        {full[cell]: places for cell, places in meant.items()},
        [(note, full[cell], said) for note, cell, said in notes],
    )


def _meant(
    part: QuestionPart, table: OptionTable, cell: str, at: int, refuse: _Refuse, *, tells_void: bool
) -> tuple[States, list[str]]:
    """What a cell says of each option, and in somebody's own words.

    Raises:
        CurateError: If it holds what is not declared, or can be read in two ways.
    """
    text, unanswered = plain(cell), {plain(value) for value in part.missing}
    states = np.full(len(table.question.options), NOT_SHOWN, np.int8)
    own: list[str] = []
    if text in table.keys or (text and text not in unanswered):
        places = _options(part, table, cell, at, refuse)
        own = table.own_words(places)
        chosen = [place for place in places if place < len(states)]
        # Who answers in own words alone was asked, and names no option.
        states[:] = SHOWN if chosen else MISSING
        states[chosen] = SELECTED
    elif text and table.place(text) >= 0:
        option = shown(table.question.options[table.place(text)])
        refuse(
            at,
            f"question {part.id}: '{text}' is the option '{option}' by its text, and says that "
            "nothing was answered",
            f"write '{text}' among 'options' in the mapping if it is that option, or take it out "
            "of 'missing' and write what says so",
        )
    elif text in unanswered or tells_void:
        states[:] = MISSING
    return states, own


def _options(
    part: QuestionPart, table: OptionTable, cell: str, at: int, refuse: _Refuse
) -> tuple[int, ...]:
    """The options that a cell names."""
    text, option = plain(cell), table.place(cell)
    several = part.kind is QuestionKind.SELECT_ALL
    listed = table.listed(cell) if several else None
    if option >= 0 and not (several and part.joined):
        return (option,)
    if listed is not None and option < 0:
        return listed
    readings = table.readings(cell, part.joined) if several and part.joined else []
    ways = list({frozenset(reading): reading for reading in readings}.values())
    if len(ways) == 1:
        return ways[0]
    if ways:
        refuse(
            at,
            f"question {part.id}: '{text}' can be read as {table.written(ways[0])} or as "
            f"{table.written(ways[1])}",
            "export one column for each option, or join them by a character that no option holds",
        )
    hint = f"declared are {table.declared()}; fix 'options' in the mapping, or the file"
    if table.run_together(text):
        hint = (
            f"if these are {' and '.join(text)} run together, export one column for each option; "
            f"declared are {table.declared()}"
        )
    what = "lists an option that is not declared" if part.joined else "is not declared"
    refuse(at, f"question {part.id}: '{text}' {what}", hint)


def _stated(view: View, name: str, states: States, *, exact: bool) -> States:
    """States of which a column says what they are, instead of chosen."""
    column = view.column(name, "long: state")
    known = {state.value: code for code, state in enumerate(STATES)}
    found = np.zeros(len(column.values), dtype=np.int8)
    for code in column.used():
        text = plain(column.values[code])
        text = text if exact else text.casefold()
        if text not in known:
            at = first_of(column.codes == code)
            view.refuse(f"'{text}' is not a state", at, name, f"write {' or '.join(known)}")
        found[code] = known[text]
    return np.where(states == NOT_SHOWN, states, found[column.codes][:, None])


def refuse_kinds(frame: Frame, at: int, answers: Answers) -> None:
    """Refuse rows that call a question of another kind than the questionnaire.

    Args:
        frame: The file.
        at: The column of kinds.
        answers: What was read of it.

    Raises:
        CurateError: If there is one.
    """
    column = frame.columns[at]
    kinds = np.array([plain(value).casefold() for value in column.values], dtype=object)
    places = {kind: code for code, kind in enumerate(kinds)}
    wanted = np.array([places.get(item.kind.value, -1) for item in answers.questions])
    rows = np.searchsorted(frame.rows, answers.row)
    same = np.array([places[kind] for kind in kinds])
    other = first_of(same[column.codes[rows]] != wanted[answers.question])
    if other >= 0:
        asked = answers.questions[answers.question[other]]
        raise CurateError(
            f"kind '{plain(column.cell(int(rows[other])))}' where question {asked.id} is of kind "
            f"{asked.kind}",
            f"{frame.file}, row {answers.row[other]}, column {frame.titles[at]}",
            _FIX,
        )


def _answered(view: View, mapping: FileMapping) -> Records:
    """Count for each row the questions that it answers."""
    counts = np.zeros(len(view), dtype=np.int64)
    for part in mapping.questions:
        nothing = {*part.missing, *(part.not_selected if part.columns is not None else ())}
        answered = np.zeros(len(view), dtype=bool)
        for name in part.places():
            column = view.column(name, f"question {part.id}")
            answered |= filled(column) & ~has_one_of(column, nothing)
        counts += answered
    return counts


def _where_asked(view: View, part: QuestionPart, states: States, asked: Flags) -> States:
    """The states of those who were asked; to the others the question was not shown.

    Raises:
        CurateError: If a row answers what it was not asked.
    """
    if asked.all():
        return states
    at = first_of((states == SELECTED).any(axis=1) & ~asked)
    if at >= 0:
        said = ", ".join(
            f"{name} is '{plain(view.column(name, 'asked').cell(at))}'" for name in part.asked
        )
        known = " and ".join(f"{name} is {', '.join(cells)}" for name, cells in part.asked.items())
        view.refuse(
            f"question {part.id}: the row answers it but was not asked it: {said}",
            at,
            part.places()[0],
            f"it is asked where {known}; fix 'asked' in the mapping, or the file",
        )
    return np.where(asked[:, None], states, np.int8(NOT_SHOWN))
