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
from curation.slots import Filler, parse_conditions, parse_fillers, print_fillers
from curation.sources.bbq_letters import Draft, settle
from curation.sources.bbq_people import Vocabularies, is_vocabulary
from curation.sources.bbq_rows import FORMAT, drafts_of
from curation.sources.imported import KEPT, Imported, groups_of, read_rows

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
    reports, other = FORMAT.sorted(others, _NO_TEMPLATES)
    for report in reports:
        report.unknown_columns(FORMAT.columns)
    rows = read_rows(
        reports,
        lambda row, report: drafts_of(
            row, report, partial(vocabularies.of, folders[id(report.table)])
        ),
    )
    drafts = [draft for found, _, _ in rows for draft in found]
    variants, samples = settle(drafts)
    remarks = (*vocabularies.findings, *other)
    groups = _groups(variants, drafts)
    return FORMAT.imported(reports, variants, remarks, groups=groups, samples=samples)


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
    if dict(variant.extra).get(FORMAT.kept["Proper_nouns_only"]):
        return False
    return not parse_conditions(variant.texts.names) and not parse_conditions(variant.texts.words)


def _nameless(variant: Variant) -> Variant:
    return replace(variant, texts=replace(variant.texts, names=""))
