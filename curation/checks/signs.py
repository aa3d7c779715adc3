"""How signs that cannot be seen are named."""

import re

_SHOWN = 3


def places(pattern: re.Pattern[str], text: str) -> str:
    """Name the signs that a pattern finds, as `U+0008 at position 3`; empty when none is found.

    Args:
        pattern: A pattern that matches one sign.
        text: The text; positions in it are counted from 1.
    """
    found = [
        f"U+{ord(match[0]):04X} at position {match.start() + 1}" for match in pattern.finditer(text)
    ]
    more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(found[:_SHOWN]) + more
