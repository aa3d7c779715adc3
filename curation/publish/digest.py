"""Hash samples so that the same samples have the same hash in whatever file they stand."""

import hashlib
from collections.abc import Iterable

from curation.model.sample import Sample

_CELL, _ROW = "\x1f", "\x1e"
"""The unit and record separators of ASCII, which no text holds."""


def digest(samples: Iterable[Sample]) -> tuple[int, str]:
    """Count and hash samples.

    The hash is SHA-256 of the UTF-8 text of all cells in the order of the columns of
    `samples.csv`, the three choices one by one, each cell followed by U+001F and each sample by
    U+001E.

    Returns:
        How many samples there are, and the hash, hexadecimal.
    """
    found = hashlib.sha256()
    count = 0
    parts: list[str] = []
    for sample in samples:
        count += 1
        parts.append(_CELL.join((*sample[:10], *sample.choices, *sample[11:], _ROW)))
        if len(parts) == 1000:
            found.update("".join(parts).encode())
            parts = []
    found.update("".join(parts).encode())
    return count, found.hexdigest()
