"""Options of local models are read and checked before anything is loaded."""

import pytest

from curation.records.errors import CurateError
from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.hf_loading import Chat, LocalSettings, Mode, local_settings


def read(model="tiny", parameters=None, **options):
    """Read settings of a run."""
    return local_settings(BackendSettings(model, parameters or {}, options=options))


def test_every_option_and_parameter_is_read():
    """Every option and parameter is read."""
    options = {"template.enable_thinking": "false", "template.who": "Ann", "template.n": "3"}
    found = local_settings(
        BackendSettings(
            "name",
            {"max_completion_tokens": 4, "temperature": 0.5, "seed": 9},
            options={
                "path": "/models/x",
                "mode": "logit",
                "batch_size": "32",
                "device": "cpu",
                "dtype": "bfloat16",
                "chat": "no",
                **options,
            },
        )
    )
    assert found == LocalSettings(
        path="/models/x",
        mode=Mode.LOGIT,
        batch_size=32,
        device="cpu",
        dtype="bfloat16",
        chat=Chat.NO,
        template={"enable_thinking": False, "who": "Ann", "n": 3},
        max_tokens=4,
        temperature=0.5,
        seed=9,
    )


@pytest.mark.parametrize(
    ("options", "what", "hint"),
    [
        ({"batchsize": "8"}, "local models have no option 'batchsize'", "the options are path, "),
        ({"mode": "guess"}, "'guess' is not a valid mode", "give one of generate, logit"),
        ({"chat": "maybe"}, "'maybe' is not a valid chat", "give one of auto, yes, no"),
        ({"device": "tpu"}, "'tpu' is not a valid device", "give one of auto, cpu, cuda, mps"),
        ({"dtype": "int4"}, "'int4' is not a valid dtype", "give one of auto, float32, "),
        ({"batch_size": "0"}, "'0' is not a valid batch_size", "give a number from 1 on"),
        ({"batch_size": "many"}, "'many' is not a valid batch_size", "give a number from 1 on"),
    ],
)
def test_a_wrong_option_is_refused_with_what_there_is(options, what, hint):
    """A wrong option is refused with what there is."""
    with pytest.raises(CurateError) as caught:
        read(**options)
    assert caught.value.what == what
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("value", [-1.0, float("inf"), float("nan")])
def test_a_temperature_that_is_none_is_refused(value):
    """A temperature that is none is refused."""
    with pytest.raises(CurateError, match="is not a valid temperature"):
        read(parameters={"temperature": value})
