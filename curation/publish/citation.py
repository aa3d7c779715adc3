"""`CITATION.cff`: how the benchmark is cited, for machines (Citation File Format 1.2.0).

The schema is that of https://github.com/citation-file-format/citation-file-format.
"""

from collections.abc import Sequence

import yaml

from curation.model.release import Author
from curation.publish.bibliography import METHOD, Work, paper
from curation.publish.facts import Facts
from curation.publish.licences import spdx
from curation.publish.unstated import NOT_STATED

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
        "authors": _people(release.authors) or [{"name": NOT_STATED}],
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


def _people(authors: Sequence[Author]) -> list[dict[str, str]]:
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
        "authors": _people(work.authors) or [{"name": NOT_STATED}],
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
