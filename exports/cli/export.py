"""`curate export`: the benchmark, in every form that its users need."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.cli import options, terminal
from curation.cli.group import LazyGroup
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Results, Severity, counted
from exports.cli.options import out_option, show
from exports.edition import EXPORT_FORMATS, SETS, SMALLEST, TEXTS, left_out_words

if TYPE_CHECKING:
    from exports.recipe_file import Recipe

_COMMANDS: dict[str, tuple[str, str]] = {
    "bank": ("exports.cli.export:bank", "Write the final bank, with each template's status."),
    "samples": ("exports.cli.export:samples", "Write the samples of the final bank."),
    "package": (
        "exports.cli.export:package",
        "Write a release: data, card, tasks and survey; or a part.",
    ),
}


@click.group("export", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Write the benchmark in the formats that its users need, each folder with a manifest.

    Dropped templates are left out, and listed with the reason. Templates without a survey decision
    are included, with a note. The same workspace gives the same files. Errors of 'curate check',
    and settings of the survey that were changed after its decisions, do not stop an export: they
    are counted on the terminal and in the manifest.
    """


_format_option = click.option(
    "--format",
    "formats",
    callback=options.several_of(EXPORT_FORMATS),
    default="csv",
    metavar="NAME[,NAME...]",
    help=f"File formats: one or more of {', '.join(EXPORT_FORMATS)}.",
)


_NOT_THE_BENCHMARK = {
    "machine": "Note: this is a machine-translated baseline for comparison, not the benchmark; "
    "its README.md says so",
    "control": "Note: this is a control set for comparison, not the benchmark. Names were "
    "inserted by rule: check control_templates.csv",
}


@options.curate_command("bank")
@_format_option
@out_option
def bank(workspace: Workspace, formats: tuple[str, ...], out: Path | None) -> terminal.Taken:
    """Write the final bank, with the status of every template and its reason.

    `kobbq` writes KoBBQ's 38 published columns to kobbq/templates.tsv.
    """
    from exports import data_files  # the demo and baselines, which a package does without

    made = data_files.bank(workspace, formats, out=out)
    return made, False, partial(show, made, sampled=False)


@options.curate_command("samples")
@options.section("Which samples")
@click.option(
    "--set",
    "sets",
    callback=options.several_of(SETS),
    default="all",
    metavar="NAME[,NAME]",
    help="Which fillings. all: every filling (samples.*); test: one filling drawn for each pair "
    "of variants (test_samples.*).",
)
@options.templates_option
@options.bounds_option
@options.repeated(
    "--leave-out",
    "left_out",
    "TEMPLATE",
    "Leave this template out of a control set, because names do not fit",
)
@options.section("Texts")
@click.option(
    "--text",
    type=click.Choice(TEXTS),
    default="own",
    help="Texts of the samples. own: the final bank; machine: only machine translation, as a "
    "baseline; control: the final bank with names in place of its groups.",
)
@options.section("Files")
@_format_option
@out_option
def samples(
    workspace: Workspace, sets: tuple[str, ...], formats: tuple[str, ...], **wanted: Any
) -> terminal.Taken:
    """Write the samples of the final bank.

    `kobbq` writes KoBBQ's published columns to kobbq/all_samples.tsv and
    kobbq/test_samples.tsv.

    If there are more samples than samples.limit, nothing is written. 'curate stats' then shows the
    templates with the most samples; draw some of each template with --per-template.

    --text machine writes a machine-translated baseline, to compare with the benchmark (KoBBQ,
    section 5.1): machine_translated_samples.* in exports/machine_translated, with a card. It is not
    a benchmark, and never part of a release.

    --text control writes a control set, as in MBBQ: the same templates with names of people in
    place of groups. Check exports/control/control_templates.csv: it has one filling of each
    template, and the templates that are left out, with the reason.
    """
    from exports import data_files

    made = data_files.samples(
        workspace, sets, formats, **wanted, progress=terminal.progress_of_each()
    )

    def shown() -> None:
        show(made)
        if wanted["text"] != "own":
            click.echo(_NOT_THE_BENCHMARK[wanted["text"]], err=True)

    return made, False, shown


_FOLDERS = {
    "hub": "hub",
    "lm-eval": "lm_eval",
    "inspect": "inspect",
    "survey": "survey_results",
    "recipe": "recipe.yaml",
}
"""The parts that `--only` names, and the folder or file of each below `exports`."""
_TASKS = ("lm-eval", "inspect")
_RELEASE = ("no --only",)
_OF_TASKS = ("--only lm-eval", "--only inspect")
_OF_SURVEY = ("--only survey",)
_BELONGS = {
    **dict.fromkeys(("as_zip", "draft", "previous"), _RELEASE),
    **dict.fromkeys(("people", "k", "suppressing"), _OF_SURVEY),
    "per_template": (*_RELEASE, "--only hub", *_OF_TASKS),
    "sets": ("--only hub", *_OF_TASKS),
    "prompts": _OF_TASKS,
}
"""With what each option counts."""


def _attributes(
    _context: click.Context, _option: click.Parameter, given: str | None
) -> tuple[str, ...] | None:
    """Read names of attributes, or the word for those with quotas or for none."""
    if given is None:
        return None
    chosen = tuple(dict.fromkeys(part.strip() for part in given.split(",") if part.strip()))
    if not chosen:
        raise click.BadParameter("name attributes, or 'none'")
    return () if chosen == ("none",) else chosen


@options.curate_command("package")
@options.section("A release")
@options.flag_option(
    "--draft",
    help="Write a draft, marked as such, even if the release check finds errors.",
)
@options.path_option(
    "--previous",
    help="Package of the previous release, for CHANGES.md [default: the one recorded in the "
    "workspace].",
)
@options.flag_option("--zip", "as_zip", help="Write one ZIP file instead of a folder.")
@options.section("Files")
@options.path_option(
    "--out",
    help="Folder, or with --zip file, to write to [default: exports/package, exports/package.zip; "
    "with --only the folder of the part in exports]. Of several parts, each gets a folder in it.",
)
@options.section("Parts alone")
@click.option(
    "--only",
    "parts",
    callback=options.several_of(_FOLDERS),
    metavar="NAME[,NAME]",
    help="Write only these parts, each to a folder of its own, without a release: hub (data and "
    "card for the Hugging Face hub), lm-eval, inspect (tasks for these harnesses), survey (its "
    "results), recipe (a file by which 'curate replay' makes it again).",
)
@click.option(
    "--set",
    "sets",
    callback=options.several_of(SETS),
    metavar="NAME[,NAME]",
    help="Which fillings of these parts. all: every filling; test: one drawn for each pair of "
    "variants [default: all,test for the hub, test for tasks].",
)
@options.file_option("--prompts", help="File of your own prompts, for tasks (YAML).")
@options.section("Answers of respondents, with --only survey")
@click.option(
    "--respondents",
    "people",
    metavar="NAME[,NAME]",
    callback=_attributes,
    help="Also write the answers of each respondent, with new numbers and these attributes: "
    "'quotas' (those with quotas), 'none', or names.",
)
@click.option(
    "--k",
    type=click.IntRange(2),
    default=SMALLEST,
    help="Least number of respondents who share each combination of attributes.",
)
@options.flag_option(
    "--suppress",
    "suppressing",
    help="Blank the attributes of respondents in rarer combinations, instead of stopping.",
)
@options.section("Which samples")
@options.bounds_option
@click.pass_context
def package(
    ctx: click.Context,
    /,
    workspace: Workspace,
    parts: tuple[str, ...],
    out: Path | None,
    **given: Any,
) -> terminal.Taken:
    """Write a release: data, card, task folders, survey results and the files that it is made from.

    You can upload the package to the Hugging Face hub, or to an archive, without changes. 'curate
    verify' checks later that nothing in it was changed. It has no answers of single respondents.

    'curate check --release' is run first. If it finds errors, nothing is written, except with
    --draft. A release (not a draft) is recorded in releases.csv of the workspace, and the files
    that it was made from are kept in releases/. The next release uses them to list what changed
    (CHANGES.md).

    With --only, parts of a package are written without a release: nothing is recorded. The dataset
    folder (hub) has Parquet files and a card, filled in from the workspace. The task folders run
    without this toolkit and offline, and their scores are equal to those of 'curate evaluate score'
    for the same replies. The results of the survey are the counts of the last 'curate filter', or
    with --respondents also answers, in which no respondent can be recognised by attributes: if
    fewer than K people share a combination of them, nothing is written.

    The recipe is one file: how this benchmark was made from the published templates. It has the
    SHA-256 of each imported file, what people changed in templates and groups (labels,
    translations, new templates), settings with thresholds and seed, votes and decisions. It has
    neither texts of the published files nor answers of respondents; who decided is a number, unless
    they are authors of the release. It is run once before it is written.

    \b
    Example: curate check --release
             curate export package --zip
             curate export package --only lm-eval,inspect
             curate export package --only survey --respondents gender --k 10
             curate export package --only recipe --out adaptation.yaml
    """  # noqa: D301  # \b keeps click from wrapping the example
    options.refuse_stray(ctx, _BELONGS, [f"--only {part}" for part in parts] or _RELEASE)
    if given["suppressing"] and given["people"] is None:
        raise click.UsageError("--suppress goes with --respondents")
    if parts:
        return _write_parts(workspace, parts, given, out)
    from exports import package_files  # reports and page, which others do without

    wanted = {name: given[name] for name in ("as_zip", "draft", "previous", "per_template")}
    made = package_files.package(workspace, out=out, progress=terminal.progress_of_each(), **wanted)
    return made, made.path is None, partial(_show_package, workspace, made)


def _write_parts(
    workspace: Workspace, parts: Sequence[str], given: Mapping[str, Any], out: Path | None
) -> terminal.Taken:
    """Write parts of a package; those before one that cannot be written are told of too."""
    sets = given["sets"]
    if set(parts) & set(_TASKS) and sets and len(sets) > 1:
        raise click.UsageError("a task has one set of samples: --set test or --set all")
    told: dict[str, object] = {}
    shown: list[Callable[[], object]] = []

    def show_each() -> None:
        for show_one in shown:
            show_one()

    for part in parts:
        folder = out / _FOLDERS[part] if out and len(parts) > 1 else out
        try:
            told[part], show_part = _write_part(workspace, part, given, folder)
            shown.append(show_part)
        except CurateError as error:
            if not told:
                raise
            return told, error, show_each
    return told, False, show_each


def _write_part(
    workspace: Workspace, part: str, given: Mapping[str, Any], folder: Path | None
) -> tuple[object, Callable[[], object]]:
    """Write a part; what of it is told, and what shows it."""
    sets, bound, people = given["sets"], given["per_template"], given["people"]
    # Each is imported where it is written: reports and metadata, which others do without.
    if part == "hub":
        from exports.hub_files import hub

        progress = terminal.progress_of_each()
        made = hub(workspace, sets or SETS, per_template=bound, out=folder, progress=progress)
        return made, partial(_show_hub, made)
    if part == "survey":
        from exports.survey_files import survey_results

        target, counts, hidden = survey_results(
            workspace,
            respondents=people is not None,
            attributes=None if people == ("quotas",) else people,
            k=given["k"],
            suppressing=given["suppressing"],
            out=folder,
        )
        shown = partial(_show_survey, target, counts, hidden)
        return {"folder": target, "counts": counts}, shown
    if part == "recipe":
        from exports.replaying import export_recipe

        path, recipe = export_recipe(workspace, out=folder, progress=terminal.progress_of_each())
        edits = recipe.templates
        value = {
            "path": path,
            "samples_sha256": recipe.samples_sha256,
            "templates": len(recipe.made),
            "rows_changed": len(edits.changed),
            "rows_new": len(edits.new),
            "rows_left_out": len(edits.left_out),
        }
        return value, partial(_show_recipe, value, recipe)
    from exports.harness.tasks import task_folder

    kind, prompts = sets[0] if sets else "test", given["prompts"]
    made = task_folder(workspace, part, kind, prompts=prompts, per_template=bound, out=folder)
    return made, partial(show, made, sampled=kind == "test")


def _show_hub(made: Results) -> None:
    """Say what was written, and what the card leaves out, as nothing is stated."""
    show(made)
    if made.not_stated:
        width = max(len(item["key"]) for item in made.not_stated)
        empty = ("key of culture.yaml is empty", "keys of culture.yaml are empty")
        said = counted(len(made.not_stated), *empty)
        click.echo(f"Note: {said}; the card leaves them out:", err=True)
        for item in made.not_stated:
            terminal.echo_fitting(f"    {item['key']:{width}}  {item['what']}", err=True)


def _show_recipe(value: Mapping[str, Any], made: "Recipe") -> None:
    rows = {name: value[f"rows_{name}"] for name in ("changed", "new", "left_out")}
    told = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in rows.items())
    templates = counted(value["templates"], "template")
    terminal.echo_fitting(f"Wrote {value['path']}: {templates}; rows of the bank: {told}.")
    click.echo(f"SHA-256 of its samples: {value['samples_sha256']}")
    if empty := [name for name, item in made.made.items() if not item.samples]:
        terminal.echo_note("without samples yet", empty)


def _show_survey(folder: Path, counts: Mapping[str, int], hidden: int) -> None:
    answers = counts.get("respondents")
    people = "" if answers is None else f" and the answers of {answers:,} respondents"
    click.echo(f"Wrote the counts of {counts['questions']:,} questions{people} to {folder}.")
    if left_out := counts.get("respondents_left_out"):
        people = counted(left_out, "respondent")
        click.echo(f"Note: {people} left out, as they were not counted", err=True)
    if blanked := counts.get("respondents_blanked"):
        also = f", {hidden} of them to hide the others" if hidden else ""
        people = counted(blanked, "respondent")
        click.echo(f"Note: the attributes of {people} are blanked{also}", err=True)


def _show_package(workspace: Workspace, made: Results) -> None:
    from exports.releases import RELEASES

    if made.path is None:
        terminal.print_findings(made.findings)
        terminal.echo_fitting(
            f"{terminal.count_findings(made.findings)}. Nothing was written: fix the errors, or "
            "write a draft with --draft."
        )
        return
    culture, counts = workspace.culture, made.counts
    title = culture.release.title or culture.culture
    what = "a draft of version" if made.draft else "version"
    terminal.echo_fitting(
        f"Wrote {what} {culture.version} of {title} to {made.path}: {counts['samples']:,} "
        f"samples, {counts['test_samples']:,} of them in the test set."
    )
    for text in left_out_words(counts):
        click.echo(text)
    click.echo(f"SHA-256 of its manifest: {made.manifest_sha256}")
    if made.recorded:
        click.echo(f"Recorded in {workspace.shown(workspace.root / RELEASES)}.")
    shown = [item for item in made.findings if made.draft or item.severity is Severity.WARNING]
    terminal.print_findings(shown, err=True)
    for note in made.notes:
        terminal.echo_fitting(f"Note: {note}", err=True)
    if made.draft:
        click.secho("Draft", nl=False, err=True, fg="red")
        click.echo(": this is not a release, as DRAFT.md says; do not publish it", err=True)
