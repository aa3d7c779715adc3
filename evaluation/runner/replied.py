"""What every backend makes of a text that a model wrote: thoughts apart, and whether it counts.

A reply counts if it has words and its end is a normal one. Beside it the rule by which a reply's
name of its model is another model's.
"""

import re
from dataclasses import replace

from evaluation.parsing.thoughts import parted
from evaluation.replies.reply import Failure, FailureKind, Reply

_WITHIN = "the reply ended within the model's thoughts"
_BEFORE = "the reply was cut off at the most tokens before its text began"
_FILTERED = "a content filter stopped the reply"
_ENDS = {
    "stop": ("stop", "stop_sequence", "end_turn", "eos", "eos_token", "complete"),
    "length": ("length", "max_tokens", "model_length", "model_context_window_exceeded"),
    "content_filter": (
        "content_filter", "refusal", "sensitive", "safety", "prohibited_content", "blocklist",
    ),
}  # fmt: skip
"""The names that servers have for an end that leaves a reply: as OpenAI's protocol calls it."""
_BROKEN = ("error", "network_error", "insufficient_system_resource", "abort", "timeout")
"""Ends at which the server failed, so that the same request may have a reply."""
_NAMES = {name: end for end, names in _ENDS.items() for name in names}
_DATED = re.compile(r"[-@:](latest|\d{3,}(-\d{2,})*)$")


def settled(reply: Reply) -> Reply:
    """Part the thoughts from a reply, and say whether it is one.

    A text without words is none, even where the thoughts have some, and neither is one that ended
    otherwise than at its own end, at the most tokens or by a filter. A server may leave out how a
    reply ended.

    Args:
        reply: A text as the model wrote it, with the thoughts that came apart from it.

    Returns:
        The reply; a failure `empty`, `server` or `ended` where it is none. What a filter stopped,
        and what was cut off before its text began, counts as given and is named.
    """
    assert reply.text is not None  # noqa: S101  # a fault of ours: there is a text
    thoughts, text = parted(reply.text)
    both = "\n".join(filter(None, (reply.reasoning, thoughts)))
    said = reply.finish_reason
    end = _NAMES.get(said.casefold(), said) if said else None
    reply = replace(reply, text=text or "", reasoning=both or None, finish_reason=end)
    if reply.error is not None:
        return reply
    words = bool((text or "").strip())
    if end == "content_filter":
        return replace(reply, error=Failure(FailureKind.CONTENT_FILTER, _FILTERED))
    if end not in (None, "stop", "length"):
        return replace(reply, text=None, error=_ended(end, words=words))
    if text is None or (end == "length" and not words):
        why = _WITHIN if both or text is None else _BEFORE
        return replace(reply, text="", error=Failure(FailureKind.UNFINISHED, why))
    if not words:
        return replace(reply, text=None, error=_without_words(end, thoughts=bool(both)))
    return reply


def _ended(end: str, *, words: bool) -> Failure:
    """What it means that a reply ended in a way that leaves none."""
    broken = end.casefold() in _BROKEN
    kind = FailureKind.SERVER if broken else FailureKind.ENDED
    what = "the server broke off the reply" if broken else "the model ended in another way"
    after = "within its text" if words else "before its text"
    return Failure(kind, f"{what} (finish_reason {end}), {after}", again=broken)


def _without_words(end: str | None, *, thoughts: bool) -> Failure:
    """What it means that a reply ended normally and has no words."""
    what = "words in its thoughts and none in its text" if thoughts else "no words"
    # The same request may bring the same again, and is paid for: the next run may ask.
    ended = f" (finish_reason {end})" if end else ""
    return Failure(FailureKind.EMPTY, f"the reply has {what}{ended}")


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
