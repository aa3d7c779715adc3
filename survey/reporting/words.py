"""The sentences of the report: rules and reasons, the method with the settings used, uses."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from curation.records.culture import SurveySettings
from curation.records.survey import Decision
from curation.report import texts as pages
from curation.report.texts import PURPOSE, environment, resource
from survey.reporting.records import Report

if TYPE_CHECKING:
    from jinja2 import Template

_SAID: Mapping[str, Any] = yaml.safe_load(resource(__package__, "words.yaml"))

KINDS: Mapping[str, str] = _SAID["kinds"]
"""The kinds of question, as headings."""
RULES: Mapping[str, str] = _SAID["rules"]
"""The rules, as columns are headed."""
SETTINGS: Mapping[str, str] = _SAID["settings"]
"""The thresholds that the sensitivity table moves."""
SHARED: Mapping[str, str] = _SAID["shared"]
"""What can be shared equally among the options that count."""
HEADINGS: Mapping[str, str] = _SAID["headings"]
"""How columns of the workbook are headed, where their name alone does not tell."""
USES: tuple[str, ...] = (PURPOSE, *_SAID["uses"])
"""What such data must not be used for."""
ORDER: str = _SAID["order"]
"""What the tables of the order of options compare."""
DROPS: str = _SAID["drops"]
"""How to read the table of what each rule drops."""
STABILITY: str = _SAID["stability"]
"""What is said of surveys drawn anew."""
TESTS = ("p and q", "p and q of target selection", "Chance in target selection")
"""The headings of what is said of numbers that only the report holds."""


def fraction(value: Fraction) -> str:
    """Write a threshold as people say it: `2/3`, `1/2`, `2`, `0.7`."""
    return str(value) if value.denominator <= 4 else f"{float(value):g}"


def citation(report: Report) -> str:
    """Say how the benchmark itself is cited."""
    culture = report.culture
    return pages.citation(culture.culture, culture.version, culture.language, report.tool_version)


@cache
def _template(text: str) -> "Template":
    """A sentence to be filled, which Jinja has parsed."""
    return environment(__package__).overlay(autoescape=False).from_string(text)


def _filled(text: str, settings: SurveySettings, **values: object) -> str:
    return _template(text).render(settings=settings, fraction=fraction, **values)


def why(decision: Decision, settings: SurveySettings) -> str:
    """Say in words why a decision drops its subject."""
    said = _SAID["why"].get(decision.rule, {}).get(decision.reason)
    return _filled(said, settings) if said else f"{decision.rule} {decision.reason}".strip()


def quality_rule(rule: str, settings: SurveySettings) -> str:
    """Say in words which respondents a quality check, or a rule of reading, concerns."""
    said = _SAID["quality"].get(rule)
    return _filled(said, settings) if said else rule.replace("_", " ")


def method(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the method in words, with the settings used, as heading and text."""
    kinds = {row.kind for row in report.questions}
    for part in _SAID["method"]:
        if part.get("kind") in (None, *kinds) and ("needs" not in part or report.order):
            yield part["title"], _filled(part["text"], report.settings, report=report)
