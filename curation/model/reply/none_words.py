"""Fifth rule: a word that means none of the choices, where one of them stands for that."""

import re

_NONE_WORDS = re.compile(
    r"(?:none(?: of (?:them|these|the above|the(?:se)? groups|the(?:se)? options))?"
    r"|neither(?: of (?:them|these|the two|the groups)| group)?|no group"
    r"|해당\s?(?:사항|집단)?\s?없음|(?:아무도|둘 다)?\s?없(?:음|다|습니다|어요)"
    r"|둘 다 (?:아님|아니다|아닙니다))",
    re.IGNORECASE,
)


def means_none(text: str) -> bool:
    """Say whether a text is nothing but such a word."""
    return _NONE_WORDS.fullmatch(text) is not None
