"""How far models answer as people do, and as one another."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from curation.intervals import Values, interval
from curation.records.survey import Question, QuestionKind
from evaluation.folders import Row
from evaluation.replies.attendance import Attendance
from evaluation.simulate.answers import People, Standing, f1
from evaluation.statistics import Counts, pooled
from survey.rules import rounded

_SCORES = ("exact_match", "mean_f1", "group_f1")
SCORE_COLUMNS = (
    *("model", "group_by", "group", "kind", "n", "out_of_choice", "exact_match", "mean_f1"),
    *("exact_match_low", "exact_match_high", "mean_f1_low", "mean_f1_high"),
    *("out_of_choice_ratio", "missing", "questions", "ties", "without_data", "group_f1"),
)
"""The columns of `scores.csv`; `n + out_of_choice + missing` is the number of requests whose
questions the people have answered."""
PAIR_COLUMNS = ("model", "other", "kind", "n", *_SCORES)
"""The columns of `pairs.csv`; `n` are the requests to which both replies were parsed."""


def mean_of(sums: Values, counts: Values) -> tuple[float | None, float | None, float | None]:
    """A mean over replies with its 95 % interval over questions, as of the scores of a benchmark.

    Replies to one question in several wordings are not independent.

    Args:
        sums: For each question the sum over its replies, each from 0 to 1.
        counts: For each question how many replies it has.

    Returns:
        The mean, None without a reply; and the interval's ends, None with replies to fewer than
        two questions.
    """
    if not counts.sum():
        return None, None, None
    moved = pooled(np.stack([sums, counts], axis=-1), _mean, counts)
    low, high = interval(*moved, (0.0, 1.0))
    mean = rounded(float(moved[0]))
    if np.isnan(low):
        return mean, None, None
    return mean, rounded(float(low)), rounded(float(high))


def _mean(parts: Counts) -> Values:
    """Of sums and counts, along the last axis."""
    alone = np.full(parts.shape[:-1], np.nan)
    found: Values = np.divide(parts[..., 0], parts[..., 1], out=alone, where=parts[..., 1] > 0)
    return found


def group_f1(pairs: Iterable[tuple[str, frozenset[str], frozenset[str]]]) -> float | None:
    """The F1 of each group over all questions, averaged over groups (KoBBQ, section 5.2).

    It is another measure than the mean of the questions' F1: a group that is asked about often
    counts once, and so does one that is named a single time.

    Args:
        pairs: Of each reply the category, the groups named and those wanted; a group of one
            category is none of another.

    Returns:
        None where neither side names any group.
    """
    both: Counter[tuple[str, str]] = Counter()
    either: Counter[tuple[str, str]] = Counter()
    for category, named, wanted in pairs:
        both.update((category, group) for group in named & wanted)
        either.update((category, group) for group in (*named, *wanted))
    if not either:
        return None
    return rounded(sum(2 * both[group] / count for group, count in either.items()) / len(either))


def score_rows(
    questions: Mapping[str, Question],
    people: People,
    answers: pd.DataFrame,
    attendance: Sequence[Attendance],
) -> Iterator[Row]:
    """Score every model, overall and by category.

    Args:
        questions: By request id the question that it asks.
        people: By question id what the people answered.
        answers: What the models answered, as `read_answers` gives it.
        attendance: Which requests each of them replied to.
    """
    asked = {question.id: question for question in questions.values()}
    for item in attendance:
        mine = answers[answers["model"] == item.model]
        missing = Counter(questions[name].id for name in item.missing)
        for group, members in _groups(asked.values()):
            open_ones = [people[name] for name in members if isinstance(people[name], Standing)]
            known = [name for name in members if not isinstance(people[name], Standing)]
            part = mine[mine["question_id"].isin(known)]
            lacking = sum(missing[name] for name in known)
            row: Row = {"model": item.model, **group, **_scored(part)}
            row |= {"missing": lacking, "ties": open_ones.count(Standing.TIE)}
            row["without_data"] = open_ones.count(Standing.NO_DATA)
            yield {name: row[name] for name in SCORE_COLUMNS}


def _groups(asked: Iterable[Question]) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Yield what there is a row for, with its questions: each kind, overall and by category."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for item in asked:
        for group_by, group in (("overall", ""), ("category", item.category)):
            found.setdefault((group_by, group, item.kind.value), []).append(item.id)
    places = list(dict.fromkeys(group for _, group, _ in found))
    for key in sorted(found, key=lambda key: (key[0] != "overall", places.index(key[1]), key[2])):
        yield dict(zip(("group_by", "group", "kind"), key, strict=True)), found[key]


def _scored(part: pd.DataFrame) -> Row:
    """The scores of replies to questions of one kind that the people have answered."""
    read = part[part["groups"].notna()]
    by_question = read[["exact", "f1"]].astype(np.float64).groupby(read["question_id"])
    sums = by_question.sum()
    counts = np.asarray(by_question.size(), np.float64)
    row: Row = {"n": len(read), "out_of_choice": len(part) - len(read), "questions": len(counts)}
    several = bool(read["f1"].notna().any())
    for name, column in (("exact_match", "exact"), ("mean_f1", "f1")):
        is_scored = several or column == "exact"
        found = mean_of(sums[column].to_numpy(), counts) if is_scored else (None,) * 3
        row |= dict(zip((name, f"{name}_low", f"{name}_high"), found, strict=True))
    named = read.loc[read["f1"].notna(), ["category", "groups", "people"]]
    row["group_f1"] = group_f1(named.itertuples(index=False, name=None))
    row["out_of_choice_ratio"] = rounded(1 - len(read) / len(part)) if len(part) else None
    return row


def pair_rows(answers: pd.DataFrame) -> Iterator[Row]:
    """Compare every two models with each other, on the requests that both answered."""
    read = answers[answers["groups"].notna()]
    by_model = dict(iter(read.groupby("model", sort=False)))
    for model, other in combinations(by_model, 2):
        both = by_model[model].merge(by_model[other][["request_id", "groups"]], on="request_id")
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL):
            mine = both[both["kind"] == kind.value]
            pairs = mine[["category", "groups_x", "groups_y"]]
            named = list(pairs.itertuples(index=False, name=None))
            if not named:
                continue
            exact = rounded(sum(one == two for _, one, two in named) / len(named))
            several: tuple[float | None, ...] = (None, None)
            if kind is QuestionKind.SELECT_ALL:
                mean = rounded(sum(f1(one, two) for _, one, two in named) / len(named))
                several = mean, group_f1(named)
            cells: tuple[Any, ...] = (model, other, kind.value, len(named), exact, *several)
            yield dict(zip(PAIR_COLUMNS, cells, strict=True))
