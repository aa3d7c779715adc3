"""Scoring: what models answered is read, counted and scored, and written with its inputs."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from curation.files.manifest import named_inputs
from curation.files.tables import refuse_absent
from curation.files.workspace import Workspace
from curation.intervals import LEVEL
from curation.languages import Language, calling_unknown
from curation.records.lazy import as_typed
from curation.records.messages import Progress, Results, has_errors, silent, watched
from curation.records.sample import Sample
from evaluation import folders
from evaluation.prompts import ANSWERS, PromptSet, asked_language, chosen_prompts
from evaluation.qa import prepare
from evaluation.qa.answers import Read, count, model_findings, read_models
from evaluation.qa.effects import EFFECT_COLUMNS, effect_rows
from evaluation.qa.metrics import SetKind
from evaluation.qa.samples import (
    TEMPLATE_COLUMNS,
    SampleFile,
    exported_samples,
    sample_paths,
    samples_files,
    sets_named_by_bank,
    template_rows,
)
from evaluation.qa.score import (
    POSITION_COLUMNS,
    SCORE_COLUMNS,
    ModelUnparsed,
    missing_tallies,
    model_unparsed,
    position_rows,
    score_rows,
    tally_frame,
    write_tallies,
)
from evaluation.qa.surveyed import SURVEYED_COLUMNS, Known, surveyed_rows, surveyed_shares
from evaluation.qa.variance import VARIANCE_COLUMNS, variance_rows
from evaluation.replies.files import ReplyParts, reply_files
from evaluation.replies.readings import Mode, filled_findings

_READING = "Steps of the reading"
"""Replies, samples, and which choice each reply names."""
_COUNTING = "Replies counted, intervals computed"
"""From the counts of groups to the ends of their intervals."""
_OTHER = (
    "name the samples and prompts (--prompts, --language) that these replies were asked with, or "
    "the requests that were sent: --requests FILE"
)


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """The inputs of a scoring; see the options of `curate evaluate score`.

    Attributes:
        samples: Files or folders of samples, or samples; None for those that the workspace has
            exported.
        prompts: A file of prompts, or prompts; None for the toolkit's own in the language.
        prompt_ids: Only these prompts.
        orders: `cyclic` or `kobbq`; None for what the prompts say, else cyclic.
        requests: What was asked, where it was not everything.
        replies: Files of replies, folders of such files, or a frame with `request_id`, `model` and
            `reply`.
        predictions: Published predictions, in place of samples and replies.
        kind: Whether rows are pooled or templates averaged; None to see by the samples.
        mode: How replies are read.
        filled: Workbooks in which a person read what no rule could.
        second: Files of a second reader, which count where neither a rule nor a person read a
            choice.
        intervals: Whether scores get intervals.
        language: Whose prompts; None for the workspace's.
        mapping: The file that says which columns of the samples say what.
    """

    samples: Path | Sequence[Path] | Sequence[Sample] | None = None
    prompts: Path | PromptSet | None = None
    prompt_ids: tuple[str, ...] = ()
    orders: str | None = None
    requests: Path | None = None
    replies: Sequence[Path] | pd.DataFrame = ()
    predictions: tuple[Path, ...] = ()
    kind: SetKind | None = None
    mode: Mode = "strict"
    filled: tuple[Path, ...] = ()
    second: tuple[Path, ...] = ()
    intervals: bool = True
    language: str | None = None
    mapping: Path | None = None

    def __post_init__(self) -> None:
        for item in fields(self):  # a notebook gives paths as text, and one where several may be
            value = as_typed(getattr(self, item.name), str(item.type))
            object.__setattr__(self, item.name, value)
        if not isinstance(self.replies, pd.DataFrame):
            object.__setattr__(self, "replies", reply_files(self.replies))

    def prepared(self, workspace: Workspace) -> "ScoreInputs":
        """The same with the requests that 'curate evaluate prepare' wrote, as 'run' takes them.

        Where something says how models were asked, that counts; and requests that were prepared
        from other samples are not taken.

        Raises:
            CurateError: If the manifest beside the requests cannot be read.
        """
        named = self.requests, self.prompts, self.prompt_ids, self.orders, self.predictions
        given = sample_paths(self.samples)
        if any(named) or (self.samples and not given):
            return self
        requests = folders.requests_file(workspace, folders.QUESTIONS)
        kind = (self.kind or SetKind.TEST).value
        samples = given or sample_paths(exported_samples(workspace, kind))
        if not samples or not all(
            path.is_file() and folders.made_from(requests, path) for path in samples
        ):
            return self
        return replace(self, requests=requests)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that are named."""
        replies = () if isinstance(self.replies, pd.DataFrame) else self.replies
        single = (*sample_paths(self.samples), self.prompts, self.requests, self.mapping)
        named = (*single, *replies, *self.predictions, *self.filled, *self.second)
        return tuple(item for item in named if isinstance(item, Path))


def read_answers(
    workspace: Workspace,
    wanted: ScoreInputs,
    *,
    keep: bool = False,
    progress: Progress = silent,
) -> Read:
    """Read what models answered.

    Args:
        workspace: The workspace.
        wanted: What is to be scored.
        keep: Whether it is kept how each reply was parsed, which scores do not need.
        progress: Told how many steps of the reading are done.

    Raises:
        CurateError: If a file cannot be read, or the files do not fit together.
    """
    for file_ in wanted.files:  # before others are read, which takes long
        refuse_absent(file_)
    if wanted.predictions:
        return predicted(workspace, wanted)
    found: Iterable[Sample]
    file: SampleFile | None = None
    paths = named_paths = sample_paths(wanted.samples)
    if wanted.samples is None or paths:
        paths = samples_files(workspace, paths, (wanted.kind or SetKind.TEST).value)
        templates_in = workspace.sources_folder
        found = file = SampleFile(*paths, mapping=wanted.mapping, templates=templates_in)
    else:
        found = wanted.samples  # type: ignore[assignment]  # samples themselves
    progress(_READING, 0, 3)
    replies = ReplyParts(wanted.replies, logprobs=wanted.mode == "logprobs")
    progress(_READING, 1, 3)
    beside = named_paths[0] if named_paths else wanted.requests
    own = asked_language(workspace, wanted.language, beside)
    grid, prompts, hashes = _grid(workspace, wanted, found, replies, own, copy(found))
    grid = replace(grid, own=calling_unknown(own, grid.unknown))
    progress(_READING, 2, 3)
    filled: dict[str, int | None] = {}
    second: dict[str, int | None] = {}
    for book in wanted.filled:
        from evaluation.replies.rows import read_filled  # which knows workbooks

        filled.update(read_filled(book))
    for table_of_second in wanted.second:
        from evaluation.replies.second import read_second_file  # which can ask one, too

        second.update(read_second_file(table_of_second))
    given = grid, replies, wanted.mode, filled, second
    read = read_models(*given, keep=keep, hint=_OTHER)
    progress(_READING, 3, 3)
    findings = [
        *(folders.stale(workspace, wanted.requests) if wanted.requests else ()),
        *(item for path in paths for item in folders.stale(workspace, path)),
        *(file.findings if file is not None else ()),
        *read.findings,
        *filled_findings(filled, (item.rules for item in read.models)),
        *model_findings(grid, read.models, replies.where),
    ]
    at = named_paths[0] if named_paths else None
    named = {} if file is None or file.layout != "ours" else sets_named_by_bank(workspace, at)
    layout = "ours" if file is None else file.layout
    templates = tuple(template_rows(grid.samples.told, layout, named))
    told = {**prepare.prompt_settings(prompts, hashes, own), "samples_sha256": grid.samples.sha256}
    every = tuple(dict.fromkeys(findings))
    kinds = {
        "samples": paths,
        "mapping": (wanted.mapping,) * (file is not None),
        "requests": (wanted.requests,),
        "prompts": (wanted.prompts,) * (wanted.requests is None),
        "filled": wanted.filled,
        "second reader": wanted.second,
        "replies": replies.paths,
    }
    return replace(read, findings=every, inputs=_named(kinds), templates=templates, asked=told)


def _named(kinds: Mapping[str, Iterable[object]]) -> dict[str, Path]:
    """The files that were read, by the name to give them; what is no file has none."""
    found: dict[str, Path] = {}
    for kind, given in kinds.items():
        found |= named_inputs((item for item in given if isinstance(item, Path)), kind=kind)
    return found


def _grid(
    workspace: Workspace,
    wanted: ScoreInputs,
    samples: Iterable[Sample],
    replies: ReplyParts,
    own: Language | None,
    again: Iterable[Sample],
) -> tuple[prepare.Grid, PromptSet, Mapping[str, str]]:
    """The grid, with the prompts and by id what identifies their texts.

    Args:
        workspace: The workspace.
        wanted: What is to be scored.
        samples: The samples, which are gone through once.
        replies: The replies.
        own: The language.
        again: A copy of the samples, to be gone through once more: the first keep what was found.
    """
    if wanted.requests is not None:
        grid = prepare.grid_of_requests(prepare.gather(samples), wanted.requests)
        unknown = dict(zip(grid.prompts, grid.unknown, strict=True))
        hashes = prepare.hashes_in_requests(wanted.requests, unknown, again)
        return grid, PromptSet((), name=_name_of(workspace, hashes, own)), hashes
    found, orders = chosen_prompts(workspace, wanted.prompts, wanted.prompt_ids, wanted.orders, own)
    has_hashes, epochs = replies.told()
    if not has_hashes:
        grid = prepare.full_grid(prepare.gather(samples), found.prompts, orders, epochs=epochs)
        return grid, found, prepare.hashes_of_prompts(found.prompts)
    hashing = prepare.Hashing(found.prompts, orders)
    gathered = prepare.gather(hashing.through(samples))
    grid = prepare.full_grid(gathered, found.prompts, orders, hashing.hashes(), epochs)
    return grid, found, prepare.hashes_of_prompts(found.prompts)


def _name_of(workspace: Workspace, hashes: Mapping[str, str], own: Language | None) -> str:
    """What the prompts of requests are called: the toolkit's own where their texts are these."""
    if own is None or own.prompts is None:
        return ""
    own_prompts, _ = chosen_prompts(workspace, None, (), None, own)
    forms = (form for form in ANSWERS if all(name.endswith(f"_{form}") for name in hashes))
    known = next((own_prompts.answered(form, own) for form in forms), own_prompts)
    texts = set(prepare.hashes_of_prompts(known.prompts).values())
    return known.name if texts.issuperset(hashes.values()) else ""


def predicted(workspace: Workspace, wanted: ScoreInputs) -> Read:
    """Read published predictions, and the samples that they name.

    Raises:
        CurateError: If a file cannot be read, or the files do not fit together.
    """
    from evaluation.qa.published import read_published  # scores of replies need none

    samples = sample_paths(wanted.samples)
    found = read_published(
        wanted.predictions,
        wanted.mapping,
        samples=samples,
        own=asked_language(workspace, wanted.language),
    )
    mapping = (wanted.mapping,)
    kinds = {"predictions": wanted.predictions, "samples": samples, "mapping": mapping}
    file = ", ".join(map(str, wanted.predictions))
    findings = (*found.findings, *model_findings(found.grid, found.models, file))
    return replace(found, findings=findings, inputs=_named(kinds))


def score(
    workspace: Workspace,
    wanted: ScoreInputs,
    *,
    progress: Progress = silent,
) -> Results:
    """Score what models answered; nothing is written until `save`.

    Args:
        workspace: The workspace.
        wanted: What is to be scored.
        progress: Called with the progress of reading and scoring.

    Returns:
        The tables, each with its columns:

        - `rows`: the scores, with `SCORE_COLUMNS`. In a frame `model`, `group_by`, `group` and
          `interval_note` are text (`str`; `object` before pandas 3), `n_*`, `out_of_choice`,
          `missing`, `templates`, `epochs` and the counts of cells int64, all scores and shares
          float64 with NaN for what is undefined;
        - `positions`; `templates`: what they come from; `variance`: what replies differ in;
          `effects`: of place, length and groups; `surveyed`: what a survey and models say, empty
          without a survey.

        And what else is told:

        - `tallies`: the counts behind the scores, a frame with `TALLY_COLUMNS`;
        - `rules`: by model, how many replies each rule read, and `missing`: how many requests have
          no reply;
        - `incomplete`: whether a request lacks a reply, or a line that may be a reply could not be
          read;
        - `many_unparsed`: the models of whose replies too many could not be parsed;
        - `kind`: whether rows were pooled or templates averaged, and the `orders` of the choices;
        - `findings`: what the scores leave out;
        - `inputs`: the files that were read, and `settings`: what shaped the scores, as a manifest
          holds both.

    Raises:
        CurateError: If a file cannot be read, or the files do not fit together.
    """
    return read_and_score(workspace, wanted, progress)[2]


def read_and_score(
    workspace: Workspace, wanted: ScoreInputs, progress: Progress
) -> tuple[ScoreInputs, Read, Results]:
    """What is scored with the requests that were prepared, what was read, and its scores."""
    wanted = wanted.prepared(workspace)
    read = read_answers(workspace, wanted, progress=progress)
    known = surveyed_shares(workspace, wanted.samples)
    return wanted, read, score_answers(read, wanted, known, progress=progress)


def score_answers(
    read: Read,
    wanted: ScoreInputs,
    known: Known | None = None,
    *,
    progress: Progress = silent,
) -> Results:
    """Score what was read; see `score`.

    Args:
        read: What models answered.
        wanted: What is to be scored.
        known: What a survey says of the templates.
        progress: Called with the progress.
    """
    grid = read.grid
    kind = wanted.kind or (SetKind.ALL if grid.samples.fillings > 1 else SetKind.TEST)
    progress(_COUNTING, 0, 1)
    counts = [count(grid, item.answers) for item in read.models]
    progress(_COUNTING, 1, 1)
    found: dict[str, list[folders.Row]] = {
        name: [] for name in ("rows", "positions", "effects", "surveyed")
    }
    tallies: list[pd.DataFrame] = []
    unparsed: list[ModelUnparsed] = []
    models = list(zip(read.models, counts, strict=True))
    for item, counted in watched(models, "Models scored", progress):
        missing = missing_tallies(grid, item.missing)
        given = (item.model, grid, counted, missing, kind)
        of_groups = score_rows(*given, intervals=wanted.intervals)
        found["rows"] += of_groups
        found["positions"] += position_rows(item.model, grid, item.answers)
        found["effects"] += effect_rows(item.model, grid, item.answers, kind)
        tallies.append(tally_frame(item.model, grid, counted, missing))
        found["surveyed"] += surveyed_rows(item.model, tallies[-1], kind, known or {})
        unparsed.append(model_unparsed(item, of_groups))
    answers = {item.model: item.answers for item in read.models}
    whole = {str(row["model"]): row for row in found["rows"] if row["group_by"] == "overall"}
    missing_of = {item.model: len(item.missing) for item in read.models}
    every = pd.concat(tallies, ignore_index=True)
    settings = {
        "set": kind.value,
        "orders": grid.orders.value,
        **({"epochs": grid.epochs} if grid.epochs > 1 else {}),
        "mode": wanted.mode,
        "level": LEVEL if wanted.intervals else None,
        **read.asked,
    }
    values = {
        **{name: tuple(rows) for name, rows in found.items()},
        "templates": read.templates,
        "variance": tuple(variance_rows(grid, answers, whole, averaged=kind is SetKind.ALL)),
        "tallies": every,
        "rules": {item.model: item.rules for item in read.models},
        "missing": missing_of,
        "incomplete": any(missing_of.values()) or has_errors(read.findings),
        "many_unparsed": [item for item in unparsed if item.many],
        "kind": kind,
        "orders": grid.orders,
        "findings": read.findings,
        "inputs": read.inputs,
        "settings": settings,
    }

    return Results(values, _COLUMNS, partial(_save, values))


def _save(
    values: Mapping[str, Any], folder: Path | str, workspace: Workspace | None = None
) -> None:
    """Write `scores.csv`, the tables beside it and their manifest: all or none."""
    found = Results(values, _COLUMNS)
    tables = {name: it for name, it in found.tables.items() if it[1] or name != "surveyed"}
    folders.save_tables(
        tables,
        workspace,
        Path(folder),
        found.inputs,
        missing_counts(found),
        found.settings,
        command="evaluate score",
        draw=partial(write_tallies, frame=found.tallies),
    )


def missing_counts(found: Results) -> dict[str, int]:
    """How many requests of each model have no reply, as a manifest names them."""
    return {f"missing {model}": missing for model, missing in found.missing.items()}


_COLUMNS = {
    "scores": SCORE_COLUMNS,
    "positions": POSITION_COLUMNS,
    "templates": TEMPLATE_COLUMNS,
    "variance": VARIANCE_COLUMNS,
    "effects": EFFECT_COLUMNS,
    "surveyed": SURVEYED_COLUMNS,
}
"""The tables of scores, by the names of their files."""
