"""Names of people on the command line, and of the workbooks that they are handed."""

import re
from collections.abc import Sequence
from pathlib import Path

import click

from curation.model.annotation import person_key


def names_of(people: Sequence[str], option: str) -> list[str]:
    """Read names, each of which must be told from the others.

    Raises:
        click.UsageError: If one is empty or two are the same.
    """
    names = [" ".join(name.split()) for name in people]
    if not all(names):
        raise click.UsageError(f"{option}: a name is empty")
    keys = [person_key(name) for name in names]
    for name, key in zip(names, keys, strict=True):
        if keys.count(key) > 1:
            raise click.UsageError(f"{option}: '{name}' stands twice; tell the two apart")
    return names


def sheet_paths(folder: Path, what: str, names: Sequence[str]) -> list[Path]:
    """Name workbooks after people, as far as file names can hold their names."""
    paths: list[Path] = []
    taken: set[str] = set()
    for name in names:
        stem = wanted = f"{what}-" + (re.sub(r"[^\w-]+", "_", name).strip("_") or "person")
        number = 1
        while stem.casefold() in taken:
            number += 1
            stem = f"{wanted}-{number}"
        taken.add(stem.casefold())
        paths.append(folder / f"{stem}.xlsx")
    return paths
