"""The patterns by which a reply is read in some languages, made of their lists once.

In what is read, every choice that is named is one character (`verdicts`). So no pattern can know
which choice it is, and none has to be made for a list of choices.

What is no part of a reply's words is taken away first: markup of text, formulas and objects, signs.

In a phrase `[x|y]` is one of several, `(x)` or `(x|y)` may be missing, `_` is a choice, and a `-`
at an end goes on with any letters. A phrase is found as words of its own, but in scripts without
spaces between them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from curation.languages import Language, Replies, asked_unknown, reply_words
from curation.records.letters import BY_CHARACTER, IN_WORDS

OPENED, CLOSED = "\ue800", "\ue801"
"""Around what a box, a tag or an object holds as the answer."""
ARROW, CROSS = "\u21d2", "\u2297"
"""An arrow or a tick, which points at an answer, and a cross, which strikes one out."""

_SIGNED: dict[str, str] = {
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4\uff07", "'"),
    **dict.fromkeys('"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a', ""),
    **dict.fromkeys("\u300c\u300d\u300e\u300f\u300a\u300b\u3008\u3009", ""),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
    **dict.fromkeys("\u2014\u2015", " - "),
    **dict.fromkeys(
        "\u2190\u2192\u21d2\u2234\u27a1\u279c\u2794\u2705\u2713\u2714\u2611\U0001f449", ARROW
    ),
    **dict.fromkeys("\u274c\u2716\u2717\u2718\u2715\U0001f6ab", CROSS),
    **dict.fromkeys("\u3010\u3014", "["),
    **dict.fromkeys("\u3011\u3015", "]"),
    **dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufe0f\u00ad", ""),
    **dict.fromkeys("\u00a0\u3000\u202f", " "),
    **dict.fromkeys("\u0589\u0964\u0965\u06d4\u104b\u1362\u17d4\uff61", "\u3002"),
    "\u1361": " ",  # parts words in Ethiopic script
    **dict.fromkeys("\u060c\u104a\u1363", ","),
    **dict.fromkeys("\u061b\u1364", ";"),
    **dict.fromkeys("\u037e\u061f\u1367", "?"),
    **dict.fromkeys("\u1365\u1366\u17d6", ":"),
    "\u2026": "...",
    "\u0130": "I",
    # White letters in circles and on squares.
    **{chr(first + at): chr(ord("A") + at) for first in (0x1F150, 0x1F170) for at in range(26)},
    # The digits of Arabic, Persian, Hindi and Bengali.
    **{chr(zero + at): str(at) for zero in (0x660, 0x6F0, 0x966, 0x9E6) for at in range(10)},
}
_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff]")
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|p|span|div|mark|code|li|ul|ol|h\d|td|tr)\b[^<>\n]*>", re.I
)
_DEEPEST = 5  # formats of formulas within one another
_BREAK = re.compile(r"<br ?/?>", re.I)
_ANSWER = re.compile(r"<(\w{1,30})>([^<]*)</\1>")
_LATEX = re.compile(
    r"\\(?:text|textbf|mathbf|mathrm|mathsf|textit|operatorname|underline|boldsymbol)"
    r"\s*\{([^{}]*)\}|\\(?:text)?color\s*\{[^{}]*\}"
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}\n]|\{[^{}\n]*\}){0,300})\}")
_MATHS = re.compile(r"\\[()\[\]]|\$+|\\[,;! ]")
_FIELD = re.compile(
    r"(?<![\w\"])[\"']?([\w \-]{1,30}+)[\"']\s*:\s*"
    r"(?:\"([^\"\n]{0,300})\"|'([^'\n]{0,300})'|(\w{1,8}))"
)
# A small letter is known as a label by signs; what begins with one is found quickly.
_SMALL = re.compile(r"\*(?<!\*\*)\*{0,2}([a-z])\*{1,3}(?!\*)")
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.M)
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_UNDERLINE = re.compile(r"_+(?!\w)|(?<!\w)_+")
# With the line end before it, which is found quickly.
_LINE = re.compile(r"\n[ \t]*(?:(?:[-+\u2022\u00b7\u25aa\u25e6\u25cf\u25cb>#|=]+)[ \t]+|[-#>|=]+)*")
_QUOTE = re.compile(r"'(?:(?!\w)|(?<!\w'))")
_BLANK = re.compile(r"(?:[\t\r\f\v|]| [ \t\r\f\v|])[ \t\r\f\v|]*")
_BLANKS = ("  ", "|", "\t", "\r", "\f", "\v")
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
    if "\\" in text or "$" in text:
        text = _MATHS.sub("", text)
    if not text.isascii():
        text = _signs(text)
        normal = unicodedata.normalize("NFKC", text)
        text = normal if normal == text else _signs(normal)
        try:
            text.encode("latin-1")  # quick, and most letters with accents are of it
        except UnicodeEncodeError:
            text = _PICTURES.sub(" ", text)
    elif '"' in text:
        text = text.replace('"', "")

    def tagged(match: re.Match[str]) -> str:
        return f"{OPENED}{match[2].strip()}{CLOSED}" if is_answer(match[1]) else match[0]

    if "<" in text:
        text = _BREAK.sub("\n", _ANSWER.sub(tagged, text))
        closed = {tag[2:].lower() for tag in _TAG.findall(text) if tag[1] == "/"}
        label = {"<b>", "<i>"} - {f"<{tag}" for tag in closed}  # '<B>' that nothing closes is one
        text = _TAG.sub(lambda tag: tag[0] if tag[0].lower() in label else "", text)
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
    text = _LINE.sub("\n", f"\n{text}")
    if any(blank in text for blank in _BLANKS):
        text = _BLANK.sub(" ", text)
    return _LINES.sub("\n", text.replace(" \n", "\n")).strip()


def _signs(text: str) -> str:
    if "\u1361" in text:  # as most keyboards write a full stop and a colon of Ethiopic script
        text = text.replace("\u1361\u1361", "\u1362").replace("\u1361-", "\u1366")
    for sign in _SIGNED.keys() & set(text):
        text = text.replace(sign, _SIGNED[sign])
    return text


def _boxed(text: str, is_answer: Callable[[str], bool]) -> str:
    if "\\" in text:
        text = text.replace('\\"', '"')
        for _ in range(_DEEPEST):
            text = _LATEX.sub(r"\1", text)
        text = _BOX.sub(_box, text)

    def field(match: re.Match[str]) -> str:
        if not is_answer(match[1]):
            return match[0].replace("_", " ", match[1].count("_"))
        return f"{OPENED}{match[2] or match[3] or match[4] or ''}{CLOSED}"

    return _FIELD.sub(field, text)


def _box(match: re.Match[str]) -> str:
    """What a box holds, or the box within it."""
    within = _BOX.fullmatch(match[1].strip())
    return _box(within) if within else f"{OPENED}{match[1].strip(' {}')}{CLOSED}"


def lower(text: str) -> str:
    """A text in lower case, each character at its place; a dotless i is an i, as in capitals."""
    low = text.lower().replace("\u0131", "i")
    if len(low) == len(text):
        return low
    kept = (one.lower() if len(one.lower()) == 1 else one for one in text)
    return "".join(kept).replace("\u0131", "i")


LABELS, TEXTS, BOTH, TEXTS_FIRST, ALIASES = "\ue000", "\ue100", "\ue200", "\ue300", "\ue400"
"""The first characters for choices that are named by their label, their text, label and text, text
and label, or other words for unknown."""
CONFLICT = "\ue500"
"""The label of one choice with the text of another."""
NAMED = "\ue000-\ue3ff\ue500"
"""Every way but other words to name a choice, as in a class."""
ANY = "\ue000-\ue500"
UNSPACED = rf"{BY_CHARACTER}\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
"""Scripts in which words are written together, as in a class."""
FREE = re.compile(f"[{UNSPACED}]")
LETTERS = re.compile(f"[{IN_WORDS}]")
"""A letter of a script in which words are written together, and any letter."""

_SIGNS = {"(": "(?:", ")": ")?", "[": "(?:", "]": ")", "|": "|", "_": f"[{ANY}]"}
_TOKEN = re.compile(r"[()\[\]|_]")
_FIRST = re.compile(r"(?:^|(?<=[()\[\]|]))[^()\[\]|]")
_NOWHERE = "(?!)"
_COMMA = re.compile("[,\u3001]")
_UNSEEN = {ord(sign): None for sign in "\u200b\u200c\u200d\u00ad"} | {0x1361: " "}
_STOP = rf"[.!?;\u3002\n{CLOSED}]"


def _bare(phrase: str) -> str:
    """A phrase as replies have it: in the same letters, without what joins them and is not seen."""
    return lower(unicodedata.normalize("NFKC", phrase)).translate(_UNSEEN)


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
    first_of: dict[tuple[str, str], set[str]] = {}  # one set: most places are passed by quickly
    for phrase in phrases:
        bare = phrase.strip("-")
        first, last = bare.lstrip("([")[:1], bare.rstrip(")]")[-1:]
        left = "" if phrase[0] in "-_" or not _bound(first) else f"(?<![{IN_WORDS}])"
        right = f"(?![{IN_WORDS}])" if _bound(last) else ""
        right = f"[{IN_WORDS}]*" if phrase[-1] == "-" else right
        alike.setdefault((left, right), []).append(pattern(bare))
        first_of.setdefault((left, right), set()).update(_FIRST.findall(_bare(bare)))
    parts = (
        f"(?=[{re.escape(''.join(sorted(first_of[ends]))).replace('_', ANY)}])"
        f"{ends[0]}(?:{'|'.join(some)}){ends[1]}"
        for ends, some in alike.items()
    )
    return f"(?:{'|'.join(parts) or _NOWHERE})"


def _bound(character: str) -> bool:
    return LETTERS.match(character) is not None and FREE.match(character) is None


class Words:
    """What is asked of the words of some languages; all texts are in lower case.

    Attributes:
        is_known: Whether words of the reply's language are among them.
        articles: What may stand before a name.
        articled: An article of the workspace's language before 'answer' or 'right', or cut off.
        ending: What may be written on after a choice and changes nothing.
        unknown: Phrases that say that nobody can know.
        none: Words for none of the choices.
        after: What stands after a choice that is the whole answer: the groups `right` ('is the
            answer'), `strict` (a line or sentence ends), `loose` (a comma, a colon), `reason`, and
            `contrast` ('rather than A').
        opposed: What stands before a choice where others are denied: 'neither A nor B but'.
        supposes: A condition behind a choice that leaves open what another one did: 'had the potter
            slept'.
        second: A word and another choice behind one, which is then not the only one.
        compared: What one choice is measured by: 'as right as A is', 'as wrong'.
        list: Choices one after another, joined by 'and', commas or lines.
        led: What stands before a choice and says that it is the answer, from its first word on.
        says: What stands before a choice and says without such a word that it is the answer.
        leads: Its words alone.
        right: What says after a choice that it is the answer, or that it fits.
        called: The same, in a group what does more than fit.
        bare: The same where nothing stands between the word for an answer and the choice.
        heading: A line below which the answer stands.
        bracketed: A text with its label, or the other way round: 'the baker (option B)'.
        wrapped: A label with a word for an answer that is a sentence in brackets: '(Answer A)'.
        begun: The beginning of a line with a choice, or with such a word before it: 'Option A'.
        marked: A line of a choice with a tick or a cross, or the word `right` or its opposite.
        named: Words for an answer before a choice, and articles: 'the option'.
        copula: A word such as 'is' before a choice.
        negates: What says that it is not so.
        hedges: What leaves it open.
        withdraws: What takes an answer back, where it begins a sentence or a part of one; a phrase
            with a comma in it is the end of one part and the beginning of the next.
        concludes: A reason at the beginning of a part of a sentence.
        concedes: The beginning of a sentence that grants another choice before it names the answer.
        conceded: What stands before a choice that is granted beside one before: 'A, although'.
        measured: What stands before a choice to which one before is compared: 'as much A as it is'.
        joint: Where a reason or a part of a sentence ends.
        reason: A word that begins a reason.
    """

    def __init__(self, packs: Sequence[Replies], asked: Sequence[str], *, is_known: bool) -> None:
        self.is_known = is_known
        own = packs[1:] or packs  # 'a' is no article where it is not English that is read

        def of(name: str, read: Sequence[Replies] | None = None) -> str:
            read = read or (own if name == "articles" else packs)
            return words(phrase for pack in read for phrase in getattr(pack, name))

        def loosely(name: str) -> str:
            read = own if name == "articles" else packs
            found = [pattern(phrase.strip("-")) for pack in read for phrase in getattr(pack, name)]
            return f"(?:{'|'.join(sorted(found, key=len, reverse=True)) or _NOWHERE})"

        noun, copula, article = of("answers"), of("copulas"), of("articles")
        before = rf"(?:{article} ?)?(?:{noun}[ :]*(?:{article} ?)?)?"
        mention, filler = f"[{ANY}]", f"(?: [^ {ANY}.,;:!?\n]{{1,20}})"
        self.articles = re.compile(rf"(?<![{IN_WORDS}]){loosely('articles')} ?$")
        self.ending = re.compile(rf" ?'?{loosely('endings')}(?![{IN_WORDS}])")
        self.unknown = tuple(
            dict.fromkeys(
                _bare(phrase)
                for phrase in (*(text for pack in packs for text in pack.unknown), *asked)
            )
        )
        self.none = tuple(_bare(pack.none) for pack in packs if pack.none)
        granting, fitting = (
            words(filter(None, (getattr(pack, name) for pack in packs)))
            for name in ("concession", "fits")
        )
        called = f"{of('right')}|{fitting}"
        right = f"{called}|{noun}"
        # One word may deny what stands before it, as in Turkish; a phrase such as 'en vez de' not.
        # Nor does one with a verb or that joins: 'A n'est pas B' and 'A nor B' say it of both.
        verb = re.compile(copula)
        phrases = (
            phrase
            for pack in own
            for phrase in pack.negations
            if " " in phrase and phrase not in pack.joining and not verb.search(phrase)
        )
        denying = words((*packs[0].negations, *phrases))
        denies = rf"(?: ?{copula})? ?{of('negations')}[^ {ANY},.;\n]{{0,6}}(?: ?{copula})?"
        denies += rf" ?(?:$|{_STOP})"
        self.after = re.compile(
            rf"(?P<ending>:? ?['-]?{loosely('endings')}(?![{IN_WORDS}]))?"
            rf"(?P<right>(?! ?(?:$|{_STOP})):?{loosely('endings')}?(?: ?{copula})?"
            rf"(?:{filler}{{0,4}}? ?'?"
            rf"(?:{right})(?: ?(?:{right}))*(?: ?{loosely('endings')}(?![{IN_WORDS}]))?"
            rf"|(?<!{mention}){filler}{{1,2}}? {of('leads')}(?= ?(?:$|{_STOP}))))?"
            rf"(?: ?{ARROW}? ?(?P<strict>$|{_STOP})"
            rf"| ?(?P<loose>[,\u3001(]|[:-](?![{IN_WORDS}](?<![{UNSPACED}])))"
            rf"|(?P<reason> {of('reasons')})"
            rf"|(?P<contrast>(?= (?:{of('joining')} {of('negations')}|{denying}) {before}{mention}"
            rf" ?(?:$|,(?! ?{of('hedges')})|{_STOP}))|(?= (?<=[{UNSPACED}] ){mention}{denies})))"
        )
        joined = rf" ?(?:[,/&\u3001\u00b7{{}}] ?(?:{of('joining')} ?)?|{of('joining')} ?)"
        self.row = re.compile(rf"{mention}(?:{joined.format('')}{before}{mention})*")
        self.list = re.compile(rf"{mention}(?:{joined.format(';' + chr(10))}{before}{mention})*")
        # 'But it could be _'; a choice among other words is in a condition, as 'had he'.
        granted = words(
            phrase for pack in packs for phrase in pack.hedges if "_" in phrase.replace("_]", "")
        )
        self.grants = re.compile(rf"[\s.]*{granted}")
        self.adds = re.compile(
            rf"[\s.]*{of('hedges')}(?:[ ,]*{of('hedges')})*"
            rf"(?:[ ,]*{before}(?:{copula}[ :]*)?{mention}"
            rf"|[^{ANY}\n.!?]{{0,40}}{mention}[^\n.!?]{{0,40}}\?)"
        )
        linking = rf"{of('joining')}|{of('hedges')}|{of('negations')}"
        word = rf"(?!{of('reasons')})(?:(?!{linking})[^ {ANY}.,;:!?\n]){{1,9}}(?: ?{copula})?"
        one = rf"(?:{copula} ?)?{before}{mention}"
        more = rf",? ?(?:[^ {ANY}.,;\n]{{0,3}}(?:{linking}) ?){{1,2}}{one}"
        apart = rf"(?:(?!{of('negations')})[^{ANY}\n,;:])"
        said = rf"{apart}{{0,30}}{noun}{apart}{{0,12}}?"
        self.opposed = re.compile(
            rf"(?:(?:[^{ANY}\n]{{0,7}}?|{before}{copula} ?|{said}){of('negations')} ?{one}"
            rf"(?:{more})*"
            rf"(?:,? {word} |, ?{word} ?| ?: )"
            rf"|(?:{said})?{before}{mention}(?:[^ {ANY},.;\n]{{0,3}} ?{mention})*"
            rf"(?:(?!{of('negations')})[^{ANY},.;\n]){{0,12}}?"
            rf"{of('negations')}[^ {ANY},.;\n]{{0,6}}(?:[,\u3001] ?|(?<=[\uac00-\ud7af]) ))"
            rf"{before}$"
        )
        self.supposes = re.compile(
            rf" ?{of('hedges')}(?<=([{ANY}]))(?=[^{ANY}.!?,;\n]+(?:[.!\n]|$))"
        )
        self.second = re.compile(rf"{word} {before}{mention} ?(?:$|{_STOP})")
        others = rf"(?: ?{of('hedges')} ?{before}{mention} ?(?:$|{_STOP})|(?!,? ?{of('hedges')}))"
        denied = rf"{of('negations')}[^{ANY},.;\n]{{0,12}}{mention}{others}"
        self.contrasts = re.compile(rf"(?! ?{of('hedges')})[^{ANY},.;\n]{{0,5}}{denied}")
        self.denied = re.compile(rf" ?{of('negations')}(?: ?{copula})? ?(?:$|{_STOP})")
        self.denies = re.compile(denies)
        self.compared = re.compile(
            rf"(?:(?:{called})[^{ANY}]{{0,12}})?{before}{mention}(?: ?{copula})?|{of('negations')}"
        )
        self.right, self.called = re.compile(called), re.compile(f"{fitting}|({of('right')})")
        gap = rf"[^{ANY}\n.!?;:\u3002]{{0,60}}?"
        self.led = re.compile(
            rf"(?:{noun}{gap}"
            rf"(?: ?[:={ARROW}]\s*| - |[ ,]*{copula}(?:,[^{ANY},.!?;:\n]{{1,40}},)?[ :]*)"
            rf"|{copula}(?=[^{ANY}]{{6}})(?:{filler}{{1,2}}?|{gap}(?:[,:]|{right}))? ?{noun}[ :]*"
            rf"|\[{noun}\] ?"
            rf"|(?<![{ANY}])(?<![{ANY}] ){ARROW} ?){before}$"
        )
        self.says = re.compile(rf"{of('leads')}[ :,]*{before}$")
        self.leads = re.compile(of("leads"))
        self.noun = re.compile(noun)
        told = words(it for pack in packs[1:] for it in (*pack.answers, *pack.right))
        own_article = words(it for pack in packs[1:] for it in pack.articles)
        self.articled = re.compile(rf"{own_article}(?: (?!{article}){told}|(?P<cut>[ .]*$))")
        self.bare = re.compile(rf"{noun} ?$")
        ending, label, text = loosely("endings"), f"[{LABELS}-\ue0ff]", f"[{TEXTS}-\ue1ff]"
        self.bracketed = re.compile(
            rf"([{LABELS}-\ue1ff])"  # one set: it is found quickly
            rf"(?:(?<={text})(?:'?{ending})? ?\(({noun} )?({label}):?\)?"
            rf"|(?<={label}){ending} ?({text}))"
        )
        self.wrapped = re.compile(
            r"[(\[](?:(?<=^.)|(?<=[.!?\u3002\n].)|(?<=[.!?\u3002] .))"
            rf"({noun} ?{label}):(?=$|[ .\n])"
        )
        self.heading = re.compile(
            rf"(?:^|[^{IN_WORDS}]){noun}[^\n{ANY}]{{0,60}}:$|^(?:[^ \n{ANY}]+ ){{0,3}}{noun}:?$"
        )
        self.begun = re.compile(
            rf"^[^\n]{{0,3}}?(?:(?:{article} )?{noun} ?)?({label}(?! \w)|[{TEXTS}-\ue3ff])", re.M
        )
        self.marked = re.compile(
            rf"^[^\n{ANY}]{{0,3}}([{NAMED}])(?:[^\n{ANY}{IN_WORDS}]{{0,3}}"
            rf"(?:(?P<right>{ARROW}|(?:{called})(?! ?\?) ?(?:$|{_STOP}))"
            rf"|{CROSS}|{of('negations')})|[^\n{ANY}{ARROW}{CROSS}]*(?:(?P<last>{ARROW})|{CROSS})$)",
            re.M,
        )
        self.named = re.compile(rf"{before}$")
        self.copula = re.compile(rf"{copula}[ :]*$")
        self.inverted = re.compile(copula)
        self.negates = re.compile(rf"{of('negations')}|{CROSS}")
        self.hedges = re.compile(of("hedges"))
        back = [phrase for pack in packs for phrase in pack.withdrawals]
        signs = rf"(?<![{ANY}])(?:(?<![,-])|(?= ))"
        begun = rf"{signs}[ .]*(?:[^ {ANY}\n.]{{1,8}}[ ,]+){{0,2}}?{words(back)}"
        begun += f"(?:[ ,]+{words(back)})*"
        two = words(phrase for phrase in back if _COMMA.search(phrase[:-1]))
        joined_on = rf"(?<=[{ANY}])[^{ANY}\n.]{{0,16}}?{two}"
        self.withdraws = re.compile(  # one set: it is found quickly
            rf"[.!?;\u3002\n{CLOSED},{ANY}-](?:{begun}|{joined_on})"
        )
        self.reason = re.compile(of("reasons"))
        self.reasoned = re.compile(rf";|{of('reasons', own)}")  # 'for' is a verb in Portuguese
        self.concludes = re.compile(rf"(?:^|[,;:\u3001]) ?{of('reasons')}")
        self.concedes = re.compile(rf"(?:[^ {ANY}\n.]{{1,8}} )?{granting}")
        self.conceded = re.compile(rf"[{ANY}](?: ?{copula})?,? ?{granting}[^{ANY}\n]{{0,20}}$")
        self.measured = re.compile(rf"[{ANY}] {of('reasons')} [^{ANY}\n,]{{0,20}}$")
        self.joint = re.compile(rf"[,;:\u3001]|{of('reasons')}")
        self._key = re.compile(rf"(?:^|[ _-]){noun}(?: ?(?:letter|key|id))?$|^final$")

    def is_answer(self, key: str) -> bool:
        """Say whether a field of an object is called as an answer is."""
        name = key.strip().lower().replace("_", " ")
        return self._key.search(name) is not None and not self.negates.search(name)


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
    # Of Latin letters alone nobody can tell which language's they are.
    is_known = len(packs) > 1 or (only is None and own is not None and own.replies is not None)
    return Words(packs, asked_unknown(own), is_known=is_known)


@lru_cache(maxsize=1)
def _scripts() -> tuple[tuple[int, re.Pattern[str]], ...]:
    packs = enumerate(reply_words(None))
    return tuple((at, re.compile(f"[{pack.script}]")) for at, pack in packs if pack.script)
