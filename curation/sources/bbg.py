"""BBG's template files (Jin et al. 2025), English and Korean, in the bank's slot grammar.

The language of a file shows in its columns. The Korean templates are KoBBQ's, with columns that say
which placeholders and particles their stories have; the bank keeps them, and stories follow them.
"""

from collections.abc import Sequence
from pathlib import Path

from curation.files.tables import Row, read_table
from curation.records.bank import Label, Texts, Variant
from curation.records.errors import CurateError
from curation.records.findings import Finding
from curation.records.ids import TemplateId, VariantId, VariantLetter, category_slug
from curation.records.licences import Licence
from curation.records.published import PARTICLE_COLUMNS, PLACEHOLDER_COLUMNS
from curation.sources.imported import (
    Imported,
    PublishedCount,
    RowReport,
    groups_of,
    lacking,
    passed_over,
    read_groups,
    spelled_as,
    template_files,
)
from curation.sources.kobbq import counts_of

LICENCE = Licence("MIT", "2025 Jiho Jin", "https://github.com/jinjh0123/BBG")
TITLE = "BBG"
"""What the set is called."""
LANGUAGES = ("en", "ko")
"""Languages of the published templates."""
SUFFIXES = (".csv",)
"""How names of its files end."""
BESIDE = ""
"""Files that belong to those named and are taken from their folder."""

TEXT_COLUMNS = {
    "stereotype": "Stereotype",
    "ambiguous_context": "Ambiguous_context",
    "disambiguating_context": "Disambiguating_context",
    "biased_question": "Biased_question",
    "counter_biased_question": "Counter-biased_question",
    "biased_answer": "Biased_question_answer",
    "counter_biased_answer": "Counter-biased_question_answer",
    "names": "Names",
    "words": "Lexical_diversity",
}
"""Fields of a variant's texts by published column; the groups are read apart."""

_SHARED_COLUMNS = (
    *("Category", "Template_ID", "Version"),
    *TEXT_COLUMNS.values(),
    *("Target_group", "N1_info", "N2_info", "Reference"),
)
_OWN_COLUMNS = {
    "ko": (
        *("Label_annotation", "Survey_stats", "BBQ_category", "BBQ_id"),
        *(*PLACEHOLDER_COLUMNS, *PARTICLE_COLUMNS),
    ),
    "en": ("Subcategory",),
}
"""Columns that the files of one language have besides; the first language fits that has one."""
COLUMNS = (*_SHARED_COLUMNS, *(name for names in _OWN_COLUMNS.values() for name in names))
"""All published columns."""

_REQUIRED = ("Category", "Template_ID", "Version", "Ambiguous_context", "Names")


def read(paths: Sequence[Path], wanted: str = "") -> Imported:
    """Read the templates of one language.

    The published folder also holds evaluation sets. They are passed over, each with a finding, and
    so is a file with the same rows as one before it, or in another language than the one wanted.

    Args:
        paths: The files.
        wanted: Which language to read where files are in several, ISO 639-1 code.

    Raises:
        CurateError: If a file as a whole cannot be read, none is a template table of BBG, or files
            are in different languages and none is wanted.
    """
    variants: list[Variant] = []
    counts: list[PublishedCount] = []
    tables = (read_table(path, shown_as=path.name) for path in paths)
    reports, other = template_files(tables, TITLE, lacking(_REQUIRED))
    language, reports = _of_one_language(reports, wanted, other)
    for report in reports:
        report.unknown_columns((*_SHARED_COLUMNS, *_OWN_COLUMNS[language]))
        filled = any(row.get("Subcategory").strip() for row in report.table.rows)
        for row in report.table.rows:
            variant = _variant(row, report, language, filled)
            if variant is not None:
                variants.append(variant)
                counts.extend(counts_of(row, variant, report))
    groups = groups_of(variants)
    both = (language, language)
    return Imported.of_files("bbg", both, reports, variants, groups, other, counts)


def _of_one_language(
    reports: Sequence[RowReport], wanted: str, other: list[Finding]
) -> tuple[str, list[RowReport]]:
    """The files of the language that is wanted, if there are others; these are passed over."""
    languages = [_language(report.table.columns) for report in reports]
    if len(set(languages)) == 1:
        return languages[0], list(reports)
    files = [report.table for report in reports]
    if wanted not in languages:
        told = " and ".join(
            f"{file.file} ({code})" for file, code in zip(files, languages, strict=True)
        )
        raise CurateError(
            f"the files are in different languages: {told}",
            files[0].file,
            "name the files of the language that you adapt",
        )
    other += [
        passed_over(file, f"its templates are in '{code}', the workspace is for '{wanted}'")
        for file, code in zip(files, languages, strict=True)
        if code != wanted
    ]
    return wanted, [
        report for report, code in zip(reports, languages, strict=True) if code == wanted
    ]


def _language(columns: Sequence[str]) -> str:
    """The language of a file by the columns that it has; English if none tells."""
    return next((code for code, own in _OWN_COLUMNS.items() if {*own} & {*columns}), "en")


def _variant(row: Row, report: RowReport, language: str, with_subcategory: bool) -> Variant | None:
    category, number = row["Category"].strip(), row["Template_ID"].strip()
    column = "Category"
    label: Label | None = None
    try:
        slug = category_slug(category)
        column = "Template_ID"
        if not (number.isdecimal() and number.isascii()) or len(number) > 9:
            raise CurateError(f"'{number}' is not a template number", hint="write a whole number")
        column = "Version"
        letter = VariantLetter(row["Version"].strip())
        column = "Label_annotation"
        if row.get(column).strip():
            label = Label(row[column].strip())
    except (CurateError, ValueError) as error:
        allowed = (
            f"labels are {', '.join(Label)}" if column != "Version" else "variants are a, b, c, d"
        )
        what, hint = (
            (error.what, error.hint)
            if isinstance(error, CurateError)
            else (f"'{row[column]}' is not a {column.partition('_')[0].lower()}", allowed)
        )
        report.refuse("source-unreadable-row", row.number, column, what, hint)
        return None
    texts = _texts(row, language)
    extra = [(name, row.get(name)) for name in (*PLACEHOLDER_COLUMNS, *PARTICLE_COLUMNS)]
    extra += [(f"bbg_{name.lower()}", row.get(name)) for name in ("BBQ_category", "BBQ_id")]
    if language == "en":
        extra = [("bbg_subcategory", row.get("Subcategory").strip())] if with_subcategory else []
    return Variant(
        id=VariantId(TemplateId(slug, int(number)), letter),
        category=category,
        label=label,
        texts=texts,
        source_texts=texts,
        source="bbg",
        source_id=number,
        source_category=category,
        reference=row.get("Reference").strip(),
        extra=tuple(extra),
        row=row.number,
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
        **{field: row.get(column).strip() for field, column in TEXT_COLUMNS.items()},
    )


def _groups(info: str, target: tuple[str, ...]) -> tuple[str, ...]:
    """Read the groups of a person: the target groups, or one, such as `non-(A, B)`.

    They are spelled as the target groups are, so that who is the target can be told.
    """
    if not info:
        return ()
    listed = read_groups(info)
    return listed if set(listed) == set(target) else (spelled_as(info, target),)
