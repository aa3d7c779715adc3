"""What the last filter decided with: its settings, and whether its files have changed since."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from curation.checks.subject import StaleInput
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.bank import TEXT_FIELDS, Bank
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError
from curation.records.settings import overridden
from curation.records.survey import Decision, QuestionKind, Rule, Stage, Tally, current, join_groups
from survey.bank import TALLIES
from survey.counts import read_tallies
from survey.rules import rounded

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
    tallies = read_tallies(workspace.responses_folder / TALLIES, workspace.book)
    if not tallies:
        return {}
    folder = workspace.exports_folder / "filter"
    if (folder / MANIFEST).exists():
        return _of_manifest(read_manifest(folder).settings.get("survey"), str(folder / MANIFEST))
    return _of_ledger(workspace.decisions, tallies, workspace.culture.survey)


def _of_manifest(stated: object, where: str) -> dict[str, object]:
    """Read what the last filter wrote; settings that this version does not have say nothing."""
    named = dict(stated) if isinstance(stated, dict) else {}
    known = {
        name: value
        for name, value in named.items()
        if name in SurveySettings.model_fields and name not in _INFORMING
    }
    try:
        settings = SurveySettings.model_validate(known)
    except ValueError as error:
        raise CurateError(
            "the manifest of the last filter holds thresholds that this version does not know",
            where,
            "run 'curate filter' again",
        ) from error
    return {name: getattr(settings, name) for name in SurveySettings.model_fields if name in known}


def _of_ledger(
    ledger: Iterable[Decision], tallies: Iterable[Tally], settings: SurveySettings
) -> dict[str, object]:
    """Read the thresholds of the decisions on what was surveyed; those as set where they agree."""
    subjects = {
        tally.question.template_id
        if tally.question.kind is QuestionKind.COMPREHENSION
        else tally.question.id
        for tally in tallies
    }
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
_FOLDER = "filter"
_AGAIN = "run 'curate filter' again with the survey's files, or undo the edit"
_QUESTIONS = (
    "restore the questionnaire that respondents were asked; if this is the right one, run "
    "'curate filter' again with the survey's files"
)
_UNKNOWN = (
    "restore it, or run 'curate filter' again with the survey's files: without it, nobody knows "
    "whether "
    "these have changed"
)
_COUNTED = (Stage.SURVEY, Stage.COMPREHENSION)


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


def stale_inputs(workspace: Workspace) -> tuple[StaleInput, ...]:
    """The files of a workspace that have changed since the last filter read them.

    Of `culture.yaml` only thresholds matter, which `survey.settings.decided_with` tells. Answers
    that were deleted after they were counted are not stale; a questionnaire that is gone is, and
    so is the filter's manifest where decisions of a survey are in the ledger.

    Args:
        workspace: The workspace.

    Returns:
        The files in the order of the manifest; none where nothing was filtered.

    Raises:
        CurateError: If the manifest of the last filter, or the bank, cannot be read.
    """
    return tuple(_stale(workspace))


def _stale(workspace: Workspace) -> Iterator[StaleInput]:
    folder = workspace.exports_folder / _FOLDER
    if not (folder / MANIFEST).exists():
        if any(item.stage in _COUNTED for item in workspace.decisions):
            name = workspace.shown(folder / MANIFEST)
            yield StaleInput(name, "is gone", COMMAND, _UNKNOWN)
        return
    manifest = read_manifest(folder)
    for name, record in manifest.inputs.items():
        path = workspace.root / name
        asked = path == workspace.questionnaire_file
        if path == workspace.culture_file:
            continue
        if not path.is_file():
            if asked:
                yield StaleInput(name, "is gone", COMMAND, _QUESTIONS)
            continue
        if sha256(path) == record.sha256:
            continue
        known = manifest.settings.get(BANK_DIGEST)
        if path == workspace.bank_file and known == bank_digest(workspace.bank):
            continue
        yield StaleInput(name, "has changed", COMMAND, _QUESTIONS if asked else _AGAIN)
