"""What an evaluator model is asked about whole stories, and what its replies say."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from curation.io.jsonl import Line, text_list
from curation.io.replies import shortened
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from evaluation.answers import MISSING, read_many
from evaluation.orders import ORDERS, Orders, shown
from evaluation.prepare import prompted
from evaluation.prompts import Prompt
from evaluation.replies import load_replies
from evaluation.requests import read_lines
from evaluation.stories.continuing import Continued, Stories
from evaluation.stories.readings import OUT_OF_CHOICE, READING_COLUMNS
from evaluation.stories.records import AskedStory

FOLDER = "story_readings"
"""The folder below the exports that requests for readings go to."""
TABLE_COLUMNS = (
    *READING_COLUMNS,
    *("seed", "prompt_id", "filling", "story_id", "evaluator", "rule", "request_id"),
)
"""The columns of `readings.csv` as it is written here."""
_AGAIN = "make them again: curate evaluate stories ask"


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
        seed: Of the orders.

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
    about = f"{asked.story_id}-s{asked.seed}-p{asked.prompt_id}-{story.question_type}-{model}"
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
        "story": item.text,
        "asked": story.question,
        "roles": [roles[at] for at in order],
        "labels": list(prompt.letters),
        "messages": [{"role": "user", "content": prompt.text(item.text, story.question, choices)}],
        "choices": list(choices),
    }


@dataclass(frozen=True, slots=True)
class AskedReading:
    """A request for a reading, without what the evaluator is sent; fields as in the file."""

    request_id: str
    model: str
    template_id: str
    question: str
    version: str
    seed: str
    prompt_id: str
    filling: str
    story_id: str
    roles: tuple[str, ...]
    labels: tuple[str, ...]
    choices: tuple[str, ...]


def read_reading_requests(path: Path) -> dict[str, AskedReading]:
    """Read requests for readings by their ids.

    Raises:
        CurateError: If the file cannot be read, a line is no such request, or an id stands
            twice.
    """
    found: dict[str, AskedReading] = {}
    for line in read_lines(path):
        where = f"{path}, line {line.number}"
        try:
            asked = _asked(line)
        except ValueError as error:
            what = f"the line is no request for a reading: {error}"
            raise CurateError(what, where, _AGAIN) from error
        if asked.request_id in found:
            raise CurateError(f"request {asked.request_id} stands twice", where, _AGAIN)
        found[asked.request_id] = asked
    if not found:
        raise CurateError(f"{path.name} holds no request", str(path), _AGAIN)
    return found


def _asked(line: Line) -> AskedReading:
    roles, labels, choices = (
        tuple(text_list(line.value.get(name))) for name in ("roles", "labels", "choices")
    )
    if sorted(roles) != ["B", "C", "U"] or not len(roles) == len(labels) == len(choices):
        raise ValueError("its roles are not B, C and U, one for each choice")
    return AskedReading(
        *(line.text("request_id"), line.text("model"), line.text("template_id")),
        *(line.text("question"), line.text("version"), line.text("seed")),
        *(line.text("prompt_id"), line.text("filling"), line.text("story_id")),
        roles=roles,
        labels=labels,
        choices=choices,
    )


@dataclass(frozen=True, slots=True)
class ReadingTable:
    """Readings as they are written.

    Attributes:
        rows: One for each request that has a reply, in the order of the requests.
        counts: How often each reading occurs, by model.
        rules: How often replies were read by each rule, or not read by each.
        findings: Replies to no request, and requests without one.
        evaluator: The model that read.
    """

    rows: tuple[tuple[str, ...], ...]
    counts: Mapping[str, Mapping[str, int]]
    rules: Mapping[str, int]
    findings: tuple[Finding, ...]
    evaluator: str


def read_table(
    paths: Sequence[Path], requests: Mapping[str, AskedReading], evaluator: str | None
) -> ReadingTable:
    """Read the evaluator's replies.

    Args:
        paths: Files of replies.
        requests: What it was asked, by id.
        evaluator: Which model's replies count, where the files hold those of several.

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
    )
    rules = [readings.names[rule] for rule in readings.rules.tolist()]
    rows = tuple(
        _row(item, position, rule, name)
        for item, position, rule in zip(asked, readings.positions.tolist(), rules, strict=True)
        if rule != MISSING
    )
    missing = [key for key in requests if not isinstance(given.get(key), str)]
    findings = (*loaded.findings, *_strange(file, strange), *_missing(file, missing))
    return ReadingTable(rows, _counts(rows), Counter(rules), findings, name)


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


def _row(item: AskedReading, position: int, rule: str, evaluator: str) -> tuple[str, ...]:
    reading = OUT_OF_CHOICE if position < 0 else item.roles[position]
    return (
        *(item.model, item.template_id, item.question, item.version, reading),
        *(item.seed, item.prompt_id, item.filling, item.story_id, evaluator, rule),
        item.request_id,
    )


def _counts(rows: Sequence[tuple[str, ...]]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row[0], Counter())[row[4]] += 1
    return {model: dict(sorted(found.items())) for model, found in sorted(counts.items())}


def _strange(file: str, names: Sequence[str]) -> list[Finding]:
    if not names:
        return []
    message = f"{len(names)} replies are to no request of these: {shortened(names)}"
    return [Finding("story-reply-unknown", Severity.WARNING, file, None, "", message, "left out")]


def _missing(file: str, names: Sequence[str]) -> list[Finding]:
    if not names:
        return []
    message = f"{len(names)} requests have no reply: {shortened(names)}"
    hint = "ask again: a story without both readings cannot be scored"
    return [Finding("story-reply-missing", Severity.WARNING, file, None, "", message, hint)]
