"""From replies to each model's answers, counted by template, prompt and order."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.records.messages import Finding, finding, natural, shortened
from curation.records.sample import Sample
from evaluation.folders import Row
from evaluation.qa.metrics import ANSWERS, EVERY_CELL, Answer, Context
from evaluation.qa.prepare import Grid
from evaluation.replies import files
from evaluation.replies.readings import (
    MISSING,
    PERSON,
    SECOND,
    Judged,
    KnownParsings,
    Mode,
    Readings,
    read_many,
)
from evaluation.requests import ASKED, ORDERS, THEN_ASKED

NO_TEXT = -1
"""The number of the text of what has none."""
_LACKING = (
    "ask for them with 'curate evaluate run', score the incomplete set with --allow-incomplete, or "
    "name what was asked with --requests FILE"
)
_SHOWN = 197  # characters of a reply that stands for others
Answers = npt.NDArray[np.int8]
"""For each request of a grid the `Answer`, of its shape."""
Tallies = npt.NDArray[np.int64]
"""Counts of the shape templates x prompts x (epochs x 3 orders) x `EVERY_CELL`."""


def answers_of(
    grid: Grid, places: npt.NDArray[np.int64], positions: npt.NDArray[np.int8]
) -> Answers:
    """For each request of a grid which answer its reply gives.

    Args:
        grid: What was asked.
        places: Of the replies; each at most once.
        positions: Which of the choices as shown each reply names; -1 when it is out-of-choice.
    """
    found = np.full(grid.size, Answer.MISSING, np.int8)
    found[places] = answers_at(grid, places, positions)
    return found.reshape(grid.asked.shape)


def answers_at(
    grid: Grid, places: npt.NDArray[np.int64], positions: npt.NDArray[np.int8]
) -> npt.NDArray[np.int8]:
    """The answers at some places; see `answers_of`."""
    sample, _, order = np.unravel_index(places, grid.asked.shape)
    choice = np.array(ORDERS[grid.orders], np.int8)[order % 3, np.maximum(positions, 0)]
    answer = np.where(choice == grid.samples.biased[sample], Answer.BIASED, Answer.COUNTER_BIASED)
    answer = np.where(choice == 2, Answer.UNKNOWN, answer)
    return np.where(positions < 0, Answer.OUT_OF_CHOICE, answer).astype(np.int8)


def choices_of(grid: Grid, answers: Answers) -> npt.NDArray[np.int8]:
    """Which choice of its sample each request's answer is; -1 where it is none."""
    biased = grid.samples.biased[:, None, None]
    choice = np.where(answers == Answer.BIASED, biased, 1 - biased)
    choice = np.where(answers == Answer.UNKNOWN, 2, choice)
    return np.where(answers >= Answer.OUT_OF_CHOICE, -1, choice).astype(np.int8)


def positions_of(grid: Grid, answers: Answers) -> npt.NDArray[np.int8]:
    """At which place the answer of each request stood; -1 where it is none of the choices."""
    places = np.argsort(np.array(ORDERS[grid.orders], np.int8), axis=1)  # by order and choice
    choice = choices_of(grid, answers)
    orders = np.arange(answers.shape[2]) % 3
    found = places[orders[None, None, :], np.maximum(choice, 0)]
    return np.where(choice < 0, -1, found).astype(np.int8)


def count(grid: Grid, answers: Answers) -> Tallies:
    """Count answers; requests that were not made or have no reply are in no cell."""
    samples = grid.samples
    _, prompts, orders = grid.asked.shape
    there = grid.asked & (answers != Answer.MISSING)
    cells = samples.context.astype(np.int64)[:, None, None] * ANSWERS + answers
    strata = samples.unit.astype(np.int64)[:, None, None] * (prompts * orders)
    strata = strata + np.arange(prompts * orders).reshape(1, prompts, orders)
    flat = (strata * len(EVERY_CELL) + cells)[there]
    shape = (len(samples.units), prompts, orders, len(EVERY_CELL))
    return np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)


def missing_places(grid: Grid, answers: Answers) -> npt.NDArray[np.int64]:
    """The places of the requests without a reply."""
    return np.flatnonzero((grid.asked & (answers == Answer.MISSING)).ravel())


assert len(EVERY_CELL) == len(Context) * ANSWERS  # noqa: S101  # the cells are contexts x answers


@dataclass(frozen=True, slots=True)
class Parsed:
    """How each reply of a model was parsed, by the place of its request in the grid.

    Attributes:
        texts: Which text each is; `NO_TEXT` for none, and what is below it why the call failed:
            -2 for the first of the errors, -3 for the second.
        rules: Which of `names` parsed each, or why it was not parsed.
        names: Rules, a person and a second reader among them.
    """

    texts: npt.NDArray[np.int32]
    rules: npt.NDArray[np.uint8]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """What one model answered.

    Attributes:
        model: The model.
        answers: For each request of the grid the answer.
        missing: Places of the requests without a reply.
        rules: By which rule how many replies were read, or why they were not.
        unknown: Ids of replies to requests that there are not.
        failed: How many calls failed.
        unparsed: Why replies could not be parsed, the most frequent reason first: the `rule`, as
            `rules` names it, the `count` of what it left out, and the `reply` of it that came most
            often, in one line, at most 200 characters; nothing of those that a person looked at.
        parsed: How each reply was parsed, where that was to be kept.
    """

    model: str
    answers: Answers
    missing: npt.NDArray[np.int64]
    rules: Mapping[str, int]
    unknown: tuple[str, ...]
    failed: int
    unparsed: tuple[Row, ...] = ()
    parsed: Parsed | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """What models answered.

    Attributes:
        grid: What they were asked.
        models: The answers of each model, by name.
        findings: What is wrong with the replies, and what they lack.
        texts: What was replied, where it was to be kept.
        errors: Likewise why calls failed.
        samples: Of predictions the samples with their texts, by id.
        inputs: The files that were read, by the name to give them.
        templates: What the templates come from, with the columns of `TEMPLATE_COLUMNS`.
        asked: With which prompts, in which language and about which samples models were asked, as
            a manifest holds it.
    """

    grid: Grid
    models: tuple[ModelAnswers, ...]
    findings: tuple[Finding, ...]
    texts: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    samples: Mapping[str, Sample] = field(default_factory=dict)
    inputs: Mapping[str, Path] = field(default_factory=dict)
    templates: tuple[Row, ...] = ()
    asked: Mapping[str, object] = field(default_factory=dict)


def read_models(
    grid: Grid,
    replies: files.ReplyParts,
    mode: Mode = "strict",
    filled: Judged | None = None,
    second: Judged | None = None,
    *,
    keep: bool = False,
    hint: str = "",
) -> Read:
    """Read the answers of every model, part by part.

    Of each request and model one byte is held, and each distinct reply that could not be parsed.

    Args:
        grid: What was asked.
        replies: The replies.
        mode: How they are read.
        filled: What a person read of replies that no rule could read; it goes before any rule.
        second: What a second reader read of replies that no rule could read; neither rule nor
            person is asked about the others.
        keep: Whether texts are kept, and how each reply was parsed.
        hint: What to do where replies answer other messages than the requests of the grid.

    Raises:
        CurateError: If a file cannot be read, there is no reply, or one answers other messages.
    """
    given = grid, mode, filled or {}, second or {}, keep
    reading = _Reading(*given)
    reading.read(replies)
    findings = list(reading.findings)
    if reading.doubled:  # which of them counts, nobody knew when the first was read
        left_out, doubled = replies.left_out(reading.doubled)
        reading = _Reading(*given)
        reading.read(replies, left_out)
        findings += replies.doubled_findings(doubled)
    if not reading.rows:
        raise replies.nothing(findings)
    if mode == "logprobs" and not reading.has_text:
        raise replies.no_logprobs()
    reading.other.refuse(replies.paths, hint)
    models = tuple(reading.models[name].answers(grid) for name in natural(reading.models))
    return Read(grid, models, tuple(findings), tuple(reading.texts), tuple(reading.errors))


class _Model:
    """What is added up of the replies of a model."""

    def __init__(self, name: str, size: int, *, keep: bool) -> None:
        self.name, self.keep = name, keep
        self.found = np.full(size, Answer.MISSING, np.int8)
        self.has_failed = np.zeros(size, np.bool_)
        self.unknown: dict[str, bool] = {}  # by id, whether it was replied to
        self.rules: Counter[str] = Counter()
        self.unparsed: dict[str, dict[tuple[int, int], tuple[int, str]]] = {}
        self.texts = np.full(size if keep else 0, NO_TEXT, np.int32)
        self.parsed_by = np.zeros(size if keep else 0, np.uint8)
        self.names: dict[str, int] = {}

    def strangers(self, ids: list[str], replied: npt.NDArray[np.bool_]) -> list[str]:
        """Take replies to requests that there are not; gives those that were replied to before."""
        again = []
        for name, has_text in zip(ids, replied.tolist(), strict=True):
            if has_text and self.unknown.get(name):
                again.append(name)
            self.unknown[name] = has_text or self.unknown.get(name, False)
        return again

    def failures(self, places: npt.NDArray[np.int64], errors: npt.NDArray[np.int32]) -> None:
        """Take calls that failed."""
        self.has_failed[places] = True
        if len(self.texts):
            open_ = self.texts[places] < 0
            self.texts[places[open_]] = -2 - errors[open_]

    def take_unparsed(self, read: Readings, replies: Any) -> None:
        """Count why replies could not be parsed, with each text once."""
        rows = np.flatnonzero(read.unparsed)
        pairs = pd.DataFrame({"rule": read.rules[rows], "text": replies.codes[rows]})
        counts = pairs.groupby(["rule", "text"], sort=False, as_index=False).size()
        for rule, code, count in counts.itertuples(index=False):
            text = str(replies.categories[code])
            kept = self.unparsed.setdefault(read.names[rule], {})
            key = hash(text), len(text)
            before, head = kept.get(key, (0, text[: _SHOWN + 1]))
            kept[key] = before + int(count), head

    def number(self, rule: str) -> int:
        """The number of a rule."""
        return self.names.setdefault(rule, len(self.names))

    def answers(self, grid: Grid) -> ModelAnswers:
        """What it answered."""
        found = self.found.reshape(grid.asked.shape)
        is_failed = self.has_failed & (self.found == Answer.MISSING)
        rules = {**self.rules, MISSING: int(is_failed.sum())}
        others = (PERSON, SECOND)
        names = [*sorted(name for name in rules if rules[name] and name not in others), *others]
        if len(self.parsed_by):
            if rules[MISSING]:
                self.parsed_by[is_failed] = self.number(MISSING)
            at = [names.index(name) if name in names else 0 for name in (*self.names, PERSON)]
            place = np.array(at, np.uint8)
            self.parsed_by = place[self.parsed_by]
        return ModelAnswers(
            model=self.name,
            answers=found,
            missing=missing_places(grid, found),
            rules={name: rules[name] for name in names if rules.get(name)},
            unknown=tuple(self.unknown),
            failed=rules[MISSING],
            unparsed=tuple(self._failed_rules()),
            parsed=Parsed(self.texts, self.parsed_by, tuple(names)) if self.keep else None,
        )

    def _failed_rules(self) -> Iterator[Row]:
        """Yield the reasons of replies that could not be parsed, the most frequent first."""
        counts = {
            name: sum(number for number, _ in kept.values()) for name, kept in self.unparsed.items()
        }
        for name in sorted(counts, key=lambda name: (-counts[name], name)):
            _, often = max(self.unparsed[name].values(), key=itemgetter(0))
            line = " ".join(often[:_SHOWN].split())
            reply = line if len(often) <= _SHOWN else f"{line}..."
            yield {"rule": name, "count": counts[name], "reply": reply}


class _Reading:
    """Adds up replies, part by part.

    Attributes:
        models: By name.
        findings: What could not be read.
        doubled: Requests with several replies, and their models.
        other: Replies that answer other messages.
        rows: How many lines with a reply or a failure there were.
        has_text: Whether there was any text.
        texts: The distinct replies, where they are kept.
        errors: The distinct kinds of failures, where they are kept.
    """

    def __init__(self, grid: Grid, mode: Mode, filled: Judged, second: Judged, keep: bool) -> None:
        self._grid, self._mode, self._keep = grid, mode, keep
        self._filled, self._second = filled, second
        self.models: dict[str, _Model] = {}
        self.findings: list[Finding] = []
        self.doubled: set[tuple[str, str]] = set()
        self.other = files.OtherMessages()
        self.rows = 0
        self.has_text = False
        self.texts: dict[str, int] = {}
        self.errors: dict[str, int] = {}

    def read(
        self, replies: files.ReplyParts, left_out: npt.NDArray[np.int64] | None = None
    ) -> None:
        """Go through all replies; some rows are left out."""
        start = 0
        of: Path | None = None
        known = KnownParsings(None)
        for path, table, findings in replies.tables():
            self.findings += findings
            if path != of:
                known.save()
                of, known = path, KnownParsings(path, self._grid.own)
            end = start + len(table)
            if left_out is not None:
                first, last = np.searchsorted(left_out, (start, end))
                kept = np.ones(len(table), np.bool_)
                kept[left_out[first:last] - start] = False
                table = table.filter(kept)
            start = end
            if len(table):
                self._take(table, known)
        known.save()

    def _take(self, table: Any, known: KnownParsings) -> None:
        places = self._grid.locate(table.column("request_id"))
        answered = files.message_hashes(table.column(ASKED))
        frame = pd.DataFrame(
            {
                name: table.column(name).dictionary_encode().to_pandas()
                for name in ("model", "reply", "error")
            }
        )
        frame["request_id"] = table.column("request_id").to_pandas()
        frame["text"] = frame["failure"] = np.int32(0)
        if self._keep:
            frame["text"] = _numbered(frame["reply"], self.texts)
            frame["failure"] = _numbered(frame["error"], self.errors)
        self.rows += len(frame)
        self.has_text = self.has_text or any(frame["reply"].cat.categories)
        if answered is not None and self._grid.hashes is not None:
            self.other.add(frame, answered, self._grid.hashes_at(places))
        for name in frame["model"].cat.categories:
            if name not in self.models:
                self.models[name] = _Model(name, self._grid.size, keep=self._keep)
            own = np.flatnonzero((frame["model"] == name).to_numpy())
            self._of_model(self.models[name], frame.iloc[own], places[own], known)

    def _of_model(
        self,
        model: _Model,
        frame: pd.DataFrame,
        places: npt.NDArray[np.int64],
        known: KnownParsings,
    ) -> None:
        replied = frame["reply"].notna().to_numpy()
        strange = places < 0
        if strange.any():
            ids = frame["request_id"].to_numpy()[strange].tolist()
            again = model.strangers(ids, replied[strange])
            self.doubled |= {(name, model.name) for name in again}
        failed = ~strange & ~replied
        if failed.any():
            model.failures(places[failed], frame["failure"].to_numpy()[failed])
        there = np.flatnonzero(~strange & replied)
        places = places[there]
        again = model.found[places] != Answer.MISSING
        again |= pd.Series(places).duplicated().to_numpy()
        if again.any():
            ids = frame["request_id"].to_numpy()[there[again]].tolist()
            self.doubled |= {(name, model.name) for name in ids}
        frame, grid = frame.iloc[there], self._grid
        replies = frame["reply"].array
        lists, choices, labels = grid.shown(places, cased=self._mode == "logprobs")
        given = lists, choices, labels, self._mode, grid.own, known
        read = read_many(replies, *given, self._filled, self._second)
        model.rules.update(read.counts())
        model.take_unparsed(read, replies)
        model.found[places] = answers_at(grid, places, read.positions)
        if self._keep:
            model.texts[places] = frame["text"].to_numpy()
            names = np.array([model.number(name) for name in read.names], np.uint8)
            model.parsed_by[places] = names[read.rules]


def _numbered(values: pd.Series, known: dict[str, int]) -> npt.NDArray[np.int32]:
    """The numbers of texts, which new ones get; -1 for a missing one."""
    numbers = [known.setdefault(str(text), len(known)) for text in values.cat.categories]
    return np.array([*numbers, -1], np.int32)[values.cat.codes.to_numpy()]


def model_findings(grid: Grid, models: Sequence[ModelAnswers], file: str) -> Iterator[Finding]:
    """Report what scores leave out, and whether any can be given: one finding for all models."""
    asked = int(grid.asked.sum())
    attended = [
        files.Attendance(
            model=item.model,
            asked=asked,
            lacking=len(item.missing),
            missing=[grid.name(int(at)) for at in item.missing[:9]],  # 8 are shown
            failed=item.failed,
            unknown=item.unknown,
            rules=item.rules,
        )
        for item in models
    ]
    yield from files.attendance_findings(attended, file, _LACKING)
    second = [item.model for item in models if item.model.endswith(THEN_ASKED)]
    if second:
        yield finding("evaluation", "evaluate-then-asked", file, models=shortened(second))
    silent = [item.model for item in models if not (item.answers < Answer.MISSING).any()]
    if silent:
        yield finding("evaluation", "evaluate-no-reply", file, models=shortened(silent))
