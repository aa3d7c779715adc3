"""Run the tests that belong to the files changed since a commit.

    python tools/near.py              since the last commit: what is not yet committed
    python tools/near.py main~3       since another one
    python tools/near.py --list       only name the test files

Three kinds of tests belong to a module: those of the folder in `tests/` with the same name, those
that import it, and those that import a module which imports it. Files of tests that changed belong
to the change too, and for data of a folder the tests of its module. Without `--all` only tests run
that start nothing, as in `make quick`.
"""

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PACKAGES = ("curation", "survey", "evaluation", "exports")
QUICK = "not slow and not server and not command"
SHARED = {"tests/conftest.py", "pyproject.toml"}
"""Files that all tests depend on."""


def changed(base: str) -> list[str]:
    """Files that differ from a commit, and those that git does not know yet."""
    told = subprocess.run(  # noqa: S603  # git, with a name that its user gives
        ["git", "diff", "--name-only", base], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    new = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return sorted({*told.splitlines(), *new.splitlines()})


def tests_of(files: Iterable[str]) -> list[str]:
    """The files and folders of tests that belong to files of the repository."""
    names = list(files)
    if SHARED & set(names):
        return ["tests"]
    graph = grimp.build_graph(*PACKAGES)
    imports = {path: set(_imported(path)) for path in sorted((ROOT / "tests").rglob("test_*.py"))}
    found: set[Path] = set()
    for name in names:
        path = Path(name)
        if path.parts[0] == "tests":
            found |= set(_near_data(ROOT / path))
        elif path.parts[0] in PACKAGES:
            found |= set(_folder_of(path))
            module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
            users = {module}
            if module in graph.modules:
                users |= graph.find_modules_that_directly_import(module)
            found |= {test for test, needed in imports.items() if needed & users}
        elif path.parts[0] == "tools":
            support = {path.stem}
            found |= {test for test, needed in imports.items() if needed & support}
    kept = [path for path in sorted(found) if not set(path.parents) & found]
    return [path.relative_to(ROOT).as_posix() for path in kept]


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (item.name for item in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{item.name}" for item in node.names)


def _folder_of(path: Path) -> Iterator[Path]:
    """The tests of the same name: of a module its file, else its folder."""
    folder = ROOT / "tests" / Path(*(part for part in path.parent.parts if part != "curation"))
    own = folder / f"test_{path.stem}.py"
    if own.is_file():
        yield own
    elif folder.is_dir() and folder.parent != ROOT / "tests":
        yield folder


def _near_data(path: Path) -> Iterator[Path]:
    """A file of tests itself, or for its data all tests of the folder above that has some."""
    if path.name.startswith("test_") and path.is_file():
        yield path
        return
    for folder in path.parents:
        if folder == ROOT / "tests":
            return
        if any(folder.glob("test_*.py")):
            yield folder
            return


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Run the tests of what was changed.")
    parser.add_argument("base", nargs="?", default="HEAD")
    parser.add_argument("--list", action="store_true", help="only name the files of tests")
    parser.add_argument("--all", action="store_true", help="also those that start something")
    asked = parser.parse_args()
    found = tests_of(changed(asked.base))
    print("\n".join(found) or "no test belongs to what changed")
    if asked.list or not found:
        return
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", *found]
    done = subprocess.run(  # noqa: S603  # our own tests
        command + ([] if asked.all else ["-m", QUICK]), cwd=ROOT, check=False
    )
    sys.exit(0 if done.returncode == 5 else done.returncode)  # 5: all of them start something


if __name__ == "__main__":
    main()
