"""Parts of the card on how the benchmark was made: templates, the survey, annotators."""

from collections.abc import Iterator, Mapping

from curation.bank.stats import CategoryCounts
from curation.records.culture import SurveyNotes
from curation.report.texts import DASH, plain, spread, table, whole
from exports.card.escapes import paragraph
from exports.card.facts import Facts, SurveyFact
from exports.card.sentences import sentences
from survey.reporting.records import Respondents


def funnel(facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield what became of the templates, and of how many."""
    made = facts.funnel
    if made["taken"]:
        yield "taken from published sets", whole(made["taken"])
    if made["written"]:
        yield "newly written", f"+{made['written']:,}"
    if made["taken"] or made["removed"]:
        yield "labelled SR, so removed before the survey", whole(-made["removed"])
    if made["aside"]:
        yield "set aside by a person before the survey", whole(-made["aside"])
    for rule, number in made["dropped"].items():
        yield f"dropped by the survey: {plain(rule.lower())}", whole(-number)
    if made["by_person"]:
        yield "dropped by a person", whole(-made["by_person"])
    yield "**retained**", f"**{made['left']:,}**"
    if made["undecided"]:
        yield "of these not decided by the survey", whole(made["undecided"])


def table_one(facts: Facts) -> Iterator[str]:
    """Yield templates and samples by category and label, as in table 1 of KoBBQ's paper."""
    total = facts.total
    columns = ["Category", "SR", "ST", "TM", "NC"]
    columns += ["unlabelled"] * bool(total.unlabelled)
    columns += ["before the survey", "retained", "samples"]
    columns += ["test set"] * (facts.test is not None)
    yield from table(columns, [_cells(row, facts) for row in facts.categories])


def _cells(row: CategoryCounts, facts: Facts) -> list[str]:
    total, test = facts.total, facts.test
    name, shown = plain(row.category), facts.names.get(row.category, "")
    if shown and shown != row.category:
        name += f" ({plain(shown)})"
    numbers = [row.sample_removed, row.simply_transferred, row.target_modified, row.newly_created]
    numbers += [row.unlabelled] * bool(total.unlabelled)
    numbers += [row.templates_before_survey, row.templates, row.samples]
    if test is not None:
        numbers.append(sum(test.values()) if row is total else test.get(row.category, 0))
    cells = [name, *map(whole, numbers)]
    return [f"**{cell}**" for cell in cells] if row is total else cells


SMALLEST = 5
"""Fewer people who share a value are not told apart."""


def survey(facts: Facts) -> Iterator[str]:
    """Yield who was asked, when, and what came of it."""
    if facts.survey is None:
        yield "There was no survey."
        return
    found, notes = facts.survey, facts.culture.release.survey
    rows = [
        ("Population", plain(notes.population)),
        ("When", when(notes)),
        ("Recruited by", plain(notes.company)),
        ("Payment", plain(notes.payment)),
        ("Ethics", plain(notes.ethics)),
        (
            "Questions",
            f"{found.questions:,}, each answered by {spread(found.fewest, found.most)} people",
        ),
        ("Respondents", _respondents(found.people)),
    ]
    yield from table(("", ""), [row for row in rows if row[1]], texts=(0, 1))
    yield from _attributes(found.people)
    yield from _exclusions(found)
    yield from _questions(found)


def when(notes: SurveyNotes) -> str:
    """Say when the survey was held, as far as that is stated."""
    days = [day.isoformat() for day in (notes.began, notes.ended) if day]
    if len(days) == 2:
        return " to ".join(days) if days[0] != days[1] else days[0]
    if notes.began:
        return f"from {days[0]}"
    return f"until {days[0]}" if days else ""


def _respondents(people: Respondents | None) -> str:
    if people is None:
        return "only the counts are known"
    text = f"{people.counted:,} counted of {people.total:,} in the answers"
    return (
        f"{text}; median time {people.median_minutes} minutes"
        if people.median_minutes is not None
        else text
    )


def _attributes(people: Respondents | None) -> Iterator[str]:
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
            yield "No quality check flagged any respondent."
            yield ""
        return
    rows = [
        (
            plain(item.what),
            whole(item.respondents) if item.respondents else DASH,
            "excluded" if item.excluded else "flagged, counted",
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
        yield "Several rules may exclude one question."
        yield ""


def people(facts: Facts) -> Iterator[str]:
    """Yield who annotated and translated, and how far annotators agreed."""
    for text in facts.culture.release.annotators:
        yield paragraph(text)
        yield ""
    for text in (*sentences("machine", facts), *sentences("agreement", facts)):
        yield f"{text}\n"
    if facts.agreement is not None:
        rows = [(plain(name), plain(value)) for name, value in facts.agreement["statistics"]]
        yield from table(("Agreement", ""), rows, texts=(0, 1))
