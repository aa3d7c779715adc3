"""How far a long command is, as it is told on a terminal."""

import pytest


def steps(total):
    """What is told of a work of so many parts."""
    return [(done, total) for done in range(total + 1)]


@pytest.fixture
def told(monkeypatch):
    found = {}

    def tell(what, done, total):
        found.setdefault(what, []).append((done, total))

    monkeypatch.setattr("curation.cli.terminal.progress_of_each", lambda: tell)
    return found


def test_building_a_survey_counts_forms(curate, demo, told):
    """Of each platform; a workbook, which is laid out and then saved, has twice as many steps."""
    names = "workbook,csv,qualtrics,limesurvey,label_studio"
    ran = curate("survey", "build", "-w", demo, "--replace", "--format", names, "--json")
    assert ran.code == 0
    forms = len(ran.json["forms"])
    for name in ("Qualtrics", "LimeSurvey", "Label Studio"):
        assert told.pop(f"Forms for {name}") == steps(forms)
    assert told.pop("Steps of the workbook") == [*steps(2 * forms)[: forms + 1], (2 * forms,) * 2]
    assert len(told) == 5
    assert all(name.startswith("Mappings for ") for name in told)
    assert all(item == steps(forms) for item in told.values())
