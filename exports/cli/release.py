"""What was released and how it came about: `curate verify`, `diff`, `replay`."""

from functools import partial
from pathlib import Path

import click

from curation.cli import options, terminal
from curation.files.atomic import write_file
from curation.files.workspace import Workspace
from curation.records.bank import split_variant
from curation.records.messages import Results, Severity, counted, has_errors, shortened

_HONEST = (
    "the manifest alone is no proof, as it can be changed together with a file. Compare its "
    "SHA-256 with the published one (--sha256), or with releases.csv of the workspace (-w)"
)


@options.curate_command("verify", workspace=False)
@click.argument("export", metavar="FOLDER|ZIP", type=click.Path(path_type=Path))
@options.folder_option(
    "-w",
    "--workspace",
    help="Also compare with this workspace: the files that the package was made from, and the "
    "recorded releases.",
)
@click.option(
    "--sha256",
    "expected",
    metavar="HEX",
    help="Expected SHA-256 of the manifest, as published with the release.",
)
@options.flag_option(
    "--contents",
    help="Make samples, decisions, card and page of the package again from the bank and the survey "
    "in it, and compare.",
)
@options.file_option(
    "--paper",
    help="Find each number of this text (LaTeX, Markdown or plain) in the tables of the export.",
)
def verify(
    export: Path, workspace: Path | None, expected: str | None, contents: bool, paper: Path | None
) -> terminal.Taken:
    """Check that nothing in an exported folder or ZIP file was changed since it was written.

    Every missing, added or changed file is a finding; the exit status is then 1. If somebody
    changed a file and also its manifest, this is only found by the hash of the manifest: from
    --sha256, or from releases.csv of the workspace.

    With -w, the files that it was made from are compared with those of the workspace. With
    --contents a package is compared with itself: a vote, a threshold, an answer, a sample or
    a count that somebody changed, in whatever file and with whatever hashes, contradicts the bank
    and the survey that it was made from. What differs is named.

    With --paper, each number of a text that no table of the export holds is listed, at the digits
    with which it is written; the exit status is then 1 too. Dates, years of citations, addresses
    and labels are left out.

    \b
    Example: curate verify marevibbq-1.0.zip --sha256 9f86d0...
             curate verify exports/package --contents
             curate verify exports/evaluation/report --paper paper.tex
    """  # noqa: D301  # \b keeps click from wrapping the example
    from exports import verification  # the writers of a package, which other commands do without

    found = verification.verify(
        export,
        Workspace(workspace) if workspace else None,
        sha256_expected=expected,
        contents=contents,
        paper=paper,
    )
    failed = has_errors(found.findings) or not all(number.held for number in found.numbers)
    return found, failed, partial(_show, found, paper)


def _show(found: Results, paper: Path | None) -> None:
    terminal.print_findings(found.findings)
    if has_errors(found.findings):
        number = sum(item.severity is Severity.ERROR for item in found.findings)
        click.echo(f"{found.path} was changed: {counted(number, 'finding')}.")
    else:
        click.echo(f"{found.path} is unchanged: {counted(found.files, 'file')}.")
    click.echo(f"SHA-256 of its manifest: {found.manifest_sha256}")
    if not found.manifest_known:
        terminal.echo_fitting(f"Note: {_HONEST}", err=True)
    if paper is None:
        return
    for number in found.numbers:
        where = f"{paper.name}, line {number.line}: {number.written}"
        if number.single:
            terminal.echo_fitting(
                f"{where} is in rows of single templates or questions: {number.held}"
            )
        elif not number.held:
            near = f"; near it: {number.near}" if number.near else ""
            terminal.echo_fitting(f"{where} is in no table{near}")
    strange = sum(not number.held for number in found.numbers)
    count = counted(len(found.numbers), "number")
    said = f"; {strange or 'none'} in no table of {found.path}" if found.numbers else ""
    click.echo(f"{paper.name} states {count}{said}.")


@options.curate_command("diff")
@click.argument("before", metavar="A", type=click.Path(path_type=Path))
@click.argument("after", metavar="[B]", required=False, type=click.Path(path_type=Path))
@options.file_option("--markdown", "text_file", help="Write the data changelog to this file.")
def diff(
    before: Path, after: Path | None, workspace: Workspace, text_file: Path | None
) -> terminal.Taken:
    """Show what changed from A to B, from templates to votes and decisions.

    A and B are packages (folders or ZIP files), workspaces, folders of 'curate export samples',
    'bank' or 'package --only hub', or recipes. B is the workspace by default. If one side lacks a
    part, such as the test set, this part is not compared, and a note says so. Samples are compared
    by their ids, column by column.

    Of two recipes, the cells of templates and groups are compared that people changed. Of a recipe
    and something else, the steps are compared: settings, imported files, votes and decisions.

    The exit status is 0 also if there are differences.

    \b
    Example: curate diff marevibbq-1.0.zip marevibbq-1.1.zip
             curate diff marevibbq-1.0.zip --markdown CHANGES.md
    """  # noqa: D301  # \b keeps click from wrapping the example
    from exports import differences

    found = differences.diff(before, after or workspace.root)
    if text_file is not None:
        write_file(text_file, differences.markdown(found))
    return found, False, partial(_show_differences, found)


def _show_differences(found: Results) -> None:
    from exports.differences import KINDS, STEPS

    click.echo(f"From {found.before} to {found.after}")
    if found.not_compared:
        missing = ", ".join(found.not_compared)
        terminal.echo_fitting(f"Note: not compared, because one side lacks it: {missing}", err=True)
    if found.same:
        click.echo("Nothing changed.")
        return
    header = ("Category", "templates +", "-", "changed", "samples +", "-", "changed")
    rows = [tuple(row.values()) for row in found.categories]
    if len(rows) > 1:
        terminal.echo_table(header, rows)
    samples, test = found.samples, found.test_set
    if samples and samples["columns"]:
        listed = ", ".join(f"{name} ({count:,})" for name, count in samples["columns"].items())
        terminal.echo_fitting(f"Columns of samples that differ: {listed}")
    if test and (test["added"] or test["removed"]):
        added, removed = len(test["added"]), len(test["removed"])
        click.echo(f"Test set: {added:,} samples added, {removed:,} removed")
    for kind in ("removed", "added", "changed"):
        variants = found.templates[kind] if found.templates else ()
        if named := dict.fromkeys(split_variant(row["id"])[0] for row in variants):
            terminal.echo_note(f"with variants {kind}", list(named))
    for name in STEPS:
        if keys := [row["id"] for kind in KINDS for row in (found[name] or {}).get(kind, ())]:
            number = counted(len(keys), "difference")
            terminal.echo_fitting(f"{name.capitalize()}: {number}: {shortened(keys, 3)}")
    none = "(nothing)"
    changed = [
        f"{row['key']}: {row['before'] or none} → {row['after'] or none}"
        for row in found.settings or ()
    ]
    terminal.echo_list(changed, "setting")


@options.curate_command("replay", workspace=False)
@click.argument("file", metavar="RECIPE", type=click.Path(path_type=Path))
@click.argument(
    "sources", required=False, type=click.Path(file_okay=False, path_type=Path), metavar="[SOURCES]"
)
@options.folder_option("--out", default="replayed", help="New folder for the workspace.")
def replay(file: Path, sources: Path | None, out: Path) -> terminal.Taken:
    """Make a benchmark again from its recipe: a workspace, all samples and the test set.

    The published files are in the folder SOURCES, under whatever names [default: the folder of the
    recipe], and are found by their SHA-256. One that was changed is refused. Samples have
    the same bytes on every machine. If a step gives something else than the recipe says, the step
    and the template are named, and the exit status is 1.

    \b
    Example: curate replay adaptation.yaml BBQ/templates --out again
    """  # noqa: D301  # \b keeps click from wrapping the example
    from exports import replaying
    from exports.cli.options import said_written
    from exports.folders import written

    recipe, made, found = replaying.replay(file, sources, out, progress=terminal.progress_of_each())
    differs = has_errors(found)
    value = {
        "workspace": out,
        "samples_sha256": recipe.samples_sha256,
        "counts": written(made.counts),
        "same": not differs,
        "findings": found,
    }

    def show() -> None:
        terminal.print_findings(found)
        said_written(made)
        of = f"the recipe of {recipe.benchmark}"
        other = f"{terminal.count_findings(found)}: this is not what {of} says"
        terminal.echo_fitting(f"{other if differs else f'It is what {of} says'}.")

    return value, differs, show
