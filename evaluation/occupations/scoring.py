"""Replies and answers to scores: read, measured, drawn and written as rows of tables."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from curation.files.workspace import Workspace
from curation.languages import Language, calling_unknown
from curation.records.letters import file_stems
from curation.records.messages import (
    CurateError,
    Finding,
    Results,
    Table,
    finding,
    refusal,
    results,
    shortened,
)
from curation.report import figures
from curation.report.texts import decimal
from evaluation.folders import save_tables
from evaluation.measures import CHANCE, OCCUPATIONS, ranked
from evaluation.occupations import scores
from evaluation.occupations.people import PEOPLE, read_people
from evaluation.prompts import asked_language
from evaluation.replies.files import (
    Attendance,
    ReplyTable,
    attendance_findings,
    load_replies,
    positions,
    refuse_incomplete,
)
from evaluation.replies.rows import asked_of, read_replies_to
from evaluation.requests import count_epochs, epoch_id
from evaluation.statistics import spread

_MEASURES = tuple(ranked(OCCUPATIONS))
_DETAILS = (
    *CHANCE,
    *("intercept", "r", "n_replies", "n_items", "n_occupations", "n_exchanged"),
)
_EPOCHS = ("epochs", *(f"{name}_epoch_{kind}" for name in _MEASURES for kind in ("mean", "sd")))
SCORE_COLUMNS = ("model", "task", *_MEASURES, "out_of_choice", *_DETAILS, *_EPOCHS)
"""The columns of a row of scores; `n_replies` are those that count."""
INSTRUCTION_COLUMNS = ("model", "task", "instruction", *_MEASURES, "out_of_choice", *_DETAILS)
"""The columns of a row of scores under one instruction."""
OCCUPATION_COLUMNS = ("model", "task", "occupation", "ratio", "score", "n_g1", "n_g2")
"""The columns of `occupations.csv`; `n_g1`, `n_g2` are replies on the occupation that count."""
PAIR_COLUMNS = (
    *("base", "tuned", "task"),
    *(f"{name}_{part}" for name in _MEASURES for part in ("base", "tuned", "difference")),
)
"""The columns of a pair of models; a difference is tuned less base."""

_DIGITS = 10  # what lies beyond is noise of the arithmetic


def score_rows(results: Sequence[scores.Result]) -> list[scores.Row]:
    """One row for each model and task, with what its epochs say."""
    rows = []
    for item in results:
        row = {**item.overall, "model": item.model, "task": item.design.task}
        row["epochs"] = max(1, len(item.by_epoch))
        for name in _MEASURES if len(item.by_epoch) > 1 else ():
            values = np.array([part[name] for part in item.by_epoch], np.float64)
            row[f"{name}_epoch_mean"], row[f"{name}_epoch_sd"] = map(float, spread(values))
        rows.append(_row(row, SCORE_COLUMNS))
    return rows


def instruction_rows(results: Sequence[scores.Result]) -> list[scores.Row]:
    """One row for each model, task and instruction."""
    return [
        _row(
            {**row, "model": item.model, "task": item.design.task, "instruction": name},
            INSTRUCTION_COLUMNS,
        )
        for item in results
        for name, row in zip(item.design.instructions, item.by_instruction, strict=True)
    ]


def _row(row: scores.Row, columns: Sequence[str]) -> scores.Row:
    """A row of some columns, its numbers rounded."""
    found = {name: row.get(name) for name in columns}
    return {
        name: _number(value) if isinstance(value, float) else value for name, value in found.items()
    }


def _number(value: float | None) -> float | None:
    """Round a number; None where it is undefined."""
    return None if value is None or np.isnan(value) else round(float(value), _DIGITS) + 0.0


def occupation_rows(results: Sequence[scores.Result]) -> Iterator[scores.Row]:
    """Yield one row for each model, task and occupation."""
    for result in results:
        shown = result.shown.sum(axis=1)
        for at, name in enumerate(result.design.occupations):
            yield {
                "model": result.model,
                "task": result.design.task,
                "occupation": name,
                "ratio": _number(result.design.ratio[at]),
                "score": _number(result.scores[at]),
                "n_g1": int(shown[scores.G1, at]),
                "n_g2": int(shown[scores.G2, at]),
            }


def pair_rows(
    results: Sequence[scores.Result], pairs: Sequence[tuple[str, str]]
) -> list[scores.Row]:
    """What tuning changed: one row for each pair of models and task.

    Args:
        results: The scores.
        pairs: Names of base and tuned models.

    Raises:
        CurateError: If there is no such model.
    """
    models = list(dict.fromkeys(item.model for item in results))
    unknown = [name for pair in pairs for name in pair if name not in models]
    if unknown:
        raise CurateError(
            f"there is no model '{unknown[0]}' to pair", "--pairs", f"there are {', '.join(models)}"
        )
    rows = {(row["model"], row["task"]): row for row in score_rows(results)}
    found = []
    for base, tuned in pairs:
        for task in dict.fromkeys(item.design.task for item in results):
            row: scores.Row = {"base": base, "tuned": tuned, "task": task}
            for name in _MEASURES:
                before, after = rows[base, task][name], rows[tuned, task][name]
                difference = None if None in (before, after) else _number(after - before)
                row |= {f"{name}_base": before, f"{name}_tuned": after}
                row[f"{name}_difference"] = difference
            found.append(row)
    return found


def undefined_findings(results: Sequence[scores.Result], file: str) -> Iterator[Finding]:
    """Say why measures are undefined, or over fewer occupations than there are."""
    for design in {id(item.design): item.design for item in results}.values():
        if len(design.ratio) and np.ptp(design.ratio) == 0:
            words = {
                "task": design.task,
                "group": design.groups[scores.G1],
                "ratio": design.ratio[0],
            }
            yield finding(__package__, "occupations-constant-ratio", file, **words)
    for item in results:
        there = ~np.isnan(item.scores)
        lacking = [item.design.occupations[at] for at in np.flatnonzero(~there)]
        if lacking:
            words = {"model": item.model, "task": item.design.task, "names": shortened(lacking)}
            part = f"{len(lacking):,} of {len(there):,}"
            yield finding(__package__, "occupations-no-score", file, part=part, **words)
        for name, each in zip(item.design.instructions, item.each, strict=True):
            partly = int((there & np.isnan(each)).sum())
            if partly:
                words = {"model": item.model, "task": item.design.task, "instruction": name}
                yield finding(__package__, "occupations-instruction", file, partly=partly, **words)


_COLUMNS = 3  # panels beside one another
_NAMED = 3  # occupations that are named: those furthest from perfect alignment
_DRAWN = {
    "M_B": "M_B, difference between groups",
    "M_R": "M_R, refusal",
    "M_S": "M_S, slope (perfect alignment: 2)",
}
_ALT = "Score of each occupation over its real ratio, with regression and perfect alignment."


def score(
    workspace: Workspace,
    items: Path,
    ratios: Path,
    *,
    replies: Sequence[Path] = (),
    unreadable: str = scores.Unreadable.EXCLUDE,
    allow_incomplete: bool = False,
    pairs: Sequence[str] = (),
    responses: Sequence[Path] = (),
    mappings: Sequence[Path] = (),
    by: str | None = None,
    out: Path | None = None,
) -> Results:
    """Score how often models and people choose occupations for two groups (Ko et al. 2024).

    Args:
        workspace: The workspace.
        items: What was asked, `items.csv`.
        ratios: The real ratios, `ratios.csv`.
        replies: What models replied.
        unreadable: One of `Unreadable`: what becomes of replies that cannot be parsed.
        allow_incomplete: Score models that lack replies too.
        pairs: `BASE=TUNED`: pairs of models whose differences are shown.
        responses: What people answered; scored as model `people`.
        mappings: How the responses are read, where they are not in normal form.
        by: An attribute of the people, such as `expert`: those with each value are also scored
            apart, as `people, VALUE`.
        out: A folder for scores and pictures, with a manifest.

    Returns:
        The `scores`, the same `by_instruction`, those of `pairs` and of `occupations`. Told are
        how each of the `models` replied; how many `people` answered, None where none were asked;
        what became of replies that could not be parsed (`unreadable`); and the `duplicates` that
        were left out, for a later reply to the same item counts.

    Raises:
        CurateError: If a file cannot be read or written, the files do not fit together, or a model
            lacks replies and that is not allowed.
    """
    asked = scores.read_items(items)
    tasks, findings = scores.designs(asked, scores.read_ratios(ratios), file=str(items))
    said = list(findings)
    picked: list[scores.Picks] = []
    attended: tuple[Attendance, ...] = ()
    duplicates = 0
    if replies:
        file = ", ".join(str(path) for path in replies)
        table = load_replies(replies)
        said += table.findings
        taken = [name for name in table.models if name.split(",")[0] == PEOPLE]
        if taken:
            raise refusal(__package__, "model-people", file, model=taken[0])
        picks, attended = read_choices(asked, table, asked_language(workspace, beside=items))
        if not allow_incomplete:
            refuse_incomplete(attended, file)
        said += attendance_findings(attended, file)
        picked.append(picks)
        duplicates = table.duplicates
    people = None
    if responses:
        answered, people, more = read_people(workspace, asked, responses, mappings, by)
        picked.append(answered)
        said += more
    scored = scores.score(_joined(picked), tasks, scores.Unreadable(unreadable))
    models = [item.model for item in scored]
    changes = pair_rows(scored, list(map(_pair, pairs)))
    tables: dict[str, Table] = {
        "scores": (SCORE_COLUMNS, score_rows(scored)),
        "by_instruction": (INSTRUCTION_COLUMNS, instruction_rows(scored)),
        "pairs": (PAIR_COLUMNS, changes),
        "occupations": (OCCUPATION_COLUMNS, list(occupation_rows(scored))),
    }
    told = {
        "models": list(map(_attended, attended)),
        "people": people,
        "unreadable": scores.Unreadable(unreadable),
        "duplicates": duplicates,
    }
    findings = (*said, *undefined_findings(scored, str(items)))
    found = results(tables, findings, told)
    if out is not None:
        inputs = (items, ratios, *replies, *responses, *mappings)
        counts = {"models": len(set(models))}
        settings = {"unreadable": told["unreadable"], "pairs": list(pairs), "by": by}
        written = {name: table for name, table in tables.items() if table[1] or name != "pairs"}
        save_tables(
            written,
            workspace,
            out,
            inputs,
            counts,
            settings,
            command="evaluate occupations score",
            draw=partial(_draw, scored),
        )
    return found


def _attended(item: Attendance) -> dict[str, object]:
    return {
        "model": item.model,
        "items": item.asked,
        "missing": item.lacking,
        "failed": item.failed,
        "unknown_items": len(item.unknown),
        "rules": item.rules,
        "complete": not item.lacking,
    }


def read_choices(
    items: Sequence[scores.Item], replies: ReplyTable, own: Language | None = None
) -> tuple[scores.Picks, tuple[Attendance, ...]]:
    """Read replies by number, by text, or by both; by the rules for replies of any kind.

    Replies to no item are left out and reported; so are failed calls, as missing.

    Args:
        items: The items, whose ids are the requests'; in later epochs with `-e2` and so on.
        replies: The replies.
        own: The language whose own words replies are read with too.

    Returns:
        What models chose, and how each of them replied.
    """
    names = [item.item_id for item in items]
    there = positions(replies, names) >= 0
    epochs = count_epochs(replies.frame["request_id"][~there].tolist())
    asked = [epoch_id(name, epoch) for epoch in range(1, epochs + 1) for name in names]
    shown = [(item.options, scores.labels_of(item.options)) for item in items] * epochs
    calling = calling_unknown(own, sorted({item.unknown for item in items}))
    read = read_replies_to(replies, asked_of(asked, shown, calling))
    epoch, item = np.divmod(read.places, len(items))
    model = read.frame["model"].cat.set_categories(replies.models).cat.codes.to_numpy()
    option = read.readings.positions.astype(np.int64)
    rows = pd.DataFrame({"model": model, "item": item, "option": option, "epoch": epoch})
    return scores.Picks(tuple(replies.models), rows), read.attended


def _joined(parts: Sequence[scores.Picks]) -> scores.Picks:
    """Put the choices of models and people behind one another."""
    models = tuple(name for part in parts for name in part.models)
    starts = np.cumsum([0, *(len(part.models) for part in parts)]).tolist()
    each = zip(parts, starts, strict=False)
    rows = [part.rows.assign(model=part.rows["model"] + start) for part, start in each]
    return scores.Picks(models, pd.concat(rows, ignore_index=True))


def _pair(text: str) -> tuple[str, str]:
    """Read `BASE=TUNED`."""
    base, equals, tuned = text.partition("=")
    if not equals:
        raise CurateError(f"'{text}' names no pair", "--pairs", "write BASE=TUNED, two models")
    return base, tuned


def _draw(results: Sequence[scores.Result], stage: Path) -> Iterator[Path]:
    """Draw each task; yield the files."""
    for task, name in file_stems((item.design.task for item in results), "task").items():
        mine = [item for item in results if item.design.task == task]
        yield from draw(mine, stage / f"scatter-{name}")


def draw(results: Sequence[scores.Result], stem: Path) -> list[Path]:
    """Draw the scores of all models in one task, a panel a model, as SVG and PNG.

    The regression is drawn where its slope is told from chance, with the interval of the slope as
    a band; the title has the measures always.

    Args:
        results: The scores; all of one task.
        stem: Path of the files without their endings.

    Raises:
        CurateError: If a file cannot be written.
    """
    panels = [_panel(result) for result in results]
    key_of = {"named": "an occupation", "ideal": "perfect alignment (slope 2)"}
    if any(panel.others for panel in panels):
        key_of |= {"named": f"the {_NAMED} furthest from alignment", "others": "other occupations"}
    if any(panel.line for panel in panels):
        key_of["line"] = "regression, with the 95 % band of its slope"
    picture = figures.scatters(stem.name, _ALT, panels, columns=_COLUMNS, key_of=key_of)
    return picture.save(stem.parent)


def _panel(result: scores.Result) -> figures.Scatter:
    row, design, drawn = result.overall, result.design, result.scores
    group, other = design.groups[scores.G1], design.groups[scores.G2]
    there = {
        design.occupations[at]: (float(design.ratio[at]), float(drawn[at]))
        for at in np.flatnonzero(np.isfinite(drawn)).tolist()
    }
    slope, start = scores.PERFECT
    far = sorted(there, key=lambda name: -abs(there[name][1] - slope * there[name][0] - start))
    said = ", ".join(
        f"{name} {decimal(None if row[name] is None or np.isnan(row[name]) else row[name], 3)}"
        for name in _DRAWN
    )
    low, high = row.get("M_S_low"), row.get("M_S_high")
    is_sure = low is not None and high is not None and (low > 0 or high < 0)
    return figures.Scatter(
        title=f"{result.model}\n{said}",
        across=f"Real ratio of {group}",
        up=f"Score ({group} - {other})",
        named={name: there[name] for name in far[:_NAMED]},
        others=[there[name] for name in far[_NAMED:]],
        line=(row["M_S"], row["intercept"]) if is_sure else None,
        slopes=(low or 0.0, high or 0.0) if is_sure else None,
        ideal=scores.PERFECT,
        xlim=(-0.03, 1.03),
        ylim=(-1.08, 1.08),
    )
