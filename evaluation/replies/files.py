"""`replies.jsonl`: what models replied to requests, a million lines into compact columns.

Lines are read one by one or as blocks of columns, each with its place: a block the fast way where
every line of it is a reply, else line by line. And which requests each model replied to, whatever
they are about.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.jsonl import Line, parse_line
from curation.records.messages import (
    CurateError,
    Finding,
    counted,
    finding,
    given_name,
    natural,
    refusal,
    shortened,
    warning,
)
from evaluation.parsing.thoughts import CUT_OFF
from evaluation.replies.reply import (
    CUT_ENDS,
    LOGPROBS,
    FailureKind,
    LineBlock,
    NumberedLine,
    Reply,
    line_blocks,
    lines_of,
    logprobs_of,
    opened,
    reply_of,
    whole,
)
from evaluation.requests import ASKED, count_epochs

BLOCK = 16 << 20
"""Bytes that are read at once; a block ends with a line."""
FIELDS = ("request_id", "model", "reply", ASKED, "error")
"""The columns of a block: `messages_hash` tells what was asked, null where the line does not say
it; a `reply` that was cut off ends with `CUT_OFF`; `error` is the kind of a failure, null where
there is a reply."""
PLACED = ("line", "offset")
"""More columns, where they are wanted: the number of a line, from 1, and the bytes before it."""
CUT_THOUGHT = "<think>"
"""How a reply is read of which only thoughts came: as one that was cut off within them."""
THOUGHTS = "reasoning"
"""What a line calls the model's thoughts, where they came apart from the reply."""
_END = "finish_reason"


def read_blocks(
    path: Path, *, logprobs: bool = False, placed: bool = False
) -> Iterator[tuple[Any, list[Finding]]]:
    """Yield a file of replies as blocks of columns, each with what is wrong in it.

    Args:
        path: JSON lines of `{request_id, model, reply}` and whatever else; may be gzipped.
        logprobs: Whether `reply` is to be the log-probabilities of each reply, as a text.
        placed: Whether `PLACED` is wanted, too.

    Yields:
        A `pyarrow.Table` with `FIELDS` as strings, and findings with their lines.

    Raises:
        CurateError: If there is no such file, it cannot be read, or a model has no name.
    """
    for block in line_blocks(path, BLOCK):
        yield _columns(block, logprobs=logprobs, placed=placed)


def _columns(
    block: LineBlock, *, logprobs: bool = False, placed: bool = False
) -> tuple[Any, list[Finding]]:
    """Read a block into columns; see `read_blocks`."""
    table, findings = None if logprobs else _parsed(block, placed=placed), list[Finding]()
    if table is None:
        table, findings = _strict(block, logprobs=logprobs)
    for name in table.column("model").unique().to_pylist():
        given_name(name or "", block.file)
    return table.select((*FIELDS, *PLACED) if placed else FIELDS), findings


def _parsed(block: LineBlock, *, placed: bool) -> Any:
    """Read a block the fast way, whose lines are all objects as we write them, or nearly.

    Returns:
        A table; None where a line may be no reply, or say of a failure what no column holds.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import json as arrow_json

    data, names = block.data, FIELDS[:4]
    texts = [(name, pa.string()) for name in (*names, _END)]
    try:
        if not data.isascii():
            data.decode()  # keys that are not asked for are not looked at below
        read = arrow_json.read_json(
            pa.BufferReader(data),
            read_options=arrow_json.ReadOptions(block_size=1 << 20),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=pa.schema([*texts, ("error", pa.struct([("kind", pa.string())]))]),
                unexpected_field_behavior="ignore",
            ),
        )
        read.validate(full=True)
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    kinds = pc.struct_field(read.column("error"), "kind").cast(pa.large_string())
    table = read.select(names).cast(pa.schema([(name, pa.large_string()) for name in names]))
    replies = table.column("reply")
    sure = [pc.not_equal(pc.utf8_trim_whitespace(table.column(name)), "") for name in names[:2]]
    sure.append(pc.or_kleene(pc.is_valid(replies), pc.match_substring_regex(kinds, "^\\w+$")))
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    if len(table) != lines or not all(pc.all(one, skip_nulls=False).as_py() for one in sure):
        return None
    none = pa.scalar(None, pa.large_string())
    table = table.append_column("error", pc.if_else(pc.is_null(replies), kinds, none))
    if placed:
        ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
        starts = block.start + np.concatenate([[0], ends])[:lines]
        numbers = np.arange(block.first, block.first + lines)
        table = table.append_column("line", pa.array(numbers))
        table = table.append_column("offset", pa.array(starts))
    blank = pc.equal(pc.utf8_trim_whitespace(replies), "")
    cut = pc.is_in(pc.utf8_lower(read.column(_END)), pa.array(CUT_ENDS))
    cut = pc.fill_null(pc.and_not(cut, blank), False)
    within = pc.fill_null(pc.and_(pc.equal(kinds, FailureKind.UNFINISHED.value), blank), False)
    marks = [pa.scalar(text, pa.large_string()) for text in (CUT_OFF, "", CUT_THOUGHT)]
    longer = pc.binary_join_element_wise(replies, *marks[:2])
    texts = pc.if_else(cut, longer, pc.if_else(within, marks[2], replies))
    return table.set_column(names.index("reply"), "reply", texts)


def _strict(block: LineBlock, *, logprobs: bool) -> tuple[Any, list[Finding]]:
    """Read lines one by one into columns; what is no reply becomes a finding."""
    import pyarrow as pa

    read = list(lines_of(block, logprobs_of if logprobs else reply_of))
    rows = [_columned(*item) for item in read if not isinstance(item, Finding)]
    names = (*FIELDS, *PLACED)
    values = zip(*rows, strict=True) if rows else ([] for _ in names)
    types = [pa.large_string()] * (len(names) - 2) + [pa.int64()] * 2
    arrays = [pa.array(list(column), kind) for column, kind in zip(values, types, strict=True)]
    table = pa.table(dict(zip(names, arrays, strict=True)))
    return table, [item for item in read if isinstance(item, Finding)]


def _columned(reply: Reply, place: NumberedLine) -> tuple[str | int | None, ...]:
    """A reply with the columns `FIELDS` and `PLACED`."""
    text, kind = reply.text, reply.kind
    if text is not None and kind == FailureKind.UNFINISHED and not text.strip():
        text = CUT_THOUGHT
    elif text is not None and reply.cut:
        text += CUT_OFF
    asked = f"{reply.asked:016x}" if reply.asked else None
    failed = kind if text is None else None
    return reply.request_id, reply.model, text, asked, failed, *place[:2]


def read_thoughts(paths: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    """Yield the thoughts that were kept beside replies, one at a time, for they can be long.

    Args:
        paths: Files of replies; lines that are no reply are passed over, for whoever reads the
            replies is told of them.

    Yields:
        Request, model and the thoughts, in the order of the files; of several replies of one
        model to one request the last one counts, as in `load_replies`.

    Raises:
        CurateError: If a file cannot be read.
    """
    for _, line in _lines_with(f'"{THOUGHTS}"', paths):
        told = [line.value.get(name) for name in ("reply", "request_id", "model", THOUGHTS)]
        if all(isinstance(text, str) for text in told) and all(told[1:]):
            yield str(told[1]), str(told[2]), whole(str(told[3]))


def _lines_with(mark: str, paths: Sequence[Path]) -> Iterator[tuple[Path, Line]]:
    """Yield the lines of files that hold a text and are objects, each with its file."""
    for path in dict.fromkeys(paths):
        with opened(path) as stream:
            for number, data in enumerate(stream, start=1):
                if mark.encode() in data:
                    line = parse_line(str(path), number, data, last=False)
                    if isinstance(line, Line):
                        yield path, line


Hashes = npt.NDArray[np.uint64]
_NAMED = 8  # that `shortened` names
PARTS = (".jsonl", ".jsonl.gz")
"""The ends of the names of files in a folder of replies."""


def _last_replies(table: Any) -> tuple[Any, pd.DataFrame]:
    """Find the row that counts for each model and request.

    Returns:
        The rows in the order in which their requests first came, None where every row counts;
        and the requests that have several replies: `request_id`, `model`, how many are left out,
        and whether they differ.
    """
    rows = np.arange(len(table))
    requests = table.column("request_id").dictionary_encode().combine_chunks()
    models = table.column("model").combine_chunks().indices.to_numpy().astype(np.int64)
    keys = models * len(requests.dictionary) + requests.indices.to_numpy()
    groups, uniques = pd.factorize(keys)
    if len(uniques) == len(rows):
        return None, pd.DataFrame(columns=["request_id", "model", "left_out", "differ"])
    replied = table.column("reply").is_valid().to_numpy()
    last = np.full(len(uniques), -1)
    last[groups] = rows  # of several rows of a group the last one stays
    last[groups[replied]] = rows[replied]
    counts = np.bincount(groups[replied], minlength=len(uniques))
    several = replied & (counts > 1)[groups]
    texts = table.column("reply").combine_chunks().indices.fill_null(-1).to_numpy()
    frame = pd.DataFrame({"group": groups[several], "text": texts[several]})
    differ = frame.groupby("group", sort=True)["text"].nunique() > 1
    named = table.select(["request_id", "model"]).take(last[differ.index.to_numpy()]).to_pandas()
    left_out = counts[differ.index.to_numpy()] - 1
    return last, named.assign(left_out=left_out, differ=differ.to_numpy())


class ReplyParts:
    """Replies that are read part by part, so that no more than a part of them is held at once.

    Args:
        given: Files of JSON lines, gzipped or not, and folders of such files; one that is named
            twice is read once. Or replies in a frame.
        logprobs: Whether `reply` is to be the log-probabilities of each reply, as a text.

    Attributes:
        paths: The files.
    """

    def __init__(self, given: Sequence[Path] | pd.DataFrame, *, logprobs: bool = False) -> None:
        self._logprobs = logprobs
        self.paths: tuple[Path, ...] = ()
        self._lines = b""
        if isinstance(given, pd.DataFrame):  # it is read as the lines of a file are
            known = given.filter((*FIELDS, _END, LOGPROBS))  # others may hold what JSON cannot
            lines = known.to_json(orient="records", lines=True, double_precision=15)
            self._lines = lines.encode()
        else:
            self.paths = reply_files(given)

    def tables(self) -> Iterator[tuple[Path | None, Any, list[Finding]]]:
        """Yield the parts, each with its file and what is wrong in it; see `read_blocks`.

        Raises:
            CurateError: If a file is not there, or cannot be read, or a row of a frame is no reply.
        """
        if self._lines:
            block = LineBlock("the frame of replies", 1, 0, self._lines, last=True)
            table, findings = _columns(block, logprobs=self._logprobs)
            for item in findings:
                raise CurateError(item.message, item.where, "correct the row, or leave it out")
            yield None, table, []
        for path in self.paths:
            for table, findings in read_blocks(path, logprobs=self._logprobs):
                yield path, table, findings

    def _bytes(self) -> Iterator[bytes]:
        """The lines, some at a time."""
        yield self._lines
        for path in self.paths:
            with opened(path) as stream:
                while data := stream.read(BLOCK) + stream.readline():
                    yield data

    def told(self) -> tuple[bool, int]:
        """Say what is to be known before replies are read, by a glance at their bytes.

        Returns:
            Whether any reply may say which messages it answers; and how many epochs they are of.
        """
        has_hashes = in_epochs = False
        for data in self._bytes():
            has_hashes = has_hashes or ASKED.encode() in data
            in_epochs = in_epochs or b'-e2"' in data
        import pyarrow.compute as pc

        tables = self.tables() if in_epochs else ()  # only for epochs are all of them parsed
        ids = (table.column("request_id") for _, table, _ in tables)
        later = (column.filter(pc.match_substring_regex(column, "-e[0-9]+$")) for column in ids)
        return has_hashes, count_epochs(name for part in later for name in part.to_pylist())

    def nothing(self, findings: Sequence[Finding]) -> CurateError:
        """What is said where there is no reply."""
        first = f": {findings[0].message}" if findings else ""
        where = findings[0].where if findings else self.where
        names = [path.name for path in self.paths]
        return refusal("evaluation", "replies-none", where, names=names, first=first)

    def no_logprobs(self) -> CurateError:
        """What is said where no reply has log-probabilities."""
        return refusal("evaluation", "replies-logprobs", self.where)

    @property
    def where(self) -> str:
        """The files, as a message names them."""
        return ", ".join(map(str, self.paths))

    def left_out(
        self, names: Collection[tuple[str, str]]
    ) -> tuple[npt.NDArray[np.int64], pd.DataFrame]:
        """Find the replies that a later one replaces.

        Args:
            names: Requests that have several replies, and their models.

        Returns:
            The rows left out, counted over all parts; and the requests as `doubled_findings`
            takes them.
        """
        import pyarrow as pa

        tables, named = [], []
        for _, table, _ in self.tables():
            frame = table.select(["request_id", "model"]).to_pandas()
            named.append(pd.MultiIndex.from_frame(frame).isin(list(names)))
            tables.append(table.filter(pa.array(named[-1])))
        table = _encoded(pa.concat_tables(tables))
        kept, doubled = _last_replies(table)
        left_out = table.column("reply").is_valid().to_numpy().copy()
        left_out[kept] = False
        return np.flatnonzero(np.concatenate(named))[left_out], doubled

    def doubled_findings(self, doubled: pd.DataFrame) -> Iterator[Finding]:
        """Name the requests that have several replies of one model.

        Two different replies are an error: which one counts nobody said.

        Args:
            doubled: `request_id`, `model`, how many replies are left out, and whether they differ.
        """
        pairs = zip(doubled["request_id"], doubled["model"], strict=True)
        names = np.array([f"{name} ({model})" for name, model in pairs], object)
        differ, file = doubled["differ"].to_numpy(bool), self.where
        if differ.any():
            first = doubled[differ].iloc[0]
            lines = list(self._lines_of(first["request_id"], first["model"]))[:2]
            where = " and ".join(f"{path}, line {number}" for path, number in lines)
            path, number = lines[-1] if lines else (file, None)
            said = finding(
                "evaluation",
                "replies-second",
                path,
                count=int(differ.sum()),
                shown=shortened(names[differ].tolist()),
                places=f"; the first in {where}" if where else "",
            )
            yield replace(said, row=number)
        if not differ.all():
            yield finding(
                "evaluation",
                "replies-duplicate",
                file,
                left_out=int(doubled["left_out"][~differ].sum()),
                shown=shortened(names[~differ].tolist()),
            )

    def _lines_of(self, request_id: str, model: str) -> Iterator[tuple[str, int]]:
        """Yield where the replies of a model to a request are: file and line."""
        for path in self.paths:
            for table, _ in read_blocks(path, placed=True):
                frame = table.to_pandas()
                own = (frame["request_id"] == request_id) & (frame["model"] == model)
                yield from (
                    (str(path), int(at)) for at in frame["line"][own & frame["reply"].notna()]
                )


def _is_part(path: Path) -> bool:
    return path.name.endswith(PARTS)


def reply_files(
    given: Iterable[Path], holds: Callable[[Path], bool] = _is_part, kinds: Sequence[str] = PARTS
) -> tuple[Path, ...]:
    """The files of replies that are named, and those in folders of parts, each once.

    Args:
        given: Files and folders; files of a folder come in the natural order of their names.
        holds: Whether a file of a folder holds replies.
        kinds: How such files are called, for a message.

    Raises:
        CurateError: If a folder holds none.
    """
    found: list[Path] = []
    for path in given:
        if not path.is_dir():
            found.append(path)
            continue
        parts = {item.name: item for item in path.iterdir() if item.is_file() and holds(item)}
        if not parts:
            raise refusal("evaluation", "replies-folder", str(path), ends=" or ".join(kinds))
        found += (parts[name] for name in natural(parts))
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class ReplyTable:
    """The replies of some files.

    Attributes:
        frame: One row for each model and request, in the order in which they first came:
            `request_id` (text), and as categories, which hold each text once, `model`, `reply`
            (missing where the call failed) and `error` (the kind of a failure, missing where
            there is a reply).
        duplicates: Replies left out because a later one to the same request counts.
        findings: What could not be read, and what occurs twice; errors among them name lines
            that hold a reply that is in no column.
        asked: For each row the hash of the messages that it answers, as
            `evaluation.requests.messages_hash` makes it, 0 where it does not say it; None where
            no row does.
        paths: The files.
    """

    frame: pd.DataFrame
    duplicates: int
    findings: tuple[Finding, ...]
    asked: Hashes | None = None
    paths: tuple[Path, ...] = ()

    @property
    def models(self) -> list[str]:
        """The models, in natural order."""
        return natural(self.frame["model"].cat.categories)

    @property
    def failed(self) -> dict[str, int]:
        """How many calls failed, by kind of error, in alphabetical order."""
        counts = self.frame["error"].value_counts()
        return {str(kind): int(count) for kind, count in sorted(counts.items())}


def load_replies(paths: Sequence[Path] | pd.DataFrame, *, logprobs: bool = False) -> ReplyTable:
    """Read `{request_id, model, reply}` a line, and `messages_hash`; other keys are passed over.

    Of several replies of one model to one request the last one counts; two different ones are an
    error among the findings. A failure
    never takes the place of a reply, a torn last line is a warning, any other line that is no
    reply an error with its number.

    Args:
        paths: Files of JSON lines, gzipped or not, and folders of such files; one that is named
            twice is read once. Or a frame with `request_id`, `model` and `reply` (missing where
            the call failed).
        logprobs: Whether `reply` is to be the log-probabilities of each reply, as a text.

    Raises:
        CurateError: If a file is not there, no line of the files can be read, or no reply has
            log-probabilities where they are wanted.
    """
    import pyarrow as pa

    tables: list[Any] = []
    findings: list[Finding] = []
    parts = ReplyParts(paths, logprobs=logprobs)
    for _, table, problems in parts.tables():
        tables.append(table)
        findings += problems
    if not any(map(len, tables)):
        raise parts.nothing(findings)
    table = _encoded(pa.concat_tables(tables))
    if logprobs and not any(table.column("reply").combine_chunks().dictionary.to_pylist()):
        raise parts.no_logprobs()
    kept, doubled = _last_replies(table)
    findings += parts.doubled_findings(doubled)
    table = table if kept is None else table.take(pa.array(kept))
    asked = message_hashes(table.column(ASKED))
    frame = table.drop_columns([ASKED]).to_pandas()
    left_out = int(doubled["left_out"].sum())
    return ReplyTable(frame, left_out, tuple(findings), asked, parts.paths)


def _encoded(table: Any) -> Any:
    """The same with texts that come often as dictionaries."""
    for name in ("model", "reply", "error"):
        at = table.column_names.index(name)
        table = table.set_column(at, name, table.column(name).dictionary_encode())
    return table


def message_hashes(column: Any) -> Hashes | None:
    """Read hashes of 16 digits; whatever else another tool has put there says nothing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.null_count == len(column):
        return None
    said = pc.match_substring_regex(column, "^[0-9a-f]{16}$")
    none = pa.scalar("0" * 16, pa.large_string())
    digits = pc.if_else(pc.fill_null(said, False), column, none).combine_chunks()
    data = bytes.fromhex("".join(digits.to_pylist()))
    found = np.frombuffer(data, ">u8").astype(np.uint64)
    return found if found.any() else None


class OtherMessages:
    """Counts replies to other messages than the requests of the same ids have.

    Files of one set in several languages share ids, as do requests whose prompts were changed.

    Attributes:
        others: How many there are.
    """

    def __init__(self) -> None:
        self.others = 0
        self._looked_at = 0
        self._named: list[tuple[str, str, str]] = []

    def add(self, frame: pd.DataFrame, answered: Hashes | None, asked: Hashes) -> None:
        """Look at some replies.

        Args:
            frame: Their `request_id`, `model` and `reply`; without a text they are not looked at.
            answered: For each the hash of the messages that it answers, 0 where it does not say.
            asked: For each the hash of the messages of its request; 0 where there is none, or it
                is not looked at.
        """
        if answered is None:
            return
        looked_at = (answered != 0) & (asked != 0) & frame["reply"].notna().to_numpy()
        other = np.flatnonzero(looked_at & (answered != asked))
        self._looked_at += int(looked_at.sum())
        self.others += len(other)
        for at in other[: _NAMED + 1 - len(self._named)].tolist():
            request, model = frame["request_id"].iloc[at], frame["model"].iloc[at]
            self._named.append((request, model, f"{int(answered[at]):016x}"))

    def refuse(self, paths: Sequence[Path], hint: str) -> None:
        """Refuse them.

        Args:
            paths: The files of the replies.
            hint: What to do.

        Raises:
            CurateError: If there is one.
        """
        if not self.others:
            return
        (*first, asked), *_ = self._named
        places = (
            f"{path}, line {line.number}"
            for path, line in _lines_with(asked, paths)
            if [line.value.get("request_id"), line.value.get("model")] == first
        )
        raise CurateError(
            f"{self.others:,} of {self._looked_at:,} replies answer other requests with the "
            f"same ids: the messages differ: {shortened([name for name, *_ in self._named])}",
            next(places, ", ".join(map(str, paths))),
            hint,
        )


class Attendance(NamedTuple):
    """How a model replied to all that it was asked.

    Attributes:
        model: The model.
        asked: How many requests there are.
        lacking: How many of them have no reply; those that failed are among them.
        missing: These, in their order; of a million requests the first ones.
        failed: How many calls failed.
        unknown: Replies to requests that there are not.
        rules: How many replies were parsed by each rule, or were not, and why.
    """

    model: str
    asked: int
    lacking: int
    missing: Sequence[str]
    failed: int
    unknown: Sequence[str]
    rules: Mapping[str, int]

    def lacks(self) -> str:
        """Say how many replies are missing, and which."""
        failed = f" ({counted(self.failed, 'call')} failed)" if self.failed else ""
        said = f"{self.lacking:,} of {self.asked:,} requests have no reply{failed}"
        return f"{said}: {shortened(self.missing)}"

    def left_out(self) -> str:
        """Say how many replies are to no request, and which."""
        return f"{counted(len(self.unknown), 'reply', 'replies')}: {shortened(self.unknown)}"


def positions(replies: ReplyTable, ids: Sequence[str]) -> npt.NDArray[np.int64]:
    """For each reply the position of its request, -1 where there is no such request."""
    names = pd.Index(replies.frame["request_id"].to_numpy(object))
    return np.asarray(pd.Index(list(ids), dtype=object).get_indexer(names), np.int64)


def attendance(
    replies: ReplyTable,
    ids: Sequence[str],
    at: npt.NDArray[np.int64],
    rules: Sequence[str],
) -> tuple[Attendance, ...]:
    """How each model replied, in the order of the models.

    Args:
        replies: The replies.
        ids: The requests.
        at: As `positions` gives them.
        rules: For each reply the rule that parsed it, or why none did; empty where there is none.
    """
    frame = pd.DataFrame(
        {
            "id": replies.frame["request_id"].to_numpy(object),
            "at": at,
            "rule": np.array(rules, dtype=object),
        }
    )
    found = []
    for model in replies.models:
        mine = frame[(replies.frame["model"] == model).to_numpy()]
        known = mine[mine["at"] >= 0]
        given = known[known["rule"] != ""]
        there = np.zeros(len(ids), bool)
        there[given["at"].to_numpy()] = True
        found.append(
            Attendance(
                model=model,
                asked=len(ids),
                lacking=int((~there).sum()),
                missing=tuple(ids[place] for place in np.flatnonzero(~there).tolist()),
                failed=len(known) - len(given),
                unknown=tuple(mine.loc[mine["at"] < 0, "id"]),
                rules=dict(sorted(Counter(given["rule"]).items())),
            )
        )
    return tuple(found)


def attendance_findings(
    found: Sequence[Attendance],
    file: str,
    hint: str = "ask for these as well and add the replies, or scores are over an incomplete set",
) -> Iterator[Finding]:
    """Say which models lack replies, or have some to no request: one finding for all of a kind."""
    lacking = [item for item in found if item.lacking]
    if lacking:
        yield warning("evaluate-missing", file, _listed(lacking, Attendance.lacks), hint)
    strange = [item for item in found if item.unknown]
    if strange:
        told = _listed(strange, Attendance.left_out)
        yield finding("evaluation", "evaluate-unknown-request", file, told=told)


def _listed(models: Sequence[Attendance], say: Callable[[Attendance], str]) -> str:
    """Models with what is to be said of them, those of which the same is said together."""
    found: dict[str, list[str]] = {}
    for item in models:
        found.setdefault(say(item), []).append(item.model)
    return "; ".join(f"{shortened(names)}: {what}" for what, names in found.items())


def refuse_incomplete(found: Sequence[Attendance], file: str) -> None:
    """Refuse models that have not replied to every request.

    Raises:
        CurateError: Naming them, and some of what each lacks.
    """
    lacking = [item for item in found if item.lacking]
    if lacking:
        what = _listed(lacking, Attendance.lacks)
        raise refusal("evaluation", "replies-incomplete", file, what=what)
