"""Settings of the survey that were changed after its decisions were made."""

from collections.abc import Iterator

from curation.checks.base import CULTURE_FILE, Subject
from curation.model.findings import Finding, Severity


class SettingsChanged:
    """Said of each setting, with what decided and what is written now."""

    rule = "settings-changed"
    severity = Severity.WARNING
    title = "A setting of the survey that is another one than the decisions were made with"
    hint = (
        "run 'curate filter' again with the survey's files, or write the former value back: until "
        "then the former one decides"
    )

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each setting."""
        for name, before in (subject.decided_with or {}).items():
            after = getattr(subject.culture.survey, name)
            if before != after:
                message = (
                    f"survey.{name}: the decisions were made with another value, "
                    f"{_shown(before)} → {_shown(after)}"
                )
                yield Finding(self.rule, self.severity, CULTURE_FILE, None, "", message, self.hint)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
