"""Putting translators' texts into the bank: what workbooks and a server have in common."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import click

from curation.cli.common import plural
from curation.io.bank import write_bank
from curation.io.translation.returned import Returned, returned_file, write_returned
from curation.io.workspace import Workspace
from curation.stages.translate.collect import Conflict, Put, stands
from curation.stages.translate.units import Unit


def save_taken(
    workspace: Workspace,
    result: Put,
    known: Mapping[tuple[str, str, str], Returned],
    found: Iterable[tuple[Unit, Returned]],
) -> None:
    """Write the bank, then which texts were put into it.

    A text that was left out of the bank is not recorded: what stands there is somebody else's.
    A run that ends between the two writes has put its texts into the bank, and the next one
    records them.

    Args:
        workspace: The workspace.
        result: The bank with the texts.
        known: What was recorded before.
        found: The texts, with what they translate.

    Raises:
        CurateError: If a file cannot be written.
    """
    variants = {variant.id: variant for variant in result.bank.variants}
    merged = dict(known)
    for unit, item in found:
        earlier = merged.get(item.key)
        if not stands(unit, item.translation, variants):
            continue
        same = earlier is not None and earlier.translation == item.translation
        over = item.over or (earlier.over if earlier is not None and same else ())
        if earlier is None or not same or (earlier.remark, earlier.over) != (item.remark, over):
            merged[item.key] = replace(item, over=over)
    if result.written:
        write_bank(workspace.bank_file, result.bank)
    if merged != dict(known):
        write_returned(returned_file(workspace.root), merged.values())


def conflict_message(conflict: Conflict) -> tuple[str, str]:
    """Say that a text was left out because of what stands in the bank, and what to do."""
    return (
        f"{conflict.place.variant}, {conflict.place.field}: somebody has written "
        f"'{conflict.now}' in the bank since; it is left as it is",
        "compare the two; to have this one, empty the cell in the bank and collect again",
    )


def show_put(result: Put) -> None:
    """Say what of the bank was written."""
    click.echo(
        f"{result.written} {plural('cell', result.written)} of the bank written, "
        f"{result.unchanged} were so already."
    )
    if result.open_lists:
        lists = result.open_lists
        click.echo(f"{lists} {plural('list', lists)} wait for a filler that is not translated yet.")
