"""Requests, plans, and results as providers write them."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from evaluation.batch.folder import read_rounds
from evaluation.batch.formats import LIMITS, Format, Limits, Order
from evaluation.batch.reading import take_results
from evaluation.batch.writing import Plan, write_batches
from evaluation.runner.index import index_requests
from evaluation.runner.reply_file import read_standing
from evaluation.runner.store import Store


def write(path, objects, end="\n"):
    """Write JSON lines."""
    path.write_text("\n".join(map(json.dumps, objects)) + end, encoding="utf-8")
    return path


def completion(text="A", **more):
    """Make a chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    choice["finish_reason"] = "stop"
    usage = {"prompt_tokens": 7, "completion_tokens": 1}
    return {"id": "c", "model": "m", "choices": [choice], "usage": usage, **more}


def done(name, text="A", **more):
    """Make a result of OpenAI's."""
    response = {"status_code": 200, "request_id": "x", "body": completion(text, **more)}
    return {"id": "batch_req_1", "custom_id": name, "response": response, "error": None}


def failed(name, status=500, message="no"):
    """Make a line of OpenAI's file of errors."""
    body = {"error": {"message": message, "code": None}}
    response = {"status_code": status, "request_id": "x", "body": body}
    return {"id": "batch_req_1", "custom_id": name, "response": response, "error": None}


def expired(name):
    """Make a line of OpenAI's for a request that its batch had no time for."""
    error = {"code": "batch_expired", "message": "out of time"}
    return {"id": "batch_req_1", "custom_id": name, "response": None, "error": error}


@dataclass
class Desk:
    """A folder with requests, replies, a store and batches.

    Attributes:
        folder: The folder.
        order: What is asked.
        limits: Of a batch file.
    """

    folder: Path
    order: Order = field(default_factory=lambda: Order(Format.OPENAI, "m", {"max_tokens": 4}))
    limits: Limits = LIMITS[Format.OPENAI]

    @property
    def replies(self):
        """The file of replies."""
        return self.folder / "replies.jsonl"

    @property
    def requests(self):
        """The file of requests."""
        return self.folder / "requests.jsonl"

    @property
    def batches(self):
        """The folder of batches."""
        return self.folder / "batches"

    def ask(self, *texts, names=()):
        """Write requests `r0`, `r1` and so on."""
        names = names or [f"r{at}" for at in range(len(texts))]
        write(
            self.requests,
            [
                {"request_id": name, "messages": [{"role": "user", "content": text}]}
                for name, text in zip(names, texts, strict=True)
            ],
        )

    def write(self, *, again=False):
        """Write batches."""
        plan = Plan(self.order, self.limits, self.batches, self.replies, again)
        with (
            index_requests(
                self.requests,
                self.order.model,
                self.order.parameters,
                draws=bool(self.order.parameters.get("temperature")),
            ) as index,
            Store(self.folder / "store.sqlite") as store,
        ):
            standing = read_standing(self.replies, index, self.order.model, store.put)
            return write_batches(plan, index, standing.done, store)

    def read(self, *paths, accepted=()):
        """Read results."""
        rounds = read_rounds(self.batches)
        with Store(self.folder / "store.sqlite") as store:
            return take_results(paths, rounds, self.replies, store, accepted)

    def results(self, *objects, name="out.jsonl", end="\n"):
        """Write a file of results."""
        return write(self.folder / name, objects, end)

    def asked(self, number=1, file=1):
        """Give the custom ids of a batch file of OpenAI's."""
        path = self.batches / f"{number:03d}" / f"openai-{file:03d}.jsonl"
        return [json.loads(line)["custom_id"] for line in path.read_text().splitlines()]

    def lines(self):
        """Give the file of replies."""
        if not self.replies.exists():
            return []
        return [json.loads(line) for line in self.replies.read_text().splitlines()]

    def said(self):
        """Give the replies by request; no request occurs twice."""
        found = {line["request_id"]: line["reply"] for line in self.lines()}
        assert len(found) == len(self.lines())
        return found


@pytest.fixture
def desk(tmp_path):
    """A folder with nothing in it."""
    return Desk(tmp_path)


@pytest.fixture(scope="session")
def lines():
    """Makers of results."""
    makers = {"done": done, "failed": failed, "expired": expired}
    return {**makers, "completion": completion}
