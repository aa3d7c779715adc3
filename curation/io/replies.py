"""`replies.jsonl`: what models replied to requests, one reply a line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.io.reply_blocks import read_blocks
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.reply import Reply

_NAMED = 5  # requests that a message names


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies of some files.

    Attributes:
        replies: One for each model and request, in the order in which they first came.
        duplicates: Replies left out because a later one to the same request counts.
        findings: What could not be read, and what stands twice.
    """

    replies: tuple[Reply, ...]
    duplicates: int
    findings: tuple[Finding, ...]

    @property
    def models(self) -> list[str]:
        """The models, in alphabetical order."""
        return sorted({item.model for item in self.replies})


@dataclass(frozen=True, slots=True)
class ReplyColumns:
    """The replies of some files in columns, for files of millions.

    Attributes:
        table: A `pyarrow.Table` with `request_id` as strings, and `model`, `reply` and `error`
            as dictionaries; one row for each model and request, in the order in which they
            first came. `reply` is null where the call failed, `error` where it did not.
        duplicates: Replies left out because a later one to the same request counts.
        findings: What could not be read, and what stands twice.
    """

    table: Any
    duplicates: int
    findings: tuple[Finding, ...]


def read_replies(paths: Sequence[Path]) -> Replies:
    """Read `{request_id, model, reply}` and whatever else is known; `reply` is null on failure.

    Of several replies of one model to one request the last one counts, for a run that is taken
    up again appends; a failure never takes the place of a reply.

    Raises:
        CurateError: If a file is not there, or no line of the files can be read.
    """
    columns = read_reply_columns(paths)
    lists = (columns.table.column(name).to_pylist() for name in ("request_id", "model", "reply"))
    replies = tuple(Reply(*row) for row in zip(*lists, strict=True))
    return Replies(replies, columns.duplicates, columns.findings)


def read_reply_columns(paths: Sequence[Path]) -> ReplyColumns:
    """Read replies as `read_replies` does, into columns.

    Args:
        paths: The files, which may be gzipped; one that is named twice is read once.

    Raises:
        CurateError: If a file is not there, or no line of the files can be read.
    """
    import pyarrow as pa

    tables: list[Any] = []
    findings: list[Finding] = []
    for path in dict.fromkeys(paths):
        for table, problems in read_blocks(path):
            tables.append(table)
            findings += problems
    table = pa.concat_tables(tables) if tables else None
    if table is None or not len(table):
        raise _nothing(paths, findings)
    for name in ("model", "reply", "error"):
        at = table.column_names.index(name)
        table = table.set_column(at, name, table.column(name).dictionary_encode())
    kept, doubled = _last_replies(table)
    findings += _doubled(paths, doubled)
    if kept is not None:
        table = table.take(pa.array(kept))
    return ReplyColumns(table, sum(item.left_out for item in doubled), tuple(findings))


@dataclass(frozen=True, slots=True)
class _Doubled:
    """A request with several replies of one model."""

    request_id: str
    model: str
    left_out: int
    differ: bool


def _last_replies(table: Any) -> tuple[Any, list[_Doubled]]:
    """Find the row that counts for each model and request.

    Returns:
        The rows in the order in which their requests first came, None where every row counts;
        and the requests that have several replies.
    """
    import numpy as np
    import pandas as pd

    rows = np.arange(len(table))
    requests = table.column("request_id").dictionary_encode().combine_chunks()
    models = table.column("model").combine_chunks().indices.to_numpy().astype(np.int64)
    keys = models * len(requests.dictionary) + requests.indices.to_numpy()
    groups, uniques = pd.factorize(keys)
    if len(uniques) == len(rows):
        return None, []
    replied = table.column("reply").is_valid().to_numpy()
    last = np.full(len(uniques), -1)
    last[groups] = rows  # of several rows of a group the last one stays
    last[groups[replied]] = rows[replied]
    counts = np.bincount(groups[replied], minlength=len(uniques))
    several = replied & (counts > 1)[groups]
    texts = table.column("reply").combine_chunks().indices.fill_null(-1).to_numpy()
    frame = pd.DataFrame({"group": groups[several], "text": texts[several]})
    differ = frame.groupby("group", sort=True)["text"].nunique() > 1
    places = _names(table, last[differ.index.to_numpy()])
    doubled = [
        _Doubled(request, model, int(counts[group]) - 1, bool(other))
        for (request, model), group, other in zip(
            places, differ.index.tolist(), differ.tolist(), strict=True
        )
    ]
    return last, doubled


def _names(table: Any, rows: Any) -> list[tuple[str, str]]:
    """Give request and model of some rows."""
    found = table.select(["request_id", "model"]).take(rows)
    columns = (found.column(name).to_pylist() for name in found.column_names)
    return list(zip(*columns, strict=True))


def _nothing(paths: Sequence[Path], findings: Sequence[Finding]) -> CurateError:
    first = f": {findings[0].message}" if findings else ""
    return CurateError(
        f"there is no reply in {', '.join(path.name for path in paths)}{first}",
        findings[0].where if findings else ", ".join(map(str, paths)),
        'each line must be {"request_id": ..., "model": ..., "reply": ...}',
    )


def _doubled(paths: Sequence[Path], doubled: Sequence[_Doubled]) -> Iterable[Finding]:
    if not doubled:
        return
    named = [f"{item.request_id} ({item.model})" for item in doubled]
    yield Finding(
        "replies-duplicate",
        Severity.WARNING,
        ", ".join(str(path) for path in paths),
        None,
        "",
        f"{sum(item.left_out for item in doubled)} replies to requests that have a later one are "
        f"left out, of {len(doubled)} requests, {sum(item.differ for item in doubled)} with "
        f"another text: {shortened(named)}",
        "the last reply counts; keep one line for each request and model",
    )


def shortened(names: Sequence[str]) -> str:
    """Name a few, and say that there are more."""
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
