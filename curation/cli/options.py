"""Options that commands share."""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.core import ParameterSource

from curation.cli.coloured import SectionedCommand
from curation.cli.coloured import section as section
from curation.cli.group import WAITING
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, counted, shortened
from curation.records.settings import SettingError
from curation.report.texts import SHOWN_FORMATS

if TYPE_CHECKING:
    from curation.annotation.engines.engine import Listener
    from curation.languages import Language

F = TypeVar("F", bound=Callable[..., Any])


path_option = partial(click.option, type=click.Path(path_type=Path))
"""An option that names a file or a folder, or either; `click.option` with a type."""
file_option = partial(click.option, type=click.Path(dir_okay=False, path_type=Path))
"""An option that names a file."""
folder_option = partial(click.option, type=click.Path(file_okay=False, path_type=Path))
"""An option that names a folder."""


flag_option = partial(click.option, is_flag=True)
"""An option without a value."""


def repeated(flag: str, name: str, metavar: str, text: str, **more: Any) -> Callable[[F], F]:
    """An option that may be given several times; the command receives a tuple as `name`."""
    text = f"{text}; may be given several times."
    return click.option(flag, name, multiple=True, metavar=metavar, help=text, **more)


def people_option(flag: str, text: str, **more: Any) -> Callable[[F], F]:
    """An option that names people, given once for each, all of them different: `--reader NAME`."""

    def distinct(_context: click.Context, _option: click.Parameter, people: Any) -> list[str]:
        return _names_of(people, flag)

    return repeated(flag, f"{flag[2:]}s", "NAME", text, callback=distinct, **more)


by_option = click.option(
    "--by", required=True, metavar="NAME", help="Who decides; the name is recorded in the ledger."
)
"""The option `--by NAME` of what is decided."""


def option_of(folder: Path) -> str:
    """The option that names a workspace in a command to be copied; empty for this folder."""
    return "" if folder.resolve() == Path.cwd() else f" -w {quote(str(folder))}"


def workspace_option(function: F) -> F:
    """Add `-w/--workspace DIR`; the command receives a `Workspace` as `workspace`."""
    return click.option(
        "-w",
        "--workspace",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(),
        show_default=False,
        callback=lambda context, _option, path: Workspace(path, **context.meta.get(WAITING, {})),
        help="The workspace [default: the current folder].",
    )(function)


@contextmanager
def settings_as_options() -> Iterator[None]:
    """A block in which a setting that cannot be so is wrong usage of the option of its name."""
    try:
        yield
    except SettingError as error:
        option = f"--{error.setting}".replace("_", "-") if error.setting else "the settings"
        raise click.UsageError(f"{option}: {error.problem}") from error


def refuse_stray(
    ctx: click.Context, belongs: Mapping[str, Collection[str]], chosen: Collection[str]
) -> None:
    """Refuse an option that was given and counts for nothing.

    Args:
        ctx: The context of the command.
        belongs: By the parameters of some options, the choices with which each counts, as they are
            said: `--by groups`.
        chosen: The choices that were made.

    Raises:
        click.UsageError: If one was given without any of its choices.
    """
    for option in ctx.command.params:
        of = belongs.get(option.name or "", ())
        typed = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if of and typed and not set(of) & set(chosen):
            raise click.UsageError(f"{max(option.opts, key=len)} goes with {' or '.join(of)}")


def templates_option(function: F) -> F:
    """Add `--template NAME`, also written `--category`: `Workspace.chosen` reads it."""
    return click.option(
        "--template",
        "--category",
        "templates",
        multiple=True,
        metavar="NAME",
        help="Only this template, by its id, or those of this category; may be given several "
        "times.",
    )(function)


def json_option(function: F) -> F:
    """Add `--json`; a command receives it as `as_json`, or gives what it did, which is printed."""
    add = flag_option("--json", "as_json", help="Print one JSON object and nothing else.")
    if "as_json" in inspect.signature(function).parameters:
        return add(function)

    @wraps(function)
    def command(*args: Any, as_json: bool, **given: Any) -> None:
        from curation.cli.terminal import print_taken

        print_taken(function(*args, **given), as_json=as_json)

    return cast(F, add(command))


def curate_command(
    name: str, *, workspace: bool = True, **more: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a command, with what every command has: `-w/--workspace` and `--json`.

    Args:
        name: What it is called.
        workspace: Whether it is about a workspace.
        more: What else `click.command` takes.
    """

    def make(function: Callable[..., Any]) -> click.Command:
        taken = json_option(function)
        options = vars(taken)["__click_params__"]
        options.insert(0, options.pop())  # click lists the first one last
        with_all = workspace_option(taken) if workspace else taken
        return click.command(name, cls=SectionedCommand, **more)(with_all)

    return make


def several_of(
    allowed: Collection[str],
) -> Callable[[click.Context, click.Parameter, str | None], tuple[str, ...]]:
    """A callback that reads names joined by commas, each one of those allowed."""

    def read(
        _context: click.Context, _option: click.Parameter, value: str | None
    ) -> tuple[str, ...]:
        if value is None:
            return ()
        names = tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
        unknown = [name for name in names if name not in allowed]
        if unknown or not names:
            raise click.BadParameter(f"'{value}': name one or more of {', '.join(allowed)}")
        return names

    return read


def shown_option(function: F) -> F:
    """Add `--format NAMES`: what a report's tables and figures are written as for a paper."""
    return click.option(
        "--format",
        "formats",
        callback=several_of(SHOWN_FORMATS),
        metavar="NAME[,NAME...]",
        help="Write also each table by itself, as it is shown (csv, md, tex), and each figure "
        f"(pdf, png): one or more of {', '.join(SHOWN_FORMATS)}.",
    )(function)


def bounds_option(function: F) -> F:
    """Add `--per-template N`, the bound of what is drawn."""
    return click.option(
        "--per-template",
        type=click.IntRange(min=1),
        metavar="N",
        help="Draw at most N samples of each template, evenly over groups and words, but at "
        "least one filling of each pair of variants [default: samples.per_template, else all].",
    )(function)


def suggestion_options(function: F) -> F:
    """Add the options that say whether suggested labels are shown, and who does not see them."""
    function = click.option(
        "--blind",
        multiple=True,
        metavar="half|all|none|NAME",
        help="With --suggestions: who does not see them: half of the annotators (drawn at "
        "random), all, none, or the annotator NAME; NAME may be given several times [default: "
        "half].",
    )(function)
    return flag_option(
        "--suggestions",
        help="Show annotators the labels that 'curate classify suggest' wrote.",
    )(function)


def hidden_of(blind: Sequence[str], *, suggestions: bool) -> list[str] | None:
    """Who does not see suggestions, as the options say; None where nobody sees any.

    Raises:
        UsageError: If somebody is blind to what nobody is shown.
    """
    if blind and not suggestions:
        raise click.UsageError("--blind belongs to --suggestions")
    return _names_of(blind or ("half",), "--blind") if suggestions else None


def _names_of(people: Sequence[str], option: str) -> list[str]:
    """Names of people on the command line, none of them empty, and no two the same."""
    from curation.annotation.sheets import distinct_names

    try:
        return distinct_names(people)
    except CurateError as error:
        raise click.UsageError(f"{option}: {error.what}") from None


def say_outdated(templates: Sequence[str]) -> None:
    """Say which suggested labels are not shown, for their templates have changed; if any."""
    if templates:
        click.echo(
            f"{counted(len(templates), 'template')} changed after a label was suggested. The "
            f"suggestion is not shown: {shortened(templates)}. For new ones: curate classify "
            "suggest"
        )


def listener(what: str, confirm: Callable[[str], bool] | None = None) -> "Listener":
    """What hears of a run of an engine: progress and notes go to standard error.

    Args:
        what: What is counted.
        confirm: Asked before a budget or a quota is exceeded.
    """
    from curation.annotation.engines.engine import Listener
    from curation.cli.terminal import show_progress

    return Listener(partial(click.echo, err=True), partial(show_progress, what), confirm)


def note_language(workspace: Workspace) -> None:
    """Say that annotators read English, where the culture's language has no texts for them."""
    from curation.annotation.sheets import english_for
    from curation.cli.terminal import echo_fitting

    why = english_for(workspace.language)
    if why:
        echo_fitting(f"Note: {why}; docs/languages.md says how to write them", err=True)


def note_unreviewed(language: "Language | None", *parts: str) -> None:
    """Say how many texts of a language's file nobody has reviewed, if some of these parts are used.

    Args:
        language: The language that a command asks or reads in; None where nothing says which.
        parts: The parts of it that the command uses.
    """
    from curation.cli.terminal import note
    from curation.languages import name_in_english
    from curation.languages.written import unreviewed_lines

    used = (language.written(part) for part in parts) if language is not None else ()
    if language is not None and language.file and any(part and part.unreviewed for part in used):
        taken = unreviewed_lines(language.text)
        file = Path(*language.file.parts[-2:]).as_posix()
        lines = counted(taken.total(), f"text of {file} is", f"texts of {file} are")
        names = ", ".join(map(name_in_english, taken))
        note(f"Note: {lines} taken over from {names} and not reviewed")


def language_lines(found: Mapping[str, Any], folder: Path) -> list[str]:
    """What to write where, in lines, for the workspace in a folder.

    Args:
        found: What `curation.initial.to_write` gives.
        folder: The folder.
    """
    from curation.cli.terminal import table_lines

    if found["file"] is None:
        return ["The toolkit has all texts of this language; there is nothing to write."]
    taken = sum(part["taken"] for part in found["parts"])
    header = ("part", "for", *(["lines taken over"] if taken else []))
    keys = ("part", "needed_for", *(["taken"] if taken else []))
    rows = [[part[key] for key in keys] for part in found["parts"]]
    begun = (
        f"{counted(taken, 'line is', 'lines are')} taken over, each with a mark at its end. "
        "Correct each one, and take its mark away."
    )
    start = f"curate language --like CODE{option_of(folder)}"
    return [
        f"Write these parts in {found['file']}, in this order:",
        *table_lines(header, rows, 2),
        begun if taken else f"To start with the texts of a related language: {start}",
        f"Then check the file: curate language{option_of(folder)}",
    ]
