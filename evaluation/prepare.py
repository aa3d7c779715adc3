"""Requests of question answering: samples x prompts x orders (KoBBQ, section 5.1)."""

from collections.abc import Iterable, Iterator, Sequence

from curation.model.errors import CurateError
from curation.model.sample import Sample
from evaluation.orders import ORDERS, Orders, shown
from evaluation.prompts import Prompt

Choices = tuple[str, str, str]


def request_id(sample_id: str, order: int, prompt_id: str) -> str:
    """Name a request."""
    return f"{sample_id}-{order}-p{prompt_id}"


def parse_request_id(text: str) -> tuple[str, str, str]:
    """Give the sample, the number of the order and the prompt that an id names.

    Raises:
        ValueError: If it is no id of such a request.
    """
    parts = text.rsplit("-", 2)
    if len(parts) != 3 or not parts[2].startswith("p"):
        raise ValueError(f"'{text}' is no id of a request")
    return parts[0], parts[1], parts[2][1:]


def prompted(choices: Choices, prompt: Prompt) -> Choices:
    """Put a prompt's own unknown expression in place of the sample's.

    Raises:
        CurateError: If a choice of the sample reads like it, so that no reply could tell which
            is meant.
    """
    first, second, _ = choices
    unknown = prompt.unknown
    if unknown.casefold() in (first.casefold(), second.casefold()):
        raise CurateError(
            f"the unknown expression of prompt {prompt.id}, '{unknown}', is a choice of a sample",
            hint="give the prompt another one",
        )
    return first, second, unknown


def make_requests(
    samples: Iterable[Sample], prompts: Sequence[Prompt], orders: Orders
) -> Iterator[dict[str, object]]:
    """Yield the requests, as `requests.jsonl` holds them, holding one sample at a time."""
    for sample in samples:
        for prompt in prompts:
            choices = prompted(sample.choices, prompt)
            for number, order in enumerate(ORDERS[orders]):
                yield _request(sample, prompt, number, shown(choices, order))


def _request(sample: Sample, prompt: Prompt, order: int, choices: Choices) -> dict[str, object]:
    text = prompt.text(sample.context, sample.question, choices)
    return {
        "request_id": request_id(sample.sample_id, order, prompt.id),
        "sample_id": sample.sample_id,
        "prompt_id": prompt.id,
        "order": order,
        "messages": [{"role": "user", "content": text}],
        "choices": list(choices),
    }
