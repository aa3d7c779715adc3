"""`curate translate`: by machine, then by people."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "estimate": ("curation.cli.translate_estimate", "Say what a translation would cost."),
    "run": ("curation.cli.translate_run", "Translate by machine what is not translated yet."),
    "sheet": ("curation.cli.translate_sheet", "Make workbooks for translators."),
    "collect": ("curation.cli.translate_collect", "Put what translators returned into the bank."),
    "status": ("curation.cli.translate_status", "Say how far the translation is."),
}


@click.group(
    "translate",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Translate templates by machine, then by people.

    Templates labelled ST or TM are translated. Machine text is kept beside the person's, in
    columns that end in _machine. What was paid for once is never paid for again.
    """
