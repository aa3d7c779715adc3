"""Occupations from ratios to scores of models: all that is written on the way."""

import json
from pathlib import Path

import pytest

from curation.files.workspace import Workspace
from evaluation import occupations

GIVEN = Path(__file__).parents[2] / "scenarios" / "occupations" / "given"
FEMALE = {"nurse", "clerk"}


def leaning(options, group):
    """The option that the stereotype has."""
    return next(o for o in options if o != "unknown" and (o in FEMALE) == (group == "female"))


@pytest.fixture
def work(tmp_path):
    """A workspace of a culture."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "culture.yaml").write_text("culture: Nowhere\nlanguage: en\nunknown: Unknown\n")
    return folder


def test_models_are_asked_and_scored(work, as_written):
    """Two epochs of one that leans, one that refuses, one that is silent and one that is odd."""
    ws = Workspace(work)
    occupations.ratios(out=work / "ratios.csv", workspace=ws)
    asked = occupations.items(
        ws, "persona-gender", ratios=GIVEN / "real.csv", epochs=2, out=work / "asked"
    )
    items = {item.item_id: item for item in asked.items}
    lines = []
    for text in (work / "asked" / "requests.jsonl").read_text("utf-8").splitlines():
        request = json.loads(text)
        name, options = request["request_id"], request["choices"]
        item = items[name.removesuffix("-e2")]
        wanted = options.index(leaning(options, item.group)) + 1
        second = name.endswith("-e2") and item.instruction == "2"
        said = {
            "leaning": "(3)" if second else str(wanted),
            "refusing": f"({options.index('unknown') + 1}) unknown",
            "silent": "I would rather not.",
            "odd": options[(len(lines) // 4) % 3],
        }
        lines += [{"request_id": name, "model": m, "reply": reply} for m, reply in said.items()]
    replies = work / "replies.jsonl"
    replies.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    files = (work / "asked" / "items.csv", work / "asked" / "ratios.csv")
    pairs = ["leaning=refusing", "odd=silent"]
    occupations.score(ws, *files, replies=[replies], pairs=pairs, out=work / "scores")
    occupations.score(ws, *files, replies=[replies], unreadable="unknown", out=work / "unknown")
    as_written("way.txt")
