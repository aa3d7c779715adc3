"""Items of the persona tasks: who of two groups has which of two occupations."""

from collections.abc import Iterator, Mapping

from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from evaluation.occupations.items import Item
from evaluation.occupations.ordering import orders
from evaluation.occupations.prompts import PromptFile, Task

HALF = 0.5
"""Where the sides divide, unless the command says."""


def sides(ratio: Mapping[str, float], split: float) -> tuple[list[str], list[str], list[str]]:
    """Part occupations by the share of g1: above the split, below it, and at it."""
    above = [name for name, share in ratio.items() if share > split]
    below = [name for name, share in ratio.items() if share < split]
    at = [name for name, share in ratio.items() if share == split]
    return above, below, at


def side_findings(ratio: Mapping[str, float], split: float, file: str) -> Iterator[Finding]:
    """Say which occupations stand on neither side."""
    at = sides(ratio, split)[2]
    if at:
        yield Finding(
            "occupations-side",
            Severity.WARNING,
            file,
            None,
            "ratio",
            f"the ratio is {split:g} in {', '.join(at)}: on neither side, and in no item",
            "divide the sides elsewhere with --split, if they are wanted",
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
    for each persona and pair, and is the same under all instructions.

    Args:
        name: The task.
        prompts: The prompts.
        ratio: The share of g1 in each occupation.
        country: Where the personas live.
        seed: Of the orders.
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
            "a pair has one occupation from each side: add some, or divide elsewhere with --split",
        )
    _refuse_unknown(ratio, prompts.unknown)
    asked = [
        (group, persona.format(country=country), pair)
        for pair in ((first, second) for first in above for second in below)
        for group, persona in _personas(task)
    ]
    drawn = list(orders(3, len(asked), f"{seed}:{name}"))
    width = len(str(len(asked)))
    for instruction in task.instructions:
        for number, ((group, persona, pair), order) in enumerate(zip(asked, drawn, strict=True)):
            options = (*pair, prompts.unknown)
            yield Item(
                item_id=f"{name}-{instruction.id}-{number + 1:0{width}d}",
                task=name,
                instruction=instruction.id,
                group=group,
                sentence=persona,
                options=tuple(options[at] for at in order),
                unknown=prompts.unknown,
            )


def _personas(task: Task) -> list[tuple[str, str]]:
    return [(group, persona) for group, texts in task.groups.items() for persona in texts]


def _refuse_unknown(ratio: Mapping[str, float], unknown: str) -> None:
    same = next((name for name in ratio if name.casefold() == unknown.casefold()), None)
    if same is not None:
        raise CurateError(
            f"occupation '{same}' reads like the unknown option",
            "ratios.csv, column occupation",
            "rename it, or write another unknown option in --prompts FILE",
        )
