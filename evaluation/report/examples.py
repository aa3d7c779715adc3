"""Requests with every model's reply, drawn at random for readers of a report."""

import random
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from curation.model.sample import Sample
from evaluation.grid import Grid
from evaluation.metrics.cells import Answer, Context
from evaluation.models import ModelAnswers
from evaluation.orders import ORDERS
from evaluation.report.records import Example, Shown

_NAMES = {
    Answer.BIASED: "biased",
    Answer.COUNTER_BIASED: "counter-biased",
    Answer.UNKNOWN: "unknown",
    Answer.OUT_OF_CHOICE: "out of choice",
    Answer.MISSING: "missing",
}
_RIGHT = {
    Context.AMBIGUOUS: Answer.UNKNOWN,
    Context.BIASED: Answer.BIASED,
    Context.COUNTER_BIASED: Answer.COUNTER_BIASED,
}


def drawn_places(grid: Grid, count: int, seed: int) -> list[int]:
    """Draw requests, seeded; their places in the grid, in order."""
    there = np.flatnonzero(grid.asked.ravel())
    kept = min(count, len(there))
    return sorted(int(at) for at in random.Random(seed).sample(there.tolist(), kept))  # noqa: S311  # seeded


def examples(
    grid: Grid,
    places: Sequence[int],
    samples: Iterable[Sample],
    models: Sequence[ModelAnswers],
    replies: Mapping[tuple[str, str], str | None],
) -> list[Example]:
    """Put drawn requests beside what models replied.

    Args:
        grid: What was asked.
        places: Which requests.
        samples: The samples, for their texts; read once.
        models: What models answered.
        replies: By model and request the reply.
    """
    wanted = {grid.samples.ids[at // (len(grid.prompts) * 3)] for at in places}
    by_id = {item.sample_id: item for item in samples if item.sample_id in wanted}
    return [_example(grid, at, by_id, models, replies) for at in places]


def _example(
    grid: Grid,
    at: int,
    samples: Mapping[str, Sample],
    models: Sequence[ModelAnswers],
    replies: Mapping[tuple[str, str], str | None],
) -> Example:
    sample_at, prompt, order = (int(part) for part in np.unravel_index(at, grid.asked.shape))
    sample = samples[grid.samples.ids[sample_at]]
    name = grid.name(at)
    first, second, _ = sample.choices
    roles = tuple("biased" if text == sample.biased_answer else "counter-biased" for text in (first, second))
    pairs = ((first, roles[0]), (second, roles[1]), (grid.unknown[prompt], "unknown"))
    places = ORDERS[grid.orders][order]
    right = _RIGHT[Context(int(grid.samples.context[sample_at]))]
    return Example(
        request_id=name,
        category=sample.category,
        label=sample.label,
        context_type="ambiguous" if sample.context_type == "amb" else "disambiguated",
        context=sample.context,
        question=sample.question,
        choices=tuple(pairs[choice] for choice in places),
        replies=tuple(
            _shown(item, Answer(int(item.answers[sample_at, prompt, order])), right, replies.get((item.model, name)))
            for item in models
        ),
    )


def _shown(item: ModelAnswers, answer: Answer, right: Answer, reply: str | None) -> Shown:
    known = answer < Answer.OUT_OF_CHOICE
    return Shown(item.model, reply or "", _NAMES[answer], answer == right if known else None)


