"""First and second rule: thoughts are no part of a reply, and decoration says nothing."""

import json
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from curation.languages import Replies
from evaluation.parsing.phrases import apart

STATED_OPEN, STATED_CLOSE = "\ufdd0", "\ufdd1"
"""What a reply marks as its answer, in a box or a tag, stands between these two characters."""

_LONGEST_ARTICLE = 12  # characters, the space after it among them
_LONGEST_OBJECT = 20_000  # characters of a reply that is looked at as a JSON object
_SIGNS = {
    **dict.fromkeys(map(ord, "“”„‟«»"), '"'),
    **dict.fromkeys(map(ord, "‘’‚‛\u02bc′´"), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "।॥"), "."),
    **{ord("،"): ",", ord("؛"): ";", ord("؟"): "?"},
    # Marks of direction; what stretches a word of Arabic, and its vowels, which few write.
    **dict.fromkeys((0x200E, 0x200F, 0x61C, *range(0x202A, 0x202F), *range(0x2066, 0x206A))),
    **dict.fromkeys((0x640, *range(0x64B, 0x653))),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f\u00ad")),
    **dict.fromkeys((ord(STATED_OPEN), ord(STATED_CLOSE)), "\ufffd"),
    # Letters and figures in filled circles and squares, which Unicode takes for no letters.
    **{0x1F150 + at: chr(ord("A") + at) for at in range(26)},
    **{0x1F170 + at: chr(ord("A") + at) for at in range(26)},
    **{first + at: str(at + 1) for first in (0x2776, 0x2780, 0x278A) for at in range(10)},
}
_SMILES = re.compile(
    r"[\u2600-\u26ff\u2705\u2713\u2714\u2728\u2b50\U0001f300-\U0001f5ff"
    r"\U0001f600-\U0001f6aa\U0001f6ac-\U0001f6ff\U0001f900-\U0001f9ff\U0001fa70-\U0001faff]"
)
_CROSSES = re.compile(
    r"[\u2612\u26d4\u2715-\u2718\u274c\u274e\U0001f5d9\U0001f6ab\U0001f44e\U0001f615\U0001f645"
    r"\U0001f914\U0001f937]"
)
"""What says that something is wrong or doubted: beside it a tick is no decoration."""
_MARKED = rf"{STATED_OPEN}\1{STATED_CLOSE}"
_DECORATED = re.compile(r"[*_`~<{$\\]")
# No pattern begins at every place of what it may run over: replies may be long, and all blanks.
_FENCE = re.compile(r"^[^\S\n]*(?:```|~~~)\w*[^\S\n]*$", re.MULTILINE)
_LATEX = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit)\s*\{([^{}]*)\}")
_BOXED = re.compile(r"(?<![$\s])[$\s]*\\boxed\s*\{([^{}]*)\}\s*\$*")
_MATHS = re.compile(r"\\\(([^\\]*)\\\)|(?<![\w$])\$([^$\s]{1,3})\$(?![\w$])")
_ANSWER = re.compile(r"<(answer|choice|final_answer)>([^<>]{0,1000})</\1>", re.IGNORECASE)
_HTML = re.compile(r"<(b|i|u|em|strong|p|code|span)>([^<>]*)</\1>", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*\*|__|`")
_ITALIC = re.compile(r"(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])|(?<!\w)_([^_\s][^_\n]*)_(?!\w)")
_BULLET = re.compile(r"^(?:(?:[-*•·+>]|#{1,6}|=>|->|[✅✔☑👉➡→▶⇒🔹])\s*)+", re.MULTILINE)
_TITLE = re.compile("^[^\\S\n]*\u3010([^\u3010\u3011\n]{2,12})\u3011[^\\S\n]*", re.MULTILINE)
"""A heading in brackets of East Asia."""
_ARROW = re.compile(r"(?<=[.!?\u3002]) ?(?:[=-]>|[\u2190\u2192\u21d2\u27a1]) ?(?=[^\n]{1,80}\Z)")
"""Before what ends a reply after a sentence of its own: 'The text does not say it. \u2192 C'."""

# In Turkish a capital I has no dot, and a dotted one is no I to others.
_DOTLESS, _DOTTED = "\u0131", "i\u0307"


def folded(text: str) -> str:
    """A text without case, in Turkish too."""
    return text.casefold().replace(_DOTTED, "i").replace(_DOTLESS, "i")


class Normal:
    """Takes off what decorates a reply, and gives texts the keys by which they are looked up.

    Attributes:
        letter_articles: Articles that are a letter: `a` is a choice or the beginning of one.
        key: What two texts share that are the same except for case, final stops and the like, and
            for white space in a language that sets it in many ways.
    """

    def __init__(self, packs: Sequence[Replies]) -> None:
        self._answer_keys = {key for pack in packs for key in pack.answer_keys}
        articles = {article for pack in packs for article in pack.articles}
        loose = "|".join(sorted(re.escape(item) for item in articles if item[-1] != "-"))
        tied = "|".join(sorted(re.escape(item[:-1]) for item in articles if item[-1] == "-"))
        opens = apart(packs, "expletives", " ")
        self._article = re.compile(
            rf"(?:{opens})?(?:(?:{loose or '(?!)'}) +|(?:{tied or '(?!)'}))(?=\S)|{opens}(?=\S)"
        )
        self._article_before = re.compile(
            rf"(?<!\w)(?:(?:{loose or '(?!)'}) +|(?:{tied or '(?!)'}))\Z"
        )
        fronts = {front for pack in packs for front in pack.prefixes}
        self._front = re.compile(
            rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(fronts))) or '(?!)'})\Z"
        )
        self.letter_articles = {article for article in articles if len(article) == 1}
        unspaced = "".join(pack.letters for pack in packs if pack.spaces != "words")
        self._unspaced = re.compile(f"[{unspaced}]" if unspaced else "(?!)")
        self.key = lru_cache(maxsize=1 << 16)(self._key)
        self.spaced_key = lru_cache(maxsize=1 << 16)(self._spaced_key)

    def normalised(self, text: str) -> str:
        """Take off what only decorates a text.

        Letters become those of ASCII where they have such a form (full width, in a circle, bold);
        quotation marks, hyphens and white space become one kind of each; bold and italic type,
        headings, bullets, code fences and blank lines go. Boxes and tags of answers become
        `STATED_OPEN`, `STATED_CLOSE`.
        """
        if text.isascii() and text.isalnum():
            return text
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
            if _SMILES.search(text) and not _CROSSES.search(text):
                plain = _SMILES.sub(" ", text)
                text = plain if any(map(str.isalnum, plain)) else text
        if "\u3010" in text:
            text = _TITLE.sub(r"\1: ", text)
        if _DECORATED.search(text):
            text = _boxes(self._object(_FENCE.sub("", text)))
            text = _EMPHASIS.sub("", _HTML.sub(r" \2 ", text))
            text = _ITALIC.sub(_inner, text)
        if text.isprintable():  # one line
            line = " ".join(text.split())
            line = line if line[:1].isalnum() else _BULLET.sub("", line)
            return _ARROW.sub("\n", line)
        lines = (" ".join(line.split()) for line in text.splitlines())
        lines = (line if line[:1].isalnum() else _BULLET.sub("", line) for line in lines)
        return _ARROW.sub("\n", "\n".join(line for line in lines if line))

    def _object(self, text: str) -> str:
        """The answers of a reply that is a JSON object with some: a letter, a text or both."""
        text = text.strip()
        if not (text.startswith("{") and text.endswith("}")) or len(text) > _LONGEST_OBJECT:
            return text
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return text
        if not isinstance(value, dict):
            return text
        answers = [answer for key, answer in value.items() if key.casefold() in self._answer_keys]
        if not answers or any(
            isinstance(answer, bool) or not isinstance(answer, str | int) for answer in answers
        ):
            return text
        return "\n".join(f"{STATED_OPEN}{answer}{STATED_CLOSE}" for answer in answers)

    def _spaced_key(self, text: str) -> str:
        return folded(unmarked(self.normalised(text)).replace("\n", " ")).strip(" .!。")

    def _key(self, text: str) -> str:
        key = self.spaced_key(text)
        return key.replace(" ", "") if self._unspaced.search(key) else key

    def shown(self, text: str) -> str:
        """A text as it stands in a sentence in small letters."""
        return lower(unmarked(self.normalised(text)).replace("\n", " ")).strip(" .!\u3002")

    def unspaced(self, text: str) -> bool:
        """Say whether a text is of a script that parts no words by spaces."""
        return self._unspaced.match(text) is not None

    def without_article(self, key: str) -> str:
        """Take the article off a key."""
        return self._article.sub("", key, count=1) if self._article.match(key) else key

    def article_before(self, text: str, end: int) -> int:
        """Where the article begins that stands before a place; the place where there is none."""
        first = max(0, end - _LONGEST_ARTICLE)
        match = self._article_before.search(text[first:end])
        return first + match.start() if match else end

    def begins_word(self, text: str, at: int) -> bool:
        """Say whether a word begins at a place, or what is written together with one before it."""
        before = text[max(0, at - _LONGEST_ARTICLE) : at]
        return not before[-1:].isalnum() or self._front.search(before) is not None

    def has_article(self, key: str) -> bool:
        """Say whether a key begins with an article."""
        return self._article.match(key) is not None


def _boxes(text: str) -> str:
    if "\\" in text or "$" in text:
        text = _MATHS.sub(_inner, _BOXED.sub(_MARKED, _LATEX.sub(r"\1", text)))
    if "<" in text:
        text = _ANSWER.sub(rf"{STATED_OPEN}\2{STATED_CLOSE}", text)
    return text


def _inner(match: re.Match[str]) -> str:
    inner = next(group for group in match.groups() if group is not None).strip()
    return match[0] if "\n" in inner else inner


def unmarked(text: str) -> str:
    """Take off the marks of stated answers."""
    return text.replace(STATED_OPEN, "").replace(STATED_CLOSE, "")


def lower(text: str) -> str:
    """A text in lower case, each character at its place."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(
        character.lower() if len(character.lower()) == 1 else character for character in text
    )


_SIGN = re.compile(r"[<\[◁]|\A\s*(?:analysis|[Aa]ssistant)|ASSISTANT")
_NAMES = r"(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|reason|analysis|scratchpad|reflection)"
_OPENING = rf"<{_NAMES}(?:\s[^<>]*)?>|\[THINK\]|◁think▷|<\|begin_of_thought\|>"
_CLOSING = rf"</{_NAMES}\s*>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>"
_TAG = re.compile(rf"(?P<opening>{_OPENING})|(?P<closing>{_CLOSING})", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w++)[^<]*+<\|message\|>")
_BARE_CHANNEL = re.compile(r"\A\s*analysis.*assistant\s*final", re.DOTALL)
_END_OF_TURN = re.compile(
    r"<\|(?:im_end|eot_id|endoftext|end|return|end_of_solution)\|>|</s>|<end_of_turn>"
    r"|\[\|endofturn\|\]"
)
_TOKEN = re.compile(
    r"<\|[\w ]{1,40}\|>|\[\|\w{1,40}\|\]|<s>|<start_of_turn>(?:model)?|\[/?INST\]"
    r"|\A\s*(?i:assistant) *(?::|\n)"
)


def without_thoughts(reply: str) -> str | None:
    """Take off blocks of thoughts, and the characters by which turns and channels are told apart.

    A block is `<think>`, `<thinking>`, `<reasoning>` and the like up to where it is closed;
    one that is closed and never opened (the prompt held its opening) begins with the reply.
    What follows the end of the model's turn is not its reply.

    Returns:
        The reply; None where it ends within its thoughts, cut off by a limit on its length.
    """
    if not _SIGN.search(reply):
        return reply
    final = _final_channel(reply)
    if final is None:
        return None
    kept: list[str] = []
    at, inside = 0, False
    for tag in _TAG.finditer(final):
        opens = tag.lastgroup == "opening"
        if not inside:
            kept.append(final[at : tag.start()])
            if not opens:
                kept.clear()
        inside, at = opens, tag.end()
    if inside:
        return None
    kept.append(final[at:])
    # A thought in the middle parts what stands around it.
    return _TOKEN.sub(" ", _END_OF_TURN.split("\n".join(kept).lstrip(), maxsplit=1)[0])


def parted(reply: str) -> tuple[str, str | None]:
    """Part a reply from the blocks of thoughts before, in and after it.

    Returns:
        The thoughts, empty where there are none, and the reply; None where it ends within its
        thoughts. What marks turns and channels stays where it is, for `without_thoughts`.
    """
    if not _SIGN.search(reply):
        return "", reply
    if without_thoughts(reply) is None:
        return _TAG.sub("", reply).strip(), None
    thoughts: list[str] = []
    kept: list[str] = []
    at, inside = 0, False
    for tag in _TAG.finditer(reply):
        part = reply[at : tag.start()]
        if inside:
            thoughts.append(part)
        else:
            kept.append(part)
            if tag.lastgroup != "opening":
                thoughts += kept
                kept.clear()
        inside, at = tag.lastgroup == "opening", tag.end()
    if not at:
        return "", reply
    kept.append(reply[at:])
    found = (part.strip() for part in thoughts)
    return "\n".join(part for part in found if part), "\n".join(kept).lstrip()


def _final_channel(reply: str) -> str | None:
    """The last final channel; the reply where it has no channels, None where none is final."""
    channels = list(_CHANNEL.finditer(reply))
    if channels:
        finals = [channel for channel in channels if channel[1] == "final"]
        return reply[finals[-1].end() :] if finals else None
    bare = _BARE_CHANNEL.match(reply)
    return reply[bare.end() :] if bare else reply
