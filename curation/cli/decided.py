"""The settings of the survey that the decisions of a workspace were made with."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from curation.cli.final import TALLIES
from curation.io.manifest import MANIFEST, read_manifest
from curation.io.workspace import Workspace
from curation.model.culture import SurveySettings
from curation.model.errors import CurateError
from curation.model.survey import Decision, QuestionKind, Rule, Tally
from survey.ledger import current
from survey.tallies import read_tallies
from survey.thresholds import rounded

_SETTING_OF = {
    Rule.TWO_THIRDS: "stereotype_share",
    Rule.NO_STEREOTYPE: "no_stereotype_limit",
    Rule.COMPREHENSION: "comprehension_share",
    Rule.MIN_RESPONDENTS: "min_respondents",
}
"""The setting that is the threshold of a rule's rulings; target selection has two."""
_INFORMING = ("margins",)
"""Settings that decide nothing."""


def decided_with(workspace: Workspace) -> Mapping[str, object]:
    """Give the settings that the standing rulings were made with, by name.

    They are those that the last filter left in its manifest; where that is gone, the thresholds
    that the ledger holds. Nothing where nothing has been filtered.

    Raises:
        CurateError: If manifest, counts or ledger cannot be read.
    """
    tallies = read_tallies(workspace.responses_folder / TALLIES)
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
    """Read the thresholds of the rulings on what was surveyed; those as set where they agree."""
    subjects = {
        tally.question.template_id
        if tally.question.kind is QuestionKind.COMPREHENSION
        else tally.question.id
        for tally in tallies
    }
    found: dict[str, object] = {}
    for (subject, _), ruling in current(ledger).items():
        name = _setting_of(ruling) if subject in subjects else ""
        if name and ruling.threshold is not None:
            as_set = getattr(settings, name)
            agrees = rounded(as_set) == ruling.threshold
            written = Fraction(str(ruling.threshold)).limit_denominator(1000)
            found[name] = as_set if agrees else written
    return found


def _setting_of(ruling: Decision) -> str:
    """Tell which setting is a ruling's threshold; nothing where that cannot be told."""
    if ruling.rule is not Rule.TARGET_SELECTION:
        return _SETTING_OF.get(ruling.rule, "")
    if ruling.reason:
        return {"no_target": "target_multiple", "no_non_target": "non_target_multiple"}.get(
            ruling.reason, ""
        )
    # A question that is kept shows the group that is closer to its threshold: a target lies
    # above its own, a non-target below.
    if not ruling.margin:
        return ""
    return "target_multiple" if ruling.margin > 0 else "non_target_multiple"
