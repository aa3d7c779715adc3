"""Settings of the survey that were changed after its decisions were made."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

Curate = Callable[..., Any]


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
