"""The dataset card: README.md of the folder, for the people who are to use the benchmark."""

import json
from collections.abc import Iterable, Iterator

from curation.report.texts import count, environment, plain, table
from exports.card.citation import bibtex, cited
from exports.card.escapes import fence, link, paragraph
from exports.card.facts import SPLIT, Configuration, Facts
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
    yield f"<details><summary>Columns of {' and '.join(alike).replace('`', '')}</summary>"
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
    yield "</details>"
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


def _tasks(facts: Facts) -> list[str]:
    """The folders of tasks that are there."""
    names = [item.name for item in facts.folders if not item.lacks]
    return [f"`{name}/`" for name in ("lm_eval", "inspect") if name in names]


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
        yield f"- {' '.join(sentences('source', facts, source=source))}"
    if facts.written:
        what = "Newly written" if facts.sources else "All newly written, without a source"
        yield f"- {what}: {count(facts.written, 'template')} of those that are retained."
    yield ""


def card(facts: Facts) -> str:
    """Write the card, by the template beside this module."""
    release = facts.culture.release
    template = environment(__package__).overlay(autoescape=False).get_template("readme.md.j2")
    text = template.render(
        facts=facts,
        release=release,
        first=facts.configurations[0],
        split=SPLIT,
        privacy=" ".join(sentences("privacy", facts)),
        uses=uses(facts),
        limits=[*sentences("limits", facts), *release.limits],
        front=front_matter(facts),
        example=json.dumps(facts.example._asdict(), ensure_ascii=False, indent=2),
        bibtex="\n\n".join(bibtex(work) for work in cited(facts)),
        head=_joined(_head(facts)),
        picture=PICTURE,
        picture_alt=plain(alternative(facts)),
        tables=_joined([*tables(facts), *folders(facts)]),
        harnesses=" ".join(sentences("harnesses", facts, tasks=_tasks(facts))),
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
    day = f" ({release.date.isoformat()})" if release.date else ""
    address = f"https://doi.org/{release.doi}" if release.doi else ""
    rows = (
        ("Culture", plain(culture.culture)),
        ("Language", plain(culture.language)),
        ("Version", f"{plain(culture.version)}{day}"),
        ("Licence", plain(release.licence) or NOT_STATED),
        ("Published by", "; ".join(_authors(facts))),
        ("Contact", plain(release.contact)),
        ("Home page", link(release.url) if release.url else ""),
        ("DOI", link(address) if address else ""),
    )
    yield from table(("", ""), [row for row in rows if row[1]], texts=(0, 1))


def _authors(facts: Facts) -> Iterator[str]:
    for author in facts.culture.release.authors:
        more = ", ".join(plain(item) for item in (author.affiliation, author.orcid) if item)
        yield plain(author.shown) + (f" ({more})" if more else "")


def uses(facts: Facts) -> list[str]:
    """The intended uses: those of any such benchmark, and the release's own."""
    return [*sentences("uses", facts), *facts.culture.release.uses]
