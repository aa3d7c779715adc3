"""Which wordings of a bank, filled how, give one published sample; else the nearest one.

A text is read from left to right. A literal has to stand where the walk is; at a slot the forms
that stand there are looked up by their length, so that a list of a thousand names costs no more
than one of ten. Every slot keeps the set of fillers that are still possible, the same for all
texts of a sample. The walks of a sample have a bound on their steps, so that no text makes them
long.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache
from itertools import islice, permutations, product
from operator import itemgetter
from typing import Any
from unicodedata import normalize

from curation.bank.generate import Filling
from curation.records.bank import ANSWER_FIELDS, ContextType, QuestionType
from curation.records.letters import BY_CHARACTER
from curation.slots.fill import CompiledText
from curation.slots.grammar import declared_conditions

STEPS = range(20_000)
"""The steps that the walks of one sample through one variant may take."""
HIDDEN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200b\ufeff]")
"""Characters that show nothing: they are passed over, and told of."""
_SPACE = re.compile(r"\s+")
Bindings = tuple[frozenset[int] | None, ...]
"""For each slot the positions of the fillers that are possible; None where all are."""


@lru_cache(maxsize=4096)  # samples have questions, answers and contexts in common
def collapse(text: str) -> str:
    """A text with single spaces, none around it, and without characters that show nothing.

    Its letters are composed (NFC): files of macOS have marks apart from their letters.
    """
    return " ".join(normalize("NFC", HIDDEN.sub("", text)).split())


@dataclass(frozen=True, slots=True)
class Place:
    """A slot in a text.

    Attributes:
        axis: Position of the slot among the declared ones.
        fillers: By form the positions of the fillers that have it.
        lengths: How long forms are, the longest first.
    """

    axis: int
    fillers: Mapping[str, frozenset[int]]
    lengths: tuple[int, ...]


Pattern = tuple[str | Place, ...]
"""What a text is made of: literals, and slots."""


def pattern(texts: Sequence[CompiledText], between: str = " ") -> Pattern:
    """What texts are made of that stand one after the other.

    Args:
        texts: The texts.
        between: What stands between two of them.
    """
    pieces: list[str | Place] = []
    for at, text in enumerate(texts):
        own: list[str | Place] = [
            _SPACE.sub(" ", normalize("NFC", HIDDEN.sub("", part)))
            if isinstance(part, str)
            else Place(part[0], *_by_form(part[1]))
            for part in text.parts
        ]
        for end, strip in ((0, str.lstrip), (-1, str.rstrip)):
            if own and isinstance(own[end], str):
                own[end] = strip(str(own[end]))
        pieces += [between, *own] if at else own
    return tuple(piece for piece in pieces if piece)


@lru_cache(maxsize=1024)  # texts of a variant, and variants, have the same lists
def _by_form(forms: tuple[str, ...]) -> tuple[Mapping[str, frozenset[int]], tuple[int, ...]]:
    fillers: dict[str, frozenset[int]] = {}
    for index, form in enumerate(map(collapse, forms)):
        fillers[form] = fillers[form] | {index} if form in fillers else _only(index)
    return fillers, tuple(sorted({len(form) for form in fillers}, reverse=True))


@cache  # most forms are of one filler, and a set takes 200 bytes
def _only(index: int) -> frozenset[int]:
    return frozenset((index,))


def walk(pieces: Pattern, text: str, known: Bindings, steps: Iterator[int]) -> Iterator[Bindings]:
    """Yield the fillers that give a text.

    Args:
        pieces: The text with slots.
        text: The filled text, with single spaces.
        known: The fillers that are possible.
        steps: The steps that are left (`STEPS`); when there are none it ends.
    """
    stack: list[tuple[int, int, Bindings]] = [(0, 0, known)]
    last = len(pieces)
    while stack:
        at, place, fillers = stack.pop()
        while at < last:
            if next(steps, None) is None:
                return
            piece = pieces[at]
            at += 1
            if isinstance(piece, str):
                place = _after(piece, text, place)
                if place < 0:
                    break
                continue
            found = list(ways(piece, text, place, fillers))
            if not found:
                break
            stack.extend((at, *way) for way in reversed(found[1:]))
            place, fillers = found[0]
        else:
            if place == len(text):
                yield fillers


def _after(literal: str, text: str, at: int) -> int:
    """Where a text goes on after a literal; -1 where it does not stand there.

    Spaces that meet are one, and there are none at the ends of a text.
    """
    if literal.startswith(" ") and (at == 0 or text[at - 1] == " "):
        literal = literal[1:]
    if text.startswith(literal, at):
        return at + len(literal)
    if literal.endswith(" ") and at + len(literal) == len(text) + 1:
        literal = literal[:-1]
        if text.startswith(literal, at):
            return len(text)
    return -1


def ways(piece: Place, text: str, at: int, known: Bindings) -> Iterator[tuple[int, Bindings]]:
    """The forms that stand at a place, the longest first, each with the fillers it leaves."""
    axis, fillers = piece.axis, piece.fillers
    before = known[axis]
    for length in piece.lengths:
        if at + length > len(text):
            continue
        found = fillers.get(text[at : at + length])
        if found is None:
            continue
        left = found if before is None else found & before
        if left:
            yield at + length, (*known[:axis], left, *known[axis + 1 :])


GRAM = 4
"""Wordings are looked up by so many characters that follow one another, in any script."""
_COMMON = 50
"""What more wordings than this hold tells nothing of where a text comes from."""
_LOOKED_AT = 4000
"""So many characters of a text are compared with wordings where none gives it."""


class IndexedText:
    """One wording of a variant, which texts are matched against.

    Attributes:
        filling: Its texts with every form, and its lists.
        is_source: Whether it is that of the source, which the culture's may differ from.
    """

    def __init__(self, filling: Filling, *, is_source: bool) -> None:
        self.filling = filling
        self.is_source = is_source
        self._patterns: dict[tuple[str, ...], Pattern] = {}

    def pattern(self, *fields: str) -> Pattern:
        """What a text, or two that are joined, are made of; worked out when first asked for."""
        if fields not in self._patterns:
            texts = [self.filling.texts[name] for name in fields]
            self._patterns[fields] = pattern(texts, self.filling.between)
        return self._patterns[fields]

    def raw(self, fields: Sequence[str], indices: Sequence[int]) -> str:
        """A text, or two that are joined, in one filling as a sample has them."""
        between = self.filling.between
        return between.join(self.filling.texts[name].render(indices) for name in fields)

    def rendered(self, fields: Sequence[str], indices: Sequence[int]) -> str:
        """The same with single spaces, without characters that show nothing."""
        return collapse(self.raw(fields, indices))

    @cached_property
    def has_hidden(self) -> bool:
        """Whether it has characters that show nothing."""
        parts = (part for text in self.filling.texts.values() for part in text.parts)
        pieces = (
            piece for part in parts for piece in ([part] if isinstance(part, str) else part[1])
        )
        return any(HIDDEN.search(piece) for piece in pieces)

    @property
    def every(self) -> Bindings:
        """No slot bound: all fillers are possible."""
        return (None,) * len(self.filling.order)

    def fillers(self, indices: Sequence[int]) -> tuple[tuple[str, str], ...]:
        """Each slot with its filler in one filling, in declared order."""
        lists = self.filling.lists
        return tuple((name, self.filling.filler(name, indices).text) for name in lists)

    @property
    def name(self) -> str:
        """The variant's id."""
        return str(self.filling.variant.id)


class Index:
    """Wordings by what is literally in them, and by questions (`asking`) as these are met.

    Each wording is kept under the rarest piece of its ambiguous context that no slot touches: a
    text that it gives holds that piece, so that no wording is ever missed.
    """

    def __init__(self, wordings: Sequence[IndexedText]) -> None:
        self.wordings = wordings
        pieces = [_grams_of(item.filling.texts["ambiguous_context"]) for item in wordings]
        count = Counter(piece for own in pieces for piece in own)
        self._always: list[int] = []
        self._by_piece: dict[str, list[int]] = {}
        for at, own in enumerate(pieces):
            if own:
                rarest = min(own, key=lambda piece: (count[piece], piece))
                self._by_piece.setdefault(rarest, []).append(at)
            else:
                self._always.append(at)
        self._near: dict[str, list[int]] | None = None
        self._candidates: dict[str, list[IndexedText]] = {}
        self.asking: dict[str, dict[IndexedText, list[QuestionType]]] = {}

    def candidates(self, context: str) -> list[IndexedText]:
        """The wordings that may give a context, in the bank's order."""
        if context not in self._candidates:  # samples have contexts in common
            found = list(self._always)
            for piece in self._by_piece.keys() & _grams(context):
                found += self._by_piece[piece]
            self._candidates[context] = [self.wordings[at] for at in sorted(found)]
        return self._candidates[context]

    def nearest(self, text: str, most: int) -> list[IndexedText]:
        """The wordings that share most with a text, the best first; none that share nothing."""
        if self._near is None:
            self._near = {}
            for at, item in enumerate(self.wordings):
                for piece in set().union(*map(_grams_of, item.filling.texts.values())):
                    self._near.setdefault(piece, []).append(at)
        shares: dict[int, float] = {}
        for piece in _grams(text[:_LOOKED_AT]):
            known = self._near.get(piece, ())
            if len(known) <= _COMMON:
                for at in known:
                    shares[at] = shares.get(at, 0.0) + 1 / len(known)
        best = sorted(shares, key=lambda at: (-shares[at], at))[:most]
        return [self.wordings[at] for at in best]


def _grams_of(text: CompiledText) -> set[str]:
    literals = (part for part in text.parts if isinstance(part, str))
    return {gram for literal in literals for gram in _grams(collapse(literal))}


def _grams(text: str) -> set[str]:
    text = text.casefold().replace("\u0131", "i").replace("\u0307", "")  # dotted or not
    return {text[at : at + GRAM] for at in range(len(text) - GRAM + 1)}


CONTEXTS = {
    ContextType.AMBIGUOUS: ("ambiguous_context",),
    ContextType.DISAMBIGUATED: ("ambiguous_context", "disambiguating_context"),
}
"""The texts that a context is made of, joined as sentences of the language are."""
QUESTIONS = {
    QuestionType.BIASED: ("biased_question",),
    QuestionType.COUNTER_BIASED: ("counter_biased_question",),
}
"""The texts of a question: one."""
_WAYS = 1000
"""So many ways to read one text are tried."""
_WHERE = ("context", "question", "choices", "choices")


@dataclass(frozen=True, slots=True)
class PublishedTexts:
    """The texts of a published sample, with single spaces.

    Attributes:
        context: Its context.
        question: Its question.
        choices: Its choices.
        unknown: The one of them that names nobody; empty where that is not known.
    """

    context: str
    question: str
    choices: tuple[str, ...]
    unknown: str

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What may be the answer of the biased and of the counter-biased question."""
        left = list(self.choices)
        if self.unknown:
            left.remove(self.unknown)
        return list(dict.fromkeys(permutations(left, 2)))


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a published sample is not as ours.

    Attributes:
        where: `context`, `question` or `choices`; `fillers` where each text is as ours and no
            filling gives them all.
        kind: `hidden` where characters differ that show nothing, `words` where words do, `spaces`
            where the same words are written together or apart, `condition` where fillers do not
            go together, or there are too many ways to read the texts to try them all.
        theirs: What it has.
        ours: What the template has, a slot in brackets where no filler fits.
    """

    where: str
    kind: str
    theirs: str
    ours: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A wording, and how it is filled.

    Attributes:
        wording: The wording.
        indices: For each slot the position of its filler.
        free: The slots that the sample does not show: any filler of them gives it.
        context_type: Which context it is.
        question_type: Which question it is.
        answers: The answers of the biased and of the counter-biased question, as published.
    """

    wording: IndexedText
    indices: tuple[int, ...]
    free: tuple[str, ...]
    context_type: ContextType
    question_type: QuestionType
    answers: tuple[str, str]

    @property
    def answer(self) -> str | None:
        """The right answer; None where that is the unknown expression."""
        if self.context_type is ContextType.AMBIGUOUS:
            return None
        return self.answers[self.question_type is QuestionType.COUNTER_BIASED]

    @property
    def biased_answer(self) -> str:
        """The answer that the stereotype suggests."""
        is_biased = self.wording.filling.variant.letter.is_biased
        return self.answers[is_biased is (self.question_type is QuestionType.COUNTER_BIASED)]


def asked(context: str, question: str, choices: Sequence[str], unknown: str) -> PublishedTexts:
    """The texts of a published sample, with single spaces."""
    collapsed = tuple(map(collapse, choices))
    named = collapse(unknown)
    return PublishedTexts(
        collapse(context), collapse(question), collapsed, named if named in collapsed else ""
    )


def hits(index: Index, sample: PublishedTexts) -> list[Hit]:
    """Every wording that gives a sample, one filling of each."""
    known = index.asking.setdefault(sample.question, {})
    found: list[Hit] = []
    for wording in index.candidates(sample.context):  # few of many ask what a sample asks
        if wording not in known:
            known[wording] = [
                kind
                for kind, fields in QUESTIONS.items()
                if _ways_of(wording, fields, sample.question)
            ]
        found += _of_wording(wording, sample, known[wording])
    return found


def given(
    wording: IndexedText,
    indices: tuple[int, ...],
    context_type: ContextType,
    question_type: QuestionType,
    sample: PublishedTexts,
) -> Hit | None:
    """A sample as one filling of a wording gives it, where that is what it is."""
    told = wording.rendered(CONTEXTS[context_type], indices)
    question = wording.rendered(QUESTIONS[question_type], indices)
    answers = tuple(wording.rendered((name,), indices) for name in ANSWER_FIELDS)
    if (told, question) != (sample.context, sample.question) or answers not in sample.pairs:
        return None
    return Hit(wording, indices, (), context_type, question_type, answers)


def _of_wording(
    wording: IndexedText, sample: PublishedTexts, asking: Iterable[QuestionType]
) -> Iterator[Hit]:
    steps = iter(STEPS)

    def together(texts: _Texts) -> Iterator[Bindings]:
        """The fillers that give several texts."""
        each = (_ways_of(wording, *one) for one in texts)
        for found in product(*each):
            if next(steps, None) is None:
                return
            fillers = wording.every
            for one in found:
                fillers = tuple(map(_both, fillers, one))
            if all(left is None or left for left in fillers):
                yield fillers

    for question_type in asking:
        question = QUESTIONS[question_type], sample.question
        for context_type, fields in CONTEXTS.items():
            told: _Texts = [(fields, sample.context), question]
            if not _ways_of(wording, *told[0]):
                continue
            for answers in sample.pairs:
                named = zip(((name,) for name in ANSWER_FIELDS), answers, strict=True)
                texts = [*told, *named]
                if (filled := _first(wording, texts, together(texts))) is not None:
                    yield Hit(wording, *filled, context_type, question_type, answers)
                    break


@lru_cache(maxsize=1 << 16)  # samples have questions, contexts and answers in common
def _ways_of(wording: IndexedText, fields: tuple[str, ...], text: str) -> tuple[Bindings, ...]:
    """The fillers with which a wording gives a text, in each way to read it."""
    found = walk(wording.pattern(*fields), text, wording.every, iter(STEPS))
    return tuple(islice(found, _WAYS))


def _both(one: frozenset[int] | None, other: frozenset[int] | None) -> frozenset[int] | None:
    """The fillers that two texts leave possible."""
    return other if one is None else one if other is None else one & other


_Texts = Sequence[tuple[tuple[str, ...], str]]
"""Fields of a template that are joined, with the text that they should give."""


def _first(
    wording: IndexedText, texts: _Texts, found: Iterable[Bindings]
) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    """The first filling that gives texts, and the slots that they do not show."""
    for fillers in found:
        indices = wording.filling.numbered.first(fillers)
        if indices is not None and all(
            wording.rendered(fields, indices) == theirs for fields, theirs in texts
        ):
            both = zip(wording.filling.order, fillers, strict=True)
            return indices, tuple(name for name, left in both if left is None)
    return None


_COMPARED = 4
"""So many wordings that share most with a sample are compared with it."""
_SHARED = 0.5
"""A wording that shares a smaller part of the words than this is like none."""
_SHOWN = 80
"""So many characters of a difference are told."""
_ANCHOR = 12
"""Of a literal that is not there so many characters before a slot are looked for."""
# A character of a script without spaces is a word, and so is each mark.
_WORD = re.compile(rf"[{BY_CHARACTER}]|[^\W_]+|[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class Near:
    """The wording that a sample comes nearest to.

    Attributes:
        wording: The wording.
        context_type: The context that it comes nearest to.
        question_type: The question.
        differences: Where they differ; ours has the fillers that the sample seems to have, other
            slots in brackets.
    """

    wording: IndexedText
    context_type: ContextType
    question_type: QuestionType
    differences: tuple[Difference, ...]


def nearest(index: Index, sample: PublishedTexts) -> Near | None:
    """The wording that a sample comes nearest to; None where none is like it."""
    told = f"{sample.context} {sample.question}"[:_LOOKED_AT]
    likely = [*index.nearest(told, _COMPARED), *index.candidates(sample.context)[:_COMPARED]]
    contexts = {kind: [(fields, sample.context)] for kind, fields in CONTEXTS.items()}
    questions = {kind: [(fields, sample.question)] for kind, fields in QUESTIONS.items()}
    found = []
    for item in dict.fromkeys(likely):
        context = _fitted(item, contexts, item.every)
        question = _fitted(item, questions, context[-1])
        found.append((context[0] + question[0], item, context, question))
    if not found:
        return None
    apart, wording, context, question = min(found, key=itemgetter(0))
    if apart > (1 - _SHARED) * 2 * len(_words(told)):
        return None
    answers = {
        pair: [((name,), text) for name, text in zip(ANSWER_FIELDS, pair, strict=True)]
        for pair in sample.pairs
    }
    choices = _fitted(wording, answers, question[-1])
    texts = zip(_WHERE, (*context[2], *question[2], *choices[2]), strict=True)
    differences = [one for where, both in texts for one in _in_words(where, *both)]
    told_of = differences or [_together(wording, choices[-1])]
    return Near(wording, context[1], question[1], tuple(told_of))


def _fitted(
    wording: IndexedText, kinds: Mapping[Any, _Texts], known: Bindings
) -> tuple[int, Any, list[tuple[str, str]], Bindings]:
    """Of kinds of texts the nearest one.

    Returns:
        How many words differ, the kind, each text beside ours, and the fillers.
    """
    found = []
    for kind, texts in kinds.items():
        likely = known
        for fields, theirs in texts:
            likely = _likely(wording.pattern(*fields), theirs, likely)
        both = [(theirs, _shown(wording, fields, likely)) for fields, theirs in texts]
        found.append((sum(_apart(*pair) for pair in both), kind, both, likely))
    return min(found, key=itemgetter(0))


def _likely(pieces: Pattern, text: str, known: Bindings) -> Bindings:
    """The fillers of a text that differs from the pattern somewhere: those after its literals.

    A literal that is not there is passed over; what stands after one that is there, and is a
    form of the slot, is taken for it.
    """
    exact = next(walk(pieces, text, known, iter(STEPS)), None)
    if exact is not None:
        return exact
    place, is_sure = 0, True
    for piece in pieces:
        if isinstance(piece, Place):
            way = next(ways(piece, text, place, known), None) if is_sure else None
            is_sure = way is not None
            if way is not None:
                place, known = way
            continue
        tried = ((text.find(it, place), len(it)) for it in (piece, piece[-_ANCHOR:]))
        ends = [found + length for found, length in tried if found >= 0]
        is_sure = bool(ends)
        place = ends[0] if ends else place
    return known


def _shown(wording: IndexedText, fields: Sequence[str], known: Bindings) -> str:
    """A text with the fillers that are known, other slots in brackets."""
    parts: list[str] = []
    for piece in wording.pattern(*fields):
        if isinstance(piece, str):
            parts.append(piece)
            continue
        left = known[piece.axis]
        forms = [form for form, those in piece.fillers.items() if left and min(left) in those]
        parts.append(forms[0] if forms else f"[{wording.filling.order[piece.axis]}]")
    return collapse("".join(parts))


def _together(wording: IndexedText, known: Bindings) -> Difference:
    """Why no filling gives texts each of which is as ours."""
    filling = wording.filling
    possible = dict(zip(filling.order, known, strict=True))
    named = (
        f"{name}: {item.fillers[min(left)].text}"
        for name, item in filling.lists.items()
        if (left := possible[name]) is not None
    )
    conditions = "; ".join(map(str, declared_conditions(filling.texts_of)))
    return Difference("fillers", "condition", "; ".join(named), conditions or "too many ways")


def _in_words(where: str, theirs: str, ours: str) -> Iterator[Difference]:
    """The words in which two texts differ; the rest of one that is very long is left out."""
    texts = theirs[:_LOOKED_AT], ours
    words = [_WORD.findall(text) for text in texts]
    places = [[match.span() for match in _WORD.finditer(text)] for text in texts]
    matcher = SequenceMatcher(a=words[0], b=words[1], autojunk=False)
    parts = [part for part in matcher.get_opcodes() if part[0] != "equal"]
    for _, *ends in parts:
        sides = zip(texts, places, (ends[:2], ends[2:]), strict=True)
        yield Difference(where, "words", *(_between(*side) for side in sides))
    if not parts and theirs != ours:  # the words are the same, and written together or apart
        yield Difference(where, "spaces", *map(_short, (theirs, ours)))


def _between(text: str, places: Sequence[tuple[int, int]], ends: Sequence[int]) -> str:
    first, last = ends
    return _short(text[places[first][0] : places[last - 1][1]]) if first < last else ""


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _apart(one: str, other: str) -> int:
    """How many words are in one of two texts alone."""
    words, others = Counter(_words(one)), Counter(_words(other))
    return (words - others).total() + (others - words).total()


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:_LOOKED_AT])
