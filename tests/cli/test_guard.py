"""What data hold reaches no terminal raw."""

import io
import json
import sys

import click
import pytest

from curation.cli.coloured import guarded, harmless
from curation.cli.terminal import print_json

BAD = "a\x1b[31mred\x1b[0m\x07 \x9b2J \u202egnp.exe\u2066 \r\x7f"
SHOWN = r"a\x1b[31mred\x1b[0m\x07 \x9b2J \u202egnp.exe\u2066 \r\x7f"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_control_characters_are_written_out():
    """Tabs, line ends and letters of any script stay."""
    assert harmless(BAD) == SHOWN
    plain = "\uc751\ub2f5\t\u0639\u0645\n\u00e9\U0001f600"
    assert harmless(plain) == plain


def test_only_terminals_are_guarded(monkeypatch):
    """Programs get what is there; colours of our own stay."""
    seen = Terminal()
    monkeypatch.setattr(sys, "stdout", seen)
    with guarded():
        click.echo(BAD)
        click.secho("error", fg="red", nl=False, color=True)
        piped = io.StringIO()
        click.echo(BAD, file=piped)
    assert seen.getvalue() == f"{SHOWN}\n\x1b[31merror\x1b[0m"
    assert "\x07 \x9b2J \u202egnp.exe" in piped.getvalue()


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_what_an_encoding_lacks_is_written_as_an_escape(monkeypatch, encoding):
    """Into a pipe of Windows, too; and JSON stays JSON, of whatever letters."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    told = {"name": "\uc751\u00e9\U0001f600"}
    with guarded():
        click.echo(told["name"])
        print_json(told)
    text, _, json_ = raw.getvalue().decode(encoding).partition("{")
    assert (
        text.strip()
        == {
            "cp1252": "\\uc751\u00e9\\U0001f600",
            "utf-8": told["name"],
        }[encoding]
    )
    assert json.loads(f"{{{json_}") == told
