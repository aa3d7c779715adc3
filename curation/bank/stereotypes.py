"""Stereotypes of templates whose source names none, so that nobody can translate them."""

from dataclasses import dataclass, replace

from curation.bank.removal import present
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.bank import Bank
from curation.records.errors import CurateError


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
    with writing(workspace, "curate translate wording", dry_run=dry_run):
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
