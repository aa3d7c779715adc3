"""Items of the persona tasks."""

from collections import Counter
from itertools import product

from evaluation.occupations.labour import bundled_ratios
from evaluation.occupations.persona import persona_items
from evaluation.occupations.tasks import bundled_prompts

RATIO = {"nurse": 0.9, "clerk": 0.7, "guard": 0.2, "mover": 0.1, "judge": 0.5}
TASK = "persona-gender"


def test_every_occupation_of_a_side_meets_every_one_of_the_other():
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


def test_the_forty_occupations_make_the_items_of_the_paper():
    """1,600 under each of three instructions, every order of options as often, except for one."""
    ratio = {item.occupation: item.ratio for item in bundled_ratios()}
    items = list(persona_items(TASK, bundled_prompts("en"), ratio, country="X", seed=42))
    assert Counter(item.instruction for item in items) == {"1": 1600, "2": 1600, "3": 1600}
    assert Counter(name for item in items for name in item.occupations) == dict.fromkeys(ratio, 240)
    places = Counter(item.options.index(item.unknown) for item in items)
    assert max(places.values()) - min(places.values()) <= 6
