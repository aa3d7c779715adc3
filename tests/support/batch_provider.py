"""A server on this machine that takes batches by OpenAI's and by Anthropic's protocol."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "batchkey.4711"
Answer = Callable[[str, dict[str, Any]], str | None]


@dataclass
class Provider:
    """What the server holds, and what goes wrong.

    Attributes:
        answer: From custom id and body to the reply; None where the request fails.
        looks: How often a batch is looked at before it is done.
        ends: How batches end, by OpenAI's names.
        faults: By method and path, what happens to the first such requests in place of a reply: a
            status, `drop` before anything is done, `lose` after it was done.
        url: Its address.
        files: Uploaded files by name.
        batches: Batches by name, in the order in which they came.
        keys: What keys were sent.
        paths: Every method and path that was asked.
    """

    answer: Answer = lambda _name, _body: "A"
    looks: int = 0
    ends: str = "completed"
    faults: dict[str, list[int | str]] = field(default_factory=dict)
    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    paths: list[str] = field(default_factory=list)

    def handle(self, path: str, body: bytes, kind: str) -> object:
        """Do what a request asks, and give the reply: an object, or bytes."""
        if path == "/v1/files":
            boundary = kind.partition("boundary=")[2].encode()
            parts = body.split(b"--" + boundary)
            name = f"file-{len(self.files) + 1}"
            (data,) = (
                part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
                for part in parts
                if b"filename=" in part
            )
            assert any(b'name="purpose"' in part and b"batch" in part for part in parts)
            self.files[name] = data
            return {"id": name}
        if path == "/v1/batches" and body:
            order = json.loads(body)
            assert order["endpoint"] == "/v1/chat/completions"
            lines = self.files[order["input_file_id"]].splitlines()
            return self._openai(self._new("batch_", [json.loads(line) for line in lines], order))
        if path == "/v1/batches":
            newest = [self._openai(item) for item in reversed(self.batches.values())]
            return {"data": newest, "has_more": False}
        if path == "/v1/messages/batches" and body:
            return self._anthropic(self._new("msgbatch_", json.loads(body)["requests"], {}))
        if path == "/v1/messages/batches":
            newest = [self._anthropic(item) for item in reversed(self.batches.values())]
            return {"data": newest, "has_more": False}
        if found := re.fullmatch(r"/v1/messages/batches/(\w+)/results", path):
            return self._results(self.batches[found[1]], self._claude)
        if found := re.fullmatch(r"/v1/messages/batches/(\w+)", path):
            return self._anthropic(self._looked(found[1]))
        if found := re.fullmatch(r"/v1/batches/(\w+)", path):
            return self._openai(self._looked(found[1]))
        if found := re.fullmatch(r"/v1/files/(\w+)-(out|err)/content", path):
            item = self.batches[found[1]]
            return self._results(item, self._gpt, failed=found[2] == "err")
        raise KeyError(path)

    def _new(self, prefix: str, requests: list[Any], order: dict[str, Any]) -> dict[str, Any]:
        name = f"{prefix}{len(self.batches) + 1}"
        self.batches[name] = {"id": name, "requests": requests, "looks": 0, "order": order}
        return self.batches[name]

    def _looked(self, name: str) -> dict[str, Any]:
        item = self.batches[name]
        item["looks"] += 1
        return item

    def _replies(self, item: dict[str, Any]) -> list[tuple[str, dict[str, Any], str | None]]:
        found = []
        for request in item["requests"]:
            body = request.get("body") or request["params"]
            found.append((request["custom_id"], body, self.answer(request["custom_id"], body)))
        return found

    def _openai(self, item: dict[str, Any]) -> dict[str, Any]:
        done = item["looks"] > self.looks
        replies = [reply for _, _, reply in self._replies(item)]
        out = done and self.ends in ("completed", "expired")
        return {
            "id": item["id"],
            "status": self.ends if done else "in_progress",
            "created_at": 4_000_000_000,
            "metadata": item["order"].get("metadata"),
            "request_counts": {
                "total": len(replies),
                "completed": sum(reply is not None for reply in replies) if done else 0,
                "failed": sum(reply is None for reply in replies) if done else 0,
            },
            "output_file_id": f"{item['id']}-out" if out and any(replies) else None,
            "error_file_id": f"{item['id']}-err" if out and None in replies else None,
            "errors": {"data": [{"message": f"too much for {KEY}"}]}
            if done and self.ends == "failed"
            else None,
        }

    def _anthropic(self, item: dict[str, Any]) -> dict[str, Any]:
        done = item["looks"] > self.looks
        counts = {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
        counts["succeeded" if done else "processing"] = len(item["requests"])
        return {
            "id": item["id"],
            "processing_status": "ended" if done else "in_progress",
            "created_at": "2026-01-01T00:00:00Z",
            "request_counts": counts,
            # Whoever follows this takes the key to a stranger.
            "results_url": "http://stranger.invalid/results" if done else None,
        }

    def _results(self, item: dict[str, Any], line: Any, *, failed: bool = False) -> bytes:
        found = [
            line(name, body, reply)
            for name, body, reply in self._replies(item)
            if (reply is None) == failed
        ]
        return "".join(f"{json.dumps(value)}\n" for value in found).encode()

    @staticmethod
    def _gpt(name: str, body: dict[str, Any], reply: str | None) -> dict[str, Any]:
        said: dict[str, Any] = {"error": {"message": "no"}}
        if reply is not None:
            choice = {"message": {"content": reply}, "finish_reason": "stop"}
            said = {"model": body["model"], "choices": [choice]}
        response = {"status_code": 400 if reply is None else 200, "request_id": "x", "body": said}
        return {"custom_id": name, "response": response, "error": None}

    @staticmethod
    def _claude(name: str, body: dict[str, Any], reply: str | None) -> dict[str, Any]:
        message = {
            "model": body["model"],
            "content": [{"type": "text", "text": reply}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 9, "output_tokens": 1},
        }
        return {"custom_id": name, "result": {"type": "succeeded", "message": message}}


@contextmanager
def provider(**settings: Any) -> Iterator[Provider]:
    """Run a server in a thread while the block lasts."""
    state = Provider(**settings)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:  # the name that the library calls
            self._answer(b"")

        def do_POST(self) -> None:  # the same
            self._answer(self.rfile.read(int(self.headers["content-length"])))

        def _answer(self, body: bytes) -> None:
            path = self.path.partition("?")[0]
            state.paths.append(f"{self.command} {path}")
            key = self.headers.get("x-api-key") or self.headers.get("authorization", "")
            state.keys.add(str(key))
            faults = state.faults.get(f"{self.command} {path}", [])
            fault = faults.pop(0) if faults else None
            if fault == "drop":
                self.close_connection = True
                return
            if isinstance(fault, int):
                self._send(fault, {"error": {"message": f"no, {key}"}})
                return
            value = state.handle(path, body, self.headers.get("content-type", ""))
            if fault == "lose":
                self.close_connection = True
                return
            self._send(200, value)

        def _send(self, status: int, value: object) -> None:
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
