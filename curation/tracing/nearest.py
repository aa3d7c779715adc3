"""The template that a sample comes nearest to, and where they differ."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from typing import TypeVar

from curation.records.bank import ANSWER_FIELDS, ContextType, QuestionType
from curation.tracing.index import Index, Wording
from curation.tracing.patterns import Bindings, Bound, Pattern, Place, collapse, walk, ways
from curation.tracing.search import CONTEXTS, QUESTIONS, Asked, Difference

_COMPARED = 4
"""So many wordings that share most with a sample are compared with it."""
_SHARED = 0.5
"""A wording that shares a smaller part of the words than this is like none."""
_LOOKED_AT = 4000
"""So many characters of a sample are compared."""
_LONGER = 2
"""Where a text is longer than so many times ours, the rest of it is one difference."""
_TRIED = 20
"""So many places are tried where a filler stands that no literal leads to."""
_SHOWN = 80
"""So many characters of a difference are told."""
_ANCHOR = 12
"""Of a literal that is not there so many characters before a slot are looked for."""
# A character of a script without spaces is a word, and so is each mark.
_WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]|[^\\W_]+|[^\\w\\s]|_")

_Kind = TypeVar("_Kind", ContextType, QuestionType)


@dataclass(frozen=True, slots=True)
class Near:
    """The wording that a sample comes nearest to.

    Attributes:
        wording: The wording.
        context_type: The context that it comes nearest to.
        question_type: The question.
        differences: Where they differ.
    """

    wording: Wording
    context_type: ContextType
    question_type: QuestionType
    differences: tuple[Difference, ...]


def nearest(index: Index, sample: Asked) -> Near | None:
    """The wording that a sample comes nearest to; None where none is like it."""
    told = f"{sample.context} {sample.question}"[:_LOOKED_AT]
    likely = [*index.nearest(told, _COMPARED), *index.candidates(sample.context)[:_COMPARED]]
    fitted = [_fitted(wording, sample) for wording in dict.fromkeys(likely)]
    best = min(fitted, key=lambda item: item.apart, default=None)
    if best is None or best.apart > (1 - _SHARED) * 2 * len(_words(told)):
        return None
    differences = tuple(_differences(_looked_for(best, sample), sample))
    return Near(best.wording, best.context_type, best.question_type, differences)


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A wording with the fillers that a sample seems to have, and the other slots in brackets.

    Attributes:
        apart: How many words of context and question differ.
    """

    wording: Wording
    context_type: ContextType
    question_type: QuestionType
    context: str
    question: str
    known: Bindings
    apart: int


def _fitted(wording: Wording, sample: Asked) -> _Fitted:
    def best(
        kinds: Mapping[_Kind, tuple[str, ...]], theirs: str, known: Bindings
    ) -> tuple[int, _Kind, str, Bindings]:
        """How far the nearest kind of a text is apart, which it is, how it reads, its fillers."""
        found = []
        for kind, fields in kinds.items():
            likely = _likely(wording.pattern(*fields), theirs, known)
            text = _shown(wording, fields, likely)
            found.append((_apart(theirs, text), kind, text, likely))
        return min(found, key=lambda item: item[0])

    apart, context_type, context, known = best(CONTEXTS, sample.context, wording.every)
    more, question_type, question, known = best(QUESTIONS, sample.question, known)
    kinds = context_type, question_type
    return _Fitted(wording, *kinds, context, question, known, apart + more)


def _likely(pieces: Pattern, text: str, known: Bindings) -> Bindings:
    """The fillers of a text that differs from the pattern somewhere: those after its literals.

    A literal that is not there is passed over; what stands after one that is there, and is a
    form of the slot, is taken for it.
    """
    exact = next(walk(pieces, text, known, Bound()), None)
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
        found, length = next(
            (
                (at, len(literal))
                for literal in (piece, piece[-_ANCHOR:])
                if (at := text.find(literal, place)) >= 0
            ),
            (-1, 0),
        )
        is_sure = found >= 0
        place = found + length if is_sure else place
    return known


def _looked_for(fitted: _Fitted, sample: Asked) -> _Fitted:
    """The same with fillers of the slots left in brackets, where these stand in the context."""
    fields = CONTEXTS[fitted.context_type]
    text = sample.context[:_LOOKED_AT]
    starts = [match.start() for match in _WORD.finditer(text)]
    for piece in fitted.wording.pattern(*fields):
        if isinstance(piece, str) or fitted.known[piece.axis] is not None:
            continue
        found = ((start, next(ways(piece, text, start, fitted.known), None)) for start in starts)
        stand = ((start, way) for start, way in found if way is not None and way[0] > start)
        for start, way in islice(stand, _TRIED):
            shown = _shown(fitted.wording, fields, way[1])
            if _apart(sample.context, shown) < _apart(sample.context, fitted.context):
                fitted = replace(fitted, context=shown, known=way[1])
                starts = [at for at in starts if not start <= at < way[0]]
                break
    question = _shown(fitted.wording, QUESTIONS[fitted.question_type], fitted.known)
    return replace(fitted, question=question)


def _shown(wording: Wording, fields: Sequence[str], known: Bindings) -> str:
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


def _differences(fitted: _Fitted, sample: Asked) -> Iterator[Difference]:
    found = [
        *_in_words("context", sample.context, fitted.context),
        *_in_words("question", sample.question, fitted.question),
    ]
    known, wording = fitted.known, fitted.wording
    choices = []
    for pair in sample.pairs:
        left = known
        for name, text in zip(ANSWER_FIELDS, pair, strict=True):
            left = _likely(wording.pattern(name), text, left)
        ours = [_shown(wording, (name,), left) for name in ANSWER_FIELDS]
        apart = sum(_apart(*both) for both in zip(pair, ours, strict=True))
        choices.append((apart, pair, ours, left))
    _, theirs, answers, known = min(choices, key=lambda item: item[0])
    for one, other in zip(theirs, answers, strict=True):
        found += _in_words("choices", one, other)
    yield from found or [_together(wording, known)]


def _together(wording: Wording, known: Bindings) -> Difference:
    """Why no filling gives texts each of which is as ours."""
    unmet = wording.unmet(known)
    if not unmet:
        return Difference("fillers", "steps", "", "too many ways to read it, not all were tried")
    filling = wording.filling
    possible = dict(zip(filling.order, known, strict=True))
    named = (
        f"{name}: {item.fillers[min(left)].text}"
        for name, item in filling.lists.items()
        if (left := possible[name]) is not None
    )
    return Difference("fillers", "condition", "; ".join(named), "; ".join(unmet))


def _in_words(where: str, theirs: str, ours: str) -> Iterator[Difference]:
    """The words in which two texts differ; the rest of one that is much longer is one."""
    if theirs == ours:
        return
    limit = _LONGER * len(ours) + _SHOWN
    spans = [match.span() for match in _WORD.finditer(theirs[:limit])]
    own = [match.span() for match in _WORD.finditer(ours)]
    matcher = SequenceMatcher(
        None,
        [ours[slice(*span)] for span in own],
        [theirs[slice(*span)] for span in spans],
        autojunk=False,
    )
    parts = [item for item in matcher.get_opcodes() if item[0] != "equal"]
    for _, first, last, start, end in parts:
        pair = _between(theirs, spans, start, end), _between(ours, own, first, last)
        yield Difference(where, "words", *pair)
    if len(theirs) > limit:
        yield Difference(where, "words", f"({len(theirs) - limit} more characters)", "")
    elif not parts:  # the words are the same, and written together or apart
        at = next((at for at, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), 0)
        start = max(0, at - _ANCHOR)
        yield Difference(where, "spaces", _short(theirs[start:]), _short(ours[start:]))


def _between(text: str, spans: Sequence[tuple[int, int]], first: int, last: int) -> str:
    return _short(text[spans[first][0] : spans[last - 1][1]]) if first < last else ""


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _apart(one: str, other: str) -> int:
    """How many words are in one of two texts alone."""
    words, others = Counter(_words(one)), Counter(_words(other))
    return (words - others).total() + (others - words).total()


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:_LOOKED_AT])
