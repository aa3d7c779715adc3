"""Local models: what they reply is what their weights say, however requests are put together."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the extra 'hf' (torch) is not installed")
transformers = pytest.importorskip(
    "transformers", reason="the extra 'hf' (transformers) is not installed"
)
from tiny_model import TEMPLATE, save_model, save_tokenizer  # noqa: E402
from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402

from curation.records.errors import CurateError  # noqa: E402
from evaluation.requests import Request  # noqa: E402
from evaluation.runner.backend import BackendSettings, FailureKind, Usage  # noqa: E402
from evaluation.runner.backends.hf import (  # noqa: E402
    Draw,
    LocalModel,
    label_tokens,
    open_backend,
)

CHOICES = ("Ann", "Bob", "Unknown")


def asked(
    text: str, *, system: str = "", name: str = "r", letters: Sequence[str] = "ABC"
) -> Request:
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
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three models: two that know places in different ways, and one with a chat template."""
    root = tmp_path_factory.mktemp("models")
    return {
        "llama": save_model(root / "llama"),
        "gpt2": save_model(root / "gpt2", "gpt2"),
        "chat": save_model(root / "chat", template=TEMPLATE),
    }


Open = Callable[..., LocalModel]


@pytest.fixture
def opened(folders: dict[str, Path]) -> Open:
    """Open one of the models on the CPU."""

    def make(kind: str, parameters: dict[str, object] | None = None, **options: str) -> LocalModel:
        given = {"path": str(folders[kind]), "device": "cpu", **options}
        return open_backend(BackendSettings("tiny", parameters or {}, options=given))

    return make


class ByHand:
    """The same model, asked one token after the other without any help."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()

    def logits(self, tokens: list[int]) -> Any:
        """Give the logits of the token after some tokens."""
        with torch.no_grad():
            return self.model(torch.tensor([tokens])).logits[0, -1]

    def reply(self, text: str, count: int, *, special: bool = True) -> tuple[str, int]:
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
def test_a_reply_is_the_greedy_continuation(
    opened: Open, folders: dict[str, Path], kind: str
) -> None:
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
def test_a_batch_of_eight_gives_what_eight_batches_of_one_give(
    opened: Open, kind: str, mode: str
) -> None:
    """A batch of eight gives what eight batches of one give."""
    whole = opened(kind, mode=mode, batch_size="8").ask_many(REQUESTS)
    single = opened(kind, mode=mode, batch_size="1")
    assert list(whole) == [single.ask_many([request])[0] for request in REQUESTS]
    assert list(opened(kind, mode=mode, batch_size="3").ask_many(REQUESTS)) == list(whole)


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_the_choice_is_the_label_with_the_highest_logit_in_either_form(
    opened: Open, folders: dict[str, Path], kind: str
) -> None:
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
def test_the_labels_log_probabilities_are_kept(
    opened: Open, folders: dict[str, Path], kind: str
) -> None:
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


def test_of_equal_log_probabilities_all_labels_are_the_reply(tmp_path: Path) -> None:
    """So that no single one can be read of it."""
    save_model(tmp_path)
    model = transformers.AutoModelForCausalLM.from_pretrained(tmp_path)
    torch.nn.init.zeros_(model.lm_head.weight)
    model.save_pretrained(tmp_path)
    options = {"path": str(tmp_path), "mode": "logprobs"}
    (outcome,) = open_backend(BackendSettings("flat", options=options)).ask_many(REQUESTS[:1])
    assert outcome.text == "A, B, C"
    many = asked("Who sang?", letters=("10", "11", "12"))
    (refused,) = open_backend(BackendSettings("flat", options=options)).ask_many([many])
    assert refused.error is not None
    assert "is not one token after this request" in refused.error.message


def test_of_equal_logits_the_first_label_is_chosen(tmp_path: Path) -> None:
    """Of equal logits the first label is chosen."""
    save_model(tmp_path)
    model = transformers.AutoModelForCausalLM.from_pretrained(tmp_path)
    torch.nn.init.zeros_(model.lm_head.weight)
    model.save_pretrained(tmp_path)
    backend = open_backend(
        BackendSettings("flat", options={"path": str(tmp_path), "mode": "logit"})
    )
    requests = [asked("Who?"), asked("Who?", letters="bca"), asked("Who?", letters="231")]
    assert [item.text for item in backend.ask_many(requests)] == ["A", "b", "2"]


def test_a_label_without_a_token_of_its_own_is_refused_and_the_others_are_answered(
    opened: Open,
) -> None:
    """A label without a token of its own is refused and the others are answered."""
    odd = asked("Who?", letters=["zqzq", "B", "C"])  # type: ignore[arg-type]
    found = opened("llama", mode="logit").ask_many([REQUESTS[0], odd, Request("x", ())])
    assert found[0].text in ("A", "B", "C")
    assert [item.text for item in found[1:]] == [None, None]
    assert found[1].error is not None
    assert found[1].error.kind is FailureKind.REFUSED
    assert found[1].error.message == "the label 'zqzq' has no token of its own in this model"
    assert found[2].error is not None
    assert found[2].error.message == "the request has no choices"


def test_a_label_is_said_with_and_without_a_blank(tmp_path: Path) -> None:
    """In both ways in which vocabularies write a blank."""
    tokenizer = save_tokenizer(tmp_path / "bytes")
    ids = tokenizer.convert_tokens_to_ids
    assert label_tokens(tokenizer, ["A", "B"]) == [
        sorted(ids(["A", "ĠA"])),
        sorted(ids(["B", "ĠB"])),
    ]
    words = ["<unk>", "▁", "▁A", "B", "A", "▁B", "C"]
    pieces = Tokenizer(models.Unigram([(word, -1.0) for word in words], unk_id=0))
    pieces.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=pieces, unk_token="<unk>")  # noqa: S106  # no secret
    assert label_tokens(tokenizer, ["A", "B", "C"]) == [[2, 4], [3, 5], [6]]


def test_the_token_for_what_is_unknown_is_no_label(tmp_path: Path) -> None:
    """A vocabulary of words has one for every other word."""
    words = Tokenizer(models.WordLevel({"<unk>": 0, "A": 1}, unk_token="<unk>"))  # noqa: S106
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, unk_token="<unk>")  # noqa: S106  # no secret
    assert label_tokens(tokenizer, ["A"]) == [[1]]
    with pytest.raises(ValueError, match="the label 'D' has no token of its own"):
        label_tokens(tokenizer, ["A", "D"])


def test_a_token_that_two_labels_share_counts_for_neither(tmp_path: Path) -> None:
    """A token that two labels share counts for neither."""
    tokenizer = save_tokenizer(tmp_path)
    with pytest.raises(ValueError, match="the label 'A' has no token of its own"):
        label_tokens(tokenizer, ["A", "A"])


def test_messages_go_through_the_chat_template(opened: Open, folders: dict[str, Path]) -> None:
    """Messages go through the chat template."""
    hand = ByHand(folders["chat"])
    request = asked("Who sang?", system="Be brief.")
    content = request.messages[1]["content"]
    written = f"<system>Be brief.<end><user>{content}<end>"
    for options, text in (
        ({}, f"{written}<assistant>"),
        ({"template.who": "model"}, f"{written}<model>"),
        ({"chat": "no"}, f"Be brief.\n\n{content}"),
    ):
        (found,) = opened("chat", {"max_tokens": 5}, **options).ask_many([request])
        expected = hand.reply(text, 5, special="chat" in options)  # a template has its own
        assert (found.text, found.usage.input_tokens) == expected


def test_a_template_that_does_not_take_a_request_refuses_it(opened: Open) -> None:
    """A template that does not take a request refuses it."""
    request = Request("r", ({"role": "tool", "content": "x"},))
    (found,) = opened("chat").ask_many([request])
    assert found.error is not None
    assert found.error.kind is FailureKind.REFUSED
    assert found.error.message == "the chat template does not accept the request: no tools"


def test_a_chat_template_that_is_not_there_is_refused(opened: Open) -> None:
    """A chat template that is not there is refused."""
    with pytest.raises(CurateError, match="the model has no chat template"):
        opened("llama", chat="yes")


def test_a_reply_ends_at_its_end_or_at_the_most_tokens(tmp_path: Path) -> None:
    """A reply ends at its end or at the most tokens."""
    save_model(tmp_path)
    hand = ByHand(tmp_path)
    tokens = hand.tokenizer(REQUESTS[0].messages[0]["content"])["input_ids"]
    first = int(hand.logits(tokens).argmax())
    second = int(hand.logits([*tokens, first]).argmax())
    assert first != second
    for ends, text, made, reason in (
        ([first], None, 1, "stop"),  # no words: no reply
        ([second], hand.tokenizer.decode([first]), 2, "stop"),
        ([], hand.tokenizer.decode([first, second]), 2, "length"),
    ):
        config = {"eos_token_id": ends or [hand.tokenizer.pad_token_id]}
        (tmp_path / "generation_config.json").write_text(json.dumps(config))
        settings = BackendSettings("t", {"max_tokens": 2}, options={"path": str(tmp_path)})
        (found,) = open_backend(settings).ask_many(REQUESTS[:1])
        assert (found.text, found.usage.output_tokens, found.finish_reason) == (text, made, reason)


def test_what_a_models_folder_wishes_for_generation_is_not_added(
    tmp_path: Path, opened: Open
) -> None:
    """What a models folder wishes for generation is not added."""
    save_model(tmp_path)
    wishes = {"do_sample": True, "temperature": 9.0, "top_k": 3, "repetition_penalty": 50.0}
    config = {**wishes, "eos_token_id": 0, "max_new_tokens": 3}
    (tmp_path / "generation_config.json").write_text(json.dumps(config))
    settings = BackendSettings("t", {"max_tokens": 8}, options={"path": str(tmp_path)})
    with_wishes = open_backend(settings).ask_many(REQUESTS)
    assert list(with_wishes) == list(opened("llama", {"max_tokens": 8}).ask_many(REQUESTS))


def test_a_request_that_is_too_long_fails_alone(opened: Open) -> None:
    """A request that is too long fails alone."""
    long = asked("Who sang? " * 60)
    found = opened("llama").ask_many([REQUESTS[0], long, REQUESTS[1]])
    assert found[0].text is not None
    assert found[2].text is not None
    assert found[1].error is not None
    assert found[1].error.kind is FailureKind.REFUSED
    assert "and the model reads 192 together with the 16 of its reply" in found[1].error.message


def test_what_does_not_fit_into_memory_is_asked_in_halves(opened: Open) -> None:
    """What does not fit into memory is asked in halves."""
    expected = list(opened("llama").ask_many(REQUESTS))
    backend = opened("llama")
    model = backend._load().model
    generate, sizes = model.generate, []

    def scarce(**given: Any) -> Any:
        sizes.append(len(given["input_ids"]))
        if sizes[-1] > 2:
            raise torch.OutOfMemoryError
        return generate(**given)

    model.generate = scarce
    assert list(backend.ask_many(REQUESTS)) == expected
    assert sizes == [8, 4, 2, 2, 4, 2, 2]

    def none(**_given: Any) -> Any:
        raise torch.OutOfMemoryError

    model.generate = none
    (found,) = backend.ask_many(REQUESTS[:1])
    assert found.error is not None
    assert found.error.message.endswith("tokens does not fit into memory")


def test_draws_hang_on_request_and_seed_alone(opened: Open) -> None:
    """Draws depend on request and seed alone."""

    def draws(seed: int, size: str, requests: list[Request]) -> list[str | None]:
        backend = opened("gpt2", {"temperature": 1.5, "seed": seed}, batch_size=size)
        return [item.text for item in backend.ask_many(requests)]

    first = draws(3, "8", REQUESTS)
    assert draws(3, "2", REQUESTS) == first
    assert draws(3, "8", REQUESTS[::-1]) == first[::-1]
    assert draws(4, "8", REQUESTS) != first
    assert [item.text for item in opened("gpt2").ask_many(REQUESTS)] != first


def test_draws_are_distributed_as_the_softmax() -> None:
    """Draws are distributed as the softmax."""
    count = 20_000
    logits = torch.log(torch.tensor([1.0, 2.0, 4.0]))
    draw = Draw(torch, 0.5, list(range(count)))  # squares the chances: 1, 4, 16 of 21
    drawn = draw(None, logits.expand(count, 3)).argmax(dim=1)
    for at, chance in enumerate((1 / 21, 4 / 21, 16 / 21)):
        share = float((drawn == at).float().mean())
        assert abs(share - chance) < 4 * math.sqrt(chance * (1 - chance) / count)


def test_the_parameters_say_what_replies_hang_on(opened: Open, tmp_path: Path) -> None:
    """The parameters say what replies depend on."""
    plain = opened("llama", {"max_tokens": 4}).parameters
    assert plain == {
        "mode": "generate",
        "weights": plain["weights"],
        "dtype": "float32",
        "chat": False,
        "max_tokens": 4,
    }
    assert opened("llama", {"max_tokens": 4}, batch_size="2").parameters == plain
    assert opened("gpt2", {"max_tokens": 4}).parameters["weights"] != plain["weights"]
    drawn = opened("llama", {"max_tokens": 4, "temperature": 1, "seed": 2}).parameters
    assert drawn == {**plain, "temperature": 1.0, "seed": 2}
    logit = opened("llama", {"max_tokens": 4, "temperature": 1}, mode="logit").parameters
    assert logit == {key: plain[key] for key in ("weights", "dtype", "chat")} | {"mode": "logit"}
    chat = opened("chat", **{"template.who": "x"}).parameters
    assert (chat["chat"], chat["template"]) == (True, {"who": "x"})


def test_other_numbers_are_used_when_they_are_asked_for(opened: Open) -> None:
    """Other numbers are used when they are asked for."""
    backend = opened("llama", dtype="bfloat16")
    assert backend.parameters["dtype"] == "bfloat16"
    assert backend._load().model.dtype is torch.bfloat16
    assert all(item.text is not None for item in backend.ask_many(REQUESTS))
    backend.close()
