"""`curate export survey`: what was answered, so that it can be published."""

from pathlib import Path

import click

from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import print_json
from curation.files.workspace import Workspace
from curation.records.wording import plural
from exports.anonymity import DEFAULT_K
from exports.survey_files import never_published, survey_results


def _attributes(
    _context: click.Context, _option: click.Parameter, given: str | None
) -> tuple[str, ...] | None:
    """Read the names of attributes; None for those with quotas."""
    if given is None:
        return None
    if given.strip() == "none":
        return ()
    chosen = tuple(dict.fromkeys(part.strip() for part in given.split(",") if part.strip()))
    reserved = never_published(chosen)
    if reserved or not chosen:
        what = f"'{reserved[0]}' is never published" if reserved else "name attributes, or 'none'"
        raise click.BadParameter(what)
    return chosen


@click.command("survey")
@workspace_option
@click.option(
    "--respondents",
    "with_respondents",
    is_flag=True,
    help="Also write the answers of each respondent, with new numbers and without identifying "
    "data.",
)
@click.option(
    "--attributes",
    metavar="NAME[,NAME]",
    callback=_attributes,
    help="Attributes of respondents to publish, or 'none' [default: those with quotas].",
)
@click.option(
    "--k",
    type=click.IntRange(2),
    default=DEFAULT_K,
    show_default=True,
    help="Least number of respondents who share each combination of attributes.",
)
@click.option(
    "--suppress",
    "suppressing",
    is_flag=True,
    help="Blank the attributes of respondents in rarer combinations, instead of stopping.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: exports/survey_results of the workspace].",
)
@json_option
def command(
    workspace: Workspace,
    with_respondents: bool,
    attributes: tuple[str, ...] | None,
    k: int,
    suppressing: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the results of the survey for publication, to exports/survey_results.

    It writes the counts of the last 'curate filter', as JSON and as a table. 'curate filter
    --survey' makes the same decisions from the JSON file. The counts have no data of single
    respondents.

    With --respondents, it also writes the answers of each respondent. Respondents get new numbers,
    in an order that depends only on their answers. Times, positions, free text and all attributes
    that you did not choose are left out. If fewer than K people share a combination of attributes,
    nothing is written.

    \b
    Example: curate export survey
             curate export survey --respondents --attributes gender --k 10
    """  # noqa: D301  # \b keeps click from wrapping the example
    if not with_respondents and (attributes is not None or suppressing):
        raise click.UsageError("--attributes and --suppress go with --respondents")
    made = survey_results(
        workspace,
        respondents=with_respondents,
        attributes=attributes,
        k=k,
        suppressing=suppressing,
        out=out,
    )
    counts = made.counts
    if as_json:
        print_json({"folder": str(made.folder), "counts": counts})
        return
    people = (
        f" and the answers of {counts['respondents']:,} respondents" if with_respondents else ""
    )
    click.echo(f"Wrote the counts of {counts['questions']:,} questions{people} to {made.folder}.")
    if left_out := counts.get("respondents_left_out"):
        word = plural("respondent", left_out)
        click.echo(f"Note: {left_out} {word} left out, as they were not counted", err=True)
    if blanked := counts.get("respondents_blanked"):
        word = plural("respondent", blanked)
        also = f", {made.hidden} of them to hide the others" if made.hidden else ""
        click.echo(f"Note: the attributes of {blanked} {word} are blanked{also}", err=True)
