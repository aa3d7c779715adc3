"""Options of local models are read and checked before anything is loaded."""

import pytest

from curation.records.errors import CurateError
from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.hf_loading import Chat, Mode, local_settings


def read(parameters=None, **options):
    """Read settings of a run."""
    return local_settings(BackendSettings("tiny", parameters or {}, options=options))


def test_every_option_and_parameter_is_read():
    """And what they are where nothing is said: greedy generation of 16 tokens."""
    found = read()
    defaults = ("tiny", Mode.GENERATE, 8, Chat.AUTO)
    assert (found.path, found.mode, found.batch_size, found.chat) == defaults
    assert (found.max_tokens, found.temperature, found.seed, found.template) == (16, 0.0, 0, {})
    given = {"path": "/models/x", "mode": "logit", "batch_size": "32", "device": "cpu"}
    given |= {"dtype": "bfloat16", "chat": "no", "template.enable_thinking": "false"}
    given |= {"template.who": "Ann", "template.n": "3"}
    found = read({"max_completion_tokens": 4, "temperature": 0.5, "seed": 9}, **given)
    assert (found.path, found.mode, found.batch_size) == ("/models/x", Mode.LOGIT, 32)
    assert (found.device, found.dtype, found.chat) == ("cpu", "bfloat16", Chat.NO)
    assert found.template == {"enable_thinking": False, "who": "Ann", "n": 3}
    assert (found.max_tokens, found.temperature, found.seed) == (4, 0.5, 9)


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        ({"batchsize": "8"}, {}),
        ({"mode": "guess"}, {}),
        ({"chat": "maybe"}, {}),
        ({"device": "tpu"}, {}),
        ({"dtype": "int4"}, {}),
        ({"batch_size": "0"}, {}),
        ({"batch_size": "many"}, {}),
        ({}, {"temperature": -1.0}),
        ({}, {"temperature": float("inf")}),
        ({}, {"temperature": float("nan")}),
        ({}, {"top_p": 0.9}),
    ],
)
def test_what_is_no_setting_is_refused_not_dropped(options, parameters):
    """By its name."""
    with pytest.raises(CurateError) as caught:
        read(parameters, **options)
    assert next(iter({**options, **parameters})).split(".")[0] in caught.value.what
