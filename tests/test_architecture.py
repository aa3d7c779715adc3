"""The layout that docs/architecture.md promises."""

import graphlib
import importlib

import grimp
import pytest
from sources import PACKAGES, sources

pytestmark = pytest.mark.xdist_group("sources")
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


def is_command(module):
    return module.split(".")[1:2] == ["cli"]


def test_click_is_used_by_commands_and_by_all_of_them():
    """The library knows no terminal; whatever needs none does not belong to a command."""
    uses = {it.module for it in sources() if "click" in it.imports}
    commands = {
        it.module for it in sources() if is_command(it.module) and it.path.name != "__init__.py"
    }
    assert sorted(uses - commands) == []
    assert sorted(commands - uses) == []


def test_the_library_imports_no_command(graph):
    """What a command can do, a notebook can do without it."""
    wrong = [
        (module, other)
        for module in graph.modules
        if not is_command(module)
        for other in graph.find_modules_directly_imported_by(module)
        if is_command(other)
    ]
    assert wrong == []


def test_no_command_imports_the_module_of_another(graph):
    """Groups name their commands by text; what commands share is in few modules."""
    wrong = [
        (module, other)
        for module in graph.modules
        if is_command(module) and module not in SHARED
        for other in graph.find_modules_directly_imported_by(module)
        if is_command(other)
        and other not in SHARED
        and other.rpartition(".")[2] not in ("options", "drafting")
    ]
    assert wrong == []


def test_nothing_prints_but_commands():
    """A function of the library gives a result; it writes to no terminal and ends no process."""
    wrong = [
        (it.module, line)
        for it in sources()
        if not is_command(it.module)
        for line, name in it.calls
        if name in ("print", "exit", "quit")
    ]
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
    assert [(it.module, it.packed) for it in sources() if it.packed] == []
