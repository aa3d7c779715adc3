"""Templates that a person takes out of the bank, or sets aside in it, and brings back."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from curation.files.codec import DECISIONS, now
from curation.files.lock import writing
from curation.files.tables import read_table
from curation.files.workspace import Workspace
from curation.records.bank import Bank, Label, Template, TemplateId, Variant
from curation.records.messages import CurateError, decider, given_reason, refusal, shortened
from curation.records.survey import Decision, Outcome, Rule, Stage, additions, set_aside

Named = str | Label | Path
"""A template by its id, all templates with a label, or those of a table."""
TABLE_COLUMNS = ("template_id", "reason")
"""The columns of a table of templates, each with its own reason."""


def in_use(workspace: Workspace) -> list[Template]:
    """The templates of the bank that are used, as `Workspace.not_used` has it.

    Raises:
        CurateError: If bank or ledger cannot be read.
    """
    out = workspace.not_used
    return [item for item in workspace.bank.templates() if str(item.id) not in out]


def read_reasons(path: Path) -> dict[str, str]:
    """Read a table of templates, each with its reason.

    Raises:
        CurateError: If it cannot be read, a row names no template or no reason, or two give one
            template different reasons.
    """
    found = read_table(path, required=TABLE_COLUMNS).pairs(*TABLE_COLUMNS)
    if not found:
        raise CurateError(f"{path.name} names no template", str(path), "name one in each row")
    return {name: " ".join(reason.split()) for name, reason in found.items()}


def set_aside_templates(
    workspace: Workspace,
    templates: Sequence[Named],
    *,
    reason: str = "",
    by: str,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Set templates aside: they stay in the bank, but are not in surveys and exports.

    Gives the ids of now (`templates`), how many rows of the bank moved (`variants`), of which the
    same was decided before (`unchanged`), and how many `decisions` the ledger gains.

    Args:
        workspace: The workspace.
        templates: Their ids, also those that they had before; a label for all that have it; a
            table (CSV) with the columns of `TABLE_COLUMNS`, each with its reason.
        reason: The reason, for later readers; of all that have none in a table.
        by: The person who takes responsibility; the ledger names them.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If reason or name is empty, a template is not there, or a file cannot be read
            or written.
    """
    with writing(workspace, "curate override", dry_run=dry_run):
        reasons = _reasons(workspace, templates, reason, workspace.bank)
        return _decide(workspace, reasons, Outcome.DROP, by, dry_run=dry_run)


def delete_templates(
    workspace: Workspace,
    templates: Sequence[Named],
    *,
    reason: str = "",
    by: str,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Move templates from the bank to `templates_src/deleted.csv`.

    Importing again does not bring them back; `restore_templates` does.

    Args:
        workspace: The workspace.
        templates: As for `set_aside_templates`.
        reason: Likewise.
        by: Likewise.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: As `set_aside_templates` does.
    """
    with writing(workspace, "curate override", dry_run=dry_run):
        reasons = _reasons(workspace, templates, reason, workspace.bank)
        out, left = _parted(workspace.bank, reasons)
        names = {row.id for row in out}
        kept = [row for row in workspace.deleted.variants if row.id not in names]
        # First into the one file, last out of the other: a killed command loses none.
        first = workspace.deleted_file, Bank((*kept, *out))
        last = workspace.bank_file, Bank(left)
        moved = out, first, last
        return _decide(workspace, reasons, Outcome.DROP, by, moved, dry_run=dry_run)


def restore_templates(
    workspace: Workspace,
    templates: Sequence[Named],
    *,
    reason: str = "",
    by: str,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Restore templates that were deleted or set aside; then the survey decides on them again.

    Args:
        workspace: The workspace.
        templates: As for `set_aside_templates`; a label stands for those in the bank.
        reason: Likewise.
        by: The person who takes responsibility; the ledger names them.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If reason or name is empty, one of them was neither deleted nor set aside, or a
            file cannot be read or written.
    """
    with writing(workspace, "curate override", dry_run=dry_run):
        deleted = workspace.deleted
        there = {row.id for row in workspace.bank.variants}
        aside = {
            *set_aside(workspace.renamed_decisions),
            *(str(row.template_id) for row in deleted.variants),
        }
        known = Bank((*workspace.bank.variants, *deleted.variants))
        reasons = _reasons(workspace, templates, reason, known)
        wrong = [name for name in reasons if name not in aside]
        if wrong:
            way, where = _way(wrong), workspace.shown(workspace.ledger_file)
            raise refusal("curation", "template-not-out", where, way=way, names=shortened(wrong))
        back, left = _parted(deleted, reasons)
        back = tuple(row for row in back if row.id not in there)
        first = workspace.bank_file, _with(workspace.bank, back)
        last = workspace.deleted_file, Bank(left)
        moved = back, first, last
        return _decide(workspace, reasons, Outcome.KEEP, by, moved, dry_run=dry_run)


def _parted(bank: Bank, names: Collection[str]) -> tuple[tuple[Variant, ...], tuple[Variant, ...]]:
    """The rows of templates, and all others."""
    mine = tuple(row for row in bank.variants if str(row.template_id) in names)
    return mine, tuple(row for row in bank.variants if str(row.template_id) not in names)


def _reasons(
    workspace: Workspace, templates: Iterable[Named], reason: str, known: Bank
) -> dict[str, str]:
    """The reason of each template that is named, by its id of now.

    Raises:
        CurateError: If one is not there, or has no reason; all of them are named.
    """
    named: dict[str, str] = {}
    for item in templates:
        if isinstance(item, Label):
            labelled = {str(i.id): reason for i in workspace.bank.templates() if i.label is item}
            if not labelled:
                raise CurateError(
                    f"no template is labelled {item}", workspace.shown(workspace.bank_file)
                )
            named |= labelled
        else:
            named |= read_reasons(item) if isinstance(item, Path) else {item: reason}
    if not named:
        raise CurateError("no template is named", hint="name ids, a label or a table")
    reasons = map(given_reason, named.values())
    return dict(zip(_present(workspace, named, known), reasons, strict=True))


def _present(workspace: Workspace, names: Iterable[str], known: Bank) -> tuple[str, ...]:
    """The ids of now of templates that are named by these or by former ones.

    Args:
        workspace: The workspace.
        names: Their ids.
        known: Where they may be.

    Raises:
        CurateError: If some are not there; they are named.
    """
    there = known.template_names
    found = {name: workspace.id_now(name) for name in names}
    unknown = [name for name, now_called in found.items() if now_called not in there]
    if unknown:
        gone = workspace.deleted.template_names
        deleted = [name for name in unknown if found[name] in gone]
        if deleted:
            where, names = workspace.shown(workspace.deleted_file), shortened(deleted, 10)
            key = "template-already-deleted"
            raise refusal("curation", key, where, way=_way(deleted), names=names)
        where, names = workspace.shown(workspace.bank_file), shortened(unknown, 10)
        raise refusal("curation", "template-not-there", where, way=_way(unknown), names=names)
    return tuple(found.values())


def _way(names: Sequence[str]) -> str:
    return "one" if len(names) == 1 else "several"


_Written = tuple[Path, Bank]
"""A file, and the rows that it gets."""


def _decide(
    workspace: Workspace,
    reasons: dict[str, str],
    outcome: Outcome,
    by: str,
    moved: tuple[Sequence[Variant], _Written, _Written] | None = None,
    *,
    dry_run: bool,
) -> dict[str, Any]:
    """Append what was decided to the ledger, between two writings of rows that move.

    Args:
        workspace: The workspace.
        reasons: The reason of each template.
        outcome: What is decided.
        by: Who decides.
        moved: The rows that leave or come back, the file that is written first, and the last one.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If nobody answers for it, or something cannot be written.
    """
    who = decider(by)
    decisions = [
        Decision(name, Stage.MANUAL, Rule.REMOVAL, outcome, why) for name, why in reasons.items()
    ]
    added = additions(workspace.renamed_decisions, decisions, who, now())
    rows, *files = moved if moved and moved[0] else ((),)
    if not dry_run:
        for file, bank in files[:1]:
            workspace.write_bank(file, bank)
        DECISIONS.append(workspace.ledger_file, added.decisions)
        for file, bank in files[1:]:
            workspace.write_bank(file, bank)
    changed = {item.subject for item in added.decisions}
    unchanged = () if rows else tuple(name for name in reasons if name not in changed)
    return {
        "templates": tuple(reasons),
        "variants": len(rows),
        "unchanged": unchanged,
        "decisions": len(added.decisions),
    }


def _with(bank: Bank, back: Collection[Variant]) -> Bank:
    """The bank with templates at the places of their numbers in their categories."""
    rows = list(bank.variants)
    for template in Bank(tuple(back)).templates():
        at = _place(rows, template.id)
        rows[at:at] = template.variants
    return Bank(tuple(rows))


def _place(rows: Sequence[Variant], name: TemplateId) -> int:
    """Before the first greater number of the category, else after its last row, else at the end."""
    mine = [at for at, row in enumerate(rows) if row.template_id.category == name.category]
    greater = (at for at in mine if rows[at].template_id.number > name.number)
    return next(greater, mine[-1] + 1 if mine else len(rows))
