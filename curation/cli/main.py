"""The entry point of `curate`: whatever happens, a user meets no traceback."""

import sys

try:  # the start takes its time here, and a user may lose patience
    import gc
    import io
    import os
    from collections.abc import Sequence

    import click

    from curation.cli.coloured import guarded, harmless, wanted_colour
    from curation.cli.group import LazyGroup, cli
    from curation.records.messages import CurateError
except KeyboardInterrupt:
    sys.stderr.write("\nStopped.\n")
    sys.exit(130)

__all__ = ["LazyGroup", "cli", "main", "show_error"]


def main(args: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit status; a user never meets a traceback."""
    # Records live as long as the command: to look for cycles among them again and again costs a
    # tenth of the time, and frees nothing.
    gc.set_threshold(100_000, 50, 100)
    with guarded():
        _run(args)


def _run(args: Sequence[str] | None) -> None:
    try:
        status = cli.main(
            args=args, prog_name="curate", standalone_mode=False, color=wanted_colour()
        )
    except click.exceptions.Abort:  # click has ended the line
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except KeyboardInterrupt:  # before click runs the command, or after
        click.echo("\nStopped.", err=True)
        sys.exit(130)
    except click.ClickException as error:
        show_usage(error)
        sys.exit(error.exit_code)
    except CurateError as error:
        show_error(error)
        sys.exit(1)
    except SystemExit:
        # click leaves so only when the reader of our output has left, as 'head' does.
        sys.exit(0)
    except OSError as error:
        show_error(CurateError(f"{error.strerror or error}", str(error.filename or "")))
        sys.exit(1)
    except Exception as error:  # the last defence: a user meets no traceback
        if os.environ.get("CURATE_TRACEBACK"):
            raise
        fault = f"{type(error).__name__}: {error}"
        hint = "this is an error in curate: please report it; CURATE_TRACEBACK=1 shows where it is"
        show_error(CurateError(" ".join(fault.split()), hint=hint))
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)


def show_usage(error: click.ClickException) -> None:
    """Say what is wrong with a command line, which may hold anything."""
    stream = io.StringIO()
    error.show(stream)
    text = stream.getvalue()
    sys.stderr.write(harmless(text) if sys.stderr.isatty() else text)


def show_error(error: CurateError) -> None:
    """Say what is wrong, where, and what to do, on standard error."""
    from curation.cli.terminal import echo_fitting, fitting

    if sys.stderr.isatty():  # how far a work was stands in this line
        sys.stderr.write("\r\033[K")
    what = fitting(f"Error: {error.what}", " " * 7, err=True)
    click.secho(what, err=True, fg="red", color=wanted_colour())
    if error.where:
        echo_fitting(f"  where: {error.where}", err=True)
    if error.hint:
        echo_fitting(f"  do:    {error.hint}", err=True)
