"""Commands that are killed at any write, rename or folder they make, and are run again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ("import", "filter", "run")


def killed(*args):
    """What the driver says, which ends well where each second run left what a whole one does."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killing", *args],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=3000,  # those of the night
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    return done.stdout


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
]


def test_a_command_that_is_killed_ends_well_when_it_is_run_again():
    """Byte for byte, with nothing paid for twice but what was under way; some moments of a few."""
    rows = killed("--most", "3", *SAMPLE).splitlines()[1:]
    assert [row[:22].strip() for row in rows] == list(SAMPLE)
    assert all(row.split()[-4:-2] == ["3", "0"] for row in rows)


@pytest.mark.nightly
@pytest.mark.parametrize("options", [(), ("--full", "--most", "20")])
def test_every_command_that_writes_may_be_killed_or_find_a_full_disk_anywhere(options):
    """A full disk is said and loses nothing: when there is room again, the command ends well."""
    assert len(killed(*options).splitlines()) >= 35
