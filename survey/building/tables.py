"""The files of a survey that is built, and when they may be written."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from curation.files.group_book import GroupBook
from curation.files.tables import read_bytes, read_table, write_csv, write_rows
from curation.records.errors import CurateError
from curation.records.survey import (
    Decision,
    Question,
    QuestionKind,
    Stage,
)
from survey.building.forms import Form, Plan
from survey.questionnaire import QUESTIONNAIRE, OptionRow, option_rows

FORM_COLUMNS = ("form", "position", "question_id")
"""The columns of `forms.csv`."""
TEXT_COLUMNS = ("question_id", "kind", "template_id", "sample_id", "text")
"""The columns of `texts.csv`."""


def form_rows(forms: Sequence[Form]) -> Iterator[tuple[str, int, str]]:
    """Yield the rows of `forms.csv`, one a question of a form."""
    for form in forms:
        for position, question in enumerate(form.questions, start=1):
            yield form.id, position, question.id


def write_questionnaire(path: Path, questions: Sequence[Question], book: GroupBook) -> None:
    """Write the questions in place of `path`.

    Args:
        path: The file.
        questions: The questions.
        book: For the keys of groups; an empty one leaves their names.

    Raises:
        CurateError: If it cannot be written.
    """
    QUESTIONNAIRE.write(path, _option_rows(questions, book))


def _option_rows(questions: Sequence[Question], book: GroupBook) -> list[OptionRow]:
    return [row for question in questions for row in option_rows(question, book)]


def write_forms_table(path: Path, forms: Sequence[Form]) -> None:
    """Write the table of forms and their questions to `path`; an existing file is replaced.

    Raises:
        CurateError: If it cannot be written.
    """
    write_csv(path, FORM_COLUMNS, form_rows(forms), escaped=True)


def write_texts(
    path: Path,
    questions: Sequence[Question],
    texts: Mapping[str, str],
    samples: Mapping[str, str],
) -> None:
    """Write every question as respondents read it.

    Args:
        path: The file.
        questions: The questions.
        texts: By question id, its text.
        samples: By template id, the sample that its question of comprehension is.

    Raises:
        CurateError: If it cannot be written.
    """
    write_csv(
        path,
        TEXT_COLUMNS,
        (
            (
                question.id,
                question.kind.value,
                question.template_id,
                samples.get(question.template_id, ""),
                texts[question.id],
            )
            for question in questions
        ),
    )


def write_plan(path: Path, plan: Plan) -> None:
    """Write who is to answer what: a row for each form and cell of the quotas.

    Raises:
        CurateError: If it cannot be written.
    """
    kinds = [kind.value for kind in QuestionKind]
    columns = ("form", *plan.dimensions, "respondents", *kinds, "answers", "minutes")
    columns = (*columns, "cost", "pay_per_hour")
    rows: list[tuple[object, ...]] = []
    for form in plan.forms:
        asked = [form.questions.get(kind, 0) for kind in QuestionKind]
        for cell, people in zip(plan.cells, form.cells, strict=True):
            cost = None if form.cost is None else form.cost * people / form.respondents
            answers = people * sum(asked)
            paid = (money(cost), money(form.pay_per_hour))
            rows.append((form.form, *cell, people, *asked, answers, form.minutes, *paid))
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
    changed = [
        path.name
        for path, columns, rows in (
            (
                responses / "questionnaire.csv",
                QUESTIONNAIRE.columns,
                map(QUESTIONNAIRE.cells, _option_rows(questions, book)),
            ),
            (responses / "forms" / "forms.csv", FORM_COLUMNS, form_rows(forms)),
        )
        if path.exists() and read_bytes(path) != _as_bytes(columns, rows)
    ]
    if not changed:
        return
    what = is_answered(responses, responses / "questionnaire.csv", ledger)
    if not what:
        return
    hint = (
        "build in a copy of the workspace; or give --replace: the files are written again, answers "
        "and decisions are kept and may belong to questions that are no longer asked"
    )
    if changed == ["forms.csv"] and _is_of_one_order(responses / "forms" / "forms.csv"):
        hint += "; these forms showed one order of the options: questionnaire.orders was 1"
    raise CurateError(
        f"{' and '.join(changed)} would change, and {what}",
        str(responses),
        hint,
    )


def is_answered(responses: Path, questionnaire: Path, ledger: Sequence[Decision]) -> str:
    """By what one knows that people have answered a questionnaire; empty where nobody has.

    Args:
        responses: The folder `responses/`.
        questionnaire: The questions.
        ledger: The decisions.
    """
    if (responses / "responses.csv").exists():
        return "responses.csv holds answers to it"
    if _is_decided_on(questionnaire, ledger):
        return "decisions.csv holds decisions on its questions"
    return ""


def _is_of_one_order(path: Path) -> bool:
    """Say whether each question stands in one form alone."""
    asked = [row["question_id"] for row in read_table(path, required=("question_id",)).rows]
    return len(set(asked)) == len(asked)


def _as_bytes(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    stream = io.StringIO(newline="")
    write_rows(stream, columns, rows, escaped=True)
    return stream.getvalue().encode()


def _is_decided_on(path: Path, ledger: Sequence[Decision]) -> bool:
    if not path.exists():
        return False
    surveyed = (Stage.SURVEY, Stage.COMPREHENSION)
    subjects = {decision.subject for decision in ledger if decision.stage in surveyed}
    table = read_table(path, required=("question_id",))
    return any(
        row["question_id"] in subjects or (row.get("template_id") or "-") in subjects
        for row in table.rows
    )
