"""Log-probabilities as answers: the label that the model would rather begin its reply with.

A line of replies may hold `logprobs`, an object from texts that the answer may begin with to their
log-probabilities: of a server the likeliest tokens at the first place of the answer, of a model on
this machine the labels. Of several texts of one label (`A`, ` A`) the highest counts.
"""

import json
from collections.abc import Mapping, Sequence
from math import isfinite

from evaluation.parsing import choice_letters

KEY = "logprobs"
"""What a line of replies calls them."""
READ = "logprob"
"""Every label has a log-probability, and one has the highest."""
PARTIAL = "logprob_partial"
"""A label is not among the likeliest tokens, so that it is below those that are: one is highest."""
TIE = "tie"
"""Several labels have the highest: the answer is undefined."""
WITHOUT_LABELS = "labels_missing"
"""No label is among the likeliest tokens."""
NONE = "no_logprobs"
"""The reply came without any."""
_BLANKS = " \t\n\u0120\u2581"  # the last two are how tokenizers write a blank


def logprobs_text(value: object) -> str:
    """Log-probabilities of a line as one text, which is read as a reply is; empty for none.

    Raises:
        ValueError: If they are no object of numbers.
    """
    if value is None:
        return ""
    if not isinstance(value, Mapping):
        raise ValueError("its 'logprobs' is not an object")
    for number in value.values():
        if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
            raise ValueError("its 'logprobs' has a value that is not a number")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def read_logprobs(
    text: str, count: int, labels: Sequence[str] | None = None
) -> tuple[int | None, str]:
    """Find the label with the highest log-probability.

    Args:
        text: As `logprobs_text` gives it.
        count: How many choices there are.
        labels: Their labels; None for A, B, C and so on.

    Returns:
        The position of the choice, None where there is no single one; and which of the states of
        this module it is in.
    """
    if not text:
        return None, NONE
    found: dict[str, float] = {}
    for token, number in json.loads(text).items():
        label = token.strip(_BLANKS)
        found[label] = max(number, found.get(label, number))
    shown = list(labels or choice_letters(count))
    there = [found[label] for label in shown if label in found]
    if not there:
        return None, WITHOUT_LABELS
    best = max(there)
    if there.count(best) > 1:
        return None, TIE
    at = next(at for at, label in enumerate(shown) if found.get(label) == best)
    return at, READ if len(there) == len(shown) else PARTIAL
