"""How a letter or a text may end in a reply and be the same still."""

import re
from collections.abc import Iterator

_STOPS = " .!。"
_PAIRS = {'"': '"', "'": "'", "(": ")", "[": "]", "{": "}", "<": ">"}
_PAIRS |= {"「": "」", "『": "』", "【": "】", "《": "》", "〈": "〉", "〔": "〕"}
_QUOTES = "\"'"

_IS = (
    "입니다|이다|다|이에요|예요|에요|이예요|임|이야|야|이요|요|이죠|죠|이지요|지요|이네요|네요"
    "|이었습니다|였습니다|이었다|였다|이었어요|였어요|이겠습니다|겠습니다"
)
_END = "(?:합니다|해요|한다|함|하겠습니다|할게요|했습니다|했다|했어요|됩니다|된다|됨|돼요)"
_SAID = (
    f"이?라고 (?:생각{_END}|판단{_END}|답{_END}|대답{_END}|응답{_END}|봅니다|본다|봐요"
    "|할 수 있(?:습니다|다|어요|음)|볼 수 있(?:습니다|다|어요|음)|말할 수 있(?:습니다|다|어요|음))"
)
_FITTING = "(?:맞는|알맞은|적절한|적합한|올바른|옳은)"
_RIGHT = (
    f"[이가] (?:가장 |더 )?(?:맞(?:습니다|다|아요|음)|옳(?:습니다|다|아요|음)"
    f"|알맞(?:습니다|다|아요|음)|적절{_END}|적절하다|적합{_END}|적합하다|올바르다|올바릅니다"
    f"|(?:{_FITTING} )?(?:정답|답변|답|선택|보기)(?:{_IS}))"
)
_CHOSEN = (
    f"[을를] (?:(?:정답으로|답으로) )?(?:선택{_END}|택{_END}|골랐습니다|고릅니다|고르겠습니다"
    "|고를게요|고른다|고름)|으?로 (?:답하겠습니다|답합니다|하겠습니다|선택하겠습니다)"
)
_THAT = f"(?<=다)고 (?:생각{_END}|판단{_END}|봅니다|본다)"
_PARTICLES = "께서|[이가은는을를]"


def _ending(*parts: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Give two patterns: that of the shortest stem, and that of the longest."""
    body = "|".join(parts).replace(" ", " ?")
    return tuple(re.compile(f"(.+{lazy}) ?(?:{body})$", re.DOTALL) for lazy in ("?", ""))  # type: ignore[return-value]


_POLITE = _ending(_IS, _SAID, _RIGHT, _CHOSEN, _THAT)
_ATTACHED = _ending(_PARTICLES)

_STEMS = (
    (re.compile("(없|있|않|같|싫|좋)(?:습니다|다|는다|어요|아요|네요|음|지요|죠)$"), r"\1음"),
    (re.compile("(?:아닙니다|아니다|아니에요|아니예요|아녜요|아님)$"), "아님"),
    (re.compile("(?:모릅니다|모른다|몰라요|모름)$"), "모름"),
    (re.compile("(?:불가능(?:합니다|하다|해요|함)?)$"), "불가능"),
)


def bare(text: str) -> Iterator[str]:
    """Yield a text, and what it is without final stops and the quotes or brackets around it."""
    while text:
        yield text
        shorter = text.strip(" ").rstrip(_STOPS)
        if shorter == text and _PAIRS.get(text[0]) == text[-1] and len(text) > 1:
            shorter = text[1:-1]
        if shorter == text and (text[0] in _QUOTES) != (text[-1] in _QUOTES):
            shorter = text.strip(_QUOTES)  # the other one was forgotten or cut off
        if shorter == text:
            return
        text = shorter


def _ends_in_korean(text: str) -> bool:
    return "가" <= text[-1:] <= "힣"


def without_ending(text: str, *, particles: bool) -> list[str]:
    """Take a polite Korean ending, or the words of 'is right' or 'I choose', off a text.

    What is left is one text or two, for `고양이다` may be `고양` or `고양이`.

    Args:
        text: The text.
        particles: Whether a particle alone may end it. After a letter it may not: `B는` is how
            'B is not it' begins.
    """
    if not _ends_in_korean(text):
        return []
    patterns = (*_POLITE, *_ATTACHED) if particles else _POLITE
    found = (pattern.match(text) for pattern in patterns)
    return list(dict.fromkeys(match[1] for match in found if match))


def verb_stem(key: str) -> str:
    """Give what a key has in common with all that `noun_ending` makes equal to it."""
    for pattern, _ in _STEMS if _ends_in_korean(key) else ():
        match = pattern.search(key)
        if match:
            return key[: match.start()]
    return key


def noun_ending(key: str) -> str:
    """Give a Korean key that ends in a verb the ending of a noun: `없습니다`, `없다` as `없음`."""
    for pattern, noun in _STEMS if _ends_in_korean(key) else ():
        found, changed = pattern.subn(noun, key)
        if changed:
            return found
    return key
