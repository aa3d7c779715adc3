"""Texts of the package that name people."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import ReleaseFacts
from curation.model.findings import Finding, Severity
from curation.model.personal import ids_in, personal_in


class PersonalData:
    """No respondent and no annotator can be reached or told by what is published."""

    rule = "release-personal-data"
    severity = Severity.ERROR
    title = "An e-mail address, telephone number or id of a respondent in what is published"
    hint = "take it out of the cell; release.contact is the place for an address of your own"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text, without the words that name somebody."""
        facts = subject.release or ReleaseFacts()
        own = subject.culture.release.contact.strip()
        for item in facts.outgoing:
            text = item.text.replace(own, "") if own else item.text
            found = dict.fromkeys(what for what, _ in personal_in(text))
            if any(True for _ in ids_in(text, facts.respondents)):
                found["the id of a respondent"] = None
            for what in found:
                message = f"the text holds what looks like {what}"
                yield Finding(
                    *(self.rule, self.severity, item.file, item.row, item.column),
                    message,
                    self.hint,
                )
