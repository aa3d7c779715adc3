"""Local models: what they reply is what their weights say, however requests are put together."""

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch", reason="the extra 'hf' (torch) is not installed")
transformers = pytest.importorskip(
    "transformers", reason="the extra 'hf' (transformers) is not installed"
)
from tiny_model import TEMPLATE, save_model  # noqa: E402

from evaluation.requests import Request  # noqa: E402
from evaluation.runner.backend import BackendSettings, Usage  # noqa: E402
from evaluation.runner.backends.hf import (  # noqa: E402
    LocalModel,
    open_backend,
)

CHOICES = ("Ann", "Bob", "Unknown")


def asked(text, *, system="", name="r", letters="ABC"):
    """Make a request with three choices."""
    shown = "\n".join(f"{a}: {b}" for a, b in zip(letters, CHOICES, strict=True))
    messages = [{"role": "user", "content": f"{text}\n{shown}\nAnswer:"}]
    if system:
        messages.insert(0, {"role": "system", "content": system})
    return Request(name, tuple(messages), CHOICES)


REQUESTS = [
    asked("Who sang?" + " Two people sat in the hall." * count, name=f"r{count}")
    for count in (0, 3, 1, 5, 2, 0, 4, 1)
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Three models: two that know places in different ways, and one with a chat template."""
    root = tmp_path_factory.mktemp("models")
    return {
        "llama": save_model(root / "llama"),
        "gpt2": save_model(root / "gpt2", "gpt2"),
        "chat": save_model(root / "chat", template=TEMPLATE),
    }


Open = Callable[..., LocalModel]


@pytest.fixture
def opened(folders):
    """Open one of the models on the CPU."""

    def make(kind, parameters=None, **options):
        given = {"path": str(folders[kind]), "device": "cpu", **options}
        return open_backend(BackendSettings("tiny", parameters or {}, options=given))

    return make


class ByHand:
    """The same model, asked one token after the other without any help."""

    def __init__(self, folder):
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()

    def logits(self, tokens):
        """Give the logits of the token after some tokens."""
        with torch.no_grad():
            return self.model(torch.tensor([tokens])).logits[0, -1]

    def reply(self, text, count, *, special=True):
        """Write on greedily."""
        tokens = self.tokenizer(text, add_special_tokens=special)["input_ids"]
        start = len(tokens)
        for _ in range(count):
            best = int(self.logits(tokens).argmax())
            tokens.append(best)
            if best == self.tokenizer.eos_token_id:
                break
        return self.tokenizer.decode(tokens[start:], skip_special_tokens=True), start


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_a_reply_is_the_greedy_continuation(opened, folders, kind):
    """A reply is the greedy continuation."""
    hand = ByHand(folders[kind])
    outcomes = opened(kind, {"max_tokens": 6}).ask_many(REQUESTS)
    for request, outcome in zip(REQUESTS, outcomes, strict=True):
        text, length = hand.reply(request.messages[0]["content"], 6)
        assert outcome.text == text
        assert outcome.usage.input_tokens == length
        assert outcome.error is None
    assert len({outcome.text for outcome in outcomes}) > 1


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
@pytest.mark.parametrize("mode", ["generate", "logit"])
def test_a_batch_of_eight_gives_what_eight_batches_of_one_give(opened, kind, mode):
    """A batch of eight gives what eight batches of one give."""
    whole = opened(kind, mode=mode, batch_size="8").ask_many(REQUESTS)
    single = opened(kind, mode=mode, batch_size="1")
    assert list(whole) == [single.ask_many([request])[0] for request in REQUESTS]
    assert list(opened(kind, mode=mode, batch_size="3").ask_many(REQUESTS)) == list(whole)


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_the_choice_is_the_label_with_the_highest_logit_in_either_form(opened, folders, kind):
    """The choice is the label with the highest logit in either form."""
    hand = ByHand(folders[kind])
    forms = [
        [hand.tokenizer.convert_tokens_to_ids(form) for form in (letter, f"Ġ{letter}")]
        for letter in "ABC"
    ]
    assert len({token for both in forms for token in both}) == 6
    outcomes = opened(kind, mode="logit").ask_many(REQUESTS)
    for request, outcome in zip(REQUESTS, outcomes, strict=True):
        tokens = hand.tokenizer(request.messages[0]["content"])["input_ids"]
        logits = hand.logits(tokens)
        scores = [max(float(logits[token]) for token in both) for both in forms]
        assert outcome.text == "ABC"[scores.index(max(scores))]
        assert outcome.usage == Usage(len(tokens), 1)
        assert outcome.finish_reason == "stop"


@pytest.mark.parametrize("kind", ["llama", "gpt2", "chat"])
def test_the_labels_log_probabilities_are_kept(opened, folders, kind):
    """Of each as what goes on the request: after a blank, but right behind a chat template."""
    hand = ByHand(folders[kind])
    outcomes = opened(kind, mode="logprobs").ask_many(REQUESTS)
    for request, outcome in zip(REQUESTS, outcomes, strict=True):
        text = request.messages[0]["content"]
        tokens, blank = hand.tokenizer(text)["input_ids"], "Ġ"
        if kind == "chat":
            whole = hand.tokenizer.apply_chat_template(
                [dict(item) for item in request.messages],
                tokenize=False,
                add_generation_prompt=True,
            )
            tokens, blank = hand.tokenizer(whole, add_special_tokens=False)["input_ids"], ""
        every = hand.logits(tokens).log_softmax(-1)
        own = [float(every[hand.tokenizer.convert_tokens_to_ids(f"{blank}{c}")]) for c in "ABC"]
        assert outcome.logprobs is not None
        assert list(outcome.logprobs) == ["A", "B", "C"]
        assert list(outcome.logprobs.values()) == pytest.approx(own, abs=1e-4)
        assert outcome.text == "ABC"[own.index(max(own))]


def test_what_does_not_fit_into_memory_is_asked_in_halves(opened):
    """What does not fit into memory is asked in halves."""
    expected = list(opened("llama").ask_many(REQUESTS))
    backend = opened("llama")
    model = backend._load().model
    generate, sizes = model.generate, []

    def scarce(**given):
        sizes.append(len(given["input_ids"]))
        if sizes[-1] > 2:
            raise torch.OutOfMemoryError
        return generate(**given)

    model.generate = scarce
    assert list(backend.ask_many(REQUESTS)) == expected
    assert sizes == [8, 4, 2, 2, 4, 2, 2]

    def none(**_given):
        raise torch.OutOfMemoryError

    model.generate = none
    (found,) = backend.ask_many(REQUESTS[:1])
    assert found.error is not None
    assert found.error.message.endswith("tokens does not fit into memory")


def test_draws_hang_on_request_and_seed_alone(opened):
    """Draws depend on request and seed alone."""

    def draws(seed, size, requests):
        backend = opened("gpt2", {"temperature": 1.5, "seed": seed}, batch_size=size)
        return [item.text for item in backend.ask_many(requests)]

    first = draws(3, "8", REQUESTS)
    assert draws(3, "2", REQUESTS) == first
    assert draws(3, "8", REQUESTS[::-1]) == first[::-1]
    assert draws(4, "8", REQUESTS) != first
    assert [item.text for item in opened("gpt2").ask_many(REQUESTS)] != first
