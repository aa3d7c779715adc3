"""Check a workspace: what reading its files finds, and what the rules find."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curation.checks.catalogue import ALL, ENTRIES, RELEASE, in_order, run
from curation.checks.confirming import parted
from curation.checks.labels import removed_text
from curation.checks.subject import CULTURE_FILE, ReleaseFacts, Subject
from curation.files.workspace import MISSING_GROUPS, Workspace
from curation.records.bank import Bank
from curation.records.errors import refuse_unknown
from curation.records.findings import Finding, HasFindings, Severity, has_errors
from curation.records.progress import Progress, silent, watched
from curation.records.survey import not_used

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class Checked(HasFindings):
    """The findings of a check, by file, row and rule.

    Attributes:
        findings: What was found.
        hidden: How many findings on templates that are not used are not among them.
        confirmed: How many that a person has confirmed are not among them.
    """

    findings: tuple[Finding, ...]
    hidden: int = 0
    confirmed: int = 0

    def count(self, severity: Severity) -> int:
        """The number of findings of a severity."""
        return sum(item.severity is severity for item in self.findings)


def check(
    workspace: Workspace,
    rules: Sequence[str] = (),
    *,
    decided_with: Mapping[str, object] | None = None,
    release: ReleaseFacts | None = None,
    unfillable: Sequence[Finding] = (),
    every_template: bool = False,
    progress: Progress = silent,
) -> Checked:
    """Check a workspace: read the bank and the groups, and apply the rules.

    Of templates that are not used nothing is said, or their errors are warnings. What a person has
    confirmed is not said again (`curation.checks.confirming`).

    Args:
        workspace: The workspace.
        rules: Ids of the rules to apply; by default all of a workspace, and those of a release
            where `release` is given.
        decided_with: The settings of the survey that its decisions were made with, by name.
        release: The facts that the rules of a release check.
        unfillable: Templates that an export could not fill (`survey.bank.unfillable`); those of
            which a rule finds an error are not said twice.
        every_template: Whether what is said of templates that are not used, and what was
            confirmed, is among the findings too.
        progress: Called with how many rules are applied, and the total.

    Raises:
        CurateError: If a file as a whole cannot be read, or there is no such rule.
    """
    for rule_id in rules:
        refuse_unknown("rule", rule_id, [entry.id for entry in ENTRIES])
    of_reading = (*workspace.bank_and_findings[1], *workspace.groups_and_findings[1])
    checks = [rule for rule in ALL if not rules or rule.id in rules]
    if release is not None and not has_errors(of_reading):
        # Nothing can be said of what cannot be read: that alone stops a release.
        checks += [rule for rule in RELEASE if not rules or rule.id in rules]
    if any(item.rule == MISSING_GROUPS for item in of_reading):
        # That one error says it: every group of every template would be unknown.
        checks = [rule for rule in checks if not rule.id.startswith("group-")]
    subject = Subject.of(workspace, decided_with=decided_with, release=release)
    told = [
        item
        for item in of_reading
        if not rules or item.rule in rules or item.severity is Severity.ERROR
    ]
    said = run(subject, watched(checks, "Rules checked", progress))
    said += _not_said(workspace, subject.bank, said, unfillable)
    found, others = _out_of_use(workspace, subject.bank, said)
    found, settled = parted(workspace, found)
    if every_template:
        return Checked(tuple(in_order([*told, *found, *others, *settled])))
    return Checked(tuple(in_order([*told, *found])), len(others), len(settled))


def about(workspace: Workspace, found: Checked, templates: Collection[str]) -> Checked:
    """What a check says of some templates, by their ids of now or before.

    Raises:
        CurateError: If the bank has no such template.
    """
    rows: dict[str, set[int]] = {}
    for variant in workspace.bank_and_findings[0].variants:
        rows.setdefault(str(variant.template_id), set()).add(variant.row)
    wanted: set[int] = set()
    for name in templates:
        now = workspace.renamed.get(name, name)
        refuse_unknown("template", now, list(rows))
        wanted |= rows[now]
    file = workspace.shown(workspace.bank_file)
    said = (item for item in found.findings if item.file == file and item.row in wanted)
    return Checked(tuple(said), found.hidden, found.confirmed)


def _not_said(
    workspace: Workspace, bank: Bank, said: Sequence[Finding], unfillable: Sequence[Finding]
) -> list[Finding]:
    """What an export could not fill, of templates in which no rule finds an error.

    A wrong setting is a reason for all of them.
    """
    if any(item.file == CULTURE_FILE and item.severity is Severity.ERROR for item in said):
        return []
    file = workspace.shown(workspace.bank_file)
    template = {variant.row: variant.template_id for variant in bank.variants}
    faulty = {
        template.get(item.row or 0)
        for item in said
        if item.file == file and item.severity is Severity.ERROR
    }
    return [item for item in unfillable if template.get(item.row or 0) not in faulty - {None}]


def _out_of_use(
    workspace: Workspace, bank: Bank, findings: Iterable[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """The findings on templates in use, and those on the others, of which none is an error.

    That a template labelled SR has texts is said of its label.
    """
    unread = has_errors(workspace.bank_and_findings[1])
    decisions = workspace.decisions if unread else workspace.renamed_decisions
    out = not_used(bank.templates(), decisions)
    rows = {variant.row for variant in bank.variants if str(variant.template_id) in out}
    file = workspace.shown(workspace.bank_file)
    used, others = [], []
    for item in findings:
        if item.file == file and item.row in rows and item.rule != removed_text.id:
            error = item.severity is Severity.ERROR
            others.append(replace(item, severity=Severity.WARNING) if error else item)
        else:
            used.append(item)
    return used, others
