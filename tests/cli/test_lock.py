"""Commands that write to one workspace at the same time."""

import subprocess
import sys
from contextlib import contextmanager

import pytest

HOLD = """
import sys
from pathlib import Path
from curation.files.lock import writing
from curation.files.workspace import Workspace
with writing(Workspace(Path(sys.argv[1])), "curate import"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(folder):
    command = [sys.executable, "-c", HOLD, str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield
        process.communicate()


@pytest.mark.slow
def test_only_what_writes_waits(curate, filtered, tmp_path):
    """Reading, looking what would be written and writing elsewhere go on beside a writer."""
    given = ("age-001", "--drop", "--by", "Mina", "--reason", "we looked", "-w", filtered)
    with held(filtered):
        refused = curate("--wait", "0", "override", *given)
        assert refused.code == 1
        assert refused.err.startswith(
            "Error: another command is writing to the workspace: 'curate import' (process "
        )
        assert curate("override", *given, "--dry-run").code == 0
        assert curate("stats", "-w", filtered).code == 0
        assert curate("explain", "age-001", "-w", filtered).code == 0
        out = tmp_path / "elsewhere"
        assert curate("export", "samples", "-w", filtered, "--out", out).code == 0
        inside = ("--wait", "0.1", "export", "samples", "-w", filtered)
        assert curate(*inside).code == curate(*inside, "--out", filtered / "mine").code == 1
    assert curate("--wait", "0", "override", *given).code == 0
