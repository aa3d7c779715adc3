"""BBQ's template files (Parrish et al. 2022): US English, two versions of each template.

A row with its own `Names` gives one variant. A row without, or with a plain list of names,
gives both variants, its fillers being drawn from the list or the vocabularies: the target
groups for one person, everybody else for the other.

The variant's letter says who is in the stereotyped role, as everywhere in the bank: in `b`
the answer to the negative question is the target person, in `a` the other. BBQ's own
`version` letters do not follow a rule; where they differ, the note keeps them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from curation.files.tables import Row, read_table
from curation.records.bank import Group, TemplateId, Variant
from curation.slots import Filler, parse_conditions, parse_fillers, print_fillers
from curation.sources.bbq_people import Vocabularies, is_vocabulary
from curation.sources.bbq_rows import FORMAT, wordings_of
from curation.sources.imported import KEPT, Imported, RowReport, groups_of, read_rows
from curation.sources.letters import Draft, settled

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

    def drafts_of(row: Row, report: RowReport) -> list[Draft]:
        slug, category = FORMAT.category_of(row)
        template = TemplateId(slug, FORMAT.number_of(row))
        vocabulary = partial(vocabularies.of, folders[id(report.table)])
        found = wordings_of(row, report, category, vocabulary)
        # A version says nothing of a row that stands for both variants.
        published = row.get("version").strip().casefold() if len(found) == 1 else ""
        return [Draft(report, row, template, item, published) for item in found]

    drafts = [draft for found, _, _ in read_rows(reports, drafts_of) for draft in found]
    variants, samples = settled(FORMAT, drafts)
    people: dict[tuple[str, str], dict[Filler, None]] = {}
    for draft in drafts:
        for name, group in draft.wordings.people:
            people.setdefault((draft.wordings.category, group), {})[Filler(name)] = None
    remarks = (*vocabularies.findings, *other)
    groups = _groups(variants, people)
    return FORMAT.imported(reports, variants, remarks, groups=groups, samples=samples)


def _groups(
    variants: Iterable[Variant], people: Mapping[tuple[str, str], Mapping[Filler, None]]
) -> tuple[Group, ...]:
    """List the groups, with the fillers whose group a vocabulary tells.

    Names stand for groups where they are not proper names, nor one of two attributes.
    """
    proper = FORMAT.kept["Proper_nouns_only"]
    named = [
        replace(variant, texts=replace(variant.texts, names=""))
        if dict(variant.extra).get(proper)
        or parse_conditions(variant.texts.names)
        or parse_conditions(variant.texts.words)
        else variant
        for variant in variants
    ]
    groups = []
    for group in groups_of(named):
        names = people.get((group.category, group.group), {})
        known = dict.fromkeys((*parse_fillers(group.fillers), *names))
        groups.append(replace(group, fillers=print_fillers(known)) if names else group)
    return tuple(groups)
