"""EsBBQ's and CaBBQ's template workbooks (Ruiz-Fern\u00e1ndez et al. 2025): Spanish and Catalan.

One workbook a category holds both languages, in columns that end in `_es` and `_ca`; two more hold
the vocabulary and the proper names. The workspace's language chooses the columns.

Role and order of mention vary apart, so the bank has four variants of each row. `a` and `b` are as
in KoBBQ: the same texts with the lists of the two people exchanged, so that role and order change
together. `c` and `d` are the same with the slots of the ambiguous context exchanged: the role of
`a`, in the order of `b`, is `c`. The publishers call the row as it is written `original`, and the
others `all`, `ambig` and `disambig` by the contexts in which the people are exchanged; the column
`esbbq_flipped` keeps that.

Two orders of mention give two ambiguous contexts for four variants, and words that stand in one
context only repeat the other. So each template is marked to give no sample twice
(`samples_once`, in the publishers' order): twelve samples of each pair of names, as published.

A row's version becomes that of its variants: `a` masculine, `b` feminine, `p` proper names, `p-a`
and `p-b` proper names of one gender. `{{NAME1-def}}` becomes the named form `[N1.def]`.

The repository is under Apache-2.0; the instances are published under CC BY 4.0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from curation.files.tables import INCOMPLETE_HEADER, Table
from curation.files.workbooks.tables import read_workbook_table
from curation.records.bank import Group, Variant
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.licences import Licence
from curation.slots import Filler, parse_fillers, parse_lists, print_fillers
from curation.sources.esbbq_people import (
    Cells,
    is_names_vocabulary,
    is_vocabulary,
    read_vocabularies,
)
from curation.sources.esbbq_rows import EXTRA_COLUMNS, TEXT_COLUMNS, Draft, draft_of, settle
from curation.sources.imported import KEPT, Imported, RowReport, groups_of, refuse_all

LICENCE = Licence(
    "Apache-2.0",
    "Language Technologies Unit, Barcelona Supercomputing Center",
    "https://github.com/langtech-bsc/EsBBQ-CaBBQ",
)
TITLE = "EsBBQ"
"""What the set is called."""
SUFFIXES = (".xlsx",)
"""How names of its files end."""
BESIDE = "vocabulary*.xlsx"
"""Files that belong to those named and are taken from their folder."""
LANGUAGES = ("es", "ca")
"""The languages whose columns the workbooks have."""

_OF_A_LANGUAGE = (
    *TEXT_COLUMNS.values(),
    *("names", "lexical_diversity", "relevant_social_values"),
    *("stereotyped_groups", "non_stereotyped_groups"),
)
COLUMNS = (
    *("label", "bbq_template_id", "esbbq_template_id", "bbq_category", "esbbq_category"),
    *EXTRA_COLUMNS,
    *_OF_A_LANGUAGE,
    *(f"{name}_{language}" for name in _OF_A_LANGUAGE for language in LANGUAGES),
    *("NAME1_info", "NAME2_info", "esbbq_source", "cabbq_source"),
)
"""All columns of the published templates; each workbook has its own part of them."""

_REQUIRED = ("esbbq_template_id", "esbbq_category")


def read(paths: Sequence[Path], language: str) -> Imported:
    """Read templates; vocabularies are taken from `paths`, or from beside each file.

    A workbook of something else is passed over, with a finding.

    Args:
        paths: The workbooks.
        language: One of `LANGUAGES`.

    Raises:
        CurateError: If a file as a whole cannot be read, or none holds templates.
    """
    cells = Cells(language)
    tables: list[Table] = []
    other: list[Finding] = []
    for path in paths:
        try:
            table = read_workbook_table(path, lambda columns: _is_ours(columns, cells))
        except CurateError as error:
            if error.code != INCOMPLETE_HEADER:
                raise
            other.append(_passed_over(path, language))
            continue
        same = next((item for item in tables if item.rows == table.rows), None)
        if same is None:
            tables.append(table)
        else:
            what = f"this is a copy of {same.file}"
            other.append(_not_read(path, what, "its templates are imported once"))
    templates = [table for table in tables if _is_template(table.columns, cells)]
    if not templates:
        wanted = "template workbooks of EsBBQ"
        raise refuse_all(other, wanted, "no workbook holds templates")
    vocabularies = read_vocabularies((table for table in tables if table not in templates), cells)
    drafts: list[tuple[Draft, RowReport]] = []
    reports: list[RowReport] = []
    for table in templates:
        report = RowReport(table)
        report.unknown_columns(COLUMNS)
        reports.append(report)
        made = (draft_of(row, report, cells, vocabularies) for row in table.rows)
        drafts += [(draft, report) for draft in made if draft is not None]
    variants = settle(drafts)
    groups = _groups(variants, (draft for draft, _ in drafts))
    return Imported.of_files("esbbq", (language, language), reports, variants, groups, other)


def _is_ours(columns: Iterable[str], cells: Cells) -> bool:
    return (
        _is_template(columns, cells)
        or is_vocabulary(columns, cells)
        or is_names_vocabulary(columns, cells)
    )


def _is_template(columns: Iterable[str], cells: Cells) -> bool:
    named = {*columns}
    texts = all(cells.has(named, column) for column in TEXT_COLUMNS.values())
    return texts and named >= {*_REQUIRED} and cells.has(named, "stereotyped_groups")


def _passed_over(path: Path, language: str) -> Finding:
    wanted = [*_REQUIRED, *(f"{column}_{language}" for column in TEXT_COLUMNS.values())]
    return _not_read(
        path,
        f"this is not a workbook of EsBBQ or CaBBQ: no sheet has the columns {', '.join(wanted)}",
        f"{KEPT}. A vocabulary has the columns category, information and name, or proper_name, "
        "gender and ethnicity",
    )


def _not_read(path: Path, what: str, hint: str) -> Finding:
    return Finding("source-file-passed-over", Severity.INFO, path.name, None, "", what, hint)


def _groups(variants: Sequence[Variant], drafts: Iterable[Draft]) -> tuple[Group, ...]:
    """List the groups, with the names whose group a vocabulary tells.

    A name that both people draw is of neither's group.
    """
    telling = [variant for variant in variants if not _draw_alike(variant)]
    named = {(group.category, group.group): group for group in groups_of(telling)}
    members: dict[tuple[str, str], dict[Filler, None]] = {}
    for draft in drafts:
        for group, filler in draft.members:
            members.setdefault((draft.category, group), {})[filler] = None
    found = []
    for item in groups_of(variants):
        place = (item.category, item.group)
        own = parse_fillers(named[place].fillers) if place in named else ()
        fillers = print_fillers(_distinct((*own, *members.get(place, ()))))
        found.append(replace(item, fillers=fillers))
    return tuple(found)


def _draw_alike(variant: Variant) -> bool:
    lists = parse_lists(variant.texts.names)
    return lists["N1"].fillers == lists["N2"].fillers


def _distinct(fillers: Iterable[Filler]) -> Iterable[Filler]:
    """The fillers of a group, each name once, with the kinds of forms that all of them have."""
    found: dict[str, dict[str, str]] = {}
    for filler in fillers:
        forms = found.setdefault(filler.text, {})
        for key, form in filler.features:
            forms.setdefault(key, form)
    kinds = set.intersection(*(set(forms) for forms in found.values())) if found else set()
    return [
        Filler(text, features=tuple(item for item in forms.items() if item[0] in kinds))
        for text, forms in found.items()
    ]
