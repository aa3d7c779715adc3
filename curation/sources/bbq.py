"""BBQ's template files (Parrish et al. 2022): US English, two versions of each template.

A row with its own `Names` gives one variant. A row without, or with a plain list of names,
gives both variants, its fillers being drawn from the list or the vocabularies: the target
groups for one person, everybody else for the other.

The variant's letter says who is in the stereotyped role, as everywhere in the bank: in `b`
the answer to the negative question is the target person, in `a` the other. BBQ's own
`version` letters do not follow a rule; where they differ, the note keeps them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from curation.files.tables import read_table
from curation.records.bank import Group, Variant
from curation.records.licences import Licence
from curation.slots import Filler, parse_conditions, parse_fillers, print_fillers
from curation.sources.bbq_letters import Draft, settle
from curation.sources.bbq_people import Vocabularies, is_vocabulary
from curation.sources.bbq_rows import EXTRA_COLUMNS, TEXT_COLUMNS, drafts_of
from curation.sources.imported import KEPT, Imported, groups_of, lacking, template_files

LICENCE = Licence("CC-BY-4.0", "Alicia Parrish et al.", "https://github.com/nyu-mll/BBQ")
TITLE = "BBQ"
"""What the set is called."""
WRITTEN_IN = ("en",)
"""Languages of the published templates."""
SUFFIXES = (".csv",)
"""How names of its files end."""
BESIDE = "vocabulary*.csv"
"""Files that belong to those named and are taken from their folder."""

COLUMNS = (
    *("Q_id", "Category", *TEXT_COLUMNS.values(), "Names", "Lexical_diversity"),
    *("Relevant_social_values", "NAME1_info", "NAME2_info", "Notes"),
    *("Known_stereotyped_groups", "Known_stereotyped_race", "Known_stereotyped_var2"),
    *EXTRA_COLUMNS,
)
"""All columns of the published files; each file has its own part of them."""

_REQUIRED = ("Q_id", "Category", *TEXT_COLUMNS.values())
_NO_TEMPLATES = f"{KEPT}. A vocabulary has the columns Category and Name, or Name and First_last"


def read(paths: Sequence[Path]) -> Imported:
    """Read templates; vocabularies are taken from `paths`, or from beside each file.

    The published folder also holds files of something else, such as its filler items. They are
    passed over, each with a finding.

    Raises:
        CurateError: If a file as a whole cannot be read, or none holds templates.
    """
    tables = [(path, read_table(path, shown_as=path.name)) for path in paths]
    vocabularies = Vocabularies(table for _, table in tables if is_vocabulary(table))
    folders = {id(table): path.parent for path, table in tables}
    others = (table for _, table in tables if not is_vocabulary(table))
    reports, other = template_files(others, TITLE, lacking(_REQUIRED), _NO_TEMPLATES)
    drafts: list[Draft] = []
    for report in reports:
        report.unknown_columns(COLUMNS)
        fillers = partial(vocabularies.of, folders[id(report.table)])
        for row in report.table.rows:
            drafts += drafts_of(row, report, fillers)
    variants, samples = settle(drafts)
    remarks = (*vocabularies.findings, *other)
    return Imported.of_files(
        "bbq",
        ("en", "en"),
        reports,
        variants,
        _groups(variants, drafts),
        remarks,
        samples=samples,
    )


def _groups(variants: Iterable[Variant], drafts: Iterable[Draft]) -> tuple[Group, ...]:
    """List the groups, with the fillers whose group a vocabulary tells."""
    named = [variant if _names_groups(variant) else _nameless(variant) for variant in variants]
    groups = {(group.category, group.group): group for group in groups_of(named)}
    drawn: dict[tuple[str, str], dict[Filler, None]] = {}
    for draft in drafts:
        for person in draft.people:
            drawn.setdefault((draft.category, person.group), {})[Filler(person.name)] = None
    for place, names in drawn.items():
        if place in groups:
            known = dict.fromkeys((*parse_fillers(groups[place].fillers), *names))
            groups[place] = replace(groups[place], fillers=print_fillers(known))
    return tuple(groups.values())


def _names_groups(variant: Variant) -> bool:
    """Whether names stand for groups: not proper names, nor one of two attributes."""
    if dict(variant.extra).get(EXTRA_COLUMNS["Proper_nouns_only"]):
        return False
    return not parse_conditions(variant.texts.names) and not parse_conditions(variant.texts.words)


def _nameless(variant: Variant) -> Variant:
    return replace(variant, texts=replace(variant.texts, names=""))
