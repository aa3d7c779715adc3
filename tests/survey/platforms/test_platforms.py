"""What every platform's files have in common."""

import csv
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from survey.platforms import CODE_COLUMNS, PLATFORMS, platform, write_forms
from survey.platforms.kit import uncovered


def rows(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


FEATURES = {
    "random order": {"limesurvey"},
    "excludes the others": {"limesurvey"},
    "answer is needed": {"limesurvey", "label_studio"},
    "quotas": set(),
    "one form, once": set(),
    "does not agree": set(),
    "where an option was shown": {"label_studio", "workbook"},
    "how long": {"qualtrics", "limesurvey"},
}
"""What a survey needs, and the platforms whose files say it."""


@pytest.mark.parametrize("name", PLATFORMS)
def test_what_a_platform_cannot_express_is_said_of_every_one(
    kit: Any, tmp_path: Path, name: str
) -> None:
    """Each thing that a survey needs is in the files, or among what they cannot express."""
    write_forms(tmp_path, kit, [name])
    _, _, limits = (
        (tmp_path / name / "README.txt").read_text(encoding="utf-8").partition("cannot express")
    )
    for feature, able in FEATURES.items():
        assert feature in limits or name in able, feature


WORDS = ("Crafts", "About crafts: 5 questions.", "Go on if you agree.", "Where do you live?")


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_platform_shows_title_intro_consent_and_thanks(
    kit: Any, tmp_path: Path, name: str
) -> None:
    """Nothing that respondents are to read is left out of what a platform is given."""
    write_forms(tmp_path, kit, [name])
    if name == "workbook":
        book = openpyxl.load_workbook(tmp_path / name / "forms.xlsx")
        cells = [str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row]
        text = "\n".join(cells)
    else:
        files = sorted((tmp_path / name).glob("[cf]*.*"))
        texts = (path.read_text("utf-8") for path in files if path.suffix != ".yaml")
        text = "\n".join(texts)
    for words in (*WORDS, "Thanks.", "Choose one.", "Choose all.", "Please choose Blue."):
        assert words in text, words


def test_codes(kit: Any, tmp_path: Path) -> None:
    """`codes.csv` says what stands for every option, attribute and the check, by platform."""
    write_forms(tmp_path, kit, PLATFORMS)
    found = rows(tmp_path / "codes.csv")
    assert tuple(found[0]) == CODE_COLUMNS
    second = {
        row["platform"]: (row["column"], row["code"], row["position"])
        for row in found
        if (row["form"], row["question_id"], row["option"]) == ("f01", "q-craft-00000002", "2")
    }
    assert second == {
        "qualtrics": ("q_craft_00000002_2", "2", "3"),
        "limesurvey": ("Q002[SQ002]", "SQ002", "3"),
        "workbook": ("Q002_2", "2", "3"),
        "csv": ("Q002_2", "2", "3"),
        "label_studio": ("Q002", "2", "3"),
    }
    east = {row["platform"]: row["code"] for row in found if row["option"] == "east"}
    assert east == {
        "qualtrics": "1",
        "limesurvey": "A1",
        "workbook": "East & all",
        "csv": "east",
        "label_studio": "east",
    }
    passed = {row["platform"]: row["code"] for row in found if row["question_id"] == "attention"}
    assert set(passed.values()) == {"2", "A2", "Blue"}
    assert len(found) == len(PLATFORMS) * (3 + 4 + 3 + 3 + 2 * 2 + 2)


def test_uncovered(kit: Any) -> None:
    """A mapping of another form leaves questions out, and invents others."""
    first, second = kit.sheets
    mapping = platform("csv").mapping(kit, first)
    assert uncovered(second, mapping) == [
        "q-craft-00000002 is not asked",
        "c-craft-001 is not asked",
    ]
    assert uncovered(first, platform("csv").mapping(kit, second)) == [
        "q-craft-00000002 is missing",
        "c-craft-001 is missing",
    ]
    part = mapping.questions[0].model_copy(update={"options": {"1": "1"}})
    short = mapping.model_copy(update={"questions": (part, *mapping.questions[1:])})
    assert uncovered(first, short) == ["q-craft-00000001 has other options"]
