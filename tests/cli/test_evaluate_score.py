"""`curate evaluate prepare` and `score`: the whole way with personas, and what is refused."""

import csv
import json

import pytest
from benchmark import benchmark, write_replies, write_samples

from curation.files.manifest import verify_manifest
from evaluation.qa.score import SCORE_COLUMNS

CONTRACT = list(SCORE_COLUMNS[:12])


@pytest.fixture
def asked(curate, tmp_path):
    """A workspace with samples, and the requests about them."""
    (tmp_path / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: Not known\n")
    write_samples(tmp_path / "samples.csv", benchmark())
    ran = curate(
        *("evaluate", "prepare", "-w", tmp_path, "--samples", tmp_path / "samples.csv"),
        *("--prompt", "1", "--prompt", "3", "--out", tmp_path / "requests.jsonl"),
    )
    assert ran.code == 0, ran.err
    return tmp_path


def by_id(samples):
    """Give samples by id."""
    return {item.sample_id: item for item in samples}


def always(kind):
    """Make a model that names the biased answer, the right one or the unknown one."""
    samples = by_id(benchmark())

    def answer(request):
        sample = samples[request["sample_id"]]
        choices = request["choices"]
        wanted = {"biased": sample.biased_answer, "right": sample.answer}.get(kind)
        if wanted in choices:
            return "ABC"[choices.index(wanted)]
        unknown = next(text for text in choices if text not in sample.choices[:2])
        return f"({'ABC'[choices.index(unknown)].lower()})"

    return answer


def score(curate, folder, *options):
    """Score the folder's replies."""
    return curate(
        *("evaluate", "score", "-w", folder, "--samples", folder / "samples.csv"),
        *("--prompt", "1", "--prompt", "3", "--replies", folder / "replies.jsonl", *options),
    )


def test_prepare_counts_what_it_wrote(curate, tmp_path):
    """24 samples x 5 prompts x 3 orders."""
    (tmp_path / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: Not known\n")
    samples = write_samples(tmp_path / "s.jsonl", benchmark())
    found = curate("evaluate", "prepare", "-w", tmp_path, "--samples", samples, "--json").json
    assert found["requests"] == 24 * 5 * 3
    assert found["prompts"] == ["1", "2", "3", "4", "5"]
    assert found["orders"] == "cyclic"
    target = tmp_path / "exports" / "evaluation" / "requests.jsonl"
    assert found["file"] == str(target)
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert len({line["request_id"] for line in lines}) == 24 * 5 * 3
    assert list(lines[0]) == [
        *("request_id", "sample_id", "prompt_id", "order", "messages", "choices"),
    ]


def test_shards_are_disjoint_and_complete(curate, asked):
    """Whatever their number."""
    whole = (asked / "requests.jsonl").read_text("utf-8").splitlines()
    parts = []
    for part in ("1/3", "2/3", "3/3"):
        out = asked / "part.jsonl"
        ran = curate(
            *("evaluate", "prepare", "-w", asked, "--samples", asked / "samples.csv"),
            *("--prompt", "1", "--prompt", "3", "--shard", part, "--out", out),
        )
        assert ran.code == 0, ran.err
        parts.append(out.read_text("utf-8").splitlines())
    assert sorted(line for part in parts for line in part) == sorted(whole)
    assert all(20 < len(part) < 80 for part in parts)


def test_a_limit_draws_samples_with_all_their_requests(curate, asked):
    """The same for the same seed."""
    out = asked / "few.jsonl"
    options = ("--limit", 4, "--seed", 7, "--prompt", "2", "--out", out)
    samples = ("--samples", asked / "samples.csv")
    assert curate("evaluate", "prepare", "-w", asked, *samples, *options).code == 0
    first = out.read_text("utf-8")
    ids = [json.loads(line)["sample_id"] for line in first.splitlines()]
    assert len(ids) == 12 and len(set(ids)) == 4
    assert curate("evaluate", "prepare", "-w", asked, *samples, *options).code == 0
    assert out.read_text("utf-8") == first


def test_without_samples_it_says_how_to_export_them(curate, tmp_path):
    """Naming the set."""
    (tmp_path / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: Not known\n")
    ran = curate("evaluate", "prepare", "-w", tmp_path, "--set", "all")
    assert ran.code == 1
    assert "no file of samples is named or exported" in ran.err
    assert "curate export samples --set all" in ran.err


@pytest.mark.parametrize(
    ("shard", "message"),
    [("0/3", "'0/3' names no part"), ("4/3", "there is no part 4/3"), ("1", "'1' names no part")],
)
def test_a_wrong_shard_is_refused(curate, asked, shard, message):
    """With an example of a right one."""
    ran = curate(
        *("evaluate", "prepare", "-w", asked, "--samples", asked / "samples.csv"),
        *("--shard", shard),
    )
    assert ran.code in (1, 2)
    assert message in ran.err


PERSONAS = {
    "right": [1, 1, 0, 0, 0, 0],
    "biased": [0, 0.5, 1, 1, 1, 1],
    "unknown": [1, 0, 0, 0, 0, 0],
}


@pytest.mark.parametrize("name", PERSONAS)
def test_a_persona_has_its_known_scores(curate, asked, name):
    """From requests through replies to every row."""
    write_replies(asked / "replies.jsonl", asked / "requests.jsonl", always(name), name)
    found = score(curate, asked, "--json").json
    assert [list(row)[:12] for row in found["rows"]] == [CONTRACT] * len(found["rows"])
    for row in found["rows"]:
        assert row["model"] == name
        assert [row[column] for column in CONTRACT[6:]] == PERSONAS[name]
    whole = found["rows"][0]
    assert (whole["group_by"], whole["n_amb"], whole["n_dis"], whole["out_of_choice"]) == (
        *("overall", 72, 72, 0),
    )
    assert found["set"] == "test"
    assert sum(found["rules"][name].values()) == 144


def test_a_refuser_has_no_score(curate, asked):
    """Undefined, and counted."""
    write_replies(
        asked / "replies.jsonl", asked / "requests.jsonl", lambda _: "I would rather not say.", "no"
    )
    row = score(curate, asked, "--json").json["rows"][0]
    assert [row[column] for column in CONTRACT[6:]] == [None] * 6
    assert (row["n_amb"], row["n_dis"], row["out_of_choice"]) == (0, 0, 144)
    assert row["out_of_choice_ratio"] == 1


def test_always_the_first_place_is_seen_in_the_positions(curate, asked):
    """A third right, and never the same choice in all orders."""
    write_replies(asked / "replies.jsonl", asked / "requests.jsonl", lambda _: "A", "first")
    found = score(curate, asked, "--json").json
    assert found["rows"][0]["accuracy_amb"] == pytest.approx(1 / 3)
    assert found["rows"][0]["diff_bias_amb"] == 0
    whole = found["positions"][0]
    assert (whole["first"], whole["second"], whole["third"]) == (1, 0, 0)
    assert (whole["asked_thrice"], whole["consistent"]) == (48, 0)


def test_tables_are_written_with_a_manifest(curate, asked):
    """Undefined is an empty cell."""
    write_replies(asked / "replies.jsonl", asked / "requests.jsonl", always("right"), "m1")
    write_replies(asked / "replies.jsonl", asked / "requests.jsonl", lambda _: "", "m2")
    out = asked / "scores"
    ran = score(curate, asked, "--out", out)
    assert ran.code == 0, ran.err
    with (out / "scores.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == list(SCORE_COLUMNS)
    assert [row["model"] for row in rows if row["group_by"] == "overall"] == ["m1", "m2"]
    assert rows[0]["accuracy_amb"] == "1.0"
    assert next(row for row in rows if row["model"] == "m2")["accuracy_amb"] == ""
    assert verify_manifest(out) == []
    found = json.loads((out / "manifest.json").read_text("utf-8"))["settings"]
    settings = {"level": 0.95, "mode": "strict", "orders": "cyclic", "set": "test"}
    assert {name: found[name] for name in settings} == settings


def incomplete(asked):
    """Reply to all but two requests, one of which failed."""
    skipped = {"hobby-001a-001-amb-bsd-0-p1": False, "job-001b-001-dis-cnt-2-p3": True}
    lines = []
    for line in (asked / "requests.jsonl").read_text("utf-8").splitlines():
        name = json.loads(line)["request_id"]
        if skipped.get(name, True):
            reply = None if name in skipped else "B"
            lines.append(json.dumps({"request_id": name, "model": "m", "reply": reply}))
    lines.append(json.dumps({"request_id": "other-1", "model": "m", "reply": "B"}))
    (asked / "replies.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def test_an_incomplete_set_is_refused_naming_what_is_missing(curate, asked):
    """And nothing is written."""
    incomplete(asked)
    ran = score(curate, asked, "--out", asked / "scores")
    assert ran.code == 1
    assert "m: 2 of 144 requests have no reply (1 calls failed)" in ran.err
    assert "hobby-001a-001-amb-bsd-0-p1, job-001b-001-dis-cnt-2-p3" in ran.err
    assert "1 replies answer none of the requests and are left out: other-1" in ran.err
    assert not (asked / "scores").exists()
    found = score(curate, asked, "--json")
    assert (found.code, found.json["rows"], found.json["missing"]) == (1, [], {"m": 2})


def test_an_incomplete_set_can_be_scored_and_says_so(curate, asked):
    """In every row that lacks something."""
    incomplete(asked)
    found = score(curate, asked, "--allow-incomplete", "--json")
    assert found.code == 0
    rows = {(row["group_by"], row["group"]): row for row in found.json["rows"]}
    assert (rows["overall", ""]["missing"], rows["overall", ""]["n_amb"]) == (2, 71)
    assert (rows["prompt", "3"]["missing"], rows["category", "Hobby"]["missing"]) == (1, 1)
    assert [item["rule"] for item in found.json["findings"]] == [
        *("evaluate-missing", "evaluate-unknown-request"),
    ]


def test_requests_say_what_was_asked(curate, asked):
    """A part of the grid, in the orders of the file."""
    lines = (asked / "requests.jsonl").read_text("utf-8").splitlines(keepends=True)
    (asked / "part.jsonl").write_text("".join(lines[:30]), "utf-8")
    write_replies(asked / "replies.jsonl", asked / "part.jsonl", always("right"), "m")
    ran = curate(
        *("evaluate", "score", "-w", asked, "--samples", asked / "samples.csv", "--json"),
        *("--requests", asked / "part.jsonl", "--replies", asked / "replies.jsonl"),
    )
    row = ran.json["rows"][0]
    assert (row["n_amb"] + row["n_dis"], row["missing"], row["accuracy_amb"]) == (30, 0, 1)


def test_orders_that_were_not_asked_give_other_scores(curate, asked):
    """The letters mean other choices: --orders must be that of the requests."""
    write_replies(asked / "replies.jsonl", asked / "requests.jsonl", always("right"), "m")
    assert score(curate, asked, "--orders", "kobbq", "--json").json["rows"][0]["accuracy_amb"] < 1


def test_either_replies_or_predictions(curate, asked):
    """Wrong usage."""
    ran = curate("evaluate", "score", "-w", asked)
    assert ran.code == 2
    assert "name either --replies FILE or --predictions FILE" in ran.err


@pytest.mark.parametrize("option", ["--samples", "--requests", "--replies", "--filled"])
def test_a_file_that_is_not_there_is_said_before_others_are_read(curate, tmp_path, option):
    """Reading them takes long; here it would fail."""
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{")
    given = {"--samples": broken, "--replies": broken, option: tmp_path / "nowhere.jsonl"}
    ran = curate("evaluate", "score", *(part for pair in given.items() for part in pair))
    assert ran.code == 1
    assert ran.err.splitlines()[0] == "Error: there is no file nowhere.jsonl"


def test_a_torn_last_line_is_said(curate, asked):
    """Its request is missing."""
    path = write_replies(asked / "replies.jsonl", asked / "requests.jsonl", always("right"), "m")
    path.write_bytes(path.read_bytes()[:-10])
    ran = score(curate, asked)
    assert ran.code == 1
    assert "the last line is incomplete and is left out" in ran.err
    assert "1 of 144 requests have no reply" in ran.err


def test_comparisons_read_the_folder_of_scores(curate, asked):
    """Groups, models and benchmarks; as tables and as JSON."""
    write_replies(asked / "replies.jsonl", asked / "requests.jsonl", always("right"), "m1")
    write_replies(asked / "replies.jsonl", asked / "requests.jsonl", always("biased"), "m2")
    out = asked / "scores"
    assert score(curate, asked, "--out", out).code == 0
    models = curate("evaluate", "compare", "models", "-w", asked, out, "--json").json
    row = next(row for row in models["models"] if row["metric"] == "diff_bias_amb")
    assert (row["model_1"], row["model_2"], row["difference"], row["templates"]) == (
        *("m1", "m2", -1, 3),
    )
    same = curate("evaluate", "compare", "benchmarks", "-w", asked, out, out, "--json").json
    assert {row["difference"] for row in same["benchmarks"]} == {0}
    assert {row["p_holm"] for row in same["benchmarks"]} == {1}
    groups = curate(
        *("evaluate", "compare", "groups", "-w", asked, out, "--out", asked / "tests"),
    )
    assert groups.code == 0, groups.err
    assert "with fewer than two values, and left out: Job" in groups.err
    assert verify_manifest(asked / "tests") == []
    one = curate("evaluate", "compare", "models", "-w", asked, out, "--model", "m1")
    assert one.code == 2
    assert "there are m1, m2" in one.err
