"""Published predictions: KoBBQ's evaluation TSV, and JSON lines of BBQ with what UnifiedQA said.

KoBBQ's file is of one prompt and model, with its column `prediction`. BBQ's has its samples with a
key for each model and format of the question (`unifiedqa-t5-11b_pred_arc`); each is a model here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from curation.files.tables import Row, list_literal, read_table, refuse_problems
from curation.records.errors import CurateError, refuse_unknown
from curation.records.findings import Finding
from curation.records.ids import SampleId
from curation.records.sample import Sample
from curation.sources.published_samples import PublishedSample, PublishedSamples, is_unknown
from curation.sources.published_samples import read_published as published_samples
from evaluation.qa.answers import Answers, Parsed, answers_of
from evaluation.qa.grid import Grid, Samples, gather
from evaluation.qa.metrics import Answer
from evaluation.qa.prepare import request_id
from evaluation.qa.samples import ORDER_OF_UNKNOWN, LeftOpen, converted
from evaluation.qa.score import Row as ScoreRow
from evaluation.qa.sources import Origins
from evaluation.requests import ORDERS, Orders

_NEEDED = (
    *("sample_id", "label_annotation", "context", "question", "choices", "biased_answer"),
    *("answer", "prediction"),
)
_FILE = re.compile(r"_(?P<prompt>[0-9]+)_(?P<model>[^_].*)$")
_ORDERED = re.compile(r"(?P<sample>.+-(?:bsd|cnt))(?:-(?P<order>[012]))?")
PREDICTION_RULES = ("prediction", "out_of_choice")
"""What predictions are taken by: the choice that they name, or none."""
QUESTION_ONLY = "qonly"
"""What names a model that was shown the question alone."""
_HINT = "name the file that KoBBQ's evaluation, step 4, writes"


@dataclass(frozen=True, slots=True)
class Published:
    """Predictions of some files.

    Attributes:
        grid: What the models were asked.
        answers: By model its answers.
        files: The files, row by row.
        findings: Samples that are left out, or leave open who is the target.
        layout: `kobbq` or `bbq`.
    """

    grid: Grid
    answers: Mapping[str, Answers]
    files: "tuple[_File, ...]"
    findings: tuple[Finding, ...] = ()
    layout: str = "kobbq"

    def samples(self) -> dict[str, Sample]:
        """The samples with their texts, by id."""
        found: dict[str, Sample] = {}
        for row in (row for item in self.files for row in item.rows):
            whole = row.sample._replace(context=row.context, question=row.question)
            found.setdefault(whole.sample_id, whole)
        return found

    def templates(self) -> Iterator[ScoreRow]:
        """What the templates come from, with the columns of `sources.TEMPLATE_COLUMNS`."""
        origins = Origins()
        for _ in origins.through(row.sample for item in self.files for row in item.rows):
            pass
        return origins.rows(self.layout, {})

    def asked(self, model: str) -> npt.NDArray[np.bool_]:
        """Which requests of the grid a model was asked; from the question alone no other."""
        if not any(item.question_only for item in self.files if item.model == model):
            return self.grid.asked
        given: npt.NDArray[np.bool_] = self.answers[model] != Answer.MISSING
        return self.grid.asked & given

    def texts(self) -> tuple[str, ...]:
        """The distinct predictions, in alphabetical order."""
        return tuple(sorted({row.said for item in self.files for row in item.rows}))

    def parsed(self, model: str) -> Parsed:
        """How each prediction of a model was taken, in columns; texts are those of `texts`."""
        codes = {text: at for at, text in enumerate(self.texts())}
        index = {name: at for at, name in enumerate(self.grid.samples.ids)}
        _, prompts, orders = self.grid.asked.shape
        places, texts, rules = [], [], []
        for item in (item for item in self.files if item.model == model):
            prompt = self.grid.prompts.index(item.prompt)
            for row in item.rows:
                place = index[row.sample.sample_id] * prompts + prompt
                places.append(place * orders + row.order)
                texts.append(codes[row.said])
                rules.append(int(row.place < 0))
        return Parsed(
            places=np.array(places, np.int64),
            texts=np.array(texts, np.int32),
            errors=np.full(len(places), -1, np.int32),
            rules=np.array(rules, np.uint8),
            names=PREDICTION_RULES,
        )

    def predictions(self) -> dict[tuple[str, str], str]:
        """What each model predicted, by model and request."""
        return {
            (item.model, request_id(row.sample.sample_id, row.order, item.prompt)): row.said
            for item in self.files
            for row in item.rows
        }


@dataclass(frozen=True, slots=True)
class _Prediction:
    sample: Sample
    order: int
    place: int  # of the choice that was predicted; -1 when it is none
    said: str
    context: str
    question: str


@dataclass(frozen=True, slots=True)
class _File:
    model: str
    prompt: str
    unknown: str
    orders: Orders
    rows: tuple[_Prediction, ...]
    question_only: bool = False


def read_published(
    paths: Sequence[Path], model: str | None = None, control: bool | None = None
) -> Published:
    """Read predictions; a prediction that is none of the choices is out-of-choice.

    A file `..._{prompt}_{model}.tsv` names its prompt and model. Ids end in the number of the
    order, or, for samples asked in their own order alone, do not. Of JSON lines of BBQ each key
    with `_pred` in it holds a model's predictions, compared without case, stops and spaces
    around; any of the set's unknown expressions is the unknown choice, and a text that breaks off
    within a word of one choice is that choice. A key with `qonly` in it holds predictions from the
    question alone, which cannot be right or wrong about a disambiguated context: they are scored
    on ambiguous ones.

    Args:
        paths: The files, of one kind.
        model: The model's name, in place of that in the files' names; of JSON lines the key, where
            there are several.
        control: Whether BBQ's samples are a control set; None to see by the file.

    Raises:
        CurateError: If a file is no such table, two files are of one prompt and model, or files
            differ in their samples or orders.
    """
    lines = [path.suffix.lower() == ".jsonl" for path in paths]
    if any(lines) and not all(lines):
        raise CurateError(
            "predictions of KoBBQ and of BBQ are scored apart", str(paths[0]), "name one kind"
        )
    findings: list[Finding] = []
    if all(lines):
        files, of = _read_lines(paths, model, control, findings)
    else:
        files, of = [_read(path, model) for path in paths], list(paths)
    first = files[0]
    samples = gather(dict.fromkeys(row.sample for item in files for row in item.rows))
    if len({item.orders for item in files}) > 1:
        raise CurateError("the files show the choices in different orders", str(paths[0]), _HINT)
    prompts = {item.prompt: item.unknown for item in files}
    grid = _grid(samples, prompts, first.orders, files)
    answers: dict[str, Answers] = {}
    for path, item in zip(of, files, strict=True):
        found = _answers(grid, item)
        known = answers.get(item.model)
        if known is None:
            answers[item.model] = found
        elif ((known < 4) & (found < 4)).any():
            raise CurateError(
                f"prompt {item.prompt} of {item.model} occurs twice", str(path), "name it once"
            )
        else:
            answers[item.model] = np.minimum(known, found)
    layout = "bbq" if all(lines) else "kobbq"
    return Published(grid, answers, tuple(files), tuple(findings), layout)


def _read_lines(
    paths: Sequence[Path], model: str | None, control: bool | None, findings: list[Finding]
) -> tuple[list["_File"], list[Path]]:
    """Read JSON lines of BBQ with predictions: one file of predictions for each key."""
    found: dict[tuple[str, Path, str], list[_Prediction]] = {}
    for path in paths:
        keys: list[str] = []
        left = LeftOpen()
        opened = _samples_beside(path, control)
        for item in opened.rows:
            if not keys:
                keys = _keys(item, path, model)
            left.add(item)
            if len(set(item.choices)) == 3:
                for key in keys:
                    if QUESTION_ONLY in key and item.context_type == "dis":
                        continue
                    name = model if model and len(keys) == 1 else key
                    said = _said(item, key, path)
                    found.setdefault((name, path, key), []).append(_of_line(item, said))
        findings += left.findings(path, opened.may_be_control)
    files = [
        _File(
            model=name,
            prompt="1",
            unknown="",
            orders=Orders.CYCLIC,
            rows=tuple(rows),
            question_only=QUESTION_ONLY in key,
        )
        for (name, _, key), rows in found.items()
    ]
    return files, [path for _, path, _ in found]


def _samples_beside(path: Path, control: bool | None) -> PublishedSamples:
    """The samples beside predictions.

    Raises:
        CurateError: If they have no layout of BBQ's.
    """
    published = published_samples(path, control=control)
    if published.layout != "bbq":
        raise CurateError(
            f"the predictions have the layout of {published.layout}, not of BBQ",
            str(path),
            "name BBQ's JSON lines with predictions; replies of your own go in with --replies",
        )
    return published


def _keys(item: PublishedSample, path: Path, model: str | None) -> list[str]:
    """The keys that hold predictions, or the one that was asked for."""
    keys = [key for key in item.record if "_pred" in key]
    if not keys:
        raise CurateError(
            f"{path.name} holds no predictions",
            f"{path}, line {item.row}",
            "a key with '_pred' in its name holds those of a model",
        )
    if model is None or len(keys) == 1:
        return keys
    refuse_unknown("model", model, keys)
    return [model]


def _said(item: PublishedSample, key: str, path: Path) -> str:
    if key not in item.record:
        raise CurateError(f"it lacks {key}", f"{path}, line {item.row}", "complete the file")
    return str(item.record[key] or "")


def _of_line(item: PublishedSample, said: str) -> "_Prediction":
    sample = converted(item)
    order = ORDER_OF_UNKNOWN[item.choices.index(item.unknown)]
    plain = [_plain(text) for text in item.choices]
    same = [at for at, text in enumerate(plain) if text == _plain(said)]
    if not same and is_unknown(said):  # another of the set's expressions than the sample's
        same = [item.choices.index(item.unknown)]
    if not same:
        same = [at for at, text in enumerate(plain) if _breaks_off(_plain(said), text)]
    return _Prediction(
        sample=sample._replace(context="", question=""),
        order=order,
        place=same[0] if len(same) == 1 else -1,
        said=said,
        context=item.context,
        question=item.question,
    )


def _breaks_off(said: str, text: str) -> bool:
    """Whether a text begins as another and ends within one of its words: `a coa` of `a coat`.

    BBQ's script completes such a word, too.
    """
    rest = text.removeprefix(said)
    return said[-1:].isalpha() and rest[:1].isalpha() and text.startswith(said)


def _plain(text: str) -> str:
    return text.strip().strip(".").strip().casefold()


def _read(path: Path, model: str | None) -> _File:
    table = read_table(path, required=_NEEDED, delimiter="\t")
    refuse_problems(table)
    if not table.rows:
        raise CurateError(f"{path.name} holds no prediction", str(path), _HINT)
    lists = [_choices(row, path) for row in table.rows]
    unknown = _unknown(table.rows, lists, path)
    orders = _orders(table.rows, lists, unknown, path)
    rows = []
    for row, choices in zip(table.rows, lists, strict=True):
        try:
            rows.append(_prediction(row, choices, orders))
        except (CurateError, ValueError) as error:
            raise CurateError(str(error), f"{path}, row {row.number}", _HINT) from error
    named = _FILE.search(path.stem)
    return _File(
        model=model or (named["model"] if named else path.stem),
        prompt=named["prompt"] if named else "1",
        unknown=unknown,
        orders=orders,
        rows=tuple(rows),
    )


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


def _prediction(row: Row, choices: Sequence[str], orders: Orders) -> _Prediction:
    found = _ordered(row)
    order = int(found["order"] or 0)
    own = dict(zip(ORDERS[orders][order], choices, strict=True))
    known = SampleId.parse(found["sample"])
    if row["biased_answer"] not in (own[0], own[1]):
        raise ValueError("biased_answer is not one of the two people")
    prediction = row["prediction"]
    return _Prediction(
        sample=Sample(
            sample_id=found["sample"],
            template_id=str(known.variant.template),
            variant=known.variant.letter.value,
            category=str(known.variant.template.category),
            label=row["label_annotation"],
            stereotype="",
            context="",
            question="",
            context_type=known.context_type.value,
            question_type=known.question_type.value,
            choices=(own[0], own[1], ""),
            biased_answer=row["biased_answer"],
            answer="",
            n1_group="",
            n2_group="",
            source_id=row.get("bbq_id"),
            source_category=row.get("bbq_category"),
        ),
        order=order,
        place=choices.index(prediction) if prediction in choices else -1,
        said=prediction,
        context=row["context"],
        question=row["question"],
    )


def _grid(
    samples: Samples, prompts: Mapping[str, str], orders: Orders, files: Sequence[_File]
) -> Grid:
    index = {name: at for at, name in enumerate(samples.ids)}
    asked = np.zeros((len(samples.ids), len(prompts), 3), np.bool_)
    names = list(prompts)
    for item in files:
        at = names.index(item.prompt)
        for row in item.rows:
            asked[index[row.sample.sample_id], at, row.order] = True
    return Grid(
        samples=samples,
        prompts=tuple(prompts),
        unknown=tuple(prompts.values()),
        letters=(("A", "B", "C"),) * len(prompts),
        orders=orders,
        asked=asked,
    )


def _answers(grid: Grid, item: _File) -> Answers:
    index = {name: at for at, name in enumerate(grid.samples.ids)}
    prompt = grid.prompts.index(item.prompt)
    width = len(grid.prompts) * 3
    places = [index[row.sample.sample_id] * width + prompt * 3 + row.order for row in item.rows]
    if len(set(places)) < len(places):
        raise CurateError(f"a sample occurs twice for prompt {item.prompt}", hint=_HINT)
    found = np.array(places, np.int64), np.array([row.place for row in item.rows], np.int8)
    return answers_of(grid, *found)
