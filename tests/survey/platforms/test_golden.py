"""Files that platforms import, sign by sign."""

from pathlib import Path

from survey.platforms.kit import platform, write_files

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "limesurvey": ("f01.txt",),
    "label_studio": ("f01.xml", "f01.tasks.json"),
    "surveyjs": ("f01.json",),
}


def test_golden(kit, tmp_path):
    """A form is written as it was looked at and found right."""
    for name, file in [(name, file) for name, files in CASES.items() for file in files]:
        written = write_files(tmp_path, kit, platform(name), name)
        assert tmp_path / file in written
        assert (tmp_path / file).read_bytes() == (GOLDEN / name / file).read_bytes()
