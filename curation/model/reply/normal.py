"""Second rule: what only decorates a reply says nothing."""

import json
import re
import unicodedata
from functools import lru_cache

STATED_OPEN, STATED_CLOSE = "\ufdd0", "\ufdd1"
"""What a reply marks as its answer, in a box or a tag, stands between these two signs."""

_LONGEST_OBJECT = 20_000  # signs of a reply that is looked at as a JSON object
_SIGNS = {
    **dict.fromkeys(map(ord, "“”„‟«»"), '"'),
    **dict.fromkeys(map(ord, "‘’‚‛ʼ′´"), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f\u00ad")),
    **dict.fromkeys((ord(STATED_OPEN), ord(STATED_CLOSE)), "\ufffd"),
    # Letters and figures in filled circles and squares, which Unicode takes for no letters.
    **{0x1F150 + at: chr(ord("A") + at) for at in range(26)},
    **{0x1F170 + at: chr(ord("A") + at) for at in range(26)},
    **{first + at: str(at + 1) for first in (0x2776, 0x2780, 0x278A) for at in range(10)},
}
_MARKED = rf"{STATED_OPEN}\1{STATED_CLOSE}"
_DECORATED = re.compile(r"[*_`~<{$\\]")
_FENCE = re.compile(r"^\s*(?:```|~~~)\w*\s*$", re.MULTILINE)
_LATEX = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit)\s*\{([^{}]*)\}")
_BOXED = re.compile(r"\$*\s*\\boxed\s*\{([^{}]*)\}\s*\$*")
_MATHS = re.compile(r"\\\(\s*([^\\\n]*?)\s*\\\)|(?<![\w$])\$([^$\s]{1,3})\$(?![\w$])")
_ANSWER = re.compile(r"<(answer|choice|final_answer)>([^<>]{0,1000})</\1>", re.IGNORECASE)
_HTML = re.compile(r"<(b|i|u|em|strong|p|code|span)>([^<>]*)</\1>", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*\*|__|`")
_ITALIC = re.compile(r"(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])|(?<!\w)_([^_\s][^_\n]*)_(?!\w)")
_BULLET = re.compile(r"^(?:(?:[-*•·+>]|#{1,6}|=>|->|[✅✔☑👉➡→▶⇒🔹])\s*)+", re.MULTILINE)
_KEYS = frozenset(
    ("answer", "final_answer", "finalanswer", "choice", "correct_answer", "정답", "답", "답변")
)


def normalised(text: str) -> str:
    """Take off what only decorates a text.

    Letters become those of ASCII where they have such a form (`Ａ`, `Ⓐ`, `𝐀`); quotation marks,
    hyphens and white space become one kind of each; bold and italic type, headings, bullets,
    code fences and blank lines go. Boxes and tags of answers become `STATED_OPEN`,
    `STATED_CLOSE`.
    """
    if text.isascii() and text.isalnum():
        return text
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    if _DECORATED.search(text):
        text = _boxes(_object(_FENCE.sub("", text)))
        text = _EMPHASIS.sub("", _HTML.sub(r" \2 ", text))
        text = _ITALIC.sub(_inner, text)
    lines = (" ".join(line.split()) for line in text.splitlines())
    lines = (line if line[:1].isalnum() else _BULLET.sub("", line) for line in lines)
    return "\n".join(line for line in lines if line)


def _boxes(text: str) -> str:
    if "\\" in text or "$" in text:
        text = _MATHS.sub(_inner, _BOXED.sub(_MARKED, _LATEX.sub(r"\1", text)))
    if "<" in text:
        text = _ANSWER.sub(rf"{STATED_OPEN}\2{STATED_CLOSE}", text)
    return text


def _inner(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None)


def _object(text: str) -> str:
    """Give the answer of a reply that is a JSON object with one."""
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}")) or len(text) > _LONGEST_OBJECT:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(value, dict):
        return text
    answers = [answer for key, answer in value.items() if key.casefold() in _KEYS]
    if len(answers) != 1 or isinstance(answers[0], bool) or not isinstance(answers[0], str | int):
        return text
    return f"{STATED_OPEN}{answers[0]}{STATED_CLOSE}"


def unmarked(text: str) -> str:
    """Take off the marks of stated answers."""
    return text.replace(STATED_OPEN, "").replace(STATED_CLOSE, "")


_KOREAN = re.compile("[가-힣]")
_ARTICLE = re.compile(r"(?:the|an?) +(?=\S)")


@lru_cache(maxsize=1 << 16)
def text_key(text: str) -> str:
    """Give what two texts share that are the same but for case, final stops and the like.

    In Korean also white space, which is set in many ways.
    """
    key = unmarked(normalised(text)).replace("\n", " ").casefold().strip(" .!。")
    return key.replace(" ", "") if _KOREAN.search(key) else key


def without_article(key: str) -> str:
    """Take the English article off a key."""
    return _ARTICLE.sub("", key, count=1) if _ARTICLE.match(key) else key
