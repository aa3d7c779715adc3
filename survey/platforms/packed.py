"""Platforms that pack answers into cells or headings: jsPsych, Mechanical Turk, SurveyMonkey.

Each is what `Platform` says of a module: `recognise`, `start` and `prepare`, as far as it has them.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from curation.languages import received_words
from survey.mapping import ROW, RespondentPart
from survey.platforms import Head, Recognised, Start, called, owned, platform_of
from survey.readers import frames
from survey.readers.frames import Frame, refusal
from survey.readers.people import respondent_columns

_TRIALS = ("trial_type", "trial_index")
_RESPONSES = ("response", "responses")
_PEOPLE = (
    *("participant_id", "participant", "subject_id", "subject", "PROLIFIC_PID", "worker_id"),
    *("session_id", "run_id", "id"),
)
_WHO = "participant"
_ASKED = ("stimulus", "prompt", "question", "preamble")
"""Columns with the text that a trial showed."""
_UNNAMED = "Q0"
"""What jsPsych calls the first answer of a trial whose form gave it no name."""


class JsPsych:
    """jsPsych: a row a trial, of which those of surveys hold a JSON object of answers."""

    @staticmethod
    def recognise(head: Head) -> Recognised | None:
        """Say whether the file holds trials."""
        names = head.row(1)
        if len(called(names, _TRIALS)) < len(_TRIALS) or not called(names, _RESPONSES):
            return None
        return Recognised("jspsych", (owned(_TRIALS),))

    @staticmethod
    def prepare(frame: Frame) -> Frame:
        """Give a row a person, with a column for each name in the objects of their answers.

        Where one answers the name twice that jsPsych gives to an answer without one, these answers
        are called by the text that the trial showed.

        Raises:
            CurateError: If it does not hold trials, or objects that are no JSON; if no column names
                the participants though trials begin anew; or one answers another name twice.
        """
        named = _places(frame)
        places = [named[name.casefold()] for name in _PEOPLE if name.casefold() in named]
        who = next((at for at in places if all(frame.columns[at].distinct)), None)
        answers = frame.columns[_first(frame, _RESPONSES)]
        trials = frame.columns[_first(frame, _TRIALS[1:])]
        if who is None and len(trials.used) < len(trials):
            raise refusal("trials-of-nobody", f"{frame.file}, row {frame.head_row}")
        rows = range(len(frame))
        whose = ["1" if who is None else frame.columns[who].cell(at) for at in rows]
        parsed = _read(frame, _first(frame, _RESPONSES), _trial)
        every = [parsed[code] for code in answers.codes.tolist()]
        texts = next((frame.columns[named[name]] for name in _ASKED if name in named), None)
        unnamed = [at for at, trial in enumerate(every) if _UNNAMED in trial]
        again = len({whose[at] for at in unnamed}) < len(unnamed)
        if again and texts and all(texts.text(at) and len(every[at]) == 1 for at in unnamed):
            for at in unnamed:
                every[at] = {texts.text(at): every[at][_UNNAMED]}
        people: dict[str, dict[str, str]] = {}
        first: dict[str, int] = {}
        for at, (name, trial) in enumerate(zip(whose, every, strict=True)):
            first.setdefault(name, int(frame.rows[at]))
            mine = people.setdefault(name, {})
            for key, text in trial.items():
                if key in mine:
                    where = f"{frame.file}, row {frame.rows[at]}"
                    raise refusal("trial-again", where, name=name, key=key)
                mine[key] = text
        return _wide(frame, frame.titles[who] if who is not None else _WHO, people, first)

    @staticmethod
    def start(frame: Frame) -> Start:
        """Begin a mapping: each row is a participant by now."""
        return Start(respondent=RespondentPart(id=next(iter(frame.titles), ROW)), missing=("",))


def _places(frame: Frame) -> dict[str, int]:
    """The first column of each name, in small letters."""
    return {title.casefold(): at for at, title in reversed([*enumerate(frame.titles)])}


def _first(frame: Frame, names: Sequence[str]) -> int:
    """The first of some columns that is there.

    Raises:
        CurateError: If there is none.
    """
    named = _places(frame)
    found = next((named[name] for name in names if name in named), None)
    return frame.find(names[0], "preset") if found is None else found


def _wide(
    frame: Frame, who: str, people: Mapping[str, Mapping[str, str]], first: Mapping[str, int]
) -> Frame:
    """A row a person, with a column for each name that a person has something under.

    Args:
        frame: The file.
        who: What the column that names people is called.
        people: What each has, by name.
        first: The first row of each.
    """
    keys = list(dict.fromkeys(key for mine in people.values() for key in mine))
    columns = [list(people), *([mine.get(key, "") for mine in people.values()] for key in keys)]
    titles = (who, *keys)
    return replace(
        frame,
        heads=(titles,),
        titles=titles,
        columns=tuple(map(frames.column_of, columns)),
        rows=np.array(list(first.values()), dtype=np.int64),
    )


class Melted:
    """A row for each cell of a table, by the name of its column: R's pivot_longer, Gorilla."""

    @staticmethod
    def prepare(frame: Frame) -> Frame:
        """Give a row a person, with a column for each name.

        What is the same in all rows of each person is said of them. A row without a person and a
        value ends the file. Where a person has a name twice, it is a file of rows as any other.

        Raises:
            CurateError: If no column holds what was said, or names people.
        """
        named = _places(frame)
        places = [named[name] for name in _NAMES if name in named]
        whose = next((at for at in respondent_columns(frame)[1] if at not in places), None)
        value = _first(frame, _VALUES)
        if whose is None:
            raise refusal("trials-of-nobody", f"{frame.file}, row {frame.head_row}")
        texts = [[frame.columns[at].text(row) for row in range(len(frame))] for at in places]
        people: dict[str, dict[str, str]] = {}
        first: dict[str, int] = {}
        for row, parts in enumerate(zip(*texts, strict=True)):
            name, said = frame.columns[whose].cell(row), frame.columns[value].cell(row)
            if not (name.strip() or said.strip()):
                continue
            first.setdefault(name, row)
            mine = people.setdefault(name, {})
            title, *option = [part for part in parts if part not in _ITSELF] or [""]
            title = f"{title} [{option[0]}]" if option else title
            if title in mine:
                return frame
            if title and parts[-1] not in _NUMBERED:
                mine[title] = said
        own = dict[str, int]()
        for at in sorted({*range(len(frame.titles))} - {whose, value, *places}):
            pairs = np.unique(frames.pairs_of(frame.columns[whose].codes, frame.columns[at]))
            if len(pairs) == len(frame.columns[whose].used):
                own[frame.titles[at]] = at
        joined = {
            name: {title: frame.columns[at].cell(first[name]) for title, at in own.items()} | mine
            for name, mine in people.items()
        }
        rows = {name: int(frame.rows[first[name]]) for name in joined}
        return _wide(frame, frame.titles[whose], joined, rows)


_NAMES = ("question key", "question", "key", "name", "variable")
"""Columns with the names, and within them the options."""
_VALUES = ("response", "value")
_ITSELF = ("", "value", "BEGIN QUESTIONNAIRE", "END QUESTIONNAIRE")
"""What names nothing, and what calls the answer itself."""
_NUMBERED = ("quantised",)
"""What gives the number of the answer again."""


def _trial(cell: str) -> dict[str, str]:
    """The answers in a cell, if it holds an object of them; a list of options stays JSON.

    Raises:
        ValueError: If it is no JSON; a brace alone is a key that was pressed.
    """
    known = json.loads(cell) if cell.lstrip().startswith("{") and cell.strip() != "{" else {}
    return {key: frames.json_text(value) for key, value in known.items() if value is not None}


def _read(frame: Frame, at: int, meaning: Callable[[str], dict[str, str]]) -> list[dict[str, str]]:
    """What each distinct cell of a column holds as JSON.

    Raises:
        CurateError: If one holds none.
    """
    column = frame.columns[at]
    found: list[dict[str, str]] = [{}] * len(column.values)
    for code in column.used:
        try:
            found[code] = meaning(column.values[code])
        except (ValueError, RecursionError) as error:
            which = column.codes == code
            frame.view().refuse("cell-no-json", which, frame.titles[at], error=error)
    return found


TASK_ANSWERS = "Answer.taskAnswers"
"""The column in which crowd forms put all answers as JSON."""


class MechanicalTurk:
    """Mechanical Turk: a row an assignment, `Input.*` what was shown, `Answer.*` what was said."""

    @staticmethod
    def prepare(frame: Frame) -> Frame:
        """A column more for each answer of a crowd form: `Answer.question`, with option or without.

        Args:
            frame: The file.

        Raises:
            CurateError: If a cell is no JSON of such answers.
        """
        if TASK_ANSWERS not in frame.titles:
            return frame
        column = frame.named(TASK_ANSWERS)
        parsed = _read(frame, frame.titles.index(TASK_ANSWERS), _flat)
        added = tuple(dict.fromkeys(name for answers in parsed for name in answers))
        first, *others = frame.heads
        return replace(
            frame,
            heads=((*first, *added), *((*head, *([""] * len(added))) for head in others)),
            titles=(*frame.titles, *added),
            columns=(
                *frame.columns,
                *(column.becomes([answers.get(name, "") for answers in parsed]) for name in added),
            ),
        )


def _flat(text: str) -> dict[str, str]:
    """Read one respondent's answers.

    Raises:
        ValueError: If the text is no JSON list of one object.
    """
    if not text.strip():
        return {}
    data = json.loads(text)
    if not isinstance(data, list) or len(data) != 1 or not isinstance(data[0], dict):
        raise ValueError("it is not a list of one object")
    return frames.flat_json(data[0], "Answer.")


_RESPONDENT = frozenset(received_words("surveymonkey_respondent"))
_COLLECTOR = frozenset(received_words("surveymonkey_collector"))


class SurveyMonkey:
    """SurveyMonkey: questions in row 1, going on where it is empty, and their options in row 2."""

    @staticmethod
    def recognise(head: Head) -> Recognised | None:
        """Say whether the file is from SurveyMonkey."""
        first, second = head.row(1), head.row(2)
        if len(first) < 3 or len(second) != len(first) or second[0]:
            return None
        reasons = []
        if first[0].casefold() in _RESPONDENT:
            reasons.append(f"the first column is '{first[0]}'")
        if first[1].casefold() in _COLLECTOR:
            reasons.append(f"the second column is '{first[1]}'")
        if not reasons:
            return None
        going_on = sum(cell == "" < option for cell, option in zip(first, second, strict=True))
        reasons.append(f"row 2 holds options, {going_on} of them under an empty cell of row 1")
        return Recognised("surveymonkey", tuple(reasons), header_rows=2)

    @staticmethod
    def prepare(frame: Frame) -> Frame:
        """Name the columns `question [option]`, the question going on where its cell is empty."""
        if len(frame.heads) < 2:
            return frame  # its columns are called otherwise than a mapping says
        return replace(frame, titles=tuple(_joined(frame.heads[0], frame.heads[1])))

    @staticmethod
    def start(frame: Frame) -> Start:
        """Begin a mapping: a chosen option's column holds its text, all else is empty."""
        own = []
        for title, texts in zip(frame.titles, frame.texts, strict=True):
            if texts[1:2] != ("",):
                break
            own.append(title)
        submitted = frame.first(*received_words("surveymonkey_submitted"))
        person = RespondentPart(id=frame.titles[0], submitted=submitted)
        return platform_of("surveymonkey").begun(person, known=frozenset(own[1:]))


def _joined(questions: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    """Names of columns by two rows of headings, of which the first goes on where it is empty."""
    going_on, pairs = "", zip(questions, options, strict=True)
    for question, option in (map(frames.plain, pair) for pair in pairs):
        going_on = question or going_on
        yield f"{going_on} [{option}]" if option else question


class Generic:
    """Any other file: options may stand below a question that goes on, or is there again."""

    @staticmethod
    def prepare(frame: Frame) -> Frame:
        """Name columns by the question and the option below it, as SurveyMonkey's are."""
        heads = [tuple(map(frames.plain, head)) for head in frame.heads]
        below = heads[heads.index(frame.titles) + 1 :]
        if not below or not any(name in ("", before) for before, name in pairwise(frame.titles)):
            return frame
        options = (
            ("", name)[name != title] for title, name in zip(frame.titles, below[0], strict=True)
        )
        return replace(frame, titles=tuple(_joined(frame.titles, [*options])))


HOLDS = {
    "generic": Generic,
    "jspsych": JsPsych,
    "melted": Melted,
    "mturk": MechanicalTurk,
    "surveymonkey": SurveyMonkey,
}
"""What stands here by the platform's name."""
