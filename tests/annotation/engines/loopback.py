"""A server on this machine that speaks DeepL's protocol, and fails in DeepL's ways on request.

It bills as DeepL does: the code points of the source outside tags. What was billed, and every
body, can be looked at. Nothing leaves 127.0.0.1.
"""

import json
import re
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree as ET

KEY = "loopback-key-5f0c"
TAG = re.compile(r'<x id="(\d+)"(?:/>|>[^<]*</x>)')
MOST_BYTES = 128 * 1024
DAMAGE = {
    "moved": lambda text: "".join(m[0] + " " for m in TAG.finditer(text)) + TAG.sub("", text),
    "dropped": lambda text: TAG.sub("", text, count=1),
    "doubled": lambda text: TAG.sub(lambda m: m[0] + " " + m[0], text, count=1),
    "filled": lambda text: TAG.sub(r'<x id="\1">them</x>', text),
    "renamed": lambda text: TAG.sub(r'<y id="\1"/>', text),
    "unknown": lambda text: TAG.sub('<x id="99"/>', text),
    "glued": lambda text: text.replace(" <x", "<x"),
    "entities": lambda text: text.replace(" ", "&amp;nbsp;", 1),
    "unclosed": lambda text: text.replace("/>", ">"),
    "emptied": lambda _text: "",
}
"""Ways in which an engine damages slots, for texts whose tags are empty."""


@dataclass
class Loopback:
    """What the server did, and is to do.

    Attributes:
        url: Its address.
        faults: What happens at a request for a translation, by its number from 1: a status, or
            "drop" (not billed), "drop after" (billed), "strange" (an odd reply), fields
            that its first text lacks ("-billed_characters"), "one less" (the second text is not
            there), or a function that is called before anything is billed.
        damage: A name of `DAMAGE`, done to every text.
        damage_filled: Whether texts with fillers in their tags are damaged too.
        latency: Seconds before each reply.
        translate: What it makes of the text between tags.
        bodies: Every body of a request for a translation.
        billed: Characters billed.
        glossaries: By id, with name and entries (TSV).
    """

    url: str = ""
    faults: dict[int, Any] = field(default_factory=dict)
    damage: str = ""
    damage_filled: bool = False
    latency: float = 0.0
    translate: Callable[[str], str] = lambda text: f"«{text}»" if text.strip() else text
    bodies: list[dict[str, Any]] = field(default_factory=list)
    billed: int = 0
    glossaries: dict[str, dict[str, Any]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=lambda: {KEY})
    lock: Any = field(default_factory=threading.Lock)
    ended: threading.Event = field(default_factory=threading.Event)

    def reply_to(self, text):
        """Translate one text, and damage it if that is asked for."""
        plain = not re.search(r'<x id="\d+">', text)
        pieces = re.split(r'(<x id="\d+"(?:/>|>[^<]*</x>))', text)
        out = "".join(piece if at % 2 else self._words(piece) for at, piece in enumerate(pieces))
        if self.damage and (self.damage_filled or plain):
            return DAMAGE[self.damage](out)
        return out

    def _words(self, piece):
        lead = piece[: len(piece) - len(piece.lstrip())]
        tail = piece[len(piece.rstrip()) :] if piece.strip() else ""
        return f"{lead}{self.translate(piece.strip())}{tail}" if piece.strip() else piece


def characters(text):
    return len("".join(ET.fromstring(f"<r>{text}</r>").itertext()))  # noqa: S314  # our own


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one write a reply: two would wait for one another
    state: Loopback

    def log_message(self, *_args):
        """Say nothing."""

    def send(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def fail(self, status):
        self.send(status, {"message": f"no ({status})"})

    def refused(self):
        key = self.headers.get("Authorization", "").removeprefix("DeepL-Auth-Key ")
        if key in self.state.keys:
            return False
        self.fail(403)
        return True

    def do_GET(self):
        if self.refused():
            return
        path, state = urlsplit(self.path), self.state
        parts = path.path.strip("/").split("/")
        if parts == ["v2", "usage"]:
            self.send(200, {"character_count": state.billed, "character_limit": 500_000})
        elif parts == ["v3", "glossaries"]:
            self.send(200, {"glossaries": [self.glossary(key) for key in state.glossaries]})
        elif parts[:2] == ["v3", "glossaries"] and parts[2] in state.glossaries:
            query = parse_qs(path.query)
            entries = state.glossaries[parts[2]]["entries"]
            pair = {name: query.get(name, [""])[0] for name in ("source_lang", "target_lang")}
            held = {**pair, "entries": entries, "entries_format": "tsv"}
            self.send(200, {"dictionaries": [held]})
        else:
            self.send(404, {"message": "not found"})

    def glossary(self, key):
        held = self.state.glossaries[key]
        count = len(held["entries"].splitlines())
        return {
            "glossary_id": key,
            "name": held["name"],
            "creation_time": "2026-01-01T00:00:00.000000Z",
            "dictionaries": [{**held["pair"], "entry_count": count}],
        }

    def do_POST(self):
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        if self.refused():
            return
        body = json.loads(raw)
        if self.path == "/v3/glossaries":
            (held,) = body["dictionaries"]
            key = f"glossary-{len(self.state.glossaries) + 1}"
            pair = {"source_lang": held["source_lang"], "target_lang": held["target_lang"]}
            self.state.glossaries[key] = {
                "name": body["name"],
                "pair": pair,
                "entries": held["entries"],
            }
            self.send(201, self.glossary(key))
            return
        self.translations(body, len(raw))

    def translations(self, body, size):
        state = self.state
        with state.lock:
            state.bodies.append(body)
            fault = state.faults.get(len(state.bodies))
        self.answer(body, size, fault)

    def answer(self, body, size, fault):
        state = self.state
        if callable(fault):
            fault = fault()
        if fault == "drop":
            self.close_connection = True
            return
        counts = [characters(text) for text in body["text"]]
        status = fault if isinstance(fault, int) else self.status_of(body, size)
        if status != 200:
            self.fail(status)
            return
        with state.lock:
            state.billed += sum(counts)
        if fault == "drop after":
            self.close_connection = True
            return
        if state.latency:
            state.ended.wait(state.latency)
        rows = [
            {"detected_source_language": "EN", "text": state.reply_to(text), "billed_characters": n}
            for text, n in zip(body["text"], counts, strict=True)
        ]
        if fault == "one less":
            del rows[1]
        if isinstance(fault, str) and fault.startswith("-"):
            for name in fault[1:].split():
                del rows[0][name]
        self.send(200, {"translations": [] if fault == "strange" else rows})

    def status_of(self, body, size):
        if size > MOST_BYTES:
            return 413
        if body.get("formality") in ("more", "less") and body["target_lang"] in ("KO", "ZH", "TR"):
            return 400
        if body.get("glossary_id", "glossary-1") not in (*self.state.glossaries, "glossary-1"):
            return 400
        return 200


@contextmanager
def serve(**settings):
    """Run a server that speaks DeepL's protocol while the block lasts."""
    state = Loopback(**settings)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"state": state}))
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join(60)
        server.server_close()
        state.ended.set()
