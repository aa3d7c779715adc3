"""Which choices each request showed, whatever its replies are to be held against."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from curation.io.jsonl import Line, text_list
from curation.model.errors import CurateError
from evaluation.labels import shown_labels
from evaluation.requests import read_lines, request_of

_LOOKED_AT = 20  # requests of a prompt whose text is looked at for labels
_HINT = "make the requests again: curate evaluate prepare"
_Texts = tuple[str, ...]


class Asked(Protocol):
    """What replies are read against.

    Attributes:
        choices: Distinct lists of choices, each in the order in which it was shown.
        labels: For each list what the choices were called; None for A, B, C.
    """

    @property
    def choices(self) -> Sequence[_Texts]:
        """Distinct lists of choices."""

    @property
    def labels(self) -> Sequence[_Texts | None]:
        """What the choices of each list were called."""

    @property
    def ids(self) -> Sequence[str]:
        """The requests, in their order."""

    def locate(self, ids: Sequence[str]) -> npt.NDArray[np.int64]:
        """Give for each request id its place in `ids`, -1 where there is no such request."""

    def lists(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Give for each place which of `choices` the request showed."""


@dataclass(frozen=True, slots=True)
class AskedRequests:
    """The requests of a file.

    Attributes:
        places: By request id its place.
        list_of: For each place its list.
        choices: Distinct lists of choices.
        labels: What the choices of each list were called; None for A, B, C.
    """

    places: dict[str, int]
    list_of: npt.NDArray[np.int64]
    choices: tuple[_Texts, ...]
    labels: tuple[_Texts | None, ...]

    @property
    def ids(self) -> list[str]:
        """The requests, in their order."""
        return list(self.places)

    def locate(self, ids: Sequence[str]) -> npt.NDArray[np.int64]:
        """Give for each request id its place, -1 where there is no such request."""
        return np.fromiter((self.places.get(name, -1) for name in ids), np.int64, len(ids))

    def lists(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Give for each place its list."""
        return np.asarray(self.list_of[places])


def load_asked(path: Path) -> AskedRequests:
    """Read which choices the requests of a file showed.

    Args:
        path: JSON lines with `request_id` and `choices`; `labels` where they were called other
            than A, B and C. Without `labels` they are looked for in the request's `messages`.

    Raises:
        CurateError: If there is no such file, or a line is no request with choices, or one
            stands twice.
    """
    places: dict[str, int] = {}
    lists: dict[tuple[_Texts, _Texts | None], int] = {}
    list_of: list[int] = []
    shown = _Shown()
    for line in read_lines(path):
        where = f"{path}, line {line.number}"
        try:
            name, choices = line.text("request_id"), tuple(text_list(line.value.get("choices")))
            if len(choices) < 2:
                raise ValueError("it shows fewer than two choices")
            labels = shown.labels(line, choices)
        except ValueError as error:
            what = f"the line is no request with choices: {error}"
            raise CurateError(what, where, _HINT) from error
        if name in places:
            raise CurateError(f"request {name} stands twice", where, _HINT)
        places[name] = len(places)
        list_of.append(lists.setdefault((choices, labels), len(lists)))
    if not places:
        raise CurateError(f"{path.name} holds no request", str(path), _HINT)
    return AskedRequests(
        places,
        np.array(list_of, np.int64),
        tuple(choices for choices, _ in lists),
        tuple(labels for _, labels in lists),
    )


class _Shown:
    """Finds what requests call their choices; of a prompt it looks at a few requests alone."""

    def __init__(self) -> None:
        self._seen: dict[tuple[object, int], Counter[_Texts | None]] = {}

    def labels(self, line: Line, choices: _Texts) -> _Texts | None:
        """Give the labels of a request, None for A, B, C.

        Raises:
            ValueError: If its labels are no list of different texts, one for each choice.
        """
        given = line.value.get("labels")
        if given is not None:
            labels = tuple(text_list(given))
            distinct = {label.strip().casefold() for label in labels}
            if len(distinct) != len(choices) or "" in distinct or len(labels) != len(choices):
                raise ValueError("its labels are not different ones, one for each choice")
            return _plain(labels)
        if not line.value.get("messages"):
            return None
        prompt = line.value.get("prompt_id")
        if prompt is None:
            return _plain(shown_labels(request_of(line)))
        seen = self._seen.setdefault((str(prompt), len(choices)), Counter())
        if seen.total() < _LOOKED_AT:
            seen[_plain(shown_labels(request_of(line)))] += 1
        return seen.most_common(1)[0][0]


def _plain(labels: _Texts) -> _Texts | None:
    """Give None for labels that are read as A, B, C: those in lower case are."""
    letters = tuple(chr(ord("A") + at) for at in range(len(labels)))
    return None if tuple(label.upper() for label in labels) == letters else labels
