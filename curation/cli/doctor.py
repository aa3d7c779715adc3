"""`curate doctor`: whether this machine and a workspace are in order."""

from collections.abc import Mapping, Sequence
from functools import partial

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import counted
from exports.health import State, doctor

_SHOWN = {State.OK: ("ok", "green"), State.NONE: ("-", ""), State.WARNING: ("look", "yellow")}
_BROKEN = ("BROKEN", "red")


@options.curate_command("doctor")
def command(workspace: Workspace) -> terminal.Taken:
    """Check that this machine and a workspace are set up.

    It checks Python and the packages, the optional parts, the keys in the environment, the servers
    that the environment names, and the workspace. Keys are never shown or sent anywhere. A missing
    optional part is not an error. The exit status is 1 when something is broken.

    Commands, options and ids are completed in a shell after the line of yours, once. bash must be
    4.4 or later.

    \b
    bash  _CURATE_COMPLETE=bash_source curate >> ~/.bashrc
    zsh   _CURATE_COMPLETE=zsh_source curate >> ~/.zshrc
    fish  _CURATE_COMPLETE=fish_source curate > ~/.config/fish/completions/curate.fish
    """  # noqa: D301  # \b keeps click from wrapping the lines
    seen = doctor(workspace).rows
    broken = sum(item["state"] == State.BROKEN for item in seen)
    return {"seen": seen, "broken": broken}, bool(broken), partial(_show, seen, broken)


def _show(seen: Sequence[Mapping[str, str]], broken: int) -> None:
    widest = max(len(item["name"]) for item in seen)
    part = ""
    for item in seen:
        if item["part"] != part:
            click.secho(("\n" if part else "") + item["part"], bold=True)
            part = item["part"]
        mark, colour = _SHOWN.get(State(item["state"]), _BROKEN)
        indent = " " * (widest + 10)
        line = f"  {mark:6}  {item['name']:{widest}}  {item['text']}".rstrip()
        click.echo("  ", nl=False)
        click.secho(f"{mark:6}", nl=False, fg=colour or None)
        click.echo(terminal.fitting(line, indent)[8:])
        if item["hint"]:
            click.echo(terminal.fitting(f"{indent}-> {item['hint']}", f"{indent}   "))
    verdict = f"{counted(broken, 'problem')} found" if broken else "no problems found"
    click.echo(f"\nResult: {verdict}.")
