"""Settings of the survey that were changed after its decisions were made."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Curate = Callable[..., Any]
COMMANDS = {
    "check": ("check",),
    "stats": ("stats",),
    "samples": ("export", "samples"),
    "bank": ("export", "bank"),
}
SHARE = "survey.stereotype_share: the decisions were made with another value, 2/3 → 7/10"


def change(workspace: Path, setting: str) -> None:
    """Write a setting of the survey."""
    path = workspace / "culture.yaml"
    path.write_text(
        path.read_text("utf-8").replace("survey:\n", f"survey:\n  {setting}\n", 1), "utf-8"
    )


def said(curate: Curate, workspace: Path, *command: str) -> list[str]:
    """Give what a command says of settings."""
    found = curate(*command, "-w", workspace, "--json").json["findings"]
    return [item["message"] for item in found if item["rule"] == "settings-changed"]


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_changed_threshold_is_said_until_the_filter_runs_again(
    curate: Curate, filtered: Path, command: tuple[str, ...]
) -> None:
    """What is decided stands, and what to do is said."""
    assert said(curate, filtered, *command) == []
    change(filtered, "stereotype_share: 7/10")
    assert said(curate, filtered, *command) == [SHARE]
    ran = curate(*command, "-w", filtered)
    assert ran.code == 0
    assert SHARE in ran.out + ran.err
    assert "run 'curate filter' again with the survey's files" in ran.out + ran.err
    survey = filtered / "responses" / "responses.csv"
    assert curate("filter", "-w", filtered, "--survey", survey).code == 0
    assert said(curate, filtered, *command) == []


@pytest.mark.parametrize("without_manifest", [True, False])
@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("stereotype_share: 7/10", SHARE),
        ("no_stereotype_limit: 0.4", "survey.no_stereotype_limit: {}, 1/2 → 2/5"),
        ("comprehension_share: 2/3", "survey.comprehension_share: {}, 1/2 → 2/3"),
        ("target_multiple: 3", "survey.target_multiple: {}, 2 → 3"),
        ("non_target_multiple: 1/3", "survey.non_target_multiple: {}, 1/2 → 1/3"),
    ],
)
def test_every_threshold_is_told_apart(
    curate: Curate, filtered: Path, setting: str, message: str, *, without_manifest: bool
) -> None:
    """From the last filter's manifest, or from the ledger where that is gone."""
    change(filtered, setting)
    if without_manifest:
        shutil.rmtree(filtered / "exports")
    wanted = message.format("the decisions were made with another value")
    assert said(curate, filtered, "check") == [wanted]


def test_the_least_number_of_respondents_is_a_threshold(curate: Curate, filtered: Path) -> None:
    """It is written as the number that it is."""
    path = filtered / "culture.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("min_respondents: 30", "min_respondents: 20"), "utf-8")
    wanted = "survey.min_respondents: the decisions were made with another value, 30 → 20"
    assert said(curate, filtered, "check") == [wanted]
    shutil.rmtree(filtered / "exports")
    assert said(curate, filtered, "check") == [wanted]


def test_a_threshold_of_one_run_is_not_the_one_that_is_written(
    curate: Curate, filtered: Path
) -> None:
    """An option of the filter decided, and the settings say otherwise."""
    survey = filtered / "responses" / "responses.csv"
    args = ("--survey", survey, "--stereotype-share", "0.7", "--exclude", "partial")
    assert curate("filter", "-w", filtered, *args).code == 0
    assert said(curate, filtered, "stats") == [
        "survey.stereotype_share: the decisions were made with another value, 7/10 → 2/3",
        "survey.exclude: the decisions were made with another value, partial → screened_out, "
        "attention",
    ]


def test_what_decides_nothing_is_free(curate: Curate, filtered: Path) -> None:
    """Margins weight what is shown beside the decisions."""
    change(filtered, "margins: {gender: {female: 0.5, male: 0.5}}")
    assert said(curate, filtered, "check") == []


def test_decisions_on_questions_of_an_earlier_survey_say_nothing(
    curate: Curate, filtered: Path
) -> None:
    """They decide no template any more."""
    shutil.rmtree(filtered / "exports")
    with (filtered / "decisions.csv").open("a", encoding="utf-8") as stream:
        stream.write("q-old,survey,two_thirds,keep,,9,10,0.9,0.8,0.1,0.6,1,false,x,2026-01-01\n")
    assert said(curate, filtered, "check") == []


def test_a_manifest_of_settings_that_are_none_is_refused(curate: Curate, filtered: Path) -> None:
    """It is said which file, and how to get a good one."""
    path = filtered / "exports" / "filter" / "manifest.json"
    path.write_text(path.read_text("utf-8").replace('"2/3"', '"most"'), "utf-8")
    ran = curate("stats", "-w", filtered)
    assert ran.code == 1
    assert "thresholds that this version does not know" in ran.err
    assert "manifest.json" in ran.err
