"""A draft of a mapping, from what was recognised and placed, and what it leaves to a person.

Where questions and columns are left over, a part is suggested for each set of columns, with `?`
where only a person knows. Suggestions are comments, for a file need not hold what they are about.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Map
from dataclasses import dataclass, field, replace

import yaml

from curation.records.survey import Question, QuestionKind
from curation.records.wording import counted
from survey.mapping import (
    LABEL,
    ROW,
    UNPLACED,
    LongPart,
    Mapping,
    QuestionPart,
    ReadPart,
    RespondentPart,
)
from survey.platforms.recognise import Described, Recognised, Start
from survey.readers.drafts import draft_attention, draft_attributes, draft_long, rows_of_answers
from survey.readers.frames import plain
from survey.readers.hints import Hints, Trait
from survey.readers.naming import typed
from survey.readers.options import OptionTable, labels_of, shown
from survey.readers.people import of_one_person, personal
from survey.readers.placing import BY_CELLS, BY_PART, Placed, Placing, role_of
from survey.readers.times import started_and_ended

_SETS = 12
_QUESTIONS = 30
_VALUES = 8
_LONG = 60
_CODED = (
    re.compile(r"(?P<before>.+\[)(?P<code>[^\[\]]+)(?P<after>\])"),
    re.compile(r"(?P<before>.+[._])(?P<code>[^._\s]{1,12})(?P<after>)"),
)
"""Names of columns of which each is about one option."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to a person.

    Attributes:
        problem: What it is; empty where nothing is left.
        lines: Suggested parts, and the questions that they may be about.
    """

    problem: str = ""
    lines: tuple[str, ...] = ()


def draft_left(
    described: Described,
    known: set[str],
    start: Start,
    questions: Sequence[Question],
    drafted: set[str],
) -> Left:
    """Say which questions have no column and which columns no question.

    Args:
        described: The columns.
        known: Columns that the draft reads, or that are no question's.
        start: What the platform tells of its own columns.
        questions: The questionnaire.
        drafted: Ids of the questions that have columns.
    """
    unplaced = [question for question in questions if question.id not in drafted]
    titles = [title for title in described.titles if title and title not in known]
    sets = {key: members for key, members in _sets(described, titles, start).items() if members}
    if not unplaced or not sets:
        return Left()
    count = sum(map(len, sets.values()))
    columns = counted(count, "column is", "columns are")
    no_column = counted(len(unplaced), "question has", "questions have")
    problem = (
        f"{no_column} no column, and {columns} left over: where one holds answers, write its part "
        "under 'questions'; comments in the draft begin it"
    )
    lines = ["Parts for columns that are left over:", *_parts(described, sets, start)]
    lines += ["Questions without a column:", *_listed(unplaced)]
    return Left(problem, tuple(lines))


_Key = tuple[str, str]
"""What the names of some columns have in common, before the code and after it."""


def _sets(described: Described, titles: Sequence[str], start: Start) -> dict[_Key, dict[str, str]]:
    """Group columns that mark one option each; those that stand alone have no code.

    Sets of which no column holds anything are empty, and so is what is about no answer.
    """
    found: dict[_Key, dict[str, str]] = {}
    marks = {*start.selected, *start.not_selected, *start.missing, ""}
    for title in titles:
        match = next((m for known in _CODED if (m := known.fullmatch(title))), None)
        if match is not None and set(described.values(title)) <= marks:
            found.setdefault((match["before"], match["after"]), {})[match["code"]] = title
        elif role_of(title) == "answer":
            found[title, ""] = {"": title}
    return {
        key: members if _holds(described, members.values()) else {}
        for key, members in found.items()
    }


def _holds(described: Described, titles: Iterable[str]) -> bool:
    return any(any(described.values(title)) for title in titles)


def _parts(described: Described, sets: Map[_Key, Map[str, str]], start: Start) -> Iterator[str]:
    for (before, after), members in [*sets.items()][:_SETS]:
        part: dict[str, object] = {"id": UNPLACED, "kind": UNPLACED}
        if len(members) == 1:
            (column,) = members.values()
            part |= {"column": column, "missing": list(start.missing)}
            part |= {"options": _options(described.values(column), start)}
        else:
            part |= {"columns": f"{before}{{code}}{after}", "selected": list(start.selected)}
            part |= {"not_selected": list(start.not_selected), "missing": list(start.missing)}
            part |= {"options": dict.fromkeys(members, UNPLACED)}
        yield "  - " + _in_one_line(part)
    if len(sets) > _SETS:
        yield f"  ... and {len(sets) - _SETS} more"


def _options(values: Sequence[str], start: Start) -> dict[str, str]:
    """The values of a column as they stand for options, if they are few."""
    found = [value for value in values if value and value not in start.missing]
    if len(found) > _VALUES or any(len(value) > _LONG for value in found):
        return {"...": UNPLACED}
    return dict.fromkeys(found, UNPLACED)


def _in_one_line(part: Map[str, object]) -> str:
    text = yaml.safe_dump(
        dict(part), default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6
    )
    return str(text).strip()


def _listed(questions: Sequence[Question]) -> Iterator[str]:
    for question in questions[:_QUESTIONS]:
        options = "; ".join(shown(option) for option in question.options)
        about = question.stereotype or question.template_id
        yield f"  {question.id} ({question.kind.value}) {about}: {options}"
    if len(questions) > _QUESTIONS:
        yield f"  ... and {len(questions) - _QUESTIONS} more"


@dataclass(slots=True)
class Draft:
    """A draft and what a person has to see to.

    Attributes:
        mapping: The draft.
        open: What could not be placed.
        suggested: Comments that help to write it.
    """

    mapping: Mapping
    open: list[str] = field(default_factory=list)
    suggested: tuple[str, ...] = ()


@dataclass(slots=True)
class _Columns:
    """The columns of one question."""

    answers: list[Placed] = field(default_factory=list)
    orders: list[Placed] = field(default_factory=list)
    durations: list[Placed] = field(default_factory=list)


def draft(
    read: ReadPart,
    recognised: Recognised,
    start: Start,
    described: Described,
    placing: Placing,
    questions: Sequence[Question],
    hints: Hints,
    traits: Sequence[Trait] = (),
) -> Draft:
    """Draft a mapping.

    Args:
        read: How the file was read.
        recognised: Its platform.
        start: What the platform tells of its own columns.
        described: The columns.
        placing: Which question each belongs to.
        questions: The questionnaire.
        hints: What is known of codes.
        traits: What is to be known of respondents.
    """
    problems = [
        *_by_cells(described, placing, questions),
        *_by_parts(described, placing, questions),
    ]
    long, parts = _questions(described, start, placing, questions, hints, problems)
    taken = {described.titles[item.column] for item in placing.placed}
    attention = draft_attention(described, taken, hints, problems)
    taken |= {part.column for part in attention}
    mapping = Mapping(
        preset=recognised.preset,
        read=read,
        respondent=_respondent(described, start, long),
        keep=dict(start.keep),
        finished=dict(start.finished),
        screened_out=dict(start.screened_out),
        attention=attention,
        attributes=draft_attributes(described, taken, start, hints, traits, problems),
        long=long,
        questions=tuple(parts),
        ignored=tuple(title for title in described.titles if title in start.known),
    )
    if long is not None:
        return Draft(mapping, problems)
    known = {*taken, *start.known, *_named(mapping), *_personal(described)}
    left = draft_left(described, known, start, questions, {part.id for part in parts})
    problems += [left.problem] if left.problem else []
    if not parts:
        problems += rows_of_answers(described, questions, start)
    return Draft(mapping, problems, left.lines)


def _by_cells(described: Described, placing: Placing, questions: Sequence[Question]) -> list[str]:
    """Ask to check each column that was taken for a question's because of its cells alone."""
    return [
        f"question {questions[item.question].id}: column '{described.titles[item.column]}' was "
        "found only by its cells. It may be something else, such as an attribute of the "
        "respondents: check that it holds the answers"
        for item in placing.placed
        if item.how == BY_CELLS
    ]


def _by_parts(described: Described, placing: Placing, questions: Sequence[Question]) -> list[str]:
    """Ask to check each question whose columns hold more words than its stereotype."""
    titles: dict[int, str] = {}
    for item in placing.placed:
        if item.how == BY_PART:
            titles.setdefault(item.question, described.titles[item.column])
    return [
        f"question {questions[at].id}: column '{title}' has its stereotype within other words, "
        "so it may be another question: check it"
        for at, title in titles.items()
    ]


def _named(mapping: Mapping) -> set[str]:
    """The columns of respondents that a draft reads."""
    person = mapping.respondent
    found = {*person.columns(), *mapping.keep, *mapping.finished, *mapping.screened_out}
    return found | {part.column for part in mapping.attributes.values()}


def _personal(described: Described) -> set[str]:
    """The columns that may say who somebody is."""
    triples = zip(described.titles, described.texts, described.columns, strict=True)
    return {title for title, texts, column in triples if personal((title, *texts), column)}


def _questions(
    described: Described,
    start: Start,
    placing: Placing,
    questions: Sequence[Question],
    hints: Hints,
    problems: list[str],
) -> tuple[LongPart | None, list[QuestionPart]]:
    """Draft where the questions stand: by the columns placed, or by the rows of a long file."""
    if not placing.placed:
        found = draft_long(described, start, questions, hints, problems)
        return found or (None, [])
    made = [
        _part(questions[at], columns, described, start, hints, problems)
        for at, columns in sorted(_by_question(placing).items())
    ]
    return None, [part for part in made if part is not None]


def _respondent(described: Described, start: Start, long: LongPart | None) -> RespondentPart:
    """Who answered and when; the time of a row that holds one question is the question's."""
    person = start.respondent
    if person.id == ROW:
        pairs = zip(described.titles, described.columns, strict=True)
        of_one = [title for title, column in pairs if title and of_one_person(title, column)]
        person = person.model_copy(update={"person": of_one[0] if len(of_one) == 1 else None})
    if long is not None:
        update = {"duration": None} if long.duration == person.duration else {}
        return person.model_copy(update=update)
    if person.duration is not None:
        return person
    times = started_and_ended(described.titles, described.columns, person.submitted)
    if times is None:
        return person
    return person.model_copy(update={"started": times[0], "submitted": times[1]})


def _by_question(placing: Placing) -> dict[int, _Columns]:
    found: dict[int, _Columns] = {}
    for item in placing.placed:
        columns = found.setdefault(item.question, _Columns())
        if item.role == "answer":
            columns.answers.append(item)
        elif item.role == "order":
            columns.orders.append(item)
        elif item.role == "duration":
            columns.durations.append(item)
    return found


def _part(
    question: Question,
    columns: _Columns,
    described: Described,
    start: Start,
    hints: Hints,
    problems: list[str],
) -> QuestionPart | None:
    answers = columns.answers
    duration = described.titles[columns.durations[0].column] if columns.durations else None
    if len(answers) == 1:
        title = described.titles[answers[0].column]
        start = _with_missing(start, hints, [title])
        told = _told_by_order(question, columns.orders, described)
        part = _single(question, title, described, start, hints, told, problems)
    elif answers:
        titles = [described.titles[item.column] for item in answers]
        start = _with_missing(start, hints, titles)
        made = _mentions(question, answers, described, start, hints)
        made = made or _several(question, answers, described, start, problems)
        if made is None:
            return None
        part = made
    else:
        problems.append(f"question {question.id}: no column holds its answers")
        return None
    order = _order(columns.orders, part, described, problems)
    return part.model_copy(update={"order": order, "duration": duration})


def _with_missing(start: Start, hints: Hints, titles: Sequence[str]) -> Start:
    """A beginning with what the file itself declares missing in some columns."""
    declared = (value for title in titles for value in hints.missing.get(title, ()))
    return replace(start, missing=tuple(dict.fromkeys((*start.missing, *declared))))


def _told_by_order(
    question: Question, orders: Sequence[Placed], described: Described
) -> dict[str, str]:
    """What numbers stand for by the columns of positions, which have an option each."""
    pattern = common_pattern([described.titles[item.column] for item in orders])
    if pattern is None or any(item.option is None for item in orders):
        return {}
    before, after = pattern
    titles = {described.titles[item.column]: item.option or 0 for item in orders}
    return {
        title[len(before) : len(title) - len(after)]: question.options[option].code
        for title, option in titles.items()
    }


def _mentions(
    question: Question,
    answers: Sequence[Placed],
    described: Described,
    start: Start,
    hints: Hints,
) -> QuestionPart | None:
    """Draft a question whose columns hold the first, the second, ... option that somebody named.

    That is so where the codebook calls the values of its columns by the options, or where columns
    that nothing ties to an option hold three options or more.
    """
    titles = [described.titles[item.column] for item in answers]
    cells = {value for title in titles for value in described.values(title)}
    cells -= {"", *start.missing}
    if question.kind is not QuestionKind.SELECT_ALL or any(i.option is not None for i in answers):
        return None
    own = OptionTable(question)
    labelled = [_by_labels(own, hints.values.get(title, {})) for title in titles]
    options = labelled[0] if all(found == labelled[0] for found in labelled) else {}
    if not options and len(cells) > 2:
        options = {cell: question.options[own.place(cell)].code for cell in sorted(cells)}
        options = options if all(own.place(cell) >= 0 for cell in cells) else {}
        _add_unseen(question, options, sorted(cells))
    if not cells or not cells <= options.keys():
        return None
    return QuestionPart(
        id=question.id,
        kind=question.kind,
        mentions=tuple(titles),
        missing=start.missing,
        options=options,
    )


def _several(
    question: Question,
    answers: Sequence[Placed],
    described: Described,
    start: Start,
    problems: list[str],
) -> QuestionPart | None:
    """Draft a question whose options have a column each."""
    titles = [described.titles[item.column] for item in answers]
    pattern = common_pattern(titles)
    if pattern is None:
        names = ", ".join(f"'{title}'" for title in titles[:4])
        problems.append(
            f"question {question.id}: its columns share no pattern with {{code}}: {names}"
        )
        return None
    before, after = pattern
    codes = {option.code: at for at, option in enumerate(question.options)}
    options: dict[str, str] = {}
    by_code = []
    for item, title in zip(answers, titles, strict=True):
        key = title[len(before) : len(title) - len(after)]
        option = item.option if item.option is not None else codes.get(key)
        options[key] = question.options[option].code if option is not None else UNPLACED
        by_code += [key] if item.option is None and option is not None else []
    problems += _taken_for_codes(question, by_code, start)
    problems += _unplaced(question, options)
    problems += _strange_marks(question, titles, described, start)
    return QuestionPart(
        id=question.id,
        kind=question.kind,
        columns=f"{before}{{code}}{after}",
        selected=start.selected,
        not_selected=start.not_selected,
        missing=start.missing,
        options=options,
    )


def _taken_for_codes(question: Question, keys: Sequence[str], start: Start) -> Iterable[str]:
    """Ask to check numbers that nothing but their likeness to the questionnaire's explains."""
    if keys and not start.writes_codes:
        yield (
            f"question {question.id}: {', '.join(sorted(keys)[:6])} are taken for the "
            "questionnaire's codes: check that the file numbers the options so"
        )


def _strange_marks(
    question: Question, titles: Sequence[str], described: Described, start: Start
) -> Iterable[str]:
    """Say which values of its columns are none that the draft declares."""
    declared = {*start.selected, *start.not_selected, *start.missing, ""}
    labels = {label for option in question.options for label in labels_of(option)}
    declared |= labels if LABEL in start.selected else set()
    strange = sorted({v for title in titles for v in described.values(title)} - declared)
    if strange:
        yield (
            f"question {question.id}: {', '.join(map(repr, strange[:5]))} in its columns are not "
            "declared: add them to 'selected', 'not_selected' or 'missing'"
        )


def _single(
    question: Question,
    title: str,
    described: Described,
    start: Start,
    hints: Hints,
    told: dict[str, str],
    problems: list[str],
) -> QuestionPart:
    """Draft a question whose answer stands in one column."""
    cells = [cell for cell in described.values(title) if cell and cell not in start.missing]
    own = OptionTable(question, {option.code: option.code for option in question.options})
    coded = {plain(item.code): item.option for item in hints.codes.get(title, ())} or told
    joined, held = None, cells
    if question.kind is QuestionKind.SELECT_ALL:
        joined, cells = _joined(cells, start.joined, own, coded)
    options = {**_by_labels(own, hints.values.get(title, {})), **coded}
    by_code = []
    for cell in cells:
        at = _place(own, cell)
        if cell not in options and own.listed(cell) is None:
            options[cell] = question.options[at].code if at >= 0 else UNPLACED
            if at >= 0 and own.place(cell) >= 0 and cell not in labels_of(question.options[at]):
                by_code.append(cell)
    problems += _taken_for_codes(question, by_code, start)
    _add_unseen(question, options, held)
    problems += _unplaced(question, options)
    return QuestionPart(
        id=question.id,
        kind=question.kind,
        column=title,
        joined=joined,
        missing=start.missing,
        options=options,
    )


def _place(own: OptionTable, cell: str) -> int:
    """The option that a cell stands for, also with the apostrophes of word processors; else -1."""
    if own.place(cell) >= 0:
        return own.place(cell)
    found = [
        at
        for at, option in enumerate(own.question.options)
        if typed(cell) in map(typed, labels_of(option))
    ]
    return found[0] if len(found) == 1 else -1


def _by_labels(own: OptionTable, labels: Map[str, str]) -> dict[str, str]:
    """The options of values whose labels a codebook tells."""
    places = {value: own.place(label) for value, label in labels.items()}
    return {v: own.question.options[at].code for v, at in places.items() if at >= 0}


def _joined(
    cells: Sequence[str], joiners: Sequence[str], own: OptionTable, coded: dict[str, str]
) -> tuple[str | None, list[str]]:
    """The characters that join options, and what stands alone or between them."""
    known = OptionTable(own.question, coded) if set(coded.values()) == set(_codes(own)) else own
    alone = [cell for cell in cells if known.place(cell) < 0 and known.listed(cell) is None]
    for joiner in joiners:
        if any(known.readings(cell, joiner) for cell in alone):
            return joiner, [cell for cell in cells if not known.readings(cell, joiner)]
    return (joiners[0] if joiners else None), list(cells)


def _codes(table: OptionTable) -> list[str]:
    return [option.code for option in table.question.options]


def _add_unseen(question: Question, options: dict[str, str], cells: Sequence[str]) -> None:
    """Name the options that stand in no cell alone by what the others are named by."""
    labels = {label for option in question.options for label in labels_of(option)}
    by_label = any(label in cell for cell in cells for label in labels if not label.isdecimal())
    for option in question.options:
        if option.code in options.values() or UNPLACED in options.values():
            continue
        name = min(labels_of(option), default=option.code) if by_label else option.code
        if name not in options:
            options[name] = option.code


def _unplaced(question: Question, options: dict[str, str]) -> Iterable[str]:
    strange = [key for key, option in options.items() if option == UNPLACED]
    if strange:
        yield (
            f"question {question.id}: no option is called {' or '.join(map(repr, strange[:5]))}: "
            f"write an option's code where the draft has '{UNPLACED}'"
        )
    left = [o.code for o in question.options if o.code not in options.values()]
    if left and not strange:
        yield f"question {question.id}: nothing in the file names the option {', '.join(left)}"


def _order(
    orders: Sequence[Placed], part: QuestionPart, described: Described, problems: list[str]
) -> str | None:
    titles = [described.titles[item.column] for item in orders]
    if len(titles) == 1:
        return titles[0]
    pattern = common_pattern(titles) if titles else None
    if pattern is None:
        return None
    made = f"{pattern[0]}{{code}}{pattern[1]}"
    there = {
        option for key, option in part.options.items() if made.replace("{code}", key) in titles
    }
    if there == set(part.options.values()):
        return made
    problems.append(f"question {part.id}: '{made}' does not hold the position of every option")
    return None


def common_pattern(titles: Sequence[str]) -> tuple[str, str] | None:
    """What names have in common before and after the code in which they differ."""
    if not titles or len(set(titles)) < len(titles) or len(titles) < 2:
        return None
    shortest = min(titles, key=len)
    before = next(
        (n for n, c in enumerate(shortest) if any(t[n] != c for t in titles)),
        len(shortest),
    )
    while before and shortest[before - 1].isalnum():
        before -= 1  # Q1_10 and Q1_11 differ by 10 and 11, not by 0 and 1
    after = 0
    while after < len(shortest) - before and len({t[-after - 1] for t in titles}) == 1:
        after += 1
    while after and shortest[len(shortest) - after].isalnum():
        after -= 1
    keys = [title[before : len(title) - after] for title in titles]
    if not all(keys) or len(set(keys)) < len(keys):
        return None
    return shortest[:before], shortest[len(shortest) - after :]
