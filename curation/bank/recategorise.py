"""Apply the merges of categories to a bank that was imported before they were written."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from curation.files.annotations import AnnotationsFolder, read_renamed, write_renamed
from curation.files.bank import write_bank
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.tables import read_table, write_csv
from curation.files.workspace import Workspace
from curation.records.bank import ORIGIN, Bank, Group, Variant
from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.ids import TemplateId, category_slug
from curation.records.survey import decided_templates
from curation.records.wording import shortened


@dataclass(frozen=True, slots=True)
class Recategorised:
    """The bank after its categories were merged.

    Attributes:
        bank: The bank.
        groups: The groups, in their new categories.
        renamed: New template id by the old one.
        moved: Groups that changed their category.
    """

    bank: Bank
    groups: tuple[Group, ...]
    renamed: dict[TemplateId, TemplateId]
    moved: int


def recategorise(
    bank: Bank, groups: Sequence[Group], culture: Culture, taken: Iterable[TemplateId]
) -> Recategorised:
    """Move templates and groups to the categories that the culture merges theirs into.

    A template keeps its number where that is free and gets the next one where it is not. Its
    row keeps the id that it had in its source, so that importing again finds it.

    Args:
        bank: The bank.
        groups: The groups.
        culture: The settings.
        taken: Other ids that are not to be given: former ones, and those of decisions.

    Raises:
        CurateError: If a category is merged into one that is itself merged into another.
    """
    _refuse_chains(
        {*(row.category for row in bank.variants), *(g.category for g in groups)}, culture
    )
    known = {*taken, *(row.template_id for row in bank.variants)}
    renamed: dict[TemplateId, TemplateId] = {}
    rows = []
    for row in bank.variants:
        category = culture.category_of_source(row.category)
        if category == row.category:
            rows.append(row)
            continue
        old = row.template_id
        if old not in renamed:
            renamed[old] = free_id(category_slug(category), old, known)
            known.add(renamed[old])
        rows.append(moved(row, category, renamed[old]))
    after = _groups(groups, culture)
    count = sum(culture.category_of_source(group.category) != group.category for group in groups)
    changed = {old: new for old, new in renamed.items() if old != new}
    return Recategorised(Bank(tuple(rows)), after, changed, count)


def _refuse_chains(categories: Iterable[str], culture: Culture) -> None:
    for category in sorted(categories):
        once = culture.category_of_source(category)
        twice = culture.category_of_source(once)
        if once != twice:
            raise CurateError(
                f"category {category} goes into {once}, which goes into {twice}",
                "culture.yaml, categories",
                f"name {category} among the sources of {twice}",
            )


def free_id(category: str, old: TemplateId, known: set[TemplateId]) -> TemplateId:
    """The id of a template in another category: its number where that is free, or the next one.

    Args:
        category: The category as ids write it.
        old: The id that it has.
        known: Ids that are not to be given.
    """
    wanted = TemplateId(category, old.number)
    if wanted == old or wanted not in known:
        return wanted
    return TemplateId(category, 1 + max(i.number for i in known if i.category == category))


def moved(row: Variant, category: str, name: TemplateId) -> Variant:
    """A row in another category under another id; it keeps the id that it had in its source."""
    extra = row.extra
    if name != row.template_id and not dict(extra).get(ORIGIN):
        others = tuple(item for item in extra if item[0] != ORIGIN)
        extra = (*others, (ORIGIN, str(row.template_id)))
    return replace(row, id=replace(row.id, template=name), category=category, extra=extra)


def _groups(groups: Sequence[Group], culture: Culture) -> tuple[Group, ...]:
    """Move groups; one that stands in the new category already is not doubled."""
    there = {(group.category, group.group) for group in groups}
    after = []
    for group in groups:
        category = culture.category_of_source(group.category)
        if category == group.category:
            after.append(group)
        elif (category, group.group) not in there:
            there.add((category, group.group))
            after.append(replace(group, category=category))
    return tuple(after)


@dataclass(frozen=True, slots=True)
class AppliedMerges:
    """What the merges of categories change.

    Attributes:
        renamed: New template id by the old one.
        groups: How many groups change their category.
        findings: What else names the former ids and categories.
    """

    renamed: dict[str, str]
    groups: int
    findings: tuple[Finding, ...]


def apply_merges(workspace: Workspace, *, dry_run: bool = False) -> AppliedMerges:
    """Apply the merges of `culture.yaml` to a bank that was imported before they were written.

    Former ids are kept in `annotations/renamed.csv`, by which decisions and survey questions that
    name them still hold. Running again changes nothing.

    Args:
        workspace: The workspace.
        dry_run: Whether nothing is written.

    Raises:
        CurateError: If a category is merged into one that is itself merged into another, or a
            file cannot be read or written.
    """
    with writing(workspace, "curate categories apply", dry_run=dry_run):
        former = read_renamed(AnnotationsFolder(workspace.root).renamed)
        taken = [*map(TemplateId.parse, former), *decided_templates(workspace.decisions)]
        own = workspace.bank.variants
        # Deleted templates go too: restored, they would be of a category that is no more.
        both = Bank((*own, *workspace.deleted.variants))
        result = recategorise(both, workspace.groups, workspace.culture, taken)
        deleted = Bank(result.bank.variants[len(own) :])
        result = replace(result, bank=Bank(result.bank.variants[: len(own)]))
        findings = _findings(workspace, result)
        if not dry_run:
            _save(workspace, result, deleted)
    renamed = {str(old): str(new) for old, new in result.renamed.items()}
    return AppliedMerges(renamed, result.moved, tuple(findings))


def _findings(workspace: Workspace, result: Recategorised) -> list[Finding]:
    """Say what else names the former ids and categories."""
    findings = []
    decided = Counter(map(str, decided_templates(workspace.decisions)))
    named = [str(old) for old in result.renamed if str(old) in decided]
    if named:
        findings.append(
            Finding(
                "renamed-decision",
                Severity.INFO,
                workspace.shown(workspace.ledger_file),
                None,
                "subject",
                f"{sum(decided[name] for name in named)} decisions name former ids; they apply to "
                f"the templates under their new ids: {shortened(named)}",
                "keep annotations/renamed.csv: it links decisions to the new ids",
            )
        )
    if result.renamed and workspace.questionnaire_file.exists():
        findings.append(
            Finding(
                "renamed-survey",
                Severity.INFO,
                workspace.shown(workspace.questionnaire_file),
                None,
                "category",
                "the questionnaire was made with the former categories; it still decides the "
                "templates of the new ones",
                "make it again only if nobody has answered it",
            )
        )
    return findings


def _save(workspace: Workspace, result: Recategorised, deleted: Bank) -> None:
    """Write the former ids first: they are found again whatever happens after."""
    folder = AnnotationsFolder(workspace.root)
    if result.renamed:
        pairs = {str(old): str(new) for old, new in result.renamed.items()}
        write_renamed(folder.renamed, pairs, now())
    if deleted != workspace.deleted:
        write_bank(workspace.deleted_file, deleted)
    if result.bank != workspace.bank:
        write_bank(workspace.bank_file, result.bank)
    if result.moved:
        _write_groups(workspace, workspace.culture)


def _write_groups(workspace: Workspace, culture: Culture) -> None:
    """Move the rows of groups.csv, with columns of people's own; a doubled group goes."""
    table = read_table(workspace.groups_file)
    there = {(row["category"].strip(), row["group"].strip()) for row in table.rows}
    rows = []
    for row in table.rows:
        before, name = row["category"].strip(), row["group"].strip()
        category = culture.category_of_source(before)
        if category != before and (category, name) in there:
            continue
        there.add((category, name))
        cells = {**row.cells, "category": category}
        rows.append([cells[column] for column in table.columns])
    write_csv(workspace.groups_file, table.columns, rows)
