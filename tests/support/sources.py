"""What the modules of the product import, call and say, read once for the tests that look at it."""

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGES = ("curation", "survey", "evaluation", "exports")
FILLED_IN = "\u2026"


class Source(NamedTuple):
    """A module: the first names of its imports; its calls, texts and packed arguments by line."""

    module: str
    path: Path
    imports: set
    calls: list
    texts: list
    filled: list
    packed: list


@cache
def sources():
    """Every module of the product."""
    return tuple(
        _source(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))
    )


def _source(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    made = Source(".".join(parts).removesuffix(".__init__"), path, set(), [], [], [], [])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            made.imports.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            made.imports.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                made.calls.append((node.lineno, node.func.id))
            if any(
                isinstance(it, ast.Starred) and isinstance(it.value, ast.Tuple) for it in node.args
            ):
                made.packed.append(node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            made.texts.append((node.lineno, node.value))
        elif isinstance(node, ast.JoinedStr):
            said = (it.value if isinstance(it, ast.Constant) else FILLED_IN for it in node.values)
            made.filled.append((node.lineno, "".join(map(str, said))))
    return made
