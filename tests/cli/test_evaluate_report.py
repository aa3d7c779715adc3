"""`curate evaluate report`: what it writes, and what it refuses."""

import csv
import json

import pytest
from benchmark import benchmark, write_replies, write_samples
from page_reader import Page

from evaluation.qa.score import SCORE_COLUMNS

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")
STORIES = "model,group_by,group,n,uu,bc,bb,bu,cu,cc,ntr_gen,bias_gen\n"
STORIES += "right,overall,,10,0.4,0.3,0.1,0.1,0.05,0.05,0.7,0.075\n"
STORIES += "elsewhere,overall,,10,0.4,0.3,0.1,0.1,0.05,0.05,0.7,0.075\n"
OCCUPATIONS = "model,task,M_B,M_R,M_S,out_of_choice\nright,gender,0.2,0.1,1.5,0\n"


@pytest.fixture
def asked(curate, tmp_path):
    """A workspace with samples and the requests about them."""
    culture = "culture: X\nlanguage: en\nversion: '2'\nunknown: Not known\n"
    (tmp_path / "culture.yaml").write_text(culture, "utf-8")
    write_samples(tmp_path / "samples.csv", benchmark(TEMPLATES))
    ran = curate(
        *("evaluate", "prepare", "-w", tmp_path, "--samples", tmp_path / "samples.csv"),
        *("--prompt", "1", "--prompt", "3", "--out", tmp_path / "requests.jsonl"),
    )
    assert ran.code == 0, ran.err
    return tmp_path


def right(request):
    """Answer what the context supports."""
    sample = next(s for s in benchmark(TEMPLATES) if s.sample_id == request["sample_id"])
    choices = request["choices"]
    unknown = next(text for text in choices if text not in sample.choices[:2])
    return "ABC"[choices.index(unknown if sample.context_type == "amb" else sample.answer)]


def replied(asked, **models):
    """Let models reply to everything."""
    for name, answer in models.items():
        write_replies(asked / "replies.jsonl", asked / "requests.jsonl", answer, name)


def report(curate, asked, *options):
    """Report on the folder's replies."""
    return curate(
        *("evaluate", "report", "-w", asked, "--samples", asked / "samples.csv"),
        *("--prompt", "1", "--prompt", "3", "--replies", asked / "replies.jsonl", *options),
    )


def test_the_scores_are_those_of_score(curate, asked):
    """The same table, on the page and in JSON too; and the folder can be compared."""
    replied(asked, right=right, first=lambda _: "A")
    out = asked / "out"
    found = report(curate, asked, "--out", out, "--json").json
    scored = curate(
        *("evaluate", "score", "-w", asked, "--samples", asked / "samples.csv"),
        *("--prompt", "1", "--prompt", "3", "--replies", asked / "replies.jsonl"),
        *("--out", asked / "scores", "--json"),
    )
    assert found["rows"] == scored.json["rows"]
    for name in ("scores.csv", "positions.csv", "tallies.csv", "templates.csv"):
        assert (out / name).read_bytes() == (asked / "scores" / name).read_bytes()
    with (out / "scores.csv").open(encoding="utf-8", newline="") as stream:
        assert next(csv.reader(stream)) == list(SCORE_COLUMNS)
    page = Page((out / "report.html").read_text("utf-8"))
    overall = next(item for item in page.all("section", id="overall"))
    third = "0.333"
    assert "right1.000" in "".join(overall.text.split())
    assert f"first{third}" in "".join(overall.text.split())
    groups = curate("evaluate", "compare", "groups", "-w", asked, out, "--json").json
    again = curate("evaluate", "compare", "groups", "-w", asked, asked / "scores", "--json").json
    assert groups["anova"] == again["anova"] == found["anova"]


def test_other_families_stand_beside(curate, asked):
    """With their tables, and rankings over all of them; models are matched by name."""
    replied(asked, right=right)
    (asked / "stories.csv").write_text(STORIES, "utf-8")
    (asked / "jobs.csv").write_text(OCCUPATIONS, "utf-8")
    out = asked / "out"
    ran = report(
        *(curate, asked, "--stories", asked / "stories.csv"),
        *("--occupations", asked / "jobs.csv", "--out", out, "--json"),
    )
    assert ran.code == 0, ran.err
    found = ran.json
    assert [row["model"] for row in found["stories"]] == ["right", "elsewhere"]
    assert found["occupations"][0]["M_S"] == 1.5
    ranked = {(row["measure"], row["model"]): row["rank"] for row in found["rankings"]}
    assert ranked["ntr_gen", "elsewhere"] == ranked["ntr_gen", "right"] == 1
    assert ("accuracy_amb", "elsewhere") not in ranked
    assert any("elsewhere: in the scores of stories" in note for note in found["notes"])
    inputs = json.loads((out / "manifest.json").read_text("utf-8"))["inputs"]
    assert {"stories: stories.csv", "occupations: jobs.csv"} <= set(inputs)


def test_names_and_replies_with_markup_or_formulas_do_nothing(curate, asked):
    """On the page, in Markdown, in pictures and in tables."""
    name, reply = "=1+1|<script>x</script>", "=cmd|' /C calc'!A0 <img src=x onerror=alert(1)>"
    write_replies(asked / "replies.jsonl", asked / "requests.jsonl", lambda _: reply, name)
    out = asked / "out"
    assert report(curate, asked, "--out", out).code == 0
    html = (out / "report.html").read_text("utf-8")
    page = Page(html)
    assert len(page.all("script")) == 1
    assert "<img src=x" not in html
    assert "<script>x" not in (out / "report.md").read_text("utf-8")
    for path in out.glob("*.csv"):
        for row in csv.reader(path.read_text("utf-8").splitlines()):
            assert not any(cell.startswith(("=", "+", "@")) for cell in row), (path.name, row)
    scored = curate("evaluate", "compare", "groups", "-w", asked, out, "--json").json
    assert {row["model"] for row in scored["anova"]} <= {name}


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
    rules = list(csv.DictReader((out / "rules.csv").read_text("utf-8").splitlines()))
    assert {row["rule"] for row in rules} == {"prediction", "out_of_choice"}
    assert sum(int(row["replies"]) for row in rules) == 96
