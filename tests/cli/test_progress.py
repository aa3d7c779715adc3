"""How far a long command is, as it is told on a terminal."""

import pytest
from benchmark import benchmark, write_replies, write_samples

Told = dict[str, list[tuple[int, int]]]


def steps(total):
    """What is told of a work of so many parts."""
    return [(done, total) for done in range(total + 1)]


@pytest.fixture
def told(monkeypatch):
    """What commands tell, by what it is told of."""
    found: Told = {}

    def tell(what, done, total):
        found.setdefault(what, []).append((done, total))

    for module in ("survey.cli.build", "survey.cli.report", "evaluation.cli.scoring"):
        monkeypatch.setattr(f"{module}.progress_of_each", lambda: tell)
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


@pytest.fixture
def asked(curate, tmp_path):
    """Options that name samples and replies."""
    (tmp_path / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: Not known\n")
    samples, requests, replies = (
        tmp_path / name for name in ("samples.csv", "requests.jsonl", "replies.jsonl")
    )
    write_samples(samples, benchmark())
    where = ["-w", tmp_path, "--samples", samples, "--prompt", "1"]
    assert curate("evaluate", "prepare", *where, "--out", requests).code == 0
    for model in ("one", "two"):
        write_replies(replies, requests, lambda _: "A", model)
    return [*where, "--replies", replies]


def test_scoring_counts_steps_and_models(curate, asked, told):
    """What is read first, then each model."""
    assert curate("evaluate", "score", *asked).code == 0
    assert told == {
        "Steps of the reading": steps(3),
        "Replies counted, intervals computed": steps(1),
        "Models scored": steps(2),
    }
