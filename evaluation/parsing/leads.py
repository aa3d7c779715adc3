"""The words that make a statement of what follows, or of what goes before; in lower case."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.languages import Replies
from evaluation.parsing.hedge import Hedging, Negation
from evaluation.parsing.phrases import apart, as_words, begun, one_of

_SENTENCE_LENGTH = 300  # characters before a lead that are looked at as its sentence
_END = "(?=\\s|\\Z|[\u3000-\u9fff\uac00-\ud7af])"  # scripts of East Asia need no space
SENTENCE = re.compile(rf"(?<![.!?])[.!?]++{_END}|。+|\n")
"""Where a sentence ends."""
_COLON = " *(?:[:=]|-(?= ))"  # after a heading
_BLANK = re.compile(r"[ ,،、:]")
_PHRASE = re.compile(r"[,、:] *\Z")


@dataclass(frozen=True, slots=True)
class Lead:
    """Words such as 'the answer is'.

    Attributes:
        start: Where they begin, words such as 'so my' among them.
        end: Where what is stated begins.
        free: Whether what stands before them in their sentence leaves them a statement.
    """

    start: int
    end: int
    free: bool


class Leads:
    """Finds such words of some languages.

    Attributes:
        bare: A heading without a colon, before a reply that is nothing else.
        heading: The same on a line of its own, with a colon or without.
        opening: What may open a sentence that is otherwise nothing but a choice: 'So it is'.
        tail: What stands after one: 'B is the correct answer'.
        explanation: The heading of an explanation, on the line after an answer.
        stop: Where a stated answer may end.
    """

    def __init__(self, packs: Sequence[Replies], hedging: Hedging, negation: Negation) -> None:
        self._hedging, self._negation = hedging, negation
        lead = _lead(packs)
        self._lead = re.compile(lead)
        self._before = {word for pack in packs for word in pack.before_statements}
        self._tied = [word for pack in packs if pack.spaces == "none" for word in pack.concluding]
        self._concluding = {word for pack in packs for word in pack.concluding}
        before = apart(packs, "before_statements", ",?[ ]")
        self._next = re.compile(rf"{before}{{0,4}}(?:{lead})")
        self.bare = re.compile(rf"(?:{one_of(packs, 'bare_headings')})[ \n]")
        headings = f"{one_of(packs, 'bare_headings')}|{one_of(packs, 'conclusions')}"
        self.heading = re.compile(rf"^(?:{headings}) ?[:.\u3002]?\n", re.MULTILINE)
        connecting, thinking = one_of(packs, "connecting"), one_of(packs, "thinking")
        connected = f"{apart(packs, 'connecting', '[ ,、:]')}{{0,4}}"
        thought = apart(packs, "thinking", "[ ,、:]")
        it_is = apart(packs, "it_is", "[ :]")
        self._connects = re.compile(rf"\W*{connected}\W*")
        self.opening = re.compile(rf"{connected}{thought}?{it_is}?(?=\S)")
        self._free = re.compile(
            rf"(?:(?:{connecting})[ ,、:]*|{connected}(?:{thinking})[ ,、:]*|\W*)\Z"
        )
        self.tail = re.compile(rf",? (?:{one_of(packs, 'after_items')})$")
        self.explanation = re.compile(rf"\(?(?:{one_of(packs, 'explaining')}) ?(?::|\n|$)")
        unspaced = [pack for pack in packs if pack.spaces == "none"]
        self.stop = re.compile(
            rf"[.!]+{_END}|。+|,? +(?=(?:{as_words(packs, 'reasons')}))"
            rf"|[,、]? *(?=(?:{one_of(unspaced, 'reasons')}))|\n|\Z"
        )
        self._because = re.compile(rf"(?:{as_words(packs, 'reasons')})\W*\w")
        names = ("headings", "bare_headings", "choice_names", "conclusions")
        self._answer = re.compile("|".join(as_words(packs, name) for name in names))
        self._attached = re.compile(rf"(?:{one_of(unspaced, 'before_statements')})[ ,、]*\Z")
        self._clause = re.compile(rf"(?:{one_of(packs, 'clauses')})[ ,、]*\Z")
        self._part = re.compile(rf"[,;\u3001] *|(?:{one_of(packs, 'clauses')}) ")
        self._turning = re.compile(as_words(packs, "turning"))
        self._rereading = re.compile(one_of(packs, "rereading"))
        self._reread = re.compile(
            rf"(?:(?:{one_of(packs, 'rereading')})[ ,、]*)?{connected}{thought}?[ ,、]*"
        )
        speaking = one_of(packs, "speaking").replace(
            "Z", rf"[^.!?\n\u3002]{{1,{_SENTENCE_LENGTH}}}"
        )
        self._speaking = re.compile(f"(?:{speaking})")
        self._reported = re.compile(as_words(packs, "reported"))
        self._reason = re.compile(rf"\W*(?:{as_words(packs, 'first_reasons')})")

    def find(self, text: str) -> Iterator[Lead]:
        """Yield what stands before stated answers: 'The answer is', 'Answer:', 'I choose'."""
        begin = 0
        for match in self._lead.finditer(text):
            start = max(begin, match.start() - _SENTENCE_LENGTH)
            sentence = SENTENCE.split(text[start : match.start()])[-1]
            before, concludes = self._without_determiners(sentence)
            begin = match.end()
            if not self._next.match(text, begin):  # else another lead follows at once
                words = sentence.lstrip()
                at = match.start() - len(words) + len(before)
                yield Lead(at, begin, self._leads_freely(before, concludes))

    def _without_determiners(self, before: str) -> tuple[str, bool]:
        """Take 'so the correct' off the end of what stands before 'answer is'.

        Returns:
            What is left, and whether a word was among them that concludes.
        """
        concludes = False
        before = before.strip()
        while before:
            head, _, last = before.rpartition(" ")
            word = last.strip(",\"'({*-")
            if word and word not in self._before:
                attached = self._attached.search(before)
                if attached is None:
                    break
                concludes |= attached[0].rstrip(" ,、") in self._concluding
                before = before[: attached.start()].rstrip()
                continue
            concludes |= word in self._concluding
            before = head.rstrip()
        return before, concludes

    def after(self, text: str) -> int:
        """Where what is stated begins in a text that opens with a lead; 0 where none does."""
        match = self._lead.match(text)
        return match.end() if match else 0

    def _leads_freely(self, before: str, concludes: bool) -> bool:
        """Say whether words before 'the answer is', in its sentence, leave it a statement.

        They do where there are none, where they only connect ('so', 'I think that'), and where they
        are a phrase or clause of their own that neither supposes anything nor tells what others
        say: 'Since the text does not say it, the answer is'. All else may negate what follows.

        Args:
            before: The words.
            concludes: Whether 'so' or the like stands between them and 'the answer is'.
        """
        if self._free.match(before) or self._turns(before):
            return True
        if self._tells_speaker(before):
            return True
        if self._hedging.supposes(before) or self._reported.search(before):
            return False
        if concludes or self._clause.search(before):
            return True
        if not _PHRASE.search(before):
            return False
        return bool(self._reason.match(before)) or not (
            self._hedging.hedges(before) or self._negation.negates(before)
        )

    def _tells_speaker(self, before: str) -> bool:
        """Say whether words are 'As someone who never drove': who speaks, whatever that says."""
        told = before.strip(" ,、")
        clause = told.rpartition(",")[2] if "," in told else ""
        return self._speaking.fullmatch(told) is not None and not self._hedging.supposes(clause)

    def _turns(self, before: str) -> bool:
        """Say whether what stands before a statement is over: 'I thought of A, but on reading'."""
        at = 0
        for turn in self._turning.finditer(before):
            at = turn.end()
        rest = before[at:].strip(" ,、")
        return self._rereading.fullmatch(rest) is not None or (at > 0 and not rest)

    def after_rereading(self, text: str, start: int) -> int:
        """Where what follows 'on rereading the text, I think that' begins, from a place on."""
        match = self._reread.match(text, start)
        return match.end() if match else start

    def concludes_at(self, text: str, start: int) -> bool:
        """Say whether a sentence that begins at a place begins with 'so' or the like."""
        word = _BLANK.split(text[start : start + _SENTENCE_LENGTH], maxsplit=1)[0]
        if word in self._concluding:
            return True
        return any(text.startswith(one, start) for one in self._tied)

    def reasons_freely(self, phrase: str) -> bool:
        """Say whether a phrase before a comma is a reason that leaves what follows a statement."""
        reasons = self._reason.match(phrase) or self._clause.search(phrase)
        return bool(reasons) and self._leads_freely(phrase, concludes=False)

    def only_connects(self, text: str) -> bool:
        """Say whether a text is nothing but 'so' or 'therefore'."""
        return self._connects.fullmatch(text) is not None

    def parts(self, text: str) -> Iterator[int]:
        """Yield where the parts of a sentence begin, after commas and reasons."""
        for part in self._part.finditer(text):
            yield part.end()

    def gives_reason(self, text: str, start: int) -> bool:
        """Say whether a reason begins at a place: 'because the text says so'."""
        return self._because.match(text, start) is not None

    def reports(self, text: str) -> bool:
        """Say whether a text tells what others say."""
        return self._reported.search(text) is not None

    def turns_at(self, text: str) -> int | None:
        """Where 'but' or 'although' stands first in a text; None where it does not."""
        turn = self._turning.search(text)
        return turn.start() if turn else None

    def answers(self, line: str) -> bool:
        """Say whether a word for an answer stands in a line, such as the heading of one."""
        return self._answer.search(line) is not None

    def joints(self, text: str) -> Iterator[int]:
        """Yield where what follows 'but' or 'so' begins, anywhere in a sentence."""
        for turn in self._turning.finditer(text):
            yield turn.start()
        for start in (0, *self.parts(text)):
            if self.concludes_at(text, start):
                yield start

    def opens_freely(self, phrase: str) -> bool:
        """Say whether a phrase before a comma leaves what follows a statement."""
        return self._leads_freely(phrase, concludes=False)


def _lead(packs: Sequence[Replies]) -> str:
    """A pattern of 'the answer is', 'answer:' and 'I choose'."""
    stated = [
        f"{begun(pack, 'statements')}(?: +(?:{one_of((pack,), 'after_statements')}))?"
        for pack in packs
    ]
    headed = [
        begun(pack, "headings")
        + (rf"(?= *\"?{_COLON})" if pack.quoted_headings else f"(?={_COLON})")
        for pack in packs
    ]
    chosen = "|".join(begun(pack, "choosing") for pack in packs if pack.choosing)
    return rf"(?:{'|'.join((*stated, *headed))})\"?{_COLON}?[:=]*\s*|(?:{chosen or '(?!)'}) *:?\s*"
