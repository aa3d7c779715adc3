"""A model's folder: found, told apart from others, and loaded without running code of its own."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.model.errors import CurateError
from evaluation.runner.hf_settings import LocalSettings

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
