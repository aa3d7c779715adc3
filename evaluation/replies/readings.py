"""Replies as answers: which choice each of a million replies names."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.languages import Language
from evaluation.parsing import ReplyRule, alone_label, choice_letters, read_reply
from evaluation.replies.kobbq import read_as_kobbq
from evaluation.replies.logprobs import read_logprobs

OUT_OF_CHOICE = -1
"""The position of no choice."""
MISSING = "missing"
"""The rule of a request that has no reply, for the call failed."""
Mode = Literal["strict", "kobbq", "logprobs"]
"""How replies are read: by the toolkit's rules, as KoBBQ's published script does, or by their
log-probabilities, which `load_replies` then gives in place of their texts."""

_LETTER = ReplyRule.LETTER.value
_SHORT = 32  # characters that a reply has at most that is looked at as a label alone
_LABEL = 3  # characters of a choice's text that may be taken for a label
_Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Readings:
    """What many replies say, in their order.

    Attributes:
        positions: For each reply the position of the choice that it names, from 0, or
            `OUT_OF_CHOICE`.
        rules: For each reply which of `names` read it, or why it was not read.
        names: The rules that occur; `MISSING` where there is no reply.
    """

    positions: npt.NDArray[np.int8]
    rules: npt.NDArray[np.uint8]
    names: tuple[str, ...]

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Where there is no reply."""
        if MISSING not in self.names:
            return np.zeros(len(self.rules), dtype=np.bool_)
        return np.asarray(self.rules == self.names.index(MISSING))

    @property
    def out_of_choice(self) -> npt.NDArray[np.bool_]:
        """Where there is a reply of which no choice can be read."""
        return np.asarray((self.positions == OUT_OF_CHOICE) & ~self.missing)

    def counts(self) -> dict[str, int]:
        """Count the replies of each rule, in the order of `names`."""
        found = np.bincount(self.rules, minlength=len(self.names))
        return {name: int(count) for name, count in zip(self.names, found, strict=True)}


def read_many(
    replies: Sequence[str | None] | npt.NDArray[np.object_] | pd.Series | pd.Categorical,
    lists: npt.ArrayLike,
    choices: Sequence[_Texts],
    labels: Sequence[_Texts | None] | None = None,
    mode: Mode = "strict",
    own: Language | None = None,
) -> Readings:
    """Read many replies at once, each distinct reply to each distinct list of choices once.

    Args:
        replies: The replies; None (or a missing value) where a call failed. A categorical one,
            as `load_replies` gives, is quickest.
        lists: For each reply, which of `choices` it was shown.
        choices: Lists of choices, in the order in which they were shown.
        labels: For each list the labels shown (`a, b, c` or `1, 2, 3`); None for A, B, C.
            Both sequences may make their items when they are asked for.
        mode: How to read.
        own: The language of a workspace, whose words are read too.

    Raises:
        ValueError: If the arguments differ in length, or a list is named that there is not.
    """
    codes, texts = _distinct(replies)
    at = np.asarray(lists, dtype=np.int64)
    if at.shape != codes.shape or (labels is not None and len(labels) != len(choices)):
        raise ValueError("replies and lists, or choices and labels, differ in length")
    if len(at) and (at.min() < 0 or at.max() >= len(choices)):
        raise ValueError("a reply names a list of choices that does not exist")
    used, at = np.unique(at, return_inverse=True)
    shown = [tuple(choices[which]) for which in used.tolist()]
    called = [labels[which] if labels else None for which in used.tolist()]
    rows, width = np.flatnonzero(codes >= 0), max(len(texts), 1)
    # In the order of the lists: what a list needs is then prepared once.
    groups, pairs = pd.factorize(at[rows] * width + codes[rows], sort=True)
    read = [
        _read(mode, own, texts[text], shown[which], called[which])
        for which, text in (divmod(pair, width) for pair in pairs.tolist())
    ]
    names = sorted({rule for _, rule in read} | ({MISSING} if len(rows) < len(at) else set()))
    place = {name: number for number, name in enumerate(names)}
    positions = np.full(len(at), OUT_OF_CHOICE, dtype=np.int8)
    rules = np.full(len(at), place.get(MISSING, 0), dtype=np.uint8)
    positions[rows] = np.array([position for position, _ in read], dtype=np.int8)[groups]
    rules[rows] = np.array([place[rule] for _, rule in read], dtype=np.uint8)[groups]
    return Readings(positions, rules, tuple(names))


def _distinct(replies: Any) -> tuple[npt.NDArray[np.int64], list[str]]:
    """For each reply which of the distinct texts it is, -1 for none."""
    if isinstance(replies, pd.Series) and isinstance(replies.dtype, pd.CategoricalDtype):
        replies = replies.array
    if isinstance(replies, pd.Categorical):
        return replies.codes.astype(np.int64), [str(text) for text in replies.categories]
    values = np.empty(len(replies), dtype=object)
    values[:] = replies
    codes, texts = pd.factorize(values)
    return np.asarray(codes, dtype=np.int64), [str(text) for text in texts]


def _read(
    mode: Mode, own: Language | None, reply: str, choices: _Texts, labels: _Texts | None
) -> tuple[int, str]:
    """Read one reply to one list of choices: the position, and the rule."""
    position: int | None
    rule: str
    if mode == "kobbq":
        position, rule = read_as_kobbq(reply, choices)
    elif mode == "logprobs":
        position, rule = read_logprobs(reply, len(choices), labels)
    else:
        position, rule = None, _LETTER
        if len(reply) <= _SHORT and min(map(len, choices)) > _LABEL:
            # Most replies are a label alone, which is read without looking at the choices.
            position = _alone(reply, labels, len(choices))
        if position is None:
            reading = read_reply(reply, choices, labels=labels, own=own)
            position = None if reading.chosen is None else next(iter(reading.chosen))
            rule = reading.rule.value
    return OUT_OF_CHOICE if position is None else position, rule


@lru_cache(maxsize=4096)
def _alone(reply: str, labels: _Texts | None, count: int) -> int | None:
    return alone_label(reply, labels or tuple(choice_letters(count)))
