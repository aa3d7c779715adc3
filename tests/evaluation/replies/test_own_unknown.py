"""The choice that nobody can know is known by whatever a culture or its prompts call it."""

import json

import pandas as pd
import pytest
from benchmark import benchmark, write_samples
from layouts import write_jsonl

from curation.files.workspace import Workspace
from curation.languages import Language, calling_unknown, load
from evaluation.parsing.verdicts import read_reply
from evaluation.qa.prepare import prepare
from evaluation.qa.scoring import ScoreInputs
from evaluation.replies.rows import load_asked, parse_replies

ODD = "Beats me (truly)"
TOLD = "Unknown."
CHOICES = ("The potter", ODD, "The baker")
SAMPLES = list(benchmark())
PROMPTS = f"""\
prompts:
  - {{id: "1", layout: "{{context}} {{question}}\\nA: {{a}}\\nB: {{b}}\\nC: {{c}}", unknown: {ODD}}}
"""


def reply(folder):
    """Ask with a prompt of an odd unknown expression; every reply explains it."""
    write_samples(folder / "samples.csv", SAMPLES)
    (folder / "prompts.yaml").write_text(PROMPTS)
    made = prepare(Workspace(folder), folder / "samples.csv", prompts=folder / "prompts.yaml")
    names = [json.loads(line)["request_id"] for line in made.file.read_text().splitlines()]
    replies = pd.DataFrame({"request_id": names, "model": "m", "reply": TOLD})
    wanted = ScoreInputs(
        folder / "samples.csv", prompts=folder / "prompts.yaml", replies=replies, intervals=False
    )
    return wanted, made.file, replies


def test_an_expression_of_a_language_is_needed_no_more():
    """Without it the reply is a negation; with it, it is that choice, in a language or in none."""
    assert read_reply(TOLD, CHOICES).chosen is None
    for own in (None, load("en"), load("ko"), Language("sw", None)):
        assert read_reply(TOLD, CHOICES, own=calling_unknown(own, [ODD])).chosen == {1}


def test_requests_alone_show_it(tmp_path):
    """It is the one choice that all requests of a prompt show."""
    _, made, replies = reply(tmp_path)
    assert load_asked(made).unknown == (ODD,)
    read = parse_replies(made, replies)
    assert {row[3] for row in read.rows()} == {ODD}


@pytest.mark.parametrize(
    "lists",
    [
        [["x", "y", "z"]],
        [["x", "y", "z"], ["z", "y", "x"]],
        [["x", "y", "z"], ["x", "y", "w"]],
        [["x", "y"], ["x", "z"]],
    ],
)
def test_what_may_be_a_name_is_taken_for_none(tmp_path, lists):
    """One list alone, two choices that are common to all, and lists of two show none."""
    asked = [{"request_id": f"q{n}", "prompt_id": "1", "choices": it} for n, it in enumerate(lists)]
    assert load_asked(write_jsonl(tmp_path / "requests.jsonl", asked)).unknown == ()
