"""The time that rulings are signed with."""

import os
from datetime import UTC, datetime


def now() -> str:
    """Give the time in UTC, ISO 8601; that of SOURCE_DATE_EPOCH where it is set.

    The variable is the one that reproducible builds use, so that a rerun gives the same bytes.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
