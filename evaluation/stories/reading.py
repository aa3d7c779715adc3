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
from curation.files.tables import write_csv
from curation.files.workspace import Workspace
from curation.languages import Language
from curation.languages.prompts import Prompt
from curation.records.errors import CurateError
from curation.records.findings import Finding, has_errors, listed
from curation.records.frames import frame
from evaluation.folders import answered_requests, requests_by_id, requests_file, save_requests
from evaluation.language import asked_language
from evaluation.prompts import bundled_prompts, read_prompts
from evaluation.qa.prepare import prompted
from evaluation.replies.files import load_replies, shortened
from evaluation.replies.readings import MISSING, read_many
from evaluation.requests import ORDERS, Orders, epoch_id, epoch_of, read_lines, shown
from evaluation.stories import continuing
from evaluation.stories.continuing import (
    Continued,
    Stories,
    read_continuation_requests,
    read_continuations,
)
from evaluation.stories.pairs import OUT_OF_CHOICE
from evaluation.stories.records import AskedStory, read_stories, stories_file

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "story_readings"
"""The folder below the exports that requests for readings go to."""
_AGAIN = "make them again: curate evaluate stories prepare --replies FILE"


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
    prompts: Path | None = None,
    prompt_id: str | None = None,
    seed: int = 42,
    out: Path | None = None,
) -> ReadingRequests:
    """Write the requests for an evaluator model: both questions about every continued story.

    Args:
        workspace: The workspace.
        replies: The continuations, as models replied.
        requests: What they were asked; by default the file beside the replies, or of the exports.
        stories: The stories; by default those of the exports.
        prompts: Prompts of question answering, in place of those of the language.
        prompt_id: Which of them; the first by default.
        seed: The seed of the order of the choices.
        out: The file; by default one in `exports`, with a manifest.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    source = stories_file(workspace, stories)
    command = "evaluate stories prepare"
    asked = answered_requests(workspace, requests, replies[0], continuing.FOLDER, command)
    known = read_prompts(prompts) if prompts else bundled_prompts(workspace.language)
    prompt = (known.only([prompt_id]) if prompt_id else known).prompts[0]
    seeds = read_stories(source)
    found = read_continuations(replies, read_continuation_requests(asked), seeds)
    path = requests_file(workspace, FOLDER, out)
    if path.resolve() == asked.resolve():
        raise CurateError(
            "the requests for readings would take the place of those for continuations",
            str(path),
            "name another file with --out",
        )
    file, written = save_requests(
        workspace,
        reading_requests(found.stories, seeds, prompt, seed),
        FOLDER,
        out,
        (source, asked, *replies, prompts),
        counts={"continuations": len(found.stories)},
        settings={"seed": seed, "prompt": prompt.id},
        command="evaluate stories prepare",
    )
    models = tuple(sorted({item.model for item in found.stories}))
    return ReadingRequests(written, len(found.stories), models, prompt.id, file, found.findings)


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
        asked = item.asked
        for story in stories[asked.story_id, asked.seed]:
            yield _request(item, story, prompt, seed)


def _request(item: Continued, story: AskedStory, prompt: Prompt, seed: int) -> dict[str, object]:
    asked = item.asked
    model = sha256(item.model.encode()).hexdigest()[:8]
    continued = epoch_id(f"{asked.story_id}-s{asked.seed}-p{asked.prompt_id}", asked.epoch)
    about = f"{continued}-{story.question_type}-{model}"
    number = random.Random(f"{seed}:{about}").randrange(3)  # noqa: S311  # a seeded draw
    order = ORDERS[Orders.CYCLIC][number]
    biased = story.choices.index(story.biased_answer)
    roles = {biased: "B", 1 - biased: "C", 2: "U"}
    choices = shown(prompted(story.choices, prompt), order)
    return {
        "request_id": f"{about}-{number}-r{prompt.id}",
        "model": item.model,
        "template_id": story.template_id,
        "question": story.question_type,
        "version": story.version,
        "seed": asked.seed,
        "prompt_id": asked.prompt_id,
        "filling": story.filling,
        "story_id": asked.story_id,
        # Not 'epoch': the evaluator is asked once about each continuation.
        **({_EPOCH: asked.epoch} if asked.epoch > 1 else {}),
        "story": item.text,
        "asked": story.question,
        "roles": [roles[at] for at in order],
        "labels": list(prompt.letters),
        "messages": [{"role": "user", "content": prompt.text(item.text, story.question, choices)}],
        "choices": list(choices),
    }


_OF_STORY = (
    *("model", "template_id", "question", "version"),
    *("seed", "prompt_id", "filling", "story_id"),
)
_EPOCH = "continuation_epoch"


@dataclass(frozen=True, slots=True)
class AskedReading:
    """A request for a reading, without what the evaluator is sent.

    Attributes:
        request_id: Its id.
        story: What it is about: the columns of `readings.csv` that tell the story.
        roles: For each choice `B`, `C` or `U`.
        labels: What the choices are called.
        choices: The choices as shown.
    """

    request_id: str
    story: Mapping[str, str]
    roles: tuple[str, ...]
    labels: tuple[str, ...]
    choices: tuple[str, ...]


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
    story["epoch"] = str(epoch_of(line, _EPOCH))
    return AskedReading(line.text("request_id"), story, roles, labels, choices)


class Reading(NamedTuple):
    """How an evaluator read a whole story; fields are the columns of `readings.csv`.

    Attributes:
        model: Who continued the story.
        template_id: Its template.
        question: Which of the two questions.
        version: Which version of the story.
        reading: `B`, `C`, `U` or `out_of_choice`.
        seed: The seed of the evaluation set.
        prompt_id: How the continuation was asked for.
        filling: Which filling of the template.
        story_id: The story.
        evaluator: The model that read.
        rule: By which rule its reply was parsed, or why it was not.
        request_id: What it was asked.
        epoch: Which continuation of the story in this set and with this prompt, from 1.
    """

    model: str
    template_id: str
    question: str
    version: str
    reading: str
    seed: str
    prompt_id: str
    filling: str
    story_id: str
    evaluator: str
    rule: str
    request_id: str
    epoch: str = "1"


TABLE_COLUMNS = Reading._fields
"""The columns of `readings.csv` as it is written here."""


@dataclass(frozen=True, slots=True)
class ReadingTable:
    """Readings of an evaluator.

    Attributes:
        rows: One for each request that has a reply, in the order of the requests.
        counts: How often each reading occurs, by model.
        rules: How many replies were parsed by each rule, or not, and why.
        findings: Replies to no request, and requests without one.
        evaluator: The model that read.
        file: Where they were written; None where they were not.
    """

    rows: tuple[Reading, ...]
    counts: Mapping[str, Mapping[str, int]]
    rules: Mapping[str, int]
    findings: tuple[Finding, ...]
    evaluator: str
    file: Path | None = None

    def to_frame(self) -> "pd.DataFrame":
        """`readings.csv`, of object columns."""
        return frame(self.rows, Reading)


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
        workspace: The workspace.
        replies: What the evaluator replied.
        requests: What it was asked; by default the file beside the replies, or of the exports.
        evaluator: Whose replies count, where they are of several models.
        out: The file; by default `readings.csv` beside the replies.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    asked = answered_requests(workspace, requests, replies[0], FOLDER, "evaluate stories prepare")
    found = read_table(
        replies,
        read_reading_requests(asked),
        evaluator,
        asked_language(workspace, beside=asked),
    )
    if has_errors(found.findings):
        return found
    path = out or replies[0].with_name("readings.csv")
    with writing_results(path.parent, "curate evaluate stories score", workspace):
        write_csv(path, TABLE_COLUMNS, found.rows, escaped=True)
    return replace(found, file=path)


def read_table(
    paths: Sequence[Path],
    requests: Mapping[str, AskedReading],
    evaluator: str | None,
    own: Language | None = None,
) -> ReadingTable:
    """Read the evaluator's replies.

    Args:
        paths: Files of replies.
        requests: What it was asked, by id.
        evaluator: Which model's replies count, where the files hold those of several.
        own: The language whose own words replies are read with too.

    Raises:
        CurateError: If a file cannot be read, no reply answers a request, or it is open which
            model is the evaluator.
    """
    loaded = load_replies(paths)
    file = ", ".join(str(path) for path in paths)
    name = _evaluator(loaded.models, evaluator, file)
    frame = loaded.frame[(loaded.frame["model"] == name).to_numpy()]
    given = dict(zip(frame["request_id"], frame["reply"].astype(object), strict=True))
    strange = [item for item in given if item not in requests]
    asked = [item for key, item in requests.items() if key in given]
    if not asked:
        raise CurateError(f"no reply of {name} answers one of these requests", file, _AGAIN)
    texts = [given[item.request_id] for item in asked]
    replies = [text if isinstance(text, str) else None for text in texts]
    lists = {key: at for at, key in enumerate(dict.fromkeys((i.choices, i.labels) for i in asked))}
    readings = read_many(
        replies,
        np.array([lists[item.choices, item.labels] for item in asked]),
        [choices for choices, _ in lists],
        [labels for _, labels in lists],
        own=own,
    )
    rules = [readings.names[rule] for rule in readings.rules.tolist()]
    rows = tuple(
        _row(item, position, rule, name)
        for item, position, rule in zip(asked, readings.positions.tolist(), rules, strict=True)
        if rule != MISSING
    )
    missing = [key for key in requests if not isinstance(given.get(key), str)]
    findings = (
        *loaded.findings,
        *listed(
            "story-reply-unknown",
            file,
            strange,
            "replies are to no request of these",
            "left out",
        ),
        *listed(
            "story-reply-missing",
            file,
            missing,
            "requests have no reply",
            "ask again: a story without both readings cannot be scored",
        ),
    )
    return ReadingTable(rows, _counts(rows), dict(sorted(Counter(rules).items())), findings, name)


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


def _row(item: AskedReading, position: int, rule: str, evaluator: str) -> Reading:
    reading = OUT_OF_CHOICE if position < 0 else item.roles[position]
    return Reading(
        **item.story,
        reading=reading,
        evaluator=evaluator,
        rule=rule,
        request_id=item.request_id,
    )


def _counts(rows: Sequence[Reading]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row.model, Counter())[row.reading] += 1
    return {model: dict(sorted(found.items())) for model, found in sorted(counts.items())}


def asked_file(workspace: Workspace, given: Path | None) -> Path:
    """The file of what the evaluator was asked.

    Raises:
        CurateError: If it was asked nothing yet.
    """
    path = requests_file(workspace, FOLDER, given)
    if given is None and not path.exists():
        raise CurateError(
            "there are no requests for readings yet",
            str(path),
            "make them with 'curate evaluate stories prepare --replies FILE', or name a file with "
            "--requests",
        )
    return path
