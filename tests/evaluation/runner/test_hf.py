"""Local models: what they reply is what their weights say, however requests are put together."""

import json
import weakref

import pytest

torch = pytest.importorskip("torch", reason="the extra 'hf' (torch) is not installed")
transformers = pytest.importorskip(
    "transformers", reason="the extra 'hf' (transformers) is not installed"
)
from tiny_model import TEMPLATE, save_model, save_tokenizer  # noqa: E402

from curation.records.messages import CurateError  # noqa: E402
from evaluation.replies.reply import FailureKind, Usage  # noqa: E402
from evaluation.requests import Request  # noqa: E402
from evaluation.runner.backend import BackendSettings  # noqa: E402
from evaluation.runner.backends.hf import LocalModel, fingerprint  # noqa: E402

CHOICES = ("Ann", "Bob", "Unknown")


def asked(text, *, system="", name="r", letters="ABC"):
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
    """Models that know places in different ways, one with a chat template, one that fills gaps."""
    root = tmp_path_factory.mktemp("models")
    return {
        "llama": save_model(root / "llama"),
        "gpt2": save_model(root / "gpt2", "gpt2"),
        "rwkv": save_model(root / "rwkv", "rwkv"),
        "bert": save_model(root / "bert", "bert"),
        "chat": save_model(root / "chat", template=TEMPLATE),
    }


@pytest.fixture
def opened(folders):
    def make(kind, **options):
        given = {"path": str(folders[kind]), "device": "cpu", **options}
        return LocalModel(BackendSettings("tiny", options=given))

    return make


class ByHand:
    """The same model, asked one token after the other without any help."""

    def __init__(self, folder):
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()

    def logits(self, tokens):
        with torch.no_grad():
            return self.model(torch.tensor([tokens])).logits[0, -1]


@pytest.mark.parametrize("kind", ["llama", "gpt2", "rwkv"])
def test_a_batch_of_eight_gives_what_eight_batches_of_one_give(opened, kind):
    """But for the last digits of sums; the other requests of a batch change nothing."""
    whole = opened(kind, batch_size="8").ask_many(REQUESTS)
    single = opened(kind, batch_size="1")
    parts = opened(kind, batch_size="3").ask_many(REQUESTS)
    for at, request in enumerate(REQUESTS):
        (alone,) = single.ask_many([request])
        for other in (alone, parts[at]):
            assert (other.text, other.usage) == (whole[at].text, whole[at].usage)
            assert other.logprobs == pytest.approx(whole[at].logprobs, abs=1e-4)


def test_a_model_that_looks_ahead_is_refused(opened):
    """What fills gaps, as BERT does, says nothing of how a text goes on."""
    (found,) = opened("bert").ask_many(REQUESTS[:1])
    assert (found.error.kind, found.error.stops) == (FailureKind.BACKEND, True)
    assert "it looks ahead" in found.error.message


@pytest.mark.parametrize("kind", ["llama", "gpt2", "chat"])
def test_the_labels_log_probabilities_are_kept(opened, folders, kind):
    """Of each as what goes on the request: after a blank, but right behind a chat template."""
    hand = ByHand(folders[kind])
    outcomes = opened(kind).ask_many(REQUESTS)
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
        assert list(outcome.logprobs) == ["A", "B", "C"]
        assert list(outcome.logprobs.values()) == pytest.approx(own, abs=1e-4)
        assert outcome.text == "ABC"[own.index(max(own))]
        assert (outcome.usage, outcome.finish_reason) == (Usage(len(tokens), 1), "stop")


def test_what_cannot_be_scored_fails_alone(opened):
    """Without choices, too long, empty, or with a label that is no token there."""
    bad = [
        (Request("a", ({"role": "user", "content": "x"},)), "the request has no choices"),
        (asked("Who? " * 200), "and the model reads 192"),
        (asked("Who?", letters=["A1", "B1", "C1"]), "the label 'A1' is not one token after"),
    ]
    requests = [REQUESTS[0], *(request for request, _ in bad), REQUESTS[1]]
    first, *failed, last = opened("llama").ask_many(requests)
    assert (first.error, last.error) == (None, None)
    for outcome, (_, said) in zip(failed, bad, strict=True):
        assert outcome.error.kind is FailureKind.REFUSED
        assert said in outcome.error.message


def test_what_does_not_fit_into_memory_is_asked_in_halves(opened):
    """One that does not fit alone fails."""
    expected = [item.text for item in opened("llama").ask_many(REQUESTS)]
    backend = opened("llama")
    score, sizes, taken = backend._next, [], []

    def scarce(prompts):
        assert all(held() is None for held in taken), "a failed attempt still holds its memory"
        sizes.append(len(prompts))
        if sizes[-1] > 2:
            logits = torch.zeros(1)
            taken.append(weakref.ref(logits))
            raise torch.OutOfMemoryError
        return score(prompts)

    backend._next = scarce
    assert [item.text for item in backend.ask_many(REQUESTS)] == expected
    assert sizes == [8, 4, 2, 2, 4, 2, 2]

    def none(_prompts):
        raise torch.OutOfMemoryError

    backend._next = none
    (found,) = backend.ask_many(REQUESTS[:1])
    assert found.error.message.endswith("tokens does not fit into memory")


def test_a_template_is_used_where_there_is_one(opened):
    """With the variables that are given; where there is none it cannot be wanted."""
    assert opened("chat").asking.parameters["chat"] is True
    plain = opened("chat", chat="no")
    given = opened("chat", **{"template.who": '"Ann"', "template.n": "3", "template.x": "no"})
    assert given.asking.parameters["template"] == {"who": "Ann", "n": 3, "x": "no"}
    texts = [backend.ask_many(REQUESTS[:1])[0].usage for backend in (plain, given)]
    assert texts[0] != texts[1]
    with pytest.raises(CurateError, match="the model has no chat template"):
        opened("llama", chat="yes")


def test_a_fingerprint_hangs_on_what_the_files_hold(tmp_path):
    for name in ("config.json", "model.safetensors", "notes.md"):
        (tmp_path / name).write_text(name)
    before = fingerprint(tmp_path)
    assert fingerprint(tmp_path) == before
    (tmp_path / "notes.md").write_text("what no model reads changes nothing")
    assert fingerprint(tmp_path) == before
    (tmp_path / "model.safetensors").write_text("model.safetensorz")
    assert fingerprint(tmp_path) != before


def test_a_model_that_is_not_here_is_not_fetched(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    for name in ("nobody/such-a-model", str(tmp_path / "absent")):
        with pytest.raises(CurateError) as caught:
            LocalModel(BackendSettings(name))
        assert caught.value.what == f"there is no model '{name}' on this machine"
        assert "hf download NAME" in caught.value.hint


def test_weights_in_a_pickle_are_refused(tmp_path):
    save_model(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    torch.save({}, tmp_path / "pytorch_model.bin")
    backend = LocalModel(BackendSettings(str(tmp_path)))
    (outcome,) = backend.ask_many([Request("r1", ({"role": "user", "content": "Who?"},))])
    assert outcome.text is None
    assert outcome.error.kind is FailureKind.BACKEND
    assert outcome.error.stops
    assert "safetensors" in outcome.error.message + outcome.error.hint


def test_code_in_a_models_folder_is_not_run(tmp_path):
    save_tokenizer(tmp_path)
    mark = tmp_path / "was-run"
    (tmp_path / "own.py").write_text(f"open({str(mark)!r}, 'w')\n")
    config = {"model_type": "own", "auto_map": {"AutoConfig": "own.C", "AutoModel": "own.M"}}
    config["auto_map"] |= {"AutoModelForCausalLM": "own.M"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CurateError, match="the model cannot be loaded"):
        LocalModel(BackendSettings(str(tmp_path)))._load()
    assert not mark.exists()
