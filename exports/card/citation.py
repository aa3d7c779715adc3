"""What is cited: the benchmark, its paper and those of the method, as BibTeX and `CITATION.cff`.

The schema of the file is that of
https://github.com/citation-file-format/citation-file-format (1.2.0).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import yaml

from curation.records.culture import Author, Culture, Paper
from exports.card.escapes import bibtex_address, latex
from exports.card.facts import Facts
from exports.card.front import spdx
from exports.card.unstated import NOT_STATED

_MEETING = re.compile(r"\b(proceedings|findings|conference|workshop|symposium)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Work:
    """A work that is cited.

    Attributes:
        key: Its key in BibTeX.
        title: Its title.
        authors: Its authors.
        year: Of publication; None where it is not known.
        venue: Journal, proceedings or archive.
        volume: Of a journal.
        pages: From and to, with a hyphen between them.
        doi: Without address.
        url: Where it is read.
        version: Of a data set.
        is_data: Whether it is a data set.
    """

    key: str
    title: str
    authors: tuple[Author, ...]
    year: int | None
    venue: str = ""
    volume: str = ""
    pages: str = ""
    doi: str = ""
    url: str = ""
    version: str = ""
    is_data: bool = False

    @property
    def in_meeting(self) -> bool:
        """Whether its venue is a meeting's proceedings."""
        return bool(_MEETING.search(self.venue))


def _people(*names: str) -> tuple[Author, ...]:
    parts = (name.split(", ", 1) for name in names)
    return tuple(Author(family=family, given=given) for family, given in parts)


BBQ = Work(
    key="parrish2022bbq",
    title="BBQ: A hand-built bias benchmark for question answering",
    authors=_people(
        "Parrish, Alicia",
        "Chen, Angelica",
        "Nangia, Nikita",
        "Padmakumar, Vishakh",
        "Phang, Jason",
        "Thompson, Jana",
        "Htut, Phu Mon",
        "Bowman, Samuel",
    ),
    year=2022,
    venue="Findings of the Association for Computational Linguistics: ACL 2022",
    pages="2086-2105",
    doi="10.18653/v1/2022.findings-acl.165",
)
KOBBQ = Work(
    key="jin2024kobbq",
    title="KoBBQ: Korean bias benchmark for question answering",
    authors=_people(
        "Jin, Jiho",
        "Kim, Jiseon",
        "Lee, Nayeon",
        "Yoo, Haneul",
        "Oh, Alice",
        "Lee, Hwaran",
    ),
    year=2024,
    venue="Transactions of the Association for Computational Linguistics",
    volume="12",
    pages="507-524",
    doi="10.1162/tacl_a_00661",
)
METHOD = (BBQ, KOBBQ)
"""The papers of the method."""


class Named(Protocol):
    """What is known of a benchmark that is cited: settings, name for programs and for readers."""

    @property
    def culture(self) -> Culture:
        """The settings."""

    @property
    def name(self) -> str:
        """The name for programs."""

    @property
    def title(self) -> str:
        """The name for readers."""


def dataset(facts: Named) -> Work:
    """The benchmark as a work."""
    release, version = facts.culture.release, facts.culture.version
    return Work(
        key=facts.name,
        title=facts.title,
        authors=release.authors,
        year=release.date.year if release.date else None,
        doi=release.doi,
        url=release.url,
        version=version,
        is_data=True,
    )


def paper(facts: Named) -> Work | None:
    """The paper that presents the benchmark, if there is one."""
    stated: Paper | None = facts.culture.release.paper
    if stated is None:
        return None
    return Work(
        key=f"{facts.name}{stated.year}",
        title=stated.title,
        authors=stated.authors or facts.culture.release.authors,
        year=stated.year,
        venue=stated.venue,
        doi=stated.doi,
        url=stated.url,
    )


def cited(facts: Named) -> tuple[Work, ...]:
    """All that users are to cite: paper, data set, method."""
    presented = paper(facts)
    return (*([presented] if presented else []), dataset(facts), *METHOD)


def bibtex(work: Work) -> str:
    """Write a work as an entry of BibTeX."""
    body = ",\n".join(f"  {name:9} = {{{value}}}" for name, value in _fields(work))
    return f"@{_entry(work)}{{{work.key},\n{body}\n}}"


def _entry(work: Work) -> str:
    if work.is_data or not work.venue:
        return "misc"
    return "inproceedings" if work.in_meeting else "article"


def _fields(work: Work) -> Iterator[tuple[str, str]]:
    # Braces within keep the capitals of names.
    yield "title", f"{{{latex(work.title)}}}"
    if work.authors:
        yield "author", authors(work.authors)
    if work.venue:
        yield "booktitle" if work.in_meeting else "journal", latex(work.venue)
    if work.volume:
        yield "volume", latex(work.volume)
    if work.pages:
        yield "pages", work.pages.replace("-", "--")
    if work.year is not None:
        yield "year", str(work.year)
    if work.is_data:
        yield "note", f"Data set, version {latex(work.version)}"
    if work.doi:
        yield "doi", bibtex_address(work.doi)
    if work.url:
        yield "url", bibtex_address(work.url)


def authors(names: Sequence[Author]) -> str:
    """Write authors as BibTeX reads them; organisations in braces, so that they stay whole."""
    return " and ".join(_author(name) for name in names)


def _author(name: Author) -> str:
    if name.name:
        return f"{{{latex(name.name)}}}"
    family = latex(name.family)
    if "," in family or " and " in family.lower():
        family = f"{{{family}}}"
    given = latex(name.given)
    if "," in given or " and " in given.lower():
        given = f"{{{given}}}"
    return f"{family}, {given}" if given else f"{{{family}}}"


CITATION = "CITATION.cff"
"""Its name in the folder."""
_TOO_NEW = ("CDLA-Permissive-2.0",)
"""Licences that came after the schema, which lists those that may stand there."""
_MESSAGE = "If you use this benchmark, please cite it, and the papers of its method."


def citation(facts: Facts) -> str:
    """Write the file. A data set has to have an author there: one that is not stated is said so."""
    release = facts.culture.release
    made: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": _MESSAGE,
        "type": "dataset",
        "title": facts.title,
        "authors": _persons(release.authors) or [{"name": NOT_STATED}],
        "version": facts.culture.version,
    }
    optional: dict[str, object] = {
        "abstract": release.description,
        "date-released": release.date,
        "license": "" if spdx(release.licence) in _TOO_NEW else spdx(release.licence),
        "doi": release.doi,
        "url": release.url,
        "keywords": ["bias", "stereotypes", "benchmark", "question answering"],
    }
    made |= {key: value for key, value in optional.items() if value}
    presented = paper(facts)
    if presented is not None:
        made["preferred-citation"] = _reference(presented)
    made["references"] = [_reference(work) for work in METHOD]
    return yaml.safe_dump(made, allow_unicode=True, sort_keys=False, width=100)


def _persons(authors: Sequence[Author]) -> list[dict[str, str]]:
    return [_person(author) for author in authors]


def _person(author: Author) -> dict[str, str]:
    parts = {
        "name": author.name,
        "family-names": author.family,
        "given-names": author.given,
        "orcid": f"https://orcid.org/{author.orcid}" if author.orcid else "",
        # An organisation has no affiliation in the format.
        "affiliation": author.affiliation if author.family else "",
    }
    return {key: value for key, value in parts.items() if value}


def _reference(work: Work) -> dict[str, object]:
    kind = "article"
    if work.in_meeting:
        kind = "conference-paper"
    elif not work.venue:
        kind = "generic"
    made: dict[str, object] = {
        "type": kind,
        "title": work.title,
        "authors": _persons(work.authors) or [{"name": NOT_STATED}],
    }
    first, _, last = work.pages.partition("-")
    optional: dict[str, object] = {
        "collection-title" if work.in_meeting else "journal": work.venue,
        "volume": work.volume,
        "start": first,
        "end": last,
        "year": work.year,
        "doi": work.doi,
        "url": work.url,
    }
    return made | {key: value for key, value in optional.items() if value}
