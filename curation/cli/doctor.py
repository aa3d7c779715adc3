"""`curate doctor`: whether this machine and a workspace are in order."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.doctor_machine import Seen, State, look_at_machine
from curation.cli.doctor_servers import look_at_servers
from curation.cli.doctor_workspace import look_at_workspace
from curation.io.workspace import Workspace

_SIGNS = {State.OK: ("ok", "green"), State.NONE: ("-", ""), State.WARNING: ("look", "yellow")}
_BROKEN = ("BROKEN", "red")


@click.command("doctor")
@workspace_option
@click.option("--offline", is_flag=True, help="Ask no server whether it is there.")
@json_option
@click.pass_context
def command(context: click.Context, /, workspace: Workspace, offline: bool, as_json: bool) -> None:
    """See whether this machine and a workspace are in order.

    Looks at Python and the packages, the optional parts, the keys in the environment (which
    are never shown, nor sent anywhere), the servers that the environment names, and the
    workspace. What is optional and not there is no fault. The exit status is 1 when something
    is broken.
    """
    seen = list(_look(workspace, offline=offline))
    broken = [item for item in seen if item.state is State.BROKEN]
    if as_json:
        listed = [{**asdict(item), "state": item.state.value} for item in seen]
        print_json({"seen": listed, "broken": len(broken)})
    else:
        _show(seen)
        count = len(broken)
        verdict = f"{count} {plural('thing', count)} broken" if broken else "in order"
        click.echo(f"\nAll in all: {verdict}.")
    if broken:
        context.exit(1)


def _look(workspace: Workspace, *, offline: bool) -> Iterator[Seen]:
    yield from look_at_machine()
    yield from look_at_servers(offline=offline)
    yield from look_at_workspace(workspace)


def _show(seen: Sequence[Seen]) -> None:
    widest = max(len(item.name) for item in seen)
    part = ""
    for item in seen:
        if item.part != part:
            click.echo(("\n" if part else "") + click.style(item.part, bold=True))
            part = item.part
        sign, colour = _SIGNS.get(item.state, _BROKEN)
        shown = click.style(f"{sign:6}", fg=colour or None)
        click.echo(f"  {shown}  {item.name:{widest}}  {item.text}".rstrip())
        if item.hint:
            click.echo(f"  {'':6}  {'':{widest}}  -> {item.hint}")
