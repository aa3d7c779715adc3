"""Replies of models in bulk: a million lines into compact columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from curation.io.replies import read_reply_columns
from curation.model.findings import Finding


@dataclass(frozen=True, slots=True)
class ReplyTable:
    """The replies of some files.

    Attributes:
        frame: One row for each model and request, in the order in which they first came:
            `request_id` (text), and as categories, which hold each text once, `model`, `reply`
            (missing where the call failed) and `error` (the kind of a failure, missing where
            there is a reply).
        duplicates: Replies left out because a later one to the same request counts.
        findings: What could not be read, and what stands twice; errors among them name lines
            that hold a reply that is in no column.
    """

    frame: pd.DataFrame
    duplicates: int
    findings: tuple[Finding, ...]

    @property
    def models(self) -> list[str]:
        """The models, in alphabetical order."""
        return sorted(self.frame["model"].cat.categories)

    @property
    def failed(self) -> dict[str, int]:
        """How many calls failed, by kind of error, in alphabetical order."""
        counts = self.frame["error"].value_counts()
        return {str(kind): int(count) for kind, count in sorted(counts.items())}


def load_replies(paths: Sequence[Path]) -> ReplyTable:
    """Read `{request_id, model, reply}` a line; other keys are passed over.

    The rules are those of `curation.io.replies.read_replies`: of several replies of one model to
    one request the last one counts, a failure never takes the place of a reply, a torn last line
    is a warning, any other line that is no reply an error with its number.

    Args:
        paths: Files of JSON lines, gzipped or not; one that is named twice is read once.

    Raises:
        CurateError: If a file is not there, or no line of the files can be read.
    """
    columns = read_reply_columns(paths)
    return ReplyTable(columns.table.to_pandas(), columns.duplicates, columns.findings)
