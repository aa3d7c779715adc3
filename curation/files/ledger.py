"""The append-only ledger of decisions, `decisions.csv`, and `targets.csv`."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from curation.files.codec import Codec
from curation.records.errors import CurateError
from curation.records.survey import Decision, TargetRow

DECISIONS = Codec(
    Decision, "only the toolkit writes the ledger: undo the edit", exact=True, escaped=True
)
"""The table `decisions.csv`."""
TARGETS = Codec(TargetRow, "make the file again with 'curate filter'", escaped=True)
"""The table `targets.csv`."""


def followed(decisions: Iterable[Decision], renamed: Mapping[str, str]) -> list[Decision]:
    """Put decisions on templates that have another id by now to that id, in the same order.

    Args:
        decisions: The ledger, or a part of it.
        renamed: By former id of a template, the one that it has now.
    """
    return [
        replace(item, subject=renamed[item.subject]) if item.subject in renamed else item
        for item in decisions
    ]


def now() -> str:
    """The time in UTC, ISO 8601; that of SOURCE_DATE_EPOCH where it is set.

    The variable is the one that reproducible builds use, so that a rerun gives the same bytes.

    Raises:
        CurateError: If the variable holds no time.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        moment = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise CurateError(
            f"'{epoch}' is not a time",
            "environment variable SOURCE_DATE_EPOCH",
            "write seconds since 1970 as a whole number, or unset it",
        ) from error
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
