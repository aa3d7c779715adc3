"""The sentences of the report: rules and reasons, the method with the settings used, uses."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from curation.io.pages import words
from curation.io.pages.words import PURPOSE
from curation.model.culture import SurveySettings
from curation.model.survey import Decision, QuestionKind, Rule
from survey.report.records import Report

KINDS = {
    QuestionKind.CHOICE: "Validation",
    QuestionKind.SELECT_ALL: "Target selection",
    QuestionKind.COMPREHENSION: "Comprehension",
}
"""The kinds of question, as headings."""

RULES = {
    Rule.MIN_RESPONDENTS: "Too few answers",
    Rule.TARGET_SELECTION: "Target selection",
    Rule.TWO_THIRDS: "Validation",
    Rule.NO_STEREOTYPE: "No stereotype",
    Rule.COMPREHENSION: "Comprehension",
    Rule.OVERRIDE: "A person",
    Rule.CONSENSUS: "Consensus",
}
"""The rules, as columns are headed."""

SETTINGS = {
    "stereotype_share": "Share of those naming a group who must name the target (more than)",
    "target_multiple": "Equal shares that make a target (at least)",
    "no_stereotype_limit": "Share saying that there is no such stereotype (at most)",
}
"""The thresholds that the sensitivity table moves."""

USES = (
    PURPOSE,
    "It is no evidence that a stereotype is true. The survey asks whether people know of a "
    "stereotype, not whether it holds, nor whether they share it.",
    "The answers are those of the people who were asked, at that time. They speak for no "
    "individual, and for the public only as far as the respondents represent it.",
)
"""What such data must not be used for."""


def fraction(value: Fraction) -> str:
    """Write a threshold as people say it: `2/3`, `1/2`, `2`, `0.7`."""
    return str(value) if value.denominator <= 4 else f"{float(value):g}"


def citation(report: Report) -> str:
    """Say how the benchmark itself is cited."""
    culture = report.culture
    return words.citation(culture.culture, culture.version, culture.language, report.tool_version)


def why(ruling: Decision, settings: SurveySettings) -> str:
    """Say in words why a ruling drops its subject."""
    said: Mapping[tuple[Rule, str], str] = {
        (Rule.TWO_THIRDS, "below"): "no more than "
        f"{fraction(settings.stereotype_share)} of those who named a group named the target",
        (Rule.TWO_THIRDS, "majority_non_target"): "most of those who named a group named the "
        "other one",
        (Rule.TARGET_SELECTION, "no_target"): "no group has "
        f"{fraction(settings.target_multiple)} equal shares of the votes",
        (Rule.TARGET_SELECTION, "no_non_target"): "every group has more than "
        f"{fraction(settings.non_target_multiple)} of an equal share",
        (Rule.NO_STEREOTYPE, "above"): f"more than {fraction(settings.no_stereotype_limit)} say "
        "that there is no such stereotype",
        (Rule.MIN_RESPONDENTS, "too_few"): f"fewer than {settings.min_respondents} answered",
        (Rule.COMPREHENSION, "below"): f"fewer than {fraction(settings.comprehension_share)} "
        "answered correctly",
    }
    return said.get((ruling.rule, ruling.reason), f"{ruling.rule} {ruling.reason}".strip())


def quality_rule(rule: str, settings: SurveySettings) -> str:
    """Say in words whom a rule of quality, or a rule of reading, concerns."""
    said = {
        "screened_out": "Screened out by the survey",
        "attention": "Failed an attention check",
        "partial": "Left a question unanswered that was asked, or broke off",
        "speeder": f"Took less than {fraction(settings.speeder_share)} of the median time for as "
        "many questions of the same form",
        "straight_liner": _straight(settings),
        "keep": "Left out on reading: rows that the mapping does not keep, such as tests",
        "duplicate": "Left out on reading: another answer of the same respondent is kept",
        "ignored": "Left out on reading: what the mapping ignores",
    }
    return said.get(rule, rule.replace("_", " "))


def _straight(settings: SurveySettings) -> str:
    share = "all" if settings.straight_share == 1 else f"{fraction(settings.straight_share)}"
    return (
        f"Chose one displayed position in {share} of at least {settings.straight_choices} "
        "choices, whatever stood there"
    )


def method(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the method in words, with the settings used, as heading and text."""
    settings = report.settings
    kinds = {row.kind for row in report.questions}
    if QuestionKind.CHOICE in kinds:
        yield "Validation", _validation(settings)
    if QuestionKind.SELECT_ALL in kinds:
        yield "Target selection", _selection(settings)
    yield "No stereotype", _no_stereotype(settings)
    if QuestionKind.COMPREHENSION in kinds:
        yield "Comprehension", _comprehension(settings)
    yield "Intervals, and what is near", _INTERVALS
    if QuestionKind.CHOICE in kinds:
        yield TESTS, _tests(report)
    yield "Respondents", _people(settings)


TESTS = "p and q"
"""The heading of what is said of p values."""

_INTERVALS = (
    "Intervals are 95 % Wilson score intervals (Wilson 1927). A ruling is marked as near when its "
    "threshold lies inside the interval: another sample of as many people could well have turned "
    "it. Being near changes no ruling; the published point rule decides. The interval of a group's "
    "votes takes the equal share as known, though it is estimated from the same answers."
)


def _no_stereotype(settings: SurveySettings) -> str:
    return (
        "In both kinds of question a stereotype falls when strictly more than "
        f"{fraction(settings.no_stereotype_limit)} of the respondents say that there is no such "
        f"stereotype. A question that fewer than {settings.min_respondents} answered falls too."
    )


def _comprehension(settings: SurveySettings) -> str:
    return (
        "Each template's counter-biased context was shown with its counter-biased question. A "
        f"template falls when strictly fewer than {fraction(settings.comprehension_share)} of the "
        "respondents answer correctly."
    )


def _validation(settings: SurveySettings) -> str:
    return (
        "Respondents chose the target group, the other group, or that there is no such "
        f"stereotype. A stereotype is kept when strictly more than "
        f"{fraction(settings.stereotype_share)} of those who named a group named the target. "
        "Counts are compared as whole numbers, so that exactly the threshold is exactly the "
        "threshold. Of those who say that there is no such stereotype another rule takes account."
    )


def _selection(settings: SurveySettings) -> str:
    shared = (
        "the respondents who named any group"
        if settings.equal_share == "respondents"
        else "the votes of all groups"
    )
    return (
        "Respondents chose all groups that the stereotype is about. The equal share is what each "
        f"option that counts would have if {shared} were shared equally among them. A group with "
        f"at least {fraction(settings.target_multiple)} equal shares is a target, one with at "
        f"most {fraction(settings.non_target_multiple)} a non-target. A stereotype without a "
        "target, or without a non-target, falls. An option that is part of a broader one does "
        "not count, and may yet be a target or non-target."
    )


def _tests(report: Report) -> str:
    return (
        "p is the exact one-sided binomial probability of at least as many votes for the target "
        f"if the true share were {fraction(report.settings.stereotype_share)}. q is p after "
        f"Benjamini and Hochberg (1995) over the {report.tested} validation questions with an "
        "answer: of the questions with q below .05 at most about one in twenty is expected not to "
        "exceed the threshold in truth. The same people answer many questions, so that the tests "
        "are not independent. p and q decide nothing: a stereotype may be kept with a large p, "
        "which then says that the survey cannot tell its share from the threshold."
    )


def _people(settings: SurveySettings) -> str:
    left_out = ", ".join(name.replace("_", " ") for name in settings.exclude) or "none"
    return (
        f"Rules of quality whose respondents are left out: {left_out}. The others flag, and every "
        "ruling that would turn with or without a rule is named. Who contradicts himself, by two "
        "choices where one was asked or by a group together with 'no such stereotype', is taken "
        "out of that question. Respondents found by quotas are no random sample: intervals and "
        "tests tell the play of chance in drawing as many people again, and nothing of how these "
        "people were found."
    )
