"""KoBBQ's `templates.tsv` (Jin et al. 2024): Korean texts with English twins."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from curation.files.tables import Row, read_table
from curation.records.bank import REFERENCE_COLUMN, Group, Label, Texts, Variant
from curation.records.errors import CurateError
from curation.records.ids import TemplateId, VariantId, VariantLetter, category_slug
from curation.records.licences import Licence
from curation.records.published import NO_SOURCE, PARTICLE_COLUMNS, TEMPLATE_COLUMNS, TEXT_COLUMNS
from curation.records.survey import split_groups
from curation.report.texts import resource
from curation.sources.imported import (
    Imported,
    PublishedCount,
    RowReport,
    groups_of,
    lacking,
    template_files,
)

LICENCE = Licence("MIT", "2024-present NAVER Cloud Corp.", "https://github.com/naver-ai/KoBBQ")
TITLE = "KoBBQ"
"""What the set is called."""
WRITTEN_IN = ("ko", "en")
"""Languages of the published templates."""
SUFFIXES = (".tsv",)
"""How names of its files end."""
BESIDE = ""
"""Files that belong to those named and are taken from their folder."""

_REQUIRED = ("Category", "ID", "version", "Label_annotation", "Ambiguous_context", "Names")
NO_STEREOTYPE = "no_stereo"
"""The key of the votes for 'no stereotype exists'."""
_GROUPS = ("target_groups", "n1_groups", "n2_groups")


def read(paths: Sequence[Path]) -> Imported:
    """Read templates.

    The published folder also holds prompts and samples. They are passed over, each with a finding,
    and so is a file with the same rows as one before it.

    Raises:
        CurateError: If a file as a whole cannot be read, or none holds templates.
    """
    variants: list[Variant] = []
    counts: list[PublishedCount] = []
    tables = (read_table(path, shown_as=path.name, delimiter="\t") for path in paths)
    reports, other = template_files(tables, TITLE, lacking(_REQUIRED))
    for report in reports:
        report.unknown_columns(TEMPLATE_COLUMNS)
        for row in report.table.rows:
            variant = _variant(row, report)
            if variant is not None:
                variants.append(variant)
                counts.extend(counts_of(row, variant, report))
    known = yaml.safe_load(resource(__package__, "kobbq.yaml"))
    groups = _counting(groups_of(variants), known["countries"])
    imported = Imported.of_files(
        "kobbq", ("ko", "en"), reports, _validated(variants, counts, known), groups, other, counts
    )
    return replace(imported, select_all=frozenset(known["select_all"]))


def _validated(
    variants: Sequence[Variant], counts: Iterable[PublishedCount], known: Mapping[str, Any]
) -> list[Variant]:
    """Mark the templates that were validated in a category of target selection.

    Their counts are of two groups: the reference names the non-target groups too.
    """
    two = {
        item.template_id
        for item in counts
        if item.category in known["select_all"] and len(item.votes.keys() - {NO_STEREOTYPE}) == 2
    }
    return [
        replace(item, extra=(*item.extra, (REFERENCE_COLUMN, "true")))
        if str(item.template_id) in two
        else item
        for item in variants
    ]


def _counting(groups: Iterable[Group], known: Mapping[str, Sequence[str]]) -> tuple[Group, ...]:
    """Single countries are offered beside the broad groups of which they are parts."""
    countries = {(category, name) for category, names in known.items() for name in names}
    return tuple(
        replace(item, counts=False) if (item.category, item.group) in countries else item
        for item in groups
    )


def _variant(row: Row, report: RowReport) -> Variant | None:
    try:
        category = row["Category"].strip()
        number = row["ID"].strip()
        if not number.isdecimal():
            raise CurateError(f"'{number}' is not a template number")
        template = TemplateId(category_slug(category), int(number))
        letter = VariantLetter(row["version"].strip())
        label = Label(row["Label_annotation"].strip())
        texts, source_texts = _texts(row, ""), _texts(row, "_translated")
    except (CurateError, ValueError) as error:
        what = error.what if isinstance(error, CurateError) else str(error)
        report.refuse("source-unreadable-row", row.number, "", what)
        return None
    source_id, source_category = (
        "" if row.get(column).strip() == NO_SOURCE else row.get(column).strip()
        for column in ("BBQ_id", "BBQ_category")
    )
    return Variant(
        id=VariantId(template, letter),
        category=category,
        label=label,
        texts=texts,
        source_texts=source_texts,
        source="kobbq",
        source_id=source_id,
        source_category=source_category,
        reference=row.get("Reference"),
        extra=tuple((column, row.get(column)) for column in PARTICLE_COLUMNS),
        row=row.number,
    )


def _texts(row: Row, twin: str) -> Texts:
    cells: dict[str, str | tuple[str, ...]] = {}
    for field, column in TEXT_COLUMNS.items():
        cell = row.get(f"{column}{twin}")
        try:
            cells[field] = split_groups(cell) if field in _GROUPS else cell
        except ValueError as error:
            raise CurateError(f"{column}{twin}: '{cell}' is not a list of groups") from error
    return Texts(**cells)  # type: ignore[arg-type]  # group fields hold tuples, the others text


def counts_of(row: Row, variant: Variant, report: RowReport) -> list[PublishedCount]:
    """Read `Survey_stats`, a Python-style map, once for each template."""
    cell = row.get("Survey_stats").strip()
    if not cell or variant.letter is not VariantLetter.A:
        return []
    try:
        votes = ast.literal_eval(cell)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        votes = None
    if not isinstance(votes, Mapping) or not all(
        isinstance(name, str) and type(count) is int and count >= 0 for name, count in votes.items()
    ):
        report.warn(
            "source-unreadable-cell",
            row.number,
            "Survey_stats",
            "the counts are not a map of groups to whole numbers; they are not read",
            "correct the cell, or give the counts as a survey file",
        )
        return []
    ordered = _target_first(dict(votes), variant.texts.target_groups)
    if list(ordered) != list(votes):
        report.note(
            "source-counts-reordered",
            row.number,
            "Survey_stats",
            "the counts name the target second; they are read with the template's target first",
            "check that Target_group is right",
        )
    return [
        PublishedCount(
            str(variant.template_id), variant.category, variant.texts.stereotype, ordered
        )
    ]


def _target_first(votes: dict[str, int], target: Sequence[str]) -> dict[str, int]:
    """The votes of two groups as a validation question has them: the target's first.

    Which of the two that is says the template; where it says neither or both, the order stays.
    """
    groups = [name for name in votes if name != NO_STEREOTYPE]
    if len(groups) != 2:
        return votes
    try:
        first, second = (set(split_groups(name)) <= {*target} for name in groups)
    except ValueError:  # no list: whoever reads the counts says so
        return votes
    if first or not second:
        return votes
    return {name: votes[name] for name in (groups[1], groups[0], *votes)}
