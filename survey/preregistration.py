"""What was planned before the survey was asked, and where the survey departs from it.

`curate survey build` writes `responses/preregistration.md`: what is asked, by which rules it is
decided, who is left out, and how sure the decisions will be. Its last part is data, which the
report of the survey compares with what was done.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import yaml

from curation import __version__
from curation.files.atomic import atomic_text
from curation.files.ledger import now
from curation.files.tables import read_text, sha256
from curation.records.culture import Culture, SurveySettings
from curation.records.errors import CurateError
from curation.report.blocks import Texts
from survey.building.forms import Plan, needed_of
from survey.settings import plain_settings

FILE = "preregistration.md"
"""The file, in the folder `responses/`."""
_DATA = re.compile(r"^```yaml\n(.*?)^```", re.M | re.S)
_TEXTS = Texts(__package__, "preregistration.yaml")


@dataclass(frozen=True, slots=True)
class Deviation:
    """Something that was done otherwise than registered.

    Attributes:
        what: The setting, or what else was registered.
        planned: As registered.
        done: As it was done.
    """

    what: str
    planned: str
    done: str


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """How often the rule of validation errs, if true shares were spread evenly from a half to 1.

    Attributes:
        named: Respondents who name a group.
        false_keeps: Of the stereotypes that are kept, the part whose true share is not above the
            threshold; None where none can be kept.
        false_drops: Of those whose true share is above it, the part that is dropped.
    """

    named: int
    false_keeps: float | None
    false_drops: float


def error_rates(named: int, threshold: Fraction) -> ErrorRates:
    """Work out how often the rule of validation errs.

    A stereotype is kept when at least `k` of `n` who name a group name the target. With the true
    share `p` the chance is `I_p(k, n - k + 1)`, the regularised incomplete beta function
    (Abramowitz and Stegun 1964, 6.6.4); over shares from a half to 1 it is integrated by parts.

    Args:
        named: `n`, at least 1.
        threshold: The share that must be exceeded, at least a half and below 1.
    """
    from scipy.special import betainc

    needed = needed_of(named, threshold)
    if needed > named:
        return ErrorRates(named, None, 1.0)
    a, b = needed, named - needed + 1

    def kept_below(share: float) -> float:
        return float(share * betainc(a, b, share) - a / (a + b) * betainc(a + 1, b, share))

    limit = float(threshold)
    whole, wrong = (kept_below(end) - kept_below(0.5) for end in (1.0, limit))
    return ErrorRates(named, wrong / whole, 1 - (whole - wrong) / (1 - limit))


def write_preregistration(
    path: Path, culture: Culture, plan: Plan, kinds: Mapping[str, int], questionnaire: Path
) -> None:
    """Write what is planned in place of `path`; one that says the same keeps its date.

    Args:
        path: The file.
        culture: The settings that the survey was built with.
        plan: How many people it needs.
        kinds: How many questions of each kind there are.
        questionnaire: The questions, as they were written.

    Raises:
        CurateError: If it cannot be written.
    """
    asked = culture.questionnaire
    registered: dict[str, object] = {
        "questionnaire": sha256(questionnaire),
        "questions": {kind: count for kind, count in kinds.items() if count},
        "forms": len(plan.forms),
        "orders": asked.orders,
        "seed": asked.seed,
        "respondents": plan.respondents,
        "respondents_per_question": asked.respondents_per_question,
        "quotas": {
            name: {value: str(share) for value, share in shares.items()}
            for name, shares in asked.quotas.items()
        },
        "survey": plain_settings(culture.survey),
    }
    if path.exists() and _without_date(read_preregistration(path)) == registered:
        return
    named = round(asked.respondents_per_question * (1 - asked.no_stereotype))
    limit = culture.survey.stereotype_share
    rates = error_rates(named, limit) if named and Fraction(1, 2) <= limit < 1 else None
    data = yaml.safe_dump(
        {"registered": now(), "curate": __version__, **registered},
        sort_keys=False,
        allow_unicode=True,
    )
    parts = [
        _TEXTS.fill(part, culture=culture, settings=culture.survey, plan=plan, rates=rates)
        for part in _TEXTS.known["page"]
    ]
    with atomic_text(path) as stream:
        stream.write("\n\n".join((*parts, f"```yaml\n{data}```\n")))


def _without_date(registered: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in registered.items() if key not in ("registered", "curate")}


def read_preregistration(path: Path) -> dict[str, object]:
    """Read the data of a preregistration; nothing where there is no file.

    Raises:
        CurateError: If the file has no such data.
    """
    if not path.exists():
        return {}
    match = _DATA.search(read_text(path))
    try:
        found = yaml.safe_load(match[1]) if match else None
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict):
        raise CurateError(
            "the part with the data of the preregistration cannot be read",
            str(path),
            "undo the edit; if it was never registered, delete it and build the survey again",
        )
    return found


def deviations(
    registered: Mapping[str, object],
    settings: SurveySettings,
    *,
    questionnaire: Path,
    respondents: int | None,
    fewest: int | None,
    unknown: Collection[str] = (),
) -> Iterator[Deviation]:
    """Yield where a survey departs from what was registered.

    Args:
        registered: What was registered.
        settings: The thresholds and exclusions that its decisions were made with.
        questionnaire: The questions that were asked.
        respondents: How many people are counted; None where only counts are known.
        fewest: How many answered the question that fewest answered; None where there is none.
        unknown: Rules of exclusion for which the answers hold nothing.
    """
    planned = registered.get("survey")
    planned = planned if isinstance(planned, dict) else {}
    done = plain_settings(settings)
    for name in dict.fromkeys((*planned, *done)):
        if planned.get(name) != done.get(name):
            yield Deviation(name, _said(planned.get(name)), _said(done.get(name)))
    excluded = planned.get("exclude")
    for rule in excluded if isinstance(excluded, list) else ():
        if rule in unknown and rule in settings.exclude:
            yield Deviation(f"exclude: {rule}", "left out", "nothing in the answers says who")
    now_asked = sha256(questionnaire) if questionnaire.exists() else ""
    if now_asked != registered.get("questionnaire"):
        yield Deviation(
            "questionnaire.csv", _short(registered.get("questionnaire")), _short(now_asked)
        )
    people = (
        ("people who answered", "respondents", respondents),
        ("people of a question, at least", "respondents_per_question", fewest),
    )
    for what, name, count in people:
        wanted = registered.get(name)
        if count is not None and isinstance(wanted, int) and count < wanted:
            yield Deviation(what, f"{wanted:,}", f"{count:,}")


def _said(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "not set" if value is None else str(value)


def _short(digest: object) -> str:
    return f"SHA-256 {str(digest)[:12]}..." if digest else "none"
