"""Published predictions: what models answered, beside the samples or in a table of their ids.

What the columns of a file are says a mapping: that of its layout, or one that is named.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from curation.files.jsonl import Record, stream
from curation.files.tables import literal
from curation.languages import Language
from curation.records.messages import CurateError, Finding, finding, natural, refusal
from curation.records.sample import Sample
from curation.sources import sample_mapping
from curation.sources.published_samples import PublishedSample, PublishedSamples, is_unknown
from curation.sources.published_samples import read_published as opened_samples
from curation.sources.roles import folded
from evaluation.parsing.verdicts import read_reply
from evaluation.qa.answers import NO_TEXT, ModelAnswers, Parsed, Read, answers_of, missing_places
from evaluation.qa.prepare import Grid, gather
from evaluation.qa.samples import LeftOpen, converted, template_rows
from evaluation.requests import ORDERS, Orders

PREDICTION_RULES = ("prediction", "out_of_choice")
"""What predictions are taken by: the choice that they name, or none."""
_NUMBERED = {
    order: (kind, number) for kind, orders in ORDERS.items() for number, order in enumerate(orders)
}
_QUESTION_ONLY = "qonly"
"""What names a model that was shown the question alone."""
_HIGHEST = "highest"
_NONE = "predictions-none"
_NAMELESS = "its mapping does not say how predictions name a sample"
_HINT = "name a table, JSON or Parquet file of predictions"


class _Prediction(NamedTuple):
    model: str
    prompt: str
    sample: Sample
    order: int
    choice: int  # that was predicted, by its place as shown; -1 when it is none
    said: str


_ByName = dict[tuple[str, ...], PublishedSample]
"""Samples by the columns that name them, with what these have."""


def read_published(
    paths: Sequence[Path],
    mapping: sample_mapping.SampleMapping | Path | None = None,
    *,
    samples: Sequence[Path] = (),
    own: Language | None = None,
) -> Read:
    """Read predictions; a prediction that is none of the choices is out-of-choice.

    A file has samples, beside which a mapping names columns of predictions, as the known layouts
    do: in BBQ's each key with `_pred` in it is a model, in KoBBQ's evaluation the file's name has
    prompt and model. Or its rows name samples of other files. Texts are compared without case,
    stops and spaces; any of the set's unknown expressions is the unknown choice, and a text that
    breaks off within a word of one choice is that choice. A name with `qonly` in it has predictions
    from the question alone, which cannot be right or wrong about a disambiguated context: they are
    scored on ambiguous ones.

    Args:
        paths: The files, of one kind.
        mapping: Which columns say what, or the file that says it; None for a known layout.
        samples: The samples, where the files name them alone.
        own: The language in whose words replies are read.

    Raises:
        CurateError: If a file is no such table, a sample has two predictions of one prompt and
            model, or files differ in their samples or orders.
    """
    if isinstance(mapping, Path):
        mapping = sample_mapping.read_mapping(mapping)
    findings: list[Finding] = []
    rows: list[_Prediction] = []
    orders: set[Orders] = set()
    layouts: set[str] = set()
    shared, named = _named_samples(samples, mapping, findings)
    for path in paths:
        if named is None and mapping is None:
            _refuse_alone(path)
        opened = shared or opened_samples(path, mapping=mapping, predicted=True)
        found = _of_file(path, opened, named, own, findings)
        rows += [row for row, _ in found]
        orders |= {kind for _, kind in found}
        layouts.add(opened.mapping.samples_in or opened.layout)
    if len(layouts) > 1:
        told = " and ".join(sorted(layouts))
        raise refusal("evaluation", "predictions-layouts", str(paths[0]), told=told)
    if len(orders) > 1:
        raise refusal("evaluation", "predictions-orders", str(paths[0]))
    rows, prompts = _by_prompt(rows)
    samples_of: dict[str, Sample] = {}
    for row in rows:
        samples_of.setdefault(row.sample.sample_id, row.sample)
    bare = dict.fromkeys(row.sample._replace(context="", question="") for row in rows)
    gathered = gather(bare)
    index = {name: at for at, name in enumerate(gathered.ids)}
    number = {name: at for at, name in enumerate(prompts)}
    shape = (len(index), len(prompts), 3)
    where = np.array(
        [(index[row.sample.sample_id], number[row.prompt], row.order) for row in rows], np.int64
    ).reshape(-1, 3)
    frame = pd.DataFrame(
        {
            "model": [row.model for row in rows],
            "at": np.ravel_multi_index(tuple(where.T), shape),
            "said": pd.Categorical([row.said for row in rows]),
            "choice": np.array([row.choice for row in rows], np.int8),
        }
    )
    doubled = np.flatnonzero(frame.duplicated(["model", "at"]))
    if len(doubled):
        row = rows[int(doubled[0])]
        words = {"id": row.sample.sample_id, "prompt": row.prompt, "model": row.model}
        raise refusal("evaluation", "prediction-twice", ", ".join(map(str, paths)), **words)
    asked = np.zeros(shape, np.bool_)
    asked.ravel()[frame["at"]] = True
    grid = Grid(
        samples=gathered,
        prompts=tuple(prompts),
        unknown=tuple(prompts.values()),
        letters=(("A", "B", "C"),) * len(prompts),
        orders=orders.pop() if orders else Orders.CYCLIC,
        asked=asked,
    )
    models = tuple(
        _answers(grid, name, frame[frame["model"] == name]) for name in natural(set(frame["model"]))
    )
    return Read(
        grid,
        models,
        tuple(findings),
        texts=tuple(frame["said"].cat.categories),
        samples=samples_of,
        templates=tuple(template_rows(gathered.told, layouts.pop(), {})),
    )


def _by_prompt(rows: list[_Prediction]) -> tuple[list[_Prediction], dict[str, str]]:
    """The rows, and by prompt its unknown expression, where it is the prompt's: ids say so.

    Raises:
        CurateError: If a prompt has several of them.
    """
    prompts: dict[str, str] = {}
    of_prompt = all(row.sample.variant for row in rows)
    for row in rows:
        unknown = row.sample.choices[2] if of_prompt else ""
        if prompts.setdefault(row.prompt, unknown) != unknown:
            what = f"prompt {row.prompt} calls unknown {prompts[row.prompt]} and {unknown}"
            raise CurateError(what, row.sample.sample_id, "name the files of one prompt together")
    if not of_prompt:
        return rows, prompts
    bare = (row.sample._replace(choices=(*row.sample.choices[:2], "")) for row in rows)
    return [row._replace(sample=sample) for row, sample in zip(rows, bare, strict=True)], prompts


def _answers(grid: Grid, model: str, own: pd.DataFrame) -> ModelAnswers:
    """What a model answered: a row for each prediction.

    Args:
        grid: What models were asked; of one that was shown the question alone that is no more than
            it answered.
        model: The model.
        own: Places in the grid (`at`), what was said (`said`, as categories) and which choice as
            shown that is (`choice`, -1 for none).
    """
    at, choice = own["at"].to_numpy(np.int64), own["choice"].to_numpy(np.int8)
    answers = answers_of(grid, at, choice)
    texts = np.full(grid.size, NO_TEXT, np.int32)
    rules = np.zeros(grid.size, np.uint8)
    texts[at], rules[at] = own["said"].cat.codes, choice < 0
    none = int((choice < 0).sum())
    missing = missing_places(grid, answers)
    return ModelAnswers(
        model=model,
        answers=answers,
        missing=missing[:0] if _QUESTION_ONLY in model else missing,
        rules=dict(zip(PREDICTION_RULES, (len(choice) - none, none), strict=True)),
        unknown=(),
        failed=0,
        parsed=Parsed(texts, rules, PREDICTION_RULES),
    )


def _named_samples(
    paths: Sequence[Path],
    mapping: sample_mapping.SampleMapping | None,
    findings: list[Finding],
) -> tuple[PublishedSamples | None, _ByName | None]:
    """The samples of files, by what predictions name them; None where there are no files.

    Raises:
        CurateError: If their mapping has no such predictions, or two samples have one name.
    """
    opened: PublishedSamples | None = None
    by_name: _ByName = {}
    for path in paths:
        opened = opened_samples(path, mapping=mapping)
        told = [item.sample for item in opened.mapping.predictions if item.sample]
        if not told:
            raise refusal("evaluation", _NONE, path, why=_NAMELESS)
        left = LeftOpen()
        for item in opened.rows:
            left.add(item)
            for columns in told:
                key = _key(item.record, [*columns])
                if by_name.setdefault((*columns, *key), item) is not item:
                    what = f"two samples have {', '.join(columns)} {', '.join(key)}"
                    raise CurateError(what, f"{path}, {item.row}", "name each sample once")
        findings += left.findings(path, opened.may_be_control)
    return opened, by_name if paths else None


def _refuse_alone(path: Path) -> None:
    """Refuse predictions that name samples of another file, without that.

    Raises:
        CurateError: If they do.
    """
    names = {*stream(path, _HINT).names}
    for layout in sample_mapping.known_mappings():
        for item in layout.predictions:
            if item.sample and names.issuperset(item.sample.values()):
                raise refusal("evaluation", "predictions-alone", path, layout=layout.name)


def _key(record: Record, columns: Sequence[str]) -> tuple[str, ...]:
    names = {*record}
    return tuple(
        str(sample_mapping.getter(names, one)(record)).removesuffix(".0") for one in columns
    )


def _predictions_in(
    path: Path, names: Sequence[str], opened: PublishedSamples, *, is_named: bool
) -> tuple[sample_mapping.Predictions, list[str]]:
    """What a file says of models, and the columns in which it does.

    Raises:
        CurateError: If it says nothing.
    """
    told = [item for item in opened.mapping.predictions if bool(item.sample) == is_named]
    for item in told:
        columns = item.columns_in(names)
        if columns and (item.kind != _HIGHEST or len(columns) == 3):
            return item, columns
    wanted = " or ".join(" and ".join(item.columns) for item in told)
    said = f"the layout {opened.layout} has them in {wanted}" if told else "its mapping names none"
    raise refusal("evaluation", _NONE, path, why=said)


def _rows(
    path: Path,
    opened: PublishedSamples,
    named: _ByName | None,
    told: sample_mapping.Predictions,
    findings: list[Finding],
) -> Iterator[tuple[int, Record, PublishedSample]]:
    """Yield the rows of a file with the sample of each; those without one are a finding."""
    if named is None:
        left = LeftOpen()
        for item in opened.rows:
            left.add(item)
            yield item.row, item.record, item
        findings += left.findings(path, opened.may_be_control)
        return
    without: list[int] = []
    count = 0
    for number, record in stream(path, _HINT).rows:
        count += 1
        found = named.get((*told.sample, *_key(record, [*told.sample.values()])))
        if found is None:
            without.append(number)
        else:
            yield number, record, found
    if count == len(without):
        raise refusal("evaluation", _NONE, path, why="it names none of the samples")
    if without:
        key, number = "evaluate-other-samples", len(without)
        told_of = finding("evaluation", key, str(path), count=number, every=count)
        findings.append(replace(told_of, row=without[0]))


def _of_file(
    path: Path,
    opened: PublishedSamples,
    named: _ByName | None,
    own: Language | None,
    findings: list[Finding],
) -> list[tuple[_Prediction, Orders]]:
    """The predictions of a file, each with the orders that its choices are shown in.

    Raises:
        CurateError: If the file says of no model what it answered.
    """
    names = stream(path, _HINT).names
    told, columns = _predictions_in(path, names, opened, is_named=named is not None)
    takes = {
        column: sample_mapping.getter({*names}, column)
        for column in (*columns, told.model, told.prompt, told.texts)
        if column
    }
    by_file = re.search(told.file or "$", path.stem)
    of_file = by_file.groupdict() if by_file else {}
    cells = [columns] if told.kind == _HIGHEST else [[column] for column in columns]
    found: list[tuple[_Prediction, Orders]] = []
    for number, record, item in _rows(path, opened, named, told, findings):
        try:
            prompt = str(takes[told.prompt](record)) if told.prompt else of_file.get("prompt", "1")
            for own_columns in cells:
                name = str(takes[told.model](record)) if told.model else of_file.get("model")
                name = name or _model(own_columns, told, path)
                values = [takes[column](record) for column in own_columns]
                if told.texts:
                    values = [_best(values[0], takes[told.texts](record))]
                if len(set(item.choices)) < 3 or (
                    _QUESTION_ONLY in name and item.context_type != "amb"
                ):
                    continue
                at, said = _predicted(told, values, item, opened.mapping, own)
                sample, kind, order = _as_shown(item)
                row = _Prediction(name, prompt, sample, order, at, said)
                found.append((row, kind))
        except KeyError as error:
            where = f"{path}, line {number}"
            raise CurateError(f"it lacks {error.args[0]}", where, "complete the file") from None
    return found


def _as_shown(item: PublishedSample) -> tuple[Sample, Orders, int]:
    """A sample as it was asked, and by which orders and which of them.

    Where an id says the variant, the first choice is the answer of the biased question, and the
    order is that of the published choices. Else a cyclic order is made of them.
    """
    sample = converted(item)
    first, second, unknown = sample.choices
    if item.variant and item.biased_answer:
        is_first = (item.variant in "bd") == (item.question_type == "bsd")
        if (first == item.biased_answer) != is_first:
            first, second = second, first
        sample = sample._replace(choices=(first, second, unknown), answer="")
    places = [sample.choices.index(text) for text in item.choices]
    return sample, *_NUMBERED[places[0], places[1], places[2]]


def _model(columns: Sequence[str], told: sample_mapping.Predictions, path: Path) -> str:
    """What a model is called: as its column where patterns find it, else as the file."""
    is_file = told.kind == _HIGHEST or [*told.columns] == [*columns]
    return path.stem if is_file else columns[0]


def _predicted(
    told: sample_mapping.Predictions,
    values: Sequence[object],
    item: PublishedSample,
    mapping: sample_mapping.SampleMapping,
    own: Language | None,
) -> tuple[int, str]:
    """Which choice cells name, by its place, -1 for none; and the cells."""
    value = values[0] if len(values) == 1 else [*values]
    said = "" if value is None else str(value)
    if told.kind == "text" or told.texts:
        return _named(said, item), said
    if told.kind == "reply":
        chosen = read_reply(said, item.choices, own=own).chosen or ()
        return next(iter(chosen)) if len(chosen) == 1 else -1, said
    if told.kind in ("scores", _HIGHEST):
        best = _best(value, (0, 1, 2))
        return (-1 if best is None else best), said
    columns = mapping.choices if not isinstance(mapping.choices, str) else ()
    names = [folded(column.rpartition(".")[2]) for column in columns]
    at = sample_mapping.place_of(told.kind, value, item.choices, names) if said else None
    return (-1 if at is None else at), said


def _best(value: object, of: object) -> Any:
    """That of a list which has the highest of the scores in a cell; None where not one has."""
    numbers, items = _numbers(value), _list(of)
    best = [at for at, number in enumerate(numbers) if number == max(numbers)]
    return items[best[0]] if len(numbers) == len(items) and len(best) == 1 else None


def _numbers(value: object) -> list[float]:
    """The numbers of a list, which may be written as text, the first of each item's; or none."""
    items = literal(value) if isinstance(value, str) else value
    firsts = [item[0] if isinstance(item, list | tuple) and item else item for item in _list(items)]
    try:
        return [float(str(item)) for item in firsts]
    except ValueError:
        return []


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _named(said: str, item: PublishedSample) -> int:
    """The choice that a text names: with its words, as unknown, or broken off; -1 for none."""
    plain = [_plain(text) for text in item.choices]
    same = [at for at, text in enumerate(plain) if text == _plain(said)]
    if not same and is_unknown(said):  # another of the set's expressions than the sample's
        same = [item.choices.index(item.unknown)]
    if not same:
        same = [at for at, text in enumerate(plain) if _breaks_off(_plain(said), text)]
    return same[0] if len(same) == 1 else -1


def _breaks_off(said: str, text: str) -> bool:
    """Whether a text begins as another and ends within one of its words: `a coa` of `a coat`.

    BBQ's script completes such a word, too.
    """
    rest = text.removeprefix(said)
    return said[-1:].isalpha() and rest[:1].isalpha() and text.startswith(said)


def _plain(text: str) -> str:
    return text.strip().strip(".").strip().casefold()
