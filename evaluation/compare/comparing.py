"""Whether scores differ by more than chance: groups, models, benchmarks, sets.

What is compared are folders that `curate evaluate score --out` wrote; what is tested are the
scores of single templates, or of prompts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pandas as pd

from curation.files.tables import write_csv
from curation.files.workspace import Workspace
from curation.intervals import LEVEL as INTERVAL
from curation.records.errors import CurateError
from curation.report.figures import Picture
from evaluation.compare.anova import (
    ANOVA_COLUMNS,
    GROUPINGS,
    MEAN_COLUMNS,
    PERMUTATION_COLUMNS,
    TUKEY_COLUMNS,
    group_tests,
)
from evaluation.compare.pairing import Pair
from evaluation.compare.pairs import PAIRED
from evaluation.compare.permutation import LEVEL
from evaluation.compare.pictures import means_of_groups
from evaluation.compare.pooled import Normalised, pooled_tests
from evaluation.compare.sides import Given, read_side
from evaluation.compare.values import Unit, corrected
from evaluation.compare.wilcoxon import (
    BENCHMARK_COLUMNS,
    MODEL_COLUMNS,
    RANK_COLUMNS,
    compare_benchmarks,
    compare_models,
    model_ranks,
)
from evaluation.folders import result_folder
from evaluation.qa.measured import unlike
from evaluation.qa.metrics import MAIN
from evaluation.qa.score import Row, cells
from evaluation.qa.sources import TEMPLATES
from evaluation.qa.tallies import TALLIES, read_scored

PAIR_COLUMNS = ("model", "label", *PAIRED)
"""One row for each model, label and score of two benchmarks, over templates that come from the same
ones; an empty label is all of them. Holm's correction is over all rows of a model."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The tests of a comparison.

    Attributes:
        tables: By name of a table its columns and rows.
        notes: What was left out.
        settings: What shaped the tests.
        unlike: In what the sides differ besides their samples, which is said before anything else.
        folders: The folders of scores that were compared.
        inputs: Files that were compared in place of folders, by the name that a manifest gives.
        drawings: What draws its pictures, which takes a while.
    """

    tables: Mapping[str, tuple[Sequence[str], Sequence[Row]]]
    notes: tuple[str, ...]
    settings: Mapping[str, object]
    unlike: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    inputs: Mapping[str, Path] = field(default_factory=dict)
    drawings: tuple[Callable[[], Picture | None], ...] = field(default=(), compare=False)

    def pictures(self) -> tuple[Picture, ...]:
        """Draw its pictures; of what could not be tested there is none."""
        drawn = (drawing() for drawing in self.drawings)
        return tuple(picture for picture in drawn if picture is not None)

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """A table, the first where none is named: names are text, numbers float64.

        Text is `str` (`object` before pandas 3); counts without an undefined one are int64.
        """
        columns, rows = self.tables[name or next(iter(self.tables))]
        return pd.DataFrame(list(rows), columns=list(columns))

    def save(self, folder: Path | str, workspace: Workspace | None = None) -> None:
        """Write the tables as CSV and the pictures, with a manifest: all or none.

        Args:
            folder: Where to.
            workspace: The workspace; its `wait` says how long to wait for other commands.

        Raises:
            CurateError: If a file cannot be written, or another command writes there for too
                long.
        """
        inputs = dict(self.inputs) | {
            f"{number}: {TALLIES}": item / TALLIES for number, item in enumerate(self.folders, 1)
        }
        counts = {name: len(rows) for name, (_, rows) in self.tables.items()}
        settings = {**self.settings, **({"unlike": self.unlike} if self.unlike else {})}
        given = (workspace, Path(folder), inputs, counts, settings)
        with result_folder(*given, command="evaluate compare", what="tables") as stage:
            for name, (columns, rows) in self.tables.items():
                write_csv(stage / f"{name}.csv", columns, cells(rows, columns))
            for picture in self.pictures():
                picture.save(stage)


def groups(
    folder: Path,
    by: Sequence[str] = GROUPINGS,
    unit: Unit = Unit.TEMPLATE,
    pooled: Normalised | None = None,
) -> Comparison:
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
    if pooled is None:
        found = group_tests(frames, by, unit, scored.kind)
    else:
        found = pooled_tests(frames, by, unit, scored.kind, pooled)
        settings |= {"normalised": pooled.value, "models": scored.models}
    skipped = sorted({name for _, name in found.skipped})
    notes = [f"with fewer than two values, and left out: {', '.join(skipped)}"] if skipped else []
    tables = {
        "anova": (ANOVA_COLUMNS, found.anova),
        "tukey": (TUKEY_COLUMNS, found.tukey),
        "permutation": (PERMUTATION_COLUMNS, found.permutation),
        "means": (MEAN_COLUMNS, found.means),
    }
    drawings = tuple(
        partial(means_of_groups, found, name, normalised=pooled is not None) for name in by
    )
    return Comparison(tables, tuple(notes), settings, folders=(folder,), drawings=drawings)


def models(folder: Path, names: Sequence[str] = ()) -> Comparison:
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
        raise CurateError(
            f"two models or more are compared, and this is one: {', '.join(chosen)}",
            str(folder),
            "score the replies of several together: curate evaluate score --replies FILE "
            "--replies FILE --out DIR",
        )
    rows = compare_models(scored, chosen)
    settings = {"level": INTERVAL, "set": scored.kind.value}
    tables = {"models": (MODEL_COLUMNS, rows), "ranks": (RANK_COLUMNS, model_ranks(rows))}
    return Comparison(tables, (), settings, folders=(folder,))


def benchmarks(first: Path, second: Path, unit: Unit = Unit.TEMPLATE) -> Comparison:
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
        raise CurateError(
            "the two folders have no model in common",
            f"{first}: {', '.join(one.models)}; {second}: {', '.join(two.models)}",
            "score the same models on both, under the same names",
        )
    alone = sorted(set(one.models) ^ set(two.models))
    notes = [f"in only one folder, and left out: {', '.join(alone)}"] if alone else []
    paired, said = _pairs(first, second, [name for name in one.models if name in two.models])
    sides = ("first", one.measured), ("second", two.measured)
    settings = {
        "unit": unit.value,
        "set_1": one.kind.value,
        "set_2": two.kind.value,
        "measured": {name: item.settings() for name, item in sides},
    }
    differ = tuple(unlike(*sides))
    tables = {"benchmarks": (BENCHMARK_COLUMNS, rows), "pairs": (PAIR_COLUMNS, paired)}
    return Comparison(tables, (*notes, *said), settings, differ, (first, second))


def _pairs(first: Path, second: Path, models: Sequence[str]) -> tuple[list[Row], tuple[str, ...]]:
    """The rows of templates that are pairs, and what is to be said of them."""
    if not all((folder / TEMPLATES).exists() for folder in (first, second)):
        return [], (
            f"without pairs: a folder lacks {TEMPLATES}; write it again with 'score --out'",
        )
    names = ("first", "second")
    sides = [read_side(Given(*item)) for item in zip(names, (first, second), strict=True)]
    pair = Pair.of(*sides)
    notes = [note for side in sides for note in side.notes]
    if not pair.shared:
        return [], (
            *notes,
            *pair.notes(),
            "without pairs: no template of both comes from the same one",
        )
    notes += pair.notes()
    notes.append(f"pairs: {len(pair.shared):,} templates of the source are in both")
    rows: list[Row] = []
    for model in models:
        found = [row for row in pair.rows(model, MAIN) if row["group_by"] != "category"]
        rows += corrected([{"model": model, "label": row["group"], **row} for row in found])
    return [{name: row[name] for name in PAIR_COLUMNS} for row in rows], tuple(notes)
