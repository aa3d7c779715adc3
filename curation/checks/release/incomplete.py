"""What a release has to say of itself and does not."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import of_settings
from curation.model.findings import Finding, Severity

_WHY = {
    "title": "readers know it by its title",
    "description": "a sentence or two say what it is",
    "licence": "without terms nobody may use it",
    "authors": "somebody answers for it, and is cited",
    "date": "it is cited by its date",
}
_WHY_SURVEY = {
    "population": "the decisions hold for those whom the respondents stand for",
    "began": "stereotypes change: say when people were asked",
    "ended": "stereotypes change: say when people were asked",
}


class Incomplete:
    """A benchmark of stereotypes without these cannot be judged."""

    rule = "release-incomplete"
    severity = Severity.ERROR
    title = "What a release has to say and does not: title, terms, authors, whom a survey asked"
    hint = "write it in culture.yaml under release"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each key."""
        release = subject.culture.release
        for key, why in _WHY.items():
            if not getattr(release, key):
                yield of_settings(self, f"release.{key}", f"release.{key} is not written: {why}")
        if subject.release is None or not subject.release.has_survey:
            return
        for key, why in _WHY_SURVEY.items():
            if not getattr(release.survey, key):
                name = f"release.survey.{key}"
                yield of_settings(self, name, f"{name} is not written: {why}")
