"""The stories that models continue, whatever made them, and the requests to continue them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from curation.files.jsonl import Line
from curation.files.tables import Row, Table, list_literal, read_table, read_text, refuse_problems
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode, load, missing
from curation.languages.prompts import ContinuationPrompt, Prompts
from curation.records.messages import CurateError, Finding, refuse_unknown
from curation.records.settings import parse_settings
from evaluation.folders import present, requests_by_id, save_requests
from evaluation.parsing.words import without_thoughts
from evaluation.prompts import asked_language, no_language
from evaluation.replies.files import attendance, attendance_findings, load_replies, positions
from evaluation.requests import epoch_of, in_epochs, read_lines
from evaluation.stories.records import STORIES

FOLDER = "story_requests"
"""The folder below the exports that requests for continuations go to."""
_PAGE = "docs/evaluation-stories.md"
_AGAIN = "make them again: curate evaluate stories prepare"
_BUILD = "make the stories again: curate evaluate stories build"
_PUBLISHED = ("id", "context", "qtype", "question", "choices", "biased_answer")
_ID = re.compile(r"((?P<template_id>.+-\d+)-(?P<version>[a-d])-(?P<filling>\d+))-(bsd|cnt)")
_SET = re.compile(r"set_?(\d+)")


class AskedStory(NamedTuple):
    """What of a story is needed to ask about it; fields as in `Story`."""

    story_id: str
    seed: str
    template_id: str
    version: str
    filling: str
    context: str
    question_type: str
    question: str
    choices: tuple[str, str, str]
    biased_answer: str


Stories = Mapping[tuple[str, str], Sequence[AskedStory]]
"""Stories by id and seed, each with its questions."""


def stories_file(workspace: Workspace, given: Path | None = None) -> Path:
    """The stories that were given, or those of the exports.

    Raises:
        CurateError: If none were given and none built.
    """
    hint = "make them with 'curate evaluate stories build', or name a file with --stories"
    return present(workspace.exports_folder / "stories" / STORIES, given, "stories", hint)


def read_stories(path: Path) -> Stories:
    """Read stories by id and seed, each with its questions.

    Args:
        path: `stories.csv`, or an evaluation set as BBG's authors published it. The seed of that
            is the number in its name.

    Raises:
        CurateError: If the file cannot be read, a row is no story, or a question of a story
            occurs twice.
    """
    table = read_table(path, escaped=True)
    is_published = "qtype" in table.columns
    if not is_published:
        table = read_table(path, required=AskedStory._fields, escaped=True)
    refuse_problems(table)
    rows = _published(table, path) if is_published else ((row, row.cells) for row in table.rows)
    found: dict[tuple[str, str], list[AskedStory]] = {}
    for row, cells in rows:
        story = _story(row, {name: cells[name].strip() for name in AskedStory._fields}, table)
        others = found.setdefault((story.story_id, story.seed), [])
        said = f"story {story.story_id} of seed {story.seed}"
        if any(item.question_type == story.question_type for item in others):
            what = f"{said} occurs twice with its question {story.question_type}"
            raise table.fault(row, "question_type", what, _BUILD)
        if others and others[0].context != story.context:
            raise table.fault(row, "context", f"{said} has two contexts", _BUILD)
        others.append(story)
    if not found:
        raise CurateError(f"{path.name} holds no story", str(path), _BUILD)
    return found


def _published(table: Table, path: Path) -> Iterator[tuple[Row, dict[str, str]]]:
    """Rows of a published set as rows of ours: the unknown choice is one of every row, and last."""
    read_table(path, required=_PUBLISHED)
    seed = _SET.search(path.stem)
    each = [list_literal(row["choices"]) or [] for row in table.rows]
    unknown = set(each[0] if each else ()).intersection(*each)
    for row, choices in zip(table.rows, each, strict=True):
        name = _ID.fullmatch(row["id"].strip())
        if name is None:
            what, hint = f"'{row['id']}' is no id of BBG", "write it as age-001-a-002-bsd"
            raise table.fault(row, "id", what, hint)
        if len(unknown) != 1:
            what = "no single choice is one of all rows, so the unknown one is not known"
            raise table.fault(row, "choices", what, "name a set with several stories")
        shown = [choice for choice in choices if choice not in unknown]
        yield (
            row,
            {
                **{**row.cells, **name.groupdict()},
                "story_id": name[1],
                "seed": seed[1] if seed else "1",
                "question_type": row["qtype"],
                "choices": str([*shown, *unknown]),
            },
        )


def _story(row: Row, cells: dict[str, str], table: Table) -> AskedStory:
    empty = next((name for name, text in cells.items() if not text), None)
    if empty is not None:
        raise table.fault(row, empty, "the cell is empty", _BUILD)
    choices = list_literal(cells["choices"]) or []
    if len(choices) != 3 or len(set(choices)) != 3:
        what = f"{cells['story_id']}: the choices are not three different ones"
        raise table.fault(row, "choices", what, _BUILD)
    if cells["biased_answer"] not in choices[:2]:
        what = f"{cells['story_id']}: the biased answer is not one of the two people"
        raise table.fault(row, "biased_answer", what, _BUILD)
    return AskedStory(**{**cells, "choices": tuple(choices)})  # type: ignore[arg-type]


def continuation_prompts(
    language: LanguageOrCode,
    path: Path | None = None,
    ids: Sequence[str] = (),
) -> tuple[ContinuationPrompt, ...]:
    """The prompts of a language, or those of a user's own file.

    A language has one prompt more, `free`, which wishes for no length: it is used alone, and only
    where it is named.

    Args:
        language: The language, or its code.
        path: A YAML file with `prompts`, in place of the toolkit's own.
        ids: Only these; all by default.

    Raises:
        CurateError: If there are none, the file cannot be read, or there is none of an id.
    """
    found: tuple[ContinuationPrompt, ...] | None = None
    if path is not None:
        found = parse_settings(read_text(path), Prompts[ContinuationPrompt], path, _PAGE).prompts
    elif (texts := load(language).stories) is not None:
        free = {prompt.id for prompt in texts.free_prompts or ()}
        found = texts.free_prompts if ids and set(ids) <= free else texts.prompts
    if not found:
        raise missing(
            "stories",
            language,
            f"there are no prompts for continuations in '{language}'",
            "culture.yaml, language",
            "write some and name them with --prompts FILE",
        )
    known = {prompt.id: prompt for prompt in found}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise CurateError(
            f"there is no prompt '{unknown[0]}'", hint=f"there are {', '.join(known)}"
        )
    return tuple(known[name] for name in dict.fromkeys(ids)) if ids else found


class Design(StrEnum):
    """Which sets are asked with which prompts.

    `paired`: the first set with the first prompt, the second with the second, and so on, as BBG was
    run; with more sets than prompts it begins again. `crossed`: every set with every prompt.
    """

    PAIRED = "paired"
    CROSSED = "crossed"


def prepare(
    workspace: Workspace,
    stories: Path | None = None,
    *,
    language: str | None = None,
    prompts: Path | None = None,
    prompt_ids: Sequence[str] = (),
    design: str = Design.PAIRED,
    epochs: int = 1,
    out: Path | None = None,
) -> dict[str, Any]:
    """Write the requests to continue the stories of every set.

    Args:
        workspace: The workspace; there need be none where stories are named, and a language or
            prompts.
        stories: The stories; by default those of the exports.
        language: Whose prompts, a code or a file such as `pt.yaml`; by default the workspace's.
        prompts: A YAML file of prompts, in place of those of the language.
        prompt_ids: Only these prompts; all by default.
        design: `paired`, each set with a prompt of its own, or `crossed`, with every prompt.
        epochs: How often each request is asked; from the second time on its id ends in `-e2` and
            so on.
        out: The file; by default one in `exports`, with a manifest.

    Returns:
        How many `requests` were written, and how many `stories` of how many `sets` they are about;
        ids of the `prompts` that are used, and of the `unused` that no set is left for; the
        `design`, how many `epochs`, and the `file`.

    Raises:
        CurateError: If a file cannot be read or written, or there is no such prompt, design or
            number of epochs.
    """
    refuse_unknown("design", design, list(Design))
    chosen = Design(design)
    source = stories_file(workspace, stories)
    own = asked_language(workspace, language, source)
    if own is None and prompts is None:
        raise no_language(workspace)
    asked = continuation_prompts(own or "", prompts, prompt_ids)
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
    return {
        "requests": written,
        "stories": len(found),
        "sets": sets,
        "prompts": ids,
        "unused": tuple(known[len(ids) :]),
        "design": chosen,
        "epochs": epochs,
        "file": file,
    }


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


class Continued(NamedTuple):
    """A story of a set in a wording and epoch, and what a model made of it: the whole text."""

    story_id: str
    seed: str
    prompt_id: str
    epoch: int
    model: str = ""
    text: str = ""


def read_continuation_requests(path: Path) -> dict[str, Continued]:
    """Read requests for continuations by their ids, without what models were sent.

    Raises:
        CurateError: If the file cannot be read, a line is no such request, or an id occurs
            twice.
    """

    def asked(line: Line) -> Continued:
        story_id, seed, prompt_id = (line.text(name) for name in ("story_id", "seed", "prompt_id"))
        return Continued(story_id, seed, prompt_id, epoch_of(line))

    return requests_by_id(path, read_lines(path), asked, "request for a continuation", _AGAIN)


def read_continuations(
    paths: Sequence[Path], requests: Mapping[str, Continued], stories: Stories
) -> tuple[list[Continued], list[Finding]]:
    """Put the replies of models behind their stories.

    A reply's thoughts are no part of it, and neither is the seed story where a model repeats
    it. A reply that failed or is all thoughts gives no story.

    Args:
        paths: Files of replies.
        requests: What models were asked, by id.
        stories: The seed stories.

    Returns:
        The whole stories, in the order of models and requests, and what is to be said.

    Raises:
        CurateError: If a file cannot be read, no reply answers a request, or a request is about
            a story that is not there.
    """
    for name, asked in requests.items():
        if (asked.story_id, asked.seed) not in stories:
            raise CurateError(
                f"request {name} is about story {asked.story_id} of seed {asked.seed}, which is "
                "not among the stories",
                name,
                "name the stories that the requests were made of with --stories",
            )
    given, names, file = load_replies(paths), list(requests), ", ".join(map(str, paths))
    at = positions(given, names)
    texts = [
        without_thoughts(text) if isinstance(text, str) else None
        for text in given.frame["reply"].tolist()
    ]
    told = ["" if text is None else "continued" for text in texts]
    findings = list(given.findings)
    findings += attendance_findings(attendance(given, names, at, told), file)
    found = [
        (model, place, text)
        for model, place, text in zip(
            given.frame["model"].tolist(), at.tolist(), texts, strict=True
        )
        if place >= 0 and text is not None
    ]
    if not found:
        raise CurateError("no reply continues a story of these requests", file, _AGAIN)
    continued = []
    for model, place, text in sorted(found, key=lambda item: item[:2]):
        asked = requests[names[place]]
        whole = _whole(stories[asked.story_id, asked.seed][0].context, text)
        continued.append(asked._replace(model=model, text=whole))
    return continued, findings


def _whole(seed: str, continuation: str) -> str:
    """Put a continuation behind its seed, which it may repeat."""
    words, told = " ".join(continuation.split()), " ".join(seed.split())
    rest = words.removeprefix(told).strip() if words.startswith(told) else continuation.strip()
    return f"{seed} {rest}".strip()
