"""What is cited: the benchmark, its paper and those of the method, as BibTeX and `CITATION.cff`.

The schema of the file is that of
https://github.com/citation-file-format/citation-file-format (1.2.0).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, TypeVar

import yaml

from curation.records.culture import Author, Culture
from curation.records.licences import plain_name
from curation.records.messages import own_yaml
from curation.report.texts import plain, resource

_Value = TypeVar("_Value")
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
        version: Of a data set; empty for others.
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

    @property
    def kind(self) -> str:
        """What BibTeX calls it: `misc` without a venue, by its venue's name else."""
        if not self.venue:
            return "misc"
        return "inproceedings" if _MEETING.search(self.venue) else "article"


@cache
def known() -> dict[str, Any]:
    """What cards and metadata know of papers, keys, tables and licences."""
    return dict(own_yaml(resource(__package__, "known.yaml")))


def _method() -> Iterator[Work]:
    for key, told in known()["method"].items():
        names = (name.split(", ", 1) for name in told["authors"])
        authors = tuple(Author(family=family, given=given) for family, given in names)
        yield Work(key=key, **{**told, "authors": authors})


METHOD = tuple(_method())
"""The papers of the method: BBQ's and KoBBQ's."""


def title_of(culture: Culture) -> str:
    """The benchmark's name for readers; that of the culture's benchmark where none is stated."""
    return culture.release.title or f"{culture.culture} bias benchmark"


def dataset(culture: Culture) -> Work:
    """The benchmark as a work."""
    release = culture.release
    return Work(
        key=culture.release_name,
        title=title_of(culture),
        authors=release.authors,
        year=release.date.year if release.date else None,
        doi=release.doi,
        url=release.url,
        version=culture.version,
    )


def paper(culture: Culture) -> Work | None:
    """The paper that presents the benchmark, if there is one."""
    stated = culture.release.paper
    if stated is None:
        return None
    return Work(
        key=f"{culture.release_name}{stated.year}",
        title=stated.title,
        authors=stated.authors or culture.release.authors,
        year=stated.year,
        venue=stated.venue,
        doi=stated.doi,
        url=stated.url,
    )


def cited(culture: Culture) -> tuple[Work, ...]:
    """All that users are to cite: paper, data set, method."""
    presented = paper(culture)
    return (*([presented] if presented else []), dataset(culture), *METHOD)


def bibtex(work: Work) -> str:
    """Write a work as an entry of BibTeX."""
    fields = {
        "title": f"{{{latex(work.title)}}}",  # braces within keep the capitals of names
        "author": " and ".join(map(bibtex_author, work.authors)),
        "booktitle" if work.kind == "inproceedings" else "journal": latex(work.venue),
        "volume": latex(work.volume),
        "pages": work.pages.replace("-", "--"),
        "year": str(work.year or ""),
        "note": work.version and f"Data set, version {latex(work.version)}",
        "doi": bibtex_address(work.doi),
        "url": bibtex_address(work.url),
    }
    body = ",\n".join(f"  {name:9} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{work.kind}{{{work.key},\n{body}\n}}"


def bibtex_author(name: Author) -> str:
    """Write an author as BibTeX reads it; an organisation in braces, so that it stays whole."""
    if name.name:
        return f"{{{latex(name.name)}}}"
    parts = map(latex, (name.family, name.given))
    family, given = (
        f"{{{part}}}" if "," in part or " and " in part.lower() else part for part in parts
    )
    return f"{family}, {given}" if given else f"{{{family}}}"


CITATION = "CITATION.cff"
"""Its name in the folder."""
_TOO_NEW = ("CDLA-Permissive-2.0",)
"""Licences that came after the schema, which lists those that may stand there."""
_MESSAGE = "If you use this benchmark, please cite it, and the papers of its method."


def citation(culture: Culture) -> str:
    """Write the file. A data set has to have an author there: one that is not stated is said so."""
    release, presented = culture.release, paper(culture)
    licence = spdx(release.licence)
    made: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": _MESSAGE,
        "type": "dataset",
        "title": title_of(culture),
        "authors": _persons(release.authors),
        "version": culture.version,
        "abstract": release.description,
        "date-released": release.date,
        "license": "" if licence in _TOO_NEW else licence,
        "doi": release.doi,
        "url": release.url,
        "keywords": ["bias", "stereotypes", "benchmark", "question answering"],
        "preferred-citation": presented and _reference(presented),
        "references": [_reference(work) for work in METHOD],
    }
    return yaml.safe_dump(stated(made), allow_unicode=True, sort_keys=False, width=100)


def stated(made: Mapping[str, _Value]) -> dict[str, _Value]:
    """What is said of something, without what is empty."""
    return {key: value for key, value in made.items() if value}


def _persons(authors: Sequence[Author]) -> list[dict[str, str]]:
    found = [
        {
            "name": author.name,
            "family-names": author.family,
            "given-names": author.given,
            "orcid": author.orcid and f"https://orcid.org/{author.orcid}",
            # An organisation has no affiliation in the format.
            "affiliation": author.affiliation if author.family else "",
        }
        for author in authors
    ]
    return [stated(person) for person in found] or [{"name": NOT_STATED}]


def _reference(work: Work) -> dict[str, object]:
    kinds = {"inproceedings": "conference-paper", "misc": "generic", "article": "article"}
    first, _, last = work.pages.partition("-")
    return stated(
        {
            "type": kinds[work.kind],
            "title": work.title,
            "authors": _persons(work.authors),
            "collection-title" if work.kind == "inproceedings" else "journal": work.venue,
            "volume": work.volume,
            "start": first,
            "end": last,
            "year": work.year,
            "doi": work.doi,
            "url": work.url,
        }
    )


NOT_STATED = "not stated"
"""Stands where nothing is said."""


def unstated(culture: Culture, *, surveyed: bool) -> dict[str, str]:
    """The keys of `culture.yaml` that are empty (`release.licence`), and what they would say.

    Args:
        culture: The settings.
        surveyed: Whether there was a survey to speak of.
    """
    keys: dict[str, str] = known()["unstated"]
    asked = {key: it for key, it in keys.items() if surveyed or ".survey." not in key}
    return {key: it for key, it in asked.items() if not reduce(getattr, key.split("."), culture)}


_HUB: dict[str, str] = known()["hub_licences"]
_SPDX = {plain_name(name): name for name in _HUB}


def spdx(licence: str) -> str:
    """The SPDX identifier of a licence; empty where it is not known here.

    As with `curation.records.licences.terms_of`, `CC BY 4.0` is `CC-BY-4.0` too.
    """
    return _SPDX.get(plain_name(licence), "")


def hub_licence(licence: str) -> str:
    """A licence as the Hugging Face hub spells it; `other` where it has no name for it."""
    return _HUB.get(spdx(licence), "other")


def licence_address(licence: str) -> str:
    """The address of a licence's text; empty where it is not known here."""
    known = spdx(licence)
    return f"https://spdx.org/licenses/{known}.html" if known else ""


_BLOCK = re.compile(r"([-+=:]|\d+[.)])")
_BACKTICKS = re.compile(r"`+")
_BREAK = re.compile(r"\s+")
_LATEX = {
    "\\": r"\textbackslash{}",
    # An escaped brace counts as a brace to BibTeX, which would look for its partner.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    **{one: f"\\{one}" for one in "&%$#_"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
}
_IN_ADDRESS = {"{": "%7B", "}": "%7D", "\\": "%5C", '"': "%22", "<": "%3C", ">": "%3E", " ": "%20"}


def paragraph(text: str) -> str:
    """Write a text as a paragraph of Markdown: what opens a list elsewhere opens none."""
    shown = plain(text.strip())
    opening = _BLOCK.match(shown)
    at = opening.end() - 1 if opening else 0
    return f"{shown[:at]}\\{shown[at:]}" if opening else shown


def link(address: str) -> str:
    """Write an address as a link that shows itself."""
    return f"<{bibtex_address(address)}>"


def linked(address: str) -> str:
    """Write an address as a link where it is one on the web, and as text otherwise."""
    return link(address) if address.startswith(("https://", "http://")) else plain(address)


def fence(text: str, language: str = "") -> list[str]:
    """Write a text as a block of code, whatever backticks it holds."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return [f"{ticks}{language}", *text.split("\n"), ticks]


def latex(text: str) -> str:
    """Write a text as a value of BibTeX."""
    one_line = _BREAK.sub(" ", text.strip())
    return "".join(_LATEX.get(char, char) for char in one_line)


def bibtex_address(text: str) -> str:
    """Write an address or a DOI as a value of BibTeX, where it is taken letter by letter."""
    return "".join(_IN_ADDRESS.get(char, char) for char in text.strip())
