"""A draft of a mapping, from what was recognised and placed, and what it leaves to a person.

A table whose headings name respondents and questions is simple: its mapping is to be confirmed by
nobody, says nothing of options, and only what was chosen is there. All others say for each question
what its cells stand for, so that what was shown and what is missing is told apart.

Where questions and columns are left over, a part is suggested for each set of columns, with `?`
where only a person knows. Suggestions are comments, for a file need not hold what they are about.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from collections.abc import Mapping as Map
from dataclasses import dataclass, field, replace
from itertools import chain, product
from pathlib import Path

import numpy as np
import yaml

from curation.languages import received_words
from curation.records.culture import QUALITY_VALUES
from curation.records.messages import CurateError, Finding
from curation.records.survey import Question, QuestionKind
from survey.answers import STATES, Answers
from survey.attributes import quality_value
from survey.building.wording import Attribute
from survey.mapping import (
    LABEL,
    ROW,
    SIMPLE,
    UNPLACED,
    AttentionPart,
    AttributePart,
    LongPart,
    Mapping,
    QuestionPart,
    ReadPart,
    RespondentPart,
    load_mapping,
)
from survey.platforms import Recognised
from survey.platforms.kit import FORM
from survey.platforms.panel import JOINT
from survey.readers import frames
from survey.readers.frames import FileColumn, compared, pairs_of, refusal
from survey.readers.normalise import Received, are_distinct, read_frame, refuse_kinds
from survey.readers.options import OptionTable, labels_of, listed_texts, names_in, shown
from survey.readers.people import (
    names_each_row,
    of_one_person,
    personal,
    refuse_two,
    started_and_ended,
    tells_a_person,
    who_answered,
)
from survey.readers.placing import (
    ANSWERS,
    BY_CELLS,
    BY_PART,
    Hints,
    Placed,
    lists_shown,
    place_columns,
    questions_named,
    role_of,
    shape_of,
)
from survey.readers.sets import (
    NO,
    YES,
    Sets,
    by_names,
    common_pattern,
    has_words,
    is_other,
    joiner_of,
    parts_of,
)

_SETS = 12
_QUESTIONS = 30
_VALUES = 8
_LONG = 60
_MORE = 3
"""Values that a column of answers may hold beside the options, such as those for no answer."""
_CODED = (
    re.compile(r"(?P<before>.+\[)(?P<code>[^\[\]]+)(?P<after>\])"),
    re.compile(r"(?P<before>.+[._])(?P<code>[^._\s]{1,12})(?P<after>)"),
    re.compile(r"(?P<before>)(?P<code>.+)(?P<after>#[0-9]+)"),
)
"""Names of columns of which each is about one option."""
_CHECK = "attention"
"""What `codes.csv` calls the attention check."""
_STATE = {"state": "state", "position": "position", "duration s": "duration", "kind": "kind"}
"""Columns of the normal form, as headings are compared, beside respondent, question and option."""
_FLAGS = frozenset(map(compared, YES | NO | {"t", "f", "selected", "shown", "missing", "chosen"}))
"""What may say of an option whether it was chosen."""
_ATTRIBUTES = re.compile("|".join(received_words("attributes")), re.IGNORECASE)
_ATTENTION = re.compile("|".join(received_words("attention")), re.IGNORECASE)
_CHECK_WITHIN = re.compile(
    "|".join(word.strip("^$") for word in received_words("attention")), re.IGNORECASE
)
"""The same wherever it stands in a heading that a person wrote."""
_BAND = re.compile(r"(\d{1,3})\s*[-\u2013\u2014~]\s*(\d{1,3})|(\d{1,3})\s*\+")
"""A band of ages, as quotas name it: `19-29`, `60+`."""

Read = tuple[Mapping, Received | CurateError]
"""A mapping, and what reading by it gives."""


@dataclass(slots=True)
class Draft:
    """A draft and what a person has to see to.

    Attributes:
        mapping: The draft.
        open: What could not be placed.
        suggested: Comments that help to write it.
        told: What a person should know of how it was drafted.
    """

    mapping: Mapping
    open: list[str] = field(default_factory=list)
    suggested: tuple[str, ...] = ()
    told: Sequence[Finding] = ()


class Drafter(Sets):
    """Drafts a mapping of what is known of a file."""

    by_hand = False
    """Whether a person wrote the table: then what is in doubt is refused."""

    def draft(self, read: ReadPart, preset: str, placed: Sequence[Placed]) -> Draft:
        """Draft the mapping.

        Args:
            read: How the file was read.
            preset: Its platform.
            placed: Which questions its columns belong to.
        """
        settled = [item for item in placed if item.question is not None]
        self._ask_to_check(settled)
        long, parts = None, list(self._parts(settled))
        self._ask_about_rows(parts)
        if self.renumbered:
            self.tell("codebook-numbers", cells=self.renumbered)
        if not settled:
            long, parts = self._draft_long()
        taken = {item.title for item in settled}
        attention = tuple(self._attention(taken))
        taken |= {part.column for part in attention}
        out = {*taken, *self.start.known, self.start.respondent.id}
        left = [at for at, title in enumerate(self.described.titles) if title not in out]
        attributes, _ = self._attributes(left)
        if self.start.finished or self.start.screened_out:
            attributes.pop("status", None)
        mapping = Mapping(
            preset=preset,
            read=read,
            respondent=self._respondent(long, taken),
            keep=dict(self.start.keep),
            finished=dict(self.start.finished),
            screened_out=dict(self.start.screened_out),
            attention=attention,
            attributes=attributes,
            long=long,
            questions=tuple(parts),
            ignored=tuple(name for name in self.described.titles if name in self.start.known),
        )
        if long is not None:
            return Draft(mapping, self.problems, self.start.said, self.told)
        asked, suggested = len(self.problems), (*self.start.said, *self._left(mapping, taken))
        if len(self.problems) == asked:
            self._ask_about_doubtful(placed, {part.id for part in parts})
        who = mapping.respondent.id
        answer = None if parts or who not in self.described.titles else self._answer_column("")
        if answer is not None and len(self.described.named(who).used) < len(self.described):
            self.ask("draft-rows", column=answer)  # each row may be one answer
        return Draft(mapping, self.problems, suggested, self.told)

    def by_headings(
        self, placed: Sequence[Placed], listed: str = "", shared: Set[str] | None = None
    ) -> Read:
        """Read a simple table by the mapping that its headings make, which nobody has to confirm.

        In it cells call options as the questionnaire does, and only what was chosen is there.

        Args:
            placed: Which questions its columns belong to.
            listed: The column with the ids of a list of people beside the file; empty for none.
            shared: What `shared_ids` gives of all files.

        Returns:
            The mapping; and what it reads, or why it reads the cells not.

        Raises:
            CurateError: If it is not clear what a column is.
        """
        titles = self.described.titles
        at, same = who_answered(self.described, listed, shared)
        who, taken, again = titles[at], {at, *same}, tuple(titles[at] for at in same)
        if shape_of(self.described.held) == "rows":
            return self.by_rows(who, taken, again)
        mapping = self._simple(who, taken, again, tuple(self._headed(placed, taken)))
        try:
            return mapping, read_frame(self.described, mapping, self.names)
        except CurateError as error:
            return mapping, error

    def _headed(self, placed: Sequence[Placed], taken: set[int]) -> Iterator[QuestionPart]:
        """The columns that are called as questions, with those that list their options as shown.

        Raises:
            CurateError: If a column is called as several questions, or two as one.
        """
        answers, orders = dict[int, int](), dict[int, int]()
        for item in (each for each in placed if each.exact and each.column not in taken):
            names, title = [self.questions[at].id for at in item.exact], item.title
            if len(names) > 1 and item.role == "answer":
                where = f"{self.described.file}, row 1, column {title}"
                raise refusal("heading-of-two", where, title=title, names=names)
            found, what = (answers, "") if item.role == "answer" else (orders, "the order of ")
            for name, place in zip(names, item.exact, strict=True):
                if found.setdefault(place, item.column) != item.column:
                    two = [found[place], item.column]
                    refuse_two(self.described, f"{what}question {name}", two)
        for place, at in answers.items():
            question, order = self.questions[place], orders.get(place)
            taken |= {at} if order is None else {at, order}
            yield QuestionPart(
                id=question.id,
                kind=question.kind,
                column=self.described.titles[at],
                order=None if order is None else self.described.titles[order],
                missing=(),
            )

    def _simple(
        self, who: str, taken: set[int], ignored: tuple[str, ...], parts: tuple[QuestionPart, ...]
    ) -> Mapping:
        """A mapping of what a simple table says of its respondents.

        Args:
            who: The column that names respondents.
            taken: The columns that are something; those that are recognised are added.
            ignored: Columns that say the same again.
            parts: The columns of questions, where each respondent has a row of their own: else a
                row may have the time of one question.

        Raises:
            CurateError: If two columns have the name of one that was recognised.
        """
        self.by_hand, titles, columns = True, self.described.titles, self.described.columns
        person = RespondentPart(id=who)
        attributes: dict[str, AttributePart] = {}
        if who != ROW:
            left = [at for at, title in enumerate(titles) if title and at not in taken]
            attributes, places = self._attributes(left)
            taken |= places
        if parts and "duration_s" not in attributes:
            left = [at for at in range(len(titles)) if at not in taken]
            duration = self.start.respondent.duration
            found = started_and_ended([titles[at] for at in left], [columns[at] for at in left])
            people = self.described.named(who)
            if duration in [titles[at] for at in left]:
                person = RespondentPart(id=who, duration=duration)
            elif found is not None and len(people.used) == len(people):
                person = RespondentPart(id=who, started=found[0], submitted=found[1])
            taken |= {titles.index(name) for name in person.columns() if name != who}
        named = [compared(title) for title in titles]
        twice = [at for at in sorted(taken) if named[at] and named.count(named[at]) > 1]
        if twice:
            title = titles[twice[0]]
            raise refusal("heading-twice", f"{self.described.file}, row 1", title=title)
        # A status of the table's own stands for what a platform says of who finished.
        own = "status" in attributes
        return Mapping(
            preset=SIMPLE,
            respondent=person,
            keep=dict(self.start.keep),
            finished={} if own else dict(self.start.finished),
            screened_out={} if own else dict(self.start.screened_out),
            attributes=attributes,
            questions=parts,
            ignored=ignored,
        )

    def called(self, taken: Set[int], *roles: str) -> list[int]:
        """The columns of some roles that are nothing else yet: those that are filled, if any."""
        found = [at for role in roles for at in frames.columns_called(self.described.titles, role)]
        left = [at for at in found if at not in taken]
        return [at for at in left if frames.holds(self.described.columns[at])] or left

    def by_rows(self, who: str, taken: set[int], again: tuple[str, ...] = ()) -> Read:
        """Read rows of respondent, question and answer; all columns that may hold one must agree.

        Args:
            who: The column that names respondents.
            taken: The columns that are something already.
            again: Columns that say the same again.

        Raises:
            CurateError: If two of them differ.
        """
        frame, titles = self.described, self.described.titles
        named = {key: at for at in range(len(titles)) if (key := self._normal(at))}
        listed = [at for at, name in enumerate(titles) if lists_shown(name, frame.columns[at])]
        if len(listed) > 1 or (listed and "position" in named):
            refuse_two(frame, "where options were shown", [*listed, *named.values()])
        questions = self.called(taken, "question")
        answers = self.called(taken | {*questions}, *ANSWERS)
        # What they are is no attribute of respondents.
        taken |= {*named.values(), *listed, *questions, *answers}
        mapping = self._simple(who, taken, again, ())
        fit: list[tuple[int, int, LongPart, Received]] = []
        problems: list[CurateError] = []
        for asked, answer in product(questions, answers):
            long = LongPart(
                question=titles[asked],
                answer=titles[answer],
                row="option",
                order=titles[listed[0]] if listed else None,
                missing=(),
                **{key: titles[at] for key, at in named.items() if key != "kind"},
            )
            mapping = mapping.model_copy(update={"long": long})
            try:
                fit.append((asked, answer, long, read_frame(frame, mapping, self.names)))
            except CurateError as error:
                problems.append(error)
        if not fit:
            return mapping, problems[0]
        asked, answer, long, received = fit[0]
        for other, another, _, reading in fit[1:]:
            if not _same(received.answers, reading.answers):
                what, two = ("answers", [answer, another]), ("questions", [asked, other])
                refuse_two(frame, *(two if another == answer else what))
        read = {at for one, two, _, _ in fit for at in (one, two)}
        if who != ROW:
            self._refuse_flags(who, asked, taken - ({*questions, *answers} - read))
        others = read - {asked, answer}
        if "kind" in named:
            refuse_kinds(frame, named["kind"], received.answers)
            others.add(named["kind"])
        same = tuple(titles[at] for at in sorted(others))
        left = tuple(title for title in received.unread if title not in same)
        update = {"long": long, "ignored": (*mapping.ignored, *same)}
        return mapping.model_copy(update=update), replace(received, unread=left)

    def _normal(self, at: int) -> str:
        """Which column of the normal form it is: one that is called so and holds a value of it."""
        name = _STATE.get(compared(self.described.titles[at]), "")
        every = self.described.columns[at].distinct if name else ()
        cells = {*map(compared, every)} - {""}
        known = {
            "state": not cells.isdisjoint(state.value for state in STATES),
            "kind": not cells.isdisjoint(kind.value for kind in QuestionKind),
            "position": any(map(str.isdecimal, cells)),
            "duration": bool(cells),
        }
        return name if known.get(name) else ""

    def _refuse_flags(self, who: str, asked: int, taken: Set[int]) -> None:
        """Refuse rows with a column that nothing reads and that may say which options were chosen.

        What is the same in all rows of a respondent and question says nothing of options.

        Raises:
            CurateError: If there is one.
        """
        titles, columns = self.described.titles, self.described.columns
        people = self.described.named(who).codes
        each, rows = np.unique(pairs_of(people, columns[asked]), return_inverse=True)
        for at in sorted({*range(len(titles))} - taken):
            column, title = columns[at], titles[at]
            cells = {compared(cell) for cell in column.distinct} - {""}
            told = _FLAGS.issuperset(cells) or compared(title) in _STATE
            if told and cells and len(np.unique(pairs_of(rows, column))) > len(each):
                name = str(title or at + 1)
                where = f"{self.described.file}, row 1, column {name}"
                raise refusal("flags", where, title=name, cells=sorted(cells))

    def placed(self) -> list[Placed]:
        """Which questions the columns belong to that are not known, and hold no attributes."""
        titles = enumerate(self.described.titles)
        people = {title for at, title in titles if self._trait(at)[0]}
        known = self.start.known | people
        return place_columns(self.described, self.names, self.hints, known, self.start.joined)

    def _ask_to_check(self, settled: Sequence[Placed]) -> None:
        """Ask to check what was found by cells alone, or by a part of what stands above it."""
        within: dict[str, str] = {}
        for item in settled:
            question = self.questions[item.questions[0]].id
            if item.how == BY_CELLS:
                self.ask("draft-by-cells", id=question, column=item.title)
            elif item.how == BY_PART:
                within.setdefault(question, item.title)
        for question, title in within.items():
            self.ask("draft-by-part", id=question, column=title)

    def _ask_about_doubtful(self, placed: Sequence[Placed], drafted: Set[str]) -> None:
        """Ask about columns that may hold votes of one of several questions, which nothing tells.

        Beside the answers to all of these a comment has no votes: it names no option.
        """
        doubtful = []
        for item in placed:
            asked = [self.questions[at] for at in item.questions]
            if item.question is not None or item.role != "answer":
                continue
            cells = {*self.described.columns[item.column].distinct} - {""}
            votes = not (names_in(asked) | _FLAGS).isdisjoint({*cells, *map(compared, cells)})
            all_read = {each.id for each in asked} <= drafted
            if cells and item.how not in (BY_CELLS, BY_PART) and (votes or not all_read):
                doubtful.append(item.title)
        if doubtful:
            self.ask("draft-doubtful", names=doubtful)

    def _respondent(self, long: LongPart | None, taken: set[str]) -> RespondentPart:
        """Who answered and when; the time of a row that holds one question is the question's.

        Args:
            long: The columns of a file of rows.
            taken: Columns that are something else.
        """
        person, described = self.start.respondent, self.described
        columns = [(title, column) for title, column in described.named_columns if title]
        if person.id == UNPLACED:
            left = [(title, column) for title, column in columns if title not in taken]
            each = [title for title, column in left if _tells_rows(column)]
            people = [title for title in each if tells_a_person(title, described.named(title))]
            nearly = [title for title, column in left if _tells_most_rows(title, column)]
            if not nearly:
                people += [name for name in each if names_each_row(name, described.named(name))]
            if long is not None or (nearly and not people):
                names = [*nearly, *each] or [title for title, _ in left]
                self.ask("draft-some-respondents", names=names)
            else:
                person = person.model_copy(update={"id": ROW})
                if people:
                    self.tell("each-row-a-person", name=people[0])
                else:
                    self.ask("draft-no-respondents")
        if person.id == ROW:
            of_one = [title for title, column in columns if of_one_person(title, column)]
            person = person.model_copy(update={"person": of_one[0] if len(of_one) == 1 else None})
        if long is not None:
            update = {"duration": None} if long.duration == person.duration else {}
            return person.model_copy(update=update)
        if person.duration is not None:
            return person
        times = started_and_ended(described.titles, described.columns, person.submitted)
        if times is None:
            return person
        return person.model_copy(update={"started": times[0], "submitted": times[1]})

    def _parts(self, settled: Sequence[Placed]) -> Iterator[QuestionPart]:
        """Draft where the questions stand, by the columns placed."""
        self.own_ids = self.own_ids or any(
            item.how == "question id"
            and has_words(self.questions[item.questions[0]], self.described.values(title))
            for item in settled
            if (title := item.title)
        )
        by_question: dict[int, dict[str, list[Placed]]] = {}
        for item in settled:
            columns = by_question.setdefault(item.questions[0], defaultdict(list))
            columns[item.role].append(item)
        for at, columns in sorted(by_question.items()):
            question = self.questions[at]
            part = self.part(question, columns["answer"], columns["text"], columns["order"])
            if part is not None:
                orders = [item.title for item in columns["order"]]
                times = [item.title for item in columns["duration"][:1]]
                update = {"order": self._order(orders, part), "duration": next(iter(times), None)}
                yield part.model_copy(update=update)

    def _ask_about_rows(self, parts: Sequence[QuestionPart]) -> None:
        """Ask about rows most of whose answers are taken for own words: their form was another."""
        own, strange, answers = np.zeros((3, len(self.described)), dtype=np.int64)
        for part in (each for each in parts if each.column is not None):
            column = self.described.named(str(part.column))
            typed_in = {*part.other} - {*filter(is_other, part.other)}
            unplaced = {key for key, meant in part.options.items() if meant == UNPLACED}
            own += frames.has_one_of(column, typed_in)
            strange += frames.has_one_of(column, typed_in | unplaced)
            answers += frames.filled(column)
        rows = np.flatnonzero((own > 0) & (strange > 1) & (2 * strange > answers))
        if len(rows):
            self.ask("draft-own-rows", count=len(rows), rows=self.described.rows[rows].tolist())

    def _order(self, titles: Sequence[str], part: QuestionPart) -> str | None:
        pattern = common_pattern(titles)
        if len(titles) == 1 or pattern is None:
            return titles[0] if len(titles) == 1 else None
        made, keys = pattern
        there = {part.options[key] for key in {*keys.values()} & part.options.keys()}
        if there == set(part.options.values()):
            return made
        self.ask("draft-order", id=part.id, columns=made)
        return None

    def _draft_long(self) -> tuple[LongPart | None, list[QuestionPart]]:
        """Draft the columns of a file of rows, if a column names questions and another options."""
        described, start, titles = self.described, self.start, self.described.titles
        for title in titles:
            if title in start.known or title == start.respondent.id:
                continue
            named, others = self._named(title)
            answer = self._answer_column(title) if named else None
            if answer is None:
                continue
            several, who = False, start.respondent.id
            if who in titles:
                read = start.known | {who, title, answer}
                places = {at for at, name in enumerate(titles) if name in read}
                self._refuse_flags(who, titles.index(title), places)
                rows = pairs_of(described.named(who).codes, described.named(title))
                several = start.rows_hold_options and not are_distinct(rows)
            for value in others:
                self.ask("draft-no-question", value=value, column=title)
            cells = [cell for cell in described.values(answer) if not cell.startswith(("[", "{"))]
            several_of = (q for q in named.values() if q.kind is QuestionKind.SELECT_ALL)
            joiners = (joiner_of(cells, start.joined, OptionTable(each)) for each in several_of)
            every = described.named_columns
            lists = (name for name, column in every if lists_shown(name, column, within=True))
            orders = (name for name in lists if name != answer)
            long = LongPart(
                question=title,
                answer=answer,
                row="option" if several else "question",
                joined=next(filter(None, joiners), None),
                order=next(orders, None),
                duration=described.first("lead_time", "duration_s", "seconds"),
            )
            called = all(value == question.id for value, question in named.items())
            self._ask_about_answers(long, named, by_id=called)
            parts = [
                QuestionPart(
                    id=question.id,
                    kind=question.kind,
                    column=value,
                    options={option.code: option.code for option in question.options},
                )
                for value, question in named.items()
            ]
            return long, [] if called else parts
        return None, []

    def _ask_about_answers(self, long: LongPart, named: Map[str, Question], *, by_id: bool) -> None:
        """Ask to check the numbers in a file of rows that may be no codes of the questionnaire."""
        asked, answers = self.described.named(long.question), self.described.named(long.answer)
        found = []
        for value, question in named.items():
            cells = answers.take(np.flatnonzero(frames.has_one_of(asked, (value,)))).distinct
            parts = (parts_of(question, cell, long.joined or "|") for cell in filter(None, cells))
            found.append((question, by_names(question, [*chain.from_iterable(parts)])))
        self.own_ids |= by_id and any(has_words(*each) for each in found)
        for question, places in found:
            self.ask_about_codes(question, places, by_id=by_id)

    def _named(self, title: str) -> tuple[dict[str, Question], list[str]]:
        """The questions that a column's values name, and the values that name none.

        None unless most of them name one, each another.
        """
        if len(self.described.named(title).used) > 4 * len(self.questions) + 4:
            return {}, []  # most of them name none, though some may be spelt in two ways
        values = self.described.values(title)
        found = questions_named(values, self.questions, self.hints)
        places = dict(zip(values, found, strict=True))
        named = {value: self.questions[at] for value, at in places.items() if at is not None}
        others = [value for value, at in places.items() if at is None]
        if len(named) <= len(others) or len({item.id for item in named.values()}) < len(named):
            return {}, []
        return named, others

    def _joins(self, cell: str, names: set[str]) -> bool:
        """Whether a cell is a list of options that a sign joins."""
        return any(
            sign in cell and all(part.strip() in names for part in cell.split(sign))
            for sign in self.start.joined
        )

    def _answer_column(self, question: str) -> str | None:
        """Find the column whose values are options."""
        names, best, most = names_in(self.questions), None, 0
        for title, column in self.described.named_columns:
            if title in self.start.known or title in (question, self.start.respondent.id):
                continue
            cells = list(filter(None, column.distinct))
            # A column that always lists several holds the order in which options were shown.
            left = [cell for cell in cells if cell not in names and not _is_list(cell, names)]
            fit = len(cells) - sum(not self._joins(cell, names) for cell in left)
            if len(left) < len(cells) < 2 * fit and fit > most:
                best, most = title, fit
        return best

    def _attention(self, taken: set[str]) -> Iterator[AttentionPart]:
        """Draft the attention checks of forms that were built; ask about others.

        A story may well speak of attention, so columns that are questions' are no checks.
        """
        asked, passes = compared(self.about.check), self.about.passes
        right = [option for option, value in passes.items() if value == "passed"]
        said = {compared(option): value for option, value in passes.items()}
        for title, texts in zip(self.described.titles, self.described.texts, strict=True):
            rows = self.hints.codes.get(title, ())
            codes = dict.fromkeys(row["code"] for row in rows if row["question_id"] == _CHECK)
            if codes:
                yield AttentionPart(column=title, expect=tuple(codes))
            elif asked and asked in map(compared, (title, *texts)):
                labels = self.hints.values.get(title, {})
                cells = self.described.values(title)
                told = {cell: said.get(compared(labels.get(cell, cell))) for cell in cells}
                silent = ("", *self.start.missing)
                if strange := [cell for cell in cells if not told[cell] and cell not in silent]:
                    self.ask("draft-check", column=title, cells=strange, options=[*passes])
                also = (cell for cell in cells if told[cell] == "passed")
                yield AttentionPart(column=title, expect=tuple(dict.fromkeys((*right, *also))))
            elif title not in taken and any(_ATTENTION.search(text) for text in (title, *texts)):
                self.ask("draft-attention", column=title)

    @property
    def _unanswered(self) -> Sequence[str]:
        """What says that a question was not answered."""
        return () if self.by_hand else self.start.missing

    def _doubt(self, key: str, at: int, /, **words: object) -> None:
        """Leave what is in doubt to a person, or refuse it: a column, or a cell of it.

        Raises:
            CurateError: If a person wrote the table.
        """
        if not self.by_hand:
            self.ask(key, **words)
        elif "cell" not in words:
            raise refusal(key, f"{self.described.file}, row 1", **words)
        else:
            column = self.described.columns[at]
            which = np.array([text == words["cell"] for text in column.texts])[column.codes]
            self.described.view().refuse(key, which, self.described.titles[at], **words)

    def _attributes(self, places: Sequence[int]) -> tuple[dict[str, AttributePart], set[int]]:
        """Draft the attributes of respondents, with what their codes stand for where it is told.

        What two columns tell is in doubt.

        Returns:
            The attributes, and where they are.
        """
        titles, columns = self.described.titles, self.described.columns
        first: dict[str, int] = {}
        parts: dict[str, AttributePart] = {}
        for at in places:
            name, trait = self._trait(at)
            silent = ("", *self._unanswered)
            cells = [cell for cell in columns[at].distinct if cell not in silent]
            if name and first.setdefault(name, at) == at:
                values = self._values(at, name, trait, cells)
                parts[name] = AttributePart(column=titles[at], values=values)
            elif name and cells:
                one, two = (f"'{titles[place]}'" for place in (first[name], at))
                self._doubt("two-columns", at, what=name, one=one, other=two)
        return parts, {*first.values()}

    def _trait(self, at: int) -> tuple[str, Attribute | None]:
        """What the attribute that a column holds is called, and what is known of it."""
        title = self.described.titles[at]
        coded = {row["question_id"] for row in self.hints.codes.get(title, ())}
        said = {compared(text) for text in (title, *self.described.texts_of(at))} - {""}
        for trait in self.about.traits:
            if trait.name in coded or {compared(trait.name), compared(trait.text)} & said:
                return trait.name, trait
        if self.by_hand:
            used = {compared(word): "form" for word in received_words("simple_form")}
            used |= {compared(name): name for name in self.about.used}
            if compared(title) in used:
                return used[compared(title)], None
            if compared(title) == compared(self.about.check) or _CHECK_WITHIN.search(title):
                return "attention", None
        elif compared(title) == "status":
            words = filter(None, self.described.columns[at].distinct)
            told = [quality_value("status", word, self.about.settings) for word in words]
            return ("status" if told and None not in told else ""), None
        if not _ATTRIBUTES.fullmatch(compared(title)):
            return "", None
        silent = {"", *map(compared, self._unanswered)}
        cells = {*map(compared, self.described.columns[at].distinct)} - silent
        enough = len(cells) // 2 + 1 if self.by_hand else max(len(cells), 1)
        traits = self.about.traits
        fit = [trait for trait in traits if len(cells & _shown_values(trait).keys()) >= enough]
        if len(fit) == 1:
            return fit[0].name, fit[0]
        return title if self.by_hand else title.casefold(), None

    def _values(
        self, at: int, name: str, trait: Attribute | None, cells: Sequence[str]
    ) -> dict[str, str]:
        """What stands for each value; nothing where the file writes the values themselves."""
        title = self.described.titles[at]
        if trait is None:
            is_check = name == "attention" != compared(title)
            return self._passes(at, cells) if is_check else {}
        known, labels = _shown_values(trait), self.hints.values.get(title, {})
        found = {row["code"]: row["option"] for row in self.hints.codes.get(title, ())}
        for code in (*cells, *labels):
            if code not in found and compared(labels.get(code, code)) in known:
                found[code] = known[compared(labels.get(code, code))]
        found |= _bands(trait, [cell for cell in cells if cell not in found])
        strange = [cell for cell in cells if cell not in found]
        if strange and not self.by_hand:
            told = {"cells": strange, "values": list(trait.values), "first": strange[0]}
            self.ask("draft-attribute", name=name, column=title, **told)
            return {}
        if not strange and all(code == value for code, value in found.items()):
            return {}  # a next wave may have other cells, which the mapping would not know
        if self.by_hand:
            found = {cell: found.get(cell, cell) for cell in cells} | found
        there = self.described.columns[at].distinct
        left = (cell for cell in self._unanswered if cell and cell in there)
        return {**found, **dict.fromkeys(left, "")}

    def _passes(self, at: int, cells: Sequence[str]) -> dict[str, str]:
        """What the cells of an attention check say: its own options, or words for passed."""
        title = self.described.titles[at]
        if compared(title) == compared(self.about.check):
            passes = {compared(text): value for text, value in self.about.passes.items()}
            return {cell: passes.get(compared(cell), cell) for cell in cells}
        for cell in cells:
            if quality_value("attention", cell, self.about.settings) is None:
                words = " nor ".join(QUALITY_VALUES["attention"])
                self._doubt("check-words", at, title=title, cell=cell, words=words)
        return {}

    def _left(self, mapping: Mapping, taken: set[str]) -> Iterator[str]:
        """Say which questions have no column and which columns no question."""
        described, known = self.described, taken | {*mapping.ignored} | mapping.columns()
        known |= {title for title, column in described.named_columns if personal(title, column)}
        known |= {
            described.titles[at] for at in frames.columns_called(described.titles, "respondent")
        }
        titles = [title for title in described.titles if title and title not in known]
        drafted = {part.id for part in mapping.questions}
        unplaced = [question for question in self.questions if question.id not in drafted]
        asked = max((len(question.options) for question in unplaced), default=0)
        names = names_in(unplaced)
        sets = {
            pattern: members
            for pattern, members in self._sets(titles).items()
            if any(self._may_answer(title, asked, names) for title in members.values())
        }
        if not unplaced or not sets:
            return
        columns = sum(map(len, sets.values()))
        self.ask("draft-left-over", questions=len(unplaced), columns=columns)
        yield "Parts for columns that are left over:"
        for pattern, members in [*sets.items()][:_SETS]:
            yield f"  - {self._begun(pattern, members)}"
        if len(sets) > _SETS:
            yield f"  ... and {len(sets) - _SETS} more"
        yield "Questions without a column:"
        for question in unplaced[:_QUESTIONS]:
            options = "; ".join(shown(option) for option in question.options)
            about = question.stereotype or question.template_id
            yield f"  {question.id} ({question.kind.value}) {about}: {options}"
        if len(unplaced) > _QUESTIONS:
            yield f"  ... and {len(unplaced) - _QUESTIONS} more"

    def _may_answer(self, title: str, options: int, names: set[str]) -> bool:
        """Whether a column may hold answers: options, or few values that several rows have."""
        cells = [cell for cell in self.described.values(title) if cell]
        rows = len(self.described.columns[0])
        if len(cells) == rows > options + _MORE and all(map(str.isdecimal, cells)):
            return False  # it counts or numbers the rows
        return bool(names.intersection(cells)) or (
            1 < len(cells) <= options + _MORE and len(cells) < rows
        )

    def _sets(self, titles: Sequence[str]) -> dict[str, dict[str, str]]:
        """Group columns that mark one option each, by their pattern; each alone has no code.

        What is about no answer is left out.
        """
        found: dict[str, dict[str, str]] = {}
        marks = {*self.start.selected, *self.start.not_selected, *self.start.missing, ""}
        for title in titles:
            match = next((m for known in _CODED if (m := known.fullmatch(title))), None)
            own = {match["code"]} if match and LABEL in self.start.selected else set()
            if match is not None and set(self.described.values(title)) <= marks | own:
                pattern = f"{match['before']}{{code}}{match['after']}"
                found.setdefault(pattern, {})[match["code"]] = title
            elif role_of((title,))[0] == "answer":
                found[title] = {"": title}
        return found

    def _begun(self, pattern: str, members: Map[str, str]) -> str:
        """A part for some columns in one line, as far as the file tells it."""
        start = self.start
        part: dict[str, object] = {"id": UNPLACED, "kind": UNPLACED}
        if len(members) == 1:
            (column,) = members.values()
            values = [v for v in self.described.values(column) if v and v not in start.missing]
            many = len(values) > _VALUES or any(len(value) > _LONG for value in values)
            options = {"...": UNPLACED} if many else dict.fromkeys(values, UNPLACED)
            part |= {"column": column, "missing": list(start.missing), "options": options}
        else:
            part |= {"columns": pattern, "selected": list(start.selected)}
            part |= {"not_selected": list(start.not_selected), "missing": list(start.missing)}
            part |= {"options": {name: self._code(name) for name in members}}
        text = yaml.safe_dump(
            part, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6
        )
        return str(text).strip()

    def _code(self, name: str) -> str:
        """The code of the option of a name, where it has the same in all questions."""
        every = (option for question in self.questions for option in question.options)
        codes = {option.code for option in every if name in labels_of(option)}
        return codes.pop() if len(codes) == 1 else UNPLACED


def _shown_values(trait: Attribute) -> dict[str, str]:
    """The values by what says them, as it is compared: themselves, and texts that are theirs."""
    texts = [compared(text) for text in trait.values.values()]
    pairs = zip(trait.values, texts, strict=True)
    found = {text: value for value, text in pairs if text and texts.count(text) == 1}
    return found | {compared(value): value for value in trait.values}


def _bands(trait: Attribute, cells: Sequence[str]) -> dict[str, str]:
    """The bands of ages in years, where all values are bands; of an age in two of them none."""
    bands = {value: match.groups() for value in trait.values if (match := _BAND.fullmatch(value))}
    if len(bands) < len(trait.values) or not all(map(str.isdecimal, cells)):
        return {}
    found: dict[str, str] = {}
    for cell in cells:
        ends = (
            (value, int(over or low), int(high or 150))
            for value, (low, high, over) in bands.items()
        )
        values = [value for value, first, last in ends if first <= int(cell) <= last]
        found |= {cell: values[0]} if len(values) == 1 else {}
    return found


def _same(one: Answers, other: Answers) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("question", "option", "row")
    )


def _is_list(cell: str, names: set[str]) -> bool:
    """Whether a cell is a list of options as programs write one."""
    listed = listed_texts(cell)
    return listed is not None and names.issuperset(listed)


def _tells_rows(column: FileColumn) -> bool:
    """Whether a column is filled in every row, each time with something else."""
    return len(column.used) == len(column) and all(map(str.strip, column.values))


_MOST = 0.8
"""From this share of different cells on a column may name people, one of them twice."""
_WAVES = 4
"""So many rows may all people have: else what all have several of is said of them, as a region."""


def _tells_most_rows(title: str, column: FileColumn) -> bool:
    """Whether a column, filled in every row, may name people, and some or all of them came again.

    What is personal, or an id or time of what was sent, is looked at elsewhere.
    """
    rows, different, counts = len(column), len(column.used), np.bincount(column.codes)
    waves = counts[counts > 0].min(initial=rows) > 1 and rows <= _WAVES * different
    most = waves or _MOST * rows <= different < rows
    known = personal(title, column) or names_each_row(title, column)
    return most and not known and all(map(str.strip, column.values))


@dataclass(frozen=True, slots=True)
class FormMappings:
    """Mappings of forms that a file answers.

    Attributes:
        paths: The mappings that read it: one, or several of which a person has to choose.
        forms: The forms that it answers, as far as it tells.
        beside: Mappings of the forms in other sheets of the workbook.
        mapping: The one that reads it, for this file; None where it is not there or not told.
    """

    paths: tuple[Path, ...] = ()
    forms: tuple[str, ...] = ()
    beside: tuple[Path, ...] = ()
    mapping: Mapping | None = None


def built_mapping(
    described: frames.Frame,
    recognised: Recognised,
    read: ReadPart,
    hints: Hints,
    folder: Path,
    respondent: RespondentPart,
    sheets: Sequence[str] = (),
) -> FormMappings:
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
    names = _answered(described, read, hints.forms)
    if not names:
        whole = {name: columns for name, columns in hints.forms.items() if columns <= there}
        return FormMappings(tuple(_existing(folder, sorted(_largest(whole)))))
    folders = {name.rpartition("/")[0] for name in names}
    stem = f"{folders.pop()}/{JOINT}" if len(names) > 1 else f"{names[0]}.mapping.yaml"
    path = folder / stem
    mapping = _loaded(path)
    if mapping is None:
        return FormMappings(tuple(_existing(folder, names)))
    forms = tuple(name.rpartition("/")[2] for name in names)
    asked = tuple(
        part
        for part in mapping.questions
        if {*part.asked.get(FORM, forms)} & {*forms} or {*part.places()} <= there
    )
    own = {"preset": recognised.preset, "read": read, "questions": asked}
    if mapping.respondent.id not in there:
        key = "submitted" if mapping.respondent.id == ROW else "id"
        told = {key: getattr(respondent, key)}
        own["respondent"] = mapping.respondent.model_copy(update=told)
    # A file without the columns of forms that nobody answered is read by the rest of it alone.
    paths = (path,) if len(asked) == len(mapping.questions) else ()
    platform = names[0].rpartition("/")[0]
    others = [f"{platform}/{sheet}" for sheet in sheets if sheet != read.sheet]
    beside = _existing(folder, [name for name in others if name in hints.forms])
    found = mapping.model_copy(update=own)
    return FormMappings(paths, forms, tuple(beside), found)


def _answered(
    described: frames.Frame, read: ReadPart, every: Map[str, frozenset[str]]
) -> list[str]:
    """The forms that a file answers: by its sheet, by its column, or by its columns.

    A form is told apart by a column of its own, such as the attention check that names it. Where a
    file has more than half of its columns, others were deleted, which its mapping refuses.
    """
    there, by_name = {*described.titles}, {name.rpartition("/")[2]: name for name in every}
    whole = {name: columns for name, columns in every.items() if columns <= there}
    if by_name.get(str(read.sheet)) in whole:
        return [by_name[str(read.sheet)]]
    count = {name: len(columns & there) for name, columns in every.items()}
    found = [name for name in every if 2 * count[name] > len(every[name])]
    if FORM in described.titles:
        named = [by_name.get(value, "") for value in sorted(filter(None, described.values(FORM)))]
        return named if {*named} <= {*found} else []
    most = _largest(whole) or sorted(found, key=count.__getitem__, reverse=True)[:1]
    return most if len(most) == 1 else []


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
    try:
        return load_mapping(path)
    except CurateError:
        return None
