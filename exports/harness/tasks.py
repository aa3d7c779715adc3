"""Task folders of the benchmark for other people's harnesses."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.errors import refuse_unknown
from exports.edition import open_edition
from exports.folders import EXPORT, Exported, refuse_foreign, write_export
from exports.harness import inspect, lm_eval
from exports.harness.core import DATA
from exports.harness.requests import Tasks, Written, tasks_of, write_data

HARNESSES: Mapping[str, Callable[[Path, Tasks, Written], dict[str, int]]] = {
    "lm_eval": lm_eval.write_folder,
    "inspect": inspect.write_folder,
}
"""By harness, what writes its task folder beside the requests."""
TITLES: Mapping[str, str] = {
    "lm_eval": "the LM Evaluation Harness",
    "inspect": "Inspect",
}
"""By harness, what people call it."""


def task_folder(
    workspace: Workspace,
    harness: str,
    kind: str = "test",
    *,
    prompts: Path | None = None,
    prompt_ids: Sequence[str] = (),
    orders: str | None = None,
    per_template: int | None = None,
    proper_names: int | None = None,
    epochs: int = 1,
    out: Path | None = None,
) -> Exported:
    """Write a folder of tasks, by default to `exports/lm_eval` or `exports/inspect`.

    Args:
        workspace: The workspace.
        harness: One of `HARNESSES`.
        kind: `test`, one filling of each pair of variants, or `all` fillings.
        prompts: A file of prompts; the toolkit's own in the workspace's language by default.
        prompt_ids: Only these prompts.
        orders: The orders of the choices, `cyclic` or `kobbq`.
        per_template: Maximum number of samples of a template; `samples.per_template` by default.
        proper_names: Proper names of each person; `samples.proper_names` by default.
        epochs: How often a harness asks each request, above temperature 0.
        out: The folder to write to.

    Raises:
        CurateError: If a file cannot be read or written, templates cannot be filled, there are
            more samples than `samples.limit`, or the folder holds what no such export wrote.
    """
    harness = harness.replace("-", "_")  # as its command and its users write it
    refuse_unknown("harness", harness, HARNESSES)
    folder = out or workspace.exports_folder / harness
    with writing(workspace, f"curate export package --only {harness.replace('_', '-')}", to=out):
        refuse_foreign(folder, harness)
        settings = workspace.culture.samples.with_bounds(per_template, proper_names)
        edition = open_edition(workspace, settings)
        tasks = tasks_of(edition, kind, prompts, prompt_ids, orders, epochs)
        edition.refuse([tasks.seed])

        def write(stage: Path) -> Mapping[str, int]:
            return HARNESSES[harness](stage, tasks, write_data(stage / DATA, tasks))

        told: dict[str, object] = {
            "set": kind,
            "orders": tasks.orders.value,
            "prompts": tasks.prompt_ids,
        }
        told |= {"epochs": epochs} if epochs > 1 else {}
        return write_export(
            edition,
            folder,
            write,
            settings={EXPORT: harness, **told},
            seed=tasks.seed,
            sets=(kind,),
            used=[prompts] if prompts else (),
        )


def write_every(folder: Path, tasks: Tasks) -> None:
    """Write the folders of all harnesses below another one; the requests are made once.

    Raises:
        CurateError: If a template cannot be filled, or a file cannot be written.
    """
    first, *others = HARNESSES
    written = write_data(folder / first / DATA, tasks)
    for name in others:
        (folder / name).mkdir()
        shutil.copyfile(folder / first / DATA, folder / name / DATA)
    for name, write in HARNESSES.items():
        write(folder / name, tasks, written)
