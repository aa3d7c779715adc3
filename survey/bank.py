"""The final bank of a workspace: what the ledger leaves of it, with the surveyed groups.

What its decisions were made with stands here too: settings, and whether files have changed since.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.bank.generate import is_waiting, unread_lists
from curation.bank.planning import fault
from curation.bank.rewording import retarget
from curation.checks.subject import Remark, stale_input
from curation.files.jsonl import read_entries
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.outcomes import OTHER_GROUPS, TemplateOutcome
from curation.files.questionnaire import asked_texts, read_tallies
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.bank import (
    ROLE_OPEN,
    TEXT_FIELDS,
    Bank,
    Template,
    Variant,
    open_role,
)
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError, Finding, finding, refusal, shortened
from curation.records.settings import overridden
from curation.records.survey import (
    NOT_USED,
    OUTCOMES,
    Decision,
    QuestionKind,
    Rule,
    Status,
    Tally,
    TargetRow,
    current,
    join_groups,
    surveyed_subjects,
)
from curation.slots.grammar import parse_text
from survey.outcomes import STATUS_COLUMNS, status_rows
from survey.rules import rounded, surveyed_sides

if TYPE_CHECKING:
    import pandas as pd

PREREGISTRATION = "preregistration.md"
"""What was registered before the survey, in the folder of its responses."""
FILTERED = "filter"
"""Where in the exports the filter writes."""
EXCLUSION_COLUMNS = ("rule", "respondent_id", "question_id", "detail", "excluded")
"""The columns of its `exclusions.csv`."""
RESPONSES = "responses.csv"
COUNTED = "counted"
"""The folder of the responses that keeps what was counted, where nothing else has it."""
KEPT = "counted_sha256"
"""The key of the filter's manifest that says so."""


_NOT_PUT_IN = "survey-groups-not-put-in"


@dataclass(frozen=True, slots=True)
class FinalBank:
    """The status of every template, and the bank of the retained templates.

    Attributes:
        outcomes: The outcome of every template of the bank.
        every: All templates, with surveyed groups put in.
        open: Retained templates whose groups are still open, so that they give no samples.
        modified: Ids of the templates whose groups the survey replaced.
        confirmed: Ids of those whose groups the survey was compared with and confirmed.
        findings: Templates whose lists cannot be read, that cannot take the surveyed groups, or
            of which it is open who the target is, each with what is wrong.
        tallies: The counts of the survey, in today's names.
        refused: Ids of those with findings; they give no samples.
    """

    outcomes: tuple[TemplateOutcome, ...]
    every: tuple[Template, ...]
    open: tuple[Template, ...]
    modified: tuple[str, ...]
    confirmed: tuple[str, ...]
    findings: tuple[Finding, ...]
    tallies: tuple[Tally, ...]
    refused: tuple[str, ...] = ()

    @property
    def templates(self) -> tuple[Template, ...]:
        """The retained templates, with surveyed groups, including undecided ones."""
        out = {item.template.id for item in self.outcomes if item.status in NOT_USED}
        return tuple(template for template in self.every if template.id not in out)

    @property
    def bank(self) -> Bank:
        """The variants of the retained templates."""
        return Bank(tuple(variant for item in self.templates for variant in item.variants))

    @property
    def fillable(self) -> tuple[Template, ...]:
        """The templates that give samples."""
        out = {*(str(template.id) for template in self.open), *self.refused}
        return tuple(template for template in self.templates if str(template.id) not in out)

    def of(self, only: Collection[str]) -> "FinalBank":
        """The same of some templates alone, by their ids.

        Findings on no row are of all of them.
        """
        every = (variant for item in self.outcomes for variant in item.template.variants)
        out = {variant.row for variant in every if str(variant.template_id) not in only}
        ids = ("modified", "confirmed", "refused")
        parts: dict[str, Any] = {
            name: tuple(one for one in getattr(self, name) if str(getattr(one, "id", one)) in only)
            for name in ("every", "open", *ids)
        }
        return replace(
            self,
            outcomes=tuple(item for item in self.outcomes if str(item.template.id) in only),
            findings=tuple(item for item in self.findings if item.row not in out),
            **parts,
        )

    @property
    def before(self) -> tuple[Template, ...]:
        """The templates before the survey: all but those that were set aside by then."""
        found = (item for item in self.outcomes if item.status is not Status.SET_ASIDE)
        return tuple(item.template for item in found)

    def to_frame(self) -> "pd.DataFrame":
        """The status of each template: the columns of `templates.csv`.

        All are of dtype `object` and hold texts, except for `modified`, which is `bool`.
        """
        import pandas as pd

        rows = status_rows(self.outcomes, self.modified)
        table = pd.DataFrame(rows, columns=list(STATUS_COLUMNS), dtype=object)
        return table.assign(modified=table["modified"] == "true")

    @property
    def untested(self) -> tuple[str, ...]:
        """Ids of the templates kept whose comprehension nobody was asked; none without a survey."""
        tested = {
            tally.question.template_id
            for tally in self.tallies
            if tally.question.kind is QuestionKind.COMPREHENSION and tally.respondents
        }
        kept = [str(item.template.id) for item in self.with_status(Status.KEPT)]
        return tuple(name for name in kept if self.tallies and name not in tested)

    def unasked(self, file: str = "") -> Finding:
        """Say that they were not asked, for which there is no decision to be seen."""
        names, kept = self.untested, len(self.with_status(Status.KEPT))
        key, way = "survey-no-comprehension", "some" if len(names) < kept else "all"
        told = shortened(names, 5)
        return finding("survey", key, file, way=way, names=told, count=len(names), kept=kept)

    @property
    def counts(self) -> dict[str, int]:
        """How many templates have each status; `set_aside` only where one has it."""
        counts = {status: len(self.with_status(status)) for status in OUTCOMES}
        return {
            status.value: count
            for status, count in counts.items()
            if count or status is not Status.SET_ASIDE
        }

    def with_status(self, status: Status) -> list[TemplateOutcome]:
        """The templates with a status."""
        return [item for item in self.outcomes if item.status is status]


def undecided_hints(workspace: Workspace, final: FinalBank) -> dict[str, str]:
    """What may be done about each template that the survey does not decide, by its id.

    Args:
        workspace: The workspace; of its published counts those are told of that no survey holds.
        final: Where the templates stand, with the counts of the survey.

    Raises:
        CurateError: If the file of the published counts is no such list.
    """
    path = workspace.published_counts_file
    is_read = any(path.name in tally.source.split(", ") for tally in final.tallies)
    entries = read_entries(path) if path.exists() and not is_read else ()
    names = (str(item.get("template_id")) for item in entries if isinstance(item, dict))
    published = {workspace.renamed.get(name, name) for name in names}
    found = {}
    for item in final.with_status(Status.UNDECIDED):
        way = "groups" if item.reason == OTHER_GROUPS else "open"
        way = "published" if str(item.template.id) in published else way
        said = finding("survey", "undecided", "", way=way, path=workspace.shown(path))
        found[str(item.template.id)] = said.message
    return found


def unasked_comprehension(workspace: Workspace, final: FinalBank) -> list[Finding]:
    """Say that comprehension was not asked, where the workspace does not say why."""
    if not final.untested or workspace.culture.release.survey.comprehension:
        return []
    return [final.unasked(workspace.shown(workspace.tallies_file))]


def reworded(workspace: Workspace, templates: Iterable[Template]) -> tuple[str, ...]:
    """Which templates were read in other words than they have now when comprehension was asked.

    What stands in slots is passed: names, and articles and endings with them, were drawn or come
    from the survey. So is a word before a slot that may join the next one, as `de` in `del`.

    Args:
        workspace: For the texts that were asked, and for the language.
        templates: The templates.

    Returns:
        Their ids; none where no form was built here.

    Raises:
        CurateError: If the texts that were asked, or a slot, cannot be read.
    """
    general = workspace.language.general
    joining: set[str] = set()
    if general is not None:
        joining = {word for word, *_ in general.contractions}
        joining |= {word for rule in general.elisions for word in rule.words}
    asked: dict[str, str] = {}
    for name, text in asked_texts(workspace.responses_folder / "forms" / "texts.csv").items():
        template = name.removeprefix("c-")
        asked[workspace.renamed.get(template, template)] = text
    return tuple(
        str(item.id)
        for item in templates
        if str(item.id) in asked
        and not any(_reads(variant, asked[str(item.id)], joining) for variant in item.variants)
    )


def _reads(variant: Variant, shown: str, joining: Collection[str]) -> bool:
    """Whether a text is a context and question of a variant, whatever slots and blanks hold."""
    texts, at = variant.texts, 0
    shown = "".join(shown.split())
    for text in (
        texts.ambiguous_context,
        texts.disambiguating_context,
        texts.counter_biased_question,
    ):
        for part in parse_text(text).parts:
            words = part.split() if isinstance(part, str) else []
            if words and words[-1].casefold() in joining:
                del words[-1]
            literal = "".join(words)
            found = shown.find(literal, at)
            if found < 0:
                return False
            at = found + len(literal)
    return True


def final_bank(workspace: Workspace) -> FinalBank:
    """Compute the final bank of a workspace from its files.

    Raises:
        CurateError: If a file cannot be read.
    """
    return finalize(
        workspace,
        read_tallies(workspace.tallies_file, workspace.book),
        workspace.decisions,
        workspace.targets,
    )


def finalize(
    workspace: Workspace,
    tallies: Sequence[Tally],
    ledger: Sequence[Decision],
    targets: Sequence[TargetRow],
) -> FinalBank:
    """Work out the final bank.

    Args:
        workspace: The workspace, for bank, groups and language.
        tallies: The counts of the survey, in the names that it was asked with.
        ledger: All decisions, on former ids too.
        targets: Where each group stands, in the survey's names.

    Raises:
        CurateError: If bank or groups cannot be read, or groups were renamed that the survey
            tells apart.
    """
    renaming = workspace.renaming
    targets = renaming.targets(targets)
    tallies = renaming.tallies(tallies)
    by_question = {tally.question.id: tally for tally in tallies}
    found = workspace.outcomes_by(tallies, ledger)
    every: list[Template] = []
    open_ones: list[Template] = []
    modified: list[str] = []
    confirmed: list[str] = []
    findings: list[Finding] = []
    refused: list[str] = []
    for item in found:
        template, surveyed, problem = item.template, None, None
        is_retained = item.status not in NOT_USED
        if is_retained or is_waiting(template):
            try:
                surveyed = with_surveyed_groups(item, workspace, by_question, targets)
            except CurateError as error:
                problem = fault(template, error, _NOT_PUT_IN)
            template = surveyed or template
        every.append(template)
        if not is_retained:  # it owes nothing
            continue
        if surveyed is not None:
            same = surveyed.variants == item.template.variants
            (confirmed if same else modified).append(str(template.id))
        unread = unread_lists(template)
        if problem is None and unread is not None:
            problem = fault(template, unread)
        role_open = next((variant for variant in template.variants if variant.role_open), None)
        if problem is None and role_open is not None:
            problem = fault(template, open_role(role_open), ROLE_OPEN)
        if problem is not None:
            findings.append(problem)
            refused.append(str(template.id))
        open_ones += [template] * is_waiting(template)
    return FinalBank(
        outcomes=tuple(found),
        every=tuple(every),
        open=tuple(open_ones),
        modified=tuple(modified),
        confirmed=tuple(confirmed),
        findings=tuple(findings),
        tallies=tuple(tallies),
        refused=tuple(refused),
    )


def with_surveyed_groups(
    item: TemplateOutcome,
    workspace: Workspace,
    tallies: Mapping[str, Tally],
    targets: Sequence[TargetRow],
) -> Template | None:
    """Put the surveyed groups into a template; None where no survey has said which they are.

    Args:
        item: The template, with the question that it is linked to.
        workspace: The workspace, for groups and language.
        tallies: The counts by question, in today's names.
        targets: Where each group stands, in today's names.

    Raises:
        CurateError: If the template cannot take the groups.
    """
    question = item.question
    if question is None or question.kind is not QuestionKind.SELECT_ALL or item.by_id:
        return None  # options of other groups than the template's do not take their place
    sides = surveyed_sides(tallies[question.id], targets)
    if not all(sides):
        return None
    return replace(
        item.template,
        variants=tuple(
            retarget(variant, *sides, workspace.groups, workspace.language)
            if variant.texts.has_body
            else variant
            for variant in item.template.variants
        ),
    )


_SETTING_OF = {
    Rule.TARGET_SHARE: "target_share",
    Rule.TWO_THIRDS: "stereotype_share",
    Rule.NO_STEREOTYPE: "no_stereotype_limit",
    Rule.COMPREHENSION: "comprehension_share",
    Rule.MIN_RESPONDENTS: "min_respondents",
}
"""The setting that is the threshold of a rule's decisions; target selection has two."""
_INFORMING = ("margins", "files")
"""Settings that decide nothing."""


def decided_settings(workspace: Workspace) -> SurveySettings:
    """The settings of the survey, with those that the standing decisions were made with.

    Raises:
        CurateError: If manifest, counts or ledger cannot be read.
    """
    return overridden(workspace.culture.survey, decided_with(workspace))


def decided_with(workspace: Workspace) -> Mapping[str, object]:
    """The settings that the standing decisions were made with, by name.

    They are those that the last filter left in its manifest; where that is gone, the thresholds
    that the ledger holds. Nothing where nothing has been filtered.

    Raises:
        CurateError: If manifest, counts or ledger cannot be read.
    """
    tallies = read_tallies(workspace.tallies_file, workspace.book)
    if not tallies:
        return {}
    folder = workspace.exports_folder / FILTERED
    if (folder / MANIFEST).exists():
        return _of_manifest(read_manifest(folder).settings.get("survey"), str(folder / MANIFEST))
    return _of_ledger(workspace.decisions, tallies, workspace.culture.survey)


def _of_manifest(stated: object, where: str) -> dict[str, object]:
    """Read what the last filter wrote; settings that this version does not have say nothing."""
    again = "run 'curate filter' again"
    if not isinstance(stated, dict):
        raise CurateError("the manifest of the last filter holds no thresholds", where, again)
    known = {
        name: value
        for name, value in stated.items()
        if name in SurveySettings.model_fields and name not in _INFORMING
    }
    try:
        settings = SurveySettings.model_validate(known)
    except ValueError as error:
        raise refusal("survey", "thresholds-unknown", where) from error
    names = {*known, "quality"}  # which is left out where nothing was set
    return {name: getattr(settings, name) for name in SurveySettings.model_fields if name in names}


def _of_ledger(
    ledger: Iterable[Decision], tallies: Iterable[Tally], settings: SurveySettings
) -> dict[str, object]:
    """Read the thresholds of the decisions on what was surveyed; those as set where they agree."""
    subjects = {tally.question.subject for tally in tallies}
    found: dict[str, object] = {}
    for (subject, _), decision in current(ledger).items():
        name = _setting_of(decision) if subject in subjects else ""
        if name and decision.threshold is not None:
            as_set = getattr(settings, name)
            agrees = rounded(as_set) == decision.threshold
            written = Fraction(str(decision.threshold)).limit_denominator(1000)
            found[name] = as_set if agrees else written
    return found


def _setting_of(decision: Decision) -> str:
    """Tell which setting is a decision's threshold; nothing where that cannot be told."""
    if decision.rule is not Rule.TARGET_SELECTION:
        return _SETTING_OF.get(decision.rule, "")
    if decision.reason:
        return {"no_target": "target_multiple", "no_non_target": "non_target_multiple"}.get(
            decision.reason, ""
        )
    # A question that is kept shows the group that is closer to its threshold: a target lies
    # above its own, a non-target below.
    if not decision.margin:
        return ""
    return "target_multiple" if decision.margin > 0 else "non_target_multiple"


def plain_settings(settings: SurveySettings) -> dict[str, object]:
    """The thresholds as text, fractions as they are written, and margins by attribute."""
    said = settings.model_dump(exclude={"files"})
    return {key: _plain(value) for key, value in said.items() if value not in ({}, {"values": {}})}


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return list(value) if isinstance(value, tuple) else str(value)


BANK_DIGEST = "bank_sha256"
"""The key of the filter's manifest that holds `bank_digest` of the bank that it read."""
COMMAND = "curate filter"


def bank_digest(bank: Bank) -> str:
    """What identifies the part of a bank that decisions rest on: ids, labels, groups and texts.

    Notes, references, sources and columns of one's own are no part of it.

    Returns:
        SHA-256, hexadecimal.
    """
    found = hashlib.sha256()
    for variant in bank.variants:
        label = variant.label.value if variant.label else ""
        texts = [getattr(variant.texts, name) for name in TEXT_FIELDS]
        cells = [item if isinstance(item, str) else join_groups(item) for item in texts]
        row = (str(variant.id), variant.category, label, *cells, "\x1e")
        found.update("\x1f".join(row).encode())
    return found.hexdigest()


def stale_inputs(workspace: Workspace) -> Iterator[Remark]:
    """Yield the files of a workspace that have changed since the last filter read them.

    Of `culture.yaml` only thresholds matter, which `survey.bank.decided_with` tells. Answers
    that were deleted after they were counted are not stale; a questionnaire that is gone is, and
    so is the filter's manifest where decisions of a survey are in the ledger.

    Args:
        workspace: The workspace.

    Yields:
        The files in the order of the manifest; none where nothing was filtered.

    Raises:
        CurateError: If the manifest of the last filter, or the bank, cannot be read.
    """
    folder = workspace.exports_folder / FILTERED
    if not (folder / MANIFEST).exists():
        if surveyed_subjects(workspace.decisions):
            name = workspace.shown(folder / MANIFEST)
            yield stale_input(name, "is gone", COMMAND, _hint("unknown"))
        return
    changed = changed_inputs(workspace)
    for name in read_manifest(folder).inputs:
        path = workspace.root / name
        asked = path == workspace.questionnaire_file
        if asked and not path.is_file():
            yield stale_input(name, "is gone", COMMAND, _hint("questions"))
        elif name in changed and path != workspace.culture_file:
            hint = _hint("questions" if asked else "again")
            yield stale_input(name, "has changed", COMMAND, hint)


def _hint(way: str) -> str:
    """What to do about a file that is not as the last filter read it."""
    return finding("survey", "stale-input", "", way=way).message


def changed_inputs(workspace: Workspace) -> list[str]:
    """The files that the last filter read and that are others now, as its manifest names them.

    Of the bank only that counts which decisions rest on.

    Raises:
        CurateError: If the manifest of the last filter, or the bank, cannot be read.
    """
    folder = workspace.exports_folder / FILTERED
    known = read_manifest(folder).settings.get(BANK_DIGEST)
    return [
        name
        for name in changed_since(workspace, folder)
        if workspace.root / name != workspace.bank_file or known != bank_digest(workspace.bank)
    ]


def changed_since(workspace: Workspace, folder: Path) -> list[str]:
    """The files that a folder was made from and that are others now, as its manifest names them.

    Raises:
        CurateError: If the manifest cannot be read.
    """
    return [
        name
        for name, record in read_manifest(folder).inputs.items()
        if (path := workspace.root / name).is_file() and sha256(path) != record.sha256
    ]


def counted_answers(workspace: Workspace) -> Path:
    """The answers in normal form that the last filter read, whatever file they came from.

    What is known of the respondents stands beside them. The file may be missing: counts have no
    answers.
    """
    folder = workspace.exports_folder / FILTERED
    manifest = read_manifest(folder) if (folder / MANIFEST).exists() else None
    kept = manifest is not None and KEPT in manifest.settings
    return (
        workspace.responses_folder / COUNTED if kept else workspace.responses_folder
    ) / RESPONSES
