"""Licences as SPDX and the Hugging Face hub write them, and what a release does not state."""

from curation.records.culture import Culture
from curation.records.licences import plain_name

NOT_STATED = "not stated"
"""Stands where nothing is said."""
_RELEASE = {
    "title": "name of the benchmark for readers",
    "description": "what it is, in a sentence or two",
    "licence": "SPDX identifier of the terms of the data, such as CC-BY-4.0",
    "authors": "who publishes it",
    "contact": "address for questions",
    "url": "home page or repository",
    "doi": "DOI of the data set",
    "date": "day of the release",
    "canary": "a text by which the data can be found in training data",
    "paper": "what is to be cited",
    "annotators": "who annotated and translated: role, number, background, pay",
}
_SURVEY = {
    "began": "first day of the survey",
    "ended": "last day of the survey",
    "company": "who recruited the respondents",
    "population": "which people the respondents stand for",
    "payment": "what the respondents were paid",
    "ethics": "which board approved the survey, or why none had to",
}


def unstated(culture: Culture, *, surveyed: bool) -> dict[str, str]:
    """The keys of `culture.yaml` that are empty (`release.licence`), and what they would say.

    Args:
        culture: The settings.
        surveyed: Whether there was a survey to speak of.
    """
    release = culture.release
    stated = {f"release.{key}": (getattr(release, key), says) for key, says in _RELEASE.items()}
    for key, says in _SURVEY.items() if surveyed else ():
        stated[f"release.survey.{key}"] = getattr(release.survey, key), says
    return {key: says for key, (value, says) in stated.items() if not value}


_HUB_ALIKE = (
    *("Apache-2.0", "MIT", "AFL-3.0", "Artistic-2.0", "BSL-1.0", "BSD-2-Clause", "BSD-3-Clause"),
    *("BSD-3-Clause-Clear", "C-UDA-1.0", "CC0-1.0", "CC-BY-2.0", "CC-BY-2.5", "CC-BY-3.0"),
    *("CC-BY-4.0", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "CC-BY-NC-2.0", "CC-BY-NC-3.0"),
    *("CC-BY-NC-4.0", "CC-BY-ND-4.0", "CC-BY-NC-ND-3.0", "CC-BY-NC-ND-4.0", "CC-BY-NC-SA-2.0"),
    *("CC-BY-NC-SA-3.0", "CC-BY-NC-SA-4.0", "WTFPL", "ECL-2.0", "EPL-1.0", "EPL-2.0"),
    *("EUPL-1.1", "EUPL-1.2", "ISC", "MS-PL", "MPL-2.0", "OSL-3.0", "PostgreSQL", "OFL-1.1"),
    *("NCSA", "Unlicense", "Zlib"),
)
_HUB_OTHERWISE = {
    "C-UDA-1.0": "c-uda",
    "CDLA-Permissive-1.0": "cdla-permissive-1.0",
    "CDLA-Permissive-2.0": "cdla-permissive-2.0",
    "CDLA-Sharing-1.0": "cdla-sharing-1.0",
    "etalab-2.0": "etalab-2.0",
    "ODC-By-1.0": "odc-by",
    "ODbL-1.0": "odbl",
    "PDDL-1.0": "pddl",
    "GPL-2.0-only": "gpl-2.0",
    "GPL-2.0-or-later": "gpl-2.0",
    "GPL-3.0-only": "gpl-3.0",
    "GPL-3.0-or-later": "gpl-3.0",
    "AGPL-3.0-only": "agpl-3.0",
    "AGPL-3.0-or-later": "agpl-3.0",
    "LGPL-3.0-only": "lgpl-3.0",
    "LGPL-3.0-or-later": "lgpl-3.0",
    "GFDL-1.3-only": "gfdl",
    "GFDL-1.3-or-later": "gfdl",
}
_HUB = {**{name: name.lower() for name in _HUB_ALIKE}, **_HUB_OTHERWISE}


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
