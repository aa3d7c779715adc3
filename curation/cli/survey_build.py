"""`curate survey build`: questions, forms and a plan from the bank."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import click
from pydantic import ValidationError

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
from curation.cli.survey_comprehension import understandings
from curation.io.settings_errors import in_words
from curation.io.workspace import Workspace
from curation.model.culture import Culture
from curation.model.findings import Finding, has_errors
from curation.model.questionnaire import QuestionnaireSettings
from curation.model.survey import QuestionKind
from survey.building.forms import Form, assign, copies_needed
from survey.building.plan import Plan, plan_survey
from survey.building.power import SHARES, PowerColumn, power_column
from survey.building.questions import Built, Understanding, build_questions
from survey.building.reading import Remarks, asked_templates
from survey.building.tables import (
    money,
    refuse_to_lose,
    write_forms_table,
    write_plan,
    write_questionnaire,
    write_texts,
)
from survey.building.wording import Words, words_for
from survey.forms import PLATFORMS, Written, write_forms
from survey.forms.kit import make_kit, question_texts


@dataclass(frozen=True, slots=True)
class BuildRun:
    """A survey that is built; nothing is written yet."""

    culture: Culture
    words: Words
    built: Built
    understandings: dict[str, Understanding]
    forms: tuple[Form, ...]
    plan: Plan
    power: tuple[PowerColumn, ...]
    findings: tuple[Finding, ...]


def _formats(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
    if not names or any(name not in PLATFORMS for name in names):
        raise click.BadParameter(f"'{value}': name one or more of {', '.join(PLATFORMS)}")
    return names


@click.command("build")
@workspace_option
@click.option(
    "--respondents-per-question",
    type=click.IntRange(1),
    help="Answers that each question is to have [default: 100, or culture.yaml].",
)
@click.option(
    "--per-form", type=click.IntRange(1), help="Questions of one form at most [default: 35]."
)
@click.option(
    "--respondents-per-form",
    type=click.IntRange(1),
    help="People who answer one form [default: as many as a question is to have].",
)
@click.option("--seed", type=int, help="Of forms, orders and fillings [default: 42].")
@click.option("--price", metavar="NUMBER", help="Of one answer, for the cost.")
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
    help="Write questionnaire and forms anew although people have answered them. Answers and "
    "rulings stay as they are; they may then belong to questions that are not asked any more.",
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
    **given: object,
) -> None:
    """Make questions, forms and a plan from the bank.

    Writes responses/questionnaire.csv, plan.csv and forms/, with a mapping by which the answers
    to each form are read. The same bank and settings give the same bytes. Defaults come from
    'questionnaire' in culture.yaml; an option holds for this run. A questionnaire that people
    have answered, or that was ruled on, is not changed without --replace.

    \b
    Example: curate survey build --per-form 30 --format qualtrics,workbook
    """  # noqa: D301  # \b keeps click from wrapping the example
    run = build(workspace, _settings(workspace.culture, given))
    if has_errors(run.findings):
        if as_json:
            print_json({"findings": [finding_dict(item) for item in run.findings]})
        else:
            print_findings(run.findings)
            click.echo(f"{count_findings(run.findings)}; nothing was written.")
        ctx.exit(1)
    written = save(workspace, run, formats, replace=replace)
    stale = stale_forms(workspace, run.forms, formats)
    if as_json:
        print_json(as_dict(workspace, run, written, stale))
    else:
        show(workspace, run, written, stale)


def _settings(culture: Culture, given: dict[str, object]) -> QuestionnaireSettings:
    """Put the options over the workspace's settings."""
    stated = {key: value for key, value in given.items() if value is not None}
    try:
        return QuestionnaireSettings.model_validate(
            {**culture.questionnaire.model_dump(), **stated}
        )
    except ValidationError as error:
        first = error.errors()[0]
        name = f"--{first['loc'][0]}".replace("_", "-") if first["loc"] else "the settings"
        raise click.UsageError(f"{name}: {'; '.join(filter(None, in_words(first)))}") from error


def build(workspace: Workspace, settings: QuestionnaireSettings) -> BuildRun:
    """Build a survey, writing nothing.

    Raises:
        CurateError: If a file of the workspace cannot be read, or the language has no texts.
    """
    culture = workspace.culture.model_copy(update={"questionnaire": settings})
    words = words_for(culture)
    bank, groups = workspace.shown(workspace.bank_file), workspace.groups
    templates = asked_templates(workspace.bank.templates(), workspace.rulings, culture)
    remarks = Remarks(bank)
    filled = understandings(templates, culture, groups, settings.seed, remarks)
    built = build_questions(templates, culture, groups, filled, words.none, bank=bank)
    people = settings.respondents_per_form or settings.respondents_per_question
    forms = assign(
        built.questions,
        built.subjects,
        per_form=settings.per_form,
        copies=copies_needed(settings.respondents_per_question, people),
        seed=settings.seed,
    )
    if not templates:
        remarks.say_of_bank("empty", "the bank has no template to ask about")
    return BuildRun(
        culture=culture,
        words=words,
        built=built,
        understandings=filled,
        forms=forms,
        plan=plan_survey(forms, settings),
        power=tuple(_power(culture)),
        findings=(*built.findings, *remarks.findings),
    )


def _power(culture: Culture) -> list[PowerColumn]:
    """Work out the chances with everybody naming a group, and with the share that is assumed."""
    settings = culture.questionnaire
    asked = settings.respondents_per_question
    named = {asked: None, round(asked * (1 - settings.no_stereotype)): None}
    return [power_column(count, culture.survey.stereotype_share) for count in named]


def save(
    workspace: Workspace, run: BuildRun, formats: Sequence[str], *, replace: bool
) -> list[Written]:
    """Write questionnaire, plan and forms.

    Raises:
        CurateError: If people have answered another questionnaire, or something cannot be
            written.
    """
    responses, questions = workspace.responses_folder, run.built.questions
    if not replace:
        refuse_to_lose(responses, questions, run.forms, workspace.decisions)
    texts = question_texts(questions, run.understandings, run.words, run.culture)
    samples = {name: item.sample_id for name, item in run.understandings.items()}
    forms = responses / "forms"
    write_questionnaire(workspace.questionnaire_file, questions)
    write_forms_table(forms / "forms.csv", run.forms)
    write_texts(forms / "texts.csv", questions, texts, samples)
    write_plan(responses / "plan.csv", run.plan)
    kit = make_kit(questions, run.forms, run.understandings, run.words, run.culture)
    return write_forms(forms, kit, formats)


def stale_forms(workspace: Workspace, forms: Sequence[Form], formats: Sequence[str]) -> list[str]:
    """Name what an earlier build wrote and this one did not: forms, and folders of platforms."""
    known = {form.id for form in forms}
    folder = workspace.responses_folder / "forms"
    files = [path for name in formats for path in sorted((folder / name).glob("f[0-9]*.*"))]
    left = [path for path in files if path.name.split(".")[0] not in known]
    left += [
        folder / name for name in PLATFORMS if name not in formats and (folder / name).exists()
    ]
    return [workspace.shown(path) for path in left]


def as_dict(
    workspace: Workspace, run: BuildRun, written: Sequence[Written], stale: Sequence[str]
) -> dict[str, object]:
    """Give a run as `--json` prints it."""
    return {
        "questions": {kind.value: count for kind, count in _kinds(run).items()},
        "templates": run.built.templates,
        "saved": run.built.saved,
        **_plan_dict(run.plan),
        "power": [_power_dict(column) for column in run.power],
        "written": {
            item.name: {
                "files": [workspace.shown(path) for path in item.files],
                "cannot_express": dict(item.limits),
            }
            for item in written
        },
        "stale": list(stale),
        "findings": [finding_dict(item) for item in run.findings],
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
                "cells": list(form.cells),
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


def _number(amount: Fraction | None) -> float | None:
    return None if amount is None else round(float(amount), 2)


def _kinds(run: BuildRun) -> dict[QuestionKind, int]:
    kinds = [question.kind for question in run.built.questions]
    return {kind: kinds.count(kind) for kind in QuestionKind}


def show(
    workspace: Workspace, run: BuildRun, written: Sequence[Written], stale: Sequence[str]
) -> None:
    """Print questions, forms, quotas, cost and power."""
    if run.findings:
        print_findings(run.findings)
        click.echo()
    asked = ", ".join(f"{count} {kind.value}" for kind, count in _kinds(run).items() if count)
    saved = run.built.saved
    click.echo(f"Questions: {asked}, for {run.built.templates} templates.")
    click.echo(f"Shared stereotypes save {saved} {plural('question', saved)}.\n")
    click.echo("\n".join(_form_lines(run)) + "\n")
    if run.plan.dimensions:
        click.echo("\n".join(_quota_lines(run.plan)) + "\n")
    click.echo("\n".join(_power_lines(run)) + "\n")
    for item in written:
        folder = workspace.shown(item.files[0].parent)
        limits = "; ".join(what for what, _ in item.limits)
        click.echo(f"{folder}: {len(item.files)} files. They cannot express {limits}.")
    click.echo("README.txt in each folder says how to use the files, and what to do about that.")
    if stale:
        click.echo(f"Note: of an earlier build, not of this one: {', '.join(stale)}", err=True)


def _form_lines(run: BuildRun) -> list[str]:
    plan, currency = run.plan, run.culture.questionnaire.currency
    kinds = [kind for kind, count in _kinds(run).items() if count]
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
    needed = ceil(sum(totals) / run.culture.questionnaire.per_form)
    if len(plan.forms) > needed:
        lines.append(
            f"{needed} {plural('form', needed)} would hold the questions; there are more, so that "
            "nobody meets a stereotype twice."
        )
    if plan.cost is not None:
        lines.append(f"Cost: {money(plan.cost)} {currency}".rstrip())
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


def _power_lines(run: BuildRun) -> list[str]:
    share = run.culture.survey.stereotype_share
    header = ["True share naming the target"]
    header += [f"{item.named} name a group" for item in run.power]
    rows: list[list[object]] = [
        [f"{float(true):.2f}", *(f"{item.chances[at]:.0%}" for item in run.power)]
        for at, true in enumerate(SHARES)
    ]
    rows.insert(0, ["(needed)", *(item.needed for item in run.power)])
    lines = [f"Chance that a validated stereotype is kept (more than {share}), exact binomial:"]
    lines += table_lines(header, rows)
    if len(run.power) > 1:
        none = float(run.culture.questionnaire.no_stereotype)
        lines.append(
            f"The last column takes it that {none:.0%} say there is no such stereotype; "
            "questionnaire.no_stereotype sets that."
        )
    return lines
