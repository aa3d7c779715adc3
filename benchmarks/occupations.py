"""Occupation models with a known truth: how often tests err, and how often intervals hold."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from evaluation.occupations.scores import Numbers, Picks, TaskDesign, designs, score
from evaluation.occupations.tasks import bundled_prompts, bundled_ratios, persona_items

_MODELS = 1000
_FEWER = 200
_BLOCK = 50
_TASK = "persona-gender"
_GIVE = 0.015  # what 1000 models may err by of the level of 5 %

Codes = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator], Codes]


def run() -> list[str]:
    """Simulate models that treat groups alike, and models that do not, on the toolkit's items."""
    own = _design()
    apart = _other_orders(own)
    lines = []
    for name, design, chances in (
        ("random", own, _alike(own, unknown=1 / 3)),
        ("random, never unknown", own, _alike(own, unknown=0.0)),
        ("replies to three instructions alike", own, None),
        ("mostly the first option, orders that differ", apart, _first(apart)),
        ("leans to the commoner occupation", own, _towards(own, 0.25)),
        ("follows the ratios", own, _towards(own, 1.0)),
    ):
        number = _MODELS if name == "random" else _FEWER
        lines.append(_said(name, design, chances, number))
    return lines


def _design() -> TaskDesign:
    ratios = bundled_ratios()
    ratio = {item.occupation: item.ratio for item in ratios}
    items = persona_items(_TASK, bundled_prompts("en"), ratio, country="X", seed=42)
    (made,), _ = designs(list(items), ratios, file="items.csv")
    return made


def _other_orders(design: TaskDesign) -> TaskDesign:
    """Orders drawn for each persona alone, as in published items."""
    rng = np.random.default_rng(9)
    drawn = rng.permuted(np.tile(np.arange(3), (1600, 1)), axis=1)
    order = np.tile(drawn, (3, 1))
    plain = np.sort(design.occupation, axis=1)  # the unknown option, -1, comes first
    shown = np.take_along_axis(plain, order, axis=1)
    return replace(design, occupation=shown, unknown=np.argmin(shown, axis=1))


def _alike(design: TaskDesign, unknown: float) -> Shares:
    """The chance of each option where the group does not matter."""
    chances = np.full((len(design.item), 3), (1 - unknown) / 2)
    chances[np.arange(len(chances)), design.unknown] = unknown
    return chances


def _first(design: TaskDesign) -> Shares:
    """Nine of ten times the first option, whatever it is."""
    return np.tile([0.9, 0.05, 0.05], (len(design.item), 1))


def _towards(design: TaskDesign, much: float) -> Shares:
    """Choose the occupation that is commoner in the group, the more the more it is so."""
    ratio = np.where(design.occupation >= 0, design.ratio[design.occupation], np.nan)
    own = np.where(design.group[:, None] == 0, ratio, 1 - ratio)
    there = np.nan_to_num(0.5 + much * (own - np.nanmean(own, axis=1, keepdims=True)))
    return np.asarray(there / there.sum(axis=1, keepdims=True))


def _said(name: str, design: TaskDesign, chances: Shares | None, models: int) -> str:
    rng = np.random.default_rng(28)
    truth = None if chances is None else _measured(design, chances)
    found = []
    for _ in range(0, models, _BLOCK):
        draws = np.concatenate([_drawn(rng, design, chances) for _ in range(_BLOCK)])
        size = len(design.item)
        model, item = np.repeat(np.arange(_BLOCK), size), np.tile(np.arange(size), _BLOCK)
        rows = pd.DataFrame({"model": model, "item": item, "option": draws, "epoch": 0})
        picks = Picks(tuple(map(str, range(_BLOCK))), rows)
        found += [result.overall for result in score(picks, [design])]
    rejected = [np.mean([row[name] <= 0.05 for row in found]) for name in ("M_B_p", "M_S_p")]
    held = [
        np.mean([row[f"{name}_low"] <= true <= row[f"{name}_high"] for row in found])
        for true, name in zip(truth or (0.0, 0.0), ("M_B", "M_S"), strict=True)
    ]
    null, seen = (np.mean([row[name] for row in found]) for name in ("M_B_null", "M_B"))
    missed = models == _MODELS and max(abs(share - 0.05) for share in rejected) > _GIVE
    line = (
        f"occupations, {name}: M_B {seen:.3f}, by chance {null:.3f}, p <= .05 in {rejected[0]:.3f}"
        f" (M_B) and {rejected[1]:.3f} (M_S), intervals hold {held[0]:.3f} and {held[1]:.3f}"
        f"{'  MISSED .05' if missed else ''}"
    )
    print(line)
    return line


def _drawn(rng: np.random.Generator, design: TaskDesign, chances: Shares | None) -> Codes:
    """The options that one model chooses; without chances one for all instructions."""
    if chances is None:
        each = rng.integers(0, 3, 1600)
        return np.tile(each, 3)
    draw = rng.random((len(chances), 1))
    return np.asarray((draw > np.cumsum(chances, axis=1)[:, :2]).sum(axis=1), np.int64)


def _measured(design: TaskDesign, chances: Shares) -> tuple[float, float]:
    """The true M_B and M_S."""
    scores: Numbers = np.zeros(len(design.occupations))
    for at in range(len(scores)):
        there = design.occupation == at
        of_group = [chances[there & (design.group[:, None] == code)].mean() for code in (0, 1)]
        scores[at] = of_group[0] - of_group[1]
    x = design.ratio - design.ratio.mean()
    return float(np.abs(scores).mean()), float(x @ scores / (x @ x))
