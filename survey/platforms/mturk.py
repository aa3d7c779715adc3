"""Mechanical Turk: one row an assignment, `Input.*` what was shown, `Answer.*` what was said."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from curation.records.errors import CurateError
from survey.mapping import RespondentPart
from survey.platforms.recognise import Described, Head, Recognised, Start
from survey.readers.frames import Column, Frame, column_of

_OWN = (
    *("HITId", "HITTypeId", "Title", "Description", "Keywords", "Reward", "CreationTime"),
    *("MaxAssignments", "RequesterAnnotation", "AssignmentDurationInSeconds"),
    *("AutoApprovalDelayInSeconds", "Expiration", "NumberOfSimilarHITs", "LifetimeInSeconds"),
    *("AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime", "SubmitTime"),
    *("AutoApprovalTime", "ApprovalTime", "RejectionTime", "RequesterFeedback"),
    *("WorkTimeInSeconds", "LifetimeApprovalRate", "Last30DaysApprovalRate"),
    *("Last7DaysApprovalRate", "Approve", "Reject"),
)
_MARKING = ("HITId", "WorkerId", "AssignmentId")
_REJECTED = "rejected"
TASK_ANSWERS = "Answer.taskAnswers"
"""The column in which crowd forms put all answers as JSON."""


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is of a batch of Mechanical Turk."""
    names = head.row(1)
    answers = sum(name.startswith("Answer.") for name in names)
    named = [name for name in _MARKING if name in names]
    if not answers or len(named) < 2:
        return None
    return Recognised(
        "mturk", (f"its own columns are there: {', '.join(named)}", f"{answers} are Answer.*")
    )


def start(described: Described) -> Start:
    """Begin a mapping: assignments that were rejected are left out."""
    status = described.first("AssignmentStatus")
    kept = [
        value
        for value in (described.values(status) if status else [])
        if value and value.casefold() != _REJECTED
    ]
    return Start(
        respondent=RespondentPart(
            id="WorkerId",
            duration=described.first("WorkTimeInSeconds"),
            submitted=described.first("SubmitTime"),
        ),
        keep={status: tuple(kept)} if status and kept else {},
        selected=("true", "1", "on", "label"),
        not_selected=("false", "0", ""),
        missing=("",),
        joined=("|",),
        known=frozenset(name for name in (*_OWN, TASK_ANSWERS) if name in described.titles),
    )


def prepare(frame: Frame) -> Frame:
    """A column more for each answer of a crowd form: `Answer.question`, with option or without.

    Args:
        frame: The file.

    Raises:
        CurateError: If a cell is no JSON of such answers.
    """
    if TASK_ANSWERS not in frame.titles:
        return frame
    column = frame.columns[frame.titles.index(TASK_ANSWERS)]
    parsed: list[dict[str, str]] = [{}] * len(column.values)
    for code in column.used():
        try:
            parsed[code] = _flat(column.values[code])
        except (ValueError, RecursionError) as error:
            row = int(frame.rows[int((column.codes == code).argmax())])
            raise CurateError(
                f"the cell is not a JSON list of answers: {error}",
                f"{frame.file}, row {row}, column {TASK_ANSWERS}",
                "download the batch's results again",
            ) from error
    added = tuple(dict.fromkeys(name for answers in parsed for name in answers))
    first, *others = frame.heads
    return replace(
        frame,
        heads=((*first, *added), *((*head, *([""] * len(added))) for head in others)),
        titles=(*frame.titles, *added),
        columns=(*frame.columns, *(_column(column, parsed, name) for name in added)),
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
    found: dict[str, str] = {}
    for question, answer in data[0].items():
        if isinstance(answer, Mapping):
            for option, value in answer.items():
                found[f"Answer.{question}.{option}"] = _word(value)
        else:
            found[f"Answer.{question}"] = _word(answer)
    return found


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _column(column: Column, parsed: Sequence[Mapping[str, str]], name: str) -> Column:
    added = column_of([answers.get(name, "") for answers in parsed])
    return Column(added.codes[column.codes], added.values)
