"""What `curate export lm-eval` and `curate export inspect` share."""

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from curation.cli.common import json_option, workspace_option
from curation.cli.evaluate_inputs import SETS, chosen_prompts, prompt_options
from curation.cli.exporting import (
    Written,
    checked,
    final_samples,
    finish,
    out_option,
    refuse_faults,
)
from curation.cli.final import Final
from curation.io.atomic import staged_folder
from curation.io.sources import read_terms
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.sample import Sample
from curation.publish.harness.records import Asked, Benchmark, Source
from curation.publish.ours import EXPORT, refuse_foreign
from evaluation.orders import ORDERS, Orders, shown
from evaluation.prepare import prompted, request_id
from evaluation.prompts import PromptSet

Write = Callable[[Path, Benchmark, Iterable[Asked]], dict[str, int]]
"""Writes a folder from what is asked; gives counts."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be asked.

    Attributes:
        kind: `test` or `all`.
        prompts: The prompts.
        orders: The orders of the choices.
    """

    kind: str
    prompts: PromptSet
    orders: Orders


def wanted_by_default(workspace: Workspace) -> Wanted:
    """Give what is asked unless something else is wanted: the test set, the toolkit's prompts.

    Raises:
        CurateError: If the toolkit has no prompts in the workspace's language.
    """
    prompts, orders = chosen_prompts(workspace, None, (), None)
    return Wanted("test", prompts, orders)


@dataclass(frozen=True, slots=True)
class Given:
    """The options of a command that writes a task folder.

    Attributes:
        set_: `test` or `all`.
        prompts: File of prompts; the toolkit's own without it.
        prompt_ids: Only these prompts.
        orders: Which orders of the choices.
        out: Where to.
    """

    set_: str
    prompts: Path | None
    prompt_ids: tuple[str, ...]
    orders: str | None
    out: Path | None


def harness_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command receives `workspace`, `given` and `as_json`."""

    @functools.wraps(function)
    def gathered(workspace: Workspace, as_json: bool, **options: Any) -> Any:
        return function(workspace=workspace, given=Given(**options), as_json=as_json)

    result: Callable[..., Any] = gathered
    for option in (
        json_option,
        out_option,
        prompt_options,
        click.option(
            "--set",
            "set_",
            type=click.Choice(SETS),
            default="test",
            show_default=True,
            help="test: one filling drawn for each pair of variants; all: every filling.",
        ),
        workspace_option,
    ):
        result = option(result)
    return result


def export(workspace: Workspace, name: str, write: Write, given: Given, *, as_json: bool) -> None:
    """Write a task folder, its manifest and the last words.

    Args:
        workspace: The workspace.
        name: Of the export, and of its folder by default.
        write: Writes the folder.
        given: The options.
        as_json: Whether to print one JSON object.

    Raises:
        CurateError: If something cannot be read or written.
    """
    folder = given.out or workspace.exports_folder / name
    refuse_foreign(folder, name)
    final, findings = checked(workspace)
    chosen = chosen_prompts(workspace, given.prompts, given.prompt_ids, given.orders)
    wanted = Wanted(given.set_, *chosen)
    seed = _seed(workspace, wanted)
    refuse_faults(workspace, final, seed)
    with staged_folder(folder) as stage:
        counts = write(stage, *asked_of(workspace, final, wanted))
        written = [folder / path.relative_to(stage) for path in stage.rglob("*") if path.is_file()]
    shaped = {
        EXPORT: name,
        "set": wanted.kind,
        "orders": wanted.orders.value,
        "prompts": [prompt.id for prompt in wanted.prompts.prompts],
    }
    used = (given.prompts,) if given.prompts else ()
    made_of = Written(folder, written, counts, seed, shaped, used)
    finish(workspace, final, findings, made_of, as_json=as_json)


def asked_of(
    workspace: Workspace, final: Final, wanted: Wanted
) -> tuple[Benchmark, Iterator[Asked]]:
    """Give what a task folder says of itself, and its requests, holding one at a time.

    Raises:
        CurateError: If the list of imported files was damaged, or nothing is left to ask.
    """
    benchmark = Benchmark(
        workspace.culture,
        wanted.kind,
        tuple(prompt.id for prompt in wanted.prompts.prompts),
        tuple(_sources(workspace, final)),
    )
    benchmark.name  # noqa: B018  # what has no name for programs is refused before it is written
    if not final.fillable:
        raise CurateError(
            "no template of the workspace gives samples, so there is nothing to ask",
            workspace.shown(workspace.bank_file),
            "see where the templates stand: curate status",
        )
    samples = final_samples(workspace, final, _seed(workspace, wanted))
    return benchmark, _asked(samples, wanted)


def _seed(workspace: Workspace, wanted: Wanted) -> int | None:
    return workspace.culture.samples.seed if wanted.kind == "test" else None


def _asked(samples: Iterable[Sample], wanted: Wanted) -> Iterator[Asked]:
    """Yield what `evaluation.prepare.make_requests` yields, in its order."""
    for sample in samples:
        for prompt in wanted.prompts.prompts:
            choices = prompted(sample.choices, prompt)
            for number, order in enumerate(ORDERS[wanted.orders]):
                placed = shown(choices, order)
                yield Asked(
                    sample=sample,
                    request_id=request_id(sample.sample_id, number, prompt.id),
                    prompt=prompt.id,
                    order=number,
                    message=prompt.text(sample.context, sample.question, placed),
                    choices=placed,
                    letters=prompt.letters,
                    order_of=order,
                )


def _sources(workspace: Workspace, final: Final) -> Iterator[Source]:
    """Yield the published sets that templates left come from, with the terms recorded."""
    terms = read_terms(workspace.sources_folder)
    for name in sorted({variant.source for variant in final.bank.variants} - {""}):
        yield Source(name, terms.get(name))
