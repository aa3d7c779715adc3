"""`curate evaluate occupations`: what a panel company gives back for each form is scored."""

import csv
import json
from pathlib import Path

import pytest

GIVEN = Path(__file__).parents[1] / "scenarios" / "occupations" / "given"


def table(path):
    """Read a table without the toolkit's own reader."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def leaning(item):
    """Choose as the stereotype has it."""
    side = ("nurse", "clerk") if item["group"] == "female" else ("cook", "guard")
    return next(name for name in json.loads(item["options"]) if name in side)


def test_answers_are_read_by_the_mappings_of_the_forms(curate, workspace):
    """One leans wholly, one never knows."""
    asked, command = workspace / "asked", ("evaluate", "occupations")
    options = ("--task", "persona-gender", "--ratios", GIVEN / "real.csv", "--out", asked)
    assert curate(*command, "items", *options).code == 0
    files = ("-w", workspace, "--items", asked / "items.csv", "--ratios", asked / "ratios.csv")
    forms = curate(*command, "survey", *files, "--per-form", 4, "--json").json["forms"]
    assert forms == {"f01": 4, "f02": 4}
    folder = workspace / "exports" / "occupations" / "survey" / "forms"
    items = {item["item_id"]: item for item in table(asked / "items.csv")}
    given: list[object] = []
    for number, form in enumerate(("f01", "f02")):
        row = {"respondent_id": f"p{number}", "form": form, "gender": "female", "age_band": "30-39"}
        for code in table(folder / "codes.csv"):
            if (code["platform"], code["form"]) != ("csv", form):
                continue
            name = code["question_id"]
            says = (leaning(items[name]), "unknown")[number] if name in items else ""
            if name == "attention" or code["text"] == says:
                row[code["column"]] = code["code"]
        path = workspace / f"{form}.csv"
        path.write_text(f"{','.join(row)}\n{','.join(row.values())}\n", encoding="utf-8")
        given += ["--responses", path, "--mapping", folder / "csv" / f"{form}.mapping.yaml"]
    ran = curate(*command, "score", *files, *given, "--json")
    assert ran.code == 0, ran.err
    (row,) = ran.json["rows"]
    assert (row["n_replies"], row["n_items"], row["M_R"]) == (8, 8, 0.5)
    # four choices of the first, each of them one of two for its group: 4 x 1/2 over 4 occupations
    assert row["M_B"] == pytest.approx(0.5)
    assert ran.json["people"] == {"respondents": 2, "left_out": 0}
