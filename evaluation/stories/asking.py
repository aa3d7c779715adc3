"""The stories that models continue, and what an evaluator model is asked about them: the requests.

`readings.csv` has how each continuation of a story was read; the two versions of a story are pairs.
"""

import random
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from curation.files import tables
from curation.files.jsonl import Line, text_list
from curation.files.lock import writing_results
from curation.files.workbooks.spec import text_hash
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode, load, missing
from curation.languages.prompts import ContinuationPrompt, Prompt, Prompts
from curation.records.bank import VariantVersion
from curation.records.messages import (
    CurateError,
    Finding,
    Results,
    and_more,
    finding,
    has_errors,
    listed,
    refusal,
    refuse_unknown,
    results,
    shortened,
)
from curation.records.settings import parse_settings
from evaluation.folders import (
    answered_requests,
    present,
    requests_by_id,
    requests_file,
    save_requests,
    write_rows,
)
from evaluation.measures import PAIR_KINDS
from evaluation.parsing.thoughts import without_thoughts
from evaluation.prompts import asked_language, chosen_prompts, no_language, only, prompted
from evaluation.replies.files import (
    attendance,
    attendance_findings,
    load_replies,
    positions,
)
from evaluation.replies.rows import load_asked, read_replies_to
from evaluation.requests import ORDERS, Orders, epoch_id, epoch_of, in_epochs, read_lines, shown
from evaluation.stories.records import STORIES

FOLDER = "story_requests"
"""The folder below the exports that requests for continuations go to."""
_PAGE = "docs/evaluation-stories.md"
_COMMAND = "evaluate prepare --set stories"
_AGAIN = f"make them again: curate {_COMMAND}"
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
    hint = "make them with 'curate evaluate stories build', or name a file with --samples"
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
    table = tables.read_table(path, escaped=True)
    is_published = "qtype" in table.columns
    if not is_published:
        table = tables.read_table(path, required=AskedStory._fields, escaped=True)
    tables.refuse_problems(table)
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


def _published(table: tables.Table, path: Path) -> Iterator[tuple[tables.Row, dict[str, str]]]:
    """Rows of a published set as rows of ours: the unknown choice is one of every row, and last."""
    tables.read_table(path, required=_PUBLISHED)
    seed = _SET.search(path.stem)
    each = [tables.list_literal(row["choices"]) or [] for row in table.rows]
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


def _story(row: tables.Row, cells: dict[str, str], table: tables.Table) -> AskedStory:
    empty = next((name for name, text in cells.items() if not text), None)
    if empty is not None:
        raise table.fault(row, empty, "the cell is empty", _BUILD)
    choices = tables.list_literal(cells["choices"]) or []
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
        found = parse_settings(
            tables.read_text(path), Prompts[ContinuationPrompt], path, _PAGE
        ).prompts
    elif (texts := load(language).stories) is not None:
        free = {prompt.id for prompt in texts.free_prompts or ()}
        found = texts.free_prompts if ids and set(ids) <= free else texts.prompts
    if not found:
        told = refusal(__package__, "prompts-none", "culture.yaml, language", language=language)
        raise missing("stories", language, told)
    return only(found, ids) if ids else found


class StoryDesign(StrEnum):
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
    design: str = StoryDesign.PAIRED,
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
    refuse_unknown("design", design, list(StoryDesign))
    chosen = StoryDesign(design)
    source = stories_file(workspace, stories)
    own = asked_language(workspace, language, source)
    if own is None and prompts is None:
        raise no_language(workspace)
    asked = continuation_prompts(own or "", prompts, prompt_ids)
    found = read_stories(source)
    sets = len({seed for _, seed in found})
    known = [prompt.id for prompt in asked]
    ids = tuple(known[:sets] if chosen is StoryDesign.PAIRED else known)
    file, written = save_requests(
        workspace,
        in_epochs(lambda: continuation_requests(found, asked, chosen), epochs),
        FOLDER,
        out,
        (workspace.culture_file, source, prompts),
        counts={"stories": len(found)},
        settings={"prompts": ids, "design": chosen.value, "epochs": epochs},
        command=_COMMAND,
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
    stories: Stories,
    prompts: Sequence[ContinuationPrompt],
    design: StoryDesign = StoryDesign.PAIRED,
) -> Iterator[dict[str, object]]:
    """Yield the requests for stories, as `requests.jsonl` holds them.

    Args:
        stories: The stories; sets are in the order in which their first stories come.
        prompts: The prompts.
        design: Which sets are asked with which prompts.
    """
    sets = {seed: at for at, seed in enumerate(dict.fromkeys(seed for _, seed in stories))}
    for (story_id, seed), questions in stories.items():
        own = [prompts[sets[seed] % len(prompts)]] if design is StoryDesign.PAIRED else prompts
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
            words = {"name": name, "story_id": asked.story_id, "seed": str(asked.seed)}
            raise refusal(__package__, "request-story", name, **words)
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


READING_COLUMNS = ("model", "template_id", "question", "version", "reading")
"""The columns that must be there."""
OUT_OF_CHOICE = "out_of_choice"
READINGS = ("B", "C", "U", OUT_OF_CHOICE)
"""Biased, counter-biased, undetermined, and what no single choice can be read from."""
PAIR_OUT, PAIR_ALONE = len(PAIR_KINDS), len(PAIR_KINDS) + 1
"""The kind of a pair of which at least one reading is out-of-choice, and of a version alone."""
SEED_COLUMNS = ("seed", "set")
"""Optional: which evaluation set a story is of, by one of these names."""
PROMPT_COLUMNS = ("prompt_id", "prompt")
"""Optional: which continuation prompt was used, by one of these names."""
FILLING_COLUMN = "filling"
"""Optional: which filling of the template a story has."""
EPOCH_COLUMN = "epoch"
"""Optional: which of several continuations of one story in one run it is."""
CATEGORY_COLUMN = "category"
"""Optional: the template's category, where its id names none."""

_OPTIONAL = (
    *(*SEED_COLUMNS, *PROMPT_COLUMNS),
    *(FILLING_COLUMN, EPOCH_COLUMN, CATEGORY_COLUMN),
)
_CHECKED = ("request_id", "passage")
"""Columns by which people's readings are found."""
_VERSIONS = {
    f"{letter}{wording}": (f"{pair}{wording}", side)
    for wording in ("", *(f".{version}" for version in VariantVersion if version))
    for pair in ("ab", "cd")
    for side, letter in enumerate(pair)
}


def pair_and_side(version: str) -> tuple[str, int]:
    """Which pair of versions one is of, and which of the two; other names are alone."""
    return _VERSIONS.get(version, (version, 0))


_CATEGORY = re.compile(r"(?P<category>.+)-\d+")
_KINDS = {frozenset(kind.upper()): at for at, kind in enumerate(PAIR_KINDS)}
"""The kind of a pair by its two readings, either order."""


class Pairs(NamedTuple):
    """The two versions of each story, as one.

    Attributes:
        stories: A row a story: `model`, `template_id`, `category` (empty where the id names none),
            the number of its `run` and `epoch` from 0, and its `kind`: the position in
            `PAIR_KINDS`, `PAIR_OUT`, or `PAIR_ALONE`.
        runs: How many runs there are, one for each seed and prompt that occurs; None where the
            readings tell neither.
        epochs: How many epochs; 1 where the readings tell none.
        findings: What is to be said of the file.
        readings: A row a reading: its `story`, a number, and what the file says of it.
    """

    stories: pd.DataFrame
    runs: int | None
    epochs: int
    findings: tuple[Finding, ...]
    readings: pd.DataFrame


def read_pairs(path: Path, *, allow_incomplete: bool = False, is_checked: bool = False) -> Pairs:
    """Read readings and pair the two versions of each story and question.

    A pair is one model, template, question and, where those columns are there, seed, prompt,
    filling and epoch. The versions `a` and `b` belong together, and `c` and `d`; other
    names may be used where the file holds two of them.

    Args:
        path: The file.
        allow_incomplete: Leave stories out, counted, whose second version is not there.
        is_checked: Whether people's readings are to be found: a column `request_id` must be there.

    Raises:
        CurateError: If the file cannot be read, a cell is empty or holds no reading, a version
            cannot be paired, a reading occurs twice, or a story lacks its second version.
    """
    checked = _CHECKED if is_checked else ()
    table = tables.read_table(path, required=(*READING_COLUMNS, *checked[:1]), escaped=True)
    tables.refuse_problems(table)
    if not table.rows:
        raise refusal(__package__, "readings-none", str(path))
    rows = pd.DataFrame(dict.fromkeys(_CHECKED, ""), range(len(table.rows)))
    for name in (*READING_COLUMNS, *_OPTIONAL, *checked):
        if name in table.columns:
            rows[name] = [row[name].strip() for row in table.rows]
    for name in rows.columns.difference([*_CHECKED], sort=False):
        _refuse_cells(table, rows[name])
    rows["row"] = [row.number for row in table.rows]
    versions = sorted(set(rows["version"]))
    placed: Mapping[str, tuple[str, int]] = _VERSIONS
    if not set(versions) <= set(_VERSIONS):
        if len(versions) > 2:
            words = {"names": shortened(versions)}
            raise refusal(__package__, "versions-apart", f"{path}, column version", **words)
        placed = {name: ("", side) for side, name in enumerate(versions)}
    rows["pair"], rows["side"] = zip(*rows["version"].map(placed), strict=True)
    named = [[name for name in names if name in rows] for names in (SEED_COLUMNS, PROMPT_COLUMNS)]
    runs = [names[0] for names in named if names]
    epoch, filling = ([name] if name in rows else [] for name in (EPOCH_COLUMN, FILLING_COLUMN))
    rows["run"], rows["epoch"] = _numbered(rows, runs), _numbered(rows, epoch)
    keys = ["model", "template_id", "question", "pair", "run", "epoch", *filling]
    _refuse_doubled(rows, [*keys, "side"], path)
    findings = _categorised(rows, path)
    rows["story"] = rows.groupby(keys, sort=False).ngroup()
    stories = rows.groupby(["story", *keys]).agg(
        category=("category", "first"),
        one=("reading", "first"),
        other=("reading", "last"),
        row=("row", "first"),
        versions=("row", "size"),
    )
    both = zip(stories["one"], stories["other"], strict=True)
    stories["kind"] = [_KINDS.get(frozenset(pair), PAIR_OUT) for pair in both]
    alone = stories["versions"] < 2
    stories.loc[alone, "kind"] = PAIR_ALONE
    missing = rows[rows["row"].isin(stories.loc[alone, "row"])]
    return Pairs(
        stories=stories.reset_index(),
        runs=int(rows["run"].max()) + 1 if runs else None,
        epochs=int(rows["epoch"].max()) + 1,
        findings=(*_incomplete(missing, path, allow_incomplete), *findings),
        readings=rows,
    )


def _refuse_cells(table: tables.Table, cells: pd.Series) -> None:
    """Refuse the first cell of a column that is empty, or holds what is no reading."""
    wrong = cells[~cells.isin(READINGS) if cells.name == "reading" else cells == ""]
    if len(wrong):
        what, hint = "the cell is empty", "fill it in"
        if wrong.iloc[0]:
            what, hint = f"'{wrong.iloc[0]}' is not a reading", f"use {', '.join(READINGS)}"
        row, more = table.rows[wrong.index[0]], and_more(len(wrong), "more cell")
        raise table.fault(row, str(cells.name), what + more, hint)


def _numbered(rows: pd.DataFrame, keys: list[str]) -> pd.Series:
    """Number the distinct combinations of some columns from 0, in their order."""
    return rows.groupby(keys).ngroup() if keys else pd.Series(0, rows.index)


def _refuse_doubled(rows: pd.DataFrame, keys: list[str], path: Path) -> None:
    again = rows[rows.duplicated(keys)]
    if len(again):
        second = again.iloc[0]
        same = rows[(rows[keys] == second[keys]).all(axis=1)]
        words = {"first": str(same["row"].iloc[0]), "second": str(second["row"])}
        where = f"{path}, row {second['row']}"
        raise refusal(__package__, "readings-twice", where, count=len(again), **words)


def _incomplete(alone: pd.DataFrame, path: Path, allow: bool) -> Sequence[Finding]:
    """Say which stories lack their second version.

    Raises:
        CurateError: If they are not allowed.
    """
    if not len(alone):
        return ()
    cells = alone[list(READING_COLUMNS[:4])].itertuples(index=False)
    names = shortened(["{1} ({0}, {2}, version {3} alone)".format(*story) for story in cells])
    row, count = int(alone["row"].iloc[0]), len(alone)
    if not allow:
        key, where = "stories-incomplete", f"{path}, row {row}"
        raise refusal(__package__, key, where, count=count, names=names)
    said = finding(__package__, "story-incomplete", str(path), count=count, names=names)
    return (replace(said, row=row),)


def _categorised(rows: pd.DataFrame, path: Path) -> Sequence[Finding]:
    """Give rows the category of their template; gives what is said of ids that name none.

    Raises:
        CurateError: If a template is told to be of two categories.
    """
    if CATEGORY_COLUMN in rows:
        first = rows.groupby("template_id")[CATEGORY_COLUMN].transform("first")
        apart = rows[rows[CATEGORY_COLUMN] != first]
        if len(apart):
            where = f"{path}, row {apart['row'].iloc[0]}, column {CATEGORY_COLUMN}"
            template = apart["template_id"].iloc[0]
            raise refusal(__package__, "readings-categories", where, template=template)
        return ()
    rows[CATEGORY_COLUMN] = rows["template_id"].str.extract(f"^{_CATEGORY.pattern}$").fillna("")
    strange = sorted(set(rows.loc[rows[CATEGORY_COLUMN] == "", "template_id"]))
    what = "templates have ids that name no category"
    hint = "ids are {category}-{number}, such as age-001; or add a column category"
    return [*listed("story-category", str(path), strange, what, hint, "template_id")]


READINGS_FOLDER = "story_readings"
"""The folder below the exports that requests for readings go to."""
_READ_AGAIN = f"make them again: curate {_COMMAND} --replies FILE"
_OF_STORY = (
    *("model", "template_id", "question", "version"),
    *("seed", "prompt_id", "filling", "story_id"),
)
_OF_ONE = ("version", "story_id", "passage")  # what the two versions of a story do not share
TABLE_COLUMNS = (
    *(*_OF_STORY[:4], "reading", *_OF_STORY[4:]),
    *("evaluator", "rule", "request_id", "epoch", "passage"),
)
"""The columns of `readings.csv` as it is written here."""
_EPOCH = "continuation_epoch"  # not 'epoch': the evaluator is asked once about each continuation


def ask(
    workspace: Workspace,
    replies: Sequence[Path],
    *,
    stories: Path | None = None,
    language: str | None = None,
    prompts: Path | None = None,
    prompt_id: str | None = None,
    seed: int = 42,
    out: Path | None = None,
) -> dict[str, Any]:
    """Write the requests for an evaluator model: both questions about every continued story.

    Args:
        workspace: The workspace; there need be none where stories are named, and a language or
            prompts.
        replies: The continuations, as models replied; what they were asked is in the file beside
            them, or of the exports.
        stories: The stories; by default those of the exports.
        language: Whose prompts, a code or a file such as `pt.yaml`; by default the workspace's.
        prompts: Prompts of question answering, in place of those of the language.
        prompt_id: Which of them; the first by default.
        seed: The seed of the order of the choices.
        out: The file; by default one in `exports`, with a manifest.

    Returns:
        How many `requests` were written, and how many `continuations` by which `models` they are
        about; the id of the `prompt`, and the `file`; and as `findings` replies that continue no
        story, and stories without a continuation.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    source = stories_file(workspace, stories)
    asked = answered_requests(workspace, None, replies[0], FOLDER, _COMMAND)
    own = asked_language(workspace, language, source)
    ids = [prompt_id] if prompt_id else ()
    prompt = chosen_prompts(workspace, prompts, ids, None, own)[0].prompts[0]
    seeds = read_stories(source)
    continued, findings = read_continuations(replies, read_continuation_requests(asked), seeds)
    path = requests_file(workspace, READINGS_FOLDER, out)
    if path.resolve() == asked.resolve():
        raise refusal(__package__, "requests-same", str(path))
    file, written = save_requests(
        workspace,
        reading_requests(continued, seeds, prompt, seed),
        READINGS_FOLDER,
        out,
        (source, asked, *replies, prompts),
        counts={"continuations": len(continued)},
        settings={"seed": seed, "prompt": prompt.id},
        command=_COMMAND,
    )
    return {
        "requests": written,
        "continuations": len(continued),
        "models": sorted({item.model for item in continued}),
        "prompt": prompt.id,
        "file": file,
        "findings": findings,
    }


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


class Passage(NamedTuple):
    """A whole story with a question, as the evaluator was asked it.

    Attributes:
        request_id: The request.
        told: The columns of `readings.csv` that tell the story; `passage` is a hash of its text,
            for a model that is asked again continues it otherwise.
        roles: For each choice `B`, `C` or `U`.
        choices: The three choices as shown.
        text: The whole story.
        question: The question.
    """

    request_id: str
    told: Mapping[str, str]
    roles: tuple[str, ...]
    choices: tuple[str, ...] = ()
    text: str = ""
    question: str = ""

    @property
    def pair(self) -> tuple[str, ...]:
        """What its story and question have in common with those of the other version."""
        versions, _ = pair_and_side(self.told["version"])
        return (*(text for name, text in self.told.items() if name not in _OF_ONE), versions)


def read_reading_requests(path: Path, whole: Container[str] | None = ()) -> dict[str, Passage]:
    """Read requests for readings by their ids, most of them without their texts.

    Args:
        path: The file.
        whole: Ids of those that are read with choices, text and question; None for all.

    Raises:
        CurateError: If the file cannot be read, a line is no such request, or an id occurs
            twice.
    """

    def asked(line: Line) -> Passage:
        found = passage_of(line)
        is_whole = whole is None or found.request_id in whole
        return found if is_whole else Passage(*found[:3])

    return requests_by_id(path, read_lines(path), asked, "request for a reading", _READ_AGAIN)


def passage_of(line: Line) -> Passage:
    """Read a request for a reading.

    Raises:
        ValueError: If it is none.
    """
    roles, labels, choices = (
        tuple(text_list(line.value.get(name))) for name in ("roles", "labels", "choices")
    )
    if sorted(roles) != ["B", "C", "U"] or not len(roles) == len(labels) == len(choices):
        raise ValueError("its roles are not B, C and U, one for each choice")
    name, text, question = map(line.text, ("request_id", "story", "asked"))
    told = {name: line.text(name) for name in _OF_STORY} | {"epoch": str(epoch_of(line, _EPOCH))}
    told["passage"] = text_hash(text)
    return Passage(name, told, roles, choices, text, question)


def readings(
    workspace: Workspace,
    replies: Sequence[Path],
    *,
    requests: Path | None = None,
    evaluator: str | None = None,
) -> Results:
    """Write `readings.csv` beside the replies: how an evaluator read each continuation.

    Nothing is written where a finding is an error.

    Args:
        workspace: The workspace; there need be none.
        replies: What the evaluator replied.
        requests: What it was asked; by default the file beside the replies, or of the exports.
        evaluator: Whose replies count, where they are of several models.

    Returns:
        A row for each request that has a reply, in the order of the requests, as `TABLE_COLUMNS`:
        `reading` is `B`, `C`, `U` or `out_of_choice`, `rule` says by which rule the reply was
        parsed, or why it was not. Told are the `file`, None where none was written; how many
        `readings` there are, by which `evaluator`; by model how often each reading occurs
        (`models`); and how many replies were parsed by each of the `rules`.

    Raises:
        CurateError: If a file cannot be read or written, or the files do not fit together.
    """
    source = answered_requests(workspace, requests, replies[0], READINGS_FOLDER, _COMMAND)
    known = read_reading_requests(source)
    loaded, file = load_replies(replies), ", ".join(map(str, replies))
    name = _evaluator(loaded.models, evaluator, file)
    its = (loaded.frame["model"] == name).to_numpy()
    mine = loaded.frame[its].assign(
        model=lambda frame: frame["model"].cat.remove_unused_categories()
    )
    answered = None if loaded.asked is None else loaded.asked[its]
    asked = replace(load_asked(source), own=asked_language(workspace, beside=source))
    read = read_replies_to(replace(loaded, frame=mine, asked=answered), asked)
    names, named = read.frame["request_id"].tolist(), read.readings.positions.tolist()
    found = sorted(zip(read.places.tolist(), names, named, read.by_rule, strict=True))
    rows = [
        {
            **known[request].told,
            "reading": OUT_OF_CHOICE if named < 0 else known[request].roles[named],
            "evaluator": name,
            "rule": rule,
            "request_id": request,
        }
        for _, request, named, rule in found
    ]
    counts: dict[str, dict[str, int]] = {}
    for (model, reading), count in sorted(
        Counter((r["model"], r["reading"]) for r in rows).items()
    ):
        counts.setdefault(model, {})[reading] = count
    findings = (*loaded.findings, *read.findings)
    path = None if has_errors(findings) else replies[0].with_name("readings.csv")
    if path is not None:
        with writing_results(path.parent, "curate evaluate stories score", workspace):
            write_rows(path, TABLE_COLUMNS, rows)
    told = {
        "file": path,
        "readings": len(rows),
        "evaluator": name,
        "models": counts,
        "rules": read.attended[0].rules,
    }
    return results({"scores": (TABLE_COLUMNS, rows)}, findings, told)


def _evaluator(models: Sequence[str], wanted: str | None, file: str) -> str:
    if wanted is not None and wanted not in models:
        raise CurateError(f"there is no reply of {wanted}", file, f"there are {', '.join(models)}")
    if wanted is None and len(models) > 1:
        raise refusal(__package__, "evaluators", file, count=len(models), names=shortened(models))
    return wanted or models[0]


def asked_file(workspace: Workspace) -> Path:
    """The file of what the evaluator was asked.

    Raises:
        CurateError: If it was asked nothing yet.
    """
    hint = f"make them with 'curate {_COMMAND} --replies FILE'"
    return present(requests_file(workspace, READINGS_FOLDER), None, "requests for readings", hint)
