"""Third rule: a letter alone, in whatever form."""

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from curation.languages import Replies
from evaluation.parsing.normal import Normal, lower, unmarked
from evaluation.parsing.phrases import as_pattern, one_of

_OPEN, _CLOSE = r"[(\[{<【「'\"]", r"[)\]}>】」'\"]"
_OPENS = "([\"'【「『《〈"
"""What may open a text directly behind its letter."""
_ARTICLE = re.compile(r" [a-z]")
_ELIDED = re.compile(r"'[aeiouhy\u00e0-\u00ff]")  # of French and Catalan, before a vowel
_WITHIN_WORD = "A-Za-z0-9\u00c0-\u024f"  # other scripts write particles beside a letter
_LATIN = re.compile("[A-Za-z]")


def choice_letters(count: int) -> list[str]:
    """Name choices as spreadsheets name columns: A to Z, then AA, AB, and so on."""
    letters = []
    for at in range(count):
        name = ""
        while at >= 0:
            name = ascii_uppercase[at % 26] + name
            at = at // 26 - 1
        letters.append(name)
    return letters


class Letters:
    """The letters by which choices are shown, and the forms in which replies write them."""

    def __init__(self, labels: Sequence[str], packs: Sequence[Replies], normal: Normal) -> None:
        self._normal = normal
        counter = one_of(packs, "counters")
        self._counter = re.compile(counter)
        self._positions: dict[str, set[int]] = {}
        for at, label in enumerate(labels):
            shown = unmarked(normal.normalised(label)).strip(" .:()[]{}<>")
            if shown:
                self._positions.setdefault(_folded(shown), set()).add(at)
        known = sorted(self._positions, key=len, reverse=True)
        one = "|".join(f"(?i:{re.escape(mark)})" for mark in known if len(mark) == 1)
        more = "|".join(re.escape(name) for name in known if len(name) > 1)
        mark = "(?P<label>" + ("|".join(part for part in (more, one) if part) or "(?!)") + ")"
        named = rf"(?i:(?:(?:{one_of(packs, 'choice_names')})(?: ?:)? ?)?)"
        label = rf"(?P<open>{_OPEN}?){named}{_OPEN}?{mark}(?P<close>{_CLOSE}?)(?: ?(?:{counter}))?"
        self._alone = re.compile(rf"{label}(?P<last>{_CLOSE}?)[.:)]?$")
        self._first = re.compile(rf"{label}(?P<joint> ?[.:=)-]+ ?| ?)(?P<rest>\S.*)$", re.DOTALL)
        self._last = re.compile(rf"(?P<rest>.*\S) ?[(\[]{named}{mark}[)\]]$", re.DOTALL)

        # '2. The baker' and letters of the language: beside the text of their choice alone.
        orders = [[str(at + 1) for at in range(len(labels))], *(pack.labels for pack in packs)]
        self._orders = {
            mark: at
            for order in orders
            for at, mark in enumerate(order[: len(labels)])
            if mark not in self._positions
        }
        self._own = {
            mark: at for pack in packs for at, mark in enumerate(pack.labels[: len(labels)])
        }
        self._ordinals = [
            (re.compile(as_pattern(phrase, pack)), at)
            for pack in packs
            for at, phrase in enumerate(pack.ordinals[: len(labels)])
        ]
        self._order = re.compile(r"[(\[]?(\w{1,2}) ?[.:)\]-]+ ?(\S.*)$", re.DOTALL)

        within = rf"(?<![{_WITHIN_WORD}]){mark}(?![{_WITHIN_WORD}])"
        self._within = re.compile(within if all(map(str.isascii, known)) else mark)

    def within(self, text: str) -> bool:
        """Say whether a letter stands anywhere in a text as a word of its own."""
        return self._within.search(self._normal.normalised(text)) is not None

    def named(self, text: str) -> set[int]:
        """The positions of the capital letters that stand in a text as words of their own.

        An 'A' before a word in small letters is an article, and "C'" a part of a word.
        """
        return {
            at
            for match in self._within.finditer(text)
            if not (match["label"].islower() and _LATIN.match(match["label"]))
            and not (
                _ELIDED.match(text, match.end())
                or (
                    match["label"].lower() in self._normal.letter_articles
                    and _ARTICLE.match(text, match.end())
                )
            )
            for at in self._positions[_folded(match["label"])]
        }

    def by_place(self, text: str) -> bool:
        """Say whether a text in small letters begins with 'the first option' or the like."""
        return any(pattern.match(text) for pattern, _ in self._ordinals)

    def alone(self, text: str) -> set[int]:
        """The position of the letter that a text is; empty where it is none."""
        match = self._alone.match(text)
        if match:
            return self._positions[_folded(match["label"])]
        bare = text.strip(" .:()[]")
        if bare in self._own:
            return {self._own[bare]}
        low = lower(bare)
        return {at for pattern, at in self._ordinals if pattern.fullmatch(low)}

    def beside(self, text: str) -> Iterator[tuple[set[int], str]]:
        """Yield positions of a letter before or after a text, with that text."""
        match = self._first.match(text)
        if match and self._is_label(match):
            yield self._positions[_folded(match["label"])], match["rest"]
        match = self._last.match(text)
        if match:
            yield self._positions[_folded(match["label"])], match["rest"]

    def ordered(self, text: str) -> tuple[int, str] | None:
        """The place in the list by which a text begins, and that text: '2. The baker'."""
        match = self._order.match(text)
        at = self._orders.get(match[1]) if match else None
        return None if match is None or at is None else (at, match[2])

    def _is_label(self, match: re.Match[str]) -> bool:
        """Say whether what stands before a text is its letter, and no word or part of one."""
        rest = match["rest"]
        if match["joint"].strip(" ") or match["close"]:
            return True
        if self._counter.search(match[0], 0, match.start("rest") - match.start()):
            return True
        if match["joint"] == "":
            return rest[0] in _OPENS
        # 'A grandfather' has an article, 'A the grandfather' a letter before its own
        article = match["label"].lower() in self._normal.letter_articles and not match["open"]
        return not (article and _LATIN.match(rest) and not self._normal.has_article(rest.lower()))


def _folded(label: str) -> str:
    # 'ah' is no 'AH', but 'a' is 'A'
    return label.casefold() if len(label) == 1 else label
