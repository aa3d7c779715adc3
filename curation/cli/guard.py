"""What data hold reaches no terminal raw: control characters, escape sequences, bidi marks."""

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from curation.records.wording import UNSEEN

_RAW = re.compile(rf"(?![\t\n]){UNSEEN.pattern}")


def harmless(text: str) -> str:
    """A text whose control characters, escape sequences and marks of direction are written out.

    Data may hold them: on a terminal they would colour, hide or reorder what is said of them.
    """
    return _RAW.sub(lambda match: ascii(match[0])[1:-1], text)


@contextmanager
def guarded() -> Iterator[None]:
    """A block in which nothing that data hold reaches a terminal raw; pipes get it as it is."""
    echo, secho = click.echo, click.secho

    def shown(message: Any, kind: Mapping[str, Any]) -> Any:
        stream = kind.get("file") or (sys.stderr if kind.get("err") else sys.stdout)
        if isinstance(message, str) and stream.isatty():
            return harmless(message)
        return message

    def safe_echo(message: Any = None, **kind: Any) -> None:
        echo(shown(message, kind), **kind)

    def safe_secho(message: Any = None, **kind: Any) -> None:
        secho(shown(message, kind), **kind)

    click.echo, click.secho = safe_echo, safe_secho  # type: ignore[assignment]
    try:
        yield
    finally:
        click.echo, click.secho = echo, secho
