"""The sentences of the report: rules and reasons, the method with the settings used, uses."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from curation.records.culture import SurveySettings
from curation.records.survey import Decision
from curation.report import texts
from curation.report.blocks import Texts
from curation.report.texts import PURPOSE
from survey.reporting.records import Report


def fraction(value: Fraction) -> str:
    """Write a threshold as people say it: `2/3`, `1/2`, `2`, `0.7`."""
    return str(value) if value.denominator <= 4 else f"{float(value):g}"


TEXTS = Texts(__package__, "texts.yaml", fraction=fraction)
"""What the report says."""
KINDS: Mapping[str, str] = TEXTS.known["kinds"]
"""The kinds of question, as headings."""
RULES: Mapping[str, str] = TEXTS.known["rules"]
"""The rules, as columns are headed."""
SETTINGS: Mapping[str, str] = TEXTS.known["settings"]
"""The thresholds that the sensitivity table moves."""
SHARED: Mapping[str, str] = TEXTS.known["shared"]
"""What can be shared equally among the options that count."""
HEADINGS: Mapping[str, str] = TEXTS.known["headings"]
"""How columns of the workbook are headed, where their name alone does not tell."""
USES: tuple[str, ...] = (PURPOSE, *TEXTS.known["uses"])
"""What such data must not be used for."""
TESTS = ("p and q", "p and q of target selection", "Chance in target selection")
"""The headings of what is said of numbers that only the report holds."""


def citation(report: Report) -> str:
    """Say how the benchmark itself is cited."""
    culture = report.culture
    return texts.citation(culture.culture, culture.version, culture.language, report.tool_version)


def why(decision: Decision, settings: SurveySettings) -> str:
    """Say by what fact a decision drops its subject."""
    said = TEXTS.known["why"].get(decision.rule, {}).get(decision.reason)
    if not said:
        return f"{decision.rule} {decision.reason}".strip()
    return TEXTS.fill(said, settings=settings, it=decision)


def quality_rule(rule: str, settings: SurveySettings) -> str:
    """Say in words which respondents a quality check, or a rule of reading, concerns."""
    said = TEXTS.known["quality"].get(rule)
    return TEXTS.fill(said, settings=settings) if said else rule.replace("_", " ")


def method(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the method in words, with the settings used, as heading and text."""
    kinds = {row.kind for row in report.questions}
    for part in TEXTS.known["method"]:
        if part.get("kind") in (None, *kinds) and ("needs" not in part or report.order):
            yield part["title"], TEXTS.fill(part["text"], settings=report.settings, report=report)
