"""`curate filter`: thresholds to decisions, and the bank with its surveyed groups."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from curation.cli import options, terminal
from curation.files.outcomes import TemplateOutcome, describe
from curation.files.workspace import Workspace
from curation.records.messages import counted
from curation.records.survey import DROPPING_ORDER, QuestionKind, Status
from curation.report.texts import typed
from survey import filtering
from survey.bank import plain_settings
from survey.certainty import no_stereotype_shares
from survey.filtering import FilterRun
from survey.order_effects import stands_out
from survey.outcomes import reason_of, stereotype_funnel, template_funnel
from survey.quality import NOBODY
from survey.rules import Row, rounded


def _threshold(option: str, text: str) -> Callable[[options.F], options.F]:
    return click.option(option, default=None, metavar="NUMBER", help=text)


@options.curate_command("filter")
@options.section("Answers")
@options.path_option(
    "--survey",
    "surveys",
    multiple=True,
    required=True,
    help="File of answers: in normal form, published counts (JSON), an export of a survey platform "
    "(with --mapping), or a simple table; may be given several times.",
)
@options.path_option(
    "--comprehension",
    multiple=True,
    help="Answers to the comprehension questions, if they are in a separate file.",
)
@options.path_option(
    "--mapping",
    "mappings",
    multiple=True,
    help="Mapping by which a file from a survey platform is read; one for all files, or one for "
    "each.",
)
@options.path_option(
    "--questionnaire",
    help="The questions that were asked [default: responses/questionnaire.csv].",
)
@click.option(
    "--respondents",
    type=click.IntRange(1),
    help="Number of respondents of target selection, for files of counts without it.",
)
@options.section("A draft of a mapping")
@options.flag_option(
    "--draft",
    help="Decide nothing: show what the file is, and write a draft of its mapping, to the file of "
    "--mapping [default: responses/mapping.yaml].",
)
@click.option(
    "--read-as",
    multiple=True,
    metavar="KEY=VALUE",
    help="With --draft: how the file is read if it is not recognised: sheet=NAME, encoding=NAME or "
    "delimiter=CHARACTER ('tab' for a tab).",
)
@options.section("What is written")
@options.flag_option("--dry-run", help="Show what would be decided and write nothing.")
@options.section("Thresholds for target groups")
@_threshold(
    "--target-multiple",
    "Least votes of a target group, as a multiple of the uniform share.",
)
@_threshold(
    "--non-target-multiple",
    "Most votes of a non-target group, as a multiple of the uniform share.",
)
@click.option(
    "--equal-share",
    type=click.Choice(["respondents", "votes"]),
    help="How the uniform share is computed: respondents, or votes, divided by the number of "
    "options that count.",
)
@_threshold(
    "--target-share",
    "Least share of those naming any group who must also name a target group [default: 0, off].",
)
@options.section("Thresholds for stereotypes")
@_threshold(
    "--stereotype-share",
    "Keep a stereotype if more than this share of those who name a group name the target.",
)
@_threshold(
    "--no-stereotype-limit",
    "Drop a question if more than this share say that no stereotype exists.",
)
@options.section("Which answers count")
@_threshold(
    "--comprehension-share",
    "Drop a template if less than this share answer its comprehension questions correctly.",
)
@click.option(
    "--min-respondents",
    type=click.IntRange(1),
    help="Drop a question with fewer respondents [default: 30].",
)
@click.option(
    "--exclude",
    metavar="RULE[,RULE...]",
    help="Exclude respondents flagged by these quality checks; 'none' to exclude nobody.",
)
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
    draft: bool,
    read_as: tuple[str, ...],
    dry_run: bool,
    **thresholds: object,
) -> terminal.Taken:
    """Decide by the survey which templates are kept.

    Every rule that applies to a question adds its decision to decisions.csv. You can run it again:
    only changed decisions are added. Thresholds come from culture.yaml; an option applies to this
    run only. A template whose question is not in the survey stays undecided.

    A simple table (CSV, TSV, XLSX, ODS) needs no mapping. It has rows of respondent, question and
    answer; or one row for each respondent and one column for each question; or counts by question
    and option. It is printed how each column is read. A column that could be read in two ways is
    refused.

    An export of a survey platform needs --mapping; --draft writes one to start from. It recognises
    the platform and matches columns to questions. Columns that were not recognised are listed, and
    are '?' or a comment in the draft; a mapping that still has a '?' is refused. Answers to forms
    of 'curate survey build' need no draft: the mapping of the forms is named. Columns that may
    identify a person are named, but their values are not shown. An existing mapping is never
    overwritten.

    Filled columns that are not read are listed. Respondents that a quality check flags are listed,
    with the decisions that change if they are excluded.

    \b
    Example: curate filter --survey responses/responses.csv
             curate filter --survey answers.xlsx
             curate filter --survey survey_result.json --stereotype-share 0.7
             curate filter --survey export.csv --draft
             curate filter --survey export.csv --mapping responses/mapping.yaml
    """  # noqa: D301  # \b keeps click from wrapping the example
    deciding = ("comprehension", "exclude", "dry_run", *thresholds)
    belongs = {"read_as": ("--draft",), **dict.fromkeys(deciding, ("a decision, not --draft",))}
    options.refuse_stray(ctx, belongs, belongs["read_as" if draft else "exclude"])
    if draft:
        from survey.cli import drafting  # loads all that a file is recognised by

        return drafting.draft(workspace, surveys, mappings, questionnaire, read_as)
    with options.settings_as_options():
        run = filtering.filter(
            workspace,
            surveys,
            comprehension=comprehension,
            mappings=mappings,
            questionnaire=questionnaire,
            dry_run=dry_run,
            exclude=_rules(exclude),
            **thresholds,
        )
    return _as_dict(run), run.findings, partial(_show, run, dry_run=dry_run)


def _rules(text: str | None) -> tuple[str, ...] | None:
    if text is None or text.strip() == "none":
        return None if text is None else ()
    named = tuple(part.strip() for part in text.split(",") if part.strip())
    if not named:
        raise click.BadParameter(
            "it names no quality check; write 'none' to leave nobody out", param_hint="--exclude"
        )
    return named


def _as_dict(run: FilterRun) -> dict[str, object]:
    """A run as `--json` prints it."""
    final, drops = run.final, run.rule_drops
    return {
        "settings": plain_settings(run.settings),
        "recognised": run.recognised,
        "questions": {
            kind: {
                "asked": sum(tally.question.kind is kind for tally in run.tallies),
                "dropped": {
                    it["rule"]: it["dropped"]
                    for it in drops
                    if it["kind"] == kind and it["dropped"]
                },
            }
            for kind in QuestionKind
        },
        "drops": [
            {key: rounded(it) if isinstance(it, float) else it for key, it in row.items()}
            for row in drops
        ],
        "no_stereotype": [
            {name: item[name] for name in ("kind", "questions", "mean")}
            for item in no_stereotype_shares(final.tallies, run.settings)
            if not item["category"]
        ],
        "templates": final.counts,
        "funnel": {
            "templates": template_funnel(final.outcomes),
            "stereotypes": stereotype_funnel(final.outcomes),
        },
        "dropped": [_outcome_dict(item) for item in final.with_status(Status.DROPPED)],
        "undecided": [_outcome_dict(item) for item in final.with_status(Status.UNDECIDED)],
        "modified": final.modified,
        "quality": _quality_dict(run),
        "order": run.order.kinds if run.order else [],
        "ledger": terminal.ledger_dict(run.added),
        "findings": run.findings,
    }


def _quality_dict(run: FilterRun) -> dict[str, object]:
    """Exclusions on reading by rule, and each quality check with what it turns."""
    if run.respondents is None:
        return {}
    return {
        "respondents": len(run.respondents.answers.respondents),
        "excluded_on_reading": Counter(item.rule for item in run.respondents.excluded),
        "rules": run.respondents.effects,
    }


def _outcome_dict(item: TemplateOutcome) -> dict[str, object]:
    return {
        "template_id": str(item.template.id),
        "stereotype": item.template.stereotype,
        "question_id": item.question.id if item.question else None,
        "reason": item.reason,
    }


def _show(run: FilterRun, *, dry_run: bool) -> None:
    """Print what is kept, what drops templates, and what is to be looked at."""
    final = run.final
    kept, dropped, undecided, removed, aside = (len(final.with_status(one)) for one in _COUNTED)
    click.secho(
        f"{counted(kept, 'template')} kept, {dropped} dropped, {undecided} undecided.", bold=True
    )
    before = [f"{removed} labelled SR"] * bool(removed) + [f"{aside} set aside"] * bool(aside)
    earlier = f"Before the survey {' and '.join(before)}. " if before else ""
    terminal.echo_fitting(f"{earlier}{terminal.to_ledger(run.added, dry_run=dry_run)}.")
    for line in run.recognised:
        terminal.echo_fitting(line)
    click.echo()
    click.echo("\n".join(_funnel_lines(template_funnel(final.outcomes))) + "\n")
    terminal.echo_list(
        [
            f"dropped    {item.template.id}  {item.template.stereotype}: {reason_of(item)}"
            for item in final.with_status(Status.DROPPED)
        ],
        "dropped template",
    )
    if final.modified:
        terminal.echo_fitting(f"modified   {', '.join(final.modified)}: groups from the survey")
    terminal.echo_list(
        [
            f"changed    {change['after'].subject}: {change['before'].outcome} by "
            f"{change['before'].rule} is now {describe(change['after'])}"
            for change in run.added.changes
        ],
        "changed decision",
    )
    _show_quality(run)
    for kind in filter(stands_out, run.order.kinds if run.order else ()):
        points, *ends = (typed(100 * kind[name], 1, "+") for name in _DIFFERENCE)
        terminal.echo_fitting(
            f"order      {kind['kind']}: what is shown first is chosen {points} points more often "
            f"(95 % interval {' to '.join(ends)})"
        )
    terminal.show_findings(run.findings)


_DIFFERENCE = ("difference", "ci_low", "ci_high")
_COUNTED = (Status.KEPT, Status.DROPPED, Status.UNDECIDED, Status.REMOVED, Status.SET_ASIDE)


def _show_quality(run: FilterRun) -> None:
    """Print who was excluded or flagged, and which decisions are linked to it."""
    if run.respondents is None:
        return
    left_out = [item.rule for item in run.respondents.excluded]
    for rule in dict.fromkeys(left_out):
        terminal.echo_fitting(
            f"excluded   {rule}: {left_out.count(rule)} when the answers were read"
        )
    for effect in run.respondents.effects:
        verb = "excluded" if effect["applied"] else "flagged "
        turns = [
            f"{it['subject']} ({it['rule']}: {it['otherwise'] or NOBODY})" for it in effect["turns"]
        ]
        without = "without the rule" if effect["applied"] else "if they were excluded"
        what = f"; {without}: {', '.join(turns)}" if turns else "; no decision changes"
        people = counted(effect["respondents"], "respondent")
        terminal.echo_fitting(f"{verb}   {effect['rule']}: {people}{what}")


def _funnel_lines(rows: Sequence[Row]) -> list[str]:
    """By category, how many templates each rule drops; the total is that of several."""
    rules = [rule for rule in DROPPING_ORDER if any(row["dropped"][rule] for row in rows)]
    manual = any(row["manual"] for row in rows)
    header = ["templates", "before", *(rule.value.replace("_", " ") for rule in rules)]
    header += ["manual"] if manual else []
    header += ["after"]

    def cells(name: str, members: Sequence[Row]) -> list[object]:
        gone = [sum(row["dropped"][rule] for row in members) for rule in rules]
        gone += [sum(row["manual"] for row in members)] if manual else []
        before, after = (sum(row[name] for row in members) for name in ("before", "after"))
        return [name, before, *(-n if n else "-" for n in gone), after]

    body = [cells(row["category"], [row]) for row in rows]
    lines = terminal.table_lines(header, [*body, cells("total", rows)] if len(rows) > 1 else body)
    undecided = sum(row["undecided"] for row in rows)
    return [*lines, f"Of those after, {undecided} undecided."] if undecided else lines
