"""Models asked the survey's questions: what they are asked, and how far they answer as people."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.codec import cell
from curation.files.workspace import Workspace
from curation.files.writers import write_table
from curation.languages import Language
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity, listed, warning
from curation.records.frames import frame
from curation.records.survey import Question, QuestionKind, Tally, TargetRow, join_groups
from curation.records.wording import counted
from evaluation.folders import answered_requests, result_folder, save_requests
from evaluation.replies.files import Attendance, load_replies, shortened
from evaluation.replies.reply import Reply
from evaluation.simulate.answers import (
    Answer,
    PublicAnswer,
    Standing,
    match_questions,
    public_answers,
    read_answers,
)
from evaluation.simulate.requests import Request, asked, make_requests, objects_of, read_requests
from evaluation.simulate.scores import (
    PAIR_COLUMNS,
    SCORE_COLUMNS,
    PairRow,
    ScoreRow,
    pairs,
    score,
)
from evaluation.simulate.wording import load_wording
from survey.bank import TALLIES
from survey.questionnaire import read_questionnaire
from survey.tallies import read_tallies

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "simulate"
"""The folder below the exports that requests go to."""
READING_COLUMNS = (
    "model",
    "request_id",
    "question_id",
    "prompt_id",
    "kind",
    "category",
    "choice",
    "groups",
    "rule",
    "people",
    "exact",
    "f1",
)
"""The columns of `readings.csv`, one row a reply."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far models answer as people do.

    Attributes:
        rows: The scores.
        answers: Every reply, parsed, with the people's answer.
        attendance: Which requests each model replied to.
        people: By question id what the people answered.
        findings: What the scores leave out, and why.
        pairs: How far every two models answer alike.
    """

    rows: tuple[ScoreRow, ...]
    answers: tuple[Answer, ...]
    attendance: tuple[Attendance, ...]
    people: dict[str, PublicAnswer]
    findings: tuple[Finding, ...]
    pairs: tuple[PairRow, ...] = ()

    def rules(self, model: str) -> dict[str, int]:
        """Count a model's replies by the rule that read them, or why none did."""
        return next(item.rules for item in self.attendance if item.model == model)

    def out_of_choice(self, model: str) -> int:
        """Count a model's replies that could not be read, to any question."""
        return sum(item.groups is None for item in self.answers if item.model == model)


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
    words = load_wording(workspace.culture, wording, workspace.language)
    if prompts > len(words.prompts):
        raise CurateError(f"there are {len(words.prompts)} wordings, and not {prompts}")
    used = words.prompts[:prompts]
    drawn = _seed(workspace, seed)
    kinds = {
        kind.value: sum(item.kind is kind for item in questions)
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL)
    }
    ids = tuple(item.id for item in used)
    file, written = save_requests(
        workspace,
        objects_of(make_requests(questions, words, used, drawn)),
        FOLDER,
        out,
        (workspace.culture_file, source, wording),
        counts=kinds,
        settings={"seed": drawn, "prompts": ids},
        command="survey simulate",
    )
    return SimulationRequests(written, kinds, ids, drawn, file)


def _seed(workspace: Workspace, given: int | None) -> int:
    return workspace.culture.questionnaire.seed if given is None else given


def _questions(workspace: Workspace) -> tuple[list[Question], Path]:
    """The questions that can be asked, and the file that they are from."""
    workspace.culture  # noqa: B018  # a missing workspace is said before a missing survey
    path = workspace.questionnaire_file
    if path.exists():
        found = read_questionnaire(path, workspace.book)
    else:
        path = workspace.responses_folder / TALLIES
        found = [tally.question for tally in read_tallies(path, workspace.book)]
    if not path.exists():
        raise CurateError(
            "there is no survey to ask models about",
            str(workspace.questionnaire_file),
            "make one with 'curate survey build', or count one with 'curate filter'",
        )
    questions = asked(found)
    if not questions:
        raise CurateError(
            "the survey asks about no stereotype", str(path), "see 'curate survey build'"
        )
    return questions, path


@dataclass(frozen=True, slots=True)
class Simulation:
    """Models compared with people.

    Attributes:
        comparison: The scores and what they come from.
        duplicates: Replies left out because a later one to the same request counts.
        requests: The requests that the replies answer.
        findings: What is to be said of files, requests and questions.
    """

    comparison: Comparison
    duplicates: int
    requests: Path
    findings: tuple[Finding, ...]

    def to_frame(self) -> "pd.DataFrame":
        """The scores: counts int64, names object, scores float64 (NaN: undefined)."""
        names = ("exact_match", "mean_f1", "out_of_choice_ratio", "group_f1")
        types = {
            name: "float64" if name.startswith(names) else "int64" for name in SCORE_COLUMNS[4:]
        }
        return frame(self.comparison.rows, ScoreRow, **types)


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
    given = load_replies(replies)
    found = compare(
        read_requests(path),
        questions,
        tallies,
        workspace.targets,
        list(given.replies()),
        file=", ".join(str(item) for item in replies),
        own=workspace.language,
    )
    if out is not None:
        inputs = (source, tallies_file, workspace.targets_file, path, *replies)
        counts = {"models": len(found.attendance), "readings": len(found.answers)}
        # What `prepare` put there stays there.
        kept = [out / path.name] if path.resolve().parent == out.resolve() else []
        command = "survey simulate"
        with result_folder(workspace, out, inputs, counts, {}, command=command, kept=kept) as stage:
            rows = [[cell(getattr(row, name)) for name in SCORE_COLUMNS] for row in found.rows]
            write_table(stage / "scores.csv", "csv", SCORE_COLUMNS, rows)
            lines = [[cell(getattr(row, name)) for name in PAIR_COLUMNS] for row in found.pairs]
            write_table(stage / "pairs.csv", "csv", PAIR_COLUMNS, lines)
            write_table(stage / "readings.csv", "csv", READING_COLUMNS, reading_rows(found))
    findings = (*given.findings, *found.findings)
    return Simulation(found, given.duplicates, path, findings)


def compare(
    requests: Sequence[Request],
    questions: Sequence[Question],
    tallies: Sequence[Tally],
    targets: Sequence[TargetRow],
    replies: Sequence[Reply],
    *,
    file: str,
    own: Language | None = None,
) -> Comparison:
    """Compare models' replies with the people's answers.

    Args:
        requests: What the models were asked.
        questions: The survey's questions.
        tallies: The people's counts.
        targets: Where the people's answers put each group.
        replies: One for each model and request.
        file: The replies' file, as findings show it.
        own: The language whose own words replies are read with too.

    Raises:
        CurateError: If the requests are not about these questions.
    """
    matched = match_questions(requests, questions)
    people = public_answers(matched.values(), tallies, targets)
    answers, attendance = read_answers(requests, matched, people, replies, own)
    return Comparison(
        rows=tuple(score(matched, people, answers, attendance)),
        answers=answers,
        attendance=attendance,
        people=people,
        findings=(*_attended(attendance, file), *_left_out(people)),
        pairs=tuple(pairs(answers)),
    )


def _attended(attendance: Sequence[Attendance], file: str) -> Iterator[Finding]:
    for item in attendance:
        if item.missing:
            failed = f" ({item.failed} of them failed)" if item.failed else ""
            yield warning(
                "simulate-missing",
                file,
                f"{item.model}: {len(item.missing)} of {item.asked} requests have no reply"
                f"{failed}, so its scores are over an incomplete set: "
                f"{shortened(item.missing)}",
                "ask the model these as well, and add its replies",
            )
        if item.unknown:
            yield warning(
                "simulate-unknown-request",
                file,
                f"{item.model}: {counted(len(item.unknown), 'reply', 'replies')} left out, because "
                f"no such request was asked: {shortened(item.unknown)}",
                "name the requests that were sent with --requests FILE",
            )


def _left_out(people: dict[str, PublicAnswer]) -> Iterator[Finding]:
    ties = [name for name, item in people.items() if item.standing is Standing.TIE]
    if ties:
        yield Finding(
            "simulate-tie",
            Severity.INFO,
            "tallies.csv",
            None,
            "",
            f"{counted(len(ties), 'question is', 'questions are')} left out, because two options "
            "have the most votes: "
            f"{shortened(ties)}",
        )
    unknown = [name for name, item in people.items() if item.standing is Standing.NO_DATA]
    what = "questions are left out, because the people's answers to them are not counted"
    hint = "count them with 'curate filter'"
    yield from listed("simulate-no-data", "tallies.csv", unknown, what, hint)


def reading_rows(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Every reply as it was parsed, in the order of `READING_COLUMNS`."""
    for answer in comparison.answers:
        people = answer.people
        yield (
            answer.model,
            answer.request.request_id,
            answer.request.question_id,
            answer.request.prompt_id,
            people.question.kind.value,
            people.question.category,
            ", ".join(answer.letters),
            _groups(answer.groups),
            answer.rule.value,
            _groups(people.groups)
            if people.standing is Standing.ANSWERED
            else people.standing.value,
            "" if answer.exact is None else ("true" if answer.exact else "false"),
            "" if answer.f1 is None else f"{answer.f1:.6g}",
        )


def _groups(groups: frozenset[str] | None) -> str:
    return "" if groups is None else join_groups(sorted(groups)) or "none"
