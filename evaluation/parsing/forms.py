"""Sentences that affirm one choice: against another, or without words of answers."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from curation.languages import Replies
from evaluation.parsing.phrases import apart, as_pattern, as_words, one_of

CHOICE = "\ufdd2"
"""What stands in a sentence for the text of the choice that it names."""
OTHER = "\ufdd3"
"""What stands there for the text of the one that it is set against."""
_PART = ".{1,200}?"
_ANYTHING = r"[^.!?\n\u3002]{1,300}"
_SHORT = r"[^.!?\n\u3002]{1,120}"
_FEW = r"[^.!?\n\u3002]{1,60}?"
_NO_CHOICE = rf"[^.!?\n\u3002{CHOICE}{OTHER}]{{1,300}}"
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_END = "[ .!\u3002\"']*"


class Contrasts:
    """Finds 'B, not A' and 'not A but B'; all texts are in lower case."""

    def __init__(self, packs: Sequence[Replies]) -> None:
        self._packs = packs

    def find(self, text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield where what a text affirms stands, and where what it denies."""
        for words, whole in self._compiled:
            match = whole.fullmatch(text) if words.search(text) else None
            if match:
                yield match.span("yes"), match.span("no")

    def may_stand_in(self, text: str) -> bool:
        """Say whether the words of any stand in a text; where none do, in no part of it either."""
        return any(words.search(text) for words, _ in self._compiled)

    @cached_property
    def _compiled(self) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
        """Each phrase as a pattern, after its longest run of words, which most texts have not."""
        found = []
        for pack in self._packs:
            for phrase in pack.contrasts:
                pattern = as_pattern(phrase, pack)
                # Where a part of a text ends, words may end that go on in the text.
                words = max(re.split("[XY]", pattern), key=len).replace(r"\b", "")
                whole = pattern.replace("X", f"(?P<yes>{_PART})", 1)
                whole = whole.replace("Y", f"(?P<no>{_PART})", 1)
                found.append((re.compile(words), re.compile(rf"{whole}[ .!\u3002]*")))
        return found


class Telling:
    """Knows sentences that tell a choice without a word of answers: 'It was B who sang'."""

    def __init__(self, packs: Sequence[Replies]) -> None:
        self._packs = packs
        self._told: dict[str, re.Pattern[str]] = {}
        self._after_name = re.compile(f"(?:{one_of(packs, 'after_names')})")
        joining = one_of(packs, "joining")
        owning = one_of(packs, "owning")
        self._joined = re.compile(
            rf"{CHOICE} ?(?:{joining})\b|\b(?:{joining}) ?{CHOICE}|{CHOICE}(?:{owning})(?!\W*\Z)"
        )
        sources = one_of(packs, "sources")
        self._first, self._last = (
            re.compile(rf"\W*(?:{sources})[ ,、]*"),
            re.compile(rf"[ ,、]*(?:{sources})\W*\Z"),
        )
        self._aside = re.compile(as_words(packs, "asides"))
        self._denial = re.compile(as_words(packs, "denials"))

    def tells(self, sentence: str, *, by_letter: bool = False) -> bool:
        """Say whether a sentence with `CHOICE` in a choice's place tells it.

        Args:
            sentence: The sentence.
            by_letter: Whether that is its letter, which takes words of answers.
        """
        name = "described" if by_letter else "telling"
        if name not in self._told:
            told = one_of(self._packs, name)
            if not by_letter:
                told += f"|{one_of(self._packs, 'clefts')}"
            told = told.replace("X", CHOICE).replace("Z", _ANYTHING)
            self._told[name] = re.compile(rf"\W*?(?:{told})[ .!\u3002\"']*")
        return self._told[name].fullmatch(sentence) is not None

    def without_clause(self, sentence: str) -> str:
        """Take off what stands within 'the one who Z is B': a negation there is of the question.

        Its last word stays: it may negate what follows it.
        """
        return _without_groups(sentence, self._cleft)

    def identifies(self, sentence: str, *, subject: bool) -> tuple[str, str] | None:
        """A sentence that concludes `CHOICE`, without what is said of 'the one who'; None if none.

        It is given with the last word of that, which may negate what follows, and without.

        Args:
            sentence: The sentence, without what says that it concludes.
            subject: Whether 'B sang' concludes it too.
        """
        for pattern in (self._cleft, self._identifying):
            if pattern.fullmatch(sentence):
                bare = _without_groups(sentence, pattern, last=False)
                return _without_groups(sentence, pattern), bare
        told = subject and self._subject.fullmatch(sentence)
        return (sentence, sentence) if told else None

    @cached_property
    def _identifying(self) -> re.Pattern[str]:
        told = one_of(self._packs, "identifying").replace("X", CHOICE)
        return re.compile(rf"\W*?(?:{told.replace('Z', f'({_ANYTHING})')}){_END}")

    @cached_property
    def _subject(self) -> re.Pattern[str]:
        told = one_of(self._packs, "subjects").replace("X", CHOICE)
        return re.compile(rf"\W*?(?:{told.replace('Z', _ANYTHING)}){_END}")

    @cached_property
    def _verdict(self) -> re.Pattern[str]:
        begun = apart(self._packs, "verdicts", "[ ,:\u060c\u3001]")
        return re.compile(rf"\W*{begun.replace('Z', _FEW)}{{1,2}}")

    @cached_property
    def _therefore(self) -> re.Pattern[str]:
        return re.compile(rf"[ ,]*(?:{as_words(self._packs, 'therefore')})[ ,]*")

    @cached_property
    def _ground(self) -> re.Pattern[str]:
        return re.compile(rf"\W*(?:{as_words(self._packs, 'grounds').replace('Z', _SHORT)})")

    @cached_property
    def _reasoning(self) -> re.Pattern[str]:
        return re.compile(rf"\W*(?:{as_words(self._packs, 'reasoning').replace('Z', _ANYTHING)})")

    @cached_property
    def _fit(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "fitting").replace("Z", _FEW))

    def after_verdict(self, sentence: str) -> int:
        """Where what a sentence concludes begins after 'this means that'; 0 without such words."""
        match = self._verdict.match(sentence)
        return match.end() if match else 0

    def has_therefore(self, sentence: str) -> bool:
        """Say whether a word stands within a sentence that says that it concludes."""
        return self._therefore.search(sentence) is not None

    def without_therefore(self, sentence: str) -> str:
        """Take off the words within a sentence that say that it concludes."""
        return self._therefore.sub(" ", sentence).strip()

    def gives_ground(self, sentence: str) -> bool:
        """Say whether a sentence gives what the text says: 'The text says that Z'."""
        return self._ground.match(sentence) is not None

    def gives_reason(self, sentence: str) -> bool:
        """Say whether a sentence is a reason for the one before it: 'This is because Z'."""
        return self._reasoning.match(sentence) is not None

    def against_at(self, sentence: str) -> int | None:
        """Where what sets a clause against another one begins; None where nothing does."""
        match = self._whereas.search(sentence)
        return match.start() if match else None

    def fails(self, sentence: str) -> bool:
        """Say whether it is said of a choice that it is not the right one."""
        return self.denies(sentence) or self._failing.search(sentence) is not None

    @cached_property
    def _failing(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "failing").replace("Z", _FEW))

    def fits(self, sentence: str) -> bool:
        """Say whether it is said of a choice that it is the right one."""
        return self._fit.search(sentence) is not None

    def without_fit(self, sentence: str) -> str:
        """What is said of a choice besides, up to where it is said to be right."""
        match = self._fit.search(sentence)
        clause = re.split("[,;.\u060c\u3001]", sentence[: match.start()])[-1] if match else sentence
        return clause

    def picks(self, sentence: str) -> bool:
        """Say whether a sentence with `CHOICE` in it is of a form of 'the one who Z is B'."""
        return self._cleft.fullmatch(sentence) is not None

    def corrects(self, sentence: str) -> bool:
        """Say whether a sentence tells `CHOICE` and denies `OTHER`: 'not A but B sang'."""
        return self._corrected.fullmatch(sentence) is not None

    def sets_against(self, clause: str) -> bool:
        """Say whether a clause sets `OTHER` against a choice that was told: 'while A slept'."""
        return self._whereas.search(clause) is not None

    def without_against(self, clause: str) -> str:
        """Take off the words that set a clause against another: some are conditions elsewhere."""
        return self._whereas.sub(f" {OTHER} ", clause)

    @cached_property
    def _whereas(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "whereas").replace("Y", OTHER))

    @cached_property
    def _cleft(self) -> re.Pattern[str]:
        clefts = one_of(self._packs, "clefts").replace("X", CHOICE)
        return re.compile(rf"\W*?(?:{clefts.replace('Z', f'({_ANYTHING})')}){_END}")

    @cached_property
    def _corrected(self) -> re.Pattern[str]:
        told = one_of(self._packs, "corrections").replace("X", CHOICE).replace("Y", OTHER)
        return re.compile(rf"\W*?(?:{told.replace('Z', _NO_CHOICE)}){_END}")

    @cached_property
    def _added(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "also").replace("Y", OTHER))

    @cached_property
    def _thought(self) -> re.Pattern[str]:
        thought, turning = (as_words(self._packs, name) for name in ("first_thoughts", "turning"))
        return re.compile(rf"\W*(?:{thought})(?:{_SHORT}?)(?:{turning})[ ,]*")

    @cached_property
    def _courtesy(self) -> re.Pattern[str]:
        polite = one_of(self._packs, "courtesies").replace("Z", _ANYTHING)
        return re.compile(rf"\W*(?:{polite})\W*")

    @cached_property
    def _conclusion(self) -> re.Pattern[str]:
        heads = one_of(self._packs, "conclusions")
        return re.compile(rf"^(?:{heads})(?: ?:[ \n]*|\n)", re.MULTILINE)

    def adds(self, clause: str) -> bool:
        """Say whether a clause names a choice beside one that was told: 'and A too'."""
        return self._added.search(clause) is not None

    def after_name(self, text: str, at: int) -> int:
        """Where what goes with a name before a place ends: 'the one called B'."""
        match = self._after_name.match(text, at)
        return match.end() if match else at

    def reconsidered(self, sentence: str) -> int:
        """Where what a sentence tells begins after 'At first I thought of A, but'; 0 without it."""
        match = self._thought.match(sentence)
        return match.end() if match else 0

    def is_courtesy(self, sentence: str) -> bool:
        """Say whether a sentence is nothing but polite: 'Sure!', 'Let me know if Z'."""
        return self._courtesy.fullmatch(sentence) is not None

    def concludes(self, text: str) -> int:
        """Where what follows the last heading of a conclusion begins; 0 where there is none."""
        ends = [match.end() for match in self._conclusion.finditer(text)]
        return ends[-1] if ends else 0

    def joins(self, sentence: str) -> bool:
        """Say whether another is named that is no choice: 'and' or "'s" is beside `CHOICE`."""
        return self._joined.search(sentence) is not None

    def without_source(self, sentence: str) -> tuple[int, int]:
        """Where a sentence begins and ends without 'from the text' at its ends."""
        first = self._first.match(sentence)
        start = first.end() if first else 0
        last = self._last.search(sentence, start)
        return start, last.start() if last else len(sentence)

    def is_aside(self, sentence: str) -> bool:
        """Say whether a sentence is about the talk or the text, or asks for something."""
        return self._aside.search(sentence) is not None

    def denies(self, sentence: str) -> bool:
        """Say whether a sentence says of an answer that it is not right."""
        return self._denial.search(sentence) is not None


def _without_groups(sentence: str, pattern: re.Pattern[str], *, last: bool = True) -> str:
    match = pattern.fullmatch(sentence)
    if match is None:
        return sentence
    within = [span for span in match.regs[1:] if span[0] >= 0]
    for first, after in reversed(within):
        end = sentence.rfind(" ", first, after)
        if end < 0 and not _EAST_ASIAN.search(sentence, first, after):
            end = first  # a single word
        keeps = last and sentence.find(CHOICE, after) >= 0 and end >= 0
        sentence = f"{sentence[:first]} {sentence[end if keeps else after :]}"
    return sentence


class Undecided:
    """Finds statements that the text does not say, and the choice for this; in lower case.

    Args:
        packs: The words of languages.
        asked: What prompts call that choice, beside what languages do.
    """

    def __init__(self, packs: Sequence[Replies], asked: Collection[str] = ()) -> None:
        self._packs, self._asked = packs, asked
        self._said: re.Pattern[str] | None = None
        self._nothing: re.Pattern[str] | None = None
        self._unknown = re.compile(rf"\W*(?:{one_of(packs, 'unknown')})\W*")

    def find(self, text: str) -> tuple[str, str] | None:
        """What stands before the first words that say so and after the last; None without any."""
        if self._said is None:
            self._said = re.compile(as_words(self._packs, "undecided").replace("Z", _ANYTHING))
        found = list(self._said.finditer(text))
        return (text[: found[0].start()], text[found[-1].end() :]) if found else None

    def tells_nothing(self, text: str) -> tuple[str, str] | None:
        """The same as `find`, by more words: for replies of which no sentence tells a choice."""
        found = list(self._silent.finditer(text))
        return (text[: found[0].start()], text[found[-1].end() :]) if found else None

    def is_elsewhere(self, text: str) -> bool:
        """Say whether a text says that something else is not told: 'why', and not who."""
        return self._elsewhere.search(text) is not None and self._who.search(text) is None

    def declines(self, text: str) -> bool:
        """Say whether a text declines to answer, or asks for what it is about."""
        return self._declining.search(text) is not None

    @cached_property
    def _elsewhere(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "elsewhere"))

    @cached_property
    def _who(self) -> re.Pattern[str]:
        asking = [
            as_pattern(pack.parts["who"], pack) for pack in self._packs if "who" in pack.parts
        ]
        return re.compile(rf"\b(?:{'|'.join(asking) or '(?!)'})\b")

    @cached_property
    def _declining(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "declining"))

    def without(self, text: str) -> str:
        """A text without such words; what stands after a comma among them stays: it may doubt."""
        return self._silent.sub(lambda said: f" {said[0].partition(',')[2]}", text)

    def warns(self, text: str) -> bool:
        """Say whether a text warns of assuming anything: 'that would be a stereotype'."""
        return self._guarding.search(text) is not None or self.says_nothing(text)

    @cached_property
    def _silent(self) -> re.Pattern[str]:
        said = "|".join(as_words(self._packs, name) for name in ("silent", "undecided"))
        return re.compile(said.replace("Z", _ANYTHING))

    @cached_property
    def _guarding(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "guarding").replace("Z", _ANYTHING))

    def says_nothing(self, text: str) -> bool:
        """Say whether a text tells of something that nothing follows from it."""
        if self._nothing is None:
            nothing = as_words(self._packs, "uninformative").replace("Z", _ANYTHING)
            self._nothing = re.compile(nothing)
        return self._nothing.search(text) is not None

    def choice(self, choices: Sequence[str]) -> int | None:
        """The position of the one choice that says so; None where none does, or several."""
        said = [at for at, text in enumerate(choices) if self._unknown.fullmatch(text)]
        said = said or [at for at, text in enumerate(choices) if text in self._asked]
        said = said or [at for at, text in enumerate(choices) if self.find(text)]
        return said[0] if len(said) == 1 else None
