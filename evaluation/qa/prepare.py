"""Requests of question answering: samples x prompts x orders (KoBBQ, section 4.1)."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import Path
from string import Formatter

from curation.files.workspace import Workspace
from curation.languages import Language
from curation.languages.prompts import PLACES, Prompt
from curation.records.messages import Finding, Severity
from curation.records.sample import Sample
from evaluation.folders import QUESTIONS, save_requests, stale
from evaluation.prompts import Choices, PromptSet, asked_language, chosen_prompts, prompted
from evaluation.qa.samples import Named, SampleFile, drawn, samples_files
from evaluation.requests import (
    ORDERS,
    Orders,
    Request,
    Shard,
    in_epochs,
    in_shard,
    request_id,
    shown,
    split_epoch,
)

Piece = tuple[str, str]
"""A piece of a message: a text as it stands, or empty and the name of what stands there."""
Layout = tuple[tuple[str, tuple[Piece, ...]], ...]
"""The messages of a prompt: of each the role, and the pieces of its text."""


def layout_of_prompt(prompt: Prompt) -> Layout:
    """The one message of a prompt, as `Prompt.text` fills it."""
    pieces: list[Piece] = []
    for literal, place, _, _ in Formatter().parse(prompt.layout):
        pieces.append((literal, ""))
        if place == "instruction":
            pieces.append((prompt.instruction, ""))
        elif place is not None:
            pieces.append(("", place))
    return (("user", _joined(pieces)),)


def texts_of(sample: Sample, request: Request) -> dict[str, str]:
    """What stands in the places of a layout in a request about a sample."""
    return dict(zip(PLACES, (sample.context, sample.question, *request.choices), strict=True))


def layout_of_request(request: Request, texts: Mapping[str, str]) -> Layout:
    """Tell the layout from a request.

    Args:
        request: The request.
        texts: What stands in the places of the layout.
    """
    return tuple((item["role"], _pieces(item["content"], texts)) for item in request.messages)


def hashes_of_prompts(prompts: Sequence[Prompt]) -> dict[str, str]:
    """By id what identifies the texts of each prompt."""
    return {item.id: layout_hash(layout_of_prompt(item), item.unknown) for item in prompts}


def layout_hash(layout: Layout, unknown: str) -> str:
    """What identifies the texts of a prompt: SHA-256 of its layout and its unknown expression."""
    text = json.dumps([layout, unknown], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for text, place in pieces:
        if place:
            found.append(("", place))
        elif text and found and not found[-1][1]:
            found[-1] = found[-1][0] + text, ""
        elif text:
            found.append((text, ""))
    return tuple(found)


def _pieces(content: str, texts: Mapping[str, str]) -> tuple[Piece, ...]:
    """Take a message apart: the context where it comes first, the others where they come last.

    Choices are names that the context may hold too, so that it is taken out before them.
    """
    pieces: list[Piece] = [(content, "")]
    for place in PLACES:
        text = texts[place]
        holding = [
            n for n, (piece, name) in enumerate(pieces) if text and not name and text in piece
        ]
        if not holding:
            continue
        n = holding[0] if place == "context" else holding[-1]
        piece = pieces[n][0]
        start = piece.find(text) if place == "context" else piece.rfind(text)
        pieces[n : n + 1] = [(piece[:start], ""), ("", place), (piece[start + len(text) :], "")]
    return _joined(pieces)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file of requests that was written.

    Attributes:
        requests: How many.
        samples_file: The samples that they are about, or the folder that all of them are in.
        prompts: Ids of the prompts.
        orders: Which three orders of the choices.
        shard: Which part of them; None for all.
        file: The file.
        layout: The layout of the samples, as `curation.sources.published_samples` names it.
        findings: Samples that are left out or leave open who is the target, and what the
            language lacks.
        epochs: How often each is asked.
        prompt_set: What the prompts are called; see `PromptSet`.
    """

    requests: int
    samples_file: Path
    prompts: tuple[str, ...]
    orders: Orders
    shard: Shard | None
    file: Path
    layout: str = "ours"
    findings: tuple[Finding, ...] = ()
    epochs: int = 1
    prompt_set: str = ""


def prompt_settings(
    prompts: PromptSet, hashes: Mapping[str, str], language: Language | None
) -> dict[str, object]:
    """With which prompts and in which language models are asked, as manifests hold it.

    Args:
        prompts: The prompts.
        hashes: By id what identifies the texts of each, which ids do not.
        language: The language; None where nothing says it.
    """
    told = {"name": prompts.name, "sha256": dict(hashes)}
    return {"prompts": told, "language": None if language is None else language.code}


def prepare(
    workspace: Workspace,
    samples: Named = None,
    *,
    kind: str = "test",
    prompts: Path | PromptSet | None = None,
    prompt_ids: Sequence[str] = (),
    orders: str | None = None,
    limit: int | None = None,
    seed: int = 42,
    shard: Shard | None = None,
    out: Path | None = None,
    language: str | None = None,
    epochs: int = 1,
    control: bool | None = None,
    mapping: Path | None = None,
    answer: str | None = None,
) -> Prepared:
    """Write the requests for models: every sample with each prompt in three orders of its choices.

    Args:
        workspace: The workspace; there need be none where samples are named, and prompts or a
            language.
        samples: Files or folders of samples, as exported, as a set publishes them, or as the
            mapping says; None for those of the exported set.
        kind: Which set, `test` or `all`, where no samples are named.
        prompts: The prompts; None for the toolkit's own in the language.
        prompt_ids: Only these prompts.
        orders: `cyclic` or `kobbq`; None for what the prompts say, else cyclic.
        limit: Only so many samples, drawn by the seed.
        seed: The seed of the draw.
        shard: Only this part of the requests.
        out: The file; None for `exports/evaluation/requests.jsonl`.
        language: Whose prompts, a code or a file such as `pt.yaml`; None for the workspace's, or
            that of the package that the samples are in.
        epochs: How often each request is asked; from the second time on its id ends in `-e2` and
            so on.
        control: Whether published samples are a control set; None to see by the file.
        mapping: The file that says which columns of the samples say what.
        answer: The form in which the answer is asked for, `letter` or `json`; None for as the
            prompts do.

    Raises:
        CurateError: If the number of epochs is none, samples or prompts cannot be read, or the
            file cannot be written.
    """
    sources = samples_files(workspace, samples, kind)
    own = asked_language(workspace, language, sources[0])
    found, chosen = chosen_prompts(workspace, prompts, prompt_ids, orders, own, answer)
    file = SampleFile(
        *sources, mapping=mapping, control=control, templates=workspace.sources_folder
    )
    count = None if limit is None else sum(1 for _ in file)

    def make() -> Iterator[dict[str, object]]:
        asked: Iterable[Sample] = file
        if limit is not None and count is not None:
            asked = drawn(file, count, limit, seed)
        return make_requests(asked, found.prompts, chosen)

    requests: Iterable[Mapping[str, object]] = in_epochs(make, epochs)
    if shard is not None:
        requests = (item for item in requests if in_shard(str(item["request_id"]), shard))
    inputs = [*sources, *(item for item in (prompts, mapping) if isinstance(item, Path))]
    settings = {
        **prompt_settings(found, hashes_of_prompts(found.prompts), own),
        "orders": chosen.value,
        "epochs": epochs,
        **({} if answer is None else {"answer": answer}),
        **({} if limit is None else {"limit": limit, "seed": seed}),
        **({} if shard is None else {"shard": str(shard)}),
    }
    target, written = save_requests(
        workspace, requests, QUESTIONS, out, inputs, {}, settings, command="evaluate prepare"
    )
    ids = tuple(prompt.id for prompt in found.prompts)
    lacking = () if own is None else _lacking(own)
    changed = (item for source in sources for item in stale(workspace, source))
    findings = (*changed, *file.findings, *lacking)
    return Prepared(
        requests=written,
        samples_file=sources[0] if len(sources) == 1 else Path(commonpath(sources)),
        prompts=ids,
        orders=chosen,
        shard=shard,
        file=target,
        layout=file.layout,
        findings=findings,
        epochs=epochs,
        prompt_set=found.name,
    )


def _lacking(language: Language) -> Iterator[Finding]:
    """Say what a language lacks to read replies in it."""
    if language.replies is None:
        own = language.written("replies")
        open_ = f" ({len(own.open)} texts are open in {language.file})" if own is not None else ""
        where = f"write the section replies of {language.file}" if language.file else ""
        yield Finding(
            "evaluate-no-reply-words",
            Severity.INFO,
            "",
            None,
            "",
            f"there are no words of '{language}' to read replies by{open_}: letters and exact "
            "texts of choices are read, and an answer stated in a sentence is out-of-choice",
            f"{where}; docs/languages.md says how"
            if where
            else "docs/languages.md says how to add them",
        )


def parse_request_id(text: str) -> tuple[str, str, str]:
    """The sample, the number of the order and the prompt that an id names, in whatever epoch.

    Raises:
        ValueError: If it is no id of such a request.
    """
    parts = split_epoch(text)[0].rsplit("-", 2)
    if len(parts) != 3 or not parts[2].startswith("p"):
        raise ValueError(f"'{text}' is not the id of a request")
    return parts[0], parts[1], parts[2][1:]


def make_requests(
    samples: Iterable[Sample], prompts: Sequence[Prompt], orders: Orders
) -> Iterator[dict[str, object]]:
    """Yield the requests, as `requests.jsonl` holds them, holding one sample at a time."""
    for sample in samples:
        for prompt in prompts:
            choices = prompted(sample.choices, prompt)
            for number, order in enumerate(ORDERS[orders]):
                yield _request(sample, prompt, number, shown(choices, order))


def messages_of(text: str) -> list[dict[str, str]]:
    """What is sent of the text of a prompt."""
    return [{"role": "user", "content": text}]


def _request(sample: Sample, prompt: Prompt, order: int, choices: Choices) -> dict[str, object]:
    text = prompt.text(sample.context, sample.question, choices)
    return {
        "request_id": request_id(sample.sample_id, order, prompt.id),
        "sample_id": sample.sample_id,
        "prompt_id": prompt.id,
        "order": order,
        "messages": messages_of(text),
        "choices": list(choices),
    }
