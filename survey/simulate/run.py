"""From replies to scores: the whole of the comparison that touches no file."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.io.replies import shortened
from curation.model.findings import Finding, Severity
from curation.model.reply import Reply
from curation.model.survey import Question, Tally, TargetRow, join_groups
from survey.simulate.answers import Attendance, match_questions, read_answers
from survey.simulate.people import Ruling, Standing, rulings
from survey.simulate.requests import Request
from survey.simulate.scores import Judgement, ScoreRow, distinct, judge, score

READING_COLUMNS = (
    "model",
    "request_id",
    "question_id",
    "prompt_id",
    "kind",
    "category",
    "choice",
    "groups",
    "rule",
    "people",
    "exact",
    "f1",
)
"""The columns of `readings.csv`, one row a reply."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far models answer as people do.

    Attributes:
        rows: The scores.
        judgements: Every reply, read and held against the people's answer.
        attendance: Which requests each model replied to.
        people: By question id what the people answered.
        findings: What the scores leave out, and why.
    """

    rows: tuple[ScoreRow, ...]
    judgements: tuple[Judgement, ...]
    attendance: tuple[Attendance, ...]
    people: dict[str, Ruling]
    findings: tuple[Finding, ...]

    def rules(self, model: str) -> dict[str, int]:
        """Count a model's replies by the rule that read them, or why none did."""
        return dict(
            Counter(
                item.answer.rule.value for item in self.judgements if item.answer.model == model
            )
        )

    def out_of_choice(self, model: str) -> int:
        """Count a model's replies that could not be read, to any question."""
        mine = (item.answer for item in self.judgements if item.answer.model == model)
        return sum(answer.groups is None for answer in mine)


def compare(
    requests: Sequence[Request],
    questions: Sequence[Question],
    tallies: Sequence[Tally],
    targets: Sequence[TargetRow],
    replies: Sequence[Reply],
    *,
    seed: int,
    file: str,
) -> Comparison:
    """Hold models' replies against the people's answers.

    Args:
        requests: What the models were asked.
        questions: The survey's questions.
        tallies: The people's counts.
        targets: Where the people's answers put each group.
        replies: One for each model and request.
        seed: Of the bootstrap.
        file: The replies' file, as findings show it.

    Raises:
        CurateError: If the requests are not about these questions.
    """
    matched = match_questions(requests, questions)
    people = rulings(distinct(matched), tallies, targets)
    answers = read_answers(requests, matched, replies)
    judgements = tuple(judge(item, people[item.request.question_id]) for item in answers.answers)
    return Comparison(
        rows=tuple(score(matched, people, answers, judgements, seed)),
        judgements=judgements,
        attendance=answers.attendance,
        people=people,
        findings=(*_attended(answers.attendance, file), *_left_out(people)),
    )


def _attended(attendance: Sequence[Attendance], file: str) -> Iterator[Finding]:
    for item in attendance:
        if item.missing:
            failed = f" ({item.failed} of them failed)" if item.failed else ""
            yield _warning(
                "simulate-missing",
                file,
                f"{item.model}: {len(item.missing)} of {item.requests} requests have no reply"
                f"{failed}, so that its scores are over an incomplete set: "
                f"{shortened(item.missing)}",
                "ask the model these as well, and add its replies",
            )
        if item.unknown:
            yield _warning(
                "simulate-unknown-request",
                file,
                f"{item.model}: {len(item.unknown)} replies answer none of the requests and are "
                f"left out: {shortened(item.unknown)}",
                "name the requests that were sent with --requests FILE",
            )


def _left_out(people: dict[str, Ruling]) -> Iterator[Finding]:
    ties = [name for name, item in people.items() if item.standing is Standing.TIE]
    if ties:
        yield Finding(
            "simulate-tie",
            Severity.INFO,
            "tallies.csv",
            None,
            "",
            f"{len(ties)} questions are left out, for two options have the most votes: "
            f"{shortened(ties)}",
        )
    unknown = [name for name, item in people.items() if item.standing is Standing.NO_DATA]
    if unknown:
        yield _warning(
            "simulate-no-data",
            "tallies.csv",
            f"{len(unknown)} questions are left out, for the people's answers to them are not "
            f"counted: {shortened(unknown)}",
            "count them with 'curate filter'",
        )


def _warning(rule: str, file: str, message: str, hint: str) -> Finding:
    return Finding(rule, Severity.WARNING, file, None, "", message, hint)


def reading_rows(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Give every reply as it was read, in the order of `READING_COLUMNS`."""
    for item in comparison.judgements:
        answer, people = item.answer, item.people
        yield (
            answer.model,
            answer.request.request_id,
            answer.request.question_id,
            answer.request.prompt_id,
            people.question.kind.value,
            people.question.category,
            ", ".join(answer.letters),
            _groups(answer.groups),
            answer.rule.value,
            _groups(people.groups) if people.standing is Standing.RULED else people.standing.value,
            "" if item.exact is None else ("true" if item.exact else "false"),
            "" if item.f1 is None else f"{item.f1:.6g}",
        )


def _groups(groups: frozenset[str] | None) -> str:
    return "" if groups is None else join_groups(sorted(groups)) or "none"
