"""What is not stated of a release."""

from collections.abc import Iterator
from dataclasses import dataclass

from curation.records.culture import Culture

NOT_STATED = "not stated"
"""Stands where nothing is said."""


@dataclass(frozen=True, slots=True)
class Unstated:
    """A key of `culture.yaml` that is empty.

    Attributes:
        key: The key, such as `release.licence`.
        what: What it would say.
    """

    key: str
    what: str


_RELEASE = {
    "title": "name of the benchmark for readers",
    "description": "what it is, in a sentence or two",
    "licence": "SPDX identifier of the terms of the data, such as CC-BY-4.0",
    "authors": "who publishes it",
    "contact": "address for questions",
    "url": "home page or repository",
    "doi": "DOI of the data set",
    "date": "day of the release",
    "canary": "a text by which the data can be found in training data",
    "paper": "what is to be cited",
    "annotators": "who annotated and translated: role, number, background, pay",
}
_SURVEY = {
    "began": "first day of the survey",
    "ended": "last day of the survey",
    "company": "who recruited the respondents",
    "population": "which people the respondents stand for",
    "payment": "what the respondents were paid",
    "ethics": "which board approved the survey, or why none had to",
}


def unstated(culture: Culture, *, surveyed: bool) -> tuple[Unstated, ...]:
    """What is not said.

    Args:
        culture: The settings.
        surveyed: Whether there was a survey to speak of.
    """
    return tuple(_unstated(culture, surveyed))


def _unstated(culture: Culture, surveyed: bool) -> Iterator[Unstated]:
    for key, what in _RELEASE.items():
        if not getattr(culture.release, key):
            yield Unstated(f"release.{key}", what)
    for key, what in _SURVEY.items() if surveyed else ():
        if not getattr(culture.release.survey, key):
            yield Unstated(f"release.survey.{key}", what)
