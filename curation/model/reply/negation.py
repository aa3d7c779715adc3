"""Eighth rule: a reply that says what it is not names no choice."""

import re

_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|except|wrong|incorrect|false)\b|n't\b"
    r"|아니|아닌|아닙|아님|아닐|아녜|않|못|제외|틀린|틀렸|틀립|잘못|말고"
)


def negates(text: str) -> bool:
    """Say whether a text in lower case negates anything."""
    return _NEGATION.search(text) is not None
