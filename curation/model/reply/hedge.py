"""Ninth rule: a reply that is not sure, or leaves it at one or the other, names no choice."""

import re

_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|probabl[ey]|possibl[ey]|presumably|supposedly|(?:most |more )?likely"
    r"|might|may|could|either|or|seems?|appears?|looks like|guess(?:ing)?|unsure|uncertain"
    r"|not (?:\w+ )?(?:sure|certain)|if|unless|whether|assum(?:e|ing)|suppos(?:e|ing)"
    r"|leaning|tentatively)\b|\?"
    r"|아마|어쩌면|것 ?같|듯(?:하|합|싶|해)|수도 ?있|또는|혹은|아니면|추측|추정"
    r"|확실(?:하지|치)|불확실|라면|다면|만약|일지도|가능성|글쎄"
)
_DOUBT = re.compile(
    r"\b(?:wait|actually|correction|scratch that|on second thoughts?|i mean|alternatively"
    r"|never ?mind|hmm+|my mistake|i was wrong|i'm wrong|be wrong|if (?:i|you) had to|if forced"
    r"|(?:or|but|and) (?:maybe|perhaps|possibly|probably|it (?:might|may|could))"
    r"|(?:i am|i'm|but) (?:\w+ )?(?:not (?:\w+ )?(?:sure|certain)|unsure|uncertain|guessing)"
    r"|i(?:'m just| just)? guess(?:ing)?|just (?:a|my) guess|might also|may also|could also"
    r"|also (?:be|possible|correct|plausible|right)|(?:equally|just as) (?:likely|plausible))\b"
    r"|\bno[,.] |잠깐|잠시만|다시 (?:생각|보니|말|읽)|정정|아니[,.] |아니요|아니다[,.]|실수"
    r"|추측(?:입니다|이)"
    r"|아닐 ?수도|틀릴 ?수|확신(?:하지|할 수 없|이 없)|도 (?:가능|될 수|답이|정답|맞)"
)
_CONCEDED = re.compile(
    r"\b(?:sure|certain|unsure|uncertain|guess)\b[^.!?\n]{0,40}\bbut\b"
    r"|(?:확실(?:하지|치)는? 않|모르겠|확신할 수(?:는)? 없|자신(?:은|이) 없)(?:지만|으나|아도)"
)


_UNSURE = re.compile(
    r"(?:\bnot|n't) (?:\w+ )?(?:sure|certain)\b"
    r"|확실(?:하지|치)(?:는)? 않|확신(?:하지|할 수) (?:않|없)"
)
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|assum(?:e|ing)|suppos(?:e|ing)|were|had)\b|만약|라면|다면"
)


def without_unsure(text: str) -> str:
    """Take off the words of 'not sure', which hedge and do not negate."""
    return _UNSURE.sub(" ", text)


def supposes(text: str) -> bool:
    """Say whether a text in lower case makes a condition."""
    return _CONDITION.search(text) is not None


def hedges(text: str) -> bool:
    """Say whether anything in a text in lower case is a hedge, a condition or an 'or'."""
    return _HEDGE.search(text) is not None


def doubted(before: str, after: str) -> bool:
    """Say whether what stands around a statement, in lower case, takes it back or doubts it.

    An explanation may weigh things ('it could be either of them, for the text does not say'), so
    that here only words count that are about the answer itself.
    """
    return _CONCEDED.search(before) is not None or _DOUBT.search(after) is not None
