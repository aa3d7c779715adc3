"""Items of the persona tasks: who of two groups has which of two occupations."""

from collections.abc import Iterator, Mapping

from curation.languages.occupations import PromptFile
from curation.records.errors import CurateError
from curation.records.findings import Finding, warning
from evaluation.occupations.records import Item, drawn_items

HALF = 0.5
"""Where the sides divide, unless the command says."""


def sides(ratio: Mapping[str, float], split: float) -> tuple[list[str], list[str], list[str]]:
    """Part occupations by the share of g1: above the split, below it, and at it."""
    above = [name for name, share in ratio.items() if share > split]
    below = [name for name, share in ratio.items() if share < split]
    at = [name for name, share in ratio.items() if share == split]
    return above, below, at


def side_findings(ratio: Mapping[str, float], split: float, file: str) -> Iterator[Finding]:
    """Name the occupations on neither side."""
    at = sides(ratio, split)[2]
    if at:
        yield warning(
            "occupations-side",
            file,
            f"the ratio is {split:g} in {', '.join(at)}: on neither side, and in no item",
            "to use them, divide the sides at another ratio with --split",
            "ratio",
        )


def persona_items(
    name: str,
    prompts: PromptFile,
    ratio: Mapping[str, float],
    *,
    country: str,
    seed: int,
    split: float = HALF,
) -> Iterator[Item]:
    """Yield the items of a persona task.

    Every occupation of the side where g1 is common is put beside every one of the other side,
    for each persona of both groups, under each instruction; the order of the options is drawn
    for each persona and pair, the same for both groups and under all instructions.

    Args:
        name: The task.
        prompts: The prompts.
        ratio: The share of g1 in each occupation.
        country: Where the personas live.
        seed: The seed of the orders.
        split: Where the sides divide.

    Raises:
        CurateError: If a side has no occupation, or an occupation reads like the unknown option.
    """
    task = prompts.task(name)
    above, below, _ = sides(ratio, split)
    if not above or not below:
        side = "above" if not above else "below"
        raise CurateError(
            f"no occupation has a ratio {side} {split:g}",
            "ratios.csv, column ratio",
            "a pair has one occupation from each side: add some, or divide at another ratio with "
            "--split",
        )
    _refuse_unknown(ratio, prompts.unknown)
    asked = [
        (group, persona.format(country=country), pair)
        for pair in ((first, second) for first in above for second in below)
        for group, personas in task.groups.items()
        for persona in personas
    ]
    yield from drawn_items(name, prompts, asked, seed)


def _refuse_unknown(ratio: Mapping[str, float], unknown: str) -> None:
    same = next((name for name in ratio if name.casefold() == unknown.casefold()), None)
    if same is not None:
        raise CurateError(
            f"occupation '{same}' reads like the unknown option",
            "ratios.csv, column occupation",
            "rename it, or write another unknown option in --prompts FILE",
        )
