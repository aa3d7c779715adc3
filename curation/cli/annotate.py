"""`curate annotate`: a Label Studio server on this machine."""

import signal
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from curation.cli.common import json_option, print_json
from curation.io.labelstudio.serve import Running, find_program, free_port, start
from curation.io.labelstudio.settings import KEY_VARIABLE, URL_VARIABLE
from curation.model.errors import CurateError

_DATA = Path("~/.local/share/curate/label-studio")


@click.group("annotate", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Have people annotate on this machine.

    'curate push' and 'curate pull' speak to the server.
    """


@command.command("serve")
@click.option(
    "--port", type=click.IntRange(1024, 65535), help="Port [default: the first free from 8080]."
)
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=_DATA,
    show_default=True,
    help="Where accounts, tasks and annotations are kept.",
)
@json_option
def serve(port: int | None, data_dir: Path, as_json: bool) -> None:
    """Start Label Studio, seen from this machine alone, until Ctrl-C.

    It sends nothing to anybody. Label Studio itself is installed apart; LABEL_STUDIO_BIN may
    name it where it is not on the PATH.

    \b
    Example: curate annotate serve --port 8080
    """  # noqa: D301  # \b keeps click from wrapping the example
    program = find_program()
    running = start(program, free_port(port), data_dir.expanduser().resolve())
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        click.echo("Starting Label Studio; the first start takes a minute or two ...", err=True)
        running.wait_until_up()
        _say(running, data_dir, as_json=as_json)
        status = running.wait()
        if status:
            raise CurateError(
                f"Label Studio ended by itself with status {status}",
                str(running.log),
                "the end of this file says why",
            )
    except KeyboardInterrupt:
        click.echo("Stopping ...", err=True)
    finally:
        running.stop()
        signal.signal(signal.SIGTERM, previous)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _say(running: Running, data: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({"url": running.url, "data": str(data), "log": str(running.log)})
        return
    click.echo(f"Label Studio is at {running.url}, data in {data}. Ctrl-C ends it.")
    click.echo(f"  first time: make your account at {running.url}/user/signup/")
    click.echo(f"  later:      log in at {running.url}/user/login/")
    click.echo(f"  then copy your token from {running.url}/user/account/ and, elsewhere:")
    click.echo(f"    export {URL_VARIABLE}={running.url} {KEY_VARIABLE}=...")
