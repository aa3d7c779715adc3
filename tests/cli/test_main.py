"""The entry point of `curate`."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from curation import DATA_FORMAT
from curation.cli import main as entry
from curation.records.errors import CurateError

ROOT = Path(__file__).parents[2]
PROGRAM = "from curation.cli.main import main; main()"
Curate = Callable[..., Any]


def program(code: str, *args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python code as a program of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        text=True,
        **{"capture_output": True, **options},
    )


@pytest.mark.slow
def test_help_imports_nothing_heavy() -> None:
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


def test_every_command_has_help_in_its_first_line(curate: Curate) -> None:
    """The help that lists the commands is that of the commands, and each can be imported."""
    context = click.Context(entry.cli)
    for name in entry.cli.list_commands(context):
        command = entry.cli.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(200)
        ran = curate(name, "--help")
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith(f"Usage: curate {name} ")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["filtre"], "No such command 'filtre'. Did you mean 'filter'?"),
        (["xyzzy"], "No such command 'xyzzy'."),
        (["stats", "--no-such"], "No such option"),
        (["stats", "extra"], "Got unexpected extra argument"),
        (["explain"], "Missing argument 'SUBJECT'"),
        (["import", "bqb", "x"], "'bqb' is not one of"),
    ],
)
def test_wrong_usage_is_status_2(curate: Curate, args: list[str], said: str) -> None:
    """On standard error, with a suggestion where there is one."""
    ran = curate(*args)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def _all_commands(command: click.Command, context: click.Context) -> Iterator[click.Context]:
    """The commands that do something, each in its circumstances."""
    if not isinstance(command, click.Group):
        yield context
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from _all_commands(inner, click.Context(inner, context, name))


def test_no_command_takes_the_last_of_two_values_of_an_option() -> None:
    """Of two files one would count unnoticed; the same value twice is no fault."""
    seen = 0
    for context in _all_commands(entry.cli, click.Context(entry.cli, info_name="curate")):
        parser = context.command.make_parser(context)
        for item in context.command.get_params(context):
            if not isinstance(item, click.Option) or item.is_flag or item.count:
                continue
            long, short = max(item.opts, key=len), min(item.opts, key=len)
            if item.multiple:
                assert parser.parse_args([long, "a", long, "b"])[0][item.name] == ["a", "b"]
                continue
            first, second = ["a"] * item.nargs, ["b"] * item.nargs
            again, _, _ = context.command.make_parser(context).parse_args(
                [long, *first, short, *first]
            )
            assert again[item.name] == ("a" if item.nargs == 1 else tuple(first))
            with pytest.raises(click.UsageError, match=f"^{long} takes one value, and is given"):
                parser.parse_args([long, *first, short, *second])
            seen += 1
    assert seen > 300


def test_two_values_of_an_option_are_both_named(curate: Curate) -> None:
    """With the status of wrong usage; before anything is read."""
    ran = curate("evaluate", "prepare", "--samples", "dutch.jsonl", "--samples=turkish.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert (
        "--samples takes one value, and is given 'dutch.jsonl' and 'turkish.jsonl': name one"
        in ran.err
    )


def test_the_version_is_said(curate: Curate) -> None:
    """With the name of the program."""
    ran = curate("--version")
    assert (ran.code, ran.out.startswith("curate, version 0.")) == (0, True)


def test_a_folder_without_settings_is_no_workspace(
    curate: Curate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workspace is here unless it is named, and how to make one is said."""
    monkeypatch.chdir(tmp_path)
    for args in (["stats"], ["explain", "x"], ["filter", "--survey", "x"], ["export", "samples"]):
        ran = curate(*args)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("Error: there is no workspace in .\n")
        assert "curate init DIR" in ran.err


def failing(error: BaseException) -> Callable[..., None]:
    """Give a command that fails."""

    def fail(**_: object) -> None:
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
def test_every_failure_is_a_few_lines(
    curate: Curate,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    status: int,
    said: str,
) -> None:
    """Even a fault of the toolkit's own shows no traceback, unless it is asked for."""
    monkeypatch.delenv("CURATE_TRACEBACK", raising=False)
    monkeypatch.setattr(entry.cli, "invoke", lambda _context: failing(error)())
    ran = curate("stats")
    assert (ran.code, ran.out, ran.err) == (status, "", said)


def test_a_traceback_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """For whoever fixes the toolkit."""
    monkeypatch.setenv("CURATE_TRACEBACK", "1")
    monkeypatch.setattr(entry.cli, "invoke", lambda _context: failing(ZeroDivisionError())())
    with pytest.raises(ZeroDivisionError):
        entry.main(["stats"])


@pytest.mark.slow
def test_a_reader_who_leaves_is_no_failure(demo: Path) -> None:
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
    ["os", "click", "curation.cli.group", "curation.records.errors", "curation.cli.stats", "yaml"],
)
def test_an_interrupt_is_quiet_while_modules_are_imported(demo: Path, module: str) -> None:
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


def test_an_interrupt_outside_the_command_is_quiet(
    curate: Curate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as while the arguments are expanded."""
    monkeypatch.setattr(entry.cli, "main", failing(KeyboardInterrupt()))
    ran = curate("stats")
    assert (ran.code, ran.out, ran.err) == (130, "", "\nStopped.\n")


@pytest.mark.parametrize(
    "args",
    [
        ["check"],
        ["stats"],
        ["explain", "age-001"],
        ["status"],
        ["filter", "--survey", "responses/responses.csv"],
        ["export", "samples", "--set", "test"],
        ["export", "bank"],
    ],
)
def test_json_is_one_object_and_nothing_else(
    curate: Curate, filtered: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    """Every command can be read by a program."""
    monkeypatch.chdir(filtered)
    ran = curate(*args, "--json")
    assert ran.code == 0
    assert ran.out.startswith("{\n")
    assert ran.json


def test_the_version_of_the_data_is_said(curate: Curate) -> None:
    """The one that manifests hold."""
    assert curate("--version").out.rstrip().endswith(f", data format {DATA_FORMAT}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, False),  # a pipe
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
def test_help_and_errors_have_colour_where_it_is_wanted(
    variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NO_COLOR wins; words and their places are the same."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    plain = program(PROGRAM, "filter", "--help").stdout
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    helped = program(PROGRAM, "filter", "--help").stdout
    assert ("\x1b[" in helped) is coloured
    assert click.unstyle(helped) == plain
    failed = program(PROGRAM, "explain", "-w", "/nowhere", "x").stderr
    assert ("\x1b[" in failed) is coloured
    assert "Error: there is no workspace in /nowhere" in click.unstyle(failed)


def completed(monkeypatch: pytest.MonkeyPatch, words: str, at: int) -> list[str]:
    """Give what the shell is offered."""
    monkeypatch.setenv("_CURATE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(at))
    offered = program(PROGRAM).stdout.split()
    return [line.partition(",")[2] for line in offered]


@pytest.mark.slow
def test_the_shell_completes_commands_options_and_ids(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as they are known without running the command."""
    assert completed(monkeypatch, "curate exp", 1) == ["explain", "export"]
    assert completed(monkeypatch, "curate evaluate rep", 2) == ["replies", "report"]
    assert completed(monkeypatch, "curate filter --su", 2) == ["--survey"]
    assert completed(monkeypatch, "curate check --rule id-d", 3) == ["id-duplicate"]
    hobbies = [f"hobby-{number:03d}" for number in range(1, 9)]
    assert completed(monkeypatch, f"curate explain -w {demo} hobby", 4) == hobbies
    assert completed(monkeypatch, "curate explain -w /nowhere hobby", 4) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_lines_for_each_shell_call_the_program(curate: Curate, shell: str) -> None:
    """By the name that it is installed under."""
    ran = curate("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert f"_CURATE_COMPLETE={shell}_complete" in ran.out


@pytest.mark.slow
def test_bash_reads_the_lines(curate: Curate, tmp_path: Path) -> None:
    """A shell that has them offers what they give."""
    script = tmp_path / "curate.bash"
    script.write_text(curate("completion", "bash").out, "utf-8")
    asked = f"source {script}; complete -p curate"
    bash = shutil.which("bash")
    assert bash
    ran = subprocess.run(
        [bash, "-c", asked],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, "_curate_completion" in ran.stdout) == (0, True)
