"""Whose rows a file holds: which of them count, and what is known of each respondent, and when.

Columns that may say who somebody is are named, and their cells are not shown.
"""

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from curation.languages import received_words
from curation.records.culture import QUALITY_VALUES
from curation.records.messages import Finding, Severity
from survey.answers import Exclusion
from survey.mapping import ROW, AttributePart, Mapping
from survey.readers import frames
from survey.readers.frames import FileColumn, Frame, RowView, columns_called, plain, refusal, tell
from survey.readers.options import QuestionNames, names_in

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


def personal(title: str, column: FileColumn) -> str:
    """Say what of a person a column may hold by its name or cells; nothing if nothing of the kind.

    Args:
        title: Its name.
        column: Its cells.
    """
    return _by_name(title) or personal_cells(column)


def _by_name(title: str) -> str:
    return next((what for what, pattern in _BY_NAME if pattern.search(title)), "")


def personal_cells(column: FileColumn) -> str:
    """Say what of a person most cells of a column look like; nothing where they do not."""
    filled_in = (value.strip() for value in column.values if value.strip())
    cells = list(islice(filled_in, _LOOKED_AT))
    for what, pattern in _BY_VALUE:
        if cells and sum(bool(pattern.fullmatch(cell)) for cell in cells) * 2 > len(cells):
            return what
    return ""


_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]+)?")
_UNIT = re.compile(r"\s*(s|sec|secs|seconds|\u79d2|\ucd08)\.?$", re.IGNORECASE)
"""What tools write behind a number of seconds."""
_COMMA = re.compile(r"^([0-9]+),([0-9]{1,2}|[0-9]{4,})$")  # three digits may be thousands
_CLOCK = re.compile(r"([0-9]{1,3}):([0-5][0-9]):([0-5][0-9])")


def _bare_seconds(text: str) -> str:
    """A number of seconds with a point, also of hours, minutes and seconds; a code is none."""
    if clock := _CLOCK.fullmatch(text):
        hours, minutes, seconds = map(int, clock.groups())
        return str(hours * 3600 + minutes * 60 + seconds)
    return "" if _NO_TIME.fullmatch(text) else _COMMA.sub(r"\1.\2", _UNIT.sub("", text))


def holds_seconds(column: FileColumn) -> bool:
    """Whether all cells of a column that are filled are numbers of seconds, or codes for none."""
    bare = filter(None, map(_bare_seconds, column.distinct))
    return all(map(_SECONDS.fullmatch, bare))


_NO_TIME = re.compile(r"-[0-9]{1,2}")
"""The code that tools write for a time that they do not know."""
_SHORTENED = re.compile(r"[0-9]([.,][0-9]+)?[Ee]\+[0-9]{2,3}")
_TOTALS = frozenset(received_words("totals"))


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

    view: RowView
    respondent: frames.Records
    ids: tuple[str, ...]
    excluded: tuple[Exclusion, ...] = ()
    findings: tuple[Finding, ...] = ()

    def only(self, which: frames.Flags) -> "Kept":
        """Some of the rows; what was left out before is not said again."""
        return Kept(self.view.only(which), self.respondent[which], self.ids)


def kept_rows(view: RowView, mapping: Mapping) -> Kept:
    """Take the rows that `keep` names, and refuse those that name nobody.

    Rows that somebody may have written who only tried the form are left out where they call
    themselves so beside names, addresses or ids; of others is told.

    Raises:
        CurateError: If no row is left, or a row is no respondent's.
    """
    left = np.zeros(len(view), dtype=bool)
    why: dict[int, str] = {}
    for title, allowed in mapping.keep.items():
        column = view.column(title, f"keep: {title}")
        out = ~frames.has_one_of(column, allowed) & ~left
        for at in np.flatnonzero(out).tolist():
            why[at] = f"{title} is '{column.text(at)}'"
        left |= out
        if left.all():
            where, there = f"{view.frame.file}, column {title}", sorted(column.distinct)
            raise refusal("keep-nobody", where, name=title, there=there, kept=allowed)
    tried = list(_tries(view, mapping))
    tests = {at: said for _, at, said, people in tried if people}
    if _MANY_TESTS * len(tests) < len(view):  # else ids, or those of one condition, are called so
        why = tests | why
        left[list(tests)] = True
    named = _identities(view, mapping)
    prefix = mapping.respondent.prefix
    called = [f"{prefix}{name}" if name else "" for name in named.values]
    excluded = [
        Exclusion("keep", called[named.codes[at]], "", f"row {view.row(at)}: {reason}")
        for at, reason in sorted(why.items())
    ]
    inside = view.only(~left)
    codes = named.codes[~left]
    refuse_nobody(inside, named.take(np.flatnonzero(~left)), mapping.respondent.id)
    present, first, of_row = np.unique(codes, return_index=True, return_inverse=True)
    in_file = np.argsort(first)
    ids = tuple(called[code] for code in present[in_file].tolist())
    findings = []
    # The words of answers are the questions' own.
    answers = {name for part in mapping.questions for name in part.places()}
    others = [one for one in tried if one[0] not in answers and not left[one[1]]]
    maybe = {view.row(at): said for _, at, said, _ in others}
    if 0 < len(maybe) < len(inside):
        listed = [f"row {row} ({said})" for row, said in sorted(maybe.items())]
        told = {"count": len(maybe), "rows": listed}
        findings.append(tell("survey-test-rows", view.frame.file, min(maybe), **told))
    findings += _counted(view, why.values())
    return Kept(inside, np.argsort(in_file)[of_row], ids, tuple(excluded), tuple(findings))


def _counted(view: RowView, why: Iterable[str]) -> Iterator[Finding]:
    reasons = Counter(why)
    left = reasons.total()
    for reason, count in reasons.items():
        weight = Severity.WARNING if count > len(view) - left else Severity.INFO
        told = {"count": count, "all": len(view), "reason": reason, "severity": weight}
        column = reason.split(" is '")[0]
        yield tell("survey-rows-left-out", view.frame.file, None, column, **told)


def _identities(view: RowView, mapping: Mapping) -> FileColumn:
    """The respondents' names, as the file has them, as a column of its own."""
    if mapping.respondent.id == ROW:
        names = tuple(f"row-{row}" for row in view.rows().tolist())
        named = FileColumn(np.arange(len(names), dtype=np.int32), names)
    else:
        column = view.column(mapping.respondent.id, "respondent: id")
        named = column.becomes(column.texts)
    if mapping.respondent.person is None:
        return named
    people = _by_value(view.column(mapping.respondent.person, "respondent: person"), _TELLS)
    codes = named.codes.copy()
    for rows in people.values():
        codes[rows] = codes[rows[0]]
    return FileColumn(codes, named.values)


def _by_value(column: FileColumn, wanted: re.Pattern[str]) -> dict[str, list[int]]:
    """The records of each value of a column that has something, in any capitals."""
    found: dict[str, list[int]] = {}
    small = [text.casefold() for text in column.texts]
    for at, code in enumerate(column.codes.tolist()):
        if wanted.search(small[code]):
            found.setdefault(small[code], []).append(at)
    return found


_OF_ONE = ("an e-mail address", "a telephone number")
"""What no two people have in common, of what may say who somebody is."""
_TELLS, _ANY = re.compile(r"[@\d]"), re.compile(".")
_ADDRESS = re.compile(r"@|(\D*\d){7}")


def tells_a_person(title: str, column: FileColumn) -> bool:
    """Whether a column may hold the names, addresses or accounts of people."""
    return personal(title, column) in (*_OF_ONE, "a name", "an account")


def of_one_person(title: str, column: FileColumn) -> bool:
    """Whether a column may hold what no two people have in common, such as addresses."""
    return personal(title, column) in _OF_ONE


def same_people(kept: Kept, respondent: str) -> Iterator[Finding]:
    """Warn of respondents who have the same address, name or other id, without showing it.

    Args:
        kept: The rows that count.
        respondent: The column that names respondents.
    """
    view = kept.view
    for title, groups in _alike(view, respondent):
        shared = []
        for rows in groups:
            first = {int(kept.respondent[at]): at for at in reversed(rows)}
            if len(first) > 1:
                shared.append(sorted(map(view.row, first.values())))
        if shared:
            listed = [" and ".join(map(str, each)) for each in shared]
            told = {"people": sum(map(len, shared)), "count": len(shared), "rows": listed}
            file, row = view.frame.file, shared[0][1]
            yield tell("survey-same-person", file, row, title, title=title, **told)


_BY_CHANCE = 0.05
"""So many people at most may answer as the one before them by chance, where that is told."""


def same_rows(kept: Kept, mapping: Mapping) -> Iterator[Finding]:
    """Warn of rows that name nobody and are alike, sent at one time or one after the other.

    Times and what differs in every row tell nothing. One after the other is told only where answers
    differ so much that hardly anybody has those of the person before (the product over columns of
    the chance that two rows have the same cell).
    """
    view, person = kept.view, mapping.respondent
    if person.id != ROW and not counts_rows(view.column(person.id, "respondent: id")):
        return
    key, chance = np.zeros(len(view), dtype=np.uint64), float(len(view))
    for title, whole in view.frame.named_columns:
        codes = view.of(whole).codes
        shares = np.bincount(codes) / max(1, len(view))
        if title not in person.columns() and shares.max(initial=0) * len(view) > 1:
            key = key * np.uint64(_ODD) + codes.astype(np.uint64)
            chance *= float((shares**2).sum())
    sent = person.submitted
    time = np.arange(len(view))
    if sent is not None:
        time = view.column(sent, "respondent: submitted").codes
    order = np.lexsort((time, key))
    one, other = order[:-1], order[1:]
    near = (time[one] == time[other]) | ((other - one == 1) & (chance <= _BY_CHANCE))
    alike = np.flatnonzero((key[one] == key[other]) & near)
    pairs = sorted((view.row(int(one[at])), view.row(int(other[at]))) for at in alike)
    if pairs:
        listed = [f"{first} and {second}" for first, second in pairs]
        count = len({row for pair in pairs for row in pair})
        yield tell("survey-same-rows", view.frame.file, pairs[0][1], count=count, rows=listed)


_ODD = 0x9E3779B97F4A7C15
"""Tells rows apart by one number; that two unlike rows have the same is as good as impossible."""


def counts_rows(column: FileColumn) -> bool:
    """Whether a column counts the rows, so that it names nobody."""
    cells = (column.values[code].strip() for code in column.used)
    if len(column.used) < len(column) or not all(map(str.isdecimal, cells)):
        return False  # of most files the first cell tells it
    numbers = {int(cell) for cell in column.distinct}
    return len(numbers) == len(column) == max(numbers, default=0) - min(numbers, default=0) + 1


_MOSTLY = 0.8
"""The share of different cells from which a column that is called as ids are holds ids."""


def _alike(view: RowView, respondent: str) -> Iterator[tuple[str, list[list[int]]]]:
    """Columns that tell people apart, with the records of each value that may be one person's."""
    names: list[tuple[str, FileColumn]] = []
    ids = columns_called(view.frame.titles, "respondent")
    for at, (title, whole) in enumerate(view.frame.named_columns):
        if of_one_person(title, whole):
            addresses = _by_value(view.of(whole), _TELLS).items()
            yield title, [rows for value, rows in addresses if _ADDRESS.search(value)]
        elif at in ids and title != respondent:
            values = _by_value(view.of(whole), _ANY)
            if len(values) >= _MOSTLY * len(view):
                yield title, list(values.values())
        elif _by_name(title) == "a name":
            names.append((title, view.of(whole)))
    if names:
        cells = ([column.text(at) for _, column in names] for at in range(len(view)))
        both = frames.column_of([" ".join(filter(None, each)) for each in cells])
        people = [rows for value, rows in _by_value(both, _ANY).items() if " " in value]
        yield names[0][0], people


_MANY = 50_000
"""Different cells of a column up to which it is looked through for tests and headings."""
_FEW = 1_000
"""The same, up to which questions are looked for: there are not many more of them."""


_MANY_TESTS = 3
"""Of so many rows one at most is a test: more are one of several conditions."""


def _tries(view: RowView, mapping: Mapping) -> Iterator[tuple[str, int, str, bool]]:
    """Columns and records where somebody wrote what people write who only try a form.

    With what is said of each, and whether the column says who answered; what counts of one in
    `keep`, that says.
    """
    ids = columns_called(view.frame.titles, "respondent")
    words = "|".join(map(re.escape, received_words("tests")))
    tries = re.compile(rf"(?:{words})[\s_\-]*[0-9]*(@.*)?", re.IGNORECASE)
    for place, (title, column) in enumerate(view.frame.named_columns):
        if len(column.values) > _MANY:
            continue
        codes = [code for code, text in enumerate(column.texts) if tries.fullmatch(text)]
        if codes:
            known = place in ids or title == mapping.respondent.id or tells_a_person(title, column)
            mine = column.codes[view.records]
            for at in np.flatnonzero(np.isin(mine, codes)).tolist():
                name = plain(column.values[mine[at]]).partition("@")[0]  # of an address no more
                name = name.rstrip("0123456789 _-")  # all that are left out are one finding
                said = f"{title} is '{name}'"
                yield title, at, said, known and title not in mapping.keep


def refuse_headings(frame: Frame, names: QuestionNames) -> None:
    """Refuse a file with a row that holds headings: more than one file was put into it.

    Args:
        frame: The file.
        names: The questionnaire.

    Raises:
        CurateError: If a row holds most headings again, or others.
    """
    headings = _names_questions(frame, names)
    for head in frame.heads:
        cells = [plain(cell) for cell in head]
        repeats = [
            frames.has_one_of(column, {cell} - {frames.ANY})
            for column, cell in zip(frame.columns, cells, strict=True)
            if cell and len(column.values) <= _MANY
        ]
        if len({*cells}) > 1 and repeats:
            # The first column is no option's, whose heading may be what its cells hold.
            headings |= repeats[0] & (2 * sum(repeats) > len(repeats))
    if headings.any():
        row = str(frame.rows[frames.first_of(headings)])
        raise refusal("headings-again", f"{frame.file}, row {row}", row=row)


def _names_questions(frame: Frame, names: QuestionNames) -> frames.Flags:
    """Which rows name two questions or columns, where most do not: all may say what was shown."""
    options, sentences = names_in(names.questions), enumerate(frame.titles, start=2)
    heads = {title: -at for at, title in sentences if " " in title and title not in options}
    first = np.full(len(frame), -1, dtype=np.int64)
    several = np.zeros(len(frame), dtype=bool)
    for column in frame.columns:
        if len(column.values) > _FEW:
            continue
        named = [names.places(text) or [heads.get(text, -1)] for text in column.texts]
        places = np.array([each[0] if len(each) == 1 else -1 for each in named], dtype=np.int64)
        if (places != -1).any():
            here = places[column.codes]
            several |= (here != -1) & (first != -1) & (here != first)
            first = np.where(first == -1, here, first)
    return several if 2 * several.sum() < len(frame) else np.zeros(len(frame), dtype=bool)


def is_sum(name: str) -> bool:
    """Whether a word for sums stands where others have their name."""
    return not name[-1:].isdecimal() and name.casefold().strip(" :*") in _TOTALS


def refuse_nobody(view: RowView, named: FileColumn, title: str = ROW) -> None:
    """Refuse rows of nobody, of sums, and with an id that lost its digits.

    Where each row is of another id, such an id is of one person, and a finding names it.

    Args:
        view: The rows.
        named: Who they are of.
        title: The column that says it; where none does, the first is looked at.

    Raises:
        CurateError: If there is one.
    """
    nobody = title == ROW
    if nobody:
        title = plain(view.frame.heads[0][0])
        named = view.of(view.frame.columns[0])
    again = len(named.codes) > len(named.used)
    for code in named.used:
        name = named.texts[code]
        if not name and not nobody:
            view.refuse("row-of-nobody", named.codes == code, title)
        if again and _is_shortened(name):
            view.refuse("id-shortened", named.codes == code, title, name=name)
        if is_sum(name):
            view.refuse("row-of-sums", named.codes == code, title, name=name)


_WORST = {name: (*values[::-1], "") for name, values in QUALITY_VALUES.items()}
"""Where rows of one respondent differ in these, the first value holds; in others they must not."""


def attributes_of(kept: Kept, mapping: Mapping) -> dict[str, tuple[str, ...]]:
    """What the rows of each respondent say of them; nothing where no row says it.

    Args:
        kept: The rows that count.
        mapping: How they are read.

    Raises:
        CurateError: If a column is missing, a cell is not declared or no number, or two rows of one
            respondent contradict each other.
    """
    view, person = kept.view, mapping.respondent
    found: dict[str, tuple[str, ...]] = {}
    if mapping.finished or mapping.screened_out:
        found["status"] = _joined(kept, "status", _status(view, mapping))
    if mapping.attention:
        found["attention"] = _joined(kept, "attention", _attention(view, mapping))
    if person.duration is not None:
        read_seconds(view, person.duration, "respondent: duration")  # refuses what is no number
        column = view.column(person.duration, "respondent: duration")
        stated = column.becomes(list(map(_bare_seconds, column.texts)))
        found["duration_s"] = _joined(kept, "duration_s", stated, person.duration)
    elif person.times is not None:
        seconds = _seconds_between(view, *person.times)
        found["duration_s"] = _joined(kept, "duration_s", seconds, person.times[1])
    if person.form is not None:
        found["form"] = (person.form,) * len(kept.ids)
    for name, part in mapping.attributes.items():
        found[name] = _joined(kept, name, _stated(view, name, part), part.column)
    return found


def _seconds_between(view: RowView, started: str, ended: str) -> FileColumn:
    """How long each row took from one time to another, in seconds."""

    def time(text: str) -> float | None:
        return instant(text) if text else np.nan

    begun = view.read(started, view.column(started, "respondent: started"), time, "no-time")
    sent = view.read(ended, view.column(ended, "respondent: submitted"), time, "no-time")
    seconds = sent - begun
    at = frames.first_of(seconds < 0)
    if at >= 0:
        view.refuse("ended-before", at, ended)
    return frames.column_of(
        ["" if np.isnan(value) else f"{value:.15g}" for value in seconds.tolist()]
    )


def _stated(view: RowView, name: str, part: AttributePart) -> FileColumn:
    """What a column says, by what its cells stand for where the mapping says it.

    Raises:
        CurateError: If a cell holds what is not declared, or is declared to be two things.
    """
    column = view.column(part.column, f"attributes: {name}")
    column = column.becomes(column.texts)
    if not part.values:
        return column
    declared: dict[str, str] = {}
    for value, meant in part.values.items():
        if declared.setdefault(plain(value), plain(meant)) != plain(meant):
            words = {"name": name, "value": value, "one": declared[plain(value)]}
            raise refusal("value-of-two", "mapping", meant=meant, **words)
    for code in column.used:
        cell = column.values[code]
        if cell and cell not in declared:
            told = {"name": name, "cell": cell, "values": list(declared)}
            view.refuse("value-undeclared", column.codes == code, part.column, **told)
    return column.becomes([declared.get(cell, "") for cell in column.values])


def _status(view: RowView, mapping: Mapping) -> FileColumn:
    done = np.ones(len(view), dtype=bool)
    for name, allowed in mapping.finished.items():
        done &= frames.has_one_of(view.column(name, f"finished: {name}"), allowed)
    out = np.zeros(len(view), dtype=bool)
    for name, allowed in mapping.screened_out.items():
        out |= frames.has_one_of(view.column(name, f"screened_out: {name}"), allowed)
    return FileColumn(np.where(out, 0, np.where(done, 2, 1)).astype(np.int8), _WORST["status"])


def _attention(view: RowView, mapping: Mapping) -> FileColumn:
    """Say who failed a check; nothing of those who were shown none, or left all of them empty."""
    shown = np.zeros(len(view), dtype=bool)
    failed = np.zeros(len(view), dtype=bool)
    for part in mapping.attention:
        column = view.column(part.column, "attention: column")
        answered = frames.filled(column)
        shown |= answered
        failed |= answered & ~frames.has_one_of(column, part.expect)
    codes = np.where(failed, 0, np.where(shown, 1, 2)).astype(np.int8)
    return FileColumn(codes, _WORST["attention"])


def _joined(kept: Kept, name: str, column: FileColumn, title: str = "") -> tuple[str, ...]:
    """Join what the rows of one respondent say of them.

    Raises:
        CurateError: If two rows contradict each other.
    """
    says = np.array([bool(value) for value in column.values])[column.codes]
    rows = np.flatnonzero(says)
    people, codes = kept.respondent[rows], column.codes[rows].astype(np.int64)
    found = np.full(len(kept.ids), len(column.values), dtype=np.int64)
    if name in _WORST and not title:
        np.minimum.at(found, people, codes)
    else:
        found[people[::-1]] = codes[::-1]  # the first row of each is written last
        at = frames.first_of(codes != found[people])
        if at >= 0:
            who, said = int(people[at]), column.values[found[people[at]]]
            earlier = frames.first_of((people == who) & (codes == found[who]))
            row = str(kept.view.row(int(rows[earlier])))
            told = {"who": kept.ids[who], "here": column.values[codes[at]], "there": said}
            told |= {"name": name, "row": row}
            kept.view.refuse("told-unlike", int(rows[at]), title or name, **told)
    values = (*column.values, "")
    return tuple(values[code] for code in found.tolist())


def strange_ids(kept: Kept, mapping: Mapping) -> Iterator[Finding]:
    """Warn of respondents who are called by what says who they are, and of ids without digits.

    Answers are published; and an id that lost its digits is of one row, but no other file has it.
    """
    title, file = mapping.respondent.id, kept.view.frame.file
    if title == ROW:
        return
    if what := personal_cells(kept.view.frame.columns[kept.view.frame.find(title, "")]):
        yield tell("survey-personal-id", file, None, title, what=what)
    if names := [name for name in kept.ids if _is_shortened(name)]:
        yield tell("survey-id-shortened", file, None, title, names=names)


def _is_shortened(name: str) -> bool:
    return "+" in name and _SHORTENED.fullmatch(name) is not None


def read_seconds(view: RowView, name: str | None, key: str) -> npt.NDArray[np.float64]:
    """Read seconds; NaN where they are not known, or no column says them.

    Raises:
        CurateError: If there is no such column, or a cell is no number.
    """

    def seconds(text: str) -> float | None:
        number = _bare_seconds(text)
        if not number:
            return np.nan
        return float(number) if _SECONDS.fullmatch(number) else None

    if name is None:
        return np.full(len(view), np.nan)
    return view.read(name, view.column(name, key), seconds, "no-seconds")


_MORNING, _AFTERNOON = set(received_words("morning")), set(received_words("afternoon"))
_YEAR, _MONTH, _DAY = ("".join(received_words(name)) for name in ("year", "month", "day"))
_TIME = re.compile(
    rf"(?P<year>\d{{4}})\s?[-/.{_YEAR}]\s?(?P<month>\d{{1,2}})\s?[-/.{_MONTH}]"
    rf"\s?(?P<day>\d{{1,2}})[.{_DAY}]?"
    rf"(?:[T\s]+(?P<before>{'|'.join(sorted(_MORNING | _AFTERNOON))})?\s?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?"
    r"\s?(?P<after>AM|PM)?)?"
    r"\s*(?:GMT|UTC|Z)?(?P<offset>[+-]\d{1,2}(?::?\d{2})?)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,17}(\.\d+)?")


def instant(text: str) -> float | None:
    """A time as a number to order by; None where the text leaves day and month open.

    Args:
        text: A number (seconds since some moment), or a time whose year comes first.
    """
    if _NUMBER.fullmatch(text):
        return float(text)
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(match[part]) for part in ("year", "month", "day"))
    hour, minute = int(match["hour"] or 0), int(match["minute"] or 0)
    half = (match["before"] or match["after"] or "").casefold()
    if half in _AFTERNOON | _MORNING:
        hour = hour % 12 + (12 if half in _AFTERNOON else 0)
    try:
        days = datetime.date(year, month, day).toordinal()
    except ValueError:
        return None
    seconds = float(match["second"] or 0)
    return days * 86400 + hour * 3600 + minute * 60 + seconds - _offset(match["offset"])


def _offset(text: str | None) -> int:
    if not text:
        return 0
    digits = text[1:].replace(":", "")
    minutes = int(digits[:-2]) * 60 + int(digits[-2:]) if len(digits) > 2 else int(digits) * 60
    return minutes * (-60 if text[0] == "-" else 60)


def respondent_columns(frame: Frame, shared: Set[str] | None = None) -> tuple[list[int], list[int]]:
    """The columns that are called as those are that name respondents, if any is.

    Args:
        frame: The file.
        shared: What `shared_ids` gives of all files.

    Returns:
        Those that are called so best; and, the best first, those that may name them: what all files
        call so, and what is called `respondent`, goes before a column that is empty in some rows.
    """
    titles, columns = frame.titles, frame.columns
    every = columns_called(titles, "respondent")
    found = [at for at in every if tells_apart(columns[at])]
    found = found or [at for at in every if any(columns[at].distinct)] or every
    first = set(map(frames.compared, received_words("simple_respondent")))
    exact = [at for at in found if frames.compared(titles[at]) == "respondent id"]
    best = exact or [at for at in found if frames.compared(titles[at]) in first] or found
    in_all = [at for at in found if shared is not None and _id(titles[at]) in shared]
    called = [at for at in in_all or best if _id(titles[at]) == "respondent"]
    whole = [at for at in in_all or (*best, *found) if "" not in columns[at].distinct]
    return best, [*dict.fromkeys((*called, *whole, *in_all, *best))]


def tells_apart(column: FileColumn) -> bool:
    """Whether a column may name people: most of its cells are filled, and unlike 'anonymous'."""
    cells = column.codes[frames.filled(column)]
    few = len(column) < _PEOPLE
    enough = len(cells) > 0 and 2 * len(cells) >= len(column)
    return enough and (few or 2 * int(np.bincount(cells).max()) <= len(cells))


_PEOPLE = 3
"""Of fewer rows any number may be one person's."""
_ROW_ID = re.compile(r"(?:.*[^A-Za-z])?(?:[A-Z]{0,3}ID|u{0,2}id|Id)|.*[a-z]I[Dd]", re.DOTALL)
_MOMENT = re.compile(
    r"\D{0,12}\d{1,4}(?:(?:\D{1,12}\d{1,4}){1,2}\D{1,12}\d{1,2}:|(?:\D{1,3}\d{1,4}){2}\D{1,3}\d{1,2}\.)\d{2}.*"
)
"""A day, which may have its month in letters, and a time of that day."""


def names_each_row(title: str, column: FileColumn) -> bool:
    """Whether a column that is filled and has no cell twice holds ids or times of what was sent."""
    return bool(_ROW_ID.fullmatch(title)) or all(map(_MOMENT.fullmatch, column.distinct))


def who_answered(
    frame: Frame, listed: str = "", shared: Set[str] | None = None
) -> tuple[int, list[int]]:
    """The column that names respondents, and those that tell the same people apart.

    Args:
        frame: The file; a column of it is called as one that names them.
        listed: The column with the ids of a list of people beside the file; empty for none.
        shared: What `shared_ids` gives of all files.

    Raises:
        CurateError: If two columns name them, and one tells two people apart that are one in
            another; or two of a file, of which another file has neither.
    """
    titles, columns = frame.titles, frame.columns
    best, preferred = respondent_columns(frame, shared)
    if listed in titles and titles.index(listed) in columns_called(titles, "respondent"):
        who = titles.index(listed)
        return who, [at for at in best if at != who and _same_people(columns[who], columns[at])]
    in_one = shared is not None and shared.isdisjoint(_id(titles[at]) for at in preferred)
    if len(best) > 1 and in_one:
        where, (one, other) = f"{frame.file}, row 1", (titles[at] for at in best[:2])
        raise refusal("people-of-files", where, one=one, other=other)
    who = preferred[0]
    others = [at for at in best if at != who]
    differ = [at for at in others if not _same_people(columns[who], columns[at])]
    if differ:
        refuse_two(frame, "respondents", [who, *differ])
    return who, others


def _same_people(one: FileColumn, other: FileColumn) -> bool:
    """Say whether two columns tell the same people apart."""
    return len(np.unique(frames.pairs_of(one.codes, other))) == len(one.used) == len(other.used)


def _id(title: str) -> str:
    """What a heading calls respondents, with or without "id"."""
    return frames.compared(title).removesuffix(" id")


def shared_ids(heads: Iterable[Sequence[str]]) -> frozenset[str] | None:
    """What the columns with respondents are called in all of some files; None for one file."""
    each = [{_id(head[at]) for at in columns_called(head, "respondent")} for head in heads]
    named = [names for names in each if names]
    return frozenset(set.intersection(*named)) if len(named) > 1 else None


def refuse_two(frame: Frame, what: str, columns: Sequence[int]) -> NoReturn:
    """Refuse two columns that may be the same thing.

    Raises:
        CurateError: Always.
    """
    one, other = (f"'{frame.titles[at]}'" for at in columns[:2])
    raise refusal("two-columns", f"{frame.file}, row 1", what=what, one=one, other=other)


def started_and_ended(
    titles: Sequence[str], columns: Sequence[FileColumn], ended: str | None = None
) -> tuple[str, str] | None:
    """The two columns that say when a respondent began and ended, if each is there once.

    Args:
        titles: The names of the columns.
        columns: Their cells.
        ended: The column of the end, where it is known.

    Returns:
        Their names; None where they are not found, or a cell is no time of day whose
        year comes first.
    """
    found = []
    for role, known in (("started", None), ("ended", ended)):
        named = [known] if known else [titles[at] for at in columns_called(titles, role)]
        if len(named) != 1 or titles.count(named[0]) != 1:
            return None
        texts = list(filter(None, columns[titles.index(named[0])].distinct))
        # Days alone are no times.
        if not texts or not all(":" in text and instant(text) is not None for text in texts):
            return None
        found.append(named[0])
    return found[0], found[1]
