"""Any survey file in normal form: what each respondent did with each option, as its mapping says.

Not shown, not chosen and not answered are three things. A question that a respondent never saw
leaves nothing; one that was seen and not answered leaves each option `missing`, and so does a
multi-select of which nothing was chosen; one that was answered leaves each option `selected` or
`shown`. In a simple table only what was chosen is there, and the other options where the order is
known in which they were shown. That comes from the form that a respondent answered or from lists of
the options; if it is known for one of a respondent's rows, it is known for all options.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from curation.files.tables import read_table, refuse_problems
from curation.records.letters import column_letters
from curation.records.messages import CurateError, Finding, plural
from curation.records.survey import Question, QuestionKind
from survey.answers import MISSING, NEEDED, SELECTED, SHOWN, STATES, Answers, Codes, Exclusion
from survey.attributes import PeopleList
from survey.mapping import NORMAL, ROW, SIMPLE, LongPart, QuestionPart, ReadPart, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms import CODE_COLUMNS, MIXING, framed, platform_of
from survey.readers import frames, options, people
from survey.readers.frames import Flags, Frame, Records, RowView, first_of, plain, refusal, tell
from survey.readers.opening import Opened, open_file
from survey.readers.options import NOT_SHOWN, OptionTable, QuestionNames, States, shown
from survey.readers.people import Kept

_SHOWN = 5
_DENSE = 50
"""With so many times as many possible keys or fewer an array of all costs less than sorting."""
_FIX = "fix the file, or give the questionnaire that was asked (--questionnaire)"
_IGNORED = -1
_REFUSED = ("error", "join")
"""What a mapping says of doubles, where two answers of one respondent to one question are none."""
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
Order = tuple[int, ...]
"""For each option of a question where it was shown, from 1."""
Positions = npt.NDArray[np.int32]
"""Where each option was shown, from 1; 0 where it is not known."""
_PLACE = re.compile(r"[0-9]{1,9}")


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
    texts: Mapping[str, str] | None = None,
) -> Received:
    """Read a survey file.

    Args:
        opened: The file, opened as the mapping says.
        mapping: How it is to be read, to the letter.
        questions: The questionnaire that was asked.
        texts: By question the text that was asked, where it is known.

    Returns:
        The answers and what is left out: each row of the file is in one of the two.

    Raises:
        CurateError: If anything in the file is not as the mapping says.
    """
    if mapping.preset == NORMAL:
        raise refusal("normal-mapping", opened.file)
    names = QuestionNames(questions, texts or {})
    frame = framed(opened, mapping.preset, mapping.read)
    people.refuse_headings(frame, names)
    return read_frame(frame, mapping, names)


def read_frame(
    frame: Frame, mapping: FileMapping, names: QuestionNames, *, keep: bool = True
) -> Received:
    """Bring a frame into normal form.

    Of a simple table, cells call options as the questionnaire does, and only what was chosen is
    there. In the normal form they call questions, options and states by their codes alone.

    Args:
        frame: The file, read as the mapping says.
        mapping: How its columns are read, to the letter.
        names: The questionnaire that was asked.
        keep: Whether answers are kept; else they are counted, for of a large file they take many
            times its size.

    Raises:
        CurateError: If most columns of the mapping are not in the file, or anything in it is not
            as the mapping says.
    """
    if not mapping.questions and mapping.long is None:
        raise refusal("mapping-empty", "mapping")
    every = () if mapping.long is not None else mapping.questions
    named = [name for part in every for name in part.places()]
    lacking = [name for name in named if name not in frame]
    if 2 * len(lacking) > len(named) > 2:  # of few columns each is named
        where = f"{frame.file}, row {frame.head_row}"
        told = {"count": len(lacking), "all": len(named), "one": lacking[0]}
        raise refusal("mapping-of-another", where, **told)
    joined = []
    if mapping.respondent.duplicates == "join" and mapping.long is None:
        given, frame = len(frame), _one_row_each(frame, mapping)
        told = {"all": given, "count": len(frame)}
        joined += [tell("survey-rows-joined", frame.file, **told)] if given > len(frame) else []
    view = frame.view()
    kept = people.kept_rows(view, mapping)
    reader = _Reader(mapping, names, frame.file, keep)
    left = reader.read(kept)
    attributes = people.attributes_of(left, mapping)
    kept.view.refuse_suspects()
    excluded = (*kept.excluded, *reader.excluded)
    # Nobody is dropped silently: each row of the file is read, or among those left out.
    assert len(left.view) + len(excluded) == len(frame)  # noqa: S101  # a fault of ours
    said = (
        *file_findings(frame),
        *joined,
        *people.strange_ids(kept, mapping),
        *people.same_people(kept, mapping.respondent.id),
        *people.same_rows(kept, mapping),
        *kept.findings,
        *reader.findings,
        *reader.own_findings(),
        *naming_findings(frame.file, reader.notes),
    )
    answers = reader.answers(kept.ids, attributes)
    stated = shown_orders(mapping.questions, names.questions)
    return Received(
        in_forms(answers, stated) if stated else answers,
        len(kept.ids),
        reader.count,
        excluded,
        said,
        () if reader.exact else unread_columns(view, mapping),
    )


def _one_row_each(frame: Frame, mapping: FileMapping) -> Frame:
    """A file with one row of each respondent, which has what any of their rows says first.

    Raises:
        CurateError: If there is no column of respondents, or two rows of one answer a question
            otherwise.
    """
    who = frame.columns[frame.find(mapping.respondent.id, "respondent: id")]
    _, first, person = np.unique(who.codes, return_index=True, return_inverse=True)
    in_file = np.argsort(first)
    asked = {plain(name) for part in mapping.questions for name in part.places()}
    asked |= {plain(part.column) for part in mapping.attention}
    columns = []
    for title, column in frame.named_columns:
        says = np.flatnonzero(frames.filled(column))
        row = first.copy()
        row[person[says[::-1]]] = says[::-1]  # the first row of each is written last
        at = first_of(column.codes[says] != column.codes[row[person[says]]])
        if at >= 0 and title in asked:
            rows = [str(frame.rows[place]) for place in (row[person[says[at]]], says[at])]
            told = {"who": f"{who.text(int(says[at]))} answers '{title}'", "rows": rows, "more": ""}
            where = f"{frame.file}, row {rows[1]}, column {title}"
            raise refusal("answers-again-mapped", where, **told)
        columns.append(column.take(row[in_file]))
    return replace(frame, columns=tuple(columns), rows=frame.rows[first[in_file]])


@dataclass(frozen=True, slots=True)
class _Block:
    """The rows that answer a question: its place in the questionnaire, its part of a mapping."""

    at: int
    part: QuestionPart
    table: OptionTable
    view: RowView
    respondent: Records

    @property
    def question(self) -> Question:
        """The question."""
        return self.table.question


class _Reader:
    """Reads the rows that count, and gathers the answers.

    Attributes:
        exact: Whether cells call questions, options and states by their codes alone.
        simple: Whether only what was chosen is there.
        excluded: Rows that were left out.
        findings: What a person should know.
        notes: By what there is to know of cells and what is said of them, how many answers.
        count: How many answers.
        own: By question the answers in somebody's own words, each with its rows.
    """

    def __init__(self, mapping: FileMapping, names: QuestionNames, file: str, keep: bool) -> None:
        self.mapping, self.names, self.file, self.keep = mapping, names, file, keep
        self.exact = mapping.preset == NORMAL
        self.simple = mapping.preset in (NORMAL, SIMPLE)
        self.excluded: list[Exclusion] = []
        self.findings: list[Finding] = []
        self.notes: Counter[tuple[str, str]] = Counter()
        self.count = 0
        self.own: dict[str, dict[str, list[int]]] = {}
        self._parts: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in _FIELDS}

    def answers(self, ids: tuple[str, ...], attributes: Mapping[str, Sequence[str]]) -> Answers:
        """All that was read; each list of parts is forgotten when it is joined."""
        joined: dict[str, Any] = {}
        for name, kind in _FIELDS.items():
            joined[name] = np.concatenate([np.empty(0, kind), *self._parts.pop(name)], dtype=kind)
        questions = tuple(self.names.questions)
        return Answers(self.file, questions, ids, attributes=attributes, **joined)

    def _add(
        self,
        block: _Block,
        rows: Records,
        states: States,
        positions: Positions | None,
        seconds: npt.NDArray[np.float64],
    ) -> None:
        """Add a row for each option that was not `NOT_SHOWN`."""
        if self.simple and positions is not None:
            known = (positions > 0).any(axis=1) & (states == SELECTED).any(axis=1)
            states = np.where(known[:, None] & (positions > 0) & (states < 0), SHOWN, states)
        at, option = _places(states != NOT_SHOWN)
        self.count += len(at)
        if not self.keep:
            return
        found = {
            "respondent": block.respondent[at],
            "question": np.full(len(at), block.at),
            "option": option,
            "state": states[at, option],
            "position": np.zeros(len(at), np.int32) if positions is None else positions[at, option],
            "duration": seconds[at],
            "row": rows[at],
        }
        for name, values in found.items():
            self._parts[name].append(values)

    def _asked(self, kept: Kept) -> list[_Block]:
        """The questions of the mapping, or all of the questionnaire, in all rows.

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
            if at < 0 or questions[at].kind is not part.kind:
                kind = "is not in the questionnaire"
                if at >= 0:
                    kind = f"is of kind {questions[at].kind} in the questionnaire, not {part.kind}"
                raise refusal("question-unlike", self.file, id=part.id, why=kind)
            if long is not None:
                several = part.kind is QuestionKind.SELECT_ALL
                joined = part.joined or (long.joined if several else None)
                missing = (*part.missing, *long.missing)
                part = part.model_copy(update={"joined": joined, "missing": missing})
            told = bool(part.options or part.joined or part.other or part.has_columns)
            loose = self.simple and not self.exact and not told
            called = OptionTable(questions[at], part.options, part.other, part.joined, loose=loose)
            found.append(_Block(at, part, called, kept.view, kept.respondent))
        return found

    def read(self, kept: Kept) -> Kept:
        """Read all rows; give those that were read."""
        asked = self._asked(kept)
        if self.mapping.long is not None:
            return self._read_long(kept, self.mapping.long, asked)
        kept = kept.only(self._settled(kept, kept.respondent))
        for every in asked:
            block = replace(every, view=kept.view, respondent=kept.respondent)
            key = f"question {block.part.id}, duration"
            self._read_block(block, people.read_seconds(kept.view, block.part.duration, key))
        return kept

    def _read_long(self, kept: Kept, long: LongPart, asked: Sequence[_Block]) -> Kept:
        """Read a file with a row for each respondent and question, or for each option of one."""
        question = self._questions(kept.view, long.question, asked)
        kept, question = self._without_ignored(kept, long.question, question)
        # Of a multi-select, rows that name different options are one answer.
        alone = [
            item.part.kind is not QuestionKind.SELECT_ALL and not self.simple for item in asked
        ]
        if long.row == "question" or any(alone):
            own = np.array(alone)[question] | (long.row == "question")
            keys = kept.respondent * len(asked) + question
            keys = np.where(own, keys, -1 - np.arange(len(keys)))
            stays = self._settled(kept, keys, lambda at: asked[question[at]].part.id)
            kept, question = kept.only(stays), question[stays]
        view, person = kept.view, self.mapping.respondent.id
        asked_about = np.count_nonzero(np.bincount(question))
        if person != ROW and len(kept.ids) == len(view) > asked_about > 1:
            told = {"count": len(view), "name": person, "questions": asked_about}
            self.findings.append(tell("survey-row-of-each", self.file, None, person, **told))
        seconds = people.read_seconds(view, long.duration, "long: duration")
        where = long.position
        places = read_places(view, where, "long: position") if where else None
        few = frames.narrow(question, len(asked))  # so it is fast
        order = np.argsort(few, kind="stable")
        ends = np.cumsum(np.bincount(question, minlength=len(asked)))
        for every, rows in zip(asked, np.split(order, ends[:-1]), strict=True):
            block = replace(every, view=view.only(rows), respondent=kept.respondent[rows])
            if len(rows):
                here = None if places is None else places[rows]
                self._read_block(block, seconds[rows], here)
        return kept

    def _read_block(
        self, block: _Block, seconds: npt.NDArray[np.float64], places: Positions | None = None
    ) -> None:
        """Read the rows of one question.

        Args:
            block: The question and its rows.
            seconds: How long each row took.
            places: In a long file for each row where the option was shown that it names.
        """
        view, part, long, positions = block.view, block.part, self.mapping.long, None
        key, order = f"question {part.id}", part.order
        rows, rows_asked = view.rows(), np.ones(len(view), dtype=bool)
        for name, allowed in part.asked.items():
            rows_asked &= frames.has_one_of(view.column(name, f"{key}, asked"), allowed)
        if long is not None:
            order = long.order
            states = self._cells(block, long.answer, "long: answer")
            if long.state is not None:
                states = _stated(view, long.state, states, exact=self.exact)
        elif part.columns is not None:
            states = self._marks(block, rows_asked)
        elif part.mentions:
            states = self._mentions(block)
        else:
            states = self._cells(block, str(part.column), f"{key}, column")
        states = _where_asked(view, part, states, rows_asked)
        if order is not None and part.order is not None and "{code}" in order:
            positions = orders_in_columns(view, order, block.table, f"{key}, order")
        elif order is not None:
            positions = _lists(block, order, "long: order" if long is not None else f"{key}, order")
        elif places is not None:
            several = first_of((states != NOT_SHOWN).sum(axis=1) > 1)
            if several >= 0:
                view.refuse("position-of-several", several, str(long and long.position))
            positions = np.where(states != NOT_SHOWN, places[:, None], 0).astype(np.int32)
        if long is not None and self.simple and order is None:
            self._refuse_again(block, states)
        elif long is not None and long.row == "option":
            first, states, positions = self._joined(block, states, positions)
            rows, seconds = rows[first], seconds[first]
            block = replace(block, respondent=block.respondent[first])
        self._add(block, rows, states, positions, seconds)

    def _marks(self, block: _Block, asked: Flags) -> States:
        """Read a question whose options have a column each, and say who answered a part of it."""
        view, part = block.view, block.part
        states, partial = options.read_marks(view, part, block.table)
        partial &= asked
        if partial.any():
            row, told = view.row(int(partial.argmax())), str(part.columns)
            words = {"id": part.id, "count": int(partial.sum())}
            self.findings.append(tell("survey-partial-answer", self.file, row, told, **words))
        self._note_own_columns(block)
        if part.sum is not None:
            options.refuse_other_sum(view, part, block.table, states)
        return states

    def _without_ignored(self, kept: Kept, name: str, question: Records) -> tuple[Kept, Records]:
        """Leave out the rows of questions that the mapping ignores."""
        stays = question != _IGNORED
        if stays.all():
            return kept, question
        column = kept.view.column(name, "long: question")
        for at in np.flatnonzero(~stays).tolist():
            said = f"row {kept.view.row(at)}: {name} is '{column.text(at)}'"
            who = kept.ids[kept.respondent[at]]
            self.excluded.append(Exclusion("ignored", who, "", said))
        return kept.only(stays), question[stays]

    def _questions(self, view: RowView, name: str, asked: Sequence[_Block]) -> Records:
        """For each row the position in `asked` of its question."""
        column = view.column(name, "long: question")
        known = {plain(ignored): _IGNORED for ignored in self.mapping.ignored}
        known |= {plain(item.part.column or item.part.id): at for at, item in enumerate(asked)}
        found = np.zeros(len(column.values), dtype=np.int64)
        for code in column.used:
            text = column.texts[code]
            places = [known[text]] if text in known else []
            if not places and not self.mapping.questions and not self.exact:
                places = self.names.places(text)
            if len(places) != 1:
                key = "question-of-two" if places else "question-unknown"
                ids = [self.names.questions[place].id for place in places]
                self._refuse(view, column.codes == code, name, key, text=text, names=ids)
            found[code] = places[0]
        return found[column.codes]

    def _refuse(
        self, view: RowView, at: int | Flags, name: str, key: str, **words: object
    ) -> NoReturn:
        """Refuse a cell; of the normal form nothing is called otherwise than in it."""
        try:
            view.refuse(key, at, name, **words)
        except CurateError as error:
            raise CurateError(error.what, error.where, _FIX if self.exact else error.hint) from None

    def _joined(
        self, block: _Block, states: States, positions: Positions | None
    ) -> tuple[Records, States, Positions | None]:
        """Join the rows of each answer: an option is chosen when one of them names it.

        Returns:
            The first row of each answer, its states and its positions.

        Raises:
            CurateError: If two rows name one option, list two orders, or one of them says that
                nothing was answered.
        """
        view, who = block.view, block.respondent
        if are_distinct(who):
            return np.arange(len(who)), states, positions
        found, first, of_row = np.unique(who, return_index=True, return_inverse=True)
        self._refuse_again(block, states)
        answered = np.zeros(len(found), dtype=bool)
        answered[of_row[(states == SELECTED).any(axis=1)]] = True
        silent = first_of((states == MISSING).any(axis=1) & answered[of_row])
        if silent >= 0 and not self.simple:
            name = str(self.mapping.long and self.mapping.long.answer)
            view.refuse("answered-and-not", silent, name, id=block.part.id)
        none = np.int8(127)  # above all states, of which the lowest is 'selected'
        joined = np.full((len(found), states.shape[1]), none, dtype=np.int8)
        np.minimum.at(joined, of_row, np.where(states == NOT_SHOWN, none, states))
        joined[joined == none] = NOT_SHOWN
        if positions is not None:
            most = np.zeros((len(found), states.shape[1]), dtype=np.int32)
            np.maximum.at(most, of_row, positions)
            other = first_of(((positions > 0) & (positions != most[of_row])).any(axis=1))
            if other >= 0:
                rows = [str(view.row(int(at))) for at in np.flatnonzero(of_row == of_row[other])]
                where = f"{self.file}, row {rows[-1]}"
                raise refusal("two-orders", where, one=rows[0], other=rows[-1])
            positions = most
        return first, joined, positions

    def _refuse_again(self, block: _Block, states: States) -> None:
        """Refuse rows of one respondent that name one option twice."""
        at, option = _places(states != NOT_SHOWN if self.simple else states == SELECTED)
        cells = block.respondent[at] * states.shape[1] + option
        if self.mapping.respondent.duplicates not in _REFUSED or are_distinct(cells):
            return
        order = np.argsort(cells, kind="stable")
        again = np.flatnonzero(cells[order][1:] == cells[order][:-1])
        one = again[int(order[again + 1].argmin())]
        rows = [str(block.view.row(int(at[order[place]]))) for place in (one, one + 1)]
        name = block.question.options[int(option[order[one]])].code
        told = {"name": name, "id": block.question.id, "rows": rows, "more": len(again) - 1}
        way = "several" if len(again) > 1 else "one"
        raise refusal("option-again", f"{self.file}, row {rows[1]}", way=way, **told)

    def _mentions(self, block: _Block) -> States:
        """Read a question whose columns hold one option each: the first that was named, the second.

        Raises:
            CurateError: If a column is missing, a cell holds what is not declared, or two columns
                name one option.
        """
        part, known = block.part, block.question.options
        states = np.full((len(block.view), len(known)), NOT_SHOWN, np.int8)
        for name in part.mentions:
            found = self._cells(block, name, f"question {part.id}, mentions")
            again = (states == SELECTED) & (found == SELECTED)
            at = first_of(again.any(axis=1))
            if at >= 0:
                option = shown(known[int(again[at].argmax())])
                block.view.refuse("mention-again", at, name, id=part.id, option=option)
            answered = (found == SELECTED).any(axis=1, keepdims=True)
            states = np.where(answered & (states != SELECTED), found, states)
            silent = (states == NOT_SHOWN).all(axis=1, keepdims=True)
            states = np.where(silent, found, states)
        return states

    def _cells(self, block: _Block, name: str, key: str) -> States:
        """Read answers from cells: each distinct one is understood once.

        Args:
            block: The question and its rows.
            name: The column.
            key: What names it, for messages.

        Raises:
            CurateError: If a cell holds what is not declared, or can be read in two ways.
        """
        view, part, table = block.view, block.part, block.table
        column = view.column(name, key)
        used, inverse = column.inverse()
        states = np.full((len(used), len(block.question.options)), NOT_SHOWN, np.int8)
        unanswered = {plain(value) for value in part.missing}
        cells: dict[str, int] = {}

        def refuse(cell: str, key: str, /, **words: object) -> NoReturn:
            self._refuse(view, inverse == cells[cell], name, key, **words)

        for at, code in enumerate(used):
            cell, text = column.values[code], column.texts[code]
            if code == column.void:
                continue
            cells[cell] = at
            if text in unanswered and text and text not in table.keys and table.place(text) >= 0:
                option = table.written([table.place(text)])
                refuse(cell, "option-is-missing", id=part.id, text=text, option=option)
            if text not in table.keys and (not text or text in unanswered):
                del cells[cell]
                silent = text in unanswered or view.frame.source.tells_void
                states[at] = MISSING if silent and not table.loose else NOT_SHOWN
        meant, notes = table.named(list(cells), refuse)
        for cell, places in meant.items():
            at = cells[cell]
            chosen = [place for place in places if place < states.shape[1]]
            # Who answers in own words alone was asked, and names no option.
            states[at] = MISSING if not chosen else NOT_SHOWN if self.simple else SHOWN
            states[at, chosen] = SELECTED
            if own := table.own_words(places):
                self._note_own(part.id, own, view.rows()[inverse == at])
        for note, cell, said in notes:
            self.notes[note, said] += int((inverse == cells[cell]).sum())
        return states[inverse]

    def _settled(
        self, kept: Kept, keys: Records, asked: Callable[[int], str] | None = None
    ) -> Flags:
        """Keep one row of each key, as the mapping says; give the rows that stay.

        Args:
            kept: The rows.
            keys: Rows of one key answer the same.
            asked: Gives the question that a row answers, where it answers one.

        Raises:
            CurateError: If the mapping wants no doubles, or their times cannot be ordered.
        """
        view = kept.view

        def named(at: int) -> tuple[str, str]:
            return kept.ids[kept.respondent[at]], asked(at) if asked else ""

        stays = np.ones(len(view), dtype=bool)
        if are_distinct(keys):
            return stays
        order = np.argsort(keys, kind="stable")
        changes = np.flatnonzero(keys[order][1:] != keys[order][:-1]) + 1
        groups = [group for group in np.split(order, changes) if len(group) > 1]
        policy = self.mapping.respondent.duplicates
        if policy in _REFUSED:
            first = min(groups, key=lambda group: int(group[1]))
            rows = [str(view.row(at)) for at in first.tolist()]
            who, question = named(int(first[0]))
            key = "answers-again" if self.simple else "answers-again-mapped"
            said = f"{who} answers question {question}" if question else f"{who} answers"
            more = f"; {len(groups) - 1} more occur twice" if len(groups) > 1 else ""
            where = f"{self.file}, row {rows[1]}"
            raise refusal(key, where, who=said, rows=rows, more=more)
        counts = np.zeros(len(view), dtype=np.int64)
        if policy == "complete" and asked is None:
            counts = _answered(view, self.mapping)
        left = 0
        for group in groups:
            ordered = self._earliest_first(view, group)
            best = ordered[-1] if policy == "last" else max(ordered, key=lambda at: counts[at])
            for at in (at for at in ordered if at != best):
                stays[at] = False
                left += 1
                detail = f"row {view.row(at)}: row {view.row(best)} is kept ({policy})"
                self.excluded.append(Exclusion("duplicate", *named(at), detail))
        person = self.mapping.respondent.id
        told = {"count": left, "policy": policy}
        self.findings.append(tell("survey-duplicates", self.file, None, person, **told))
        return stays

    def _earliest_first(self, view: RowView, rows: Records) -> list[int]:
        """Order some rows by when they were submitted, or by where they stand without that."""
        name = self.mapping.respondent.submitted
        if name is None:
            return sorted(rows.tolist())
        column = view.column(name, "respondent: submitted")
        times = {}
        for at in rows.tolist():
            time = people.instant(column.text(at))
            if time is None:
                view.refuse("time-unordered", at, name, text=column.text(at))
            times[at] = time
        return sorted(times, key=lambda at: (times[at], at))

    def _note_own(self, question: str, texts: Sequence[str], rows: Records) -> None:
        """Note answers in somebody's own words, and the rows that give them."""
        noted = self.own.setdefault(question, {})
        for text in texts:
            noted.setdefault(text, []).extend(rows.tolist())

    def _note_own_columns(self, block: _Block) -> None:
        """Note what columns of own words hold; of a mere mark, what the column is called."""
        view, part = block.view, block.part
        which = options.own_words(view, part)
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
            told = {"question": question, "count": len(rows), "texts": said}
            yield tell("survey-own-words", self.file, rows[0], **told)


def _places(flags: Flags) -> tuple[Records, Records]:
    """The rows and columns where it is so; `nonzero` takes twice as long for two dimensions."""
    rows, columns = np.divmod(np.flatnonzero(flags), flags.shape[1])
    return rows, columns


def are_distinct(keys: Records) -> bool:
    """Whether no two of some keys are equal."""
    least, most = int(keys.min(initial=0)), int(keys.max(initial=0))
    if most - least < _DENSE * len(keys):
        there = np.zeros(most - least + 1, dtype=bool)
        there[keys - least] = True
        return int(np.count_nonzero(there)) == len(keys)
    ordered = np.sort(keys)
    return not (ordered[1:] == ordered[:-1]).any()


def _lists(block: _Block, name: str, key: str) -> Positions:
    """Read where options were shown from cells that list them."""
    view, question = block.view, block.question
    column = view.column(name, key)
    used, inverse = column.inverse()
    found = np.zeros((len(used), len(question.options)), np.int32)
    for at, cell in enumerate(column.values[code] for code in used):
        ways = listed_orders(block.table, cell) if plain(cell) else {()}
        if len(ways) != 1:
            way = "of two readings" if ways else "not a list"
            known = [shown(option) for option in question.options]
            told = {"text": plain(cell), "how": way, "id": block.part.id, "known": known}
            view.refuse("order-unread", inverse == at, name, **told)
        (order,) = ways
        found[at, : len(order)] = order
    return found[inverse]


def _stated(view: RowView, name: str, states: States, *, exact: bool) -> States:
    """States of which a column says what they are, instead of chosen."""
    known = {state.value: code for code, state in enumerate(STATES)}

    def state(text: str) -> int | None:
        return known.get(text if exact else text.casefold())

    column = view.column(name, "long: state")
    found = view.read(name, column, state, "state-unknown", states=list(known))
    return np.where(states == NOT_SHOWN, states, found.astype(np.int8)[:, None])


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
    kinds = [text.casefold() for text in column.texts]
    places = {kind: code for code, kind in enumerate(kinds)}
    wanted = np.array([places.get(item.kind.value, -1) for item in answers.questions])
    rows = np.searchsorted(frame.rows, answers.row)  # they count from above
    same = np.array([places[kind] for kind in kinds])
    other = first_of(same[column.codes[rows]] != wanted[answers.question])
    if other >= 0:
        asked = answers.questions[answers.question[other]]
        where = f"{frame.file}, row {answers.row[other]}, column {frame.titles[at]}"
        kind = plain(column.cell(int(rows[other])))
        raise refusal("kind-unlike", where, found=kind, id=asked.id, kind=asked.kind)


def _answered(view: RowView, mapping: FileMapping) -> Records:
    """Count for each row the questions that it answers."""
    counts = np.zeros(len(view), dtype=np.int64)
    for part in mapping.questions:
        nothing = {*part.missing, *(part.not_selected if part.columns is not None else ())}
        answered = np.zeros(len(view), dtype=bool)
        for name in part.places():
            column = view.column(name, f"question {part.id}")
            answered |= frames.filled(column) & ~frames.has_one_of(column, nothing)
        counts += answered
    return counts


def _where_asked(view: RowView, part: QuestionPart, states: States, asked: Flags) -> States:
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
        view.refuse("not-asked", at, part.places()[0], id=part.id, said=said, known=known)
    return np.where(asked[:, None], states, np.int8(NOT_SHOWN))


def read_answers(path: Path, questions: Sequence[Question]) -> Answers:
    """Read a file of responses, and the respondents' attributes from beside it.

    Args:
        path: The file.
        questions: The questionnaire.

    Raises:
        CurateError: If the file cannot be read; a question, option, kind or state is not of
            the questionnaire; a position or duration is no number; or a respondent has two
            rows for one option.
    """
    frame = open_file(path, ReadPart(encoding="utf-8")).frame()
    lacking = [name for name in NEEDED if frame.titles.count(name) != 1]
    if lacking:
        told = {"name": path.name, "needed": lacking[0], "listed": ", ".join(NEEDED)}
        raise refusal("normal-column", f"{path}, row 1", **told)
    long = LongPart(
        question="question_id",
        answer="option",
        row="option",
        state="state",
        position=frame.first("position"),
        duration=frame.first("duration_s"),
        missing=(),
    )
    mapping = FileMapping(preset=NORMAL, respondent=RespondentPart(id="respondent_id"), long=long)
    names = QuestionNames(questions, {})
    answers = read_frame(frame, mapping, names).answers
    if len(answers) < len(frame):
        row = min(set(frame.rows.tolist()) - set(answers.row.tolist()))
        raise refusal("normal-row", f"{path}, row {row}, column option")
    refuse_kinds(frame, frame.titles.index("kind"), answers)
    listed = PeopleList(path, answers.respondents)
    return replace(answers, attributes=listed.attributes(answers.respondents))


def unread_columns(view: RowView, mapping: FileMapping) -> tuple[str, ...]:
    """The columns with values that are neither read nor in `ignored`.

    The platform's own columns, such as times and addresses, are no question's.

    Args:
        view: The records, after all that is needed of them was read.
        mapping: How they were read.
    """
    frame = view.frame
    # A simple table has no platform's own columns; what names its respondents is looked at once.
    simple = mapping.preset == SIMPLE
    own = frozenset() if simple else platform_of(mapping.preset).start(frame).known
    known = own | ignored(frame.titles, mapping)
    return tuple(
        title or f"column {at + 1}"
        for at, (title, column) in enumerate(frame.named_columns)
        if at not in view.used and title not in known and frames.holds(column)
    )


def ignored(titles: Iterable[str], mapping: FileMapping) -> set[str]:
    """The columns that a mapping ignores: by name, `*` being anything."""
    patterns = [
        re.compile(".*".join(re.escape(part) for part in plain(name).split("*")))
        for name in mapping.ignored
    ]
    return {title for title in titles if any(known.fullmatch(title) for known in patterns)}


def unread_finding(file: str, columns: Sequence[str], *, mapped: bool = True) -> list[Finding]:
    """Say that columns hold something and are not read; nothing where there are none.

    Args:
        file: The file.
        columns: Their names.
        mapped: Whether a mapping says what is read.
    """
    key = "survey-unread-columns" if mapped else "unread-without-mapping"
    told = {"count": len(columns), "names": columns}
    return [tell(key, file, None, columns[0], **told)] if columns else []


def spelling_findings(
    file: str, mapping: FileMapping, questions: Sequence[Question]
) -> list[Finding]:
    """Say which texts a draft took for options that are written otherwise, or for empty cells.

    Args:
        file: The file.
        mapping: The draft.
        questions: The questionnaire.
    """
    by_id = {question.id: question for question in questions}
    said: dict[str, None] = {}
    every = (cell for part in mapping.questions for cell in part.missing)
    empty = [cell for cell in every if any(map(str.isalpha, cell))]
    found = [tell("empty-drafted", file, cells=list(dict.fromkeys(empty)))] if empty else []
    for part in mapping.questions:
        asked = by_id[part.id]
        ways, codes = options.namings(asked), [option.code for option in asked.options]
        for text, code in part.options.items():
            at = codes.index(code)
            written = plain(text) in options.names_of(asked.options[at])
            like = (way.by(plain(text), options.Spelling.UNACCENTED) for way in ways)
            if not written and any(at in places for places in like):
                said[f"'{text}' for '{options.option_text(asked, at)}'"] = None
    return [*found, tell("naming-drafted", file, cells=list(said))] if said else found


def file_findings(frame: Frame) -> Iterator[Finding]:
    """Say what of a file itself gives cause for doubt."""
    source, file = frame.source, frame.file
    if source.guessed:
        encoding, reason = source.encoding.upper(), source.encoding_reason
        yield tell("survey-encoding", file, encoding=encoding, reason=reason)
    if source.hidden:
        rows = source.hidden
        yield tell("survey-hidden-rows", file, rows[0], count=len(rows), rows=rows)
    read = [at for at in source.hidden_columns if at < len(frame.columns)]
    if read:
        heads = [f"{column_letters(at)} ('{plain(frame.heads[0][at])}')" for at in read]
        yield tell("survey-hidden-columns", file, 1, count=len(read), heads=heads)
    if source.ends_open:
        yield tell("survey-file-end", file, int(frame.rows[-1]), count=len(frame))


def naming_findings(file: str, notes: Mapping[tuple[str, str], int]) -> Iterator[Finding]:
    """Say which answers were read though they do not simply write an option of one kind."""
    for note in options.NOTES:
        counts = {said: count for (kind, said), count in notes.items() if kind == note}
        if counts:
            cells = [f"{said} ({count:,})" for said, count in counts.items()]
            total = sum(counts.values())
            yield tell(f"naming-{note}", file, answers=total, cells=cells)


FormOrders = tuple[Mapping[str, Mapping[str, Order]], tuple[str, ...]]
"""By form, in small letters, and question the order of its options; and the platforms of forms that
show each respondent an order of their own."""


def form_orders(path: Path, questions: Sequence[Question]) -> FormOrders | None:
    """Read from `codes.csv` where each form shows the options of its questions; None without it.

    Args:
        path: The table.
        questions: The questionnaire.

    Raises:
        CurateError: If it cannot be read.
    """
    if not path.exists():
        return None
    table = read_table(path, required=CODE_COLUMNS, escaped=True)
    refuse_problems(table)
    by_id = {question.id: question for question in questions}
    places: dict[tuple[str, str, str], dict[str, int]] = {}
    mixed: dict[str, None] = {}
    for row in table.rows:
        if row["question_id"] not in by_id or not row["position"].isdecimal():
            continue
        if row["platform"] in MIXING:
            mixed[row["platform"]] = None
        key = row["platform"], plain(row["form"]).casefold(), row["question_id"]
        places.setdefault(key, {})[row["option"]] = int(row["position"])
    orders: dict[str, dict[str, Order]] = {}
    unlike = set()
    for (platform, form, name), placed in places.items():
        order = tuple(placed.get(option.code, 0) for option in by_id[name].options)
        if sorted(order) != list(range(1, len(order) + 1)) or platform in MIXING:
            unlike.add((form, name))  # which platform a row comes from is not known
        elif orders.setdefault(form, {}).setdefault(name, order) != order:
            unlike.add((form, name))
    for form, name in unlike:
        orders.setdefault(form, {}).pop(name, None)
    return orders, tuple(mixed)


def in_forms(answers: Answers, forms: Mapping[str, Mapping[str, Order]]) -> Answers:
    """Answers with the positions of the forms that their respondents answered.

    Args:
        answers: The answers; `form` among the attributes says who answered which.
        forms: By form, in small letters, and question the order of its options.
    """
    known = {form: at for at, form in enumerate(forms)}
    stated = answers.attributes.get("form", ("",) * len(answers.respondents))
    place = np.array([known.get(plain(form).casefold(), -1) for form in stated], dtype=np.int64)
    orders: list[Order] = []
    table = np.full((len(known) + 1, len(answers.questions)), -1, dtype=np.int64)  # last: none
    for form, placed in forms.items():
        for at, question in enumerate(answers.questions):
            if question.id in placed:
                table[known[form], at] = len(orders)
                orders.append(placed[question.id])
    order = table[place[answers.respondent], answers.question]
    return with_orders(answers, order, orders)


def form_findings(answers: Answers, forms: FormOrders) -> Iterator[Finding]:
    """Say which forms were not built, and which answers a respondent's form does not ask for.

    Args:
        answers: The answers; `form` among the attributes says who answered which.
        forms: What the forms show that were built.
    """
    stated, (orders, mixed) = answers.attributes["form"], forms
    named = [plain(form).casefold() for form in stated]
    strange = [
        form for form, name in zip(stated, named, strict=True) if form and name not in orders
    ]
    if strange:
        told = {"people": len(strange), "forms": list(dict.fromkeys(strange))}
        yield tell("survey-form-unknown", answers.source, known=list(orders), **told)
    ids = [question.id for question in answers.questions]
    asks = np.array([[i in orders.get(name, ids) for i in ids] for name in named], dtype=bool)
    others = (answers.state == SELECTED) & ~asks[answers.respondent, answers.question]
    if others.any() and not mixed:
        at = int(np.flatnonzero(others)[0])
        who = int(answers.respondent[at])
        told = {"answers": int(others.sum()), "who": answers.respondents[who], "form": stated[who]}
        row, asked = int(answers.row[at]) or None, ids[answers.question[at]]
        yield tell("survey-form-question", answers.source, row, "form", question=asked, **told)


def with_orders(answers: Answers, order: Codes, orders: Sequence[Order]) -> Answers:
    """Answers with the positions of all options where the order is known.

    Args:
        answers: The answers.
        order: For each row which order its respondent saw; -1 where it is not known.
        orders: The orders.
    """
    if not (order >= 0).any():
        return answers
    sizes = np.array([len(question.options) for question in answers.questions], dtype=np.int64)
    table = np.zeros((len(orders) + 1, int(sizes.max())), dtype=np.int32)  # the last: not known
    for at, placed in enumerate(orders):
        table[at, : len(placed)] = placed
    keys = answers.respondent * len(sizes) + answers.question
    pairs, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    of_pair = np.full(len(pairs), -1, dtype=np.int64)
    np.maximum.at(of_pair, inverse, order)
    chose = np.zeros(len(pairs), dtype=bool)
    chose[inverse[answers.state == SELECTED]] = True
    told = table[of_pair[inverse], answers.option]
    position = np.where(told > 0, told, answers.position).astype(np.int32)
    full = np.flatnonzero(
        (of_pair >= 0) & chose & (np.bincount(inverse) < sizes[pairs % len(sizes)])
    )
    counts = sizes[pairs[full] % len(sizes)]
    mine = np.repeat(full, counts)
    option = np.arange(len(mine)) - np.repeat(np.cumsum(counts) - counts, counts)
    width = int(sizes.max())
    new = ~np.isin(mine * width + option, inverse * width + answers.option)
    mine, option = mine[new], option[new]
    like = first[mine]

    def joined(column: str, added: npt.NDArray[np.generic]) -> Any:
        own = getattr(answers, column)
        return np.concatenate([own, added.astype(own.dtype)])

    return replace(
        answers,
        respondent=joined("respondent", answers.respondent[like]),
        question=joined("question", answers.question[like]),
        option=joined("option", option),
        state=joined("state", np.full(len(mine), SHOWN)),
        position=np.concatenate([position, table[of_pair[mine], option]]),
        duration=joined("duration", answers.duration[like]),
        row=joined("row", answers.row[like]),
    )


def completed(answers: Answers) -> Answers:
    """Answers of which chosen options alone have positions, with those that follow from these.

    Of two groups the other one stood in the other place, where "no such stereotype" always stood
    last. Where a group of the question was shown third, or that stood before one, nothing follows.
    """
    place = answers.position
    if not place.any() or (answers.state != SELECTED).any():
        return answers
    order = np.full(len(answers), -1, dtype=np.int64)
    orders: list[Order] = []
    for at, question in enumerate(answers.questions):
        last = question.fixed_last
        moved = [option for option in range(len(question.options)) if option not in last]
        rows = np.flatnonzero((answers.question == at) & (place > 0))
        if question.kind is not QuestionKind.CHOICE or len(moved) != 2 or len(last) > 1:
            continue
        of_group = np.isin(answers.option[rows], moved)
        if (place[rows][of_group] > 2).any() or (place[rows][~of_group] != 3).any():
            continue
        for first, second in (moved, moved[::-1]):
            placed = [0] * len(question.options)
            placed[first], placed[second] = 1, 2
            for option in last:
                placed[option] = 3
            where = place[rows] == np.array(placed)[answers.option[rows]]
            order[rows[of_group & where]] = len(orders)
            orders.append(tuple(placed))
    return with_orders(answers, order, orders)


def listed_orders(table: OptionTable, cell: str) -> set[Order]:
    """All ways to read a cell as the options of a question in the order in which they were shown.

    Args:
        table: What options are called. Where cells are of people's making, all are named except
            those that always stay last.
        cell: The cell.
    """
    every = range(len(table.question.options))
    return {
        tuple(options.index(at) + 1 if at in options else 0 for at in every)
        for options in table.in_order(cell)
    }


def orders_in_columns(view: RowView, pattern: str, table: OptionTable, key: str) -> Positions:
    """Read where each option was shown from a column for each.

    Args:
        view: The rows.
        pattern: The columns' names, with `{code}`.
        table: The options.
        key: The key of the mapping that names the columns.

    Raises:
        CurateError: If there is no such column, or a cell is no position or that of another one.
    """
    found = np.zeros((len(view), len(table.question.options)), dtype=np.int32)
    for option in range(len(table.question.options)):
        # An option may have a number and a text as its keys: one of them names the column.
        keys = [code for code, at in table.keys.items() if at == option]
        names = [pattern.replace("{code}", code) for code in keys]
        name = next((name for name in names if name in view), names[0])
        found[:, option] = read_places(view, name, key)
    ordered = np.sort(found, axis=1)
    at = first_of(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] > 0)).any(axis=1))
    if at >= 0:
        view.refuse("position-twice", at, pattern)
    return found


def read_places(view: RowView, name: str, key: str) -> Positions:
    """Read a column of positions, from 1; 0 where a cell is empty.

    Raises:
        CurateError: If there is no such column, or a cell is no position.
    """

    def place(text: str) -> int | None:
        if not text:
            return 0
        return int(text) or None if _PLACE.fullmatch(text) else None

    found = view.read(name, view.column(name, key), place, "no-position")
    return found.astype(np.int32)


def shown_orders(
    parts: Sequence[QuestionPart], questions: Sequence[Question]
) -> dict[str, dict[str, Order]]:
    """By form, in small letters, and question what a mapping says of the order of its options.

    Raises:
        CurateError: If a form does not show every option once.
    """
    codes = {question.id: [option.code for option in question.options] for question in questions}
    orders: dict[str, dict[str, Order]] = {}
    for part in parts:
        for form, listed in part.shown.items():
            if sorted(listed) != sorted(codes[part.id]):
                told = {"id": part.id, "form": form, "listed": listed, "codes": codes[part.id]}
                raise refusal("shown-unlike", "mapping", **told)
            order = tuple(listed.index(code) + 1 for code in codes[part.id])
            orders.setdefault(plain(form).casefold(), {})[part.id] = order
    return orders


def order_findings(answers: Answers, forms: FormOrders | None) -> list[Finding]:
    """Say that nothing tells where options were shown, and what to do; or of how many it does not.

    Args:
        answers: All answers of a survey.
        forms: What the forms show that were built.
    """
    way, (_, mixed) = "unknown", forms or ({}, ())
    if any(answers.attributes.get("form", ())):
        way = "unbuilt" if forms is None else "mixed" if mixed else way
    return [tell(f"order-{way}", answers.source, platforms=", ".join(mixed))]
