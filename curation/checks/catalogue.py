"""All rules, and how they are run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curation.checks.agreement_unknown import AgreementUnknown
from curation.checks.answer_unknown import AnswerUnknown
from curation.checks.answers_equal import AnswersEqual
from curation.checks.base import Check, Subject
from curation.checks.category_unknown import CategoryUnknown
from curation.checks.control_character import ControlCharacter
from curation.checks.filler_ambiguous import FillerAmbiguous
from curation.checks.filler_duplicate import FillerDuplicate
from curation.checks.filler_empty import FillerEmpty
from curation.checks.form_count import FormCount
from curation.checks.form_empty import FormEmpty
from curation.checks.group_comma import GroupComma
from curation.checks.group_cycle import GroupCycle
from curation.checks.group_duplicate import GroupDuplicate
from curation.checks.group_fillers_missing import GroupFillersMissing
from curation.checks.group_fillers_syntax import GroupFillersSyntax
from curation.checks.group_parent import GroupParent
from curation.checks.group_renamed import GroupRenamed
from curation.checks.group_unknown import GroupUnknown
from curation.checks.groups_missing import GroupsMissing
from curation.checks.id_duplicate import IdDuplicate
from curation.checks.invisible_character import InvisibleCharacter
from curation.checks.label_differs import LabelDiffers
from curation.checks.label_missing import LabelMissing
from curation.checks.line_break import LineBreak
from curation.checks.list_empty import ListEmpty
from curation.checks.pair_groups import PairGroups
from curation.checks.pair_incomplete import PairIncomplete
from curation.checks.pair_lists import PairLists
from curation.checks.pair_size import PairSize
from curation.checks.pair_wording import PairWording
from curation.checks.reference_missing import ReferenceMissing
from curation.checks.release.annotator_name import AnnotatorName
from curation.checks.release.attribution import Attribution
from curation.checks.release.canary import Canary
from curation.checks.release.incomplete import Incomplete
from curation.checks.release.licence import Licence
from curation.checks.release.personal_data import PersonalData
from curation.checks.release.reference import Reference
from curation.checks.release.reference_modified import ReferenceModified
from curation.checks.release.settings import Settings
from curation.checks.release.source_terms import SourceTerms
from curation.checks.release.source_unknown import SourceUnknown
from curation.checks.release.test_set import TestSet
from curation.checks.release.undecided import Undecided
from curation.checks.release.unfinished import Unfinished
from curation.checks.release.version import Version
from curation.checks.release.without_samples import WithoutSamples
from curation.checks.removed_text import RemovedText
from curation.checks.replacement_character import ReplacementCharacter
from curation.checks.settings_changed import SettingsChanged
from curation.checks.slot_declared_twice import SlotDeclaredTwice
from curation.checks.slot_syntax import SlotSyntax
from curation.checks.slot_undeclared import SlotUndeclared
from curation.checks.slot_unused import SlotUnused
from curation.checks.source_missing import SourceMissing
from curation.checks.stereotype_differs import StereotypeDiffers
from curation.checks.stereotype_missing import StereotypeMissing
from curation.checks.stereotype_spelling import StereotypeSpelling
from curation.checks.target_unclear import TargetUnclear
from curation.checks.text_duplicate import TextDuplicate
from curation.checks.text_missing import TextMissing
from curation.checks.unicode_form import UnicodeForm
from curation.checks.variant_role import VariantRole
from curation.checks.white_space import WhiteSpace
from curation.model.findings import Finding, Severity

ALL: tuple[Check, ...] = (
    # Slots and their lists
    SlotSyntax(),
    SlotDeclaredTwice(),
    SlotUndeclared(),
    SlotUnused(),
    ListEmpty(),
    FormCount(),
    FormEmpty(),
    FillerEmpty(),
    FillerDuplicate(),
    AgreementUnknown(),
    # Texts
    TextMissing(),
    TextDuplicate(),
    AnswersEqual(),
    AnswerUnknown(),
    ControlCharacter(),
    LineBreak(),
    InvisibleCharacter(),
    ReplacementCharacter(),
    UnicodeForm(),
    WhiteSpace(),
    # Templates and their variants
    IdDuplicate(),
    PairIncomplete(),
    PairSize(),
    PairLists(),
    PairGroups(),
    PairWording(),
    VariantRole(),
    TargetUnclear(),
    GroupsMissing(),
    StereotypeMissing(),
    StereotypeDiffers(),
    StereotypeSpelling(),
    # Labels and sources
    LabelDiffers(),
    LabelMissing(),
    ReferenceMissing(),
    SourceMissing(),
    RemovedText(),
    # Settings and groups
    SettingsChanged(),
    CategoryUnknown(),
    GroupUnknown(),
    GroupRenamed(),
    GroupDuplicate(),
    GroupParent(),
    GroupCycle(),
    GroupComma(),
    GroupFillersSyntax(),
    GroupFillersMissing(),
    FillerAmbiguous(),
)
"""Every rule of a workspace, in the order of the catalogue."""

RELEASE: tuple[Check, ...] = (
    # What is left
    Undecided(),
    WithoutSamples(),
    Unfinished(),
    Settings(),
    Reference(),
    ReferenceModified(),
    # Terms
    Licence(),
    SourceUnknown(),
    SourceTerms(),
    Attribution(),
    # People
    PersonalData(),
    AnnotatorName(),
    # What a release says of itself
    Incomplete(),
    Canary(),
    Version(),
    TestSet(),
)
"""The rules that only a release has to obey, applied by `curate check --release`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule as the catalogue shows it."""

    rule: str
    severity: Severity
    title: str
    hint: str


READING = (
    Entry(
        "table-ragged-row",
        Severity.ERROR,
        "A row with more or fewer cells than the header",
        "look for a comma, a line break or a quotation mark that is not quoted",
    ),
    Entry(
        "bank-unreadable-row",
        Severity.ERROR,
        "A row of the bank whose id, category, label or groups cannot be read",
        "mend the cell that the finding names",
    ),
    Entry(
        "bank-unknown-column",
        Severity.INFO,
        "A column of the bank that is not the toolkit's",
        "it is kept as it is; mend the name if it was meant to be one of the bank's columns",
    ),
    Entry(
        "groups-unreadable-row",
        Severity.ERROR,
        "A row of the groups that cannot be read",
        "mend the cell that the finding names",
    ),
)
"""What is said of the files while they are read, before any rule is applied."""


def entries() -> list[Entry]:
    """Give the catalogue: what is said while reading, then every rule, those of a release last."""
    checks = (*ALL, *RELEASE)
    return [*READING, *(Entry(item.rule, item.severity, item.title, item.hint) for item in checks)]


def run(subject: Subject, checks: Sequence[Check] = ALL) -> list[Finding]:
    """Apply rules.

    Args:
        subject: What they look at.
        checks: The rules; all of them by default.

    Returns:
        Their findings by file, row and rule.
    """
    return in_order(finding for check in checks for finding in check.findings(subject))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by file, row and rule; those on a whole file come first."""
    return sorted(findings, key=lambda item: (item.file, item.row or 0, item.rule, item.column))
