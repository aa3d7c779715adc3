"""What the baselines share: requests in, labels of choices out."""

from collections.abc import Callable, Mapping, Sequence

from curation.model.errors import CurateError
from evaluation.labels import shown_labels
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings, Failure, FailureKind, Outcome, Usage
from evaluation.runner.baselines.golds import Gold, Golds, places, samples_files

Choose = Callable[[Request], int]
"""Gives the position of the choice that answers a request; a ValueError says why there is none."""
_BATCH = 1024  # requests at a time: what it takes to answer them is nothing


class BaselineBackend:
    """Answers requests by a rule, with the label of a choice as the request shows it.

    Args:
        model: Its name in replies.
        parameters: What its replies depend on.
        choose: The rule.
    """

    def __init__(self, model: str, parameters: Mapping[str, object], choose: Choose) -> None:
        self._model = model
        self._parameters = dict(parameters)
        self._choose = choose

    @property
    def model(self) -> str:
        """The model's name in replies."""
        return self._model

    @property
    def parameters(self) -> Mapping[str, object]:
        """The baseline, the hash of the samples that it reads, and its seed if it has one."""
        return self._parameters

    @property
    def batch_size(self) -> int:
        """How many requests are best asked together."""
        return _BATCH

    def ask_many(self, requests: Sequence[Request]) -> Sequence[Outcome]:
        """Answer requests; one that the samples do not go with stops the run."""
        return [self._answer(request) for request in requests]

    def close(self) -> None:
        """Nothing is held."""

    def _answer(self, request: Request) -> Outcome:
        try:
            at = self._choose(request)
        except ValueError as error:
            hint = "name the samples that were asked about: --option samples=FILE"
            failure = Failure(FailureKind.BACKEND, str(error), stops=True, hint=hint)
            return Outcome(None, error=failure)
        return Outcome(shown_labels(request)[at], Usage(0, 0), "stop")


def by_sample(
    name: str, choose: Callable[[Gold], int], settings: BackendSettings
) -> BaselineBackend:
    """Open a baseline that answers by what it knows of the sample.

    Args:
        name: Of the baseline.
        choose: Gives which of the sample's choices is the answer.
        settings: Of its options `samples` is read: a file of samples, in place of those that
            the workspace has exported.

    Raises:
        CurateError: If there is another option, or there are no samples.
    """
    refuse_other_options(settings, ("samples",))
    golds = Golds(samples_files(settings))

    def at(request: Request) -> int:
        gold = golds.get(request)
        return places(request, gold)[choose(gold)]

    parameters = {"baseline": name, "samples": golds.digest()}
    return BaselineBackend(settings.model or name, parameters, at)


def count_choices(request: Request) -> int:
    """Give how many choices a request has.

    Raises:
        ValueError: If it has none.
    """
    if not request.choices:
        raise ValueError(f"request {request.request_id} has no choices")
    return len(request.choices)


def refuse_other_options(settings: BackendSettings, known: Sequence[str]) -> None:
    """Refuse options that are not read.

    Raises:
        CurateError: If there is one.
    """
    for name in settings.options:
        if name not in known:
            hint = f"the options are: {', '.join(known)}" if known else "leave it out"
            raise CurateError(f"the backend has no option '{name}'", "--option", hint)
