"""A page for each group of commands and each command of the first level, of what click knows."""

from collections.abc import Iterator
from dataclasses import dataclass

import click

from curate_docs.text import escaped, one_line, prose
from curation.cli.coloured import EVERY_COMMAND, SectionedCommand
from curation.cli.group import cli

STATUS = """\
| status | means |
|---|---|
| 0 | done |
| 1 | findings, or data that was refused: the error says what, where, and what to do |
| 2 | wrong usage |
| 130 | stopped with Ctrl-C |
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A command.

    Attributes:
        path: Its words, `curate` first.
        command: What click knows of it.
        context: A context in which it would be called.
        short: One line on it.
    """

    path: tuple[str, ...]
    command: click.Command
    context: click.Context
    short: str

    @property
    def name(self) -> str:
        """The words as they are typed."""
        return " ".join(self.path)

    @property
    def anchor(self) -> str:
        """Its words as a place on a page: `evaluate-run`; empty for `curate`."""
        return "-".join(self.path[1:])

    @property
    def file(self) -> str:
        """Its page: its own, or that of its group."""
        alone = len(self.path) <= 2 or isinstance(self.command, click.Group)
        words = self.path[1:] if alone else self.path[1:-1]
        return "-".join(words or ("index",)) + ".md"

    @property
    def children(self) -> list["Command"]:
        """The commands of a group, in the order of the work."""
        if not isinstance(self.command, click.Group):
            return []
        found = []
        for name in self.command.list_commands(self.context):
            child = self.command.get_command(self.context, name)
            assert child is not None  # noqa: S101  # the group has just listed it
            context = click.Context(child, info_name=name, parent=self.context)
            short = child.get_short_help_str(200)
            found.append(Command((*self.path, name), child, context, short))
        return found


def root() -> Command:
    """Give `curate` itself."""
    context = click.Context(cli, info_name="curate", **cli.context_settings)
    return Command(("curate",), cli, context, "Adapt the BBQ bias benchmark to another culture.")


def walk(command: Command) -> Iterator[Command]:
    """A command and all below it."""
    yield command
    for child in command.children:
        yield from walk(child)


def pages() -> dict[str, str]:
    """Every page, by its file's name."""
    grouped: dict[str, list[Command]] = {}
    for command in walk(root()):
        grouped.setdefault(command.file, []).append(command)
    return {file: page(first, leaves) for file, (first, *leaves) in grouped.items()}


def page(command: Command, leaves: list[Command]) -> str:
    """The page of a command, with the commands of a group below it."""
    parts = _section(command, "#")
    for leaf in leaves:
        parts += [f"({leaf.anchor})=", *_section(leaf, "##")]
    parts += [f"## Exit status\n\n{STATUS}"]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(command: Command, level: str) -> list[str]:
    """What is said of one command, below a heading of this level."""
    title = command.name if command.anchor else "Commands"
    parts = [f"{level} {title}", _usage(command), prose(command.command.help or "")]
    return [*parts, _arguments(command, level), _options(command, level), _children(command, level)]


def _usage(command: Command) -> str:
    pieces = " ".join(command.command.collect_usage_pieces(command.context))
    return f"```text\n{command.name} {pieces}\n```"


def _arguments(command: Command, level: str) -> str:
    rows = [
        f"| `{item.make_metavar(command.context)}` | {_type(item)} | {_number(item)} |"
        for item in command.command.get_params(command.context)
        if isinstance(item, click.Argument)
    ]
    heading = [f"{level}# Arguments", "", "| argument | is | |", "|---|---|---|"]
    return "\n".join([*heading, *rows]) if rows else ""


def _type(item: click.Parameter) -> str:
    if isinstance(item.type, click.Choice):
        return ", ".join(f"`{choice}`" for choice in item.type.choices)
    if isinstance(item.type, click.Path):
        if not item.type.dir_okay:
            return "a file"
        return "a folder" if not item.type.file_okay else "a file or folder"
    return "a whole number" if item.type.name.startswith("integer") else "text"


def _number(item: click.Argument) -> str:
    if item.nargs == -1:
        return "one or more" if item.required else "any number, or none"
    return "required" if item.required else "may be left out"


def _options(command: Command, level: str) -> str:
    """The options, under the headings that the help has for them."""
    told: dict[str, str] = {}
    for item in command.command.get_params(command.context):
        record = item.get_help_record(command.context)
        if isinstance(item, click.Option) and record is not None:
            names, text = record
            words = escaped(one_line(text + _default(item, text)))
            told[max(item.opts, key=len)] = f"`{names}`\n: {words}"
    if not (isinstance(command.command, SectionedCommand) and command.command.sections):
        return "\n\n".join([f"{level}# Options", *told.values()]) if told else ""
    parts = [f"{level}# Options"]
    for title, names in command.command.sections.items():
        parts += [f"{level}## {title}", *(told.pop(name) for name in names)]
    return "\n\n".join([*parts, f"{level}## {EVERY_COMMAND}", *told.values()])


def _default(item: click.Option, text: str) -> str:
    """The default where the help does not say it."""
    value = item.default
    plain = isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
    return f"  [default: {value}]" if plain and "default:" not in text else ""


def _children(command: Command, level: str) -> str:
    """A table of a group's commands; those with a page of their own are in the side bar."""
    children = command.children
    if not children:
        return ""
    rows = {
        item.path[-1]: f"| [`{item.name}`]({_place(item, command)}) | {escaped(item.short)} |"
        for item in children
    }
    lines = [f"{level}# Commands"]
    sections = getattr(command.command, "command_sections", {"": rows})
    for title, names in sections.items():
        heading = ["", f"{level}## {title}"] if len(sections) > 1 else []
        lines += [*heading, "", "| command | does |", "|---|---|", *(rows[name] for name in names)]
    files = [item.file.removesuffix(".md") for item in children if item.file != command.file]
    tree = ["", "```{toctree}", ":hidden:", ":maxdepth: 1", "", *files, "```"] if files else []
    return "\n".join([*lines, *tree])


def _place(item: Command, group: Command) -> str:
    return f"#{item.anchor}" if item.file == group.file else item.file
