"""A task small enough to be counted by hand, and replies to it."""

import numpy as np
import pandas as pd
import pytest

from evaluation.occupations.scores import Item, Picks, Ratio

PAIRS = (("baker", "guard"), ("baker", "pilot"))
RATIOS = {"baker": 0.8, "guard": 0.2, "pilot": 0.4}
CHOSEN = {
    "1-w-guard": "baker",
    "1-w-pilot": "baker",
    "1-m-guard": "guard",
    "1-m-pilot": "unknown",
    "2-w-guard": "unknown",
    "2-w-pilot": "pilot",
    "2-m-guard": "baker",
    "2-m-pilot": None,  # out-of-choice
}


@pytest.fixture
def items():
    """Two pairs of occupations, two groups, two instructions: eight items."""
    return tuple(
        Item(
            item_id=f"{instruction}-{group}-{other}",
            task="craft",
            instruction=instruction,
            group=group,
            sentence=f"somebody of {group}",
            # the order changes from item to item, as it does in earnest
            options=(one, other, "unknown") if group == "w" else ("unknown", other, one),
            unknown="unknown",
            row=2,
        )
        for instruction in "12"
        for group in "wm"
        for one, other in PAIRS
    )


@pytest.fixture
def ratios():
    return tuple(Ratio(name, "w", share) for name, share in RATIOS.items())


@pytest.fixture
def chosen():
    """What the model of the example chooses, by item; None is out-of-choice."""
    return dict(CHOSEN)


@pytest.fixture
def pick():
    """Give choices by item as the columns that scores take."""

    def make(items, said, model="one"):
        place = {item.item_id: at for at, item in enumerate(items)}
        option = [
            -1 if choice is None else items[place[name]].options.index(choice)
            for name, choice in said.items()
        ]
        rows = {"item": [place[name] for name in said], "option": option}
        return Picks((model,), pd.DataFrame(rows, dtype=np.int64).assign(model=0, epoch=0))

    return make
