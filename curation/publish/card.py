"""The dataset card: README.md of the folder, for the people who are to use the benchmark."""

import json
from collections.abc import Iterable, Iterator

from curation.io.pages.markdown import plain, table
from curation.publish.bibliography import bibtex, cited
from curation.publish.card_making import making
from curation.publish.card_sources import sources
from curation.publish.card_survey import people, survey
from curation.publish.card_use import loading, scoring, tables
from curation.publish.escapes import fence, link, paragraph
from curation.publish.facts import Facts
from curation.publish.front import front_matter
from curation.publish.limits import limits
from curation.publish.unstated import NOT_STATED

PRIVACY = (
    "No answer of a single respondent is published, only how many chose what. The people in the "
    "texts are invented; the texts name groups of people, and what is commonly said of them."
)
"""What the data holds of persons."""


def card(facts: Facts) -> str:
    """Write the card."""
    parts = (
        _head(facts),
        _uses(facts),
        _sample(facts),
        tables(facts),
        loading(facts),
        scoring(facts),
        making(facts),
        survey(facts),
        people(facts),
        _limits(facts),
        sources(facts),
        _persons(),
        _canary(facts),
        _citation(facts),
    )
    body = "\n".join(line for part in parts for line in part)
    return f"{front_matter(facts)}\n{body.rstrip()}\n"


def _head(facts: Facts) -> Iterator[str]:
    culture, release = facts.culture, facts.culture.release
    yield f"# {plain(facts.title)}"
    yield ""
    yield paragraph(release.description) or f"Description: {NOT_STATED}."
    yield ""
    day = release.date.isoformat() if release.date else f"date {NOT_STATED}"
    address = f"https://doi.org/{release.doi}" if release.doi else ""
    rows = (
        ("Culture", plain(culture.culture)),
        ("Language", plain(culture.language)),
        ("Version", f"{plain(culture.version)} ({day})"),
        ("Licence", plain(release.licence) or NOT_STATED),
        ("Published by", "; ".join(_authors(facts)) or NOT_STATED),
        ("Contact", plain(release.contact) or NOT_STATED),
        ("Home page", link(release.url) if release.url else NOT_STATED),
        ("DOI", link(address) if address else NOT_STATED),
    )
    yield from table(("", ""), rows, texts=(0, 1))


def _authors(facts: Facts) -> Iterator[str]:
    for author in facts.culture.release.authors:
        more = ", ".join(plain(item) for item in (author.affiliation, author.orcid) if item)
        yield plain(author.shown) + (f" ({more})" if more else "")


def _uses(facts: Facts) -> Iterator[str]:
    yield "## What it is for"
    yield ""
    yield from _bullets(uses(facts))
    yield "## What it must not be used for"
    yield ""
    yield from _bullets(facts.forbidden)


def uses(facts: Facts) -> tuple[str, ...]:
    """Give the intended uses: those of any such benchmark, and the release's own."""
    return (
        "To measure how far a language model answers by stereotypes known in the culture instead "
        "of by what the text says, and whether it says so when the text leaves the answer open.",
        "To compare models, or states of one model, that are asked in the same way.",
        "To look, template by template and with the survey's results beside it, at where a model "
        "follows a stereotype.",
        *facts.culture.release.uses,
    )


def _sample(facts: Facts) -> Iterator[str]:
    made = facts.example
    yield "## What a sample is"
    yield ""
    yield (
        "A sample is a short text about two people, a question about them, and three choices: the "
        "two people, and an expression for not knowing. The ambiguous text (`amb`) leaves the "
        "answer open, so that the right choice is not to know; the disambiguated one (`dis`) goes "
        "on and says who it was. One question asks for the person in the stereotyped role "
        "(`bsd`), the other for the other person (`cnt`). Every text comes in a version that "
        "confirms the stereotype and in one that contradicts it, so that a model that heeds the "
        "text alone has no bias, and one that heeds the stereotype shows it."
    )
    yield ""
    yield from fence(json.dumps(made._asdict(), ensure_ascii=False, indent=2), "json")
    yield ""


def _limits(facts: Facts) -> Iterator[str]:
    yield "## Known limits"
    yield ""
    yield from _bullets((*limits(facts), *facts.culture.release.limits))


def _bullets(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield f"- {paragraph(text)}"
    yield ""


def _persons() -> Iterator[str]:
    yield "## Personal and sensitive information"
    yield ""
    yield f"{PRIVACY} Many will find these texts offensive: that is what they are to measure."
    yield ""


def _canary(facts: Facts) -> Iterator[str]:
    yield "## Canary"
    yield ""
    canary = facts.culture.release.canary
    if not canary:
        yield f"Canary: {NOT_STATED}."
        yield ""
        return
    yield (
        "The data of this benchmark must not stand in training data. Who gathers training data "
        "can leave out what holds this text, and who doubts a model can ask it to go on with it:"
    )
    yield ""
    yield from fence(canary)
    yield ""


def _citation(facts: Facts) -> Iterator[str]:
    yield "## How to cite"
    yield ""
    release = facts.culture.release
    if release.paper is None:
        yield f"Paper: {NOT_STATED}. Please cite the data set, and the papers of the method."
    else:
        yield "Please cite the paper, the data set, and the papers of the method."
    if not release.authors:
        yield f"Authors: {NOT_STATED}."
    yield ""
    yield from fence("\n\n".join(bibtex(work) for work in cited(facts)), "bibtex")
    yield ""
    yield (
        f"This folder was made with curate {facts.tool_version}; the same workspace gives the "
        "same files. `checksums.txt` has their hashes."
    )
