"""Replies as answers: which choice each of a million replies names, each parsed once.

They are read by the toolkit's rules, by log-probabilities, or, for comparison with published
scores alone, as KoBBQ's published script reads them, its defects included: it takes any reply that
begins with A, B or C and holds no other of these letters for that letter ("Both", "But we do not
know", "B is not it" are B, "Could not tell" is C), and "not the grandfather" in bold for the
grandfather. What is done here, step by step, is what `evaluation/3_postprocess_predictions.py` of
naver-ai/KoBBQ does, and what its step 5 makes of the result; three choices, shown as A, B and C,
are meant.
"""

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tokenize import TokenError
from typing import Any, Literal
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.atomic import atomic_path
from curation.languages import Language, Published, load
from curation.records.letters import choice_letters
from curation.records.messages import CurateError, Finding, finding
from evaluation.parsing.thoughts import CUT_OFF
from evaluation.parsing.verdicts import ReplyRule, alone_label, read_reply
from evaluation.replies.reply import read_logprobs

LETTERS = ("A", "B", "C")
"""The letters that the script knows."""

_HEAD = re.compile(r"\s*\(?([^.\n]*)")
_BESIDE = re.compile(r"[:)]\s*(.*)")
_BOLD = re.compile(r"\*\*['\"]?([^.\n*'\"]*)")
_QUOTED = re.compile(r"['\"]([^.\n*'\"]*)")


@lru_cache(maxsize=1)
def script_words() -> Published:
    """The words of Korean that the script looks for."""
    replies = load("ko").replies
    assert replies is not None  # noqa: S101  # the toolkit's Korean has them
    assert replies.published is not None  # noqa: S101
    return replies.published


@lru_cache(maxsize=1)
def _within() -> tuple[tuple[re.Pattern[str], str], ...]:
    leads = "|".join(map(re.escape, script_words().leads))
    answer = re.compile(rf"(?:{leads})\s*['\"]?([^.\n*'\"]*)")
    return ((_BOLD, "bold"), (answer, "answer"), (_QUOTED, "quote"))


def read_as_kobbq(reply: str, choices: Sequence[str]) -> tuple[int | None, str]:
    """Read a reply as the published script does.

    The choices are compared in lower case, and the reply up to its first full stop or line end.

    Args:
        reply: The reply.
        choices: The three choices, in the order in which they were shown.

    Returns:
        The position of the choice, None when it is out-of-choice; and the step of the script that
        read it. `letter`, a letter with nothing after a colon or bracket, and no second one of the
        three anywhere; `letter_text`, a letter, and after a colon or bracket its own text, or
        anything that does not name two choices; `text`, the text of a choice; `mark`, one letter
        alone of the three followed by a colon or bracket anywhere; `bold`, `answer` and `quote`,
        any of these within bold type, after Korean for 'the answer is' or 'answer:', or after a
        quotation mark; `raw`, the reply as a whole is a choice. Out-of-choice: `several`, the reply
        names two choices after a letter; `unread`.

    Raises:
        ValueError: If there are not three choices.
    """
    if len(choices) != len(LETTERS):
        raise ValueError(f"KoBBQ's script reads replies to three choices, not to {len(choices)}")
    letter, rule, left = _letter(reply, [choice.lower() for choice in choices])
    if letter is not None:
        return letter, rule
    # What the script could not read it passes on as it is, and counts it if it is a choice.
    if left in choices:
        return list(choices).index(left), "raw"
    return None, rule


def _letter(raw: str, choices: list[str]) -> tuple[int | None, str, str]:
    """Read a reply or a part of one; gives the position, the step, and what is left if none."""
    head = _head(raw)
    first = head.upper()[:1]
    if first in LETTERS:
        at = LETTERS.index(first)
        found = _by_letter(head.upper(), at, choices)
        if found == "several":
            return None, found, head
        if found is not None:
            return at, found, ""
    if head.lower() in choices:
        return choices.index(head.lower()), "text", ""
    for pattern, rule in _within():
        match = pattern.search(raw)
        if match:
            # The first such place is all that is looked at, whether it can be read or not.
            inner, why, left = _letter(match[1], choices)
            return inner, (why if inner is None else rule), left
    marked = [
        at for at, character in enumerate(LETTERS) if re.search(f"{character}[:)]", raw.upper())
    ]
    if len(marked) == 1:
        return marked[0], "mark", ""
    return None, "unread", raw


def _head(raw: str) -> str:
    """The reply up to its first full stop or line end, without a polite ending."""
    match = _HEAD.match(raw)
    head = match[1] if match else ""
    for ending, plain in script_words().endings.items():
        head = head.replace(ending, plain)
    return head


def _by_letter(upper: str, at: int, choices: list[str]) -> str | None:
    """Read what begins with a letter, in upper case; None where the script looks further."""
    beside = _BESIDE.search(upper)
    text = beside[1].strip() if beside else ""
    if not text:
        alone = sum(upper.count(letter) for letter in LETTERS) == 1
        return "letter" if alone else None
    if choices[at] == text.lower():
        return "letter_text"
    named = sum(upper.count(choice.upper()) for choice in choices)
    return "several" if named > 1 else "letter_text"


OUT_OF_CHOICE = -1
"""The position of no choice."""
MISSING = "missing"
"""The rule of a request that has no reply, for the call failed."""
PERSON = "person"
"""The rule by which a person reads a reply that no rule could read."""
SECOND = "second_reader"
"""The rule by which a second reader reads one, where that is wanted."""
Mode = Literal["strict", "kobbq", "logprobs"]
"""How replies are read: by the toolkit's rules, as KoBBQ's published script does, or by their
log-probabilities, which `load_replies` then gives in place of their texts."""

_LETTER = ReplyRule.LETTER.value
_SHORT = 32  # characters that a reply has at most that is looked at as a label alone
_LABEL = 3  # characters of a choice's text that may be taken for a label
_WORTH = 50  # distinct replies: of fewer the parsing takes no time that is worth a file
_NOT_KNOWN = -2  # the position of what nobody parsed yet
_PACKAGES = Path(__file__).parents[2]
_READERS = (
    *("evaluation/parsing/*.py", "evaluation/replies/readings.py", "curation/records/*.py"),
    *("curation/languages/*.py", "curation/languages/**/*.yaml"),
)
"""What a reading depends on, besides reply, choices and the words of a workspace."""
_Texts = tuple[str, ...]
_Hashes = npt.NDArray[np.uint64]


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

    @property
    def unparsed(self) -> npt.NDArray[np.bool_]:
        """Where neither a rule nor whoever read it after that could read the reply."""
        by_rule = np.array([name not in (PERSON, SECOND) for name in self.names], np.bool_)
        return self.out_of_choice & by_rule[self.rules]

    def counts(self) -> dict[str, int]:
        """Count the replies of each rule, in the order of `names`."""
        found = np.bincount(self.rules, minlength=len(self.names))
        return {name: int(count) for name, count in zip(self.names, found, strict=True)}


Judged = Mapping[str, int | None]
"""What somebody read, by `digest_of` what was said: the position of the choice, None for none."""


def digest_of(reply: str, choices: _Texts, labels: _Texts | None) -> str:
    """A hash of what is said to choices, and of what these are called; their number first."""
    called = labels or choice_letters(len(choices))
    content = json.dumps([reply, choices, called], ensure_ascii=False)
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{len(choices)}-{digest}"


def filled_findings(judged: Judged, rules: Iterable[Mapping[str, int]]) -> Iterator[Finding]:
    """Warn where a person read something, and none of it is a reply that is here.

    Args:
        judged: What a person read.
        rules: By which rule how many replies were read.
    """
    if judged and not any(by_rule.get(PERSON) for by_rule in rules):
        yield finding("evaluation", "filled-unused", "--filled", count=len(judged))


class KnownParsings:
    """How replies of a file were parsed, kept in the cache of who parses them.

    It is never beside the replies: nobody counts with what somebody else has parsed.

    A parsing is found by the reply, the choices and their labels, so that one of a file that was
    changed is never taken for another's. Those that another version of the reader made, or one
    with other words, are not taken at all.

    Args:
        replies: The file of replies; None to keep nothing.
        own: The language whose own words replies are read with too.

    Attributes:
        names: The rules by their numbers.
    """

    def __init__(self, replies: Path | None, own: Language | None = None) -> None:
        self._path = replies and _kept(replies)
        self._own = own
        self._keys = np.array([], np.uint64)
        self._found = np.zeros((0, 2), np.int8)  # position and rule
        self.names: list[str] = []
        self._new: list[tuple[_Hashes, npt.NDArray[np.int8]]] = []
        if self._path is not None and self._path.is_file():
            self._load(self._path)

    def _load(self, path: Path) -> None:
        # A damaged file is known by its sums; one of another shape lacks what is looked for.
        faults = OSError, EOFError, KeyError, ValueError, RuntimeError, BadZipFile, TokenError
        with suppress(*faults), path.open("rb") as file, np.load(file) as kept:
            if str(kept["reader"]) == reader_version(self._own):
                keys, found, names = (kept[name] for name in ("keys", "found", "names"))
                self._keys, self._found, self.names = keys, found, names.tolist()

    def rule(self, name: str) -> int:
        """The number of a rule."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def find(self, keys: _Hashes) -> npt.NDArray[np.int8]:
        """Position and rule of each; the position is below `OUT_OF_CHOICE` where none is known."""
        found = np.full((len(keys), 2), _NOT_KNOWN, np.int8)
        if len(self._keys):
            at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            there = self._keys[at] == keys
            found[there] = self._found[at[there]]
        return found

    def add(self, keys: _Hashes, found: npt.NDArray[np.int8]) -> None:
        """Keep what was parsed."""
        if self._path is not None:
            self._new.append((keys, found))

    def save(self) -> None:
        """Write what is new, if it is worth a file; a folder that nobody may write to has none."""
        if self._path is None or sum(len(keys) for keys, _ in self._new) < _WORTH:
            return
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        keys = np.concatenate([self._keys, *(keys for keys, _ in self._new)])
        keys, first = np.unique(keys, return_index=True)
        found = np.concatenate([self._found, *(found for _, found in self._new)])[first]
        reader = reader_version(self._own)
        with suppress(CurateError), atomic_path(self._path) as beside, beside.open("wb") as file:
            np.savez(file, keys=keys, found=found, reader=reader, names=self.names)
        self._keys, self._found, self._new = keys, found, []


def _kept(replies: Path) -> Path:
    """Where parsings of a file are kept."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.sha256(str(replies.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return cache / "curate" / "parsings" / f"{name[:32]}.npz"


def reader_version(own: Language | None) -> str:
    """What a reading depends on besides reply and choices: the reader, its words, a workspace's."""
    given = None if own is None else (own.code, own.text, own.asked)
    return hashlib.sha256(f"{_version()} {given}".encode()).hexdigest()


@lru_cache(maxsize=1)
def _version() -> str:
    digest = hashlib.sha256(sys.version.encode())
    for pattern in _READERS:
        for path in sorted(_PACKAGES.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def read_many(
    replies: Sequence[str | None] | npt.NDArray[np.object_] | pd.Series | pd.Categorical,
    lists: npt.ArrayLike,
    choices: Sequence[_Texts],
    labels: Sequence[_Texts | None] | None = None,
    mode: Mode = "strict",
    own: Language | None = None,
    known: KnownParsings | None = None,
    judged: Judged | None = None,
    second: Judged | None = None,
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
        known: What was parsed before with the same `own`, which takes what is parsed now.
        judged: What a person read, who goes before any rule.
        second: What a second reader read, where neither rule nor person could.

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
    known = known or KnownParsings(None)
    positions = np.full(len(at), OUT_OF_CHOICE, dtype=np.int8)
    rules = np.full(len(at), known.rule(MISSING), dtype=np.uint8)
    rows = np.flatnonzero(codes >= 0)
    if mode == "strict":
        alone = _labels_alone(codes[rows], texts, at[rows], shown, called)
        found = alone != OUT_OF_CHOICE
        positions[rows[found]], rules[rows[found]] = alone[found], known.rule(_LETTER)
        rows = rows[~found]
    width = max(len(texts), 1)
    # In the order of the lists: what a list needs is then prepared once.
    groups, pairs = pd.factorize(at[rows] * width + codes[rows], sort=True)
    of_list, of_text = np.divmod(pairs, width)
    read = np.full((len(pairs), 2), _NOT_KNOWN, np.int8)
    if mode == "strict":
        keys = _keys(of_list, of_text, texts, shown, called)
        read = known.find(keys)
    new = np.flatnonzero(read[:, 0] == _NOT_KNOWN)
    for number in new.tolist():
        text, which = texts[of_text[number]], of_list[number]
        position, rule = _read(mode, own, text, shown[which], called[which])
        read[number] = position, known.rule(rule)
    if mode == "strict":
        known.add(keys[new], read[new])
    for number in range(len(pairs)) if judged or second else ():
        which, found_by = of_list[number], ((judged or {}, PERSON), (second or {}, SECOND))
        name = digest_of(texts[of_text[number]], shown[which], called[which])
        for known_by, reader in found_by:
            if name in known_by and (reader == PERSON or read[number, 0] == OUT_OF_CHOICE):
                place = known_by[name]
                read[number] = OUT_OF_CHOICE if place is None else place, known.rule(reader)
                break
    positions[rows], rules[rows] = read[groups, 0], read[groups, 1]
    return _named(positions, rules, known.names)


def _named(
    positions: npt.NDArray[np.int8], rules: npt.NDArray[np.uint8], names: Sequence[str]
) -> Readings:
    """The readings with the names of those rules alone that occur, in alphabetical order."""
    there = np.flatnonzero(np.bincount(rules, minlength=len(names))).tolist()
    kept = sorted(there, key=lambda number: names[number])
    place = np.zeros(len(names), np.uint8)
    place[kept] = np.arange(len(kept))
    return Readings(positions, place[rules], tuple(names[number] for number in kept))


def _labels_alone(
    codes: npt.NDArray[np.int64],
    texts: Sequence[str],
    at: npt.NDArray[np.int64],
    shown: Sequence[_Texts],
    called: Sequence[_Texts | None],
) -> npt.NDArray[np.int8]:
    """The positions of replies that are a label alone, which most are.

    They are read without looking at the choices, unless a choice may be taken for a label.
    """
    kinds: dict[tuple[_Texts | None, int], int] = {}
    kind_of = [
        kinds.setdefault((labels, len(choices)), len(kinds))
        if min(map(len, choices)) > _LABEL
        else -1
        for choices, labels in zip(shown, called, strict=True)
    ]
    table = np.full((len(kinds) + 1, max(len(texts), 1)), OUT_OF_CHOICE, np.int8)
    short = [(number, text) for number, text in enumerate(texts) if len(text) <= _SHORT]
    for (labels, count), kind in kinds.items():
        for number, text in short:
            position = alone_label(text, labels or tuple(choice_letters(count)))
            table[kind, number] = OUT_OF_CHOICE if position is None else position
    found: npt.NDArray[np.int8] = table[np.array(kind_of, np.int64)[at], codes]
    return found


def _keys(
    of_list: npt.NDArray[np.int64],
    of_text: npt.NDArray[np.int64],
    texts: Sequence[str],
    shown: Sequence[_Texts],
    called: Sequence[_Texts | None],
) -> _Hashes:
    """A hash of each pair of a reply and a list of choices with their labels."""
    replied, text_at = np.unique(of_text, return_inverse=True)
    listed, list_at = np.unique(of_list, return_inverse=True)
    lists = ["\x1f".join((*shown[at], "\x1e", *(called[at] or ()))) for at in listed.tolist()]
    said = _hashed([texts[at] for at in replied.tolist()])[text_at]
    return said ^ (_hashed(lists)[list_at] * np.uint64(0x9E3779B97F4A7C15))


def _hashed(texts: list[str]) -> _Hashes:
    values = np.empty(len(texts), dtype=object)
    values[:] = texts
    return pd.util.hash_array(values, categorize=False)


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
        position, rule = read_as_kobbq(reply.removesuffix(CUT_OFF), choices)
    elif mode == "logprobs":
        position, rule = read_logprobs(reply, len(choices), labels)
    else:
        reading = read_reply(reply, choices, labels=labels, own=own)
        position = None if reading.chosen is None else next(iter(reading.chosen))
        rule = reading.rule.value
    return OUT_OF_CHOICE if position is None else position, rule
