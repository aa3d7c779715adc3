"""`curate survey build`: questions, forms and a plan from the bank."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import Finding, has_errors, plural
from curation.records.survey import QuestionKind
from curation.report.texts import environment
from survey.building.build import BuiltSurvey, build, designs, money
from survey.building.plan import PER_PERSON, SHARES, TIMES, SurveyPlan, needed_orders
from survey.certainty import LEVEL
from survey.platforms.kit import PLATFORMS


def _budget(_context: click.Context, _option: click.Parameter, value: str | None) -> Any:
    """None without the option, an empty text without an amount, else the amount."""
    if not value:
        return value
    try:
        amount = Fraction(value.strip())
    except (ValueError, ZeroDivisionError):
        amount = Fraction(0)
    if not 0 < amount < 10**12:
        raise click.BadParameter(f"'{value}': write the budget as a number above 0, such as 500")
    return amount


@options.curate_command("build")
@click.option(
    "--format",
    "formats",
    callback=options.several_of(PLATFORMS),
    default="workbook,csv",
    metavar="NAME[,NAME...]",
    help=f"Forms to write: one or more of {', '.join(PLATFORMS)}.",
)
@options.flag_option(
    "--replace",
    help="Replace questionnaire and forms even if people have answered them. Answers and "
    "decisions are kept, but may then belong to questions that are no longer asked.",
)
@click.option(
    "--plan",
    "budget",
    is_flag=False,
    flag_value="",
    callback=_budget,
    metavar="[BUDGET]",
    help="Write nothing; compare surveys with fewer and more respondents: their cost, and how "
    "often validation would err. With BUDGET: also the largest survey that it pays for.",
)
@options.templates_option
def command(
    workspace: Workspace,
    formats: tuple[str, ...],
    replace: bool,
    budget: Fraction | str | None,
    templates: tuple[str, ...],
) -> terminal.Taken:
    """Make the questions of the survey, its forms and its plan from the bank.

    It writes questionnaire.csv, plan.csv and forms/ to responses/. Each form has a mapping, by
    which 'curate filter' reads its answers. How many people answer, how many questions a form has,
    in how many orders the options are shown, the seed and the price are settings: 'questionnaire'
    in culture.yaml. The same bank and settings give the same files. A questionnaire with answers or
    decisions is only replaced with --replace.

    \b
    Example: curate survey build --format qualtrics,workbook
             curate survey build --plan 500
    """  # noqa: D301  # \b keeps click from wrapping the example
    if budget is not None:
        amount = budget if isinstance(budget, Fraction) else None
        found, findings = designs(workspace, amount, templates)
        if has_errors(findings):
            return _refused(findings)
        plain = [{**row, "cost": _number(row["cost"])} for row in found]
        value = {"budget": _number(amount), "designs": plain, "findings": findings}
        return value, False, partial(_compare, workspace, found, amount, findings)
    run = build(
        workspace,
        formats=formats,
        replace=replace,
        named=templates,
        progress=terminal.progress_of_each(),
    )
    if has_errors(run.findings):
        return _refused(run.findings)
    options.note_unreviewed(workspace.language, "survey")
    return _as_dict(workspace, run), False, partial(_show, workspace, run)


def _refused(findings: Sequence[Finding]) -> terminal.Taken:
    def show() -> None:
        terminal.print_findings(findings)
        click.echo(f"{terminal.count_findings(findings)}; nothing was written.")

    return {"findings": findings}, True, show


_COUNTS = ("forms", "respondents", "for_orders", "for_quotas", "minutes")


def _compare(
    workspace: Workspace,
    found: Sequence[Mapping[str, Any]],
    budget: Fraction | None,
    findings: Sequence[Finding],
) -> None:
    """Show the designs, the one that a budget pays for first."""
    terminal.print_findings(findings)
    if not found:
        return
    asked = workspace.culture.questionnaire
    limit = workspace.culture.survey.stereotype_share
    currency = f" {asked.currency}" if asked.currency else ""
    paid = [row for row in found if row["paid"]]
    if paid:
        best = paid[-1]
        terminal.echo_fitting(
            f"{money(budget)}{currency} pays for {'at least ' * (len(paid) == len(found))}"
            f"{best['respondents_per_question']} respondents of each question, "
            f"{best['respondents']} people in all."
        )
    terminal.echo_fitting(
        f"Kept wrongly: of the stereotypes kept, those that the true shares would drop; dropped "
        f"wrongly: of those that they would keep, those dropped. Both if the true shares of "
        f"validation were spread evenly from a half to 1 (the threshold is {limit}), those of "
        f"target selection as KoBBQ's are, and {_said(asked.no_stereotype)} said that there is no "
        f"such stereotype. For quotas: people to turn away, if they come in the quotas' shares. "
        f"Nothing was written."
    )
    click.echo()
    header = ["Each question", "forms", "people", "for orders", "for quotas", "minutes"]
    header += [f"cost{currency}"] * (asked.price is not None)
    header += ["kept wrongly", "dropped wrongly"]
    rows = []
    for row in found:
        size = row["respondents_per_question"]
        cells = [f"{size} (as set)" if size == asked.respondents_per_question else size]
        cells += (row[name] for name in _COUNTS)
        cells += [money(row["cost"])] * (asked.price is not None)
        cells += (_said(row[name], digits=1) for name in ("false_keeps", "false_drops"))
        rows.append(cells)
    click.echo(_table(header, rows))


def _as_dict(workspace: Workspace, run: BuiltSurvey) -> dict[str, object]:
    return {
        "questions": run.kinds,
        "templates": run.built.templates,
        "saved": run.built.saved,
        **_plan_dict(run.plan),
        "orders": run.culture.questionnaire.orders,
        "power": run.power,
        "selection_power": run.selection,
        "written": {
            name: made | {"files": list(map(workspace.shown, made["files"]))}
            for name, made in run.written.items()
        },
        "stale": run.stale,
        "findings": run.findings,
    }


def _plan_dict(plan: SurveyPlan) -> dict[str, object]:
    return {
        "forms": [
            {
                "form": form["form"],
                "questions": form["questions"].total(),
                **{name: form[name] for name in ("respondents", "minutes")},
                **{name: _number(form[name]) for name in ("cost", "pay_per_hour")},
                "cells": form["cells"],
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


def _number(amount: Fraction | None) -> float | None:
    return None if amount is None else round(float(amount), 2)


def _show(workspace: Workspace, run: BuiltSurvey) -> None:
    if run.findings:
        terminal.print_findings(run.findings)
        click.echo()
    plan, settings = run.plan, run.culture.questionnaire
    asked = sum(form["questions"].total() for form in plan.forms)
    wanted = (needed_orders(q) for q in run.questions if q.kind is QuestionKind.SELECT_ALL)
    pay = [form["pay_per_hour"] for form in plan.forms if form["pay_per_hour"] is not None]
    page = environment(__package__).get_template("build.txt.j2")
    text = page.render(
        run=run,
        plan=plan,
        settings=settings,
        kinds=", ".join(f"{count} {kind.value}" for kind, count in run.kinds.items() if count),
        needed=ceil(asked / settings.orders / settings.per_form) * settings.orders,
        wanted=max(wanted, default=0),
        pay=dict.fromkeys((money(min(pay)), money(max(pay)))) if pay else (),
        forms=_form_table(run),
        quotas=_quota_table(plan),
        power=_power_table(run.power),
        selection=_selection_table(run.selection),
        chances=_chance_table(run.selection),
        level=LEVEL,
        money=money,
        plural=plural,
        said=_said,
        shown=workspace.shown,
    )
    for line in text.rstrip("\n").split("\n"):
        if "  " in line:
            click.echo(line)  # of a table
        else:
            terminal.echo_fitting(line)
    if run.stale:
        click.echo(
            f"Note: from an earlier build, and no longer in use: {', '.join(run.stale)}", err=True
        )


def _table(header: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1) -> str:
    return "\n".join(terminal.table_lines(header, rows, left=left))


def _said(chance: float | Fraction | None, digits: int = 0) -> str:
    return "-" if chance is None else f"{float(chance):.{digits}%}"


def _form_table(run: BuiltSurvey) -> str:
    plan, kinds = run.plan, [kind for kind, count in run.kinds.items() if count]
    header = ["Form", *(kind.value for kind in kinds), "minutes", "respondents", "answers"]
    rows: list[list[object]] = [
        [
            form["form"],
            *(form["questions"][kind] for kind in kinds),
            *(form[name] for name in ("minutes", "respondents", "answers")),
        ]
        for form in plan.forms
    ]
    totals = [sum(form["questions"][kind] for form in plan.forms) for kind in kinds]
    return _table(header, [*rows, ["Total", *totals, "", plan.respondents, plan.answers]])


def _quota_table(plan: SurveyPlan) -> str:
    """The people of each cell."""
    rows = [[*cell, plan.cell_total(at)] for at, cell in enumerate(plan.cells)]
    return _table([*plan.dimensions, "respondents"], rows, len(plan.dimensions))


def _power_table(power: Sequence[Mapping[str, Any]]) -> str:
    header = ["True share naming the target", *(f"{it['named']} name a group" for it in power)]
    shares = (f"{float(share):.2f}" for share in SHARES)
    rows = ([true, *(_said(it["chances"][true]) for it in power)] for true in shares)
    return _table(header, [["(needed)", *(it["needed"] for it in power)], *rows])


def _selection_table(selection: Sequence[Mapping[str, Any]]) -> str:
    header = ["Options", "role", "votes", *(f"{float(at):.2f}" for at in TIMES)]
    rows: list[list[object]] = []
    for it in selection:
        targets, others = (map(_said, it[role].values()) for role in ("target", "non_target"))
        rows.append([it["options"], "target", f">= {it['target_from']}", *targets])
        rows.append([it["options"], "non-target", f"<= {it['non_target_to']}", *others])
    return _table(header, rows, 2)


def _chance_table(selection: Sequence[Mapping[str, Any]]) -> str:
    """Lay out how often chance alone keeps a question."""
    header = ["Options", "counting", *(f"{float(each):g}" for each in PER_PERSON)]
    kept = [map(_said, it["kept_by_chance"].values()) for it in selection]
    sizes = ((it["offered"], it["options"]) for it in selection)
    return _table(header, [[*size, *row] for size, row in zip(sizes, kept, strict=True)])
