"""`curate completion`: the shell completes commands, options and ids."""

import click
from click.shell_completion import get_completion_class

_VARIABLE = "_CURATE_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the lines with which a shell completes commands, options and ids.

    \b
    bash  mkdir -p ~/.local/share/bash-completion/completions
          curate completion bash > ~/.local/share/bash-completion/completions/curate
    zsh   echo 'eval "$(curate completion zsh)"' >> ~/.zshrc
    fish  curate completion fish > ~/.config/fish/completions/curate.fish

    Run the lines for your shell once, then open a new shell. bash must be 4.4 or later, with the
    package bash-completion; without that package, add the printed lines to ~/.bashrc.
    """  # noqa: D301  # \b keeps click from wrapping the lines
    made = get_completion_class(shell)
    assert made is not None  # noqa: S101  # the choices are those that click has
    root = click.get_current_context().find_root().command
    # The class asks bash for its version when it is used, not when it is written.
    complete = made(root, {}, "curate", _VARIABLE)
    click.echo(complete.source_template % complete.source_vars())
