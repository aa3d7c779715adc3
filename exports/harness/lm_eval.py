"""A task folder for the Language Model Evaluation Harness (lm-eval)."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from curation.files.atomic import atomic_text
from evaluation.qa.metrics import METRICS
from exports.harness.core import RATIO, SCORES
from exports.harness.program import program, source
from exports.harness.readme import write_about
from exports.harness.requests import Tasks, Written

_KINDS = {"gen": "generated", "mc": "chosen"}
"""By kind of task the function that reads a result."""
_GENERATED = (
    "output_type: generate_until",
    "doc_to_target: !function utils.letter",
    "generation_kwargs:",
    "  until: []",
    "  do_sample: {drawn}",
    "  temperature: {temperature}",
    "  max_gen_toks: 1024",
)
_CHOSEN = (
    "output_type: multiple_choice",
    "doc_to_target: right",
    "doc_to_choice: letters",
    'target_delimiter: " "',
)
_REPEATED = (
    "repeats: {epochs}",
    "filter_list:",
    "  - name: none",
    "    filter:",
    "      - function: take_first_k",
    "        k: {epochs}",
)
"""What is generated in several epochs: every reply counts, not the first alone."""


def write_folder(folder: Path, tasks: Tasks, written: Written) -> dict[str, int]:
    """Write what is beside the requests; the same tasks give the same bytes.

    Args:
        folder: The folder, with the requests in it.
        tasks: What it says of itself.
        written: What was written of the requests.

    Returns:
        Counts of samples, requests and tasks.

    Raises:
        CurateError: If a file cannot be written.
    """
    for kind in _KINDS:
        name = f"{tasks.name}_{kind}"
        shared = f"_shared_{kind}.yaml"
        _write_lines(folder / shared, _shared(kind, tasks))
        _write_lines(folder / f"{name}.yaml", (f"include: {shared}", f"task: {_text(name)}"))
        by_category = [f"{name}_{short}" for short in written.categories]
        for task, category in zip(by_category, written.categories.values(), strict=True):
            lines = (
                f"include: {shared}",
                f"task: {_text(task)}",
                f"dataset_kwargs: {{category: {_text(category)}}}",
            )
            _write_lines(folder / f"{task}.yaml", lines)
        group = f"{tasks.name}_by_category_{kind}"
        _write_lines(folder / f"{group}.yaml", _group(group, by_category))
    with atomic_text(folder / "utils.py") as stream:
        stream.write(program(source("exports.harness.in_lm_eval")))
    write_about(folder, "lm_eval", tasks, written)
    count = len(_KINDS) * (1 + len(written.categories))
    return {"samples": written.samples, "requests": written.requests, "tasks": count}


def _shared(kind: str, tasks: Tasks) -> Iterator[str]:
    """Yield what all tasks of a kind have in common."""
    yield "# What the tasks have in common: see README.md."
    yield "custom_dataset: !function utils.load"
    yield "test_split: test"
    yield "doc_to_text: message"
    several = tasks.epochs > 1
    lines = _CHOSEN if kind == "mc" else (*_GENERATED, *(_REPEATED if several else ()))
    told = {"drawn": "true" if several else "false", "temperature": 1.0 if several else 0.0}
    yield from (line.format(epochs=tasks.epochs, **told) for line in lines)
    yield "num_fewshot: 0"
    yield f"process_results: !function utils.{_KINDS[kind]}"
    yield "metric_list:"
    for name in SCORES:
        better = METRICS[name].higher if name != RATIO else False
        yield f"  - metric: {name}"
        yield f"    aggregation: !function utils.overall_{name}"
        yield f"    higher_is_better: {json.dumps(better)}"
    yield from _metadata(tasks)


def _group(name: str, by_category: Iterable[str]) -> Iterator[str]:
    """Yield the group of all categories, whose scores are the means of theirs."""
    yield f"group: {_text(name)}"
    yield "task:"
    yield from (f"  - {_text(task)}" for task in by_category)
    yield "aggregate_metric_list:"
    for metric in SCORES:
        yield f"  - metric: {metric}"
        yield "    aggregation: mean"
        yield "    weight_by_size: false"


def _metadata(tasks: Tasks) -> Iterator[str]:
    yield "metadata:"
    told = tasks.settings("lm_eval")
    for name in ("version", "set", "licence", "canary"):
        if told.get(name):
            write = _version if name == "version" else _text
            yield f"  {name}: {write(str(told[name]))}"


def _version(version: str) -> str:
    """Write a version as lm-eval's tasks do, as a number, where that is not another version."""
    number = re.fullmatch(r"(0|[1-9]\d*)\.(0|\d*[1-9])", version)
    return version if number else _text(version)


def _text(value: object) -> str:
    """Write a text as YAML reads it: JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with atomic_text(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)
