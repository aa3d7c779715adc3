"""Items of the persona tasks."""

from collections import Counter

from evaluation.occupations.tasks import bundled_prompts, bundled_ratios, persona_items

TASK = "persona-gender"


def test_the_forty_occupations_make_the_items_of_the_paper():
    """1,600 under each of three instructions, every order of options as often, except for one."""
    ratio = {item.occupation: item.ratio for item in bundled_ratios()}
    items = list(persona_items(TASK, bundled_prompts("en"), ratio, country="X", seed=42))
    assert Counter(item.instruction for item in items) == {"1": 1600, "2": 1600, "3": 1600}
    assert Counter(name for item in items for name in item.occupations) == dict.fromkeys(ratio, 240)
    places = Counter(item.options.index(item.unknown) for item in items)
    assert max(places.values()) - min(places.values()) <= 6
