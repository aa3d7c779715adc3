"""Parts of the card about people: who answered the survey, who annotated and translated."""

from collections.abc import Iterator, Mapping

from curation.io.pages.markdown import plain, table
from curation.io.pages.numbers import DASH, count, spread, whole
from curation.model.release import SurveyNotes
from curation.publish.escapes import paragraph
from curation.publish.facts import AgreementFact, Facts, PeopleFact, SurveyFact
from curation.publish.unstated import NOT_STATED

SMALLEST = 5
"""Fewer people who share a value are not told apart."""


def survey(facts: Facts) -> Iterator[str]:
    """Yield who was asked, when, and what came of it."""
    yield "## Survey"
    yield ""
    if facts.survey is None:
        yield "No survey has been held."
        yield ""
        return
    found, notes = facts.survey, facts.culture.release.survey
    rows = [
        ("Population", plain(notes.population) or NOT_STATED),
        ("When", when(notes)),
        ("Recruited by", plain(notes.company) or NOT_STATED),
        ("Payment", plain(notes.payment) or NOT_STATED),
        ("Ethics", plain(notes.ethics) or NOT_STATED),
        (
            "Questions",
            f"{found.questions:,}, each answered by {spread(found.fewest, found.most)} people",
        ),
        ("Respondents", _respondents(found.people)),
    ]
    yield from table(("", ""), rows, texts=(0, 1))
    yield from _attributes(found.people)
    yield from _exclusions(found)
    yield from _questions(found)


def when(notes: SurveyNotes) -> str:
    """Say when the survey was held."""
    days = [day.isoformat() for day in (notes.began, notes.ended) if day]
    if len(days) == 2:
        return " to ".join(days) if days[0] != days[1] else days[0]
    if notes.began:
        return f"from {days[0]}, end {NOT_STATED}"
    return f"until {days[0]}, beginning {NOT_STATED}" if days else NOT_STATED


def _respondents(people: PeopleFact | None) -> str:
    if people is None:
        return "only the counts are known"
    text = f"{people.counted:,} counted of {people.total:,} in the answers"
    return f"{text}; median time {people.minutes} minutes" if people.minutes is not None else text


def _attributes(people: PeopleFact | None) -> Iterator[str]:
    for name, values in people.attributes.items() if people else ():
        said = "; ".join(f"{value} {number}" for value, number in grouped(values).items())
        yield f"- {plain(name.replace('_', ' '))}: {plain(said)}"
    if people and people.attributes:
        yield ""


def grouped(values: Mapping[str, int]) -> dict[str, int]:
    """Put values that fewer than `SMALLEST` people share under one head, so that none stands out.

    Where they are still too few together the next smallest joins them.
    """
    order = sorted(values, key=lambda name: values[name])
    few = [name for name in order if 0 < values[name] < SMALLEST]
    rest = [name for name in order if values[name] >= SMALLEST]
    while few and rest and sum(values[name] for name in few) < SMALLEST:
        few.append(rest.pop(0))
    told: dict[str, int] = {}
    for name in [*(name for name in values if name not in few), *few]:
        said = "others" if name in few else name or "not known"
        told[said] = told.get(said, 0) + values[name]  # a value may have either name itself
    return told


def _exclusions(found: SurveyFact) -> Iterator[str]:
    if not found.exclusions:
        if found.people is not None:
            yield "No rule of quality concerned anybody."
            yield ""
        return
    rows = [
        (
            plain(item.what),
            whole(item.respondents) if item.respondents else DASH,
            "left out" if item.excluded else "flagged, counted",
        )
        for item in found.exclusions
    ]
    yield from table(("Respondents who", "Number", "They were"), rows, texts=(0, 2))


def _questions(found: SurveyFact) -> Iterator[str]:
    rules = [rule for kind in found.kinds for rule, number in kind.dropped.items() if number]
    rules = list(dict.fromkeys(rules))
    header = ("Questions", "asked", *(f"dropped: {plain(rule.lower())}" for rule in rules), "kept")
    unanswered = any(kind.unanswered for kind in found.kinds)
    rows = [
        (
            plain(kind.name),
            whole(kind.asked),
            *(whole(-kind.dropped.get(rule, 0)) for rule in rules),
            whole(kind.kept),
            *([whole(kind.unanswered)] if unanswered else []),
        )
        for kind in found.kinds
    ]
    yield from table((*header, "not answered") if unanswered else header, rows)
    if len(rules) > 1:
        yield "A question may fall by several rules."
        yield ""


def people(facts: Facts) -> Iterator[str]:
    """Yield who annotated and translated, and how far annotators agreed."""
    yield "## Annotators and translators"
    yield ""
    stated = facts.culture.release.annotators
    for text in stated:
        yield paragraph(text)
        yield ""
    if not stated:
        yield f"Who annotated and translated: {NOT_STATED}."
        yield ""
    yield from _agreement(facts.agreement)


def _agreement(found: AgreementFact | None) -> Iterator[str]:
    if found is None:
        yield (
            "The labels of single annotators are not in the workspace, so that their agreement "
            "is not known."
        )
        yield ""
        return
    yield (
        f"{count(found.annotators, 'annotator')} labelled {count(found.templates, 'template')} as "
        f"ST, TM or SR; all of them labelled {found.complete:,}, and gave {found.unanimous:,} of "
        "these the same label."
    )
    yield ""
    rows = [(plain(name), plain(value)) for name, value in found.statistics]
    yield from table(("Agreement", ""), rows, texts=(0, 1))
