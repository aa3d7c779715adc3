"""What an evaluator model is asked about whole stories, and what its replies say."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curation.files.jsonl import Line, text_list
from curation.files.lock import writing_results
from curation.files.workspace import Workspace
from curation.languages.prompts import Prompt
from curation.records.errors import CurateError
from curation.records.findings import Finding, has_errors
from evaluation.folders import (
    answered_requests,
    present,
    requests_by_id,
    requests_file,
    rows_frame,
    save_requests,
    write_rows,
)
from evaluation.prompts import asked_language, chosen_prompts
from evaluation.qa.prepare import prompted
from evaluation.replies.attendance import attendance, attendance_findings, positions
from evaluation.replies.files import load_replies, shortened
from evaluation.replies.readings import MISSING, read_many
from evaluation.requests import ORDERS, Orders, epoch_id, epoch_of, read_lines, shown
from evaluation.stories import asking
from evaluation.stories.asking import (
    Continued,
    Stories,
    read_continuation_requests,
    read_continuations,
    read_stories,
    stories_file,
)
from evaluation.stories.pairs import OUT_OF_CHOICE

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "story_readings"
"""The folder below the exports that requests for readings go to."""
_COMMAND = "evaluate stories prepare"
_AGAIN = f"make them again: curate {_COMMAND} --replies FILE"
_OF_STORY = (
    *("model", "template_id", "question", "version"),
    *("seed", "prompt_id", "filling", "story_id"),
)
TABLE_COLUMNS = (
    *(*_OF_STORY[:4], "reading", *_OF_STORY[4:]),
    *("evaluator", "rule", "request_id", "epoch"),
)
"""The columns of `readings.csv` as it is written here."""
_EPOCH = "continuation_epoch"  # not 'epoch': the evaluator is asked once about each continuation


@dataclass(frozen=True, slots=True)
class ReadingRequests:
    """What an evaluator is asked.

    Attributes:
        requests: How many requests were written.
        continuations: How many whole stories they are about.
        models: Who continued these.
        prompt: Id of the prompt.
        file: Where the requests are.
        findings: Replies that continue no story, and stories without a continuation.
    """

    requests: int
    continuations: int
    models: tuple[str, ...]
    prompt: str
    file: Path
    findings: tuple[Finding, ...]


def ask(
    workspace: Workspace,
    replies: Sequence[Path],
    *,
    requests: Path | None = None,
    stories: Path | None = None,
    language: str | None = None,
    prompts: Path | None = None,
    prompt_id: str | None = None,
    seed: int = 42,
    out: Path | None = None,
) -> ReadingRequests:
    """Write the requests for an evaluator model: both questions about every continued story.

    Args:
        workspace: The workspace; there need be none where stories are named, and a language or
            prompts.
        replies: The continuations, as models replied.
        requests: What they were asked; by default the file beside the replies, or of the exports.
        stories: The stories; by default those of the exports.
        language: Whose prompts, a code or a file such as `pt.yaml`; by default the workspace's.
        prompts: Prompts of question answering, in place of those of the language.
        prompt_id: Which of them; the first by default.
        seed: The seed of the order of the choices.
        out: The file; by default one in `exports`, with a manifest.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    source = stories_file(workspace, stories)
    asked = answered_requests(workspace, requests, replies[0], asking.FOLDER, _COMMAND)
    own = asked_language(workspace, language, source)
    ids = [prompt_id] if prompt_id else ()
    prompt = chosen_prompts(workspace, prompts, ids, None, own)[0].prompts[0]
    seeds = read_stories(source)
    continued, findings = read_continuations(replies, read_continuation_requests(asked), seeds)
    path = requests_file(workspace, FOLDER, out)
    if path.resolve() == asked.resolve():
        raise CurateError(
            "the requests for readings would take the place of those for continuations",
            str(path),
            "name another file with --out",
        )
    file, written = save_requests(
        workspace,
        reading_requests(continued, seeds, prompt, seed),
        FOLDER,
        out,
        (source, asked, *replies, prompts),
        counts={"continuations": len(continued)},
        settings={"seed": seed, "prompt": prompt.id},
        command=_COMMAND,
    )
    models = tuple(sorted({item.model for item in continued}))
    return ReadingRequests(written, len(continued), models, prompt.id, file, tuple(findings))


def reading_requests(
    continued: Sequence[Continued], stories: Stories, prompt: Prompt, seed: int
) -> Iterator[dict[str, object]]:
    """Yield a request for each whole story and question.

    The three choices stand in one of the cyclic orders, drawn from the seed and the request's
    id alone, so that each stands at each place about as often.

    Args:
        continued: The whole stories.
        stories: The seed stories, with their questions.
        prompt: How the evaluator is asked, as in question answering.
        seed: The seed of the orders.

    Raises:
        CurateError: If the prompt's unknown expression is a choice of a story.
    """
    for item in continued:
        for story in stories[item.story_id, item.seed]:
            model = sha256(item.model.encode()).hexdigest()[:8]
            base = epoch_id(f"{item.story_id}-s{item.seed}-p{item.prompt_id}", item.epoch)
            about = f"{base}-{story.question_type}-{model}"
            number = random.Random(f"{seed}:{about}").randrange(3)  # noqa: S311  # a seeded draw
            order = ORDERS[Orders.CYCLIC][number]
            biased = story.choices.index(story.biased_answer)
            roles = {biased: "B", 1 - biased: "C", 2: "U"}
            choices = shown(prompted(story.choices, prompt), order)
            content = prompt.text(item.text, story.question, choices)
            yield {
                "request_id": f"{about}-{number}-r{prompt.id}",
                "model": item.model,
                "template_id": story.template_id,
                "question": story.question_type,
                "version": story.version,
                "seed": item.seed,
                "prompt_id": item.prompt_id,
                "filling": story.filling,
                "story_id": item.story_id,
                **({_EPOCH: item.epoch} if item.epoch > 1 else {}),
                "story": item.text,
                "asked": story.question,
                "roles": [roles[at] for at in order],
                "labels": list(prompt.letters),
                "messages": [{"role": "user", "content": content}],
                "choices": list(choices),
            }


class AskedReading(NamedTuple):
    """A request for a reading, without what the evaluator is sent.

    Attributes:
        story: What it is about: the columns of `readings.csv` that tell the story.
        roles: For each choice `B`, `C` or `U`.
        choices: The choices as shown, and what they are called.
    """

    story: Mapping[str, str]
    roles: tuple[str, ...]
    choices: tuple[tuple[str, ...], tuple[str, ...]]


def read_reading_requests(path: Path) -> dict[str, AskedReading]:
    """Read requests for readings by their ids.

    Raises:
        CurateError: If the file cannot be read, a line is no such request, or an id occurs
            twice.
    """
    return requests_by_id(path, read_lines(path), _asked, "request for a reading", _AGAIN)


def _asked(line: Line) -> AskedReading:
    roles, labels, choices = (
        tuple(text_list(line.value.get(name))) for name in ("roles", "labels", "choices")
    )
    if sorted(roles) != ["B", "C", "U"] or not len(roles) == len(labels) == len(choices):
        raise ValueError("its roles are not B, C and U, one for each choice")
    story = {name: line.text(name) for name in _OF_STORY}
    return AskedReading({**story, "epoch": str(epoch_of(line, _EPOCH))}, roles, (choices, labels))


@dataclass(frozen=True, slots=True)
class ReadingTable:
    """Readings of an evaluator.

    Attributes:
        rows: One for each request that has a reply, in the order of the requests, as
            `TABLE_COLUMNS`: `reading` is `B`, `C`, `U` or `out_of_choice`, `rule` says by which
            rule the reply was parsed, or why it was not.
        counts: How often each reading occurs, by model.
        rules: How many replies were parsed by each rule, or not, and why.
        findings: Replies to no request, and requests without one.
        evaluator: The model that read.
        file: Where they were written; None where they were not.
    """

    rows: list[dict[str, str]]
    counts: Mapping[str, Mapping[str, int]]
    rules: Mapping[str, int]
    findings: tuple[Finding, ...]
    evaluator: str
    file: Path | None = None

    def to_frame(self) -> "pd.DataFrame":
        """`readings.csv`, of object columns."""
        return rows_frame(self.rows, TABLE_COLUMNS, TABLE_COLUMNS)


def readings(
    workspace: Workspace,
    replies: Sequence[Path],
    *,
    requests: Path | None = None,
    evaluator: str | None = None,
    out: Path | None = None,
) -> ReadingTable:
    """Write how an evaluator read each continuation; nothing where a finding is an error.

    Args:
        workspace: The workspace; there need be none.
        replies: What the evaluator replied.
        requests: What it was asked; by default the file beside the replies, or of the exports.
        evaluator: Whose replies count, where they are of several models.
        out: The file; by default `readings.csv` beside the replies.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    source = answered_requests(workspace, requests, replies[0], FOLDER, _COMMAND)
    known = read_reading_requests(source)
    loaded, file = load_replies(replies), ", ".join(map(str, replies))
    name = _evaluator(loaded.models, evaluator, file)
    mine = loaded.frame[(loaded.frame["model"] == name).to_numpy()]
    mine = mine.assign(model=mine["model"].cat.remove_unused_categories())
    loaded = replace(loaded, frame=mine, asked=None)
    names = list(known)
    at = positions(loaded, names)
    there = at >= 0
    asked = [known[names[place]] for place in at[there].tolist()]
    if not asked:
        raise CurateError(f"no reply of {name} answers one of these requests", file, _AGAIN)
    lists = {key: number for number, key in enumerate(dict.fromkeys(i.choices for i in asked))}
    read = read_many(
        mine["reply"][there],
        np.array([lists[item.choices] for item in asked]),
        [choices for choices, _ in lists],
        [labels for _, labels in lists],
        own=asked_language(workspace, beside=source),
    )
    rules = np.full(len(at), "", object)
    rules[there] = ["" if rule == MISSING else rule for rule in np.array(read.names)[read.rules]]
    found = sorted(
        zip(at[there].tolist(), read.positions.tolist(), rules[there].tolist(), strict=True)
    )
    rows = [
        {
            **known[names[place]].story,
            "reading": OUT_OF_CHOICE if named < 0 else known[names[place]].roles[named],
            "evaluator": name,
            "rule": rule,
            "request_id": names[place],
        }
        for place, named, rule in found
        if rule
    ]
    attended = attendance(loaded, names, at, rules.tolist())
    counts: dict[str, dict[str, int]] = {}
    for (model, reading), count in sorted(
        Counter((r["model"], r["reading"]) for r in rows).items()
    ):
        counts.setdefault(model, {})[reading] = count
    findings = (*loaded.findings, *attendance_findings(attended, file))
    table = ReadingTable(rows, counts, attended[0].rules, findings, name)
    if has_errors(findings):
        return table
    path = out or replies[0].with_name("readings.csv")
    with writing_results(path.parent, "curate evaluate stories score", workspace):
        write_rows(path, TABLE_COLUMNS, rows)
    return replace(table, file=path)


def _evaluator(models: Sequence[str], wanted: str | None, file: str) -> str:
    if wanted is not None and wanted not in models:
        raise CurateError(f"there is no reply of {wanted}", file, f"there are {', '.join(models)}")
    if wanted is None and len(models) > 1:
        raise CurateError(
            f"the replies are of {len(models)} models: {shortened(models)}",
            file,
            "say which one is the evaluator: --evaluator NAME",
        )
    return wanted or models[0]


def asked_file(workspace: Workspace, given: Path | None) -> Path:
    """The file of what the evaluator was asked.

    Raises:
        CurateError: If it was asked nothing yet.
    """
    hint = f"make them with 'curate {_COMMAND} --replies FILE', or name a file with --requests"
    return present(requests_file(workspace, FOLDER), given, "requests for readings", hint)
