"""Epochs: the same requests asked several times, each with an id of its own."""

import pytest

from curation.files.jsonl import Line
from curation.records.messages import CurateError
from evaluation.requests import (
    Request,
    count_epochs,
    epoch_id,
    epoch_of,
    in_epochs,
    request_of,
    split_epoch,
)
from evaluation.runner.index import Asking

MESSAGES = [{"role": "user", "content": "q"}]


def lines(epochs):
    names = "craft-001a-001-amb-bsd-0-p1", "craft-001a-001-amb-bsd-0-p2"
    made = [{"request_id": name, "messages": MESSAGES} for name in names]
    return [dict(item) for item in in_epochs(lambda: iter(made), epochs)]


def test_later_epochs_have_ids_of_their_own():
    """The first one keeps its ids; whole epochs follow one another."""
    found = lines(3)
    base = "craft-001a-001-amb-bsd-0-p"
    assert [line["request_id"] for line in found] == [
        *(f"{base}1", f"{base}2", f"{base}1-e2", f"{base}2-e2", f"{base}1-e3", f"{base}2-e3")
    ]
    assert [line["epoch"] for line in found] == [1, 1, 2, 2, 3, 3]
    assert [request_of(Line(1, line)).epoch for line in found] == [1, 1, 2, 2, 3, 3]
    names = [line["request_id"] for line in found]
    for known, epochs in ((names, 3), (names[:5], 3), ([*names[:2], *names[4:]], 1), ([], 1)):
        assert count_epochs(known) == epochs


def test_requests_of_one_epoch_are_as_they_are_made():
    """They say nothing of epochs; the most that may be asked have the longest ids."""
    assert all("epoch" not in line for line in lines(1))
    names = [line["request_id"] for line in lines(1000)]
    assert (names[-1][-7:], count_epochs(names)) == ("2-e1000", 1000)


def test_an_id_says_its_epoch():
    """Whatever its number; none is written so for a first epoch, and all else is part of the id."""
    for epoch in (1, 2, 9, 10, 1000):
        assert split_epoch(epoch_id("x-0-p1", epoch)) == ("x-0-p1", epoch)
    for name in ("a", "a-e1", "a-e0", "a-e01", "a-e", "-e2", "e2", "a-e2x"):
        assert split_epoch(name) == (name, 1)


def test_other_numbers_are_refused():
    """Before anything is written; of a line it is a whole number, or nothing."""
    for epochs in (0, -1, 1001):
        with pytest.raises(CurateError, match="is not a number of epochs"):
            lines(epochs)
    for epoch in (0, "2", 1.5, True, None):
        with pytest.raises(ValueError, match="its 'epoch' is not a whole number"):
            epoch_of(Line(1, {"epoch": epoch}))


def test_each_draw_is_sent_a_seed_of_its_own():
    parameters = {"seed": 40, "temperature": 1}

    def seed(request):
        return Asking("m", parameters).body(request)["seed"]

    first, second = Request("a", ()), Request("a-e2", (), epoch=2)
    assert [seed(first), seed(second)] == [40, 41]
    assert "seed" not in Asking("m", {"temperature": 1}).body(second)
