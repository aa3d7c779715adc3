"""The time that rulings are signed with."""

import os
from datetime import UTC, datetime

from curation.model.errors import CurateError


def now() -> str:
    """Give the time in UTC, ISO 8601; that of SOURCE_DATE_EPOCH where it is set.

    The variable is the one that reproducible builds use, so that a rerun gives the same bytes.

    Raises:
        CurateError: If the variable holds no time.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        moment = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise CurateError(
            f"'{epoch}' is no time",
            "environment variable SOURCE_DATE_EPOCH",
            "write seconds since 1970 as a whole number, or unset it",
        ) from error
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
