"""Warnings that a person has looked at: each is confirmed once, with name and reason.

The ledger holds the confirmation. Its subject names the warning by its content: what is said,
where, and all texts of its template or the whole row of its group. When one of them is changed, the
warning is said again.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from curation.files.ledger import DECISIONS, now
from curation.files.lock import writing
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.survey import Additions, Decision, Outcome, Rule, Stage, additions, current
from curation.records.wording import given_name

if TYPE_CHECKING:
    from curation.files.workspace import Workspace


def confirm(
    workspace: "Workspace",
    findings: Iterable[Finding],
    *,
    reason: str,
    by: str,
    dry_run: bool = False,
) -> Additions:
    """Record that a person has looked at warnings, and that nothing is to be done about them.

    Args:
        workspace: The workspace.
        findings: What `check` found; errors and what is confirmed already are passed over.
        reason: Why nothing is to be done, for later readers.
        by: The person who takes responsibility; the ledger names them.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If reason or name is empty, or the ledger cannot be written.
    """
    who, why = given_name(by, "--by"), " ".join(reason.split())
    if not who or not why:
        empty = "the reason" if who else "the name of the person who decides"
        raise CurateError(f"{empty} is empty")
    with writing(workspace, "curate check", dry_run=dry_run):
        subjects = _Subjects(workspace)
        decisions = [
            Decision(
                subjects.of(item),
                Stage.MANUAL,
                Rule.CONFIRMED,
                Outcome.KEEP,
                subjects.said(item) + why,
            )
            for item in findings
            if item.severity is not Severity.ERROR
        ]
        known = confirmed(workspace.decisions)
        new = [item for item in decisions if item.subject not in known]
        added = additions(workspace.decisions, dict.fromkeys(new), who, now())
        if not dry_run:
            DECISIONS.append(workspace.ledger_file, added.decisions)
    return replace(added, unchanged=len(decisions) - len(new))


def confirmed(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """The confirmations of a ledger, by the subjects that name the warnings."""
    standing = current(item for item in decisions if item.rule is Rule.CONFIRMED)
    return {item.subject: item for item in standing.values()}


def parted(
    workspace: "Workspace", findings: Sequence[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """Findings that nobody has confirmed, and those that somebody has; these say who, and why.

    Args:
        workspace: The workspace.
        findings: What the rules found.
    """
    known = confirmed(workspace.decisions)
    if not known:
        return list(findings), []
    subjects = _Subjects(workspace)
    left, settled = [], []
    for item in findings:
        by = None if item.severity is Severity.ERROR else known.get(subjects.of(item))
        if by is None:
            left.append(item)
        else:
            why = by.reason.removeprefix(subjects.said(item))
            said = f"confirmed by {by.by} on {by.at[:10]}: {why}"
            settled.append(replace(item, severity=Severity.INFO, hint=said))
    return left, settled


class _Subjects:
    """What names the warnings of a workspace in the ledger."""

    def __init__(self, workspace: "Workspace") -> None:
        bank, groups = workspace.shown(workspace.bank_file), workspace.shown(workspace.groups_file)
        texts: dict[str, dict[str, object]] = {}
        self._rows: dict[tuple[str, int | None], tuple[str, object]] = {}
        for variant in workspace.bank_and_findings[0].variants:
            name, whole = str(variant.id), texts.setdefault(str(variant.template_id), {})
            whole[name] = [asdict(variant.texts), asdict(variant.source_texts)]
            self._rows[bank, variant.row] = name, whole
        for group in workspace.groups_and_findings[0]:
            name = f"{group.category} {group.key}"
            self._rows[groups, group.row] = name, asdict(replace(group, row=0))

    def of(self, finding: Finding) -> str:
        """The subject of a warning: `warning-` and twelve digits of what it is about."""
        _, about = self._row(finding)
        text = json.dumps(
            [self.said(finding), finding.message, about], ensure_ascii=False, sort_keys=True
        )
        return f"warning-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    def said(self, finding: Finding) -> str:
        """What a reason in the ledger begins with, by ids that stay when rows move."""
        name, _ = self._row(finding)
        return f"{finding.rule}, {f'{name} {finding.column}'.strip()}: "

    def _row(self, finding: Finding) -> tuple[str, object]:
        """The name of the row that a warning is about, and all that it depends on."""
        return self._rows.get((finding.file, finding.row), (finding.file, None))
