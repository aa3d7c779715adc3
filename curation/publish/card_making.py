"""Parts of the card that tell how the benchmark was made, and what came of the templates."""

from collections.abc import Iterator

from curation.io.pages.markdown import plain, table
from curation.io.pages.numbers import DASH, count, whole
from curation.publish.facts import CategoryFact, Facts

LABELS = {
    "ST": "simply transferred: the stereotype holds in the culture as it does in the source's",
    "TM": "target modified: the stereotype holds, of other groups",
    "SR": "sample removed: there is no such stereotype in the culture",
    "NC": "newly created: written for the culture",
}
"""What became of a template, by label."""


def making(facts: Facts) -> Iterator[str]:
    """Yield how it was made: in short, by template, by rule, by category."""
    yield "## How it was made"
    yield ""
    yield " ".join(_steps(facts))
    yield ""
    yield "What became of the templates:"
    yield ""
    yield from table(("Step", "Templates"), _funnel(facts))
    yield from _table_one(facts)
    yield from _method(facts)


def _steps(facts: Facts) -> Iterator[str]:
    culture = facts.culture
    yield (
        "The benchmark was made by the method of KoBBQ (Jin et al. 2024), which carries BBQ "
        "(Parrish et al. 2022) to another culture."
    )
    if _classified(facts):
        life = (
            "its life" if culture.language == culture.source_language else "its language and life"
        )
        yield (
            "Each source template was classified by whether its stereotype holds in the culture, "
            f"and those that hold were adapted to {life}."
        )
    if facts.funnel.written:
        yield (
            "Templates of stereotypes that the source does not know were newly written."
            if facts.funnel.taken
            else "All templates were newly written."
        )
    if facts.survey is not None:
        yield (
            "A survey then decided which stereotypes are known, and of which groups; what it did "
            "not confirm was dropped."
        )
    yield "Every template that is left was filled with all its names and words."


def _classified(facts: Facts) -> bool:
    total = facts.total
    return bool(total.removed or total.simply_transferred or total.target_modified)


def _funnel(facts: Facts) -> Iterator[tuple[str, str]]:
    funnel = facts.funnel
    if funnel.taken:
        yield "taken from published sets", whole(funnel.taken)
    if funnel.written:
        yield "newly written", f"+{funnel.written:,}"
    if funnel.taken or funnel.removed:
        yield "labelled SR, so removed before the survey", whole(-funnel.removed)
    for rule, number in funnel.dropped.items():
        yield f"dropped by the survey: {plain(rule.lower())}", whole(-number)
    if funnel.by_person:
        yield "dropped by a person", whole(-funnel.by_person)
    yield "**left**", f"**{funnel.left:,}**"
    if funnel.undecided:
        yield "of these not decided by the survey", whole(funnel.undecided)


def _table_one(facts: Facts) -> Iterator[str]:
    yield "Templates and samples by category and label, as in table 1 of KoBBQ's paper:"
    yield ""
    total = facts.total
    columns = ["Category", "SR", "ST", "TM", "NC"]
    columns += ["unlabelled"] * bool(total.unlabelled)
    columns += ["before the survey", "left", "samples"]
    columns += ["test set"] * (total.test is not None)
    yield from table(columns, [_cells(row, total) for row in facts.categories])
    said = "; ".join(f"{label}, {meaning}" for label, meaning in LABELS.items())
    yield (f"{said}. SR counts templates that were removed, the other labels those that are left.")
    yield ""
    if facts.modified:
        yield (
            f"In {count(facts.modified, 'template')} the survey put other groups in the place of "
            "those that the writers had named, or named them where they were left open."
        )
        yield ""


def _cells(row: CategoryFact, total: CategoryFact) -> list[str]:
    name = plain(row.category)
    if row.name and row.name != row.category:
        name += f" ({plain(row.name)})"
    numbers = [row.removed, row.simply_transferred, row.target_modified, row.newly_created]
    numbers += [row.unlabelled] * bool(total.unlabelled)
    numbers += [row.before, row.left, row.samples]
    cells = [name, *map(whole, numbers)]
    if total.test is not None:
        cells.append(DASH if row.test is None else whole(row.test))
    return [f"**{cell}**" for cell in cells] if row is total else cells


def _method(facts: Facts) -> Iterator[str]:
    yield "### Method, with the settings that were used"
    yield ""
    yield (
        "**Samples.** A template has a variant in which the disambiguating context contradicts the "
        "stereotype (`a`, `c`) and one in which it confirms it (`b`, `d`). Each is filled with "
        "every combination of its names and words; filling *n* of the two variants is about the "
        "same people. Each filling gives four samples: either context with either question. The "
        f"unknown expression is “{plain(facts.culture.unknown)}”."
    )
    yield ""
    yield (
        "**Test set.** One filling was drawn for each pair of variants, the same one for both, by "
        f"the seed {facts.culture.samples.seed} and the template's id alone."
    )
    yield ""
    for title, text in facts.survey.method if facts.survey else ():
        yield f"**{title}.** {plain(text)}"
        yield ""
