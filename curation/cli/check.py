"""`curate check`: findings on bank, groups and settings."""

import difflib
from collections.abc import Iterable, Sequence

import click

from curation.checks.base import Subject
from curation.checks.catalogue import ALL, RELEASE, entries, in_order, run
from curation.checks.release.facts import ReleaseFacts
from curation.checks.settings_changed import SettingsChanged
from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.decided import decided_with
from curation.io.workspace import Workspace
from curation.model.findings import Finding, Severity, has_errors


def _known(
    _context: click.Context, _option: click.Parameter, rules: tuple[str, ...]
) -> tuple[str, ...]:
    known = [entry.rule for entry in entries()]
    for rule in rules:
        if rule not in known:
            near = difflib.get_close_matches(rule, known, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else " 'curate check --list' lists them."
            raise click.BadParameter(f"there is no rule '{rule}'.{hint}")
    return rules


def _rules(_context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the ids of rules to the shell."""
    return [entry.rule for entry in entries() if entry.rule.startswith(incomplete)]


@click.command("check")
@workspace_option
@json_option
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="ID",
    callback=_known,
    shell_complete=_rules,
    help="Apply this rule only; may be given several times. Rows that cannot be read are "
    "always said.",
)
@click.option(
    "--release",
    "of_release",
    is_flag=True,
    help="Apply the rules of a release too: what has to be there, and what must not, before the "
    "benchmark is published.",
)
@click.option("--list", "as_list", is_flag=True, help="List the rules and stop.")
@click.pass_context
def command(
    context: click.Context,
    /,
    workspace: Workspace,
    as_json: bool,
    rules: tuple[str, ...],
    of_release: bool,
    as_list: bool,
) -> None:
    """List findings on bank, groups and settings.

    Settings of the survey that are other ones than its decisions were made with are said too.
    An error stops a release, a warning wants a look. The exit status is 1 when there is an
    error and 0 otherwise.

    --release also looks for what only a release has to obey: no template undecided, references,
    licences that go together, nothing that names a person, and all that a reader has to be told.
    """
    if as_list:
        _print_rules(as_json)
        return
    findings = check_workspace(workspace, rules, release=of_release)
    if as_json:
        counts = {item.value: _count(findings, item) for item in Severity}
        print_json({"findings": [finding_dict(item) for item in findings], "counts": counts})
    else:
        print_findings(findings)
        click.echo(_summary(workspace, findings))
    if has_errors(findings):
        context.exit(1)


def check_workspace(
    workspace: Workspace,
    rules: Sequence[str] = (),
    *,
    release: bool = False,
    facts: ReleaseFacts | None = None,
) -> list[Finding]:
    """Give what reading the bank and the groups, and the rules, find of a workspace.

    Args:
        workspace: The workspace.
        rules: Ids of the rules to apply; all by default, those of a release only if it is asked.
        release: Whether to apply the rules of a release too.
        facts: What these look at, where it has been gathered already.

    Raises:
        CurateError: If a file as a whole cannot be read.
    """
    bank, of_bank = workspace.bank_and_findings
    groups, of_groups = workspace.groups_and_findings
    checks = [check for check in ALL if not rules or check.rule in rules]
    of_release = [check for check in RELEASE if (release and not rules) or check.rule in rules]
    if of_release and has_errors((*of_bank, *of_groups)):
        of_release = []  # nothing can be said of what cannot be read: that alone stops a release
    compared = of_release or any(check.rule == SettingsChanged.rule for check in checks)
    subject = Subject(
        culture=workspace.culture,
        bank=bank,
        groups=tuple(groups),
        bank_file=workspace.shown(workspace.bank_file),
        groups_file=workspace.shown(workspace.groups_file),
        decided_with=decided_with(workspace) if compared else None,
        release=(facts or _release_facts(workspace)) if of_release else None,
    )
    of_reading = [
        item
        for item in (*of_bank, *of_groups)
        if not rules or item.rule in rules or item.severity is Severity.ERROR
    ]
    return in_order([*of_reading, *run(subject, [*checks, *of_release])])


def _release_facts(workspace: Workspace) -> ReleaseFacts:
    from curation.cli.releasing import release_facts  # which reads more than a check needs

    return release_facts(workspace)


def _count(findings: Iterable[Finding], severity: Severity) -> int:
    return sum(item.severity is severity for item in findings)


def _summary(workspace: Workspace, findings: Sequence[Finding]) -> str:
    variants = len(workspace.bank_and_findings[0].variants)
    groups = len(workspace.groups_and_findings[0])
    read = f"{variants} {plural('variant', variants)} and {groups} {plural('group', groups)}"
    return f"{count_findings(findings)} in {read}."


def _print_rules(as_json: bool) -> None:
    rules = entries()
    if as_json:
        print_json(
            {
                "rules": [
                    {
                        "rule": entry.rule,
                        "severity": entry.severity.value,
                        "title": entry.title,
                        "hint": entry.hint,
                    }
                    for entry in rules
                ]
            }
        )
        return
    rows = [(entry.rule, entry.severity.value, entry.title) for entry in rules]
    for line in table_lines(("rule", "severity", "title"), rows, left=3):
        click.echo(line)
