"""Answers that cannot be told apart."""

from collections.abc import Iterator

from curation.checks.answers import compiled_answers, filled, shared_slots
from curation.checks.base import Subject, Wording, in_bank
from curation.model.findings import Finding, Severity


class AnswersEqual:
    """Compared as filled, so that two slots with the same name are found too."""

    rule = "answers-equal"
    severity = Severity.ERROR
    title = "A filling in which the two answers are the same"
    hint = "make the answers differ, or take the filler out of one of the two lists"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant and language."""
        for item in subject.wordings:
            if equal := sorted(_equal(item)):
                more = f", and {len(equal) - 1} more" if len(equal) > 1 else ""
                message = f"both answers are '{equal[0]}'{more}"
                column = item.column("counter_biased_answer")
                yield in_bank(self, subject, item.variant, column, message)


def _equal(item: Wording) -> set[str]:
    answers = [text for _, text in compiled_answers(item)]
    if len(answers) < 2:
        return set()
    shared = shared_slots(answers[0], answers[1])
    biased, counter = (filled(text, shared) for text in answers)
    return {text for key in biased for text in biased[key] & counter.get(key, set())}
