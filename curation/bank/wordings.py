"""How templates are worded: stereotypes, variants seen apart, versions for different people."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from curation.bank.removal import present
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.bank import FILLED_FIELDS, UNTIED_COLUMN, Bank, Label, Template, Variant
from curation.records.errors import CurateError
from curation.records.ids import VariantVersion
from curation.records.wording import shortened

_COMMAND = "curate translate wording"


@dataclass(frozen=True, slots=True)
class WrittenStereotype:
    """The stereotype that a person has given to a template.

    Attributes:
        template_id: The template.
        before: What stood there; empty for nothing.
        stereotype: What stands there now.
        variants: How many rows of the bank changed.
    """

    template_id: str
    before: str
    stereotype: str
    variants: int


def write_stereotype(
    workspace: Workspace, template: str, stereotype: str, *, dry_run: bool = False
) -> WrittenStereotype:
    """Give a template its stereotype, in all of its variants.

    Where the source names one, translators write it in their workbooks; this is for the others.

    Args:
        workspace: The workspace.
        template: Its id.
        stereotype: In the culture's language.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If the text is empty, the template is not there, its source names a
            stereotype, or a file cannot be read or written.
    """
    text = " ".join(stereotype.split())
    if not text:
        raise CurateError("the stereotype is empty", hint="write it in the culture's language")
    with writing(workspace, _COMMAND, dry_run=dry_run):
        [name] = present(workspace, [template])
        rows = [row for row in workspace.bank.variants if str(row.template_id) == name]
        source = next((s for row in rows if (s := row.source_texts.stereotype.strip())), "")
        if source:
            raise CurateError(
                f"the source of {name} names a stereotype: '{source}'",
                f"{workspace.shown(workspace.bank_file)}, row {rows[0].row}",
                "translate it in a translator's workbook: curate translate sheet",
            )
        changed = [
            replace(row, texts=replace(row.texts, stereotype=text))
            if str(row.template_id) == name
            else row
            for row in workspace.bank.variants
        ]
        count = sum(row.texts.stereotype != text for row in rows)
        if count and not dry_run:
            workspace.write_bank(workspace.bank_file, Bank(tuple(changed)))
    return WrittenStereotype(name, rows[0].texts.stereotype, text, count)


# --- variants that translators see apart


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
    with writing(workspace, _COMMAND, dry_run=dry_run):
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
        idle = {
            str(item.id)
            for item in every
            if item.label in (Label.SAMPLE_REMOVED, Label.NEWLY_CREATED) or not _has_source(item)
        }
    return Untying(
        everything=not templates,
        changed=tuple(name for name in order if (name in now) != (name in before)),
        unchanged=tuple(name for name in named if (name in now) == (name in before)),
        untied=tuple(name for name in order if name in now),
        not_translated=tuple(name for name in named if name in idle),
    )


def _with_cell(bank: Bank, names: Collection[str], cell: str) -> Bank:
    """The bank with a cell in the rows of templates; the column goes with the last of them."""
    rows = [
        replace(row, extra=(*_others(row), (UNTIED_COLUMN, cell)))
        if str(row.template_id) in names and dict(row.extra).get(UNTIED_COLUMN, "") != cell
        else row
        for row in bank.variants
    ]
    if not any(dict(row.extra).get(UNTIED_COLUMN) for row in rows):
        rows = [replace(row, extra=_others(row)) for row in rows]
    return Bank(tuple(rows))


def _others(row: Variant) -> tuple[tuple[str, str], ...]:
    return tuple(item for item in row.extra if item[0] != UNTIED_COLUMN)


# --- versions


@dataclass(frozen=True, slots=True)
class Versions:
    """What became of templates that were to have several wordings.

    Attributes:
        templates: Ids of those that changed.
        unchanged: Ids of those that had the versions already.
        variants: How many rows the bank gains.
        to_write: Templates without a source, whose other versions nobody can translate.
    """

    templates: tuple[str, ...]
    unchanged: tuple[str, ...]
    variants: int
    to_write: tuple[str, ...]


def add_versions(
    workspace: Workspace,
    templates: Sequence[str],
    versions: Sequence[VariantVersion],
    *,
    dry_run: bool = False,
) -> Versions:
    """Give templates several wordings, each a row of its own that is translated separately.

    What is written holds for the first version that is named. The rows of the others have the same
    source, machine text, groups and stereotype, and wait for their wording. Decisions are about
    templates, and stay; ids of samples name the version.

    Args:
        workspace: The workspace.
        templates: Their ids.
        versions: What they are to have.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If a template is not there, would have one version alone, or a file cannot be
            read or written.
    """
    wanted = [item for item in dict.fromkeys(versions) if item]
    with writing(workspace, _COMMAND, dry_run=dry_run):
        names = tuple(dict.fromkeys(present(workspace, templates)))
        if not names:
            raise CurateError("no template is named", hint="name ids, such as age-001")
        chosen = {item.id: item for item in workspace.bank.templates() if str(item.id) in names}
        there = {name: {row.id.version for row in i.variants} for name, i in chosen.items()}
        alone = [
            str(name)
            for name, versions_of in there.items()
            if len({*versions_of, *wanted} - {VariantVersion.ONLY}) < 2
        ]
        if alone:
            raise CurateError(
                f"{shortened(alone)} would have only one version",
                workspace.shown(workspace.bank_file),
                "name at least two, such as --version m --version f; nothing was written",
            )
        rows: list[Variant] = []
        for row in workspace.bank.variants:
            template = chosen.get(row.template_id)
            rows += [row] if template is None else _worded(row, template, wanted)
        before = {row.id for row in workspace.bank.variants}
        other = {str(row.template_id) for row in rows if row.id not in before}
        changed = tuple(str(name) for name in chosen if str(name) in other)
        more = len(rows) - len(workspace.bank.variants)
        if changed and not dry_run:
            workspace.write_bank(workspace.bank_file, Bank(tuple(rows)))
    return Versions(
        templates=changed,
        unchanged=tuple(name for name in names if name not in changed),
        variants=more,
        to_write=tuple(str(i.id) for i in chosen.values() if not _has_source(i)),
    )


def _has_source(template: Template) -> bool:
    return any(variant.source_texts.has_body for variant in template.variants)


def _worded(row: Variant, template: Template, wanted: Sequence[VariantVersion]) -> list[Variant]:
    """A row as its version, with rows of the versions that the template lacks after it."""
    there = {variant.id.version for variant in template.variants}
    lacking = [item for item in wanted if item not in there]
    if VariantVersion.ONLY in there:
        if row.id.version:
            return [row]
        # What is written becomes the first of them, unless that is there already.
        own, others = (lacking[0], lacking[1:]) if lacking else (row.id.version, [])
    else:
        own = row.id.version
        others = lacking if own == template.first.id.version else []
    # What is worded for the first one is still to be written for the others.
    unwritten = replace(row.texts, **dict.fromkeys(FILLED_FIELDS, ""))  # type: ignore[arg-type]  # text alone
    return [
        replace(row, id=replace(row.id, version=own)),
        *(
            replace(row, id=replace(row.id, version=version), texts=unwritten, row=0)
            for version in (others if _has_source(template) else ())
        ),
    ]
