"""How many commands and options there are, few enough to be learnt, and which ones stay."""

from pathlib import Path

import click

from curation.cli.main import cli

MOST_COMMANDS = 46
MOST_OPTIONS = 349


def leaves(command):
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from leaves(below)


def test_commands_and_options_are_few():
    """A new command takes the place of two; whoever removes some lowers the bound."""
    found = list({id(one): one for one in leaves(cli)}.values())  # by whatever name it is called
    options = [item for one in found for item in one.params if isinstance(item, click.Option)]
    assert len(found) <= MOST_COMMANDS
    assert len(options) <= MOST_OPTIONS


def test_options_that_people_and_programs_rely_on_stay():
    """A contract: none of these options is renamed, merged or taken away."""
    for line in (Path(__file__).parent / "kept_options.txt").read_text("utf-8").splitlines():
        names, _, options = line.partition(" --")
        command, context = cli, click.Context(cli)
        for name in names.split():
            command = command.get_command(context, name)
        have = {text for item in command.params for text in item.opts}
        assert {f"--{text}" for text in options.split(" --")} - have == set(), names
