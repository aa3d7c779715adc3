"""The patterns by which a reply is read in some languages, made of their lists once.

In what is read, every choice that is named is one character (`mentions`). So no pattern can know
which choice it is, and none has to be made for a list of choices.

In a phrase `[x|y]` is one of several, `(x)` or `(x|y)` may be missing, and a `-` at an end goes on
with any letters. A phrase is found as words of its own, but in scripts without spaces between them.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from curation.languages import Language, Replies, asked_unknown, reply_words
from evaluation.parsing.marks import ARROW, CLOSED, CROSS, lower

LABELS, TEXTS, BOTH, TEXTS_FIRST, ALIASES = "\ue000", "\ue100", "\ue200", "\ue300", "\ue400"
"""The first characters for choices that are named by their label, their text, label and text, text
and label, or other words for unknown."""
CONFLICT = "\ue500"
"""The label of one choice with the text of another."""
NAMED = "\ue000-\ue3ff\ue500"
"""Every way but other words to name a choice, as in a class."""
ANY = "\ue000-\ue500"
LETTER = (
    r"\w\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670"
    r"\u0900-\u0963\u0966-\u0dff\u1000-\u1049\u1780-\u17d3"
)
"""What words are made of; vowel signs and points of many scripts are no letters to `\\w`."""
UNSPACED = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
"""Scripts in which words are written together, as in a class."""

_SIGNS = {"(": "(?:", ")": ")?", "[": "(?:", "]": ")", "|": "|"}
_TOKEN = re.compile(r"[()\[\]|]")
_FREE = re.compile(f"[{UNSPACED}]")
_WORDS = re.compile(f"[{LETTER}]")
_NOWHERE = "(?!)"
_UNSEEN = {ord(sign): None for sign in "\u200b\u200c\u200d\u00ad"}
_STOP = rf"[.!?;\u3002\n{CLOSED}]"


def _bare(phrase: str) -> str:
    """A phrase as replies have it: in lower case, without what joins letters and is not seen."""
    return lower(phrase).translate(_UNSEEN)


def pattern(phrase: str) -> str:
    """A pattern of one phrase, wherever it stands."""
    phrase = _bare(phrase)
    found: list[str] = []
    at = 0
    for token in _TOKEN.finditer(phrase):
        found += (re.escape(phrase[at : token.start()]), _SIGNS[token[0]])
        at = token.end()
    return "".join((*found, re.escape(phrase[at:])))


def words(phrases: Iterable[str]) -> str:
    """A pattern of phrases, each as words of its own where its script parts words."""
    alike: dict[tuple[str, str], list[str]] = {}
    for phrase in phrases:
        bare = phrase.strip("-")
        first, last = bare.lstrip("([")[:1], bare.rstrip(")]")[-1:]
        left = "" if phrase[0] == "-" or not _bound(first) else f"(?<![{LETTER}])"
        right = f"(?![{LETTER}])" if _bound(last) else ""
        right = f"[{LETTER}]*" if phrase[-1] == "-" else right
        alike.setdefault((left, right), []).append(pattern(bare))
    parts = (f"{left}(?:{'|'.join(some)}){right}" for (left, right), some in alike.items())
    return f"(?:{'|'.join(parts) or _NOWHERE})"


def _bound(character: str) -> bool:
    return _WORDS.match(character) is not None and _FREE.match(character) is None


class Words:
    """What is asked of the words of some languages; all texts are in lower case.

    Attributes:
        articles: What may stand before a name.
        ending: What may be written on after a choice and changes nothing.
        unknown: Phrases that say that nobody can know.
        none: Words for none of the choices.
        after: What stands after a choice that is the whole answer: the groups `right` ('is the
            answer'), `strict` (a line or sentence ends), `loose` (a comma, a colon) and `reason`.
        list: Choices one after another, joined by 'and', commas or lines.
        led: What stands before a choice and says that it is the answer, from its first word on.
        bare: The same where nothing stands between the word for an answer and the choice.
        heading: A line below which the answer stands.
        named: Words for an answer before a choice, and articles: 'the option'.
        copula: A word such as 'is' before a choice.
        negates: What says that it is not so.
        hedges: What leaves it open.
        withdraws: What takes an answer back, where it begins a sentence.
        joint: Where a reason or a part of a sentence ends.
        reason: A word that begins a reason.
    """

    def __init__(self, packs: Sequence[Replies], asked: Sequence[str]) -> None:
        own = packs[1:] or packs  # 'a' is no article where it is not English that is read

        def of(name: str) -> str:
            read = own if name == "articles" else packs
            return words(phrase for pack in read for phrase in getattr(pack, name))

        def loosely(name: str) -> str:
            read = own if name == "articles" else packs
            found = [pattern(phrase.strip("-")) for pack in read for phrase in getattr(pack, name)]
            return f"(?:{'|'.join(sorted(found, key=len, reverse=True)) or _NOWHERE})"

        noun, copula, article = of("answers"), of("copulas"), of("articles")
        before = rf"(?:{article} ?)?(?:{noun}[ :]*(?:{article} ?)?)?"
        mention, filler = f"[{ANY}]", f"(?: [^ {ANY}.,;:!?\n]{{1,20}})"
        self.articles = re.compile(rf"(?<![{LETTER}]){loosely('articles')} ?$")
        self.ending = re.compile(rf" ?'?{loosely('endings')}(?![{LETTER}])")
        self.unknown = tuple(
            dict.fromkeys(
                _bare(phrase)
                for phrase in (*(text for pack in packs for text in pack.unknown), *asked)
            )
        )
        self.none = tuple(_bare(pack.none) for pack in packs if pack.none)
        right = f"{of('right')}|{noun}"
        self.after = re.compile(
            rf"(?P<ending> ?'?{loosely('endings')}(?![{LETTER}]))?"
            rf"(?P<right>{loosely('endings')}?(?: ?{copula})?{filler}{{0,4}}? ?'?"
            rf"(?:{right})(?: ?(?:{right}))*(?: ?{loosely('endings')}(?![{LETTER}]))?)?"
            rf"(?: ?(?P<strict>$|{_STOP})| ?(?P<loose>[,:\u3001(-])"
            rf"|(?P<reason> {of('reasons')}))"
        )
        joined = rf" ?(?:[,;/&\u3001\u00b7{{}}] ?(?:{of('joining')} ?)?|{of('joining')} ?)"
        self.row = re.compile(rf"{mention}(?:{joined.format('')}{before}{mention})*")
        self.list = re.compile(rf"{mention}(?:{joined.format(chr(10))}{before}{mention})*")
        self.adds = re.compile(rf"\s*{of('hedges')}[ ,]*{before}(?:{copula}[ :]*)?{mention}")
        denied = rf"{of('negations')}[^{ANY},.;\n]{{0,12}}{mention}"
        self.contrasts = re.compile(rf"[^{ANY},.;\n]{{0,5}}{denied}")
        self.denied = re.compile(rf" ?{of('negations')} ?(?:$|{_STOP})")
        self.right = re.compile(of("right"))
        gap = rf"[^{ANY}\n.!?;:\u3002]{{0,60}}?"
        self.led = re.compile(
            rf"(?:{noun}{gap}(?: ?[:={ARROW}]\s*| - |[ ,]*{copula}[ :]*)"
            rf"|{copula}(?=[^{ANY}]{{6}}){gap}{noun}[ :]*|\[{noun}\] ?|{ARROW} ?){before}$"
        )
        self.says = re.compile(rf"{of('leads')}[ :,]*{before}$")
        self.noun = re.compile(noun)
        self.bare = re.compile(rf"{noun} ?$")
        self.heading = re.compile(
            rf"(?:^|[^{LETTER}]){noun}[^\n{ANY}]{{0,60}}:$|^(?:[^ \n]+ ){{0,3}}{noun}:?$"
        )
        self.named = re.compile(rf"{before}$")
        self.copula = re.compile(rf"{copula} ?$")
        self.inverted = re.compile(copula)
        self.negates = re.compile(rf"{of('negations')}|{CROSS}")
        self.hedges = re.compile(of("hedges"))
        self.withdraws = re.compile(
            rf"(?:^|{_STOP}|[,-] )[ .]*(?:[^ {ANY}\n.]{{1,8}}[ ,]+){{0,2}}?{of('withdrawals')}"
        )
        self.reason = re.compile(of("reasons"))
        self.reasoned = re.compile(rf";|{of('reasons')}")
        self.joint = re.compile(rf"[,;:\u3001]|{of('reasons')}")
        self._key = re.compile(rf"(?:^|[ _-]){noun}(?: ?(?:letter|key|id))?$|^ans$")

    def is_answer(self, key: str) -> bool:
        """Say whether a field of an object is called as an answer is."""
        return self._key.search(key.strip().lower().replace("_", " ")) is not None


def words_for(choices: Sequence[str], own: Language | None) -> Words:
    """The words of the language of a workspace, and of English, which models write everywhere.

    Args:
        choices: Texts that show of which script a reply is, where no language is said.
        own: The language; None, or one without a code, where nobody says which one it is.
    """
    if own is not None and own.code:
        return _words(own, None)
    text = "".join(choices)
    if text.isascii():
        return _words(own, frozenset())
    return _words(own, frozenset(at for at, script in _scripts() if script.search(text)))


@lru_cache(maxsize=64)
def _words(own: Language | None, only: frozenset[int] | None) -> Words:
    packs = reply_words(own)
    if only is not None:
        packs = tuple(pack for at, pack in enumerate(packs) if at in only or not at)
    return Words(packs, asked_unknown(own))


@lru_cache(maxsize=1)
def _scripts() -> tuple[tuple[int, re.Pattern[str]], ...]:
    packs = enumerate(reply_words(None))
    return tuple((at, re.compile(f"[{pack.script}]")) for at, pack in packs if pack.script)
