"""A page for each package, of what its `__all__` offers to programs and notebooks."""

import importlib
import inspect
import typing
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import evaluation

PACKAGES = ("curation", "survey", "evaluation", "exports")


def pages() -> dict[str, str]:
    """The pages by file name; what is said of a function is its docstring, read by autodoc."""
    packages = [importlib.import_module(name) for name in PACKAGES]
    offered = [
        member
        for package in packages
        for module in _modules(package)
        for member in _members(module).values()
    ]
    told = {item for item in offered if inspect.isclass(item)}
    return {f"{package.__name__}.md": _page(package, told) for package in packages}


def _page(package: ModuleType, told: set[type]) -> str:
    """The page of one package: what it offers, by inner package, and what its functions return.

    Args:
        package: The package.
        told: The classes that another place tells of; those of this page are added.
    """
    parts = []
    results: dict[type, None] = {}
    for module in _modules(package):
        heading = "#" * (module.__name__.count(".") + 1)
        members = _members(module)
        parts += [f"{heading} {module.__name__}", inspect.getdoc(module) or ""]
        parts.append(
            _block(_directive(item, f"{module.__name__}.{name}") for name, item in members.items())
        )
        for item in members.values():
            results |= dict.fromkeys(_taken_and_given(item))
    named = sorted(results.keys() - told, key=lambda item: item.__name__.lower())
    told.update(named)
    if named:
        parts.append("## Results\n\nWhat the functions above take and return, with its fields.")
        parts.append(_block(_directive(item, _path(item)) for item in named))
    return "\n\n".join(parts) + "\n"


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    """A package, then the packages that it offers."""
    yield package
    for name in package.__all__:
        if inspect.ismodule(member := getattr(package, name)):
            yield from _modules(member)


def _members(module: ModuleType) -> dict[str, Any]:
    members = {name: getattr(module, name) for name in module.__all__}
    return {name: item for name, item in members.items() if not inspect.ismodule(item)}


def _taken_and_given(member: Any) -> Iterator[type]:
    """Our own classes in the signature of a function."""
    if inspect.isfunction(member):
        # A module may name a class of another package without loading it.
        offered = {name: getattr(evaluation, name) for name in evaluation.__all__}
        for annotation in typing.get_type_hints(member, localns=offered).values():
            yield from _classes(annotation)


def _classes(annotation: Any) -> Iterator[type]:
    parts = typing.get_args(annotation)
    own = getattr(annotation, "__module__", "").partition(".")[0] in PACKAGES
    if own and inspect.isclass(annotation) and not parts:
        yield annotation
    for part in parts:
        yield from _classes(part)


def _path(item: type) -> str:
    return f"{item.__module__}.{item.__qualname__}"


def _directive(member: Any, path: str) -> str:
    if inspect.isclass(member):
        return f".. autoclass:: {path}\n   :members:\n   :exclude-members: __init__, __new__\n"
    return f".. auto{'function' if inspect.isfunction(member) else 'data'}:: {path}\n"


def _block(directives: Iterable[str]) -> str:
    return "\n".join(["```{eval-rst}", *directives, "```"])
