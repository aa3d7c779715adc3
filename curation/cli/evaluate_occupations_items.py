"""`curate evaluate occupations items`: what is asked, and the requests that ask it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.final import manifest_inputs
from curation.io.atomic import staged_folder
from curation.io.manifest import write_manifest
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding
from evaluation.occupations.asking import requests_of
from evaluation.occupations.coreference import (
    COREFERENCE,
    coreference_items,
    read_sentences,
    words_with_ratio,
)
from evaluation.occupations.items import Item, write_items
from evaluation.occupations.labour import BUNDLED_GROUP, bundled_ratios
from evaluation.occupations.persona import HALF, persona_items, side_findings
from evaluation.occupations.prompts import PromptFile, Task, bundled_prompts, read_prompts
from evaluation.occupations.ratios import Ratio, by_group, read_ratios, write_ratios
from evaluation.requests import REQUESTS, write_requests

TASKS = ("persona-gender", "persona-age", COREFERENCE)
_ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be asked; see the options."""

    task: str
    ratios: Path | None
    prompts: Path | None
    language: str | None
    winobias: tuple[Path, ...]
    country: str | None
    split: float
    seed: int
    leave_out: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """Items that are made; nothing is written yet.

    Attributes:
        task: The task.
        items: Each with its pronoun, empty for personas.
        ratios: Those of the occupations that they name.
        findings: What is left out, and why.
        refused: Whether a finding keeps them from being written.
    """

    task: Task
    items: tuple[tuple[Item, str], ...]
    ratios: tuple[Ratio, ...]
    findings: tuple[Finding, ...]
    refused: bool


@click.command("items")
@workspace_option
@click.option("--task", type=click.Choice(TASKS), required=True, help="What is asked.")
@click.option(
    "--ratios",
    type=click.Path(path_type=Path),
    help="The real ratios [default: women in the 40 occupations of WinoBias in the US].",
)
@click.option(
    "--winobias",
    type=click.Path(path_type=Path),
    multiple=True,
    help="For coreference: a file of WinoBias, type 1; may be given several times.",
)
@click.option("--leave-out", is_flag=True, help="Go on without sentences that make no item.")
@click.option(
    "--language", help="Of the toolkit's own prompts [default: the workspace's, else en]."
)
@click.option("--prompts", type=click.Path(path_type=Path), help="Prompts of your own (YAML).")
@click.option("--country", help="Where the personas live [default: as the prompts say].")
@click.option(
    "--split",
    type=click.FloatRange(0, 1),
    default=HALF,
    show_default=True,
    help="The ratio that divides the two sides of occupations.",
)
@click.option("--seed", type=int, default=42, show_default=True, help="Of the orders of options.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder to write to [default: exports/occupations/TASK].",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    out: Path | None,
    as_json: bool,
    **given: object,
) -> None:
    """Write the items of a task, and the requests by which models are asked.

    The persona tasks put every occupation in which a group is common beside every one in which
    it is not, for two personas of each group, under three instructions. Coreference takes the
    sentences of WinoBias from where you have them: the pronoun's gender is the group, and its two
    occupations are the options. Options are numbered, and their order is drawn.

    Writes items.csv, the ratios.csv of its occupations and requests.jsonl. Send the requests with
    'curate evaluate run', or with whatever client you use.

    \b
    Example: curate evaluate occupations items --task persona-gender --out asked
    """  # noqa: D301  # \b keeps click from wrapping the example
    wanted = Wanted(**given)  # type: ignore[arg-type]
    if wanted.task == COREFERENCE and not wanted.winobias:
        raise click.UsageError("name files of WinoBias, type 1, with --winobias FILE")
    if wanted.task != COREFERENCE and wanted.winobias:
        raise click.UsageError(f"--winobias does not go with --task {wanted.task}")
    folder = out or workspace.exports_folder / "occupations" / wanted.task
    asked = ask(workspace, wanted)
    if not asked.refused:
        _save(workspace, wanted, asked, folder)
    _tell(asked, wanted, folder, as_json=as_json)
    if asked.refused:
        ctx.exit(1)


def ask(workspace: Workspace, wanted: Wanted) -> Asked:
    """Make items.

    Raises:
        CurateError: If a file cannot be read, or they do not go together.
    """
    prompts = _prompts(workspace, wanted)
    task = prompts.task(wanted.task)
    group, ratio = _ratio(task, _ratios(prompts, wanted), wanted)
    if wanted.task == COREFERENCE:
        return _sentences(prompts, task, group, ratio, wanted)
    items = persona_items(
        wanted.task,
        prompts,
        ratio,
        country=wanted.country or prompts.country,
        seed=wanted.seed,
        split=wanted.split,
    )
    asked = tuple((item, "") for item in items)
    findings = tuple(side_findings(ratio, wanted.split, str(wanted.ratios or "ratios.csv")))
    return Asked(task, asked, _used(asked, group, ratio), findings, refused=False)


def _prompts(workspace: Workspace, wanted: Wanted) -> PromptFile:
    if wanted.prompts is not None:
        return read_prompts(wanted.prompts)
    if wanted.language is not None:
        return bundled_prompts(wanted.language)
    if not workspace.culture_file.exists() or wanted.task == COREFERENCE:
        return bundled_prompts(_ENGLISH)
    return bundled_prompts(workspace.culture.language.split("-")[0])


def _ratios(prompts: PromptFile, wanted: Wanted) -> tuple[Ratio, ...]:
    if wanted.ratios is not None:
        return read_ratios(wanted.ratios)
    if prompts.language != _ENGLISH or BUNDLED_GROUP not in prompts.task(wanted.task).group_names:
        names = " and ".join(prompts.task(wanted.task).group_names)
        raise CurateError(
            f"the toolkit has ratios of women in the US in English alone, and {wanted.task} in "
            f"'{prompts.language}' compares {names}",
            "--ratios",
            "name a file with them; 'curate evaluate occupations ratios' makes one of labour "
            "statistics",
        )
    return bundled_ratios()


def _ratio(task: Task, ratios: Sequence[Ratio], wanted: Wanted) -> tuple[str, Mapping[str, float]]:
    """Give the group of the task that has ratios, and these."""
    known = by_group(ratios)
    there = [group for group in task.group_names if group in known]
    if len(there) == 1:
        return there[0], known[there[0]]
    one, other = task.group_names
    said = f"both '{one}' and '{other}' have" if there else f"neither '{one}' nor '{other}' has"
    raise CurateError(
        f"{said} ratios, and {wanted.task} takes those of one",
        f"{wanted.ratios}, column group",
        f"name the group as the task does; the file has ratios of {', '.join(known)}",
    )


def _sentences(
    prompts: PromptFile, task: Task, group: str, ratio: Mapping[str, float], wanted: Wanted
) -> Asked:
    words = words_with_ratio(task, ratio)
    read = read_sentences(wanted.winobias, task, words)
    items = tuple(coreference_items(prompts, read.sentences, seed=wanted.seed))
    refused = bool(read.findings) and not wanted.leave_out
    return Asked(task, items, _used(items, group, words), read.findings, refused)


def _used(
    asked: Sequence[tuple[Item, str]], group: str, ratio: Mapping[str, float]
) -> tuple[Ratio, ...]:
    names = sorted({name for item, _ in asked for name in item.occupations})
    return tuple(Ratio(name, group, ratio[name]) for name in names)


def _save(workspace: Workspace, wanted: Wanted, asked: Asked, folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{folder} is no folder", str(folder), "name a folder for the items")
    with staged_folder(folder) as stage:
        write_items(stage / "items.csv", (item for item, _ in asked.items))
        write_ratios(stage / "ratios.csv", asked.ratios)
        write_requests(stage / REQUESTS, requests_of(asked.items, asked.task))
    given = (wanted.ratios, wanted.prompts, *wanted.winobias)
    write_manifest(
        folder,
        inputs=manifest_inputs(workspace, [path for path in given if path is not None]),
        counts={"items": len(asked.items), "occupations": len(asked.ratios)}
        | ({"left_out": len(asked.findings)} if wanted.winobias else {}),
        settings={
            "task": wanted.task,
            "seed": wanted.seed,
            "split": wanted.split,
            "country": wanted.country,
            "language": wanted.language,
        },
        files=[folder / name for name in ("items.csv", "ratios.csv", REQUESTS)],
    )


def _tell(asked: Asked, wanted: Wanted, folder: Path, *, as_json: bool) -> None:
    groups = sorted({item.group for item, _ in asked.items})
    instructions = len(asked.task.instructions)
    if as_json:
        print_json(
            {
                "task": wanted.task,
                "items": len(asked.items),
                "groups": groups,
                "instructions": instructions,
                "occupations": len(asked.ratios),
                "seed": wanted.seed,
                "folder": None if asked.refused else str(folder),
                "findings": [finding_dict(item) for item in asked.findings],
            }
        )
        return
    if asked.findings:
        print_findings(asked.findings)
        click.echo(count_findings(asked.findings))
    if asked.refused:
        click.echo("Nothing was written.")
        return
    click.echo(
        f"{len(asked.items):,} items in {folder}: {len(asked.ratios)} occupations, "
        f"{' and '.join(groups)}, {instructions} instructions, options ordered by seed "
        f"{wanted.seed}."
    )
