"""How a model on this machine is asked: options and body parameters, read and checked."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from curation.model.errors import CurateError
from evaluation.runner.backend import BackendSettings

T = TypeVar("T")

DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("auto", "float32", "bfloat16", "float16")
_OPTIONS = ("path", "mode", "batch_size", "device", "dtype", "chat")
_TEMPLATE = "template."
_PARAMETERS = ("max_tokens", "max_completion_tokens", "temperature", "seed")


class Mode(StrEnum):
    """How a reply is made.

    `generate`: the model writes it; `logit`: it is the label, of those that the request shows,
    whose token the model would write next with the highest logit.
    """

    GENERATE = "generate"
    LOGIT = "logit"


class Chat(StrEnum):
    """Whether messages go through the tokenizer's chat template; `auto`: if it has one."""

    AUTO = "auto"
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """How a model on this machine is asked.

    Attributes:
        path: Its folder, or the name that the Hugging Face cache knows it by.
        mode: How a reply is made.
        batch_size: Requests at a time.
        device: Where it computes; `auto` is a GPU where there is one.
        dtype: In which numbers; `auto` is as the weights are stored, and float32 on a CPU.
        chat: Whether messages go through the chat template.
        template: More variables for that template.
        max_tokens: The most tokens of a reply.
        temperature: Of the draw; 0 takes the likeliest token.
        seed: Of the draw.
    """

    path: str
    mode: Mode = Mode.GENERATE
    batch_size: int = 8
    device: str = "auto"
    dtype: str = "auto"
    chat: Chat = Chat.AUTO
    template: Mapping[str, object] = field(default_factory=dict)
    max_tokens: int = 16
    temperature: float = 0.0
    seed: int = 0


def local_settings(settings: BackendSettings) -> LocalSettings:
    """Read the options and body parameters of a run.

    Raises:
        CurateError: If there is one that is not read, or a value is none.
    """
    options, parameters = settings.options, settings.parameters
    for name in options:
        if name not in _OPTIONS and not name.startswith(_TEMPLATE):
            hint = f"the options are {', '.join(_OPTIONS)} and {_TEMPLATE}NAME"
            raise CurateError(f"local models have no option '{name}'", "--option", hint)
    for name in parameters:
        if name not in _PARAMETERS:
            hint = f"leave it out; known are {', '.join(_PARAMETERS)}"
            raise CurateError(f"local models take no parameter '{name}'", "parameters", hint)
    tokens = parameters.get("max_completion_tokens", parameters.get("max_tokens", 16))
    return LocalSettings(
        path=options.get("path") or settings.model,
        mode=_one_of(Mode, "mode", options.get("mode", Mode.GENERATE)),
        batch_size=_number(int, "batch_size", options.get("batch_size", "8"), 1),
        device=_known("device", options.get("device", "auto"), DEVICES),
        dtype=_known("dtype", options.get("dtype", "auto"), DTYPES),
        chat=_one_of(Chat, "chat", options.get("chat", Chat.AUTO)),
        template=_template(options),
        max_tokens=_number(int, "max_tokens", tokens, 1),
        temperature=_number(float, "temperature", parameters.get("temperature") or 0.0, 0),
        seed=_number(int, "seed", parameters.get("seed") or 0, 0),
    )


def _template(options: Mapping[str, str]) -> dict[str, object]:
    """Read the template's variables; what is JSON (`false`, `3`) is taken as such."""
    found: dict[str, object] = {}
    for name, text in options.items():
        if name.startswith(_TEMPLATE):
            try:
                found[name.removeprefix(_TEMPLATE)] = json.loads(text)
            except ValueError:
                found[name.removeprefix(_TEMPLATE)] = text
    return found


def _known(name: str, value: str, known: tuple[str, ...]) -> str:
    if value in known:
        return value
    hint = f"give one of {', '.join(known)}"
    raise CurateError(f"'{value}' is no {name}", f"--option {name}", hint)


def _one_of(kind: type[T], name: str, value: str) -> T:
    members: Any = kind
    return kind(_known(name, value, tuple(item.value for item in members)))  # type: ignore[call-arg]


def _number(kind: Callable[[str], T], name: str, value: object, least: float) -> T:
    try:
        found = kind(str(value))
        if not least <= found < float("inf"):  # type: ignore[operator]
            raise ValueError
    except ValueError as error:
        hint = f"give a number from {least} on"
        raise CurateError(f"'{value}' is no {name}", name, hint) from error
    return found
