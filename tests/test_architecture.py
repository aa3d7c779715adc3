"""The layout that docs/architecture.md promises."""

import ast
import graphlib
import importlib
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("curation", "survey", "evaluation", "exports")
SHARED = {
    "curation.cli",
    "curation.cli.coloured",
    "curation.cli.group",
    "curation.cli.main",
    "curation.cli.options",
    "curation.cli.terminal",
}
"""What commands of all packages may import; `terminal` prints and knows no command."""


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)


def modules():
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts).removesuffix(".__init__"), path


def is_command(module):
    return module.split(".")[1:2] == ["cli"]


def imported(path):
    """The first names of all modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_click_is_used_by_commands_and_by_all_of_them():
    """The library knows no terminal; whatever needs none does not belong to a command."""
    uses = {module for module, path in modules() if "click" in imported(path)}
    commands = {
        module for module, path in modules() if is_command(module) and path.name != "__init__.py"
    }
    assert sorted(uses - commands) == []
    assert sorted(commands - uses) == []


def test_the_library_imports_no_command(graph):
    """What a command can do, a notebook can do without it."""
    wrong = [
        (module, other)
        for module, _ in modules()
        if not is_command(module)
        for other in graph.find_modules_directly_imported_by(module)
        if is_command(other)
    ]
    assert wrong == []


def test_no_command_imports_the_module_of_another(graph):
    """Groups name their commands by text; what commands share is in few modules."""
    wrong = [
        (module, other)
        for module, _ in modules()
        if is_command(module) and module not in SHARED
        for other in graph.find_modules_directly_imported_by(module)
        if is_command(other)
        and other not in SHARED
        and other.rpartition(".")[2] not in ("options", "drafting")
    ]
    assert wrong == []


def test_nothing_prints_but_commands():
    """A function of the library gives a result; it writes to no terminal and ends no process."""
    wrong = []
    for module, path in modules():
        if is_command(module):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = (
                node.func.id
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                else ""
            )
            if name in ("print", "exit", "quit"):
                wrong.append((module, node.lineno))
    assert wrong == []


def test_no_module_imports_itself_through_others(graph):
    """Imports go one way within a package too."""
    order = graphlib.TopologicalSorter(
        {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    )
    order.prepare()  # raises CycleError, which names the circle


def test_packages_offer_what_can_be_imported():
    """Every name of `__all__` is there, and says what it is for."""
    for package in PACKAGES:
        module = importlib.import_module(package)
        assert dir(module) == module.__all__ == sorted(module.__all__)
        silent = [name for name in module.__all__ if not getattr(module, name).__doc__]
        assert (package, silent) == (package, [])
        with pytest.raises(AttributeError, match="no_such_name"):
            module.no_such_name  # noqa: B018  # as a notebook would ask


def test_arguments_are_written_one_by_one():
    """No call unpacks a tuple that is written in it: nobody could tell which parameter is which."""
    packed = [
        (module, node.lineno)
        for module, path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        for item in node.args
        if isinstance(item, ast.Starred) and isinstance(item.value, ast.Tuple)
    ]
    assert packed == []
