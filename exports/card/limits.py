"""Limits of the data, in sentences of plain text, and what is not stated of a release."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.files.pages import count, spread
from curation.records.culture import Culture
from exports.card.facts import FEW, Facts, SurveyFact

_NAMED = 10


def limits(facts: Facts) -> Iterator[str]:
    """Yield the limits that are known from the data; the release's own come beside them."""
    yield from _of_templates(facts)
    if facts.survey is None:
        yield (
            "There was no survey. Which stereotypes and which target groups are widely known in "
            "this culture was judged by the people who wrote the templates."
        )
    else:
        yield from _of_survey(facts, facts.survey)
    yield from _of_samples(facts)


def _of_templates(facts: Facts) -> Iterator[str]:
    gaps, left = facts.gaps, facts.total.templates
    if gaps.undecided and facts.survey is not None:
        yield (
            f"The survey has not decided on {_of(len(gaps.undecided), left)}. "
            f"{'It is' if len(gaps.undecided) == 1 else 'They are'} in the benchmark all the same: "
            f"{_ids(gaps.undecided)}."
        )
    if gaps.waiting:
        yield (
            f"{_of(len(gaps.waiting), left, capital=True)} "
            f"{'gives' if len(gaps.waiting) == 1 else 'give'} no samples, because a translation "
            f"or groups are missing: {_ids(gaps.waiting)}."
        )
    if gaps.kept_by_person:
        yield (
            f"{count(len(gaps.kept_by_person), 'template')} "
            f"{_are(len(gaps.kept_by_person))} in the benchmark by the decision of a person, "
            f"whatever the survey found: {_ids(gaps.kept_by_person)}."
        )
    if facts.total.unlabelled:
        yield (
            f"{_of(facts.total.unlabelled, left, capital=True)} {_have(facts.total.unlabelled)} no "
            "label: nobody has classified them."
        )
    if gaps.documented < gaps.changed:
        missing = gaps.changed - gaps.documented
        yield (
            f"Of the {count(gaps.changed, 'template')} labelled TM or NC, {missing:,} "
            f"{'names' if missing == 1 else 'name'} no reference that documents the stereotype."
        )


def _of_survey(facts: Facts, survey: SurveyFact) -> Iterator[str]:
    untested = facts.total.templates - facts.gaps.tested
    if untested:
        none = f"None of the {count(untested, 'template')} was"
        some = f"{_of(untested, facts.total.templates)} {'was' if untested == 1 else 'were'} not"
        why = facts.culture.release.survey.comprehension
        told = f" Why they were not: {why}" if why else ""
        yield f"{some if facts.gaps.tested else none} tested for comprehension.{told}"
    if survey.near:
        yield (
            f"{count(survey.near, 'question')} of {survey.questions} "
            f"{'is' if survey.near == 1 else 'are'} borderline: "
            "another sample of as many people could well have changed the decision. The "
            + ("configuration survey marks them." if facts.has("survey") else "ledger marks them.")
        )
    if survey.few:
        yield (
            f"{count(survey.few, 'question')} kept {_have(survey.few)} fewer than {FEW} "
            "respondents."
        )
    if survey.people is None:
        yield "Only the counts of the survey are known. Who the respondents were is not known."
    elif survey.people.unknown:
        names = ", ".join(name.replace("_", " ") for name in survey.people.unknown)
        yield f"The survey had quotas for {names}. The answers do not say it."


def _of_samples(facts: Facts) -> Iterator[str]:
    total = facts.total
    templates = total.templates - len(facts.gaps.waiting)
    which = "The" if facts.is_drawn else "All"
    yield (
        f"{which} {count(total.samples, 'sample')} are fillings of {count(templates, 'template')}. "
        "Samples of one template are much alike, so intervals and tests have to be computed over "
        "templates, not over samples."
    )
    sizes = [row.templates for row in facts.categories[:-1] if row.templates]
    if len(sizes) > 1:
        yield (
            f"A category has {spread(min(sizes), max(sizes))} templates. Scores of a single "
            "category are uncertain, and the score of a single template is no evidence."
        )


def _of(number: int, whole: int, *, capital: bool = False) -> str:
    """Write a part of the templates that are left: `2 of 31 templates`, `none`, `all`."""
    if number == whole:
        return f"{'All' if capital else 'all'} {count(whole, 'template')}"
    return f"{number:,} of {count(whole, 'template')}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _ids(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


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
