"""Models asked the survey's questions: what they are asked, and how far they answer as people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from curation.files.workspace import Workspace
from curation.languages import Language
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity, listed
from curation.records.survey import Question, QuestionKind, Tally, TargetRow, join_groups
from curation.records.wording import counted
from evaluation.folders import (
    Row,
    answered_requests,
    result_folder,
    rows_frame,
    save_requests,
    write_rows,
)
from evaluation.replies.attendance import Attendance, attendance_findings
from evaluation.replies.files import ReplyTable, load_replies, shortened
from evaluation.simulate.answers import (
    READING_COLUMNS,
    People,
    Standing,
    match_questions,
    public_answers,
    read_answers,
)
from evaluation.simulate.requests import Request, make_requests, read_prompts, read_requests
from evaluation.simulate.scores import PAIR_COLUMNS, SCORE_COLUMNS, pair_rows, score_rows
from survey.bank import TALLIES
from survey.counts import read_tallies
from survey.questionnaire import read_questionnaire

FOLDER = "simulate"
"""The folder below the exports that requests go to."""
_COUNTS = ("n", "out_of_choice", "missing", "questions", "ties", "without_data")


@dataclass(frozen=True, slots=True)
class SimulationRequests:
    """What models are asked.

    Attributes:
        requests: How many requests were written.
        questions: How many questions there are of each kind.
        prompts: Ids of the wordings.
        seed: The seed of the order of options.
        file: Where the requests are.
    """

    requests: int
    questions: dict[str, int]
    prompts: tuple[str, ...]
    seed: int
    file: Path


def prepare(
    workspace: Workspace,
    prompts: int = 1,
    *,
    wording: Path | None = None,
    seed: int | None = None,
    out: Path | None = None,
) -> SimulationRequests:
    """Write the requests by which models are asked the survey's own questions.

    Args:
        workspace: The workspace.
        prompts: How many wordings of each question.
        wording: A YAML file of prompts, in place of those of the language.
        seed: The seed of the order of options; by default that of the questionnaire.
        out: The file; by default one in `exports`, with a manifest.

    Raises:
        CurateError: If there is no survey, or there are not as many wordings, or a file cannot
            be read or written.
    """
    questions, source = _questions(workspace)
    known = read_prompts(workspace.language, wording)
    if not 1 <= prompts <= len(known):
        raise CurateError(f"there are {counted(len(known), 'wording')}, and not {prompts}")
    used = known[:prompts]
    drawn = workspace.culture.questionnaire.seed if seed is None else seed
    kinds = {
        kind.value: sum(item.kind is kind for item in questions)
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL)
    }
    ids = tuple(item.id for item in used)
    file, written = save_requests(
        workspace,
        make_requests(questions, used, workspace.culture, drawn, workspace.language),
        FOLDER,
        out,
        (workspace.culture_file, source, wording),
        counts=kinds,
        settings={"seed": drawn, "prompts": ids},
        command="survey simulate",
    )
    return SimulationRequests(written, kinds, ids, drawn, file)


def _questions(workspace: Workspace) -> tuple[list[Question], Path]:
    """The questions about stereotypes, and the file that they are from."""
    workspace.culture  # noqa: B018  # a missing workspace is said before a missing survey
    path = workspace.questionnaire_file
    if path.exists():
        found = list(read_questionnaire(path, workspace.book))
    else:
        path = workspace.responses_folder / TALLIES
        found = [tally.question for tally in read_tallies(path, workspace.book)]
    questions = [item for item in found if item.kind is not QuestionKind.COMPREHENSION]
    if not questions:
        raise CurateError(
            "there is no survey of stereotypes to ask models about",
            str(workspace.questionnaire_file),
            "make one with 'curate survey build', or count one with 'curate filter'",
        )
    return questions, path


@dataclass(frozen=True, slots=True)
class Simulation:
    """How far models answer as people do.

    Attributes:
        rows: The scores, as `SCORE_COLUMNS`.
        pairs: How far every two models answer alike, as `PAIR_COLUMNS`.
        answers: Every reply, parsed, as `read_answers` gives it.
        attendance: Which requests each model replied to.
        people: By question id what the people answered.
        duplicates: Replies left out because a later one to the same request counts.
        findings: What is to be said of files, requests and questions.
        requests: The requests that the replies answer; None where they were given as such.
    """

    rows: list[Row]
    pairs: list[Row]
    answers: pd.DataFrame
    attendance: tuple[Attendance, ...]
    people: People
    duplicates: int
    findings: tuple[Finding, ...]
    requests: Path | None = None

    def out_of_choice(self, model: str) -> int:
        """Count a model's replies that could not be read, to any question."""
        mine = self.answers[self.answers["model"] == model]
        return int(mine["groups"].isna().sum())

    def to_frame(self) -> pd.DataFrame:
        """The scores: counts int64, names object, scores float64 (NaN: undefined)."""
        return rows_frame(self.rows, SCORE_COLUMNS, SCORE_COLUMNS[:4], _COUNTS)


def simulate(
    workspace: Workspace,
    replies: Sequence[Path],
    *,
    requests: Path | None = None,
    out: Path | None = None,
) -> Simulation:
    """Compare models' replies to the survey's questions with the people's answers.

    Args:
        workspace: The workspace.
        replies: What models replied.
        requests: What they were asked; by default the file beside the replies, or of the exports.
        out: A folder for scores and readings, with a manifest.

    Raises:
        CurateError: If a file cannot be read or written, nobody's answers are counted yet, or the
            requests are not about the survey's questions.
    """
    questions, source = _questions(workspace)
    tallies_file = workspace.responses_folder / TALLIES
    tallies = read_tallies(tallies_file, workspace.book)
    if not tallies:
        hint = "count them: curate filter --survey FILE"
        raise CurateError("the people's answers are not counted yet", str(tallies_file), hint)
    path = answered_requests(workspace, requests, replies[0], FOLDER, "survey simulate")
    asked, given = read_requests(path), load_replies(replies)
    made = compare(asked, questions, tallies, workspace.targets, given, workspace.language)
    found = replace(made, requests=path)
    if out is not None:
        inputs = (source, tallies_file, workspace.targets_file, path, *replies)
        counts = {"models": len(found.attendance), "readings": len(found.answers)}
        # What `prepare` put there stays there.
        kept = [out / path.name] if path.resolve().parent == out.resolve() else []
        command = "survey simulate"
        with result_folder(workspace, out, inputs, counts, {}, command=command, kept=kept) as stage:
            write_rows(stage / "scores.csv", SCORE_COLUMNS, found.rows)
            write_rows(stage / "pairs.csv", PAIR_COLUMNS, found.pairs)
            write_rows(stage / "readings.csv", READING_COLUMNS, _readings(found.answers))
    return found


def compare(
    requests: Mapping[str, Request],
    questions: Iterable[Question],
    tallies: Sequence[Tally],
    targets: Sequence[TargetRow],
    replies: ReplyTable,
    own: Language | None = None,
) -> Simulation:
    """Compare models' replies with the people's answers.

    Args:
        requests: What the models were asked, by id.
        questions: The survey's questions.
        tallies: The people's counts.
        targets: Where the people's answers put each group.
        replies: What the models replied.
        own: The language whose own words replies are read with too.

    Raises:
        CurateError: If the requests are not about these questions.
    """
    matched = match_questions(requests, questions)
    people = public_answers(matched.values(), tallies, targets)
    answers, attended = read_answers(requests, matched, people, replies, own)
    file = ", ".join(map(str, replies.paths))
    return Simulation(
        rows=list(score_rows(matched, people, answers, attended)),
        pairs=list(pair_rows(answers)),
        answers=answers,
        attendance=attended,
        people=people,
        duplicates=replies.duplicates,
        findings=(*replies.findings, *attendance_findings(attended, file), *_left_out(people)),
    )


def _left_out(people: People) -> Iterator[Finding]:
    ties = [name for name, standing in people.items() if standing is Standing.TIE]
    if ties:
        what = f"{counted(len(ties), 'question is', 'questions are')} left out, because two options"
        message = f"{what} have the most votes: {shortened(ties)}"
        yield Finding("simulate-tie", Severity.INFO, "tallies.csv", None, "", message)
    unknown = [name for name, standing in people.items() if standing is Standing.NO_DATA]
    what = "questions are left out, because the people's answers to them are not counted"
    hint = "count them with 'curate filter'"
    yield from listed("simulate-no-data", "tallies.csv", unknown, what, hint)


def _readings(answers: pd.DataFrame) -> Iterator[dict[Any, object]]:
    """Every reply as the file holds it."""
    for row in answers.to_dict("records"):
        f1 = "" if row["f1"] is None else f"{row['f1']:.6g}"
        groups, people = _cell(row["groups"]), _cell(row["people"])
        yield {**row, "groups": groups, "people": people, "f1": f1}


def _cell(groups: frozenset[str] | Standing | None) -> str:
    if groups is None or isinstance(groups, Standing):
        return groups or ""
    return join_groups(sorted(groups)) or "none"
