"""Whether a machine and a workspace are in order: packages, keys, servers, files."""

import locale
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from enum import StrEnum
from http.client import HTTPException
from importlib import metadata
from itertools import zip_longest
from urllib.error import HTTPError
from urllib.request import build_opener

from packaging.requirements import Requirement

from curation import DATA_FORMAT, __version__
from curation.annotation.labelstudio.client import URL_VARIABLE
from curation.checks.workspace import check
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Results, counted, results
from curation.web import service_address, service_key
from survey.bank import decided_with, final_bank

_PACKAGE = "curate-bbq"
_EXTRAS = {
    "hf": "models of Hugging Face on this machine",
    "inspect": "models of other providers, through Inspect",
    "spss": "survey files of SPSS",
}
_KEYS = {
    "DEEPL_AUTH_KEY": "translate deepl",
    "OPENAI_API_KEY": "evaluate run, translate openai",
    "LIBRETRANSLATE_API_KEY": "translate libretranslate",
    "LABEL_STUDIO_API_KEY": "push, pull",
}


class State(StrEnum):
    """How something is."""

    OK = "ok"
    NONE = "none"
    WARNING = "warning"
    BROKEN = "broken"


_COLUMNS = ("part", "name", "state", "text", "hint")
"""Of what was looked at: the title of its part, its name, how it is, what was seen, what to do."""


def doctor(workspace: Workspace) -> Results:
    """Look at the machine, the servers that the environment names, and a workspace.

    Gives a table with a row for each thing. Keys are neither printed nor sent. A missing
    optional part is not an error.

    Args:
        workspace: The workspace.
    """
    required, extras = _requirements()
    parts = {
        "This machine": _machine(required),
        "Optional parts": (_extra(name, extras.get(name, [])) for name in _EXTRAS),
        "Keys in the environment": map(_key, _KEYS),
        "Servers": map(_server, _SERVERS),
        "Workspace": _workspace(workspace),
    }
    rows = [
        dict(zip_longest(_COLUMNS, (part, *seen), fillvalue=""))
        for part, found in parts.items()
        for seen in found
    ]
    return results({"seen": (_COLUMNS, rows)})


_Found = tuple[str, State, str] | tuple[str, State, str, str]
"""What was looked at, how it is, what was seen, and what to do."""


def _machine(required: list[Requirement]) -> Iterator[_Found]:
    yield "curate", State.OK, f"{__version__}, data format {DATA_FORMAT}"
    found = f"{platform.python_version()} at {sys.executable}, {platform.platform(terse=True)}"
    yield "Python", State.OK, found
    # Whether text that is printed can hold every script.
    encodings = {(stream.encoding or "").lower() for stream in (sys.stdout, sys.stderr)}
    encodings.add(locale.getpreferredencoding(do_setlocale=False).lower())
    strange = sorted(it for it in encodings if re.sub("[-_]", "", it) != "utf8")
    if strange:
        hint = "set PYTHONUTF8=1, so that every script can be printed"
        yield "text", State.WARNING, ", ".join(strange), hint
    else:
        yield "text", State.OK, "UTF-8"
    missing, other = _faults(required)
    if not required:
        hint = "pip install -e . in the source, if a command lacks a package"
        yield "packages", State.WARNING, "run from its source, not installed", hint
    elif missing or other:
        text = "; ".join([*(f"{name} is missing" for name in missing), *other])
        yield "packages", State.BROKEN, text, f"pip install -U '{_PACKAGE}'"
    else:
        yield "packages", State.OK, f"all {len(required)} that are needed"


def _requirements() -> tuple[list[Requirement], dict[str, list[Requirement]]]:
    """What the package needs, and what each extra does."""
    try:
        stated = [Requirement(text) for text in metadata.requires(_PACKAGE) or ()]
    except metadata.PackageNotFoundError:
        return [], {}
    base = [item for item in stated if item.marker is None or item.marker.evaluate({"extra": ""})]
    others = [item for item in stated if item not in base and item.marker]
    return base, {
        extra: [it for it in others if it.marker and it.marker.evaluate({"extra": extra})]
        for extra in _EXTRAS
    }


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


def _extra(extra: str, required: list[Requirement]) -> _Found:
    missing, other = _faults(required)
    install = f"pip install '{_PACKAGE}[{extra}]'"
    if other:
        return extra, State.BROKEN, "; ".join(other), install
    if missing or not required:
        known = f"not installed; for {_EXTRAS[extra]}: {install}"
        return extra, State.NONE, known if required else f"not known; for {_EXTRAS[extra]}"
    versions = (f"{item.name} {metadata.version(item.name)}" for item in required)
    return extra, State.OK, ", ".join(versions)


def _key(variable: str) -> _Found:
    """Say whether a key is there and can be one; of the key itself nothing is told."""
    try:
        key = service_key(variable, "", needed=False)
    except CurateError as error:
        return variable, State.BROKEN, error.what, error.hint
    state, said = (State.OK, "set") if key else (State.NONE, "not set")
    return variable, state, f"{said}; for {_KEYS[variable]}"


_TIMEOUT = 5.0  # seconds
_LONGEST = 100_000  # bytes of an answer
_SERVERS = {
    URL_VARIABLE: ("Label Studio", "api/version"),
    "OPENAI_BASE_URL": ("models", "models"),
    "DEEPL_SERVER_URL": ("DeepL", ""),
    "LIBRETRANSLATE_URL": ("LibreTranslate", "languages"),
}
"""By variable, what the server is for, and what it is asked for."""


def _server(variable: str) -> _Found:
    """Knock at a server that is named; no key is sent, and any answer will do."""
    what, path = _SERVERS[variable]
    address = os.environ.get(variable, "").strip()
    if not address:
        return variable, State.NONE, f"not set; {what}"
    try:
        shown = service_address(address, variable)
    except CurateError as error:
        return variable, State.BROKEN, error.what, error.hint
    try:
        with build_opener().open(f"{shown}/{path}", timeout=_TIMEOUT) as answer:
            text = answer.read(_LONGEST).decode("utf-8", "replace")
    except HTTPError as error:
        error.close()
        if error.code < 500:  # it wants a key, or has nothing at this path: it is there
            return variable, State.OK, f"{shown} answers"
        text = f"{shown} answers with status {error.code}"
        return variable, State.BROKEN, text, "look at the server's own log"
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        text = f"{shown} does not answer ({type(reason).__name__})"
        hint = "start the server, or check the address, the proxy and the network"
        return variable, State.BROKEN, text, hint
    # The version that Label Studio tells everybody.
    release = re.search(r'"release":\s*"([\w.+-]{1,29})"', text)
    return variable, State.OK, f"{shown} answers{f', release {release[1]}' if release else ''}"


_SMALL = 1 << 30
"""Bytes: with fewer free ones a run of models may fill the disk."""


def _workspace(workspace: Workspace) -> Iterator[_Found]:
    """Look at the files of a workspace, at what the checks find, and at the disk."""
    root, culture_file = workspace.root.resolve(), workspace.culture_file.name
    if not workspace.culture_file.exists():
        yield culture_file, State.NONE, f"none in {root}", "curate init DIR, or name it with -w"
        return
    looking_at = culture_file
    try:
        culture = workspace.culture
        text = f"{culture.culture}, {culture.source_language} to {culture.language}"
        yield culture_file, State.OK, f"{text}, version {culture.version}"
        looking_at = "decisions"
        decisions = workspace.decisions  # the checks look at them, and their faults are not theirs
        looking_at = "bank and groups"
        yield _bank(workspace)
        looking_at = "decisions"
        if not decisions:
            yield looking_at, State.NONE, "none yet; 'curate status' says what comes next"
        else:
            final = final_bank(workspace)
            text = f"{counted(len(decisions), 'decision')}, {len(final.templates)} of "
            yield looking_at, State.OK, f"{text}{len(final.outcomes)} templates retained"
    except CurateError as error:
        where = f" ({error.where})" if error.where else ""
        yield looking_at, State.BROKEN, f"{error.what}{where}", error.hint
        return  # what follows stands on it
    free = shutil.disk_usage(workspace.root).free
    if not os.access(workspace.root, os.W_OK):
        yield "disk", State.BROKEN, "the folder cannot be written to", "chmod u+w"
    else:
        state, hint = (State.WARNING, "make room") if free < _SMALL else (State.OK, "")
        yield "disk", state, f"{free / (1 << 30):,.1f} GiB free", hint


def _bank(workspace: Workspace) -> _Found:
    bank, _ = workspace.bank_and_findings
    found = check(workspace, decided_with=decided_with(workspace))
    counts = ", ".join(counted(count, name) for name, count in found.counts.items())
    text = f"{counted(len(list(bank.templates())), 'template')}: {counts}"
    if not found.counts["warning"] and not found.counts["error"]:
        return "bank and groups", State.OK, text
    state = State.BROKEN if found.counts["error"] else State.WARNING
    return "bank and groups", state, text, "curate check"
