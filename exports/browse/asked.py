"""What models were sent, as it was sent: the layout of each prompt, and what differs from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curation.languages.prompts import Prompt
from curation.records.sample import Sample
from evaluation.qa.prepare import (
    Layout,
    layout_of_prompt,
    layout_of_request,
    parse_request_id,
    texts_of,
)
from evaluation.requests import read_lines, request_of
from exports.browse.chunks import Spool

_MOST = 8
"""Layouts that are looked for in the requests of one prompt; messages of others are kept whole."""


@dataclass(slots=True)
class Asked:
    """What was sent of requests.

    Attributes:
        layouts: By prompt the layouts of its requests, the most usual one first.
        of: By request id which of them it has, where it is not the first; -1 where its messages
            are in `whole`.
        whole: By request id the place in the spool of messages that no layout gives, each with
            role and text.
    """

    layouts: dict[str, list[Layout]] = field(default_factory=dict)
    of: dict[str, int] = field(default_factory=dict)
    whole: dict[str, int] = field(default_factory=dict)


def asked_by_prompts(prompts: Sequence[Prompt]) -> Asked:
    """What requests are that were made of prompts."""
    return Asked({prompt.id: [layout_of_prompt(prompt)] for prompt in prompts})


def asked_in_file(path: Path, sample_of: Callable[[str], Sample], spool: Spool) -> Asked:
    """What the requests of a file are, each exactly as its line says.

    The messages of a prompt differ in the texts of samples alone, as a rule. So the layout is
    told from a request and compared with the following; what it does not give exactly has another
    one, or is kept whole.

    Args:
        path: The requests, which are known to be of the samples.
        sample_of: Gives a sample by its id.
        spool: Keeps what no layout gives.

    Raises:
        CurateError: If a line is no JSON object.
    """
    found = Asked()
    sample: Sample | None = None
    for line in read_lines(path):
        request = request_of(line)
        sample_id, _, prompt = parse_request_id(request.request_id)
        if sample is None or sample.sample_id != sample_id:
            sample = sample_of(sample_id)
        texts = texts_of(sample, request)
        messages = [(item["role"], item["content"]) for item in request.messages]
        known = found.layouts.setdefault(prompt, [])
        at = next((n for n, item in enumerate(known) if _filled(item, texts) == messages), None)
        if at is None and len(known) < _MOST:
            known.append(layout_of_request(request, texts))
            at = len(known) - 1
        if at is None:
            found.of[request.request_id] = -1
            found.whole[request.request_id] = spool.put(messages)
        elif at:
            found.of[request.request_id] = at
    return found


def _filled(layout: Layout, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (role, "".join(texts[place] if place else text for text, place in pieces))
        for role, pieces in layout
    ]
