"""Check a workspace: what reading its files finds, what the rules find, and what is confirmed.

A warning that a person has looked at is confirmed once, with name and reason, in the ledger. The
subject there names the warning by its content: what is said, where, and all texts of its template
or the whole row of its group. When one of them is changed, the warning is said again.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace

from curation.checks import conditions, groups, release, settings, slots, texts, variants
from curation.checks.groups import removed_text
from curation.checks.subject import CULTURE_FILE, SECTIONS, FindingKind, ReleaseFacts, Subject
from curation.files.codec import DECISIONS, now
from curation.files.lock import writing
from curation.files.outcomes import outcomes
from curation.files.workspace import MISSING_GROUPS, Workspace
from curation.records import survey
from curation.records.messages import (
    FINDINGS,
    Finding,
    Progress,
    Results,
    Severity,
    decider,
    given_reason,
    has_errors,
    refuse_unknown,
    silent,
    watched,
)
from curation.records.survey import Rule as Deciding


def confirm(
    workspace: Workspace,
    findings: Iterable[Finding],
    *,
    reason: str,
    by: str,
    dry_run: bool = False,
) -> survey.Additions:
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
    who, why = decider(by), given_reason(reason)
    with writing(workspace, "curate check", dry_run=dry_run):
        subjects = _Subjects(workspace)
        kind = survey.Stage.MANUAL, Deciding.CONFIRMED, survey.Outcome.KEEP
        decisions = [
            survey.Decision(subjects.of(item), *kind, subjects.said(item) + why)
            for item in findings
            if item.severity is not Severity.ERROR
        ]
        known = confirmed(workspace.decisions)
        new = [item for item in decisions if item.subject not in known]
        added = survey.additions(workspace.decisions, dict.fromkeys(new), who, now())
        if not dry_run:
            DECISIONS.append(workspace.ledger_file, added.decisions)
    return replace(added, unchanged=len(decisions) - len(new))


def confirmed(decisions: Iterable[survey.Decision]) -> dict[str, survey.Decision]:
    """The confirmations of a ledger, by the subjects that name the warnings."""
    standing = survey.current(item for item in decisions if item.rule is Deciding.CONFIRMED)
    return {item.subject: item for item in standing.values()}


def parted(
    workspace: Workspace, findings: Sequence[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """Findings that nobody has confirmed, and those that somebody has; these say who, and why.

    Args:
        workspace: The workspace.
        findings: What the rules found.
    """
    known = confirmed(workspace.decisions)
    subjects = _Subjects(workspace) if known else None
    left, settled = [], []
    for item in findings:
        by = known.get(subjects.of(item)) if subjects else None
        if subjects is None or by is None or item.severity is Severity.ERROR:
            left.append(item)
        else:
            why = by.reason.removeprefix(subjects.said(item))
            said = f"confirmed by {by.by} on {by.at[:10]}: {why}"
            settled.append(replace(item, severity=Severity.INFO, hint=said))
    return left, settled


class _Subjects:
    """What names the warnings of a workspace in the ledger."""

    def __init__(self, workspace: Workspace) -> None:
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


_RULES = {
    item.id: item
    for module in (slots, conditions, texts, variants, groups, settings, release)
    for item in vars(module).values()
    if isinstance(item, FindingKind)
}

READING, ALL, FILLING, RELEASE = (
    tuple(_RULES.get(name, said) for name, said in SECTIONS[section].items())
    for section in ("reading", "workspace", "filling", "release")
)
"""What is said of files while they are read; every rule of a workspace; what is said of templates
when they are filled as an export fills them; the rules that only a release has to obey, applied by
`curate check --release`."""

ENTRIES: tuple[FindingKind, ...] = (*READING, *ALL, *FILLING, *RELEASE)
"""The catalogue."""


def run(subject: Subject, rules: Iterable[FindingKind] = ALL) -> list[Finding]:
    """Apply rules.

    Args:
        subject: What they look at.
        rules: The rules; all of them by default.

    Returns:
        Their findings by file, row and rule.
    """
    return in_order(finding for item in rules for finding in item.findings(subject))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by file, row and rule; those on a whole file come first."""
    return sorted(findings, key=lambda item: (item.file, item.row or 0, item.rule, item.column))


def check(
    workspace: Workspace,
    rules: Sequence[str] = (),
    *,
    decided_with: Mapping[str, object] | None = None,
    release: ReleaseFacts | None = None,
    unfillable: Sequence[Finding] = (),
    templates: Collection[str] = (),
    every_template: bool = False,
    progress: Progress = silent,
) -> Results:
    """Check a workspace: read the bank and the groups, and apply the rules.

    Of templates that are not used nothing is said, or their errors are warnings. What a person has
    confirmed is not said again (`curation.checks.workspace`).

    Args:
        workspace: The workspace.
        rules: Ids of the rules to apply; by default all of a workspace, and those of a release
            where `release` is given.
        decided_with: The settings of the survey that its decisions were made with, by name.
        release: The facts that the rules of a release check.
        unfillable: Templates that an export could not fill (`exports.edition.unfillable`); those of
            which a rule finds an error are not said twice.
        templates: Ids or categories of which alone something is said, as `Workspace.chosen` reads
            them; by default all of the workspace.
        every_template: Whether what is said of templates that are not used, and what was
            confirmed, is among the findings too.
        progress: Called with how many rules are applied, and the total.

    Returns:
        What the check says; its table is that of the findings.

        - `findings`: What was found, by file, row and rule.
        - `counts`: How many findings there are of each severity.
        - `hidden`: How many findings on templates that are not used are not among them.
        - `confirmed`: How many that a person has confirmed are not among them.

    Raises:
        CurateError: If a file as a whole cannot be read, or there is no such rule or template.
    """
    is_meant = _on_rows_of(workspace, workspace.chosen(templates)) if templates else None
    for rule_id in rules:
        refuse_unknown("rule", rule_id, [entry.id for entry in ENTRIES])
    of_reading = (*workspace.bank_and_findings[1], *workspace.groups_and_findings[1])
    checks = [rule for rule in ALL if not rules or rule.id in rules]
    if release is not None and not has_errors(of_reading):
        # Nothing can be said of what cannot be read: that alone stops a release.
        checks += [rule for rule in RELEASE if not rules or rule.id in rules]
        checks = [replace(rule, severity=Severity.ERROR) if rule.stops else rule for rule in checks]
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
    said += _not_said(workspace, said, unfillable)
    found, others = _out_of_use(workspace, said)
    found, settled = parted(workspace, found)
    shown, hidden, known = (
        [item for item in part if is_meant is None or is_meant(item)]
        for part in ([*told, *found], others, settled)
    )
    if every_template:
        shown, hidden, known = [*shown, *hidden, *known], [], []
    counts = {one.value: sum(item.severity is one for item in shown) for one in Severity}
    more = {"counts": counts, "hidden": len(hidden), "confirmed": len(known)}
    return Results({"findings": tuple(in_order(shown)), **more}, FINDINGS)


def _on_rows_of(workspace: Workspace, templates: Collection[str]) -> Callable[[Finding], bool]:
    """What tells whether a finding is on a row of some templates."""
    file = workspace.shown(workspace.bank_file)
    variants = workspace.bank_and_findings[0].variants
    rows = {variant.row for variant in variants if str(variant.template_id) in templates}
    return lambda item: item.file == file and item.row in rows


def _not_said(
    workspace: Workspace, said: Sequence[Finding], unfillable: Sequence[Finding]
) -> list[Finding]:
    """What an export could not fill, of templates in which no rule finds an error.

    A wrong setting is a reason for all of them.
    """
    if any(item.file == CULTURE_FILE and item.severity is Severity.ERROR for item in said):
        return []
    file = workspace.shown(workspace.bank_file)
    variants = workspace.bank_and_findings[0].variants
    template: dict[int | None, object] = {row.row: row.template_id for row in variants}
    errors = (it for it in said if it.file == file and it.severity is Severity.ERROR)
    faulty = {template[item.row] for item in errors if item.row in template}
    return [item for item in unfillable if template.get(item.row) not in faulty]


def _out_of_use(
    workspace: Workspace, findings: Iterable[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """The findings on templates in use, and those on the others, of which none is an error.

    That a template labelled SR has texts is said of its label.
    """
    bank, found = workspace.bank_and_findings
    unread = has_errors(found)
    # Templates that are not all read are linked to no question: what people took out is known.
    half = outcomes(list(bank.templates()), (), workspace.decisions) if unread else ()
    out = {str(it.template.id) for it in half if it.is_out_of_use} if unread else workspace.not_used
    is_out = _on_rows_of(workspace, out)
    used, others = [], []
    for item in findings:
        if not is_out(item) or item.rule == removed_text.id:
            used.append(item)
        elif item.severity is Severity.ERROR:
            others.append(replace(item, severity=Severity.WARNING))
        else:
            others.append(item)
    return used, others
