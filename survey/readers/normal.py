"""Answers in normal form, read again: exactly what `responses.csv` holds, or a refusal."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from curation.records.survey import Question
from survey.answers import Answers, attributes_beside
from survey.mapping import NORMAL, LongPart, Mapping, ReadPart, RespondentPart
from survey.readers.frames import refusal
from survey.readers.naming import QuestionNames
from survey.readers.normalise import normalised, refuse_kinds
from survey.readers.opening import open_file

_NEEDED = ("respondent_id", "question_id", "kind", "option", "state")
_POSITION, _DURATION = "position", "duration_s"


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
    lacking = [name for name in _NEEDED if frame.titles.count(name) != 1]
    if lacking:
        raise refusal(
            "normal-column",
            f"{path}, row 1",
            name=path.name,
            needed=lacking[0],
            listed=", ".join(_NEEDED),
            POSITION=_POSITION,
            DURATION=_DURATION,
        )
    long = LongPart(
        question="question_id",
        answer="option",
        row="option",
        state="state",
        position=_POSITION if _POSITION in frame.titles else None,
        duration=_DURATION if _DURATION in frame.titles else None,
        missing=(),
    )
    mapping = Mapping(preset=NORMAL, respondent=RespondentPart(id="respondent_id"), long=long)
    names = QuestionNames(questions, {})
    answers = normalised(frame, mapping, names).answers
    if len(answers) < len(frame):
        row = min(set(frame.rows.tolist()) - set(answers.row.tolist()))
        raise refusal("normal-row", f"{path}, row {row}, column option")
    refuse_kinds(frame, frame.titles.index("kind"), answers)
    return replace(answers, attributes=attributes_beside(path, answers.respondents))
