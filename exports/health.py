"""Whether a machine and a workspace are in order: packages, keys, servers, files."""

import locale
import os
import platform
import re
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
    parts = {
        "This machine": _machine(),
        "Optional parts": map(_extra, _EXTRAS),
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


def _machine() -> Iterator[_Found]:
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
    required = _needed("")
    if faults := "; ".join(_faults(required)):
        yield "packages", State.BROKEN, faults, f"pip install -U '{_PACKAGE}'"
    else:
        yield "packages", State.OK, f"all {len(required)} that are needed"


def _needed(extra: str) -> list[Requirement]:
    """What the package needs, or one of its extras beside."""
    try:
        stated = [Requirement(text) for text in metadata.requires(_PACKAGE) or ()]
    except metadata.PackageNotFoundError:  # its source is run, which may lack anything
        return [Requirement(_PACKAGE)]
    base = [item for item in stated if item.marker is None or item.marker.evaluate({"extra": ""})]
    others = (item for item in stated if item.marker and item.marker.evaluate({"extra": extra}))
    return [item for item in others if item not in base] if extra else base


def _faults(required: list[Requirement]) -> Iterator[str]:
    """Yield the packages that are missing, and those of a version that does not do."""
    for item in required:
        try:
            found = metadata.version(item.name)
        except metadata.PackageNotFoundError:
            yield f"{item.name} is missing"
            continue
        if not item.specifier.contains(found, prereleases=True):
            yield f"{item.name} {found} (needs {item.specifier})"


def _extra(extra: str) -> _Found:
    faults = "".join(f"{fault}; " for fault in _faults(_needed(extra)))
    hint = f"pip install '{_PACKAGE}[{extra}]'" if faults else ""
    return extra, State.NONE if faults else State.OK, f"{faults}for {_EXTRAS[extra]}", hint


def _key(variable: str) -> _Found:
    """Say whether a key is there and can be one; of the key itself nothing is told."""
    try:
        key = service_key(variable, "", needed=False)
    except CurateError as error:
        return variable, State.BROKEN, error.what, error.hint
    state, said = (State.OK, "set") if key else (State.NONE, "not set")
    return variable, state, f"{said}; for {_KEYS[variable]}"


_TIMEOUT = 5.0  # seconds
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
            status = answer.status
    except HTTPError as error:  # it wants a key, or has nothing at this path: it is there
        error.close()
        status = error.code
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        text = f"{shown} does not answer ({type(reason).__name__})"
        hint = "start the server, or check the address, the proxy and the network"
        return variable, State.BROKEN, text, hint
    state = State.OK if status < 500 else State.BROKEN
    return variable, state, f"{shown} answers with status {status}"


def _workspace(workspace: Workspace) -> Iterator[_Found]:
    """Look at the files of a workspace, and at what the checks find."""
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
            return
        final = final_bank(workspace)
        text = f"{counted(len(decisions), 'decision')}, {len(final.templates)} of "
        yield looking_at, State.OK, f"{text}{len(final.outcomes)} templates retained"
    except CurateError as error:
        where = f" ({error.where})" if error.where else ""
        yield looking_at, State.BROKEN, f"{error.what}{where}", error.hint


def _bank(workspace: Workspace) -> _Found:
    bank, _ = workspace.bank_and_findings
    found = check(workspace, decided_with=decided_with(workspace))
    counts = ", ".join(counted(count, name) for name, count in found.counts.items())
    text = f"{counted(len(list(bank.templates())), 'template')}: {counts}"
    if not found.counts["warning"] and not found.counts["error"]:
        return "bank and groups", State.OK, text
    state = State.BROKEN if found.counts["error"] else State.WARNING
    return "bank and groups", state, text, "curate check"
