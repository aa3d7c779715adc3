"""What a command wrote in the place of a text, until a person has written it.

Nothing with such a text is asked of the public, exported or released.
"""

from collections.abc import Collection, Iterator

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject, in_settings
from curation.files.workspace import Workspace
from curation.records.bank import PSEUDO_MARKS, Bank
from curation.records.culture import UNWRITTEN
from curation.records.findings import Finding, refuse_findings
from curation.records.ids import TemplateId
from curation.records.wording import plural


@rule
def placeholder_unknown(subject: Subject) -> Iterator[Remark]:
    """It is the third choice of every question, and the right answer of half of the samples."""
    culture = subject.culture
    if culture.unknown.strip().casefold() == UNWRITTEN and not _is_english(culture.language):
        message = f"unknown is still '{culture.unknown}', which stands for a text in "
        yield in_settings("unknown", f"{message}'{culture.language}'")


def _is_english(code: str) -> bool:
    return code.partition("-")[0] == "en"


@rule
def placeholder_text(subject: Subject) -> Iterator[Remark]:
    """Letters with accents in brackets show whether slots survive; whoever confirmed them."""
    for template in subject.templates:
        found = [(item, name) for item in template.variants for name in item.pseudo_fields]
        if found:
            first, name = found[0]
            cells = plural("cell", len(found))
            message = f"{template.id} has pseudo translation in {len(found)} {cells}"
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
