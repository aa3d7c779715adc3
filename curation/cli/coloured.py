"""Help on a terminal: in colour where it is wanted, in sections, with words and commands whole."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, TypeVar

import click

from curation.records.messages import UNSEEN

_RAW = re.compile(rf"(?![\t\n]){UNSEEN.pattern}")


def harmless(text: str) -> str:
    """A text whose control characters, escape sequences and marks of direction are written out.

    Data may hold them: on a terminal they would colour, hide or reorder what is said of them.
    """
    return _RAW.sub(lambda match: ascii(match[0])[1:-1], text)


@contextmanager
def guarded() -> Iterator[None]:
    """A block in which nothing that data hold reaches a terminal raw; pipes get it as it is.

    A letter that the encoding of a stream lacks, as Windows' may, is written as an escape.
    """
    echo, secho = click.echo, click.secho
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")

    def shown(message: Any, kind: Mapping[str, Any]) -> Any:
        stream = kind.get("file") or (sys.stderr if kind.get("err") else sys.stdout)
        if isinstance(message, str) and stream.isatty():
            return harmless(message)
        return message

    def safe_echo(message: Any = None, **kind: Any) -> None:
        echo(shown(message, kind), **kind)

    def safe_secho(message: Any = None, **kind: Any) -> None:
        secho(shown(message, kind), **kind)

    click.echo, click.secho = safe_echo, safe_secho  # type: ignore[assignment]
    try:
        yield
    finally:
        click.echo, click.secho = echo, secho


_HYPHEN, _BLANK = "\ue000", "\ue001"
"""Stand for a hyphen and a blank at which no line is broken."""
_QUOTED = re.compile(r"'curate [^'\n]{,37}'")
_COLUMN = 26
"""The most columns of names, beside which the texts stand."""
EVERY_COMMAND = "As with every command"
"""The heading of the options that are in no section of their own."""
EVERY_OPTION = "curation.every_option"
"""Where a context says that the help shows every option."""
_SHOWN = 8
"""How many options of sections '--help' shows at most."""


def wanted_colour() -> bool | None:
    """Whether output is coloured: None where the terminal decides.

    NO_COLOR takes colour away (no-color.org), FORCE_COLOR gives it to a pipe too; either
    counts with any value but an empty one, and NO_COLOR wins.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def _held(text: str) -> str:
    """A text of which no word with a hyphen is broken, and no short command in quotation marks."""
    commands = _QUOTED.sub(lambda found: found[0].replace(" ", _BLANK), text)
    return re.sub(r"(?<=\S)-(?=\S)", _HYPHEN, commands)


class ColouredFormatter(click.HelpFormatter):
    """Highlights titles and names; lines are click's, but words and commands are not broken."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line of usage."""
        title = click.style("Usage:" if prefix is None else prefix.rstrip(), bold=True)
        super().write_usage(prog, args, f"{title} ")

    def write_heading(self, heading: str) -> None:
        """Write the title of a section."""
        super().write_heading(click.style(heading, bold=True))

    def write_dl(self, rows: Iterable[tuple[str, str]], *_args: Any, **_options: Any) -> None:
        """Write names of commands or options, with what they do."""
        styled = [(click.style(name, fg="cyan"), _held(text)) for name, text in rows]
        super().write_dl(styled, _COLUMN)

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text(_held(text))

    def getvalue(self) -> str:
        """Give what was written."""
        return super().getvalue().replace(_HYPHEN, "-").replace(_BLANK, " ")


class ColouredContext(click.Context):
    """The circumstances of a command whose help is coloured."""

    formatter_class = ColouredFormatter


F = TypeVar("F", bound=Callable[..., Any])


def section(title: str) -> Callable[[F], F]:
    """Put the options that follow, up to the next section, under a heading of the help."""

    def mark(function: F) -> F:
        for item in vars(function)["__click_params__"]:
            vars(item).setdefault("section", title)
        return function

    return mark


class SectionedCommand(click.Command):
    """A command with many options, which its help lists by their purpose.

    '--help' shows the first sections, as far as their options are few, and names the others.
    '--help-all' shows all.
    """

    @property
    def sections(self) -> dict[str, list[str]]:
        """The long names of the options, by their `section`; those that are in none come last."""
        found: dict[str, list[str]] = {}
        for item in self.params:
            if title := vars(item).get("section"):
                found.setdefault(title, []).append(max(item.opts, key=len))
        return found

    def shown(self) -> list[str]:
        """The titles of the sections that '--help' shows."""
        titles: list[str] = []
        room = _SHOWN
        for title, names in self.sections.items():
            if len(names) <= room:
                titles.append(title)
                room -= len(names)
        return titles

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """List what the command takes, and the option that shows all of it."""
        params = super().get_params(ctx)
        if len(self.shown()) == len(self.sections):
            return params
        return [*params, _HELP_ALL]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options, section by section where there are some."""
        if not self.sections:
            super().format_options(ctx, formatter)
            return
        records = {
            max(item.opts, key=len): record
            for item in self.get_params(ctx)
            if isinstance(item, click.Option) and (record := item.get_help_record(ctx))
        }
        width = min(_COLUMN, max(len(name) for name, _ in records.values()))
        grouped = {
            title: [records.pop(name) for name in names] for title, names in self.sections.items()
        }
        shown = list(grouped) if ctx.meta.get(EVERY_OPTION) else self.shown()
        for title in (*shown, EVERY_COMMAND):
            with formatter.section(title):
                rows = grouped.pop(title, records.values())
                formatter.write_dl([(f"{name:{width}}", text) for name, text in rows])
        if grouped:
            names = ", ".join(title[0].lower() + title[1:] for title in grouped)
            formatter.write_paragraph()
            formatter.write_text(f"More options, which --help-all shows: {names}.")


def _show_all(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.meta[EVERY_OPTION] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


_HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options and exit.",
)
