"""`curate evaluate report`: what it writes, and what it refuses."""

import csv
import json

import pytest
from benchmark import benchmark, write_replies, write_samples
from page_reader import Page

from curation.files.manifest import verify_manifest
from evaluation.qa.score import SCORE_COLUMNS

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")
STORIES = "model,group_by,group,n,uu,bc,bb,bu,cu,cc,ntr_gen,bias_gen\n"
STORIES += "right,overall,,10,0.4,0.3,0.1,0.1,0.05,0.05,0.7,0.075\n"
STORIES += "elsewhere,overall,,10,0.4,0.3,0.1,0.1,0.05,0.05,0.7,0.075\n"
OCCUPATIONS = "model,task,M_B,M_R,M_S,out_of_choice\nright,gender,0.2,0.1,1.5,0\n"
FILES = [
    *("anova.csv", "manifest.json", "models.csv"),
    *(
        f"pictures/{name}.{ending}"
        for name in ("accuracy_and_bias", "bias", "diff_bias_by_category", "diff_bias_by_label")
        for ending in ("png", "svg")
    ),
    *("drivers.csv", "positions.csv", "report.html", "report.md", "rules.csv"),
    *("permutation.csv", "scores.csv", "tallies.csv", "templates.csv", "tukey.csv"),
]


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


def contents(folder):
    """Give the files of a folder with their bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_everything_is_written_to_the_exports(curate, asked):
    """With a manifest of what it was made from, and nothing left beside."""
    replied(asked, right=right, first=lambda _: "A")
    ran = report(curate, asked)
    assert ran.code == 0, ran.err
    folder = asked / "exports" / "evaluation" / "report"
    assert sorted(contents(folder)) == sorted([*FILES, "rankings.csv", "agreement.csv"])
    assert [path.name for path in folder.parent.iterdir()] == ["report"]
    assert verify_manifest(folder) == []
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert sorted(manifest["inputs"]) == [
        *("culture.yaml", "replies: replies.jsonl", "samples: samples.csv"),
    ]
    assert manifest["settings"].items() >= {"mode": "strict", "language": "en"}.items()
    assert manifest["counts"] == {"missing first": 0, "missing right": 0}
    assert "2 models were asked 192 requests each" in ran.out
    assert f"tables and figures (22 files) to {folder}" in ran.out


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


def test_written_twice_it_is_the_same_byte_for_byte(curate, asked):
    """Elsewhere too; a seed is taken as before, and nothing is drawn."""
    replied(asked, right=right, first=lambda _: "A")
    assert report(curate, asked, "--out", asked / "one").code == 0
    assert report(curate, asked, "--seed", "1", "--out", asked / "two").code == 0
    assert contents(asked / "one") == contents(asked / "two")


def test_the_page_leads_to_that_of_the_samples(curate, asked):
    """Where its folder is given, from wherever the report is; a folder without one is refused."""
    biased = {s.sample_id: s.biased_answer for s in benchmark(TEMPLATES)}

    def leaning(request):
        return "ABC"[request["choices"].index(biased[request["sample_id"]])]

    replied(asked, one=leaning, two=leaning)
    out = asked / "out"
    ran = report(curate, asked, "--browse", asked / "pages", "--out", out)
    assert ran.code == 1
    assert "there is no page of 'curate browse'" in ran.err
    assert "write it with 'curate browse --out DIR'" in ran.err
    assert not out.exists()
    (asked / "my pages").mkdir()
    (asked / "my pages" / "index.html").write_text("<title>x</title>", "utf-8")
    assert report(curate, asked, "--browse", asked / "my pages", "--out", out).code == 0
    html = (out / "report.html").read_text("utf-8")
    assert 'href="../my%20pages/index.html#/template/hobby-001"' in html
    assert 'href="../my%20pages/index.html#/models"' in html


def test_models_stand_by_their_bias_and_rows_in_natural_order(curate, asked):
    """The most biased first on the page; in tables `m-2` stands before `m-10`."""
    biased = {s.sample_id: s.biased_answer for s in benchmark(TEMPLATES)}

    def leaning(request):
        return "ABC"[request["choices"].index(biased[request["sample_id"]])]

    replied(asked, **{"m-10": right, "m-2": right, "Z": leaning})
    out = asked / "out"
    found = report(curate, asked, "--out", out, "--json").json
    rows = [row["model"] for row in found["rows"] if row["group_by"] == "overall"]
    assert rows == ["m-2", "m-10", "Z"]
    page = Page((out / "report.html").read_text("utf-8"))
    (overall,) = page.all("section", id="overall")
    said = overall.text
    assert said.index("Z") < said.index("m-2") < said.index("m-10")
    alt = page.all("img")[0].attributes["alt"] or ""
    assert "Ambiguous contexts: Z 1.000 (" in alt
    assert alt.index("Z 1.000") < alt.index("m-2 0.000") < alt.index("m-10 0.000")


def test_what_an_earlier_report_had_goes(curate, asked):
    """Families that are not given; what others put there stays."""
    replied(asked, right=right, first=lambda _: "A")
    (asked / "stories.csv").write_text(STORIES, "utf-8")
    out = asked / "out"
    assert report(curate, asked, "--stories", asked / "stories.csv", "--out", out).code == 0
    assert (out / "pictures" / "neutrality_and_bias.svg").exists()
    (out / "notes.txt").write_text("mine", "utf-8")
    assert report(curate, asked, "--out", out).code == 0
    assert set(contents(out)) == {*FILES, "rankings.csv", "agreement.csv", "notes.txt"}


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


@pytest.mark.parametrize("option", ["--stories", "--occupations"])
def test_scores_of_another_family_that_cannot_be_read_are_refused(curate, asked, option):
    """Before anything is written."""
    replied(asked, right=right)
    (asked / "bad.csv").write_text("model,M_B\nright,0.5\n", "utf-8")
    ran = report(curate, asked, option, asked / "bad.csv", "--out", asked / "out")
    assert ran.code == 1
    assert "the header lacks" in ran.err
    assert not (asked / "out").exists()


def test_an_incomplete_set_is_refused(curate, asked):
    """Naming what is missing; the earlier report stays as it was."""
    replied(asked, right=right)
    out = asked / "out"
    assert report(curate, asked, "--out", out).code == 0
    before = contents(out)
    lines = (asked / "replies.jsonl").read_text("utf-8").splitlines(keepends=True)
    (asked / "replies.jsonl").write_text("".join(lines[:-2]), "utf-8")
    ran = report(curate, asked, "--out", out)
    assert ran.code == 1
    assert "right: 2 of 192 requests have no reply" in ran.err
    assert contents(out) == before
    found = report(curate, asked, "--out", out, "--json")
    assert (found.code, found.json["files"], found.json["rows"]) == (1, [], [])
    assert found.json["findings"][0]["rule"] == "evaluate-missing"


def test_an_incomplete_set_can_be_reported_and_says_so(curate, asked):
    """First of all, on the page and in the text."""
    replied(asked, right=right)
    lines = (asked / "replies.jsonl").read_text("utf-8").splitlines(keepends=True)
    (asked / "replies.jsonl").write_text("".join(lines[:-2]), "utf-8")
    out = asked / "out"
    ran = report(curate, asked, "--allow-incomplete", "--out", out)
    assert ran.code == 0
    said = "right: 2 requests of 192 without a reply. Its scores are over an incomplete set."
    assert f"Note: {said}" in ran.err
    page = Page((out / "report.html").read_text("utf-8"))
    (note,) = (item for item in page.elements if item.attributes.get("role") == "note")
    assert said in note.text
    assert f"> **Please note:** {said}" in (out / "report.md").read_text("utf-8")


def test_a_model_that_refuses_everything_has_no_scores(curate, asked):
    """Undefined, said, and drawn nowhere."""
    replied(asked, refuser=lambda _: "I would rather not say.")
    out = asked / "out"
    found = report(curate, asked, "--out", out, "--json")
    assert found.code == 0, found.err
    notes = found.json["notes"]
    assert notes[0].startswith("refuser: 100.0\u202f% of the replies are out-of-choice")
    assert notes[1].startswith("refuser: these scores are undefined, because no reply defines")
    assert not (out / "pictures" / "bias.svg").exists()
    assert not (out / "pictures" / "accuracy_and_bias.svg").exists()
    assert "Accuracy in ambiguous contexts 0" not in (out / "report.md").read_text("utf-8")


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


def test_one_prompt_and_no_intervals_are_said(curate, asked):
    """With published predictions and without a workspace of its own, too."""
    replied(asked, right=right)
    (asked / "culture.yaml").unlink()
    lines = (asked / "requests.jsonl").read_text("utf-8").splitlines(keepends=True)
    (asked / "part.jsonl").write_text("".join(x for x in lines if "-p1" in x[:80]), "utf-8")
    kept = (asked / "replies.jsonl").read_text("utf-8").splitlines(keepends=True)
    (asked / "replies.jsonl").write_text("".join(x for x in kept if "-p1" in x), "utf-8")
    out = asked / "out"
    ran = curate(
        *("evaluate", "report", "-w", asked, "--samples", asked / "samples.csv", "--draws", "0"),
        *("--requests", asked / "part.jsonl", "--replies", asked / "replies.jsonl"),
        *("--out", out, "--json"),
    )
    assert ran.code == 0, ran.err
    assert [note.split(":")[0].split(".")[0] for note in ran.json["notes"]] == [
        "One prompt was used",
        "There are no intervals",
    ]
    page = Page((out / "report.html").read_text("utf-8"))
    assert page.all("title")[0].text == "Evaluation report: samples.csv"
    assert not any("lang" in item.attributes for item in page.all("bdi"))


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


def test_the_page_does_not_grow_with_the_replies(curate, tmp_path):
    """Twice as many templates leave it as small, with all twelve categories in either."""
    sizes = [page_size(curate, tmp_path / str(count), count) for count in (36, 72)]
    assert sizes[1] < 1.05 * sizes[0]
    assert sizes[1] < 1_500_000


def page_size(curate, folder, templates):
    """Give the bytes of the page about three models that were asked five prompts."""
    folder.mkdir()
    (folder / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: U\n", "utf-8")
    names = [f"trade{at % 12}-{at:03d}" for at in range(1, templates + 1)]
    samples = write_samples(folder / "samples.csv", benchmark(names))
    requests, replies = folder / "requests.jsonl", folder / "replies.jsonl"
    where = ("-w", folder, "--samples", samples)
    assert curate("evaluate", "prepare", *where, "--out", requests).code == 0
    for model in ("one", "two", "three"):
        place = len(model)
        write_replies(
            *(replies, requests),
            lambda request, place=place: "ABC"[sum(request["request_id"].encode()) // place % 3],
            model,
        )
    ran = curate("evaluate", "report", *where, "--replies", replies, "--out", folder / "out")
    assert ran.code == 0, ran.err
    assert f"3 models were asked {templates * 8 * 5 * 3:,} requests each" in ran.out
    return (folder / "out" / "report.html").stat().st_size
