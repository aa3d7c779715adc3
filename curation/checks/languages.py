"""What the workspace says of its language: what is wrong there, and what nobody has written."""

from collections.abc import Iterator

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject
from curation.languages import Language
from curation.languages.parts import PARTS
from curation.languages.writing import missing_parts
from curation.languages.written import unreviewed_lines
from curation.records.wording import counted

_NAMED = 4


@rule
def language_part_wrong(subject: Subject) -> Iterator[Remark]:
    """Said once for each part, with the first error: commands that need it refuse it."""
    for language, part in _begun(subject):
        own = language.written(part)
        if own is not None and own.errors:
            first = own.errors[0]
            line = first.where.rpartition(", line ")[2]
            row = int(line) if line.isdigit() else None
            yield Remark(_shown(language), row, part, first.what, first.hint)


@rule
def language_part_open(subject: Subject) -> Iterator[Remark]:
    """Said once for each part: a part of which half is written would be used in two languages."""
    for language, part in _begun(subject):
        own = language.written(part)
        if own is not None and own.value is None and not own.errors:
            yield Remark(_shown(language), None, part, f"still to be written: {_counted(own.open)}")


@rule
def language_part_missing(subject: Subject) -> Iterator[Remark]:
    """Said once for each part, with what needs it: it may be that nobody wants that."""
    language = subject.language
    if isinstance(language, Language):
        for part in missing_parts(language):
            message = f"nothing is written of it; it is for {part.needed_for}"
            yield Remark(_shown(language), None, part.name, message)


@rule
def language_part_unreviewed(subject: Subject) -> Iterator[Remark]:
    """Said once for the file: the texts are used, and nobody who speaks the language read them."""
    for language in _files(subject):
        taken = unreviewed_lines(language.text)
        if taken:
            lines = counted(taken.total(), "line is", "lines are")
            message = f"{lines} taken over ({', '.join(taken)}) and not reviewed"
            yield Remark(_shown(language), None, "", message)


def _begun(subject: Subject) -> Iterator[tuple[Language, str]]:
    return ((language, part) for language in _files(subject) for part in PARTS)


def _files(subject: Subject) -> Iterator[Language]:
    for language in dict.fromkeys((subject.language, subject.source_language)):
        if isinstance(language, Language):
            yield language


def _shown(language: Language) -> str:
    return f"{language.file.parent.name}/{language.file.name}" if language.file else ""


def _counted(texts: tuple[str, ...]) -> str:
    named = ", ".join(key.partition(".")[2] or key for key in texts[:_NAMED])
    rest = ", ..." if len(texts) > _NAMED else ""
    return f"{counted(len(texts), 'text')}: {named}{rest}"
