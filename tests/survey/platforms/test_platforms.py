"""What every platform's files have in common."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from survey.mapping import load_mapping
from survey.platforms import CODE_COLUMNS, PLATFORMS, platform, write_forms
from survey.platforms.kit import Check, Instruction, Item, uncovered


def written(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def rows(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("name", PLATFORMS)
def test_mapping_covers_the_form(kit: Any, tmp_path: Path, name: str) -> None:
    """Every question and option of a form is in the mapping that is written beside it."""
    write_forms(tmp_path, kit, [name])
    for sheet in kit.sheets:
        mapping = load_mapping(tmp_path / name / f"{sheet.id}.mapping.yaml")
        assert uncovered(sheet, mapping) == []
        assert [part.id for part in mapping.questions] == [i.question.id for i in sheet.items]
        assert "region" in mapping.attributes
        assert len(mapping.attention) == 1


@pytest.mark.parametrize("name", PLATFORMS)
def test_readme_says_what_is_missing(kit: Any, tmp_path: Path, name: str) -> None:
    """What a platform cannot express stands in its README, quotas among it."""
    (result,) = write_forms(tmp_path, kit, [name])
    text = (tmp_path / name / "README.txt").read_text(encoding="utf-8")
    for what, do in result.limits:
        assert f"- {what}: {do}" in text
    assert any("quotas" in what for what, _ in result.limits)
    assert any("one form, once" in what for what, _ in result.limits)
    assert all(path.exists() for path in result.files)


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


def test_same_bytes(make_survey: Callable[..., Any], tmp_path: Path) -> None:
    """The same survey gives the same files."""
    for folder in ("one", "two"):
        write_forms(tmp_path / folder, make_survey(), PLATFORMS)
    assert written(tmp_path / "one") == written(tmp_path / "two")


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


def test_steps(kit: Any) -> None:
    """A form has instructions where the kind changes, and one check half-way."""
    kinds = [type(step) for step in kit.steps(kit.sheets[0])]
    assert kinds == [Instruction, Item, Instruction, Item, Check, Instruction, Item]
    assert [type(step) for step in kit.steps(kit.sheets[1])] == [Instruction, Item, Check]


def test_intro_counts_what_is_asked(kit: Any) -> None:
    """The number of questions includes those about the respondent and the check."""
    assert kit.sheets[0].intro == "About crafts: 5 questions."
    assert kit.sheets[1].intro == "About crafts: 3 questions."


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


def test_without_quotas(make_survey: Callable[..., Any], tmp_path: Path) -> None:
    """Without quotas nothing is asked about the respondent, on any platform."""
    write_forms(tmp_path, make_survey(quotas={}), PLATFORMS)
    assert not any(row["option"] == "east" for row in rows(tmp_path / "codes.csv"))
    assert "respondent" not in (tmp_path / "limesurvey/f01.txt").read_text(encoding="utf-8")
