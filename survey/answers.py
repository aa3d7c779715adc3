"""The answers of a survey: in memory, and in `responses.csv`, the normal form of every survey.

Every reader gives them so, and every count takes them so.
"""

import csv
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from pathlib import Path, PurePath
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curation.files.tables import Table, read_table, separator, write_csv
from curation.records.culture import QUALITY_VALUES
from curation.records.messages import Finding
from curation.records.survey import Option, OptionState, Question, QuestionKind, Role, Tally
from survey.readers.frames import columns_called, plain, refusal, tell

STATES = (OptionState.SELECTED, OptionState.SHOWN, OptionState.MISSING)
"""What the codes 0, 1, 2 of `Answers.state` mean."""
SELECTED, SHOWN, MISSING = range(3)

RESERVED_ATTRIBUTES = ("status", "attention", "duration_s", "form")
"""Attributes with a meaning: `status` is `complete`, `partial` or `screened_out`, `attention`
`passed` or `failed`, `duration_s` seconds for the whole survey, `form` the form answered."""

RESPONSE_COLUMNS = (
    "respondent_id",
    "question_id",
    "kind",
    "option",
    "state",
    "position",
    "duration_s",
)
"""The columns of `responses.csv`, the normal form."""

Codes = npt.NDArray[np.int64]
_ROWS = ("question", "option", "state", "position", "duration", "row")
"""What a row of answers has beside its respondent."""


class Exclusion(NamedTuple):
    """One row of a received file that was left out, and why: nobody is dropped silently.

    Attributes:
        rule: `keep` (the mapping keeps others), `respondents` (the list of respondents leaves them
            out), `duplicate` (another answer of the same
            respondent is kept) or `ignored` (the mapping ignores what was asked).
        respondent: Whose row it is; empty where the file does not say.
        question_id: The question, where a row holds one; empty where it holds them all.
        detail: Row, column and value in words.
    """

    rule: str
    respondent: str
    question_id: str
    detail: str


@dataclass(frozen=True)
class Answers:
    """One row for each respondent, question and option, as columns of equal length.

    Attributes:
        source: The file, as messages show it.
        questions: The questionnaire; rows point into it.
        respondents: Ids of the respondents; rows point into it.
        respondent: Position of the respondent.
        question: Position of the question.
        option: Position of the option among its question's.
        state: 0 selected, 1 shown, 2 missing.
        position: Where the option was shown, from 1; 0 where it is not known.
        duration: Seconds that the question took; NaN where they are not known.
        row: Row in the file that it comes from, the header being 1.
        attributes: By name, one value for each respondent; empty where it is not known.
        files: Of several files that were joined, each with the number of rows up to its last.
    """

    source: str
    questions: tuple[Question, ...]
    respondents: tuple[str, ...]
    respondent: Codes
    question: Codes
    option: Codes
    state: npt.NDArray[np.int8]
    position: npt.NDArray[np.int32]
    duration: npt.NDArray[np.float64]
    row: Codes
    attributes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    files: tuple[tuple[str, int], ...] = ()

    def __len__(self) -> int:
        return len(self.respondent)

    def place(self, rows: Codes) -> tuple[str, int]:
        """The file and the row there that some rows come from, as far as they are of one file.

        Args:
            rows: Positions of one row or more; of several files the first counts.
        """
        for name, end in self.files:
            if (rows < end).any():
                return name, int(self.row[rows[rows < end]].min())
        return self.source, int(self.row[rows].min())

    @property
    def selected(self) -> npt.NDArray[np.bool_]:
        """Which rows are choices."""
        return np.equal(self.state, SELECTED)

    @cached_property
    def choices(self) -> tuple[Codes, Codes]:
        """The rows of choices that count, and of those that contradict each other."""
        return split_choices(self)

    @cached_property
    def answered(self) -> Codes:
        """Of the choices that count one row for each respondent and question."""
        return one_per_answer(self, self.choices[0])


def write_answers(answers: Answers, responses: Path, respondents: Path) -> None:
    """Write answers in normal form, and the respondents' attributes beside.

    Rows come ordered by respondent, question and option, so that the same answers give the
    same bytes whatever file they were read from.

    Raises:
        CurateError: If a file cannot be written.
    """
    order = np.lexsort((answers.option, answers.question, _ranks(answers)))
    cells = (map(texts.__getitem__, codes[order].tolist()) for texts, codes in _columns(answers))
    write_csv(responses, RESPONSE_COLUMNS, zip(*cells, strict=True))
    names = tuple(answers.attributes)
    people = sorted(range(len(answers.respondents)), key=lambda at: answers.respondents[at])
    write_csv(
        respondents,
        ("respondent_id", *names),
        (
            [answers.respondents[at], *(answers.attributes[name][at] for name in names)]
            for at in people
        ),
    )


def _columns(answers: Answers) -> Iterator[tuple[list[str], npt.NDArray[np.integer]]]:
    """The texts of each column of the normal form, and for each row which it holds."""
    questions = answers.questions
    starts = np.cumsum([0, *(len(question.options) for question in questions)])[:-1]
    yield list(answers.respondents), answers.respondent
    yield [question.id for question in questions], answers.question
    yield [question.kind.value for question in questions], answers.question
    codes = [option.code for question in questions for option in question.options]
    yield codes, starts[answers.question] + answers.option
    yield [state.value for state in STATES], answers.state
    positions, at = np.unique(answers.position, return_inverse=True)
    yield [str(place) if place else "" for place in positions.tolist()], at
    seconds, at = np.unique(answers.duration, return_inverse=True)
    yield ["" if np.isnan(value) else f"{value:g}" for value in seconds.tolist()], at


def _ranks(answers: Answers) -> Codes:
    """Each row's respondent as their place in the order of ids."""
    order = np.argsort(np.array(answers.respondents, dtype=object), kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks[answers.respondent]


def join_answers(parts: Sequence[Answers], used: Set[str] = frozenset()) -> Answers:
    """Join the answers of several files to one questionnaire, such as its forms.

    Args:
        parts: The answers, their respondents with known values of what quality checks go by.
        used: The attributes that are counted, of which a respondent has but one value.

    Raises:
        CurateError: If a respondent answers one question in two of them, or is told to be two of
            what they are one of.
    """
    if len(parts) == 1:
        return parts[0]
    people: dict[str, int] = {}
    for part in parts:
        for name in part.respondents:
            people.setdefault(name, len(people))
    places = [
        np.array([people[name] for name in part.respondents], dtype=np.int64) for part in parts
    ]
    ends = np.cumsum([len(part) for part in parts])
    joined = Answers(
        source=", ".join(part.source for part in parts),
        questions=parts[0].questions,
        respondents=tuple(people),
        respondent=np.concatenate(
            [place[part.respondent] for place, part in zip(places, parts, strict=True)]
        ),
        attributes=_joined_attributes(parts, people, {"form", *used} - {*QUALITY_VALUES, _SECONDS}),
        files=tuple(zip((part.source for part in parts), ends.tolist(), strict=True)),
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in _ROWS},
    )
    _refuse_answered_twice(joined, parts)
    return joined


_SECONDS = "duration_s"


def _joined_attributes(
    parts: Sequence[Answers], people: Mapping[str, int], fixed: Set[str]
) -> dict[str, tuple[str, ...]]:
    names = dict.fromkeys(name for part in parts for name in part.attributes)
    found = {name: [""] * len(people) for name in names}
    for part in parts:
        for name, values in part.attributes.items():
            known, read = found[name], float if name == _SECONDS else str
            places = [people[who] for who in part.respondents]
            told = zip(places, values, strict=True)
            twice = {at: (known[at], value) for at, value in told if known[at] and value}
            unlike = [at for at, (one, other) in twice.items() if read(one) != read(other)]
            if unlike and name in fixed:
                one, other = twice[unlike[0]]
                words = {"who": [*people][unlike[0]], "known": one, "value": other}
                raise refusal("person-unlike", part.source, name=name, **words)
            again = 2 * len(unlike) < len(twice)
            for at, value in zip(places, values, strict=True):
                known[at] = _in_both(name, *twice[at], again) if at in twice else value or known[at]
    return {name: tuple(values) for name, values in found.items()}


def _in_both(name: str, one: str, other: str, again: bool) -> str:
    """What two files say of a respondent: the worse, the seconds of both, or what is said last.

    Where most people took as long in both, the second tells the same time again, and not another.
    """
    if name in QUALITY_VALUES:
        return max(one, other, key=QUALITY_VALUES[name].index)
    if name != _SECONDS:
        return other
    seconds = float(one), float(other)
    return f"{(max if again else sum)(seconds):.15g}"


def told_unlike(parts: Sequence[Answers], joined: Answers) -> Iterator[Finding]:
    """Tell of attributes that one file says otherwise of a respondent than another.

    Args:
        parts: What was joined.
        joined: The answers of all files.
    """
    places = {who: at for at, who in enumerate(joined.respondents)}
    for part in parts:
        for name, values in part.attributes.items():
            told, kept = zip(part.respondents, values, strict=True), joined.attributes[name]
            unlike = [who for who, value in told if value not in ("", kept[places[who]])]
            if unlike and name not in {*QUALITY_VALUES, _SECONDS}:
                words = {"name": name, "count": len(unlike), "people": unlike}
                yield tell("survey-person-unlike", part.source, None, name, **words)


def _refuse_answered_twice(joined: Answers, parts: Sequence[Answers]) -> None:
    width = len(joined.questions)
    pair = joined.respondent * width + joined.question
    starts = np.cumsum([0, *(len(part) for part in parts)])
    seen = np.empty(0, dtype=np.int64)
    for part, start, end in zip(parts, starts, starts[1:], strict=False):
        mine = np.unique(pair[start:end])
        twice = np.intersect1d(seen, mine, assume_unique=True)
        if twice.size:
            who = joined.respondents[int(twice[0]) // width]
            asked = joined.questions[int(twice[0]) % width]
            told = {"who": who, "id": asked.id, "count": twice.size}
            raise refusal("answered-in-two", part.source, **told)
        seen = np.union1d(seen, mine)


def only_rows(answers: Answers, rows: npt.NDArray[np.bool_]) -> Answers:
    """Some of the rows of answers; the respondents stay."""
    return replace(
        answers, **{name: getattr(answers, name)[rows] for name in ("respondent", *_ROWS)}
    )


NEEDED = ("respondent_id", "question_id", "kind", "option", "state")


def is_normal(path: Path) -> bool:
    """Say whether a file is in normal form: a CSV in UTF-8 whose header has its columns."""
    try:
        with path.open("rb") as stream:
            head = stream.read(1 << 16)
    except OSError:
        return False
    first = "".join(head.decode("utf-8-sig", "replace").splitlines()[:1])
    names = next(csv.reader([first], delimiter=separator(first)), [])
    return set(NEEDED) <= {name.strip() for name in names}


def listed_ids(answers: Path) -> set[str]:
    """What the columns of `respondents.csv` beside a file hold that may be ids.

    Raises:
        CurateError: If it cannot be read.
    """
    path = answers.with_name("respondents.csv")
    table = read_table(path) if path.exists() else None
    columns = [] if table is None else table.columns
    named = [columns[at] for at in columns_called(columns, "respondent")]
    return {plain(row[name]) for name in named for row in (table.rows if table else ())} - {""}


def id_column(table: Table, ids: set[str]) -> str:
    """The column of a list of people that holds their ids: the one with those of some answers.

    Raises:
        CurateError: If there is none, or several may hold them.
    """
    named = [table.columns[at] for at in columns_called(table.columns, "respondent")]
    found = [name for name in named if name == "respondent_id"] or named
    theirs = [name for name in found if ids & {plain(row[name]) for row in table.rows}]
    found = theirs if len(theirs) == 1 else found
    if len(found) != 1:
        told = {"way": "several" if found else "none", "both": " and ".join(map(repr, found))}
        raise refusal("ids-of-people", f"{table.file}, row 1", **told)
    return found[0]


def without_people(answers: Answers, names: Collection[str]) -> Answers:
    """The answers of all but some respondents."""
    stays = np.array([name not in names for name in answers.respondents], dtype=bool)
    left = only_rows(answers, stays[answers.respondent])
    return replace(
        left,
        respondents=tuple(compress(answers.respondents, stays)),
        respondent=(np.cumsum(stays) - 1)[left.respondent],
        attributes={
            name: tuple(compress(values, stays)) for name, values in answers.attributes.items()
        },
    )


WEIGHT_UNIT = 720_720_000
"""What a respondent of weight 1 counts as in weighted tallies, so that rules stay in integers.

Every number to 16 divides it: weights such as 7/12 are whole, and a tie stays a tie.
"""


def count_answers(
    answers: Answers,
    rows: npt.NDArray[np.bool_] | None = None,
    weights: npt.NDArray[np.float64] | None = None,
) -> tuple[list[Tally], list[Finding]]:
    """Count the answers to every question.

    Args:
        answers: The answers.
        rows: Which rows to count; all by default. An answer counts with all of its rows, or none.
        weights: A weight for each respondent; votes and respondents are then sums of weights
            as whole numbers (in `WEIGHT_UNIT`).

    Returns:
        A tally for each question that the answers hold, in the questionnaire's order, of nobody
        where none of its rows count; and findings on respondents who contradict themselves.
    """
    questions = answers.questions
    parts = (*answers.choices, answers.answered)
    good, contradicting, once = parts if rows is None else (part[rows[part]] for part in parts)
    width = max(len(item.options) for item in questions)
    place = answers.question[good] * width + answers.option[good]
    # Each weight is rounded before it is summed, so that sums are exact: two thirds of equal
    # weights are two thirds.
    whole = None if weights is None else np.rint(weights * WEIGHT_UNIT)

    def sums(rows: Codes, place: Codes, size: int) -> Codes:
        """Count the rows at each place, or sum the weights of their respondents."""
        mine = None if whole is None else whole[answers.respondent[rows]]
        return np.bincount(place, weights=mine, minlength=size).astype(np.int64)

    votes = sums(good, place, len(questions) * width).reshape(len(questions), width)
    answered = sums(once, answers.question[once], len(questions))
    asked = np.bincount(answers.question, minlength=len(questions))
    # Without folders, so that the same files give the same counts anywhere.
    files = ", ".join(PurePath(path).name for path in answers.source.split(", "))
    tallies = [
        Tally(
            question=item,
            respondents=int(answered[row]),
            votes=tuple(int(n) for n in votes[row, : len(item.options)]),
            source=files,
        )
        for row, item in enumerate(questions)
        if asked[row]
    ]
    return tallies, list(_contradictions(answers, contradicting))


def split_choices(answers: Answers) -> tuple[Codes, Codes]:
    """The choices that count, and those that contradict each other."""
    questions = answers.questions
    chosen = np.flatnonzero(answers.selected)
    pair, size = numbered_pairs(answers, chosen)
    picks = np.bincount(pair, minlength=size)
    if not (picks > 1).any():
        return chosen, chosen[:0]  # who chose one option contradicts nothing
    kinds = np.array([item.kind is QuestionKind.SELECT_ALL for item in questions])
    is_none = role_table(answers, lambda _, option: option.role is Role.NONE)
    none_chosen = is_none[answers.question[chosen], answers.option[chosen]]
    nones = np.bincount(pair, weights=none_chosen, minlength=size)
    several = kinds[answers.question[chosen]]
    contradicts = np.where(several, (nones[pair] > 0) & (picks[pair] > 1), picks[pair] > 1)
    return chosen[~contradicts], chosen[contradicts]


def role_table(answers: Answers, has: Callable[[Question, Option], bool]) -> npt.NDArray[np.bool_]:
    """Tell of each question (rows) which of its options are so."""
    width = max(len(question.options) for question in answers.questions)
    table = np.zeros((len(answers.questions), width), dtype=bool)
    for at, question in enumerate(answers.questions):
        table[at, : len(question.options)] = [has(question, it) for it in question.options]
    return table


def one_per_answer(answers: Answers, rows: Codes) -> Codes:
    """Of the rows one for each respondent and question."""
    pair, size = numbered_pairs(answers, rows)
    last = np.full(size, -1, dtype=np.int64)
    last[pair] = rows
    return last[last >= 0]


def numbered_pairs(answers: Answers, rows: Codes) -> tuple[Codes, int]:
    """Number the pairs of respondent and question, and give the size of an array of them."""
    width = len(answers.questions)
    keys = answers.respondent[rows] * width + answers.question[rows]
    return keys, len(answers.respondents) * width


def _contradictions(answers: Answers, rows: Codes) -> Iterator[Finding]:
    for at in np.flatnonzero(np.bincount(answers.question[rows])):
        mine = rows[answers.question[rows] == at]
        people = sorted({answers.respondents[code] for code in answers.respondent[mine]})
        question = answers.questions[at]
        way = "group" if question.kind is QuestionKind.SELECT_ALL else "options"
        told = {"id": question.id, "count": len(people), "people": people, "way": way}
        # Files of platforms have other columns than our table of answers.
        file, row = answers.place(mine)
        yield tell("survey-contradiction", file, row, **told)
