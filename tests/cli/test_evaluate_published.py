"""`curate evaluate prepare` and `score` on samples as sets publish them, without a workspace."""

import json

import layouts
import pytest


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A folder that is no workspace, as the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mixed(folder):
    """BBQ's layout; half of the samples leave open who is the target."""
    made = [layouts.bbq(row) for row in layouts.plain()]
    for row in made[32:]:
        row["additional_metadata"]["stereotyped_groups"] = []
    return layouts.write_jsonl(folder / "s.jsonl", made)


def test_the_whole_way_without_a_workspace(curate, alone):
    """Prepare, a baseline, scores: and what scores leave out is said at both ends."""
    mixed(alone)
    common = ("--samples", "s.jsonl", "--language", "en", "--prompt", "1")
    ran = curate("evaluate", "prepare", *common, "--out", "r.jsonl")
    assert (ran.code, ran.out.count("192 requests in r.jsonl")) == (0, 1)
    assert "s.jsonl (layout bbq)" in ran.out
    assert "[evaluate-open-role]" in ran.err
    assert "32 of 64 samples do not say who is the target" in ran.err
    ran = curate(
        *("evaluate", "run", "--requests", "r.jsonl", "--replies", "replies.jsonl"),
        *("--backend", "always-biased", "--option", "samples=s.jsonl"),
    )
    assert ran.code == 0, ran.err
    ran = curate("evaluate", "score", *common, "--replies", "replies.jsonl", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    row = found["rows"][0]
    assert (row["diff_bias_amb"], row["diff_bias_dis"], row["accuracy_dis"]) == (1, 1, 0.5)
    assert row["n_ab"] + row["n_d1"] + row["n_d2"] == 96
    assert [item["rule"] for item in found["findings"]] == ["evaluate-open-role"]
    empty = next(item for item in found["rows"] if item["group"] == "hobby-002")
    assert (empty["diff_bias_amb"], empty["s_dis"], empty["n_amb"]) == (None, None, 48)
    assert (row["bias_samples"], row["samples"], empty["bias_samples"]) == (32, 64, 0)
    assert row["max_bias_amb"] == 1 - row["known_accuracy_amb"]
    ran = curate("evaluate", "score", *common, "--replies", "replies.jsonl")
    assert "Bias from 32 of 64 samples" in ran.out
    table = ran.out.split("Bias from")[0]
    assert table.count("32 of 64") == 2, ran.out  # overall, and its one category


def test_prepare_gives_its_findings_as_json(curate, alone):
    """And nothing else on standard output."""
    mixed(alone)
    options = ("--samples", "s.jsonl", "--language", "ko-KR", "--out", "r.jsonl", "--json")
    ran = curate("evaluate", "prepare", *options)
    found = json.loads(ran.out)
    assert (found["requests"], found["layout"]) == (64 * 15, "bbq")
    assert [item["rule"] for item in found["findings"]] == ["evaluate-open-role"]


def test_what_a_language_lacks_is_said_with_what_to_do(curate, alone):
    """Prompts, or the language itself."""
    mixed(alone)
    ran = curate("evaluate", "prepare", "--samples", "s.jsonl", "--language", "xx")
    assert ran.code == 1
    assert "there are no prompts in 'xx'" in ran.err
    assert "name it with --prompts FILE" in ran.err
    ran = curate("evaluate", "prepare", "--samples", "s.jsonl")
    assert ran.code == 1
    assert "name the language with --language CODE" in ran.err
    assert not (alone / "exports").exists()  # nothing is left of what was refused


def test_the_report_shows_samples_whose_role_is_open(curate, alone):
    """Their people are called persons, neither biased nor counter-biased."""
    made = [layouts.control(row) for row in layouts.plain(1)]
    layouts.write_jsonl(alone / "s.jsonl", made)
    common = ("--samples", "s.jsonl", "--control", "--language", "en", "--prompt", "1")
    assert curate("evaluate", "prepare", *common, "--out", "r.jsonl").code == 0
    ran = curate(
        *("evaluate", "run", "--requests", "r.jsonl", "--replies", "replies.jsonl"),
        *("--backend", "oracle", "--option", "samples=s.jsonl"),
    )
    assert ran.code == 0, ran.err
    options = ("--replies", "replies.jsonl", "--draws", "0", "--out", "report", "--json")
    ran = curate("evaluate", "report", *common, *options)
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["rows"][0]["diff_bias_amb"] is None
    text = (alone / "report" / "report.md").read_text(encoding="utf-8")
    assert "person" in text
    assert "counter-biased (right)" not in text
    ran = curate(
        *("evaluate", "score", *common[:5], "--requests", "r.jsonl"),
        *("--replies", "replies.jsonl", "--json"),
    )
    assert "evaluate-control" in {item["rule"] for item in json.loads(ran.out)["findings"]}
