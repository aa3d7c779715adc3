"""Answers that are the unknown expression."""

from collections.abc import Iterator

from curation.checks.answers import compiled_answers, filled, folded
from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class AnswerUnknown:
    """The third choice would stand twice."""

    rule = "answer-unknown"
    severity = Severity.ERROR
    title = "An answer that is the same as the unknown expression"
    hint = "mend the answer, or set another expression with 'unknown' in culture.yaml"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each answer."""
        unknown = folded(subject.culture.unknown)
        for item in subject.texts:
            for field, text in compiled_answers(item):
                if any(unknown in texts for texts in filled(text).values()):
                    message = f"the answer is the unknown expression '{subject.culture.unknown}'"
                    yield in_bank(self, subject, item.variant, item.column(field), message)
