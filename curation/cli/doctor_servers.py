"""What `curate doctor` sees of the servers that the environment names."""

import json
import os
from collections.abc import Iterator
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import build_opener

from curation.cli.doctor_machine import Seen, State
from curation.io.labelstudio.settings import URL_VARIABLE

_PART = "Servers"
_TIMEOUT = 5.0  # seconds
_LONGEST = 100_000  # bytes of an answer
_SERVERS = {
    URL_VARIABLE: ("Label Studio", "api/version"),
    "OPENAI_BASE_URL": ("models", "models"),
    "DEEPL_SERVER_URL": ("DeepL", ""),
}
"""By variable, what the server is for, and what it is asked for."""


def look_at_servers(*, offline: bool) -> Iterator[Seen]:
    """Knock at each server that is named; no key is sent, and any answer will do."""
    for variable, (what, path) in _SERVERS.items():
        address = os.environ.get(variable, "").strip()
        if not address:
            yield Seen(_PART, variable, State.NONE, f"not set; {what}")
            continue
        shown = _shown(address)
        if not shown:
            hint = "write it such as http://127.0.0.1:8080, without name and password"
            yield Seen(_PART, variable, State.BROKEN, "no web address that can be used", hint)
        elif offline:
            yield Seen(_PART, variable, State.OK, f"{shown}, not asked")
        else:
            yield _knock(variable, shown, path)


def _shown(address: str) -> str:
    """Give an address as it can be shown; empty where it is none, or holds a password."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host or parts.username or parts.query:
        return ""
    return address.rstrip("/")


def _knock(variable: str, address: str, path: str) -> Seen:
    try:
        with build_opener().open(f"{address}/{path}", timeout=_TIMEOUT) as answer:
            text = answer.read(_LONGEST).decode("utf-8", "replace")
    except HTTPError as error:
        error.close()
        if error.code < 500:  # it wants a key, or has nothing at this path: it is there
            return Seen(_PART, variable, State.OK, f"{address} answers")
        text = f"{address} answers with status {error.code}"
        return Seen(_PART, variable, State.BROKEN, text, "look into the server's own log")
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        text = f"{address} does not answer ({type(reason).__name__})"
        hint = "start the server, or check the address, the proxy and the network"
        return Seen(_PART, variable, State.BROKEN, text, hint)
    return Seen(_PART, variable, State.OK, f"{address} answers{_version(text)}")


def _version(text: str) -> str:
    """Give the version that Label Studio tells everybody."""
    try:
        found = json.loads(text)
        release = found["release"]
    except (ValueError, TypeError, KeyError):
        return ""
    fits = isinstance(release, str) and len(release) < 30 and release.isprintable()
    return f", release {release}" if fits else ""
