"""How every reply was read, and by which rule: the rows of `curate evaluate replies`.

And replies grouped by what they say: examples of each rule, where KoBBQ's script differs, and those
that no rule could read, in a workbook for a person to read. A list of replies that a person has
read shows whether the words of a language read them so too.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.annotation.sheets import FALLBACK, hand_out
from curation.files.culture import language_of_file
from curation.files.jsonl import Line, text_list, write_objects
from curation.files.lock import writing_results
from curation.files.tables import read_text, write_csv
from curation.files.workbooks import (
    Book,
    Column,
    FilledRow,
    Sheet,
    SheetRow,
    open_workbook,
    read_sheet,
)
from curation.files.workspace import Workspace
from curation.languages import Language, calling_unknown
from curation.records.letters import choice_letters
from curation.records.messages import CurateError, Finding, Severity, own_yaml, refusal
from curation.records.settings import parse_yaml
from curation.report.texts import resource
from evaluation.folders import requests_by_id
from evaluation.parsing.verdicts import read_reply
from evaluation.replies.files import (
    Attendance,
    Hashes,
    OtherMessages,
    ReplyTable,
    attendance,
    attendance_findings,
    load_replies,
    positions,
)
from evaluation.replies.readings import (
    LETTERS,
    PERSON,
    SECOND,
    Judged,
    Mode,
    Readings,
    digest_of,
    filled_findings,
    read_many,
    script_words,
)
from evaluation.requests import hash_of_line, read_lines, request_of, shown_labels

KIND = "unreadable"
"""The kind of the workbook."""
REPLIES = "replies"
"""Its sheet. A row is about all replies that say the same to the same choices."""
NO_CHOICE = "out-of-choice"
"""What a person chooses who cannot read one choice either."""
CHOICE, WHO, NOTE = "choice", "who", "note"
MOST_ROWS = 5_000
"""Replies that one workbook holds: more than a person reads."""
_LONGEST = 8_000  # characters of a reply that are shown


class Alike(NamedTuple):
    """Replies that say the same to the same choices.

    Attributes:
        reply: What they say.
        choices: The choices that they were shown, in their order.
        labels: What these were called.
        rule: By which rule they were read, or why not.
        rows: Which replies they are.
    """

    reply: str
    choices: tuple[str, ...]
    labels: tuple[str, ...]
    rule: str
    rows: npt.NDArray[np.intp]

    @property
    def digest(self) -> str:
        """A hash of what they say and were shown; it begins with the number of choices."""
        return digest_of(self.reply, self.choices, self.labels)


def unparsed_book(groups: Sequence[Alike]) -> Book:
    """Make the workbook.

    Args:
        groups: The replies, in the order of the rows.
    """
    most = max((len(item.choices) for item in groups), default=0)
    filled_in = Sheet(REPLIES, reply_columns(most), tuple(_row(item) for item in groups))
    return Book(KIND, (filled_in,), about={"choices": str(most)})


def reply_columns(most: int) -> tuple[Column, ...]:
    """The columns of the sheet to be filled in.

    Args:
        most: Choices of the longest list.
    """
    answers = (*choice_letters(most), NO_CHOICE)
    asked = (CHOICE, answers)
    return (
        Column("reply", 70),
        Column("choices", 44),
        Column("count", 8),
        Column("rule", 14),
        Column(CHOICE, 14, editable=True, choices=answers),
        Column(WHO, 14, editable=True, required_if=asked),
        Column(NOTE, 36, editable=True),
    )


def _row(item: Alike) -> SheetRow:
    shown = []
    letters = choice_letters(len(item.choices))
    for letter, label, text in zip(letters, item.labels, item.choices, strict=True):
        other = "" if label.casefold() == letter.casefold() else f" ({label})"
        shown.append(f"{letter}{other}: {text}")
    cells = {
        "reply": shortened_reply(item.reply),
        "choices": "\n".join(shown),
        "count": str(len(item.rows)),
        "rule": item.rule,
    }
    return SheetRow(item.digest, cells)


def shortened_reply(text: str) -> str:
    """A reply without its middle, where it is longer than anybody reads."""
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half:,} characters ...]\n{text[-half:]}"


_TEXT_CHANGED = "workbook-text-changed"  # which reply is then judged is not known


def read_filled(path: Path) -> Judged:
    """Read a workbook of unreadable replies that a person filled in.

    Args:
        path: The workbook that `curate evaluate replies --unreadable` wrote.

    Returns:
        The choices, None where the person chose 'out-of-choice'; nothing for rows that were left
        empty.

    Raises:
        CurateError: If it is another file, its hidden parts are damaged, or a row cannot be
            read: with sheet and cell.
    """
    book = open_workbook(path, KIND)
    most = book.about.get("choices", "")
    if not most.isdecimal():
        raise refusal("evaluation", "filled-hidden", path)
    # Those that were handed out are in the book alone: the bank does not have them.
    handed = tuple(SheetRow(key, {}) for key in book.hashes.get(REPLIES, {}))
    filled = read_sheet(book, Sheet(REPLIES, reply_columns(int(most)), handed))
    for mark in filled.marks:
        finding = mark.finding
        if finding.severity is Severity.ERROR or finding.rule == _TEXT_CHANGED:
            raise CurateError(finding.message, finding.where, finding.hint)
    return {row.key: _choice(row, path) for row in filled.rows if row.cells[CHOICE].strip()}


def _choice(row: FilledRow, path: Path) -> int | None:
    """The position that a row names.

    Raises:
        CurateError: If it names a choice that the reply was not shown.
    """
    answer = row.cells[CHOICE].strip()
    if answer == NO_CHOICE:
        return None
    count = row.key.split("-", 1)[0]
    letters = choice_letters(int(count)) if count.isdecimal() else []
    if answer not in letters:
        where = f"{path.name}, sheet {REPLIES}, row {row.row}, column {CHOICE}"
        raise refusal("evaluation", "filled-choice", where, answer=answer, letters=letters)
    return letters.index(answer)


NONE = "none"
"""What a list of replies that name no choice is called."""
_MORE = "more"
_SHAPE = "write choices: [...], then A: [...], B: [...], C: [...] and none: [...], lists of replies"


def read_listed(path: Path, language: Language | Path) -> dict[str, Any]:
    """Read a list of replies with the words of a language, beside those of all others.

    Args:
        path: YAML: `choices`, and by letter, or under `none`, the replies in which a person reads
            it; `more` may hold the same of other choices.
        language: The language, or the file of a workspace for it.

    Returns:
        How many `replies` there are; and as `misread` those that are read otherwise than a person
        reads them: `reply`, the letter or `none` that is `meant` and that is `read`, and the
        `rule` by which, or why it is not read.

    Raises:
        CurateError: If the list or the language cannot be read.
    """
    known = language if isinstance(language, Language) else language_of_file(language)
    _, loaded = parse_yaml(read_text(path), path)
    if not isinstance(loaded, dict):
        raise CurateError(f"{path.name} holds no replies", str(path), _SHAPE)
    total, misread = 0, []
    for given in filter(None, (loaded, loaded.get(_MORE))):
        choices = given.get("choices")
        if not isinstance(choices, list) or not choices:
            raise CurateError("choices: there are none", str(path), _SHAPE)
        letters = choice_letters(len(choices))
        for meant, replies in given.items():
            if meant in ("choices", _MORE):
                continue
            if meant not in (*letters, NONE) or not isinstance(replies, list):
                raise CurateError(f"{meant}: it is not a list of a choice", str(path), _SHAPE)
            total += len(replies)
            found = (_read(str(reply), meant, choices, known) for reply in replies)
            misread += [item for item in found if item["read"] != meant]
    return {"replies": total, "misread": misread}


def _read(reply: str, meant: str, choices: list[Any], language: Language) -> dict[str, str]:
    shown = [str(choice) for choice in choices]
    reading = read_reply(reply, shown, own=language)
    letters = choice_letters(len(shown))
    read = NONE if reading.chosen is None else "".join(letters[at] for at in sorted(reading.chosen))
    return {"reply": reply, "meant": meant, "read": read, "rule": reading.rule.value}


_LOOKED_AT = 20  # requests of a prompt whose text is looked at for labels
_HINT = "make the requests again: curate evaluate prepare"
_Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedRequests:
    """The requests of a file.

    Attributes:
        ids: The requests, in their order.
        list_of: For each place its list.
        choices: Distinct lists of choices.
        labels: What the choices of each list were called; None for A, B, C.
        hashes: For each place the hash of its messages, 0 where there are none; None where that
            is not known.
        own: The language whose own words replies are read with too.
        unknown: What prompts call the choice that nobody can know, where their requests show it.
    """

    ids: tuple[str, ...]
    list_of: npt.NDArray[np.int64]
    choices: tuple[_Texts, ...]
    labels: tuple[_Texts | None, ...]
    hashes: Hashes | None = None
    own: Language | None = None
    unknown: tuple[str, ...] = ()


def asked_of(
    ids: Sequence[str], shown: Iterable[tuple[_Texts, _Texts]], own: Language | None
) -> AskedRequests:
    """Requests that are in no file.

    Args:
        ids: Their ids.
        shown: For each its choices, and what they were called.
        own: The language whose own words replies are read with too.
    """
    lists: dict[tuple[_Texts, _Texts], int] = {}
    list_of = np.array([lists.setdefault(one, len(lists)) for one in shown], np.int64)
    choices, labels = zip(*lists, strict=True)
    return AskedRequests(tuple(ids), list_of, choices, labels, own=own)


def load_asked(path: Path, *, cased: bool = False) -> AskedRequests:
    """Read which choices the requests of a file showed.

    Args:
        path: JSON lines with `request_id` and `choices`; `labels` where they were called other
            than A, B and C. Without `labels` they are looked for in the request's `messages`.
        cased: Whether a, b, c are other labels than A, B, C, as they are among tokens.

    Raises:
        CurateError: If there is no such file, or a line is no request with choices, or one
            occurs twice.
    """
    lists: dict[tuple[_Texts, _Texts | None], int] = {}
    list_of, hashes = array("L"), array("Q")
    shown, of_prompt = _Shown(cased=cased), dict[str, set[frozenset[str]]]()

    def take(line: Line) -> None:
        choices = tuple(text_list(line.value.get("choices"), "choices"))
        if len(choices) < 2:
            raise ValueError("it shows fewer than two choices")
        labels = shown.labels(line, choices)
        list_of.append(lists.setdefault((choices, labels), len(lists)))
        hashes.append(hash_of_line(line))
        if len(choices) > 2:  # a choice of all of two is a name as likely
            of_prompt.setdefault(str(line.value.get("prompt_id")), set()).add(frozenset(choices))

    ids = requests_by_id(path, read_lines(path), take, "request with choices", _HINT)
    choices, labels = zip(*lists, strict=True)
    numbers, asked = np.array(list_of, np.int64), np.array(hashes, np.uint64)
    # The one choice that all requests of a prompt show, whoever else is named in them.
    common = (frozenset.intersection(*lists) for lists in of_prompt.values() if len(lists) > 1)
    unknown = sorted(text for texts in common if len(texts) == 1 for text in texts)
    return AskedRequests(tuple(ids), numbers, choices, labels, asked, unknown=tuple(unknown))


class _Shown:
    """Finds what requests call their choices; of a prompt it looks at a few requests alone."""

    def __init__(self, *, cased: bool) -> None:
        self._cased = cased
        self._seen: dict[tuple[object, int], Counter[_Texts | None]] = {}

    def labels(self, line: Line, choices: _Texts) -> _Texts | None:
        """The labels of a request, None for A, B, C.

        Raises:
            ValueError: If its labels are no list of different texts, one for each choice.
        """
        given = line.value.get("labels")
        if given is not None:
            labels = tuple(text_list(given))
            distinct = {label.strip().casefold() for label in labels}
            if len(distinct) != len(choices) or "" in distinct or len(labels) != len(choices):
                raise ValueError("its labels are not different ones, one for each choice")
            return self._plain(labels)
        if not line.value.get("messages"):
            return None
        prompt = line.value.get("prompt_id")
        if prompt is None:
            return self._plain(shown_labels(request_of(line)))
        seen = self._seen.setdefault((str(prompt), len(choices)), Counter())
        if seen.total() < _LOOKED_AT:
            seen[self._plain(shown_labels(request_of(line)))] += 1
        return seen.most_common(1)[0][0]

    def _plain(self, labels: _Texts) -> _Texts | None:
        """None for A, B, C; in a text, lower case is read as they are."""
        letters = tuple(choice_letters(len(labels)))
        read = labels if self._cased else tuple(label.upper() for label in labels)
        return None if read == letters else labels


ROW_COLUMNS = ("request_id", "model", "choice", "choice_text", "rule")
"""The columns of a row; `choice` is a letter by place, A for the first, or null."""
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ReadReplies:
    """Replies as they were read.

    Attributes:
        frame: The replies to known requests: `request_id`, `model`, `reply` (category).
        places: For each of them the place of its request.
        lists: For each of them which of the lists of choices it was shown.
        asked: What was asked.
        readings: How they were read.
        failed: How many calls failed, by kind of error.
        attended: How each model replied.
        findings: What is missing, and what answers no request.
    """

    frame: pd.DataFrame
    places: _Ints
    lists: _Ints
    asked: AskedRequests
    readings: Readings
    failed: Mapping[str, int]
    attended: tuple[Attendance, ...]
    findings: tuple[Finding, ...]

    @property
    def by_rule(self) -> list[str]:
        """For each reply the rule that read it, or why it was not read."""
        return [self.readings.names[at] for at in self.readings.rules.tolist()]

    def letters(self) -> list[str | None]:
        """For each reply the letter of its choice, by place."""
        most = int(self.readings.positions.max(initial=0)) + 1
        letters: list[str | None] = [*choice_letters(most), None]
        return [letters[at] for at in self.readings.positions.tolist()]  # -1 is the last

    def text(self, at: int) -> str:
        """The text of a reply."""
        replies = self.frame["reply"].cat
        return str(replies.categories[int(replies.codes.iloc[at])])

    def choices(self, at: int) -> tuple[str, ...]:
        """The choices that a reply was shown."""
        return self.asked.choices[int(self.lists[at])]

    def to_frame(self) -> pd.DataFrame:
        """The rows, with the columns of `ROW_COLUMNS`, all text (object); None for no choice."""
        return pd.DataFrame(list(self.rows()), columns=list(ROW_COLUMNS), dtype=object)

    def save(self, path: Path | str, workspace: Workspace | None = None) -> None:
        """Write the rows as CSV, or as JSON lines where the file's name ends so.

        Args:
            path: The file.
            workspace: The workspace; its `wait` says how long to wait for other commands.

        Raises:
            CurateError: If the file cannot be written, or another command writes beside it for
                too long.
        """
        path = Path(path)
        with writing_results(path.parent, "curate evaluate replies", workspace):
            if path.suffix.lower() == ".csv":
                # A missing value is an empty cell.
                write_csv(path, ROW_COLUMNS, self.rows(), escaped=True)
            else:
                rows = (dict(zip(ROW_COLUMNS, row, strict=True)) for row in self.rows())
                write_objects(path, rows)

    def rows(self) -> Iterator[tuple[str, str, str | None, str | None, str]]:
        """Yield the rows, in the order of `ROW_COLUMNS`."""
        columns = (
            self.frame["request_id"].tolist(),
            self.frame["model"].tolist(),
            self.readings.positions.tolist(),
            self.letters(),
            self.lists.tolist(),
            self.by_rule,
        )
        for request, model, position, letter, shown, rule in zip(*columns, strict=True):
            text = None if letter is None else self.asked.choices[shown][position]
            yield request, model, letter, text, rule


def read_replies_to(
    table: ReplyTable, asked: AskedRequests, mode: Mode = "strict", judged: Judged | None = None
) -> ReadReplies:
    """Read the replies of a table to what was asked.

    Args:
        table: The replies.
        asked: What was asked.
        mode: How to read.
        judged: What a person read; it goes before any rule.

    Raises:
        CurateError: If no reply answers a request, one answers other messages than its request
            has, or `mode` reads three choices alone and a request shows more or fewer.
    """
    frame, file = table.frame, ", ".join(map(str, table.paths))
    places = positions(table, asked.ids)
    known = places >= 0
    if asked.hashes is not None:
        hashes = np.where(known, asked.hashes[places], np.uint64(0))
        other = OtherMessages()
        other.add(frame, table.asked, hashes)
        other.refuse(table.paths, "name with --requests the requests that were sent")
    if not known.any():
        raise refusal("evaluation", "replies-strange", file, count=len(frame))
    there = known & frame["reply"].notna().to_numpy()
    kept = frame.loc[there, ["request_id", "model", "reply"]].reset_index(drop=True)
    lists = asked.list_of[places[there]]
    if mode == "kobbq" and not three_choices(asked, lists):
        raise refusal("evaluation", "replies-kobbq")
    shown = asked.choices, asked.labels, mode, asked.own
    readings = read_many(kept["reply"], lists, *shown, judged=judged)
    rules = np.full(len(frame), "", object)
    rules[there] = np.array(readings.names, object)[readings.rules]
    attended = attendance(table, asked.ids, places, rules.tolist())
    findings = tuple(attendance_findings(attended, file))
    at = places[there]
    return ReadReplies(kept, at, lists, asked, readings, table.failed, attended, findings)


def parse_replies(
    requests: Path,
    replies: Sequence[Path] | pd.DataFrame,
    *,
    mode: Mode = "strict",
    filled: Sequence[Path] = (),
    language: Language | None = None,
) -> ReadReplies:
    """Parse which choice each reply names, and by which rule.

    Args:
        requests: What was asked.
        replies: Files of replies, or a frame with `request_id`, `model` and `reply`.
        mode: By the toolkit's rules, as KoBBQ's published script reads, or by log-probabilities.
        filled: Workbooks in which a person read what no rule could; the last one counts.
        language: The language of a workspace, whose own words replies are read with too.

    Raises:
        CurateError: If a file cannot be read, no reply answers a request, or `mode` reads three
            choices alone and a request shows more or fewer.
    """
    table = load_replies(replies, logprobs=mode == "logprobs")
    person = {key: at for path in filled for key, at in read_filled(path).items()}
    asked = load_asked(requests, cased=mode == "logprobs")
    asked = replace(asked, own=calling_unknown(language, asked.unknown))
    read = read_replies_to(table, asked, mode, person)
    unused = filled_findings(person, [read.readings.counts()])
    return replace(read, findings=(*table.findings, *read.findings, *unused))


def three_choices(asked: AskedRequests, lists: _Ints) -> bool:
    """Say whether all requests that were replied to show three choices."""
    return all(len(asked.choices[at]) == len(LETTERS) for at in np.unique(lists).tolist())


def rule_texts(mode: Mode) -> dict[str, str]:
    """The rules of a mode in their order, each with its sentence; those of other readers first."""
    rules: dict[str, str] = own_yaml(resource(__package__, "rules.yaml"))[mode]
    leads = script_words().leads
    texts = {name: text.format(*leads) for name, text in rules.items()}
    return {PERSON: "a person read it", SECOND: "a second model read it", **texts}


Rows = npt.NDArray[np.intp]


def alike(rows: Rows, *keys: npt.ArrayLike) -> list[Rows]:
    """Group rows that agree in some keys, the largest groups first.

    Args:
        rows: The rows.
        keys: Columns of whole numbers, of all rows that there are; groups of one size come in
            the order of these.
    """
    frame = pd.DataFrame({at: np.asarray(key)[rows] for at, key in enumerate(keys)})
    codes = frame.groupby(list(frame)).ngroup().to_numpy()
    order = codes.argsort(kind="stable")
    groups = np.split(rows[order], np.flatnonzero(np.diff(codes[order])) + 1)
    return sorted(filter(len, groups), key=len, reverse=True)


def alike_of(read: ReadReplies, rows: Rows) -> Iterator[Alike]:
    """Yield replies that say the same together, the most frequent first."""
    for members in alike(rows, read.frame["reply"].cat.codes, read.lists):
        first = int(members[0])
        choices = read.choices(first)
        labels = read.asked.labels[int(read.lists[first])] or tuple(choice_letters(len(choices)))
        rule = read.readings.names[int(read.readings.rules[first])]
        yield Alike(read.text(first), choices, labels, rule, rows=members)


def examples(read: ReadReplies, each: int = 3) -> dict[str, list[dict[str, Any]]]:
    """For each rule the replies that came most often, and what was read of them.

    An example has its `reply`, the `choices` that it was shown, the `choice` that was read (a
    letter, None for none), and the `count` of replies with this text that were read by this rule.
    """
    letters = read.letters()
    found: dict[str, list[dict[str, Any]]] = {}
    for code, name in enumerate(read.readings.names):
        rows = np.flatnonzero(read.readings.rules == code)
        for members in alike(rows, read.frame["reply"].cat.codes)[:each]:
            first = int(members[0])
            said = {"reply": read.text(first), "choices": read.choices(first)}
            example = {**said, "choice": letters[first], "count": len(members)}
            found.setdefault(name, []).append(example)
    return found


def unparsed(read: ReadReplies) -> list[Alike]:
    """The replies that no rule could read, those alike together, the most frequent first."""
    rows = np.flatnonzero(read.readings.unparsed)
    return list(alike_of(read, rows))


def write_unparsed(workspace: Workspace, read: ReadReplies, path: Path) -> dict[str, Any]:
    """Write the replies that no rule could read as a workbook, for a person to read them.

    Args:
        workspace: Says the language of who reads them; it may have no settings.
        read: The replies.
        path: The workbook.

    Returns:
        Its `file` and `rows`, and the requests `left_out`: those of rarer replies, which did not
        fit.

    Raises:
        CurateError: If every reply was read, there is another workbook, or it cannot be written.
    """
    every = unparsed(read)
    taken, left_out = every[:MOST_ROWS], sum(len(item.rows) for item in every[MOST_ROWS:])
    if not taken:
        raise refusal("evaluation", "replies-read")
    known = workspace.culture_file.exists()
    language = workspace.language if known else FALLBACK
    with writing_results(path.parent, "curate evaluate replies", workspace):
        hand_out(path, unparsed_book(taken), language)
    return {"file": path, "rows": len(taken), "left_out": left_out}


ANSWERS = (*LETTERS, "out_of_choice")
"""What a reply to three choices can be read as."""


def difference(read: ReadReplies, shown: int = 10) -> dict[str, Any] | None:
    """Read replies both ways and compare; readings by a person are left out of both.

    Args:
        read: The replies.
        shown: How many examples.

    Returns:
        How many `replies` there are, and how many are read `otherwise`, in all and
        `otherwise_by_model`; the `table` by the toolkit's reading and the script's, each one of
        `ANSWERS`; and `examples` of replies read otherwise, the most frequent first. None where a
        request shows other than three choices, which the script cannot read.
    """
    if not three_choices(read.asked, read.lists):
        return None
    replies, asked = read.frame["reply"], read.asked
    strict = read_many(replies, read.lists, asked.choices, asked.labels, "strict", asked.own)
    kobbq = read_many(replies, read.lists, asked.choices, asked.labels, "kobbq")
    other = strict.positions != kobbq.positions
    counts = np.zeros((len(ANSWERS), len(ANSWERS)), dtype=np.int64)
    np.add.at(counts, (strict.positions, kobbq.positions), 1)  # -1 is the last
    by_model = read.frame["model"][other].value_counts()
    table = zip(ANSWERS, counts.tolist(), strict=True)
    return {
        "replies": len(replies),
        "otherwise": int(other.sum()),
        "otherwise_by_model": {str(name): int(by_model[name]) for name in sorted(by_model.index)},
        "table": {row: dict(zip(ANSWERS, line, strict=True)) for row, line in table},
        "examples": list(_different(read, strict, kobbq, np.flatnonzero(other), shown)),
    }


def _different(
    read: ReadReplies, strict: Readings, kobbq: Readings, rows: Rows, shown: int
) -> Iterator[dict[str, Any]]:
    codes = read.frame["reply"].cat.codes
    for members in alike(rows, codes, strict.positions, kobbq.positions)[:shown]:
        at = int(members[0])
        yield {
            "reply": read.text(at),
            "choices": read.choices(at),
            "strict": ANSWERS[int(strict.positions[at])],
            "strict_rule": strict.names[int(strict.rules[at])],
            "kobbq": ANSWERS[int(kobbq.positions[at])],
            "kobbq_rule": kobbq.names[int(kobbq.rules[at])],
            "count": len(members),
        }
