"""The backends by name; each is imported when it is used.

A backend's module has `open_backend(settings)`, and `KEEPS = False` where its replies cost
nothing or hang on more than model, parameters and messages, so that they are not stored.
"""

import importlib
from typing import Any

from evaluation.runner.backend import Backend, BackendSettings, BatchBackend

BACKENDS: dict[str, str] = {
    "openai": "evaluation.runner.openai_backend",
    "hf": "evaluation.runner.hf",
    "oracle": "evaluation.runner.baselines.oracle",
    "uniform": "evaluation.runner.baselines.uniform",
    "always-biased": "evaluation.runner.baselines.always_biased",
    "always-counter-biased": "evaluation.runner.baselines.always_counter_biased",
    "always-unknown": "evaluation.runner.baselines.always_unknown",
    "always-first": "evaluation.runner.baselines.always_first",
}
"""By name the module of a backend."""


def open_backend(name: str, settings: BackendSettings) -> Backend | BatchBackend:
    """Open a backend.

    Raises:
        CurateError: If it cannot be opened with these settings.
    """
    backend: Backend | BatchBackend = _module(name).open_backend(settings)
    return backend


def keeps(name: str) -> bool:
    """Say whether a backend's replies are stored."""
    return bool(getattr(_module(name), "KEEPS", True))


def _module(name: str) -> Any:
    return importlib.import_module(BACKENDS[name])
