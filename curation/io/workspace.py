"""Where everything of an adaptation lies, and how it is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from curation.io.annotations import AnnotationsFolder, read_renamed
from curation.io.bank import read_bank, read_groups
from curation.io.culture import load_culture
from curation.io.ledger import followed, read_decisions, read_targets
from curation.model.bank import Bank, Group
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.survey import Decision, TargetRow


@dataclass(frozen=True)
class Workspace:
    """A folder that holds one adaptation. Files are read when they are asked for, once.

    Attributes:
        root: The folder.
    """

    root: Path

    @property
    def culture_file(self) -> Path:
        """The settings."""
        return self.root / "culture.yaml"

    @property
    def bank_file(self) -> Path:
        """The templates."""
        return self.root / "templates_src" / "bank.csv"

    @property
    def groups_file(self) -> Path:
        """The demographic groups."""
        return self.root / "templates_src" / "groups.csv"

    @property
    def sources_folder(self) -> Path:
        """Published files as imported."""
        return self.root / "templates_src" / "sources"

    @property
    def responses_folder(self) -> Path:
        """Questionnaire, survey files and what was counted from them."""
        return self.root / "responses"

    @property
    def questionnaire_file(self) -> Path:
        """The questions of the survey."""
        return self.responses_folder / "questionnaire.csv"

    @property
    def targets_file(self) -> Path:
        """The surveyed target groups."""
        return self.responses_folder / "targets.csv"

    @property
    def ledger_file(self) -> Path:
        """The rulings."""
        return self.root / "decisions.csv"

    @property
    def exports_folder(self) -> Path:
        """What is generated."""
        return self.root / "exports"

    @property
    def curate_folder(self) -> Path:
        """Caches; safe to delete."""
        return self.root / ".curate"

    def shown(self, path: Path) -> str:
        """Give a path as messages show it: within the workspace relative to it."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return str(path)

    @cached_property
    def culture(self) -> Culture:
        """The settings.

        Raises:
            CurateError: If there are none, or they cannot be read.
        """
        return load_culture(self.culture_file)

    @cached_property
    def bank_and_findings(self) -> tuple[Bank, list[Finding]]:
        """The bank, and what could not be read of it.

        Raises:
            CurateError: If the file as a whole cannot be read.
        """
        self.culture  # noqa: B018  # a missing workspace is said before a missing bank
        if not self.bank_file.exists():
            raise CurateError(
                "the workspace has no bank yet",
                str(self.bank_file),
                "import published templates: curate import bbq FILE ...",
            )
        return read_bank(self.bank_file, self.shown(self.bank_file))

    @cached_property
    def bank(self) -> Bank:
        """The bank, all of it.

        Raises:
            CurateError: If any row cannot be read: nothing is derived from half a bank.
        """
        bank, findings = self.bank_and_findings
        refuse_errors(findings)
        return bank

    @cached_property
    def groups_and_findings(self) -> tuple[list[Group], list[Finding]]:
        """The groups, and what could not be read of them; none where there is no file.

        Raises:
            CurateError: If the file as a whole cannot be read.
        """
        if not self.groups_file.exists():
            return [], []
        return read_groups(self.groups_file, self.shown(self.groups_file))

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
        """The ledger.

        Raises:
            CurateError: If it cannot be read.
        """
        return read_decisions(self.ledger_file)

    @cached_property
    def renamed(self) -> Mapping[str, str]:
        """By former id of a template, the one that it has now; none that the bank has.

        Raises:
            CurateError: If the bank or the file of former ids cannot be read.
        """
        there = {str(variant.template_id) for variant in self.bank.variants}
        former = read_renamed(AnnotationsFolder(self.root).renamed)
        return {old: new for old, new in former.items() if old not in there}

    @cached_property
    def rulings(self) -> list[Decision]:
        """The ledger, each ruling on the id that its template has now.

        Raises:
            CurateError: If ledger, bank or the file of former ids cannot be read.
        """
        return followed(self.decisions, self.renamed)

    @cached_property
    def targets(self) -> list[TargetRow]:
        """The surveyed target groups.

        Raises:
            CurateError: If they cannot be read.
        """
        return read_targets(self.targets_file)


def refuse_errors(findings: Sequence[Finding]) -> None:
    """Refuse to go on from a file some of which cannot be read.

    Raises:
        CurateError: Naming the first error and how many there are.
    """
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        more = f", and {len(errors) - 1} more errors" if len(errors) > 1 else ""
        raise CurateError(
            errors[0].message + more, errors[0].where, errors[0].hint or "see 'curate check'"
        )
