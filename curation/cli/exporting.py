"""What the commands of `curate export` share: what is left, its samples, and the last words."""

import collections
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from curation.checks.catalogue import ALL
from curation.checks.settings_changed import SettingsChanged
from curation.cli.check import check_workspace
from curation.cli.common import (
    echo_note,
    finding_dict,
    plural,
    print_findings,
    print_json,
)
from curation.cli.final import (
    TALLIES,
    Final,
    filler_groups,
    load_final,
    manifest_inputs,
    refuse_unfinished,
)
from curation.io.manifest import write_manifest
from curation.io.workspace import Workspace
from curation.io.writers import FORMATS
from curation.model.bank import Bank
from curation.model.culture import Culture
from curation.model.findings import Finding, Severity
from curation.model.sample import Sample
from curation.stages.generate import count_samples, samples
from survey.outcome import Status

EXPORT_FORMATS = (*FORMATS, "kobbq")
SETS = ("all", "test")
FILE_OF_SET = {"all": "samples", "test": "test_samples"}
"""By set, the name of its file without suffix."""


def names_of(allowed: Sequence[str]) -> Callable[[click.Context, click.Parameter, str], Any]:
    """Read names joined by commas, each one of those allowed."""

    def read(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
        unknown = [name for name in names if name not in allowed]
        if unknown or not names:
            raise click.BadParameter(f"'{value}': name one or more of {', '.join(allowed)}")
        return names

    return read


format_option = click.option(
    "--format",
    "formats",
    callback=names_of(EXPORT_FORMATS),
    default="csv",
    show_default=True,
    metavar="NAME[,NAME...]",
    help=f"One or more of {', '.join(EXPORT_FORMATS)}.",
)
out_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: of the command's name in exports of the workspace].",
)


def checked(workspace: Workspace) -> tuple[Final, list[Finding]]:
    """Load what is to be exported, and what 'curate check' finds of it."""
    final = load_final(workspace)
    refuse_unfinished(final)
    return final, check_workspace(workspace, _LOOKED_FOR)


# What is said of an export: errors, and settings that were changed after the decisions.
_LOOKED_FOR = [
    check.rule
    for check in ALL
    if check.severity is Severity.ERROR or check.rule == SettingsChanged.rule
]


def final_samples(workspace: Workspace, final: Final, seed: int | None) -> Iterator[Sample]:
    """Give the samples of what is left: all of them, or with a seed those of the test set."""
    culture = workspace.culture
    kept = _expanded.get()
    if kept is not None and (id(final), seed) in kept:
        return iter(kept[id(final), seed][1])
    groups = filler_groups(workspace.groups)
    made = samples(final.fillable, culture.language, culture.unknown, groups, seed)
    if kept is None:
        return made
    first = list(itertools.islice(made, _KEPT_SAMPLES + 1))
    if len(first) <= _KEPT_SAMPLES:
        kept[id(final), seed] = final, first
    return itertools.chain(first, made)


_KEPT_SAMPLES = 250_000  # some 200 MB; a larger benchmark is expanded each time it is written
_expanded: ContextVar[dict[tuple[int, int | None], tuple[Final, list[Sample]]] | None] = ContextVar(
    "expanded", default=None
)


@contextmanager
def expanded_once() -> Iterator[None]:
    """Keep the samples that are made within, so that several exports expand them once."""
    token = _expanded.set({})
    try:
        yield
    finally:
        _expanded.reset(token)


def refuse_faults(workspace: Workspace, final: Final, seed: int | None) -> None:
    """Try every template before a file is written, with a seed one filling of each pair too."""
    if seed is None:
        fillable = Bank(tuple(row for item in final.fillable for row in item.variants))
        count_samples(fillable, workspace.culture.language)
    else:
        collections.deque(final_samples(workspace, final, seed), maxlen=0)


@dataclass(frozen=True, slots=True)
class Written:
    """What an export wrote.

    Attributes:
        folder: Where it is.
        files: Its files.
        counts: What was counted, for the manifest and the summary.
        seed: Of the test set; None where it is not in.
        shaped: Further settings of this export, for the manifest.
        used: Further files that it was made from.
        told: What the JSON object says beside.
    """

    folder: Path
    files: Sequence[Path]
    counts: Mapping[str, int]
    seed: int | None = None
    shaped: Mapping[str, object] = field(default_factory=dict)
    used: Sequence[Path] = ()
    told: Mapping[str, object] = field(default_factory=dict)


def finish(
    workspace: Workspace,
    final: Final,
    findings: Sequence[Finding],
    written: Written,
    *,
    as_json: bool,
) -> None:
    """Write the manifest and say what was written, what was not, and what is doubtful.

    Args:
        workspace: The workspace.
        final: What is left of its bank.
        findings: What 'curate check' finds of it.
        written: What was written.
        as_json: Whether to print one JSON object.
    """
    counts = {**written.counts, **{item.value: len(final.with_status(item)) for item in Status}}
    errors = [item for item in findings if item.severity is Severity.ERROR]
    settings = {**_settings(workspace.culture, written.seed, len(errors)), **written.shaped}
    inputs = _inputs(workspace, written.used)
    write_manifest(written.folder, inputs, counts, settings, written.files)
    changed = [item for item in findings if item.rule == SettingsChanged.rule]
    undecided = [str(item.template.id) for item in final.with_status(Status.UNDECIDED)]
    waiting = [str(template.id) for template in final.open]
    if as_json:
        print_json(
            {
                "folder": str(written.folder),
                "counts": counts,
                "undecided": undecided,
                "without_samples": waiting,
                "findings": [finding_dict(item) for item in (*errors, *changed)],
                **written.told,
            }
        )
        return
    what = ", ".join(f"{count:,} {name}" for name, count in written.counts.items())
    click.echo(f"Wrote {what} to {written.folder}.")
    if undecided:
        echo_note("in, though the survey has not decided them", undecided)
    if waiting and written.seed is not None:
        echo_note("without samples: not translated, or waiting for surveyed groups", waiting)
    _warn(errors, changed)


def _settings(culture: Culture, seed: int | None, errors: int) -> dict[str, object]:
    """Give what shaped an export; errors of the check only where there are any."""
    settings: dict[str, object] = {
        "culture": culture.culture,
        "language": culture.language,
        "version": culture.version,
        "unknown": culture.unknown,
    }
    if seed is not None:
        settings["seed"] = seed
    if errors:
        settings["check_errors"] = errors
    return settings


def _inputs(workspace: Workspace, used: Sequence[Path]) -> dict[str, Path]:
    return manifest_inputs(
        workspace,
        (
            workspace.culture_file,
            workspace.bank_file,
            workspace.groups_file,
            workspace.ledger_file,
            workspace.targets_file,
            workspace.responses_folder / TALLIES,
            *used,
        ),
    )


def _warn(errors: Sequence[Finding], changed: Sequence[Finding]) -> None:
    """Say on standard error what makes the export one that is not to be published yet."""
    if errors:
        count = len(errors)
        first = f"{errors[0].where}: {errors[0].message}"
        click.secho("Warning", nl=False, err=True, fg="red")
        click.echo(
            f": 'curate check' finds {count} {plural('error', count)} in the workspace, the first: "
            f"{first}",
            err=True,
        )
        click.echo("    -> mend what it lists and export again before you publish this", err=True)
    print_findings(changed, err=True)
