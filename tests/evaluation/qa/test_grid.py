"""The grid of requests: what was asked, and where a reply belongs."""

import json

import numpy as np
import pytest
from benchmark import benchmark

from curation.files.jsonl import write_objects
from curation.records.messages import CurateError
from evaluation.prompts import bundled_prompts
from evaluation.qa.prepare import full_grid, gather, grid_of_requests, make_requests
from evaluation.requests import Orders

PROMPTS = bundled_prompts("en").prompts
SAMPLES = gather(benchmark(fillings=2))


def requests_file(tmp_path, change=lambda items: items, orders=Orders.CYCLIC):
    items = list(make_requests(benchmark(fillings=2), PROMPTS[:2], orders))
    path = tmp_path / "requests.jsonl"
    write_objects(path, change(items))
    return path


def test_fillings_are_counted_by_variant():
    """They tell a whole set from a test set, however many variants and questions there are."""
    assert [gather(benchmark(fillings=count)).fillings for count in (1, 2)] == [1, 2]


def test_a_file_says_which_requests_were_made(tmp_path):
    """The rest of the grid was not asked, and a reply to it has no place."""
    path = requests_file(tmp_path, lambda items: items[7:20], Orders.KOBBQ)
    grid = grid_of_requests(SAMPLES, path)
    assert grid.asked.sum() == 13
    assert grid.orders is Orders.KOBBQ
    assert dict(zip(grid.prompts, grid.unknown, strict=True)) == {
        prompt.id: prompt.unknown for prompt in PROMPTS[:2]
    }
    names = [json.loads(line)["request_id"] for line in path.read_text("utf-8").splitlines()]
    places = grid.locate(names)
    assert (places >= 0).all()
    assert grid.locate(["hobby-001a-001-amb-bsd-0-p1"]).tolist() == [-1]


def test_a_file_says_how_often_each_was_asked(tmp_path):
    """The orders of a second epoch follow those of the first."""

    def again(items):
        return [*items, items[2] | {"request_id": items[2]["request_id"] + "-e2"}]

    grid = grid_of_requests(SAMPLES, requests_file(tmp_path, again))
    assert (grid.epochs, grid.asked.sum(axis=(0, 1))[3:].tolist()) == (2, [0, 0, 1])


def swap(items):
    """Show the first two choices of the fifth request the other way round."""
    first, second, third = items[4]["choices"]
    items[4]["choices"] = [second, first, third]
    return items


def otherwise(items):
    """Call unknown something else in two of the requests of the second prompt."""
    for item in items[9:11]:
        item["choices"] = ["?" if it == PROMPTS[1].unknown else it for it in item["choices"]]
    return items


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (swap, "hobby-001a-001-amb-bsd-1-p2 shows its choices in none of the known orders"),
        (otherwise, "prompt 2 has two unknown expressions"),
        (lambda items: [*items, items[3]], "holds a request twice"),
        (
            lambda items: [{**items[0], "choices": ["x", "y", "z"]}],
            "shows choices that its sample does not have",
        ),
        (
            lambda items: [{**items[0], "request_id": "job-009a-001-amb-bsd-0-p1"}],
            "belongs to none of these samples",
        ),
        (lambda items: [{**items[0], "request_id": "q-1"}], "'q-1' is not the id of a request"),
        (
            lambda items: [{**items[0], "request_id": "hobby-001a-001-amb-bsd-7-p1"}],
            "there is no order 7",
        ),
        (lambda items: [], "holds no request"),
    ],
)
def test_requests_that_do_not_go_with_the_samples_are_refused(tmp_path, change, message):
    """Scores over other choices would be wrong without a sign."""
    with pytest.raises(CurateError) as caught:
        grid_of_requests(SAMPLES, requests_file(tmp_path, change))
    assert message in caught.value.what


def test_a_sample_that_stands_twice_is_refused():
    """Its replies would count twice."""
    with pytest.raises(CurateError, match="sample hobby-001a-001-amb-bsd occurs twice"):
        gather([*benchmark(), benchmark()[0]])


def test_letters_in_lower_case_are_named_where_case_differs():
    """Among tokens a is another label than A."""
    lower = PROMPTS[0].model_copy(update={"id": "9", "letters": ("a", "b", "c")})
    grid = full_grid(SAMPLES, (PROMPTS[0], lower), Orders.CYCLIC)
    places = np.array([0, 3])
    assert grid.shown(places)[2] is None
    codes, lists, labels = grid.shown(places, cased=True)
    assert [labels[at] for at in codes.tolist()] == [None, ("a", "b", "c")]
    assert [lists[at][2] for at in codes.tolist()] == [PROMPTS[0].unknown] * 2
