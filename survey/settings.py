"""The settings of the survey that the decisions of a workspace were made with."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from curation.files.manifest import MANIFEST, read_manifest
from curation.files.workspace import Workspace
from curation.records.culture import SurveySettings
from curation.records.errors import CurateError
from curation.records.settings_errors import overridden
from curation.records.survey import Decision, QuestionKind, Rule, Tally, current
from survey.bank import TALLIES
from survey.rules import rounded
from survey.tallies import read_tallies

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
