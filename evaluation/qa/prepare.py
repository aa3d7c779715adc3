"""Requests of question answering: samples x prompts x orders (KoBBQ, section 4.1), as one grid.

A reply's place in the grid is a number, so that a million of them take little memory.
"""

import hashlib
import json
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from curation.files.jsonl import Line, text_list
from curation.files.workspace import Workspace
from curation.languages import Language
from curation.languages.prompts import PLACES, Prompt
from curation.records.messages import CurateError, Finding, Results, finding, refusal
from curation.records.sample import Sample
from evaluation.folders import QUESTIONS, save_requests, stale
from evaluation.prompts import (
    COMPLETION,
    Choices,
    PromptSet,
    asked_language,
    chosen_prompts,
    make_requests,
    messages_of,
)
from evaluation.qa.metrics import context_of, reference_of
from evaluation.qa.samples import Named, SampleFile, Told, drawn, samples_files
from evaluation.requests import (
    EPOCH,
    ORDERS,
    Orders,
    Request,
    epoch_of,
    hash_of_line,
    in_epochs,
    messages_hash,
    read_lines,
    request_id,
    request_of,
    shown,
    shown_labels,
    split_epoch,
)

if TYPE_CHECKING:
    import pandas as pd

Piece = tuple[str, str]
"""A piece of a message: a text as it stands, or empty and the name of what stands there."""
Layout = tuple[tuple[str, tuple[Piece, ...]], ...]
"""The messages of a prompt: of each the role, and the pieces of its text."""


_MARKS = dict(zip(PLACES, map(chr, range(0xFDD0, 0xFDD5)), strict=True))
"""Stand for what stands in each place; no text has these signs, which are no characters."""


def layout_of_prompt(prompt: Prompt) -> Layout:
    """The one message of a prompt, as `Prompt.text` fills it."""
    context, question, *choices = _MARKS.values()
    return (("user", _pieces(prompt.text(context, question, choices))),)


def texts_of(sample: Sample, request: Request) -> dict[str, str]:
    """What stands in the places of a layout in a request about a sample."""
    return dict(zip(PLACES, (sample.context, sample.question, *request.choices), strict=True))


def layout_of_request(request: Request, texts: Mapping[str, str]) -> Layout:
    """Tell the layout from a request: the context where it comes first, the others where last.

    Choices are names that the context may hold too, so that it is taken out before them.

    Args:
        request: The request.
        texts: What stands in the places of the layout.
    """
    found = []
    for item in request.messages:
        content = item["content"]
        for place, mark in _MARKS.items():
            text = texts[place]
            at = content.find(text) if place == "context" else content.rfind(text)
            if text and at >= 0:
                content = content[:at] + mark + content[at + len(text) :]
        found.append((item["role"], _pieces(content)))
    return tuple(found)


def _pieces(marked: str) -> tuple[Piece, ...]:
    places = {mark: place for place, mark in _MARKS.items()}
    parts = re.split(f"([{''.join(places)}])", marked)
    return tuple(("", places[it]) if it in places else (it, "") for it in parts if it)


def hashes_of_prompts(prompts: Sequence[Prompt]) -> dict[str, str]:
    """By id what identifies the texts of each prompt."""
    return {item.id: layout_hash(layout_of_prompt(item), item.unknown) for item in prompts}


def layout_hash(layout: Layout, unknown: str) -> str:
    """What identifies the texts of a prompt: SHA-256 of its layout and its unknown expression."""
    text = json.dumps([layout, unknown], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


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
    out: Path | None = None,
    language: str | None = None,
    epochs: int = 1,
    mapping: Path | None = None,
    answer: str | None = None,
) -> Results:
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
        out: The file; None for `exports/evaluation/requests.jsonl`.
        language: Whose prompts, a code or a file such as `pt.yaml`; None for the workspace's, or
            that of the package that the samples are in.
        epochs: How often each request is asked; from the second time on its id ends in `-e2` and
            so on.
        mapping: The file that says which columns of the samples say what.
        answer: The form in which the answer is asked for, `letter` or `json`; `completion` for
            the rest of contexts, in place of an answer; None for as the prompts do.

    Returns:
        - `requests`, how many, and `epochs`, how often each is asked;
        - `samples_file`: the samples that they are about, or the folder that all of them are in,
          with their `layout`, as `curation.sources.published_samples` names it;
        - `prompts`: their ids, and `prompt_set`: what they are called; see `PromptSet`;
        - `orders`: which three orders of the choices;
        - `file`: where the requests are;
        - `findings`: samples that are left out or leave open who is the target, and what the
          language lacks.

    Raises:
        CurateError: If the number of epochs is none, samples or prompts cannot be read, or the
            file cannot be written.
    """
    sources = samples_files(workspace, samples, kind)
    own = asked_language(workspace, language, sources[0])
    if answer == COMPLETION:
        if prompts or prompt_ids or orders or epochs > 1:
            raise refusal("evaluation", "prompt-completion", "--answer")
        found, chosen = PromptSet((), name=COMPLETION), Orders.CYCLIC
    else:
        found, chosen = chosen_prompts(workspace, prompts, prompt_ids, orders, own, answer)
    file = SampleFile(*sources, mapping=mapping, templates=workspace.sources_folder)
    count = None if limit is None else sum(1 for _ in file)

    def make() -> Iterator[dict[str, object]]:
        asked: Iterable[Sample] = file
        if limit is not None and count is not None:
            asked = drawn(file, count, limit, seed)
        if answer == COMPLETION:
            from evaluation.qa.completion import completion_requests  # questions need none

            ours = file.layout == "ours"
            return completion_requests(asked, workspace.culture.culture if ours else file.layout)
        return make_requests(asked, found.prompts, chosen)

    requests = in_epochs(make, epochs)
    inputs = [*sources, *(item for item in (prompts, mapping) if isinstance(item, Path))]
    settings = {
        **prompt_settings(found, hashes_of_prompts(found.prompts), own),
        "orders": chosen.value,
        "epochs": epochs,
        **({} if answer is None else {"answer": answer}),
        **({} if limit is None else {"limit": limit, "seed": seed}),
    }
    folder = f"{QUESTIONS}/{COMPLETION}" if answer == COMPLETION else QUESTIONS
    target, written = save_requests(
        workspace, requests, folder, out, inputs, {}, settings, command="evaluate prepare"
    )
    ids = tuple(prompt.id for prompt in found.prompts)
    lacking = () if own is None else _lacking(own)
    changed = (item for source in sources for item in stale(workspace, source))
    findings = (*changed, *file.findings, *lacking)
    return Results(
        {
            "requests": written,
            "samples_file": _common(sources),
            "prompts": ids,
            "orders": chosen,
            "file": target,
            "layout": file.layout,
            "findings": findings,
            "epochs": epochs,
            "prompt_set": found.name,
        }
    )


def _common(sources: Sequence[Path]) -> Path:
    """The one path, or the folder that several are in."""
    if any(path.is_absolute() for path in sources):
        sources = [path.absolute() for path in sources]
    return sources[0] if len(sources) == 1 else Path(commonpath(sources))


def _lacking(language: Language) -> Iterator[Finding]:
    """Say what a language lacks to read replies in it."""
    if language.replies is None:
        yield finding("evaluation", "evaluate-no-reply-words", "", language=language)


def parse_request_id(text: str) -> tuple[str, str, str]:
    """The sample, the number of the order and the prompt that an id names, in whatever epoch.

    Raises:
        ValueError: If it is no id of such a request.
    """
    parts = split_epoch(text)[0].rsplit("-", 2)
    if len(parts) != 3 or not parts[2].startswith("p"):
        raise ValueError(f"'{text}' is not the id of a request")
    return parts[0], parts[1], parts[2][1:]


Indices = npt.NDArray[np.int32]
Hashes = npt.NDArray[np.uint64]
_AT_ONCE = 1 << 19  # ids of requests
_AGAIN = "make the requests again from these samples: curate evaluate prepare"


class ScoreUnit(NamedTuple):
    """What scores are averaged and drawn over: a template, with what its samples share."""

    template_id: str
    category: str
    label: str


@dataclass(frozen=True)
class Samples:
    """The samples of a file, in columns.

    Attributes:
        ids: Their ids.
        units: The templates, in the order in which they come.
        unit: For each sample which of them.
        context: For each sample the `Context`, as a number.
        biased: For each sample which choice, 0 or 1, is the biased answer; where the role is open
            the right one, or 0.
        pairs: The distinct pairs of answers.
        pair: For each sample which of them are its first two choices.
        groups: The distinct pairs of groups of the two people.
        group: For each sample which of them it is about.
        fillings: Most fillings of one variant: 1 in a test set, 0 of published samples of others.
        sha256: SHA-256 of ids and texts: the same samples have the same in every format of file.
        told: By template what its samples say that it comes from.
    """

    ids: tuple[str, ...]
    units: tuple[ScoreUnit, ...]
    unit: Indices
    context: npt.NDArray[np.int8]
    biased: npt.NDArray[np.int8]
    pairs: tuple[tuple[str, str], ...]
    pair: Indices
    groups: tuple[tuple[str, str], ...]
    group: Indices
    fillings: int
    sha256: str
    told: Mapping[str, Iterable[Told]]

    @cached_property
    def column(self) -> Any:
        """The ids as a `pyarrow.Array`."""
        import pyarrow as pa

        return pa.array(self.ids, pa.large_string())


def gather(samples: Iterable[Sample]) -> Samples:
    """Put samples into columns, without their texts.

    Raises:
        CurateError: If an id occurs twice.
    """
    ids: dict[str, None] = {}
    units: dict[ScoreUnit, int] = {}
    pairs: dict[tuple[str, str], int] = {}
    fillings: dict[str, set[str]] = {}
    groups: dict[tuple[str, str], int] = {}
    told: dict[str, dict[Told, int]] = {}  # in order, each with its unit
    content = hashlib.sha256()
    unit, context, biased, pair, group = [], [], [], [], []
    for item in samples:
        if item.sample_id in ids:
            raise CurateError(f"sample {item.sample_id} occurs twice", hint="keep one of them")
        ids[item.sample_id] = None
        texts = (item.context, item.question, *item.choices, item.biased_answer, item.answer)
        content.update("\x1f".join((item.sample_id, *texts, "\x1e")).encode())
        source = item.category, item.label, item.source_category, item.source_id
        known = told.setdefault(item.template_id, {})
        if source not in known:
            of = ScoreUnit(item.template_id, item.category, item.label)
            known[source] = units.setdefault(of, len(units))
        unit.append(known[source])
        context.append(context_of(item))
        biased.append(reference_of(item))
        pair.append(pairs.setdefault((item.choices[0], item.choices[1]), len(pairs)))
        group.append(groups.setdefault((item.n1_group, item.n2_group), len(groups)))
        if item.variant:  # rows of a published set pool, as it scores them
            variant, index = item.sample_id.rsplit("-", 3)[:2]
            fillings.setdefault(variant, set()).add(index)
    return Samples(
        ids=tuple(ids),
        units=tuple(units),
        unit=np.array(unit, np.int32),
        context=np.array(context, np.int8),
        biased=np.array(biased, np.int8),
        pairs=tuple(pairs),
        pair=np.array(pair, np.int32),
        groups=tuple(groups),
        group=np.array(group, np.int32),
        fillings=max(map(len, fillings.values()), default=0),
        sha256=content.hexdigest(),
        told=told,
    )


@dataclass(frozen=True, slots=True)
class Grid:
    """The requests that there can be, and those that were made.

    Attributes:
        samples: The first axis.
        prompts: Ids of the prompts, the second axis.
        unknown: The unknown expression of each prompt.
        letters: What each prompt calls the choices.
        orders: Which three orders are the third axis, once for each epoch.
        asked: Of the shape samples x prompts x (epochs x 3), which requests there are; the orders
            of one epoch stand together.
        hashes: The hash of the messages of each, 0 where it is not known: of the same shape, or
            of one epoch. None where it was not wanted.
        own: The language whose own words replies are read with too.
        epochs: How often each is asked.
    """

    samples: Samples
    prompts: tuple[str, ...]
    unknown: tuple[str, ...]
    letters: tuple[Choices, ...]
    orders: Orders
    asked: npt.NDArray[np.bool_]
    hashes: Hashes | None = None
    own: Language | None = None
    epochs: int = 1

    @property
    def size(self) -> int:
        """How many requests there can be."""
        return self.asked.size

    def hashes_at(self, places: npt.NDArray[np.int64]) -> Hashes:
        """The hashes of the messages at some places; 0 for no place, and where it is not known."""
        found = np.zeros(len(places), np.uint64)
        if self.hashes is None:
            return found
        sample, prompt, order = np.unravel_index(np.maximum(places, 0), self.asked.shape)
        hashes = self.hashes[sample, prompt, order % self.hashes.shape[2]]
        return np.where(places >= 0, hashes, found)

    def name(self, at: int) -> str:
        """The id of a request by its place."""
        sample, prompt, order = np.unravel_index(at, self.asked.shape)
        epoch, number = divmod(int(order), 3)
        return request_id(self.samples.ids[sample], number, self.prompts[prompt], epoch + 1)

    def shown(
        self, places: npt.NDArray[np.int64], *, cased: bool = False
    ) -> tuple[npt.NDArray[np.int64], list[Choices], "list[Choices | None] | None"]:
        """What some requests show.

        Args:
            places: The requests.
            cased: Whether a, b, c are other labels than A, B, C, as they are among tokens.

        Returns:
            For each request which list of choices; the lists; and what the choices of each are
            called where that is not A, B, C, or None where it is everywhere.
        """
        sample, prompt, order = np.unravel_index(places, self.asked.shape)
        shape = (len(self.samples.pairs), len(self.prompts), 3)
        codes = np.ravel_multi_index((self.samples.pair[sample], prompt, order % 3), shape)
        used, at = np.unique(codes, return_inverse=True)
        pairs, prompts, orders = (of.tolist() for of in np.unravel_index(used, shape))
        kinds = ORDERS[self.orders]
        lists = [
            shown((*self.samples.pairs[pair], self.unknown[of]), kinds[number])
            for pair, of, number in zip(pairs, prompts, orders, strict=True)
        ]
        letters = [item if cased else tuple(map(str.upper, item)) for item in self.letters]
        own = [None if tuple(item) == ("A", "B", "C") else item for item in letters]
        called = [None if own[of] is None else self.letters[of] for of in prompts]
        return at, lists, called if any(own) else None

    def locate(self, ids: "Sequence[str] | pd.Series[str]") -> npt.NDArray[np.int64]:
        """The places of request ids; -1 for what is none, or was not asked."""
        import pyarrow as pa
        import pyarrow.compute as pc

        several = self.epochs > 1
        prompts = [
            f"p{prompt}" if epoch == 0 else f"p{prompt}/e{epoch + 1}"
            for epoch in range(self.epochs)
            for prompt in self.prompts
        ]
        known = [pa.array(of, pa.large_string()) for of in ("012", prompts)]
        known.insert(0, self.samples.column)
        column = ids if isinstance(ids, pa.ChunkedArray) else pa.array(ids, pa.large_string())
        places = np.full(len(column), -1, np.int64)
        for start in range(0, len(column), _AT_ONCE):  # so that parts take little memory
            part = column[start : start + _AT_ONCE]
            if several:  # no id of a prompt holds a hyphen, and epochs follow it: -e2
                part = pc.replace_substring_regex(part, "-(e[0-9]+)$", r"/\1")
            split = pc.split_pattern(part, "-", max_splits=2, reverse=True)
            whole = pc.equal(pc.list_value_length(split), 3)
            rows = start + np.flatnonzero(whole.to_numpy(zero_copy_only=False))
            split = split.filter(whole)
            found = [
                pc.fill_null(pc.index_in(pc.list_element(split, at), value_set=of), -1)
                for at, of in enumerate(known)
            ]
            sample, order, suffix = (np.asarray(of.to_numpy(), np.int64) for of in found)
            epoch, prompt = np.divmod(suffix, len(self.prompts))
            at = np.ravel_multi_index(
                (sample, prompt, epoch * 3 + order), self.asked.shape, mode="clip"
            )
            there = (sample >= 0) & (order >= 0) & (suffix >= 0) & self.asked.ravel()[at]
            places[rows[there]] = at[there]
        return places


class Hashing:
    """Hashes the questions of samples during an iteration.

    Args:
        prompts: The prompts.
        orders: Which orders of the choices.
    """

    def __init__(self, prompts: Sequence[Prompt], orders: Orders) -> None:
        self._prompts, self._orders = prompts, ORDERS[orders]
        self._found = array("Q")

    def through(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """Yield the samples, each once it is hashed."""
        for sample in samples:
            for prompt, order in product(self._prompts, self._orders):
                choices = sample.choices[0], sample.choices[1], prompt.unknown
                text = prompt.text(sample.context, sample.question, shown(choices, order))
                self._found.append(messages_hash(messages_of(text)))
            yield sample

    def hashes(self) -> Hashes:
        """The hashes, as a grid has them."""
        return np.array(self._found, np.uint64).reshape(-1, len(self._prompts), 3)


def full_grid(
    samples: Samples,
    prompts: Sequence[Prompt],
    orders: Orders,
    hashes: Hashes | None = None,
    epochs: int = 1,
) -> Grid:
    """Make the grid in which every sample is asked with every prompt in every order.

    Args:
        samples: The samples.
        prompts: The prompts.
        orders: The orders.
        hashes: Of the messages of one epoch, as `Hashing` gives them.
        epochs: How often each is asked.
    """
    return Grid(
        samples=samples,
        prompts=tuple(prompt.id for prompt in prompts),
        unknown=tuple(prompt.unknown for prompt in prompts),
        letters=tuple(prompt.letters for prompt in prompts),
        orders=orders,
        asked=np.ones((len(samples.ids), len(prompts), 3 * epochs), np.bool_),
        hashes=hashes,
        epochs=epochs,
    )


def grid_of_requests(samples: Samples, path: Path) -> Grid:
    """Make the grid of the requests of a file.

    The file says which requests were made, and in which orders their choices stand; each is
    compared with the samples, for scores over other choices would be wrong unnoticed.

    Raises:
        CurateError: If a request is of no sample of these, shows other choices, or occurs twice.
    """
    index = {name: at for at, name in enumerate(samples.ids)}
    prompts: dict[str, tuple[int, str, Choices]] = {}  # place, unknown expression, letters
    orders = set(Orders)
    # columns of numbers: there may be a million requests
    columns = array("i"), array("i"), array("i")
    hashes = array("Q")
    for line in read_lines(path):
        try:
            name, sample, prompt, order, epoch = _asked(line, index)
            whole = _choices(name, line, samples.pairs[samples.pair[sample]])
            if prompt not in prompts:
                first, second, third = shown_labels(request_of(line))
                prompts[prompt] = len(prompts), whole[2], (first, second, third)
            if prompts[prompt][1] != whole[2]:
                raise ValueError(f"request {name}: prompt {prompt} has two unknown expressions")
            said = tuple(text_list(line.value.get("choices"), "choices"))
            orders = {kind for kind in orders if shown(whole, ORDERS[kind][order]) == said}
            if not orders:
                raise ValueError(f"request {name} shows its choices in none of the known orders")
        except ValueError as error:
            raise CurateError(str(error), f"{path}, line {line.number}", _AGAIN) from error
        for column, at in zip(
            columns, (sample, prompts[prompt][0], (epoch - 1) * 3 + order), strict=True
        ):
            column.append(at)
        hashes.append(hash_of_line(line))
    if not hashes:
        raise CurateError(f"{path.name} holds no request", str(path), _AGAIN)
    epochs = max(columns[2]) // 3 + 1
    asked = np.zeros((len(samples.ids), len(prompts), 3 * epochs), np.bool_)
    places = tuple(np.array(column, np.int64) for column in columns)
    asked[places] = True
    if len(hashes) > asked.sum():
        raise CurateError(f"{path.name} holds a request twice", str(path), _AGAIN)
    of_places = np.zeros(asked.shape, np.uint64)
    of_places[places] = np.array(hashes, np.uint64)
    return Grid(
        samples=samples,
        prompts=tuple(prompts),
        unknown=tuple(unknown for _, unknown, _ in prompts.values()),
        letters=tuple(letters for *_, letters in prompts.values()),
        orders=min(orders),
        asked=asked,
        hashes=of_places,
        epochs=epochs,
    )


def _asked(line: Line, index: Mapping[str, int]) -> tuple[str, int, str, int, int]:
    """The id of a request, the place of its sample, its prompt, order and epoch."""
    name = line.text("request_id")
    sample, number, prompt = parse_request_id(name)
    epoch = split_epoch(name)[1]
    if EPOCH in line.value and epoch_of(line) != epoch:
        raise ValueError(f"request {name} is of epoch {epoch}, but its line says a different one")
    if sample not in index:
        raise ValueError(f"request {name} belongs to none of these samples")
    if number not in ("0", "1", "2"):
        raise ValueError(f"request {name}: there is no order {number}")
    return name, index[sample], prompt, int(number), epoch


def _choices(name: str, line: Line, pair: tuple[str, str]) -> Choices:
    """The two answers of a sample and the unknown expression that a request shows."""
    choices = text_list(line.value.get("choices"), "choices")
    others = [text for text in choices if text not in pair]
    if len(choices) != 3 or len(others) != 1:
        raise ValueError(f"request {name} shows choices that its sample does not have")
    return (*pair, others[0])


def hashes_in_requests(
    path: Path, unknown: Mapping[str, str], samples: Iterable[Sample]
) -> dict[str, str]:
    """By prompt what identifies its texts, told from its first request.

    Args:
        path: The requests, which are known to be of the samples.
        unknown: By prompt its unknown expression.
        samples: The samples.

    Raises:
        CurateError: If a file cannot be read.
    """
    first: dict[str, tuple[str, Request]] = {}
    for line in read_lines(path):
        request = request_of(line)
        sample_id, _, prompt = parse_request_id(request.request_id)
        first.setdefault(prompt, (sample_id, request))
        if len(first) == len(unknown):
            break
    ids = {sample_id for sample_id, _ in first.values()}
    there: dict[str, Sample] = {}
    for sample in samples:
        if sample.sample_id in ids:
            there[sample.sample_id] = sample
            if len(there) == len(ids):
                break
    return {
        prompt: layout_hash(
            layout_of_request(request, texts_of(there[name], request)), unknown[prompt]
        )
        for prompt, (name, request) in first.items()
    }
