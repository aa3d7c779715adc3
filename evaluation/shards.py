"""Parts of a set of requests that are disjoint, complete, and the same on every machine."""

import hashlib
import re
from dataclasses import dataclass

from curation.model.errors import CurateError

_PART = re.compile(r"(?P<index>[1-9][0-9]*)/(?P<count>[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of several.

    Attributes:
        index: Which, from 1.
        count: Of how many.
    """

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise CurateError(f"there is no part {self}", hint=f"name one from 1/{self.count} on")

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


def parse_shard(text: str) -> Shard:
    """Read a part such as `2/8`.

    Raises:
        CurateError: If the text names none.
    """
    found = _PART.fullmatch(text.strip())
    if found is None:
        raise CurateError(f"'{text}' names no part", hint="write it as 2/8, the second of eight")
    return Shard(int(found["index"]), int(found["count"]))


def in_shard(request_id: str, shard: Shard) -> bool:
    """Say whether a request belongs to a part.

    A request's part hangs on its id alone, so that any file of the same requests, in any order,
    falls into the same parts: each request into one.
    """
    digest = hashlib.blake2b(request_id.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % shard.count == shard.index - 1
