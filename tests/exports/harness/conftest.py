"""Task folders of the demo benchmark, and programs that know nothing of this toolkit."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from curation.cli.main import main

ROOT = Path(__file__).parents[3]


def run(*args):
    with pytest.raises(SystemExit) as left:
        main([str(arg) for arg in args])
    assert left.value.code == 0, args


@pytest.fixture(scope="session")
def workspace(decided, tmp_path_factory):
    """The demo workspace after its survey, with its samples and requests; not to be changed."""
    folder = shutil.copytree(decided, tmp_path_factory.mktemp("harness") / "demo")
    run("export", "samples", "-w", folder, "--set", "all,test", "--json")
    run("evaluate", "prepare", "-w", folder, "--json")
    return folder


@pytest.fixture(scope="session")
def folders(workspace):
    """The two task folders of its test set, by name of the export; not to be changed."""
    run("export", "package", "--only", "lm-eval,inspect", "-w", workspace, "--json")
    return {name: workspace / "exports" / name for name in ("lm_eval", "inspect")}


@pytest.fixture(scope="session")
def requests(workspace):
    """The requests that `curate evaluate prepare` makes of the same test set."""
    return lines(workspace / "exports" / "evaluation" / "requests.jsonl")


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="session")
def bare():
    """Run a program in a process of its own; gives what it prints, as JSON."""

    def run_program(program, folder, given=()):
        done = subprocess.run(
            [sys.executable, "-I", "-B", "-c", program, str(folder)],
            input="".join(f"{json.dumps(item)}\n" for item in given),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)

    return run_program
