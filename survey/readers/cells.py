"""The texts of a column as they are held: each distinct one once, and a small number for each cell.

A column comes in parts, so that no more than a part of a large file is held as Python's own texts,
each of which takes many times its letters. Columns of many distinct texts stay as UTF-8.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

Codes = npt.NDArray[np.signedinteger]
"""For each cell the position of its text, in as few bytes as will do."""

MANY = 1 << 15
"""Distinct texts of a column from which they are held as UTF-8."""
_AT_A_TIME = 1 << 13
_WIDE = 1 << 31
_SEARCHED = 1 << 20
"""Texts that are looked through at once for equal ones."""
_GROUPS = 16


def codes_of(column: "pa.DictionaryArray") -> Codes:
    """The positions of a column's texts, none of which is missing.

    They are read where they lie: pyarrow's own way to numpy imports pandas, which takes longer
    than to read a small file.
    """
    indices = column.indices
    dtype = np.dtype(indices.type.to_pandas_dtype())
    start = indices.offset * dtype.itemsize
    found: Codes = np.frombuffer(indices.buffers()[1], dtype, len(indices), start)
    return found


def mask(rows: npt.NDArray[np.bool_]) -> "pa.BooleanArray":
    """Which rows to take, for pyarrow; made without its own way, which imports pandas."""
    import pyarrow as pa

    bits = pa.py_buffer(np.packbits(rows, bitorder="little"))
    return pa.BooleanArray.from_buffers(pa.bool_(), len(rows), [None, bits])


def place_of_nothing(texts: "pa.StringArray") -> int:
    """The position of the empty text among distinct ones; -1 where it is none of them."""
    ends = np.frombuffer(texts.buffers()[1], np.int32, len(texts) + 1, 4 * texts.offset)
    found = np.flatnonzero(ends[1:] == ends[:-1])
    return int(found[0]) if found.size else -1


class Texts(Sequence[str]):
    """Texts that are held as UTF-8 and made Python's some at a time: they are best read in order.

    Args:
        array: The texts.
    """

    def __init__(self, array: "pa.Array") -> None:
        self.array = array
        self._block = -1
        self._texts: list[str] = []

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        block, within = divmod(at if at >= 0 else at + len(self), _AT_A_TIME)
        if block != self._block:
            self._texts = self.array.slice(max(0, block) * _AT_A_TIME, _AT_A_TIME).to_pylist()
            self._block = block
        if block < 0:
            raise IndexError(at)
        return self._texts[within]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _AT_A_TIME):
            yield from self.array.slice(start, _AT_A_TIME).to_pylist()


def compact(texts: tuple[str, ...]) -> "tuple[str, ...] | pa.Array":
    """The same texts, as UTF-8 where they are many."""
    if len(texts) < MANY:
        return texts
    import pyarrow as pa

    return pa.array(texts, pa.string())


def emptied(texts: Sequence[str], at: int) -> Sequence[str]:
    """The same texts, of which one is empty."""
    if not isinstance(texts, Texts):
        return (*texts[:at], "", *texts[at + 1 :])
    import pyarrow as pa

    array = texts.array
    nothing = pa.array([""], array.type)
    return Texts(pa.concat_arrays([array.slice(0, at), nothing, array.slice(at + 1)]))


def narrow(codes: npt.NDArray[np.integer], size: int) -> Codes:
    """The same codes, all below `size`, in as few bytes as will do."""
    for kind in (np.int8, np.int16):
        if size <= np.iinfo(kind).max:
            return codes.astype(kind)
    return codes.astype(np.int32)


class Parts:
    """Gathers a column from parts that have distinct texts of their own."""

    def __init__(self) -> None:
        self._codes: list[Codes] = []
        self._texts: list[tuple[str, ...] | pa.Array] = []

    def add(self, codes: npt.NDArray[np.integer], texts: "tuple[str, ...] | pa.Array") -> None:
        """Add cells.

        Args:
            codes: For each cell the position of its text among `texts`.
            texts: Distinct texts.
        """
        self._codes.append(narrow(codes, len(texts)))
        self._texts.append(texts)

    def whole(self) -> tuple[Codes, Sequence[str]]:
        """The column: codes, and the distinct texts in the order in which they first stand.

        The parts are forgotten, so that they are not held beside it.
        """
        codes, texts = self._codes, self._texts
        self._codes, self._texts = [], []
        if len(texts) == 1 and isinstance(texts[0], tuple) and len(texts[0]) < MANY:
            return codes[0], texts[0]
        import pyarrow as pa

        arrays = [
            pa.array(part, pa.string()) if isinstance(part, tuple) else part for part in texts
        ]
        texts.clear()
        if sum(array.nbytes for array in arrays) >= _WIDE:
            arrays = [array.cast(pa.large_string()) for array in arrays]
        starts = np.cumsum([0, *map(len, arrays)])
        place, dictionary = _encoded(arrays)
        del arrays
        # What the search took goes back: the allocator would keep it beside all that follows.
        pa.default_memory_pool().release_unused()
        found = np.empty(sum(map(len, codes)), dtype=place.dtype)
        filled = 0
        for at in range(len(codes)):
            part, codes[at] = codes[at], codes[at][:0]
            found[filled : filled + len(part)] = place[starts[at] : starts[at + 1]][part]
            filled += len(part)
        few = len(dictionary) < MANY
        return found, tuple(dictionary.to_pylist()) if few else Texts(dictionary)


def _encoded(arrays: "Sequence[pa.Array]") -> "tuple[Codes, pa.Array]":
    """For each text its position among the distinct ones, and these, as they first stand.

    Equal texts are sought in one group of texts after the other: what a search takes is
    several times what it looks through.
    """
    import pyarrow as pa

    texts = pa.chunked_array(arrays)
    groups = _groups(arrays)
    first = np.empty(len(texts), dtype=np.int64 if len(texts) >= _WIDE else np.int32)
    for group in np.flatnonzero(np.bincount(groups)):
        within = groups == group
        at = np.flatnonzero(within).astype(first.dtype)
        # Chunks that are encoded one by one share the last one's dictionary.
        encoded = texts.filter(mask(within)).dictionary_encode()
        same = np.concatenate([codes_of(chunk) for chunk in encoded.chunks])
        size = len(encoded.chunk(encoded.num_chunks - 1).dictionary)
        del encoded
        firsts = np.empty(size, dtype=first.dtype)
        firsts[same[::-1]] = at[::-1]  # the first text of each is written last
        first[at] = firsts[same]
    is_first = first == np.arange(len(texts), dtype=first.dtype)
    place = np.cumsum(is_first, dtype=first.dtype)
    place -= 1
    place = narrow(place[first], int(np.count_nonzero(is_first)))
    del first
    distinct = arrays if is_first.all() else texts.filter(mask(is_first)).chunks
    return place, pa.concat_arrays(distinct)


def _groups(arrays: "Sequence[pa.Array]") -> npt.NDArray[np.uint8]:
    """A small number for each text, by its bytes' sum: equal texts have equal ones."""
    if sum(map(len, arrays)) < _SEARCHED:
        return np.zeros(sum(map(len, arrays)), dtype=np.uint8)
    return np.concatenate([_sums(array) for array in arrays]) % _GROUPS


def _sums(array: "pa.Array") -> npt.NDArray[np.uint8]:
    """The sum of the bytes of each text, modulo 256."""
    import pyarrow as pa

    _, offsets, data = array.buffers()
    if not len(array) or data is None:
        return np.zeros(len(array), dtype=np.uint8)
    kind = np.int64 if array.type == pa.large_string() else np.int32
    ends = np.frombuffer(offsets, kind)[array.offset : array.offset + len(array) + 1]
    letters = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]]
    sums = np.zeros(len(letters) + 1, dtype=np.uint8)
    np.cumsum(letters, dtype=np.uint8, out=sums[1:])
    ends = ends - ends[0]
    found: npt.NDArray[np.uint8] = sums[ends[1:]] - sums[ends[:-1]]
    return found
