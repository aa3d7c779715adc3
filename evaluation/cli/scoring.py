"""`curate evaluate prepare`, `score` and `report`: how accurate models are, and how biased."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import Results, counted, plural
from curation.report.texts import bracketed, typed, typed_share
from evaluation.cli import options as shared
from evaluation.folders import Row, save_tables
from evaluation.measures import verdicts
from evaluation.prompts import COMPLETION
from evaluation.qa.metrics import SetKind
from evaluation.qa.score import GROUPINGS, NAMELESS, ModelUnparsed, bias_from
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.requests import is_completion

_LABELS = (
    "  A label that is not among the tokens that came back cannot be read. Ask for\n"
    "  more of them (run --logprobs 20), or with a prompt that ends where the label\n"
    "  begins."
)
_BY_HAND = (
    "  To parse them yourself, fill in a workbook of them:\n"
    "    curate evaluate replies --requests FILE --replies FILE --unreadable unread.xlsx\n"
    "  and score again with --filled unread.xlsx."
)
_NAMES = {
    SetKind.TEST: "test set: all rows pooled",
    SetKind.ALL: "entire set: each template scored, then averaged",
}


@options.curate_command("score")
@shared.answered_options
@options.section("What is shown and written")
@click.option(
    "--by",
    "groupings",
    type=click.Choice(GROUPINGS),
    multiple=True,
    help="Which scores to show on the terminal [default: overall]; the files have all.",
)
@options.flag_option("--allow-incomplete", help="Score even if requests have no reply.")
@options.folder_option("--out", help="Folder for scores.csv, positions.csv and their manifest.")
@click.pass_context
def score_command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    answered: ScoreInputs | None,
    allow_incomplete: bool,
    groupings: Sequence[str],
    out: Path | None,
) -> terminal.Taken:
    """Score replies: accuracy, diff-bias, its bound, and out-of-choice replies.

    Scores are overall and by category, label, prompt, order and template. They have 95 % intervals
    over templates: quantiles of a beta distribution, with a third of a template added at each end
    of the range; that of diff-bias is within the upper end of its bound's. Scores from fewer than
    20 templates are marked. Out-of-choice replies are excluded from scores, and counted; a warning
    is printed if they are more than 2 % of any type of context or label. A score without replies is
    undefined and left empty, never 0. Samples whose roles are open count for accuracy alone: the
    table says how many of the samples bias is from.

    \b
    Example: curate evaluate score --replies replies.jsonl --out scores
    """  # noqa: D301  # \b keeps click from wrapping the example
    wanted = answered
    if wanted is None:
        raise click.UsageError(shared.UNANSWERED)
    if wanted.requests is not None and is_completion(wanted.requests):
        from evaluation.qa.completion import score_completions  # other scores need none

        options.refuse_stray(ctx, dict.fromkeys(_OF_QUESTIONS, ("requests of questions",)), ())
        told = score_completions(wanted.requests, wanted.replies)
        refused = told["incomplete"] and not allow_incomplete
        if out is not None and not refused:
            save_tables(told.tables, workspace, out, told["inputs"], {}, command="evaluate score")
        value = {"rows": () if refused else told.rows, "findings": told.findings}
        written = None if refused else out
        return value, refused, partial(_show_completions, told, written, refused=refused)
    found = score(workspace, wanted, progress=terminal.progress_of_each())
    refused = found.incomplete and not allow_incomplete
    if out is not None and not refused:
        found.save(out, workspace)
    shown = {
        "rows": found.rows,
        "set": found.kind.value,
        "orders": found.orders.value,
        "asked": found.settings,
        "positions": found.positions,
        "effects": found.effects,
        "surveyed": found.surveyed,
        "rules": found.rules,
        "unparsed": found.many_unparsed,
        "missing": found.missing,
        "findings": found.findings,
    }
    hidden = dict.fromkeys(("rows", "positions", "effects", "surveyed", "unparsed"), ())

    def show() -> None:
        if not refused:
            _show(found, groupings or GROUPINGS[:1])
            if not groupings:
                click.echo(f"Other scores: --by {', '.join(GROUPINGS[1:])}.")
            if found.many_unparsed:
                _warn(sorted(found.many_unparsed, key=lambda item: -_share(item)))
                by_logprobs = found.settings["mode"] == "logprobs"
                if not wanted.predictions:  # nobody fills them in
                    click.echo(_LABELS if by_logprobs else _BY_HAND, err=True)
        terminal.print_findings(found.findings, err=True)
        if out is not None and not refused:
            click.echo(f"Wrote scores.csv and the tables beside it to {out}.")

    return shown | hidden if refused else shown, refused, show


_OF_QUESTIONS = (
    *("samples", "mapping", "language", "prompts", "predictions", "kind", "mode", "filled"),
    "groupings",
)
"""Parameters that count for nothing where completions are scored."""


def _show_completions(found: Results, written: Path | None, *, refused: bool) -> None:
    """Print how well models complete samples, as `score` does its scores."""
    if not refused:
        header = ("model", "templates", "exact", "named", "not named", "difference", "p (Holm)")
        cells = [
            (
                str(row["model"]),
                *(f"{row[name]:,}" for name in ("templates", "exact_guided")),
                *(shared.measured(row, name) for name in ("guided", "general")),
                shared.measured(
                    {**row, **{f"difference_{end}": row[end] for end in ("low", "high")}},
                    "difference",
                ),
                "undefined" if row["p_holm"] is None else f"{float(row['p_holm']):.3g}",
            )
            for row in found.rows
        ]
        terminal.echo_table(header, cells, left=1)
        click.echo(terminal.wrapped(_COMPLETED, ""))
        if written is not None:
            click.echo(f"Wrote {COMPLETION}.csv to {written}.")
    terminal.print_findings(found.findings, err=True)


_COMPLETED = (
    "Likeness of what models wrote to the rest of each sample, the set named or not, and how many "
    "rests are exact where it is. The difference is beyond the likeness to other rests. Above 0 "
    "with a small p, a model knows the set; else it may still have seen it."
)


def _show(found: Results, groupings: Sequence[str]) -> None:
    overall = [row for row in found.rows if row["group_by"] == "overall"]
    for said in verdicts(overall):
        click.secho(terminal.wrapped(said), bold=True)
    click.echo(f"Scored as the {_NAMES[found.kind]}; {found.orders.value} orders.\n")
    shown = [row for row in found.rows if row["group_by"] in groupings]
    open_roles = any(row["bias_samples"] != row["samples"] for row in shown)
    titles = _titles(open_roles=open_roles)
    names = ["model"] if set(groupings) == {"overall"} else ["model", "group"]
    rows = [_cells(row, names, titles) for row in shown]
    header = (*names, "n", *titles.values(), "out of choice")
    terminal.echo_table(header, rows, left=len(names))
    if open_roles:
        said = "Bias from {bias_samples:,} of {samples:,} samples: roles of the others are open. "
        said += "'acc' counts all samples, 'acc of bias' and 'of max' those of the bias."
        click.echo(terminal.wrapped(said.format(**overall[0]), ""))
    if any(row["interval_note"] for row in found.rows if row["group_by"] in groupings):
        click.echo(shared.INTERVAL_NOTE)
    for row in overall:
        if row["epochs"] != 1:
            sds = {name: row[f"{name}_epoch_sd"] for name in shared.TITLES}
            titles = {**shared.TITLES, "max_bias_amb": "max amb", "max_bias_dis": "max dis"}
            spread = ", ".join(f"{titles[name]} {typed(sd)}" for name, sd in sds.items())
            click.echo(f"{row['model']}, sd over {row['epochs']} epochs: {spread}")


def _titles(*, open_roles: bool) -> dict[str, str]:
    """The columns of scores: with open roles also what bias is from, and accuracy over that."""
    if not open_roles:
        return shared.TITLES
    titles = {}
    for name, title in shared.TITLES.items():
        titles[name] = title
        if name.startswith("accuracy"):
            titles[f"known_{name}"] = title.replace("acc", "acc of bias")
    return titles | {"bias_samples": "bias from samples"}


def _cells(row: Row, names: Iterable[str], titles: Iterable[str]) -> list[str]:
    whole = "overall" if row["group_by"] == "overall" else NAMELESS
    return [
        *(str(row[name] or whole) for name in names),
        f"{int(row['n_amb'] or 0) + int(row['n_dis'] or 0):,}",
        *(_score(row, name) for name in titles),
        typed_share(row["out_of_choice_ratio"]),
    ]


def _share(item: ModelUnparsed) -> float:
    return item.out_of_choice / item.replies


def _warn(items: Sequence[ModelUnparsed]) -> None:
    """Say on standard error what could not be parsed: of three models all, of others how much."""
    for item in items[:_WARNED]:
        _warn_of(item)
    others = items[_WARNED:]
    if others:
        more = f"{counted(len(others), 'more model')} with out-of-choice replies (see --json)"
        click.echo(f"Warning: {more}.", err=True)


_WARNED = 3
"""So many models are told about in full."""


def _warn_of(item: ModelUnparsed) -> None:
    first = (
        f"Warning: {item.model}: {item.out_of_choice:,} of {item.replies:,} replies "
        f"({typed_share(_share(item))}) are out-of-choice and excluded from scores. The scores are "
        "of the other replies, which may differ from them."
    )
    lines = [terminal.wrapped(first, "  ")]
    for group_by in dict.fromkeys(part["group_by"] for part in item.shares):
        shares = ", ".join(
            f"{part['group'] or NAMELESS} {typed_share(part['share'])} "
            f"({part['out_of_choice']:,} of {part['replies']:,})"
            for part in item.shares
            if part["group_by"] == group_by
        )
        lines.append(terminal.wrapped(f"  By {group_by}: {shares}.", "    "))
    if item.rules:
        lines.append("  Reasons, each with an example:")
    for rule in item.rules:
        before = f"    {rule['rule']} ({rule['count']:,}): "
        lines.append(
            before + terminal.quoted(rule["reply"], terminal.columns_there() - len(before))
        )
    lines.append("  Range of each score, for any meaning of these replies:")
    rows = [
        [shared.TITLES[part["score"]], *(typed(part[name]) for name in ("value", "least", "most"))]
        for part in item.bounds
    ]
    table = terminal.table_lines(["score", "as given", "least", "most"], rows)
    lines += [f"    {line}" for line in table]
    click.echo("\n".join(lines), err=True)


def _score(row: Row, name: str) -> str:
    if name == "bias_samples":
        return bias_from(row)
    value, low, high = row[name], row.get(f"{name}_low"), row.get(f"{name}_high")
    if value is None or low is None or high is None or name.startswith("max_"):
        return typed(value)
    return (
        f"{typed(value)} {bracketed(float(low), float(high))}{'*' if row['interval_note'] else ''}"
    )


@options.curate_command("report")
@shared.answered_options
@options.section("What is shown")
@options.file_option(
    "--stories", help="Scores of stories to include: scores.csv of 'curate evaluate stories score'."
)
@options.file_option(
    "--occupations",
    help="Scores of occupations to include: scores.csv of 'curate evaluate occupations score'.",
)
@options.folder_option(
    "--browse",
    help="Folder that 'curate browse' wrote for the same replies; templates are linked to its "
    "pages.",
)
@options.flag_option(
    "--view",
    "viewing",
    help="Write a page to look at each request and reply, instead of the report.",
)
@options.section("Files")
@options.flag_option("--allow-incomplete", help="Report even if requests have no reply.")
@options.shown_option
@options.flag_option(
    "--paper",
    help="Also write the methods, tables and figures for a paper, of the survey too: paper.md, "
    "paper.tex, and paper_numbers.csv with the row that each number is from.",
)
@options.folder_option(
    "--out",
    help="Folder to write to [default: exports/evaluation/report of the workspace, with --view "
    "exports/evaluation/view].",
)
@click.pass_context
def report_command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    answered: ScoreInputs | None,
    viewing: bool,
    out: Path | None,
    **given: Any,
) -> terminal.Taken:
    """Write a report of the scores of models, or a page with each of their replies.

    It writes report.html (one page that works offline), report.md, tables as CSV, and figures as
    SVG. They show how biased each model is: overall, by category, label, prompt and order,
    and the templates with the most bias. They also show how replies were parsed, and describe the
    method. With --stories and --occupations, the scores of these measures are included, and models
    are ranked by every measure; without replies, the report is of these measures alone. The folder
    also has all scores: you can give it to 'curate evaluate compare'.

    With --view, it writes a page instead: the scores of each model, a table of templates by model,
    coloured by score, and for each sample what was sent to each model, its reply, its reasoning,
    the parsed choice and the rule. You can filter for unparsed replies, and for samples on which
    models disagree. You need no workspace for it: samples and replies are enough. 'curate browse'
    also shows the templates, decisions and annotations of a workspace.

    \b
    Example: curate evaluate report --replies replies.jsonl --out report
             curate evaluate report --replies replies.jsonl --stories told/scores.csv
             curate evaluate report --view --samples Age.jsonl --language en \
               --replies replies.jsonl --out view
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.reporting.report import report
    from evaluation.reporting.words import answer, summary

    is_of_others = given["stories"] or given["occupations"]
    if answered is None and (viewing or given["browse"] or not is_of_others):
        raise click.UsageError(shared.UNANSWERED)
    if viewing and answered is not None:
        options.refuse_stray(ctx, dict.fromkeys(given, ("the report, without --view",)), ())
        return _view(workspace, answered, out)
    found = report(workspace, answered, **given, out=out, progress=terminal.progress_of_each())
    told = found.scores.findings if found.scores else ()
    if found.report is None:
        value: dict[str, object] = {"files": [], "rows": [], "findings": told}
        return value, True, partial(terminal.print_findings, told, err=True)
    others = {name: list(rows) for name, (_, rows) in found.report.tables().items()}
    others.pop("scores", None)
    value = {
        "folder": str(found.folder),
        "files": found.files,
        "summary": summary(found.report),
        "notes": (*found.report.notes, *found.missing_fonts),
        "findings": told,
        "rows": found.report.rows,
        **others,
    }

    def show() -> None:
        for text in answer(found.report, ranges=True):
            terminal.echo_fitting(text)
        for note in (*found.report.notes, *found.missing_fonts):
            click.echo(f"Note: {note}", err=True)
        terminal.echo_fitting(
            f"Wrote report.html, report.md, tables and figures ({len(found.files)} files) to "
            f"{found.folder}."
        )

    return value, False, show


def _view(workspace: Workspace, answered: ScoreInputs, out: Path | None) -> terminal.Taken:
    """Write the page of replies, and say what is on it."""
    from exports.browse.writing import view
    from exports.cli.options import say_replied

    made = view(workspace, answered, out=out, progress=terminal.progress_of_each())

    def show() -> None:
        templates, samples = made.counts["templates"], made.counts["samples"]
        click.echo(
            f"Wrote {say_replied(made)} to {samples:,} {plural('sample', samples)} of "
            f"{templates:,} {plural('template', templates)} to {made.folder} "
            f"({made.counts['bytes'] / 1e6:.1f} MB)."
        )
        terminal.print_findings(made.findings, err=True)
        click.echo(f"Open {made.page} in a browser; it works offline.")

    return made, False, show
