"""`curate classify`: the labels of source templates, by people."""

import click

from curation.cli.main import LazyGroup

_COMMANDS = {
    "sheet": ("curation.cli.classify_sheet", "Make a workbook for each annotator."),
    "collect": ("curation.cli.classify_collect", "Read returned workbooks; show agreement."),
    "resolve": ("curation.cli.classify_resolve", "Write a consensus to the ledger and the bank."),
}


@click.group(
    "classify",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Decide with annotators which source templates hold in the culture.

    'sheet' hands out a workbook to each, 'collect' reads them back, says how far they agree
    and writes the agenda of a consensus meeting, 'resolve' puts what was agreed on into the
    ledger and the labels into the bank.
    """
