"""Baselines answer by a rule, with the letters that a request shows."""

from collections import Counter

import pytest
from benchmark import benchmark, write_samples

from evaluation.prompts import bundled_prompts
from evaluation.qa.prepare import make_requests
from evaluation.replies.reply import FailureKind
from evaluation.requests import Orders, Request
from evaluation.runner.backend import BackendSettings, open_backend

SAMPLES = {item.sample_id: item for item in benchmark()}
REQUESTS = [
    (item, Request(item["request_id"], tuple(item["messages"]), tuple(item["choices"])))
    for item in make_requests(SAMPLES.values(), bundled_prompts("en").prompts, Orders.CYCLIC)
]


@pytest.fixture
def samples(tmp_path):
    return write_samples(tmp_path / "samples.csv", SAMPLES.values())


def opened(name, samples=None, model="", parameters=None, **options):
    if samples is not None:
        options["samples"] = str(samples)
    return open_backend(name, BackendSettings(model, parameters or {}, options=options))


def chosen(name, samples):
    """Give what a baseline answers to each request: the item, and the text of the choice."""
    outcomes = opened(name, samples).ask_many([request for _, request in REQUESTS])
    for (item, request), outcome in zip(REQUESTS, outcomes, strict=True):
        letters = "abc" if item["prompt_id"] in "34" else "ABC"
        yield item, request.choices[letters.index(outcome.text)]


def test_baselines_answer_by_what_they_know_of_the_sample(samples):
    """The right answer, the biased one whatever the context says, the other, or neither person."""
    unknown = {prompt.id: prompt.unknown for prompt in bundled_prompts("en").prompts}
    names = ("oracle", "always-biased", "always-counter-biased", "always-unknown")
    for name in names:
        for item, text in chosen(name, samples):
            sample, none = SAMPLES[item["sample_id"]], unknown[item["prompt_id"]]
            first, second = sample.choices[:2]
            other = second if sample.biased_answer == first else first
            right = sample.answer if sample.context_type == "dis" else none
            wanted = dict(zip(names, (right, sample.biased_answer, other, none), strict=True))
            assert text == wanted[name]


def test_uniform_draws_every_place_alike_and_by_its_seed():
    """360 requests: each place within four standard deviations of a third."""
    requests = [request for _, request in REQUESTS]

    def drawn(**options):
        return [item.text for item in opened("uniform", **options).ask_many(requests)]

    first = drawn(seed="7")
    assert len(first) == 360
    counts = Counter(text.upper() for text in first)
    assert set(counts) == {"A", "B", "C"}
    assert all(abs(count - 120) < 4 * (360 * 2 / 9) ** 0.5 for count in counts.values())
    assert drawn(seed="7") == first
    assert drawn(seed="8") != first
    assert drawn() == drawn(seed="42")
    assert drawn(parameters={"seed": 7}) == first


@pytest.mark.parametrize(
    ("request_id", "choices", "said"),
    [
        ("job-009a-001-amb-bsd-0-p1", None, "belongs to no sample of "),
        ("free", None, "request free is about no sample"),
        (None, ("x", "y", "z"), "shows choices that its sample does not have"),
        (None, REQUESTS[0][1].choices[:2], "shows choices that its sample does not have"),
    ],
)
def test_what_does_not_go_with_the_samples_stops_the_run(samples, request_id, choices, said):
    """Nothing is guessed."""
    item = REQUESTS[0][1]
    odd = Request(request_id or item.request_id, item.messages, choices or item.choices)
    good, bad = opened("oracle", samples).ask_many([item, odd])
    assert good.text is not None
    assert bad.text is None
    assert bad.error.kind is FailureKind.BACKEND
    assert bad.error.stops
    assert said in bad.error.message
    assert bad.error.hint == "name the samples that were asked about: --option samples=FILE"
