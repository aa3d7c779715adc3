"""Published predictions: KoBBQ's evaluation TSV, and samples with what models answered beside them.

KoBBQ's file is of one prompt and model, with its column `prediction`. What another file's columns
are says a mapping: that of its layout, or one that is named.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from curation.files.jsonl import stream
from curation.files.tables import Row, list_literal, literal, read_table, refuse_problems
from curation.records.bank import SampleId
from curation.records.messages import CurateError, Finding, natural, refuse_unknown
from curation.records.sample import Sample
from curation.sources.published_samples import PublishedSample, is_unknown
from curation.sources.published_samples import read_published as published_samples
from curation.sources.roles import folded
from curation.sources.sample_mapping import (
    Predictions,
    SampleMapping,
    getter,
    place_of,
    read_mapping,
)
from evaluation.qa.answers import NO_TEXT, ModelAnswers, Parsed, Read, answers_of, missing_places
from evaluation.qa.prepare import Grid, gather
from evaluation.qa.samples import ORDER_OF_UNKNOWN, LeftOpen, Origins, converted
from evaluation.requests import ORDERS, Orders

_NEEDED = (
    *("sample_id", "label_annotation", "context", "question", "choices", "biased_answer"),
    *("answer", "prediction"),
)
_FILE = re.compile(r"_(?P<prompt>[0-9]+)_(?P<model>[^_].*)$")
_ORDERED = re.compile(r"(?P<sample>.+-(?:bsd|cnt))(?:-(?P<order>[012]))?")
PREDICTION_RULES = ("prediction", "out_of_choice")
"""What predictions are taken by: the choice that they name, or none."""
_QUESTION_ONLY = "qonly"
"""What names a model that was shown the question alone."""
_HINT = "name the file that KoBBQ's evaluation, step 4, writes"


class _Prediction(NamedTuple):
    model: str
    prompt: str
    sample: Sample
    order: int
    choice: int  # that was predicted, by its place as shown; -1 when it is none
    said: str


def read_published(
    paths: Sequence[Path],
    model: str | None = None,
    control: bool | None = None,
    mapping: SampleMapping | Path | None = None,
) -> Read:
    """Read predictions; a prediction that is none of the choices is out-of-choice.

    A file `..._{prompt}_{model}.tsv` names its prompt and model. Ids end in the number of the
    order, or, for samples asked in their own order alone, do not. Any other file is samples beside
    which a mapping names columns of predictions, as the known layouts do: in BBQ's each key with
    `_pred` in it is a model. Texts are compared without case, stops and spaces; any of the set's
    unknown expressions is the unknown choice, and a text that breaks off within a word of one
    choice is that choice. A name with `qonly` in it has predictions from the question alone, which
    cannot be right or wrong about a disambiguated context: they are scored on ambiguous ones.

    Args:
        paths: The files, of one kind.
        model: The model's name, in place of that in the files' names; of JSON lines the key, where
            there are several.
        control: Whether BBQ's samples are a control set; None to see by the file.
        mapping: Which columns say what, or the file that says it; None for a known layout.

    Raises:
        CurateError: If a file is no such table, a sample has two predictions of one prompt and
            model, or files differ in their samples or orders.
    """
    if isinstance(mapping, Path):
        mapping = read_mapping(mapping)
    findings: list[Finding] = []
    rows: list[_Prediction] = []
    prompts: dict[str, str] = {}
    orders: set[Orders] = set()
    layouts: set[str] = set()
    for path in paths:
        if mapping is None and _is_kobbqs(path):
            found, unknown, order = _of_table(path, model)
            prompts[found[0].prompt] = unknown
            layout = "kobbq"
        else:
            found, layout = _of_samples(path, model, control, mapping, findings)
            prompts, order = {"1": ""}, Orders.CYCLIC
        rows += found
        orders.add(order)
        layouts.add(layout)
    if len(layouts) > 1:
        told = " and ".join(sorted(layouts))
        what = f"predictions in different layouts are scored apart: {told}"
        raise CurateError(what, str(paths[0]), "name files of one kind")
    if len(orders) > 1:
        raise CurateError("the files show the choices in different orders", str(paths[0]), _HINT)
    samples: dict[str, Sample] = {}
    for row in rows:
        samples.setdefault(row.sample.sample_id, row.sample)
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
        raise CurateError(
            f"{row.sample.sample_id} occurs twice for prompt {row.prompt} of {row.model}",
            ", ".join(map(str, paths)),
            "name each file once, and keep one prediction of each sample",
        )
    asked = np.zeros(shape, np.bool_)
    asked.ravel()[frame["at"]] = True
    grid = Grid(
        samples=gathered,
        prompts=tuple(prompts),
        unknown=tuple(prompts.values()),
        letters=(("A", "B", "C"),) * len(prompts),
        orders=orders.pop(),
        asked=asked,
    )
    origins = Origins()
    samples = {item.sample_id: item for item in origins.through(samples.values())}
    models = tuple(
        _answers(grid, name, frame[frame["model"] == name]) for name in natural(set(frame["model"]))
    )
    return Read(
        grid,
        models,
        tuple(findings),
        texts=tuple(frame["said"].cat.categories),
        samples=samples,
        templates=tuple(origins.rows(layouts.pop(), {})),
    )


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


def _is_kobbqs(path: Path) -> bool:
    """Whether a file is one of KoBBQ's evaluation, whose ids say the order of the choices."""
    return path.suffix.lower() == ".tsv" or "sample_id" in stream(path, _HINT).names


def _of_samples(
    path: Path,
    model: str | None,
    control: bool | None,
    mapping: SampleMapping | None,
    findings: list[Finding],
) -> tuple[list[_Prediction], str]:
    """The predictions beside the samples of a file, and what their layout is called.

    Raises:
        CurateError: If the file says of no model what it answered, or not of the one that is asked
            for.
    """
    opened = published_samples(path, control=control, mapping=mapping)
    told = opened.mapping.predictions
    if told is None:
        raise _no_predictions(path, "its mapping names none")
    columns: list[str] = []
    left = LeftOpen()
    found: list[_Prediction] = []
    models: dict[str, None] = {}
    for item in opened.rows:
        if not columns:
            columns = told.columns_in([*item.record])
            if not columns:
                wanted = f"the layout {opened.layout} has them in {' or '.join(told.columns)}"
                raise _no_predictions(path, wanted)
            takes = {column: getter({*item.record}, column) for column in columns}
            of = getter({*item.record}, told.model) if told.model else None
        left.add(item)
        for column, take in takes.items():
            try:
                name = str(of(item.record)) if of else _model(column, told, path)
                value = take(item.record)
            except KeyError as error:
                where = f"{path}, line {item.row}"
                raise CurateError(f"it lacks {error.args[0]}", where, "complete the file") from None
            models.setdefault(name)
            if model not in (None, name) and (of or len(columns) > 1):
                continue
            if len(set(item.choices)) == 3 and not (
                _QUESTION_ONLY in name and item.context_type != "amb"
            ):
                at, said = _predicted(told, value, item, opened.mapping)
                order = ORDER_OF_UNKNOWN[item.choices.index(item.unknown)]
                found.append(_Prediction(model or name, "1", converted(item), order, at, said))
    if model and len(models) > 1:
        refuse_unknown("model", model, list(models))
    findings += left.findings(path, opened.may_be_control)
    return found, opened.layout


def _no_predictions(path: Path, why: str) -> CurateError:
    return CurateError(
        f"{path.name} holds no predictions: {why}",
        str(path),
        "write 'predictions' in a mapping ('curate import samples FILE --draft'), and name it with "
        "--mapping; replies of your own go in with --replies",
    )


def _model(column: str, told: Predictions, path: Path) -> str:
    """What a model is called: as its column where patterns find it, else as the file."""
    return path.stem if [*told.columns] == [column] else column


def _predicted(
    told: Predictions, value: object, item: PublishedSample, mapping: SampleMapping
) -> tuple[int, str]:
    """Which choice a cell names, by its place, -1 for none; and the cell."""
    said = "" if value is None else str(value)
    if told.kind == "text":
        return _named(said, item), said
    if told.kind == "scores":
        numbers = _numbers(value)
        best = [at for at, number in enumerate(numbers) if number == max(numbers)]
        return (best[0] if len(numbers) == 3 and len(best) == 1 else -1), said
    columns = mapping.choices if not isinstance(mapping.choices, str) else ()
    names = [folded(column.rpartition(".")[2]) for column in columns]
    at = place_of(told.kind, value, item.choices, names) if said else None
    return (-1 if at is None else at), said


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


def _of_table(path: Path, model: str | None) -> tuple[list[_Prediction], str, Orders]:
    """The predictions of a TSV file of KoBBQ, the unknown expression and the orders."""
    table = read_table(path, required=_NEEDED, delimiter="\t")
    refuse_problems(table)
    if not table.rows:
        raise CurateError(f"{path.name} holds no prediction", str(path), _HINT)
    lists = [_choices(row, path) for row in table.rows]
    unknown = _unknown(table.rows, lists, path)
    orders = _orders(table.rows, lists, unknown, path)
    named = _FILE.search(path.stem)
    name, prompt = (named["model"], named["prompt"]) if named else (path.stem, "1")
    rows = []
    for row, choices in zip(table.rows, lists, strict=True):
        try:
            rows.append(_prediction(row, choices, orders, (model or name, prompt)))
        except (CurateError, ValueError) as error:
            raise CurateError(str(error), f"{path}, row {row.number}", _HINT) from error
    return rows, unknown, orders


def _choices(row: Row, path: Path) -> list[str]:
    found = list_literal(row["choices"])
    if found is None or len(found) != 3 or len(set(found)) != 3:
        where = f"{path}, row {row.number}, column choices"
        raise CurateError("the cell is not a list of three different choices", where, _HINT)
    return found


def _unknown(rows: Sequence[Row], lists: Sequence[Sequence[str]], path: Path) -> str:
    """Tell the prompt's unknown expression: the answer in every ambiguous context."""
    answers = {row["answer"] for row in rows if "-amb-" in row["sample_id"]}
    common = set(lists[0]).intersection(*lists) & (answers or set(lists[0]))
    if len(common) != 1 or len(answers) > 1:
        raise CurateError(
            "the unknown expression cannot be found: it is not a choice of every row, or not the "
            "answer in every ambiguous context",
            f"{path}, columns choices and answer",
            _HINT,
        )
    return common.pop()


def _orders(
    rows: Sequence[Row], lists: Sequence[Sequence[str]], unknown: str, path: Path
) -> Orders:
    """Tell the orders by where the unknown expression, the third choice, stands."""
    seen = {
        (int(_ordered(row)["order"] or 0), choices.index(unknown))
        for row, choices in zip(rows, lists, strict=True)
    }
    fitting = [
        kind for kind, orders in ORDERS.items() if all(orders[at].index(2) == n for at, n in seen)
    ]
    if not fitting:
        raise CurateError(
            "the choices are in none of the known orders", f"{path}, column choices", _HINT
        )
    return fitting[0]


def _ordered(row: Row) -> re.Match[str]:
    found = _ORDERED.fullmatch(row["sample_id"])
    if found is None:
        raise CurateError(
            f"'{row['sample_id']}' is not the id of a sample", f"row {row.number}", _HINT
        )
    return found


def _prediction(
    row: Row, choices: Sequence[str], orders: Orders, of: tuple[str, str]
) -> _Prediction:
    found = _ordered(row)
    order = int(found["order"] or 0)
    own = dict(zip(ORDERS[orders][order], choices, strict=True))
    known = SampleId.parse(found["sample"])
    if row["biased_answer"] not in (own[0], own[1]):
        raise ValueError("biased_answer is not one of the two people")
    said = row["prediction"]
    sample = Sample(
        sample_id=found["sample"],
        template_id=str(known.variant.template),
        variant=known.variant.letter.value,
        category=str(known.variant.template.category),
        label=row["label_annotation"],
        stereotype="",
        context=row["context"],
        question=row["question"],
        context_type=known.context_type.value,
        question_type=known.question_type.value,
        choices=(own[0], own[1], ""),
        biased_answer=row["biased_answer"],
        answer="",
        n1_group="",
        n2_group="",
        source_id=row.get("bbq_id"),
        source_category=row.get("bbq_category"),
    )
    return _Prediction(*of, sample, order, choices.index(said) if said in choices else -1, said)
