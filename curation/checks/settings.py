"""Settings that do not go with the tables, or with the decisions."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from pydantic import BaseModel

from curation.checks.subject import Remark, Subject, in_settings, remark, rule
from curation.files.workspace import Workspace
from curation.languages import Language
from curation.languages.written import PARTS, unreviewed_lines
from curation.records.bank import PSEUDO_MARKS, Bank, TemplateId
from curation.records.messages import Finding, counted, refuse_findings, shortened


@rule
def settings_changed(subject: Subject) -> Iterator[Remark]:
    """Said of each setting, with what decided and what is written now."""
    for name, before in subject.decided_with.items():
        after = getattr(subject.culture.survey, name)
        if before != after:
            yield in_settings("", setting=name, before=shown(before), after=shown(after))


def shown(value: object) -> str:
    """Write the value of a setting for a message."""
    if isinstance(value, BaseModel | dict):
        return ", ".join(f"{name}: {shown(part)}" for name, part in dict(value).items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return "not set" if value is None else str(value)


@rule
def category_unknown(subject: Subject) -> Iterator[Remark]:
    """Said once for each category and file, at its first row."""
    known = {item.id for item in subject.culture.categories}
    rows = [
        *((subject.bank_file, item.category, item.row) for item in subject.bank.variants),
        *((subject.groups_file, item.category, item.row) for item in subject.groups),
    ]
    first = {(file, category): row for file, category, row in reversed(rows)}
    for (file, category), count in Counter(item[:2] for item in rows).items():
        if category not in known:
            message = f"category '{category}' is not in culture.yaml ({counted(count, 'row')})"
            goal = next((c.id for c in subject.culture.categories if category in c.sources), "")
            hint = f"culture.yaml merges it into {goal}: curate groups sheet" if goal else ""
            yield remark(file, first[file, category] or None, "category", message, hint)


_NAMED = 4


@rule
def language_part_wrong(subject: Subject) -> Iterator[Remark]:
    """Said once for each part, with the first error: commands that need it refuse it."""
    for language, part, own in _begun(subject):
        if own.errors:
            first = own.errors[0]
            line = first.where.rpartition(", line ")[2]
            row = int(line) if line.isdigit() else None
            yield remark(_shown(language), row, part, first.what, first.hint)


@rule
def language_part_open(subject: Subject) -> Iterator[Remark]:
    """Said once for each part: a part of which half is written would be used in two languages."""
    for language, part, own in _begun(subject):
        if own.value is None and not own.errors:
            names = shortened([key.partition(".")[2] or key for key in own.open], _NAMED)
            message = f"still to be written: {counted(len(own.open), 'text')}: {names}"
            yield remark(_shown(language), None, part, message)


@rule
def language_part_missing(subject: Subject) -> Iterator[Remark]:
    """Said once for each part, with what needs it: it may be that nobody wants that."""
    language = subject.language
    if isinstance(language, Language):
        for part in language.missing_parts:
            yield remark(_shown(language), None, part.name, purpose=part.needed_for)


@rule
def language_part_unreviewed(subject: Subject) -> Iterator[Remark]:
    """Said once for the file: the texts are used, and nobody who speaks the language read them."""
    for language in _files(subject):
        taken = unreviewed_lines(language.text)
        if taken:
            yield remark(_shown(language), None, "", count=taken.total(), names=[*taken])


def _begun(subject: Subject) -> Iterator[tuple[Language, str, Any]]:
    """Each part that a workspace has written of a language, with what was read of it."""
    every = ((language, part) for language in _files(subject) for part in PARTS)
    found = ((*pair, pair[0].written(pair[1])) for pair in every)
    return (item for item in found if item[2] is not None)


def _files(subject: Subject) -> Iterator[Language]:
    for language in dict.fromkeys((subject.language, subject.source_language)):
        if isinstance(language, Language):
            yield language


def _shown(language: Language) -> str:
    return f"{language.file.parent.name}/{language.file.name}" if language.file else ""


@rule
def placeholder_unknown(subject: Subject) -> Iterator[Remark]:
    """It is the third choice of every question, and the right answer of half of the samples."""
    culture = subject.culture
    if culture.is_unknown_unwritten:
        yield in_settings("unknown", unknown=culture.unknown, language=culture.language)


@rule
def placeholder_text(subject: Subject) -> Iterator[Remark]:
    """Letters with accents in brackets show whether slots survive; whoever confirmed them."""
    for template in subject.templates:
        found = [(item, name) for item in template.variants for name in item.pseudo_fields]
        if found:
            first, name = found[0]
            message = f"{template.id} has pseudo translation in {counted(len(found), 'cell')}"
            yield subject.in_bank(first, name, message)
    for group in subject.groups:
        for name in ("group", "fillers"):
            if any(mark in getattr(group, name) for mark in PSEUDO_MARKS):
                message = f"{group.group} of {group.category} has pseudo translation"
                yield subject.in_groups(group, name, message)


def placeholders(workspace: Workspace, templates: Collection[TemplateId]) -> list[Finding]:
    """The placeholders that would reach whoever reads these templates.

    Args:
        workspace: The workspace.
        templates: Ids of the templates that are asked about or written.
    """
    wanted = set(templates)
    rows = (item for item in workspace.bank.variants if item.template_id in wanted)
    subject = Subject.of(workspace, Bank(tuple(rows)))
    return [
        finding
        for item in (placeholder_unknown, placeholder_text)
        for finding in item.findings(subject)
    ]


def refuse_placeholders(workspace: Workspace, templates: Collection[TemplateId]) -> None:
    """Refuse to write templates in which a placeholder stands.

    Args:
        workspace: The workspace.
        templates: Their ids.

    Raises:
        CurateError: Naming every placeholder.
    """
    found = placeholders(workspace, templates)
    refuse_findings(found, "placeholders were never replaced", "'curate check' lists them")
