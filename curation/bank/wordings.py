"""How a template is worded: its variants seen apart, in versions, with which stereotype."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation.records.bank import (
    FILLED_FIELDS,
    UNTIED_COLUMN,
    Bank,
    Template,
    Variant,
    VariantVersion,
)
from curation.records.messages import CurateError


@dataclass(frozen=True, slots=True)
class Wording:
    """What people say of how a template is worded.

    Attributes:
        template_id: The template.
        separate: Whether translators see its variants as texts of their own; None leaves that.
        versions: Wordings that it is to have, each a row of its own that is translated separately;
            none leaves them.
        stereotype: Its stereotype, where the source names none; empty leaves it.
    """

    template_id: str
    separate: bool | None = None
    versions: tuple[VariantVersion, ...] = ()
    stereotype: str = ""


def worded(bank: Bank, said: Wording, *, untie: bool) -> Bank:
    """Word a template as people say. Texts that they have written stay.

    That its variants are apart is kept in the column `untied` of the bank, so that it goes where
    the template goes. Of versions, what is written holds for the first one that is named. The rows
    of the others have the same source, machine text, groups and stereotype, and wait for their
    wording. Decisions are about templates, and stay; ids of samples name the version.

    Args:
        bank: The bank.
        said: What people say.
        untie: Whether templates that do not say are apart (`translation.untie`).

    Raises:
        CurateError: If the template is not there, its source names a stereotype, or it would have
            one version alone; the place is what is wrong of `said`, as `version`.
    """
    template = next((i for i in bank.templates() if str(i.id) == said.template_id), None)
    if template is None:
        raise CurateError(f"the bank has no template {said.template_id}", hint="empty the row")
    rows = bank.variants
    if said.separate is not None:
        # What the settings say of all anyway needs no word in the bank.
        cell = "" if said.separate is untie else str(said.separate).lower()
        rows = _with_cell(rows, template, cell)
    if said.stereotype:
        rows = _with_stereotype(rows, template, said.stereotype)
    if said.versions:
        rows = _with_versions(rows, template, said.versions)
    return bank if rows == bank.variants else Bank(rows)


def _with_cell(rows: Sequence[Variant], template: Template, cell: str) -> tuple[Variant, ...]:
    """Rows with a cell in the column `untied`, which goes with the last that has anything."""
    rows = [
        replace(row, extra=(*_others(row), (UNTIED_COLUMN, cell)))
        if row.template_id == template.id and dict(row.extra).get(UNTIED_COLUMN, "") != cell
        else row
        for row in rows
    ]
    if not any(dict(row.extra).get(UNTIED_COLUMN) for row in rows):
        rows = [replace(row, extra=_others(row)) for row in rows]
    return tuple(rows)


def _others(row: Variant) -> tuple[tuple[str, str], ...]:
    return tuple(item for item in row.extra if item[0] != UNTIED_COLUMN)


def _with_stereotype(rows: Sequence[Variant], template: Template, text: str) -> tuple[Variant, ...]:
    source = next((s for v in template.variants if (s := v.source_texts.stereotype.strip())), "")
    if source:
        raise CurateError(
            f"the source of {template.id} names a stereotype: '{source}'",
            "stereotype",
            "translate it in the sheet 'texts', and empty this cell",
        )
    return tuple(
        replace(row, texts=replace(row.texts, stereotype=text))
        if row.template_id == template.id
        else row
        for row in rows
    )


def _with_versions(
    rows: Sequence[Variant], template: Template, wanted: Sequence[VariantVersion]
) -> tuple[Variant, ...]:
    there = {row.id.version for row in template.variants}
    if len({*there, *wanted} - {VariantVersion.ONLY}) < 2:
        raise CurateError(
            f"{template.id} would have only one version",
            "version",
            "name at least two, such as m, f",
        )
    lacking = [item for item in dict.fromkeys(wanted) if item not in there]
    found: list[Variant] = []
    for row in rows:
        found += [row] if row.template_id != template.id else _versions_of(row, template, lacking)
    return tuple(found)


def _versions_of(
    row: Variant, template: Template, lacking: Sequence[VariantVersion]
) -> list[Variant]:
    """A row as its version, with rows of the versions that the template lacks after it."""
    own = row.id.version
    if VariantVersion.ONLY in {variant.id.version for variant in template.variants}:
        if own:
            return [row]
        # What is written becomes the first of them, unless that is there already.
        own, lacking = (lacking[0], lacking[1:]) if lacking else (own, [])
    elif own != template.first.id.version:
        lacking = []
    # What is worded for the first one is still to be written for the others.
    unwritten = replace(row.texts, **dict.fromkeys(FILLED_FIELDS, ""))  # type: ignore[arg-type]  # text alone
    others = [replace(row.id, version=version) for version in lacking]
    return [
        replace(row, id=replace(row.id, version=own)),
        *(replace(row, id=one, texts=unwritten, row=0) for one in others),
    ]
