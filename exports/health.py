"""Whether a machine and a workspace are in order: packages, keys, servers, files."""

import json
import locale
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from http.client import HTTPException
from importlib import metadata
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import build_opener

from packaging.requirements import Requirement

from curation import DATA_FORMAT, __version__
from curation.annotation.labelstudio.client import URL_VARIABLE
from curation.checks.workspace import check
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.findings import Severity
from curation.records.frames import frame
from curation.records.wording import plural
from survey.bank import final_bank
from survey.settings import decided_with

if TYPE_CHECKING:
    import pandas as pd

_PACKAGE = "curate-bbq"
_EXTRAS = {
    "labelstudio": "push, pull and collect through Label Studio",
    "hf": "models of Hugging Face on this machine",
    "inspect": "models of other providers, through Inspect",
    "spss": "survey files of SPSS",
}
_KEYS = {
    "DEEPL_AUTH_KEY": "translate deepl",
    "OPENAI_API_KEY": "evaluate run, translate openai",
    "LABEL_STUDIO_API_KEY": "push, pull",
}


class State(StrEnum):
    """How something is."""

    OK = "ok"
    NONE = "none"
    WARNING = "warning"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that was looked at.

    Attributes:
        part: What it is part of, as a title.
        name: What it is.
        state: How it is.
        text: What was seen.
        hint: What to do; empty where nothing has to be done.
    """

    part: str
    name: str
    state: State
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """Everything that was looked at."""

    seen: tuple[Seen, ...]

    @property
    def broken(self) -> int:
        """How many things are broken."""
        return sum(item.state is State.BROKEN for item in self.seen)

    def to_frame(self) -> "pd.DataFrame":
        """A row a thing, all columns text: part, name, state, text, hint."""
        return frame(self.seen, Seen)


def doctor(workspace: Workspace, *, offline: bool = False) -> Health:
    """Look at the machine, the servers that the environment names, and a workspace.

    Keys are neither printed nor sent. A missing optional part is not an error.

    Args:
        workspace: The workspace.
        offline: Ask no server whether it is there.
    """
    return Health((*_machine(), *_servers(offline=offline), *_workspace(workspace)))


def _machine() -> Iterator[Seen]:
    """Look at Python, the packages, the optional parts and the keys."""
    yield Seen("This machine", "curate", State.OK, f"{__version__}, data format {DATA_FORMAT}")
    found = f"{platform.python_version()} at {sys.executable}, {platform.platform(terse=True)}"
    yield Seen("This machine", "Python", State.OK, found)
    yield _texts()
    required, extras = _requirements()
    yield _packages(required)
    for extra, what in _EXTRAS.items():
        yield _extra(extra, what, extras.get(extra, []))
    for variable, what in _KEYS.items():
        yield _key(variable, what)


def _texts() -> Seen:
    """See whether text that is printed can hold every script."""
    found = {(stream.encoding or "").lower() for stream in (sys.stdout, sys.stderr)}
    found.add(locale.getpreferredencoding(do_setlocale=False).lower())
    strange = sorted(name for name in found if name.replace("-", "").replace("_", "") != "utf8")
    if strange:
        hint = "set PYTHONUTF8=1, so that every script can be printed"
        return Seen("This machine", "text", State.WARNING, ", ".join(strange), hint)
    return Seen("This machine", "text", State.OK, "UTF-8")


def _requirements() -> tuple[list[Requirement], dict[str, list[Requirement]]]:
    """What the package needs, and what each extra does."""
    try:
        stated = [Requirement(text) for text in metadata.requires(_PACKAGE) or ()]
    except metadata.PackageNotFoundError:
        return [], {}
    base = [item for item in stated if item.marker is None or item.marker.evaluate({"extra": ""})]
    extras = {
        extra: [
            item
            for item in stated
            if item not in base and item.marker and item.marker.evaluate({"extra": extra})
        ]
        for extra in _EXTRAS
    }
    return base, extras


def _faults(required: list[Requirement]) -> tuple[list[str], list[str]]:
    """The packages that are missing, and those of a version that does not do."""
    missing, other = [], []
    for item in required:
        try:
            found = metadata.version(item.name)
        except metadata.PackageNotFoundError:
            missing.append(item.name)
            continue
        if not item.specifier.contains(found, prereleases=True):
            other.append(f"{item.name} {found} (needs {item.specifier})")
    return missing, other


def _packages(required: list[Requirement]) -> Seen:
    if not required:
        text = "run from its source, not installed"
        hint = "pip install -e . in the source, if a command lacks a package"
        return Seen("This machine", "packages", State.WARNING, text, hint)
    missing, other = _faults(required)
    if missing or other:
        lacking = [f"{name} is missing" for name in missing]
        text = "; ".join([*lacking, *other])
        return Seen("This machine", "packages", State.BROKEN, text, f"pip install -U '{_PACKAGE}'")
    return Seen("This machine", "packages", State.OK, f"all {len(required)} that are needed")


def _extra(extra: str, what: str, required: list[Requirement]) -> Seen:
    part, name = "Optional parts", extra
    missing, other = _faults(required)
    install = f"pip install '{_PACKAGE}[{extra}]'"
    if other:
        return Seen(part, name, State.BROKEN, "; ".join(other), install)
    if missing or not required:
        text = f"not installed; for {what}: {install}" if required else f"not known; for {what}"
        return Seen(part, name, State.NONE, text)
    versions = ", ".join(f"{item.name} {metadata.version(item.name)}" for item in required)
    return Seen(part, name, State.OK, versions)


def _key(variable: str, what: str) -> Seen:
    """Say whether a key is there and can be one; of the key itself nothing is told."""
    part, value = "Keys in the environment", os.environ.get(variable, "")
    if not value.strip():
        return Seen(part, variable, State.NONE, f"not set; for {what}")
    key = value.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        text, hint = (
            "set, but it holds characters that a key cannot have",
            "copy it again, in one line",
        )
        return Seen(part, variable, State.BROKEN, text, hint)
    return Seen(part, variable, State.OK, f"set; for {what}")


_SERVERS_PART = "Servers"
_TIMEOUT = 5.0  # seconds
_LONGEST = 100_000  # bytes of an answer
_SERVERS = {
    URL_VARIABLE: ("Label Studio", "api/version"),
    "OPENAI_BASE_URL": ("models", "models"),
    "DEEPL_SERVER_URL": ("DeepL", ""),
}
"""By variable, what the server is for, and what it is asked for."""


def _servers(*, offline: bool) -> Iterator[Seen]:
    """Knock at each server that is named; no key is sent, and any answer will do."""
    for variable, (what, path) in _SERVERS.items():
        address = os.environ.get(variable, "").strip()
        if not address:
            yield Seen(_SERVERS_PART, variable, State.NONE, f"not set; {what}")
            continue
        shown = _shown(address)
        if not shown:
            hint = "write it such as http://127.0.0.1:8080, without name and password"
            yield Seen(
                _SERVERS_PART, variable, State.BROKEN, "no web address that can be used", hint
            )
        elif offline:
            yield Seen(_SERVERS_PART, variable, State.OK, f"{shown}, not asked")
        else:
            yield _knock(variable, shown, path)


def _shown(address: str) -> str:
    """An address as it can be shown; empty where it is none, or holds a password."""
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
            return Seen(_SERVERS_PART, variable, State.OK, f"{address} answers")
        text = f"{address} answers with status {error.code}"
        return Seen(_SERVERS_PART, variable, State.BROKEN, text, "look at the server's own log")
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        text = f"{address} does not answer ({type(reason).__name__})"
        hint = "start the server, or check the address, the proxy and the network"
        return Seen(_SERVERS_PART, variable, State.BROKEN, text, hint)
    return Seen(_SERVERS_PART, variable, State.OK, f"{address} answers{_version(text)}")


def _version(text: str) -> str:
    """The version that Label Studio tells everybody."""
    try:
        found = json.loads(text)
        release = found["release"]
    except (ValueError, TypeError, KeyError):
        return ""
    fits = isinstance(release, str) and len(release) < 30 and release.isprintable()
    return f", release {release}" if fits else ""


_WORKSPACE_PART = "Workspace"
_SMALL = 1 << 30
"""Bytes: with fewer free ones a run of models may fill the disk."""


def _workspace(workspace: Workspace) -> Iterator[Seen]:
    """Look at the files of a workspace, at what the checks find, and at the disk."""
    root = workspace.root.resolve()
    if not workspace.culture_file.exists():
        text = f"none in {root}"
        yield Seen(
            _WORKSPACE_PART, "culture.yaml", State.NONE, text, "curate init DIR, or name it with -w"
        )
        return
    looks: tuple[tuple[str, Callable[[Workspace], Seen | None]], ...] = (
        ("culture.yaml", _culture),
        ("decisions", _unread),
        ("bank and groups", _bank),
        ("decisions", _decisions),
    )
    for name, look in looks:
        try:
            seen = look(workspace)
            if seen is not None:
                yield seen
        except CurateError as error:
            where = f" ({error.where})" if error.where else ""
            yield Seen(_WORKSPACE_PART, name, State.BROKEN, f"{error.what}{where}", error.hint)
            return  # what follows stands on it
    yield _disk(workspace)


def _culture(workspace: Workspace) -> Seen:
    culture = workspace.culture
    text = f"{culture.culture}, {culture.source_language} to {culture.language}"
    return Seen(_WORKSPACE_PART, "culture.yaml", State.OK, f"{text}, version {culture.version}")


def _bank(workspace: Workspace) -> Seen:
    bank, _ = workspace.bank_and_findings
    found = check(workspace, decided_with=decided_with(workspace))
    templates = len(list(bank.templates()))
    counts = ", ".join(f"{found.count(it)} {plural(it.value, found.count(it))}" for it in Severity)
    text = f"{templates} {plural('template', templates)}: {counts}"
    if found.has_errors:
        return Seen(_WORKSPACE_PART, "bank and groups", State.BROKEN, text, "curate check")
    if found.count(Severity.WARNING):
        return Seen(_WORKSPACE_PART, "bank and groups", State.WARNING, text, "curate check")
    return Seen(_WORKSPACE_PART, "bank and groups", State.OK, text)


def _unread(workspace: Workspace) -> None:
    """Read the ledger: the checks of the bank look at it, and its faults are not theirs."""
    _ = workspace.decisions


def _decisions(workspace: Workspace) -> Seen:
    count = len(workspace.decisions)
    if not count:
        text = "none yet; 'curate status' says what comes next"
        return Seen(_WORKSPACE_PART, "decisions", State.NONE, text)
    final = final_bank(workspace)
    text = f"{count:,} {plural('decision', count)}, {len(final.templates)} of "
    text += f"{len(final.outcomes)} templates retained"
    return Seen(_WORKSPACE_PART, "decisions", State.OK, text)


def _disk(workspace: Workspace) -> Seen:
    if not os.access(workspace.root, os.W_OK):
        return Seen(
            _WORKSPACE_PART, "disk", State.BROKEN, "the folder cannot be written to", "chmod u+w"
        )
    free = shutil.disk_usage(workspace.root).free
    text = f"{free / (1 << 30):,.1f} GiB free"
    state = State.WARNING if free < _SMALL else State.OK
    return Seen(_WORKSPACE_PART, "disk", state, text, "make room" if state is State.WARNING else "")
