"""The dataset card: README.md of the folder, for the people who are to use the benchmark."""

import json
from collections.abc import Iterable, Iterator

from curation.files.pages import count, environment, plain, table
from curation.records.licences import Licence
from exports.card.citation import bibtex, cited
from exports.card.escapes import fence, link, linked, paragraph
from exports.card.facts import SPLIT, Configuration, Facts, SourceFact
from exports.card.front import front_matter, licence_address
from exports.card.making import funnel, people, survey, table_one
from exports.card.picture import PICTURE, alternative
from exports.card.sentences import sentences
from exports.card.unstated import NOT_STATED

_KINDS = {
    "text": "text",
    "list": "list of texts",
    "whole number": "whole number",
    "truth value": "true or false",
}


def tables(facts: Facts) -> Iterator[str]:
    """Yield the tables that are published, and what their columns hold."""
    rows = [
        (f"`{item.name}`", item.title, f"{item.rows:,}", f"`{item.path}`")
        for item in facts.configurations
    ]
    yield from table(("Configuration", "Rows are", "Rows", "File"), rows, texts=(0, 1, 3))
    yield (
        f"Every configuration has one split, `{SPLIT}`: nothing here is for training. An empty "
        "text means that there is no value."
    )
    yield ""
    seen: tuple[str, ...] = ()
    for item in facts.configurations:
        names = tuple(column.name for column in item.columns)
        if names == seen:
            continue
        seen = names
        yield from _columns(item, facts)


def _columns(item: Configuration, facts: Facts) -> Iterator[str]:
    alike = [
        f"`{other.name}`"
        for other in facts.configurations
        if [column.name for column in other.columns] == [column.name for column in item.columns]
    ]
    yield f"**Columns of {' and '.join(alike)}**"
    yield ""
    rows = [
        (_code(column.name), _KINDS[column.kind], column.meaning)
        for column in item.columns
        # Twins repeat what their column says.
        if not column.name.endswith(("_source", "_machine"))
    ]
    yield from table(("Column", "Holds", "Says"), rows, texts=(0, 1, 2))
    twins = sorted({c.name.rpartition("_")[2] for c in item.columns} & {"source", "machine"})
    if len(rows) < len(item.columns):
        told = {
            "source": "`..._source`: the same in the source language",
            "machine": "`..._machine`: the machine translation as it was received",
        }
        yield f"{'; '.join(told[twin] for twin in twins)}."
        yield ""


def folders(facts: Facts) -> Iterator[str]:
    """Yield what a release package has beside the tables, and what it lacks and why."""
    if not facts.folders:
        return
    there = [item for item in facts.folders if not item.lacks]
    yield ""
    rows = [(f"`{item.name}/`", item.holds) for item in there]
    yield from table(("Folder", "Holds"), rows, texts=(0, 1))
    for item in facts.folders:
        if item.lacks:
            yield f"Not in this package: `{item.name}/`, {item.holds}: {plain(item.lacks)}."
            yield ""


def harnesses(facts: Facts) -> str:
    """Say where there are tasks for the harnesses of others."""
    said = (
        "`curate export lm-eval` and `curate export inspect` write the benchmark as tasks of the "
        "LM Evaluation Harness and of Inspect"
    )
    if facts.unasked:
        said += f", with `--prompts FILE`, as {plain(facts.unasked)}"
    there = [f"`{item.name}/`" for item in facts.folders if item.name in _TASKS and not item.lacks]
    return f"{said}; they are here in {' and '.join(there)}." if there else f"{said}."


_TASKS = ("lm_eval", "inspect")


def _code(text: str) -> str:
    """Write a name as code within a table."""
    return f"`{text.replace('|', '&#124;')}`" if "`" not in text else text.replace("|", "\\|")


def sources(facts: Facts) -> Iterator[str]:
    """Yield the terms of the benchmark, and credit and changes of each source."""
    stated = facts.culture.release.licence
    terms = plain(stated) or NOT_STATED
    address = licence_address(stated)
    yield f"Licence of this benchmark: {terms}{f' ({link(address)})' if address else ''}."
    yield ""
    for source in facts.sources:
        yield f"- {attribution(source)} {changes(source)}"
    if facts.written:
        what = "Newly written" if facts.sources else "All newly written, without a source"
        yield f"- {what}: {count(facts.written, 'template')} of those that are retained."
    yield ""


def attribution(source: SourceFact) -> str:
    """Credit a source with its holder, its address and its licence, in Markdown."""
    title, licence = plain(source.title), source.licence
    if licence is None:
        return (
            f"**{title}.** Its licence is {NOT_STATED}: no published file of this name was "
            "imported into the workspace."
        )
    address = f", {linked(licence.address)}" if licence.address else ""
    credit = f"**{title}** by {plain(licence.holder)}{address}"
    if not licence.name:
        return f"{credit}. It states no licence: without permission nothing of it may be published."
    return f"{credit}, {_terms(licence)}."


def _terms(licence: Licence) -> str:
    address = licence_address(licence.name)
    text = f"licensed under {plain(licence.name)}"
    text += f" ({link(address)})" if address else ""
    return f"{text}, which texts derived from it must carry too" if licence.share_alike else text


def changes(source: SourceFact) -> str:
    """Say what was done with the templates of a source."""
    taken = "taken over"
    if source.translated_from:
        taken += f" (translated from `{source.translated_from}` and adapted)"
    done = [
        (source.taken, taken),
        (source.modified, "given other groups or another wording for the culture"),
        (source.created, "taken over that its makers had newly written for their own culture"),
        (source.removed, "removed, because the culture has no such stereotype"),
        (source.dropped, "dropped by the survey or by a person"),
    ]
    said = "; ".join(
        f"{number:,} {'was' if number == 1 else 'were'} {what}" for number, what in done if number
    )
    return f"Changes were made. Of its {count(source.templates, 'template')} {said}."


PRIVACY = (
    "No answer of a single respondent is published, only how many respondents chose each option. "
    "The people in the texts are invented. The texts name groups of people and stereotypes about "
    "them."
)
"""What the data holds of persons."""


def card(facts: Facts) -> str:
    """Write the card, by the template beside this module."""
    release = facts.culture.release
    template = environment(__package__).overlay(autoescape=False).get_template("readme.md.j2")
    text = template.render(
        facts=facts,
        release=release,
        first=facts.configurations[0],
        split=SPLIT,
        not_stated=NOT_STATED,
        privacy=PRIVACY,
        uses=uses(facts),
        limits=[*sentences("limits", facts), *release.limits],
        front=front_matter(facts),
        example=json.dumps(facts.example._asdict(), ensure_ascii=False, indent=2),
        bibtex="\n\n".join(bibtex(work) for work in cited(facts)),
        head=_joined(_head(facts)),
        picture=PICTURE,
        picture_alt=plain(alternative(facts)),
        tables=_joined([*tables(facts), *folders(facts)]),
        harnesses=harnesses(facts),
        steps=" ".join(sentences("steps", facts)),
        filling=" ".join(sentences("filling", facts)),
        funnel=_joined(table(("Step", "Templates"), funnel(facts))),
        table_one=_joined(table_one(facts)),
        method=facts.survey.method if facts.survey else (),
        survey=_joined(survey(facts)),
        people=_joined(people(facts)),
        sources=_joined(sources(facts)),
        plain=plain,
        paragraph=paragraph,
        fence=lambda *arguments: _joined(fence(*arguments)),
    )
    return f"{text.rstrip()}\n"


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines).rstrip("\n")


def _head(facts: Facts) -> Iterator[str]:
    culture, release = facts.culture, facts.culture.release
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


def uses(facts: Facts) -> tuple[str, ...]:
    """The intended uses: those of any such benchmark, and the release's own."""
    return (
        "To measure how far a language model answers by stereotypes known in the culture instead "
        "of by what the text says, and whether it chooses the unknown expression when the text "
        "leaves the answer open.",
        "To compare models, or versions of one model, that are asked in the same way.",
        "To find the templates in which a model follows a stereotype, and to compare them with the "
        "survey's results.",
        *facts.culture.release.uses,
    )
