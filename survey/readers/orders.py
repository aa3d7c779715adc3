"""Where options were shown, by the form that a respondent answered or by lists of the options.

The order of a question that is known for one of a respondent's rows is known for all its options:
those that were not chosen get rows of their own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.files.tables import read_table, refuse_problems
from curation.records.messages import Finding
from curation.records.survey import Question, QuestionKind
from survey.answers import SELECTED, SHOWN, Answers, Codes
from survey.mapping import QuestionPart
from survey.platforms import CODE_COLUMNS, MIXING
from survey.readers.frames import RowView, first_of, plain, refusal, tell
from survey.readers.options import OptionTable

Order = tuple[int, ...]
"""For each option of a question where it was shown, from 1."""
Positions = npt.NDArray[np.int32]
"""Where each option was shown, from 1; 0 where it is not known."""
_NUMBER = re.compile(r"[0-9]{1,9}")


FormOrders = tuple[Mapping[str, Mapping[str, Order]], tuple[str, ...]]
"""By form, in small letters, and question the order of its options; and the platforms of forms that
show each respondent an order of their own."""


def form_orders(path: Path, questions: Sequence[Question]) -> FormOrders | None:
    """Read from `codes.csv` where each form shows the options of its questions; None without it.

    Args:
        path: The table.
        questions: The questionnaire.

    Raises:
        CurateError: If it cannot be read.
    """
    if not path.exists():
        return None
    table = read_table(path, required=CODE_COLUMNS, escaped=True)
    refuse_problems(table)
    by_id = {question.id: question for question in questions}
    places: dict[tuple[str, str, str], dict[str, int]] = {}
    mixed: dict[str, None] = {}
    for row in table.rows:
        if row["question_id"] not in by_id or not row["position"].isdecimal():
            continue
        if row["platform"] in MIXING:
            mixed[row["platform"]] = None
        key = row["platform"], plain(row["form"]).casefold(), row["question_id"]
        places.setdefault(key, {})[row["option"]] = int(row["position"])
    orders: dict[str, dict[str, Order]] = {}
    unlike = set()
    for (platform, form, name), shown in places.items():
        order = tuple(shown.get(option.code, 0) for option in by_id[name].options)
        if sorted(order) != list(range(1, len(order) + 1)) or platform in MIXING:
            unlike.add((form, name))  # which platform a row comes from is not known
        elif orders.setdefault(form, {}).setdefault(name, order) != order:
            unlike.add((form, name))
    for form, name in unlike:
        orders.setdefault(form, {}).pop(name, None)
    return orders, tuple(mixed)


def in_forms(answers: Answers, forms: Mapping[str, Mapping[str, Order]]) -> Answers:
    """Answers with the positions of the forms that their respondents answered.

    Args:
        answers: The answers; `form` among the attributes says who answered which.
        forms: By form, in small letters, and question the order of its options.
    """
    known = {form: at for at, form in enumerate(forms)}
    stated = answers.attributes.get("form", ("",) * len(answers.respondents))
    place = np.array([known.get(plain(form).casefold(), -1) for form in stated], dtype=np.int64)
    orders: list[Order] = []
    table = np.full((len(known) + 1, len(answers.questions)), -1, dtype=np.int64)  # last: none
    for form, shown in forms.items():
        for at, question in enumerate(answers.questions):
            if question.id in shown:
                table[known[form], at] = len(orders)
                orders.append(shown[question.id])
    order = table[place[answers.respondent], answers.question]
    return with_orders(answers, order, orders)


def form_findings(answers: Answers, forms: FormOrders) -> Iterator[Finding]:
    """Say which forms were not built, and which answers a respondent's form does not ask for.

    Args:
        answers: The answers; `form` among the attributes says who answered which.
        forms: What the forms show that were built.
    """
    stated, (orders, mixed) = answers.attributes["form"], forms
    named = [plain(form).casefold() for form in stated]
    strange = [
        form for form, name in zip(stated, named, strict=True) if form and name not in orders
    ]
    if strange:
        told = {"people": len(strange), "forms": list(dict.fromkeys(strange))}
        yield tell("survey-form-unknown", answers.source, known=list(orders), **told)
    ids = [question.id for question in answers.questions]
    asks = np.array([[i in orders.get(name, ids) for i in ids] for name in named], dtype=bool)
    others = (answers.state == SELECTED) & ~asks[answers.respondent, answers.question]
    if others.any() and not mixed:
        at = int(np.flatnonzero(others)[0])
        who = int(answers.respondent[at])
        told = {"answers": int(others.sum()), "who": answers.respondents[who], "form": stated[who]}
        row, asked = int(answers.row[at]) or None, ids[answers.question[at]]
        yield tell("survey-form-question", answers.source, row, "form", question=asked, **told)


def with_orders(answers: Answers, order: Codes, orders: Sequence[Order]) -> Answers:
    """Answers with the positions of all options where the order is known.

    Args:
        answers: The answers.
        order: For each row which order its respondent saw; -1 where it is not known.
        orders: The orders.
    """
    if not (order >= 0).any():
        return answers
    sizes = np.array([len(question.options) for question in answers.questions], dtype=np.int64)
    table = np.zeros((len(orders) + 1, int(sizes.max())), dtype=np.int32)  # the last: not known
    for at, shown in enumerate(orders):
        table[at, : len(shown)] = shown
    keys = answers.respondent * len(sizes) + answers.question
    pairs, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    of_pair = np.full(len(pairs), -1, dtype=np.int64)
    np.maximum.at(of_pair, inverse, order)
    chose = np.zeros(len(pairs), dtype=bool)
    chose[inverse[answers.state == SELECTED]] = True
    told = table[of_pair[inverse], answers.option]
    position = np.where(told > 0, told, answers.position).astype(np.int32)
    full = np.flatnonzero(
        (of_pair >= 0) & chose & (np.bincount(inverse) < sizes[pairs % len(sizes)])
    )
    counts = sizes[pairs[full] % len(sizes)]
    mine = np.repeat(full, counts)
    option = np.arange(len(mine)) - np.repeat(np.cumsum(counts) - counts, counts)
    width = int(sizes.max())
    new = ~np.isin(mine * width + option, inverse * width + answers.option)
    mine, option = mine[new], option[new]
    like = first[mine]

    def joined(column: str, added: npt.NDArray[np.generic]) -> Any:
        own = getattr(answers, column)
        return np.concatenate([own, added.astype(own.dtype)])

    return replace(
        answers,
        respondent=joined("respondent", answers.respondent[like]),
        question=joined("question", answers.question[like]),
        option=joined("option", option),
        state=joined("state", np.full(len(mine), SHOWN)),
        position=np.concatenate([position, table[of_pair[mine], option]]),
        duration=joined("duration", answers.duration[like]),
        row=joined("row", answers.row[like]),
    )


def completed(answers: Answers) -> Answers:
    """Answers of which chosen options alone have positions, with those that follow from these.

    Of two groups the other one stood in the other place, where "no such stereotype" always stood
    last. Where a group of the question was shown third, or that stood before one, nothing follows.
    """
    place = answers.position
    if not place.any() or (answers.state != SELECTED).any():
        return answers
    order = np.full(len(answers), -1, dtype=np.int64)
    orders: list[Order] = []
    for at, question in enumerate(answers.questions):
        last = question.fixed_last
        moved = [option for option in range(len(question.options)) if option not in last]
        rows = np.flatnonzero((answers.question == at) & (place > 0))
        if question.kind is not QuestionKind.CHOICE or len(moved) != 2 or len(last) > 1:
            continue
        of_group = np.isin(answers.option[rows], moved)
        if (place[rows][of_group] > 2).any() or (place[rows][~of_group] != 3).any():
            continue
        for first, second in (moved, moved[::-1]):
            shown = [0] * len(question.options)
            shown[first], shown[second] = 1, 2
            for option in last:
                shown[option] = 3
            where = place[rows] == np.array(shown)[answers.option[rows]]
            order[rows[of_group & where]] = len(orders)
            orders.append(tuple(shown))
    return with_orders(answers, order, orders)


def listed_orders(table: OptionTable, cell: str) -> set[Order]:
    """All ways to read a cell as the options of a question in the order in which they were shown.

    Args:
        table: What options are called. Where cells are of people's making, all are named except
            those that always stay last.
        cell: The cell.
    """
    every = range(len(table.question.options))
    return {
        tuple(options.index(at) + 1 if at in options else 0 for at in every)
        for options in table.in_order(cell)
    }


def orders_in_columns(view: RowView, pattern: str, table: OptionTable, key: str) -> Positions:
    """Read where each option was shown from a column for each.

    Args:
        view: The rows.
        pattern: The columns' names, with `{code}`.
        table: The options.
        key: The key of the mapping that names the columns.

    Raises:
        CurateError: If there is no such column, or a cell is no position or that of another one.
    """
    found = np.zeros((len(view), len(table.question.options)), dtype=np.int32)
    for option in range(len(table.question.options)):
        # An option may have a number and a text as its keys: one of them names the column.
        keys = [code for code, at in table.keys.items() if at == option]
        names = [pattern.replace("{code}", code) for code in keys]
        name = next((name for name in names if name in view), names[0])
        found[:, option] = read_places(view, name, key)
    ordered = np.sort(found, axis=1)
    at = first_of(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] > 0)).any(axis=1))
    if at >= 0:
        view.refuse("position-twice", at, pattern)
    return found


def read_places(view: RowView, name: str, key: str) -> Positions:
    """Read a column of positions, from 1; 0 where a cell is empty.

    Raises:
        CurateError: If there is no such column, or a cell is no position.
    """

    def place(text: str) -> int | None:
        if not text:
            return 0
        return int(text) or None if _NUMBER.fullmatch(text) else None

    found = view.read(name, view.column(name, key), place, "no-position")
    return found.astype(np.int32)


def shown_orders(
    parts: Sequence[QuestionPart], questions: Sequence[Question]
) -> dict[str, dict[str, Order]]:
    """By form, in small letters, and question what a mapping says of the order of its options.

    Raises:
        CurateError: If a form does not show every option once.
    """
    codes = {question.id: [option.code for option in question.options] for question in questions}
    orders: dict[str, dict[str, Order]] = {}
    for part in parts:
        for form, listed in part.shown.items():
            if sorted(listed) != sorted(codes[part.id]):
                told = {"id": part.id, "form": form, "listed": listed, "codes": codes[part.id]}
                raise refusal("shown-unlike", "mapping", **told)
            order = tuple(listed.index(code) + 1 for code in codes[part.id])
            orders.setdefault(plain(form).casefold(), {})[part.id] = order
    return orders


def order_findings(answers: Answers, forms: FormOrders | None) -> list[Finding]:
    """Say that nothing tells where options were shown, and what to do; or of how many it does not.

    Args:
        answers: All answers of a survey.
        forms: What the forms show that were built.
    """
    way, (_, mixed) = "unknown", forms or ({}, ())
    if any(answers.attributes.get("form", ())):
        way = "unbuilt" if forms is None else "mixed" if mixed else way
    return [tell(f"order-{way}", answers.source, platforms=", ".join(mixed))]
