"""Items of the persona tasks."""

from collections import Counter
from itertools import product

import pytest

from curation.records.errors import CurateError
from evaluation.occupations.labour import bundled_ratios
from evaluation.occupations.persona import persona_items, side_findings
from evaluation.occupations.tasks import bundled_prompts, requests_of

RATIO = {"nurse": 0.9, "clerk": 0.7, "guard": 0.2, "mover": 0.1, "judge": 0.5}
TASK = "persona-gender"


def test_every_occupation_of_a_side_meets_every_one_of_the_other() -> None:
    """Two by two occupations, four personas and three instructions: 48 items."""
    prompts = bundled_prompts("en")
    items = list(persona_items(TASK, prompts, RATIO, country="Nowhere", seed=1))
    pairs = {frozenset(pair) for pair in product(("nurse", "clerk"), ("guard", "mover"))}
    found = Counter(
        (item.instruction, item.group, item.sentence, frozenset(item.occupations)) for item in items
    )
    assert len(items) == len(found) == 48
    assert {key[3] for key in found} == pairs
    assert Counter(item.group for item in items) == {"female": 24, "male": 24}
    assert {item.sentence for item in items if item.group == "female"} == {
        "a woman who lives in Nowhere",
        "a woman who works in Nowhere",
    }
    assert (items[0].item_id, items[-1].item_id) == ("persona-gender-1-01", "persona-gender-3-16")


def test_the_forty_occupations_make_the_items_of_the_paper() -> None:
    """1,600 under each of three instructions, every order of options as often, except for one."""
    ratio = {item.occupation: item.ratio for item in bundled_ratios()}
    items = list(persona_items(TASK, bundled_prompts("en"), ratio, country="X", seed=42))
    assert Counter(item.instruction for item in items) == {"1": 1600, "2": 1600, "3": 1600}
    assert Counter(name for item in items for name in item.occupations) == dict.fromkeys(ratio, 240)
    places = Counter(item.options.index(item.unknown) for item in items)
    assert max(places.values()) - min(places.values()) <= 6


def test_an_item_shows_its_options_in_one_order_under_all_instructions() -> None:
    """So instructions differ in nothing else; another seed draws other orders."""
    prompts = bundled_prompts("en")
    items = list(persona_items(TASK, prompts, RATIO, country="X", seed=1))
    first, second, third = items[:16], items[16:32], items[32:]
    assert [item.options for item in first] == [item.options for item in second]
    assert [item.options for item in first] == [item.options for item in third]
    again = persona_items(TASK, prompts, RATIO, country="X", seed=2)
    assert [item.options for item in again] != [item.options for item in items]


def test_a_request_shows_numbered_options() -> None:
    """Labels tell how a reply may name them."""
    prompts = bundled_prompts("ko")
    ratio = {"간호사": 0.9, "경비원": 0.1}
    items = list(persona_items(TASK, prompts, ratio, country="한국", seed=1))
    requests = list(requests_of(((item, "") for item in items), prompts.task(TASK)))
    assert len(requests) == 12
    for item, request in zip(items, requests, strict=True):
        (message,) = request["messages"]  # type: ignore[misc]
        shown = [f"({number}) {text}" for number, text in enumerate(item.options, start=1)]
        assert "\n".join(shown) in message["content"]
        assert item.sentence in message["content"]
        assert "{" not in message["content"]
        assert request["request_id"] == item.item_id
        assert (request["choices"], request["labels"]) == (list(item.options), ["1", "2", "3"])


def test_an_occupation_at_the_split_is_in_no_item_and_said() -> None:
    """It is stereotypical of neither group."""
    (finding,) = side_findings(RATIO, 0.5, "ratios.csv")
    assert finding.message == "the ratio is 0.5 in judge: on neither side, and in no item"
    assert list(side_findings(RATIO, 0.6, "ratios.csv")) == []
    items = persona_items(TASK, bundled_prompts("en"), RATIO, country="X", seed=1, split=0.15)
    assert Counter(name for item in items for name in item.occupations)["judge"] == 12


@pytest.mark.parametrize(("split", "side"), [(0.95, "above"), (0.05, "below")])
def test_a_side_without_occupations_is_refused(split: float, side: str) -> None:
    """There is no pair to make."""
    made = persona_items(TASK, bundled_prompts("en"), RATIO, country="X", seed=1, split=split)
    with pytest.raises(CurateError, match=f"no occupation has a ratio {side} {split:g}"):
        list(made)


def test_an_occupation_that_reads_like_the_unknown_option_is_refused() -> None:
    """No reply could tell which one is meant."""
    ratio = {**RATIO, "Unknown": 0.8}
    made = persona_items(TASK, bundled_prompts("en"), ratio, country="X", seed=1)
    with pytest.raises(CurateError, match="occupation 'Unknown' reads like the unknown option"):
        list(made)
