"""Millions of plain objects, made without being watched for cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """Let millions of objects come and go unwatched: texts and records make no cycles to be found.

    Python otherwise goes through all of them again and again while they become more.
    """
    watched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if watched:
            gc.enable()
