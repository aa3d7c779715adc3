"""Virtual environments that are made once and kept for later runs.

They lie outside the repository, in `~/.cache/curate-tests` or where `CURATE_TEST_CACHE` says.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path


class CannotInstallError(Exception):
    """There is no such environment, with the reason."""


def place(name, version):
    """Give where something of a version is kept for this Python."""
    base = os.environ.get("CURATE_TEST_CACHE") or Path.home() / ".cache" / "curate-tests"
    return Path(base) / f"{name}-{version}-py{sys.version_info[0]}.{sys.version_info[1]}"


@contextmanager
def locked(folder):
    path = folder.with_suffix(".lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def make_environment(folder, wanted, seconds):
    """Make an environment anew, by uv, which is quick, else by pip; gives its Python.

    uv does not read the settings of pip, which may name the only index that can be reached here.

    Args:
        folder: Where; what is there is taken away.
        wanted: What is installed into it.
        seconds: How long that may take.

    Raises:
        CannotInstallError: If that cannot be done here.
    """
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / "bin" / "python"
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if uv:
        with suppress(CannotInstallError):
            run([uv, "venv", "-q", "--python", sys.executable, str(folder)], 120)
            run([uv, "pip", "install", "-q", "--python", str(python), *wanted], seconds)
            return python
    run([sys.executable, "-m", "venv", "--clear", str(folder)], 120)
    run([str(python), "-m", "pip", "install", "-q", *wanted], seconds)
    return python


def run(command, seconds, environment=None):
    """Run a command that must succeed.

    Raises:
        CannotInstallError: If it does not.
    """
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotInstallError(f"{command[0]}: {type(error).__name__}") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise CannotInstallError(f"{Path(command[0]).name} {command[1]}: {''.join(last)}")
