"""A survey built from the bank: its questions, forms and plan, and the files that hold them."""

import io
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.checks.settings import placeholders
from curation.files.atomic import write_file
from curation.files.bank import GroupBook
from curation.files.lock import writing
from curation.files.questionnaire import QUESTIONNAIRE, option_rows
from curation.files.tables import read_bytes, read_table, write_csv, write_rows
from curation.files.workspace import Workspace
from curation.records.culture import Culture, QuestionnaireSettings, SurveySettings, Wording
from curation.records.messages import Finding, Progress, has_errors, silent
from curation.records.sample import Sample
from curation.records.settings import overridden
from curation.records.survey import Decision, Question, QuestionKind, Role, surveyed_subjects
from curation.report.texts import environment
from survey.bank import PREREGISTRATION
from survey.building.plan import (
    REGISTERED,
    Errors,
    Form,
    SurveyPlan,
    assign,
    copies_needed,
    error_rates,
    expected_to_name,
    people_of_a_form,
    plan_survey,
    power_column,
    selection_errors,
    selection_power,
    validation_errors,
    write_preregistration,
)
from survey.building.questions import Built, Remarks, asked_templates, understandings
from survey.building.wording import words_for
from survey.platforms.kit import (
    CODES,
    PLATFORMS,
    make_kit,
    question_texts,
    write_forms,
)
from survey.readers.frames import refusal

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class BuiltSurvey:
    """A survey that is built.

    Attributes:
        culture: The settings that it was built with.
        words: What respondents read.
        built: Its questions.
        understandings: By template, what asks whether it is understood.
        forms: Its forms.
        plan: How many people it needs, and what it costs.
        power: How likely the two-thirds rule keeps a validated stereotype.
        selection: How likely a group of target selection is a target or a non-target; nothing
            where votes are shared, whose number is not known before.
        findings: What a person should look at; with an error nothing is written.
        written: What was written, by platform.
        stale: What an earlier build wrote and this one did not.
    """

    culture: Culture
    words: Wording
    built: Built
    understandings: dict[str, Sample]
    forms: tuple[Form, ...]
    plan: SurveyPlan
    power: tuple[Mapping[str, Any], ...]
    selection: tuple[Mapping[str, Any], ...]
    findings: tuple[Finding, ...]
    written: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    stale: tuple[str, ...] = ()

    @property
    def questions(self) -> Sequence[Question]:
        """The questions, in the order that numbers them."""
        return self.built.questions

    @property
    def kinds(self) -> dict[QuestionKind, int]:
        """How many questions of each kind there are."""
        kinds = [question.kind for question in self.questions]
        return {kind: kinds.count(kind) for kind in QuestionKind}

    def to_frame(self) -> "pd.DataFrame":
        """The questions: `question_id`, `kind`, `category`, `stereotype`, `template_id`, `options`.

        `options` is `int64`, the others are `object` and hold texts.
        """
        import pandas as pd

        columns = ["question_id", "kind", "category", "stereotype", "template_id", "options"]
        rows = [
            (q.id, q.kind.value, q.category, q.stereotype, q.template_id, len(q.options))
            for q in self.questions
        ]
        return pd.DataFrame(rows, columns=columns, dtype=object).astype({"options": "int64"})


def build(
    workspace: Workspace,
    *,
    formats: Sequence[str] = ("workbook", "csv"),
    replace: bool = False,
    dry_run: bool = False,
    named: Collection[str] = (),
    progress: Progress = silent,
    **settings: object,
) -> BuiltSurvey:
    """Build a survey from the bank, and write its questionnaire, plan and forms.

    Args:
        workspace: The workspace.
        formats: The platforms to write forms for.
        replace: Whether to write anew what people have answered.
        dry_run: Whether to write nothing.
        named: Only these templates or categories are asked about; all in use by default.
        progress: Told how many forms are written.
        **settings: Settings of `questionnaire` in `culture.yaml` that hold for this run; None
            leaves one as it is set.

    Raises:
        CurateError: If a file of the workspace cannot be read or written, the language has no
            texts, people have answered another questionnaire, a platform is not known, or a
            setting is not possible (`SettingError`).
    """
    for name in formats:
        if name not in PLATFORMS:
            raise refusal("platform-unknown", "", name=name, platforms=", ".join(PLATFORMS))
    with writing(workspace, "curate survey build", dry_run=dry_run):
        asked = overridden(workspace.culture.questionnaire, settings)
        made = _build(workspace, asked, named)
        if dry_run or has_errors(made.findings):
            return made
        if not replace:
            folder, ledger = workspace.responses_folder, workspace.decisions
            refuse_to_lose(folder, made.questions, made.forms, ledger, workspace.book)
        return _save(workspace, made, formats, progress)


def _build(
    workspace: Workspace, settings: QuestionnaireSettings, named: Collection[str]
) -> BuiltSurvey:
    culture = workspace.culture.model_copy(update={"questionnaire": settings})
    words = words_for(culture, workspace.language)
    built, filled, findings = _questions(workspace, culture, named, words.fill("none"))
    forms = assign(built.questions, built.subjects, settings)
    # The chances if everybody names a group, and with the share that is assumed.
    counts = dict.fromkeys((settings.respondents_per_question, expected_to_name(settings)))
    return BuiltSurvey(
        culture=culture,
        words=words,
        built=built,
        understandings=filled,
        forms=forms,
        plan=plan_survey(forms, settings),
        power=tuple(power_column(count, culture.survey.stereotype_share) for count in counts),
        selection=tuple(_selection_power(culture, built.questions)),
        findings=findings,
    )


def _questions(
    workspace: Workspace, culture: Culture, named: Collection[str], none: str = ""
) -> tuple[Built, dict[str, Sample], tuple[Finding, ...]]:
    """The questions of the bank, what asks whether templates are understood, and what is to see."""
    bank, groups = workspace.shown(workspace.bank_file), workspace.groups
    every = asked_templates(workspace.bank.templates(), workspace.renamed_decisions, culture)
    only = workspace.chosen(named)
    templates = [item for item in every if str(item.id) in only]
    remarks = Remarks(bank)
    filled = understandings(templates, culture, groups, remarks, workspace.language)
    built = Built(templates, culture, groups, filled, none, bank=bank)
    if not templates:
        remarks.say(None, "questionnaire-empty")
    left = placeholders(workspace, [item.id for item in templates])
    return built, filled, (*left, *built.findings, *remarks.findings)


RESPONDENTS = (10, 20, 30, 40, 60, 80, 100, 150, 200)
"""How many respondents of a question are compared before a survey is built."""


def designs(
    workspace: Workspace, budget: Fraction | None = None, named: Collection[str] = ()
) -> tuple[list[dict[str, Any]], tuple[Finding, ...]]:
    """Compare surveys of the same questions with more and fewer respondents; nothing is written.

    Args:
        workspace: The workspace.
        budget: What the answers may cost; with it the largest survey that can be paid, and is no
            larger than those, is compared too.
        named: Only these templates or categories are asked about; all in use by default.

    Returns:
        A design each, by the `respondents_per_question`: the `forms`, `respondents` and `minutes`
        of the longest form; the `cost`, None without a price; how many people more it needs than
        with one order of options (`for_orders`, 0 where one order needs as many or, by rounding,
        more); how many people it turns away because of quotas (`for_quotas`, see
        `Plan.turned_away`); how many of each question are taken to name a group (`named`); the
        `false_keeps` and `false_drops` of all questions, and the same of each kind (see
        `validation_errors`, which has none where the threshold is not from a half to 1, and
        `selection_errors`); and whether it can be `paid`, None without a budget. And what a person
        should look at: with an error there is no design.

    Raises:
        CurateError: If a file of the workspace cannot be read, there is a budget and no price, or
            the budget pays for no respondent.
    """
    asked = workspace.culture.questionnaire
    built, _, findings = _questions(workspace, workspace.culture, named)
    if has_errors(findings) or not built.questions:
        return [], findings
    sizes = {*RESPONDENTS, asked.respondents_per_question}
    if budget is not None:
        if not asked.price:
            raise refusal("price-lacking", "")
        # Each question stands in some forms, and each of them is filled in by some people.
        every = ((n, _sized(asked, n)) for n in range(1, max(sizes) + 1))
        price = asked.price * len(built.questions)
        costs = {n: price * copies_needed(it) * people_of_a_form(it) for n, it in every}
        paid = [n for n, cost in costs.items() if cost <= budget]
        if not paid:
            sum_of_all = f"{money(budget)} {asked.currency}".rstrip()
            raise refusal("budget-small", "", budget=sum_of_all, least=money(costs[1]))
        sizes.add(paid[-1])
    wanted = (_sized(asked, size) for size in sorted(sizes))
    survey = workspace.culture.survey
    known: dict[tuple[int, int], tuple[Form, ...]] = {}

    def planned(settings: QuestionnaireSettings) -> SurveyPlan:
        key = copies_needed(settings), settings.orders  # forms depend on no other number
        if key not in known:
            known[key] = assign(built.questions, built.subjects, settings)
        return plan_survey(known[key], settings)

    found = []
    for each in wanted:
        plan, single = planned(each), planned(each.model_copy(update={"orders": 1}))
        naming = expected_to_name(each)
        kinds = _errors(built.questions, naming, survey)
        wrong, missed = error_rates([errors for of_kind in kinds.values() for errors in of_kind])
        found.append(
            {
                "respondents_per_question": each.respondents_per_question,
                "forms": len(plan.forms),
                "respondents": plan.respondents,
                "for_orders": max(0, plan.respondents - single.respondents),
                "minutes": max((form["minutes"] for form in plan.forms), default=0),
                "cost": plan.cost,
                "for_quotas": plan.turned_away,
                "named": naming,
                "false_keeps": wrong,
                "false_drops": missed,
                "by_kind": {kind: error_rates(errors) for kind, errors in kinds.items()},
                "paid": None if budget is None or plan.cost is None else plan.cost <= budget,
            }
        )
    return found, findings


def _sized(asked: QuestionnaireSettings, respondents: int) -> QuestionnaireSettings:
    return asked.model_copy(update={"respondents_per_question": respondents})


def _errors(
    questions: Sequence[Question], named: int, survey: SurveySettings
) -> dict[str, list[Errors | None]]:
    """How each question on a stereotype may be decided wrongly, by kind."""
    choices = sum(question.kind is QuestionKind.CHOICE for question in questions)
    validated = [validation_errors(named, survey.stereotype_share)] * choices
    selected: list[Errors | None] = []
    for (counting, offered), count in _option_numbers(questions).items():
        errors = selection_errors(counting, offered, named, survey) if named else None
        selected += [errors] * count
    found = {"choice": validated, "select_all": selected}
    return {kind: errors for kind, errors in found.items() if errors}


def _option_numbers(questions: Sequence[Question]) -> Counter[tuple[int, int]]:
    """How many questions of target selection have so many options that count, and in all."""
    every = (
        [option.counts for option in question.options if option.role is not Role.NONE]
        for question in questions
        if question.kind is QuestionKind.SELECT_ALL
    )
    return Counter((sum(counting), len(counting)) for counting in every)


def _selection_power(culture: Culture, questions: Sequence[Question]) -> Iterator[dict[str, Any]]:
    """Work out the chances for each number of options, with those who are taken to name a group."""
    if culture.survey.equal_share == "votes":
        return
    asked = culture.questionnaire.respondents_per_question
    named = expected_to_name(culture.questionnaire)
    for counting, offered in sorted(_option_numbers(questions)) if named else ():
        yield selection_power(counting, offered, named, asked, culture.survey)


def _save(
    workspace: Workspace, made: BuiltSurvey, formats: Sequence[str], progress: Progress
) -> BuiltSurvey:
    responses, questions = workspace.responses_folder, made.questions
    texts = question_texts(questions, made.understandings, made.words, made.culture)
    samples = {f"c-{name}": item.sample_id for name, item in made.understandings.items()}
    forms = responses / "forms"
    write_questions(responses, questions, made.forms, workspace.book)
    rows = (
        (it.id, it.kind.value, it.template_id, samples.get(it.id, ""), texts[it.id])
        for it in questions
    )
    write_csv(forms / "texts.csv", TEXT_COLUMNS, rows)
    write_plan(responses / "plan.csv", made.plan)
    plan = responses / PREREGISTRATION
    if not (plan.exists() and is_answered(responses, workspace.decisions)):
        files = [responses / name for name in ("questionnaire.csv", *REGISTERED)]
        write_preregistration(plan, made.culture, made.plan, questions, files)
    kit = make_kit(
        questions,
        made.forms,
        made.understandings,
        made.words,
        made.culture,
        respondents=people_of_a_form(made.culture.questionnaire),
        language=workspace.language,
        progress=progress,
    )
    # A platform lays a form out in its own way; texts, questions and orders are the same.
    page = environment(__package__).get_template("preview.html.j2")
    preview = page.render(kit=kit)
    write_file(forms / "preview.html", f"{preview}\n")
    written = write_forms(forms, kit, formats)
    stale = _stale(workspace, made.forms, formats)
    return replace(made, written=written, stale=tuple(stale))


def _stale(workspace: Workspace, forms: Sequence[Form], formats: Sequence[str]) -> list[str]:
    """What an earlier build wrote and this one did not: forms, and folders of platforms."""
    known = {form.id for form in forms}
    folder = workspace.responses_folder / "forms"
    files = [path for name in formats for path in sorted((folder / name).glob("f[0-9]*.*"))]
    left = [path for path in files if path.name.split(".")[0] not in known]
    table = read_table(folder / CODES, required=("platform",), escaped=True)
    known |= {row["platform"] for row in table.rows}  # forms that ask the same are still read
    left += [folder / name for name in PLATFORMS if name not in known and (folder / name).exists()]
    return [workspace.shown(path) for path in left]


FORM_COLUMNS = ("form", "position", "question_id")
"""The columns of `forms.csv`."""
TEXT_COLUMNS = ("question_id", "kind", "template_id", "sample_id", "text")
"""The columns of `texts.csv`."""


def _tables(
    folder: Path, questions: Sequence[Question], forms: Sequence[Form], book: GroupBook
) -> dict[Path, tuple[Sequence[str], list[Sequence[object]]]]:
    """The files of the questions, and of which form asks them, each with its columns and rows."""
    return {
        folder / "questionnaire.csv": (
            QUESTIONNAIRE.columns,
            [QUESTIONNAIRE.cells(row) for item in questions for row in option_rows(item, book)],
        ),
        folder / "forms" / "forms.csv": (
            FORM_COLUMNS,
            [(form.id, at, it.id) for form in forms for at, it in enumerate(form.questions, 1)],
        ),
    }


def write_questions(
    folder: Path, questions: Sequence[Question], forms: Sequence[Form], book: GroupBook
) -> None:
    """Write the questions, and which form asks them, in place of the files in a folder.

    Args:
        folder: The folder, such as `responses/`.
        questions: The questions.
        forms: The forms.
        book: For the keys of groups; an empty one leaves their names.

    Raises:
        CurateError: If a file cannot be written.
    """
    for path, (columns, rows) in _tables(folder, questions, forms, book).items():
        write_csv(path, columns, rows, escaped=True)


def write_plan(path: Path, plan: SurveyPlan) -> None:
    """Write who is to answer what: a row for each form and cell of the quotas.

    Raises:
        CurateError: If it cannot be written.
    """
    kinds = [kind.value for kind in QuestionKind]
    columns = ("form", *plan.dimensions, "respondents", *kinds, "answers", "minutes")
    columns = (*columns, "cost", "pay_per_hour")
    rows: list[tuple[object, ...]] = []
    for form in plan.forms:
        asked, cost = [form["questions"][kind] for kind in QuestionKind], form["cost"]
        for cell, people in zip(plan.cells, form["cells"], strict=True):
            part = None if cost is None else cost * people / form["respondents"]
            answers, paid = people * sum(asked), (money(part), money(form["pay_per_hour"]))
            rows.append((form["form"], *cell, people, *asked, answers, form["minutes"], *paid))
    write_csv(path, columns, rows)


def money(amount: Fraction | None) -> str:
    """Write an amount with two decimals; nothing where there is none."""
    return "" if amount is None else f"{float(round(amount, 2)):.2f}"


def refuse_to_lose(
    responses: Path,
    questions: Sequence[Question],
    forms: Sequence[Form],
    ledger: Sequence[Decision],
    book: GroupBook,
) -> None:
    """Refuse to change a questionnaire that people have answered: it would cost their answers.

    Args:
        responses: The folder `responses/`.
        questions: The questions that are to be written.
        forms: The forms that are to be written.
        ledger: The decisions.
        book: For the keys of groups.

    Raises:
        CurateError: If questionnaire or forms would change, and there are answers or decisions.
    """
    changed = []
    for path, (columns, rows) in _tables(responses, questions, forms, book).items():
        stream = io.StringIO(newline="")
        write_rows(stream, columns, rows, escaped=True)
        if path.exists() and read_bytes(path) != stream.getvalue().encode():
            changed.append(path.name)
    if not changed:
        return
    what = is_answered(responses, ledger)
    if not what:
        return
    raise refusal("questionnaire-answered", str(responses), files=" and ".join(changed), what=what)


def is_answered(responses: Path, ledger: Sequence[Decision]) -> str:
    """By what one knows that people have answered a questionnaire; empty where nobody has.

    Args:
        responses: The folder `responses/`.
        ledger: The decisions.
    """
    if (responses / "responses.csv").exists():
        return "responses.csv holds answers to it"
    subjects = surveyed_subjects(ledger)
    asked = responses / "questionnaire.csv"
    rows = read_table(asked, required=("question_id",)).rows if asked.exists() else ()
    if any({row["question_id"], row.get("template_id") or "-"} & subjects for row in rows):
        return "decisions.csv holds decisions on its questions"
    return ""
