"""The files of an adaptation, and how they are loaded."""

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.annotations import AnnotationsFolder, At, read_renamed
from curation.files.bank import GroupBook, read_bank, read_groups, write_bank
from curation.files.codec import DECISIONS, TARGETS, followed
from curation.files.culture import (
    CATEGORIES,
    FOLDER,
    AddedCategory,
    found_files,
    load_culture,
    own_language,
    refuse_two,
    with_added,
)
from curation.languages import Language
from curation.records.bank import GROUP_FIELDS, Bank, Group, TemplateId, category_slug
from curation.records.culture import Culture
from curation.records.messages import (
    CurateError,
    Finding,
    Severity,
    and_more,
    finding,
    refusal,
    refuse_unknown,
)
from curation.records.survey import TIME, Decision, Tally, TargetRow, join_groups

if TYPE_CHECKING:
    from curation.files.outcomes import Renaming, TemplateOutcome

MISSING_GROUPS = "groups-file-missing"
"""The rule of the finding that there is no file of groups."""
WAIT = 30.0
"""How many seconds a command waits for another that writes to the workspace."""


@dataclass(frozen=True)
class Workspace:
    """A folder that holds one adaptation.

    Each file is read once, when it is first needed; after a change of a file `refresh` makes it
    read the files again.

    Attributes:
        root: The folder.
        wait: How many seconds to wait for another command that writes to it.
        on_wait: Called with the process that it waits for.
        stamps: The state of its files when it was made or last refreshed.
    """

    root: Path
    wait: float = field(default=WAIT, compare=False)
    on_wait: Callable[[str], None] | None = field(default=None, compare=False, repr=False)
    stamps: tuple[object, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", Path(self.root))  # a notebook may give text
        object.__setattr__(self, "stamps", self._stamps())

    culture_file = At("culture.yaml")
    """The settings."""
    bank_file = At("templates_src", "bank.csv")
    """The templates."""
    deleted_file = At("templates_src", "deleted.csv")
    """The file of deleted templates."""
    groups_file = At("templates_src", "groups.csv")
    """The demographic groups."""
    categories_file = At("templates_src", "categories.csv")
    """The categories that an import brought, or that were split off others."""
    sources_folder = At("templates_src", "sources")
    """Published files as imported."""
    responses_folder = At("responses")
    """Questionnaire, survey files and what was counted from them."""
    questionnaire_file = At("responses", "questionnaire.csv")
    """The questions of the survey."""
    published_counts_file = At("responses", "published_counts.json")
    """The counts that imported templates were published with; not every set has them."""
    tallies_file = At("responses", "tallies.csv")
    """The counted answers."""
    targets_file = At("responses", "targets.csv")
    """The surveyed target groups."""
    ledger_file = At("decisions.csv")
    """The decisions."""
    exports_folder = At("exports")
    """What is generated."""
    curate_folder = At(".curate")
    """Caches; safe to delete."""
    languages_folder = At(FOLDER)
    """What is said and read in its languages, where it says so itself."""

    @property
    def annotations(self) -> AnnotationsFolder:
        """What people are asked, and what they returned."""
        return AnnotationsFolder(self.root)

    def _stamps(self) -> tuple[object, ...]:
        """The state of each file that is loaded, which changes when it is written anew."""
        files = (
            *(self.culture_file, self.bank_file, self.deleted_file, self.groups_file),
            *(
                self.categories_file,
                self.ledger_file,
                self.targets_file,
                self.tallies_file,
                self.annotations.renamed,
            ),
            *(self.languages_folder, *found_files(self.languages_folder)),
        )
        return tuple(_stamp(path) for path in files)

    def refresh(self) -> None:
        """Forget what was loaded, if one of the files has changed since."""
        stamps = self._stamps()
        if stamps != self.stamps:
            own = {item.name for item in fields(self)}
            for name in [name for name in self.__dict__ if name not in own]:
                self.__dict__.pop(name, None)  # what was loaded is kept among the attributes
            object.__setattr__(self, "stamps", stamps)

    def shown(self, path: Path) -> str:
        """A path as messages show it: within the workspace relative to it."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return str(path)

    @cached_property
    def culture(self) -> Culture:
        """The settings; a third choice that nobody wrote is that of the workspace's language file.

        Raises:
            CurateError: If there are none, they cannot be read, or two files are for one language.
        """
        found = load_culture(self.culture_file)
        refuse_two(self.languages_folder)  # every command asks for the settings first
        if found.is_unknown_unwritten:
            language = own_language(self.root, found.language)
            general = language.general if language.written("language") else None
            if general and general.unknown:
                found = found.model_copy(update={"unknown": general.unknown})
        return with_added(found, self.added_categories, self.shown(self.categories_file))

    @cached_property
    def added_categories(self) -> Sequence[AddedCategory]:
        """The categories that an import brought, or that were split off others.

        Raises:
            CurateError: If their file cannot be read.
        """
        return tuple(CATEGORIES.read(self.categories_file))

    @cached_property
    def language(self) -> Language:
        """The culture's language, with what the workspace itself says of it.

        Raises:
            CurateError: If two files are for it, or its file cannot be read.
        """
        return own_language(self.root, self.culture.language)

    @cached_property
    def source_language(self) -> Language:
        """The language of the templates that are adapted, in the same way.

        Raises:
            CurateError: If two files are for it, or its file cannot be read.
        """
        return own_language(self.root, self.culture.source_language)

    @cached_property
    def bank_and_findings(self) -> tuple[Bank, list[Finding]]:
        """The bank, and what could not be read of it.

        Raises:
            CurateError: If the file as a whole cannot be read.
        """
        self.culture  # noqa: B018  # a missing workspace is said before a missing bank
        if not self.bank_file.exists():
            raise refusal("curation", "bank-missing", self.bank_file)
        bank, findings = read_bank(self.bank_file, self.shown(self.bank_file))
        return self.book.named(bank), findings

    def write_bank(self, path: Path, bank: Bank, *, escaped: bool = False) -> None:
        """Write the bank, or the deleted templates, in place of a file, with the keys of groups.

        Args:
            path: The file.
            bank: What it is to hold.
            escaped: As `curation.files.bank.write_bank` takes it.

        Raises:
            CurateError: If the groups cannot be read, two have one name, or it cannot be written.
        """
        self.groups  # noqa: B018  # keys are not known where a row of groups cannot be read
        write_bank(path, self.book.keyed(bank), escaped=escaped)

    @cached_property
    def bank(self) -> Bank:
        """The bank, all of it.

        Raises:
            CurateError: If any row cannot be read: nothing is derived from half a bank.
        """
        bank, findings = self.bank_and_findings
        refuse_errors(findings)
        return bank

    @property
    def untied(self) -> frozenset[str]:
        """The ids of the templates whose variants are texts of their own for translators.

        Raises:
            CurateError: If settings or bank cannot be read.
        """
        return self.bank.untied(self.culture.translation.untie)

    @cached_property
    def deleted(self) -> Bank:
        """The deleted templates; none if there is no file of them.

        Raises:
            CurateError: If their file cannot be read.
        """
        if not self.deleted_file.exists():
            return Bank()
        bank, findings = read_bank(self.deleted_file, self.shown(self.deleted_file))
        refuse_errors(findings)
        return self.book.named(bank)

    @cached_property
    def group_rows(self) -> tuple[list[Group], list[Finding]]:
        """The rows of the groups, merged ones too, and what could not be read of them.

        Raises:
            CurateError: If the file as a whole cannot be read.
        """
        if not self.groups_file.exists():
            return [], []
        return read_groups(self.groups_file, self.shown(self.groups_file))

    @cached_property
    def book(self) -> GroupBook:
        """What the groups are called, and the keys that files hold.

        Raises:
            CurateError: If settings or groups as a whole cannot be read.
        """
        return GroupBook(self.group_rows[0], self.culture)

    @cached_property
    def groups_and_findings(self) -> tuple[list[Group], list[Finding]]:
        """The groups, each once, and what could not be read of them.

        There are none where there is no file, which is an error where the bank names groups.

        Raises:
            CurateError: If the file as a whole cannot be read.
        """
        rows, findings = self.group_rows
        if not self.groups_file.exists():
            findings = self._missing_groups()
        return [group for group in rows if not group.same_as], findings

    def _missing_groups(self) -> list[Finding]:
        """That there is no file of groups, where the bank names any."""
        variants = self.bank_and_findings[0].variants if self.bank_file.exists() else ()
        if not any(getattr(item.texts, name) for item in variants for name in GROUP_FIELDS):
            return []
        file = self.shown(self.groups_file)
        return [finding("curation", MISSING_GROUPS, file, name=self.groups_file.name, groups=file)]

    @cached_property
    def groups(self) -> list[Group]:
        """The groups, all of them.

        Raises:
            CurateError: If any row cannot be read.
        """
        groups, findings = self.groups_and_findings
        refuse_errors(findings)
        return groups

    @cached_property
    def decisions(self) -> list[Decision]:
        """The ledger, by time: somebody may have sorted its rows. As it stands where one has none.

        Raises:
            CurateError: If it cannot be read.
        """
        found = DECISIONS.read(self.ledger_file)
        is_timed = all(TIME.fullmatch(item.at) for item in found)
        return sorted(found, key=attrgetter("at")) if is_timed else found

    def chosen(self, named: Collection[str] = ()) -> frozenset[str]:
        """The ids of templates that are named, by id (a former one too) or category.

        Args:
            named: Ids and categories, in any case and form; all templates by default.

        Raises:
            CurateError: If the bank has no such template, and none of such a category.
        """
        every = self.bank_and_findings[0].variants
        found = {str(variant.template_id): variant.category for variant in every}
        wanted = {self.id_now(name): name for name in named}
        known = {name.casefold(): name for name in (*found, *found.values())}
        for plain, name in wanted.items():
            found_as = known.get(plain.casefold(), name)
            refuse_unknown("template or category", found_as, known.values())
        small = {*map(str.casefold, wanted)}
        return frozenset(
            name
            for name, category in found.items()
            if not small or not small.isdisjoint((name.casefold(), category.casefold()))
        )

    @cached_property
    def renamed(self) -> Mapping[str, str]:
        """By former id of a template, the one that it has now; none that one has in the bank.

        A deleted template has its id as those of the bank have theirs: by it it is brought back.

        Raises:
            CurateError: If the bank, the deleted templates or the file of former ids cannot be
                read.
        """
        both = (*self.bank.variants, *self.deleted.variants)
        there = {str(variant.template_id) for variant in both}
        former = read_renamed(self.annotations.renamed)
        return {old: new for old, new in former.items() if old not in there}

    def id_now(self, name: str) -> str:
        """The id that a template has now, by one that it has or had, in whatever case and form."""
        plain = unicodedata.normalize("NFC", name).lower()
        return self.renamed.get(plain, plain)

    @cached_property
    def former(self) -> Mapping[str, list[tuple[str, str]]]:
        """By id of a template those that it had before, each with its category there.

        The category is empty where the settings know it no more.

        Raises:
            CurateError: If the bank, the settings or the file of former ids cannot be read.
        """
        every = (name for one in self.culture.categories for name in (*one.sources, one.id))
        names = {category_slug(name): name for name in every}
        found: dict[str, list[tuple[str, str]]] = {}
        for old, new in self.renamed.items():
            home = names.get(TemplateId.parse(old).category, "")
            found.setdefault(new, []).append((old, home))
        return found

    @cached_property
    def renamed_decisions(self) -> list[Decision]:
        """The ledger, each decision on the id that its template has now.

        Raises:
            CurateError: If ledger, bank or the file of former ids cannot be read.
        """
        return followed(self.decisions, self.renamed)

    @cached_property
    def renaming(self) -> "Renaming":
        """What puts the survey's names right for the bank of now.

        Raises:
            CurateError: If bank, settings or the file of former ids cannot be read.
        """
        # Most commands ask for no status, and load nothing of the survey.
        from curation.files.outcomes import Renaming

        categories = frozenset(variant.category for variant in self.bank.variants)
        return Renaming(self.culture, categories, self.renamed)

    @cached_property
    def outcomes(self) -> Sequence["TemplateOutcome"]:
        """What the decisions make of each template, by the counts of the survey.

        Raises:
            CurateError: If bank, groups, ledger, counts or the file of former ids cannot be read.
        """
        from curation.files.questionnaire import read_tallies

        tallies = self.renaming.tallies(read_tallies(self.tallies_file, self.book))
        return self.outcomes_by(tallies, self.decisions)

    def outcomes_by(
        self, tallies: Sequence[Tally], ledger: Sequence[Decision]
    ) -> list["TemplateOutcome"]:
        """What other decisions would make of each template.

        Args:
            tallies: The counts of the survey, in today's names.
            ledger: All decisions, on former ids too. What nobody answered has decided nothing.

        Raises:
            CurateError: If bank or groups cannot be read.
        """
        from curation.files.outcomes import outcomes

        unanswered = {tally.question.id for tally in tallies if not tally.respondents}
        return outcomes(
            list(self.bank.templates()),
            [tally.question for tally in tallies],
            [item for item in followed(ledger, self.renamed) if item.subject not in unanswered],
            self.book,
        )

    @cached_property
    def not_used(self) -> frozenset[str]:
        """The ids of the bank's templates that are not used, by label, person or survey.

        Raises:
            CurateError: As `outcomes`.
        """
        return frozenset(str(item.template.id) for item in self.outcomes if item.is_out_of_use)

    @cached_property
    def targets(self) -> list[TargetRow]:
        """The surveyed target groups.

        Raises:
            CurateError: If they cannot be read.
        """
        rows = TARGETS.read(self.targets_file)
        named = (self.book.split(row.category, row.key or row.group) for row in rows)
        return [
            replace(row, group=join_groups(groups)) for row, groups in zip(rows, named, strict=True)
        ]


def open_workspace(folder: Path | str) -> Workspace:
    """Open a workspace.

    Args:
        folder: The folder that holds `culture.yaml`.

    Raises:
        CurateError: If there is no workspace, or its settings cannot be read.
    """
    workspace = Workspace(Path(folder))
    workspace.culture  # noqa: B018  # what is no workspace is refused at once
    return workspace


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def refuse_errors(findings: Sequence[Finding]) -> None:
    """Refuse to go on from a file some of which cannot be read.

    Raises:
        CurateError: Naming the first error and how many there are.
    """
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        what = errors[0].message + and_more(len(errors), "more error")
        raise CurateError(what, errors[0].where, errors[0].hint or "see 'curate check'")
