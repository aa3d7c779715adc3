"""A server on this machine that speaks OpenAI's chat completions, with personas and faults.

Nothing leaves 127.0.0.1. A persona is a function from the body of a request to the text of the
reply. Faults are what happens instead, by the number of the request or by a function. The server
runs in a thread (`serve`), and answers every GET with an empty object.
"""

import asyncio
import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

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
        tls: Speaks TLS with it; None for plain HTTP.
        most_at_once: The most requests that were open at the same time.
        connections: The connections that are open.
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
    tls: ssl.SSLContext | None = None
    most_at_once: int = 0
    open: int = 0
    connections: set["_Connection"] = field(default_factory=set)

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


class _Connection(asyncio.Protocol):
    """One connection: HTTP/1.1, one request at a time, kept open."""

    def __init__(self, state):
        self._state = state
        self._buffer = b""
        self._transport = None
        self._tasks = set()

    def connection_made(self, transport):
        self._transport = transport
        self._state.connections.add(self)

    def connection_lost(self, exc):
        self._state.connections.discard(self)
        for task in self._tasks:
            task.cancel()

    def abort(self):
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data):
        self._buffer += data
        head, sep, rest = self._buffer.partition(b"\r\n\r\n")
        if not sep:
            return
        lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines[1:])
        }
        length = int(headers.get("content-length", "0"))
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        if lines[0].startswith("GET"):
            self._send(200, b"{}", "application/json", {})
            return
        self._state.headers.append(headers)
        self._state.paths.append(lines[0].split(" ")[1])
        body = json.loads(rest[:length])
        task = asyncio.get_running_loop().create_task(self._answer(body, headers))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, body, headers):
        state = self._state
        state.bodies.append(body)
        state.times.append(time.monotonic())
        number = len(state.bodies)
        sent = headers.get("authorization", "")
        state.keys.add(sent)
        fault = state.fault(number, body, sent) or Fault()
        state.open += 1
        state.most_at_once = max(state.most_at_once, state.open)
        try:
            if state.latency + fault.latency:
                await asyncio.sleep(state.latency + fault.latency)
            while state.holds(number):
                await asyncio.sleep(0.002)
            await self._finish(number, body, fault)
        finally:
            state.open -= 1

    async def _finish(self, number, body, fault):
        if fault.hang:
            await asyncio.sleep(fault.hang)
        if fault.hang or fault.drop:
            self._transport.abort()
            return
        if fault.wire is not None:
            self._transport.write(fault.wire)
            self._transport.close()
            return
        kind = "application/json"
        if fault.status != 200:
            error = {"message": fault.message, "type": "error", "code": fault.code}
            data = fault.raw or json.dumps({"error": error}).encode()
            self._send(fault.status, data, kind, fault.headers)
            return
        reply = self._state.reply(number, body)
        if fault.change is not None:
            reply = fault.change(self._state.reply(number, body))
        data = fault.raw or json.dumps(reply, ensure_ascii=False).encode()
        if fault.pace:
            head = f"HTTP/1.1 200 X\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n\r\n"
            self._transport.write(head.encode())
            for at in range(len(data)):
                self._transport.write(data[at : at + 1])
                await asyncio.sleep(fault.pace)
            return
        self._send(200, data, kind, fault.headers, cut=fault.cut)

    def _send(self, code, data, kind, headers, *, cut=False):
        lines = [f"HTTP/1.1 {code} X", f"Content-Type: {kind}", f"Content-Length: {len(data)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        sent = data[: len(data) // 2] if cut else data
        self._transport.write("\r\n".join([*lines, "", ""]).encode() + sent)
        if cut:
            self._transport.close()


async def _run(state, ready):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: _Connection(state), "127.0.0.1", 0, backlog=1024, ssl=state.tls
    )
    scheme = "http" if state.tls is None else "https"
    state.url = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    done = asyncio.Event()
    ready(done)
    await done.wait()
    server.close()
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    while state.connections:  # one that was under way may come yet
        for connection in list(state.connections):
            connection.abort()
        await asyncio.sleep(0)
    await server.wait_closed()


@contextmanager
def serve(**settings):
    """Run a server in a thread while the block lasts.

    Args:
        settings: Of `Loopback`.
    """
    state = Loopback(**settings)
    started = threading.Event()
    held = {}

    def run():
        loop = asyncio.new_event_loop()

        def ready(done):
            held.update(loop=loop, done=done)
            started.set()

        loop.run_until_complete(_run(state, ready))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while not started.wait(0.1):
        assert thread.is_alive(), "the server has not started"
    try:
        yield state
    finally:
        held["loop"].call_soon_threadsafe(held["done"].set)
        thread.join(60)
        assert not thread.is_alive(), "the server has not ended"
