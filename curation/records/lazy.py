"""Names of a package that are imported when they are used.

Nothing is imported here: this runs before the command can catch an interrupt.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def importer(package: str) -> "Callable[[str], Any]":
    """A package's `__getattr__`, so that importing the package costs nothing (PEP 562).

    The package says what it offers, and where that is, by its imports under `TYPE_CHECKING`: they
    are read when the first name is asked for. `__all__` and `__dir__` come from them too.

    Functions take what people type in a notebook: a path as text, and one name or path where
    several may be given. They see a workspace as its files are now.

    Args:
        package: Its name.
    """
    homes: dict[str, str] = {}
    found: dict[str, Any] = {}

    def names() -> list[str]:
        if not homes:
            homes.update(_homes(package))
        return sorted(homes)

    def attribute(name: str) -> "Any":
        if name in ("__all__", "__dir__"):
            return names() if name == "__all__" else names
        import importlib
        import inspect

        if name not in names():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if name not in found:
            module = importlib.import_module(homes[name])
            own = module if homes[name] == f"{package}.{name}" else getattr(module, name)
            found[name] = _converting(own) if inspect.isfunction(own) else own
        return found[name]

    return attribute


def _homes(package: str) -> "dict[str, str]":
    """The module of each name that a package offers; that of a module is its own."""
    import ast
    import pkgutil

    source = pkgutil.get_data(package, "__init__.py")  # from an archive too
    tree = ast.parse(source or b"")
    blocks = (node.body for node in tree.body if isinstance(node, ast.If))
    imports = (node for body in blocks for node in body if isinstance(node, ast.ImportFrom))
    return {
        item.name: f"{package}.{item.name}" if node.module == package else str(node.module)
        for node in imports
        for item in node.names
    }


def _converting(function: "Callable[..., Any]") -> "Callable[..., Any]":
    """A function that turns its arguments into the types that it says."""
    import functools
    import inspect

    signature = inspect.signature(function)
    wanted = {name: str(item.annotation) for name, item in signature.parameters.items()}

    @functools.wraps(function)
    def called(*args: "Any", **options: "Any") -> "Any":
        bound = signature.bind(*args, **options)
        for name, value in bound.arguments.items():
            if "Workspace" in wanted[name] and hasattr(value, "refresh"):
                value.refresh()  # another command may have written since
            bound.arguments[name] = as_typed(value, wanted[name])
        return function(*bound.args, **bound.kwargs)

    return called


def as_typed(value: "Any", wanted: str) -> "Any":
    """A value that a person typed, as what an annotation says: a path, or several of something.

    Args:
        value: The value.
        wanted: The annotation, as text.
    """
    import re
    from pathlib import Path

    path = re.compile(r"\bPath\b")
    several = re.search(r"\b(Sequence|Iterable|tuple)\[", wanted)
    single = path.search(re.sub(r"\[.*?\]", "", wanted))  # a path, or several of something else
    if several and not single and isinstance(value, str | Path):
        value = (value,)
    if path.search(wanted) is None:
        return value
    if isinstance(value, list | tuple) and several and not single:
        return tuple(Path(item) if isinstance(item, str) else item for item in value)
    return Path(value) if isinstance(value, str) else value
