"""`curate filter`: thresholds to rulings, and the bank with its surveyed groups."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from pydantic import ValidationError

from curation import __version__
from curation.cli.clock import now
from curation.cli.common import (
    F,
    count_findings,
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.final import TALLIES, Final, finalize, manifest_inputs
from curation.io.bank import write_bank
from curation.io.ledger import append_decisions, write_targets
from curation.io.manifest import write_manifest
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.model.culture import SurveySettings
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors
from curation.model.survey import (
    Decision,
    Outcome,
    QuestionKind,
    Rule,
    Stage,
    Tally,
    TargetRow,
)
from survey.counts import read_counts
from survey.filtering import FunnelRow, question_drops, rule_on, stereotype_funnel, template_funnel
from survey.ledger import DROPPING_ORDER, Additions, additions, current
from survey.outcome import STATUS_COLUMNS, Status, TemplateOutcome, describe, status_rows
from survey.questionnaire import GroupBook, read_questionnaire
from survey.responses import read_responses
from survey.tallies import merge, write_tallies


@dataclass(frozen=True, slots=True)
class FilterRun:
    """What one run of the filter found; nothing is written yet."""

    settings: SurveySettings
    tallies: tuple[Tally, ...]
    rulings: tuple[Decision, ...]
    targets: tuple[TargetRow, ...]
    added: Additions
    final: Final
    findings: tuple[Finding, ...]


def _threshold(option: str, key: str, text: str) -> Callable[[F], F]:
    return click.option(option, key, default=None, metavar="NUMBER", help=text)


@click.command("filter")
@workspace_option
@click.option(
    "--survey",
    "surveys",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    help="Answers in normal form (CSV) or published counts (JSON); may be given several times.",
)
@click.option(
    "--comprehension",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Answers to the comprehension questions, where they are in a file of their own.",
)
@click.option(
    "--questionnaire",
    type=click.Path(path_type=Path),
    help="The questions that were asked [default: responses/questionnaire.csv].",
)
@_threshold("--target-multiple", "target_multiple", "A target has at least so many equal shares.")
@_threshold(
    "--non-target-multiple", "non_target_multiple", "A non-target has at most so many equal shares."
)
@click.option(
    "--equal-share",
    "equal_share",
    type=click.Choice(["respondents", "votes"]),
    help="What is shared equally among the options that count.",
)
@_threshold(
    "--stereotype-share", "stereotype_share", "More of those naming a group must name the target."
)
@_threshold("--no-stereotype-limit", "no_stereotype_limit", "Drop when more say that none exists.")
@_threshold("--comprehension-share", "comprehension_share", "Drop when fewer answer correctly.")
@click.option("--min-respondents", type=click.IntRange(1), help="Drop a question with fewer.")
@click.option(
    "--respondents",
    type=click.IntRange(1),
    help="Respondents of target selection in files of counts that do not say.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be decided and write nothing.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    surveys: tuple[Path, ...],
    comprehension: tuple[Path, ...],
    questionnaire: Path | None,
    dry_run: bool,
    as_json: bool,
    **thresholds: object,
) -> None:
    """Decide by the survey which templates stay.

    Every rule that applies to a question gives its own ruling, appended to decisions.csv;
    running again adds only what changed. Thresholds come from culture.yaml; an option here
    holds for this run. A template whose question the survey does not hold stays undecided.

    \b
    Example: curate filter --survey responses/responses.csv
             curate filter --survey survey_result.json --stereotype-share 0.7
    """  # noqa: D301  # \b keeps click from wrapping the example
    settings = _settings(workspace, thresholds)
    run = run_filter(workspace, surveys, comprehension, questionnaire, settings)
    if not dry_run:
        save(workspace, run, _inputs(workspace, [*surveys, *comprehension], questionnaire))
    if as_json:
        print_json(as_dict(run))
    else:
        show(run, dry_run=dry_run)
    if has_errors(run.findings):
        ctx.exit(1)


def _settings(workspace: Workspace, given: dict[str, object]) -> SurveySettings:
    """Put the options over the workspace's thresholds."""
    stated = {key: value for key, value in given.items() if value is not None}
    try:
        return SurveySettings.model_validate({**workspace.culture.survey.model_dump(), **stated})
    except ValidationError as error:
        first = error.errors()[0]
        name = f"--{first['loc'][0]}".replace("_", "-") if first["loc"] else "the thresholds"
        raise click.UsageError(f"{name}: {first['msg'].removeprefix('Value error, ')}") from error


def run_filter(
    workspace: Workspace,
    surveys: Sequence[Path],
    comprehension: Sequence[Path],
    questionnaire: Path | None,
    settings: SurveySettings,
) -> FilterRun:
    """Read the survey and rule, writing nothing.

    Raises:
        CurateError: If a file cannot be read or two of them contradict each other.
    """
    book = GroupBook(workspace.groups)
    reader = _Reader(workspace, book, questionnaire, settings)
    tallies = [tally for path in surveys for tally in reader.read(path)]
    tallies += [
        tally
        for path in comprehension
        for tally in reader.read(path)
        if tally.question.kind is QuestionKind.COMPREHENSION
    ]
    tallies = merge(tallies)
    templates = list(workspace.bank.templates())
    rulings = rule_on(tallies, templates, settings, book)
    by = f"curate {__version__}"
    first = additions(workspace.decisions, rulings.decisions, by, now())
    ledger = [*workspace.decisions, *first.decisions]
    final = finalize(workspace, tallies, ledger, rulings.targets)
    second = additions(ledger, _modifications(final, ledger), by, now())
    added = Additions(
        (*first.decisions, *second.decisions),
        first.changes + second.changes,
        first.unchanged + second.unchanged,
    )
    return FilterRun(
        settings=settings,
        tallies=tuple(tallies),
        rulings=rulings.decisions,
        targets=rulings.targets,
        added=added,
        final=final,
        findings=(
            *reader.findings,
            *rulings.findings,
            *_unsurveyed(final, workspace),
            *final.findings,
        ),
    )


class _Reader:
    """Reads survey files of every known shape."""

    def __init__(
        self,
        workspace: Workspace,
        book: GroupBook,
        questionnaire: Path | None,
        settings: SurveySettings,
    ) -> None:
        self._culture = workspace.culture.model_copy(update={"survey": settings})
        self._book = book
        self._questionnaire = questionnaire or workspace.questionnaire_file
        self.findings: list[Finding] = []

    def read(self, path: Path) -> list[Tally]:
        if path.suffix.lower() == ".json":
            return read_counts(path, self._culture, self._book)
        if not path.exists():
            raise CurateError(f"there is no file {path.name}", str(path), "check the path")
        if not self._questionnaire.exists():
            raise CurateError(
                "there is no questionnaire to read the answers by",
                str(self._questionnaire),
                "name the one that was asked with --questionnaire FILE",
            )
        questions = read_questionnaire(self._questionnaire, self._book)
        tallies, findings = read_responses(path, questions)
        self.findings.extend(findings)
        return tallies


def _modifications(final: Final, ledger: Sequence[Decision]) -> list[Decision]:
    """Rule on templates whose groups the survey replaced, or no longer replaces."""
    standing = current(ledger)
    rulings = []
    for item in final.outcomes:
        subject = str(item.template.id)
        modified = subject in final.modified
        known = standing.get((subject, Rule.TARGET_SELECTION))
        if modified or (known is not None and known.outcome is Outcome.MODIFY):
            rulings.append(
                Decision(
                    subject=subject,
                    stage=Stage.SURVEY,
                    rule=Rule.TARGET_SELECTION,
                    outcome=Outcome.MODIFY if modified else Outcome.KEEP,
                    reason="surveyed_groups" if modified else "stated_groups",
                )
            )
    return rulings


def _unsurveyed(final: Final, workspace: Workspace) -> list[Finding]:
    bank = workspace.shown(workspace.bank_file)
    return [
        Finding(
            "survey-undecided",
            Severity.WARNING,
            bank,
            item.template.first.row or None,
            "",
            f"{item.template.id} ('{item.template.stereotype}') is undecided: {item.reason}",
            "it stays in the bank; a release needs it decided",
        )
        for item in final.with_status(Status.UNDECIDED)
    ]


def save(workspace: Workspace, run: FilterRun, inputs: Sequence[Path]) -> None:
    """Write ledger, targets, counts and the final bank.

    Raises:
        CurateError: If something cannot be written.
    """
    write_targets(workspace.targets_file, run.targets)
    write_tallies(workspace.responses_folder / TALLIES, run.tallies)
    append_decisions(workspace.ledger_file, run.added.decisions)
    folder = workspace.exports_folder / "filter"
    write_bank(folder / "bank.csv", run.final.bank)
    write_csv(
        folder / "templates.csv",
        STATUS_COLUMNS,
        status_rows(run.final.outcomes, run.final.modified),
    )
    write_manifest(
        folder,
        inputs=manifest_inputs(
            workspace,
            (workspace.culture_file, workspace.bank_file, workspace.groups_file, *inputs),
        ),
        counts={status.value: len(run.final.with_status(status)) for status in Status},
        settings={"survey": _plain(run.settings)},
    )


def _inputs(
    workspace: Workspace, answers: Sequence[Path], questionnaire: Path | None
) -> list[Path]:
    """Give the files that the rulings come from; counts need no questionnaire."""
    asked = questionnaire or workspace.questionnaire_file
    by_it = any(path.suffix.lower() != ".json" for path in answers)
    return [*answers, asked] if by_it else list(answers)


def _plain(settings: SurveySettings) -> dict[str, object]:
    """Give the thresholds as text, fractions as they are written."""
    return {key: str(value) for key, value in settings.model_dump().items()}


def as_dict(run: FilterRun) -> dict[str, object]:
    """Give a run as `--json` prints it."""
    final = run.final
    dropped = question_drops([tally.question for tally in run.tallies], run.rulings)
    return {
        "settings": _plain(run.settings),
        "questions": {
            kind.value: {
                "asked": sum(tally.question.kind is kind for tally in run.tallies),
                "dropped": {rule.value: count for rule, count in dropped.get(kind, {}).items()},
            }
            for kind in QuestionKind
        },
        "templates": {status.value: len(final.with_status(status)) for status in Status},
        "funnel": {
            "templates": [_funnel_dict(row) for row in template_funnel(final.outcomes)],
            "stereotypes": [_funnel_dict(row) for row in stereotype_funnel(final.outcomes)],
        },
        "dropped": [_outcome_dict(item) for item in final.with_status(Status.DROPPED)],
        "undecided": [_outcome_dict(item) for item in final.with_status(Status.UNDECIDED)],
        "modified": list(final.modified),
        "ledger": {
            "added": len(run.added.decisions),
            "unchanged": run.added.unchanged,
            "changes": [
                {"before": asdict(item.before), "after": asdict(item.after)}
                for item in run.added.changes
            ],
        },
        "findings": [finding_dict(item) for item in run.findings],
    }


def _funnel_dict(row: FunnelRow) -> dict[str, object]:
    return {
        **asdict(row),
        "dropped": {rule.value: count for rule, count in row.dropped.items()},
    }


def _outcome_dict(item: TemplateOutcome) -> dict[str, object]:
    return {
        "template_id": str(item.template.id),
        "stereotype": item.template.stereotype,
        "question_id": item.question.id if item.question else None,
        "reason": item.reason,
    }


def show(run: FilterRun, *, dry_run: bool) -> None:
    """Print the funnel, what changed, and what is to be looked at."""
    final = run.final
    kept, dropped = len(final.with_status(Status.KEPT)), len(final.with_status(Status.DROPPED))
    undecided = len(final.with_status(Status.UNDECIDED))
    click.echo("\n".join(_question_lines(run)) + "\n")
    for title, rows in (
        ("Templates", template_funnel(final.outcomes)),
        ("Stereotypes", stereotype_funnel(final.outcomes)),
    ):
        click.echo("\n".join(_funnel_lines(title, rows)))
        click.echo()
    for item in final.with_status(Status.DROPPED):
        click.echo(f"dropped    {item.template.id}  {item.template.stereotype}: {item.reason}")
    if final.modified:
        click.echo(f"modified   {', '.join(final.modified)}: groups taken from the survey")
    for change in run.added.changes:
        click.echo(
            f"changed    {change.after.subject}: {change.before.outcome} by "
            f"{change.before.rule} is now {describe(change.after)}"
        )
    if run.findings:
        print_findings(run.findings)
        click.echo(count_findings(run.findings))
    added = len(run.added.decisions)
    verb = "would be added" if dry_run else "added"
    click.echo(
        f"{kept} templates kept, {dropped} dropped, {undecided} undecided; "
        f"{added} {plural('ruling', added)} {verb} to the ledger, {run.added.unchanged} unchanged."
    )


def _question_lines(run: FilterRun) -> list[str]:
    dropped = question_drops([tally.question for tally in run.tallies], run.rulings)
    kinds = [tally.question.kind for tally in run.tallies]
    rows = [
        [
            kind.value,
            kinds.count(kind),
            ", ".join(f"{rule} {count}" for rule, count in dropped.get(kind, {}).items()) or "none",
        ]
        for kind in QuestionKind
        if kind in kinds
    ]
    return table_lines(["Questions", "asked", "dropped by"], rows, left=1)


def _funnel_lines(title: str, rows: Sequence[FunnelRow]) -> list[str]:
    rules = [rule for rule in DROPPING_ORDER if any(row.dropped[rule] for row in rows)]
    manual = any(row.manual for row in rows)
    header = [title, "before", *(rule.value for rule in rules)]
    header += ["manual"] if manual else []
    header += ["after", "of these undecided"]

    def cells(name: str, members: Sequence[FunnelRow]) -> list[object]:
        line: list[object] = [name, sum(row.before for row in members)]
        line += [-sum(row.dropped[rule] for row in members) or 0 for rule in rules]
        line += [-sum(row.manual for row in members)] if manual else []
        line += [sum(row.after for row in members), sum(row.undecided for row in members)]
        return line

    body = [cells(row.category, [row]) for row in rows]
    return table_lines(header, [*body, cells("Total", rows)])
