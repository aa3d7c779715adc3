"""Check a workspace: what reading its files finds, and what the rules find."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curation.checks.catalogue import ALL, ENTRIES, RELEASE, in_order, run
from curation.checks.subject import ReleaseFacts, Subject
from curation.files.workspace import MISSING_GROUPS, Workspace
from curation.records.bank import Bank, Label
from curation.records.errors import refuse_unknown
from curation.records.findings import Finding, Severity, has_errors
from curation.records.frames import frame
from curation.records.progress import Progress, silent, watched
from curation.records.survey import set_aside

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of a check, by file, row and rule."""

    findings: tuple[Finding, ...]

    @property
    def has_errors(self) -> bool:
        """Whether one of the findings is an error."""
        return has_errors(self.findings)

    def count(self, severity: Severity) -> int:
        """The number of findings of a severity."""
        return sum(item.severity is severity for item in self.findings)

    def to_frame(self) -> "pd.DataFrame":
        """A row a finding: rule, severity, file, column, message, hint as text, row as Int64."""
        return frame(self.findings, Finding, row="Int64")


def check(
    workspace: Workspace,
    rules: Sequence[str] = (),
    *,
    decided_with: Mapping[str, object] | None = None,
    release: ReleaseFacts | None = None,
    unfillable: Sequence[Finding] = (),
    progress: Progress = silent,
) -> Checked:
    """Check a workspace: read the bank and the groups, and apply the rules.

    For a template that gives no samples, errors are warnings.

    Args:
        workspace: The workspace.
        rules: Ids of the rules to apply; by default all of a workspace, and those of a release
            where `release` is given.
        decided_with: The settings of the survey that its decisions were made with, by name.
        release: The facts that the rules of a release check.
        unfillable: Templates that an export could not fill (`survey.bank.unfillable`); those of
            which a rule finds an error are not said twice.
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
    found = _of_templates_in_use(workspace, subject.bank, said)
    return Checked(tuple(in_order([*told, *found])))


def _of_templates_in_use(
    workspace: Workspace, bank: Bank, findings: Iterable[Finding]
) -> Iterator[Finding]:
    """Say what is wrong with templates that give no samples as a warning, which stops nothing.

    Those are labelled SR, or somebody has set them aside.
    """
    unread = has_errors(workspace.bank_and_findings[1])
    decisions = workspace.decisions if unread else workspace.renamed_decisions
    aside = set_aside(decisions)
    rows = {
        variant.row
        for variant in bank.variants
        if variant.label is Label.SAMPLE_REMOVED or str(variant.template_id) in aside
    }
    file = workspace.shown(workspace.bank_file)
    for item in findings:
        out = item.file == file and item.row in rows and item.severity is Severity.ERROR
        yield replace(item, severity=Severity.WARNING) if out else item
