"""Scenarios: what a person does, command by command, and everything that comes out of it.

    python tools/scenarios.py [NAME ...]

writes the `expected` folder of the named scenarios anew, or of all. Look at the difference before
you commit it: it is what changed for users.

A scenario is a folder of `tests/scenarios`:

    given/      files that are there at the beginning (may be missing)
    before      lines of bash that make more of them, of which nothing is shown (may be missing)
    commands    lines of bash, run in one shell; a line that begins with `#` says what is done
    expected/   printed.txt: each command that printed something or failed, with that
                files.txt: each file that was written or changed

The shell knows `$TUTORIAL`, the folder of the tutorial's files, `$SHAPES`, that of the files from
survey platforms, `$REFERENCE`, the folder of published data, and `$DEMO`, the workspace that
`curate demo` leaves, of which it takes a copy; `$DEMO.txt` is what that printed. A scenario that
names `$REFERENCE` shows no text of a file, only hashes and counts, and of what is printed neither
quotations nor the messages of findings.
What differs from run to run (places, durations) is replaced in one place, `_normal`.
"""

import gzip
import hashlib
import html
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from doc_pages import ROOT, environment, finished_demo, programs, warm_curate
from python_calamine import CalamineWorkbook

SCENARIOS = ROOT / "tests" / "scenarios"
SHOWN_ROWS = 10
"""Tables with more rows are shown by their hash, their number of rows and the first rows."""
SHOWN_LINES = 5
"""Files that are no tables, and have more lines, are shown by hash and number of lines alone."""
SHOWN_PRINTED = 8
LAST_PRINTED = 3
"""Of what a command prints so many lines are shown; of more the last ones, and the first."""
FIRST_ROWS = 2
LONGEST = 240
_BREAK = "\x1e"
_PICTURES = {".png", ".svg", ".pdf", ".ico", ".woff2"}
_TABLES = {".xlsx", ".ods"}
_ROWS = {".csv", ".tsv", ".jsonl"}
_CACHES = {".curate", "__pycache__"}


def reference_folder() -> Path:
    """Where the published data are, whether they are there or not."""
    default = ROOT / ".." / "shared" / "reference"
    return Path(os.environ.get("CURATE_REFERENCE", default)).resolve()


def needs_reference(folder: Path) -> bool:
    """Whether a scenario reads published data."""
    return "$REFERENCE" in (folder / "commands").read_text(encoding="utf-8")


def run(folder: Path, place: Path, socket: Path) -> dict[str, str]:
    """Run a scenario in an empty place; gives the texts of its `expected` folder by file name.

    Args:
        folder: The scenario.
        place: An empty folder.
        socket: What `warm_curate` gave.
    """
    work, home = place / "work", place / "home"
    given = folder / "given"
    if given.is_dir():
        shutil.copytree(given, work)
    else:
        work.mkdir()
    home.mkdir()
    programs(place / "bin", socket)
    lines = (folder / "commands").read_text(encoding="utf-8")
    first = folder / "before"
    made_before = first.read_text(encoding="utf-8") if first.is_file() else ""
    demo = {"DEMO": str(finished_demo(socket))} if "$DEMO" in made_before + lines else {}
    if made_before:
        _bash(made_before, place, **demo)
    before = {path: path.read_bytes() for path in _files(work)}
    commands = list(_commands(lines))
    text = "".join(f"{command}\nprintf '{_BREAK}%d{_BREAK}' $?\n" for command in commands)
    printed = _bash(text, place, **demo)
    parts = _normal(printed, place).split(_BREAK)
    hidden = needs_reference(folder)
    return {
        "printed.txt": "".join(_printed(commands, parts, hidden=hidden)),
        "files.txt": "".join(_written(place, before, hidden=hidden)),
    }


def _bash(text: str, place: Path, **more: str) -> str:
    """Run lines in one shell; gives what they printed."""
    script = place / "commands.sh"
    script.write_text(text, encoding="utf-8")
    done = subprocess.run(  # noqa: S603  # our own scenarios, in a folder of their own
        ["/bin/bash", str(script)],
        cwd=place / "work",
        env={
            **environment(place),
            **more,
            "REFERENCE": str(reference_folder()),
            "TUTORIAL": str(ROOT / "templates_src" / "tutorial"),
            "SHAPES": str(ROOT / "tests" / "survey" / "readers" / "shapes"),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode(errors="replace")


def expected(folder: Path) -> dict[str, str]:
    """The texts of a scenario's `expected` folder by file name."""
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted((folder / "expected").glob("*.txt"))
    }


def names() -> list[str]:
    """The scenarios there are."""
    return sorted(path.parent.name for path in SCENARIOS.glob("*/commands"))


def _commands(text: str) -> Iterator[str]:
    """Each command; a backslash at the end goes on with the next line."""
    command = ""
    for line in text.splitlines():
        if line.strip() and (command or not line.startswith("#")):
            command += f"{line}\n"
            if not line.endswith("\\"):
                yield command.rstrip("\n")
                command = ""


def _printed(commands: Sequence[str], parts: Sequence[str], *, hidden: bool) -> Iterator[str]:
    """Each command with what it printed; one that did well and printed nothing is left out."""
    for at, command in enumerate(commands):
        if 2 * at + 1 >= len(parts):
            yield f"the shell ended before: {command}\n{parts[-1]}\n"
            return
        status = parts[2 * at + 1]
        left = "" if status == "0" else f"[exit {status}]\n"
        lines = [line.rstrip() for line in _USAGE.sub("", parts[2 * at]).splitlines()]
        if hidden:
            lines = [_without_text(line) for line in lines]
        is_json = bool(lines) and lines[0] in ("{", "[")
        if is_json and len(lines) > SHOWN_ROWS:
            lines = [f"JSON: {len(lines)} lines, {_digest(lines)}"]
        if len(lines) > SHOWN_PRINTED:
            middle = lines[SHOWN_PRINTED - LAST_PRINTED - 1 : -LAST_PRINTED]
            lines[SHOWN_PRINTED - LAST_PRINTED - 1 : -LAST_PRINTED] = [
                f"... {len(middle)} lines, {_digest(middle)}"
            ]
        if lines or left:
            yield "".join(f"{line}\n" for line in (f"$ {command}", *lines)) + left


_FINDING = re.compile(r"((?:error|warning|info) \[[a-z-]+\] [^:]*):.*")
_USAGE = re.compile(r"^Usage: .*\nTry '.*' for help\.\n\n", re.MULTILINE)
"""What stands above each error of an option."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def _without_text(line: str) -> str:
    """A printed line without what it says of somebody's texts."""
    found = _FINDING.match(line)
    return found[1] if found else _QUOTED.sub("'...'", line)


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _files(work: Path) -> list[Path]:
    return sorted(
        path
        for path in work.rglob("*")
        if path.is_file() and not _CACHES & set(path.relative_to(work).parts)
    )


def _written(place: Path, before: dict[Path, bytes], *, hidden: bool) -> Iterator[str]:
    """Each file that is new, another one or gone; what two files say is shown once."""
    work = place / "work"
    after = _files(work)
    seen: dict[str, str] = {}
    for path in sorted({*before, *after}):
        name = _normal(path.relative_to(work).as_posix(), place)
        if path not in after:
            yield f"== {name}: removed\n"
        elif before.get(path) != path.read_bytes():
            is_text = path.suffix not in _PICTURES
            text = _normal("\n".join(_lines(path)), place) if is_text else "a picture"
            first = seen.setdefault(text, name)
            rows = FIRST_ROWS if path.suffix in _ROWS else 0
            most = 0 if hidden else SHOWN_ROWS if rows else SHOWN_LINES
            shown = _shown(text, most, rows) if first == name else f": as {first}"
            yield f"== {name}{shown}\n"


def _shown(text: str, most: int, rows: int) -> str:
    lines = text.splitlines()
    if len(lines) <= most:
        return "".join(f"\n{line[:LONGEST]}" for line in lines)
    first = "".join(f"\n{line[:LONGEST]}" for line in lines[:rows] if most)
    return f": {len(lines)} lines, {_digest(lines)}{first}"


def _lines(path: Path) -> Iterator[str]:
    """What a file says, line by line: cells of a workbook, text of a page, rows of a table."""
    data = path.read_bytes()
    suffix = path.suffix
    if suffix == ".gz":
        data, suffix = gzip.decompress(data), Path(path.stem).suffix
    if suffix in _TABLES:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for sheet in book.sheet_names:
            yield f"[{sheet}]"
            for row in book.get_sheet_by_name(sheet).to_python(skip_empty_area=False):
                yield " | ".join(str(cell) for cell in row).rstrip(" |")
        return
    if suffix == ".parquet":
        text = pd.read_parquet(io.BytesIO(data)).to_csv(index=False)
    else:
        text = data.decode("utf-8", errors="replace")
    if suffix == ".html":
        text = re.sub(r"(?s)<(script|style|svg).*?</\1>", "", text)
        text = html.unescape(re.sub(r"<[^>]*>", "\n", text))
        text = "\n".join(line.strip() for line in text.splitlines() if line.strip())
    yield from (line.rstrip() for line in text.splitlines())


def _normal(text: str, place: Path) -> str:
    """Replace what differs from run to run.

    Places, durations and ports; the canary of a new workspace, and with it the hashes of files that
    a manifest holds; the time at which a workbook was saved, in the hash by which it is kept. Of
    libraries' versions: how large a workbook, a Parquet file or a page with drawings is, and last
    digits.
    """
    text = text.replace(str(place), "PLACE").replace(str(reference_folder()), "REFERENCE")
    text = text.replace(str(ROOT), "ROOT")
    text = re.sub(r"\b\d+(?:\.\d+)? (s|ms|seconds)\b", r"N \1", text)
    text = re.sub(r"(/raw/.+?|/agenda-filled)-[0-9a-f]{8}(\.\w+)", r"\1-HASH\2", text)
    text = re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "UUID", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "SHA256", text)
    text = re.sub(r'(\.(?:xlsx|html|parquet)": \{[^{}]*"size": )\d+', r"\1N", text)
    text = re.sub(r'("contentSize": ")\d+', r"\1N", text)
    text = re.sub(r"\b\d+\.\d{10,}", lambda found: f"{float(found[0]):.9g}", text)
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)


def main() -> None:
    """Write what comes out now."""
    wanted = sys.argv[1:] or names()
    with tempfile.TemporaryDirectory() as aside, warm_curate(Path(aside)) as socket:
        for name in wanted:
            folder = SCENARIOS / name
            if needs_reference(folder) and not reference_folder().is_dir():
                print(f"{name}: no published data, left as it is")
                continue
            with tempfile.TemporaryDirectory() as place:
                made = run(folder, Path(place), socket)
            if made != expected(folder):
                (folder / "expected").mkdir(exist_ok=True)
                for file, text in made.items():
                    (folder / "expected" / file).write_text(text, encoding="utf-8")
                print(f"wrote {name}")


if __name__ == "__main__":
    main()
