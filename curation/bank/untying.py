"""Templates of which translators see each variant separately, because articles differ."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from curation.bank.removal import present
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.bank import UNTIED_COLUMN, Bank, Label, Template, Variant


@dataclass(frozen=True, slots=True)
class Untying:
    """What became of templates that were untied, or tied again.

    Attributes:
        everything: Whether it was said of all templates.
        changed: Ids of templates that are untied now and were not, or the reverse.
        unchanged: Ids of those that were named and are as they were.
        untied: Ids of all that are untied now.
        not_translated: Ids of those that were named and have no text to translate: labelled SR or
            NC, or without a text of the source.
    """

    everything: bool
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    untied: tuple[str, ...]
    not_translated: tuple[str, ...] = ()


def untie_templates(
    workspace: Workspace,
    templates: Sequence[str] = (),
    *,
    undo: bool = False,
    dry_run: bool = False,
) -> Untying:
    """Let translators see the variants of templates as texts of their own, or no longer.

    Of named templates it is kept in the column `untied` of the bank, so that it goes where they go;
    so of all. Nobody's text is touched.

    Args:
        workspace: The workspace.
        templates: Their ids, also those that they had before; all where none is named.
        undo: Whether they are to be one text again where they are equal.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If a template is not there, or a file cannot be read or written.
    """
    with writing(workspace, "curate translate wording", dry_run=dry_run):
        before, default = workspace.untied, workspace.culture.translation.untie
        wanted = not undo
        named = tuple(dict.fromkeys(present(workspace, templates)))
        # What the settings say of all anyway needs no word in the bank.
        cell = "" if default is wanted else str(wanted).lower()
        every_name = workspace.bank.template_names
        bank = _with_cell(workspace.bank, set(named) if templates else every_name, cell)
        now = bank.untied(default)
        if not dry_run and bank != workspace.bank:
            workspace.write_bank(workspace.bank_file, bank)
        every = list(workspace.bank.templates())
        order = tuple(str(item.id) for item in every)
        idle = {str(item.id) for item in every if _is_idle(item)}
    return Untying(
        everything=not templates,
        changed=tuple(name for name in order if (name in now) != (name in before)),
        unchanged=tuple(name for name in named if (name in now) == (name in before)),
        untied=tuple(name for name in order if name in now),
        not_translated=tuple(name for name in named if name in idle),
    )


def _is_idle(template: Template) -> bool:
    """Whether nothing of a template is translated, whatever its variants are."""
    return template.label in (Label.SAMPLE_REMOVED, Label.NEWLY_CREATED) or not any(
        variant.source_texts.has_body for variant in template.variants
    )


def _with_cell(bank: Bank, names: Collection[str], cell: str) -> Bank:
    """The bank with a cell in the rows of templates; the column goes with the last of them."""
    rows = [_said(row, cell) if str(row.template_id) in names else row for row in bank.variants]
    if not any(dict(row.extra).get(UNTIED_COLUMN) for row in rows):
        rows = [replace(row, extra=_others(row)) for row in rows]
    return Bank(tuple(rows))


def _said(row: Variant, cell: str) -> Variant:
    if dict(row.extra).get(UNTIED_COLUMN, "") == cell:
        return row
    return replace(row, extra=(*_others(row), (UNTIED_COLUMN, cell)))


def _others(row: Variant) -> tuple[tuple[str, str], ...]:
    return tuple(item for item in row.extra if item[0] != UNTIED_COLUMN)
