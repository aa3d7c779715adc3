"""Every command that a message, a help text or a language's text names is one, with its options."""

import re

import click
import pytest
from sources import PACKAGES, ROOT, sources

from curation.cli.main import cli

pytestmark = pytest.mark.xdist_group("sources")
NAMED = re.compile(r"\bcurate((?: +[a-z][a-z-]+)+)((?: +[^\s'`\"();,:&|]+)*)")
NO_COMMANDS = {"that"}  # "the curate that made it"


def texts():
    """The place and the words of each text of the product."""
    for it in sources():
        for line, text in (*it.texts, *it.filled):
            yield f"{it.path.relative_to(ROOT)}, line {line}", text
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.yaml")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def wrong(words, after):
    """What is no command or no option in a line; nothing where all is right."""
    command = cli
    while words and isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words[0])
        if found is None:
            return words[0]
        command, words = found, words[1:]
    known = {name for item in command.params for name in (*item.opts, *item.secondary_opts)}
    asked = {word.split("=")[0].rstrip(".") for word in after if re.match("--[a-z][^…]*$", word)}
    return "" if isinstance(command, click.Group) else " ".join(sorted(asked - known - {"--help"}))


def test_every_command_that_is_named_is_one():
    """A command or an option that is renamed is renamed wherever somebody is told of it."""
    named = {
        (place, found[0]): wrong(found[1].split(), found[2].split())
        for place, text in texts()
        for found in NAMED.finditer(text)
        if found[1].split()[0] not in NO_COMMANDS
    }
    assert len(named) > 400
    assert {key: said for key, said in named.items() if said} == {}
