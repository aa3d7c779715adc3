"""A baseline: every answer is right."""

from evaluation.runner.backend import BackendSettings
from evaluation.runner.baselines.answering import BaselineBackend, by_sample

KEEPS = False
"""What costs nothing is not stored."""


def open_backend(settings: BackendSettings) -> BaselineBackend:
    """Open the baseline; see `by_sample` for its options.

    Raises:
        CurateError: If an option is wrong, or there are no samples.
    """
    return by_sample("oracle", lambda gold: gold.answer, settings)
