"""Requests with every model's reply, drawn at random for readers of a report."""

import random
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from curation.files.pages import visible
from curation.records.sample import Sample
from evaluation.qa.answers import Filled, ModelAnswers
from evaluation.qa.grid import Grid, reference_of
from evaluation.qa.metrics import Answer, Context
from evaluation.qa.published import Published
from evaluation.replies.files import ReplyTable
from evaluation.replies.readings import OUT_OF_CHOICE, Mode, read_many
from evaluation.replies.second import SECOND
from evaluation.replies.unparsed import PERSON
from evaluation.reporting.records import Choice, Example, Shown
from evaluation.requests import ORDERS

ANSWERS = {
    Answer.BIASED: "biased",
    Answer.COUNTER_BIASED: "counter-biased",
    Answer.UNKNOWN: "unknown",
    Answer.OUT_OF_CHOICE: "out of choice",
    Answer.MISSING: "missing",
}
"""What is read from a reply, in words."""
_PERSON = "person"
"""What either person is called where the sample leaves open who is the target."""
_RIGHT = {
    Context.AMBIGUOUS: Answer.UNKNOWN,
    Context.BIASED: Answer.BIASED,
    Context.COUNTER_BIASED: Answer.COUNTER_BIASED,
    Context.OPEN_AMBIGUOUS: Answer.UNKNOWN,
    Context.OPEN_DISAMBIGUATED: Answer.BIASED,
}
_NOBODY: Filled = {}
Replies = Mapping[tuple[str, str], tuple[str, str]]
"""By model and request the reply, and the rule that it was read by."""


def drawn_places(grid: Grid, count: int, seed: int) -> list[int]:
    """Draw requests, seeded; their places in the grid, in order."""
    there = np.flatnonzero(grid.asked.ravel())
    kept = min(count, len(there))
    return sorted(int(at) for at in random.Random(seed).sample(there.tolist(), kept))  # noqa: S311  # seeded


def replies_to(
    grid: Grid,
    places: Sequence[int],
    found: ReplyTable | Published,
    mode: Mode,
    filled: Filled,
    second: Filled = _NOBODY,
) -> Replies:
    """The replies to some requests, each with the rule that it was read by.

    Args:
        grid: What was asked.
        places: Which requests.
        found: What models replied.
        mode: How it was read.
        filled: What a person read.
        second: What a second reader named, of replies that no rule could read.
    """
    wanted = {grid.name(at): at for at in places}
    if isinstance(found, Published):
        return _predicted(found, wanted)
    frame = found.frame
    frame = frame[frame["request_id"].isin(wanted) & frame["reply"].notna()]
    names = frame["request_id"].tolist()
    lists = grid.lists(np.array([wanted[name] for name in names], np.int64))
    texts = frame["reply"].tolist()
    read = read_many(texts, lists, grid.choice_lists(), grid.choice_labels(), mode, grid.own)
    columns = frame["model"].tolist(), names, texts, read.rules.tolist(), read.positions.tolist()
    shown: dict[tuple[str, str], tuple[str, str]] = {}
    for model, name, reply, rule, position in zip(*columns, strict=True):
        key = model, name
        by_second = SECOND if key in second and position == OUT_OF_CHOICE else read.names[rule]
        shown[key] = reply, PERSON if key in filled else by_second
    return shown


def _predicted(found: Published, wanted: Collection[str]) -> Replies:
    return {
        (model, name): (said, "prediction")
        for (model, name), said in found.predictions().items()
        if name in wanted
    }


def examples(
    grid: Grid,
    places: Sequence[int],
    samples: Mapping[str, Sample],
    models: Sequence[ModelAnswers],
    replies: Replies,
) -> list[Example]:
    """Put requests beside what models replied.

    Args:
        grid: What was asked.
        places: Which requests.
        samples: The samples with their texts, by id.
        models: What models answered.
        replies: What they replied, by model and request.
    """
    return [_example(grid, at, samples, models, replies) for at in places]


def _example(
    grid: Grid,
    at: int,
    samples: Mapping[str, Sample],
    models: Sequence[ModelAnswers],
    replies: Replies,
) -> Example:
    sample_at, prompt, place = (int(part) for part in np.unravel_index(at, grid.asked.shape))
    order = place % 3
    sample = samples[grid.samples.ids[sample_at]]
    name = grid.name(at)
    right = _RIGHT[Context(int(grid.samples.context[sample_at]))]
    return Example(
        request_id=name,
        category=sample.category,
        label=sample.label,
        context_type="ambiguous" if sample.context_type == "amb" else "disambiguated",
        prompt=grid.prompts[prompt],
        order=order,
        context=visible(sample.context),
        question=visible(sample.question),
        choices=_choices(grid, sample, prompt, order, right),
        replies=tuple(
            _shown(
                item.model,
                Answer(int(item.answers[sample_at, prompt, place])),
                right,
                replies.get((item.model, name)),
                is_open=not sample.biased_answer,
            )
            for item in models
        ),
    )


def _called(answer: Answer, *, is_open: bool) -> str:
    return _PERSON if is_open and answer < Answer.UNKNOWN else ANSWERS[answer]


def _choices(
    grid: Grid, sample: Sample, prompt: int, order: int, right: Answer
) -> tuple[Choice, ...]:
    """The choices in the order in which they were shown, with what they stand for."""
    is_open = not sample.biased_answer
    answers = [Answer.COUNTER_BIASED, Answer.COUNTER_BIASED, Answer.UNKNOWN]
    answers[reference_of(sample)] = Answer.BIASED
    texts = (*sample.choices[:2], grid.unknown[prompt] or sample.choices[2])
    return tuple(
        Choice(
            letter,
            visible(texts[place]),
            _called(answers[place], is_open=is_open),
            answers[place] == right,
        )
        for letter, place in zip(grid.letters[prompt], ORDERS[grid.orders][order], strict=True)
    )


def _shown(
    model: str, answer: Answer, right: Answer, found: tuple[str, str] | None, *, is_open: bool
) -> Shown:
    reply, rule = found or (None, "")
    correct = answer == right if answer < Answer.OUT_OF_CHOICE else None
    text = None if reply is None else visible(reply)
    return Shown(model, text, _called(answer, is_open=is_open), rule, correct)
