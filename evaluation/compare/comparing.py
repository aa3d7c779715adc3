"""Whether scores differ by more than chance: groups, models, benchmarks, sets.

What is compared are folders that `curate evaluate score --out` wrote; what is tested are the
scores of single templates, or of prompts.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from curation.files.atomic import write_file
from curation.files.workspace import Workspace
from curation.intervals import LEVEL as INTERVAL
from curation.records.messages import CurateError, Results, Table, refusal
from curation.report.figures import Panel, Picture, dot, forest, look, told
from evaluation.compare.sides import Given, Pair, Side, listed, read_side
from evaluation.compare.standings import bank_rows, in_use, notes_of, page_of, tables_of
from evaluation.compare.testing import (
    BENCHMARK_COLUMNS,
    GROUP_TABLES,
    GROUPINGS,
    LEVEL,
    MODEL_COLUMNS,
    PAIRED,
    RANK_COLUMNS,
    GroupTests,
    Normalised,
    PairedUnit,
    compare_benchmarks,
    compare_models,
    group_tests,
    model_ranks,
)
from evaluation.folders import Row, said, save_tables
from evaluation.qa.metrics import BOUNDS, MAIN, METRICS
from evaluation.qa.samples import BBQ, TEMPLATES, Source
from evaluation.qa.score import TALLIES, read_scored, refuse_unlike, unlike
from evaluation.statistics import FEWEST, corrected


def across_cultures(rows: Sequence[Row]) -> Picture:
    """Draw the differences of every model, overall and by category, a panel for each score.

    Args:
        rows: With the columns of `CULTURE_COLUMNS`.
    """

    def line(row: Row) -> str:
        return f"{row['set_1']} \N{MINUS SIGN} {row['set_2']}: {row['group'] or 'all shared'}"

    alt = "Differences of paired templates between benchmarks, with 95 % intervals."
    shown = [(line(row), row) for row in rows if row["group_by"] != "label"]
    columns = ("difference", "low", "high")
    return _drawn("across_cultures", alt, shown, columns, "first minus second")


def means_of_groups(found: GroupTests, group_by: str, *, normalised: bool) -> Picture | None:
    """Draw the mean scores of each group with the interval by which groups are compared.

    Normalised ones are all drawn; others are diff-bias alone, which has a 0 in common.

    Args:
        found: The tests.
        group_by: Which grouping.
        normalised: Whether scores were normalised.

    Returns:
        None where nothing was tested.
    """
    shown = [
        (str(row["group"]), row)
        for row in found["means"]
        if row["group_by"] == group_by and (normalised or row["metric"] in BOUNDS)
    ]
    what = "Normalised score" if normalised else "Diff-bias"
    alt = (
        f"{what} by {group_by}, means with 99 % comparison intervals: groups whose intervals do "
        "not overlap differ by Tukey's test."
    )
    columns = ("mean", "compare_low", "compare_high")
    return _drawn(f"means_by_{group_by}", alt, shown, columns, what) if shown else None


def _drawn(
    name: str,
    alt: str,
    rows: Sequence[tuple[str, Row]],
    columns: tuple[str, str, str],
    across: str,
) -> Picture:
    """Draw a panel for each score, with a series for each model.

    Args:
        name: Name of the files.
        alt: What the picture shows.
        rows: Each with the name of its line.
        columns: Of a row's value, and of the ends of its interval.
        across: What the axis is.
    """
    lines = list(dict.fromkeys(line for line, _ in rows))
    models, metrics = (
        list(dict.fromkeys(str(row[it]) for _, row in rows)) for it in ("model", "metric")
    )
    dots = {}
    for line, row in rows:
        value, low, high = (row[it] for it in columns)
        score: Row = {"it": value, "it_low": low, "it_high": high}
        score["interval_note"] = row.get("interval_note")
        dots[line, row["model"], row["metric"]] = dot(score, "it")
    panels, said = [], []
    for metric in metrics:
        title = METRICS[metric].title
        series = [[dots.get((line, model, metric)) for line in lines] for model in models]
        panels.append(Panel(title, across, series, [look(at) for at in range(len(models))]))
        said += [
            f"{title}, {model}: {'; '.join(told(lines, own))}."
            for model, own in zip(models, series, strict=True)
        ]
    alt = f"{alt} {' '.join(said)}"
    return forest(name, alt, lines, panels, columns=min(2, len(panels)), names=models)


PAGE = "index.html"
"""The page of a comparison, in its folder."""
PAIR_COLUMNS = ("model", "label", *PAIRED)
"""One row for each model, label and score of two benchmarks, over templates that come from the same
ones; an empty label is all of them. Holm's correction is over all rows of a model."""
CULTURE_COLUMNS = ("model", "set_1", "set_2", "group_by", "group", *PAIRED)
"""One row for each model, further set, group and score. `difference` is that of the first set minus
the further one. `group_by` is `overall`, `category` (the source's) or `label` (those of both sets,
where there are several); Holm's correction is over all rows of a model and a `group_by`."""
SHARED_COLUMNS = (
    "source",
    "source_category",
    "source_id",
    "set",
    "templates",
    "label",
    "shared_with",
)
"""One row for each template that a set comes from, and each set that has it. `templates` are those
of the set, `shared_with` the other sets that have it; joined by commas."""


Drawings = Sequence[Callable[[], Picture | None]]
"""What draws the pictures of a comparison, which takes a while; of what is not tested there is
none."""


def _compared(
    tables: Mapping[str, Table],
    notes: Sequence[str],
    settings: Mapping[str, object],
    differ: Sequence[str] = (),
    *,
    inputs: Mapping[str, Path],
    drawings: Drawings = (),
    page: Callable[[Sequence[Picture]], str] | None = None,
) -> Results:
    """The tests of a comparison, which are written to a folder with their pictures by `save`.

    Args:
        tables: By name of a table its columns and rows.
        notes: What was left out.
        settings: What shaped the tests.
        differ: In what the sides differ besides their samples, which is said before anything else.
        inputs: The files that were compared, by the name that a manifest gives.
        drawings: What draws its pictures.
        page: What sets it out as a page with its pictures; None where there is none.
    """
    rows = {name: list(rows) for name, (_, rows) in tables.items()}
    if any(row.get("interval_note") for table in rows.values() for row in table):
        notes = [*notes, f"* fewer than {FEWEST} templates: compare such scores with care"]
    told_of = {"unlike": list(differ), "notes": tuple(notes), **settings}
    columns = {name: columns for name, (columns, _) in tables.items()}
    shaped = {**settings, **({"unlike": tuple(differ)} if differ else {})}
    save = partial(_save, tables, inputs, shaped, drawings, page)
    return Results({**rows, **told_of}, columns, save)


def _save(
    tables: Mapping[str, Table],
    inputs: Mapping[str, Path],
    settings: Mapping[str, object],
    drawings: Drawings,
    page: Callable[[Sequence[Picture]], str] | None,
    folder: Path | str,
    workspace: Workspace | None = None,
) -> None:
    counts = {name: len(rows) for name, (_, rows) in tables.items()}

    def draw(stage: Path) -> Iterator[Path]:
        drawn = [it for drawing in drawings if (it := drawing()) is not None]
        for picture in drawn:
            yield from picture.save(stage)
        if page is not None:
            write_file(stage / PAGE, page(drawn))

    given = (tables, workspace, Path(folder), inputs, counts, settings)
    save_tables(*given, command="evaluate compare", draw=draw, what="tables")


def _tallies(*folders: Path) -> dict[str, Path]:
    """The counts of folders of scores, as a manifest names them."""
    return {f"{at}: {TALLIES}": folder / TALLIES for at, folder in enumerate(folders, 1)}


def groups(
    folder: Path,
    by: Sequence[str] = GROUPINGS,
    unit: PairedUnit = PairedUnit.TEMPLATE,
    pooled: Normalised | None = None,
) -> Results:
    """Test whether each model's scores differ between categories or labels.

    By ANOVA, Tukey's HSD and the permutations of the largest Welch t.

    Args:
        folder: Scores.
        by: `category`, `label` or both.
        unit: What one value is the score of.
        pooled: How scores are normalised to test all models together; None tests each by itself.

    Raises:
        CurateError: If the folder holds no scores.
    """
    scored = read_scored(folder)
    frames = {model: scored.of(model) for model in scored.models}
    settings: dict[str, object] = {"unit": unit.value, "level": LEVEL, "set": scored.kind.value}
    if pooled is not None:
        settings |= {"normalised": pooled.value, "models": scored.models}
    found = group_tests(frames, by, unit, scored.kind, pooled)
    skipped = sorted({str(row["group"]) for row in found["skipped"]})
    notes = [said("compare-few", names=skipped)] if skipped else []
    notes += [said("compare-means")] if found["means"] else []
    tables = {name: (columns, found[name]) for name, columns in GROUP_TABLES.items()}
    drawings = tuple(
        partial(means_of_groups, found, name, normalised=pooled is not None) for name in by
    )
    return _compared(tables, notes, settings, inputs=_tallies(folder), drawings=drawings)


def models(folder: Path, names: Sequence[str] = ()) -> Results:
    """Compare every two models that were asked the same requests, template by template.

    Args:
        folder: Scores.
        names: Which models, two or more; none for all of the folder.

    Raises:
        CurateError: If the folder holds no scores, or there are fewer than two models, or two
            were not asked the same.
    """
    scored = read_scored(folder)
    chosen = list(dict.fromkeys(names)) or scored.models
    if len(chosen) < 2:
        raise refusal("evaluation", "compare-one-model", str(folder), model=", ".join(chosen))
    rows = compare_models(scored, chosen)
    settings = {"level": INTERVAL, "set": scored.kind.value}
    tables = {"models": (MODEL_COLUMNS, rows), "ranks": (RANK_COLUMNS, model_ranks(rows))}
    return _compared(tables, (), settings, inputs=_tallies(folder))


def benchmarks(first: Path, second: Path, unit: PairedUnit = PairedUnit.TEMPLATE) -> Results:
    """Compare the scores of the same models in two folders, overall and by label.

    All values of one are compared with all of the other; and, where templates of both come from
    the same ones, as pairs.

    Args:
        first: Scores on a benchmark, or on its test set.
        second: Scores on another one, or on the entire set.
        unit: What one value is the score of.

    Raises:
        CurateError: If a folder holds no scores, or they have no model in common.
    """
    one, two = read_scored(first), read_scored(second)
    rows = list(compare_benchmarks(one, two, unit))
    if not rows:
        where = "; ".join(f"{it.folder}: {', '.join(it.models)}" for it in (one, two))
        raise refusal("evaluation", "compare-no-model", where, sides="the two folders")
    alone = sorted(set(one.models) ^ set(two.models))
    notes = [f"in only one folder, and left out: {', '.join(alone)}"] if alone else []
    paired, told = _pairs(first, second, [name for name in one.models if name in two.models])
    sides = ("first", one.measured), ("second", two.measured)
    settings = {
        "unit": unit.value,
        "set_1": one.kind.value,
        "set_2": two.kind.value,
        "measured": dict(sides),
    }
    differ = tuple(unlike(*sides))
    tables = {"benchmarks": (BENCHMARK_COLUMNS, rows), "pairs": (PAIR_COLUMNS, paired)}
    inputs = _tallies(first, second)
    return _compared(tables, (*notes, *told), settings, differ, inputs=inputs)


def _pairs(first: Path, second: Path, models: Sequence[str]) -> tuple[list[Row], tuple[str, ...]]:
    """The rows of templates that are pairs, and what is to be said of them."""
    if not all((folder / TEMPLATES).exists() for folder in (first, second)):
        return [], (said("compare-unpaired", file=TEMPLATES),)
    names = ("first", "second")
    sides = [read_side(Given(*item)) for item in zip(names, (first, second), strict=True)]
    pair = Pair.of(*sides)
    notes = [*(note for side in sides for note in side.notes), *pair.notes()]
    if not pair.shared:
        return [], (*notes, "without pairs: no template of both comes from the same one")
    notes.append(f"pairs: {len(pair.shared):,} templates of the source are in both")
    rows: list[Row] = []
    for model in models:
        found = [row for row in pair.rows(model, MAIN) if row["group_by"] != "category"]
        rows += corrected([{"model": model, "label": row["group"], **row} for row in found])
    return [{name: row[name] for name in PAIR_COLUMNS} for row in rows], tuple(notes)


def cultures(
    given: Sequence[Given],
    names: Sequence[str] = (),
    metrics: Sequence[str] = MAIN,
) -> Results:
    """Compare the same models on the benchmarks of several cultures, each with the first.

    Templates are pairs where they come from the same template of a published set, such as BBQ.

    Args:
        given: The benchmarks with what models answered, two or more.
        names: Which models; none for all that the first and a further one share.
        metrics: Which scores, of `METRICS`.

    Raises:
        CurateError: If a folder cannot be read, a set lacks a model, two share no template or no
            model, or were not measured alike.
    """
    refuse_doubled(given)
    sides = [read_side(item) for item in given]
    first, others = sides[0], sides[1:]
    for other in others:
        where = f"{first.folder}; {other.folder}"
        refuse_unlike((first.name, first.measured), (other.name, other.measured), where)
    pairs = [_paired(first, other, given[at]) for at, other in enumerate(others, start=1)]
    rows: list[Row] = []
    notes = [note for side in sides for note in side.notes]
    for pair in pairs:
        chosen = _models(pair, names)
        for model in chosen:
            head: Row = {"model": model, "set_1": pair.first.name, "set_2": pair.second.name}
            rows += [{**head, **row} for row in pair.rows(model, metrics)]
        alone = sorted({*pair.first.models, *pair.second.models} - {*chosen})
        if alone and not names:
            both = f"{pair.first.name} and {pair.second.name}"
            notes.append(f"not on both {both}, and left out: {', '.join(alone)}")
        notes += [*pair.notes(), _said(pair)]

    tested = _in_families(rows)
    tables = {
        "cultures": (
            CULTURE_COLUMNS,
            [{name: row[name] for name in CULTURE_COLUMNS} for row in tested],
        ),
        "shared": (SHARED_COLUMNS, list(_shared(sides))),
    }
    settings = {
        "sets": [side.name for side in sides],
        "measured": {side.name: side.measured for side in sides},
    }
    files = {f"{side.name}: {side.file.name}": side.file for side in sides}
    drawings = (partial(across_cultures, tables["cultures"][1]),)
    distinct = tuple(dict.fromkeys(notes))
    differ = tuple(
        line
        for other in others
        for line in unlike((first.name, first.measured), (other.name, other.measured))
    )
    return _compared(tables, distinct, settings, differ, inputs=files, drawings=drawings)


def banks(given: Sequence[Given]) -> Results:
    """Show which stereotypes hold in which of several banks, and why others do not.

    Templates are pairs where they come from the same template of a published set, such as BBQ.

    Args:
        given: The workspaces or packages, two or more.

    Raises:
        CurateError: If a folder has no workspace, a file cannot be read, or the first and a further
            bank share no template.
    """
    refuse_doubled(given)
    read = {item.name: bank_rows(item) for item in given}
    sides = {name: rows for name, (rows, _) in read.items()}
    files = {f"{name}: {file.name}": file for name, (_, file) in read.items()}
    tables = tables_of(sides)
    names = list(sides)
    notes = tuple(notes_of(sides, {name: file for name, (_, file) in read.items()}))
    return _compared(
        tables,
        notes,
        {"sets": names},
        inputs=files,
        drawings=(partial(in_use, tables["standings"][1], names),),
        page=partial(page_of, tables, names, notes),
    )


def refuse_doubled(given: Sequence[Given]) -> None:
    """Refuse two sets of one name.

    Raises:
        CurateError: If it is so.
    """
    named = [item.name for item in given]
    doubled = [name for name in named if named.count(name) > 1]
    if doubled:
        hint = "give them different names: NAME=FOLDER"
        raise CurateError(f"two sets are named {doubled[0]}", hint=hint)


def _paired(first: Side, other: Side, given: Given) -> Pair:
    pair = Pair.of(first, other)
    if not pair.shared:
        is_told = BBQ in {found.set for found in other.sources.values()}
        key = "compare-no-template" if is_told else "compare-no-source"
        where = "; ".join(f"{it.name}: {listed(it.sources.values())}" for it in (first, other))
        words = {"one": first.name, "two": other.name, "given": given.name}
        raise refusal("evaluation", key, where, **words)
    return pair


def _models(pair: Pair, names: Sequence[str]) -> list[str]:
    for side in (pair.first, pair.second):
        lacking = [name for name in names if name not in side.models]
        if lacking:
            words = {"side": side.name, "model": lacking[0], "models": side.models}
            raise refusal("evaluation", "compare-lacking", str(side.folder), **words)
    shared = [name for name in pair.first.models if name in set(pair.second.models)]
    if not shared:
        sides = pair.first, pair.second
        where = "; ".join(f"{side.name}: {', '.join(side.models)}" for side in sides)
        both = " and ".join(side.name for side in sides)
        raise refusal("evaluation", "compare-no-model", where, sides=both)
    return list(dict.fromkeys(names)) or shared


def _said(pair: Pair) -> str:
    """How many templates two sides share, and how they are labelled."""
    counts = Counter(map(pair.label, pair.shared))
    told = ", ".join(f"{number:,} {label or 'without a label'}" for label, number in counts.items())
    sides = {"one": pair.first.name, "two": pair.second.name}
    return said("compare-shared", count=len(pair.shared), told=told, **sides)


def _shared(sides: Sequence[Side]) -> Iterator[Row]:
    """Yield for each source and set the templates that come from it."""
    categories: Mapping[Source, str] = {
        source: text for side in reversed(sides) for source, text in side.categories.items()
    }
    of: dict[Source, list[Side]] = {}
    for side in sides:
        for source in dict.fromkeys(side.sources.values()):
            of.setdefault(source, []).append(side)
    for source, having in of.items():
        for side in having:
            yield {
                "source": source.set,
                "source_category": categories[source],
                "source_id": source.number,
                "set": side.name,
                "templates": ", ".join(side.of_source(source)),
                "label": side.label(source),
                "shared_with": ", ".join(item.name for item in having if item is not side),
            }


_ORDER = {name: at for at, name in enumerate(("overall", "category", "label"))}


def _in_families(rows: Sequence[Row]) -> list[Row]:
    """Correct the tests of each model and grouping by Holm; they are put in that order."""
    families: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        families.setdefault((str(row["model"]), str(row["group_by"])), []).append(row)
    order = sorted(families, key=lambda family: (family[0], _ORDER[family[1]]))
    return [row for family in order for row in corrected(families[family])]
