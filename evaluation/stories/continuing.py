"""What models are asked to continue, and the whole stories that come of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.io.replies import read_replies, shortened
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.reply.thoughts import without_thoughts
from evaluation.requests import read_lines
from evaluation.stories.prompts import ContinuationPrompt
from evaluation.stories.records import AskedStory

FOLDER = "story_requests"
"""The folder below the exports that requests for continuations go to."""
_AGAIN = "make them again: curate evaluate stories prepare"

Stories = Mapping[tuple[str, str], Sequence[AskedStory]]
"""Stories by id and seed, each with its questions."""


def continuation_requests(
    stories: Stories, prompts: Sequence[ContinuationPrompt]
) -> Iterator[dict[str, object]]:
    """Yield a request for each story and prompt, as `requests.jsonl` holds them."""
    for (story_id, seed), questions in stories.items():
        for prompt in prompts:
            yield {
                "request_id": f"{story_id}-s{seed}-p{prompt.id}",
                "story_id": story_id,
                "seed": seed,
                "prompt_id": prompt.id,
                "messages": [{"role": "user", "content": prompt.text(questions[0].context)}],
                "choices": [],
            }


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a continuation: which story, of which set, in which wording."""

    story_id: str
    seed: str
    prompt_id: str


def read_continuation_requests(path: Path) -> dict[str, Asked]:
    """Read requests for continuations by their ids, without what models were sent.

    Raises:
        CurateError: If the file cannot be read, a line is no such request, or an id stands
            twice.
    """
    found: dict[str, Asked] = {}
    for line in read_lines(path):
        where = f"{path}, line {line.number}"
        try:
            name = line.text("request_id")
            asked = Asked(line.text("story_id"), line.text("seed"), line.text("prompt_id"))
        except ValueError as error:
            what = f"the line is no request for a continuation: {error}"
            raise CurateError(what, where, _AGAIN) from error
        if name in found:
            raise CurateError(f"request {name} stands twice", where, _AGAIN)
        found[name] = asked
    if not found:
        raise CurateError(f"{path.name} holds no request", str(path), _AGAIN)
    return found


@dataclass(frozen=True, slots=True)
class Continued:
    """A story that a model continued.

    Attributes:
        model: The model.
        asked: What it was asked.
        text: The whole story: seed and continuation.
    """

    model: str
    asked: Asked
    text: str


@dataclass(frozen=True, slots=True)
class Continuations:
    """What models made of stories.

    Attributes:
        stories: The whole stories, in the order of models and requests.
        findings: Replies to no request, failed ones, and requests without a reply.
    """

    stories: tuple[Continued, ...]
    findings: tuple[Finding, ...]


def read_continuations(
    paths: Sequence[Path], requests: Mapping[str, Asked], stories: Stories
) -> Continuations:
    """Put the replies of models behind their stories.

    A reply's thoughts are no part of it, and neither is the seed story where a model repeats
    it. A reply that failed or is all thoughts gives no story.

    Args:
        paths: Files of replies.
        requests: What models were asked, by id.
        stories: The seed stories.

    Raises:
        CurateError: If a file cannot be read, no reply answers a request, or a request is about
            a story that is not there.
    """
    given = read_replies(paths)
    file = ", ".join(str(path) for path in paths)
    _refuse_strange_stories(requests, stories)
    found: dict[tuple[str, str], Continued] = {}
    strange: list[str] = []
    lost: list[str] = []
    for reply in given.replies:
        asked = requests.get(reply.request_id)
        if asked is None:
            strange.append(reply.request_id)
            continue
        text = None if reply.reply is None else without_thoughts(reply.reply)
        if text is None:
            lost.append(f"{reply.request_id} ({reply.model})")
            continue
        seed = stories[asked.story_id, asked.seed][0].context
        whole = _whole(seed, text)
        found[reply.model, reply.request_id] = Continued(reply.model, asked, whole)
    if not found:
        raise CurateError("no reply continues a story of these requests", file, _AGAIN)
    missing = [
        f"{name} ({model})"
        for model in given.models
        for name in requests
        if (model, name) not in found
    ]
    findings = [
        *given.findings,
        *_said("story-reply-unknown", file, strange, "to no request of these", "left out"),
        *_said("story-reply-lost", file, lost, "that failed or are all thoughts", "ask again"),
        *_absent(file, missing),
    ]
    order = {name: at for at, name in enumerate(requests)}
    ordered = sorted(found.items(), key=lambda item: (item[0][0], order[item[0][1]]))
    return Continuations(tuple(item for _, item in ordered), tuple(findings))


def _whole(seed: str, continuation: str) -> str:
    """Put a continuation behind its seed, which it may repeat."""
    words, told = " ".join(continuation.split()), " ".join(seed.split())
    rest = words.removeprefix(told).strip() if words.startswith(told) else continuation.strip()
    return f"{seed} {rest}".strip()


def _refuse_strange_stories(requests: Mapping[str, Asked], stories: Stories) -> None:
    for name, asked in requests.items():
        if (asked.story_id, asked.seed) not in stories:
            raise CurateError(
                f"request {name} is about story {asked.story_id} of seed {asked.seed}, which is "
                "not among the stories",
                name,
                "name the stories that the requests were made of with --stories",
            )


def _said(rule: str, file: str, names: Sequence[str], what: str, hint: str) -> list[Finding]:
    if not names:
        return []
    message = f"{len(names)} replies {what}: {shortened(names)}"
    return [Finding(rule, Severity.WARNING, file, None, "", message, hint)]


def _absent(file: str, names: Sequence[str]) -> list[Finding]:
    if not names:
        return []
    message = f"{len(names)} requests have no continuation: {shortened(names)}"
    hint = "run the model again on what is missing: its readings would be incomplete"
    return [Finding("story-reply-missing", Severity.WARNING, file, None, "", message, hint)]
