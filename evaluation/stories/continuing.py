"""The requests to continue stories, and the complete stories."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from curation.files.jsonl import Line
from curation.files.tables import read_text
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode, load, missing
from curation.languages.prompts import ContinuationPrompt, Prompts
from curation.records.errors import CurateError, refuse_unknown
from curation.records.findings import Finding, listed
from curation.records.settings_errors import parse_settings
from evaluation.folders import requests_by_id, save_requests
from evaluation.parsing.thoughts import without_thoughts
from evaluation.replies.files import load_replies
from evaluation.requests import epoch_of, in_epochs, read_lines
from evaluation.stories.records import AskedStory, read_stories, stories_file

_PAGE = "docs/evaluation-stories.md"


def continuation_prompts(
    language: LanguageOrCode,
    path: Path | None = None,
    ids: Sequence[str] = (),
    *,
    free_length: bool = False,
) -> tuple[ContinuationPrompt, ...]:
    """The prompts of a language, or those of a user's own file.

    Args:
        language: The language, or its code.
        path: A YAML file with `prompts`, in place of the toolkit's own.
        ids: Only these; all by default.
        free_length: Those of the language that wish for no length.

    Raises:
        CurateError: If there are none, the file cannot be read, or there is none of an id.
    """
    found = _bundled(language, free_length) if path is None else _read(path)
    known = {prompt.id: prompt for prompt in found}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise CurateError(
            f"there is no prompt '{unknown[0]}'", hint=f"there are {', '.join(known)}"
        )
    return tuple(known[name] for name in dict.fromkeys(ids)) if ids else found


def _bundled(language: LanguageOrCode, free_length: bool) -> tuple[ContinuationPrompt, ...]:
    texts = load(language).stories
    found = texts and (texts.free_prompts if free_length else texts.prompts)
    if not found:
        raise missing(
            "stories",
            language,
            f"there are no prompts for continuations in '{language}'",
            "culture.yaml, language",
            "write some and name them with --prompts FILE",
        )
    return found


def _read(path: Path) -> tuple[ContinuationPrompt, ...]:
    return parse_settings(read_text(path), Prompts[ContinuationPrompt], path, _PAGE).prompts


FOLDER = "story_requests"
"""The folder below the exports that requests for continuations go to."""
_AGAIN = "make them again: curate evaluate stories prepare"


class Design(StrEnum):
    """Which sets are asked with which prompts.

    `paired`: the first set with the first prompt, the second with the second, and so on, as BBG was
    run; with more sets than prompts it begins again. `crossed`: every set with every prompt.
    """

    PAIRED = "paired"
    CROSSED = "crossed"


Stories = Mapping[tuple[str, str], Sequence[AskedStory]]
"""Stories by id and seed, each with its questions."""


@dataclass(frozen=True, slots=True)
class ContinuationRequests:
    """What models are asked to continue.

    Attributes:
        requests: How many requests were written.
        stories: How many stories they are about.
        sets: How many evaluation sets these are of.
        prompts: Ids of the prompts that are used.
        unused: Ids of those that no set is left for.
        design: Which sets are asked with which prompts.
        epochs: How often each is asked.
        file: Where the requests are.
    """

    requests: int
    stories: int
    sets: int
    prompts: tuple[str, ...]
    unused: tuple[str, ...]
    design: Design
    epochs: int
    file: Path


def prepare(
    workspace: Workspace,
    stories: Path | None = None,
    *,
    prompts: Path | None = None,
    prompt_ids: Sequence[str] = (),
    free_length: bool = False,
    design: str = Design.PAIRED,
    epochs: int = 1,
    out: Path | None = None,
) -> ContinuationRequests:
    """Write the requests to continue the stories of every set.

    Args:
        workspace: The workspace.
        stories: The stories; by default those of the exports.
        prompts: A YAML file of prompts, in place of those of the language.
        prompt_ids: Only these prompts; all by default.
        free_length: Use the language's prompt that wishes for no length.
        design: `paired`, each set with a prompt of its own, or `crossed`, with every prompt.
        epochs: How often each request is asked; from the second time on its id ends in `-e2` and
            so on.
        out: The file; by default one in `exports`, with a manifest.

    Raises:
        CurateError: If a file cannot be read or written, or there is no such prompt, design or
            number of epochs.
    """
    refuse_unknown("design", design, list(Design))
    chosen = Design(design)
    source = stories_file(workspace, stories)
    asked = continuation_prompts(workspace.language, prompts, prompt_ids, free_length=free_length)
    found = read_stories(source)
    sets = len({seed for _, seed in found})
    known = [prompt.id for prompt in asked]
    ids = tuple(known[:sets] if chosen is Design.PAIRED else known)
    file, written = save_requests(
        workspace,
        in_epochs(lambda: continuation_requests(found, asked, chosen), epochs),
        FOLDER,
        out,
        (workspace.culture_file, source, prompts),
        counts={"stories": len(found)},
        settings={"prompts": ids, "design": chosen.value, "epochs": epochs},
        command="evaluate stories prepare",
    )
    unused = tuple(known[len(ids) :])
    return ContinuationRequests(written, len(found), sets, ids, unused, chosen, epochs, file)


def continuation_requests(
    stories: Stories, prompts: Sequence[ContinuationPrompt], design: Design = Design.PAIRED
) -> Iterator[dict[str, object]]:
    """Yield the requests for stories, as `requests.jsonl` holds them.

    Args:
        stories: The stories; sets are in the order in which their first stories come.
        prompts: The prompts.
        design: Which sets are asked with which prompts.
    """
    sets = {seed: at for at, seed in enumerate(dict.fromkeys(seed for _, seed in stories))}
    for (story_id, seed), questions in stories.items():
        own = [prompts[sets[seed] % len(prompts)]] if design is Design.PAIRED else prompts
        for prompt in own:
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
    """A request for a continuation: which story, of which set, in which wording and epoch."""

    story_id: str
    seed: str
    prompt_id: str
    epoch: int = 1


def read_continuation_requests(path: Path) -> dict[str, Asked]:
    """Read requests for continuations by their ids, without what models were sent.

    Raises:
        CurateError: If the file cannot be read, a line is no such request, or an id occurs
            twice.
    """
    return requests_by_id(path, read_lines(path), _asked, "request for a continuation", _AGAIN)


def _asked(line: Line) -> Asked:
    story_id, seed, prompt_id = (line.text(name) for name in ("story_id", "seed", "prompt_id"))
    return Asked(story_id, seed, prompt_id, epoch_of(line))


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
    given = load_replies(paths)
    file = ", ".join(str(path) for path in paths)
    _refuse_strange_stories(requests, stories)
    found: dict[tuple[str, str], Continued] = {}
    strange: list[str] = []
    lost: list[str] = []
    for reply in given.replies():
        asked = requests.get(reply.request_id)
        if asked is None:
            strange.append(reply.request_id)
            continue
        text = None if reply.text is None else without_thoughts(reply.text)
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
        *listed(
            "story-reply-unknown",
            file,
            strange,
            "replies to no request of these",
            "left out",
        ),
        *listed(
            "story-reply-lost",
            file,
            lost,
            "replies that failed or are all thoughts",
            "ask again",
        ),
        *listed(
            "story-reply-missing",
            file,
            missing,
            "requests have no continuation",
            "run the model again on what is missing: its readings would be incomplete",
        ),
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
