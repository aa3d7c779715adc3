"""The requests of a task folder, which two harnesses read from the same file."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from curation.io.atomic import atomic_path
from curation.io.jsonl import write_objects
from curation.publish.harness.records import Asked, Benchmark, Written, rows

_made: ContextVar[list[tuple[Benchmark, Path, Written]] | None] = ContextVar("made", default=None)


@contextmanager
def made_once() -> Iterator[None]:
    """Within, a benchmark's requests are made once and copied to further folders.

    The caller sees to it that the same benchmark asks the same within, and that files stay.
    """
    token = _made.set([])
    try:
        yield
    finally:
        _made.reset(token)


def write_data(path: Path, benchmark: Benchmark, asked: Iterable[Asked]) -> Written:
    """Write the requests, one a line.

    Args:
        path: The file.
        benchmark: What is asked.
        asked: The requests.

    Raises:
        CurateError: If the file cannot be written.
    """
    made = _made.get()
    for known, there, written in made or ():
        if known == benchmark:
            with atomic_path(path) as beside:
                shutil.copyfile(there, beside)
            return written
    written = Written()
    write_objects(path, rows(asked, benchmark, written))
    if made is not None:
        made.append((benchmark, path, written))
    return written
