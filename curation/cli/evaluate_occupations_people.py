"""What people answered to the items, as choices like those of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from curation.cli.filter_input import SurveyInput, SurveyReader
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.model.survey import Question
from evaluation.occupations.items import Item
from evaluation.occupations.scores import Picks
from survey.answers import Answers
from survey.counting import one_per_answer, split_choices
from survey.questionnaire import GroupBook

PEOPLE = "people"
"""What people are called where models have their names."""
FOLDER = Path("occupations") / "survey"
"""Where their questionnaire lies, below the exports."""


@dataclass(frozen=True, slots=True)
class People:
    """The answers of people.

    Attributes:
        picks: What they chose; two options at once are out-of-choice.
        counts: How many answered, and how many were left out for failing an attention check or
            by another rule of `survey.exclude`.
        findings: What is to be said of the files.
    """

    picks: Picks
    counts: dict[str, int]
    findings: tuple[Finding, ...]


def read_people(
    workspace: Workspace,
    items: Sequence[Item],
    responses: tuple[Path, ...],
    mappings: tuple[Path, ...],
    questionnaire: Path | None,
) -> People:
    """Read what people answered.

    Args:
        workspace: For the language, and for whom the rules of quality leave out.
        items: The items.
        responses: Files of answers.
        mappings: How they are read.
        questionnaire: What was asked; the workspace's own by default.

    Raises:
        CurateError: If a file cannot be read, or the questions are not those of the items.
    """
    asked = questionnaire or workspace.exports_folder / FOLDER / "questionnaire.csv"
    given = SurveyInput(surveys=responses, mappings=mappings, questionnaire=asked)
    settings = workspace.culture.survey
    reader = SurveyReader(workspace, GroupBook(()), given, settings)
    found = reader.respondents()
    if found is None:
        raise CurateError(
            "the files hold counts, and not what each person answered",
            str(responses[0]),
            "give the answers as the survey's platform exports them",
        )
    answers = found.answers
    out = np.zeros(len(answers.respondents), dtype=bool)
    for rule in settings.exclude:
        out |= found.flagged.flags.get(rule, np.zeros_like(out))
    picks = _picks(answers, items, out, str(asked))
    counts = {"respondents": int((~out).sum()), "left_out": int(out.sum())}
    return People(picks, counts, tuple(reader.findings))


def _picks(answers: Answers, items: Sequence[Item], out: np.ndarray, file: str) -> Picks:
    rows = np.flatnonzero(~out[answers.respondent])
    good, contradicting = split_choices(answers, rows)
    twice = one_per_answer(answers, contradicting)
    item_of, option_of = _places(answers.questions, items, file)
    option = np.concatenate(
        [
            option_of[answers.question[good], answers.option[good]],
            np.full(len(twice), -1, dtype=np.int64),
        ]
    )
    item = item_of[answers.question[np.concatenate([good, twice])]]
    return Picks((PEOPLE,), np.zeros(len(item), dtype=np.int64), item, option)


def _places(
    questions: Sequence[Question], items: Sequence[Item], file: str
) -> tuple[np.ndarray, np.ndarray]:
    """Give for each question its item, and for each of its options that of the item."""
    known = {item.item_id: at for at, item in enumerate(items)}
    item_of = np.empty(len(questions), dtype=np.int64)
    width = max(len(question.options) for question in questions)
    option_of = np.full((len(questions), width), -1, dtype=np.int64)
    for row, question in enumerate(questions):
        if question.id not in known:
            raise CurateError(
                f"question {question.id} is none of the items",
                f"{file}, row {question.row}, column question_id",
                "name the items that the form was made of with --items FILE",
            )
        item_of[row] = known[question.id]
        options = items[item_of[row]].options
        texts = [" ".join(option.text.split()) for option in question.options]
        if sorted(texts) != sorted(options):
            raise CurateError(
                f"question {question.id} has other options than its item",
                f"{file}, row {question.row}, column text",
                "name the items that the form was made of with --items FILE",
            )
        option_of[row, : len(texts)] = [options.index(text) for text in texts]
    return item_of, option_of
