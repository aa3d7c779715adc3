"""Replies as answers: which choice each of a million replies names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.languages import Language
from evaluation.parsing import Reading, ReplyRule, alone_label, choice_letters, read_reply
from evaluation.replies.kobbq import read_as_kobbq
from evaluation.replies.logprobs import read_logprobs

OUT_OF_CHOICE = -1
"""The position of no choice."""
MISSING = "missing"
"""The rule of a request that has no reply, for the call failed."""
Mode = Literal["strict", "kobbq", "logprobs"]
"""How replies are read: by the toolkit's rules, as KoBBQ's published script does, or by their
log-probabilities, which `load_replies` then gives in place of their texts."""

_SHORT = 32  # characters that a reply has at most that is looked at as a label alone
_LABEL = 3  # characters of a choice's text that may be taken for a label
_Texts = tuple[str, ...]
_Ints = npt.NDArray[np.int64]
_Read = tuple[int, str]  # position and rule
_Reader = Callable[[str, _Texts, _Texts | None], _Read]


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
    bulk = _Bulk(texts, shown, called, mode, own)
    found = np.full(len(at), -1)
    found[codes < 0] = bulk.code((OUT_OF_CHOICE, MISSING))
    bulk.read_letters(codes, at, found)
    bulk.read_others(codes, at, found)
    return bulk.readings(found)


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


class _Bulk:
    """Reads distinct pairs of reply and list; a reading is kept as a code until the end.

    Most replies are a label alone, which means the same to every list: such a reply is read once
    for all lists with these labels, except those of which a text is as short as a label.
    """

    def __init__(
        self,
        texts: Sequence[str],
        choices: Sequence[_Texts],
        labels: Sequence[_Texts | None],
        mode: Mode,
        own: Language | None,
    ) -> None:
        self._texts, self._choices, self._labels = texts, choices, labels
        self._mode, self._read = mode, _reader(mode, own)
        self._codes: dict[_Read, int] = {}

    def code(self, found: _Read) -> int:
        """The code of a reading."""
        return self._codes.setdefault(found, len(self._codes))

    def read_letters(self, codes: _Ints, lists: _Ints, found: _Ints) -> None:
        """Read the replies that are a label alone.

        Args:
            codes: For each reply which of the texts it is, or -1.
            lists: For each reply its list.
            found: For each reply the code of its reading, -1 where it is not read yet; filled.
        """
        if self._mode != "strict":
            return
        shapes: dict[_Texts, int] = {}
        shape = np.array(
            [
                shapes.setdefault(shown or tuple(choice_letters(len(given))), len(shapes))
                if min(map(len, given)) > _LABEL
                else -1
                for given, shown in zip(self._choices, self._labels, strict=True)
            ],
            dtype=np.int64,
        )
        short = np.array([len(text) <= _SHORT for text in self._texts] + [False], dtype=np.bool_)
        rows = np.flatnonzero(short[codes] & (shape[lists] >= 0))  # the last one is no reply
        groups, pairs = pd.factorize(codes[rows] * (len(shapes) + 1) + shape[lists[rows]])
        names = list(shapes)
        read = np.array(
            [
                self._alone(self._texts[text], names[which])
                for text, which in (divmod(key, len(shapes) + 1) for key in pairs.tolist())
            ],
            dtype=np.int64,
        )
        if len(rows):
            found[rows] = read[groups]

    def _alone(self, text: str, labels: _Texts) -> int:
        position = alone_label(text, labels)
        return -1 if position is None else self.code((position, ReplyRule.LETTER.value))

    def read_others(self, codes: _Ints, lists: _Ints, found: _Ints) -> None:
        """Read what is left; arguments as in `read_letters`."""
        rows = np.flatnonzero(found < 0)
        width = max(len(self._texts), 1)
        groups, pairs = pd.factorize(lists[rows] * width + codes[rows])
        read = np.empty(len(pairs), dtype=np.int64)
        # In the order of the lists: what a list needs is then prepared once.
        for place in np.argsort(pairs, kind="stable").tolist():
            at, text = divmod(int(pairs[place]), width)
            read[place] = self.code(
                self._read(self._texts[text], self._choices[at], self._labels[at])
            )
        found[rows] = read[groups]

    def readings(self, found: _Ints) -> Readings:
        """Codes of readings as positions and rules, these in alphabetical order."""
        used = set(np.unique(found).tolist())
        known = {code: reading for reading, code in self._codes.items() if code in used}
        names = tuple(sorted({rule for _, rule in known.values()}))
        positions = np.full(len(self._codes), OUT_OF_CHOICE, dtype=np.int8)
        rules = np.zeros(len(self._codes), dtype=np.uint8)
        for code, (position, rule) in known.items():
            positions[code], rules[code] = position, names.index(rule)
        return Readings(positions[found], rules[found], names)


def _reader(mode: Mode, own: Language | None) -> _Reader:
    readers: Mapping[Mode, _Reader] = {
        "strict": partial(_strict, own),
        "kobbq": _kobbq,
        "logprobs": _logprobs,
    }
    return readers[mode]


def _kobbq(reply: str, choices: _Texts, labels: _Texts | None) -> _Read:
    position, rule = read_as_kobbq(reply, choices)
    return (OUT_OF_CHOICE if position is None else position), rule.value


def _logprobs(reply: str, choices: _Texts, labels: _Texts | None) -> _Read:
    position, rule = read_logprobs(reply, len(choices), labels)
    return (OUT_OF_CHOICE if position is None else position), rule


def _strict(own: Language | None, reply: str, choices: _Texts, labels: _Texts | None) -> _Read:
    return _as_read(read_reply(reply, choices, labels=labels, own=own))


def _as_read(reading: Reading) -> _Read:
    if reading.chosen is None:
        return OUT_OF_CHOICE, reading.rule.value
    (position,) = reading.chosen
    return position, reading.rule.value
