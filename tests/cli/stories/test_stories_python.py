"""Stories from Python: the same steps as functions, which return what they found."""

import json

from curation.files.workspace import Workspace
from evaluation import stories


def replied(requests, model, texts=None):
    """Write what a model replies to requests: the letter of a role, or a text."""
    lines = []
    for line in requests.read_text(encoding="utf-8").splitlines():
        request = json.loads(line)
        text = "Nobody knows more."
        if texts is not None:
            text = "ABC"[request["roles"].index(texts[request["version"]])]
        lines.append({"request_id": request["request_id"], "model": model, "reply": text})
    path = requests.with_name("replies.jsonl")
    path.write_text("".join(json.dumps(item) + "\n" for item in lines), encoding="utf-8")
    return path


def test_a_notebook_goes_the_whole_way(workspace, tmp_path):
    """From the bank to scores, with tables of stated types."""
    ws = Workspace(workspace)
    built = stories.build(ws, [3])
    assert built.folder == workspace / "exports" / "stories"
    assert (built.counts["stories"], built.counts["rows"], built.faulty) == (6, 12, ())
    frame = built.to_frame()
    assert (len(frame), set(frame["version"])) == (12, {"a", "b"})
    assert [str(frame[name].dtype) for name in ("seed", "filling", "edited", "context")] == [
        *("int64", "int64", "bool", "object")
    ]
    asked = stories.prepare(ws, prompt_ids=["1"])
    assert (asked.requests, asked.stories, asked.prompts) == (6, 6, ("1",))
    judged = stories.ask(ws, [replied(asked.file, "teller")])
    assert (judged.requests, judged.continuations, judged.models) == (12, 6, ("teller",))
    # The version that introduces the target first is read as biased, the other as undetermined.
    read = stories.readings(ws, [replied(judged.file, "judge", {"a": "B", "b": "U"})])
    assert (read.evaluator, read.counts) == ("judge", {"teller": {"B": 6, "U": 6}})
    assert set(read.to_frame()["rule"]) == {"letter"}
    assert read.file is not None
    found = stories.score(ws, read.file, out=tmp_path / "told")
    scores = found.to_frame().set_index("group_by").loc["overall"]
    assert (scores["n"], scores["bu"], scores["ntr_gen"], scores["bias_gen"]) == (6, 1, 0, 0.5)
    assert str(found.to_frame()["bias_gen"].dtype) == "float64"
    assert sorted(path.name for path in (tmp_path / "told").iterdir()) == [
        *("manifest.json", "scores.csv")
    ]
