"""`curate doctor`: whether this machine and a workspace are in order."""

from collections.abc import Sequence

import click
from click.shell_completion import get_completion_class

from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import fitting, print_json
from curation.files.workspace import Workspace
from curation.records.messages import plural
from exports.health import Seen, State, doctor

_SHOWN = {State.OK: ("ok", "green"), State.NONE: ("-", ""), State.WARNING: ("look", "yellow")}
_BROKEN = ("BROKEN", "red")


@click.command("doctor")
@workspace_option
@click.option("--offline", is_flag=True, help="Do not contact servers.")
@click.option(
    "--completion",
    type=click.Choice(["bash", "zsh", "fish"]),
    help="Only print the lines with which this shell completes commands, options and ids.",
)
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    workspace: Workspace,
    offline: bool,
    completion: str | None,
    as_json: bool,
) -> None:
    """Check that this machine and a workspace are set up.

    It checks Python and the packages, the optional parts, the keys in the environment, the servers
    that the environment names, and the workspace. Keys are never shown or sent anywhere. A missing
    optional part is not an error. The exit status is 1 when something is broken.

    Completion of commands in a shell is set up by the line of yours, once, in a new shell after it.
    bash must be 4.4 or later, with the package bash-completion; without that package, add the
    printed lines to ~/.bashrc.

    \b
    bash  mkdir -p ~/.local/share/bash-completion/completions
          curate doctor --completion bash > ~/.local/share/bash-completion/completions/curate
    zsh   echo 'eval "$(curate doctor --completion zsh)"' >> ~/.zshrc
    fish  curate doctor --completion fish > ~/.config/fish/completions/curate.fish
    """  # noqa: D301  # \b keeps click from wrapping the lines
    if completion:
        made = get_completion_class(completion)
        assert made is not None  # noqa: S101  # the choices are those that click has
        # The class asks bash for its version when it is used, not when it is written.
        complete = made(context.find_root().command, {}, "curate", "_CURATE_COMPLETE")
        click.echo(complete.source_template % complete.source_vars())
        return
    found = doctor(workspace, offline=offline)
    if as_json:
        print_json({"seen": found.seen, "broken": found.broken})
    else:
        _show(found.seen)
        verdict = f"{found.broken} {plural('problem', found.broken)} found" * bool(found.broken)
        click.echo(f"\nResult: {verdict or 'no problems found'}.")
    if found.broken:
        context.exit(1)


def _show(seen: Sequence[Seen]) -> None:
    widest = max(len(item.name) for item in seen)
    part = ""
    for item in seen:
        if item.part != part:
            click.secho(("\n" if part else "") + item.part, bold=True)
            part = item.part
        mark, colour = _SHOWN.get(item.state, _BROKEN)
        indent = " " * (widest + 10)
        line = f"  {mark:6}  {item.name:{widest}}  {item.text}".rstrip()
        click.echo("  ", nl=False)
        click.secho(f"{mark:6}", nl=False, fg=colour or None)
        click.echo(fitting(line, indent)[8:])
        if item.hint:
            click.echo(fitting(f"{indent}-> {item.hint}", f"{indent}   "))
