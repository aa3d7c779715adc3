"""`curate survey build`: questions, forms and a plan from the bank."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import click

from curation.cli.options import json_option, note_unreviewed, workspace_option
from curation.cli.terminal import (
    count_findings,
    echo_fitting,
    print_findings,
    print_json,
    progress_of_each,
    table_lines,
)
from curation.files.workspace import Workspace
from curation.records.messages import has_errors, plural
from curation.records.survey import QuestionKind
from survey.building.build import BuiltSurvey, build, money
from survey.building.plan import (
    PER_PERSON,
    SHARES,
    TIMES,
    Plan,
    PowerColumn,
    SelectionPower,
    needed_orders,
)
from survey.certainty import LEVEL
from survey.platforms import PLATFORMS


def _formats(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
    if not names or any(name not in PLATFORMS for name in names):
        raise click.BadParameter(f"'{value}': name one or more of {', '.join(PLATFORMS)}")
    return names


@click.command("build")
@workspace_option
@click.option(
    "--format",
    "formats",
    callback=_formats,
    default="workbook,csv",
    show_default=True,
    metavar="NAME[,NAME...]",
    help=f"Forms to write: one or more of {', '.join(PLATFORMS)}.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Replace questionnaire and forms even if people have answered them. Answers and "
    "decisions are kept, but may then belong to questions that are no longer asked.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    formats: tuple[str, ...],
    replace: bool,
    as_json: bool,
) -> None:
    """Make the questions of the survey, its forms and its plan from the bank.

    It writes questionnaire.csv, plan.csv and forms/ to responses/. Each form has a mapping, by
    which 'curate filter' reads its answers. How many people answer, how many questions a form has,
    in how many orders the options are shown, the seed and the price are settings: 'questionnaire'
    in culture.yaml. The same bank and settings give the same files. A questionnaire with answers or
    decisions is only replaced with --replace.

    \b
    Example: curate survey build --format qualtrics,workbook
    """  # noqa: D301  # \b keeps click from wrapping the example
    run = build(workspace, formats=formats, replace=replace, progress=progress_of_each())
    if has_errors(run.findings):
        if as_json:
            print_json({"findings": run.findings})
        else:
            print_findings(run.findings)
            click.echo(f"{count_findings(run.findings)}; nothing was written.")
        ctx.exit(1)
    note_unreviewed(workspace.language, "survey")
    if as_json:
        print_json(_as_dict(workspace, run))
    else:
        _show(workspace, run)


def _as_dict(workspace: Workspace, run: BuiltSurvey) -> dict[str, object]:
    return {
        "questions": run.kinds,
        "templates": run.built.templates,
        "saved": run.built.saved,
        **_plan_dict(run.plan),
        "orders": run.culture.questionnaire.orders,
        "power": [_power_dict(column) for column in run.power],
        "selection_power": [_selection_dict(item) for item in run.selection],
        "written": {
            item.name: {
                "files": [workspace.shown(path) for path in item.files],
                "cannot_express": dict(item.limits),
            }
            for item in run.written
        },
        "stale": run.stale,
        "findings": run.findings,
    }


def _plan_dict(plan: Plan) -> dict[str, object]:
    return {
        "forms": [
            {
                "form": form.form,
                "questions": sum(form.questions.values()),
                "respondents": form.respondents,
                "minutes": form.minutes,
                "cost": _number(form.cost),
                "pay_per_hour": _number(form.pay_per_hour),
                "cells": form.cells,
            }
            for form in plan.forms
        ],
        "respondents": plan.respondents,
        "answers": plan.answers,
        "cost": _number(plan.cost),
        "quotas": [
            {**dict(zip(plan.dimensions, cell, strict=True)), "respondents": plan.cell_total(at)}
            for at, cell in enumerate(plan.cells)
        ],
    }


def _power_dict(column: PowerColumn) -> dict[str, object]:
    chances = zip(SHARES, column.chances, strict=True)
    return {
        "named": column.named,
        "needed": column.needed,
        "chances": {f"{float(share):.2f}": round(chance, 6) for share, chance in chances},
    }


def _selection_dict(item: SelectionPower) -> dict[str, object]:
    def by_times(chances: Sequence[float | None]) -> dict[str, float | None]:
        pairs = zip(TIMES, chances, strict=True)
        return {f"{float(at):.2f}": None if p is None else round(p, 6) for at, p in pairs}

    return {
        "options": item.options,
        "named": item.named,
        "target_from": item.target_from,
        "non_target_to": item.non_target_to,
        "target": by_times(item.targets),
        "non_target": by_times(item.non_targets),
        "offered": item.offered,
        "kept_by_chance": {
            f"{float(at):.2f}": p for at, p in zip(PER_PERSON, item.kept, strict=True)
        },
        "least_p": round(item.least, 6),
    }


def _number(amount: Fraction | None) -> float | None:
    return None if amount is None else round(float(amount), 2)


def _show(workspace: Workspace, run: BuiltSurvey) -> None:
    if run.findings:
        print_findings(run.findings)
        click.echo()
    asked = ", ".join(f"{count} {kind.value}" for kind, count in run.kinds.items() if count)
    saved = run.built.saved
    templates = run.built.templates
    echo_fitting(f"Questions: {asked}, for {templates} {plural('template', templates)}.")
    click.echo(f"Shared stereotypes save {saved} {plural('question', saved)}.\n")
    _echo_lines(_form_lines(run))
    if run.plan.dimensions:
        _echo_lines(_quota_lines(run.plan))
    _echo_lines(_power_lines(run))
    if run.selection:
        _echo_lines(_selection_lines(run))
    for item in run.written:
        folder = workspace.shown(item.files[0].parent)
        lost = f"{len(item.limits)} known {plural('limit', len(item.limits))}"
        echo_fitting(f"{folder}: {len(item.files)} {plural('file', len(item.files))}, {lost}.")
    click.echo("README.txt in each folder says how to use the files, what they cannot express,")
    click.echo("and what to do about that. responses/forms/preview.html shows the forms.")
    if run.stale:
        click.echo(
            f"Note: from an earlier build, and no longer in use: {', '.join(run.stale)}", err=True
        )


def _echo_lines(lines: Sequence[str]) -> None:
    """Print a table and the sentences round it; the table as it is."""
    for line in lines:
        if "  " in line:
            click.echo(line)
        else:
            echo_fitting(line)
    click.echo()


def _form_lines(run: BuiltSurvey) -> list[str]:
    plan, currency = run.plan, run.culture.questionnaire.currency
    kinds = [kind for kind, count in run.kinds.items() if count]
    header = ["Form", *(kind.value for kind in kinds), "minutes", "respondents", "answers"]
    rows: list[list[object]] = [
        [
            form.form,
            *(form.questions.get(kind, 0) for kind in kinds),
            form.minutes,
            form.respondents,
            form.answers,
        ]
        for form in plan.forms
    ]
    totals = [sum(form.questions.get(kind, 0) for form in plan.forms) for kind in kinds]
    rows.append(["Total", *totals, "", plan.respondents, plan.answers])
    lines = table_lines(header, rows)
    settings = run.culture.questionnaire
    needed = ceil(sum(totals) / settings.orders / settings.per_form) * settings.orders
    if len(plan.forms) > needed:
        lines.append(
            f"{needed} {plural('form', needed)} would be enough for the questions. There are "
            "more, so that nobody is asked about a stereotype twice."
        )
    lines += _order_lines(run)
    pay = [form.pay_per_hour for form in plan.forms if form.pay_per_hour is not None]
    if plan.cost is not None and pay:
        lines.append(f"Cost: {money(plan.cost)} {currency}".rstrip())
        least, most = money(min(pay)), money(max(pay))
        span = least if least == most else f"{least} to {most}"
        lines.append(
            f"Pay per hour: {span} {currency}".rstrip() + ", if respondents get the whole price. "
            "Compare it with the minimum wage of their country. The minutes are an estimate "
            "(questionnaire.seconds in culture.yaml)."
        )
    return lines


def _order_lines(run: BuiltSurvey) -> list[str]:
    """Say in how many orders each question is shown, and what more of them would balance."""
    orders, plan = run.culture.questionnaire.orders, run.plan
    if not plan.forms:
        return []
    if orders == 1:
        return [
            "Each question is shown in one order of its options. If people choose the first "
            "option more often, this can neither be measured nor balanced (questionnaire.orders in "
            "culture.yaml)."
        ]
    alike = " and ".join(form.form for form in plan.forms[:2])
    if orders > 2:
        alike = f"{plan.forms[0].form} to {plan.forms[orders - 1].form}"
    lines = [
        f"Each question is shown in {orders} orders of its options, each to equally many people: "
        f"{alike} have the same questions."
    ]
    wanted = max(
        (needed_orders(item) for item in run.questions if item.kind is QuestionKind.SELECT_ALL),
        default=0,
    )
    if wanted and orders % wanted:
        lines.append(
            "In target selection each order has its reverse. To show every group in every place "
            f"equally often: questionnaire.orders: {wanted} in culture.yaml."
        )
    return lines


def _quota_lines(plan: Plan) -> list[str]:
    """Lay out the people of each cell; the last attribute in columns where there are several."""
    *leading, last = plan.dimensions
    values = list(dict.fromkeys(cell[-1] for cell in plan.cells))
    rows: dict[tuple[str, ...], list[object]] = {}
    for at, cell in enumerate(plan.cells):
        rows.setdefault(cell[:-1], [*cell[:-1]]).append(plan.cell_total(at))
    header = [*leading, *(f"{last} {value}" for value in values)]
    if not leading:
        header, rows = ["Respondents", *header], {(): ["", *rows[()]]}
    return table_lines(header, rows.values(), left=max(1, len(leading)))


def _selection_lines(run: BuiltSurvey) -> list[str]:
    def said(chance: float | None) -> str:
        return "-" if chance is None else f"{chance:.0%}"

    lines = [
        f"Probability that a group is a target or a non-target, where {run.selection[0].named} "
        "people name a group, by its true share as a multiple of the uniform share (exact "
        "binomial). The uniform share is the people who name a group, divided by the options that "
        "count:"
    ]
    header = ["Options", "role", "votes", *(f"{float(at):.2f}" for at in TIMES)]
    rows: list[list[object]] = []
    for item in run.selection:
        targets, others = map(said, item.targets), map(said, item.non_targets)
        rows.append([item.options, "target", f">= {item.target_from}", *targets])
        rows.append([item.options, "non-target", f"<= {item.non_target_to}", *others])
    lines += table_lines(header, rows, left=2)
    lines.append("A question is kept when it has a target and a non-target.")
    return [*lines, "", *_chance_lines(run)]


def _chance_lines(run: BuiltSurvey) -> list[str]:
    """Lay out how often chance alone keeps a question, and where no test can succeed."""

    def said(chance: float | None) -> str:
        return "-" if chance is None else f"{chance:.0%}"

    lines = [
        "Probability that chance alone keeps a question of target selection, if all its groups are "
        f"named equally often and {run.selection[0].named} people name a group, by the number of "
        "groups that each of them names (simulated):"
    ]
    header = ["Options", "counting", *(f"{float(each):g}" for each in PER_PERSON)]
    rows = [[item.offered, item.options, *map(said, item.kept)] for item in run.selection]
    lines += table_lines(header, rows)
    for item in run.selection:
        if item.least > LEVEL:
            lines.append(
                f"With {item.options} counting options no test can show a non-target: even of a "
                f"group that nobody names p is {item.least:.3f}."
            )
    return lines


def _power_lines(run: BuiltSurvey) -> list[str]:
    share = run.culture.survey.stereotype_share
    header = ["True share naming the target"]
    header += [f"{item.named} name a group" for item in run.power]
    rows: list[list[object]] = [
        [f"{float(true):.2f}", *(f"{item.chances[at]:.0%}" for item in run.power)]
        for at, true in enumerate(SHARES)
    ]
    rows.insert(0, ["(needed)", *(item.needed for item in run.power)])
    lines = [
        f"Probability that a stereotype is kept in validation (more than {share}), exact binomial:"
    ]
    lines += table_lines(header, rows)
    if len(run.power) > 1:
        none = float(run.culture.questionnaire.no_stereotype)
        lines.append(
            f"The last column assumes that {none:.0%} say there is no such stereotype "
            "(questionnaire.no_stereotype in culture.yaml)."
        )
    return lines
