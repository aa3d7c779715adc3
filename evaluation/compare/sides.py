"""Benchmarks whose templates come from the same ones: what models answered, and which are pairs."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pandas as pd

from curation.files.jsonl import ENDINGS
from curation.files.manifest import MANIFEST
from curation.files.tables import read_table, refuse_problems
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, refusal, shortened
from curation.sources.published_samples import layout_of
from curation.sources.sample_mapping import MAPPING
from evaluation.compare.testing import paired_rows
from evaluation.folders import Row, said
from evaluation.qa.metrics import EVERY_CELL
from evaluation.qa.samples import (
    BBQ,
    OWN,
    TEMPLATE_COLUMNS,
    TEMPLATES,
    Source,
    exported_samples,
    set_of,
    source_of,
)
from evaluation.qa.score import TALLIES, Measured, measured_of, read_scored
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.replies.files import PARTS
from evaluation.replies.reply import opened

_ENDINGS = (".csv", ".parquet", ".tsv", *PARTS)


@dataclass(frozen=True, slots=True)
class Given:
    """A side as it is named.

    Attributes:
        name: What tables and pictures call it.
        folder: Scores, or samples with replies; a workspace or a package too.
        templates: A table of what its templates come from, where its ids do not say it.
    """

    name: str
    folder: Path
    templates: Path | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """A benchmark, with what models answered on it.

    Attributes:
        name: What it is called.
        folder: Where it is.
        file: What its counts come from, for the manifest.
        frame: The counts, with the columns of `TALLY_COLUMNS`.
        sources: By template what it comes from.
        categories: By source how its category is written.
        labels: By template its label.
        measured: How models were asked and their replies read.
        notes: What is left out, or taken for granted.
    """

    name: str
    folder: Path
    file: Path
    frame: pd.DataFrame
    sources: Mapping[str, Source]
    categories: Mapping[Source, str]
    labels: Mapping[str, str]
    measured: Measured
    notes: tuple[str, ...]

    @property
    def models(self) -> list[str]:
        """The models, in alphabetical order."""
        return sorted(self.frame["model"].unique())

    def of_source(self, source: Source) -> list[str]:
        """The templates that come from one source."""
        return [name for name, found in self.sources.items() if found == source]

    def label(self, source: Source) -> str:
        """How the templates that come from one source are labelled."""
        found = dict.fromkeys(self.labels.get(name, "") for name in self.of_source(source))
        return ", ".join(label for label in found if label)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides, with the sources that they share.

    Attributes:
        first: The first side.
        second: The second one.
        shared: What templates of both come from, in the order of the first.
    """

    first: Side
    second: Side
    shared: tuple[Source, ...]

    @classmethod
    def of(cls, first: Side, second: Side) -> "Pair":
        """Pair two sides."""
        there = set(second.sources.values())
        own = dict.fromkeys(first.sources.values())
        return cls(first, second, tuple(source for source in own if source in there))

    def notes(self) -> Iterator[str]:
        """Say which templates of a culture's own the other side lacks."""
        for side, other in ((self.first, self.second), (self.second, self.first)):
            own = [item for item in side.sources.values() if item.set.startswith(OWN)]
            lacking = sum(item not in self.shared for item in own)
            count = side.frame["template_id"].nunique()
            if lacking:
                sides = {"side": side.name, "other": other.name}
                yield said("side-created", lacking=lacking, every=count, **sides)

    def label(self, source: Source) -> str:
        """The labels of a source on both sides, one where they do not differ."""
        found = dict.fromkeys(side.label(source) for side in (self.first, self.second))
        return " / ".join(text for text in found if text)

    def rows(self, model: str, metrics: Sequence[str]) -> Iterator[Row]:
        """Yield how a model's scores differ, with `group_by`, `group` and the columns of `PAIRED`.

        Args:
            model: The model.
            metrics: Which scores.
        """
        for group_by, group, sources in self._groups():
            kept = frozenset(sources)
            frames, keys = [], []
            for side in (self.first, self.second):
                frame = side.frame[side.frame["model"] == model]
                of_row = frame["template_id"].map(side.sources.get)
                there = of_row.isin(kept)
                frames.append(frame[there])
                keys.append(of_row[there].tolist())
            for row in paired_rows(frames[0], frames[1], (keys[0], keys[1]), metrics):
                yield {"group_by": group_by, "group": group, **row}

    def _groups(self) -> Iterator[tuple[str, str, Sequence[Source]]]:
        """All that is shared, each category of the source, and each of several labels."""
        yield "overall", "", self.shared
        named = {source: self.first.categories[source] for source in self.shared}
        labelled = {source: self.label(source) for source in self.shared}
        for group_by, of in (("category", named), ("label", labelled)):
            found = [name for name in dict.fromkeys(of.values()) if name]
            if group_by == "category" or len(set(of.values())) > 1:
                for name in found:
                    yield group_by, name, [item for item in self.shared if of[item] == name]


def listed(sources: Iterable[Source]) -> str:
    """How many templates of which sets some sources are."""
    counts = Counter(found.set for found in set(sources))
    told = (f"{number:,} of {name}" for name, number in sorted(counts.items()))
    return ", ".join(told) or "no template names its source"


def read_side(given: Given) -> Side:
    """Read a side; what is not scored yet is scored.

    Raises:
        CurateError: If the folder is neither of what it may be, or a file cannot be read.
    """
    if not given.folder.is_dir():
        raise refusal("evaluation", "side-none", str(given.folder), side=given.name)
    is_scored = (given.folder / TALLIES).exists() and (given.folder / MANIFEST).exists()
    file, frame, measured, rows = (_scored if is_scored else _answered)(given)
    notes = []
    missing = int(frame["missing"].sum())
    if missing:
        notes.append(said("side-missing", side=given.name, count=missing))
    labels = {row["template_id"]: row["label"] for row in rows}
    asked = frame[[*EVERY_CELL, "missing"]].any(axis=1)
    templates = list(dict.fromkeys(frame["template_id"][asked]))
    if given.templates is not None:
        rows = list(_named(given.templates))
    sources, categories, more = _sources(given, templates, rows)
    told = (*notes, *more)
    return Side(given.name, given.folder, file, frame, sources, categories, labels, measured, told)


_Read = tuple[Path, pd.DataFrame, Measured, Sequence[Mapping[str, str]]]
"""A side's file, its counts, how it was measured, and the rows of its `templates.csv`."""


def _scored(given: Given) -> _Read:
    scored = read_scored(given.folder)
    rows: list[Mapping[str, str]] = []
    path = given.folder / TEMPLATES
    if path.exists():
        table = read_table(path, required=TEMPLATE_COLUMNS, escaped=True)
        refuse_problems(table)
        rows = [{name: row[name] for name in TEMPLATE_COLUMNS} for row in table.rows]
    elif given.templates is None:
        raise refusal("evaluation", "side-sources", str(given.folder), side=given.name)
    return given.folder / TALLIES, scored.frame, scored.measured, rows


def _answered(given: Given) -> _Read:
    workspace = Workspace(given.folder)
    samples, requests, replies = _files(workspace, given)
    wanted = ScoreInputs(
        samples=samples,
        requests=requests,
        replies=replies,
        intervals=False,
        mapping=mapping if (mapping := given.folder / MAPPING).exists() else None,
    )
    found = score(workspace, wanted)
    if found.incomplete:
        count = sum(found.missing.values())
        raise refusal(
            "evaluation", "side-incomplete", str(given.folder), side=given.name, count=count
        )
    rows = [{name: str(row[name]) for name in TEMPLATE_COLUMNS} for row in found.templates]
    measured = measured_of(found.settings, found.tallies["prompt"].unique())
    return replies[0], found.tallies, measured, rows


def _files(workspace: Workspace, given: Given) -> tuple[Path, Path | None, tuple[Path, ...]]:
    """The samples, requests and replies of a folder."""
    places = (given.folder, given.folder / "exports" / "evaluation", given.folder / "test")
    files = chain.from_iterable(sorted(place.iterdir()) for place in places if place.is_dir())
    kinds: dict[str, list[Path]] = {"samples": [], "requests": [], "replies": [], "": []}
    for path in files:
        if path.is_file() and path.name.endswith(_ENDINGS):
            kinds[_kind(path)].append(path)
    exported = exported_samples(workspace, "test") or exported_samples(workspace, "all")
    if exported is not None:
        kinds["samples"] = [exported]
    if not kinds["replies"]:
        raise refusal("evaluation", "side-empty", str(given.folder), side=given.name)
    for name in ("samples", "requests"):
        count = len(kinds[name])
        if count > 1 or (name == "samples" and not count):
            listed = f": {shortened([path.name for path in kinds[name]])}" if count else ""
            told = {"side": given.name, "number": str(count or "no"), "kind": name}
            raise refusal("evaluation", "side-files", str(given.folder), listed=listed, **told)
    requests = kinds["requests"][0] if kinds["requests"] else None
    return kinds["samples"][0], requests, tuple(kinds["replies"])


def _kind(path: Path) -> str:
    """Whether a file holds samples, requests or replies; empty where none of them."""
    if path.name.endswith(PARTS):
        with opened(path) as stream:
            try:
                found = json.loads(stream.readline().decode("utf-8-sig", "replace"))
            except ValueError:
                return ""
        if isinstance(found, dict) and "request_id" in found:
            return "requests" if "messages" in found and "reply" not in found else "replies"
    try:
        layout_of(path)
    except CurateError:
        return "samples" if (path.parent / MAPPING).exists() and path.suffix in ENDINGS else ""
    return "samples"


def _sources(
    given: Given, templates: Sequence[str], rows: Sequence[Mapping[str, str]]
) -> tuple[dict[str, Source], dict[Source, str], list[str]]:
    """What each template comes from, how its category is written, and of which it is not known."""
    notes = []
    known = frozenset(templates)
    sources: dict[str, Source] = {}
    categories: dict[Source, str] = {}
    several: dict[str, None] = {}
    assumed = False
    for row in rows:
        name, category = row["template_id"], row["source_category"]
        found = source_of(row["source"] or BBQ, category, row["source_id"])
        if found is None or name not in known:
            continue
        assumed = assumed or not row["source"]
        if sources.setdefault(name, found) != found:
            several.setdefault(name)
        categories.setdefault(found, category)
    kept = {name: sources[name] for name in templates if name in sources and name not in several}
    if given.templates is not None and not kept:
        words = {"side": given.name, "called": shortened(templates, 3)}
        raise refusal("evaluation", "side-table", str(given.templates), **words)
    if several:
        notes.append(f"{shortened(list(several))} have several sources and are not compared")
    if assumed:
        notes.append(said("side-assumed"))
    without = len(templates) - len(kept) - len(several)
    if without and kept:
        notes.append(said("side-sourceless", without=without, every=len(templates)))
    by_source: dict[Source, list[str]] = {}
    for name, found in kept.items():
        by_source.setdefault(found, []).append(name)
    doubled = [", ".join(names) for names in by_source.values() if len(names) > 1]
    if doubled:
        notes.append(f"templates of one source are counted together: {shortened(doubled)}")
    return kept, categories, [f"{given.name}: {note}" for note in notes]


def _named(path: Path) -> Iterator[Mapping[str, str]]:
    """The rows of a table of sources, such as a bank."""
    table = read_table(path, required=("template_id", "source_category", "source_id"))
    refuse_problems(table)
    for row in table.rows:
        category = row["source_category"]
        yield {
            "template_id": row["template_id"],
            "source": set_of(row.get("source").strip() or BBQ, category),
            "source_category": category,
            "source_id": row["source_id"],
        }
