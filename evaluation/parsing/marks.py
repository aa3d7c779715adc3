"""What is no part of a reply's words: markup of text, formulas and objects, and signs."""

import re
import unicodedata
from collections.abc import Callable

OPENED, CLOSED = "\ue800", "\ue801"
"""Around what a box, a tag or an object holds as the answer."""
ARROW, CROSS = "\u21d2", "\u2297"
"""An arrow or a tick, which points at an answer, and a cross, which strikes one out."""

_SIGNED: dict[str, str | None] = {
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4\uff07", "'"),
    **dict.fromkeys('"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a', None),
    **dict.fromkeys("\u300c\u300d\u300e\u300f\u300a\u300b\u3008\u3009", None),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2192\u21d2\u27a1\u279c\u2794\u2705\u2714\u2611\U0001f449", ARROW),
    **dict.fromkeys("\u274c\u2716\u2717\u2718\u2715\U0001f6ab", CROSS),
    **dict.fromkeys("\u3010\u3014", "["),
    **dict.fromkeys("\u3011\u3015", "]"),
    **dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufe0f\u00ad", None),
    **dict.fromkeys("\u00a0\u3000\u202f", " "),
    **dict.fromkeys("\u0589\u0964\u0965\u06d4\u104b\u1362\u17d4\uff61", "\u3002"),
    "\u060c": ",",
    "\u061b": ";",
    "\u061f": "?",
    "\u2026": "...",
    "\u0130": "I",
}
_SIGN = re.compile(f"[{''.join(_SIGNED)}]")
_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff]")
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|p|span|div|mark|code|li|ul|ol|h\d|td|tr)\b[^<>\n]*>", re.I
)
_BREAK = re.compile(r"<br ?/?>", re.I)
_ANSWER = re.compile(r"<((?:final_?)?(?:answer|choice|ans))>([^<]*)</\1>", re.I)
_LATEX = re.compile(r"\\(?:text|textbf|mathbf|mathrm|mathsf|textit|operatorname)\s*\{([^{}]*)\}")
_BOX = re.compile(r"\\f?boxed\s*\{((?:[^{}\n]|\{[^{}\n]*\}){0,300})\}")
_MATHS = re.compile(r"\\[()\[\]]|\$+|\\[,;! ]")
_FIELD = re.compile(
    r"(?<![\w\"])[\"']?([\w \-]{1,30})[\"']\s*:\s*"
    r"(?:\"([^\"\n]{0,300})\"|'([^'\n]{0,300})'|(\w{1,8}))"
)
_SMALL = re.compile(
    r"(?<!\*)\*{1,3}([a-z])\*{1,3}(?!\*)"
)  # a small letter is known as a label by signs
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.M)
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_UNDERLINE = re.compile(r"_+(?!\w)|(?<!\w)_+")
_LINE = re.compile(
    r"^[ \t]*(?:(?:[-+\u2022\u00b7\u25aa\u25e6\u25cf\u25cb>#|=]+)[ \t]+|[-#>|=]+)*", re.M
)
_QUOTE = re.compile(r"'(?:(?!\w)|(?<!\w'))")
_BLANK = re.compile(r"(?:[\t\r\f\v|]| [ \t\r\f\v|])[ \t\r\f\v|]*")
_LINES = re.compile(r"\n[ \n]+")


def plain(text: str, is_answer: Callable[[str], bool] = lambda _key: False) -> str:
    """A text without what only decorates it.

    Letters become those of ASCII where they have such a form (full width, in a circle, bold);
    quotation marks, emphasis, headings, bullets, code fences and blank lines go. What a box, a
    tag or a field of an object holds as the answer stands between `OPENED` and `CLOSED`.

    Args:
        text: The text.
        is_answer: Says of the name of an object's field whether it holds an answer.
    """
    if text.isascii() and text.isalnum():
        return text
    if "```" in text:
        text = _FENCE.sub("", text)
    if "{" in text:
        text = _boxed(text, is_answer)
    if not text.isascii():
        text = _SIGN.sub(_sign, text)
        normal = unicodedata.normalize("NFKC", text)
        text = _PICTURES.sub(" ", normal if normal == text else _SIGN.sub(_sign, normal))
    elif '"' in text:
        text = text.replace('"', "")
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", _ANSWER.sub(rf"{OPENED}\2{CLOSED}", text)))
    if "->" in text or "=>" in text:
        text = text.replace("->", ARROW).replace("=>", ARROW)
    if "~" in text:
        text = _STRUCK.sub(f" {CROSS} ", text).replace("~", "")
    if "*" in text:
        text = _SMALL.sub(r"(\1)", text).replace("*", "")
    text = text.replace("`", "")
    if "_" in text:
        text = _UNDERLINE.sub("", text)
    if "'" in text:
        text = _QUOTE.sub("", text)
    return _LINES.sub("\n", _BLANK.sub(" ", _LINE.sub("", text)).replace(" \n", "\n")).strip()


def _sign(match: re.Match[str]) -> str:
    return _SIGNED.get(match[0]) or ""


def _boxed(text: str, is_answer: Callable[[str], bool]) -> str:
    if "\\" in text or "$" in text:
        text = _BOX.sub(rf"{OPENED}\1{CLOSED}", _LATEX.sub(r"\1", text))
        text = _MATHS.sub("", text)

    def field(match: re.Match[str]) -> str:
        if not is_answer(match[1]):
            return match[0]
        return f"{OPENED}{match[2] or match[3] or match[4] or ''}{CLOSED}"

    return _FIELD.sub(field, text)


def lower(text: str) -> str:
    """A text in lower case, each character at its place; a dotless i is an i, as in capitals."""
    low = text.lower().replace("\u0131", "i")
    if len(low) == len(text):
        return low
    kept = (one.lower() if len(one.lower()) == 1 else one for one in text)
    return "".join(kept).replace("\u0131", "i")
