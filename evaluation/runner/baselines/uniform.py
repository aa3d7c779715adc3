"""A baseline: every choice with the same chance, by a seed."""

from curation.model.errors import CurateError
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings
from evaluation.runner.baselines.answering import (
    BaselineBackend,
    count_choices,
    refuse_other_options,
)
from evaluation.store import reply_key

KEEPS = False
"""What costs nothing is not stored."""
SEED = 42
"""The seed where none is given."""


def open_backend(settings: BackendSettings) -> BaselineBackend:
    """Open the baseline; it needs no samples.

    A reply is drawn by a hash of what is asked: what is asked alike is answered alike, and no
    order of requests and no part of them changes it.

    Args:
        settings: The seed is its option or body parameter `seed`.

    Raises:
        CurateError: If the seed is none, or there is another option.
    """
    refuse_other_options(settings, ("seed",))
    parameters = {"baseline": "uniform", "seed": _seed(settings)}

    def choose(request: Request) -> int:
        key = reply_key("uniform", parameters, request.messages)
        return int.from_bytes(key, "big") % count_choices(request)

    return BaselineBackend(settings.model or "uniform", parameters, choose)


def _seed(settings: BackendSettings) -> int:
    given = settings.options.get("seed", settings.parameters.get("seed", SEED))
    try:
        return int(str(given))
    except ValueError as error:
        hint = "give a whole number"
        raise CurateError(f"'{given}' is no seed", "--option seed", hint) from error
