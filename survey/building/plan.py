"""The plan of a survey: its forms, orders of options and people, and what is registered of it.

Nobody meets a stereotype twice. Each question is shown in several orders of its options, each to
equally many people, so that the order is not confounded with the question. How likely the
two-thirds rule keeps a stereotype, by how many people it names, is worked out here too.

`curate survey build` writes `responses/preregistration.md`: what is asked, by which rules it is
decided, who is left out, and how sure the decisions will be. Its last part is data, which the
report of the survey compares with what was done.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import yaml

from curation import __version__
from curation.files.atomic import write_file
from curation.files.codec import now
from curation.files.tables import read_text, sha256
from curation.records.culture import (
    Culture,
    QuestionnaireSettings,
    Seconds,
    SurveySettings,
    quota_cells,
)
from curation.records.survey import Question, QuestionKind, Role
from survey.bank import plain_settings
from survey.certainty import DRAWS, SEED, chance_kept, lower_tail, selects, upper_tail
from survey.readers.frames import refusal
from survey.rules import Row, above, rounded

if TYPE_CHECKING:
    from curation.report.page import ReportTexts

_ORDER = (QuestionKind.CHOICE, QuestionKind.SELECT_ALL, QuestionKind.COMPREHENSION)
_STEPS = (np.arange(4000) + 0.5) / 4000
_ROUNDS = 20
_PAIRS = 3_000_000  # pairs of cards that are looked at, a few seconds; beyond, chance spreads well


@dataclass(frozen=True, slots=True)
class Form:
    """What one respondent is asked.

    Attributes:
        id: `f01`, `f02`, ...
        questions: Its questions in order, kind by kind.
        orders: For each question the positions of its options as they are shown.
    """

    id: str
    questions: tuple[Question, ...]
    orders: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class _Card:
    """One appearance of a question: where it stands, and what it must be kept apart from."""

    at: int
    key: Hashable
    stratum: tuple[str, QuestionKind]
    form: int


def assign(
    questions: Sequence[Question],
    subjects: Mapping[str, Hashable],
    settings: QuestionnaireSettings,
) -> tuple[Form, ...]:
    """Spread questions over forms.

    No form holds two questions with one subject, or one question twice; forms differ by at most
    one question, and each category and kind is spread over them as evenly as that allows. As many
    forms as there are orders stand side by side: they ask the same questions one after the other,
    and each shows their options in an order of its own (`balanced_orders`).

    Args:
        questions: The questions.
        subjects: By question id, what it is about: its stereotype, for comprehension that of
            the template.
        settings: Questions of one form at most, how many people answer one and are to answer each
            question, in how many orders, and the seed: the same one gives the same forms.
    """
    if not questions:
        return ()
    orders, seed = settings.orders, settings.seed
    cards, count = _deal(questions, subjects, settings)
    _balance(cards, count)
    width, narrow = (max(2, len(str(size))) for size in (count * orders, count))
    forms = []
    for number in range(count):
        mine = [questions[card.at] for card in cards if card.form == number]
        # What is drawn does not depend on how many orders there are: the first is that of one.
        asked, shown = _drawn(mine, random.Random(f"{seed}:f{number + 1:0{narrow}d}"))  # noqa: S311
        turned = [
            balanced_orders(order, question.fixed_last, orders)
            for question, order in zip(asked, shown, strict=True)
        ]
        for at in range(orders):
            name = f"f{number * orders + at + 1:0{width}d}"
            forms.append(Form(name, asked, tuple(row[at] for row in turned)))
    return tuple(forms)


def copies_needed(settings: QuestionnaireSettings) -> int:
    """The number of forms of each question for enough respondents in each order."""
    wanted = settings.respondents_per_question
    least = ceil(wanted / (settings.respondents_per_form or wanted))
    return ceil(least / settings.orders) * settings.orders


def people_of_a_form(settings: QuestionnaireSettings) -> int:
    """How many people answer one form, so that each question has its respondents.

    Each of its forms, and so each order of its options, has as many.
    """
    wanted = settings.respondents_per_question
    most = settings.respondents_per_form or wanted
    return min(most, ceil(wanted / copies_needed(settings)))


def expected_to_name(settings: QuestionnaireSettings) -> int:
    """How many people of a question are taken to name a group."""
    return floor(settings.respondents_per_question * (1 - settings.no_stereotype) + Fraction(1, 2))


def balanced_orders(
    order: Sequence[int], fixed: Sequence[int], count: int
) -> list[tuple[int, ...]]:
    """Turn an order of options into several that balance it.

    Orders come in pairs, one the reverse of the other, so that over each pair every option
    stands in the same place on average. The pairs are rows of the Latin squares of Williams
    (1949, Australian Journal of Scientific Research A 2, 149-168), in which every option also
    comes next to every other equally often. With k options to be moved, every option stands in
    every place equally often when `count` is a multiple of k and, as pairs ask for, even.

    Args:
        order: An order to begin with, of all options.
        fixed: Options that stay last in all of them.
        count: How many orders: 1, or an even number.

    Returns:
        The orders, the first being `order`.

    Raises:
        ValueError: If the number is odd and not 1.
    """
    if count > 1 and count % 2:
        raise ValueError(f"{count} orders have no pairs")
    first = [at for at in order if at not in fixed]
    last = [at for at in order if at in fixed]
    size = len(first)
    if size < 2:
        return [tuple(order)] * count
    # 0, 1, k - 1, 2, k - 2, ...: the differences of neighbours are all different (modulo k).
    zigzag = [-((at + 1) // 2) % size if at % 2 == 0 else (at + 1) // 2 for at in range(size)]
    option = dict(zip(zigzag, first, strict=True))
    pairs = max(1, count // 2)
    # Of an even number of options, half the rows are the other half's reverse.
    rows = size if size % 2 else size // 2
    found = []
    for pair in range(pairs):
        shift = pair * rows // pairs if pairs < rows else pair % rows
        row = [option[(at + shift) % size] for at in zigzag]
        found += [(*row, *last), (*reversed(row), *last)]
    return found[:count]


def needed_orders(question: Question) -> int:
    """The smallest number of orders with every option equally often in every place."""
    size = len(question.options) - len(question.fixed_last)
    return size if size % 2 == 0 else 2 * size


def _deal(
    questions: Sequence[Question], subjects: Mapping[str, Hashable], settings: QuestionnaireSettings
) -> tuple[list[_Card], int]:
    """Deal out the questions in turn, those of one subject one after the other.

    As there are at least as many forms as any subject has questions, no form gets two of them.
    """
    rng = random.Random(f"{settings.seed}:forms")  # noqa: S311  # a seeded draw
    copies = copies_needed(settings) // settings.orders
    blocks: dict[Hashable, list[int]] = {}
    for at, question in enumerate(questions):
        blocks.setdefault(subjects[question.id], []).extend([at] * copies)
    by_category: dict[str, list[Hashable]] = {}
    for key, members in blocks.items():
        by_category.setdefault(questions[members[0]].category, []).append(key)
    largest = max(len(members) for members in blocks.values())
    count = max(largest, ceil(len(questions) * copies / settings.per_form))
    cards: list[_Card] = []
    for keys in by_category.values():
        rng.shuffle(keys)
        for key in keys:
            rng.shuffle(blocks[key])
            for at in blocks[key]:
                stratum = questions[at].category, questions[at].kind
                cards.append(_Card(at, key, stratum, len(cards) % count))
    return cards, count


def _balance(cards: Sequence[_Card], count: int) -> None:
    """Exchange cards between forms while that spreads categories and kinds more evenly.

    There is an end to it: with thousands of cards the deal alone spreads them.
    """
    held: list[set[Hashable]] = [set() for _ in range(count)]
    strata: list[Counter[object]] = [Counter() for _ in range(count)]
    for card in cards:
        held[card.form].add(card.key)
        strata[card.form].update(_traits(card))
    for _ in range(min(_ROUNDS, _PAIRS // max(1, len(cards) ** 2 // 2))):
        changed = False
        for place, one in enumerate(cards):
            for other in cards[place + 1 :]:
                if one.form == other.form or one.stratum == other.stratum:
                    continue  # nothing would change; most pairs of small surveys are such
                if _gain(one, other, held, strata) > 0:
                    _exchange(one, other, held, strata)
                    changed = True
        if not changed:
            return


def _traits(card: _Card) -> tuple[object, ...]:
    """What is to be spread evenly: categories, kinds, and kinds within categories."""
    return *card.stratum, card.stratum


def _gain(
    one: _Card, other: _Card, held: Sequence[set[Hashable]], strata: Sequence[Counter[object]]
) -> int:
    """Tell by how much the sum of squared counts falls, halved; 0 where it may not be done."""
    here, there = one.form, other.form
    if one.key != other.key and (one.key in held[there] or other.key in held[here]):
        return 0
    gain = 0
    for mine, theirs in zip(_traits(one), _traits(other), strict=True):
        if mine != theirs:
            gain += strata[here][mine] - strata[there][mine] - 1
            gain += strata[there][theirs] - strata[here][theirs] - 1
    return gain


def _exchange(
    one: _Card, other: _Card, held: Sequence[set[Hashable]], strata: Sequence[Counter[object]]
) -> None:
    for card, new in ((one, other.form), (other, one.form)):
        held[card.form].discard(card.key)
        strata[card.form].subtract(_traits(card))
        card.form = new
    for card in (one, other):
        held[card.form].add(card.key)
        strata[card.form].update(_traits(card))


def _drawn(
    questions: Sequence[Question], rng: random.Random
) -> tuple[tuple[Question, ...], list[tuple[int, ...]]]:
    """Draw how a form asks its questions, and in which order it shows the options of each."""
    ordered: list[Question] = []
    for kind in _ORDER:
        members = [question for question in questions if question.kind is kind]
        rng.shuffle(members)
        ordered += members
    # Half of the validation questions show the target first, so that no form leans to a side.
    sides = [at % 2 == 0 for at in range(sum(q.kind is QuestionKind.CHOICE for q in ordered))]
    rng.shuffle(sides)
    orders: list[tuple[int, ...]] = []
    for question in ordered:  # what says that there is no answer stays last
        fixed = question.fixed_last
        order = [at for at in range(len(question.options)) if at not in fixed]
        rng.shuffle(order)
        order += fixed
        target_first = question.options[order[0]].role is Role.TARGET
        if question.kind is QuestionKind.CHOICE and target_first != sides.pop():
            order[:2] = order[1::-1]
        orders.append(tuple(order))
    return tuple(ordered), orders


@dataclass(frozen=True, slots=True)
class SurveyPlan:
    """What a survey needs.

    Attributes:
        dimensions: The attributes that have quotas.
        cells: Their combinations, the last attribute changing fastest; one empty cell where
            there are no quotas.
        shares: The share of each cell.
        forms: Of each `form` its `questions` by kind; the `minutes` that one respondent needs,
            rounded up; how many `respondents` there are to be, and how many of each of the `cells`;
            the `answers` that it brings in, and their `cost`; and what a respondent earns in an
            hour at this price (`pay_per_hour`). Both are None without a price.
    """

    dimensions: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    shares: tuple[Fraction, ...]
    forms: tuple[Row, ...]

    @property
    def respondents(self) -> int:
        """People over all forms; each answers one."""
        return sum(form["respondents"] for form in self.forms)

    @property
    def answers(self) -> int:
        """Answers over all forms."""
        return sum(form["answers"] for form in self.forms)

    @property
    def cost(self) -> Fraction | None:
        """Price of all answers."""
        prices = [form["cost"] for form in self.forms if form["cost"] is not None]
        return sum(prices, Fraction(0)) if len(prices) == len(self.forms) else None

    def cell_total(self, at: int) -> int:
        """People of one cell over all forms."""
        return sum(form["cells"][at] for form in self.forms)

    @property
    def turned_away(self) -> int:
        """People to expect whose cell is full, if they come one by one in the quotas' shares.

        People are a Poisson process with as many cells, of which each fills after a time with a
        gamma distribution, independently: all have when the last has. The mean of that time is the
        number of people who come.
        """
        from scipy.special import gammainc

        cells = [(self.cell_total(at), float(share)) for at, share in enumerate(self.shares)]
        filled = [(count, share) for count, share in cells if count]
        latest = max(((count + 12 * count**0.5 + 40) / share for count, share in filled), default=0)
        full = [gammainc(count, share * latest * _STEPS) for count, share in filled]
        return round(float(1 - np.prod(full, axis=0).mean()) * latest) - self.respondents


def plan_survey(forms: Sequence[Form], settings: QuestionnaireSettings) -> SurveyPlan:
    """Work out what a survey needs.

    Args:
        forms: Its forms.
        settings: Sizes, quotas, seconds and price.
    """
    cells = quota_cells(settings.quotas)
    people, price = people_of_a_form(settings), settings.price
    counts = share_out(people, [*cells.values()], len(forms))
    rows: list[Row] = []
    for form, of_cells in zip(forms, counts, strict=True):
        minutes = minutes_of(form.questions, len(settings.quotas), settings.seconds)
        answers = people * len(form.questions)
        cost = None if price is None else price * answers
        rows.append(
            {
                "form": form.id,
                "questions": Counter(question.kind for question in form.questions),
                "minutes": minutes,
                "respondents": people,
                "cells": of_cells,
                "answers": answers,
                "cost": cost,
                "pay_per_hour": None if cost is None else cost / people * 60 / minutes,
            }
        )
    return SurveyPlan(tuple(settings.quotas), tuple(cells), tuple(cells.values()), tuple(rows))


def minutes_of(questions: Sequence[Question], attributes: int, seconds: Seconds) -> int:
    """The minutes that a form takes, rounded up; the attention check is one question more."""
    taken = sum(int(getattr(seconds, question.kind.value)) for question in questions)
    return ceil(Fraction(taken + (attributes + 1) * seconds.other, 60))


def share_out(people: int, shares: Sequence[Fraction], times: int) -> list[tuple[int, ...]]:
    """Share whole people out among cells, several times over.

    Each time by largest remainder; what rounding gave a cell too much or too little is owed to
    the next time, so that the totals do not drift from the shares.

    Args:
        people: How many there are each time.
        shares: The share of each cell; they add up to 1.
        times: How many times.

    Returns:
        For each time the people of each cell, which add up to `people`.
    """
    owed = [Fraction(0)] * len(shares)
    result = []
    for _ in range(times):
        wanted = [people * share + debt for share, debt in zip(shares, owed, strict=True)]
        given = largest_remainder(people, wanted)
        owed = [want - got for want, got in zip(wanted, given, strict=True)]
        result.append(tuple(given))
    return result


def largest_remainder(people: int, wanted: Sequence[Fraction]) -> list[int]:
    """Round wanted numbers to whole ones from 0 that add up to `people` (Hamilton's method).

    Args:
        people: What they add up to.
        wanted: What each cell should have; they add up to `people`, and one may be a little
            below 0.
    """
    given = [max(0, floor(want)) for want in wanted]
    while sum(given) < people:
        at = max(range(len(given)), key=lambda cell: (wanted[cell] - given[cell], -cell))
        given[at] += 1
    while sum(given) > people:
        cells = [cell for cell, count in enumerate(given) if count]
        at = min(cells, key=lambda cell: (wanted[cell] - given[cell], cell))
        given[at] -= 1
    return given


SHARES = tuple(Fraction(n, 100) for n in (55, 60, 63, 65, 67, 70, 75, 80, 85))
"""True shares of those naming a group who name the target."""


def power_column(named: int, threshold: Fraction) -> dict[str, Any]:
    """Work out, exactly, how likely a question passes.

    Args:
        named: Respondents who name a group; each is taken to name the target independently,
            with the true share as their chance.
        threshold: The share that must be exceeded strictly.

    Returns:
        `named`, as given; how many of them must name the target (`needed`), more than `named` where
        it never passes; and by true share the `chances` that so many do.
    """
    needed = needed_of(named, threshold)
    chances = {f"{float(it):.2f}": rounded(upper_tail(needed, named, it)) for it in SHARES}
    return {"named": named, "needed": needed, "chances": chances}


TIMES = tuple(Fraction(n, 4) for n in (1, 2, 3, 4, 6, 8, 10, 12))
"""True shares of those naming a group who name a certain one, in uniform shares."""


PER_PERSON = tuple(Fraction(n, 4) for n in (4, 5, 6, 8, 12))
"""Groups named by each person who names any: nobody knows before the survey how many."""


def selection_power(
    options: int, offered: int, named: int, asked: int, settings: SurveySettings
) -> dict[str, Any]:
    """Work out, exactly, how likely a group is found to be a target or a non-target.

    With `n` who name a group and `m` options the uniform share is `n / m`. A group is a target from
    `ceil(a n / m)` votes on and a non-target up to `floor(b n / m)`, `a` and `b` being the two
    multiples (Jin et al. 2024, section 3.2.5). Of people who name it independently with a chance of
    `t / m` each its votes are binomial: `P(X >= k) = sum of C(n, i) p^i (1 - p)^(n - i)` from k.

    Args:
        options: Options that count, at least 1.
        offered: Options that name groups.
        named: Respondents who name a group.
        asked: All respondents.
        settings: For both multiples, and the share that a target needs beside.

    Returns:
        `options`, `offered` and `named`, as given. How many of them make a group a target
        (`target_from`), more than `named` where none can be, and how many at most a non-target
        (`non_target_to`). By each of `TIMES` the chance that it is a `target` or a `non_target`,
        None where more than all would have to name it. By each of `PER_PERSON` how often chance
        alone keeps a question whose groups are all equal (`kept_by_chance`), None where a person
        cannot name so many. And the p of a non-target that nobody names (`least_p`).
    """
    share = Fraction(named, options)
    first = max(ceil(settings.target_multiple * share), ceil(settings.target_share * named))
    last = floor(settings.non_target_multiple * share)

    def chances(tail: Callable[[int, int, Fraction], float], votes: int) -> dict[str, float | None]:
        return {
            f"{float(it):.2f}": rounded(tail(votes, named, it / options)) if it <= options else None
            for it in TIMES
        }

    return {
        "options": options,
        "named": named,
        "target_from": first,
        "non_target_to": last,
        "target": chances(upper_tail, first),
        "non_target": chances(lower_tail, last),
        "offered": offered,
        "kept_by_chance": {
            f"{float(it):.2f}": chance_kept(offered, options, named, floor(it * named), settings)
            if it <= offered
            else None
            for it in PER_PERSON
        },
        "least_p": rounded(lower_tail(0, asked, settings.non_target_multiple * share / asked)),
    }


def needed_of(named: int, threshold: Fraction) -> int:
    """The fewest of those naming a group that are strictly more than the threshold."""
    enough = (k for k in range(named + 1) if above(k, named, threshold))
    return next(enough, named + 1)


REGISTERED = ("forms/forms.csv", "forms/texts.csv")
"""What is registered beside the questionnaire: which form asks what, and in which words."""
_DATA = re.compile(r"^```yaml\n(.*?)^```", re.M | re.S)


@cache
def _texts() -> "ReportTexts":
    from curation.report.page import ReportTexts  # reading a survey needs none of it

    return ReportTexts(__package__, "preregistration.yaml")


class Errors(NamedTuple):
    """How likely one question, or how many of several, is decided against its true shares.

    Attributes:
        kept: It is kept.
        wrongly_kept: It is kept, and should be dropped.
        right: It should be kept.
        wrongly_dropped: It should be kept, and is dropped.
    """

    kept: float
    wrongly_kept: float
    right: float
    wrongly_dropped: float


def error_rates(of: Sequence[Errors | None]) -> tuple[float | None, float | None]:
    """The part of the questions kept that is wrong, and that of the right ones that is dropped.

    Args:
        of: The errors of each question; where those of one are not known, no rate is.
    """
    known = [errors for errors in of if errors is not None]
    kept, right = sum(errors.kept for errors in known), sum(errors.right for errors in known)
    if len(known) < len(of):
        return None, None
    return (
        sum(errors.wrongly_kept for errors in known) / kept if kept else None,
        sum(errors.wrongly_dropped for errors in known) / right if right else None,
    )


def validation_errors(named: int, threshold: Fraction) -> Errors | None:
    """How often the rule of validation errs, if true shares were spread evenly from a half to 1.

    A stereotype is kept when at least `k` of `n` who name a group name the target. With the true
    share `p` the chance is `I_p(k, n - k + 1)`, the regularised incomplete beta function
    (Abramowitz and Stegun 1964, 6.6.4); over shares from a half to 1 it is integrated by parts.

    Args:
        named: `n`.
        threshold: The share that must be exceeded.

    Returns:
        The chances; None where nobody names a group, and for a threshold below a half or from 1 on.
    """
    if not named or not Fraction(1, 2) <= threshold < 1:
        return None
    from scipy.special import betainc

    needed = needed_of(named, threshold)
    a, b = needed, named - needed + 1

    def kept_below(share: float) -> float:
        if not b:
            return 0.0
        return float(share * betainc(a, b, share) - a / (a + b) * betainc(a + 1, b, share))

    whole, wrong = (2 * (kept_below(end) - kept_below(0.5)) for end in (1.0, float(threshold)))
    right = float(2 * (1 - threshold))
    return Errors(whole, wrong, right, right - (whole - wrong))


MEAN_TIMES = 2.4
"""Uniform shares of votes of a group, the mean of the 490 groups in KoBBQ's published questions. A
quarter of them has at most .4, a quarter at least 3.5; of the exponential distribution .7 and 3.3.
"""


def selection_errors(options: int, offered: int, named: int, settings: SurveySettings) -> Errors:
    """How often the rule of target selection errs, if true shares were spread as KoBBQ's are.

    Simulated: each group's true share is drawn from the exponential distribution with a mean of
    `MEAN_TIMES` uniform shares, and the people who name it are binomial.

    Args:
        options: Options that count, at least 1.
        offered: Options that name groups.
        named: Respondents who name a group, at least 1.
        settings: The thresholds.
    """
    rng = np.random.default_rng([SEED, options, offered])
    shares = np.minimum(rng.exponential(MEAN_TIMES / options, (10 * DRAWS, offered)), 1.0)
    people = np.full(len(shares), named)
    votes = rng.binomial(named, shares)
    by_votes = settings.equal_share == "votes"

    def decided(found: Any, every: Any) -> Any:
        return selects(found, found.sum(axis=1) if by_votes else every, every, options, settings)

    # True shares are those of so many people that chance does not matter.
    kept = decided(votes, people)
    right = decided(np.rint(shares * _MANY).astype(np.int64), np.full(len(shares), _MANY))
    return Errors(
        kept=float(kept.mean()),
        wrongly_kept=float((kept & ~right).mean()),
        right=float(right.mean()),
        wrongly_dropped=float((right & ~kept).mean()),
    )


_MANY = 10**9


def write_preregistration(
    path: Path,
    culture: Culture,
    plan: SurveyPlan,
    questions: Sequence[Question],
    files: Collection[Path],
) -> None:
    """Write what is planned in place of `path`; one that says the same keeps its date.

    Args:
        path: The file.
        culture: The settings that the survey was built with.
        plan: How many people it needs.
        questions: The questions.
        files: What was written of them, in its folder.

    Raises:
        CurateError: If it cannot be written.
    """
    asked = culture.questionnaire
    kinds = {kind: [q for q in questions if q.kind is kind] for kind in QuestionKind}
    registered: dict[str, object] = {
        "files": {file.relative_to(path.parent).as_posix(): sha256(file) for file in files},
        "questions": {kind.value: [q.id for q in mine] for kind, mine in kinds.items() if mine},
        "forms": len(plan.forms),
        "orders": asked.orders,
        "seed": asked.seed,
        "respondents": plan.respondents,
        "respondents_per_question": asked.respondents_per_question,
        "quotas": {
            name: {value: str(share) for value, share in shares.items()}
            for name, shares in asked.quotas.items()
        },
        "survey": plain_settings(culture.survey),
    }
    known = read_preregistration(path).items()
    if {key: value for key, value in known if key not in ("registered", "curate")} == registered:
        return
    named = expected_to_name(asked)
    wrong, missed = error_rates([validation_errors(named, culture.survey.stereotype_share)])
    data = yaml.safe_dump(
        {"registered": now(), "curate": __version__, **registered},
        sort_keys=False,
        allow_unicode=True,
    )
    from curation.report.texts import plain

    more = {
        "plain": plain,
        "named": named,
        "false_keeps": wrong,
        "false_drops": missed,
        "kinds": kinds,
    }
    parts = [
        _texts().fill(part, culture=culture, settings=culture.survey, plan=plan, **more)
        for part in _texts().known["page"]
    ]
    write_file(path, "\n\n".join((*filter(None, parts), f"```yaml\n{data}```\n")))


def read_preregistration(path: Path) -> dict[str, Any]:
    """Read the data of a preregistration; nothing where there is no file.

    Raises:
        CurateError: If the file has no such data.
    """
    if not path.exists():
        return {}
    match = _DATA.search(read_text(path))
    try:
        found = yaml.safe_load(match[1]) if match else None
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict):
        raise refusal("preregistration-broken", str(path))
    return found
