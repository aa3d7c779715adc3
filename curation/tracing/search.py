"""Which wordings of a bank, filled how, give one published sample."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from curation.records.bank import ANSWER_FIELDS, ContextType, QuestionType
from curation.tracing.index import Index, Wording
from curation.tracing.patterns import Bindings, Bound, collapse, is_initial, walk

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
_WHERE = ("context", "question", "choices", "choices")


@dataclass(frozen=True, slots=True)
class Asked:
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
        kind: `capital` where letters at the beginning of a sentence differ in case, `hidden`
            where characters do that show nothing, `words` where words do, `spaces` where the
            same words are written together or apart, `condition` where fillers do not go
            together, `steps` where there are too many ways to read the texts to try them all.
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
        differences: Letters that differ in case; none where it is as ours.
    """

    wording: Wording
    indices: tuple[int, ...]
    free: tuple[str, ...]
    context_type: ContextType
    question_type: QuestionType
    answers: tuple[str, str]
    differences: tuple[Difference, ...]

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


def asked(context: str, question: str, choices: Sequence[str], unknown: str) -> Asked:
    """The texts of a published sample, with single spaces."""
    collapsed = tuple(map(collapse, choices))
    named = collapse(unknown)
    return Asked(
        collapse(context), collapse(question), collapsed, named if named in collapsed else ""
    )


def hits(index: Index, sample: Asked) -> list[Hit]:
    """Every wording that gives a sample, one filling of each.

    Where none gives it exactly, those are taken that do except for the case of letters at the
    beginning of a sentence.
    """
    candidates = index.candidates(sample.context)
    for capitals in (False, True):
        found = [
            hit for wording in candidates for hit in _of_wording(wording, sample, capitals=capitals)
        ]
        if found:
            return found
    return []


def given(
    wording: Wording,
    indices: tuple[int, ...],
    context_type: ContextType,
    question_type: QuestionType,
    sample: Asked,
) -> Hit | None:
    """A sample as one filling of a wording gives it, where that is what it is."""
    told = wording.rendered(CONTEXTS[context_type], indices)
    question = wording.rendered(QUESTIONS[question_type], indices)
    answers = tuple(wording.rendered((name,), indices) for name in ANSWER_FIELDS)
    if (told, question) != (sample.context, sample.question) or answers not in sample.pairs:
        return None
    return Hit(wording, indices, (), context_type, question_type, answers, ())


def _of_wording(wording: Wording, sample: Asked, *, capitals: bool) -> Iterator[Hit]:
    walker = _Walker(wording, Bound(), capitals=capitals)
    for question_type, asked_of in QUESTIONS.items():
        question: _Texts = [(asked_of, sample.question)]
        if not walker.gives(question):
            continue
        for context_type, fields in CONTEXTS.items():
            told: _Texts = [(fields, sample.context), *question]
            if not walker.gives(told):
                continue
            for answers in sample.pairs:
                named = (((name,), text) for name, text in zip(ANSWER_FIELDS, answers, strict=True))
                filled = walker.first([*told, *named])
                if filled is not None:
                    indices, free, differences = filled
                    yield Hit(
                        wording, indices, free, context_type, question_type, answers, differences
                    )
                    break


_Texts = Sequence[tuple[tuple[str, ...], str]]
"""Fields of a template that are joined, with the text that they should give."""


@dataclass(frozen=True, slots=True)
class _Walker:
    """Walks through texts of one wording."""

    wording: Wording
    bound: Bound
    capitals: bool

    def gives(self, texts: _Texts) -> bool:
        """Whether some fillers may give texts."""
        return next(self._together(texts, self.wording.every), None) is not None

    def first(
        self, texts: _Texts
    ) -> tuple[tuple[int, ...], tuple[str, ...], tuple[Difference, ...]] | None:
        """The first filling that gives texts: found by walking, then filled in and compared."""
        for fillers in self._together(texts, self.wording.every):
            indices = self.wording.filling.numbered.first(fillers)
            if indices is None:
                continue
            found = []
            for where, (fields, theirs) in zip(_WHERE, texts, strict=True):
                ours = self.wording.rendered(fields, indices)
                if ours != theirs:
                    if not (self.capitals and _in_capitals(ours, theirs)):
                        break
                    found.append(Difference(where, "capital", theirs, ours))
            else:
                free = (
                    name
                    for name, left in zip(self.wording.filling.order, fillers, strict=True)
                    if left is None
                )
                return indices, tuple(free), tuple(found)
        return None

    def _together(self, texts: _Texts, known: Bindings) -> Iterator[Bindings]:
        """The fillers that give several texts."""
        if not texts:
            yield known
            return
        fields, text = texts[0]
        pieces = self.wording.pattern(*fields)
        for fillers in walk(pieces, text, known, self.bound, capitals=self.capitals):
            yield from self._together(texts[1:], fillers)


def _in_capitals(ours: str, theirs: str) -> bool:
    """Whether two texts are the same except for the case of letters that begin a sentence."""
    return len(ours) == len(theirs) and all(
        one == other or (one.swapcase() == other and is_initial(theirs, at))
        for at, (one, other) in enumerate(zip(ours, theirs, strict=True))
    )
