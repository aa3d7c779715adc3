"""Columns of Python values as Arrow arrays.

`pyarrow.array` loads pandas when it is given a list, which takes longer than to write a
benchmark. Columns without gaps are therefore laid out here, as the Arrow format describes them
(https://arrow.apache.org/docs/format/Columnar.html).
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

_MOST = 2**31 - 1  # bytes that offsets of 32 bits can reach


def to_array(column: Sequence[Any], kind: Any) -> Any:
    """Give a column as an Arrow array of text, whole numbers, truth values or lists of texts.

    Args:
        column: The cells.
        kind: The Arrow type.

    Raises:
        UnicodeEncodeError: If a text holds half of a surrogate pair.
        pyarrow.ArrowException: If a cell is not of the type.
    """
    import pyarrow as pa

    try:
        made = _laid_out(pa, column, kind)
    except TypeError:  # a gap, or a cell of another type: Arrow knows what to do or to say
        made = None
    return pa.array(column, kind) if made is None else made


def _laid_out(pa: Any, column: Sequence[Any], kind: Any) -> Any:
    """Lay a column out; None where that is left to Arrow."""
    if pa.types.is_string(kind):
        return _texts(pa, column)
    if pa.types.is_list(kind):
        texts = _texts(pa, list(chain.from_iterable(column)))
        offsets = _of_buffer(pa, pa.int32(), _offsets(map(len, column), len(column)))
        return None if texts is None else pa.ListArray.from_arrays(offsets, texts)
    if pa.types.is_boolean(kind) and set(map(type, column)) <= {bool}:
        bits = np.packbits(np.fromiter(column, np.bool_, len(column)), bitorder="little")
        return pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(bits)])
    if pa.types.is_int64(kind) and set(map(type, column)) <= {int}:
        return _of_buffer(pa, kind, np.fromiter(column, np.int64, len(column)))
    return None


def _texts(pa: Any, texts: Sequence[str]) -> Any:
    joined = "".join(texts)
    if joined.isascii():
        data, lengths = joined.encode(), map(len, texts)
    else:
        encoded = [text.encode() for text in texts]
        data, lengths = b"".join(encoded), map(len, encoded)
    if len(data) > _MOST:
        return None
    offsets = _offsets(lengths, len(texts))
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)


def _offsets(lengths: Iterable[int], count: int) -> Any:
    """Give where each of so many values begins, and where the last ends."""
    offsets = np.zeros(count + 1, np.int32)
    np.cumsum(np.fromiter(lengths, np.int32, count), out=offsets[1:])
    return offsets


def _of_buffer(pa: Any, kind: Any, numbers: Any) -> Any:
    return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(numbers)])
