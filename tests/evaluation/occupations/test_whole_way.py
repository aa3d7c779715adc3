"""Occupations from ratios to scores of people."""

import csv
import json
from pathlib import Path

import pytest

from curation.files.workspace import Workspace
from evaluation import occupations

GIVEN = Path(__file__).parents[2] / "scenarios" / "occupations" / "given"
FEMALE = {"nurse", "clerk"}


def table(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def leaning(options, group):
    return next(o for o in options if o != "unknown" and (o in FEMALE) == (group == "female"))


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "culture.yaml").write_text("culture: Nowhere\nlanguage: en\nunknown: Unknown\n")
    return folder


def test_people_are_asked_and_scored(work):
    """One leans wholly, one never knows; they answer different forms of the same pairs."""
    ws = Workspace(work)
    occupations.items(ws, "persona-gender", ratios=GIVEN / "real.csv", out=work / "asked")
    files = (work / "asked" / "items.csv", work / "asked" / "ratios.csv")
    occupations.survey(ws, files[0], per_form=4)
    forms = work / "exports" / "occupations" / "survey" / "forms"
    items = {item["item_id"]: item for item in table(files[0])}
    responses = []
    for number, form in enumerate(("f01", "f02")):
        row = {"respondent_id": f"p{number}", "form": form, "gender": "female", "age_band": "30-39"}
        for code in table(forms / "codes.csv"):
            if (code["platform"], code["form"]) != ("csv", form):
                continue
            item = items.get(code["question_id"])
            says = ""
            if item is not None:
                options = json.loads(item["options"])
                says = (leaning(options, item["group"]), "unknown")[number]
            if code["question_id"] == "attention" or code["text"] == says:
                row[code["column"]] = code["code"]
        path = work / f"{form}.csv"
        path.write_text(f"{','.join(row)}\n{','.join(row.values())}\n", encoding="utf-8")
        responses.append(path)
    mappings = [forms / "csv" / f"{form}.mapping.yaml" for form in ("f01", "f02")]
    found = occupations.score(ws, *files, responses=responses, mappings=mappings)
    (row,) = found.to_frame().to_dict("records")
    assert (row["n_replies"], row["n_items"], row["M_R"]) == (8, 8, 0.5)
    # four choices of the first, each of them one of two for its group: 4 x 1/2 over 4 occupations
    assert row["M_B"] == pytest.approx(0.5)


def test_the_ratios_of_the_toolkit_are_those_of_items_without_any(work):
    """Whoever has looked at them hands them on."""
    ws = Workspace(work)
    for name, ratios in (("own", occupations.ratios()), ("none", None)):
        occupations.items(ws, "persona-gender", ratios=ratios, out=work / name)
    for name in ("items.csv", "ratios.csv", "requests.jsonl"):
        assert (work / "own" / name).read_bytes() == (work / "none" / name).read_bytes()
