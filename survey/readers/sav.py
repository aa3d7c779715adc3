"""SPSS and Stata files as columns of texts."""

import json
import os
import subprocess
import sys
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from survey.mapping import ReadPart
from survey.readers.frames import Source, refusal
from survey.readers.text import language_encoding

_EAST_ASIAN = ("cp949", "cp932", "gb18030", "cp950")
_SILENT = ("", "windows-1252", "us-ascii")
"""What the library takes a file for that does not say in what it is written."""


def read_sav(
    path: Path, read: ReadPart, language: str, file: str
) -> tuple[Source, list[list[str]]]:
    """Read an SPSS file; the names of its variables are row 1.

    Values that the file calls missing are given as they stand; those that the system calls so
    are empty.

    Raises:
        CurateError: If the library for it is not installed, or the file cannot be read.
    """
    if find_spec("pyreadstat") is None:
        raise refusal("sav-library", file, name=path.name)
    found, reason = _read(path, read.encoding, language, file)
    source = Source(
        kind="sav",
        encoding=found["encoding"],
        encoding_reason=reason,
        labels=found["labels"],
        value_labels=found["values"],
        missing={name: tuple(values) for name, values in found["missing"].items()},
    )
    named = zip(found["names"], found["columns"], strict=True)
    return source, [[name, *cells] for name, cells in named]


def _read(path: Path, named: str, language: str, file: str) -> tuple[dict[str, Any], str]:
    """Read the file in its own encoding, or where it is not that in the language's."""
    if named != "auto":
        found, reason = _ask(path, named, file), "the mapping says so"
    else:
        found, reason = _ask(path, "", file), "the file says so"
        own = language_encoding(language)
        silent = str(found["encoding"]).casefold() in _SILENT
        if own in _EAST_ASIAN and ("problem" in found or silent):
            # Old files do not say, or not truly, in what they are written.
            other = _ask(path, own.upper(), file)
            if "problem" not in other:
                return other, f"the file does not say, and the workspace's language is {language}"
    if "problem" in found:
        raise refusal("sav-unread", file, name=path.name, why=found["problem"])
    return found, reason


def _ask(path: Path, encoding: str, file: str) -> dict[str, Any]:
    try:
        stat = path.stat()
        found: dict[str, Any] = json.loads(_output(path, encoding, stat.st_mtime_ns, stat.st_size))
    except ValueError as error:
        raise refusal("sav-damaged", file, name=path.name) from error
    return found


@lru_cache(maxsize=2)
def _output(path: Path, encoding: str, changed: int, size: int) -> bytes:
    """Let a process of its own read the file; one that has not changed is read once."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    # -P: modules beside the program are not to be taken for the library's.
    program = [sys.executable, "-P", str(Path(__file__).with_name("sav_child.py"))]
    child = subprocess.run(  # noqa: S603  # our own module, with the file's name as argument
        [*program, str(path), encoding], capture_output=True, env=environment, check=False
    )
    return child.stdout
