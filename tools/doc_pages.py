"""The commands that the documentation shows: found, run in an empty folder, held to the page.

A block that begins with three backticks and `console` holds commands after `$ `, and below each
what it prints. A line `...` in the output stands for lines that are left out, and ` ...` at the end
of a line for the rest of it, where that is another one each time. Remarks above a
block say more of it; readers of the page do not see them:

    <!-- docs: not run: why -->   its commands are not run
    <!-- docs: exit: 1 -->        its last command leaves with this status
    <!-- docs: demo -->           it begins in a fresh copy of the demo workspace
    <!-- docs: before: CMD -->    this is run first, and not shown; `$DEMO` is the demo workspace
    <!-- docs: run -->            a block of `bash`, without output, is run line by line

and `<!-- docs: picture: NAME -->`, wherever it stands, is where the built site has a picture
(`docs/_ext/curate_docs/pictures.py`).

All blocks of a page are run one after the other in one shell, so that `cd` and variables stay.
"""

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import warm_curate as warm

ROOT = Path(__file__).parents[1]
EPOCH = "1767225600"
"""The time that decisions are signed with: 2026-01-01, UTC."""
LEFT_OUT = "..."
_MARK = re.compile(r"<!-- docs: ([a-z ]+?)(?:: (.*?))? -->")
_FENCE = re.compile(r"(`{3,})(\w*)\s*$")
_HERE = re.compile(r"<<-?'?(\w+)'?")
_MARKS = {"not run", "exit", "demo", "before", "run", "picture"}
_BREAK = "\x1e"
_LIMIT_S = 240  # more than any page takes, less than a test may
_SECRET = re.compile(r"_API_KEY$|_AUTH_KEY$|^LABEL_STUDIO|^OPENAI|^DEEPL|^CURATE_")


@dataclass(slots=True)
class Command:
    """A command with what the page says that it prints.

    Attributes:
        text: As it is typed, over several lines where it has a here-document.
        shown: The lines below it.
        line: Number of its first line on the page.
        end: Number of the last line of its output.
    """

    text: str
    line: int
    end: int
    shown: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Block:
    """A block of commands.

    Attributes:
        page: The file.
        line: Number of its first line.
        language: `console`, `bash` or another.
        marks: What remarks above it say.
        lines: What it holds.
    """

    page: Path
    line: int
    language: str
    marks: dict[str, str]
    lines: list[str]

    @property
    def is_run(self) -> bool:
        """Whether its commands are run."""
        wanted = self.language == "console" or "run" in self.marks
        return wanted and "not run" not in self.marks

    @property
    def commands(self) -> list[Command]:
        """Its commands, in order."""
        return [*(_console(self) if self.language == "console" else _plain(self))]


def blocks(page: Path) -> list[Block]:
    """The blocks of code of a page.

    Raises:
        ValueError: If a remark says what there is not.
    """
    found: list[Block] = []
    marks: dict[str, str] = {}
    fence = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if fence:
            if line.strip() == fence:
                fence = ""
            else:
                found[-1].lines.append(line)
            continue
        opened = _FENCE.match(line)
        if opened:
            fence = opened[1]
            found.append(Block(page, number + 1, opened[2], marks, []))
            marks = {}
            continue
        for name, value in _MARK.findall(line):
            if name not in _MARKS:
                raise ValueError(f"{page}, line {number}: no remark is called '{name}'")
            marks[name] = value
        if line.strip() and not line.startswith("<!--"):
            marks = {}
    return found


def _console(block: Block) -> Iterator[Command]:
    command: Command | None = None
    until = ""
    for number, line in enumerate(block.lines, start=block.line):
        if until or (command and not command.shown and command.text.endswith("\\")):
            assert command is not None  # noqa: S101  # a here-document is a command's
            command.text += f"\n{line}"
            command.end = number
            until = "" if line == until else until
        elif line.startswith("$ "):
            if command:
                yield command
            command = Command(line[2:], number, number)
            here = _HERE.search(line)
            until = here[1] if here else ""
        elif command is None:
            raise ValueError(f"{block.page}, line {number}: output of no command")
        else:
            command.shown.append(line)
            command.end = number
    if command:
        yield command


def _plain(block: Block) -> Iterator[Command]:
    text = "\n".join(block.lines).replace("\\\n", "")
    for number, line in enumerate(text.splitlines(), start=block.line):
        if line.strip() and not line.lstrip().startswith("#"):
            yield Command(line, number, number)


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did."""

    block: Block
    command: Command
    status: int
    printed: list[str]

    @property
    def wanted_status(self) -> int:
        """The status that the page promises."""
        is_last = self.command.line == self.block.commands[-1].line
        return int(self.block.marks.get("exit", 0)) if is_last else 0

    @property
    def where(self) -> str:
        """Where on which page."""
        return f"{self.block.page.relative_to(ROOT)}, line {self.command.line}: {self.command.text}"


def pages() -> list[Path]:
    """The pages that have commands to be run."""
    every = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [page for page in every if any(block.is_run for block in blocks(page))]


@contextmanager
def warm_curate(folder: Path) -> Iterator[Path]:
    """Start the process whose forks are the commands; gives the socket that they are asked by.

    Whoever names the same folder meanwhile asks the same process.

    Args:
        folder: A folder for the socket; it is made where it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "socket"
    with ExitStack() as until_the_end:
        with locked(path):
            if not path.exists():
                process = subprocess.Popen(  # noqa: S603  # our own program
                    [sys.executable, str(ROOT / "tools" / "warm_curate.py"), str(path)],
                    env=environment(folder),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                )
                until_the_end.enter_context(process)
                assert process.stdout is not None  # noqa: S101  # it is a pipe
                process.stdout.readline()
            until_the_end.enter_context(warm.hold(str(path)))
        yield path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one process at a time make something."""
    with Path(f"{path}.lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def finished_demo(socket: Path) -> Path:
    """The workspace that `curate demo` leaves, made once for all who ask the same process.

    What it printed is beside it, in `demo.txt`.
    """
    made = socket.parent / "finished" / "demo"
    with locked(socket.parent / "demo"):
        if not made.exists():
            folder = socket.parent / "making"
            folder.mkdir()
            programs(folder / "bin", socket)
            with (folder / "demo.txt").open("w") as printed:
                subprocess.run(  # noqa: S603  # our own program
                    [folder / "bin" / "curate", "demo", "demo"],
                    cwd=folder,
                    env=environment(folder),
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    timeout=_LIMIT_S,
                    check=True,
                )
            folder.rename(made.parent)
    return made


def run_page(page: Path, folder: Path, socket: Path) -> list[Ran]:
    """Run the commands of a page, in order.

    Args:
        page: The page.
        folder: An empty folder; commands begin in `work` in it.
        socket: What `warm_curate` gave.

    Raises:
        RuntimeError: If the shell ends before the last command.
    """
    chosen = [block for block in blocks(page) if block.is_run]
    work, home = folder / "work", folder / "home"
    for place in (work, home):
        place.mkdir(parents=True)
    programs(folder / "bin", socket)
    script = folder / "page.sh"
    text = "".join(_script(chosen, folder))
    script.write_text(text, encoding="utf-8")
    demo = {"DEMO": str(finished_demo(socket))} if "$DEMO" in text else {}
    done = subprocess.run(  # noqa: S603  # our own pages, in a folder of their own
        ["/bin/bash", str(script)],
        cwd=work,
        env={**environment(folder), **demo},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_LIMIT_S,
        check=False,
    )
    parts = done.stdout.decode().split(_BREAK)
    commands = [(block, command) for block in chosen for command in block.commands]
    found = []
    for at, (block, command) in enumerate(commands):
        if 2 * at + 1 >= len(parts):
            raise RuntimeError(f"{page}: the shell ended before {command.text}: {parts[-1]}")
        printed = [line.rstrip() for line in parts[2 * at].splitlines()]
        found.append(Ran(block, command, int(parts[2 * at + 1]), printed))
    return found


def _script(chosen: Sequence[Block], folder: Path) -> Iterator[str]:
    for at, block in enumerate(chosen):
        if "demo" in block.marks:
            place = folder / f"demo-{at}"
            yield f'cp -r "$DEMO" {place} && cd {place}\n'
        if "before" in block.marks:
            yield f"{{ {block.marks['before']}; }} >/dev/null 2>&1\n"
        for command in block.commands:
            yield f"{command.text}\nprintf '{_BREAK}%d{_BREAK}' $?\n"


def programs(folder: Path, socket: Path) -> None:
    """Let `curate` and `python3` be this Python's, with the code of this tree."""
    folder.mkdir()
    start = f'exec "{sys.executable}" '
    texts = {
        "curate": f'{start}-ISB "{ROOT / "tools" / "warm_client.py"}" "{socket}" "$@"',
        "python3": start + '"$@"',
    }
    for name, text in texts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)


def environment(folder: Path) -> dict[str, str]:
    """What the commands of a page or a scenario have in their environment."""
    own = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return {
        **own,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": cache,  # what matplotlib has found of fonts
        # What stands there already breaks places of the product, where mutants are tried.
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "SOURCE_DATE_EPOCH": EPOCH,
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
    }


def same_line(shown: str, printed: str) -> bool:
    """Whether a line is the one that was printed; what ends in ` ...` may go on otherwise."""
    if shown.endswith(f" {LEFT_OUT}"):
        return printed.startswith(shown.removesuffix(LEFT_OUT))
    return shown == printed


def matches(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether a page shows what was printed; a line `...` stands for any lines."""
    if LEFT_OUT not in shown:
        return len(shown) == len(printed) and all(map(same_line, shown, printed))
    at = list(shown).index(LEFT_OUT)
    if len(printed) < at or not all(map(same_line, shown[:at], printed[:at])):
        return False
    rest, tail = printed[at:], shown[at + 1 :]
    return any(matches(tail, rest[skip:]) for skip in range(len(rest) + 1))


def refreshed(page: Path, ran: Sequence[Ran]) -> str:
    """The page with what its commands print now, except for output with `...`."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for item in reversed(ran):
        command = item.command
        if item.block.language != "console" or LEFT_OUT in command.shown:
            continue
        if matches(command.shown, item.printed):  # a line with ` ...` among them
            continue
        begin = command.end - len(command.shown)
        lines[begin : command.end] = item.printed
    return "\n".join(lines) + "\n"
