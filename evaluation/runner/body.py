"""What a model is sent with a request, and the key of its reply: the one place that says it.

Runner, batch files, index and store call it alike, so that a reply is found again by what was sent.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from curation.records.errors import CurateError
from curation.records.wording import given_name
from evaluation.requests import Request, shown_labels, split_epoch

_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
"""Writes a body; made once, for json.dumps would make one for each request."""
ANSWER = "answer"
"""The key of the JSON object that a constrained reply is."""


def answer_schema(labels: tuple[str, ...]) -> dict[str, object]:
    """The JSON schema of an object whose one key `answer` is a label."""
    return {
        "type": "object",
        "properties": {ANSWER: {"type": "string", "enum": list(labels)}},
        "required": [ANSWER],
        "additionalProperties": False,
    }


def _schema(labels: tuple[str, ...]) -> dict[str, object]:
    named = {"name": ANSWER, "strict": True, "schema": answer_schema(labels)}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


CONSTRAINTS: dict[str, Callable[[tuple[str, ...]], dict[str, object]]] = {
    "schema": _schema,
    # OpenRouter would else choose a server that passes over the schema.
    "routed": lambda labels: {**_schema(labels), "provider": {"require_parameters": True}},
    "choice": lambda labels: {"structured_outputs": {"choice": list(labels)}},
    # A literal of the grammar is written as one of JSON is.
    "grammar": lambda labels: {"grammar": f"root ::= {' | '.join(map(ENCODE, labels))}"},
}
"""By form what is sent to have a reply that is one of some labels: OpenAI's `response_format`,
vLLM's `structured_outputs`, llama.cpp's `grammar`."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked, whatever the request.

    Attributes:
        model: The model, as servers are asked for it.
        parameters: Whatever else a reply depends on; what is sent, by its name on the wire.
        draws_unset: Whether replies are drawn where no temperature is set: a server then takes one
            of its own, mostly above 0.
        constrain: The form in which a reply is constrained to a label; see `CONSTRAINTS`.
        then_ask: What is asked in a second turn, with `{letters}`; empty for one turn.
    """

    model: str
    parameters: Mapping[str, object]
    draws_unset: bool = False
    constrain: str = ""
    then_ask: str = ""

    def __post_init__(self) -> None:
        given_name(self.model, "--model")
        taken = CONSTRAINTS[self.constrain](("A",)).keys() if self.constrain else set()
        for name in taken & self.parameters.keys():
            raise CurateError(f"'{name}' is set by --constrain, too", "parameters", "leave one out")
        if "response_format" in taken and self.parameters.get("logprobs"):
            raise CurateError(
                "log-probabilities are those of the reply's first token, which --constrain makes "
                "the beginning of a JSON object here",
                hint="leave one of both out",
            )

    @property
    def first(self) -> "Asking":
        """How the first of two turns is asked."""
        return replace(self, constrain="", then_ask="")

    @property
    def draws(self) -> bool:
        """Whether replies are drawn, so that the same may be answered otherwise."""
        temperature = self.parameters.get("temperature")
        return self.draws_unset if temperature is None else temperature != 0

    def body(self, request: Request, first: str | None = None) -> dict[str, Any]:
        """What is sent.

        A server that is sent one seed twice gives one reply twice. So a seed is sent as it is in
        the first epoch, in the second one higher, and so on.

        Args:
            request: The request.
            first: The reply to the first turn, in the second of two.

        Raises:
            ValueError: If there are no labels to allow or to ask for.
        """
        messages = [dict(message) for message in request.messages]
        parameters = dict(self.parameters)
        seed = parameters.get("seed")
        if request.epoch > 1 and isinstance(seed, int) and not isinstance(seed, bool):
            parameters["seed"] = seed + request.epoch - 1
        if first is not None:
            messages.append({"role": "assistant", "content": first})
            messages.append({"role": "user", "content": self._question(request)})
        if self.constrain and (first is not None or not self.then_ask):
            parameters |= CONSTRAINTS[self.constrain](_labels(request))
        return {"model": self.model, "messages": messages, **parameters}

    def key(self, request: Request) -> bytes:
        """The key of a request's reply, to both turns where there are two.

        Raises:
            ValueError: If a text of it is not whole, or there are no labels to ask for.
        """
        body = self.body(request, "" if self.then_ask else None)
        if self.then_ask:
            body["messages"] = [dict(message) for message in request.messages]
            body["then_ask"] = self._question(request)
        return reply_key(body, own_part(request.request_id, draws=self.draws))

    def _question(self, request: Request) -> str:
        return self.then_ask.format(letters=", ".join(_labels(request)))


def _labels(request: Request) -> tuple[str, ...]:
    if not request.choices:
        raise ValueError("it has no choices, and --constrain and --then-ask are about their labels")
    return shown_labels(request)


def reply_key(body: Mapping[str, object], own: str = "") -> bytes:
    """Hash what a reply depends on: SHA-256 of canonical JSON. The server's address is no part.

    Args:
        body: What is sent.
        own: What tells the reply from those to others that say the same; see `own_part`.

    Returns:
        32 bytes.

    Raises:
        ValueError: If a value is no JSON, or a text holds half of a surrogate pair.
    """
    parameters = dict(body)
    hashed = {name: parameters.pop(name) for name in ("model", "messages")}
    hashed["parameters"] = parameters
    return hashlib.sha256(_CANONICAL(hashed | ({"own": own} if own else {})).encode()).digest()


def own_part(request_id: str, *, draws: bool) -> str:
    """What tells a request's reply from those to others that say the same.

    Where replies are drawn each request has its own. Else those of one epoch share one.
    """
    epoch = split_epoch(request_id)[1]
    return request_id if draws else ("" if epoch == 1 else f"epoch {epoch}")


def keeps_to(text: str, labels: tuple[str, ...]) -> bool:
    """Say whether a reply is one of some labels, or a JSON object whose `answer` is one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text.strip()
    return (value.get(ANSWER) if isinstance(value, dict) else text.strip()) in labels
