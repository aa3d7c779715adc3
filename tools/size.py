"""How large the product is: code lines, modules, record classes, import paths, words of the docs.

Code lines are lines that are not blank, no comment and no docstring. A record class is one that is
declared by `@dataclass` or stands on pydantic's `BaseModel`. An import path is a chain of our
modules of which each imports the next; its length is the number of modules in it. The lines of the
tests are all lines of their files, whatever they hold. The words of the docs are those of the pages
in `docs/` and of the README, with what their tables and examples hold.

    python tools/size.py            from the root of the repository
    python tools/size.py --check    ends with 1 where a bound of pyproject.toml is exceeded

The bounds are in `[tool.size]`. A step that frees lines lowers them.
"""

import ast
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

PACKAGES = ("curation", "survey", "evaluation", "exports")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(path: Path) -> int:
    """The number of code lines of a module."""
    text = path.read_text(encoding="utf-8")
    described: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            described.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in described
        for number, line in enumerate(text.splitlines(), start=1)
    )


def depths(graph: grimp.ImportGraph) -> dict[str, int]:
    """For each module, how many modules the longest import path from it has.

    Modules that import each other in a circle count as one step, with all of their number.
    """
    modules = sorted(graph.modules)
    at = {module: number for number, module in enumerate(modules)}
    imports = [
        (at[module], at[other])
        for module in modules
        for other in graph.find_modules_directly_imported_by(module)
    ]
    ends = np.array(imports).T
    matrix = csr_array((np.ones(len(imports)), (ends[0], ends[1])), shape=(len(modules),) * 2)
    count, circle = connected_components(matrix, directed=True, connection="strong")
    below: dict[int, set[int]] = {number: set() for number in range(count)}
    for importer, imported in imports:
        below[circle[importer]].add(circle[imported])
    size = np.bincount(circle)
    length: dict[int, int] = {}
    for number in TopologicalSorter(
        {key: found - {key} for key, found in below.items()}
    ).static_order():
        deepest = max((length[other] for other in below[number] - {number}), default=0)
        length[number] = int(size[number]) + deepest
    for number in np.flatnonzero(size > 1):
        print("circle:", ", ".join(module for module in modules if circle[at[module]] == number))
    return {module: length[circle[at[module]]] for module in modules}


def record_classes(path: Path) -> int:
    """The number of record classes of a module."""
    classes = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    return sum(
        any("dataclass" in ast.unparse(item) for item in node.decorator_list)
        or any("BaseModel" in ast.unparse(item) for item in node.bases)
        for node in classes
    )


def test_lines() -> int:
    """The number of lines of all text files in `tests/` that are under version control."""
    listed = subprocess.run(  # the tree of a copy has no history
        ["git", "ls-files", "tests"], capture_output=True, text=True, check=False
    ).stdout.splitlines()
    paths = map(Path, listed) if listed else Path("tests").rglob("*")
    total = 0
    for path in paths:
        if path.is_file() and "__pycache__" not in path.parts:
            data = path.read_bytes()
            total += 0 if b"\0" in data else data.count(b"\n")
    return total


def doc_words() -> int:
    """The number of words of `docs/*.md` and of the README, as `wc -w` counts them."""
    pages = [Path("README.md"), *Path("docs").glob("*.md")]
    return sum(len(page.read_text(encoding="utf-8").split()) for page in pages)


def exceeded(sizes: dict[str, tuple[int, int, int]], tests: int, words: int) -> list[str]:
    """What is larger than its bound in pyproject.toml."""
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["size"]
    found = [
        f"{name}: {value:,} {what}, at most {bound:,} are allowed"
        for name, bounds in settings["packages"].items()
        for what, value, bound in zip(
            ("code lines", "modules", "record classes"), sizes[name], bounds, strict=True
        )
        if value > bound
    ]
    if tests > settings["tests"]:
        found.append(f"tests: {tests:,} lines, at most {settings['tests']:,} are allowed")
    if words > settings["docs"]:
        found.append(f"docs: {words:,} words, at most {settings['docs']:,} are allowed")
    return found


def main() -> None:
    """Print the table."""
    longest = depths(grimp.build_graph(*PACKAGES, cache_dir=None))
    print(f"{'package':<16}{'code lines':>12}{'modules':>10}{'records':>10}{'longest path':>14}")
    total = np.zeros(3, int)
    sizes = {}
    for package in PACKAGES:
        every = sorted(Path(package).rglob("*.py"))
        commands = [path for path in every if Path(package, "cli") in path.parents]
        parts = {
            package: [path for path in every if path not in commands],
            f"{package}.cli": commands,
        }
        for name, paths in parts.items():
            names = [".".join(path.with_suffix("").parts) for path in paths]
            deepest = max((longest[item.removesuffix(".__init__")] for item in names), default=0)
            size = (sum(map(code_lines, paths)), len(paths), sum(map(record_classes, paths)))
            sizes[name] = size
            total += size
            print(f"{name:<16}{size[0]:>12,}{size[1]:>10,}{size[2]:>10,}{deepest:>14}")
    sizes["all"] = (int(total[0]), int(total[1]), int(total[2]))
    tests = test_lines()
    words = doc_words()
    print(f"{'all':<16}{total[0]:>12,}{total[1]:>10,}{total[2]:>10,}")
    print(f"{'tests':<16}{tests:>12,}")
    print(f"{'words of docs':<16}{words:>12,}")
    if "--check" in sys.argv[1:]:
        found = exceeded(sizes, tests, words)
        print("\n".join(found))
        sys.exit(bool(found))


if __name__ == "__main__":
    main()
