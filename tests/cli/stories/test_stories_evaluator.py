"""`curate evaluate stories evaluators`, `passages` and `agreement`: choosing the evaluator."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

STORIES = ("evaluate", "stories")
SCORES = """\
model,group_by,group,accuracy_amb,accuracy_dis,diff_bias_amb,diff_bias_dis,out_of_choice_ratio
small,overall,,0.5,0.5,0.2,0.1,0.02
small,prompt,1,0.5,0.6,0.2,0.1,0.03
small,prompt,2,0.5,0.4,0.2,0.1,
large,overall,,0.9,0.8,-0.05,0.1,0
large,prompt,1,0.9,0.9,-0.05,0.1,0
large,prompt,2,,0.7,-0.05,0.1,0
"""


@pytest.fixture(autouse=True)
def _time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")


def test_evaluators_are_ranked(curate: Any, tmp_path: Path, table: Any) -> None:
    """Models with prompts, by accuracy and bias; undefined ones last."""
    scores = tmp_path / "scores.csv"
    scores.write_text(SCORES, encoding="utf-8")
    out = tmp_path / "ranked.csv"
    ran = curate(*STORIES, "evaluators", "--scores", scores, "--out", out, "--json")
    assert (ran.code, ran.err) == (0, "")
    found = [(row["rank"], row["model"], row["prompt"]) for row in ran.json["rows"]]
    assert found == [(1, "large", "1"), (2, "small", "1"), (3, "small", "2"), (None, "large", "2")]
    first = ran.json["rows"][0]
    assert (first["accuracy"], first["bias"], first["out_of_choice_ratio"]) == (0.9, 0.075, 0.0)
    rows = table(out)
    assert [row["rank"] for row in rows] == ["1", "2", "3", ""]
    shown = curate(*STORIES, "evaluators", "--scores", scores).out
    rows = [line.split() for line in shown.partition("\n\n")[0].splitlines()]
    assert [row[0] for row in rows if row[0] in ("large", "small")] == [
        *("large", "small", "small", "large")
    ]
    assert rows[-1][:2] == ["large", "2"]
    assert "undefined" in shown


def write_requests(path: Path) -> Path:
    """Write what an evaluator is asked about twelve passages of two models."""
    path.parent.mkdir(parents=True, exist_ok=True)
    roles = ["BCU", "CUB", "UBC"]
    lines = [
        {
            "request_id": f"craft-{at:03d}-{model}",
            "model": model,
            "template_id": f"craft-{at:03d}",
            "story": f"Story {at} by somebody.",
            "asked": "Who hums?",
            "choices": [f"choice {role}" for role in roles[at % 3]],
            "roles": list(roles[at % 3]),
            "messages": [{"role": "user", "content": "..."}],
        }
        for model in ("m", "n")
        for at in range(6)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def asked(workspace: Path) -> Path:
    """The requests in their usual place."""
    return write_requests(workspace / "exports" / "story_readings" / "requests.jsonl")


def hand_out(curate: Any, workspace: Path, *readers: str) -> list[Path]:
    """Make workbooks of eight passages."""
    options = [part for name in readers for part in ("--reader", name)]
    ran = curate(*STORIES, "passages", "-w", workspace, *options, "--count", "8", "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["passages"], ran.json["seed"]) == (8, 42)
    return [Path(item["file"]) for item in ran.json["sheets"]]


def fill(path: Path, roles: Mapping[int, str]) -> list[str]:
    """Answer passages by their numbers with the choice of a role; gives the requests."""
    book = load_workbook(path)
    sheet = book["passages"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    names = []
    for row in range(2, sheet.max_row + 1):
        number = int(str(sheet.cell(row, columns["number"]).value))
        names.append(str(sheet.cell(row, 1).value))
        if number in roles:
            wanted = f"choice {roles[number]}"
            letter = next(x for x in "ABC" if sheet.cell(row, columns[x]).value == wanted)
            sheet.cell(row, columns["answer"]).value = letter
    book.save(path)
    return names


MINA = dict(enumerate("BBBBCCUU", start=1))
JUN = dict(enumerate("BBBCCCUU", start=1))


def test_readers_and_the_evaluator_are_held_against_each_other(
    curate: Any, workspace: Path, asked: Path, table: Any, tmp_path: Path
) -> None:
    """Cohen's kappa by hand: 7 of 8 agree, by chance 22 of 64 would: (56 - 22) / (64 - 22)."""
    mina, jun = hand_out(curate, workspace, "Mina", "Jun")
    assert [path.name for path in (mina, jun)] == ["passages-Mina.xlsx", "passages-Jun.xlsx"]
    names = fill(mina, MINA)
    assert fill(jun, JUN) == names
    readings = tmp_path / "readings.csv"
    with readings.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("request_id", "evaluator", "reading"))
        writer.writerows((name, "judge", MINA[at]) for at, name in enumerate(names[:6], start=1))
        writer.writerow((names[6], "judge", "out_of_choice"))
    command = (*STORIES, "agreement", "-w", workspace)
    ran = curate(*command, mina, jun, "--readings", readings, "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["passages"], ran.json["evaluator"]) == (8, "judge")
    assert ran.json["read"] == {"Jun": 8, "Mina": 8, "judge": 7}
    people, with_jun, with_mina = ran.json["pairs"]
    assert (people["first"], people["second"], people["agree"]) == ("Jun", "Mina", 7)
    # Mina 4 B, 2 C, 2 U; Jun 3 B, 3 C, 2 U.
    assert people["kappa"]["value"] == pytest.approx((7 / 8 - 22 / 64) / (1 - 22 / 64), abs=1e-6)
    assert (with_mina["agree"], with_mina["kappa"]["units"]) == (6, 7)
    # judge 4 B, 2 C, 1 out of choice; Mina 4 B, 2 C, 1 U of these seven.
    assert with_mina["kappa"]["value"] == pytest.approx((6 / 7 - 20 / 49) / (1 - 20 / 49), abs=1e-6)
    assert with_mina["confusion"]["U"]["out_of_choice"] == 1
    assert with_jun["agree"] == 5
    rows = table(workspace / "annotations" / "stories_readers.csv")
    assert len(rows) == 16
    assert {row["reader"] for row in rows} == {"Mina", "Jun"}
    again = curate(*command)
    assert again.code == 0
    assert "Jun - Mina" in again.out
    assert "0.810" in again.out


def test_one_reader_alone_has_no_kappa(curate: Any, workspace: Path, asked: Path) -> None:
    """Nor has a pair that gave one answer alone."""
    mina, jun = hand_out(curate, workspace, "Mina", "Jun")
    fill(mina, dict.fromkeys(range(1, 9), "B"))
    fill(jun, dict.fromkeys(range(1, 9), "B"))
    ran = curate(*STORIES, "agreement", "-w", workspace, mina, "--json")
    assert ran.json["pairs"] == []
    ran = curate(*STORIES, "agreement", "-w", workspace, jun)
    assert "undefined" in ran.out
    assert "only one label was used, so agreement by chance is already complete" in ran.out


def test_an_answer_that_is_none_is_marked(curate: Any, workspace: Path, asked: Path) -> None:
    """Nothing is written; an empty workbook is none either."""
    (mina,) = hand_out(curate, workspace, "Mina")
    ran = curate(*STORIES, "agreement", "-w", workspace, mina, "--json")
    assert ran.code == 1
    assert ran.json["findings"][0]["message"] == "Mina has answered no passage"
    fill(mina, MINA)
    book = load_workbook(mina)
    sheet = book["passages"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    sheet.cell(2, columns["answer"]).value = "both"
    book.save(mina)
    ran = curate(*STORIES, "agreement", "-w", workspace, mina, "--json")
    assert ran.code == 1
    assert [item["rule"] for item in ran.json["findings"]] == ["workbook-value-unknown"]
    assert Path(ran.json["marked"][0]).is_file()
    assert not (workspace / "annotations" / "stories_readers.csv").exists()
    ran = curate(*STORIES, "agreement", "-w", workspace)
    assert ran.code == 1
    assert "no reading by people was returned yet" in ran.err


def test_readings_of_other_passages_are_refused(
    curate: Any, workspace: Path, asked: Path, tmp_path: Path
) -> None:
    """The evaluator must have read what people read."""
    (mina,) = hand_out(curate, workspace, "Mina")
    fill(mina, MINA)
    readings = tmp_path / "readings.csv"
    readings.write_text("request_id,evaluator,reading\nother,judge,B\n", encoding="utf-8")
    ran = curate(*STORIES, "agreement", "-w", workspace, mina, "--readings", readings)
    assert ran.code == 1
    assert "judge read none of the passages that people read" in ran.err


def test_passages_need_requests(curate: Any, workspace: Path) -> None:
    """The step before is named."""
    ran = curate(*STORIES, "passages", "-w", workspace, "--reader", "Mina")
    assert ran.code == 1
    assert "make them with 'curate evaluate stories ask'" in ran.err
