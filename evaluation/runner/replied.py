"""What every backend makes of a text that a model wrote: thoughts apart, a cut-off thought named.

Beside it the rule by which a reply's name of its model is another model's.
"""

import re
from dataclasses import replace

from evaluation.parsing.normal import parted
from evaluation.runner.backend import Failure, FailureKind, Outcome

_WITHIN = "the reply ended within the model's thoughts"
_BEFORE = "the reply was cut off at the most tokens before its text began"
_DATED = re.compile(r"[-@:](latest|\d{3,}(-\d{2,})*)$")


def settled(outcome: Outcome) -> Outcome:
    """Part the thoughts from a reply, and name one that ended before its text began.

    Args:
        outcome: A text as the model wrote it, with the thoughts that came apart from it.
    """
    assert outcome.text is not None  # noqa: S101  # a fault of ours: there is a reply
    thoughts, text = parted(outcome.text)
    both = "\n".join((outcome.reasoning, thoughts)) if outcome.reasoning and thoughts else ""
    both = both or outcome.reasoning or thoughts
    within = text is None
    if text != outcome.text or (both or None) != outcome.reasoning:
        outcome = replace(outcome, text=text or "", reasoning=both or None)
    if outcome.error is None and (within or _cut_before(outcome)):
        said = _WITHIN if within or both else _BEFORE
        outcome = replace(outcome, text="", error=Failure(FailureKind.UNFINISHED, said))
    return outcome


def _cut_before(outcome: Outcome) -> bool:
    return outcome.finish_reason == "length" and not (outcome.text or "").strip()


def same_model(asked: str, served: str) -> bool:
    """Say whether two names may be of one model.

    Providers put a date or a number of the edition behind a name (`-2024-08-06`, `-001`,
    `-latest`), gateways the provider before it (`openai/`). Case makes no difference. Whatever
    else differs (`-mini`) is another model.
    """
    return stem(asked) == stem(served)


def stem(model: str) -> str:
    """A model's name without its date, and without the provider that gateways put before."""
    return _DATED.sub("", model.rsplit("/", 1)[-1].casefold())
