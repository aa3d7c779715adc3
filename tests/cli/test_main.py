"""The entry point of `curate`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from doc_pages import finished_demo

from curation.cli import main as entry
from curation.records.messages import CurateError

ROOT = Path(__file__).parents[2]
PROGRAM = "from curation.cli.main import main; main()"


def program(code, *args, **options):
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        text=True,
        timeout=120,
        **{"capture_output": True, **options},
    )


@pytest.mark.slow
def test_help_imports_nothing_heavy():
    """Asking for help costs little more than importing click."""
    heavy = ("pandas", "pyarrow", "pydantic", "yaml", "numpy", "scipy", "openpyxl", "rich")
    code = (
        "import sys, json\nfrom curation.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit as left:\n    status = left.code\n"
        f"print(json.dumps([status, [name for name in {heavy!r} if name in sys.modules]]))\n"
    )
    ran = program(code)
    assert json.loads(ran.stdout.splitlines()[-1]) == [0, []]
    for name in ("demo", "init", "import", "check", "filter", "explain", "stats", "export"):
        assert f"\n  {name} " in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "made_by", "most", "others"),
    [
        ("export package --draft", "package_files", 98, "parsing workbooks filtering"),
        (
            "evaluate score --replies exports/evaluation/replies.jsonl --out scores",
            *("scoring", 60, "occupations stories reporting"),
        ),
        ("evaluate run --model m --dry-run", "asking", 43, "baselines merging"),
    ],
)
def test_a_command_imports_what_it_needs(command, made_by, most, others, tmp_path, warm):
    """No module is loaded for one constant or sentence; other measures are not there."""
    demo = shutil.copytree(finished_demo(warm), tmp_path / "demo")
    code = (
        "import sys\nfrom curation.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "ours = ('curation', 'survey', 'evaluation', 'exports')\n"
        "found = [name for name in sys.modules if name.partition('.')[0] in ours]\n"
        "said = [(vars(sys.modules[name]).values(), name) for name in found]\n"
        "own = [any(getattr(it, '__module__', '') == name for it in all) for all, name in said]\n"
        "packages = [hasattr(sys.modules[name], '__path__') for name in found]\n"
        "print(sum(has or not no for has, no in zip(own, packages)), *found)\n"
    )
    loaded = program(code, *command.split(), cwd=demo).stdout
    count, *names = loaded.splitlines()[-1].split()
    assert int(count) <= most  # a package that only has modules is none
    parts = {name.rpartition(".")[2] for name in names}
    assert made_by in parts
    assert parts.isdisjoint(others.split())


def failing(error):
    def fail(**_):
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (
            CurateError("what", "where", "hint"),
            1,
            "Error: what\n  where: where\n  do:    hint\n",
        ),
        (CurateError("what"), 1, "Error: what\n"),
        (KeyboardInterrupt(), 130, "\nStopped.\n"),
        (
            PermissionError(13, "Permission denied", "file.csv"),
            1,
            "Error: Permission denied\n  where: file.csv\n",
        ),
        (
            ZeroDivisionError("a\nfault"),
            1,
            "Error: ZeroDivisionError: a fault\n  do:    this is an error in "
            "curate: please report it; CURATE_TRACEBACK=1 shows where it is\n",
        ),
    ],
)
def test_every_failure_is_a_few_lines(curate, monkeypatch, error, status, said):
    """Even a fault of the toolkit's own shows no traceback, unless it is asked for."""
    monkeypatch.delenv("CURATE_TRACEBACK", raising=False)
    monkeypatch.setattr(entry.cli, "invoke", lambda _context: failing(error)())
    ran = curate("stats")
    assert (ran.code, ran.out, ran.err) == (status, "", said)


@pytest.mark.slow
def test_a_reader_who_leaves_is_no_failure(demo):
    """As in 'curate stats | head': nothing is said, and the status is 0."""
    reading, writing = os.pipe()
    os.close(reading)
    ran = program(
        PROGRAM,
        "stats",
        "-w",
        str(demo),
        capture_output=False,
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "module",
    ["os", "curation.cli.group", "curation.cli.check", "yaml"],
)
def test_an_interrupt_is_quiet_while_modules_are_imported(demo, module):
    """Ctrl-C before the command begins shows no traceback: status 130."""
    code = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}:\n"
        "            raise KeyboardInterrupt\n"
        f"sys.modules.pop({module!r}, None)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
    )
    ran = program(code + PROGRAM, "stats", "-w", str(demo))
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "\nStopped.\n")


def completed(monkeypatch, words, at):
    monkeypatch.setenv("_CURATE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(at))
    offered = program(PROGRAM).stdout.split()
    return [line.partition(",")[2] for line in offered]


@pytest.mark.slow
def test_the_shell_completes_commands_options_and_ids(demo, monkeypatch):
    """As far as they are known without running the command."""
    assert completed(monkeypatch, "curate exp", 1) == ["explain", "export"]
    assert completed(monkeypatch, "curate evaluate rep", 2) == ["replies", "report"]
    assert completed(monkeypatch, "curate filter --su", 2) == ["--survey"]
    assert completed(monkeypatch, "curate check --rule id-d", 3) == ["id-duplicate"]
    hobbies = [f"hobby-{number:03d}" for number in range(1, 9)]
    assert completed(monkeypatch, f"curate explain -w {demo} hobby", 4) == hobbies
    assert completed(monkeypatch, "curate explain -w /nowhere hobby", 4) == []
