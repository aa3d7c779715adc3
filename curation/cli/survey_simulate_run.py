"""One run of `curate survey simulate`: load, prepare or compare, and write."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from curation.cli.common import plural
from curation.cli.final import TALLIES, manifest_inputs
from curation.io.ledger import cell
from curation.io.manifest import write_manifest
from curation.io.replies import read_replies
from curation.io.workspace import Workspace
from curation.io.writers import write_table
from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.model.survey import Question, QuestionKind, Tally
from survey.questionnaire import GroupBook, read_questionnaire
from survey.simulate.bootstrap import DRAWS
from survey.simulate.requests import (
    REQUESTS,
    asked,
    make_requests,
    read_requests,
    write_requests,
)
from survey.simulate.run import READING_COLUMNS, Comparison, compare, reading_rows
from survey.simulate.scores import SCORE_COLUMNS, ScoreRow
from survey.simulate.wording import load_wording
from survey.tallies import read_tallies

FOLDER = "simulate"
"""The folder below the exports that requests go to."""


def read_questions(workspace: Workspace) -> tuple[list[Question], Path]:
    """Read the questions that can be asked, and say from which file."""
    workspace.culture  # noqa: B018  # a missing workspace is said before a missing survey
    path = workspace.questionnaire_file
    if path.exists():
        found = read_questionnaire(path, GroupBook(workspace.groups, workspace.culture))
    else:
        path = workspace.responses_folder / TALLIES
        found = [tally.question for tally in read_tallies(path)]
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
class Prepared:
    """The requests that were written.

    Attributes:
        requests: How many.
        kinds: Questions by kind.
        prompts: Ids of the wordings.
        seed: Of the order of options.
        file: Where they are.
    """

    requests: int
    kinds: dict[str, int]
    prompts: tuple[str, ...]
    seed: int
    file: Path


def prepare_requests(
    workspace: Workspace, count: int, wording: Path | None, seed: int, out: Path | None
) -> Prepared:
    """Write the requests, in the exports with a manifest unless another file is named.

    Args:
        workspace: The workspace.
        count: How many wordings of each question.
        wording: Prompts of the user's own.
        seed: Of the order of options.
        out: Another file than the usual one.

    Raises:
        CurateError: If there is no survey, or no wording, or the file cannot be written.
    """
    questions, source = read_questions(workspace)
    words = load_wording(workspace.culture, wording)
    known = len(words.prompts)
    if count > known:
        raise click.UsageError(f"--prompts {count}: there are {known} {plural('wording', known)}")
    prompts = words.prompts[:count]
    path = out or workspace.exports_folder / FOLDER / REQUESTS
    written = write_requests(path, make_requests(questions, words, prompts, seed))
    kinds = {
        kind.value: sum(item.kind is kind for item in questions)
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL)
    }
    made = Prepared(written, kinds, tuple(item.id for item in prompts), seed, path)
    if out is None:
        inputs = [workspace.culture_file, source, *([wording] if wording else [])]
        write_manifest(
            path.parent,
            inputs=manifest_inputs(workspace, inputs),
            counts={"requests": written, **kinds},
            settings={"seed": seed, "prompts": list(made.prompts)},
            files=[path],
        )
    return made


@dataclass(frozen=True, slots=True)
class SimulateRun:
    """Models compared with people; nothing is written yet.

    Attributes:
        comparison: The scores and what they come from.
        duplicates: Replies left out because a later one to the same request counts.
        findings: What is to be said of files, requests and questions.
        seed: Of the bootstrap.
        requests: The requests that the replies answer.
        inputs: The files that the scores come from.
    """

    comparison: Comparison
    duplicates: int
    findings: tuple[Finding, ...]
    seed: int
    requests: Path
    inputs: tuple[Path, ...]


def compare_models(
    workspace: Workspace, replies: Sequence[Path], requests: Path | None, seed: int
) -> SimulateRun:
    """Read replies and hold them against the people's answers, writing nothing.

    Args:
        workspace: The workspace.
        replies: Files of replies.
        requests: What was asked; found beside the replies or in the exports by default.
        seed: Of the bootstrap.

    Raises:
        CurateError: If a file cannot be read, nobody's answers are counted yet, or the requests
            are not about the survey's questions.
    """
    questions, source = read_questions(workspace)
    tallies_file = workspace.responses_folder / TALLIES
    tallies = _counted(tallies_file)
    path = requests or _sent(workspace, replies[0])
    given = read_replies(replies)
    comparison = compare(
        read_requests(path),
        questions,
        tallies,
        workspace.targets,
        given.replies,
        seed=seed,
        file=", ".join(str(item) for item in replies),
    )
    return SimulateRun(
        comparison=comparison,
        duplicates=given.duplicates,
        findings=(*given.findings, *comparison.findings),
        seed=seed,
        requests=path,
        inputs=(source, tallies_file, workspace.targets_file, path, *replies),
    )


def _counted(path: Path) -> list[Tally]:
    tallies = read_tallies(path)
    if not tallies:
        raise CurateError(
            "the people's answers are not counted yet",
            str(path),
            "count them: curate filter --survey FILE",
        )
    return tallies


def _sent(workspace: Workspace, replies: Path) -> Path:
    """Find the requests that replies answer."""
    usual = workspace.exports_folder / FOLDER / REQUESTS
    for path in (replies.with_name(REQUESTS), usual):
        if path.exists():
            return path
    raise CurateError(
        "there are no requests that these replies could answer",
        str(usual),
        "name them with --requests FILE; 'curate survey simulate --prepare' makes them",
    )


def save(workspace: Workspace, run: SimulateRun, folder: Path) -> None:
    """Write scores and readings.

    Raises:
        CurateError: If something cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{folder} is no folder", str(folder), "name a folder for the scores")
    files = [folder / "scores.csv", folder / "readings.csv"]
    rows = [[cell(value) for value in row_dict(row).values()] for row in run.comparison.rows]
    write_table(files[0], "csv", SCORE_COLUMNS, rows)
    write_table(files[1], "csv", READING_COLUMNS, reading_rows(run.comparison))
    if run.requests.resolve().parent == folder.resolve():
        files.append(folder / run.requests.name)  # what --prepare put there stays there
    write_manifest(
        folder,
        inputs=manifest_inputs(workspace, run.inputs),
        counts={
            "models": len(run.comparison.attendance),
            "readings": len(run.comparison.judgements),
        },
        settings={"seed": run.seed, "bootstrap_draws": DRAWS},
        files=files,
    )


def row_dict(row: ScoreRow) -> dict[str, object]:
    """Give a row as JSON holds it."""
    return {**asdict(row), "kind": row.kind.value}
