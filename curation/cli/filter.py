"""`curate filter`: thresholds to rulings, and the bank with its surveyed groups."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import click
from pydantic import ValidationError

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
from curation.cli.filter_input import SurveyInput
from curation.cli.filter_run import (
    FilterRun,
    plain_settings,
    run_filter,
    save,
)
from curation.cli.survey_options import survey_input_options
from curation.io.settings_errors import in_words
from curation.io.workspace import Workspace
from curation.model.culture import SurveySettings
from curation.model.findings import has_errors
from curation.model.survey import QuestionKind
from survey.filtering import FunnelRow, question_drops, stereotype_funnel, template_funnel
from survey.ledger import DROPPING_ORDER
from survey.outcome import Status, TemplateOutcome, describe


def _threshold(option: str, key: str, text: str) -> Callable[[F], F]:
    return click.option(option, key, default=None, metavar="NUMBER", help=text)


@click.command("filter")
@workspace_option
@survey_input_options(required=True)
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
@click.option(
    "--exclude",
    metavar="RULE[,RULE...]",
    help="Leave out respondents flagged by these rules of quality; 'none' for nobody.",
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
    mappings: tuple[Path, ...],
    questionnaire: Path | None,
    exclude: str | None,
    dry_run: bool,
    as_json: bool,
    **thresholds: object,
) -> None:
    """Decide by the survey which templates stay.

    Every rule that applies to a question gives its own ruling, appended to decisions.csv;
    running again adds only what changed. Thresholds come from culture.yaml; an option here
    holds for this run. A template whose question the survey does not hold stays undecided.

    A file as a platform exports it needs --mapping; 'curate survey inspect' drafts one. A draft
    in which something is still '?' is refused, and filled columns that nobody reads are named.
    Respondents whom a rule of quality flags are listed, and every decision that would turn
    with or without the rule is said.

    \b
    Example: curate filter --survey responses/responses.csv
             curate filter --survey survey_result.json --stereotype-share 0.7
             curate filter --survey export.csv --mapping mapping.yaml
    """  # noqa: D301  # \b keeps click from wrapping the example
    settings = _settings(workspace, {**thresholds, "exclude": _rules(exclude)})
    given = SurveyInput(surveys, comprehension, mappings, questionnaire)
    run = run_filter(workspace, given, settings)
    if not dry_run:
        save(workspace, run, given)
    if as_json:
        print_json(as_dict(run))
    else:
        show(run, dry_run=dry_run)
    if has_errors(run.findings):
        ctx.exit(1)


def _rules(text: str | None) -> tuple[str, ...] | None:
    if text is None or text.strip() == "none":
        return None if text is None else ()
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _settings(workspace: Workspace, given: dict[str, object]) -> SurveySettings:
    """Put the options over the workspace's thresholds."""
    stated = {key: value for key, value in given.items() if value is not None}
    try:
        return SurveySettings.model_validate({**workspace.culture.survey.model_dump(), **stated})
    except ValidationError as error:
        first = error.errors()[0]
        name = f"--{first['loc'][0]}".replace("_", "-") if first["loc"] else "the thresholds"
        raise click.UsageError(f"{name}: {'; '.join(filter(None, in_words(first)))}") from error


def as_dict(run: FilterRun) -> dict[str, object]:
    """Give a run as `--json` prints it."""
    final = run.final
    dropped = question_drops([tally.question for tally in run.tallies], run.rulings)
    return {
        "settings": plain_settings(run.settings),
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
        "quality": _quality_dict(run),
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


def _quality_dict(run: FilterRun) -> dict[str, object]:
    """Give exclusions on reading by rule, and each rule of quality with what it turns."""
    if run.respondents is None:
        return {}
    on_reading: dict[str, int] = {}
    for item in run.respondents.excluded:
        on_reading[item.rule] = on_reading.get(item.rule, 0) + 1
    return {
        "respondents": len(run.respondents.answers.respondents),
        "excluded_on_reading": on_reading,
        "rules": [asdict(effect) for effect in run.respondents.effects],
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
    _show_quality(run)
    if run.findings:
        print_findings(run.findings)
        click.echo(count_findings(run.findings))
    added = len(run.added.decisions)
    verb = "would be added" if dry_run else "added"
    click.echo(
        f"{kept} templates kept, {dropped} dropped, {undecided} undecided; "
        f"{added} {plural('ruling', added)} {verb} to the ledger, {run.added.unchanged} unchanged."
    )


def _show_quality(run: FilterRun) -> None:
    """Print who was left out or flagged, and which decisions hang on it."""
    if run.respondents is None:
        return
    left_out = [item.rule for item in run.respondents.excluded]
    for rule in dict.fromkeys(left_out):
        click.echo(f"left out   {rule}: {left_out.count(rule)} on reading")
    for effect in run.respondents.effects:
        verb = "left out" if effect.applied else "flagged "
        turns = [f"{turn.subject} ({turn.rule}: {turn.instead})" for turn in effect.turns]
        without = "without the rule" if effect.applied else "if they were left out"
        what = f"; {without}: {', '.join(turns)}" if turns else "; no decision turns on it"
        count = f"{effect.respondents} {plural('respondent', effect.respondents)}"
        click.echo(f"{verb}   {effect.rule}: {count}{what}")


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
