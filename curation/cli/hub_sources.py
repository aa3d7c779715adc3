"""Which published sets the templates of a workspace come from, and what was done with them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from curation.cli.final import Final
from curation.io.sources import read_terms
from curation.io.workspace import Workspace
from curation.model.bank import Label, Template
from curation.model.licences import Licence, terms_of
from curation.publish.facts import SourceFact
from survey.outcome import Status, TemplateOutcome

_TITLES = {"bbq": "BBQ", "kobbq": "KoBBQ", "bbg": "BBG"}
_LANGUAGES = {"bbq": "en", "kobbq": "ko", "bbg": "en"}
"""The language that a published set is written in; that of the settings for others."""
_UNNAMED = "A source that the bank does not name"


def written_templates(templates: Iterable[Template]) -> list[Template]:
    """Give the templates that were newly written: those without a source."""
    return [item for item in templates if _is_written(item)]


def _is_written(template: Template) -> bool:
    taken = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.SAMPLE_REMOVED)
    return not template.first.source and template.label not in taken


def source_facts(workspace: Workspace, final: Final) -> Iterator[SourceFact]:
    """Yield the sources, in the order of the bank.

    Raises:
        CurateError: If the list of what was imported was damaged.
    """
    terms = read_terms(workspace.sources_folder)
    by_source: dict[str, list[TemplateOutcome]] = {}
    for item in final.outcomes:
        if not _is_written(item.template):
            by_source.setdefault(item.template.first.source, []).append(item)
    for name, members in by_source.items():
        yield _fact(workspace, final, name, members, terms.get(name))


def _fact(
    workspace: Workspace,
    final: Final,
    name: str,
    members: Sequence[TemplateOutcome],
    terms: Licence | None,
) -> SourceFact:
    left = [item for item in members if item.status in (Status.KEPT, Status.UNDECIDED)]
    modified = created = 0
    for item in left:
        if item.template.label is Label.NEWLY_CREATED:
            created += 1
        elif (
            item.template.label is Label.TARGET_MODIFIED or str(item.template.id) in final.modified
        ):
            modified += 1
    return SourceFact(
        id=name,
        title=_TITLES.get(name, name) or _UNNAMED,
        licence=_licence(terms),
        translated_from=_translated_from(workspace, name, left),
        taken=len(left) - modified - created,
        modified=modified,
        created=created,
        removed=sum(item.status is Status.REMOVED for item in members),
        dropped=sum(item.status is Status.DROPPED for item in members),
    )


def _licence(terms: Licence | None) -> Licence | None:
    if terms is None or not terms.name:
        return None
    known = terms_of(terms.name)
    share_alike = known is not None and known.share_alike
    return replace(terms, share_alike=share_alike)


def _translated_from(workspace: Workspace, name: str, left: Sequence[TemplateOutcome]) -> str:
    """Give the language that the texts of a source were translated from, if they were."""
    language = _LANGUAGES.get(name, workspace.culture.source_language)
    same = language.split("-")[0] == workspace.culture.language.split("-")[0]
    there = any(item.template.first.texts.has_body for item in left)
    return language if there and not same else ""
