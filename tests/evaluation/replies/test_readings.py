"""Replies in bulk, read as one by one."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.parsing import read_reply
from evaluation.replies.kobbq import read_as_kobbq
from evaluation.replies.readings import MISSING, OUT_OF_CHOICE, Readings, read_many

LISTS = (
    ("the potter", "the baker", "unknown"),
    ("the baker", "unknown", "the potter"),
    ("B", "A", "unknown"),
    ("Option A", "도예가", "B."),
    ("yes", "no"),
)
LABELS = (None, ("1", "2", "3"), None, ("a", "b", "c"), ("x", "y"))
REPLIES = (
    *("A", "b", "(C)", "**B**", "1", "2번입니다", "x", "D", "", "the baker", "A. the potter", "no"),
    *(
        "정답은 B입니다",
        "The answer is 3.",
        "Both",
        "Option A",
        "A or B",
        "<think>A",
        "B. the potter",
    ),
    *("Option A " * 20, "도예가입니다", "A, B", "B.", None),
)


def one_by_one(
    replies: list[str | None], lists: list[int], labels: tuple[tuple[str, ...] | None, ...]
) -> list[tuple[int, str]]:
    """Read each reply by itself."""
    found = []
    for reply, at in zip(replies, lists, strict=True):
        if reply is None:
            found.append((OUT_OF_CHOICE, MISSING))
            continue
        reading = read_reply(reply, LISTS[at], labels=labels[at])
        place = OUT_OF_CHOICE if reading.chosen is None else next(iter(reading.chosen))
        found.append((place, reading.rule.value))
    return found


def pairs(readings: Readings) -> list[tuple[int, str]]:
    """Give position and rule of every reply."""
    names = [readings.names[code] for code in readings.rules.tolist()]
    return list(zip(readings.positions.tolist(), names, strict=True))


ASKED = st.lists(
    st.tuples(st.sampled_from(REPLIES), st.integers(0, len(LISTS) - 1)), min_size=0, max_size=30
)


@given(asked=ASKED, labelled=st.booleans())
def test_reading_many_is_reading_each(asked: list[tuple[str | None, int]], labelled: bool) -> None:
    """Also where a text of the list is a letter, and where labels are shown."""
    replies, lists = [reply for reply, _ in asked], [at for _, at in asked]
    labels = LABELS if labelled else (None,) * len(LISTS)
    readings = read_many(replies, lists, LISTS, labels if labelled else None)
    assert pairs(readings) == one_by_one(replies, lists, labels)


def test_every_reply_to_every_list_is_read_alike() -> None:
    """The whole product, which the fast way for letters must not change."""
    replies = [reply for reply in REPLIES for _ in LISTS]
    lists = [at for _ in REPLIES for at in range(len(LISTS))]
    readings = read_many(replies, lists, LISTS, LABELS)
    assert pairs(readings) == one_by_one(replies, lists, LABELS)


def test_positions_and_rules_are_small_columns() -> None:
    """A byte each for a million replies; the rules are named in alphabetical order."""
    readings = read_many(["A", None, "Both", "the baker"], [0, 0, 0, 0], LISTS)
    assert readings.positions.dtype == np.int8
    assert readings.positions.tolist() == [0, -1, -1, 1]
    assert readings.rules.dtype == np.uint8
    assert readings.names == ("letter", "missing", "text", "unreadable")
    assert readings.missing.tolist() == [False, True, False, False]
    assert readings.out_of_choice.tolist() == [False, False, True, False]
    assert readings.counts() == {"letter": 1, "missing": 1, "text": 1, "unreadable": 1}


def test_texts_may_come_in_any_shape() -> None:
    """A list, an array, a series, categories with some that no reply has."""
    replies = ["A", None, "the baker", "A"]
    categories = pd.Categorical(replies, categories=["none", "A", "the baker"])
    series = pd.Series(replies, index=[5, 6, 7, 8])
    wanted = pairs(read_many(replies, [0, 0, 0, 1], LISTS))
    for shape in (
        tuple(replies),
        np.array(replies, dtype=object),
        series,
        series.astype("category"),
        categories,
    ):
        assert pairs(read_many(shape, np.array([0, 0, 0, 1]), LISTS)) == wanted


def test_no_replies_give_no_readings() -> None:
    """Nothing in, nothing out."""
    readings = read_many([], [], LISTS)
    assert (len(readings.positions), readings.names, readings.missing.tolist()) == (0, (), [])
    none = read_many([None, None], [0, 1], LISTS)
    assert none.missing.all()
    assert not none.out_of_choice.any()


class Lazy:
    """A list of choices that is made when it is asked for, and tells which were."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __len__(self) -> int:
        return 1_000_000

    def __getitem__(self, at: int) -> tuple[str, ...]:
        self.asked.append(at)
        return (f"potter {at}", f"baker {at}", "unknown")


def test_only_lists_that_are_shown_are_made() -> None:
    """There may be a million of them, each made when it is asked for."""
    lists = Lazy()
    readings = read_many(["A", "baker 7", "A"], [999_999, 7, 7], lists)  # type: ignore[arg-type]
    assert readings.positions.tolist() == [0, 1, 0]
    assert lists.asked == [7, 999_999]


def test_the_mode_of_kobbq_reads_as_its_script() -> None:
    """Reply by reply; a letter alone is read once for all lists in this mode too."""
    replies = [reply for reply in REPLIES if reply is not None for _ in range(3)]
    lists = [at for reply in REPLIES if reply is not None for at in range(3)]
    readings = read_many(replies, lists, LISTS, mode="kobbq")
    wanted = [read_as_kobbq(reply, LISTS[at]) for reply, at in zip(replies, lists, strict=True)]
    assert pairs(readings) == [
        (OUT_OF_CHOICE if place is None else place, rule.value) for place, rule in wanted
    ]
    assert read_many(["Both"], [0], LISTS, mode="kobbq").positions.tolist() == [1]


@pytest.mark.parametrize(
    ("lists", "labels", "message"),
    [
        ([0], None, "differ in length"),
        ([0, 9], None, "a reply names a list of choices that does not exist"),
        ([0, -1], None, "a reply names a list of choices that does not exist"),
        ([0, 0], [None], "differ in length"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(
    lists: list[int], labels: list[None] | None, message: str
) -> None:
    """A fault of the caller is said, not read around."""
    with pytest.raises(ValueError, match=message):
        read_many(["A", "B"], lists, LISTS, labels)


MANY = tuple(
    (first, second, unknown)
    for first, second in (
        *(("the potter", "the baker"), ("A potter", "a baker"), ("도예가", "제빵사"), ("A", "BC")),
        *(
            ("Dr. Kim", "answer"),
            ("the potter and the baker", "both"),
            ("x" * 150, "The answer is B"),
        ),
        *(("젊은 도예가", "늙은 도예가"), ("B형", "O형"), ("potter's wheel", "**oven**")),
    )
    for unknown in ("알 수 없음", "not known")
)
TO_MANY = (
    *(
        "A",
        "The answer is B.",
        "정답은 B입니다.",
        "Both",
        "maybe A",
        "A or B",
        "not B",
        "B. the baker",
    ),
    *(
        "The answer is the potter.",
        "알 수 없습니다",
        "정답은 알 수 없다",
        "baker",
        "A potter",
        "알수없음",
    ),
    *(
        "도예가입니다",
        "늙은 도예가",
        "B형",
        "The answer is B",
        "\\boxed{the \\text{pot}ter}",
        "Dr. Kim",
    ),
    *(
        "the pot**ter**",
        "answer",
        "Answer: answer",
        "A. A potter",
        "Answer: BC",
        "It's A",
        "oven",
        "",
    ),
    *(
        "<think>A</think>\n\nthe baker",
        "<think>the baker",
        "a\nThe answer is A.",
        "x" * 150,
        "C" * 70,
    ),
    *(
        "젊은도예가예요.",
        "(A) the potter and the baker",
        "known",
        "A, B",
        "the potter's wheel",
        "모름",
    ),
)


def test_replies_to_many_lists_are_read_as_to_each() -> None:
    """One that holds no text of a list is read once for all such lists, and no other is."""
    replies = [reply for reply in TO_MANY for _ in MANY]
    lists = list(range(len(MANY))) * len(TO_MANY)
    readings = read_many(replies, lists, MANY)
    for reply, at, found in zip(replies, lists, pairs(readings), strict=True):
        reading = read_reply(reply, MANY[at])
        place = OUT_OF_CHOICE if reading.chosen is None else next(iter(reading.chosen))
        assert found == (place, reading.rule.value), (reply, MANY[at])


def test_replies_in_bulk_hold_the_letters_of_turkish() -> None:
    """A dotless i is the same in a reply and in a choice, in either case."""
    choices = [("19 yaşında", f"{at} yaşında", "Belirlenemez") for at in range(30, 36)]
    replies = ["19 yaşında", "A) 19 YAŞINDA", "Doğru cevap A) 19 yaşında."]
    shown = [at for at in range(6) for _ in replies]
    assert read_many(replies * 6, shown, choices).positions.tolist() == [0] * 18


def test_parts_of_a_choice_are_read_in_bulk() -> None:
    """'Ms. Green' is 'Ms. Green, the violinist', whatever the other choices are."""
    choices = [("Ms. Green, the violinist", f"Mr. {name}", "Unknown") for name in "KLMNOP"]
    readings = read_many(["Ms. Green"] * 6, range(6), choices)
    assert readings.positions.tolist() == [0] * 6


def test_parts_of_names_are_read_in_bulk_as_one_by_one() -> None:
    """A reply to many lists that names a choice of some by a part of its text is read to each."""
    lists = [
        (f"the potter {at} from York", f"the baker from Leeds {at}", "It cannot be known")
        for at in range(12)
    ] + [("the miller", "the weaver", "It cannot be known")] * 12
    replies = ["The potter 3", "the baker", "York", "It was the baker.", "The one from York"]
    asked = [(reply, at) for reply in replies for at in range(len(lists))]
    found = read_many([reply for reply, _ in asked], np.array([at for _, at in asked]), lists)
    one_by_one = [read_reply(reply, lists[at]).chosen for reply, at in asked]
    assert [
        None if position < 0 else {position} for position in found.positions.tolist()
    ] == one_by_one
    assert {0} in one_by_one
    assert {1} in one_by_one


def test_the_language_of_the_choices_counts_in_bulk() -> None:
    """A short reply may show its language by its choices alone."""
    choices = [("El abuelo", f"El nieto {at}", "No se sabe") for at in range(12)]
    found = read_many(["Es la B, no la C."] * len(choices), range(len(choices)), choices)
    assert found.positions.tolist() == [1] * len(choices)
    for shown in choices:
        assert read_reply("Es la B, no la C.", shown).chosen == {1}
