"""Files that platforms import, sign by sign."""

from curation.files.tables import sha256
from survey.platforms.kit import form_platform, write_files

FOUND_RIGHT = {
    ("limesurvey", "f01.txt"): "c440d737af9e",
    ("label_studio", "f01.xml"): "608e98ca86fb",
    ("label_studio", "f01.tasks.json"): "646abaa17c8e",
    ("surveyjs", "f01.json"): "41cab0ed5168",
}
"""The hash of each file as it was looked at."""


def test_golden(kit, tmp_path):
    """A form is written as it was looked at and found right."""
    for (name, file), digest in FOUND_RIGHT.items():
        written = write_files(tmp_path, kit, form_platform(name))
        assert tmp_path / file in written
        assert sha256(tmp_path / file)[:12] == digest, (name, file)
