"""What every platform's files have in common."""

import re
from dataclasses import replace
from pathlib import Path

from survey.platforms import limesurvey, panel
from survey.platforms.kit import PLATFORMS, write_forms


def test_the_page_tells_a_persons_minutes_for_each_platform(kit, tmp_path):
    """One for each step of its guide, and one for each point that is left to the person."""
    page = (Path(__file__).parents[3] / "docs" / "survey.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (\d+ \+ \d+) \|$", page, re.MULTILINE))
    assert {*rows} == {*PLATFORMS}
    write_forms(tmp_path, kit, PLATFORMS)
    for name in PLATFORMS:
        guide = (tmp_path / name / "README.txt").read_text(encoding="utf-8").splitlines()
        steps = sum(line[:1].isdecimal() for line in guide)
        points = sum(line.startswith("- ") for line in guide)
        assert rows[name] == f"{steps} + {points}", name


def test_attributes_with_one_code_are_told_apart(make_survey):
    """Or with that of a question, in LimeSurvey, whose codes are letters and digits."""
    for names, codes in [
        (("age_band", "ageband"), ["ageband", "agebandx2"]),
        (("att", "q001"), ["attx1", "q001x2"]),
        (("a" * 30,), ["a" * 17]),
    ]:
        kit = make_survey(quotas={name: {"x": 1} for name in names})
        parts = limesurvey.mapping(kit, kit.sheets[0]).attributes.values()
        assert [part.column for part in parts] == codes


def test_one_form_needs_no_joint_mapping(kit, tmp_path):
    files = panel.write(tmp_path, replace(kit, sheets=kit.sheets[:1]))
    assert [path.name for path in files] == ["f01.csv", "cover.csv", "codebook.csv"]
