"""Drafts of what only some files hold: rows of single answers, and what is said of respondents."""

import json
import re
from collections.abc import Mapping, Sequence

import numpy as np

from curation.languages import received_words
from curation.records.survey import Question
from survey.mapping import AttentionPart, AttributePart, LongPart, QuestionPart
from survey.platforms.recognise import Described, Start
from survey.readers.frames import plain
from survey.readers.hints import Hints, Trait
from survey.readers.options import labels_of
from survey.readers.placing import find_question


def draft_long(
    described: Described,
    start: Start,
    questions: Sequence[Question],
    hints: Hints,
    problems: list[str],
) -> tuple[LongPart, list[QuestionPart]] | None:
    """Draft the columns of such a file, if a column names questions and another options.

    Args:
        described: The columns.
        start: What the platform tells of its own columns.
        questions: The questionnaire.
        hints: What is known of codes.
        problems: Takes what is left to a person.

    Returns:
        The columns, and how the questions are called where not by their ids; None where the
        file is of another shape.
    """
    for title in described.titles:
        if title in start.known or title == start.respondent.id:
            continue
        named, others = _named(described.values(title, _most(questions)), questions, hints)
        answer = _answer_column(described, questions, title, start) if named else None
        if answer is None:
            continue
        problems += [
            f"'{value}' in column {title} is not a question: name it in 'ignored', or as 'column'"
            for value in others
        ]
        long = _long(described, start, title, answer)
        return long, _parts(named, questions)
    return None


def _long(described: Described, start: Start, question: str, answer: str) -> LongPart:
    several = start.rows_hold_options and _repeats(described, start, question)
    return LongPart(
        question=question,
        answer=answer,
        row="option" if several else "question",
        joined=_joined(described, answer, start),
        order=next((name for name in described.titles if "order" in name.casefold()), None),
        duration=described.first("lead_time", "duration_s", "seconds"),
    )


def _most(questions: Sequence[Question]) -> int:
    """How many different values a column has at most that names questions."""
    return 2 * len(questions) + 2


def _named(
    values: Sequence[str], questions: Sequence[Question], hints: Hints
) -> tuple[dict[str, Question], list[str]]:
    """The questions that a column's values name, and the values that name none.

    None unless most of them name one, each another.
    """
    if not values or len(values) > _most(questions):
        return {}, []
    places = {value: find_question(value, questions, hints) for value in values}
    named = {value: questions[at] for value, at in places.items() if at is not None}
    others = [value for value, at in places.items() if at is None]
    if len(named) <= len(others) or len({item.id for item in named.values()}) < len(named):
        return {}, []
    return named, others


def _parts(named: dict[str, Question], questions: Sequence[Question]) -> list[QuestionPart]:
    """Say how questions are called; nothing where by their ids."""
    if all(value == question.id for value, question in named.items()):
        return []
    return [
        QuestionPart(
            id=question.id,
            kind=question.kind,
            column=value,
            options={option.code: option.code for option in question.options},
        )
        for value, question in named.items()
    ]


def _answer_column(
    described: Described, questions: Sequence[Question], question: str, start: Start
) -> str | None:
    """Find the column whose values are options."""
    names = {
        name for item in questions for one in item.options for name in (one.code, *labels_of(one))
    }
    best, most = None, 0
    for title in described.titles:
        if title in start.known or title in (question, start.respondent.id):
            continue
        count, fit, alone = 0, 0, False
        for value in filter(None, described.columns[described.titles.index(title)].distinct()):
            count += 1
            fit += _is_answer(value, names, start.joined)
            # A column that always lists several holds the order in which options were shown.
            alone = alone or value in names or _is_list(value, names)
        if alone and fit * 2 > count and fit > most:
            best, most = title, fit
    return best


def rows_of_answers(described: Described, questions: Sequence[Question], start: Start) -> list[str]:
    """Say that each row may be one answer, where a column holds options and none names questions.

    Args:
        described: The columns.
        questions: The questionnaire.
        start: What the platform tells of its own columns.
    """
    answer = _answer_column(described, questions, "", start)
    if answer is None or start.respondent.id not in described.titles:
        return []
    people = described.columns[described.titles.index(start.respondent.id)]
    if len(people.used()) == len(people):
        return []  # each has a row of their own
    return [
        f"column '{answer}' holds options of the questionnaire: if each row is the answer to one "
        f"question, write 'long: {{question: ..., answer: {answer}}}', and under 'questions' what "
        "each question is called there ('column')"
    ]


def _is_answer(value: str, names: set[str], joined: Sequence[str]) -> bool:
    """Say whether a value is an option, a list of options, or some of them joined."""
    if value in names or _is_list(value, names):
        return True
    return any(
        joiner in value and all(part.strip() in names for part in value.split(joiner))
        for joiner in joined
    )


def _is_list(value: str, names: set[str]) -> bool:
    if not value.startswith(("[", "{")):
        return False
    try:
        data = json.loads(value)
    except (ValueError, RecursionError):
        return False
    items = data.get("choices") if isinstance(data, dict) else data
    return isinstance(items, list) and all(
        isinstance(item, str) and item in names for item in items
    )


def _joined(described: Described, answer: str, start: Start) -> str | None:
    """The characters that join options: those in cells that are no option."""
    values = [value for value in described.values(answer) if not value.startswith(("[", "{"))]
    return next(
        (joiner for joiner in start.joined if any(joiner in value for value in values)),
        None,
    )


def _repeats(described: Described, start: Start, question: str) -> bool:
    """Say whether a respondent has several rows of one question."""
    if start.respondent.id not in described.titles:
        return False
    first = described.columns[described.titles.index(start.respondent.id)]
    second = described.columns[described.titles.index(question)]
    pairs = first.codes.astype(np.int64)
    pairs *= len(second.values)
    pairs += second.codes
    pairs.sort()
    return bool((pairs[1:] == pairs[:-1]).any())


_CHECK = "attention"
"""What `codes.csv` calls the attention check."""
_ATTENTION = re.compile("|".join(received_words("attention")), re.IGNORECASE)
_ATTRIBUTES = re.compile(f"^({'|'.join(received_words('attributes'))})$", re.IGNORECASE)
_NAMED = 5


def draft_attention(
    described: Described, taken: set[str], hints: Hints, problems: list[str]
) -> tuple[AttentionPart, ...]:
    """Draft the attention checks of forms that were built; ask about others.

    Args:
        described: The columns.
        taken: Columns that are questions': a story may well speak of attention.
        hints: What is known of codes.
        problems: Takes what is left to a person.
    """
    found = []
    asked, answer = plain(hints.check[0]).casefold(), hints.check[1]
    for title, texts in zip(described.titles, described.texts, strict=True):
        codes = [item.code for item in hints.codes.get(title, ()) if item.question_id == _CHECK]
        if codes:
            found.append(AttentionPart(column=title, expect=tuple(codes)))
        elif asked and asked in {plain(text).casefold() for text in (title, *texts)}:
            found.append(AttentionPart(column=title, expect=(answer,)))
        elif title not in taken and any(_ATTENTION.search(text) for text in (title, *texts)):
            problems.append(f"column '{title}' may be an attention check: put it in 'attention'")
    return tuple(found)


def draft_attributes(
    described: Described,
    taken: set[str],
    start: Start,
    hints: Hints,
    traits: Sequence[Trait],
    problems: list[str],
) -> dict[str, AttributePart]:
    """Draft the attributes of respondents, with what their codes stand for where it is told.

    A column is an attribute's by `codes.csv`, by its name or by the question above it.

    Args:
        described: The columns.
        taken: Columns that are questions'.
        start: What the platform tells of its own columns.
        hints: What is known of codes.
        traits: What is to be known of respondents.
        problems: Takes what is left to a person.
    """
    found: dict[str, AttributePart] = {}
    for at, title in enumerate(described.titles):
        if title in taken or title in start.known or title == start.respondent.id:
            continue
        name, trait = _attribute(title, described.texts[at], hints, traits)
        if not name or name in found:
            continue
        there = described.values(title)
        cells = [cell for cell in there if cell and cell not in start.missing]
        values = _values(title, cells, trait, hints, problems) if trait else {}
        left = [cell for cell in start.missing if cell and cell in there] if values else ()
        found[name] = AttributePart(column=title, values={**values, **dict.fromkeys(left, "")})
    return found


def attribute_columns(described: Described, hints: Hints, traits: Sequence[Trait]) -> set[str]:
    """The columns that hold attributes of respondents, which are no answers to any question.

    Args:
        described: The columns.
        hints: What is known of codes.
        traits: What is to be known of respondents.
    """
    pairs = zip(described.titles, described.texts, strict=True)
    return {title for title, texts in pairs if _attribute(title, texts, hints, traits)[0]}


def _attribute(
    title: str, texts: Sequence[str], hints: Hints, traits: Sequence[Trait]
) -> tuple[str, Trait | None]:
    """What the attribute that a column holds is called, and what is known of it."""
    trait = _trait(title, texts, hints, traits)
    if trait is not None:
        return trait.name, trait
    return (title.casefold() if _ATTRIBUTES.match(title) else ""), None


def _trait(title: str, texts: Sequence[str], hints: Hints, traits: Sequence[Trait]) -> Trait | None:
    """The attribute that a column holds."""
    coded = {item.question_id for item in hints.codes.get(title, ())}
    above = {text.casefold() for text in (title, *texts)}
    for trait in traits:
        if trait.name in coded or trait.name.casefold() in above:
            return trait
        if trait.text and plain(trait.text).casefold() in above:
            return trait
    return None


def _values(
    title: str, cells: Sequence[str], trait: Trait, hints: Hints, problems: list[str]
) -> Mapping[str, str]:
    """What stands for each value; nothing where the file writes the values themselves."""
    told = {item.code: item.option for item in hints.codes.get(title, ())}
    shown = _shown(trait)
    labels = hints.values.get(title, {})
    told |= {
        code: shown[label.casefold()]
        for code, label in labels.items()
        if label.casefold() in shown and code not in told
    }
    told |= {
        cell: shown[cell.casefold()]
        for cell in cells
        if cell not in told and cell.casefold() in shown
    }
    strange = [cell for cell in cells if cell not in told]
    if strange:
        listed = ", ".join(f"'{cell}'" for cell in strange[:_NAMED])
        known = ", ".join(trait.values)
        problems.append(
            f"attribute {trait.name}: {listed} in column '{title}' are not among {known}, which "
            "quotas "
            f"and weights use: write {{column: {title}, values: {{{strange[0]}: ..., ...}}}}"
        )
        return {}
    return {} if all(code == value for code, value in told.items()) else told


def _shown(trait: Trait) -> dict[str, str]:
    """The values by what says them: themselves, and texts that are theirs alone."""
    texts = [plain(text).casefold() for text in trait.values.values()]
    found = {
        text: value
        for value, text in zip(trait.values, texts, strict=True)
        if text and texts.count(text) == 1
    }
    return found | {value.casefold(): value for value in trait.values}
