"""Phrases of a language's lists as patterns: what may be missing, what is one of several.

`(x)` may be missing, `[x|y]` is one of several, `*` is any word, `_` is a space or none, `<x>`
stands before and is no part of it, ` ... ` is anything within the sentence, and `{name}` is what
the language's `parts` hold under the name. A language without spaces between words, or with
endings, finds its phrases anywhere; one with words of their own as words, or as parts of one
where a `-` stands at an end.
"""

import re
from collections.abc import Iterable, Sequence

from curation.languages import Replies

_TOKEN = re.compile(r" \.\.\. |\{(\w+)\}|[()\[\]|*_<>]")
_SIGNS = {
    **{"(": "(?:", ")": ")?", "[": "(?:", "]": ")", "|": "|", "_": " {0,3}"},
    **{"<": "(?<=", ">": ")", " ... ": r"\b[^.!?\n]{0,40}\b"},
}
_NOWHERE = "(?!)"
_LONGEST_WORD = 40  # letters of a word that may be any: a reply may be one endless word
WORD = re.compile(r"[^\W\d_]+")
"""A word of letters alone."""
_LISTS = (
    *("articles", "choice_names", "counters", "joining", "joining_endings", "none", "endings"),
    *("particles", "statements", "after_statements", "headings", "bare_headings", "choosing"),
    *("before_statements", "connecting", "thinking", "it_is", "after_items", "explaining"),
    *("reasons", "first_reasons", "clauses", "reported", "negation", "hedges", "conditions"),
    *("unsure", "doubts", "conceded", "answer_keys", "turning", "rereading", "denials"),
    *("sources", "expletives", "undecided", "unknown", "whereas", "first_thoughts"),
    *("courtesies", "conclusions", "linking", "pronouns"),
)
_PLACE = re.compile(r"\{\w+\}")


def words_of(pack: Replies) -> set[str]:
    """Every word of a language's phrases; one that may be part of a longer one too."""
    phrases = [phrase for name in _LISTS for phrase in getattr(pack, name)]
    text = "\n".join((*(_PLACE.sub(" ", phrase) for phrase in phrases), *pack.parts.values()))
    return set(WORD.findall(text))


def one_of(packs: Sequence[Replies], name: str) -> str:
    """A pattern of all phrases of a list, wherever they stand."""
    return _joined(as_pattern(phrase, pack) for pack in packs for phrase in getattr(pack, name))


def as_words(packs: Sequence[Replies], name: str) -> str:
    """A pattern of all phrases of a list, as words where the language tells words apart."""
    return _joined(part for pack in packs for part in _bounded(getattr(pack, name), pack))


def apart(packs: Sequence[Replies], name: str, space: str) -> str:
    """A pattern of all phrases of a list, each with the space that its language needs after it.

    Args:
        packs: The languages.
        name: The list.
        space: A pattern of what stands after a phrase, without how often.
    """
    spaced = one_of([pack for pack in packs if pack.spaces != "none"], name)
    unspaced = one_of([pack for pack in packs if pack.spaces == "none"], name)
    return rf"(?:(?:{spaced}){space}+|(?:{unspaced}){space}*)"


def begun(pack: Replies, name: str) -> str:
    """A pattern of the phrases of one language, none of which begins within a word."""
    phrases = _joined(as_pattern(phrase, pack) for phrase in getattr(pack, name))
    if pack.spaces == "none":
        return f"(?:{phrases})"
    left = r"\b" if pack.letters == r"\w" else f"(?<![{pack.letters}])"
    return f"{left}(?:{phrases})" + (r"\b" if pack.whole_words else "")


def _joined(parts: Iterable[str]) -> str:
    return "|".join(parts) or _NOWHERE


def _bounded(phrases: Iterable[str], pack: Replies) -> Iterable[str]:
    """Phrases that begin and end alike as one pattern."""
    alike: dict[tuple[str, str], list[str]] = {}
    for phrase in phrases:
        first, last = phrase.lstrip("([{<")[:1], phrase.rstrip(")]}>")[-1:]
        left = r"\b" if pack.whole_words and (first.isalnum() or first == "*") else ""
        right = r"\b" if pack.whole_words and (last.isalnum() or last == "*") else ""
        text = phrase.removeprefix("-").removesuffix("-")
        alike.setdefault((left, right), []).append(as_pattern(text, pack))
    for (left, right), patterns in alike.items():
        together = "|".join(patterns)
        yield f"{left}(?:{together}){right}" if left or right else together


def as_pattern(phrase: str, pack: Replies) -> str:
    """A pattern of one phrase, wherever it stands; capital letters stay as they are."""
    found, at = [], 0
    for token in _TOKEN.finditer(phrase):
        found.append(_literal(phrase[at : token.start()], pack))
        if token[1]:
            found.append(as_pattern(pack.parts[token[1]], pack))
        else:
            found.append(_SIGNS.get(token[0], f"[{pack.letters}]{{1,{_LONGEST_WORD}}}"))
        at = token.end()
    return "".join((*found, _literal(phrase[at:], pack)))


def _literal(text: str, pack: Replies) -> str:
    """A pattern of a text, with other forms of its characters where the language has them."""
    pattern = re.escape(text)
    for one, others in pack.variants.items():
        pattern = pattern.replace(one, f"[{one}{others}]")
    return pattern
