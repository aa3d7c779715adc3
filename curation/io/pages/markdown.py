"""What Markdown made of a workspace shares: texts that do nothing, and tables."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~&$!])")
_BREAK = re.compile(r"\s*[\r\n\u0085\u2028\u2029]+\s*")


def plain(text: str) -> str:
    """Write a text of the workspace so that Markdown shows it and does nothing else with it."""
    return _SIGNS.sub(r"\\\1", _BREAK.sub(" ", text)).replace("\\<", "&lt;").replace("\\&", "&amp;")


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], texts: Collection[int] = (0,)
) -> Iterator[str]:
    """Lay out a table, and an empty line after it.

    Args:
        header: Titles, as they are to stand there.
        rows: Cells, as they are to stand there.
        texts: Columns of texts; the others are aligned to the right.
    """
    yield f"| {' | '.join(header)} |"
    yield f"|{'|'.join('---' if at in texts else '---:' for at in range(len(header)))}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
