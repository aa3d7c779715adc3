"""The description for machines."""

import json

from published import culture, facts

from curation.files.manifest import FileRecord
from exports.hub_files import croissant


def described(**changes):
    made = facts(**changes)
    files = {item.path: FileRecord(f"{at:064x}", 100 + at) for at, item in enumerate(made.tables)}
    found = json.loads(croissant(made, files))
    assert isinstance(found, dict)
    return found


def test_what_is_not_stated_is_left_out():
    """No licence, creator, date or address is made up."""
    every, empty = described(), described(culture=culture({}))
    stated = {"license", "creator", "datePublished", "url", "sameAs", "rai:dataCollectionTimeframe"}
    assert set(every) - set(empty) == {*stated, "rai:annotatorDemographics"}
    assert every["license"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert every["creator"] == [
        {"@type": "sc:Person", "name": "Jo Doe", "url": "https://orcid.org/0000-0002-1825-0097"},
        {"@type": "sc:Organization", "name": "Lab"},
    ]
    assert every["citeAs"].startswith("@inproceedings{nowhere_bbq2026,")
    assert empty["citeAs"].startswith("@misc{nowhere_bbq,")
