"""Models are found on this machine alone, and nothing in their folders is run."""

import importlib.util
import json

import pytest

from curation.records.errors import CurateError
from evaluation.replies.reply import FailureKind
from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.hf import fingerprint, open_backend

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None,
    reason="the extra 'hf' (torch, transformers) is not installed",
)


def test_a_fingerprint_hangs_on_what_the_files_hold(tmp_path):
    """A fingerprint depends on what the files hold."""
    for name in ("config.json", "model.safetensors", "notes.md"):
        (tmp_path / name).write_text(name)
    before = fingerprint(tmp_path)
    assert fingerprint(tmp_path) == before
    (tmp_path / "notes.md").write_text("what no model reads changes nothing")
    assert fingerprint(tmp_path) == before
    (tmp_path / "model.safetensors").write_text("model.safetensorz")
    assert fingerprint(tmp_path) != before


@needs_torch
def test_a_model_that_is_not_here_is_not_fetched(tmp_path, monkeypatch):
    """A model that is not here is not fetched."""
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    for name in ("nobody/such-a-model", str(tmp_path / "absent")):
        with pytest.raises(CurateError) as caught:
            open_backend(BackendSettings(name))
        assert caught.value.what == f"there is no model '{name}' on this machine"
        assert "hf download NAME" in caught.value.hint


@needs_torch
def test_weights_in_a_pickle_are_refused(tmp_path):
    """Weights in a pickle are refused."""
    import torch
    from tiny_model import save_model

    from evaluation.requests import Request

    save_model(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    torch.save({}, tmp_path / "pytorch_model.bin")
    backend = open_backend(BackendSettings(str(tmp_path)))
    (outcome,) = backend.ask_many([Request("r1", ({"role": "user", "content": "Who?"},))])
    assert outcome.text is None
    assert outcome.error is not None
    assert outcome.error.kind is FailureKind.BACKEND
    assert outcome.error.stops
    assert "safetensors" in outcome.error.message + outcome.error.hint


@needs_torch
def test_code_in_a_models_folder_is_not_run(tmp_path):
    """Code in a models folder is not run."""
    from tiny_model import save_tokenizer

    save_tokenizer(tmp_path)
    mark = tmp_path / "was-run"
    (tmp_path / "own.py").write_text(f"open({str(mark)!r}, 'w')\n")
    config = {"model_type": "own", "auto_map": {"AutoConfig": "own.C", "AutoModel": "own.M"}}
    config["auto_map"] |= {"AutoModelForCausalLM": "own.M"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CurateError, match="the model cannot be loaded"):
        open_backend(BackendSettings(str(tmp_path)))._load()
    assert not mark.exists()
