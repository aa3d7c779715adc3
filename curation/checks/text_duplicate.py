"""Templates that say the same."""

from collections.abc import Iterator

from curation.checks.base import Subject, Wording, in_bank
from curation.checks.skeleton import skeleton
from curation.model.findings import Finding, Severity
from curation.model.ids import TemplateId

_FIELDS = ("ambiguous_context", "disambiguating_context", "biased_question")


class TextDuplicate:
    """Compared without fillers: the same scene with other groups counts as the same text."""

    rule = "text-duplicate"
    severity = Severity.WARNING
    title = "Two templates with the same contexts and question"
    hint = "join the groups in one template, or take one out"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each template whose text another one has before it."""
        first: dict[tuple[str, ...], TemplateId] = {}
        said: set[TemplateId] = set()
        for item in subject.texts:
            key, template = _key(item), item.variant.template_id
            if not key:
                continue
            known = first.setdefault(key, template)
            if known != template and template not in said:
                said.add(template)
                message = f"{template} has the contexts and question of {known}"
                yield in_bank(self, subject, item.variant, "ambiguous_context", message)


def _key(item: Wording) -> tuple[str, ...]:
    """Give the texts without fillers; nothing unless all are written and can be read."""
    texts = [item.parsed.get(field) for field in _FIELDS]
    key = tuple(skeleton(text).casefold() for text in texts if text is not None)
    return key if len(key) == len(_FIELDS) and all(key) else ()
