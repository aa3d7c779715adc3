"""Versions of a template: wordings for different people, such as a masculine and a feminine one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation.bank.removal import present
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.bank import FILLED_FIELDS, Bank, Template, Variant
from curation.records.errors import CurateError
from curation.records.ids import VariantVersion
from curation.records.wording import shortened


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
    with writing(workspace, "curate translate wording", dry_run=dry_run):
        names = tuple(dict.fromkeys(present(workspace, templates)))
        if not names:
            raise CurateError("no template is named", hint="name ids, such as age-001")
        chosen = {item.id: item for item in workspace.bank.templates() if str(item.id) in names}
        alone = [str(i.id) for i in chosen.values() if len(_after(i, wanted)) < 2]
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


def _versions(template: Template) -> set[VariantVersion]:
    return {variant.id.version for variant in template.variants}


def _after(template: Template, wanted: Sequence[VariantVersion]) -> set[VariantVersion]:
    """The versions that a template would have."""
    return (_versions(template) | {*wanted}) - {VariantVersion.ONLY}


def _has_source(template: Template) -> bool:
    return any(variant.source_texts.has_body for variant in template.variants)


def _worded(row: Variant, template: Template, wanted: Sequence[VariantVersion]) -> list[Variant]:
    """A row as its version, with rows of the versions that the template lacks after it."""
    there = _versions(template)
    lacking = [item for item in wanted if item not in there]
    if VariantVersion.ONLY in there:
        if row.id.version:
            return [row]
        # What is written becomes the first of them, unless that is there already.
        own, others = (lacking[0], lacking[1:]) if lacking else (row.id.version, [])
    else:
        own = row.id.version
        others = lacking if own == template.first.id.version else []
    copies = others if _has_source(template) else []
    return [
        replace(row, id=replace(row.id, version=own)),
        *(_unwritten(row, version) for version in copies),
    ]


def _unwritten(row: Variant, version: VariantVersion) -> Variant:
    """A row of another version: what is worded for the first one is still to be written."""
    texts = replace(row.texts, **dict.fromkeys(FILLED_FIELDS, ""))  # type: ignore[arg-type]  # text alone
    return replace(row, id=replace(row.id, version=version), texts=texts, row=0)
