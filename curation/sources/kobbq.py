"""KoBBQ's `templates.tsv` (Jin et al. 2024): Korean texts with English twins."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from curation.files.tables import Row
from curation.records.bank import (
    NO_SOURCE,
    PARTICLE_COLUMNS,
    REFERENCE_COLUMN,
    TEMPLATE_COLUMNS,
    TEXT_COLUMNS,
    Label,
    Texts,
    Variant,
    VariantLetter,
)
from curation.records.settings import load_yaml
from curation.records.survey import split_groups
from curation.report.texts import resource
from curation.sources.imported import (
    CellError,
    Imported,
    PublishedCount,
    RowReport,
    coded,
    groups_of,
    read_rows,
    template_format,
)

FORMAT = template_format("kobbq")
NO_STEREOTYPE = "no_stereo"
"""The key of the votes for 'no stereotype exists'."""
_GROUPS = ("target_groups", "n1_groups", "n2_groups")


def read(paths: Sequence[Path]) -> Imported:
    """Read templates.

    Raises:
        CurateError: If a file as a whole cannot be read, or none holds templates.
    """
    reports, other = FORMAT.open(paths, lambda _: TEMPLATE_COLUMNS)
    rows = list(read_rows(reports, _variant))
    counts = [count for item, row, report in rows for count in counts_of(row, item, report)]
    known = load_yaml(resource(__package__, "kobbq.yaml"))
    # Where a category of target selection has counts of two groups, the template was validated: the
    # reference names the non-target groups too.
    validated = {
        item.template_id
        for item in counts
        if item.category in known["select_all"] and len(item.votes.keys() - {NO_STEREOTYPE}) == 2
    }
    variants = [
        replace(item, extra=(*item.extra, (REFERENCE_COLUMN, "true")))
        if str(item.template_id) in validated
        else item
        for item, _, _ in rows
    ]
    # Single countries are offered beside the broad groups of which they are parts.
    groups = [
        replace(item, counts=item.group not in known["countries"].get(item.category, ()))
        for item in groups_of(variants)
    ]
    select_all = frozenset(known["select_all"])
    return FORMAT.imported(
        reports, variants, other, groups=groups, counts=tuple(counts), select_all=select_all
    )


def _variant(row: Row, report: RowReport) -> Variant:
    variant = FORMAT.variant(
        row,
        FORMAT.id_of(row),
        _texts(row, ""),
        _texts(row, "_translated"),
        label=coded(row, FORMAT.label, Label, "label"),
        extra=tuple((column, row.get(column)) for column in PARTICLE_COLUMNS),
    )
    if variant.source_id == NO_SOURCE:
        variant = replace(variant, source_id="")
    return replace(variant, source_category="") if variant.source_category == NO_SOURCE else variant


def _texts(row: Row, twin: str) -> Texts:
    cells: dict[str, Any] = {}
    for field, column in TEXT_COLUMNS.items():
        cell = row.get(f"{column}{twin}")
        try:
            cells[field] = split_groups(cell) if field in _GROUPS else cell
        except ValueError as error:
            raise CellError("no-list-of-groups", f"{column}{twin}", cell=cell) from error
    return Texts(**cells)


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
        report.say("counts-unreadable", row.number, "Survey_stats")
        return []
    ordered = _target_first(dict(votes), variant.texts.target_groups)
    if list(ordered) != list(votes):
        report.say("counts-reordered", row.number, "Survey_stats")
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
