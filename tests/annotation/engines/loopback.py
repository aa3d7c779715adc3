"""A server on this machine that speaks DeepL's protocol, and fails in DeepL's ways on request.

It bills as DeepL does: the code points of the source outside tags. What was billed, and every
body, can be looked at. Nothing leaves 127.0.0.1.
"""

import json
import re
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree as ET

from tests.support.site_on_loopback import serving

KEY = "loopback-key-5f0c"
TAG = re.compile(r'<x id="(\d+)"(?:/>|>[^<]*</x>)')
MOST_BYTES = 128 * 1024
DROPPED = 0, ""
DAMAGE = {
    "moved": lambda text: "".join(m[0] + " " for m in TAG.finditer(text)) + TAG.sub("", text),
    "dropped": lambda text: TAG.sub("", text, count=1),
    "doubled": lambda text: TAG.sub(lambda m: m[0] + " " + m[0], text, count=1),
    "filled": lambda text: TAG.sub(r'<x id="\1">them</x>', text),
    "renamed": lambda text: TAG.sub(r'<y id="\1"/>', text),
    "unknown": lambda text: TAG.sub('<x id="99"/>', text),
    "glued": lambda text: text.replace(" <x", "<x"),
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
        glossaries: By id, with name, pair and entries (TSV).
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
    lock: Any = field(default_factory=threading.Lock)

    def reply_to(self, text):
        """Translate one text, and damage it if that is asked for."""
        pieces = re.split(r'(<x id="\d+"(?:/>|>[^<]*</x>))', text)
        out = "".join(piece if at % 2 else self._words(piece) for at, piece in enumerate(pieces))
        is_damaged = self.damage and (self.damage_filled or not re.search(r'<x id="\d+">', text))
        return DAMAGE[self.damage](out) if is_damaged else out

    def _words(self, piece):
        words = piece.strip()
        return piece.replace(words, self.translate(words)) if words else piece

    def answer(self, method, path, token, sent):
        """The status and the content of a reply."""
        if token != f"DeepL-Auth-Key {KEY}":
            return 403, '{"message": "no key"}'
        if method == "POST":
            body = json.loads(sent)
            made = self.made if path == "/v3/glossaries" else self.translated
            status, value = made(body, len(sent))
        else:
            status, value = self.told(urlsplit(path))
        return status, json.dumps(value) if status else ""

    def told(self, path):
        parts = path.path.strip("/").split("/")
        if parts == ["v2", "usage"]:
            return 200, {"character_count": self.billed, "character_limit": 500_000}
        if parts == ["v3", "glossaries"]:
            return 200, {"glossaries": [self.glossary(key) for key in self.glossaries]}
        query, entries = parse_qs(path.query), self.glossaries[parts[2]]["entries"]
        pair = {name: query.get(name, [""])[0] for name in ("source_lang", "target_lang")}
        return 200, {"dictionaries": [{**pair, "entries": entries, "entries_format": "tsv"}]}

    def glossary(self, key):
        held = self.glossaries[key]
        told = {**held["pair"], "entry_count": len(held["entries"].splitlines())}
        return {"glossary_id": key, "name": held["name"], "dictionaries": [told]}

    def made(self, body, _size):
        (held,) = body["dictionaries"]
        key = f"glossary-{len(self.glossaries) + 1}"
        pair = {name: held[name] for name in ("source_lang", "target_lang")}
        self.glossaries[key] = {"name": body["name"], "pair": pair, "entries": held["entries"]}
        return 201, self.glossary(key)

    def translated(self, body, size):
        with self.lock:
            self.bodies.append(body)
            fault = self.faults.get(len(self.bodies))
        fault = fault() if callable(fault) else fault
        if fault == "drop":
            return DROPPED
        status = fault if isinstance(fault, int) else 413 if size > MOST_BYTES else 200
        if status != 200:
            return status, {"message": f"no ({status})"}
        counts = [characters(text) for text in body["text"]]
        with self.lock:
            self.billed += sum(counts)
        if fault == "drop after":
            return DROPPED
        time.sleep(self.latency)
        rows = [
            {"detected_source_language": "EN", "text": self.reply_to(text), "billed_characters": n}
            for text, n in zip(body["text"], counts, strict=True)
        ]
        if fault == "one less":
            del rows[1]
        if isinstance(fault, str) and fault.startswith("-"):
            for name in fault[1:].split():
                del rows[0][name]
        return 200, {"translations": [] if fault == "strange" else rows}


def characters(text):
    return len("".join(ET.fromstring(f"<r>{text}</r>").itertext()))  # noqa: S314  # our own


@contextmanager
def serve(**settings):
    """Run a server that speaks DeepL's protocol while the block lasts."""
    state = Loopback(**settings)
    with serving() as site:
        site.answer_to, state.url = state.answer, site.url
        yield state
