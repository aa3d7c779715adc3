"""A baseline: every answer is the choice that stands first."""

from evaluation.runner.backend import BackendSettings
from evaluation.runner.baselines.answering import (
    BaselineBackend,
    count_choices,
    refuse_other_options,
)

KEEPS = False
"""What costs nothing is not stored."""


def open_backend(settings: BackendSettings) -> BaselineBackend:
    """Open the baseline; it needs no samples.

    Raises:
        CurateError: If there is an option.
    """
    refuse_other_options(settings, ())
    return BaselineBackend(
        settings.model or "always-first",
        {"baseline": "always-first"},
        lambda request: min(0, count_choices(request)),
    )
