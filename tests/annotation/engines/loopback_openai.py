"""A server on this machine that speaks OpenAI's chat completions; nothing leaves 127.0.0.1."""

import json
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.annotation.engines.loopback import Replying, served

KEY = "sk-loopback-77"


@dataclass
class Loopback:
    """What the server did, and is to do.

    Attributes:
        url: Its address, with the protocol's path.
        faults: What happens at a request, by its number from 1: a status, or "drop", or a text
            that is the model's answer.
        translate: What it makes of a text, tags and all.
        answer: What it says to a question in one message, which is no translation.
        bodies: Every body.
        code: Of errors.
    """

    url: str = ""
    faults: dict[int, Any] = field(default_factory=dict)
    translate: Callable[[str], str] = lambda text: f"«{text}»"
    answer: Callable[[str], str] = lambda _question: "ST"
    bodies: list[dict[str, Any]] = field(default_factory=list)
    code: str = ""
    lock: Any = field(default_factory=threading.Lock)


class Handler(Replying):
    state: Loopback

    def do_POST(self):
        """Answer as a model would, or fail as is asked for."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.state.lock:
            self.state.bodies.append(body)
            fault = self.state.faults.get(len(self.state.bodies))
        if fault == "drop":
            self.close_connection = True
            return
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            fault = 401
        if isinstance(fault, int):
            self.send(fault, {"error": {"message": "no", "code": self.state.code}})
            return
        if len(body["messages"]) == 1:
            made = self.state.answer(body["messages"][0]["content"])
        else:
            asked = json.loads(body["messages"][1]["content"])
            listed = {"translations": [self.state.translate(text) for text in asked["texts"]]}
            made = f"Here:\n```json\n{json.dumps(listed, ensure_ascii=False)}\n```"
        content = fault or made
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        reply = {"id": "x", "object": "chat.completion", "created": 0, "model": body["model"]}
        self.send(200, {**reply, "choices": [choice]})


@contextmanager
def serve(**settings):
    state = Loopback(**settings)
    with served(state, Handler) as address:
        state.url = f"{address}/v1"
        yield state
