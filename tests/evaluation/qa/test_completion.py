"""Completions of samples: likeness by hand, the test by scipy, and models that know no sample."""

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from benchmark import benchmark, write_samples
from scipy.stats import wilcoxon

from curation.cli.main import main
from curation.files.workspace import Workspace
from curation.intervals import interval
from curation.records.messages import CurateError
from evaluation.qa.completion import (
    COMPLETION_COLUMNS,
    completion_requests,
    likeness,
    score_completions,
)
from evaluation.qa.prepare import prepare
from evaluation.requests import is_completion

WORDS = [f"w{at}" for at in range(40)]


def test_likeness_is_rouge_l():
    """By hand: of six and four words four in order, 8/10; else by all subsequences there are."""
    one = "the cat sat on the mat"
    assert likeness(one.split(), ["the", "cat", "the", "mat"]) == 0.8
    assert likeness([], ["a"]) == likeness(["a"], ["b"]) == 0.0
    rng = np.random.default_rng(1)
    for _ in range(50):
        first, second = (rng.integers(3, size=int(rng.integers(1, 8))).tolist() for _ in range(2))
        found = [
            {part for n in range(len(it) + 1) for part in combinations(it, n)}
            for it in (first, second)
        ]
        longest = max(map(len, found[0] & found[1]))
        known = 2 * longest / (len(first) + len(second))
        assert likeness([*map(str, first)], [*map(str, second)]) == pytest.approx(known)


def made(tmp_path, number, answer):
    """Requests about so many templates of thirty random words, and what a model makes of them.

    Args:
        tmp_path: The folder.
        number: How many templates.
        answer: Gets the words of the rest, and whether the set is named.
    """
    rng = np.random.default_rng(number)
    (first, *_) = benchmark(("job-001",))
    samples = [
        first._replace(
            sample_id=f"job-{at:03d}a-001-amb-bsd",
            template_id=f"job-{at:03d}",
            context=" ".join(rng.choice(WORDS, 30)),
        )
        for at in range(number)
    ]
    lines = list(completion_requests(samples, "Nowhere"))
    path = tmp_path / "requests.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    replies = [
        {
            "request_id": line["request_id"],
            "model": "m",
            "reply": " ".join(answer(str(line["rest"]).split(), line["prompt_id"] == "guided")),
        }
        for line in lines
    ]
    return path, pd.DataFrame(replies)


def test_a_request_has_the_first_half_and_differs_in_the_name_alone(tmp_path):
    """Of each template one sample; the rest is what is left out."""
    path, _ = made(tmp_path, 3, lambda rest, named: rest)
    assert is_completion(path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [line["template_id"] for line in lines] == ["job-000"] * 2 + ["job-001"] * 2 + [
        *("job-002", "job-002")
    ]
    guided, general = (line["messages"][0]["content"] for line in lines[:2])
    assert guided.replace("the dataset Nowhere", "a dataset") == general
    assert guided.split("\n\n")[1].split() != lines[0]["rest"].split()
    assert len(guided.split("\n\n")[1].split()) == len(lines[0]["rest"].split()) == 15


def test_a_model_that_knows_the_set_when_it_is_named(tmp_path):
    """All rests word by word, else every second word; p is scipy's of the differences."""
    path, replies = made(tmp_path, 12, lambda rest, named: rest if named else rest[::2])
    (row,) = score_completions(path, replies).rows
    assert tuple(row) == COMPLETION_COLUMNS
    assert (row["templates"], row["exact_guided"], row["exact_general"]) == (12, 12, 0)
    assert row["guided"] == 1.0
    assert row["general"] == pytest.approx(2 * 8 / (15 + 8))
    apart = (row[name] for name in ("guided", "guided_others", "general", "general_others"))
    one, others, two, others_of_two = map(float, apart)
    assert row["difference"] == pytest.approx(one - others - two + others_of_two)
    assert float(row["low"]) > 0
    assert row["p"] == row["p_holm"] == wilcoxon(np.arange(1, 13)).pvalue


@pytest.mark.nightly
def test_models_that_know_nothing_are_seldom_said_to(tmp_path):
    """At .05, of 60: one guesses half of the words anyway, one writes in the style of the set."""
    rng = np.random.default_rng(2)

    def guess(rest, named):
        return [word if rng.random() < 0.5 else str(rng.choice(WORDS)) for word in rest]

    def style(rest, named):
        number = 15 if named else 45  # it is brief, and has the set's words, where it is named
        return [str(it) for it in rng.choice(WORDS if named else [*WORDS, *"abcdefghij"], number)]

    for answer in (guess, style):
        found = [score_completions(*made(tmp_path, at, answer)).rows[0] for at in range(20, 80)]
        assert sum(float(row["p"]) < 0.05 for row in found) <= 7


def test_a_completion_is_compared_with_twenty_others(tmp_path):
    """The rests that come after its own; with all where there are fewer."""
    for number, others in ((3, 2), (23, 20)):
        path, replies = made(tmp_path, number, lambda rest, named: rest if named else rest[::2])
        said = replies["reply"].str.split()
        rests, parts = said[::2].tolist(), []
        for own in (rests, said[1::2].tolist()):
            far = [
                np.mean([likeness(one, rests[(at + by) % number]) for by in range(1, others + 1)])
                for at, one in enumerate(own)
            ]
            parts.append(np.array([*map(likeness, own, rests)]) - far)
        (row,) = score_completions(path, replies).rows
        assert row["general_others"] == pytest.approx(np.mean(far))
        apart = parts[0] - parts[1]
        shares = (apart - apart.mean()) / number
        ends = interval(apart.mean(), shares, float(number), (-1.0, 1.0))
        assert (row["low"], row["high"]) == pytest.approx([float(end) for end in ends])


def test_what_lacks_a_reply_is_not_counted(tmp_path):
    """A template with one of its two replies; with one template nothing is said, with none less."""
    path, replies = made(tmp_path, 2, lambda rest, named: rest)
    found = score_completions(path, replies[:3])
    (row,) = found.rows
    assert found["incomplete"]
    assert (row["templates"], row["exact_guided"]) == (1, 1)
    assert (row["difference"], row["p"], row["p_holm"]) == (None, None, None)
    with pytest.raises(CurateError, match="no reply answers one of these requests"):
        score_completions(path, replies.assign(request_id="x"))
    lines = path.read_text("utf-8")
    path.write_text(lines + lines.replace('_id": "job', '_id": "of-another-set-job', 1), "utf-8")
    with pytest.raises(CurateError, match="has a guided one already"):
        score_completions(path, replies)


def test_a_context_is_cut_between_words_or_where_there_are_none_between_characters(tmp_path):
    """A vowel that is a mark stays with its letter; a context of few words is passed over."""
    rests = {
        "会社で二人が話す。": "人が話す。",
        "दो सहकर्मी दफ़्तर में नए काम की बात करते हैं।": "काम की बात करते हैं।",
        "ที่นี่มีที่นั่งว่าง": "นั่งว่าง",
    }
    (sample, *_) = benchmark(("job-001",))
    for context, rest in rests.items():
        lines = list(completion_requests([sample._replace(context=context)], "Nowhere"))
        assert [line["rest"] for line in lines] == [rest] * 2
    with pytest.raises(CurateError, match="no context has 8 words"):
        list(completion_requests([sample._replace(context="Two people talk.")], "Nowhere"))


def test_the_way_from_requests_to_scores(tmp_path, capsys):
    """Requests by the command, with the name of the culture; what is of questions is refused."""
    (tmp_path / "culture.yaml").write_text(
        'culture: Nowhere\nlanguage: ko\nversion: "0.3"\nunknown: Not known\n', encoding="utf-8"
    )
    context = "One two three four five six seven eight nine ten."
    samples = [it._replace(context=context) for it in benchmark(("job-001", "job-002"))]
    write_samples(tmp_path / "samples.csv", samples)
    where = ["-w", str(tmp_path)]
    named = ["--samples", str(tmp_path / "samples.csv")]

    def run(*words):
        with pytest.raises(SystemExit) as left:
            main(["evaluate", *words, *where])
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out + captured.err

    code, said = run("prepare", *named, "--answer", "completion")
    assert code == 0
    assert said.startswith("4 requests in ")
    path = tmp_path / "exports" / "evaluation" / "completion" / "requests.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert "the dataset Nowhere" in lines[0]["messages"][0]["content"]
    replies = tmp_path / "replies.jsonl"
    given = [
        {"request_id": it["request_id"], "model": "m", "reply": "six seven"} for it in lines[:3]
    ]
    replies.write_text("".join(f"{json.dumps(it)}\n" for it in given), encoding="utf-8")
    scored = ["score", "--requests", str(path), "--replies", str(replies)]
    code, said = run(*scored, "--out", str(tmp_path / "out"))
    assert (code, (tmp_path / "out").exists()) == (1, False)
    code, said = run(*scored, "--out", str(tmp_path / "out"), "--allow-incomplete")
    assert code == 0
    assert (tmp_path / "out" / "completion.csv").read_text("utf-8").splitlines()[1] == (
        "m,1,,,,,0,0,,,,,"
    )
    assert run(*scored, "--by", "label")[0] == 2
    with pytest.raises(CurateError, match="completions have a prompt of their own"):
        prepare(Workspace(tmp_path), tmp_path / "samples.csv", answer="completion", epochs=2)
