"""Harnesses in virtual environments of their own, made once and kept for later runs.

They lie outside the repository, in `~/.cache/curate-tests` or where `CURATE_TEST_CACHE` says.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.io.labelstudio.venv import CannotInstallError, locked

VERSIONS = {"lm-eval": "0.4.13", "inspect-ai": "0.3.285"}
_WANTED = {
    "lm-eval": ["lm-eval[api]==0.4.13"],
    "inspect-ai": ["inspect-ai==0.3.285", "openai>=2"],
}


def prepare(name: str) -> Path:
    """Make the environment of a harness where it is missing; gives the folder of its programs.

    Raises:
        CannotInstallError: If that cannot be done here.
    """
    base = Path(os.environ.get("CURATE_TEST_CACHE") or Path.home() / ".cache" / "curate-tests")
    python = f"py{sys.version_info[0]}.{sys.version_info[1]}"
    folder = base / f"{name}-{VERSIONS[name]}-{python}"
    with locked(folder.with_suffix(".lock")):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _run([sys.executable, "-m", "venv", str(folder)], 120)
            _run([*_installer(folder / "bin" / "python"), "-q", *_WANTED[name]], 1200)
            (folder / "complete").touch()
    return folder / "bin"


def _installer(python: Path) -> list[str]:
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--python", str(python)]
    return [str(python), "-m", "pip", "install"]


def _run(command: list[str], seconds: float) -> None:
    try:
        done = subprocess.run(
            command,
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
