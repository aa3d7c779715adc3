"""`curate check`: findings on bank, groups and settings; `curate stats`: templates and samples."""

import difflib
from collections.abc import Collection, Sequence
from typing import Any

import click

from curation.bank.sample_set import LARGE, Counts
from curation.checks.settings import settings_changed
from curation.checks.workspace import ENTRIES, FILLING, RELEASE, check, confirm
from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import Finding, Results, Severity, counted, shortened
from curation.records.survey import Status
from exports.edition import unfillable
from survey.bank import decided_with, final_bank
from survey.totals import stats


def _known(
    _context: click.Context, _option: click.Parameter, rules: tuple[str, ...]
) -> tuple[str, ...]:
    known = [entry.id for entry in ENTRIES]
    for rule in (rule for rule in rules if rule not in known):
        near = difflib.get_close_matches(rule, known, n=1)
        meant = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"
        raise click.BadParameter(f"there is no rule '{rule}': {meant}")
    return rules


def _rules(_context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the ids of rules to the shell."""
    return [entry.id for entry in ENTRIES if entry.id.startswith(incomplete)]


@options.curate_command("check")
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="ID",
    callback=_known,
    shell_complete=_rules,
    help="Apply this rule only; may be given several times. Rows that cannot be read are always "
    "listed.",
)
@options.flag_option(
    "--release",
    "of_release",
    help="Apply the rules for a release too: what a benchmark must have, and must not have, when "
    "it is published.",
)
@options.flag_option(
    "--all",
    "every_template",
    help="Show findings on templates that are not used too (labelled SR, set aside, or dropped by "
    "an override or a rule on their stereotype), and warnings that were confirmed.",
)
@click.option(
    "--confirm",
    "reason",
    metavar="REASON",
    help="Confirm the warnings of --rule or --template: nothing is to be done about them. They "
    "come back when a text of their template is changed.",
)
@options.templates_option
@click.option("--by", metavar="NAME", help="With --confirm: who decides; the ledger names them.")
def command(
    workspace: Workspace,
    rules: tuple[str, ...],
    of_release: bool,
    every_template: bool,
    reason: str | None,
    templates: tuple[str, ...],
    by: str | None,
) -> terminal.Taken:
    """Check templates, groups and settings, and list what was found.

    It also checks whether settings of the survey were changed after its decisions. Three warnings
    of a rule are shown, and more with --rule or --template. An error stops a release. Look at each
    warning: correct what it is about, or confirm it with --confirm, which writes your name and
    reason to the ledger. The exit status is 1 when there is an error and 0 otherwise.

    --release also checks what a release needs: a decision on every template, references, compatible
    licences, no names of persons, and complete documentation.
    """
    if (reason is None) != (by is None):
        raise click.UsageError("--confirm REASON and --by NAME go together")
    if reason is not None and not rules and not templates:
        raise click.UsageError("say which warnings you confirm: --rule ID, --template ID, or both")
    wanted: dict[str, Any] = {
        "templates": templates,
        "every_template": every_template,
        "progress": terminal.progress_of_each(),
    }
    if (of_release and not rules) or any(rule.id in rules for rule in RELEASE):
        from exports.releases import release_check  # loads all that a release is made of

        found = release_check(workspace, rules, **wanted)
    else:
        compared = not rules or settings_changed.id in rules
        settings = decided_with(workspace) if compared else None
        filled = not rules or any(entry.id in rules for entry in FILLING)
        cannot = unfillable(workspace) if filled else ()
        found = check(workspace, rules, decided_with=settings, unfillable=cannot, **wanted)
    if reason is not None and by is not None:
        return _confirm(workspace, found, reason, by)

    def show() -> None:
        terminal.print_findings(
            found.findings, each=terminal.LISTED if rules or templates else None
        )
        click.echo(_summary(workspace, found.findings, templates))
        if found.hidden:
            told = counted(found.hidden, "finding")
            click.echo(f"{told} on templates that are not used: curate check --all")
        if found.confirmed:
            told = counted(found.confirmed, "finding was", "findings were")
            click.echo(f"{told} confirmed: curate check --all")

    return found, found.findings, show


def _confirm(workspace: Workspace, found: Results, reason: str, by: str) -> terminal.Taken:
    """Confirm warnings, and say which."""
    of_warning = [item for item in found.findings if item.severity is not Severity.ERROR]
    added = confirm(workspace, of_warning, reason=reason, by=by)

    def show() -> None:
        terminal.echo_list([item.reason for item in added.decisions], "warning")
        click.echo(f"{terminal.to_ledger(added)}.")

    value = {
        "findings": of_warning,
        "added": len(added.decisions),
        "unchanged": added.unchanged,
    }
    return value, False, show


def _summary(workspace: Workspace, findings: Sequence[Finding], templates: Collection[str]) -> str:
    variants = workspace.bank_and_findings[0].variants
    if templates:
        chosen = workspace.chosen(templates)
        among = counted(sum(str(item.template_id) in chosen for item in variants), "variant")
    else:
        groups = counted(len(workspace.groups_and_findings[0]), "group")
        among = f"{counted(len(variants), 'variant')} and {groups}"
    return f"{terminal.count_findings(findings)} in {among}."


@options.curate_command("stats")
@options.templates_option
def stats_command(workspace: Workspace, templates: tuple[str, ...]) -> terminal.Taken:
    """Count templates and samples by category and label, before and after the survey.

    The table has the columns of KoBBQ's table 1: templates labelled SR, retained templates of each
    other label, all templates before the survey, all retained templates, and their samples. It uses
    the decisions in the ledger; a note lists settings that were changed since.

    Use it before an export to see which templates give too many samples: it counts without making
    samples. --json gives the numbers of every template. Templates that cannot be filled are listed,
    but not counted.
    """
    final = final_bank(workspace).of(workspace.chosen(templates))
    found = stats(workspace, final)
    faults = (*final.findings, *found.findings)
    waiting = [str(template.id) for template in final.open]
    undecided = [str(item.template.id) for item in final.with_status(Status.UNDECIDED)]
    changed = check(workspace, [settings_changed.id], decided_with=decided_with(workspace)).findings
    value = {
        **{name: found[name] for name in ("rows", "templates", "limit", "exceeds_limit")},
        "without_samples": waiting,
        "undecided": undecided,
        "findings": [*faults, *changed],
    }

    def show() -> None:
        click.echo("\n".join(_lines(found.rows)))
        _echo_large(found)
        terminal.print_findings(changed, err=True)
        if undecided and final.tallies:
            terminal.echo_note("included without a survey decision", undecided)
        _echo_uncounted(waiting, faults)

    return value, bool(faults), show


def _echo_uncounted(waiting: Sequence[str], faults: Sequence[Finding]) -> None:
    """Say which templates give no samples yet, and which cannot be filled."""
    if waiting:
        what = counted(len(waiting), "template gives", "templates give")
        why = "not translated, or groups not surveyed"
        said = f"{what} no samples yet ({why}): {shortened(waiting, 10)}"
        click.echo(f"\n{terminal.wrapped(said)}")
    if faults:
        several = "templates cannot be filled and are"
        what = counted(len(faults), "template cannot be filled and is", several)
        click.echo(f"\n{what} not counted:")
        terminal.print_findings(faults, each=terminal.LISTED)


_LARGEST = 5


def _echo_large(found: Results) -> None:
    """Say which templates explode, and whether an export would stop at them."""
    large = sorted((one for one in found.templates if one["large"]), key=lambda it: -it["samples"])
    if large:
        what = counted(len(large), "template gives", "templates give")
        click.echo(f"\n{what} more than {LARGE:,} samples, the largest first:")
        rows = [
            (item["template_id"], *(f"{item[it]:,}" for it in ("fillings", "possible", "samples")))
            for item in large[:_LARGEST]
        ]
        header = ("Template", "fillings", "possible samples", "samples")
        terminal.echo_table(header, rows)
        if len(large) > _LARGEST:
            click.echo(f"... and {len(large) - _LARGEST} more (see --json)")
    if found.exceeds_limit:
        click.secho("Warning", nl=False, err=True, fg="red")
        click.echo(
            f": {found.rows[-1]['samples']:,} samples are more than samples.limit "
            f"({found.limit:,}):\n    no export writes them\n    -> draw some of each template "
            "with --per-template N, or set\n       samples.per_template in culture.yaml",
            err=True,
        )


_COLUMNS = {
    "Category": "category",
    "SR": "sample_removed",
    "TM": "target_modified",
    "ST": "simply_transferred",
    "NC": "newly_created",
    "unlabelled": "unlabelled",
    "before survey": "templates_before_survey",
    "templates": "templates",
}
"""By title of a column what it counts; samples stand behind them."""


def _lines(rows: Sequence[Counts]) -> list[str]:
    some = any(row["unlabelled"] for row in rows)
    columns = {title: name for title, name in _COLUMNS.items() if some or name != "unlabelled"}
    cells = [[*(row[name] for name in columns.values()), f"{row['samples']:,}"] for row in rows]
    return terminal.table_lines([*columns, "samples"], cells)
