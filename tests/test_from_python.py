"""The functions of the packages, called as people call them in a notebook."""

from pathlib import Path

import pytest

import curation
import evaluation
import exports
import survey


@pytest.fixture
def demo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    curation.copy_demo("demo")
    workspace = curation.open_workspace("demo")
    survey.filter(workspace, "demo/responses/responses.csv")
    return workspace


def test_paths_may_be_text_and_one_stands_for_a_list(demo):
    """A text is never taken letter by letter."""
    made = curation.make_classify_sheets(demo, "Mina")
    assert [sheet["annotator"] for sheet in made["sheets"]] == ["Mina"]
    written = exports.samples(demo, "test", "jsonl", out="out")
    assert written.folder == Path("out")
    assert Path("out", "test_samples.jsonl").exists()
    done = survey.override(demo, "age-006", keep=False, reason="a try", by="Mina", dry_run=True)
    assert [item["template_id"] for item in done.templates] == ["age-006"]
    assert curation.Workspace("demo").root == Path("demo")


def test_functions_see_what_another_has_written(demo):
    """A workspace that was opened before is read anew."""
    before = survey.explain(demo, "age-001").templates[0]["decisions"]
    other = curation.open_workspace("demo")
    survey.override(other, "age-001", keep=False, reason="a try", by="Mina")
    after = survey.explain(demo, "age-001").templates[0]["decisions"]
    assert len(after) == len(before) + 1


def test_a_result_that_is_a_table_gives_a_frame(demo):
    """Of what a key holds a list, it is how many; of a mapping, each value."""
    Path("labels.csv").write_text(
        "template_id,annotator,label,reason\nage-001,Ada,ST,\nage-002,Ada,SR,unknown here\n"
    )
    collected = curation.collect_labels(demo, "labels.csv")
    (row,) = collected.to_frame().to_dict("records")
    count = len(collected["annotators"][0]["missing"])
    assert count == collected["templates"] - 2
    assert row == {"annotator": "Ada", "labelled": 2, "ST": 1, "TM": 0, "SR": 1, "missing": count}
    settled = curation.label_templates(demo, "age-001", "ST", "known", "Mina").to_frame()
    assert settled.values.tolist() == [["age-001", "ST", "keep", "ST: known"]]
    progress = curation.translation_status(demo)
    frame = progress.to_frame()
    assert list(frame["category"]) == [row["category"] for row in progress["rows"]]
    assert list(frame.columns[1:]) == list(progress["total"])
    none = curation.suggest_labels(demo, templates=["age-001"]).to_frame()
    assert list(none["template_id"]) == ["age-001"]


WRONG = {
    "rule": (lambda ws: curation.check(ws, "nope"), "no rule 'nope'"),
    "format": (lambda ws: curation.import_templates(ws, "bbk", "x"), "no format 'bbk'"),
    "engine": (lambda ws: curation.run_translation(ws, "deeple"), "no translation engine 'deeple'"),
    "label": (
        lambda ws: curation.label_templates(ws, "age-001", "SRR", "x", "y"),
        "no label 'SRR'",
    ),
    "set": (lambda ws: exports.samples(ws, "alll"), "no set of samples 'alll'"),
    "file format": (lambda ws: exports.samples(ws, formats="cvs"), "no format 'cvs'"),
    "hub": (lambda ws: exports.hub(ws, "alll"), "no set of samples 'alll'"),
    "harness": (lambda ws: exports.task_folder(ws, "lmeval"), "no harness 'lmeval'"),
    "samples": (lambda ws: evaluation.prepare(ws, kind="tst"), "no set of samples 'tst'"),
    "backend": (
        lambda ws: evaluation.run(evaluation.plan_run(ws, "orakle")),
        "no backend 'orakle'",
    ),
    "file": (lambda ws: survey.filter(ws, "nowhere.csv"), "no file nowhere.csv"),
    "workbook": (lambda ws: curation.collect_labels(ws, "nowhere.xlsx"), "no file nowhere.xlsx"),
    "folder": (lambda _: exports.verify("nowhere"), "no file nowhere"),
    "workspace": (lambda _: curation.open_workspace("nowhere"), "no workspace"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_there_is_not_is_refused_with_what_there_is(demo, name):
    """Every mistake is a `CurateError`, and nothing is guessed."""
    call, what = WRONG[name]
    with pytest.raises(curation.CurateError, match=what):
        call(demo)
