"""jsPsych: a row a trial, of which those of surveys hold a JSON object of answers in `response`."""

import json
from dataclasses import replace

import numpy as np

from curation.records.messages import CurateError
from survey.mapping import ROW, RespondentPart
from survey.platforms.recognise import Described, Head, Recognised, Start, called, owned
from survey.readers.frames import Frame, column_of

_OWN = ("trial_type", "trial_index")
_RESPONSES = ("response", "responses")
_PEOPLE = (
    *("participant_id", "participant", "subject_id", "subject", "PROLIFIC_PID", "worker_id"),
    *("session_id", "run_id", "id"),
)
_WHO = "participant"


def recognise(head: Head) -> Recognised | None:
    """Say whether the file holds trials."""
    names = head.row(1)
    if len(called(names, _OWN)) < len(_OWN) or not called(names, _RESPONSES):
        return None
    return Recognised("jspsych", (owned(_OWN),))


def prepare(frame: Frame) -> Frame:
    """Give a row a person, with a column for each name in the objects of their answers.

    Raises:
        CurateError: If no column names the participants though trials begin anew, or a participant
            answers one name twice.
    """
    named = {title.casefold(): at for at, title in reversed([*enumerate(frame.titles)])}
    places = [named[name.casefold()] for name in _PEOPLE if name.casefold() in named]
    who = next((at for at in places if all(frame.columns[at].distinct())), None)
    answers = frame.columns[next(named[name] for name in _RESPONSES if name in named)]
    trials = frame.columns[named["trial_index"]]
    if who is None and len(trials.used()) < len(trials):
        raise CurateError(
            "no column names the participants, and trials of several are there",
            f"{frame.file}, row {frame.head_row}",
            "add a column to the data: jsPsych.data.addProperties({participant_id: ...})",
        )
    people: dict[str, dict[str, str]] = {}
    first: dict[str, int] = {}
    for at in range(len(frame)):
        name = frame.columns[who].cell(at) if who is not None else "1"
        first.setdefault(name, int(frame.rows[at]))
        mine = people.setdefault(name, {})
        for key, text in _answers(answers.cell(at)).items():
            if key in mine:
                raise CurateError(
                    f"participant {name} answers '{key}' twice",
                    f"{frame.file}, row {frame.rows[at]}",
                    "give each question of the survey trials a name of its own (`name`), or keep "
                    "one run of each participant",
                )
            mine[key] = text
    keys = list(dict.fromkeys(key for mine in people.values() for key in mine))
    columns = [list(people), *([mine.get(key, "") for mine in people.values()] for key in keys)]
    titles = (frame.titles[who] if who is not None else _WHO, *keys)
    return replace(
        frame,
        heads=(titles,),
        titles=titles,
        columns=tuple(map(column_of, columns)),
        rows=np.array(list(first.values()), dtype=np.int64),
    )


def _answers(cell: str) -> dict[str, str]:
    """The answers in a cell, if it holds an object of them; a list of options stays JSON."""
    if not cell.lstrip().startswith("{"):
        return {}
    try:
        data = json.loads(cell)
    except (ValueError, RecursionError):
        return {}
    return {
        str(key): value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in data.items()
        if value is not None
    }


def start(described: Described) -> Start:
    """Begin a mapping: each row is a participant by now."""
    return Start(respondent=RespondentPart(id=next(iter(described.titles), ROW)), missing=("",))
