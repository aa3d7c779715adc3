"""Requests asked through Inspect: its log comes back as replies, whenever it ended."""

import asyncio
import gc
import json
import shutil
import sys
import zipfile

import pytest
from layouts import write_jsonl

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.replies.files import load_replies
from evaluation.runner.asking import plan_run, run
from evaluation.runner.backend import BackendSettings

pytestmark = [
    pytest.mark.slow,
    # Of Inspect and what it stands on.
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture
def workspace(tmp_path):
    """A workspace with 30 requests, of which two say the same, in two epochs."""
    path = tmp_path / "exports" / "evaluation" / "requests.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        {
            "request_id": f"r{at}" + ("" if epoch == 1 else "-e2"),
            "epoch": epoch,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": f"q{0 if at == 1 else at}"},
            ],
        }
        for epoch in (1, 2)
        for at in range(15)
    ]
    write_jsonl(path, lines)
    return Workspace(tmp_path)


def replies(workspace):
    """The lines of the file of replies; no request has two replies."""
    path = workspace.exports_folder / "evaluation" / "replies.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = {line["request_id"]: line for line in lines if line["reply"] is not None}
    assert len(found) == sum(line["reply"] is not None for line in lines)
    return found


class Mock:
    """What Inspect's mock model replies; some calls fail, and it notes what it was asked."""

    def __init__(self, monkeypatch):
        from inspect_ai.model import ModelOutput, ModelUsage, get_model
        from inspect_ai.model._providers import mockllm

        self.asked = []
        self.failing = set()
        self.schemas = []
        self.addresses = set()
        self.arguments = []
        self.reply = None

        async def output(messages, _tools, _choice, config):
            texts = [message.text for message in messages]
            self.asked.append((texts, config.seed, config.temperature))
            self.schemas.append(config.response_schema)
            if texts[-1] in self.failing:
                raise ValueError(f"no {texts[-1]}\nat all")
            said = f"re: {texts[-1]}" if self.reply is None else await self.reply(texts)
            made = ModelOutput.from_content("mockllm/model", said)
            cached = {"input_tokens_cache_read": 3, "input_tokens_cache_write": 1}
            made.usage = ModelUsage(input_tokens=1, output_tokens=2, total_tokens=7, **cached)
            return made

        first = mockllm.MockLLM.__init__

        def init(model, *args, **more):
            async def said(*given):
                self.arguments.append(more.get("thinking"))
                return await output(*given)

            self.addresses.add(more.get("base_url"))
            first(model, *args, **{**more, "custom_outputs": said})

        monkeypatch.setattr(mockllm.MockLLM, "__init__", init)
        get_model.__globals__["_models"].clear()


@pytest.fixture
def mock(monkeypatch):
    pytest.importorskip("inspect_ai", reason="the extra 'inspect' is not installed")
    yield Mock(monkeypatch)
    gc.collect()  # what Inspect leaves open is not to be found by another test


def ask(workspace, *, concurrency=64, base_url="", **parameters):
    given = {"concurrency": concurrency, "workspace": workspace.root, "base_url": base_url}
    settings = BackendSettings("mockllm/model", parameters, **given)
    return run(plan_run(workspace, "inspect", settings))


def test_requests_are_asked_logged_and_taken_up(workspace, mock):
    """Each once, with what was given; failures are asked again, and a log alone is enough."""
    mock.failing = {"q3"}
    ran = ask(workspace, base_url="http://here:1/v1", temperature=0, seed=7, max_tokens=5)
    assert "http://here:1/v1" in mock.addresses
    assert (ran.tally.answered, ran.tally.from_store, ran.tally.left) == (26, 2, 2)
    assert (ran.tally.input_tokens, ran.tally.output_tokens) == (26 * 5, 26 * 2)
    assert {kind.value: count for kind, count in ran.tally.failed.items()} == {"server": 2}
    assert len(mock.asked) == 28  # those that say the same are asked once an epoch
    assert {(seed, temperature) for _, seed, temperature in mock.asked} == {(7, 0), (8, 0)}
    assert all(texts[0] == "Be brief." for texts, _, _ in mock.asked)
    found = replies(workspace)
    assert found["r0"]["reply"] == found["r1"]["reply"] == "re: q0"
    assert found["r4-e2"]["usage"] == {"input_tokens": 5, "output_tokens": 2}
    assert len(found["r4"]["key"]) == 64
    assert len(found["r4"]["messages_hash"]) == 16
    mock.failing = set()
    again = ask(workspace, temperature=0, seed=7, max_tokens=5)
    assert (again.tally.before, again.tally.answered, again.tally.left) == (28, 2, 0)
    assert len(mock.asked) == 30
    # Neither the store nor the file is there: the logs are.
    (workspace.curate_folder / "replies.sqlite").unlink()
    (workspace.exports_folder / "evaluation" / "replies.jsonl").unlink()
    last = ask(workspace, temperature=0, seed=7, max_tokens=5)
    assert (last.tally.left, len(mock.asked)) == (0, 30)
    assert {name: line["reply"] for name, line in replies(workspace).items()} == {
        **{name: line["reply"] for name, line in found.items()},
        "r3": "re: q3",
        "r3-e2": "re: q3",
    }
    assert len(load_replies([ran.wanted.replies]).frame) == 30


def test_a_killed_run_is_taken_up_from_its_log(workspace, mock, tmp_path, monkeypatch):
    """What a log has that was never finished is not asked again; what was under way is."""
    monkeypatch.setattr("evaluation.runner.backends.inspect._PER_WRITE", 4)
    folder, torn = workspace.curate_folder / "inspect", tmp_path / "torn.eval"

    def logged(path):
        return sum(name.startswith("samples/") for name in zipfile.ZipFile(path).namelist())

    async def copied(texts):
        await asyncio.sleep(0.02)
        (path,) = folder.glob("*.eval")
        if not torn.exists() and logged(path) >= 8:
            shutil.copy(path, torn)  # as a kill leaves it
        return f"re: {texts[-1]}"

    mock.reply = copied
    ask(workspace, concurrency=1, temperature=1)
    first = replies(workspace)
    count = len(mock.asked)
    shutil.rmtree(workspace.curate_folder)
    (workspace.exports_folder / "evaluation" / "replies.jsonl").unlink()
    folder.mkdir(parents=True)
    shutil.move(torn, folder)
    left = 30 - logged(folder / torn.name)
    mock.reply = None
    ran = ask(workspace, concurrency=1, temperature=1)
    assert (ran.tally.answered, ran.tally.left) == (30, 0)
    assert (count, len(mock.asked)) == (30, 30 + left)
    assert 0 < left <= 22
    assert {n: line["reply"] for n, line in replies(workspace).items()} == {
        n: line["reply"] for n, line in first.items()
    }


def test_a_reply_is_constrained_to_the_labels_of_its_request(workspace, mock):
    """By Inspect's own way, which some of its providers know."""
    path = workspace.exports_folder / "evaluation" / "requests.jsonl"
    message = {"role": "user", "content": "Who? (1) x (2) y"}
    line = {"request_id": "r0", "messages": [message], "choices": ["x", "y"]}
    path.write_text(json.dumps(line), encoding="utf-8")
    settings = BackendSettings("mockllm/model", {}, workspace=workspace.root, constrain="schema")
    said = []
    ran = run(plan_run(workspace, "inspect", settings), said.append)
    assert "none of the labels" in said[-1]
    assert ran.tally.answered == 1
    (schema,) = mock.schemas
    assert schema.json_schema.properties["answer"].enum == ["1", "2"]


def test_arguments_of_the_model_are_values_and_other_ones_ask_again(workspace, mock):
    """As Inspect's own command reads them: the text 'false' would count as true."""
    for number, thinking in enumerate(("false", "true"), start=1):
        settings = BackendSettings(
            "mockllm/model", {}, options={"thinking": thinking}, workspace=workspace.root
        )
        replies = workspace.root / f"{number}.jsonl"
        run(plan_run(workspace, "inspect", settings, replies=replies))
        assert mock.arguments == [thinking == "true"] * 30
        mock.arguments.clear()
        assert len(mock.asked) == 30 * number


def test_a_missing_extra_is_named(workspace, monkeypatch):
    """Before anything is read or asked."""
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(CurateError, match="asking through Inspect needs inspect_ai") as caught:
        ask(workspace)
    assert caught.value.hint == "pip install 'curate-bbq[inspect]'"
