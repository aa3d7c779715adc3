"""What the people answered to each question, in the terms that a model's answer has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from curation.model.survey import Question, QuestionKind, Tally, TargetRow
from survey.filtering import surveyed_sides


class Standing(StrEnum):
    """Whether the people's answers say anything."""

    RULED = "ruled"
    TIE = "tie"
    NO_DATA = "no_data"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The people's answer to one question.

    Attributes:
        question: The question as it was counted.
        standing: Whether there is an answer; else why there is none.
        groups: The groups that the people name; empty when they say that no such stereotype
            exists, or, in target selection, when no group is a target.
    """

    question: Question
    standing: Standing
    groups: frozenset[str] = frozenset()


def rulings(
    questions: Iterable[Question], tallies: Iterable[Tally], targets: Sequence[TargetRow]
) -> dict[str, Ruling]:
    """Give by question id what the people answered.

    In validation that is the option with the most votes of all, 'no such stereotype' included;
    where two options have the most it is a tie. In target selection it is the groups that
    `targets.csv` holds as targets.

    Args:
        questions: The questions, as models are asked them.
        tallies: The counts; those of a question with other options are of another question.
        targets: Where each group stands.
    """
    counted = {tally.question.id: tally for tally in tallies}
    found = {}
    for question in questions:
        tally = counted.get(question.id)
        if tally is None or _differs(tally.question, question):
            found[question.id] = Ruling(question, Standing.NO_DATA)
        elif question.kind is QuestionKind.CHOICE:
            found[question.id] = _majority(tally)
        else:
            found[question.id] = _targets(tally, targets)
    return found


def _differs(one: Question, other: Question) -> bool:
    return (one.kind, one.group_sets) != (other.kind, other.group_sets)


def _majority(tally: Tally) -> Ruling:
    most = max(tally.votes, default=0)
    if most == 0:
        return Ruling(tally.question, Standing.NO_DATA)
    top = [
        option
        for option, votes in zip(tally.question.options, tally.votes, strict=True)
        if votes == most
    ]
    if len(top) > 1:
        return Ruling(tally.question, Standing.TIE)
    return Ruling(tally.question, Standing.RULED, frozenset(top[0].groups))


def _targets(tally: Tally, targets: Sequence[TargetRow]) -> Ruling:
    question = tally.question
    own = (question.category, question.stereotype, question.kind, tally.respondents)
    standing = {
        (row.group, row.votes)
        for row in targets
        if (row.category, row.stereotype, row.kind, row.respondents) == own
    }
    pairs = zip(question.options, tally.votes, strict=True)
    wanted = {(option.label, votes) for option, votes in pairs if option.groups}
    if tally.respondents == 0 or not wanted <= standing:
        return Ruling(question, Standing.NO_DATA)
    return Ruling(question, Standing.RULED, frozenset(surveyed_sides(tally, targets)[0]))
