"""A model's folder: found, identified by a hash, and loaded without running its own code."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from curation.records.errors import CurateError
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
    whose token the model would write next with the highest logit; `logprobs`: the same by the
    log-probability of the label as what goes on the request, which is kept for every label.
    """

    GENERATE = "generate"
    LOGIT = "logit"
    LOGPROBS = "logprobs"


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
        seed: The seed of the draw.
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
    raise CurateError(f"'{value}' is not a valid {name}", f"--option {name}", hint)


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
        raise CurateError(f"'{value}' is not a valid {name}", name, hint) from error
    return found


_WHOLE = 64 << 20  # bytes; a larger file is known by its size and some of its parts
_PART = 1 << 20
_ENDINGS = (".safetensors", ".json", ".jinja", ".model", ".txt")


@dataclass(frozen=True, slots=True)
class Found:
    """A model on this machine whose weights are not loaded yet.

    Attributes:
        torch: The library.
        transformers: The library.
        folder: The model's.
        tokenizer: Its tokenizer.
        device: Where it will compute.
        dtype: In which numbers; `auto` for those of the weights.
        fingerprint: Of its files.
    """

    torch: Any
    transformers: Any
    folder: Path
    tokenizer: Any
    device: str
    dtype: str
    fingerprint: str


def find(settings: LocalSettings) -> Found:
    """Find a model. Nothing is fetched, and no code in its folder is run.

    Raises:
        CurateError: If the extra is not installed, or there is no such model or device here.
    """
    torch, transformers = _libraries()
    folder = _folder(settings.path)
    device = _device(torch, settings.device)
    dtype = settings.dtype
    if dtype == "auto" and device == "cpu":
        dtype = "float32"  # slow, or not there at all, in the shorter ones
    with _said(folder):
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
    return Found(torch, transformers, folder, tokenizer, device, dtype, fingerprint(folder))


def load(found: Found) -> Any:
    """Load a model's weights; from safetensors alone, for a pickle may run anything.

    Raises:
        CurateError: If they cannot be loaded.
    """
    with _said(found.folder):
        model = found.transformers.AutoModelForCausalLM.from_pretrained(
            str(found.folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=found.dtype if found.dtype == "auto" else getattr(found.torch, found.dtype),
        )
        return model.to(found.device).eval()


def fingerprint(folder: Path) -> str:
    """Hash a model's files, so that replies of one are not taken for those of another.

    Of a file over 64 MiB its size and one MiB at its beginning, middle and end stand for it:
    training changes them all.
    """
    whole = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix in _ENDINGS:
            size = path.stat().st_size
            whole.update(f"{path.name}\0{size}\0".encode())
            with path.open("rb") as stream:
                if size <= _WHOLE:
                    whole.update(stream.read())
                    continue
                for start in (0, size // 2, size - _PART):
                    stream.seek(start)
                    whole.update(stream.read(_PART))
    return whole.hexdigest()


def _libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise CurateError(
            f"models on this machine need {error.name or 'torch and transformers'}",
            "the extra 'hf' is not installed",
            "pip install 'curate-bbq[hf]'",
        ) from error
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return torch, transformers


def _folder(name: str) -> Path:
    """Find a model: a folder, or what the cache of the Hugging Face hub holds."""
    path = Path(name).expanduser()
    if path.is_dir():
        return path
    import huggingface_hub
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(huggingface_hub.snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        raise CurateError(
            f"there is no model '{name}' on this machine",
            "--model" if name == str(path) else "--option path",
            "name the folder that holds its config.json, or fetch it first: hf download NAME",
        ) from error


def _device(torch: Any, wanted: str) -> str:
    there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if wanted == "auto":
        return "cuda" if there["cuda"] else "cpu"
    if there[wanted]:
        return wanted
    hint = "leave the option out, or install a build of torch for it"
    raise CurateError(f"torch finds no {wanted} here", "--option device", hint)


@contextmanager
def _said(folder: Path) -> Iterator[None]:
    """Say in one line why a model cannot be loaded."""
    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, TypeError) as error:
        line = next((line for line in str(error).splitlines() if line.strip()), "")
        raise CurateError(
            f"the model cannot be loaded: {type(error).__name__}: {line[:300]}",
            str(folder),
            "the folder must hold config.json, tokenizer files and weights in safetensors of a "
            "model that writes on from a text",
        ) from error
