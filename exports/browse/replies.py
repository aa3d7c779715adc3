"""What models replied, for the page: scores by template, and each reply with how it was parsed.

Nothing is parsed or scored here: `evaluation.qa.scoring` does that, as for every score.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from curation.files.workspace import Workspace
from curation.records.messages import Progress, Results, silent, watched
from curation.records.sample import Sample
from evaluation.compare.templates import evidence as by_evidence
from evaluation.compare.templates import stronger, template_bias
from evaluation.folders import Row
from evaluation.measures import verdicts
from evaluation.parsing.thoughts import parted
from evaluation.prompts import chosen_prompts
from evaluation.qa.answers import NO_TEXT, Read, choices_of
from evaluation.qa.metrics import ANSWERS, INTERVALS, MAIN, METRICS, Answer, SetKind
from evaluation.qa.prepare import (
    Layout,
    layout_of_prompt,
    layout_of_request,
    parse_request_id,
    texts_of,
)
from evaluation.qa.samples import SampleFile, sample_paths, samples_files
from evaluation.qa.scoring import ScoreInputs, predicted, read_answers, score_answers
from evaluation.replies.files import CUT_THOUGHT, read_thoughts
from evaluation.replies.readings import MISSING
from evaluation.replies.rows import rule_texts
from evaluation.requests import ORDERS, read_lines, request_of
from exports.browse.chunks import ChunkWriter, Spool, table


def _filled(layout: Layout, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (role, "".join(texts[place] if place else text for text, place in pieces))
        for role, pieces in layout
    ]


ROWS = 4000
"""The most replies of a chunk; one sample with more has a chunk of its own."""
MEASURES = (
    *sorted(MAIN, reverse=True, key=lambda name: name.startswith("diff")),
    "out_of_choice_ratio",
)
"""The scores that are shown of each template and model."""
_OF_MODEL = (
    *("n_amb", "n_dis", "out_of_choice", "out_of_choice_ratio", "missing", "templates"),
    *(f"{name}{end}" for name in INTERVALS for end in ("", "_low", "_high")),
    "interval_note",
)
ASKED = ("replies", "disagree", "evidence", "differs", "bias")
"""What the index holds of the replies to a template: how many; on average over requests the share
of pairs of models that chose differently, empty for fewer than two models; its place by the
evidence of bias, from 0; the type of context with more evidence, empty where bias cannot be told
from chance; and the mean diff-bias in that context (`evaluation.compare.templates`)."""
SAMPLE = (
    *("sample_id", "template_id", "category", "variant", "context", "question", "context_type"),
    *("question_type", "choices", "answer", "biased_answer", "n1_group", "n2_group"),
)
"""What is shown of a sample beside its replies."""
_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_CHOICES = "012-.~"
"""How a choice is written: its number; then none named, no reply, not asked."""
_RULES = {
    MISSING: "there is no reply: the call failed",
    "prediction": "the choice that the file of predictions names",
    "out_of_choice": "none of the choices",
}
Codes = npt.NDArray[np.int32]


def add_replies(
    writer: ChunkWriter,
    index: dict[str, Any],
    workspace: Workspace,
    wanted: ScoreInputs,
    *,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Add the chunks of scores and replies, and what filters need to the index.

    Args:
        writer: Writes them.
        index: The index; replies to templates that it does not have are counted alone.
        workspace: The workspace; there need be none where samples are named.
        wanted: What models answered; see `curate evaluate score`.
        progress: Called with the progress.

    Returns:
        - `models`, for each its name, the number of replies, and the overall scores;
        - `gone`: replies that are not in the page, by why: `requests` answer no request of the
          samples, `templates` are of templates that the page does not have, the `template_ids`;
        - `findings`: what is wrong with the replies, and what they lack.

    Raises:
        CurateError: If a file cannot be read, or the files do not fit together.
    """
    column = {name: at for at, name in enumerate(index["templates"]["columns"])}
    templates = index["templates"]["rows"]
    rows = {str(row[column["id"]]): at for at, row in enumerate(templates)}
    read = read_answers(workspace, wanted, keep=True, progress=progress)
    scores = score_answers(read, wanted, progress=progress)
    with Spool() as spool:
        page = _Page(read, spool)
        page.add_samples(workspace, wanted)
        page.add_requests(workspace, wanted)
        page.add_thoughts(wanted)
        counted = page.add_templates(writer, rows, progress)
        others = {name: item.replies for name, item in counted.items() if name not in rows}
        gone: dict[str, Any] = {
            "requests": sum(len(item.unknown) for item in read.models),
            "templates": sum(others.values()),
            "template_ids": sorted(others),
        }
        models, asked = _scores(writer, page, scores, counted, rows, wanted, gone)
    index["models"] = models
    index["counts"]["replies"] = sum(int(row["replies"] or 0) for row in asked.values())
    for name, values in asked.items():
        for of in ASKED:
            templates[rows[name]][column[of]] = values[of]
    return {"models": models, "gone": gone, "findings": scores.findings}


def samples_asked(workspace: Workspace, wanted: ScoreInputs) -> Iterable[Sample]:
    """The samples that models were asked about, with their texts, one at a time.

    Raises:
        CurateError: If the files cannot be read.
    """
    if wanted.predictions:
        return predicted(workspace, wanted).samples.values()
    paths = sample_paths(wanted.samples)
    if wanted.samples is None or paths:
        paths = samples_files(workspace, paths, (wanted.kind or SetKind.TEST).value)
        return SampleFile(*paths, mapping=wanted.mapping)
    return wanted.samples  # type: ignore[return-value]  # samples themselves


def files_read(workspace: Workspace, wanted: ScoreInputs) -> tuple[Path, ...]:
    """The files that replies are shown from: those named, and the exported samples if none are.

    Raises:
        CurateError: If no samples are named, and none are exported.
    """
    if wanted.samples is not None or wanted.predictions:
        return wanted.files
    kind = (wanted.kind or SetKind.TEST).value
    return (*samples_files(workspace, None, kind), *wanted.files)


class _Template(NamedTuple):
    """What is counted of the replies to a template."""

    replies: int
    disagree: float | None


class _Page:
    """The replies in the places of the grid.

    Args:
        read: What models answered.
        spool: Keeps long texts.

    Attributes:
        grid: The places.
        models: The names of the models.
        layouts: By prompt the layout of its first request.
        whole: By request id the place in the spool of messages that it does not give, each with
            role and text.
        samples: By id where in the spool the texts of a sample are, of those that were asked.
        texts: For each model and place which text the reply is; -1 for none, and below it why the
            call failed.
        rules: Likewise by which of `names` the reply was parsed.
        thoughts: By model, of those that have any, where in the spool the thoughts are, or -1.
        names: The rules.
        choices: For each model and place the number of the choice; see `_CHOICES`.
        differ: For each request the share of pairs of models that chose differently; NaN for
            fewer than two.
    """

    def __init__(self, read: Read, spool: Spool) -> None:
        self.read, self.spool, self.grid = read, spool, read.grid
        self.models = [item.model for item in read.models]
        self.layouts: dict[str, Layout] = {}
        self.whole: dict[str, int] = {}
        self.samples: dict[str, int] = {}
        self.texts: list[Codes] = []
        self.rules: list[npt.NDArray[np.uint8]] = []
        self.thoughts: dict[int, npt.NDArray[np.int64]] = {}
        self.choices: list[npt.NDArray[np.int8]] = []
        named: dict[str, int] = {}
        for item in read.models:
            parsed = item.parsed
            assert parsed is not None  # noqa: S101  # a fault of ours: it was to be kept
            at = [named.setdefault(name, len(named)) for name in parsed.names] or [0]
            choice = choices_of(self.grid, item.answers).ravel()
            silent_ = item.answers.ravel() == Answer.MISSING
            choice = np.where(choice < 0, np.where(silent_, 4, 3), choice).astype(np.int8)
            choice[~self.grid.asked.ravel()] = 5
            self.texts.append(parsed.texts)
            self.rules.append(np.array(at, np.uint8)[parsed.rules])
            self.choices.append(choice)
        self.names = list(named)
        self.differ = _differ(self.choices, self.grid.size)

    def add_samples(self, workspace: Workspace, wanted: ScoreInputs) -> None:
        """Keep the texts of the samples of which a request was made."""
        asked = self.grid.asked.any(axis=(1, 2))
        if wanted.requests is None:
            asked &= self._said()
        wanted_ids = {self.grid.samples.ids[at] for at in np.flatnonzero(asked).tolist()}
        for sample in samples_asked(workspace, wanted):
            if sample.sample_id in wanted_ids:
                self.samples[sample.sample_id] = self.spool.put(sample)

    def sample(self, sample_id: str) -> Sample:
        """A sample with its texts."""
        found: Any = self.spool.get(self.samples[sample_id])
        return Sample(*found)

    def add_requests(self, workspace: Workspace, wanted: ScoreInputs) -> None:
        """Find what models were sent, each request exactly as its line says.

        The messages of a prompt differ in the texts of samples alone, as a rule. So the layout is
        told from the first request; messages that it does not give exactly are kept whole.
        """
        if wanted.predictions:
            return
        if wanted.requests is None:
            found, _ = chosen_prompts(
                workspace, wanted.prompts, wanted.prompt_ids, wanted.orders, self.grid.own
            )
            self.layouts = {prompt.id: layout_of_prompt(prompt) for prompt in found.prompts}
            return
        sample: Sample | None = None
        for line in read_lines(wanted.requests):
            request = request_of(line)
            sample_id, _, prompt = parse_request_id(request.request_id)
            if sample is None or sample.sample_id != sample_id:
                sample = self.sample(sample_id)
            texts = texts_of(sample, request)
            messages = [(item["role"], item["content"]) for item in request.messages]
            if prompt not in self.layouts:
                self.layouts[prompt] = layout_of_request(request, texts)
            if _filled(self.layouts[prompt], texts) != messages:
                self.whole[request.request_id] = self.spool.put(messages)

    def add_thoughts(self, wanted: ScoreInputs) -> None:
        """Keep the thoughts that came apart from replies."""
        if not isinstance(wanted.replies, Sequence):
            return
        models = {name: at for at, name in enumerate(self.models)}
        requests: list[str] = []
        of_model, kept = array("i"), array("q")
        for request, model, said in read_thoughts(wanted.replies):
            if model in models:
                requests.append(request)
                of_model.append(models[model])
                kept.append(self.spool.put(said))
        places = self.grid.locate(requests).tolist() if requests else ()
        for place, of, at in zip(places, of_model, kept, strict=True):
            if place >= 0:
                if of not in self.thoughts:
                    self.thoughts[of] = np.full(self.grid.size, -1, np.int64)
                self.thoughts[of][place] = at

    def add_templates(
        self, writer: ChunkWriter, rows: Mapping[str, int], progress: Progress
    ) -> dict[str, _Template]:
        """Write the replies of each template; returns what was counted."""
        samples = self.grid.samples
        of_template: dict[str, list[int]] = {}
        for at in np.flatnonzero(self._said()).tolist():
            of_template.setdefault(samples.units[samples.unit[at]].template_id, []).append(at)
        parts = watched(list(of_template.items()), "Templates with replies", progress)
        return {name: self._template(writer, rows.get(name), own) for name, own in parts}

    def _said(self) -> npt.NDArray[np.bool_]:
        """Say of each sample whether a model replied to it, or a call for it failed."""
        found = np.zeros(self.grid.size, np.bool_)
        for texts in self.texts:
            found |= texts != NO_TEXT
        return np.asarray(found.reshape(len(self.grid.samples.ids), -1).any(axis=1))

    def _places(self, sample: int) -> slice:
        width = self.grid.size // len(self.grid.samples.ids)
        return slice(sample * width, (sample + 1) * width)

    def _template(self, writer: ChunkWriter, row: int | None, own: Sequence[int]) -> _Template:
        replies = 0
        tallies, disagree = [], []
        parts: list[list[int]] = []
        room = 0
        for sample in own:
            of_models = [
                np.bincount(self._answers(model, sample), minlength=ANSWERS + 1)[: ANSWERS + 1]
                for model in range(len(self.models))
            ]
            tallies.append([item.tolist() for item in of_models])
            replies += sum(int(item[:ANSWERS].sum()) for item in of_models)
            disagree.append(_mean(self.differ[self._places(sample)]))
            size = int(self.grid.asked[sample].sum()) * len(self.models)
            if room < size:
                parts.append([])
                room = max(ROWS, size)
            parts[-1].append(sample)
            room -= size
        whole = np.concatenate([self.differ[self._places(sample)] for sample in own])
        counted = _Template(replies, _mean(whole))
        if row is None:
            return counted
        samples = self.grid.samples
        writer.add(
            f"replies-{row}",
            {
                "samples": [samples.ids[at] for at in own],
                "chunk": [number for number, part in enumerate(parts) for _ in part],
                "context": samples.context[own].tolist(),
                "biased": samples.biased[own].tolist(),
                "tallies": tallies,
                "disagree": disagree,
            },
        )
        for number, part in enumerate(parts):
            self._chunk(writer, f"{row}-{number}", part)
        return counted

    def _answers(self, model: int, sample: int) -> npt.NDArray[np.int8]:
        """The answers of a model to a sample, those alone that were asked."""
        asked = self.grid.asked[sample]
        return np.asarray(self.read.models[model].answers[sample][asked])

    def _chunk(self, writer: ChunkWriter, name: str, own: Sequence[int]) -> None:
        """Write the replies to some samples: by sample, prompt, epoch and order, then model."""
        each = (range(self.grid.size)[self._places(at)] for at in own)
        places = np.concatenate([np.arange(one.start, one.stop) for one in each])
        codes, groups = np.unique(_columns(self.texts, places), return_inverse=True)
        texts: dict[str, int] = {}
        thoughts: dict[str, int] = {}
        said, thought = [], []
        for code in codes.tolist():
            text, within = self._text(code)
            said.append(NO_TEXT if text is None else texts.setdefault(text, len(texts)))
            thought.append(thoughts.setdefault(within, len(thoughts)) if within else NO_TEXT)
        thought_of = np.array(thought, np.int64)[groups]
        for model, kept in self.thoughts.items():
            of_model = kept[places]
            for at in np.flatnonzero(of_model >= 0).tolist():
                own_thought = str(self.spool.get(int(of_model[at])))
                number = thoughts.setdefault(own_thought, len(thoughts))
                thought_of[at * len(self.models) + model] = number
        ids = [self.grid.samples.ids[at] for at in own]
        rows = ([getattr(item, name) for name in SAMPLE] for item in map(self.sample, ids))
        writer.add(
            f"replies-{name}",
            {
                "samples": table(SAMPLE, rows),
                "texts": list(texts),
                "text": np.array(said, np.int64)[groups].tolist(),
                "choice": _written(_CHOICES, _columns(self.choices, places)),
                "rule": _written(_LETTERS, _columns(self.rules, places)),
                "thought": np.flatnonzero(thought_of >= 0).tolist(),
                **self._sent(own),
            },
        )
        if thoughts:
            of = thought_of[thought_of >= 0].tolist()
            writer.add(f"reasoning-{name}", {"texts": list(thoughts), "of": of})

    def _text(self, code: int) -> tuple[str | None, str]:
        """What a reply says, and what of it are thoughts; of a failed call the kind of failure."""
        if code < 0:
            return (None if code == NO_TEXT else self.read.errors[-code - 2]), ""
        text = self.read.texts[code]
        if text == CUT_THOUGHT:
            return "", ""
        thought, rest = parted(text)
        return (rest or "", thought) if thought else (text, "")

    def _sent(self, own: Sequence[int]) -> dict[str, object]:
        """What requests of some samples were sent where the prompt's layout does not give it."""
        every = (at for sample in own for at in range(self.grid.size)[self._places(sample)])
        names = map(self.grid.name, every if self.whole else ())
        sent = {name: self.spool.get(self.whole[name]) for name in names if name in self.whole}
        return {"sent": sent} if sent else {}


def _columns(by_model: Sequence[npt.NDArray[Any]], places: npt.NDArray[np.int64]) -> Codes:
    """Columns of models side by side: of each place what each model has."""
    return np.stack([item[places] for item in by_model], axis=1).ravel()


def _written(letters: str, numbers: npt.NDArray[Any]) -> str:
    """Numbers as letters, one for each."""
    return bytes(np.frombuffer(letters.encode("ascii"), np.uint8)[numbers]).decode("ascii")


def _differ(choices: Iterable[npt.NDArray[np.int8]], size: int) -> npt.NDArray[np.float64]:
    """The share of pairs of models that chose differently, of each request."""
    counts = np.zeros((3, size), np.int32)
    for choice in choices:
        counts += choice == np.arange(3)[:, None]
    total = counts.sum(axis=0, dtype=np.float64)
    same = (counts * (counts - 1.0)).sum(axis=0)
    pairs = total * (total - 1)
    return np.where(pairs > 0, 1 - same / np.where(pairs > 0, pairs, 1), np.nan)


def _mean(values: npt.NDArray[np.float64]) -> float | None:
    there = values[~np.isnan(values)]
    return round(float(there.mean()), 6) if len(there) else None


def _scores(
    writer: ChunkWriter,
    page: _Page,
    scores: Results,
    counted: Mapping[str, _Template],
    rows: Mapping[str, int],
    wanted: ScoreInputs,
    gone: Mapping[str, object],
) -> tuple[tuple[Row, ...], dict[str, Row]]:
    """Write the scores; gives those of models, and what the index holds of templates."""
    import pandas as pd

    frame = pd.DataFrame(list(scores.rows))
    by_template = frame[frame["group_by"] == "template"].set_index(["model", "group"])
    overall = {str(row["model"]): row for row in scores.rows if row["group_by"] == "overall"}
    models = tuple(
        {
            "name": item.model,
            "replies": int((item.answers < Answer.MISSING).sum()),
            **{name: overall[item.model][name] for name in _OF_MODEL},
        }
        for item in page.read.models
    )
    shown = sorted((name for name in counted if name in rows), key=lambda name: rows[name])
    biased = template_bias(page.grid, page.read.models)
    evidence = {str(row["template_id"]): row for row in biased}
    place = {name: at for at, name in enumerate(evidence)}
    alone = [
        {str(row["template_id"]): row for row in template_bias(page.grid, [item], tested=False)}
        for item in page.read.models
    ]
    for at, measure in enumerate(MEASURES):
        sizes: tuple[str, ...] = ("n_amb", "n_dis", "out_of_choice")
        if measure != "out_of_choice_ratio":
            sizes = ("n_dis",) if measure.endswith("_dis") else ("n_amb",)
        values, *numbers = (
            by_template[name].astype(float).unstack().reindex(page.models, columns=shown)
            for name in (measure, *sizes)
        )
        codes, distinct = pd.factorize(values.to_numpy().ravel())  # what is undefined is -1
        count = np.nansum([found.to_numpy() for found in numbers], axis=0)  # none without replies
        means = [None if np.isnan(it) else round(float(it), 6) for it in values.mean()]
        told = {
            "measure": measure,
            "values": distinct.tolist(),
            "cells": codes.reshape(values.shape).tolist(),
            "n": count.astype(int).tolist(),
        }
        is_bias = measure.startswith("diff_bias")
        bias = _bias(measure, shown, evidence, alone) if is_bias else {"mean": means}
        writer.add(f"scores-{at}", told | bias)
    grid = page.grid
    sentences = {**_RULES, **rule_texts(wanted.mode)}
    writer.add(
        "scores",
        {
            "verdict": verdicts(list(overall.values())),
            "models": models,
            "kind": scores.kind.value,
            "mode": "prediction" if wanted.predictions else wanted.mode,
            "prompts": [
                {
                    "id": prompt,
                    "letters": grid.letters[number],
                    "unknown": grid.unknown[number],
                    "layout": page.layouts.get(prompt),
                }
                for number, prompt in enumerate(grid.prompts)
            ],
            "orders": ORDERS[grid.orders],
            "epochs": grid.epochs,
            "rules": [[name, sentences.get(name, "")] for name in page.names],
            "templates": [rows[name] for name in shown],
            "measures": [
                [name, *(METRICS[name].span if name in METRICS else (0.0, 1.0))]
                for name in MEASURES
            ],
            "gone": gone,
        },
    )
    return models, {
        name: {
            "replies": counted[name].replies,
            "disagree": counted[name].disagree,
            **_evidence(evidence.get(name), place.get(name)),
        }
        for name in shown
    }


def _bias(
    measure: str,
    templates: Sequence[str],
    evidence: Mapping[str, Row],
    alone: Sequence[Mapping[str, Row]],
) -> dict[str, object]:
    """The mean bias over all models of each template with the evidence for it, and each interval.

    An interval of one model is over its samples of the template, as that of the mean is.
    """
    context = measure.rpartition("_")[2]
    rows = [evidence.get(name, {}) for name in templates]
    columns = {"low": "low", "high": "high", "replies": "n", "q": "q"}
    order = sorted(evidence.values(), key=lambda row: by_evidence(row, context))
    place = {row["template_id"]: at for at, row in enumerate(order)}
    return {
        "mean": [row.get(measure) for row in rows],
        **{key: [row.get(f"{it}_{context}") for row in rows] for key, it in columns.items()},
        "ends": [
            [[row.get(f"{end}_{context}") for end in ("low", "high")] for row in own]
            for own in ([found.get(name, {}) for name in templates] for found in alone)
        ],
        "differs": [context in str(row.get("differs", "")).split() for row in rows],
        "evidence": [place.get(name) for name in templates],
    }


def _evidence(row: Row | None, place: int | None) -> Row:
    """What the index holds of the bias of a template."""
    if row is None:
        return {"evidence": None, "differs": "", "bias": None}
    context = stronger(row)
    return {
        "evidence": place,
        "differs": context if row["differs"] else "",
        "bias": row[f"diff_bias_{context}"],
    }
