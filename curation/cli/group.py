"""The group of all commands, which are imported only when they are called."""

import difflib
import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from curation import DATA_FORMAT, __version__
from curation.cli.coloured import ColouredContext, SectionedCommand

WAITING = "curation.waiting"
"""Where the options before a command say how its workspace waits."""
Lazy = dict[str, tuple[str, str]]
"""Where commands are and their one-line helps, by name."""

_COMMANDS = {
    "Start": {
        "demo": ("exports.cli.demo", "Run all steps on the bundled demo culture, offline."),
        "init": ("curation.cli.init", "Make a new workspace."),
        "doctor": ("curation.cli.doctor", "Check that this machine and a workspace are set up."),
        "language": (
            "curation.cli.init:language_command",
            "Add a language that the toolkit does not have.",
        ),
    },
    "Bank: templates and groups": {
        "import": ("curation.cli.import_", "Read published templates into the bank."),
        "check": ("curation.cli.check", "Check templates, groups and settings."),
        "groups": ("curation.cli.collect:groups", "Edit groups and categories in a workbook."),
        "new": ("curation.cli.collect:new", "Write templates that the source does not have."),
        "stats": (
            "curation.cli.check:stats_command",
            "Count templates and samples by category and label.",
        ),
        "trace": ("curation.cli.trace", "Find the template of each sample in a file."),
    },
    "People: annotators and translators": {
        "collect": ("curation.cli.collect", "Read the files that people returned."),
        "classify": ("curation.cli.classify", "Label with annotators which templates apply here."),
        "translate": ("curation.cli.translate", "Translate templates by machine, then by people."),
        "push": ("curation.cli.labelstudio:push", "Send tasks to annotators through Label Studio."),
        "pull": ("curation.cli.labelstudio:pull", "Fetch the annotations from Label Studio."),
        "annotate": (
            "curation.cli.labelstudio:annotate",
            "Annotate on this machine, with names for accounts.",
        ),
    },
    "Survey and decisions": {
        "survey": ("survey.cli.survey", "Build the survey, report it, ask models it."),
        "filter": ("survey.cli.filter", "Decide by the survey which templates are kept."),
        "override": (
            "survey.cli.override",
            "Decide yourself: keep, drop, label, set aside, delete.",
        ),
        "status": ("survey.cli.status", "Show the status of each template, and open tasks."),
        "explain": ("survey.cli.explain", "Show all decisions on a template, question or sample."),
        "browse": ("exports.cli.browse", "Write a page to look through the benchmark."),
    },
    "Release": {
        "export": ("exports.cli.export", "Write the final bank and samples."),
        "verify": ("exports.cli.release:verify", "Check that an export was not changed."),
        "diff": ("exports.cli.release:diff", "Compare two versions of a benchmark."),
        "replay": ("exports.cli.release:replay", "Make a benchmark again from its recipe."),
    },
    "Evaluation of models": {
        "evaluate": ("evaluation.cli.evaluate", "Run models on the benchmark, and score them.")
    },
}
"""By section of the help: where each command is, and its one-line help."""


def given_once(command: click.Command) -> click.Command:
    """Have a command, and those within it, refuse two different values of a single-value option.

    click takes the last value and says nothing: of two files one would count unnoticed.
    """
    for inner in getattr(command, "commands", {}).values():
        given_once(inner)
    if "make_parser" in vars(command):
        return command
    make = command.make_parser

    def make_parser(ctx: click.Context) -> Any:
        parser = make(ctx)
        options = (item for item in command.get_params(ctx) if isinstance(item, click.Option))
        single = {
            item.name: item for item in options if not (item.multiple or item.is_flag or item.count)
        }
        for name, item in single.items():  # collected, where click would put the last value
            parser.add_option(item, item.opts, name, action="append", nargs=item.nargs)
        parse = parser.parse_args

        def parse_args(args: list[str]) -> Any:
            found, *rest = parse(args)
            for name in single.keys() & found.keys():
                found[name] = _one_value(ctx, single[name], found[name])
            return found, *rest

        parser.parse_args = parse_args  # type: ignore[method-assign]
        return parser

    command.make_parser = make_parser  # type: ignore[method-assign]
    return command


def _one_value(ctx: click.Context, option: click.Parameter, values: Sequence[Any]) -> Any:
    other = next((value for value in values if value != values[-1]), None)
    if other is None or ctx.resilient_parsing:  # the shell asks what may follow
        return values[-1]
    name = max(option.opts, key=len)
    do = "name one of them"
    if "[," in (option.metavar or ""):
        do = f"name several as one, {name} {','.join(map(str, dict.fromkeys(values)))}"
    raise click.UsageError(
        f"{name} takes one value, and is given '{other}' and '{values[-1]}': {do}", ctx
    )


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used, and listed without that.

    Args:
        lazy: Where the command is and its one-line help, by command name: a module that holds
            it as `command`, or "module:attribute"; by section of the help where there are
            sections.

    Attributes:
        command_sections: The same by section of the help; one where there are none.
    """

    context_class = ColouredContext

    def __init__(self, *args: Any, lazy: Lazy | Mapping[str, Lazy], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.command_sections: dict[str, Lazy] = {}
        for name, entry in lazy.items():
            if isinstance(entry, tuple):
                self.command_sections.setdefault("Commands", {})[name] = entry
            else:
                self.command_sections[name] = entry
        self._lazy = {
            name: entry for part in self.command_sections.values() for name, entry in part.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the work."""
        return list(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self._lazy:
            return None
        module, _, attribute = self._lazy[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute or "command")
        assert isinstance(command, click.Command)  # noqa: S101  # a fault of ours, not of input
        for each in (command, *getattr(command, "commands", {}).values()):
            each.context_class = ColouredContext
        return given_once(command)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the commands, importing none of them, and the options of the group."""
        found = [
            CompletionItem(name, help=text)
            for name, (_, text) in self._lazy.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, or suggest one of a like name."""
        if args and args[0] not in self._lazy and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], self._lazy, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise click.UsageError(f"No such command '{args[0]}'.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their one-line helps, importing none."""
        width = max(map(len, self._lazy))
        for title, part in self.command_sections.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", text) for name, (_, text) in part.items()])


class SectionedGroup(SectionedCommand, LazyGroup):
    """A command with commands below it: it does something itself where none of them is named.

    Args:
        lazy: The commands below it.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, invoke_without_command=True, **kwargs)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options, section by section, then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


def _wait(context: click.Context, _option: click.Parameter, seconds: float | None) -> None:
    """Have the workspace of whatever command is called wait so long for another that writes."""

    def tell(text: str) -> None:
        click.echo(text, err=True)

    context.meta[WAITING] = {"on_wait": tell} | ({} if seconds is None else {"wait": seconds})


@click.group(
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(
    __version__,
    prog_name="curate",
    message=f"%(prog)s, version %(version)s, data format {DATA_FORMAT}",
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    expose_value=False,
    callback=_wait,
    help="How long a command waits while another one writes to the workspace [default: 30].",
)
def cli() -> None:
    """Adapt the BBQ bias benchmark to another culture.

    A workspace is a folder of plain files. 'curate init' makes a workspace. 'curate import' reads
    published templates into it. 'curate filter' decides by a public survey which templates are
    kept. 'curate export' writes the benchmark. Most commands take -w DIR (the workspace; default:
    the current folder) and --json. Exit status: 0 done, 1 problems found or data refused, 2 wrong
    usage.
    """
