"""The front matter of a dataset card: what the Hugging Face hub reads of it."""

import yaml

from curation.records.licences import plain_name
from exports.card.facts import SPLIT, Facts

_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
_LARGEST = "10M<n<100M"
_TAGS = ("bias", "fairness", "social-bias", "stereotypes", "bbq", "benchmark", "evaluation")


def front_matter(facts: Facts) -> str:
    """Write the front matter, with the lines that enclose it."""
    text = yaml.safe_dump(_matter(facts), allow_unicode=True, sort_keys=False, width=100)
    return f"---\n{text}---\n"


def _matter(facts: Facts) -> dict[str, object]:
    return {
        **_licence(facts),
        "language": [facts.culture.language.split("-")[0]],
        "pretty_name": facts.title,
        "size_categories": [_size(_samples(facts))],
        "task_categories": ["question-answering", "multiple-choice"],
        "tags": [*_TAGS, facts.name],
        "annotations_creators": _annotators(facts),
        "language_creators": _writers(facts),
        "multilinguality": ["monolingual"],
        "source_datasets": _sources(facts),
        "configs": _configurations(facts),
    }


def _licence(facts: Facts) -> dict[str, object]:
    """Name the licence as the hub spells it; one that it does not know goes by its own name."""
    stated = facts.culture.release.licence.strip()
    if not stated:
        return {"license": "unknown"}
    known = hub_licence(stated)
    if known != "other":
        return {"license": known}
    other: dict[str, object] = {"license": "other", "license_name": stated}
    address = licence_address(stated)
    return {**other, "license_link": address} if address else other


def _samples(facts: Facts) -> int:
    """How many samples the folder holds: all, or the test set where it has no others."""
    if facts.has("samples"):
        return facts.total.samples
    return facts.configurations[0].rows


def _size(samples: int) -> str:
    return next((name for limit, name in _SIZES if samples < limit), _LARGEST)


def _annotators(facts: Facts) -> list[str]:
    found = ["crowdsourced"] * (facts.survey is not None)
    labelled = any(
        row.simply_transferred or row.target_modified or row.sample_removed
        for row in facts.categories
    )
    found += ["expert-generated"] * (labelled or facts.agreement is not None)
    return found or ["no-annotation"]


def _writers(facts: Facts) -> list[str]:
    machine = any(
        column.name.endswith("_machine")
        for item in facts.configurations
        if item.name == "templates"
        for column in item.columns
    )
    return [
        *["found"] * bool(facts.sources),
        *["machine-generated"] * machine,
        "expert-generated",
    ]


def _sources(facts: Facts) -> list[str]:
    found = [f"extended|other-{source.id.lower()}" for source in facts.sources]
    return [*found, *["original"] * bool(facts.written)]


def _configurations(facts: Facts) -> list[dict[str, object]]:
    default = facts.configurations[0].name
    return [
        {
            "config_name": item.name,
            "data_files": [{"split": SPLIT, "path": item.path}],
            **({"default": True} if item.name == default else {}),
        }
        for item in facts.configurations
    ]


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
