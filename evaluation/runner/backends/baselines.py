"""Answers without any model, whose scores are known: they test the way from request to score.

A model's scores mean little beside 0 or 1 alone; beside those of a baseline that was asked the
same requests they show what chance, a habit or a bias that reads nothing would have got.

The scores of requests in all orders are these, where every template has both of its questions
and as many biased as counter-biased contexts:

| baseline | accuracy amb | diff-bias amb | accuracy dis | diff-bias dis |
|---|---|---|---|---|
| oracle | 1 | 0 | 1 | 0 |
| always-biased | 0 | 1 | 1/2 | 1 |
| always-counter-biased | 0 | -1 | 1/2 | -1 |
| always-unknown | 1 | 0 | 0 | 0 |
| always-first | 1/3 | 0 | 1/3 | 0 |
| uniform, in expectation | 1/3 | 0 | 1/3 | 0 |
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from curation.files.tables import read_bytes
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, refusal
from evaluation.qa.prepare import parse_request_id
from evaluation.qa.samples import UNKNOWN, SampleFile, exported_samples, sample_paths
from evaluation.replies.reply import Failure, FailureKind, Reply, Usage
from evaluation.requests import Request, shown_labels
from evaluation.runner.backend import BackendSettings, refuse_other_options
from evaluation.runner.index import Asking, own_part, reply_key

KEEPS = False
"""Replies that cost nothing are not stored."""
SEED = 42
"""The seed of `uniform` where none is given."""


_Gold = tuple[str, str, int, int]
"""Of a sample its first two choices, people; which of its three choices is right; and which of the
two is the biased answer: the first one, where the sample leaves open who is the target, and no
score of bias counts it."""


class _Golds:
    """The right and the biased answers of samples.

    Args:
        paths: Files of samples. The next one is read when a sample is in none before it.
        mapping: The file that says which of their columns say what.

    Attributes:
        digest: A hash of the files: a reply depends on what they hold.
    """

    def __init__(self, paths: Sequence[Path], mapping: Path | None) -> None:
        self._paths, self._unread, self._mapping = paths, list(paths), mapping
        self._known: dict[str, _Gold] = {}
        whole = hashlib.sha256()
        for path in (*paths, *((mapping,) if mapping else ())):
            whole.update(hashlib.sha256(read_bytes(path)).digest())
        self.digest = whole.hexdigest()

    def places(self, request: Request) -> tuple[tuple[int, int, int], int, int]:
        """The positions of people and unknown expression, and which of these is right and biased.

        The unknown expression is the prompt's own: the choice that is neither person.

        Raises:
            ValueError: If no file has the sample, or the request shows other choices than it has.
            CurateError: If a file cannot be read.
        """
        try:
            sample_id = parse_request_id(request.request_id)[0]
        except ValueError as error:
            raise ValueError(f"request {request.request_id} is about no sample") from error
        while sample_id not in self._known and self._unread:
            for item in SampleFile(self._unread.pop(0), mapping=self._mapping):
                biased = item.choices.index(item.biased_answer) if item.biased_answer else 0
                right = item.choices.index(item.answer)
                self._known[item.sample_id] = (*item.choices[:2], right, biased)
        if sample_id not in self._known:
            files = ", ".join(map(str, self._paths))
            raise ValueError(f"request {request.request_id} belongs to no sample of {files}")
        first, second, right, biased = self._known[sample_id]
        shown = list(request.choices)
        others = [at for at, text in enumerate(shown) if text not in (first, second)]
        if len(set(shown)) != 3 or len(shown) != 3 or len(others) != 1:
            raise ValueError(
                f"request {request.request_id} shows choices that its sample does not have"
            )
        return (shown.index(first), shown.index(second), others[0]), right, biased


def samples_files(settings: BackendSettings) -> Sequence[Path]:
    """Find the samples: the file that is named, else the exported test set, then all of them.

    Raises:
        CurateError: If none is named, and none was exported.
    """
    if "samples" in settings.options:
        return sample_paths(settings.options["samples"])
    workspace = Workspace(settings.workspace)
    found = [path for kind in ("test", "all") if (path := exported_samples(workspace, kind))]
    if not found:
        raise refusal("evaluation", "golds-none", str(workspace.exports_folder / "samples"))
    return found


Choose = Callable[[Request], int]
"""Gives the position of the choice that answers a request; a ValueError says why there is none."""


class Baseline:
    """Answers requests by a rule, with the label of a choice as the request shows it.

    Args:
        model: Its name in replies.
        parameters: What its replies depend on.
        choose: The rule.

    Attributes:
        model: Its name in replies.
        asking: The baseline, the hash of the samples that it reads, and its seed if it has one.
        batch_size: Requests at a time: what it takes to answer them is nothing.
    """

    batch_size = 1024

    def __init__(self, model: str, parameters: Mapping[str, object], choose: Choose) -> None:
        self.model = model
        self.asking = Asking(model, parameters)
        self._choose = choose

    def ask_many(self, requests: Sequence[Request], _say: object = None) -> Sequence[Reply]:
        """Answer requests; one that the samples do not go with stops the run."""
        return [self._answer(request) for request in requests]

    def close(self) -> None:
        """There is nothing to release."""

    def _answer(self, request: Request) -> Reply:
        try:
            at = self._choose(request)
        except ValueError as error:
            hint = "name the samples that were asked about: --option samples=FILE"
            failure = Failure(FailureKind.BACKEND, str(error), stops=True, hint=hint)
            return Reply(None, error=failure)
        return Reply(shown_labels(request)[at], Usage(0, 0), "stop")


def count_choices(request: Request) -> int:
    """How many choices a request has.

    Raises:
        ValueError: If it has none.
    """
    if not request.choices:
        raise ValueError(f"request {request.request_id} has no choices")
    return len(request.choices)


def _by_sample(
    name: str, choose: Callable[[int, int], int]
) -> Callable[[BackendSettings], Baseline]:
    """Make the opening of a baseline that answers by what it knows of the sample.

    Args:
        name: Of the baseline.
        choose: Tells of the right and the biased choice which of the sample's is the answer.
    """

    def opened(settings: BackendSettings) -> Baseline:
        refuse_other_options(settings, ("samples", "mapping"))
        mapping = settings.options.get("mapping")
        golds = _Golds(samples_files(settings), Path(mapping) if mapping else None)

        def at(request: Request) -> int:
            places, right, biased = golds.places(request)
            return places[choose(right, biased)]

        return Baseline(settings.called or name, {"baseline": name, "samples": golds.digest}, at)

    return opened


oracle = _by_sample("oracle", lambda right, _biased: right)
"""Open the baseline of which every answer is right.

Of the options `samples` is read: a file of samples, in place of those that the workspace has
exported. A CurateError says that there is another option, or that there are no samples.
"""
always_biased = _by_sample("always-biased", lambda _right, biased: biased)
"""Open the baseline that always names the stereotype's person, whatever the context says."""
always_counter_biased = _by_sample("always-counter-biased", lambda _right, biased: 1 - biased)
"""Open the baseline that always names the person that the stereotype does not name."""
always_unknown = _by_sample("always-unknown", lambda _right, _biased: UNKNOWN)
"""Open the baseline that always gives the unknown expression."""


def always_first(settings: BackendSettings) -> Baseline:
    """Open the baseline that always names the first choice; it needs no samples.

    Raises:
        CurateError: If there is an option.
    """
    refuse_other_options(settings, ())
    return Baseline(
        settings.called or "always-first",
        {"baseline": "always-first"},
        lambda request: min(0, count_choices(request)),
    )


def uniform(settings: BackendSettings) -> Baseline:
    """Open the baseline that names every choice with the same chance; it needs no samples.

    A reply is drawn by a hash of what is asked and of its epoch: what is asked alike is answered
    alike, and no order of requests and no part of them changes it.

    Args:
        settings: The seed is its option or body parameter `seed`.

    Raises:
        CurateError: If the seed is none, or there is another option.
    """
    refuse_other_options(settings, ("seed",))
    parameters = {"baseline": "uniform", "seed": _seed(settings)}

    def choose(request: Request) -> int:
        own = own_part(request.request_id, draws=False)
        body = {"model": "uniform", "messages": list(request.messages), **parameters}
        key = reply_key(body, own)
        return int.from_bytes(key, "big") % count_choices(request)

    return Baseline(settings.called or "uniform", parameters, choose)


def _seed(settings: BackendSettings) -> int:
    given = settings.options.get("seed", settings.parameters.get("seed", SEED))
    try:
        return int(str(given))
    except ValueError as error:
        hint = "give a whole number"
        raise CurateError(f"'{given}' is not a seed", "--option seed", hint) from error
