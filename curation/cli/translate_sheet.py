"""`curate translate sheet`: workbooks for translators."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from curation.cli.common import (
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.sheets import hand_out
from curation.cli.translate_work import choice_of, units_of
from curation.io.annotations import AnnotationsFolder
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.stages.translate.sheet import Entry, entries, translation_book


@dataclass(frozen=True, slots=True)
class Selection:
    """Which templates a workbook holds; it travels in the workbook.

    Attributes:
        unlabelled: Whether those that nobody has classified are in it.
        categories: Only these; all where there are none.
        part: Which share of the templates, from 0, of how many.
    """

    unlabelled: bool = False
    categories: tuple[str, ...] = ()
    part: tuple[int, int] = (0, 1)

    def to_text(self) -> str:
        """Write it as the workbook holds it."""
        return json.dumps([self.unlabelled, list(self.categories), list(self.part)])

    @classmethod
    def from_text(cls, text: str) -> "Selection":
        """Read it back.

        Raises:
            ValueError: If it is none.
        """
        unlabelled, categories, (part, parts) = json.loads(text)
        return cls(bool(unlabelled), tuple(map(str, categories)), (int(part), int(parts)))

    def holds(self, template: str, category: str) -> bool:
        """Say whether a template is in it; templates that come or go do not move others."""
        digest = int.from_bytes(hashlib.sha256(template.encode()).digest()[:4])
        wanted = not self.categories or category in self.categories
        return wanted and digest % self.part[1] == self.part[0]


def selected(workspace: Workspace, selection: Selection) -> tuple[list[Entry], list[Finding]]:
    """Give what a workbook of a selection holds today."""
    culture = workspace.culture
    choice = choice_of(culture, unlabelled=selection.unlabelled, missing=False)
    units, findings = units_of(workspace, workspace.bank, choice)
    chosen = [unit for unit in units if selection.holds(str(unit.template), unit.category)]
    return entries(chosen, workspace.bank, culture.language), findings


@click.command("sheet")
@workspace_option
@click.option(
    "--translator",
    "translators",
    multiple=True,
    metavar="NAME",
    help="Who translates; given several times, the templates are shared out.",
)
@click.option("--category", "categories", multiple=True, help="Only this category.")
@click.option("--unlabelled", is_flag=True, help="Also templates that nobody has classified.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the workbooks [default: annotations/sheets].",
)
@json_option
def command(
    workspace: Workspace,
    translators: tuple[str, ...],
    categories: tuple[str, ...],
    unlabelled: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make workbooks for translators: a row a text, with the machine's text to start from.

    Where the machine's text has nothing to object to it stands in the column to write in, with
    the agreement that it seems to ask for. Names that may mean nothing here are listed. A
    workbook that may have been filled in is never written over.

    \b
    Example: curate translate sheet
             curate translate sheet --translator Mina --translator Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    known = {item.id for item in workspace.culture.categories}
    for name in categories:
        if name not in known:
            raise click.UsageError(f"--category: there is no category '{name}'")
    names = _names(translators)
    parts = [Selection(unlabelled, categories, (at, len(names))) for at in range(len(names))]
    folder = out or AnnotationsFolder(workspace.root).sheets
    made = _make(workspace, dict(zip(names, parts, strict=True)), folder)
    if as_json:
        print_json({"sheets": [_as_dict(name, path, rows) for name, path, rows in made]})
        return
    for name, path, rows in made:
        ready = sum(bool(entry.prefill) for entry in rows)
        click.echo(
            f"{name + ': ' if name else ''}{path}: {len(rows)} {plural('text', len(rows))}, "
            f"{ready} with a text to start from."
        )
    click.echo("When they come back: curate translate collect FILE...")


def _make(
    workspace: Workspace, selections: Mapping[str, Selection], folder: Path
) -> list[tuple[str, Path, list[Entry]]]:
    """Write a workbook for each translator who gets a text.

    Raises:
        CurateError: If there is nothing to translate, or a workbook stands in the way.
    """
    variants = {variant.id: variant for variant in workspace.bank.variants}
    made = []
    for at, (name, selection) in enumerate(selections.items()):
        rows, findings = selected(workspace, selection)
        if at == 0 and findings:
            print_findings(findings, err=True)
        if not rows:
            continue
        path = folder / f"translate{_stem(name)}.xlsx"
        about = {"translator": name, "selection": selection.to_text()}
        hand_out(path, translation_book(rows, variants, about))
        made.append((name, path, rows))
    if not made:
        raise CurateError(
            "nothing is to be translated",
            workspace.shown(workspace.bank_file),
            "templates have to be labelled ST or TM; --unlabelled takes the others too",
        )
    return made


def _as_dict(name: str, path: Path, rows: Sequence[Entry]) -> dict[str, object]:
    return {
        "translator": name,
        "file": str(path),
        "texts": len(rows),
        "prefilled": sum(bool(entry.prefill) for entry in rows),
        "flagged": sum(bool(entry.flags) for entry in rows),
        "proposed": sum(len(entry.proposed) for entry in rows),
    }


def _names(translators: Sequence[str]) -> list[str]:
    names = [" ".join(name.split()) for name in translators] or [""]
    if translators and not all(names):
        raise click.UsageError("--translator: a name is empty")
    stems = [_stem(name).casefold() for name in names]
    for name, stem in zip(names, stems, strict=True):
        if stems.count(stem) > 1:
            raise click.UsageError(f"--translator: '{name}' stands twice; tell the two apart")
    return names


def _stem(name: str) -> str:
    written = re.sub(r"[^\w-]+", "_", name).strip("_") or "translator"
    return f"-{written}" if name else ""
