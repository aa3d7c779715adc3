"""What a file holds beside the answers that a mapping reads of it."""

import re
from collections.abc import Iterable, Iterator, Sequence

from curation.model.findings import Finding, Severity
from survey.mapping import Mapping
from survey.readers.header import plain
from survey.readers.mturk import TASK_ANSWERS
from survey.readers.recognise import Described, platform_of
from survey.readers.view import View, filled

_NAMED = 5


def unread_columns(view: View, titles: Sequence[str], mapping: Mapping) -> tuple[str, ...]:
    """Give the columns that hold something, are not read, and stand in no `ignored`.

    The platform's own columns, such as times and addresses, are no question's.

    Args:
        view: The records, after all that is needed of them was read.
        titles: The names of the columns.
        mapping: How they were read.
    """
    known = {TASK_ANSWERS, *_platforms_own(view, titles, mapping), *ignored(titles, mapping)}
    return tuple(
        title
        for at, title in enumerate(titles)
        if at not in view.used
        and title not in known
        and (at in view.grid.passed_over or filled(view.grid.columns[at]).any())
    )


def ignored(titles: Iterable[str], mapping: Mapping) -> set[str]:
    """Give the columns that a mapping ignores: by name, `*` being anything."""
    patterns = [
        re.compile(".*".join(re.escape(part) for part in plain(name).split("*")))
        for name in mapping.ignored
    ]
    return {title for title in titles if any(known.fullmatch(title) for known in patterns)}


def unread_finding(file: str, columns: Sequence[str]) -> list[Finding]:
    """Say that columns hold something and are not read; nothing where there are none."""
    if not columns:
        return []
    named = ", ".join(f"'{title}'" for title in columns[:_NAMED])
    more = f" and {len(columns) - _NAMED:,} more" if len(columns) > _NAMED else ""
    what = "column holds" if len(columns) == 1 else "columns hold"
    return [
        Finding(
            "survey-unread-columns",
            Severity.WARNING,
            file,
            None,
            columns[0],
            f"{len(columns):,} {what} something that the mapping does not read: {named}{more}",
            "add to the mapping what is asked there, and name the others in 'ignored'",
        )
    ]


def _platforms_own(view: View, titles: Sequence[str], mapping: Mapping) -> Iterator[str]:
    texts = tuple(
        tuple(plain(cell) for cell in cells) for cells in zip(*view.grid.heads, strict=True)
    )
    described = Described(tuple(titles), texts, view.grid.columns)
    yield from platform_of(mapping.preset).start(described).known
