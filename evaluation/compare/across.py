"""Models on benchmarks of several cultures, template by template of one source."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from curation.records.errors import CurateError
from curation.records.wording import plural
from evaluation.compare.comparing import Comparison
from evaluation.compare.pairing import Pair, in_families
from evaluation.compare.pairs import PAIRED
from evaluation.compare.pictures import across_cultures
from evaluation.compare.sides import Given, Side, read_side
from evaluation.intervals import FEWEST
from evaluation.qa.measured import refuse_unlike, unlike
from evaluation.qa.metrics import MAIN
from evaluation.qa.score import Row
from evaluation.qa.sources import BBQ, Source

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


def cultures(
    given: Sequence[Given],
    names: Sequence[str] = (),
    metrics: Sequence[str] = MAIN,
) -> Comparison:
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
    refuse_same_names(given)
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

    tested = in_families(rows)
    tables = {
        "cultures": (
            CULTURE_COLUMNS,
            [{name: row[name] for name in CULTURE_COLUMNS} for row in tested],
        ),
        "shared": (SHARED_COLUMNS, list(_shared(sides))),
    }
    if any(row["interval_note"] for row in rows):
        notes.append(f"* fewer than {FEWEST} templates: compare such scores with care")
    settings = {
        "sets": [side.name for side in sides],
        "measured": {side.name: side.measured.settings() for side in sides},
    }
    files = {f"{side.name}: {side.file.name}": side.file for side in sides}
    drawings = (partial(across_cultures, tables["cultures"][1], metrics),)
    said = tuple(dict.fromkeys(notes))
    differ = tuple(
        line
        for other in others
        for line in unlike((first.name, first.measured), (other.name, other.measured))
    )
    return Comparison(tables, said, settings, differ, inputs=files, drawings=drawings)


def refuse_same_names(given: Sequence[Given]) -> None:
    """Refuse fewer than two sets, and two of one name.

    Raises:
        CurateError: If there are.
    """
    if len(given) < 2:
        raise CurateError("there is only one set", hint="name two or more: ko=FOLDER en=FOLDER")
    names = [item.name for item in given]
    doubled = [name for name in names if names.count(name) > 1]
    if doubled:
        raise CurateError(
            f"two sets are named {doubled[0]}", hint="give them different names: NAME=FOLDER"
        )


def _paired(first: Side, other: Side, given: Given) -> Pair:
    pair = Pair.of(first, other)
    if not pair.shared:
        hint = f"leave {other.name} out"
        if BBQ not in {found.set for found in other.sources.values()}:
            hint = (
                f"leave {other.name} out; or, where its templates were made from BBQ's, "
                f"name what its templates come from with --templates {given.name}=FILE (a "
                "table with template_id, source_category, source_id, such as the bank of a "
                "workspace that its templates were imported into)"
            )
        raise CurateError(
            f"{first.name} and {other.name} share no template",
            f"{first.name}: {_listed(first)}; {other.name}: {_listed(other)}",
            hint,
        )
    return pair


def _listed(side: Side) -> str:
    """The sets that a side's templates come from."""
    counts: dict[str, set[Source]] = {}
    for found in side.sources.values():
        counts.setdefault(found.set, set()).add(found)
    told = (f"{len(found):,} of {name}" for name, found in sorted(counts.items()))
    return ", ".join(told) or "no template names its source"


def _models(pair: Pair, names: Sequence[str]) -> list[str]:
    for side in (pair.first, pair.second):
        lacking = [name for name in names if name not in side.models]
        if lacking:
            raise CurateError(
                f"{side.name} has no replies of '{lacking[0]}'",
                str(side.folder),
                f"it has some of {', '.join(side.models)}",
            )
    shared = [name for name in pair.first.models if name in set(pair.second.models)]
    if not shared:
        raise CurateError(
            f"{pair.first.name} and {pair.second.name} have no model in common",
            "; ".join(
                f"{side.name}: {', '.join(side.models)}" for side in (pair.first, pair.second)
            ),
            "ask the same models on both, under the same names",
        )
    return list(dict.fromkeys(names)) or shared


def _said(pair: Pair) -> str:
    """How many templates two sides share, and how they are labelled."""
    counts: dict[str, int] = {}
    for source in pair.shared:
        label = pair.label(source)
        counts[label] = counts.get(label, 0) + 1
    told = ", ".join(f"{number:,} {label or 'without a label'}" for label, number in counts.items())
    number = len(pair.shared)
    return (
        f"{pair.first.name} and {pair.second.name} share {number:,} {plural('template', number)}: "
        f"{told}"
    )


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
