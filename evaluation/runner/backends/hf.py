"""Log-probabilities of a model on this machine, through the `transformers` library: the extra `hf`.

As in multiple choice, each label is scored as what goes on the request. What is asked beside a
request changes nothing but the last digits of sums.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from inspect import signature
from pathlib import Path
from typing import Any

from curation.records.messages import CurateError, refusal
from evaluation.replies.reply import Failure, FailureKind, Reply, Usage
from evaluation.requests import Request, shown_labels
from evaluation.runner.backend import BackendSettings, as_json, no_extra
from evaluation.runner.index import Asking

_CHOICES = {
    "device": ("auto", "cpu", "cuda", "mps"),
    "dtype": ("auto", "float32", "bfloat16", "float16"),
    "chat": ("auto", "yes", "no"),
}
_TEMPLATE = "template."
_WHOLE = 64 << 20  # bytes; a larger file is known by its size and some of its parts
_PART = 1 << 20
_NOISE = 0.5  # of a log-probability: what sums in short numbers differ by is far less
_ENDINGS = (".safetensors", ".json", ".jinja", ".model", ".txt")


class LocalModel:
    """A model on this machine. Its weights are loaded when the first request is asked.

    Args:
        settings: The model's name, and the options of this backend.

    Attributes:
        model: What replies call the model.
        asking: What a reply depends on: the model's files, and how it is asked.
        batch_size: How many requests are best asked together.

    Raises:
        CurateError: If the extra is not installed, an option is wrong, or there is no such model
            or device here.
    """

    def __init__(self, settings: BackendSettings) -> None:
        options = _checked(settings)
        self.model = settings.called
        self.batch_size = int(options.get("batch_size", "8"))
        self._torch, self._transformers = _libraries()
        self._folder = _folder(options.get("path") or settings.model)
        self._device = _device(self._torch, options.get("device", "auto"))
        # The shorter numbers are slow on a CPU, or not there at all.
        own = "float32" if self._device == "cpu" else "auto"
        self._dtype = own if options.get("dtype", "auto") == "auto" else options["dtype"]
        with _said(self._folder):
            self._tokenizer = self._transformers.AutoTokenizer.from_pretrained(
                str(self._folder), local_files_only=True, trust_remote_code=False
            )
        template = bool(self._tokenizer.chat_template)
        wanted = options.get("chat", "auto")
        self._chat = template if wanted == "auto" else wanted == "yes"
        if self._chat and not template:
            raise refusal("evaluation", "hf-template", "--option chat")
        self._variables = {
            name.removeprefix(_TEMPLATE): as_json(text)
            for name, text in options.items()
            if self._chat and name.startswith(_TEMPLATE)
        }
        asked = {"weights": fingerprint(self._folder), "dtype": self._dtype, "chat": self._chat}
        template_ = {"template": self._variables} if self._variables else {}
        self.asking = Asking(settings.model, {**asked, **template_})
        self._loaded: Any = None

    def ask_many(self, requests: Sequence[Request], _say: object = None) -> Sequence[Reply]:
        """Score the labels of requests; those that the model cannot take fail alone."""
        try:
            self._load()
        except CurateError as error:
            failure = Failure(FailureKind.BACKEND, error.what, stops=True, hint=error.hint)
            return [Reply(None, error=failure) for _ in requests]
        replies: dict[int, Reply] = {}
        prompts: dict[int, tuple[list[int], dict[str, int]]] = {}
        for at, request in enumerate(requests):
            try:
                prompts[at] = self._tokens(request)
            except ValueError as error:
                replies[at] = Reply(None, error=Failure(FailureKind.REFUSED, str(error)))
        places = list(prompts)
        for start in range(0, len(places), self.batch_size):
            some = places[start : start + self.batch_size]
            replies |= zip(some, self._score([prompts[at] for at in some]), strict=True)
        return [replies[at] for at in range(len(requests))]

    def close(self) -> None:
        """Let go of the model's memory."""
        self._loaded = None
        self._free()

    def _load(self) -> None:
        """Load the weights, once; from safetensors alone, for a pickle may run anything.

        Raises:
            CurateError: If they cannot be loaded.
        """
        if self._loaded is not None:
            return
        dtype = self._dtype if self._dtype == "auto" else getattr(self._torch, self._dtype)
        with _said(self._folder):
            model = self._transformers.AutoModelForCausalLM.from_pretrained(
                str(self._folder),
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                dtype=dtype,
            )
            model.config.use_cache = False  # nothing is written on
            self._loaded = model.to(self._device).eval()
            self._check_causal()

    def _check_causal(self) -> None:
        """See that what comes later changes nothing before: masked models would be read wrong.

        Raises:
            ValueError: If it does.
        """
        with self._torch.inference_mode():
            rows = self._logits([[1, 2, 3, 4], [1, 2, 3, 5]], [0, 1, 2]).float().log_softmax(-1)
        if not float((rows[0] - rows[1]).abs().max()) < _NOISE:
            self._loaded = None
            raise ValueError("it looks ahead, as models that fill gaps do")

    def _tokens(self, request: Request) -> tuple[list[int], dict[str, int]]:
        """A request as the model reads it, and the token with which each label goes on it.

        As in lm-evaluation-harness a blank stands between, except behind a text that ends in one
        and behind a chat template, whose end is its own.

        Raises:
            ValueError: If it cannot be given, or is longer than the model can read.
        """
        if not request.choices:
            raise ValueError("the request has no choices")
        text = self._text(request)
        tokens = self._tokenized(text)
        if not tokens:
            raise ValueError("the request is empty")
        longest = getattr(self._loaded.config.get_text_config(), "max_position_embeddings", None)
        if longest is not None and len(tokens) + 1 > longest:
            raise ValueError(
                f"the request is {len(tokens)} tokens long, and the model reads {longest} "
                "together with the 1 of its reply"
            )
        blank = "" if self._chat or text[-1].isspace() else " "
        labels: dict[str, int] = {}
        for label in shown_labels(request):
            *before, labels[label] = self._tokenized(f"{text}{blank}{label}")
            if before != tokens:
                raise ValueError(f"the label '{label}' is not one token after this request")
        if len(set(labels.values())) < len(labels):
            raise ValueError("two labels are one token in this model")
        return tokens, labels

    def _tokenized(self, text: str) -> list[int]:
        # A template writes the special tokens itself.
        return list(self._tokenizer(text, add_special_tokens=not self._chat)["input_ids"])

    def _text(self, request: Request) -> str:
        if not self._chat:
            return "\n\n".join(message["content"] for message in request.messages)
        import jinja2

        messages = [dict(message) for message in request.messages]
        try:
            text = self._tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True, **self._variables
            )
        except jinja2.TemplateError as error:
            raise ValueError(f"the chat template does not accept the request: {error}") from error
        return str(text)

    def _score(self, prompts: Sequence[tuple[list[int], dict[str, int]]]) -> list[Reply]:
        """Score some together, in halves where they do not fit into memory."""
        rows = None
        with suppress(self._torch.OutOfMemoryError):
            rows = self._next(prompts)
        if rows is None:
            # Out of the block that caught it: the error holds what the failed attempt took.
            self._free()
            if len(prompts) == 1:
                said = f"the request of {len(prompts[0][0])} tokens does not fit into memory"
                return [Reply(None, error=Failure(FailureKind.BACKEND, said))]
            half = len(prompts) // 2
            return self._score(prompts[:half]) + self._score(prompts[half:])
        found = []
        for (tokens, labels), row in zip(prompts, rows, strict=True):
            scores = {label: float(row[token]) for label, token in labels.items()}
            best = [label for label in labels if scores[label] == max(scores.values())]
            used = Usage(len(tokens), 1)
            found.append(Reply(", ".join(best), used, "stop", logprobs=scores))
        return found

    def _next(self, prompts: Sequence[tuple[list[int], dict[str, int]]]) -> Any:
        """The log-probabilities of the token that follows each prompt.

        Shorter ones are filled up behind their end: a causal model never looks there, whatever it
        does with masks and places.
        """
        torch = self._torch
        width = max(len(tokens) for tokens, _ in prompts)
        rows = [tokens + [0] * (width - len(tokens)) for tokens, _ in prompts]
        ends = [len(tokens) - 1 for tokens, _ in prompts]
        kept = sorted(set(ends))
        with torch.inference_mode():
            logits = self._logits(rows, kept)
        at = [kept.index(end) for end in ends]
        return logits[range(len(rows)), at].float().log_softmax(-1).cpu()

    def _logits(self, rows: Sequence[Sequence[int]], kept: Sequence[int]) -> Any:
        """What the model says behind some places of rows of one length."""
        ids = self._torch.tensor(rows, device=self._device)
        if "logits_to_keep" not in signature(self._loaded.forward).parameters:
            return self._loaded(input_ids=ids).logits[:, list(kept)]
        places = self._torch.tensor(kept, device=self._device)
        return self._loaded(input_ids=ids, logits_to_keep=places).logits

    def _free(self) -> None:
        if self._device == "cuda":
            self._torch.cuda.empty_cache()


def _checked(settings: BackendSettings) -> Mapping[str, str]:
    """The options of a run.

    Raises:
        CurateError: If there is one that is not read, or a value is none.
    """
    for name, value in settings.options.items():
        if name in _CHOICES and value not in _CHOICES[name]:
            told = {"value": value, "option": name, "known": [*_CHOICES[name]]}
            raise refusal("evaluation", "hf-value", f"--option {name}", **told)
        if name == "batch_size" and not (value.isdecimal() and int(value) > 0):
            raise refusal("evaluation", "hf-batch", "--option batch_size", value=value)
        known = ("path", "batch_size", *_CHOICES)
        if name not in known and not name.startswith(_TEMPLATE):
            told = {"option": name, "known": known, "template": _TEMPLATE}
            raise refusal("evaluation", "hf-option", "--option", **told)
    for name in settings.parameters:
        raise refusal("evaluation", "hf-parameter", "parameters", parameter=name)
    return settings.options


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
        raise no_extra("hf", "models on this machine need", error) from error
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
        where = "--model" if name == str(path) else "--option path"
        raise refusal("evaluation", "hf-none", where, model=name) from error


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
    raise refusal("evaluation", "hf-device", "--option device", device=wanted)


@contextmanager
def _said(folder: Path) -> Iterator[None]:
    """Say in one line why a model cannot be loaded."""
    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, TypeError) as error:
        line = next((line for line in str(error).splitlines() if line.strip()), "")
        told = {"fault": type(error).__name__, "line": line[:300]}
        raise refusal("evaluation", "hf-unloaded", str(folder), **told) from error
