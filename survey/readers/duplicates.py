"""Which of several answers of one respondent stays."""

from collections.abc import Callable, Sequence

import numpy as np

from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.wording import plural
from survey.answers import Exclusion
from survey.mapping import Mapping
from survey.readers.columns import Flags, Records, View, first_of
from survey.readers.frames import plain
from survey.readers.times import instant

_SHOWN = 5


def settle(
    view: View,
    keys: Records,
    mapping: Mapping,
    named: Callable[[int], tuple[str, str]],
    answered: Callable[[], Records],
) -> tuple[Flags, list[Exclusion], list[Finding]]:
    """Keep one row of each key, as the mapping says.

    Args:
        view: The rows.
        keys: Rows of one key answer the same.
        mapping: Says which to keep.
        named: Gives a row's respondent and, where a row holds one question, its id.
        answered: Gives for each row how many questions it answers.

    Returns:
        Which rows stay, what is left out, and a finding that counts them.

    Raises:
        CurateError: If the mapping wants no doubles, or their times cannot be ordered.
    """
    groups = doubled(keys)
    stays = np.ones(len(view), dtype=bool)
    if not groups:
        return stays, [], []
    policy = mapping.respondent.duplicates
    if policy == "error":
        raise _refused(view, groups, named)
    excluded = []
    counts = answered() if policy == "complete" else np.zeros(len(view), dtype=np.int64)
    for group in groups:
        ordered = earliest_first(view, mapping, group)
        best = ordered[-1] if policy == "last" else max(ordered, key=lambda at: counts[at])
        for at in (at for at in ordered if at != best):
            stays[at] = False
            detail = f"row {view.row(at)}: row {view.row(best)} is kept ({policy})"
            excluded.append(Exclusion("duplicate", *named(at), detail))
    return stays, excluded, [_counted(view, mapping, len(excluded))]


def _counted(view: View, mapping: Mapping, count: int) -> Finding:
    return Finding(
        "survey-duplicates",
        Severity.WARNING,
        view.frame.file,
        None,
        mapping.respondent.id,
        f"{count:,} {plural('row', count)} left out: {'its' if count == 1 else 'their'} "
        f"{plural('respondent', count)} answered more than once",
        f"'duplicates: {mapping.respondent.duplicates}' in the mapping says so",
    )


def _refused(
    view: View, groups: Sequence[Records], named: Callable[[int], tuple[str, str]]
) -> CurateError:
    first = min(groups, key=lambda group: int(group[1]))
    rows = [str(view.row(at)) for at in first[:_SHOWN].tolist()]
    who, question = named(int(first[0]))
    what = f" question {question}" if question else ""
    others = f"; {len(groups) - 1} more occur twice" if len(groups) > 1 else ""
    return CurateError(
        f"respondent {who} answers{what} in rows {', '.join(rows)}{others}",
        f"{view.frame.file}, row {rows[1]}",
        "say in the mapping which to keep (respondent: duplicates: first, last or complete)",
    )


def earliest_first(view: View, mapping: Mapping, rows: Records) -> list[int]:
    """Order some rows by when they were submitted, or by where they stand without that.

    Raises:
        CurateError: If a time cannot be ordered.
    """
    name = mapping.respondent.submitted
    if name is None:
        return sorted(rows.tolist())
    column = view.column(name, "respondent: submitted")
    times = {}
    for at in rows.tolist():
        time = instant(plain(column.cell(at)))
        if time is None:
            view.refuse(
                f"'{plain(column.cell(at))}' is not a time that can be ordered",
                at,
                name,
                "the year must come first (2026-01-31 09:00); without 'submitted' in the mapping "
                "the order of rows decides",
            )
        times[at] = time
    return sorted(times, key=lambda at: (times[at], at))


def doubled(keys: Records) -> list[Records]:
    """The positions of equal keys together, for keys that occur more than once."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    if first_of(ordered[1:] == ordered[:-1]) < 0:
        return []
    starts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return [group for group in np.split(order, starts) if len(group) > 1]
