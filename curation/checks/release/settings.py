"""Decisions that were made with other settings than those that are published with them."""

from collections.abc import Iterator

from curation.checks.base import CULTURE_FILE, Subject
from curation.model.findings import Finding, Severity


class Settings:
    """The published thresholds are those that decided."""

    rule = "release-settings"
    severity = Severity.ERROR
    title = "Thresholds that would be published beside decisions made with others"
    hint = "run 'curate filter' again with the survey's files, or write the former values back"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding that names the settings."""
        if subject.release is None or not subject.release.has_survey:
            return
        survey = subject.culture.survey
        decided = subject.decided_with or {}
        names = [name for name, value in decided.items() if getattr(survey, name) != value]
        if names:
            message = f"the decisions were made with other values of {', '.join(names)}"
            yield Finding(
                self.rule, self.severity, CULTURE_FILE, None, "survey", message, self.hint
            )
