"""Parts of the card on how the benchmark was made: templates, the survey, annotators."""

from collections.abc import Iterator, Mapping

from curation.bank.stats import CategoryCounts
from curation.files.pages import DASH, count, plain, spread, table, whole
from curation.records.culture import SurveyNotes
from exports.card.escapes import paragraph
from exports.card.facts import AgreementFact, Facts, MachineFact, SurveyFact
from exports.card.limits import NOT_STATED
from survey.reporting.records import Respondents


def steps(facts: Facts) -> Iterator[str]:
    """Yield what was done, a sentence each."""
    culture = facts.culture
    yield (
        "The benchmark was made by the method of KoBBQ (Jin et al. 2024), which adapts BBQ "
        "(Parrish et al. 2022) to another culture."
    )
    if _classified(facts):
        life = (
            "everyday life there"
            if culture.language == culture.source_language
            else "the language and everyday life there"
        )
        yield (
            "Each source template was classified by whether its stereotype is known in the "
            f"culture. Templates whose stereotype is known were adapted to {life}."
        )
    if facts.funnel.written:
        yield (
            "Templates were newly written for stereotypes that the source does not have."
            if facts.funnel.taken
            else "All templates were newly written."
        )
    if facts.survey is not None:
        yield (
            "A survey then decided which stereotypes are known, and about which groups. Templates "
            "that it did not confirm were dropped."
        )
    if facts.is_drawn:
        yield "Every retained template was filled with names and words that were drawn."
    else:
        yield "Every retained template was filled with all its names and words."


def filling(facts: Facts) -> Iterator[str]:
    """Yield with what templates are filled, a sentence each."""
    drawn = facts.drawn
    allowed = f"its names and words{allowed_words(facts)}"
    if drawn is None or not drawn.is_drawn:
        yield f"Each is filled with every combination of {allowed};"
    else:
        yield (
            f"Each is filled with some of the combinations of {allowed}, drawn by the "
            f"seed {drawn.seed} and the template's id alone, evenly over pairs of groups and over "
            f"words, and numbered as in all of them: {facts.total.samples:,} of the "
            f"{drawn.possible:,} samples that all combinations give."
        )
        if drawn.per_template is not None:
            yield (
                f"At most {drawn.per_template:,} samples of a template are included, but at least "
                "one filling of each pair of variants."
            )
        if drawn.proper_names is not None:
            yield (
                f"Where people have proper names, {drawn.proper_names:,} names of one person "
                "were drawn, and for each of them as many names of the other person."
            )
        yield "In the two variants of a pair the same combinations are taken;"
    yield "filling *n* of the two variants is about the same people."
    if drawn is not None and drawn.duplicates:
        of_all = "of all combinations " * drawn.is_drawn
        yield (
            f"{drawn.duplicates:,} samples {of_all}that repeat others of their template are left "
            "out."
        )


def allowed_words(facts: Facts) -> str:
    """Say that conditions choose among combinations, where a template has some."""
    if not facts.conditioned:
        return ""
    whose = "its conditions" if facts.conditioned == facts.total.templates else "conditions"
    return f" that {whose} allow"


def _classified(facts: Facts) -> bool:
    total = facts.total
    return bool(total.sample_removed or total.simply_transferred or total.target_modified)


def funnel(facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield what became of the templates, and of how many."""
    made = facts.funnel
    if made.taken:
        yield "taken from published sets", whole(made.taken)
    if made.written:
        yield "newly written", f"+{made.written:,}"
    if made.taken or made.removed:
        yield "labelled SR, so removed before the survey", whole(-made.removed)
    if made.aside:
        yield "set aside by a person before the survey", whole(-made.aside)
    for rule, number in made.dropped.items():
        yield f"dropped by the survey: {plain(rule.lower())}", whole(-number)
    if made.by_person:
        yield "dropped by a person", whole(-made.by_person)
    yield "**retained**", f"**{made.left:,}**"
    if made.undecided:
        yield "of these not decided by the survey", whole(made.undecided)


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
    stated = facts.culture.release.annotators
    for text in stated:
        yield paragraph(text)
        yield ""
    if not stated:
        yield f"Who annotated and translated: {NOT_STATED}."
        yield ""
    yield from _machine(facts.machine)
    yield from _agreement(facts.agreement)


def _machine(found: MachineFact | None) -> Iterator[str]:
    if found is None:
        return
    left = found.confirmed + found.unconfirmed
    said = [
        f"{found.confirmed:,} {'was' if found.confirmed == 1 else 'were'} confirmed by a person"
    ]
    if found.unconfirmed:
        said.append(f"nobody has confirmed {found.unconfirmed:,}")
    yield (
        f"Of {count(found.texts, 'translated text')}, {left:,} "
        f"{'is as the machine wrote it' if left == 1 else 'are as the machine wrote them'}: "
        f"{'; '.join(said)}. People wrote or corrected the others."
    )
    yield ""


def _agreement(found: AgreementFact | None) -> Iterator[str]:
    if found is None:
        yield (
            "The labels of single annotators are not in the workspace, so their agreement is not "
            "known."
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
