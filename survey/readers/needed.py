"""Which columns of a file a mapping asks for."""

from collections.abc import Iterator

from survey.mapping import ROW, Mapping, QuestionPart
from survey.readers.header import Names
from survey.readers.mturk import TASK_ANSWERS


def needed_columns(mapping: Mapping, names: Names) -> set[int]:
    """Give the positions of the columns that a mapping asks for, as far as they are there."""
    found = {at for name in _named(mapping) for at in names.all(name)}
    return found | {0} if mapping.respondent.id == ROW else found


def _named(mapping: Mapping) -> Iterator[str]:
    person, long = mapping.respondent, mapping.long
    yield from (name for name in (person.id, person.duration, person.submitted) if name)
    yield from (*mapping.keep, *mapping.finished, *mapping.screened_out)
    yield from (part.column for part in mapping.attention)
    yield from (part.column for part in mapping.attributes.values())
    yield TASK_ANSWERS
    if long is not None:
        places = (long.question, long.answer, long.order, long.duration)
        yield from (name for name in places if name)
    for part in mapping.questions:
        yield from part.places()
        yield from _of_question(part)


def _of_question(part: QuestionPart) -> Iterator[str]:
    yield from part.asked
    for pattern in (part.order, part.duration):
        if pattern is not None and "{code}" in pattern:
            yield from (pattern.replace("{code}", key) for key in part.options)
        elif pattern is not None:
            yield pattern
