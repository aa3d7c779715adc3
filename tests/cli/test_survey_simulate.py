"""`curate survey simulate`."""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import evaluation.simulate
from curation.files.manifest import verify_manifest
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation.parsing import choice_letters

Line = dict[str, Any]
CONTRACT = ["model", "group_by", "group", "kind", "n", "out_of_choice", "exact_match", "mean_f1"]


def table(path: Path) -> list[dict[str, str]]:
    """Read a table without the toolkit's own reader."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def lines(path: Path) -> list[Line]:
    """Read JSON lines without the toolkit's own reader."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def requests_of(curate: Any, folder: Path, *options: object) -> list[Line]:
    """Prepare requests and read them."""
    assert curate("survey", "simulate", "--prepare", "-w", folder, *options).code == 0
    return lines(folder / "exports" / "simulate" / "requests.jsonl")


def reply(folder: Path, requests: list[Line], say: Callable[[Line], object], model: str) -> Path:
    """Write what a persona replies to every request that it has something to say to."""
    path = folder / f"{model}.jsonl"
    said = [(item, say(item)) for item in requests]
    path.write_text(
        "".join(
            json.dumps({"request_id": item["request_id"], "model": model, "reply": text}) + "\n"
            for item, text in said
            if text is not None
        ),
        encoding="utf-8",
    )
    return path


def people(folder: Path) -> Mapping[str, set[str] | None]:
    """Work out from the counted files alone the texts that the people name; None for a tie."""
    found: dict[str, set[str] | None] = {}
    targets = {
        (row["stereotype"], row["group"])
        for row in table(folder / "responses" / "targets.csv")
        if (row["kind"], row["role"]) == ("select_all", "target")
    }
    rows: dict[str, list[dict[str, str]]] = {}
    for row in table(folder / "responses" / "tallies.csv"):
        rows.setdefault(row["question_id"], []).append(row)
    for name, options in rows.items():
        if options[0]["kind"] == "choice":
            most = max(int(row["votes"]) for row in options)
            top = [row["text"] for row in options if int(row["votes"]) == most]
            found[name] = set(top) if len(top) == 1 else None
        elif options[0]["kind"] == "select_all":
            found[name] = {
                row["text"] for row in options if (row["stereotype"], row["text"]) in targets
            }
    return found


def letters(request: Line, texts: set[str] | None) -> str:
    """Write texts as letters; the last option where there is none."""
    letters = dict(zip(request["choices"], choice_letters(99), strict=False))
    wanted = texts or {request["choices"][-1]}
    return ", ".join(sorted(letters[text] for text in wanted))


def overall(rows: list[Line], kind: str) -> Line:
    """Find the row over all categories."""
    (found,) = (row for row in rows if (row["group_by"], row["kind"]) == ("overall", kind))
    return found


def test_every_question_of_the_demo_becomes_a_request(curate: Any, demo: Path) -> None:
    """30 questions, none of them of comprehension; the file has a manifest."""
    ran = curate("survey", "simulate", "--prepare", "-w", demo, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["requests"] == 30
    assert ran.json["questions"] == {"choice": 23, "select_all": 7}
    requests = lines(demo / "exports" / "simulate" / "requests.jsonl")
    asked = {
        row["question_id"]
        for row in table(demo / "responses" / "questionnaire.csv")
        if row["kind"] != "comprehension"
    }
    assert {item["question_id"] for item in requests} == asked
    assert all(item["request_id"] == f"{item['question_id']}-p1" for item in requests)
    assert all(item["choices"][-1] == "그런 고정관념은 없다" for item in requests)
    assert verify_manifest(demo / "exports" / "simulate") == []
    again = curate("survey", "simulate", "--prepare", "-w", demo)
    assert again.out.startswith("30 requests in ")
    assert lines(demo / "exports" / "simulate" / "requests.jsonl") == requests


def test_wordings_and_seed_are_settings(curate: Any, demo: Path, tmp_path: Path) -> None:
    """More wordings ask the same questions again; a file of one's own is written where named."""
    first = requests_of(curate, demo)
    assert len(requests_of(curate, demo, "--prompts", 3)) == 90
    other = requests_of(curate, demo, "--seed", 7)
    assert [item["choices"] for item in other] != [item["choices"] for item in first]
    out = tmp_path / "deep" / "asked.jsonl"
    assert curate("survey", "simulate", "--prepare", "-w", demo, "--out", out).code == 0
    assert lines(out) == first
    assert list(out.parent.iterdir()) == [out]


def test_the_oracle_scores_one(curate: Any, filtered: Path) -> None:
    """Who answers as the people did has 1.0 and 1.0, overall and in every category."""
    truth = people(filtered)
    requests = requests_of(curate, filtered, "--prompts", 2)
    path = reply(
        filtered, requests, lambda item: letters(item, truth[item["question_id"]]), "oracle"
    )
    ran = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json")
    assert (ran.code, ran.err) == (0, "")
    rows = ran.json["rows"]
    assert [list(row)[:8] for row in rows] == [CONTRACT] * len(rows)
    ties = sum(value is None for value in truth.values())
    assert overall(rows, "choice")["n"] == 2 * (23 - ties)
    assert overall(rows, "choice")["ties"] == ties
    assert overall(rows, "select_all")["n"] == 14
    for row in rows:
        assert (row["exact_match"], row["exact_match_high"], row["out_of_choice"]) == (1, 1, 0)
        assert 0.2 < row["exact_match_low"] < 0.95  # few questions do not show that all are right
        assert row["mean_f1"] == (1 if row["kind"] == "select_all" else None)
    assert ran.json["models"][0]["complete"] is True


def test_a_notebook_finds_the_same_scores(curate: Any, filtered: Path) -> None:
    """The functions give what the command shows; a table has numbers in place of None."""
    workspace = Workspace(filtered)
    made = evaluation.simulate.prepare(workspace, 2)
    assert (made.requests, made.questions) == (60, {"choice": 23, "select_all": 7})
    path = reply(filtered, lines(made.file), lambda _: "A", "first")
    shown = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json").json["rows"]
    frame = evaluation.simulate.simulate(workspace, [path]).to_frame()
    assert frame["exact_match"].tolist() == [row["exact_match"] for row in shown]
    assert (str(frame["n"].dtype), str(frame["mean_f1"].dtype)) == ("int64", "float64")
    with pytest.raises(CurateError, match="there are 3 wordings, and not 4"):
        evaluation.simulate.prepare(workspace, 4)


def test_who_always_takes_the_first_has_the_score_of_the_orders(
    curate: Any, filtered: Path
) -> None:
    """Accuracy and F1 follow from the first option of each request and the people's answers."""
    truth = people(filtered)
    requests = requests_of(curate, filtered)
    path = reply(filtered, requests, lambda _: "A", "first")
    rows = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json").json["rows"]
    right, values = [], []
    for item in requests:
        wanted = truth[item["question_id"]]
        if len(item["choices"]) == 3:
            if wanted is not None:
                right.append(item["choices"][0] in wanted)
        else:
            assert wanted is not None
            values.append(2 / (1 + len(wanted)) if item["choices"][0] in wanted else 0)
    assert overall(rows, "choice")["exact_match"] == pytest.approx(
        sum(right) / len(right), abs=1e-6
    )
    assert overall(rows, "select_all")["mean_f1"] == pytest.approx(sum(values) / 7, abs=1e-6)


def test_who_refuses_is_undefined_and_counted(curate: Any, filtered: Path) -> None:
    """Null scores and a ratio of 1; the printed table says so in words."""
    path = reply(filtered, requests_of(curate, filtered), lambda _: "답할 수 없습니다", "refuser")
    rows = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json").json["rows"]
    for row in rows:
        assert (row["n"], row["exact_match"], row["mean_f1"]) == (0, None, None)
        assert row["out_of_choice_ratio"] == 1
    shown = curate("survey", "simulate", "--replies", path, "-w", filtered)
    assert "undefined" in shown.out
    assert "30 of 30 requests answered, 30 out-of-choice." in shown.out


def test_scores_and_readings_are_written_with_a_manifest(
    curate: Any, filtered: Path, tmp_path: Path
) -> None:
    """The tables hold what --json prints, undefined is empty; the same input, the same bytes."""
    requests = requests_of(curate, filtered)
    paths = [
        reply(filtered, requests, lambda _: "A", "=first"),
        reply(filtered, requests, lambda _: "hm", "refuser"),
    ]
    call = ["survey", "simulate", "-w", filtered]
    for path in paths:
        call += ["--replies", path]
    out = tmp_path / "scores"
    ran = curate(*call, "--out", out, "--json")
    written = table(out / "scores.csv")
    assert list(written[0])[:8] == CONTRACT
    for row, cells in zip(ran.json["rows"], written, strict=True):
        assert cells["n"] == str(row["n"])
        for key in ("exact_match", "mean_f1", "mean_f1_high"):
            assert cells[key] == "" if row[key] is None else float(cells[key]) == row[key]
    readings = table(out / "readings.csv")
    assert len(readings) == 60
    assert {row["choice"] for row in readings} == {"A", ""}
    assert readings[0]["model"] == "'=first"  # a spreadsheet must not run it
    assert verify_manifest(out) == []
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert curate(*call, "--out", out).code == 0
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_scores_beside_the_requests_leave_them_there(curate: Any, filtered: Path) -> None:
    """A folder that --prepare wrote may hold the scores too."""
    path = reply(filtered, requests_of(curate, filtered), lambda _: "A", "first")
    out = filtered / "exports" / "simulate"
    ran = curate("survey", "simulate", "--replies", path, "-w", filtered, "--out", out)
    assert ran.code == 0
    assert {item.name for item in out.iterdir()} == {
        *("requests.jsonl", "scores.csv", "pairs.csv", "readings.csv", "manifest.json")
    }
    assert verify_manifest(out) == []


def test_an_incomplete_set_says_so(curate: Any, filtered: Path) -> None:
    """A torn line, a second reply, unknown ids and missing requests are counted and named."""
    requests = requests_of(curate, filtered)
    path = reply(filtered, requests[:20], lambda _: "A", "m")
    with path.open("a", encoding="utf-8") as stream:
        for name in (requests[0]["request_id"], "q-nothing-p1"):
            stream.write(json.dumps({"request_id": name, "model": "m", "reply": "B"}) + "\n")
        stream.write('{"request_id": "q-')
    ran = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json")
    assert ran.code == 1
    rules = {item["rule"]: item["message"] for item in ran.json["findings"]}
    assert {"jsonl-torn-line", "replies-second", "simulate-unknown-request"} < set(rules)
    assert "10 of 30 requests have no reply" in rules["simulate-missing"]
    assert "incomplete set" in rules["simulate-missing"]
    (model,) = ran.json["models"]
    assert (model["complete"], len(model["missing"])) == (False, 10)
    assert model["unknown"] == ["q-nothing-p1"]
    assert sum(row["missing"] for row in ran.json["rows"] if row["group_by"] == "overall") <= 10
    shown = curate("survey", "simulate", "--replies", path, "-w", filtered)
    assert "incomplete set" in shown.out


def test_a_bad_line_is_an_error_beside_the_scores(curate: Any, filtered: Path) -> None:
    """What can be scored is, and the exit status says that something was refused."""
    path = reply(filtered, requests_of(curate, filtered), lambda _: "A", "m")
    path.write_text("nonsense\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    ran = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json")
    assert ran.code == 1
    assert overall(ran.json["rows"], "select_all")["n"] == 7
    assert [item["rule"] for item in ran.json["findings"]] == ["jsonl-line"]


def test_the_requests_are_found_or_named(curate: Any, filtered: Path, tmp_path: Path) -> None:
    """Beside the replies first, then in the exports; without any, what makes them is said."""
    path = filtered / "replies.jsonl"
    path.write_text('{"request_id": "x", "model": "m", "reply": "A"}\n', encoding="utf-8")
    none = curate("survey", "simulate", "--replies", path, "-w", filtered)
    assert none.code == 1
    assert "there are no requests" in none.err
    assert "--prepare" in none.err
    requests = requests_of(curate, filtered)
    used = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json").json
    assert used["requests"] == str(filtered / "exports" / "simulate" / "requests.jsonl")
    beside = filtered / "requests.jsonl"
    beside.write_text(json.dumps(requests[0]) + "\n", encoding="utf-8")
    used = curate("survey", "simulate", "--replies", path, "-w", filtered, "--json").json
    assert (used["requests"], used["models"][0]["requests"]) == (str(beside), 1)
    named = tmp_path / "elsewhere.jsonl"
    assert curate("survey", "simulate", "--prepare", "-w", filtered, "--out", named).code == 0
    used = curate(
        *("survey", "simulate", "--replies", path, "--requests", named, "-w", filtered, "--json")
    ).json
    assert used["models"][0]["requests"] == 30


def test_counts_alone_can_be_asked_about(curate: Any, filtered: Path) -> None:
    """Without a questionnaire the questions of the last filter are those of the survey."""
    before = requests_of(curate, filtered)
    (filtered / "responses" / "questionnaire.csv").unlink()
    assert requests_of(curate, filtered) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "say either --prepare or --replies"),
        (("--prepare", "--replies", "x"), "say either --prepare or --replies"),
        (("--prepare", "--requests", "x"), "--requests does not go with --prepare"),
        (("--replies", "x", "--prompts", "2"), "--prompts does not go with --replies"),
        (("--replies", "x", "--wording", "x"), "--wording does not go with --replies"),
        (("--prepare", "--prompts", "9"), "there are 3 wordings"),
        (("--prepare", "--prompts", "0"), "--prompts"),
    ],
)
def test_wrong_usage_is_refused(
    curate: Any, demo: Path, options: tuple[str, ...], message: str
) -> None:
    """Exit status 2, and what to say instead."""
    ran = curate("survey", "simulate", "-w", demo, *options)
    assert ran.code == 2
    assert message in ran.err


def test_what_is_not_there_is_said(curate: Any, demo: Path, tmp_path: Path) -> None:
    """No workspace, no survey, no counts, no replies: one error each, and what to do."""
    call = ("survey", "simulate", "-w")
    nowhere = curate(*call, tmp_path / "nowhere", "--prepare")
    assert nowhere.code == 1
    uncounted = curate(*call, demo, "--replies", "x.jsonl")
    assert (uncounted.code, "curate filter" in uncounted.err) == (1, True)
    requests_of(curate, demo)
    survey = str(demo / "responses" / "responses.csv")
    curate("filter", "-w", demo, "--survey", survey)
    missing = curate(*call, demo, "--replies", tmp_path / "x.jsonl")
    assert (missing.code, "there is no file x.jsonl" in missing.err) == (1, True)
    (demo / "responses" / "questionnaire.csv").unlink()
    (demo / "responses" / "tallies.csv").unlink()
    unasked = curate(*call, demo, "--prepare")
    assert (unasked.code, "curate survey build" in unasked.err) == (1, True)


def test_a_file_is_no_folder_for_scores(curate: Any, filtered: Path, tmp_path: Path) -> None:
    """--out names a folder here."""
    path = reply(filtered, requests_of(curate, filtered), lambda _: "A", "m")
    ran = curate("survey", "simulate", "--replies", path, "-w", filtered, "--out", path)
    assert (ran.code, "is not a folder" in ran.err) == (1, True)


def test_changed_questions_are_refused(curate: Any, filtered: Path) -> None:
    """Requests about options that the survey no longer has cannot be scored."""
    path = reply(filtered, requests_of(curate, filtered), lambda _: "A", "m")
    file = filtered / "responses" / "questionnaire.csv"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("target,노인\n", "target,어르신\n"), encoding="utf-8")
    ran = curate("survey", "simulate", "--replies", path, "-w", filtered)
    assert ran.code == 1
    assert "shows options that" in ran.err
    assert "--prepare" in ran.err
