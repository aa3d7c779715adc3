"""`replies.jsonl`: what models replied to requests, one reply a line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.io.jsonl import Line, line_problem, read_objects
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


def read_replies(paths: Sequence[Path]) -> Replies:
    """Read `{request_id, model, reply}` and whatever else is known; `reply` is null on failure.

    Of several replies of one model to one request the last one counts, for a run that is taken
    up again appends; a failure never takes the place of a reply.

    Raises:
        CurateError: If a file is not there, or no line of the files can be read.
    """
    found: dict[tuple[str, str], Reply] = {}
    doubled: dict[tuple[str, str], bool] = {}
    findings: list[Finding] = []
    duplicates = 0
    for path in dict.fromkeys(paths):
        lines = read_objects(path)
        findings += lines.problems
        for line in lines.objects:
            try:
                reply = _reply(line)
            except ValueError as error:
                findings.append(line_problem(lines.file, line.number, str(error)))
                continue
            key = reply.model, reply.request_id
            known = found.get(key)
            if known is None or known.reply is None:
                found[key] = reply
            elif reply.reply is not None:
                duplicates += 1
                doubled[key] = doubled.get(key, False) or known.reply != reply.reply
                found[key] = reply
    if not found:
        raise _nothing(paths, findings)
    findings += _doubled(paths, doubled, duplicates)
    return Replies(tuple(found.values()), duplicates, tuple(findings))


def _reply(line: Line) -> Reply:
    reply = line.value.get("reply")
    if reply is not None and not isinstance(reply, str):
        raise ValueError("its 'reply' is neither text nor null")
    if "reply" not in line.value and "error" not in line.value:
        raise ValueError("it has no 'reply'")
    return Reply(line.text("request_id"), line.text("model"), reply)


def _nothing(paths: Sequence[Path], findings: Sequence[Finding]) -> CurateError:
    first = f": {findings[0].message}" if findings else ""
    return CurateError(
        f"there is no reply in {', '.join(path.name for path in paths)}{first}",
        findings[0].where if findings else str(paths[0]),
        'each line must be {"request_id": ..., "model": ..., "reply": ...}',
    )


def _doubled(
    paths: Sequence[Path], doubled: dict[tuple[str, str], bool], duplicates: int
) -> Iterable[Finding]:
    if not doubled:
        return
    named = [f"{request} ({model})" for model, request in doubled]
    yield Finding(
        "replies-duplicate",
        Severity.WARNING,
        ", ".join(str(path) for path in paths),
        None,
        "",
        f"{duplicates} replies to requests that have a later one are left out, of "
        f"{len(doubled)} requests, {sum(doubled.values())} with another text: {shortened(named)}",
        "the last reply counts; keep one line for each request and model",
    )


def shortened(names: Sequence[str]) -> str:
    """Name a few, and say that there are more."""
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
