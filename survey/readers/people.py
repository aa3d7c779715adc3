"""Whose rows a file holds: which of them count, and what is known of each respondent.

Columns that may say who somebody is are named, and their cells are not shown.
"""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Map
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from curation.languages import received_words
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from survey.answers import Exclusion
from survey.mapping import ROW, AttributePart, Mapping
from survey.readers.columns import Flags, Records, View, filled, first_of, has_one_of
from survey.readers.frames import Column, column_of, plain
from survey.readers.times import instant, seconds_between

_KINDS = {
    "an e-mail address": "email",
    "an IP address": "ip",
    "a telephone number": "phone",
    "a name": "person",
    "a place": "place",
    "an address": "address",
    "a date of birth": "birth",
    "an account": "account",
}
_BY_NAME = tuple(
    (what, re.compile("|".join(received_words(name)), re.IGNORECASE))
    for what, name in _KINDS.items()
)
_BY_VALUE = (
    ("an e-mail address", re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")),
    (
        "an IP address",
        re.compile(r"(\d{1,3}\.){3}\d{1,3}|[0-9a-f]{0,4}(:[0-9a-f]{0,4}){3,7}", re.I),
    ),
    ("a telephone number", re.compile(r"(\+\d{1,3}[ -]?)?0?\d{1,4}[ -]\d{3,4}[ -]\d{4}")),
)
_LOOKED_AT = 200


def personal(texts: tuple[str, ...], column: Column) -> str:
    """Say what of a person a column may hold; nothing where it holds nothing of the kind.

    Args:
        texts: Its name and what else stands above it.
        column: Its cells.
    """
    return _by_name(texts) or personal_cells(column)


def _by_name(texts: tuple[str, ...]) -> str:
    for what, pattern in _BY_NAME:
        if any(pattern.search(text) for text in texts[:1]):
            return what
    return ""


def personal_cells(column: Column) -> str:
    """Say what of a person most cells of a column look like; nothing where they do not."""
    filled_in = (value.strip() for value in column.values if value.strip())
    cells = list(islice(filled_in, _LOOKED_AT))
    for what, pattern in _BY_VALUE:
        if cells and sum(bool(pattern.fullmatch(cell)) for cell in cells) * 2 > len(cells):
            return what
    return ""


_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]+)?")
_SHORTENED = re.compile(r"[0-9]([.,][0-9]+)?[Ee]\+[0-9]{2,3}")
_TOTALS = frozenset(received_words("totals"))
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """The rows that count.

    Attributes:
        view: The rows.
        respondent: For each row the position of its respondent in `ids`.
        ids: The respondents, in the order in which they first stand.
        excluded: The rows that do not count.
        findings: What was left out, counted.
    """

    view: View
    respondent: Records
    ids: tuple[str, ...]
    excluded: tuple[Exclusion, ...]
    findings: tuple[Finding, ...]


def kept_rows(view: View, mapping: Mapping) -> Kept:
    """Take the rows that `keep` names, and refuse those that name nobody.

    Raises:
        CurateError: If no row is left, or a row is no respondent's.
    """
    left, why = _leave_out(view, mapping)
    if mapping.keep and left.all():
        raise _nobody(view, mapping)
    named = _identities(view, mapping)
    prefix = mapping.respondent.prefix
    called = [f"{prefix}{name}" if name else "" for name in named.values]
    excluded = [
        Exclusion("keep", called[named.codes[at]], "", f"row {view.row(at)}: {reason}")
        for at, reason in sorted(why.items())
    ]
    inside = view.only(~left)
    codes = named.codes[~left]
    _refuse_nobody(inside, Column(codes, named.values), mapping)
    first = np.full(len(called), len(codes), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the first row of each is written last
    present = np.flatnonzero(first < len(codes))
    order = present[np.argsort(first[present])]
    ranks = np.empty(len(called), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    ids = tuple(called[code] for code in order.tolist())
    findings = tuple(_counted(view, int(left.sum()), why.values()))
    return Kept(inside, ranks[codes], ids, tuple(excluded), findings)


def _leave_out(view: View, mapping: Mapping) -> tuple[Flags, dict[int, str]]:
    """Say which rows `keep` leaves out, and for each by which column and value."""
    left = np.zeros(len(view), dtype=bool)
    why: dict[int, str] = {}
    for name, allowed in mapping.keep.items():
        column = view.column(name, f"keep: {name}")
        out = ~has_one_of(column, allowed) & ~left
        for at in np.flatnonzero(out).tolist():
            why[at] = f"{name} is '{plain(column.cell(at))}'"
        left |= out
    return left, why


def _nobody(view: View, mapping: Mapping) -> CurateError:
    name, allowed = next(iter(mapping.keep.items()))
    for title, values in mapping.keep.items():
        if not has_one_of(view.column(title, "keep"), values).any():
            name, allowed = title, values
            break
    column = view.column(name, "keep")
    there = sorted({plain(column.values[code]) for code in column.used()})[:_SHOWN]
    return CurateError(
        f"'keep' leaves no row: {name} holds {', '.join(repr(value) for value in there)} where "
        f"{', '.join(repr(value) for value in allowed)} is kept",
        f"{view.frame.file}, column {name}",
        "fix 'keep' in the mapping: platforms write such values in the language of the account",
    )


def _counted(view: View, left: int, why: Iterable[str]) -> Iterable[Finding]:
    reasons: dict[str, int] = {}
    for reason in why:
        reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in reasons.items():
        yield Finding(
            "survey-rows-left-out",
            Severity.WARNING if count > len(view) - left else Severity.INFO,
            view.frame.file,
            None,
            reason.split(" is '")[0],
            f"{count:,} of {len(view):,} rows are left out: {reason}",
            "'keep' in the mapping says so; fix it where more is left out than you expect",
        )


def _identities(view: View, mapping: Mapping) -> Column:
    """The respondents' names, as the file has them, as a column of its own."""
    if mapping.respondent.id == ROW:
        names = tuple(f"row-{row}" for row in view.rows().tolist())
        named = Column(np.arange(len(names), dtype=np.int32), names)
    else:
        named = normalised(view.column(mapping.respondent.id, "respondent: id"))
    if mapping.respondent.person is None:
        return named
    people = _as_addresses(view.column(mapping.respondent.person, "respondent: person"))
    codes = named.codes.copy()
    for rows in people.values():
        codes[rows] = codes[rows[0]]
    return Column(codes, named.values)


def _as_addresses(column: Column) -> dict[str, Records]:
    """The records of each value of a column, in any capitals; words are no values."""
    found: dict[str, list[int]] = {}
    small = [plain(value).casefold() for value in column.values]
    for at, code in enumerate(column.codes.tolist()):
        if _TELLS.search(small[code]):
            found.setdefault(small[code], []).append(at)
    return {value: np.array(rows, dtype=np.int64) for value, rows in found.items()}


_OF_ONE = ("an e-mail address", "a telephone number")
"""What no two people have in common, of what may say who somebody is."""
_TELLS = re.compile(r"[@\d]")
_ADDRESS = re.compile(r"@|(\D*\d){7}")


def of_one_person(title: str, column: Column | None = None) -> bool:
    """Whether a column may hold what no two people have in common, such as addresses.

    Args:
        title: Its name.
        column: Its cells; only its name is looked at without them.
    """
    texts = (title,)
    what = personal(texts, column) if column is not None else _by_name(texts)
    return what in _OF_ONE


def same_people(kept: Kept) -> list[Finding]:
    """Warn of respondents who share an address or a telephone number, without showing it.

    Args:
        kept: The rows that count.
    """
    view, found = kept.view, []
    for title, column in zip(view.frame.titles, view.frame.columns, strict=True):
        if not of_one_person(title, column):
            continue
        shared = []
        for value, rows in _as_addresses(column.take(view.records)).items():
            if not _ADDRESS.search(value):
                continue
            _, first = np.unique(kept.respondent[rows], return_index=True)
            if len(first) > 1:
                shared.append([view.row(int(rows[place])) for place in sorted(first.tolist())])
        if not shared:
            continue
        listed = "; ".join(" and ".join(map(str, rows)) for rows in shared[:_SHOWN])
        more = f", and {len(shared) - _SHOWN} more" if len(shared) > _SHOWN else ""
        people = sum(map(len, shared))
        found.append(
            Finding(
                "survey-same-person",
                Severity.WARNING,
                view.frame.file,
                shared[0][1],
                title,
                f"{people:,} respondents may be {len(shared):,} "
                f"{'person' if len(shared) == 1 else 'people'}: their rows have the same in "
                f"'{title}' (rows {listed}{more})",
                f"they are counted as different people: delete what counts twice, or write "
                f"'person: {title}' and 'duplicates: last' under 'respondent' in a mapping",
            )
        )
    return found


def normalised(column: Column) -> Column:
    """A column whose values are compared as they are seen: without needless blanks."""
    values = column_of([plain(value) for value in column.values])
    return Column(values.codes[column.codes], values.values)


def _refuse_nobody(view: View, named: Column, mapping: Mapping) -> None:
    """Refuse rows of nobody, of sums that are put below, and with ids that lost their digits."""
    title = mapping.respondent.id
    if title == ROW:
        title = plain(view.frame.heads[0][0])
        named = normalised(view.frame.columns[0].take(view.records))
    for code in named.used():
        name = named.values[code]
        if not name and mapping.respondent.id != ROW:
            view.refuse(
                "the row names no respondent",
                first_of(named.codes == code),
                title,
                "fix the export, or delete the row; a mapping may leave it out with 'keep'",
            )
        if _SHORTENED.fullmatch(name):
            view.refuse(
                f"'{name}' is an id of which a spreadsheet has kept only the first digits, so that "
                "several people have the same",
                first_of(named.codes == code),
                title,
                "export the answers again, and import that column as text where it is opened; the "
                "digits cannot be restored, and no row is a duplicate because of them",
            )
        if name.casefold().strip(" :*") in _TOTALS:
            view.refuse(
                f"the row of '{name}' holds sums, not a respondent's answers",
                first_of(named.codes == code),
                title,
                "delete it; a mapping may leave it out with 'keep'",
            )


@dataclass(frozen=True, slots=True)
class Attribute:
    """What each row says of its respondent.

    Attributes:
        codes: Position in `values`; -1 where a row says nothing.
        values: The values.
        worst: Whether the first of them holds where rows of one respondent differ; else they
            must not.
        column: Where it is from, for messages.
    """

    codes: Records
    values: Sequence[str]
    worst: bool = False
    column: str = ""


def attributes_of(view: View, mapping: Mapping) -> dict[str, Attribute]:
    """What each row says of its respondent.

    Raises:
        CurateError: If a column is missing or a duration is no number.
    """
    found: dict[str, Attribute] = {}
    if mapping.finished or mapping.screened_out:
        found["status"] = _status(view, mapping)
    if mapping.attention:
        found["attention"] = _attention(view, mapping)
    if mapping.respondent.duration is not None:
        name = mapping.respondent.duration
        read_seconds(view, name, "respondent: duration")  # refuses what is no number
        found["duration_s"] = plain_attribute(view, name, "respondent: duration")
    elif (times := mapping.respondent.times) is not None:
        found["duration_s"] = duration_between(view, *times)
    if mapping.respondent.form is not None:
        found["form"] = form_of(view, mapping)
    for name in mapping.attributes:
        found[name] = _stated(view, mapping, name)
    return found


def duration_between(view: View, started: str, ended: str) -> Attribute:
    """How long each row took from one time to another, in seconds.

    Args:
        view: The rows.
        started: The column of the times when they were begun.
        ended: That of the times when they were sent.

    Raises:
        CurateError: If a time cannot be ordered, or the end comes before the beginning.
    """
    columns = {
        name: view.column(name, f"respondent: {key}")
        for name, key in ((started, "started"), (ended, "submitted"))
    }
    for name, column in columns.items():
        for code in column.used():
            text = plain(column.values[code])
            if text and instant(text) is None:
                view.refuse(
                    f"'{text}' is not a time from which seconds can be counted",
                    first_of(column.codes == code),
                    name,
                    "the year must come first (2026-01-31 09:00); without 'started' in the "
                    "mapping nobody's time is counted",
                )
    seconds = seconds_between(columns[started], columns[ended])
    at = first_of(seconds < 0)
    if at >= 0:
        view.refuse(
            f"the survey ended at '{plain(columns[ended].cell(at))}' and was begun later, at "
            f"'{plain(columns[started].cell(at))}'",
            at,
            ended,
            "correct the times, or delete the two columns; a mapping may name them the other way "
            "round",
        )
    values, codes = np.unique(seconds, return_inverse=True)
    known = np.isfinite(values)
    codes = np.where(known[codes], codes, -1).astype(np.int64)
    return Attribute(
        codes, tuple(f"{value:.15g}" for value in values[known].tolist()), column=ended
    )


def form_of(view: View, mapping: Mapping) -> Attribute:
    """The form that each row answers; nothing if the mapping does not say it.

    Raises:
        CurateError: If its column is missing or holds what is not declared.
    """
    form = mapping.respondent.form
    if form is None and "form" in mapping.attributes:
        return _stated(view, mapping, "form")
    every = np.full(len(view), -1 if form is None else 0, dtype=np.int64)
    return Attribute(every, () if form is None else (form,))


def _stated(view: View, mapping: Mapping, name: str) -> Attribute:
    part = mapping.attributes[name]
    stated = plain_attribute(view, part.column, f"attributes: {name}")
    return _valued(view, name, part, stated) if part.values else stated


def plain_attribute(view: View, title: str, key: str) -> Attribute:
    """What a column says of each row's respondent, as it is written.

    Args:
        view: The rows.
        title: The column.
        key: What names it, for messages.

    Raises:
        CurateError: If there is no such column.
    """
    column = normalised(view.column(title, key))
    codes = column.codes.astype(np.int64)
    if "" in column.values:
        codes[codes == column.values.index("")] = -1
    return Attribute(codes, column.values, column=title)


def _valued(view: View, name: str, part: AttributePart, stated: Attribute) -> Attribute:
    """An attribute by what its cells stand for.

    Raises:
        CurateError: If a cell holds what is not declared, or is declared to be two things.
    """
    declared: dict[str, str] = {}
    for value, meant in part.values.items():
        if declared.setdefault(plain(value), plain(meant)) != plain(meant):
            raise CurateError(
                f"attributes: {name}: '{value}' is both '{declared[plain(value)]}' and '{meant}'",
                "mapping",
                "keep one of the two",
            )
    values = tuple(dict.fromkeys(declared.values()))
    place = {value: at if value else -1 for at, value in enumerate(values)}
    table = np.full(len(stated.values) + 1, -1, dtype=np.int64)
    table[-1] = place[declared[""]] if "" in declared else -1  # for the empty cell
    for code in np.unique(stated.codes[stated.codes >= 0]).tolist():
        cell = stated.values[code]
        if cell not in declared:
            listed = ", ".join(f"'{value}'" for value in declared)
            view.refuse(
                f"attributes: {name}: '{cell}' is not declared",
                first_of(stated.codes == code),
                part.column,
                f"declared are {listed}; fix 'values' in the mapping, or the file",
            )
        table[code] = place[declared[cell]]
    return Attribute(table[stated.codes], values, column=part.column)


def _status(view: View, mapping: Mapping) -> Attribute:
    done = np.ones(len(view), dtype=bool)
    for name, allowed in mapping.finished.items():
        done &= has_one_of(view.column(name, f"finished: {name}"), allowed)
    out = np.zeros(len(view), dtype=bool)
    for name, allowed in mapping.screened_out.items():
        out |= has_one_of(view.column(name, f"screened_out: {name}"), allowed)
    codes = np.where(out, 0, np.where(done, 2, 1)).astype(np.int64)
    return Attribute(codes, ("screened_out", "partial", "complete"), worst=True)


def _attention(view: View, mapping: Mapping) -> Attribute:
    """Say who failed a check; nothing of those who were shown none, or left all of them empty."""
    shown = np.zeros(len(view), dtype=bool)
    failed = np.zeros(len(view), dtype=bool)
    for part in mapping.attention:
        column = view.column(part.column, "attention: column")
        answered = filled(column)
        shown |= answered
        failed |= answered & ~has_one_of(column, part.expect)
    codes = np.where(failed, 0, np.where(shown, 1, -1)).astype(np.int64)
    return Attribute(codes, ("failed", "passed"), worst=True)


def by_respondent(kept: Kept, attributes: Map[str, Attribute]) -> dict[str, tuple[str, ...]]:
    """Join what the rows of one respondent say of them.

    Raises:
        CurateError: If two rows contradict each other.
    """
    joined: dict[str, tuple[str, ...]] = {}
    for name, attribute in attributes.items():
        said = np.flatnonzero(attribute.codes >= 0)
        people, codes = kept.respondent[said], attribute.codes[said]
        found = np.full(len(kept.ids), len(attribute.values), dtype=np.int64)
        if attribute.worst:
            np.minimum.at(found, people, codes)
        else:
            found[people[::-1]] = codes[::-1]  # the first row of each is written last
            at = first_of(codes != found[people])
            if at >= 0:
                _refuse_contradiction(kept, name, attribute, int(said[at]), int(found[people[at]]))
        values = (*attribute.values, "")
        joined[name] = tuple(values[code] for code in found.tolist())
    return joined


def _refuse_contradiction(kept: Kept, name: str, attribute: Attribute, at: int, code: int) -> None:
    who = int(kept.respondent[at])
    earlier = first_of((kept.respondent == who) & (attribute.codes == code))
    kept.view.refuse(
        f"{name} of {kept.ids[who]} is '{attribute.values[attribute.codes[at]]}' here and "
        f"'{attribute.values[code]}' in row {kept.view.row(earlier)}",
        at,
        attribute.column or name,
        "write the same in all rows of a respondent, or leave the attribute out",
    )


def personal_ids(view: View, mapping: Mapping) -> list[Finding]:
    """Warn of respondents who are called by what says who they are: answers are published."""
    name = mapping.respondent.id
    what = "" if name == ROW else personal_cells(view.column(name, "respondent: id"))
    if not what:
        return []
    return [
        Finding(
            "survey-personal-id",
            Severity.WARNING,
            view.frame.file,
            None,
            name,
            f"respondents are named by {what}, which responses.csv then holds",
            "put numbers in its place before you read the file",
        )
    ]


def read_seconds(view: View, name: str, key: str) -> npt.NDArray[np.float64]:
    """Read seconds; NaN where they are not known.

    Raises:
        CurateError: If there is no such column, or a cell is no number.
    """
    column = view.column(name, key)
    numbers = np.full(len(column.values), np.nan)
    for code in column.used():
        text = plain(column.values[code])
        if not text:
            continue
        if not _SECONDS.fullmatch(text):
            at = first_of(column.codes == code)
            view.refuse(
                f"'{text}' is not a number of seconds",
                at,
                name,
                "write it as 12 or 12.5, or take the duration out of the mapping",
            )
        numbers[code] = float(text)
    return numbers[column.codes]
