"""`curate export`: the final bank and samples, in every format that users need."""

import collections
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from curation.checks.settings_changed import SettingsChanged
from curation.cli.check import check_workspace
from curation.cli.common import (
    echo_note,
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.final import (
    TALLIES,
    Final,
    filler_groups,
    load_final,
    manifest_inputs,
    refuse_unfinished,
)
from curation.io.atomic import staged_folder
from curation.io.bank import bank_columns, bank_rows
from curation.io.manifest import write_manifest
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.io.writers import FORMATS, write_table
from curation.model.bank import Bank
from curation.model.culture import Culture
from curation.model.findings import Finding, Severity
from curation.model.published import SAMPLE_COLUMNS as PUBLISHED_SAMPLES
from curation.model.published import TEMPLATE_COLUMNS as PUBLISHED_TEMPLATES
from curation.model.sample import SAMPLE_COLUMNS, Sample
from curation.model.survey import Role
from curation.stages.generate import count_samples, samples
from curation.stages.published import published_sample_rows, published_template_rows
from survey.counts import NONE_KEY
from survey.outcome import STATUS_COLUMNS, Status, status_rows

_FORMATS = (*FORMATS, "kobbq")
_SETS = ("all", "test")
_FILE_OF_SET = {"all": "samples", "test": "test_samples"}
_PUBLISHED_FILE_OF_SET = {"all": "all_samples", "test": "test_samples"}


def _names(allowed: Sequence[str]) -> Callable[[click.Context, click.Parameter, str], Any]:
    """Read names joined by commas, each one of those allowed."""

    def read(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
        unknown = [name for name in names if name not in allowed]
        if unknown or not names:
            raise click.BadParameter(f"'{value}': name one or more of {', '.join(allowed)}")
        return names

    return read


_format_option = click.option(
    "--format",
    "formats",
    callback=_names(_FORMATS),
    default="csv",
    show_default=True,
    metavar="NAME[,NAME...]",
    help=f"One or more of {', '.join(_FORMATS)}.",
)
_out_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: exports/bank or exports/samples of the workspace].",
)


@click.group("export")
def command() -> None:
    """Write the final bank or its samples, with a manifest.

    What the ledger dropped is left out, and listed with its reason; templates that the
    survey has not decided yet are in, and said. The same workspace gives the same bytes.
    Errors that 'curate check' finds are counted on standard error and in the manifest, and so
    are settings of the survey that were changed after its decisions: neither stops an export.
    """


@command.command("bank")
@workspace_option
@_format_option
@_out_option
@json_option
def export_bank(
    workspace: Workspace, formats: tuple[str, ...], out: Path | None, as_json: bool
) -> None:
    """Write the final bank, and where every template stands and why.

    `kobbq` writes KoBBQ's 38 published columns to kobbq/templates.tsv.
    """
    final, findings = _checked(workspace)
    bank = final.bank
    folder = out or workspace.exports_folder / "bank"
    counts = {"variants": len(bank.variants), "templates": len(final.templates)}
    written: list[Path] = []
    # What the published columns cannot hold is refused before any file is written.
    rows = _published_rows(workspace, final) if "kobbq" in formats else []
    with staged_folder(folder) as stage:
        for name in formats:
            if name == "kobbq":
                written.append(stage / "kobbq" / "templates.tsv")
                write_csv(written[-1], PUBLISHED_TEMPLATES, rows, delimiter="\t")
            else:
                written += [stage / f"bank.{name}", stage / f"templates.{name}"]
                write_table(written[-2], name, bank_columns(bank), bank_rows(bank))
                status = status_rows(final.outcomes, final.modified)
                write_table(written[-1], name, STATUS_COLUMNS, status)
    files = [folder / path.relative_to(stage) for path in written]
    _finish(workspace, final, findings, folder, files, counts, as_json=as_json)


def _published_rows(workspace: Workspace, final: Final) -> list[tuple[str, ...]]:
    culture = workspace.culture
    languages = culture.language, culture.source_language
    return list(published_template_rows(final.bank, *languages, _votes(final)))


@command.command("samples")
@workspace_option
@click.option(
    "--set",
    "sets",
    callback=_names(_SETS),
    default="all",
    show_default=True,
    metavar="NAME[,NAME]",
    help="all: every filling (samples.*); test: one drawn for each pair (test_samples.*).",
)
@_format_option
@click.option("--seed", type=int, help="Seed of the test set [default: samples.seed].")
@_out_option
@json_option
def export_samples(
    workspace: Workspace,
    sets: tuple[str, ...],
    formats: tuple[str, ...],
    seed: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the samples of the final bank.

    `kobbq` writes KoBBQ's published columns to kobbq/all_samples.tsv and
    kobbq/test_samples.tsv.
    """
    final, findings = _checked(workspace)
    folder = out or workspace.exports_folder / "samples"
    drawn = workspace.culture.samples.seed if seed is None else seed
    _refuse_faults(workspace, final, drawn if "test" in sets else None)
    counts: dict[str, int] = {}
    written: list[Path] = []
    with staged_folder(folder) as stage:
        for name in sets:
            for form in formats:
                made = _samples(workspace, final, drawn if name == "test" else None)
                written.append(_sample_file(stage, name, form))
                counts[_FILE_OF_SET[name]] = _write_samples(written[-1], form, made)
    files = [folder / path.relative_to(stage) for path in written]
    _finish(workspace, final, findings, folder, files, counts, as_json=as_json, seed=drawn)


def _checked(workspace: Workspace) -> tuple[Final, list[Finding]]:
    """Load what is to be exported, and what 'curate check' finds of it."""
    final = load_final(workspace)
    refuse_unfinished(final)
    return final, check_workspace(workspace)


def _samples(workspace: Workspace, final: Final, seed: int | None) -> Iterator[Sample]:
    culture = workspace.culture
    groups = filler_groups(workspace.groups)
    return samples(final.fillable, culture.language, culture.unknown, groups, seed)


def _refuse_faults(workspace: Workspace, final: Final, seed: int | None) -> None:
    """Try every template before a file is written, with a seed one filling of each pair too."""
    if seed is None:
        fillable = Bank(tuple(row for item in final.fillable for row in item.variants))
        count_samples(fillable, workspace.culture.language)
    else:
        collections.deque(_samples(workspace, final, seed), maxlen=0)


def _sample_file(folder: Path, name: str, form: str) -> Path:
    if form == "kobbq":
        return folder / "kobbq" / f"{_PUBLISHED_FILE_OF_SET[name]}.tsv"
    return folder / f"{_FILE_OF_SET[name]}.{form}"


def _write_samples(path: Path, form: str, made: Iterator[Sample]) -> int:
    if form == "kobbq":
        return write_csv(path, PUBLISHED_SAMPLES, published_sample_rows(made), delimiter="\t")
    return write_table(path, form, SAMPLE_COLUMNS, made)


def _votes(final: Final) -> Mapping[str, Mapping[str, int]]:
    """Give the counts of each template's question, as the published column holds them."""
    by_question = {tally.question.id: tally for tally in final.tallies}
    found: dict[str, dict[str, int]] = {}
    for item in final.outcomes:
        tally = by_question.get(item.question.id) if item.question else None
        if tally is not None:
            found[str(item.template.id)] = {
                NONE_KEY if option.role is Role.NONE else option.label: votes
                for option, votes in zip(tally.question.options, tally.votes, strict=True)
            }
    return found


def _finish(
    workspace: Workspace,
    final: Final,
    findings: Sequence[Finding],
    folder: Path,
    written: Sequence[Path],
    counts: Mapping[str, int],
    *,
    as_json: bool,
    seed: int | None = None,
) -> None:
    """Write the manifest and say what was written, what was not, and what is doubtful."""
    every = {**counts, **{item.value: len(final.with_status(item)) for item in Status}}
    errors = [item for item in findings if item.severity is Severity.ERROR]
    settings = _settings(workspace.culture, seed, len(errors))
    write_manifest(folder, _inputs(workspace), every, settings, written)
    undecided = [str(item.template.id) for item in final.with_status(Status.UNDECIDED)]
    waiting = [str(template.id) for template in final.open]
    changed = [item for item in findings if item.rule == SettingsChanged.rule]
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "counts": every,
                "undecided": undecided,
                "without_samples": waiting,
                "findings": [finding_dict(item) for item in (*errors, *changed)],
            }
        )
        return
    click.echo(f"Wrote {', '.join(f'{n:,} {name}' for name, n in counts.items())} to {folder}.")
    if undecided:
        echo_note("in, though the survey has not decided them", undecided)
    if waiting and seed is not None:
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


def _inputs(workspace: Workspace) -> dict[str, Path]:
    return manifest_inputs(
        workspace,
        (
            workspace.culture_file,
            workspace.bank_file,
            workspace.groups_file,
            workspace.ledger_file,
            workspace.targets_file,
            workspace.responses_folder / TALLIES,
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
