"""What commands that export share: where to, what is said of it, and opening it."""

import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.cli.terminal import echo_fitting, echo_note, fitting, note, print_findings
from curation.records.messages import Finding, Severity, plural
from exports.edition import left_out_words
from exports.folders import Exported

if TYPE_CHECKING:
    from exports.browse.replies import Replied

_NAMED = 5  # templates that a message names

out_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: exports/ of the workspace, in a folder named after the "
    "command].",
)


def exported_dict(made: Exported, **told: object) -> dict[str, object]:
    """What was written, for `--json`."""
    return {
        "folder": str(made.folder),
        "counts": made.counts,
        "undecided": made.undecided,
        "without_samples": made.without_samples,
        "findings": made.findings,
        **told,
    }


def show(made: Exported, *, sampled: bool = True) -> None:
    """Say what was written, what was not, and what is doubtful.

    Args:
        made: What was written.
        sampled: Whether it holds samples, so that those without are worth a note.
    """
    what = ", ".join(f"{count:,} {name}" for name, count in made.written.items())
    echo_fitting(f"Wrote {what} to {made.folder}.")
    for text in left_out_words(made.counts):
        click.echo(text)
    if made.undecided:
        echo_note("included without a survey decision", made.undecided)
    if made.without_samples and sampled:
        waiting = "without samples (not translated, or groups not surveyed)"
        echo_note(waiting, made.without_samples)
    _warn(made.findings)


def _warn(findings: Sequence[Finding]) -> None:
    """Say on standard error what makes the export one that is not to be published yet."""
    errors = [item for item in findings if item.severity is Severity.ERROR]
    if errors:
        count = len(errors)
        first = f"{errors[0].where}: {errors[0].message}"
        line = (
            f"Warning: 'curate check' finds {count} {plural('error', count)} in the workspace. "
            f"The first: {first}"
        )
        shown = fitting(line, " " * 6, err=True)
        click.secho("Warning", nl=False, err=True, fg="red")
        click.echo(shown.removeprefix("Warning"), err=True)
        click.echo("    -> before you publish, fix the errors and export again", err=True)
    print_findings([item for item in findings if item not in errors], err=True)


def say_replied(replied: "Replied | None") -> str:
    """How many replies of how many models are in the page."""
    models, count = (len(replied.models), replied.replies) if replied else (0, 0)
    return f"{count:,} {_reply(count)} of {models:,} {plural('model', models)}"


def _reply(count: int) -> str:
    return "reply" if count == 1 else "replies"


def note_gone(replied: "Replied") -> None:
    """Say on standard error which replies the page does not show."""
    if replied.gone["templates"]:
        names = ", ".join(replied.gone_templates[:_NAMED])
        more = ", ..." if len(replied.gone_templates) > _NAMED else ""
        count, templates = replied.gone["templates"], len(replied.gone_templates)
        note(
            f"Note: {count:,} {_reply(count)} to {templates:,} {plural('template', templates)} "
            "that are not in the bank: they are in the scores of the models, but not on the page: "
            f"{names}{more}"
        )


def gone_dict(replied: "Replied | None") -> dict[str, object]:
    """The same for `--json`, with the models; nothing where there are no replies."""
    if replied is None:
        return {}
    return {
        "models": replied.models,
        "gone": {**replied.gone, "template_ids": replied.gone_templates},
    }


def open_page(address: str) -> None:
    """Open a page in the user's browser, where there is one."""
    if not webbrowser.open(address):
        note(f"Note: no browser could be started; open {address} yourself")
