"""Mechanical Turk: one row an assignment, `Input.*` what was shown, `Answer.*` what was said."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from curation.records.messages import CurateError
from survey.readers.frames import Column, Frame, column_of

TASK_ANSWERS = "Answer.taskAnswers"
"""The column in which crowd forms put all answers as JSON."""


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
