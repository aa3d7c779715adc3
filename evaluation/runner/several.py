"""Several models in one go: one after the other, each taken up where it ended."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from curation.records.errors import CurateError
from evaluation.runner.asking import Foreseen, Note, Ran, RunPlan, estimate, run, silent
from evaluation.runner.costs import Purse
from evaluation.runner.models_file import ModelSettings, read_models
from evaluation.runner.progress import Progress
from evaluation.runner.providers import refuse_missing_keys
from evaluation.runner.tally import Ending

_SERVERS = "openai"


@dataclass(frozen=True, slots=True)
class OfModel:
    """What came of one model.

    Attributes:
        model: What replies call it.
        ran: What was done; None where nothing could be begun, or in a dry run.
        foreseen: What would be done, in a dry run.
        error: Why requests are left without a reply, or nothing could be begun.
    """

    model: str
    ran: Ran | None = None
    foreseen: Foreseen | None = None
    error: CurateError | None = None

    def as_dict(self) -> dict[str, object]:
        """The counts, as `--json` prints them."""
        done = self.ran or self.foreseen
        error = self.error
        found: dict[str, object] = {"model": self.model} if done is None else done.as_dict()
        said = None if error is None else [error.what, error.where, error.hint]
        return {**found, "error": said}


@dataclass(frozen=True, slots=True)
class Several:
    """What came of several models, in the order of their file.

    Attributes:
        models: One for each that was come to.
        untried: Names of those that were not come to, for the user stopped the run.
    """

    models: tuple[OfModel, ...]
    untried: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[OfModel, ...]:
        """The models of which requests are left without a reply."""
        return tuple(item for item in self.models if item.error is not None)

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped the run."""
        return any(
            item.ran is not None and item.ran.tally.ending is Ending.INTERRUPTED
            for item in self.models
        )

    def as_dict(self) -> dict[str, object]:
        """The counts, as `--json` prints them."""
        return {
            "models": [item.as_dict() for item in self.models],
            "untried": list(self.untried),
            "failed": [item.model for item in self.failed],
        }


def plan_models(path: Path, usual: RunPlan) -> list[RunPlan]:
    """Plan the runs of all models of a file, for `run_models`.

    Args:
        path: The file; see `evaluation.runner.models_file`.
        usual: Files, limits, and settings that models leave open.

    Raises:
        CurateError: If the file is wrong, a price is missing or of another currency than others
            where there is a budget, or keys are missing in the environment: all of them are named.
    """
    found = [_plan(item, usual) for item in read_models(path, usual.settings)]
    if not usual.settings.dry:
        refuse_missing_keys(
            (plan.settings.called, plan.settings) for plan in found if plan.backend == _SERVERS
        )
    if usual.budget is not None:
        _refuse_unpriced(path, found)
    return found


def _plan(item: ModelSettings, usual: RunPlan) -> RunPlan:
    limits = replace(usual.limits, concurrency=item.settings.concurrency)
    return replace(
        usual,
        backend=item.backend,
        settings=item.settings,
        limits=limits,
        own_price=item.price,
        most_output=item.most_output,
    )


def _refuse_unpriced(path: Path, found: Sequence[RunPlan]) -> None:
    """Refuse a budget that cannot be kept: a model without a price, or of another currency."""
    currencies: dict[str, str] = {}
    for plan in found:
        name = plan.settings.called
        price = plan.price(name)
        if price is None:
            hint = (
                "write it as 'price: {input: 0.15, output: 0.6, currency: USD}', or give --prices"
            )
            raise CurateError(f"a budget needs the price of '{name}'", str(path), hint)
        currencies.setdefault(price.currency, name)
    if len(currencies) > 1:
        named = ", ".join(f"{key or 'none'} ({name})" for key, name in currencies.items())
        raise CurateError(
            f"one budget cannot limit prices in several currencies: {named}",
            str(path),
            "give all prices in one currency, or run the models of each currency separately",
        )


def estimate_models(wanted: Sequence[RunPlan], note: Note = silent) -> Several:
    """Count and estimate what a run of several models would do; nothing is sent or written.

    Args:
        wanted: What is asked of each.
        note: Called with messages for the user during the run.
    """
    return Several(tuple(_estimated(plan, note) for plan in wanted))


def _estimated(plan: RunPlan, note: Note) -> OfModel:
    name = plan.settings.called
    try:
        return OfModel(name, foreseen=estimate(plan, _named(name, note)))
    except CurateError as error:
        return OfModel(name, error=error)


def run_models(
    wanted: Sequence[RunPlan],
    note: Note = silent,
    progress: Callable[[Purse], AbstractContextManager[Progress]] | None = None,
) -> Iterator[OfModel]:
    """Ask several models, one after the other; one that fails does not stop those after it.

    Args:
        wanted: What is asked of each.
        note: Called with messages for the user during the run.
        progress: Makes what shows how far a run is; None shows nothing.

    Yields:
        What came of each, as soon as it has ended. A model at which the user stopped is the last.
    """
    spent = 0.0
    for plan in wanted:
        name = plan.settings.called
        if plan.budget is not None:
            plan = replace(plan, budget=max(0.0, plan.budget - spent))
        try:
            ran = run(plan, _named(name, note), progress)
        except CurateError as error:
            yield OfModel(name, error=error)
            continue
        spent += ran.purse.spent
        yield OfModel(name, ran=ran, error=ran.error())
        if ran.tally.ending is Ending.INTERRUPTED:
            return


def _named(name: str, note: Note) -> Note:
    """Say of which model a note is."""
    return lambda line: note(f"{name}: {line}")
