"""`curate evaluate report`: what it writes, and what it refuses."""

from benchmark import benchmark
from csv_rows import read_rows

from evaluation.cli.scoring import _cells, _warn
from evaluation.qa.score import ModelUnparsed

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")


def test_published_predictions_make_a_report(curate, tmp_path):
    """With the predictions in the place of replies."""
    header = "sample_id\tlabel_annotation\tcontext\tquestion\tchoices\tbiased_answer\tanswer"
    lines = [f"{header}\tprediction"]
    for item in benchmark(TEMPLATES):
        for number, order in enumerate(((0, 2, 1), (1, 0, 2), (2, 1, 0))):
            shown = [item.choices[at] for at in order]
            cells = (item.label, item.context, item.question, str(shown), item.biased_answer)
            said = (item.answer, item.biased_answer, "none of it", "")[len(lines) % 4]
            name = f"{item.sample_id}-{number}"
            lines.append("\t".join((name, *cells, item.answer, said)))
    path = tmp_path / "KoBBQ_test_evaluation_1_model-x.tsv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    out = tmp_path / "out"
    ran = curate("evaluate", "report", "-w", tmp_path, "--predictions", path, "--out", out)
    assert ran.code == 0, ran.err
    text = (out / "report.md").read_text("utf-8")
    assert "- **Parsing:** published predictions" in text
    assert "- **Orders:** kobbq: (0, 2, 1), (1, 0, 2), (2, 1, 0)" in text
    rules = read_rows(out / "rules.csv")
    assert {row["rule"] for row in rules} == {"prediction", "out_of_choice"}
    assert sum(int(row["replies"]) for row in rules) == 96


def test_of_a_model_many_are_out_of_choice_where_more_than_one_in_fifty_are():
    """In any part: one of fifty is not."""
    for shares, many in (((100,), False), ((99,), True), ((1000, 99), True)):
        rows = tuple({"out_of_choice": 2, "replies": replies} for replies in shares)
        assert ModelUnparsed("m", 2, 1000, rows, (), ()).many == many


def test_templates_without_a_label_are_not_called_all_of_them():
    """Where others have one, their scores are other ones."""
    numbers = {"model": "m", "group": "", "n_amb": 1, "n_dis": 0, "out_of_choice_ratio": None}
    for group_by, said in (("overall", "overall"), ("label", "(none)")):
        row = {**numbers, "group_by": group_by}
        assert _cells(row, ("model", "group"), ()) == ["m", said, "1", "-"]


def test_of_many_models_three_are_told_about_in_full(capsys):
    """And of the others how many replies could not be parsed."""
    _warn([ModelUnparsed(f"m{at}", 50 - 10 * at, 1000, (), (), ()) for at in range(5)])
    told = capsys.readouterr().err
    assert told.count("are out-of-choice and excluded") == 3
    assert "Warning: m0: 50 of 1,000 replies (5.0%) are" in told
    assert told.endswith("Warning: 2 more models with out-of-choice replies (see --json).\n")
