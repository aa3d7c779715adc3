"""Which question stands in which form, so that nobody meets a stereotype twice."""

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from curation.model.survey import Question, QuestionKind, Role

_ORDER = (QuestionKind.CHOICE, QuestionKind.SELECT_ALL, QuestionKind.COMPREHENSION)
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
    *,
    per_form: int,
    copies: int,
    seed: int,
) -> tuple[Form, ...]:
    """Spread questions over forms.

    No form holds two questions with one subject, or one question twice; forms differ by at most
    one question, and each category and kind is spread over them as evenly as that allows.

    Args:
        questions: The questions.
        subjects: By question id, what it is about: its stereotype, for comprehension that of
            the template.
        per_form: Questions of one form at most.
        copies: Forms that each question is to stand in.
        seed: The same seed gives the same forms.
    """
    if not questions:
        return ()
    cards, count = _deal(questions, subjects, per_form, copies, seed)
    _balance(cards, count)
    width = max(2, len(str(count)))
    return tuple(
        _form(
            f"f{number + 1:0{width}d}",
            [questions[card.at] for card in cards if card.form == number],
            seed,
        )
        for number in range(count)
    )


def copies_needed(respondents_per_question: int, respondents_per_form: int) -> int:
    """Give the forms that each question must stand in to have enough respondents."""
    return ceil(respondents_per_question / respondents_per_form)


def _deal(
    questions: Sequence[Question],
    subjects: Mapping[str, Hashable],
    per_form: int,
    copies: int,
    seed: int,
) -> tuple[list[_Card], int]:
    """Deal out the questions in turn, those of one subject one after the other.

    As there are at least as many forms as any subject has questions, no form gets two of them.
    """
    rng = random.Random(f"{seed}:forms")  # noqa: S311  # a seeded draw
    blocks: dict[Hashable, list[int]] = {}
    for at, question in enumerate(questions):
        blocks.setdefault(subjects[question.id], []).extend([at] * copies)
    by_category: dict[str, list[Hashable]] = {}
    for key, members in blocks.items():
        by_category.setdefault(questions[members[0]].category, []).append(key)
    largest = max(len(members) for members in blocks.values())
    count = max(largest, ceil(len(questions) * copies / per_form))
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
    if here == there or one.stratum == other.stratum:
        return 0
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


def _form(name: str, questions: Sequence[Question], seed: int) -> Form:
    rng = random.Random(f"{seed}:{name}")  # noqa: S311  # a seeded draw
    ordered: list[Question] = []
    for kind in _ORDER:
        members = [question for question in questions if question.kind is kind]
        rng.shuffle(members)
        ordered += members
    # Half of the validation questions show the target first, so that no form leans to a side.
    sides = [at % 2 == 0 for at in range(sum(q.kind is QuestionKind.CHOICE for q in ordered))]
    rng.shuffle(sides)
    orders = []
    for question in ordered:
        order = _shuffled(question, rng)
        if question.kind is QuestionKind.CHOICE and _target_first(question, order) != sides.pop():
            order = (order[1], order[0], *order[2:])
        orders.append(order)
    return Form(name, tuple(ordered), tuple(orders))


def _target_first(question: Question, order: Sequence[int]) -> bool:
    return question.options[order[0]].role is Role.TARGET


def _shuffled(question: Question, rng: random.Random) -> tuple[int, ...]:
    """Draw an order of the options; what says that there is no answer stays last."""
    fixed = fixed_last(question)
    order = [at for at in range(len(question.options)) if at not in fixed]
    rng.shuffle(order)
    return (*order, *fixed)


def fixed_last(question: Question) -> tuple[int, ...]:
    """Give the options that stay last: 'no stereotype', and the unknown expression."""
    if question.kind is QuestionKind.COMPREHENSION:
        return (len(question.options) - 1,)
    return tuple(at for at, option in enumerate(question.options) if option.role is Role.NONE)
