"""`curate push passages` and `curate pull passages`: readers of stories in Label Studio."""

import json

import pytest
from csv_rows import read_rows

from tests.annotation.labelstudio.fake import choices, text

pytestmark = pytest.mark.usefixtures("server")
STORIES = ("evaluate", "stories")

OF_STORY = ("question", "version", "seed", "prompt_id", "filling", "story_id")


@pytest.fixture
def asked(workspace):
    """What an evaluator is asked about twelve passages of two models, in the usual place."""
    path = workspace / "exports" / "story_readings" / "requests.jsonl"
    path.parent.mkdir(parents=True)
    roles = ["BCU", "CUB", "UBC"]
    lines = [
        {
            "request_id": f"craft-{at:03d}-{model}",
            "model": model,
            "template_id": f"craft-{at:03d}",
            "story": f"Story {at} by somebody.",
            "asked": "Who hums?",
            "choices": [f"choice {role}" for role in roles[at % 3]],
            "roles": list(roles[at % 3]),
            "labels": list("ABC"),
            **dict.fromkeys(OF_STORY, "1"),
            "messages": [{"role": "user", "content": "..."}],
        }
        for model in ("m", "n")
        for at in range(6)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with (workspace / "culture.yaml").open("a", encoding="utf-8") as settings:
        settings.write("stories: {passages: 8}\n")
    return path


def push(curate, workspace, *options):
    """Push and give what was printed; it must succeed."""
    ran = curate("push", "passages", "-w", workspace, "--json", *options)
    assert (ran.code, ran.err) == (0, "")
    return ran.json["projects"]


def answer(data, role):
    """Choose what has a role, as the page stores it."""
    code = next(o["alias"] for o in data["options"] if o["value"].endswith(f"choice {role}"))
    return [choices("answer", code), text("remark", "easy")]


def test_readings_from_the_server_join_those_of_workbooks(curate, workspace, asked, server):
    """The same draw, the same file, the same agreement; who wrote a story is not told."""
    [pushed] = push(curate, workspace)
    assert (pushed["tasks"], ("create", 2) in server.calls) == (8, True)
    data = [task["data"] for task in server.tasks[1].values()]
    sent = json.dumps(data)
    assert "craft-" not in sent
    assert not any("model" in item or "roles" in item for item in data)
    for at, item in enumerate(data):
        server.annotate(1, item["uid"], 1, answer(item, "BCU"[at % 3]))
        server.annotate(1, item["uid"], 2, answer(item, "B"))
    ran = curate("pull", "passages", "-w", workspace, "--json")
    assert (ran.code, ran.json["rows"]) == (0, 16)
    rows = read_rows(workspace / "annotations" / "stories_readers.csv")
    assert {row["remark"] for row in rows} == {"easy"}
    assert {row["source_file"] for row in rows} == {"labelstudio:1"}
    names = sorted({row["reader"] for row in rows})
    first = {row["request_id"]: row["reading"] for row in rows if row["reader"] == names[0]}
    second = {row["request_id"]: row["reading"] for row in rows if row["reader"] == names[1]}
    sheets = curate(*STORIES, "sheet", "-w", workspace, "--reader", "Mina", "--json")
    assert sheets.code == 0
    by_story = {
        line["story"]: line for line in map(json.loads, asked.read_text("utf-8").splitlines())
    }
    drawn = {by_story[item["story"]]["template_id"] for item in data}
    assert {name.rsplit("-", 1)[0] for name in first} == drawn
    assert sorted([*first.values(), *second.values()]).count("B") == 8 + 3
    people = workspace / "annotations" / "stories_readers.csv"
    agreed = curate(*STORIES, "score", "--people", people, "-w", workspace, "--json")
    agreed = agreed.json["agreement"]
    assert agreed["passages"] == 8
    assert agreed["pairs"][0]["agree"] == 3
    again = curate("pull", "passages", "-w", workspace, "--json")
    assert again.json["rows"] == 16
    assert read_rows(workspace / "annotations" / "stories_readers.csv") == rows
    task = next(iter(server.tasks[1].values()))
    task["annotations"].pop()
    [gone] = curate("pull", "passages", "-w", workspace, "--json").json["findings"]
    assert task["data"]["uid"] in gone["message"]
    assert read_rows(workspace / "annotations" / "stories_readers.csv") == rows
