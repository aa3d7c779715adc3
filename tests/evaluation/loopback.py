"""A server on this machine that speaks OpenAI's chat completions, with personas and faults.

Nothing leaves 127.0.0.1. A persona is a function from the body of a request to the text of the
reply. Faults are what happens instead, by the number of the request or by a function. The server
runs in a thread (`serve`), and answers every GET with an empty object.
"""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from aiohttp import web

KEY = "lb88.xyzzy"  # looks like no key: only who knows it can hide it
Body = dict[str, Any]
Persona = Callable[[Body], str]


@dataclass(frozen=True)
class Fault:
    """What happens to a request in place of a reply.

    Attributes:
        status: An HTTP status other than 200, with an error object as the protocol has it.
        headers: More headers, such as Retry-After.
        code: The error object's code.
        message: The error object's message.
        raw: The reply's body as it is, in place of an object.
        drop: The connection is closed before a byte of the reply.
        cut: The connection is closed in the middle of the reply.
        hang: Seconds in which nothing comes; then the connection is closed.
        latency: Seconds that this reply takes more.
        pace: Seconds between two bytes of the body.
        wire: All that is sent, in place of HTTP; then the connection is closed.
        change: Makes another reply of the right one.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    code: str | None = None
    message: str = "no"
    raw: bytes | None = None
    drop: bool = False
    cut: bool = False
    hang: float = 0
    latency: float = 0
    pace: float = 0
    wire: bytes | None = None
    change: Callable[[Body], object] | None = None


def status(number, retry_after=None, **more):
    """Make a fault of an HTTP status, with or without Retry-After."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Fault(status=number, headers=headers, **more)


def _filtered(reply):
    choice = reply["choices"][0]
    stopped = {**choice, "finish_reason": "content_filter"}
    return {**reply, "choices": [{**stopped, "message": {"role": "assistant", "content": None}}]}


MALFORMED = Fault(raw=b'{"id": "x", "choices": [{"mess')
PAGE = Fault(raw=b"<html><body>Bad gateway</body></html>")
EMPTY = Fault(change=lambda reply: {**reply, "choices": []})
FILTERED = Fault(change=_filtered)
DROP = Fault(drop=True)
CUT = Fault(cut=True)
HANG = Fault(hang=60)
SLOW = Fault(pace=0.02)
"""A byte at a time; the whole takes some seconds."""
HALF_CHUNKS = Fault(
    wire=b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    b'10\r\n{"choices": [{"m\r\n'
)
HALF_STREAM = Fault(
    wire=b"HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\n\r\n"
    b'data: {"choices": [{"delta": {"content": "A"}}]}\n\ndata: {"choi'
)
NO_HTTP = Fault(wire=b"+OK ready\r\n\r\n")

Faults = Mapping[int, Fault] | Callable[[int, Body], Fault | None]


def last_words(body):
    """Give what the request's last message says: tests know their requests by it."""
    return str(body["messages"][-1]["content"])


@dataclass
class Loopback:
    """What the server does, and what it did.

    Attributes:
        persona: What it replies.
        faults: By the number of the request from 1, or a function of number and body.
        latency: Seconds that every reply takes.
        holds: Says by the number of a request whether its reply is held back for now, so that
            what a test does in the middle of a run comes in its middle on every machine.
        key: The key that it wants; None for any.
        usage: Tokens of a request: by default a token for every four characters.
        url: Its address, with the protocol's path.
        bodies: Every body that arrived, in order.
        times: When each body arrived, on the clock of `time.monotonic`.
        keys: The keys that were sent.
        headers: The headers of every request, names in lower case.
        paths: The path of every request.
        most_at_once: The most requests that were open at the same time.
    """

    persona: Persona = lambda _body: "A"
    faults: Faults = field(default_factory=dict)
    latency: float = 0
    holds: Callable[[int], bool] = lambda _number: False
    key: str | None = None
    usage: Callable[[Body, str], Body | None] = lambda body, text: {
        "prompt_tokens": max(1, len(last_words(body)) // 4),
        "completion_tokens": max(1, len(text) // 4),
    }
    url: str = ""
    bodies: list[Body] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    most_at_once: int = 0
    open: int = 0

    def fault(self, number, body, sent):
        """Say what happens to a request that came with a header of authorization."""
        if self.key is not None and sent != f"Bearer {self.key}":
            return status(401, message=f"Incorrect API key provided: {sent}")
        return self.faults(number, body) if callable(self.faults) else self.faults.get(number)

    def reply(self, number, body):
        text = self.persona(body)
        reply = {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 1767225600,
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text, "refusal": None},
                    "logprobs": None,
                    "finish_reason": "stop",
                }
            ],
        }
        used = self.usage(body, text)
        if used is not None:
            total = used["prompt_tokens"] + used["completion_tokens"]
            reply["usage"] = {**used, "total_tokens": total}
        return reply


async def _answer(state, request):
    """Answer a request, or have happen to it what is to happen."""
    if request.method == "GET":
        return web.json_response({})
    state.headers.append({name.lower(): value for name, value in request.headers.items()})
    state.paths.append(request.path_qs)
    body = await request.json()
    state.bodies.append(body)
    state.times.append(time.monotonic())
    number = len(state.bodies)
    sent = request.headers.get("authorization", "")
    state.keys.add(sent)
    fault = state.fault(number, body, sent) or Fault()
    state.open += 1
    state.most_at_once = max(state.most_at_once, state.open)
    try:
        await asyncio.sleep(state.latency + fault.latency + fault.hang)
        while state.holds(number):
            await asyncio.sleep(0.002)
        return await _finished(state, number, body, fault, request)
    finally:
        state.open -= 1


async def _finished(state, number, body, fault, request):
    if fault.hang or fault.drop:
        request.transport.abort()
        return web.Response()
    if fault.wire is not None:
        request.transport.write(fault.wire)
        request.transport.close()
        return web.Response()
    if fault.status != 200:
        reply = {"error": {"message": fault.message, "type": "error", "code": fault.code}}
    else:
        reply = state.reply(number, body)
        reply = reply if fault.change is None else fault.change(reply)
    data = fault.raw or json.dumps(reply, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(data))}
    answer = web.StreamResponse(status=fault.status, headers={**headers, **fault.headers})
    await answer.prepare(request)
    for part in [data[at : at + 1] for at in range(len(data))] if fault.pace else [data]:
        await answer.write(part[: len(part) // 2] if fault.cut else part)
        await asyncio.sleep(fault.pace)
    if fault.cut:
        request.transport.close()
    return answer


async def started(state, port=0):
    """Start the server in the loop that is under way."""
    server = web.Server(partial(_answer, state), handler_cancellation=True)
    runner = web.ServerRunner(server, shutdown_timeout=0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, backlog=1024).start()
    state.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    return runner


@contextmanager
def serve(**settings):
    """Run a server in a thread while the block lasts.

    Args:
        settings: Of `Loopback`.
    """
    state = Loopback(**settings)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    runner = asyncio.run_coroutine_threadsafe(started(state), loop).result(60)
    try:
        yield state
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()
