"""Models on this machine, through the `transformers` library: the extra `hf`.

A reply depends on the request alone: not on the requests that are asked beside it, except for the
last digits of the sums (see `docs/evaluation-batch.md`), and a draw not on those before it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curation.records.errors import CurateError
from evaluation.requests import Request, shown_labels
from evaluation.runner.backend import BackendSettings, Failure, FailureKind, Outcome, Usage
from evaluation.runner.backends.hf_loading import (
    Chat,
    Found,
    LocalSettings,
    Mode,
    find,
    load,
    local_settings,
)
from evaluation.runner.replied import settled
from evaluation.runner.store import reply_key


def label_tokens(tokenizer: Any, labels: Sequence[str]) -> list[list[int]]:
    """For each label the tokens that begin a reply with it: `A`, and ` A` with its blank.

    Which of both a model writes depends on how its prompt ends, so that both count, and the higher
    one is the label's. Only tokens that are the whole label are taken: of one that is several
    tokens the first may begin anything.

    Args:
        tokenizer: Of the `transformers` library.
        labels: The labels.

    Raises:
        ValueError: If a label has no token of its own.
    """
    forms = [_forms(tokenizer, label) for label in labels]
    counts = Counter(token for tokens in forms for token in tokens)
    own = [sorted(token for token in tokens if counts[token] == 1) for tokens in forms]
    for label, tokens in zip(labels, own, strict=True):
        if not tokens:
            raise ValueError(f"the label '{label}' has no token of its own in this model")
    return own


def _forms(tokenizer: Any, label: str) -> set[int]:
    vocabulary = tokenizer.get_vocab()
    # Where a text always begins with a blank, none is cut into a token without one.
    found = {vocabulary[label]} if label in vocabulary else set()
    for text in (label, f" {label}"):
        tokens = list(tokenizer(text, add_special_tokens=False)["input_ids"])
        if len(tokens) == 1:
            found.add(tokens[0])
    return found - {tokenizer.unk_token_id}


def next_labels(tokenizer: Any, text: str, labels: Sequence[str], *, chat: bool) -> list[int]:
    """For each label the token with which it goes on a text, as multiple choice scores it.

    As in lm-evaluation-harness a blank stands between, except for a text that ends in one and after
    a chat template, whose end is its own.

    Args:
        tokenizer: Of the `transformers` library.
        text: What the model reads.
        labels: The labels.
        chat: Whether the text is a chat template's, with its special tokens.

    Raises:
        ValueError: If a label is not one token there.
    """
    special = not chat
    blank = "" if chat or not text or text[-1].isspace() else " "
    before = list(tokenizer(text, add_special_tokens=special)["input_ids"])
    found = []
    for label in labels:
        tokens = list(tokenizer(f"{text}{blank}{label}", add_special_tokens=special)["input_ids"])
        if tokens[:-1] != before:
            raise ValueError(f"the label '{label}' is not one token after this request")
        found.append(tokens[-1])
    if len(set(found)) < len(found):
        raise ValueError("two labels are one token in this model")
    return found


_Prompt = tuple[Request, list[int]]  # a request and its tokens


class LocalModel:
    """A model on this machine. Its weights are loaded when the first request is asked.

    Args:
        name: What replies call it.
        settings: How it is asked.
        found: The model.

    Raises:
        CurateError: If the chat template is wanted, and there is none.
    """

    def __init__(self, name: str, settings: LocalSettings, found: Found) -> None:
        self._name = name
        self._settings = settings
        self._found = found
        template = bool(found.tokenizer.chat_template)
        self._chat = template if settings.chat is Chat.AUTO else settings.chat is Chat.YES
        if self._chat and not template:
            hint = "leave the option out: messages are then given as plain text"
            raise CurateError("the model has no chat template", "--option chat", hint)
        self._labels: dict[tuple[str, ...], list[list[int]]] = {}
        self._loaded: _Loaded | None = None

    @property
    def model(self) -> str:
        """The model's name in replies."""
        return self._name

    @property
    def parameters(self) -> Mapping[str, object]:
        """What a reply depends on: the model's files, and how it is asked."""
        settings = self._settings
        found: dict[str, object] = {
            "mode": settings.mode.value,
            "weights": self._found.fingerprint,
            "dtype": self._found.dtype,
            "chat": self._chat,
        }
        if self._chat and settings.template:
            found["template"] = dict(settings.template)
        if settings.mode is Mode.GENERATE:
            found["max_tokens"] = settings.max_tokens
            if settings.temperature:
                found |= {"temperature": settings.temperature, "seed": settings.seed}
        return found

    @property
    def batch_size(self) -> int:
        """How many requests are best asked together."""
        return self._settings.batch_size

    def ask_many(self, requests: Sequence[Request]) -> Sequence[Outcome]:
        """Answer requests; those that the model cannot take fail alone."""
        try:
            loaded = self._load()
        except CurateError as error:
            failure = Failure(FailureKind.BACKEND, error.what, stops=True, hint=error.hint)
            return [Outcome(None, error=failure) for _ in requests]
        outcomes: dict[int, Outcome] = {}
        prompts: list[tuple[int, _Prompt]] = []
        for at, request in enumerate(requests):
            try:
                prompts.append((at, (request, self._tokens(request, loaded.longest))))
            except ValueError as error:
                outcomes[at] = Outcome(None, error=Failure(FailureKind.REFUSED, str(error)))
        size = self.batch_size
        for start in range(0, len(prompts), size):
            part = prompts[start : start + size]
            found = self._batch(loaded, [prompt for _, prompt in part])
            outcomes |= {at: outcome for (at, _), outcome in zip(part, found, strict=True)}
        return [outcomes[at] for at in range(len(requests))]

    def close(self) -> None:
        """Let go of the model's memory."""
        self._loaded = None
        self._free()

    def _load(self) -> "_Loaded":
        """Load the weights, once.

        Raises:
            CurateError: If that cannot be done.
        """
        if self._loaded is None:
            model = load(self._found)
            ends = _ends(model, self._found.tokenizer)
            own = self._found.tokenizer.pad_token_id
            padding = own if isinstance(own, int) else min(ends, default=0)
            longest = getattr(model.config.get_text_config(), "max_position_embeddings", None)
            config = self._generation(ends, padding)
            model.generation_config = config  # nothing of what its folder wishes is added
            self._loaded = _Loaded(model, config, ends, padding, longest)
        return self._loaded

    def _tokens(self, request: Request, longest: int | None) -> list[int]:
        """A request as the model reads it.

        Raises:
            ValueError: If it cannot be given, or is longer than the model can read.
        """
        if self._settings.mode is Mode.LOGIT:
            self._label_tokens(request)  # whoever has none is refused before it is computed
        text = self._text(request)
        if self._settings.mode is Mode.LOGPROBS:
            self._next_labels(request, text)
        # A template writes the special tokens itself.
        tokens = self._found.tokenizer(text, add_special_tokens=not self._chat)["input_ids"]
        if not tokens:
            raise ValueError("the request is empty")
        new = self._settings.max_tokens if self._settings.mode is Mode.GENERATE else 1
        if longest is not None and len(tokens) + new > longest:
            raise ValueError(
                f"the request is {len(tokens)} tokens long, and the model reads {longest} "
                f"together with the {new} of its reply"
            )
        return list(tokens)

    def _text(self, request: Request) -> str:
        if not self._chat:
            return "\n\n".join(message["content"] for message in request.messages)
        import jinja2

        try:
            text = self._found.tokenizer.apply_chat_template(
                [dict(message) for message in request.messages],
                tokenize=False,
                add_generation_prompt=True,
                **self._settings.template,
            )
        except jinja2.TemplateError as error:
            raise ValueError(f"the chat template does not accept the request: {error}") from error
        return str(text)

    def _label_tokens(self, request: Request) -> list[list[int]]:
        if not request.choices:
            raise ValueError("the request has no choices")
        labels = shown_labels(request)
        if labels not in self._labels:
            self._labels[labels] = label_tokens(self._found.tokenizer, labels)
        return self._labels[labels]

    def _next_labels(self, request: Request, text: str) -> list[int]:
        if not request.choices:
            raise ValueError("the request has no choices")
        return next_labels(self._found.tokenizer, text, shown_labels(request), chat=self._chat)

    def _batch(self, loaded: "_Loaded", prompts: Sequence[_Prompt]) -> list[Outcome]:
        """Answer some, in halves where they do not fit into memory together."""
        try:
            return self._answer(loaded, prompts)
        except self._found.torch.OutOfMemoryError:
            if len(prompts) == 1:
                message = f"the request of {len(prompts[0][1])} tokens does not fit into memory"
                return [Outcome(None, error=Failure(FailureKind.BACKEND, message))]
        self._free()
        half = len(prompts) // 2
        return self._batch(loaded, prompts[:half]) + self._batch(loaded, prompts[half:])

    def _free(self) -> None:
        if self._found.device == "cuda":
            self._found.torch.cuda.empty_cache()

    def _answer(self, loaded: "_Loaded", prompts: Sequence[_Prompt]) -> list[Outcome]:
        torch, device = self._found.torch, self._found.device
        width = max(len(tokens) for _, tokens in prompts)
        # Filled up on the left, so that every reply begins right after its request.
        rows = [[loaded.padding] * (width - len(tokens)) + tokens for _, tokens in prompts]
        mask = [[0] * (width - len(tokens)) + [1] * len(tokens) for _, tokens in prompts]
        with torch.inference_mode():
            out = loaded.model.generate(
                input_ids=torch.tensor(rows, device=device),
                attention_mask=torch.tensor(mask, device=device),
                generation_config=loaded.config,
                logits_processor=self._draws([request for request, _ in prompts]),
            )
        if self._settings.mode is Mode.LOGIT:
            logits = out.logits[0].float().cpu()
            pairs = zip(prompts, logits, strict=True)
            return [self._likeliest(*prompt, row) for prompt, row in pairs]
        if self._settings.mode is Mode.LOGPROBS:
            scores = out.logits[0].float().log_softmax(-1).cpu()
            return [self._scored(*prompt, row) for prompt, row in zip(prompts, scores, strict=True)]
        replies = zip(prompts, out.sequences[:, width:].tolist(), strict=True)
        return [self._written(len(tokens), row, loaded.ends) for (_, tokens), row in replies]

    def _likeliest(self, request: Request, tokens: list[int], logits: Any) -> Outcome:
        """Choose the label with the highest logit, the first of several."""
        own = self._label_tokens(request)
        scores = [max(float(logits[token]) for token in candidates) for candidates in own]
        label = shown_labels(request)[scores.index(max(scores))]
        return Outcome(label, Usage(len(tokens), 1), "stop")

    def _scored(self, request: Request, tokens: list[int], logprobs: Any) -> Outcome:
        """Choose the label with the highest log-probability; of several all are the reply."""
        labels = shown_labels(request)
        own = self._next_labels(request, self._text(request))
        found = {label: float(logprobs[token]) for label, token in zip(labels, own, strict=True)}
        best = [label for label in labels if found[label] == max(found.values())]
        return Outcome(", ".join(best), Usage(len(tokens), 1), "stop", logprobs=found)

    def _written(self, length: int, row: list[int], ends: frozenset[int]) -> Outcome:
        """Read what was written up to its end; what follows only fills the batch."""
        end = next((at for at, token in enumerate(row) if token in ends), None)
        own = row if end is None else row[:end]
        text = self._found.tokenizer.decode(own, skip_special_tokens=True)
        used = Usage(length, len(own) + (end is not None))
        return settled(Outcome(text, used, "length" if end is None else "stop"))

    def _generation(self, ends: frozenset[int], padding: int) -> Any:
        """Say how the model writes."""
        logit = self._settings.mode is not Mode.GENERATE
        return self._found.transformers.GenerationConfig(
            max_new_tokens=1 if logit else self._settings.max_tokens,
            do_sample=False,
            eos_token_id=sorted(ends) or None,
            pad_token_id=padding,
            return_dict_in_generate=True,
            output_logits=logit,
        )

    def _draws(self, requests: Sequence[Request]) -> Any:
        """What turns the likeliest token into a draw; nothing at temperature 0."""
        if self._settings.mode is not Mode.GENERATE or not self._settings.temperature:
            return None
        seeds = [_seed_of(self._settings.seed, request) for request in requests]
        draw = Draw(self._found.torch, self._settings.temperature, seeds)
        return self._found.transformers.LogitsProcessorList([draw])


@dataclass(frozen=True, slots=True)
class _Loaded:
    """Weights, and how they are asked.

    Attributes:
        model: The model.
        config: How it writes.
        ends: The tokens that end a reply.
        padding: The token that fills up; it is masked, so that any will do.
        longest: The most tokens of a request and its reply; None where that is not said.
    """

    model: Any
    config: Any
    ends: frozenset[int]
    padding: int
    longest: int | None


class Draw:
    """Draws tokens by their chances: the highest of logit / temperature + Gumbel noise.

    The highest of these is distributed as a draw from the softmax (Gumbel 1954, "Statistical
    theory of extreme values"). Each request has noise of its own, so that its draws hang neither
    on the batch nor on what was drawn before.

    Args:
        torch: The library.
        temperature: Over 0.
        seeds: One for each request of the batch.
    """

    def __init__(self, torch: Any, temperature: float, seeds: Sequence[int]) -> None:
        self._torch = torch
        self._temperature = temperature
        self._sources = [torch.Generator().manual_seed(seed) for seed in seeds]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Put noise on the logits of the next token."""
        torch, size = self._torch, scores.shape[-1]
        # On the CPU, whose numbers are the same on every machine, and in double precision, for
        # the rarest tokens depend on numbers very near to 1.
        double = torch.float64
        rows = [torch.rand(size, generator=source, dtype=double) for source in self._sources]
        uniform = torch.stack(rows).clamp_min(torch.finfo(double).tiny)
        noise = -torch.log(-torch.log(uniform))
        return scores.float() / self._temperature + noise.float().to(scores.device)


def open_backend(settings: BackendSettings) -> LocalModel:
    """Find a model.

    Raises:
        CurateError: If the extra `hf` is not installed, an option is wrong, or the model is not
            on this machine.
    """
    wanted = local_settings(settings)
    return LocalModel(settings.called, wanted, find(wanted))


def _ends(model: Any, tokenizer: Any) -> frozenset[int]:
    """The tokens that end a reply, as the model's folder says."""
    found = getattr(model.generation_config, "eos_token_id", None)
    if found is None:
        found = tokenizer.eos_token_id
    if found is None:
        return frozenset()
    return frozenset(found if isinstance(found, list) else [found])


def _seed_of(seed: int, request: Request) -> int:
    twin = request.request_id if request.twin else ""
    key = reply_key("draw", {"seed": seed}, request.messages, request.epoch, twin)
    return int.from_bytes(key[:7], "big")
