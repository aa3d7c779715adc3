"""A model's thoughts before, in and after its reply, and what tells turns and channels apart."""

import re

CUT_OFF = " [\u2026]"
"""The end of a reply that a limit on its length cut off: what would follow is not known."""
_THOUGHT_SIGNS = ("<", "[", "◁", "ASSISTANT")
_TURN = re.compile(r"\s*(?:analysis|[Aa]ssistant)")
_NAMES = r"(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning|reason|analysis|scratchpad|reflection)"
_OPENING = rf"<{_NAMES}(?:\s[^<>]*)?>|\[THINK\]|◁think▷|<\|begin_of_thought\|>"
_CLOSING = rf"</{_NAMES}\s*>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>"
_THOUGHT_TAG = re.compile(rf"(?P<opening>{_OPENING})|(?P<closing>{_CLOSING})", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w++)[^<]*+<\|message\|>")
_BARE_CHANNEL = re.compile(r"\A\s*analysis.*assistant\s*final", re.DOTALL)
_END_OF_TURN = re.compile(
    r"<\|(?:im_end|eot_id|endoftext|end|return|end_of_solution)\|>|</s>|<end_of_turn>"
    r"|\[\|endofturn\|\]"
)
_PIECE = re.compile(
    r"<\|[\w ]{1,40}\|>|\[\|\w{1,40}\|\]|<s>|<start_of_turn>(?:model)?|\[/?INST\]"
    r"|\A\s*(?i:assistant) *(?::|\n)"
)


def without_thoughts(reply: str) -> str | None:
    """Take off blocks of thoughts, and the characters by which turns and channels are told apart.

    So is the sign that the reply was cut off. A block is `<think>`, `<thinking>`, `<reasoning>` and
    the like up to where it is closed; one that is closed and never opened (the prompt held its
    opening) begins with the reply.
    What follows the end of the model's turn is not its reply.

    Returns:
        The reply; None where it ends within its thoughts, cut off by a limit on its length.
    """
    reply = reply.removesuffix(CUT_OFF)
    if not _has_turns(reply):
        return reply
    final = _final_channel(reply)
    if final is None:
        return None
    _, kept, inside = _sorted(final)
    if inside:
        return None
    # A thought in the middle parts what stands around it.
    return _PIECE.sub(" ", _END_OF_TURN.split("\n".join(kept).lstrip(), maxsplit=1)[0])


def parted(reply: str) -> tuple[str, str | None]:
    """Part a reply from the blocks of thoughts before, in and after it.

    Returns:
        The thoughts, empty where there are none, and the reply; None where it ends within its
        thoughts. What marks turns and channels stays where it is, for `without_thoughts`.
    """
    if not _has_turns(reply):
        return "", reply
    if without_thoughts(reply) is None:
        return _THOUGHT_TAG.sub("", reply).strip(), None
    thoughts, kept, _ = _sorted(reply)
    if kept == [reply]:
        return "", reply
    found = (part.strip() for part in thoughts)
    return "\n".join(part for part in found if part), "\n".join(kept).lstrip()


def _has_turns(reply: str) -> bool:
    """Say whether there may be thoughts, or what tells turns apart: most replies have neither."""
    return any(sign in reply for sign in _THOUGHT_SIGNS) or _TURN.match(reply) is not None


def _sorted(text: str) -> tuple[list[str], list[str], bool]:
    """Thoughts, what is none, and whether the text ends within its thoughts."""
    thoughts: list[str] = []
    kept: list[str] = []
    at, inside = 0, False
    for tag in _THOUGHT_TAG.finditer(text):
        (thoughts if inside else kept).append(text[at : tag.start()])
        opens = tag.lastgroup == "opening"
        if not inside and not opens:
            thoughts += kept
            kept.clear()
        inside, at = opens, tag.end()
    (thoughts if inside else kept).append(text[at:])
    return thoughts, kept, inside


def _final_channel(reply: str) -> str | None:
    """The last final channel; the reply where it has no channels, None where none is final."""
    channels = list(_CHANNEL.finditer(reply))
    if channels:
        finals = [channel for channel in channels if channel[1] == "final"]
        return reply[finals[-1].end() :] if finals else None
    bare = _BARE_CHANNEL.match(reply)
    return reply[bare.end() :] if bare else reply
