"""Stories from the bank to scores: all that is written on the way."""

import json
import shutil
from pathlib import Path

import pytest

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation import stories

GIVEN = Path(__file__).parents[2] / "scenarios" / "stories" / "given" / "work"
MODELS = {"biased": "B", "counter": "C", "open": "U", "ordered": "BC", "half": "BU"}
"""By model the roles that its stories have in either version."""
QA = """\
model,group_by,group,accuracy_amb,accuracy_dis,diff_bias_amb,diff_bias_dis,out_of_choice_ratio
biased,overall,,0.1,0.5,0.9,0.1,0
counter,overall,,0.2,0.5,-0.9,0.1,0
open,overall,,1,0.4,0,0,0
open,prompt,1,1,0.4,0,0,0.01
ordered,overall,,0.9,0.6,0.1,0,0
ordered,prompt,1,0.9,0.6,0.1,0,
biased,category,hobby,0.1,0.5,0.9,,0
open,category,hobby,0.9,0.4,0,0,0
ordered,category,hobby,0.8,0.4,0.1,0.2,0
biased,category,food,0.2,0.5,0.8,0,0
open,category,food,1,0.4,0.1,0,0
ordered,category,food,0.7,0.4,0.2,0,0
"""


def lines(path):
    """The objects of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def reply(requests, answers):
    """Write replies beside requests: what each gives for a request, by model."""
    path = requests.with_name("replies.jsonl")
    made = [
        {"request_id": request["request_id"], "model": model, "reply": text}
        for request in lines(requests)
        for model, text in answers(request).items()
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in made), encoding="utf-8")
    return path


def letter(request):
    """The letter of the role that a continuation has; one reply is none, one is a text."""
    role = MODELS[request["model"]]
    at = request["roles"].index(role[(request["version"] == "b") % len(role)])
    odd = {"1": "Both, I think.", "2": request["choices"][at]}.get(request["filling"])
    return {"judge": odd if odd and request["question"] == "cnt" else f"({'ABC'[at]})"}


@pytest.fixture
def work(tmp_path):
    """A workspace of three templates, in two categories."""
    return Path(shutil.copytree(GIVEN, tmp_path / "work"))


def test_from_the_bank_to_scores(work, as_written):
    """Two sets, in two epochs, of five models of known stories, read by a judge."""
    ws = Workspace(work)
    stories.build(ws, [1, 2])
    asked = stories.prepare(ws, prompt_ids=["1", "4"], epochs=2)
    told = reply(
        asked["file"],
        lambda request: {model: f"<think>?</think>It is {model}.\n" for model in MODELS},
    )
    judged = stories.ask(ws, [told], prompt_id="3")
    read = reply(judged["file"], letter)
    other = work / "other.jsonl"
    one = {**lines(read)[0], "messages_hash": "00000000000000ff"}
    other.write_text(json.dumps(one), encoding="utf-8")
    with pytest.raises(CurateError, match="1 of 1 replies answer other requests with the same ids"):
        stories.readings(ws, [other], requests=judged["file"])
    other.unlink()
    table = stories.readings(ws, [read])["file"]
    stories.score(ws, table, out=work / "scores")
    (work / "qa.csv").write_text(QA, encoding="utf-8")
    stories.evaluators(work / "qa.csv", work / "ranking.csv", workspace=ws)
    stories.compare(ws, work / "qa.csv", work / "scores" / "scores.csv", out=work / "compared")
    as_written("way.txt")
