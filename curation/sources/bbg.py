"""BBG's template files (Jin et al. 2025), English and Korean, in the bank's slot grammar.

The language of a file shows in its columns. The Korean templates are KoBBQ's, with columns that say
which placeholders and particles their stories have; the bank keeps them, and stories follow them.
"""

from collections.abc import Sequence
from pathlib import Path

from curation.files.tables import Row
from curation.records.bank import (
    PARTICLE_COLUMNS,
    PLACEHOLDER_COLUMNS,
    Label,
    Texts,
    Variant,
)
from curation.records.messages import CurateError, Finding
from curation.sources.imported import (
    Imported,
    RowReport,
    coded,
    passed_over,
    read_groups,
    read_rows,
    template_format,
)
from curation.sources.kobbq import counts_of
from curation.sources.roles import folded

FORMAT = template_format("bbg")
_OF_STORIES = (*PLACEHOLDER_COLUMNS, *PARTICLE_COLUMNS)
_SOURCE = ("BBQ_category", "BBQ_id")
_SUBCATEGORY = "Subcategory"
_OWN_COLUMNS = {
    "ko": ("Label_annotation", "Survey_stats", *_SOURCE, *_OF_STORIES),
    "en": (_SUBCATEGORY,),
}
"""Columns that the files of one language have besides; the first language fits that has one."""


def read(paths: Sequence[Path], wanted: str = "") -> Imported:
    """Read the templates of one language; files in another than the one wanted are passed over.

    Args:
        paths: The files.
        wanted: Which language to read where files are in several, ISO 639-1 code.

    Raises:
        CurateError: If a file as a whole cannot be read, none is a template table of BBG, or files
            are in different languages and none is wanted.
    """
    found, other = FORMAT.open(paths, lambda columns: _OWN_COLUMNS[_language(columns)])
    language, reports = _of_one_language(found, wanted, other)

    filled = {
        report.table.file
        for report in reports
        if any(row.get(_SUBCATEGORY).strip() for row in report.table.rows)
    }
    rows = list(
        read_rows(reports, lambda row, report: _variant(row, language, report.table.file in filled))
    )
    counts = tuple(count for item, row, report in rows for count in counts_of(row, item, report))
    return FORMAT.imported(reports, [item for item, _, _ in rows], other, language, counts=counts)


def _of_one_language(
    reports: Sequence[RowReport], wanted: str, other: list[Finding]
) -> tuple[str, list[RowReport]]:
    """The files of the language that is wanted, if there are others; these are passed over."""
    languages = [_language(report.table.columns) for report in reports]
    if len(set(languages)) == 1:
        return languages[0], list(reports)
    files = [report.table.file for report in reports]
    named = list(zip(files, languages, strict=True))
    if wanted not in languages:
        told = " and ".join(f"{file} ({code})" for file, code in named)
        hint = "name the files of the language that you adapt"
        raise CurateError(f"the files are in different languages: {told}", files[0], hint)
    other += [
        passed_over(file, f"its templates are in '{code}', the workspace is for '{wanted}'")
        for file, code in named
        if code != wanted
    ]
    return wanted, [
        report for report, code in zip(reports, languages, strict=True) if code == wanted
    ]


def _language(columns: Sequence[str]) -> str:
    """The language of a file by the columns that it has; English if none tells."""
    return next((code for code, own in _OWN_COLUMNS.items() if {*own} & {*columns}), "en")


def _variant(row: Row, language: str, with_subcategory: bool) -> Variant:
    extra = [(name, row.get(name)) for name in _OF_STORIES]
    extra += [(f"bbg_{name.lower()}", row.get(name)) for name in _SOURCE]
    if language == "en":
        subcategory = row.get(_SUBCATEGORY).strip()
        extra = [("bbg_subcategory", subcategory)] if with_subcategory else []
    labelled = row.get(FORMAT.label).strip()
    return FORMAT.variant(
        row,
        FORMAT.id_of(row),
        _texts(row, language),
        label=coded(row, FORMAT.label, Label, "label") if labelled else None,
        extra=tuple(extra),
    )


def _texts(row: Row, language: str) -> Texts:
    target = read_groups(row.get("Target_group"))
    people = [row.get(name).strip() for name in ("N1_info", "N2_info")]
    one, two = (
        # English files write `non-(A, B)`, Korean ones list groups with commas
        _groups(info, target) if language == "en" else read_groups(info)
        for info in people
    )
    return Texts(
        target_groups=target,
        n1_groups=one,
        n2_groups=two,
        **{field: row.get(column).strip() for field, column in FORMAT.texts.items()},
    )


def _groups(info: str, target: tuple[str, ...]) -> tuple[str, ...]:
    """Read the groups of a person: the target groups, or one, such as `non-(A, B)`.

    They are spelled as the target groups are, so that who is the target can be told.
    """
    if not info:
        return ()
    listed = read_groups(info)
    if set(listed) == set(target):
        return listed
    return (next((group for group in target if folded(group) == folded(info)), info),)
