"""`curate groups rename`: a group gets another name, wherever the workspace names it."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.groups_renaming import Known, known, refuse
from curation.io.atomic import atomic_path
from curation.io.bank import renamed_groups, write_bank
from curation.io.culture_groups import with_renamed_groups
from curation.io.tables import read_table, read_text, write_csv
from curation.io.workspace import Workspace
from curation.stages.regroup import Name, Regrouped, regroup

_SHOWN = 6


@dataclass(frozen=True, slots=True)
class _Change:
    """What a rename makes of the workspace; nothing is written yet.

    Attributes:
        name: The group.
        bank: The bank, and what changes in it.
        rows: Rows of groups.csv that are the group's own.
        parents: Rows of groups.csv whose parent it is.
        former: Its former names, those of the settings to come.
        told: Whether its former names change in the settings.
        files: By file that changes what writes it to a path, in the order in which they are
            put in place.
    """

    name: Name
    bank: Regrouped
    rows: int
    parents: int
    former: tuple[str, ...]
    told: bool
    files: dict[Path, Callable[[Path], object]]


@click.command("rename")
@workspace_option
@click.argument("category")
@click.argument("old")
@click.argument("new")
@click.option(
    "--from-source",
    is_flag=True,
    help="Write it too where a template names its groups in the source's columns alone.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def command(
    workspace: Workspace,
    category: str,
    old: str,
    new: str,
    from_source: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Give a group of a category another name: OLD becomes NEW.

    In groups.csv (its row, and rows whose parent it is) and in the category's target_groups,
    n1_groups and n2_groups of bank.csv, where it stands as a whole name. The columns of the
    source, texts, fillers, rulings and what people proposed stay as they are. Where the survey
    asked about OLD, culture.yaml keeps it as a former name of NEW, so that what was asked holds.

    With --from-source, cells that are empty take over the groups of the source where these
    name OLD, with NEW in its place: those of templates that have texts, are not labelled SR,
    and do not leave their groups to the survey.

    All files are written, or none. A rename that was broken off, or done by hand in part, is
    completed by the same command.

    \b
    Example: curate groups rename Age young 청년 --from-source
             curate groups rename Age 노인 어르신 --dry-run
    """  # noqa: D301  # \b keeps click from wrapping the example
    name = Name(category.strip(), old.strip(), new.strip())
    change = _change(workspace, name, from_source=from_source)
    if not dry_run:
        _write(change.files)
    if as_json:
        print_json(_as_dict(workspace, change))
    else:
        _show(change, from_source=from_source, dry_run=dry_run)


def _change(workspace: Workspace, name: Name, *, from_source: bool) -> _Change:
    """Work out a rename.

    Raises:
        CurateError: If it is refused, or a file cannot be read.
    """
    found = known(workspace, name)
    refuse(workspace, name, found, from_source=from_source)
    groups = {item.group for item in workspace.groups if item.category == name.category}
    bank = regroup(workspace.bank, name, {*groups, name.new}, from_source=from_source)
    files: dict[Path, Callable[[Path], object]] = {}
    former = _former(name, found)
    told = former != found.former
    if told:  # first: what was asked stays attached whatever happens after
        path = workspace.culture_file
        text = with_renamed_groups(read_text(path), path, name.category, former)
        files[path] = lambda beside: beside.write_text(text, encoding="utf-8", newline="")
    rows, parents = 0, 0
    if workspace.groups_file.exists():
        table = read_table(workspace.groups_file)
        renamed, rows, parents = renamed_groups(table, name.category, name.old, name.new)
        if rows or parents:
            files[workspace.groups_file] = lambda beside: write_csv(beside, table.columns, renamed)
    if bank.templates:  # last: the check finds a name that groups.csv does not list any more
        files[workspace.bank_file] = lambda beside: write_bank(beside, bank.bank)
    return _Change(name, bank, rows, parents, tuple(former.get(name.new, ())), told, files)


def _former(name: Name, found: Known) -> dict[str, tuple[str, ...]]:
    """Give the category's former names as they are after the rename."""
    former = dict(found.former)
    names = [*former.get(name.new, ()), *former.pop(name.old, ())]
    if name.old in found.asked:
        names.append(name.old)
    left = tuple(dict.fromkeys(item for item in names if item != name.new))
    if left:
        former[name.new] = left
    else:
        former.pop(name.new, None)
    return former


def _write(files: dict[Path, Callable[[Path], object]]) -> None:
    """Write all files beside their places, and then put them there in their order."""
    with ExitStack() as stack:
        # A stack is left from its end: the file that is put in place first comes last.
        beside = {path: stack.enter_context(atomic_path(path)) for path in reversed(files)}
        for path, write in files.items():
            write(beside[path])


def _as_dict(workspace: Workspace, change: _Change) -> dict[str, object]:
    return {
        "category": change.name.category,
        "old": change.name.old,
        "new": change.name.new,
        "groups": change.rows,
        "parents": change.parents,
        "cells": change.bank.cells,
        "filled": change.bank.filled,
        "templates": list(change.bank.templates),
        "former_names": list(change.former),
        "files": [workspace.shown(path) for path in change.files],
        "source_only": list(change.bank.source_only),
        "unwritten": list(change.bank.unwritten),
        "foreign": list(change.bank.foreign),
    }


def _show(change: _Change, *, from_source: bool, dry_run: bool) -> None:
    name, bank = change.name, change.bank
    if not change.files:
        click.echo(f"{name.category}: {name.old} is {name.new} already; nothing to change.")
    else:
        click.echo(f"{name.category}: {name.old} {'would be' if dry_run else 'is now'} {name.new}.")
    if change.rows or change.parents:
        parents = f", and the parent of {change.parents} others" if change.parents else ""
        click.echo(f"  groups.csv    {change.rows} {plural('row', change.rows)}{parents}")
    if bank.cells or bank.filled:
        filled = f"{bank.filled} empty {plural('cell', bank.filled)} filled from the source"
        parts = [f"{bank.cells} {plural('cell', bank.cells)}"] if bank.cells else []
        parts += [filled] if bank.filled else []
        click.echo(f"  bank.csv      {', '.join(parts)}, in {_templates(bank.templates)}")
    if change.told:
        former = ", ".join(change.former) or "none"
        click.echo(f"  culture.yaml  former names, which the survey asked by: {former}")
    if bank.foreign:
        names = ", ".join(bank.foreign)
        click.echo(f"Taken over from the source, and no groups of {name.category} yet: {names}")
    if bank.source_only:
        click.echo(
            f"{_templates(bank.source_only)} with an empty cell whose source names {name.old}: "
            "--from-source fills them."
        )
    if bank.unwritten:
        click.echo(
            f"{_templates(bank.unwritten)} whose source names {name.old}, without texts yet: when "
            "they are translated, the same again with --from-source."
        )


def _templates(ids: tuple[str, ...]) -> str:
    more = ", ..." if len(ids) > _SHOWN else ""
    return f"{len(ids)} {plural('template', len(ids))} ({', '.join(ids[:_SHOWN])}{more})"
