"""The program of a task folder: the toolkit's own code in one file, with what a harness asks for.

The rules by which replies are read and scored are therefore the same rules. Of each module stand
there the statements that the program needs, without what is said of them.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib import resources

from curation import __version__

_HEAD = (
    f"# Part of curate {__version__}, under the MIT licence (LICENSE-CODE.txt). Written by\n"
    "# `curate export`: change it in the toolkit, for scores of a changed copy are other scores.\n"
)
_OURS = ("curation", "survey", "evaluation", "exports")
_INSTEAD = {"curation.languages": "exports.harness.words"}
_CORE = "exports.harness.core"


def source(module: str) -> str:
    """The text of one of our modules, which is not imported for it."""
    top, *inside = module.split(".")
    return resources.files(top).joinpath(*inside[:-1], f"{inside[-1]}.py").read_text("utf-8")


@cache
def program(glue: str) -> str:
    """A program in one file: `exports.harness.core` with all that it needs, and what is given.

    Args:
        glue: What comes last, as a module that takes its names from `exports.harness.core`.

    Raises:
        ValueError: If two modules have one name.
    """
    parts: list[tuple[set[str], str]] = []
    defining: dict[str, str] = {}
    imports: dict[str, tuple[str, str]] = {}
    both: list[str] = []
    for text in (*map(source, _needed()), glue):
        imports |= _imports(text)
        own = list(_parts(text, said=text is glue))
        made = {name: part for names, part in own for name in names}
        both += sorted(made.keys() & defining.keys())
        defining |= made
        parts += own
    if both := [*both, *sorted(imports.keys() & defining.keys())]:
        raise ValueError(f"names that several modules have: {both}")
    waiting, used = {it for _, text in own for it in _used(text)}, set[str]()
    while waiting:
        name = waiting.pop()
        used.add(name)
        waiting |= _used(defining.get(name, "")) - used
    kept = [text for names, text in parts if names & used or (names, text) in own]
    doc = ast.get_docstring(ast.parse(glue), clean=False)
    body = "".join(f"\n{text}\n\n" if text[0] in "@dc" else f"{text}\n" for text in kept)
    taken = {pair for name, pair in imports.items() if name in used}
    of = {
        module: ", ".join(sorted(it for one, it in taken if one == module)) for module, _ in taken
    }
    needed = [f"import {item}" for module, item in sorted(taken) if not module]
    needed += [f"from {module} import {items}" for module, items in sorted(of.items()) if module]
    return "\n".join((f'{_HEAD}"""{doc}"""', "", *needed, "", body.rstrip(), ""))


def _used(text: str) -> set[str]:
    """The names that occur in a text."""
    return set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", text))


@cache
def _statements(module: str) -> tuple[ast.stmt, ...]:
    """The statements of a module's text, which is parsed once for all programs of a package."""
    return tuple(ast.parse(module).body)


def _needed() -> list[str]:
    """The core and our modules that it imports, each before those that import it."""
    graph: dict[str, set[str]] = {}
    waiting = [_CORE]
    while waiting:
        name = waiting.pop()
        if name not in graph:
            graph[name] = {
                _INSTEAD.get(node.module, node.module)
                for node in _statements(source(name))
                if isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module)
            }
            waiting += sorted(graph[name])
    return list(
        TopologicalSorter({name: sorted(graph[name]) for name in sorted(graph)}).static_order()
    )


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in _OURS


def _imports(text: str) -> dict[str, tuple[str, str]]:
    """By name the module that it is taken from, and how; except for our own modules."""
    found: dict[str, tuple[str, str]] = {}
    for node in _statements(text):
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        if isinstance(node, ast.Import | ast.ImportFrom) and not _is_ours(module):
            for item in node.names:
                alias = f" as {item.asname}" if item.asname else ""
                name = item.asname or item.name.partition(".")[0]
                found[name] = module, f"{item.name}{alias}"
    return found


def _parts(module: str, *, said: bool = False) -> Iterator[tuple[set[str], str]]:
    """Yield the statements of a module but its imports; with comments and docstrings if `said`."""
    lines = module.splitlines()
    silent = {
        at
        for top in _statements(module)
        for node in ast.walk(top)
        if isinstance(node, ast.stmt) and _is_text(node)
        for at in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    for node in _statements(module):
        if _is_text(node) or isinstance(node, ast.Import | ast.ImportFrom):
            continue
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
        kept: list[str] = []
        for at in range(first, (node.end_lineno or first) + 1):
            line = lines[at - 1]
            is_empty = not line and kept[-1].endswith(":")  # a docstring was before it
            if said or not (at in silent or is_empty or line.lstrip().startswith("#")):
                kept.append(line)
        yield set(_defined(node)), "\n".join(kept)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
        return
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets += [node.target] if isinstance(node, ast.AnnAssign) else []
    for item in (name for target in targets for name in ast.walk(target)):
        if isinstance(item, ast.Name):
            yield item.id
