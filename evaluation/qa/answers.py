"""From replies to each model's answers, counted by template, prompt and order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.records.findings import Finding, Severity
from curation.records.wording import counted
from evaluation.qa.grid import Grid
from evaluation.qa.metrics import ANSWERS, EVERY_CELL, Answer, Context
from evaluation.replies.files import ReplyTable, shortened
from evaluation.replies.readings import Mode, Readings, read_many
from evaluation.replies.unparsed import PERSON, SECOND
from evaluation.requests import ORDERS, THEN_ASKED

_TEXTS = ("reply", "error")  # columns of a table of replies
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
    sample, _, order = np.unravel_index(places, grid.asked.shape)
    choice = np.array(ORDERS[grid.orders], np.int8)[order % 3, np.maximum(positions, 0)]
    answer = np.where(choice == grid.samples.biased[sample], Answer.BIASED, Answer.COUNTER_BIASED)
    answer = np.where(choice == 2, Answer.UNKNOWN, answer)
    found[places] = np.where(positions < 0, Answer.OUT_OF_CHOICE, answer)
    return found.reshape(grid.asked.shape)


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


Filled = Mapping[tuple[str, str], int | None]
"""What a person read, by model and request: the position of the choice, None for none."""


@dataclass(frozen=True, slots=True)
class FailedRule:
    """A reason for which replies could not be parsed.

    Attributes:
        rule: The reason, as `rules` names it.
        count: How many replies it left out.
        reply: The one of them that came most often, in one line, at most 200 characters.
    """

    rule: str
    count: int
    reply: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """How each reply of a model was parsed, in columns as long as its replies.

    Attributes:
        places: Of the requests in the grid that they answer.
        texts: Which category of the table's column `reply` each is; -1 where the call failed.
        errors: Which category of its column `error` each is; -1 where there is a reply.
        rules: Which of `names` parsed each, or why it was not parsed.
        names: Rules, a person and a second reader among them.
    """

    places: npt.NDArray[np.int64]
    texts: npt.NDArray[np.int32]
    errors: npt.NDArray[np.int32]
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
        unparsed: Why replies could not be parsed, the most frequent reason first; nothing of
            those that a person looked at.
        parsed: How each reply was parsed, where that was to be kept.
    """

    model: str
    answers: Answers
    missing: npt.NDArray[np.int64]
    rules: Mapping[str, int]
    unknown: tuple[str, ...]
    failed: int
    unparsed: tuple[FailedRule, ...] = ()
    parsed: Parsed | None = None


def read_models(
    grid: Grid,
    table: ReplyTable,
    mode: Mode = "strict",
    filled: Filled | None = None,
    places: npt.NDArray[np.int64] | None = None,
    second: Filled | None = None,
    *,
    keep: bool = False,
) -> Iterator[ModelAnswers]:
    """Yield the answers of every model of a table of replies, by name.

    Args:
        grid: What was asked.
        table: The replies.
        mode: How they are read.
        filled: What a person read of replies that no rule could read; it goes before any rule.
        places: Of the replies in the grid, as it locates them, where that is known already.
        second: What a second reader read of replies that no rule could read; neither rule nor
            person is asked about the others.
        keep: Whether it is kept how each reply was parsed.
    """
    frame = table.frame
    if places is None:
        places = grid.locate(frame["request_id"])
    for model in table.models:
        own = np.flatnonzero((frame["model"] == model).to_numpy())
        person, other = filled or {}, second or {}
        yield _model(grid, model, frame, own, places[own], mode, person, other, keep=keep)


def _model(
    grid: Grid,
    model: str,
    frame: pd.DataFrame,
    own: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    mode: Mode,
    filled: Filled,
    second: Filled,
    *,
    keep: bool,
) -> ModelAnswers:
    ids = frame["request_id"]
    unknown = tuple(ids.iloc[own[places < 0]].tolist())
    own, places = own[places >= 0], places[places >= 0]
    replies = frame["reply"].iloc[own]
    lists, choices, labels = grid.shown(places, cased=mode == "logprobs")
    read = read_many(replies, lists, choices, labels, mode, grid.own)
    positions = read.positions.copy()
    parsed_by = read.rules.copy()
    rules = read.counts()
    there = ~read.missing
    unparsed = read.out_of_choice
    if filled or second:
        kept = ids.iloc[own].tolist()
        by_person = _fill(model, kept, positions, filled, np.asarray(there))
        left = unparsed.copy()
        left[by_person] = False
        by_second = _fill(model, kept, positions, second, left)
        for at in (*by_person, *by_second):
            rules[read.names[read.rules[at]]] -= 1
        parsed_by[by_person], parsed_by[by_second] = len(read.names), len(read.names) + 1
        unparsed[[*by_person, *by_second]] = False
        rules |= {PERSON: len(by_person), SECOND: len(by_second)}
        rules = {name: count for name, count in rules.items() if count}
    answers = answers_of(grid, places[there], positions[there])
    return ModelAnswers(
        model=model,
        answers=answers,
        missing=missing_places(grid, answers),
        rules=rules,
        unknown=unknown,
        failed=int(read.missing.sum()),
        unparsed=tuple(_failed(read, unparsed, replies)),
        parsed=_parsed(frame.iloc[own], places, parsed_by, read.names) if keep else None,
    )


def _parsed(
    frame: pd.DataFrame,
    places: npt.NDArray[np.int64],
    rules: npt.NDArray[np.uint8],
    names: Sequence[str],
) -> Parsed:
    texts, errors = (frame[name].cat.codes.to_numpy().astype(np.int32) for name in _TEXTS)
    return Parsed(places, texts, errors, rules, (*names, PERSON, SECOND))


def _failed(read: Readings, unparsed: np.ndarray, replies: pd.Series) -> Iterator[FailedRule]:
    """Yield the reasons of replies that could not be parsed, the most frequent first."""
    counts = np.bincount(read.rules[unparsed], minlength=len(read.names)).tolist()
    for at in sorted(range(len(counts)), key=lambda at: (-counts[at], read.names[at])):
        if counts[at]:
            texts = replies[unparsed & (read.rules == at)].astype("str").value_counts(sort=False)
            often = str(texts.index[int(texts.to_numpy().argmax())])
            line = " ".join(often[:_SHOWN].split())
            yield FailedRule(
                read.names[at], counts[at], line if len(often) <= _SHOWN else f"{line}..."
            )


def _fill(
    model: str, ids: list[str], positions: np.ndarray, filled: Filled, there: np.ndarray
) -> list[int]:
    """Put the readings of a person, or of a second reader, in; gives where."""
    changed = []
    for at, name in enumerate(ids):
        if (model, name) in filled and there[at]:
            choice = filled[model, name]
            positions[at] = -1 if choice is None else choice
            changed.append(at)
    return changed


def model_findings(grid: Grid, models: Sequence[ModelAnswers], file: str) -> Iterator[Finding]:
    """Report what scores leave out, and whether any can be given: one finding for all models."""
    lacking = [item for item in models if len(item.missing)]
    if lacking:
        said = partial(_missing, int(grid.asked.sum()))
        names = [grid.name(int(at)) for at in lacking[0].missing[:6]]  # 5 are shown
        yield _finding(
            "evaluate-missing",
            file,
            f"{_listed(lacking, said)}, so the scores are over an incomplete set: "
            f"{shortened(names)}",
            "ask for them with 'curate evaluate run', score what there is with "
            "--allow-incomplete, or name what was asked with --requests FILE",
        )
    strange = [item for item in models if item.unknown]
    if strange:
        told = _listed(strange, lambda item: counted(len(item.unknown), "reply", "replies"))
        yield _finding(
            "evaluate-unknown-request",
            file,
            f"left out, because no such request was asked: {told}: {shortened(strange[0].unknown)}",
            "name the samples, prompts or requests that were asked",
        )
    second = [item.model for item in models if item.model.endswith(THEN_ASKED)]
    if second:
        yield _finding(
            "evaluate-then-asked",
            file,
            f"{shortened(second)}: asked for the letter in a second turn, after a reply of the "
            "model's own; that is another measurement than a reply in one turn",
            "compare only models that were asked alike",
        )
    silent = [item.model for item in models if not (item.answers < Answer.MISSING).any()]
    if silent:
        what = f"{shortened(silent)}: no reply answers any request"
        yield _finding("evaluate-no-reply", file, what, "")


def _missing(asked: int, item: ModelAnswers) -> str:
    failed = f" ({counted(item.failed, 'call')} failed)" if item.failed else ""
    return f"{len(item.missing):,} of {asked:,} requests have no reply{failed}"


def _listed(models: Sequence[ModelAnswers], say: Callable[[ModelAnswers], str]) -> str:
    """Models with what is to be said of them, those of which the same is said together."""
    found: dict[str, list[str]] = {}
    for item in models:
        found.setdefault(say(item), []).append(item.model)
    return "; ".join(f"{shortened(names)}: {what}" for what, names in found.items())


def _finding(rule: str, file: str, message: str, hint: str) -> Finding:
    return Finding(rule, Severity.WARNING, file, None, "", message, hint)
