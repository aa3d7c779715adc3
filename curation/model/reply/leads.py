"""The words that make a statement of what follows, or of what goes before; in lower case."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from curation.model.reply.hedge import hedges, supposes
from curation.model.reply.negation import negates

_SENTENCE_LENGTH = 300  # signs before a lead that are looked at as its sentence
_RIGHT = (
    r"(?:(?:most|only|more) )?(?:correct|right|best|better|appropriate|suitable|accurate|fitting)"
)
_LEAD = re.compile(
    r"(?:\b(?:answers?|choices?|option|selection|response)"
    r"(?: (?:to|for) (?:the|this|that|your) (?:above )?question)?"
    r"(?:'s| *(?:is|are|would be|should be|must be))\b"
    r"(?: +(?:definitely|clearly|simply|therefore|thus|that|hence|as follows))?"
    r"|\b(?:answers?|choice|selection|ans)\b(?= *\"? *[:=])"
    r"|(?<![가-힣])(?:정답|해답|답변|대답|답안|답|선택)(?: ?[은는]|(?= ?[:=])))\"? *[:=]*\s*"
    r"|\bi(?:'d|'ll| would| will| must| have to)?(?: have)? +"
    r"(?:choose|chose|chosen|pick|picked|select|selected|answer|go with|opt for)\b *:?\s*"
)
_DETERMINERS = frozenset(
    (
        *("so", "thus", "therefore", "hence", "and", "my", "the", "final", "overall", "most"),
        *("only", "correct", "right", "best", "appropriate", "suitable", "accurate", "fitting"),
        *(
            "따라서",
            "그러므로",
            "그래서",
            "즉",
            "결론적으로",
            "제",
            "저의",
            "나의",
            "최종",
            "최종적인",
        ),
        *("올바른", "맞는", "알맞은", "적절한", "적합한", "가장", "옳은"),
        *("제가", "고른", "선택한", "생각하는"),
    )
)
_NEXT = re.compile(rf"(?:(?:{'|'.join(sorted(_DETERMINERS))}),? +){{0,4}}(?:{_LEAD.pattern})")
BARE_LEAD = re.compile(r"(?:(?:final |correct )?answer|ans|정답|답변|답)[ \n]")
"""A heading without a colon, before a reply that is nothing else."""

_CONNECTIVE = (
    r"(?:so|thus|therefore|hence|then|and|but|however|yet|ok(?:ay)?|sure|well|finally|overall"
    r"|clearly|in (?:conclusion|summary|short)|as a result|따라서|그러므로|그래서|즉|결론적으로"
    r"|그렇다면|이에 따라|결국|하지만|그러나|그런데|다만|오히려)"
)
_THINK = (
    r"(?:i(?:'d| would)? (?:think|believe|conclude|say)(?: that)?"
    r"|(?:this|that|which|it) (?:means|shows)(?: that)?"
    r"|(?:we|i) (?:can |may )?(?:conclude|see|say)(?: that)?|it is clear that|it follows that"
    r"|저는|제 생각에는?|내 생각에는?)"
)
_IT_IS = r"(?:it(?:'s| is| was| must be| has to be)|that(?:'s| is)|this is)"
OPENING = re.compile(rf"(?:{_CONNECTIVE}[ ,:]+){{0,4}}(?:{_THINK}[ ,:]+)?(?:{_IT_IS}[ :]+)?(?=\S)")
"""What may open a sentence that is otherwise nothing but a choice: 'So I think it is'."""

_ANSWER = r"(?:answer|choice|option|one|selection)"
TAIL = re.compile(
    r"(?P<item>.+?),? (?:is|are|would be|must be|has to be) "
    rf"(?:(?:the|my|a) )?(?:{_RIGHT} )?{_ANSWER}$"
    rf"|(?P<right>.+?),? (?:is|are) (?:the )?{_RIGHT}$",
    re.DOTALL,
)
"""What stands after one: 'B is the correct answer'."""
TAIL_END = re.compile(rf" (?:{_ANSWER}|{_RIGHT})$")
"""How such a sentence ends: quicker to be found."""

EXPLANATION = re.compile(
    r"\(?(?:(?:brief |short )?(?:explanation|reason(?:ing)?|rationale|justification)"
    r"|설명|해설|이유|근거|풀이) ?(?::|\n|$)"
)
"""The heading of an explanation, on the line after an answer."""

STOP = re.compile(r"[.!。]+(?=\s|\Z)|,? +(?=(?:because|since|as)\b)|\n|\Z")
"""Where a stated answer may end."""

SENTENCE = re.compile(r"[.!?。]+(?=\s|\Z)|\n")
"""Where a sentence ends."""

_FREE = re.compile(rf"(?:{_CONNECTIVE}[ ,:]*|(?:{_CONNECTIVE}[ ,:]+){{0,4}}{_THINK}[ ,:]*|\W*)\Z")
_PHRASE = re.compile(r", *\Z")
_CLAUSE = re.compile(
    r"(?:므로|니까|[가-힣]서|때문에|고려하면|고려할 때|보면|볼 때|따르면|의하면|종합하면|따라"
    r"|(?:질문|문제|물음)(?:의|에 대한)|그러면|그렇다면|그럼|이에)\Z"
)
_REPORTED = re.compile(
    r"\b(?:people|someone|somebody|others|society|stereotyp\w*|bias\w*|you)\b|고정관념|사람들"
)
_REASON = re.compile(r"\W*(?:(?:so|and|but|also),? )?(?:since|because|as|given|based|according)\b")
_CONCLUDING = frozenset(("so", "thus", "therefore", "hence", "따라서", "그러므로", "그래서", "즉"))


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


def find_leads(text: str) -> Iterator[Lead]:
    """Yield what stands before stated answers: 'The answer is', 'Answer:', 'I choose', '정답은'."""
    begin = 0
    for match in _LEAD.finditer(text):
        start = max(begin, match.start() - _SENTENCE_LENGTH)
        sentence = SENTENCE.split(text[start : match.start()])[-1]
        before, concludes = _without_determiners(sentence)
        begin = match.end()
        if not _NEXT.match(text, begin):  # else another lead follows at once
            words = sentence.lstrip()
            at = match.start() - len(words) + len(before)
            yield Lead(at, begin, _leads_freely(before, concludes))


def _without_determiners(before: str) -> tuple[str, bool]:
    """Take 'so the correct' off the end of what stands before 'answer is'.

    Returns:
        What is left, and whether a word was among them that concludes.
    """
    concludes = False
    before = before.strip()
    while before:
        head, _, last = before.rpartition(" ")
        word = last.strip(",\"'({*-")
        if word and word not in _DETERMINERS:
            break
        concludes |= word in _CONCLUDING
        before = head.rstrip()
    return before, concludes


def after_lead(text: str) -> int:
    """Give where what is stated begins in a text that opens with a lead; 0 where none does."""
    match = _LEAD.match(text)
    return match.end() if match else 0


def _leads_freely(before: str, concludes: bool) -> bool:
    """Say whether words before 'the answer is', in its sentence, leave it a statement.

    They do where there are none, where they only connect ('so', 'I think that'), and where they
    are a phrase or clause of their own that neither supposes anything nor tells what others
    say: 'Since the text does not say it, the answer is'. All else may negate what follows.

    Args:
        before: The words.
        concludes: Whether 'so' or the like stands between them and 'the answer is'.
    """
    if _FREE.match(before):
        return True
    if supposes(before) or _REPORTED.search(before):
        return False
    if concludes or _CLAUSE.search(before):
        return True
    if not _PHRASE.search(before):
        return False
    return bool(_REASON.match(before)) or not (hedges(before) or negates(before))


def opens_freely(phrase: str) -> bool:
    """Say whether a phrase before a comma leaves what follows a statement."""
    return _leads_freely(phrase, concludes=False)
