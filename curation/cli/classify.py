"""`curate classify`: the labels of source templates, given by annotators."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.annotation.agreement import Agreement
from curation.annotation.classify import collect_labels, make_classify_sheets, resolve_agenda
from curation.annotation.suggestions import (
    ENGINES,
    OPENAI,
    estimate_suggestions,
    suggest_labels,
)
from curation.cli import options, terminal
from curation.cli.group import LazyGroup
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, counted, shortened

_COMMANDS = {
    "suggest": (f"{__name__}:suggest", "Suggest labels, to be shown to annotators."),
    "sheet": (f"{__name__}:sheet", "Make a workbook for each annotator."),
}


@click.group("classify", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Decide with annotators which source templates apply in the culture.

    Annotators give each template a label: ST (simply-transferred), TM (target-modified) or SR
    (sample-removed). The steps: 'sheet' makes a workbook for each annotator. 'curate collect' reads
    the filled-in workbooks, measures agreement, records the labels on which all agree, and writes
    the agenda of a consensus meeting. It also reads the agenda that the meeting has filled in, and
    writes its labels to the ledger and the bank. 'curate override' does so for single templates.
    'suggest' is optional: it suggests labels to annotators.
    """


@options.curate_command("suggest")
@options.section("Who suggests")
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    help="Where suggestions come from: rules on groups.csv, or a model on a server with OpenAI's "
    "protocol.",
)
@options.section("Which templates")
@options.templates_option
@options.section("Cost")
@options.flag_option(
    "--estimate", help="Count what would be asked; ask nothing. With --engine openai."
)
def suggest(
    workspace: Workspace, engine: str, templates: tuple[str, ...], estimate: bool
) -> terminal.Taken:
    """Suggest a label for each template, with a reason.

    A suggestion is never used as a label: annotators decide. By default, rules compare the
    stereotyped groups of a template with the groups of the culture. ST: all of them are groups of
    the culture. TM: only some are, or only other groups of the category. SR: the culture has no
    group of the category. Edit the groups first (curate groups sheet): nothing is suggested for a
    category whose groups are still as imported.

    With --engine openai, the model of culture.yaml (translation.model) is asked, at the address in
    OPENAI_BASE_URL, with the key in OPENAI_API_KEY. Replies are stored in
    .curate/suggestions.sqlite, so no reply is paid for twice. If a run was interrupted, run it
    again. --estimate computes the cost by translation.price.

    Suggestions are written to annotations/suggestions.csv. Annotators see them only with the option
    --suggestions of 'curate classify sheet' and 'curate push classify'.

    \b
    Example: curate classify suggest
             curate classify suggest --engine openai --estimate
             curate classify suggest --engine openai
    """  # noqa: D301  # \b keeps click from wrapping the example
    if estimate and engine != OPENAI:
        raise click.UsageError("--estimate belongs to --engine openai")
    if estimate:
        asked = estimate_suggestions(workspace, templates)
        return asked, False, partial(_show_estimate, asked)
    listener = options.listener("Templates asked about")
    found = suggest_labels(workspace, engine, templates, listener=listener)
    return found, found["problem"] or False, partial(_show_suggested, found)


def _show_estimate(found: dict[str, Any]) -> None:
    cost = f"{found['characters']:,} characters"
    if found["price"] is not None:
        cost += f", {found['price']:,.2f}"
    templates = counted(found["templates"], "template")
    click.echo(f"{templates}, {found['known']} with a reply of {found['model']}.")
    asked = counted(found["to_send"], "question")
    click.echo(f"To ask: {asked}, {cost}, and a short reply to each.")


def _show_suggested(found: Mapping[str, Any]) -> None:
    labels = ", ".join(f"{label} {count}" for label, count in found["labels"].items())
    count = len(found["suggestions"])
    click.echo(
        f"{count} of {counted(found['templates'], 'template')} with a suggestion by "
        f"{found['engine']}: {labels}; {found['changed']} new or changed."
    )
    why: dict[str, list[str]] = {}
    for item in found["without"]:
        why.setdefault(item["why"], []).append(item["template_id"])
    for reason, ids in why.items():
        click.echo(f"  {len(ids)} without a suggestion: {reason}: {shortened(ids)}")
    if found["requests"] or found["known"]:
        click.echo(
            f"Replies: {found['known']} from the store, {found['requests']} new "
            f"({found['characters']:,} characters sent); {found['unreadable']} without a label."
        )
    if count:
        click.echo(
            f"They are in {found['file']}. To show them to annotators: --suggestions of "
            "'sheet' and 'push'."
        )


@options.curate_command("sheet")
@options.people_option("--annotator", "Name of an annotator", required=True)
@options.folder_option("--out", help="Where to write the workbooks [default: annotations/sheets].")
@options.flag_option("--open", "only_open", help="Leave out templates that have a consensus label.")
@options.templates_option
@options.suggestion_options
def sheet(
    workspace: Workspace,
    annotators: list[str],
    out: Path | None,
    only_open: bool,
    templates: tuple[str, ...],
    suggestions: bool,
    blind: tuple[str, ...],
) -> terminal.Taken:
    """Make a workbook for each annotator, with one template in each row to label ST, TM or SR.

    Newly created templates (NC) are left out. A workbook that may have been filled in is never
    overwritten.

    With --suggestions, a column shows the suggested labels to half of the annotators.
    annotations/suggestions_shown.csv records who saw which suggestion. 'curate collect' then shows
    how often each half gave the suggested label.

    \b
    Example: curate classify sheet --annotator Mina --annotator Jun
             curate classify sheet --annotator Mina --annotator Jun --suggestions --blind Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    hidden = options.hidden_of(blind, suggestions=suggestions)
    made = make_classify_sheets(
        workspace, annotators, out, only_open=only_open, hidden=hidden, named=templates
    )
    options.note_language(workspace)
    return made, False, partial(_show_sheets, made, is_suggested=hidden is not None)


def _show_sheets(made: Mapping[str, Any], *, is_suggested: bool) -> None:
    for item in made["sheets"]:
        sees = f", {counted(item['suggestions'], 'suggestion')} shown"
        click.echo(f"{item['annotator']}: {item['file']}{sees if is_suggested else ''}")
    options.say_outdated(made["changed"])
    count = counted(made["templates"], "template")
    click.echo(f"{count} in each workbook. When they are filled in: curate collect FILE...")


def collected(
    workspace: Workspace,
    files: Sequence[Path],
    *,
    by: str,
    accept_changed: bool,
    at_least: int,
    dry_run: bool,
    left_out: bool,
) -> terminal.Taken:
    """Collect the workbooks of annotators; without any the labels of before are shown again.

    Labels that all annotators gave are recorded under the name of `by`, but not while the labels of
    somebody are left out.
    """
    found = collect_labels(
        workspace,
        files,
        accept_changed=accept_changed,
        by="" if left_out else by,
        at_least=at_least,
        dry_run=dry_run,
    )

    def show() -> None:
        _show_collected(workspace, found, dry_run=dry_run)
        if by and left_out:
            click.echo("No label was recorded, because a workbook of labels was not taken.")

    options.note_language(workspace)
    recorded = (
        {} if found["recorded"] is None else {"recorded": terminal.resolved_dict(found["recorded"])}
    )
    findings = (*found["findings"], *(found["recorded"]["findings"] if found["recorded"] else ()))
    return {**found, **recorded}, findings, show


def _show_collected(workspace: Workspace, found: Mapping[str, Any], *, dry_run: bool) -> None:
    terminal.print_findings(found["findings"])
    click.echo("\n".join(_agreement_lines(found["agreement"])))
    if found["suggestions"]:
        click.echo()
        click.echo("\n".join(_suggestion_lines(found["suggestions"])))
    click.echo()
    for item in found["annotators"]:
        if item["replaced"]:
            what = counted(item["replaced"], "earlier annotation")
            click.echo(f"replaced   {item['annotator']}: {what}")
    missing = {item["annotator"]: item["missing"] for item in found["annotators"]}
    for name, left in {**missing, **found["waiting"]}.items():
        if left:
            click.echo(f"incomplete {name}: {len(left)} not labelled: {shortened(left)}")
    if found["moved"]:
        click.echo(f"moved      the earlier, filled-in agenda is now {found['moved']}")
    path = workspace.shown(workspace.annotations.agenda("xlsx"))
    disagree = counted(len(found["disagreements"]), "template")
    click.echo(
        f"{disagree} with disagreement and "
        f"{len(found['incomplete'])} incomplete (of {found['templates']}) are on the agenda: {path}"
    )
    if found["recorded"] is not None:
        terminal.show_resolved(found["recorded"], dry_run=dry_run)
    elif found["to_record"]:
        count = counted(len(found["to_record"]), "template")
        terminal.echo_fitting(
            f"{count} with the same label by all annotators, not recorded yet: record with --by "
            "NAME."
        )


def _suggestion_lines(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """How often labels are the suggested ones; who saw them and who did not."""
    rows = []
    for item in found:
        share = "undefined" if item["share"] is None else f"{item['share']:.3f}"
        who = item["annotator"] or "all"
        rows.append([item["view"], who, item["labels"], item["agree"], share])
    return terminal.table_lines(
        ["Suggestions", "Annotator", "labels", "as suggested", "share"], rows
    )


def _agreement_lines(found: Agreement) -> list[str]:
    """Labels by annotator, statistics, pairs and confusions."""
    labels = list(next(iter(found.counts.values()), {}))
    rows = [
        [name, *(counts[label] for label in labels), sum(counts.values())]
        for name, counts in found.counts.items()
    ]
    lines = terminal.table_lines(["Annotator", *labels, "labelled"], rows)
    lines += [
        "",
        f"pairs of labels that agree  {found.percent}",
        *[f"all annotators agree        {found.unanimous} of {found.complete} labelled by all"]
        * (len(found.annotators) > 1),
        f"Fleiss' kappa               {found.fleiss}",
        f"Krippendorff's alpha        {found.alpha}",
    ]
    tables: list[tuple[list[str], Sequence[Sequence[object]]]] = []
    if len(found.annotators) > 1:
        pairs = [
            [f"{one.first} / {one.second}", one.kappa.units, one.agree, one.kappa.shown]
            for one in found.pairs
        ]
        table = [[one, *(found.confusion[one][other] for other in labels)] for one in labels]
        tables = [
            (["Pair", "both labelled", "agree", "Cohen's kappa"], pairs),
            (["Pairs of labels", *labels], table),
        ]
    categories = found.categories if len(found.categories) > 1 else {}
    for title, statistics in (("Category", categories), ("Without", found.without)):
        rows = [[name, item.units, item.shown] for name, item in statistics.items()]
        tables.append(([title, "templates", "Krippendorff's alpha"], rows))
    drift = [[name, *(half.shown for half in halves)] for name, halves in found.drift.items()]
    tables.append((["As most others", "earlier labels", "later labels"], drift))
    for header, cells in tables:
        lines += ["", *terminal.table_lines(header, cells)] if cells else []
    return lines


def decided(
    workspace: Workspace, files: Sequence[Path], *, by: str, accept_changed: bool, dry_run: bool
) -> terminal.Taken:
    """Write the labels of a meeting, from its filled-in agenda, to the ledger and the bank.

    Raises:
        CurateError: If nobody is named, or the agenda cannot be read.
    """
    (file,) = files
    if not by:
        raise CurateError("nobody is named who decides", str(file), "add --by NAME")
    found = resolve_agenda(workspace, file, by, accept_changed=accept_changed, dry_run=dry_run)
    return terminal.resolved(found, dry_run=dry_run)
